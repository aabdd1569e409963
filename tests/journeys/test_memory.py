"""Days in the life of a memory: problems and fixes stored as they come, joined by themselves, found again later."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from doors import Door, door, settings
from weft.faces.cli import app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STORAGE = {
    "type": "solution",
    "title": "Memory store keeps edges between memories in files",
    "content": "The memory store keeps every memory in a Markdown file and every edge between memories in the front "
    "matter of both, so that memories and edges can be read and compared without a server.",
    "tags": ["memory-store", "edges", "files"],
}
LESSON = {
    "type": "insight",
    "title": "A memory store is worth what its edges between memories are worth",
    "content": "What we learned from the memory store: a memory with edges to other memories is found again, a memory "
    "without edges is forgotten, and nobody makes edges between memories by hand.",
    "tags": ["memory-store", "edges"],
}
CHOICE = {
    "type": "decision",
    "title": "The memory store makes edges between memories when one is stored",
    "content": "We decided that the memory store makes edges between memories by itself whenever a memory is stored, "
    "because a memory without edges is forgotten and nobody makes edges between memories by hand.",
    "tags": ["memory-store", "edges", "automation"],
}


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """Ann, a curator, before an empty graph."""
    with door(tmp_path) as opened:
        yield opened


def told(ann: Door, title: str, content: str, type: str, *tags: str) -> dict[str, Any]:  # noqa: A002 - the tool's word
    """Store a memory and return the answer."""
    return ann.call("memory_store", title=title, content=content, type=type, tags=list(tags))


def joined(ann: Door, answer: dict[str, Any]) -> set[tuple[str, str, str]]:
    """Return the edges that were made, as (title, type, title)."""
    title = {
        each: ann.call("memory_get", id=each)["title"] for e in answer["auto_edges"] for each in (e["from"], e["to"])
    }
    return {(title[edge["from"]], edge["type"], title[edge["to"]]) for edge in answer["auto_edges"]}


def test_the_record_that_cognitive_memory_left_comes_about_again(ann: Door) -> None:
    """A decision and an insight build on one solution, and the insight relates to the decision, in that direction."""
    ann.call("memory_store", **STORAGE)
    decided = ann.call("memory_store", **CHOICE)
    learned = ann.call("memory_store", **LESSON)
    assert joined(ann, decided) == {(CHOICE["title"], "BUILDS_ON", STORAGE["title"])}
    assert joined(ann, learned) == {
        (LESSON["title"], "BUILDS_ON", STORAGE["title"]),
        (LESSON["title"], "RELATED_TO", CHOICE["title"]),
    }
    record = ann.call("memory_get", id=decided["id"])
    assert {(row["type"], row["direction"]) for row in record["relations"]} == {
        ("BUILDS_ON", "outgoing"),
        ("RELATED_TO", "incoming"),
    }
    assert all(0.7 <= row["strength"] <= 1.0 and row["edge_id"] and row["target"] for row in record["relations"])


def test_an_error_is_met_stored_fixed_and_its_fix_recalled_by_the_next_who_meets_it(ann: Door) -> None:
    """Nothing known at first; then the fix stands beside the error, whoever asks by the symptom."""
    assert ann.call("memory_recall", query="npm build killed with exit code 137")["memories"] == []
    told(ann, "Build killed with exit code 137", "npm build is killed by the kernel for lack of memory.", "error", "ci")
    fixed = told(
        ann,
        "More memory for npm build",
        "Gave the build 4 GB of memory: npm build is no longer killed by the kernel with exit code 137.",
        "fix",
        "ci",
    )
    assert joined(ann, fixed) == {("More memory for npm build", "SOLVES", "Build killed with exit code 137")}
    found = ann.call("memory_recall", query="the kernel kills npm build")["memories"]
    assert {row["title"] for row in found} == {"Build killed with exit code 137", "More memory for npm build"}
    beside = ann.call("memory_related", id="Build killed with exit code 137", rel_types=["SOLVES"])["memories"]
    assert [(row["title"], row["path"][0]["direction"]) for row in beside] == [
        ("More memory for npm build", "incoming")
    ]


def test_memories_and_edges_outlive_the_process(tmp_path: Path) -> None:
    """Two edges between one pair, too."""
    with door(tmp_path) as ann:
        told(ann, "One", "The first of two notes.", "general")
        told(ann, "Other", "Something else entirely, about herring.", "general")
        for rel_type in ("CAUSES", "FOLLOWS"):
            ann.call("memory_relate", from_id="One", to_id="Other", rel_type=rel_type, context="Said so.")
        before = ann.call("memory_edges", id="One")["edges"]
    with door(tmp_path) as ann:
        assert ann.call("memory_edges", id="One")["edges"] == before
        assert {edge["type"] for edge in before} == {"CAUSES", "FOLLOWS"}


def test_edges_that_were_made_by_themselves_are_taken_back_together(ann: Door) -> None:
    """The memory stays, the edges go."""
    ann.call("memory_store", **STORAGE)
    answer = ann.call("memory_store", **CHOICE)
    undone = ann.graph.curate.undo(f"{answer['batch']}:links", ann.graph.call("undo"))
    assert undone.reverted == len(answer["auto_edges"]) == 1
    assert ann.call("memory_get", id=answer["id"])["relations"] == []


def test_a_deleted_memory_comes_back_with_its_edges_when_that_is_undone(ann: Door) -> None:
    """Nothing is lost by deleting."""
    first = ann.call("memory_store", **STORAGE)
    ann.call("memory_store", **CHOICE)
    gone = ann.call("memory_delete", id=first["id"], confirm=True, reason="By mistake.")
    assert ann.answer("memory_get", {"id": first["id"]})["error"] == "NOT_FOUND"
    ann.graph.curate.undo(gone["batch"], ann.graph.call("undo"))
    assert len(ann.call("memory_get", id=first["id"])["relations"]) == 1


def test_memories_are_nodes_like_any_other(ann: Door) -> None:
    """Core finds, traces and fetches what memory stored, and memory recalls what core captured."""
    ann.call("memory_store", **STORAGE)
    decided = ann.call("memory_store", **CHOICE)
    assert ann.call("search", query="edges between memories", kinds=["decision"])["hits"][0]["id"] == decided["id"]
    trail = ann.call("trace", start=CHOICE["title"], end=STORAGE["title"])
    assert trail["trail"][0]["relation_to_next"]["type"] == "builds_on"
    ann.call("capture", content="The pump in the cellar runs dry when the river falls.", kind="claim", title="Pump")
    assert ann.call("memory_recall", query="the pump runs dry")["memories"][0]["title"] == "Pump"


def test_what_is_written_in_a_session_carries_its_name(ann: Door) -> None:
    """One piece of work, looked up as one."""
    answer = ann.call("memory_store", **STORAGE, session="monday")
    assert ann.call("fetch", id=answer["id"])["node"]["session"] == "monday"


def test_the_whole_toolset_works_from_the_command_line(tmp_path: Path) -> None:
    """Each tool as ``weft call``, on one graph."""
    chosen = settings(tmp_path)
    ahead = ["--graph", chosen.graph, "--actor", chosen.actor]
    runner = CliRunner()
    assert runner.invoke(app, [*ahead, "init"]).exit_code == 0

    def called(name: str, **arguments: object) -> dict[str, Any]:
        run = runner.invoke(app, [*ahead, "call", name, "--json-args", json.dumps(arguments), "--json"])
        assert run.exit_code == 0, run.output
        answer: dict[str, Any] = json.loads(run.stdout)
        return answer

    first = called("memory_store", **STORAGE)["id"]
    second = called("memory_store", **LESSON)
    assert [edge["to"] for edge in second["auto_edges"]] == [first]
    assert called("memory_recall", query="edges between memories", type="insight")["memories"][0]["id"] == second["id"]
    assert called("memory_update", id=first, importance=0.9)["changed"] == {"importance": [0.5, 0.9]}
    called("memory_relate", from_id=first, to_id=second["id"], rel_type="CAUSES")
    assert called("memory_edges", type="CAUSES")["total"] == 1
    assert called("memory_related", id=first)["total"] == 1
    assert called("memory_delete", id=second["id"], confirm=True)["relations_removed"] == 2
    assert called("memory_get", id=first)["relations"] == []
