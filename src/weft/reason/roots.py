"""Where a conflict starts: the earliest premises of two claims that clash with each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.reason.arguing import foundations

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from weft.model import Relation
    from weft.reason.arguing import Clash, Web

__all__ = ["Root", "roots"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """Two claims, the two premises beneath them at which their conflict starts, and how each is reached from its own.

    ``ways`` lead from each premise up to its claim; both are empty where the claims themselves are the earliest.
    ``shared`` are nodes that both claims rest on: so far they go together.
    """

    claims: tuple[str, str]
    premises: tuple[str, str]
    ways: tuple[tuple[Relation, ...], tuple[Relation, ...]]
    clash: Clash
    shared: tuple[str, ...] = ()

    @property
    def depth(self) -> int:
        """How many steps lie between the claims and the premises, both sides together."""
        return len(self.ways[0]) + len(self.ways[1])


def roots(web: Web, pairs: Iterable[tuple[str, str]], clashes: Sequence[Clash], *, depth_max: int) -> tuple[Root, ...]:
    """Return, for each pair of claims, the clashes beneath them (or between them) that have no clash beneath.

    The two claims of a pair may be one and the same: then its own premises clash. A root that several pairs lead to is
    told once: for a pair that clashes itself before one that does not, then for the one that lies farthest above it,
    then for the first. Deepest first.
    """
    apart = {frozenset((clash.one, clash.other)) for clash in clashes}
    beneath: dict[str, Mapping[str, tuple[Relation, ...]]] = {}

    def of(node: str) -> Mapping[str, tuple[Relation, ...]]:
        if node not in beneath:
            beneath[node] = foundations(web, node, depth_max=depth_max)
        return beneath[node]

    found: dict[frozenset[str], Root] = {}
    for pair in pairs:
        met = sorted(_met(pair, of(pair[0]), of(pair[1]), clashes), key=lambda each: (-each.depth, each.premises))
        for each in met:
            if not any(_lies_beneath(deeper, each, of(each.premises[0]), of(each.premises[1])) for deeper in met):
                key = frozenset(each.premises)
                if key not in found or _weight(each, apart) > _weight(found[key], apart):
                    found[key] = each
    return tuple(sorted(found.values(), key=lambda each: -each.depth))


def _weight(root: Root, apart: Collection[frozenset[str]]) -> tuple[bool, int]:
    return (frozenset(root.claims) in apart, root.depth)


def _met(
    pair: tuple[str, str],
    mine: Mapping[str, tuple[Relation, ...]],
    yours: Mapping[str, tuple[Relation, ...]],
    clashes: Iterable[Clash],
) -> Iterator[Root]:
    common = mine.keys() & yours.keys() if pair[0] != pair[1] else set[str]()
    for clash in clashes:
        for one, other in ((clash.one, clash.other), (clash.other, clash.one)):
            if one in mine and other in yours and not {one, other} <= common:
                yield Root(
                    claims=pair,
                    premises=(one, other),
                    ways=(mine[one], yours[other]),
                    clash=clash,
                    shared=tuple(sorted(common)),
                )
                break


def _lies_beneath(
    deeper: Root, root: Root, mine: Mapping[str, tuple[Relation, ...]], yours: Mapping[str, tuple[Relation, ...]]
) -> bool:
    return deeper.depth > root.depth and deeper.premises[0] in mine and deeper.premises[1] in yours
