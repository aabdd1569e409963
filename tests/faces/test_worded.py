"""Over HTTP every refusal has the form of all others, whichever route, method or library it comes from; and batches."""

from __future__ import annotations

import gzip
import json
import socket
from functools import partial
from http.client import HTTPResponse
from typing import TYPE_CHECKING, Any

import pytest
from mcp_types import INVALID_REQUEST, PARSE_ERROR
from starlette.testclient import TestClient

from doors import BASE, serving, visitor
from team import WAIT_S, issue, running
from weft.faces import guard, http, worded
from weft.faces.guard import BODY_MAX, HEADERS
from weft.faces.messages import BATCHED, MESSAGES_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from httpx2 import Response

ROUTES = (
    *("/", "/mcp", "/api", "/api/tools", "/api/tools/search", "/api/openapi.json", "/api/nothing"),
    *("/events", "/healthz", "/readyz", "/metrics", "/nothing", "/a%00b", "/" + "a" * 300),
)
WANTED = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
MODERN = {**WANTED, "MCP-Protocol-Version": "2026-07-28"}


@pytest.fixture
def web(tmp_path: Path) -> Iterator[TestClient]:
    """An HTTP client of a server of an empty graph."""
    with serving(tmp_path) as held, visitor(held) as connected:
        yield connected


def is_worded(refused: Response) -> bool:
    """Return whether a refusal says in JSON what is wrong and what to do."""
    said = refused.json()
    return said["error"].isupper() and bool(said["message"]) and bool(said["hint"])


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "PATCH", "DELETE", "BREW"])
def test_a_method_that_is_not_taken_is_refused_in_the_form_of_every_refusal(
    web: TestClient, path: str, method: str
) -> None:
    """What is taken stands in the header and in the hint; on MCP's own route the protocol words it."""
    refused = web.request(method, path)
    assert refused.status_code in {400, 405}
    assert refused.headers.keys() >= HEADERS.keys()
    if path == "/mcp":
        assert refused.json()["error"]["message"]
    else:
        assert is_worded(refused)
        assert refused.headers["allow"] in refused.json()["hint"]


@pytest.mark.parametrize("path", ROUTES)
def test_a_head_is_the_get_without_its_body(web: TestClient, path: str) -> None:
    """Status and type of the answer; a stream of changes is not begun for it."""
    told = web.head(path)
    assert not told.content
    assert told.headers.keys() >= HEADERS.keys()
    if path != "/events":
        assert told.status_code == (405 if path == "/mcp" else web.get(path).status_code)
    assert told.headers["content-type"].startswith("application/json") or told.status_code < 400


def test_a_call_with_the_wrong_method_is_told_the_right_one(web: TestClient) -> None:
    """Not what the files at / would take."""
    assert web.put("/api/tools/search").headers["allow"] == "POST"


@pytest.mark.parametrize("path", ["/nothing", "/api", "/%2e%2e/%2e%2e/etc/passwd", "/a%00b", "/" + "a" * 300])
def test_an_address_of_nothing_says_what_there_is(web: TestClient, path: str) -> None:
    """Whatever it is made of."""
    refused = web.get(path)
    assert refused.status_code == 404
    assert is_worded(refused)
    assert "/api/tools" in refused.json()["hint"]


@pytest.mark.parametrize("path", ["/api/tools", "/api/openapi.json", "/healthz", "/readyz", "/metrics"])
def test_a_slash_at_the_end_of_an_address_changes_nothing(web: TestClient, path: str) -> None:
    """Clients add one to the address that they were given."""
    assert web.get(f"{path}/").status_code == web.get(path).status_code == 200


def test_a_tool_is_called_however_its_address_is_written(web: TestClient) -> None:
    """With a slash at the end, or with letters escaped."""
    for name in ("search", "search/", "sear%63h"):
        assert web.post(f"/api/tools/{name}", json={"query": "x"}).status_code == 200


@pytest.mark.parametrize("path", ["/api/tools/search", "/mcp"])
def test_a_compressed_body_is_refused_with_what_is_taken(web: TestClient, path: str) -> None:
    """415, before it is read as something that it is not; one that is called plain is plain."""
    body = json.dumps({"query": "x"}).encode()
    refused = web.post(path, content=gzip.compress(body), headers={**WANTED, "Content-Encoding": "gzip"})
    assert refused.status_code == 415
    assert refused.headers["accept-encoding"] == "identity"
    assert is_worded(refused)
    assert web.post(path, content=body, headers={**WANTED, "Content-Encoding": "identity"}).status_code != 415


@pytest.mark.parametrize("headers", [WANTED, MODERN])
@pytest.mark.parametrize(
    ("change", "content", "status"),
    [
        ({}, b" " * (BODY_MAX + 1), 413),
        ({"Content-Type": "text/plain"}, b"{}", 400),
        ({"Accept": "text/html"}, b"{}", 406),
    ],
)
def test_what_the_sdk_refuses_in_plain_words_is_worded(
    web: TestClient, headers: dict[str, str], change: dict[str, str], content: bytes, status: int
) -> None:
    """In both eras: too large, of another kind, or answered in a form that is not wanted."""
    refused = web.post("/mcp", content=content, headers={**headers, **change})
    assert refused.status_code == status
    assert refused.json()["error"]


