"""What is listed is what the graph lets be called: a file that this user may only read lists no tool that writes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from doors import client, door, serving, settings, visitor
from engine import server
from store.bystander import obey_modes
from weft.faces.reaching import only_read
from weft.store.reading import may_write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.faces.serving import Serving

pytestmark = pytest.mark.files_only("the modes of files; its twin is tests/postgres/test_reach.py")

CHILD = """
import json, sys
from pathlib import Path
sys.path[:0] = sys.argv[1].split("|")
from faces.test_reach import seen_by_a_bystander
print(json.dumps(seen_by_a_bystander(Path(sys.argv[2]))))
"""
MODES = {"the file": (0o444, 0o755), "the folder": (0o644, 0o555), "nothing": (0o644, 0o755)}
NOTE = {"content": "Water boils at 100 °C."}


def listed(held: Serving) -> dict[str, list[str]]:
    """Return what a server lists of tools, prompts, calls and operations."""

    async def over_mcp() -> dict[str, list[str]]:
        async with client(held) as connected:
            tools, prompts = await connected.list_tools(), await connected.list_prompts()
        return {"tools": [tool.name for tool in tools.tools], "prompts": [each.name for each in prompts.prompts]}

    told = anyio.run(over_mcp)
    with visitor(held) as web:
        told["calls"] = [tool["name"] for tool in web.get("/api/tools").json()["tools"]]
        told["operations"] = [*web.get("/api/openapi.json").json()["paths"]]
    return told


def seen_by_a_bystander(folder: Path) -> dict[str, Any]:
    """Return what is listed to a user whom the modes of files bind, what a write meets and whether the rules agree."""
    obey_modes()
    with serving(folder) as held:
        before = listed(held)
        with visitor(held) as web:
            status = web.post("/api/tools/capture", json={"content": "Ice melts at 0 °C."}).status_code
            searched = web.post("/api/tools/search", json={"query": "steam engines"}).json()
        after = listed(held)
        path = folder / "notes.db"
        return {
            "listed": before,
            "again": after,
            "status": status,
            "next": sorted({action["tool"] for action in searched["suggested_next_actions"]}),
            "agree": only_read(held.settings) is not may_write(path),
        }


def asked_in_a_child(folder: Path) -> dict[str, Any]:
    """Return what a bystander sees, in a process of its own."""
    command = [sys.executable, "-c", CHILD, "|".join(sys.path), str(folder)]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a graph, which may be written to again at the end."""
    assert not server
    folder = tmp_path / "shared"
    with door(folder) as ann:
        ann.call("capture", **NOTE)
    yield folder
    folder.chmod(0o755)


@pytest.mark.parametrize("what", MODES)
def test_a_file_that_may_only_be_read_is_listed_as_to_a_reader(folder: Path, what: str) -> None:
    """Over MCP and HTTP, before the graph is open and after; where it may be written, all is listed: the twin."""
    only = what != "nothing"
    with serving(folder, role="reader" if only else "curator") as held:
        expected = listed(held)
    (folder / "notes.db").chmod(MODES[what][0])
    folder.chmod(MODES[what][1])
    seen = asked_in_a_child(folder)
    assert seen["listed"] == seen["again"] == expected
    assert ("capture" in expected["tools"]) is not only
    assert ("remember" in expected["prompts"]) is not only
    assert ("/api/undo" in expected["operations"]) is not only
    assert seen["status"] == (403 if only else 200)
    assert ("capture" in seen["next"]) is not only
    assert seen["agree"]


def test_a_graph_that_is_not_there_yet_can_be_written(tmp_path: Path) -> None:
    """It is made by the first call; listing makes nothing."""
    with serving(tmp_path) as held:
        assert "capture" in listed(held)["tools"]
        assert not (tmp_path / "notes.db").exists()
        assert not only_read(settings(tmp_path))
