"""What the graph knows of a document from earlier: its text, its nodes, and which of these a new text says again."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Final

from weft.model import Origin, SourceType, Status
from weft.text import fold, normalized

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from weft.model import Evidence, Node, Source
    from weft.ports import Shelf, Store
    from weft.reason.extract import Draft

__all__ = ["Known", "known", "matches", "spelled", "vanished"]

SIBLINGS_MAX: Final = 10_000  # nodes that rest on one document
_NAMED_MAX: Final = 20  # nodes of one handle that are looked through


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A document as the graph holds it; all empty where it holds none.

    ``source`` is its newest text, ``document`` the node of the document itself, ``nodes`` all that rest on it (that
    node too), ``evidence`` theirs, oldest first, and ``sources`` the ids of all its texts. ``newest`` is its newest
    text even where the node was forgotten: the next one must come after it.
    """

    newest: Source | None = None
    source: Source | None = None
    document: Node | None = None
    nodes: Mapping[str, Node] = field(default_factory=dict)
    evidence: Mapping[str, Sequence[Evidence]] = field(default_factory=dict)
    sources: frozenset[str] = frozenset()

    def owns(self, node: str) -> bool:
        """Return whether this document was the first to say what ``node`` says."""
        held = self.evidence.get(node, ())
        return bool(held) and held[0].source in self.sources

    def alone(self, node: str) -> bool:
        """Return whether ``node`` rests on nothing but this document."""
        return all(each.source in self.sources for each in self.evidence.get(node, ()))

    def stands(self, node: Node, text: str) -> bool:
        """Return whether ``text`` holds, word for word, what this document said of ``node``; parts are no such node."""
        if self.document is not None and node.title.startswith(f"{self.document.title} (part "):
            return False
        held = self.evidence.get(node.id, ())
        return any(each.quote in text for each in held if each.source in self.sources and each.quote)

    def said(self, node: str, quote: str) -> Evidence | None:
        """Return the evidence by which this document said ``quote`` of ``node``, or None."""
        held = (each for each in self.evidence.get(node, ()) if each.source in self.sources and each.quote == quote)
        return next(held, None)


def known(store: Store, shelf: Shelf, *, name: str, ontology: str) -> Known:
    """Return what the graph knows of the document of this name and ontology; nothing where its node was forgotten."""
    source = store.source_of(name, ontology)
    document = _document(store, name, ontology) if source else None
    if source is None or document is None:
        return Known(newest=source)
    siblings = shelf.by_evidence((document.id,), per_node=SIBLINGS_MAX).get(document.id, ())
    nodes = {key: node for key, node in store.nodes((document.id, *siblings)).items() if node.retired is None}
    evidence: dict[str, list[Evidence]] = defaultdict(list)
    for each in store.evidence(list(nodes)):
        evidence[each.subject].append(each)
    own = frozenset(each.source for each in evidence[document.id] if each.type is SourceType.DOCUMENT)
    return Known(newest=source, source=source, document=document, nodes=nodes, evidence=evidence, sources=own)


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
        for key, node in before.nodes.items()
        if key not in still
        and node.origin is Origin.DOCUMENT
        and node.status is Status.ACTIVE
        and before.owns(key)
        and before.alone(key)
        and not before.stands(node, text)
    ]


def _document(store: Store, name: str, ontology: str) -> Node | None:
    named = store.resolve(name, limit=_NAMED_MAX)
    return next((node for node in named if node.ontology == ontology and name in node.handles), None)


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
