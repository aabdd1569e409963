"""What stands in a text and is not said by it."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.reason.unsaid import STANDINGS, blank_unsaid

PIECES = st.lists(
    st.sampled_from(["```", "<!--", "-->", "~~", "a", " ", "\n", "{", "|", "/", "[", *STANDINGS[:3], "::", "<pre>"]),
    max_size=40,
)


@pytest.mark.parametrize(
    "text",
    [
        "{proposed | accepted | lamp}",
        "Status: Accepted / Rejected / lamp",
        "[proposed|lamp]",
        "<!-- lamp -->",
        "<!-- lamp",
        "~~lamp~~",
        "```\nlamp\n```",
        "- [ ] lamp",
        "  1. [ ] lamp",
    ],
)
def test_what_is_not_said_is_blanked(text: str) -> None:
    """What stands on the lines around it stays."""
    blanked = blank_unsaid(f"A ferry.\n\n{text}")
    assert blanked.startswith("A ferry.\n\n")
    assert "lamp" not in blanked


@pytest.mark.parametrize(
    "text",
    [
        "Status: accepted",
        "It was proposed and accepted.",
        "accepted | lamp",
        "either accepted/rejected",
        "- [x] lamp",
        "- [lamp](a.md)",
        "a <!- lamp",
    ],
)
def test_what_is_said_stays(text: str) -> None:
    """The twins: one standing, or two that nothing offers."""
    assert blank_unsaid(text) == text


@given(PIECES)
def test_everything_keeps_its_place_and_line(pieces: list[str]) -> None:
    """Places in what is left are places in the text."""
    text = "".join(pieces)
    blanked = blank_unsaid(text)
    assert all(now in (" ", was) for now, was in zip(blanked, text, strict=True))
    assert [sign == "\n" for sign in text] == [sign == "\n" for sign in blanked]


@pytest.mark.parametrize("piece", ["<!--", "accepted", "accepted |", "{", "[ ", "{accepted ", "~~", "draft/\n"])
def test_halves_over_and_over_are_read_no_slower_than_prose(piece: str) -> None:
    """All text is untrusted."""

    def seconds(text: str) -> float:
        begun = process_time()
        for _ in range(20):
            blank_unsaid(text)
        return process_time() - begun

    prose = ("The ferry carries lamps, and that was accepted.\n" * 600)[:20_000]
    assert seconds((piece * 20_000)[:20_000]) < 40 * seconds(prose)
