"""A vault alone gives the graph back: the law over generated graphs, and what it is made of."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import a_folder
from vault.shelf import desk
from weft.model import (
    ClaimNumber,
    Origin,
    RemoveRelation,
    SaveEvidence,
    SaveNode,
    SaveRelation,
    SaveSource,
    SaveSuggestion,
    SaveVote,
    Status,
    SuggestionState,
    Vote,
)
from weft.testing.making import AT, a_node, a_relation, a_source, a_suggestion, an_evidence, changed, retired, saved

if TYPE_CHECKING:
    from pathlib import Path

    from weft.model import Node, Operation

TEXT = st.text(
    st.characters(
        exclude_categories=("Cs",), exclude_characters="\x00", include_characters="\"'\\\n\r-:#\u2028\x85🥐é"
    ),
    max_size=30,
) | st.sampled_from(["---", "a: b", "- x", "1.0", "no", "12:30", "\n\nx\n\n", "{}", "<<<<<<< a\n=======\n>>>>>>> b"])
NAME = TEXT.filter(lambda text: bool(text.strip()))
SHARE = st.floats(0, 1)
NAMES = st.lists(NAME, max_size=3, unique=True).map(tuple)


@st.composite
def _nodes(draw: st.DrawFn) -> list[Node]:
    return [
        a_node(
            draw(NAME),
            content=draw(TEXT),
            kind=draw(st.sampled_from(["claim", "decision", "code_pattern", "general"])),
            tags=draw(NAMES),
            aliases=draw(NAMES),
            search_terms=draw(NAMES),
            references=draw(NAMES),
            handles=draw(NAMES),
            confidence=draw(SHARE),
            importance=draw(SHARE),
            ontology=draw(NAME),
            origin=draw(st.sampled_from(Origin)),
            status=draw(st.sampled_from(Status)),
            citation=draw(TEXT),
            session=draw(TEXT),
            channel=draw(st.sampled_from(["manual", "import", "odd one"])),
            learned_id=draw(st.sampled_from(["", "learned_2026-06-01_002"])),
        )
        for _ in range(draw(st.integers(1, 4)))
    ]


@st.composite
def _graph(draw: st.DrawFn) -> list[list[Operation]]:
    """Batches that make nodes, relations, sources, evidence, votes, decisions, and that retire some."""
    nodes = draw(_nodes())
    first, last = nodes[0], nodes[-1]
    batches: list[list[Operation]] = [[saved(node) for node in nodes]]
    source = a_source(draw(NAME), text=draw(TEXT), path=draw(TEXT))
    batches.append([SaveSource(source=source)])
    batches.append([SaveEvidence(evidence=an_evidence(first.id, source, quote=draw(TEXT), similarity=draw(SHARE)))])
    if first is not last:
        learned = "learned_2026-06-01_001"
        relation = a_relation(first, last, reasoning=draw(TEXT), learned_id=learned, scores=(("mean", draw(SHARE)),))
        stronger = replace(relation, confidence=draw(SHARE), version=2)
        vote = Vote(learned_id=learned, actor=draw(NAME), value=-1, reason=draw(TEXT), at=AT)
        batches.append([SaveRelation(relation=relation, expect=0), SaveVote(vote=vote)])
        batches.append([ClaimNumber(name="learned_2026-06-01", value=1)])
        batches.append([SaveRelation(relation=stronger, expect=1)])
        batches.append([SaveEvidence(evidence=an_evidence(stronger.id, source, learned_id=learned))])
        joined = "learned_2026-06-01_003"  # of a relation that went into this one when nodes were merged
        other = replace(vote, learned_id=joined, value=1)
        batches.append(
            [SaveEvidence(evidence=an_evidence(stronger.id, source, learned_id=joined)), SaveVote(vote=other)]
        )
        asked = a_suggestion("relation:a:b", first, last)
        done = replace(asked, state=SuggestionState.DISMISSED, decided_at=AT, decided_by="bob", version=2)
        batches.append([SaveSuggestion(suggestion=asked), SaveSuggestion(suggestion=done, expect=1)])
    if len(nodes) > 2 and draw(st.booleans()):
        batches.append([saved(retired(nodes[1], into=draw(st.sampled_from(["", first.id]))))])
    return batches


LARGE: Final = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=15, deadline=None, suppress_health_check=LARGE)
@given(_graph())
def test_any_graph_comes_back_from_its_vault_alone(batches: list[list[Operation]]) -> None:
    """Nodes, retired ones too, relations, sources, evidence, votes and decisions: equal, and so are the files."""
    there_and_back(batches)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=LARGE)
@given(_graph())
def test_many_graphs_come_back_from_their_vaults_alone(batches: list[list[Operation]]) -> None:
    """The same of four times as many."""
    there_and_back(batches)


def there_and_back(batches: list[list[Operation]]) -> None:
    """Write ``batches`` into a graph with a vault, and hold that the vault alone gives the same graph."""
    with a_folder() as folder:
        here, there = folder / "here", folder / "there"
        with desk(here) as graph:
            for batch in batches:
                graph.write(*batch)
            told = graph.sync()
            assert told.unread == ()
            whole, files = graph.whole(), graph.files()
            assert not graph.sync().changed
        shutil.copytree(here / "vault", there / "vault")
        with desk(there) as copy:
            told = copy.sync()
            assert told.unread == ()
            assert copy.whole() == whole
            assert copy.files() == files
            assert not copy.sync().changed


def test_a_vault_that_lost_its_records_does_not_give_the_graph_back(tmp_path: Path) -> None:
    """The twin: without the records the evidence is missing, and the comparison sees it."""
    with desk(tmp_path / "here") as graph:
        node, source = a_node(), a_source()
        graph.write(saved(node), SaveSource(source=source), SaveEvidence(evidence=an_evidence(node.id, source)))
        graph.sync()
        whole = graph.whole()
    shutil.copytree(tmp_path / "here" / "vault", tmp_path / "there" / "vault")
    shutil.rmtree(tmp_path / "there" / "vault" / "records")
    with desk(tmp_path / "there") as copy:
        copy.sync()
        assert copy.whole() != whole


def test_a_lost_memory_is_rebuilt_from_files_and_graph(tmp_path: Path) -> None:
    """Without what the mirror remembers, a pass finds that all agree, writes nothing and reads nothing in."""
    with desk(tmp_path) as graph:
        nodes = [a_node(f"Claim {at}") for at in range(3)]
        graph.write(*(saved(node) for node in nodes), SaveRelation(relation=a_relation(*nodes[:2]), expect=0))
        graph.sync()
        whole, files = graph.whole(), graph.files()
    (tmp_path / "graph.vault" / "memory.jsonl").unlink()
    with desk(tmp_path) as graph:
        told = graph.sync()
        assert (told.changed, told.conflicts, told.unread) == (False, (), ())
        assert (graph.whole(), graph.files()) == (whole, files)


def test_a_torn_memory_is_written_anew(tmp_path: Path) -> None:
    """A line that was cut off costs nothing but a look at the files."""
    with desk(tmp_path) as graph:
        graph.write(saved(a_node("One")))
        graph.sync()
        graph.write(saved(a_node("Two")))
        graph.sync()
    memory = tmp_path / "graph.vault" / "memory.jsonl"
    memory.write_bytes(memory.read_bytes()[:-9])
    with desk(tmp_path) as graph:
        graph.write(saved(a_node("Three")))
        graph.sync()
        assert len(graph.notes()) == 3
    with desk(tmp_path) as graph:
        assert not graph.sync().changed
        assert graph.vault.status().notes == 3


def test_a_hub_shows_its_strongest_relations_and_loses_none(tmp_path: Path) -> None:
    """A note shows a hundred relations; the record holds all, and all come back."""
    with desk(tmp_path / "here") as graph:
        hub, rim = a_node("Hub"), [a_node(f"Rim {at}") for at in range(150)]
        graph.write(*(saved(node) for node in [hub, *rim]))
        graph.write(*(SaveRelation(relation=a_relation(hub, node, reasoning="x" * 300), expect=0) for node in rim))
        graph.sync()
        assert "relations_left_out: 50" in graph.file(hub).read_text()
        graph.edit(hub, "It was measured", "It was weighed")
        assert graph.sync().relations_removed == 0
        whole = graph.whole()
    shutil.copytree(tmp_path / "here" / "vault", tmp_path / "there" / "vault")
    with desk(tmp_path / "there") as copy:
        assert copy.sync().unread == ()
        assert copy.whole() == whole


def test_what_front_matter_has_no_room_for_stands_in_the_record(tmp_path: Path) -> None:
    """Lists that would make a note unreadable are left out of it, named, and come back."""
    with desk(tmp_path / "here") as graph:
        node = a_node("Wide", references=tuple(f"{at}{'x' * 900}" for at in range(50)), aliases=("y" * 200,) * 1)
        wide = replace(node, handles=tuple(f"{at}{'h' * 900}" for at in range(40)))
        graph.write(saved(wide))
        graph.sync()
        assert "left_out:\n- handles\n" in graph.file(node).read_text()
        graph.edit(node, "It was measured", "It was weighed")
        told = graph.sync()
        assert (told.nodes_changed, told.unread) == (1, ())
        assert graph.node(node).handles == wide.handles
        whole = graph.whole()
    shutil.copytree(tmp_path / "here" / "vault", tmp_path / "there" / "vault")
    with desk(tmp_path / "there") as copy:
        copy.sync()
        assert copy.whole() == whole


def test_removing_a_relation_in_the_graph_takes_it_off_both_notes(tmp_path: Path) -> None:
    """Both ends show a relation, and both stop doing so."""
    with desk(tmp_path) as graph:
        one, two = a_node("One"), a_node("Two")
        relation = a_relation(one, two)
        graph.write(saved(one), saved(two), SaveRelation(relation=relation, expect=0))
        graph.sync()
        assert all(relation.id in graph.file(each).read_text() for each in (one, two))
        graph.write(RemoveRelation(id=relation.id, expect=1))
        graph.sync()
        assert not any(relation.id in graph.file(each).read_text() for each in (one, two))
        graph.write(SaveNode(node=changed(graph.node(one), kind="decision"), expect=1))
        assert graph.sync().moved == 1
        assert graph.file(one).parent.name == "decisions"
