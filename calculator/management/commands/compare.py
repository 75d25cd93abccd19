"""Print a comparison: a bundled example by name, or a file."""

import json
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from calculator import embedded
from calculator.exports import table
from calculator.services import previews
from calculator.spec import examples_index as examples
from calculator.spec.document_files import read_document
from calculator.spec.problems import SpecError, parse_comparison

BAD_INPUT = 2


class Command(BaseCommand):
    help = "Compare the alternatives of a bundled example or of a JSON file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "name_or_file", help="an example's name, or a path to a ComparisonV1"
        )
        parser.add_argument(
            "--json", action="store_true", help="print ResultV1 instead of a table"
        )

    def handle(self, *args, name_or_file: str, **options) -> None:
        embedded.prepare_database(self.stderr)
        try:
            result = previews.preview(parse_comparison(_body(name_or_file)))
        except SpecError as error:
            raise CommandError(
                "\n".join(error.lines()),
                returncode=BAD_INPUT,
            ) from None
        if options["json"]:
            self.stdout.write(result.model_dump_json(indent=2))
        else:
            self.stdout.write(table.render(result))


def _body(name_or_file: str) -> bytes:
    if name_or_file in examples.names():
        return json.dumps(examples.load(name_or_file)).encode()
    try:
        return read_document(Path(name_or_file))
    except FileNotFoundError:
        known = ", ".join(examples.names())
        raise CommandError(
            f"{name_or_file} is neither a file nor an example; the examples are {known}",
            returncode=BAD_INPUT,
        ) from None
    except OSError as error:
        raise CommandError(
            f"{name_or_file} cannot be read: {error.strerror}", returncode=BAD_INPUT
        ) from None
