"""Tags in the text of documents: into the node's tags, out of them when they go, and the same twice adds nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from services.readers import ingest_of
from weft.model import Filter, IngestRequest, Page, UpdateRequest

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Ingested, Node

NOTE = """---
tags: [Auth]
---
# Keys #rotation

Keys turn every hour, see #123. #project/alpha #auth

Access tokens must expire within one hour of being issued #security.

The colour is #fff. ![key](key.png#no) [more](#no)

```c
#include <keys.h>
```
"""
TAGS = ("Auth", "rotation", "project/alpha", "security")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one note of tags."""
    root = tmp_path / "notes"
    root.mkdir()
    (root / "Keys.md").write_text(NOTE, encoding="utf-8")
    return root


def _ingest(desk: Desk, root: Path) -> Ingested:
    return ingest_of(desk).ingest(IngestRequest(paths=(root,), roots=(root,)), desk.call(tool="ingest"))


def _page(desk: Desk) -> Node:
    return next(node for node in desk.standing() if node.kind == "document")


def _rewrite(root: Path, old: str, new: str) -> None:
    text = (root / "Keys.md").read_text(encoding="utf-8")
    assert old in text
    (root / "Keys.md").write_text(text.replace(old, new), encoding="utf-8")


def test_the_tags_of_a_text_are_its_nodes_tags(desk: Desk, folder: Path) -> None:
    """With those of the front matter, each once; a statement has those of its own words, and a search finds both."""
    _ingest(desk, folder)
    assert _page(desk).tags == TAGS
    found = desk.store.find(Filter(tags=("security",)), Page(limit=10)).nodes
    assert {node.kind for node in found} == {"document", "convention"}


def test_the_same_again_adds_nothing(desk: Desk, folder: Path) -> None:
    """Neither a tag nor a change."""
    _ingest(desk, folder)
    before = desk.standing()
    told = _ingest(desk, folder)
    assert (told.unchanged, told.batches) == (1, ())
    assert desk.standing() == before


def test_a_tag_that_goes_from_the_text_goes_from_its_node(desk: Desk, folder: Path) -> None:
    """One that the front matter names too stays, and so does one that somebody gave the node."""
    _ingest(desk, folder)
    page = _page(desk)
    desk.capture.update(UpdateRequest(id=page.id, tags=(*page.tags, "mine")), desk.call())
    _rewrite(folder, "#project/alpha #auth", "#new")
    _ingest(desk, folder)
    assert _page(desk).tags == ("Auth", "rotation", "security", "mine", "new")


def test_a_tag_that_goes_from_the_front_matter_goes_where_the_text_has_none(desk: Desk, folder: Path) -> None:
    """Though no word of the text changed; nothing else of the node does either."""
    _ingest(desk, folder)
    before = _page(desk)
    _rewrite(folder, "tags: [Auth]", "tags: [other]")
    assert _ingest(desk, folder).nodes_updated == 1
    after = _page(desk)
    assert set(after.tags) == {"Auth", "other", "rotation", "project/alpha", "security"}
    assert replace(after, tags=(), version=0, modified_at=before.modified_at) == replace(before, tags=(), version=0)
    _rewrite(folder, " #auth", "")
    _ingest(desk, folder)
    assert set(_page(desk).tags) == {"other", "rotation", "project/alpha", "security"}


def test_a_tag_of_a_text_that_the_document_replaces_goes_with_it(desk: Desk, folder: Path) -> None:
    """Somebody wrote a tag into the node's text; the document changed, and its text is the node's again."""
    _ingest(desk, folder)
    page = _page(desk)
    mine = UpdateRequest(id=page.id, content=f"{page.content}\n\n#mine", tags=(*page.tags, "mine"))
    desk.capture.update(mine, desk.call())
    _rewrite(folder, "every hour", "every day")
    _ingest(desk, folder)
    assert _page(desk).tags == TAGS


def test_a_statement_loses_the_tag_that_its_words_lost(desk: Desk, folder: Path) -> None:
    """A definition stays the concept that it was."""
    (folder / "Keys.md").write_text("# Glossary\n\n**Saga**: a row of steps that can be undone. #pattern\n", "utf-8")
    _ingest(desk, folder)
    assert [node.tags for node in desk.standing() if node.title == "Saga"] == [("pattern",)]
    _rewrite(folder, " #pattern", " #way")
    _ingest(desk, folder)
    assert [node.tags for node in desk.standing() if node.title == "Saga"] == [("way",)]


def test_tags_are_read_in_markdown_alone(desk: Desk, folder: Path) -> None:
    """A page of the web or a plain text has none: there a hash is no tag. What was handed in as a text has."""
    (folder / "Keys.md").unlink()
    (folder / "a.txt").write_text("Plain #no text.", encoding="utf-8")
    (folder / "b.html").write_text("<h1>B</h1><p>Page #no text.</p>", encoding="utf-8")
    (folder / "c.markdown").write_text("# C\n\nNote #yes text.", encoding="utf-8")
    _ingest(desk, folder)
    request = IngestRequest(text="# D\n\nTold #told text.", document="")
    ingest_of(desk).ingest(request, desk.call(tool="ingest"))
    tags = {node.title: node.tags for node in desk.standing() if node.kind == "document"}
    assert tags == {"a": (), "B": (), "C": ("yes",), "D": ("told",)}
