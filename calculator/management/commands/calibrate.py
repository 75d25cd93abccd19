"""Refit the throughput model's global parameters to measured runs."""

import datetime
import json
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from calculator.engine.version import ENGINE_VERSION
from calculator.measured import store
from calculator.measured.files import BadFile, read_rows, write_whole
from calculator.measured.fit import Calibration, calibrate

BAD_INPUT = 2


class Command(BaseCommand):
    help = "Fit the global parameters to measured runs; write them and the residuals."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            type=Path,
            help="CSV of runs; the bundled ones if left out",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="print the outcome, write nothing"
        )
        parser.add_argument(
            "--quick",
            action="store_true",
            help="skip the fits without each family (only with --dry-run)",
        )
        parser.add_argument(
            "--keep",
            action="store_true",
            help="keep the parameters; only renew residuals and interval classes",
        )
        parser.add_argument(
            "--parameters", type=Path, default=store.parameters_path(), metavar="JSON"
        )
        parser.add_argument(
            "--residuals",
            type=Path,
            default=store.bundled("residuals.json"),
            metavar="JSON",
        )

    def handle(self, *args, file: Path | None, **options) -> None:
        if options["quick"] and not options["dry_run"]:
            raise CommandError("--quick needs --dry-run", returncode=BAD_INPUT)
        try:
            calibration = calibrate(
                read_rows(file or store.bundled("measured_runs.csv")),
                has_fit=not options["keep"],
                has_left_out=not options["quick"],
                progress=self._progress,
            )
            residuals = store.residuals_document(
                calibration,
                fit_date=datetime.date.today().isoformat(),
                engine_version=ENGINE_VERSION,
            )
            self._print(calibration, residuals)
            if not options["dry_run"]:
                self._write(calibration, residuals, options)
        except (BadFile, ValueError) as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from None

    def _progress(self, line: str) -> None:
        self.stderr.write(line, self.style.NOTICE)

    def _print(self, calibration: Calibration, residuals: dict) -> None:
        self.stdout.write(
            f"{'family':12}{'runs':>6}{'refused':>8}"
            f"{'in-sample':>16}{'left out':>16}{'constant MFU':>16}  median/p90 %"
        )
        for name, entry in {
            **residuals["families"],
            "mean": residuals["overall"],
        }.items():
            pairs = "".join(
                f"{_percent(entry, kind):>16}"
                for kind in ("in_sample", "left_out", "constant_mfu")
            )
            self.stdout.write(f"{name:12}{entry['n']:6}{entry['refused']:8}{pairs}")
        overall = residuals["overall"]
        if overall["n_ratio_pairs"]:
            self.stdout.write(
                f"ratios between scales and networks: {overall['n_ratio_pairs']} pairs, "
                f"median {overall['ratio_median']:.1%}, p90 {overall['ratio_p90']:.1%}, "
                f"no change {overall['ratio_no_change_median']:.1%}"
            )
        for name, value in calibration.values.items():
            self.stdout.write(
                f"{name:36}{value:12.4g}{calibration.sigmas[name]:+8.2f} sigma"
            )

    def _write(self, calibration: Calibration, residuals: dict, options: dict) -> None:
        document = json.loads(store.parameters_path().read_text(encoding="utf-8"))
        if options["keep"]:
            document = store.classes_document(document, residuals)
        else:
            document = store.parameters_document(document, calibration, residuals)
        write_whole(options["parameters"], store.as_text(document))
        self.stdout.write(f"written: {options['parameters']}")
        write_whole(options["residuals"], store.as_text(residuals))
        self.stdout.write(f"written: {options['residuals']}")


def _percent(entry: dict, kind: str) -> str:
    if f"{kind}_median" not in entry:
        return "-"
    return f"{100 * entry[f'{kind}_median']:.1f} / {100 * entry[f'{kind}_p90']:.1f}"
