"""The way of a buyer through a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

ENERGY = "#f--assumptions--facility--energy_price_usd_per_kwh"
DRAWN = "figure-chart[data-drawn]"


def first_price(page):
    return page.locator(".card .figure").first


def open_quote(page, address="/quote/"):
    page.goto(address)
    expect(page.locator(DRAWN)).to_have_count(3)
    return page


def test_typing_changes_the_answer_the_charts_and_the_address(visitor):
    page = open_quote(visitor.page())
    before = first_price(page).inner_text()
    chart = page.locator("#chart-stacked_cost svg")
    drawn_before = chart.inner_html()
    page.fill(ENERGY, "0.9")
    expect(first_price(page)).not_to_have_text(before)
    expect(page).to_have_url(re.compile(r"\?d="))
    page.wait_for_function(
        "before => document.querySelector('#chart-stacked_cost svg').innerHTML !== before",
        arg=drawn_before,
    )
    after = first_price(page).inner_text()
    page.reload()
    expect(page.locator(ENERGY)).to_have_value("0.9")
    expect(first_price(page)).to_have_text(after)


def test_a_wrong_number_keeps_the_last_answer_and_says_what_to_mend(visitor):
    page = open_quote(visitor.page())
    before = first_price(page).inner_text()
    page.fill(ENERGY, "-1")
    summary = page.locator("#problems a")
    expect(summary).to_have_text(re.compile("Energy price must be at least 0"))
    expect(page.locator(ENERGY)).to_have_attribute("aria-invalid", "true")
    expect(page.locator(f"{ENERGY}-error")).to_contain_text("at least 0")
    expect(first_price(page)).to_have_text(before)
    expect(page.locator("#result")).to_have_css("filter", "grayscale(1)")
    summary.click()
    expect(page.locator(ENERGY)).to_be_focused()
    page.fill(ENERGY, "0.1")
    expect(page.locator("#problems .problems")).to_have_count(0)
    expect(page.locator(ENERGY)).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator("#result")).to_have_css("filter", "none")


def test_arrow_keys_step_a_number(visitor):
    page = open_quote(visitor.page())
    nodes = page.locator("#f--alternatives--own-infiniband--n_nodes")
    nodes.focus()
    page.keyboard.press("ArrowUp")
    expect(nodes).to_have_value("9")
    expect(page.locator("#machine-own-infiniband dd").first).to_contain_text("72")


def test_alternatives_are_added_copied_and_removed(visitor):
    page = open_quote(visitor.page())
    page.get_by_role("button", name="+ Rent").click()
    expect(page.locator(".alternative")).to_have_count(4)
    expect(page.locator("#result .card")).to_have_count(4)
    page.get_by_role("button", name="Remove Rent", exact=True).click()
    expect(page.locator("#result .card")).to_have_count(3)


def test_a_number_opens_its_story(visitor):
    page = open_quote(visitor.page())
    page.get_by_role("button", name="Cost per million tokens, levelised").click()
    story = page.get_by_role("dialog")
    expect(story).to_be_visible()
    expect(story).to_contain_text("NPV")
    expect(
        story.get_by_role("link", name=re.compile("How it is computed"))
    ).to_be_visible()
    page.keyboard.press("Escape")
    expect(story).to_be_hidden()


def test_what_is_unfolded_stays_unfolded_while_typing(visitor):
    page = open_quote(visitor.page())
    bill = page.locator("#lines-own-infiniband")
    bill.locator("> summary").click()
    before = first_price(page).inner_text()
    page.fill(ENERGY, "0.5")
    expect(first_price(page)).not_to_have_text(before)
    expect(bill).to_have_attribute("open", "")


def test_a_saved_comparison_is_shared_and_read_by_a_stranger(visitor):
    page = open_quote(visitor.page())
    price = first_price(page).inner_text()
    page.get_by_role("button", name="Save comparison").click()
    page.wait_for_url("**/comparisons/*/")
    expect(first_price(page)).to_have_text(price)
    page.get_by_role("button", name="Create link").click()
    link = page.locator("input.share-url").input_value()
    stranger = visitor.page()
    stranger.goto(link)
    expect(first_price(stranger)).to_have_text(price)
    expect(stranger.locator(DRAWN)).to_have_count(3)
    assert stranger.context.cookies() == []
    page.get_by_role("button", name="Revoke").click()
    expect(page.locator("input.share-url")).to_have_count(0)
    stranger.goto(link)
    expect(stranger.get_by_role("heading", level=1)).to_contain_text("does not open")
    visitor.complaints[:] = [c for c in visitor.complaints if "404" not in c]


def test_the_whole_way_without_javascript(visitor):
    page = visitor.page(java_script_enabled=False)
    page.goto("/quote/")
    before = first_price(page).inner_text()
    page.fill(ENERGY, "0.9")
    page.get_by_role("button", name="Recalculate").click()
    expect(first_price(page)).not_to_have_text(before)
    after = first_price(page).inner_text()
    page.fill(ENERGY, "lots")
    page.get_by_role("button", name="Recalculate").click()
    expect(page.locator("#problems a")).to_contain_text("Energy price")
    expect(page.locator(ENERGY)).to_have_value("lots")
    expect(first_price(page)).to_have_text(after)
    page.fill(ENERGY, "0.9")
    page.get_by_role("button", name="Save comparison").click()
    page.wait_for_url("**/comparisons/*/")
    expect(first_price(page)).to_have_text(after)
    expect(page.locator("noscript img, figure img").first).to_be_visible()
    visitor.complaints[:] = [c for c in visitor.complaints if "422" not in c]


def test_charts_follow_the_theme(visitor):
    page = open_quote(visitor.page(color_scheme="light"))
    ink = "document.querySelector('#chart-step_time svg .role-axis-label text')"
    light = page.evaluate(f"{ink}.getAttribute('fill')")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"light => {ink}.getAttribute('fill') !== light", arg=light)
