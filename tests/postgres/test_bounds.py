"""A reader held to some ontologies reads nothing of the others, neither in the truth nor in what is derived from it."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import psycopg
import pytest

from postgres.cluster import APP, Cluster
from postgres.filled import Filled, fill
from weft.errors import CannotOpen, NotFound, PermissionDenied
from weft.model import Filter, LogRequest, Page, Tier
from weft.services.recall.telling import Telling
from weft.store.postgres.bounds import BOUNDED, OPEN, RULES
from weft.store.postgres.connection import bare
from weft.store.postgres.granting import grant
from weft.store.postgres.opening import open_postgres
from weft.testing.making import DIMENSION, a_batch, a_node, changed, saved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.store.postgres.opening import OpenedServer

HIDDEN = "zeppelin"
TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'weft'::regnamespace AND relkind IN ('r', 'v')"


class Held(NamedTuple):
    """A graph, what is in it, and a login that is held to the ontology main."""

    cluster: Cluster
    database: str
    login: str
    filled: Filled

    def rows(self, sql: str, *values: object, user: str = "") -> list[tuple[object, ...]]:
        """Return the rows that SQL finds as the bound reader, or as the superuser ``postgres``."""
        with psycopg.connect(self.cluster.url(self.database, user=user or self.login), autocommit=True) as direct:
            direct.execute("SET search_path TO weft, public")
            if not user:
                direct.execute(f"SET ROLE {BOUNDED}".encode())
            return direct.execute(sql.encode(), values or None).fetchall()

    def opened(self, user: str = "") -> OpenedServer:
        """Open the graph as the bound login, or another."""
        url = self.cluster.url(self.database, **({"user": user} if user else {"user": self.login}))
        return open_postgres(url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=False)


@pytest.fixture(scope="module")
def held(cluster: Cluster) -> Iterator[Held]:
    """The graph of these tests; nothing that is tried here changes it."""
    database = cluster.create_database()
    login = f"bound_{database}"
    cluster.rows(f"CREATE ROLE {login} LOGIN")
    url = cluster.url(database)
    graph = open_postgres(url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)
    filled = fill(graph.store)
    graph.close()
    with bare(url) as owner:
        grant(owner, login, tier=Tier.READER, ontologies=("main",))
    yield Held(cluster, database, login, filled)
    cluster.drop_database(database)
    cluster.rows(f"DROP ROLE {login}")


def test_every_table_has_a_rule_or_holds_nothing_that_anybody_said(held: Held) -> None:
    """And what has none is closed: whoever adds a table to the schema has to think of this."""
    readable = {
        name
        for (name,) in held.cluster.rows(TABLES, database=held.database)
        if held.cluster.rows(
            "SELECT has_table_privilege(%s, %s, 'SELECT')", BOUNDED, f"weft.{name}", database=held.database
        )
        == [(True,)]
    }
    assert readable == {*RULES, *OPEN}
    closed = {name for (name,) in held.cluster.rows(TABLES, database=held.database)} - readable
    assert closed == {"receipt", "bound", "passage_entry", "passage_end", "mention_entry", "file_print_entry"}
    guarded = held.cluster.rows("SELECT relname FROM pg_class WHERE relrowsecurity", database=held.database)
    assert {name for (name,) in guarded} == set(RULES)


@pytest.mark.parametrize("table", sorted({*RULES, *OPEN}))
def test_nothing_of_another_ontology_is_read_from_a_table(held: Held, table: str) -> None:
    """No row, in any column, names what lies only there, its ids or its rows."""
    ids = {node.id for node in held.filled.secret} | {held.filled.crossing.id, held.filled.secret_source.id}
    said = " ".join(map(str, held.rows(f'SELECT * FROM "{table}"'))).lower()
    assert not [word for word in (HIDDEN, "airship", "z.py", *ids) if word in said]
    places = "SELECT passage.row FROM passage JOIN node ON node.row = passage.node WHERE node.ontology = 'plans'"
    hidden = {row for (row,) in held.rows(places, user="postgres")}
    column = {"passage": "row", "words": "row", "posting": "row"}.get(table)
    if column is not None:
        assert not hidden & {row for (row,) in held.rows(f"SELECT {column} FROM {table}")}
        assert hidden & {row for (row,) in held.rows(f"SELECT {column} FROM {table}", user="postgres")}


@pytest.mark.parametrize("table", sorted(set(RULES) - {"confidence_band", "series", "tally", "vote"}))
def test_without_the_rules_it_would_be_read(held: Held, table: str) -> None:
    """The twin: there is something to find in each of these tables."""
    with psycopg.connect(held.cluster.url(held.database, user="postgres")) as superuser:
        superuser.execute("SET search_path TO weft, public")
        for name in RULES:
            superuser.execute(f'ALTER TABLE "{name}" DISABLE ROW LEVEL SECURITY'.encode())
        superuser.execute(f"SET LOCAL ROLE {BOUNDED}".encode())
        seen = superuser.execute(f'SELECT count(*) FROM "{table}"'.encode()).fetchone()
        superuser.rollback()
    assert seen is not None
    assert seen[0] > len(held.rows(f'SELECT 1 FROM "{table}"'))


@pytest.mark.parametrize("table", ["receipt", "bound", "passage_entry", "passage_end", "mention_entry"])
def test_what_has_no_rule_is_closed(held: Held, table: str) -> None:
    """Receipts hold answers about anything, views read as their owner, and who is held to what is nobody's business."""
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        held.rows(f"SELECT * FROM {table}")
    assert held.rows(f"SELECT count(*) FROM {table}", user="postgres") != [(0,)]


