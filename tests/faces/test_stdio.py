"""``weft serve`` as a process: only protocol on standard output, both eras, a prompt start and a prompt end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from mcp_types import INVALID_REQUEST, PARSE_ERROR

from doors import door
from engine import graph_at
from weft.errors import InvalidArgument
from weft.faces import stdio
from weft.faces.messages import BATCHED, MESSAGES_MAX
from weft.settings import Settings
from weft.tools.offer import Offer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Greeted = Callable[[str], tuple["Session", dict[str, Any]]]

SERVE = """
import sys
from weft.faces import mcp, serving, stdio
from weft.settings import Settings
from weft.tools.offer import Offer
{before}
settings = Settings(graph=sys.argv[1], actor="ann")
stdio.serve(settings, Offer.of(settings), protocol=sys.argv[2])
"""
WAIT_S = 60
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
PATIENT = f"from weft.faces import wire; wire.ANSWER_WITHIN_S = {WAIT_S}"
"""A busy machine may take longer to answer than a client waits."""
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
LIST = {"jsonrpc": "2.0", "method": "tools/list", "params": {"_meta": ENVELOPE}}
METHOD_NOT_FOUND, UNSUPPORTED = -32601, -32022


class Session:
    """One client over the pipes of a server; every line that comes back is kept, and must be JSON-RPC."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[dict[str, Any]] = []
        self._number = 0

    def ask(self, method: str, *, modern: bool = True, **params: object) -> dict[str, Any]:
        """Send a request and return its answer."""
        self._number += 1
        body = {**params, **({"_meta": ENVELOPE} if modern else {})}
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": body})
        return self.answer_to(self._number)

    def send(self, message: dict[str, Any]) -> None:
        """Write one message."""
        self.write(json.dumps(message))

    def write(self, line: str) -> None:
        """Write one line, whatever it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """Read one message."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server ended"
        self.lines.append(json.loads(line))
        assert self.lines[-1]["jsonrpc"] == "2.0"
        return self.lines[-1]

    def answer_to(self, number: object) -> dict[str, Any]:
        """Read until the answer of request ``number``; None is one whose request could not be made out."""
        while True:
            said = self.read()
            if "method" not in said and said["id"] == number:
                return said

    def close(self) -> float:
        """Close standard input and return the seconds until the process ended."""
        assert self.process.stdin is not None
        start = time.monotonic()
        self.process.stdin.close()
        self.process.wait(WAIT_S)
        return time.monotonic() - start


@contextmanager
def session(graph: Path, *, protocol: str = "auto", before: str = "") -> Iterator[Session]:
    """Start a server on ``graph``; ``before`` is code that runs in it first."""
    command = [sys.executable, "-c", SERVE.format(before=before), graph_at(graph), protocol]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Session(process)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A client of the modern era for tests that leave its server as it was, and read all that it answers."""
    with session(tmp_path_factory.mktemp("standing") / "notes.db") as client:
        yield client


@pytest.fixture(scope="module")
def greeted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Greeted]:
    """Gives a client that shook hands in an older version, and what it was told; there is one for each version."""
    with ExitStack() as opened:

        @cache
        def client(version: str) -> tuple[Session, dict[str, Any]]:
            made = opened.enter_context(session(tmp_path_factory.mktemp("greeted") / "notes.db"))
            told = made.ask("initialize", modern=False, **{**HELLO, "protocolVersion": version})["result"]
            made.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            return made, told

        yield client


def test_one_process_speaks_the_modern_era(tmp_path: Path) -> None:
    """No handshake: discover, list, call, and an older handshake afterwards is refused as the specification says."""
    with session(tmp_path / "notes.db") as client:
        told = client.ask("server/discover")["result"]
        assert "2026-07-28" in told["supportedVersions"]
        assert told["ttlMs"] > 0
        assert len(client.ask("tools/list")["result"]["tools"]) == 14
        made = client.ask("tools/call", name="capture", arguments={"content": "It works over pipes."})["result"]
        assert made["structuredContent"]["id"]
        assert client.ask("initialize", modern=False, **HELLO)["error"]["code"] == UNSUPPORTED
        assert client.close() < 5
        assert client.process.returncode == 0


@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
def test_the_same_process_speaks_every_older_handshake(greeted: Greeted, version: str) -> None:
    """The client's version is taken up, and tools work the same."""
    client, told = greeted(version)
    assert told["protocolVersion"] == version
    assert len(client.ask("tools/list", modern=False)["result"]["tools"]) == 14
    found = client.ask("tools/call", modern=False, name="search", arguments={"query": "x"})["result"]
    assert json.loads(found["content"][0]["text"])["total"] == 0


