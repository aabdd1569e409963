"""Stems of other languages in Latin letters, marked with their language: *Verbindungen* finds *Verbindung*.

They stand beside the roots of a text's words, not in their place: a text in German is found by its words as they are,
as any text is, and by ``de~verbind``. So questions in English are asked as if there were none.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.text.languages import LANGUAGES, function_words
from weft.text.normal import normalized
from weft.text.tokens import TERM_MAX, WIDTHLESS, bare, terms

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MARKS", "stemmed", "stems"]

MARKS: Final = {f"{code}~": code for code in LANGUAGES}
"""What a text in each language holds once, besides its stems: by it a graph is known to have some. No term is such."""

_WORD: Final = re.compile(r"(?<!\w)[^\W\d_]{3,}(?!\w)")
_DOTTED: Final = "i\u0307"  # what becomes of the Turkish capital İ in lower case


def stems(text: str, code: str) -> tuple[str, ...]:
    """Return the marked stems of the words of ``text`` in a language, duplicates kept, function words left out.

    Words have three letters or more, and no digits or underscores in them. Accents count while a word is stemmed, and
    are left out of the stem: Snowball's endings are written with them.
    """
    return tuple(stem for _, stem in _stemmed(text, code))


def stemmed(query: str, code: str) -> dict[str, str]:
    """Return the marked stems of the words of ``query`` in a language, by their terms; function words have none."""
    return {cut[0]: stem for word, stem in _stemmed(query, code) if len(cut := terms(word)) == 1}


def _stemmed(text: str, code: str) -> Iterable[tuple[str, str]]:
    """Yield the words of ``text`` that mean something by themselves, in lower case, each with its stem."""
    empty = function_words(code)
    for said in _WORD.findall(normalized("NFKC", text.translate(WIDTHLESS))):
        word = _lower(said, code)
        if bare(word) not in empty:
            yield word, _stem(word[:TERM_MAX], code)


def _lower(word: str, code: str) -> str:
    """Return ``word`` in lower case; of a Turkish one that is all in capitals, an I is a dotless one."""
    capitals = code == "tr" and word.isupper()
    return normalized("NFC", (word.replace("I", "ı") if capitals else word).casefold().replace(_DOTTED, "i"))


@lru_cache(maxsize=65_536)
def _stem(word: str, code: str) -> str:
    import Stemmer

    # One a call, 2 µs: two threads must not use the same one at once.
    return f"{code}~{bare(Stemmer.Stemmer(LANGUAGES[code].stemmer, 0).stemWord(word))[:TERM_MAX]}"
