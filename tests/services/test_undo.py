"""Undo: a batch is taken back as far as nothing newer stands on it, and undoing that does it again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import a_folder
from services.desk import START, opened
from services.merged import bench
from weft.errors import Ambiguous, Conflict, InvalidArgument, NotFound, PermissionDenied
from weft.model import (
    Decision,
    Filter,
    IngestRequest,
    Origin,
    Page,
    RelationWish,
    Status,
    SuggestionKind,
    SuggestionQuery,
    Tier,
    UpdateRequest,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Undone
    from weft.ports import Embedder

    Deed = Callable[[Desk, tuple[str, str], str, int], str]


def _undo(desk: Desk, batch: str) -> Undone:
    return desk.curate.undo(batch, desk.call(tool="undo", actor="grace"))


def test_an_undone_capture_is_gone_with_its_relations_and_redone_whole(desk: Desk) -> None:
    """Undo retires, undo of the undo brings all of it back, findable."""
    target = desk.add("Violins are made of spruce.", kind="claim").node
    wish = RelationWish(type="uses", target=target.id)
    made = desk.add("Herring migrate north in spring.", kind="claim", relations=(wish,))
    undone = _undo(desk, made.batch)
    assert undone.conflicts == ()
    assert desk.node(made.node.id).retired is not None
    assert not desk.store.relations((target.id,))
    assert not desk.words.search("herring", filter=Filter(), limit=5)
    again = _undo(desk, undone.undo_batch)
    assert again.reverted == undone.reverted
    assert desk.node(made.node.id).retired is None
    assert [each.type for each in desk.store.relations((target.id,))] == ["uses"]
    assert [hit.node for hit in desk.words.search("herring", filter=Filter(), limit=5)] == [made.node.id]


def test_a_prefix_of_the_batch_will_do_unless_it_is_ambiguous(desk: Desk) -> None:
    """Candidates are listed where several begin so."""
    first = desk.add("Herring migrate north.", kind="claim")
    desk.add("Violins are made of spruce.", kind="claim")
    with pytest.raises(Ambiguous):
        _undo(desk, first.batch[:8])
    assert _undo(desk, first.batch[:-1]).batch == first.batch


@pytest.mark.parametrize("length", [1, 4, 7])
@pytest.mark.parametrize("alone", [True, False])
def test_a_prefix_that_is_too_short_takes_nothing_back(desk: Desk, length: int, *, alone: bool) -> None:
    """Not even where one batch only begins so; the error says how much of it is wanted. From eight on it is taken."""
    first = desk.add("Herring migrate north.", kind="claim")
    if not alone:
        desk.add("Violins are made of spruce.", kind="claim")
    head = desk.log.head()
    with pytest.raises(InvalidArgument, match=r"^batch: .* 8 characters or more"):
        _undo(desk, first.batch[:length])
    assert desk.log.head() == head
    if alone:
        assert _undo(desk, first.batch[:8]).batch == first.batch


def test_what_is_no_batch_is_not_found(desk: Desk) -> None:
    """Nor is a part that no batch has."""
    made = desk.add("Herring migrate north.", kind="claim")
    for wanted in ("", "nowhere", f"{made.batch}:nodes"):
        with pytest.raises(NotFound):
            _undo(desk, wanted)


def test_an_update_is_undone_field_by_field_and_found_by_its_old_words(desk: Desk) -> None:
    """The version goes on, the change is the undoing actor's."""
    node = desk.add("Herring migrate north in spring.", kind="claim", tags=("fish",)).node
    call = desk.call(tool="update")
    updated = desk.capture.update(UpdateRequest(id=node.id, content="Ships carry containers.", tags=("sea",)), call)
    _undo(desk, updated.batch)
    stands = desk.node(node.id)
    assert (stands.content, stands.tags, stands.version) == (node.content, ("fish",), 3)
    assert stands.modified_by == "grace"
    assert [hit.node for hit in desk.words.search("herring", filter=Filter(), limit=5)] == [node.id]
    assert not desk.words.search("containers", filter=Filter(), limit=5)


