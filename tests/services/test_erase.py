"""Erasing leaves no byte of a secret in any file of the graph; forgetting does, and that is the twin.

Where graphs lie in a server, no table of one: ``tests/postgres/test_erase.py`` looks further.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

import weft
from engine import graph_at, server
from services.leaking import DOCUMENT, KEY, LEAK, WORD, Desk, leaked
from store.soundness import faults
from weft.errors import Conflict, InvalidArgument, NotFound, PermissionDenied
from weft.model import BatchState, Filter, IngestRequest, LogRequest, Tier
from weft.reason.blanking import Blank
from weft.settings import Settings
from weft.store import open_sqlite

if TYPE_CHECKING:
    from pathlib import Path

    from weft.graph import Graph


def holding(folder: Path, *needles: str) -> list[str]:
    """Return the files below ``folder`` that hold one of ``needles`` as bytes, in whatever form text is kept here.

    In a server: the tables.
    """
    forms = {form for needle in needles for form in (needle.encode(), json.dumps(needle)[1:-1].encode())}
    forms |= {form.lower() for form in forms}
    files = (path for path in folder.rglob("*") if path.is_file())
    found = [path.name for path in files if any(form in path.read_bytes().lower() for form in forms)]
    return sorted(found + [table for each in server for table in each.holding(folder, *needles)])


@pytest.fixture
def leak(tmp_path: Path) -> str:
    """The id of the node with the secret; the graph lies in ``tmp_path``."""
    return leaked(graph_at(tmp_path / "graph.db"))


def opened(path: Path, **changes: str) -> Graph:
    """Open the graph."""
    return weft.open(settings=Settings(graph=graph_at(path), actor="ann", **changes), create=False)


def test_forgetting_leaves_the_secret(tmp_path: Path, leak: str) -> None:
    """The twin: what undo and «as of» need is what a leak must not keep."""
    settings = Settings(graph=graph_at(tmp_path / "graph.db"), actor="ann")
    with weft.open(settings=settings) as graph:
        Desk(graph, settings).ask("forget", id=leak, confirm=True)
    assert {"graph.db", "weft.node"} & set(holding(tmp_path, KEY))


@pytest.mark.files_only("tests/postgres/test_erase.py")
def test_no_byte_of_an_erased_secret_is_left_in_any_file(tmp_path: Path, leak: str) -> None:
    """Node, log, relations, evidence, suggestions, receipts, words, index, memory of use, and freed pages."""
    assert {"graph.db", "graph.usage.db"} <= set(holding(tmp_path, KEY))
    with opened(tmp_path / "graph.db") as graph:
        done = graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key")
        assert done.finished
        assert holding(tmp_path, KEY, LEAK) == []  # while the graph is open, in its log of writes too
        assert {"change", "receipt", "passage"} <= set(done.blanked)
        assert done.others == ()
    assert holding(tmp_path, KEY, LEAK, "9f8e7d6c5b4a") == []
    assert not list((tmp_path / "graph.index").glob("vectors*.usearch"))


@pytest.mark.files_only("tests/postgres/test_erase.py")
def test_what_is_left_is_sound_and_says_who_when_and_why(tmp_path: Path, leak: str) -> None:
    """The log goes on without a gap, every hash is right, and the erasing is the last line on the node."""
    with opened(tmp_path / "graph.db") as graph:
        done = graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key")
        last = graph.log.history(leak, limit=1)[0]
        assert (last.actor, last.tool, last.batch) == ("ann", "erase", done.batch)
        node = graph.store.nodes((leak,))[leak]
        assert node.retired is not None
        assert (node.title, node.content, node.retired.why) == ("[erased]", "[erased]", "a leaked key")
        assert graph.usage.audits(limit=1)[0].tool == "erase"
        assert graph.keeping.doctor(graph.call("doctor")).findings == ()
    assert faults(tmp_path / "graph.db") == []


def test_what_is_not_the_secret_stays(tmp_path: Path, leak: str) -> None:
    """Other nodes keep their text, are found, and can be written to; undo of what came before brings no secret back."""
    settings = Settings(graph=graph_at(tmp_path / "graph.db"), actor="ann")
    with weft.open(settings=settings) as graph:
        desk = Desk(graph, settings)
        batches = {change.batch for change in graph.log.history(leak, limit=100)}
        desk.erase(leak)
        assert "invoices on the first" in desk.ask("search", query="billing service invoices")["hits"][0]["snippet"]
        assert desk.ask("capture", content="Keys are rotated every spring.")["id"]
        for batch in sorted(batches, reverse=True):
            with suppress(Conflict):
                graph.curate.undo(batch, graph.call("undo"))
    assert holding(tmp_path, KEY) == []


def test_an_erasing_is_not_taken_back(tmp_path: Path, leak: str) -> None:
    """An undo would bring back a node that says nothing; the log tells so before."""
    settings = Settings(graph=graph_at(tmp_path / "graph.db"), actor="ann")
    with weft.open(settings=settings) as graph:
        done = graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key")
        (told,) = graph.recall.log(LogRequest(limit=1), graph.call("log")).entries
        assert (told.batch.batch, told.state) == (done.batch, BatchState.NOTHING)
        with pytest.raises(Conflict, match="it was erased"):
            graph.curate.undo(done.batch, graph.call("undo"))
        assert graph.store.nodes((leak,))[leak].retired is not None


def test_a_secret_in_a_document_is_masked_in_its_text_and_in_whatever_quotes_it(tmp_path: Path) -> None:
    """The source keeps its length, so that every other quote is still where it was."""
    path = tmp_path / "graph.db"
    with weft.open(settings=Settings(graph=graph_at(path), actor="ann")) as graph:
        graph.ingest.ingest(IngestRequest(text=DOCUMENT, document="operations.md"), graph.call("ingest"))
        found = graph.words.search(KEY, filter=Filter(), limit=10)
        assert found
        graph.keeping.erase(found[0].node, graph.call("erase"), reason="a leaked key", texts=(KEY, WORD))
        source = graph.store.source_of("operations.md", graph.name)
        assert source is not None
        assert len(source.text) == len(DOCUMENT.strip("\n")) or len(source.text) == len(DOCUMENT)
        assert "We decided to deploy on Mondays." in source.text
        node = graph.store.nodes((found[0].node,))[found[0].node]
        assert node.retired is None
        assert f"billing service is {'█' * len(KEY)}, rotate" in node.content
        assert graph.log.history(node.id, limit=1)[0].session == "erase: a leaked key"
        assert graph.keeping.doctor(graph.call("doctor")).findings == ()
    assert holding(tmp_path, KEY, WORD) == []
    assert server or faults(path) == []


def test_a_document_is_erased_as_a_whole_where_no_text_is_named(tmp_path: Path) -> None:
    """Its source is masked and what quotes it too; a node that says a part of it by itself stays."""
    path = tmp_path / "graph.db"
    with weft.open(settings=Settings(graph=graph_at(path), actor="ann")) as graph:
        graph.ingest.ingest(IngestRequest(text=DOCUMENT, document="operations.md"), graph.call("ingest"))
        found = graph.words.search(KEY, filter=Filter(), limit=10)
        graph.keeping.erase(found[0].node, graph.call("erase"), reason="a leaked key")
        (left,) = graph.words.search("deploy Mondays", filter=Filter(), limit=10)
        assert graph.store.nodes((left.node,))[left.node].content == "We decided to deploy on Mondays."
        assert graph.keeping.doctor(graph.call("doctor")).findings == ()
    assert holding(tmp_path, KEY, WORD) == []
    assert server or faults(path) == []


def test_a_document_that_does_not_hold_the_secret_is_known_again_afterwards(tmp_path: Path) -> None:
    """It is not counted among what was blanked, and taken in once more it is unchanged: no quote stands there twice."""
    text = "# Brewing\n\nWe decided to brew at 94 degrees;  the alternative was 90.\n"
    request = IngestRequest(text=text, document="brewing.md")
    with weft.open(settings=Settings(graph=graph_at(tmp_path / "graph.db"), actor="ann")) as graph:
        graph.ingest.ingest(request, graph.call("ingest"))
        graph.ingest.ingest(IngestRequest(text=DOCUMENT, document="operations.md"), graph.call("ingest"))
        leaked_by = graph.words.search(KEY, filter=Filter(), limit=1)[0].node
        done = graph.keeping.erase(leaked_by, graph.call("erase"), reason="a leaked key", texts=(KEY,))
        assert done.blanked["source"] == 1
        again = graph.ingest.ingest(request, graph.call("ingest"))
        assert (again.unchanged, again.evidence) == (1, 0)


def passages_of(graph: Graph, *nodes: str) -> list[int]:
    """Return what the store knows the passages of nodes of one passage by."""
    vectors = graph.vectors.of(nodes)
    near = (graph.vectors.nearest(vectors[node][0], filter=Filter(within=(node,)), limit=1) for node in nodes)
    return [each.passage for (each,) in near]


def test_a_named_text_is_masked_in_other_nodes_and_they_are_embedded_anew(tmp_path: Path, leak: str) -> None:
    """Only the text itself; the rest of the node stands, and is found by meaning."""
    settings = Settings(graph=graph_at(tmp_path / "graph.db"), actor="ann")
    with weft.open(settings=settings) as graph:
        desk = Desk(graph, settings)
        copied = desk.ask("capture", content=f"Bob wrote {KEY} on the whiteboard beside the coffee machine.")
        before = graph.vectors.of((copied["id"],))[copied["id"]][0]
        rows = passages_of(graph, leak, copied["id"])
        said = graph.vectors.words(rows, width=graph.embedder.word_width)
        done = desk.erase(leak, KEY)
        assert copied["id"] in done.others
        node = graph.store.nodes((copied["id"],))[copied["id"]]
        assert node.content == f"Bob wrote {'█' * len(KEY)} on the whiteboard beside the coffee machine."
        after = graph.vectors.of((copied["id"],))[copied["id"]][0]
        assert 0.5 < float(before @ after) < 0.999
        kept = graph.vectors.words(rows, width=graph.embedder.word_width)
        (anew,) = graph.embedder.embed_words([node.content])
        assert (kept[rows[1]] == anew.word_vectors).all()
        assert all(len(kept[row]) < len(said[row]) for row in rows), "the past of a text keeps no word of it either"
        assert graph.keeping.doctor(graph.call("doctor")).findings == ()
    assert holding(tmp_path, KEY) == []


def test_a_node_that_was_forgotten_before_is_erased_by_its_id(tmp_path: Path, leak: str) -> None:
    """Which is how most leaks are met: forgotten first, and then somebody thinks of the log."""
    settings = Settings(graph=graph_at(tmp_path / "graph.db"), actor="ann")
    with weft.open(settings=settings) as graph:
        desk = Desk(graph, settings)
        desk.ask("forget", id=leak, confirm=True)
        assert desk.erase(leak).finished
        assert desk.erase(leak).finished  # again: nothing is left to do, and nothing breaks
        assert graph.keeping.doctor(graph.call("doctor")).findings == ()
    assert holding(tmp_path, KEY) == []


@pytest.mark.files_only("tests/postgres/test_erase.py")
def test_the_engine_erases_for_a_curator_only(tmp_path: Path, leak: str) -> None:
    """Whatever asks it."""
    held = open_sqlite(tmp_path / "graph.db", tier=Tier.LIBRARIAN, model="", dimension=0, create=False)
    with pytest.raises(PermissionDenied, match="curator"):
        held.eraser.erase(Blank(id=leak, whole=()), b"")
    held.close()
    assert "graph.db" in holding(tmp_path, KEY)


def test_only_a_curator_erases_and_only_with_a_reason(tmp_path: Path, leak: str) -> None:
    """Nothing of what is refused was done."""
    path = tmp_path / "graph.db"
    with opened(path, role="librarian") as graph, pytest.raises(PermissionDenied, match="curator"):
        graph.keeping.erase(leak, graph.call("erase"), reason="x")
    with opened(path) as graph:
        with pytest.raises(InvalidArgument, match="reason"):
            graph.keeping.erase(leak, graph.call("erase"), reason=" ")
        with pytest.raises(InvalidArgument, match="fewer"):
            graph.keeping.erase(leak, graph.call("erase"), reason="x", texts=("abc",))
        with pytest.raises(NotFound):
            graph.keeping.erase("no such node", graph.call("erase"), reason="x")
    assert {"graph.db", "weft.node"} & set(holding(tmp_path, KEY))


def test_a_call_with_the_receipt_of_an_erased_node_says_that_it_is_gone(tmp_path: Path, leak: str) -> None:
    """The remembered answer held the secret too."""
    settings = Settings(graph=graph_at(tmp_path / "graph.db"), actor="ann")
    with weft.open(settings=settings) as graph:
        desk = Desk(graph, settings)
        desk.erase(leak)
        with pytest.raises(NotFound, match="gone"):
            desk.ask("capture", content=LEAK, tags=["keys"], references=[f"conf/{KEY}.env"], idempotency_key="k")


@pytest.mark.files_only("tests/postgres/test_erase.py")
def test_while_somebody_reads_the_old_pages_stay_and_a_second_call_finishes(
    tmp_path: Path, leak: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer says so; nothing waits for ever."""
    monkeypatch.setattr("weft.store.erasing.FOLD_S", 0.2)
    with opened(tmp_path / "graph.db") as graph, opened(tmp_path / "graph.db") as reading:
        with reading.archive.moment() as moment:
            moment.nodes((leak,))
            assert not graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key").finished
        assert graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key").finished
    assert holding(tmp_path, KEY) == []