def test_a_body_without_a_length_has_the_same_limit(web: TestClient) -> None:
    """It is counted as it comes."""

    def pieces() -> Iterator[bytes]:
        for _ in range(5):
            yield b" " * (BODY_MAX // 4)

    refused = web.post("/mcp", content=pieces(), headers=WANTED)
    assert refused.status_code == 413
    assert refused.json()["error"] == "LIMIT_EXCEEDED"


def test_a_fault_of_ours_is_worded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the headers of every answer, and without what went wrong."""

    def broken(*_: object) -> None:
        raise RuntimeError("password=hunter2")

    with serving(tmp_path) as held:
        monkeypatch.setattr("weft.faces.metrics.Metrics.answer", broken)
        with TestClient(http.build(held), base_url=BASE, raise_server_exceptions=False) as connected:
            refused = connected.get("/metrics")
    assert refused.status_code == 500
    assert is_worded(refused)
    assert "hunter2" not in refused.text
    assert refused.headers.keys() >= HEADERS.keys()


# Messages of older clients


def opened(web: TestClient, version: str) -> dict[str, str]:
    """Return the headers of a session in ``version``."""
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    told = web.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}, headers=WANTED)
    session = {**WANTED, "Mcp-Session-Id": told.headers["mcp-session-id"]}
    web.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=session)
    return session


def ping(number: object) -> dict[str, Any]:
    """Return a request."""
    return {"jsonrpc": "2.0", "id": number, "method": "ping"}


@pytest.mark.parametrize("message", [ping(1.5), ping(None), {"jsonrpc": "2.0", "method": "ping"}])
def test_a_request_whose_id_cannot_be_read_is_refused_and_not_passed_over(
    web: TestClient, message: dict[str, Any]
) -> None:
    """202 would be the answer to a notification, and its sender would wait for ever."""
    refused = web.post("/mcp", json=message, headers=opened(web, "2025-06-18"))
    assert refused.status_code == 400
    assert (refused.json()["id"], refused.json()["error"]["code"]) == (None, INVALID_REQUEST)
    assert "its id a text or a whole number" in refused.json()["error"]["message"]


def test_an_older_client_batches_in_the_one_version_that_has_it(web: TestClient) -> None:
    """One list of answers, under their ids; a batch of notifications is taken without one."""
    session = opened(web, BATCHED)
    search = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "search", "arguments": {}}}
    notice = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}
    answered = web.post(
        "/mcp", json=[ping("a"), notice, search, 5, ping(1.5), {**ping(4), "method": "nothing"}], headers=session
    )
    assert answered.status_code == 200
    found = {each["id"]: each for each in answered.json()}
    assert found.keys() == {"a", 3, 4, None}
    assert found["a"]["result"] == {}
    assert found[3]["result"]["isError"]
    assert found[4]["error"]
    assert web.post("/mcp", json=[notice], headers=session).status_code == 202
    whole = web.post("/mcp", json=[ping(number) for number in range(MESSAGES_MAX)], headers=session).json()
    assert [each["id"] for each in whole] == list(range(MESSAGES_MAX))


def test_each_message_of_a_batch_counts_as_a_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else fifty times as much could be asked for at the same rate; what is too much is not begun, and says when."""
    monkeypatch.setattr(guard, "Bucket", partial(guard.Bucket, burst=100, clock=lambda: 0.0))
    with serving(tmp_path) as held, visitor(held) as web:
        session = opened(web, BATCHED)  # two requests
        whole = [ping(number) for number in range(MESSAGES_MAX)]
        assert len(web.post("/mcp", json=whole, headers=session).json()) == MESSAGES_MAX
        noted = {"name": "capture", "arguments": {"content": "Herring migrate north in spring."}}
        wanted = {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": noted}
        refused = web.post("/mcp", json=[wanted, *whole[1:]], headers=session)
        assert (refused.status_code, refused.json()["error"]) == (429, "LIMIT_EXCEEDED")
        assert int(refused.headers["retry-after"]) >= 1
        assert held.graph().log.head() == 0
        left = 100 - 2 - MESSAGES_MAX - 1
        assert web.post("/mcp", json=whole[:left], headers=session).status_code == 200
        assert web.post("/mcp", json=whole[:1], headers=session).status_code == 429


@pytest.mark.parametrize("count", [0, MESSAGES_MAX + 1])
def test_a_batch_of_nothing_or_of_too_much_is_refused(web: TestClient, count: int) -> None:
    """As a whole, with the bounds."""
    refused = web.post("/mcp", json=[ping(number) for number in range(count)], headers=opened(web, BATCHED))
    assert refused.status_code == 400
    assert f"1 to {MESSAGES_MAX}" in refused.json()["error"]["message"]


@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2024-11-05"])
def test_no_other_version_has_batches(web: TestClient, version: str) -> None:
    """Nor does saying so in a header, or an invented session, make it one."""
    session = opened(web, version)
    for headers in (session, {**session, "MCP-Protocol-Version": BATCHED}, {**WANTED, "Mcp-Session-Id": "x"}, WANTED):
        refused = web.post("/mcp", json=[ping(1)], headers=headers)
        assert refused.status_code == 400
        assert "send each message by itself" in refused.json()["error"]["message"]


def test_an_older_client_that_sends_no_json_is_told_so(web: TestClient) -> None:
    """By the protocol's own code."""
    refused = web.post("/mcp", content=b"{nonsense", headers=opened(web, BATCHED))
    assert refused.json()["error"]["code"] == PARSE_ERROR


HOST = b"Host: 127.0.0.1\r\n"
CALL = b"POST /api/tools/search HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
_MESSAGE = b"POST /mcp HTTP/1.1\r\n" + HOST + b"".join(f"{name}: {said}\r\n".encode() for name, said in WANTED.items())
MESSAGES = {
    version: _MESSAGE + f"MCP-Protocol-Version: {version}\r\n".encode() for version in ("2026-07-28", "2025-06-18")
}
UNREADABLE = {
    "no HTTP at all": (b"\x16\x03\x01hello\r\n\r\n", 400),
    "no host": (b"GET /api/tools HTTP/1.1\r\n\r\n", 400),
    "a length that is no number": (CALL + b"Content-Length: many\r\n\r\n", 400),
    "a chunk without its size": (CALL + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
    "a coding that nobody knows": (CALL + b"Transfer-Encoding: braille\r\n\r\n", 501),
    "headers without an end": (b"GET /api/tools HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 200_000, 431),
    "headers that come in one piece": (
        b"GET /api/tools HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 80_000 + b"\r\n\r\n",
        431,
    ),
}


def connected(base: str) -> socket.socket:
    """Return a connection to the server, over which nothing came yet."""
    host, port = base.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=WAIT_S)


def sent(base: str, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """Send bytes, and nothing more, and return the status, the headers and the body that come back."""
    with connected(base) as connection:
        connection.sendall(request)
        reply = HTTPResponse(connection)
        reply.begin()
        return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()


@pytest.mark.parametrize("fault", UNREADABLE)
def test_what_is_no_request_is_refused_in_the_form_of_every_refusal(tmp_path: Path, fault: str) -> None:
    """The library that reads requests would say it in plain text, and call every fault a bad request."""
    request, status = UNREADABLE[fault]
    with serving(tmp_path) as held, running(held) as base:
        found, headers, body = sent(base, request)
    assert found == status
    assert headers["content-type"] == "application/json"
    assert headers["connection"] == "close"
    assert headers.keys() >= HEADERS.keys()
    said = json.loads(body)
    assert said["error"] == ("LIMIT_EXCEEDED" if status == 431 else "INVALID_ARGUMENT")
    assert said["message"]
    assert said["hint"]


def all_of(connection: socket.socket) -> bytes:
    """Return what comes until the server closes the connection."""
    return b"".join(iter(partial(connection.recv, 65_536), b""))


def test_a_connection_on_which_no_request_arrives_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else whoever opens enough of them shuts everybody else out; a request that had begun is told why."""
    monkeypatch.setattr(worded, "HEAD_WITHIN_S", 1.0)
    whole = b"GET /healthz HTTP/1.1\r\n" + HOST
    with serving(tmp_path) as held, running(held) as base, connected(base) as slow, connected(base) as idle:
        slow.sendall(whole + b"\r\n")
        reply = HTTPResponse(slow)
        reply.begin()
        reply.read()
        slow.sendall(whole)
        head, said = all_of(slow).split(b"\r\n\r\n")
        assert all_of(idle) == b""
    assert head.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in head
    assert "did not arrive" in json.loads(said)["message"]


def test_a_request_whose_head_arrived_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its body has its own time: meanwhile another connection is opened, waited for and closed."""
    monkeypatch.setattr(worded, "HEAD_WITHIN_S", 1.0)
    token = f"Authorization: Bearer {issue(tmp_path)}\r\n".encode()
    with serving(tmp_path) as held, running(held) as base, connected(base) as slow:
        slow.sendall(CALL + token + b"Content-Length: 14\r\n\r\n")
        with connected(base) as idle:
            assert all_of(idle) == b""
        slow.sendall(b'{"query": "x"}')
        reply = HTTPResponse(slow)
        reply.begin()
        assert (reply.status, json.loads(reply.read())["hits"]) == (200, [])


@pytest.mark.parametrize("head", [CALL, *MESSAGES.values()], ids=["a call", *MESSAGES])
def test_a_body_that_breaks_off_is_the_caller_s_fault_and_no_failure_of_ours(
    tmp_path: Path, head: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """A client that goes away in the middle leaves no trace of an error in the log."""
    token = f"Authorization: Bearer {issue(tmp_path)}\r\n".encode()
    with serving(tmp_path) as held, running(held) as base:
        host, port = base.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=WAIT_S) as connection:
            connection.sendall(head + token + b'Content-Length: 50\r\n\r\n{"query"')
        assert sent(base, b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n")[0] == 200
    assert "Traceback" not in capsys.readouterr().err
