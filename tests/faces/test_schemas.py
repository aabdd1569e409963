"""What tools/list shows: small, closed, described, bounded, and not changed by accident."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from weft.model import Tier
from weft.settings import Settings
from weft.tools.core import ROWS
from weft.tools.offer import INSTRUCTIONS_MAX, Offer
from weft.tools.row import TIERS, Tool
from weft.tools.schema import PLAIN
from weft.tools.table import TOOLS, USAGE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]

CORE = [
    *("capture", "search", "fetch", "update", "forget", "relate", "unrelate", "trace"),
    *("challenge", "bridge", "synthesize", "context", "review", "status"),
]
CORE_LEAN_MAX, CORE_MAX = 12_000, 20_000
ALL_LEAN_MAX, ALL_MAX = 60_000, 90_000

# Directories of clients treat orders in a description as an attack on the model.
ORDERS = re.compile(
    r"\b(must|always|never|required to|do not|don't|important|first call|before calling|ignore)\b", re.IGNORECASE
)


def compact(value: object) -> bytes:
    """Return ``value`` as the bytes of compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def parts_of(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every property of ``schema``, nested ones too, with its path."""
    for name, part in schema.get("properties", {}).items():
        yield f"{path}{name}", part
        yield from parts_of(part, f"{path}{name}.")
        yield from parts_of(part.get("items", {}), f"{path}{name}[].")


def test_core_is_the_fourteen_tools_in_their_order() -> None:
    """The product's own vocabulary, no more and no less."""
    assert [tool.name for tool in ROWS] == CORE


def test_the_core_list_stays_small() -> None:
    """What every agent reads at the start: at most 12 KB without answers' schemas, 20 KB with them."""
    lean = len(compact({"tools": [tool.listing(output=False) for tool in ROWS]}))
    whole = len(compact({"tools": [tool.listing() for tool in ROWS]}))
    assert lean <= CORE_LEAN_MAX, lean
    assert whole <= CORE_MAX, whole


def test_the_list_of_all_toolsets_stays_small() -> None:
    """Who serves everything reads at most 60 KB without answers' schemas, 90 KB with them."""
    lean = len(compact({"tools": [tool.listing(output=False) for tool in TOOLS]}))
    whole = len(compact({"tools": [tool.listing() for tool in TOOLS]}))
    assert lean <= ALL_LEAN_MAX, lean
    assert whole <= ALL_MAX, whole


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_schema_is_valid_closed_and_without_references(tool: Tool) -> None:
    """JSON Schema 2020-12, nothing to fetch or to look up, no titles of pydantic's."""
    for schema in (tool.input_schema, tool.listing()["inputSchema"], tool.output_schema):
        Draft202012Validator.check_schema(schema)
        assert "$ref" not in json.dumps(schema)
        assert "$defs" not in json.dumps(schema)
    assert tool.input_schema["additionalProperties"] is False
    assert not any("title" in part and isinstance(part["title"], str) for _, part in parts_of(tool.input_schema))


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_argument_is_described_and_bounded(tool: Tool) -> None:
    """Texts have a length, lists a size, numbers both ends; enumerations and truth values bound themselves."""
    for path, part in parts_of(tool.input_schema):
        assert part.get("description"), f"{tool.name}.{path} has no description"
        for leaf in (part, part.get("items", {})):
            if leaf.get("type") == "string" and leaf.get("format") != "date-time":
                assert "maxLength" in leaf or "enum" in leaf, f"{tool.name}.{path} has no length"
            if leaf.get("type") in {"integer", "number"}:
                assert {"minimum", "maximum"} <= leaf.keys(), f"{tool.name}.{path} has no bounds"
            if leaf.get("type") == "array":
                assert "maxItems" in leaf, f"{tool.name}.{path} has no size"


def test_the_lean_list_leaves_out_only_what_a_name_says() -> None:
    """Every argument that is not plain keeps its description, and the full schema has them all."""
    for tool in TOOLS:
        lean = dict(parts_of(tool.listing()["inputSchema"]))
        for path, part in parts_of(tool.input_schema):
            assert ("description" in lean[path]) == (path.rpartition(".")[2] not in PLAIN)
            assert lean[path].get("enum") == part.get("enum")


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_takes_a_session_and_writing_ones_a_key(tool: Tool) -> None:
    """Both stand last, so that a tool's own arguments are read first."""
    names = list(tool.input_schema["properties"])
    assert names[-1] == ("idempotency_key" if tool.effect.writes else "session")
    assert "session" in names
    assert ("idempotency_key" in names) == tool.effect.writes


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_has_a_title_four_hints_and_a_calm_description(tool: Tool) -> None:
    """At most 300 characters, what it does before when it helps, and no orders."""
    assert tool.title
    assert set(tool.effect.annotations) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
    assert tool.effect.annotations["openWorldHint"] is False
    assert tool.effect.annotations["readOnlyHint"] is not tool.effect.writes
    assert 0 < len(tool.description) <= 300
    for text in (tool.description, *(action.description for action in tool.next_actions)):
        assert not ORDERS.search(text), text
    for _, part in parts_of(tool.input_schema):
        assert not ORDERS.search(part["description"])


@pytest.mark.parametrize("text", ["You must call search first", "Always use this", "IMPORTANT: read me"])
def test_an_order_would_be_noticed(text: str) -> None:
    """The twin: the pattern does find orders."""
    assert ORDERS.search(text)


def test_next_actions_name_tools_that_exist_and_arguments_that_they_take() -> None:
    """Advice that cannot be followed is worse than none."""
    tools = {tool.name: tool for tool in TOOLS}
    for tool in TOOLS:
        for action in tool.next_actions:
            assert set(action.arguments) <= set(tools[action.tool].input_schema["properties"]), (tool.name, action)
            assert "onsider" in action.description


def test_the_tiers_by_name_are_the_tiers_of_the_model() -> None:
    """The table says them without loading the model; they may not drift apart."""
    assert tuple(tier.label for tier in Tier) == TIERS
    assert all(tool.tier is Tier[tool.needs.upper()] for tool in TOOLS)


def test_instructions_fit_and_say_each_toolset() -> None:
    """At most two kilobytes, the same text at every start."""
    settings = Settings(actor="ann")
    text = Offer.of(settings, toolsets="all").instructions
    assert len(text.encode()) <= INSTRUCTIONS_MAX
    assert all(usage in text for usage in USAGE.values())
    assert text == Offer.of(settings, toolsets="all").instructions


@pytest.fixture(scope="module")
def snapshots() -> ModuleType:
    """The script that writes the snapshots."""
    spec = importlib.util.spec_from_file_location("write_snapshots", ROOT / "scripts" / "write_snapshots.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_list_of_tools_is_the_one_that_was_agreed_on(snapshots: ModuleType) -> None:
    """A change of any description or schema is a change of the product: ``scripts/write_snapshots.py`` records it."""
    assert snapshots.stale() == []


def test_a_changed_description_is_noticed(
    snapshots: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a snapshot that differs in one word is stale."""
    monkeypatch.setattr(snapshots, "FOLDER", tmp_path)
    for name, text in snapshots.wanted().items():
        changed = text.replace("Stores", "Keeps", 1) if name == "core.json" else text
        (tmp_path / name).write_text(changed, encoding="utf-8")
    assert snapshots.stale() == ["core.json"]
