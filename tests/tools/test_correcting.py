"""Every tool that searches says how it read a misspelt query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from doors import door
from tools.examples import EXAMPLES
from weft.tools.row import Effect
from weft.tools.table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from doors import Door
    from weft.tools.row import Tool

ASKED: Final = ("query", "task", "currentTask")
SEARCHING: Final = [
    (tool, field)
    for tool in TOOLS
    for field in ASKED
    if tool.effect is Effect.READS and field in tool.input_schema["properties"]
]


@pytest.fixture(scope="module")
def ann(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A graph with one note, of each sort that a tool looks for."""
    folder: Path = tmp_path_factory.mktemp("graph")
    with door(folder) as opened:
        opened.call("capture", content="The retry policy doubles the wait after each refusal.", kind="claim")
        yield opened


def test_all_of_them_are_found() -> None:
    """One of each toolset that searches, and two that look for what bears on a task."""
    assert len({tool.toolset for tool, _ in SEARCHING}) >= 5
    assert len(SEARCHING) >= 7


@pytest.mark.parametrize(("tool", "field"), SEARCHING, ids=lambda part: getattr(part, "name", part))
def test_a_slip_is_told_and_a_query_without_one_is_not(ann: Door, tool: Tool, field: str) -> None:
    """Under the same field everywhere, which the tool's output lists."""
    plain = {key: value for key, value in EXAMPLES[tool.name].items() if key in tool.input_schema.get("required", ())}
    told = ann.call(tool.name, **{**plain, field: "retry polciy doubles"})
    assert told["warning"].startswith("No text holds «polciy»: read as «policy».")
    assert "warning" not in ann.call(tool.name, **{**plain, field: "retry policy doubles"})
    assert "warning" in tool.output_schema["properties"]
