"""Forgetting: previewed, soft, with all relations, and undone as one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from services.readers import ingest_of
from weft.errors import NotFound, PermissionDenied
from weft.model import Batch, Filter, IngestRequest, Origin, SaveNode, Status, Tier

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from services.desk import Desk


def _three(desk: Desk) -> list[str]:
    texts = ("Herring migrate north.", "Violins are made of spruce.", "The compiler inlines functions.")
    return [desk.add(text, kind="claim").node.id for text in texts]


def test_without_confirm_it_tells_what_would_go_and_writes_nothing(desk: Desk) -> None:
    """A preview counts the relations."""
    one, two, three = _three(desk)
    desk.join(one, two)
    desk.join(three, one, "uses")
    before = desk.measure()
    preview = desk.capture.forget("Herring migrate north.", desk.call(tool="forget"))
    assert (preview.id, preview.kind, preview.relations_removed, preview.done) == (one, "claim", 2, False)
    assert preview.batch == ""
    assert desk.measure() == before


def test_with_confirm_the_node_leaves_all_reads_and_its_relations_go_with_it(desk: Desk) -> None:
    """The others stay; who forgot it, when and why is kept."""
    one, two, three = _three(desk)
    desk.join(one, two)
    desk.join(two, three)
    call = desk.call(tool="forget", actor="grace")
    gone = desk.capture.forget(one, call, reason="obsolete", confirm=True)
    assert (gone.done, gone.relations_removed) == (True, 1)
    retired = desk.node(one).retired
    assert retired is not None
    assert (retired.by, retired.why, retired.at) == ("grace", "obsolete", call.at)
    assert {node.id for node in desk.standing()} == {two, three}
    assert not desk.words.search("herring", filter=Filter(), limit=5)
    assert len(desk.store.relations((one, two, three))) == 1
    assert {change.batch for change in desk.log.history(one, limit=1)} == {gone.batch}


def test_undo_brings_the_node_back_with_its_relations(desk: Desk) -> None:
    """It is found again by word and by meaning, and the relations are the same ones."""
    one, two, _ = _three(desk)
    relation = desk.join(one, two, "supports").relation
    gone = desk.capture.forget(one, desk.call(), confirm=True)
    undone = desk.curate.undo(gone.batch, desk.call(tool="undo"))
    assert (undone.reverted, undone.conflicts) == (2, ())
    assert desk.node(one).retired is None
    assert desk.store.relations((one,)) == (relation,)
    assert [hit.node for hit in desk.words.search("herring", filter=Filter(), limit=5)] == [one]
    vector = desk.embedder.embed(["Fish swim north"])[0]
    assert desk.vectors.nearest(vector, filter=Filter(), limit=1)[0].node == one


def test_a_contributor_cannot_forget(desk: Desk, desk_of: Callable[[Tier], Desk]) -> None:
    """A preview is free, the deed needs a librarian."""
    one, two, _ = _three(desk)
    desk.join(one, two)
    contributor = desk_of(Tier.CONTRIBUTOR)
    before = desk.measure()
    assert not contributor.capture.forget(one, contributor.call()).done
    with pytest.raises(PermissionDenied, match="librarian"):
        contributor.capture.forget(one, contributor.call(), confirm=True)
    assert desk.measure() == before
    assert desk_of(Tier.LIBRARIAN).capture.forget(one, desk.call(), confirm=True).done


def test_what_a_document_said_can_be_forgotten_by_a_person_and_comes_back(desk: Desk) -> None:
    """A librarian decides; what thinks may not."""
    one, *_ = _three(desk)
    node = replace(desk.node(one), origin=Origin.DOCUMENT, version=2)
    desk.store.commit(Batch(id="as-document", call=desk.call(), operations=(SaveNode(node=node, expect=1),)))
    gone = desk.capture.forget(one, desk.call(), confirm=True)
    assert gone.done
    desk.curate.undo(gone.batch, desk.call())
    assert desk.node(one).retired is None


def test_what_is_not_there_cannot_be_forgotten(desk: Desk) -> None:
    """Nor can what was forgotten before."""
    one, *_ = _three(desk)
    desk.capture.forget(one, desk.call(), confirm=True)
    for reference in (one, "Nowhere"):
        with pytest.raises(NotFound):
            desk.capture.forget(reference, desk.call(), confirm=True)


CACHE = """# Cache

The cache keeps sessions in memory for thirty minutes. It must never hold personal data.

## Eviction

**Eviction**: the removal of the oldest entries once memory is full.
"""


def test_a_document_takes_with_it_what_rests_on_it_alone(desk: Desk, tmp_path: Path) -> None:
    """What another document says too, and what somebody related, stays; one undo brings all of it back."""
    (tmp_path / "cache.md").write_text(CACHE, encoding="utf-8")
    (tmp_path / "memory.md").write_text(f"# Memory\n\n{CACHE.partition('## ')[2]}", encoding="utf-8")
    ingest_of(desk).ingest(IngestRequest(paths=(tmp_path,), roots=(tmp_path,)), desk.call())
    titled = {node.title: node.id for node in desk.standing()}
    alone = next(key for title, key in titled.items() if title.startswith("The cache keeps"))
    before = desk.standing()
    preview = desk.capture.forget("cache.md", desk.call())
    assert (preview.nodes_removed, preview.done) == (1, False)
    assert preview.titles == (desk.node(alone).title,)
    gone = desk.capture.forget("cache.md", desk.call(), confirm=True)
    assert gone.nodes_removed == 1
    left = {node.id for node in desk.standing()}
    assert {node.id for node in before} - left == {titled["Cache"], alone}
    assert titled["Eviction"] in left
    assert not desk.store.relations((alone,))
    desk.curate.undo(gone.batch, desk.call())
    assert {node.id for node in desk.standing()} == {node.id for node in before}
    desk.join(alone, desk.add("Sessions are short.", kind="claim").node.id)
    again = desk.capture.forget("cache.md", desk.call(), confirm=True)
    assert (again.nodes_removed, desk.node(alone).retired) == (0, None)


def test_what_a_forgotten_node_alone_superseded_holds_again(desk: Desk) -> None:
    """As with a relation that is taken back; where another supersedes it too, it does not."""
    old, newer, newest = (desk.add(f"Jobs are queued in {name}.", kind="decision").node for name in ("A1", "B2", "C3"))
    for each in (newer, newest):
        desk.join(each.id, old.id, "supersedes")
    desk.capture.forget(newest.id, desk.call(), confirm=True)
    assert desk.node(old.id).status is Status.SUPERSEDED
    gone = desk.capture.forget(newer.id, desk.call(), confirm=True)
    assert desk.node(old.id).status is Status.ACTIVE
    desk.curate.undo(gone.batch, desk.call())
    assert desk.node(old.id).status is Status.SUPERSEDED
