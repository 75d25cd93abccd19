"""Every page, both themes: nothing on the console, no accessibility violation, no overflow."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

PAGES = {
    "start": "/",
    "quote": "/quote/",
    "quote of six": "/quote/?example=ethernet-sweep",
    "catalog": "/catalog/",
    "parts": "/catalog/?kind=parts&q=switch",
    "sources": "/catalog/sources/",
    "accuracy": "/accuracy/",
    "claims": "/claims/",
    "calibrate": "/calibrate/?example",
    "methodology": "/methodology/",
    "method": "/methodology/owning/",
}


def check(page) -> None:
    charts = page.locator("figure-chart")
    expect(page.locator("figure-chart[data-drawn]")).to_have_count(charts.count())
    violations = Axe().run(page).response["violations"]
    found = [(v["id"], [n["html"][:200] for n in v["nodes"]]) for v in violations]
    assert found == []
    assert overflow(page) == 0


def overflow(page) -> int:
    """Pixels that stick out of the page sideways."""
    root = "document.documentElement"
    return page.evaluate(f"{root}.scrollWidth - {root}.clientWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_page_is_accessible_quiet_and_fits(visitor, name, theme):
    page = visitor.page(color_scheme=theme)
    assert page.goto(PAGES[name]).status == 200
    check(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert overflow(page) == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_opens_is_accessible_too(visitor, theme):
    page = visitor.page(color_scheme=theme)
    page.goto("/quote/")
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.get_by_role("button", name="Cost per GPU-hour").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page)
    page.keyboard.press("Escape")
    page.fill("#f--workload--seq_len", "0")
    expect(page.locator("#problems a")).to_be_visible()
    expect(page.locator("#result")).to_have_css("filter", "grayscale(1)")
    check(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_saved_and_shared_pages_are_accessible(visitor, theme):
    page = visitor.page(color_scheme=theme)
    page.goto("/quote/?example=single-node")
    page.get_by_role("button", name="Save comparison").click()
    page.wait_for_url("**/comparisons/*/")
    page.get_by_role("button", name="Create link").click()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    check(page)
    page.goto(page.locator("input.share-url").first.input_value())
    check(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_readings_of_claims_are_accessible_and_open_their_comparison(visitor, theme):
    page = visitor.page(color_scheme=theme, viewport={"width": 390, "height": 900})
    page.goto("/claims/")
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    check(page)
    claim = page.locator("#busy-87-23")
    claim.get_by_role("link", name="Open this comparison").nth(3).click()
    expect(page.locator("#result .card")).to_have_count(2)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_calibration_shows_its_chart_in_both_themes(visitor, theme, width):
    page = visitor.page(color_scheme=theme, viewport={"width": width, "height": 900})
    page.goto("/calibrate/?example")
    page.get_by_role("button", name="Calibrate").click()
    page.wait_for_url("**/calibrate/*-*/")
    expect(page.locator("figure-chart[data-drawn]")).to_have_count(1)
    check(page)


def test_a_missing_page_looks_like_the_product(visitor):
    page = visitor.page()
    assert page.goto("/nowhere/").status == 404
    check(page)
    visitor.complaints.clear()
