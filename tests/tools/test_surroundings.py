"""The library and the command line in rough surroundings: what they are handed, where they run, and how they end."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import weft
from doors import settings
from engine import graph_at
from weft.errors import CannotOpen, InvalidArgument
from weft.model import CaptureRequest, Tier

if TYPE_CHECKING:
    from collections.abc import Callable

OPENED: dict[str, Callable[..., Any]] = {"weft.open": weft.open, "weft.connect": weft.connect}
opened_by = pytest.mark.parametrize("door", OPENED.values(), ids=list(OPENED))
linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc, memory and removed folders as on Linux")


def run(program: str, *words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``program`` in a process of its own, which ends within a minute, and imports nothing from where it stands."""
    command = [sys.executable, "-P", "-W", "ignore::DeprecationWarning", "-c", program, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=env)


# ---- what a graph is named by


@pytest.mark.files_only("a Path is one of a file")
@opened_by
def test_a_path_object_names_a_file_whatever_it_ends_in(
    door: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As text without a slash «notes» would be a name, and looked for among the user's graphs."""
    monkeypatch.chdir(tmp_path)
    for named in (tmp_path / "notes.db", Path("notes.db"), Path("notes")):
        with door(named, settings=weft.Settings(actor="ann"), tier="reader") as opened:
            graph = getattr(opened, "graph", opened)
            assert (graph.path, graph.tier) == (tmp_path / named, Tier.READER)


@pytest.mark.files_only("a path is one of a file")
@opened_by
def test_what_is_no_graph_no_tier_and_no_settings_is_refused_by_name(door: Callable[..., Any], tmp_path: Path) -> None:
    """An error of Weft that says what is taken, and nothing is made."""
    path = str(tmp_path / "notes.db")
    wrong: list[tuple[type[weft.WeftError], str, dict[str, Any]]] = [
        (InvalidArgument, r"graph: must be a name, a path or a .* not 5", {"graph": 5}),
        (InvalidArgument, r"graph: must be a name, a path or a .* not b'notes\.db'", {"graph": b"notes.db"}),
        (InvalidArgument, r"settings: must be a weft\.Settings, not \{\}", {"graph": path, "settings": {}}),
        (InvalidArgument, r"tier: must be one of reader, .* not 9", {"graph": path, "tier": 9}),
        (InvalidArgument, r"tier: must be one of reader, .* not 'owner'", {"graph": path, "tier": "owner"}),
        (CannotOpen, r"b\\udcff\.db' cannot be opened: .* not UTF-8", {"graph": str(tmp_path / "b\udcff.db")}),
        (CannotOpen, r"b\\x00\.db' cannot be opened: .* a zero", {"graph": str(tmp_path / "b\0.db")}),
    ]
    for kind, message, given in wrong:
        with pytest.raises(kind, match=message):
            door(**given)
    assert not any(tmp_path.iterdir())


@pytest.mark.files_only("what is refused is no address of a server either")
@opened_by
@pytest.mark.parametrize("url", ["sqlite:///notes.db", "postgresql+psycopg://ann:secret@db/notes", "POSTGRESQL://db/n"])
def test_a_url_of_another_kind_is_no_path(
    door: Callable[..., Any], url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder was made that was called by user and password, and the graph was not where it was thought to be."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidArgument, match=r"a URL that begins with .* names no graph") as raised:
        door(url)
    assert "secret" not in raised.value.message
    assert not any(tmp_path.iterdir())


WRONG_SETTINGS: dict[str, Any] = {
    "graph": Path("notes.db"),
    "roots": ["notes"],
    "actor": 5,
    "creators": ["ann"],
    "link_floor": "0.5",
    "fetch": "off",
    "embed": "http://127.0.0.1:8080/v1",
    "auth": None,
}


@pytest.mark.parametrize("name", WRONG_SETTINGS)
def test_a_setting_of_another_type_is_refused_by_its_name(name: str) -> None:
    """Else it is met later, as an error of Python's; «off» is true to Python, and would let documents be fetched."""
    with pytest.raises(InvalidArgument, match=rf"^{name} must be .*, not of the type "):
        weft.Settings(**{name: WRONG_SETTINGS[name]})


@opened_by
def test_the_name_of_who_writes_is_text_on_one_line(door: Callable[..., Any], tmp_path: Path) -> None:
    """It may be a name that somebody gave to a service, and it stands in the log for good."""
    for name, message in (
        ("a\0n", "actor holds a NUL"),
        ("a\ud800", "actor is not valid"),
        ("a" * 201, "actor is too"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            door(settings=settings(tmp_path, actor=name))
    with door(settings=settings(tmp_path, actor="ann\n\u202elee ")) as opened:
        graph = getattr(opened, "graph", opened)
        made = graph.capture.capture(CaptureRequest(content="Water boils at 100 °C."), graph.call())
        assert made.node.created_by == "ann lee"


@opened_by
@pytest.mark.parametrize("judge", [5, "rules", Path], ids=repr)
def test_what_cannot_judge_is_refused_before_anything_is_opened(
    door: Callable[..., Any],
    judge: object,
    tmp_path: Path,
) -> None:
    """A class in place of an object is the slip that is made most."""
    with pytest.raises(InvalidArgument, match="judge: must be an object with a name and a method judge, not"):
        door(settings=settings(tmp_path), judge=judge)


# ---- what an open graph is to Python


def test_an_open_graph_is_not_pickled_or_copied_and_what_it_answers_is(tmp_path: Path) -> None:
    """A pool of processes that is handed one is told what to do, not that it holds a lock."""
    with weft.connect(settings=settings(tmp_path)) as notes:
        for held in (notes, notes.search, notes.graph):
            for take in (pickle.dumps, copy.deepcopy):
                with pytest.raises(TypeError, match=r"belongs to this process: (connect|open the graph) again"):
                    take(held)
        made = notes.graph.capture.capture(CaptureRequest(content="Water boils at 100 °C."), notes.graph.call())
        assert pickle.loads(pickle.dumps(made)) == made == copy.deepcopy(made)  # noqa: S301 - pickled a moment ago
        with pytest.raises(weft.WeftError) as raised:
            notes.fetch("nothing there")
        again = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 - likewise
        assert (type(again), again.answer()) == (raised.type, raised.value.answer())
        assert weakref.ref(notes)() is notes
        assert weakref.ref(notes.graph)() is notes.graph


FORGOTTEN = """
import gc, os, sys, threading, time
import weft

def files():
    return len(os.listdir("/proc/self/fd"))

def use(number):
    notes = weft.connect(sys.argv[1])
    notes.capture(f"Water boils in pot {number}.")
    notes.search("boiling water")
    return notes

use(0).close()  # the model is loaded
before = files()
for number in range(1, 6):
    use(number)
until = time.monotonic() + 30
while (files() > before or threading.active_count() > 1) and time.monotonic() < until:
    gc.collect()
    time.sleep(0.01)
print(files() <= before, threading.enumerate())
with weft.connect(sys.argv[1]) as notes:
    print(notes.status()["counts"]["nodes"])
    recall = weft.open(sys.argv[1]).recall
    gc.collect()
    print(recall.fetch("Water boils in pot 3.", notes.graph.call()).node.title)
"""


@linux
@pytest.mark.files_only("a server's connections are the driver's")
def test_a_connection_that_was_forgotten_open_leaves_no_thread_and_no_file_behind(tmp_path: Path) -> None:
    """As in a notebook whose cell is run again; what somebody still holds a verb of goes on."""
    said = run(FORGOTTEN, str(tmp_path / "notes.db"))
    assert not said.stderr
    closed, nodes, title = said.stdout.splitlines()
    assert closed.startswith("True [<_MainThread(")
    assert closed.count("<") == 1
    assert (nodes, title) == ("6", "Water boils in pot 3.")


FORKED = """
import os, sys
import weft

notes = weft.connect(sys.argv[1])
notes.capture("Water boils.")
notes.search("water")
call = notes.graph.call()
child = os.fork()
if not child:
    asked = {
        "tool": lambda: notes.search("water"),
        "operator": notes.log,
        "verb": notes.graph.call,
        "store": notes.graph.store.counts,
    }
    for name, ask in asked.items():
        try:
            ask()
        except weft.WeftError as error:
            print(name, "–", error.message, error.hint)
    notes.close()
    with weft.connect(sys.argv[1]) as own:
        own.capture("Ice melts.")
    sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
print(sorted(hit["title"] for hit in notes.search("")["hits"]))
notes.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
def test_a_forked_child_is_sent_to_open_the_graph_again_and_its_parent_goes_on(tmp_path: Path) -> None:
    """It shares the parent's threads only in name, and its connection in truth."""
    said = run(FORKED, graph_at(tmp_path / "notes.db"))
    refused = "The graph was opened before this process was forked. Open it again here."
    assert said.stdout.splitlines() == [
        *(f"{name} – {refused}" for name in ("tool", "operator", "verb", "store")),
        "['Ice melts.', 'Water boils.']",
    ], said.stderr


# ---- where a process runs


GONE = """
import os, sys
os.chdir(sys.argv.pop(1))
os.rmdir(os.getcwd())
from weft.faces.cli import main
main()
"""


@linux
@pytest.mark.files_only("what belongs to a server's graph here is looked for from the working directory upward")
def test_where_the_working_directory_is_gone_a_graph_with_a_path_of_its_own_is_used(tmp_path: Path) -> None:
    """What needs the directory says so; no file can be read, since none lies under it."""

    def said(*words: str) -> subprocess.CompletedProcess[str]:
        folder = tmp_path / "gone"
        folder.mkdir()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WEFT_")}
        return run(GONE, str(folder), *words, env=environment)

    assert "Water boils." in said("--graph", str(tmp_path / "notes.db"), "capture", "Water boils.").stdout
    for words in (("--graph", "./notes.db", "status"), ("init",)):
        refused = said(*words)
        assert (refused.returncode, refused.stderr) == (
            3,
            "weft: The working directory is gone.\nChange to a folder that is there.\n",
        )


@pytest.mark.files_only("it is asked for no graph by name or path")
def test_a_user_without_a_home_is_told_to_name_the_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that runs under a number."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # what Python answers where the system knows no home
    for named in ("", "~/notes.db"):
        with pytest.raises(CannotOpen, match="names no home for it") as refused:
            weft.open(settings=weft.Settings(graph=named))
        assert refused.value.hint == "Set HOME, or name the graph by its path: --graph ./notes.db"
    weft.open("./notes.db").close()


NO_THREADS = """
import resource, sys, threading
import weft.graph
from weft.faces.cli import main

threading.stack_size(64 << 20)
taken = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + (48 << 20), resource.RLIM_INFINITY))
main()
"""


@linux
@pytest.mark.files_only("a server's driver waits for its threads")
def test_where_the_system_gives_no_threads_the_command_line_says_so(tmp_path: Path) -> None:
    """It is no fault of ours, and nobody is asked to report it."""
    path = str(tmp_path / "notes.db")
    weft.open(path).close()
    said = run(NO_THREADS, "--graph", path, "status")
    assert (said.returncode, said.stderr) == (
        1,
        "weft: the system gives this process no further memory or threads; what was done is kept\n",
    )
