"""The nearest pairs of nodes across two ontologies, walked from the smaller one; never all pairs.

Ontologies that can be held in memory are walked whole: the larger is laid into cells, and each passage of the smaller
is compared with the cells it lies near to (:mod:`weft.reason.closest`). Where a side is larger than that, the newest
nodes of the smaller are looked up in the vector index one by one; how many were is part of the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from weft.model import Filter, Page
from weft.reason.closest import closest

if TYPE_CHECKING:
    import numpy.typing as npt

    from weft.model import Call, Openings, Scope
    from weft.ports import Store, Vectors

__all__ = ["OPENING", "PROBES_MAX", "WHOLE_MAX", "Across", "across"]

WHOLE_MAX: Final = 25_000
"""Nodes up to which an ontology is walked whole: 20,000 are read in 0.1 s and take 30 MB."""

PROBES_MAX: Final = 500
"""How many nodes of the smaller ontology are looked up in the index where a side is larger; 1 to 2 ms each."""

OPENING: Final = 2
"""Passages of each node: its opening says what it is about. Of ontologies of over 12,500 nodes only the first."""

_NEAREST: Final = 5  # nodes of the larger ontology that the index is asked for
_PAGE: Final = 100

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Across:
    """Pairs (node of the ``smaller`` ontology, node of the larger), nearest first, each once, and their ``cosines``.

    ``searched`` of the smaller one's ``total`` nodes were looked up; the others are older, or have no vector yet.
    ``compared`` counts comparisons of two vectors; 0 where the index made them.
    """

    pairs: tuple[Pair, ...]
    cosines: npt.NDArray[np.float32]
    smaller: str
    searched: int
    total: int
    compared: int = 0


def across(store: Store, vectors: Vectors, sizes: dict[str, int], call: Call, *, scope: Scope) -> Across:
    """Return the nearest pairs of the two ontologies that ``sizes`` name, with how many nodes each holds."""
    smaller, larger = sorted(sizes, key=lambda name: sizes[name])
    if sizes[larger] <= WHOLE_MAX:
        per_node = OPENING if sizes[larger] * OPENING <= WHOLE_MAX else 1
        one, other = (
            vectors.openings(Filter(ontologies=(name,), scope=scope), limit=WHOLE_MAX, per_node=per_node)
            for name in (smaller, larger)
        )
        if one is not None and other is not None:
            call.report(1, 2, f"read {smaller} and {larger}")
            return _whole(one, other, smaller, sizes[smaller])
    pairs = _looked_up(store, vectors, (smaller, larger), call, scope=scope)
    ranked = dict(sorted(pairs.items(), key=lambda item: (-item[1], item[0])))
    return _across(ranked, smaller=smaller, searched=min(PROBES_MAX, sizes[smaller]), total=sizes[smaller])


def _whole(one: Openings, other: Openings, smaller: str, total: int) -> Across:
    found = closest(one.vectors, other.vectors)
    rows, columns = (
        map(nodes.__getitem__, at.tolist()) for nodes, at in ((one.nodes, found.one), (other.nodes, found.other))
    )
    best: dict[Pair, float] = {}
    for pair, cosine in zip(zip(rows, columns, strict=True), found.cosines.tolist(), strict=True):
        best.setdefault(pair, cosine)  # nearest first: of several passages of the same two nodes, the nearest
    searched = len(set(one.nodes))
    return _across(best, smaller=smaller, searched=searched, total=max(total, searched), compared=found.compared)


def _looked_up(
    store: Store, vectors: Vectors, names: tuple[str, str], call: Call, *, scope: Scope
) -> dict[Pair, float]:
    """Return the nearest nodes of the second ontology to each of the newest of the first."""
    within, among = (Filter(ontologies=(name,), scope=scope) for name in names)
    pairs: dict[Pair, float] = {}
    for done in range(0, PROBES_MAX, _PAGE):
        nodes = store.find(within, Page(limit=min(_PAGE, PROBES_MAX - done), offset=done)).nodes
        for node, rows in vectors.of([each.id for each in nodes]).items():
            for row in rows[:OPENING]:
                for near in vectors.nearest(row, filter=among, limit=_NEAREST):
                    pairs[node, near.node] = max(near.cosine, pairs.get((node, near.node), -1.0))
        call.report(done + len(nodes), PROBES_MAX, f"looked up the newest nodes of {names[0]}")
        if len(nodes) < _PAGE:
            break
    return pairs


def _across(best: dict[Pair, float], *, smaller: str, searched: int, total: int, compared: int = 0) -> Across:
    return Across(
        pairs=tuple(best),
        cosines=np.fromiter(best.values(), np.float32, len(best)),
        smaller=smaller,
        searched=searched,
        total=total,
        compared=compared,
    )
