"""The arguments of the ``curation`` tools, in the words of ADR-003."""

from __future__ import annotations

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from weft.tools.arguments import (
    Arguments,
    Content,
    Evidence,
    Fraction,
    Limit,
    Name,
    NodeName,
    Offset,
    Place,
    Proceeding,
    Query,
    Reason,
    Receipted,
    Reference,
    Tag,
    Title,
    TypeAgain,
    TypeName,
    filled,
)
from weft.vocabulary import CONFIDENCE, DEPTH_MAX, OBVIOUS, REASONABLE, SEARCH_TERMS_MAX

__all__ = [
    "CreateArguments",
    "DetailsArguments",
    "EvidenceArguments",
    "FlagArguments",
    "IngestArguments",
    "MergeArguments",
    "OntologiesArguments",
    "PruneArguments",
    "RelateArguments",
    "RelatedArguments",
    "SearchArguments",
    "UnmergeArguments",
]

FILTERS_MAX = 20
PARAGRAPH_MAX = 1_000_000


Extractor: TypeAlias = Literal["rules", "model"]


class SearchArguments(Arguments):
    """What ``search_concepts`` takes."""

    query: Annotated[Query, AfterValidator(filled)] = Field(description="What to look for, in words.")
    threshold: Fraction | None = Field(None, description="Least similarity: 0.7 reasonable, 0.85 obvious.")
    limit: Limit = Field(10, description="Concepts to return.")
    offset: Offset = Field(0, description="Concepts to skip.")


class DetailsArguments(Arguments):
    """What ``get_concept_details`` takes."""

    concept_id: NodeName = Field(description="Id or label.")


class RelatedArguments(Arguments):
    """What ``find_related_concepts`` takes."""

    concept_id: NodeName = Field(description="Id or label.")
    relationship_types: tuple[Annotated[TypeAgain, AfterValidator(filled)], ...] = Field(
        (), max_length=FILTERS_MAX, description="Only these types."
    )
    max_depth: int = Field(2, ge=1, le=DEPTH_MAX, description="Relations away.")
    limit: Limit = Field(20, description="Concepts to return.")
    offset: Offset = Field(0, description="Concepts to skip.")


class OntologiesArguments(Arguments):
    """What ``list_ontologies`` takes: nothing."""


class CreateArguments(Proceeding):
    """What ``create_concept`` takes."""

    label: Annotated[Title, AfterValidator(filled)] = Field(description="Name of the concept.")
    search_terms: tuple[Tag, ...] = Field((), max_length=SEARCH_TERMS_MAX, description="Other words for it.")
    description: Content = Field("", description="What it is.")
    ontology: Name = Field("", description="Body of knowledge; default: the graph's own.")
    evidence: Evidence = Field("", description="A text it rests on.")


class RelateArguments(Receipted):
    """What ``create_relationship`` takes."""

    from_id: NodeName = Field(description="Id or label.")
    to_id: NodeName = Field(description="Id or label.")
    type: Annotated[TypeName, AfterValidator(filled)] = Field(description="What from does to to.")
    reasoning: Annotated[Reason, AfterValidator(filled)] = Field(description="Why it holds.")
    confidence: Fraction = Field(CONFIDENCE, description="How strong.")


class EvidenceArguments(Receipted):
    """What ``add_evidence`` takes."""

    concept_id: NodeName = Field(description="Id or label.")
    quote: Annotated[Evidence, AfterValidator(filled)] = Field(description="The words it rests on.")
    document: Name = Field("", description="An ingested document that holds them word for word.")
    paragraph: int | None = Field(None, ge=0, le=PARAGRAPH_MAX, description="Its paragraph, from 0.")


class IngestArguments(Receipted):
    """What ``ingest`` takes: a text, or the path of a file or folder."""

    text: Content = Field("", description="The document itself, Markdown or plain.")
    path: Place = Field("", description="A file or folder under an allowed root; a URL where WEFT_FETCH is on.")
    document: Name = Field("", description="Name of the text.")
    ontology: Name = Field("", description="Body of knowledge; default: its folder.")
    extractor: Extractor = Field("rules", description="model: a chat model reads beside the rules.")

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if bool(self.text.strip()) == bool(self.path.strip()):
            raise ValueError("text or path: give one of them")
        return self


class FlagArguments(Receipted):
    """What ``flag_similar_concepts`` takes: where to look."""

    concept_id: Reference = Field("", description="Around this concept …")
    ontology: Name = Field("", description="… or within this ontology.")
    min_similarity: Annotated[float, Field(ge=REASONABLE, le=1.0)] = Field(OBVIOUS, description="Floor.")
    limit: Limit = Field(20, description="Pairs to flag.")

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if bool(self.concept_id.strip()) == bool(self.ontology.strip()):
            raise ValueError("concept_id or ontology: give one of them")
        return self


class MergeArguments(Proceeding):
    """What ``merge_concepts`` takes."""

    keep_id: NodeName = Field(description="The one that stays.")
    merge_id: NodeName = Field(description="The one that goes into it.")
    reason: Annotated[Reason, AfterValidator(filled)] = Field(description="Why; kept in the log.")
    override: bool = Field(False, strict=True, description="Though unlike or opposed (curator).")


class UnmergeArguments(Receipted):
    """What ``unmerge_concepts`` takes."""

    merge_id: NodeName = Field(description="The one that went: its id, or the label it had.")
    reason: Reason = Field("", description="Why; kept in the audit.")


class PruneArguments(Receipted):
    """What ``prune`` takes."""

    what: Literal["orphans", "dangling", "retired"] = Field(description="Which leftovers.")
    dry_run: bool = Field(True, strict=True, description="true: only count them.")
    reason: Annotated[Reason, AfterValidator(filled)] = Field(description="Why; kept in the log.")
