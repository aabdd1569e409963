"""Unicode's normal forms, in linear time whatever stands on a letter."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, Literal

__all__ = ["normalized"]

_MARKS_MAX: Final = 30  # on one letter, as in Unicode's stream-safe text: more than any language has
_LAST_MARK: Final = 0x1E94A  # Adlam's; no sign behind it is put in order
# Letters by class that are split into marks: three vowels of Tibetan, and the voice marks of narrow kana.
_SPLIT: Final = "\u0f73\u0f75\u0f81"
_NARROW: Final = "\uff9e\uff9f"


def normalized(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """Return ``text`` in a normal form of Unicode.

    :func:`unicodedata.normalize` puts the marks on one letter in order by exchanging neighbours: 100,000 marks take
    eight seconds. More than 30 are put in order here, and it finds nothing left to exchange.
    """
    if text.isascii():
        return text
    return unicodedata.normalize(form, _heap(form.removesuffix("C").removesuffix("D")).sub(_in_order, text))


@lru_cache(maxsize=2)
def _heap(form: str) -> re.Pattern[str]:
    """Return the pattern of more marks than a letter bears; made when first needed, since it lists them all.

    Marks beyond the first plane are looked for by one range, and then by their class: a class that lists them is asked
    for each character of a text, which takes ten times as long.
    """
    near = "".join(filter(unicodedata.combining, map(chr, range(0x300, 0x10000))))
    near += _SPLIT + (_NARROW if form == "NFK" else "")
    mark = near + "".join(filter(unicodedata.combining, map(chr, range(0x10000, _LAST_MARK + 1))))
    return re.compile(f"[{near}\U00010000-{chr(_LAST_MARK)}](?<=[{mark}])[{mark}]{{{_MARKS_MAX},}}")


def _in_order(heap: re.Match[str]) -> str:
    """Return these marks as both normal forms have them: split, then by their class, equal ones as they stood."""
    split = [mark for sign in heap[0] for mark in unicodedata.normalize("NFKD", sign)]
    return "".join(sorted(split, key=unicodedata.combining))
