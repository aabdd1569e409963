"""What a name that no node has may have meant: of what a search for it finds, whose names are like it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

from weft.services.naming import candidate
from weft.text import STOP_WORDS, fold, terms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.errors import Candidate
    from weft.model import Node

__all__ = ["LOOKED_AT", "meant"]

LOOKED_AT: Final = 10
"""Hits of the search that are looked at."""

_OFFERED_MAX: Final = 3
_LIKE_MIN: Final = 0.75  # likeness of two names, as difflib measures it: a letter or two amiss, or a word's order
_COMPARED_MAX: Final = 200  # characters of a name, as a title may have


def meant(reference: str, found: Iterable[Node]) -> tuple[Candidate, ...]:
    """Return those of ``found`` that ``reference`` may name, the likest first, at most three.

    That are nodes with a title or an alias that differs little in its letters, or that holds all its words.
    """
    likeness = {node.id: (_likeness(reference, node), node) for node in found}
    near = sorted((each for each in likeness.values() if each[0]), key=lambda each: -each[0])
    return tuple(candidate(node) for _, node in near[:_OFFERED_MAX])


def _likeness(reference: str, node: Node) -> float:
    """Return how like the likest name of ``node`` is (0..1), 0 where none comes near."""
    wanted, words = fold(reference)[:_COMPARED_MAX], frozenset(terms(reference)) - STOP_WORDS
    best = 0.0
    for name in (node.title, *node.aliases):
        alike = difflib.SequenceMatcher(None, wanted, fold(name)[:_COMPARED_MAX]).ratio()
        if alike >= _LIKE_MIN or (words and words.issubset(terms(name))):
            best = max(best, alike)
    return best
