"""Suggestions while searching: two close hits of two ontologies are pointed out once, with the call that joins them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from doors import door
from services.readers import asked, recall_of
from weft.model import CaptureRequest, Page, Status, UpdateRequest
from weft.services.synthesis.bridge_hint import EVENT, FRESH
from weft.tools.offer import Offer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from doors import Door
    from services.desk import Desk
    from weft.model import BridgeHint
    from weft.services.recall.recall import Recall

QUERY = "token bucket limits the rate"
BUCKET = ("A token bucket limits the rate of requests.", "Token bucket", "networks")
TWIN = ("A token bucket limits the rate of calls.", "Bucket of tokens", "finance")
FAR = ("Varnish of amber and oil protects spruce and maple.", "Violin varnish", "lutherie")


@pytest.fixture
def recall(desk: Desk, tmp_path: Path) -> Recall:
    """The reading verbs over the desk."""
    return recall_of(desk, tmp_path)


def _add(desk: Desk, *texts: tuple[str, str, str]) -> list[str]:
    return [desk.add(content, title=title, ontology=ontology).node.id for content, title, ontology in texts]


def _hint(
    desk: Desk,
    recall: Recall,
    query: str = QUERY,
    *,
    caller: str = "ann",
    **fields: Any,  # noqa: ANN401 - any field of a search
) -> BridgeHint | None:
    call = replace(desk.call(tool="search"), caller=caller)
    request = asked(query, **fields)
    return recall.hinted(recall.search(request, call), request, call).bridge_hint


def test_two_close_hits_of_two_ontologies_hint_at_a_bridge(desk: Desk, recall: Recall) -> None:
    """The hint names both ends and how close they lie."""
    ids = _add(desk, BUCKET, TWIN, FAR)
    hint = _hint(desk, recall)
    assert hint is not None
    assert {hint.one.id, hint.other.id} == set(ids[:2])
    assert {hint.one.ontology, hint.other.ontology} == {"networks", "finance"}
    assert 0.70 <= hint.similarity <= 1.0


def test_a_pair_is_suggested_once_to_a_caller(desk: Desk, recall: Recall) -> None:
    """Whatever words bring it up again; another caller is told too."""
    _add(desk, BUCKET, TWIN)
    assert _hint(desk, recall) is not None
    assert _hint(desk, recall) is None
    assert _hint(desk, recall, "how are requests limited by tokens") is None
    assert _hint(desk, recall, caller="bob") is not None


def test_what_is_superseded_is_no_end_of_a_bridge(desk: Desk, recall: Recall) -> None:
    """Nobody builds on it any more; once it holds again the pair is news."""
    _, twin = _add(desk, BUCKET, TWIN)
    desk.capture.update(UpdateRequest(id=twin, status=Status.SUPERSEDED), desk.call(tool="update"))
    assert _hint(desk, recall) is None
    desk.capture.update(UpdateRequest(id=twin, status=Status.ACTIVE), desk.call(tool="update"))
    assert _hint(desk, recall) is not None


def test_once_holds_across_processes_and_fades_with_the_memory_of_use(
    desk: Desk, recall: Recall, tmp_path: Path
) -> None:
    """A second process of the same caller knows; after the memory has faded, so does the silence."""
    _add(desk, BUCKET, TWIN)
    assert _hint(desk, recall) is not None
    second, third = recall_of(desk, tmp_path), recall_of(desk, tmp_path)
    assert _hint(desk, second) is None
    later = replace(desk.call(tool="search"), caller="ann", at=desk.call().at + FRESH + timedelta(hours=1))
    assert third.hinted(third.search(asked(QUERY), later), asked(QUERY), later).bridge_hint is not None


def test_when_one_pair_was_told_the_next_closest_is(desk: Desk, recall: Recall) -> None:
    """Three ontologies, three pairs, three hints; then silence."""
    _add(desk, BUCKET, TWIN, ("A bucket of tokens limits the rate of payments.", "Payment bucket", "banking"))
    hints = [_hint(desk, recall) for _ in range(4)]
    pairs = {frozenset((hint.one.id, hint.other.id)) for hint in hints if hint}
    assert (len(pairs), hints[3]) == (3, None)
    shown = [hint.similarity for hint in hints if hint]
    assert shown == sorted(shown, reverse=True)


def test_a_pair_that_is_related_is_not_suggested(desk: Desk, recall: Recall) -> None:
    """Any relation will do, in either direction."""
    bucket, twin = _add(desk, BUCKET, TWIN)
    desk.join(twin, bucket, "uses")
    assert _hint(desk, recall) is None


def test_within_one_ontology_there_is_nothing_to_bridge(desk: Desk, recall: Recall) -> None:
    """The same texts side by side give no hint."""
    _add(desk, (*BUCKET[:2], "networks"), (*TWIN[:2], "networks"))
    assert _hint(desk, recall) is None


def test_two_distant_hits_are_not_suggested(desk: Desk, recall: Recall) -> None:
    """Under the similarity 0.70 nothing is said, however few hits there are."""
    _add(desk, BUCKET, FAR)
    assert _hint(desk, recall, "token bucket varnish") is None


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_every_mode_that_knows_meaning_suggests(desk: Desk, recall: Recall, mode: str) -> None:
    """Hybrid and semantic."""
    _add(desk, BUCKET, TWIN)
    assert _hint(desk, recall, mode=mode) is not None


def test_a_search_by_keyword_or_in_the_past_suggests_nothing(desk: Desk, recall: Recall) -> None:
    """Neither compares what stands now; and the hint is not used up by them."""
    _add(desk, BUCKET, TWIN)
    assert _hint(desk, recall, "token bucket", mode="keyword") is None
    assert _hint(desk, recall, as_of=desk.call().at) is None
    assert _hint(desk, recall) is not None


def test_a_search_that_shows_no_hint_does_not_use_it_up(desk: Desk, recall: Recall) -> None:
    """Other tools search too; what they do not show is still news."""
    _add(desk, BUCKET, TWIN)
    call = replace(desk.call(tool="semantic_search"), caller="ann")
    assert recall.search(asked(QUERY), call).bridge_hint is None
    assert _hint(desk, recall) is not None


def test_a_text_that_changed_is_compared_anew(desk: Desk, recall: Recall) -> None:
    """What was far and is close now is suggested: the memory of what was compared holds for a version only."""
    ids = _add(desk, BUCKET, ("A token of the guild, made of brass.", "Guild token", "finance"))
    assert _hint(desk, recall) is None
    desk.capture.update(_update(ids[1], TWIN[0]), desk.call())
    assert _hint(desk, recall) is not None


def _update(id_: str, content: str) -> Any:  # noqa: ANN401 - a request
    from weft.model import UpdateRequest

    return UpdateRequest(id=id_, content=content)


# Through the tool


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """A graph with two texts that belong together, and a curator at its door."""
    with door(tmp_path) as opened:
        call = opened.graph.call("capture")
        for content, title, ontology in (BUCKET, TWIN):
            opened.graph.capture.capture(CaptureRequest(content=content, title=title, ontology=ontology), call)
        yield opened


def test_a_search_answers_with_the_call_that_joins_the_two(ann: Door) -> None:
    """It runs as it stands, and the next search for anybody says nothing any more."""
    hint = ann.call("search", query=QUERY)["bridge_hint"]
    call = hint["record_with"]
    made = ann.call(call["tool"], **call["arguments"])
    assert (made["created"], made["relation"]["type"]) == (True, "bridges")
    assert {made["relation"]["source"], made["relation"]["target"]} == {hint["node1"]["id"], hint["node2"]["id"]}
    assert "bridge_hint" not in ann.as_(id="bob").call("search", query=QUERY)


def test_the_suggestion_is_given_once_a_session(ann: Door) -> None:
    """Whose memory counts is the gate's to say: a session, else the caller."""
    assert "bridge_hint" in ann.call("search", query=QUERY, session="monday")
    assert "bridge_hint" not in ann.call("search", query=QUERY, session="monday")
    assert "bridge_hint" in ann.call("search", query=QUERY, session="tuesday")
    assert ann.graph.usage.tallies()[EVENT] == 2


