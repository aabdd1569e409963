"""Answers on a terminal of 80 columns and of 200: no line over its width, no mark alone, no command that is broken."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from io import StringIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from doors import door
from weft.faces.lines import SHORT, repeat
from weft.faces.logged import print_log
from weft.faces.show import show
from weft.model import LogRequest
from weft.tools.gate import operate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from doors import Door

WIDTHS = (80, 200)
MARKS = {"+", "-", "~", "→", "←", "↔", "⟷", "↓", "↑", "↕", "·"}
AGENT = "an-agent-of-the-research-team-that-has-a-long-name"
TITLES = (
    "The gateway authenticates each request with a short-lived token that the identity provider has signed",
    "https://example.org/a/long/path/that/goes/on/without/any/space/at/all/and/still/on.html",
    "水在一百摄氏度沸腾水在一百摄氏度沸腾水在一百摄氏度沸腾水在一百摄氏度沸腾水在一百摄",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "Each request is authenticated by the gateway with a token of the identity provider that is short-lived",
)
SHORTENED = re.compile(r"  [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}  ")
ONTOLOGIES = ("one", "one", "two", "two", "two")


@pytest.fixture(scope="module")
def ann(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A graph whose titles are long, in two ontologies, related and learned from."""
    with door(tmp_path_factory.mktemp("wide"), creators=AGENT) as ann:
        for title, ontology in zip(TITLES, ONTOLOGIES, strict=True):
            ann.call("capture", title=title, content=f"{title}: requests carry it.", ontology=ontology)
        for source, target in pairwise(TITLES[:4]):
            ann.call("relate", source=source, target=target, type="requires", reasoning=f"It says so of {target}.")
        ann.call(
            "create_learned_relationship",
            from_concept_id=TITLES[0],
            to_concept_id=TITLES[3],
            relationship_type="BRIDGES",
            evidence="Both carry requests.",
            creator=AGENT,
        )
        yield ann


ASKED: dict[str, dict[str, Any]] = {
    "search": {"query": "requests that carry a token"},
    "fetch": {"id": TITLES[1], "depth": 2},
    "trace": {"start": TITLES[0], "end": TITLES[3]},
    "challenge": {"claim": "The gateway authenticates no request."},
    "context": {"task": "requests carry a token"},
    "bridge": {"ontology1": "one", "ontology2": "two", "min_similarity": 0.1},
    "review": {},
    "status": {},
    "list_learned_knowledge": {},
    "find_bridge_candidates": {"ontology1": "one", "ontology2": "two", "min_similarity": 0.1},
}


def told(width: int, tool: str, answer: dict[str, Any]) -> list[str]:
    """Return the lines that a terminal of this width is sent."""
    sent = StringIO()
    screen = Console(
        file=sent, width=width, force_terminal=True, color_system=None, highlight=False, markup=False, emoji=False
    )
    if tool == "log":
        print_log(screen, answer, narrowed=False)
    else:
        show(screen, tool, answer)
    return sent.getvalue().splitlines()


def log_of(ann: Door) -> dict[str, Any]:
    """Return the log as the command line shows it."""
    return operate(ann.graph, "log", ann.caller, lambda by: ann.graph.recall.log(LogRequest(limit=20), by))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("tool", ["log", *ASKED])
def test_lines_keep_to_the_width_and_no_mark_stands_alone(ann: Door, tool: str, width: int) -> None:
    """Whatever the titles are: a sentence, an address, writing without spaces, one word as wide as the terminal."""
    answer = log_of(ann) if tool == "log" else ann.call(tool, **ASKED[tool])
    lines = told(width, tool, answer)
    assert len(lines) > 1
    wide = [each for each in lines if cell_len(each.rstrip()) > width]
    assert all(each.startswith("  weft ") for each in wide)  # a command to be copied, which the terminal folds
    assert [each for each in lines if each.strip() in MARKS] == []


def test_what_is_wrapped_stands_further_in_than_what_comes_next(ann: Door) -> None:
    """In the log under the beginning of the title, so that each + begins a thing."""
    lines = told(80, "log", log_of(ann))
    long = next(number for number, each in enumerate(lines) if each.startswith("    + The gateway"))
    assert lines[long + 1].startswith("      ")
    assert lines[long + 1].strip()


