"""Hint before: advised once a subject and caller, judged by subject and freshness, and never in the way."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from doors import Door, client, door, serving, text_of, visitor
from weft.errors import PrerequisiteSuggested
from weft.tools.offer import Offer
from weft.tools.prerequisites import FRESH, PREREQUISITES
from weft.tools.row import SEARCHED
from weft.tools.table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SEARCHES = {
    "search": {"query": "Holacracy"},
    "search_concepts": {"query": "Holacracy"},
    "autology_query": {"query": "Holacracy"},
    "semantic_search": {"query": "Holacracy"},
    "memory_recall": {"query": "Holacracy"},
}


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """Ann, a curator, before an empty graph."""
    with door(tmp_path) as opened:
        yield opened


def create(ann: Door, label: str = "Holacracy", **said: Any) -> dict[str, Any]:  # noqa: ANN401 - arguments of a tool
    """Create a concept and return the answer, or the error's."""
    return ann.answer("create_concept", {"label": label, **said})


def test_creating_without_a_search_is_advised_against_once_and_writes_nothing(ann: Door) -> None:
    """The answer is that of ADR-003: what to call first, why, and that the call can proceed."""
    head = ann.graph.log.head()
    answer = create(ann)
    assert answer["error"] == "PREREQUISITE_SUGGESTED"
    assert answer["key"] == "no_search_performed"
    assert "Consider calling search_concepts first" in answer["message"]
    assert "avoid creating duplicates" in answer["hint"]
    assert answer["can_proceed"] is True
    assert ann.graph.log.head() == head


def test_the_same_call_again_goes_through(ann: Door) -> None:
    """A nudge is given once a subject: the same label in other letters is the same subject."""
    create(ann)
    assert create(ann, "HOLACRACY")["success"] is True
    assert create(ann, "Sociocracy")["error"] == "PREREQUISITE_SUGGESTED"


def test_proceed_goes_through_at_once(ann: Door) -> None:
    """Nothing was nudged then."""
    assert create(ann, proceed=True)["success"] is True
    assert ann.graph.usage.tallies().get("nudged", 0) == 0


@pytest.mark.parametrize("tool", SEARCHES)
def test_a_search_by_any_toolset_counts(ann: Door, tool: str) -> None:
    """Whoever looked has looked."""
    ann.call(tool, **SEARCHES[tool])
    assert create(ann)["success"] is True


def test_every_tool_that_searches_says_so() -> None:
    """So that its searches count; a row that names an argument takes it."""
    searching = {tool.name for tool in TOOLS if tool.searched}
    assert set(SEARCHES) <= searching
    for tool in TOOLS:
        if tool.searched:
            assert tool.searched in tool.arguments.model_fields


def test_a_search_on_another_subject_does_not_count(ann: Door) -> None:
    """Searching for anything at all is no search on this."""
    ann.call("search_concepts", query="how to bake bread")
    assert create(ann)["error"] == "PREREQUISITE_SUGGESTED"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("what is holacracy and who uses it", "Holacracy"),
        ("role of assignments in a company", "The role assignment"),
        ("clay oven for pottery", "pottery kiln"),
    ],
)
def test_a_search_is_on_the_subject_by_its_words_or_its_meaning(ann: Door, query: str, label: str) -> None:
    """All words of the label stand in the query, or the two are alike by 0.70."""
    ann.call("search_concepts", query=query)
    assert create(ann, label)["success"] is True


def test_a_search_counts_for_thirty_minutes(ann: Door) -> None:
    """An older one does not."""
    now = datetime.now(UTC)
    ann.graph.usage.note(
        caller=ann.caller.id, event=SEARCHED, subject="Holacracy", at=now - FRESH - timedelta(minutes=1)
    )
    assert create(ann)["error"] == "PREREQUISITE_SUGGESTED"
    ann.graph.usage.note(caller=ann.caller.id, event=SEARCHED, subject="Sociocracy", at=now - FRESH / 2)
    assert create(ann, "Sociocracy")["success"] is True


def test_history_is_the_session_s_where_one_is_named(ann: Door) -> None:
    """Else the caller's own: neither counts for the other."""
    ann.call("search_concepts", query="Holacracy", session="monday")
    assert create(ann)["error"] == "PREREQUISITE_SUGGESTED"
    assert create(ann, session="tuesday")["error"] == "PREREQUISITE_SUGGESTED"
    assert create(ann.as_(id="somebody else"), session="monday")["success"] is True


