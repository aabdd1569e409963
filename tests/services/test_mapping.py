"""The map: the best related nodes of the graph or of a part of it, and the relations among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from services.readers import recall_of
from weft.errors import InvalidArgument
from weft.model import CaptureRequest, Linking, MapRequest, Status, UpdateRequest
from weft.services.recall import mapping

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.model import GraphMap, Node
    from weft.services.recall.recall import Recall


@pytest.fixture
def recall(desk: Desk, tmp_path: Path) -> Recall:
    """The reading verbs over the desk."""
    return recall_of(desk, tmp_path)


def star(desk: Desk) -> dict[str, Node]:
    """Write a hub of three rays, a fourth node beyond one of them, and one that nothing leads to; by name."""
    made = {}
    for name, ontology in (("hub", "sky"), ("a", "sky"), ("b", "sky"), ("c", "sea"), ("far", "sea"), ("alone", "sea")):
        wish = CaptureRequest(
            content=f"This is {name}.", title=name, kind="concept", ontology=ontology, linking=Linking.NONE
        )
        made[name] = desk.capture.capture(wish, desk.call()).node
    for one, other in (("hub", "a"), ("b", "hub"), ("hub", "c"), ("c", "far")):
        desk.join(made[one].id, made[other].id, "affects")
    return made


def titles(found: GraphMap) -> list[tuple[str, int]]:
    """Return what stands on a map, and how many relations each has."""
    return [(each.node.title, each.relation_count) for each in found.nodes]


def ties(found: GraphMap) -> set[tuple[str, str]]:
    """Return the relations of a map by the titles of their ends."""
    names = {each.node.id: each.node.title for each in found.nodes}
    return {(names[each.source], names[each.target]) for each in found.relations}


def test_an_empty_graph_has_an_empty_map(desk: Desk, recall: Recall) -> None:
    """Nothing of nothing."""
    found = recall.map(MapRequest(), desk.call())
    assert found.nodes == found.relations == ()
    assert found.nodes_total == found.relations_total == found.looked_at == 0


def test_a_small_graph_is_mapped_whole_the_best_related_first(desk: Desk, recall: Recall) -> None:
    """What nothing leads to stands there too, last."""
    star(desk)
    found = recall.map(MapRequest(), desk.call())
    assert titles(found) == [("hub", 3), ("c", 2), ("far", 1), ("b", 1), ("a", 1), ("alone", 0)]
    assert ties(found) == {("hub", "a"), ("b", "hub"), ("hub", "c"), ("c", "far")}
    assert (found.nodes_total, found.relations_total, found.looked_at) == (6, 4, 6)
    assert (found.ontologies, found.kinds) == ({"sky": 3, "sea": 3}, {"concept": 6})


def test_of_a_larger_graph_the_best_related_are_shown_with_what_joins_these(desk: Desk, recall: Recall) -> None:
    """No relation leads off the map, and each node says how many it has in all."""
    star(desk)
    found = recall.map(MapRequest(limit=2), desk.call())
    assert titles(found) == [("hub", 3), ("c", 2)]
    assert ties(found) == {("hub", "c")}
    assert (found.nodes_total, found.relations_total) == (6, 1)


def test_a_map_of_a_part_shows_that_part_alone(desk: Desk, recall: Recall) -> None:
    """Of an ontology or a kind; the counts of the whole graph stay."""
    star(desk)
    found = recall.map(MapRequest(ontology="sea"), desk.call())
    assert titles(found) == [("c", 2), ("far", 1), ("alone", 0)]
    assert ties(found) == {("c", "far")}
    assert (found.nodes_total, found.ontologies["sky"]) == (3, 3)
    assert recall.map(MapRequest(kind="claim"), desk.call()).nodes == ()
    assert len(recall.map(MapRequest(kind="Concept"), desk.call()).nodes) == 6


def test_what_was_forgotten_is_off_the_map_and_what_was_superseded_is_on_it(desk: Desk, recall: Recall) -> None:
    """As in lists of nodes; a map is read anew once the graph has changed."""
    made = star(desk)
    assert len(recall.map(MapRequest(), desk.call()).nodes) == 6
    desk.capture.forget(made["c"].id, desk.call(tool="forget"), confirm=True)
    desk.capture.update(UpdateRequest(id=made["a"].id, status=Status.SUPERSEDED), desk.call(tool="update"))
    found = recall.map(MapRequest(), desk.call())
    assert titles(found) == [("hub", 2), ("b", 1), ("a", 1), ("alone", 0), ("far", 0)]
    assert next(each.node.status for each in found.nodes if each.node.title == "a") is Status.SUPERSEDED


def test_the_same_map_is_not_looked_for_again_while_the_log_stands(desk: Desk, recall: Recall) -> None:
    """Comparing all nodes takes a moment, and pages come back to their map."""
    star(desk)
    first = recall.map(MapRequest(), desk.call())
    assert recall.map(MapRequest(), desk.call()) is first
    assert recall.map(MapRequest(limit=5), desk.call()) is not first
    for limit in range(1, 30):
        recall.map(MapRequest(limit=limit), desk.call())
    desk.add("Something new.")
    assert len(recall.map(MapRequest(), desk.call()).nodes) == 7


def test_of_a_very_large_graph_the_newest_nodes_are_compared_and_that_is_said(
    desk: Desk, recall: Recall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that no map costs more than that."""
    star(desk)
    monkeypatch.setattr(mapping, "LOOKED_MAX", 3)
    found = recall.map(MapRequest(), desk.call())
    assert titles(found) == [("c", 2), ("far", 1), ("alone", 0)]
    assert (found.nodes_total, found.looked_at) == (6, 3)


def test_relations_beyond_what_a_picture_holds_are_counted(
    desk: Desk, recall: Recall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The surest are drawn."""
    star(desk)
    monkeypatch.setattr(mapping, "RELATIONS_MAX", 1)
    found = recall.map(MapRequest(), desk.call())
    assert (len(found.relations), found.relations_total) == (1, 4)


@pytest.mark.parametrize("wrong", [MapRequest(limit=0), MapRequest(limit=501), MapRequest(kind="nothing of the kind")])
def test_what_is_asked_wrongly_is_refused(desk: Desk, recall: Recall, wrong: MapRequest) -> None:
    """With the field and what is allowed."""
    with pytest.raises(InvalidArgument, match=r"limit must lie in 1\.\.500|kind"):
        recall.map(wrong, desk.call())
