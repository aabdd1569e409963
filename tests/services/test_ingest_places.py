"""Links into documents: to the node that was made of a heading's section or of a block, else to the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from services.readers import ingest_of
from services.travel import lay
from weft.model import IngestRequest, RemoveRelation
from weft.testing.making import a_batch
from weft.vocabulary import CONTENT_MAX

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Ingested

PATTERNS = """# Glossary

Words of the trade.

## Saga (SG)

A row of local steps, each of which can be undone by another.

## The outbox: *how* it works ^box

Where messages wait until the transaction that made them is over.

## How to read on

Other books say more.

- Access tokens must expire within
  one hour of being issued. ^expiry
- Nothing is said here. ^nothing

> [!note] Keys
> Signing keys must be turned every ninety days.

^keys

| a | b |
|---|---|
| 1 | 2 |

^table
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a glossary that others link into."""
    root = tmp_path / "notes"
    root.mkdir()
    (root / "Patterns.md").write_text(PATTERNS, encoding="utf-8")
    return root


def _ingest(desk: Desk, root: Path) -> Ingested:
    return ingest_of(desk).ingest(IngestRequest(paths=(root,), roots=(root,)), desk.call(tool="ingest"))


def _stated(desk: Desk, title: str) -> set[tuple[str, str]]:
    """Return type and other end of what the document of this title states of others."""
    named = {node.id: node for node in desk.standing()}
    (page,) = [node for node in named.values() if node.title == title and node.kind == "document"]
    found = [each for each in desk.store.relations((page.id,), per_node=100) if each.rule in {"cited", "front_matter"}]
    return {(each.type, named[each.target if each.source == page.id else each.source].title) for each in found}


@pytest.mark.parametrize("first", ["A link", "Zed"], ids=["before", "after"])
@pytest.mark.parametrize(
    ("link", "title"),
    [
        ("[[Patterns#Saga (SG)]]", "Saga"),
        ("[[Patterns#saga SG|shown]]", "Saga"),
        ("[[Patterns#Glossary#Saga (SG)]]", "Saga"),
        ("[it](Patterns.md#saga-sg)", "Saga"),
        ("[it](Patterns.md#Saga%20SG)", "Saga"),
        ("[[Patterns#^expiry]]", "Access tokens must expire within one hour of being issued"),
        ("[[Patterns^expiry]]", "Access tokens must expire within one hour of being issued"),
        ("[it](Patterns.md#^expiry)", "Access tokens must expire within one hour of being issued"),
        ("[[Patterns#^keys]]", "Signing keys must be turned every ninety days"),
        ("[[Patterns]]", "Glossary"),
        ("[[Patterns#How to read on]]", "Glossary"),
        ("[[Patterns#Glossary]]", "Glossary"),
        ("[[Patterns#Not there]]", "Glossary"),
        ("[[Patterns#^nothing]]", "Glossary"),
        ("[[Patterns#^table]]", "Glossary"),
        ("[[Patterns#^gone]]", "Glossary"),
    ],
)
def test_a_link_leads_to_what_was_made_of_its_place(
    desk: Desk, folder: Path, link: str, title: str, first: str
) -> None:
    """Whichever of the two is read first; where nothing was made of it, to the document."""
    (folder / f"{first}.md").write_text(f"# Mine\n\nThis depends on {link} in all.\n", encoding="utf-8")
    _ingest(desk, folder)
    assert _stated(desk, "Mine") == {("depends_on", title)}


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("Notes(old)", "[it](Notes(old).md)"),
        ("Notes (old)", "[it](<Notes (old).md>)"),
        ("Notes (old)", "[it](<./Notes (old).md#Not there> 'Old notes')"),
        ("Notes (old)", "[it](Notes%20\\(old\\).md)"),
        ("1. First. Notes", "[the first](<1. First. Notes.md>)"),
        ("1. First. Notes", "[[1. First. Notes]]"),
    ],
)
def test_a_link_may_hold_spaces_and_brackets_where_markdown_allows_them(
    desk: Desk, folder: Path, name: str, link: str
) -> None:
    """As CommonMark reads links; a full stop in one ends no sentence."""
    (folder / f"{name}.md").write_text("# Old\n\nWhat was.\n", encoding="utf-8")
    (folder / "Mine.md").write_text(f"# Mine\n\nThis depends on {link} in all. More.\n", encoding="utf-8")
    _ingest(desk, folder)
    assert _stated(desk, "Mine") == {("depends_on", "Old")}


def test_a_heading_with_a_mark_is_led_to_by_either(desk: Desk, folder: Path) -> None:
    """The block of a heading is its section."""
    (folder / "Mine.md").write_text("# Mine\n\nUses [[Patterns#^box]].\n", encoding="utf-8")
    (folder / "Patterns.md").write_text(PATTERNS.replace(": *how* it works", ""), encoding="utf-8")
    _ingest(desk, folder)
    assert _stated(desk, "Mine") == {("uses", "outbox")}


def test_a_link_finds_what_an_earlier_text_said_in_the_same_words(desk: Desk, folder: Path) -> None:
    """The document changed above: its statements stand elsewhere in it, and rest on the text before."""
    _ingest(desk, folder)
    (folder / "Patterns.md").write_text(PATTERNS.replace("Words of", "Many more words of"), encoding="utf-8")
    (folder / "Mine.md").write_text(
        "# Mine\n\nUses [[Patterns#^expiry]] and [[Patterns#Saga (SG)]].\n", encoding="utf-8"
    )
    _ingest(desk, folder)
    assert {title for _, title in _stated(desk, "Mine")} == {
        "Access tokens must expire within one hour of being issued",
        "Saga",
    }


def test_a_place_that_comes_later_is_led_to_then(desk: Desk, folder: Path) -> None:
    """The document that links is unchanged; what it was joined to stays."""
    (folder / "Mine.md").write_text("# Mine\n\nUses [[Patterns#^late]].\n", encoding="utf-8")
    _ingest(desk, folder)
    assert _stated(desk, "Mine") == {("uses", "Glossary")}
    late = "\n\nBackups must be made with the backup command. ^late\n"
    (folder / "Patterns.md").write_text(PATTERNS + late, encoding="utf-8")
    told = _ingest(desk, folder)
    assert (told.documents, told.unchanged) == (1, 1)
    made = ("uses", "Backups must be made with the backup command")
    assert _stated(desk, "Mine") == {("uses", "Glossary"), made}
    assert _ingest(desk, folder).batches == ()


def test_a_place_is_looked_for_again_when_all_documents_are_in(desk: Desk, folder: Path) -> None:
    """One that comes with a later document of the same call, while the first is new."""
    (folder / "Patterns.md").write_text("# Glossary\n\nNothing yet.\n", encoding="utf-8")
    _ingest(desk, folder)
    (folder / "Patterns.md").write_text(PATTERNS, encoding="utf-8")
    (folder / "Mine.md").write_text("# Mine\n\nUses [[Patterns#^expiry]].\n", encoding="utf-8")
    _ingest(desk, folder)
    assert ("uses", "Access tokens must expire within one hour of being issued") in _stated(desk, "Mine")


def test_what_somebody_took_out_is_not_stated_again(desk: Desk, folder: Path) -> None:
    """A place that is still not there is no reason to join the document once more."""
    (folder / "Mine.md").write_text("# Mine\n\nUses [[Patterns#Not there]].\n", encoding="utf-8")
    _ingest(desk, folder)
    named = {node.title: node.id for node in desk.standing()}
    (relation,) = desk.store.relations((named["Mine"],), types=("uses",))
    out = RemoveRelation(id=relation.id, expect=relation.version)
    desk.store.commit(a_batch(out, spares_documents=False))
    assert _ingest(desk, folder).batches == ()
    assert _stated(desk, "Mine") == set()


def test_a_bare_link_adds_nothing_to_one_into_the_document_with_a_verb(desk: Desk, folder: Path) -> None:
    """As of two links to the document itself: where both lead to it, the verb counts."""
    text = "# Mine\n\nSee [[Patterns]].\n\nThis depends on [[Patterns#Not there]].\n\nSee [[Patterns#^table]].\n"
    (folder / "Mine.md").write_text(text, encoding="utf-8")
    _ingest(desk, folder)
    assert _stated(desk, "Mine") == {("depends_on", "Glossary")}
    (folder / "Mine.md").write_text(text.replace("Not there", "Saga (SG)"), encoding="utf-8")
    _ingest(desk, folder)
    assert ("depends_on", "Saga") in _stated(desk, "Mine")


def test_a_block_beyond_what_one_node_holds_leads_to_its_part(desk: Desk, folder: Path) -> None:
    """Whoever follows the link finds the line."""
    filling = "A line of a long book.\n\n" * (CONTENT_MAX // 20)
    (folder / "Patterns.md").write_text(f"# Long\n\n{filling}The last line. ^last\n", encoding="utf-8")
    (folder / "Mine.md").write_text("# Mine\n\nUses [[Patterns#^last]].\n", encoding="utf-8")
    _ingest(desk, folder)
    assert _stated(desk, "Mine") == {("uses", "Long (part 2)")}


OLD_WAY = "# {0}. {1} by hand\n\n## Context\n\nSlow.\n\n## Decision\n\n{1} by hand.\n"
NEW_WAY = "# {0}. {1} by machine\n\n## Context\n\nSlow.\n\n## Decision\n\nUse one. {2}\n"


@pytest.mark.parametrize("ontology", ["", "ours"])
def test_a_number_means_the_record_of_the_same_folder_whichever_is_read_first(
    desk: Desk, tmp_path: Path, ontology: str
) -> None:
    """Two teams each keep a second record; what the third ones say comes before and after it."""
    lay(
        tmp_path / "teams",
        {
            "bread/0002-knead.md": OLD_WAY.format(2, "Knead"),
            "bread/0003-knead.md": NEW_WAY.format(3, "Knead", "This supersedes ADR-2."),
            "cakes/0001-whip.md": NEW_WAY.format(1, "Whip", "This supersedes ADR-2."),
            "cakes/0002-whip.md": OLD_WAY.format(2, "Whip"),
        },
    )
    request = IngestRequest(roots=(tmp_path / "teams",), ontology=ontology)
    ingest_of(desk).ingest(request, desk.call(tool="ingest"))
    names = ("bread/0003-knead.md", "bread/0002-knead.md", "cakes/0001-whip.md", "cakes/0002-whip.md")
    ids = [desk.store.resolve(name, limit=2)[0].id for name in names]
    ended = desk.store.relations(ids, types=("supersedes",))
    assert {(each.source, each.target) for each in ended} == {(ids[0], ids[1]), (ids[2], ids[3])}
    assert ingest_of(desk).ingest(request, desk.call(tool="ingest")).relations == 0


def test_a_wiki_link_means_the_note_of_the_same_folder(desk: Desk, tmp_path: Path) -> None:
    """By its file's name, though another folder's note, read before, has that name or title; else it means that one."""
    lay(
        tmp_path / "notes",
        {
            "oven/start.md": "# Start\n\nDoor shut.\n",
            "pump/about.md": "# About\n\nSee [[start]].\n",
            "pump/start.md": "# First steps\n\nValve open.\n",
            "tank/about.md": "# Tank\n\nSee [[First steps]].\n",
        },
    )
    ingest_of(desk).ingest(IngestRequest(roots=(tmp_path / "notes",), ontology="plant"), desk.call(tool="ingest"))
    names = ("pump/about.md", "tank/about.md", "pump/start.md", "oven/start.md")
    pump, tank, right, wrong = (desk.store.resolve(name, limit=2)[0].id for name in names)
    drawn = [each for each in desk.store.relations((right, wrong)) if each.rule == "cited"]
    assert {frozenset((each.source, each.target)) for each in drawn} == {
        frozenset((pump, right)),
        frozenset((tank, right)),
    }


def test_a_nearer_document_that_comes_later_is_meant_besides(desk: Desk, tmp_path: Path) -> None:
    """Of a text that has not changed: what came in a later call is found, as what was missing is."""
    files = {"oven/start.md": "# Start\n\nDoor shut.\n", "pump/about.md": "# About\n\nSee [[start]].\n"}
    root = lay(tmp_path / "notes", files)
    request = IngestRequest(roots=(root,), ontology="plant")
    ingest_of(desk).ingest(request, desk.call(tool="ingest"))
    lay(root, {"pump/start.md": "# First steps\n\nValve open.\n"})
    ingest_of(desk).ingest(request, desk.call(tool="ingest"))
    (about,) = desk.store.resolve("pump/about.md", limit=2)
    (nearer,) = desk.store.resolve("pump/start.md", limit=2)
    drawn = [each for each in desk.store.relations((about.id,)) if each.rule == "cited"]
    assert nearer.id in {end for each in drawn for end in (each.source, each.target)}
