"""Two processes and an editor on one vault, the processes killed at random: what is left is looked through.

The processes write to the graph and sync; the editor writes, edits, saves over, moves and deletes notes. Everything
that either has done bears a mark of its own, and every mark has to be somewhere at the end.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from vault.shelf import desk
from weft.errors import WeftError
from weft.formats import vault_note
from weft.model import SaveRelation, Subject
from weft.testing.making import a_node, a_relation, changed, saved, whole
from weft.vault.folder import Folder
from weft.vault.notes import Notes

if TYPE_CHECKING:
    from vault.shelf import Desk
    from weft.model import Node

__all__ = ["Outcome", "rival"]

PROCESSES = 2
STEP_S = 0.06
START_WITHIN_S = 30.0
_MARK = re.compile(r"mark-[a-z]+-\d+")


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What a campaign came to: how much was done, and what was found wrong."""

    operations: int = 0
    kills: int = 0
    written: int = 0
    conflicts: int = 0
    wrong: list[str] = field(default_factory=list)


def rival(folder: Path, *, operations: int, seed: int, kills: float = 0.1, how: str = "careful") -> Outcome:
    """Run a campaign in ``folder``, and return what it came to; ``kills`` is the share of operations with a kill.

    Processes that are ``careless`` read no notes, and write over whatever is there: the twin.
    """
    outcome = Outcome()
    with desk(folder) as graph:
        for at in range(5):
            graph.write(saved(a_node(f"First {at}", content=f"mark-first-{at}")))
        graph.sync()
    editor = _Editor(folder / "vault", random.Random(seed))
    workers = [_worker(folder, at, seed, how) for at in range(PROCESSES)]
    try:
        _wait_for(folder, PROCESSES)
        for at in range(operations):
            editor.act(at)
            outcome.operations += 1
            if editor.dice.random() < kills:
                which = editor.dice.randrange(PROCESSES)
                os.kill(workers[which].pid, signal.SIGKILL)
                workers[which].wait()
                outcome.kills += 1
                workers[which] = _worker(folder, which, seed + at, how)
            time.sleep(STEP_S * editor.dice.random())
    finally:
        for worker in workers:
            worker.terminate()
            worker.wait()
    _look(folder, editor, outcome)
    return outcome


def _worker(folder: Path, at: int, seed: int, how: str) -> subprocess.Popen[bytes]:
    paths = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(
        [sys.executable, "-m", "vault.rivals", str(folder), str(at), str(seed), how],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.DEVNULL,
    )


def _wait_for(folder: Path, workers: int) -> None:
    started = time.monotonic()
    while len(list(folder.glob("acked-*"))) < workers and time.monotonic() - started < START_WITHIN_S:
        time.sleep(0.02)


class _Editor:
    """Somebody at the files, who knows nothing of the graph."""

    def __init__(self, root: Path, dice: random.Random) -> None:
        self.root = root
        self.dice = dice
        self.marks: list[str] = []
        self.deleted: set[str] = set()
        self.excused: set[str] = set()  # marks that the editor itself took away, before anybody may have read them
        self._stale: dict[Path, str] = {}

    def act(self, at: int) -> None:
        """Do one thing; a file that vanished meanwhile is left."""
        notes = [path for path in (self.root / "nodes").rglob("*.md") if not path.name.startswith(".")]
        action = self.dice.choices(("new", "edit", "save_old", "move", "delete"), (3, 6, 2, 1, 0.4))[0]
        try:
            if action == "new" or not notes:
                self._new(at)
            else:
                getattr(self, f"_{action}")(self.dice.choice(notes), at)
        except FileNotFoundError:
            return

    def _new(self, at: int) -> None:
        file = self.root / "nodes" / "mine" / f"note {at}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        self._save(file, f"# Mine {at}\n\nmark-new-{at}\n")
        self.marks.append(f"mark-new-{at}")

    def _edit(self, file: Path, at: int) -> None:
        text = file.read_text("utf-8")
        if self.dice.random() < 0.3:
            self._stale[file] = text
        self._save(file, f"{text}mark-edit-{at}\n")
        self.marks.append(f"mark-edit-{at}")

    def _save_old(self, file: Path, at: int) -> None:
        if not self._stale:
            return
        file, text = self._stale.popitem()
        if file.exists():
            self._save(file, f"{text}mark-old-{at}\n")
            self.marks.append(f"mark-old-{at}")

    def _move(self, file: Path, at: int) -> None:
        there = self.root / "nodes" / "moved" / f"{at} {file.name}"
        there.parent.mkdir(exist_ok=True)
        file.rename(there)

    def _delete(self, file: Path, at: int) -> None:
        del at
        self._excuse(file, "")
        self.deleted.add(vault_note.parse(file.read_text("utf-8")).id)
        self.deleted.add(file.name)
        file.unlink()

    def _save(self, file: Path, text: str) -> None:
        """Save as editors do: a new file that takes the name."""
        self._excuse(file, text)
        part = file.with_name(f".{file.name}.swp")
        part.write_text(text, "utf-8")
        part.replace(file)

    def _excuse(self, file: Path, text: str) -> None:
        if file.exists():
            gone = set(_MARK.findall(file.read_text("utf-8"))) - set(_MARK.findall(text))
            self.excused |= gone


