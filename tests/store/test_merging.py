"""Full text lies in few pieces where nobody writes, and everything is found in it all the same."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest

from postgres.cluster import until
from weft.model import Filter, Tier
from weft.store.merging import Merging
from weft.store.opening import open_sqlite
from weft.testing.making import DIMENSION, a_batch, a_node, saved

if TYPE_CHECKING:
    from pathlib import Path

    from weft.store.opening import OpenedFile

WRITES = 40


def at(path: Path, *, tier: Tier = Tier.CURATOR) -> OpenedFile:
    """Open the graph at ``path``."""
    return open_sqlite(path, tier=tier, model="letters", dimension=DIMENSION, create=True)


def write(graph: OpenedFile, *, first: int = 0) -> None:
    """Write texts one by one, as agents do."""
    for number in range(first, first + WRITES):
        graph.store.commit(a_batch(saved(a_node(f"Crate {number} holds salt"))))


def pieces(path: Path) -> int:
    """Return how many pieces the full text lies in."""
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as raw:
        return int(raw.execute("SELECT count(DISTINCT segid) FROM words_idx").get)


def found(graph: OpenedFile, query: str) -> int:
    """Return how many texts hold words of ``query``."""
    return len(graph.words.search(query, filter=Filter(), limit=2 * WRITES))


def test_pieces_are_merged_when_nobody_writes(tmp_path: Path) -> None:
    """Before, every few commits have left one behind; after, all is found as before."""
    with closing(at(tmp_path / "g.db")) as graph:
        write(graph)
        before = pieces(tmp_path / "g.db")
        graph.tend()
        until(lambda: pieces(tmp_path / "g.db") <= 3, what="pieces to be merged")
        assert before > 3
        assert found(graph, "crate") == found(graph, "salt") == WRITES
        assert found(graph, "17") == 1


def test_pieces_that_nobody_merges_stay(tmp_path: Path) -> None:
    """The twin: closing alone merges nothing."""
    with closing(at(tmp_path / "g.db")) as graph:
        write(graph)
    assert pieces(tmp_path / "g.db") > 3


def test_merging_goes_on_after_later_writes(tmp_path: Path) -> None:
    """It is not done once."""
    with closing(at(tmp_path / "g.db")) as graph:
        graph.tend()
        for first in (0, WRITES):
            write(graph, first=first)
            until(lambda: pieces(tmp_path / "g.db") <= 3, what="pieces to be merged")
        assert found(graph, "crate") == 2 * WRITES


def test_a_process_that_writes_and_ends_merges_at_its_end(tmp_path: Path) -> None:
    """However short it lives: closing does not wait for quiet."""
    with closing(at(tmp_path / "g.db")) as graph:
        graph.tend()
        write(graph)
    assert pieces(tmp_path / "g.db") <= 3


def test_a_process_that_wrote_nothing_merges_nothing(tmp_path: Path) -> None:
    """Whoever only reads leaves the file as it is."""
    with closing(at(tmp_path / "g.db")) as graph:
        write(graph)
    before = (tmp_path / "g.db").read_bytes()
    for tier in (Tier.CURATOR, Tier.READER):
        with closing(at(tmp_path / "g.db", tier=tier)) as graph:
            graph.tend()
            assert found(graph, "crate") == WRITES
    assert (tmp_path / "g.db").read_bytes() == before


@pytest.mark.parametrize("tier", [Tier.CONTRIBUTOR, Tier.LIBRARIAN])
def test_every_tier_that_writes_may_merge(tmp_path: Path, tier: Tier) -> None:
    """The engine guards what each tier may do to full text; merging takes no more than writing does."""
    at(tmp_path / "g.db").close()
    with closing(at(tmp_path / "g.db", tier=tier)) as graph:
        graph.tend()
        write(graph)
    assert pieces(tmp_path / "g.db") <= 3


def test_a_graph_that_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    """What merging meets is nobody's error: this one is closed already."""
    graph = at(tmp_path / "g.db")
    write(graph)
    graph.close()
    assert graph.commits.written.is_set()
    Merging(graph.database, graph.commits.written, quiet_s=0.0).close()
    assert pieces(tmp_path / "g.db") > 3


def test_closing_does_not_wait_for_whoever_writes(tmp_path: Path) -> None:
    """Another process may write for a long time; what it leaves in pieces is merged another day."""
    path = tmp_path / "g.db"
    with closing(at(path)) as other:
        graph = at(path)
        graph.tend()
        write(graph)
        with other.database.writer(Tier.CONTRIBUTOR):
            started = time.monotonic()
            graph.close()
            assert time.monotonic() - started < 5.0
    assert pieces(path) > 3
