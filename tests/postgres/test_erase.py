"""Erasing leaves nothing of a secret that can be read through the database; forgetting does, and that is the twin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import psycopg
import pytest

import weft
from postgres.cluster import until
from postgres.leftover import holding
from services.leaking import DOCUMENT, KEY, LEAK, WORD, Desk, leaked
from weft.errors import NotFound, PermissionDenied
from weft.model import Filter, IngestRequest, Tier
from weft.reason.blanking import Blank
from weft.settings import Settings
from weft.store.postgres.opening import open_postgres

if TYPE_CHECKING:
    from collections.abc import Iterator

    from postgres.cluster import Cluster
    from weft.graph import Graph


@pytest.fixture(scope="module")
def filled(cluster: Cluster) -> Iterator[tuple[str, str]]:
    """The name of a database into which a secret leaked, and the id of the node that holds it."""
    name = cluster.create_database()
    leak = leaked(cluster.url(name))
    yield name, leak
    cluster.drop_database(name)


@pytest.fixture
def name(cluster: Cluster, filled: tuple[str, str]) -> Iterator[str]:
    """The name of a copy of that database."""
    name = cluster.create_database(template=filled[0])
    yield name
    cluster.drop_database(name)


@pytest.fixture
def leak(filled: tuple[str, str]) -> str:
    """The id of the node that holds the secret."""
    return filled[1]


def opened(cluster: Cluster, name: str, **changes: str) -> Graph:
    """Open the graph."""
    return weft.open(settings=Settings(graph=cluster.url(name), actor="ann", **changes), create=False)


def kept_dead(url: str) -> int:
    """Return how many dead rows the server keeps because somebody still reads as of before, by its own account."""
    said: list[str] = []
    with psycopg.connect(url, autocommit=True) as owner:
        owner.add_notice_handler(lambda notice: said.append(notice.message_primary or ""))
        owner.execute("VACUUM (VERBOSE) weft.node, weft.change, weft.relation, weft.receipt")
    return sum(int(count) for line in said for count in re.findall(r"(\d+) are dead but not yet removable", line))


def test_forgetting_leaves_the_secret_in_the_tables(cluster: Cluster, name: str, leak: str) -> None:
    """The twin: what undo and «as of» need is what a leak must not keep."""
    with opened(cluster, name) as graph:
        Desk(graph, graph.settings).ask("forget", id=leak, confirm=True)
    assert {"weft.change", "weft.node"} <= set(holding(cluster, name, KEY))


def test_nothing_of_an_erased_secret_is_left_in_any_table(cluster: Cluster, name: str, leak: str) -> None:
    """Node, log, relations, evidence, suggestions, receipts, words, memory of use, and the planner's samples of all."""
    cluster.rows("ANALYZE", database=name)
    before = set(holding(cluster, name, KEY))
    assert {"weft.change", "weft.receipt", "weft.relation", "weft_use.note", "pg_catalog.pg_statistic"} <= before, (
        before
    )
    with opened(cluster, name) as graph:
        done = graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key")
        assert done.finished
        assert {"change", "receipt", "passage"} <= set(done.blanked)
        assert done.others == ()
        until(lambda: [each.tool for each in graph.usage.audits(limit=1)] == ["erase"], what="the record of it")
    assert holding(cluster, name, KEY, LEAK, "9f8e7d6c5b4a") == []


def test_what_is_left_is_sound_and_says_who_when_and_why(cluster: Cluster, name: str, leak: str) -> None:
    """The log goes on without a gap, every hash is right, and the erasing is the last line on the node."""
    with opened(cluster, name) as graph:
        done = graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key")
        last = graph.log.history(leak, limit=1)[0]
        assert (last.actor, last.tool, last.batch) == ("ann", "erase", done.batch)
        node = graph.store.nodes((leak,))[leak]
        assert node.retired is not None
        assert (node.title, node.content, node.retired.why) == ("[erased]", "[erased]", "a leaked key")
        assert graph.keeping.doctor(graph.call("doctor")).findings == ()
        desk = Desk(graph, graph.settings)
        assert desk.erase(leak).finished  # again: nothing is left to do, and nothing breaks
        assert "invoices on the first" in desk.ask("search", query="billing service invoices")["hits"][0]["snippet"]
        with pytest.raises(NotFound, match="gone"):
            desk.ask("capture", content=LEAK, tags=["keys"], references=[f"conf/{KEY}.env"], idempotency_key="k")


def test_a_secret_in_a_document_is_masked_wherever_it_stands(cluster: Cluster, name: str, leak: str) -> None:
    """In the source, in what quotes it, and in other nodes, which are embedded anew."""
    with opened(cluster, name) as graph:
        desk = Desk(graph, graph.settings)
        graph.ingest.ingest(IngestRequest(text=DOCUMENT, document="operations.md"), graph.call("ingest"))
        copied = desk.ask("capture", content=f"Bob wrote {KEY} on the whiteboard beside the coffee machine.")
        before = graph.vectors.of((copied["id"],))[copied["id"]][0]
        done = desk.erase(leak, KEY, WORD)
        assert copied["id"] in done.others
        after = graph.vectors.of((copied["id"],))[copied["id"]][0]
        assert 0.5 < float(before @ after) < 0.999
        source = graph.store.source_of("operations.md", graph.name)
        assert source is not None
        assert "We decided to deploy on Mondays." in source.text
        assert graph.words.search(KEY, filter=Filter(), limit=5) == ()
        assert graph.keeping.doctor(graph.call("doctor")).findings == ()
    assert holding(cluster, name, KEY, WORD) == []


def test_only_a_curator_that_owns_the_graph_erases(cluster: Cluster, name: str, leak: str) -> None:
    """By the verb, and by the room, whatever asks it."""
    with opened(cluster, name, role="librarian") as graph, pytest.raises(PermissionDenied, match="curator"):
        graph.keeping.erase(leak, graph.call("erase"), reason="x")
    held = open_postgres(cluster.url(name), tier=Tier.LIBRARIAN, model="", dimension=0, create=False)
    with pytest.raises(PermissionDenied, match="curator"):
        held.eraser.erase(Blank(id=leak, whole=()), b"")
    held.close()
    assert "weft.node" in holding(cluster, name, KEY)


def test_while_somebody_reads_as_of_before_dead_rows_stay_and_a_second_call_finishes(
    cluster: Cluster, name: str, leak: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer says so, and nothing waits for ever; the server's own account of its dead rows is the same."""
    monkeypatch.setattr("weft.store.postgres.sweeping.FOLD_S", 0.2)
    with opened(cluster, name) as graph:
        with psycopg.connect(cluster.url(name)) as reading:
            reading.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            assert reading.execute("SELECT count(*) > 0 FROM weft.node").fetchone() == (True,)
            assert not graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key").finished
            seen = reading.execute("SELECT count(*) > 0 FROM weft.change WHERE strpos(after, %s) > 0", (KEY,))
            assert seen.fetchone() == (True,)
            assert kept_dead(cluster.url(name)) > 0
        assert graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key").finished
    assert kept_dead(cluster.url(name)) == 0
