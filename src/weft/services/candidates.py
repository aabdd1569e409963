"""Where the nodes come from that a search ranks: meaning, words, names, and the graph around the best of these."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

from weft.reason.rank import Approach, Ranked, Signals, Tie, Weights, approaches, reasons, scores, spread
from weft.services.admitting import in_scope
from weft.text import STOP_WORDS, fold, terms
from weft.vocabulary import TITLE_MAX, UNRELATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.model import Calibration, Near, Node, WordHit
    from weft.ports import Embedder, Shelf, Store, Vectors, Words
    from weft.services.view import View

__all__ = ["Candidates", "Gathering"]

DEPTHS: Final = (30, 200, 1_000)
"""Candidates by meaning, and by words: the first of these that holds the page. Few steps, since the deviations that
candidates are weighed by, and with them the order, change a little from one to the next."""

NAMED_MAX: Final = 5

ASIDE_MAX: Final = 4
"""Queries that are embedded at once, aside from the threads that ask."""

SEEDS: Final = 5
"""How many of the best candidates the graph is asked around (measured: five and eight do not differ)."""

WEIGHTS: Final = Weights(meaning=0.6, words=0.4)
"""Of 0.5, 0.55, 0.6 and 0.65 for meaning the best on four sets (turns, two of two hops, abstracts), and 30 or 40
candidates of each side are better than 50 or 100: more of them only add noise to the deviations."""

LEADING: Final = 10
"""Candidates of each side that the best are chosen from."""

DAMPING: Final = 0.5
ROUNDS: Final = 8  # over one step the shares settle to within a hundredth
LINKS_MAX: Final = 30  # relations, and mentions, read of one seed
SHARERS_MAX: Final = 10  # nodes on the same source, read of one seed
REACHED_MAX: Final = 12  # nodes that only the graph brings in

_EXACT: Final = 0.9  # scores from here on are of nodes that the query names


@dataclass(slots=True, kw_only=True)
class Candidates:
    """What may answer a query, by node id: the nearest passages, the words held, and what the graph adds.

    ``named`` says what of a node the query names, ``received`` what the graph brings it (0..1), ``via`` how it is
    reached from one of the best; ``ahead`` is the order of the leading ones before the graph was asked.
    """

    cosines: dict[str, float] = field(default_factory=dict)
    near: dict[str, Near] = field(default_factory=dict)
    held: dict[str, WordHit] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    received: dict[str, float] = field(default_factory=dict)
    via: dict[str, Approach] = field(default_factory=dict)
    ahead: dict[str, int] = field(default_factory=dict)

    @property
    def ids(self) -> list[str]:
        """Every candidate once, in the order in which they were found."""
        return list(dict.fromkeys((*self.near, *self.held, *self.named, *self.received)))

    @property
    def leading(self) -> list[str]:
        """The candidates that may be among the very best: the first of each side."""
        return list(dict.fromkeys((*self.named, *islice(self.near, LEADING), *islice(self.held, LEADING))))

    def weighed(self, ids: Sequence[str]) -> tuple[Ranked, ...]:
        """Return these candidates in order, best first, weighed against each other; :meth:`why` says what for.

        What the graph lifts up to the best is level with it; then what was best without the graph comes first.
        """
        weighed = scores(
            ids,
            cosines=self.cosines,
            words={each: hit.score for each, hit in self.held.items()},
            graph=self.received,
            named=self.named,
            weights=WEIGHTS,
        )
        last = len(self.ahead)
        order = sorted(weighed, key=lambda each: (-weighed[each], self.ahead.get(each, last), each))
        return tuple(Ranked(id=each, score=weighed[each], why=()) for each in order)

    def why(self, id: str, calibration: Calibration) -> tuple[str, ...]:  # noqa: A002 - the field's word
        """Return what speaks for a candidate, in words."""
        cosine, held = self.cosines.get(id), self.held.get(id)
        signals = Signals(
            id=id,
            similarity=None if cosine is None else calibration.similarity(cosine),
            words=held.terms if held else (),
            exact=self.named.get(id, ""),
        )
        return reasons(signals)

    def faint(self, ids: Iterable[str], calibration: Calibration) -> set[str]:
        """Return those that only meaning speaks for, and that with a similarity under 0.50."""
        bar = calibration.cosine(UNRELATED)
        spoken_for = self.held.keys() | self.named.keys() | self.received.keys()
        return {each for each in ids if each not in spoken_for and self.cosines.get(each, 1.0) < bar}


class Gathering:
    """Asks every index for candidates, a bounded number each."""

    def __init__(self, *, store: Store, shelf: Shelf, words: Words, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._shelf = shelf
        self._words = words
        self._vectors = vectors
        self._embedder = embedder
        self._aside = ThreadPoolExecutor(ASIDE_MAX, thread_name_prefix="weft-query")

    def by_meaning(self, vector: npt.NDArray[np.float32], view: View, *, wanted: int) -> Candidates:
        """Return the nodes nearest to ``vector``."""
        limit = _depth(wanted)
        near = {each.node: each for each in self._vectors.nearest(vector, filter=view.filter, limit=limit)}
        return Candidates(near=near, cosines={each.node: each.cosine for each in near.values()})

    def by_all(self, query: str, view: View, *, wanted: int) -> Candidates:
        """Return candidates by meaning, words and name, and those that the graph holds around the best of them.

        Embedding the query is the longest part and needs no lock of Python's: words are looked up meanwhile.
        """
        embedding = self._aside.submit(self._embedder.embed, [query])
        held = self._words.search(query, filter=view.filter, limit=_depth(wanted))
        named = self._named(query, view)
        vector = embedding.result()[0]
        found = self.by_meaning(vector, view, wanted=wanted)
        found.held = _telling(query, held)
        found.named = named
        self._reach(found, view)
        self._complete(found, vector, view)
        return found

    def _named(self, query: str, view: View) -> dict[str, str]:
        """Return the nodes that ``query`` names, with what of them it names."""
        if len(query) > TITLE_MAX:
            return {}
        resolved = {node.id: node for node in self._store.resolve(query, limit=NAMED_MAX)}
        return {each: _name(query, resolved[each]) for each in view.nodes(resolved)}

    def _reach(self, found: Candidates, view: View) -> None:
        """Let relevance spread from the best candidates over what ties them to others."""
        leading = found.leading
        faint = found.faint(leading, self._embedder.calibration)
        ranked = found.weighed([each for each in leading if each not in faint])
        found.ahead = {each.id: place for place, each in enumerate(ranked)}
        best = {each.id: _odds(each.score) for each in ranked[:SEEDS]}
        ties = list(self._ties(list(best), view))
        tied = {end for tie in ties for end in tie[:2]}
        seeds = {seed: weight for seed, weight in best.items() if seed in tied}
        if not seeds:
            return
        # Seeds without ties keep what they have; what the others pass on is their share of the whole.
        share, whole = sum(seeds.values()) / sum(best.values()), sum(seeds.values())
        received = {
            each: share * (held - (1.0 - DAMPING) * seeds.get(each, 0.0) / whole)
            for each, held in spread(seeds, ties, damping=DAMPING, rounds=ROUNDS).items()
        }
        known = set(found.ids)
        fresh = sorted((each for each in received if each not in known), key=lambda each: -received[each])
        kept = known.union(view.nodes(fresh[:REACHED_MAX]))
        found.received = {each: value for each, value in received.items() if each in kept and value > 0.0}
        found.via = approaches(list(seeds), ties)

    def _ties(self, seeds: Sequence[str], view: View) -> Iterator[Tie]:
        for relation in self._store.relations(seeds, per_node=LINKS_MAX, as_of=view.filter.as_of) if seeds else ():
            if in_scope(relation.origin, view.filter.scope):
                yield Tie(relation.source, relation.target, max(relation.confidence, 0.1), relation.type)
        if view.filter.as_of is not None:
            return  # only relations are kept as they were
        for mention in self._shelf.mentions(seeds, per_node=LINKS_MAX):
            yield Tie(mention.node, mention.target, 1.0, "a mention")
        for seed, sharers in self._shelf.by_evidence(seeds, per_node=SHARERS_MAX).items():
            for other in sharers:
                yield Tie(seed, other, 1.0 / len(sharers), "the same source")

    def _complete(self, found: Candidates, vector: npt.NDArray[np.float32], view: View) -> None:
        """Compare with ``vector`` what words, names or the graph found; the past has no vectors to read by id."""
        if view.filter.as_of is not None:
            return
        missing = [each for each in found.ids if each not in found.cosines]
        found.cosines.update(_best_cosines(vector, self._vectors.of(missing) if missing else {}))


def _depth(wanted: int) -> int:
    return next((depth for depth in DEPTHS if wanted <= depth), DEPTHS[-1])


def _telling(query: str, hits: Sequence[WordHit]) -> dict[str, WordHit]:
    """Return the hits that hold more of the query than its small words, unless it has no others."""
    small = STOP_WORDS if not STOP_WORDS.issuperset(terms(query)) else frozenset()
    return {each.node: each for each in hits if not small.issuperset(each.terms)}


def _best_cosines(vector: npt.NDArray[np.float32], passages: Mapping[str, npt.NDArray[np.float32]]) -> dict[str, float]:
    return {key: float((rows @ vector).max()) for key, rows in passages.items() if len(rows)}


def _odds(score: float) -> float:
    """Return a weight that grows with ``score`` (0..1) as the fused standard deviations do: e^deviations."""
    share = min(score / _EXACT, 0.99)
    return (share / (1.0 - share)) ** 2


def _name(query: str, node: Node) -> str:
    folded = fold(query)
    if folded == fold(node.title):
        return "title"
    return "alias" if folded in map(fold, node.aliases) else "id"
