"""The one gate: tiers, receipts, advice, bounds; an error writes nothing."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from doors import Door, door, settings
from weft.errors import Ambiguous, Conflict, InvalidArgument, NotFound, PermissionDenied
from weft.model import BridgeEnd, BridgeHint, Hits, NearMisses, Tier
from weft.model.codec import json_text
from weft.services.search.searching import HOLDING_MAX
from weft.tools.core import answers
from weft.tools.core.arguments import SearchArguments
from weft.tools.gate import call, operate
from weft.tools.rendering import BUDGET
from weft.tools.row import TIERS
from weft.tools.table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHOICE = "We chose SQLite for the job queue: one file, no server to run."
RIVAL = "The job queue needs a server of its own, such as Redis."


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """Ann, a curator, before an empty graph."""
    with door(tmp_path) as opened:
        yield opened


def told(ann: Door) -> dict[str, Any]:
    """Capture the choice and return the answer."""
    return ann.call("capture", content=CHOICE, title="Queue on SQLite", kind="decision")


def rival(ann: Door) -> dict[str, Any]:
    """Capture the other opinion and return the answer."""
    return ann.call("capture", content=RIVAL, title="Queue on Redis", kind="decision", ontology="rivals")


def test_a_page_beyond_the_last_hit_does_not_say_that_nothing_was_found(tmp_path: Path) -> None:
    """What is there need not be captured again; the twin finds nothing."""
    with door(tmp_path, hints="full") as opened:
        told(opened)
        beyond = opened.call("search", query="job queue", offset=50)
        assert (beyond["hits"], beyond["total"]) == ([], 1)
        assert beyond["suggested_next_actions"] == []
        none = opened.call("search", query="zebra finches")
        assert [row["tool"] for row in none["suggested_next_actions"]] == ["capture"]


@pytest.mark.parametrize("typed", ["Queue on SQLlite", "queue SQLite", "SQLite"])
def test_a_name_that_no_node_has_is_answered_with_the_nodes_that_may_be_meant(ann: Door, typed: str) -> None:
    """Letters amiss, or some of the words: the id of what is meant stands in the error, whichever tool was called."""
    told(ann)
    meant = rival(ann)["id"]
    for name, arguments in (
        ("fetch", {"id": typed}),
        ("relate", {"source": meant, "target": typed, "type": "contradicts", "reasoning": "One wants a server."}),
    ):
        with pytest.raises(NotFound) as caught:
            ann.call(name, **arguments)
        (only,) = caught.value.answer()["candidates"]
        assert only["title"] == "Queue on SQLite"
        assert "candidates" in caught.value.hint


def test_a_name_like_none_is_offered_nothing(ann: Door) -> None:
    """The twin: what a search finds for it bears on it, and is not called so."""
    told(ann)
    for typed in ("job queue servers", "zebra", "0"):
        with pytest.raises(NotFound) as caught:
            ann.call("fetch", id=typed)
        assert "candidates" not in caught.value.answer()


def test_nothing_is_offered_that_the_graph_is_not_open_for(tmp_path: Path) -> None:
    """A login of a database may be a reader, whatever role the process goes by; the twin may write."""
    from weft.graph import open as open_graph

    with door(tmp_path) as ann:
        (offered,) = ann.call("search", query="zebra finches")["suggested_next_actions"]
    assert offered["tool"] == "capture"
    with open_graph(settings=settings(tmp_path), tier=Tier.READER) as graph:
        answer = call(graph, "search", {"query": "zebra finches"}, ann.caller)
    assert answer["suggested_next_actions"] == []


def test_a_bridge_between_the_newest_does_not_name_a_question_that_nobody_asked() -> None:
    """The reasoning that would be kept says how the two came up: by a query, or without one."""
    one, other = (BridgeEnd(id=name, title=name, ontology=name) for name in ("node1", "node2"))
    hint = BridgeHint(one=one, other=other, similarity=0.8)
    found = Hits(hits=(), total=2, near_misses=NearMisses(count=0, threshold=0.5), bridge_hint=hint)
    for query, words in ((" ", "came up together among the newest"), ("queue", "came up together for «queue»")):
        call = answers.hits(found, SearchArguments(query=query))["bridge_hint"]["record_with"]
        assert words in call["arguments"]["reasoning"]


def test_keyword_says_where_more_hold_every_word_than_are_scored() -> None:
    """The total is no count of all then; a blank query, and the other modes, count all."""
    found = Hits(hits=(), total=HOLDING_MAX, near_misses=NearMisses(count=0, threshold=0.5))
    assert "newest 300" in answers.hits(found, SearchArguments(query="queue", mode="keyword"))["left_out"]
    for query, mode in ((" ", "keyword"), ("queue", "hybrid")):
        assert answers.hits(found, SearchArguments(query=query, mode=mode))["left_out"] is None


# What each tool of the table is called with, once the two notes are there; every row has a line.
CALLS: dict[str, dict[str, Any]] = {
    "capture": {"content": "Redis keeps the job queue in memory.", "kind": "claim"},
    "search": {"query": "job queue"},
    "fetch": {"id": "Queue on SQLite"},
    "update": {"id": "Queue on SQLite", "tags": ["queue"]},
    "forget": {"id": "Queue on Redis", "confirm": True},
    "relate": {"source": "Queue on SQLite", "target": "Queue on Redis", "type": "contradicts", "reasoning": "Or."},
    "unrelate": {"source": "Queue on SQLite", "target": "Queue on Redis", "type": "uses"},
    "trace": {"start": "Queue on SQLite", "end": "Queue on Redis"},
    "challenge": {"claim": "The job queue needs no server of its own."},
    "bridge": {"ontology1": "notes", "ontology2": "rivals"},
    "synthesize": {"label": "Queues", "bridges": ["Queue on SQLite", "Queue on Redis"], "evidence": "Two job queues."},
    "context": {"task": "replace the job queue"},
    "review": {"decide": [{"item": "0190-none", "decision": "dismiss"}]},
    "status": {},
}


def test_every_row_has_a_call_here() -> None:
    """A new tool is not forgotten by the tests below."""
    assert CALLS.keys() == {tool.name for tool in TOOLS if tool.toolset == "core"}


@pytest.mark.parametrize("name", CALLS)
def test_every_answer_is_what_its_schema_says(ann: Door, name: str) -> None:
    """Top-level fields as promised, nothing beyond them, JSON all through, no nulls."""
    told(ann)
    rival(ann)
    tool = next(tool for tool in TOOLS if tool.name == name)
    answer = ann.call(name, **CALLS[name])
    Draft202012Validator(tool.output_schema).validate(answer)
    assert answer.keys() <= tool.output_schema["properties"].keys()
    text = json_text(answer)
    assert json.loads(text) == answer
    assert "null" not in text.replace('"null', "")
    assert len(text.encode()) <= BUDGET + 2_000


@pytest.mark.parametrize("role", TIERS)
@pytest.mark.parametrize("name", CALLS)
def test_every_tool_and_role_has_one_outcome(tmp_path: Path, name: str, role: str) -> None:
    """A tier below the row's is refused with the tier that is needed, and nothing is written."""
    with door(tmp_path) as ann:
        told(ann)
        rival(ann)
    tool = next(tool for tool in TOOLS if tool.name == name)
    needs = "librarian" if name == "review" else tool.needs
    with door(tmp_path, role=role) as visitor:
        head = visitor.graph.log.head()
        if TIERS.index(role) >= TIERS.index(needs):
            assert "error" not in visitor.answer(name, CALLS[name])
            return
        with pytest.raises(PermissionDenied, match=f"needs the tier {needs}; this caller is a {role}"):
            visitor.call(name, **CALLS[name])
        assert visitor.graph.log.head() == head


