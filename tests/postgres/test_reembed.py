"""A graph in PostgreSQL moves to another embedding model as one in a file does, and its schema stays what it was."""

from __future__ import annotations

import threading
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import psycopg
import pytest

import weft
from embed.endpoint import MODEL
from postgres.cluster import until
from services.test_reembedding import (
    World,
    assert_of,
    found,
    mirrored,
    moved,
    noted,
    sentence,
    short,
    test_a_half_made_move_is_no_fault_of_the_graph,
    test_a_move_that_is_killed_goes_on_where_it_stopped,
    test_a_move_to_another_model_begins_anew_and_one_back_is_called_off,
    test_a_moved_graph_is_of_the_new_model,
    test_a_search_through_the_switch_is_right_or_refused,
    test_a_switch_that_is_killed_has_not_been_made,
    test_only_a_curator_moves_a_graph_and_one_at_a_time,
    test_until_the_switch_everybody_goes_on_as_before,
    test_what_is_erased_meanwhile_is_nowhere_in_the_new_vectors,
    test_who_goes_by_the_old_model_neither_writes_nor_compares_afterwards,
    test_who_writes_faster_than_is_embedded_waits_at_last,
    world,
)
from weft.errors import PermissionDenied, Unavailable
from weft.model import Filter, Tier
from weft.settings import Settings
from weft.store.copying import copy
from weft.store.postgres import reembedding
from weft.store.postgres.connection import bare
from weft.store.postgres.granting import grant
from weft.store.postgres.opening import open_postgres

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from postgres.cluster import Cluster

__all__ = [
    "noted",
    "test_a_half_made_move_is_no_fault_of_the_graph",
    "test_a_move_that_is_killed_goes_on_where_it_stopped",
    "test_a_move_to_another_model_begins_anew_and_one_back_is_called_off",
    "test_a_moved_graph_is_of_the_new_model",
    "test_a_search_through_the_switch_is_right_or_refused",
    "test_a_switch_that_is_killed_has_not_been_made",
    "test_only_a_curator_moves_a_graph_and_one_at_a_time",
    "test_until_the_switch_everybody_goes_on_as_before",
    "test_what_is_erased_meanwhile_is_nowhere_in_the_new_vectors",
    "test_who_goes_by_the_old_model_neither_writes_nor_compares_afterwards",
    "test_who_writes_faster_than_is_embedded_waits_at_last",
    "world",
]

pytestmark = pytest.mark.usefixtures("in_a_database")

WHAT_THERE_IS = """
    SELECT indexdef FROM pg_indexes WHERE schemaname = 'weft' ORDER BY 1;
    SELECT relname, relkind, relrowsecurity FROM pg_class WHERE relnamespace = 'weft'::regnamespace ORDER BY 1;
    SELECT relname, unnest(relacl)::text FROM pg_class WHERE relnamespace = 'weft'::regnamespace ORDER BY 1, 2;
    SELECT attname, attnotnull FROM pg_attribute WHERE attrelid = 'passage'::regclass ORDER BY 1;
    SELECT attname, unnest(attacl)::text FROM pg_attribute WHERE attrelid = 'passage'::regclass ORDER BY 1, 2;
    SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'weft'::regnamespace ORDER BY 1, 2;
    SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2;
    SELECT proname FROM pg_proc WHERE pronamespace = 'weft'::regnamespace ORDER BY 1;
    SELECT viewname, definition FROM pg_views WHERE schemaname = 'weft' ORDER BY 1;
    SELECT tablename, policyname, permissive, roles::text, qual, with_check FROM pg_policies ORDER BY 1, 2
"""
LENGTH = """
    SELECT format_type(atttypid, atttypmod) FROM pg_attribute
    WHERE attrelid = 'passage'::regclass AND attname = 'vector'
"""


def there_is(url: str) -> list[object]:
    """Return everything that is in the graph's schema, by the server's own catalogue."""
    with bare(url) as owner:
        return [owner.execute(sql) for sql in WHAT_THERE_IS.split(";")]


def test_the_graph_lies_in_a_database(world: World) -> None:
    """Otherwise these would be the tests of the file once more."""
    assert world.old.graph.startswith("postgresql://")


@pytest.fixture
def guest(world: World, cluster: Cluster) -> Iterator[str]:
    """A login that is nothing yet in the graph; gives its URL of it."""
    database = world.old.graph.rpartition("/")[2]
    login = f"guest_{database}"
    cluster.rows(f"CREATE ROLE {login} LOGIN")
    yield cluster.url(database, user=login)
    cluster.rows(f"DROP OWNED BY {login}", database=database)
    cluster.rows(f"DROP ROLE {login}")


