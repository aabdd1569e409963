"""The roots of words: what the full-text index holds, so that *heated*, *heating* and *heats* find one another.

Roots are for looking up only. Names, mentions and phrases are compared by their terms, since a root joins words that
mean different things (*organise* and *organ*).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from weft.text.tokens import terms

__all__ = ["CUT", "root", "roots"]

CUT: Final = "terms 1, english 1"
"""Which tokenizer and which stemmer cut the words. Whoever changes what :func:`roots` gives changes this too: words
that are kept under another cut are cut anew."""

_SHORTEST: Final = 3


def roots(text: str) -> tuple[str, ...]:
    """Return the root of each of the :func:`terms` of ``text``, in order of occurrence, duplicates kept."""
    return tuple(map(root, terms(text)))


@lru_cache(maxsize=65_536)
def root(term: str) -> str:
    """Return the root of a term: its English stem where it is a word of Latin letters, else the term itself.

    Stems are Snowball's (Porter 2001, «Snowball: a language for stemming algorithms»). Numbers, names of several parts,
    and words of other scripts stay as they are.
    """
    if len(term) < _SHORTEST or not term.isascii() or not term.isalpha():
        return term
    import Stemmer

    # One a call, 2 µs: two threads must not use the same one at once.
    stem: str = Stemmer.Stemmer("english", 0).stemWord(term)
    return stem
