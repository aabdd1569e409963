"""What an ingest that was broken off left undone is made up for by the next one, and what came to its end is not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from services.readers import ingest_of
from weft.model import IngestRequest, Origin, SuggestionKind, SuggestionQuery

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Ingested, Suggestion

MUST = "The oven must be preheated at 250 degrees before baking.\n"
MUST_NOT = "The oven must not be preheated at 250 degrees before baking.\n"
MIRROR = "A mirror is a copy of the graph on disk. It depends on the Watcher.\n"
WATCHER = "Watcher is a process that looks for files.\n"
TEXTS = {"a": MUST, "b": MUST_NOT, "c": MIRROR, "d": WATCHER}


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    """A folder of documents that contradict each other, and of which one depends on another."""
    folder = tmp_path / "kitchen"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def _ingest(desk: Desk, folder: Path) -> Ingested:
    return ingest_of(desk).ingest(IngestRequest(roots=(folder,)), desk.call(tool="ingest"))


def _broken_off(desk: Desk, folder: Path, *, after: int) -> None:
    """Take in ``folder``, and leave when ``after`` documents are in."""

    def leave(done: int, _: int, __: str) -> None:
        if done == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest_of(desk).ingest(IngestRequest(roots=(folder,)), replace(desk.call(tool="ingest"), progress=leave))


def _open(desk: Desk) -> tuple[Suggestion, ...]:
    return desk.store.suggestions(SuggestionQuery())[0]


def _inferred(desk: Desk) -> set[tuple[str, str, str]]:
    """Return what the rules made between the nodes that stand: the titles of both ends, and the type."""
    titles = {node.id: node.title for node in desk.standing()}
    held = desk.store.relations(list(titles))
    found = (each for each in held if each.origin is Origin.INFERRED)
    return {(titles[each.source], titles[each.target], each.type) for each in found}


@pytest.mark.parametrize("after", [2, len(TEXTS)])
def test_what_was_broken_off_is_made_up_for(desk: Desk, kitchen: Path, after: int) -> None:
    """Relations and questions about documents that were in already; a third call has nothing left to write."""
    _broken_off(desk, kitchen, after=after)
    assert (_open(desk), _inferred(desk)) == ((), set())
    again = _ingest(desk, kitchen)
    assert (again.unchanged, again.questions) == (after, 1)
    assert [each.kind for each in _open(desk)] == [SuggestionKind.CONFLICT]
    assert ("mirror", "Watcher", "depends_on") in _inferred(desk)
    head = desk.log.head()
    assert _ingest(desk, kitchen).batches == ()
    assert desk.log.head() == head


def test_what_is_taken_back_of_a_whole_ingest_is_not_made_again(desk: Desk, kitchen: Path) -> None:
    """The twin of the one before: that call came to its end, and who undid its relations knew why."""
    told = _ingest(desk, kitchen)
    desk.curate.undo(told.batches[-1], desk.call())
    head = desk.log.head()
    assert _ingest(desk, kitchen).batches == ()
    assert (_open(desk), _inferred(desk), desk.log.head()) == ((), set(), head)


def test_a_document_that_changed_meanwhile_is_made_up_for_too(desk: Desk, kitchen: Path) -> None:
    """What its earlier text said, and it still says, was never compared with what stands."""
    _broken_off(desk, kitchen, after=len(TEXTS))
    for name, text in TEXTS.items():
        (kitchen / f"{name}.md").write_text(f"{text}\nAnd so on, as every baker knows.\n", encoding="utf-8")
    assert _ingest(desk, kitchen).questions == 1
    assert ("mirror", "Watcher", "depends_on") in _inferred(desk)


def test_what_was_broken_off_twice_is_made_up_for_by_somebody_else(desk: Desk, kitchen: Path) -> None:
    """It does not matter whose call it was."""
    _broken_off(desk, kitchen, after=1)
    _broken_off(desk, kitchen, after=len(TEXTS))
    bob = desk.call(actor="bob", tool="ingest")
    assert ingest_of(desk).ingest(IngestRequest(roots=(kitchen,)), bob).questions == 1
