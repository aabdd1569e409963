"""Reads asked of a standby: never older than allowed, always what this process wrote, and no worse without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from postgres.cluster import Cluster, until
from weft.model import Tier
from weft.store.postgres.address import address_of
from weft.store.postgres.opening import open_postgres
from weft.store.postgres.standbys import MARK_S, STALE_S, Standbys
from weft.testing.making import DIMENSION, a_batch, a_node, saved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.store.postgres.opening import OpenedServer


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


class Behind:
    """A standby that has repeated so much of the log."""

    def __init__(self, position: int) -> None:
        self.position = position

    def execute(self, _sql: str) -> list[tuple[int]]:
        """Return how far it has come."""
        return [(self.position,)]


def test_a_standby_that_lacks_what_was_written_here_is_not_read() -> None:
    """Read your own writes."""
    standbys = Standbys(lambda _sql: 500)
    standbys.wrote()
    assert not standbys.admits("one", Behind(499))  # type: ignore[arg-type]
    assert standbys.admits("two", Behind(500))  # type: ignore[arg-type]


def test_a_standby_may_be_a_little_behind_others_writes_and_no_more() -> None:
    """What the primary had written some seconds ago must be there."""
    clock, written = Clock(), [100]
    standbys = Standbys(lambda _sql: written[0], clock=clock)
    assert standbys.admits("one", Behind(100))  # type: ignore[arg-type]
    written[0] = 200
    for _ in range(int(STALE_S / MARK_S)):
        clock.now += MARK_S
        assert standbys.admits("one", Behind(100))  # type: ignore[arg-type]
    clock.now += 2 * MARK_S
    assert not standbys.admits("one", Behind(100))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "plain", "asked"),
    [
        ("postgresql://a/b", "postgresql://a/b", False),
        ("postgresql://a/b?weft_reads=standby", "postgresql://a/b", True),
        ("postgresql://a/b?sslmode=require&weft_reads=standby", "postgresql://a/b?sslmode=require", True),
        ("postgresql://a,c/b?target_session_attrs=any&sslmode=require", "postgresql://a,c/b?sslmode=require", False),
    ],
)
def test_the_url_says_whether_standbys_are_read(url: str, plain: str, asked: bool) -> None:  # noqa: FBT001
    """The driver knows nothing of that word."""
    assert address_of(url)[:2] == (plain, asked)


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Cluster, Cluster]]:
    """A primary and a standby that it does not wait for."""
    with Cluster() as primary:
        yield primary, primary.standby(synchronous=False)


@pytest.fixture
def team(pair: tuple[Cluster, Cluster]) -> Iterator[OpenedServer]:
    """A graph whose reads may be asked of the standby."""
    primary, standby = pair
    name = primary.create_database()
    url = primary.url(name, standby=standby)
    mark = "&" if "?" in url else "?"
    opened = open_postgres(
        f"{url}{mark}weft_reads=standby", tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True
    )
    yield opened
    opened.close()


def _is_standby(team: OpenedServer) -> bool:
    with team.database.snapshot() as reader:
        return bool(reader.execute("SELECT pg_is_in_recovery()")[0][0])  # type: ignore[attr-defined]


def test_reads_go_to_the_standby_once_it_has_come_far_enough(team: OpenedServer) -> None:
    """That is what it is there for."""
    node = a_node()
    team.store.commit(a_batch(saved(node)))
    assert team.store.nodes([node.id]) == {node.id: node}
    until(lambda: _is_standby(team), what="a read on the standby")
    assert team.store.nodes([node.id]) == {node.id: node}


def test_what_was_written_is_read_at_once_while_the_standby_stands_still(
    team: OpenedServer, pair: tuple[Cluster, Cluster]
) -> None:
    """The primary answers until the standby has caught up."""
    _, standby = pair
    until(lambda: _is_standby(team), what="a read on the standby")
    standby.rows("SELECT pg_wal_replay_pause()")
    try:
        node = a_node("Water boils")
        team.store.commit(a_batch(saved(node)))
        assert team.store.nodes([node.id]) == {node.id: node}
        assert not _is_standby(team)
    finally:
        standby.rows("SELECT pg_wal_replay_resume()")
    until(lambda: _is_standby(team), what="a read on the standby again")
