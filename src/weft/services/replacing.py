"""What took the place of what no longer holds: said wherever a superseded node, or what stands in one, is shown."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from weft.model import Origin, Status, SupersededDocument, Titled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from weft.model import Node
    from weft.ports import Store

__all__ = ["replacements", "superseded_documents"]

_HELD: Final = ("part_of", "derived_from")
"""How what a document holds, and what it claims, belongs to it."""

_STATED: Final = "stated_in"
"""The rule by which an ingest relates what it finds in a document to it."""

_DOCUMENTS_MAX: Final = 50  # relations read of one node


def replacements(store: Store, nodes: Iterable[Node], *, as_of: int | None = None) -> dict[str, Titled]:
    """Return, for each superseded node, what replaced it, where that is recorded.

    ``as_of`` is the change up to which relations count; None: as they are now.
    """
    old = [node.id for node in nodes if node.status is Status.SUPERSEDED]
    if not old:
        return {}
    relations = store.relations(old, types=("supersedes",), as_of=as_of)
    newer = store.nodes([each.source for each in relations])
    return {
        each.target: Titled(each.source, newer[each.source].title)
        for each in relations
        if each.target in old and each.source in newer
    }


def superseded_documents(store: Store, nodes: Iterable[Node]) -> dict[str, SupersededDocument]:
    """Return, for each node that stands in superseded documents alone, one of them and what replaced it.

    What a newer document states as well, and what is superseded itself, is left out. Nobody said that such a node no
    longer holds: what a decision rests on often outlives it. So it is told, and changes nothing.
    """
    parts = {node.id for node in nodes if node.origin is Origin.DOCUMENT and node.status is not Status.SUPERSEDED}
    found = store.relations(list(parts), types=_HELD, per_node=_DOCUMENTS_MAX) if parts else ()
    stated = [each for each in found if each.rule == _STATED and each.source in parts]
    documents = store.nodes([each.target for each in stated])
    held = defaultdict(list)
    for each in stated:
        if each.target in documents:
            held[each.source].append(documents[each.target])
    replaced = replacements(store, documents.values())
    return {
        part: _told(within, replaced)
        for part, within in held.items()
        if all(document.status is Status.SUPERSEDED for document in within)
    }


def _told(documents: Sequence[Node], replaced: Mapping[str, Titled]) -> SupersededDocument:
    """Return one of these documents, of which it is known what replaced it, if there is such a one."""
    document = next((each for each in documents if each.id in replaced), documents[0])
    return SupersededDocument(document.id, document.title, replaced.get(document.id))
