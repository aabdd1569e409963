"""Next steps on the command line: commands that can be copied and run as they stand."""

from __future__ import annotations

import json
import re
import shlex
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from engine import graph_at
from weft.faces.cli import app
from weft.faces.learned import COMMANDS
from weft.faces.show import FORMS
from weft.faces.steps import SPELLINGS, spelled
from weft.tools.table import TOOLS

if TYPE_CHECKING:
    from pathlib import Path

ODD = '-q: Redis\'s "queue"'
NODE = "01a203b9-a141-7000-b26f-cbaa2cf34f21"


pytestmark = pytest.mark.usefixtures("at_home_or_served")


def weft(*words: str) -> str:
    """Run ``weft`` with these words, and return what it prints."""
    said = CliRunner().invoke(app, list(words))
    assert said.exit_code == 0, said.output
    return said.output


def _steps(printed: str) -> list[list[str]]:
    lines = [line.strip() for line in printed.splitlines()]
    marked = [after for line, after in pairwise(lines) if line.startswith("→ ")]
    return [shlex.split(line)[1:] for line in marked]


def test_each_step_that_is_offered_runs_with_what_is_left_to_say() -> None:
    """After a capture, a search, a fetch and a challenge; ids and titles are filled in, also one that looks odd."""
    weft("capture", "Redis holds the queue of the gateway.", "--title", ODD)
    captured = weft("capture", "Redis does not hold the queue of the gateway.", "--title", "No queue")
    weft("relate", "--because", "They cannot both hold.", "--", "No queue", "contradicts", ODD)
    printed = [
        captured,
        weft("search", "what holds the queue"),
        weft("fetch", "--", ODD),
        weft("challenge", "Redis holds the queue"),
    ]
    steps = [step for each in printed for step in _steps(each)]
    assert {step[0] for step in steps} >= {"fetch", "trace", "search", "challenge", "review"}
    for step in steps:
        weft(*("I say so." if word == "…" else word for word in step))


def test_a_step_that_was_copied_with_something_left_to_say_is_refused() -> None:
    """Nothing is written: neither a node called «…» nor a relation for that reason."""
    weft("capture", "Redis holds the queue of the gateway.", "--title", "Queue")
    for words in (("capture", "…"), ("relate", "--because", "…", "Queue", "supports", "Queue"), ("search", "…")):
        said = CliRunner().invoke(app, list(words))
        assert said.exit_code == 1
        assert "is «…», which stands for what is left to say" in " ".join(said.output.split())
    assert "…" not in weft("status")


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


def test_every_argument_that_a_row_fills_in_is_spelled() -> None:
    """What a command leaves out it does not ask for; an item alone is listed with its versions, and all is exported."""
    unspelled = {
        (action.tool, name)
        for tool in TOOLS
        if tool.name in FORMS
        for action in tool.next_actions
        if (known := SPELLINGS.get(action.tool))
        for name in {*(action.arguments or {})} - {*known.places, *known.options}
    }
    assert unspelled == {("list_learned_knowledge", "history"), ("export_learned_knowledge", "offset")}


def test_the_lower_bar_that_is_offered_reaches_the_nearest_pair() -> None:
    """Its number is that of the pair, and not above it."""
    for ontology, content in (
        ("one", "Sensible transparency shows the data behind decisions to everybody."),
        ("two", "A score measures how visible the data of a decision is to everybody."),
    ):
        weft("capture", content, "--ontology", ontology)
    step = _steps(weft("learn", "bridges", "one", "two", "--min-similarity", "0.99"))[0]
    assert step[:3] == ["learn", "bridges", "--min-similarity"]
    assert "⟷" in weft(*step)


def test_a_title_that_speaks_of_commands_stays_as_it_is(tmp_path: Path) -> None:
    """Only the command that is offered names the graph."""
    graph = graph_at(tmp_path / "graph.db")
    weft("--graph", graph, "capture", "How weft search finds: see weft fetch.", "--title", "How weft search finds")
    printed = weft("--graph", graph, "fetch", "How weft search finds")
    assert ["--graph", graph, "search", "How weft search finds"] in _steps(printed)


def test_a_blank_query_shows_the_newest() -> None:
    """As it does on every other face."""
    weft("capture", "Redis holds the queue of the gateway.", "--title", "Redis")
    weft("capture", "Postgres holds the orders.", "--title", "Postgres")
    hits = json.loads(weft("search", "", "--json"))["hits"]
    assert [hit["title"] for hit in hits] == ["Postgres", "Redis"]


def test_the_command_that_revokes_a_token_is_one_line(tmp_path: Path) -> None:
    """However long the name of the graph is: it is there to be copied."""
    graph = graph_at(tmp_path / "a-graph-with-a-long-name-that-fills-a-line-of-the-terminal.db")
    weft("--graph", graph, "capture", "Redis holds the queue.")
    terminal = {"COLUMNS": "80", "FORCE_COLOR": "1", "TTY_COMPATIBLE": "1"}
    words = ["--graph", graph, "token", "create", "--actor", "ann", "--role", "reader"]
    said = CliRunner().invoke(app, words, env=terminal, color=True)
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", said.stderr).splitlines()
    assert any("token revoke " in line and f"--graph {graph}" in line for line in lines)


def test_a_candidate_is_not_called_by_its_id_twice() -> None:
    """Learned items have no title beside it."""
    for title in ("Kiln", "Clay", "Glaze"):
        weft("capture", f"{title} is of use in a pottery.", "--title", title)
    for end in ("Clay", "Glaze"):
        weft("learn", "connect", "Kiln", end, "--because", f"The kiln and {end} are both of use in a pottery.")
    refused = CliRunner().invoke(app, ["learn", "list", "learned_"])
    listed = [line for line in refused.output.splitlines() if line.startswith("  learned_")]
    assert len(listed) == 2
    assert all(line.count("learned_") == 1 for line in listed)
