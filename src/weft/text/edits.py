"""What a word may have been meant for: all that lies one slip of the pen away from it."""

from __future__ import annotations

from typing import Final

__all__ = ["edits"]

_ALPHABETS: Final = (
    *(("a", "z"), ("α", "ω"), ("а", "я"), ("ա", "ֆ"), ("ა", "ჰ")),
    *(("א", "ת"), ("ء", "ي")),
)
"""First and last letter of the scripts whose letters are put in: Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and
Arabic, as terms have them, in lower case and without accents."""


def edits(word: str) -> tuple[str, ...]:
    """Return every string one edit away from ``word``, a term, each once: about 54 a letter in Latin letters.

    An edit swaps two neighbours, leaves a letter out, puts one in, or puts one in place of another: four in five slips
    are one of these (Damerau 1964, «A technique for computer detection and correction of spelling errors»). They come
    in that order. In a script of no alphabet here letters are only swapped and left out.
    """
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    letters = _letters(word)
    swapped = (head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1)
    left_out = (head + tail[1:] for head, tail in cuts if tail)
    put_in = (head + letter + tail for head, tail in cuts for letter in letters)
    in_place = (head + letter + tail[1:] for head, tail in cuts if tail for letter in letters)
    found = dict.fromkeys((*swapped, *left_out, *put_in, *in_place))
    found.pop(word, None)
    return tuple(found)


def _letters(word: str) -> str:
    first, last = next(((one, other) for one, other in _ALPHABETS if one <= word[:1] <= other), ("b", "a"))
    return "".join(map(chr, range(ord(first), ord(last) + 1)))
