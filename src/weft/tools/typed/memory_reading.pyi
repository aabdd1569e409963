"""The tools of ``memory`` that only read. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: A002, PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable
from typing import Any, NotRequired, TypedDict

class MemoryRecallAnswer(TypedDict):
    """What ``memory_recall`` answers."""

    memories: list[Any]
    total: int
    warning: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class MemoryGetAnswer(TypedDict):
    """What ``memory_get`` answers."""

    id: str
    type: str
    title: str
    content: str
    status: str
    created: str
    updated: str
    tags: list[Any]
    relations: list[Any]
    importance: float
    confidence: float
    version: int
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class MemoryRelatedAnswer(TypedDict):
    """What ``memory_related`` answers."""

    id: str
    title: str
    memories: list[Any]
    total: int
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class MemoryEdgesAnswer(TypedDict):
    """What ``memory_edges`` answers."""

    edges: list[Any]
    total: int
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class MemoryReading:
    """Tools as methods."""

    def memory_recall(
        self,
        query: str,
        *,
        limit: int = 5,
        semantic: bool = True,
        type: str = "",
        tags: list[str] | tuple[str, ...] = (),
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> MemoryRecallAnswer:
        """Recall memories.

        Brings back the memories most like the query; among those as alike, importance decides, which fades
        without use. Useful before a task and when an error shows up. Example: query «login loops after
        token refresh», type solution.

        Of the toolset memory; needs the tier reader.

        Args:
            query: What to remember, in words.
            limit: Memories to return. From 1 to 100.
            semantic: false: only what holds every word.
            type: Only this type, as in memory_store.
            tags: All of these.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: memories, total, suggested_next_actions; where there is such: warning, left_out.
        """

    def memory_get(
        self,
        id: str,
        *,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> MemoryGetAnswer:
        """Get a memory.

        Returns one memory whole, with its edges seen from it. Reading it keeps it fresh.

        Of the toolset memory; needs the tier reader.

        Args:
            id: Id or title.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, type, title, content, status, created, updated, tags, relations, importance,
            confidence, version, suggested_next_actions; where there is such: left_out.
        """

    def memory_related(
        self,
        id: str,
        *,
        depth: int = 1,
        rel_types: list[str] | tuple[str, ...] = (),
        limit: int = 20,
        offset: int = 0,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> MemoryRelatedAnswer:
        """Related memories.

        Follows edges from one memory, up to three away, and shows each memory with the path to it: nearest
        first, then strongest. Example: depth 2, rel_types [SOLVES, BUILDS_ON].

        Of the toolset memory; needs the tier reader.

        Args:
            id: Id or title.
            depth: How many edges away. From 1 to 3.
            rel_types: Only along these, as in memory_relate.
            limit: Memories to return. From 1 to 100.
            offset: Memories to skip. From 0 to 100,000.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, title, memories, total, suggested_next_actions; where there is such: left_out.
        """

    def memory_edges(
        self,
        *,
        id: str = "",
        type: str = "",
        limit: int = 20,
        offset: int = 0,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> MemoryEdgesAnswer:
        """List edges.

        Lists edges: of one memory, strongest first, or of the whole graph, newest first; of one type where
        type is given. Each says why it is there. Example: type SOLVES.

        Of the toolset memory; needs the tier reader.

        Args:
            id: Only of this memory.
            type: Only this type, as in memory_relate.
            limit: Edges to return. From 1 to 100.
            offset: Edges to skip. From 0 to 100,000.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: edges, total, suggested_next_actions; where there is such: left_out.
        """
