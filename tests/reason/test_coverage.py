"""Coverage: which sentences hold most of a claim together."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from weft.model import Embedded
from weft.reason.coverage import Coverage, by_meaning, by_roots

WORDS = st.sets(st.sampled_from("abcdefgh"))


def test_a_word_that_few_sentences_hold_weighs_more_and_all_weigh_one() -> None:
    """One that stands everywhere weighs little, and something."""
    found = by_roots(["server", "certificate", "server"], [{"server", "log"}, {"server", "certificate"}, {"server"}])
    assert found.held.tolist() == [[1, 0], [1, 1], [1, 0]]
    assert found.weights[1] > 4 * found.weights[0] > 0
    assert np.isclose(found.weights.sum(), 1)
    assert found.shares().argmax() == 1


def test_of_no_words_or_no_sentences_nothing_is_held() -> None:
    """An empty claim leaves what a sentence is worth by itself."""
    assert by_roots([], [{"a"}, {"b"}]).shares().tolist() == [0, 0]
    assert by_roots([], [{"a"}, {"b"}]).best(np.array([0.1, 0.2]), 3) == [1, 0]
    assert by_roots(["a"], []).best(np.zeros(0), 3) == []


def test_a_word_is_held_as_far_as_the_nearest_one_of_the_sentence_lies() -> None:
    """A sentence whose words have no vectors holds nothing."""
    claim = Embedded(vector=np.zeros(1), words=("purge",), word_vectors=np.array([[100, 0]], np.int8))
    vectors = {"delete": np.array([80, 60], np.int8), "write": np.array([0, 100], np.int8)}
    found = by_meaning(claim, ["Write, or delete!", "Write.", "Read."], [vectors] * 3)
    assert found is not None
    assert np.allclose(found.held, [[0.8], [0.0], [0.0]])


def test_where_vectors_are_not_known_of_all_nothing_is_told_by_meaning() -> None:
    """Neither of a claim without them; a stretch of which it is known that it has no words is known."""
    claim = Embedded(vector=np.zeros(1), words=("purge",), word_vectors=np.array([[100, 0]], np.int8))
    assert by_meaning(claim, ["a", "b"], [{}, None]) is None
    assert by_meaning(Embedded(vector=np.zeros(1)), ["a"], [{}]) is None
    assert by_meaning(claim, ["a", "b"], [{}, {}]) is not None


@given(st.sets(st.sampled_from("abcdefgh"), min_size=1), st.lists(WORDS, min_size=1, max_size=6), st.integers(1, 4))
def test_what_is_taken_one_by_one_holds_nearly_as_much_as_the_best_choice(
    claim: set[str], sentences: list[set[str]], count: int
) -> None:
    """1 − 1/e of it at least (Nemhauser, Wolsey and Fisher 1978), and no sentence is taken twice."""
    coverage = by_roots(sorted(claim), sentences)
    taken = coverage.best(np.zeros(len(sentences)), count)
    assert len(taken) == len({*taken}) == min(count, len(sentences))
    best = max(_held(coverage, choice) for choice in combinations(range(len(sentences)), len(taken)))
    assert _held(coverage, taken) >= (1 - 1 / np.e) * best - 1e-9


def _held(coverage: Coverage, places: list[int] | tuple[int, ...]) -> float:
    return float(coverage.held[list(places)].max(axis=0) @ coverage.weights)