def test_a_reader_is_told_but_not_given_the_call(ann: Door) -> None:
    """A reader cannot relate; nor can who is not served the tool."""
    reader = replace(ann.graph.settings, role="reader")
    served = Offer.of(reader, toolsets="all").names
    hint = ann.as_(id="rita", tools=served).call("search", query=QUERY)["bridge_hint"]
    assert "record_with" not in hint
    lonely = ann.as_(id="lou", tools=frozenset({"search"})).call("search", query=QUERY)["bridge_hint"]
    assert "record_with" not in lonely


def test_the_suggestion_leads_the_next_actions(ann: Door) -> None:
    """The two can be bridged with evidence, and the bodies of knowledge that touch be searched for more."""
    learn, more = ann.call("search", query=QUERY)["suggested_next_actions"][:2]
    assert (learn["tool"], more["tool"]) == ("create_learned_relationship", "bridge")
    searched = ann.call("bridge", **more["arguments"])["searched"]
    assert (searched["ontology"] in {"networks", "finance"}, searched["nodes"], searched["of"]) == (True, 1, 1)
    evidence = "A bucket of tokens limits a rate, whether of calls or of requests."
    assert ann.call("create_learned_relationship", **learn["arguments"], evidence=evidence)["learned_id"]
    again = ann.call("search", query=QUERY)
    assert again["suggested_next_actions"][0]["tool"] == "fetch"


