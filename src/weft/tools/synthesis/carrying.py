"""The rows of ``synthesis`` that carry learned knowledge from one graph to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["EXPORT", "IMPORT"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.synthesis.calls import CALLS

    return CALLS


EXPORT = Tool(
    name="export_learned_knowledge",
    toolset="synthesis",
    needs="reader",
    title="Export learned knowledge",
    description=(
        "Returns learned items as json, csv, markdown or cypher text: as many whole ones as an answer holds, and "
        "next_offset where there are more."
    ),
    effect=Effect.READS,
    output={
        "format": "string",
        "text": "string",
        "items": "integer",
        "total": "integer",
        "next_offset?": "integer",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="export_learned_knowledge",
            description="Consider the next part.",
            arguments={
                "format": "$given.format",
                "offset": "$next_offset",
            },
            when=("next_offset",),
        ),
    ),
)

IMPORT = Tool(
    name="import_learned_knowledge",
    toolset="synthesis",
    needs="curator",
    title="Import learned knowledge",
    description=(
        "Takes in learned items exported elsewhere: ids are kept, what is here already is skipped, each with its "
        "reason. creator_map example: {aaron: ann}."
    ),
    effect=Effect.MERGES,
    output={
        "written": "integer",
        "learned_ids": "array",
        "skipped": "array",
        "dry_run": "boolean",
        "batch?": "string",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="list_learned_knowledge",
            description="Consider what is there now.",
            when=("batch",),
        ),
    ),
)