def test_anybody_may_look_at_what_waits(tmp_path: Path) -> None:
    """Only deciding needs a librarian."""
    with door(tmp_path) as ann:
        told(ann)
    with door(tmp_path, role="reader") as reader:
        assert set(reader.call("review")) >= {"items", "decided", "remaining"}


def test_arguments_never_change_who_calls(ann: Door) -> None:
    """Actor, client and tier come from the caller alone."""
    made = ann.as_(actor="bo", client="probe").call("capture", content=CHOICE)
    node = ann.graph.store.nodes([made["id"]])[made["id"]]
    assert node.created_by == "bo"
    assert ann.graph.log.history(node.id, limit=1)[0].client == "probe"
    for smuggled in ("actor", "role", "tier", "client"):
        with pytest.raises(InvalidArgument, match=f"{smuggled}: there is no such argument"):
            ann.call("search", query="x", **{smuggled: "curator"})


# Receipts


def test_the_same_call_under_a_key_is_done_once_and_answered_twice(ann: Door) -> None:
    """Byte for byte, with no second change."""
    first = ann.call("capture", content=CHOICE, idempotency_key="k1")
    head = ann.graph.log.head()
    again = ann.call("capture", content=CHOICE, idempotency_key="k1")
    assert json_text(again) == json_text(first)
    assert ann.graph.log.head() == head


