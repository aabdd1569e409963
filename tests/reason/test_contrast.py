"""Statements in the same words that may both hold: small words that lead elsewhere, other times, things, conditions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.reason.clause import read
from weft.reason.contrast import contrasted, elsewhere
from weft.reason.judge import judge, restates
from weft.reason.repeat import adds, differs_in_places, repeats, rewords

LEADING = [
    ("We are migrating to MongoDB.", "We are migrating from MongoDB."),
    ("The licence of the editor is valid until 2027.", "The licence of the editor is valid from 2027."),
    ("Users can enable the second factor.", "Users must enable the second factor."),
    ("Ann was the owner of the product Atlas.", "Ann is the owner of the product Atlas."),
    ("The service will be hosted on Hetzner.", "The service is hosted on Hetzner."),
    ("The data of the survey is mostly anonymised.", "The data of the survey is fully anonymised."),
    ("We need Docker for the tests.", "We use Docker for the tests."),
    ("Ann works with the team of Bob.", "Ann works for the team of Bob."),
    ("Bob had access to the vault.", "Bob has access to the vault."),
]


@pytest.mark.parametrize(("one", "other"), LEADING)
def test_a_small_word_that_leads_elsewhere_makes_another_statement(one: str, other: str) -> None:
    """Neither is merged into the other, offered for that, or taken for the claim itself."""
    for here, there in ((one, other), (other, one)):
        assert contrasted(read(here).words, read(there).words)
        assert not any(same(here, there) for same in (repeats, rewords, adds, differs_in_places, restates))
        assert judge(here, there, similarity=0.99).verdict != "supports"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob is Carla's manager.", "Carla is Bob's manager."),
        ("Give Alice Bob\u2019s laptop.", "Give Bob Alice\u2019s laptop."),
    ],
)
def test_what_is_anothers_is_another_thing(one: str, other: str) -> None:
    """Though all words are the same; the twin says it in one more way."""
    for here, there in ((one, other), (other, one)):
        assert not any(same(here, there) for same in (repeats, rewords, adds, differs_in_places))
    assert repeats(one, one.replace(".", "!"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We are migrating to MongoDB.", "To MongoDB we are migrating."),
        ("The tables move from Oracle to Postgres.", "the tables move from the Oracle to Postgres!"),
        ("The cache is kept in Redis.", "The cache, it is kept in Redis."),
    ],
)
def test_the_same_small_words_lead_to_the_same_place(one: str, other: str) -> None:
    """The twin, wherever they stand."""
    assert not contrasted(read(one).words, read(other).words)
    assert repeats(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob is not available today.", "Bob is available tomorrow."),
        ("Carla is not on call this week.", "Carla is on call next week."),
        ("Interest rates rose last year.", "Interest rates fell this year."),
        ("The team used to use Jira.", "The team does not use Jira."),
        ("Dark mode will be supported.", "Dark mode is not supported."),
        ("Tom says that the interface is stable.", "The interface is unstable."),
        ("Ann likes cats.", "Ann's son dislikes cats."),
        ("Ann does not speak French.", "Ann\u2019s husband speaks French."),
        ("Ticket 81 is fixed.", "Ticket 82 is not fixed."),
        ("The EU region is enabled.", "The US region is disabled."),
        ("Some tests fail.", "Some tests do not fail."),
        ("Half of the servers are online.", "Half of the servers are offline."),
        ("The heater turns on when it is cold.", "The heater turns off when it is warm."),
        ("The repository is public.", "The repository wiki is private."),
        ("We do not export to Salesforce.", "We export from Salesforce."),
        ("Exports are limited to 1000 rows.", "No export has more than 1,000 rows."),
        ("An order never contains more than 50 items.", "An order contains up to 50 items."),
        ("The shop is closed on Mondays.", "The shop is open every day except Monday."),
        ("Kafka replaces RabbitMQ.", "RabbitMQ is replaced with Kafka."),
        ("The monorepo contains the docs.", "The docs are contained in the monorepo."),
        ("Invoice no 4711 is paid.", "Invoice 4711 is paid."),
        ("The limit of a message is 64 KB.", "The limit of a message is 65,536 bytes."),
    ],
)
def test_what_may_hold_beside_it_is_no_conflict(one: str, other: str) -> None:
    """Of another time, of what somebody owns, of another thing of the kind, under another condition, or of some."""
    for claim, text in ((one, other), (other, one)):
        assert judge(claim, text, similarity=0.9).verdict != "conflicts"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob is not available today.", "Bob is available today."),
        ("Carla is not on call next week.", "Carla is on call next week."),
        ("Dark mode will be supported.", "Dark mode will not be supported."),
        ("Ann's son likes cats.", "Ann's son dislikes cats."),
        ("Ticket 81 is fixed.", "Ticket 81 is not fixed."),
        ("The EU region is enabled.", "The EU region is disabled."),
        ("The heater turns on when it is cold.", "The heater does not turn on when it is cold."),
        ("The repository wiki is public.", "The repository wiki is private."),
        ("We do not export to Salesforce.", "We export to Salesforce."),
        ("The cache stores some of the sessions.", "The cache does not store some of the sessions."),
        ("Kafka replaces RabbitMQ.", "RabbitMQ replaces Kafka."),
        ("Kafka is replaced by RabbitMQ.", "RabbitMQ is replaced by Kafka."),
        ("The limit of a message is 64 KB.", "The limit of a message is 128 KB."),
    ],
)
def test_what_cannot_hold_beside_it_is_one(one: str, other: str) -> None:
    """The twins: the same time, owner, thing and condition."""
    assert not elsewhere(one, other)
    for claim, text in ((one, other), (other, one)):
        assert judge(claim, text, similarity=0.9).verdict == "conflicts"


@given(st.text(max_size=120), st.text(max_size=120))
def test_it_does_not_matter_which_comes_first(one: str, other: str) -> None:
    """And no text is elsewhere than itself, unless it speaks of some or under a condition."""
    assert elsewhere(one, other) == elsewhere(other, one)
    assert contrasted(read(one).words, read(other).words) == contrasted(read(other).words, read(one).words)
    assert not contrasted(read(one).words, read(one).words)