def test_history_is_the_process_s_on_a_server(tmp_path: Path) -> None:
    """What was searched over MCP counts over MCP; another process begins anew."""

    async def main() -> tuple[dict[str, Any], dict[str, Any]]:
        async with client(held) as connected:
            await connected.call_tool("search_concepts", {"query": "Holacracy"})
            made = text_of(await connected.call_tool("create_concept", {"label": "Holacracy"}))
        async with client(another) as connected:
            return made, text_of(await connected.call_tool("create_concept", {"label": "Holacracy 2"}))

    with serving(tmp_path, toolsets="curation") as held, serving(tmp_path, toolsets="curation") as another:
        made, refused = anyio.run(main)
    assert made["success"] is True
    assert refused["error"] == "PREREQUISITE_SUGGESTED"


def test_a_nudge_is_an_error_with_a_status_over_http(tmp_path: Path) -> None:
    """With the same body as on every face; the same call again succeeds."""
    with serving(tmp_path, toolsets="curation") as held, visitor(held) as web:
        refused = web.post("/api/tools/create_concept", json={"label": "Holacracy"})
        assert refused.status_code >= 400
        assert refused.json()["key"] == "no_search_performed"
        assert web.post("/api/tools/create_concept", json={"label": "Holacracy"}).json()["success"] is True


def test_hints_off_switches_nudges_off(ann: Door) -> None:
    """And what may come next; a duplicate is told all the same."""
    quiet = ann.as_(hints="off")
    made = create(quiet)
    assert (made["success"], made["suggested_next_actions"]) == (True, [])
    assert create(quiet)["error"] == "DUPLICATE"


def test_a_nudge_leaves_no_receipt(ann: Door) -> None:
    """The same call with its key goes through the second time, and is answered with that from then on."""
    said = {"idempotency_key": "k"}
    assert create(ann, **said)["error"] == "PREREQUISITE_SUGGESTED"
    made = create(ann, **said)
    assert made["success"] is True
    assert create(ann, **said) == made


def test_merging_an_unflagged_pair_is_advised_against_once(ann: Door) -> None:
    """Flagging it, the same call again, or proceed lets it through; a flag of capture's counts as well."""
    text = "A kiln is an oven that bakes clay until it is hard."
    ids = [create(ann, f"Kiln {n}", description=f"{text} {'Pots ' * n}", proceed=True)["concept_id"] for n in range(4)]
    said = {"keep_id": ids[0], "merge_id": ids[1], "reason": "One."}
    answer = ann.answer("merge_concepts", said)
    assert (answer["error"], answer["key"]) == ("PREREQUISITE_SUGGESTED", "missing_flag")
    assert "flag_similar_concepts" in answer["message"]
    assert answer["can_proceed"] is True
    assert "batch" in ann.answer("merge_concepts", said)
    ann.call("flag_similar_concepts", concept_id=ids[2])
    assert "batch" in ann.answer("merge_concepts", {"keep_id": ids[0], "merge_id": ids[2], "reason": "One."})
    assert "batch" in ann.answer(
        "merge_concepts", {"keep_id": ids[0], "merge_id": ids[3], "reason": "One.", "proceed": True}
    )


def test_a_step_that_is_not_served_is_not_advised(ann: Door) -> None:
    """Another search is named instead; where none is served, nobody is sent to one."""
    only = ann.as_(tools=frozenset({"create_concept", "search"}))
    assert "Consider calling search first" in create(only)["message"]
    assert create(ann.as_(tools=frozenset({"create_concept"})), "Sociocracy")["success"] is True


def test_the_library_gets_the_nudge_as_an_exception(ann: Door) -> None:
    """Of its own class."""
    with pytest.raises(PrerequisiteSuggested):
        ann.call("create_concept", label="Holacracy")


def test_prerequisites_name_tools_that_exist_and_keys_that_are_worded(ann: Door) -> None:
    """A record that names nothing would advise nothing."""
    names = {tool.name for tool in TOOLS}
    assert {"no_search_performed", "missing_flag"} <= set(PREREQUISITES)
    for tool in TOOLS:
        for step in tool.prerequisites:
            assert step.tool in names
            assert step.key in tool.error_hints
            assert set(step.about) <= set(tool.arguments.model_fields)
            assert "proceed" in tool.arguments.model_fields
    assert ann.caller.tools == Offer.of(ann.graph.settings, toolsets="all").names
