"""Advice after a call: only what fits, only what can be followed, as much as was asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from doors import door
from weft.tools.hints import advice, served_only
from weft.tools.row import NextAction
from weft.tools.table import TOOLS, tool_named
from weft.vocabulary import QUERY_MAX

if TYPE_CHECKING:
    from pathlib import Path

FETCH = NextAction(tool="fetch", description="Consider the best hit.", arguments={"id": "$hits.0.id"})
TRACE = NextAction(
    tool="trace", description="Consider the two best.", arguments={"start": "$hits.0.id", "end": "$hits.1.id"}
)
CAPTURE = NextAction(
    tool="capture", description="Consider keeping it.", arguments={"content": "$given.query"}, unless=("hits",)
)
REVIEW = NextAction(tool="review", description="Consider deciding.", when=("waiting",))
EVERY = (FETCH, TRACE, CAPTURE, REVIEW)
SERVED = frozenset({"fetch", "trace", "capture", "review"})


def said(answer: dict[str, Any], *, tools: frozenset[str] = SERVED, level: str = "full") -> list[dict[str, Any]]:
    """Return the advice on ``answer``."""
    return advice(EVERY, answer=answer, given={"query": "why"}, tools=tools, level=level)


def test_paths_are_filled_in_from_the_answer_and_the_arguments() -> None:
    """The offered call can be made as it stands."""
    assert said({"hits": [{"id": "a"}]}) == [
        {"tool": "fetch", "description": "Consider the best hit.", "arguments": {"id": "a"}}
    ]
    assert said({"hits": []})[0]["arguments"] == {"content": "why"}


def test_a_long_text_is_filled_in_as_far_as_a_query_may_hold_it() -> None:
    """A unit may hold more than a claim or a query takes; the offered call must not be refused for it."""
    action = NextAction(tool="search", description="Consider a search.", arguments={"query": "$content"})
    (row,) = advice([action], answer={"content": "word " * 5_000}, given={}, tools=frozenset({"search"}), level="full")
    assert 0 < len(row["arguments"]["query"]) <= QUERY_MAX


def test_what_only_the_caller_can_say_is_named_and_never_filled_in() -> None:
    """An offer with it missing would be refused, and one with words in its place would write these; brief says less."""
    relate = NextAction(tool="relate", description="Consider it.", arguments={"source": "$hits.0.id", "target": "b"})
    offered = {"answer": {"hits": [{"id": "a"}]}, "given": {}, "tools": frozenset({"relate", "fetch"})}
    assert advice([relate], **offered, level="full") == [
        {
            "tool": "relate",
            "description": "Consider it.",
            "arguments": {"source": "a", "target": "b"},
            "also_needs": ["type", "reasoning"],
        }
    ]
    assert "also_needs" not in advice([FETCH], **offered, level="full")[0]
    assert advice([relate], **offered, level="brief") == [{"tool": "relate", "description": "Consider it."}]


def test_actions_of_a_single_result_say_as_much_as_the_level_does() -> None:
    """With their arguments at full only, and what these lack."""
    action = {"tool": "relate", "description": "Consider it.", "arguments": {"source": "a"}}
    answer = {"results": [{"available_actions": [action]}]}
    (full,) = served_only(answer, frozenset({"relate"}), level="full")["results"][0]["available_actions"]
    assert full == {**action, "also_needs": ["target", "type", "reasoning"]}
    (brief,) = served_only(answer, frozenset({"relate"}), level="brief")["results"][0]["available_actions"]
    assert brief == {"tool": "relate", "description": "Consider it."}


def test_every_offered_call_names_all_that_its_tool_must_be_given() -> None:
    """In the whole table: arguments and what is marked come to what the schema requires."""
    for tool in TOOLS:
        for action in tool.next_actions:
            plain = replace(action, arguments=dict.fromkeys(action.arguments, "x"), when=(), unless=())
            (row,) = advice([plain], answer={}, given={}, tools=frozenset({action.tool}), level="full")
            named = {*row.get("arguments", {}), *row.get("also_needs", [])}
            assert named >= set(tool_named(action.tool).input_schema.get("required", ())), (tool.name, action.tool)


def test_an_action_whose_path_leads_nowhere_is_not_offered() -> None:
    """One hit cannot be traced to a second."""
    assert [row["tool"] for row in said({"hits": [{"id": "a"}]})] == ["fetch"]
    assert [row["tool"] for row in said({"hits": [{"id": "a"}, {"id": "b"}], "waiting": 3})] == [
        "fetch",
        "trace",
        "review",
    ]


def test_a_tool_that_is_not_served_is_never_named() -> None:
    """Neither in the advice nor in the ready-made calls of an answer."""
    assert said({"hits": [{"id": "a"}], "waiting": 1}, tools=frozenset({"review"})) == [
        {"tool": "review", "description": "Consider deciding."}
    ]
    answer = {"to_judge": [{"id": "a", "record_with": {"tool": "relate", "arguments": {}}}]}
    assert served_only(answer, frozenset({"relate"})) == answer
    assert served_only(answer, frozenset({"search"})) == {"to_judge": [{"id": "a"}]}


def test_off_leaves_no_action_of_a_single_result_and_every_ready_made_call() -> None:
    """The one suggests, the other is how a verdict that was asked for is recorded."""
    call = {"tool": "relate", "arguments": {}}
    answer = {
        "results": [{"record_with": call, "available_actions": [{"tool": "relate", "description": "Consider it."}]}]
    }
    assert served_only(answer, frozenset({"relate"}), level="brief") == answer
    left = {"results": [{"record_with": call, "available_actions": []}]}
    assert served_only(answer, frozenset({"relate"}), level="off") == left


def test_the_level_says_how_much() -> None:
    """Off says nothing, brief no arguments and two lines at most."""
    answer = {"hits": [{"id": "a"}, {"id": "b"}], "waiting": 3}
    assert said(answer, level="off") == []
    assert said(answer, level="brief") == [
        {"tool": "fetch", "description": "Consider the best hit."},
        {"tool": "trace", "description": "Consider the two best."},
    ]
    assert len(said(answer)) == 3


@pytest.mark.parametrize("tool", ["search", "autology_query", "memory_recall", "semantic_search"])
def test_nothing_found_within_filters_is_no_reason_to_write_it_down(tool: str) -> None:
    """What is there may lie outside them, or have come later than the time that was asked about."""

    def offered(given: dict[str, Any]) -> list[dict[str, Any]]:
        row, tools = tool_named(tool), frozenset(each.name for each in TOOLS)
        given = row.binding.arguments.model_validate({"query": "why", **given}).model_dump(mode="json")
        return advice(row.next_actions, answer={"query": "why"}, given=given, tools=tools, level="full")

    (writing,) = offered({})
    assert tool_named(writing["tool"]).effect.writes
    filters = {"min_confidence": 0.9} if tool == "semantic_search" else {"tags": ["a"]}
    (wider,) = offered(filters)
    assert wider["tool"] == tool
    assert wider["arguments"] == {"query": "why"}


def test_a_time_a_scope_and_words_alone_narrow_a_search_too() -> None:
    """Each leaves something out that the query alone would find."""
    for given in ({"as_of": "2026-01-01T00:00:00Z"}, {"since": "2d"}, {"scope": "learned"}, {"mode": "keyword"}):
        rows = advice(
            tool_named("search").next_actions,
            answer={},
            given={"query": "why", "scope": "all", "mode": "hybrid", **given},
            tools=frozenset({"search", "capture"}),
            level="full",
        )
        assert [row["tool"] for row in rows] == ["search"], given


def test_who_may_only_look_is_not_told_to_decide() -> None:
    """Everybody is served «review» for its list, and deciding takes a librarian."""
    rows = [action for tool in TOOLS for action in tool.next_actions if action.tool == "review"]
    assert rows
    assert not [action.description for action in rows if "consider deciding" in action.description.lower()]


@pytest.mark.parametrize(
    ("tool", "kind"),
    [("capture", {"kind": "fix"}), ("autology_capture", {"type": "issue"}), ("memory_store", {"type": "fix"})],
)
def test_what_was_there_already_is_not_called_unrelated(tmp_path: Path, tool: str, kind: dict[str, str]) -> None:
    """Its answer names no relation, since none was made now; the twin is new, and has none."""
    node = {"title": "Prewarm Docker", "content": "Start colima before the tests.", **kind}
    with door(tmp_path, hints="full") as ann:
        new, again = (ann.call(tool, **node)["suggested_next_actions"] for _ in range(2))
    (looking,) = (row["tool"] for row in new)
    assert not tool_named(looking).effect.writes
    assert "belongs to" in new[0]["description"] or "related to" in new[0]["description"]
    assert ["already" in row["description"] for row in again] == [True]


def test_where_no_pair_reaches_the_bar_a_call_without_one_is_offered_that_finds_one(tmp_path: Path) -> None:
    """The pair is counted as a near miss; the offered call shows it. Where all pairs are joined nothing is offered."""
    with door(tmp_path) as here:
        one, other = (
            here.call("capture", content=text, title=text, ontology=text.split()[0])["id"]
            for text in ("Reefs shelter young fish", "Forests shelter young birds")
        )
        ends = {"ontology1": "Reefs", "ontology2": "Forests", "min_similarity": 0.99}
        missed = here.call("bridge", **ends)
        assert not missed["candidates"]
        (without,) = (row for row in missed["suggested_next_actions"] if row["tool"] == "bridge")
        assert here.call("bridge", **without["arguments"])["candidates"]
        here.call("relate", source=one, target=other, type="relates_to", reasoning="Both shelter the young.")
        assert not here.call("bridge", ontology1="Reefs", ontology2="Forests")["suggested_next_actions"]


def test_a_text_that_is_too_long_to_be_a_name_is_left_to_the_caller() -> None:
    """A concept is not called by the first 200 characters of a paragraph that was searched for."""
    action = tool_named("search_concepts").next_actions[0]
    shared: dict[str, Any] = {"answer": {}, "tools": frozenset({"create_concept"}), "level": "full"}
    (row,) = advice([action], given={"query": "word " * 100}, **shared)
    assert ("arguments" in row, row["also_needs"]) == (False, ["label"])
    (row,) = advice([action], given={"query": "Holacracy"}, **shared)
    assert row["arguments"] == {"label": "Holacracy"}


def test_what_is_not_connected_by_some_relations_may_be_by_others() -> None:
    """Only where all were walked is a new relation offered; the wider call is offered first."""
    row, tools = tool_named("trace"), frozenset({"trace", "relate"})
    answer = {"connected": False, "start_match": {"id": "a"}, "end_match": {"id": "b"}}
    for narrowing in ({"relations": ["uses"]}, {"scope": "learned"}):
        given = row.binding.arguments.model_validate({"start": "a", "end": "b", **narrowing}).model_dump(mode="json")
        (wider,) = advice(row.next_actions, answer=answer, given=given, tools=tools, level="full")
        assert (wider["tool"], wider["arguments"]) == ("trace", {"start": "a", "end": "b"})
    given = row.binding.arguments.model_validate({"start": "a", "end": "b"}).model_dump(mode="json")
    assert [
        each["tool"] for each in advice(row.next_actions, answer=answer, given=given, tools=tools, level="full")
    ] == ["relate"]


@pytest.mark.parametrize(
    ("asked", "confident", "offered"),
    [([], True, True), (["supersedes"], True, False), (["kind"], False, True), (["kind", "supersedes"], False, False)],
)
def test_what_a_question_is_open_about_is_not_offered_for_relating(
    asked: list[str], *, confident: bool, offered: bool
) -> None:
    """The question is looked at first; whether a guessed kind is right has nothing to do with it."""
    answer = {"id": "a", "batch": "b", "suggestions": asked, "classification": {"confident": confident}}
    rows = advice(
        tool_named("capture").next_actions,
        answer={**answer, "related": [{"id": "c"}], "relations": []},
        given={},
        tools=frozenset({"relate"}),
        level="full",
    )
    assert [row["tool"] for row in rows] == ["relate"] * offered
