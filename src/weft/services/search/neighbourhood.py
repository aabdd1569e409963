"""The nodes a few relations around one, level by level, bounded in width and number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from weft.model import Scope
    from weft.ports import Shelf, Store

from weft.services.search.admitting import in_scope

__all__ = ["AROUND_MAX", "FAN_MAX", "around", "hang_together", "mentioned_around"]

AROUND_MAX: Final = 1_000
"""Nodes that a neighbourhood holds at most."""

FAN_MAX: Final = 100
"""Relations that are followed from one node of it, the strongest; from the centre itself, as many as there is room."""


def around(store: Store, centre: str, *, hops: int, scope: Scope, as_of: int | None = None) -> tuple[str, ...]:
    """Return ids of the nodes within ``hops`` relations of ``centre``, nearest first, the centre left out."""
    seen = {centre: None}
    level = [centre]
    for hop in range(hops):
        fan = FAN_MAX if hop else AROUND_MAX
        room = len(seen) <= AROUND_MAX
        relations = store.relations(level, per_node=fan, as_of=as_of) if level and room else ()
        ends = [end for each in relations if in_scope(each.origin, scope) for end in (each.source, each.target)]
        level = [end for end in dict.fromkeys(ends) if end not in seen][: AROUND_MAX + 1 - len(seen)]
        seen.update(dict.fromkeys(level))
    return tuple(seen)[1:]


def mentioned_around(shelf: Shelf, centre: str) -> tuple[str, ...]:
    """Return ids of the nodes that ``centre`` mentions or is mentioned by: the ground where no relation stands."""
    found = shelf.mentions((centre,), per_node=FAN_MAX)
    ends = dict.fromkeys(end for each in found for end in (each.node, each.target) if end != centre)
    return tuple(ends)


def hang_together(store: Store, one: str, other: str) -> bool:
    """Return whether at most two relations lead from ``one`` to ``other``, either way, of the strongest of each."""
    met: dict[str, set[str]] = {one: {one}, other: {other}}
    for relation in store.relations((one, other), per_node=FAN_MAX):
        ends = {relation.source, relation.target}
        for end in met.keys() & ends:
            met[end] |= ends
    return not met[one].isdisjoint(met[other])
