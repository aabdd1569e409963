"""What sets two texts apart however alike they are: a number or a name that stands in one of them only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.reason.apart import apart


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ISO 9001 is a standard.", "ISO 9004 is a standard."),
        ("The pump moves water.", "The pump moves 40 litres of water."),
        ("The grant came from Ada Holm.", "The grant came from Per Lund."),
        ("A report on the reef was sent to Oslo.", "A report on the reef was sent."),
        ("It needs version 1.2.", "It needs version 1.20."),
    ],
)
def test_another_number_or_name_sets_two_texts_apart(one: str, other: str) -> None:
    """Also one that is merely left out, whichever text it is left out of."""
    assert apart(one, other)
    assert apart(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ISO 9001 is a standard.", "A standard is what ISO 9001 is."),
        ("Water boils at 100 degrees.", "At 100 degrees water boils."),
        ("The vault is Obsidian's own.", "All vaults are of Obsidian-specific make."),
        ("Redis is a cache.", "Our cache is Redis."),
    ],
)
def test_the_same_numbers_and_names_set_nothing_apart(one: str, other: str) -> None:
    """Wherever in the text they stand; a capital that only opens a sentence is no name."""
    assert not apart(one, other)
    assert not apart(other, one)


@given(st.text(max_size=200), st.text(max_size=200))
def test_it_does_not_matter_which_text_comes_first(one: str, other: str) -> None:
    """And nothing is apart from itself."""
    assert apart(one, other) == apart(other, one)
    assert not apart(one, one)
