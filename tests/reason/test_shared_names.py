"""What is said of names that two texts share: a word that merely opens a heading or a sentence is no name."""

from __future__ import annotations

import pytest

from weft.reason.shared_names import is_name

ABOUT = "Nothing much is said here."


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Marlow", "The office moved to Marlow in spring."),
        ("Marlow", "The office, Marlow says, moved in spring."),
        ("Marlow County", "Marlow County has no harbour."),
        ("UTC", "- UTC is meant."),
        ("PostgreSQL", "# PostgreSQL"),
        ("Ctrl-C", "Ctrl-C ends it."),
    ],
)
def test_what_stands_within_a_sentence_or_is_written_as_no_word_is_a_name(name: str, text: str) -> None:
    """Whichever of the two texts it stands in."""
    assert is_name(name, ABOUT, text)
    assert is_name(name, text, ABOUT)


@pytest.mark.parametrize(
    "text",
    [
        "# Use\n\nThe tap is open.",
        "## How To Use A Tap\n\nThe tap is open.",
        "- Use the tap.",
        "1. Use the tap.",
        "> Use the tap.",
        "**Use** the tap.",
        "The tap is open. Use it.",
        "The Use of taps; whoever uses one turns it.",
    ],
)
def test_an_ordinary_word_with_a_capital_is_none(text: str) -> None:
    """It opens what it stands in, or another form of it stands in lower case."""
    assert not is_name("Use", text, ABOUT)
