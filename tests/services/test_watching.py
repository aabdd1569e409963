"""What comes up in review by itself: drift, contradictions, weak bridges, new ones; and when it is looked for."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from doors import door
from engine import opened_at
from weft.errors import PermissionDenied
from weft.graph import open as open_graph
from weft.identity import new_id
from weft.model import (
    Batch,
    CaptureRequest,
    ConnectRequest,
    Decision,
    Filter,
    Linking,
    Origin,
    Page,
    RelateRequest,
    Relation,
    SaveNode,
    SaveRelation,
    SearchRequest,
    SuggestionKind,
    SuggestionQuery,
    SynthesizeRequest,
    Tier,
    UpdateRequest,
)
from weft.services.passages import embed
from weft.services.watching import sweep as sweeping
from weft.services.watching.newcomers import OPEN_MAX
from weft.services.watching.suggesting import RULE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from doors import Door
    from weft.graph import Graph
    from weft.model import Call, Suggestion, Watched

BUCKET = "A token bucket limits how many requests a client may send in a second."
VALVE = "A flow valve limits how much water passes through a pipe in a second."
BOTH = "A token bucket and a flow valve both limit how much passes in a second."
OTHER = "Violins are made of spruce and maple, and varnished with amber."


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """An empty graph and a curator at its door."""
    with door(tmp_path) as opened:
        yield opened


@pytest.fixture
def graph(ann: Door) -> Graph:
    """The graph behind the door."""
    return ann.graph


def _add(graph: Graph, content: str, title: str, ontology: str = "notes") -> str:
    request = CaptureRequest(content=content, title=title, kind="concept", ontology=ontology)
    return graph.capture.capture(request, graph.call("capture")).node.id


def _ends(graph: Graph) -> tuple[str, str]:
    return _add(graph, BUCKET, "Token bucket", "networks"), _add(graph, VALVE, "Flow valve", "plumbing")


def _learn(graph: Graph, one: str, other: str, *, type_: str = "bridges", evidence: str = BOTH) -> str:
    request = ConnectRequest(source=one, target=other, type=type_, evidence=evidence)
    return graph.learn.connect(request, graph.call("connect")).learned_id


def _update(graph: Graph, id_: str, content: str) -> str:
    return graph.capture.update(UpdateRequest(id=id_, content=content), graph.call("update")).batch


def _later(graph: Graph, *, days: float) -> Call:
    call = graph.call("review")
    return replace(call, at=call.at + timedelta(days=days))


def _items(graph: Graph, *kinds: SuggestionKind, state: str = "open") -> Sequence[Suggestion]:
    return graph.store.suggestions(SuggestionQuery(kinds=kinds, state=state, page=Page(limit=100)))[0]


def _measure(graph: Graph) -> tuple[object, ...]:
    """Return all that stands but suggestions."""
    counts = graph.store.counts()
    nodes = graph.store.find(Filter(), Page(limit=1000)).nodes
    relations = graph.store.relations([node.id for node in nodes])
    return counts.nodes, counts.retired, counts.relations, counts.sources, nodes, relations


# Drift, while a text is changed


def test_a_text_that_moved_away_from_the_evidence_is_drift(graph: Graph) -> None:
    """The item names both ends, the learned item, and the likeness then and now; it is written with the change."""
    bucket, valve = _ends(graph)
    learned_id = _learn(graph, bucket, valve)
    (made,) = graph.store.relations((bucket,), types=("bridges",))
    batch = _update(graph, bucket, OTHER)
    (item,) = _items(graph, SuggestionKind.DRIFT)
    assert set(item.subjects) == {bucket, valve}
    assert (item.grounds["learned_id"], item.grounds["changed"]) == (learned_id, bucket)
    assert item.grounds["similarity_was"] in dict(made.scores).values()
    assert item.grounds["similarity"] < 0.5 < item.grounds["similarity_was"]
    assert item.grounds["mean"] < item.grounds["mean_was"]
    assert graph.log.history(item.id, limit=1)[0].batch == batch


def test_drift_changes_nothing_that_was_learned(graph: Graph) -> None:
    """The relation and its evidence stand as they stood."""
    bucket, valve = _ends(graph)
    _learn(graph, bucket, valve)
    before = graph.store.relations((valve,))
    _update(graph, bucket, OTHER)
    assert graph.store.relations((valve,)) == before


def test_a_text_that_still_says_it_is_no_drift(graph: Graph) -> None:
    """The twin: the same thing in nearly the same words."""
    bucket, valve = _ends(graph)
    _learn(graph, bucket, valve)
    _update(graph, bucket, BUCKET.replace("may send", "can send"))
    assert not _items(graph, SuggestionKind.DRIFT)


def test_the_fall_counts_from_when_it_was_learned(graph: Graph) -> None:
    """A change that goes unnoticed does not become the new measure."""
    bucket, valve = _ends(graph)
    _learn(graph, bucket, valve)
    (made,) = graph.store.relations((bucket,), types=("bridges",))
    _update(graph, bucket, BUCKET.replace("may send", "can send"))
    _update(graph, bucket, OTHER)
    (item,) = _items(graph, SuggestionKind.DRIFT)
    assert item.grounds["similarity_was"] in dict(made.scores).values()


def test_the_same_fall_is_told_once(graph: Graph) -> None:
    """However often the text is written anew in the same band."""
    bucket, valve = _ends(graph)
    _learn(graph, bucket, valve)
    for content in (OTHER, "Cellos are made of spruce.", "The compiler inlines small functions."):
        _update(graph, bucket, content)
    assert len(_items(graph, SuggestionKind.DRIFT)) == 1


def test_one_change_is_told_of_five_drifts_at_most(graph: Graph) -> None:
    """Seven learned items hang on the node."""
    bucket = _add(graph, BUCKET, "Token bucket", "networks")
    for number in range(7):
        other = _add(graph, f"{VALVE} It is of type {number}.", f"Valve {number}", "plumbing")
        _learn(graph, bucket, other)
    _update(graph, bucket, OTHER)
    assert len(_items(graph, SuggestionKind.DRIFT)) == 5


@pytest.mark.parametrize("changed", ["original", "concept"])
def test_a_synthesis_drifts_when_an_original_or_its_own_text_changes(graph: Graph, changed: str) -> None:
    """Its evidence is the concept's; both sides of the relation are weighed."""
    bucket, valve = _ends(graph)
    wish = SynthesizeRequest(label="Rate limit", bridges=(bucket, valve), evidence=BOTH, ontology="ideas")
    made = graph.synthesize.synthesize(wish, graph.call("synthesize"))
    _update(graph, bucket if changed == "original" else made.node.id, OTHER)
    (item,) = _items(graph, SuggestionKind.DRIFT)
    assert item.grounds["learned_id"] == made.learned_id
    assert made.node.id in item.subjects
    assert ("mean" in item.grounds) is (changed == "original")


