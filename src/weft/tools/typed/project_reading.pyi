"""The tools of ``project`` that only read. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: A002, N803, PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, NotRequired, TypedDict

class AutologyQueryAnswer(TypedDict):
    """What ``autology_query`` answers."""

    nodes: list[Any]
    total: int
    near_misses: dict[str, Any]
    warning: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class AutologyStatusAnswer(TypedDict):
    """What ``autology_status`` answers."""

    totalNodes: int
    nodesByType: dict[str, Any]
    totalRelations: int
    relationsByType: dict[str, Any]
    nodesByStatus: NotRequired[dict[str, Any]]
    nodesByConfidence: NotRequired[dict[str, Any]]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class AutologyContextAnswer(TypedDict):
    """What ``autology_context`` answers."""

    nodes: list[Any]
    warning: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ProjectReading:
    """Tools as methods."""

    def autology_query(
        self,
        *,
        query: str = "",
        type: str = "",
        tags: list[str] | tuple[str, ...] = (),
        status: Literal["active", "needs_review", "superseded"] | None = None,
        min_confidence: float = 0.0,
        related_to: str = "",
        mode: Literal["hybrid", "keyword"] = "hybrid",
        limit: int = 10,
        offset: int = 0,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> AutologyQueryAnswer:
        """Query the project's knowledge.

        Finds nodes, best first; without a query the newest. keyword scores nodes that hold every word.
        Example: query «token rotation», type decision.

        Of the toolset project; needs the tier reader.

        Args:
            query: What to look for, in words.
            type: As in autology_capture.
            tags: All of these.
            status: Only this status.
            min_confidence: Least confidence. From 0 to 1.
            related_to: Only what is near this node: id or title.
            mode: keyword: holds every word.
            limit: Nodes to return. From 1 to 100.
            offset: Nodes to skip. From 0 to 100,000.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: nodes, total, near_misses, suggested_next_actions; where there is such: warning,
            left_out.
        """

    def autology_status(
        self,
        *,
        detail: Literal["summary", "full"] = "summary",
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> AutologyStatusAnswer:
        """Status of the project's knowledge.

        Counts nodes by type and relations by type; detail full adds their status and confidence.

        Of the toolset project; needs the tier reader.

        Args:
            detail: full: status and confidence too.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: totalNodes, nodesByType, totalRelations, relationsByType, suggested_next_actions;
            where there is such: nodesByStatus, nodesByConfidence, left_out.
        """

    def autology_context(
        self,
        *,
        currentFile: str | PathLike[str] = "",
        currentTask: str = "",
        recentFiles: Sequence[str | PathLike[str]] = (),
        maxNodes: int = 10,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> AutologyContextAnswer:
        """Context of the work at hand.

        Ranks nodes by how much they bear on the file, the task and the files touched lately, and names the
        factors that counted. Useful before changing code. Example: currentFile src/auth/jwt.go.

        Of the toolset project; needs the tier reader.

        Args:
            currentFile: The file at hand.
            currentTask: The task, or the conversation so far.
            recentFiles: Files touched lately.
            maxNodes: Nodes to return. From 1 to 20.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: nodes, suggested_next_actions; where there is such: warning, left_out.
        """
