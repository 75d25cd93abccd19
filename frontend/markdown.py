"""Methodology pages: a small, safe subset of Markdown. Everything is escaped first.

Headings, paragraphs, lists, tables, code and formula blocks, emphasis, code spans and
links to other pages; what it does not know stays readable text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape

FENCE = re.compile(r"^(```|\$\$|~~~)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
ITEM = re.compile(r"^\s*(?:([-*+])|(\d+)[.)])\s+(.*)$")
RULE_ROW = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
SAFE_LINK = re.compile(r"^(https?://|#|/(?!/)|[\w-]+\.md(#[\w-]+)?$)")
EMPHASIS = (
    (re.compile(r"\*\*(\S(?:.*?\S)?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"(?<![\w*])\*(\S(?:[^*]*\S)?)\*(?![\w*])"), r"<em>\1</em>"),
)

Resolve = Callable[[str], str]


def render(text: str, resolve: Resolve) -> str:
    """HTML of a page; ``resolve`` turns the name of another page into its address."""
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(_blocks(lines, resolve))


def title(text: str, fallback: str) -> str:
    """First heading of a page."""
    found = (HEADING.match(line) for line in text.split("\n"))
    return next((match.group(2) for match in found if match), fallback)


def anchor(heading: str) -> str:
    """Id of a heading, as forges make it."""
    return re.sub(r"[^\w-]+", "-", heading.lower()).strip("-")


def _blocks(lines: list[str], resolve: Resolve) -> Iterator[str]:
    while lines:
        line = lines[0]
        if not line.strip():
            lines.pop(0)
        elif FENCE.match(line):
            yield _fenced(lines)
        elif match := HEADING.match(lines[0]):
            lines.pop(0)
            yield _heading(match, resolve)
        elif "|" in line and len(lines) > 1 and RULE_ROW.match(lines[1]):
            yield _table(lines, resolve)
        elif ITEM.match(line):
            yield _list(lines, resolve)
        else:
            yield f"<p>{_inline(_paragraph(lines), resolve)}</p>"


def _heading(match: re.Match[str], resolve: Resolve) -> str:
    level, words = len(match.group(1)), match.group(2)
    return f'<h{level} id="{anchor(words)}">{_inline(words, resolve)}</h{level}>'


def _fenced(lines: list[str]) -> str:
    opening = lines.pop(0)
    fence = FENCE.match(opening)
    mark = fence.group(1) if fence else "```"
    kind = "formula" if mark == "$$" or "math" in opening else "code"
    rest = opening.removeprefix(mark)
    if mark == "$$" and rest.strip().endswith("$$"):
        return _block(kind, [rest.strip()[:-2]])
    body = [rest] if mark == "$$" and rest.strip() else []
    while lines and not lines[0].rstrip().endswith(mark):
        body.append(lines.pop(0))
    if lines:
        body.append(lines.pop(0).rstrip().removesuffix(mark))
    return _block(kind, body)


def _block(kind: str, body: list[str]) -> str:
    text = escape("\n".join(body).strip("\n"))
    return f'<pre class="{kind}" tabindex="0"><code>{text}</code></pre>'


def _table(lines: list[str], resolve: Resolve) -> str:
    head = _cells(lines.pop(0))
    lines.pop(0)
    rows = []
    while lines and "|" in lines[0] and lines[0].strip():
        rows.append(_cells(lines.pop(0)))
    top = "".join(
        f'<th scope="col">{_inline(cell, resolve)}</th>' if cell else "<td></td>"
        for cell in head
    )
    body = "".join(
        "<tr>" + "".join(f"<td>{_inline(cell, resolve)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    table = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll" tabindex="0">{table}</div>'


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def _list(lines: list[str], resolve: Resolve) -> str:
    first = ITEM.match(lines[0])
    tag = "ol" if first and first.group(2) else "ul"
    items: list[str] = []
    while lines and lines[0].strip():
        match = ITEM.match(lines[0])
        if match is None and not lines[0].startswith((" ", "\t")):
            break
        text = lines.pop(0).strip()
        if match:
            items.append(match.group(3))
        else:
            items[-1] += " " + text
    body = "".join(f"<li>{_inline(item, resolve)}</li>" for item in items)
    return f"<{tag}>{body}</{tag}>"


def _paragraph(lines: list[str]) -> str:
    taken = [lines.pop(0).strip()]
    while lines and lines[0].strip() and not _starts_block(lines[0]):
        taken.append(lines.pop(0).strip())
    return " ".join(taken)


def _starts_block(line: str) -> bool:
    return bool(FENCE.match(line) or HEADING.match(line) or ITEM.match(line))


def _inline(text: str, resolve: Resolve) -> str:
    """Code spans first: nothing inside them is read further."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        f"<code>{escape(part[1:-1])}</code>"
        if part.startswith("`") and part.endswith("`") and len(part) > 2
        else _marked(part, resolve)
        for part in parts
    )


def _marked(text: str, resolve: Resolve) -> str:
    html = escape(text)
    for pattern, replacement in EMPHASIS:
        html = pattern.sub(replacement, html)
    return LINK.sub(lambda match: _link(match, resolve), html)


def _link(match: re.Match[str], resolve: Resolve) -> str:
    label, target = match.groups()
    if not SAFE_LINK.match(target):
        return label
    page, hash_mark, section = target.partition("#")
    if page.endswith(".md"):
        target = resolve(page.removesuffix(".md")) + hash_mark + section
    return f'<a href="{target}">{label}</a>'


def lead(text: str) -> str:
    """First sentence of the first paragraph, as plain text."""
    lines = [line for line in text.split("\n") if not HEADING.match(line)]
    while lines and not lines[0].strip():
        lines.pop(0)
    words = re.sub(r"[`*]", "", _paragraph(lines)) if lines else ""
    return re.split(r"(?<=[.:])\s", LINK.sub(r"\1", words))[0]