def test_legacy_only_sends_a_modern_client_back_to_the_handshake(tmp_path: Path) -> None:
    """``--protocol legacy``: discover is unknown, and the handshake works on the same pipe."""
    with session(tmp_path / "notes.db", protocol="legacy") as client:
        assert client.ask("server/discover")["error"]["code"] == METHOD_NOT_FOUND
        assert "result" in client.ask("initialize", modern=False, **HELLO)
        assert client.close() < 5


def test_an_unknown_protocol_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    """The message lists what there is."""
    settings = Settings(graph=str(tmp_path / "x.db"), actor="ann")
    with pytest.raises(InvalidArgument, match="auto, legacy"):
        stdio.serve(settings, Offer.of(settings), protocol="modern")


def test_stray_prints_never_reach_the_protocol(tmp_path: Path) -> None:
    """Python's print, a library's write to the descriptor and a child process: all of it goes to standard error."""
    noise = (
        "import os, subprocess\n"
        "real = serving.Serving.graph\n"
        "def loud(self):\n"
        "    print('stray print'); os.write(1, b'stray write\\n'); subprocess.run(['echo', 'stray child'])\n"
        "    sys.stdout.flush()\n"
        "    return real(self)\n"
        "serving.Serving.graph = loud\n"
    )
    with session(tmp_path / "notes.db", before=noise) as client:
        assert "result" in client.ask("tools/call", name="status", arguments={})
        assert len(client.lines) == 1
        client.close()
        assert client.process.stderr is not None
        said = client.process.stderr.read()
        assert all(f"stray {word}" in said for word in ("print", "write", "child"))


@pytest.mark.files_only("tests/postgres/test_away.py")
def test_starting_opens_nothing(tmp_path: Path) -> None:
    """Neither the graph nor its folder is made before the first call asks for it."""
    with session(tmp_path / "deep" / "notes.db") as client:
        client.ask("server/discover")
        client.ask("tools/list")
        time.sleep(0.2)
        assert not (tmp_path / "deep").exists()
        client.ask("tools/call", name="status", arguments={})
        assert (tmp_path / "deep" / "notes.db").exists()


def test_the_first_answer_needs_neither_table_nor_graph_nor_model(tmp_path: Path) -> None:
    """What is loaded before the first answer does not grow with the product."""
    watch = (
        "import anyio\n"
        "real = mcp._Face.notice\n"
        "async def told(self, ctx, call_next):\n"
        "    answer = await real(self, ctx, call_next)\n"
        "    heavy = {'weft.graph', 'weft.model', 'numpy', 'apsw', 'onnxruntime', 'weft.tools.core.arguments'}\n"
        "    print(ctx.method, sorted(heavy & set(sys.modules)), file=sys.stderr, flush=True)\n"
        "    return answer\n"
        "mcp._Face.notice = told\n"
    )
    with session(tmp_path / "notes.db", before=watch) as client:
        client.ask("server/discover")
        client.close()
        assert client.process.stderr is not None
        assert "server/discover []" in client.process.stderr.read()


def test_a_server_ends_soon_after_its_input(tmp_path: Path) -> None:
    """Also while a call is still running: it is given up, and nothing half-written stays."""
    slow = (
        "import time\n"
        "real = serving.Serving.graph\n"
        "def slowly(self):\n"
        "    graph = real(self)\n"
        f"    open({str(tmp_path / 'open')!r}, 'w').close()\n"
        "    time.sleep(30)\n"
        "    return graph\n"
        "serving.Serving.graph = slowly\n"
    )
    with session(tmp_path / "notes.db", before=slow) as client:
        client.ask("server/discover")
        request = {"name": "capture", "arguments": {"content": "Never written."}, "_meta": ENVELOPE}
        client.send({"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": request})
        patience = time.monotonic() + 20
        while not (tmp_path / "open").exists() and time.monotonic() < patience:
            time.sleep(0.01)
        assert client.close() < 5
    with door(tmp_path) as ann:
        assert ann.graph.store.counts().nodes == 0


def test_an_interrupt_ends_a_waiting_server(tmp_path: Path) -> None:
    """130, as of a program that was interrupted, though standard input is still open."""
    with session(tmp_path / "notes.db") as client:
        client.ask("server/discover")
        client.process.send_signal(signal.SIGINT)
        assert client.process.wait(5) == 130


