"""What a search has found before it is ranked, and what each find was found by."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.reason.rank import Findings, Ranked, Weights, fuse
from weft.reason.why import reasons
from weft.vocabulary import UNRELATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.model import Calibration, Near, WordHit
    from weft.reason.resemblance import Resembling
    from weft.reason.shared_names import Shared
    from weft.reason.spread import Approach

__all__ = ["Adding", "Candidates"]

WEIGHTS: Final = Weights(
    meaning=0.55, words=0.45, late=0.3, belonging=0.5, resembling=2.0, graph=5.0, names=4.0, company=0.7
)
"""Chosen on one half of the questions of seven public sets, together. More for meaning favours questions of several
hops and claims, more for words favours chat. 30 candidates of each side are better than 50 or 100: more of them only
add noise to the deviations. A weight that follows how much the words' scores differ won nothing that could be told
from chance, and neither did a second round for meaning with the best passages' vectors, nor a step further through the
graph. Names win a point of recall at weights from 3 to 6, and words compared one by one a point and more at shares from
0.3 to 0.45: of each the most, or the least, at which no set of more than fifty questions falls behind what it had."""

BY_WORDS: Final = replace(WEIGHTS, meaning=0.2, words=0.8, coverage=2.0)
"""What keywords are weighed by (:func:`weft.services.search.keywords.words_decide`).

Of two words that few nodes hold together nothing is common that a text might do without, so what it lacks counts for
much more. Of documents asked for by two words that at most four hold each 93 to 94 % are the first so (three sets, the
rows that choices are made on).
"""

OPENING: Final = 0.4
"""The share of how near the opening of a text is, which says what it is about, beside that of its best passage.

A long text has a near passage for most questions. With 0.3 and 0.5 the mean reciprocal rank of what people ask of
documents differs by 0.6 at most (``bench/quality/asked.jsonl``, three sets, the rows that choices are made on).
"""

BEARING: Final = 0.3
"""The similarity, or the share of a question's words by how rare they are, from which on a candidate bears on it.

