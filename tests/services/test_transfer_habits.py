"""What people's vaults, tables and backups hold besides the plain case, as their tools write it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from services.travel import lay, port
from weft.model import Batch, SaveNode, SaveRelation, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from services.travel import Port
    from weft.model import Imported


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Port]:
    """An empty graph."""
    with port(tmp_path / "graph.db") as opened:
        yield opened


def reasons(came: Imported) -> list[str]:
    """Return why something was not taken in."""
    return [each.reason for each in came.unread]


# ---- Obsidian


def test_an_inline_field_types_what_stands_in_it_and_nothing_else(graph: Port, tmp_path: Path) -> None:
    """Two in brackets on one line, text behind the brackets, a name in bold, a task."""
    note = (
        "[supports:: [[A]]] [contradicts:: [[B]]]\n(depends on:: [[C]]) but it has nothing to do with [[D]].\n"
        "**requires**:: [[E]]\n- [ ] uses:: [[F]]\n"
    )
    graph.bring(lay(tmp_path / "vault", {"N.md": note, **{f"{name}.md": name for name in "ABCDEF"}}), "obsidian")
    typed = {("A", "supports"), ("B", "contradicts"), ("C", "depends_on"), ("D", "relates_to"), ("E", "requires")}
    assert {(*{source, target} - {"N"}, kind) for source, kind, target in graph.joined()} == {*typed, ("F", "uses")}


def test_a_path_is_found_from_the_note_s_own_folder_and_by_its_end(graph: Port, tmp_path: Path) -> None:
    """As Obsidian writes links when it is set to relative paths, or to the shortest."""
    place = lay(
        tmp_path / "vault",
        {
            "Projects/Pump.md": "[up](../Books/One%20book.md) [[../People/Ada]] [here](./Permit.md) [[sub/Deep]]",
            "Books/One book.md": "A book.",
            "People/Ada.md": "A person.",
            "Projects/Permit.md": "Ours.",
            "Else/Permit.md": "Another.",
            "Area/sub/Deep.md": "Deep.",
            "Else/more/Deep.md": "Deeper.",
        },
    )
    assert graph.bring(place, "obsidian").unread_total == 0
    pump = graph.node("Pump").id
    ends = {end for each in graph.relations() for end in (each.source, each.target)} - {pump}
    handles = ("Books/One book", "People/Ada", "Projects/Permit", "Area/sub/Deep")
    assert ends == {graph.node(f"obsidian:{each}").id for each in handles}


def test_properties_are_read_in_the_ways_that_people_write_them(graph: Port, tmp_path: Path) -> None:
    """Capitals, a reference as a value, one without quotes, the times that the Linter writes."""
    note = (
        "---\nTags: [books]\nAliases: TFS\ntype: '[[Concept]]'\nup: [[Reading list]]\nstatus: '[[Draft]]'\n"
        "date created: Tuesday, May 13th 2025, 5:59:02 pm\nupdated: 14.05.2025 08:30\nSource: https://example.org/a\n"
        "---\nText.\n"
    )
    place = lay(
        tmp_path / "vault", {"Thinking.md": note, "Reading list.md": "All.", "Draft.md": "D", "Concept.md": "C"}
    )
    assert graph.bring(place, "obsidian").unread_total == 0
    node = graph.node("TFS")
    assert (node.title, node.tags, node.kind, node.status) == ("Thinking", ("books",), "concept", Status.NEEDS_REVIEW)
    assert node.created_at == datetime(2025, 5, 13, 17, 59, 2, tzinfo=UTC)
    assert node.modified_at == datetime(2025, 5, 14, 8, 30, tzinfo=UTC)
    assert node.citation == "https://example.org/a"
    assert any({"Thinking", "Reading list"} == {source, target} for source, _, target in graph.joined())


def test_properties_that_have_no_place_are_told_once_with_how_many_notes_have_them(graph: Port, tmp_path: Path) -> None:
    """How a note is shown is not missed; a property that names a note has become a relation."""
    head = "---\nrating: 7\nauthor: '[[Ada]]'\ncssclasses: wide\ncreated: yesterday\nempty:\n---\n"
    place = lay(tmp_path / "vault", {"A.md": f"{head}A.", "B.md": "---\nrating: 3\n---\nB.", "Ada.md": "Ada."})
    assert reasons(graph.bring(place, "obsidian")) == ["taken in, but without rating (2), created (1)"]


def test_the_data_of_drawings_and_boards_are_no_text(graph: Port, tmp_path: Path) -> None:
    """Of a drawing its words are kept, of a board its cards."""
    drawing = (
        "---\n\nexcalidraw-plugin: parsed\n\n---\n==⚠  Switch to EXCALIDRAW VIEW. ⚠==\n\n\n# Excalidraw Data\n\n"
        "## Text Elements\nCondenser ^abc12345\n\n%%\n## Drawing\n```compressed-json\nN4KAkARA\n\nxyz==\n```\n%%\n"
    )
    board = (
        '---\n\nkanban-plugin: board\n\n---\n\n## Todo\n\n- [ ] Paint\n\n%% kanban:settings\n```\n{"a":1}\n```\n%%\n'
    )
    place = lay(tmp_path / "vault", {"Sketch.excalidraw.md": drawing, "Board.md": board})
    assert graph.bring(place, "obsidian").unread_total == 0
    assert graph.node("Sketch.excalidraw").content == "# Excalidraw Data\n\n## Text Elements\nCondenser ^abc12345"
    assert graph.node("Board").content == "## Todo\n\n- [ ] Paint"


def test_pages_that_notion_exported_are_called_by_their_titles(graph: Port, tmp_path: Path) -> None:
    """Their files and folders bear an id behind them, and so do the links."""
    one, two = "1a2b3c4d5e6f47889900aabbccddeeff", "ffeeddccbbaa00998877665544332211"
    place = lay(
        tmp_path / "export",
        {
            f"Home {one}.md": f"# Home\n\nSee [Roof](Home%20{one}/Roof%20{two}.md).",
            f"Home {one}/Roof {two}.md": "# Roof\n\nOf slate.",
        },
    )
    assert graph.bring(place, "obsidian").unread_total == 0
    assert graph.joined() == {("Home", "relates_to", "Roof")}


def test_a_page_within_a_namespace_of_logseq_is_found_by_its_name(graph: Port, tmp_path: Path) -> None:
    """Its file has three low lines where the name has a slash."""
    place = lay(
        tmp_path / "graph", {"pages/house___roof.md": "- Of slate", "journals/2024_01_15.md": "- [[house/roof]]"}
    )
    assert graph.bring(place, "obsidian").unread_total == 0
    assert len(graph.relations()) == 1


def test_notes_that_were_deleted_renamed_or_moved_are_told_and_their_nodes_stay(graph: Port, tmp_path: Path) -> None:
    """What cannot be read any more is there still; what was seen to is not told again."""
    names = ("Gone", "Sub/Old", "Kept", "Broken", "Done")
    place = lay(tmp_path / "vault", {f"{name}.md": f"About {name}." for name in names})
    assert graph.bring(place, "obsidian").nodes_absent == 0
    for name in ("Gone", "Done"):
        (place / f"{name}.md").unlink()
    (place / "Sub/Old.md").rename(place / "New.md")
    (place / "Broken.md").write_bytes(b"\xff\xfe\xff")
    done = graph.node("obsidian:Done")
    closed = replace(done, status=Status.SUPERSEDED, version=done.version + 1)
    batch = Batch(
        id="closing", call=graph.call(tool="update"), operations=(SaveNode(node=closed, expect=done.version),)
    )
    graph.opened.store.commit(batch)

    assert graph.bring(place, "obsidian", dry_run=True).absent == ("obsidian:Gone", "obsidian:Sub/Old")
    came = graph.bring(place, "obsidian")

    assert (came.nodes_made, came.nodes_absent) == (1, 2)
    assert came.absent == ("obsidian:Gone", "obsidian:Sub/Old")
    assert {"Gone", "Old", "New"} <= graph.standing().keys()


def test_a_link_that_was_taken_out_of_a_note_leaves_with_it(graph: Port, tmp_path: Path) -> None:
    """A link that the other note has stays, and so does one that somebody confirmed, or whose other note is unread."""
    linked = "See [[B]], [[C]], [[D]] and [[E]]."
    place = lay(tmp_path / "vault", {"A.md": linked, "B.md": "B.", "C.md": "As [[A]].", "D.md": "D.", "E.md": "E."})
    graph.bring(place, "obsidian")
    assert {target for _, _, target in graph.joined()} | {source for source, _, _ in graph.joined()} == set("ABCDE")
    confirmed = next(each for each in graph.relations() if graph.node("obsidian:D").id in {each.source, each.target})
    stronger = replace(confirmed, confidence=1.0, version=confirmed.version + 1)
    saves = (SaveRelation(relation=stronger, expect=confirmed.version),)
    graph.opened.store.commit(Batch(id="confirming", call=graph.call(tool="relate"), operations=saves))
    lay(place, {"A.md": "Nothing to see.", "E.md": b"\xff\xfe\xff"})

    assert graph.bring(place, "obsidian", dry_run=True).relations_removed == 1
    assert graph.bring(place, "obsidian").relations_removed == 1
    assert {frozenset((one, other)) for one, _, other in graph.joined()} == {
        frozenset("AC"), frozenset("AD"), frozenset("AE")
    }  # fmt: skip
    assert graph.bring(place, "obsidian").relations_removed == 0


def test_notes_of_another_vault_are_not_missed(graph: Port, tmp_path: Path) -> None:
    """Each vault has its ontology; a note «Home» of both is told apart by it, and is missed only where it was."""
    vaults = [
        lay(tmp_path / name, {"Home.md": f"Of {name}.", f"{name}.md": f"On {name}."}) for name in ("work", "play")
    ]
    for vault in vaults:
        graph.bring(vault, "obsidian")
    assert [graph.bring(vault, "obsidian").absent for vault in vaults] == [(), ()]
    (vaults[1] / "Home.md").unlink()
    assert [graph.bring(vault, "obsidian").absent for vault in vaults] == [(), ("obsidian:play:Home",)]


def test_files_that_hold_text_and_are_no_notes_are_told(graph: Port, tmp_path: Path) -> None:
    """Counted by their kinds, with what reads them; pictures are not missed."""
    files = {"A.md": "A.", "Map.canvas": "{}", "b.pdf": b"%PDF", "deep/c.pdf": b"%PDF", "d.png": b"\x89PNG"}
    came = graph.bring(lay(tmp_path / "vault", files), "obsidian")
    assert reasons(came) == ["left out, since they are no notes: 1 .canvas, 2 .pdf (`weft ingest` reads .pdf)"]


@pytest.mark.parametrize("format_", ["obsidian", "basic-memory", "okf"])
def test_a_folder_without_a_note_says_so(graph: Port, tmp_path: Path, format_: str) -> None:
    """Nothing new came in, since it was the wrong folder."""
    came = graph.bring(lay(tmp_path / "pictures", {"a.png": b"x"}), format_)
    assert reasons(came) == ["no note (.md, .markdown) lies in this folder"]


# ---- basic-memory


def test_categories_and_relation_types_are_read_as_basic_memory_reads_them(graph: Port, tmp_path: Path) -> None:
    """A type of several words in quotes; times of a transcript and boxes of any kind are no categories."""
    note = (
        "---\ntitle: Coffee\nstatus: active\n---\n- [method] Pour over\n- [00:01:11] Hello\n- [1:02 - 1:05] Well\n"
        "- [/] begun\n- [>] later\n- \"depends on\" [[Tea]]\n- 'supports' [[main::milk]]\n"
    )
    place = lay(tmp_path / "main", {"Coffee.md": note, "Tea.md": "Tea.", "Milk.md": "---\npermalink: main/milk\n---\n"})
    assert reasons(graph.bring(place, "basic-memory")) == ["taken in, but without status (1)"]
    assert graph.node("Coffee").tags == ("method",)
    assert graph.joined() == {("Coffee", "depends_on", "Tea"), ("Coffee", "supports", "Milk")}


# ---- CSV

BOOKS = (
    "Title;Author;Year;Tags;Status;Date Added\r\n"
    'Über den Tod;Müller;2011;"a, b";In progress;15.01.2024\r\n'
    'Emma;Austen;1815;;draft;"sometime\nin May"\r\n'
)


@pytest.mark.parametrize(
    "body",
    [
        BOOKS.encode("utf-8-sig"),
        BOOKS.replace(";", "\t").encode("utf-16"),
        b"sep=;\r\n" + BOOKS.encode(),
        b"\xef\xbb\xbfsep=;\r\n" + BOOKS.encode(),
    ],
    ids=["utf-8", "utf-16 with tabs", "separator named", "separator named after the mark"],
)
def test_a_table_that_a_spreadsheet_saved_comes_in_with_every_cell(graph: Port, tmp_path: Path, body: bytes) -> None:
    """What has no place of its own stands in the text, a line each; so do a status and a time that say nothing here."""
    file = lay(tmp_path / "in", {"books.csv": body}) / "books.csv"
    assert graph.bring(file, "csv").unread_total == 0
    book, emma = graph.node("Über den Tod"), graph.node("Emma")
    assert book.content == "Author: Müller\nYear: 2011\nStatus: In progress"
    assert (book.tags, book.created_at) == (("a", "b"), datetime(2024, 1, 15, tzinfo=UTC))
    assert emma.content == "Author: Austen\nYear: 1815\nDate Added: sometime\nin May"
    assert emma.status is Status.NEEDS_REVIEW
    assert graph.bring(file, "csv").nodes_known == 2


def test_columns_of_one_name_and_cells_without_a_column_do_not_vanish(graph: Port, tmp_path: Path) -> None:
    """Both columns are kept; of a row that is too long it is told."""
    file = lay(tmp_path / "in", {"p.csv": "Name,Phone,Phone\nAda,1,2\nBob,3,4,5\n"}) / "p.csv"
    came = graph.bring(file, "csv")
    assert graph.node("Ada").content == "Phone: 1\nPhone: 2"
    assert [(each.line, each.reason) for each in came.unread] == [(3, "4 cells under 3 columns; the last are left out")]


def test_a_table_without_a_column_that_is_known_is_told_once_with_the_names_that_are(
    graph: Port, tmp_path: Path
) -> None:
    """And not row by row."""
    file = lay(tmp_path / "in", {"t.csv": "Begriff,Erklärung\na,b\nc,d\n"}) / "t.csv"
    came = graph.bring(file, "csv")
    assert [each.line for each in came.unread] == [1]
    assert "title, name, label" in came.unread[0].reason
    assert "«Begriff», «Erklärung»" in came.unread[0].reason


# ---- the memory server


def test_what_read_graph_answered_comes_in_as_the_server_s_file_does(graph: Port, tmp_path: Path) -> None:
    """Entities and relations in one object, over many lines."""
    whole = {
        "entities": [
            {"name": "Ada", "entityType": "person", "observations": ["Writes code"]},
            {"name": "Acme", "entityType": "company", "observations": []},
        ],
        "relations": [{"from": "Ada", "to": "Acme", "relationType": "uses"}],
    }
    file = lay(tmp_path / "in", {"graph.json": json.dumps(whole, indent=2)}) / "graph.json"
    assert graph.bring(file, "memory-server").unread_total == 0
    assert graph.joined() == {("Ada", "uses", "Acme")}
    assert graph.node("Ada").content == "- Writes code"


# ---- mem0


def test_a_backup_of_openmemory_brings_no_deleted_memory_and_the_names_of_categories(
    graph: Port, tmp_path: Path
) -> None:
    """Its categories stand apart, and it holds memories of every state."""
    text = json.dumps(
        {
            "memories": [
                {
                    "id": "m1",
                    "content": "Uses vim",
                    "state": "active",
                    "category_ids": ["c1"],
                    "metadata": {"mood": "ok"},
                },
                {"id": "m2", "content": "Uses emacs", "state": "deleted", "category_ids": []},
                {"id": "m3", "content": "Uses tmux", "state": "active", "deleted_at": "2026-01-01T00:00:00Z"},
            ],
            "categories": [{"id": "c1", "name": "tools"}],
        }
    )
    came = graph.bring(lay(tmp_path / "in", {"memories.json": text}) / "memories.json", "mem0")
    assert {title: node.tags for title, node in graph.standing().items()} == {"Uses vim": ("tools",), "Uses tmux": ()}
    assert reasons(came) == ["memory 2 was deleted there, so it is left out", "taken in, but without mood (1)"]


def test_a_page_of_several_and_memories_of_several_people_are_told(graph: Port, tmp_path: Path) -> None:
    """Whose a memory is has no place here; of one person it is nothing that would be missed."""
    memories = [{"id": each, "memory": f"Likes {each}", "user_id": each} for each in ("tea", "rum")]
    text = json.dumps({"count": 200, "next": "https://example.org/?page=2", "results": memories})
    came = graph.bring(lay(tmp_path / "in", {"all.json": text}) / "all.json", "mem0")
    assert reasons(came) == [
        "one page of several: 2 of 200 memories; export the others",
        "taken in, but without user_id (2)",
    ]
