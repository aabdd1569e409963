"""``weft log``: what changed lately as a person reads it, and how it is taken back from there."""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from engine import graph_at
from faces.prompt import answer, weft
from weft.faces import logged
from weft.faces.options import hoist
from weft.graph import open as open_graph
from weft.model import CaptureRequest

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.usefixtures("on_notes")


def write_two() -> tuple[dict[str, Any], dict[str, Any]]:
    """Write two claims by two people, and relate them by the second."""
    words = ("--kind", "claim", "--title")
    one = answer("capture", "Herring migrate north in spring.", *words, "Herring", "--actor", "ann")
    other = answer("capture", "Violins are made of spruce.", *words, "Violins", "--actor", "ben")
    weft("relate", "Herring", "extends", "Violins", "--because", "a test", "--actor", "ben")
    return one, other


def test_the_log_tells_who_did_what_and_the_batch_it_shows_is_taken_back() -> None:
    """The newest first; the short id beside it is what ``weft undo`` takes, and the log says so afterwards."""
    write_two()
    said = weft("log").stdout
    lines = said.splitlines()
    heads = [line for line in lines if re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d  ", line)]
    assert [line[18:].split("  ")[0] for line in heads] == [
        "relate by ben (cli)",
        "capture by ben (cli)",
        "capture by ann (cli)",
    ]
    assert "    + Herring –extends→ Violins" in lines
    assert "  1 relation created" in lines
    assert lines[-1] == "Take one back with weft undo BATCH."
    batch = heads[0].split()[-1]
    assert "Took back 1 change." in weft("undo", batch).stdout
    again = weft("log", "--limit", "2").stdout
    undone_by = again.split("\n")[0].split()[-1]
    assert f"  nothing of it is left; weft undo {undone_by} brings it back" in again
    assert "    - Herring –extends→ Violins" in again
    assert weft("undo", undone_by).exit_code == 0
    assert "nothing of it is left" not in weft("log", "--actor", "ben").stdout.split("relate by ben")[1]


def test_a_forgotten_node_is_seen_to_have_gone() -> None:
    """With the word for it, and the mark of what was taken away."""
    write_two()
    weft("forget", "Herring", "--yes")
    said = weft("log", "--limit", "1").stdout
    assert "1 node retired, 1 relation removed" in said
    assert "    - Herring" in said


def test_json_is_what_http_answers() -> None:
    """Whole ids; the page goes on where the last one ended."""
    write_two()
    first = answer("log", "--limit", "1")
    assert len(first["batches"]) == 1
    assert len(first["batches"][0]["batch"]) == 36
    rest = answer("log", "--before", str(first["next_before"]))
    assert [each["tool"] for each in rest["batches"]] == ["capture", "capture"]
    assert answer("log")["batches"] == first["batches"] + rest["batches"]


def test_the_log_is_narrowed_by_options() -> None:
    """By node, actor, client, time; ``--actor`` after the command says whose changes, before it who asks."""
    one, _ = write_two()
    assert [each["actor"] for each in answer("log", "--actor", "ann")["batches"]] == ["ann"]
    assert [each["actor"] for each in answer("log", "--actor=ann")["batches"]] == ["ann"]
    assert [each["tool"] for each in answer("log", "Herring")["batches"]] == ["relate", "capture"]
    assert [each["batch"] for each in answer("log", "Herring", "--actor", "ann")["batches"]] == [one["batch"]]
    assert len(answer("--actor", "ann", "log", "--client", "cli", "--since", "2020-01-01")["batches"]) == 3
    assert answer("log", "--before", "2020-01-01")["batches"] == []
    assert answer("log", "--session", "morning")["batches"] == []
    assert "Nothing of that kind was found." in weft("log", "--actor", "eve").stdout


def test_what_somebody_changed_lately_and_with_which_tool_is_asked_in_one_line() -> None:
    """By the tool's name, and by an age counted from now; all of them together."""
    _, other = write_two()
    assert [each["actor"] for each in answer("log", "--tool", "capture")["batches"]] == ["ben", "ann"]
    asked = ("log", "--actor", "ben", "--tool", "capture", "--client", "cli", "--since", "2d", "--limit", "5")
    assert [each["batch"] for each in answer(*asked)["batches"]] == [other["batch"]]
    assert answer("log", "--tool", "capture", "--before", "1h")["batches"] == []
    assert len(answer("log", "--since", "90m", "--before", "0m")["batches"]) == 3
    assert "Nothing of that kind was found." in weft("log", "--tool", "undo").stdout


def test_a_misspelt_tool_is_told_what_comes_near() -> None:
    """Nothing found would read as nothing done; a tool that did nothing yet is none of these."""
    write_two()
    refused = weft("log", "--tool", "captur")
    assert refused.exit_code != 0
    assert "no tool or command is called 'captur'" in refused.stderr
    assert "capture" in refused.stderr.split("nearest")[1]
    assert answer("log", "--tool", "forget")["batches"] == []
    assert answer("log", "--tool", "sync")["batches"] == []


def test_what_a_tool_did_that_is_no_more_is_found_by_its_name(tmp_path: Path) -> None:
    """Older logs name tools of older releases; where the pages of one end, its name is not refused."""
    with open_graph(graph_at(tmp_path / "notes.db")) as graph:
        for title in ("Herring", "Violins"):
            wish = CaptureRequest(content=f"{title} are many.", title=title, kind="claim")
            graph.capture.capture(wish, graph.call("jot_down"))
    first = answer("log", "--tool", "jot_down", "--limit", "1")
    assert [each["tool"] for each in first["batches"]] == ["jot_down"]
    assert len(answer("log", "--tool", "jot_down")["batches"]) == 2
    (opening,) = answer("log", "--tool", "jot_down", "--before", str(first["next_before"]))["batches"]
    assert answer("log", "--tool", "jot_down", "--before", str(opening["position"]))["batches"] == []


def test_the_options_of_log_stay_with_it() -> None:
    """Wherever they stand behind the word, and nowhere else."""
    assert hoist(["log", "--actor", "ann", "--graph", "g"]) == ["--graph", "g", "log", "--actor", "ann"]
    assert hoist(["log", "Herring", "--actor=ann"]) == ["log", "Herring", "--actor=ann"]
    assert hoist(["search", "log", "--actor", "ann"]) == ["--actor", "ann", "search", "log"]


def test_what_goes_on_is_said_and_what_ended_too() -> None:
    """An option that continues, and how far was looked."""
    write_two()
    shown = weft("log", "--limit", "1").stdout.splitlines()
    position = answer("log", "--limit", "1")["next_before"]
    assert shown[-1] == f"--before {position} goes on with what is older."
    assert "--before" not in weft("log").stdout
    page = {"batches": [], "next_before": 7, "stopped_at": "2026-03-02T09:00:00.000000+00:00"}
    assert printed(page, width=80) == [
        "Nothing of that kind was found.",
        "Looked back as far as 2026-03-02 09:00.",
        "--before 7 goes on with what is older.",
    ]


def test_a_new_graph_has_no_log_yet() -> None:
    """And is not taken for one in which nothing was found."""
    made = answer("capture", "Herring migrate north in spring.")
    assert made["batch"]
    assert "Nothing was written yet." in "\n".join(printed({"batches": []}, width=80, narrowed=False))


@pytest.mark.parametrize(
    "words",
    [
        ("--limit", "0"),
        ("--since", "yesterday"),
        ("--since", "2y"),
        ("--since", "999999999w"),
        ("--before", "0"),
        ("--before", "then"),
    ],
)
def test_a_wrong_option_is_told_by_its_name(words: tuple[str, str]) -> None:
    """Code 1, and the option as it was typed."""
    write_two()
    refused = weft("log", *words)
    assert refused.exit_code == 1
    assert refused.stderr.startswith(f"weft: {words[0]}: ")


def test_a_reader_may_read_the_log_and_not_undo() -> None:
    """The tier is named."""
    write_two()
    batch = answer("log", "--role", "reader")["batches"][0]["batch"]
    refused = weft("undo", batch, "--role", "reader")
    assert (refused.exit_code, "librarian" in refused.stderr) == (1, True)


@pytest.mark.parametrize("width", [80, 200])
def test_a_line_is_broken_with_its_indent_kept(width: int) -> None:
    """On a narrow terminal, and not on a wide one; ids stay whole."""
    write_two()
    page = answer("log")
    page["batches"][0]["subjects"][0]["title"] = f"{'Herring ' * 7}–extends→ {'Violins ' * 7}".strip()
    shown = printed(page, width=width)
    assert all(len(each) <= width for each in shown)
    start = next(each for each, line in enumerate(shown) if line.startswith("    + Herring"))
    assert shown[start + 1].startswith("    ") is (width == 80)
    assert all(any(batch["batch"][:18] in line for line in shown) for batch in page["batches"])


def printed(page: dict[str, Any], *, width: int, narrowed: bool = True) -> list[str]:
    """Return the lines of a page of the log on a terminal of this width."""
    screen = Console(file=StringIO(), force_terminal=True, width=width, no_color=True, highlight=False, markup=False)
    logged.print_log(screen, page, narrowed=narrowed)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", screen.file.getvalue())  # type: ignore[attr-defined]
    return [line.rstrip() for line in plain.splitlines()]
