"""What holds now and what no longer does, as a caller is told of it; and advice that a caller can follow."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from doors import Door, door

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OFTEN = "Heron polls the carriers every five minutes."
ADAPTIVE = "Polling is adaptive: often while a parcel is out for delivery, hourly otherwise."


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """Ann, a curator who is told everything, before an empty graph."""
    with door(tmp_path, hints="full") as opened:
        yield opened


def replaced(ann: Door) -> tuple[str, str]:
    """Capture what was decided and what replaced it, and return the ids of the two."""
    old = ann.call("capture", content=OFTEN, title="Polling interval", kind="decision")["id"]
    new = ann.call("capture", content=ADAPTIVE, title="Adaptive polling", kind="decision")["id"]
    ann.call("update", id=old, superseded_by=new)
    return old, new


def offered(answer: dict[str, Any]) -> list[str]:
    """Return the tools that an answer offers next."""
    return [row["tool"] for row in answer["suggested_next_actions"]]


def test_what_is_found_says_when_it_was_written_and_whether_it_holds(ann: Door) -> None:
    """Of two that say different things the newer can be told; one that was not changed since says one time only."""
    old, _ = replaced(ann)
    fresh = ann.call("capture", content="Carriers are polled by three workers.", kind="claim")["id"]
    for name, given, rows in (
        ("search", {"query": "polling carriers"}, "hits"),
        ("context", {"task": "polling carriers"}, "nodes"),
    ):
        found = {row["id"]: row for row in ann.call(name, **given)[rows]}
        assert found[old]["status"] == "superseded"
        assert found[old]["created_at"] < found[old]["modified_at"]
        assert found[fresh]["created_at"] > found[old]["created_at"]
        assert not {"status", "modified_at"} & found[fresh].keys()
    recalled = {row["id"]: row for row in ann.call("memory_recall", query="polling carriers")["memories"]}
    assert recalled[old]["status"] == "superseded"
    assert recalled[old]["created"] < recalled[fresh]["created"]


def test_what_is_superseded_speaks_last_for_a_claim_and_names_what_replaced_it(ann: Door) -> None:
    """However near it lies: a decision that was taken back is no ground to build on."""
    old, new = replaced(ann)
    other = ann.call("capture", content="Every five minutes Heron polls all of the carriers anew.", kind="claim")["id"]
    claim = "The carriers are polled by Heron every five minutes."
    weighed = ann.call("challenge", claim=claim)
    sides = [*weighed["supports"], *weighed["to_judge"]]
    assert {old, other} <= {row["id"] for row in sides}
    for group in (weighed["supports"], weighed["conflicts"], weighed["to_judge"]):
        held = [row.get("status") != "superseded" for row in group]
        assert held == sorted(held, reverse=True)
    stale = next(row for row in sides if row["id"] == old)
    assert stale["superseded_by"] == {"id": new, "title": "Adaptive polling"}
    found = ann.call("find_contradictions", claim=claim)
    units = {row["unit_id"]: row for row in (*found["supporting"], *found["to_judge"])}
    assert units[old]["superseded_by"] == new
    assert "superseded_by" not in units[other]


SESSIONS = """# ADR-0003: Sessions in Redis

## Context
Sessions must survive a restart of the web process.

## Consequences
Operations must run a Redis cluster.
"""
MOVED = """# ADR-0012: Sessions in PostgreSQL

Supersedes: ADR-0003

## Context
Sessions must survive a restart of the web process.

