"""The answers of the ``curation`` tools: nodes are concepts here, titles labels, relations relationships."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from weft.tools import rendering
from weft.tools.rendering import Body, clip

if TYPE_CHECKING:
    from weft.model import (
        ConceptHits,
        ConceptMade,
        Evidence,
        EvidenceAdded,
        Fetched,
        Flag,
        Flagged,
        Hit,
        Ingested,
        Merged,
        Node,
        OntologyCount,
        Parted,
        Pruned,
        Related,
        RelatedConcepts,
        Relation,
        Source,
        Step,
        Trail,
    )
    from weft.tools.curation import arguments as given

__all__ = [
    "created",
    "details",
    "evidence",
    "flagged",
    "found",
    "ingested",
    "merged",
    "ontologies",
    "parted",
    "pruned",
    "related",
    "relationship",
]

CONTEXT_MAX: Final = 600  # characters of the paragraph around a quote
QUOTE_MAX: Final = 300  # characters of a sample of evidence
_BREAK: Final = "\n\n"
_CUT: Final = "a bound was met: of each concept the 50 strongest relationships are followed, 300 concepts in all"


def _concept(node: Node) -> Body:
    """Return what names a concept, and its status where it is not active."""
    named = {"concept_id": node.id, "label": node.title, "ontology": node.ontology}
    return {**named, "status": rendering.lapsed(node)}


def found(result: ConceptHits, _: given.SearchArguments) -> Body:
    """Return a page of concepts."""
    return {
        "results": [_hit(row, result.evidence.get(row.node.id, ())) for row in result.hits],
        "total": result.total,
        "near_misses": rendering.near_misses(result.near_misses),
        "warning": result.warning or None,
    }


def _hit(row: Hit, pieces: tuple[Evidence, ...]) -> Body:
    replaced = row.superseded_by and {"concept_id": row.superseded_by.id, "label": row.superseded_by.title}
    return {
        **_concept(row.node),
        "search_terms": row.node.search_terms,
        "similarity": row.similarity,
        "snippet": row.snippet,
        "evidence": [clip(piece.quote, QUOTE_MAX) for piece in pieces],
        "superseded_by": replaced,
    }


def details(result: Fetched, _: given.DetailsArguments) -> Body:
    """Return a concept with what it rests on and what it is joined to."""
    node = result.node
    own = [(piece, source) for piece, source in result.evidence if piece.subject == node.id]
    occurrences = Counter(source.document for _, source in own)
    return {
        "concept": {
            **_concept(node),
            "description": node.content,
            "search_terms": node.search_terms,
            "kind": node.kind,
            "confidence": node.confidence,
            "status": node.status.value,
            "origin": node.origin.value,
            "version": node.version,
        },
        "evidence": [_evidence(piece, source) for piece, source in own],
        "sources": [{"document": name, "occurrences": count} for name, count in occurrences.most_common()],
        "relationships": [_relationship(node, row, other) for row, other in result.relations],
        "aliases": node.aliases,
    }


def _evidence(piece: Evidence, source: Source) -> Body:
    return {
        "evidence_id": piece.id,
        "quote": piece.quote,
        "source": {
            "document": source.document,
            "paragraph": piece.paragraph,
            "type": source.type.value,
            "full_context": _context(piece, source),
        },
    }


def _context(piece: Evidence, source: Source) -> str:
    """Return the paragraph that the quote stands in, or as much around the quote as is shown."""
    start = source.text.rfind(_BREAK, 0, piece.start)
    end = source.text.find(_BREAK, piece.end)
    first = 0 if start < 0 else start + len(_BREAK)
    first = max(first, piece.start - CONTEXT_MAX // 2)
    return clip(source.text[first : end if end >= 0 else None], max(CONTEXT_MAX, piece.end - first))


def _relationship(node: Node, row: Relation, other: Node) -> Body:
    return {
        "type": row.type,
        "direction": "outgoing" if row.source == node.id else "incoming",
        "related_concept": _concept(other),
        "confidence": row.confidence,
        "reasoning": row.reasoning,
        "relationship_id": row.id,
    }


def related(result: RelatedConcepts, arguments: given.RelatedArguments) -> Body:
    """Return what lies around a concept, each with the path to it."""
    return {
        "concept_id": result.around.centre.id,
        "max_depth": arguments.max_depth,
        "relatedConcepts": [_reached(row, result.evidence) for row in result.around.trails],
        "total": result.around.total,
        "left_out": f"relatedConcepts: {_CUT}" if result.around.bounded else None,
    }


def _reached(row: Trail, samples: dict[str, Evidence]) -> Body:
    last = row.steps[-1].node
    sample = samples.get(last.id)
    steps = [step for step in row.steps if step.relation is not None]
    return {
        **_concept(last),
        "search_terms": last.search_terms or None,
        "distance": row.length,
        "relationship_path": [_walked(step) for step in steps],
        "confidence_path": [step.relation.confidence for step in steps if step.relation],
        "sample_evidence": clip(sample.quote, QUOTE_MAX) if sample else None,
    }


def _walked(step: Step) -> str:
    """Return the type of a step; walked against its direction it is marked."""
    kind = step.relation.type if step.relation else ""
    return kind if step.direction == "forward" else f"{kind} (incoming)"


def ontologies(result: tuple[OntologyCount, ...], _: given.OntologiesArguments) -> Body:
    """Return how much each ontology holds."""
    rows = [
        {
            "name": row.name,
            "concepts": row.nodes,
            "sources": row.sources,
            "relationships": row.relations,
            "learned": row.learned,
        }
        for row in result
    ]
    return {"ontologies": rows, "total": len(rows)}


def created(result: ConceptMade, _: given.CreateArguments) -> Body:
    """Return the concept that was made, and what is like it."""
    return {
        "success": True,
        **_concept(result.node),
        "similar": [
            {"concept_id": row.id, "label": row.title, "similarity": row.similarity, "why": row.why}
            for row in result.similar
        ],
        "evidence_id": result.evidence or None,
        "batch": result.batch,
    }


def relationship(result: Related, _: given.RelateArguments) -> Body:
    """Return the relationship, and whether it was made or strengthened."""
    row = result.relation
    return {
        "relationship": {
            "relationship_id": row.id,
            "from_id": row.source,
            "to_id": row.target,
            "type": row.type,
            "reasoning": row.reasoning,
            "confidence": row.confidence,
        },
        "created": result.created,
        "warning": result.warning or None,
        "batch": result.batch or None,
    }


def evidence(result: EvidenceAdded, _: given.EvidenceArguments) -> Body:
    """Return where the evidence stands."""
    return {
        "evidence_id": result.evidence.id,
        "concept_id": result.node.id,
        "document": result.document,
        "paragraph": result.evidence.paragraph,
        "existing": result.existing,
        "batch": result.batch or None,
    }


def ingested(result: Ingested, _: given.IngestArguments) -> Body:
    """Return what became of the documents."""
    return {
        "sources": result.documents,
        "unchanged": result.unchanged,
        "nodes_made": result.nodes_made,
        "nodes_reused": result.nodes_reused,
        "nodes_updated": result.nodes_updated,
        "reuse_rate": result.reuse_rate,
        "relations": result.relations,
        "evidence": result.evidence,
        "marked": result.marked,
        "unsaid": result.unsaid,
        "questions": result.questions,
        "documents_absent": result.documents_absent,
        "absent": result.absent,
        "skipped": [{"path": path, "reason": reason} for path, reason in result.skipped],
        "batches": result.batches,
    }


def flagged(result: Flagged, _: given.FlagArguments) -> Body:
    """Return the flags, and how many pairs are none, and why."""
    unseen = result.nodes - result.looked_at
    return {
        "flags": [_flag(row) for row in result.flags],
        "passed_over": {"opposed": result.opposed, "decided": result.decided, "both_from_documents": result.kept},
        "looked_at": result.looked_at,
        "batch": result.batch or None,
        "left_out": f"{unseen} older concepts of the ontology were not looked at" if unseen else None,
    }


def _flag(row: Flag) -> Body:
    return {
        "flag_id": row.suggestion.id,
        "keep_id": row.keep.id,
        "keep_label": row.keep.title,
        "merge_id": row.merge.id,
        "merge_label": row.merge.title,
        "similarity": row.similarity,
        "judged": row.judged,
        "existing": row.existing,
    }


def merged(result: Merged, _: given.MergeArguments) -> Body:
    """Return what moved over, and under which name the merged one is still found."""
    return {
        "keep_id": result.keep.id,
        "merge_id": result.merge.id,
        "similarity": result.similarity,
        "moved": {
            "relations": result.relations,
            "evidence": result.evidence,
            "search_terms": result.search_terms,
        },
        "alias": result.merge.title,
        "warning": result.warning or None,
        "batch": result.batch,
    }


def parted(result: Parted, _: given.UnmergeArguments) -> Body:
    """Return what came back."""
    return {
        "concept_id": result.node.id,
        "label": result.node.title,
        "from_id": result.from_node.id,
        "restored": {"relations": result.relations, "evidence": result.evidence},
        "left": result.left,
        "batch": result.batch,
    }


def pruned(result: Pruned, _: given.PruneArguments) -> Body:
    """Return what went, or what would go."""
    return {
        "what": result.what,
        "dry_run": not result.done,
        "counts": result.counts,
        "examples": [_concept(node) for node in result.examples],
        "more": result.more,
        "batch": result.batch or None,
    }
