"""How sides stand on a question: who speaks with whom, where they clash, and what they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.reason.arguing import chains

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from weft.model import Relation
    from weft.reason.arguing import Clash, Web

__all__ = ["Common", "Positions", "Side", "positions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One position: its ``poles`` clash with others, ``members`` (poles first) speak with it, over ``relations``."""

    poles: tuple[str, ...]
    members: tuple[str, ...]
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """A node that speaks for, or follows from, poles of two sides or more; ``relations`` lead to them."""

    node: str
    poles: tuple[str, ...]
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions:
    """The sides of a question, the clashes between them, and the common ground."""

    sides: tuple[Side, ...]
    clashes: tuple[Clash, ...]
    common: tuple[Common, ...]


def positions(web: Web, clashes: Sequence[Clash], *, hops_max: int) -> Positions:
    """Return who stands with whom.

    The ends of clashes are poles; poles that speak for one another, over whatever chain, and clash nowhere are one
    side. What speaks for poles of two sides, or follows from both, is common ground; the rest stands with the side it
    is nearest to. What only refutes an opponent is a side of its own.
    """
    poles = sorted({end for clash in clashes for end in (clash.one, clash.other)})
    argued = {pole: _argued(web, pole, hops_max) for pole in poles}
    groups = _groups(poles, argued, clashes)
    common = _common(poles, groups, argued)
    members = _members(web, groups, {each.node for each in common}, hops_max)
    sides = tuple(_side(web, group, members) for group in sorted(set(groups.values())))
    return Positions(
        sides=tuple(sorted(sides, key=lambda side: (-len(side.members), side.poles))),
        clashes=tuple(clashes),
        common=common,
    )


def _argued(web: Web, pole: str, hops_max: int) -> dict[str, tuple[Relation, ...]]:
    """Return what speaks for ``pole`` or follows from it, with the shortest chain between."""
    found: dict[str, tuple[Relation, ...]] = {}
    for forward in (True, False):
        for (far, kind), chain in chains(web, pole, forward=forward, hops_max=hops_max).items():
            nearer = far not in found or len(chain.steps) < len(found[far])
            if web.vocabulary.type(kind).polarity > 0 and nearer:
                found[far] = chain.steps
    return found


def _groups(
    poles: Sequence[str], argued: dict[str, dict[str, tuple[Relation, ...]]], clashes: Sequence[Clash]
) -> dict[str, tuple[str, ...]]:
    """Return the group of each pole: joined along the shortest chains first, unless members of the two clash."""
    group: dict[str, tuple[str, ...]] = {pole: (pole,) for pole in poles}
    apart = {frozenset((clash.one, clash.other)) for clash in clashes}
    joints = sorted(
        (len(argued[one][other]), one, other)
        for one in poles
        for other in poles
        if one < other and other in argued[one]
    )
    for _, one, other in joints:
        both = tuple(sorted({*group[one], *group[other]}))
        if not any(frozenset((a, b)) in apart for a in group[one] for b in group[other]):
            group |= dict.fromkeys(both, both)
    return group


def _common(
    poles: Sequence[str], groups: dict[str, tuple[str, ...]], argued: dict[str, dict[str, tuple[Relation, ...]]]
) -> tuple[Common, ...]:
    found = []
    for node in sorted({far for pole in poles for far in argued[pole]} - set(poles)):
        nearest: dict[tuple[str, ...], tuple[int, str]] = {}
        for pole in poles:
            if node in argued[pole]:
                this = (len(argued[pole][node]), pole)
                nearest[groups[pole]] = min(this, nearest.get(groups[pole], this))
        if len(nearest) > 1:
            near = tuple(pole for _, pole in sorted(nearest.values()))
            rows = {row.id: row for pole in near for row in argued[pole][node]}
            found.append(Common(node=node, poles=near, relations=tuple(rows.values())))
    return tuple(sorted(found, key=lambda each: (len(each.relations), each.node)))


def _members(
    web: Web, groups: dict[str, tuple[str, ...]], common: Collection[str], hops_max: int
) -> dict[str, tuple[str, ...]]:
    """Return the group that each node stands with: the one it is nearest to, over relations that speak for."""
    standing = dict(groups)
    level = sorted(groups)
    for _ in range(hops_max):
        onward: dict[str, tuple[str, ...]] = {}
        for node in level:
            for row in web.touching(node):
                end = row.other_end(node)
                if web.sign(row) > 0 and end not in standing and end not in common:
                    onward.setdefault(end, standing[node])
        standing |= onward
        level = list(onward)
    return standing


def _side(web: Web, group: tuple[str, ...], members: dict[str, tuple[str, ...]]) -> Side:
    own = [node for node, side in members.items() if side == group]
    inside = set(own)
    rows = [row for node in own for row in web.leaving.get(node, ()) if web.sign(row) > 0 and row.target in inside]
    return Side(
        poles=group,
        members=(*group, *(node for node in own if node not in group)),
        relations=tuple(rows),
    )
