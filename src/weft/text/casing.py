"""How a name is spelt in other cases: what it is compared by, and how spellings of it may begin.

Python's case folding knows that «ß» is «SS» in capitals. What it leaves is taken off here: the accents that Greek goes
without in capitals (Ελλάδα, ΕΛΛΑΔΑ), and the dot of the Turkish İ. The dotless ı stays another letter than i.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.text.names import fold
from weft.text.normal import normalized

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["beginnings", "caseless"]

_LEFT: Final = re.compile("(?<=[\u0370-\u03ff])[\u0300-\u036f]+|(?<=i)\u0307")
_BEGINNINGS_MAX: Final = 256
_ALPHABETS: Final = (*range(0x41, 0x590), 0x1E9E)
"""Latin, Greek, Cyrillic and Armenian, and the capital ß; other scripts have one capital a letter, or none."""


def caseless(name: str) -> str:
    """Return what ``name`` and all spellings of it that differ in case alone are compared by: it folded, without those.

    Accents of other scripts stay: «resume» is not «résumé».
    """
    folded = fold(name)
    if folded.isascii():
        return folded
    return normalized("NFC", _LEFT.sub("", normalized("NFD", folded)))


def beginnings(name: str, *, length: int) -> tuple[str, ...]:
    """Return how spellings of ``name`` in any case may begin, sorted: ``length`` letters of it, counted as folded.

    256 at most: where there would be more, as of Greek vowels, which have up to seven forms each, they are shorter.
    """
    wanted = caseless(name)
    found = {""}
    for letters in range(1, min(length, len(wanted)) + 1):
        longer = set(_begun(wanted, "", 0, letters))
        if len(longer) > _BEGINNINGS_MAX:
            break
        found = longer
    return tuple(sorted(found))


def _begun(wanted: str, begun: str, at: int, length: int) -> Iterator[str]:
    """Yield what ``begun``, which stands for ``at`` letters of ``wanted``, may be continued to."""
    if at >= length:
        yield begun
        return
    here = wanted[at]
    for letter in {here, here.lower(), here.upper(), *_spelt().get(here, ())}:
        said = here if letter == here else caseless(letter)
        if said and wanted.startswith(said, at):
            yield from _begun(wanted, begun + letter, at + len(said), length)


@lru_cache(maxsize=1)
def _spelt() -> Mapping[str, frozenset[str]]:
    """Return, by the letter that it begins with when it is folded, every letter of the alphabets."""
    found: dict[str, set[str]] = {}
    for code in _ALPHABETS:
        if _is_spelt(chr(code)):
            found.setdefault(caseless(chr(code))[0], set()).add(chr(code))
    return {letter: frozenset(spelt) for letter, spelt in found.items()}


def _is_spelt(sign: str) -> bool:
    """Whether a sign is a letter that words are spelt with, not one that only looks like it (ſ, ª) or stands above."""
    is_form = unicodedata.decomposition(sign).startswith("<") and len(sign.casefold()) == 1
    return unicodedata.category(sign) in {"Lu", "Ll", "Lt"} and not is_form
