"""The rows of ``project`` that only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["CONTEXT", "QUERY", "STATUS"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.project.calls import CALLS

    return CALLS


QUERY = Tool(
    name="autology_query",
    toolset="project",
    needs="reader",
    title="Query the project's knowledge",
    description=(
        "Finds nodes, best first; without a query the newest. keyword scores nodes that hold every word. "
        "Example: query «token rotation», type decision."
    ),
    effect=Effect.READS,
    output={"nodes": "array", "total": "integer", "near_misses": "object", "warning?": "string"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="autology_query",
            description="Consider looking at what is related to the best of them.",
            arguments={"related_to": "$nodes.0.id"},
        ),
        NextAction(
            tool="fetch",
            description="Consider reading the best of them in full.",
            arguments={"id": "$nodes.0.id"},
        ),
        NextAction(
            tool="autology_query",
            description="Nothing found as narrowly as this: consider the query alone, without filters.",
            arguments={"query": "$given.query"},
            when=("narrowed",),
            unless=("total",),
        ),
        NextAction(
            tool="autology_capture",
            description="Nothing found: consider capturing what turns out to be true.",
            when=("wide",),
            unless=("total",),
        ),
    ),
    searched="query",
)

STATUS = Tool(
    name="autology_status",
    toolset="project",
    needs="reader",
    title="Status of the project's knowledge",
    description="Counts nodes by type and relations by type; detail full adds their status and confidence.",
    effect=Effect.READS,
    output={
        "totalNodes": "integer",
        "nodesByType": "object",
        "totalRelations": "integer",
        "relationsByType": "object",
        "nodesByStatus?": "object",
        "nodesByConfidence?": "object",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="autology_query",
            description="Consider looking at what needs review.",
            arguments={"query": "", "status": "needs_review"},
            when=("nodesByStatus.needs_review",),
        ),
    ),
)

CONTEXT = Tool(
    name="autology_context",
    toolset="project",
    needs="reader",
    title="Context of the work at hand",
    description=(
        "Ranks nodes by how much they bear on the file, the task and the files touched lately, and names the factors "
        "that counted. Useful before changing code. Example: currentFile src/auth/jwt.go."
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
            tool="autology_query",
            description="Consider looking at what is related to the most relevant node.",
            arguments={"related_to": "$nodes.0.id"},
        ),
        NextAction(
            tool="autology_query",
            description="Nothing bears on this: consider a query in other words.",
            unless=("nodes",),
        ),
    ),
)
