"""The arguments of the ``synthesis`` tools, in the names of the Learned Knowledge Synthesis plan."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from weft.tools.arguments import (
    Arguments,
    Evidence,
    Fraction,
    Limit,
    Name,
    NodeName,
    Offset,
    Part,
    Place,
    Reason,
    Receipted,
    Reference,
    Tag,
    Title,
    filled,
)
from weft.tools.spelling import Spelling
from weft.vocabulary import (
    BRIDGES_MAX,
    BULK_MAX,
    NAME_MAX,
    SEARCH_TERMS_MAX,
)

__all__ = [
    "TYPES",
    "ConceptArguments",
    "DeleteArguments",
    "ExportArguments",
    "FindBridgesArguments",
    "ImportArguments",
    "ListArguments",
    "RateArguments",
    "RelationshipArguments",
    "RelationshipsArguments",
    "UpdateArguments",
]

TYPES = Spelling.of_every_type(write=str.upper)
"""Every type, the graph's own with them, BRIDGES and LEARNED_CONNECTION among them, in upper case."""

BY_AGENT = "claude-mcp"
TEXT_MAX = 2_000_000  # characters of an import
CREATORS_MAX = 100  # names that one import maps

Item: TypeAlias = NodeName
"""A learned id, the beginning of one, or any name of the concept that it made."""
Given: TypeAlias = Annotated[Evidence, AfterValidator(filled)]
TypeAgain: TypeAlias = Annotated[str, Field(max_length=NAME_MAX), AfterValidator(TYPES.validated)]
"""A relation type, too; its names are published once, with create_learned_relationship."""


class FindBridgesArguments(Arguments):
    """What ``find_bridge_candidates`` takes."""

    ontology1: Name = Field(description="One body of knowledge.")
    ontology2: Name = Field(description="Another.")
    min_similarity: Fraction = Field(0.85, description="Least similarity of a pair.")
    limit: Limit = Field(10, description="Pairs to return.")
    include_existing: bool = Field(False, description="Show joined pairs too, flagged.")


class RelationshipArguments(Receipted):
    """What ``create_learned_relationship`` takes."""

    from_concept_id: NodeName = Field(description="Id or title.")
    to_concept_id: NodeName = Field(description="Id or title.")
    relationship_type: Annotated[TYPES.field, AfterValidator(filled)] = Field(  # type: ignore[name-defined]
        description="BRIDGES or another."
    )
    evidence: Given = Field(description="Why they belong together, about both.")
    creator: Name = Field(BY_AGENT, description="Who saw it: the caller, claude-mcp, claude-code or a registered name.")


class OneRelationship(Part):
    """One of several relations; what is wrong with it is told in its own result."""

    from_concept_id: Reference = Field(description="Id or title.")
    to_concept_id: Reference = Field(description="Id or title.")
    relationship_type: Name = Field(description="As for one.")
    evidence: Evidence = Field(description="Why they belong together.")
    creator: Name = Field(BY_AGENT, description="Who saw it.")


class RelationshipsArguments(Receipted):
    """What ``create_learned_relationships`` takes."""

    relationships: tuple[OneRelationship, ...] = Field(
        min_length=1, max_length=BULK_MAX, description="Relations to make."
    )


class ConceptArguments(Receipted):
    """What ``create_synthesis_concept`` takes."""

    label: Annotated[Title, AfterValidator(filled)] = Field(description="Name of the concept.")
    search_terms: tuple[Tag, ...] = Field(max_length=SEARCH_TERMS_MAX, description="Words to find it by.")
    ontology: Annotated[Name, AfterValidator(filled)] = Field(description="Where it belongs; made if new.")
    bridges_concepts: tuple[NodeName, ...] = Field(
        min_length=2, max_length=BRIDGES_MAX, description="Ids or titles it joins."
    )
    evidence: Given = Field(description="Why they belong together.")
    creator: Name = Field(BY_AGENT, description="Who saw it.")


class UpdatesArguments(Part):
    """What of a learned item is to change."""

    evidence: Given | None = Field(None, description="A new rationale.")
    relationship_type: TypeAgain = Field("", description="Another type.")

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.evidence is None and not self.relationship_type:
            raise ValueError("names nothing to change; give evidence or relationship_type")
        return self


class UpdateArguments(Receipted):
    """What ``update_learned_knowledge`` takes."""

    learned_id: Item = Field(description="Of the item.")
    updates: UpdatesArguments = Field(description="What changes.")
    if_version: int | None = Field(None, ge=1, le=2**31, description="CONFLICT if at another.")


class DeleteArguments(Receipted):
    """What ``delete_learned_knowledge`` takes."""

    learned_id: Item = Field(description="Of the item.")
    cascade: bool = Field(False, description="Take its synthesis concept along.")


class ListArguments(Arguments):
    """What ``list_learned_knowledge`` takes."""

    creator: Name = Field("", description="Only by this creator.")
    ontology: Name = Field("", description="Of either end.")
    min_similarity: Fraction = Field(0.0, description="Least similarity of the evidence.")
    cognitive_leap: Literal["LOW", "MEDIUM", "HIGH"] | None = Field(None, description="Only leaps of this size.")
    learned_id: Reference = Field("", description="Only this item.")
    history: bool = Field(False, description="Show earlier versions.")
    limit: Limit = Field(20, description="Items to return.")
    offset: Offset = Field(0, description="Items to skip.")


class RateArguments(Receipted):
    """What ``rate_learned_knowledge`` takes."""

    learned_id: Item = Field(description="Of the item.")
    vote: Literal["up", "down"] = Field(description="Replaces your earlier vote.")
    reason: Reason = Field("", description="Why.")


class ExportArguments(Arguments):
    """What ``export_learned_knowledge`` takes."""

    format: Literal["json", "csv", "markdown", "cypher"] = Field(description="json keeps everything.")
    creator: Name = Field("", description="Only by this creator.")
    ontology: Name = Field("", description="Of either end.")
    offset: Offset = Field(0, description="Items to skip.")


def _names(value: dict[str, str]) -> dict[str, str]:
    if len(value) > CREATORS_MAX:
        raise ValueError(f"takes at most {CREATORS_MAX} names")
    return value


_NAMES_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {},
    "additionalProperties": {"type": "string", "maxLength": NAME_MAX},
}


class ImportArguments(Receipted):
    """What ``import_learned_knowledge`` takes."""

    format: Literal["json", "csv"] = Field(description="Of the text.")
    text: Annotated[str, Field(max_length=TEXT_MAX)] = Field("", description="An export; or path.")
    path: Place = Field("", description="A file under an allowed folder.")
    dry_run: bool = Field(False, description="Only say what would be written.")
    creator_map: Annotated[dict[Name, Name], AfterValidator(_names), WithJsonSchema(_NAMES_SCHEMA)] = Field(
        default_factory=dict, description="Creators there to creators here."
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if bool(self.text.strip()) == bool(self.path.strip()):
            raise ValueError("give either text or path")
        return self
