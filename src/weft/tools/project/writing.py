"""The rows of ``project`` that write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["CAPTURE", "DELETE", "RELATE", "UNRELATE", "UPDATE"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.project.calls import CALLS

    return CALLS


CAPTURE = Tool(
    name="autology_capture",
    toolset="project",
    needs="contributor",
    title="Capture project knowledge",
    description=(
        "Keeps a node, classified where no type is given and related by the rules. With source hook_file_change it "
        "marks other nodes of the changed files. Example: title «Use JWT», content «We chose JWT over sessions.», "
        "references [src/auth/jwt.go]."
    ),
    effect=Effect.ADDS,
    output={
        "id": "string",
        "type": "string",
        "confidence": "number",
        "confident": "boolean",
        "method": "string",
        "alternatives": "array",
        "relations": "array",
        "suggestions": "array",
        "differing?": "array",
        "stale?": "array",
        "existing": "boolean",
        "status?": "string",
        "link_error?": "string",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="autology_update",
            description="It was there already and stays as it was: consider an update, where it should say more.",
            arguments={"id": "$id"},
            when=("existing",),
            unless=("status",),
        ),
        NextAction(
            tool="autology_update",
            description="It was there already and does not count as current: consider making it active, if it holds.",
            arguments={"id": "$id", "status": "active"},
            when=("existing", "status"),
        ),
        NextAction(
            tool="autology_update",
            description="Consider bringing the first of the outdated nodes in line with the changed file.",
            arguments={"id": "$stale.0.id"},
        ),
        NextAction(
            tool="fetch",
            description="It may differ from what is there (see differing): consider reading that, and relating both.",
            arguments={"id": "$differing.0.id"},
        ),
        NextAction(
            tool="review",
            description="What was suggested waits for a decision: consider looking at it.",
            when=("suggestions",),
        ),
        NextAction(
            tool="autology_query",
            description="Consider looking for what it should be related to.",
            arguments={"query": "$given.title"},
            when=("batch",),
            unless=("relations",),
        ),
    ),
)

UPDATE = Tool(
    name="autology_update",
    toolset="project",
    needs="contributor",
    title="Update a node",
    description=(
        "Changes the named fields of a node and shows each before and after; an error where nothing would change. "
        "Example: id «Use JWT», status needs_review."
    ),
    effect=Effect.CHANGES,
    output={"id": "string", "changed": "object", "modified": "string", "version": "integer", "batch?": "string"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="autology_query",
            description="Consider whether what is related to it holds all the same.",
            arguments={"related_to": "$id"},
        ),
    ),
)

DELETE = Tool(
    name="autology_delete",
    toolset="project",
    needs="librarian",
    title="Delete a node",
    description=(
        "Takes a node and its relations out, at once; confirm false only shows what would go. One undo brings all of "
        "it back."
    ),
    effect=Effect.CHANGES,
    output={
        "id": "string",
        "title": "string",
        "type": "string",
        "nodesRemoved?": "integer",
        "relationsRemoved": "integer",
        "deleted": "boolean",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="autology_delete",
            description="A preview: consider the same call with confirm if this is meant to go.",
            arguments={"id": "$id", "confirm": True},
            unless=("deleted",),
        ),
    ),
)

RELATE = Tool(
    name="autology_relate",
    toolset="project",
    needs="contributor",
    title="Relate two nodes",
    description=(
        "Makes a relation source → target, or keeps the larger confidence of one that is there. supersedes marks the "
        "target as superseded. Titles will do. Example: source «Use JWT», target «Login», type affects."
    ),
    effect=Effect.MERGES,
    output={"relation": "object", "created": "boolean", "warning?": "string", "batch?": "string"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="autology_query",
            description="Consider looking at what else the target is related to.",
            arguments={"related_to": "$relation.target"},
        ),
    ),
)

UNRELATE = Tool(
    name="autology_unrelate",
    toolset="project",
    needs="librarian",
    title="Remove a relation",
    description=(
        "Removes the relation of this type from source to target and says whether it was there; relates_to has no "
        "direction."
    ),
    effect=Effect.CHANGES,
    output={"removed": "boolean", "batch?": "string"},
    bindings=_bindings,
)
