"""Any arguments at all, to every tool: a result or an error that helps, never an exception; errors write nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from doors import Door, door
from engine import copied
from weft.faces.openapi import STATUSES
from weft.tools.rendering import BUDGET
from weft.tools.table import TOOLS, Tool, tool_named
from weft.vocabulary import KINDS, RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TITLES = ("Queue on SQLite", "Queue on Redis", "Retries")
JOINED = "Two queues"  # a synthesis, which learned_id names
MERGED = "Merged away"

# Words that somebody once found trouble with, beside anything else that is text.
NASTY = (
    "",
    " ",
    "\x00",
    "\u202ereversed",
    "'; DROP TABLE node; --",
    '") OR 1=1 --',
    "NEAR(a b)",
    "*",
    '"unbalanced',
    "-",
    "\ud800",
    "\U0001f9f6" * 50,
    "%",
    "a" * 300,
    "../../etc/passwd",
    "$hits.0.id",
    "{{7*7}}",
    "東京の天気",
    "null",
)
WORDS = st.one_of(st.sampled_from(NASTY), st.text(max_size=40), st.sampled_from(("a", "b")))
TEXTS = st.one_of(st.sampled_from(TITLES), WORDS)
TYPES = st.one_of(st.sampled_from(sorted(RELATION_TYPES)), WORDS)
KIND_NAMES = st.one_of(st.sampled_from(sorted(KINDS)), WORDS)

# What an argument is called says more than its schema; new titles are kept apart, so that the old ones stay clear.
NAMED: dict[str, st.SearchStrategy[Any]] = {
    **{name: st.one_of(st.sampled_from(TITLES), TEXTS) for name in ("id", "source", "target", "start", "end")},
    **{name: st.sampled_from(("a", "b")) for name in ("ontology1", "ontology2")},
    **{name: WORDS.map(lambda word: f"{word}!") for name in ("title", "label")},
    "bridges": st.lists(st.sampled_from(TITLES), min_size=1, max_size=3),
    **{name: st.sampled_from(TITLES) for name in ("from_concept_id", "to_concept_id", "from_id", "to_id")},
    **{name: st.sampled_from(TITLES) for name in ("id_a", "id_b", "concept_id", "keep_id")},
    "merge_id": st.sampled_from((*TITLES, MERGED)),
    "bridges_concepts": st.lists(st.sampled_from(TITLES), min_size=2, max_size=3),
    "learned_id": st.one_of(st.just(JOINED), TEXTS),
    "updates": st.dictionaries(st.sampled_from(("evidence", "relationship_type")), TEXTS, max_size=2),
    "text": st.one_of(st.just("[]"), TEXTS),
    "type": TYPES,
    "kind": KIND_NAMES,
    "kinds": st.lists(KIND_NAMES, max_size=2),
}
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.just(10**30),
    TEXTS,
    st.lists(TEXTS, max_size=2),
    st.dictionaries(TEXTS, TEXTS, max_size=2),
)


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return values that ``schema`` allows, as far as a small tool needs."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema.get("format") == "date-time":
        return st.datetimes().map(lambda at: at.isoformat())
    if schema["type"] == "object":
        return objects(schema)
    if schema["type"] == "array":
        return st.lists(values(schema["items"]), min_size=schema.get("minItems", 0), max_size=3)
    plain: dict[str, st.SearchStrategy[Any]] = {
        "string": TEXTS,
        "boolean": st.booleans(),
        "integer": st.integers(schema.get("minimum"), schema.get("maximum")),
        "number": st.floats(schema.get("minimum"), schema.get("maximum")),
    }
    return plain[schema["type"]]


def objects(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return objects that ``schema`` allows, optional fields now there and now not."""
    parts = {
        name: values(part) if "enum" in part or "enum" in part.get("items", {}) else NAMED.get(name, values(part))
        for name, part in schema["properties"].items()
    }
    needed = schema.get("required", [])
    return st.fixed_dictionaries(
        {name: parts[name] for name in needed},
        optional={name: part for name, part in parts.items() if name not in needed},
    )


def calls(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Return arguments of ``tool``: half of them as its schema wants, half with something wrong put in."""
    sound = objects(tool.input_schema)
    names = st.one_of(st.sampled_from(sorted(tool.input_schema["properties"])), st.text(max_size=12))
    broken = st.tuples(sound, st.dictionaries(names, JUNK, min_size=1, max_size=2)).map(lambda pair: pair[0] | pair[1])
    return st.one_of(sound, broken)


def fields_of(schema: dict[str, Any]) -> set[str]:
    """Return the names of all arguments, nested ones too."""
    found = set(schema.get("properties", {}))
    for part in schema.get("properties", {}).values():
        found |= fields_of(part.get("items", {}))
    return found


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph with a few nodes in two ontologies, to be copied."""
    folder = tmp_path_factory.mktemp("filled")
    with door(folder) as opened:
        for title, ontology in zip(TITLES, ("a", "b", "a"), strict=True):
            opened.call("capture", content=f"{title}: what is known of it.", title=title, ontology=ontology)
        opened.call("relate", source=TITLES[0], target=TITLES[1], type="contradicts", reasoning="Either or.")
        opened.call("synthesize", label=JOINED, bridges=TITLES[:2], evidence="Both are queues.")
        opened.call("capture", content=f"{MERGED}: it says the same.", title=MERGED)
        merged = {"keep_id": TITLES[2], "merge_id": MERGED, "reason": "One.", "proceed": True, "override": True}
        opened.call("merge_concepts", **merged)
    return folder


@pytest.fixture
def ann(filled: Path, tmp_path: Path) -> Iterator[Door]:
    """The graph, kept over all examples of one tool."""
    with door(copied(filled, tmp_path / "graph")) as opened:
        yield opened


@pytest.mark.parametrize("name", [tool.name for tool in TOOLS])
@pytest.mark.parametrize("examples", [70, pytest.param(200, marks=pytest.mark.slow)])
def test_any_arguments_give_a_result_or_an_error_that_helps(ann: Door, name: str, examples: int) -> None:
    """An exception would end this test; an error names a field or what was not found, and leaves the log alone.

    Seventy examples a tool each time, two hundred where it may take longer.
    """
    tool = tool_named(name)
    answers = Draft202012Validator(tool.output_schema)
    fields = fields_of(tool.input_schema)

    outcomes = set()

    alike: dict[str, Any] = {"deadline": None, "database": None, "derandomize": True}

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), **alike)
    @given(calls(tool))
    def hold(arguments: dict[str, Any]) -> None:
        head = ann.graph.log.head()
        answer = ann.answer(name, arguments)
        outcomes.add(answer.get("error", "a result"))
        if "error" not in answer:
            answers.validate(answer)
            assert answer.keys() <= tool.output_schema["properties"].keys()
            assert len(str(answer).encode(errors="replace")) < 2 * BUDGET
            return
        assert ann.graph.log.head() == head
        assert answer["error"] in STATUSES
        assert answer["message"]
        assert answer["hint"]
        assert len(answer["message"]) < 4_000
        if answer["error"] == "INVALID_ARGUMENT":
            unknown = set(map(str, arguments)) - fields
            named = fields | {word[:60] for word in unknown} | {"nothing to change"}
            assert any(word in answer["message"] for word in named), answer["message"]

    hold()
    assert outcomes >= {"a result", "INVALID_ARGUMENT"}
