"""What a document's new text says again of what the graph knows of it, and what no more."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import TYPE_CHECKING

from weft.model import Status
from weft.text import fold, normalized

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from weft.model import Node
    from weft.ports import Store
    from weft.reason.extract import Draft
    from weft.services.resting import Known

__all__ = ["matches", "spelled", "vanished"]


def spelled(store: Store, *, name: str, ontology: str) -> tuple[str, str]:
    """Return the name and the ontology of a document as the graph has them; what it has not, in composed form (NFC).

    Some file systems keep the accents of a name, and the parts of a Korean syllable, as characters of their own (NFD).
    It is the same name, and reads the same, so it is the same document.
    """
    if name.isascii() and ontology.isascii():
        return name, ontology
    spellings = list(product(_spellings(name), _spellings(ontology)))
    return next((each for each in spellings if store.source_of(*each) is not None), spellings[0])


def _spellings(said: str) -> Iterable[str]:
    """Return ``said`` composed, as it is, and with its accents apart, each once."""
    return dict.fromkeys((normalized("NFC", said), said, normalized("NFD", said)))


def matches(drafts: Sequence[Draft], before: Known) -> dict[int, Node]:
    """Return, by the place of a draft, the node that said the same thing in the document's earlier text.

    The first draft is the document itself. Others match by kind and title, by title alone, then by their quote; a node
    matches once.
    """
    if before.document is None:
        return {}
    found = {0: before.document}
    free = {key: node for key, node in before.nodes.items() if key != before.document.id}
    for key_of in (_by_kind, _by_title):
        _pair(found, drafts, free, key_of)
    for place, draft in enumerate(drafts):
        if place not in found:
            node = next((free[key] for key in free if before.said(key, draft.quote)), None)
            if node is not None:
                found[place] = free.pop(node.id)
    return found


def vanished(before: Known, kept: Mapping[int, Node], text: str) -> list[Node]:
    """Return the active nodes that rested on this document alone and that its new ``text`` says no more.

    What still stands there word for word is said, whoever found it: a model, or rules that have changed since.
    """
    still = {node.id for node in kept.values()}
    return [
        node
        for node in before.own()
        if node.id not in still and node.status is Status.ACTIVE and not before.stands(node, text)
    ]


def _pair(
    found: dict[int, Node],
    drafts: Sequence[Draft],
    free: dict[str, Node],
    key_of: Callable[[Draft | Node], tuple[str, ...]],
) -> None:
    waiting: dict[tuple[str, ...], list[Node]] = defaultdict(list)
    for node in free.values():
        waiting[key_of(node)].append(node)
    for place, draft in enumerate(drafts):
        held = waiting[key_of(draft)]
        if place not in found and held:
            found[place] = free.pop(held.pop(0).id)


def _by_kind(said: Draft | Node) -> tuple[str, ...]:
    return (said.kind, fold(said.title))


def _by_title(said: Draft | Node) -> tuple[str, ...]:
    return (fold(said.title),)
