"""The primary dies, or its standby falls silent, while a team writes: nothing acknowledged is lost or done twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from doors import door
from postgres.cluster import Cluster, until
from postgres.failover import WAITING, fail_over

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from doors import Door

WEIGHED = {"content": "The crate was weighed at the gate before it was shipped.", "idempotency_key": "crate"}
MADE = "SELECT count(*) FROM weft.node WHERE content = %s"


@pytest.fixture
def primary() -> Iterator[Cluster]:
    """A server of the test's own, which it may hurt."""
    with Cluster() as server:
        yield server


def open_over(primary: Cluster, standby: Cluster, folder: Path) -> tuple[str, str]:
    """Make a graph on both, and return its database's name and its URL."""
    database = primary.create_database()
    url = primary.url(database, standby=standby)
    with door(folder, graph=url, home=str(folder)) as ann:
        ann.call("capture", content="The gate has a scale that is looked after every year.")
    return database, url


def weigh(ann: Door, *, keyed: bool = True) -> dict[str, Any]:
    """Capture, under a key or without, and return the answer."""
    return ann.answer("capture", WEIGHED if keyed else {"content": WEIGHED["content"]})


def made(server: Cluster, database: str) -> int:
    """Return how often the capture stands in a server's copy of the graph."""
    return int(server.rows(MADE, WEIGHED["content"], database=database)[0][0])


def test_nothing_acknowledged_is_lost_or_doubled_when_primaries_are_killed(tmp_path: Path) -> None:
    """Two rounds, four writers, two servers: the first primary dies cut off from its standby, the second does not."""
    toll = fail_over(tmp_path, rounds=2, seed=1)
    assert (toll.missing, toll.doubled, toll.wrong) == ([], [], [])
    assert toll.repeated > 0, "nobody noticed a kill"
    assert max(toll.resumed_s) <= 10


def test_without_a_synchronous_standby_the_same_rounds_lose_some(tmp_path: Path) -> None:
    """The twin, so that the rounds are known to see loss."""
    toll = fail_over(tmp_path, rounds=1, seed=1, synchronous=False)
    assert toll.missing
    assert toll.doubled == []


@pytest.mark.parametrize(
    ("ended_by", "keyed"), [("pg_cancel_backend", True), ("pg_terminate_backend", True), ("pg_cancel_backend", False)]
)
def test_a_wait_for_the_standby_that_is_cut_short_is_never_acknowledged(
    tmp_path: Path, primary: Cluster, ended_by: str, *, keyed: bool
) -> None:
    """PostgreSQL itself calls it a success, and warns.

    It stands on the primary then, where a repeated call finds it, by its key or the very same text, and that is no
    acknowledgement either until the standby has it: the primary dies, and what was lost with it is captured anew, once.
    """
    standby = primary.standby()
    database, url = open_over(primary, standby, tmp_path)
    with door(tmp_path, graph=url, home=str(tmp_path)) as ann, ThreadPoolExecutor() as threads:
        primary.stall()
        first = threads.submit(weigh, ann, keyed=keyed)
        until(lambda: first.done() or primary.rows(WAITING), what="a commit that waits for its standby")
        primary.rows(f"SELECT {ended_by}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        answer = first.result(60)
        assert (answer.get("error"), answer.get("key")) == ("UNAVAILABLE", "outcome_unknown")
        assert made(primary, database) == 1
        again = threads.submit(weigh, ann, keyed=keyed)
        until(lambda: again.done() or primary.rows(WAITING), what="the answer to the repeated call, or its wait")
        primary.kill()
        assert again.result(60).get("error") == "UNAVAILABLE"
        standby.promote()
        assert made(standby, database) == 0
        until(lambda: "id" in weigh(ann, keyed=keyed), what="an acknowledgement by the promoted standby")
        assert made(standby, database) == 1


def test_a_repeated_call_is_acknowledged_once_the_standby_has_it(tmp_path: Path, primary: Cluster) -> None:
    """The standby comes back: what was called unknown is there, and stays when the primary dies."""
    standby = primary.standby()
    database, url = open_over(primary, standby, tmp_path)
    with door(tmp_path, graph=url, home=str(tmp_path)) as ann, ThreadPoolExecutor() as threads:
        primary.stall()
        first = threads.submit(weigh, ann)
        until(lambda: first.done() or primary.rows(WAITING), what="a commit that waits for its standby")
        primary.rows("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        assert first.result(60)["key"] == "outcome_unknown"
        primary.thaw()
        answer = weigh(ann)
        primary.kill()
    standby.promote()
    assert made(standby, database) == 1
    assert standby.rows("SELECT id FROM weft.node WHERE id = %s", answer["id"], database=database)


def test_a_standby_that_falls_silent_holds_nobody_up_past_the_deadline(tmp_path: Path, primary: Cluster) -> None:
    """The call is answered as unknown, and answered with what it made once the standby is back."""
    standby = primary.standby()
    database, url = open_over(primary, standby, tmp_path)
    with door(tmp_path, graph=f"{url}&weft_deadline=1", home=str(tmp_path)) as ann, ThreadPoolExecutor() as threads:
        standby.freeze()
        answer = threads.submit(weigh, ann).result(20)
        assert (answer.get("error"), answer.get("key")) == ("UNAVAILABLE", "outcome_unknown")
        standby.thaw()
        until(lambda: "id" in weigh(ann), what="an acknowledgement with the standby back")
    primary.kill()
    standby.promote()
    assert made(standby, database) == 1
