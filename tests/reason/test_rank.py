"""Ranking: one order from many signals, and the two formulas that came with the seeds."""

from __future__ import annotations

import math
import random
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.model import ContextRequest, Node, Status
from weft.reason import rank
from weft.reason.context import Look, band, band_by_rank, relevance
from weft.reason.rank import Findings, Ranked, Weights
from weft.reason.shared_names import Shared, names_beyond, shared
from weft.reason.spread import Approach, Tie, approaches, spread
from weft.reason.why import in_company, like_another, reasons, rejoined, through_graph, through_name
from weft.text import terms

if TYPE_CHECKING:
    from collections.abc import Sequence

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def a_node(**changes: object) -> Node:
    """Return a node of no interest but for ``changes``."""
    plain = Node(
        id="n1",
        kind="general",
        title="A title",
        content="Some content.",
        ontology="test",
        confidence=0.5,
        created_at=NOW - timedelta(days=100),
        created_by="ann",
        modified_at=NOW - timedelta(days=100),
        modified_by="ann",
    )
    return replace(plain, **changes)


EVEN = Weights(meaning=0.5, words=0.5, graph=4.0, company=0.5)


def fused(ids: Sequence[str] | None = None, **columns: Any) -> tuple[Ranked, ...]:  # noqa: ANN401 - columns as they are
    """Return the candidates in ranked order; without ``ids``, all that a column knows."""
    known = [key for name in ("cosines", "words", "graph", "company") for key in columns.get(name, {})]
    return rank.fuse(ids or tuple(dict.fromkeys(known)), Findings(**columns), EVEN)


def order(ids: Sequence[str] | None = None, **columns: Any) -> list[str]:  # noqa: ANN401 - likewise
    """Return the ids in ranked order."""
    return [each.id for each in fused(ids, **columns)]


def test_what_lacks_a_rare_word_of_the_query_falls_behind_what_holds_all() -> None:
    """What lacks a common one only need not; all others keep their order."""
    sides = {
        "cosines": {"near": 0.7, "other": 0.1, "all": 0.5, "all as well": 0.55},
        "words": {"near": 8.0, "other": 1.0, "all": 7.0, "all as well": 7.0},
    }
    assert order(**sides) == ["near", "all as well", "all", "other"]
    whole = {"all": 9.0, "all as well": 9.0, "unknown": 9.0, "other": 2.0}
    assert order(**sides, coverage=whole | {"near": 3.0}) == ["all as well", "all", "near", "other"]
    assert order(**sides, coverage=whole | {"near": 8.0}) == ["near", "all as well", "all", "other"]


def test_many_words_that_lack_weigh_no_more_than_a_few_rare_ones() -> None:
    """A long question has many."""
    sides = {"cosines": {"a": 0.9, "b": 0.5, "c": 0.1}, "words": {"a": 9.0, "b": 4.0, "c": 1.0}}
    scores = [
        {each.id: each.score for each in fused(**sides, coverage={"c": much, "a": 0.0})} for much in (5.0, 6.0, 60.0)
    ]
    assert scores[0] == scores[1] == scores[2]
    assert scores[0]["a"] < fused(**sides)[0].score


def test_nothing_is_lifted_over_the_best_of_what_holds_all_words() -> None:
    """Of those each may be lifted to the best direct hit; without them the graph lifts as far as it does."""
    sides = {"cosines": {"near": 0.9, "all": 0.7, "all as well": 0.3, "some": 0.5, "far": 0.1}, "graph": {"some": 1.0}}
    assert order(**sides)[:2] == ["near", "some"]
    whole = {"all": 1.0, "all as well": 1.0}
    assert order(**sides, coverage=whole)[:3] == ["near", "all", "some"]
    assert order(**(sides | {"graph": {"all as well": 1.0}}), coverage=whole)[:2] == ["near", "all as well"]


def test_what_holds_all_words_keeps_its_score() -> None:
    """The others give way; where no candidate holds all, nobody does."""
    sides = {"cosines": {"a": 0.9, "b": 0.5}, "words": {"a": 9.0, "b": 4.0}}
    (plain, plainer), (first, second) = fused(**sides), fused(**sides, coverage={"a": 2.0, "b": 1.0})
    assert first == plain
    assert second.score < plainer.score
    assert fused(**sides, coverage={"elsewhere": 2.0, "b": 1.0}) == (plain, plainer)


