"""What a judge says of a text and a claim, and which way a text leans that no judge decided on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Leaning", "Outcome", "Verdict"]

Outcome: TypeAlias = Literal["supports", "conflicts", "unrelated", "unsure"]
"""The words of a verdict; «unsure» is an abstention."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a text stands to a claim, how sure that is (0..1; 0 for unsure), and sentences that say why."""

    verdict: Outcome
    confidence: float
    grounds: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaning:
    """Which way a text leans that is left to be judged: no verdict, but what is worth reading first.

    ``conflicts`` and ``supports`` are the likelihoods (0..1) that a person would call it so, ``conflicts_from`` and
    ``supports_from`` the marks from which either counts as likely. ``likely`` names the side that reaches its mark, of
    two the one that does so by more, which may be the less likely of the two; or nothing.
    """

    conflicts: float
    supports: float
    conflicts_from: float
    supports_from: float
    likely: Literal["conflicts", "supports", ""] = ""

    @property
    def likelier(self) -> Literal["conflicts", "supports"]:
        """The side whose likelihood is more beside its mark, reached or not: ``likely``, where that names one."""
        against, held = self.conflicts / self.conflicts_from, self.supports / self.supports_from
        return "conflicts" if against >= held else "supports"