def test_what_is_within_the_bounds_is_read_in_full(held: Held) -> None:
    """The other twin: the rules do not simply hide everything."""
    open_ids = {node.id for node in (*held.filled.open, held.filled.moved, held.filled.gone)}
    assert {id_ for (id_,) in held.rows("SELECT id FROM node")} == open_ids
    assert {source for (source,) in held.rows("SELECT id FROM source")} == {held.filled.open_source.id}
    tables = ("relation", "evidence", "passage", "words", "posting", "term", "tag", "name", "reference", "mention")
    for table in (*tables, "change", "file_print", "tally", "vote"):
        assert held.rows(f"SELECT 1 FROM {table} LIMIT 1"), table


def test_a_past_in_another_ontology_stays_there(held: Held) -> None:
    """A node that came into the bounds is seen as it is and not as it was: neither in the log, nor by its old words."""
    moved = held.filled.moved
    logged = "SELECT seq FROM change WHERE subject_id = %s"
    assert held.rows(logged, moved.id) == []
    assert len(held.rows(logged, moved.id, user="postgres")) == 2
    passages = "SELECT passage.row FROM passage JOIN node ON node.row = passage.node WHERE node.id = %s"
    assert len(held.rows(passages, moved.id)) == 1
    assert len(held.rows(passages, moved.id, user="postgres")) == 2


def test_such_a_reader_counts_the_relations_that_it_sees(held: Held) -> None:
    """The counts that are kept are the whole graph's, and none would be a wrong answer; others go by what is kept."""
    ((seen,),) = held.rows("SELECT count(*) FROM relation")
    ((all_,),) = held.rows("SELECT count(*) FROM relation", user="postgres")
    graph, owner = held.opened(), held.opened(user=APP)
    assert 0 < seen < all_
    assert graph.store.counts().relations == sum(graph.store.counts().relations_by_type.values()) == seen
    assert graph.shelf.relations_paged(Page(limit=1)).total == seen
    assert owner.store.counts().relations == owner.shelf.relations_paged(Page(limit=1)).total == all_
    graph.close()
    owner.close()


def test_such_a_reader_counts_the_nodes_that_it_sees_by_confidence(held: Held) -> None:
    """As for relations: the bands that are kept are the whole graph's."""
    graph, owner = held.opened(), held.opened(user=APP)
    mine, all_ = graph.store.counts(), owner.store.counts()
    assert 0 < mine.nodes < all_.nodes
    for counts in (mine, all_):
        assert sum(counts.nodes_by_confidence.values()) == counts.nodes
    bands = ("high", "medium", "low")
    standing = [row for (row,) in held.rows("SELECT confidence FROM node WHERE retired_at IS NULL")]
    due = [sum(least <= float(str(row)) < most for row in standing) for least, most in ((0.8, 2), (0.5, 0.8), (0, 0.5))]
    assert mine.nodes_by_confidence == {band: count for band, count in zip(bands, due, strict=True) if count}
    graph.close()
    owner.close()


def test_the_graph_opens_and_searches_for_such_a_reader(held: Held) -> None:
    """As a reader, over the same ports; what it finds lies within its bounds, and no word gives the others away."""
    graph = held.opened()
    assert graph.database.tier is Tier.READER
    assert graph.store.counts().nodes == len(held.filled.open) + 1
    assert [hit.node for hit in graph.words.search("water", filter=Filter(), limit=5)] == [held.filled.open[0].id]
    assert graph.words.search(HIDDEN, filter=Filter(), limit=5) == ()
    assert graph.words.search(HIDDEN, filter=Filter(as_of=1), limit=5) == ()
    assert (
        graph.words.holding(HIDDEN, filter=Filter(), limit=5)
        == graph.words.phrase(HIDDEN, filter=Filter(), limit=5)
        == ()
    )
    assert graph.store.nodes([node.id for node in held.filled.secret]) == {}
    assert [each.name for each in graph.upkeep.ontologies()] == ["main"]
    with pytest.raises(PermissionDenied):
        graph.store.commit(a_batch(saved(a_node())))
    graph.close()


