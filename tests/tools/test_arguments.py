"""Arguments are refused in one line that names the field and says what would have done."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from typing import Any

import pytest

from weft.errors import InvalidArgument
from weft.tools.arguments import parse
from weft.tools.table import tool_named
from weft.tools.verbs import LogArguments
from weft.vocabulary import KINDS, RELATION_TYPES


def refused(tool: str, **arguments: object) -> str:
    """Return the message with which ``arguments`` are refused."""
    with pytest.raises(InvalidArgument) as caught:
        parse(tool_named(tool).arguments, arguments)
    assert "\n" not in caught.value.message
    return caught.value.message


def taken(tool: str, **arguments: object) -> Any:  # noqa: ANN401 - each tool has its own model
    """Return ``arguments`` as the tool takes them."""
    return parse(tool_named(tool).arguments, arguments)


def test_a_missing_argument_is_named() -> None:
    """No pydantic wording reaches the caller."""
    assert refused("capture") == "content: is required"


def test_an_unknown_argument_is_refused_with_the_nearest_and_all_allowed_ones() -> None:
    """A misspelt argument is never silently dropped."""
    message = refused("search", query="x", limt=3)
    assert message.startswith("limt: there is no such argument (did you mean limit?); allowed: query, kinds, ")
    assert "idempotency_key" not in message


def test_another_tools_names_for_half_of_the_arguments_are_told_at_once() -> None:
    """One refusal is enough to call right: what is missing, what is unknown and what there is."""
    message = refused("relate", **{"from": "A", "to": "B", "type": "supports", "reason": "x"})
    missing, unknown = message.split("; ", 1)
    assert missing == "source, target, reasoning: are required"
    assert unknown.startswith("from, to, reason: there are no such arguments (did you mean reasoning?); allowed: ")


def test_of_many_unknown_arguments_a_few_are_named() -> None:
    """What a caller sends does not decide how long the answer is."""
    message = refused("search", query="x", **{f"x{number}": 1 for number in range(9)})
    assert message.startswith("x0, x1, x2, x3, x4 and 4 more: there are no such arguments; allowed: query, ")


def test_an_unknown_argument_inside_a_list_names_the_place() -> None:
    """The path leads to the item."""
    message = refused("capture", content="x", relations=[{"type": "uses", "target": "y", "why": "z"}])
    assert message.startswith("relations.0.why: there is no such argument")
    assert message.endswith("allowed: type, target, reasoning")


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("search", {"query": "x", "limit": 0}, "limit: must be at least 1"),
        ("search", {"query": "x", "limit": 101}, "limit: must be at most 100"),
        ("search", {"query": "x", "limit": "many"}, "limit: must be a whole number"),
        ("search", {"query": "x", "min_confidence": float("nan")}, "min_confidence: must be a finite number"),
        (
            "search",
            {"query": "x", "scope": "most"},
            "scope: must be one of 'all', 'learned' or 'documents', not 'most'",
        ),
        ("search", {"query": "x", "tags": "a, b"}, "tags: must be a list, such as ['a', 'b']"),
        ("search", {"query": "x", "tags": '["a", "b"]'}, "tags: must be a list, such as ['a', 'b']"),
        ("search", {"query": "x", "kinds": "decision"}, "kinds: must be a list, such as ['decision']"),
        ("search", {"query": 7}, "query: must be text"),
        ("challenge", {"claim": " \t"}, "claim: must say something"),
        ("challenge", {"claim": "\u200b\u0001"}, "claim: must say something"),
        ("capture", {"content": "half of it\u0000"}, "content: holds a NUL at character 10, which is no text"),
        ("capture", {"content": "x", "tags": ["a", "\u0000b"]}, "tags.1: holds a NUL at character 0"),
        ("search", {"query": "x", "since": "20261123"}, "since: must be a time such as 2026-11-20"),
        ("search", {"query": "x", "since": "2026"}, "since: must be a time such as 2026-11-20"),
        ("search", {"query": "x", "since": 5}, "since: must be a time such as 2026-11-20"),
        ("search", {"query": "x", "as_of": "1764000000"}, "as_of: must be a time such as 2026-11-20"),
        ("search", {"query": "x", "as_of": 1.5e9}, "as_of: must be a time such as 2026-11-20"),
        ("search", {"query": "x", "since": "lately"}, "since: must be a time such as 2026-11-20"),
        ("search", {"query": "x", "as_of": "yesterday"}, "as_of: must be a time such as 2026-11-20"),
        ("search", {"query": "a\ud800b"}, "query: holds half of a surrogate pair, which is no text"),
        ("capture", {"content": "x", "title": "t" * 201}, "title: holds more than 200 characters"),
        ("capture", {"content": "x", "tags": ["t"] * 51}, "tags: takes at most 50 items"),
        ("capture", {"content": "x", "confidence": 1.5}, "confidence: must be at most 1"),
        ("capture", {"content": "x", "relations": ["y"]}, "relations.0: must be an object"),
        ("forget", {"id": "x", "confirm": "yes"}, "confirm: must be true or false"),
        ("update", {"id": "x"}, "nothing to change; give at least one of title, content"),
        ("synthesize", {"label": "x", "evidence": "y", "bridges": ["z"]}, "bridges: needs at least 2 items"),
        ("review", {"decide": [{"item": "x", "decision": "maybe"}]}, "decide.0.decision: must be one of 'accept'"),
    ],
)
def test_a_wrong_value_is_refused_in_one_line(tool: str, arguments: dict[str, Any], expected: str) -> None:
    """Field first, then what is allowed."""
    assert refused(tool, **arguments).startswith(expected)


def test_an_unknown_kind_and_type_are_refused_with_the_whole_list() -> None:
    """The message alone is enough to correct the call."""
    kind = refused("capture", content="x", kind="decison")
    assert kind.startswith("kind: 'decison' is not known; the nearest is decision.")
    assert all(name in kind for name in KINDS)
    relation = refused("relate", source="a", target="b", type="belongs", reasoning="c")
    assert relation.startswith("type: ")
    assert all(name in relation for name in RELATION_TYPES)


def test_several_faults_are_told_together_but_not_without_end() -> None:
    """Three are named, the rest counted."""
    message = refused("search", query="x", limit=0, offset=-1, mode="x", scope="y", min_confidence=2)
    assert message.count("; ") == 3
    assert message.endswith("; and 2 more")


@pytest.mark.parametrize(
    ("tool", "field", "given"),
    [
        ("search", "kinds", {"query": "x", "kinds": ["a"] * 100_000}),
        ("trace", "relations", {"start": "x", "end": "y", "relations": ["a"] * 100_000}),
        ("capture", "relations", {"content": "x", "relations": [{"type": "a", "target": "b"}] * 100_000}),
        ("create_learned_relationships", "relationships", {"relationships": [{"relationship_type": "a"}] * 100_000}),
    ],
)
def test_the_items_of_a_list_that_is_too_long_are_not_looked_at(tool: str, field: str, given: dict[str, Any]) -> None:
    """A hundred thousand unknown names would keep a worker busy for minutes, one at a time compared with all known."""
    began = time.thread_time()
    message = refused(tool, **given)
    assert message.startswith(f"{field}: takes at most ")
    assert time.thread_time() - began < 1


def test_a_fault_in_the_only_item_is_not_told_as_a_list_too_short() -> None:
    """One was given; what is wrong with it is what helps."""
    item = {"from_concept_id": "a", "to_concept_id": "b", "relationship_type": "USES"}
    assert refused("create_learned_relationships", relationships=[item]) == "relationships.0.evidence: is required"
    assert refused("create_learned_relationships", relationships=[]) == "relationships: needs at least 1 items"


def test_a_long_wrong_value_is_not_repeated_whole() -> None:
    """What a caller sent comes back clipped and escaped."""
    message = refused("search", query="x", scope="\u202e" + "s" * 1000)
    assert len(message) < 200
    assert "\u202e" not in message


def test_names_fold_to_their_stored_spelling() -> None:
    """True synonyms and spellings are the same call."""
    asked = taken("relate", source="a", target="b", type="RELATED_TO", reasoning="c")
    assert asked == taken("relate", source="a", target="b", type="relates-to", reasoning="c")
    assert taken("search", query="x", kinds=["Code Pattern"]).kinds == ("code_pattern",)


def test_null_means_not_given() -> None:
    """Callers that fill in every field are understood."""
    assert taken("search", query="x", kinds=None, status=None, limit=None) == taken("search", query="x")


def test_text_is_cleaned_before_anything_is_done_with_it() -> None:
    """Invisible characters do not get in; what people see stays."""
    assert taken("capture", content="caf\u00e9\u202e\u0007 ok").content == "caf\u00e9 ok"


def test_times_are_read_as_utc() -> None:
    """A time without a zone is UTC, one with a zone is the same moment."""
    assert taken("search", query="x", as_of="2026-03-01T00:00").as_of == datetime(2026, 3, 1, tzinfo=UTC)
    assert taken("search", query="x", as_of="2026-03-01T02:00:00+02:00").as_of == datetime(2026, 3, 1, tzinfo=UTC)
    assert refused("search", query="x", as_of="0001-01-01T00:00:00+14:00") == "as_of: lies outside the calendar"


@pytest.mark.parametrize("day", ["2026-03-01", date(2026, 3, 1)])
def test_a_day_at_which_the_graph_is_asked_for_means_its_end(day: str | date) -> None:
    """Whoever names today means what today brought, and of a bound the day's beginning."""
    assert taken("search", query="x", as_of=day).as_of == datetime(2026, 3, 1, 23, 59, 59, 999_999, tzinfo=UTC)
    assert parse(LogArguments, {"since": day}).since == datetime(2026, 3, 1, tzinfo=UTC)
    assert taken("search", query="x", since=day).since == datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize("number", ["20260301", "2026", " 1764000000 ", "1.5e9", 5, 1.5])
