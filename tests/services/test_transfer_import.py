"""Importing what other tools wrote: every oddity of their files, each thing once, every loss told with its line.

The memory server's file and basic-memory's notes are as these tools wrote them (server-memory 2026.8.31 through its
create_entities and create_relations, basic-memory 0.23.2 through write_note); the others are written after the formats'
own descriptions.
"""

from __future__ import annotations

import csv
import json
import os
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from services.travel import lay, port
from weft.errors import InvalidArgument, NotFound, Unavailable
from weft.model import ExportRequest, ImportRequest, Origin, RemoveRelation, SaveNode, Status
from weft.services.transfer import reading
from weft.testing.making import a_batch, a_node, changed, joined, retired, saved

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from services.travel import Port
    from weft.model import Imported

MEMORY = (
    '{"type":"entity","name":"Marta Lindqvist","entityType":"person","observations":["Runs the night shift at the '
    'Harbour bakery","Prefers messages before noon \\"short ones\\""]}\n'
    '{"type":"entity","name":"Harbour bakery","entityType":"organization","observations":["Two deck ovens, bought '
    '2019","Rye starter «Olga» is fed at 04:00"]}\n'
    '{"type":"entity","name":"café_naïve 🥐","entityType":"product","observations":["Line one\\nline two"]}\n'
    '{"type":"relation","from":"Marta Lindqvist","to":"Harbour bakery","relationType":"works_at"}\n'
    '{"type":"relation","from":"Harbour bakery","to":"café_naïve 🥐","relationType":"uses"}\n'
    '{"type":"relation","from":"Marta Lindqvist","to":"Nobody Known","relationType":"knows"}'
)

STARTER = """---
title: Sourdough starter --- keeping it alive
type: note
permalink: main/kitchen/sourdough-starter-keeping-it-alive
tags:
- bread
- starter
---

# Sourdough starter --- keeping it alive

Feed it daily.

## Observations
- [method] Equal weights of flour and water #ratio #daily (by weight)
- [warning] Chlorine in tap water slows it
- [ ] buy rye flour
- [x] wash the jar
- [link](https://example.org) is not an observation
- 10:15 spoke to Marta

## Relations
- requires [[Rye flour]]
- relates_to [[Deck oven]] (shared shelf)
- see also [[Rye flour|the flour page]] in prose

Inline we mention [[Deck oven]] too.
"""

FLOUR = """---
title: Rye flour
type: ingredient
permalink: main/kitchen/rye-flour
---

# Rye flour

- [fact] Café-grade, stone milled 🌾
- part_of [[Sourdough starter --- keeping it alive]]
"""

COGNITIVE = """---
id: 0b8f6c1e-2222-4444-8888-000000000001
type: solution
title: "Retry --- with jitter: it \\"helps\\""
tags: [network, retries]
importance: 0.9
confidence: 1.0
created: "2026-03-01T04:12:39.570452+00:00"
updated: "2026-03-01T04:13:10.207790+00:00"
relations:
- target: 0b8f6c1e-2222-4444-8888-000000000002
  type: SOLVES
  direction: outgoing
  strength: 0.9
  edge_id: e1
- target: 0b8f6c1e-2222-4444-8888-000000000003
  type: BUILDS_ON
  direction: incoming
  strength: 0.7
  edge_id: e2
- type: FOLLOWS
---

# Retry with jitter

Wait longer each time.
"""


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Port]:
    """An empty graph."""
    with port(tmp_path / "graph.db") as opened:
        yield opened


def told(came: Imported) -> list[tuple[str, int]]:
    """Return where what was not read stands."""
    return [(each.path, each.line) for each in came.unread]


def unchanged_by(graph: Port, place: Path, format: str) -> Imported:  # noqa: A002 - the request's word
    """Import once more and assert that nothing is new."""
    head = graph.opened.log.head()
    came = graph.bring(place, format)
    assert (came.nodes_made, came.nodes_updated, came.relations_made, came.batches) == (0, 0, 0, ())
    assert graph.opened.log.head() == head
    return came


# ---- the memory server


def test_the_memory_server_s_file_comes_in_whole(graph: Port, tmp_path: Path) -> None:
    """Entities with their observations, relations by name; the last line without a newline; the loose end told."""
    file = lay(tmp_path / "in", {"memory.jsonl": MEMORY}) / "memory.jsonl"
    came = graph.bring(file, "memory-server")
    assert (came.nodes_made, came.relations_made) == (3, 2)
    assert told(came) == [("memory.jsonl", 6)]
    bakery = graph.node("Harbour bakery")
    assert bakery.content == "- Two deck ovens, bought 2019\n- Rye starter «Olga» is fed at 04:00"
    assert (bakery.origin, bakery.kind, bakery.tags, bakery.ontology) == (
        Origin.IMPORTED, "concept", ("organization",), "memory",
    )  # fmt: skip
    assert ("Harbour bakery", "uses", "café_naïve 🥐") in graph.joined()
    works = next(each for each in graph.relations() if each.type == "relates_to")
    assert works.reasoning == "Marta Lindqvist works_at Harbour bakery"
    assert works.origin is Origin.IMPORTED
    unchanged_by(graph, file, "memory-server")


