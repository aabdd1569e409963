"""Which nodes of two ontologies belong together: neighbours of the smaller side, ranked; never all pairs."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft import text
from weft.errors import InvalidArgument, NotFound
from weft.model import BridgeCandidate, BridgeEnd, Bridges, Filter, NearMisses, Page
from weft.reason.compare import jaccard, leap
from weft.services import drafting
from weft.vocabulary import LIST_MAX, NAME_MAX

if TYPE_CHECKING:
    from weft.model import BridgeRequest, Calibration, Call, Node
    from weft.ports import Shelf, Store, Vectors

__all__ = ["PROBES_MAX", "Bridging"]

PROBES_MAX: Final = 500
"""How many nodes of the smaller ontology are looked up, newest first."""

_PAGE: Final = 100
_PASSAGES_MAX: Final = 2  # of a probe
_NEAREST: Final = 5  # nodes of the other ontology that are taken for each passage
_SHORTLIST_MIN: Final = 50
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
class _Probed:
    """The pairs that were found, (probe, neighbour) → cosine; ``probes`` of ``total`` nodes were looked up."""

    pairs: dict[Pair, float]
    probes: int
    total: int
    smaller: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shelved:
    """What the ranking reads of a shortlist of pairs, once for all of them."""

    nodes: dict[str, Node]
    words: dict[str, frozenset[str]]
    spread: Counter[str]
    mentioned: dict[str, frozenset[str]]
    degrees: Counter[str]
    joined: frozenset[frozenset[str]]


class Bridging:
    """Looks for bridges between two ontologies."""

    def __init__(self, *, store: Store, shelf: Shelf, vectors: Vectors, calibration: Calibration) -> None:
        self._store = store
        self._shelf = shelf
        self._vectors = vectors
        self._calibration = calibration

    def bridge(self, request: BridgeRequest, call: Call) -> Bridges:
        """Return the pairs that most likely belong together, best first.

        At most ``PROBES_MAX`` nodes of the smaller ontology are looked up among those of the other; where that is not
        all of them, each candidate's grounds say so. The score is the calibrated similarity, raised by rare words that
        both hold, by what both mention and by shared tags, and damped for ends with many relations. Pairs that are
        related already are left out, or flagged where ``include_existing`` is set. Pairs under ``similarity_min`` are
        counted as near misses; None ranks without a floor.

        Raises:
            InvalidArgument: both names are the same ontology, or a value is out of bounds.
            NotFound: an ontology holds no node.
        """
        names = tuple(
            drafting.line(name, field=field, limit=NAME_MAX)
            for name, field in ((request.ontology1, "ontology1"), (request.ontology2, "ontology2"))
        )
        floor = drafting.fraction(request.similarity_min, field="similarity_min") or 0.0
        if names[0] == names[1]:
            raise InvalidArgument(f"ontology1 and ontology2 are both «{names[0]}»; a bridge joins two ontologies.")
        if not 1 <= request.limit <= LIST_MAX:
            raise InvalidArgument(f"limit must lie in 1..{LIST_MAX}, got {request.limit}.")
        probed = self._probe(names, call)
        ranked = sorted(probed.pairs, key=lambda pair: (-probed.pairs[pair], pair))
        shelved = self._shelve(ranked[: max(_SHORTLIST_MIN, 5 * request.limit)])
        candidates: list[BridgeCandidate] = []
        missed: list[float] = []
        for pair in ranked:
            similarity = self._calibration.similarity(probed.pairs[pair])
            if similarity < floor:
                missed.append(similarity)
            elif pair[0] in shelved.nodes and pair[1] in shelved.nodes:
                candidates.append(_candidate(pair, similarity, shelved, probed, first=names[0]))
        kept = [each for each in candidates if request.include_existing or not each.has_existing_relation]
        kept.sort(key=lambda each: (-each.score, each.concept1.id, each.concept2.id))
        best = round(max(missed), 4) if missed else None
        return Bridges(
            candidates=tuple(kept[: request.limit]),
            near_misses=NearMisses(count=len(missed), threshold=floor, best=best),
        )

    def _probe(self, names: tuple[str, ...], call: Call) -> _Probed:
        sizes = {name: self._size(name) for name in names}
        smaller, larger = sorted(names, key=lambda name: sizes[name])
        most = min(sizes[smaller], PROBES_MAX)
        pairs: dict[Pair, float] = {}
        done = 0
        while done < most:
            page = Page(limit=min(_PAGE, most - done), offset=done)
            nodes = self._store.find(Filter(ontologies=(smaller,)), page).nodes
            if not nodes:
                break
            for node, rows in self._vectors.of([each.id for each in nodes]).items():
                for row in rows[:_PASSAGES_MAX]:
                    for near in self._vectors.nearest(row, filter=Filter(ontologies=(larger,)), limit=_NEAREST):
                        pairs[node, near.node] = max(near.cosine, pairs.get((node, near.node), -1.0))
            done += len(nodes)
            if call.progress is not None:
                call.progress(done, most, f"looked up {done} of {most} nodes of {smaller}")
        return _Probed(pairs=pairs, probes=done, total=sizes[smaller], smaller=smaller)

    def _size(self, name: str) -> int:
        total = self._store.find(Filter(ontologies=(name,)), Page(limit=1)).total
        if not total:
            known = ", ".join(sorted(self._store.counts().nodes_by_ontology)[:LIST_MAX]) or "none yet"
            raise NotFound(f"ontology «{name}» holds no node. There are: {known}.")
        return total

    def _shelve(self, pairs: list[Pair]) -> _Shelved:
        ids = list(dict.fromkeys(end for pair in pairs for end in pair))
        nodes = {id_: node for id_, node in self._store.nodes(ids).items() if node.retired is None}
        words = {id_: _words(node) for id_, node in nodes.items()}
        mentioned: dict[str, set[str]] = {id_: set() for id_ in ids}
        for mention in self._shelf.mentions(ids, per_node=_MENTIONS_READ):
            mentioned.setdefault(mention.node, set()).add(mention.target)
        relations = self._store.relations(ids, per_node=_DEGREE_READ)
        return _Shelved(
            nodes=nodes,
            words=words,
            spread=Counter(word for held in words.values() for word in held),
            mentioned={id_: frozenset(targets) for id_, targets in mentioned.items()},
            degrees=Counter(end for relation in relations for end in (relation.source, relation.target)),
            joined=frozenset(frozenset((relation.source, relation.target)) for relation in relations),
        )


def _words(node: Node) -> frozenset[str]:
    said = " ".join((node.title, *node.search_terms, node.content[:_READ_MAX]))
    return frozenset(term for term in text.terms(said) if len(term) > 1 and term not in text.STOP_WORDS)


def _candidate(pair: Pair, similarity: float, shelved: _Shelved, probed: _Probed, *, first: str) -> BridgeCandidate:
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
        f"looked up from {probed.probes} of the {probed.total} nodes of {probed.smaller}"
        if probed.probes < probed.total
        else "",
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
