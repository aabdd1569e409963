"""The memory of use in PostgreSQL keeps every promise of the shipped contract, and no call waits for its database."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import psycopg
import pytest

from postgres.cluster import Cluster, until
from weft.errors import WeftError
from weft.model import Tier
from weft.store.postgres.connection import bare
from weft.store.postgres.granting import grant
from weft.store.postgres.opening import open_postgres
from weft.store.postgres.usage import USE, PostgresUsage, make_usage
from weft.testing.making import AT, DIMENSION
from weft.testing.usage import CALL, UsageContract

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ALL_MS = 50


@pytest.fixture
def url(database_url: str) -> str:
    """The URL of a graph."""
    open_postgres(database_url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True).close()
    return database_url


@pytest.fixture
def usage(url: str) -> Iterator[PostgresUsage]:
    """A memory of use that is at work."""
    usage = PostgresUsage(url, tier=Tier.CURATOR)
    at_work(usage)
    yield usage
    usage.close()


def at_work(usage: PostgresUsage) -> None:
    """Wait until the memory reaches its database."""
    usage.touch(["first"], at=AT)
    until(lambda: usage.uses(["first"]), what="the memory of use")


def longest_ms(*calls: Callable[[], object]) -> float:
    """Return how long the longest of these calls took, each made five times; the best of three tries of each."""
    return max(min(timed_ms(call) for _ in range(3)) for call in calls for _ in range(5))


def timed_ms(call: Callable[[], object]) -> float:
    """Return how long one call took."""
    started = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - started)


def calls_of(usage: PostgresUsage) -> list[Callable[[], object]]:
    """Return what tools ask of a memory with every call."""
    return [
        lambda: usage.note(caller="ada", event="searched", subject="ice", at=AT),
        lambda: usage.touch(["a"], at=AT),
        lambda: usage.noted(caller="ada", event="searched", since=AT),
        lambda: usage.uses(["a"]),
        lambda: usage.offered(caller="ada", after="search", hints=["fetch"], at=AT),
        lambda: usage.did(caller="ada", hints=["fetch"], since=AT),
        lambda: usage.audit(CALL),
        usage.tallies,
    ]


class TestPostgres(UsageContract):
    """A memory in the database of the test that runs."""

    @pytest.fixture(autouse=True)
    def _graph(self, url: str) -> None:
        self.url = url

    def open(self, _place: Path) -> PostgresUsage:
        """Open the memory beside the graph."""
        return PostgresUsage(self.url, tier=Tier.CURATOR)


@pytest.mark.parametrize("tier", Tier)
def test_every_tier_writes_hints_and_records(url: str, tier: Tier) -> None:
    """A reader's searches count too; what was recorded is taken back by a curator only."""
    usage = PostgresUsage(url, tier=tier)
    at_work(usage)
    usage.note(caller="ada", event="searched", subject="ice", at=AT)
    usage.audit(CALL)
    until(lambda: usage.audits(limit=1) == (CALL,), what="the record of a call")
    usage.close()
    with bare(url) as owner:
        owner.execute(f"SET ROLE weft_{tier.label}; SET search_path TO {USE}, weft")
        if tier < Tier.CURATOR:
            with pytest.raises(WeftError, match=r"does not reach|needs tier"):
                owner.execute("DELETE FROM audit")
        else:
            owner.execute("DELETE FROM audit")


def test_a_login_of_its_own_tier_that_owns_nothing_remembers_too(cluster: Cluster, url: str) -> None:
    """The schema was made with the graph; where a login may take no role here, its calls wait in memory only."""
    name = url.rpartition("/")[2]
    logins = [f"{each}_{name}" for each in ("reader", "nobody")]
    for login in logins:
        cluster.rows(f"CREATE ROLE {login} LOGIN")
    try:
        with bare(url) as owner:
            grant(owner, logins[0], tier=Tier.READER)
        reader, nobody = (PostgresUsage(cluster.url(name, user=login), tier=Tier.READER) for login in logins)
        at_work(reader)
        assert longest_ms(*calls_of(nobody)) < ALL_MS
        assert nobody.noted(caller="ada", event="searched", since=AT) == ("ice",)
        for each in (reader, nobody):
            each.close()
    finally:
        cluster.drop_database(name)
        for login in logins:
            cluster.rows(f"DROP ROLE {login}")


