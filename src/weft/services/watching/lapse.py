"""What was learned from nodes that hold no longer: superseded, refuted, or gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Origin, Status
from weft.services.watching.suggesting import lapsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Call, LearnedItem, Node, Suggestion
    from weft.ports import Store

__all__ = ["lapses"]

_AGAINST: Final = ("refutes",)
_JOINED_LEAST: Final = 2  # what a concept that was learned joins


def lapses(store: Store, items: Sequence[LearnedItem], nodes: Mapping[str, Node], call: Call) -> Iterator[Suggestion]:
    """Yield the question whether an item still holds, for each that rests on what does not: once for each reason.

    ``nodes`` are the ends of the items' relations.
    """
    refuted = _refuted(store, list(nodes))
    for item in items:
        own = item.concept.id if item.concept else ""
        ends = {end for each in item.relations for end in (each.source, each.target)} - {own}
        for node in (nodes[end] for end in sorted(ends) if end in nodes):
            by = refuted.get(node.id)
            if node.status is Status.SUPERSEDED:
                yield lapsed(item, node.id, f"«{node.title}» was superseded since", call)
            elif by is not None and by.id not in ends:  # what an item says of its own ends is no news of them
                yield lapsed(item, node.id, f"«{node.title}» is refuted by «{by.title}»", call)
        if item.concept is not None and item.concept.retired is None and len(ends) < _JOINED_LEAST:
            yield lapsed(item, own, "what it joined was forgotten since", call)


def _refuted(store: Store, ids: Sequence[str]) -> dict[str, Node]:
    """Return what refutes each of these nodes, by id; what is superseded refutes nothing."""
    found = store.relations(ids, types=_AGAINST) if ids else ()
    against = [each for each in found if each.origin is not Origin.INFERRED]
    speakers = store.nodes([each.source for each in against])
    return {
        each.target: speakers[each.source]
        for each in against
        if each.source in speakers and speakers[each.source].status is not Status.SUPERSEDED
    }
