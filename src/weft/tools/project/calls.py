"""How the ``project`` tools run: arguments to a request, a verb of the graph, its value to the answer."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from weft.model import (
    CaptureRequest,
    ContextRequest,
    Filter,
    Linking,
    Page,
    RelateRequest,
    SearchRequest,
    UpdateRequest,
)
from weft.tools import rendering, runs
from weft.tools.project import answers
from weft.tools.project import arguments as given
from weft.tools.row import Binding
from weft.vocabulary import PROJECT_KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.graph import Graph
    from weft.model import Call, Captured, Contexts, Counts, Forgotten, Hits, Related, Updated

__all__ = ["CALLS"]

STATED: Final = 0.95
"""The confidence of a type that the caller states, which the node takes like that of a classification."""

RELATIONS_SHOWN: Final = 5  # of each node of a context


def _capture(graph: Graph, asked: given.CaptureArguments, call: Call) -> Captured:
    request = CaptureRequest(
        content=asked.content,
        title=asked.title,
        kind=asked.type,
        tags=asked.tags,
        references=tuple(map(graph.staleness.named, asked.references)),
        channel=asked.source,
        confidence=STATED if asked.type else None,
        linking=Linking.RULES,
        among=PROJECT_KINDS,
    )
    return graph.capture.capture(request, call)


def _query(graph: Graph, asked: given.QueryArguments, call: Call) -> Hits:
    wanted = Filter(
        kinds=(asked.type,) if asked.type else (),
        tags=asked.tags,
        status=asked.status.value if asked.status else "",
        confidence_min=asked.min_confidence,
    )
    request = SearchRequest(
        query=asked.query,
        filter=wanted,
        related_to=asked.related_to,
        mode=asked.mode,
        page=Page(limit=asked.limit, offset=asked.offset),
    )
    return graph.recall.search(request, call)


def _status(graph: Graph, _asked: given.StatusArguments, _call: Call) -> Counts:
    return graph.store.counts()


def _update(graph: Graph, asked: given.UpdateArguments, call: Call) -> Updated:
    request = UpdateRequest(
        id=asked.id,
        title=asked.title,
        content=asked.content,
        tags=asked.tags,
        status=asked.status,
        confidence=asked.confidence,
        if_version=asked.if_version,
    )
    return graph.capture.update(request, call)


def _delete(graph: Graph, asked: given.DeleteArguments, call: Call) -> Forgotten:
    return graph.capture.forget(asked.id, call, confirm=asked.confirm)


def _relate(graph: Graph, asked: given.RelateArguments, call: Call) -> Related:
    request = RelateRequest(
        source=asked.source,
        target=asked.target,
        type=asked.type,
        reasoning=asked.description,
        confidence=asked.confidence,
    )
    return graph.relate.relate(request, call)


def _context(graph: Graph, asked: given.ContextArguments, call: Call) -> Contexts:
    request = ContextRequest(
        task=asked.currentTask,
        current_file=runs.file_named(graph, asked.currentFile),
        recent_files=tuple(runs.file_named(graph, file) for file in asked.recentFiles),
        limit=asked.maxNodes,
        relations_max=RELATIONS_SHOWN,
    )
    return graph.recall.context(request, call)


CALLS: Mapping[str, Binding] = MappingProxyType(
    {
        "autology_capture": Binding(arguments=given.CaptureArguments, run=_capture, reshape=answers.captured),
        "autology_query": Binding(arguments=given.QueryArguments, run=_query, reshape=answers.queried),
        "autology_status": Binding(arguments=given.StatusArguments, run=_status, reshape=answers.counted),
        "autology_update": Binding(arguments=given.UpdateArguments, run=_update, reshape=answers.updated),
        "autology_delete": Binding(arguments=given.DeleteArguments, run=_delete, reshape=answers.deleted),
        "autology_relate": Binding(arguments=given.RelateArguments, run=_relate, reshape=answers.related),
        "autology_unrelate": Binding(arguments=given.UnrelateArguments, run=runs.unrelate, reshape=rendering.unrelated),
        "autology_context": Binding(arguments=given.ContextArguments, run=_context, reshape=answers.contexts),
    }
)
