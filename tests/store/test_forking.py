"""A process that is forked while it has a graph open: the child is refused, or works, and nobody loses a word.

Each test forks in a process of its own, so that what the tests' process holds is never forked.
"""

from __future__ import annotations

import os
import subprocess
import sys
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from store.captures import opened
from store.soundness import faults
from weft.model import Filter, Page

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")

START = """
    import os, sys, threading, time
    from pathlib import Path
    from store.captures import opened
    from weft.errors import Unavailable
    from weft.testing.making import a_batch, a_node, saved

    PATH = Path(sys.argv[1])

    def capture(graph, title):
        graph.store.commit(a_batch(saved(a_node(title))))

    def in_child(work):
        if child := os.fork():
            return child
        try:
            work()
        except BaseException as error:
            print("child:", type(error).__name__, error, flush=True)
        finally:
            os._exit(0)

    def ended(child):
        until = time.monotonic() + 20
        while time.monotonic() < until:
            if os.waitpid(child, os.WNOHANG)[0]:
                return True
            time.sleep(0.01)
        os.kill(child, 9)
        os.waitpid(child, 0)
        return False
"""


def told(script: str, path: Path) -> list[str]:
    """Run ``script`` in a process of its own, and return the lines that it and its children printed."""
    code = dedent(START) + dedent(script)
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code, str(path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert not done.returncode, done.stderr
    return done.stdout.splitlines()


def test_what_a_child_captures_in_a_graph_that_it_opened_anew_outlives_its_parent_closing_it(tmp_path: Path) -> None:
    """To the engine the child would hold the parent's locks, and its log be gone when the parent closes the file."""
    script = """
        graph = opened(PATH)
        capture(graph, "before")
        ready, told = os.pipe(), os.pipe()

        def work():
            own = opened(PATH)
            capture(own, "child first")
            os.write(ready[1], b".")
            os.read(told[0], 1)
            capture(own, "child second")
            own.close()

        child = in_child(work)
        os.read(ready[0], 1)
        capture(graph, "parent")
        graph.close()
        opened(PATH).close()
        os.write(told[1], b".")
        print(ended(child))
    """
    assert told(script, tmp_path / "graph.db") == ["True"]
    graph = opened(tmp_path / "graph.db")
    found = graph.store.find(Filter(), Page(limit=10)).nodes
    assert {node.title for node in found} == {"before", "child first", "parent", "child second"}
    graph.close()
    assert not faults(tmp_path / "graph.db")


def test_a_child_is_refused_what_its_parent_has_open_and_closes_it_without_waiting(tmp_path: Path) -> None:
    """Whatever the parent's threads were doing when it was forked: here they write without a pause."""
    script = """
        graph = opened(PATH)
        capture(graph, "before")
        stop = threading.Event()

        def write():
            number = 0
            while not stop.is_set():
                number += 1
                capture(graph, f"parent {number}")

        writer = threading.Thread(target=write)
        writer.start()

        def refused():
            try:
                graph.store.counts()
            except Unavailable as error:
                print(error.message, flush=True)
            graph.database.close()

        for _ in range(8):
            time.sleep(0.013)
            print(ended(in_child(refused)), flush=True)
        stop.set()
        writer.join()
        graph.close()
    """
    assert told(script, tmp_path / "graph.db") == ["The graph was opened before this process was forked.", "True"] * 8


def test_children_of_a_process_whose_threads_read_and_write_work_beside_it(tmp_path: Path) -> None:
    """A fork waits until nobody is in the engine: locks that other threads held there would be held for ever."""
    script = """
        graph = opened(PATH)
        stop = threading.Event()
        kept = ["before"]
        capture(graph, kept[0])  # loads what a capture needs: Python gives a child no lock of a module half loaded back

        def write(name):
            while not stop.is_set():
                kept.append(f"{name} {len(kept)}")
                capture(graph, kept[-1])

        def read():
            while not stop.is_set():
                with graph.database.snapshot() as reader:
                    reader.read("graph_held")
                    graph.store.counts()

        threads = [threading.Thread(target=write, args=(name,)) for name in "ab"] + [threading.Thread(target=read)]
        for thread in threads:
            thread.start()

        def work():
            own = opened(PATH)
            for number in range(3):
                capture(own, f"child {os.getpid()} {number}")
            own.close()

        children = []
        for _ in range(12):
            time.sleep(0.007)
            children.append(in_child(work))
        print(all([ended(child) for child in children]))
        stop.set()
        for thread in threads:
            thread.join()
        graph.close()
        print(len(kept) + 3 * len(children))
    """
    ended, count = told(script, tmp_path / "graph.db")
    graph = opened(tmp_path / "graph.db")
    assert (ended, graph.store.counts().nodes) == ("True", int(count))
    graph.close()
    assert not faults(tmp_path / "graph.db")


def test_a_child_that_was_forked_in_the_midst_of_a_call_is_told_so_and_does_no_harm(tmp_path: Path) -> None:
    """The thread that forks holds the engine itself, so nothing is waited for."""
    script = """
        graph = opened(PATH)
        from weft.model import Tier

        def work():
            opened(PATH)

        with graph.database.writer(Tier.CURATOR):
            child = in_child(work)
            print(ended(child), flush=True)
        capture(graph, "after")
        print(graph.store.counts().nodes)
        graph.close()
    """
    refused, *rest = told(script, tmp_path / "graph.db")
    assert refused == "child: Unavailable This process was forked while its parent was using a graph."
    assert rest == ["True", "1"]


def test_a_child_that_goes_on_does_not_keep_others_from_writing(tmp_path: Path) -> None:
    """The lock under which writers queue is the parent's: a child that lived on would hold it for ever."""
    script = """
        graph = opened(PATH)
        capture(graph, "before")
        with graph.database.turn():
            if not os.fork():
                time.sleep(60)
                os._exit(0)
            print("forked", flush=True)
            os.kill(os.getpid(), 9)
    """
    code = dedent(START) + dedent(script)
    graph = opened(tmp_path / "graph.db")
    with subprocess.Popen(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code, str(tmp_path / "graph.db")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"forked\n"
        assert parent.wait(20) == -9
        with graph.database.turn(5.0):
            pass
        os.killpg(parent.pid, 9)
    graph.close()
