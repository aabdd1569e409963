"""The HTTP face: the tools as calls, MCP, live changes, files; one application on the loopback."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest
from jsonschema import Draft202012Validator
from mcp.client.client import Client
from starlette.requests import Request

from doors import door, serving, settings, visitor
from engine import execute_at, graph_at
from weft.errors import Unavailable
from weft.faces import events, http, subscriptions
from weft.faces.feed import Feed
from weft.faces.guard import BODY_MAX
from weft.faces.openapi import STATUSES, document
from weft.model import CaptureRequest, UpdateRequest
from weft.tools.offer import Offer
from weft.tools.table import TOOLS
from weft.tools.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

    from weft.faces.serving import Serving

NOTE = {"content": "We chose SQLite for the job queue: one file, no server to run.", "title": "Queue on SQLite"}
WAIT_S = 20
WANTED = {"Accept": "application/json, text/event-stream"}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture
def web(tmp_path: Path) -> Iterator[TestClient]:
    """An HTTP client of a server of an empty graph."""
    with serving(tmp_path) as held, visitor(held) as connected:
        yield connected


def test_a_tool_is_called_by_name_with_json(web: TestClient) -> None:
    """The answer is the tool's, and is not to be cached."""
    made = web.post("/api/tools/capture", json=NOTE)
    assert made.status_code == 200
    assert made.headers["cache-control"] == "no-store"
    found = web.post("/api/tools/search", json={"query": "job queue"})
    assert found.json()["hits"][0]["id"] == made.json()["id"]


@pytest.mark.parametrize(
    ("name", "arguments", "status", "code"),
    [
        ("search", {"query": "x", "limit": 0}, 400, "INVALID_ARGUMENT"),
        ("fetch", {"id": "nowhere"}, 404, "NOT_FOUND"),
        ("serch", {}, 404, "NOT_FOUND"),
        ("update", {"id": "Queue on SQLite", "tags": [], "if_version": 9}, 409, "CONFLICT"),
    ],
)
def test_an_error_has_a_status_and_the_answer_of_every_face(
    web: TestClient, name: str, arguments: dict[str, Any], status: int, code: str
) -> None:
    """Code, message and hint in the body."""
    web.post("/api/tools/capture", json=NOTE)
    refused = web.post(f"/api/tools/{name}", json=arguments)
    assert refused.status_code == status
    assert refused.json()["error"] == code
    assert refused.json()["message"]
    assert refused.json()["hint"]


@pytest.mark.parametrize("path", ["/api/tools/search", "/api/nothing"])
def test_who_looks_at_a_call_is_told_how_to_make_it(web: TestClient, path: str) -> None:
    """An address typed into a browser is answered as every error is, not by the files' «Not Found»."""
    refused = web.get(path)
    assert refused.status_code == 404
    assert refused.json()["error"] == "NOT_FOUND"
    assert "POST /api/tools/NAME" in refused.json()["hint"]


def test_every_code_of_the_family_has_a_status() -> None:
    """A new kind of error is not forgotten here."""
    from weft import errors

    family = [vars(errors)[name] for name in errors.__all__]
    codes = {kind.code for kind in family if issubclass(kind, errors.WeftError)}
    assert codes == STATUSES.keys()


@pytest.mark.parametrize(
    ("content", "kind", "status", "said"),
    [
        (b"{", "application/json", 400, "body: is not JSON"),
        (b"[1]", "application/json", 400, "body: must be a JSON object"),
        (b"[" * 100_000, "application/json", 400, "body: is not JSON"),
        (b'{"query": "x"}', "text/plain", 400, "body: must be declared as application/json"),
        (b"query=x", "application/x-www-form-urlencoded", 400, "body: must be declared as application/json"),
        (b" " * (BODY_MAX + 1), "application/json", 413, "body: must be at most"),
    ],
)
def test_a_body_that_is_no_call_is_refused(web: TestClient, content: bytes, kind: str, status: int, said: str) -> None:
    """A form of another site cannot pass for a call: it cannot declare JSON."""
    refused = web.post("/api/tools/search", content=content, headers={"Content-Type": kind})
    assert refused.status_code == status
    assert refused.json()["message"].startswith(said)