def test_what_was_changed_later_stays_and_becomes_a_conflict_item(desk: Desk) -> None:
    """Nothing newer is overwritten; the rest is taken back."""
    target = desk.add("Violins are made of spruce.", kind="claim").node
    wish = RelationWish(type="uses", target=target.id)
    made = desk.add("Herring migrate north in spring.", kind="claim", relations=(wish,))
    call = desk.call(tool="update", actor="edsger")
    desk.capture.update(UpdateRequest(id=made.node.id, importance=0.9), call)
    undone = _undo(desk, made.batch)
    assert len(undone.conflicts) == 1
    assert "edsger changed it later" in undone.conflicts[0]
    assert desk.node(made.node.id).importance == 0.9
    assert desk.node(made.node.id).retired is None
    assert not desk.store.relations((made.node.id,))
    (item,) = desk.store.suggestions(SuggestionQuery(kinds=(SuggestionKind.CONFLICT,)))[0]
    assert item.subjects == (made.node.id,)


def test_a_node_that_somebody_related_since_stays(desk: Desk) -> None:
    """Automatic relations go with it, asserted ones hold it."""
    node = desk.add("It keeps the sessions of all users.", title="Session Store", kind="component")
    page = desk.add("The login page uses Session Store.", title="Login page", kind="component").node
    other = desk.add("Violins are made of spruce.", kind="claim").node
    assert desk.store.relations((node.node.id,), types=("depends_on",))
    joined = desk.join(other.id, node.node.id, "uses")
    with pytest.raises(Conflict, match="related it since, by uses"):
        _undo(desk, node.batch)
    _undo(desk, joined.batch)
    undone = _undo(desk, node.batch)
    assert undone.conflicts == ()
    assert not desk.store.relations((page.id,))
    _undo(desk, undone.undo_batch)
    assert [each.type for each in desk.store.relations((page.id,))] == ["depends_on"]


def test_a_batch_is_undone_once(desk: Desk) -> None:
    """A second time there is nothing left, and nothing is written."""
    made = desk.add("Herring migrate north.", kind="claim")
    _undo(desk, made.batch)
    before = desk.measure()
    with pytest.raises(Conflict, match="Nothing of batch"):
        _undo(desk, made.batch)
    assert desk.measure() == before


def test_what_stands_as_it_did_before_is_no_conflict(desk: Desk) -> None:
    """Its links were taken back already, or somebody changed it back by hand: there is nothing to decide."""
    desk.add("It keeps the sessions of all users.", title="Session Store", kind="component")
    made = desk.add("We decided that the login page uses Session Store.", kind="decision")
    assert any(each.origin is Origin.INFERRED for each in made.relations)
    _undo(desk, f"{made.batch}:links")
    open_items = desk.measure()[4]
    assert _undo(desk, made.batch).conflicts == ()
    assert desk.measure()[4] <= open_items
    node = desk.add("Ships float on water.", title="Ships").node
    there = desk.capture.update(UpdateRequest(id=node.id, title="Boats"), desk.call())
    desk.capture.update(UpdateRequest(id=node.id, title="Ships"), desk.call())
    with pytest.raises(Conflict, match="stands as it did before"):
        _undo(desk, there.batch)


def test_batches_are_undone_one_after_the_other_last_first(desk: Desk) -> None:
    """What came later and was taken back stands in nobody's way."""
    one = desk.add("Kilns are fired to 1250 degrees.", kind="claim").node
    other = desk.add("Stoneware is dense.", kind="claim").node
    related = desk.join(one.id, other.id, "supports")
    removed = desk.relate.unrelate(one.id, other.id, "supports", desk.call(tool="unrelate"))
    assert _undo(desk, removed.batch).conflicts == ()
    assert _undo(desk, related.batch).conflicts == ()
    assert not desk.store.relations((one.id,))


def test_superseding_is_undone_with_status(desk: Desk) -> None:
    """Relation and status return together."""
    old, new = (desk.add(text, kind="claim").node.id for text in ("Herring migrate.", "Violins are of spruce."))
    _undo(desk, desk.join(new, old, "supersedes").batch)
    assert desk.node(old).status is Status.ACTIVE
    assert not desk.store.relations((old,))


