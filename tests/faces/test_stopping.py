"""A server over HTTP that is told to stop: calls under way are answered, streams end, and the log stays silent."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from engine import graph_at

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SERVE = """
import signal, sys, time
from pathlib import Path
from weft.faces import http, serving, stopping
from weft.settings import Settings
from weft.tools.offer import Offer

graph, begun, takes_s, stopping.LEAVE_WITHIN_S, ignored = sys.argv[1], Path(sys.argv[2]), *map(float, sys.argv[3:])
real = serving.Serving.call
def slowly(self, *given, **more):
    begun.touch()
    time.sleep(takes_s)
    return real(self, *given, **more)
serving.Serving.call = slowly
signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL)  # whatever started the tests
settings = Settings(graph=graph, actor="ann")
http.serve(settings, Offer.of(settings), port=0)
"""
WAIT_S = 30
JSON = {"Accept": "application/json, text/event-stream"}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
STATUS = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "status", "arguments": {}}}


class Slow:
    """A server whose calls take their time, and who calls it from another thread."""

    def __init__(self, process: subprocess.Popen[str], begun: Path) -> None:
        self.process = process
        assert process.stderr is not None
        self.base = process.stderr.readline().split()[-1]
        self.answers: list[httpx2.Response] = []
        self._begun = begun

    def call(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> threading.Thread:
        """Send a request whose answer is kept, and return once it is under way."""

        def ask() -> None:
            self.answers.append(httpx2.post(f"{self.base}{path}", json=body, headers=headers, timeout=WAIT_S))

        asking = threading.Thread(target=ask)
        asking.start()
        until_s = time.monotonic() + WAIT_S
        while not self._begun.exists() and time.monotonic() < until_s:
            time.sleep(0.01)
        return asking

    def session(self) -> dict[str, str]:
        """Return the headers of a session of the older protocol."""
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
        opened = httpx2.post(f"{self.base}/mcp", json=hello, headers=JSON, timeout=WAIT_S)
        return {**JSON, "Mcp-Session-Id": opened.headers["mcp-session-id"]}

    def stop(self, number: signal.Signals) -> tuple[int, str]:
        """Tell the server to stop and return its code and what it said since it started."""
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=WAIT_S)
        return self.process.returncode, said


@contextmanager
def slow(folder: Path, *, takes_s: float, within_s: float = 10.0, ignored: bool = False) -> Iterator[Slow]:
    """Start a server on the graph in ``folder``."""
    given = [graph_at(folder / "notes.db"), str(folder / "begun"), str(takes_s), str(within_s), str(int(ignored))]
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, *given], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Slow(process, folder / "begun")
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_call_under_way_is_answered_before_the_server_ends(tmp_path: Path, number: signal.Signals) -> None:
    """Though its answer is a stream of the older protocol; closing the terminal is a way of stopping too."""
    with slow(tmp_path, takes_s=1.0) as server:
        asking = server.call("/mcp", STATUS, server.session())
        assert server.stop(number) == (-number, "")
        asking.join(WAIT_S)
    (answer,) = server.answers
    assert '"isError":false' in answer.text


def test_a_call_that_takes_too_long_is_told_so_and_not_waited_for(tmp_path: Path) -> None:
    """503 instead of a fault, and no traceback in the log."""
    with slow(tmp_path, takes_s=WAIT_S, within_s=0.5) as server:
        asking = server.call("/api/tools/status", {}, JSON)
        assert server.stop(signal.SIGTERM) == (-signal.SIGTERM, "")
        asking.join(WAIT_S)
    (answer,) = server.answers
    assert (answer.status_code, answer.json()["error"]) == (503, "UNAVAILABLE")


def test_an_interrupt_does_not_wait_for_what_was_left_behind(tmp_path: Path) -> None:
    """The code of a program that was interrupted."""
    with slow(tmp_path, takes_s=WAIT_S, within_s=0.5) as server:
        asking = server.call("/api/tools/status", {}, JSON)
        assert server.stop(signal.SIGINT)[0] == 130
        asking.join(WAIT_S)


def test_an_open_stream_ends_without_a_word_in_the_log(tmp_path: Path) -> None:
    """As a whole, so that its reader knows that nothing is missing."""
    with slow(tmp_path, takes_s=0) as server:
        headers = {**server.session(), "Accept": "text/event-stream"}
        with httpx2.stream("GET", f"{server.base}/mcp", headers=headers, timeout=WAIT_S) as stream:
            assert stream.status_code == 200
            assert server.stop(signal.SIGTERM) == (-signal.SIGTERM, "")
            assert stream.read() == b""


def test_a_server_that_is_to_outlive_its_terminal_does(tmp_path: Path) -> None:
    """``nohup weft serve --http``."""
    with slow(tmp_path, takes_s=0, ignored=True) as server:
        server.process.send_signal(signal.SIGHUP)
        assert httpx2.get(f"{server.base}/healthz", timeout=WAIT_S).status_code == 200
        assert server.stop(signal.SIGTERM) == (-signal.SIGTERM, "")
