"""The built-in judge: rules, and a network that reads again what they are not to decide alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.reason.foreign import legible
from weft.reason.judge import Rules
from weft.reason.seconding import DIFFERING, clashing, seconded, worth_reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Verdict
    from weft.ports import Entailment

__all__ = ["Seconded"]


class Seconded:
    """Judges by rules, as ``entailment`` seconds them; where they find nothing to read again it is not asked."""

    def __init__(self, entailment: Entailment) -> None:
        self._entailment = entailment
        self._rules = Rules()

    @property
    def name(self) -> str:
        """What judges, for messages."""
        return f"{self._rules.name}, seconded by {self._entailment.name}"

    def judge(self, claim: str, texts: Sequence[str], similarities: Sequence[float]) -> tuple[Verdict, ...]:
        """Return one verdict a text, in their order."""
        said = list(self._rules.judge(claim, texts, similarities))
        asked = [place for place, text in enumerate(texts) if worth_reading(said[place], claim, text)]
        chances = self._entailment.read(claim, [texts[place] for place in asked]) if asked else ()
        for place, row in zip(asked, chances, strict=True):
            said[place] = seconded(said[place], row.tolist())
        return tuple(said)

    def differ(self, verdict: Verdict, claim: str, text: str) -> bool:
        """Return whether two texts clash, of which ``verdict`` was left open, in a way that is worth a look."""
        if not clashing(verdict, claim, text):
            return False
        return not legible(claim, text) or float(self._entailment.read(claim, [text])[0, 0]) >= DIFFERING
