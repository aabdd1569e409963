"""The ends of a server's pipes: nothing is lost, nobody is kept waiting, and what cannot be heard is left alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import anyio
import pytest

from weft.faces import standard
from weft.faces.standard import Inlet, Outlet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = "Grüße, 世界! " * 100_000  # more than a pipe holds, and characters of several bytes throughout


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """The reading and the writing end of a pipe."""
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            continue


async def _lines(source: int) -> list[str]:
    return [line async for line in Inlet(source)]


def test_lines_come_whole_however_they_are_cut(pipe: tuple[int, int]) -> None:
    """A long line, an empty one, bytes that are no text, and a last line without an end."""
    said = f"{LONG}\n\n".encode() + b"\xff!\r\nlast"

    def say() -> None:
        for start in range(0, len(said), 10_001):
            os.write(pipe[1], said[start : start + 10_001])
        os.close(pipe[1])

    threading.Thread(target=say).start()
    assert anyio.run(_lines, pipe[0]) == [f"{LONG}\n", "\n", "\ufffd!\r\n", "last"]


def test_a_line_is_given_before_the_next_one_comes(pipe: tuple[int, int]) -> None:
    """Whoever waits for an answer says nothing meanwhile."""

    async def first() -> str:
        with anyio.fail_after(5):
            return await anext(aiter(Inlet(pipe[0])))

    os.write(pipe[1], b"ping\n")
    assert anyio.run(first) == "ping\n"


def test_a_reader_that_is_behind_keeps_nobody_waiting(pipe: tuple[int, int]) -> None:
    """While a full pipe is not read the loop goes on, and then all arrives in order."""
    heard = bytearray()

    def hear() -> None:
        while piece := os.read(pipe[0], 1 << 16):
            heard.extend(piece)

    reader = threading.Thread(target=hear)

    async def say() -> None:
        outlet = Outlet(pipe[1])
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(outlet.write, LONG)
            await anyio.wait_all_tasks_blocked()
            reader.start()
        await outlet.write("last")
        await outlet.flush()
        os.close(pipe[1])

    with anyio.from_thread.start_blocking_portal() as portal:
        portal.start_task_soon(say).result(20)
    reader.join(20)
    assert bytes(heard) == f"{LONG}last".encode()


def test_a_reader_that_is_gone_is_told_of(pipe: tuple[int, int]) -> None:
    """The server ends by it."""
    os.close(pipe[0])
    with pytest.raises(BrokenPipeError):
        anyio.run(Outlet(pipe[1]).write, "hello")


def test_a_client_that_has_left_and_takes_nothing_is_not_waited_for(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its input has ended and its output is full; as long as its input is open it may take its time."""
    monkeypatch.setattr(standard, "SILENT_MAX_S", 0.1)
    source, asked = os.pipe()
    outlet = Outlet(pipe[1], heard=source)
    failed: list[BaseException] = []

    def say() -> None:
        try:
            anyio.run(outlet.write, LONG)
        except BrokenPipeError as error:
            failed.append(error)

    writer = threading.Thread(target=say)
    writer.start()
    writer.join(0.5)
    assert writer.is_alive()
    os.close(asked)
    writer.join(10)
    assert not writer.is_alive()
    assert failed
    os.close(source)


def test_a_client_that_has_left_and_reads_on_is_told_everything(pipe: tuple[int, int]) -> None:
    """The twin: closing the input first and reading then is how requests are piped in."""
    source, asked = os.pipe()
    os.close(asked)
    heard = bytearray()

    def hear() -> None:
        while piece := os.read(pipe[0], 1 << 16):
            heard.extend(piece)

    reader = threading.Thread(target=hear)
    timer = threading.Timer(0.3, reader.start)
    timer.start()
    anyio.run(Outlet(pipe[1], heard=source).write, LONG)
    os.close(pipe[1])
    timer.join()
    reader.join(10)
    os.close(source)
    assert bytes(heard) == LONG.encode()


def test_requests_may_come_from_a_file_and_answers_go_to_one(tmp_path: Path) -> None:
    """The loop cannot hear of a file; everything in it is answered all the same."""
    asked, told = tmp_path / "asked.jsonl", tmp_path / "told.jsonl"
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "file", "version": "1"}}
    messages = (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "ping"},
    )
    asked.write_text("".join(json.dumps(message) + "\n" for message in messages))
    command = [sys.executable, "-m", "weft", "--graph", str(tmp_path / "notes.db"), "serve"]
    with asked.open() as source, told.open("w") as answers:
        subprocess.run(command, stdin=source, stdout=answers, check=True, timeout=30)
    assert {json.loads(line)["id"] for line in told.read_text().splitlines()} == {1, 2}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no terminals that are files")
def test_whoever_types_the_command_is_told_what_it_waits_for(tmp_path: Path) -> None:
    """An agent's program is at no terminal, and its errors stay free of it."""
    command = [sys.executable, "-m", "weft", "--graph", str(tmp_path / "graph.db"), "serve"]
    person, terminal = os.openpty()
    with subprocess.Popen(command, stdin=terminal, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as server:
        assert server.stderr is not None
        assert b"waiting for MCP on standard input" in server.stderr.readline()
        os.close(terminal)
        os.close(person)
        assert server.wait(timeout=30) == 0
    alone = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=30)
    assert b"waiting" not in alone.stderr
