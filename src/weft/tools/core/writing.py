"""The rows of ``core`` that write, and ``review``, which writes where something is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["CAPTURE", "FORGET", "RELATE", "REVIEW", "SYNTHESIZE", "UNRELATE", "UPDATE"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.core.calls import CALLS

    return CALLS


CAPTURE = Tool(
    name="capture",
    toolset="core",
    needs="contributor",
    title="Capture knowledge",
    description=(
        "Stores one piece of knowledge, classifies and links it, and reports likely duplicates and "
        "conflicts. Identical text is stored once. Example: content «We chose SQLite: one file, no "
        "server.», relations [{type: affects, target: Storage}]."
    ),
    effect=Effect.ADDS,
    output={
        "id": "string",
        "title": "string",
        "kind": "string",
        "ontology": "string",
        "existing": "boolean",
        "untaken?": "array",
        "status?": "string",
        "classification": "object",
        "relations": "array",
        "suggestions": "array",
        "near_duplicates": "array",
        "conflicts": "array",
        "differing?": "array",
        "related?": "array",
        "link_error?": "string",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="update",
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
            tool="fetch",
            description="Consider reading what seems to contradict it.",
            arguments={"id": "$conflicts.0.id"},
        ),
        NextAction(
            tool="relate",
            description="Where it takes the place of what it contradicts, consider saying so.",
            arguments={"source": "$id", "target": "$conflicts.0.id", "type": "supersedes"},
            unless=("conflicts.0.status",),
        ),
        NextAction(
            tool="fetch",
            description="It may differ from what is there (see differing): consider reading that, and relating both.",
            arguments={"id": "$differing.0.id"},
        ),
        NextAction(
            tool="fetch",
            description="Consider reading what says nearly the same.",
            arguments={"id": "$near_duplicates.0.id"},
        ),
        NextAction(
            tool="update",
            description="Its kind is a guess: consider giving it another. A capture may say its kind at once.",
            arguments={"id": "$id", "kind": "$suggestions.0.record_with.arguments.kind"},
            unless=("classification.confident",),
        ),
        NextAction(
            tool="review",
            description="What was suggested waits for a decision: consider looking at it.",
            when=("suggestions.0", "classification.confident"),
        ),
        NextAction(
            tool="review",
            description="What was suggested waits for a decision: consider looking at it.",
            when=("suggestions.1",),
            unless=("classification.confident",),
        ),
        NextAction(
            tool="relate",
            description="Consider relating it to what it likely belongs with, and say how.",
            arguments={"source": "$id", "target": "$related.0.id"},
            when=("batch",),
            unless=("relations", "suggestions"),
        ),
        NextAction(
            tool="relate",
            description="Consider relating it to what it likely belongs with, and say how.",
            arguments={"source": "$id", "target": "$related.0.id"},
            when=("batch", "suggestions.0"),
            unless=("relations", "classification.confident", "suggestions.1"),
        ),
        NextAction(
            tool="search",
            description="Consider looking for what it should be related to.",
            arguments={"query": "$title"},
            when=("batch",),
            unless=("relations", "related"),
        ),
    ),
)

UPDATE = Tool(
    name="update",
    toolset="core",
    needs="contributor",
    title="Update a node",
    description=(
        "Changes fields of one node and shows each before and after. Lists replace the old ones. A node "
        "changed since if_version is a CONFLICT. Undoable."
    ),
    effect=Effect.CHANGES,
    output={
        "id": "string",
        "changed": "object",
        "version": "integer",
        "warning?": "string",
        **dict.fromkeys(("near_duplicates?", "conflicts?", "differing?"), "array"),
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="fetch",
            description="Consider reading the node as it stands now.",
            arguments={"id": "$id"},
            when=("changed",),
            unless=("conflicts", "near_duplicates"),
        ),
        NextAction(
            tool="fetch",
            description="Consider reading what its new text seems to contradict.",
            arguments={"id": "$conflicts.0.id"},
        ),
        NextAction(
            tool="fetch",
            description="Consider reading what says nearly the same as its new text.",
            arguments={"id": "$near_duplicates.0.id"},
        ),
    ),
)

FORGET = Tool(
    name="forget",
    toolset="core",
    needs="librarian",
    title="Forget a node",
    description=(
        "Takes a node and its relations out of the graph; without confirm it only shows what would go. "
        "Undoable; as_of reads still see it."
    ),
    effect=Effect.CHANGES,
    output={
        "id": "string",
        "title": "string",
        "kind": "string",
        "nodes_removed?": "integer",
        "titles?": "array",
        "relations_removed": "integer",
        "done": "boolean",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="forget",
            description="A preview: consider the same call with confirm if this is meant to go.",
            arguments={"id": "$id", "confirm": True},
            unless=("done",),
        ),
    ),
)

RELATE = Tool(
    name="relate",
    toolset="core",
    needs="contributor",
    title="Relate two nodes",
    description=(
        "Makes a relation source → target with its reason, or strengthens the one there. Titles will do. "
        "Example: source «Use SQLite», type supports, target «No server», reasoning «It lives in one "
        "file.»"
    ),
    effect=Effect.MERGES,
    output={
        "relation": "object",
        "created": "boolean",
        "strengthened": "boolean",
        "warning?": "string",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="fetch",
            description="Consider reading what else hangs on the target.",
            arguments={"id": "$relation.target"},
        ),
    ),
)

UNRELATE = Tool(
    name="unrelate",
    toolset="core",
    needs="librarian",
    title="Remove a relation",
    description=("Removes the relation of this type from source to target and says whether it was there. Undoable."),
    effect=Effect.CHANGES,
    output={"removed": "boolean", "batch?": "string"},
    bindings=_bindings,
)

SYNTHESIZE = Tool(
    name="synthesize",
    toolset="core",
    needs="contributor",
    title="Synthesize a concept",
    description=(
        "Makes a new concept that joins two or more nodes, with the evidence for it. It is marked as "
        "learned; the answer says how big the leap is."
    ),
    effect=Effect.ADDS,
    output={
        "id": "string",
        "concept_id": "string",
        "label": "string",
        "ontology": "string",
        "bridges": "array",
        "similarity_scores": "array",
        "cognitive_leap": "string",
        "learned_id": "string",
        "warning?": "string",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="fetch",
            description="Consider reading the new concept with its evidence.",
            arguments={"id": "$id"},
        ),
    ),
)

REVIEW = Tool(
    name="review",
    toolset="core",
    needs="reader",
    title="Review suggestions",
    description=(
        "Lists suggested relations, duplicates, conflicts and stale nodes that wait for a decision, and "
        "what accepting does. decide accepts or dismisses items (librarian)."
    ),
    effect=Effect.CHANGES,
    output={"items": "array", "decided": "array", "remaining": "integer"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="fetch",
            description="Consider reading the first item's subject before deciding.",
            arguments={"id": "$items.0.subjects.0"},
        ),
    ),
)