def test_mcp_has_the_same_limit_on_bodies(web: TestClient) -> None:
    """Nothing is parsed beyond it."""
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    assert web.post("/mcp", content=b" " * (BODY_MAX + 1), headers=headers).status_code == 413


def test_a_slash_at_the_end_leads_to_the_same_endpoint(web: TestClient) -> None:
    """Clients add one to the address that they were given."""
    answers = [web.post(path, json=HELLO, headers=WANTED) for path in ("/mcp", "/mcp/")]
    assert [answer.status_code for answer in answers] == [200, 200]


def test_who_asks_to_go_on_where_a_stream_broke_off_is_given_the_live_one(tmp_path: Path) -> None:
    """Nothing is kept to be replayed; asking for it is no fault, and ends in no error of ours."""
    with listening(tmp_path / "notes.db") as base:
        opened = httpx2.post(f"{base}/mcp", json=HELLO, headers=WANTED, timeout=WAIT_S)
        session = {"Accept": "text/event-stream", "Mcp-Session-Id": opened.headers["mcp-session-id"]}
        with httpx2.stream("GET", f"{base}/mcp", headers=session | {"Last-Event-ID": "5"}, timeout=WAIT_S) as stream:
            assert (stream.status_code, stream.headers["content-type"]) == (200, "text/event-stream")


def test_a_client_that_takes_no_notices_holds_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told nothing more once a notice has waited too long; the others hear of everything."""
    monkeypatch.setattr(subscriptions, "SEND_WITHIN_S", 0.05)

    class Older:
        def __init__(self, *, stuck: bool) -> None:
            self.client_params, self.stuck = object(), stuck
            self.heard: list[str] = []
            self.told = anyio.Event()

        async def send_resource_updated(self, uri: str) -> None:
            self.heard.append(uri)
            self.told.set()
            if self.stuck:
                await anyio.sleep_forever()

    async def listened(held: Serving, id_: str) -> tuple[Older, Older]:
        feed = Feed(held, pause_s=0.01)
        told = subscriptions.Subscriptions(feed)
        stuck, good = Older(stuck=True), Older(stuck=False)
        async with anyio.create_task_group() as group:
            group.start_soon(feed.run)
            for client in (stuck, good):
                await told.subscribe(client, f"weft://node/{id_}", f"weft://node/{id_}")
            group.start_soon(told.run)
            for number in range(3):
                graph = held.graph()
                graph.capture.update(UpdateRequest(id=id_, tags=(f"t{number}",)), graph.call("update"))
                with anyio.fail_after(WAIT_S):
                    await good.told.wait()
                good.told = anyio.Event()
            group.cancel_scope.cancel()
        return stuck, good

    with serving(tmp_path) as held:
        graph = held.graph()
        made = graph.capture.capture(CaptureRequest(content="It is told."), graph.call("capture"))
        stuck, good = anyio.run(listened, held, made.node.id)
    assert (len(stuck.heard), len(good.heard)) == (1, 3)


def test_no_header_changes_who_calls(web: TestClient, tmp_path: Path) -> None:
    """Actor and role are the server's word."""
    lies = {"X-Actor": "eve", "Authorization": "Bearer eve", "X-Weft-Role": "curator", "Weft-Actor": "eve"}
    made = web.post("/api/tools/capture", json=NOTE, headers=lies).json()
    with door(tmp_path) as ann:
        node = ann.call("fetch", id=made["id"])["node"]
    assert node["created_by"] == "ann"


def test_a_lower_role_is_refused_with_the_tier_it_needs(tmp_path: Path) -> None:
    """403, and the tool is not listed."""
    with door(tmp_path):
        pass
    with serving(tmp_path, role="reader") as held, visitor(held) as web:
        assert web.post("/api/tools/capture", json=NOTE).status_code == 403
        assert "capture" not in {tool["name"] for tool in web.get("/api/tools").json()["tools"]}


def test_a_read_only_server_has_no_writing_call(tmp_path: Path) -> None:
    """404, as of any call that is not there."""
    with serving(tmp_path, read_only=True) as held, visitor(held) as web:
        assert web.post("/api/tools/capture", json=NOTE).status_code == 404
        assert web.post("/api/tools/search", json={"query": "x"}).status_code == 200


