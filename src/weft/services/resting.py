"""What rests on a document that the graph holds: its newest text, its node, and the nodes of what it said."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from weft.model import Origin, SourceType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from weft.model import Evidence, Node, Relation, Source
    from weft.ports import Shelf, Store

__all__ = ["Known", "document_of", "known", "unstated"]

T = TypeVar("T", "Node", "Relation")

SIBLINGS_MAX: Final = 10_000  # nodes that rest on one document
_NAMED_MAX: Final = 20  # nodes of one handle that are looked through


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A document as the graph holds it; all empty where it holds none.

    ``source`` is its newest text that was not taken back, ``document`` the node of the document itself, ``nodes`` all
    that rest on it (that node too), ``evidence`` theirs, oldest first, and ``sources`` the ids of all its texts.
    ``newest`` is its newest text even where that was taken back, or the node was forgotten: the next one must come
    after it.
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

    def own(self) -> list[Node]:
        """Return what this document was the first to state and what rests on it alone; itself is among these."""
        return [
            node
            for key, node in self.nodes.items()
            if node.origin is Origin.DOCUMENT and self.owns(key) and self.alone(key)
        ]

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
    document = document_of(store, name, ontology) if source else None
    if source is None or document is None:
        return Known(newest=source)
    siblings = shelf.by_evidence((document.id,), per_node=SIBLINGS_MAX).get(document.id, ())
    nodes = {key: node for key, node in store.nodes((document.id, *siblings)).items() if node.retired is None}
    evidence: dict[str, list[Evidence]] = defaultdict(list)
    for each in store.evidence(list(nodes)):
        evidence[each.subject].append(each)
    own = frozenset(each.source for each in evidence[document.id] if each.type is SourceType.DOCUMENT)
    held = source if source.id in own else _newest_of(store, own) or source
    return Known(newest=source, source=held, document=document, nodes=nodes, evidence=evidence, sources=own)


def _newest_of(store: Store, sources: frozenset[str]) -> Source | None:
    """Return the newest of a document's texts that its node rests on: an undo took the later ones back."""
    return max(store.sources(list(sources)).values(), key=lambda each: each.id, default=None)


def document_of(store: Store, name: str, ontology: str) -> Node | None:
    """Return the node of the document of this name and ontology; None: there is none, or it was forgotten."""
    named = store.resolve(name, limit=_NAMED_MAX)
    return next((node for node in named if node.ontology == ontology and name in node.handles), None)


def unstated(store: Store, said: Iterable[T], texts: Mapping[tuple[str, str], str]) -> list[T]:
    """Return those of these nodes or relations that documents state and the newest text of none holds a quote for.

    ``texts`` are texts that are newer than those in the store, by the name and the ontology of their documents.
    """
    stated = {each.id: each for each in said if each.origin is Origin.DOCUMENT}
    grounds: dict[str, list[Evidence]] = defaultdict(list)
    for each in store.evidence(list(stated)):
        grounds[each.subject].append(each)
    held = store.sources(list({each.source for rests in grounds.values() for each in rests}))
    named = {_named(source) for source in held.values()}
    newest = {each: texts[each] if each in texts else _newest(store, *each) for each in named}

    def stands(piece: Evidence) -> bool:
        source = held.get(piece.source)
        return piece.type is not SourceType.DOCUMENT or source is None or piece.quote in newest[_named(source)]

    return [stated[key] for key, rests in grounds.items() if not any(map(stands, rests))]


def _newest(store: Store, name: str, ontology: str) -> str:
    source = store.source_of(name, ontology)
    return source.text if source is not None else ""


def _named(source: Source) -> tuple[str, str]:
    return source.document, source.ontology
