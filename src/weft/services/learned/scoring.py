"""What a learned relation keeps of its evidence: how like that is to either end, and which end was named first.

A symmetric relation is stored with its ends in ascending order, whatever the caller said. So that «from» and «to» come
back as they were given, the likeness to the end that was named first stands first among the scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from weft.model import Relation

__all__ = ["named_ends", "scores_of", "similarities_of"]

_MEAN: Final = "similarity"
_SIDES: Final = ("evidence_to_source", "evidence_to_target")
_DIGITS: Final = 4


def scores_of(
    similarities: tuple[float, float], *, mean: float, turned: bool
) -> tuple[tuple[str, float], tuple[str, float], tuple[str, float]]:
    """Return the scores to keep; ``turned``: the end that was named first is stored as the target."""
    first, second = reversed(_SIDES) if turned else _SIDES
    one, other = similarities
    return ((_MEAN, round(mean, _DIGITS)), (first, round(one, _DIGITS)), (second, round(other, _DIGITS)))


def named_ends(relation: Relation) -> tuple[str, str]:
    """Return the ids of the two ends in the order in which they were named."""
    names = [name for name, _ in relation.scores if name in _SIDES]
    turned = names[:1] == [_SIDES[1]]
    return (relation.target, relation.source) if turned else (relation.source, relation.target)


def similarities_of(relation: Relation) -> tuple[float, ...]:
    """Return how like the evidence was to either end, the one named first first; of a synthesis, to the original."""
    sides = tuple(value for name, value in relation.scores if name in _SIDES)
    return sides or tuple(value for name, value in relation.scores if name == _MEAN)
