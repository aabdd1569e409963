"""Trails over relations, seen from both ends, and over mentions where nothing else connects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from weft.model import Scope, Step, Trail
from weft.reason.walk import trails
from weft.services.search.admitting import in_scope
from weft.services.search.neighbourhood import around, mentioned_around
from weft.vocabulary import FRONTIER_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from weft.model import Node, Relation, TraceRequest
    from weft.ports import Shelf, Store
    from weft.reason.walk import Way

__all__ = ["Trailing"]

RELATIONS_MAX: Final = 1_000  # relations read of one node, the strongest
MENTIONS_MAX: Final = 100  # mentions read of one node
MENTION_WEIGHT: Final = 0.1
"""A mention is nobody's assertion: any relation of the usual confidence is the stronger step."""

REACHED_HOPS: Final = 3


class Trailing:
    """Walks between two known nodes."""

    def __init__(self, *, store: Store, shelf: Shelf) -> None:
        self._store = store
        self._shelf = shelf

    def between(self, start: str, end: str, asked: TraceRequest, *, mentions: bool) -> tuple[Trail, ...]:
        """Return the best trail and its alternatives; () when not connected. ``mentions`` opens those as steps too."""
        ground = _Ground(store=self._store, shelf=self._shelf, asked=asked, mentions=mentions)
        ways = trails(
            (start,),
            (end,),
            ground.leaving,
            hops_max=asked.hops_max,
            frontier_max=FRONTIER_MAX,
            alternatives=asked.alternatives,
        )
        nodes = self._store.nodes(list({node for way in ways for node in way.nodes}))
        return tuple(_trail(way, nodes, ground) for way in ways)

    def reached(self, start: str, asked: TraceRequest) -> tuple[str, ...]:
        """Return ids of the nodes that can be reached from ``start`` in a few steps, nearest first."""
        hops = min(REACHED_HOPS, asked.hops_max)
        return around(self._store, start, hops=hops, scope=asked.scope) or mentioned_around(self._shelf, start)


@dataclass(slots=True, kw_only=True)
class _Ground:
    """What a walk may tread on; remembers the relations it met by id, and by which name a mention joins two."""

    store: Store
    shelf: Shelf
    asked: TraceRequest
    mentions: bool
    relations: dict[str, Relation] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def leaving(self, ids: Sequence[str]) -> list[tuple[str, str, str, float, bool]]:
        """Return the steps that leave these nodes, as :func:`weft.reason.walk.trails` asks for them."""
        met = self.store.relations(ids, types=self.asked.types, per_node=RELATIONS_MAX)
        steps = list(self._along(ids, [each for each in met if in_scope(each.origin, self.asked.scope)]))
        if self.mentions and not self.asked.types:
            steps += self._mentioned(ids)
        return self._in_scope(ids, steps)

    def _along(self, ids: Sequence[str], relations: Iterable[Relation]) -> Iterator[tuple[str, str, str, float, bool]]:
        here = frozenset(ids)
        for each in relations:
            self.relations[each.id] = each
            conflict = self.store.vocabulary.type(each.type).polarity < 0
            for start, end in ((each.source, each.target), (each.target, each.source)):
                if start in here:
                    yield start, end, each.id, each.confidence, conflict

    def _mentioned(self, ids: Sequence[str]) -> Iterator[tuple[str, str, str, float, bool]]:
        here = frozenset(ids)
        for each in self.shelf.mentions(ids, per_node=MENTIONS_MAX):
            key = f"mention:{each.node}:{each.target}"
            self.names[key] = each.name
            for start, end in ((each.node, each.target), (each.target, each.node)):
                if start in here:
                    yield start, end, key, MENTION_WEIGHT, False

    def _in_scope(
        self, ids: Sequence[str], steps: list[tuple[str, str, str, float, bool]]
    ) -> list[tuple[str, str, str, float, bool]]:
        """Return the steps whose ends take part: all of them, unless only documents count or mentions are walked.

        What was learned joins what documents say, so a learned relation counts whatever stands at its ends.
        """
        if self.asked.scope is not Scope.DOCUMENTS and not self.mentions:
            return steps
        nodes = self.store.nodes(list({step[1] for step in steps}.difference(ids)))
        gone = {
            key
            for key, node in nodes.items()
            if node.retired is not None or not in_scope(node.origin, self.asked.scope)
        }
        return [step for step in steps if step[1] not in gone]


def _trail(way: Way, nodes: Mapping[str, Node], ground: _Ground) -> Trail:
    steps = [
        Step(
            node=nodes[pace.start],
            relation=ground.relations.get(pace.key),
            direction=_direction(pace.start, pace.key, ground.relations),
            conflict=pace.conflict,
            mentioned=pace.key not in ground.relations,
            name=ground.names.get(pace.key, ""),
        )
        for pace in way.paces
    ]
    return Trail(steps=(*steps, Step(node=nodes[way.nodes[-1]])))


def _direction(start: str, key: str, relations: Mapping[str, Relation]) -> str:
    source = relations[key].source if key in relations else key.split(":")[1]
    return "forward" if source == start else "backward"
