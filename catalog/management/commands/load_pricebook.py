"""Load a price-book folder; run it as often as you like."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from catalog.services.importing import BUNDLED_FOLDER, load_folder
from catalog.services.pricebook_files import PricebookError

SHOWN_ERRORS = 40


class Command(BaseCommand):
    help = "Load a price book (sources, components, quotes, designs, offers, models)."

    def add_arguments(self, parser):
        parser.add_argument(
            "folder",
            nargs="?",
            type=Path,
            default=BUNDLED_FOLDER,
            help="Folder of CSV files; the bundled price book when absent.",
        )

    def handle(self, *args, folder, verbosity, **options):
        try:
            outcome = load_folder(folder)
        except PricebookError as error:
            raise CommandError(self._report(error)) from error
        if verbosity:
            self._print(outcome, verbosity)

    def _report(self, error):
        shown = [str(problem) for problem in error.errors[:SHOWN_ERRORS]]
        rest = len(error.errors) - len(shown)
        if rest:
            shown.append(f"... and {rest} more")
        return "Nothing was loaded.\n" + "\n".join(shown)

    def _print(self, outcome, verbosity):
        if not outcome.n_changes:
            self.stdout.write("The price book is already loaded; nothing changed.")
        if outcome.n_changes or verbosity > 1:
            for table, counts in outcome.tables.items():
                withdrawn = (
                    f", {counts['withdrawn']} withdrawn" if counts["withdrawn"] else ""
                )
                self.stdout.write(
                    f"{table}: {counts['created']} new, {counts['updated']} changed, "
                    f"{counts['unchanged']} unchanged{withdrawn}"
                )
