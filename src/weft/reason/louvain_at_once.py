"""The communities of a graph that is too large for going from node to node: many nodes move at once.

The Louvain method as :mod:`weft.reason.louvain` has it, but for the order of the moves: in each round half of the
restless nodes choose where to go by how the groups stood before the round. What belongs to which half is drawn from the
nodes' places, anew each round, so that neighbours do not trade places for ever, and the same graph has the same answer.
Two nodes that are alone join by the one with the larger label moving (Lu, Halappanavar, Kalyanaraman 2015). In the end
each node looks around once more for itself, not with the group it came in (Rotta, Noack 2011).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from weft.reason.louvain import LEAST_GAIN, LEVELS_MAX, joined_up

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]
    Mask = npt.NDArray[np.bool_]

__all__ = ["grouped"]

_ROUNDS: Final = 6  # more only while nothing has moved: who is restless must have had a turn
_BITS: Final = 64
_LEAST_MOVED: Final = 0.02  # of all nodes; a round that moves fewer is the last: the next level moves what is left
_FEW: Final = 1_000  # groups that are gone through one by one: many at once would join what does not belong together
_HALF: Final = 32
_LOW: Final = (1 << _HALF) - 1


@dataclass(frozen=True, slots=True, eq=False)
class _Graph:
    """A weighted graph, each relation from both ends, sorted by ``rows``.

    ``degrees``, shape (nodes,), hold what a group weighs to itself; the relations, three of shape (entries,), do not.
    """

    degrees: Floats
    rows: Integers
    others: Integers
    weights: Floats


def grouped(ends: Integers, count: int) -> Integers:
    """Return a label for each of ``count`` nodes, shape (count,), equal within a community, 0 and upwards.

    ``ends``, shape (pairs, 2), are pairs of different nodes by their places, each once.
    """
    graph = whole = _both_ways(ends, count)
    labels = np.arange(count)
    for _ in range(LEVELS_MAX):
        few = len(graph.degrees) <= _FEW
        found = joined_up(_near(graph)) if few else _settled(graph, np.arange(len(graph.degrees)))
        if len(found) == 0 or found.max() + 1 == len(found):
            break
        labels = found[labels]
        if few:
            break
        graph = _joined(graph, found)
    return _settled(whole, labels)


def _near(graph: _Graph) -> list[dict[int, float]]:
    """Return what each node weighs to its neighbours and to itself."""
    within = graph.degrees - np.bincount(graph.rows, graph.weights, minlength=len(graph.degrees))
    near = [{place: weight} for place, weight in enumerate(within.tolist())]
    for row, other, weight in zip(graph.rows.tolist(), graph.others.tolist(), graph.weights.tolist(), strict=True):
        near[row][other] = weight
    return near


def _both_ways(ends: Integers, count: int) -> _Graph:
    rows, others = (np.concatenate([ends[:, one], ends[:, 1 - one]]) for one in (0, 1))
    keys = np.sort((rows << _HALF) | others, kind="stable")
    rows = keys >> _HALF
    degrees = np.bincount(rows, minlength=count).astype(np.float64)
    return _Graph(degrees=degrees, rows=rows, others=keys & _LOW, weights=np.ones(len(rows)))


def _joined(graph: _Graph, labels: Integers) -> _Graph:
    """Return the graph of the groups."""
    rows, others = labels[graph.rows], labels[graph.others]
    apart = np.flatnonzero(rows != others)
    rows, others, weights = _summed(rows[apart], others[apart], graph.weights[apart])
    return _Graph(
        degrees=np.bincount(labels, graph.degrees).astype(np.float64), rows=rows, others=others, weights=weights
    )


def _settled(graph: _Graph, labels: Integers) -> Integers:
    """Return new labels of the nodes, after they have moved to neighbours' groups while modularity grew by it."""
    count = len(graph.degrees)
    labels, restless, halves = labels.copy(), np.ones(count, np.bool_), _halves(count)
    changed = False
    for turn in range(_BITS):
        turned = restless & ((halves >> np.uint64(turn)) & np.uint64(1)).astype(np.bool_)
        moved, targets = _moves(graph, labels, turned)
        restless &= ~turned
        labels[moved] = targets
        _wake(graph, labels, moved, restless)
        changed = changed or len(moved) > 0
        enough = turn + 1 >= _ROUNDS or (turn and len(moved) < count * _LEAST_MOVED)
        if (changed and enough) or not restless.any():
            break
    used = np.bincount(labels, minlength=count) > 0
    return (np.cumsum(used) - 1)[labels]


