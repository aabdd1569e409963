"""How the ``memory`` tools run: arguments to a request, a verb of the graph, its value to the answer."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from weft.errors import InvalidArgument
from weft.model import CaptureRequest, Linking, Page, RecallRequest, RelateRequest, UpdateRequest
from weft.services.naming import resolve
from weft.tools import runs
from weft.tools.memory import answers
from weft.tools.memory import arguments as given
from weft.tools.row import Binding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.graph import Graph
    from weft.model import (
        Call,
        Captured,
        Fetched,
        Recalled,
        Related,
        RelationList,
        Surrounded,
        Updated,
    )

__all__ = ["CALLS"]


def _store(graph: Graph, asked: given.StoreArguments, call: Call) -> Captured:
    request = CaptureRequest(
        content=asked.content,
        title=asked.title,
        kind=asked.type,
        tags=asked.tags,
        importance=asked.importance,
        confidence=asked.confidence,
        linking=Linking.PAIRS,
    )
    return graph.capture.capture(request, call)


def _recall(graph: Graph, asked: given.RecallArguments, call: Call) -> Recalled:
    request = RecallRequest(
        query=asked.query, semantic=asked.semantic, kind=asked.type, tags=asked.tags, limit=asked.limit
    )
    return graph.remember.recall(request, call)


def _get(graph: Graph, asked: given.GetArguments, call: Call) -> Fetched:
    return graph.recall.fetch(asked.id, call)


def _update(graph: Graph, asked: given.UpdateArguments, call: Call) -> Updated:
    request = UpdateRequest(
        id=asked.id,
        title=asked.title,
        content=asked.content,
        kind=asked.type,
        tags=asked.tags,
        importance=asked.importance,
        confidence=asked.confidence,
        if_version=asked.if_version,
    )
    return graph.capture.update(request, call)


def _relate(graph: Graph, asked: given.RelateArguments, call: Call) -> Related:
    start = resolve(graph.store, asked.from_id, field="from_id")
    end = resolve(graph.store, asked.to_id, field="to_id")
    if start.id == end.id:
        raise InvalidArgument(f"from_id and to_id name the same memory, «{start.title}»; an edge joins two.")
    request = RelateRequest(
        source=start.id,
        target=end.id,
        type=asked.rel_type,
        reasoning=asked.context,
        confidence=asked.strength,
    )
    return graph.relate.relate(request, call)


def _related(graph: Graph, asked: given.RelatedArguments, call: Call) -> Surrounded:
    page = Page(limit=asked.limit, offset=asked.offset)
    return graph.remember.related(asked.id, call, depth=asked.depth, types=asked.rel_types, page=page)


def _edges(graph: Graph, asked: given.EdgesArguments, call: Call) -> RelationList:
    page = Page(limit=asked.limit, offset=asked.offset)
    return graph.remember.relations(call, id=asked.id, type=asked.type, page=page)


CALLS: Mapping[str, Binding] = MappingProxyType(
    {
        "memory_store": Binding(arguments=given.StoreArguments, run=_store, reshape=answers.stored),
        "memory_recall": Binding(arguments=given.RecallArguments, run=_recall, reshape=answers.recalled),
        "memory_get": Binding(arguments=given.GetArguments, run=_get, reshape=answers.got),
        "memory_update": Binding(arguments=given.UpdateArguments, run=_update, reshape=answers.updated),
        "memory_delete": Binding(arguments=given.DeleteArguments, run=runs.forget, reshape=answers.forgotten),
        "memory_relate": Binding(arguments=given.RelateArguments, run=_relate, reshape=answers.related),
        "memory_related": Binding(arguments=given.RelatedArguments, run=_related, reshape=answers.surrounded),
        "memory_edges": Binding(arguments=given.EdgesArguments, run=_edges, reshape=answers.edges),
    }
)
