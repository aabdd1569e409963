"""The answers of the ``core`` tools that read: each value of a service as the fields its tool promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Status
from weft.services.search.searching import HOLDING_MAX
from weft.tools import rendering
from weft.tools.core import recording
from weft.tools.rendering import Body, brief, clip

if TYPE_CHECKING:
    from weft.model import (
        BridgeCandidate,
        BridgeEnd,
        BridgeHint,
        Bridges,
        Challenged,
        ClaimSide,
        ContextNode,
        Contexts,
        Fetched,
        Hit,
        Hits,
        Match,
        Node,
        Relation,
        Reviewed,
        ReviewItem,
        Standing,
        Step,
        Synthesized,
        Traced,
        Trail,
    )
    from weft.tools.core import arguments as given

__all__ = [
    "bridged",
    "challenged",
    "contexts",
    "fetched",
    "hits",
    "reviewed",
    "standing",
    "synthesized",
    "traced",
]

CONTENT_SHOWN: Final = 8_000  # characters of a node's text in a concise fetch, or on from an offset
_PART_BYTES: Final = 18_000  # of these, so that what an answer has room for is never cut further


def hits(result: Hits, arguments: given.SearchArguments) -> Body:
    """Return a page of hits, with the fields of ``detail``; it is said where more hold every word than are scored."""
    hit = _detailed if arguments.detail == "detailed" else _concise
    bounded = arguments.mode == "keyword" and bool(arguments.query.strip()) and result.total >= HOLDING_MAX
    return {
        "hits": [hit(row) for row in result.hits],
        "total": result.total,
        "near_misses": rendering.near_misses(result.near_misses),
        "warning": result.warning or None,
        "bridge_hint": result.bridge_hint and _noticed(result.bridge_hint, arguments.query.strip()),
        "connected": result.connected or None,
        "left_out": f"total: of all that hold every word the newest {HOLDING_MAX} are scored" if bounded else None,
    }


def _noticed(hint: BridgeHint, query: str) -> Body:
    """Return a hint at a bridge with the call that records it."""
    ends = {"node1": _end(hint.one), "node2": _end(hint.other)}
    return {**ends, "similarity": hint.similarity, "record_with": recording.bridge(hint, query)}


def _concise(row: Hit) -> Body:
    return {
        **brief(row.node),
        **rendering.state(row.node),
        "snippet": row.snippet,
        "score": row.score,
        "similarity": row.similarity,
        "why": row.why,
        **rendering.replaced(row),
    }


def _detailed(row: Hit) -> Body:
    return {**rendering.full(row.node), **_concise(row)}


def fetched(result: Fetched, arguments: given.FetchArguments) -> Body:
    """Return a node with its relations by type, each seen from the node, and all that it rests on."""
    node = rendering.full(result.node)
    relations: dict[str, list[Body]] = {}
    for row, other in result.relations:
        relations.setdefault(row.type, []).append(_seen(result.node, row, other))
    sources = {origin.id: origin for _, origin in result.evidence}
    body: Body = {
        "id": result.node.id,
        "title": result.node.title,
        "node": node,
        "relations": relations,
        "relation_count": result.relation_count,
        "evidence": [rendering.quote(piece, origin) for piece, origin in result.evidence],
        "sources": [rendering.source(row) for row in sources.values()],
        "mentions": [row._asdict() for row in result.mentions],
        "history": result.history,
        "neighbours": [_farther(*row) for row in result.neighbours] if arguments.depth > 1 else None,
    }
    if arguments.offset or (arguments.detail == "concise" and len(result.node.content) > CONTENT_SHOWN):
        node["content"], read = _read_on(result.node.content, arguments.offset)
        body |= read
    return body


def _read_on(text: str, offset: int) -> tuple[str, Body]:
    """Return the part of a text that begins at ``offset``, with which it is and where it goes on."""
    part = text[offset : offset + CONTENT_SHOWN].encode()[:_PART_BYTES].decode(errors="ignore")
    end, length = offset + len(part), len(text)
    told: Body = {"left_out": f"content: characters {offset} to {end} of {length}"}
    if end >= length:
        return part, told
    return f"{part}…", {"left_out": f"{told['left_out']}; offset {end} goes on", "next_offset": end}


def _seen(node: Node, row: Relation, other: Node) -> Body:
    own = rendering.relation(row)
    shown = {name: value for name, value in own.items() if name not in {"id", "source", "target", "type"}}
    direction = "forward" if row.source == node.id else "backward"
    return {"direction": direction, **_named(other), "relation_id": row.id, **shown}


def _named(node: Node) -> Body:
    """Return what names a node beside another, and its status where it is not active."""
    return {**brief(node), **({} if node.status is Status.ACTIVE else {"status": node.status.value})}


def _farther(node: Node, row: Relation) -> Body:
    """Return a neighbour's neighbour, and by which relation it was reached."""
    ends = {"id": row.id, "source": row.source, "target": row.target, "type": row.type}
    return {**_named(node), "through": {**ends, "confidence": row.confidence, "origin": row.origin.value}}


