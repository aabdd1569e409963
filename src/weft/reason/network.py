"""Which nodes are related to which, as numbers: read once from many relations, brought up to date by a few changes."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Triple = tuple[str, str, str]

__all__ = ["Network"]

# A relation is one number: the places of source (24 bits), target (24) and type (15), which is what int64 holds.
_NODE_BITS: Final = 24
_TYPE_BITS: Final = 15
_NODES: Final = (1 << _NODE_BITS) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Relations as numbers.

    ``nodes`` and ``types`` give each its place, and ``keys``, shape (relations,), hold each relation once.
    """

    nodes: Mapping[str, int]
    types: Mapping[str, int]
    keys: Integers

    def __len__(self) -> int:
        """Return how many relations there are."""
        return len(self.keys)

    @classmethod
    def of(cls, relations: Sequence[Triple]) -> Network:
        """Return the network of ``relations`` (source, target, type)."""
        nodes = _placed({}, _named(relations, 0) | _named(relations, 1))
        types = _placed({}, _named(relations, 2))
        return cls(nodes, types, _distinct(_keys(relations, nodes, types)))

    def changed(self, standing: Mapping[Triple, bool]) -> Network:
        """Return the network after changes: which relations stand now (True) and which do not (False).

        What it knew already may be told again: it is the same network then.
        """
        here = [relation for relation, stands in standing.items() if stands]
        nodes = _placed(self.nodes, _named(here, 0) | _named(here, 1))
        types = _placed(self.types, _named(here, 2))
        known = [each for each in standing if each[0] in nodes and each[1] in nodes and each[2] in types]
        told = np.sort(_keys(known, nodes, types))
        kept = self.keys
        if len(told):
            at = np.minimum(np.searchsorted(told, kept), len(told) - 1)
            kept = kept[told[at] != kept]
        return Network(nodes, types, np.concatenate([kept, _keys(here, nodes, types)]))

    def ends(self) -> tuple[list[str], Integers]:
        """Return the ids of the nodes that are related to others, in order, and the pairs that are related.

        Pairs, shape (pairs, 2), are places in these ids, the smaller first, each pair once and in order: direction and
        type do not count.
        """
        sources, targets = self.keys >> (_NODE_BITS + _TYPE_BITS), (self.keys >> _TYPE_BITS) & _NODES
        apart = sources != targets
        pairs = np.stack([sources[apart], targets[apart]], axis=1)
        names = list(self.nodes)
        used = np.flatnonzero(np.bincount(pairs.ravel(), minlength=len(names))).tolist()
        used.sort(key=names.__getitem__)
        places = np.zeros(len(names), np.int64)
        places[used] = np.arange(len(used))
        ordered = np.sort(places[pairs], axis=1)
        joined = _distinct((ordered[:, 0] << _NODE_BITS) | ordered[:, 1])
        return [names[place] for place in used], np.stack([joined >> _NODE_BITS, joined & _NODES], axis=1)


def _named(relations: Sequence[Triple], part: int) -> set[str]:
    return set(map(itemgetter(part), relations))


def _placed(known: Mapping[str, int], names: Collection[str]) -> dict[str, int]:
    """Return ``known`` with places for the new ones of ``names``."""
    fresh = sorted(name for name in names if name not in known)
    return {**known, **{name: place for place, name in enumerate(fresh, len(known))}}


def _keys(relations: Sequence[Triple], nodes: Mapping[str, int], types: Mapping[str, int]) -> Integers:
    sources, targets, kinds = (
        np.fromiter(map(places.__getitem__, map(itemgetter(part), relations)), np.int64, len(relations))
        for part, places in enumerate((nodes, nodes, types))
    )
    return (sources << (_NODE_BITS + _TYPE_BITS)) | (targets << _TYPE_BITS) | kinds


def _distinct(keys: Integers) -> Integers:
    """Return ``keys`` in order, each once."""
    ordered = np.sort(keys, kind="stable")  # quick where they are nearly in order, as they mostly are
    fresh = np.ones(len(ordered), np.bool_)
    fresh[1:] = ordered[1:] != ordered[:-1]
    return ordered[fresh]
