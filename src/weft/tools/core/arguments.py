"""The arguments of the ``core`` tools. Defaults, bounds and descriptions stand here once, for all faces."""

from __future__ import annotations

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from weft.model import Scope, Status, SuggestionKind
from weft.tools.arguments import (
    Arguments,
    Citation,
    Content,
    DayEnd,
    Evidence,
    Fraction,
    KindAgain,
    KindName,
    LabelName,
    Limit,
    Moment,
    Name,
    NodeName,
    Part,
    Place,
    Query,
    Reason,
    Receipted,
    Reference,
    Tag,
    Task,
    Title,
    TypeAgain,
    TypeName,
    filled,
)
from weft.vocabulary import (
    ALTERNATIVES_MAX,
    BRIDGES_MAX,
    BULK_MAX,
    CONFIDENCE,
    CONTENT_MAX,
    DEPTH_MAX,
    HOPS_MAX,
    OFFSET_MAX,
    REFERENCES_MAX,
    RELATIONS_MAX,
    SEARCH_TERMS_MAX,
    TAGS_MAX,
)

__all__ = [
    "BridgeArguments",
    "CaptureArguments",
    "ChallengeArguments",
    "ContextArguments",
    "FetchArguments",
    "ForgetArguments",
    "RelateArguments",
    "ReviewArguments",
    "SearchArguments",
    "StatusArguments",
    "SynthesizeArguments",
    "TraceArguments",
    "UnrelateArguments",
    "UpdateArguments",
]

FILTERS_MAX = 50  # kinds, ontologies or types in one filter

Detail: TypeAlias = Literal["concise", "detailed"]


class WishArguments(Part):
    """A relation wanted from the node that is being captured."""

    type: Annotated[LabelName, AfterValidator(filled)] = Field(
        description="As in relate, from the new node; supported_by and the like: to it."
    )
    target: NodeName = Field(description="Id or title.")
    reasoning: Reason = Field("", description="Why.")


class CaptureArguments(Receipted):
    """What ``capture`` takes."""

    content: Annotated[Content, AfterValidator(filled)] = Field(description="The knowledge, in full sentences.")
    title: Title = Field("", description="Default: its first sentence.")
    kind: KindName = Field("", description="Default: classified.")
    ontology: Name = Field("", description="Body of knowledge; default: the graph's own.")
    tags: tuple[Tag, ...] = Field((), max_length=TAGS_MAX, description="Short labels.")
    references: tuple[Place, ...] = Field((), max_length=REFERENCES_MAX, description="Files or URLs.")
    citation: Citation = Field("", description="Where it is from: text, DOI or URL.")
    channel: Literal["manual", "hook_commit", "hook_file_change"] = Field("manual", description="How it came in.")
    confidence: Fraction | None = Field(None, description="How sure; default: by kind.")
    importance: Fraction | None = Field(None, description="Default 0.5.")
    relations: tuple[WishArguments, ...] = Field((), max_length=RELATIONS_MAX, description="Relations to make.")


class SearchArguments(Arguments):
    """What ``search`` takes."""

    query: Query = Field(description='What to look for, in words; "in quotes" word for word; blank: the newest.')
    kinds: tuple[Annotated[KindAgain, AfterValidator(filled)], ...] = Field(
        (), max_length=FILTERS_MAX, description="Any of these; as in capture."
    )
    ontologies: tuple[Name, ...] = Field((), max_length=FILTERS_MAX, description="Any of these.")
    tags: tuple[Tag, ...] = Field((), max_length=TAGS_MAX, description="All of these.")
    status: Status | None = Field(None, description="Only this status.")
    min_confidence: Fraction = Field(0.0, description="Least confidence.")
    related_to: Reference = Field("", description="Near this node.")
    scope: Scope = Field(Scope.ALL, description="learned: made by synthesis; documents: the rest.")
    since: Moment | None = Field(None, description="Only what is new or changed since; 2d: two days ago.")
    as_of: DayEnd | None = Field(None, description="The graph as of then (ISO 8601); a day: its end.")
    mode: Literal["hybrid", "semantic", "keyword"] = Field("hybrid", description="keyword: holds every word.")
    detail: Detail = Field("concise", description="Fields of each hit.")
    limit: Limit = Field(10, description="Hits to return.")
    offset: int = Field(0, ge=0, le=OFFSET_MAX, description="Hits to skip.")


class FetchArguments(Arguments):
    """What ``fetch`` takes."""

    id: NodeName = Field(description="Id or title.")
    detail: Detail = Field("concise", description="detailed: long texts, history, scores.")
    depth: int = Field(1, ge=1, le=DEPTH_MAX, description="2 on: farther neighbours.")
    offset: int = Field(0, ge=0, le=CONTENT_MAX, description="Where to begin in its text, in characters.")


