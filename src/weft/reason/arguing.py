"""Arguments as a web of relations: which end speaks for, against or rests on the other, and what two in a row come to.

Everything here works on relations that were read before; the walks are bounded by what is in the web.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft.vocabulary import STANDARD

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from weft.model import Relation
    from weft.vocabulary import RelationType, Vocabulary

__all__ = [
    "RESTING",
    "Chain",
    "Clash",
    "Web",
    "chains",
    "composed",
    "foundations",
    "rests",
]

_UPWARD: Final = frozenset({"supports", "implies"})  # the target rests on the source
_DOWNWARD: Final = frozenset({"extends", "builds_on", "depends_on", "requires", "derived_from"})  # … the source does

RESTING: Final = tuple(sorted(_UPWARD | _DOWNWARD))
"""The types by which one end rests on the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """Two nodes that cannot both be right: by a recorded relation, else by what the judge reads in their wording."""

    one: str
    other: str
    type: str
    reasoning: str
    confidence: float
    recorded: bool = True

    @classmethod
    def of(cls, relation: Relation) -> Clash:
        """Return the clash that a relation records."""
        return cls(
            one=relation.source,
            other=relation.target,
            type=relation.type,
            reasoning=relation.reasoning,
            confidence=relation.confidence,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """Relations by the node they leave and the node they arrive at, strongest first, with what their types mean."""

    leaving: Mapping[str, tuple[Relation, ...]]
    arriving: Mapping[str, tuple[Relation, ...]]
    vocabulary: Vocabulary = STANDARD

    @classmethod
    def of(cls, relations: Iterable[Relation], vocabulary: Vocabulary = STANDARD) -> Web:
        """Return the web of these relations; the order they come in does not matter."""
        leaving: dict[str, list[Relation]] = defaultdict(list)
        arriving: dict[str, list[Relation]] = defaultdict(list)
        for each in sorted(relations, key=lambda row: (-row.confidence, row.id)):
            leaving[each.source].append(each)
            arriving[each.target].append(each)
        return cls(
            leaving={node: tuple(rows) for node, rows in leaving.items()},
            arriving={node: tuple(rows) for node, rows in arriving.items()},
            vocabulary=vocabulary,
        )

    def sign(self, relation: Relation) -> int:
        """Return whether a relation speaks for (+1) or against (−1) its target, or neither (0)."""
        return self.vocabulary.type(relation.type).polarity

    def touching(self, node: str) -> tuple[Relation, ...]:
        """Return the relations at either end of which ``node`` stands."""
        return (*self.leaving.get(node, ()), *self.arriving.get(node, ()))

    def between(self, one: str, other: str) -> tuple[Relation, ...]:
        """Return the relations that join these two nodes, whichever way they point."""
        return tuple(row for row in self.touching(one) if row.other_end(one) == other)

    def clashes(self) -> tuple[Clash, ...]:
        """Return what the relations record as clashes."""
        return tuple(Clash.of(row) for rows in self.leaving.values() for row in rows if self.sign(row) < 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Relations in a row, and the ``type`` they come to; ``steps`` lead from the first node to the last."""

    type: str
    steps: tuple[Relation, ...]

    @property
    def confidence(self) -> float:
        """The product of the confidences of all steps (0..1)."""
        product = 1.0
        for step in self.steps:
            product *= step.confidence
        return product

    @property
    def rank(self) -> tuple[int, float, tuple[str, ...]]:
        """What orders chains: the shorter, the surer, then the ids."""
        return (len(self.steps), -self.confidence, tuple(step.id for step in self.steps))


def rests(relation: Relation) -> tuple[str, str] | None:
    """Return (upper, lower) where the upper end rests on the lower one, None where neither does.

    A premise lies beneath what it supports or implies, and an idea beneath what extends, builds on or needs it.
    """
    if relation.type in _UPWARD:
        return relation.target, relation.source
    return (relation.source, relation.target) if relation.type in _DOWNWARD else None


def composed(first: RelationType, second: RelationType) -> str:
    """Return the type that a→b by ``first`` and b→c by ``second`` give a→c; empty where nothing follows.

    A transitive type carries over to itself. Two types that speak for their target come to «supports»: what speaks for
    a ground of something speaks for that thing. Nothing else follows.
    """
    if first.name == second.name and first.transitive:
        return first.name
    return "supports" if first.polarity > 0 and second.polarity > 0 else ""


def chains(
    web: Web, start: str, *, forward: bool, hops_max: int, only: str = ""
) -> dict[tuple[str, str], Chain]:  # by (far end, type)
    """Return the best chain from ``start`` to every node it leads to, or from every node that leads to it.

    Keyed by the far end and the type the chain comes to; ``only`` restricts the steps to one type. Breadth first, each
    node once a type, so that the cost is linear in the web times the types.
    """
    found: dict[tuple[str, str], Chain] = {}
    level: dict[tuple[str, str], Chain] = {(start, ""): Chain(type="", steps=())}
    for _ in range(hops_max):
        onward: dict[tuple[str, str], Chain] = {}
        for (node, _type), chain in level.items():
            for step in (web.leaving if forward else web.arriving).get(node, ()):
                longer = _longer(web.vocabulary, chain, step, forward=forward, only=only)
                key = (step.target if forward else step.source, longer.type if longer else "")
                if longer is None or key[0] == start or key in found:
                    continue
                if key not in onward or longer.rank < onward[key].rank:
                    onward[key] = longer
        found |= onward
        level = onward
    return found


def _longer(vocabulary: Vocabulary, chain: Chain, step: Relation, *, forward: bool, only: str) -> Chain | None:
    if only and step.type != only:
        return None
    relation_type = vocabulary.type(step.type)
    if not chain.steps:
        whole = step.type if relation_type.transitive or relation_type.polarity > 0 else ""
    else:
        so_far = vocabulary.type(chain.type)
        whole = composed(so_far, relation_type) if forward else composed(relation_type, so_far)
    if not whole:
        return None
    return Chain(type=whole, steps=(*chain.steps, step) if forward else (step, *chain.steps))


def foundations(web: Web, node: str, *, depth_max: int) -> dict[str, tuple[Relation, ...]]:
    """Return every node that ``node`` rests on, with the relations from it up to ``node``; itself with none."""
    found: dict[str, tuple[Relation, ...]] = {node: ()}
    level = [node]
    for _ in range(depth_max):
        onward: list[str] = []
        for upper in level:
            for step in web.touching(upper):
                lower = step.other_end(upper)
                if lower not in found and rests(step) == (upper, lower):
                    found[lower] = (step, *found[upper])
                    onward.append(lower)
        level = onward
    return found
