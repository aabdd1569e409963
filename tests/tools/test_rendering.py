"""Answers are plain, rounded in one place, and of bounded size; what is left out is said."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from weft.model import Origin
from weft.model.codec import json_text
from weft.tools.rendering import BUDGET, answer_text, fit, tidy


def size(body: dict[str, Any]) -> int:
    """Return how many bytes ``body`` takes."""
    return len(json_text(body).encode())


def test_values_become_plain_json_data() -> None:
    """None goes, numbers get four digits, times are UTC, tuples and enumerations become what JSON has."""
    at = datetime(2026, 3, 1, 2, tzinfo=timezone(timedelta(hours=2)))
    value = {"a": None, "b": 0.123456, "c": (1, {"d": None, "e": Origin.LEARNED}), "at": at, "yes": True}
    said = {"b": 0.1235, "c": [1, {"e": "learned"}], "at": "2026-03-01T00:00:00.000000+00:00", "yes": True}
    assert tidy(value) == said
    assert type(tidy(value)["c"][1]["e"]) is str


def test_a_small_answer_is_left_alone() -> None:
    """Nothing is cut that need not be."""
    body = {"hits": [{"snippet": "x" * 9_000}], "total": 1}
    assert fit(body) == body


def test_a_large_answer_is_cut_and_says_so() -> None:
    """Long texts first, then the last items of the longest list."""
    body = {"hits": [{"id": str(number), "content": "word " * 2_000} for number in range(100)], "total": 100}
    cut = fit(body)
    assert size(cut) <= BUDGET
    assert "texts are cut at 200 characters" in cut["left_out"]
    assert [hit["id"] for hit in cut["hits"]] == [str(number) for number in range(len(cut["hits"]))]
    assert cut["total"] == 100
    assert len(body["hits"]) == 100


def test_the_text_that_was_asked_for_is_cut_last() -> None:
    """A node of many relations is read whole; a text that would leave no room for anything else is cut, and told."""
    rows = [{"title": f"Rule {number}", "reasoning": "because " * 60} for number in range(150)]
    body = {"node": {"content": "word " * 1_500}, "relations": {"uses": rows}}
    cut = fit(body)
    assert size(cut) <= BUDGET
    assert cut["node"] == body["node"]
    assert "own text" not in cut["left_out"]
    assert f"relations.uses: only the first {len(cut['relations']['uses'])} are shown" in cut["left_out"]
    cut = fit({"node": {"content": "word " * 9_000}, "relations": {"uses": rows}})
    assert size(cut) <= BUDGET
    assert (len(cut["node"]["content"]), "own text is cut at 20000 char" in cut["left_out"]) == (20_000, True)
    assert len(cut["relations"]["uses"]) > 20


def test_a_list_that_loses_items_is_named() -> None:
    """Where many short items are too much, the answer says how many are shown."""
    cut = fit({"counts": {}, "relations": {"uses": [{"id": "x" * 36, "n": number} for number in range(2_000)]}})
    assert size(cut) <= BUDGET
    assert f"relations.uses: only the first {len(cut['relations']['uses'])} are shown" in cut["left_out"]


def test_of_many_counts_the_largest_are_kept() -> None:
    """A graph of thousands of ontologies is told of by its largest; short tables are left whole."""
    ontologies = {f"ontology {number}": number for number in range(3_000)}
    cut = fit({"counts": {"nodes": 9, "nodes_by_kind": {"claim": 9}, "nodes_by_ontology": ontologies}})
    kept = cut["counts"]["nodes_by_ontology"]
    assert size(cut) <= BUDGET
    assert f"counts.nodes_by_ontology: only the largest {len(kept)} are shown" in cut["left_out"]
    assert set(kept.values()) == set(range(3_000 - len(kept), 3_000))
    assert cut["counts"]["nodes_by_kind"] == {"claim": 9}
    assert len(ontologies) == 3_000


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.floats(0, 1),
    st.sampled_from(("", "word " * 300, "\u6771\u4eac" * 900)),
)
BODIES = st.dictionaries(
    st.text(min_size=1, max_size=9),
    st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=9), inner), max_leaves=40),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(BODIES)
def test_tidy_twice_is_tidy_once(body: dict[str, Any]) -> None:
    """A stored answer that is read back is the same answer."""
    assert tidy(tidy(body)) == tidy(body)


@settings(max_examples=60, deadline=None)
@given(BODIES)
def test_an_answer_travels_as_the_compact_json_that_anybody_writes(body: dict[str, Any]) -> None:
    """It reads back as it was, and takes as many bytes as the standard library's form."""
    body = tidy(body)
    assert json.loads(answer_text(body)) == body
    assert len(answer_text(body).encode()) == size(body)


@settings(max_examples=60, deadline=None)
@given(BODIES)
def test_any_answer_of_lists_and_texts_fits(body: dict[str, Any]) -> None:
    """Whatever the shape, the budget holds; fitting what fits changes nothing."""
    body = tidy(body)
    cut = fit(body, budget=6_000)
    assert size(cut) <= 6_000 or "left_out" in cut
    assert fit(cut, budget=size(cut)) == cut