def test_ids_are_never_broken(ann: Door) -> None:
    """They are there to be copied: of learned items in their table too, whoever is named beside them."""
    answer = ann.call("list_learned_knowledge")
    (row,) = answer["learned_knowledge"]
    said = "\n".join(told(80, "list_learned_knowledge", answer))
    assert row["learned_id"] in said
    assert "".join(AGENT.split()) in "".join(said.split())
    found = ann.call(**{"name": "search", **ASKED["search"]})
    lines = "\n".join(told(80, "search", found))
    assert found["hits"]
    assert all(hit["id"][:SHORT] in lines for hit in found["hits"])


def test_no_name_of_a_file_turns_a_line_around_or_speaks_to_the_terminal(tmp_path: Path) -> None:
    """A name is kept as it is, and may hold what makes «exe.txt» of «ext.exe», or colours all that follows."""
    for name, text in (
        ("ex\u202etxt.md", "# Pumps\n\nA pump lifts water."),
        ("re\x1b[31md.md", "# Valves\n\nOne leaks."),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    with door(tmp_path, roots=str(tmp_path)) as ann:
        ann.call("ingest", path=str(tmp_path))
        for title in ("Pumps", "Valves"):
            sent = "\n".join(told(80, "fetch", ann.call("fetch", id=title)))
            assert "\N{REPLACEMENT CHARACTER}" in sent
            assert not set(sent) & {*map(chr, (*range(0x0A), *range(0x0B, 0x20), *range(0x202A, 0x202F)))}


def test_hits_sides_and_what_bears_on_a_task_say_how_current_they_are(tmp_path: Path) -> None:
    """With a day, and whether they hold no longer, as in JSON: of two that differ the newer can be told."""
    with door(tmp_path) as ann:
        old = ann.call("capture", title="Pool size", content="The pool has 20 connections.")["id"]
        new = ann.call("capture", title="Pool limit", content="The pool has 40 connections.")["id"]
        day = f"{datetime.now(UTC):%Y-%m-%d}"
        marked = ann.call("capture", title="Pool of May", content="The pool had 30 connections in May.")["id"]
        ann.call("update", id=marked, status="needs_review")
        ann.call("update", id=old, superseded_by=new)
        for tool, given in (
            ("search", {"query": "connections of the pool"}),
            ("challenge", {"claim": "The pool has 50 connections."}),
            ("context", {"task": "connections of the pool"}),
        ):
            lines = told(200, tool, ann.call(tool, **given))
            headings = {each.split("  ")[0]: each for each in lines if SHORTENED.search(each)}
            assert day in headings["Pool limit"]
            assert day in headings["Pool of May"]
            assert "needs review" in headings["Pool of May"]
            assert any("superseded" in each for each in lines)
        (line,) = [each for each in told(200, "fetch", ann.call("fetch", id=new)) if "supersedes" in each]
        assert "superseded" in line


def test_a_quote_that_a_node_and_its_relation_rest_on_stands_once(tmp_path: Path) -> None:
    """Both are evidence; who reads the node reads the words once."""
    (tmp_path / "grinder.md").write_text("# Grinder\n\nThe grinder requires [[Beans]].\n", encoding="utf-8")
    (tmp_path / "beans.md").write_text("# Beans\n\nBeans are roasted on Mondays.\n", encoding="utf-8")
    with door(tmp_path, roots=str(tmp_path)) as ann:
        ann.call("ingest", path=str(tmp_path))
        answer = ann.call("fetch", id="Grinder")
    said = told(200, "fetch", answer)
    assert [each.strip() for each in said].count("«The grinder requires [[Beans]].»") == 1


def test_a_command_to_be_copied_is_one_line_however_long_it_is(ann: Door) -> None:
    """The terminal folds it; a line break in it would run half of it."""
    made = ann.call("capture", content=f"A new thing, said at {datetime.now(UTC)}.")
    repeat(graph="postgresql://somebody@a.long.name.of.a.host.example.org:5432/the_graph_of_the_team")
    lines = told(80, "capture", made)
    (way,) = [each for each in lines if "take back:" in each]
    assert way.endswith(f" undo {made['batch'][:SHORT]}")
