"""The rows of ``memory`` that only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["EDGES", "GET", "RECALL", "RELATED"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.memory.calls import CALLS

    return CALLS


RECALL = Tool(
    name="memory_recall",
    toolset="memory",
    needs="reader",
    title="Recall memories",
    description=(
        "Brings back the memories most like the query; among those as alike, importance decides, which fades without "
        "use. Useful before a task and when an error shows up. Example: query «login loops after token refresh», type "
        "solution."
    ),
    effect=Effect.READS,
    output={"memories": "array", "total": "integer", "warning?": "string"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="memory_get",
            description="Consider reading the best one in full.",
            arguments={"id": "$memories.0.id"},
        ),
        NextAction(
            tool="memory_related",
            description="Consider looking at what it is joined to.",
            arguments={"id": "$memories.0.id"},
        ),
        NextAction(
            tool="memory_recall",
            description="Nothing found as narrowly as this: consider the query alone, without filters.",
            arguments={"query": "$given.query"},
            when=("narrowed",),
            unless=("memories",),
        ),
        NextAction(
            tool="memory_store",
            description="Nothing comes to mind: consider storing what turns out to help.",
            when=("wide",),
            unless=("memories",),
        ),
    ),
    searched="query",
)

GET = Tool(
    name="memory_get",
    toolset="memory",
    needs="reader",
    title="Get a memory",
    description="Returns one memory whole, with its edges seen from it. Reading it keeps it fresh.",
    effect=Effect.READS,
    output={
        **dict.fromkeys(("id", "type", "title", "content", "status", "created", "updated"), "string"),
        **dict.fromkeys(("tags", "relations"), "array"),
        **dict.fromkeys(("importance", "confidence"), "number"),
        "version": "integer",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="memory_related",
            description="Consider looking further along its edges.",
            arguments={"id": "$id", "depth": 2},
            when=("relations",),
        ),
        NextAction(
            tool="memory_recall",
            description="It stands alone: consider recalling what it belongs to.",
            arguments={"query": "$title"},
            unless=("relations",),
        ),
        NextAction(tool="fetch", description="Consider its evidence and history.", arguments={"id": "$id"}),
    ),
)

RELATED = Tool(
    name="memory_related",
    toolset="memory",
    needs="reader",
    title="Related memories",
    description=(
        "Follows edges from one memory, up to three away, and shows each memory with the path to it: nearest first, "
        "then strongest. Example: depth 2, rel_types [SOLVES, BUILDS_ON]."
    ),
    effect=Effect.READS,
    output={"id": "string", "title": "string", "memories": "array", "total": "integer"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="memory_get",
            description="Consider reading the nearest one in full.",
            arguments={"id": "$memories.0.id"},
        ),
        NextAction(
            tool="memory_recall",
            description="These edges lead nowhere: consider recalling what is like it.",
            arguments={"query": "$title"},
            unless=("total",),
        ),
    ),
)

EDGES = Tool(
    name="memory_edges",
    toolset="memory",
    needs="reader",
    title="List edges",
    description=(
        "Lists edges: of one memory, strongest first, or of the whole graph, newest first; of one type where type is "
        "given. Each says why it is there. Example: type SOLVES."
    ),
    effect=Effect.READS,
    output={"edges": "array", "total": "integer"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="memory_get",
            description="Consider reading where the first one starts.",
            arguments={"id": "$edges.0.from"},
        ),
    ),
)
