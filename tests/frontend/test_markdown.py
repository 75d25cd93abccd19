"""Methodology pages render safely."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontend import markdown
from frontend.views import methodology


def html(text: str) -> str:
    return markdown.render(text, lambda name: f"/methodology/{name}/")


def test_blocks_are_recognised():
    text = "# Title\n\nOne\ntwo.\n\n- a\n- b\n  more\n\n1. x\n\n| h | i |\n|---|---|\n| 1 | 2 |\n"
    page = html(text)
    assert '<h1 id="title">Title</h1>' in page
    assert "<p>One two.</p>" in page
    assert "<ul><li>a</li><li>b more</li></ul>" in page
    assert "<ol><li>x</li></ol>" in page
    assert "<td>1</td><td>2</td>" in page


def test_code_and_formulas_stay_as_written():
    page = html("```python\nx < *y*\n```\n\n$$\nT = a_b * c\n$$\n")
    assert "<code>x &lt; *y*</code>" in page
    assert 'class="formula"' in page
    assert "T = a_b * c" in page


def test_emphasis_and_code_spans():
    page = html("**bold** *it* `a*b*` 2 * 3 * 4")
    assert "<strong>bold</strong> <em>it</em> <code>a*b*</code> 2 * 3 * 4" in page


@pytest.mark.parametrize(
    "evil",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](//evil.example)",
        '# "><img src=x onerror=y>',
        "`<b>`",
        '[x](https://e.example/"onmouseover=1)',
    ],
)
def test_nothing_foreign_becomes_markup(evil):
    page = html(evil)
    assert "<script" not in page
    assert "<img" not in page
    assert "javascript:" not in page or "href" not in page
    assert 'href="//' not in page
    assert '"onmouseover' not in page


def test_links_lead_to_other_pages():
    assert 'href="/methodology/owning/#tax"' in html("see [tax](owning.md#tax)")


@given(st.text(alphabet="#*`$|-[]()<>&a1 \n~_.", max_size=200))
def test_any_text_renders_without_raw_markup(text):
    page = html(text)
    assert "<a1" not in page
    assert "<script" not in page


def test_every_bundled_page_renders_with_title_and_lead():
    pages = sorted(methodology.folder().glob("*.md"))
    assert pages
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert markdown.title(text, "") != ""
        assert markdown.lead(text)
        assert "<h1" in html(text)
