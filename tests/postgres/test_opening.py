"""Several processes that make one graph in a database make it once, and none of them meets an error."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import pytest

from postgres.cluster import until
from weft.errors import CannotOpen, Unavailable
from weft.model import Filter, Tier
from weft.store.migrate import migrations, newest_schema
from weft.store.opened import COPYING
from weft.store.postgres.connection import bare
from weft.store.postgres.founding import bring_up, let_in
from weft.store.postgres.names import SCHEMA, TURN
from weft.store.postgres.opening import open_postgres, upgrade
from weft.store.postgres.schema import Amiss, schema_amiss, statements
from weft.store.postgres.usage import make_usage
from weft.testing.making import DIMENSION, a_batch, a_node, saved

if TYPE_CHECKING:
    from collections.abc import Callable

    from postgres.cluster import Cluster
    from weft.store.postgres.connection import PostgresWriter
    from weft.store.postgres.opening import OpenedServer

PATHS = "SELECT proname, proconfig FROM pg_proc WHERE pronamespace = 'weft'::regnamespace AND prosecdef"
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


def put_back(owner: PostgresWriter) -> None:
    """Make the graph one of schema 6, with a move to another embedding model that was broken off."""
    owner.execute("DROP VIEW passage_entry")
    owner.execute("ALTER TABLE passage DROP COLUMN word_vectors")
    sixth = list(statements(migrations("postgres")[6]))
    for made in ("CREATE FUNCTION passage_entered", "CREATE VIEW passage_entry", "CREATE TRIGGER passage_entered"):
        (sql,) = (each for each in sixth if each.startswith(made))
        owner.execute(sql.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"))
    owner.execute("CREATE TABLE passage_next (LIKE passage); CREATE TABLE passage_next_model (model text)")
    owner.execute("DELETE FROM migration WHERE number > 6")


def test_a_graph_of_the_schema_before_is_brought_up_by_its_owner(letters_url: str) -> None:
    """What is made anew is as a new graph has it, also where it looks for its tables; what was counted stays."""
    first, second = (a_node(title, content="the pump drives the pump") for title in ("Boiler", "Engine"))
    graph = open_postgres(letters_url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=False)
    graph.store.commit(a_batch(saved(first)))
    graph.close()
    with bare(letters_url) as owner:
        made = dict(owner.execute(PATHS))
        owner.execute(f"SET search_path TO {SCHEMA}, public")
        put_back(owner)
        assert "passage_entered" in schema_amiss(owner).changed
    graph = open_postgres(letters_url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=False)
    graph.store.commit(a_batch(saved(second)))
    assert graph.store.facts()["schema"] == newest_schema("postgres") == 12
    assert graph.words.rarity(["pump"])["pump"] < graph.words.rarity(["boiler"])["boiler"]
    assert graph.passages.of([first.id]).keys() == {first.id}
    assert graph.health.wordless() == (1, 2)
    graph.close()
    with bare(letters_url) as owner:
        owner.execute(f"SET search_path TO {SCHEMA}, public")
        assert schema_amiss(owner) == Amiss(missing={}, invalid={}, changed=())
        assert owner.execute("SELECT to_regclass('passage_next') IS NULL") == [(True,)]
        assert dict(owner.execute(PATHS)) == made


OLDER_CUT = """
    UPDATE words SET name = 'heated', body = 'wings'; UPDATE meta SET value = 'older' WHERE key = 'words'
