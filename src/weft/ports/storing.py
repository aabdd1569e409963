"""What the verbs ask of the store: the graph itself, and its record of every change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from weft.model import (
        Batch,
        Change,
        Committed,
        Counts,
        Deed,
        Evidence,
        FilePrint,
        Filter,
        Found,
        FoundLearned,
        FoundRelations,
        LearnedItem,
        LearnedQuery,
        LoggedBatch,
        LogQuery,
        Mention,
        Node,
        Page,
        Receipt,
        Relation,
        Source,
        Subject,
        Suggestion,
        SuggestionQuery,
        Touched,
        Vote,
    )
    from weft.vocabulary import Vocabulary

__all__ = ["Learned", "Log", "Prints", "Shelf", "Store"]


class Store(Protocol):
    """The graph itself: one way to write, a few to read. Reads see everything committed before them, by any process."""

    vocabulary: Vocabulary
    """The kinds and relation types that this graph knows: the standard ones and its own."""

    def commit(self, batch: Batch) -> Committed:
        """Write the whole batch durably, log it and keep its receipt, or write nothing.

        A batch of nothing returns when all that can be read lasts as what was acknowledged does: what another has
        written may be seen before that.

        Raises:
            StaleRead: an operation's ``expect`` no longer holds.
            Conflict: the receipt's key is taken (by a call that finished meanwhile).
            PermissionDenied: the tier of the connection or of the call does not reach an operation.
        """
        ...

    def nodes(self, ids: Sequence[str]) -> dict[str, Node]:
        """Return the nodes of these ids, retired ones too; unknown ids are left out."""
        ...

    def resolve(self, reference: str, *, limit: int) -> tuple[Node, ...]:
        """Return the nodes that ``reference`` may name, none retired, by the first of these that answers.

        Id; handle; id of a node merged into another (answered by that other); title (exact, then case-folded); alias;
        id prefix of 8 characters or more. More than one node means ambiguous.
        """
        ...

    def find(self, filter: Filter, page: Page) -> Found:  # noqa: A002 - the field's word
        """Return a page of matching nodes, newest first, with the true total."""
        ...

    def relations(
        self, ids: Sequence[str], *, types: Sequence[str] = (), per_node: int = 1000, as_of: int | None = None
    ) -> tuple[Relation, ...]:
        """Return the relations that touch any of these nodes, seen from both ends, strongest first, each once."""
        ...

    def evidence(self, subjects: Sequence[str]) -> tuple[Evidence, ...]:
        """Return the evidence under these nodes or relations, oldest first."""
        ...

    def sources(self, ids: Sequence[str]) -> dict[str, Source]:
        """Return the sources of these ids; those of a document's name and digest through :meth:`source_of`."""
        ...

    def source_of(self, document: str, ontology: str) -> Source | None:
        """Return the newest source of this document name in this ontology, or None."""
        ...

    def suggestions(self, query: SuggestionQuery) -> tuple[tuple[Suggestion, ...], int]:
        """Return a page of suggestions, best score first, and how many there are in all."""
        ...

    def receipt(self, *, actor: str, tool: str, key: str) -> Receipt | None:
        """Return the remembered answer of a call, or None."""
        ...

    def counts(self) -> Counts:
        """Return how much of what the graph holds."""
        ...

    def facts(self) -> dict[str, Any]:
        """Return what is known of the graph itself: name, schema, engine, model, dimension, next numbers of series.

        ``brought_up`` is there, and true, where another release has brought it up since it was opened here: it is read
        on, and takes no write. ``read_only`` is there, and true, where nobody can write to it now.
        """
        ...


