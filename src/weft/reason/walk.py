"""Trails: how one node is reached from another, over a graph that is asked for in batches.

The search runs from both ends, a whole level at a time, so that it asks at most once a level and side. Nodes that were
asked for are never asked for again: alternatives, and the second look over conflict steps, are found in what is known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

__all__ = ["Pace", "Way", "trails"]

_WEIGHT_LEAST: Final = 1e-6
_DIGITS: Final = 9  # costs are sums of logarithms; rounding makes equal sums equal in whatever order they were added
_DETOURS_MAX: Final = 10  # single nodes that are avoided in turn to find one more alternative


class Pace(NamedTuple):
    """One step of a walk, from ``start`` to ``end``: ``key`` names the relation, in whichever direction it points.

    ``weight`` (0..1) is its strength; ``conflict`` marks a relation that refutes.
    """

    start: str
    end: str
    key: str
    weight: float
    conflict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A walk: the ``nodes`` in order, and the ``paces`` between them (one fewer)."""

    nodes: tuple[str, ...]
    paces: tuple[Pace, ...] = ()

    @property
    def conflicts(self) -> int:
        """How many of its steps refute."""
        return sum(pace.conflict for pace in self.paces)


def trails(
    starts: Collection[str],
    ends: Collection[str],
    neighbours: Callable[[Sequence[str]], Iterable[tuple[str, str, str, float, bool]]],
    *,
    hops_max: int,
    frontier_max: int,
    alternatives: int = 0,
) -> tuple[Way, ...]:
    """Return the best way from one of ``starts`` to one of ``ends``, then up to ``alternatives`` others; () when none.

    ``neighbours`` is given node ids (sorted, each once in the whole search) and returns the steps that leave them, as
    (from, to, key, weight 0..1, conflict). Shorter is better, then fewer conflict steps, then stronger relations, then
    the ids, so that the order never depends on the order of the steps. Conflict steps are walked only when no way
    without them lies within ``hops_max`` relations. At most ``frontier_max`` nodes a level and side are followed, those
    reached by the strongest steps. An alternative shares no node but the ends with the ways before it; where there is
    no such one, it misses at least one node of the best way.

    Costs one call of ``neighbours`` a level and side, and time linear in the steps it returned, times the
    alternatives.
    """
    common = sorted(set(starts) & set(ends))
    if common:
        return (Way(nodes=(common[0],)),)
    known = _Known(neighbours=neighbours)
    for conflicts in (False, True):
        search = _Search(
            known=known,
            starts=tuple(sorted(starts)),
            ends=tuple(sorted(ends)),
            hops_max=hops_max,
            frontier_max=frontier_max,
            conflicts=conflicts,
        )
        ways = search.ways(alternatives)
        if ways:
            return tuple(ways)
    return ()


class _Stride(NamedTuple):
    """A step as the search weighs it: the least ``cost`` (−log of the weight) wins, then the key."""

    cost: float
    key: str
    pace: Pace


@dataclass(slots=True)
class _Known:
    """The steps learned so far, by the node they leave, each seen from both ends; those that refute lie apart.

    A relation may have been told at one end only, where the other has more relations than are told at once.
    """

    neighbours: Callable[[Sequence[str]], Iterable[tuple[str, str, str, float, bool]]]
    asked: set[str] = field(default_factory=set)
    agreeing: dict[str, dict[str, _Stride]] = field(default_factory=dict)
    refuting: dict[str, dict[str, _Stride]] = field(default_factory=dict)

    def ask(self, nodes: Iterable[str]) -> None:
        """Learn the steps that leave ``nodes``, those not yet asked for."""
        missing = sorted(node for node in nodes if node not in self.asked)
        if not missing:
            return
        self.asked.update(missing)
        for row in self.neighbours(missing):
            pace = Pace(*row)
            if pace.start != pace.end:
                cost = round(-math.log(max(pace.weight, _WEIGHT_LEAST)), _DIGITS)
                self._keep(_Stride(cost, pace.key, pace))
                self._keep(_Stride(cost, pace.key, pace._replace(start=pace.end, end=pace.start)))

    def _keep(self, stride: _Stride) -> None:
        pace = stride.pace
        held = (self.refuting if pace.conflict else self.agreeing).setdefault(pace.start, {})
        before = held.get(pace.end)
        if before is None or stride[:2] < before[:2]:
            held[pace.end] = stride

    def leaving(self, node: str, *, conflicts: bool) -> Iterable[_Stride]:
        """Return the known steps from ``node``, the strongest of several to one node; with ``conflicts``, all kinds."""
        agreeing = self.agreeing.get(node, {}).values()
        if conflicts and node in self.refuting:
            return (*agreeing, *self.refuting[node].values())
        return agreeing


