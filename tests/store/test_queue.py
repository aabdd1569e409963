"""Writers wait for each other, and not for ever."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import apsw
import pytest

from store.captures import opened
from weft.errors import StaleRead, Unavailable
from weft.model import Tier
from weft.store.turn import Turn
from weft.testing.making import a_batch, a_node, changed, saved

if TYPE_CHECKING:
    from pathlib import Path


def test_one_at_a_time_and_the_lock_goes_on_when_the_holder_is_done(tmp_path: Path) -> None:
    """Two descriptors stand for two processes."""
    mine, yours = Turn(tmp_path / "a.db.lock"), Turn(tmp_path / "a.db.lock")
    with mine.taken(1), pytest.raises(Unavailable, match=r"a\.db for more than 0\.05 s"), yours.taken(0.05):
        pytest.fail("both held it")
    with yours.taken(1):
        pass
    mine.close()
    yours.close()


def test_threads_of_one_process_wait_too(tmp_path: Path) -> None:
    """One lock, one holder."""
    turn = Turn(tmp_path / "a.db.lock")
    with turn.taken(1):
        refused: list[Unavailable] = []

        def late() -> None:
            try:
                turn.taken(0.05).__enter__()
            except Unavailable as error:
                refused.append(error)

        thread = threading.Thread(target=late)
        thread.start()
        thread.join(30)
    assert len(refused) == 1
    turn.close()
    with pytest.raises(Unavailable, match="closed"), turn.taken(1):
        pytest.fail("a closed lock was taken")


def test_a_lock_file_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    """A missing folder stands for every such failure."""
    with pytest.raises(Unavailable, match=r"lock file .* cannot be used"), Turn(tmp_path / "none" / "a.lock").taken(1):
        pytest.fail("it was taken")


def test_an_error_inside_gives_the_turn_back(tmp_path: Path) -> None:
    """Whoever raises is done."""
    turn = Turn(tmp_path / "a.db.lock")
    with pytest.raises(StaleRead), turn.taken(1):
        raise StaleRead("moved")
    with turn.taken(1):
        pass
    turn.close()


def test_a_writer_that_does_not_queue_is_waited_for(tmp_path: Path) -> None:
    """Behind the lock file stands the engine's own waiting: a stranger who holds its lock delays, and fails nobody."""
    path = tmp_path / "graph.db"
    graph = opened(path)
    stranger = apsw.Connection(str(path))
    stranger.execute("BEGIN IMMEDIATE")
    letting_go = threading.Timer(0.2, lambda: stranger.execute("ROLLBACK"))
    letting_go.start()
    graph.store.commit(a_batch(saved(a_node())))
    letting_go.join(30)
    stranger.close()
    assert graph.store.counts().nodes == 1
    graph.close()


def test_readers_read_while_a_writer_writes_and_see_none_of_it_before_the_end(tmp_path: Path) -> None:
    """In the same process and in the same moment."""
    graph = opened(tmp_path / "graph.db")
    graph.store.commit(a_batch(saved(a_node())))
    with graph.database.writer(Tier.CURATOR) as writer:
        writer.execute("UPDATE node SET title = 'changed', version = 2")
        assert [node.title for node in graph.store.resolve("Water boils at 100 °C", limit=2)] == [
            "Water boils at 100 °C"
        ]
    assert graph.store.resolve("changed", limit=2) == ()  # its names were not changed with it
    assert graph.database.read("node_by_id", id="none") == []
    graph.close()


def test_a_snapshot_sees_one_moment(tmp_path: Path) -> None:
    """What is committed meanwhile shows outside it, and in the next one."""
    graph = opened(tmp_path / "graph.db")
    with graph.database.snapshot() as before:
        assert before.read("change_head") == []
        graph.store.commit(a_batch(saved(a_node())))
        assert before.read("change_head") == []
        assert graph.log.head() == 1
    with graph.database.snapshot() as after:
        assert after.read("change_head")[0][0] == 1
    graph.close()


def test_a_batch_that_fails_half_way_is_undone_and_the_next_goes_through(tmp_path: Path) -> None:
    """The connection is none the worse for it."""
    graph = opened(tmp_path / "graph.db")
    node = a_node()
    for _ in range(3):
        with pytest.raises(StaleRead):
            graph.store.commit(a_batch(saved(node), saved(changed(changed(node)))))
    graph.store.commit(a_batch(saved(node)))
    assert graph.store.counts().nodes == 1
    graph.close()


def test_a_forked_child_must_open_the_graph_anew(tmp_path: Path) -> None:
    """It would share the parent's locks: it is told so before it can do harm."""
    graph = opened(tmp_path / "graph.db")
    graph.store.commit(a_batch(saved(a_node())))
    graph.database._process = os.getpid() + 1  # noqa: SLF001 - what a child finds, without forking the tests' process
    for use in (graph.store.counts, lambda: graph.store.commit(a_batch(saved(a_node("Ice melts"))))):
        with pytest.raises(Unavailable, match="forked"):
            use()
    graph.close()