def test_bad_lines_of_the_memory_server_s_file_stop_nothing(graph: Port, tmp_path: Path) -> None:
    """Half a record, two glued together, no object, no name, a blank line, CRLF and a byte order mark."""
    lines = [
        '\ufeff{"type":"entity","name":"One","entityType":"x","observations":[]}',
        '{"type":"entity","name":"Half',
        '{"type":"entity","name":"A"}{"type":"entity","name":"B"}',
        "[1, 2]",
        '{"type":"entity","observations":["nameless"]}',
        "",
        '{"type":"entity","name":"Two","entityType":null,"observations":"not a list"}',
        '{"type":"entity","name":"One","entityType":"again","observations":["twice"]}',
        '{"type":"relation","from":"One","to":"Two","relationType":"depends on"}',
        '{"type":"relation","from":"One","to":"One","relationType":"uses"}',
    ]
    file = lay(tmp_path / "in", {"m.jsonl": "\r\n".join(lines)}) / "m.jsonl"
    came = graph.bring(file, "memory-server")
    assert set(graph.standing()) == {"One", "Two"}
    assert graph.joined() == {("One", "depends_on", "Two")}
    assert [line for _, line in told(came)] == [2, 3, 4, 5, 8]
    assert graph.node("One").content == "One"


def test_a_file_that_is_not_text_is_told_with_the_line_where_that_begins(graph: Port, tmp_path: Path) -> None:
    """The lines before it come in."""
    good = b'{"type":"entity","name":"One","entityType":"x","observations":[]}\n'
    file = lay(tmp_path / "in", {"m.jsonl": good + b'{"type":"entity","name":"\xff"}\n'}) / "m.jsonl"
    came = graph.bring(file, "memory-server")
    assert set(graph.standing()) == {"One"}
    assert told(came) == [("m.jsonl", 2)]


def test_texts_that_are_none_and_signs_that_steer_a_terminal_are_told_safely(graph: Port, tmp_path: Path) -> None:
    """Half of a surrogate pair in a name, an end, a type; a NUL; a report prints as plain text."""
    lines = [
        '{"type":"entity","name":"Good","entityType":"x","observations":["a\\u0001b"]}',
        '{"type":"entity","name":"bad\\ud800","entityType":"x","observations":["c"]}',
        '{"type":"entity","name":"Tags","entityType":"x\\udfff","observations":["c"]}',
        '{"type":"relation","from":"Good","to":"\\u001b[31mred\\ud800","relationType":"uses"}',
        '{"type":"relation","from":"Good","to":"Good too","relationType":"u\\ud800"}',
        '{"type":"entity","name":"Good too","entityType":"x","observations":["\\u001b[2Jcleared"]}',
        '{"type":"entity","name":"Broken","entityType":"x","observations":["a\\u0000b"]}',
    ]
    file = lay(tmp_path / "in", {"m.jsonl": "\n".join(lines)}) / "m.jsonl"
    came = graph.bring(file, "memory-server")
    assert set(graph.standing()) == {"Good", "Good too"}
    assert graph.node("Good").content == "- ab"
    assert "\x1b" not in graph.node("Good too").content
    assert sorted(line for _, line in told(came)) == [2, 3, 4, 5, 7]
    assert all(each.reason.isprintable() for each in came.unread)


def test_a_folder_names_its_ontology_however_its_accents_are_encoded(graph: Port, tmp_path: Path) -> None:
    """Composed, as whoever filters by it types it."""
    place = lay(tmp_path / unicodedata.normalize("NFD", "프로젝트"), {"메모.md": "데이터."})
    graph.bring(place, "obsidian")
    assert graph.node("메모").ontology == "프로젝트"


def test_file_names_that_are_no_text_are_told(graph: Port, tmp_path: Path) -> None:
    """Bytes that are no UTF-8 and an escape sequence, as names of notes."""
    place = lay(tmp_path / "vault", {"fine.md": "Fine.", "\x1b[31mred.md": "Red."})
    (place / os.fsdecode(b"bad\xff.md")).write_text("Bad.", encoding="utf-8")
    came = graph.bring(place, "obsidian")
    assert {node.content for node in graph.standing().values()} == {"Fine.", "Red."}
    assert came.unread_total == 1
    assert all(each.path.isprintable() for each in came.unread)
    assert not any("\x1b" in title for title in graph.standing())


