"""Whether two texts name different things: another number, another name. Likeness cannot tell; one word decides.

«ISO 9001 is a standard that describes quality» and the same of ISO 9004 lie as near as two texts can. Here either side
counts: a number or name that stands in one text only sets the two apart, since what is held for one thing though it is
two can hardly be told apart again, while what is held for two can be merged.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["apart", "numbered_apart"]

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_NAME: Final = re.compile(r"(?<=[^.!?:\"“(\s] )[A-Z]\w*")
_WORD: Final = re.compile(r"\w+")


def apart(one: str, other: str) -> bool:
    """Return whether a number stands in one of two texts only, or a name (a capital within a sentence).

    Which comes first does not matter. A word with a capital counts as named in the other text however it is written
    there. Linear in both texts.
    """
    if _numbers(one) != _numbers(other):
        return True
    here, there = _words(one), _words(other)
    return not (_names(one) <= there and _names(other) <= here)


def numbered_apart(one: str, other: str) -> bool:
    """Return whether both texts hold numbers, and none in common: two members of a series, each with its own.

    For texts of different lengths and kinds, in which some number or name of one alone says nothing.
    """
    here, there = _numbers(one), _numbers(other)
    return bool(here and there) and here.isdisjoint(there)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


def _names(text: str) -> frozenset[str]:
    return frozenset(name.casefold() for name in _NAME.findall(text))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
