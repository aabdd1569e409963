"""What a newcomer meets at a prompt: next steps that work as shown, mistyped graphs, streams that fail, plain words."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer.core
import typer.main

from faces.prompt import weft
from weft.faces.cli import app
from weft.faces.lines import repeat, typed

pytestmark = [
    pytest.mark.usefixtures("at_home"),
    pytest.mark.files_only("about paths, streams and sentences of the prompt, which are the same beside a server"),
]


def process(*words: str, redirect: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run ``weft`` as a process of its own under a shell's ``redirect``."""
    line = f"{shlex.quote(sys.executable)} -m weft {shlex.join(words)} {redirect}"
    return subprocess.run(
        ["/bin/sh", "-c", line],
        check=False,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        timeout=60,
    )


def shown(text: str, word: str) -> list[str]:
    """Return the words of the first command in ``text`` that holds ``word``, without «weft»."""
    line = next(row for row in text.splitlines() if "weft " in row and word in row)
    return shlex.split(line.partition("weft ")[2].rstrip(")."))


def test_the_way_back_works_as_shown_for_a_graph_that_was_named(tmp_path: Path) -> None:
    """``--graph`` is repeated, quoted for a shell, in the way back and in what may come next."""
    named = str(tmp_path / "my notes.db")
    weft("init")
    said = weft("--graph", named, "capture", "Kilns are hot.", "--title", "Kiln").stdout
    back = weft(*shown(said, "undo"))
    assert back.exit_code == 0, back.output
    assert weft("fetch", "Kiln", "--graph", named).exit_code == 1
    assert shown(said, "search")[:2] == ["--graph", named]


def test_a_backup_is_put_back_where_it_came_from_by_the_command_that_is_shown(tmp_path: Path) -> None:
    """In a project with a graph of its own, which is left as it is."""
    weft("init")
    weft("capture", "This project's own.", "--title", "Own")
    weft("--graph", "other.db", "capture", "The other's.", "--title", "Other")
    said = weft("--graph", "other.db", "backup", str(tmp_path / "a copy.db")).stdout
    assert weft(*shown(said, "restore")).exit_code == 0
    assert weft("fetch", "Own").exit_code == 0


def test_a_graph_of_the_environment_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: the next command reaches it without."""
    monkeypatch.setenv("WEFT_GRAPH", "notes.db")
    assert "weft undo " in weft("capture", "Kilns are hot.").stdout


def test_a_role_is_repeated_where_less_would_be_reached_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that lowers is not: what takes a batch back needs more than what made it."""
    assert "weft undo " in weft("--role", "contributor", "capture", "Kilns are hot.").stdout
    monkeypatch.setenv("WEFT_ROLE", "reader")
    assert "weft --role librarian undo " in weft("--role", "librarian", "capture", "Clay is wet.").stdout


def test_a_command_that_is_shown_holds_no_password() -> None:
    """What was typed once need not stand in a terminal's scroll-back again."""
    repeat(graph="postgresql://ann:secret@db/notes")
    assert "secret" not in typed("weft undo x")
    repeat(graph="postgresql://db/notes?user=ann&password=secret")
    assert "secret" not in typed("weft undo x")
    repeat()
    assert typed("weft undo x") == "weft undo x"


def test_a_new_graph_is_told_of_and_no_folder_is_made_for_a_mistyped_path(tmp_path: Path) -> None:
    """On standard error, so that JSON stays JSON; ``init`` is how a folder is meant, and a name has its own."""
    said = weft("--graph", "fresh.db", "capture", "Kilns are hot.", "--json")
    assert json.loads(said.stdout)["title"]
    assert f"Made a new graph at {tmp_path / 'fresh.db'}" in said.stderr
    assert "Made a new graph" not in weft("--graph", "fresh.db", "capture", "Clay is wet.").stderr
    refused = weft("--graph", "no/deep/x.db", "capture", "hello")
    assert refused.exit_code == 3
    assert str(tmp_path / "no" / "deep") in refused.stderr
    assert not (tmp_path / "no").exists()
    assert weft(*shown(refused.stderr, "init")).exit_code == 0
    assert weft("--graph", "byname", "capture", "hello").exit_code == 0


def test_a_graph_that_is_not_there_is_made_by_the_command_that_is_shown() -> None:
    """That one, and not the project's."""
    assert weft(*shown(weft("--graph", "nograph", "status").stderr, "init")).exit_code == 0
    assert weft("--graph", "nograph", "status").exit_code == 0


def test_the_format_of_an_export_is_that_of_the_files_name() -> None:
    """A suffix that says none is refused, and names the option."""
    weft("capture", "Kilns are hot.")
    for name, start in (("g.graphml", "<?xml"), ("g.jsonl", '{"weft"'), ("g", '{"weft"')):
        assert weft("export", name).exit_code == 0
        assert Path(name).read_text(encoding="utf-8").startswith(start), name
    refused = weft("export", "g.foo")
    assert refused.exit_code == 1
    assert "--format" in refused.stderr
    assert not Path("g.foo").exists()
    assert weft("export", "g.foo", "--format", "jsonl").exit_code == 0


@pytest.mark.parametrize(
    ("words", "redirect", "part"),
    [
        (("capture", "-"), "<&-", b"Standard input is closed"),
        (("call", "capture", "--json-args", "-"), "<&-", b"Standard input is closed"),
        (("status",), "> /dev/full", b"No space left"),
        (("--help",), "> /dev/full", b"No space left"),
        (("status", "--json"), "> /dev/full", b"No space left"),
    ],
)
def test_a_stream_that_fails_is_told_in_a_sentence(words: tuple[str, ...], redirect: str, part: bytes) -> None:
    """It is no fault of ours, and nothing is to be reported."""
    if redirect.endswith("/dev/full") and not Path("/dev/full").exists():
        pytest.skip("this system has no device that is always full")
    weft("init")
    said = process(*words, redirect=redirect)
    assert said.returncode == 1
    assert part in said.stderr
    assert len(said.stderr.splitlines()) == 1, said.stderr