# ---- basic-memory


def test_basic_memory_s_notes_come_in_with_observations_and_relations(graph: Port, tmp_path: Path) -> None:
    """A title with dashes, typed relations, a context, check boxes and prose that are none; unknown ends told."""
    place = lay(
        tmp_path / "main", {"kitchen/Sourdough starter - keeping it alive.md": STARTER, "kitchen/Rye flour.md": FLOUR}
    )
    came = graph.bring(place, "basic-memory")
    title = "Sourdough starter --- keeping it alive"
    assert set(graph.standing()) == {title, "Rye flour"}
    assert graph.joined() >= {(title, "requires", "Rye flour"), ("Rye flour", "part_of", title)}
    starter = graph.node(title)
    assert set(starter.tags) == {"bread", "starter", "method", "warning", "ratio", "daily"}
    assert starter.content.startswith("# Sourdough starter")
    assert graph.node("main/kitchen/rye-flour").tags == ("fact", "ingredient")
    assert told(came) == [("kitchen/Sourdough starter - keeping it alive.md", line) for line in (24, 27)]
    unchanged_by(graph, place, "basic-memory")


def test_a_missing_end_is_related_when_it_has_come(graph: Port, tmp_path: Path) -> None:
    """A note written later is what earlier ones named."""
    place = lay(tmp_path / "main", {"a.md": "---\ntitle: A\n---\n- uses [[Deck oven]]\n"})
    assert graph.bring(place, "basic-memory").relations_made == 0
    lay(place, {"oven.md": "---\ntitle: Deck oven\n---\nHot.\n"})
    came = graph.bring(place, "basic-memory")
    assert (came.nodes_made, came.nodes_known, came.relations_made) == (1, 1, 1)
    assert graph.joined() == {("A", "uses", "Deck oven")}


# ---- Obsidian


def test_a_vault_comes_in_with_tags_aliases_fields_and_references(graph: Port, tmp_path: Path) -> None:
    """In text and front matter; headings, blocks and shown words are not part of a name; code holds none."""
    home = (
        '---\naliases: [Start, "Front door"]\ntags: "#hub, moc"\nup: "[[Index]]"\ntitle: The house\n---\n'
        "See [[Kettle#Parts|the kettle]] and ![[rooms/Kitchen^b1]].\nsupports:: [[Index]]\n"
        "- depends on:: [[Kettle]]\nA [file](rooms/Kitchen.md) and #tea/green, #2024 but not a#b.\n"
        "```\n[[In code]] #code\n```\nand `[[Inline]] #x` %% [[Hidden]] %%\n[[Nowhere]]\n"
    )
    place = lay(
        tmp_path / "vault",
        {
            "Home.md": home,
            "Kettle.md": "A kettle. [[Home]]",
            "rooms/Kitchen.md": "\ufeff# Kitchen\r\n\r\nBack [[home]]\r\n",
            "Index.md": "",
            ".obsidian/app.json": "{}",
            "image.png": b"\x89PNG",
        },
    )
    came = graph.bring(place, "obsidian")
    assert set(graph.standing()) == {"Home", "Kettle", "Kitchen", "Index"}
    house = graph.node("Start")
    assert (house.title, house.aliases) == ("Home", ("The house", "Start", "Front door"))
    assert house.tags == ("hub", "moc", "tea/green")
    assert house.ontology == "vault"
    typed = {each for each in graph.joined() if each[1] != "relates_to"}
    assert typed == {("Home", "supports", "Index"), ("Home", "depends_on", "Kettle")}
    pairs = {frozenset((a, b)) for a, kind, b in graph.joined() if kind == "relates_to"}
    assert pairs == {frozenset(pair) for pair in (("Home", "Kettle"), ("Home", "Kitchen"), ("Home", "Index"))}
    assert told(came) == [("Home.md", 15)]
    assert graph.node("Index").content == "Index"
    unchanged_by(graph, place, "obsidian")


def test_names_are_the_same_however_their_accents_are_composed(graph: Port, tmp_path: Path) -> None:
    """One file system writes é as two characters, a text as one."""
    composed, decomposed = (unicodedata.normalize(form, "Café") for form in ("NFC", "NFD"))
    place = lay(tmp_path / "vault", {f"{decomposed}.md": "Tea.", "Home.md": f"To the [[{composed}]]."})
    graph.bring(place, "obsidian")
    assert len(graph.relations()) == 1
    (place / f"{decomposed}.md").rename(place / f"{composed}.md")
    unchanged_by(graph, place, "obsidian")


