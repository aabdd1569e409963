"""Long campaigns against the vault, and its speed.

::

    python bench/vault.py hostile 10000      # hostile notes, 500 to a vault: refused or nodes, bounded time and memory
    python bench/vault.py rivals 500         # two processes and an editor, operations of the editor, processes killed
    python bench/vault.py speed 5000         # notes: first read with embedding, a pass without changes, one edited note

Each takes ``--seed`` where dice are thrown, and prints it. The exit code is 1 when anything was found wrong.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path

# in the place of this folder, whose vault.py would hide the tests' folder vault
sys.path[:1] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("src", "tests")]

from vault.rivals import rival  # noqa: E402 - found through the paths above
from vault.shelf import desk  # noqa: E402
from vault.test_hostile import throw  # noqa: E402
from weft.graph import open as open_graph  # noqa: E402
from weft.model import SearchRequest  # noqa: E402
from weft.vault.keeper import Keeper  # noqa: E402

A_VAULT = 500
SUBJECTS = (
    "pump",
    "valve",
    "boiler",
    "sensor",
    "turbine",
    "cable",
    "ledger",
    "invoice",
    "parser",
    "cache",
    "queue",
    "lens",
)
VERBS = ("limits", "feeds", "cools", "measures", "replaces", "blocks", "starts", "records", "splits", "warms")


def hostile(count: int, seed: int) -> bool:
    """Throw hostile notes at vaults; print what it came to."""
    wrong: list[str] = []
    started, before = time.perf_counter(), _resident_mb()
    for first in range(0, count, A_VAULT):
        with tempfile.TemporaryDirectory() as folder, desk(Path(folder)) as graph:
            wrong += throw(graph, range(seed + first, seed + min(first + A_VAULT, count)))
    took_s = time.perf_counter() - started
    grown = _resident_mb() - before
    print(f"{count} hostile notes in {took_s:.1f} s, {grown:.0f} MB more at the peak: {len(wrong)} wrong")
    print(*wrong[:20], sep="\n", end="\n" if wrong else "")
    return not wrong


def rivals(operations: int, seed: int) -> bool:
    """Let two processes and an editor at one vault; print what it came to."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        outcome = rival(Path(folder), operations=operations, seed=seed, kills=0.04)
        took_s = time.perf_counter() - started
    said = f"{outcome.operations} operations of the editor, {outcome.kills} kills, {outcome.written} nodes written"
    print(f"{said}, {outcome.conflicts} conflicts, {took_s:.1f} s: {len(outcome.wrong)} wrong")
    print(*outcome.wrong[:20], sep="\n", end="\n" if outcome.wrong else "")
    return not outcome.wrong


def speed(count: int) -> bool:
    """Time a vault of ``count`` notes; print what it came to."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / ".weft").mkdir()
        _lay(place / "vault", count)
        with open_graph(str(place / ".weft" / "graph.db")) as graph:
            graph.vault.turn_on(None, graph.call())
            _timed(f"first read of {count} notes", lambda: graph.vault.sync(graph.call()))
            _timed("a pass over what was just written", lambda: graph.vault.sync(graph.call()))
            _timed("a pass without changes", lambda: graph.vault.sync(graph.call()))
            _live(graph, place / "vault")
    return True


def _lay(root: Path, count: int) -> None:
    for at in range(count):
        file = root / "nodes" / "concepts" / f"note-{at}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        one, two = SUBJECTS[at % len(SUBJECTS)], SUBJECTS[(at // 7) % len(SUBJECTS)]
        verb = VERBS[(at // 3) % len(VERBS)]
        text = f"The {one} of hall {at} {verb} the {two} of hall {at * 7 % count}. " * 3
        file.write_text(
            f"---\ntitle: The {one} of hall {at}\ntags: [{one}, hall]\n---\n\n{text}\n\nSeen in {at % 12}.\n"
        )


def _live(graph: object, root: Path) -> None:
    """Time one edit until a search finds it, with a keeper running as in a server."""
    stop = threading.Event()
    keeper = Keeper(graph.vault, call=graph.call, during=lambda function: function(), check=lambda _: None)  # type: ignore[attr-defined]
    thread = threading.Thread(target=keeper.run, args=(stop,))
    thread.start()
    time.sleep(4)
    waits = []
    for at in range(5):
        file = root / "nodes" / "concepts" / f"note-{at}.md"
        word = f"quicksilver{at}"
        file.write_text(file.read_text() + f"\nIt holds {word}.\n")
        started = time.perf_counter()
        while not graph.recall.search(SearchRequest(query=word, mode="keyword"), graph.call()).hits:  # type: ignore[attr-defined]
            time.sleep(0.01)
            if time.perf_counter() - started > 20:
                break
        waits.append(time.perf_counter() - started)
        time.sleep(1)
    stop.set()
    thread.join()
    print(f"one edited note found by a search after {', '.join(f'{wait:.2f}' for wait in waits)} s")


def _timed(what: str, work: object) -> None:
    started, busy = time.perf_counter(), time.process_time()
    told = work()  # type: ignore[operator]
    took_s, busy_s = time.perf_counter() - started, time.process_time() - busy
    counts = f"{told.nodes_made} made, {told.written} written, {told.unread_total} unread"
    print(f"{what}: {took_s:.2f} s, {busy_s:.2f} s of them computing ({counts})")


def _resident_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("hostile", "rivals", "speed"))
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.what == "speed":
        return int(not speed(asked.count))
    print(f"seed {asked.seed}")
    campaign = {"hostile": hostile, "rivals": rivals}[asked.what]
    return int(not campaign(asked.count, asked.seed))


if __name__ == "__main__":
    sys.exit(main())