# The sweep


def _sweep(graph: Graph, *, days: float = 0) -> Watched:
    return graph.watching.sweep(_later(graph, days=days))


def _rewritten(graph: Graph, id_: str, content: str) -> None:
    """Change a text as the reading of a document does: without a look at what was learned about it."""
    call = graph.call("ingest")
    node = graph.store.nodes((id_,))[id_]
    after = replace(node, content=content, version=node.version + 1, modified_at=call.at)
    (passages,) = embed((after,), graph.embedder)
    operation = SaveNode(node=after, expect=node.version, passages=passages)
    graph.store.commit(Batch(id=new_id(call.at), call=call, operations=(operation,)))


def test_a_sweep_finds_what_drifted_unseen(graph: Graph) -> None:
    """A text that was changed without a look; a second sweep tells nothing new, also after it was dismissed."""
    bucket, valve = _ends(graph)
    learned_id = _learn(graph, bucket, valve)
    assert _sweep(graph).drift == 0
    _rewritten(graph, bucket, OTHER)
    found = _sweep(graph)
    assert (found.drift, found.suggested, found.looked_at, found.learned) == (1, 1, 1, 1)
    (item,) = _items(graph, SuggestionKind.DRIFT)
    assert (item.grounds["learned_id"], item.grounds["changed"]) == (learned_id, bucket)
    graph.curate.review((Decision(item=item.id, decision="dismiss"),), graph.call("review"))
    assert _sweep(graph).suggested == 0


def test_a_text_that_was_rewritten_to_say_the_same_is_no_drift(graph: Graph) -> None:
    """The twin."""
    bucket, valve = _ends(graph)
    _learn(graph, bucket, valve)
    _rewritten(graph, bucket, BUCKET.replace("may send", "can send"))
    assert _sweep(graph).drift == 0


def test_a_sweep_finds_a_synthesis_that_drifted(graph: Graph) -> None:
    """One of its originals was rewritten; the item is told of once, though both ends count."""
    bucket, valve = _ends(graph)
    wish = SynthesizeRequest(label="Rate limit", bridges=(bucket, valve), evidence=BOTH, ontology="ideas")
    made = graph.synthesize.synthesize(wish, graph.call("synthesize"))
    _rewritten(graph, valve, OTHER)
    assert _sweep(graph).drift == 1
    (item,) = _items(graph, SuggestionKind.DRIFT)
    assert set(item.subjects) == {made.node.id, valve}


