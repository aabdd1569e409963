"""Changes by one process are told to another at once, over a connection that listens; without it, a moment later."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

import anyio
import pytest

import weft
from postgres.cluster import until
from weft.errors import WeftError
from weft.faces.feed import Feed
from weft.faces.serving import Serving
from weft.model import CaptureRequest, Tier
from weft.settings import Settings
from weft.store.postgres.notices import CHANNEL, PostgresNotices
from weft.store.postgres.opening import open_postgres
from weft.testing.making import a_batch, a_node, saved
from weft.tools.offer import Offer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from postgres.cluster import Cluster
    from weft.model import Change
    from weft.store.postgres.opening import OpenedServer

Rounds: TypeAlias = "list[tuple[Change, ...]]"

WAIT_S = 20
NEVER_S = 3600
"""A pause that no test outlasts: what is told within it was told by a notice."""


@pytest.fixture
def team(letters_url: str) -> Iterator[OpenedServer]:
    """A graph that is written to."""
    opened = opened_at(letters_url)
    yield opened
    opened.close()


@pytest.fixture
def heard() -> list[int]:
    """Positions that were told."""
    return []


def opened_at(url: str) -> OpenedServer:
    """Open the graph."""
    return open_postgres(url, tier=Tier.CURATOR, model="", dimension=0, create=False)


@contextmanager
def listening(url: str, heard: list[int]) -> Iterator[PostgresNotices]:
    """Listen as another process would, from when its connection stands."""
    notices = PostgresNotices(url)
    end = notices.listen(heard.append)
    until(lambda: heard, what="the connection that listens")
    heard.clear()
    yield notices
    end()
    notices.close()
    assert not notices.live()


def kill_listeners(cluster: Cluster, url: str) -> int:
    """End the backends of the database that listen, and return how many there were."""
    name = url.rpartition("/")[2]
    killed = cluster.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND query ILIKE %s",
        name,
        f"LISTEN {CHANNEL}%",
    )
    return len(killed)


def test_a_commit_is_told_once_with_how_far_the_log_has_come(
    team: OpenedServer, letters_url: str, heard: list[int]
) -> None:
    """However many lines it has; what writes no line is not told, and neither is what was undone."""
    with listening(letters_url, heard) as notices:
        assert notices.live()
        team.store.commit(a_batch(*(saved(a_node(title)) for title in ("one", "two", "three"))))
        until(lambda: heard, what="a notice")
        team.config.save("link_floor", "0.5", tier=Tier.CURATOR)
        with pytest.raises(WeftError):
            team.store.commit(a_batch(saved(a_node("gone")), saved(gone := a_node("twice")), saved(gone)))
        team.store.commit(a_batch(saved(a_node("four"))))
        until(lambda: len(heard) > 1, what="another notice")
    assert heard == [3, 4]


def test_listeners_are_told_to_look_after_a_connection_was_lost(
    team: OpenedServer, cluster: Cluster, letters_url: str, heard: list[int]
) -> None:
    """What was committed meanwhile was told to nobody; the log has it."""
    with listening(letters_url, heard):
        assert kill_listeners(cluster, letters_url) == 1
        team.store.commit(a_batch(saved(a_node("one"))))
        until(lambda: heard, what="a new connection")
        heard.clear()
        team.store.commit(a_batch(saved(a_node("two"))))
        until(lambda: 2 in heard, what="a notice over the new connection")


def test_nobody_listens_where_nobody_wants_to_know(letters_url: str, cluster: Cluster, heard: list[int]) -> None:
    """The connection ends with the last listener, and is there again for the next one."""
    notices = PostgresNotices(letters_url)
    for _ in range(2):
        ends = [notices.listen(heard.append) for _ in range(3)]
        until(lambda: len(heard) >= 3, what="three listeners")
        heard.clear()
        for end in ends:
            end()
        until(lambda: not notices.live(), what="the end of the connection")
        until(lambda: not kill_listeners(cluster, letters_url), what="the end of its backend")
    notices.close()


def test_an_unreachable_database_is_tried_again_and_waited_for_by_nobody(heard: list[int]) -> None:
    """The thread ends when it is told to."""
    notices = PostgresNotices("postgresql://weft_app@127.0.0.1:9/weft")
    end = notices.listen(heard.append)
    assert not notices.live()
    end()
    notices.close()
    assert heard == []
    until(lambda: "weft-notices" not in {thread.name for thread in threading.enumerate()}, what="the thread's end")


# ---- the feed


@pytest.fixture
def url(database_url: str) -> str:
    """The URL of a graph of the bundled model."""
    weft.open(database_url).close()
    return database_url


def told_by_a_feed(url: str, write: Callable[[Rounds, Serving], Awaitable[None]], *, pause_s: float) -> None:
    """Run ``write`` with what a server's feed tells, for no longer than a bound."""
    settings = Settings(graph=url, actor="bo")
    held = Serving(settings, Offer.of(settings, toolsets="core", read_only=False))
    rounds: Rounds = []

    async def main() -> None:
        feed = Feed(held, pause_s=pause_s)
        with anyio.fail_after(WAIT_S):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(feed.run)
                await feed.ready()
                feed.listen(rounds.append)
                await write(rounds, held)
                tasks.cancel_scope.cancel()

    try:
        anyio.run(main)
    finally:
        held.close()


async def capture(url: str, content: str) -> None:
    """Capture ``content`` as another process would."""

    def captured() -> None:
        with weft.open(settings=Settings(graph=url, actor="ann")) as graph:
            graph.capture.capture(CaptureRequest(content=content), graph.call("capture"))

    await anyio.to_thread.run_sync(captured)


async def holds(condition: Callable[[], object]) -> None:
    """Wait until ``condition`` holds."""
    while not condition():  # noqa: ASYNC110 - what is waited for happens in a database
        await anyio.sleep(0.01)


def test_a_feed_is_told_at_once_and_after_its_backend_was_killed(url: str, cluster: Cluster) -> None:
    """It would not look at the log by itself for an hour."""

    async def write(rounds: Rounds, held: Serving) -> None:
        await holds(held.graph().notices.live)
        await capture(url, "Water boils at 100 degrees.")
        await holds(lambda: rounds)
        assert await anyio.to_thread.run_sync(kill_listeners, cluster, url) == 1
        rounds.clear()
        await capture(url, "Ice melts at zero degrees.")
        await holds(lambda: rounds)

    told_by_a_feed(url, write, pause_s=NEVER_S)


@pytest.mark.parametrize("pause_s", [NEVER_S, 0.01])
def test_a_feed_that_is_told_nothing_looks_by_itself(
    url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, pause_s: float
) -> None:
    """The twin: the channel is another one, so that with an hour's pause nothing is heard, and with a moment's all."""
    monkeypatch.setattr("weft.store.postgres.notices.CHANNEL", "elsewhere")
    monkeypatch.setattr(PostgresNotices, "live", lambda _: False)

    async def write(rounds: Rounds, _: Serving) -> None:
        await holds(lambda: cluster.rows("SELECT 1 FROM pg_stat_activity WHERE query = 'LISTEN elsewhere'"))
        await capture(url, "Water boils at 100 degrees.")
        with anyio.move_on_after(0.5 if pause_s == NEVER_S else WAIT_S):
            await holds(lambda: rounds)
        assert bool(rounds) == (pause_s != NEVER_S)

    told_by_a_feed(url, write, pause_s=pause_s)
