"""The tools of ``research`` that write. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable
from typing import Any, NotRequired, TypedDict

class IngestHypothesisAnswer(TypedDict):
    """What ``ingest_hypothesis`` answers."""

    status: str
    unit_id: str
    content: str
    source: str
    confidence: float
    created: bool
    existing_unit: NotRequired[dict[str, Any]]
    untaken: NotRequired[list[Any]]
    conflicts: list[Any]
    batch: NotRequired[str]
    available_actions: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ConnectPropositionsAnswer(TypedDict):
    """What ``connect_propositions`` answers."""

    status: str
    relation: dict[str, Any]
    created: bool
    source_content: str
    target_content: str
    warning: NotRequired[str]
    batch: NotRequired[str]
    available_actions: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class DeleteUnitAnswer(TypedDict):
    """What ``delete_unit`` answers."""

    status: str
    preview: NotRequired[dict[str, Any]]
    warning: NotRequired[str]
    deleted: NotRequired[dict[str, Any]]
    batch: NotRequired[str]
    available_actions: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ResearchWriting:
    """Tools as methods."""

    def ingest_hypothesis(
        self,
        hypothesis: str,
        *,
        source: str = "",
        confidence: float = 1.0,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> IngestHypothesisAnswer:
        """Ingest a hypothesis.

        Stores one claim as a unit, with its source. Identical text answers the unit that is there; a near
        one is named in existing_unit. Example: hypothesis «Dropout reduces overfitting.», source
        «Srivastava 2014».

        Of the toolset research; needs the tier contributor.

        Args:
            hypothesis: One claim, in a full sentence.
            source: Where it is from: text, DOI or URL.
            confidence: How sure. From 0 to 1.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: status, unit_id, content, source, confidence, created, conflicts, available_actions,
            suggested_next_actions; where there is such: existing_unit, untaken, batch, left_out.
        """

    def connect_propositions(
        self,
        id_a: str,
        id_b: str,
        relation: str,
        reasoning: str,
        *,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> ConnectPropositionsAnswer:
        """Connect two propositions.

        Records how one unit bears on another, id_a → id_b, with the reasoning; several types may join one
        pair. Example: id_a «Dropout reduces overfitting.», id_b «Regularisation helps.», relation supports.

        Of the toolset research; needs the tier contributor.

        Args:
            id_a: Unit id or title.
            id_b: Unit id or title.
            relation: What id_a does to id_b.
            reasoning: Why it holds.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: status, relation, created, source_content, target_content, available_actions,
            suggested_next_actions; where there is such: warning, batch, left_out.
        """

    def delete_unit(
        self,
        unit_id: str,
        *,
        confirm: bool = False,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> DeleteUnitAnswer:
        """Delete a unit.

        Shows what would go with a unit; with confirm, takes it and its relations out of the graph. Undoable
        by its batch.

        Of the toolset research; needs the tier librarian.

        Args:
            unit_id: Unit id or title.
            confirm: false: only preview.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: status, available_actions, suggested_next_actions; where there is such: preview,
            warning, deleted, batch, left_out.
        """
