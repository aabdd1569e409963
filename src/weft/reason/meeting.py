"""What two topics share: nodes that both lead to over relations, and the most related nodes of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.reason.arguing import rests

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from weft.model import Relation
    from weft.reason.arguing import Web

__all__ = ["Meeting", "busiest", "meetings", "reached"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A node that both topics reach: from which of their nodes, over which relations, and how many it has itself."""

    node: str
    ends: tuple[str, str]
    ways: tuple[tuple[Relation, ...], tuple[Relation, ...]]
    degree: int

    @property
    def length(self) -> int:
        """The number of relations on both ways together."""
        return len(self.ways[0]) + len(self.ways[1])

    @property
    def resting(self) -> int:
        """+1 where it rests on both topics over every step, −1 where both topics rest on it, else 0."""
        inward = [_resting(way, end) for way, end in zip(self.ways, self.ends, strict=True)]
        return inward[0] if inward[0] == inward[1] else 0


def reached(web: Web, starts: Collection[str], *, hops_max: int) -> dict[str, tuple[str, tuple[Relation, ...]]]:
    """Return every node within ``hops_max`` relations of ``starts``: from which of them, and over which relations.

    Refuting relations are not walked: opponents share a quarrel, not a ground.
    """
    found: dict[str, tuple[str, tuple[Relation, ...]]] = {start: (start, ()) for start in sorted(starts)}
    level = list(found)
    for _ in range(hops_max):
        onward: list[str] = []
        for node in level:
            start, way = found[node]
            for row in web.touching(node):
                end = row.other_end(node)
                if web.sign(row) >= 0 and end not in found:
                    found[end] = (start, (*way, row))
                    onward.append(end)
        level = onward
    return found


def meetings(
    web: Web,
    mine: Mapping[str, tuple[str, tuple[Relation, ...]]],
    yours: Mapping[str, tuple[str, tuple[Relation, ...]]],
) -> tuple[Meeting, ...]:
    """Return the nodes that both reach, the nearest to both first, then the busiest.

    A node that only lies on the way from one topic to a nearer meeting is left out.
    """
    found = [
        Meeting(
            node=node,
            ends=(mine[node][0], yours[node][0]),
            ways=(mine[node][1], yours[node][1]),
            degree=len({row.other_end(node) for row in web.touching(node)}),
        )
        for node in mine.keys() & yours.keys()
    ]
    kept: list[Meeting] = []
    for each in sorted(found, key=_nearest):
        if not any(_passes(each, other) for other in kept):
            kept.append(each)
    return tuple(kept)


def busiest(web: Web, nodes: Collection[str], *, degree_min: int) -> tuple[tuple[str, int], ...]:
    """Return those of ``nodes`` that at least ``degree_min`` others are related to, with how many, most first."""
    degrees = {node: len({row.other_end(node) for row in web.touching(node)}) for node in nodes}
    kept = [(node, degree) for node, degree in degrees.items() if degree >= degree_min]
    return tuple(sorted(kept, key=lambda pair: (-pair[1], pair[0])))


def _nearest(each: Meeting) -> tuple[int, int, int, str]:
    return (max(map(len, each.ways)), each.length, -each.degree, each.node)


def _passes(each: Meeting, nearer: Meeting) -> bool:
    """Return whether ``each`` is reached only through ``nearer``, or lies on its way."""
    ids = [frozenset(row.id for way in other.ways for row in way) for other in (each, nearer)]
    return bool(ids[1]) and (ids[1] <= ids[0] or ids[0] <= ids[1])


def _resting(way: tuple[Relation, ...], start: str) -> int:
    """Return +1 where every step of ``way`` rests on the one before, −1 where each carries the next, else 0."""
    found: set[int] = set()
    node = start
    for row in way:
        end = row.other_end(node)
        found.add({(end, node): 1, (node, end): -1}.get(rests(row) or ("", ""), 0))
        node = end
    return found.pop() if len(found) == 1 else 0
