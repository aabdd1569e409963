"""Headings that take back what stands under them, however they are written, and where a text stands under none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.reason.section import denies, heading_over, is_taken_back, sections, turns_over

SENTENCE = "Redis holds the queue."


def over(text: str) -> str:
    """Return the heading that the sentence stands under, if it takes that back."""
    return heading_over(text.index(SENTENCE), sections(text))


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        (f"## Rejected\n{SENTENCE}", "Rejected"),
        (f"# Queue\n\n### Rejected *options* ###\n\nMore.\n\n{SENTENCE}", "Rejected options"),
        (f"Queue\n=====\n\nNon-Goals\n---------\n\n- {SENTENCE}", "Non-Goals"),
        (f"Intro.\n\nOut of scope\n~~~~~~~~~~~~\n{SENTENCE}", "Out of scope"),
        (f"Intro.\n\n**Alternatives considered:**\n\n1. {SENTENCE}", "Alternatives considered"),
        (f"__Cons__\n- {SENTENCE}", "Cons"),
        (f"== Rejected ideas ==\n\nMore.\n\n{SENTENCE}", "Rejected ideas"),
        (f"Intro.\n=== ''Drawbacks'' ===\n{SENTENCE}", "''Drawbacks''"),
    ],
)
def test_a_heading_that_takes_back_is_told_with_what_stands_under_it(text: str, heading: str) -> None:
    """Of Markdown, underlined, or a line in bold; without its marks."""
    assert over(text) == heading


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE,
        f"## Decision\n{SENTENCE}",
        f"## Rejected\nKafka.\n\n## Decision\n{SENTENCE}",
        f"{SENTENCE}\n\n## Rejected\nKafka.",
        f"---\ntitle: Queue\nstatus: rejected\n---\n{SENTENCE}",
        f"The **rejected** plan.\n{SENTENCE}",
        f"#Rejected\n{SENTENCE}",
        f"== rejected\n{SENTENCE}",
        f"{'Rejected ' * 20}\n======\n{SENTENCE}",
    ],
    ids=["none", "another", "ended", "before it", "front matter", "inside a line", "a tag", "not closed", "too long"],
)
def test_what_stands_under_no_such_heading_is_as_it_says(text: str) -> None:
    """The twin: a section ends with the next one, whatever that is."""
    assert over(text) == ""


def test_a_heading_itself_stands_under_none() -> None:
    """It is a sentence as well."""
    text = "## Rejected options\nKafka.\n\n## Rejected for good\nRedis."
    assert heading_over(text.index("## Rejected for"), sections(text)) == ""


@pytest.mark.parametrize(
    ("heading", "turned"), [("Rejected", True), ("Non-goals", True), ("Risks", False), ("Considered options", False)]
)
def test_a_drawback_is_so_and_what_was_rejected_is_not(heading: str, turned: bool) -> None:  # noqa: FBT001 - a table
    """Among the options that were considered is the one that was chosen."""
    assert turns_over(heading) is turned


def test_a_sentence_that_says_itself_that_something_is_not_so_needs_no_heading() -> None:
    """The twin: a plain one does."""
    assert denies("We don’t support Chinese.")
    assert denies("Kafka was rejected.")
    assert not denies("The notes of the knotted rope.")


def test_a_sentence_behind_such_a_word_is_taken_back_unless_it_denies_itself() -> None:
    """The twin: behind another word it is as it says, and so is what has that word elsewhere."""
    assert is_taken_back("Rejected: Redis holds the queue.")
    assert is_taken_back("Non-goals of this release: Admins tune the ranking.")
    assert not is_taken_back("Rejected: Redis does not hold what was written.")
    assert not is_taken_back("Decision: Redis holds the queue.")
    assert not is_taken_back("We rejected Kafka.")


@given(st.text(alphabet="#*_=-~ \nRejcted:", max_size=300))
def test_sections_come_in_order_and_each_ends_before_the_next(text: str) -> None:
    """Whatever the text is; no two share a sign."""
    found = sections(text)
    ends = [place for each in found for place in (each.start, each.body)]
    assert ends == sorted(ends)
    assert all(0 <= place <= len(text) for place in ends)


@pytest.mark.parametrize("part", ["# ", "#" * 7, "**a", "\n\na\n==", "__", "* ", "a" * 79 + "\n"])
def test_headings_are_found_in_linear_time(part: str) -> None:
    """Ten times the text takes about ten times as long, not a hundred."""

    def taken(times: int) -> float:
        text = part * times
        started = time.process_time()
        sections(text)
        return time.process_time() - started

    small = min(taken(2_000) for _ in range(5))
    assert min(taken(20_000) for _ in range(5)) < 40 * small + 0.005