def test_every_tool_is_listed_with_full_schemas(web: TestClient) -> None:
    """Whatever MCP lists, every toolset can be called."""
    listed = web.get("/api/tools").json()["tools"]
    assert [tool["name"] for tool in listed] == [tool.name for tool in TOOLS]
    assert all(tool["inputSchema"]["properties"]["session"]["description"] for tool in listed)


def test_the_description_is_made_from_the_table(web: TestClient) -> None:
    """One operation a tool and verb, valid schemas, references that lead somewhere, a status for each kind of error."""
    said = web.get("/api/openapi.json").json()
    assert said == json.loads(json.dumps(document(TOOLS)))
    assert said["openapi"].startswith("3.1")
    assert said["paths"].keys() == {f"/api/tools/{tool.name}" for tool in TOOLS} | {
        f"/api/{verb.name}" for verb in VERBS
    }
    for path in said["paths"].values():
        (operation,) = path.values()
        assert operation["responses"].keys() == {"200", *map(str, STATUSES.values())}
        taken = [operation["requestBody"]["content"]] if "requestBody" in operation else []
        for content in (*taken, operation["responses"]["200"]["content"]):
            Draft202012Validator.check_schema(content["application/json"]["schema"])
        for parameter in operation.get("parameters", ()):
            Draft202012Validator.check_schema(parameter["schema"])
    (reference,) = set(re.findall(r'"\$ref": "([^"]+)"', json.dumps(said)))
    assert reference == "#/components/schemas/Error"
    Draft202012Validator.check_schema(said["components"]["schemas"]["Error"])


def test_an_error_is_what_the_description_says(web: TestClient) -> None:
    """The schema of errors holds for a real one."""
    schema = document(TOOLS)["components"]["schemas"]["Error"]
    refused = web.post("/api/tools/fetch", json={"id": "nowhere"})
    Draft202012Validator(schema).validate(refused.json())


def test_the_page_at_the_root_says_what_is_here(web: TestClient) -> None:
    """The explorer's files, under the strict policy: nothing inline, none from elsewhere; only its folder is read."""
    page = web.get("/")
    assert page.status_code == 200
    assert 'href="api/openapi.json"' in page.text
    assert re.findall(r"<script[^>]*>[^<]*", page.text) == ['<script type="module" src="explorer/start.js">']
    assert not re.findall(r"style=|<style|https?:", page.text)
    assert web.get("/explorer/start.js").headers["cache-control"] == "no-cache"
    assert web.get("/style.css").headers["content-type"].startswith("text/css")
    for path in ("/../http.py", "/%2e%2e/http.py", "/..%2fhttp.py", "/web"):
        assert web.get(path).status_code == 404


@pytest.mark.files_only("tests/postgres/test_away.py")
def test_the_process_is_alive_where_the_graph_is_not_ready(tmp_path: Path, web: TestClient) -> None:
    """Whether it can be read is told apart from whether anybody answers; nothing else is told."""
    for path in ("/healthz", "/readyz"):
        assert web.get(path).json() == {"status": "ok"}
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "notes.db").write_bytes(b"no graph" * 100)
    with serving(bad) as held, visitor(held) as other:
        alive, ready = other.get("/healthz"), other.get("/readyz")
    assert (alive.status_code, alive.json()) == (200, {"status": "ok"})
    assert (ready.status_code, ready.json()) == (503, {"status": "unavailable"})


def test_a_server_whose_graph_another_release_brought_up_is_not_ready(tmp_path: Path, web: TestClient) -> None:
    """It takes no write any more, and says why; what it reads it reads on, and its process is there."""
    assert web.post("/api/tools/capture", json={"content": "Herring swim.", "title": "Herring"}).status_code == 200
    assert web.get("/readyz").json() == {"status": "ok"}
    execute_at(tmp_path / "notes.db", "UPDATE meta SET value = 'later' WHERE key = 'words'")
    ready = web.get("/readyz")
    assert (ready.status_code, ready.json()["status"]) == (503, "unavailable")
    assert "another release of Weft" in ready.json()["reason"]
    assert web.get("/healthz").json() == {"status": "ok"}
    refused = web.post("/api/tools/capture", json={"content": "Herring are many."})
    assert (refused.status_code, refused.json()["key"]) == (503, "brought_up")
    assert web.post("/api/tools/fetch", json={"id": "Herring"}).status_code == 200


