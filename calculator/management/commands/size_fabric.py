"""Size a fabric from a FabricSizingV1 file and print the counts."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from calculator.services import fabrics
from calculator.spec.document_files import read_document
from calculator.spec.fabric import FabricSizingV1
from calculator.spec.problems import SpecError, read_json, validate

BAD_INPUT = 2


class Command(BaseCommand):
    help = "Count switches and cables of one fabric, for any switch, without prices."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="path to a FabricSizingV1")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args, file: Path, **options) -> None:
        try:
            body = read_document(file)
            found = fabrics.size(validate(FabricSizingV1, read_json(body)))
        except OSError as error:
            raise CommandError(
                f"{file} cannot be read: {error.strerror}", returncode=BAD_INPUT
            ) from None
        except SpecError as error:
            raise CommandError("\n".join(error.lines()), returncode=BAD_INPUT) from None
        if options["json"]:
            self.stdout.write(found.model_dump_json(indent=2))
            return
        for name, value in found.model_dump(exclude={"notes"}).items():
            self.stdout.write(f"{name:26} {value}")
        for note in found.notes:
            self.stdout.write(f"! {note}")
