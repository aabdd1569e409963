"""The closest pairs of two sets of vectors, found without comparing every one with every other. Pure.

The larger set is laid into cells around centres that are drawn from it. A vector of the smaller set is compared with
the members of those few cells whose centres lie nearest to it; the vectors that fared best are then compared with the
whole of the larger set, because their true partner may lie in a cell beside. With m vectors in the larger set this
costs about 6 √m comparisons a vector, and m more for a quarter of them, 500 at most. Everything is a product of
matrices.

Measured against comparing all: ``bench/bridges.py``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]
    Rows = npt.NDArray[np.intp]

__all__ = ["Closest", "closest"]

_CENTRES: Final = 3.0  # cells for each root of the larger set's size: smaller cells, more of them visited
_CELLS_VISITED: Final = 8
_SAMPLE: Final = 16  # vectors a cell that its centre is moved by
_ROUNDS: Final = 2
_CROWDED: Final = 8  # a cell of more than so many times the usual is read in part: all of one text lie in one cell
_SMALL: Final = 64  # vectors that are one cell: of so few nothing is missed
_KEPT_MIN: Final = 5  # pairs a vector and cell
_KEPT: Final = 20_000  # and more where vectors are few, for the nearest ones may be no news
_PROMISING_SHARE: Final = 0.25
_PROMISING_MAX: Final = 500
_PAIRS_MAX: Final = 100_000
_BLOCK: Final = 4_000_000  # cosines that are held at once: 16 MB
_ONE_THREAD: Final = 262_144
"""Multiplications up to which OpenBLAS keeps a product on one thread.

