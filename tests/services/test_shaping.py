"""The shape of the graph as it is kept: after any change it is what reading all relations anew gives."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from services.merged import bench
from services.readers import recall_of
from weft.model import RelationWish
from weft.services.recall import shaping, standing
from weft.services.recall.shaping import Shaping

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from services.desk import Desk
    from weft.graph import Graph
    from weft.model import Standing
    from weft.reason.shape import Shape


class Counted:
    """A shelf that counts how often all relations are read."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.reads = 0

    def relation_pairs(self, limit: int) -> tuple[tuple[str, str, str], ...]:
        """Return what the graph holds."""
        self.reads += 1
        return self._desk.shelf.relation_pairs(limit)


def shape_of(kept: Shaping, desk: Desk | Graph) -> Shape:
    """Return the shape as it is asked for."""
    return kept.shape(desk.log.head(), desk.store.counts().relations)


def anew(desk: Desk | Graph) -> Shape:
    """Return the shape of all relations, with nothing kept."""
    return shape_of(Shaping(shelf=desk.shelf, log=desk.log, hubs_max=20), desk)


def told(found: Standing) -> tuple[Any, ...]:
    """Return what an answer says of the shape."""
    return found.hubs, found.communities, found.orphans


@pytest.fixture
def kept(desk: Desk) -> Shaping:
    """What keeps the shape of the desk's graph."""
    return Shaping(shelf=desk.shelf, log=desk.log, hubs_max=20)


def test_each_change_leads_to_the_shape_that_reading_all_of_it_gives(desk: Desk, kept: Shaping) -> None:
    """Relations made and taken away, of two types between the same two; nodes with theirs, undone, back, forgotten."""
    one, two, three = (desk.add(f"Station {name}.").node.id for name in ("one", "two", "three"))
    made: list[str] = []
    deeds: tuple[Callable[[], object], ...] = (
        lambda: desk.join(one, two),
        lambda: desk.join(two, one, "supports"),
        lambda: desk.relate.unrelate(one, two, "relates_to", desk.call()),
        lambda: desk.relate.unrelate(two, one, "supports", desk.call()),
        lambda: desk.join(two, three),
        lambda: desk.join(one, two, "uses", confidence=0.5),
        lambda: desk.join(one, two, "uses", confidence=0.9),
        lambda: made.append(desk.add("Four.", relations=(RelationWish(type="uses", target=two),)).batch),
        lambda: made.append(desk.curate.undo(made[0], desk.call(tool="undo", actor="grace")).undo_batch),
        lambda: desk.curate.undo(made[1], desk.call(tool="undo", actor="grace")),
        lambda: desk.capture.forget(two, desk.call(), confirm=True),
    )
    assert shape_of(kept, desk) == anew(desk)
    seen = []
    for deed in deeds:
        deed()
        seen.append(shape_of(kept, desk))
        assert seen[-1] == anew(desk)
    assert [each.related for each in seen] == [2, 2, 2, 0, 2, 3, 3, 4, 3, 4, 0]


def test_relations_are_read_once_and_then_followed_in_the_log(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change is read from the log, whoever made it; after many changes, or where they do not add up, all is read."""
    shelf = Counted(desk)
    kept = Shaping(shelf=shelf, log=desk.log, hubs_max=20)  # type: ignore[arg-type]
    ids = [desk.add(f"Station {number}.").node.id for number in range(6)]
    shape_of(kept, desk)
    for one, other in pairwise(ids):
        desk.join(one, other)
        assert shape_of(kept, desk) == anew(desk)
    desk.relate.unrelate(ids[0], ids[1], "relates_to", desk.call())
    assert shape_of(kept, desk) == anew(desk)
    assert shelf.reads == 1
    desk.join(ids[0], ids[5])
    assert kept.shape(desk.log.head(), 99) == anew(desk)  # a log that does not tell of all that is there
    assert shelf.reads == 2
    monkeypatch.setattr(shaping, "CHANGES_MAX", 1)
    desk.join(ids[0], ids[4])
    desk.join(ids[0], ids[3])
    assert shape_of(kept, desk) == anew(desk)
    assert shelf.reads == 3


def test_a_change_that_was_read_already_may_be_told_by_the_log_once_more(desk: Desk, kept: Shaping) -> None:
    """The head of the log is asked for before the relations are read: who writes in between is not counted twice."""
    one, two, three = (desk.add(f"Station {name}.").node.id for name in ("one", "two", "three"))
    before = desk.log.head()
    desk.join(one, two)
    desk.join(two, three)
    desk.relate.unrelate(two, three, "relates_to", desk.call())
    kept.shape(before, 0)
    assert shape_of(kept, desk) == anew(desk)
    assert shape_of(kept, desk).related == 2


def test_what_is_written_elsewhere_is_followed_too(desk: Desk, second: Desk, kept: Shaping) -> None:
    """Another process writes to the same graph."""
    one, two = (desk.add(f"Station {name}.").node.id for name in ("one", "two"))
    shape_of(kept, desk)
    second.join(one, two)
    assert shape_of(kept, desk).related == 2


def test_merging_and_parting_are_followed(tmp_path: Path) -> None:
    """A merge moves the relations of one node to another, and parting moves them back."""
    with bench(tmp_path) as room:
        kept = Shaping(shelf=room.graph.shelf, log=room.graph.log, hubs_max=20)
        hub, other, *rays, apart = (room.add(name) for name in ("Hub", "The hub", "Ray", "Beam", "Apart"))
        for one, end in ((other, rays[0]), (other, rays[1]), (apart, hub)):
            room.join(one, end)
        assert shape_of(kept, room.graph).related == 5
        room.merge(hub, other)
        assert shape_of(kept, room.graph) == anew(room.graph)
        assert [len(group) for group in shape_of(kept, room.graph).communities] == [4]
        room.part(other)
        assert shape_of(kept, room.graph) == anew(room.graph)
        assert shape_of(kept, room.graph).related == 5


def test_of_a_graph_with_more_relations_than_are_read_the_answer_says_so(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read anew after each change then, and as many relations as are read leave nothing to say."""
    for room in (shaping, standing):
        monkeypatch.setattr(room, "PAIRS_READ_MAX", 2)
    recall = recall_of(desk, tmp_path)
    ids = [desk.add(f"Station {number}.").node.id for number in range(4)]
    desk.join(ids[0], ids[1])
    desk.join(ids[1], ids[2])
    assert "shape" not in recall.status(desk.call()).health
    desk.join(ids[2], ids[3])
    found = recall.status(desk.call())
    assert found.health["shape"] == "hubs, orphans and communities are read from the first 2 relations"
    assert told(found) == told(recall_of(desk, tmp_path).status(desk.call()))
