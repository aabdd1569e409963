"""The tools of ``synthesis`` that write. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: A002, PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, NotRequired, TypedDict

class CreateLearnedRelationshipAnswer(TypedDict):
    """What ``create_learned_relationship`` answers."""

    learned_id: str
    from_concept: dict[str, Any]
    to_concept: dict[str, Any]
    relationship_type: str
    similarity_scores: dict[str, Any]
    minimum_similarity: float
    cognitive_leap: str
    warning: NotRequired[str]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class CreateSynthesisConceptAnswer(TypedDict):
    """What ``create_synthesis_concept`` answers."""

    concept_id: str
    label: str
    ontology: str
    bridges: list[Any]
    similarity_scores: list[Any]
    minimum_similarity: float
    cognitive_leap: str
    learned_id: str
    warning: NotRequired[str]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class UpdateLearnedKnowledgeAnswer(TypedDict):
    """What ``update_learned_knowledge`` answers."""

    learned_id: str
    updated_fields: list[Any]
    new_similarity_scores: dict[str, Any]
    minimum_similarity: float
    cognitive_leap: str
    version: int
    warning: NotRequired[str]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class DeleteLearnedKnowledgeAnswer(TypedDict):
    """What ``delete_learned_knowledge`` answers."""

    learned_id: str
    deleted_nodes: int
    deleted_relationships: int
    cascade_deleted_concepts: int
    warning: NotRequired[str]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class CreateLearnedRelationshipsAnswer(TypedDict):
    """What ``create_learned_relationships`` answers."""

    created: int
    failed: int
    results: list[Any]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class RateLearnedKnowledgeAnswer(TypedDict):
    """What ``rate_learned_knowledge`` answers."""

    learned_id: str
    vote: str
    votes: dict[str, Any]
    strength: float
    contested: bool
    conflicts: int
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class ImportLearnedKnowledgeAnswer(TypedDict):
    """What ``import_learned_knowledge`` answers."""

    written: int
    learned_ids: list[Any]
    skipped: list[Any]
    dry_run: bool
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class SynthesisWriting:
    """Tools as methods."""

    def create_learned_relationship(
        self,
        from_concept_id: str,
        to_concept_id: str,
        relationship_type: str,
        evidence: str,
        *,
        creator: str = "claude-mcp",
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> CreateLearnedRelationshipAnswer:
        """Create a learned relationship.

        Connects two concepts by a relation that no document states, and keeps the evidence for it. Says how
        like the evidence is to both ends, how big the leap is, and warns of a HIGH one.

        Of the toolset synthesis; needs the tier contributor.

        Args:
            from_concept_id: Id or title.
            to_concept_id: Id or title.
            relationship_type: BRIDGES or another.
            evidence: Why they belong together, about both.
            creator: Who saw it: the caller, claude-mcp, claude-code or a registered name.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: learned_id, from_concept, to_concept, relationship_type, similarity_scores,
            minimum_similarity, cognitive_leap, suggested_next_actions; where there is such: warning, batch,
            left_out.
        """

    def create_synthesis_concept(
        self,
        label: str,
        search_terms: list[str] | tuple[str, ...],
        ontology: str,
        bridges_concepts: list[str] | tuple[str, ...],
        evidence: str,
        *,
        creator: str = "claude-mcp",
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> CreateSynthesisConceptAnswer:
        """Create a synthesis concept.

        Makes a concept that joins two or more others, in an ontology that is made if new, and keeps the
        evidence for it. Found in searches by its label and search_terms.

        Of the toolset synthesis; needs the tier contributor.

        Args:
            label: Name of the concept.
            search_terms: Words to find it by.
            ontology: Where it belongs; made if new.
            bridges_concepts: Ids or titles it joins.
            evidence: Why they belong together.
            creator: Who saw it.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: concept_id, label, ontology, bridges, similarity_scores, minimum_similarity,
            cognitive_leap, learned_id, suggested_next_actions; where there is such: warning, batch,
            left_out.
        """

    def update_learned_knowledge(
        self,
        learned_id: str,
        updates: Mapping[str, Any],
        *,
        if_version: int | None = None,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> UpdateLearnedKnowledgeAnswer:
        """Update learned knowledge.

        Changes the evidence of a learned item, or the type of its relation (librarian), and weighs it anew.
        Earlier versions stay readable in list_learned_knowledge with history.

        Of the toolset synthesis; needs the tier contributor.

        Args:
            learned_id: Of the item.
            updates: What changes. With: evidence, relationship_type.
            if_version: CONFLICT if at another. From 1 to 2,147,483,648.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: learned_id, updated_fields, new_similarity_scores, minimum_similarity,
            cognitive_leap, version, suggested_next_actions; where there is such: warning, batch, left_out.
        """

    def delete_learned_knowledge(
        self,
        learned_id: str,
        *,
        cascade: bool = False,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> DeleteLearnedKnowledgeAnswer:
        """Delete learned knowledge.

        Takes a learned item out: its relations and its evidence; with cascade its synthesis concept too.
        What documents say stays. Undoable.

        Of the toolset synthesis; needs the tier librarian.

        Args:
            learned_id: Of the item.
            cascade: Take its synthesis concept along.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: learned_id, deleted_nodes, deleted_relationships, cascade_deleted_concepts,
            suggested_next_actions; where there is such: warning, batch, left_out.
        """

    def create_learned_relationships(
        self,
        relationships: Sequence[Mapping[str, Any]],
        *,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> CreateLearnedRelationshipsAnswer:
        """Create several learned relationships.

        Makes up to 50 learned relations in one batch; each gets its own result, and one that fails leaves
        the others be. The batch is undone as one.

        Of the toolset synthesis; needs the tier contributor.

        Args:
            relationships: Relations to make. Each: from_concept_id, to_concept_id, relationship_type,
                evidence, creator.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: created, failed, results, suggested_next_actions; where there is such: batch,
            left_out.
        """

    def rate_learned_knowledge(
        self,
        learned_id: str,
        vote: Literal["up", "down"],
        *,
        reason: str = "",
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> RateLearnedKnowledgeAnswer:
        """Rate learned knowledge.

        Votes a learned item up or down; the last vote of each actor counts. Returns its strength, from
        evidence, use, votes and what conflicts with it.

        Of the toolset synthesis; needs the tier contributor.

        Args:
            learned_id: Of the item.
            vote: Replaces your earlier vote.
            reason: Why.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: learned_id, vote, votes, strength, contested, conflicts, suggested_next_actions;
            where there is such: batch, left_out.
        """

    def import_learned_knowledge(
        self,
        format: Literal["json", "csv"],
        *,
        text: str = "",
        path: str | PathLike[str] = "",
        dry_run: bool = False,
        creator_map: Mapping[str, str] | None = None,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> ImportLearnedKnowledgeAnswer:
        """Import learned knowledge.

        Takes in learned items exported elsewhere: ids are kept, what is here already is skipped, each with
        its reason. creator_map example: {aaron: ann}.

        Of the toolset synthesis; needs the tier curator.

        Args:
            format: Of the text.
            text: An export; or path.
            path: A file under an allowed folder.
            dry_run: Only say what would be written.
            creator_map: Creators there to creators here.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: written, learned_ids, skipped, dry_run, suggested_next_actions; where there is such:
            batch, left_out.
        """
