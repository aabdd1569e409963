"""A server for a team: every tool at every tier with a token, bounds, probes, counts, and a quiet end."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, Final

import anyio
import httpx2
import pytest
from mcp.shared.exceptions import MCPError
from prometheus_client.parser import text_string_to_metric_families
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from typer.testing import CliRunner

from doors import BASE, door, serving, settings, text_of, visitor
from engine import copied
from team import ACTORS, WAIT_S, bearer, issue, issued, running, speaking, visiting
from tools.examples import EXAMPLES, furnish
from weft.errors import InvalidArgument
from weft.faces import auth, http
from weft.faces.auth import BURST, REQUESTS_EACH, Admission, Authenticate
from weft.faces.cli import app
from weft.faces.exposure import modes_of, names_of
from weft.faces.guard import Bucket, Guard
from weft.faces.messages import BATCHED
from weft.faces.metrics import SESSION_S, Metrics, Sessions
from weft.faces.visits import Visits
from weft.model import Filter, Page
from weft.settings import Auth
from weft.tools.offer import Offer
from weft.tools.row import TIERS, Effect
from weft.tools.table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Answers = dict[str, dict[str, Any]]

ORDER: Final = (Effect.READS, Effect.ADDS, Effect.MERGES, Effect.CHANGES)
FACES: Final = ("api", "mcp, modern", "mcp, handshake")
HELLO: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
WANTED: Final = {"Accept": "application/json, text/event-stream"}
ERA: Final = {"mcp, modern": "auto", "mcp, handshake": "legacy"}


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a graph that every example fits, to be copied."""
    folder = tmp_path_factory.mktemp("graph")
    with door(folder) as ann:
        furnish(ann.graph)
    return folder


@pytest.fixture(scope="module")
def team(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str], Path]]:
    """A running server of every tool, a token for each role, and its folder. Nothing that succeeds is called here."""
    folder = copied(furnished, tmp_path_factory.mktemp("team") / "graph")
    tokens = issued(folder)
    with serving(folder, toolsets="all") as held, running(held) as base:
        yield base, tokens, folder


def over(face: str, base: str, credential: str, names: list[str]) -> Answers:
    """Call the tools called ``names`` with their examples, showing ``credential``."""
    if face == "api":
        with httpx2.Client(base_url=base, headers=bearer(credential), timeout=WAIT_S) as web:
            return {name: web.post(f"/api/tools/{name}", json=dict(EXAMPLES[name])).json() for name in names}

    async def main() -> Answers:
        with anyio.fail_after(60):
            async with speaking(base, credential, era=ERA[face]) as client:
                return {name: text_of(await client.call_tool(name, dict(EXAMPLES[name]))) for name in names}

    return anyio.run(main)


def listed_over(face: str, base: str, credential: str) -> set[str]:
    """Return the names of the tools that are listed."""
    if face == "api":
        listed = httpx2.get(f"{base}/api/tools", headers=bearer(credential), timeout=WAIT_S)
        return {row["name"] for row in listed.json()["tools"]}

    async def main() -> set[str]:
        async with speaking(base, credential, era=ERA[face]) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    return anyio.run(main)


def reached(role: str) -> set[str]:
    """Return the tools that the table lets ``role`` call."""
    return {tool.name for tool in TOOLS if TIERS.index(tool.needs) <= TIERS.index(role)}


@pytest.mark.parametrize("role", TIERS[:-1])
@pytest.mark.parametrize("face", FACES)
def test_a_token_that_does_not_reach_is_refused_every_tool_above_it(
    face: str, role: str, team: tuple[str, dict[str, str], Path]
) -> None:
    """With the answer of every face, naming the tier; and the graph is as it was."""
    base, tokens, folder = team
    above = [tool for tool in TOOLS if tool.name not in reached(role)]
    with door(folder) as ann:
        before = ann.graph.log.head()
    answers = over(face, base, tokens[role], [tool.name for tool in above])
    for tool in above:
        assert answers[tool.name].get("error") == "PERMISSION_DENIED", (tool.name, answers[tool.name])
        assert f"needs the tier {tool.needs}; this caller is a {role}" in answers[tool.name]["message"]
    with door(folder) as ann:
        assert ann.graph.log.head() == before