def _look(folder: Path, editor: _Editor, outcome: Outcome) -> None:
    with desk(folder) as graph:
        graph.sync()
        graph.sync()
        last = graph.sync()
        if last.changed:
            outcome.wrong.append(f"vault and graph do not come to rest: {last}")
        _look_at_nodes(graph, folder, editor, outcome)
        _look_at_files(graph, outcome)
        _look_for_marks(graph, editor, outcome)
        outcome.conflicts = len(graph.conflicts())
        copies = len(list((graph.root / "conflicts").glob("*.md"))) if (graph.root / "conflicts").exists() else 0
        if copies != outcome.conflicts:
            outcome.wrong.append(f"{copies} copies of conflicts, {outcome.conflicts} questions")
        if not any(each.unread for each in (last,)):
            _look_at_a_clone(graph, folder, outcome)


def _look_at_nodes(graph: Desk, folder: Path, editor: _Editor, outcome: Outcome) -> None:
    acked = [line for file in folder.glob("acked-*") for line in file.read_text().splitlines() if line]
    outcome.written = len(acked)
    held = graph.opened.store.nodes(acked)
    for id_ in acked:
        if id_ not in held:
            outcome.wrong.append(f"node {id_} was acknowledged and is lost")
        elif held[id_].retired is not None and id_ not in editor.deleted:
            outcome.wrong.append(f"node {id_} was retired, and nobody deleted its file")


def _look_at_files(graph: Desk, outcome: Outcome) -> None:
    for path in graph.root.rglob("*"):
        if path.name.endswith((".weft-new", ".weft-aside")):
            outcome.wrong.append(f"{path.name} was left behind")
    for path in graph.notes():
        note = vault_note.parse(path.read_text("utf-8"))
        if note.problems or not note.id:
            outcome.wrong.append(f"{path.name} cannot be read: {note.problems}")


def _look_for_marks(graph: Desk, editor: _Editor, outcome: Outcome) -> None:
    said: list[str] = [body.decode("utf-8", "replace") for body in graph.files().values()]
    seq = 0
    while changes := graph.opened.log.since(seq, limit=500):
        said += [str(change.after["content"]) for change in changes if change.subject is Subject.NODE and change.after]
        seq = changes[-1].seq
    everything = "\n".join(said)
    found = set(_MARK.findall(everything)) | editor.excused
    outcome.wrong += [f"{mark} is nowhere" for mark in editor.marks if mark not in found]


def _look_at_a_clone(graph: Desk, folder: Path, outcome: Outcome) -> None:
    """A graph from these files alone has the same nodes and relations that stand."""
    shutil.copytree(graph.root, folder / "clone" / "vault")
    with desk(folder / "clone") as clone:
        clone.sync()
        here, there = graph.whole(), clone.whole()
        kinds = ("node/", "relation/")
        ours = {key: value for key, value in here.items() if key.startswith(kinds)}
        theirs = {key: value for key, value in there.items() if key.startswith(kinds)}
        if ours != theirs:
            outcome.wrong.append(f"a clone differs in {[key for key in ours if ours[key] != theirs.get(key)][:5]}")


def _work(folder: Path, at: int, seed: int) -> None:
    """Write to the graph and sync, until somebody ends this process."""
    dice = random.Random(seed * 31 + at)
    with desk(folder) as graph, (folder / f"acked-{at}-{os.getpid()}").open("a") as acked:
        for step in range(1_000_000):
            node = a_node(f"Worker {at} {step}", content=f"from {os.getpid()} {step}")
            try:
                _write(graph, node, dice)
                acked.write(f"{node.id}\n")
                acked.flush()
                graph.sync(deletions=dice.random() < 0.5)
            except WeftError as error:
                sys.stderr.write(f"worker {at}: {error.message}\n")
            time.sleep(0.01)


def _write(graph: Desk, node: Node, dice: random.Random) -> None:
    standing = list(graph.standing())
    other = dice.choice(standing)
    graph.write(saved(node), SaveRelation(relation=a_relation(node, other), expect=0))
    if dice.random() < 0.5:
        after = changed(other, content=f"{other.content}\nsaid by {os.getpid()}", confidence=dice.random())
        graph.write(replace(saved(after), passages=(whole(after),)))


if __name__ == "__main__":
    if sys.argv[4] == "careless":
        Notes.read = lambda _self, _paths: None  # type: ignore[method-assign]
        Folder._same = lambda _self, _at, _name, _expect: True  # type: ignore[method-assign] # noqa: SLF001
    _work(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
