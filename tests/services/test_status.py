"""Status: how the graph stands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from services.readers import recall_of
from weft.errors import InvalidArgument
from weft.model import Decision, SaveSuggestion, Status, SuggestionQuery, UpdateRequest
from weft.services.recall.wanting import verdict, wants
from weft.testing.making import a_batch, a_suggestion

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.services.recall.recall import Recall


@pytest.fixture
def recall(desk: Desk, tmp_path: Path) -> Recall:
    """The reading verbs over the desk."""
    return recall_of(desk, tmp_path)


def test_an_empty_graph_stands_too(desk: Desk, recall: Recall) -> None:
    """Nothing is counted, nothing is missing, and the parts are named."""
    standing = recall.status(desk.call())
    assert standing.counts["nodes"] == standing.orphans == 0
    assert standing.hubs == standing.communities == ()
    assert standing.health["model_loaded"] == desk.embedder.name


def test_hubs_orphans_and_communities_are_those_of_the_relations(desk: Desk, recall: Recall) -> None:
    """A star of four and a pair make two communities; who is related to nothing is an orphan, mentioned or not."""
    hub, *rays = (desk.add(f"Star {name} shines.", kind="concept").node for name in ("sun", "a", "b", "c"))
    for ray in rays:
        desk.join(hub.id, ray.id)
    pair = [desk.add(f"Twin {name} walks.", kind="claim").node for name in ("left", "right")]
    desk.join(pair[0].id, pair[1].id, "supports")
    desk.add("It runs in the cellar.", title="Marlow")
    desk.add("Invoices are printed by Marlow.", title="Printing")
    standing = recall.status(desk.call())
    assert standing.hubs[0] == {
        "id": hub.id,
        "title": hub.title,
        "kind": "concept",
        "ontology": "notes",
        "degree": 3,
    }
    assert standing.orphans == 2
    assert [community["size"] for community in standing.communities] == [4, 2]
    assert standing.counts["relations_by_type"]["supports"] == 1


def test_the_shape_follows_the_log(desk: Desk, recall: Recall) -> None:
    """What was looked at once is not shown again after a change."""
    one, two = (desk.add(f"Station {name}.").node for name in ("one", "two"))
    assert recall.status(desk.call()).orphans == 2
    desk.join(one.id, two.id)
    assert recall.status(desk.call()).orphans == 0
    desk.relate.unrelate(one.id, two.id, "relates_to", desk.call())
    assert recall.status(desk.call()).hubs == ()


def test_one_sentence_says_whether_anything_waits_for_somebody(desk: Desk, recall: Recall) -> None:
    """What is to decide and what is marked for review, each with how much of it; once that is done, all is well."""
    assert (recall.status(desk.call()).verdict, recall.status(desk.call()).wants) == ("All is well.", ())
    texts = ("Herring migrate north in spring.", "Violins are made of spruce.")
    one, two = (desk.add(text, kind="claim").node for text in texts)
    for each in (one, two):
        desk.store.commit(a_batch(SaveSuggestion(suggestion=a_suggestion(f"look at {each.id}", each))))
    standing = recall.status(desk.call())
    assert standing.verdict == "Waiting for you: 2 suggestions to decide."
    assert standing.wants == ({"what": "suggestions", "count": 2, "said": "2 suggestions to decide"},)
    desk.capture.update(UpdateRequest(id=one.id, status=Status.NEEDS_REVIEW), desk.call())
    said = "Waiting for you: 2 suggestions to decide, 1 node that needs review."
    assert recall.status(desk.call()).verdict == said
    items, _ = desk.store.suggestions(SuggestionQuery())
    desk.curate.review(tuple(Decision(item=item.id, decision="dismiss") for item in items), desk.call(tool="review"))
    desk.capture.update(UpdateRequest(id=one.id, status=Status.ACTIVE), desk.call())
    assert recall.status(desk.call()).verdict == "All is well."


def test_a_vault_that_lags_and_nobody_keeps_waits_too(desk: Desk) -> None:
    """One that a process keeps is written by that; one that cannot be kept says so, however little waits."""
    counts = desk.store.counts()
    vault = {"on": True, "waiting": 3, "conflicts": 0, "watched": False}
    assert verdict(wants(counts, vault)) == "Waiting for you: 3 notes of the vault to be written."
    assert verdict(wants(counts, vault | {"watched": True})) == verdict(wants(counts, {"on": False})) == "All is well."
    broken = vault | {"problem": "the folder is gone"}
    assert verdict(wants(counts, broken)) == "Waiting for you: a vault that cannot be kept."


def test_all_of_it_is_ready_for_json(desk: Desk, recall: Recall) -> None:
    """In both forms; the detailed one tells of use as well."""
    desk.add("A text.")
    for detail in ("concise", "detailed"):
        standing = recall.status(desk.call(), detail=detail)
        json.dumps([standing.wants, standing.counts, standing.hubs, standing.communities, standing.health])
        assert ("usage" in standing.health) == (detail == "detailed")
    with pytest.raises(InvalidArgument, match="detail"):
        recall.status(desk.call(), detail="all of it")
