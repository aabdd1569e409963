"""The vault is kept while a server runs: by one process, with files and graph as they change."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from typer.testing import CliRunner

from doors import serving, settings
from engine import execute_at, graph_at, server
from vault.shelf import desk
from weft.faces.cli import app
from weft.faces.vaulting import start
from weft.graph import open as open_graph
from weft.model import CaptureRequest
from weft.testing.making import a_node, saved
from weft.vault.keeper import Keeper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pytest

PATIENCE_S = 20.0


def wait_for(what: Callable[[], object]) -> float:
    """Wait until ``what`` holds, and return how long it took in seconds."""
    started = time.monotonic()
    while not what():
        assert time.monotonic() - started < PATIENCE_S, "it did not happen"
        time.sleep(0.01)
    return time.monotonic() - started


@contextmanager
def kept(graph: object, after: Callable[[], object] = bool) -> Iterator[None]:
    """Keep the vault of a desk in a thread; ``after`` each pass something else may happen."""

    def during(function: Callable[[], object]) -> object:
        done = function()
        after()
        return done

    stop = threading.Event()
    keeper = Keeper(
        graph.vault,  # type: ignore[attr-defined]
        call=graph.call,  # type: ignore[attr-defined]
        during=during,
        check=lambda _: None,
    )
    thread = threading.Thread(target=keeper.run, args=(stop,))
    thread.start()
    try:
        wait_for(lambda: graph.vault.status().watched)  # type: ignore[attr-defined]
        yield
    finally:
        stop.set()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_a_keeper_mirrors_both_ways_by_itself(tmp_path: Path) -> None:
    """What the graph holds is written, what is edited is read, and what is deleted is retired after a while."""
    with desk(tmp_path) as graph, kept(graph):
        node = a_node("Water")
        graph.write(saved(node))
        wait_for(lambda: len(graph.notes()) == 1)
        file = graph.file(node)
        wait_for(lambda: not graph.vault.is_behind())
        file.write_text(file.read_text().replace("It was measured.", "It was weighed."))
        assert wait_for(lambda: graph.node(node).content.endswith("weighed.")) < PATIENCE_S
        wait_for(lambda: "modified_by: vault" in file.read_text())
        file.unlink()
        wait_for(lambda: graph.node(node).retired is not None)


def test_an_edit_right_after_the_first_pass_is_not_missed(tmp_path: Path) -> None:
    """The files are watched before they are read for the first time."""
    with desk(tmp_path) as graph:
        node = a_node("Water")
        graph.write(saved(node))
        graph.sync()
        file = graph.file(node)
        edits = [file.read_text().replace("It was measured.", "It was weighed.")]
        with kept(graph, after=lambda: edits and file.write_text(edits.pop())):
            wait_for(lambda: graph.node(node).content.endswith("weighed."))


def test_one_keeper_watches_and_the_next_takes_over(tmp_path: Path) -> None:
    """A second keeper stands by until the first ends."""
    with desk(tmp_path) as graph, desk(tmp_path) as other:
        first, second = threading.Event(), threading.Event()
        passes: list[str] = []

        def keep(held: object, name: str, stop: threading.Event) -> threading.Thread:
            def during(function: Callable[[], object]) -> object:
                passes.append(name)
                return function()

            keeper = Keeper(held.vault, call=held.call, during=during, check=lambda _: None)  # type: ignore[attr-defined]
            thread = threading.Thread(target=keeper.run, args=(stop,))
            thread.start()
            return thread

        one = keep(graph, "one", first)
        wait_for(lambda: "one" in passes)
        two = keep(other, "two", second)
        graph.write(saved(a_node("Water")))
        wait_for(lambda: len(graph.notes()) == 1)
        assert "two" not in passes
        first.set()
        one.join(PATIENCE_S)
        wait_for(lambda: "two" in passes)
        second.set()
        two.join(PATIENCE_S)


def test_a_keeper_lets_go_once_another_release_has_brought_the_graph_up(tmp_path: Path) -> None:
    """It could take nothing in, and would keep servers of that release from doing so: these take over."""
    node = a_node("Water")
    with desk(tmp_path) as graph:
        graph.write(saved(node))
        with kept(graph):
            wait_for(lambda: len(graph.notes()) == 1 and not graph.vault.is_behind())
            execute_at(tmp_path / "graph.db", "UPDATE meta SET value = 'later' WHERE key = 'words'")
            file = graph.edit(node, "It was measured.", "It was weighed.")
            wait_for(lambda: not graph.vault.status().watched)
        assert "weighed" in file.read_text()
        with desk(tmp_path) as newer, kept(newer):
            wait_for(lambda: newer.node(node).content.endswith("weighed."))


def test_a_keeper_marks_what_the_files_it_refers_to_have_outrun(tmp_path: Path) -> None:
    """A changed source file marks the node for review, and its note says so."""
    source = tmp_path / "clock.py"
    source.write_text("TICK = 1")
    with open_graph(settings=settings(tmp_path), root=tmp_path) as graph:
        root = graph.vault.turn_on(tmp_path / "vault", graph.call())
        request = CaptureRequest(content="The clock ticks once a second.", references=("clock.py",))
        node = graph.capture.capture(request, graph.call("capture")).node
        stop = threading.Event()
        keeper = Keeper(
            graph.vault,
            call=lambda: graph.call("sync"),
            during=lambda function: function(),
            check=graph.staleness.check,
            files_every_s=0.1,
        )
        thread = threading.Thread(target=keeper.run, args=(stop,))
        thread.start()
        wait_for(lambda: list(root.rglob("*.md")))
        source.write_text("TICK = 2")
        wait_for(lambda: graph.store.nodes([node.id])[node.id].status == "needs_review")
        wait_for(lambda: any("status: needs_review" in note.read_text() for note in root.rglob("*.md")))
        stop.set()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_a_server_keeps_the_vault(tmp_path: Path) -> None:
    """It starts by itself once the vault is on, and ends with the server."""
    with open_graph(settings=settings(tmp_path)) as graph:
        root = graph.vault.turn_on(tmp_path / "vault", graph.call())
    with serving(tmp_path) as held:
        start(held)
        start(held)
        graph = held.graph()
        graph.capture.capture(CaptureRequest(content="Water boils at 100 °C.", kind="claim"), graph.call())
        wait_for(lambda: list(root.glob("nodes/claims/*.md")))
        held.end()
        wait_for(lambda: held.keeping.acquire(blocking=False))


def test_a_read_only_server_keeps_nothing(tmp_path: Path) -> None:
    """The twin: it may not write, so it does not watch."""
    with open_graph(settings=settings(tmp_path)) as graph:
        graph.vault.turn_on(tmp_path / "vault", graph.call())
    with serving(tmp_path, read_only=True) as held:
        start(held)
        assert held.keeping.acquire(blocking=False)


def weft(*words: str) -> str:
    """Run a command in the working directory, and return what it prints."""
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


def work_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a graph for the project in ``folder``, and work there."""
    monkeypatch.chdir(folder)
    if server:
        (folder / ".weft").mkdir()
        monkeypatch.setenv("WEFT_GRAPH", graph_at(folder / ".weft" / "graph.db"))
    weft("init")