def traced(result: Traced, _: given.TraceArguments) -> Body:
    """Return the best trail and the others."""
    return {
        "connected": result.trail is not None,
        "trail": _trail(result.trail) if result.trail else [],
        "path_length": result.trail.length if result.trail else None,
        "start_match": result.start_match and _match(result.start_match),
        "end_match": result.end_match and _match(result.end_match),
        "alternatives": [{"path_length": row.length, "trail": _trail(row)} for row in result.alternatives],
        "nearest": [_match(row) for row in result.nearest],
    }


def _trail(row: Trail) -> list[Body]:
    return [{**_named(step.node), "relation_to_next": _onward(step)} for step in row.steps]


def _onward(step: Step) -> Body | None:
    row = step.relation
    if row is None and not step.mentioned:
        return None
    said = (row.type, row.reasoning, row.origin.value) if row else ("mentions", rendering.mention(step.name), "mention")
    return {
        "type": said[0],
        "direction": step.direction,
        "reasoning": said[1],
        "origin": said[2],
        "confidence": row.confidence if row else None,
        "conflict": step.conflict or None,
        "mentioned": step.mentioned or None,
    }


def _match(row: Match) -> Body:
    return {"id": row.id, "title": row.title, "similarity": row.similarity}


def challenged(result: Challenged, _: given.ChallengeArguments) -> Body:
    """Return both sides of a claim, and what the caller may judge, each with the call that records the verdict."""
    return {
        "claim": result.claim,
        "claim_id": result.claim_node and result.claim_node.id,
        "claim_title": result.claim_node and result.claim_node.title,
        "supports": [rendering.side(row) for row in result.supports],
        "conflicts": [rendering.side(row) for row in result.conflicts],
        "to_judge": [_to_judge(row, result) for row in result.to_judge],
    }


def _to_judge(row: ClaimSide, result: Challenged) -> Body:
    return {**rendering.side(row), **rendering.leaning(row), "record_with": recording.verdict(row, result)}


def bridged(result: Bridges, _: given.BridgeArguments) -> Body:
    """Return ranked pairs with their grounds."""
    return {
        "candidates": [_candidate(row) for row in result.candidates],
        "near_misses": rendering.near_misses(result.near_misses),
        "searched": {"ontology": result.ontology, "nodes": result.searched, "of": result.total},
    }


def _candidate(row: BridgeCandidate) -> Body:
    return {
        "concept1": _end(row.concept1),
        "concept2": _end(row.concept2),
        "similarity": row.similarity,
        "score": row.score,
        "cognitive_leap": row.cognitive_leap,
        "has_existing_relation": row.has_existing_relation,
        "grounds": row.grounds,
    }


def _end(row: BridgeEnd) -> Body:
    return {"id": row.id, "title": row.title, "ontology": row.ontology}


def synthesized(result: Synthesized, _: given.SynthesizeArguments) -> Body:
    """Return the new concept; ``concept_id`` is its handle, and as good an id as ``id``."""
    handle = next((name for name in result.node.handles if name.startswith("synthesis_")), result.node.id)
    return {
        "id": result.node.id,
        "concept_id": handle,
        "label": result.node.title,
        "ontology": result.node.ontology,
        "bridges": [{"id": row.id, "title": row.title} for row in result.bridges],
        "similarity_scores": [row.similarity for row in result.bridges],
        "cognitive_leap": result.cognitive_leap,
        "learned_id": result.learned_id,
        "warning": result.warning or None,
        "batch": result.batch or None,
    }


def contexts(result: Contexts, _: given.ContextArguments) -> Body:
    """Return what bears on the work at hand."""
    return {"nodes": [_bearing(row) for row in result.nodes], "warning": result.warning or None}


def _bearing(row: ContextNode) -> Body:
    return {
        **brief(row.node),
        **rendering.state(row.node),
        "relevance": row.relevance,
        "band": row.band,
        "band_by_rank": row.band_by_rank,
        "factors": dict(row.factors),
        "why": row.why,
        "relations": row.relations,
        "tags": row.node.tags or None,
        "references": row.node.references or None,
        "preview": clip(row.node.content),
        **rendering.replaced(row),
    }


def reviewed(result: Reviewed, _: given.ReviewArguments) -> Body:
    """Return what waits, and what was just decided."""
    decided = [
        {"item": row.item, "result": row.result, "message": row.message or None, "batch": row.batch or None}
        for row in result.decided
    ]
    return {"items": [_item(row) for row in result.items], "decided": decided, "remaining": result.remaining}


def _item(row: ReviewItem) -> Body:
    return {
        **rendering.suggestion(row.suggestion),
        "subjects": row.suggestion.subjects,
        "titles": row.titles,
        "superseded": row.superseded or None,
        "superseded_by": [rendering.succession(each) for each in row.successors] or None,
        "accept_does": row.accept_does,
        "created_at": row.suggestion.created_at,
        "created_by": row.suggestion.created_by,
    }


def standing(result: Standing, _: given.StatusArguments) -> Body:
    """Return how the graph stands."""
    return {
        "verdict": result.verdict,
        "wants": result.wants,
        "counts": result.counts,
        "hubs": result.hubs,
        "orphans": result.orphans,
        "communities": result.communities,
        "health": result.health,
    }
