"""Changing a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from weft.errors import Conflict, InvalidArgument, NotFound
from weft.model import (
    Filter,
    RelationWish,
    Status,
    SuggestionKind,
    SuggestionQuery,
    SynthesizeRequest,
    Tier,
    UpdateRequest,
)
from weft.services.naming import resolve

if TYPE_CHECKING:
    from services.desk import Desk
    from weft.model import Updated


def _update(desk: Desk, id_: str, **fields: object) -> Updated:
    return desk.capture.update(UpdateRequest(id=id_, **fields), desk.call(tool="update", actor="grace"))


def test_only_named_fields_change_and_each_is_told_with_before_and_after(desk: Desk) -> None:
    """What is not named stays; what is named and equal is not told."""
    node = desk.add("Tokens expire after an hour.", title="Token life", kind="claim", tags=("auth",)).node
    updated = _update(desk, "token life", tags=("auth", "jwt"), importance=0.9, title="Token life")
    assert updated.changed == {"tags": (("auth",), ("auth", "jwt")), "importance": (0.5, 0.9)}
    stands = desk.node(node.id)
    assert (stands.tags, stands.importance, stands.content) == (("auth", "jwt"), 0.9, node.content)
    assert (stands.version, stands.modified_by, stands.created_by) == (2, "grace", "ada")
    assert stands.modified_at > node.modified_at
    assert updated.version == 2


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "No field to change"),
        ({"title": "Token life"}, "nothing to change"),
        ({"title": " "}, "title is empty"),
        ({"kind": "poem"}, "kind"),
        ({"confidence": -0.1}, "confidence"),
        ({"status": Status.ACTIVE, "superseded_by": "Token life"}, "status"),
        ({"superseded_by": "Token life"}, "same node"),
    ],
)
def test_an_update_that_says_nothing_or_nonsense_writes_nothing(
    desk: Desk, fields: dict[str, object], said: str
) -> None:
    """The field is named, the graph stays as it is."""
    node = desk.add("Tokens expire after an hour.", title="Token life", kind="claim").node
    before = desk.measure()
    with pytest.raises(InvalidArgument, match=said):
        _update(desk, node.id, **fields)
    assert desk.measure() == before


def test_a_version_that_stands_no_longer_is_a_conflict_that_shows_both(desk: Desk) -> None:
    """The caller sees who changed it, and nothing is written."""
    node = desk.add("Tokens expire after an hour.", title="Token life", kind="claim").node
    _update(desk, node.id, importance=0.9, if_version=1)
    before = desk.measure()
    with pytest.raises(Conflict, match=r"version 2, not 1: grace changed it") as caught:
        _update(desk, node.id, importance=0.1, if_version=1)
    assert caught.value.candidates[0].why == "version 2 stands, version 1 was expected"
    assert desk.measure() == before


def test_a_new_text_is_found_and_the_old_one_no_longer(desk: Desk) -> None:
    """A change of content is embedded and indexed anew."""
    node = desk.add("Herring migrate north in spring.", kind="claim", title="Note").node
    desk.add("Violins are made of spruce and maple.", kind="claim")
    _update(desk, node.id, content="The compiler inlines small functions.")
    vector = desk.embedder.embed(["inlining by the compiler"])[0]
    assert desk.vectors.nearest(vector, filter=Filter(), limit=1)[0].node == node.id
    assert [hit.node for hit in desk.words.search("inlines", filter=Filter(), limit=5)] == [node.id]
    assert not desk.words.search("herring", filter=Filter(), limit=5)


def test_a_title_that_was_taken_from_the_text_follows_a_corrected_text(desk: Desk) -> None:
    """Else the node goes on stating by its name what was corrected; a name of its own stays, and a given one counts."""
    node = desk.add("The dentist is on Monday.\n\nBring the card.", kind="claim").node
    updated = _update(desk, node.id, content="The dentist is on Tuesday.\n\nBring the card.")
    assert updated.changed["title"] == ("The dentist is on Monday.", "The dentist is on Tuesday.")
    assert desk.node(node.id).title == "The dentist is on Tuesday."
    assert "title" not in _update(desk, node.id, content="The dentist is on Tuesday.\n\nBe early.").changed
    assert _update(desk, node.id, content="It is on Friday.", title="Dentist").changed["title"][1] == "Dentist"
    assert "title" not in _update(desk, node.id, content="It is on Sunday.").changed


def test_a_new_title_is_mentioned_in_what_was_written_before(desk: Desk) -> None:
    """Mentions are found again."""
    text = desk.add("Everything goes through Blue Harbour at night.", kind="claim").node
    node = desk.add("A place where ships lie.", title="Red Quay", kind="concept").node
    assert not desk.shelf.mentions((node.id,), per_node=5)
    _update(desk, node.id, title="Blue Harbour")
    assert [(each.node, each.target) for each in desk.shelf.mentions((node.id,), per_node=5)] == [(text.id, node.id)]


def test_a_name_that_was_given_up_is_mentioned_no_more(desk: Desk) -> None:
    """Other mentions of the same text stay."""
    harbour = desk.add("A place where ships lie.", title="Blue Harbour", kind="concept").node
    bridge = desk.add("It crosses the river.", title="Stone Bridge", kind="concept").node
    text = desk.add("From Blue Harbour over Stone Bridge.", kind="claim").node
    _update(desk, harbour.id, title="Red Quay")
    assert not desk.shelf.mentions((harbour.id,), per_node=5)
    assert [(each.node, each.target) for each in desk.shelf.mentions((bridge.id,), per_node=5)] == [
        (text.id, bridge.id)
    ]


def test_being_superseded_writes_relation_and_status_together(desk: Desk) -> None:
    """Both nodes carry the time of it."""
    old = desk.add("We deploy on Fridays.", title="Friday deploys", kind="decision").node
    new = desk.add("Mondays are for rollouts.", title="Monday deploys", kind="decision").node
    updated = _update(desk, old.id, superseded_by="monday deploys")
    assert updated.changed["status"] == (Status.ACTIVE, Status.SUPERSEDED)
    (relation,) = desk.store.relations((old.id,), types=("supersedes",))
    assert (relation.source, relation.target) == (new.id, old.id)
    assert desk.node(old.id).modified_at == desk.node(new.id).modified_at
    assert len({change.batch for id_ in (old.id, new.id) for change in desk.log.history(id_, limit=1)}) == 1


def test_a_changed_text_under_a_learned_relation_is_drift(desk: Desk) -> None:
    """What was learned about the old text may not hold for the new."""
    ends = [
        desk.add(text, title=title, kind="concept").node
        for title, text in (("Token bucket", "A bucket refills at a steady rate."), ("Leaky pipe", "A pipe drips."))
    ]
    desk.synthesize.synthesize(
        SynthesizeRequest(
            label="Rate limits", bridges=tuple(each.id for each in ends), evidence="Both let a rate pass."
        ),
        desk.call(),
    )
    _update(desk, ends[0].id, content="Violins are made of spruce and maple.")
    drift = desk.store.suggestions(SuggestionQuery(kinds=(SuggestionKind.DRIFT,)))[0]
    assert [item.grounds["learned_id"] for item in drift] == ["learned_2026-03-02_001"]
    assert ends[0].id in drift[0].subjects


def test_a_changed_text_without_learned_relations_is_no_drift(desk: Desk) -> None:
    """The twin: an ordinary relation does not make one."""
    first = desk.add("Herring migrate north in spring.", kind="claim").node
    node = desk.add(
        "Violins are made of spruce.", kind="claim", relations=(RelationWish(type="uses", target=first.id),)
    ).node
    _update(desk, node.id, content="The compiler inlines small functions.")
    assert not desk.store.suggestions(SuggestionQuery(kinds=(SuggestionKind.DRIFT,)))[0]


def test_a_forgotten_node_cannot_be_updated(desk: Desk) -> None:
    """It has to come back first."""
    node = desk.add("Herring migrate north in spring.", kind="claim").node
    desk.capture.forget(node.id, desk.call(), confirm=True)
    with pytest.raises(NotFound):
        _update(desk, node.id, importance=0.1)


KEPT = "Sessions are kept in Redis for thirty minutes."


def _open(desk: Desk) -> list[SuggestionKind]:
    return [each.kind for each in desk.store.suggestions(SuggestionQuery())[0]]


def test_a_new_text_is_compared_as_a_captured_one_is(desk: Desk) -> None:
    """What it contradicts, repeats or differs from is told, and asked about; a new title alone is not compared."""
    kept = desk.add(KEPT, title="Kept", kind="claim").node
    desk.add("The queue retries a message five times.", title="Queue", kind="claim")
    assert not _update(desk, "queue", title="Retries").conflicts
    denied = _update(desk, "retries", content="Sessions are not kept in Redis for thirty minutes.")
    assert [each.node.id for each in denied.conflicts] == [kept.id]
    assert _open(desk) == [SuggestionKind.CONFLICT]
    repeated = _update(desk, "retries", content="Sessions are kept for thirty minutes in Redis.")
    assert [each.id for each in repeated.near_duplicates] == [kept.id]
    assert not repeated.conflicts


def test_a_kind_that_is_named_takes_the_place_of_a_guess_and_of_its_doubt(desk: Desk) -> None:
    """As if it had been named at first; a confidence that somebody gave stays, and an undo brings back the question."""
    doubted = desk.add("Retries back off from 200 ms.").node
    assert _open(desk) == [SuggestionKind.CLASSIFICATION]
    named = _update(desk, doubted.id, kind="convention")
    assert named.changed["confidence"] == (doubted.confidence, 0.8)
    assert _open(desk) == []
    desk.curate.undo(named.batch, desk.call(tool="undo"))
    assert _open(desk) == [SuggestionKind.CLASSIFICATION]
    given = desk.add("Retries back off from 300 ms.", confidence=0.6).node
    assert "confidence" not in _update(desk, given.id, kind="convention").changed


def test_a_question_that_a_new_text_settles_is_closed_and_an_undo_asks_it_again(desk: Desk) -> None:
    """A contributor, who may decide none, leaves it open."""
    desk.add(KEPT, title="Kept", kind="claim")
    denying = desk.add("Sessions are not kept in Redis for thirty minutes.", kind="claim").node
    assert _open(desk) == [SuggestionKind.CONFLICT]
    wish = UpdateRequest(id=denying.id, content="The queue retries a message five times.")
    desk.capture.update(wish, desk.call(tool="update", tier=Tier.CONTRIBUTOR))
    assert _open(desk) == [SuggestionKind.CONFLICT]
    settled = _update(desk, denying.id, content="The queue retries a message six times.")
    assert _open(desk) == []
    desk.curate.undo(settled.batch, desk.call(tool="undo"))
    assert _open(desk) == [SuggestionKind.CONFLICT]


def test_what_a_new_text_says_of_a_node_that_somebody_related_is_told_and_not_asked(desk: Desk) -> None:
    """Who related the two has read both."""
    kept = desk.add(KEPT, title="Kept", kind="claim").node
    other = desk.add("The queue retries a message five times.", title="Queue", kind="claim").node
    desk.join(other.id, kept.id, "extends")
    told = _update(desk, other.id, content="Sessions are not kept in Redis for thirty minutes.")
    assert [each.node.id for each in told.conflicts] == [kept.id]
    assert _open(desk) == []


def test_a_new_number_in_the_title_is_what_the_node_answers_to(desk: Desk) -> None:
    """What others said of the new one leads to it from then on, and the old one leads nowhere."""
    node = desk.add("We queue with RabbitMQ.", title="ADR-3: Queues", aliases=("the rabbit",)).node
    other = desk.add("It rests on ADR-4.", title="Retries").node
    updated = _update(desk, node.id, title="ADR-4: Queues")
    assert updated.changed["aliases"] == (("the rabbit", "ADR 3"), ("the rabbit", "ADR 4"))
    assert resolve(desk.store, "ADR-4", field="id").id == node.id
    with pytest.raises(NotFound):
        resolve(desk.store, "ADR-3", field="id")
    assert [each.target for each in desk.shelf.mentions([other.id], per_node=9)] == [node.id]


def test_a_title_that_keeps_its_number_keeps_its_names(desk: Desk) -> None:
    """The twin of the test above; a number in the first line of the text stays too, whatever the title says."""
    node = desk.add("We queue with RabbitMQ.", title="ADR-3: Queues").node
    assert "aliases" not in _update(desk, node.id, title="ADR-3: All queues").changed
    written = desk.add("# ADR-7: Keys\n\nEvery write has a key.").node
    assert _update(desk, written.id, title="ADR-8: Keys").changed["aliases"] == (("ADR 7",), ("ADR 7", "ADR 8"))
