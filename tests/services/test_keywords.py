"""When words decide what answers a query, rather than meaning: of a few that one node holds, and of a rare number."""

from __future__ import annotations

import pytest

from weft.model import WordHit
from weft.services.search.keywords import covered, words_decide


def held(*holds: str) -> list[WordHit]:
    """Return hits of nodes that hold these words."""
    return [
        WordHit(node=f"n{at}", score=1.0, terms=tuple(words.split()), start=0, end=9, passage=at)
        for at, words in enumerate(holds)
    ]


CREWS = ("harbour crew",) * 9


def decide(query: str, holds: tuple[str, ...]) -> bool:
    """Return whether words decide where nodes hold these words."""
    hits = held(*holds)
    return words_decide(query, hits, together=bool(covered(query, hits, {}).together))


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("ledger crew", ("ledger crew harbour", *CREWS)),
        ("the crew with its ledgers", ("ledger crew harbour", *("ledger",) * 9, *CREWS)),
        ("harbour crew", CREWS),
        ("why does the crew of the harbour fear 5713?", ("5713", *CREWS)),
        ("crew 5713", (*("5713",) * 5, *CREWS)),
        ("who led the harbour crew on 2026-03-14?", ("2026-03-14", *CREWS)),
    ],
)
def test_a_few_words_that_few_hold_together_and_a_rare_number_decide(query: str, holds: tuple[str, ...]) -> None:
    """However common each of the words is."""
    assert decide(query, holds)


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("crew ledger", ("ledger", *CREWS)),
        ("harbour crew", ("harbour crew",) * 30),
        ("harbour crew ledger", ("ledger crew harbour", *CREWS)),
        ("crew 5713", (*("5713 gale",) * 6, *CREWS)),
        ("crew 5", ("5", *CREWS)),
        ("why does the crew of the harbour fear the number 5713 on barges?", ("5713", *CREWS)),
        ("harbour crew", ()),
        ("of the", ("of the",)),
    ],
    ids=["apart", "held by many", "more words", "number of many", "one digit", "a long question", "unknown", "empty"],
)
def test_else_meaning_has_its_say(query: str, holds: tuple[str, ...]) -> None:
    """Where no node holds all words, where many do, and in longer questions."""
    assert not decide(query, holds)


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("Which crew keeps the ledger of the harbour?", ("keep ledger crew harbour", "ledger crew harbour")),
        ("UTF-8 ledger", ("utf8 ledger", "utf ledger")),
        ("minutes 2026-03-14", ("2026-03-14 minutes", "2026 03 minutes", "2026-03-14")),
    ],
)
def test_of_those_that_hold_words_some_hold_all(query: str, holds: tuple[str, ...]) -> None:
    """By their roots; a name with its number in one word or in two."""
    together = covered(query, held(*holds), {}).together
    assert [each for each, much in together.items() if much == max(together.values())] == ["n0"]


def test_what_is_covered_counts_by_how_rare_the_words_are() -> None:
    """A word of which that is not known counts as the rarest; nothing counts where no node holds all."""
    hits = held("crew harbour ledger", "ledger", "crew harbour")
    rarities = {"crew": 1.0, "harbour": 2.0}
    assert covered("crew harbour ledger", hits, rarities).together == {"n0": 5.0, "n1": 2.0, "n2": 3.0}
    assert covered("crew harbour ledger gale", hits, rarities).together == {}


def test_a_share_of_a_query_is_by_how_rare_the_words_are() -> None:
    """Whether a node holds all words or none does; the twin: of words without a meaning nobody holds a share."""
    hits, rarities = held("crew", "harbour", "gale"), {"crew": 1.0, "harbour": 3.0}
    assert covered("crew harbour", hits, rarities).shares == {"n0": 0.25, "n1": 0.75, "n2": 0.0}
    assert covered("of the", held("of the"), rarities).shares == {}
