"""Bridges: pairs of two ontologies that belong together, ranked and explained."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from weft.errors import InvalidArgument, NotFound
from weft.model import BridgeRequest, Scope, SynthesizeRequest
from weft.services.synthesis import across, bridge

if TYPE_CHECKING:
    from services.desk import Desk
    from weft.model import Bridges

NETWORKS = {
    "Token bucket": "A token bucket limits how many requests pass in a second.",
    "Load balancer": "A load balancer spreads requests evenly over several servers.",
    "Dead letter queue": "Messages that cannot be delivered are put aside for later inspection.",
}
PLUMBING = {
    "Flow valve": "A flow valve limits how much water passes in a second.",
    "Manifold": "A manifold spreads water evenly over several pipes.",
    "Violin varnish": "Varnish of amber and oil protects spruce and maple.",
    "Enamel": "Enamel is baked on at eight hundred degrees.",
}


@pytest.fixture
def ids(desk: Desk) -> dict[str, str]:
    """Two small ontologies, by title."""
    return {
        title: desk.add(content, title=title, kind="concept", ontology=ontology).node.id
        for ontology, nodes in (("networks", NETWORKS), ("plumbing", PLUMBING))
        for title, content in nodes.items()
    }


def _bridge(desk: Desk, **fields: object) -> Bridges:
    wish = {"ontology1": "networks", "ontology2": "plumbing"} | fields
    return desk.synthesize.bridge(BridgeRequest(**wish), desk.call(tool="bridge"))


def _pairs(found: Bridges) -> list[tuple[str, str]]:
    return [(each.concept1.title, each.concept2.title) for each in found.candidates]


@pytest.mark.usefixtures("ids")
def test_pairs_that_say_the_same_of_two_worlds_come_first(desk: Desk) -> None:
    """The first side is the first ontology's; each has its leap and grounds."""
    found = _bridge(desk)
    assert set(_pairs(found)[:2]) == {("Token bucket", "Flow valve"), ("Load balancer", "Manifold")}
    first = found.candidates[0]
    assert (first.concept1.ontology, first.concept2.ontology) == ("networks", "plumbing")
    assert first.cognitive_leap in {"LOW", "MEDIUM", "HIGH"}
    assert first.grounds[0].startswith("similarity")
    assert [each.score for each in found.candidates] == sorted((each.score for each in found.candidates), reverse=True)


@pytest.mark.usefixtures("ids")
def test_the_order_of_the_ontologies_only_turns_the_pairs_round(desk: Desk) -> None:
    """The smaller side is looked up, whichever is named first."""
    turned = _bridge(desk, ontology1="plumbing", ontology2="networks")
    assert [(b, a) for a, b in _pairs(turned)] == _pairs(_bridge(desk))


@pytest.mark.usefixtures("ids")
def test_a_floor_keeps_pairs_out_and_counts_them(desk: Desk) -> None:
    """Near misses count the nodes that found no partner, and name the best pair; without a floor there are none."""
    free = _bridge(desk, limit=50)
    best = max(each.similarity for each in free.candidates)
    assert free.near_misses.count == 0
    none = _bridge(desk, similarity_min=1.0)
    assert none.candidates == ()
    assert (none.near_misses.count, none.near_misses.threshold) == (len(NETWORKS), 1.0)
    assert none.near_misses.best == pytest.approx(best, abs=1e-4)
    some = _bridge(desk, similarity_min=best)
    assert (len(some.candidates), some.near_misses.count) == (1, len(NETWORKS) - 1)


def test_pairs_that_are_related_are_left_out_or_flagged(desk: Desk, ids: dict[str, str]) -> None:
    """Any relation between the two counts, in any direction."""
    desk.join(ids["Flow valve"], ids["Token bucket"], "uses")
    pair = ("Token bucket", "Flow valve")
    assert pair not in _pairs(_bridge(desk))
    flagged = _bridge(desk, include_existing=True)
    assert {each.has_existing_relation for each in flagged.candidates if (each.concept1.title,) == pair[:1]} == {
        True,
        False,
    }
    assert pair in _pairs(flagged)


def test_shared_tags_and_rare_words_are_grounds(desk: Desk, ids: dict[str, str]) -> None:
    """They lift a pair above likelier ones that share none, and are named as they are spelled."""
    found = {(each.concept1.title, each.concept2.title): each for each in _bridge(desk, limit=50).candidates}
    grounds = " ".join(found["Load balancer", "Manifold"].grounds)
    assert "evenly" in grounds
    assert found["Load balancer", "Manifold"].score > found["Load balancer", "Enamel"].score
    assert ids


def test_rare_words_are_spelled_out_however_late_they_stand(desk: Desk) -> None:
    """A root is no word: «cach» would tell nobody anything."""
    filler = "The committee met on a Tuesday and talked about the weather at some length. " * 40
    for ontology in ("networks", "plumbing"):
        desk.add(f"{filler}\n\nRetrieval is cached.", title=f"Minutes of {ontology}", kind="concept", ontology=ontology)
    (found,) = _bridge(desk).candidates
    assert "cached" in " ".join(found.grounds)