Below it the graph is not asked around it, nor its names looked up: «people abroad get rejected wrongly» had led, by the
one word «people», to minutes, and by the names in these to five notes more. Of seven public sets none loses a place by
0.3; at 0.35 and 0.4 one of two hops loses 2 points of recall@5 (``bench/quality --half choose``).
"""

LEADING: Final = 10
"""Candidates of each side that the best are chosen from."""


class Adding(NamedTuple):
    """How much of a query a node adds ``to`` one of the best, in deviations (:func:`weft.reason.late.added`)."""

    weight: float
    to: str


@dataclass(slots=True, kw_only=True)
class Candidates:
    """What may answer a query, by node id: the nearest passages, the words held, and what the graph adds.

    ``opening`` is how near (−1..1) a text opens whose nearest passage is, or may be, a later one.
    ``shares`` are what share of its words (0..1) one holds, by how rare they are, of a question, ``coverage`` is how
    rare the words of it are that one holds, summed, where a few hold all, and ``by_words`` says
    whether words decide, as they do of keywords. ``late`` is how well the passage of one that meaning or words found
    answers the query word by word (−1..1), and ``close`` are those that stand out by it. ``answered`` is how near the
    passage comes to each word of the query, and ``rarities`` what each of these weighs. ``belonging`` is how far the
    nearest belong with a query that is itself a text; it decides there, and those that stand out by it are ``close``.
    ``holding`` is how much of that text the rest of them hold in one place (0..1). ``named`` says what of a node the
    query names, ``resembling`` which of the best it is like, ``received`` what the graph brings it (0..1), ``via`` how
    it is reached from one of the best, ``sharing`` what name it holds that stands in one of the best, ``adding`` how
    much more of the query it answers beside the one that leads to it so (deviations), and ``company`` which of the best
    stand beside it in a session, the best first.
    """

    cosines: dict[str, float] = field(default_factory=dict)
    opening: dict[str, float] = field(default_factory=dict)
    near: dict[str, Near] = field(default_factory=dict)
    held: dict[str, WordHit] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)
    coverage: Mapping[str, float] = field(default_factory=dict)
    by_words: bool = False
    late: dict[str, float] = field(default_factory=dict)
    answered: dict[str, npt.NDArray[np.float32]] = field(default_factory=dict)
    rarities: Sequence[float] = ()
    close: frozenset[str] = frozenset()
    belonging: dict[str, float] = field(default_factory=dict)
    holding: dict[str, float] = field(default_factory=dict)
    resembling: dict[str, Resembling] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    received: dict[str, float] = field(default_factory=dict)
    via: dict[str, Approach] = field(default_factory=dict)
    sharing: dict[str, Shared] = field(default_factory=dict)
    adding: dict[str, Adding] = field(default_factory=dict)
    company: dict[str, list[str]] = field(default_factory=dict)

    @property
    def ids(self) -> list[str]:
        """Every candidate once, in the order in which they were found."""
        brought = (*self.received, *self.company, *self.sharing)
        return list(dict.fromkeys((*self.near, *self.held, *self.named, *brought)))

    @property
    def measured(self) -> tuple[str, ...]:
        """Those that were found for themselves, by meaning or words."""
        return tuple(dict.fromkeys((*self.near, *self.held)))

    @property
    def hits(self) -> dict[str, Near | WordHit]:
        """Where those were found: the nearest passage of each, or that which holds most words."""
        return {**self.held, **self.near}

    @property
    def meant(self) -> dict[str, float]:
        """How near each is by its best passage, and where that stands further down, by how its text opens too."""
        return self.cosines | {
            each: (1.0 - OPENING) * self.cosines[each] + OPENING * opening
            for each, opening in self.opening.items()
            if each in self.cosines
        }

    @property
    def worded(self) -> dict[str, float]:
        """BM25 scores of those that hold words of the query, and where words decide 0 of all others."""
        scores = {each: hit.score for each, hit in self.held.items()}
        return dict.fromkeys(self.near, 0.0) | scores if self.by_words else scores

    @property
    def leading(self) -> list[str]:
        """The candidates that may be among the very best: the first of each side."""
        return list(dict.fromkeys((*self.named, *islice(self.near, LEADING), *islice(self.held, LEADING))))

    @property
    def led(self) -> dict[str, list[str]]:
        """What the graph or a name leads to, each with which of the best lead there."""
        found = {each: [self.via[each].seed] for each in self.received if each in self.via}
        for each, some in self.sharing.items():
            found.setdefault(each, []).append(some.seed)
        return found

    def places(self, most: int) -> dict[str, tuple[int, int]]:
        """Return where the best passages stand of the first ``most`` by words and by meaning, by node id."""
        near = {hit.node: (hit.start, hit.end) for hit in islice(self.near.values(), most)}
        return near | {hit.node: (hit.start, hit.end) for hit in islice(self.held.values(), most)}

    def weighed(self, ids: Sequence[str]) -> tuple[Ranked, ...]:
        """Return these candidates in order, best first; :meth:`why` says what for."""
        findings = Findings(
            cosines=self.meant,
            words=self.worded,
            late=self.late,
            belonging=self.belonging,
            holding=self.holding,
            coverage=self.coverage,
            resembling={each: some.weight for each, some in self.resembling.items()},
            graph=self.received,
            names={each: found.weight for each, found in self.sharing.items()},
            adding={each: some.weight for each, some in self.adding.items()},
            company=self.company,
            named=self.named,
            measured=self.measured,
        )
        return fuse(ids, findings, BY_WORDS if self.by_words else WEIGHTS)

    def why(
        self,
        id: str,  # noqa: A002 - the field's word
        calibration: Calibration,
        words: Sequence[str],
    ) -> tuple[str, ...]:
        """Return what speaks for a candidate, in words; ``words`` are those that it holds, as they are told."""
        cosine = self.cosines.get(id)
        return reasons(
            similarity=None if cosine is None else calibration.similarity(cosine),
            words=words,
            exact=self.named.get(id, ""),
            closest=("as a whole" if self.belonging else "word by word") if id in self.close else "",
            holding=self.holding.get(id, 0.0),
        )

    def faint(self, ids: Iterable[str], calibration: Calibration) -> set[str]:
        """Return those that only meaning speaks for, and that with a similarity under 0.50."""
        return self.unasked(ids, calibration) - self.received.keys() - self.company.keys() - self.sharing.keys()

    def astray(self, ids: Iterable[str], calibration: Calibration) -> set[str]:
        """Return those that a question hardly leads to, by meaning or words; none where it is itself a text.

        Whatever these lead to in turn is there by chance.
        """
        bar = calibration.cosine(BEARING)
        doubted = [each for each in ids if each not in self.named and self.cosines.get(each, 1.0) < bar]
        return {each for each in doubted if self.shares.get(each, 0.0) < BEARING} if self.shares else set()

    def brings(self, id: str, other: str) -> bool:  # noqa: A002 - the field's word
        """Return whether ``other`` is shown for standing beside ``id``, and not for having taken its place."""
        approach = self.via.get(other)
        if approach and approach.label == "supersedes":
            return False
        seeds = {each.seed for each in (approach, self.sharing.get(other)) if each}
        return id in seeds.union(self.company.get(other, ())[:1])

    def unasked(self, ids: Iterable[str], calibration: Calibration) -> set[str]:
        """Return those that the query does not lead to, by a word, a name or a similarity of 0.50: others may."""
        bar = calibration.cosine(UNRELATED)
        asked = self.held.keys() | self.named.keys()
        return {each for each in ids if each not in asked and self.cosines.get(each, 1.0) < bar}
