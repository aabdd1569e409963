"""Names that a hyphen parts from their number, in one word: *UTF-8* and *utf8*, *IL-6* and *IL6*."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["compounds"]

_COMPOUND: Final = re.compile(r"(?<![\w-])([A-Za-z]{1,8})[-\u2010\u2011\u2013]([A-Za-z]?\d{1,4}[A-Za-z]?)(?![\w-])")


def compounds(text: str) -> tuple[str, ...]:
    """Return these names of ``text`` without their hyphen, case-folded: one to eight letters, one to four digits.

    A letter may stand before and behind the digits (``PD-L1``, ``SHA-512t``). Two hyphens make a date, or a name of
    another kind.
    """
    return tuple(f"{letters}{number}".casefold() for letters, number in _COMPOUND.findall(text))
