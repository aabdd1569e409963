"""Which nodes of two ontologies belong together: near ones and those that share rare words, ranked; never all pairs."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from weft import text
from weft.errors import InvalidArgument, NotFound
from weft.model import BridgeCandidate, BridgeEnd, Bridges, Filter, NearMisses, Page
from weft.reason.affinity import Signs, joined, overlap, overlaps, shared
from weft.reason.compare import jaccard, leap
from weft.services import drafting
from weft.services.bags import worded
from weft.services.nearness import mean
from weft.services.relating import between
from weft.services.search.spelling import ontology_named
from weft.services.synthesis.across import OPENING, across
from weft.vocabulary import LIST_MAX, NAME_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from weft.model import BridgeRequest, Calibration, Call, Node, Relation, Scope
    from weft.ports import Shelf, Store, Vectors, Words
    from weft.services.bags import Worded
    from weft.services.synthesis.across import Across

    Rows = npt.NDArray[np.float32]

__all__ = ["Bridging"]

_READ_NODES: Final = 1_000
"""Nodes whose words are read: all of two small ontologies, of larger ones the ends of the nearest pairs."""

_READ_CHARACTERS: Final = 1_000_000  # of all of them together: a quarter of a second

_BY_WORDS: Final = 2_000  # pairs that share rare words, whatever their likeness

_SHORTLIST_MIN: Final = 100
_SHORTLISTS_MAX: Final = 10
"""How many lists are ranked: the first is full of pairs that are related already where much was bridged before."""

_MENTIONS_READ: Final = 20
_DEGREE_READ: Final = 60
_SHOWN: Final = 4
_SPELLED_IN: Final = 2_000  # characters of a text that the spelling of a shared word is looked for in at a time
_SPELLED_MAX: Final = 20_000  # characters of a text of which words are counted
_BUSY: Final = 5  # relations of an end from which the damping is worth telling

# What else speaks for a pair, at most so much of a point each.
_SAME_MENTIONS_WEIGHT: Final = 0.03
_TAGS_WEIGHT: Final = 0.05

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shelved:
    """What the ranking reads of a shortlist of pairs, once for all of them."""

    vectors: dict[str, Rows]
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
    scope: Scope

    @property
    def first(self) -> str:
        return self.names[0]


class Bridging:
    """Looks for bridges between two ontologies."""

    def __init__(self, *, store: Store, shelf: Shelf, words: Words, vectors: Vectors, calibration: Calibration) -> None:
        self._store = store
        self._shelf = shelf
        self._words = words
        self._vectors = vectors
        self._calibration = calibration

    def bridge(self, request: BridgeRequest, call: Call) -> Bridges:
        """Return the pairs that most likely belong together, best first.

        Every node of the smaller ontology is looked up among those of the other, or the newest 500 where an ontology
        holds more than 25,000; ``searched`` and ``total`` say so. The score says how far two texts use the same rare
        words, mean the same and name one another (:func:`weft.reason.affinity.joined`; 0 to about 1.4), raised a little
        by what both mention and by shared tags, and damped for ends with many relations. Among small ontologies every
        pair is scored, among larger ones the nearest and those of the ends of these that share rare words.

        Pairs that are related already are left out, or flagged where ``include_existing`` is set; mentions are no
        relations. The nodes of the smaller ontology for which nothing reaches ``similarity_min`` are counted as near
        misses, and the best pair below it is told; None ranks without a floor.

        Raises:
            InvalidArgument: both names are the same ontology, or a value is out of bounds.
            NotFound: an ontology holds no node.
        """
        wish = _checked(request, self._shelf)
        sizes = {name: self._size(Filter(ontologies=(name,), scope=wish.scope), name) for name in wish.names}
        found = across(self._store, self._vectors, sizes, call, scope=wish.scope)
        similarities = self._similarities(found)
        passing = int(np.count_nonzero(similarities >= wish.floor))  # nearest first, and the map is monotone
        candidates = self._ranked(found, passing, wish)
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

    def _ranked(self, found: Across, passing: int, wish: _Wish) -> list[BridgeCandidate]:
        """Return the candidates, best first: of more pairs where too few are left to offer."""
        ids = list(dict.fromkeys(islice((end for pair in found.pairs[:passing] for end in pair), 50 * _READ_NODES)))
        read = worded(self._store, self._words, ids[:_READ_NODES], characters_max=_READ_CHARACTERS)
        pairs = _shortlist(found, passing, read, by_words=wish.floor <= 0.0)
        window = max(_SHORTLIST_MIN, 5 * wish.limit)
        kept: list[BridgeCandidate] = []
        for start in range(0, min(len(pairs), _SHORTLISTS_MAX * window), window):
            shelved = self._shelve(pairs[start : start + window])
            kept += (self._candidate(pair, read, shelved, wish.first) for pair in pairs[start : start + window])
            kept = [each for each in kept if wish.include_existing or not each.has_existing_relation]
            if len(kept) >= wish.limit:
                break
        best = sorted(kept, key=lambda each: (-each.score, each.concept1.id, each.concept2.id))[: wish.limit]
        return [replace(each, grounds=(each.grounds[0], *_rare(each, read), *each.grounds[1:])) for each in best]

    def _shelve(self, pairs: Sequence[Pair]) -> _Shelved:
        ids = list(dict.fromkeys(end for pair in pairs for end in pair))
        mentioned: dict[str, set[str]] = {id_: set() for id_ in ids}
        for mention in self._shelf.mentions(ids, per_node=_MENTIONS_READ):
            mentioned.setdefault(mention.node, set()).add(mention.target)
        relations = self._store.relations(ids, per_node=_DEGREE_READ)
        degrees = Counter(end for relation in relations for end in (relation.source, relation.target))
        return _Shelved(
            vectors=self._vectors.of(ids),
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

    def _candidate(self, pair: Pair, read: Worded, shelved: _Shelved, first: str) -> BridgeCandidate:
        one, other = (read.nodes[end] for end in pair)
        similarity = self._calibration.similarity(_nearest(pair, shelved.vectors))
        degree = max(shelved.degrees[end] for end in pair)
        signs = _signs(pair, read, shelved)
        same = shelved.mentioned[one.id] & shelved.mentioned[other.id]
        tags = jaccard(map(text.fold, one.tags), map(text.fold, other.tags))
        support = _SAME_MENTIONS_WEIGHT * bool(same) + _TAGS_WEIGHT * tags
        ends = (one, other) if one.ontology == first else (other, one)
        return BridgeCandidate(
            concept1=_end(ends[0]),
            concept2=_end(ends[1]),
            similarity=round(similarity, 4),
            score=round((joined(signs) + support) / _damping(degree), 4),
            cognitive_leap=leap((similarity,)).level,
            has_existing_relation=frozenset(pair) in shelved.joined,
            grounds=(f"similarity {similarity:.2f}", *_grounds(signs, len(same), tags, degree)),
        )


def _checked(request: BridgeRequest, shelf: Shelf) -> _Wish:
    one, other = (
        ontology_named(shelf, drafting.line(name, field=field, limit=NAME_MAX), field=field)
        for name, field in ((request.ontology1, "ontology1"), (request.ontology2, "ontology2"))
    )
    floor = drafting.fraction(request.similarity_min, field="similarity_min") or 0.0
    if one == other:
        raise InvalidArgument(f"ontology1 and ontology2 are both «{one}»; a bridge joins two ontologies.")
    drafting.refuse_outside(request.limit, 1, LIST_MAX, field="limit")
    return _Wish(
        names=(one, other),
        floor=floor,
        limit=request.limit,
        include_existing=request.include_existing,
        scope=drafting.scope_named(request.scope),
    )


def _left_out(found: Across) -> tuple[str, ...]:
    if found.searched >= found.total:
        return ()
    return (f"looked up from {found.searched} of the {found.total} nodes of {found.smaller}",)


def _near_misses(found: Across, missed: npt.NDArray[np.float64], floor: float) -> NearMisses:
    """Return for how many nodes of the smaller side nothing reaches the floor, and the best of what does not."""
    if not len(missed):
        return NearMisses(count=0, threshold=floor)
    reached = {one for one, _ in found.pairs[: len(found.pairs) - len(missed)]}
    return NearMisses(count=found.searched - len(reached), threshold=floor, best=float(missed[0]))


# ---- which pairs


def _shortlist(found: Across, passing: int, read: Worded, *, by_words: bool) -> list[Pair]:
    """Return the pairs of nodes that were read, likeliest first by likeness and words.

    ``by_words`` adds those that share rare words though no passage of the one lies near the other.
    """
    near = {
        pair: float(cosine)
        for pair, cosine in zip(found.pairs[:passing], found.cosines.tolist(), strict=False)
        if pair[0] in read.nodes and pair[1] in read.nodes
    }
    if not near:
        return []
    ones, others = (list(dict.fromkeys(pair[side] for pair in near)) for side in (0, 1))
    words = overlaps([read.bags[one] for one in ones], [read.bags[other] for other in others])
    rows, columns = ({id_: place for place, id_ in enumerate(ids)} for ids in (ones, others))
    said = {pair: float(words[rows[pair[0]], columns[pair[1]]]) for pair in near}
    if by_words:
        best = _top(words, _BY_WORDS)
        said |= {(ones[at], others[column]): float(words[at, column]) for at, column in best}
    least = min(near.values())
    scores = {pair: joined(Signs(words=each, meaning=near.get(pair, least))) for pair, each in said.items()}
    return sorted(scores, key=lambda pair: (-scores[pair], pair))


def _top(words: Rows, most: int) -> Iterator[tuple[int, int]]:
    flat = words.ravel()
    best = np.argpartition(flat, -most)[-most:] if most < len(flat) else np.arange(len(flat))
    for place in best[flat[best] > 0.0].tolist():
        yield divmod(place, words.shape[1])


# ---- what speaks for one


def _signs(pair: Pair, read: Worded, shelved: _Shelved) -> Signs:
    one, other = pair
    means = [mean(shelved.vectors[end]) for end in pair if len(shelved.vectors.get(end, ()))]
    return Signs(
        words=overlap(read.bags[one], read.bags[other]),
        meaning=float(means[0] @ means[1]) if len(means) == len(pair) else 0.0,
        names=other in shelved.mentioned[one],
        named=one in shelved.mentioned[other],
    )


def _nearest(pair: Pair, vectors: dict[str, Rows]) -> float:
    """Return the cosine of the two opening passages that lie nearest."""
    one, other = (vectors.get(end, np.empty((0, 0), np.float32))[:OPENING] for end in pair)
    return float(np.max(one @ other.T)) if len(one) and len(other) else 0.0


def _grounds(signs: Signs, same: int, tags: float, degree: int) -> tuple[str, ...]:
    said = (
        "one names the other" if signs.names or signs.named else "",
        f"both mention {same} of the same nodes" if same else "",
        f"they share {tags:.0%} of their tags" if tags else "",
        f"damped: one end has {degree} relations" if degree >= _BUSY else "",
    )
    return tuple(filter(None, said))


def _rare(candidate: BridgeCandidate, read: Worded) -> tuple[str, ...]:
    """Return the rarest words that both ends hold, as the first spells them."""
    one, other = candidate.concept1.id, candidate.concept2.id
    rare = shared(read.bags[one], read.bags[other], _SHOWN)
    node = read.nodes[one]
    spelled: dict[str, str] = {}
    start, wanted = 0, set(rare)
    while wanted and start < min(len(node.content) + 1, _SPELLED_MAX):  # nearly always the first part is enough
        opening = "" if start else f"{node.title}\n"
        for term in text.terms(f"{opening}{node.content[start : start + _SPELLED_IN]}"):
            spelled.setdefault(text.root(term), term)
        wanted -= spelled.keys()
        start += _SPELLED_IN
    return (f"rare words in both: {', '.join(spelled.get(word, word) for word in rare)}",) if rare else ()


def _damping(degree: int) -> float:
    """Return what a pair's score is divided by where one end has ``degree`` relations: the form of the pair table's."""
    return 1.0 + 0.05 * math.log2(1.0 + degree / 5.0)


def _end(node: Node) -> BridgeEnd:
    return BridgeEnd(id=node.id, title=node.title, ontology=node.ontology)
