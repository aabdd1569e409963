"""The arguments of the ``memory`` tools, in the spelling of cognitive-memory."""

from __future__ import annotations

from typing import Annotated, Final, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from weft.tools.arguments import (
    Arguments,
    Content,
    Fraction,
    Limit,
    NodeName,
    Query,
    Reason,
    Receipted,
    Reference,
    Tag,
    Title,
    filled,
)
from weft.tools.spelling import Spelling
from weft.vocabulary import CONFIDENCE, IMPORTANCE, NAME_MAX, OFFSET_MAX, TAGS_MAX

__all__ = [
    "KINDS",
    "TYPES",
    "DeleteArguments",
    "EdgesArguments",
    "GetArguments",
    "RecallArguments",
    "RelateArguments",
    "RelatedArguments",
    "StoreArguments",
    "UpdateArguments",
    "written",
]

DEPTH_MAX: Final = 3
FILTERS_MAX: Final = 20


def written(type: str) -> str:  # noqa: A002 - the field's word
    """Return a relation type as cognitive-memory writes it: in capitals, and relates_to as RELATED_TO."""
    return "RELATED_TO" if type == "relates_to" else type.upper()


KINDS: Final = Spelling.of_kinds(
    *("problem", "error", "solution", "fix", "decision", "insight"),
    *("procedure", "configuration", "workflow", "code_pattern", "general"),
)
TYPES: Final = Spelling.of_types(
    *("solves", "causes", "builds_on", "alternative_to", "requires", "follows", "relates_to"), write=written
)

KindAgain: TypeAlias = Annotated[str, Field(max_length=NAME_MAX), AfterValidator(KINDS.validated)]
TypeAgain: TypeAlias = Annotated[str, Field(max_length=NAME_MAX), AfterValidator(TYPES.validated)]
"""A type, too; the names are published once a toolset, in memory_store and memory_relate."""


class StoreArguments(Receipted):
    """What ``memory_store`` takes."""

    title: Annotated[Title, AfterValidator(filled)] = Field(description="What it is about, in one line.")
    content: Annotated[Content, AfterValidator(filled)] = Field(description="The memory, in full sentences.")
    type: Annotated[KINDS.field, AfterValidator(filled)] = Field(description="What kind of memory.")  # type: ignore[name-defined]
    tags: tuple[Tag, ...] = Field((), max_length=TAGS_MAX, description="Short labels; acronyms too.")
    importance: Fraction = Field(IMPORTANCE, description="How much it matters.")
    confidence: Fraction = Field(CONFIDENCE, description="How sure.")


class RecallArguments(Arguments):
    """What ``memory_recall`` takes."""

    query: Annotated[Query, AfterValidator(filled)] = Field(description="What to remember, in words.")
    limit: Limit = Field(5, description="Memories to return.")
    semantic: bool = Field(True, strict=True, description="false: only what holds every word.")
    type: KindAgain = Field("", description="Only this type, as in memory_store.")
    tags: tuple[Tag, ...] = Field((), max_length=TAGS_MAX, description="All of these.")


class GetArguments(Arguments):
    """What ``memory_get`` takes."""

    id: NodeName = Field(description="Id or title.")


class UpdateArguments(Receipted):
    """What ``memory_update`` takes: the memory, and at least one field to change."""

    id: NodeName = Field(description="Id or title.")
    title: Title | None = Field(None, description="New title.")
    content: Content | None = Field(None, description="New text.")
    type: Annotated[KindAgain, AfterValidator(filled)] | None = Field(None, description="As in memory_store.")
    tags: tuple[Tag, ...] | None = Field(None, max_length=TAGS_MAX, description="All tags from now on.")
    importance: Fraction | None = Field(None, description="How much it matters.")
    confidence: Fraction | None = Field(None, description="How sure.")
    if_version: int | None = Field(None, ge=1, le=2**53, description="The version it was read at.")

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        fields = ("title", "content", "type", "tags", "importance", "confidence")
        if not any(name in self.model_fields_set for name in fields):
            raise ValueError(f"nothing to change; give at least one of {', '.join(fields)}")
        return self


class DeleteArguments(Receipted):
    """What ``memory_delete`` takes."""

    id: NodeName = Field(description="Id or title.")
    reason: Reason = Field("", description="Why; kept in the log.")
    confirm: bool = Field(False, strict=True, description="false: only preview.")


class RelateArguments(Receipted):
    """What ``memory_relate`` takes."""

    from_id: NodeName = Field(description="Id or title.")
    to_id: NodeName = Field(description="Id or title.")
    rel_type: Annotated[TYPES.field, AfterValidator(filled)] = Field(description="What from does to to.")  # type: ignore[name-defined]
    strength: Fraction = Field(0.5, description="How strong.")
    context: Reason = Field("", description="Why it holds.")


class RelatedArguments(Arguments):
    """What ``memory_related`` takes."""

    id: NodeName = Field(description="Id or title.")
    depth: int = Field(1, ge=1, le=DEPTH_MAX, description="How many edges away.")
    rel_types: tuple[Annotated[TypeAgain, AfterValidator(filled)], ...] = Field(
        (), max_length=FILTERS_MAX, description="Only along these, as in memory_relate."
    )
    limit: Limit = Field(20, description="Memories to return.")
    offset: int = Field(0, ge=0, le=OFFSET_MAX, description="Memories to skip.")


class EdgesArguments(Arguments):
    """What ``memory_edges`` takes."""

    id: Reference = Field("", description="Only of this memory.")
    type: TypeAgain = Field("", description="Only this type, as in memory_relate.")
    limit: Limit = Field(20, description="Edges to return.")
    offset: int = Field(0, ge=0, le=OFFSET_MAX, description="Edges to skip.")