@pytest.mark.parametrize("fate", ["superseded", "refuted", "forgotten"])
def test_a_sweep_finds_a_synthesis_whose_original_holds_no_longer(graph: Graph, fate: str) -> None:
    """Once: it is told of what happened to it, and asked no more when that was seen."""
    bucket, valve = _ends(graph)
    wish = SynthesizeRequest(label="Rate limit", bridges=(bucket, valve), evidence=BOTH, ontology="ideas")
    made = graph.synthesize.synthesize(wish, graph.call("synthesize"))
    assert _sweep(graph).drift == 0
    if fate == "forgotten":
        graph.capture.forget(bucket, graph.call("forget"), confirm=True)
    else:
        newer = _add(graph, OTHER, "Other")
        verb = "supersedes" if fate == "superseded" else "refutes"
        said = RelateRequest(source=newer, target=bucket, type=verb, reasoning="It was measured.")
        graph.relate.relate(said, graph.call("relate"))
    assert _sweep(graph).drift == 1
    (item,) = _items(graph, SuggestionKind.DRIFT)
    assert item.grounds["learned_id"] == made.learned_id
    assert {"superseded": "was superseded", "refuted": "is refuted by «Other»", "forgotten": "was forgotten"}[fate] in (
        item.summary
    )
    graph.curate.review((Decision(item=item.id, decision="dismiss"),), graph.call("review"))
    assert _sweep(graph).suggested == 0


def _stated(graph: Graph, source: str, target: str, type_: str) -> str:
    """Write a relation as a document would have stated it."""
    call = graph.call("ingest")
    relation = Relation(
        id=new_id(call.at),
        source=source,
        target=target,
        type=type_,
        reasoning="as the handbook says",
        origin=Origin.DOCUMENT,
        created_at=call.at,
        created_by="ann",
    )
    graph.store.commit(Batch(id=new_id(call.at), call=call, operations=(SaveRelation(relation=relation, expect=0),)))
    return relation.id


def test_what_was_learned_against_a_document_comes_up(graph: Graph) -> None:
    """A document says that the one supports the other, somebody learned that it refutes it."""
    bucket, valve = _ends(graph)
    stated = _stated(graph, bucket, valve, "supports")
    learned_id = _learn(graph, bucket, valve, type_="refutes")
    assert not _items(graph, SuggestionKind.CONFLICT)
    assert _sweep(graph).conflicts == 1
    (item,) = _items(graph, SuggestionKind.CONFLICT)
    assert (item.grounds["learned_ids"], item.grounds["relation"]) == ([learned_id], stated)
    assert "document" in item.summary
    assert _sweep(graph).suggested == 0


def test_two_learned_items_that_oppose_each_other_come_up_once(graph: Graph) -> None:
    """They were told of when the second was made; the sweep does not ask again."""
    bucket, valve = _ends(graph)
    ids = {_learn(graph, bucket, valve, type_=type_) for type_ in ("supports", "refutes")}
    (item,) = _items(graph, SuggestionKind.CONFLICT)
    assert set(item.grounds["learned_ids"]) == ids
    assert _sweep(graph).suggested == 0


def test_what_agrees_is_no_contradiction(graph: Graph) -> None:
    """The twin: the document and the learned item both speak for it."""
    bucket, valve = _ends(graph)
    _stated(graph, bucket, valve, "supports")
    _learn(graph, bucket, valve, type_="implies")
    assert _sweep(graph).conflicts == 0


def _weak(graph: Graph) -> str:
    one = _add(graph, "Herring migrate north in spring.", "Herring", "fish")
    other = _add(graph, "The compiler inlines small functions.", "Inlining", "code")
    return _learn(graph, one, other, evidence="Both are about doing things early.")


def test_a_weak_bridge_that_nobody_uses_comes_up_after_a_month(graph: Graph) -> None:
    """Not before; the item says how weak and how long unused, and accepting changes nothing."""
    learned_id = _weak(graph)
    assert _sweep(graph, days=29).weak == 0
    assert _sweep(graph, days=31).weak == 1
    (item,) = _items(graph, SuggestionKind.WEAK_BRIDGE)
    assert (item.grounds["learned_id"], item.grounds["unused_days"]) == (learned_id, 31)
    assert item.grounds["strength"] < 0.7
    before = _measure(graph)
    graph.curate.review((Decision(item=item.id, decision="accept"),), graph.call("review"))
    assert _measure(graph) == before


