"""What a letter is: the scripts that are written without spaces, and the marks that belong to a letter."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

__all__ = ["IDEOGRAMS", "PACKED", "TAIL", "letter"]

# Scripts written without spaces: Thai, Lao, Tibetan, Myanmar, Khmer, Hangul, kana, Han (and its planes 2 and 3).
PACKED: Final = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0f40-\u0fbc\u1000-\u1049\u1050-\u109d\u1780-\u17d3"
    "\u1100-\u11ff\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
"""These scripts' letters, as the inside of a character class of a regular expression."""

IDEOGRAMS: Final = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
"""Those of them of which one is often a word: Han and Hangul."""

TAIL: Final = r"(?:(?<=[^\W_])(?:\+\+|#(?![A-Za-z0-9_])))?"
"""What may end a name besides letters: that of C++, and that of C#."""


@lru_cache(maxsize=1)
def letter() -> str:
    """Return the pattern of one letter, digit, underscore or mark of a script with spaces.

    Made when first needed, since it lists every combining mark of the scripts of daily use.
    """
    marks = (chr(code) for code in range(0x0300, 0x1E00) if unicodedata.category(chr(code)) in {"Mn", "Mc"})
    return f"(?:(?![{PACKED}])[\\w{''.join(marks)}])"
