"""The answers of the ``research`` tools: each value of a service as the fields its tool promises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft.services.passages import title_of
from weft.tools.rendering import SNIPPET_MAX, Body, clip, lapsed, leaning, likelier, mention
from weft.tools.research.arguments import ARGUMENTS
from weft.vocabulary import STANDARD

if TYPE_CHECKING:
    from weft.model import (
        Analyzed,
        ArgumentStep,
        Captured,
        Challenged,
        ClaimSide,
        Fetched,
        Finding,
        Forgotten,
        Hit,
        Hits,
        Match,
        Node,
        Proposal,
        Related,
        Relation,
        Step,
        Traced,
        Trail,
    )
    from weft.tools.research import arguments as given

__all__ = [
    "Connected",
    "Deleted",
    "analyzed",
    "connected",
    "contradictions",
    "deleted",
    "found",
    "ingested",
    "lineage",
    "listed",
    "unit",
]

_SUCCESS: Final = "success"
_VERDICTS: Final = ("contradicts", "refutes", "supports")
_JUDGED: Final = "Judged by reading both texts."
_WARNING: Final = "Nothing is deleted yet. Call again with confirm to delete the unit and its relations."


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """A relation with the units at its ends, as they were named."""

    result: Related
    source: Node
    target: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """What went, or would go, with the unit as it was."""

    result: Forgotten
    unit: Node


def _named(node: Node) -> Body:
    """Return what names a unit, its title where somebody gave it one, and how it stands where it is not active."""
    return {
        "unit_id": node.id,
        "title": node.title if node.title != title_of(node.content) else None,
        "content": clip(node.content),
        "source": node.citation,
        "standing": lapsed(node),
    }


def ingested(result: Captured, _: given.IngestArguments) -> Body:
    """Return the unit, made or found, and what is near it."""
    return {
        "status": _SUCCESS,
        "unit_id": result.node.id,
        "content": result.node.content,
        "source": result.node.citation,
        "confidence": result.node.confidence,
        "created": not result.existing,
        "existing_unit": _existing(result),
        "untaken": ["source" if each == "citation" else each for each in result.untaken] or None,
        "conflicts": [_conflict(row) for row in result.conflicts],
        "batch": result.batch or None,
    }


def _existing(result: Captured) -> Body | None:
    if result.existing:
        same = {"unit_id": result.node.id, "title": result.node.title, "similarity": 1.0, "why": "the very same text"}
        return {**same, "standing": lapsed(result.node)}
    if not result.near_duplicates:
        return None
    near = result.near_duplicates[0]
    return {"unit_id": near.id, "title": near.title, "similarity": near.similarity, "why": near.why}


def connected(result: Connected, _: given.ConnectArguments) -> Body:
    """Return the relation as it was asked for, and both texts."""
    row = result.result.relation
    return {
        "status": _SUCCESS,
        "relation": {
            "source_id": result.source.id,
            "target_id": result.target.id,
            "type": row.type,
            "reasoning": row.reasoning,
        },
        "created": result.result.created,
        "source_content": clip(result.source.content),
        "target_content": clip(result.target.content),
        "warning": result.result.warning or None,
        "batch": result.result.batch or None,
    }


def found(result: Hits, asked: given.SearchArguments) -> Body:
    """Return units by likeness."""
    return {
        "status": _SUCCESS,
        "query": asked.query,
        "total_found": result.total,
        "results": [_result(row) for row in result.hits],
        "warning": result.warning or None,
    }


def _result(row: Hit) -> Body:
    said = row.node.content if len(row.node.content) <= SNIPPET_MAX else row.node.title
    actions = (
        ("connect_propositions", "Consider connecting it with what it bears on.", {"id_a": row.node.id}),
        ("semantic_search", "Consider looking for what is like it.", {"query": said}),
        ("find_contradictions", "Consider checking what speaks against it.", {"claim": said}),
        ("get_unit", "Consider reading it with its connections.", {"unit_id": row.node.id}),
    )
    return {
        **_named(row.node),
        "confidence": row.node.confidence,
        "similarity_score": row.similarity,
        "superseded_by": row.superseded_by and row.superseded_by.id,
        "available_actions": [{"tool": tool, "description": why, "arguments": filled} for tool, why, filled in actions],
    }


def lineage(result: Traced, asked: given.LineageArguments) -> Body:
    """Return the path, or where it was looked for."""
    return {
        "status": _SUCCESS,
        "start_concept": asked.start_concept,
        "end_concept": asked.end_concept,
        "start_match": result.start_match and _match(result.start_match),
        "end_match": result.end_match and _match(result.end_match),
        "connected": result.trail is not None,
        "path_length": result.trail.length if result.trail else 0,
        "path": _path(result.trail) if result.trail else [],
        "alternatives": [{"path_length": row.length, "path": _path(row)} for row in result.alternatives],
        "nearest": [_match(row) for row in result.nearest],
    }


def _path(row: Trail) -> list[Body]:
    return [{**_named(step.node), "relation_to_next": _onward(step)} for step in row.steps]


def _onward(step: Step) -> Body | None:
    if step.mentioned:
        reason = mention(step.name)
        return {"type": "mentions", "direction": step.direction, "reasoning": reason, "mentioned": True}
    if step.relation is None:
        return None
    row = step.relation
    return {
        "type": row.type,
        "direction": _direction(row, step.direction),
        "reasoning": row.reasoning,
        "conflict": step.conflict or None,
    }


def _direction(row: Relation, seen: str) -> str:
    return "both" if STANDARD.type(row.type).symmetric else seen


def _match(row: Match) -> Body:
    return {"unit_id": row.id, "title": row.title, "similarity": row.similarity}


def contradictions(result: Challenged, _: given.ContradictionsArguments) -> Body:
    """Return what speaks against a claim, what for it, and what the caller may judge."""
    return {
        "status": _SUCCESS,
        "claim": result.claim,
        "claim_unit": result.claim_node.id if result.claim_node else None,
        "conflicts_found": bool(result.conflicts),
        "conflict_count": len(result.conflicts),
        "conflicts": [_conflict(row) for row in result.conflicts],
        "supporting": [_conflict(row) for row in result.supports],
        "to_judge": [_to_judge(row, result) for row in result.to_judge],
    }


def _beside(row: ClaimSide) -> Body:
    """Return what names a unit beside a claim, with the sentences of a long one that bear on it."""
    named = _named(row.node)
    return {**named, "content": row.snippet or named["content"]}


def _conflict(row: ClaimSide) -> Body:
    return {
        **_beside(row),
        "explanation": "; ".join(row.grounds),
        "verdict": row.verdict,
        "similarity": row.similarity,
        "relation": row.relation and {"type": row.relation.type, "reasoning": row.relation.reasoning},
        "superseded_by": row.superseded_by and row.superseded_by.id,
    }


def _to_judge(row: ClaimSide, result: Challenged) -> Body:
    """Return a unit that is close but undecided, with the call that records the likelier of ``relation_choices``.

    Where the claim is no unit yet the call names it by the title that ingesting it gives it, which is to be done first.
    """
    own = result.claim_node.id if result.claim_node else title_of(result.claim)
    first = None if result.claim_node else {"tool": "ingest_hypothesis", "arguments": {"hypothesis": result.claim}}
    ends = {"id_a": row.node.id, "id_b": own, "relation": likelier(row), "reasoning": _JUDGED}
    return {
        **_beside(row),
        "similarity": row.similarity,
        "grounds": row.grounds,
        "superseded_by": row.superseded_by and row.superseded_by.id,
        **leaning(row),
        "record_with": {
            "tool": "connect_propositions",
            "arguments": ends,
            "relation_choices": _VERDICTS,
            "after": first,
        },
    }


def listed(result: Hits, _: given.ListArguments) -> Body:
    """Return a page of claims, newest first."""
    rows = [
        {
            **_named(row.node),
            "confidence": row.node.confidence,
            "created_at": row.node.created_at,
            "superseded_by": row.superseded_by and row.superseded_by.id,
        }
        for row in result.hits
    ]
    return {"status": _SUCCESS, "count": len(rows), "total": result.total, "propositions": rows}


def unit(result: Fetched, _: given.UnitArguments) -> Body:
    """Return a unit with all its connections."""
    node = result.node
    connections = [_connection(node, row, other) for row, other in result.relations]
    own = {
        **_named(node),
        "content": node.content,
        "kind": node.kind,
        "confidence": node.confidence,
        "standing": node.status.value,
        "created_at": node.created_at,
        "version": node.version,
    }
    return {
        "status": _SUCCESS,
        "unit": own,
        "connections": connections,
        "connection_count": result.relation_count,
    }


def _connection(node: Node, row: Relation, other: Node) -> Body:
    return {
        "type": row.type,
        "reasoning": row.reasoning,
        "direction": _direction(row, "forward" if row.source == node.id else "backward"),
        "connected_to": other.id,
        "connected_content": clip(other.content),
        "connected_standing": lapsed(other),
    }


def deleted(result: Deleted, _: given.DeleteArguments) -> Body:
    """Return what went, or a preview of it."""
    told = {**_named(result.unit), "relations_removed": result.result.relations_removed}
    if not result.result.done:
        return {"status": "confirmation_required", "preview": told, "warning": _WARNING}
    return {"status": _SUCCESS, "deleted": told, "batch": result.result.batch or None}


def analyzed(result: Analyzed, _: given.AnalyzeArguments) -> Body:
    """Return findings, each with its units, its steps, its reason and the call that records it."""
    return {
        "status": _SUCCESS,
        "kind": result.kind,
        "subject_matches": [_match(row) for row in result.subject_matches],
        "other_matches": [_match(row) for row in result.other_matches],
        "findings": [_finding(row) for row in result.findings],
        "total": result.total,
        "looked_at": result.looked_at,
        "bounded": result.bounded,
    }


def _finding(row: Finding) -> Body:
    return {
        "finding": row.kind,
        "units": [{**_named(place.node), "role": place.role} for place in row.places],
        "steps": [_step(step) for step in row.steps],
        "why": row.why,
        "strength": row.strength,
        "record_with": row.proposal and _record_with(row.proposal),
    }


def _step(step: ArgumentStep) -> Body:
    return {
        "source_id": step.source,
        "target_id": step.target,
        "type": step.type,
        "reasoning": step.reasoning,
        "recorded": step.recorded,
    }


def _record_with(row: Proposal) -> Body:
    """Return the call that records a proposal; types beyond this toolset's five are the product's own tool's."""
    choices = row.choices or None
    if row.type in ARGUMENTS.names:
        ends = {"id_a": row.source, "id_b": row.target, "relation": row.type, "reasoning": row.reasoning}
        return {"tool": "connect_propositions", "arguments": ends, "relation_choices": choices}
    ends = {"source": row.source, "target": row.target, "type": row.type, "reasoning": row.reasoning}
    return {"tool": "relate", "arguments": ends, "type_choices": choices}