def test_superseding_is_undone_once(desk: Desk) -> None:
    """Of the newer node it set the time alone: that is nothing to take back a second time."""
    old, new = (desk.add(text, kind="claim").node.id for text in ("Herring migrate.", "Violins are of spruce."))
    related = desk.join(new, old, "supersedes")
    again = _undo(desk, related.batch).undo_batch
    before = desk.measure()
    with pytest.raises(Conflict, match="Nothing of batch"):
        _undo(desk, related.batch)
    assert desk.measure() == before
    _undo(desk, again)
    assert desk.node(old).status is Status.SUPERSEDED


def test_superseding_is_undone_although_the_newer_node_was_changed_since(desk: Desk) -> None:
    """Nothing of that change is in the way, so nobody is asked about it."""
    old, new = (desk.add(text, kind="claim").node.id for text in ("Herring migrate.", "Violins are of spruce."))
    related = desk.join(new, old, "supersedes")
    desk.capture.update(UpdateRequest(id=new, content="Violins are of maple."), desk.call())
    assert _undo(desk, related.batch).conflicts == ()
    assert desk.node(new).content == "Violins are of maple."


def test_a_relation_does_not_return_to_a_node_that_was_forgotten(desk: Desk) -> None:
    """Two forgotten ends: undoing one alone leaves the relation in review."""
    one, two = (desk.add(text, kind="claim").node.id for text in ("Herring migrate.", "Violins are of spruce."))
    desk.join(one, two, "uses")
    first = desk.capture.forget(one, desk.call(), confirm=True)
    second = desk.capture.forget(two, desk.call(), confirm=True)
    undone = _undo(desk, first.batch)
    assert desk.node(one).retired is None
    assert "forgotten since" in undone.conflicts[0]
    _undo(desk, second.batch)
    assert not desk.store.relations((one, two))


def test_a_relation_does_not_return_where_another_took_its_place(desk: Desk) -> None:
    """The newer one is left alone."""
    one, two = (desk.add(text, kind="claim").node.id for text in ("Herring migrate.", "Violins are of spruce."))
    desk.join(one, two, "uses")
    gone = desk.relate.unrelate(one, two, "uses", desk.call())
    newer = desk.join(one, two, "uses").relation
    with pytest.raises(Conflict, match="related by the same type since"):
        _undo(desk, gone.batch)
    assert desk.store.relations((one,)) == (newer,)


def test_a_strengthened_relation_is_weakened_again(desk: Desk) -> None:
    """The same relation, as it was before."""
    one, two = (desk.add(text, kind="claim").node.id for text in ("Herring migrate.", "Violins are of spruce."))
    desk.join(one, two, "uses", confidence=0.4)
    _undo(desk, desk.join(one, two, "uses", confidence=0.9).batch)
    (relation,) = desk.store.relations((one,))
    assert (relation.confidence, relation.version) == (0.4, 3)


def test_undo_needs_a_librarian(desk: Desk, desk_of: Callable[[Tier], Desk]) -> None:
    """A contributor takes nothing back, not even what is his."""
    contributor = desk_of(Tier.CONTRIBUTOR)
    made = contributor.add("Herring migrate north.", kind="claim")
    before = desk.measure()
    with pytest.raises(PermissionDenied):
        _undo(contributor, made.batch)
    assert desk.measure() == before
    assert _undo(desk_of(Tier.LIBRARIAN), made.batch).reverted


def test_names_that_return_together_stand_in_each_others_texts_again(tmp_path: Path) -> None:
    """What was taken in at once and taken back is linked by its names as it was when that is undone."""
    text = "# Kilns\n\n- **Glazing Kiln**: the Firing Plan names its fuel.\n- **Firing Plan**: a Glazing Kiln is hot.\n"
    with bench(tmp_path) as kept:
        call = kept.graph.call("ingest")
        kept.graph.ingest.ingest(IngestRequest(text=text, document="kiln.md"), call)
        batch = kept.graph.log.since(0, limit=1)[0].batch
        before = kept.whole()["mentions"]
        assert before
        undone = kept.graph.curate.undo(batch, kept.graph.call("undo"))
        assert kept.graph.curate.undo(undone.undo_batch, kept.graph.call("undo")).conflicts == ()
        assert kept.whole()["mentions"] == before


