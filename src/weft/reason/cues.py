"""How a text is worded, as signs that tell its kind: words, pairs of words, marks, and the look of the whole.

What a text is about says little of its kind: «the cache» is decided on, built, broken and explained. How it is put says
more: *we will*, *must never*, *spent the morning*, *turned out*.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from weft.text import LANGUAGES, language

__all__ = ["READ", "cues", "is_english", "leaves_open"]

READ: Final = 600
"""Characters of a text that are read: its opening says what it is, and long texts hold some word of every kind."""

_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|_|[^\w\s]")
_CODE: Final = re.compile(r"\w\(|[a-z]_[a-z]|[a-z][A-Z]")
_NAME: Final = re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+")
_FORM: Final = re.compile(r"(?:ed|ing|ly|tion|s)$")
_OPEN: Final = re.compile(
    r"(?:\bnot|n['’]t) (?:yet |been |yet been )?decided\b"
    r"|\b(?:undecided|no decision|some ?day|one day|at some point)\b"
    r"|^\W*(?:(?:we|they|it) (?:might|may|could)|maybe|perhaps)\b",
    re.IGNORECASE,
)
_BAND: Final = 12  # words
_BANDS: Final = 6
_OPENING: Final = 3  # words
_ENGLISH_MIN: Final = 0.8  # letters of a text that are a to z


def cues(text: str) -> frozenset[str]:
    """Return the cues of the opening of ``text``, each once.

    They are its words in lower case, its marks and, for all numbers, ``0``; what follows one another, with ``^`` before
    the first; the ends of the first three words (``#ed``); and ``#code``, ``#name`` (two capitalised words together)
    and ``#length-0`` to ``#length-6``, a step every twelve words.
    """
    opening = text[:READ]
    tokens = ["0" if each.isdigit() else each.lower() for each in _TOKEN.findall(opening)]
    words = [each for each in tokens if each[0].isalpha()]
    found = {*tokens, *(f"{one} {other}" for one, other in pairwise(("^", *tokens)))}
    found |= {f"#{end.group()}" for each in words[:_OPENING] if (end := _FORM.search(each))}
    found.add(f"#length-{min(_BANDS, len(words) // _BAND)}")
    found |= {name for name, look in (("#code", _CODE), ("#name", _NAME)) if look.search(opening)}
    return frozenset(found)


def leaves_open(text: str) -> bool:
    """Return whether a short ``text`` decides nothing: it ends with a question, or says that something may be one day.

    Whoever weighs a thing names what a decision names, in nearly the words of one.
    """
    return len(text) <= READ and (text.rstrip().endswith("?") or _OPEN.search(text) is not None)


def is_english(text: str) -> bool:
    """Return whether the opening of ``text`` may be English: in its letters, and in no other language that is known.

    What is too short to tell may be, and so may code and figures.
    """
    opening = text[:READ]
    letters = [each for each in opening if each.isalpha()]
    plain = sum(each.isascii() for each in letters)
    return plain >= _ENGLISH_MIN * len(letters) and language(opening) not in LANGUAGES