def test_of_notes_with_one_name_the_one_beside_is_meant(graph: Port, tmp_path: Path) -> None:
    """Else the one with the shortest path; a path always means itself."""
    place = lay(
        tmp_path / "vault",
        {
            "a/Log.md": "A's log.", "b/deep/Log.md": "B's log.", "a/Here.md": "[[Log]]", "Far.md": "[[Log]]",
            "Exact.md": "[[b/deep/Log]]",
        },
    )  # fmt: skip
    graph.bring(place, "obsidian")
    ends = {each.source: each for each in graph.relations()} | {each.target: each for each in graph.relations()}
    for title, handle in (("Here", "obsidian:a/Log"), ("Far", "obsidian:a/Log"), ("Exact", "obsidian:b/deep/Log")):
        relation = ends[graph.node(title).id]
        assert graph.node(handle).id in (relation.source, relation.target), title


def test_front_matter_that_is_broken_or_hostile_is_told_and_the_text_kept(graph: Port, tmp_path: Path) -> None:
    """An alias bomb, a key twice, brackets without end, no closing mark."""
    place = lay(
        tmp_path / "vault",
        {
            "Bomb.md": "---\na: &x [1]\nb: *x\n---\nBoom.",
            "Twice.md": "---\ntags: a\ntags: b\n---\nTwo.",
            "Deep.md": "---\na: " + "[" * 5000 + "\n---\nDown.",
            "Open.md": "---\ntitle: never closed\nText.",
            "Colon.md": "---\ntitle: a: b: c\n---\nColons.",
        },
    )
    came = graph.bring(place, "obsidian")
    assert came.nodes_made == 5
    assert {path for path, _ in told(came)} == {"Bomb.md", "Twice.md", "Deep.md", "Colon.md"}
    assert all(line for _, line in told(came))
    assert graph.node("Bomb").content == "Boom."


def test_nothing_outside_the_folder_is_read(graph: Port, tmp_path: Path) -> None:
    """A symbolic link out of it is refused and told."""
    secret = lay(tmp_path / "outside", {"secret.md": "The password."}) / "secret.md"
    place = lay(tmp_path / "vault", {"Note.md": "Plain."})
    (place / "link.md").symlink_to(secret)
    (place / "folder").symlink_to(secret.parent)
    came = graph.bring(place, "obsidian")
    assert set(graph.standing()) == {"Note"}
    assert {path for path, _ in told(came)} == {"link.md", "folder"}


# ---- Autology


def autology(tmp_path: Path) -> Path:
    """Write an .autology folder: three notes, one unreadable, and an index that says more and repeats."""
    index = {
        "version": "1.0",
        "relations": [
            {"source": "d1", "target": "c1", "type": "affects", "description": "the store", "confidence": 0.9},
            {"source": "c1", "target": "d1", "type": "implements", "confidence": 1},
            {"source": "c1", "target": "gone", "type": "uses"},
            {"source": "c1", "type": "uses"},
        ],
    }
    decision = (
        "---\nid: d1\ntype: decision\ntitle: 'Keep --- SQLite'\ntags: [store]\nconfidence: 1\nstatus: superseded\n"
        "created: 2026-02-08T10:00:00Z\nmodified: 2026-02-09\nsession: s1\nreferences: [src/store.go]\n"
        "relations:\n  - type: affects\n    target: c1\n    confidence: 0.9\n---\n\n## Context\n\nOne file.\n"
    )
    return lay(
        tmp_path / "project",
        {
            ".autology/nodes/decisions/d1.md": decision,
            ".autology/nodes/components/c1.md": (
                "---\r\nid: c1\r\ntype: component\r\ntitle: Store\r\n---\r\nKeeps. See [[Keep --- SQLite]]."
            ),
            ".autology/nodes/concepts/empty.md": "",
            ".autology/nodes/concepts/bad.md": "---\nid: [\n---\nx",
            ".autology/graph/index.json": json.dumps(index, indent=1),
        },
    )


def test_an_autology_folder_comes_in_by_itself_or_by_its_project(graph: Port, tmp_path: Path) -> None:
    """Confidence 1 is 1.0, dashes in titles stay, statuses, sessions and files too; the index adds and repeats."""
    project = autology(tmp_path)
    came = graph.bring(project, "autology")
    decision = graph.node("autology:d1")
    assert (decision.title, decision.kind, decision.confidence, decision.status, decision.session) == (
        "Keep --- SQLite", "decision", 1.0, Status.SUPERSEDED, "s1",
    )  # fmt: skip
    assert decision.references == ("src/store.go",)
    assert decision.created_at == datetime(2026, 2, 8, 10, tzinfo=UTC)
    assert decision.modified_at == datetime(2026, 2, 9, tzinfo=UTC)
    assert graph.node("d1").id == decision.id
    assert {each for each in graph.joined() if each[1] != "relates_to"} == {
        ("Keep --- SQLite", "affects", "Store"),
        ("Store", "implements", "Keep --- SQLite"),
    }
    assert sorted(told(came)) == [
        ("graph/index.json", 17),
        ("graph/index.json", 22),
        ("nodes/concepts/bad.md", 3),
        ("nodes/concepts/empty.md", 1),
    ]
    assert decision.ontology == "project"
    unchanged_by(graph, project / ".autology", "autology")


