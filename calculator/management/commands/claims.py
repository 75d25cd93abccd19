"""Print the claims ledger: every claim of the reference cluster and its verdict."""

from django.core.management.base import BaseCommand, CommandParser

from calculator import embedded, formatting
from calculator.services import claims
from calculator.spec.claims import ClaimFinding, ClaimReading

WORDS = {
    "reproduced": "reproduced",
    "under_reading": "reproduced under a stated reading",
    "contradicted": "contradicted",
    "not_tested": "not tested",
}


class Command(BaseCommand):
    help = "Evaluate every claim of the reference cluster and say which hold."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print ClaimsLedgerV1")

    def handle(self, *args, **options) -> None:
        embedded.prepare_database(self.stderr)
        ledger = claims.ledger()
        if options["json"]:
            self.stdout.write(ledger.model_dump_json(indent=2))
            return
        for finding in ledger.claims:
            self.stdout.write("\n".join(_lines(finding)) + "\n")


def _lines(finding: ClaimFinding) -> list[str]:
    head = f"{finding.id}: {finding.title}"
    verdict = f"  {WORDS[finding.verdict]}. {finding.verdict_text}"
    return [head, verdict, *(line for r in finding.readings for line in _reading(r))]


def _reading(reading: ClaimReading) -> list[str]:
    mark = "+" if reading.holds else "-"
    numbers = "; ".join(
        f"{check.label} {formatting.quantity(check.value, check.unit)} (claimed "
        f"{formatting.interval(check.claimed_low, check.claimed_high, check.unit)})"
        for check in reading.checks
    )
    return [f"  {mark} {reading.label}", f"      {reading.reason or numbers}"]
