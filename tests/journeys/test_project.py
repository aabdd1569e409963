"""A project that keeps its knowledge beside its code: the page's examples and hooks, and what it costs as it grows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from doors import Door, door
from engine import graph_at, server
from weft.identity import new_id
from weft.model import Batch, Filter, Node, Page, Passage, SaveNode
from weft.store import database

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from weft.graph import Graph

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = re.findall(
    r"^```sh\n(.*?)^```$",
    (ROOT / "docs" / "explanation" / "systems" / "project.md").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)


# ---- the page's examples


class Shell:
    """A project's folder in git, and a shell in it that finds ``weft``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.folder.mkdir()
        self.graph = self.folder / ".weft" / "graph.db"
        if server:
            self.graph.parent.mkdir()
        bin_ = folder / "bin"
        bin_.mkdir()
        (bin_ / "weft").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m weft "$@"\n', encoding="utf-8")
        (bin_ / "weft").chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("WEFT_", "GIT_"))}
        self.environment = kept | {
            "PATH": f"{bin_}{os.pathsep}{kept['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
            "HOME": str(folder),
            "WEFT_ACTOR": "ann",
            **({"WEFT_GRAPH": graph_at(self.graph)} if server else {}),
            **{f"GIT_{who}_{what}": "ann@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }

    def run(self, script: str, said: str = "") -> str:
        """Run a script and return what it printed; a command that fails fails the test."""
        done = subprocess.run(
            ["sh", "-e", "-c", script],
            cwd=self.folder,
            env=self.environment,
            input=said,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A project in which every example of the page has been run, in its order."""
    made = Shell(tmp_path_factory.mktemp("journey"))
    (made.folder / "src" / "auth").mkdir(parents=True)
    (made.folder / "src" / "auth" / "jwt.py").write_text("KEY = 1\n", encoding="utf-8")
    made.run("git init -q .")
    for example in EXAMPLES:
        made.run(example)
    return made


@pytest.fixture
def ann(shell: Shell) -> Iterator[Door]:
    """Ann, who looks at the graph of that project from here."""
    with door(shell.folder / ".weft", graph=graph_at(shell.graph)) as opened:
        yield opened


def test_the_examples_of_the_page_do_what_the_page_says(ann: Door) -> None:
    """A decision, a component that depends on it, a question that finds them."""
    assert len(EXAMPLES) == 4
    status = ann.call("autology_status")
    assert status["nodesByType"] == {"decision": 1, "component": 1}
    assert status["relationsByType"] == {"depends_on": 1}
    (first, *_) = ann.call("autology_context", currentFile="src/auth/jwt.py")["nodes"]
    assert first["title"] == "Use JWT for sessions"
    assert first["relations"][0]["type"] == "depends_on"


def test_an_edit_a_commit_and_an_update_go_through_the_hooks(shell: Shell, ann: Door) -> None:
    """The edited file's decision is marked and told; the commit is kept; rewriting the decision settles it."""
    path = shell.folder / "src" / "auth" / "jwt.py"
    path.write_text("KEY = 2\n", encoding="utf-8")
    told = json.loads(shell.run(".weft/file-changed", json.dumps({"tool_input": {"file_path": str(path)}})))
    assert [(each["title"], each["changed"]) for each in told["stale"]] == [
        ("Use JWT for sessions", ["src/auth/jwt.py"])
    ]
    again = json.loads(shell.run(".weft/file-changed src/auth/jwt.py"))
    assert (again["id"], again["existing"]) == (told["id"], True)
    assert "stale" not in again
    shell.run("git add src && git commit -q -m 'feat: rotate the signing key' -m 'We rotate it every night now.'")
    kept = ann.call("autology_query", query="rotate the signing key", mode="keyword")["nodes"]
    assert [(each["title"], each["references"]) for each in kept] == [
        ("feat: rotate the signing key", ["src/auth/jwt.py"])
    ]
    (marked,) = ann.call("autology_query", status="needs_review")["nodes"]
    assert marked["title"] == "Use JWT for sessions"
    ann.call("autology_update", id=marked["id"], content="We chose JWT; its key is rotated every night.")
    assert ann.call("autology_query", status="needs_review")["nodes"] == []


# ---- what it costs as the project grows

SMALL, LARGE = 400, 4_000
TOGETHER = 8  # nodes that share a file, a tag and words
QUESTIONS: dict[str, dict[str, Any]] = {
    "autology_capture": {
        "title": "part1 gate",
        "content": "We chose word9 for part9; it uses word2.",
        "tags": ["tag3"],
        "references": ["src/m3/f1.py"],
        "session": "s",
    },
    "autology_query": {"query": "word7 thing56"},
    "autology_query in mode keyword": {"query": "word7", "mode": "keyword"},
    "autology_context": {"currentFile": "src/m3/f1.py", "currentTask": "word7 near part7"},
}


def fill(graph: Graph, size: int) -> None:
    """Write ``size`` nodes, eight of each subject, as an import would."""
    call = graph.call()
    at = call.at - timedelta(days=30)
    chance = np.random.default_rng(1)
    saves = []
    for number in range(size):
        subject = number // TOGETHER
        title = f"part{subject} number{number}"
        content = f"It says word{subject} of part{subject} and thing{number}."
        vector = chance.normal(size=graph.embedder.dimension).astype(np.float32)
        node = Node(
            id=new_id(at),
            kind="component",
            title=title,
            content=content,
            ontology=graph.name,
            tags=(f"tag{subject}",),
            references=(f"src/m{subject}/f{number % 3}.py",),
            created_at=at,
            created_by="ann",
            modified_at=at,
            modified_by="ann",
        )
        text = f"{title}\n{content}"
        passage = Passage(start=0, end=len(content), text=text, vector=vector / np.linalg.norm(vector))
        saves.append(SaveNode(node=node, expect=0, passages=(passage,)))
    graph.store.commit(Batch(id=new_id(at), call=call, operations=tuple(saves)))


class Steps:
    """How many steps the engine has taken, to the next ten: what reading a row costs, whatever the machine's speed."""

    taken = 0

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Count the steps of every connection that is opened from now on."""
        connect = database.connect

        def counting(*args: Any, **options: Any) -> apsw.Connection:  # noqa: ANN401 - as connect takes them
            raw = connect(*args, **options)
            raw.set_progress_handler(self.count, 10)
            return raw

        monkeypatch.setattr(database, "connect", counting)

    def count(self) -> bool:
        """Count ten more, and go on; threads that outlive a call rebuild the index meanwhile and note what was used."""
        if not threading.current_thread().daemon:
            self.taken += 10
        return False


def taken(folder: Path, size: int, steps: Steps) -> dict[str, int]:
    """Return the engine's steps for each question to a graph of ``size`` nodes, and for one that reads all of it."""
    (folder / ".weft").mkdir(parents=True)
    found = {}
    with door(folder / ".weft") as ann:
        fill(ann.graph, size)
        for name, arguments in QUESTIONS.items():
            _ask(ann, name, arguments | {"title": "part2 door"} if "title" in arguments else arguments)
        for name, arguments in QUESTIONS.items():
            before = steps.taken
            _ask(ann, name, arguments)
            found[name] = steps.taken - before
        before = steps.taken
        ann.graph.store.find(Filter(confidence_min=0.1), Page(limit=1))
        found["everything"] = steps.taken - before
    return found


def _ask(ann: Door, name: str, arguments: dict[str, Any]) -> None:
    ann.call(name.partition(" ")[0], **arguments)


@pytest.fixture(scope="module")
def costs(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """The engine's steps in a small graph and in one of ten times its size."""
    with pytest.MonkeyPatch.context() as patch:
        steps = Steps()
        steps.watch(patch)
        folder = tmp_path_factory.mktemp("growing")
        yield taken(folder / "small", SMALL, steps), taken(folder / "large", LARGE, steps)


@pytest.mark.files_only("the steps of the embedded engine are counted")
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_work_of_a_call_does_not_grow_with_the_graph(
    costs: tuple[dict[str, int], dict[str, int]], question: str
) -> None:
    """Ten times the nodes, as many of each subject: at most a third more steps of the engine.

    The questions hold no word that all texts hold: what such words cost grows up to a bound of their own.
    """
    small, large = (cost[question] for cost in costs)
    assert small > 0
    assert large <= small * 4 / 3


@pytest.mark.files_only("the steps of the embedded engine are counted")
def test_work_that_grows_would_be_noticed(costs: tuple[dict[str, int], dict[str, int]]) -> None:
    """The twin: counting under a condition that no index answers reads every node."""
    small, large = (cost["everything"] for cost in costs)
    assert large > small * 8
