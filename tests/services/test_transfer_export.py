"""Exporting: every form is read back by a reader of that form, whatever the texts hold, and is of one moment."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import rustworkx
import yaml

from services.travel import port
from weft.errors import Conflict, InvalidArgument, NotFound, Unavailable
from weft.model import ExportRequest, Origin, SaveEvidence, SaveSource, SourceType, Status
from weft.services.transfer.networks import networkx_graph, rustworkx_graph
from weft.testing.making import a_batch, a_node, a_source, an_evidence, joined, retired, saved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from services.travel import Port
    from weft.model import Node

ODD = 'It\'s "odd" \\ \\u0027 `x`; <b>&amp; ]] --- [^1] {y} | #1\n---\ntype: no\r\n\t🥐 é\u2028\x07'


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Port]:
    """A graph of three nodes that stand and one that does not, with relations of three origins."""
    with port(tmp_path / "graph.db") as opened:
        one = a_node("Kettle", tags=("a;b", "c"), references=("https://a.org/x", "src/y.py"))
        two = a_node(ODD, content=ODD, kind="decision", status=Status.NEEDS_REVIEW, aliases=(ODD,))
        three = a_node("no", content="", kind="code_pattern")
        gone = a_node("Gone")
        source = a_source("boiling.md", path="docs/boiling.md")
        relations = [
            joined(one, two, reasoning=ODD),
            joined(two, three, "extends", origin=Origin.LEARNED),
            joined(three, one, "uses", origin=Origin.INFERRED),
        ]
        opened.opened.store.commit(a_batch(*(saved(node) for node in (one, two, three, gone)), *relations))
        evidence = SaveEvidence(evidence=an_evidence(one.id, source))
        opened.opened.store.commit(a_batch(SaveSource(source=source), evidence, saved(retired(gone))))
        yield opened


def nodes(graph: Port) -> list[Node]:
    """Return the nodes that stand, oldest first."""
    return sorted(graph.standing().values(), key=lambda node: node.id)


def export(graph: Port, path: Path, format: str, **fields: object) -> None:  # noqa: A002 - the request's word
    """Write a copy."""
    graph.transfer.export(ExportRequest(path=path, format=format, **fields), graph.call(tool="export"))


def test_graphml_is_read_by_another_library(graph: Port, tmp_path: Path) -> None:
    """Every title comes back, but for the signs that XML cannot hold; retired nodes are not in it."""
    export(graph, tmp_path / "g.graphml", "graphml")
    (read,) = rustworkx.read_graphml(str(tmp_path / "g.graphml"))
    assert sorted(node["title"] for node in read.nodes()) == sorted(["Kettle", "no", ODD.replace("\x07", "")])
    assert sorted(edge["type"] for edge in read.edges()) == ["extends", "supports", "uses"]
    assert {edge["confidence"] for edge in read.edges()} == {0.8}
    assert read.num_nodes() == 3


def test_cytoscape_s_json_holds_elements_that_name_each_other(graph: Port) -> None:
    """Sources and targets are ids of nodes; the data are the fields as they are."""
    document = json.loads(graph.text("cytoscape"))
    elements = document["elements"]
    ids = {each["data"]["id"] for each in elements["nodes"]}
    assert ids == {node.id for node in nodes(graph)}
    assert all({each["data"]["source"], each["data"]["target"]} <= ids for each in elements["edges"])
    assert {each["data"]["title"] for each in elements["nodes"]} == {"Kettle", ODD, "no"}


def test_an_empty_graph_is_a_whole_document_in_every_form(tmp_path: Path) -> None:
    """Also where there is nothing to say."""
    with port(tmp_path / "empty.db") as empty:
        assert json.loads(empty.text("cytoscape"))["elements"] == {"nodes": [], "edges": []}
        assert empty.text("jsonl") == '{"weft":1}\n{"end":{"weft":1}}\n'
        export(empty, tmp_path / "g.graphml", "graphml")
        assert rustworkx.read_graphml(str(tmp_path / "g.graphml"))[0].num_nodes() == 0
        export(empty, tmp_path / "bundle", "okf")
        assert (tmp_path / "bundle" / "index.md").is_file()
        export(empty, tmp_path / "tables", "csv")


STRING = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)
UNESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "\\": "\\", "'": "'"}


def spoken(statement: str) -> list[str]:
    """Return the strings of a Cypher statement as an engine reads them, those joined by a plus as one."""
    parts = re.sub(r"'(?: \+ )'", "", statement)
    return [re.sub(r"\\(.)", lambda found: UNESCAPED[found[1]], each) for each in STRING.findall(parts)]


def test_the_cypher_script_keeps_every_text_inside_its_quotes(graph: Port) -> None:
    """One statement a line; what is left without the strings holds only our own words."""
    script = graph.text("cypher")
    lines = script.split("\n")
    assert lines.pop() == ""
    assert all(line.endswith(";") or line.startswith("//") for line in lines)
    assert len([line for line in lines if line.startswith("MERGE")]) == 3
    assert len([line for line in lines if line.startswith("MATCH")]) == 3
    assert any(ODD in spoken(line) for line in lines)
    bare = STRING.sub("", "\n".join(lines[1:]))
    assert re.fullmatch(r"[\w\s`{}()\[\]:;,.+=>\-]*", bare), bare
    assert "n:`CodePattern`" in bare
    assert "r:`SUPPORTS`" in bare


def test_no_escape_for_a_code_point_can_form_in_the_script(graph: Port) -> None:
    r"""A text with \u0027 in it: an engine that decodes such codes first would end the string there."""
    assert "\\u" not in graph.text("cypher")
    assert "\\u0027" in spoken(next(line for line in graph.text("cypher").split("\n") if "odd" in line))[1]


def concepts(bundle: Path) -> dict[str, tuple[dict[str, object], str]]:
    """Return front matter and body of every concept of a bundle, by its path; the format's own rules are asserted."""
    found = {}
    for file in sorted(bundle.rglob("*.md")):
        text = file.read_bytes().decode()
        if file.name == "index.md":
            assert text.startswith("---\nokf_version:") == (file.parent == bundle)
            assert re.search(r"^# ", text, re.MULTILINE)
            continue
        head, mark, body = text.removeprefix("---\n").partition("\n---\n")
        assert mark
        front = yaml.safe_load(head)
        assert isinstance(front["type"], str)
        assert front["type"]
        found[f"/{file.relative_to(bundle).as_posix()}"] = (front, body)
    return found


