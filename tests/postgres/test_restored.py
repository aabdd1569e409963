"""A graph that pg_dump took and pg_restore brought to another server, as the how-to says; and what is told then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from postgres.cluster import APP, Cluster
from postgres.installed import run
from weft.errors import CannotOpen, Unavailable
from weft.model import Tier
from weft.store.postgres.founding import asked_of_administrators, bring_up, let_in
from weft.store.postgres.opening import open_postgres
from weft.testing.making import DIMENSION, a_batch, a_node, saved

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.model import Node
    from weft.store.postgres.opening import OpenedServer


USED = "SELECT has_table_privilege('weft_reader', 'weft_use.audit', 'INSERT')"


def opened(url: str) -> OpenedServer:
    """Open the graph at ``url`` as a curator."""
    return open_postgres(url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=False)


@pytest.fixture
def node(letters_url: str) -> Node:
    """What the graph that is dumped holds."""
    node = a_node()
    graph = opened(letters_url)
    graph.store.commit(a_batch(saved(node)))
    graph.close()
    return node


@pytest.fixture
def dump(cluster: Cluster, letters_url: str, node: Node) -> Path:  # noqa: ARG001 - it is to be in there
    """What pg_dump made of the graph."""
    file = cluster.folder / f"{letters_url.rpartition('/')[2]}.dump"
    said = ("--format=custom", "--schema=weft*", f"--file={file}", letters_url)
    run(cluster.version, "pg_dump", *said, cwd=cluster.folder)
    return file


@pytest.fixture
def other(cluster: Cluster) -> Iterator[Cluster]:
    """A server that never had a graph."""
    with Cluster(version=cluster.version) as other:
        yield other


def restored(dump: Path, other: Cluster) -> str:
    """Bring the graph to the other server, and return its URL there."""
    url = other.url(other.create_database())
    safely = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
    run(other.version, "pg_restore", *safely, f"--dbname={url}", str(dump), cwd=dump.parent)
    return url


def test_its_owner_makes_the_roles_that_no_dump_brings(dump: Path, other: Cluster, node: Node) -> None:
    """Nothing is amiss afterwards, and it is written to as before."""
    url = restored(dump, other)
    bring_up(url)
    graph = opened(url)
    assert graph.store.nodes([node.id]) == {node.id: node}
    graph.store.commit(a_batch(saved(a_node("Water boils"))))
    assert [(flaw.key, flaw.what) for flaw in graph.health.look().found] == []
    graph.close()
    assert other.rows(USED, database=url.rpartition("/")[2]) == [(True,)]


def test_opening_it_is_enough(dump: Path, other: Cluster, node: Node) -> None:
    """Where the server knows no role of a tier."""
    graph = opened(restored(dump, other))
    assert graph.store.nodes([node.id]) == {node.id: node}
    graph.close()


def test_an_owner_who_may_make_no_roles_is_told_what_an_administrator_must_run(
    dump: Path, other: Cluster, node: Node
) -> None:
    """What is printed then is enough."""
    other.rows(f"ALTER ROLE {APP} NOCREATEROLE")
    url = restored(dump, other)
    with pytest.raises(CannotOpen, match="roles") as refused:
        opened(url)
    assert "weft db init --sql" in refused.value.hint
    for statement in asked_of_administrators(url):
        other.rows(statement, database=url.rpartition("/")[2])
    graph = opened(url)
    assert graph.store.nodes([node.id]) == {node.id: node}
    graph.close()


def test_readers_of_single_ontologies_are_held_to_them_again(
    cluster: Cluster, letters_url: str, node: Node, other: Cluster
) -> None:
    """The rules are in the dump, their role and who has it are not."""
    login = f"partner_{letters_url.rpartition('_')[2]}"
    cluster.rows(f"CREATE ROLE {login} LOGIN")
    other.rows(f"CREATE ROLE {login} LOGIN")
    let_in(letters_url, login, tier=Tier.READER, ontologies=[node.ontology])
    file = cluster.folder / f"{login}.dump"
    said = ("--format=custom", "--schema=weft*", f"--file={file}", letters_url)
    run(cluster.version, "pg_dump", *said, cwd=cluster.folder)
    let_in(letters_url, login, tier=None, ontologies=())
    other.rows("CREATE ROLE weft_reader_bounded NOLOGIN", user=APP)
    url = restored(file, other)
    bring_up(url)
    let_in(url, login, tier=Tier.READER, ontologies=[node.ontology])
    graph = open_postgres(url.replace(APP, login), tier=Tier.READER, model="letters", dimension=DIMENSION, create=False)
    assert graph.store.nodes([node.id]) == {node.id: node}
    graph.close()


def test_a_graph_that_was_restored_in_part_is_said_to_lack_something(cluster: Cluster, letters_url: str) -> None:
    """As a restore without the extension leaves it; it is no fault of Weft's."""
    cluster.rows("DROP TABLE weft.passage CASCADE", database=letters_url.rpartition("/")[2])
    graph = opened(letters_url)
    for asked in (graph.store.counts, graph.health.look):
        with pytest.raises(Unavailable, match="A part of the graph is missing"):
            asked()
    graph.close()
