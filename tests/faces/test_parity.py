"""One verb, one definition: the same calls on fresh graphs give the same answers over every face."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from typer.testing import CliRunner

import weft
from doors import client, door, serving, settings, text_of, visitor
from engine import copied
from tools.examples import EXAMPLES, furnish
from weft.errors import WeftError
from weft.faces.cli import app
from weft.tools.core import ROWS
from weft.tools.gate import error_answer
from weft.tools.row import Effect
from weft.tools.table import TOOLS, TOOLSETS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from weft import Connection
    from weft.tools.row import Tool

    Calls = tuple[tuple[str, dict[str, Any]], ...]

ONE = "We chose SQLite for the job queue: one file, no server to run."
TWO = "The job queue needs a server of its own, such as Redis."
THREE = "Jobs are retried three times before they are given up."

# Each line is a call and its arguments; together they use every tool of core, succeed and fail.
CALLS: Calls = (
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
SERIES = re.compile(r"\b(?:learned|synthesis)_\d{4}-\d\d-\d\d_\d+\b")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)")
CLIENT = re.compile(r'"client":"[^"]*"')


def alike(answers: Iterable[dict[str, Any]]) -> list[Any]:
    """Return the answers with ids by order of appearance, and without times and the name of the client."""
    text = json.dumps(list(answers), ensure_ascii=False, separators=(",", ":"))
    known: dict[str, str] = {}
    for pattern in (ID, SERIES):
        text = pattern.sub(lambda found: known.setdefault(found[0], f"id-{len(known)}"), text)
    plain: list[Any] = json.loads(CLIENT.sub('"client":""', TIME.sub("then", text)))
    return plain


def over_the_gate(folder: Path, calls: Calls) -> list[dict[str, Any]]:
    """Call the gate itself, as a library would."""
    with door(folder) as ann:
        return [ann.answer(name, arguments) for name, arguments in calls]


def over_mcp(folder: Path, calls: Calls, era: str) -> list[dict[str, Any]]:
    """Call through the SDK's client; the text block is the answer, structured or not."""

    async def main() -> list[dict[str, Any]]:
        with anyio.fail_after(60):
            async with client(held, era=era) as connected:
                return [text_of(await connected.call_tool(name, arguments)) for name, arguments in calls]

    with serving(folder, toolsets="all") as held:
        return anyio.run(main)


def over_http(folder: Path, calls: Calls) -> list[dict[str, Any]]:
    """Call through HTTP."""
    with serving(folder, toolsets="all") as held, visitor(held) as web:
        return [web.post(f"/api/tools/{name}", json=arguments).json() for name, arguments in calls]


def over_the_command_line(folder: Path, calls: Calls) -> list[dict[str, Any]]:
    """Call ``weft call`` once for each line."""
    chosen = settings(folder)
    ahead = ["--graph", chosen.graph, "--actor", chosen.actor, "--hints", chosen.hints]
    runner = CliRunner()
    assert runner.invoke(app, [*ahead, "init"]).exit_code == 0
    answers = []
    for name, arguments in calls:
        run = runner.invoke(app, [*ahead, "call", name, "--json-args", json.dumps(arguments), "--json"])
        answers.append(json.loads(run.stdout))
        assert run.exit_code == (1 if "error" in answers[-1] else 0), run.output
    return answers