def test_a_cancelled_call_is_not_answered_and_the_next_one_is(tmp_path: Path) -> None:
    """Over pipes, cancelling is a notification."""
    slow = (
        "import time\n"
        "real = serving.Serving.call\n"
        "def slowly(self, name, *given, **more):\n"
        "    if name == 'search':\n"
        "        time.sleep(3)\n"
        "    return real(self, name, *given, **more)\n"
        "serving.Serving.call = slowly\n"
    )
    with session(tmp_path / "notes.db", before=slow) as client:
        client.ask("server/discover")
        request = {"name": "search", "arguments": {"query": "x"}, "_meta": ENVELOPE}
        client.send({"jsonrpc": "2.0", "id": 50, "method": "tools/call", "params": request})
        client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 50}})
        assert "result" in client.ask("tools/call", name="status", arguments={})
        assert not any(line.get("id") == 50 for line in client.lines)


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        ("{nonsense", None, PARSE_ERROR),
        ('{"jsonrpc":"2.0","id":7,"method":"tools/list","x":"\\ud800"}', 7, PARSE_ERROR),
        (
            '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":' + "[" * 50_000 + "]" * 50_000 + "}",
            None,
            PARSE_ERROR,
        ),
        ('{"jsonrpc":"2.0","id":"a","method":"tools/list","params":[1]}', "a", INVALID_REQUEST),
        ('{"id":7,"method":"tools/list"}', 7, INVALID_REQUEST),
        ('[{"jsonrpc":"2.0","id":7,"method":"tools/list"}]', None, INVALID_REQUEST),
        ("42", None, INVALID_REQUEST),
        ('{"jsonrpc":"2.0","id":null,"method":"tools/list"}', None, INVALID_REQUEST),
        ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, INVALID_REQUEST),
        ('{"jsonrpc":"2.0","method":"tools/list"}', None, INVALID_REQUEST),
    ],
)
def test_a_line_that_is_no_message_is_refused_under_its_id(
    standing: Session, line: str, number: object, code: int
) -> None:
    """Its sender does not wait for ever, and the next message is served."""
    standing.write(line)
    refused = standing.answer_to(number)
    assert refused["error"]["code"] == code
    assert len(refused["error"]["message"]) < 300
    assert "result" in standing.ask("server/discover")


def _ping(number: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "ping"}


def _answers(client: Session) -> Any:  # noqa: ANN401 - one message, or a list of them
    assert client.process.stdout is not None
    return json.loads(client.process.stdout.readline())


def test_a_batch_is_answered_as_one_by_the_version_that_has_them(greeted: Greeted) -> None:
    """2025-03-26: a list of answers, one a request, refusals among them; notifications alone are not answered."""
    client, _ = greeted(BATCHED)
    client.write(json.dumps([{"jsonrpc": "2.0", "method": "notifications/initialized"}]))
    status = {"jsonrpc": "2.0", "id": 11, "method": "tools/call", "params": {"name": "status", "arguments": {}}}
    client.write(json.dumps([_ping("a"), status, 5, _ping(1.5), {**_ping(12), "method": "nothing"}, _ping("a")]))
    answers = _answers(client)
    assert sorted(str(each["id"]) for each in answers) == ["11", "12", "None", "None", "a", "a"]
    assert {each["id"] for each in answers if "result" in each} == {"a", 11}
    client.write(json.dumps([_ping(20 + number) for number in range(MESSAGES_MAX)]))
    assert len(_answers(client)) == MESSAGES_MAX
    assert "result" in client.ask("tools/list", modern=False)


@pytest.mark.parametrize("count", [0, MESSAGES_MAX + 1])
def test_a_batch_of_nothing_or_of_too_much_is_refused_as_a_whole(greeted: Greeted, count: int) -> None:
    """One refusal, with the bounds in it."""
    client, _ = greeted(BATCHED)
    client.write(json.dumps([_ping(number) for number in range(count)]))
    refused = client.answer_to(None)["error"]
    assert refused["code"] == INVALID_REQUEST
    assert f"1 to {MESSAGES_MAX}" in refused["message"]


@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2024-11-05"])
def test_other_versions_have_no_batches(greeted: Greeted, version: str) -> None:
    """The refusal says who may send one and what to do, and nothing in it is done."""
    client, _ = greeted(version)
    client.write(json.dumps([_ping("batched")]))
    assert "send each message by itself" in client.answer_to(None)["error"]["message"]
    client.ask("ping", modern=False)
    assert "batched" not in [line["id"] for line in client.lines]


def test_a_batch_does_not_wait_for_what_was_given_up(tmp_path: Path) -> None:
    """A cancelled request has no answer, and at the end of input a slow one holds the others up no longer."""
    slow = (
        "import time\n"
        "real = serving.Serving.call\n"
        "def slowly(self, name, arguments, *more, **others):\n"
        "    time.sleep(5 if name == 'search' else 0)\n"
        "    return real(self, name, arguments, *more, **others)\n"
        "serving.Serving.call = slowly\n"
    )
    search = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "search", "arguments": {"query": "x"}}}
    with session(tmp_path / "notes.db", before=slow) as client:
        client.ask("initialize", modern=False, **{**HELLO, "protocolVersion": BATCHED})
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 50}}
        client.write(json.dumps([_ping(51), {**search, "id": 50}, cancel]))
        assert [each["id"] for each in _answers(client)] == [51]
        client.write(json.dumps([_ping(61), {**search, "id": 60}]))
        client.close()
        assert [each["id"] for each in _answers(client)] == [61]