def test_spelling_and_defaults_do_not_make_another_call(ann: Door) -> None:
    """What is compared are the arguments as they are understood."""
    told(ann)
    rival(ann)
    call = {"source": "Queue on SQLite", "target": "Queue on Redis", "reasoning": "Both.", "idempotency_key": "k"}
    first = ann.call("relate", type="relates_to", **call)
    assert ann.call("relate", type="RELATED-TO", confidence=0.8, evidence=None, **call) == first


def test_a_key_used_for_another_call_is_a_conflict(ann: Door) -> None:
    """Nothing is written, and the key is named."""
    ann.call("capture", content=CHOICE, idempotency_key="k1")
    head = ann.graph.log.head()
    with pytest.raises(Conflict, match="idempotency_key: 'k1' was used for another capture"):
        ann.call("capture", content=RIVAL, idempotency_key="k1")
    assert ann.graph.log.head() == head


def test_a_key_belongs_to_one_actor_and_one_tool(ann: Door) -> None:
    """The same word used elsewhere is another key."""
    first = ann.call("capture", content=CHOICE, idempotency_key="k1")
    ann.as_(actor="bo").call("capture", content=RIVAL, idempotency_key="k1")
    ann.call("update", id=first["id"], tags=["x"], idempotency_key="k1")


def test_errors_leave_no_receipt(ann: Door) -> None:
    """A call that failed may be corrected under its key."""
    with pytest.raises(NotFound):
        ann.call("update", id="nowhere", tags=["x"], idempotency_key="k1")
    told(ann)
    assert ann.call("update", id="Queue on SQLite", tags=["x"], idempotency_key="k1")["version"] == 2


def test_a_receipt_whose_object_is_gone_answers_not_found(ann: Door) -> None:
    """A repeated capture does not claim that a forgotten node is there."""
    made = ann.call("capture", content=CHOICE, idempotency_key="k1")
    ann.call("forget", id=made["id"], confirm=True)
    with pytest.raises(NotFound, match="is gone"):
        ann.call("capture", content=CHOICE, idempotency_key="k1")


def test_a_repeated_forget_is_answered_as_the_first(ann: Door) -> None:
    """What the call itself removed does not count as gone."""
    told(ann)
    first = ann.call("forget", id="Queue on SQLite", confirm=True, idempotency_key="k1")
    assert ann.call("forget", id="Queue on SQLite", confirm=True, idempotency_key="k1") == first


def test_the_same_call_from_many_threads_is_done_once(ann: Door) -> None:
    """Whoever comes second finds the receipt, before or after its commit."""
    with ThreadPoolExecutor(6) as pool:
        answers = list(
            pool.map(lambda _: ann.answer("capture", {"content": CHOICE, "idempotency_key": "k1"}), range(6))
        )
    assert len({json_text(answer) for answer in answers}) == 1
    assert ann.graph.store.counts().nodes == 1


def test_reading_tools_take_no_key(ann: Door) -> None:
    """The twin: a key where nothing is written is an unknown argument."""
    with pytest.raises(InvalidArgument, match="idempotency_key: there is no such argument"):
        ann.call("search", query="x", idempotency_key="k")


# Advice


def test_advice_names_only_what_is_served(ann: Door) -> None:
    """And it can be followed as it stands."""
    told(ann)
    rival(ann)
    found = ann.call("search", query="job queue")
    (fetch,) = found["suggested_next_actions"]
    assert fetch["tool"] == "fetch"
    assert ann.call("fetch", **fetch["arguments"])["id"] == found["hits"][0]["id"]
    lonely = ann.as_(tools=frozenset({"search"})).call("search", query="job queue")
    assert lonely["suggested_next_actions"] == []