def test_a_map_for_such_a_reader_shows_and_counts_what_it_sees(held: Held) -> None:
    """Neither a node nor a relation of another ontology, nor how many relations lead there."""
    graph, owner = held.opened(), held.opened(user=APP)
    mine, all_ = (dict(each.shelf.best_related(Filter(), limit=99, looked=99)) for each in (graph, owner))
    secret = {node.id for node in held.filled.secret}
    assert secret & all_.keys()
    assert not secret & mine.keys()
    seen = {(str(source), str(target)) for source, target in held.rows("SELECT source, target FROM relation")}
    assert mine == {node: sum(node in ends for ends in seen) for node in mine}
    assert sum(mine.values()) < sum(all_[node] for node in mine)
    among = graph.shelf.relations_among(list(all_), limit=99)
    assert {(each.source, each.target) for each in among.relations} == seen
    assert among.total == len(seen)
    graph.close()
    owner.close()


def test_nobody_else_is_held_to_anything(held: Held) -> None:
    """Readers without bounds see every row, and their queries run as before: no rule stands in their plans."""
    graph = held.opened(user="weft_app")
    assert graph.words.search(HIDDEN, filter=Filter(), limit=5)
    with graph.database.snapshot() as reader:
        assert reader.read("engine_version")
        (told,) = (" ".join(line for (line,) in reader.execute("EXPLAIN SELECT * FROM posting WHERE term = 'x'")),)
    assert "sees" not in told
    graph.close()
    plan = " ".join(str(line) for (line,) in held.rows("EXPLAIN SELECT * FROM posting WHERE term = 'x'"))
    assert "sees_passage" in plan


def test_what_a_reader_is_held_to_is_looked_up_once_for_the_whole_log(held: Held) -> None:
    """Not by a call for each line: one who sees nothing has every line asked, for every page of the log."""
    plan = " ".join(str(line) for (line,) in held.rows("EXPLAIN SELECT seq FROM change ORDER BY seq DESC LIMIT 1"))
    assert "InitPlan" in plan
    assert "sees_change" not in plan
    assert held.rows("SELECT sees_ontologies()") == [(["main"],)]


