"""The tools of ``research`` that only read. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable
from typing import Any, Literal, NotRequired, TypedDict

class SemanticSearchAnswer(TypedDict):
    """What ``semantic_search`` answers."""

    status: str
    query: str
    total_found: int
    results: list[Any]
    warning: NotRequired[str]
    available_actions: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class FindScientificLineageAnswer(TypedDict):
    """What ``find_scientific_lineage`` answers."""

    status: str
    start_concept: str
    end_concept: str
    start_match: NotRequired[dict[str, Any]]
    end_match: NotRequired[dict[str, Any]]
    connected: bool
    path_length: int
    path: list[Any]
    alternatives: list[Any]
    nearest: list[Any]
    available_actions: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class FindContradictionsAnswer(TypedDict):
    """What ``find_contradictions`` answers."""

    status: str
    claim: str
    claim_unit: NotRequired[str]
    conflicts_found: bool
    conflict_count: int
    conflicts: list[Any]
    supporting: list[Any]
    to_judge: list[Any]
    available_actions: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ListPropositionsAnswer(TypedDict):
    """What ``list_propositions`` answers."""

    status: str
    count: int
    total: int
    propositions: list[Any]
    available_actions: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class GetUnitAnswer(TypedDict):
    """What ``get_unit`` answers."""

    status: str
    unit: dict[str, Any]
    connections: list[Any]
    connection_count: int
    available_actions: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class AnalyzePropositionsAnswer(TypedDict):
    """What ``analyze_propositions`` answers."""

    status: str
    kind: str
    subject_matches: list[Any]
    other_matches: list[Any]
    findings: list[Any]
    total: int
    looked_at: int
    bounded: bool
    available_actions: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ResearchReading:
    """Tools as methods."""

    def semantic_search(
        self,
        query: str,
        *,
        limit: int = 5,
        min_confidence: float = 0.0,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> SemanticSearchAnswer:
        """Search units by meaning.

        Finds units that mean the same or bear on it, likest first, with their similarity. Useful before
        ingesting or connecting. Example: query «how brains inspire computing».

        Of the toolset research; needs the tier reader.

        Args:
            query: What to look for.
            limit: Units to return. From 1 to 20.
            min_confidence: Least confidence. From 0 to 1.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: status, query, total_found, results, available_actions, suggested_next_actions;
            where there is such: warning, left_out.
        """

    def find_scientific_lineage(
        self,
        start_concept: str,
        end_concept: str,
        *,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> FindScientificLineageAnswer:
        """Find a lineage.

        Finds how one concept leads to another: units and the relations between them, each with type,
        direction and reasoning. Refuting steps are avoided, else marked. Example: start_concept
        «attention», end_concept «GPT».

        Of the toolset research; needs the tier reader.

        Args:
            start_concept: Id, title or phrase.
            end_concept: Id, title or phrase.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: status, start_concept, end_concept, connected, path_length, path, alternatives,
            nearest, available_actions, suggested_next_actions; where there is such: start_match, end_match,
            left_out.
        """

    def find_contradictions(
        self,
        claim: str,
        *,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> FindContradictionsAnswer:
        """Find contradictions.

        Checks a claim against the graph: what conflicts with it and why, what supports it, and what is left
        to judge, with the call that records a verdict. Example: claim «Attention is linear in sequence
        length».

        Of the toolset research; needs the tier reader.

        Args:
            claim: One statement, or the id of a unit.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: status, claim, conflicts_found, conflict_count, conflicts, supporting, to_judge,
            available_actions, suggested_next_actions; where there is such: claim_unit, left_out.
        """

    def list_propositions(
        self,
        *,
        limit: int = 20,
        offset: int = 0,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> ListPropositionsAnswer:
        """List propositions.

        Lists the claims of the graph, newest first, a page at a time. Useful to see what is there.

        Of the toolset research; needs the tier reader.

        Args:
            limit: Claims to return. From 1 to 50.
            offset: Claims to skip. From 0 to 100,000.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: status, count, total, propositions, available_actions, suggested_next_actions; where
            there is such: left_out.
        """

    def get_unit(
        self,
        unit_id: str,
        *,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> GetUnitAnswer:
        """Get a unit.

        Returns one unit whole, with every connection: type, reasoning, direction and the other end's text.

        Of the toolset research; needs the tier reader.

        Args:
            unit_id: Unit id or title.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: status, unit, connections, connection_count, available_actions,
            suggested_next_actions; where there is such: left_out.
        """

    def analyze_propositions(
        self,
        kind: Literal["implied", "gaps", "root_conflict", "hubs", "perspectives"],
        subject: str,
        *,
        other: str = "",
        limit: int = 10,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> AnalyzePropositionsAnswer:
        """Analyze arguments.

        Derives findings with steps and reasons: implied relations, gaps, root_conflict (where it starts),
        hubs (what subject and other share), perspectives (sides of a question). Example: kind implied,
        subject metformin, other cancer.

        Of the toolset research; needs the tier reader.

        Args:
            kind: What to derive.
            subject: Id, title, topic or question.
            other: A second topic or claim.
            limit: Findings to return. From 1 to 100.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: status, kind, subject_matches, other_matches, findings, total, looked_at, bounded,
            available_actions, suggested_next_actions; where there is such: left_out.
        """
