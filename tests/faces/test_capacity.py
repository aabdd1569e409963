"""Strangers who hold connections, or send what is no request: others are answered, and the log stays short."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPResponse
from typing import TYPE_CHECKING

import httpx2
import pytest

from doors import serving
from faces.test_http import LISTEN, LISTENING
from faces.test_worded import CALL, HOST, connected, sent
from team import WAIT_S, bearer, issue, running
from weft.faces.auth import STREAMS_EACH
from weft.faces.capacity import CONNECTIONS_MAX, PAUSE_S, SPARE, Sparing, spare_the_log
from weft.faces.serving import WORKERS

if TYPE_CHECKING:
    import socket
    from pathlib import Path

HELD = 8
"""Connections that the server of a test holds."""

TLS_HELLO = bytes.fromhex("160301002f0100002b0303") + bytes(range(32)) + bytes.fromhex("000004130113020100")
"""What a client sends that would speak TLS."""

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


def test_a_light_call_does_not_wait_behind_all_calls_of_somebody_else(tmp_path: Path) -> None:
    """Calls wait for a worker in turns of their credentials; a probe is answered meanwhile too."""
    ann, bob = (bearer(issue(tmp_path)) for _ in range(2))
    leave, begun = threading.Event(), threading.Semaphore(0)

    def told(name: str, *_: object) -> None:
        if name == "search":  # Ann's, which take long
            begun.release()
            leave.wait(2 * WAIT_S)

    with serving(tmp_path) as held, running(held) as base, ThreadPoolExecutor(2 * WORKERS) as others:
        held.told = told

        def call(name: str, headers: dict[str, str], **given: str) -> int:
            return httpx2.post(f"{base}/api/tools/{name}", json=given, headers=headers, timeout=WAIT_S).status_code

        try:
            asked = [others.submit(call, "search", ann, query="x") for _ in range(2 * WORKERS)]
            assert all(begun.acquire(timeout=WAIT_S) for _ in range(WORKERS - 1))
            assert call("fetch", bob, id="nowhere") == 404
            assert httpx2.get(f"{base}/readyz", timeout=WAIT_S).status_code == 200
            assert not any(each.done() for each in asked)
        finally:
            leave.set()
        assert [each.result(WAIT_S) for each in asked] == [200] * 2 * WORKERS


STREAMS = {
    "/events": ("GET", {}, {}),
    "/mcp": ("POST", LISTENING, LISTEN),
}


@pytest.mark.parametrize("path", STREAMS)
def test_one_reader_leaves_others_streams_to_listen_on(path: str, tmp_path: Path) -> None:
    """What is beyond its share is told to come back; one that it ends makes room."""
    ann, bob = (bearer(issue(tmp_path)) for _ in range(2))
    method, headers, body = STREAMS[path]

    with serving(tmp_path) as held, running(held) as base, ExitStack() as stack:

        def opened(who: dict[str, str]) -> httpx2.Response:
            asked = httpx2.stream(method, base + path, headers=headers | who, json=body or None, timeout=WAIT_S)
            return stack.enter_context(asked)

        streams = [opened(ann) for _ in range(STREAMS_EACH)]
        assert [each.status_code for each in streams] == [200] * STREAMS_EACH
        full = opened(ann)
        assert (full.status_code, full.headers["retry-after"]) == (429, "1")
        assert json.loads(full.read())["error"] == "LIMIT_EXCEEDED"
        other = opened(bob)
        assert other.status_code == 200
        assert '"error"' not in next(other.iter_lines())
        counted = httpx2.get(f"{base}/metrics", headers=ann, timeout=WAIT_S).text
        assert 'weft_http_refused_total{reason="credential_full"} 1.0' in counted
        streams[0].close()
        until = time.monotonic() + WAIT_S
        while opened(ann).status_code != 200:  # the server hears of the end in a moment
            assert time.monotonic() < until


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


def test_what_is_no_request_is_counted(tmp_path: Path) -> None:
    """A scan, or a client that speaks TLS to the plain port, shows in the counts; no label is what it sent."""
    token = issue(tmp_path)
    with serving(tmp_path) as held, running(held) as base:
        for said in (TLS_HELLO, b"no request at all\r\n\r\n", PROBE[:-2] + b"X: " + b"x" * 40_000):
            assert sent(base, said)[0] in {400, 431}
        counted = httpx2.get(f"{base}/metrics", headers=bearer(token), timeout=WAIT_S).text
    refused = {line for line in counted.splitlines() if line.startswith("weft_http_refused_total")}
    assert refused == {
        'weft_http_refused_total{reason="unreadable"} 2.0',
        'weft_http_refused_total{reason="too_long"} 1.0',
    }


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
