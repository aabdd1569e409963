"""The rows of ``curation`` that add: concepts, relationships, evidence, documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import SEARCHED, Effect, NextAction, Prerequisite, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["CREATE", "EVIDENCE", "INGEST", "RELATE"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.curation.calls import CALLS

    return CALLS


CREATE = Tool(
    name="create_concept",
    toolset="curation",
    needs="contributor",
    title="Create a concept",
    description=(
        "Makes a concept. Without a search on its subject lately it suggests one first, and where nearly the same is "
        "there it says so; proceed true goes on. Example: label «Holacracy»."
    ),
    effect=Effect.ADDS,
    output={
        "success": "boolean",
        "concept_id": "string",
        "label": "string",
        "ontology": "string",
        "similar": "array",
        "evidence_id?": "string",
        "batch": "string",
    },
    bindings=_bindings,
    prerequisites=(Prerequisite(tool="search_concepts", key="no_search_performed", about=("label",), event=SEARCHED),),
    error_hints={
        "no_search_performed": (
            "Search for similar concepts first to avoid creating duplicates. The same call again, or proceed true, "
            "goes on."
        ),
        "duplicate_concept": (
            "Similar concept found. Consider create_relationship or merge_concepts instead; proceed true makes it all "
            "the same."
        ),
    },
    next_actions=(
        NextAction(
            tool="create_relationship",
            description="Consider relating it to what it belongs to.",
            arguments={"from_id": "$concept_id"},
        ),
        NextAction(
            tool="add_evidence",
            description="Consider giving it evidence.",
            arguments={"concept_id": "$concept_id"},
        ),
    ),
)

RELATE = Tool(
    name="create_relationship",
    toolset="curation",
    needs="contributor",
    title="Create a relationship",
    description=(
        "Joins two concepts by a typed relationship with its reasoning, or strengthens the one there. Labels will do."
    ),
    effect=Effect.MERGES,
    output={"relationship": "object", "created": "boolean", "warning?": "string", "batch?": "string"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="find_related_concepts",
            description="Consider what this leads to.",
            arguments={"concept_id": "$relationship.from_id"},
        ),
        NextAction(
            tool="add_evidence",
            description="Consider giving evidence for the concept it starts from.",
            arguments={"concept_id": "$relationship.from_id"},
        ),
    ),
)

EVIDENCE = Tool(
    name="add_evidence",
    toolset="curation",
    needs="contributor",
    title="Add evidence",
    description=(
        "Lets a concept rest on a quote: one that stands word for word in an ingested document, or one of its own."
    ),
    effect=Effect.MERGES,
    output={
        "evidence_id": "string",
        "concept_id": "string",
        "document": "string",
        "paragraph": "integer",
        "existing": "boolean",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="get_concept_details",
            description="Consider reading the concept with all its evidence.",
            arguments={"concept_id": "$concept_id"},
        ),
    ),
)

INGEST = Tool(
    name="ingest",
    toolset="curation",
    needs="contributor",
    title="Ingest a document",
    description=(
        "Takes in a text, or files (Markdown, HTML, PDF, DOCX) under an allowed root: each statement with its quote. "
        "The same text again writes nothing."
    ),
    effect=Effect.MERGES,
    output={
        "sources": "integer",
        "unchanged": "integer",
        "nodes_made": "integer",
        "nodes_reused": "integer",
        "nodes_updated": "integer",
        "reuse_rate": "number",
        "relations": "integer",
        "evidence": "integer",
        "marked": "integer",
        "unsaid": "integer",
        "questions": "integer",
        "documents_absent": "integer",
        "absent": "array",
        "skipped": "array",
        "batches": "array",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="list_ontologies",
            description="Consider what there is now.",
            when=("nodes_made",),
        ),
        NextAction(
            tool="flag_similar_concepts",
            description="Consider looking for what was said before.",
            arguments={"ontology": "$given.ontology"},
            when=("nodes_made",),
        ),
        NextAction(
            tool="review",
            description="What vanished from its document waits for a decision: consider looking at it.",
            when=("marked",),
        ),
        NextAction(
            tool="review",
            description="What a document states no more waits for a decision: consider looking at it.",
            when=("unsaid",),
        ),
    ),
)
