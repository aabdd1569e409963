"""Processes that write, and are killed while they do."""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
from dataclasses import dataclass, field
from multiprocessing import forkserver
from typing import TYPE_CHECKING

import pytest

from store.captures import opened, write_in_a_ring, write_until_killed
from store.soundness import faults

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection as Pipe
    from multiprocessing.context import ForkServerContext
    from pathlib import Path

WAIT_S = 60


def context() -> ForkServerContext:
    """Return a maker of fresh processes that have imported what they need and opened nothing."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["store.captures", "filelock"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # Python 3.11 does not tell its server where to look
        forkserver.ensure_running()
    return context


@dataclass
class Toll:
    """What a campaign of kills came to: how many, how many writes were acknowledged, and everything that was wrong."""

    kills: int = 0
    acknowledged: int = 0
    wrong: list[str] = field(default_factory=list)


def kill_writers(
    folder: Path, *, kills: int, seed: int, per_graph: int = 20, work: Callable[..., None] = write_until_killed
) -> Toll:
    """Kill ``kills`` writers at random moments and look at the graph after each; a new graph every ``per_graph``."""
    dice, toll = random.Random(seed), Toll()
    while toll.kills < kills:
        path = folder / f"{toll.kills}" / "graph.db"
        expected: set[str] = set()
        for _ in range(min(per_graph, kills - toll.kills)):
            number = seed * 1_000_000 + toll.kills
            said = _kill_one(path, number, dice.random(), work)
            expected |= said
            toll.kills += 1
            toll.acknowledged += len(said)
            toll.wrong += [f"kill {toll.kills} (seed {seed}): {each}" for each in _missing(path, expected)]
        toll.wrong += [f"by kill {toll.kills} (seed {seed}): {each}" for each in faults(path)]
    return toll


def _kill_one(path: Path, number: int, when: float, work: Callable[..., None]) -> set[str]:
    """Let a fresh process write, kill it after a random number of writes and a random moment more; return its words."""
    hear, tell = context().Pipe(duplex=False)
    writer = context().Process(target=work, args=(path, number, tell), daemon=True)
    writer.start()
    tell.close()
    said: set[str] = set()
    while len(said) < when * 12 and hear.poll(WAIT_S):
        said.add(hear.recv_bytes().decode())
    writer.join(when * 37 % 1 * 0.004)  # somewhere inside the next transaction
    writer.kill()
    writer.join(WAIT_S)
    said |= _rest(hear)
    return said


def _rest(hear: Pipe) -> set[str]:
    said = set()
    while True:
        try:
            said.add(hear.recv_bytes().decode())
        except EOFError:
            return said


def _missing(path: Path, expected: set[str]) -> list[str]:
    graph = opened(path)
    held = {key for key in expected if graph.store.receipt(actor="ada", tool="capture", key=key)}
    receipts = [graph.store.receipt(actor="ada", tool="capture", key=key) for key in held]
    nodes = graph.store.nodes([receipt.subjects[0] for receipt in receipts if receipt])
    graph.close()
    lost = [f"{key} was acknowledged and is lost" for key in sorted(expected - held)]
    return lost + ([f"{len(held) - len(nodes)} receipts without their node"] if len(nodes) < len(held) else [])


@dataclass
class Ring:
    """What processes writing at once came to."""

    exit_codes: list[int | None]
    seen: int


def write_at_once(path: Path, *, processes: int, count: int) -> Ring:
    """Let processes write ``count`` captures each to one graph; each reads at once what its neighbour wrote."""
    make = context()
    start = make.Barrier(processes)
    ends = [make.Pipe(duplex=False) for _ in range(processes)]
    results = [make.Pipe(duplex=False) for _ in range(processes)]
    workers = []
    for number in range(processes):
        neighbours = ends[number][0], ends[(number + 1) % processes][1]
        arguments = (path, number, count, start, neighbours, results[number][1])
        workers.append(make.Process(target=write_in_a_ring, args=arguments, daemon=True))
    for worker in workers:
        worker.start()
    seen = sum(hear.recv() if hear.poll(WAIT_S) else 0 for hear, _ in results)
    for worker in workers:
        worker.join(WAIT_S)
    return Ring([worker.exitcode for worker in workers], seen)
