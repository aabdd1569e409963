"""Two texts that settle one matter otherwise: what was chosen for it, where it is kept, from which bound it holds."""

from __future__ import annotations

from random import random
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.reason.choosing import differing_choice, named_beside


@pytest.mark.parametrize(
    ("one", "other", "ground"),
    [
        ("We chose PostgreSQL for the ledger.", "We chose MongoDB for the ledger.", "PostgreSQL, the other MongoDB"),
        ("The team settled on Vue for the UI.", "We went with React for the UI.", "Vue, the other React"),
        ("We use Redis for sessions, as agreed.", "We use Hazelcast for sessions now.", "Redis, the other Hazelcast"),
        ("We picked Go over Rust for the CLI.", "We picked Rust for the CLI.", "Go, the other Rust"),
        ("We deploy with Ansible.", "We deploy with Terraform.", "Ansible, the other Terraform"),
        ("Secrets are kept in Vault.", "Our secrets are now kept in 1Password.", "Vault, the other 1Password"),
        (
            "It was late. Public APIs are versioned by path.",
            "Public APIs are versioned by header.",
            "path, the other header",
        ),
        ("Queues run on RabbitMQ because Ann knows it.", "Queues run on NATS.", "RabbitMQ, the other NATS"),
        ("Carla leads the migration.", "Dmitri leads the migration.", "Carla, the other Dmitri"),
        ("Vents open above 28 degrees.", "Vents open above 31 degrees.", "28 degrees, the other 31 degrees"),
        ("Buffers are set to pH 7.4.", "Buffers are set to pH 8.0.", "pH 7.4, the other pH 8.0"),
        ("It is owned by the core team.", "It is owned by the web team.", ""),
        (
            "Tills are owned by the core team.",
            "Tills are owned by the web team.",
            "the core team, the other the web team",
        ),
    ],
)
def test_two_values_for_one_matter_are_told(one: str, other: str, ground: str) -> None:
    """Whichever comes first; in the words of the texts."""
    assert differing_choice(one, other) == (f"one says {ground}" if ground else "")
    assert bool(differing_choice(other, one)) == bool(ground)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We use Redis.", "We use Postgres."),
        ("We chose Redis for sessions.", "We chose Postgres for the ledger."),
        ("Staging runs in Frankfurt.", "Production runs in Dublin."),
        ("Kafka is used by billing.", "Kafka is used by search."),
        ("The outage is caused by Ann.", "The outage is caused by Bob."),
        ("We chose Postgres for the ledger.", "We chose Postgres 16 for the ledger."),
        ("The kiln was fired in May.", "The kiln was fired in June."),
        ("Logs are kept in S3. Logs are kept in Loki.", "Logs are kept in Loki."),
        ("Carla leads the migration.", "Carla leads the audit."),
        ("Vents open above 28 degrees.", "Vents close below 12 degrees."),
        ("«Ice» is a film. The film is based on a play.", "«Ash» is a film. The film is based on a novel."),
        ("We might pick REST for the API.", "We picked GraphQL for the API."),
        ("Originally secrets were kept in a file. Now secrets are kept in Vault.", "Secrets are kept in Vault."),
    ],
)
def test_what_may_be_many_or_is_of_another_matter_is_not(one: str, other: str) -> None:
    """A use, a cause, another scope or film, the same value said more exactly, two values in one text, a thought."""
    assert differing_choice(one, other) == ""


@pytest.mark.parametrize(
    ("one", "other", "beside"),
    [
        ("The parser depends on regex.", "The parser depends on serde.", True),
        ("Carla owns the billing service.", "Carla owns the search service.", True),
        ("The page is translated into French.", "The page is also translated into Dutch.", True),
        ("We support Debian 12.", "We support Alpine 3.19.", True),
        ("The app supports iOS 15.", "The app supports iOS 17.", False),
        ("The API accepts JSON.", "The API accepts only XML.", False),
        ("The parser depends on regex.", "The lexer depends on regex.", False),
        ("The parser depends on regex.", "The parser depends on regex.", False),
        ("Secrets are kept in Vault.", "Secrets are kept in 1Password.", False),
    ],
)
def test_two_of_what_may_be_many_are_named_beside_each_other(one: str, other: str, *, beside: bool) -> None:
    """Not what a number alone sets apart, nor what is said to be the only one."""
    assert named_beside(one, other) is beside
    assert named_beside(other, one) is beside


@given(st.text(max_size=200))
def test_no_text_settles_a_matter_otherwise_than_itself(text: str) -> None:
    """Whatever it holds."""
    assert differing_choice(text, text) == ""


@pytest.mark.parametrize("part", ["We chose a ", "is kept in ", ". x is ", "a b c d e f above ", "we use a for "])
def test_a_longer_text_takes_no_longer_for_each_character(part: str) -> None:
    """Texts are untrusted: eight times as much takes about eight times as long, and not sixty-four."""
    few, many = (min(_took(part, count) for _ in range(3)) for count in (200, 1_600))
    assert many < 24 * few


def _took(part: str, count: int) -> float:
    text = f"{random()} {part * count}"
    began = process_time()
    differing_choice(text, "Queues run on NATS.")
    return process_time() - began
