"""What a rule finds between two nodes, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from weft.text import fold
from weft.vocabulary import RELATION_TYPES

__all__ = ["Action", "Finding", "ends_of", "folded", "shown"]

Action = Literal["create", "suggest"]

_SHOWN_MAX: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A relation ``source_id —type→ target_id`` that a rule found, and why.

    ``confidence`` in 0..1; ``reasoning`` is a sentence; ``scores`` are the rule's inputs as (name, value) pairs;
    ``action`` says whether to create the relation or only to suggest it. Of a symmetric type, source sorts first.
    """

    rule: str
    source_id: str
    target_id: str
    type: str
    confidence: float
    reasoning: str
    scores: tuple[tuple[str, float], ...]
    action: Action


def ends_of(source_id: str, target_id: str, relation_type: str) -> tuple[str, str]:
    """Return the ends in the order in which they are kept: of a symmetric type, the one that sorts first."""
    if RELATION_TYPES[relation_type].symmetric and target_id < source_id:
        return target_id, source_id
    return source_id, target_id


@lru_cache(maxsize=1024)
def folded(names: tuple[str, ...]) -> frozenset[str]:
    """Return ``names`` as they are compared, blanks left out."""
    return frozenset(filter(None, map(fold, names)))


def shown(text: str) -> str:
    """Return a title, a name or a path as a reasoning repeats it: 60 characters at most."""
    return text if len(text) <= _SHOWN_MAX else text[: _SHOWN_MAX - 1] + "…"
