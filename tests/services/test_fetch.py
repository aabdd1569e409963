"""Fetch: a node with all that hangs on it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from services.readers import recall_of, usage_of
from weft.errors import Ambiguous, InvalidArgument, NotFound
from weft.model import RelateRequest, SearchRequest, UpdateRequest
from weft.services.recall.fetching import RELATIONS_MAX
from weft.vocabulary import RELATION_TYPES

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.services.recall.recall import Recall


@pytest.fixture
def recall(desk: Desk, tmp_path: Path) -> Recall:
    """The reading verbs over the desk."""
    return recall_of(desk, tmp_path)


def test_a_node_answers_to_id_title_alias_and_prefix(desk: Desk, recall: Recall) -> None:
    """Whatever names it, the same node comes back whole."""
    node = desk.add("How long answers are kept.", title="Cache policy", aliases=("eviction rules",)).node
    for name in (node.id, "cache POLICY", "Eviction rules", node.id[:23]):
        assert recall.fetch(name, desk.call()).node == node


def test_relations_are_seen_from_both_ends(desk: Desk, recall: Recall) -> None:
    """Each comes with the node at its other end; the relation's own source and target say its direction."""
    left, middle, right = (desk.add(f"Station {name}.").node for name in ("left", "middle", "right"))
    desk.join(left.id, middle.id, "follows")
    desk.join(middle.id, right.id, "requires")
    fetched = recall.fetch(middle.id, desk.call())
    assert {(relation.type, relation.source == middle.id, other.id) for relation, other in fetched.relations} == {
        ("follows", False, left.id),
        ("requires", True, right.id),
    }


def test_all_relations_of_a_hub_are_counted_where_not_all_are_given(desk: Desk, recall: Recall) -> None:
    """A page of two hundred is not the whole, and the weakest neighbour is one too."""
    hub = desk.add("The hub.").node
    spokes = [desk.add(f"Spoke {number}.").node for number in range(RELATIONS_MAX // len(RELATION_TYPES) + 1)]
    for spoke, kind in itertools.product(spokes, RELATION_TYPES):
        desk.join(hub.id, spoke.id, kind)
    fetched = recall.fetch(hub.id, desk.call())
    assert len(fetched.relations) == RELATIONS_MAX < fetched.relation_count == len(spokes) * len(RELATION_TYPES)
    assert recall.search(SearchRequest(query="", related_to=hub.id), desk.call()).total == len(spokes)


def test_evidence_comes_with_its_source_and_the_quote_stands_in_it(desk: Desk, recall: Recall) -> None:
    """The evidence of a relation is found from either node, and its place in the source is exact."""
    one, two = (desk.add(f"Claim {name}.").node for name in ("one", "two"))
    request = RelateRequest(
        source=one.id, target=two.id, type="supports", reasoning="said so", evidence="Page 4 says that one needs two."
    )
    relation = desk.relate.relate(request, desk.call()).relation
    for end in (one.id, two.id):
        ((evidence, source),) = recall.fetch(end, desk.call()).evidence
        assert evidence.subject == relation.id
        assert source.text[evidence.start : evidence.end] == evidence.quote


def test_mentions_say_their_direction(desk: Desk, recall: Recall) -> None:
    """What a text names, and what names it, are told apart, with the name that stands there."""
    marlow = desk.add("It runs in the cellar.", title="Marlow").node
    printing = desk.add("Invoices are printed by Marlow.", title="Invoice printing").node
    assert ("mentions", marlow.id, "Marlow", "marlow") in recall.fetch(printing.id, desk.call()).mentions
    named_in = ("mentioned_in", printing.id, "Invoice printing", "marlow")
    assert named_in in recall.fetch(marlow.id, desk.call()).mentions


def test_history_tells_what_changed_newest_first(desk: Desk, recall: Recall) -> None:
    """The concise form names the changes, the detailed one also the fields, before and after."""
    node = desk.add("First words.", title="Draft").node
    desk.capture.update(UpdateRequest(id=node.id, title="Final"), desk.call(actor="grace"))
    short = recall.fetch(node.id, desk.call()).history
    assert [(row["action"], row["actor"]) for row in short] == [("update", "grace"), ("create", "ada")]
    assert "changed" not in short[0]
    long = recall.fetch(node.id, desk.call(), detail="detailed").history
    assert long[0]["changed"]["title"] == ["Draft", "Final"]
    assert "content" not in long[0]["changed"]


def test_depth_adds_farther_neighbours_level_by_level(desk: Desk, recall: Recall) -> None:
    """Depth 1 adds none, depth 3 those two and three relations away: each once, nearest first, with what led there."""
    chain = [desk.add(f"Station {name} of the line.").node for name in ("one", "two", "three", "four", "five")]
    for before, after in itertools.pairwise(chain):
        desk.join(before.id, after.id, "follows")
    assert recall.fetch(chain[0].id, desk.call()).neighbours == ()
    found = recall.fetch(chain[0].id, desk.call(), depth=3).neighbours
    assert [node.id for node, _ in found] == [chain[2].id, chain[3].id]
    assert [(relation.source, relation.target) for _, relation in found] == [
        (chain[1].id, chain[2].id),
        (chain[2].id, chain[3].id),
    ]


def test_a_forgotten_node_is_refused_with_the_batch_that_brings_it_back(desk: Desk, recall: Recall) -> None:
    """The batch is told once, when the node goes: whoever comes later needs it from somewhere."""
    node = desk.add("The old mail server is called hermes.").node
    gone = desk.capture.forget(node.id, desk.call(), confirm=True)
    with pytest.raises(NotFound, match="forgot on") as refused:
        recall.fetch(node.id, desk.call())
    assert gone.batch in refused.value.hint


def test_what_is_not_there_is_said(desk: Desk, recall: Recall) -> None:
    """Unknown, ambiguous and forgotten names are three different answers."""
    with pytest.raises(NotFound, match="id"):
        recall.fetch("no such thing", desk.call())
    first = desk.add("The one.", title="Twin").node
    desk.add("The other.", title="Twin")
    with pytest.raises(Ambiguous) as raised:
        recall.fetch("Twin", desk.call())
    assert len(raised.value.candidates) == 2
    desk.capture.forget(first.id, desk.call(), reason="enough", confirm=True)
    with pytest.raises(NotFound, match="forgot"):
        recall.fetch(first.id, desk.call())


@pytest.mark.parametrize("fields", [{"detail": "everything"}, {"depth": 0}, {"depth": 6}])
def test_values_out_of_bounds_are_refused(desk: Desk, recall: Recall, fields: dict[str, object]) -> None:
    """Nothing is read for them."""
    node = desk.add("A text.").node
    with pytest.raises(InvalidArgument, match=next(iter(fields))):
        recall.fetch(node.id, desk.call(), **fields)


def test_a_fetched_node_counts_as_used(desk: Desk, recall: Recall, tmp_path: Path) -> None:
    """Once for each time."""
    node = desk.add("A text.").node
    for _ in range(3):
        recall.fetch(node.id, desk.call())
    assert usage_of(tmp_path).uses((node.id,))[node.id][0] == 3
