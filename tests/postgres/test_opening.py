"""Several processes that make one graph in a database make it once, and none of them meets an error."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import pytest

from postgres.cluster import until
from weft.model import Tier
from weft.store.postgres.connection import bare
from weft.store.postgres.opening import open_postgres, upgrade
from weft.store.postgres.usage import make_usage
from weft.testing.making import DIMENSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from weft.store.postgres.connection import PostgresWriter

WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = %(lock)s"


def opened_once(url: str) -> int:
    """Open the graph at ``url`` as a fresh process would, and say how many nodes it holds."""
    graph = open_postgres(url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)
    try:
        return graph.store.counts().nodes
    finally:
        graph.close()


@pytest.mark.parametrize(
    ("lock", "made"),
    [
        (b"WefM", partial(upgrade, model="letters", dimension=DIMENSION, create=True)),
        (b"WefN", make_usage),
    ],
    ids=["the graph", "its memory of use"],
)
def test_who_waited_while_another_made_it_finds_it_there(
    database_url: str, lock: bytes, made: Callable[[PostgresWriter], None]
) -> None:
    """What the late comer saw before its wait, that there is nothing, no longer counts."""
    key = {"lock": int.from_bytes(lock)}
    with bare(database_url) as first, ThreadPoolExecutor(1) as pool:
        first.execute("SELECT pg_advisory_lock(%(lock)s)", key)
        late = pool.submit(opened_once, database_url)
        until(lambda: first.execute(WAITING, key)[0][0] or late.done(), what="somebody who waits")
        assert not late.done()
        made(first)
        first.execute("SELECT pg_advisory_unlock(%(lock)s)", key)
        assert late.result(30) == 0


def test_eight_openings_at_once_make_one_graph(database_url: str) -> None:
    """Connections stand for processes."""
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(opened_once, [database_url] * 8)) == [0] * 8
