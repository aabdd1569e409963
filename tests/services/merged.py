"""A real graph for the tests of merging, and all that it holds as one value that can be compared."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from engine import graph_at
from weft import open as open_graph
from weft.model import (
    CaptureRequest,
    ConceptRequest,
    EvidenceRequest,
    Filter,
    Linking,
    MergeRequest,
    Page,
    RelateRequest,
    SuggestionQuery,
    UpdateRequest,
)
from weft.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.graph import Graph
    from weft.model import Merged, Node, Parted, Relation, Tier

__all__ = ["Bench", "bench"]

_WRITTEN = {"version", "modified_at", "modified_by"}


@dataclass(frozen=True, kw_only=True)
class Bench:
    """An open graph with what these tests do to it, in short."""

    graph: Graph

    def add(self, title: str, content: str = "", **fields: Any) -> Node:  # noqa: ANN401 - any field of a capture
        """Capture a concept that nothing links by itself."""
        request = CaptureRequest(
            content=content or f"{title} is what it is.", title=title, kind="concept", linking=Linking.NONE, **fields
        )
        return self.graph.capture.capture(request, self.graph.call("capture")).node

    def concept(self, label: str, **fields: Any) -> Node:  # noqa: ANN401 - any field of a concept
        """Make a concept, whatever is there."""
        request = ConceptRequest(label=label, proceed=True, **fields)
        return self.graph.curation.conceive(request, self.graph.call("create_concept")).node

    def join(self, source: Node, target: Node, type: str = "uses", **fields: Any) -> Relation:  # noqa: A002, ANN401
        """Relate two nodes, or strengthen the relation they have."""
        wish = {"reasoning": "So it was seen."} | fields
        request = RelateRequest(source=source.id, target=target.id, type=type, **wish)
        return self.graph.relate.relate(request, self.graph.call("relate")).relation

    def rest(self, node: Node, quote: str) -> None:
        """Give a node evidence."""
        self.graph.curation.add_evidence(EvidenceRequest(id=node.id, quote=quote), self.graph.call("add_evidence"))

    def change(self, node: Node, **fields: Any) -> None:  # noqa: ANN401 - any field of an update
        """Change fields of a node."""
        self.graph.capture.update(UpdateRequest(id=node.id, **fields), self.graph.call("update"))

    def merge(self, keep: Node, merge: Node, **fields: Any) -> Merged:  # noqa: ANN401 - any field of a merge
        """Merge two nodes, however unlike they are."""
        wish = {"reason": "They say the same.", "override": True} | fields
        request = MergeRequest(keep=keep.id, merge=merge.id, **wish)
        return self.graph.curation.merge(request, self.graph.call("merge_concepts"))

    def part(self, merged: Node) -> Parted:
        """Take the merge back."""
        return self.graph.curation.part(merged.id, self.graph.call("unmerge_concepts"))

    def node(self, id_: str) -> Node:
        """Return the node of this id as it stands, retired or not."""
        return self.graph.store.nodes((id_,))[id_]

    def types(self, one: Node, other: Node) -> dict[str, tuple[str, float]]:
        """Return the relations that join two nodes, by type: id and confidence."""
        joined = self.graph.store.relations((one.id,))
        return {each.type: (each.id, each.confidence) for each in joined if other.id in {each.source, each.target}}

    def whole(self) -> dict[str, Any]:
        """Return all that stands, but for versions, times of change, and the log."""
        store, found = self.graph.store, Filter()
        nodes = store.find(found, Page(limit=1000)).nodes
        ids = [node.id for node in nodes]
        relations = store.relations(ids)
        evidence = store.evidence([*ids, *(each.id for each in relations)])
        suggestions = store.suggestions(SuggestionQuery(state="", page=Page(limit=1000)))[0]
        mentions = self.graph.shelf.mentions(ids, per_node=1000)
        return {
            "nodes": {node.id: _plain(node) for node in nodes},
            "relations": {each.id: _plain(each) for each in relations},
            "evidence": {each.id: _plain(each) for each in evidence},
            "sources": store.sources(sorted({each.source for each in evidence})),
            "suggestions": {each.id: _plain(each) for each in suggestions},
            "mentions": {(each.node, each.target) for each in mentions},
            "words": {
                node.id: sorted(hit.node for hit in self.graph.words.search(node.title, filter=found, limit=1000))
                for node in nodes
            },
            "vectors": {key: vectors.tolist() for key, vectors in self.graph.vectors.of(ids).items()},
            "names": {node.id: sorted(each.id for each in store.resolve(node.title, limit=99)) for node in nodes},
        }


def _plain(value: Any) -> dict[str, Any]:  # noqa: ANN401 - a value of the graph
    return {name: part for name, part in asdict(value).items() if name not in _WRITTEN}


@contextmanager
def bench(folder: Path, *, role: str = "curator") -> Iterator[Bench]:
    """Open the graph in ``folder``."""
    chosen = Settings(graph=graph_at(folder / "notes.db"), actor="ada", role=role)
    with open_graph(settings=chosen) as graph:
        yield Bench(graph=graph)


def lowered(bench: Bench, tier: Tier) -> Any:  # noqa: ANN401 - a call
    """Return a call at a lower tier."""
    return replace(bench.graph.call("merge_concepts"), tier=tier)
