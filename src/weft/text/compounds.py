"""Names with their number in one word (*UTF-8* and *utf8*), and numbers that are names themselves (*8080*, a date)."""

from __future__ import annotations

import re
from typing import Final

from weft.text.dates import BEGINS, ENDS, places

__all__ = ["compounds", "numbers", "without"]

_COMPOUND: Final = re.compile(r"(?<![\w-])([A-Za-z]{1,8})[-\u2010\u2011\u2013]([A-Za-z]?\d{1,4}[A-Za-z]?)(?![\w-])")

_NUMBER: Final = re.compile(
    rf"{BEGINS.pattern}(?:\d{{3,16}}|\w{{1,16}}(?:[-:/\u2010\u2011\u2013]\w{{1,16}}){{1,5}}){ENDS.pattern}"
)
_DIGITS_LEAST: Final = 3
_HOLDING_LEAST: Final = 2  # parts


def compounds(text: str) -> tuple[str, ...]:
    """Return these names of ``text`` without their hyphen, case-folded: one to eight letters, one to four digits.

    A letter may stand before and behind the digits (``PD-L1``, ``SHA-512t``). Two hyphens make a date, or a name of
    another kind.
    """
    return tuple(f"{letters}{number}".casefold() for letters, number in _COMPOUND.findall(text))


def numbers(text: str) -> tuple[str, ...]:
    """Return the numbers of ``text`` that name something, as they stand there, each once.

    A date (``2026-03-14``, *March 2026*); a number of three digits or more (a port, an order); or several that
    hyphens, colons or slashes join: a time (``14:05``), a label (``CVE-2021-44228``). These have two to six parts of at
    most 16 characters, of which two or more hold digits, three digits or more in all. Parts of addresses are none, and
    neither are decimals.
    """
    found = places(text)
    between = zip((0, *(end for _, end in found)), (*(start for start, _ in found), len(text)), strict=True)
    others = _NUMBER.findall(" ".join(text[start:end] for start, end in between))
    named = (*(text[start:end] for start, end in found), *(each for each in others if each.isdecimal() or _names(each)))
    return tuple(dict.fromkeys(named))


def without(text: str, number: str) -> str:
    """Return ``text`` without a ``number`` of it, wherever that stands by itself."""
    return re.sub(rf"(?<!\w){re.escape(number)}(?!\w)", " ", text)


def _names(run: str) -> bool:
    held = [part for part in re.split(r"\W", run) if any(map(str.isdigit, part))]
    return len(held) >= _HOLDING_LEAST and sum(map(str.isdigit, run)) >= _DIGITS_LEAST