def test_a_weak_bridge_that_is_used_does_not_come_up(graph: Graph) -> None:
    """Both its ends were found in between; one end alone is no use of the bridge."""
    _weak(graph)
    found = _later(graph, days=20)
    graph.recall.search(SearchRequest(query="herring spring", page=Page(limit=1)), found)
    assert _sweep(graph, days=31).weak == 1
    graph.recall.search(SearchRequest(query="compiler inlines functions", page=Page(limit=1)), found)
    assert _sweep(graph, days=32).weak == 0


def test_a_strong_bridge_comes_up_after_half_a_year_without_use(graph: Graph) -> None:
    """However strong: a bridge that nobody goes over is of no use."""
    _learn(graph, *_ends(graph))
    assert _sweep(graph, days=100).weak == 0
    assert _sweep(graph, days=181).weak == 1


# New bridges


TWINS = (
    ("Ferries cross the strait every hour in summer.", "In summer a ferry crosses the strait once an hour."),
    ("Cable cars stop when the wind exceeds sixty knots.", "At winds of over sixty knots the cable cars stand still."),
    ("A token bucket limits the rate of requests.", "Buckets of tokens keep requests below a rate."),
    ("Bees dance to tell each other where food is.", "Bees dance and so tell others where food can be found."),
    ("The night train to Vienna leaves at ten.", "The train to Vienna departs at ten in the night."),
    ("Ink dries faster on rough paper.", "On paper that is rough, ink needs less time to dry."),
    ("Grain silos must be aired before harvest.", "Grain silos are ventilated by the farmers before harvest."),
)


def _twins(graph: Graph, count: int) -> list[tuple[str, str]]:
    """Write so many pairs that say the same in two ontologies; nothing but their meaning is compared."""
    return [(_bare(graph, one, "north"), _bare(graph, other, "south")) for one, other in TWINS[:count]]


def _bare(graph: Graph, content: str, ontology: str) -> str:
    request = CaptureRequest(content=content, kind="concept", ontology=ontology, linking=Linking.NONE)
    return graph.capture.capture(request, graph.call("capture")).node.id


def test_a_close_newcomer_of_another_ontology_is_suggested_and_accepting_relates_the_two(graph: Graph) -> None:
    """The relation says by which rule and score it came."""
    ((one, other),) = _twins(graph, 1)
    assert _sweep(graph).bridges == 1
    (item,) = _items(graph, SuggestionKind.BRIDGE)
    assert set(item.subjects) == {one, other}
    graph.curate.review((Decision(item=item.id, decision="accept"),), graph.call("review"))
    (relation,) = graph.store.relations((one,), types=("bridges",))
    assert {relation.source, relation.target} == {one, other}
    assert (relation.rule, dict(relation.scores)) == (RULE, {"similarity": item.score})


def test_at_most_five_new_bridges_wait_at_a_time(graph: Graph) -> None:
    """The closest of seven; the others follow as these are decided, and what was dismissed does not come back."""
    pairs = {frozenset(pair) for pair in _twins(graph, 7)}
    assert _sweep(graph).bridges == OPEN_MAX == 5
    assert _sweep(graph).bridges == 0
    first = _items(graph, SuggestionKind.BRIDGE)
    graph.curate.review(tuple(Decision(item=each.id, decision="dismiss") for each in first), graph.call("review"))
    _sweep(graph)
    second = _items(graph, SuggestionKind.BRIDGE)
    assert len(second) == 2
    assert {frozenset(each.subjects) for each in (*first, *second)} == pairs


def test_what_is_related_or_asked_about_already_is_no_new_bridge(graph: Graph) -> None:
    """Any relation counts, and any suggestion about the two, of whatever kind."""
    (joined, asked) = _twins(graph, 2)
    request = RelateRequest(source=joined[0], target=joined[1], type="relates_to", reasoning="they belong together")
    graph.relate.relate(request, graph.call("relate"))
    assert _sweep(graph).bridges == 1
    (item,) = _items(graph, SuggestionKind.BRIDGE)
    assert set(item.subjects) == set(asked)
    graph.curate.review((Decision(item=item.id, decision="dismiss"),), graph.call("review"))
    assert _sweep(graph).bridges == 0


def test_within_one_ontology_there_is_no_new_bridge(graph: Graph) -> None:
    """The twin: the same texts side by side."""
    for at, content in enumerate(TWINS[0]):
        _add(graph, content, f"Note {at + 1}", "north")
    _add(graph, OTHER, "Violin", "south")
    assert _sweep(graph).bridges == 0


