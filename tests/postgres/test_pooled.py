"""A pooler before the server: one that keeps connections is not noticed, one that lends them is refused at once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from postgres.cluster import until
from postgres.pooling import Pooler
from weft.errors import CannotOpen, Unavailable
from weft.model import Tier
from weft.store.postgres.connection import bare
from weft.store.postgres.notices import PostgresNotices
from weft.store.postgres.opening import open_postgres
from weft.testing.making import DIMENSION, a_batch, a_node, saved

if TYPE_CHECKING:
    from collections.abc import Callable

    from postgres.cluster import Cluster
    from weft.store.postgres.opening import OpenedServer

SET = "SELECT current_user, current_setting('default_transaction_read_only'), current_setting('search_path')"


def opened(url: str) -> OpenedServer:
    """Open the graph at ``url`` as a curator, making it where it is not there."""
    return open_postgres(url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)


def test_a_pooler_that_keeps_connections_is_not_noticed(cluster: Cluster) -> None:
    """Reading, writing and hearing of changes go through it."""
    with Pooler(cluster.port, keeps=True) as pooler:
        graph = opened(pooler.url(cluster.create_database()))
        heard = threading.Event()
        graph.notices.listen(lambda seq: heard.set() if seq else None)
        until(graph.notices.live, what="the connection that listens")
        node = a_node()
        graph.store.commit(a_batch(saved(node)))
        assert graph.store.nodes([node.id]) == {node.id: node}
        assert heard.wait(20)
        graph.close()


@pytest.mark.parametrize("open_it", [opened, lambda url: bare(url).__enter__()], ids=["a graph", "a connection"])
def test_a_pooler_that_lends_connections_is_refused_and_nothing_is_set_in_them(
    cluster: Cluster, open_it: Callable[[str], object]
) -> None:
    """Else a role that Weft takes would be that of whoever comes next, in whatever program."""
    database = cluster.create_database()
    opened(cluster.url(database)).close()
    with Pooler(cluster.port, keeps=False) as pooler:
        with pytest.raises(CannotOpen, match="for a transaction at a time") as refused:
            open_it(pooler.url(database))
        assert "pool_mode=session" in refused.value.hint
        import psycopg

        with psycopg.connect(pooler.url(database)) as another:
            assert another.execute(SET).fetchall() == [("weft_app", "off", '"$user", public')]


def test_a_server_that_goes_between_the_login_and_the_first_question_is_away(cluster: Cluster) -> None:
    """As a pooler lets clients in while its server is away; that is no fault of ours."""
    database = cluster.create_database()
    with Pooler(cluster.port, keeps=True) as pooler:
        pooler.away = True
        with pytest.raises(Unavailable), bare(pooler.url(database)):
            pass


def test_who_listens_hears_again_once_the_server_behind_a_pooler_is_back(cluster: Cluster) -> None:
    """Connections that were made and lost at once do not end the listening."""
    database = cluster.create_database()
    graph = opened(cluster.url(database))
    heard: list[int] = []
    with Pooler(cluster.port, keeps=True) as pooler:
        pooler.away = True
        notices = PostgresNotices(pooler.url(database))
        notices.listen(heard.append)
        until(lambda: pooler.turned_away >= 2, what="a second try")
        pooler.away = False
        until(notices.live, what="the connection that listens")
        graph.store.commit(a_batch(saved(a_node())))
        until(lambda: any(heard), what="a notice")
        notices.close()
    graph.close()
