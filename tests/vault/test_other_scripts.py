"""Notes with names in other scripts: called by their titles, and the same note however a name is encoded."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from vault.shelf import desk
from weft.testing.making import a_node, saved

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vault.shelf import Desk


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Desk]:
    """An empty graph with its vault on."""
    with desk(tmp_path) as held:
        yield held


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("会议记录：三月", "会议记录-三月"),
        ("कैश परत", "कैश-परत"),
        ("การติดตั้ง", "การติดตั้ง"),
        ("ذاكرة التخزين", "ذاكرة-التخزين"),
        ("长" * 200, "长" * 26),
    ],
)
def test_a_note_is_called_by_the_letters_of_its_title(graph: Desk, title: str, name: str) -> None:
    """With the marks that they bear, and never longer than a file system takes."""
    node = a_node(title)
    graph.write(saved(node))
    graph.sync()
    file = graph.file(node)
    assert file.name == f"{name}-{node.id[-8:]}.md"
    assert len(file.name.encode()) < 256


def test_a_note_whose_file_was_renamed_to_accents_apart_is_the_same(graph: Desk) -> None:
    """As by a computer that keeps names so."""
    node = a_node("ガイド")
    graph.write(saved(node))
    graph.sync()
    file = graph.file(node)
    file.rename(file.with_name(unicodedata.normalize("NFD", file.name)))
    told = graph.sync()
    assert (told.nodes_made, told.nodes_changed, told.unread) == (0, 0, ())
    assert [each.id for each in graph.standing()] == [node.id]
    assert not graph.sync().changed