def test_what_a_newer_release_wrote_and_a_server_cannot_read_is_told_as_that(tmp_path: Path, web: TestClient) -> None:
    """As long as the graph is of this release, whatever cannot be read is a fault of ours."""
    assert web.post("/api/tools/capture", json={"content": "Herring swim.", "title": "Herring"}).status_code == 200
    execute_at(tmp_path / "notes.db", "UPDATE node SET status = 'dormant'")
    failed = web.post("/api/tools/fetch", json={"id": "Herring"})
    assert "did not expect" in failed.json()["message"]
    execute_at(tmp_path / "notes.db", "UPDATE meta SET value = 'later' WHERE key = 'words'")
    told = web.post("/api/tools/fetch", json={"id": "Herring"})
    assert (told.status_code, told.json()["key"]) == (503, "brought_up")
    assert "anew" in told.json()["hint"]


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    """Before anything is opened."""
    chosen = settings(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(Unavailable, match=r"port: 127\.0\.0\.1:"):
            http.serve(chosen, Offer.of(chosen), port=taken.getsockname()[1])


# Over a real socket


@contextmanager
def listening(graph: Path, *options: str) -> Iterator[str]:
    """Start a server on a free port and return its address; what it says goes to a file beside ``graph``."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    code = (
        "import sys\nfrom weft.faces import http\nfrom weft.settings import Settings\n"
        "from weft.tools.offer import Offer\nchosen = Settings(graph=sys.argv[1], actor='ann')\n"
        "http.serve(chosen, Offer.of(chosen), port=int(sys.argv[2]))"
    )
    command = [sys.executable, "-c", code, graph_at(graph), str(port), *options]
    with graph.with_name("said").open("w") as said, subprocess.Popen(command, stderr=said) as process:
        try:
            base = f"http://127.0.0.1:{port}"
            deadline = time.monotonic() + WAIT_S
            while True:
                try:
                    httpx2.get(f"{base}/api/tools", timeout=WAIT_S)
                    break
                except httpx2.ConnectError:
                    assert time.monotonic() < deadline
                    time.sleep(0.02)
            yield base
        finally:
            process.terminate()
            process.wait(WAIT_S)


def events_from(base: str, **headers: str) -> Iterator[dict[str, Any]]:
    """Yield the changes that the server streams, an empty one as soon as it listens."""
    with httpx2.stream("GET", f"{base}/events", headers=headers, timeout=WAIT_S) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        yield {}
        for line in stream.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line[6:])


def captured_over(base: str, era: str, content: str) -> str:
    """Capture ``content`` through the SDK's client and return its id."""

    async def main() -> str:
        async with Client(f"{base}/mcp", mode=era) as client:
            made = await client.call_tool("capture", {"content": content})
            return str(made.structured_content["id"])

    return anyio.run(main)


def test_a_running_server_serves_mcp_calls_and_changes(tmp_path: Path) -> None:
    """Both eras over one address, and an event for each change, by whatever face it was made."""
    with listening(tmp_path / "notes.db") as base:
        stream = events_from(base)
        assert next(stream) == {}
        ids = [
            captured_over(base, "auto", "Told by a modern client."),
            captured_over(base, "legacy", "Said by another, older one."),
        ]
        httpx2.post(f"{base}/api/tools/update", json={"id": ids[0], "tags": ["x"]}, timeout=WAIT_S).raise_for_status()
        heard: list[dict[str, Any]] = []
        while not heard or heard[-1]["tool"] != "update":
            heard.append(next(stream))
        stream.close()
    assert {event["id"] for event in heard if event["subject"] == "node"} == set(ids)
    assert [event["seq"] for event in heard] == sorted(event["seq"] for event in heard)
    assert {event["client"].split()[0] for event in heard} == {"mcp", "http"}


def test_an_answer_is_sent_at_once_on_a_connection_that_is_used_again(tmp_path: Path) -> None:
    """Its end does not wait for the caller's delayed acknowledgement, which comes after 40 ms."""
    with listening(tmp_path / "notes.db") as base, httpx2.Client(base_url=base, timeout=WAIT_S) as client:
        client.get("/healthz").raise_for_status()
        taken = []
        for _ in range(10):
            begun = time.perf_counter()
            client.get("/healthz").raise_for_status()
            taken.append(time.perf_counter() - begun)
    assert min(taken) < 0.03


LISTEN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "subscriptions/listen",
    "params": {
        "notifications": {"resourcesListChanged": True},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    },
}
LISTENING = {
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "subscriptions/listen",
}


