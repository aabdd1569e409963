"""How the ``core`` tools run: arguments to a request, a verb of the graph, its value to the answer."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from weft.model import (
    CaptureRequest,
    ContextRequest,
    Decision,
    Filter,
    Page,
    RelateRequest,
    RelationWish,
    SearchRequest,
    SynthesizeRequest,
    TraceRequest,
    UpdateRequest,
)
from weft.tools import rendering, runs
from weft.tools.core import answers, written
from weft.tools.core import arguments as given
from weft.tools.row import Binding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.graph import Graph
    from weft.model import (
        Call,
        Captured,
        Challenged,
        Contexts,
        Fetched,
        Hits,
        Related,
        Reviewed,
        Standing,
        Synthesized,
        Traced,
        Updated,
    )

__all__ = ["CALLS"]


def _capture(graph: Graph, asked: given.CaptureArguments, call: Call) -> Captured:
    wishes = tuple(
        RelationWish(type=wish.type, target=wish.target, reasoning=wish.reasoning) for wish in asked.relations
    )
    request = CaptureRequest(
        content=asked.content,
        title=asked.title,
        kind=asked.kind,
        ontology=asked.ontology,
        tags=asked.tags,
        references=tuple(map(graph.staleness.named, asked.references)),
        citation=asked.citation,
        channel=asked.channel,
        confidence=asked.confidence,
        importance=asked.importance,
        relations=wishes,
    )
    return graph.capture.capture(request, call)


def _search(graph: Graph, asked: given.SearchArguments, call: Call) -> Hits:
    return graph.recall.search(_wanted(asked), call)


def _hinted(graph: Graph, hits: Hits, asked: given.SearchArguments, call: Call) -> Hits:
    return graph.recall.hinted(hits, _wanted(asked), call)


def _wanted(asked: given.SearchArguments) -> SearchRequest:
    wanted = Filter(
        kinds=asked.kinds,
        ontologies=asked.ontologies,
        tags=asked.tags,
        status=asked.status.value if asked.status else "",
        confidence_min=asked.min_confidence,
        since=asked.since,
        scope=asked.scope,
    )
    return SearchRequest(
        query=asked.query,
        filter=wanted,
        related_to=asked.related_to,
        as_of=asked.as_of,
        mode=asked.mode,
        page=Page(limit=asked.limit, offset=asked.offset),
    )


def _fetch(graph: Graph, asked: given.FetchArguments, call: Call) -> Fetched:
    return graph.recall.fetch(asked.id, call, detail=asked.detail, depth=asked.depth)


def _update(graph: Graph, asked: given.UpdateArguments, call: Call) -> Updated:
    request = UpdateRequest(
        id=asked.id,
        title=asked.title,
        content=asked.content,
        kind=asked.kind,
        ontology=asked.ontology,
        tags=asked.tags,
        references=None if asked.references is None else tuple(map(graph.staleness.named, asked.references)),
        status=asked.status,
        confidence=asked.confidence,
        importance=asked.importance,
        superseded_by=asked.superseded_by,
        if_version=asked.if_version,
    )
    return graph.capture.update(request, call)


def _relate(graph: Graph, asked: given.RelateArguments, call: Call) -> Related:
    request = RelateRequest(
        source=asked.source,
        target=asked.target,
        type=asked.type,
        reasoning=asked.reasoning,
        confidence=asked.confidence,
        evidence=asked.evidence,
    )
    return graph.relate.relate(request, call)


def _trace(graph: Graph, asked: given.TraceArguments, call: Call) -> Traced:
    request = TraceRequest(
        start=asked.start,
        end=asked.end,
        hops_max=asked.max_hops,
        types=asked.relations,
        scope=asked.scope,
        alternatives=asked.alternatives,
    )
    return graph.trace.trace(request, call)


def _challenge(graph: Graph, asked: given.ChallengeArguments, call: Call) -> Challenged:
    return graph.trace.challenge(asked.claim, call, limit=asked.limit, scope=asked.scope)


def _synthesize(graph: Graph, asked: given.SynthesizeArguments, call: Call) -> Synthesized:
    request = SynthesizeRequest(
        label=asked.label,
        bridges=asked.bridges,
        evidence=asked.evidence,
        search_terms=asked.search_terms,
        ontology=asked.ontology,
        creator=asked.creator,
    )
    return graph.synthesize.synthesize(request, call)


def _context(graph: Graph, asked: given.ContextArguments, call: Call) -> Contexts:
    request = ContextRequest(
        task=asked.task,
        current_file=runs.file_named(graph, asked.current_file),
        recent_files=tuple(runs.file_named(graph, file) for file in asked.recent_files),
        limit=asked.limit,
    )
    return graph.recall.context(request, call)


def _review(graph: Graph, asked: given.ReviewArguments, call: Call) -> Reviewed:
    decisions = tuple(Decision(item=word.item, decision=word.decision, reason=word.reason) for word in asked.decide)
    kinds = tuple(kind.value for kind in asked.kinds)
    graph.watching.sweep_if_due(call)
    return graph.curate.review(decisions, call, kinds=kinds, limit=asked.limit)


def _deciding(asked: given.ReviewArguments) -> str:
    return "librarian" if asked.decide else "reader"


def _status(graph: Graph, asked: given.StatusArguments, call: Call) -> Standing:
    return graph.recall.status(call, detail=asked.detail)


CALLS: Mapping[str, Binding] = MappingProxyType(
    {
        "capture": Binding(arguments=given.CaptureArguments, run=_capture, reshape=written.captured),
        "search": Binding(arguments=given.SearchArguments, run=_search, reshape=answers.hits, hinted=_hinted),
        "fetch": Binding(arguments=given.FetchArguments, run=_fetch, reshape=answers.fetched),
        "update": Binding(arguments=given.UpdateArguments, run=_update, reshape=written.updated),
        "forget": Binding(arguments=given.ForgetArguments, run=runs.forget, reshape=written.forgotten),
        "relate": Binding(arguments=given.RelateArguments, run=_relate, reshape=written.related),
        "unrelate": Binding(arguments=given.UnrelateArguments, run=runs.unrelate, reshape=rendering.unrelated),
        "trace": Binding(arguments=given.TraceArguments, run=_trace, reshape=answers.traced),
        "challenge": Binding(arguments=given.ChallengeArguments, run=_challenge, reshape=answers.challenged),
        "bridge": Binding(arguments=given.BridgeArguments, run=runs.bridge, reshape=answers.bridged),
        "synthesize": Binding(arguments=given.SynthesizeArguments, run=_synthesize, reshape=answers.synthesized),
        "context": Binding(arguments=given.ContextArguments, run=_context, reshape=answers.contexts),
        "review": Binding(arguments=given.ReviewArguments, run=_review, reshape=answers.reviewed, reach=_deciding),
        "status": Binding(arguments=given.StatusArguments, run=_status, reshape=answers.standing),
    }
)