class _Reached(NamedTuple):
    """How a node was best reached from its side: fewest conflicts, least cost, then the ids; ``pace`` led there."""

    conflicts: int
    cost: float
    previous: str
    pace: Pace | None


@dataclass(slots=True)
class _Side:
    """One end's view: how every node seen so far was reached, and the nodes of the last level."""

    seen: dict[str, _Reached]
    frontier: list[str]
    levels: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """A search between two ends, with or without conflict steps."""

    known: _Known
    starts: tuple[str, ...]
    ends: tuple[str, ...]
    hops_max: int
    frontier_max: int
    conflicts: bool

    def ways(self, alternatives: int) -> list[Way]:
        """Return the best way and up to ``alternatives`` others that differ from it; none when there is no way."""
        best = self.best()
        ways = [best] if best else []
        while best and len(ways) <= alternatives:
            inner = frozenset(node for way in ways for node in way.nodes[1:-1])
            other = self.best(inner, direct=any(len(way.paces) == 1 for way in ways)) or self._detour(ways)
            if other is None:
                break
            ways.append(other)
        return ways

    def _detour(self, ways: Sequence[Way]) -> Way | None:
        """Return the best way, in what is known, that misses one node of the best way and is none of ``ways``."""
        found = [self.best(frozenset({node}), ask=False) for node in ways[0].nodes[1:-1][:_DETOURS_MAX]]
        return min((way for way in found if way and way not in ways), key=_order, default=None)

    def best(self, without: frozenset[str] = frozenset(), *, direct: bool = False, ask: bool = True) -> Way | None:
        """Return the best way that meets none of ``without``, and is more than one step where ``direct`` is taken."""
        sides = (_fresh_side(self.starts), _fresh_side(self.ends))
        while sides[0].levels + sides[1].levels < self.hops_max and sides[0].frontier and sides[1].frontier:
            near, far = sorted(sides, key=lambda side: (len(side.frontier), side.levels))
            if ask:
                self.known.ask(near.frontier)
            level = self._level(near, without, barred=direct and not near.levels)
            near.seen.update(level)
            near.frontier, near.levels = list(level), near.levels + 1
            met = [node for node in level if node in far.seen]
            if met:
                return _join(sides, min(met, key=lambda node: (_sum(near.seen[node], far.seen[node]), node)))
        return None

    def _level(self, side: _Side, without: frozenset[str], *, barred: bool) -> dict[str, _Reached]:
        """Return the nodes one step beyond ``side``, best reached first, at most ``frontier_max``.

        ``barred``: not the other end at once.
        """
        closed = without.union(self.starts, self.ends) if barred else without
        found: dict[str, _Reached] = {}
        for node in side.frontier:
            conflicts, cost, _, _ = side.seen[node]
            for stride in self.known.leaving(node, conflicts=self.conflicts):
                pace = stride.pace
                if pace.end in side.seen or pace.end in closed:
                    continue
                this = (conflicts + pace.conflict, cost + stride.cost, node)
                if pace.end not in found or this < found[pace.end][:3]:
                    found[pace.end] = _Reached(*this, pace)
        if len(found) <= self.frontier_max:
            return found
        return {
            node: found[node] for node in sorted(found, key=lambda node: (found[node][:2], node))[: self.frontier_max]
        }


def _fresh_side(nodes: Sequence[str]) -> _Side:
    return _Side(seen={node: _Reached(0, 0.0, "", None) for node in nodes}, frontier=list(nodes))


def _sum(one: _Reached, other: _Reached) -> tuple[int, float]:
    return (one.conflicts + other.conflicts, round(one.cost + other.cost, _DIGITS))


def _join(sides: tuple[_Side, _Side], middle: str) -> Way:
    """Return the way from the first side's end through ``middle`` to the other's."""
    before = _back(sides[0], middle)
    after = [pace._replace(start=pace.end, end=pace.start) for pace in _back(sides[1], middle)]
    paces = (*reversed(before), *after)
    return Way(nodes=(paces[0].start, *(pace.end for pace in paces)), paces=paces)


def _back(side: _Side, node: str) -> list[Pace]:
    """Return the steps that led to ``node``, the last first."""
    paces: list[Pace] = []
    while (pace := side.seen[node].pace) is not None:
        paces.append(pace)
        node = pace.start
    return paces


def _order(way: Way) -> tuple[int, int, float, tuple[str, ...]]:
    cost = sum(-math.log(max(pace.weight, _WEIGHT_LEAST)) for pace in way.paces)
    return (len(way.paces), way.conflicts, round(cost, _DIGITS), way.nodes)
