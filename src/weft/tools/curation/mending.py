"""The rows of ``curation`` that mend: flagging, merging, parting and pruning. All but the first are audited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Prerequisite, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["FLAG", "MERGE", "PRUNE", "UNMERGE"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.curation.calls import CALLS

    return CALLS


FLAG = Tool(
    name="flag_similar_concepts",
    toolset="curation",
    needs="contributor",
    title="Flag similar concepts",
    description=(
        "Finds pairs that seem to say the same, around a concept or within an ontology, and flags them for review; the "
        "step before merging. Opposites are not flagged."
    ),
    effect=Effect.MERGES,
    output={
        "flags": "array",
        "passed_over": "object",
        "looked_at": "integer",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="merge_concepts",
            description="Consider merging the likest pair, after reading both.",
            arguments={
                "keep_id": "$flags.0.keep_id",
                "merge_id": "$flags.0.merge_id",
                "reason": "They say the same.",
            },
        ),
        NextAction(
            tool="get_concept_details",
            description="Consider reading the first of them.",
            arguments={"concept_id": "$flags.0.merge_id"},
        ),
        NextAction(
            tool="review",
            description="The flags wait for a decision, one by one: consider looking at them.",
            arguments={"kinds": ["duplicate"]},
            when=("flags",),
        ),
    ),
)

MERGE = Tool(
    name="merge_concepts",
    toolset="curation",
    needs="librarian",
    title="Merge two concepts",
    description=(
        "Merges one concept into another: relations, evidence and search terms move, its id and label still lead "
        "there. Refused under similarity 0.85 and for opposites. unmerge_concepts takes it back."
    ),
    effect=Effect.CHANGES,
    output={
        "keep_id": "string",
        "merge_id": "string",
        "similarity": "number",
        "moved": "object",
        "alias": "string",
        "warning?": "string",
        "batch": "string",
    },
    bindings=_bindings,
    audit=True,
    prerequisites=(Prerequisite(tool="flag_similar_concepts", key="missing_flag", about=("keep_id", "merge_id")),),
    error_hints={
        "missing_flag": (
            "Flag concepts for review before merging them. The same call again, or proceed true, goes on."
        ),
        "insufficient_similarity": (
            "Concepts must be similar by 0.85 or more, and not opposed, to merge. Consider create_relationship; a "
            "curator may set override."
        ),
    },
    next_actions=(
        NextAction(
            tool="get_concept_details",
            description="Consider reading what it became.",
            arguments={"concept_id": "$keep_id"},
        ),
        NextAction(
            tool="unmerge_concepts",
            description="If that was a mistake, consider parting them.",
            arguments={"merge_id": "$merge_id"},
        ),
    ),
)

UNMERGE = Tool(
    name="unmerge_concepts",
    toolset="curation",
    needs="librarian",
    title="Part merged concepts",
    description=(
        "Takes a merge back: the concept returns with its relations and evidence; what came since stays with the other."
    ),
    effect=Effect.CHANGES,
    output={
        "concept_id": "string",
        "label": "string",
        "from_id": "string",
        "restored": "object",
        "left": "array",
        "batch": "string",
    },
    bindings=_bindings,
    audit=True,
    next_actions=(
        NextAction(
            tool="get_concept_details",
            description="Consider reading the concept that returned.",
            arguments={"concept_id": "$concept_id"},
        ),
    ),
)

PRUNE = Tool(
    name="prune",
    toolset="curation",
    needs="curator",
    title="Prune leftovers",
    description=(
        "Takes out up to 500 leftovers in one undoable batch: orphans (nothing joins or supports them), dangling "
        "(point at what is gone), retired (evidence of forgotten concepts). Counts only, unless dry_run is false."
    ),
    effect=Effect.CHANGES,
    output={
        "what": "string",
        "dry_run": "boolean",
        "counts": "object",
        "examples": "array",
        "more": "boolean",
        "batch?": "string",
    },
    bindings=_bindings,
    audit=True,
    next_actions=(
        NextAction(
            tool="prune",
            description="A dry run: consider the same call in earnest (dry_run false), if these may go.",
            arguments={"what": "$what", "dry_run": False, "reason": "$given.reason"},
            when=("dry_run",),
        ),
        NextAction(
            tool="prune",
            description="Consider the same call again: there is more.",
            arguments={"what": "$what", "dry_run": False, "reason": "$given.reason"},
            when=("more",),
            unless=("dry_run",),
        ),
    ),
)
