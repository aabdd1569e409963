"""The tools of ``core`` that only read. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: A002, PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable, Sequence
from datetime import datetime
from os import PathLike
from typing import Any, Literal, NotRequired, TypedDict

class SearchAnswer(TypedDict):
    """What ``search`` answers."""

    hits: list[Any]
    total: int
    near_misses: dict[str, Any]
    bridge_hint: NotRequired[dict[str, Any]]
    connected: NotRequired[bool]
    warning: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class FetchAnswer(TypedDict):
    """What ``fetch`` answers."""

    id: str
    title: str
    node: dict[str, Any]
    relations: dict[str, Any]
    relation_count: int
    evidence: list[Any]
    sources: list[Any]
    mentions: list[Any]
    history: list[Any]
    neighbours: NotRequired[list[Any]]
    next_offset: NotRequired[int]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class TraceAnswer(TypedDict):
    """What ``trace`` answers."""

    connected: bool
    trail: list[Any]
    path_length: NotRequired[int]
    start_match: NotRequired[dict[str, Any]]
    end_match: NotRequired[dict[str, Any]]
    alternatives: list[Any]
    nearest: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ChallengeAnswer(TypedDict):
    """What ``challenge`` answers."""

    claim: str
    claim_id: NotRequired[str]
    claim_title: NotRequired[str]
    supports: list[Any]
    conflicts: list[Any]
    to_judge: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class BridgeAnswer(TypedDict):
    """What ``bridge`` answers."""

    candidates: list[Any]
    near_misses: dict[str, Any]
    searched: dict[str, Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ContextAnswer(TypedDict):
    """What ``context`` answers."""

    nodes: list[Any]
    warning: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class StatusAnswer(TypedDict):
    """What ``status`` answers."""

    verdict: str
    wants: list[Any]
    counts: dict[str, Any]
    hubs: list[Any]
    orphans: int
    communities: list[Any]
    health: dict[str, Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class CoreReading:
    """Tools as methods."""

    def search(
        self,
        query: str,
        *,
        kinds: list[str] | tuple[str, ...] = (),
        ontologies: list[str] | tuple[str, ...] = (),
        tags: list[str] | tuple[str, ...] = (),
        status: Literal["active", "needs_review", "superseded"] | None = None,
        min_confidence: float = 0.0,
        related_to: str = "",
        scope: Literal["all", "learned", "documents"] = "all",
        since: datetime | str | None = None,
        as_of: datetime | str | None = None,
        mode: Literal["hybrid", "semantic", "keyword"] = "hybrid",
        detail: Literal["concise", "detailed"] = "concise",
        limit: int = 10,
        offset: int = 0,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> SearchAnswer:
        """Search the graph.

        Finds nodes by meaning, words and graph, best first, and says why each was found. The query may be a
        whole paragraph. Filters apply before ranking. Example: query «why SQLite», kinds [decision].

        Of the toolset core; needs the tier reader.

        Args:
            query: What to look for, in words; "in quotes" word for word; blank: the newest.
            kinds: Any of these; as in capture.
            ontologies: Any of these.
            tags: All of these.
            status: Only this status.
            min_confidence: Least confidence. From 0 to 1.
            related_to: Near this node.
            scope: learned: made by synthesis; documents: the rest.
            since: Only what is new or changed since; 2d: two days ago.
            as_of: The graph as of then (ISO 8601); a day: its end.
            mode: keyword: holds every word.
            detail: Fields of each hit.
            limit: Hits to return. From 1 to 100.
            offset: Hits to skip. From 0 to 100,000.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: hits, total, near_misses, suggested_next_actions; where there is such: bridge_hint,
            connected, warning, left_out.
        """

    def fetch(
        self,
        id: str,
        *,
        detail: Literal["concise", "detailed"] = "concise",
        depth: int = 1,
        offset: int = 0,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> FetchAnswer:
        """Fetch a node.

        Returns one node whole: text, relations, quotes and sources, mentions, history. The id may be a
        title. Example: id «Use SQLite».

        Of the toolset core; needs the tier reader.

        Args:
            id: Id or title.
            detail: detailed: long texts, history, scores.
            depth: 2 on: farther neighbours. From 1 to 5.
            offset: Where to begin in its text, in characters. From 0 to 100,000.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, title, node, relations, relation_count, evidence, sources, mentions, history,
            suggested_next_actions; where there is such: neighbours, next_offset, left_out.
        """

    def trace(
        self,
        start: str,
        end: str,
        *,
        max_hops: int = 6,
        relations: list[str] | tuple[str, ...] = (),
        scope: Literal["all", "learned", "documents"] = "all",
        alternatives: int = 2,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> TraceAnswer:
        """Trace a connection.

        Finds how one thing leads to another: the shortest trail of relations between two nodes or phrases,
        with type, direction and reasoning of each step. Example: start RNNs, end Transformers.

        Of the toolset core; needs the tier reader.

        Args:
            start: Id, title or a phrase.
            end: Id, title or a phrase.
            max_hops: Longest trail, in relations. From 1 to 10.
            relations: Only steps of these types, as in relate.
            scope: As in search.
            alternatives: Other trails wanted. From 0 to 5.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: connected, trail, alternatives, nearest, suggested_next_actions; where there is
            such: path_length, start_match, end_match, left_out.
        """

    def challenge(
        self,
        claim: str,
        *,
        limit: int = 10,
        scope: Literal["all", "learned", "documents"] = "all",
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> ChallengeAnswer:
        """Challenge a claim.

        Finds what supports or contradicts a claim, with the sentences that bear on it. The undecided comes
        in to_judge, with the call that records a verdict. Useful before building on it.

        Of the toolset core; needs the tier reader.

        Args:
            claim: One statement, or the id of a node.
            limit: Nodes on each side. From 1 to 100.
            scope: As in search.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: claim, supports, conflicts, to_judge, suggested_next_actions; where there is such:
            claim_id, claim_title, left_out.
        """

    def bridge(
        self,
        ontology1: str,
        ontology2: str,
        *,
        min_similarity: float | None = None,
        limit: int = 10,
        include_existing: bool = False,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> BridgeAnswer:
        """Find bridges.

        Proposes pairs of nodes of two ontologies that may belong together, ranked, with grounds and the
        size of the leap. Writes nothing.

        Of the toolset core; needs the tier reader.

        Args:
            ontology1: One body of knowledge.
            ontology2: The other.
            min_similarity: Floor; 0.85 obvious, 0.7 reasonable. From 0 to 1.
            limit: Pairs to return. From 1 to 100.
            include_existing: Related pairs too.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: candidates, near_misses, searched, suggested_next_actions; where there is such:
            left_out.
        """

    def context(
        self,
        *,
        task: str = "",
        current_file: str | PathLike[str] = "",
        recent_files: Sequence[str | PathLike[str]] = (),
        limit: int = 10,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> ContextAnswer:
        """Context for the work at hand.

        Returns what bears on the work at hand, most relevant first, with the factors that counted. Useful
        at the start of a task. Example: task «speed up login», current_file src/auth.py.

        Of the toolset core; needs the tier reader.

        Args:
            task: The task, in words.
            current_file: The file at hand.
            recent_files: Files touched lately.
            limit: Nodes to return. From 1 to 100.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: nodes, suggested_next_actions; where there is such: warning, left_out.
        """

    def status(
        self,
        *,
        detail: Literal["concise", "detailed"] = "concise",
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> StatusAnswer:
        """Status of the graph.

        Says whether anything waits for a decision, counts nodes and relations, names hubs, orphans and
        communities, and reports the health of index, vault, model and engine.

        Of the toolset core; needs the tier reader.

        Args:
            detail: detailed: every hub, community and check.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: verdict, wants, counts, hubs, orphans, communities, health, suggested_next_actions;
            where there is such: left_out.
        """
