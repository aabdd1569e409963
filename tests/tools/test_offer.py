"""What a server offers is chosen at its start, by flags and by role, and by nothing else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from weft.errors import InvalidArgument, NotFound
from weft.settings import Settings
from weft.tools.offer import Offer
from weft.tools.row import TIERS
from weft.tools.table import TOOLS, select, tool_named

ANN = Settings(actor="ann")


def test_core_is_the_default() -> None:
    """Fourteen tools for a curator."""
    assert len(Offer.of(ANN).tools) == 14


def test_read_only_drops_every_tool_that_can_write() -> None:
    """Chosen or single, read-only wins."""
    offer = Offer.of(ANN, tools="capture", read_only=True)
    assert "capture" not in offer.names
    assert {tool.name for tool in offer.chosen if tool.effect.writes} == set()
    assert {"search", "fetch", "status"} <= offer.names


def test_single_tools_come_on_top_in_the_tables_order() -> None:
    """The order of the list does not depend on the order of the flags."""
    assert [tool.name for tool in select((), ("status", "capture"))] == ["capture", "status"]
    assert select(("core",), ("status",)) == select(("core",))


@pytest.mark.parametrize(
    ("words", "valid"), [({"toolsets": "core,sillyness"}, r"core, .*all"), ({"tools": "serch"}, "capture, search")]
)
def test_an_unknown_name_fails_with_the_valid_list(words: dict[str, str], valid: str) -> None:
    """A typing error does not start a server with less than was meant."""
    with pytest.raises(InvalidArgument, match=valid):
        Offer.of(ANN, **words)


def test_nothing_left_to_serve_is_refused() -> None:
    """A server without tools helps nobody."""
    with pytest.raises(InvalidArgument, match="nothing"):
        Offer.of(ANN, toolsets="", tools="capture", read_only=True)


@pytest.mark.parametrize("role", TIERS)
def test_a_role_is_shown_what_it_reaches(role: str) -> None:
    """Every tool and role has an answer; what is out of reach is chosen all the same, to be refused by name."""
    offer = Offer.of(Settings(actor="ann", role=role), toolsets="all")
    assert offer.names == {tool.name for tool in TOOLS if TIERS.index(tool.needs) <= TIERS.index(role)}
    assert {tool.name for tool in offer.chosen} == {tool.name for tool in TOOLS}


def test_an_unknown_tool_is_not_found_and_the_nearest_is_named() -> None:
    """The same words on every face."""
    with pytest.raises(NotFound, match="the nearest are search"):
        tool_named("serch")


def test_choosing_loads_neither_the_model_nor_pydantic_nor_the_graph() -> None:
    """Start-up is a promise: rows are data, the rest is loaded when a tool is listed or called."""
    code = (
        "import sys; from weft.settings import Settings; from weft.tools.gate import Offer; "
        "Offer.of(Settings(actor='ann')).instructions; "
        "print(sorted({'pydantic', 'weft.model', 'weft.graph', 'numpy', 'apsw', 'onnxruntime'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "[]"
