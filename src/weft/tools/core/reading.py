"""The rows of ``core`` that only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["BRIDGE", "CHALLENGE", "CONTEXT", "FETCH", "SEARCH", "STATUS", "TRACE"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.core.calls import CALLS

    return CALLS


SEARCH = Tool(
    name="search",
    toolset="core",
    needs="reader",
    title="Search the graph",
    description=(
        "Finds nodes by meaning, words and graph, best first, and says why each was found. The query may be a whole "
        "paragraph. Filters apply before ranking. Example: query «why SQLite», kinds [decision]."
    ),
    effect=Effect.READS,
    output={
        "hits": "array",
        "total": "integer",
        "near_misses": "object",
        "bridge_hint?": "object",
        "connected?": "boolean",
        "warning?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="create_learned_relationship",
            description="Consider joining the two close hits that nothing joins yet, and say why.",
            arguments={
                "from_concept_id": "$bridge_hint.node1.id",
                "to_concept_id": "$bridge_hint.node2.id",
                "relationship_type": "BRIDGES",
            },
        ),
        NextAction(
            tool="bridge",
            description="Consider looking for more that two bodies of knowledge which touch here have in common.",
            arguments={"ontology1": "$bridge_hint.node1.ontology", "ontology2": "$bridge_hint.node2.ontology"},
        ),
        NextAction(
            tool="fetch",
            description="The best hit no longer holds: consider reading what replaced it.",
            arguments={"id": "$hits.0.superseded_by.id"},
        ),
        NextAction(
            tool="fetch",
            description="The document that the best hit stands in was replaced: consider reading by what.",
            arguments={"id": "$hits.0.superseded_document.superseded_by.id"},
        ),
        NextAction(
            tool="fetch",
            description="Consider fetching the best hit with its relations and evidence.",
            arguments={"id": "$hits.0.id"},
        ),
        NextAction(
            tool="trace",
            description="Consider tracing how the two best hits are connected.",
            arguments={"start": "$hits.0.id", "end": "$hits.1.id"},
            when=("connected",),
        ),
        NextAction(
            tool="search",
            description="Nothing found as narrowly as this: consider the query alone, without filters.",
            arguments={"query": "$given.query"},
            when=("narrowed",),
            unless=("total",),
        ),
        NextAction(
            tool="capture",
            description="Nothing found: consider capturing what turns out to be true.",
            when=("wide",),
            unless=("total",),
        ),
    ),
    searched="query",
)

FETCH = Tool(
    name="fetch",
    toolset="core",
    needs="reader",
    title="Fetch a node",
    description=(
        "Returns one node whole: text, relations, quotes and sources, mentions, history. The id may be a "
        "title. Example: id «Use SQLite»."
    ),
    effect=Effect.READS,
    output={
        "id": "string",
        "title": "string",
        "node": "object",
        "relations": "object",
        "relation_count": "integer",
        "evidence": "array",
        "sources": "array",
        "mentions": "array",
        "history": "array",
        "neighbours?": "array",
        "next_offset?": "integer",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="fetch",
            description="Consider reading on.",
            arguments={"id": "$id", "offset": "$next_offset"},
            when=("next_offset",),
        ),
        NextAction(
            tool="search",
            description="Consider searching for what it should be related to.",
            arguments={"query": "$title"},
            unless=("relations",),
        ),
        NextAction(
            tool="challenge",
            description="Consider checking what speaks for and against it.",
            arguments={"claim": "$title"},
        ),
    ),
)

TRACE = Tool(
    name="trace",
    toolset="core",
    needs="reader",
    title="Trace a connection",
    description=(
        "Finds how one thing leads to another: the shortest trail of relations between two nodes or "
        "phrases, with type, direction and reasoning of each step. Example: start RNNs, end Transformers."
    ),
    effect=Effect.READS,
    output={
        "connected": "boolean",
        "trail": "array",
        "path_length?": "integer",
        "start_match?": "object",
        "end_match?": "object",
        "alternatives": "array",
        "nearest": "array",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="fetch",
            description="Consider reading the first step in full.",
            arguments={"id": "$trail.1.id"},
        ),
        NextAction(
            tool="trace",
            description="Not connected as narrowly as this: consider all relations.",
            arguments={"start": "$start_match.id", "end": "$end_match.id"},
            when=("narrowed",),
            unless=("connected",),
        ),
        NextAction(
            tool="relate",
            description="Not connected: consider relating the two, if they do bear on each other.",
            arguments={"source": "$start_match.id", "target": "$end_match.id", "type": "relates_to"},
            when=("wide",),
            unless=("connected",),
        ),
    ),
)

CHALLENGE = Tool(
    name="challenge",
    toolset="core",
    needs="reader",
    title="Challenge a claim",
    description=(
        "Finds what supports or contradicts a claim, with the sentences that bear on it. The undecided "
        "comes in to_judge, with the call that records a verdict. Useful before building on it."
    ),
    effect=Effect.READS,
    output={
        "claim": "string",
        "claim_id?": "string",
        "claim_title?": "string",
        "supports": "array",
        "conflicts": "array",
        "to_judge": "array",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="fetch",
            description="Consider reading the strongest conflict in full.",
            arguments={"id": "$conflicts.0.id"},
        ),
        NextAction(
            tool="fetch",
            description="Consider reading the nearest text that is left to judge: the verdict is yours.",
            arguments={"id": "$to_judge.0.id"},
        ),
        NextAction(
            tool="capture",
            description="The claim is not in the graph: consider capturing it.",
            arguments={"content": "$claim", "kind": "claim"},
            unless=("claim_id", "supports"),
        ),
    ),
    searched="claim",
)

BRIDGE = Tool(
    name="bridge",
    toolset="core",
    needs="reader",
    title="Find bridges",
    description=(
        "Proposes pairs of nodes of two ontologies that may belong together, ranked, with grounds and the "
        "size of the leap. Writes nothing."
    ),
    effect=Effect.READS,
    output={"candidates": "array", "near_misses": "object", "searched": "object"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="synthesize",
            description="Consider a concept that joins the best pair; it takes a label and evidence too.",
            arguments={"bridges": ["$candidates.0.concept1.id", "$candidates.0.concept2.id"]},
        ),
        NextAction(
            tool="relate",
            description="Consider relating the best pair, with a type and a reason.",
            arguments={"source": "$candidates.0.concept1.id", "target": "$candidates.0.concept2.id"},
        ),
        NextAction(
            tool="bridge",
            description="Nothing reaches the bar: consider asking without one for what comes nearest.",
            arguments={"ontology1": "$given.ontology1", "ontology2": "$given.ontology2"},
            when=("near_misses.best",),
            unless=("candidates",),
        ),
    ),
)

CONTEXT = Tool(
    name="context",
    toolset="core",
    needs="reader",
    title="Context for the work at hand",
    description=(
        "Returns what bears on the work at hand, most relevant first, with the factors that counted. "
        "Useful at the start of a task. Example: task «speed up login», current_file src/auth.py."
    ),
    effect=Effect.READS,
    output={"nodes": "array", "warning?": "string"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="fetch",
            description="Consider reading the most relevant node in full.",
            arguments={"id": "$nodes.0.id"},
        ),
        NextAction(
            tool="search",
            description="Consider a search in the words of the task.",
            arguments={"query": "$given.task"},
            unless=("nodes",),
        ),
        NextAction(
            tool="capture",
            description="Nothing bears on it yet: consider capturing what is found out.",
            unless=("nodes", "given.task"),
        ),
    ),
)

STATUS = Tool(
    name="status",
    toolset="core",
    needs="reader",
    title="Status of the graph",
    description=(
        "Says whether anything waits for a decision, counts nodes and relations, names hubs, orphans and "
        "communities, and reports the health of index, vault, model and engine."
    ),
    effect=Effect.READS,
    output={
        "verdict": "string",
        "wants": "array",
        "counts": "object",
        "hubs": "array",
        "orphans": "integer",
        "communities": "array",
        "health": "object",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="review",
            description="Consider looking at what waits for a decision.",
            when=("counts.suggestions_open",),
        ),
    ),
)
