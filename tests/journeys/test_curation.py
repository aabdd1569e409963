"""ADR-003's own conversation, turn by turn, on every face; and a duplicate from its discovery to its undoing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from typer.testing import CliRunner

from doors import client, door, serving, settings, text_of, visitor
from weft.faces.cli import app

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Answers = list[dict[str, Any]]

SAID = "Circles decide by consent, and each circle sends a member to the next one up. Holacracy grew out of it."

# What the agent says. Before, the graph holds one concept that is near.
TURNS = (
    ("create_concept", {"label": "Holacracy"}),
    ("search_concepts", {"query": "Holacracy"}),
    ("create_concept", {"label": "Holacracy"}),
)


def furnish(folder: Path) -> None:
    """Put a neighbour of the subject into the graph, by somebody else."""
    with door(folder, actor="bob") as bob:
        bob.call("create_concept", label="Sociocracy", description=SAID, proceed=True)


def over_mcp(folder: Path, *, era: str = "auto") -> Answers:
    """Speak over MCP."""

    async def main() -> Answers:
        async with client(held, era=era) as connected:
            return [text_of(await connected.call_tool(name, said)) for name, said in TURNS]

    with serving(folder, toolsets="curation", hints="brief") as held:
        return anyio.run(main)


def over_http(folder: Path) -> Answers:
    """Speak over HTTP."""
    with serving(folder, toolsets="curation", hints="brief") as held, visitor(held) as web:
        return [web.post(f"/api/tools/{name}", json=said).json() for name, said in TURNS]


def over_the_command_line(folder: Path) -> Answers:
    """Speak through ``weft call``, one process a turn."""
    chosen, runner = settings(folder), CliRunner()
    ahead = ["--graph", chosen.graph, "--actor", "ann", "--json", "call"]
    runs = [runner.invoke(app, [*ahead, name, "--json-args", json.dumps(said)]) for name, said in TURNS]
    assert [run.exit_code for run in runs] == [1, 0, 0]
    return [json.loads(run.stdout) for run in runs]


FACES: dict[str, Callable[[Path], Answers]] = {
    "mcp, modern": over_mcp,
    "mcp, handshake": lambda folder: over_mcp(folder, era="legacy"),
    "http": over_http,
    "command line": over_the_command_line,
}


@pytest.mark.parametrize("face", FACES)
def test_the_conversation_of_adr_003_goes_as_it_is_written(face: str, tmp_path: Path) -> None:
    """A suggestion, a search, a concept; each answer as the ADR gives it."""
    furnish(tmp_path)
    first, second, third = FACES[face](tmp_path)
    assert first["error"] == "PREREQUISITE_SUGGESTED"
    assert first["message"].startswith("Consider calling search_concepts first")
    assert "Search for similar concepts" in first["hint"]
    assert "avoid creating duplicates" in first["hint"]
    assert first["can_proceed"] is True
    assert [row["label"] for row in second["results"]] == ["Sociocracy"]
    assert [row["tool"] for row in second["suggested_next_actions"]] == ["create_concept", "create_relationship"]
    assert third["success"] is True
    assert third["concept_id"]
    assert [row["tool"] for row in third["suggested_next_actions"]] == ["create_relationship", "add_evidence"]


def test_an_agent_that_is_sure_needs_one_turn(tmp_path: Path) -> None:
    """The suggestion does not lock the door."""
    with door(tmp_path) as ann:
        assert ann.call("create_concept", label="Holacracy", proceed=True)["success"] is True


def test_a_reader_is_refused_by_the_gate_and_by_the_engine_alike(tmp_path: Path) -> None:
    """The hint is courtesy; the tier is enforced."""
    furnish(tmp_path)
    with door(tmp_path, role="reader") as reader:
        assert reader.answer("create_concept", {"label": "Holacracy"})["error"] == "PERMISSION_DENIED"
        assert reader.call("search_concepts", query="consent in circles")["total"] == 1


def test_a_duplicate_is_found_flagged_merged_and_parted(tmp_path: Path) -> None:
    """Two agents wrote the same concept; a librarian makes it one, and thinks better of it."""
    furnish(tmp_path)
    with door(tmp_path, role="contributor") as agent:
        agent.call("search_concepts", query="dynamic governance")
        made = agent.call(
            "create_concept",
            label="Dynamic governance",
            description="Circles decide by consent; each sends one member to the next one up. It led to Holacracy.",
            evidence="Heard at the meetup.",
        )
        (flag,) = agent.call("flag_similar_concepts", concept_id=made["concept_id"])["flags"]
        wish = {"keep_id": flag["keep_id"], "merge_id": flag["merge_id"], "reason": "Two names of one thing."}
        assert agent.answer("merge_concepts", wish)["error"] == "PERMISSION_DENIED"
    with door(tmp_path, role="librarian") as librarian:
        merged = librarian.call("merge_concepts", **wish)
        assert (merged["alias"], merged["moved"]["evidence"]) == ("Dynamic governance", 1)
        details = librarian.call("get_concept_details", concept_id="Dynamic governance")
        assert details["concept"]["label"] == "Sociocracy"
        assert details["aliases"] == ["Dynamic governance"]
        found = librarian.call("search_concepts", query="dynamic governance")["results"]
        assert [row["label"] for row in found] == ["Sociocracy"]
        parted = librarian.call("unmerge_concepts", merge_id=made["concept_id"])
        assert parted["restored"] == {"relations": 0, "evidence": 1}
    with door(tmp_path) as curator:
        calls = [(call.tool, call.outcome, call.tier) for call in curator.graph.usage.audits(limit=9)]
        assert calls == [
            ("unmerge_concepts", "done", "librarian"),
            ("merge_concepts", "done", "librarian"),
            ("merge_concepts", "PERMISSION_DENIED", "contributor"),
        ]
        counts = {(each.after, each.hint): each.followed for each in _stats(curator)}
        assert counts["search_concepts", "create_concept"] == 1


def _stats(curator: Any) -> Any:  # noqa: ANN401 - a door, and its counts
    from datetime import UTC, datetime

    from weft.tools.prerequisites import FRESH

    return curator.graph.usage.hints(since=datetime.now(UTC) - FRESH)