def test_an_empty_line_is_passed_over(standing: Session) -> None:
    """Some clients end their lines twice."""
    before = len(standing.lines)
    standing.write("\n  \r")
    assert "result" in standing.ask("server/discover")
    assert len(standing.lines) == before + 1


def test_what_is_asked_before_the_end_of_input_is_answered(tmp_path: Path) -> None:
    """A request can be piped in: the end of input does not take its answer away."""
    with session(tmp_path / "notes.db", before=PATIENT) as client:
        client.ask("server/discover")
        request = {"name": "status", "arguments": {}, "_meta": ENVELOPE}
        client.send({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": ENVELOPE}})
        client.send({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": request})
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.stdout is not None
        answers = {answer["id"]: answer for answer in map(json.loads, client.process.stdout)}
        assert "result" in answers[2]
        assert "result" in answers[3]
        assert client.process.wait(WAIT_S) == 0


def test_half_a_request_is_refused_and_does_nothing(tmp_path: Path) -> None:
    """A client that died while it wrote."""
    with session(tmp_path / "notes.db") as client:
        client.ask("server/discover")
        assert client.process.stdin is not None
        client.process.stdin.write('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"capture"')
        client.process.stdin.close()
        assert client.answer_to(None)["error"]["code"] == PARSE_ERROR
        assert client.process.wait(20) == 0
    assert not (tmp_path / "notes.db").exists()
    with door(tmp_path) as ann:
        assert ann.graph.store.counts().nodes == 0


def test_a_listener_does_not_hold_up_the_end(tmp_path: Path) -> None:
    """A stream of changes has no answer to wait for."""
    with session(tmp_path / "notes.db", before=PATIENT) as client:
        client.ask("server/discover")
        params = {"notifications": {"resourcesListChanged": True, "toolsListChanged": True}, "_meta": ENVELOPE}
        client.send({"jsonrpc": "2.0", "id": 8, "method": "subscriptions/listen", "params": params})
        agreed = client.read()
        assert agreed["method"] == "notifications/subscriptions/acknowledged"
        assert agreed["params"]["notifications"] == {"resourcesListChanged": True}
        assert client.close() < WAIT_S / 2


@pytest.mark.parametrize("stays", [True, False])
def test_a_client_that_stops_reading_is_no_fault_of_ours(tmp_path: Path, *, stays: bool) -> None:
    """The server ends without a word, whether or not its input is still open."""
    with session(tmp_path / "notes.db") as client:
        client.ask("server/discover")
        assert client.process.stdout is not None
        client.process.stdout.close()
        request = {"name": "status", "arguments": {}, "_meta": ENVELOPE}
        client.send({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": request})
        if not stays:
            client.close()
        assert client.process.wait(20) == 0
        assert client.process.stderr is not None
        assert client.process.stderr.read() == ""


@pytest.mark.parametrize(("line", "times"), [(json.dumps({**LIST, "id": 5}), 300), ("{nonsense", 800)])
def test_a_client_that_leaves_with_a_full_pipe_unread_is_not_waited_for(tmp_path: Path, line: str, times: int) -> None:
    """Though it holds the pipe open: answers and refusals that it never takes end the server within its bounds."""
    with session(tmp_path / "notes.db") as client:
        client.ask("server/discover")
        for _ in range(times):  # more than a pipe holds; requests fill both pipes
            client.write(line)
        assert client.close() < WAIT_S / 2
        assert client.process.returncode == 0


@pytest.mark.parametrize(
    ("closed", "said"), [("<&-", "input"), (">&-", "output"), ("<&- >&-", "input and standard output")]
)
def test_a_server_that_nobody_can_reach_says_so(tmp_path: Path, closed: str, said: str) -> None:
    """One sentence and what to do, on standard error, with the code of an error; over HTTP neither is needed."""
    serve = f"exec {sys.executable} -m weft --graph {tmp_path / 'notes.db'} serve {closed}"
    ended = subprocess.run(
        ["/bin/sh", "-c", serve], stdin=subprocess.PIPE, capture_output=True, text=True, timeout=WAIT_S, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"weft: standard {said}: closed; ")
    assert "serve --http" in ended.stderr
    assert len(ended.stderr.splitlines()) == 2


def test_a_server_may_have_nowhere_to_complain(tmp_path: Path) -> None:
    """Standard error is no part of the protocol."""
    serve = f"exec {sys.executable} -m weft --graph {tmp_path / 'notes.db'} serve 2>&-"
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    ended = subprocess.run(
        ["/bin/sh", "-c", serve], input=ping, capture_output=True, text=True, timeout=WAIT_S, check=True
    )
    assert json.loads(ended.stdout)["result"] == {}
