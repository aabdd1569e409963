"""How strong a learned item is, by what speaks for and against it."""

from __future__ import annotations

from typing import Final

from weft.errors import InvalidArgument

__all__ = ["CONFLICT_WEIGHT", "PRIOR_WEIGHT", "USES_HALF", "strength"]

PRIOR_WEIGHT: Final = 4.0
"""How many votes the similarity of the evidence weighs: a few people overrule it, one does not."""

CONFLICT_WEIGHT: Final = 2.0
"""How many votes against a conflicting piece of evidence weighs: it gives a reason, a vote need not."""

USES_HALF: Final = 10.0
"""After so many uses, use has half of its weight; all the use there may be weighs as one vote for."""


def strength(*, similarity: float, uses: int = 0, up: int = 0, down: int = 0, conflicts: int = 0) -> float:
    """Return the strength (0..1) of a learned item.

    The mean of a beta distribution: the similarity (0..1) of the evidence is the prior, worth ``PRIOR_WEIGHT``
    observations, and votes, use and conflicting evidence are observations for and against::

        (4 · similarity + up + used) / (4 + up + used + down + 2 · conflicts),   used = uses / (uses + 10)

    With nothing observed it is the similarity. Each vote moves it, the first ones most; a vote for can never lower it
    nor one against raise it. Use is weak evidence (what is popular is shown more), so it saturates below one vote.

    Raises:
        InvalidArgument: ``similarity`` lies outside 0..1, or a count is negative.
    """
    if not 0.0 <= similarity <= 1.0 or min(uses, up, down, conflicts) < 0:
        raise InvalidArgument(
            f"similarity must lie in 0..1 and counts be 0 or more, got {(similarity, uses, up, down, conflicts)}."
        )
    used = uses / (uses + USES_HALF)
    favour = PRIOR_WEIGHT * similarity + up + used
    against = PRIOR_WEIGHT * (1.0 - similarity) + down + CONFLICT_WEIGHT * conflicts
    return favour / (favour + against)
