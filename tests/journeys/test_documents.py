"""A team's handbook goes into the graph, is asked about, changes, and is asked again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import graph_at
from weft.graph import open as open_graph
from weft.model import (
    ContextRequest,
    Filter,
    IngestRequest,
    Origin,
    SearchRequest,
    Status,
    SuggestionKind,
    SuggestionQuery,
    TraceRequest,
)
from weft.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.graph import Graph
    from weft.model import Fetched, Hit

HANDBOOK = {
    "adr/0001-files.md": """# 1. Store orders as files

## Status

Superseded by [ADR-3](0003-database.md)

## Context

The shop began with ten orders a week.

## Decision

We will store each order as one JSON file in a folder.

## Consequences

Anybody can read an order with a text editor.
""",
    "adr/0002-queue.md": """# 2. Hand orders over through a queue

## Status

Accepted

## Context

The warehouse is offline at night.

## Decision

We will hand every order over to the warehouse through a message queue. This builds on
[ADR-3](0003-database.md), which tells what an order is.

## Consequences

An order may reach the warehouse twice.
""",
    "adr/0003-database.md": """# 3. Store orders in a database

## Status

Accepted

## Context

A thousand orders a week do not fit into a folder.

## Decision

We will store orders in PostgreSQL. This supersedes [ADR-1](0001-files.md).

## Consequences

Reading an order needs a client.
""",
    "glossary.md": """# Glossary

**Order**: what a customer has paid for and not yet received.

**Picking list**: the shelves that a worker visits, in order, to collect the goods of an order.

**Backlog**: all orders that the warehouse has accepted and not yet sent.
""",
    "warehouse/night-shift.md": """---
tags: [operations]
---

# Night shift

At night nobody is in the warehouse. Orders wait in the [queue](../adr/0002-queue.md) until six in the morning.

The night shift never prints picking lists.
""",
    "warehouse/morning.md": """# Morning routine

The first worker starts the printer and empties the backlog. See also [the night shift](night-shift.md).
""",
    "notes/printer.txt": """The label printer jams when the paper is damp. Keep the paper in the dry room.
""",
}


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    """The handbook on disk."""
    root = tmp_path / "handbook"
    for name, content in HANDBOOK.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return root


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Graph]:
    """A graph of its own."""
    with open_graph(graph_at(tmp_path / "shop.db"), settings=Settings(home=str(tmp_path), actor="ada")) as opened:
        yield opened


@pytest.fixture
def full(graph: Graph, handbook: Path) -> Graph:
    """The graph with the handbook in it."""
    told = graph.ingest.ingest(IngestRequest(roots=(handbook,)), graph.call("ingest"))
    assert told.documents == len(HANDBOOK)
    assert told.skipped == ()
    return graph


def _hits(graph: Graph, query: str, **fields: object) -> tuple[Hit, ...]:
    return graph.recall.search(SearchRequest(query=query, **fields), graph.call("search")).hits


def _fetched(graph: Graph, reference: str) -> Fetched:
    return graph.recall.fetch(reference, graph.call("fetch"), detail="detailed")


def test_questions_find_the_document_that_answers(full: Graph) -> None:
    """By meaning, by words, in Markdown and in plain text, and the snippet shows the place."""
    for query, title in (
        ("why does the label printer jam", "printer"),
        ("what does a worker collect goods with", "Picking list"),
        ("who is in the warehouse at night", "Night shift"),
        ("how are orders stored", "Store orders in a database"),
    ):
        assert title in {hit.node.title for hit in _hits(full, query)[:3]}, query
    assert "damp" in _hits(full, "label printer jams")[0].snippet


def test_the_old_decision_sinks_and_names_the_new_one(full: Graph) -> None:
    """Asked in the old one's own words, the new one comes first all the same."""
    hits = _hits(full, "store orders", filter=Filter(kinds=("decision",)))
    ranks = {hit.node.title: place for place, hit in enumerate(hits)}
    assert ranks["Store orders in a database"] < ranks["Store orders as files"]
    old = hits[ranks["Store orders as files"]]
    assert old.node.status is Status.SUPERSEDED
    assert old.superseded_by is not None
    assert old.superseded_by[1] == "Store orders in a database"


def test_a_trail_leads_from_the_night_shift_to_the_first_decision(full: Graph) -> None:
    """Over a link, a «builds on» and a «supersedes», each with its direction, none of them inferred."""
    traced = full.trace.trace(
        TraceRequest(start="warehouse/night-shift.md", end="Store orders as files"), full.call("trace")
    )
    assert traced.trail is not None
    assert [step.node.title for step in traced.trail.steps] == [
        "Night shift",
        "Hand orders over through a queue",
        "Store orders in a database",
        "Store orders as files",
    ]
    walked = [step.relation for step in traced.trail.steps if step.relation]
    assert [relation.type for relation in walked] == ["relates_to", "builds_on", "supersedes"]
    assert {relation.origin for relation in walked} == {Origin.DOCUMENT}


