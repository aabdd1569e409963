"""Strangers who hold connections, or send what is no request: others are answered, and the log stays short."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from contextlib import ExitStack
from http.client import HTTPResponse
from typing import TYPE_CHECKING

import pytest

from doors import serving
from faces.test_worded import CALL, HOST, connected, sent
from team import issue, running
from weft.faces.capacity import CONNECTIONS_MAX, PAUSE_S, SPARE, Sparing, spare_the_log

if TYPE_CHECKING:
    import socket
    from pathlib import Path

HELD = 8
"""Connections that the server of a test holds."""

PROBE = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"


@pytest.mark.parametrize("begun", [b"", b"GET /healthz HTTP/1.1\r\n" + HOST])
def test_who_asks_is_answered_whoever_else_only_holds_connections(tmp_path: Path, begun: bytes) -> None:
    """One address could hold all there are, at no cost, and shut everybody else out."""
    with serving(tmp_path) as held, running(held, connections=HELD + 1) as base, ExitStack() as stack:
        for _ in range(3 * HELD):
            idle = stack.enter_context(connected(base))
            idle.sendall(begun)
            assert sent(base, PROBE)[0] == 200


def test_the_connection_that_waited_longest_is_closed_and_told_why(tmp_path: Path) -> None:
    """What came over the others lately is not lost for it."""
    with serving(tmp_path) as held, running(held, connections=HELD + 1) as base, ExitStack() as stack:
        first = stack.enter_context(connected(base))
        first.sendall(PROBE[:-2])
        assert sent(base, PROBE)[0] == 200
        others = [stack.enter_context(connected(base)) for _ in range(HELD + 1)]
        with HTTPResponse(first) as reply:
            reply.begin()
            assert (reply.status, json.loads(reply.read())["error"]) == (503, "UNAVAILABLE")
        assert sent_over(others[-1]) == 200


def test_a_request_that_is_being_answered_keeps_its_connection(tmp_path: Path) -> None:
    """Room is made by closing what waits, and never by cutting off an answer."""
    token = f"Authorization: Bearer {issue(tmp_path)}\r\n".encode()
    with serving(tmp_path) as held, running(held, connections=HELD + 1) as base, ExitStack() as stack:
        asking = stack.enter_context(connected(base))
        asking.sendall(CALL + token + b"Content-Length: 14\r\n\r\n")
        for _ in range(3 * HELD):
            stack.enter_context(connected(base))
            assert sent(base, PROBE)[0] == 200
        asking.sendall(b'{"query": "x"}')
        assert asking.recv(64).startswith(b"HTTP/1.1 200 ")


def sent_over(connection: socket.socket) -> int:
    """Probe over a connection that is there and return the status."""
    connection.sendall(PROBE)
    with HTTPResponse(connection) as reply:
        reply.begin()
        return reply.status


@pytest.mark.skipif(sys.platform == "win32", reason="Windows bounds no files of a process")
@pytest.mark.parametrize(
    ("soft", "hard", "connections"),
    [(256, 4_096, CONNECTIONS_MAX), (4_096, 4_096, CONNECTIONS_MAX), (512, 1_024, 1_024 - SPARE), (256, 256, 64)],
)
def test_a_server_holds_no_more_connections_than_it_may_open_files(soft: int, hard: int, connections: int) -> None:
    """Accepting fails otherwise, hundreds of times a second, and each time there are six lines in the log."""
    asked = (
        "import resource\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))\n"
        "from weft.faces.capacity import connections_max\n"
        "print(connections_max(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert [int(each) for each in done.stdout.split()] == [connections, max(soft, min(hard, CONNECTIONS_MAX + SPARE))]


def test_what_is_no_request_leaves_one_line_a_minute_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A stranger needs no token for it, and could fill the disk."""
    logger = logging.getLogger("uvicorn.error")
    before = [*logger.filters]
    with serving(tmp_path) as held, running(held) as base:
        spare_the_log()
        try:
            for _ in range(5):
                assert sent(base, b"\x16\x03\x01hello\r\n\r\n")[0] == 400
                assert sent(base, PROBE[:-2] + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n")[0] == 200
        finally:
            logger.filters[:] = before
    assert capsys.readouterr().err.count("\n") <= 1


def test_a_warning_is_spared_for_a_minute_and_a_fault_never() -> None:
    """What differs is written: only the same words are held back."""
    now = [0.0]
    sparing = Sparing(clock=lambda: now[0])

    def written(level: int, words: str) -> bool:
        return sparing.filter(logging.LogRecord("uvicorn.error", level, "", 0, words, None, None))

    assert [written(logging.WARNING, words) for words in ("a", "a", "b")] == [True, False, True]
    assert [written(logging.ERROR, "a") for _ in range(2)] == [True, True]
    now[0] = PAUSE_S
    assert written(logging.WARNING, "a")
