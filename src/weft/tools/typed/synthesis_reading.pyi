"""The tools of ``synthesis`` that only read. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: A002, PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable
from typing import Any, Literal, NotRequired, TypedDict

class FindBridgeCandidatesAnswer(TypedDict):
    """What ``find_bridge_candidates`` answers."""

    candidatesFound: int
    candidates: list[Any]
    near_misses: dict[str, Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ListLearnedKnowledgeAnswer(TypedDict):
    """What ``list_learned_knowledge`` answers."""

    total: int
    offset: int
    limit: int
    learned_knowledge: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ExportLearnedKnowledgeAnswer(TypedDict):
    """What ``export_learned_knowledge`` answers."""

    format: str
    text: str
    items: int
    total: int
    next_offset: NotRequired[int]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class SynthesisReading:
    """Tools as methods."""

    def find_bridge_candidates(
        self,
        ontology1: str,
        ontology2: str,
        *,
        min_similarity: float = 0.85,
        limit: int = 10,
        include_existing: bool = False,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> FindBridgeCandidatesAnswer:
        """Find bridge candidates.

        Finds pairs of concepts of two ontologies that may belong together, best first, with the size of the
        leap. Example: ontology1 «Agility», ontology2 «Roles», min_similarity 0.8.

        Of the toolset synthesis; needs the tier reader.

        Args:
            ontology1: One body of knowledge.
            ontology2: Another.
            min_similarity: Least similarity of a pair. From 0 to 1.
            limit: Pairs to return. From 1 to 100.
            include_existing: Show joined pairs too, flagged.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: candidatesFound, candidates, near_misses, suggested_next_actions; where there is
            such: left_out.
        """

    def list_learned_knowledge(
        self,
        *,
        creator: str = "",
        ontology: str = "",
        min_similarity: float = 0.0,
        cognitive_leap: Literal["LOW", "MEDIUM", "HIGH"] | None = None,
        learned_id: str = "",
        history: bool = False,
        limit: int = 20,
        offset: int = 0,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> ListLearnedKnowledgeAnswer:
        """List learned knowledge.

        Lists learned relations and concepts, newest first, with evidence, leap, votes and strength; filters
        combine. Example: creator aaron, cognitive_leap HIGH finds what to look at again.

        Of the toolset synthesis; needs the tier reader.

        Args:
            creator: Only by this creator.
            ontology: Of either end.
            min_similarity: Least similarity of the evidence. From 0 to 1.
            cognitive_leap: Only leaps of this size.
            learned_id: Only this item.
            history: Show earlier versions.
            limit: Items to return. From 1 to 100.
            offset: Items to skip. From 0 to 100,000.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: total, offset, limit, learned_knowledge, suggested_next_actions; where there is
            such: left_out.
        """

    def export_learned_knowledge(
        self,
        format: Literal["json", "csv", "markdown", "cypher"],
        *,
        creator: str = "",
        ontology: str = "",
        offset: int = 0,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> ExportLearnedKnowledgeAnswer:
        """Export learned knowledge.

        Returns learned items as json, csv, markdown or cypher text: as many whole ones as an answer holds,
        and next_offset where there are more.

        Of the toolset synthesis; needs the tier reader.

        Args:
            format: json keeps everything.
            creator: Only by this creator.
            ontology: Of either end.
            offset: Items to skip. From 0 to 100,000.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: format, text, items, total, suggested_next_actions; where there is such:
            next_offset, left_out.
        """
