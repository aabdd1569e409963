"""From what a caller wrote to the learned item, or to the node, that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.errors import Ambiguous, Candidate, InvalidArgument, NotFound, WeftError
from weft.identity import meant
from weft.model import Origin
from weft.services.naming import resolve

if TYPE_CHECKING:
    from weft.model import LearnedItem, Node
    from weft.ports import Learned, Store

__all__ = ["beside", "end_named", "item_named"]

_OFFERED_MAX = 5


def item_named(store: Store, learned: Learned, reference: str) -> LearnedItem:
    """Return the one learned item that ``reference`` names.

    A learned id or the beginning of one; the id of its relation; or its concept, by any name of that node.

    Raises:
        NotFound: nothing learned answers to it, or it was deleted.
        Ambiguous: several learned ids begin so, or several nodes answer to it; they are listed.
        InvalidArgument: it is blank, or names a node that was not learned.
    """
    wanted = meant(reference)
    named = learned.named(wanted, limit=_OFFERED_MAX + 1)
    if len(named) > 1:
        raise Ambiguous(
            f"learned_id «{wanted}» is the beginning of several.",
            candidates=tuple(Candidate(id=each, title=each) for each in named[:_OFFERED_MAX]),
        )
    learned_id = named[0] if named else _of_concept(store, wanted)
    item = learned.items((learned_id,)).get(learned_id)
    if item is None:
        raise NotFound(f"learned_id «{wanted}» names nothing that stands.", hint="Consider list_learned_knowledge.")
    return item


def _of_concept(store: Store, wanted: str) -> str:
    try:
        node = resolve(store, wanted, field="learned_id")
    except NotFound as error:
        raise NotFound(
            error.message.replace("names no node of this graph", "names nothing that was learned here"),
            hint="Consider list_learned_knowledge; what was deleted comes back by undoing its batch.",
        ) from None
    if not node.learned_id:
        said = "a document said it" if node.origin is Origin.DOCUMENT else f"it is {node.origin.value}"
        raise InvalidArgument(
            f"learned_id «{wanted}» names «{node.title}», which was not learned: {said}.",
            hint="Only learned relations and syntheses have a learned_id; list_learned_knowledge shows them.",
        )
    return node.learned_id


def beside(store: Store, learned: Learned, item: LearnedItem) -> dict[str, str]:
    """Return, for each relation of ``item`` on which another learned item rests too, the learned id of that one.

    It is so where nodes were merged that had that learned relation each.
    """
    subjects = [each.id for each in item.relations] + ([item.evidence.subject] if item.evidence else [])
    ids = {each.learned_id for each in store.evidence(subjects)} | {each.learned_id for each in item.relations}
    others = learned.items(sorted(ids - {"", item.learned_id})).values()
    own = {each.id for each in item.relations}
    return {each.id: other.learned_id for other in others for each in other.relations if each.id in own}


def end_named(store: Store, learned: Learned, reference: str, *, field: str) -> Node:
    """Return the one node that ``reference`` names; a learned id names the concept that it made.

    Raises:
        NotFound, Ambiguous, InvalidArgument: as :func:`weft.services.naming.resolve`; and a learned id that made a
            relation is told apart from one that names nothing.
    """
    try:
        return resolve(store, reference, field=field)
    except NotFound:
        named = learned.named(reference.strip(), limit=2)
        item = learned.items(named).get(named[0]) if len(named) == 1 else None
        if item is None:
            raise
        if item.concept is not None:
            return item.concept
        raise _of_relation(store, item, field) from None


def _of_relation(store: Store, item: LearnedItem, field: str) -> WeftError:
    relation = item.relations[0]
    ends = store.nodes((relation.source, relation.target))
    return InvalidArgument(
        f"{field}: {item.learned_id} is a relation, {relation.type}, and no node.",
        hint="Name one of the nodes that it joins: " + ", ".join(f"«{node.title}»" for node in ends.values()) + ".",
    )
