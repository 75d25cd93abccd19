"""What the bundled price book holds: complete, cited, marked, in sane units."""

import ast
import re
from pathlib import Path

import pytest

from calculator.spec.scenario import ComparisonV1
from catalog.attributes import validate_attributes
from catalog.choices import ComponentKind
from catalog.models import (
    BomLine,
    Component,
    ModelShape,
    NodeDesign,
    PriceBook,
    PriceQuote,
    RentalOffer,
    Source,
)
from catalog.services.importing import BUNDLED_FOLDER

pytestmark = pytest.mark.django_db

NAMED_DESIGNS = {
    "hgx-h100-sivaro",
    "hgx-h100-dealer",
    "hgx-h100-parts",
    "dgx-h100",
    "hgx-h200",
    "dgx-b200",
    "mi300x-8",
    "a100-used-8",
    "gb200-nvl72",
}


def default_sources(schema):
    """All values of x-default-source anywhere in a JSON Schema."""
    if isinstance(schema, dict):
        own = {schema["x-default-source"]} if "x-default-source" in schema else set()
        return own.union(*(default_sources(part) for part in schema.values()))
    if isinstance(schema, list):
        return set().union(*(default_sources(part) for part in schema))
    return set()


def test_every_default_of_the_comparison_cites_a_known_source():
    cited = default_sources(ComparisonV1.model_json_schema())
    known = set(Source.objects.values_list("slug", flat=True))
    assert len(cited) > 5
    assert cited <= known


def test_the_named_designs_are_there():
    assert set(NodeDesign.objects.values_list("slug", flat=True)) >= NAMED_DESIGNS


def test_every_design_has_priced_or_openly_missing_parts():
    for line in BomLine.objects.select_related("component"):
        assert PriceQuote.objects.filter(item=line.component.slug).exists(), line


def test_every_offer_has_a_quote_in_force_of_its_own_terms():
    for offer in RentalOffer.objects.all():
        quotes = PriceQuote.objects.in_force("2026-12-01").filter(item=offer.slug)
        own = quotes.filter(region=offer.region, payment_option=offer.payment_option)
        assert own.count() == 1, offer.slug


def test_an_offers_price_per_gpu_hour_is_plausible():
    for offer in RentalOffer.objects.all():
        for quote in PriceQuote.objects.filter(item=offer.slug, mid__isnull=False):
            per_gpu = float(quote.mid) / offer.gpus_per_instance
            assert 0.5 < per_gpu < 20, (offer.slug, per_gpu)


def test_every_quote_without_a_published_source_is_marked_assumption():
    unmarked = PriceQuote.objects.filter(source__kind="assumption").exclude(
        confidence="assumption"
    )
    assert list(unmarked) == []


def test_no_published_price_is_marked_assumption():
    marked = PriceQuote.objects.filter(confidence="assumption")
    assert list(marked.exclude(source__kind="assumption")) == []
    assert marked.count() > 20


def test_no_quote_rests_on_a_source_that_is_not_one():
    assert not PriceQuote.objects.filter(source__kind="computed").exists()


def test_no_unknown_price_is_stored_as_zero():
    zero = PriceQuote.objects.filter(mid=0).values_list("item", flat=True)
    assert set(zero) <= {"import-duty"}


def test_every_reference_is_a_citation():
    for source in Source.objects.all():
        assert len(source.reference) > 5, source.slug


def test_every_component_matches_its_schema():
    for component in Component.objects.all():
        validate_attributes(component.kind, component.attributes)


def test_component_kinds_with_a_schema_are_choices():
    from catalog.attributes import SCHEMAS

    assert set(SCHEMAS) <= set(ComponentKind.values)


def test_measured_matmul_rates_stay_below_the_peak():
    for gpu in Component.objects.filter(kind="gpu"):
        attributes = gpu.attributes
        measured = attributes.get("mamf_bf16_tflops", 0)
        assert measured < attributes["peak_bf16_tflops"], gpu.slug


def test_a_node_draws_more_than_its_gpus_idle_and_less_than_its_rating():
    for design in NodeDesign.objects.select_related("gpu"):
        gpus_kw = design.gpus_per_node * design.gpu.attributes["tdp_w"] / 1000
        assert gpus_kw < design.rated_kw, design.slug
        assert design.idle_kw < design.mean_training_kw < design.rated_kw


def test_the_sivaro_node_is_not_believed_about_its_power():
    design = NodeDesign.objects.get(slug="hgx-h100-sivaro")
    assert design.rated_kw == 10.2
    assert "4.5 kW" in design.note
    assert "contradicted" in design.note


def parameters(shape):
    """Weights of a dense shape: attention, MLP, embeddings (norms left out)."""
    width = shape.head_dim * (2 * shape.heads + 2 * shape.kv_heads)
    mlp = (3 if shape.is_gated_mlp else 2) * shape.ffn
    embedding = (1 if shape.is_tied_embedding else 2) * shape.vocab
    return shape.hidden * (shape.layers * (width + mlp) + embedding)


@pytest.mark.parametrize(
    ("slug", "billions"),
    [
        ("llama-2-7b", 6.74),
        ("llama-2-13b", 13.02),
        ("llama-2-70b", 68.98),
        ("llama-3-8b", 8.03),
        ("llama-3-70b", 70.55),
        ("llama-3-405b", 405.85),
        ("gpt-3-175b", 175),
        ("mpt-7b", 6.66),
        ("mpt-30b", 29.98),
        ("mpt-70b", 64.86),
        ("nemotron-4-15b", 15.6),
        ("nemotron-4-340b", 341),
        ("qwen-2.5-7b", 7.62),
        ("qwen-2.5-72b", 72.7),
    ],
)
def test_a_shape_has_the_published_number_of_parameters(slug, billions):
    shape = ModelShape.objects.get(slug=slug)
    assert parameters(shape) / 1e9 == pytest.approx(billions, rel=0.005)


@pytest.mark.parametrize(
    ("slug", "billions"), [("mixtral-8x7b", 46.7), ("mixtral-8x22b", 140.6)]
)
def test_a_mixture_has_the_published_number_of_parameters(slug, billions):
    shape = ModelShape.objects.get(slug=slug)
    width = shape.head_dim * (2 * shape.heads + 2 * shape.kv_heads)
    experts = 3 * shape.moe_ffn * shape.n_experts
    total = shape.hidden * (shape.layers * (width + experts) + 2 * shape.vocab)
    assert total / 1e9 == pytest.approx(billions, rel=0.005)


def test_the_books_are_dated():
    assert set(PriceBook.objects.values_list("slug", flat=True)) == {
        "2026-12",
        "sivaro-2026-07",
    }


def test_the_bundled_files_hold_no_machine_paths():
    suspicious = re.compile(r"(^|[\s\"'(])/(root|home|tmp|work|mnt)/|index file id")
    for path in sorted(Path(BUNDLED_FOLDER).glob("*.csv")):
        assert not suspicious.search(path.read_text(encoding="utf-8")), path.name


def test_pure_documents_import_no_framework():
    for name in ("documents", "attributes"):
        tree = ast.parse((BUNDLED_FOLDER.parents[2] / f"{name}.py").read_text())
        imported = {
            (
                node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
            ).split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
        }
        assert imported <= {
            "__future__",
            "collections",
            "datetime",
            "typing",
            "pydantic",
        }
