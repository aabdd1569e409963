"""Primaries that are killed while servers write to them, and what that came to for those who wrote.

Writers capture through the calls of ``weft serve --http``, as agents do: each repeats a call under its idempotency key
until it is answered, at the other server when one fails it. Meanwhile the primary is killed, its standby promoted, and
the two change places, as often as is asked for.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count, cycle
from threading import Event
from typing import TYPE_CHECKING, Any

import httpx2

from postgres.cluster import Cluster, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Toll", "fail_over", "posted", "serving"]

SERVERS = 2
ANSWER_WITHIN_S = 20
"""How long a writer waits for one answer before it asks again."""

GIVE_UP_S = 120
"""How long a writer asks for one capture before that counts as wrong."""

WRITES_MIN, WRITES_MAX = 5, 20
"""How many captures are acknowledged in a round before its primary dies."""

WAITING = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
NODES = "SELECT content, array_agg(id::text) FROM weft.node GROUP BY content"
RECEIPTS = "SELECT key, subjects::json ->> 0 FROM weft.receipt"
GAPS = "SELECT max(seq) - count(*) FROM weft.change"


@dataclass
class Toll:
    """What some rounds came to.

    ``acknowledged``: key and node id of each answer that said a capture is made; ``repeated``: calls that were answered
    otherwise; ``resumed_s``: for each round the seconds from the kill to the next acknowledgement; ``missing``: keys of
    acknowledged captures that are not there; ``doubled``: keys whose capture is there more than once; ``wrong``: all
    else that should not be.
    """

    acknowledged: list[tuple[str, str]] = field(default_factory=list)
    repeated: int = 0
    resumed_s: list[float] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def reaches(self, count: int) -> bool:
        """Say whether ``count`` captures are acknowledged, or there is no point in waiting for more."""
        return len(self.acknowledged) >= count or bool(self.wrong)


def fail_over(
    folder: Path, *, rounds: int, seed: int, synchronous: bool = True, writers: int = 4, version: int | None = None
) -> Toll:
    """Kill ``rounds`` primaries under two servers and their writers, and count what is there at the end.

    In every other round, from the first on, nothing reaches the standby for the last moment of the primary's life.
    """
    toll, leave, dice = Toll(), Event(), random.Random(seed)
    with Cluster(version=version) as cluster:
        primary, standby = cluster, cluster.standby(synchronous=synchronous)
        database = primary.create_database()
        with (
            serving(folder, primary.url(database, standby=standby)) as bases,
            ThreadPoolExecutor(writers) as threads,
        ):
            write = partial(_write, bases=bases, toll=toll, leave=leave)
            writing = [threads.submit(write, number) for number in range(writers)]
            try:
                for number in range(rounds):
                    _round(primary, standby, toll, writes=dice.randint(WRITES_MIN, WRITES_MAX), stalled=number % 2 == 0)
                    primary.follow(standby, synchronous=synchronous)
                    primary, standby = standby, primary
            finally:
                leave.set()
            for each in writing:
                each.result()
        _count(primary, database, toll)
    return toll


def _round(primary: Cluster, standby: Cluster, toll: Toll, *, writes: int, stalled: bool) -> None:
    target = len(toll.acknowledged) + writes
    until(lambda: toll.reaches(target), what=f"{target} acknowledged captures")
    if stalled:
        primary.stall()
        until(
            lambda: primary.rows(WAITING) or toll.reaches(target + writes), what="captures while nothing gets through"
        )
    primary.kill()
    killed, before = time.monotonic(), len(toll.acknowledged)
    standby.promote()
    until(lambda: toll.reaches(before + 1), what="an acknowledgement by the promoted standby")
    toll.resumed_s.append(time.monotonic() - killed)


@contextmanager
def serving(folder: Path, url: str) -> Iterator[list[str]]:
    """Start servers of the graph at ``url`` and give their addresses; what they say goes to files in ``folder``."""
    command = [sys.executable, "-m", "weft", "--graph", url, "serve", "--http", "--port", "0"]
    fixed = {"WEFT_HOME": str(folder), "WEFT_ACTOR": "ann", "WEFT_HINTS": "off"}
    environment = {**os.environ, **fixed, "PYTHONPATH": os.pathsep.join(sys.path)}
    with ExitStack() as running:
        started = []
        for number in range(SERVERS):
            said = folder / f"server{number}"
            log = running.enter_context(said.open("w", encoding="utf-8"))
            process = running.enter_context(subprocess.Popen(command, stderr=log, env=environment, cwd=folder))
            running.callback(process.kill)
            started.append((process, said))
        yield [_address(process, said) for process, said in started]


def _address(process: subprocess.Popen[bytes], said: Path) -> str:
    heard: list[str] = []

    def listens() -> bool:
        heard[:] = said.read_text(encoding="utf-8").partition("listening on ")[2].split("\n")
        return len(heard) > 1 or process.poll() is not None

    until(listens, what=f"the address of a server ({said})")
    if process.poll() is not None:
        raise RuntimeError(f"a server ended: {said.read_text(encoding='utf-8')}")
    return heard[0]


def posted(base: str, **arguments: Any) -> tuple[int, dict[str, Any]]:  # noqa: ANN401 - a tool's arguments
    """Ask a server to capture, and return status and answer; 0 where no answer came."""
    try:
        answer = httpx2.post(f"{base}/api/tools/capture", json=arguments, timeout=ANSWER_WITHIN_S)
        return answer.status_code, answer.json()
    except httpx2.TransportError as error:
        return 0, {"message": repr(error)}


def _content(key: str) -> str:
    return f"Crate {key} was weighed at the gate before it was shipped."


def _write(number: int, *, bases: list[str], toll: Toll, leave: Event) -> None:
    """Capture one thing after the other until it is time to leave, or something is wrong; ask for every third twice."""
    nearest = bases[number % SERVERS :] + bases[: number % SERVERS]
    for made in count():
        if leave.is_set() or toll.wrong:
            return
        _insist(f"{number}-{made}", nearest, toll)
        if made % 3 == 0:  # as if the first answer had been lost on the way
            _insist(f"{number}-{made}", nearest[::-1], toll)


def _insist(key: str, bases: list[str], toll: Toll) -> None:
    """Ask one server after the other until one says that the capture is made."""
    asked = cycle(bases)

    def settled() -> bool:
        status, answer = posted(next(asked), content=_content(key), idempotency_key=key)
        if status == httpx2.codes.OK:
            toll.acknowledged.append((key, answer["id"]))
            return True
        toll.repeated += 1
        if refused := 0 < status < httpx2.codes.INTERNAL_SERVER_ERROR:
            toll.wrong.append(f"{key} was answered {status}: {answer}")
        return refused

    try:
        until(settled, what=f"an answer to {key}", timeout_s=GIVE_UP_S)
    except TimeoutError as error:
        toll.wrong.append(str(error))


def _count(primary: Cluster, database: str, toll: Toll) -> None:
    """Compare what was acknowledged with what is there."""
    nodes: dict[str, list[str]] = dict(primary.rows(NODES, database=database))
    receipts: dict[str, str] = dict(primary.rows(RECEIPTS, database=database))
    for key, id_ in toll.acknowledged:
        if id_ not in nodes.get(_content(key), []):
            toll.missing.append(key)
        elif receipts.get(key) != id_:
            toll.wrong.append(f"{key} was answered with {id_}, and its receipt is of {receipts.get(key)}")
    asked = {_content(key): key for key in receipts}
    toll.doubled += [asked.get(content, content) for content, ids in nodes.items() if len(ids) > 1]
    if any(gap for (gap,) in primary.rows(GAPS, database=database)):
        toll.wrong.append("the log has gaps")
