"""One verb, one definition: the same calls on fresh graphs give the same answers over every face."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from typer.testing import CliRunner

from doors import client, door, serving, settings, text_of, visitor
from weft.faces.cli import app
from weft.tools.table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

ONE = "We chose SQLite for the job queue: one file, no server to run."
TWO = "The job queue needs a server of its own, such as Redis."
THREE = "Jobs are retried three times before they are given up."

# Each line is a call and its arguments; together they use every tool, succeed and fail.
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("status", {}),
    ("capture", {"content": ONE, "title": "Queue on SQLite", "kind": "decision", "tags": ["queue"], "session": "s"}),
    ("capture", {"content": TWO, "title": "Queue on Redis", "ontology": "rivals", "idempotency_key": "k"}),
    ("capture", {"content": TWO, "title": "Queue on Redis", "ontology": "rivals", "idempotency_key": "k"}),
    ("capture", {"content": THREE, "relations": [{"type": "RELATED_TO", "target": "Queue on SQLite"}]}),
    ("capture", {"content": " "}),
    ("capture", {"content": "x", "kind": "nonsense"}),
    ("search", {"query": "job queue"}),
    ("search", {"query": "job queue", "detail": "detailed", "limit": 1, "offset": 1}),
    ("search", {"query": "job", "mode": "keyword", "tags": ["queue"]}),
    ("search", {"query": "x", "limt": 1}),
    ("fetch", {"id": "Queue on SQLite", "detail": "detailed", "depth": 2}),
    ("fetch", {"id": "nowhere"}),
    ("update", {"id": "Queue on SQLite", "importance": 0.9, "references": ["src/queue.py"]}),
    ("update", {"id": "Queue on SQLite", "importance": 0.1, "if_version": 1}),
    ("relate", {"source": "Queue on SQLite", "target": "Queue on Redis", "type": "contradicts", "reasoning": "Or."}),
    ("relate", {"source": "Queue on SQLite", "target": "Queue on SQLite", "type": "uses", "reasoning": "No."}),
    ("trace", {"start": "Queue on Redis", "end": "Queue on SQLite"}),
    ("challenge", {"claim": "The job queue runs without a server."}),
    ("bridge", {"ontology1": "notes", "ontology2": "rivals"}),
    ("synthesize", {"label": "Queues", "bridges": ["Queue on SQLite", "Queue on Redis"], "evidence": "Two queues."}),
    ("context", {"task": "replace the job queue", "current_file": "src/queue.py"}),
    ("review", {"limit": 5}),
    ("review", {"decide": [{"item": "nothing-here", "decision": "accept"}]}),
    ("unrelate", {"source": "Queue on SQLite", "target": "Queue on Redis", "type": "contradicts"}),
    ("forget", {"id": "Queue on Redis"}),
    ("forget", {"id": "Queue on Redis", "confirm": True, "reason": "Decided."}),
    ("status", {"detail": "detailed"}),
)

ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)")
CLIENT = re.compile(r'"client":"[^"]*"')


def alike(answers: Iterable[dict[str, Any]]) -> list[Any]:
    """Return the answers with ids by order of appearance, and without times and the name of the client."""
    text = json.dumps(list(answers), ensure_ascii=False, separators=(",", ":"))
    known: dict[str, str] = {}
    text = ID.sub(lambda found: known.setdefault(found[0], f"id-{len(known)}"), text)
    plain: list[Any] = json.loads(CLIENT.sub('"client":""', TIME.sub("then", text)))
    return plain


def over_the_gate(folder: Path) -> list[dict[str, Any]]:
    """Call the gate itself, as a library would."""
    with door(folder) as ann:
        return [ann.answer(name, arguments) for name, arguments in CALLS]


def over_mcp(folder: Path, era: str) -> list[dict[str, Any]]:
    """Call through the SDK's client; the text block is the answer, structured or not."""

    async def main() -> list[dict[str, Any]]:
        with anyio.fail_after(60):
            async with client(held, era=era) as connected:
                return [text_of(await connected.call_tool(name, arguments)) for name, arguments in CALLS]

    with serving(folder) as held:
        return anyio.run(main)


def over_http(folder: Path) -> list[dict[str, Any]]:
    """Call through HTTP."""
    with serving(folder) as held, visitor(held) as web:
        return [web.post(f"/api/tools/{name}", json=arguments).json() for name, arguments in CALLS]


def over_the_command_line(folder: Path) -> list[dict[str, Any]]:
    """Call ``weft call`` once for each line."""
    chosen = settings(folder)
    ahead = ["--graph", chosen.graph, "--actor", chosen.actor, "--hints", chosen.hints]
    runner = CliRunner()
    assert runner.invoke(app, [*ahead, "init"]).exit_code == 0
    answers = []
    for name, arguments in CALLS:
        run = runner.invoke(app, [*ahead, "call", name, "--json-args", json.dumps(arguments), "--json"])
        answers.append(json.loads(run.stdout))
        assert run.exit_code == (1 if "error" in answers[-1] else 0), run.output
    return answers


FACES: dict[str, Callable[[Path], list[dict[str, Any]]]] = {
    "mcp, modern": lambda folder: over_mcp(folder, "auto"),
    "mcp, handshake": lambda folder: over_mcp(folder, "legacy"),
    "http": over_http,
    "command line": over_the_command_line,
}


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the gate answers."""
    return over_the_gate(tmp_path_factory.mktemp("gate"))


def test_every_tool_is_called() -> None:
    """A new row is not forgotten."""
    assert {name for name, _ in CALLS} == {tool.name for tool in TOOLS}


def test_the_calls_succeed_and_fail_as_they_should(wanted: list[dict[str, Any]]) -> None:
    """Otherwise equal answers would prove little."""
    failed = [index for index, answer in enumerate(wanted) if "error" in answer]
    assert [CALLS[index][0] for index in failed] == ["capture", "capture", "search", "fetch", "update", "relate"]
    assert wanted[2] == wanted[3]


@pytest.mark.parametrize("face", FACES)
def test_a_face_answers_as_the_gate_does(face: str, tmp_path: Path, wanted: list[dict[str, Any]]) -> None:
    """Field by field, errors too, apart from ids and times."""
    for (name, arguments), answer, expected in zip(CALLS, alike(FACES[face](tmp_path)), alike(wanted), strict=True):
        assert answer == expected, f"{face}: {name} {arguments}"


def test_a_different_answer_would_be_noticed(wanted: list[dict[str, Any]]) -> None:
    """The twin: ids and times are made alike, anything else is not."""
    assert alike(wanted) != alike([{**answer, "total": -1} for answer in wanted])
    assert alike([{"id": "0190f7a5-0000-7000-8000-000000000001"}]) == alike(
        [{"id": "0190f7a5-0000-7000-8000-000000000002"}]
    )
