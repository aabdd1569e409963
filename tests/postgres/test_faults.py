"""What is told, and what stands, when the database or the way to it fails."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import pytest

from postgres.cluster import Cluster, until
from weft.errors import CannotOpen, InvalidArgument, Unavailable, WeftError
from weft.model import Tier
from weft.store.postgres.connection import bare
from weft.store.postgres.faults import fault, unreached
from weft.store.postgres.names import TURN
from weft.store.postgres.opening import open_postgres
from weft.testing.making import DIMENSION, a_batch, a_node, saved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.store.postgres.opening import OpenedServer

SECRET = "hunter2"  # noqa: S105 - a password that must not be seen anywhere


def opened(url: str, *, tier: Tier = Tier.CURATOR) -> OpenedServer:
    """Open the graph in the database of ``url``."""
    return open_postgres(url, tier=tier, model="letters", dimension=DIMENSION, create=True)


@pytest.fixture
def team(database_url: str) -> Iterator[OpenedServer]:
    """An empty graph."""
    held = opened(database_url)
    yield held
    held.close()


def kill_backends(cluster: Cluster, url: str) -> None:
    """End every connection to the database of ``url``, as an administrator or a crash of a backend would."""
    name = url.rpartition("/")[2]
    cluster.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", name)


def is_read(team: OpenedServer) -> bool:
    """Return whether the graph can be read now."""
    with suppress(Unavailable):
        return team.store.counts().nodes == 0
    return False


def test_a_read_goes_on_over_connections_that_were_killed(
    team: OpenedServer, cluster: Cluster, database_url: str
) -> None:
    """Nothing is lost by asking once more."""
    node = a_node()
    team.store.commit(a_batch(saved(node)))
    kill_backends(cluster, database_url)
    assert team.store.nodes([node.id]) == {node.id: node}


def test_a_write_begins_anew_over_connections_that_were_killed(
    team: OpenedServer, cluster: Cluster, database_url: str
) -> None:
    """Nothing was written yet when the connection turned out to be gone."""
    team.store.commit(a_batch(saved(a_node())))
    kill_backends(cluster, database_url)
    node = a_node("Water boils")
    team.store.commit(a_batch(saved(node)))
    assert team.store.nodes([node.id]) == {node.id: node}


def test_a_backend_killed_in_the_middle_of_a_write_leaves_nothing_of_it(
    team: OpenedServer, cluster: Cluster, database_url: str
) -> None:
    """All or nothing, and the error says that it is nothing."""

    def write() -> None:
        with team.database.writer(Tier.CURATOR) as writer:
            writer.run("series_save", name="lessons", value=7)
            kill_backends(cluster, database_url)
            writer.run("series_save", name="lessons", value=8)

    with pytest.raises(Unavailable, match="nothing was written"):
        write()
    assert team.store.facts()["series"] == {}


def test_a_full_disk_is_told_and_reading_goes_on(team: OpenedServer, cluster: Cluster, database_url: str) -> None:
    """The server says so by its code, which is provoked here; nothing of the write stays."""
    node = a_node()
    team.store.commit(a_batch(saved(node)))
    cluster.rows(
        """CREATE FUNCTION weft.full() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$""",
        database=database_url.rpartition("/")[2],
    )
    cluster.rows(
        "CREATE TRIGGER full_disk BEFORE INSERT ON weft.change FOR EACH ROW EXECUTE FUNCTION weft.full()",
        database=database_url.rpartition("/")[2],
    )
    with pytest.raises(Unavailable, match="no room"):
        team.store.commit(a_batch(saved(a_node("Water boils"))))
    assert team.store.counts().nodes == 1
    assert team.store.nodes([node.id]) == {node.id: node}


def test_a_graph_that_a_full_disk_keeps_from_being_brought_up_is_said_not_to_open(
    team: OpenedServer, cluster: Cluster, database_url: str
) -> None:
    """As in a file: nobody reads it with this release until there is room."""
    team.close()
    database = database_url.rpartition("/")[2]
    cluster.rows("UPDATE weft.meta SET value = 'older' WHERE key = 'words'", database=database)
    cluster.rows(
        """CREATE FUNCTION weft.full() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$""",
        database=database,
    )
    cluster.rows(
        "CREATE TRIGGER full_disk BEFORE UPDATE ON weft.meta FOR EACH ROW EXECUTE FUNCTION weft.full()",
        database=database,
    )
    with pytest.raises(CannotOpen, match="cannot be opened: the database has no room") as refused:
        opened(database_url)
    assert "reading goes on" not in refused.value.message
    cluster.rows("DROP TRIGGER full_disk ON weft.meta", database=database)
    cluster.rows("DROP FUNCTION weft.full()", database=database)
    opened(database_url).close()


def test_writers_that_find_no_connection_free_are_told_so(database_url: str) -> None:
    """Four may write at once, each in its turn; the fifth waits for a connection, but not for ever."""
    held = opened(f"{database_url}?weft_deadline=2")
    release, errors = threading.Event(), list[WeftError]()

    def hold() -> None:
        try:
            with held.database.writer(Tier.CURATOR):
                release.wait(60)
        except WeftError as error:
            errors.append(error)

    threads = [threading.Thread(target=hold) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads[1:]:
        thread.join(1)
    deadline = time.monotonic() + 30
    while len(errors) < 4 and time.monotonic() < deadline:
        threads[-1].join(0.1)
    release.set()
    for thread in threads:
        thread.join(60)
    held.close()
    assert len(errors) == 4
    assert all(isinstance(error, Unavailable) for error in errors)


def test_a_server_that_falls_silent_is_given_up_at_the_deadline() -> None:
    """It keeps the connection and answers nothing: neither a read nor a write waits longer than the URL allows."""
    with Cluster() as server:
        held = opened(f"{server.url(server.create_database())}?weft_deadline=1")
        held.store.commit(a_batch(saved(a_node())))
        server.freeze()
        start = time.monotonic()
        with pytest.raises(Unavailable):
            held.store.counts()
        with pytest.raises(Unavailable):
            held.store.commit(a_batch(saved(a_node("Water boils"))))
        took = time.monotonic() - start
        server.thaw()
        assert held.store.counts().nodes == 1
        held.close()
    assert took < 60


def test_a_statement_that_takes_too_long_is_given_up_by_the_server(database_url: str) -> None:
    """The limit is the URL's."""
    held = opened(f"{database_url}?weft_deadline=0.2")
    with pytest.raises(Unavailable, match="too long"), held.database.snapshot() as reader:
        reader.execute("SELECT pg_sleep(30)")  # type: ignore[attr-defined]
    held.close()