def test_only_the_record_of_calls_is_logged_by_the_server(usage: PostgresUsage, url: str) -> None:
    """What is written with almost every call is not sent to any standby."""
    usage.touch(["a"], at=AT)
    with bare(url) as owner:
        kinds = owner.execute(
            f"SELECT relname, relpersistence FROM pg_class WHERE relnamespace = '{USE}'::regnamespace AND relkind = 'r'"
        )
    unlogged = {"use", "note", "tally", "hint_offer", "hint_tally"}
    assert {name for name, persistence in kinds if persistence == "u"} == unlogged
    assert {name for name, persistence in kinds if persistence == "p"} == {"audit", "migration"}


def test_locked_tables_delay_nobody_and_what_was_meant_for_them_waits(usage: PostgresUsage, url: str) -> None:
    """What is noted meanwhile is told, and written when the lock goes."""
    with psycopg.connect(url) as blocker:
        blocker.execute(f"LOCK TABLE {USE}.use, {USE}.note, {USE}.tally IN ACCESS EXCLUSIVE MODE")
        assert longest_ms(*calls_of(usage)) < ALL_MS
        assert usage.noted(caller="ada", event="searched", since=AT) == ("ice",)
    until(lambda: usage.uses(["a"]) == {"a": (15, AT)}, what="what waited")
    assert usage.tallies() == {"searched": 15}


def test_an_unreachable_database_costs_no_call(usage: PostgresUsage) -> None:
    """Nobody listens at that port; and what was noted is known to this process."""
    nowhere = PostgresUsage("postgresql://weft_app@127.0.0.1:9/weft", tier=Tier.READER)
    assert longest_ms(*calls_of(nowhere)) < ALL_MS
    assert nowhere.noted(caller="ada", event="searched", since=AT) == ("ice",)
    assert nowhere.uses(["a"]) == {}
    assert timed_ms(nowhere.close) < 5_000
    until(lambda: bool(usage.uses(["first"])), what="the twin: one that is reached answers")


def test_a_server_that_hangs_costs_no_call_and_loses_nothing() -> None:
    """Frozen, it keeps its connections open and answers nobody; thawed, it is told all of it."""
    with Cluster() as cluster:
        url = cluster.url(cluster.create_database())
        open_postgres(url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True).close()
        usage = PostgresUsage(url, tier=Tier.CURATOR)
        at_work(usage)
        cluster.freeze()
        assert longest_ms(*calls_of(usage)) < ALL_MS
        cluster.thaw()
        until(lambda: usage.uses(["a"]) == {"a": (15, AT)}, what="what waited")
        usage.close()


def test_a_killed_backend_is_replaced(usage: PostgresUsage, cluster: Cluster, url: str) -> None:
    """The next call but one finds a new connection, and what waited is written over it."""
    name = url.rpartition("/")[2]
    cluster.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", name)
    usage.touch(["a"], at=AT)
    until(lambda: usage.uses(["a"]) == {"a": (1, AT)}, what="a new connection")


def test_a_memory_without_its_tables_is_found_damaged_and_made_anew(usage: PostgresUsage, url: str) -> None:
    """Before, nothing is wrong with it; what it remembered was hints."""
    assert usage.damage() == ""
    with bare(url) as owner:
        owner.execute(f"DROP TABLE {USE}.note")
    assert "note" in usage.damage()
    usage.renew()
    assert usage.damage() == ""
    at_work(usage)


def test_processes_make_it_at_once_and_once(url: str) -> None:
    """Several connections stand for several processes."""
    memories = [PostgresUsage(url, tier=Tier.CURATOR) for _ in range(4)]
    for memory in memories:
        at_work(memory)
        memory.close()
    with bare(url) as owner:
        make_usage(owner)
        assert owner.execute(f"SELECT number FROM {USE}.migration") == [(1,)]


def test_what_was_erased_is_not_in_the_tables_files_free_rows_or_samples(usage: PostgresUsage, url: str) -> None:
    """While somebody reads as of before, it is: then the answer says so, and a second call finishes."""
    usage.note(caller="ada", event="searched", subject="the secret", at=AT)
    until(usage.tallies, what="the note")
    with psycopg.connect(url) as reading:
        reading.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        assert reading.execute(f"SELECT count(*) FROM {USE}.note").fetchone() == (1,)
        usage.erase(["the secret"], node="first")
        until(lambda: not usage.uses(["first"]), what="the erasing")
        assert not usage.fold()
    assert usage.fold()
