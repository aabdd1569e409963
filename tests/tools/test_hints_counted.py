"""The hint network: its records name only what exists, and how often each hint is followed is counted."""

from __future__ import annotations

import json
import re
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from typer.testing import CliRunner

from doors import Door, client, door, serving, settings, text_of, visitor
from weft.errors import NotFound, PermissionDenied, WeftError
from weft.faces.cli import app
from weft.tools.gate import error_answer, operate
from weft.tools.prerequisites import FRESH
from weft.tools.row import MANNERS, TIERS
from weft.tools.table import TOOLS, tool_named

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = frozenset(tool.name for tool in TOOLS)
KILN = "A kiln is an oven that bakes clay until it is hard."


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """Ann, a curator, before an empty graph."""
    with door(tmp_path) as opened:
        yield opened


def counted(ann: Door) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Return how often each hint was followed, ignored, and is open."""
    found = ann.graph.usage.hints(since=datetime.now(UTC) - FRESH)
    return {(each.after, each.hint): (each.followed, each.ignored, each.open) for each in found}


# ---- the records


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_hint_record_names_only_tools_that_exist(tool: Any) -> None:  # noqa: ANN401 - a row
    """Prerequisites, next actions, ready-made arguments, error hints and the tier."""
    assert tool.needs in TIERS
    for action in tool.next_actions:
        assert action.tool in NAMES
        fields = tool_named(action.tool).arguments.model_fields
        assert set(action.arguments) <= set(fields), f"{action.tool} takes no {set(action.arguments) - set(fields)}"
        assert re.search(r"\bconsider\b", action.description, re.IGNORECASE)
    for step in tool.prerequisites:
        assert step.tool in NAMES
    words = {word for said in tool.error_hints.values() for word in re.findall(r"\b[a-z]+_[a-z_]+\b", said)}
    assert words <= NAMES, words - NAMES


def test_a_record_that_names_nothing_would_be_noticed() -> None:
    """The twin."""
    with pytest.raises(NotFound):
        tool_named("create_concepts")


def test_the_records_of_adr_003_are_as_it_gives_them() -> None:
    """Its three examples: tiers, prerequisites, next actions, the keys of the error hints, audit."""
    create, search, merge = map(tool_named, ("create_concept", "search_concepts", "merge_concepts"))
    assert (create.needs, search.needs, merge.needs) == ("contributor", "reader", "librarian")
    assert [step.tool for step in create.prerequisites] == ["search_concepts"]
    assert [step.tool for step in merge.prerequisites] == ["flag_similar_concepts"]
    assert [action.tool for action in create.next_actions] == ["create_relationship", "add_evidence"]
    assert [action.tool for action in search.next_actions] == [
        "create_concept",
        "create_relationship",
        "get_concept_details",
    ]
    assert set(create.error_hints) == {"duplicate_concept", "no_search_performed"}
    assert set(merge.error_hints) == {"insufficient_similarity", "missing_flag"}
    assert (create.audit, search.audit, merge.audit) == (False, False, True)


def test_an_audited_tool_takes_a_reason() -> None:
    """And demands it, but for taking a merge back, where the merge's own reason stands."""
    audited = {tool.name: tool for tool in TOOLS if tool.audit}
    assert {"merge_concepts", "unmerge_concepts", "prune"} <= set(audited)
    for name, tool in audited.items():
        assert "reason" in tool.arguments.model_fields
        assert ("reason" in tool.input_schema["required"]) is (name != "unmerge_concepts")


# ---- followed, ignored


def test_a_hint_that_is_followed_counts_as_followed(ann: Door) -> None:
    """Offered, then called by the same caller; the others stay open."""
    ann.call("search_concepts", query="Holacracy")
    assert counted(ann) == {("search_concepts", "create_concept"): (0, 0, 1)}
    ann.call("create_concept", label="Holacracy")
    assert counted(ann)["search_concepts", "create_concept"] == (1, 0, 0)
    assert counted(ann)["create_concept", "add_evidence"] == (0, 0, 1)


def test_another_caller_s_call_follows_nothing(ann: Door) -> None:
    """Nor does another session's."""
    ann.call("search_concepts", query="Holacracy")
    ann.as_(id="bob").call("create_concept", label="Holacracy", proceed=True)
    ann.call("create_concept", label="Sociocracy", proceed=True, session="monday")
    assert counted(ann)["search_concepts", "create_concept"] == (0, 0, 1)