def let_in(world: World, guest: str, tier: Tier, *ontologies: str) -> None:
    """Let the login be of a tier."""
    with bare(world.old.graph) as owner:
        grant(owner, login_of(guest), tier=tier, ontologies=ontologies)


def login_of(url: str) -> str:
    """Return the login that a URL names."""
    return url.partition("//")[2].partition("@")[0]


def test_the_schema_is_to_the_letter_what_it_was(world: World, guest: str) -> None:
    """Indexes, rights, rules, views and guards, by their names; but for how long a vector is."""
    url = world.old.graph
    let_in(world, guest, Tier.READER, "main")
    before = there_is(url)
    world.move()
    assert there_is(url) == before
    world.move("short")
    assert there_is(url) == before
    with weft.open(settings=replace(world.new("short"), graph=guest)) as graph:
        assert found(graph, sentence(7)) == sentence(7)
    with bare(url) as owner:
        assert owner.execute(LENGTH) == [("halfvec(128)",)]


def test_the_new_vectors_are_looked_up_along_an_index(world: World) -> None:
    """It was made before the switch, and a search takes it."""
    world.move("short")
    with weft.open(settings=world.new("short")) as graph:
        assert graph.vectors.faults() == {}
        assert_of(graph, short)
    opened = open_postgres(world.old.graph, tier=Tier.READER, model="", dimension=0, create=False)
    with closing(opened) as rooms, rooms.database.snapshot() as reader:
        steps = reader.plan("passages_nearest", where=(), embedding="", vector=b"\x00\x3c" * 128, limit=3)
    assert any("passage_by_vector" in step for step in steps)


def test_a_switch_waits_for_a_long_reader_and_keeps_no_other_waiting(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a copy reads all passages as of one moment, searches go on; it ends, and the switch is made."""
    monkeypatch.setattr(reembedding, "_PAUSE_S", 0.05)
    done: list[object] = []
    with psycopg.connect(world.old.graph) as reading, weft.open(settings=world.old) as graph:
        reading.execute("LOCK TABLE weft.passage IN ACCESS SHARE MODE")
        mover = threading.Thread(target=lambda: done.append(world.move()))
        mover.start()
        until(lambda: waits(world.old.graph), what="the switch waits")
        for _ in range(3):
            assert found(graph, sentence(7)) == sentence(7)
        assert not done
        reading.rollback()
        mover.join(60)
    assert done
    with weft.open(settings=world.new()) as graph:
        assert_of(graph, mirrored)


def waits(url: str) -> bool:
    """Return whether somebody waits to have the passages alone."""
    with psycopg.connect(url, autocommit=True) as direct:
        sql = "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted"
        return bool(direct.execute(sql).fetchall())


def test_a_reader_that_does_not_end_is_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The move gives up, everything is kept, and the next run has only the switch left."""
    monkeypatch.setattr(reembedding, "_PAUSE_S", 0.01)
    monkeypatch.setattr(reembedding, "_ATTEMPTS", 2)
    with psycopg.connect(world.old.graph) as reading:
        reading.execute("LOCK TABLE weft.passage IN ACCESS SHARE MODE")
        with pytest.raises(Unavailable, match="reading the passages"):
            world.move()
    done = world.move()
    assert (done.moved, done.resumed, done.embedded) == (True, True, 0)


def test_a_copy_has_the_vectors_of_one_model(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds off the switch from its first row to its last."""
    monkeypatch.setattr(reembedding, "_PAUSE_S", 0.05)
    movers: list[threading.Thread] = []

    def begin(*_: object) -> None:
        if not movers:
            movers.append(threading.Thread(target=world.move))
            movers[0].start()
            until(lambda: waits(world.old.graph), what="the switch waits")

    assert copy(world.old.graph, tmp_path / "copy.db", report=begin).same
    movers[0].join(60)
    assert moved(world.new()).embedded == 0
    with weft.open(settings=Settings(graph=str(tmp_path / "copy.db"))) as graph:
        assert_of(graph, MODEL.embed)


def test_only_the_owner_moves_a_graph(world: World, guest: str) -> None:
    """A curator of another login is told whose it is."""
    let_in(world, guest, Tier.CURATOR)
    with pytest.raises(PermissionDenied, match="login that owns the graph"):
        moved(replace(world.new(), graph=guest))


def test_words_find_in_a_moved_graph_what_they_found(world: World) -> None:
    """The words of passages lie apart, and stay."""
    with weft.open(settings=world.old) as graph:
        before = graph.words.search("violin", filter=Filter(), limit=20)
    world.move("short")
    with weft.open(settings=world.new("short")) as graph:
        assert graph.words.search("violin", filter=Filter(), limit=20) == before
