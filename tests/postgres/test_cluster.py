"""The ground under the tests on PostgreSQL: what they are given is real, apart, and loses no more than it should."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg
import pytest

from postgres.cluster import APP, Cluster, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def primary() -> Iterator[Cluster]:
    """A server of the test's own, which it may hurt, with a table to write to."""
    with Cluster() as server:
        server.rows(f"GRANT CREATE ON SCHEMA public TO {APP}")
        server.rows("CREATE TABLE said (word text)", user=APP)
        yield server


def say(server: Cluster, word: str) -> None:
    """Commit a word; on return it is acknowledged."""
    server.rows("INSERT INTO said VALUES (%s)", word, user=APP)


def say_until_it_ends(server: Cluster, acknowledged: set[str]) -> None:
    """Commit words, and note each that is acknowledged, until the server is no more."""
    with psycopg.connect(server.url(), autocommit=True) as connection, suppress(psycopg.OperationalError):
        while True:
            word = f"{server.name} {len(acknowledged)}"
            connection.execute("INSERT INTO said VALUES (%s)", [word])
            acknowledged.add(word)


def await_words(acknowledged: set[str], count: int, writing: Future[None]) -> None:
    """Return when ``count`` words are acknowledged, or their writer has ended."""
    until(lambda: writing.done() or len(acknowledged) >= count, what="the first words of a writer")


def said(server: Cluster) -> set[str]:
    """Return the words that a server holds."""
    return {word for (word,) in server.rows("SELECT word FROM said")}


def test_fresh_databases_are_apart(cluster: Cluster) -> None:
    """What one database holds, another does not."""
    one, other = cluster.create_database(), cluster.create_database()
    cluster.rows("CREATE TABLE mark ()", database=one, user=APP)
    assert cluster.rows("SELECT to_regclass('mark') IS NULL", database=one) == [(False,)]
    assert cluster.rows("SELECT to_regclass('mark') IS NULL", database=other) == [(True,)]
    cluster.drop_database(one)
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        cluster.rows("SELECT", database=one)


def test_the_login_owns_its_database_and_is_no_superuser(database_url: str) -> None:
    """Vectors are there already, schemas and roles can be made, and the engine's own tables cannot be touched."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        assert connection.execute("SELECT '[1,2]'::halfvec <-> '[1,2]'").fetchone() == (0.0,)
        connection.execute("CREATE SCHEMA apart")
        connection.execute("CREATE ROLE apart_reader")
        connection.execute("DROP ROLE apart_reader")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("DELETE FROM pg_authid")


def test_a_killed_primary_s_synchronous_standby_holds_every_acknowledged_row(primary: Cluster) -> None:
    """Killed while it is written to, and again after the two have changed places: nothing acknowledged is lost."""
    acknowledged: set[str] = set()
    standby = primary.standby()
    for first, second in [(primary, standby), (standby, primary)]:
        told = len(acknowledged) + 50
        with ThreadPoolExecutor() as threads:
            writing = threads.submit(say_until_it_ends, first, acknowledged)
            await_words(acknowledged, told, writing)
            first.kill()
        second.promote()
        assert len(acknowledged) >= told
        assert acknowledged - said(second) == set()
        first.follow(second)


@pytest.mark.parametrize("synchronous", [True, False])
def test_what_a_standby_has_not_got_is_acknowledged_only_where_nobody_waits_for_it(
    primary: Cluster, *, synchronous: bool
) -> None:
    """With the way to the standby blocked, a synchronous commit waits; the other one is acknowledged, and lost."""
    standby = primary.standby(synchronous=synchronous)
    say(primary, "before")
    until(lambda: said(standby) == {"before"}, what="the first row on the standby")
    primary.stall()
    waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    with ThreadPoolExecutor() as threads:
        saying = threads.submit(say, primary, "after")
        until(lambda: saying.done() or primary.rows(waits), what="a commit, or its wait")
        acknowledged = saying.done()
        primary.kill()
    assert (acknowledged, saying.exception() is None) == (not synchronous, not synchronous)
    standby.promote()
    assert said(standby) == {"before"}


@pytest.mark.parametrize("hurt", [Cluster.kill, Cluster.freeze])
def test_a_url_of_two_servers_reaches_the_one_that_takes_writes(
    primary: Cluster, hurt: Callable[[Cluster], None]
) -> None:
    """Whichever order they are named in, and with the old primary dead or deaf."""
    standby = primary.standby()
    for url in (primary.url(standby=standby), standby.url(standby=primary)):
        with psycopg.connect(url) as connection:
            assert connection.info.port == primary.port
    hurt(primary)
    standby.promote()
    for url in (primary.url(standby=standby), standby.url(standby=primary)):
        with psycopg.connect(url, connect_timeout=2) as connection:
            assert connection.info.port == standby.port


def test_a_server_goes_on_where_it_was_frozen_and_comes_back_after_it_was_killed(primary: Cluster) -> None:
    """Frozen it answers nobody, thawed it does; killed and started again it holds what it acknowledged."""
    say(primary, "kept")
    primary.freeze()
    with pytest.raises(psycopg.errors.ConnectionTimeout):
        psycopg.connect(primary.url(), connect_timeout=2)
    primary.thaw()
    assert said(primary) == {"kept"}
    primary.kill()
    with pytest.raises(psycopg.OperationalError, match="refused"):
        psycopg.connect(primary.url())
    primary.start()
    assert said(primary) == {"kept"}


def test_a_killed_run_leaves_no_server_and_no_folder(tmp_path: Path) -> None:
    """The run is ended by SIGKILL, so that nothing of its own can clean up."""
    script = "from postgres.cluster import Cluster; c = Cluster().__enter__(); print(c.folder, flush=True); input()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd=tmp_path
    ) as run:
        assert run.stdout is not None
        folder = run.stdout.readline().decode().strip()
        assert os.path.exists(f"{folder}/data/postmaster.pid")  # noqa: PTH110 - a string from elsewhere
        run.send_signal(signal.SIGKILL)
    until(lambda: not os.path.exists(folder), what="the end of its server")  # noqa: PTH110
