"""The answers of the ``synthesis`` tools: the values of the services under the plan's names, types in upper case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.tools import rendering

if TYPE_CHECKING:
    from weft.model import (
        BridgeCandidate,
        BridgeEnd,
        Bridges,
        Connected,
        LearnedDeleted,
        LearnedEntry,
        LearnedExported,
        LearnedImported,
        LearnedList,
        LearnedUpdated,
        LearnedVersion,
        Node,
        Rated,
        Refused,
        Synthesized,
    )
    from weft.tools.rendering import Body
    from weft.tools.synthesis import arguments as given

__all__ = [
    "EXPORT_BUDGET",
    "bridges",
    "conceived",
    "connected",
    "connected_all",
    "deleted",
    "exported",
    "imported",
    "listed",
    "rated",
    "updated",
]

EXPORT_BUDGET: Final = rendering.BUDGET - 2_000
"""Bytes of JSON that the text of an export may take, so that it is never cut."""


def bridges(result: Bridges, _: given.FindBridgesArguments) -> Body:
    """Return ranked pairs."""
    return {
        "candidatesFound": len(result.candidates),
        "candidates": [_candidate(row) for row in result.candidates],
        "near_misses": rendering.near_misses(result.near_misses),
    }


def _candidate(row: BridgeCandidate) -> Body:
    return {
        "concept1": _end(row.concept1),
        "concept2": _end(row.concept2),
        "similarity": row.similarity,
        "cognitive_leap": row.cognitive_leap,
        "has_existing_edge": row.has_existing_relation,
        "grounds": row.grounds,
    }


def _end(row: BridgeEnd) -> Body:
    return {"id": row.id, "label": row.title, "ontology": row.ontology}


def _named(node: Node) -> Body:
    return {"id": node.id, "label": node.title}


def connected(result: Connected, _: given.RelationshipArguments) -> Body:
    """Return a relation that was made, with its ends as they were named."""
    return _connected(result)


def _connected(result: Connected) -> Body:
    one, other = result.similarities
    return {
        "learned_id": result.learned_id,
        "from_concept": _named(result.source),
        "to_concept": _named(result.target),
        "relationship_type": result.type.upper(),
        "similarity_scores": {"evidence_to_from": one, "evidence_to_to": other},
        "minimum_similarity": result.minimum,
        "cognitive_leap": result.leap,
        "warning": result.warning or None,
        "batch": result.batch or None,
    }


def connected_all(result: tuple[Connected | Refused, ...], arguments: given.RelationshipsArguments) -> Body:
    """Return one result an item, in the order given."""
    rows = [_one(each, place, arguments) for place, each in enumerate(result)]
    made = [each for each in rows if "error" not in each]
    return {
        "created": len(made),
        "failed": len(rows) - len(made),
        "results": [{name: value for name, value in each.items() if name != "batch"} for each in rows],
        "batch": made[0].get("batch") if made else None,
    }


def _one(row: Connected | Refused, place: int, arguments: given.RelationshipsArguments) -> Body:
    from weft.model import Connected

    if isinstance(row, Connected):
        return _connected(row)
    asked = arguments.relationships[place]
    return {
        "error": row.code,
        "message": row.message,
        "existing": row.existing or None,
        "from_concept_id": asked.from_concept_id,
        "to_concept_id": asked.to_concept_id,
        "relationship_type": asked.relationship_type,
    }


def conceived(result: Synthesized, _: given.ConceptArguments) -> Body:
    """Return the new concept; its ``concept_id`` is its handle, and as good an id as any."""
    handle = next((name for name in result.node.handles if name.startswith("synthesis_")), result.node.id)
    return {
        "concept_id": handle,
        "label": result.node.title,
        "ontology": result.node.ontology,
        "bridges": [{"id": row.id, "label": row.title} for row in result.bridges],
        "similarity_scores": [row.similarity for row in result.bridges],
        "minimum_similarity": min(row.similarity for row in result.bridges),
        "cognitive_leap": result.cognitive_leap,
        "learned_id": result.learned_id,
        "warning": result.warning or None,
        "batch": result.batch or None,
    }


def updated(result: LearnedUpdated, _: given.UpdateArguments) -> Body:
    """Return what changed; a concept's scores are listed in the order of what it joins."""
    scores: Body = {"evidence_to_each": result.similarities}
    if not result.is_concept:
        scores = dict(zip(("evidence_to_from", "evidence_to_to"), result.similarities, strict=True))
    return {
        "learned_id": result.learned_id,
        "updated_fields": result.updated,
        "new_similarity_scores": scores,
        "minimum_similarity": result.minimum,
        "cognitive_leap": result.leap,
        "version": result.version,
        "warning": result.warning or None,
        "batch": result.batch or None,
    }


def deleted(result: LearnedDeleted, _: given.DeleteArguments) -> Body:
    """Return what left, each counted once: ``deleted_nodes`` are learned sources, concepts are counted apart."""
    return {
        "learned_id": result.learned_id,
        "deleted_nodes": result.sources,
        "deleted_relationships": result.relations,
        "cascade_deleted_concepts": result.concepts,
        "warning": result.warning or None,
        "batch": result.batch or None,
    }


def listed(result: LearnedList, arguments: given.ListArguments) -> Body:
    """Return a page of what was learned."""
    return {
        "total": result.total,
        "offset": result.page.offset,
        "limit": result.page.limit,
        "learned_knowledge": [_entry(row, history=arguments.history) for row in result.entries],
    }


def _entry(row: LearnedEntry, *, history: bool) -> Body:
    tally = row.tally
    return {
        "learned_id": row.learned_id,
        "concept_id": row.concept[0] if row.concept else None,
        "label": row.concept[1] if row.concept else None,
        "created_by": row.creator,
        "created_at": row.created_at,
        "evidence": row.evidence,
        "connections": [
            {"from": each.source, "to": each.target, "type": each.type.upper()} for each in row.connections
        ],
        "similarity_score": row.similarity,
        "cognitive_leap": row.leap,
        "version": row.version,
        "strength": tally.strength,
        "votes": {"up": tally.up, "down": tally.down} if tally.up or tally.down else None,
        "contested": tally.contested or None,
        "conflicts": tally.conflicts or None,
        "history": [_version(each) for each in row.history] if history else None,
    }


def _version(row: LearnedVersion) -> Body:
    return {
        "version": row.version,
        "at": row.at,
        "by": row.by,
        "evidence": row.evidence,
        "similarity_score": row.similarity,
        "cognitive_leap": row.leap,
        "relationship_type": row.type.upper(),
    }


def rated(result: Rated, _: given.RateArguments) -> Body:
    """Return what the votes come to."""
    tally = result.tally
    return {
        "learned_id": result.learned_id,
        "vote": result.vote,
        "votes": {"up": tally.up, "down": tally.down},
        "strength": tally.strength,
        "contested": tally.contested,
        "conflicts": tally.conflicts,
        "batch": result.batch or None,
    }


def exported(result: LearnedExported, _: given.ExportArguments) -> Body:
    """Return the text, and where to go on."""
    return {
        "format": result.format,
        "text": result.text,
        "items": result.items,
        "total": result.total,
        "next_offset": result.next_offset,
    }


def imported(result: LearnedImported, _: given.ImportArguments) -> Body:
    """Return what was written, and why the rest was not."""
    return {
        "written": len(result.written),
        "learned_ids": result.written,
        "skipped": [{"learned_id": item, "reason": reason} for item, reason in result.skipped],
        "dry_run": result.dry_run,
        "batch": result.batch or None,
    }
