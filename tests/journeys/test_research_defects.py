"""What went wrong in ACI, the Atomic Graph Researcher: each test would have failed there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journeys.study import Study, study
from weft.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Study]:
    """An empty study."""
    with study(tmp_path) as opened:
        yield opened


def _reopened(folder: Path, notes: Study) -> Iterator[Study]:
    with study(folder) as opened:
        opened.units = notes.units
        yield opened


def test_isolated_units_answer_not_connected_also_after_a_restart(tmp_path: Path) -> None:
    """There, a unit without edges was missing from the graph after a restart, and the lineage crashed."""
    with study(tmp_path) as notes:
        notes.claim("ice", "Glaciers carve deep valleys into soft rock.")
        notes.claim("violin", "A violin has four strings.")
        first = notes.lineage("glaciers", "violin strings")
    for again in _reopened(tmp_path, notes):
        found = again.lineage("glaciers", "violin strings")
        assert (found["connected"], found["path"], found["path_length"]) == (False, [], 0)
        assert again.name(found["start_match"]["unit_id"]) == "ice"
        assert again.name(found["end_match"]["unit_id"]) == "violin"
        assert found == first


def test_two_relations_of_one_pair_survive_a_restart(tmp_path: Path) -> None:
    """There, memory kept the second only."""
    with study(tmp_path) as notes:
        notes.claim("wave", "Light is a wave.")
        notes.claim("fringes", "Light passing two slits makes fringes.")
        notes.argue("fringes", "supports", "wave", "Particles would not.")
        notes.argue("wave", "implies", "fringes", "Waves interfere.")
        notes.argue("fringes", "extends", "wave", "It shows more than that.")
    for again in _reopened(tmp_path, notes):
        rows = again.call("get_unit", unit_id=again.units["wave"])["connections"]
        assert sorted((row["type"], row["direction"]) for row in rows) == [
            ("extends", "backward"),
            ("implies", "forward"),
            ("supports", "backward"),
        ]


def test_a_key_is_remembered_by_the_next_process(tmp_path: Path) -> None:
    """And bound to its arguments there too."""
    with study(tmp_path) as notes:
        made = notes.claim("wave", "Light is a wave.", idempotency_key="k")
    with study(tmp_path) as again:
        assert again.claim("wave", "Light is a wave.", idempotency_key="k") == made
        assert again.call("list_propositions")["total"] == 1


def test_a_lineage_avoids_a_contradiction_where_another_way_is_there(notes: Study) -> None:
    """There, the shortest path ran through a contradiction as through any edge."""
    for name in ("first", "middle", "last"):
        notes.claim(name, f"The {name} station of the line is open.")
    notes.argue("first", "contradicts", "last", "One of them is closed.")
    notes.argue("first", "supports", "middle", "On the way.")
    notes.argue("last", "supports", "middle", "On the way back.")
    path = notes.lineage(notes.units["first"], notes.units["last"])["path"]
    assert notes.way(path) == ["first", "supports>", "middle", "<supports", "last"]
    assert not any(stop.get("relation_to_next", {}).get("conflict") for stop in path)


def test_a_contradiction_on_the_only_way_is_marked_and_its_direction_told(notes: Study) -> None:
    """There, direction and type were lost on the undirected graph."""
    notes.claim("old", "The earth is at rest.")
    notes.claim("new", "The earth moves around the sun.")
    notes.argue("new", "refutes", "old", "The phases of Venus.")
    step = notes.lineage(notes.units["old"], notes.units["new"])["path"][0]["relation_to_next"]
    assert step == {
        "type": "refutes",
        "direction": "backward",
        "reasoning": "The phases of Venus.",
        "conflict": True,
    }


def test_the_next_best_matches_of_an_end_are_tried(notes: Study) -> None:
    """An isolated unit that is the best match does not hide the connected one beside it."""
    notes.claim("alone", "A violin has four strings that are tuned in fifths.")
    notes.claim("tied", "A violin has four strings tuned in fifths, and so has a viola.")
    notes.claim("wood", "Spruce carries sound well.")
    notes.argue("wood", "supports", "tied", "Its belly is spruce.")
    found = notes.lineage("a violin's four strings that are tuned in fifths", "spruce carries sound")
    assert notes.way(found["path"]) == ["tied", "<supports", "wood"]


def test_an_end_under_one_half_does_not_match(notes: Study) -> None:
    """There, whatever came first was taken. What it came close to is told."""
    notes.claim("ice", "Glaciers carve deep valleys into soft rock.")
    found = notes.lineage("glaciers", "kubernetes autoscaling thresholds")
    assert "end_match" not in found
    assert not found["connected"]
    assert notes.names(found["nearest"]) == ["ice"]
    assert found["nearest"][0]["similarity"] < 0.5


def test_near_identical_agreement_is_never_a_conflict(notes: Study) -> None:
    """There, any two texts above 0.85 without an edge were reported as a possible contradiction."""
    notes.claim("short", "Regular exercise improves memory in older adults.")
    notes.claim("long", "Regular exercise improves the memory of older adults.")
    for claim in ("Regular exercise improves memory in older adults.", "Exercising regularly improves older memory."):
        found = notes.against(claim)
        assert found["conflicts"] == []


def test_text_in_an_id_reaches_no_query(notes: Study) -> None:
    """There, the id was pasted into the filter expression."""
    notes.claim("wave", "Light is a wave.")
    for nasty in ("' OR 1=1 --", '") OR ("1"="1', "%", "*", "x' UNION SELECT id FROM node --"):
        with pytest.raises(NotFound):
            notes.call("get_unit", unit_id=nasty)
        with pytest.raises(NotFound):
            notes.call("delete_unit", unit_id=nasty, confirm=True)
    assert notes.call("list_propositions")["total"] == 1


def test_a_deleted_unit_is_gone_from_every_connection_search_and_path(notes: Study) -> None:
    """There, a retry under its key brought it back."""
    for name in ("one", "two", "three"):
        notes.claim(name, f"Station {name} of the coastal railway is open.")
    notes.argue("one", "supports", "two", "Next stop.")
    notes.argue("two", "supports", "three", "Next stop.")
    notes.call("delete_unit", unit_id=notes.units["two"], confirm=True)
    assert notes.call("get_unit", unit_id=notes.units["one"])["connections"] == []
    assert not notes.lineage(notes.units["one"], notes.units["three"])["connected"]
    assert notes.analyze("implied", notes.units["one"]) == []
    found = notes.call("semantic_search", query="Station two of the coastal railway is open.")
    assert notes.units["two"] not in {row["unit_id"] for row in found["results"]}