def over_python(folder: Path, calls: Calls) -> list[dict[str, Any]]:
    """Call the methods of a connection."""

    def answer(notes: Connection, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            told: dict[str, Any] = getattr(notes, name)(**arguments)
        except WeftError as error:
            return error_answer(name, error)
        return told

    with weft.connect(settings=settings(folder)) as notes:
        return [answer(notes, name, arguments) for name, arguments in calls]


FACES: dict[str, Callable[[Path, Calls], list[dict[str, Any]]]] = {
    "mcp, modern": lambda folder, calls: over_mcp(folder, calls, "auto"),
    "mcp, handshake": lambda folder, calls: over_mcp(folder, calls, "legacy"),
    "http": over_http,
    "command line": over_the_command_line,
    "python": over_python,
}


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the gate answers."""
    return over_the_gate(tmp_path_factory.mktemp("gate"), CALLS)


def test_every_tool_of_core_is_called() -> None:
    """A new row is not forgotten."""
    assert {name for name, _ in CALLS} == {tool.name for tool in ROWS}


def test_the_calls_succeed_and_fail_as_they_should(wanted: list[dict[str, Any]]) -> None:
    """Otherwise equal answers would prove little."""
    failed = [index for index, answer in enumerate(wanted) if "error" in answer]
    assert [CALLS[index][0] for index in failed] == ["capture", "capture", "search", "fetch", "update", "relate"]
    assert wanted[2] == wanted[3]


@pytest.mark.parametrize("face", FACES)
def test_a_face_answers_as_the_gate_does(face: str, tmp_path: Path, wanted: list[dict[str, Any]]) -> None:
    """Field by field, errors too, apart from ids and times."""
    for (name, arguments), answer, expected in zip(
        CALLS, alike(FACES[face](tmp_path, CALLS)), alike(wanted), strict=True
    ):
        assert answer == expected, f"{face}: {name} {arguments}"


def test_a_different_answer_would_be_noticed(wanted: list[dict[str, Any]]) -> None:
    """The twin: ids and times are made alike, anything else is not."""
    assert alike(wanted) != alike([{**answer, "total": -1} for answer in wanted])
    assert alike([{"id": "0190f7a5-0000-7000-8000-000000000001"}]) == alike(
        [{"id": "0190f7a5-0000-7000-8000-000000000002"}]
    )


# ---- every toolset, on a graph that is furnished


ORDER = (Effect.READS, Effect.ADDS, Effect.MERGES, Effect.CHANGES)


def calls_of(toolset: str) -> Calls:
    """Return one call of each tool of ``toolset``: what reads first, what takes something away last."""
    rows: list[Tool] = [tool for tool in TOOLS if tool.toolset == toolset]
    ranked = sorted(rows, key=lambda tool: ORDER.index(tool.effect))
    return tuple((tool.name, {**EXAMPLES.get(tool.name, {}), "session": "parity"}) for tool in ranked)


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a furnished graph, to be copied."""
    folder = tmp_path_factory.mktemp("furnished")
    with door(folder) as ann:
        furnish(ann.graph)
    return folder


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory, furnished: Path) -> dict[str, list[Any]]:
    """What the gate answers to the calls of each toolset, on a copy of its own."""
    answers = {}
    for toolset in TOOLSETS:
        own = copied(furnished, tmp_path_factory.mktemp(toolset) / "graph")
        answers[toolset] = over_the_gate(own, calls_of(toolset))
    return answers


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_has_an_example_that_succeeds(tool: Tool, expected: dict[str, list[Any]]) -> None:
    """Equal errors would prove little."""
    assert tool.name in EXAMPLES, "give it one in tests/tools/examples.py"
    names = [name for name, _ in calls_of(tool.toolset)]
    answer = expected[tool.toolset][names.index(tool.name)]
    assert "error" not in answer, answer


def test_no_example_is_left_of_a_tool_that_is_gone() -> None:
    """Examples are of tools that exist."""
    assert set(EXAMPLES) <= {tool.name for tool in TOOLS}


@pytest.mark.parametrize("toolset", TOOLSETS)
@pytest.mark.parametrize("face", FACES)
def test_a_face_answers_every_tool_of_every_toolset_as_the_gate_does(
    face: str, toolset: str, tmp_path: Path, furnished: Path, expected: dict[str, list[Any]]
) -> None:
    """Same call, same history: equal answers, apart from ids and times."""
    own = copied(furnished, tmp_path / "graph")
    calls = calls_of(toolset)
    answers = zip(calls, alike(FACES[face](own, calls)), alike(expected[toolset]), strict=True)
    for (name, arguments), answer, wanted in answers:
        assert answer == wanted, f"{face}: {name} {arguments}"
        assert dumped(answer) == dumped(wanted), f"{face}: {name}: fields in another order"


def dumped(answer: Any) -> bytes:  # noqa: ANN401 - a tool's answer
    """Return the answer as bytes, its fields in the order in which they came."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()