def test_evidence_can_be_shown_in_its_context(full: Graph) -> None:
    """A term's quote stands in the whole glossary, a relation's in the record that states it."""
    fetched = _fetched(full, "Picking list")
    (evidence, source) = next(pair for pair in fetched.evidence if pair[0].subject == fetched.node.id)
    assert source.document == "glossary.md"
    assert source.text == HANDBOOK["glossary.md"]
    assert source.text[evidence.start : evidence.end] == evidence.quote
    queue = _fetched(full, "ADR-2")
    builds = next(relation for relation, _ in queue.relations if relation.type == "builds_on")
    said = next(evidence for evidence, _ in queue.evidence if evidence.subject == builds.id)
    assert "builds on" in said.quote


def test_terms_are_tied_to_the_texts_that_use_them(full: Graph) -> None:
    """Without a link: the morning routine speaks of the backlog."""
    mentions = _fetched(full, "Morning routine").mentions
    mentioned = {title for direction, _, title, _ in mentions if direction == "mentions"}
    assert "Backlog" in mentioned


def test_what_documents_say_can_be_challenged(full: Graph) -> None:
    """A claim against the handbook meets the sentence that says otherwise."""
    answer = full.trace.challenge("The night shift prints picking lists.", full.call("challenge"))
    assert any("never prints picking lists" in side.node.content for side in answer.conflicts)
    assert not any("never prints picking lists" in side.node.content for side in answer.supports)


def test_work_on_a_file_brings_up_its_document(full: Graph) -> None:
    """The document of the file at hand is highly relevant."""
    request = ContextRequest(current_file="adr/0003-database.md", task="change how orders are stored")
    first = full.recall.context(request, full.call("context")).nodes[0]
    assert first.node.title == "Store orders in a database"
    assert first.band == "high"


def test_the_handbook_changes_and_nothing_is_lost(full: Graph, handbook: Path) -> None:
    """A new record supersedes, a term is dropped, a page goes: the graph follows, and the past can still be asked."""
    then = full.call().at
    (handbook / "adr" / "0004-broker.md").write_text(
        "# 4. Hand orders over through a broker\n\n## Status\n\nAccepted\n\n## Context\n\nThe queue lost an order.\n\n"
        "## Decision\n\nWe will hand orders over through a replicated broker. "
        "This supersedes [ADR-2](0002-queue.md).\n",
        encoding="utf-8",
    )
    glossary = HANDBOOK["glossary.md"].replace(
        "\n**Backlog**: all orders that the warehouse has accepted and not yet sent.\n", ""
    )
    (handbook / "glossary.md").write_text(glossary, encoding="utf-8")
    (handbook / "notes" / "printer.txt").unlink()
    told = full.ingest.ingest(IngestRequest(roots=(handbook,)), full.call("ingest"))
    assert (told.documents, told.unchanged, told.marked) == (2, len(HANDBOOK) - 2, 1)
    assert _fetched(full, "ADR-2").node.status is Status.SUPERSEDED
    assert _fetched(full, "Backlog").node.status is Status.NEEDS_REVIEW
    assert full.store.suggestions(SuggestionQuery(kinds=(SuggestionKind.STALE,)))[1] == 1
    assert _hits(full, "label printer jams")[0].node.title == "printer"
    past = _hits(full, "hand orders over", as_of=then, filter=Filter(kinds=("decision",)))
    assert "Hand orders over through a broker" not in {hit.node.title for hit in past}
    assert {hit.node.status for hit in past if hit.node.title.endswith("queue")} == {Status.ACTIVE}


def test_one_document_can_be_taken_back(full: Graph, handbook: Path) -> None:
    """Undoing its batch takes its nodes and relations out, the others stay, and it can be taken in again."""
    before = full.store.counts()
    glossary = _fetched(full, "Glossary")
    terms = {other.title for relation, other in glossary.relations if relation.type == "part_of"}
    assert terms == {"Order", "Picking list", "Backlog"}
    undone = full.curate.undo(glossary.history[-1]["batch"], full.call("undo"))
    assert undone.conflicts == ()
    assert full.store.counts().nodes == before.nodes - 4
    assert not {"Glossary", *terms} & {hit.node.title for hit in _hits(full, "glossary picking list backlog order")}
    told = full.ingest.ingest(IngestRequest(roots=(handbook,)), full.call("ingest"))
    assert (told.documents, told.unchanged, told.nodes_made) == (1, len(HANDBOOK) - 1, 4)
    assert full.store.counts().nodes == before.nodes


def test_the_graph_stands_as_the_documents_say(full: Graph) -> None:
    """Counts by kind and ontology are those of the handbook."""
    standing = full.recall.status(full.call("status"), detail="detailed")
    assert standing.counts["nodes_by_kind"]["decision"] == 3
    assert standing.counts["nodes_by_ontology"]["adr"] == 4, "three decisions, and what one of them claims"
    assert set(standing.counts["nodes_by_origin"]) == {"document"}
    assert standing.hubs
    assert standing.communities
