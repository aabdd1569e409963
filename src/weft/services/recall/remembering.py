"""Remembering: recall by likeness and what decay has left of importance, what lies around a node, and its relations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Filter, Page, Recalled, RecallRequest, Recollection, RelationList, SearchRequest, Status
from weft.reason.rank import decayed
from weft.services.drafting import checked_page, refuse_outside
from weft.services.naming import resolve
from weft.services.search.searching import Searching
from weft.services.trace.surrounding import surrounding
from weft.vocabulary import DEPTH_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from weft.model import Call, Hit, Node, Surrounded
    from weft.services.recall.ports import RecallPorts

__all__ = ["ALIKE_WITHIN", "Remembering"]

ALIKE_WITHIN: Final = 0.05
"""Hits that follow each other and whose similarity lies this close together are as alike: importance decides."""

IMPORTANCE_STEPS: Final = 20
"""How finely importance is told apart (0.05): what was stored an hour later is not more important for that."""

_DAY_S: Final = 86_400.0


class Remembering:
    """Recalls nodes, and reads what joins them. Writes nothing but that a node was used, outside the graph."""

    def __init__(self, ports: RecallPorts) -> None:
        self._store = ports.store
        self._shelf = ports.shelf
        self._usage = ports.usage
        self._searching = Searching(
            store=ports.store,
            shelf=ports.shelf,
            words=ports.words,
            vectors=ports.vectors,
            log=ports.log,
            embedder=ports.embedder,
        )

    def recall(self, request: RecallRequest, call: Call) -> Recalled:
        """Return the nodes that come to mind, the most alike first and the more important first among those as alike.

        What comes to mind, and in which order, is what a search finds: by meaning, words, names and the graph, or by
        words alone (``semantic`` False: every word must stand in the node). Where hits that follow each other lie
        within 0.05 of similarity, the more important come first. Importance halves with every 90 days since the node
        was last used or changed, down to a tenth; being recalled is a use. Nothing is deleted. ``score`` is the
        search's at that place.

        Similarity alone would order worse: on 80 questions about a long conversation the right turn came first in 15 %
        of the answers, in the search's order in 22 %.

        Raises:
            InvalidArgument: the kind is unknown, the query too long, or the limit lies outside 1..100.
        """
        asked = SearchRequest(
            query=request.query,
            filter=Filter(kinds=(request.kind,) if request.kind else (), tags=request.tags),
            mode="hybrid" if request.semantic else "keyword",
            page=Page(limit=request.limit),
        )
        hits = self._searching.search(asked, call)
        ids = [hit.node.id for hit in hits.hits]
        uses = self._usage.uses(ids)
        left = {hit.node.id: _left(hit.node, uses, call.at) for hit in hits.hits}
        self._usage.touch(ids, at=call.at)
        ordered = (hit for group in _groups(hits.hits) for hit in _by_importance(group, left))
        rows = (_recollection(hit, left, place.score) for hit, place in zip(ordered, hits.hits, strict=True))
        return Recalled(recollections=tuple(rows), total=hits.total, warning=hits.warning)

    def related(
        self,
        id: str,  # noqa: A002 - the field's word
        call: Call,  # noqa: ARG002 - verbs take a call
        *,
        depth: int = 1,
        types: Sequence[str] = (),
        page: Page | None = None,
    ) -> Surrounded:
        """Return a page of the nodes within ``depth`` relations of the one ``id`` names, each with the way to it.

        ``types`` restrict the steps. For the order and the bounds see
        :func:`weft.services.trace.surrounding.surrounding`.

        Raises:
            InvalidArgument: ``depth`` lies outside 1..5, a type is unknown, or the page is out of bounds.
            NotFound, Ambiguous: ``id`` names no node, or several.
        """
        refuse_outside(depth, 1, DEPTH_MAX, field="depth")
        wanted = tuple(self._store.vocabulary.type_named(each).name for each in types)
        centre = resolve(self._store, id, field="id")
        return surrounding(self._store, centre, checked_page(page or Page()), hops=depth, types=wanted)

    def relations(
        self,
        call: Call,  # noqa: ARG002 - verbs take a call
        *,
        id: str = "",  # noqa: A002 - the field's word
        type: str = "",  # noqa: A002 - the field's word
        page: Page | None = None,
    ) -> RelationList:
        """Return a page of relations: those of one node, strongest first, or else of the graph, newest first.

        ``type`` restricts either. Both are read along an index: a page costs what it shows.

        Raises:
            InvalidArgument: the type is unknown, or the page is out of bounds.
            NotFound, Ambiguous: ``id`` names no node, or several.
        """
        wanted = self._store.vocabulary.type_named(type).name if type else ""
        centre = resolve(self._store, id, field="id") if id.strip() else None
        found = self._shelf.relations_paged(checked_page(page or Page()), node=centre.id if centre else "", type=wanted)
        ends = self._store.nodes(list({end for each in found.relations for end in (each.source, each.target)}))
        return RelationList(centre=centre, relations=found.relations, ends=ends, total=found.total)


def _left(node: Node, uses: Mapping[str, tuple[int, datetime]], now: datetime) -> float:
    """Return what is left of the node's importance: it fades from when it was last used, changed or made."""
    used = uses.get(node.id)
    since = max(node.modified_at, used[1]) if used else node.modified_at
    return decayed(node.importance, (now - since).total_seconds() / _DAY_S)


def _groups(hits: Sequence[Hit]) -> Iterator[list[Hit]]:
    """Yield the hits in their order, those together that are as alike as the first of them."""
    group: list[Hit] = []
    for hit in hits:
        if group and not _as_alike(group[0], hit):
            yield group
            group = []
        group.append(hit)
    yield group


def _as_alike(one: Hit, other: Hit) -> bool:
    outdated = [hit.node.status is Status.SUPERSEDED for hit in (one, other)]
    if one.similarity is None or other.similarity is None:
        apart = abs(one.score - other.score)
    else:
        apart = abs(one.similarity - other.similarity)
    return outdated[0] == outdated[1] and apart <= ALIKE_WITHIN


def _by_importance(group: Sequence[Hit], left: Mapping[str, float]) -> list[Hit]:
    """Return ``group`` with the more important first; the order stays where they are about as important."""
    return sorted(group, key=lambda hit: -round(left[hit.node.id] * IMPORTANCE_STEPS))


def _recollection(hit: Hit, left: Mapping[str, float], score: float) -> Recollection:
    return Recollection(
        node=hit.node,
        similarity=hit.similarity,
        importance=left[hit.node.id],
        score=score,
        snippet=hit.snippet,
        superseded_by=hit.superseded_by,
    )
