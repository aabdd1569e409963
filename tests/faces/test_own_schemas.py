"""A server that is told to names the graph's own kinds and types where agents look for names; others name none."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import weft
from engine import graph_at
from weft.faces.openapi import document
from weft.settings import Settings
from weft.tools.table import TOOLS, tool_named
from weft.vocabulary import Kind, Own, RelationType

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.tools.row import Tool

RECIPE = Kind(name="recipe", plural="recipes", family="practice", meaning="how a dish is made", exemplars=())
PAIRS = RelationType(name="pairs", family="likeness", inverse="pairs", symmetric=True, meaning="served together")
OWN = Own(kinds=(RECIPE,), types=(PAIRS,))
OPEN = {"core", "synthesis", "curation"}
WAIT_S = 60


def names_of(schema: object) -> Iterator[list[str]]:
    """Yield every list of allowed names in ``schema``."""
    if isinstance(schema, dict):
        for name, part in schema.items():
            yield from [part] if name == "enum" else names_of(part)


def named(tool: Tool, own: Own | None) -> set[str]:
    """Return all names that a tool's schema allows."""
    return {name for names in names_of(tool.listing(own=own)["inputSchema"]) for name in names}


def test_the_open_toolsets_name_them_and_the_closed_lists_stay_closed() -> None:
    """Capture takes the kind, relate the type, synthesis shouts it; a memory is of the thirteen kinds it always was."""
    assert "recipe" in named(tool_named("capture"), OWN)
    assert "pairs" in named(tool_named("relate"), OWN)
    assert "PAIRS" in named(tool_named("create_learned_relationship"), OWN)
    naming = {tool.toolset for tool in TOOLS if named(tool, OWN) != named(tool, None)}
    assert naming <= OPEN


def test_a_list_without_them_is_what_it_was() -> None:
    """Nothing of a row is kept in the schemas that all servers share."""
    before = [tool.listing() for tool in TOOLS]
    assert [tool.listing(own=OWN) for tool in TOOLS] != before
    assert [tool.listing(own=Own()) for tool in TOOLS] == [tool.listing() for tool in TOOLS] == before


def test_the_description_of_the_calls_names_them_too() -> None:
    """OpenAPI as over MCP."""
    assert '"recipe"' in json.dumps(document(TOOLS, OWN))
    assert '"recipe"' not in json.dumps(document(TOOLS, None))


@pytest.mark.parametrize(("words", "known"), [((), False), (("--own-vocabulary",), True)])
def test_a_server_shows_them_where_it_is_started_so(tmp_path: Path, words: tuple[str, ...], *, known: bool) -> None:
    """The list depends on how the server was started; a call takes the names either way."""
    place = graph_at(tmp_path / "kitchen.db")
    with weft.open(settings=Settings(graph=place, actor="ann")) as graph:
        graph.keeping.vocabulary.add_kind(RECIPE, graph.call("vocabulary"))
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    made = {"name": "capture", "arguments": {"content": "Stir the soup.", "kind": "Recipe"}}
    asked = [("initialize", hello), ("tools/list", {}), ("tools/call", made)]
    answers = told(place, words, asked)
    capture = next(tool for tool in answers[1]["tools"] if tool["name"] == "capture")
    assert ("recipe" in capture["inputSchema"]["properties"]["kind"]["enum"]) is known
    assert answers[2]["structuredContent"]["kind"] == "recipe"


def told(place: str, words: tuple[str, ...], asked: list[tuple[str, Any]]) -> list[Any]:
    """Return what a server that is started with ``words`` answers to these requests."""
    said = [{"jsonrpc": "2.0", "id": at, "method": name, "params": given} for at, (name, given) in enumerate(asked)]
    said.insert(1, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    command = [sys.executable, "-m", "weft", "--graph", place, "serve", *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        found: dict[int, Any] = {}
        for message in said:
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            while "id" in message and message["id"] not in found:
                line = json.loads(server.stdout.readline())
                found |= {line["id"]: line["result"]} if "result" in line else {}
        server.stdin.close()
        server.wait(WAIT_S)
    return [found[at] for at in range(len(asked))]
