"""Capture and search over stdio, as an agent meets them, beside what they cannot do without.

    python bench/stdio.py [--sizes 1000,20000] [--rounds 200]

For each size a graph of that many notes is filled through the library and its index built, then a real server is
started on it and driven with JSON-RPC over its pipes. A round is a search and a capture, and before each the bare
kernels: the embedding of the same text alone, and a call of a server on the same SDK that does nothing; so a busy
moment falls on both. Printed: p50 and p95 in milliseconds, and the two figures that the targets are stated in as they
would be on the machine that the targets were set on, where a short question is embedded in 0.7 ms and a bare call takes
0.35 to 0.5: a goal in milliseconds means as much more as the kernels take longer. A graph that is large enough for an
index is captured into once more while a server builds it anew. At last captures into the largest graph beside those
into the smallest.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notes import notes, questions
from startup import BARE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from weft.graph import Graph

KERNELS_MS = 0.7 + 0.425
"""A question's embedding and a bare call, where the targets were set."""

INDEXED = 20_000
"""Notes beyond which a graph has an index (``weft.index``); smaller ones are compared exactly."""


class Session:
    """One MCP session over the pipes of a server process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._number = 0

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its answer, notifications passed over."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._number:
                return answer
        raise RuntimeError("the server ended")

    def tell(self, method: str) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": {}})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def call(self, tool: str, **arguments: object) -> float:
        """Call a tool and return the milliseconds until its answer; an error answer ends the bench."""
        start = time.perf_counter()
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        elapsed = (time.perf_counter() - start) * 1000
        if "error" in answer or answer["result"].get("isError"):
            raise RuntimeError(json.dumps(answer)[:500])
        return elapsed


def weft(graph: Path) -> list[str]:
    """Return the command that serves ``graph``."""
    return [sys.executable, "-m", "weft", "--graph", str(graph), "serve"]


@contextmanager
def session(command: list[str]) -> Iterator[Session]:
    """Start a server and open a session with the 2025-11-25 handshake."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        client = Session(process)
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        client.ask("initialize", hello)
        client.tell("notifications/initialized")
        yield client
        assert process.stdin is not None
        process.stdin.close()
        process.wait(10)


def fill(graph: Path, count: int) -> None:
    """Put ``count`` notes into a fresh graph through the library, and build the index if they are enough for one."""
    from weft.tools.gate import call, caller_of

    with opened(graph) as made:
        caller = caller_of(made.settings, client="bench", graph=made.name)
        for note in notes(count):
            call(made, "capture", {"content": note, "kind": "claim"}, caller)
        if count >= INDEXED:
            made.vectors.rebuild()


def discard(graph: Path) -> None:
    """Remove the index, so that the next server builds it anew."""
    with opened(graph) as made:
        made.vectors.discard()


def opened(graph: Path) -> Graph:
    """Open the graph in this process."""
    from weft.graph import open as open_graph

    return open_graph(str(graph))


def embedding() -> Callable[[str], float]:
    """Return what measures the milliseconds that the bundled model takes for one text."""
    from weft.embed import open_embedder

    embedder = open_embedder(None)
    embedder.embed(["warm"])

    def alone(text: str) -> float:
        start = time.perf_counter()
        embedder.embed([text])
        return (time.perf_counter() - start) * 1000

    return alone


def row(name: str, times: list[float]) -> float:
    """Print one line of figures and return the median."""
    middle = statistics.median(times)
    print(f"{name:<44}{middle:8.2f}{statistics.quantiles(times, n=20)[18]:8.2f}")
    return middle


@dataclass
class Rounds:
    """Milliseconds, a round each: what is measured, and right before it the kernels that it cannot do without."""

    question: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    search: list[float] = field(default_factory=list)
    note: list[float] = field(default_factory=list)
    capture: list[float] = field(default_factory=list)

    def slowness(self) -> float:
        """Return how many times as long the kernels took as where the targets were set."""
        return statistics.median(map(sum, zip(self.question, self.bare, strict=True))) / KERNELS_MS

    def beyond(self) -> float:
        """Return what a capture takes beyond the embedding of its text."""
        return statistics.median(whole - alone for whole, alone in zip(self.capture, self.note, strict=True))


def driven(graph: Path, asked: list[str], fresh: list[str]) -> Rounds:
    """Search for and capture these by a server of its own, each next to its kernels: noise falls on both alike."""
    rounds, alone = Rounds(), embedding()
    with session(weft(graph)) as client, session([sys.executable, "-c", BARE]) as bare:
        client.call("search", query="warm up")
        bare.call("echo")
        client.call("capture", content=f"warm up the linking for {len(asked)}", kind="claim")
        for question, note in zip(asked, fresh, strict=True):
            rounds.question.append(alone(question))
            rounds.bare.append(bare.call("echo"))
            rounds.search.append(client.call("search", query=question))
            rounds.note.append(alone(note))
            rounds.capture.append(client.call("capture", content=note, kind="claim"))
    return rounds


def told(rounds: Rounds, size: int) -> None:
    """Print the figures of one graph."""
    row("embedding of the question alone", rounds.question)
    row("call of a bare server", rounds.bare)
    row("embedding of the note alone", rounds.note)
    searched = row(f"search over stdio at {size} notes", rounds.search)
    row(f"capture over stdio at {size} notes", rounds.capture)
    slowness, beyond = rounds.slowness(), rounds.beyond()
    print(f"{'  capture less embedding':<44}{beyond:8.2f}")
    print(f"{'  question and bare call, here / at the targets':<48}{slowness:4.2f}")
    print(f"{'  search, as at the targets':<44}{searched / slowness:8.2f}")
    print(f"{'  capture less embedding, as at the targets':<44}{beyond / slowness:8.2f}")


def main() -> None:
    """Fill, drive and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,20000")
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    fresh, again = (list(islice(notes(100_000, seed=seed), options.rounds)) for seed in (99, 98))
    asked = list(questions(options.rounds))
    print(f"{'milliseconds':<44}{'p50':>8}{'p95':>8}")
    captures, building = [], 0.0
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            graph = Path(folder) / "bench.db"
            fill(graph, size)
            rounds = driven(graph, asked, fresh)
            told(rounds, size)
            captures.append(statistics.median(rounds.capture) / rounds.slowness())
            if size >= INDEXED:
                discard(graph)
                rounds = driven(graph, asked, again)
                row("  while the index is built", rounds.capture)
                building = statistics.median(rounds.capture) / rounds.slowness()
    print(f"{'capture, largest / smallest graph':<44}{captures[-1] / captures[0]:8.2f}")
    if building:
        print(f"{'  while the index is built':<44}{building / captures[0]:8.2f}")


if __name__ == "__main__":
    main()
