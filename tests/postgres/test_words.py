"""Full text on PostgreSQL: the shipped contract, any text at all, and the embedded engine's own answers and scores."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from index.world import saving
from postgres.test_contract import Team
from weft.model import Filter, Passage, SaveNode, Tier
from weft.store import open_sqlite
from weft.store.postgres.connection import bare
from weft.store.postgres.opening import open_postgres
from weft.store.postgres.recutting import recut_server
from weft.testing.making import DIMENSION, a_batch, a_node, changed, retired
from weft.testing.words import EVERYDAY, WordsContract
from weft.text import terms
from weft.text.tokens import TERM_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from postgres.cluster import Cluster
    from weft.model import Node, Operation, WordHit
    from weft.store import Opened

ONE = np.full((1, DIMENSION), DIMENSION**-0.5, np.float32)
WORDS = (
    *("river", "stone", "heat", "heated", "heating", "wing", "wings", "organ", "organic", "organisation", "cache"),
    *("caches", "token", "refresh", "the", "of", "to", "be", "or", "not", "pump", "engine", "engines", "lock", "a"),
    *(
        "deadlock",
        "reader",
        "writer",
        "in",
        "on",
        "with",
        "C++",
        "node.js",
        "don't",
        "naïve",
        "日本語検索",
        "x_y",
        "3.14",
    ),
)
FILTERS = (
    Filter(),
    Filter(kinds=("claim",)),
    Filter(ontologies=("side",), confidence_min=0.5),
    Filter(tags=("wing",)),
    Filter(session="noon"),
)


class TestWords(Team, WordsContract):
    """The words of a graph in a database."""


def test_a_long_text_counts_each_of_its_words_once(letters_url: str) -> None:
    """A row that is changed once a passage leaves a dead version each time, and the next change walks past them all."""
    room = open_postgres(letters_url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=False)
    text = "the pump drives an engine of stone"
    node = a_node("Book", content="\n".join([text] * 400))
    starts = [at * (len(text) + 1) for at in range(400)]
    passages = tuple(Passage(start=start, end=start + len(text), text=text, vector=ONE[0]) for start in starts)
    room.store.commit(a_batch(SaveNode(node=node, expect=0, passages=passages)))
    room.close()
    with bare(letters_url) as owner:
        assert dict(owner.execute("SELECT term, df FROM weft.term"))["pump"] == 400
        [(size,)] = owner.execute("SELECT pg_relation_size('weft.term')")
    assert size == 8192


class Pair(NamedTuple):
    """One graph in both engines, its database, and a position of its log that lies in the middle."""

    embedded: Opened
    team: Opened
    name: str
    middle: int

    def write(self, *operations: Operation) -> int:
        """Write the same batch to both, and return the log's position."""
        batch = a_batch(*operations)
        return max(opened.store.commit(batch).seq_last for opened in (self.embedded, self.team))


def text_of(dice: random.Random, length: int) -> str:
    """Return words drawn by Zipf's law."""
    return " ".join(dice.choices(WORDS, [1 / (at + 1) for at in range(len(WORDS))], k=length))


def a_note(dice: random.Random) -> tuple[Node, list[str]]:
    """Return a node and the texts of its passages."""
    texts = [text_of(dice, dice.randrange(1, 60)) for _ in range(dice.choice((1, 1, 1, 2, 3)))]
    node = a_node(
        text_of(dice, dice.randrange(1, 6)),
        content="\n".join(texts),
        aliases=(text_of(dice, 2),) if dice.random() < 0.3 else (),
        tags=tuple({dice.choice(("wing", "lock", "pump"))}),
        kind=dice.choice(("claim", "decision")),
        ontology=dice.choice(("main", "side")),
        session=dice.choice(("noon", "night", "")),
        confidence=dice.random(),
    )
    return node, texts


