"""How the graph is asked, and what a search finds before a verb shapes its answer."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    import numpy as np
    import numpy.typing as npt

    from weft.model.knowledge import Node, SuggestionKind

__all__ = [
    "Calibration",
    "Counts",
    "Filter",
    "Found",
    "Near",
    "Openings",
    "Page",
    "Scope",
    "SuggestionQuery",
    "WordHit",
]


class Scope(StrEnum):
    """Which knowledge takes part: all of it, only what was learned, or everything else."""

    ALL = "all"
    LEARNED = "learned"
    DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which nodes count, applied before ranking. Empty fields do not restrict.

    ``tags`` must all be there, and one of each group of ``tags_alike``; ``kinds``, ``ontologies`` and ``within`` (node
    ids) need one match. ``since`` is a time with its zone: the node was written, or last changed, then or later.
    ``as_of`` is a log position: the graph as it stood when that change was the last. Retired nodes never match (but in
    the past they may).
    """

    kinds: tuple[str, ...] = ()
    ontologies: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    tags_alike: tuple[tuple[str, ...], ...] = ()
    status: str = ""
    confidence_min: float = 0.0
    since: datetime | None = None
    session: str = ""
    scope: Scope = Scope.ALL
    within: tuple[str, ...] = ()
    learned_id: str = ""
    as_of: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether every node that stands now matches."""
        return self == _OPEN


_OPEN: Final = Filter()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which part of a list: ``limit`` rows (1 or more) after skipping ``offset``."""

    limit: int = 10
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A page of nodes, newest first, and how many there are in all."""

    nodes: tuple[Node, ...]
    total: int


class Near(NamedTuple):
    """A node near a vector: its best passage's raw ``cosine`` (−1..1) and that passage's place in the content.

    ``passage`` is what the store knows that passage by.

    A tuple, as :class:`WordHit` is: a search makes thirty of each, and a frozen dataclass takes four times as long.
    """

    node: str
    cosine: float
    start: int = 0
    end: int = 0
    passage: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Openings:
    """The opening passages of many nodes, column by column: each one's node, and its vector of length 1.

    ``vectors`` has shape (len(nodes), dimension); a node of several passages stands in ``nodes`` as often.
    """

    nodes: tuple[str, ...]
    vectors: npt.NDArray[np.float32]


class WordHit(NamedTuple):
    """A node that holds words of a query: a BM25 ``score`` (higher is better), the ``terms`` it holds, and where.

    ``passage`` is what the store knows the passage by that holds them best.
    """

    node: str
    score: float
    terms: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    passage: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionQuery:
    """Which suggestions: of these ``kinds`` (none: all), touching ``subject`` (empty: any), ``open`` by default.

    ``dedups`` name them by what they are about (none: all).
    """

    kinds: tuple[SuggestionKind, ...] = ()
    subject: str = ""
    dedups: tuple[str, ...] = ()
    state: str = "open"
    page: Page = Page()


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How much of what the graph holds, retired nodes left out. Mappings run from a name to a count.

    ``nodes_by_confidence`` counts the bands high (0.8 and more), medium (0.5 and more) and low.
    """

    nodes: int
    relations: int
    sources: int
    passages: int
    suggestions_open: int
    retired: int
    mentions: int
    nodes_by_kind: dict[str, int]
    nodes_by_ontology: dict[str, int]
    nodes_by_origin: dict[str, int]
    nodes_by_status: dict[str, int]
    nodes_by_confidence: dict[str, int]
    relations_by_type: dict[str, int]
    relations_by_origin: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A monotone, piecewise linear map from raw cosine to similarity, both clipped to its end points.

    ``points`` are (cosine, similarity) pairs, cosine strictly ascending and similarity ascending; at least two.
    """

    points: tuple[tuple[float, float], ...]

    def similarity(self, cosine: float) -> float:
        """Return the calibrated similarity (0..1) of a raw ``cosine`` (−1..1)."""
        return _interpolate(cosine, self.points)

    def cosine(self, similarity: float) -> float:
        """Return the raw cosine that a ``similarity`` (0..1) stands for: the inverse of :meth:`similarity`."""
        return _interpolate(similarity, tuple((y, x) for x, y in self.points))


def _interpolate(x: float, points: tuple[tuple[float, float], ...]) -> float:
    if x <= points[0][0]:
        return points[0][1]
    if x >= points[-1][0]:
        return points[-1][1]
    above = bisect_right(points, (x, float("inf")))
    (x0, y0), (x1, y1) = points[above - 1], points[above]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