def test_a_hint_is_ignored_when_its_time_is_up(ann: Door) -> None:
    """Thirty minutes; following it later follows nothing."""
    long_ago = datetime.now(UTC) - FRESH - timedelta(minutes=1)
    ann.graph.usage.offered(caller=ann.caller.id, after="search", hints=["fetch"], at=long_ago)
    ann.call("capture", content=KILN, title="Kiln")
    ann.call("fetch", id="Kiln")
    assert counted(ann)["search", "fetch"] == (0, 1, 0)


def test_a_nudge_is_followed_by_any_search_and_by_flagging(ann: Door) -> None:
    """Under the key of the prerequisite."""
    ann.answer("create_concept", {"label": "Holacracy"})
    assert counted(ann)["create_concept", "no_search_performed"] == (0, 0, 1)
    ann.call("search", query="Holacracy")
    assert counted(ann)["create_concept", "no_search_performed"] == (1, 0, 0)


def test_a_call_that_fails_follows_nothing(ann: Door) -> None:
    """Nor does it offer anything."""
    ann.call("search_concepts", query="Holacracy")
    ann.answer("create_concept", {"label": " "})
    assert counted(ann) == {("search_concepts", "create_concept"): (0, 0, 1)}


def test_counting_costs_a_call_little(ann: Door) -> None:
    """Under 0.2 ms on the caller's thread, on average: the rest is written aside, much at once."""
    usage, now = ann.graph.usage, datetime.now(UTC)
    started = time.thread_time()
    for _ in range(200):
        usage.did(caller="ann", hints=("search", "no_search_performed"), since=now - FRESH)
        usage.offered(caller="ann", after="search", hints=("fetch", "trace"), at=now)
    assert (time.thread_time() - started) / 200 < 0.0002


def test_hints_off_counts_nothing(ann: Door) -> None:
    """Nothing is offered, so nothing can be followed."""
    quiet = ann.as_(hints="off")
    quiet.call("search_concepts", query="Holacracy")
    quiet.call("create_concept", label="Holacracy")
    assert counted(ann) == {}


def test_stats_are_told_on_the_command_line(tmp_path: Path) -> None:
    """As lines, and as JSON; what one process counted the next one tells."""
    chosen, runner = settings(tmp_path), CliRunner()
    ahead = ["--graph", chosen.graph, "--actor", "ann"]

    def weft(*words: str) -> Any:  # noqa: ANN401 - the runner's result
        return runner.invoke(app, [*ahead, *words])

    weft("init")
    assert "No hint was given yet" in weft("hints", "stats").stdout
    said = json.dumps({"label": "Holacracy"})
    assert weft("call", "create_concept", "--json-args", said).exit_code == 1
    weft("search", "Holacracy")
    assert weft("call", "create_concept", "--json-args", said).exit_code == 0
    answer = json.loads(weft("hints", "stats", "--json").stdout)
    rows = {(row["after"], row["hint"]): row for row in answer["hints"]}
    assert rows["create_concept", "no_search_performed"]["followed"] == 1
    assert answer["nudges"] == 1
    assert "create_concept → no_search_performed: 1 followed" in weft("hints", "stats").stdout


# ---- audit


def test_an_audited_call_is_recorded_whether_it_is_done_or_refused(ann: Door) -> None:
    """With who, what, why, and what came of it; the reason of what was done stands in the log as well."""
    ids = [
        ann.call("create_concept", label=f"Kiln {n}", description=f"{KILN} {n}", proceed=True)["concept_id"]
        for n in range(2)
    ]
    said = {"keep_id": ids[0], "merge_id": ids[1], "reason": "One thing."}
    reader = door_of(ann, "reader")
    reader.answer("merge_concepts", said)
    ann.answer("merge_concepts", {"keep_id": ids[0], "merge_id": ids[1]})
    ann.answer("merge_concepts", said)
    done = ann.call("merge_concepts", **said)
    calls = ann.graph.usage.audits(limit=9)
    assert [(each.outcome, each.key, each.tier) for each in calls] == [
        ("done", "", "curator"),
        ("PREREQUISITE_SUGGESTED", "missing_flag", "curator"),
        ("INVALID_ARGUMENT", "", "curator"),
        ("PERMISSION_DENIED", "", "reader"),
    ]
    assert (calls[0].batch, calls[0].reason, calls[0].actor) == (done["batch"], "One thing.", "ann")
    assert json.loads(calls[0].arguments) == {"keep_id": ids[0], "merge_id": ids[1]}
    assert ann.graph.store.nodes((ids[1],))[ids[1]].retired.why == "One thing."


