"""How the ``research`` tools run: arguments to a request, a verb of the graph, its value to the answer."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from weft.model import (
    AnalyzeRequest,
    CaptureRequest,
    Filter,
    Linking,
    Page,
    RelateRequest,
    SearchRequest,
    TraceRequest,
)
from weft.services.naming import resolve
from weft.tools.research import answers
from weft.tools.research import arguments as given
from weft.tools.row import Binding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from weft.graph import Graph
    from weft.model import Analyzed, Call, Captured, Challenged, Fetched, Forgotten, Hits, Related, Traced

__all__ = ["CALLS"]

CLAIM = "claim"
"""The kind of what this toolset ingests and lists; its other reads cover all kinds."""


def _ingest(graph: Graph, asked: given.IngestArguments, call: Call) -> Captured:
    request = CaptureRequest(
        content=asked.hypothesis,
        kind=CLAIM,
        citation=asked.source,
        confidence=asked.confidence,
        linking=Linking.NONE,
    )
    return graph.capture.capture(request, call)


def _connect(graph: Graph, asked: given.ConnectArguments, call: Call) -> answers.Connected:
    source = resolve(graph.store, asked.id_a, field="id_a")
    target = resolve(graph.store, asked.id_b, field="id_b")

    def shown(result: Related) -> answers.Connected:
        return answers.Connected(result=result, source=source, target=target)

    request = RelateRequest(source=source.id, target=target.id, type=asked.relation, reasoning=asked.reasoning)
    return shown(graph.relate.relate(request, _sealing(call, shown)))


def _search(graph: Graph, asked: given.SearchArguments, call: Call) -> Hits:
    request = SearchRequest(
        query=asked.query,
        filter=Filter(confidence_min=asked.min_confidence),
        mode="semantic",
        page=Page(limit=asked.limit),
    )
    return graph.recall.search(request, call)


def _lineage(graph: Graph, asked: given.LineageArguments, call: Call) -> Traced:
    return graph.trace.trace(TraceRequest(start=asked.start_concept, end=asked.end_concept), call)


def _contradictions(graph: Graph, asked: given.ContradictionsArguments, call: Call) -> Challenged:
    return graph.trace.challenge(asked.claim, call)


def _list(graph: Graph, asked: given.ListArguments, call: Call) -> Hits:
    page = Page(limit=asked.limit, offset=asked.offset)
    return graph.recall.search(SearchRequest(query="", filter=Filter(kinds=(CLAIM,)), page=page), call)


def _unit(graph: Graph, asked: given.UnitArguments, call: Call) -> Fetched:
    return graph.recall.fetch(resolve(graph.store, asked.unit_id, field="unit_id").id, call)


def _delete(graph: Graph, asked: given.DeleteArguments, call: Call) -> answers.Deleted:
    unit = resolve(graph.store, asked.unit_id, field="unit_id")

    def shown(result: Forgotten) -> answers.Deleted:
        return answers.Deleted(result=result, unit=unit)

    return shown(graph.capture.forget(unit.id, _sealing(call, shown), confirm=asked.confirm))


def _analyze(graph: Graph, asked: given.AnalyzeArguments, call: Call) -> Analyzed:
    request = AnalyzeRequest(kind=asked.kind, subject=asked.subject, other=asked.other, limit=asked.limit)
    return graph.analyze.analyze(request, call)


def _sealing(call: Call, shown: Callable[..., object]) -> Call:
    """Return ``call`` with a receipt that seals what is shown of the verb's result, so that a repeat shows the same."""
    wish = call.receipt
    if wish is None:
        return call
    return replace(call, receipt=replace(wish, seal=lambda result: wish.seal(shown(result))))


CALLS: Mapping[str, Binding] = MappingProxyType(
    {
        "ingest_hypothesis": Binding(arguments=given.IngestArguments, run=_ingest, reshape=answers.ingested),
        "connect_propositions": Binding(arguments=given.ConnectArguments, run=_connect, reshape=answers.connected),
        "semantic_search": Binding(arguments=given.SearchArguments, run=_search, reshape=answers.found),
        "find_scientific_lineage": Binding(arguments=given.LineageArguments, run=_lineage, reshape=answers.lineage),
        "find_contradictions": Binding(
            arguments=given.ContradictionsArguments, run=_contradictions, reshape=answers.contradictions
        ),
        "list_propositions": Binding(arguments=given.ListArguments, run=_list, reshape=answers.listed),
        "get_unit": Binding(arguments=given.UnitArguments, run=_unit, reshape=answers.unit),
        "delete_unit": Binding(arguments=given.DeleteArguments, run=_delete, reshape=answers.deleted),
        "analyze_propositions": Binding(arguments=given.AnalyzeArguments, run=_analyze, reshape=answers.analyzed),
    }
)