def test_a_bound_login_takes_no_other_role(held: Held) -> None:
    """Neither by asking for it, nor by being somebody else's member, nor by calling itself somebody else."""
    for role in ("weft_reader", "weft_contributor", "weft_curator", "weft_app", "postgres"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            held.rows(f"SET ROLE {role}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            held.rows(f"SET SESSION AUTHORIZATION {role}")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        held.rows("ALTER TABLE node DISABLE ROW LEVEL SECURITY")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        held.rows("SET row_security TO off; SELECT * FROM node")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        held.rows("INSERT INTO bound VALUES (session_user, 'plans')")


def test_what_the_rules_ask_tells_nothing_more_when_it_is_asked_directly(held: Held) -> None:
    """Whoever sees a row may know that he sees it; of the rest there is no telling whether it is there."""
    hidden, seen = held.filled.secret[0].id, held.filled.open[0].id
    for asked, known, unknown in (
        ("sees(%s)", seen, hidden),
        ("sees_subject(%s)", seen, held.filled.crossing.id),
        ("sees_source(%s)", held.filled.open_source.id, held.filled.secret_source.id),
        ("sees_term(%s)", "water", HIDDEN),
        ("sees_ontology(%s)", "main", "plans"),
        ("sees_learned(%s)", "learned_2026-03-01_001", "learned_2026-03-01_002"),
    ):
        assert held.rows(f"SELECT {asked}", known) == [(True,)]
        assert held.rows(f"SELECT {asked}", unknown) == held.rows(f"SELECT {asked}", "none such") == [(False,)]


def test_a_function_of_ones_own_is_shown_no_hidden_row(held: Held) -> None:
    """Rules come before conditions: a function that tells what it is called with is called with what is seen only."""
    notices: list[str] = []
    with psycopg.connect(held.cluster.url(held.database, user=held.login), autocommit=True) as direct:
        direct.add_notice_handler(lambda notice: notices.append(str(notice.message_primary)))
        direct.execute(f"SET ROLE {BOUNDED}".encode())
        direct.execute("""
            CREATE FUNCTION pg_temp.tell(said text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS
            $$ BEGIN RAISE NOTICE '%', said; RETURN true; END $$
        """)
        direct.execute("SELECT count(*) FROM weft.node WHERE pg_temp.tell(title)")
        direct.execute("SELECT count(*) FROM weft.words WHERE pg_temp.tell(body)")
    assert notices
    assert HIDDEN not in " ".join(notices).lower()


def test_bounds_can_be_widened_moved_and_taken_away(cluster: Cluster) -> None:
    """What a login is held to is what was last said; without a bound role it sees nothing, or as a plain reader all."""
    database = cluster.create_database()
    login, url = f"mover_{database}", cluster.url(database)
    cluster.rows(f"CREATE ROLE {login} LOGIN")
    graph = open_postgres(url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)
    filled = fill(graph.store)

    def seen(*ontologies: str, tier: Tier | None = Tier.READER) -> int:
        with bare(url) as owner:
            grant(owner, login, tier=tier, ontologies=ontologies)
        asking = open_postgres(
            cluster.url(database, user=login), tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=False
        )
        try:
            return asking.store.counts().nodes
        finally:
            asking.close()

    assert seen("plans") == len(filled.secret)
    assert seen("main", "plans") == len(filled.open) + 1 + len(filled.secret)
    assert seen("none such") == 0
    assert seen() == seen(tier=Tier.LIBRARIAN) == graph.store.counts().nodes
    with pytest.raises(CannotOpen, match="may take no role"):
        seen(tier=None)
    later = changed(filled.secret[0], ontology="main")
    assert seen("main") == len(filled.open) + 1
    graph.store.commit(a_batch(saved(later)))
    assert seen("main") == len(filled.open) + 2
    graph.close()
    cluster.drop_database(database)
    cluster.rows(f"DROP ROLE {login}")


def test_a_reader_bound_in_one_graph_is_not_let_loose_in_it_by_another(cluster: Cluster, held: Held) -> None:
    """Roles are the server's: granting a plain one for a second graph would open all of the first."""
    database = cluster.create_database()
    url = cluster.url(database)
    open_postgres(url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True).close()
    with bare(url) as owner, pytest.raises(PermissionDenied, match="another graph"):
        grant(owner, held.login, tier=Tier.READER)
    with pytest.raises((CannotOpen, PermissionDenied)):
        open_postgres(cluster.url(database, user=held.login), tier=Tier.READER, model="", dimension=0, create=False)
    cluster.drop_database(database)


def test_an_older_server_keeps_the_same_promises() -> None:
    """PostgreSQL 16: roles, bounds, and what is refused."""
    with Cluster(version=16) as older:
        database = older.create_database()
        older.rows("CREATE ROLE ann LOGIN")
        older.rows("CREATE ROLE bob LOGIN")
        url = older.url(database)
        with closing(open_postgres(url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)) as graph:
            filled = fill(graph.store)
        with bare(url) as owner:
            grant(owner, "ann", tier=Tier.CONTRIBUTOR)
            grant(owner, "bob", tier=Tier.READER, ontologies=("main",))
        held = Held(older, database, "bob", filled)
        with closing(held.opened("ann")) as graph:
            assert graph.database.tier is Tier.CONTRIBUTOR
            graph.store.commit(a_batch(saved(a_node("Salt dissolves"))))
        with closing(held.opened()) as graph:
            assert graph.words.search(HIDDEN, filter=Filter(), limit=5) == ()
            assert graph.store.counts().nodes == len(filled.open) + 2
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            held.rows("SET ROLE weft_reader")


def test_the_log_tells_of_what_is_within_the_bounds_alone(held: Held) -> None:
    """Batches, counts, titles and what is left of them are those of the changes that it sees."""
    with closing(held.opened()) as room, closing(held.opened(APP)) as whole:
        seen, everything = (
            Telling(store=each.store, shelf=each.shelf, log=each.log).log(LogRequest(limit=100))
            for each in (room, whole)
        )
        assert HIDDEN in str(everything).lower()
        assert HIDDEN not in str(seen).lower()
        assert not {node.id for node in held.filled.secret} & set(re.findall(r"'([0-9a-f-]{36})'", str(seen)))
        visible = [change.batch for change in reversed(room.log.since(0, limit=1_000))]
        assert [each.batch.batch for each in seen.entries] == list(dict.fromkeys(visible))
        for entry in seen.entries:
            assert entry.batch.changes == visible.count(entry.batch.batch)
            assert sum(count for _, _, count in entry.counts) == entry.batch.changes
        assert sum(each.batch.changes for each in seen.entries) < sum(each.batch.changes for each in everything.entries)
        with pytest.raises(NotFound):
            Telling(store=room.store, shelf=room.shelf, log=room.log).log(LogRequest(node=held.filled.secret[0].id))
