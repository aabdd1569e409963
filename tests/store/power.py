"""Power cuts at any moment of a writer's life, played from a tape."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import uuid4

import apsw

from store.captures import captures, opened
from store.soundness import faults
from store.tape import Disk, Tape
from weft.errors import WeftError

if TYPE_CHECKING:
    from pathlib import Path

CHECKPOINTS = ("PASSIVE", "FULL", "RESTART", "TRUNCATE")


@dataclass
class Cuts:
    """What a campaign of power cuts came to; ``lost`` counts cuts that lost an acknowledged write."""

    points: int = 0
    lost: int = 0
    acknowledged: int = 0
    wrong: list[str] = field(default_factory=list)


def record(path: Path, *, commits: int, seed: int, synchronous: str) -> tuple[Tape, dict[str, bytearray]]:
    """Record a writer's life: commits, all kinds of checkpoint between them, and a graph closed and opened again."""
    dice = random.Random(seed)
    opened(path).close()
    before = {"": bytearray(path.read_bytes())}
    tape = Tape(f"tape-{uuid4()}")
    graph = opened(path, synchronous=synchronous, vfs=tape.name)
    for number, (batch, key) in enumerate(captures(seed, size=12), start=1):
        graph.store.commit(batch)
        tape.word(key)
        if dice.random() < 0.06:
            _checkpoint(path, tape, synchronous, dice.choice(CHECKPOINTS))
        if number == commits // 2:
            graph.close()
            graph = opened(path, synchronous=synchronous, vfs=tape.name)
        if number == commits:
            break
    events = len(tape.events)
    graph.close()
    del tape.events[events:]
    return tape, before


def _checkpoint(path: Path, tape: Tape, synchronous: str, kind: str) -> None:
    keeper = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=tape.name)
    keeper.execute(f"PRAGMA synchronous = {synchronous}")
    keeper.execute(f"PRAGMA wal_checkpoint({kind})")
    keeper.close()


def cut_power(folder: Path, *, points: int, seed: int, synchronous: str = "FULL", commits: int = 120) -> Cuts:
    """Cut the power at ``points`` random moments of one recorded life, and open plainly what remains.

    Every acknowledged write must be there; every tenth graph is looked through for anything that does not agree.
    """
    tape, before = record(folder / "life.db", commits=commits, seed=seed, synchronous=synchronous)
    dice, cuts, disk = random.Random(seed), Cuts(), Disk(before)
    moments = sorted(dice.randrange(len(tape.events) + 1) for _ in range(points))
    played, words = 0, list[str]()
    for moment in moments:
        for event in tape.events[played:moment]:
            disk.play(event)
            words += [event.name] if event.what == "word" else []
        played = moment
        cuts.points += 1
        wrong = _look(folder / "after.db", disk.remains(dice), words, thoroughly=cuts.points % 10 == 0)
        cuts.lost += "lost" in wrong
        cuts.wrong += [f"cut {cuts.points} at {moment} (seed {seed}): {each}" for each in wrong]
    cuts.acknowledged = len(words)
    return cuts


def _look(path: Path, files: dict[str, bytes], words: list[str], *, thoroughly: bool) -> list[str]:
    for tail in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + tail).unlink(missing_ok=True)
    for tail, data in files.items():
        path.with_name(path.name + tail).write_bytes(data)
    try:
        plain = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        plain.execute("PRAGMA synchronous = OFF")  # what is looked at need not outlive the look
        keys = [row[0] for row in plain.execute("SELECT key FROM receipt")]
        plain.close()
        lost = set(words) - set(keys)
        return (["lost"] if lost else []) + (faults(path) if thoroughly else [])
    except (apsw.Error, WeftError) as error:
        return [f"does not open: {error}"]