"""


def opened(url: str) -> OpenedServer:
    """Open the graph at ``url`` as a curator."""
    return open_postgres(url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=False)


@pytest.fixture
def cut_by_another(letters_url: str) -> str:
    """The URL of a graph of one node, «Heated wings», whose words another release has cut."""
    graph = opened(letters_url)
    graph.store.commit(a_batch(saved(a_node("Heated wings"))))
    graph.close()
    with bare(letters_url) as owner:
        owner.execute(OLDER_CUT)
    return letters_url


def found(url: str, query: str) -> list[str]:
    """Return the titles that a search for words in the graph at ``url`` finds."""
    graph = opened(url)
    try:
        hits = graph.words.search(query, filter=Filter(), limit=5)
        return [node.title for node in graph.store.nodes([hit.node for hit in hits]).values()]
    finally:
        graph.close()


def test_words_that_another_release_cut_are_cut_anew_when_the_owner_opens_the_graph(cut_by_another: str) -> None:
    """As in a file; then they are those of the text, and nothing is left to repair."""
    assert found(cut_by_another, "heating") == ["Heated wings"]
    graph = opened(cut_by_another)
    assert graph.health.look().found == ()
    graph.close()


def test_any_other_login_is_refused_until_the_words_are_cut_anew(cluster: Cluster, cut_by_another: str) -> None:
    """It may not do that itself, and would mix its own words among them."""
    database = cut_by_another.rpartition("/")[2]
    login = f"guest_{database}"
    cluster.rows(f"CREATE ROLE {login} LOGIN")
    theirs = cluster.url(database, user=login)
    try:
        let_in(cut_by_another, login, tier=Tier.CURATOR, ontologies=())
        with pytest.raises(CannotOpen, match="not cut as this release") as refused:
            opened(theirs)
        assert "weft db migrate" in refused.value.hint
        assert bring_up(cut_by_another) == (newest_schema("postgres"),) * 2
        assert found(theirs, "heating") == ["Heated wings"]
    finally:
        cluster.rows(f"DROP OWNED BY {login}", database=database)
        cluster.rows(f"DROP ROLE {login}")


def test_half_of_a_copy_is_refused_before_its_words_are_looked_at(cut_by_another: str) -> None:
    """They come with the rest of the copy."""
    with bare(cut_by_another) as owner:
        owner.execute("INSERT INTO meta (key, value) VALUES (%(key)s, 'half')", {"key": COPYING})
        with pytest.raises(CannotOpen, match="under way"):
            opened(cut_by_another)
        assert dict(owner.read("meta_values"))["words"] == "older"


@pytest.mark.parametrize(
    "doing", [OLDER_CUT, "INSERT INTO migration (number) SELECT max(number) + 1 FROM migration"], ids=["cut", "schema"]
)
def test_who_had_it_open_writes_nothing_once_another_release_has_brought_it_up(letters_url: str, doing: str) -> None:
    """It knows nothing of what that derives, and would mix words of two cuts."""
    graph = opened(letters_url)
    graph.store.commit(a_batch(saved(a_node("one"))))
    with bare(letters_url) as owner:
        owner.execute(doing)
    with pytest.raises(Unavailable, match="another release") as refused:
        graph.store.commit(a_batch(saved(a_node("two"))))
    assert refused.value.key == "brought_up"
    assert graph.store.facts()["brought_up"] is True
    assert graph.log.head() == 1
    graph.close()


def test_who_had_it_open_is_told_that_another_release_has_put_elsewhere_what_was_asked_for(letters_url: str) -> None:
    """Nobody is told to restore a graph that is whole; without another release, a part of it is missing."""
    graph = opened(letters_url)
    asked = (graph.store.facts, lambda: graph.database.read("series_values"))
    with bare(letters_url) as owner:
        owner.execute("ALTER TABLE weft.series RENAME TO numbering")
        for ask in asked:
            with pytest.raises(Unavailable, match="missing from the database"):
                ask()
        owner.execute("INSERT INTO weft.migration (number) SELECT max(number) + 1 FROM weft.migration")
    for ask in asked:
        with pytest.raises(Unavailable, match="another release") as refused:
            ask()
        assert refused.value.key == "brought_up"
    graph.close()


def test_a_graph_is_brought_up_once_whoever_writes_is_done(letters_url: str) -> None:
    """What a step of the schema derives from the rows would else lack those of a transaction under way."""
    graph = opened(letters_url)
    with bare(letters_url) as owner, ThreadPoolExecutor(1) as pool:
        owner.execute(f"DELETE FROM {SCHEMA}.migration WHERE number = {newest_schema('postgres')}")
        key = {"lock": TURN}
        with bare(letters_url) as writer, writer.transaction("BEGIN"):
            writer.execute("SELECT pg_advisory_xact_lock(%(lock)s)", key)
            late = pool.submit(opened_once, letters_url)
            until(lambda: owner.execute(WAITING, key)[0][0] or late.done(), what="somebody who waits")
            assert owner.execute(f"SELECT max(number) FROM {SCHEMA}.migration") == [(newest_schema("postgres") - 1,)]
            assert not late.done()
        assert late.result() == 0
    graph.close()