def test_both_sides_count() -> None:
    """Good by meaning and by words beats best by one alone."""
    ranked = order(cosines={"both": 0.7, "meaning": 0.75, "weak": 0.3}, words={"both": 8.0, "words": 8.5, "weak": 1.0})
    assert ranked[0] == "both"
    assert ranked[-1] == "weak"


def test_a_missing_side_counts_as_that_sides_least() -> None:
    """Not found by words is as good as found last by words."""
    alone = fused(cosines={"a": 0.5, "b": 0.9}, words={"b": 2.0})
    least = fused(cosines={"a": 0.5, "b": 0.9}, words={"a": 2.0, "b": 2.0})
    assert [each.id for each in alone] == [each.id for each in least] == ["b", "a"]
    assert alone[1].score == pytest.approx(least[1].score)


def test_one_side_alone_ranks() -> None:
    """With no vectors at all the words' order stands, and the other way round."""
    assert order(words={"a": 1.0, "b": 3.0}) == ["b", "a"]
    assert order(cosines={"a": 0.1, "b": 0.3}) == ["b", "a"]


def test_exact_names_come_first() -> None:
    """A title match leads, however weak the rest."""
    ranked = fused(cosines={"strong": 0.9, "named": 0.1, "other": 0.2}, words={"strong": 20.0}, named={"named"})
    assert ranked[0].id == "named"
    assert ranked[0].score >= 0.9 > ranked[1].score


def test_the_graph_lifts_but_never_over_the_best_direct_hit() -> None:
    """A node found through the graph alone passes weak hits and stays below the best one."""
    cosines = {f"hit{at}": 0.9 - at / 10 for at in range(6)}
    words = {f"hit{at}": 9.0 - at for at in range(6)}
    ids = (*cosines, "hop")
    ranked = order(ids, cosines=cosines, words=words, graph={"hop": 0.3})
    assert ranked[0] == "hit0"
    assert 1 <= ranked.index("hop") <= 3
    assert order(ids, cosines=cosines, words=words)[-1] == "hop"
    assert order(ids, cosines=cosines, words=words, graph={"hop": 1.0})[0] == "hit0"


def test_what_a_second_hop_adds_stands_in_for_its_own_as_far_as_it_is_tied() -> None:
    """It never passes the best direct hit; what nothing ties stays, and so does what says more by itself."""
    cosines = {f"hit{at}": 0.9 - at / 10 for at in range(6)} | {"hop": 0.2, "twin": 0.2}
    tied = {"hop": 0.02, "twin": 0.02}
    before = order(cosines=cosines, graph=tied)
    assert before.index("hit3") < before.index("hop") < before.index("twin")
    ranked = order(cosines=cosines, graph=tied, adding={"hop": -2.0, "twin": 9.0})
    assert ranked[0] == "hit0"
    assert ranked.index("twin") < ranked.index("hit3") < ranked.index("hop")
    assert order(cosines=cosines, adding={"twin": 2.0}) == order(cosines=cosines)
    assert order(cosines=cosines, graph={"hit1": 0.1}, adding={"hit1": -3.0})[:2] == ["hit0", "hit1"]


def test_likeness_to_the_best_lifts_but_never_over_the_best_direct_hit() -> None:
    """What stands in the middle for itself comes second, however like the best it is."""
    cosines = {f"hit{at}": 0.9 - at / 10 for at in range(6)}
    assert order((*cosines,), cosines=cosines) == [*cosines]
    ranked = order((*cosines,), cosines=cosines, resembling={"hit3": 0.5, "hit5": 0.1})
    assert ranked == ["hit0", "hit3", "hit1", "hit2", "hit4", "hit5"]
    assert order((*cosines,), cosines=cosines, resembling={"hit3": 1.0})[:2] == ["hit0", "hit3"]


def test_what_belongs_with_a_text_comes_before_what_only_a_passage_speaks_for() -> None:
    """The others keep their order, and the best of them is no better than what belongs least."""
    found = Findings(
        cosines={"a": 0.2, "b": 0.3, "c": 0.9, "d": 0.5}, words={"c": 9.0, "d": 5.0}, belonging={"a": 4.0, "b": -1.0}
    )
    ranked = rank.fuse(["a", "b", "c", "d"], found, Weights(belonging=0.5))
    assert [each.id for each in ranked] == ["a", "b", "c", "d"]
    assert ranked[1].score == pytest.approx(ranked[2].score)
    assert rank.fuse(["a", "b", "c", "d"], replace(found, belonging={}), Weights())[0].id == "c"


