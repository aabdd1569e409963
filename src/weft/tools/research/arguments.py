"""The arguments of the ``research`` tools."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from pydantic import AfterValidator, Field

from weft.model import AnalysisKind
from weft.tools.arguments import (
    Arguments,
    Citation,
    Content,
    Fraction,
    NodeName,
    Query,
    Reason,
    Receipted,
    filled,
)
from weft.tools.spelling import Spelling
from weft.vocabulary import LIST_MAX, OFFSET_MAX

__all__ = [
    "ARGUMENTS",
    "AnalyzeArguments",
    "ConnectArguments",
    "ContradictionsArguments",
    "DeleteArguments",
    "IngestArguments",
    "LineageArguments",
    "ListArguments",
    "SearchArguments",
    "UnitArguments",
]

SEARCH_MAX: Final = 20
PAGE_MAX: Final = 50

ARGUMENTS: Final = Spelling.of_types("supports", "refutes", "extends", "implies", "contradicts")
"""The relations of this toolset: ACI knows these five."""

_Relation: TypeAlias = ARGUMENTS.field  # type: ignore[name-defined]
Derived: TypeAlias = Annotated[AnalysisKind, Field(description="What to derive.")]


class IngestArguments(Receipted):
    """What ``ingest_hypothesis`` takes."""

    hypothesis: Annotated[Content, AfterValidator(filled)] = Field(description="One claim, in a full sentence.")
    source: Citation = Field("", description="Where it is from: text, DOI or URL.")
    confidence: Fraction = Field(1.0, description="How sure.")


class ConnectArguments(Receipted):
    """What ``connect_propositions`` takes."""

    id_a: NodeName = Field(description="Unit id or title.")
    id_b: NodeName = Field(description="Unit id or title.")
    relation: Annotated[_Relation, AfterValidator(filled)] = Field(description="What id_a does to id_b.")
    reasoning: Annotated[Reason, AfterValidator(filled)] = Field(description="Why it holds.")


class SearchArguments(Arguments):
    """What ``semantic_search`` takes."""

    query: Annotated[Query, AfterValidator(filled)] = Field(description="What to look for.")
    limit: int = Field(5, ge=1, le=SEARCH_MAX, description="Units to return.")
    min_confidence: Fraction = Field(0.0, description="Least confidence.")


class LineageArguments(Arguments):
    """What ``find_scientific_lineage`` takes."""

    start_concept: Annotated[Query, AfterValidator(filled)] = Field(description="Id, title or phrase.")
    end_concept: Annotated[Query, AfterValidator(filled)] = Field(description="Id, title or phrase.")


class ContradictionsArguments(Arguments):
    """What ``find_contradictions`` takes."""

    claim: Annotated[Query, AfterValidator(filled)] = Field(description="One statement, or the id of a unit.")


class ListArguments(Arguments):
    """What ``list_propositions`` takes."""

    limit: int = Field(20, ge=1, le=PAGE_MAX, description="Claims to return.")
    offset: int = Field(0, ge=0, le=OFFSET_MAX, description="Claims to skip.")


class UnitArguments(Arguments):
    """What ``get_unit`` takes."""

    unit_id: NodeName = Field(description="Unit id or title.")


class DeleteArguments(Receipted):
    """What ``delete_unit`` takes."""

    unit_id: NodeName = Field(description="Unit id or title.")
    confirm: bool = Field(False, strict=True, description="false: only preview.")


class AnalyzeArguments(Arguments):
    """What ``analyze_propositions`` takes."""

    kind: Derived
    subject: Annotated[Query, AfterValidator(filled)] = Field(description="Id, title, topic or question.")
    other: Query = Field("", description="A second topic or claim.")
    limit: int = Field(10, ge=1, le=LIST_MAX, description="Findings to return.")
