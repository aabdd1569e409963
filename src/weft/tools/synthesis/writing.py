"""The rows of ``synthesis`` that state, change, weigh and take back what was learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["CONCEIVE", "CONNECT", "CONNECT_ALL", "DELETE", "RATE", "UPDATE"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.synthesis.calls import CALLS

    return CALLS


CONNECT = Tool(
    name="create_learned_relationship",
    toolset="synthesis",
    needs="contributor",
    title="Create a learned relationship",
    description=(
        "Connects two concepts by a relation that no document states, and keeps the evidence for it. Says how like "
        "the evidence is to both ends, how big the leap is, and warns of a HIGH one."
    ),
    effect=Effect.ADDS,
    output={
        "learned_id": "string",
        "from_concept": "object",
        "to_concept": "object",
        "relationship_type": "string",
        "similarity_scores": "object",
        "minimum_similarity": "number",
        "cognitive_leap": "string",
        "warning?": "string",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="update_learned_knowledge",
            description="There is a warning: consider evidence that speaks of both ends.",
            arguments={"learned_id": "$learned_id"},
            when=("warning",),
        ),
        NextAction(
            tool="list_learned_knowledge",
            description="Consider what else was learned.",
        ),
        NextAction(
            tool="fetch",
            description="Consider reading what else is known of the one end.",
            arguments={"id": "$from_concept.id"},
        ),
    ),
)

CONCEIVE = Tool(
    name="create_synthesis_concept",
    toolset="synthesis",
    needs="contributor",
    title="Create a synthesis concept",
    description=(
        "Makes a concept that joins two or more others, in an ontology that is made if new, and keeps the "
        "evidence for it. Found in searches by its label and search_terms."
    ),
    effect=Effect.ADDS,
    output={
        "concept_id": "string",
        "label": "string",
        "ontology": "string",
        "bridges": "array",
        "similarity_scores": "array",
        "minimum_similarity": "number",
        "cognitive_leap": "string",
        "learned_id": "string",
        "warning?": "string",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="update_learned_knowledge",
            description="There is a warning: consider evidence that speaks of all that it joins.",
            arguments={"learned_id": "$learned_id"},
            when=("warning",),
        ),
        NextAction(
            tool="list_learned_knowledge",
            description="Consider what else was learned in this ontology.",
            arguments={"ontology": "$ontology"},
        ),
        NextAction(
            tool="fetch",
            description="Consider reading the new concept with its evidence.",
            arguments={"id": "$concept_id"},
        ),
    ),
)

UPDATE = Tool(
    name="update_learned_knowledge",
    toolset="synthesis",
    needs="contributor",
    title="Update learned knowledge",
    description=(
        "Changes the evidence of a learned item, or the type of its relation (librarian), and weighs it anew. Earlier "
        "versions stay readable in list_learned_knowledge with history."
    ),
    effect=Effect.CHANGES,
    output={
        "learned_id": "string",
        "updated_fields": "array",
        "new_similarity_scores": "object",
        "minimum_similarity": "number",
        "cognitive_leap": "string",
        "version": "integer",
        "warning?": "string",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="list_learned_knowledge",
            description="Consider the item with its earlier versions.",
            arguments={"learned_id": "$learned_id", "history": True},
        ),
    ),
)

DELETE = Tool(
    name="delete_learned_knowledge",
    toolset="synthesis",
    needs="librarian",
    title="Delete learned knowledge",
    description=(
        "Takes a learned item out: its relations and its evidence; with cascade its synthesis concept too. What "
        "documents say stays. Undoable."
    ),
    effect=Effect.CHANGES,
    output={
        "learned_id": "string",
        "deleted_nodes": "integer",
        "deleted_relationships": "integer",
        "cascade_deleted_concepts": "integer",
        "warning?": "string",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="list_learned_knowledge",
            description="Consider what is left of what was learned.",
        ),
    ),
)

CONNECT_ALL = Tool(
    name="create_learned_relationships",
    toolset="synthesis",
    needs="contributor",
    title="Create several learned relationships",
    description=(
        "Makes up to 50 learned relations in one batch; each gets its own result, and one that fails leaves the "
        "others be. The batch is undone as one."
    ),
    effect=Effect.ADDS,
    output={"created": "integer", "failed": "integer", "results": "array", "batch?": "string"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="list_learned_knowledge",
            description="Consider the unusual ones among what was learned.",
            arguments={"cognitive_leap": "HIGH"},
            when=("created",),
        ),
    ),
)

RATE = Tool(
    name="rate_learned_knowledge",
    toolset="synthesis",
    needs="contributor",
    title="Rate learned knowledge",
    description=(
        "Votes a learned item up or down; the last vote of each actor counts. Returns its strength, from evidence, "
        "use, votes and what conflicts with it."
    ),
    effect=Effect.MERGES,
    output={
        "learned_id": "string",
        "vote": "string",
        "votes": "object",
        "strength": "number",
        "contested": "boolean",
        "conflicts": "integer",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="list_learned_knowledge",
            description="Votes oppose each other: consider the item's evidence and versions.",
            arguments={"learned_id": "$learned_id", "history": True},
            when=("contested",),
        ),
        NextAction(
            tool="review",
            description="What is contested waits for a decision: consider looking at it.",
            when=("contested",),
        ),
    ),
)