@pytest.fixture(scope="module")
def pair(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Three hundred notes in both engines, some of them changed or retired since."""
    dice = random.Random(5)
    place, name = tmp_path_factory.mktemp("embedded") / "graph.db", cluster.create_database()
    embedded = open_sqlite(place, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)
    team = open_postgres(cluster.url(name), tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)
    pair = Pair(embedded, team, name, 0)
    notes = [a_note(dice) for _ in range(300)]
    for start in range(0, 300, 50):
        some = notes[start : start + 50]
        pair.write(*(saving(node, np.repeat(ONE, len(texts), axis=0), texts) for node, texts in some))
    middle = embedded.log.head()
    for node, _ in dice.sample(notes, 40):
        content = text_of(dice, 20)
        anew = changed(node, content=content)
        pair.write(saving(anew, ONE, [content]) if dice.random() < 0.7 else saving(retired(node), ONE[:0], []))
    yield pair._replace(middle=middle)
    embedded.close()
    team.close()
    cluster.drop_database(name)


def questions(count: int) -> list[str]:
    """Return questions of one to six words."""
    dice = random.Random(11)
    return [" ".join(dice.choices((*WORDS, "unheard"), k=dice.randrange(1, 7))) for _ in range(count)]


def same(ours: Sequence[WordHit], theirs: Sequence[WordHit]) -> bool:
    """Return whether two answers are one: hits in this order, scores to rounding."""
    return [(hit.node, hit.terms, hit.start, hit.end) for hit in ours] == [
        (hit.node, hit.terms, hit.start, hit.end) for hit in theirs
    ] and np.allclose([hit.score for hit in ours], [hit.score for hit in theirs], rtol=1e-6, atol=0)


def agree(pair: Pair, query: str, wanted: Filter, limit: int = 20) -> None:
    """Assert that both engines say the same."""
    words = pair.embedded.words, pair.team.words
    theirs, ours = (each.search(query, filter=wanted, limit=limit) for each in words)
    assert same(ours, theirs), (query, wanted)
    theirs_held, ours_held = (each.holding(query, filter=wanted, limit=limit) for each in words)
    assert ours_held == theirs_held, (query, wanted)


def test_both_engines_find_the_same_with_the_same_scores(pair: Pair) -> None:
    """Now and in the past, with and without filters; phrases too."""
    for at, query in enumerate(questions(150)):
        wanted = FILTERS[at % len(FILTERS)]
        agree(pair, query, wanted)
        if at % 5 == 0:
            agree(pair, query, Filter(as_of=pair.middle, kinds=wanted.kinds))
        phrase = " ".join(query.split()[:3])
        assert pair.team.words.phrase(phrase, filter=Filter(), limit=20) == pair.embedded.words.phrase(
            phrase, filter=Filter(), limit=20
        ), phrase


def test_both_engines_rank_alike_where_every_word_is_common(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bounds of a large graph in a small one: names first, then the newest, then the rarest word alone."""
    bounds = {"question.RANKED_MIN": 20, "question.RANKED_MAX": 20, "question.PASSED_MAX": 200, "postings._FEW_MAX": 10}
    for name, value in bounds.items():
        monkeypatch.setattr(f"weft.store.{name}", value)
    for query in questions(60):
        agree(pair, query, Filter(), limit=10)
        agree(pair, query, Filter(confidence_min=0.3), limit=10)


def test_a_score_is_told_from_another(pair: Pair) -> None:
    """The twin of the comparison: a score that is off by a hundred-thousandth is not the same, nor another order."""
    hits = pair.embedded.words.search("river stone", filter=Filter(), limit=5)
    assert same(hits, hits)
    assert not same((hits[0]._replace(score=hits[0].score * 1.00001), *hits[1:]), hits)
    assert not same(hits[::-1], hits)


@pytest.mark.parametrize("texts", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_texts_are_valid_questions_with_the_same_answer(pair: Pair, texts: int) -> None:
    """Any character, half surrogates and NUL too: never an error, and what the embedded engine finds.

    Two thousand texts each time, ten thousand where it may take longer.
    """
    dice = random.Random(7)
    alphabet = "ab01 \"'*()-+:^{}[]~|\\/\x00\n\t\u00e9\u4e2d\u6587\ud800\U0001f642\u200d_.#@AND OR NOT NEAR&!<>%"
    ours, theirs = pair.team.words, pair.embedded.words
    for at in range(texts):
        text = "".join(dice.choice(alphabet) for _ in range(dice.randrange(24)))
        found = ours.search(text, filter=Filter(), limit=3)
        assert all(hit.terms and set(hit.terms) <= set(terms(text)) for hit in found)
        if at % 10 == 0:
            assert same(found, theirs.search(text, filter=Filter(), limit=3)), text
            assert ours.holding(text, filter=Filter(), limit=3) == theirs.holding(text, filter=Filter(), limit=3), text
            assert ours.phrase(text, filter=Filter(), limit=3) == theirs.phrase(text, filter=Filter(), limit=3), text


def test_every_word_that_the_tokenizer_makes_is_kept_and_found(pair: Pair) -> None:
    """The longest, those of other scripts, and one that stands more often than a place can be counted."""
    long = "x" * TERM_MAX
    texts = [*EVERYDAY, f"{long} {long}y", " ".join(["hum"] * 30_000), "\U0001f642 \u2603 \u0e01\u0e02 \u05d0"]
    nodes = [a_node(f"n{at}", content=text) for at, text in enumerate(texts)]
    for node in nodes:
        pair.write(saving(node, ONE, [node.content]))
    for query in (*EVERYDAY, long, "hum", "hum n41", "\U0001f642", "\u2603", "\u0e01\u0e02", "\u05d0"):
        agree(pair, query, Filter())


def test_words_of_another_cut_are_cut_anew(pair: Pair, cluster: Cluster) -> None:
    """What another release kept is found no more, what this one cuts is; words of this cut are left alone."""
    query, wanted = "heating the river", Filter()
    before = pair.team.words.search(query, filter=wanted, limit=20)
    with bare(cluster.url(pair.name)) as owner:
        owner.execute("UPDATE words SET name = replace(name, 'heat', 'heet'), body = replace(body, 'heat', 'heet')")
        owner.execute("UPDATE term SET term = replace(term, 'heat', 'heet')")
        recut_server(owner)
        assert not same(pair.team.words.search(query, filter=wanted, limit=20), before)
        owner.execute("UPDATE meta SET value = 'another' WHERE key = 'words'")
        recut_server(owner)
        counted = owner.execute("SELECT term, count(*) FROM posting GROUP BY term ORDER BY term")
        assert counted == owner.execute("SELECT term, df FROM term ORDER BY term")
        (totals,) = owner.execute("SELECT passages, words FROM corpus")
        assert [totals] == owner.execute("SELECT count(*), sum(length) FROM words")
    assert same(pair.team.words.search(query, filter=wanted, limit=20), before)
    for query in questions(20):
        agree(pair, query, wanted)
