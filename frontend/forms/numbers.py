"""Numbers as people type them, and as an input shows them."""

from __future__ import annotations

import math
import re

SCALES = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9, "g": 10**9, "t": 10**12}
NUMBER = re.compile(
    r"^\$?\s*([-+]?(?:\d{1,3}(?:[, _]\d{3})+(?:\.\d*)?|\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"
    r"\s*([kmbgt]?)\s*(%?)$",
    re.IGNORECASE,
)
WORDS = re.compile(r"^[-+]?(nan|inf|infinity)$", re.IGNORECASE)
MAX_DIGITS = 40


def parse(text: str) -> int | float | str:
    """Number that a person typed, or the text itself when it is none.

    >>> parse("8"), parse("$180k"), parse("10%"), parse("1,400.5"), parse("many")
    (8, 180000, 0.1, 1400.5, 'many')
    """
    plain = text.strip()
    if WORDS.match(plain):
        return float(plain)
    match = NUMBER.match(plain) if len(plain) <= MAX_DIGITS else None
    if match is None:
        return text
    digits, scale, percent = match.groups()
    value = _plain(re.sub(r"[, _]", "", digits))
    if scale:
        value = _whole(value * SCALES[scale.lower()])
    return value / 100 if percent else value


def _plain(digits: str) -> int | float:
    return int(digits) if re.fullmatch(r"[-+]?\d+", digits) else float(digits)


def _whole(value: int | float) -> int | float:
    return int(value) if math.isfinite(value) and value == int(value) else value


def shown(value: object) -> str:
    """Text of a value in an input; reading it back gives the same value.

    >>> shown(1400.0), shown(0.0826), shown(None), shown(8)
    ('1400', '0.0826', '', '8')
    """
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**15:
        return str(int(value))
    return str(value)


def step(default: object, *, is_integer: bool, maximum: float | None) -> float:
    """How far one press of an arrow key moves a number.

    >>> step(8, is_integer=True, maximum=None), step(0.0826, is_integer=False, maximum=10)
    (1, 0.001)
    """
    if is_integer:
        return 1
    if maximum is not None and maximum <= 1:
        return 0.01
    if not isinstance(default, (int, float)) or default == 0:
        return 1
    return float(f"1e{math.floor(math.log10(abs(default))) - 1}")
