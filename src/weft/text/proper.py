"""Proper names: what is written like a name, by its capitals. Scripts without capitals give none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from weft.text.dates import is_calendar
from weft.text.english import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["proper_names"]

WORDS_MAX: Final = 6
"""The longest run of words that is still a name."""

_LETTERS_MIN = 3  # of a name of one word
_CAPITALS = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0391-\u03a9\u0400-\u042f"
_WORD = rf"[{_CAPITALS}][\w&-]*(?:['\u2019.][\w-]+)*"
_JOINED = r"(?:of|the|de|von|van|and|la|du|al)"
_NAME = re.compile(rf"\b{_WORD}(?:(?: {_JOINED}(?: the)? | )(?:{_WORD}|\d+))*")
_OPENS = re.compile(r"[.!?:]\s+$|\n\s*$")
_LOOK_BACK = 3  # characters before a name that say whether a sentence begins with it
_JOINTS = frozenset(("of", "the", "and"))  # between days and months
_DAY_BEFORE = re.compile(r"(?<!\d)\d{1,2}(?:st|nd|rd|th|\.)?[ -](?:of )?$")
_NUMBER_BEHIND = re.compile(rf"\.? ?\d|, \d{{1,2}}\.? [{_CAPITALS}]")
_LOOK_BACK_DAY = 9  # characters before a month in which a day stands whole


def proper_names(text: str) -> tuple[str, ...]:
    """Return what is written like a name in ``text``, in order, each once: runs of words with capitals.

    *of*, *the*, *de* and their like may stand within a name; a stop word at its beginning is taken off. A name has at
    most six words and one of a single word at least three letters. A single word that opens a sentence is no name,
    since every word has its capital there, unless it has another one inside. Nor are days and months by themselves,
    with a year or with a number: two notes of June are about two things.
    """
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        words = match[0].split(" ")
        while words and words[0].lower() in STOP_WORDS:
            del words[0]
        if 0 < len(words) <= WORDS_MAX and _is_name(words, match):
            found[" ".join(words)] = None
    return tuple(found)


def _is_name(words: Sequence[str], found: re.Match[str]) -> bool:
    """Return whether ``words``, of what was ``found``, are a name: several of them are, but days and months."""
    if _is_date(words, found):
        return False
    return len(words) > 1 or _stands_alone(words[0], found.string, found.start())


def _stands_alone(word: str, text: str, start: int) -> bool:
    """Return whether a single ``word``, found at ``start``, is a name."""
    if len(word) < _LETTERS_MIN:
        return False
    opens = start == 0 or _OPENS.search(text[max(0, start - _LOOK_BACK) : start]) is not None
    return not opens or any(letter.isupper() for letter in word[1:])


def _is_date(words: Sequence[str], found: re.Match[str]) -> bool:
    """Return whether ``words``, of what was ``found``, are days and months alone, whichever number stands beside."""
    before, behind = found.string[max(0, found.start() - _LOOK_BACK_DAY) : found.start()], found.end()
    dated = _DAY_BEFORE.search(before) or _NUMBER_BEHIND.match(found.string, behind)
    return is_calendar([word for word in words if word not in _JOINTS], dated=dated is not None)