def test_a_popular_end_is_damped(desk: Desk, ids: dict[str, str]) -> None:
    """The same pair scores less once one end is a hub."""
    screws = [desk.add(f"Screw number {at} fits.", kind="claim", ontology="stock").node.id for at in range(20)]
    before = next(each for each in _bridge(desk).candidates if each.concept2.title == "Flow valve")
    for other in screws:
        desk.join(other, ids["Flow valve"], "uses")
    after = next(each for each in _bridge(desk).candidates if each.concept2.title == "Flow valve")
    assert (after.similarity, after.concept1) == (before.similarity, before.concept1)
    assert after.score < before.score
    assert any("damped" in each for each in after.grounds)


@pytest.mark.usefixtures("ids")
def test_a_bounded_look_up_says_what_it_left_out(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an ontology is too large to be walked whole, the newest nodes are looked up, and the answer says so."""
    monkeypatch.setattr(across, "WHOLE_MAX", 3)
    monkeypatch.setattr(across, "PROBES_MAX", 2)
    told: list[tuple[int, int]] = []
    call = replace(desk.call(), progress=lambda done, total, _: told.append((done, total)))
    found = desk.synthesize.bridge(BridgeRequest(ontology1="plumbing", ontology2="networks"), call)
    assert (found.ontology, found.searched, found.total) == ("networks", 2, 3)
    assert {each.concept2.title for each in found.candidates} == {"Load balancer", "Dead letter queue"}
    assert all(each.grounds[-1] == "looked up from 2 of the 3 nodes of networks" for each in found.candidates)
    assert told == [(2, 2)]


@pytest.mark.usefixtures("ids")
def test_ontologies_that_fit_into_memory_are_looked_up_whole(desk: Desk) -> None:
    """The twin of the test above."""
    found = _bridge(desk)
    assert (found.ontology, found.searched, found.total) == ("networks", 3, 3)


@pytest.mark.usefixtures("ids")
def test_the_index_and_the_whole_walk_find_the_same_pairs(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of small ontologies both see everything."""
    whole = _bridge(desk, limit=50)
    monkeypatch.setattr(across, "WHOLE_MAX", 0)
    looked_up = _bridge(desk, limit=50)
    assert [(each.concept1, each.concept2, each.score) for each in whole.candidates] == [
        (each.concept1, each.concept2, each.score) for each in looked_up.candidates
    ]


def test_only_knowledge_of_the_scope_is_bridged(desk: Desk, ids: dict[str, str]) -> None:
    """A synthesis takes part, and can be left out; an ontology that holds nothing else is empty then."""
    wish = SynthesizeRequest(
        label="Throttle",
        bridges=(ids["Token bucket"], ids["Flow valve"]),
        evidence="Both limit how much passes in a second.",
        ontology="ideas",
    )
    desk.synthesize.synthesize(wish, desk.call())
    assert _bridge(desk, ontology2="ideas", include_existing=True).candidates[0].concept2.title == "Throttle"
    with pytest.raises(NotFound, match="ideas"):
        _bridge(desk, ontology2="ideas", scope=Scope.DOCUMENTS)


def test_much_that_is_related_already_hides_nothing_new(desk: Desk) -> None:
    """However many of the nearest pairs are related, a farther one that is not comes up."""
    near = [desk.add(f"Ferry number {at} sails at noon.", kind="claim", ontology="harbours").node.id for at in range(8)]
    trains = [desk.add(f"Train number {at} leaves at noon.", kind="claim", ontology="rails").node.id for at in range(8)]
    for one in near:
        for other in trains:
            desk.join(one, other)
    desk.add("A signal box sets the points.", title="Signal box", kind="concept", ontology="rails")
    found = _bridge(desk, ontology1="harbours", ontology2="rails", limit=1)
    assert [each.concept2.title for each in found.candidates] == ["Signal box"]


def test_a_relation_between_two_hubs_is_seen_among_all_their_others(
    desk: Desk, ids: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a hub only the strongest relations are read at once; the one that counts may be the weakest."""
    monkeypatch.setattr(bridge, "_DEGREE_READ", 3)
    desk.join(ids["Token bucket"], ids["Flow valve"], "uses", confidence=0.1)
    for number in range(5):
        other = desk.add(f"Bolt number {number} fits.", kind="claim", ontology="stock").node.id
        for hub in ("Token bucket", "Flow valve"):
            desk.join(other, ids[hub], "uses", confidence=0.9)
    assert ("Token bucket", "Flow valve") not in _pairs(_bridge(desk))


def test_a_mention_is_no_relation(desk: Desk, ids: dict[str, str]) -> None:
    """One text that names the other still makes a candidate, and it is not flagged as related."""
    named = desk.add("A flow valve is like a Token bucket for water.", kind="concept", ontology="plumbing").node.id
    assert any(each.target == ids["Token bucket"] for each in desk.shelf.mentions((named,), per_node=5))
    found = {each.concept2.id: each for each in _bridge(desk, limit=50).candidates}
    assert not found[named].has_existing_relation


@pytest.mark.usefixtures("ids")
@pytest.mark.parametrize(
    ("fields", "error", "said"),
    [
        ({"ontology2": "networks"}, InvalidArgument, "two ontologies"),
        ({"ontology2": "carpentry"}, NotFound, "«networks», «plumbing»"),
        ({"similarity_min": 1.1}, InvalidArgument, "similarity_min"),
        ({"limit": 0}, InvalidArgument, "limit"),
        ({"limit": 101}, InvalidArgument, "limit"),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(
    desk: Desk, fields: dict[str, object], error: type[Exception], said: str
) -> None:
    """Unknown ontologies are answered with the known ones."""
    with pytest.raises(error, match=said):
        _bridge(desk, **fields)