def test_suggestions_of_an_undone_capture_are_closed(desk: Desk) -> None:
    """What is gone asks nothing; undoing the undo asks again."""
    made = desk.add("Retries back off from 200 ms.")
    assert made.suggestions
    undone = _undo(desk, made.batch)
    assert desk.measure()[4] == 0
    _undo(desk, undone.undo_batch)
    assert desk.measure()[4] == len(made.suggestions)


TEXTS = (
    "Herring migrate north in spring.",
    "Herring migrate north in springtime.",
    "Herring never migrate north in spring.",
    "The login page uses Session Store.",
    "Violins are made of spruce and maple.",
    "A decision: we chose the alternative.",
)


def _shape(desk: Desk) -> object:
    """Everything that stands, without versions and times of change."""
    nodes = sorted(desk.standing(), key=lambda each: each.id)
    ids = [node.id for node in nodes]
    relations = sorted(desk.store.relations(ids), key=lambda each: each.id)
    suggestions, _ = desk.store.suggestions(SuggestionQuery(page=Page(limit=100)))
    return (
        [replace(node, version=0, modified_at=START, modified_by="") for node in nodes],
        [replace(relation, version=0) for relation in relations],
        sorted(each.id for each in suggestions),
        {key: len(rows) for key, rows in desk.vectors.of(ids).items()},
    )


def _capture(desk: Desk, ends: tuple[str, str], kind: str, pick: int) -> str:
    wish = RelationWish(type=kind, target=ends[0])
    made = f"{TEXTS[pick % len(TEXTS)]} {'Indeed. ' * desk.log.head()}"
    return desk.add(made, tags=("fish",) * (pick % 2), relations=(wish,)).batch


def _update(desk: Desk, ends: tuple[str, str], _: str, pick: int) -> str:
    content = f"{TEXTS[pick % len(TEXTS)]} And {desk.log.head()}."
    return desk.capture.update(UpdateRequest(id=ends[0], content=content, importance=0.7), desk.call()).batch


def _accept(desk: Desk, _: tuple[str, str], __: str, pick: int) -> str:
    items, _total = desk.store.suggestions(SuggestionQuery(page=Page(limit=100)))
    chosen = [Decision(item=items[pick % len(items)].id, decision="accept")] if items else []
    return "".join(row.batch for row in desk.curate.review(chosen, desk.call()).decided)


def _forget(desk: Desk, ends: tuple[str, str], _: str, __: int) -> str:
    return desk.capture.forget(ends[0], desk.call(), confirm=True).batch if len(desk.standing()) > 1 else ""


def _relate(desk: Desk, ends: tuple[str, str], kind: str, pick: int) -> str:
    return "" if ends[0] == ends[1] else desk.join(*ends, kind, confidence=(pick % 10) / 10).batch


def _unrelate(desk: Desk, ends: tuple[str, str], kind: str, _: int) -> str:
    return desk.relate.unrelate(*ends, kind, desk.call()).batch


DEEDS = (_capture, _update, _accept, _forget, _relate, _unrelate)
STEPS = st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 9_999)), min_size=1, max_size=6)


def _do(desk: Desk, deed: Deed, pick: int) -> str:
    """Do one thing and return its batch, empty where it changed nothing."""
    ids = sorted(node.id for node in desk.standing())
    kind = ("uses", "supersedes", "relates_to", "contradicts")[pick % 4]
    return deed(desk, (ids[pick % len(ids)], ids[(pick // 7) % len(ids)]), kind, pick)


@settings(max_examples=25, deadline=None)
@given(steps=STEPS)
def test_undo_restores_what_was_and_undoing_that_what_came(embedder: Embedder, steps: list[tuple[Deed, int]]) -> None:
    """Whatever a batch did: undone, the graph is as before it; undone again, as after it."""
    with a_folder() as folder, opened(folder / "notes.db", embedder) as desk:
        desk.add("It keeps the sessions of all users.", title="Session Store", kind="component")
        desk.add("Ships carry containers over the sea.", kind="claim", tags=("fish",))
        for deed, pick in steps:
            before = _shape(desk)
            batch = _do(desk, deed, pick)
            if not batch:
                continue
            after = _shape(desk)
            undone = _undo(desk, batch)
            assert undone.conflicts == ()
            assert _shape(desk) == before
            assert _undo(desk, undone.undo_batch).conflicts == ()
            assert _shape(desk) == after
