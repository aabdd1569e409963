"""What lies around one node: the nodes a few relations away, each with the strongest of its shortest ways."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft.model import Scope, Step, Surrounded, Trail
from weft.services.search.admitting import in_scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Node, Page, Relation
    from weft.ports import Store

__all__ = ["FAN_MAX", "REACHED_MAX", "surrounding"]

REACHED_MAX: Final = 300
"""Nodes that one walk reaches at most, the strongest of each distance first."""

FAN_MAX: Final = 50
"""Relations that are followed from one node, the strongest."""


@dataclass(frozen=True, slots=True)
class _Way:
    """How a node was reached: the product of the confidences on the way (0..1), and the relations in order."""

    strength: float
    relations: tuple[Relation, ...] = ()


def surrounding(
    store: Store,
    centre: Node,
    page: Page,
    *,
    hops: int,
    types: Sequence[str] = (),
    scope: Scope = Scope.ALL,
) -> Surrounded:
    """Return a page of the nodes within ``hops`` relations of ``centre``: nearest first, then strongest way first.

    Relations are walked from both ends; ``types`` (stored names; none: all) says which. Mentions are not walked. At
    most 300 nodes are reached and 50 relations followed from each; ``bounded`` tells where that cut something off.
    """
    ways, bounded = _ways(store, centre.id, hops=hops, types=types, scope=scope)
    reached = sorted(ways, key=lambda each: (len(ways[each].relations), -ways[each].strength, each))
    shown = {each: ways[each] for each in reached[page.offset : page.offset + page.limit]}
    ends = {end for way in shown.values() for each in way.relations for end in (each.source, each.target)}
    nodes = store.nodes(list(ends))
    return Surrounded(
        centre=centre,
        trails=tuple(_trail(centre.id, way, nodes) for way in shown.values() if _stands(way, nodes)),
        total=len(reached),
        bounded=bounded,
    )


def _ways(store: Store, centre: str, *, hops: int, types: Sequence[str], scope: Scope) -> tuple[dict[str, _Way], bool]:
    """Return how each node around ``centre`` is reached, and whether a bound kept some out."""
    ways, bounded = {centre: _Way(1.0)}, False
    level = [centre]
    for _ in range(hops):
        relations = store.relations(level, types=types, per_node=FAN_MAX) if level else ()
        fresh = _onward(level, [each for each in relations if in_scope(each.origin, scope)], ways)
        kept = sorted(fresh, key=lambda each: (-fresh[each].strength, each))[: REACHED_MAX + 1 - len(ways)]
        touched = Counter(end for each in relations for end in (each.source, each.target))
        bounded |= len(kept) < len(fresh) or any(touched[each] >= FAN_MAX for each in level)
        ways |= {each: fresh[each] for each in kept}
        level = kept
    return {each: way for each, way in ways.items() if each != centre}, bounded


def _onward(level: Sequence[str], relations: Sequence[Relation], ways: Mapping[str, _Way]) -> dict[str, _Way]:
    here = frozenset(level)
    fresh: dict[str, _Way] = {}
    for relation in relations:
        for start, end in ((relation.source, relation.target), (relation.target, relation.source)):
            if start in here and end not in ways:
                strength = ways[start].strength * relation.confidence
                if end not in fresh or strength > fresh[end].strength:
                    fresh[end] = _Way(strength, (*ways[start].relations, relation))
    return fresh


def _stands(way: _Way, nodes: Mapping[str, Node]) -> bool:
    """Whether every node on the way is still there: one may have been forgotten since the relations were read."""
    ends = {end for each in way.relations for end in (each.source, each.target)}
    return all(end in nodes and nodes[end].retired is None for end in ends)


def _trail(centre: str, way: _Way, nodes: Mapping[str, Node]) -> Trail:
    return Trail(steps=tuple(_steps(centre, way.relations, nodes)))


def _steps(place: str, relations: Sequence[Relation], nodes: Mapping[str, Node]) -> Iterator[Step]:
    for relation in relations:
        forward = relation.source == place
        yield Step(node=nodes[place], relation=relation, direction="forward" if forward else "backward")
        place = relation.target if forward else relation.source
    yield Step(node=nodes[place])
