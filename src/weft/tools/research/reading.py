"""The rows of ``research`` that only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["ANALYZE", "CONTRADICTIONS", "LINEAGE", "LIST", "SEARCH", "UNIT"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.research.calls import CALLS

    return CALLS


SEARCH = Tool(
    name="semantic_search",
    toolset="research",
    needs="reader",
    title="Search units by meaning",
    description=(
        "Finds units that mean the same or bear on it, likest first, with their similarity. Useful before ingesting "
        "or connecting. Example: query «how brains inspire computing»."
    ),
    effect=Effect.READS,
    output={
        "status": "string",
        "query": "string",
        "total_found": "integer",
        "results": "array",
        "warning?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="get_unit",
            description="Consider reading the likest unit with its connections.",
            arguments={"unit_id": "$results.0.unit_id"},
        ),
        NextAction(
            tool="find_scientific_lineage",
            description="Consider how the two likest units are connected.",
            arguments={"start_concept": "$results.0.unit_id", "end_concept": "$results.1.unit_id"},
        ),
        NextAction(
            tool="semantic_search",
            description="Nothing found as narrowly as this: consider the query alone, without filters.",
            arguments={"query": "$given.query"},
            when=("narrowed",),
            unless=("results",),
        ),
        NextAction(
            tool="ingest_hypothesis",
            description="Nothing found: consider ingesting the claim.",
            arguments={"hypothesis": "$query"},
            when=("wide",),
            unless=("results",),
        ),
    ),
    searched="query",
)

LINEAGE = Tool(
    name="find_scientific_lineage",
    toolset="research",
    needs="reader",
    title="Find a lineage",
    description=(
        "Finds how one concept leads to another: units and the relations between them, each with type, direction and "
        "reasoning. Refuting steps are avoided, else marked. Example: start_concept «attention», end_concept «GPT»."
    ),
    effect=Effect.READS,
    output={
        "status": "string",
        "start_concept": "string",
        "end_concept": "string",
        "start_match?": "object",
        "end_match?": "object",
        "connected": "boolean",
        "path_length": "integer",
        "path": "array",
        "alternatives": "array",
        "nearest": "array",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="analyze_propositions",
            description="Consider what follows from the steps of this path.",
            arguments={"kind": "implied", "subject": "$start_match.unit_id", "other": "$end_match.unit_id"},
            when=("path.2",),
        ),
        NextAction(
            tool="get_unit",
            description="Consider reading the first step in full.",
            arguments={"unit_id": "$path.1.unit_id"},
        ),
        NextAction(
            tool="analyze_propositions",
            description="Not connected: consider which relation is missing.",
            arguments={"kind": "gaps", "subject": "$start_concept", "other": "$end_concept"},
            unless=("connected",),
        ),
        NextAction(
            tool="connect_propositions",
            description="Not connected: consider connecting the two, if one bears on the other.",
            arguments={"id_a": "$start_match.unit_id", "id_b": "$end_match.unit_id", "relation": "extends"},
            unless=("connected",),
        ),
    ),
)

CONTRADICTIONS = Tool(
    name="find_contradictions",
    toolset="research",
    needs="reader",
    title="Find contradictions",
    description=(
        "Checks a claim against the graph: what conflicts with it and why, what supports it, and what is left to "
        "judge, with the call that records a verdict. Example: claim «Attention is linear in sequence length»."
    ),
    effect=Effect.READS,
    output={
        "status": "string",
        "claim": "string",
        "claim_unit?": "string",
        "conflicts_found": "boolean",
        "conflict_count": "integer",
        "conflicts": "array",
        "supporting": "array",
        "to_judge": "array",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="analyze_propositions",
            description="Consider where the conflict starts.",
            arguments={"kind": "root_conflict", "subject": "$claim", "other": "$conflicts.0.unit_id"},
        ),
        NextAction(
            tool="ingest_hypothesis",
            description="The claim is no unit yet: consider ingesting it, whatever speaks against it.",
            arguments={"hypothesis": "$claim"},
            unless=("claim_unit",),
        ),
        NextAction(
            tool="get_unit",
            description="Consider reading the nearest unit that is left to judge: the verdict is yours.",
            arguments={"unit_id": "$to_judge.0.unit_id"},
        ),
        NextAction(
            tool="semantic_search",
            description="Consider a search for what else bears on it.",
            arguments={"query": "$claim"},
        ),
    ),
    searched="claim",
)

LIST = Tool(
    name="list_propositions",
    toolset="research",
    needs="reader",
    title="List propositions",
    description="Lists the claims of the graph, newest first, a page at a time. Useful to see what is there.",
    effect=Effect.READS,
    output={"status": "string", "count": "integer", "total": "integer", "propositions": "array"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="get_unit",
            description="Consider reading the newest with its connections.",
            arguments={"unit_id": "$propositions.0.unit_id"},
        ),
        NextAction(
            tool="connect_propositions",
            description="Consider connecting the two newest, if one bears on the other.",
            arguments={"id_a": "$propositions.0.unit_id", "id_b": "$propositions.1.unit_id"},
        ),
    ),
)

UNIT = Tool(
    name="get_unit",
    toolset="research",
    needs="reader",
    title="Get a unit",
    description="Returns one unit whole, with every connection: type, reasoning, direction and the other end's text.",
    effect=Effect.READS,
    output={"status": "string", "unit": "object", "connections": "array", "connection_count": "integer"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="find_contradictions",
            description="Consider checking what speaks against it.",
            arguments={"claim": "$unit.content"},
        ),
        NextAction(
            tool="connect_propositions",
            description="Consider connecting it with what it bears on.",
            arguments={"id_a": "$unit.unit_id"},
        ),
        NextAction(
            tool="semantic_search",
            description="Consider looking for what it should be connected with.",
            arguments={"query": "$unit.content"},
            unless=("connections",),
        ),
    ),
)

ANALYZE = Tool(
    name="analyze_propositions",
    toolset="research",
    needs="reader",
    title="Analyze arguments",
    description=(
        "Derives findings with steps and reasons: implied relations, gaps, root_conflict (where it starts), hubs "
        "(what subject and other share), perspectives (sides of a question). Example: kind implied, subject "
        "metformin, other cancer."
    ),
    effect=Effect.READS,
    output={
        "status": "string",
        "kind": "string",
        "subject_matches": "array",
        "other_matches": "array",
        "findings": "array",
        "total": "integer",
        "looked_at": "integer",
        "bounded": "boolean",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="get_unit",
            description="Consider reading the first unit of the best finding.",
            arguments={"unit_id": "$findings.0.units.0.unit_id"},
        ),
        NextAction(
            tool="connect_propositions",
            description="Consider recording the best finding, if it holds.",
            when=("findings.0.record_with",),
        ),
        NextAction(
            tool="semantic_search",
            description="Nothing found: consider which units are about it.",
            arguments={"query": "$given.subject"},
            unless=("findings",),
        ),
    ),
)