def door_of(ann: Door, tier: str) -> Door:
    """Return the same graph for a caller of this tier."""
    from weft.model import Tier

    return ann.as_(tier=Tier[tier.upper()])


def test_what_is_not_audited_is_not_recorded(ann: Door) -> None:
    """The twin."""
    ann.call("create_concept", label="Kiln", proceed=True)
    assert ann.graph.usage.audits(limit=9) == ()


def test_strange_arguments_are_recorded_all_the_same(ann: Door) -> None:
    """Cut where they are long; halves of surrogate pairs and objects do no harm."""
    ann.answer("prune", {"what": "orphans", "reason": "\ud800" + "x" * 9_000, "limit": object()})
    (call,) = ann.graph.usage.audits(limit=9)
    assert call.outcome == "INVALID_ARGUMENT"
    assert len(call.reason) <= 2_000


def test_only_a_curator_reads_the_audit(tmp_path: Path, ann: Door) -> None:
    """On the command line; stats are open to readers."""
    with pytest.raises(PermissionDenied, match="curator"):
        operate(ann.graph, "hints_audit", door_of(ann, "librarian").caller, lambda _: ())
    assert operate(ann.graph, "hints_stats", door_of(ann, "reader").caller, lambda _: ()) == {"hints": [], "nudges": 0}
    ann.call("prune", what="orphans", reason="Spring.")
    ann.graph.usage.close()
    runner, ahead = CliRunner(), ["--graph", settings(tmp_path).graph]
    shown = runner.invoke(app, [*ahead, "hints", "audit"]).stdout
    assert "prune: done" in shown
    assert "Spring." in shown
    (row,) = json.loads(runner.invoke(app, [*ahead, "hints", "audit", "--json"]).stdout)["calls"]
    assert (row["tool"], row["reason"]) == ("prune", "Spring.")
    assert runner.invoke(app, [*ahead, "--role", "librarian", "hints", "audit"]).exit_code == 1


# ---- the second name, the status


def test_the_tools_of_research_give_their_next_actions_under_both_names(ann: Door) -> None:
    """The same list; no other toolset does."""
    ann.call("ingest_hypothesis", hypothesis="Stoneware is dense.")
    answer = ann.call("semantic_search", query="stoneware")
    assert answer["available_actions"] == answer["suggested_next_actions"]
    assert answer["available_actions"]
    assert "available_actions" not in ann.call("search", query="stoneware")
    for tool in TOOLS:
        assert ("available_actions" in tool.output_schema["required"]) is (tool.toolset == "research")
    assert set(MANNERS) == {"research"}


def test_errors_of_research_carry_a_status_on_every_face(tmp_path: Path) -> None:
    """Those that the gate never sees, too; no other toolset's do."""
    wrong, runner = {"unit_id": "nowhere"}, CliRunner()

    async def over_mcp() -> dict[str, Any]:
        async with client(held) as connected:
            return text_of(await connected.call_tool("get_unit", wrong))

    with door(tmp_path) as ann:
        answers = [ann.answer("get_unit", wrong)]
        assert "status" not in ann.answer("fetch", {"id": "nowhere"})
    with serving(tmp_path, toolsets="all") as held, visitor(held) as web:
        answers += [anyio.run(over_mcp), web.post("/api/tools/get_unit", json=wrong).json()]
        assert web.post("/api/tools/get_unit", json=[]).json()["status"] == "error"
        assert "status" not in web.post("/api/tools/fetch", json=[]).json()
    ahead = ["--graph", settings(tmp_path).graph, "--json", "call", "get_unit", "--json-args"]
    answers.append(json.loads(runner.invoke(app, [*ahead, json.dumps(wrong)]).stdout))
    assert answers[0]["status"] == "error"
    assert answers[0]["error"] == "NOT_FOUND"
    assert all(answer == answers[0] for answer in answers)
    assert json.loads(runner.invoke(app, [*ahead, "[]"]).stdout)["status"] == "error"


def test_an_unknown_tool_s_error_has_no_manner() -> None:
    """It belongs to no toolset."""
    error = NotFound("tool: there is none called x")
    assert error_answer("x", error) == error.answer()
    assert isinstance(error, WeftError)