def test_the_bundle_keeps_the_rules_of_the_open_knowledge_format(graph: Port, tmp_path: Path) -> None:
    """Parseable front matter with a type in every concept, listings in their form, links that lead to a concept."""
    export(graph, tmp_path / "bundle", "okf")
    found = concepts(tmp_path / "bundle")
    assert len(found) == 3
    for front, body in found.values():
        assert set(front["generated"]) == {"by", "at"}
        assert front["status"] in {"draft", "stable", "deprecated"}
        assert all(each["target"] in found for each in front.get("weft_relations", ()))
        assert all(link in found for link in re.findall(r"\]\((/[^)]+)\)", body))
    kettle, body = next(each for each in found.values() if each[0]["title"] == "Kettle")
    assert kettle["sources"] == [{"id": "s1", "resource": "docs/boiling.md"}]
    assert "[^s1]: docs/boiling.md" in body
    assert kettle["resource"] == "https://a.org/x"
    odd, _ = next(each for each in found.values() if each[0]["type"] == "decision")
    assert (odd["title"], odd["status"], odd["weft_aliases"]) == (ODD, "draft", [ODD])
    listed = (tmp_path / "bundle" / "decisions" / "index.md").read_text(encoding="utf-8")
    (name,) = re.findall(r"\]\(([^)]+\.md)\)", listed)
    assert (tmp_path / "bundle" / "decisions" / name).is_file()


def test_no_title_can_name_a_file_outside_the_bundle(tmp_path: Path) -> None:
    """Names come from letters, digits and our id."""
    with port(tmp_path / "graph.db") as graph:
        odd = [
            "../../etc/passwd",
            "/root",
            "C:\\x",
            "index",
            "log",
            "a" * 200,
            "日本語 ノート",
            "...",
            "CON",
            "\u202eevil",
        ]
        graph.opened.store.commit(a_batch(*(saved(a_node(title)) for title in odd)))
        export(graph, tmp_path / "bundle", "okf")
        assert len(concepts(tmp_path / "bundle")) == len(odd)
        files = [file for file in (tmp_path / "bundle").rglob("*") if file.is_file()]
        assert all(re.fullmatch(r"[\w-]+\.md", file.name) and len(file.name.encode()) < 130 for file in files)
        assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["bundle"]


DRAWN = re.compile(
    r'  (n\d+\["[\w #;.,/()+<>-]*"\]|n\d+ (-->|-\.->)\|"\w+"\| n\d+|linkStyle \d+ [\w:-]+ \d|style n\d+ [\w:-]+)'
)


def test_the_chart_draws_learned_relations_dashed_and_inferred_ones_dotted(graph: Port) -> None:
    """Around a node; no title can end its quotes or begin a line."""
    chart = graph.text("mermaid", around="Kettle", depth=2)
    lines = chart.splitlines()
    assert lines[0] == "flowchart LR"
    assert all(DRAWN.fullmatch(line) for line in lines[1:]), chart
    edges = [line for line in lines if "|" in line]
    (dotted,) = (at for at, line in enumerate(edges) if "-.->" in line)
    (dashed,) = (at for at, line in enumerate(edges) if '"extends"' in line)
    assert f"  linkStyle {dotted} stroke-dasharray:2 3" in lines
    assert f"  linkStyle {dashed} stroke-dasharray:8 4" in lines
    assert len(graph.text("mermaid", around="Kettle").splitlines()) == len(lines)