@pytest.mark.parametrize("role", TIERS)
def test_a_token_reaches_every_tool_up_to_its_role(role: str, furnished: Path, tmp_path: Path) -> None:
    """What reads first, what takes away last; what is written stands under the name of the token."""
    folder = copied(furnished, tmp_path / "graph")
    credential = issue(folder, actor=ACTORS[role], role=role)
    rows = sorted(TOOLS, key=lambda tool: (ORDER.index(tool.effect), tool.toolset))
    names = [tool.name for tool in rows if tool.name in reached(role)]
    with door(folder) as ann:
        before = ann.graph.log.head()
    with serving(folder, toolsets="all") as held, visiting(held) as web:
        web.headers.update(bearer(credential))
        answers = {name: web.post(f"/api/tools/{name}", json=dict(EXAMPLES[name])).json() for name in names}
    denied = [name for name, answer in answers.items() if answer.get("error") == "PERMISSION_DENIED"]
    assert denied == []
    assert sum("error" in answer for answer in answers.values()) <= 3  # one example takes away what another names
    with door(folder) as ann:
        written = ann.graph.log.since(before, limit=500)
    assert {change.actor for change in written} == ({ACTORS[role]} if role != "reader" else set())


@pytest.mark.parametrize("role", TIERS)
@pytest.mark.parametrize("face", FACES)
def test_a_token_s_list_is_what_it_reaches(face: str, role: str, team: tuple[str, dict[str, str], Path]) -> None:
    """Over one address, whoever listed before."""
    base, tokens, _ = team
    assert listed_over(face, base, tokens[role]) == reached(role)


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_a_reader_writes_through_no_other_door(era: str, team: tuple[str, dict[str, str], Path]) -> None:
    """Resources and prompts read only, and offer nothing that is out of reach."""
    base, tokens, folder = team

    async def main() -> list[str]:
        with anyio.fail_after(60):
            async with speaking(base, tokens["reader"], era=era) as client:
                page = await client.list_resources()
                read = await client.read_resource(page.resources[0].uri)
                assert json.loads(read.contents[0].text)["node"]
                return [prompt.name for prompt in (await client.list_prompts()).prompts]

    with door(folder) as ann:
        before = ann.graph.log.head()
    prompts = anyio.run(main)
    with door(folder) as ann:
        assert ann.graph.log.head() == before
    with serving(folder, toolsets="all", role="reader") as held:
        from weft.faces import prompts as asks

        assert prompts == [prompt.name for prompt in asks.listed(held.offer.names)]


def test_a_token_never_raises_the_served_role(furnished: Path, tmp_path: Path) -> None:
    """A curator's token at a server of readers is a reader's."""
    folder = copied(furnished, tmp_path / "graph")
    credential = issue(folder, actor="kurt", role="curator")
    with serving(folder, role="reader") as held, visiting(held) as web:
        refused = web.post("/api/tools/capture", json=dict(EXAMPLES["capture"]), headers=bearer(credential))
    assert refused.status_code == 403
    assert "this caller is a reader" in refused.json()["message"]


def test_neither_a_header_nor_an_argument_says_who_calls(tmp_path: Path) -> None:
    """Actor and role are the token's."""
    tokens = issued(tmp_path)
    lies = {"X-Actor": "eve", "X-Weft-Role": "curator", "X-Forwarded-User": "eve", "Remote-User": "eve"}
    with serving(tmp_path) as held, visiting(held) as web:
        web.headers.update(lies | bearer(tokens["contributor"]))
        made = web.post("/api/tools/capture", json={"content": "A."}).json()
        assert web.post("/api/tools/capture", json={"content": "B.", "actor": "eve"}).status_code == 400
        assert web.post("/api/tools/forget", json={"id": made["id"]}).status_code == 403
    with door(tmp_path) as ann:
        assert ann.call("fetch", id=made["id"])["node"]["created_by"] == "carl"


