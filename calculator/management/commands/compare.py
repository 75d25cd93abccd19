"""Print a comparison: a bundled example by name, or a file."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from calculator import embedded
from calculator.exports import delta, table
from calculator.resolve.whatif import apply_settings
from calculator.services import previews
from calculator.spec import examples_index as examples
from calculator.spec.document_files import read_document
from calculator.spec.problems import SpecError, parse_comparison, validate_comparison
from calculator.spec.result import ResultV1
from calculator.spec.scenario import ComparisonV1

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
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="/POINTER=VALUE",
            dest="changes",
            help="change one field and print what that changes; may be repeated; "
            "/alternatives/*/... means all",
        )

    def handle(self, *args, name_or_file: str, **options) -> None:
        embedded.prepare_database(self.stderr)
        try:
            spec = parse_comparison(_body(name_or_file))
            changed = _changed(spec, options["changes"])
            result = previews.preview(changed)
            before = previews.preview(spec) if options["changes"] else None
        except SpecError as error:
            raise CommandError(
                "\n".join(error.lines()),
                returncode=BAD_INPUT,
            ) from None
        self.stdout.write(_shown(result, before, options))


def _changed(spec: ComparisonV1, settings: list[str]) -> ComparisonV1:
    if not settings:
        return spec
    document = apply_settings(spec.model_dump(mode="json"), settings)
    return validate_comparison(document)


def _shown(result: ResultV1, before: ResultV1 | None, options: dict[str, Any]) -> str:
    if options["json"]:
        return result.model_dump_json(indent=2)
    if before is None:
        return table.render(result)
    return delta.render(before, result, options["changes"])


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
