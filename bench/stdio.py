"""Capture and search over stdio, as an agent meets them, beside what they cannot do without.

    python bench/stdio.py [--sizes 1000,20000] [--rounds 200]

For each size a graph of that many notes is filled through the library and its index built, then a real server is
started on it and driven with JSON-RPC over its pipes. Printed: p50 and p95 in milliseconds of both, and before them of
the bare kernels: the embedding of the same texts alone, and a call of a server on the same SDK that does nothing. A
graph that is large enough for an index is then captured into once more while a server builds it anew. At last the
ratios that the targets are stated in, and how much slower the kernels are than on the machine that the targets were set
on, where a short question is embedded in 0.7 ms and a bare call takes 0.35 to 0.5: a goal in milliseconds means as much
more here.
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
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notes import notes, questions
from startup import BARE

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def embedding_alone(texts: list[str]) -> list[float]:
    """Return the milliseconds that the bundled model takes for each text, one at a time."""
    from weft.embed import open_embedder

    embedder = open_embedder(None)
    embedder.embed(["warm"])
    times = []
    for text in texts:
        start = time.perf_counter()
        embedder.embed([text])
        times.append((time.perf_counter() - start) * 1000)
    return times


def bare_calls(rounds: int) -> list[float]:
    """Return the milliseconds of calls of a server that does nothing."""
    with session([sys.executable, "-c", BARE]) as client:
        return [client.call("echo") for _ in range(rounds + 20)][20:]


def row(name: str, times: list[float]) -> float:
    """Print one line of figures and return the median."""
    middle = statistics.median(times)
    print(f"{name:<44}{middle:8.2f}{statistics.quantiles(times, n=20)[18]:8.2f}")
    return middle


def main() -> None:
    """Fill, drive and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,20000")
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    fresh, again = (list(islice(notes(100_000, seed=seed), options.rounds)) for seed in (99, 98))
    asked = list(questions(options.rounds))
    print(f"{'milliseconds':<44}{'p50':>8}{'p95':>8}")
    kernels = row("embedding of the question alone", embedding_alone(asked))
    kernels += row("call of a bare server", bare_calls(options.rounds))
    alone = row("embedding of the note alone", embedding_alone(fresh))
    captures, building = [], 0.0
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            graph = Path(folder) / "bench.db"
            fill(graph, size)
            searches, written = driven(graph, asked, fresh)
            row(f"search over stdio at {size} notes", searches)
            captures.append(row(f"capture over stdio at {size} notes", written))
            print(f"{'  capture less embedding, ms':<44}{captures[-1] - alone:8.2f}")
            if size >= INDEXED:
                discard(graph)
                building = row("  while the index is built", driven(graph, [], again)[1])
    print(f"{'capture, largest / smallest graph':<44}{captures[-1] / captures[0]:8.2f}")
    if building:
        print(f"{'  while the index is built':<44}{building / captures[0]:8.2f}")
    print(f"{'question and bare call, here / at the targets':<44}{kernels / KERNELS_MS:8.2f}")


def driven(graph: Path, asked: list[str], fresh: list[str]) -> tuple[list[float], list[float]]:
    """Return the milliseconds of these searches and captures by a server of its own."""
    with session(weft(graph)) as client:
        client.call("search", query="warm up")
        client.call("capture", content=f"warm up the linking for {len(asked)}", kind="claim")
        return [client.call("search", query=q) for q in asked], [client.call("capture", content=note) for note in fresh]


if __name__ == "__main__":
    main()
