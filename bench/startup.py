"""From spawn to the first answer, beside a bare server on the same SDK, and one tool call's round trip.

    python bench/startup.py [--rounds 10] [--graph PATH]

Both servers are started in turn, so that a busy machine slows both alike. A round is: spawn, first request, read
its answer, close standard input, wait for the end. Printed in milliseconds: the fastest, the median, the difference;
then the time to the first ``tools/list``, to the end after the last byte of input, and of a call that reads.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BARE = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool

async def list_tools(ctx, params):
    return ListToolsResult(tools=[Tool(name="echo", input_schema={"type": "object"})])

async def call_tool(ctx, params):
    return CallToolResult(content=[TextContent(type="text", text="x")])

async def main():
    server = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

anyio.run(main)
"""

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@dataclass
class Figures:
    """Milliseconds of every round."""

    first: list[float] = field(default_factory=list)
    listed: list[float] = field(default_factory=list)
    ended: list[float] = field(default_factory=list)
    calls: list[float] = field(default_factory=list)


def ask(process: subprocess.Popen[str], number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Send one enveloped request and return its answer."""
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, "_meta": ENVELOPE}}
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()
    for line in process.stdout:
        answer: dict[str, Any] = json.loads(line)
        if answer.get("id") == number:
            return answer
    raise RuntimeError("the server ended")


def round_trip(command: list[str], figures: Figures, calls: list[dict[str, Any]]) -> None:
    """Start ``command``, ask for what it is and what it has, make ``calls``, and end it."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert "result" in ask(process, 1, "server/discover", {})
        figures.first.append((time.perf_counter() - start) * 1000)
        assert "result" in ask(process, 2, "tools/list", {})
        figures.listed.append((time.perf_counter() - start) * 1000)
        for number, call in enumerate(calls, start=3):
            began = time.perf_counter()
            answer = ask(process, number, "tools/call", call)
            figures.calls.append((time.perf_counter() - began) * 1000)
            assert not answer["result"].get("isError"), answer
        assert process.stdin is not None
        ended = time.perf_counter()
        process.stdin.close()
        process.wait(10)
        figures.ended.append((time.perf_counter() - ended) * 1000)


def row(name: str, times: list[float]) -> float:
    """Print one line of figures and return the median."""
    middle = statistics.median(times)
    print(f"{name:<44}{min(times):10.1f}{middle:10.1f}")
    return middle


def main() -> None:
    """Start both servers in turn and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--graph", default="", help="a graph that is there; default: a fresh one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        graph = options.graph or str(Path(folder) / "bench.db")
        weft = [sys.executable, "-m", "weft", "--graph", graph, "serve"]
        bare = [sys.executable, "-c", BARE]
        call = {"name": "fetch", "arguments": {"id": "A note for the bench"}}
        note = {"name": "capture", "arguments": {"content": "A note for the bench", "kind": "general"}}
        ours, theirs, calling = Figures(), Figures(), Figures()
        for _ in range(options.rounds):
            round_trip(bare, theirs, [])
            round_trip(weft, ours, [])
        round_trip(weft, calling, [note])
        round_trip(weft, calling, [call] * 220)
        echo = Figures()
        round_trip(bare, echo, [{"name": "echo", "arguments": {}}] * 220)
    print(f"{'milliseconds':<44}{'min':>10}{'median':>10}")
    bare_first = row("bare server, spawn to first answer", theirs.first)
    weft_first = row("weft serve, spawn to first answer", ours.first)
    print(
        f"{'  difference of the fastest / of the medians':<44}{min(ours.first) - min(theirs.first):10.1f}"
        f"{weft_first - bare_first:10.1f}"
    )
    row("bare server, spawn to tools/list", theirs.listed)
    row("weft serve, spawn to tools/list", ours.listed)
    row("weft serve, end of input to end", ours.ended)
    row("bare server, tool call", echo.calls[20:])
    row("weft serve, tool call (fetch)", calling.calls[21:])


if __name__ == "__main__":
    main()