def test_what_holds_a_text_comes_before_what_belongs_with_it() -> None:
    """By how much of it, and where nothing else is known to belong too; those not asked about stay out."""
    found = Findings(
        cosines={"a": 0.2, "b": 0.3, "c": 0.9}, belonging={"a": 4.0, "b": -1.0, "c": 1.0}, holding={"b": 0.9, "c": 0.5}
    )
    assert [each.id for each in rank.fuse(["a", "b", "c"], found, Weights())] == ["b", "c", "a"]
    assert [each.id for each in rank.fuse(["a", "b", "c"], replace(found, belonging={}), Weights())] == ["b", "c", "a"]
    assert [each.id for each in rank.fuse(["a"], found, Weights())] == ["a"]


def test_the_company_of_a_good_hit_is_lifted() -> None:
    """The turn beside the best turn comes before an equal turn that stands alone; beside a bad one it gains nothing."""
    cosines = {"best": 0.9, "z-beside": 0.4, "a-alone": 0.4, "last": 0.1}
    assert order(cosines=cosines) == ["best", "a-alone", "z-beside", "last"]
    beside = {"z-beside": ["best", "unknown"]}
    assert order(cosines=cosines, company=beside) == ["best", "z-beside", "a-alone", "last"]
    assert order(cosines=cosines, company={"z-beside": ["last"]}) == ["best", "a-alone", "z-beside", "last"]
    assert order(cosines=cosines, company={"last": ["best"] * 9})[0] == "best"


def test_those_that_are_brought_in_move_nobody_else() -> None:
    """The deviations are those of the candidates that were found for themselves."""
    cosines, words = {"a": 0.9, "b": 0.7, "c": 0.5}, {"a": 1.0, "b": 4.0, "c": 2.0}
    before = {each.id: each.score for each in fused(cosines=cosines, words=words)}
    strangers = {f"s{at}": 0.01 for at in range(30)}
    after = fused(cosines=cosines | strangers, words=words, measured=("a", "b", "c"))
    assert {each.id: each.score for each in after if each.id in before} == before
    assert {
        each.id: each.score for each in fused(cosines=cosines | strangers, words=words) if each.id in before
    } != before


def test_of_equals_the_better_direct_hit_comes_first() -> None:
    """What the graph lifts up to the best is level with it and stands behind it; then ids decide."""
    cosines = {"z-best": 0.9, "a-lifted": 0.3, "m": 0.3}
    ranked = fused(cosines=cosines, graph={"a-lifted": 1.0})
    assert [each.id for each in ranked] == ["z-best", "a-lifted", "m"]
    assert ranked[0].score == ranked[1].score
    assert order(cosines={"b": 0.5, "a": 0.5}) == ["a", "b"]


def test_a_shared_name_lifts_but_not_over_the_best() -> None:
    """What holds a name of the best hits passes those that are no better by themselves, never the best direct hit."""
    cosines = {"best": 0.9, "holder": 0.3, "other": 0.3}
    assert order(cosines=cosines, names={"holder": 0.3}) == ["best", "holder", "other"]
    assert order(cosines=cosines, names={"holder": 1.0})[0] == "best"
    assert order(cosines=cosines) == ["best", "holder", "other"]
    assert order(cosines=cosines, names={"other": 0.3}) == ["best", "other", "holder"]


def test_names_beyond_the_query_are_those_it_does_not_hold() -> None:
    """Each once, as it is first written; what the query holds every word of is no news."""
    text = "Ashby lies in Marlow County, by the River Wend. The Marlow Counties are two."
    assert names_beyond(("ashby",), "Ashby", text) == ("Marlow County", "River Wend")
    assert names_beyond(("marlow", "river", "wend"), "Ashby", text) == ("Ashby", "Marlow County")
    assert names_beyond((), "no names", "nor here") == ()