# ---- cognitive-memory


def test_a_cognitive_memory_folder_comes_in_with_each_edge_once(graph: Port, tmp_path: Path) -> None:
    """It stands in both notes and in a file of its own, whose text says why."""
    problem = COGNITIVE.replace("000000000001", "000000000002").replace("type: solution", "type: problem")
    problem = problem.split("relations:")[0].replace('"Retry --- with jitter: it \\"helps\\""', "Calls time out")
    mirror = (
        "relations:\n- target: 0b8f6c1e-2222-4444-8888-000000000001\n  type: SOLVES\n  direction: incoming\n"
        "  strength: 0.9\n---\n\nThey do.\n"
    )
    insight = "---\nid: 0b8f6c1e-2222-4444-8888-000000000003\ntype: insight\ntitle: Backoff spreads load\n---\nIt does."
    edge = (
        "---\nid: e1\ntype: SOLVES\nfrom_id: 0b8f6c1e-2222-4444-8888-000000000001\nfrom_title: Retry\n"
        "to_id: 0b8f6c1e-2222-4444-8888-000000000002\nto_title: Calls\nstrength: 0.9\n---\n\nJitter ends the herd.\n"
    )
    place = lay(
        tmp_path / "memory",
        {
            "graph/solutions/retry-000001.md": COGNITIVE,
            "graph/problems/calls-000002.md": problem + mirror,
            "graph/insights/backoff-000003.md": insight,
            "graph/edges/retry--SOLVES--calls-0000e1.md": edge,
            "graph/edges/broken.md": "---\nid: e9\n---\n",
        },
    )
    came = graph.bring(place, "cognitive-memory")
    solution = graph.node("0b8f6c1e-2222-4444-8888-000000000001")
    assert solution.title == 'Retry --- with jitter: it "helps"'
    assert (solution.kind, solution.importance, solution.confidence) == ("solution", 0.9, 1.0)
    assert solution.created_at == datetime(2026, 3, 1, 4, 12, 39, 570452, tzinfo=UTC)
    assert graph.joined() == {
        (solution.title, "solves", "Calls time out"),
        ("Backoff spreads load", "builds_on", solution.title),
    }
    solves = next(each for each in graph.relations() if each.type == "solves")
    assert (solves.reasoning, solves.confidence) == ("Jitter ends the herd.", 0.9)
    assert set(told(came)) == {("solutions/retry-000001.md", 21), ("edges/broken.md", 1)}
    unchanged_by(graph, place, "cognitive-memory")


# ---- mem0


@pytest.mark.parametrize("shape", ["results", "memories", "list", "lines"])
def test_mem0_s_memories_come_in_from_every_shape(graph: Port, tmp_path: Path, shape: str) -> None:
    """Under a name, bare, or one a line; categories become tags."""
    memories = [
        {
            "id": "m1",
            "memory": "Dev works at TechCorp as a senior engineer",
            "categories": ["work"],
            "metadata": {"type": "decision"},
            "user_id": "dev",
            "created_at": "2025-10-01T08:00:00.123456-07:00",
            "updated_at": None,
        },
        {"id": "m2", "memory": ""},
        {"id": "m3", "memory": "Likes tea — 🍵", "metadata": None},
    ]
    texts = {
        "results": json.dumps({"results": memories, "relations": []}, indent=1),
        "memories": json.dumps({"memories": memories}),
        "list": json.dumps(memories),
        "lines": "\n".join(map(json.dumps, memories)) + "\n{broken",
    }
    file = lay(tmp_path / "in", {"export.json": texts[shape]}) / "export.json"
    came = graph.bring(file, "mem0")
    assert came.nodes_made == 2
    assert came.unread_total == (2 if shape == "lines" else 1)
    work = graph.node("mem0:m1")
    assert (work.kind, work.tags, work.created_at.hour) == ("decision", ("work",), 15)
    unchanged_by(graph, file, "mem0")


