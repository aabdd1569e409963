"""Next steps on the command line: commands that can be copied and run as they stand."""

from __future__ import annotations

import json
import os
import shlex
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from engine import graph_at, server
from weft.faces.cli import app
from weft.faces.learned import COMMANDS
from weft.faces.show import FORMS
from weft.faces.steps import SPELLINGS, spelled
from weft.tools.table import TOOLS

if TYPE_CHECKING:
    from pathlib import Path

ODD = '-q: Redis\'s "queue"'
NODE = "01a203b9-a141-7000-b26f-cbaa2cf34f21"


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, with no graph above it and none of the user's."""
    for name in [name for name in os.environ if name.startswith("WEFT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("WEFT_HOME", str(tmp_path / "home"))
    if server:
        monkeypatch.setenv("WEFT_GRAPH", graph_at(tmp_path / "graph.db"))
    monkeypatch.chdir(tmp_path)


def weft(*words: str) -> str:
    """Run ``weft`` with these words, and return what it prints."""
    said = CliRunner().invoke(app, list(words))
    assert said.exit_code == 0, said.output
    return said.output


def _steps(printed: str) -> list[list[str]]:
    lines = [line.strip() for line in printed.splitlines()]
    marked = [after for line, after in pairwise(lines) if line.startswith("→ ")]
    return [shlex.split(line)[1:] for line in marked]


def test_each_step_that_is_offered_runs_as_it_stands() -> None:
    """After a capture, a search, a fetch and a challenge; ids and titles are filled in, also one that looks odd."""
    weft("capture", "Redis holds the queue of the gateway.", "--title", ODD)
    printed = [
        weft("capture", "Redis does not hold the queue of the gateway."),
        weft("search", "what holds the queue"),
        weft("fetch", "--", ODD),
        weft("challenge", "Redis holds the queue"),
    ]
    steps = [step for each in printed for step in _steps(each)]
    assert {step[0] for step in steps} >= {"fetch", "trace", "search", "challenge", "review"}
    for step in steps:
        weft(*step)


def test_an_answer_in_json_is_as_brief_as_everywhere() -> None:
    """What arguments a step takes costs tokens; on the terminal it costs nothing."""
    weft("capture", "Redis holds the queue of the gateway.")
    (step,) = json.loads(weft("search", "queue", "--json"))["suggested_next_actions"]
    assert set(step) == {"tool", "description"}
    assert "→" not in weft("search", "queue", "--hints", "off")


def test_what_only_the_caller_can_say_is_left_open() -> None:
    """So nothing is written that nobody said."""
    pair = {"source": NODE, "target": NODE}
    assert spelled({"tool": "relate", "arguments": pair, "also_needs": ["type", "reasoning"]}) == (
        "weft relate --because … 01a203b9-a141-7000 … 01a203b9-a141-7000"
    )
    assert spelled({"tool": "synthesize", "arguments": {"bridges": ["a b", NODE]}, "also_needs": ["label"]}) == (
        "weft synthesize --bridge 'a b' --bridge 01a203b9-a141-7000 …"
    )
    assert spelled({"tool": "capture", "arguments": {"content": "x" * 201, "kind": "claim"}}) == (
        "weft capture --kind claim …"
    )


@pytest.mark.parametrize(
    ("action", "command"),
    [
        ({"tool": "search", "arguments": {"query": "-x; rm $(pwd)"}}, "weft search -- '-x; rm $(pwd)'"),
        ({"tool": "forget", "arguments": {"id": "a", "confirm": True}}, "weft forget --yes a"),
        ({"tool": "review"}, "weft review"),
        ({"tool": "list_learned_knowledge", "arguments": {"cognitive_leap": "HIGH"}}, "weft learn list --leap HIGH"),
        (
            {"tool": "get_unit", "arguments": {"unit_id": "it's"}},
            """weft call get_unit --json-args '{"unit_id": "it'"'"'s"}'""",
        ),
        ({"tool": "list_ontologies"}, "weft call list_ontologies"),
    ],
)
def test_a_step_is_spelled_as_a_shell_reads_it(action: dict[str, object], command: str) -> None:
    """Whatever stands in a title, it is one word of the command and runs nothing."""
    assert spelled(action) == command


def test_every_step_whose_tool_has_a_command_is_spelled_by_it() -> None:
    """A row that offers another tool needs a spelling here."""
    offered = {action.tool for tool in TOOLS for action in tool.next_actions}
    assert offered & (FORMS.keys() | COMMANDS.keys()) <= SPELLINGS.keys()
    assert set(SPELLINGS) <= FORMS.keys() | COMMANDS.keys()
