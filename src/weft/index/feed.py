"""What the index asks of the store: passages, their vectors, and what has changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.model import Filter, Openings

__all__ = ["Head", "PassageFeed", "Places", "Rows"]


class Head(NamedTuple):
    """How far the passages have come: the last ``row``, the last position at which one ``ended``, and the ``model``.

    Equal heads mean equal passages. Rows and positions only grow; ``model`` names the model and its dimension.
    """

    row: int
    ended: int
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Passages, column by column: row, id of the node, place in the node's content (in characters), and vector.

    ``vectors`` has shape (len(rows), dimension).
    """

    rows: tuple[int, ...]
    nodes: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    vectors: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Rows of passages, ascending, and their vectors of shape (len(rows), dimension)."""

    rows: npt.NDArray[np.int64]
    vectors: npt.NDArray[np.float32]


class PassageFeed(Protocol):
    """The passages of a graph, as of now, each call by itself. May raise :class:`weft.errors.Unavailable`.

    With ``filter.as_of`` set, a passage counts that stood then, if its node passes the filter today or has changed
    since; what the node was like then is the caller's to look at.
    """

    def head(self) -> Head:
        """Return how far the passages have come."""
        ...

    def standing(self, row: int, *, limit: int) -> Rows:
        """Return up to ``limit`` passages after ``row`` that stand now."""
        ...

    def ended(self, seq: int, *, row: int) -> tuple[int, ...]:
        """Return the rows after ``row`` of the passages that ended after position ``seq``."""
        ...

    def placed(self, rows: Sequence[int], filter: Filter) -> Places:  # noqa: A002 - the field's word
        """Return those of ``rows`` that stand and pass the filter, in any order."""
        ...

    def few(self, filter: Filter, *, limit: int) -> Places | None:  # noqa: A002
        """Return all passages that pass the filter; None: finding them takes reading over ``limit`` nodes."""
        ...

    def gone(self, filter: Filter, *, limit: int) -> Places | None:  # noqa: A002
        """Return the passages that stood at ``filter.as_of`` and have ended since; None: over ``limit``."""
        ...

    def scan(self, filter: Filter, row: int, *, limit: int) -> Places:  # noqa: A002
        """Return the next ``limit`` passages after ``row`` that pass the filter, by row."""
        ...

    def openings(self, filter: Filter, *, limit: int, per_node: int) -> Openings | None:  # noqa: A002
        """Return the first ``per_node`` passages of all nodes that stand and pass; None: over ``limit`` nodes."""
        ...

    def of(self, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors of these nodes' passages, each of shape (passages, dimension)."""
        ...

    def rows(self, ids: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Return the passages of these nodes that stand, in the order of their text; nodes without any are left out."""
        ...

    def passages(self, passages: Sequence[int]) -> dict[int, npt.NDArray[np.float32]]:
        """Return the vectors of these passages, each (dimension,), ended ones too; unknown ones are left out."""
        ...

    def cosines(self, vector: npt.NDArray[np.float32], ids: Sequence[str]) -> dict[str, float]:
        """Return the cosine (−1..1) of ``vector`` and the nearest passage of each of these nodes that has any."""
        ...

    def words(self, passages: Sequence[int], *, width: int) -> dict[int, npt.NDArray[np.int8]]:
        """Return the vectors of the words of these passages, each (words, ``width``); where there are none, nothing."""
        ...

    def proof(self, rows: Sequence[int]) -> str:
        """Return a digest of what these passages are, ended or not: two graphs differ in it."""
        ...