def test_mem0_s_graph_comes_in_as_entities(graph: Port, tmp_path: Path) -> None:
    """Relations of its graph store join names; one without a target is told with its line."""
    text = json.dumps(
        {
            "results": [],
            "relations": [
                {"source": "dev", "relationship": "works_at", "target": "techcorp"},
                {"source": "dev", "relationship": "uses", "destination": "python"},
                {"source": "dev", "relationship": "knows"},
            ],
        },
        indent=0,
    )
    file = lay(tmp_path / "in", {"export.json": text}) / "export.json"
    came = graph.bring(file, "mem0")
    assert (came.nodes_made, came.relations_made, came.unread_total) == (3, 2, 1)
    assert told(came) == [("export.json", 14)]


@pytest.mark.parametrize("text", ["", "{", '"x"', "{}", '{"results": 5}', "[" * 100_000, "null", "[null, 5]"])
def test_a_file_that_is_no_export_is_told(graph: Port, tmp_path: Path, text: str) -> None:
    """Nothing comes in, nothing breaks."""
    file = lay(tmp_path / "in", {"export.json": text}) / "export.json"
    came = graph.bring(file, "mem0")
    assert came.nodes_made == 0
    assert came.unread_total >= 1


def test_a_path_where_nothing_lies_is_told_with_what_to_look_at(graph: Port, tmp_path: Path) -> None:
    """It is a path that is amiss, so nobody is sent to search the graph."""
    with pytest.raises(NotFound, match="there is nothing at") as caught:
        graph.bring(tmp_path / "nope", "mem0")
    assert "spelling" in caught.value.hint
    assert "search" not in caught.value.hint


# ---- CSV


def test_tables_of_nodes_and_relations_come_in_by_their_columns(graph: Port, tmp_path: Path) -> None:
    """Any order and the usual names; semicolons, quotes, newlines in cells, a mark, a short row, a broken one."""
    nodes = (
        '\ufeffName;Type;Description;Tags;Confidence\r\nKettle;concept;"Boils ""water""\r\nfast";kitchen, hot;1\r\n'
        ';;;;\r\nTeapot;;Pours.\r\n;concept;;;\r\nCup;concept;"bro"ken;;\r\nSpoon;decision;Stirs.;;7\r\n'
    )
    relations = "source,target,type,reasoning\nKettle,Teapot,depends on,=SUM(A1)\nTeapot,,uses,\nCup,Kettle,uses,\n"
    place = lay(tmp_path / "tables", {"nodes.csv": nodes, "relations.csv": relations})
    came = graph.bring(place, "csv")
    assert set(graph.standing()) == {"Kettle", "Teapot", "Spoon"}
    kettle = graph.node("Kettle")
    assert kettle.content == 'Boils "water"\nfast'
    assert (kettle.tags, kettle.confidence) == (("kitchen", "hot"), 1.0)
    assert graph.node("Spoon").confidence == 0.8
    assert graph.joined() == {("Kettle", "depends_on", "Teapot")}
    assert set(told(came)) == {("nodes.csv", 6), ("nodes.csv", 7), ("relations.csv", 3), ("relations.csv", 4)}
    unchanged_by(graph, place, "csv")


@pytest.mark.parametrize(
    ("format_", "files", "said"),
    [
        ("csv", {"e.csv": "source,target,Weight\nA,B,3\nA,C,\nB,C,0.5\nB,A,high\n"}, "Weight (2)"),
        ("csv", {"e.csv": 'source,target,confidence\nA,B,"0,7"\n'}, "confidence (1)"),
        (
            "autology",
            {"graph.json": '[{"source": "A", "target": "B", "type": "uses", "confidence": 70}]'},
            "confidence (1)",
        ),
        (
            "cognitive-memory",
            {"a.md": "---\nid: A\nrelations:\n- target: B\n  type: USES\n  strength: strong\n---\nIt is."},
            "strength: 'strong' is no number",
        ),
        (
            "cognitive-memory",
            {"edges/a.md": "---\ntype: USES\nfrom_id: A\nto_id: B\nstrength: '9'\n---\n"},
            "strength: '9' is no number",
        ),
        (
            "okf",
            {"a.md": "---\ntype: claim\ntitle: A\nweft_confidence: high\n---\nIt is."},
            "weft_confidence: 'high' is no number",
        ),
        ("mem0", {"m.json": '[{"id": "1", "memory": "It is.", "metadata": {"confidence": "high"}}]'}, "confidence (1)"),
    ],
)
def test_a_confidence_that_cannot_be_read_is_told(
    graph: Port, tmp_path: Path, format_: str, files: dict[str, str], said: str
) -> None:
    """The usual one is taken in its place, whichever tool wrote it and whatever it is called there."""
    place = lay(tmp_path / "place", files)
    came = graph.bring(place / "m.json" if format_ == "mem0" else place, format_)
    assert [each.reason for each in came.unread if said in each.reason]


