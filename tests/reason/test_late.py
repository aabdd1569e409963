"""Late interaction: each word of the question is met by the nearest word of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from weft.reason import late
from weft.reason.late import ELSEWHERE, added, answers, closest_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONG = 127


def rows(*axes: int, width: int = 4) -> np.ndarray:
    """Return a word along each of these axes."""
    return (np.eye(width, dtype=np.int8) * LONG)[list(axes)]


def words_of(count: st.SearchStrategy[int]) -> st.SearchStrategy[np.ndarray]:
    """Draw so many words of any length and direction."""
    shapes = count.map(lambda words: (words, 4))
    return shapes.flatmap(lambda shape: arrays.arrays(np.int8, shape, elements=st.integers(-LONG, LONG)))


def matched(asked: np.ndarray, rarities: Sequence[float], texts: Mapping[int, np.ndarray]) -> dict[int, float]:
    """Return how well each text answers ``asked``, as :func:`weft.reason.late.matched` does."""
    return late.matched(answers(asked, texts), rarities)


def matched_in_both(
    asked: np.ndarray, rarities: Sequence[float], texts: Mapping[int, np.ndarray], others: Mapping[int, np.ndarray]
) -> dict[int, float]:
    """Return how well each text answers ``asked`` with another passage beside."""
    return late.matched_in_both(answers(asked, texts), rarities, answers(asked, others))


def test_a_text_that_has_every_word_answers_wholly_and_one_that_has_none_not_at_all() -> None:
    """Whatever else it has, and in whatever order."""
    found = matched(rows(0, 1), (1.0, 1.0), {7: rows(3, 1, 2, 0), 8: rows(2, 3), 9: rows(0)})
    assert found == pytest.approx({7: 1.0, 8: 0.0, 9: 0.5})


def test_a_rare_word_counts_for_more() -> None:
    """Three quarters, where it is three times as rare as the other."""
    found = matched(rows(0, 1), (3.0, 1.0), {1: rows(0), 2: rows(1)})
    assert found == pytest.approx({1: 0.75, 2: 0.25})


def test_words_that_stand_everywhere_count_where_there_are_no_others() -> None:
    """Nothing is divided by nothing."""
    assert matched(rows(0, 1), (0.0, 0.0), {1: rows(0), 2: rows(0, 1)}) == pytest.approx({1: 0.5, 2: 1.0})


def test_what_has_no_words_is_left_out() -> None:
    """A text without any, and a question without any."""
    assert list(matched(rows(0), (1.0,), {1: rows(), 2: rows(0)})) == [2]
    assert matched(rows(0), (1.0,), {1: rows()}) == {}
    assert matched(rows(), (), {1: rows(0)}) == {}


def test_a_word_that_another_passage_answers_counts_for_less_than_one_in_the_best() -> None:
    """And one that both answer no more than once; texts of one passage are as they are."""
    here, both, one, gone = range(4)
    texts = {here: rows(0, 2), both: rows(0, 1), one: rows(0)}
    found = matched_in_both(rows(0, 1), (1.0, 1.0), texts, {here: rows(1, 3), both: rows(1), gone: rows(0)})
    assert found == pytest.approx({here: 0.5 + 0.5 * ELSEWHERE, both: 1.0, one: 0.5})


@given(
    asked=words_of(st.integers(1, 5)),
    texts=st.lists(words_of(st.integers(1, 6)), min_size=1, max_size=4),
    other=words_of(st.integers(1, 6)),
)
def test_another_passage_never_takes_from_an_answer(
    asked: np.ndarray, texts: list[np.ndarray], other: np.ndarray
) -> None:
    """Whatever it says; the others are as they were."""
    rarities = [1.0] * len(asked)
    if not asked.any():
        asked = asked + np.int8(1)
    alone = matched(asked, rarities, dict(enumerate(texts)))
    both = matched_in_both(asked, rarities, dict(enumerate(texts)), {0: other})
    assert both[0] >= alone[0] - 1e-4
    assert {at: both[at] for at in both if at} == {at: alone[at] for at in alone if at}


@given(asked=words_of(st.integers(1, 5)), texts=st.lists(words_of(st.integers(1, 6)), min_size=1, max_size=5))
def test_texts_are_compared_each_for_itself(asked: np.ndarray, texts: list[np.ndarray]) -> None:
    """What a text answers does not depend on the others, nor on how its words are ordered."""
    rarities = [1.0 + at for at in range(len(asked))]
    if not asked.any():
        asked = asked + np.int8(1)
    together = matched(asked, rarities, dict(enumerate(texts)))
    for at, text in enumerate(texts):
        assert matched(asked, rarities, {at: text[::-1]})[at] == pytest.approx(together[at], abs=1e-4)


@given(asked=words_of(st.integers(1, 5)), text=words_of(st.integers(1, 6)), more=words_of(st.integers(1, 3)))
def test_more_words_never_answer_less(asked: np.ndarray, text: np.ndarray, more: np.ndarray) -> None:
    """The nearest word of a longer text is at least as near."""
    if not asked.any():
        asked = asked + np.int8(1)
    found = matched(asked, [1.0] * len(asked), {1: text, 2: np.concatenate([text, more])})
    assert found[2] >= found[1] - 1e-4


def test_those_stand_out_that_are_a_deviation_above_the_mean() -> None:
    """None where all are alike, and none where most were not compared."""
    late = {"a": 0.9, "b": 0.4, "c": 0.4, "d": 0.3}
    assert closest_in_words(late, [*"abcd"]) == {"a"}
    assert closest_in_words(late, [*"abcdefgh"]) == {"a"}
    assert closest_in_words(late, [*"abcdefghi"]) == frozenset()
    assert closest_in_words(dict.fromkeys("abc", 0.5), [*"abc"]) == frozenset()
    assert closest_in_words({}, []) == frozenset()


def test_what_answers_the_rest_of_a_question_adds_more_than_what_answers_little_of_it() -> None:
    """And what says the same again adds nothing, however well it answers the question by itself."""
    texts = {"first": rows(0, 1), "again": rows(0, 1), "rest": rows(2), "little": rows(3)}
    found = added(answers(rows(0, 1, 2, 3), texts), (1.0, 1.0, 2.0, 1.0), {"first"}, list(texts))
    assert list(found) == ["rest", "little"]
    assert found["rest"] > found["little"]


def test_what_another_of_the_first_answers_is_not_added_again() -> None:
    """Added is what all of them leave open."""
    compared = answers(rows(0, 1, 2), {"first": rows(0), "second": rows(1), "one": rows(1), "other": rows(2)})
    assert list(added(compared, (1.0,) * 3, {"first"}, list(compared))) == ["second", "one", "other"]
    assert list(added(compared, (1.0,) * 3, {"first", "second"}, list(compared))) == ["other"]


def test_where_the_first_answer_every_word_thousandths_are_no_addition() -> None:
    """However many deviations they are; the twin: a word that is left open is one."""
    compared = answers(rows(0, 1), {"first": rows(0, 1), "one": rows(0), "other": rows(1)})
    compared["one"] = compared["first"] + np.float32(0.004)
    assert added(compared, (1.0, 1.0), {"first"}, list(compared)) == {}
    assert list(added(compared, (1.0, 1.0), {"other"}, list(compared))) == ["first", "one"]


def test_of_what_was_not_compared_nothing_is_told() -> None:
    """There is nothing to add to; where nothing was measured, additions are told from none."""
    compared = answers(rows(0, 1), {"first": rows(0), "one": rows(1)})
    assert added(compared, (1.0, 1.0), {"elsewhere"}, ["one"]) == {}
    assert added(compared, (1.0, 1.0), {"first"}, [])["one"] > 0.0


@given(
    asked=words_of(st.integers(1, 5)),
    texts=st.lists(words_of(st.integers(1, 6)), min_size=3, max_size=5),
    more=words_of(st.integers(1, 3)),
)
def test_a_text_with_more_words_never_adds_less(asked: np.ndarray, texts: list[np.ndarray], more: np.ndarray) -> None:
    """To whatever it is added; what is measured stays as it is."""
    if not asked.any():
        asked = asked + np.int8(1)
    held = dict(enumerate(texts)) | {8: texts[1], 9: np.concatenate([texts[1], more])}
    found = added(answers(asked, held), [1.0] * len(asked), {0}, range(len(texts)))
    assert 8 not in found or found[9] >= found[8] - 1e-3
