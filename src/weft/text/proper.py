"""Proper names: what is written like a name, by its capitals. Scripts without capitals give none."""

from __future__ import annotations

import re
from typing import Final

from weft.text.english import STOP_WORDS

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


def proper_names(text: str) -> tuple[str, ...]:
    """Return what is written like a name in ``text``, in order, each once: runs of words with capitals.

    *of*, *the*, *de* and their like may stand within a name; a stop word at its beginning is taken off. A name has at
    most six words and one of a single word at least three letters. A single word that opens a sentence is no name,
    since every word has its capital there, unless it has another one inside.
    """
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        words = match[0].split(" ")
        while words and words[0].lower() in STOP_WORDS:
            del words[0]
        if 0 < len(words) <= WORDS_MAX and (len(words) > 1 or _stands_alone(words[0], text, match.start())):
            found[" ".join(words)] = None
    return tuple(found)


def _stands_alone(word: str, text: str, start: int) -> bool:
    """Return whether a single ``word``, found at ``start``, is a name."""
    if len(word) < _LETTERS_MIN:
        return False
    opens = start == 0 or _OPENS.search(text[max(0, start - _LOOK_BACK) : start]) is not None
    return not opens or any(letter.isupper() for letter in word[1:])
