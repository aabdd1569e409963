"""Documents with names and texts in other scripts: one document however its name is encoded, and named in full."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from services.readers import ingest_of
from weft.model import Filter, IngestRequest, Page, SaveSource
from weft.services.ingest.known import spelled
from weft.testing.making import a_batch, a_source

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Ingested

NAMES = ("데이터베이스", "ガイド", "Größe", "Кэширующий слой")


def _apart(name: str) -> str:
    return unicodedata.normalize("NFD", name)


def _ingest(desk: Desk, root: Path) -> Ingested:
    return ingest_of(desk).ingest(IngestRequest(paths=(root,), roots=(root.parent,)), desk.call(tool="ingest"))


def _write(root: Path, name: str, text: str) -> Path:
    root.mkdir(exist_ok=True)
    file = root / f"{name}.md"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("apart_first", [True, False])
def test_a_file_is_the_same_however_the_accents_of_its_name_are_encoded(
    desk: Desk,
    tmp_path: Path,
    name: str,
    apart_first: bool,  # noqa: FBT001 - a case's value
) -> None:
    """As where a folder goes from one computer to another: nothing new comes in, whichever was there first."""
    spellings = (_apart(name), name) if apart_first else (name, _apart(name))
    first = _write(tmp_path / spellings[0], spellings[0], f"# {name}\n\nOne text.\n")
    assert _ingest(desk, first.parent).documents_new == 1
    first.unlink()
    first.parent.rmdir()
    second = _write(tmp_path / spellings[1], spellings[1], f"# {name}\n\nOne text.\n")
    assert _ingest(desk, second.parent).unchanged == 1
    second.write_text(f"# {name}\n\nAnother text.\n", encoding="utf-8")
    assert _ingest(desk, second.parent).nodes_updated == 1
    (node,) = desk.standing()
    assert (node.title, node.aliases, node.ontology) == (name, (), name)
    assert node.handles == (f"{name}/{name}.md",)


def test_a_document_keeps_the_name_that_the_graph_has_for_it(desk: Desk) -> None:
    """One whose name was kept with its accents apart goes on by that name, and is not taken in once more."""
    name, ontology = "Größe.md", "Übersicht"
    source = replace(a_source(document=_apart(name)), ontology=_apart(ontology))
    assert spelled(desk.store, name=_apart(name), ontology=_apart(ontology)) == (name, ontology)
    desk.store.commit(a_batch(SaveSource(source=source, after=""), at=source.created_at))
    for said in ((name, ontology), (_apart(name), _apart(ontology)), (_apart(name), ontology)):
        assert spelled(desk.store, name=said[0], ontology=said[1]) == (_apart(name), _apart(ontology))


def test_two_files_whose_names_read_the_same_are_not_taken_for_versions_of_one(desk: Desk, tmp_path: Path) -> None:
    """The second is left out, and said to be: else each call would write one over the other."""
    _write(tmp_path / "notes", "Größe", "# One\n")
    _write(tmp_path / "notes", _apart("Größe"), "# Other\n")
    for _ in range(2):
        told = _ingest(desk, tmp_path / "notes")
        assert [why for _, why in told.skipped] == [
            "its name is that of another file here, only its accents are encoded otherwise"
        ]
    assert len(desk.standing()) == 1


def test_a_filter_by_the_name_of_a_folder_finds_what_lies_in_it(desk: Desk, tmp_path: Path) -> None:
    """However the folder spells itself: who types its name types it composed."""
    _write(tmp_path / _apart("프로젝트"), "메모", "# 메모\n")
    _ingest(desk, tmp_path / _apart("프로젝트"))
    found = desk.store.find(Filter(ontologies=("프로젝트",)), Page(limit=9)).nodes
    assert [node.title for node in found] == ["메모"]


def test_a_link_to_a_heading_tells_vowels_and_tones_apart(desk: Desk, tmp_path: Path) -> None:
    """«ป่า» is a forest and «ป้า» an aunt."""
    said = "".join(
        f"## {term}\n\nคำนี้ มี ความ หมาย ว่า {meaning} เสมอ.\n\n" for term, meaning in (("ป่า", "ไม้"), ("ป้า", "พี่"))
    )
    _write(tmp_path / "notes", "Glossary", f"# Glossary\n\n{said}")
    _write(tmp_path / "notes", "Note", "# Note\n\nSee [[Glossary#ป้า]].\n")
    _ingest(desk, tmp_path / "notes")
    titles = {node.id: node.title for node in desk.standing()}
    note = next(id_ for id_, title in titles.items() if title == "Note")
    (relation,) = desk.store.relations((note,))
    assert {titles[relation.source], titles[relation.target]} == {"Note", "ป้า"}
