"""Full text over FTS5, at a cost that does not follow from how common the words of a query are.

FTS5 spends about 0.7 µs on each posting it ranks and 0.08 µs on one it only passes. So the rarest words, up to 5,000
postings, are ranked by BM25; the next ones, up to 20,000, only tell whether the best of these passages hold them (see
:class:`weft.store.question.Question`). Measured on 100,000 texts and 600 questions of five public sets: 4.6 ms and
recall@10 .676, where BM25 over all words takes 94 ms for .677, and over the rarest words alone 3.1 ms for .626.

Where even the rarest word of a query is common, what is looked at are the newest passages that hold its rarest words
together, those first whose title does.
"""

from __future__ import annotations

import json
import math
from itertools import chain
from typing import TYPE_CHECKING

from weft.model import WordHit
from weft.store.asking import joined, questions
from weft.store.hits import Place, Pool, nodes_of
from weft.store.postings import CHUNK, LOOKED_MAX, Postings, roots_of
from weft.store.question import PASSED_MAX, Match, Question, Term, by_root, rarity, telling
from weft.text import compounds, date, dates, function_words, indexed, numbers, root, roots, terms, without, worded
from weft.text.names import named_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from weft.model import Filter, Near
    from weft.store.engine import Database

__all__ = ["SqlWords"]

_TOGETHER_MAX = 100_000
_LOOKED_UP_MAX = 50_000

# A word in a title, an alias, a search term or a tag counts as two in the text: recall@10 .675, .677, .680 and .630 at
# weights 1, 2, 3 and 5 on the sets above; two is the least of the flat part.
_NAME_WEIGHT = 2.0
_WORDS_MAX = 64
_NUMBERS_MAX = 4
_NUMBER_HOLDERS_MAX = 50

# A number counts as two words that are as rare. Of documents asked for by a number that no other holds, among four
# words that a fifth of them hold, 90 % are the first so and 69 % with numbers of three digits as words (two sets,
# samples).
_NUMBER_WEIGHT = 2.4
_POOL_MIN = 64
_POOL_A_HIT = 2
_KEYWORDS_MAX = 5  # words, up to which nodes are found that hold them in different passages
_KEYWORDS_MAX = 5  # words of which other passages of the best nodes are asked as well
_HOLDERS_MAX = 500
_FILLING_MAX = 6
_READ_MAX = 64
_ALIKE_MAX = 256
_SHARERS_MAX = 50
_NAMESAKES_MAX = 30