def test_a_rare_name_says_more_than_a_common_one_and_what_was_found_anyway_less() -> None:
    """One other holder: all of it. Four: half. A name that several candidates hold is what is asked about."""
    one = shared({"seed": 1.0}, {"seed": {"Marlow": ("seed", "a")}}, known=set())
    assert one == {"a": Shared(weight=1.0, seed="seed", name="Marlow")}
    four = shared({"seed": 1.0}, {"seed": {"Wend": tuple("abcd")}}, known=set())
    assert four["a"].weight == pytest.approx(0.5)
    found = shared({"seed": 1.0}, {"seed": {"Wend": tuple("abcd")}}, known={"a", "b"})
    assert found["c"].weight == pytest.approx(0.25)


def test_a_seed_gives_by_its_share_and_its_most_telling_name() -> None:
    """Two names of one seed do not add up; two seeds do, and the name of the greater gift is told."""
    holders: dict[str, dict[str, tuple[str, ...]]] = {
        "x": {"Marlow": ("a",), "Wend": ("a", "b", "c", "d")},
        "y": {"Ashby": ("a", "x")},
    }
    given = shared({"x": 3.0, "y": 1.0}, holders, known=set())
    assert given["a"].weight == pytest.approx(0.75 + 0.25 / math.sqrt(2))
    assert (given["a"].seed, given["a"].name) == ("x", "Marlow")
    assert given["b"].name == "Wend"
    assert (given["x"].seed, given["x"].name) == ("y", "Ashby")
    assert shared({"x": 1.0}, {}, known=set()) == {}


@given(
    st.dictionaries(st.sampled_from("abcd"), st.floats(0.1, 10), min_size=1),
    st.dictionaries(
        st.sampled_from("abcd"),
        st.dictionaries(
            st.sampled_from(("Marlow", "Wend", "Ashby")), st.lists(st.sampled_from("abcdefgh"), unique=True)
        ),
    ),
    st.sets(st.sampled_from("abcdefgh")),
)
def test_what_names_give_lies_in_the_unit_interval(
    seeds: dict[str, float], holders: dict[str, dict[str, list[str]]], known: set[str]
) -> None:
    """Whatever names there are: above 0, at most 1, and from another node that is a seed and holds the name."""
    for each, found in shared(seeds, holders, known).items():
        assert 0.0 < found.weight <= 1.0 + 1e-9
        assert found.seed in seeds
        assert found.seed != each
        assert each in holders[found.seed][found.name]


def test_reasons_are_sentences_for_people() -> None:
    """What is named, similarity, words; then where the graph or a session led."""
    assert reasons(similarity=0.8234, words=("quadratic", "attention"), exact="title") == (
        "title matches",
        "meaning: similarity 0.82",
        "words: quadratic, attention",
    )
    approach = Approach(seed="x", steps=2, label="supports")
    assert through_graph(approach, title="X") == "graph: 2 steps from «X» through supports"
    assert in_company(title="X") == "session: next to «X»"
    assert like_another(title="X") == "alike: close in meaning to «X»"
    found = Shared(weight=0.5, seed="x", name="Marlow County")
    assert through_name(found, title="X") == "name: «Marlow County» stands in «X» too"
    assert reasons() == ()


def test_stop_words_are_no_reason_unless_nothing_else_was_found() -> None:
    """Of «is the write acknowledged» only what tells something is shown; of «to be or not», all."""
    assert reasons(words=("write", "is", "the", "acknowledged")) == ("words: write, acknowledged",)
    assert reasons(words=("to", "be", "or", "not")) == ("words: to, be, or, not",)


def test_pairs_of_one_run_are_told_as_the_run() -> None:
    """Where it stands in the text so; what was asked for apart, or stands apart, stays apart."""
    asked = ("长颈", "颈鹿", "鹿吃", "树叶")
    assert rejoined(("颈鹿", "长颈", "树叶"), asked, "长颈鹿和树叶") == ("长颈鹿", "树叶")
    assert rejoined(("长颈", "颈鹿"), asked, "长颈瓶，短颈鹿") == ("长颈", "颈鹿")
    assert rejoined(("颈鹿", "长颈"), ("颈鹿", "x", "长颈"), "长颈鹿 x") == ("颈鹿", "长颈")
    assert rejoined(("на", "ад", "猫"), ("на", "ад", "猫"), "над ад на 猫") == ("на", "ад", "猫")
    assert rejoined((), asked, "") == ()


