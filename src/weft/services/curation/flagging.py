"""Flagging pairs of nodes that say the same, so that somebody may merge them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.model import Filter, Flag, Flagged, Origin, Page, SaveSuggestion, SuggestionState
from weft.reason.repeat import told_apart
from weft.reason.version import versions
from weft.services import drafting, suggesting
from weft.services.curation.likeness import flag_of, likeness
from weft.services.naming import resolve
from weft.services.planning import Plan, settle
from weft.services.search.spelling import ontology_named
from weft.vocabulary import LIST_MAX, NAME_MAX, REASONABLE

if TYPE_CHECKING:
    from weft.model import Call, FlagRequest, Node
    from weft.ports import Embedder, Shelf, Store, Vectors

__all__ = ["Flagging"]

NODES_MAX: Final = 200
"""Nodes of an ontology that are compared in one call, the newest; each costs a look into the index."""

NEAR_MAX: Final = 10  # nearest nodes that one is compared with
PROBES_MAX: Final = 3  # passages of a node that are looked up
PAIRS_MAX: Final = 300  # pairs that are judged in one call


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """Where pairs are looked for: around which nodes, among which, and how many there are in all."""

    nodes: tuple[Node, ...]
    filter: Filter
    total: int


class Flagging:
    """Finds pairs that say the same."""

    def __init__(self, *, store: Store, shelf: Shelf, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._shelf = shelf
        self._vectors = vectors
        self._embedder = embedder

    def flag(self, request: FlagRequest, call: Call) -> Flagged:
        """Flag the likest pairs around one node, or within one ontology, for review.

        Around a node the whole graph is looked at; within an ontology its newest 200 nodes. A pair that contradicts
        itself, in words or by a relation, is not flagged, nor two versions of one text, by their titles, nor a pair
        that was decided before or that documents said both of. The older node is to stay, unless a document said the
        other. A pair that is flagged already keeps its flag.

        Raises:
            InvalidArgument: neither a node nor an ontology is named, or both, or a value is out of bounds.
            NotFound, Ambiguous: the node is not named by its reference, or no node has the ontology.
        """
        _check(request)
        look = self._look(request)
        pairs = self._pairs(look, request.similarity_min)

        def plan(batch: str) -> Plan[Flagged]:
            flags: list[Flag] = []
            passed = {"opposed": 0, "decided": 0, "kept": 0}
            for one, other in pairs:
                if len(flags) >= request.limit:
                    break
                found = self._flag(one, other, request.similarity_min, call)
                if isinstance(found, Flag):
                    flags.append(found)
                elif found:
                    passed[found] += 1
            flags.sort(key=lambda each: (-each.similarity, each.suggestion.id))
            fresh = [SaveSuggestion(suggestion=each.suggestion) for each in flags if not each.existing]
            answer = Flagged(
                flags=tuple(flags),
                **passed,
                looked_at=len(look.nodes),
                nodes=look.total,
                batch=batch if fresh else "",
            )
            return Plan(operations=tuple(fresh), answer=answer, subjects=tuple(each.suggestion.id for each in flags))

        return settle(self._store, call, plan)

    def _look(self, request: FlagRequest) -> _Look:
        if request.id.strip():
            node = resolve(self._store, request.id, field="concept_id")
            return _Look(nodes=(node,), filter=Filter(), total=1)
        named = drafting.line(request.ontology, field="ontology", limit=NAME_MAX)
        wanted = Filter(ontologies=(ontology_named(self._shelf, named, field="ontology"),))
        found = self._store.find(wanted, Page(limit=NODES_MAX))
        return _Look(nodes=found.nodes, filter=wanted, total=found.total)

    def _pairs(self, look: _Look, similarity_min: float) -> list[tuple[Node, Node]]:
        """Return the pairs that lie near each other, nearest first, each once."""
        floor = self._embedder.calibration.cosine(similarity_min)
        vectors = self._vectors.of([node.id for node in look.nodes])
        best: dict[tuple[str, str], float] = {}
        for node in look.nodes:
            for vector in vectors.get(node.id, ())[:PROBES_MAX]:
                for near in self._vectors.nearest(vector, filter=look.filter, limit=NEAR_MAX + 1):
                    if near.node != node.id and near.cosine >= floor:
                        first, second = sorted((node.id, near.node))
                        best[first, second] = max(near.cosine, best.get((first, second), -1.0))
        ranked = sorted(best, key=lambda pair: (-best[pair], pair))[:PAIRS_MAX]
        nodes = self._store.nodes(list({each for pair in ranked for each in pair}))
        return [(nodes[a], nodes[b]) for a, b in ranked if _stand(nodes.get(a), nodes.get(b))]

    def _flag(self, one: Node, other: Node, similarity_min: float, call: Call) -> Flag | str:
        """Return the flag of a pair, or why it has none: opposed, decided, kept, or empty (not alike enough)."""
        if one.origin is other.origin is Origin.DOCUMENT:
            return "kept"
        found = likeness(self._store, self._vectors, self._embedder, one, other)
        if found.opposed or told_apart(one.content, other.content) or versions(one, (other,)):
            return "opposed"
        if found.similarity < similarity_min:
            return ""
        keep, merge = _roles(one, other)
        standing = flag_of(self._store, keep.id, merge.id)
        if standing is not None and standing.state is not SuggestionState.OPEN:
            return "decided"
        if standing is not None:
            named = standing.proposal.get("merge", {})
            keep, merge = (merge, keep) if named.get("keep") == merge.id else (keep, merge)
        return Flag(
            suggestion=standing or suggesting.duplicate(merge, keep, found.similarity, found.verdict, call),
            keep=keep,
            merge=merge,
            similarity=round(found.similarity, 4),
            judged=found.verdict.verdict,
            existing=standing is not None,
        )


def _check(request: FlagRequest) -> None:
    if bool(request.id.strip()) == bool(request.ontology.strip()):
        raise InvalidArgument("Give concept_id, or ontology, and not both: where to look for what says the same.")
    if not REASONABLE <= request.similarity_min <= 1.0:
        raise InvalidArgument(f"min_similarity must lie in {REASONABLE:.2f}..1, got {request.similarity_min}.")
    drafting.refuse_outside(request.limit, 1, LIST_MAX, field="limit")


def _stand(*nodes: Node | None) -> bool:
    return all(node is not None and node.retired is None for node in nodes)


def _roles(one: Node, other: Node) -> tuple[Node, Node]:
    """Return (keep, merge): what a document said stays, else the older node."""
    keep, merge = sorted((one, other), key=lambda node: (node.origin is not Origin.DOCUMENT, node.created_at, node.id))
    return keep, merge
