"""Long campaigns against the embedded store: kill -9, power cuts, and many processes writing at once.

::

    python bench/crash.py kill 10000         # writers killed, and the graph looked through after each
    python bench/crash.py power 200000       # power cuts on recorded writers, 5,000 to a record; then the twin
    python bench/crash.py writers 16 200     # processes, captures each: throughput and the worst wait

Each takes ``--seed`` and prints it; a failure says the seed and the place that bring it back. The exit code is 1 when
anything acknowledged was lost or anything did not agree.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.connection import Connection as Pipe

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("src", "tests")]

from store.captures import captures, opened  # noqa: E402 - found through the paths above
from store.killing import context, kill_writers  # noqa: E402
from store.power import cut_power  # noqa: E402
from store.soundness import faults  # noqa: E402

CUTS_A_RECORD = 5000


def kill(folder: Path, kills: int, seed: int) -> bool:
    """Kill writers; print what it came to."""
    started = time.perf_counter()
    toll = kill_writers(folder, kills=kills, seed=seed)
    rate = toll.kills / (time.perf_counter() - started) * 60
    print(f"{toll.kills} kills, {rate:.0f} a minute: {toll.acknowledged} acknowledged, {len(toll.wrong)} wrong")
    print(*toll.wrong[:20], sep="\n", end="\n" if toll.wrong else "")
    return not toll.wrong


def power(folder: Path, points: int, seed: int) -> bool:
    """Cut the power on writers that sync, then on one that does not; print what it came to."""
    done, wrong, started = 0, [], time.perf_counter()
    for record in range(0, points, CUTS_A_RECORD):
        place = folder / f"{record}"
        place.mkdir()
        cuts = cut_power(place, points=min(CUTS_A_RECORD, points - record), seed=seed + record, commits=300)
        done += cuts.points
        wrong += cuts.wrong
    rate = done / (time.perf_counter() - started) * 60
    print(f"{done} cuts with FULL, {rate:.0f} a minute: {len(wrong)} wrong")
    print(*wrong[:20], sep="\n", end="\n" if wrong else "")
    twin = cut_power(folder, points=min(points, 1000), seed=seed, synchronous="NORMAL")
    print(f"{twin.points} cuts with NORMAL: {twin.lost} lost an acknowledged write")
    return not wrong and twin.lost > 0


def write_timed(path: Path, seed: int, count: int, answer: Pipe) -> None:
    """Commit ``count`` captures and send how long each took, in seconds, with the times of start and end."""
    graph = opened(path)
    batches = [batch for batch, _ in islice(captures(seed), count)]
    waits = []
    started = time.time()
    for batch in batches:
        before = time.perf_counter()
        graph.store.commit(batch)
        waits.append(time.perf_counter() - before)
    answer.send((started, time.time(), waits))
    graph.close()


def writers(folder: Path, processes: int, count: int, seed: int) -> bool:
    """Let processes write at once; print throughput and waits."""
    path, make = folder / "graph.db", context()
    opened(path).close()
    ends = [make.Pipe(duplex=False) for _ in range(processes)]
    for number, (_, tell) in enumerate(ends):
        make.Process(target=write_timed, args=(path, seed + number, count, tell), daemon=True).start()
    answers = [hear.recv() for hear, _ in ends]
    waits = sorted(wait for _, _, each in answers for wait in each)
    took = max(end for _, end, _ in answers) - min(start for start, _, _ in answers)
    p99 = waits[int(len(waits) * 0.99)]
    print(f"{processes} processes × {count}: {len(waits) / took:.0f} captures a second")
    print(f"one commit: p50 {statistics.median(waits) * 1e3:.1f} ms, p99 {p99 * 1e3:.1f}, worst {waits[-1] * 1e3:.1f}")
    wrong = faults(path)
    print(f"{len(wrong)} wrong", *wrong[:20], sep="\n")
    return not wrong and len(waits) == processes * count


def main() -> int:
    """Run one campaign and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("campaign", choices=["kill", "power", "writers"])
    parser.add_argument("count", type=int, help="kills, power cuts, or processes")
    parser.add_argument("each", type=int, nargs="?", default=100, help="captures of each writing process")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    print(f"seed {given.seed}")
    with tempfile.TemporaryDirectory() as name:
        if given.campaign == "writers":
            good = writers(Path(name), given.count, given.each, given.seed)
        else:
            good = {"kill": kill, "power": power}[given.campaign](Path(name), given.count, given.seed)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
