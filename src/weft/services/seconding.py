"""The built-in judge: rules, and a network that reads again what they are not to decide alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.errors import Unavailable
from weft.reason.choosing import differing_choice, named_beside
from weft.reason.judge import Rules
from weft.reason.seconding import (
    CLASHING,
    DIFFERING,
    MUTUAL,
    clashing,
    in_english,
    on_one_level,
    read_as,
    seconded,
    worth_reading,
)
from weft.reason.version import differing_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.model import Verdict
    from weft.ports import Entailment

__all__ = ["Seconded"]


class Seconded:
    """Judges by rules, as ``entailment`` seconds them.

    Where they find nothing to read again it is not asked, and where it cannot be read they decide alone.
    """

    def __init__(self, entailment: Entailment) -> None:
        self._entailment = entailment
        self._rules = Rules()

    @property
    def name(self) -> str:
        """What judges, for messages."""
        return f"{self._rules.name}, seconded by {self._entailment.name}"

    def judge(self, claim: str, texts: Sequence[str], similarities: Sequence[float]) -> tuple[Verdict, ...]:
        """Return one verdict a text, in their order."""
        said = self._rules.judge(claim, texts, similarities)
        return tuple(self._second(verdict, claim, text) for verdict, text in zip(said, texts, strict=True))

    def differ(self, verdict: Verdict, claim: str, text: str) -> bool:
        """Return whether two texts of which ``verdict`` was left open may not both hold, so that it is worth a look.

        What settles one matter otherwise is. Where the rules name a clash on the same matter, or one thing is named in
        two versions, the network need see one for either of the two as the claim; where there is neither, for both, and
        the two do not name two of what may be many. Of what it cannot read either is worth a look.
        """
        if verdict.verdict != "unsure":
            return False
        if differing_choice(claim, text):
            return True
        clashes = clashing(verdict, claim, text) or bool(differing_version(claim, text))
        if not in_english(claim, text):
            return clashes
        if not clashes and named_beside(claim, text):
            return False
        mark, enough = (CLASHING, any) if clashes else (DIFFERING, all)
        return enough(clashes if each is None else each[0] >= mark for each in self._both_ways(claim, text))

    def same(self, one: str, other: str) -> bool:
        """Return whether each of two texts says what the other does: to be asked of such as are very alike."""
        if not in_english(one, other):
            return False
        return all(each is not None and each[1] >= MUTUAL for each in self._both_ways(one, other))

    def rules_out(self, one: str, other: str) -> bool:
        """Return whether either of two texts is read to rule out the other: to be asked of such as have all words."""
        if not in_english(one, other):
            return False
        return any(each is not None and each[0] >= CLASHING for each in self._both_ways(one, other))

    def _both_ways(self, claim: str, text: str) -> Iterator[list[float] | None]:
        one, other = read_as(claim, text)
        yield self._chances(one, other)
        yield self._chances(other, one)

    def _second(self, verdict: Verdict, claim: str, text: str) -> Verdict:
        if not worth_reading(verdict, claim, text):
            return verdict
        if verdict.verdict == "unsure" and not on_one_level(claim, text):
            return verdict
        chances = self._chances(*read_as(claim, text))
        return verdict if chances is None else seconded(verdict, chances)

    def _chances(self, claim: str, text: str) -> list[float] | None:
        """Return the network's chances, and nothing where its file is missing or damaged."""
        try:
            chances: list[float] = self._entailment.read(claim, [text])[0].tolist()
        except Unavailable:
            return None
        return chances