def test_our_own_tables_come_back(graph: Port, tmp_path: Path) -> None:
    """Titles that begin as a formula does, lists that hold separators; nodes and relations under the ids they had."""
    odd = a_node("=1+1", content="- a list\n'quoted', \"twice\"", tags=("a;b", "c, d"), aliases=("x", "y"))
    plain = a_node("Plain", ontology="side")
    uses = joined(odd, plain, "uses")
    graph.opened.store.commit(a_batch(saved(odd), saved(plain), uses))
    graph.transfer.export(ExportRequest(path=tmp_path / "out", format="csv"), graph.call())
    cells = list(csv.reader((tmp_path / "out" / "nodes.csv").read_text(encoding="utf-8").split("\n")))
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in cells for cell in row)
    with port(tmp_path / "other.db") as other:
        other.bring(tmp_path / "out", "csv")
        back = other.node(odd.id)
        assert (back.title, back.content, back.tags, back.aliases) == (odd.title, odd.content, odd.tags, odd.aliases)
        assert other.node(plain.id).ontology == "side"
        assert [each.id for each in other.opened.store.relations((odd.id,))] == [uses.relation.id]
        unchanged_by(other, tmp_path / "out", "csv")
    unchanged_by(graph, tmp_path / "out", "csv")


# ---- ACI


