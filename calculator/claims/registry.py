"""All claims, and what they need from the catalog. PURE."""

from __future__ import annotations

from calculator.claims import money, operations_claims, scenarios, utilisation
from calculator.resolve.references import COMMON_COMPONENTS, default_sources
from catalog.documents import SnapshotRequest

SOURCE = "sivaro-2026-07"
CLAIMS = (*utilisation.CLAIMS, *money.CLAIMS, *operations_claims.CLAIMS)
DESIGNS = (
    "a100-used-8",
    "dgx-b200",
    "dgx-h100",
    "hgx-h100-dealer",
    "hgx-h100-parts",
    "hgx-h100-sivaro",
)
MODELS = ("llama-2-7b", "llama-2-13b", "llama-2-70b", "mpt-1b")
OFFERS = ("aws-p5-48xlarge-on-demand", "aws-p6-b200-48xlarge-on-demand")
ITEMS = (
    "dgx-h100",
    "h100-sxm",
    "h100-sxm-used",
    "hgx-h100-baseboard",
    "hgx-h100-server",
    "market-h100-index",
    "market-h100-list",
    "mi300x",
    "parallel-file-system",
    "sn3700",
)
HISTORY = ("market-h100-list",)
PRICE_BOOK = "2026-12"


def snapshot_request() -> SnapshotRequest:
    """Everything that any claim looks at."""
    parts = [part for fabric in scenarios.PARTS.values() for part in fabric]
    return SnapshotRequest(
        designs=DESIGNS,
        components=tuple(dict.fromkeys([*COMMON_COMPONENTS, *parts, *ITEMS])),
        offers=OFFERS,
        models=MODELS,
        sources=(SOURCE, *default_sources()),
        price_book=PRICE_BOOK,
    )
