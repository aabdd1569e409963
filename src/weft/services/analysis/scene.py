"""What every analysis starts from, and how it words and shows what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft.model import ArgumentStep, Place, Proposal
from weft.reason.arguing import Clash

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from weft.model import Match, Relation, Verdict
    from weft.ports import Judge
    from weft.services.analysis.ground import Ground, Similarities

__all__ = ["Scene", "apart", "clash_step", "clashes", "listed", "proposed_clash", "steps_of"]

JUDGED_MAX: Final = 60  # pairs whose wording is judged, the likest
CLOSE: Final = 0.60
"""The similarity from which a pair's wording is judged: as in challenge."""

_LISTED_MAX: Final = 3
_VERDICTS: Final = ("contradicts", "refutes", "supports")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The nodes that ``subject`` and ``other`` were taken for, likest first, and the ground around them.

    ``likeness`` tells how alike two of them are, ``judge`` whether their texts can both hold.
    """

    subject: tuple[Match, ...]
    other: tuple[Match, ...]
    ground: Ground
    likeness: Similarities
    grounded: frozenset[str]
    judge: Judge

    @property
    def centres(self) -> tuple[str, ...]:
        """The ids of the subject's nodes."""
        return tuple(match.id for match in self.subject)

    @property
    def others(self) -> tuple[str, ...]:
        """The ids of the other's nodes."""
        return tuple(match.id for match in self.other)

    def nearness(self, node: str) -> float:
        """Return how well ``node`` matches the subject or the other; 0.0 where it is neither's."""
        return max((match.similarity for match in (*self.subject, *self.other) if match.id == node), default=0.0)

    def verdict(self, one: str, other: str) -> Verdict:
        """Return what the judge makes of the texts of two nodes."""
        claim, text = (self.ground.nodes[node].content for node in (one, other))
        return self.judge.judge(claim, (text,), (self.likeness.of(one, other),))[0]

    def places(self, parts: Iterable[tuple[str, str]]) -> tuple[Place, ...]:
        """Return these (id, role) pairs as places of a finding, each node once."""
        roles: dict[str, str] = {}
        for node, role in parts:
            roles.setdefault(node, role)
        return tuple(Place(node=self.ground.nodes[node], role=role) for node, role in roles.items())


def steps_of(relations: Iterable[Relation]) -> tuple[ArgumentStep, ...]:
    """Return relations as the steps of a finding, in the order given."""
    return tuple(
        ArgumentStep(source=row.source, target=row.target, type=row.type, reasoning=row.reasoning) for row in relations
    )


def clash_step(clash: Clash) -> ArgumentStep:
    """Return a clash as a step of a finding."""
    return ArgumentStep(
        source=clash.one,
        target=clash.other,
        type=clash.type,
        reasoning=clash.reasoning,
        recorded=clash.recorded,
    )


def clashes(scene: Scene, pairs: Iterable[tuple[str, str]]) -> tuple[Clash, ...]:
    """Return the clashes recorded in the ground, and those that the judge reads in the wording of ``pairs``.

    Pairs that an argument joins already are not judged: somebody has. At most 60 are, the likest, from 0.60 on.
    """
    likeness = {pair: scene.likeness.of(*pair) for pair in dict.fromkeys(map(_ordered, pairs)) if pair[0] != pair[1]}
    open_pairs = [
        pair
        for pair, similarity in likeness.items()
        if similarity >= CLOSE and not any(scene.ground.web.sign(row) for row in scene.ground.web.between(*pair))
    ]
    found = list(scene.ground.web.clashes())
    for one, other in sorted(open_pairs, key=lambda pair: (-likeness[pair], pair))[:JUDGED_MAX]:
        verdict = scene.verdict(one, other)
        if verdict.verdict == "conflicts":
            found.append(
                Clash(
                    one=one,
                    other=other,
                    type="contradicts",
                    reasoning="; ".join(verdict.grounds),
                    confidence=verdict.confidence,
                    recorded=False,
                )
            )
    return tuple(found)


def proposed_clash(clash: Clash) -> Proposal | None:
    """Return the relation that would record a clash that is only read in the wording; None where one stands."""
    if clash.recorded:
        return None
    return Proposal(source=clash.one, target=clash.other, type=clash.type, reasoning=clash.reasoning, choices=_VERDICTS)


def apart(subject: tuple[Match, ...], other: tuple[Match, ...]) -> tuple[list[str], list[str]]:
    """Return both topics' nodes; one that matches both belongs to the topic it is more like, to both when equal."""
    mine = {match.id: match.similarity for match in subject}
    yours = {match.id: match.similarity for match in other}
    return (
        [key for key, value in mine.items() if value >= yours.get(key, 0.0)],
        [key for key, value in yours.items() if value >= mine.get(key, 0.0)],
    )


def listed(names: Sequence[str]) -> str:
    """Return up to three names in a row, and how many more there are."""
    shown = ", ".join(names[:_LISTED_MAX])
    return shown if len(names) <= _LISTED_MAX else f"{shown} and {len(names) - _LISTED_MAX} more"


def _ordered(pair: tuple[str, str]) -> tuple[str, str]:
    return (min(pair), max(pair))
