"""The roots of words: what the full-text index holds, so that *heated*, *heating* and *heats* find one another.

Roots are for looking up only. Names, mentions and phrases are compared by their terms, since a root joins words that
mean different things (*organise* and *organ*).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from weft.text.english import STOP_WORDS
from weft.text.irregular import regular
from weft.text.spellings import american
from weft.text.tokens import terms

__all__ = ["content_roots", "root", "roots"]

_SHORTEST: Final = 3

_LANGUAGES: Final = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "russian"),
    ("\u0530", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)
"""Scripts whose words are stemmed, by their first and last letter, and as which language. Others that are written in
the same letters gain by it too: of Ukrainian, Bulgarian and Persian more of a word's other forms are found."""


def roots(text: str) -> tuple[str, ...]:
    """Return the root of each of the :func:`terms` of ``text``, in order of occurrence, duplicates kept."""
    return tuple(map(root, terms(text)))


def content_roots(text: str) -> tuple[str, ...]:
    """Return the :func:`roots` of ``text`` without those of stop words, whose roots are often none (every: everi)."""
    found = (root(term) for term in terms(text) if term not in STOP_WORDS)
    return tuple(each for each in found if each not in STOP_WORDS)


@lru_cache(maxsize=65_536)
def root(term: str) -> str:
    """Return the root of a term: its stem in the language that its letters are taken for, or the term itself.

    Stems are Snowball's (Porter 2001, «Snowball: a language for stemming algorithms»). ASCII letters are taken for
    English, as it is spelt in America (:func:`weft.text.spellings.american`) and with irregular forms as regular ones
    (:func:`weft.text.irregular.regular`), Cyrillic for Russian, Devanagari for Hindi, Arabic, Armenian, Greek and Tamil
    for these languages. Numbers, names of several parts, and words of other scripts stay as they are.
    """
    language = _language(term) if len(term) >= _SHORTEST else ""
    if not language:
        return term
    import Stemmer

    # One a call, 2 µs: two threads must not use the same one at once.
    stemmed = Stemmer.Stemmer(language, 0).stemWord
    return regular(american(stemmed(term), stemmed)) if language == "english" else str(stemmed(term))


def _language(term: str) -> str:
    if term.isascii():
        return "english" if term.isalpha() else ""
    return next((language for first, last, language in _LANGUAGES if first <= term[0] <= last), "")
