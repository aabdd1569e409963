"""A reader that follows the log by position misses nothing, for positions are in the order of the commits."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import TYPE_CHECKING

import psycopg

from postgres.cluster import until
from weft.model import Tier
from weft.store.postgres.opening import open_postgres
from weft.testing.making import a_batch, a_node, saved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from postgres.cluster import Cluster
    from weft.ports import Log
    from weft.store.postgres.opening import OpenedServer

WRITERS = 8
EACH = 12


class Follower:
    """A reader that asks, again and again, for what came after the last position that it saw."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.seen: list[int] = []

    def look(self) -> None:
        """Ask once."""
        self.seen += [change.seq for change in self._log.since(max(self.seen, default=0), limit=1000)]


def opened(url: str) -> OpenedServer:
    """Open the graph as another process would."""
    return open_postgres(url, tier=Tier.CURATOR, model="", dimension=0, create=False)


def test_a_follower_of_positions_that_are_taken_without_a_turn_misses_one(database_url: str) -> None:
    """The twin, on a table of its own: who took the earlier position commits later, and is never asked for again."""
    with psycopg.connect(database_url, autocommit=True) as reader:
        reader.execute("CREATE TABLE plain_log (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)")
        with psycopg.connect(database_url) as slow, psycopg.connect(database_url) as fast:
            slow.execute("INSERT INTO plain_log DEFAULT VALUES")
            fast.execute("INSERT INTO plain_log DEFAULT VALUES")
            fast.commit()
            seen = [seq for (seq,) in reader.execute("SELECT seq FROM plain_log WHERE seq > 0 ORDER BY seq")]
            slow.commit()
            seen += [seq for (seq,) in reader.execute("SELECT seq FROM plain_log WHERE seq > %s", (max(seen),))]
        assert seen == [2]
        assert reader.execute("SELECT seq FROM plain_log ORDER BY seq").fetchall() == [(1,), (2,)]


def test_a_writer_that_came_later_waits_for_the_one_that_is_slow_to_commit(letters_url: str, cluster: Cluster) -> None:
    """The same two, with the product's writers: the later one takes its position after the earlier one's commit."""
    slow, fast, reading = (opened(letters_url) for _ in range(3))
    follower = Follower(reading.log)
    begun, go_on = Event(), Event()

    def write_slowly() -> None:
        with slow.database.writer(Tier.CONTRIBUTOR) as writer:
            writer.run("change_insert", seq=1, **LINE)
            begun.set()
            assert go_on.wait(30)

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(write_slowly)
        assert begun.wait(30)
        second = threads.submit(fast.store.commit, a_batch(saved(a_node("fast"))))
        waits = (
            "SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = %s AND NOT granted"
        )
        until(lambda: cluster.rows(waits, letters_url.rpartition("/")[2]), what="the later writer's wait")
        follower.look()
        assert (follower.seen, second.done()) == ([], False)
        go_on.set()
        first.result(30)
        assert second.result(30).seq_first == 2
    follower.look()
    assert follower.seen == [1, 2]
    for each in (slow, fast, reading):
        each.close()


def test_a_follower_of_many_writers_sees_every_position_once_and_in_order(letters_url: str) -> None:
    """Two server processes' worth of writers, whom several connections stand for, while the log is followed."""
    graphs = [opened(letters_url) for _ in range(2)]
    follower = Follower(graphs[0].log)
    ready = Barrier(WRITERS)

    def write(number: int) -> None:
        ready.wait(30)
        for each in range(EACH):
            graphs[number % 2].store.commit(
                a_batch(*(saved(node) for node in some(f"{number} {each}", number % 3 + 1)))
            )

    with ThreadPoolExecutor(WRITERS) as threads:
        writing = [threads.submit(write, number) for number in range(WRITERS)]
        while not all(each.done() for each in writing):
            follower.look()
        for each in writing:
            each.result()
    follower.look()
    assert follower.seen == list(range(1, EACH * sum(number % 3 + 1 for number in range(WRITERS)) + 1))
    for graph in graphs:
        graph.close()


def some(title: str, count: int) -> Iterator[object]:
    """Yield ``count`` new nodes."""
    return (a_node(f"{title} {number}") for number in range(count))


LINE = {
    **dict.fromkeys(("at", "actor", "client", "tool", "session", "batch", "subject", "subject_id", "action"), "x"),
    "at": "2026-01-01T00:00:00.000000+00:00",
    "subject": "node",
    "action": "create",
    "before": None,
    "after": "{}",
}
