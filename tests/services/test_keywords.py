"""When words decide what answers a query, rather than meaning: of a few that one node holds, and of a rare number."""

from __future__ import annotations

import pytest

from weft.model import WordHit
from weft.services.search.keywords import words_decide


def held(*holds: str) -> list[WordHit]:
    """Return hits of nodes that hold these words."""
    return [
        WordHit(node=f"n{at}", score=1.0, terms=tuple(words.split()), start=0, end=9, passage=at)
        for at, words in enumerate(holds)
    ]


CREWS = ("harbour crew",) * 9


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("harbour crew ledger", ("ledger crew harbour", *CREWS)),
        ("the harbours, and a crew with ledgers", ("ledger crew harbour", "ledger", "ledger", *CREWS)),
        ("why does the crew of the harbour fear 5713?", ("5713", *CREWS)),
        ("crew 5713", (*("5713",) * 5, *CREWS)),
        ("who led the harbour crew on 2026-03-14?", ("2026-03-14", *CREWS)),
    ],
)
def test_a_word_or_a_number_that_few_hold_decides(query: str, holds: tuple[str, ...]) -> None:
    """Though not all that hold the other words are known."""
    assert words_decide(query, held(*holds), whole=False)


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("harbour crew ledger", ("ledger crew", *CREWS)),
        ("harbour crew ledger", ("ledger crew harbour", *("ledger",) * 3, *CREWS)),
        ("harbour crew ledger barge", ("ledger crew harbour barge", *CREWS)),
        ("crew 5713", (*("5713",) * 6, *CREWS)),
        ("crew 5", ("5", *CREWS)),
        ("why does the crew of the harbour fear the number 5713 on barges?", ("5713", *CREWS)),
        ("harbour crew", ()),
        ("of the", ("of the",)),
    ],
    ids=["apart", "held by more", "more words", "number of many", "one digit", "a long question", "unknown", "empty"],
)
def test_else_meaning_has_its_say(query: str, holds: tuple[str, ...]) -> None:
    """Where no node holds all words, where more hold the rarest, and in longer questions."""
    assert not words_decide(query, held(*holds), whole=False)


def test_where_all_holders_are_known_none_need_be_rare() -> None:
    """As in a small graph."""
    assert words_decide("harbour crew", held(*CREWS), whole=True)