## Decision
We keep sessions in PostgreSQL.
"""


def test_what_stands_in_a_superseded_document_alone_names_that_and_what_replaced_it(ann: Door) -> None:
    """Nobody said that it no longer holds, so it ranks as before; what the newer document states too is no news."""
    ann.call("ingest", text=SESSIONS, document="0003.md")
    cluster, restart = "Operations must run a Redis cluster", "Sessions must survive a restart of the web process"
    reads = (("search", "query", "hits"), ("context", "task", "nodes"), ("challenge", "claim", "to_judge"))

    def told(title: str) -> list[dict[str, Any] | None]:
        asked = "Operations ran a Redis cluster so that sessions survive a restart of the web process."
        rows = [row for name, field, part in reads for row in ann.call(name, **{field: asked})[part]]
        return [row.get("superseded_document") for row in rows if row["title"] == title]

    assert told(cluster) == [None, None, None]
    ann.call("ingest", text=MOVED, document="0012.md")
    (within, *others) = told(cluster)
    assert within is not None
    assert (within["title"], within["superseded_by"]["title"]) == ("Sessions in Redis", "Sessions in PostgreSQL")
    assert others == [within, within]
    assert told(restart) == [None, None, None]
    found = ann.call("search", query=cluster)
    assert found["hits"][0]["title"] == cluster
    assert "status" not in found["hits"][0]
    assert found["suggested_next_actions"][0]["arguments"] == {"id": within["superseded_by"]["id"]}


def test_a_document_that_nothing_is_known_to_replace_is_told_without_a_successor(ann: Door) -> None:
    """As of a time before that, nothing is told."""
    ann.call("ingest", text=SESSIONS, document="0003.md")
    before = datetime.now(UTC).isoformat()
    ann.call("update", id="Sessions in Redis", status="superseded")
    query = "Operations must run a Redis cluster"
    (row,) = [row for row in ann.call("search", query=query)["hits"] if row["title"] == query]
    assert row["superseded_document"].keys() == {"id", "title"}
    (row,) = [row for row in ann.call("search", query=query, as_of=before)["hits"] if row["title"] == query]
    assert "superseded_document" not in row


def test_a_claim_that_a_node_makes_names_that_node(ann: Door) -> None:
    """The twin is one that no node makes."""
    made = ann.call("capture", content="A delivered shipment is never polled again.", title="Delivered", kind="claim")
    asked = ann.call("challenge", claim="A delivered shipment is never polled again.")
    assert (asked["claim_id"], asked["claim_title"]) == (made["id"], "Delivered")
    assert "claim_title" not in ann.call("challenge", claim="Shipments to islands take longer than others.")


def test_what_no_longer_holds_is_neither_merged_into_nor_disputed(ann: Door) -> None:
    """Merged into it, what holds now would go with it; that it is denied is why it was superseded. It is told of."""
    old = ann.call("capture", content="Migrations must be reversible in this project.", kind="convention")["id"]
    first = ann.call("capture", content="In this project migrations must be reversible.", kind="claim")
    assert [row["kind"] for row in first["suggestions"]] == ["duplicate"]  # the twin, while it holds
    ann.call("update", id=old, status="superseded")
    ann.call("update", id=first["id"], status="superseded")
    denied = ann.call("capture", content="Migrations must not be reversible in this project.", kind="decision")
    assert {row["id"] for row in denied["conflicts"]} <= {old, first["id"]}
    assert denied["conflicts"][0]["status"] == "superseded"
    assert denied["suggestions"] == []


def test_words_that_no_longer_hold_are_told_so_when_they_are_captured_again(ann: Door) -> None:
    """Else who decides the same once more believes it noted; the call that says that it holds is offered."""
    old, _ = replaced(ann)
    again = ann.call("capture", content=OFTEN, title="Polling interval")
    assert (again["id"], again["existing"], again["status"]) == (old, True, "superseded")
    (action,) = again["suggested_next_actions"]
    ann.call(action["tool"], **action["arguments"])
    assert "status" not in ann.call("capture", content=OFTEN, title="Polling interval")


def test_who_supersedes_a_node_by_nothing_is_reminded_to_say_by_what(ann: Door) -> None:
    """A search then leads from the old to the new."""
    made = ann.call("capture", content=OFTEN, kind="decision")["id"]
    new = ann.call("capture", content=ADAPTIVE, kind="decision")["id"]
    assert "superseded_by" in ann.call("update", id=made, status="superseded")["warning"]
    assert "warning" not in ann.call("update", id=made, superseded_by=new)


def test_of_two_nodes_of_one_name_the_one_that_no_longer_holds_is_told(ann: Door) -> None:
    """Whoever names both is asked which is meant, and sees which still counts."""
    old = ann.call("capture", content="Heron keeps its data in CockroachDB.", title="Database", kind="decision")["id"]
    new = ann.call("capture", content="Heron keeps its data in PostgreSQL.", title="Database", kind="decision")["id"]
    ann.call("update", id=old, superseded_by=new)
    asked = ann.answer("fetch", {"id": "Database"})
    assert asked["error"] == "AMBIGUOUS"
    why = {row["id"]: row["why"] for row in asked["candidates"]}
    assert why[old].endswith(", superseded")
    assert "superseded" not in why[new]


def test_a_relation_that_a_capture_made_names_the_other_end(ann: Door) -> None:
    """Whichever way it runs; whoever reads only the answer knows what was joined to what."""
    ann.call("capture", content="The DHL adapter crashes.", title="Crash", kind="error", references=["src/dhl.py"])
    wish = {"type": "supersedes", "target": "Crash"}
    made = ann.call("capture", content="It reads an empty list now.", kind="claim", relations=[wish])
    (relation,) = made["relations"]
    assert (relation["source"], relation["other_title"]) == (made["id"], "Crash")
    beside = ann.call("capture", content="Keys of DHL lie in a vault.", kind="claim", references=["src/dhl.py"])
    assert {row["other_title"] for row in beside["relations"]} == {"Crash"}


def test_who_captures_without_a_kind_is_told_how_to_say_it(ann: Door) -> None:
    """A guess at the kind alone sends nobody to the review of all that waits."""
    made = ann.call("capture", content="Retries back off from 200 ms.")
    assert offered(made) == ["update", "search"]
    ann.call("capture", content="Harbour kites.", title="Kites", kind="concept")
    told = ann.call("capture", content="Kites over a harbour need wind from the sea.", kind="claim")
    assert "update" not in offered(told)


def test_a_kind_is_told_with_its_article(ann: Door) -> None:
    """Sentences are read by people too."""
    made = ann.call("autology_capture", title="Kettle", content="The kettle of the harbour office has a bug.")
    assert made["type"] == "issue"
    assert "was taken for an issue, " in made["suggestions"][0]["summary"]
    assert ann.call("review")["items"][0]["accept_does"].endswith(" is an issue.")


def test_what_a_capture_likely_belongs_with_is_offered_to_be_related(ann: Door) -> None:
    """With both ends; a search is offered only where there is nothing to relate it to."""
    ann.call("capture", content="The limit of the DHL plan is 250 calls a day.", title="DHL limit", kind="claim")
    made = ann.call("capture", content="We ask DHL rarely, since the DHL limit is low.", kind="configuration")
    assert not made["relations"]
    action = next(row for row in made["suggested_next_actions"] if row["tool"] == "relate")
    assert action["arguments"] == {"source": made["id"], "target": made["related"][0]["id"]}
    assert set(action["also_needs"]) == {"type", "reasoning"}
    assert "search" not in offered(made)


def test_another_number_is_told_with_the_call_that_reads_what_is_there(ann: Door) -> None:
    """The judge cannot know whether it changed or is meant of something else; who captured can, and says so."""
    old = ann.call("capture", content="The connection pool holds 20 connections.", kind="configuration")["id"]
    made = ann.call("capture", content="The connection pool holds 40 connections per pod now.", kind="configuration")
    (other,) = made["differing"]
    assert (other["id"], other["grounds"]) == (old, ["one says 40 connections, the other 20 connections"])
    assert other["created_at"]
    assert made["conflicts"] == []
    assert old not in {row["id"] for row in made.get("related", [])}
    action = made["suggested_next_actions"][0]
    assert (action["tool"], action["arguments"]) == ("fetch", {"id": old})
    ann.call("relate", source=made["id"], target=old, type="supersedes", reasoning="It was raised.")
    hits = ann.call("search", query="How many connections does the pool hold?")["hits"]
    assert [(row["id"], row.get("status")) for row in hits] == [(made["id"], None), (old, "superseded")]
    third = ann.call("capture", content="The connection pool holds 60 connections.", kind="configuration")
    assert [row["id"] for row in third["differing"]] == [made["id"]]  # what no longer holds may say what it likes


def test_another_number_is_told_whichever_tool_keeps_it(ann: Door) -> None:
    """As a memory and as a note on a project, too."""
    first = ann.call("memory_store", title="Pool", content="The pool holds 20 connections.", type="solution")["id"]
    second = ann.call("memory_store", title="Pool now", content="The pool holds 40 connections now.", type="solution")
    assert [row["id"] for row in second["differing"]] == [first]
    assert second["suggested_next_actions"][0]["arguments"] == {"id": first}
    said = "The pool holds 60 connections, says Bo."
    third = ann.call("autology_capture", title="Pool", content=said, type="concept")
    action = next(row for row in third["suggested_next_actions"] if row["tool"] == "fetch")
    assert action["arguments"] == {"id": third["differing"][0]["id"]}


def test_a_best_hit_that_no_longer_holds_leads_to_what_replaced_it(ann: Door) -> None:
    """Its very title still finds it first."""
    old, new = replaced(ann)
    found = ann.call("search", query="Polling interval")
    assert found["hits"][0]["id"] == old
    assert found["suggested_next_actions"][0] == {
        "tool": "fetch",
        "description": "The best hit no longer holds: consider reading what replaced it.",
        "arguments": {"id": new},
    }


def test_what_takes_the_place_of_what_it_denies_can_be_said_to(ann: Door) -> None:
    """Besides reading it, and unless it no longer holds anyway."""
    old = ann.call("capture", content="Every migration must be reversible.", kind="convention")["id"]
    made = ann.call("capture", content="Migrations must not be reversible.", kind="decision")
    assert made["conflicts"][0]["id"] == old
    assert offered(made)[:2] == ["fetch", "relate"]
    action = made["suggested_next_actions"][1]
    ann.call("relate", **action["arguments"], reasoning="We roll forward only.")
    again = ann.call("capture", content="In no case must a migration be reversible.", kind="decision")
    assert old in {row["id"] for row in again["conflicts"]}
    assert all(row["arguments"].get("target") != old for row in again["suggested_next_actions"] if "arguments" in row)


def test_an_open_question_says_which_of_its_nodes_no_longer_holds(ann: Door) -> None:
    """What somebody settled meanwhile need not be looked into again."""
    ann.call("capture", content="Every migration must be reversible.", title="Both ways", kind="convention")
    ann.call("capture", content="Migrations must not be reversible.", title="Forward", kind="decision")
    (before,) = ann.call("review", kinds=["conflict"])["items"]
    assert "superseded" not in before
    ann.call("update", id="Both ways", superseded_by="Forward")
    (after,) = ann.call("review", kinds=["conflict"])["items"]
    assert after["superseded"] == ["Both ways"]
    forward, both = after["subjects"]
    newer = {"id": forward, "title": "Forward", "replaces": {"id": both, "title": "Both ways"}}
    assert after["superseded_by"] == [newer]


def test_an_open_question_names_no_successor_where_none_is_recorded(ann: Door) -> None:
    """A node can be marked as superseded by nothing in particular."""
    ann.call("capture", content="Every migration must be reversible.", title="Both ways", kind="convention")
    ann.call("capture", content="Migrations must not be reversible.", title="Forward", kind="decision")
    ann.call("update", id="Both ways", status="superseded")
    (item,) = ann.call("review", kinds=["conflict"])["items"]
    assert item["superseded"] == ["Both ways"]
    assert "superseded_by" not in item


def test_a_claim_that_the_graph_states_is_not_offered_for_capture(ann: Door) -> None:
    """In other words it is there; the twin is a claim that nothing supports."""
    ann.call("capture", content="A delivered shipment is never polled again.", kind="claim")
    held = ann.call("challenge", claim="Delivered shipments are never polled.")
    assert held["supports"]
    assert "capture" not in offered(held)
    assert "capture" in offered(ann.call("challenge", claim="Shipments to islands take longer than others."))


def test_a_verdict_is_recorded_as_the_likelier_one_where_none_is_chosen(ann: Door) -> None:
    """A caller that sends the call as it stands does not record the opposite of what the answer says is likely."""
    ann.call("capture", content="Batch normalization speeds up training by reducing covariate shift.", kind="claim")
    ann.call("capture", content="Batch normalization smooths the loss; covariate shift stays as it was.", kind="claim")
    claim = "Batch normalization reduces covariate shift. Indeed."
    rows = ann.call("challenge", claim=claim)["to_judge"]
    assert "supports" in {row.get("likely") for row in rows}
    types = {"supports": "supports", "conflicts": "contradicts"}
    for row in rows:
        if "likely" in row:
            (wish,) = row["record_with"]["arguments"]["relations"]
            assert wish["type"] == {**types, "supports": "supported_by"}[row["likely"]]
    for row in ann.call("find_contradictions", claim=claim)["to_judge"]:
        if "likely" in row:
            assert row["record_with"]["arguments"]["relation"] == types[row["likely"]]


def test_a_claim_that_is_no_unit_is_first_offered_to_be_one(tmp_path: Path) -> None:
    """In brief too: the call that records a verdict names the claim by the title that it gets so."""
    with door(tmp_path, hints="brief") as brief:
        brief.call("ingest_hypothesis", hypothesis="Remote teams write more documentation than co-located teams do.")
        found = brief.call("find_contradictions", claim="Working remotely changes how much teams document.")
        assert found["to_judge"]
        assert offered(found)[0] == "ingest_hypothesis"


def test_a_name_is_told_once_among_the_words_of_a_hit(ann: Door) -> None:
    """Its parts are looked for too, and told where the text holds no more than them."""
    ann.call("capture", content="The FedEx adapter waits for a certificate.", title="Waiting", kind="claim")
    ann.call("capture", content="The status of the ex adapter is unknown.", title="Ex", kind="claim")
    why = {row["title"]: row["why"] for row in ann.call("search", query="status of FedEx")["hits"]}
    assert "words: fedex" in why["Waiting"]
    assert {"words: ex, status", "words: status, ex"} & set(why["Ex"])


def test_what_no_longer_holds_is_told_wherever_a_node_is_shown(ann: Door) -> None:
    """Lists of claims, concepts and memories, and paths: a status without a successor is told there too."""
    old = ann.call("capture", content=OFTEN, title="Polling interval", kind="claim")["id"]
    new = ann.call("capture", content=ADAPTIVE, title="Adaptive polling", kind="claim")["id"]
    ann.call("relate", source=new, target=old, type="extends", reasoning="It polls as well.")
    ann.call("update", id=old, status="superseded")
    ends = {"start_concept": new, "end_concept": old}
    for name, given, rows, key, field in (
        ("semantic_search", {"query": "polling"}, "results", "unit_id", "standing"),
        ("list_propositions", {}, "propositions", "unit_id", "standing"),
        ("find_scientific_lineage", ends, "path", "unit_id", "standing"),
        ("get_unit", {"unit_id": new}, "connections", "connected_to", "connected_standing"),
        ("search_concepts", {"query": "polling"}, "results", "concept_id", "status"),
        ("find_related_concepts", {"concept_id": new}, "relatedConcepts", "concept_id", "status"),
        ("memory_related", {"id": new}, "memories", "id", "status"),
        ("trace", {"start": new, "end": old}, "trail", "id", "status"),
    ):
        found = {row[key]: row for row in ann.call(name, **given)[rows]}
        assert found[old][field] == "superseded", name
        assert field not in found.get(new, {}), name
    ann.call("update", id=old, superseded_by=new)
    listed = {row["unit_id"]: row for row in ann.call("list_propositions")["propositions"]}
    assert listed[old]["superseded_by"] == new


@pytest.mark.parametrize(
    ("tool", "field", "given"),
    [
        ("get_unit", "unit_id", {}),
        ("autology_update", "id", {"title": "x"}),
        ("get_concept_details", "concept_id", {}),
        ("find_contradictions", "claim", {}),
        ("trace", "start", {"end": "Adaptive polling"}),
    ],
)
def test_which_batch_forgot_a_node_is_told_whoever_asks(
    ann: Door, tool: str, field: str, given: dict[str, Any]
) -> None:
    """The toolset that it is asked in may have no other tool that would say so."""
    old, _ = replaced(ann)
    batch = ann.call("forget", id=old, confirm=True)["batch"]
    told = ann.answer(tool, {field: old, **given})
    assert (told["error"], batch in told["hint"]) == ("NOT_FOUND", True)


def test_a_time_before_all_changes_is_told_as_such(ann: Door) -> None:
    """Nothing found says nothing of why; today's date is no such time."""
    ann.call("capture", content=OFTEN)
    asked = ann.call("search", query="carriers", as_of="1999-12-31")
    assert (asked["hits"], asked["warning"]) == ([], "Nothing had been written by 1999-12-31 23:59 UTC.")
    today = ann.call("search", query="carriers", as_of=f"{datetime.now(UTC):%Y-%m-%d}")
    assert (len(today["hits"]), "warning" in today) == (1, False)


