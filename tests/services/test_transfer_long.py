"""Long texts cost an import no more memory than short ones, and are written some at a time."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from services.travel import Letters, lay, port
from weft.formats.foreign import Record
from weft.model import ImportRequest
from weft.services.transfer import Transfer
from weft.services.transfer.aside import Aside, Incoming

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from services.travel import Port

LINE = "A sentence that says little, and is said again. "


class Weighing(Letters):
    """Notes how many characters it was given at once, at most."""

    most = 0

    def embed(self, texts: Sequence[str]) -> npt.NDArray:
        """Return one row a text."""
        self.most = max(self.most, sum(map(len, texts)))
        return super().embed(texts)


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Port]:
    """An empty graph."""
    with port(tmp_path / "graph.db") as opened:
        yield opened


def notes(folder: Path, count: int, characters: int) -> Path:
    """Lay notes of so many characters, each with a link to the next."""
    text = (LINE * (characters // len(LINE) + 1))[:characters]
    return lay(folder, {f"n{at}.md": f"[[n{(at + 1) % count}]]\n\n{at} {text}" for at in range(count)})


@pytest.mark.parametrize(("count", "characters", "taken"), [(200, 95_000, 200), (20, 1_000_000, 0)])
def test_the_texts_of_a_folder_are_not_held_together(
    graph: Port, tmp_path: Path, count: int, characters: int, taken: int
) -> None:
    """Nor those that are too long for a node, which are told; relations are found all the same."""
    place = notes(tmp_path / "notes", count, characters)
    tracemalloc.start()
    try:
        came = graph.bring(place, "obsidian", dry_run=True)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (came.nodes_made, came.relations_made) == (taken, taken)
    assert sum("too long" in each.reason for each in came.unread) == count - taken
    assert peak_bytes < 0.75 * count * characters


def test_long_notes_are_written_some_at_a_time(graph: Port, tmp_path: Path) -> None:
    """So an import that is broken off keeps what it did, and tells how far it is meanwhile."""
    place = notes(tmp_path / "notes", 14, 95_000)
    weighing = Weighing()
    verb = Transfer(replace(graph.ports, embedder=weighing))
    reports: list[int] = []
    call = replace(graph.call(), progress=lambda done, _total, _message: reports.append(done))
    came = verb.import_(ImportRequest(path=place, format="obsidian"), call)
    assert (came.nodes_made, came.relations_made, came.unread) == (14, 14, ())
    assert weighing.most < 600_000
    assert reports[:3] == [0, 5, 10]
    assert graph.node("n13").content.endswith((LINE * 2_000)[:95_000][-200:].strip())


def test_a_copy_of_long_texts_is_written_some_at_a_time(graph: Port, tmp_path: Path) -> None:
    """The batches of its log stay whole: each here is of five notes."""
    graph.bring(notes(tmp_path / "notes", 40, 95_000), "obsidian")
    copy = tmp_path / "copy.jsonl"
    copy.write_text(graph.text(), encoding="utf-8")
    weighing = Weighing()
    with port(tmp_path / "other.db") as other:
        came = Transfer(replace(other.ports, embedder=weighing)).import_(
            ImportRequest(path=copy, format="jsonl"), other.call()
        )
        assert (came.nodes_made, came.unread) == (40, ())
        assert other.text() == copy.read_text(encoding="utf-8")
    assert weighing.most < 3_000_000


def test_what_is_set_aside_comes_back_as_it_was() -> None:
    """In any order, whatever its letters, also where it is more than is held in memory."""
    texts = ["", "plain", "ünï — 文字 🍵", "half a pair \ud800", "x" * 5_000_000, "last"]
    with Aside() as aside:
        put = [
            aside.put(Incoming(path="p", record=Record(key=str(at), title="", content=text)))
            for at, text in enumerate(texts)
        ]
        assert {each.record.content for each in put} == {""}
        assert [aside.whole(each).record.content for each in reversed(put)] == texts[::-1]