def test_a_chart_needs_a_node_and_nothing_else_takes_one(graph: Port) -> None:
    """Depth is bounded, and the node has to be there."""
    for fields in ({}, {"around": "Kettle", "depth": 6}, {"around": "Kettle", "depth": 0}):
        with pytest.raises(InvalidArgument):
            graph.text("mermaid", **fields)
    with pytest.raises(InvalidArgument):
        graph.text("jsonl", around="Kettle")
    with pytest.raises(NotFound):
        graph.text("mermaid", around="Nothing of that name")
    with pytest.raises(InvalidArgument, match="jsonl"):
        graph.text("word")
    with pytest.raises(InvalidArgument, match="folder"):
        graph.text("okf")


@pytest.mark.parametrize("format", ["jsonl", "cypher", "graphml", "cytoscape"])
def test_a_copy_is_of_one_moment_whatever_is_written_meanwhile(
    graph: Port,
    format: str,  # noqa: A002
) -> None:
    """A write in the middle of an export is in none of it, though the export goes on for long."""
    before = graph.text(format)
    lines = graph.transfer.stream(ExportRequest(path=Path("-"), format=format), graph.call())
    begun = [next(lines), next(lines)]
    late = [a_node(f"Late {at}") for at in range(2000)]
    graph.opened.store.commit(a_batch(*(saved(node) for node in late), *(joined(late[0], node) for node in late[1:])))
    assert "".join((*begun, *lines)) == before
    assert graph.text(format) != before


def test_an_existing_file_is_replaced_only_when_asked_and_never_half(graph: Port, tmp_path: Path) -> None:
    """A failure leaves what was there, and nothing beside it."""
    file = tmp_path / "out" / "copy.jsonl"
    with pytest.raises(InvalidArgument, match="no folder"):
        export(graph, file, "jsonl")
    file.parent.mkdir()
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(Conflict):
        export(graph, file, "jsonl")
    with pytest.raises(NotFound):
        export(graph, file, "mermaid", around="Nothing", replace=True)
    assert file.read_text(encoding="utf-8") == "mine"
    export(graph, file, "jsonl", replace=True)
    assert file.read_text(encoding="utf-8") == graph.text()
    with pytest.raises(Conflict):
        export(graph, file.parent, "okf")
    with pytest.raises(Conflict):
        export(graph, file.parent, "jsonl", replace=True)
    assert [path.name for path in file.parent.iterdir()] == ["copy.jsonl"]


@pytest.mark.parametrize("form", ["jsonl", "okf"])
def test_a_copy_may_have_the_longest_name_that_a_system_takes(graph: Port, tmp_path: Path, form: str) -> None:
    """Names are counted in bytes, and a letter of Japanese has three."""
    file = tmp_path / ("語" * 85)
    export(graph, file, form)
    assert list(tmp_path.glob(".*")) == []
    assert file.exists()


def test_a_place_that_may_not_be_written_is_told(graph: Port, tmp_path: Path) -> None:
    """A name that is too long for the file system, in either shape."""
    for form in ("jsonl", "okf"):
        with pytest.raises(Unavailable, match="cannot be written"):
            export(graph, tmp_path / ("n" * 300), form)
    assert not list(tmp_path.glob("*.part"))


def test_the_answer_counts_what_was_written(graph: Port, tmp_path: Path) -> None:
    """Nodes, relations, changes and bytes; the caller is told on the way."""
    request = ExportRequest(path=tmp_path / "copy.jsonl", format="jsonl")
    wrote = graph.transfer.export(request, graph.call())
    assert (wrote.nodes, wrote.relations, wrote.changes) == (4, 3, graph.opened.log.head())
    assert wrote.size_bytes == request.path.stat().st_size


def test_the_graph_becomes_one_of_rustworkx(graph: Port) -> None:
    """With the values on nodes and edges."""
    found = rustworkx_graph(graph.opened.archive)
    assert {node.title for node in found.nodes()} == {"Kettle", ODD, "no"}
    assert {each.type for each in found.edges()} == {"supports", "extends", "uses"}
    assert rustworkx.is_strongly_connected(found)


def test_the_graph_becomes_one_of_networkx(graph: Port) -> None:
    """Nodes by id, edges by source, target and type."""
    found = networkx_graph(graph.opened.archive)
    kettle = graph.node("Kettle")
    assert found.nodes[kettle.id]["title"] == "Kettle"
    assert sorted(kind for _, _, kind in found.edges(keys=True)) == ["extends", "supports", "uses"]


def test_without_networkx_the_way_to_install_it_is_told(graph: Port, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence, no traceback."""
    import sys

    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(Unavailable, match="networkx") as refused:
        networkx_graph(graph.opened.archive)
    assert "weft-graph[networkx]" in refused.value.hint


def test_evidence_of_a_synthesis_is_no_source_of_a_bundle(graph: Port, tmp_path: Path) -> None:
    """Only what a document said is named as one."""
    learned = a_source("User synthesis", type=SourceType.LEARNED)
    kettle = graph.node("Kettle")
    said = an_evidence(kettle.id, replace(learned))
    graph.opened.store.commit(a_batch(SaveSource(source=learned), SaveEvidence(evidence=said)))
    export(graph, tmp_path / "bundle", "okf")
    front, _ = next(each for each in concepts(tmp_path / "bundle").values() if each[0]["title"] == "Kettle")
    assert len(front["sources"]) == 1
