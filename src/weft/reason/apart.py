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
_NUMBERED: Final = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,})[ #-]?(\d+(?:[.,]\d+)*)")
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


def numbered_apart(name: str, text: str) -> bool:
    """Return whether ``text`` speaks of what ``name`` has a number for, by other numbers only: ISO 9001, and ISO 9004.

    For texts of different lengths and kinds, in which a number that belongs to nothing says nothing: abstracts hold
    years, shares and angles.
    """
    named = _numbered(name)
    if not named:  # most names: the text, which may be long, need not be read
        return False
    there = _numbered(text)
    return any(word in there and numbers.isdisjoint(there[word]) for word, numbers in named.items())


def _numbered(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word, number in _NUMBERED.findall(text.casefold()):
        found.setdefault(word, set()).add(number)
    return found


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


def _names(text: str) -> frozenset[str]:
    return frozenset(name.casefold() for name in _NAME.findall(text))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
