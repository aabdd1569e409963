"""Remembering: recall with decay, what lies around a node, its relations in pages, and what title and tags recall."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from services.desk import START
from services.readers import recall_ports_of
from weft.errors import Ambiguous, InvalidArgument, NotFound
from weft.model import CaptureRequest, Linking, Origin, Page, RecallRequest, UpdateRequest
from weft.services.capture.pairing import Pairing
from weft.services.recall.remembering import Remembering
from weft.services.trace.surrounding import FAN_MAX, REACHED_MAX

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Call, Node, Recalled, Surrounded

POOL = "The pool of database connections runs dry at noon and requests wait for a free one."


@pytest.fixture
def remember(desk: Desk, tmp_path: Path) -> Remembering:
    """Remembering over the desk."""
    return _over(desk, tmp_path)


def _over(desk: Desk, folder: Path) -> Remembering:
    """Return remembering over the desk, with the memory of use in ``folder``."""
    return Remembering(recall_ports_of(desk, folder))


def _kept(desk: Desk, content: str, **fields: object) -> Node:
    """Return a new node that nothing was joined to."""
    return desk.add(content, linking=Linking.NONE, **fields).node


def _after(desk: Desk, days: float) -> Call:
    """Return a call so many days after the first."""
    return replace(desk.call(), at=START + timedelta(days=days))


def _titles(found: Recalled) -> list[str]:
    return [row.node.title for row in found.recollections]


def _around(found: Surrounded) -> list[str]:
    return [trail.steps[-1].node.title for trail in found.trails]


# ---- recall


def test_the_most_alike_comes_first_however_important_others_are(desk: Desk, remember: Remembering) -> None:
    """Similarity first."""
    _kept(desk, POOL, title="Pool runs dry", kind="problem", importance=0.1)
    _kept(desk, "The office plants want water once a week.", title="Plants", kind="general", importance=1.0)
    found = remember.recall(RecallRequest(query="database connection pool runs dry"), desk.call())
    assert _titles(found)[0] == "Pool runs dry"


def test_among_those_as_alike_the_more_important_comes_first(desk: Desk, remember: Remembering) -> None:
    """Decayed importance second: the order of two equal texts is that of their importance, whichever it is."""
    for low, high in (("a", "b"), ("b", "a")):
        marked = f"mark{low}"
        for name, importance in ((low, 0.2), (high, 0.9)):
            _kept(desk, POOL, title=f"Pool {name}{marked}", kind="problem", importance=importance, tags=(marked,))
        found = remember.recall(RecallRequest(query=POOL, tags=(marked,)), desk.call())
        assert _titles(found) == [f"Pool {high}{marked}", f"Pool {low}{marked}"]


def test_importance_halves_with_every_ninety_days_without_use_but_keeps_a_tenth(desk: Desk, tmp_path: Path) -> None:
    """0.8 is 0.4 after 90 days, 0.2 after 180, and 0.08 after ten years."""
    _kept(desk, POOL, title="Pool", kind="problem", importance=0.8)
    for days, left in ((90, 0.4), (180, 0.2), (3_650, 0.08)):
        own = tmp_path / f"{days}"  # a memory of use in which nobody used it before
        own.mkdir()
        fresh = _over(desk, own)
        (row,) = fresh.recall(RecallRequest(query="connection pool"), _after(desk, days)).recollections
        assert row.importance == pytest.approx(left, rel=0.01)
        assert row.node.importance == 0.8


def test_use_restores_importance(desk: Desk, remember: Remembering) -> None:
    """Being recalled is a use; the recall itself still shows what decay had left."""
    _kept(desk, POOL, title="Pool", kind="problem", importance=0.8)
    asked = RecallRequest(query="connection pool")
    (faded,) = remember.recall(asked, _after(desk, 180)).recollections
    (restored,) = remember.recall(asked, _after(desk, 181)).recollections
    assert faded.importance == pytest.approx(0.2, rel=0.01)
    assert restored.importance == pytest.approx(0.8, rel=0.02)


def test_a_change_counts_as_use(desk: Desk, remember: Remembering) -> None:
    """What was just corrected is not stale."""
    node = _kept(desk, POOL, title="Pool", kind="problem", importance=0.8)
    desk.capture.update(UpdateRequest(id=node.id, tags=("postgres",)), _after(desk, 180))
    (row,) = remember.recall(RecallRequest(query="connection pool"), _after(desk, 181)).recollections
    assert row.importance == pytest.approx(0.8, rel=0.02)


def test_a_lately_used_memory_comes_before_one_that_faded(desk: Desk, remember: Remembering) -> None:
    """Of two as alike and as important."""
    _kept(desk, POOL, title="Pool one", kind="problem", importance=0.8, tags=("one",))
    _kept(desk, POOL, title="Pool two", kind="problem", importance=0.8, tags=("two",))
    for used, day in (("one", 200), ("two", 600)):
        remember.recall(RecallRequest(query=POOL, tags=(used,)), _after(desk, day))
        found = remember.recall(RecallRequest(query=POOL), _after(desk, day + 1))
        assert _titles(found)[0] == f"Pool {used}"


def test_decay_deletes_nothing(desk: Desk, remember: Remembering) -> None:
    """After twenty years everything is still there and found."""
    _kept(desk, POOL, title="Pool", kind="problem", importance=0.01)
    before = desk.measure()
    assert _titles(remember.recall(RecallRequest(query="connection pool"), _after(desk, 7_300))) == ["Pool"]
    assert desk.measure() == before


def test_recall_is_narrowed_by_kind_and_by_all_tags(desk: Desk, remember: Remembering) -> None:
    """Before ranking: what is left out takes no place."""
    _kept(desk, POOL, title="Pool problem", kind="problem", tags=("postgres", "noon"))
    _kept(desk, POOL, title="Pool error", kind="error", tags=("postgres",))
    asked = RecallRequest(query=POOL, limit=1)
    assert _titles(remember.recall(replace(asked, kind="error"), desk.call())) == ["Pool error"]
    assert _titles(remember.recall(replace(asked, tags=("postgres", "noon")), desk.call())) == ["Pool problem"]
    assert _titles(remember.recall(replace(asked, tags=("postgres", "night")), desk.call())) == []


def test_recall_by_words_alone_wants_every_word(desk: Desk, remember: Remembering) -> None:
    """Nothing is compared by meaning, and what holds only some of the words stays out."""
    _kept(desk, POOL, title="Pool", kind="problem")
    _kept(desk, "Clients queue up until a handle to the store is released.", title="Queue", kind="problem")
    found = remember.recall(RecallRequest(query="noon connections", semantic=False), desk.call())
    assert [(row.node.title, row.similarity) for row in found.recollections] == [("Pool", None)]
    assert not remember.recall(RecallRequest(query="noon plants", semantic=False), desk.call()).recollections


def test_an_error_code_is_recalled_first_although_it_means_nothing(desk: Desk, remember: Remembering) -> None:
    """Words speak too where meaning does not."""
    _kept(desk, "The import stops with E4711 when a row has no key.", title="Import stops", kind="error")
    for at in range(8):
        _kept(desk, f"Error number {at} of the service: something failed badly.", title=f"Failure {at}", kind="error")
    found = remember.recall(RecallRequest(query="E4711"), desk.call())
    assert _titles(found)[0] == "Import stops"


def test_a_superseded_memory_never_rises_by_its_importance(desk: Desk, remember: Remembering) -> None:
    """It sinks, and says by what it was replaced."""
    old = _kept(desk, POOL, title="Pool old", kind="decision", importance=1.0)
    new = _kept(desk, POOL, title="Pool new", kind="decision", importance=0.1)
    desk.capture.update(UpdateRequest(id=old.id, superseded_by=new.id), desk.call())
    found = remember.recall(RecallRequest(query=POOL), desk.call())
    assert _titles(found) == ["Pool new", "Pool old"]
    assert found.recollections[1].superseded_by == (new.id, "Pool new")


def test_scores_fall_along_the_answer(desk: Desk, remember: Remembering) -> None:
    """What ranks is shown, also where importance changed the order."""
    for at in range(8):
        _kept(desk, f"{POOL} Seen {at} times.", title=f"Pool {at}", kind="problem", importance=at / 8)
    found = remember.recall(RecallRequest(query="connection pool", limit=8), desk.call())
    scores = [row.score for row in found.recollections]
    assert scores == sorted(scores, reverse=True)
    assert found.total == 8


def test_recall_refuses_an_unknown_kind_and_a_limit_out_of_bounds(desk: Desk, remember: Remembering) -> None:
    """With the values that are allowed."""
    with pytest.raises(InvalidArgument, match="kind"):
        remember.recall(RecallRequest(query="x", kind="nonsense"), desk.call())
    with pytest.raises(InvalidArgument, match="limit"):
        remember.recall(RecallRequest(query="x", limit=0), desk.call())


# ---- what lies around


def _chain(desk: Desk, *names: str, type: str = "builds_on") -> None:  # noqa: A002 - the field's word
    for name in names:
        _kept(desk, f"Station {name} of the line.", title=name, kind="general")
    for before, after in itertools.pairwise(names):
        desk.join(before, after, type)


def test_what_is_related_comes_with_the_way_to_it(desk: Desk, remember: Remembering) -> None:
    """Nearest first; each step names its relation and the direction it was walked in."""
    _chain(desk, "Ash", "Birch", "Cedar", "Doum")
    _kept(desk, "Station Elm of another line.", title="Elm", kind="general")
    desk.join("Elm", "Ash", "solves")
    found = remember.related("Ash", desk.call(), depth=3)
    assert _around(found)[-2:] == ["Cedar", "Doum"]
    assert set(_around(found)) == {"Birch", "Cedar", "Doum", "Elm"}
    way = {trail.steps[-1].node.title: trail for trail in found.trails}
    assert [step.node.title for step in way["Doum"].steps] == ["Ash", "Birch", "Cedar", "Doum"]
    assert [step.direction for step in way["Doum"].steps] == ["forward", "forward", "forward", ""]
    assert way["Elm"].steps[0].direction == "backward"
    assert (found.total, found.bounded) == (4, False)


def test_depth_says_how_far(desk: Desk, remember: Remembering) -> None:
    """One relation by default; out of 1..5 is refused."""
    _chain(desk, "Ash", "Birch", "Cedar", "Doum")
    assert _around(remember.related("Ash", desk.call())) == ["Birch"]
    assert _around(remember.related("Ash", desk.call(), depth=2)) == ["Birch", "Cedar"]
    for depth in (0, 6):
        with pytest.raises(InvalidArgument, match="depth"):
            remember.related("Ash", desk.call(), depth=depth)


def test_types_restrict_every_step(desk: Desk, remember: Remembering) -> None:
    """A way over another type does not count."""
    _chain(desk, "Ash", "Birch", "Cedar")
    _chain(desk, "Elm", "Fir", type="causes")
    desk.join("Ash", "Elm", "causes")
    assert set(_around(remember.related("Ash", desk.call(), depth=3, types=("CAUSES",)))) == {"Elm", "Fir"}


def test_of_two_ways_as_short_the_stronger_is_shown(desk: Desk, remember: Remembering) -> None:
    """The product of the confidences decides."""
    _chain(desk, "Ash", "Birch", "Cedar")
    _kept(desk, "Station Oak of the line.", title="Oak", kind="general")
    desk.join("Ash", "Oak", "builds_on", confidence=0.99)
    desk.join("Oak", "Cedar", "builds_on", confidence=0.99)
    found = remember.related("Ash", desk.call(), depth=2)
    assert [step.node.title for step in found.trails[-1].steps] == ["Ash", "Oak", "Cedar"]
    assert _around(found) == ["Oak", "Birch", "Cedar"]


def test_mentions_are_not_walked(desk: Desk, remember: Remembering) -> None:
    """Nobody asserted them."""
    _kept(desk, "A harbour in the north.", title="Blue Harbour", kind="general")
    _kept(desk, "Ships go to Blue Harbour.", title="Ships", kind="general")
    assert not remember.related("Ships", desk.call(), depth=3).trails


def test_a_hub_is_walked_within_bounds_and_says_so(desk: Desk, remember: Remembering) -> None:
    """Only the strongest relations of it are followed."""
    hub = _kept(desk, "The middle of it all.", title="Hub", kind="general")
    for at in range(FAN_MAX + 5):
        leaf = _kept(desk, f"Leaf number {at}.", title=f"Leaf {at}", kind="general")
        desk.join(hub.id, leaf.id, "causes", confidence=0.5 + at / 1000)
    found = remember.related("Hub", desk.call(), page=Page(limit=5))
    assert (found.total, found.bounded) == (FAN_MAX, True)
    assert _around(found)[0] == f"Leaf {FAN_MAX + 4}"
    rest = remember.related("Hub", desk.call(), page=Page(limit=100, offset=5))
    assert len(rest.trails) == FAN_MAX - 5
    assert found.total <= REACHED_MAX


def test_what_was_forgotten_is_neither_shown_nor_walked_over(desk: Desk, remember: Remembering) -> None:
    """Its relations left with it."""
    _chain(desk, "Ash", "Birch", "Cedar")
    desk.capture.forget("Birch", desk.call(), confirm=True)
    assert not remember.related("Ash", desk.call(), depth=3).trails


def test_an_end_that_is_not_named_is_refused(desk: Desk, remember: Remembering) -> None:
    """Unknown, or several."""
    _kept(desk, "One.", title="Twin", kind="general")
    _kept(desk, "Two.", title="Twin", kind="general")
    with pytest.raises(NotFound):
        remember.related("nowhere", desk.call())
    with pytest.raises(Ambiguous):
        remember.relations(desk.call(), id="Twin")


# ---- relations in pages


def test_relations_of_a_node_come_strongest_first_with_both_ends(desk: Desk, remember: Remembering) -> None:
    """Seen from either side."""
    _chain(desk, "Ash", "Birch", "Cedar")
    desk.join("Cedar", "Birch", "requires", confidence=0.9)
    found = remember.relations(desk.call(), id="Birch")
    assert [(each.type, each.confidence) for each in found.relations] == [
        ("requires", 0.9),
        ("builds_on", 0.8),
        ("builds_on", 0.8),
    ]
    assert found.centre is not None
    assert {node.title for node in found.ends.values()} == {"Ash", "Birch", "Cedar"}
    assert found.total == 3


def test_relations_of_a_type_come_newest_first_in_pages(desk: Desk, remember: Remembering) -> None:
    """The total is the true one, whatever the page."""
    _chain(desk, "Ash", "Birch", "Cedar", "Doum")
    desk.join("Ash", "Doum", "causes")
    pages = [remember.relations(desk.call(), type="BUILDS_ON", page=Page(limit=2, offset=at)) for at in (0, 2, 4)]
    sources = [page.ends[each.source].title for page in pages for each in page.relations]
    assert sources == ["Cedar", "Birch", "Ash"]
    assert {page.total for page in pages} == {3}
    assert remember.relations(desk.call(), page=Page(limit=1)).total == 4


def test_relations_of_one_node_and_one_type(desk: Desk, remember: Remembering) -> None:
    """Both conditions hold."""
    _chain(desk, "Ash", "Birch", "Cedar")
    desk.join("Cedar", "Birch", "requires")
    found = remember.relations(desk.call(), id="Birch", type="requires")
    assert ([each.type for each in found.relations], found.total) == (["requires"], 1)
    with pytest.raises(InvalidArgument, match="Allowed: supports"):
        remember.relations(desk.call(), type="nonsense")


# ---- what title and tags recall


@pytest.fixture
def pairing(desk: Desk) -> Pairing:
    """Recall by title and tags, over the desk."""
    return Pairing(store=desk.store, vectors=desk.vectors, embedder=desk.embedder)


KILLED = (
    "The container is killed during npm build. Exit code 137 means the kernel ended it for lack of memory; the builder "
    "has 1 GB."
)


def test_tags_bring_to_mind_what_the_title_alone_does_not(desk: Desk, pairing: Pairing) -> None:
    """A title is a weak question."""
    error = _kept(desk, KILLED, title="Deploy fails with exit code 137", kind="error")
    fix = replace(error, id="new", kind="fix", title="Give the builder 4 GB", tags=("deploy", "docker"))
    ((other, similarity),) = pairing.recalled(fix, pairing.remind(fix))
    assert other.id == error.id
    assert similarity >= 0.70
    untagged = replace(fix, tags=())
    assert pairing.recalled(untagged, pairing.remind(untagged)) == ()


def test_a_crowd_of_ones_own_kind_takes_nobody_s_place(desk: Desk, pairing: Pairing) -> None:
    """Thirty fixes lie nearer than the one error: it is recalled all the same."""
    for at in range(30):
        text = f"Run {at}: gave the builder 4 GB of memory and the deploy with docker passed."
        _kept(desk, text, title=f"Give the builder 4 GB, {at}", kind="fix")
    error = _kept(desk, KILLED, title="Deploy fails with exit code 137", kind="error")
    fix = replace(error, id="new", kind="fix", title="Give the builder 4 GB", tags=("deploy", "docker"))
    reminder = pairing.remind(fix)
    assert error.id not in {near.node for near in reminder.near}
    assert [other.id for other, _ in pairing.recalled(fix, reminder)] == [error.id]


def test_title_and_tags_link_what_the_text_alone_would_not(desk: Desk) -> None:
    """The text says little, the title and the tags say it; with the text alone nothing is found."""
    error = _kept(desk, KILLED, title="Deploy fails with exit code 137", kind="error")
    said = CaptureRequest(
        content="Done on Tuesday by Ann, after lunch, in the second terminal; nobody else was asked about it at all.",
        title="Give the builder 4 GB",
        kind="fix",
        tags=("deploy", "docker", "memory"),
        linking=Linking.PAIRS,
    )
    (made,) = desk.capture.capture(said, desk.call()).relations
    assert (made.type, made.target, made.origin) == ("solves", error.id, Origin.INFERRED)
    assert dict(made.scores)["similarity"] == made.confidence >= 0.70


def test_linking_counts_as_no_use(desk: Desk, remember: Remembering) -> None:
    """Recalled to be joined is not recalled by anybody."""
    _kept(desk, KILLED, title="Deploy fails with exit code 137", kind="error", importance=0.8)
    said = CaptureRequest(
        content="Give the container more memory, then the npm build is not killed with exit code 137.",
        title="Give the builder 4 GB",
        kind="fix",
        linking=Linking.PAIRS,
    )
    assert desk.capture.capture(said, _after(desk, 180)).relations
    asked = RecallRequest(query="exit code 137", kind="error")
    (row,) = remember.recall(asked, _after(desk, 181)).recollections
    assert row.importance == pytest.approx(0.2, rel=0.02)
