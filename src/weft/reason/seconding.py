"""What becomes of a verdict of the rules once a network has read the two texts at once.

The rules look at words: of what they call a conflict on notes one in six is agreement in other words («not open» and
«shut»), and they abstain where a denial may be meant of something else. The network reads the whole, and on texts
unlike those it learned from it calls conflict what merely differs. Where both see a conflict, nearly all are one.
``docs/explanation/judging.md`` has the figures; the marks were set on the notes of ``bench/judging.jsonl`` that are
called seen and on even rows of public sets.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.model import Verdict
from weft.reason.clause import read
from weft.reason.foreign import legible
from weft.reason.judge import strays
from weft.text import terms

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["AGREED", "CONFIDENCE", "DIFFERING", "SHARED_MAX", "SURE", "clashing", "seconded", "worth_reading"]

SURE: Final = 0.97
"""The chance of a conflict from which a clash that the rules can name, but not place, is one."""

CONFIDENCE: Final = 0.9
"""Of a conflict that both see: nine in ten are one."""

DIFFERING: Final = 0.05
"""The chance of a conflict below which a clash that the rules can name is not worth telling: of ten, one is missed."""

AGREED: Final = 0.5
"""The chance of support from which a denial that the rules call a conflict is left open."""

SHARED_MAX: Final = 0.7
"""The share of words held by both from which two texts differ in one or two: the network may overlook those."""


def worth_reading(verdict: Verdict, claim: str, text: str) -> bool:
    """Return whether the network is asked: about a denial that is called a conflict, and a clash on the same matter."""
    if not legible(claim, text):
        return False
    if verdict.verdict == "conflicts":
        return _is_denial_in_other_words(claim, text)
    return clashing(verdict, claim, text)


def clashing(verdict: Verdict, claim: str, text: str) -> bool:
    """Return whether the rules abstained over a clash between clauses that are about the same."""
    return verdict.verdict == "unsure" and bool(verdict.grounds) and not strays(claim, text)


def seconded(verdict: Verdict, chances: Sequence[float]) -> Verdict:
    """Return the verdict of the rules beside the network's ``chances`` (0..1) that the texts conflict, and agree."""
    conflict, support = chances[0], chances[1]
    if verdict.verdict == "conflicts" and support >= AGREED:
        grounds = (*verdict.grounds, "but read as a whole both may hold")
        return Verdict(verdict="unsure", confidence=0.0, grounds=grounds)
    if verdict.verdict == "unsure" and conflict >= SURE:
        grounds = (*verdict.grounds, f"read as a whole only one of them can hold ({conflict:.2f})")
        return replace(verdict, verdict="conflicts", confidence=CONFIDENCE, grounds=grounds)
    return verdict


def _is_denial_in_other_words(claim: str, text: str) -> bool:
    """Return whether either denies something, and the two differ in more than that."""
    mine, yours = set(terms(claim)), set(terms(text))
    shared = len(mine & yours) / max(1, len(mine | yours))
    return shared < SHARED_MAX and any(read(each).denials for each in (claim, text))
