"""Where the nodes come from that a search ranks: meaning, words, names, and the graph around the best of these."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from weft.identity import meant
from weft.reason.context import bare_path, path_spellings
from weft.reason.late import closest_in_words, standing_out
from weft.reason.numbering import numbered, spellings
from weft.reason.rank import EXACT_FROM
from weft.reason.resemblance import resembling
from weft.reason.shared_names import shared
from weft.reason.spread import Tie, approaches, spread
from weft.services.naming import bearing
from weft.services.search.admitting import in_scope
from weft.services.search.candidates import Candidates
from weft.services.search.comparing import Comparing
from weft.services.search.keywords import covered, words_decide
from weft.services.search.sharing import Sharing
from weft.services.search.texts import COMPARED_MAX, LOOKED_INTO_MAX, Texts, is_text
from weft.text import fold, numbers, root, terms, without
from weft.vocabulary import TITLE_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.model import Node, WordHit
    from weft.ports import Embedder, Shelf, Store, Vectors, Words
    from weft.reason.rank import Ranked
    from weft.services.search.view import View

__all__ = ["DEPTHS", "Gathering", "depths"]

DEPTHS: Final = (30, 200, 1_000)
"""Candidates by meaning, and by words: up to the first of these that holds the page. Few steps, since the deviations
that candidates are weighed by, and with them the order, change a little from one to the next."""

NAMED_MAX: Final = 5

_PATH: Final = re.compile(r"\S*[/.]\S+")  # a file or an address, alone

ASIDE_MAX: Final = 4
"""Queries that are embedded at once, aside from the threads that ask."""

SEEDS: Final = 4
"""How many of the best candidates the graph is asked around (three to eight differ by half a point of recall)."""

DAMPING: Final = 0.5
ROUNDS: Final = 8  # over one step the shares settle to within a hundredth
LINKS_MAX: Final = 30  # relations, and mentions, read of one seed
SHARERS_MAX: Final = 10  # nodes on the same source, read of one seed
REACHED_MAX: Final = 12  # nodes that only the graph brings in
SHARING_MAX: Final = 6  # nodes that only a name brings in (measured: twelve and twenty do not differ)

LENDERS: Final = 10
"""How many of the best candidates speak for their neighbours in a session (measured: five to twenty do not differ)."""

BRINGING: Final = 5  # how many of them bring in neighbours that nothing else found
BESIDE: Final = 2  # how many places before and after it a node's neighbours stand

SPEAKING_FROM: Final = 300
"""Characters of a passage that is to speak for what is like it. Two turns of a chat, or two claims, are alike for a
word or two: with none too short, recall@10 of claims is 0.8 points less, and recall@5 of chat turns 0.9."""


class Gathering:
    """Asks every index for candidates, a bounded number each."""

    def __init__(self, *, store: Store, shelf: Shelf, words: Words, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._shelf = shelf
        self._words = words
        self._vectors = vectors
        self._embedder = embedder
        self._texts = Texts(words=words, vectors=vectors, embedder=embedder)
        self._comparing = Comparing(vectors)
        self._aside = ThreadPoolExecutor(ASIDE_MAX, thread_name_prefix="weft-query")

    def by_meaning(self, vector: npt.NDArray[np.float32], view: View, *, limit: int) -> Candidates:
        """Return the ``limit`` nodes nearest to ``vector``."""
        near = {each.node: each for each in self._vectors.nearest(vector, filter=view.filter, limit=limit)}
        return Candidates(near=near, cosines={each.node: each.cosine for each in near.values()})

    def by_all(self, query: str, view: View, *, limit: int) -> Candidates:
        """Return ``limit`` candidates by meaning and by words, those named, and what the graph holds around the best.

        A query that is itself a text is compared with texts; the past has no vectors to do so.
        """
        if is_text(query) and view.filter.as_of is None:
            return self._like(query, view, limit=limit)
        return self._answering(query, view, limit=limit)

    def _answering(self, query: str, view: View, *, limit: int) -> Candidates:
        """Return candidates for a question.

        Embedding the query is a long part and needs no lock of Python's: words are looked up meanwhile, and where it
        takes longer still, what shares a name with the best by words, since most of them are among the best of all.
        Comparing its vector there too would take longer: two threads that both need the lock wait for each other.
        """
        embedding = self._aside.submit(self._embedder.embed_words, [query])
        held = self._words.search(query, filter=view.filter, limit=limit)
        named = self._named(query, view)
        rarities = self._words.rarity([*map(root, terms(query))])
        sharing = Sharing(self._words, query, view)
        if not embedding.done():
            sharing.holders(each.node for each in held[:SEEDS])
        asked = embedding.result()[0]
        found = self.by_meaning(asked.vector, view, limit=limit)
        held = (*held, *self._held_too(query, held, found))
        found.held = {each.node: each for each in held}
        words = covered(query, held, rarities)
        found.shares, found.coverage = words.shares, words.together
        found.by_words = words_decide(query, held, together=bool(found.coverage))
        self._comparing.compare(asked, rarities, found)
        found.close = closest_in_words(found.late, found.measured)
        found.named = named
        self._complete(found, asked.vector, view)
        found.opening = self._openings(asked.vector, found, view)
        ranked = self._surround(found, sharing, view)
        self._complete(found, asked.vector, view)
        if ranked and not found.by_words:
            self._comparing.add(asked, found, ranked[0].id, view)
        return found

    def _held_too(self, query: str, held: Sequence[WordHit], found: Candidates) -> tuple[WordHit, ...]:
        """Return the words of what meaning alone found, which would else count as the least of those that words found.

        A number that any of ``held`` hold as it stands is in no other.
        """
        known, said = {hit.node for hit in held}, {term for hit in held for term in hit.terms}
        for number in said.intersection(numbers(query)):
            query = without(query, number)
        return self._words.held_in(query, [each for each in found.near.values() if each.node not in known])

    def _openings(self, vector: npt.NDArray[np.float32], found: Candidates, view: View) -> dict[str, float]:
        """Return how near to ``vector`` the texts open whose nearest passage is, or may be, a later one.

        Not in the past, which has no vectors.
        """
        opening = {each for each, hit in found.near.items() if hit.start == 0}
        inside = tuple(each for each in found.measured if each not in opening)
        if not inside or view.filter.as_of is not None:
            return {}
        opened = self._vectors.openings(replace(view.filter, within=inside), limit=len(inside), per_node=1)
        return dict(zip(opened.nodes, (opened.vectors @ vector).tolist(), strict=True)) if opened else {}

    def _like(self, query: str, view: View, *, limit: int) -> Candidates:
        """Return candidates for a text; which words tell it from others is found out while it is embedded."""
        embedding = self._aside.submit(self._texts.meaning, query)
        own = self._texts.bag(query)
        held = self._words.search(self._texts.telling(query, own), filter=view.filter, limit=limit)
        vector = embedding.result()
        found = self.by_meaning(vector, view, limit=limit)
        found.held = {each.node: each for each in held}
        found.named = self._named(query, view)
        self._complete(found, vector, view)
        found.holding = self._texts.holding(query, own, found.places(LOOKED_INTO_MAX), view)
        nearest = (*islice(found.near, COMPARED_MAX), *islice(found.held, COMPARED_MAX))
        others = [each for each in nearest if each not in found.holding]
        found.belonging = self._texts.belonging(own, vector, others, view)
        found.close = standing_out(found.belonging)
        self._surround(found, Sharing(self._words, query, view), view)
        self._complete(found, vector, view)
        return found

    def _named(self, query: str, view: View) -> dict[str, str]:
        """Return the nodes that ``query`` names, with what of them it names."""
        if len(query) > TITLE_MAX:
            return {}
        resolved = {node.id: node for node in bearing(self._store, meant(query), limit=NAMED_MAX)}
        return self._referring(query, view) | {each: _name(query, resolved[each]) for each in view.nodes(resolved)}

    def _referring(self, query: str, view: View) -> dict[str, str]:
        """Return the nodes that refer to the very file or address that ``query`` is; none where it is no such thing."""
        path = bare_path(query)
        if not _PATH.fullmatch(path):
            return {}
        near = view.nodes(self._shelf.by_reference(path_spellings(query), limit=NAMED_MAX))
        return {each: "reference" for each, node in near.items() if path in map(bare_path, node.references)}

    def _surround(self, found: Candidates, sharing: Sharing, view: View) -> Sequence[Ranked]:
        """Ask for what lies around the best candidates: in meaning, graph and sessions, and by the names they hold.

        Returned are those candidates that it was asked around, the best first.
        """
        leading, calibration = found.leading, self._embedder.calibration
        strangers = found.faint(leading, calibration) | found.astray(leading, calibration)
        ranked = found.weighed([each for each in leading if each not in strangers])
        self._liken(found, ranked)
        self._reach(found, ranked, view)
        self._accompany(found, ranked, view)
        self._share(found, ranked, sharing, view)
        return ranked

    def _liken(self, found: Candidates, ranked: Sequence[Ranked]) -> None:
        """Let the best candidates speak for those that are much like them, unless words or a whole text decide."""
        if found.by_words or found.belonging:
            return
        hits = found.hits
        best = {each.id: _odds(each.score) for each in ranked[:SEEDS]}
        speaking = {each for each in best if each in hits and hits[each].end - hits[each].start >= SPEAKING_FROM}
        if not speaking:
            return
        vectors = self._vectors.passages([hit.passage for hit in hits.values()])
        known = {each: vectors[hit.passage] for each, hit in hits.items() if hit.passage in vectors}
        found.resembling = resembling(best, speaking, known, self._embedder.calibration)

    def _share(self, found: Candidates, ranked: Sequence[Ranked], sharing: Sharing, view: View) -> None:
        """Ask for what holds the names in the best candidates' texts."""
        seeds = {each.id: _odds(each.score) for each in ranked[:SEEDS]}
        known = set(found.ids)
        given = shared(seeds, sharing.holders(seeds), known)
        fresh = sorted((each for each in given if each not in known), key=lambda each: (-given[each].weight, each))
        kept = known | view.admitted(fresh[:SHARING_MAX])
        found.sharing = {each: some for each, some in given.items() if each in kept}

    def _accompany(self, found: Candidates, ranked: Sequence[Ranked], view: View) -> None:
        """Let the best candidates speak for their neighbours in a session; which those were then is not kept."""
        if view.filter.as_of is not None or not ranked:
            return
        lenders = [each.id for each in ranked[:LENDERS]]
        beside = self._shelf.beside(lenders, reach=BESIDE)
        fresh = {other for lender in lenders[:BRINGING] for other in beside.get(lender, ())}.difference(found.ids)
        kept = view.admitted(fresh).union(found.ids)
        for lender in lenders:
            for other in kept.intersection(beside.get(lender, ())):
                found.company.setdefault(other, []).append(lender)

    def _reach(self, found: Candidates, ranked: Sequence[Ranked], view: View) -> None:
        """Let relevance spread from the best candidates over what ties them to others."""
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
        fresh = sorted((each for each in received if each not in known), key=lambda each: (-received[each], each))
        kept = known | view.admitted(fresh[:REACHED_MAX])
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
        """Compare with ``vector`` what else was found; the past has no vectors to read by id."""
        if view.filter.as_of is not None:
            return
        missing = [each for each in found.ids if each not in found.cosines]
        if missing:
            found.cosines |= self._vectors.cosines(vector, missing)


def depths(wanted: int) -> Iterator[tuple[int, int]]:
    """Yield, until ``wanted`` places are had, how many candidates to ask each side for and how many places to take."""
    for depth in DEPTHS:
        if wanted <= depth or depth == DEPTHS[-1]:
            yield depth, wanted
            return
        yield depth, depth


def _odds(score: float) -> float:
    """Return a weight that grows with ``score`` (0..1) as the fused standard deviations do: e^deviations."""
    share = min(score / EXACT_FROM, 0.99)
    return (share / (1.0 - share)) ** 2


def _name(query: str, node: Node) -> str:
    number = numbered(meant(query))
    written = {fold(each) for each in (query, *(spellings(number) if number else ()))}
    if fold(node.title) in written:
        return "title"
    return "id" if written.isdisjoint(map(fold, node.aliases)) else "alias"