def test_a_verdict_comes_with_a_call_that_records_it(ann: Door) -> None:
    """What is left to judge can be recorded as it stands, unless the tool for it is not served.

    What a claim is supported by supports it.
    """
    told(ann)
    rival(ann)
    weighed = ann.call("challenge", claim="Job queues are easier to run when they live in one file.")
    sides = weighed["to_judge"]
    assert sides, weighed
    call = sides[0]["record_with"]
    made = ann.call(call["tool"], **call["arguments"])
    (wish,) = call["arguments"]["relations"]
    assert wish["type"] in call["type_choices"] == ["contradicts", "supported_by"]
    assert made["relations"][0]["type"] == {"contradicts": "contradicts", "supported_by": "supports"}[wish["type"]]
    served = ann.as_(tools=frozenset({"challenge"})).call("challenge", claim="Job queues live in one file.")
    assert "record_with" not in json_text(served)


def test_what_speaks_for_a_claim_is_recorded_from_the_text_to_the_claim(ann: Door) -> None:
    """Whether the claim is captured with the verdict or is there already: the premise is not made the conclusion."""
    text = ann.call("capture", content="Job queues in one file need no server of their own.", kind="claim")["id"]
    claim = "Job queues are easier to run when they live in one file."
    call = _recording(ann, claim, of=text)
    call["arguments"]["relations"][0]["type"] = "supported_by"
    (relation,) = ann.call(call["tool"], **call["arguments"])["relations"]
    own = ann.call("fetch", id=claim)["id"]
    assert (relation["source"], relation["type"], relation["target"]) == (text, "supports", own)
    assert relation["other_title"].startswith("Job queues in one file")
    other = ann.call(
        "capture", content="Whoever runs job queues in one file copies them with a plain copy.", kind="claim"
    )
    call = _recording(ann, claim, of=other["id"])
    made = ann.call(call["tool"], **{**call["arguments"], "type": "supports"})["relation"]
    assert (made["source"], made["target"]) == (other["id"], own)


def _recording(ann: Door, claim: str, *, of: str) -> dict[str, Any]:
    (call,) = (row["record_with"] for row in ann.call("challenge", claim=claim)["to_judge"] if row["id"] == of)
    return dict(call)


def test_a_doubtful_kind_comes_with_a_call_that_sets_another(ann: Door) -> None:
    """When it is captured and when it is reviewed; not to whoever is not served that call, nor where none is near."""
    made = ann.call("capture", content="Retries back off from 200 ms.")
    found = made["classification"]
    assert (found["kind"], found["confident"], found["method"]) == ("concept", False, "wording")
    for item in (*made["suggestions"], *ann.call("review")["items"]):
        recording = item["record_with"]
        assert (recording["tool"], recording["arguments"]["id"]) == ("update", made["id"])
        assert recording["arguments"]["kind"] == recording["kind_choices"][0] != "concept"
        assert set(recording["kind_choices"]) <= {kind for kind, _ in item["grounds"]["alternatives"]}
    reader = ann.as_(tier=Tier.READER, tools=frozenset({"review"}))
    assert "record_with" not in reader.call("review")["items"][0]
    ann.call("update", **recording["arguments"])
    assert ann.call("fetch", id=made["id"])["node"]["kind"] == recording["kind_choices"][0]
    bare = ann.call("autology_capture", title="Bare", content="A decision: we chose the alternative.")
    assert "record_with" not in bare["suggestions"][0]


def test_a_kind_that_is_far_less_likely_than_the_guess_is_not_offered_in_its_place(ann: Door) -> None:
    """It stands among the alternatives, for whoever wants to know."""
    made = ann.call("capture", content="The gateway is restarted by hand after the cache is flushed, says Ana.")
    found = made["classification"]
    assert not found["confident"]
    assert all(each["confidence"] < found["confidence"] / 2 for each in found["alternatives"])
    assert [each for each in made["suggestions"] if "record_with" in each] == []
    assert "update" not in [each["tool"] for each in made["suggested_next_actions"]]


def test_a_tag_that_no_node_has_is_told_in_the_answer(ann: Door) -> None:
    """Of every tool that filters by tags; one that is there in another case is found and nothing is told."""
    ann.call("capture", content="Tokens expire after an hour.", kind="solution", tags=["auth"])
    for tool, rows in (("search", "hits"), ("autology_query", "nodes"), ("memory_recall", "memories")):
        asked = {"query": "tokens"} if tool != "autology_query" else {}
        found = ann.call(tool, tags=["AUTH"], **asked)
        assert (len(found[rows]), "warning" in found) == (1, False)
        none = ann.call(tool, tags=["oauth"], **asked)
        assert (none[rows], none["warning"]) == ([], "No node has the tag «oauth»; near: «auth».")


def test_hints_can_be_switched_off(ann: Door) -> None:
    """The field stays, so that its schema holds."""
    assert ann.as_(hints="off").call("status")["suggested_next_actions"] == []