def test_a_long_text_without_spaces_is_told_in_time_that_grows_with_it() -> None:
    """Where the question is the text itself, too: every pair is joined once."""
    signs = random.Random(1).choices([chr(0x4E00 + at) for at in range(600)], k=1_800)
    text = "".join(signs)
    asked = terms(text)
    start = time.thread_time()
    assert rejoined(tuple(dict.fromkeys(asked)), asked, text) == (text,)
    assert time.thread_time() - start < 0.5


def test_nothing_found_is_no_hits() -> None:
    """No candidates, no error."""
    assert rank.fuse((), Findings(), EVEN) == ()


candidates = st.lists(
    st.tuples(
        st.uuids().map(str),
        st.none() | st.floats(-1, 1),
        st.none() | st.floats(0, 50),
        st.floats(0, 1),
        st.booleans(),
    ),
    max_size=20,
    unique_by=lambda each: each[0],
)


@given(candidates)
def test_scores_lie_in_the_unit_interval_and_order_does_not_depend_on_the_input(
    held: list[tuple[str, float | None, float | None, float, bool]],
) -> None:
    """Every candidate comes back once, scores descend, and a shuffled input gives the same answer."""
    ids = [id_ for id_, *_ in held]
    findings = Findings(
        cosines={id_: cosine for id_, cosine, *_ in held if cosine is not None},
        words={id_: words for id_, _, words, *_ in held if words is not None},
        graph={id_: share for id_, _, _, share, _ in held},
        names={id_: share for id_, _, _, share, _ in held[::2]},
        company={one: [other] for one, other in pairwise(ids)},
        named={id_ for id_, *_, named in held if named},
    )
    ranked = rank.fuse(ids, findings, EVEN)
    assert sorted(each.id for each in ranked) == sorted(ids)
    assert all(0.0 <= each.score <= 1.0 for each in ranked)
    assert all(one.score >= other.score for one, other in pairwise(ranked))
    assert [each.id for each in rank.fuse(ids[::-1], findings, EVEN)] == [each.id for each in ranked]
    assert {each.id for each in ranked[: len(set(findings.named))]} == set(findings.named)


def test_weight_spreads_to_the_second_hop_and_thins_out() -> None:
    """Nearer nodes hold more; unconnected ones nothing; all shares sum to one."""
    shares = spread({"a": 1.0}, [("a", "b", 1.0), ("b", "c", 1.0), ("x", "y", 1.0)])
    assert shares["a"] > shares["b"] > shares["c"] > 0
    assert shares["x"] == shares["y"] == 0
    assert math.fsum(shares.values()) == pytest.approx(1.0)


def test_a_hub_passes_less_to_each() -> None:
    """A node with many ties is a weaker bridge than one with two."""
    ties = [("a", "hub", 1.0), ("a", "bridge", 1.0), ("bridge", "near", 1.0)]
    ties += [("hub", f"n{number}", 1.0) for number in range(20)]
    shares = spread({"a": 1.0}, ties)
    assert shares["near"] > 5 * shares["n3"]


def test_stronger_ties_carry_more() -> None:
    """The weights of ties decide how a node's weight is shared."""
    shares = spread({"a": 1.0}, [("a", "weak", 0.1), ("a", "strong", 0.9)])
    assert shares["strong"] == pytest.approx(9 * shares["weak"])


def test_without_seeds_nothing_spreads() -> None:
    """No seed, or none with weight."""
    assert spread({}, [("a", "b", 1.0)]) == {}
    assert spread({"a": 0.0}, [("a", "b", 1.0)]) == {}
    assert spread({"a": 2.0}, []) == {"a": 1.0}


@given(
    st.dictionaries(st.sampled_from("abcd"), st.floats(0.1, 10), min_size=1),
    st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"), st.floats(0, 1)), max_size=15),
)
def test_shares_are_a_distribution(seeds: dict[str, float], ties: list[tuple[str, str, float]]) -> None:
    """Whatever the graph, shares are no less than 0 and sum to 1."""
    shares = spread(seeds, ties)
    assert all(share >= 0 for share in shares.values())
    assert math.fsum(shares.values()) == pytest.approx(1.0)


