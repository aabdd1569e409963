"""What did not help solves nothing: which words say so of a remedy, and which only tell of the trouble."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from weft.model import Node
from weft.reason.failing import failure
from weft.reason.pair import pairs

DAY_ONE = datetime(2026, 1, 1, tzinfo=UTC)


def told(kind: str, title: str, content: str) -> Node:
    """Return a node of this kind."""
    return Node(
        id=kind,
        kind=kind,
        title=title,
        content=content,
        ontology="tests",
        created_at=DAY_ONE,
        created_by="ann",
        modified_at=DAY_ONE,
        modified_by="ann",
    )


DRIP = told("problem", "The kitchen tap drips", "The kitchen tap drips all night.")
WASHER = told("fix", "New washer in the tap", "The kitchen tap got a new washer.")


def found(new: Node, other: Node) -> tuple[str, str]:
    """Return the type of what the table finds, and what becomes of it."""
    (finding,) = pairs(new, [(other, 0.9, False)], popularity={})
    assert ("but one says «" in finding.reasoning) == (finding.action == "suggest")
    return finding.type, finding.action


@pytest.mark.parametrize(
    "said",
    [
        "It did not help at all.",
        "The washer didn’t really fix the kitchen tap.",
        "The washer never worked.",
        "That was no use.",
        "Turned by hand, in vain.",
        "Tightened twice, to no avail.",
        "It made no difference.",
        "By the next evening it came back.",
        "It had no effect.",
        "The tap was quiet, but the dripping came back.",
        "The tap dripped no more, and the problem recurred in May.",
        "The new washer failed to\nhelp.",
    ],
)
def test_of_a_remedy_that_failed_it_is_only_asked_what_it_solves(said: str) -> None:
    """Whichever of the two was stored first."""
    failed = replace(WASHER, content=f"{WASHER.content} {said}")
    assert found(failed, replace(DRIP, title="Dripping kitchen tap")) == ("solves", "suggest")
    assert found(DRIP, replace(failed, title="Washer, and the tap drips")) == ("solves", "suggest")


@pytest.mark.parametrize(
    "said",
    [
        "It helped at once.",
        "If that does not help, turn the water off.",
        "The tap did not work since the washer was worn.",
        "Do not fix it with tape.",
        "The plumber came back with a washer.",
    ],
)
def test_a_condition_an_order_or_a_word_on_the_trouble_is_no_failure(said: str) -> None:
    """The near misses."""
    assert found(replace(WASHER, content=f"{WASHER.content} {said}"), DRIP) == ("solves", "create")


def test_what_was_away_and_came_back_is_cured() -> None:
    """Where the trouble is that a thing is gone, its return is what was wanted."""
    pod = told("fix", "Restart the gateway", "Restarted it, and the gateway came back.")
    assert not failure(pod, told("error", "Gateway down at noon", "It answers nobody."), later=True)
    assert failure(replace(pod, content="The delays came back."), told("error", "Delays at noon", ""), later=True)


def test_a_trouble_that_says_what_did_not_help_speaks_of_what_was_tried_before() -> None:
    """A later remedy is meant only where it is named; an earlier one may be, however it is called."""
    drip = replace(DRIP, content=f"{DRIP.content} Tightening did not help.")
    assert found(drip, WASHER) == ("solves", "suggest")
    assert found(WASHER, drip) == ("solves", "create")
    assert found(replace(WASHER, title="Tightening the washer"), drip) == ("solves", "suggest")


@pytest.mark.parametrize(
    ("title", "content"),
    [
        ("The login does not work", "Since noon the login does not work."),
        ("Names of hosts are not found", "They do not resolve outside of the office."),
        ("The flag is ignored", "Setting it has no effect."),
    ],
)
def test_a_trouble_that_does_not_work_is_no_remedy_that_failed(title: str, content: str) -> None:
    """It is what is wrong."""
    assert not failure(WASHER, told("problem", title, content), later=False)


def test_only_what_solves_is_asked_for_a_failure() -> None:
    """The other rows of the table stay as they are."""
    insight = told("insight", "Washers in taps", "A washer did not help.")
    assert found(insight, WASHER) == ("builds_on", "create")
