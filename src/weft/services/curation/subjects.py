"""Whether what somebody looked for was on the subject that they are about to write on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.text import empty_words, terms
from weft.vocabulary import REASONABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.ports import Embedder

__all__ = ["on_subject"]

QUERIES_MAX: Final = 20
"""The newest searches that are compared by meaning: each costs a millisecond of embedding."""


def on_subject(subject: str, queries: Sequence[str], embedder: Embedder) -> bool:
    """Return whether one of ``queries`` (newest first) was about ``subject``.

    It was where it holds all words of the subject, but for stop words, or is like it: similarity 0.70 or more.

    Raises:
        Unavailable: the texts could not be embedded.
    """
    words = _telling(subject)
    if any(words <= _telling(query) for query in queries):
        return True
    asked = queries[:QUERIES_MAX]
    if not asked:
        return False
    first, *others = embedder.embed([subject, *asked])
    return any(embedder.calibration.similarity(float(first @ other)) >= REASONABLE for other in others)


def _telling(text: str) -> frozenset[str]:
    words = frozenset(terms(text))
    return words - empty_words(text) or words