def test_the_spread_is_bounded_and_quick() -> None:
    """2,000 nodes take part, however many there are, in a few milliseconds."""
    draw = random.Random(3)
    ties = [(f"n{draw.randrange(5000)}", f"n{draw.randrange(5000)}", draw.random()) for _ in range(20_000)]
    began = time.thread_time()
    shares = spread({f"n{number}": 1.0 for number in range(10)}, ties)
    assert time.thread_time() - began < 2
    assert len(shares) == 2000


def test_approaches_name_the_nearest_seed_and_the_strongest_step() -> None:
    """Where the graph led, from where, and through what."""
    ties = [
        Tie("s", "b", 0.5, "mentions"),
        Tie("b", "c", 0.2, "uses"),
        Tie("b", "c", 0.9, "supports"),
        Tie("t", "x", 1.0),
    ]
    found = approaches(["s", "t"], ties, steps_max=2)
    assert found["b"] == Approach(seed="s", steps=1, label="mentions")
    assert found["c"] == Approach(seed="s", steps=2, label="supports")
    assert found["x"].seed == "t"
    assert "s" not in found
    assert "c" not in approaches(["s"], ties, steps_max=1)
    assert through_graph(found["b"], title="S") == "graph: 1 step from «S» through mentions"


def test_the_worked_example_of_the_project_seed_comes_to_0_98() -> None:
    """Title 0.5, two places 0.2, confidence 0.18, changed two days ago 0.1; the tag «auth» is another word."""
    node = a_node(
        title="JWT Authentication Implementation",
        content="An authentication system using authentication tokens.",
        tags=("auth", "security"),
        confidence=0.9,
        modified_at=NOW - timedelta(days=2),
    )
    assert rank.keyword_score(node, terms("authentication"), now=NOW) == pytest.approx(0.98)


def test_keyword_score_of_several_words() -> None:
    """The title counts by share, places are capped, every tag that holds a word counts."""
    node = a_node(title="Token store", content="token " * 20, tags=("token", "Token rotation", "other"), confidence=0.5)
    score = rank.keyword_score(node, terms("token rotation"), now=NOW)
    assert score == pytest.approx(0.5 * 0.5 + 0.5 + 0.3 * 2 + 0.2 * 0.5)


def a_look(
    node: Node, work: ContextRequest, *, relations: int = 0, similarity: float | None = None, place: int = 0
) -> Look:
    """A look at ``node`` for this work, of which no more is known than is said."""
    return Look(node=node, request=work, relations=relations, similarity=similarity, place=place, now=NOW)


def test_all_nine_factors_sum_to_the_greatest_relevance() -> None:
    """3.75 with everything on, and each factor says its name."""
    node = a_node(
        kind="decision",
        title="Rotate tokens",
        references=("src/auth/jwt.py",),
        confidence=0.8,
        modified_at=NOW - timedelta(days=1),
    )
    work = ContextRequest(
        task="rotating the tokens", current_file="src/auth/jwt.py", recent_files=("./src/auth/jwt.py",)
    )
    points, factors = relevance(a_look(node, work, relations=3))
    assert points == pytest.approx(3.75)
    assert dict(factors) == {
        "current_file": 1.0,
        "current_file_partial": 0.6,
        "recent_files": 0.4,
        "task": 0.8,
        "kind": 0.3,
        "confidence": 0.2,
        "recency": 0.3,
        "relations": 0.15,
    }
    assert band(points) == "high"


@pytest.mark.parametrize(
    ("changes", "work", "factor", "points"),
    [
        ({"references": ("src/auth",)}, ContextRequest(current_file="src/auth/jwt.go"), "current_file_partial", 0.6),
        ({"references": ("src/au",)}, ContextRequest(current_file="src/auth/jwt.go"), "current_file_partial", None),
        ({"references": ("a.py:12",)}, ContextRequest(current_file="a.py"), "current_file", 1.0),
        ({"references": ("b.py",)}, ContextRequest(recent_files=("a.py", "b.py")), "recent_files", 0.4),
        ({"title": "Cache keys"}, ContextRequest(task="why do the caches miss?"), "task", 0.8),
        ({"title": "The"}, ContextRequest(task="what is the"), "task", None),
        ({"kind": "convention"}, ContextRequest(), "kind", 0.25),
        ({"confidence": 0.79}, ContextRequest(), "confidence", None),
        ({"modified_at": NOW - timedelta(days=7)}, ContextRequest(), "recency", None),
    ],
)
def test_each_factor(changes: dict[str, object], work: ContextRequest, factor: str, points: float | None) -> None:
    """One factor at a time, on both sides of its border."""
    _, factors = relevance(a_look(a_node(**changes), work))
    assert dict(factors).get(factor) == points


