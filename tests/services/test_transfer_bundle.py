"""A bundle of the Open Knowledge Format comes back as it went out; of another's, what the format says is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from services.travel import lay, port
from weft.model import ExportRequest, Origin, SaveEvidence, SaveSource, Status
from weft.services.forgetting import forget
from weft.testing.making import a_batch, a_node, a_source, an_evidence, joined, saved

if TYPE_CHECKING:
    from pathlib import Path

    from services.travel import Port

ODD = 'It\'s "odd" \\ `x`; <b>&amp; ]] --- [^1] {y} | #1: no'
HUB = 250


def fill(graph: Port) -> None:
    """Write nodes of every standing, with relations of several origins, quotes of two documents, and a hub."""
    kettle = a_node(
        "Kettle",
        content="Water boils in it.\n\n# Relations\n\nNone of ours. See [tea](/tea.md).\n\n# Evidence\n\n* “none”[^s1]",
        tags=("a;b", "c"),
        references=("https://a.org/x", "src/y.py"),
        citation="A. Boiler, 1901",
        ontology="kitchen",
        origin=Origin.DOCUMENT,
        confidence=0.73,
        importance=0.1,
        modified_by="claude-mcp",
    )
    odd = a_node(ODD, content=f"---\n{ODD}\n---", kind="decision", status=Status.NEEDS_REVIEW, aliases=(ODD,))
    bare = a_node("no", content="", kind="code_pattern", status=Status.SUPERSEDED, modified_by="a/b")
    rays = [a_node(f"Ray {at}", content=f"Ray {at} shines.") for at in range(HUB)]
    nodes = (kettle, odd, bare, *rays)
    relations = [
        joined(kettle, odd, reasoning=ODD, confidence=0.41),
        joined(odd, bare, "extends", origin=Origin.LEARNED),
        joined(bare, kettle, "uses", origin=Origin.INFERRED),
        *(joined(kettle, ray, "affects") for ray in rays),
    ]
    graph.opened.store.commit(a_batch(*map(saved, nodes), *relations))
    boiling = a_source("boiling.md", text="Water boils at 100 °C.\nIt [does] *so* at sea.", ontology="kitchen")
    tea = a_source("tea.md", path="docs/tea.md", text="Tea needs water that boils.", ontology="kitchen")
    quotes = [
        an_evidence(kettle.id, boiling, quote="Water boils at 100 °C."),
        an_evidence(kettle.id, tea, quote="Tea needs water that boils."),
        an_evidence(kettle.id, boiling, quote="It [does] *so* at sea."),
        an_evidence(odd.id, tea, quote="water"),
    ]
    saves = [SaveEvidence(evidence=each) for each in quotes]
    graph.opened.store.commit(a_batch(SaveSource(source=boiling), SaveSource(source=tea), *saves))


def out(graph: Port, folder: Path) -> dict[str, str]:
    """Export the graph to ``folder``, and return the files by their paths."""
    graph.transfer.export(ExportRequest(path=folder, format="okf"), graph.call(tool="export"))
    return {file.relative_to(folder).as_posix(): file.read_bytes().decode() for file in sorted(folder.rglob("*.md"))}


def test_a_concept_s_file_keeps_the_marks_of_its_title_s_letters(tmp_path: Path) -> None:
    """Vowels of Devanagari and tones of Thai are part of a word."""
    nodes = [a_node(title) for title in ("कैश परत", "การติดตั้ง")]
    with port(tmp_path / "one.db") as one:
        one.opened.store.commit(a_batch(*map(saved, nodes)))
        names = {path.rpartition("/")[2] for path in out(one, tmp_path / "bundle")}
    assert {f"कैश-परत-{nodes[0].id}.md", f"การติดตั้ง-{nodes[1].id}.md"} <= names


def test_what_was_exported_comes_back_and_goes_out_the_same_byte_for_byte(tmp_path: Path) -> None:
    """Ids, ontologies, origins, times, who wrote last, relations with their reasons, and quotes of documents."""
    with port(tmp_path / "one.db") as one, port(tmp_path / "two.db") as two:
        fill(one)
        first = out(one, tmp_path / "first")
        told = two.bring(tmp_path / "first", "okf")
        assert (told.nodes_made, told.relations_made, told.unread) == (HUB + 3, HUB + 3, ())
        assert out(two, tmp_path / "second") == first
        kettle = two.node("Kettle")
        assert (kettle.origin, kettle.ontology, kettle.modified_by) == (Origin.DOCUMENT, "kitchen", "claude-mcp")
        assert {each.id for each in two.relations()} == {each.id for each in one.relations()}
        evidence = two.opened.store.evidence((kettle.id, two.node(ODD).id))
        sources = two.opened.store.sources([each.source for each in evidence])
        assert len(evidence) == 4
        assert {source.document for source in sources.values()} == {"boiling.md", "docs/tea.md"}
        assert all(sources[each.source].text[each.start : each.end] == each.quote for each in evidence)


def test_a_second_time_nothing_is_new_here_or_where_it_came_from(tmp_path: Path) -> None:
    """A dry run says so too, and writes nothing."""
    with port(tmp_path / "one.db") as one, port(tmp_path / "two.db") as two:
        fill(one)
        out(one, tmp_path / "bundle")
        head = two.opened.log.head()
        assert two.bring(tmp_path / "bundle", "okf", dry_run=True).nodes_made == HUB + 3
        assert two.opened.log.head() == head
        two.bring(tmp_path / "bundle", "okf")
        for graph in (one, two):
            head = graph.opened.log.head()
            told = graph.bring(tmp_path / "bundle", "okf")
            assert (told.nodes_made, told.nodes_known, told.nodes_updated) == (0, HUB + 3, 0)
            assert (told.relations_made, told.relations_known, told.unread) == (0, HUB + 3, ())
            assert graph.opened.log.head() == head


def test_what_changed_in_the_bundle_is_updated_and_what_was_forgotten_here_stays_so(tmp_path: Path) -> None:
    """As with every other import; what was changed here is kept and told."""
    with port(tmp_path / "one.db") as one, port(tmp_path / "two.db") as two:
        fill(one)
        files = out(one, tmp_path / "bundle")
        two.bring(tmp_path / "bundle", "okf")
        for name, old, new in (
            ("ray-1-", "Ray 1 shines.", "Ray 1 glows."),
            ("ray-2-", "Ray 2 shines.", "Ray 2 glows."),
        ):
            (file,) = [tmp_path / "bundle" / each for each in files if name in each]
            file.write_text(file.read_text("utf-8").replace(f"---\n\n{old}", f"---\n\n{new}"), "utf-8")
        forget(two.opened.store, two.opened.shelf, two.node("Ray 2").id, two.call(), reason="dim", confirm=True)
        told = two.bring(tmp_path / "bundle", "okf")
        assert (told.nodes_updated, told.nodes_forgotten, told.nodes_made) == (1, 1, 0)
        assert two.node("Ray 1").content == "Ray 1 glows."
        told = one.bring(tmp_path / "bundle", "okf")
        assert told.nodes_kept == 2
        assert "changed here" in told.unread[0].reason
        assert one.node("Ray 1").content == "Ray 1 shines."


FOREIGN = {
    "index.md": '---\nokf_version: "0.2"\n---\n\n# Folders\n',
    "log.md": "# Log\n",
    "tables/users.md": (
        "---\ntype: Table\ntitle: Users\ndescription: One row a person.\nresource: https://db.example/users\n"
        "tags: [core]\nstatus: stable\ngenerated: {by: process:crawler, at: 2026-05-04T09:00:00Z}\n"
        "sources:\n- {id: a, resource: https://wiki.example/users}\nverified:\n- {by: human:zoe}\n---\n\n"
        "Joined by [orders](orders.md) and [metrics](/metrics/active.md).\n"
    ),
    "tables/orders.md": "---\ntype: Table\n---\n\nEach order has a [user](./users.md).\n",
    "metrics/active.md": "---\ntype: metric\nstatus: deprecated\n---\n\nCounts `[users](../tables/users.md)`.\n",
    "notes.md": "Nothing of the format.\n",
}


def test_a_bundle_of_somebody_else_is_read_as_far_as_the_format_goes(tmp_path: Path) -> None:
    """Concepts with what they say of themselves, links as relations; what is left out is told by name."""
    with port(tmp_path / "graph.db") as graph:
        told = graph.bring(lay(tmp_path / "bundle", FOREIGN), "okf")
        assert {(each.path, each.reason) for each in told.unread} == {
            ("notes.md", "not a concept: its head names no type"),
            ("tables/users.md", "taken in, but without verified"),
        }
        users = graph.node("okf:tables/users")
        assert users.content.startswith("One row a person.\n\nJoined by")
        assert users.references == ("https://db.example/users", "https://wiki.example/users")
        assert (users.tags, users.origin, users.ontology) == (("core", "table"), Origin.IMPORTED, "bundle")
        assert users.modified_at.isoformat() == "2026-05-04T09:00:00+00:00"
        assert graph.node("active").status is Status.SUPERSEDED
        pairs = {frozenset((source, target)) for source, _, target in graph.joined()}
        assert pairs == {frozenset(("Users", "orders")), frozenset(("Users", "active"))}
        assert graph.bring(tmp_path / "bundle", "okf").nodes_known == 3


@pytest.mark.parametrize("id_", ["../../etc/passwd", "x" * 36, "00000000-0000-0000-0000-00000000000g"])
def test_an_id_that_is_none_of_ours_is_a_key_and_nothing_more(tmp_path: Path, id_: str) -> None:
    """The node gets an id of its own."""
    text = f"---\ntype: claim\ntitle: Odd\nweft_id: {id_}\nweft_origin: document\n---\n\nIt is odd.\n"
    with port(tmp_path / "graph.db") as graph:
        graph.bring(lay(tmp_path / "bundle", {"odd.md": text}), "okf")
        odd = graph.node("Odd")
        assert odd.id != id_
        assert (odd.handles[0], odd.origin) == (f"okf:{id_}", Origin.IMPORTED)