class Shelf(Protocol):
    """Where knowledge lies side by side: look-ups through an index that the rules of thinking live on."""

    def sharing(self, node: Node, *, limit: int) -> tuple[str, ...]:
        """Return ids of nodes that share a tag, a reference or a session with ``node``, most shared first."""
        ...

    def named_in(self, text: str, *, limit: int) -> tuple[Mention, ...]:
        """Return the nodes whose title or alias stands in ``text`` as whole words; ``Mention.node`` is empty."""
        ...

    def mentions(self, ids: Sequence[str], *, per_node: int) -> tuple[Mention, ...]:
        """Return the stored mentions that touch any of these nodes, from both ends."""
        ...

    def by_reference(self, paths: Sequence[str], *, limit: int) -> tuple[str, ...]:
        """Return ids of nodes that refer to one of these files, to a folder above it, or to a file beside it."""
        ...

    def by_file_name(self, name: str, *, limit: int) -> tuple[str, ...]:
        """Return ids of nodes that refer to a file of this name in some folder."""
        ...

    def by_evidence(self, ids: Sequence[str], *, per_node: int) -> dict[str, tuple[str, ...]]:
        """Return, for each of these nodes, the nodes that rest on the same source."""
        ...

    def names_used(self, what: str, beginnings: Sequence[str], *, limit: int) -> tuple[str, ...]:
        """Return the names of tags or ontologies (``what``) that standing nodes use and that begin with one of these.

        Names that are a beginning themselves come first, so that no limit keeps them out.
        """
        ...

    def beside(self, ids: Sequence[str], *, reach: int) -> dict[str, tuple[str, ...]]:
        """Return, for each of these nodes, the ``reach`` standing nodes written before it and after it in its session.

        Nodes without a session, or alone in one, are left out.
        """
        ...

    def relation_pairs(self, limit: int) -> tuple[tuple[str, str, str], ...]:
        """Return up to ``limit`` (source, target, type) triples.

        The snapshot that communities and hubs are read from.
        """
        ...

    def best_related(self, filter: Filter, *, limit: int, looked: int) -> tuple[tuple[str, int], ...]:  # noqa: A002
        """Return up to ``limit`` nodes that pass ``filter`` now, with how many relations each has, most first.

        Of nodes with as many relations the newest come first. Of all that pass, the ``looked`` newest are compared.
        """
        ...

    def relations_among(self, ids: Sequence[str], *, limit: int) -> FoundRelations:
        """Return the ``limit`` surest of the relations whose ends are both among these nodes, and how many there are.

        Costs what leads away from these nodes.
        """
        ...

    def relations_paged(self, page: Page, *, node: str = "", type: str = "") -> FoundRelations:  # noqa: A002
        """Return a page of the relations of this type (empty: any), newest first, with the true total.

        With ``node`` only those that touch the node of this id count, strongest first.
        """
        ...


class Learned(Protocol):
    """What was learned, item by item, by learned ids (``learned_2026-11-21_001``)."""

    def named(self, reference: str, *, limit: int) -> tuple[str, ...]:
        """Return the learned ids that ``reference`` may name, by the first of these that answers.

        Itself; those that begin so; that of the relation of this id. Only items that stand are named.
        """
        ...

    def items(self, ids: Sequence[str]) -> dict[str, LearnedItem]:
        """Return the learned items of these ids, in this order; those of which nothing stands are left out.

        An item that no relation carries the id of has the one, or the synthesis, which its evidence rests under.
        """
        ...

    def find(self, query: LearnedQuery) -> FoundLearned:
        """Return a page of the learned items that rest on evidence and match, newest first, with the true total."""
        ...

    def votes(self, ids: Sequence[str]) -> dict[str, tuple[Vote, ...]]:
        """Return the votes on each of these learned items, oldest first; those without any are left out."""
        ...

    def ever(self, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return each text that was ever the evidence under these learned ids, standing or not.

        Reads the whole log: for imports only.
        """
        ...


class Prints(Protocol):
    """What the files looked like that nodes refer to. Rows of the graph: nothing here reads a file."""

    def of_nodes(self, ids: Sequence[str]) -> tuple[FilePrint, ...]:
        """Return the prints of these nodes, by node and reference."""

    def of_files(self, root: str, files: Sequence[str], *, limit: int) -> tuple[str, ...]:
        """Return ids of standing nodes with a print of one of these files below ``root``, newest first."""

    def referring(self, after: int, *, limit: int) -> tuple[tuple[int, str], ...]:
        """Return the next standing nodes that refer to anything: (place, id), places ascending from ``after``."""


class Log(Protocol):
    """The append-only record of every change, in commit order."""

    def head(self) -> int:
        """Return the position of the last change (0: none)."""
        ...

    def since(self, seq: int, *, limit: int) -> tuple[Change, ...]:
        """Return the changes after ``seq``, oldest first."""
        ...

    def batch(self, batch: str) -> tuple[Change, ...]:
        """Return the changes of a batch, oldest first; an unambiguous prefix of the id will do."""
        ...

    def history(self, subject_id: str, *, limit: int) -> tuple[Change, ...]:
        """Return the changes of one subject, newest first."""
        ...

    def batches(self, query: LogQuery) -> tuple[LoggedBatch, ...]:
        """Return the batches whose last change lies within ``query``, newest first, each once.

        With ``subjects`` it costs what was ever changed in these; without, what lies between the two positions.
        """
        ...

    def counted(self, batches: Sequence[str]) -> dict[str, tuple[tuple[Subject, Deed, int], ...]]:
        """Return how often each of these batches did what to which kind of subject, in the order of the log."""
        ...

    def touched(self, batches: Sequence[str]) -> tuple[Touched, ...]:
        """Return each subject that these batches changed, in the order of their first changes there."""
        ...

    def at(self, positions: Sequence[int]) -> tuple[Change, ...]:
        """Return the changes at these positions, oldest first, each once; positions without one are left out."""
        ...

    def position(self, at: datetime) -> int:
        """Return the position of the last change made at or before ``at``."""
        ...

    def nodes_as_of(self, ids: Sequence[str], seq: int) -> dict[str, Node]:
        """Return the nodes as they stood at ``seq``; those not yet made or already retired then are left out."""
        ...