def test_likeness_to_the_task_counts_as_its_words_do() -> None:
    """A node in other words bears on the task when it is reasonably like it."""
    work = ContextRequest(task="signing keys")
    node = a_node(title="Rotate secrets", content="Every night.")
    assert dict(relevance(a_look(node, work, similarity=0.71))[1])["task"] == 0.8
    assert "task" not in dict(relevance(a_look(node, work, similarity=0.69))[1])


@pytest.mark.parametrize(("place", "points"), [(0, 0.8), (2, 0.8), (3, 0.64), (5, 0.32), (6, 0.24), (99, 0.24)])
def test_a_task_counts_less_for_what_it_finds_farther_down(place: int, points: float) -> None:
    """All of it on the first three places, a fifth less on each one after, and never less than three tenths."""
    look = a_look(a_node(title="Cache keys"), ContextRequest(task="why do the caches miss?"), place=place)
    assert dict(relevance(look)[1])["task"] == points


@pytest.mark.parametrize(
    ("status", "kept"), [(Status.SUPERSEDED, 0.3), (Status.NEEDS_REVIEW, 0.8), (Status.ACTIVE, 1.0)]
)
def test_the_status_scales_all_but_the_relations(status: Status, kept: float) -> None:
    """Ten relations are worth the same on a superseded node."""
    node = a_node(kind="decision", confidence=0.9, status=status)
    points, _ = relevance(a_look(node, ContextRequest(), relations=10))
    assert points == pytest.approx((0.3 + 0.2) * kept + 0.15)


def test_bands() -> None:
    """By points, and by place among the answers."""
    assert [band(points) for points in (2.0, 1.99, 1.0, 0.99)] == ["high", "medium", "medium", "low"]
    assert [band_by_rank(place, 6) for place in range(6)] == ["high", "high", "medium", "medium", "low", "low"]
    assert band_by_rank(0, 1) == "high"


def test_unused_importance_halves_every_ninety_days_down_to_a_tenth() -> None:
    """Decay fades and never forgets."""
    assert rank.decayed(0.8, 0) == 0.8
    assert rank.decayed(0.8, 90) == pytest.approx(0.4)
    assert rank.decayed(0.8, 10_000) == pytest.approx(0.08)
    assert rank.decayed(0.8, -5) == 0.8


LATE = replace(EVEN, late=0.5)


def late_order(**columns: Any) -> list[str]:  # noqa: ANN401 - columns as they are
    """Return the ids in order, words compared one by one too."""
    return [each.id for each in rank.fuse(tuple(columns["cosines"]), Findings(**columns), LATE)]


def test_what_answers_word_by_word_comes_before_what_is_alike_as_a_whole() -> None:
    """The twin: without a weight it changes nothing."""
    columns = {"cosines": {"a": 0.6, "b": 0.5, "c": 0.4}, "late": {"a": 0.2, "b": 0.9, "c": 0.1}}
    assert late_order(**columns) == ["b", "a", "c"]
    assert order(**columns) == ["a", "b", "c"]


def test_a_candidate_that_is_not_compared_word_by_word_keeps_what_it_has() -> None:
    """It is neither taken for the worst nor moved by the others' mean."""
    columns = {"cosines": {"a": 0.6, "b": 0.5, "c": 0.4}, "late": {"b": 0.5, "c": 0.5}}
    assert late_order(**columns)[0] == "a"
    assert late_order(**(columns | {"late": {"a": 0.1, "c": 0.9}})) == ["c", "b", "a"]


def test_a_few_that_are_known_word_by_word_among_many_that_are_not_move_nothing() -> None:
    """As in a graph that an older release wrote: they could only be weighed against each other."""
    cosines = {"a": 0.7, "b": 0.6, "c": 0.5, "d": 0.4, "e": 0.3}
    assert late_order(cosines=cosines, late={"d": 0.1, "e": 0.9}) == [*"abcde"]
    assert late_order(cosines=cosines, late={"c": 0.1, "d": 0.1, "e": 0.9}) != [*"abcde"]
