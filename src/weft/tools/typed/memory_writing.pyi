"""The tools of ``memory`` that write. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: A002, PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable
from typing import Any, NotRequired, TypedDict

class MemoryStoreAnswer(TypedDict):
    """What ``memory_store`` answers."""

    id: str
    title: str
    type: str
    status: NotRequired[str]
    auto_edge_error: NotRequired[str]
    batch: NotRequired[str]
    auto_edges: list[Any]
    existing: bool
    near_duplicates: NotRequired[list[Any]]
    differing: NotRequired[list[Any]]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class MemoryUpdateAnswer(TypedDict):
    """What ``memory_update`` answers."""

    id: str
    changed: dict[str, Any]
    version: int
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class MemoryDeleteAnswer(TypedDict):
    """What ``memory_delete`` answers."""

    id: str
    title: str
    type: str
    batch: NotRequired[str]
    nodes_removed: NotRequired[int]
    relations_removed: int
    deleted: bool
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class MemoryRelateAnswer(TypedDict):
    """What ``memory_relate`` answers."""

    edge: dict[str, Any]
    created: bool
    warning: NotRequired[str]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class MemoryWriting:
    """Tools as methods."""

    def memory_store(
        self,
        title: str,
        content: str,
        type: str,
        *,
        tags: list[str] | tuple[str, ...] = (),
        importance: float = 0.5,
        confidence: float = 0.8,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> MemoryStoreAnswer:
        """Store a memory.

        Keeps what was learned, and joins it by up to three edges to memories of other types that it solves,
        builds on or relates to. Useful after a fix, a decision or a lesson. Example: type fix, title «Close
        idle connections», tags [postgres].

        Of the toolset memory; needs the tier contributor.

        Args:
            title: What it is about, in one line.
            content: The memory, in full sentences.
            type: What kind of memory.
            tags: Short labels; acronyms too.
            importance: How much it matters. From 0 to 1.
            confidence: How sure. From 0 to 1.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, title, type, auto_edges, existing, suggested_next_actions; where there is such:
            status, auto_edge_error, batch, near_duplicates, differing, left_out.
        """

    def memory_update(
        self,
        id: str,
        *,
        title: str | None = None,
        content: str | None = None,
        type: str | None = None,
        tags: list[str] | tuple[str, ...] | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        if_version: int | None = None,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> MemoryUpdateAnswer:
        """Update a memory.

        Changes fields of one memory and shows each before and after. Its edges stay.

        Of the toolset memory; needs the tier contributor.

        Args:
            id: Id or title.
            title: New title.
            content: New text.
            type: As in memory_store.
            tags: All tags from now on.
            importance: How much it matters. From 0 to 1.
            confidence: How sure. From 0 to 1.
            if_version: The version it was read at. At least 1.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, changed, version, suggested_next_actions; where there is such: batch, left_out.
        """

    def memory_delete(
        self,
        id: str,
        *,
        reason: str = "",
        confirm: bool = False,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> MemoryDeleteAnswer:
        """Delete a memory.

        Takes a memory and its edges out of the graph once confirm is true; before, it shows what would go.
        Undoable.

        Of the toolset memory; needs the tier librarian.

        Args:
            id: Id or title.
            reason: Why; kept in the log.
            confirm: false: only preview.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, title, type, relations_removed, deleted, suggested_next_actions; where there is
            such: batch, nodes_removed, left_out.
        """

    def memory_relate(
        self,
        from_id: str,
        to_id: str,
        rel_type: str,
        *,
        strength: float = 0.5,
        context: str = "",
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> MemoryRelateAnswer:
        """Relate two memories.

        Makes an edge between two memories, or strengthens the one that is there. Titles will do. Example:
        from_id «Close idle connections», rel_type SOLVES, to_id «Too many clients».

        Of the toolset memory; needs the tier contributor.

        Args:
            from_id: Id or title.
            to_id: Id or title.
            rel_type: What from does to to.
            strength: How strong. From 0 to 1.
            context: Why it holds.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: edge, created, suggested_next_actions; where there is such: warning, batch,
            left_out.
        """
