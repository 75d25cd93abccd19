"""Measure the preview of the reference comparison and its parts, in one run."""

import json
import statistics
import time
from collections.abc import Callable

from django.core.management.base import BaseCommand, CommandParser

from calculator import embedded
from calculator.resolve.comparison import evaluate_comparison
from calculator.resolve.references import snapshot_request
from calculator.services import previews
from calculator.spec import examples_index as examples
from calculator.spec.canonical import canonical_bytes
from calculator.spec.problems import parse_comparison
from catalog.services.snapshots import take_snapshot


class Command(BaseCommand):
    help = (
        "Print medians of the reference preview's parts and their ratio to the whole."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rounds", type=int, default=30)
        parser.add_argument("--example", default="reference")

    def handle(self, *args, rounds: int, example: str, **options) -> None:
        embedded.prepare_database(self.stdout)
        body = json.dumps(examples.load(example)).encode()
        spec = parse_comparison(body)
        request = snapshot_request(spec)
        snapshot = take_snapshot(request)
        result = evaluate_comparison(spec, snapshot)
        parts: list[tuple[str, Callable[[], object]]] = [
            (
                "preview: parse to result",
                lambda: previews.preview(parse_comparison(body)),
            ),
            ("parse and validate", lambda: parse_comparison(body)),
            ("price snapshot", lambda: take_snapshot(request)),
            ("evaluate", lambda: evaluate_comparison(spec, snapshot)),
            ("result to JSON", lambda: canonical_bytes(result)),
        ]
        self.stdout.write(f"{example}: median of {rounds} rounds")
        whole = None
        for label, act in parts:
            median_ms = _median_ms(act, rounds)
            whole = whole or median_ms
            self.stdout.write(
                f"  {label:26} {median_ms:8.1f} ms   {median_ms / whole:6.1%}"
            )


def _median_ms(act: Callable[[], object], rounds: int) -> float:
    act()
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        act()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken) * 1000
