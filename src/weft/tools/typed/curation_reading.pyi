"""The tools of ``curation`` that only read. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable
from typing import Any, NotRequired, TypedDict

class SearchConceptsAnswer(TypedDict):
    """What ``search_concepts`` answers."""

    results: list[Any]
    total: int
    near_misses: dict[str, Any]
    warning: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class GetConceptDetailsAnswer(TypedDict):
    """What ``get_concept_details`` answers."""

    concept: dict[str, Any]
    evidence: list[Any]
    sources: list[Any]
    relationships: list[Any]
    aliases: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class FindRelatedConceptsAnswer(TypedDict):
    """What ``find_related_concepts`` answers."""

    concept_id: str
    max_depth: int
    relatedConcepts: list[Any]
    total: int
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ListOntologiesAnswer(TypedDict):
    """What ``list_ontologies`` answers."""

    ontologies: list[Any]
    total: int
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class CurationReading:
    """Tools as methods."""

    def search_concepts(
        self,
        query: str,
        *,
        threshold: float | None = None,
        limit: int = 10,
        offset: int = 0,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> SearchConceptsAnswer:
        """Search concepts.

        Finds concepts by meaning, words and names, with their evidence; the step before creating one.
        Example: «Holacracy», threshold 0.7.

        Of the toolset curation; needs the tier reader.

        Args:
            query: What to look for, in words.
            threshold: Least similarity: 0.7 reasonable, 0.85 obvious. From 0 to 1.
            limit: Concepts to return. From 1 to 100.
            offset: Concepts to skip. From 0 to 100,000.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: results, total, near_misses, suggested_next_actions; where there is such: warning,
            left_out.
        """

    def get_concept_details(
        self,
        concept_id: str,
        *,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> GetConceptDetailsAnswer:
        """Concept in detail.

        Shows one concept with its evidence in context, its sources, relationships both ways and aliases.

        Of the toolset curation; needs the tier reader.

        Args:
            concept_id: Id or label.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: concept, evidence, sources, relationships, aliases, suggested_next_actions; where
            there is such: left_out.
        """

    def find_related_concepts(
        self,
        concept_id: str,
        *,
        relationship_types: list[str] | tuple[str, ...] = (),
        max_depth: int = 2,
        limit: int = 20,
        offset: int = 0,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> FindRelatedConceptsAnswer:
        """Related concepts.

        Walks from a concept along its relationships, both ways, up to max_depth, and shows the path, its
        confidences and a sample of evidence for each concept reached.

        Of the toolset curation; needs the tier reader.

        Args:
            concept_id: Id or label.
            relationship_types: Only these types.
            max_depth: Relations away. From 1 to 5.
            limit: Concepts to return. From 1 to 100.
            offset: Concepts to skip. From 0 to 100,000.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: concept_id, max_depth, relatedConcepts, total, suggested_next_actions; where there
            is such: left_out.
        """

    def list_ontologies(
        self,
        *,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> ListOntologiesAnswer:
        """Ontologies.

        Lists the bodies of knowledge with how many concepts, sources and relationships each holds.

        Of the toolset curation; needs the tier reader.

        Args:
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: ontologies, total, suggested_next_actions; where there is such: left_out.
        """