def test_a_number_is_no_time(number: str | float) -> None:
    """A reader of times that took it for seconds since 1970 let everything in."""
    with pytest.raises(InvalidArgument, match="since: must be a time such as 2026-11-20"):
        parse(LogArguments, {"since": number})


def test_a_day_that_no_calendar_has_is_refused() -> None:
    """It is not taken for another one."""
    assert refused("search", query="x", as_of="2026-02-30").startswith("as_of: must be a time such as 2026-11-20")


@pytest.mark.parametrize(
    ("tool", "given", "spelled"),
    [
        ("search", {"query": "x"}, {"status": "Needs review", "scope": "ALL", "mode": "Keyword"}),
        ("autology_query", {}, {"status": "needs-review", "mode": " Hybrid "}),
        ("analyze_propositions", {"subject": "x"}, {"kind": "Root Conflict"}),
        ("list_learned_knowledge", {}, {"cognitive_leap": "high"}),
        ("rate_learned_knowledge", {"learned_id": "x"}, {"vote": "UP"}),
        ("capture", {"content": "x"}, {"channel": "Hook-Commit"}),
        ("review", {}, {"kinds": ["Weak bridge", "DUPLICATE"]}),
        ("review", {}, {"decide": [{"item": "x", "decision": "Accept"}]}),
    ],
)
def test_words_that_are_chosen_among_are_read_whatever_their_case(
    tool: str, given: dict[str, Any], spelled: dict[str, Any]
) -> None:
    """As names of kinds are: spaces, hyphens and case do not matter."""
    meant = {
        "status": "needs_review", "scope": "all", "kind": "root_conflict", "cognitive_leap": "HIGH", "vote": "up",
        "channel": "hook_commit", "kinds": ["weak_bridge", "duplicate"],
        "decide": [{"item": "x", "decision": "accept"}],
        "mode": "keyword" if tool == "search" else "hybrid",
    }  # fmt: skip
    assert taken(tool, **given, **spelled) == taken(tool, **given, **{name: meant[name] for name in spelled})


def test_a_word_that_is_no_choice_is_refused_as_it_was_given() -> None:
    """Free text beside it is not touched."""
    assert refused("search", query="x", status="Accepted").endswith("not 'Accepted'")
    assert taken("search", query="ALL", status="ACTIVE").query == "ALL"
