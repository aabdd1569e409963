"""The tools of ``curation`` that write. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: A002, PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable
from os import PathLike
from typing import Any, Literal, NotRequired, TypedDict

class CreateConceptAnswer(TypedDict):
    """What ``create_concept`` answers."""

    success: bool
    concept_id: str
    label: str
    ontology: str
    similar: list[Any]
    evidence_id: NotRequired[str]
    batch: str
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class CreateRelationshipAnswer(TypedDict):
    """What ``create_relationship`` answers."""

    relationship: dict[str, Any]
    created: bool
    warning: NotRequired[str]
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class AddEvidenceAnswer(TypedDict):
    """What ``add_evidence`` answers."""

    evidence_id: str
    concept_id: str
    document: str
    paragraph: int
    existing: bool
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class IngestAnswer(TypedDict):
    """What ``ingest`` answers."""

    sources: int
    unchanged: int
    nodes_made: int
    nodes_reused: int
    nodes_updated: int
    reuse_rate: float
    relations: int
    evidence: int
    marked: int
    unsaid: int
    questions: int
    documents_absent: int
    absent: list[Any]
    skipped: list[Any]
    batches: list[Any]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class FlagSimilarConceptsAnswer(TypedDict):
    """What ``flag_similar_concepts`` answers."""

    flags: list[Any]
    passed_over: dict[str, Any]
    looked_at: int
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class MergeConceptsAnswer(TypedDict):
    """What ``merge_concepts`` answers."""

    keep_id: str
    merge_id: str
    similarity: float
    moved: dict[str, Any]
    alias: str
    warning: NotRequired[str]
    batch: str
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class UnmergeConceptsAnswer(TypedDict):
    """What ``unmerge_concepts`` answers."""

    concept_id: str
    label: str
    from_id: str
    restored: dict[str, Any]
    left: list[Any]
    batch: str
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class PruneAnswer(TypedDict):
    """What ``prune`` answers."""

    what: str
    dry_run: bool
    counts: dict[str, Any]
    examples: list[Any]
    more: bool
    batch: NotRequired[str]
    suggested_next_actions: list[Any]
    left_out: NotRequired[str]

class CurationWriting:
    """Tools as methods."""

    def create_concept(
        self,
        label: str,
        *,
        proceed: bool = False,
        search_terms: list[str] | tuple[str, ...] = (),
        description: str = "",
        ontology: str = "",
        evidence: str = "",
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> CreateConceptAnswer:
        """Create a concept.

        Makes a concept. Without a search on its subject lately it suggests one first, and where nearly the
        same is there it says so; proceed true goes on. Example: label «Holacracy».

        Of the toolset curation; needs the tier contributor.

        Args:
            label: Name of the concept.
            proceed: true: go on all the same.
            search_terms: Other words for it.
            description: What it is.
            ontology: Body of knowledge; default: the graph's own.
            evidence: A text it rests on.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: success, concept_id, label, ontology, similar, batch, suggested_next_actions; where
            there is such: evidence_id, left_out.
        """

    def create_relationship(
        self,
        from_id: str,
        to_id: str,
        type: str,
        reasoning: str,
        *,
        confidence: float = 0.8,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> CreateRelationshipAnswer:
        """Create a relationship.

        Joins two concepts by a typed relationship with its reasoning, or strengthens the one there. Labels
        will do.

        Of the toolset curation; needs the tier contributor.

        Args:
            from_id: Id or label.
            to_id: Id or label.
            type: What from does to to.
            reasoning: Why it holds.
            confidence: How strong. From 0 to 1.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: relationship, created, suggested_next_actions; where there is such: warning, batch,
            left_out.
        """

    def add_evidence(
        self,
        concept_id: str,
        quote: str,
        *,
        document: str = "",
        paragraph: int | None = None,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> AddEvidenceAnswer:
        """Add evidence.

        Lets a concept rest on a quote: one that stands word for word in an ingested document, or one of its
        own.

        Of the toolset curation; needs the tier contributor.

        Args:
            concept_id: Id or label.
            quote: The words it rests on.
            document: An ingested document that holds them word for word.
            paragraph: Its paragraph, from 0. From 0 to 1,000,000.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: evidence_id, concept_id, document, paragraph, existing, suggested_next_actions;
            where there is such: batch, left_out.
        """

    def ingest(
        self,
        *,
        text: str = "",
        path: str | PathLike[str] = "",
        document: str = "",
        ontology: str = "",
        extractor: Literal["rules", "model"] = "rules",
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> IngestAnswer:
        """Ingest a document.

        Takes in a text, or files (Markdown, HTML, PDF, DOCX) under an allowed root: each statement with its
        quote. The same text again writes nothing.

        Of the toolset curation; needs the tier contributor.

        Args:
            text: The document itself, Markdown or plain.
            path: A file or folder under an allowed root; a URL where WEFT_FETCH is on.
            document: Name of the text.
            ontology: Body of knowledge; default: its folder.
            extractor: model: a chat model reads beside the rules.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: sources, unchanged, nodes_made, nodes_reused, nodes_updated, reuse_rate, relations,
            evidence, marked, unsaid, questions, documents_absent, absent, skipped, batches,
            suggested_next_actions; where there is such: left_out.
        """

    def flag_similar_concepts(
        self,
        *,
        concept_id: str = "",
        ontology: str = "",
        min_similarity: float = 0.85,
        limit: int = 20,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> FlagSimilarConceptsAnswer:
        """Flag similar concepts.

        Finds pairs that seem to say the same, around a concept or within an ontology, and flags them for
        review; the step before merging. Opposites are not flagged.

        Of the toolset curation; needs the tier contributor.

        Args:
            concept_id: Around this concept …
            ontology: … or within this ontology.
            min_similarity: Floor. From 0.7 to 1.
            limit: Pairs to flag. From 1 to 100.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: flags, passed_over, looked_at, suggested_next_actions; where there is such: batch,
            left_out.
        """

    def merge_concepts(
        self,
        keep_id: str,
        merge_id: str,
        reason: str,
        *,
        proceed: bool = False,
        override: bool = False,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> MergeConceptsAnswer:
        """Merge two concepts.

        Merges one concept into another: relations, evidence and search terms move, its id and label still
        lead there. Refused under similarity 0.85 and for opposites. unmerge_concepts takes it back.

        Of the toolset curation; needs the tier librarian.

        Args:
            keep_id: The one that stays.
            merge_id: The one that goes into it.
            reason: Why; kept in the log.
            proceed: true: go on all the same.
            override: Though unlike or opposed (curator).
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: keep_id, merge_id, similarity, moved, alias, batch, suggested_next_actions; where
            there is such: warning, left_out.
        """

    def unmerge_concepts(
        self,
        merge_id: str,
        *,
        reason: str = "",
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> UnmergeConceptsAnswer:
        """Part merged concepts.

        Takes a merge back: the concept returns with its relations and evidence; what came since stays with
        the other.

        Of the toolset curation; needs the tier librarian.

        Args:
            merge_id: The one that went: its id, or the label it had.
            reason: Why; kept in the audit.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: concept_id, label, from_id, restored, left, batch, suggested_next_actions; where
            there is such: left_out.
        """

    def prune(
        self,
        what: Literal["orphans", "dangling", "retired"],
        reason: str,
        *,
        dry_run: bool = True,
        session: str = "",
        idempotency_key: str = "",
        progress: Callable[[int, int, str], None] | None = None,
    ) -> PruneAnswer:
        """Prune leftovers.

        Takes out up to 500 leftovers in one undoable batch: orphans (nothing joins or supports them),
        dangling (point at what is gone), retired (evidence of forgotten concepts). Counts only, unless
        dry_run is false.

        Of the toolset curation; needs the tier curator.

        Args:
            what: Which leftovers.
            reason: Why; kept in the log.
            dry_run: true: only count them.
            session: Name of one piece of work.
            idempotency_key: Makes a retry safe.
            progress: Told (done, total, message) on long work; it may raise to give the work up.

        Returns:
            The answer: what, dry_run, counts, examples, more, suggested_next_actions; where there is such:
            batch, left_out.
        """
