"""The rows of ``research`` that write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["CONNECT", "DELETE", "INGEST"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.research.calls import CALLS

    return CALLS


INGEST = Tool(
    name="ingest_hypothesis",
    toolset="research",
    needs="contributor",
    title="Ingest a hypothesis",
    description=(
        "Stores one claim as a unit, with its source. Identical text answers the unit that is there; a near one is "
        "named in existing_unit. Example: hypothesis «Dropout reduces overfitting.», source «Srivastava 2014»."
    ),
    effect=Effect.ADDS,
    output={
        "status": "string",
        "unit_id": "string",
        "content": "string",
        "source": "string",
        "confidence": "number",
        "created": "boolean",
        "existing_unit?": "object",
        "untaken?": "array",
        "conflicts": "array",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="update",
            description="It was there already and does not count as current: consider making it active, if it holds.",
            arguments={"id": "$unit_id", "status": "active"},
            when=("existing_unit.standing",),
            unless=("created",),
        ),
        NextAction(
            tool="connect_propositions",
            description="Consider recording how it stands to what it seems to conflict with.",
            arguments={"id_a": "$unit_id", "id_b": "$conflicts.0.unit_id", "relation": "contradicts"},
        ),
        NextAction(
            tool="connect_propositions",
            description="Consider connecting it with what it bears on.",
            arguments={"id_a": "$unit_id"},
        ),
        NextAction(
            tool="semantic_search",
            description="Consider looking for related units.",
            arguments={"query": "$content"},
        ),
        NextAction(
            tool="find_contradictions",
            description="Consider checking what speaks against it.",
            arguments={"claim": "$content"},
        ),
        NextAction(
            tool="get_unit",
            description="Consider reading it as it stands.",
            arguments={"unit_id": "$unit_id"},
        ),
    ),
)

CONNECT = Tool(
    name="connect_propositions",
    toolset="research",
    needs="contributor",
    title="Connect two propositions",
    description=(
        "Records how one unit bears on another, id_a → id_b, with the reasoning; several types may join one pair. "
        "Example: id_a «Dropout reduces overfitting.», id_b «Regularisation helps.», relation supports."
    ),
    effect=Effect.MERGES,
    output={
        "status": "string",
        "relation": "object",
        "created": "boolean",
        "source_content": "string",
        "target_content": "string",
        "warning?": "string",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="find_scientific_lineage",
            description="Consider the lineage that this step is part of.",
            arguments={"start_concept": "$relation.source_id", "end_concept": "$relation.target_id"},
        ),
        NextAction(
            tool="analyze_propositions",
            description="Consider what now follows from it.",
            arguments={"kind": "implied", "subject": "$relation.source_id"},
        ),
        NextAction(
            tool="find_contradictions",
            description="Consider checking the target for what speaks against it.",
            arguments={"claim": "$target_content"},
        ),
        NextAction(
            tool="semantic_search",
            description="Consider looking for what else bears on it.",
            arguments={"query": "$source_content"},
        ),
    ),
)

DELETE = Tool(
    name="delete_unit",
    toolset="research",
    needs="librarian",
    title="Delete a unit",
    description=(
        "Shows what would go with a unit; with confirm, takes it and its relations out of the graph. Undoable by its "
        "batch."
    ),
    effect=Effect.CHANGES,
    output={
        "status": "string",
        "preview?": "object",
        "warning?": "string",
        "deleted?": "object",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="delete_unit",
            description="A preview: consider the same call with confirm if this is meant to go.",
            arguments={"unit_id": "$preview.unit_id", "confirm": True},
        ),
        NextAction(
            tool="get_unit",
            description="A preview: consider reading what hangs on it first.",
            arguments={"unit_id": "$preview.unit_id"},
        ),
        NextAction(
            tool="list_propositions",
            description="Consider looking at what is left.",
            when=("deleted",),
        ),
    ),
)
