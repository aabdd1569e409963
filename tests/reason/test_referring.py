"""Documents that go by a number, and what naming one another makes of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from weft.embed import open_intent
from weft.model import Node
from weft.reason.reference_weights import WEIGHTS
from weft.reason.referring import Beside, features, likeliest, likelihood, weigh

READ = open_intent().read
AT = datetime(2026, 1, 1, tzinfo=UTC)


def document(number: int, text: str, *, title: str = "", **fields: object) -> Node:
    """Return a document of a series."""
    bare = Node(
        id=f"d{number}",
        kind="document",
        title=title or f"Proposal on {number}",
        content=text,
        aliases=(f"NIP-{number}",),
        ontology="tests",
        created_at=AT,
        created_by="ann",
        modified_at=AT,
        modified_by="ann",
    )
    return replace(bare, **fields)


BASE = document(40, "It defines how a ferry signals its berth.", title="Berth signals")


def test_a_document_that_is_drawn_on_throughout_is_required() -> None:
    """Named at once, often, with verbs that draw on it, by its neighbour in the series."""
    text = "This proposal is based on NIP-40. " + "The lamp is lit as defined in NIP-40. " * 12
    (finding,) = likeliest(weigh(document(41, text, title="Lamps"), [BASE], read=READ))
    assert (finding.source_id, finding.target_id, finding.type) == ("d41", "d40", "requires")
    assert finding.action == "suggest"


def test_the_same_is_found_whichever_document_came_first() -> None:
    """Both directions are tried."""
    newer = document(41, "This proposal is based on NIP-40. " + "It is lit as defined in NIP-40. " * 12, title="Lamps")
    assert set(weigh(newer, [BASE], read=READ)) == set(weigh(BASE, [newer], read=READ)) != set()


def test_a_document_that_takes_over_is_suggested_as_the_successor() -> None:
    """Nothing is marked as superseded by a rule."""
    old = document(12, "Superseded by NIP-31. A ferry carries two lamps.", title="Lamps for ferries")
    new = document(31, "This proposal replaces NIP-12. A ferry carries three lamps.", title="Lamps for ferries")
    (finding,) = likeliest(weigh(new, [old], near={"d12": Beside(words=0.6, meaning=0.9, closeness=1.0)}, read=READ))
    assert (finding.source_id, finding.target_id, finding.type) == ("d31", "d12", "supersedes")
    assert finding.action == "suggest"


def test_of_a_pair_both_types_are_weighed_and_the_likelier_agrees() -> None:
    """Whoever knows that a text replaces another is told which one, though it more likely only requires it."""
    new = document(41, "It is lit as defined in NIP-40. " * 12, title="Lamps")
    found = weigh(new, [BASE], floor=0.0, read=READ)
    assert {(each.source_id, each.type) for each in found} == {
        (end, relation_type) for end in ("d41", "d40") for relation_type in WEIGHTS
    }
    assert [each.type for each in likeliest(found) if each.source_id == "d41"] == ["requires"]
    assert likeliest(()) == ()


def test_a_mention_in_passing_says_nothing() -> None:
    """Most references are no relations."""
    text = "Ferries are painted white. " * 200 + "An aside on ropes is in NIP-40."
    assert likeliest(weigh(document(900, text, title="Paint"), [BASE], read=READ)) == ()


def test_documents_without_numbers_are_left_alone() -> None:
    """There is nothing that could name them."""
    one, other = (replace(each, aliases=(), title="Paint") for each in (document(1, "NIP-2"), document(2, "NIP-1")))
    assert features(one, other, names=(), others=()) is None
    assert weigh(one, [other, one], read=READ) == ()


def test_what_speaks_for_a_relation_is_weighed_to_a_likelihood() -> None:
    """Every weight has its feature, and every value lies between 0 and 1."""
    seen = features(document(41, "See NIP-40."), BASE, names=("NIP-41",), others=("NIP-40",))
    assert seen is not None
    for relation_type in WEIGHTS:
        assert 0.0 < likelihood(seen, relation_type) < 1.0


def likely(new: Node, known: Node, relation_type: str) -> float:
    """Return how likely ``new`` is to ``known`` what a type says."""
    found = weigh(new, [known], floor=0.0, read=READ)
    return next(each.confidence for each in found if (each.source_id, each.type) == (new.id, relation_type))


def test_what_a_text_speaks_of_as_past_is_required_less() -> None:
    """It is named as often."""
    lit, was = (f"The lamp is lit, as {word} NIP-40. " * 6 for word in ("in today's", "in the rejected"))
    assert likely(document(41, was), BASE, "requires") < likely(document(41, lit), BASE, "requires")


def test_what_is_older_by_little_is_likelier_required_than_what_came_later() -> None:
    """A proposal builds on those of its time; of what came later it was only changed to speak."""
    text = "It is lit as defined in NIP-40. " * 6
    near, far, before = (likely(document(number, text), BASE, "requires") for number in (41, 900, 39))
    assert near > far > before
