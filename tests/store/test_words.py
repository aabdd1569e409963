"""Full text over FTS5: the shipped contract, any text at all, budgets, and the plain comparison it must equal."""

from __future__ import annotations

import random
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index.world import World, unit
from weft.model import Filter, Tier
from weft.store import open_sqlite
from weft.store.filters import matches
from weft.store.question import PASSED_MAX, RANKED_MAX, Question
from weft.testing.making import DIMENSION
from weft.testing.words import WordsContract
from weft.text import terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.model import Node
    from weft.store import Opened

ONE = unit(np.ones((1, 8), np.float32))


class TestSqlite(WordsContract):
    """FTS5."""

    def open(self, place: Path, *, tier: Tier = Tier.CURATOR) -> Opened:
        """Open the graph file at ``place``."""
        return open_sqlite(place / "graph.db", tier=tier, model="letters", dimension=DIMENSION, create=True)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """An empty graph."""
    world = World(tmp_path / "graph.db")
    yield world
    world.close()


def write(world: World, title: str, *texts: str, **fields: object) -> Node:
    """Write a node of these passages."""
    return world.add(title, np.repeat(ONE, max(1, len(texts)), axis=0), texts or (title,), **fields)


def test_ten_thousand_random_texts_are_valid_questions(world: World) -> None:
    """Any character, half surrogates and NUL too: never an error, and never a hit that holds none of the words."""
    write(world, "a b c", "zero one two \u4e2d\u6587 x_y")
    dice = random.Random(7)
    alphabet = "ab01 \"'*()-+:^{}[]~|\\/\x00\n\t\u00e9\u4e2d\u6587\ud800\U0001f642\u200d_.#@AND OR NOT NEAR"
    words, hits = world.opened.words, 0
    for _ in range(10_000):
        text = "".join(dice.choice(alphabet) for _ in range(dice.randrange(24)))
        found = words.search(text, filter=Filter(), limit=3)
        hits += len(found)
        assert all(hit.terms and set(hit.terms) <= set(terms(text)) for hit in found)
        words.holding(text, filter=Filter(), limit=3)
        words.phrase(text, filter=Filter(), limit=3)
    assert hits > 100, "questions that find nothing prove nothing"


def test_where_every_word_is_common_the_newest_that_hold_most_are_found(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bounds lowered to three postings: names first, then the newest, then what holds only the rarest."""
    for name, value in {"RANKED_MIN": 3, "RANKED_MAX": 3, "PASSED_MAX": 1000}.items():
        monkeypatch.setattr(f"weft.store.question.{name}", value)
    both = [write(world, f"n{at}", "river and stone") for at in range(6)]
    for at in range(6):
        write(world, f"m{at}", "a river alone")
        write(world, f"o{at}", "a stone alone")
    named = write(world, "river stone", "something else")
    found = [hit.node for hit in world.opened.words.search("river stone", filter=Filter(), limit=30)]
    assert found[0] == named.id
    assert set(found[1:7]) == {node.id for node in both}
    assert len(found) == 19
    assert all(set(hit.terms) for hit in world.opened.words.search("river stone", filter=Filter(), limit=30))


def test_rare_words_alone_are_not_all_that_is_found(world: World) -> None:
    """Where few hold the rare word, those that hold a common one follow."""
    for at in range(400):
        write(world, f"n{at}", "common word")
    rare = write(world, "rare", "unheard of")
    found = world.opened.words.search("unheard common", filter=Filter(), limit=10)
    assert len(found) == 10
    assert found[0].node == rare.id


def test_words_in_other_passages_count_for_a_node_too(world: World) -> None:
    """Less than in its best one, which is the place that is told; a node that holds them together comes first."""
    apart = write(world, "apart", "river bank", "stone wall")
    alone = [write(world, f"n{at}", "something else", "river water") for at in range(3)]
    together = write(world, "together", "something else", "river stone")
    for at in range(9):
        write(world, f"m{at}", "something else")
    found = world.opened.words.search("river stone", filter=Filter(), limit=10)
    assert [hit.node for hit in found[:2]] == [together.id, apart.id]
    assert {hit.node for hit in found[2:]} == {node.id for node in alone}
    assert found[0].score > found[1].score > found[2].score
    assert found[1].terms == ("stone", "river")


def test_a_number_is_held_as_it_stands(world: World) -> None:
    """Where no text holds it so, or many do, it counts as any words."""
    for at, day in enumerate(("2026-03-13", "2026-04-14", "2025-03-14")):
        write(world, f"n{at}", f"standup of {day}, 03 14 2026 14 03")
    meant = write(world, "meant", "a walk by the river, the day being 2026/03/14")
    found = world.opened.words.search("standup 2026-03-14", filter=Filter(), limit=10)
    assert (found[0].node, found[0].terms) == (meant.id, ("2026-03-14",))
    assert [hit.terms for hit in found[1:]] == [("standup",)] * 3
    parts = world.opened.words.search("2024-03-14", filter=Filter(), limit=10)
    assert {hit.node for hit in parts if {"03", "14"}.issubset(hit.terms)} == {hit.node for hit in found}
    for at in range(50):
        write(world, f"many{at}", "in the year 2019")
    assert len(world.opened.words.search("river 2019", filter=Filter(), limit=60)) == 51


def test_a_number_within_another_is_another(world: World) -> None:
    """What holds the one is found by it, what holds the other's words by these."""
    both = write(world, "both", "pier 100", "pier 100x")
    other = write(world, "other", "pier 100x")
    for at in range(9):
        write(world, f"m{at}", "something else")
    found = world.opened.words.search("100 100x", filter=Filter(), limit=10)
    assert [hit.node for hit in found] == [both.id, other.id]


def test_a_number_tells_as_much_as_two_words(world: World) -> None:
    """Of a port, an error or an order it is the number that is meant."""
    both = [write(world, f"n{at}", "gateway refuses") for at in range(2)]
    meant = write(world, "meant", "a box with the label 5713", "and another thing")
    for at in range(20):
        write(world, f"m{at}", "something else")
    found = world.opened.words.search("gateway refuses 5713", filter=Filter(), limit=10)
    assert found[0].node == meant.id
    assert {hit.node for hit in found[1:]} == {node.id for node in both}


VOCABULARY = ("ant", "bee", "cat", "dog", "eel", "fox")
texts = st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=5).map(" ".join), min_size=1, max_size=3)
steps = st.lists(
    st.tuples(
        st.sampled_from(("add", "add", "change", "retire")),
        st.sampled_from(VOCABULARY),
        texts,
        st.sampled_from(("claim", "decision")),
        st.sets(st.sampled_from(("a", "b"))).map(lambda tags: tuple(sorted(tags))),
    ),
    min_size=1,
    max_size=10,
)