def test_streams_end_with_the_server_and_without_a_word(tmp_path: Path) -> None:
    """Whoever stops a server while a page is open is not shown a failure, and a listener is told of the end."""
    with ExitStack() as open_still:
        with listening(tmp_path / "notes.db") as base:
            asked = (("GET", "/events", {}), ("POST", "/mcp", {"json": LISTEN, "headers": LISTENING}))
            streams = [
                open_still.enter_context(httpx2.stream(method, base + path, timeout=WAIT_S, **more))
                for method, path, more in asked
            ]
            lines = [stream.iter_lines() for stream in streams]
            assert [bool(next(each)) for each in lines] == [True, True]
        rest = ["".join(each) for each in lines]
    assert rest[0] == ""
    assert '"result":' in rest[1]
    assert (tmp_path / "said").read_text().splitlines() == [f"weft: listening on {base}"]


def test_a_reader_that_lost_its_stream_takes_it_up_again(tmp_path: Path) -> None:
    """Last-Event-ID begins after that position."""
    with door(tmp_path) as ann:
        ann.call("capture", content="Before anybody listened.")
        ann.call("capture", content="And something else.")
        head = ann.graph.log.head()
    with listening(tmp_path / "notes.db") as base:
        stream = events_from(base, **{"Last-Event-ID": "0"})
        assert next(stream) == {}
        assert [next(stream)["seq"] for _ in range(head)] == list(range(1, head + 1))
        stream.close()
        late = events_from(base, **{"Last-Event-ID": str(head - 1)})
        assert next(late) == {}
        assert next(late)["seq"] == head
        late.close()


def test_a_reader_that_is_far_behind_is_given_all_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that resumes with as much as one may ends there; the next goes on, and nothing between is left out."""
    monkeypatch.setattr(events, "REPLAY_MAX", 4)
    monkeypatch.setattr(events, "ROUND_MAX", 2)

    async def resumed(held: Serving) -> str:
        feed = Feed(held)
        asked = Request({"type": "http", "method": "GET", "headers": [(b"last-event-id", b"0")], "query_string": b""})
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(feed.run)
            with anyio.fail_after(WAIT_S):
                answer = await events.stream(asked, held, feed)
                said = "".join([str(part) async for part in answer.body_iterator])
            tasks.cancel_scope.cancel()
        return said

    with serving(tmp_path) as held, visitor(held) as web:
        for number in range(6):
            web.post("/api/tools/capture", json={"content": f"Fact number {number}.", "kind": "claim"})
        said = anyio.run(resumed, held)
    assert [int(line[4:]) for line in said.splitlines() if line.startswith("id: ")] == [1, 2, 3, 4]


def test_a_position_that_the_log_does_not_reach_is_its_end(tmp_path: Path) -> None:
    """A graph that was brought back from a copy has a shorter log; its readers hear of what comes all the same."""
    behind = {"Last-Event-ID": "99999"}
    with (
        listening(tmp_path / "notes.db") as base,
        httpx2.stream("GET", f"{base}/events", headers=behind, timeout=WAIT_S) as stream,
    ):
        told = (line for line in stream.iter_lines() if line)
        assert next(told) == ": listening"
        httpx2.post(f"{base}/api/tools/capture", json=NOTE, timeout=WAIT_S).raise_for_status()
        assert next(told) == "id: 1"


def test_a_bad_position_is_refused(web: TestClient) -> None:
    """A position is a number of the log."""
    for said in ("yesterday", "-1", "9" * 40):
        refused = web.get("/events", params={"since": said})
        assert refused.status_code == 400
        assert refused.json()["message"].startswith("since:")


def test_listeners_are_bounded(web: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """One too many is told to come back."""
    monkeypatch.setattr(events, "LISTENERS_MAX", 0)
    full = web.get("/events")
    assert (full.status_code, full.headers["retry-after"], full.json()["error"]) == (503, "1", "UNAVAILABLE")