# When it is looked for


def test_a_reader_s_review_writes_nothing(ann: Door) -> None:
    """The list is read as it stands; a contributor's review looks first."""
    _weak(ann.graph)
    _twins(ann.graph, 2)
    head = ann.graph.log.head()
    ann.as_(tier=Tier.READER).call("review")
    assert ann.graph.log.head() == head
    assert not ann.graph.usage.noted(
        caller=sweeping.CALLER, event=sweeping.EVENT, since=ann.graph.call().at - timedelta(days=1)
    )


def test_a_review_looks_once_a_day_and_only_at_a_graph_that_changed(graph: Graph) -> None:
    """Not again the same day, not the next day where nothing happened; then after a change, or after a week."""
    _weak(graph)
    watch = graph.watching
    assert watch.sweep_if_due(_later(graph, days=0)) is not None
    assert watch.sweep_if_due(_later(graph, days=0.5)) is None
    assert watch.sweep_if_due(_later(graph, days=2)) is None
    assert watch.sweep_if_due(_later(graph, days=8)) is not None
    _add(graph, OTHER, "Violin")
    assert watch.sweep_if_due(_later(graph, days=8.5)) is None
    assert watch.sweep_if_due(_later(graph, days=9.5)) is not None


def test_another_process_knows_when_the_last_sweep_was(graph: Graph) -> None:
    """The memory of use is shared by all processes of a graph."""
    _weak(graph)
    assert graph.watching.sweep_if_due(_later(graph, days=0)) is not None
    graph.usage.tallies()  # what waits to be written is written
    with open_graph(settings=graph.settings) as second:
        assert second.watching.sweep_if_due(_later(second, days=0)) is None


def test_of_all_processes_on_a_graph_one_sweeps(graph: Graph, tmp_path: Path) -> None:
    """While another is at it, a review goes on without; once that has ended unfinished, it is done here."""
    _weak(graph)
    another = opened_at(tmp_path / "notes.db", graph.embedder, tier=Tier.CONTRIBUTOR)
    with another.upkeep.claimed(sweeping.EVENT) as theirs:
        assert theirs
        assert graph.watching.sweep_if_due(_later(graph, days=0)) is None
    assert graph.watching.sweep_if_due(_later(graph, days=0)) is not None
    another.close()


def test_a_sweep_writes_suggestions_and_nothing_else(graph: Graph) -> None:
    """Whatever it finds: drift, a contradiction, a weak item, bridges. It is a batch of its own."""
    _weak(graph)
    bucket, valve = _ends(graph)
    _stated(graph, bucket, valve, "supports")
    _learn(graph, bucket, valve, type_="refutes")
    _twins(graph, 3)
    before = _measure(graph)
    found = _sweep(graph, days=31)
    assert found.suggested >= 2
    assert _measure(graph) == before
    changes = graph.log.batch(found.batch)
    assert {(change.subject.value, change.action.value, change.tool) for change in changes} == {
        ("suggestion", "create", "watch")
    }


def test_a_reader_cannot_sweep(graph: Graph) -> None:
    """Asked to outright, the graph refuses; nothing is written."""
    _weak(graph)
    head = graph.log.head()
    with pytest.raises(PermissionDenied):
        graph.watching.sweep(replace(_later(graph, days=31), tier=Tier.READER))
    assert graph.log.head() == head
    assert graph.watching.sweep_if_due(replace(_later(graph, days=31), tier=Tier.READER)) is None


def test_a_review_that_cannot_look_still_answers(graph: Graph) -> None:
    """The file was opened for reading; the caller may do more, the list is shown all the same."""
    _weak(graph)
    with open_graph(settings=replace(graph.settings, role="reader")) as shut:
        asked = replace(_later(shut, days=31), tier=Tier.CURATOR)
        assert shut.watching.sweep_if_due(asked) is None
        assert shut.curate.review((), asked).items == ()


def test_the_tool_shows_what_the_sweep_found(ann: Door) -> None:
    """A review by a contributor finds the contradiction and lists it in the same answer."""
    bucket, valve = _ends(ann.graph)
    _stated(ann.graph, bucket, valve, "supports")
    _learn(ann.graph, bucket, valve, type_="refutes")
    found = ann.as_(tier=Tier.CONTRIBUTOR).call("review", kinds=["conflict"])
    assert [item["kind"] for item in found["items"]] == ["conflict"]
    assert found["items"][0]["grounds"]["origin"] == "document"
