"""The rows of ``memory`` that write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["DELETE", "RELATE", "STORE", "UPDATE"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.memory.calls import CALLS

    return CALLS


STORE = Tool(
    name="memory_store",
    toolset="memory",
    needs="contributor",
    title="Store a memory",
    description=(
        "Keeps what was learned, and joins it by up to three edges to memories of other types that it solves, builds "
        "on or relates to. Useful after a fix, a decision or a lesson. Example: type fix, title «Close idle "
        "connections», tags [postgres]."
    ),
    effect=Effect.ADDS,
    output={
        **dict.fromkeys(("id", "title", "type", "status?", "auto_edge_error?", "batch?"), "string"),
        "auto_edges": "array",
        "existing": "boolean",
        "near_duplicates?": "array",
        "differing?": "array",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="memory_update",
            description="It was there already and stays as it was: consider an update, where it should say more.",
            arguments={"id": "$id"},
            when=("existing",),
            unless=("status",),
        ),
        NextAction(
            tool="update",
            description="It was there already and does not count as current: consider making it active, if it holds.",
            arguments={"id": "$id", "status": "active"},
            when=("existing", "status"),
        ),
        NextAction(
            tool="memory_get",
            description="Consider reading what says nearly the same.",
            arguments={"id": "$near_duplicates.0.id"},
        ),
        NextAction(
            tool="memory_get",
            description="It differs from what is there (see differing): consider reading that.",
            arguments={"id": "$differing.0.id"},
        ),
        NextAction(
            tool="memory_related",
            description="Consider looking at what it was joined to.",
            arguments={"id": "$id"},
            when=("auto_edges",),
        ),
        NextAction(
            tool="memory_recall",
            description="Nothing was joined: consider recalling what it belongs to.",
            arguments={"query": "$title"},
            when=("batch",),
            unless=("auto_edges",),
        ),
    ),
)

UPDATE = Tool(
    name="memory_update",
    toolset="memory",
    needs="contributor",
    title="Update a memory",
    description="Changes fields of one memory and shows each before and after. Its edges stay.",
    effect=Effect.CHANGES,
    output={"id": "string", "changed": "object", "version": "integer", "batch?": "string"},
    bindings=_bindings,
    next_actions=(
        NextAction(tool="memory_get", description="Consider reading it as it stands.", arguments={"id": "$id"}),
    ),
)

DELETE = Tool(
    name="memory_delete",
    toolset="memory",
    needs="librarian",
    title="Delete a memory",
    description=(
        "Takes a memory and its edges out of the graph once confirm is true; before, it shows what would go. Undoable."
    ),
    effect=Effect.CHANGES,
    output={
        **dict.fromkeys(("id", "title", "type", "batch?"), "string"),
        "nodes_removed?": "integer",
        "relations_removed": "integer",
        "deleted": "boolean",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="memory_delete",
            description="A preview: consider the same call with confirm if this is meant to go.",
            arguments={"id": "$id", "confirm": True},
            unless=("deleted",),
        ),
    ),
)

RELATE = Tool(
    name="memory_relate",
    toolset="memory",
    needs="contributor",
    title="Relate two memories",
    description=(
        "Makes an edge between two memories, or strengthens the one that is there. Titles will do. Example: from_id "
        "«Close idle connections», rel_type SOLVES, to_id «Too many clients»."
    ),
    effect=Effect.MERGES,
    output={"edge": "object", "created": "boolean", "warning?": "string", "batch?": "string"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="memory_related",
            description="Consider looking at what else is joined to it.",
            arguments={"id": "$edge.to"},
        ),
    ),
)
