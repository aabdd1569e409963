"""What a judge says of a text and a claim, and which way a text leans that no judge decided on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Leaning", "Outcome", "Verdict"]

Outcome: TypeAlias = Literal["supports", "conflicts", "unrelated", "unsure"]
"""The words of a verdict; «unsure» is an abstention."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a text stands to a claim, how sure that is (0..1; 0 for unsure), and sentences that say why.

    ``clashes`` are the kinds of what clashes (denial, pole, order, number, role), where a judge names them.
    """

    verdict: Outcome
    confidence: float
    grounds: tuple[str, ...]
    clashes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaning:
    """Which way a text leans that is left to be judged: no verdict, but what is worth reading first.

    ``conflicts`` and ``supports`` are the likelihoods (0..1) that a person would call it so. ``likely`` names the
    likelier side where its likelihood reaches the mark ``likely_from``, or nothing.
    """

    conflicts: float
    supports: float
    likely_from: float

    @property
    def likelier(self) -> Literal["conflicts", "supports"]:
        """The side that is more likely than the other, likely or not."""
        return "conflicts" if self.conflicts >= self.supports else "supports"

    @property
    def likely(self) -> Literal["conflicts", "supports", ""]:
        """The likelier side, where it reaches the mark."""
        return self.likelier if max(self.conflicts, self.supports) >= self.likely_from else ""