def _halves(count: int) -> npt.NDArray[np.uint64]:
    """Return 64 bits for each place that look drawn by chance: the finalizer of SplitMix64 (Steele et al. 2014)."""
    bits = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def _moves(graph: _Graph, labels: Integers, turned: Mask) -> tuple[Integers, Integers]:
    """Return the nodes, of those whose turn it is, that gain by moving, and the label that each moves to."""
    picked = np.flatnonzero(turned.take(graph.rows))
    if not len(picked):
        return picked, picked
    near = labels.take(graph.others.take(picked))
    rows, near, weights = _summed(graph.rows.take(picked), near, graph.weights.take(picked))
    gains, staying = _gains(graph.degrees, labels, (rows, near, weights))
    first = _first(rows)
    best = np.maximum.reduceat(gains, first)
    at_best = np.flatnonzero(gains == np.repeat(best, np.diff(first, append=len(rows))))
    at_best = at_best[_first(rows[at_best])]  # labels come in order: the smallest wins a tie
    nodes, targets = rows[at_best], near[at_best]
    going = best > staying[nodes] + LEAST_GAIN
    return nodes[going], targets[going]


def _gains(degrees: Floats, labels: Integers, near: tuple[Integers, Integers, Floats]) -> tuple[Floats, Floats]:
    """Return what each (node, neighbouring group, weight between them) gains, and what each node has where it is."""
    rows, groups, weights = near
    count = len(degrees)
    sums, sizes = np.bincount(labels, degrees, minlength=count), np.bincount(labels, minlength=count)
    shares = degrees / degrees.sum()
    own = labels.take(rows)
    gains = weights - sums.take(groups) * shares.take(rows)
    home = np.flatnonzero(groups == own)
    staying = (degrees - sums[labels]) * shares
    staying[rows[home]] += weights[home]
    gains[home] = -np.inf
    alone = sizes == 1
    gains[(groups > own) & alone.take(groups) & alone.take(own)] = -np.inf
    return gains, staying


def _wake(graph: _Graph, labels: Integers, moved: Integers, restless: Mask) -> None:
    """Let those look again of whom a neighbour has moved to another group than theirs (Ozaki, Tezuka, Inaba 2016)."""
    was_moved = np.zeros(len(labels), np.bool_)
    was_moved[moved] = True
    touched = np.flatnonzero(was_moved.take(graph.others))
    rows, others = graph.rows.take(touched), graph.others.take(touched)
    restless[rows[labels.take(rows) != labels.take(others)]] = True


def _summed(rows: Integers, others: Integers, weights: Floats) -> tuple[Integers, Integers, Floats]:
    """Return each pair once, in order, with the sum of its weights."""
    keys = (rows << _HALF) | others
    order = np.argsort(keys, kind="stable")  # rows come in order: many times as quick as other sorts
    keys = keys.take(order)
    first = _first(keys)
    keys = keys.take(first)
    summed = np.add.reduceat(weights.take(order), first) if len(first) else weights[:0]
    return keys >> _HALF, keys & _LOW, summed


def _first(values: Integers) -> Integers:
    """Return where each run of equal values begins."""
    begins = np.ones(len(values), np.bool_)
    begins[1:] = values[1:] != values[:-1]
    return np.flatnonzero(begins)
