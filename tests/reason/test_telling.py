"""Telling: what a text says in prose that it does to another which it names."""

from __future__ import annotations

from random import random
from time import process_time

import pytest

from weft.reason.numbering import numbers
from weft.reason.telling import TOLD, names, told
from weft.testing.making import a_node


@pytest.mark.parametrize(
    ("sentence", "relation_type", "outgoing"),
    [
        ("Consumers must be idempotent, so this needs ADR-7 first.", "requires", True),
        ("This replaces ADR-7.", "supersedes", True),
        ("This record was superseded by ADR-7.", "supersedes", False),
        ("It has been replaced with ADR 0007.", "supersedes", False),
        ("It replaces ADRs 3 and 7.", "supersedes", True),
        ("It was superseded by :adr:`3` and :adr:`7`, which were accepted.", "supersedes", False),
        ("It replaces ADR\u202f7 with a log.", "supersedes", True),
        ("This record is made obsolete by ADR-7.", "supersedes", False),
        (
            "This was superseded by the keys for idempotent writes and the scheme of retries that stand in ADR-7.",
            "supersedes",
            False,
        ),
        ("Depends on idempotency keys (ADR-7), since a retry may charge twice.", "requires", True),
        ("This decision builds on [[Idempotency keys]].", "builds_on", True),
        ("This depends on [[ADR-7]].", "requires", True),
        ("This depends on [[adr-0007-idempotency.md|the keys]].", "requires", True),
        ("This replaces [the keys](../adr/adr-0007.md).", "supersedes", True),
        ("This replaces `the keys <https://adrs.example/adr-0007/>`__.", "supersedes", True),
        ("This depends on [[Idempotency keys]].", "depends_on", True),
        ("ADR-12 replaces ADR-7.", "supersedes", True),
        ("As of May, ADR 0012 replaces ADR-3 and ADR-7.", "supersedes", True),
        ("[[ADR-12: Outbox]] builds on [[Idempotency keys]].", "builds_on", True),
        ("ADR-12 has been superseded by ADR-7.", "supersedes", False),
    ],
)
def test_what_a_sentence_asserts_of_its_document_is_told(sentence: str, relation_type: str, *, outgoing: bool) -> None:
    """By a number, or by a link to a title."""
    one = a_node("ADR-12: Outbox", content=f"Events go to an outbox. {sentence} That is all.")
    other = a_node("ADR-7: Idempotency keys", content="Every write has a key.", aliases=("Idempotency keys",))
    for new, known in ((one, other), (other, one)):
        (found,) = told(new, [known], {each.id: numbers(each) for each in (one, other)})
        ends = (one.id, other.id) if outgoing else (other.id, one.id)
        assert (found.type, found.source_id, found.target_id) == (relation_type, *ends)
        assert (found.rule, found.action) == (TOLD, "suggest")
        assert " ".join(sentence.split())[:30] in found.reasoning


@pytest.mark.parametrize(
    "sentence",
    [
        "See ADR-7.",
        "Ann suggested replacing ADR-7.",
        "The new queue replaces the old one, as ADR-7 says.",
        "This replaces the Redis part of ADR-7.",
        "This replaces the two tables in ADR-7.",
        "This does not replace ADR-7.",
        "`This replaces` is what ADR-7 says.",
        "It prints `This replaces [the keys](adr-0007.md)`.",
        "This depends on [[ADR-7 in practice]].",
        "A record may say:\n\n```\nThis replaces ADR-7.\n```\n",
        "The file will be::\n\n    requires = ['keys']  # ADR-7",
        "Events wait.\n\n## Rejected alternatives\n\nThis replaces ADR-7.",
        "After a long talk of the old scheme Ann said in May that this\nreplaces ADR-7.",
        "- ADR-5: Locks\n  (superseded by ADR-7)",
        "Besides, this table of keys has been deprecated in favour of ADR-7.",
        "ADR-11 replaces ADR-7.",
        "ADR-12 says that ADR-11 replaces ADR-7.",
        "ADR-12 does not replace ADR-7.",
        "The second table of ADR-12 replaces ADR-7.",
        "ADR-12 replaces ADR-12.",
        "ADRs 3 and 12 are fresh, and this replaces ADR-7 §4.",
        "This scheme requires the keys of all the services that write events to the outbox table; they stand in ADR-7.",
    ],
)
def test_what_is_named_for_another_reason_is_not(sentence: str) -> None:
    """What is replaced in part alone still stands."""
    one, other = a_node("ADR-12: Outbox", content=sentence), a_node("ADR-7: Keys", content="Every write has a key.")
    assert told(one, [other], {each.id: numbers(each) for each in (one, other)}) == ()


def test_of_titles_those_are_looked_up_that_something_is_told_of() -> None:
    """A link alone tells nothing; a mention of the title is found without."""
    assert names("This depends on [[Phytochrome|the receptor]]. See [[Auxin]].") == ("phytochrome",)
    assert names("Nothing is named here.") == ()


def test_a_sentence_of_many_references_takes_no_longer_for_each() -> None:
    """Texts are untrusted: eight times as many take about eight times as long, and not sixty-four."""
    few, many = (min(_took(count) for _ in range(3)) for count in (100, 800))
    assert many < 24 * few


def _took(count: int) -> float:
    text = f"{count}{random()} {'this replaces ADR-7 and ' * count}"
    began = process_time()
    assert names(text) == ()
    return process_time() - began
