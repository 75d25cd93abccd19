"""Predict the training throughput of every row of a case file."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from calculator.measured.files import (
    BadFile,
    predictions_text,
    read_rows,
    write_whole,
)
from calculator.measured.predict import predict

BAD_INPUT = 2


class Command(BaseCommand):
    help = (
        "Predict tokens/s per GPU of each row of a CSV of training runs, as configured."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("cases", type=Path, help="CSV with configuration columns")
        parser.add_argument(
            "-o", "--output", type=Path, required=True, help="CSV to write"
        )
        parser.add_argument(
            "--generic-stack",
            action="store_true",
            help="evaluate every row as one generic software stack",
        )

    def handle(self, *args, cases: Path, output: Path, **options) -> None:
        try:
            predictions = predict(
                read_rows(cases), has_framework_defaults=not options["generic_stack"]
            )
            write_whole(output, predictions_text(predictions))
        except BadFile as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from None
        refused = sum(p.tokens_per_s_per_gpu is None for p in predictions)
        self.stdout.write(
            f"{len(predictions)} rows, {refused} refused, written to {output}"
        )