class UpdateArguments(Receipted):
    """What ``update`` takes: the node, and at least one field to change."""

    id: NodeName = Field(description="Id or title.")
    title: Title | None = Field(None, description="New title.")
    content: Content | None = Field(None, description="New text.")
    kind: KindAgain | None = Field(None, description="New kind, as in capture.")
    tags: tuple[Tag, ...] | None = Field(None, max_length=TAGS_MAX, description="All tags from now on.")
    status: Status | None = Field(None, description="New status.")
    confidence: Fraction | None = Field(None, description="How sure.")
    importance: Fraction | None = Field(None, description="How much it matters.")
    references: tuple[Place, ...] | None = Field(
        None, max_length=REFERENCES_MAX, description="All files and URLs from now on."
    )
    ontology: Name | None = Field(None, description="New body of knowledge.")
    superseded_by: Reference = Field("", description="The node that replaces it.")
    if_version: int | None = Field(None, ge=1, le=2**53, description="The version it was read at.")

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        fields = [
            name for name in type(self).model_fields if name not in {"id", "if_version", "session", "idempotency_key"}
        ]
        if not any(name in self.model_fields_set for name in fields):
            raise ValueError(f"nothing to change; give at least one of {', '.join(fields)}")
        return self


class ForgetArguments(Receipted):
    """What ``forget`` takes."""

    id: NodeName = Field(description="Id or title.")
    reason: Reason = Field("", description="Why; kept in the log.")
    confirm: bool = Field(False, strict=True, description="false: only preview.")


class RelateArguments(Receipted):
    """What ``relate`` takes."""

    source: NodeName = Field(description="Id or title.")
    target: NodeName = Field(description="Id or title.")
    type: Annotated[TypeName, AfterValidator(filled)] = Field(description="What source does to target.")
    reasoning: Annotated[Reason, AfterValidator(filled)] = Field(description="Why it holds.")
    confidence: Fraction = Field(CONFIDENCE, description="How strong.")
    evidence: Evidence = Field("", description="A quote it rests on.")


class UnrelateArguments(Receipted):
    """What ``unrelate`` takes."""

    source: NodeName = Field(description="Id or title.")
    target: NodeName = Field(description="Id or title.")
    type: Annotated[TypeAgain, AfterValidator(filled)] = Field(description="As in relate.")


class TraceArguments(Arguments):
    """What ``trace`` takes."""

    start: Annotated[Query, AfterValidator(filled)] = Field(description="Id, title or a phrase.")
    end: Annotated[Query, AfterValidator(filled)] = Field(description="Id, title or a phrase.")
    max_hops: int = Field(6, ge=1, le=HOPS_MAX, description="Longest trail, in relations.")
    relations: tuple[Annotated[TypeAgain, AfterValidator(filled)], ...] = Field(
        (), max_length=FILTERS_MAX, description="Only steps of these types, as in relate."
    )
    scope: Scope = Field(Scope.ALL, description="As in search.")
    alternatives: int = Field(2, ge=0, le=ALTERNATIVES_MAX, description="Other trails wanted.")


class ChallengeArguments(Arguments):
    """What ``challenge`` takes."""

    claim: Annotated[Query, AfterValidator(filled)] = Field(description="One statement, or the id of a node.")
    limit: Limit = Field(10, description="Nodes on each side.")
    scope: Scope = Field(Scope.ALL, description="As in search.")


class BridgeArguments(Arguments):
    """What ``bridge`` takes."""

    ontology1: Annotated[Name, AfterValidator(filled)] = Field(description="One body of knowledge.")
    ontology2: Annotated[Name, AfterValidator(filled)] = Field(description="The other.")
    min_similarity: Fraction | None = Field(None, description="Floor; 0.85 obvious, 0.7 reasonable.")
    limit: Limit = Field(10, description="Pairs to return.")
    include_existing: bool = Field(False, strict=True, description="Related pairs too.")


class SynthesizeArguments(Receipted):
    """What ``synthesize`` takes."""

    label: Annotated[Title, AfterValidator(filled)] = Field(description="Name of the new concept.")
    bridges: tuple[NodeName, ...] = Field(min_length=2, max_length=BRIDGES_MAX, description="Ids or titles it joins.")
    evidence: Annotated[Evidence, AfterValidator(filled)] = Field(description="Why they belong together.")
    search_terms: tuple[Tag, ...] = Field((), max_length=SEARCH_TERMS_MAX, description="Other words for it.")
    ontology: Name = Field("", description="Default: the graph's own.")
    creator: Name = Field("", description="Default: the caller.")


class ContextArguments(Arguments):
    """What ``context`` takes."""

    task: Task = Field("", description="The task, in words.")
    current_file: Place = Field("", description="The file at hand.")
    recent_files: tuple[Place, ...] = Field((), max_length=REFERENCES_MAX, description="Files touched lately.")
    limit: Limit = Field(10, description="Nodes to return.")


class DecisionArguments(Part):
    """A word on one item."""

    item: NodeName = Field(description="The item's id.")
    decision: Literal["accept", "dismiss"] = Field(description="What to do.")
    reason: Reason = Field("", description="Why.")


class ReviewArguments(Receipted):
    """What ``review`` takes."""

    decide: tuple[DecisionArguments, ...] = Field((), max_length=BULK_MAX, description="Decisions to make.")
    kinds: tuple[SuggestionKind, ...] = Field((), max_length=len(SuggestionKind), description="Only these.")
    limit: Limit = Field(10, description="Items to return.")


class StatusArguments(Arguments):
    """What ``status`` takes."""

    detail: Detail = Field("concise", description="detailed: every hub, community and check.")
