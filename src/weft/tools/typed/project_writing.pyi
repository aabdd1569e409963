"""The tools of ``project`` that write. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: A002, PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, NotRequired, TypedDict

class AutologyCaptureAnswer(TypedDict):
    """What ``autology_capture`` answers."""

    id: str
    type: str
    confidence: float
    confident: bool
    method: str
    alternatives: list[Any]
    relations: list[Any]
    suggestions: list[Any]
    differing: NotRequired[list[Any]]
    stale: NotRequired[list[Any]]
    existing: bool
    status: NotRequired[str]
    link_error: NotRequired[str]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class AutologyUpdateAnswer(TypedDict):
    """What ``autology_update`` answers."""

    id: str
    changed: dict[str, Any]
    modified: str
    version: int
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class AutologyDeleteAnswer(TypedDict):
    """What ``autology_delete`` answers."""

    id: str
    title: str
    type: str
    nodesRemoved: NotRequired[int]
    relationsRemoved: int
    deleted: bool
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class AutologyRelateAnswer(TypedDict):
    """What ``autology_relate`` answers."""

    relation: dict[str, Any]
    created: bool
    warning: NotRequired[str]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class AutologyUnrelateAnswer(TypedDict):
    """What ``autology_unrelate`` answers."""

    removed: bool
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ProjectWriting:
    """Tools as methods."""

    def autology_capture(
        self,
        title: str,
        content: str,
        *,
        type: str = "",
        tags: list[str] | tuple[str, ...] = (),
        references: Sequence[str | PathLike[str]] = (),
        source: Literal["manual", "hook_commit", "hook_file_change"] = "manual",
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> AutologyCaptureAnswer:
        """Capture project knowledge.

        Keeps a node, classified where no type is given and related by the rules. With source
        hook_file_change it marks other nodes of the changed files. Example: title «Use JWT», content «We
        chose JWT over sessions.», references [src/auth/jwt.go].

        Of the toolset project; needs the tier contributor.

        Args:
            title: What it is called.
            content: What there is to know.
            type: Default: classified.
            tags: Short labels.
            references: Files or URLs.
            source: How it came in.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, type, confidence, confident, method, alternatives, relations, suggestions,
            existing, suggested_next_actions; where there is such: differing, stale, status, link_error,
            batch, left_out.
        """

    def autology_update(
        self,
        id: str,
        *,
        title: str | None = None,
        content: str | None = None,
        tags: list[str] | tuple[str, ...] | None = None,
        status: Literal["active", "needs_review", "superseded"] | None = None,
        confidence: float | None = None,
        if_version: int | None = None,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> AutologyUpdateAnswer:
        """Update a node.

        Changes the named fields of a node and shows each before and after; an error where nothing would
        change. Example: id «Use JWT», status needs_review.

        Of the toolset project; needs the tier contributor.

        Args:
            id: Id or title.
            title: New title.
            content: New text.
            tags: All tags from now on.
            status: New status.
            confidence: How sure. From 0 to 1.
            if_version: The version it was read at. At least 1.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, changed, modified, version, suggested_next_actions; where there is such: batch,
            left_out.
        """

    def autology_delete(
        self,
        id: str,
        *,
        confirm: bool = True,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> AutologyDeleteAnswer:
        """Delete a node.

        Takes a node and its relations out, at once; confirm false only shows what would go. One undo brings
        all of it back.

        Of the toolset project; needs the tier librarian.

        Args:
            id: Id or title.
            confirm: false: only preview.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, title, type, relationsRemoved, deleted, suggested_next_actions; where there is
            such: nodesRemoved, batch, left_out.
        """

    def autology_relate(
        self,
        source: str,
        target: str,
        type: str,
        *,
        description: str = "",
        confidence: float = 0.8,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> AutologyRelateAnswer:
        """Relate two nodes.

        Makes a relation source → target, or keeps the larger confidence of one that is there. supersedes
        marks the target as superseded. Titles will do. Example: source «Use JWT», target «Login», type
        affects.

        Of the toolset project; needs the tier contributor.

        Args:
            source: Id or title.
            target: Id or title.
            type: What source does to target.
            description: Why it holds.
            confidence: How strong. From 0 to 1.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: relation, created, suggested_next_actions; where there is such: warning, batch,
            left_out.
        """

    def autology_unrelate(
        self,
        source: str,
        target: str,
        type: str,
        *,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> AutologyUnrelateAnswer:
        """Remove a relation.

        Removes the relation of this type from source to target and says whether it was there; relates_to
        has no direction.

        Of the toolset project; needs the tier librarian.

        Args:
            source: Id or title.
            target: Id or title.
            type: As in autology_relate.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: removed, suggested_next_actions; where there is such: batch, left_out.
        """