def test_the_command_line_turns_it_on_syncs_and_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project's graph has its vault beside ``.weft``; a clone with only the Markdown gets the graph back."""
    work_in(tmp_path, monkeypatch)
    (tmp_path / "app.py").write_text("a = 1\n")
    weft("capture", "We decided to cool the water.", "--kind", "decision", "--reference", "app.py")
    assert "off" in weft("vault", "status")
    told = json.loads(weft("vault", "on", "--json"))
    root = Path(told["root"])
    assert (root.parent, told["written"]) == (tmp_path, 1)
    assert re.fullmatch(r"vault-(?![0-9a-f]{16}$).+", root.name) if server else root.name == "vault"
    (note,) = (root / "nodes" / "decisions").glob("*.md")
    note.write_text(note.read_text() + "\nAnd to drink it.\n")
    assert "1 changed node" in weft("sync", "--dry-run")
    assert "1 changed node" in weft("sync")
    assert "agree" in weft("sync")
    assert "1 note" in weft("vault", "status")
    (tmp_path / "app.py").write_text("a = 2\n")
    assert "app.py" in weft("sync")
    assert "status: needs_review" in note.read_text()
    for name in ("soup", "stew"):
        (note.parent / f"{name}.md").write_text(f"We decided to have {name}.\n")
    assert "2 batches; weft log lists them, weft undo BATCH takes one back" in weft("sync")
    clone = tmp_path / "clone"
    clone.mkdir()
    root.rename(clone / root.name)
    work_in(clone, monkeypatch)
    assert "3 new nodes" in weft("vault", "on", root.name)
    assert "drink" in weft("search", "drink")
    assert "off" in weft("vault", "off")
    assert "off" in weft("sync")


def test_stdio_serves_and_keeps_the_vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``weft serve`` over standard input and output: an edited file is in the graph while the agent works."""
    work_in(tmp_path, monkeypatch)
    weft("capture", "Water boils.", "--kind", "claim")
    weft("vault", "on", "vault")
    (note,) = (tmp_path / "vault" / "nodes" / "claims").glob("*.md")
    process = subprocess.Popen(
        [sys.executable, "-m", "weft", "serve"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    try:
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        process.stdin.write(json.dumps(body) + "\n")
        process.stdin.flush()
        note.write_text(note.read_text().replace("Water boils.", "Water boils at sea level."))
        wait_for(lambda: "modified_by: vault" in note.read_text())
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
