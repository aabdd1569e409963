"""A row as a method: signature, documentation and arguments are the table's, whatever the row."""

from __future__ import annotations

import inspect
import pydoc
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_type_hints

import pytest

from tools.examples import EXAMPLES
from weft.tools.arguments import parse
from weft.tools.connection import Connection
from weft.tools.core.reading import SEARCH
from weft.tools.method import PROGRESS, Method, documentation_of, signature_of
from weft.tools.table import TOOLS
from weft.tools.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Tool
    from weft.tools.verbs import Verb

ROWS = (*TOOLS, *VERBS)
GIVEN: Mapping[str, Mapping[str, Any]] = {
    **EXAMPLES,
    "log": {"limit": 3},
    "counts": {},
    "map": {"ontology": "queues", "limit": 20},
    "text": {"node": "Use SQLite", "offset": 6_000},
    "vocabulary": {},
    "undo": {"batch": "01a1fffc"},
}

every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)


class Echo:
    """Something with the tools as methods whose answer is what it was called with."""

    def call(self, name: str, arguments: Mapping[str, Any] | None = None, *, progress: Any = None) -> dict[str, Any]:  # noqa: ANN401
        """Return the call."""
        return {"tool": name, "arguments": dict(arguments or {}), "progress": progress}


for each in ROWS:
    setattr(Echo, each.name, Method(each))


def method_of(row: Tool | Verb) -> Any:  # noqa: ANN401 - a bound method
    """Return the tool as a method of something."""
    return getattr(Echo(), row.name)


def required_of(row: Tool | Verb) -> list[str]:
    """Return the arguments that the table requires, in its order."""
    schema = row.input_schema
    return [name for name in schema["properties"] if name in schema.get("required", ())]


@every_row
def test_a_method_takes_what_the_table_says_in_its_order_and_progress(row: Tool | Verb) -> None:
    """What is required may be given by position; nothing else, so that a row may gain arguments."""
    parameters = inspect.signature(method_of(row)).parameters
    placed = [name for name, each in parameters.items() if each.kind is each.POSITIONAL_OR_KEYWORD]
    named = [name for name, each in parameters.items() if each.kind is each.KEYWORD_ONLY]
    assert placed == required_of(row)
    assert named == [*(name for name in row.input_schema["properties"] if name not in placed), PROGRESS]


@every_row
def test_a_default_that_a_signature_shows_is_the_one_that_the_gate_goes_by(row: Tool | Verb) -> None:
    """To give an argument its default by name is to leave it out."""
    parameters = inspect.signature(method_of(row)).parameters.values()
    shown = {each.name: each.default for each in parameters if each.kind is each.KEYWORD_ONLY and each.name != PROGRESS}
    given = GIVEN[row.name]
    assert parse(row.arguments, {**shown, **given}) == parse(row.arguments, given)


@every_row
def test_everything_that_a_method_takes_has_a_type_and_a_sentence(row: Tool | Verb) -> None:
    """What help() and editors show is complete, and no line of it is wide."""
    method = method_of(row)
    names = list(inspect.signature(method).parameters)
    assert get_type_hints(method).keys() == {*names, "return"}
    told = pydoc.plain(pydoc.render_doc(method))
    assert row.title in told
    assert set(names) == {name for name in names if f"\n        {name}: " in told}
    assert set(row.output_schema["properties"]) <= set(
        told.partition("Returns:")[2].replace(",", " ").replace(";", " ").replace(".", " ").split()
    )
    assert max(map(len, documentation_of(row).splitlines())) <= 100


@every_row
def test_a_method_is_told_apart_as_a_plain_function_is(row: Tool | Verb) -> None:
    """Name, home and kind are a function's, on the class and on what is made of it."""
    function = getattr(Connection, row.name)
    assert inspect.isfunction(function)
    assert function is getattr(Connection, row.name)
    assert (function.__name__, function.__module__) == (row.name, "weft.tools.connection")
    assert function.__qualname__ == f"Connection.{row.name}"
    assert next(iter(inspect.signature(function).parameters)) == "self"


@every_row
def test_what_is_required_means_the_same_by_position_and_by_name(row: Tool | Verb) -> None:
    """The arguments that reach the gate are equal."""
    given = dict(GIVEN[row.name])
    placed = [given[name] for name in required_of(row)]
    named = {name: value for name, value in given.items() if name not in required_of(row)}
    wanted = {"tool": row.name, "arguments": given, "progress": None}
    assert method_of(row)(*placed, **named) == method_of(row)(**given) == wanted


@every_row
def test_no_row_takes_a_name_that_the_surface_has_for_itself(row: Tool | Verb) -> None:
    """A tool called close, or an argument called progress, would hide something."""
    own = {name for name in vars(Connection) if not name.startswith("_") and name not in GIVEN}
    assert own == {"call", "caller", "close", "graph", "session"}
    assert row.name not in own
    assert not {PROGRESS, "self"} & row.input_schema["properties"].keys()


def test_a_new_row_is_a_method_without_another_line() -> None:
    """The twin of a method that is written by hand: it would not be here."""
    row = replace(SEARCH, name="look", title="Look around", bindings=lambda: {"look": SEARCH.binding})
    fresh = type("Fresh", (Echo,), {"look": Method(row)})()
    assert fresh.look("water", limit=3)["arguments"] == {"query": "water", "limit": 3}
    assert (fresh.look.__doc__ or "").startswith("Look around.")
    assert list(signature_of(row).parameters)[:2] == ["self", "query"]
