"""The arguments of the ``project`` tools, spelled as Autology spells them."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from weft.model import Status
from weft.tools.arguments import (
    Arguments,
    Content,
    Fraction,
    NodeName,
    Place,
    Query,
    Reason,
    Receipted,
    Reference,
    Tag,
    Task,
    Title,
    filled,
)
from weft.tools.spelling import Spelling
from weft.vocabulary import CONFIDENCE, LIST_MAX, NAME_MAX, OFFSET_MAX, PROJECT_KINDS, REFERENCES_MAX, TAGS_MAX

__all__ = [
    "RELATIONS",
    "TYPES",
    "CaptureArguments",
    "ContextArguments",
    "DeleteArguments",
    "QueryArguments",
    "RelateArguments",
    "StatusArguments",
    "UnrelateArguments",
    "UpdateArguments",
]

TYPES: Final = Spelling.of_kinds(*PROJECT_KINDS)
RELATIONS: Final = Spelling.of_types(
    "affects", "uses", "supersedes", "relates_to", "implements", "depends_on", "derived_from"
)
NODES_MAX: Final = 20  # of a context


AnyStatus: TypeAlias = Status | None
TypeAgain: TypeAlias = Annotated[str, Field(max_length=NAME_MAX), AfterValidator(TYPES.validated)]
RelationAgain: TypeAlias = Annotated[str, Field(max_length=NAME_MAX), AfterValidator(RELATIONS.validated)]
"""These names are published once, with ``autology_capture`` and ``autology_relate``."""


class CaptureArguments(Receipted):
    """What ``autology_capture`` takes."""

    title: Annotated[Title, AfterValidator(filled)] = Field(description="What it is called.")
    content: Annotated[Content, AfterValidator(filled)] = Field(description="What there is to know.")
    type: TYPES.field = Field("", description="Default: classified.")  # type: ignore[name-defined]
    tags: tuple[Tag, ...] = Field((), max_length=TAGS_MAX, description="Short labels.")
    references: tuple[Place, ...] = Field((), max_length=REFERENCES_MAX, description="Files or URLs.")
    source: Literal["manual", "hook_commit", "hook_file_change"] = Field("manual", description="How it came in.")


class QueryArguments(Arguments):
    """What ``autology_query`` takes."""

    query: Query = Field("", description="What to look for, in words.")
    type: TypeAgain = Field("", description="As in autology_capture.")
    tags: tuple[Tag, ...] = Field((), max_length=TAGS_MAX, description="All of these.")
    status: AnyStatus = Field(None, description="Only this status.")
    min_confidence: Fraction = Field(0.0, description="Least confidence.")
    related_to: Reference = Field("", description="Only what is near this node: id or title.")
    mode: Literal["hybrid", "keyword"] = Field("hybrid", description="keyword: holds every word.")
    limit: Annotated[int, Field(ge=1, le=LIST_MAX)] = Field(10, description="Nodes to return.")
    offset: int = Field(0, ge=0, le=OFFSET_MAX, description="Nodes to skip.")


class StatusArguments(Arguments):
    """What ``autology_status`` takes."""

    detail: Literal["summary", "full"] = Field("summary", description="full: status and confidence too.")


class UpdateArguments(Receipted):
    """What ``autology_update`` takes: the node, and at least one field to change."""

    id: NodeName = Field(description="Id or title.")
    title: Title | None = Field(None, description="New title.")
    content: Content | None = Field(None, description="New text.")
    tags: tuple[Tag, ...] | None = Field(None, max_length=TAGS_MAX, description="All tags from now on.")
    status: AnyStatus = Field(None, description="New status.")
    confidence: Fraction | None = Field(None, description="How sure.")
    if_version: int | None = Field(None, ge=1, le=2**53, description="The version it was read at.")

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        fields = ("title", "content", "tags", "status", "confidence")
        if not self.model_fields_set.intersection(fields):
            raise ValueError(f"nothing to change; give at least one of {', '.join(fields)}")
        return self


class DeleteArguments(Receipted):
    """What ``autology_delete`` takes."""

    id: NodeName = Field(description="Id or title.")
    confirm: bool = Field(True, strict=True, description="false: only preview.")


class RelateArguments(Receipted):
    """What ``autology_relate`` takes."""

    source: NodeName = Field(description="Id or title.")
    target: NodeName = Field(description="Id or title.")
    type: Annotated[RELATIONS.field, AfterValidator(filled)] = Field(  # type: ignore[name-defined]
        description="What source does to target."
    )
    description: Reason = Field("", description="Why it holds.")
    confidence: Fraction = Field(CONFIDENCE, description="How strong.")


class UnrelateArguments(Receipted):
    """What ``autology_unrelate`` takes."""

    source: NodeName = Field(description="Id or title.")
    target: NodeName = Field(description="Id or title.")
    type: Annotated[RelationAgain, AfterValidator(filled)] = Field(description="As in autology_relate.")


class ContextArguments(Arguments):
    """What ``autology_context`` takes."""

    currentFile: Place = Field("", description="The file at hand.")  # noqa: N815 - Autology's spelling
    currentTask: Task = Field("", description="The task, or the conversation so far.")  # noqa: N815
    recentFiles: tuple[Place, ...] = Field(  # noqa: N815
        (), max_length=REFERENCES_MAX, description="Files touched lately."
    )
    maxNodes: int = Field(10, ge=1, le=NODES_MAX, description="Nodes to return.")  # noqa: N815