@pytest.mark.parametrize(
    "held",
    [f"SELECT pg_advisory_xact_lock({TURN})", "LOCK TABLE weft.node IN ACCESS EXCLUSIVE MODE"],
    ids=["another writer", "a table"],
)
def test_who_waits_for_another_is_told_that_it_is_busy(cluster: Cluster, database_url: str, held: str) -> None:
    """And not that the database is slow: somebody has to let go."""
    opened(database_url).close()
    graph = opened(f"{database_url}?weft_deadline=1")
    owner = cluster.url(database_url.rpartition("/")[2], user="postgres")
    with bare(owner) as other, other.transaction():
        other.execute(held)
        with pytest.raises(Unavailable, match="busy"):
            graph.store.commit(a_batch(saved(a_node())))
    graph.store.commit(a_batch(saved(a_node())))
    graph.close()


def test_a_long_outage_says_why_it_lasts(
    team: OpenedServer, cluster: Cluster, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looks after the server has to know whether it is the network, the password or a name."""
    monkeypatch.setattr("weft.store.postgres.pool.WAIT_S", 1.0)
    name = database_url.rpartition("/")[2]
    cluster.rows(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    kill_backends(cluster, database_url)
    with pytest.raises(Unavailable, match="does not let this user in"):
        team.store.counts()
    cluster.rows(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    monkeypatch.undo()
    until(lambda: is_read(team), what="the database again")


def test_a_database_that_is_set_to_be_read_only_is_told_from_one_that_is_away() -> None:
    """What is open is read on, says what it does not take, and can be written to as soon as the setting is gone."""
    with Cluster() as server:
        url = server.url(server.create_database())
        held = opened(url)
        assert "read_only" not in held.store.facts()
        server.rows("ALTER SYSTEM SET default_transaction_read_only = on")
        server.rows("SELECT pg_reload_conf()")
        until(lambda: held.store.facts().get("read_only"), what="the setting")
        with pytest.raises(Unavailable, match="takes no writes"):
            held.store.commit(a_batch(saved(a_node())))
        with pytest.raises(CannotOpen, match="takes no writes"):
            opened(url)
        server.rows("ALTER SYSTEM RESET default_transaction_read_only")
        server.rows("SELECT pg_reload_conf()")
        until(lambda: "read_only" not in held.store.facts(), what="the setting")
        held.store.commit(a_batch(saved(a_node())))
        held.close()


def test_a_schema_of_the_extension_that_readers_may_not_use_is_said_on_opening(
    cluster: Cluster, database_url: str
) -> None:
    """As administrators close it off; else searches would fail, and nothing would say why."""
    opened(database_url).close()
    name = database_url.rpartition("/")[2]
    cluster.rows("REVOKE USAGE ON SCHEMA public FROM PUBLIC", database=name)
    with pytest.raises(CannotOpen, match="schema public") as refused:
        opened(database_url)
    cluster.rows(refused.value.hint.partition(": ")[2], database=name)
    opened(database_url).close()


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ann:{SECRET}@127.0.0.1:1/notes",
        f"postgresql://ann:{SECRET}@127.0.0.1:1,127.0.0.1:2/notes?sslmode=disable",
        f"postgresql://ann:{SECRET}@nowhere.invalid/notes",
        f"postgresql://ann:{SECRET}@[::1/notes",
        f"postgresql://ann:{SECRET}@127.0.0.1/notes?no_such_word=1",
    ],
)
def test_no_error_tells_who_connects_where(url: str) -> None:
    """Neither the password nor the user, in the message, the hint or what caused it."""
    with pytest.raises((CannotOpen, InvalidArgument)) as raised:
        opened(url)
    assert raised.value.__cause__ is None
    told = f"{raised.value.message} {raised.value.hint}"
    assert SECRET not in told
    assert "ann" not in told.replace("cannot", "")


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("postgresql://127.0.0.1/notes?weft_reads=anywhere", "weft_reads"),
        ("postgresql://127.0.0.1/notes?weft_deadline=never", "weft_deadline"),
        ("postgresql://127.0.0.1/notes?weft_deadline=0", "weft_deadline"),
    ],
)
def test_a_word_of_ours_in_the_url_that_is_wrong_is_named(url: str, word: str) -> None:
    """With what it takes."""
    with pytest.raises(InvalidArgument, match=word):
        opened(url)


@pytest.mark.parametrize("state", ["08006", "28P01", "3D000", "57P01"])
def test_what_the_server_says_of_a_connection_is_not_passed_on(state: str) -> None:
    """It names users, hosts and databases."""
    told = fault(state, f'password authentication failed for user "{SECRET}"')
    assert SECRET not in told.message


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("database", "There is no such database"),
        ("user", "does not let this user in"),
        ("port", "cannot be reached"),
    ],
)
def test_what_keeps_from_connecting_is_told_apart(database_url: str, part: str, said: str) -> None:
    """A database that is missing, a login that is refused, a server that is not there; nothing of the URL is told."""
    parts = urlsplit(database_url)
    wrong = {
        "database": parts._replace(path="/no_such_base"),
        "user": parts._replace(netloc=f"no_such_user:{SECRET}@{parts.hostname or ''}:{parts.port}"),
        "port": parts._replace(netloc=f"{parts.username or 'postgres'}@127.0.0.1:1", query=""),
    }[part]
    with pytest.raises(CannotOpen, match=said) as refused:
        opened(urlunsplit(wrong))
    told = f"{refused.value.message} {refused.value.hint}"
    assert not any(word in told for word in (SECRET, "no_such", "127.0.0.1"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ('permission denied for database "notes"', "does not let this user in"),
        ('role "weft_reader" is not permitted to log in', "does not let this user in"),
        ("session is read-only", "takes no writes"),
        ("server is in hot standby mode", "takes no writes"),
        ("unsupported startup parameter in options: maintenance_work_mem", "does not take a parameter"),
    ],
)
def test_what_a_server_or_a_pooler_says_before_there_is_a_connection_is_understood(words: str, said: str) -> None:
    """Words of PostgreSQL 15 to 18, of its library, and of PgBouncer 1.18."""
    told = unreached(f'connection to server at "10.0.0.7", port 5432 failed: FATAL:  {words}')
    assert said in told.message
    assert "10.0.0.7" not in f"{told.message} {told.hint}"
