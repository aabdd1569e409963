"""What operators do, beside the tools. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable
from datetime import datetime
from typing import Any, NotRequired, TypedDict

class LogAnswer(TypedDict):
    """What ``log`` answers."""

    batches: list[Any]
    next_before: NotRequired[int]
    stopped_at: NotRequired[str]
    left_out: NotRequired[str]

class TextAnswer(TypedDict):
    """What ``text`` answers."""

    id: str
    title: str
    version: int
    text: str
    length: int
    next_offset: NotRequired[int]

class MapAnswer(TypedDict):
    """What ``map`` answers."""

    nodes: list[Any]
    relations: list[Any]
    nodes_total: int
    relations_total: int
    looked_at: int
    ontologies: dict[str, Any]
    kinds: dict[str, Any]

class CountsAnswer(TypedDict):
    """What ``counts`` answers."""

    nodes: int
    relations: int
    sources: int
    passages: int
    suggestions_open: int
    retired: int
    mentions: int
    nodes_by_kind: dict[str, Any]
    nodes_by_ontology: dict[str, Any]
    nodes_by_origin: dict[str, Any]
    nodes_by_status: dict[str, Any]
    nodes_by_confidence: dict[str, Any]
    relations_by_type: dict[str, Any]
    relations_by_origin: dict[str, Any]

class VocabularyAnswer(TypedDict):
    """What ``vocabulary`` answers."""

    kinds: list[Any]
    types: list[Any]

class UndoAnswer(TypedDict):
    """What ``undo`` answers."""

    batch: str
    reverted: int
    conflicts: list[Any]
    undo_batch: str

class Operators:
    """Tools as methods."""

    def log(
        self,
        *,
        node: str = "",
        actor: str = "",
        client: str = "",
        tool: str = "",
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        before: int | None = None,
        limit: int = 20,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> LogAnswer:
        """What changed lately.

        The newest batches of changes: by whom, what each did, and whether it can still be taken back.

        Needs the tier reader.

        Args:
            node: Only batches that changed this node, or a relation at it.
            actor: Only by this actor.
            client: Only through this client.
            tool: Only by this tool.
            since: Not older than this: a time (ISO 8601), or an age such as 2d.
            until: Not newer than this: a time (ISO 8601), or an age such as 12h.
            before: Below this position of the log: the next_before of the page before. At least 1.
            limit: How many batches. From 1 to 100.
            session: Only of this session.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: batches; where there is such: next_before, stopped_at, left_out.
        """

    def text(
        self,
        node: str,
        *,
        offset: int = 0,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> TextAnswer:
        """The text of a node.

        A node's own text, whole, part by part: other answers shorten what is long.

        Needs the tier reader.

        Args:
            node: Id or title.
            offset: Characters to skip: the next_offset of the part before. At least 0.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, title, version, text, length; where there is such: next_offset.
        """

    def map(
        self,
        *,
        ontology: str = "",
        kind: str = "",
        limit: int = 300,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> MapAnswer:
        """A map of the graph.

        The nodes with the most relations, of the whole graph or of a part, and the relations among these,
        whose source and target are places in nodes, counted from 0. How many there are in all is told
        beside them.

        Needs the tier reader.

        Args:
            ontology: Only nodes of this ontology.
            kind: Only nodes of this kind.
            limit: How many nodes. From 1 to 500.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: nodes, relations, nodes_total, relations_total, looked_at, ontologies, kinds.
        """

    def counts(
        self,
        *,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> CountsAnswer:
        """How much there is.

        How many nodes, relations and sources the graph holds, by kind, ontology and more. Unlike status it
        reads nothing of their shape, so a large graph answers as soon as a small one.

        Needs the tier reader.

        Args:
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: nodes, relations, sources, passages, suggestions_open, retired, mentions,
            nodes_by_kind, nodes_by_ontology, nodes_by_origin, nodes_by_status, nodes_by_confidence,
            relations_by_type, relations_by_origin.
        """

    def vocabulary(
        self,
        *,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> VocabularyAnswer:
        """Kinds and relation types.

        The kinds and relation types of the graph, standard ones and its own, with how much is of each.

        Needs the tier reader.

        Args:
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: kinds, types.
        """

    def undo(
        self,
        batch: str,
        *,
        session: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> UndoAnswer:
        """Take back a batch.

        Put back what a batch of changes did, as far as nothing newer stands on it. Itself undoable.

        Needs the tier librarian.

        Args:
            batch: The id of the batch, or an unambiguous beginning of 8 characters or more; BATCH:links
                only its automatic relations.
            session: Name of one piece of work.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: batch, reverted, conflicts, undo_batch.
        """
