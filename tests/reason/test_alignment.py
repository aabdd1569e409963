"""Two texts word by word: synonyms are one word, and what stands for another word was put for it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from weft.reason.alignment import Alignment, align
from weft.reason.clause import read


def laid(one: str, other: str) -> Alignment:
    """Return the alignment of two sentences."""
    return align(read(one).words, read(other).words)


def test_the_same_words_differ_in_nothing() -> None:
    """Articles do not count, nor the form of a word."""
    same = Alignment(synonyms=0, added=(0, 0), replaced=False, ends_alike=True)
    assert laid("A dog chases the ball.", "The dog chased a ball") == same


def test_a_synonym_is_the_same_word() -> None:
    """It is counted, and nothing is left of it."""
    found = laid("A woman is cutting a cake.", "A woman is slicing a cake.")
    assert found == Alignment(synonyms=1, added=(0, 0), replaced=False, ends_alike=True)
    assert laid("She buys a car", "She buys an automobile").ends_alike


def test_one_synonym_does_not_stand_for_two() -> None:
    """What has no partner left is a word more."""
    assert laid("They cut the cake", "They cut, slice and carve the cake").added == (0, 2)
    assert laid("They slice the cake", "They cut and carve the cake").added == (0, 1)


def test_a_word_more_is_told_from_one_put_for_another() -> None:
    """Whether the other word carries subject matter or not."""
    assert laid("A dog runs home", "A brown dog runs home") == Alignment(
        synonyms=0, added=(0, 1), replaced=False, ends_alike=True
    )
    assert laid("A black dog runs home", "A brown dog runs home").replaced
    assert laid("The proxy blocks its requests", "The proxy on its requests").replaced


def test_a_word_told_twice_counts_twice() -> None:
    """One that stands elsewhere as well may have been put for another here."""
    assert laid("Weak persistence and poor outcomes", "Weak persistence and persistence outcomes").replaced


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_texts_can_be_laid_beside_each_other(one: str, other: str) -> None:
    """The lesser number comes first, and a text differs from itself in nothing."""
    assert laid(one, other).added[0] <= laid(one, other).added[1]
    assert laid(one, one) == Alignment(synonyms=0, added=(0, 0), replaced=False, ends_alike=True)
