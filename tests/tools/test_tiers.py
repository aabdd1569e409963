"""Tiers: every tool, at every tier, over every face, compared with the table; and the engine refuses on its own."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import anyio
import pytest
from typer.testing import CliRunner

from doors import client, door, serving, settings, text_of, visitor
from engine import copied
from tools.examples import EXAMPLES, furnish
from weft.errors import PermissionDenied
from weft.faces.cli import app
from weft.model import Call, Tier
from weft.tools.arguments import parse
from weft.tools.row import TIERS
from weft.tools.table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from doors import Door
    from weft.tools.row import Tool

    Answers = dict[str, dict[str, Any]]

WRITING: Final = tuple(tool for tool in TOOLS if tool.needs != "reader")

ENGINE: Final = {"prune": "librarian", "import_learned_knowledge": "contributor"}
"""What the engine itself asks for where that is less: in bulk these two do what lower tiers may do one by one."""


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph that every example fits."""
    folder = tmp_path_factory.mktemp("graph")
    with door(folder) as ann:
        furnish(ann.graph)
    return folder


def below(tier: str) -> tuple[str, ...]:
    """Return the tiers that do not reach ``tier``."""
    return TIERS[: TIERS.index(tier)]


def refused_at(role: str) -> tuple[Tool, ...]:
    """Return the tools that ``role`` does not reach."""
    return tuple(tool for tool in TOOLS if role in below(tool.needs))


def over_the_gate(folder: Path, role: str, names: Iterable[str]) -> Answers:
    """Call the gate itself."""
    with door(folder, role=role) as ann:
        return {name: ann.answer(name, dict(EXAMPLES[name])) for name in names}


def over_mcp(folder: Path, role: str, names: Iterable[str]) -> Answers:
    """Call through the SDK's client."""

    async def main() -> Answers:
        with anyio.fail_after(60):
            async with client(held) as connected:
                return {name: text_of(await connected.call_tool(name, dict(EXAMPLES[name]))) for name in names}

    with serving(folder, toolsets="all", role=role) as held:
        return anyio.run(main)


def over_http(folder: Path, role: str, names: Iterable[str]) -> Answers:
    """Call through HTTP."""
    with serving(folder, toolsets="all", role=role) as held, visitor(held) as web:
        return {name: web.post(f"/api/tools/{name}", json=dict(EXAMPLES[name])).json() for name in names}


def over_the_command_line(folder: Path, role: str, names: Iterable[str]) -> Answers:
    """Call ``weft call``."""
    chosen, runner = settings(folder), CliRunner()
    ahead = ["--graph", chosen.graph, "--actor", chosen.actor, "--role", role, "--json", "call"]
    return {
        name: json.loads(runner.invoke(app, [*ahead, name, "--json-args", json.dumps(EXAMPLES[name])]).stdout)
        for name in names
    }


FACES: Final[dict[str, Callable[[Path, str, Iterable[str]], Answers]]] = {
    "gate": over_the_gate,
    "mcp": over_mcp,
    "http": over_http,
    "command line": over_the_command_line,
}


def test_every_tool_has_an_example() -> None:
    """A new row is not forgotten, and no example outlives its row."""
    assert set(EXAMPLES) == {tool.name for tool in TOOLS}


@pytest.fixture
def copy(furnished: Path, tmp_path: Path) -> Path:
    """A graph that every example fits, to be changed."""
    return copied(furnished, tmp_path / "copy")


@pytest.fixture(scope="module")
def held(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A copy of it, open for a curator: a graph that somebody has open cannot be copied."""
    with door(copied(furnished, tmp_path_factory.mktemp("held") / "graph")) as ann:
        yield ann


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_an_example_succeeds_at_the_tier_that_the_table_names(tool: Tool, copy: Path) -> None:
    """Otherwise a refusal below it would prove little."""
    with door(copy) as ann:
        answer = ann.as_(tier=Tier[tool.needs.upper()]).answer(tool.name, dict(EXAMPLES[tool.name]))
    assert "error" not in answer, answer


@pytest.mark.parametrize("role", TIERS[:-1])
@pytest.mark.parametrize("face", FACES)
def test_a_tier_that_does_not_reach_is_refused_on_every_face(face: str, role: str, furnished: Path) -> None:
    """With PERMISSION_DENIED, naming the tier that is needed, for every tool above it."""
    out_of_reach = refused_at(role)
    answers = FACES[face](furnished, role, [tool.name for tool in out_of_reach])
    for tool in out_of_reach:
        answer = answers[tool.name]
        assert answer.get("error") == "PERMISSION_DENIED", (tool.name, answer)
        assert f"needs the tier {tool.needs}" in answer["message"]
        assert role in answer["message"]


@pytest.mark.parametrize("role", TIERS)
def test_what_is_out_of_reach_is_not_listed(role: str, furnished: Path) -> None:
    """Neither over MCP nor over HTTP; what is within reach is."""
    wanted = {tool.name for tool in TOOLS} - {tool.name for tool in refused_at(role)}

    async def listed() -> set[str]:
        async with client(held) as connected:
            return {tool.name for tool in (await connected.list_tools()).tools}

    with serving(furnished, toolsets="all", role=role) as held, visitor(held) as web:
        assert anyio.run(listed) == wanted
        assert {row["name"] for row in web.get("/api/tools").json()["tools"]} == wanted


def test_a_role_given_as_an_argument_has_no_effect(furnished: Path) -> None:
    """It is no argument at all."""
    with door(furnished, role="reader") as ann:
        for name in ("capture", "create_concept", "merge_concepts"):
            for field in ("role", "tier", "actor"):
                answer = ann.answer(name, {**EXAMPLES[name], field: "curator"})
                assert answer["error"] == "INVALID_ARGUMENT"


def forged(tool: Tool, tier: str) -> Call:
    """Return a call that no gate looked at."""
    now, reach = datetime.now(UTC), Tier[tier.upper()]
    return Call(actor="mallory", client="test", tool=tool.name, tier=reach, at=now, caller="mallory")


def refused(tool: Tool, ann: Door, made: Call) -> None:
    """Call the verb of ``tool`` past the gate: nothing is written."""
    arguments = dict(EXAMPLES[tool.name]) | ({"dry_run": False} if tool.name == "prune" else {})
    asked = parse(tool.binding.arguments, arguments)
    before = ann.graph.log.head()
    with pytest.raises(PermissionDenied):
        tool.binding.run(ann.graph, asked, made)
    assert ann.graph.log.head() == before


@pytest.mark.parametrize("tool", WRITING, ids=lambda tool: tool.name)
def test_the_engine_refuses_a_lower_tier_on_its_own(tool: Tool, furnished: Path) -> None:
    """The graph is opened at the tier below, and the verb is called past the gate, as a curator."""
    lower = below(ENGINE.get(tool.name, tool.needs))[-1]
    with door(furnished, role=lower) as ann:
        refused(tool, ann, forged(tool, "curator"))


@pytest.mark.parametrize("tool", WRITING, ids=lambda tool: tool.name)
def test_the_engine_refuses_a_lower_caller_of_an_open_graph(tool: Tool, held: Door) -> None:
    """One graph, opened by a curator, serves all: the verb is called past the gate, for one of the tier below."""
    refused(tool, held, forged(tool, below(ENGINE.get(tool.name, tool.needs))[-1]))


def test_the_table_s_tiers_are_told_apart() -> None:
    """The twin: were every tool open to readers, the tests above would prove nothing."""
    assert {tool.needs for tool in TOOLS} == set(TIERS)
    assert [len(refused_at(role)) for role in TIERS] == sorted((len(refused_at(role)) for role in TIERS), reverse=True)
