"""The tools of ``core`` that write. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: A002, PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, NotRequired, TypedDict

class CaptureAnswer(TypedDict):
    """What ``capture`` answers."""

    id: str
    title: str
    kind: str
    ontology: str
    existing: bool
    untaken: NotRequired[list[Any]]
    status: NotRequired[str]
    classification: dict[str, Any]
    relations: list[Any]
    suggestions: list[Any]
    near_duplicates: list[Any]
    conflicts: list[Any]
    differing: NotRequired[list[Any]]
    related: NotRequired[list[Any]]
    link_error: NotRequired[str]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class UpdateAnswer(TypedDict):
    """What ``update`` answers."""

    id: str
    changed: dict[str, Any]
    version: int
    warning: NotRequired[str]
    near_duplicates: NotRequired[list[Any]]
    conflicts: NotRequired[list[Any]]
    differing: NotRequired[list[Any]]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ForgetAnswer(TypedDict):
    """What ``forget`` answers."""

    id: str
    title: str
    kind: str
    nodes_removed: NotRequired[int]
    titles: NotRequired[list[Any]]
    relations_removed: int
    done: bool
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class RelateAnswer(TypedDict):
    """What ``relate`` answers."""

    relation: dict[str, Any]
    created: bool
    strengthened: bool
    warning: NotRequired[str]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class UnrelateAnswer(TypedDict):
    """What ``unrelate`` answers."""

    removed: bool
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class SynthesizeAnswer(TypedDict):
    """What ``synthesize`` answers."""

    id: str
    concept_id: str
    label: str
    ontology: str
    bridges: list[Any]
    similarity_scores: list[Any]
    cognitive_leap: str
    learned_id: str
    warning: NotRequired[str]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ReviewAnswer(TypedDict):
    """What ``review`` answers."""

    items: list[Any]
    decided: list[Any]
    remaining: int
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class CoreWriting:
    """Tools as methods."""

    def capture(
        self,
        content: str,
        *,
        title: str = "",
        kind: str = "",
        ontology: str = "",
        tags: list[str] | tuple[str, ...] = (),
        references: Sequence[str | PathLike[str]] = (),
        citation: str = "",
        channel: Literal["manual", "hook_commit", "hook_file_change"] = "manual",
        confidence: float | None = None,
        importance: float | None = None,
        relations: Sequence[Mapping[str, Any]] = (),
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> CaptureAnswer:
        """Capture knowledge.

        Stores one piece of knowledge, classifies and links it, and reports likely duplicates and conflicts.
        Identical text is stored once. Example: content «We chose SQLite: one file, no server.», relations
        [{type: affects, target: Storage}].

        Of the toolset core; needs the tier contributor.

        Args:
            content: The knowledge, in full sentences.
            title: Default: its first sentence.
            kind: Default: classified.
            ontology: Body of knowledge; default: the graph's own.
            tags: Short labels.
            references: Files or URLs.
            citation: Where it is from: text, DOI or URL.
            channel: How it came in.
            confidence: How sure; default: by kind. From 0 to 1.
            importance: Default 0.5. From 0 to 1.
            relations: Relations to make. Each: type, target, reasoning.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, title, kind, ontology, existing, classification, relations, suggestions,
            near_duplicates, conflicts, suggested_next_actions; where there is such: untaken, status,
            differing, related, link_error, batch, left_out.
        """

    def update(
        self,
        id: str,
        *,
        title: str | None = None,
        content: str | None = None,
        kind: str | None = None,
        tags: list[str] | tuple[str, ...] | None = None,
        status: Literal["active", "needs_review", "superseded"] | None = None,
        confidence: float | None = None,
        importance: float | None = None,
        references: Sequence[str | PathLike[str]] | None = None,
        ontology: str | None = None,
        superseded_by: str = "",
        if_version: int | None = None,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> UpdateAnswer:
        """Update a node.

        Changes fields of one node and shows each before and after. Lists replace the old ones. A node
        changed since if_version is a CONFLICT. Undoable.

        Of the toolset core; needs the tier contributor.

        Args:
            id: Id or title.
            title: New title.
            content: New text.
            kind: New kind, as in capture.
            tags: All tags from now on.
            status: New status.
            confidence: How sure. From 0 to 1.
            importance: How much it matters. From 0 to 1.
            references: All files and URLs from now on.
            ontology: New body of knowledge.
            superseded_by: The node that replaces it.
            if_version: The version it was read at. At least 1.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, changed, version, suggested_next_actions; where there is such: warning,
            near_duplicates, conflicts, differing, batch, left_out.
        """

    def forget(
        self,
        id: str,
        *,
        reason: str = "",
        confirm: bool = False,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> ForgetAnswer:
        """Forget a node.

        Takes a node and its relations out of the graph; without confirm it only shows what would go.
        Undoable; as_of reads still see it.

        Of the toolset core; needs the tier librarian.

        Args:
            id: Id or title.
            reason: Why; kept in the log.
            confirm: false: only preview.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, title, kind, relations_removed, done, suggested_next_actions; where there is
            such: nodes_removed, titles, batch, left_out.
        """

    def relate(
        self,
        source: str,
        target: str,
        type: str,
        reasoning: str,
        *,
        confidence: float = 0.8,
        evidence: str = "",
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> RelateAnswer:
        """Relate two nodes.

        Makes a relation source → target with its reason, or strengthens the one there. Titles will do.
        Example: source «Use SQLite», type supports, target «No server», reasoning «It lives in one file.»

        Of the toolset core; needs the tier contributor.

        Args:
            source: Id or title.
            target: Id or title.
            type: What source does to target.
            reasoning: Why it holds.
            confidence: How strong. From 0 to 1.
            evidence: A quote it rests on.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: relation, created, strengthened, suggested_next_actions; where there is such:
            warning, batch, left_out.
        """

    def unrelate(
        self,
        source: str,
        target: str,
        type: str,
        *,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> UnrelateAnswer:
        """Remove a relation.

        Removes the relation of this type from source to target and says whether it was there. Undoable.

        Of the toolset core; needs the tier librarian.

        Args:
            source: Id or title.
            target: Id or title.
            type: As in relate.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: removed, suggested_next_actions; where there is such: batch, left_out.
        """

    def synthesize(
        self,
        label: str,
        bridges: list[str] | tuple[str, ...],
        evidence: str,
        *,
        search_terms: list[str] | tuple[str, ...] = (),
        ontology: str = "",
        creator: str = "",
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> SynthesizeAnswer:
        """Synthesize a concept.

        Makes a new concept that joins two or more nodes, with the evidence for it. It is marked as learned;
        the answer says how big the leap is.

        Of the toolset core; needs the tier contributor.

        Args:
            label: Name of the new concept.
            bridges: Ids or titles it joins.
            evidence: Why they belong together.
            search_terms: Other words for it.
            ontology: Default: the graph's own.
            creator: Default: the caller.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: id, concept_id, label, ontology, bridges, similarity_scores, cognitive_leap,
            learned_id, suggested_next_actions; where there is such: warning, batch, left_out.
        """

    def review(
        self,
        *,
        decide: Sequence[Mapping[str, Any]] = (),
        kinds: Sequence[
            Literal[
                "relation",
                "classification",
                "duplicate",
                "conflict",
                "stale",
                "drift",
                "weak_bridge",
                "file_conflict",
                "bridge",
            ]
        ] = (),
        limit: int = 10,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> ReviewAnswer:
        """Review suggestions.

        Lists suggested relations, duplicates, conflicts and stale nodes that wait for a decision, and what
        accepting does. decide accepts or dismisses items (librarian).

        Of the toolset core; needs the tier reader.

        Args:
            decide: Decisions to make. Each: item, decision, reason.
            kinds: Only these.
            limit: Items to return. From 1 to 100.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: items, decided, remaining, suggested_next_actions; where there is such: left_out.
        """