Larger ones are shared among threads that wait for each other: on a busy machine six times slower than many small ones.
"""
_STACK: Final = 8  # rows of a small product


@dataclass(frozen=True, slots=True, kw_only=True)
class Closest:
    """Pairs, column by column, nearest first: rows of either set and their ``cosines``.

    ``compared`` is how many comparisons of two vectors it took, those with centres included.
    """

    one: npt.NDArray[np.intp]
    other: npt.NDArray[np.intp]
    cosines: npt.NDArray[np.float32]
    compared: int


class _Pairs(NamedTuple):
    one: Rows
    other: Rows
    cosines: Vectors

    def taken(self, rows: Rows) -> _Pairs:
        return _Pairs(self.one[rows], self.other[rows], self.cosines[rows])


class _Cells(NamedTuple):
    """``rows`` of a set, cell after cell; those of cell ``c`` lie from ``bounds[c]`` to ``bounds[c + 1]``."""

    centres: Vectors
    rows: Rows
    bounds: Rows


def closest(one: Vectors, other: Vectors) -> Closest:
    """Return the pairs that lie nearest, at most 100,000; each pair once.

    ``one`` (n, dimension) is the smaller set, ``other`` (m, dimension) the larger; rows have length 1. The same input
    gives the same pairs. Pairs of low cosine may be missing; small sets are compared whole.
    """
    if not len(one) or not len(other):
        none = np.empty(0, np.intp)
        return Closest(one=none, other=none, cosines=np.empty(0, np.float32), compared=0)
    cells = _laid(other)
    found = list(_visited(one, other, cells))
    compared = len(cells.centres) * (len(one) + len(other)) + sum(count for _, count in found)
    pairs = _joined([each for each, _ in found])
    if len(cells.centres) > 1:
        promising = _promising(pairs, len(one))
        compared += len(promising) * len(other)
        pairs = _joined([pairs, _best(one, other, promising, np.arange(len(other)))])
    best = _unique(pairs, len(other))
    return Closest(one=best.one, other=best.other, cosines=best.cosines, compared=compared)


def _laid(vectors: Vectors) -> _Cells:
    """Return the cells of ``vectors``, none empty: centres drawn evenly from it and moved twice to their middle."""
    count = 1 if len(vectors) <= _SMALL else math.ceil(_CENTRES * math.sqrt(len(vectors)))
    centres = vectors[_evenly(len(vectors), count)]
    sample = vectors[_evenly(len(vectors), count * _SAMPLE)]
    for _ in range(_ROUNDS):
        sums = np.zeros_like(centres)
        np.add.at(sums, _homes(sample, centres), sample)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 0, sums / np.maximum(lengths, np.finfo(np.float32).tiny), centres)
    used, homes = np.unique(_homes(vectors, centres), return_inverse=True)
    return _sorted(homes, np.arange(len(vectors)), centres[used])


def _evenly(length: int, count: int) -> Rows:
    """Return up to ``count`` rows of ``length``, evenly spread."""
    return np.unique(np.linspace(0, length - 1, min(count, length)).astype(np.intp))


def _homes(vectors: Vectors, centres: Vectors) -> Rows:
    return np.concatenate([np.argmax(_cosines(block, centres), axis=1) for block in _blocks(vectors, len(centres))])


def _sorted(homes: Rows, rows: Rows, centres: Vectors) -> _Cells:
    order = np.argsort(homes, kind="stable")
    bounds = np.searchsorted(homes[order], np.arange(len(centres) + 1))
    return _Cells(centres=centres, rows=rows[order], bounds=bounds)


def _visited(one: Vectors, other: Vectors, cells: _Cells) -> Iterator[tuple[_Pairs, int]]:
    """Yield, cell by cell, the best pairs in it and how many pairs were compared."""
    most = min(_CELLS_VISITED, len(cells.centres))
    near = [_top(_cosines(block, cells.centres), most) for block in _blocks(one, len(cells.centres))]
    visits = _sorted(np.concatenate(near).ravel(), np.repeat(np.arange(len(one)), most), cells.centres)
    room = max(_SMALL, math.ceil(_CROWDED * math.sqrt(len(other)) / _CENTRES))
    for cell in range(len(cells.centres)):
        callers = visits.rows[visits.bounds[cell] : visits.bounds[cell + 1]]
        members = cells.rows[cells.bounds[cell] : cells.bounds[cell + 1]]
        if len(callers):
            members = members[_evenly(len(members), room)]
            yield _best(one, other, callers, members), len(callers) * len(members)


def _best(one: Vectors, other: Vectors, callers: Rows, members: Rows) -> _Pairs:
    """Return, for each of these rows of ``one``, the few nearest of these rows of ``other``."""
    most = min(max(_KEPT_MIN, _KEPT // len(one)), len(members))
    held = other[members]
    parts = []
    for rows in np.array_split(callers, max(1, math.ceil(len(callers) * len(members) / _BLOCK))):
        cosines = _cosines(one[rows], held)
        at = _top(cosines, most)
        parts.append(
            _Pairs(np.repeat(rows, most), members[at].ravel(), np.take_along_axis(cosines, at, axis=1).ravel())
        )
    return _joined(parts)


def _cosines(one: Vectors, other: Vectors) -> Vectors:
    """Return the product of all pairs, shape (n, m), made of many small products on this thread."""
    dimension = one.shape[1]
    stacks = math.ceil(len(one) / _STACK)
    parts = math.ceil(len(other) / max(1, _ONE_THREAD // (_STACK * dimension)))
    width = math.ceil(len(other) / parts)
    rows = _padded(one, stacks * _STACK).reshape(stacks, 1, _STACK, dimension)
    columns = _padded(other, parts * width).reshape(parts, width, dimension).transpose(0, 2, 1)
    products: Vectors = np.matmul(rows, columns).transpose(0, 2, 1, 3).reshape(stacks * _STACK, parts * width)
    return products[: len(one), : len(other)]


def _padded(vectors: Vectors, length: int) -> Vectors:
    if length == len(vectors):
        return np.ascontiguousarray(vectors)
    return np.concatenate([vectors, np.zeros((length - len(vectors), vectors.shape[1]), np.float32)])


def _top(values: Vectors, most: int) -> Rows:
    """Return the columns of the ``most`` largest values of each row, in any order."""
    if most == values.shape[1]:
        return np.broadcast_to(np.arange(most), values.shape)
    return np.argpartition(values, -most, axis=1)[:, -most:]


def _promising(pairs: _Pairs, count: int) -> Rows:
    """Return the rows of the smaller set that came nearest to anything, a quarter of them at most."""
    best = np.full(count, -2.0, np.float32)
    np.maximum.at(best, pairs.one, pairs.cosines)
    most = min(_PROMISING_MAX, math.ceil(_PROMISING_SHARE * count))
    return np.sort(np.argsort(-best, kind="stable")[:most])


def _unique(pairs: _Pairs, width: int) -> _Pairs:
    """Return each pair once, nearest first; equals in the order of their rows."""
    if len(pairs.one) > 2 * _PAIRS_MAX:
        kept = np.argpartition(pairs.cosines, -2 * _PAIRS_MAX)[-2 * _PAIRS_MAX :]
        pairs = pairs.taken(kept)
    _, first = np.unique(pairs.one * width + pairs.other, return_index=True)
    order = first[np.argsort(-pairs.cosines[first], kind="stable")][:_PAIRS_MAX]
    return pairs.taken(order)


def _joined(parts: list[_Pairs]) -> _Pairs:
    return _Pairs(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _blocks(vectors: Vectors, width: int) -> list[Vectors]:
    """Return ``vectors`` in parts whose products with ``width`` others fit a block."""
    return np.array_split(vectors, max(1, math.ceil(len(vectors) * width / _BLOCK)))
