"""What counts as saying the same again: order and small words may differ, one word put for another may not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.reason.repeat import repeats

SERVER = "The build server restarts every night at two o'clock."


@pytest.mark.parametrize(
    "other",
    [
        SERVER,
        "The build server restarts each night at two o'clock.",
        "Every night at two o'clock, the build server restarts.",
        "  the BUILD server restarts every night at two o'clock",
    ],
)
def test_the_same_words_in_another_order_or_dress_repeat_a_text(other: str) -> None:
    """Each of them may be merged."""
    assert repeats(SERVER, other)


@pytest.mark.parametrize(
    "other",
    [
        "The mail server restarts every night at two o'clock.",
        "The build server never restarts every night at two o'clock.",
        "The build server restarts most nights at two o'clock.",
        "The build server may restart every night at two o'clock.",
        "Does the build server restart every night at two o'clock?",
        "The build server restarts every night.",
    ],
)
def test_one_word_for_another_a_denial_or_a_doubt_is_no_repetition(other: str) -> None:
    """The near misses, all of them very like the text."""
    assert not repeats(SERVER, other)


def test_a_short_text_may_go_on_for_a_sentence() -> None:
    """It says all that was said before; a whole page around it would be another text."""
    assert repeats(SERVER, f"{SERVER} Twice on Sundays.")
    assert not repeats(SERVER, f"{SERVER.replace('build', 'mail')} Twice on Sundays.")
    assert not repeats(SERVER, f"{SERVER} The gateway drops every session, and the editors save their drafts by hand.")


def test_another_number_is_no_repetition() -> None:
    """What is counted is part of what is said."""
    assert repeats("The pump moves 40 litres a minute.", "A minute, the pump moves 40 litres.")
    assert not repeats("The pump moves 40 litres a minute.", "The pump moves 45 litres a minute.")


LONG = " ".join(
    f"The {colour} boat carries {cargo} from the harbour of {port} across the sound."
    for colour, cargo, port in (
        ("green", "timber", "Lund"),
        ("white", "herring", "Visby"),
        ("black", "coal", "Gdansk"),
        ("yellow", "barley", "Riga"),
        ("grey", "salt", "Turku"),
        ("brown", "hides", "Tallinn"),
        ("blue", "glass", "Stralsund"),
        ("red", "copper", "Kalmar"),
        ("violet", "candles", "Pärnu"),
        ("orange", "mustard", "Liepaja"),
    )
)


def test_a_long_text_may_differ_in_a_word_or_go_on() -> None:
    """A revised copy of a page is still that page."""
    assert repeats(LONG, LONG.replace("timber", "lumber"))
    assert repeats(LONG, f"{LONG} In winter all of them lie in the shipyard and are tarred.")


def test_a_long_text_that_denies_or_replaces_much_is_another() -> None:
    """The twin of the one before."""
    assert not repeats(LONG, LONG.replace("timber", "no timber").replace("herring", "pork").replace("coal", "iron"))


def test_too_little_to_compare_is_no_repetition() -> None:
    """Two texts without a word of subject matter may mean anything."""
    assert not repeats("It is so.", "It is so.")
    assert not repeats("", "")


@given(st.text(max_size=200), st.text(max_size=200))
def test_it_does_not_matter_which_text_comes_first(one: str, other: str) -> None:
    """Merging has no direction here."""
    assert repeats(one, other) == repeats(other, one)
