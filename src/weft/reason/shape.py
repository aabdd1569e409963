"""The shape of the graph: what much hangs on, what hangs on nothing, and which nodes belong together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import rustworkx

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Hub", "Shape", "shape"]

_LEVELS_MAX: Final = 10
_ROUNDS_MAX: Final = 20
_LEAST_GAIN: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Hub:
    """A node and how many other nodes it is related to (``degree``)."""

    id: str
    degree: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Hubs, most related first; orphans, related to nothing, by id; communities of two or more nodes, largest first.

    Within a community the most related nodes come first.
    """

    hubs: tuple[Hub, ...]
    orphans: tuple[str, ...]
    communities: tuple[tuple[str, ...], ...]


def shape(node_ids: Iterable[str], pairs: Sequence[tuple[str, str, str]], *, hubs_max: int = 10) -> Shape:
    """Return the shape of the graph of ``node_ids`` and ``pairs`` (source, target, type).

    Several relations between two nodes count once, direction does not count, and pairs with an unknown end are left
    out. Communities are those of the Louvain method (Blondel et al. 2008, modularity), made deterministic: nodes are
    visited in order of their ids, and the smaller label wins a tie. Near linear in nodes and relations.
    """
    ids = sorted(set(node_ids))
    graph = _graph(ids, pairs)
    degrees = [graph.degree(index) for index in range(len(ids))]

    def ranked(group: Iterable[int]) -> list[int]:
        return sorted(group, key=lambda index: (-degrees[index], index))

    related = [index for index, degree in enumerate(degrees) if degree]
    return Shape(
        hubs=tuple(Hub(id=ids[index], degree=degrees[index]) for index in ranked(related)[:hubs_max]),
        orphans=tuple(node for node, degree in zip(ids, degrees, strict=True) if not degree),
        communities=tuple(tuple(ids[index] for index in ranked(group)) for group in _communities(graph)),
    )


def _graph(ids: Sequence[str], pairs: Sequence[tuple[str, str, str]]) -> rustworkx.PyGraph[str, None]:
    place = {node: index for index, node in enumerate(ids)}
    graph: rustworkx.PyGraph[str, None] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(ids)
    known = [(place[one], place[other]) for one, other, _ in pairs if one in place and other in place]
    graph.add_edges_from_no_data(sorted({(min(pair), max(pair)) for pair in known if pair[0] != pair[1]}))
    return graph


def _communities(graph: rustworkx.PyGraph[str, None]) -> list[list[int]]:
    """Return the communities of two or more nodes, largest first, then by their first node."""
    near = [dict.fromkeys(sorted(graph.neighbors(index)), 1.0) for index in range(graph.num_nodes())]
    labels = list(range(len(near)))
    for _ in range(_LEVELS_MAX):
        found = _settled(near)
        if len(set(found)) == len(near):
            break
        labels = [found[label] for label in labels]
        near = _joined(near, found)
    groups: dict[int, list[int]] = {}
    for index, label in enumerate(labels):
        groups.setdefault(label, []).append(index)
    return sorted((group for group in groups.values() if len(group) > 1), key=lambda group: (-len(group), group[0]))


def _settled(near: Sequence[dict[int, float]]) -> list[int]:
    """Return a label for each node, after nodes have moved to neighbours' groups while modularity grew by it.

    After the first round only nodes are looked at again of which a neighbour has moved (Ozaki, Tezuka, Inaba 2016).
    """
    degrees = [sum(row.values()) for row in near]
    whole = sum(degrees) or 1.0
    labels, sums = list(range(len(near))), list(degrees)
    restless = set(labels)
    for _ in range(_ROUNDS_MAX):
        visited, restless = sorted(restless), set()
        for node in visited:
            own, row = labels[node], near[node]
            sums[own] -= degrees[node]
            labels[node] = best = _best_label(node, row, labels=labels, sums=sums, share=degrees[node] / whole)
            sums[best] += degrees[node]
            if best != own:
                restless.update(other for other in row if labels[other] != best)
        if not restless:
            break
    return _renumbered(labels)


def _best_label(node: int, row: dict[int, float], *, labels: Sequence[int], sums: Sequence[float], share: float) -> int:
    """Return the neighbouring group that gains most modularity by taking ``node`` in; its own where none gains more."""
    own = labels[node]
    weights = {own: 0.0}
    for other, weight in row.items():
        if other != node:
            label = labels[other]
            weights[label] = weights.get(label, 0.0) + weight
    best, least = own, sums[own] * share - weights[own] - _LEAST_GAIN
    for label, weight in weights.items():
        loss = sums[label] * share - weight
        if loss < least or (loss == least and own != label < best != own):
            best, least = label, loss
    return best


def _renumbered(labels: Sequence[int]) -> list[int]:
    numbers: dict[int, int] = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels]


def _joined(near: Sequence[dict[int, float]], labels: Sequence[int]) -> list[dict[int, float]]:
    """Return the graph of the groups: what lay within a group becomes its weight to itself."""
    joined: list[dict[int, float]] = [{} for _ in range(max(labels) + 1)]
    for node, row in enumerate(near):
        held = joined[labels[node]]
        for other, weight in row.items():
            held[labels[other]] = held.get(labels[other], 0.0) + weight
    return joined
