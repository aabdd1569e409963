"""Words that may stand for each other: told by people, not by likeness."""

from __future__ import annotations

from importlib.resources import files

import pytest

from weft.reason.clause import root
from weft.reason.synonyms import are_synonyms

FOLDER = files("weft.reason") / "data"


@pytest.mark.parametrize(
    ("one", "other"),
    [("car", "automobile"), ("cutting", "slices"), ("big", "large"), ("Libyan", "Libya"), ("quit", "resigned")],
)
def test_words_of_one_meaning_are_synonyms_in_whatever_form_and_order(one: str, other: str) -> None:
    """They are looked up by their roots."""
    assert are_synonyms(root(one.casefold()), root(other.casefold()))
    assert are_synonyms(root(other.casefold()), root(one.casefold()))


@pytest.mark.parametrize(
    ("one", "other"),
    [("hot", "cold"), ("king", "queen"), ("dog", "horse"), ("monday", "tuesday"), ("car", "car"), ("xyzzy", "plugh")],
)
def test_opposites_neighbours_and_unknown_words_are_none(one: str, other: str) -> None:
    """The twin of the one before, and a word is no synonym of itself."""
    assert not are_synonyms(root(one), root(other))


def test_the_table_is_small_and_carries_its_licence() -> None:
    """Each pair stands once, under the root that comes first in the alphabet."""
    rows = [line.split() for line in (FOLDER / "synonyms.txt").read_text("utf-8").splitlines() if line[0] != "#"]
    assert [row[0] for row in rows] == sorted({row[0] for row in rows})
    assert all(row[1:] == sorted(set(row[1:])) and row[0] < row[1] for row in rows)
    assert sum(len(row) - 1 for row in rows) < 25_000
    assert "WordNet" in (FOLDER / "LICENSE").read_text("utf-8")