def test_callers_at_once_never_get_each_other_s_role(tmp_path: Path) -> None:
    """Two tokens, sixteen threads, both eras and the calls: each answer is to whom it was meant."""
    tokens = issued(tmp_path)

    def call(number: int, base: str) -> tuple[str, Any]:
        role = ("reader", "contributor")[number % 2]
        arguments = {"content": f"Note {number} of one caller among many.", "title": f"Note {number}"}
        if number % 4 < 2:
            answer = httpx2.post(
                f"{base}/api/tools/capture", json=arguments, headers=bearer(tokens[role]), timeout=WAIT_S
            ).json()
            return role, answer

        async def main() -> Any:  # noqa: ANN401 - an answer
            async with speaking(base, tokens[role], era=("auto", "legacy")[number % 8 < 4]) as client:
                return text_of(await client.call_tool("capture", arguments))

        return role, anyio.run(main)

    with serving(tmp_path) as held, running(held) as base, ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(lambda number: call(number, base), range(48)))
    for role, answer in answers:
        assert ("id" in answer) if role == "contributor" else (answer["error"] == "PERMISSION_DENIED"), answer
    with door(tmp_path) as ann:
        assert {change.actor for change in ann.graph.log.since(0, limit=500)} == {"carl"}


@pytest.mark.parametrize("other", ["", "reader"])
def test_a_session_is_bound_to_the_credential_that_opened_it(other: str, tmp_path: Path) -> None:
    """Its number is no credential: with another token, or none, it is as if it were not there."""
    tokens = issued(tmp_path)
    with serving(tmp_path) as held, visiting(held) as web:
        opened = web.post("/mcp", json=HELLO, headers=WANTED | bearer(tokens["contributor"]))
        assert opened.status_code == 200
        session = WANTED | {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
        ask = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        stolen = web.post("/mcp", json=ask, headers=session | (bearer(tokens[other]) if other else {}))
        assert stolen.status_code == (404 if other else 401)
        assert web.post("/mcp", json=ask, headers=session | bearer(tokens["contributor"])).status_code == 200


# ---- who may come in at all


def test_everything_but_the_probes_asks_for_a_token(tmp_path: Path) -> None:
    """What is not listed here as open is closed, paths that do not exist too."""
    with serving(tmp_path) as held, visiting(held) as web:
        for method, path in (
            ("GET", "/"),
            ("GET", "/style.css"),
            ("GET", "/api/tools"),
            ("GET", "/api/openapi.json"),
            ("POST", "/api/tools/search"),
            ("GET", "/events"),
            ("GET", "/metrics"),
            ("GET", "/mcp"),
            ("POST", "/mcp"),
            ("DELETE", "/mcp"),
            ("OPTIONS", "/api/tools"),
            ("GET", "/nowhere"),
            ("GET", "/healthz/x"),
            ("GET", "/healthz/../api/tools"),
        ):
            refused = web.request(method, path)
            assert refused.status_code == 401, (method, path)
            assert refused.headers["www-authenticate"] == 'Bearer realm="weft"'
            if method != "HEAD":
                assert refused.json()["error"] == "PERMISSION_DENIED"
        for path in ("/healthz", "/readyz"):
            assert web.get(path).json() == {"status": "ok"}
            assert web.get(path, headers={"Host": "10.1.2.3:8765"}).status_code == 200


def test_a_browser_may_show_its_token_as_a_password(tmp_path: Path) -> None:
    """It has no other way of its own; on /mcp only Bearer is taken, and the user's name says nothing."""
    tokens = issued(tmp_path)
    page = {"Accept": "text/html,*/*"}
    with serving(tmp_path) as held, visiting(held) as web:
        asked = web.get("/", headers=page)
        assert asked.status_code == 401
        assert asked.headers["www-authenticate"].startswith("Basic ")
        assert web.get("/", headers=page, auth=("any", tokens["reader"])).status_code == 200
        assert web.get("/mcp", headers=page, auth=("any", tokens["reader"])).status_code == 401
        refused = web.post("/api/tools/capture", json={"content": "A."}, auth=("kurt", tokens["reader"]))
        assert refused.status_code == 403
        cross = {"Origin": "https://evil.example"}
        made = web.post("/api/tools/capture", json={"content": "A."}, headers=cross, auth=("x", tokens["curator"]))
        assert made.status_code == 403


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5"])  # noqa: S104 - refused, not bound
@pytest.mark.parametrize("mode", ["", "none"])
def test_another_interface_is_refused_where_nobody_is_asked(tmp_path: Path, host: str, mode: str) -> None:
    """Before anything is opened, with what to do."""
    chosen = settings(tmp_path, auth=Auth(mode=mode))
    with pytest.raises(InvalidArgument, match="loopback") as refused:
        http.serve(chosen, Offer.of(chosen), host=host)
    assert "weft token create" in refused.value.hint
    assert "--auth" in refused.value.hint
    assert not list(tmp_path.iterdir())


def test_the_command_line_says_why_it_does_not_start(tmp_path: Path) -> None:
    """And how oauth is set up, where that is asked for."""
    ahead = ["--graph", str(tmp_path / "x.db"), "serve", "--http"]
    open_to_all = CliRunner().invoke(app, [*ahead, "--host", "0.0.0.0"])  # noqa: S104 - refused, not bound
    assert (open_to_all.exit_code, "token create" in open_to_all.output) == (1, True)
    unset = CliRunner().invoke(app, [*ahead, "--auth", "oauth"], env={"COLUMNS": "200"})
    assert (unset.exit_code, "WEFT_AUTH_ISSUER" in unset.output) == (2, True)
    unknown = CliRunner().invoke(app, [*ahead, "--auth", "password"], env={"COLUMNS": "200"})
    assert (unknown.exit_code, "none, token, oauth" in unknown.output) == (2, True)


@pytest.mark.parametrize(
    ("mode", "tokens", "modes"),
    [("", 0, ()), ("", 1, ("token",)), ("none", 1, ()), ("token", 0, ("token",))],
)
def test_a_graph_that_has_tokens_asks_for_one(mode: str, tokens: int, modes: tuple[str, ...], tmp_path: Path) -> None:
    """Unless it is told otherwise; a graph without any is served on this machine as ever, and is not even made."""
    for _ in range(tokens):
        issue(tmp_path)
    with serving(tmp_path, auth=Auth(mode=mode)) as held:
        assert modes_of(held) == modes
    assert tokens or not list(tmp_path.iterdir())


def test_without_tokens_nothing_is_asked_on_this_machine(tmp_path: Path) -> None:
    """A header that looks like a token changes nothing."""
    with serving(tmp_path) as held, visitor(held) as web:
        assert web.get("/api/tools", headers=bearer("weft_x")).status_code == 200
        assert web.get("/metrics").status_code == 200


def test_a_server_is_called_by_the_names_it_was_told(tmp_path: Path) -> None:
    """By its own as well; its pages may come from https, which ends before it, and from no other name or port."""
    credential = issue(tmp_path, role="reader")
    named = {"Host": "Weft.Example.org:443"}
    with serving(tmp_path) as held, visiting(held, hosts=("weft.example.org", "[fd00::1]")) as web:
        web.headers.update(bearer(credential))
        assert web.get("/api/tools", headers=named).status_code == 200
        assert web.get("/api/tools", headers={"Host": "[fd00::1]:8765"}).status_code == 200
        assert web.get("/api/tools").status_code == 200
        for host in ("example.org", "evil.weft.example.org", "weft.example.org.evil", "weft.example.org@evil", ""):
            assert web.get("/api/tools", headers={"Host": host}).status_code == 421, host
        for origin, status in (
            ("https://weft.example.org:443", 404),
            ("http://weft.example.org:443", 404),
            ("https://weft.example.org:444", 403),
            ("https://evil.example", 403),
            ("null", 403),
        ):
            assert web.post("/api/tools/serch", json={}, headers=named | {"Origin": origin}).status_code == status
        assert web.post("/api/tools/serch", json={}, headers={"Origin": "https://127.0.0.1:8765"}).status_code == 403


def test_the_interface_s_own_address_is_a_name(tmp_path: Path) -> None:
    """Where it is one; «any» is none."""
    chosen = settings(tmp_path, auth=Auth(hosts="Weft.lan, weft"))
    assert names_of("192.168.1.5", chosen) == ("weft.lan", "weft", "192.168.1.5")
    assert names_of("0.0.0.0", chosen) == names_of("[::]", chosen) == ("weft.lan", "weft")  # noqa: S104 - not bound


# ---- bounds


def test_a_credential_has_a_rate_of_its_own(tmp_path: Path) -> None:
    """From however many addresses; another's is not touched, and no client's first burst is."""
    first, second = issue(tmp_path, role="reader"), issue(tmp_path, role="reader")
    metrics = Metrics()
    with serving(tmp_path) as held:
        layer = Authenticate(
            PlainTextResponse("here"),
            admission=Admission(held, ("token",)),
            visits=Visits(),
            metrics=metrics,
            bucket=Bucket(rate_per_s=0.5, burst=20),
        )
        slow = TestClient(layer, base_url=BASE)
        answers = [slow.get("/", headers=bearer(first)) for _ in range(24)]
        assert [answer.status_code for answer in answers] == [200] * 20 + [429] * 4
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert answers[-1].json()["error"] == "LIMIT_EXCEEDED"
        assert slow.get("/", headers=bearer(second)).status_code == 200
    assert 'weft_http_refused_total{reason="credential_rate"} 4.0' in metrics.answer().body.decode()
    assert BURST >= 20


def test_a_credential_takes_some_of_the_places_and_never_all(tmp_path: Path) -> None:
    """One agent that asks for everything at once is told to wait, others are answered, and a stream takes no place."""
    first, second = bearer(issue(tmp_path, role="reader")), bearer(issue(tmp_path, role="reader"))
    listening = {"Mcp-Method": "subscriptions/listen", "MCP-Protocol-Version": "2026-07-28"}
    statuses: list[int] = []

    async def main(admission: Admission, metrics: Metrics) -> None:
        inside, leave = anyio.Semaphore(0), anyio.Event()

        async def slow(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - an application's three
            if scope["path"] == "/slow":
                inside.release()
                await leave.wait()
            await PlainTextResponse("here")(scope, receive, send)

        async def wait(web: httpx2.AsyncClient) -> None:
            statuses.append((await web.get("/slow", headers=first)).status_code)

        layer = Authenticate(slow, admission=admission, visits=Visits(), metrics=metrics)
        transport = httpx2.ASGITransport(layer)
        with anyio.fail_after(WAIT_S):
            async with (
                httpx2.AsyncClient(transport=transport, base_url=BASE) as web,
                anyio.create_task_group() as others,
            ):
                for _ in range(REQUESTS_EACH):
                    others.start_soon(wait, web)
                for _ in range(REQUESTS_EACH):
                    await inside.acquire()
                full = await web.get("/", headers=first)
                told = (full.status_code, full.headers["retry-after"], full.json()["error"])
                assert told == (429, "1", "LIMIT_EXCEEDED")
                assert (await web.get("/events", headers=first)).status_code == 200
                assert (await web.post("/mcp", headers=first | listening)).status_code == 200
                assert (await web.post("/api/tools/search", headers=first | listening)).status_code == 429
                assert (await web.get("/", headers=second)).status_code == 200
                leave.set()
            async with httpx2.AsyncClient(transport=transport, base_url=BASE) as web:
                assert (await web.get("/", headers=first)).status_code == 200

    metrics = Metrics()
    with serving(tmp_path) as held:
        anyio.run(main, Admission(held, ("token",)), metrics)
    assert statuses == [200] * REQUESTS_EACH
    assert 'weft_http_refused_total{reason="credential_full"} 2.0' in metrics.answer().body.decode()


def test_each_message_of_a_batch_counts_against_the_credential(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As against its address; another credential's batch is taken from the same address."""
    monkeypatch.setattr(auth, "Bucket", lambda **_: Bucket(burst=60, clock=lambda: 0.0))
    first, second = issue(tmp_path, role="reader"), issue(tmp_path, role="reader")
    pings = [{"jsonrpc": "2.0", "id": number, "method": "ping"} for number in range(50)]
    client = {"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": BATCHED, **client}}
    with serving(tmp_path) as held, visiting(held) as web:

        def sent(credential: str) -> list[int]:
            headers = {"Accept": "application/json, text/event-stream", **bearer(credential)}
            session = web.post("/mcp", json=hello, headers=headers).headers["mcp-session-id"]
            own = {**headers, "Mcp-Session-Id": session}
            return [web.post("/mcp", json=pings, headers=own).status_code for _ in range(2)]

        assert sent(first) == sent(second) == [200, 429]
        assert (
            'weft_http_refused_total{reason="credential_rate"} 2.0' in web.get("/metrics", headers=bearer(first)).text
        )


def test_a_full_server_says_so_and_when_to_come_back() -> None:
    """503 with Retry-After; what probes ask is answered still, and room is given back."""
    inside, leave = threading.Event(), threading.Event()

    async def slow(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - an application's three
        if scope["path"] == "/slow":
            inside.set()
            await anyio.to_thread.run_sync(leave.wait, WAIT_S)
        await PlainTextResponse("here")(scope, receive, send)

    metrics = Metrics()
    guarded = Guard(slow, bucket=Bucket(), requests_max=1, metrics=metrics)
    web = TestClient(guarded, base_url=BASE)
    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(web.get, "/slow")
        assert inside.wait(WAIT_S)
        full = web.get("/api/tools")
        assert (full.status_code, full.headers["retry-after"], full.json()["error"]) == (503, "1", "UNAVAILABLE")
        assert web.get("/healthz").status_code == 200
        leave.set()
        assert waiting.result(WAIT_S).status_code == 200
        assert web.get("/api/tools").status_code == 200
    assert 'weft_http_refused_total{reason="full"} 1.0' in metrics.answer().body.decode()


def test_a_body_that_is_held_back_loses_its_place() -> None:
    """408, and room for others; what arrives in time is read, and waiting for the answer costs nobody the place."""

    async def reading(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - an application's three
        body = await Request(scope, receive).body()
        await PlainTextResponse(body)(scope, receive, send)

    async def asked(*pieces: dict[str, Any]) -> list[dict[str, Any]]:
        sent, left = [], list(pieces)

        async def receive() -> dict[str, Any]:
            if not left:
                await anyio.sleep_forever()
            return left.pop(0)

        async def send(message: Any) -> None:  # noqa: ANN401 - an application's
            sent.append(message)

        headers = [(b"host", b"127.0.0.1")]
        scope = {"type": "http", "method": "POST", "path": "/api/tools/search", "query_string": b"", "headers": headers}
        with anyio.fail_after(WAIT_S):
            await guarded(scope, receive, send)
        return sent

    metrics = Metrics()
    guarded = Guard(reading, bucket=Bucket(), requests_max=1, body_within_s=0.05, metrics=metrics)
    begun = {"type": "http.request", "body": b"{", "more_body": True}
    ended = {"type": "http.request", "body": b"}", "more_body": False}
    for _ in range(2):
        refused = anyio.run(asked, begun)
        assert refused[0]["status"] == 408
        assert json.loads(refused[1]["body"])["error"] == "LIMIT_EXCEEDED"
    answer = anyio.run(asked, begun, ended)
    assert (answer[0]["status"], answer[1]["body"]) == (200, b"{}")
    assert 'weft_http_refused_total{reason="late"} 2.0' in metrics.answer().body.decode()


# ---- counts


def test_what_happened_is_counted_and_no_label_is_a_caller_s_word(tmp_path: Path) -> None:
    """As Prometheus reads it: tools of the table, outcomes, routes, reasons; sessions that are open."""
    credential = issue(tmp_path, actor="Ann-with-a-name", role="contributor")
    with serving(tmp_path, toolsets="all") as held, running(held) as base:

        async def main() -> None:
            async with speaking(base, credential, era="legacy") as client:
                await client.call_tool("capture", {"content": "Secret-content here.", "title": "Title-of-note"})
                await client.call_tool("forget", {"id": "Title-of-note"})
                with pytest.raises(MCPError):
                    await client.call_tool("Tool-of-nobody", {})
                text["open"] = httpx2.get(f"{base}/metrics", headers=bearer(credential), timeout=WAIT_S).text

        text: dict[str, str] = {}
        anyio.run(main)
        httpx2.get(f"{base}/Path-of-somebody", headers=bearer(credential), timeout=WAIT_S)
        httpx2.get(f"{base}/api/tools", headers=bearer("weft_wrong"), timeout=WAIT_S)
        said = httpx2.get(f"{base}/metrics", headers=bearer(credential), timeout=WAIT_S)
    assert said.headers["content-type"].startswith("text/plain")
    samples = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(said.text)
        for sample in family.samples
    }
    assert samples[("weft_calls_total", "capture", "ok")] == 1
    assert samples[("weft_calls_total", "forget", "permission_denied")] == 1
    assert samples[("weft_call_seconds_count", "capture")] == 1
    assert samples[("weft_auth_failures_total", "unknown")] == 1
    assert samples[("weft_http_requests_total", "404", "files")] == 1
    assert samples[("weft_mcp_sessions",)] == 0
    assert "weft_mcp_sessions 1.0" in text["open"]
    assert not re.search("Ann-with|Title-of|Secret-|Tool-of|Path-of|weft_wrong", said.text)
    assert credential not in said.text


def test_a_session_that_nobody_uses_is_not_counted() -> None:
    """As the protocol's own server ends it after half an hour; the sessions that are remembered are bounded."""
    now = [0.0]
    sessions = Sessions(clock=lambda: now[0])
    for number in range(3_000):
        sessions.use(str(number))
    assert sessions.count() == 1_000
    now[0] = SESSION_S - 1
    sessions.use("2999")
    now[0] = SESSION_S + 1
    assert sessions.count() == 1
    sessions.end("2999")
    assert sessions.count() == 0


# ---- the end of a server


SERVE = (
    "import sys\nfrom weft.faces import http\nfrom weft.settings import Settings, Auth\n"
    "from weft.tools.offer import Offer\nchosen = Settings(graph=sys.argv[1], actor='ann', auth=Auth(mode='token'))\n"
    "http.serve(chosen, Offer.of(chosen), port=int(sys.argv[2]))"
)


def test_calls_under_way_are_answered_before_the_server_ends(tmp_path: Path) -> None:
    """What was acknowledged is there, nobody is cut off, and neither a stream nor a session holds it up."""
    credential = issue(tmp_path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    base, graph = f"http://127.0.0.1:{port}", settings(tmp_path).graph
    with (tmp_path / "said").open("w") as said:
        process = subprocess.Popen([sys.executable, "-c", SERVE, graph, str(port)], stderr=said)
    headers, begun = bearer(credential), threading.Barrier(9)

    def capture(number: int) -> str | None:
        with httpx2.Client(headers=headers, timeout=WAIT_S) as web:
            begun.wait(WAIT_S)
            try:
                made = web.post(f"{base}/api/tools/capture", json={"content": f"Under way, number {number}. " * 5})
            except httpx2.TransportError:  # it came too late to be let in
                return None
            return str(made.raise_for_status().json()["id"])

    try:
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            try:
                httpx2.get(f"{base}/readyz", timeout=WAIT_S)
                break
            except httpx2.ConnectError:
                time.sleep(0.02)
        opened = httpx2.post(f"{base}/mcp", json=HELLO, headers=WANTED | headers, timeout=WAIT_S)
        session = WANTED | headers | {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
        with (
            ThreadPoolExecutor(8) as threads,
            httpx2.stream("GET", f"{base}/events", headers=headers, timeout=WAIT_S) as stream,
            httpx2.stream("GET", f"{base}/mcp", headers=session, timeout=WAIT_S) as listening,
        ):
            assert next(stream.iter_lines()).startswith(":")
            assert listening.status_code == 200
            work = [threads.submit(capture, number) for number in range(8)]
            begun.wait(WAIT_S)
            wait(work, WAIT_S, FIRST_COMPLETED)  # the others are on their way, and some of them inside
            process.send_signal(signal.SIGTERM)
            ids = {each.result(WAIT_S) for each in work} - {None}
            process.wait(WAIT_S)  # while stream and session are still held open
    finally:
        process.kill()
        process.wait(WAIT_S)
    with door(tmp_path) as ann:
        kept = ann.graph.store.find(Filter(), Page(limit=9)).nodes
    assert ids
    assert {node.id for node in kept} == ids
    assert [line for line in (tmp_path / "said").read_text().splitlines() if "listening" not in line] == [
        "weft: callers show a token (weft token create makes one)"
    ]