class SqlWords:
    """The :class:`weft.ports.Words` of a graph in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._postings = Postings(database)

    def search(self, query: str, *, filter: Filter, limit: int) -> tuple[WordHit, ...]:  # noqa: A002 - the field's word
        """Return nodes that hold words of ``query``, best first; any text at all is a valid query.

        A node's score is its best passage's, BM25 over the rarest words and what commoner ones add, and something for
        words that only other passages hold. Words count by their roots, and stop words only where there are no others.
        Of a query longer than 64 different words the rarest 64 count. What is no English is asked by the stems of other
        languages too (:func:`weft.store.asking.questions`), and what answers several of these questions has the sum of
        its scores. A number that names something (a day, a port) is asked for as it stands, where few texts hold it so.
        """
        if limit < 1:
            return ()
        named = {number: self._named(number, filter) for number in numbers(query)[:_NUMBERS_MAX]}
        for number in (each for each, hits in named.items() if hits):
            query = without(query, number)
        asked = (self._found(each, filter, limit) for each in self._questions(query))
        return _together(chain(*named.values(), *asked))[:limit]

    def held_in(self, query: str, near: Sequence[Near]) -> tuple[WordHit, ...]:
        """Return which words of ``query`` the passages of ``near`` hold, best first; those that hold none are left out.

        Words count as in :meth:`search`, but numbers as any words, and each as BM25 has one that is held once or twice.
        """
        places = {each.passage: (each.passage, each.node, each.start, each.end) for each in near}
        return _together(hit for asked in self._questions(query) for hit in self._holding_any(asked, places))

    def _holding_any(self, asked: Question, places: Mapping[int, Place]) -> tuple[WordHit, ...]:
        pool = Pool(())
        pool.take(places, {}, 0.0)
        return self._hits(asked, pool, len(places))

    def _found(self, asked: Question, filter: Filter, limit: int) -> tuple[WordHit, ...]:  # noqa: A002
        """Return nodes that hold words of a question, best first."""
        if not asked.known:
            return ()
        few = None if filter.is_open else self._postings.few(filter)
        if few is not None:
            return self._hits(asked, self._ranked_among(asked, few), limit)
        if asked.known[0].count <= asked.ranked_max:
            pool = self._ranked(asked, filter, limit)
        else:
            pool = self._newest_together(asked, filter, limit)
        if filter.as_of is None and len(asked.known) <= _KEYWORDS_MAX:
            pool.join(self._postings.apart(asked, filter))
        return self._hits(asked, pool, limit)

    def _named(self, number: str, filter: Filter) -> tuple[WordHit, ...]:  # noqa: A002
        """Return nodes that hold ``number`` as it stands; none where that is many."""
        day = date(number)
        wanted = (day,) if day else terms(number)
        asked = self._asked(wanted)
        if asked.unknown or not asked.known:
            return ()
        match = Match.in_order(asked.known, map(root, wanted))
        places = self._postings.newest(match, asked.floor(asked.known[0], _TOGETHER_MAX), filter, _NUMBER_HOLDERS_MAX)
        newest = {place[1]: place for place in reversed(places.values())}
        if len(newest) >= _NUMBER_HOLDERS_MAX:
            return ()
        worth = _NUMBER_WEIGHT * rarity(len(places), asked.last)
        return tuple(
            WordHit(node=node, score=worth, terms=(number,), start=start, end=end, passage=row)
            for row, node, start, end in newest.values()
        )

    def holding(self, query: str, *, filter: Filter, limit: int) -> tuple[str, ...]:  # noqa: A002
        """Return ids of nodes that hold every word of ``query`` in title, content or tags, newest passages first.

        A word is held where its root is, or, in a text of another language, its stem, and a date however it is written:
        nodes that hold all roots come first. The words may stand in different passages of a node. Where even the rarest
        word is common, only the newest of the nodes that hold it are looked at for that; in the past
        (``filter.as_of``) one passage must hold them all.
        """
        strict = questions(self._postings.counted, query, _all_of(query), lambda _: ()) if limit > 0 else ()
        return tuple(dict.fromkeys(each for asked in strict for each in self._full(asked, filter, limit)))[:limit]

    def _full(self, asked: Question, filter: Filter, limit: int) -> tuple[str, ...]:  # noqa: A002
        """Return nodes that hold all words of a question, newest passages first."""
        if not asked.known or asked.unknown:
            return ()
        few = None if filter.is_open else self._postings.few(filter)
        if few is not None:
            return self._holding_all(asked, nodes_of(dict(sorted(few.items(), reverse=True))))[:limit]
        looked_up, rest = asked.known[:_WORDS_MAX], asked.known[_WORDS_MAX:]
        newest = self._postings.newest(Match.all_of(looked_up), 0, filter, limit)
        together = self._reading(nodes_of(newest), asked, rest)[:limit]
        if len(together) == limit or len(asked.known) == 1 or filter.as_of is not None:
            return together
        rarest = self._postings.newest(
            Match.all_of(asked.known[:1]), asked.floor(asked.known[0], _HOLDERS_MAX), filter, _HOLDERS_MAX
        )
        return tuple(dict.fromkeys((*together, *self._holding_all(asked, nodes_of(rarest)))))[:limit]

    def phrase(self, name: str, *, filter: Filter, limit: int) -> tuple[str, ...]:  # noqa: A002
        """Return ids of nodes whose text holds ``name`` as consecutive words, newest passages first.

        The words are these very ones, up to a plural, and not others of their roots; in Katakana and Hangul they are no
        parts of other words (:func:`weft.text.grams`). In the past (``filter.as_of``) roots count, since what was said
        then may be said no more. Of a name whose rarest word is very common, and of one whose
        roots stand together in very many texts, only the newest passages are looked at.
        """
        wanted = terms(name)
        asked = self._asked(wanted)
        if not asked.known or asked.unknown or limit < 1:
            return ()
        match = Match.in_order(asked.known, map(root, wanted))
        floor = asked.floor(asked.known[0], _TOGETHER_MAX)
        places = self._postings.newest(match, floor, filter, max(limit, _ALIKE_MAX))
        if filter.as_of is not None:
            return nodes_of(places)[:limit]
        rows, found = list(places), dict[str, None]()
        for start in range(0, len(rows), _READ_MAX):
            saying = self._saying(name, rows[start : start + _READ_MAX])
            found |= dict.fromkeys(places[row][1] for row in saying)
            if len(found) >= limit:
                break
        return tuple(found)[:limit]

    def holders(self, names: Sequence[Sequence[str]], *, per_list: int) -> tuple[dict[str, tuple[str, ...]], ...]:
        """Return, for each list of names, its ``per_list`` rarest with the nodes that hold the roots of their words.

        The roots stand one after the other. A name is as rare as its rarest root. One whose rarest root ever stood in
        one passage alone or in more than 50, and one that more than 30 nodes hold, is left out: it joins nothing, or
        too much. Costs one look-up a name.
        """
        said = {name: cut for each in names for name in each if (cut := roots(name))}
        counts = self._postings.counted({word for cut in said.values() for word in cut})
        rarest = {name: min((counts.get(word, 0), word) for word in cut) for name, cut in said.items()}
        telling = {name: at for name, at in rarest.items() if 1 < at[0] <= _SHARERS_MAX}
        kept = [sorted(telling.keys() & set(each), key=lambda name: (telling[name], name))[:per_list] for each in names]
        wanted = list(dict.fromkeys(name for each in kept for name in each))
        held: dict[str, dict[str, None]] = {name: {} for name in wanted}
        if wanted:
            phrases, words = [" ".join(said[name]) for name in wanted], [rarest[name][1] for name in wanted]
            for at, node in self._database.read("phrases_held", phrases=phrases, words=words):
                held[wanted[at]][node] = None
        return tuple({name: tuple(held[name]) for name in each if len(held[name]) <= _NAMESAKES_MAX} for each in kept)

    def counts(self, roots: Sequence[str]) -> dict[str, int]:
        """Return in how many passages each of these roots ever stood; those that none held are left out."""
        counts = self._postings.counted(roots)
        del counts[""]
        return counts

    def rarity(self, roots: Sequence[str]) -> dict[str, float]:
        """Return how rare each of these roots is: ln((passages + 1) / (those that ever held it + 1/2)), 0 at least."""
        counts = self._postings.counted(roots)
        passages = counts.pop("")
        return {each: max(0.0, math.log((passages + 1) / (counts.get(each, 0) + 0.5))) for each in roots}

    def _saying(self, name: str, rows: Sequence[int]) -> list[int]:
        """Return those of ``rows`` whose passage, or whose node's names, hold the words of ``name`` in order."""
        said = f" {' '.join(terms(name))} "
        saying = set()
        for row, ordinal, title, lists, body in self._database.read("passages_said", rows=list(rows)):
            texts = (_names(title, lists) if ordinal == 0 else (), (body,))
            for some in texts:
                held = said in f" {' '.join(word for text in some for word in terms(text))} "
                if held and any(named_whole(name, text) for text in some):
                    saying.add(row)
        return [row for row in rows if row in saying]

    # ---- what is asked

    def _questions(self, query: str) -> Iterator[Question]:
        wanted = by_root(telling((*terms(query), *compounds(query)))) | dates(query)
        return questions(self._postings.counted, query, wanted, function_words)

    def _asked(self, wanted: Iterable[str]) -> Question:
        words = by_root(wanted)
        return Question.of(words, self._postings.counted(words))

    # ---- ranking

    def _ranked(self, asked: Question, filter: Filter, limit: int) -> Pool:  # noqa: A002
        """Return the best passages by the rarest words: enough for another look at them."""
        words = asked.rarest(asked.ranked_max) or asked.known[:1]
        wanted = max(_POOL_MIN, _POOL_A_HIT * limit)
        bound = wanted if filter.is_open else LOOKED_MAX
        while True:
            ranked = self._database.read("words_ranked", words=roots_of(words), name_weight=_NAME_WEIGHT, limit=bound)
            pool = Pool(words)
            for start in range(0, len(ranked), CHUNK):
                chunk = dict(ranked[start : start + CHUNK])
                pool.take(self._postings.placed(list(chunk), filter), chunk, -1.0)
                if len(pool.places) >= wanted and len(pool.nodes) >= limit:
                    break
            if len(ranked) < bound or bound == LOOKED_MAX or len(pool.nodes) >= limit:
                return self._filled(asked, pool, asked.known[len(words) :], filter, limit)
            bound = LOOKED_MAX

    def _ranked_among(self, asked: Question, few: dict[int, Place]) -> Pool:
        """Return all of ``few``, scored by the rarest words; they may hold others."""
        pool = Pool((asked.rarest(asked.ranked_max) or asked.known[:1])[:_WORDS_MAX])
        if few:
            ranked = self._database.read(
                "words_ranked_among",
                words=roots_of(pool.words),
                name_weight=_NAME_WEIGHT,
                rows=list(few),
                first=min(few),
                last=max(few),
            )
            pool.take({row: few[row] for row, _ in ranked}, dict(ranked), -1.0)
            pool.take(few, {}, 0.0)
        return pool

    def _newest_together(self, asked: Question, filter: Filter, limit: int) -> Pool:  # noqa: A002
        """Return the newest passages that hold the rarest words together, and first those whose names do."""
        words = asked.together(asked.ranked_max)[:_WORDS_MAX]
        pool = Pool(words)
        wanted = max(_POOL_MIN, _POOL_A_HIT * limit)
        weight = sum(term.rarity for term in words)
        for match, postings_max, factor in (
            (Match.named(words), PASSED_MAX, _NAME_WEIGHT * weight),
            (Match.all_of(words), _TOGETHER_MAX, weight),
        ):
            pool.take(self._postings.newest(match, asked.floor(words[0], postings_max), filter, wanted), {}, factor)
        return self._filled(asked, pool, asked.known, filter, limit)

    def _filled(
        self,
        asked: Question,
        pool: Pool,
        words: Sequence[Term],
        filter: Filter,  # noqa: A002
        limit: int,
    ) -> Pool:
        """Return ``pool`` with, where it is of too few nodes, the newest passages that hold any of ``words``."""
        for term in words[:_FILLING_MAX]:
            if len(pool.nodes) >= limit:
                break
            floor = asked.floor(term, PASSED_MAX)
            pool.take(self._postings.newest(Match.all_of((term,)), floor, filter, limit), {}, term.rarity)
        return pool

    def _hits(self, asked: Question, pool: Pool, limit: int) -> tuple[WordHit, ...]:
        """Return the best passage of each node as a hit, after a look at which commoner words it holds."""
        rows = list(pool.places)
        if not rows:
            return ()
        passed = asked.rarest(int(asked.passed_max / asked.share(rows)), skip=len(pool.words))
        words = (*pool.words, *passed)
        return pool.best(self._postings.held(words, rows), words, limit)

    # ---- holding

    def _holding_all(self, asked: Question, nodes: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of ``nodes`` that hold every word, whichever of their passages holds it."""
        looked_up = (asked.rarest(_LOOKED_UP_MAX) or asked.known[:1])[:_WORDS_MAX]
        places = self._postings.of(nodes)
        held: dict[str, set[int]] = {}
        for row, some in self._postings.held(looked_up, list(places)).items():
            held.setdefault(places[row][1], set()).update(some)
        left = tuple(node for node in nodes if len(held.get(node, ())) == len(looked_up))
        return self._reading(left, asked, asked.known[len(looked_up) :])

    def _reading(self, nodes: tuple[str, ...], asked: Question, words: Sequence[Term]) -> tuple[str, ...]:
        """Return those of ``nodes``, the first 64 of them, whose text holds all of ``words``, some of those asked."""
        if not words:
            return nodes
        wanted = {term.root for term in words}
        holding = set()
        for node, title, content, lists in self._database.read("texts_of", ids=list(nodes[:_READ_MAX])):
            if wanted.issubset(indexed(*_names(title, lists), content, code=asked.code)):
                holding.add(node)
        return tuple(node for node in nodes if node in holding)


def _together(hits: Iterable[WordHit]) -> tuple[WordHit, ...]:
    """Return one hit a node, best first: what answers several questions has the sum of its scores."""
    found: dict[str, WordHit] = {}
    for hit in hits:
        found[hit.node] = joined(hit, found[hit.node]) if hit.node in found else hit
    return tuple(sorted(found.values(), key=lambda hit: hit.score, reverse=True))


def _all_of(query: str) -> dict[str, str]:
    """Return the words of a query by their roots, and its dates by their digits."""
    words: dict[str, str] = {}
    for part in worded(query):
        digits = date(part)
        words = ({digits: part} if digits else by_root(terms(part))) | words
    return words


def _names(title: str, lists: str) -> tuple[str, ...]:
    named = json.loads(lists)
    return (title, *named["aliases"], *named["search_terms"], *named["tags"])