def test_where_hints_are_off_nothing_is_suggested_and_nothing_used_up(ann: Door) -> None:
    """The tool's answer is the same otherwise, and who switches hints on is told still."""
    silent = ann.as_(id="cy", hints="off")
    said = silent.call("search", query=QUERY)
    assert said["suggested_next_actions"] == []
    assert "bridge_hint" not in said
    assert EVENT not in ann.graph.usage.tallies()
    loud = ann.as_(id="cy", hints="brief").call("search", query=QUERY)
    assert loud["hits"] == said["hits"]
    assert "bridge_hint" in loud


def _connected(desk: Desk, recall: Recall, **fields: Any) -> bool:  # noqa: ANN401 - any field of a search
    request = asked(QUERY, **fields)
    call = desk.call(tool="search")
    return recall.hinted(recall.search(request, call), request, call).connected


@pytest.mark.parametrize("steps", [["01"], ["10"], ["02", "21"], ["20", "21"], ["02", "12"]])
def test_the_two_best_hits_are_connected_where_two_relations_lead_from_one_to_the_other(
    desk: Desk, recall: Recall, steps: list[str]
) -> None:
    """In whichever direction these point; the twin: before the last of them was made they were not."""
    ids = _add(desk, BUCKET, TWIN, FAR)
    for start, end in steps:
        assert not _connected(desk, recall)
        desk.join(ids[int(start)], ids[int(end)])
    assert _connected(desk, recall)
    assert not _connected(desk, recall, page=Page(limit=1))


def test_what_three_relations_join_is_a_longer_way_than_is_told(desk: Desk, recall: Recall) -> None:
    """A trail is found all the same, if it is asked for."""
    ids = _add(desk, BUCKET, TWIN, FAR, ("Resin of pine is boiled with oil.", "Resin", "lutherie"))
    for start, end in (0, 2), (2, 3), (3, 1):
        desk.join(ids[start], ids[end])
    assert not _connected(desk, recall)


def test_only_what_is_connected_is_offered_to_be_traced(tmp_path: Path) -> None:
    """The twin: nothing is said of a trail where there is none."""
    with door(tmp_path) as ann:
        ids = [
            ann.call("capture", content=content, title=title, ontology=ontology)["id"]
            for content, title, ontology in (BUCKET, TWIN)
        ]
        apart = ann.call("search", query=QUERY)
        ann.call("relate", source=ids[0], target=ids[1], type="supports", reasoning="Both count tokens.")
        joined = ann.call("search", query=QUERY)
    assert "connected" not in apart
    assert "trace" not in _offered(apart)
    assert joined["connected"] is True
    assert "trace" in _offered(joined)


def _offered(answer: dict[str, Any]) -> list[str]:
    return [step["tool"] for step in answer["suggested_next_actions"]]
