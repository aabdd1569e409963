"""A map of the graph: its best related nodes, and the relations among them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from weft.model import Filter, GraphMap, MappedNode, Page
from weft.services.drafting import refuse_outside
from weft.vocabulary import MAPPED_MAX

if TYPE_CHECKING:
    from weft.model import MapRequest
    from weft.ports import Log, Shelf, Store

__all__ = ["LOOKED_MAX", "Drawing"]

RELATIONS_MAX: Final = 2_000
"""Relations of one map, the surest; a picture of more is all lines."""

LOOKED_MAX: Final = 200_000
"""Nodes that are compared for one map, the newest; the answer says how many. Each costs two looks into an index."""

KEPT_MAX: Final = 8


class Drawing:
    """Picks what of the graph is drawn. Maps are kept until the log has grown: comparing all nodes takes a moment."""

    def __init__(self, *, store: Store, shelf: Shelf, log: Log) -> None:
        self._store = store
        self._shelf = shelf
        self._log = log
        self._kept: dict[tuple[int, MapRequest], GraphMap] = {}
        self._keeping = threading.Lock()

    def map(self, request: MapRequest) -> GraphMap:
        """Return the map that ``request`` asks for.

        Raises:
            InvalidArgument: the limit lies outside 1..500, or the kind is not known.
        """
        refuse_outside(request.limit, 1, MAPPED_MAX, field="limit")
        key = (self._log.head(), request)
        kept = self._kept.get(key)
        return kept if kept is not None else self._keep(key, self._drawn(request))

    def _keep(self, key: tuple[int, MapRequest], made: GraphMap) -> GraphMap:
        with self._keeping:
            newest = [(each, old) for each, old in self._kept.items() if each[0] == key[0]]
            self._kept = {**dict(newest[1 - KEPT_MAX :]), key: made}
        return made

    def _drawn(self, request: MapRequest) -> GraphMap:
        wanted = self._filter(request)
        total = self._store.find(wanted, Page(limit=1)).total
        counted = dict(self._shelf.best_related(wanted, limit=request.limit, looked=LOOKED_MAX))
        nodes = self._store.nodes(list(counted))
        counts = self._store.counts()
        among = self._shelf.relations_among(list(nodes), limit=RELATIONS_MAX)
        return GraphMap(
            nodes=tuple(MappedNode(node=node, relation_count=counted[node.id]) for node in nodes.values()),
            relations=among.relations,
            nodes_total=total,
            relations_total=among.total,
            looked_at=min(total, LOOKED_MAX),
            ontologies=counts.nodes_by_ontology,
            kinds=counts.nodes_by_kind,
        )

    def _filter(self, request: MapRequest) -> Filter:
        kinds = (self._store.vocabulary.kind_named(request.kind).name,) if request.kind.strip() else ()
        return Filter(kinds=kinds, ontologies=(request.ontology,) if request.ontology else ())