def play(
    world: World, script: list[tuple[str, str, list[str], str, tuple[str, ...]]]
) -> dict[int, dict[str, list[str]]]:
    """Write what the script says; return the passages of each node that stood after each step, by position."""
    standing: dict[str, list[str]] = {}
    past = {0: dict[str, list[str]]()}
    for at, (what, title, some, kind, tags) in enumerate(script):
        rows = np.repeat(ONE, len(some), axis=0)
        target = sorted(standing)[at % len(standing)] if standing else ""
        if what == "add" or not target:
            standing[world.add(title, rows, some, kind=kind, tags=tags).id] = list(some)
        elif what == "change":
            world.change(target, rows, some, kind=kind, tags=tags)
            standing[target] = list(some)
        else:
            world.retire(target)
            del standing[target]
        past[max(world.past)] = {id_: list(held) for id_, held in standing.items()}
    return past


def held_by(node: Node, passages: list[str]) -> set[str]:
    """Return all words of a node."""
    return {word for text in (node.title, *node.tags, *passages) for word in terms(text)}


@given(
    script=steps,
    query=st.lists(st.sampled_from((*VOCABULARY, "z", "gnu")), min_size=1, max_size=3),
    wanted=st.sampled_from((Filter(), Filter(kinds=("claim",), tags=("a",)))),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_words_are_found_exactly_where_they_stand(
    script: list[tuple[str, str, list[str], str, tuple[str, ...]]], query: list[str], wanted: Filter
) -> None:
    """Now and at every position before: search finds each node that holds a word, holding each that holds them all."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder) / "graph.db")
        past = play(world, script)
        words, text = world.opened.words, " ".join(query)
        now = {id_: (world.held[id_][0], past[max(past)][id_]) for id_ in world.held}
        passing = {id_: held_by(*held) for id_, held in now.items() if matches(held[0], wanted)}
        found = {hit.node: hit for hit in words.search(text, filter=wanted, limit=50)}
        assert set(found) == {id_ for id_, held in passing.items() if held & set(query)}
        assert all(set(hit.terms) <= passing[id_] & set(query) for id_, hit in found.items())
        holding = words.holding(text, filter=wanted, limit=50)
        assert set(holding) == {id_ for id_, held in passing.items() if set(query) <= held}
        for seq, standing in past.items():
            then = {id_: held_by(world.past[seq][id_][0], some) for id_, some in standing.items()}
            hits = words.search(text, filter=replace(wanted, as_of=seq), limit=50)
            assert {hit.node for hit in hits} <= {id_ for id_, held in then.items() if held & set(query)}
            passed = {id_ for id_ in then if matches(world.past[seq][id_][0], wanted)}
            assert {hit.node for hit in hits} >= {id_ for id_ in passed if then[id_] & set(query)}
        world.close()


@given(
    counts=st.dictionaries(st.text("abc", min_size=1), st.integers(1, 10**6), min_size=1), last=st.integers(1, 10**6)
)
def test_a_question_never_asks_for_more_than_its_budget(counts: dict[str, int], last: int) -> None:
    """Whatever the words, what is ranked and passed is bounded, and rarer words come first."""
    asked = Question.of({word: word for word in counts}, counts | {"": last})
    assert [term.count for term in asked.known] == sorted(counts.values())
    ranked = asked.rarest(asked.ranked_max)
    assert sum(term.count for term in ranked) <= RANKED_MAX
    passed = asked.rarest(asked.passed_max, skip=len(ranked))
    assert sum(term.count for term in passed) <= PASSED_MAX
    assert asked.known[: len(ranked) + len(passed)] == (*ranked, *passed)
    assert 0 <= asked.floor(asked.known[0], 100) <= last
    assert all(term.rarity > 0 for term in asked.known)