def test_a_terminal_that_lacks_a_sign_is_shown_a_mark_and_json_loses_nothing() -> None:
    """In ASCII, whichever way it comes about."""
    weft("capture", "Cafés close — early.", "--title", "Café")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for environment in ({"PYTHONIOENCODING": "ascii"}, plain):
        said = process("search", "early", **environment)
        assert said.returncode == 0, said.stderr
        assert b"Caf? " in said.stdout
        found = process("search", "early", "--json", **environment)
        assert json.loads(found.stdout)["hits"][0]["title"] == "Café"


def test_bytes_that_are_no_text_are_refused_as_such() -> None:
    """And not as halves of something that the user never wrote."""
    Path("bytes").write_bytes(b"a\xff")
    said = process("capture", "-", redirect="< bytes")
    assert said.returncode == 1
    assert b"Standard input is no text in utf-8" in said.stderr


def test_ingest_ends_with_code_1_where_nothing_that_was_named_could_be_read() -> None:
    """And with 0 where something could, or was there already."""
    Path("bin.md").write_bytes(b"\x00\x01")
    Path("good.md").write_text("# Kiln\n\nThe kiln is hot.\n", encoding="utf-8")
    refused = weft("ingest", "bin.md")
    assert refused.exit_code == 1
    assert "left out bin.md" in refused.stdout
    assert weft("ingest", "bin.md", "good.md").exit_code == 0
    assert weft("ingest", "bin.md", "good.md").exit_code == 0
    assert weft("ingest", "https://127.0.0.1:9/x", "--json").exit_code == 1


def test_several_batches_are_told_with_the_ways_to_each() -> None:
    """In words of the command line."""
    for name in ("kiln", "clay"):
        Path(f"{name}.md").write_text(f"# {name.title()}\n\nThe {name} is old.\n", encoding="utf-8")
    said = weft("ingest", "kiln.md", "clay.md").stdout
    assert "batches; weft log lists them, weft undo BATCH takes one back" in said


@pytest.mark.parametrize(
    ("words", "part", "unsaid"),
    [
        (("search", "x", "--kind", "claims"), "--kind: 'claims' is not known; the nearest is claim.", "kinds.0"),
        (("search", "x", "--limit", "500"), "--limit: must be at most 100", "Correct the named field"),
        (("search", "x", "--limit", "abc"), "'--limit': must be a whole number", "Input should be"),
        (("--scope", "foo", "status"), "'--scope': 'foo' is not one of", "Value error"),
        (("serve", "--auth", "token"), "--auth: only with --http", "waiting for MCP"),
        (("ingest", "ftp://example.org/a"), "ftp://example.org/a is no web page", "does not exist"),
        (("relate", "K", "supports", "L", "--because", "x", "--confidence", "2"), "--confidence: must", "Correct"),
        (("relate", "K", "supports", "L", "--because", " "), "--because: must say something", "reasoning"),
        (("capture", "x", "--kind", "foo"), "--kind: 'foo' is not known. Allowed: decision", "nearest"),
        (("call", "nope"), "weft tools lists them.", "Consider"),
        (("update", "K"), "--superseded-by", "importance"),
        (("update", "K"), "--tag", "tags,"),
        (("learn", "update", "K"), "nothing to change; give --because or --type\n", "relationship_type"),
    ],
)
def test_an_error_names_what_can_be_typed(words: tuple[str, ...], part: str, unsaid: str) -> None:
    """Options and commands, where other faces name fields and tools."""
    weft("capture", "Kilns are hot.", "--title", "K")
    said = weft(*words)
    assert said.exit_code in {1, 2}
    assert part in said.stderr
    assert unsaid not in said.stderr


def test_an_error_in_json_names_the_fields_of_the_tool() -> None:
    """The twin: what a program reads is the same on every face."""
    weft("init")
    said = json.loads(weft("search", "x", "--kind", "claims", "--json").stdout)
    assert said["message"].startswith("kinds.0: ")
    assert said["hint"] == "Correct the named field and call again."


def test_a_setting_that_lacks_another_names_both_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are what the user set."""
    monkeypatch.setenv("WEFT_EMBED_URL", "http://localhost/v1")
    said = weft("status")
    assert said.exit_code == 2
    assert "WEFT_EMBED_URL is set but WEFT_EMBED_MODEL is not" in said.stderr


def test_every_commands_first_sentence_fits_a_line_of_help() -> None:
    """No «…» at 80 columns, and no type of Python in the place of a value."""
    for name, command in _commands(typer.main.get_group(app)):
        sentence = (command.help or "").split("\n")[0].partition(". ")[0].rstrip(".")
        assert len(sentence) <= 50, name
        said = weft(*name.split(), "--help").stdout
        assert "..." not in said.replace("[ARGS]...", "").replace("S...", "").replace("[PATH]...", ""), name
        assert "<str>" not in said, name
        assert "list[" not in said, name
        assert "{" not in said.partition("\n")[0], name


def _commands(group: typer.core.TyperGroup, ahead: str = "") -> list[tuple[str, typer.core.TyperCommand]]:
    found: list[tuple[str, typer.core.TyperCommand]] = []
    for name, command in group.commands.items():
        found.append((f"{ahead}{name}", command))
        if isinstance(command, typer.core.TyperGroup):
            found += _commands(command, f"{ahead}{name} ")
    return found
