"""What the verbs ask of the rooms that do I/O; a backend or an embedder is whatever answers these.

Five small Protocols, split by what they are asked. The embedded and the team store answer the same ones, and
``weft.testing`` holds the contracts they must pass. Every method may raise :class:`weft.errors.Unavailable`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    import numpy as np
    import numpy.typing as npt

    from weft.model import (
        Batch,
        Calibration,
        Change,
        Committed,
        Counts,
        Evidence,
        Filter,
        Found,
        Mention,
        Near,
        Node,
        Page,
        Receipt,
        Relation,
        Source,
        Suggestion,
        SuggestionQuery,
        WordHit,
    )

__all__ = ["Embedder", "Log", "Shelf", "Store", "Usage", "Vectors", "Words"]


class Store(Protocol):
    """The graph itself: one way to write, a few to read. Reads see everything committed before them, by any process."""

    def commit(self, batch: Batch) -> Committed:
        """Write the whole batch durably, log it and keep its receipt, or write nothing.

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
        """Return what is known of the graph itself: name, schema, engine, model, dimension, next numbers of series."""
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
        """Return ids of nodes that refer to one of these files, or to a file in the same folder."""
        ...

    def by_evidence(self, ids: Sequence[str], *, per_node: int) -> dict[str, tuple[str, ...]]:
        """Return, for each of these nodes, the nodes that rest on the same source."""
        ...

    def relation_pairs(self, limit: int) -> tuple[tuple[str, str, str], ...]:
        """Return up to ``limit`` (source, target, type) triples.

        The snapshot that communities and hubs are read from.
        """
        ...


class Words(Protocol):
    """Full text."""

    def search(self, query: str, *, filter: Filter, limit: int) -> tuple[WordHit, ...]:  # noqa: A002
        """Return nodes that hold words of ``query``, best first; any text at all is a valid query."""
        ...

    def holding(self, query: str, *, filter: Filter, limit: int) -> tuple[str, ...]:  # noqa: A002
        """Return ids of nodes that hold every word of ``query`` in title, content or tags."""
        ...

    def phrase(self, name: str, *, limit: int) -> tuple[str, ...]:
        """Return ids of nodes whose text holds ``name`` as consecutive words."""
        ...


class Vectors(Protocol):
    """Nearest neighbours by meaning, over what stands now (or stood at ``filter.as_of``)."""

    def nearest(self, vector: npt.NDArray[np.float32], *, filter: Filter, limit: int) -> tuple[Near, ...]:  # noqa: A002
        """Return the nodes whose best passage is nearest to ``vector`` (shape (dimension,), length 1).

        Nearest first.
        """
        ...

    def of(self, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Return the passage vectors of these nodes, each of shape (passages, dimension)."""
        ...


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

    def position(self, at: datetime) -> int:
        """Return the position of the last change made at or before ``at``."""
        ...

    def nodes_as_of(self, ids: Sequence[str], seq: int) -> dict[str, Node]:
        """Return the nodes as they stood at ``seq``; those not yet made or already retired then are left out."""
        ...


class Usage(Protocol):
    """Best-effort memory of use: what was read, and what a caller has searched and been nudged about.

    Lives outside the graph's transaction and tier. Losing it loses a hint.
    """

    def touch(self, ids: Sequence[str], *, at: datetime) -> None:
        """Count one use of each of these nodes."""
        ...

    def uses(self, ids: Sequence[str]) -> Mapping[str, tuple[int, datetime]]:
        """Return how often and when last each of these nodes was used; unused ones are left out."""
        ...

    def note(self, *, caller: str, event: str, subject: str, at: datetime) -> None:
        """Remember that ``caller`` did ``event`` (``searched``, ``nudged``, ``followed`` …) about ``subject``."""
        ...

    def noted(self, *, caller: str, event: str, since: datetime) -> tuple[str, ...]:
        """Return the subjects of ``event`` by ``caller`` since then, newest first, 200 at most."""
        ...

    def tallies(self) -> Mapping[str, int]:
        """Return how often each event happened, over all callers."""
        ...


class Embedder(Protocol):
    """Text to vectors."""

    @property
    def name(self) -> str:
        """Name and variant of the model; stored with the graph, and mixing is refused."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def calibration(self) -> Calibration:
        """The map from this model's raw cosine to similarity."""
        ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one row a text, shape (len(texts), dimension), each of length 1."""
        ...
