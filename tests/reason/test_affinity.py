"""How far texts belong together: words by their rarity, meaning, and one naming the other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.reason.affinity import (
    Signs,
    affinities,
    bag,
    believed,
    containment,
    counted,
    covered,
    joined,
    nearest_first,
    overlap,
    overlaps,
    shared,
    telling,
)

RARITY = {"ferri": 3.0, "lamp": 4.0, "berth": 5.0, "port": 1.0, "paint": 3.0, "everywher": 0.0}
CASES = ((0.6, 0.8), (0.0, 0.2))
WORDS = st.dictionaries(st.sampled_from(sorted(RARITY)), st.integers(1, 9), max_size=6)


def test_words_are_counted_by_their_roots_and_stop_words_are_not() -> None:
    """Ferry and ferries are one word; what stands in every text is none."""
    assert counted("The ferries", "A ferry of the port, B") == {"ferri": 2, "port": 1}


def test_a_stop_word_is_not_counted_by_its_root_either() -> None:
    """The root of «every» is «everi», which no list of stop words holds; two texts do not share it as a rare word."""
    assert counted("Why every ferry waits before it is once more due, because", "any ferry willing") == {
        "ferri": 2,
        "wait": 1,
        "due": 1,
    }


def test_a_word_weighs_by_the_logarithm_of_its_count_and_by_its_rarity() -> None:
    """A word that stands everywhere weighs nothing, and neither does one that nobody has counted."""
    held = bag({"ferri": 3, "everywher": 9, "unheard": 2}, RARITY)
    assert held.weights == {"ferri": pytest.approx(3.0 * (1 + math.log(3))), "everywher": 0.0, "unheard": 0.0}
    assert held.length == pytest.approx(held.weights["ferri"])


def test_the_same_long_text_overlaps_more_than_the_same_short_one() -> None:
    """Of a few words one that both hold says little; what shares nothing does not overlap."""
    short, long = bag({"ferri": 1}, RARITY), bag({f"w{at}": 1 for at in range(90)}, {f"w{at}": 5.0 for at in range(90)})
    assert 0.0 < overlap(short, short) < 0.1
    assert 0.7 < overlap(long, long) < 1.0
    assert overlap(short, long) == 0.0


@given(one=WORDS, other=WORDS)
def test_overlap_is_the_same_either_way_and_lies_between_nought_and_one(
    one: dict[str, int], other: dict[str, int]
) -> None:
    """Empty bags included."""
    a, b = bag(one, RARITY), bag(other, RARITY)
    assert overlap(a, b) == pytest.approx(overlap(b, a))
    assert 0.0 <= overlap(a, b) < 1.0


@given(one=st.lists(WORDS, min_size=1, max_size=4), other=st.lists(WORDS, min_size=1, max_size=4))
def test_all_overlaps_at_once_are_the_overlaps_one_by_one(
    one: list[dict[str, int]], other: list[dict[str, int]]
) -> None:
    """Whichever words they share."""
    ones, others = ([bag(each, RARITY) for each in bags] for bags in (one, other))
    single = [[overlap(a, b) for b in others] for a in ones]
    assert np.allclose(overlaps(ones, others), single, atol=1e-5)


@given(WORDS, WORDS)
def test_a_text_is_contained_in_whatever_holds_its_words(one: dict[str, int], other: dict[str, int]) -> None:
    """As far as in itself, whatever else stands there; at most that far, and never wholly."""
    both = {word: max(one.get(word, 0), other.get(word, 0)) for word in one | other}
    text, wider, beside = (bag(each, RARITY) for each in (one, both, other))
    assert containment(text, wider) == pytest.approx(containment(text, text))
    assert 0.0 <= containment(text, beside) <= containment(text, wider) < 1.0


def test_much_that_is_contained_counts_for_more_than_little() -> None:
    """One word of one says less than five of five, and half of them half as much."""
    few, many = bag({"lamp": 1}, RARITY), bag(dict.fromkeys(RARITY, 1), RARITY)
    assert containment(few, few) < 0.4 < containment(many, many)
    half = bag({"berth": 1, "ferri": 1}, RARITY)
    assert containment(many, half) == pytest.approx(containment(many, many) / 2, rel=0.01)


def test_the_weightiest_words_are_named_first() -> None:
    """Of those that both hold, or of one text."""
    one, other = bag({"berth": 1, "lamp": 2, "port": 1}, RARITY), bag({"lamp": 1, "port": 1, "paint": 1}, RARITY)
    assert shared(one, other, 5) == ["lamp", "port"]
    assert telling(one, 2) == ["lamp", "berth"]


def test_a_year_is_not_named_as_what_two_share() -> None:
    """Another number may be a port or a model."""
    both = bag({"2026": 3, "5432": 1, "lamp": 1}, dict.fromkeys(("2026", "5432", "lamp"), 2.0))
    assert set(shared(both, both, 5)) == {"5432", "lamp"}


def test_naming_outweighs_a_little_likeness() -> None:
    """Two candidates that lie as near, and one farther that is named both ways."""
    signs = {
        "near": Signs(words=0.30, meaning=0.60),
        "nearer": Signs(words=0.32, meaning=0.61),
        "named": Signs(words=0.29, meaning=0.58, names=True),
    }
    assert next(iter(affinities(signs))) == "named"
    assert nearest_first(signs) == ["nearer", "near", "named"]


def test_a_title_is_covered_as_far_as_its_weightiest_words_stand_in_the_other_text() -> None:
    """Never wholly, and not at all where none does: of a short title that says little."""
    of = bag({"berth": 2, "lamp": 1, "paint": 4}, RARITY)
    whole, part, none = (bag(held, RARITY) for held in ({"berth": 1, "lamp": 1}, {"berth": 1}, {"paint": 1}))
    found = [covered({"berth", "lamp"}, of, by) for by in (whole, part, none)]
    assert 1.0 > found[0] > found[1] > found[2] == 0.0
    assert covered((), of, whole) == 0.0


def test_a_title_that_stands_in_the_text_in_parts_names_it_in_part() -> None:
    """Two candidates as near as each other."""
    signs = {"other": Signs(words=0.3, meaning=0.6), "titled": Signs(words=0.3, meaning=0.6, titles=0.4)}
    assert next(iter(affinities(signs))) == "titled"
    assert nearest_first(signs) == ["other", "titled"]


def test_without_the_naming_likeness_decides() -> None:
    """The twin of the test above."""
    signs = {"near": Signs(words=0.30, meaning=0.60), "far": Signs(words=0.25, meaning=0.50)}
    assert list(affinities(signs)) == ["near", "far"]


def test_one_close_candidate_stands_out_among_strangers() -> None:
    """Alone it has nobody to be compared with; strangers are always there."""
    close, strange = (affinities({"one": Signs(words=words, meaning=meaning)})["one"] for words, meaning in CASES)
    assert close > 2.0
    assert strange == 0.0
    assert affinities({}) == {}


@given(st.floats(-100, 100), st.floats(-100, 100))
def test_more_affinity_is_never_believed_less(one: float, other: float) -> None:
    """And always between 0 and 1."""
    low, high = sorted((one, other))
    assert 0.0 < believed(low) <= believed(high) < 1.0


def test_pairs_are_joined_by_words_first_then_meaning_then_naming() -> None:
    """Each of them adds; naming counts once, in whichever direction."""
    bare = Signs(words=0.2, meaning=0.5)
    assert joined(Signs(words=0.3, meaning=0.5)) > joined(bare) > joined(Signs(words=0.2, meaning=0.4))
    named = [Signs(words=0.2, meaning=0.5, names=True), Signs(words=0.2, meaning=0.5, names=True, named=True)]
    assert joined(bare) < joined(named[0]) == joined(named[1])