def test_a_search_is_remembered_under_its_session(ann: Door) -> None:
    """Whose history counts: the session that the call names, else the caller."""
    from datetime import UTC, datetime, timedelta

    since = datetime.now(UTC) - timedelta(minutes=1)
    ann.call("search", query="job queue", session="s1")
    ann.call("search", query="something else")
    assert ann.graph.usage.noted(caller="s1", event="searched", since=since) == ("job queue",)
    assert ann.graph.usage.noted(caller=ann.caller.id, event="searched", since=since) == ("something else",)


# Errors and sizes


def test_an_ambiguous_title_is_refused_with_its_candidates(ann: Door) -> None:
    """The answer alone is enough to call again."""
    ann.call("capture", content="One.", title="Same", ontology="a", kind="claim")
    ann.call("capture", content="Two, quite different.", title="Same", ontology="b", kind="claim")
    with pytest.raises(Ambiguous) as caught:
        ann.call("fetch", id="Same")
    answer = caught.value.answer()
    assert answer["error"] == "AMBIGUOUS"
    assert {ann.call("fetch", id=each["id"])["title"] for each in answer["candidates"]} == {"Same"}


def test_an_unknown_tool_is_not_found(ann: Door) -> None:
    """Faces turn this into their own form."""
    with pytest.raises(NotFound, match="the nearest are search"):
        ann.call("serch", query="x")


def test_a_huge_node_is_cut_and_says_so(ann: Door) -> None:
    """Results stay under about eight thousand tokens."""
    long = "".join(f"Sentence number {number} about the queue. " for number in range(2_300))
    made = ann.call("capture", content=long, title="Long", kind="general")
    concise = ann.call("fetch", id=made["id"])
    assert len(concise["node"]["content"]) <= 8_001
    assert concise["left_out"] == f"content: characters 0 to 8000 of {len(long)}; offset 8000 goes on"
    whole = ann.call("fetch", id=made["id"], detail="detailed")
    assert len(json_text(whole).encode()) <= BUDGET
    assert "cut at 20000 characters, where fetch goes on with offset 20000" in whole["left_out"]


@pytest.mark.parametrize("letter", ["x", "水", "🜁", '"', "\n"])
def test_a_long_text_is_read_to_its_end(ann: Door, letter: str) -> None:
    """Part by part, each whole in its answer whatever its letters take; the last names no further one."""
    long = f"It began so.\n{letter * 7_000} {'y' * 9_000}{letter * 7_000} and ended so."
    made = ann.call("capture", content=long, title="Long", kind="general")
    read, offset = "", 0
    while offset is not None:
        part = ann.call("fetch", id=made["id"], offset=offset)
        offset = part.get("next_offset")
        read += part["node"]["content"].removesuffix("…") if offset else part["node"]["content"]
        assert offset is None or {"id": made["id"], "offset": offset} in _arguments(part)
    assert read == ann.graph.store.nodes((made["id"],))[made["id"]].content
    assert ann.call("fetch", id=made["id"], offset=99_000)["node"].get("content", "") == ""


def _arguments(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return [each["arguments"] for each in answer["suggested_next_actions"]]


def test_detail_changes_the_fields_of_hits_only(ann: Door) -> None:
    """Concise is the default."""
    told(ann)
    concise = ann.call("search", query="job queue")
    detailed = ann.call("search", query="job queue", detail="detailed")
    assert concise.keys() == detailed.keys()
    assert {"id", "title", "kind", "ontology", "snippet", "score", "why"} <= concise["hits"][0].keys()
    assert "content" not in concise["hits"][0]
    assert detailed["hits"][0]["content"] == CHOICE


def test_undo_is_an_operation_with_a_tier(ann: Door) -> None:
    """Operators' verbs pass the same gate."""
    made = told(ann)
    undone = operate(ann.graph, "undo", ann.caller, lambda call: ann.graph.curate.undo(made["batch"], call))
    assert undone["reverted"] >= 1
    low = ann.as_(tier=Tier.CONTRIBUTOR).caller
    with pytest.raises(PermissionDenied, match="undo needs the tier librarian"):
        operate(ann.graph, "undo", low, lambda call: ann.graph.curate.undo(undone["undo_batch"], call))
    with pytest.raises(NotFound, match="there are undo, ingest"):
        operate(ann.graph, "explode", ann.caller, lambda _: None)
