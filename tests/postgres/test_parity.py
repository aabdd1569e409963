"""One verb, one definition, on PostgreSQL: the same answers over every face, and the same as of a graph in a file."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from doors import door, settings
from faces.test_parity import (
    CALLS,
    alike,
    calls_of,
    expected,
    furnished,
    test_a_face_answers_as_the_gate_does,
    test_a_face_answers_every_tool_of_every_toolset_as_the_gate_does,
    test_the_calls_succeed_and_fail_as_they_should,
    wanted,
)
from postgres.test_same_answers import differences
from tools.examples import furnish
from weft.tools.table import TOOLSETS

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "expected",
    "furnished",
    "test_a_face_answers_as_the_gate_does",
    "test_a_face_answers_every_tool_of_every_toolset_as_the_gate_does",
    "test_the_calls_succeed_and_fail_as_they_should",
    "wanted",
]

pytestmark = pytest.mark.usefixtures("in_a_database")

_ITS_OWN = (".health.engine: PostgreSQL ", ".health.schema: ")


def unlike(answer: object, of_file: object) -> list[str]:
    """Return where two answers differ, besides the name of the engine and the number of its schema."""
    return [each for each in differences(answer, of_file) if not each.startswith(_ITS_OWN)]


def of_a_file(folder: Path, calls: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - names and arguments
    """Return what the gate answers where the graph lies in a file."""
    with door(folder, graph=str(folder / "notes.db")) as ann:
        return [ann.answer(name, arguments) for name, arguments in calls]


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a furnished graph in a file, to be copied."""
    folder = tmp_path_factory.mktemp("filed")
    with door(folder, graph=str(folder / "notes.db")) as ann:
        furnish(ann.graph)
    return folder


def test_the_graph_lies_in_a_database(tmp_path: Path) -> None:
    """Otherwise these would be the tests of the file once more."""
    assert settings(tmp_path).graph.startswith("postgresql://")


def test_a_history_is_answered_as_of_a_file(wanted: list[dict[str, Any]], tmp_path: Path) -> None:
    """Every tool of core, succeeding and failing, from an empty graph on."""
    for (name, arguments), answer, of_file in zip(CALLS, alike(wanted), alike(of_a_file(tmp_path, CALLS)), strict=True):
        assert unlike(answer, of_file) == [], (name, arguments)


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_every_tool_of_every_toolset_answers_as_of_a_file(
    toolset: str, expected: dict[str, list[Any]], filed: Path, tmp_path: Path
) -> None:
    """The same call after the same history, field by field, apart from ids and times."""
    calls, own = calls_of(toolset), shutil.copytree(filed, tmp_path / "filed")
    for (name, arguments), answer, of_file in zip(
        calls, alike(expected[toolset]), alike(of_a_file(own, calls)), strict=True
    ):
        assert unlike(answer, of_file) == [], (name, arguments)
