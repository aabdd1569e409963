"""Which nodes of two ontologies belong together: neighbours of the smaller side, ranked; never all pairs."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from weft import text
from weft.errors import InvalidArgument, NotFound
from weft.model import BridgeCandidate, BridgeEnd, Bridges, Filter, NearMisses, Page
from weft.reason.compare import jaccard, leap
from weft.services import drafting
from weft.services.across import across
from weft.services.relating import between
from weft.vocabulary import LIST_MAX, NAME_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from weft.model import BridgeRequest, Calibration, Call, Node, Relation
    from weft.ports import Shelf, Store, Vectors
    from weft.services.across import Across

__all__ = ["Bridging"]

_SHORTLIST_MIN: Final = 50
_SHORTLISTS_MAX: Final = 10
"""How many lists are ranked: the first is full of pairs that are related already where much was bridged before."""

_READ_MAX: Final = 2_000  # characters of a node whose words are compared
_MENTIONS_READ: Final = 20
_DEGREE_READ: Final = 60
_SHOWN: Final = 4
_BUSY: Final = 5  # relations of an end from which the damping is worth telling

# What speaks for a pair beside similarity, at most this much of a point each.
_WORDS_WEIGHT: Final = 0.10
_MENTIONS_WEIGHT: Final = 0.05
_TAGS_WEIGHT: Final = 0.05

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shelved:
    """What the ranking reads of a shortlist of pairs, once for all of them."""

    nodes: dict[str, Node]
    words: dict[str, frozenset[str]]
    spread: Counter[str]
    mentioned: dict[str, frozenset[str]]
    degrees: Counter[str]
    joined: frozenset[frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """What is asked for, checked; ``names`` are the two ontologies, ``first`` the one that is shown first."""

    names: tuple[str, str]
    floor: float
    limit: int
    include_existing: bool

    @property
    def first(self) -> str:
        return self.names[0]


class Bridging:
    """Looks for bridges between two ontologies."""

    def __init__(self, *, store: Store, shelf: Shelf, vectors: Vectors, calibration: Calibration) -> None:
        self._store = store
        self._shelf = shelf
        self._vectors = vectors
        self._calibration = calibration

    def bridge(self, request: BridgeRequest, call: Call) -> Bridges:
        """Return the pairs that most likely belong together, best first.

        Every node of the smaller ontology is looked up among those of the other, or the newest 500 where an ontology
        holds more than 25,000; ``searched`` and ``total`` say so. The score is the calibrated similarity, raised by
        rare words that both hold, by what both mention and by shared tags, and damped for ends with many relations.
        Pairs that are related already are left out, or flagged where ``include_existing`` is set; mentions are no
        relations. The nodes of the smaller ontology for which nothing reaches ``similarity_min`` are counted as near
        misses, and the best pair below it is told; None ranks without a floor.

        Raises:
            InvalidArgument: both names are the same ontology, or a value is out of bounds.
            NotFound: an ontology holds no node.
        """
        wish = _checked(request)
        sizes = {name: self._size(Filter(ontologies=(name,), scope=request.scope), name) for name in wish.names}
        found = across(self._store, self._vectors, sizes, call, scope=request.scope)
        similarities = self._similarities(found)
        passing = int(np.count_nonzero(similarities >= wish.floor))  # nearest first, and the map is monotone
        candidates = self._ranked(found.pairs[:passing], similarities, wish)[: wish.limit]
        return Bridges(
            candidates=tuple(replace(each, grounds=(*each.grounds, *_left_out(found))) for each in candidates),
            near_misses=_near_misses(found, similarities[passing:], wish.floor),
            ontology=found.smaller,
            searched=found.searched,
            total=found.total,
        )

    def _size(self, wanted: Filter, name: str) -> int:
        total = self._store.find(wanted, Page(limit=1)).total
        if not total:
            known = ", ".join(sorted(self._store.counts().nodes_by_ontology)[:LIST_MAX]) or "none yet"
            raise NotFound(f"ontology «{name}» holds no such node. There are: {known}.")
        return total

    def _similarities(self, found: Across) -> npt.NDArray[np.float64]:
        cosines, similarities = zip(*self._calibration.points, strict=True)
        mapped: npt.NDArray[np.float64] = np.interp(found.cosines.astype(np.float64), cosines, similarities)
        return mapped

    def _ranked(
        self, pairs: Sequence[Pair], similarities: npt.NDArray[np.float64], wish: _Wish
    ) -> list[BridgeCandidate]:
        """Return the candidates of the nearest pairs, best first: of more pairs where too few are left to offer."""
        window = max(_SHORTLIST_MIN, 5 * wish.limit)
        kept: list[BridgeCandidate] = []
        for start in range(0, min(len(pairs), _SHORTLISTS_MAX * window), window):
            shortlist = pairs[start : start + window]
            shelved = self._shelve(shortlist)
            for pair, similarity in zip(shortlist, similarities[start:].tolist(), strict=False):
                if pair[0] in shelved.nodes and pair[1] in shelved.nodes:
                    kept.append(_candidate(pair, similarity, shelved, first=wish.first))
            kept = [each for each in kept if wish.include_existing or not each.has_existing_relation]
            if len(kept) >= wish.limit:
                break
        return sorted(kept, key=lambda each: (-each.score, each.concept1.id, each.concept2.id))

    def _shelve(self, pairs: Sequence[Pair]) -> _Shelved:
        ids = list(dict.fromkeys(end for pair in pairs for end in pair))
        nodes = {id_: node for id_, node in self._store.nodes(ids).items() if node.retired is None}
        words = {id_: _words(node) for id_, node in nodes.items()}
        mentioned: dict[str, set[str]] = {id_: set() for id_ in ids}
        for mention in self._shelf.mentions(ids, per_node=_MENTIONS_READ):
            mentioned.setdefault(mention.node, set()).add(mention.target)
        relations = self._store.relations(ids, per_node=_DEGREE_READ)
        degrees = Counter(end for relation in relations for end in (relation.source, relation.target))
        return _Shelved(
            nodes=nodes,
            words=words,
            spread=Counter(word for held in words.values() for word in held),
            mentioned={id_: frozenset(targets) for id_, targets in mentioned.items()},
            degrees=degrees,
            joined=self._joined(pairs, relations, degrees),
        )

    def _joined(
        self, pairs: Sequence[Pair], relations: Sequence[Relation], degrees: Counter[str]
    ) -> frozenset[frozenset[str]]:
        """Return the pairs that a relation joins; of two hubs, whose relations were not all read, each is asked for."""
        known = {frozenset((relation.source, relation.target)) for relation in relations}
        hubs = [pair for pair in pairs if min(degrees[end] for end in pair) >= _DEGREE_READ]
        return frozenset(known | {frozenset(pair) for pair in hubs if between(self._store, *pair)})


def _checked(request: BridgeRequest) -> _Wish:
    one, other = (
        drafting.line(name, field=field, limit=NAME_MAX)
        for name, field in ((request.ontology1, "ontology1"), (request.ontology2, "ontology2"))
    )
    floor = drafting.fraction(request.similarity_min, field="similarity_min") or 0.0
    if one == other:
        raise InvalidArgument(f"ontology1 and ontology2 are both «{one}»; a bridge joins two ontologies.")
    if not 1 <= request.limit <= LIST_MAX:
        raise InvalidArgument(f"limit must lie in 1..{LIST_MAX}, got {request.limit}.")
    return _Wish(names=(one, other), floor=floor, limit=request.limit, include_existing=request.include_existing)


def _left_out(found: Across) -> tuple[str, ...]:
    if found.searched >= found.total:
        return ()
    return (f"looked up from {found.searched} of the {found.total} nodes of {found.smaller}",)


def _near_misses(found: Across, missed: npt.NDArray[np.float64], floor: float) -> NearMisses:
    """Return for how many nodes of the smaller side nothing reaches the floor, and the best of what does not."""
    if not len(missed):
        return NearMisses(count=0, threshold=floor)
    reached = {one for one, _ in found.pairs[: len(found.pairs) - len(missed)]}
    return NearMisses(count=found.searched - len(reached), threshold=floor, best=round(float(missed[0]), 4))


def _words(node: Node) -> frozenset[str]:
    said = " ".join((node.title, *node.search_terms, node.content[:_READ_MAX]))
    return frozenset(term for term in text.terms(said) if len(term) > 1 and term not in text.STOP_WORDS)


def _candidate(pair: Pair, similarity: float, shelved: _Shelved, *, first: str) -> BridgeCandidate:
    one, other = (shelved.nodes[end] for end in pair)
    overlap, shared = _overlap(pair, shelved)
    named = shelved.mentioned[one.id] & shelved.mentioned[other.id]
    tags = jaccard(map(text.fold, one.tags), map(text.fold, other.tags))
    degree = max(shelved.degrees[end] for end in pair)
    support = _WORDS_WEIGHT * overlap + _MENTIONS_WEIGHT * bool(named) + _TAGS_WEIGHT * tags
    grounds = (
        f"similarity {similarity:.2f}",
        f"rare words in both: {', '.join(shared)}" if shared else "",
        f"both mention {len(named)} of the same nodes" if named else "",
        f"they share {tags:.0%} of their tags" if tags else "",
        f"damped: one end has {degree} relations" if degree >= _BUSY else "",
    )
    ends = (one, other) if one.ontology == first else (other, one)
    return BridgeCandidate(
        concept1=_end(ends[0]),
        concept2=_end(ends[1]),
        similarity=round(similarity, 4),
        score=round((similarity + support) / _damping(degree), 4),
        cognitive_leap=leap((similarity,)).level,
        has_existing_relation=frozenset(pair) in shelved.joined,
        grounds=tuple(filter(None, grounds)),
    )


def _overlap(pair: Pair, shelved: _Shelved) -> tuple[float, list[str]]:
    """Return the share (0..1) of the two nodes' words that both hold, rare ones counting more, and the rarest few."""
    one, other = (shelved.words[end] for end in pair)
    size = len(shelved.words)
    weight = {word: math.log1p(size / shelved.spread[word]) for word in one | other}
    both = sorted(one & other, key=lambda word: (-weight[word], word))
    whole = min(sum(map(weight.__getitem__, one)), sum(map(weight.__getitem__, other)))
    return (sum(map(weight.__getitem__, both)) / whole if whole else 0.0), both[:_SHOWN]


def _damping(degree: int) -> float:
    """Return what a pair's score is divided by where one end has ``degree`` relations: the form of the pair table's."""
    return 1.0 + 0.05 * math.log2(1.0 + degree / 5.0)


def _end(node: Node) -> BridgeEnd:
    return BridgeEnd(id=node.id, title=node.title, ontology=node.ontology)