def test_a_time_in_which_nothing_was_written_is_told_as_such(ann: Door) -> None:
    """One that is still to come, and one that ends before it begins; a time that has something in it is not told."""
    ann.call("capture", content=OFTEN)
    later = ann.call("search", query="carriers", since="2999-01-01")
    assert (later["hits"], later["warning"]) == ([], "Nothing was written or changed since 2999-01-01 00:00 UTC.")
    reversed_ = ann.call("search", query="carriers", since="2999-01-01", as_of="2998-12-01")
    told = "Nothing was written or changed from 2999-01-01 00:00 to 2998-12-01 23:59 UTC."
    assert (reversed_["hits"], reversed_["warning"]) == ([], told)
    lately = ann.call("search", query="carriers", since="1h")
    assert (len(lately["hits"]), "warning" in lately) == (1, False)


def test_what_is_made_active_again_says_what_still_supersedes_it(ann: Door) -> None:
    """Else both would count; once the relation is gone there is nothing to say."""
    old, new = replaced(ann)
    revived = ann.call("update", id=old, status="active")
    assert revived["warning"].endswith(f"({new}) still supersedes it; unrelate takes that back.")
    assert "warning" not in ann.call("update", id=old, tags=["again"])
    ann.call("unrelate", source=new, target=old, type="supersedes")
    ann.call("update", id=old, status="superseded")
    assert "warning" not in ann.call("update", id=old, status="active")