def test_without_its_library_an_aci_folder_says_what_to_install(
    graph: Port, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is in a form of its own; nothing is half read."""
    place = lay(tmp_path / "data", {"relations.json": "[]", "lancedb/units.lance/_versions/1.manifest": b""})
    monkeypatch.setitem(__import__("sys").modules, "lance", None)
    with pytest.raises(Unavailable, match="lance") as refused:
        graph.bring(place, "aci")
    assert "weft-graph[aci]" in refused.value.hint
    with pytest.raises(NotFound, match=r"units\.lance"):
        graph.bring(lay(tmp_path / "empty", {"relations.json": "[]"}), "aci")


def test_an_aci_folder_comes_in_with_its_relations(graph: Port, tmp_path: Path) -> None:
    """A table as LanceDB writes it; a row without content and a relation without an end are told."""
    lance = pytest.importorskip("lance", reason="pylance and what it needs take 390 MB: pip install '.[aci]'")
    pyarrow = import_module("pyarrow")
    rows = [
        {"id": "5f0c8b0e-5a2e-4d5e-9a57-5f7f3a2f9a01", "content": "Attention cost grows quadratically.",
         "source_doi": "10.1/x", "confidence": 1.0, "created_at": "2026-01-16T10:00:00", "vector": [0.1] * 4},
        {"id": "b2", "content": "Linear attention approximates softmax.", "source_doi": "", "confidence": 0.8,
         "created_at": "2026-01-16T10:05:00", "vector": [0.2] * 4},
        {"id": "b3", "content": "", "source_doi": "", "confidence": 0.8, "created_at": "", "vector": [0.3] * 4},
    ]  # fmt: skip
    place = tmp_path / "data"
    place.mkdir()
    lance.write_dataset(pyarrow.Table.from_pylist(rows), str(place / "lancedb" / "units.lance"))
    relations = [
        {"source_id": "b2", "target_id": rows[0]["id"], "type": "refutes", "reasoning": "It is linear."},
        {"source_id": "b2", "type": "refutes"},
    ]
    lay(place, {"relations.json": json.dumps(relations)})
    came = graph.bring(place, "aci")
    assert (came.nodes_made, came.relations_made, came.unread_total) == (2, 1, 2)
    claim = graph.node("5f0c8b0e-5a2e-4d5e-9a57-5f7f3a2f9a01")
    assert (claim.kind, claim.citation, claim.confidence) == ("claim", "10.1/x", 1.0)
    unchanged_by(graph, place, "aci")


# ---- what holds for all of them


def test_a_dry_run_counts_as_the_real_one_and_writes_nothing(graph: Port, tmp_path: Path) -> None:
    """Relations to what would come in are counted too."""
    place = lay(tmp_path / "main", {"s.md": STARTER, "Rye flour.md": FLOUR})
    would = graph.bring(place, "basic-memory", dry_run=True)
    assert graph.opened.log.head() == 0
    did = graph.bring(place, "basic-memory")
    assert replace(did, dry_run=True, batches=()) == would


def test_what_changed_there_is_updated_and_what_changed_here_is_kept(graph: Port, tmp_path: Path) -> None:
    """The last hand on it decides: an import may go over an import, never over a person."""
    place = lay(tmp_path / "vault", {"A.md": "One.", "B.md": "One."})
    graph.bring(place, "obsidian")
    mine = graph.node("B")
    graph.opened.store.commit(a_batch(saved(changed(mine, content="Mine."))))
    lay(place, {"A.md": "Two.", "B.md": "Two."})
    came = graph.bring(place, "obsidian")
    assert (came.nodes_updated, came.nodes_kept) == (1, 1)
    assert told(came) == [("B.md", 1)]
    assert (graph.node("A").content, graph.node("A").version, graph.node("B").content) == ("Two.", 2, "Mine.")


def test_what_was_forgotten_here_stays_forgotten(graph: Port, tmp_path: Path) -> None:
    """And what was merged away is found where it went."""
    place = lay(tmp_path / "vault", {"A.md": "One.", "B.md": "Two.", "C.md": "[[B]]"})
    graph.bring(place, "obsidian")
    one, two, three = (graph.node(title) for title in "ABC")
    (relation,) = graph.relations()
    retire = [SaveNode(node=retired(one), expect=1), SaveNode(node=retired(two, into=three.id), expect=1)]
    graph.opened.store.commit(a_batch(RemoveRelation(id=relation.id, expect=1), *retire))
    came = graph.bring(place, "obsidian")
    assert (came.nodes_forgotten, came.nodes_known, came.nodes_made) == (1, 2, 0)
    assert set(graph.standing()) == {"C"}


def test_an_interrupted_import_goes_on_where_it_ended(graph: Port, tmp_path: Path) -> None:
    """What is in is kept; the same call brings the rest, each thing once."""
    place = lay(tmp_path / "vault", {f"{at:03}.md": f"Note {at} [[{(at + 1) % 250:03}]]" for at in range(250)})
    seen = 0

    def cancel(done: int, _total: int, _message: str) -> None:
        nonlocal seen
        seen = done
        if done >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        graph.transfer.import_(ImportRequest(path=place, format="obsidian"), replace(graph.call(), progress=cancel))
    assert (seen, len(graph.standing())) == (100, 100)
    came = graph.bring(place, "obsidian")
    assert (came.nodes_known, came.nodes_made, came.relations_made) == (100, 150, 250)


def test_texts_and_lists_that_are_too_long_are_cut_or_left_out_and_told(graph: Port, tmp_path: Path) -> None:
    """A title, too many tags, a content over the bound."""
    place = lay(
        tmp_path / "vault",
        {
            f"{'t' * 220}.md": "Long name.",
            "Tags.md": " ".join(f"#tag{at}a" for at in range(60)),
            "Huge.md": "x" * 100_001,
        },
    )
    came = graph.bring(place, "obsidian")
    assert came.nodes_made == 2
    assert {path for path, _ in told(came)} == {f"{'t' * 220}.md", "Tags.md", "Huge.md"}
    assert len(graph.node("Tags").tags) == 50


def test_more_than_the_bound_is_not_taken_in(graph: Port, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records, relations and the size of a file have a bound each, and that is told."""
    file = lay(tmp_path / "in", {"m.jsonl": MEMORY}) / "m.jsonl"
    monkeypatch.setattr(reading, "RECORDS_MAX", 2)
    came = graph.bring(file, "memory-server")
    assert came.nodes_made == 2
    assert any("only the first 2 records" in each.reason for each in came.unread)
    monkeypatch.setattr(reading, "FILE_MAX_BYTES", 10)
    assert "larger than" in graph.bring(file, "memory-server").unread[0].reason


def test_two_tools_may_use_the_same_id(graph: Port, tmp_path: Path) -> None:
    """A handle holds the format too."""
    lay(
        tmp_path,
        {"v/A.md": "From a vault.", "m.jsonl": '{"type":"entity","name":"A","entityType":"x","observations":[]}'},
    )
    graph.bring(tmp_path / "v", "obsidian")
    assert graph.bring(tmp_path / "m.jsonl", "memory-server").nodes_made == 1
    assert len(graph.opened.store.resolve("A", limit=5)) == 2


def test_a_wish_that_does_not_fit_is_refused_with_what_does(graph: Port, tmp_path: Path) -> None:
    """An unknown format, nothing there, a file for a folder and the other way round."""
    file = lay(tmp_path / "in", {"x.md": "x"}) / "x.md"
    with pytest.raises(InvalidArgument, match="obsidian"):
        graph.bring(file, "roam")
    with pytest.raises(NotFound):
        graph.bring(tmp_path / "nothing", "obsidian")
    with pytest.raises(InvalidArgument, match="no folder"):
        graph.bring(file, "obsidian")
    with pytest.raises(InvalidArgument, match="no file"):
        graph.bring(tmp_path, "mem0")
    with pytest.raises(InvalidArgument, match="no file"):
        graph.bring(tmp_path, "jsonl")
