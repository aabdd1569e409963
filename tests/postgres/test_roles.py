"""PostgreSQL refuses what a tier does not reach, whatever SQL asks for it, and no role stays with a connection."""

from __future__ import annotations

from contextlib import closing, contextmanager, nullcontext, suppress
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import psycopg
import pytest

from postgres.cluster import APP
from postgres.filled import fill
from weft.errors import CannotOpen, InvalidArgument, NotFound, PermissionDenied
from weft.model import Tier
from weft.store.postgres.connection import bare
from weft.store.postgres.granting import grant
from weft.store.postgres.names import role_of
from weft.store.postgres.opening import open_postgres
from weft.testing.making import DIMENSION, a_batch, a_node, saved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from postgres.cluster import Cluster
    from weft.store.postgres.connection import PostgresWriter
    from weft.store.postgres.opening import OpenedServer

TRUTH = ("meta", "node", "relation", "source", "evidence", "suggestion", "vote", "series", "receipt", "change", "token")
SCHEMA = """
    SELECT relname::text, relkind::text, relacl::text, relrowsecurity FROM pg_class
    WHERE relnamespace = 'weft'::regnamespace UNION ALL
    SELECT tgname::text, tgenabled::text, tgrelid::regclass::text, tgisinternal FROM pg_trigger ORDER BY 1, 2, 3
"""
NODE_COLUMNS = """id, kind, title, content, ontology, lists, names, citation, confidence, importance, status, session,
    origin, channel, learned_id, created_at, created_by, modified_at, modified_by, version, hash"""
RELATION_COLUMNS = """id, source, target, type, reasoning, confidence, origin, rule, scores, learned_id, created_at,
    created_by, version, hash"""


class Attack(NamedTuple):
    """SQL that must fail up to ``tier``; ``harmless`` where it would not have changed the truth by itself either."""

    sql: str
    tier: Tier = Tier.CURATOR
    harmless: bool = False


CONTRIBUTOR, LIBRARIAN, CURATOR = Tier.CONTRIBUTOR, Tier.LIBRARIAN, Tier.CURATOR

ATTACKS: dict[str, Attack] = {
    # Taking away.
    "delete nodes": Attack("DELETE FROM node"),
    "delete sources": Attack("DELETE FROM source"),
    "delete the log": Attack("DELETE FROM change"),
    "delete votes": Attack("DELETE FROM vote"),
    "delete suggestions": Attack("DELETE FROM suggestion"),
    "delete receipts": Attack("DELETE FROM receipt"),
    "delete series": Attack("DELETE FROM series"),
    "delete facts": Attack("DELETE FROM meta"),
    "delete relations": Attack("DELETE FROM relation", CONTRIBUTOR),
    "delete evidence": Attack("DELETE FROM evidence", CONTRIBUTOR),
    "empty a table": Attack("TRUNCATE vote"),
    "empty everything": Attack("TRUNCATE node CASCADE"),
    # Taking away without saying so.
    "write over a node": Attack(
        f"INSERT INTO node ({NODE_COLUMNS}) SELECT {NODE_COLUMNS} FROM node"
        " ON CONFLICT (id) DO UPDATE SET created_by = 'eve'"
    ),
    "write over the log": Attack(
        "INSERT INTO change SELECT * FROM change ON CONFLICT (seq) DO UPDATE SET actor = 'eve'"
    ),
    "write over a source": Attack(
        "INSERT INTO source SELECT * FROM source ON CONFLICT (id) DO UPDATE SET document = 'x'"
    ),
    "write over a fact": Attack(
        "INSERT INTO meta VALUES ('model', 'x') ON CONFLICT (key) DO UPDATE SET value = 'x'", LIBRARIAN
    ),
    "merge the log": Attack("MERGE INTO change USING (SELECT 1) AS one ON true WHEN MATCHED THEN DELETE"),
    "turn a series back": Attack("UPDATE series SET value = 1"),
    "change who made a node": Attack("UPDATE node SET created_by = 'eve'"),
    "change a node's id": Attack("UPDATE node SET id = 'x' || id"),
    "change who voted": Attack("UPDATE vote SET actor = 'eve' WHERE actor = 'ada'"),
    "change a line of the log": Attack("UPDATE change SET after = '{}'", LIBRARIAN),
    "change who is in the log": Attack("UPDATE change SET actor = 'eve'"),
    "insert into the middle of the log": Attack(
        "INSERT INTO change (seq, at, actor, client, tool, session, batch, subject, subject_id, action)"
        " VALUES (0, '1999', 'eve', '', '', '', '', 'node', 'x', 'create')"
    ),
    "change what a receipt answers": Attack("UPDATE receipt SET answer = '{}'", LIBRARIAN),
    "change a source": Attack("UPDATE source SET text = ''", LIBRARIAN),
    # Reaching above one's tier.
    "retire": Attack("UPDATE node SET retired_at = '2026' WHERE origin <> 'document'", CONTRIBUTOR),
    "merge": Attack("UPDATE node SET merged_into = 'x' WHERE origin <> 'document'", CONTRIBUTOR),
    "retire by inserting over": Attack(
        f"INSERT INTO node ({NODE_COLUMNS}) SELECT {NODE_COLUMNS} FROM node WHERE origin <> 'document'"
        " ON CONFLICT (id) DO UPDATE SET retired_at = '2026'",
        CONTRIBUTOR,
    ),
    "retire what a document said": Attack("UPDATE node SET retired_at = '2026' WHERE origin = 'document'"),
    "take a document's protection away": Attack("UPDATE node SET origin = 'manual' WHERE origin = 'document'"),
    "take a relation's protection away": Attack("UPDATE relation SET origin = 'manual' WHERE origin = 'document'"),
    "remove a document's relation": Attack("DELETE FROM relation WHERE origin = 'document'"),
    "remove a document's evidence": Attack("DELETE FROM evidence WHERE type = 'DOCUMENT'"),
    "move evidence": Attack("UPDATE evidence SET subject = (SELECT min(id) FROM node)", CONTRIBUTOR),
    "change what a document said": Attack("UPDATE evidence SET quote = 'x' WHERE type = 'DOCUMENT'"),
    "decide": Attack("UPDATE suggestion SET state = 'accepted', decided_by = 'eve'", CONTRIBUTOR),
    "make a decided suggestion": Attack(
        "INSERT INTO suggestion SELECT 'x', kind, 'x', subjects, '', '{}', '{}', 0, 'accepted', created_at, 'eve',"
        " NULL, 'eve', '', 1, 'x' FROM suggestion LIMIT 1",
        CONTRIBUTOR,
    ),
    "let oneself in": Attack(
        "INSERT INTO token VALUES ('t', 'h', 'eve', 'curator', '2026', 'eve', NULL, NULL)", LIBRARIAN
    ),
    "capture as a reader": Attack(
        f"INSERT INTO node ({NODE_COLUMNS}) SELECT 'x', kind, title, content, ontology, lists, names, '', 0, 0, status,"
        " '', origin, '', '', created_at, 'eve', created_at, 'eve', 1, '' FROM node LIMIT 1",
        Tier.READER,
    ),
    "update as a reader": Attack("UPDATE node SET title = 'x'", Tier.READER),
    "vote as a reader": Attack("INSERT INTO vote VALUES ('x', 'eve', 1, '', '2026')", Tier.READER),
    "log as a reader": Attack(
        "INSERT INTO change (seq, at, actor, client, tool, session, batch, subject, subject_id, action)"
        " SELECT max(seq) + 1, '2026', 'eve', '', '', '', '', 'node', 'x', 'create' FROM change",
        Tier.READER,
    ),
    # Derived tables, from outside their triggers.
    "write words": Attack("INSERT INTO words (row, name, body) VALUES (99, 'a', 'b')", LIBRARIAN, harmless=True),
    "delete words": Attack("DELETE FROM words", LIBRARIAN, harmless=True),
    "write postings": Attack("UPDATE posting SET length = 0", LIBRARIAN, harmless=True),
    "write the corpus": Attack("UPDATE corpus SET words = 0", LIBRARIAN, harmless=True),
    "write passages": Attack("UPDATE passage SET to_seq = 1", LIBRARIAN, harmless=True),
    "delete passages": Attack("DELETE FROM passage", LIBRARIAN, harmless=True),
    "write names": Attack("INSERT INTO name VALUES ('x', 'title', 1)", LIBRARIAN, harmless=True),
    "delete names": Attack("DELETE FROM name", LIBRARIAN, harmless=True),
    "write tags": Attack("INSERT INTO tag VALUES ('x', 1)", LIBRARIAN, harmless=True),
    "write the tally": Attack("UPDATE tally SET count = 0", LIBRARIAN, harmless=True),
    "write the bands": Attack("UPDATE confidence_band SET count = 0", LIBRARIAN, harmless=True),
    "write a print": Attack("INSERT INTO file_print VALUES (1, 'a', '', 'a', 'd')", LIBRARIAN, harmless=True),
    "write frequencies": Attack("UPDATE term SET df = 0", LIBRARIAN, harmless=True),
    "write mentions": Attack("DELETE FROM mention", LIBRARIAN, harmless=True),
    "end passages as a reader": Attack("INSERT INTO passage_end VALUES (1, 0, 9, 1)", Tier.READER, harmless=True),
    "enter words as a reader": Attack(
        'INSERT INTO passage_entry (node, ordinal, start, "end", vector, from_seq) VALUES (1, 9, 0, 0, NULL, 1)',
        Tier.READER,
        harmless=True,
    ),
    # The schema, the roles and the server.
    "drop a table": Attack("DROP TABLE receipt"),
    "drop a guard": Attack("DROP TRIGGER node_kept ON node"),
    "drop an index": Attack("DROP INDEX node_by_kind"),
    "switch the guards off": Attack("ALTER TABLE node DISABLE TRIGGER USER"),
    "switch triggers off": Attack("SET session_replication_role = replica", harmless=True),
    "change a guard": Attack("ALTER FUNCTION weft_tier() RENAME TO x", harmless=True),
    "alter a table": Attack("ALTER TABLE node ADD COLUMN x text"),
    "own a table": Attack("ALTER TABLE node OWNER TO CURRENT_USER", harmless=True),
    "make a table": Attack("CREATE TABLE weft.x (a integer)"),
    "make a function": Attack("CREATE FUNCTION weft.x() RETURNS integer LANGUAGE sql AS 'SELECT 1'", harmless=True),
    "make a trigger": Attack("CREATE TRIGGER x AFTER INSERT ON node EXECUTE FUNCTION refuse('x')"),
    "make a view": Attack("CREATE VIEW weft.x AS SELECT 1 AS a"),
    "make a schema": Attack("CREATE SCHEMA x", harmless=True),
    "make a role": Attack("CREATE ROLE weft_x", harmless=True),
    "become more": Attack("GRANT weft_curator TO weft_reader", harmless=True),
    "give rights away": Attack(
        "ALTER DEFAULT PRIVILEGES FOR ROLE weft_app GRANT ALL ON TABLES TO PUBLIC", harmless=True
    ),
    "edit the catalogue": Attack("UPDATE pg_class SET relname = 'x' WHERE relname = 'node'", harmless=True),
    "read passwords": Attack("SELECT * FROM pg_authid", harmless=True),
    "read a file": Attack("SELECT pg_read_file('/etc/hostname')", harmless=True),
    "copy the graph out": Attack("COPY node TO '/tmp/x'", harmless=True),
    "run a program": Attack("COPY node TO PROGRAM 'cat'", harmless=True),
    "set the server": Attack("SET zero_damaged_pages = on", harmless=True),
    "end the server's work": Attack("SELECT pg_reload_conf()", harmless=True),
    "lock everybody out": Attack("LOCK TABLE node IN ACCESS EXCLUSIVE MODE", harmless=True),
    "take an extension apart": Attack("ALTER EXTENSION vector DROP TYPE halfvec", harmless=True),
}


class Kept(NamedTuple):
    """A graph with something in every table: cluster, database, URL, and a connection of its owner to watch it by."""

    cluster: Cluster
    database: str
    url: str

    watcher: psycopg.Connection[psycopg.rows.TupleRow]

    def truth(self, *, tables: tuple[str, ...] = TRUTH) -> str:
        """Return a hash over the schema, who may do what in it, and every row of truth."""
        return truth(self.watcher, tables)

    def opened(self, user: str = APP, tier: Tier = Tier.CURATOR) -> OpenedServer:
        """Open the graph as ``user``."""
        url = self.cluster.url(self.database, user=user)
        return open_postgres(url, tier=tier, model="letters", dimension=DIMENSION, create=False)


def truth(connection: psycopg.Connection[psycopg.rows.TupleRow], tables: tuple[str, ...] = TRUTH) -> str:
    """Return a hash over the schema and every row of these tables."""
    rows = [connection.execute(SCHEMA).fetchall()]
    there = {row[0] for row in rows[0]}
    asked = (f"SELECT * FROM weft.{table} ORDER BY 1, 2" for table in tables if table in there)
    rows.extend(connection.execute(sql.encode()).fetchall() for sql in asked)
    return sha256(repr(rows).encode()).hexdigest()


@pytest.fixture(scope="module")
def kept(cluster: Cluster) -> Iterator[Kept]:
    """The graph that is attacked; whatever is tried is refused, so one will do for all."""
    name = cluster.create_database()
    url = cluster.url(name)
    with closing(open_postgres(url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)) as graph:
        fill(graph.store)
    with psycopg.connect(url, autocommit=True) as watcher:
        yield Kept(cluster, name, url, watcher)
    cluster.drop_database(name)


@pytest.fixture
def login(kept: Kept) -> Iterator[Callable[[], str]]:
    """Makes logins that are nothing yet, and takes them away again."""
    made: list[str] = []

    def make() -> str:
        made.append(f"weft_{kept.database}_{len(made)}".replace("weft_weft", "login"))
        kept.cluster.rows(f"CREATE ROLE {made[-1]} LOGIN")
        return made[-1]

    yield make
    for name in made:
        kept.cluster.rows(f"DROP OWNED BY {name}", database=kept.database)
        kept.cluster.rows(f"DROP ROLE {name}")


@pytest.fixture(scope="module")
def graph(kept: Kept) -> Iterator[OpenedServer]:
    """The graph, opened by its owner."""
    opened = kept.opened()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def before(kept: Kept) -> tuple[str, str]:
    """What was true, and what was derived from it, before any attack."""
    return kept.truth(), kept.truth(tables=("passage", "words", "term", "tag", "name", "mention", "tally"))


@pytest.mark.parametrize(
    ("name", "tier"),
    [(name, tier) for name, attack in ATTACKS.items() for tier in Tier if tier <= attack.tier],
    ids=lambda part: part.label if isinstance(part, Tier) else part,
)
def test_an_attack_is_refused_and_changes_nothing(
    kept: Kept, graph: OpenedServer, before: tuple[str, str], name: str, tier: Tier
) -> None:
    """In the transaction that a caller of the tier gets."""
    with pytest.raises(PermissionDenied), graph.database.writer(tier) as writer:
        writer.execute(ATTACKS[name].sql)
    tables = ("passage", "words", "term", "tag", "name", "mention", "tally")
    assert (kept.truth(), kept.truth(tables=tables)) == before


@pytest.mark.parametrize("name", [name for name, attack in ATTACKS.items() if not attack.harmless])
def test_without_roles_and_guards_the_same_attack_does_its_work(kept: Kept, name: str) -> None:
    """The twin: were it not for grants and triggers, the truth would be another; it is taken back."""
    place = f"host={kept.cluster.folder} port={kept.cluster.port} user=postgres dbname={kept.database}"
    with psycopg.connect(place) as superuser:
        superuser.execute("SET search_path TO weft, public")
        superuser.execute("SET LOCAL session_replication_role = replica")
        held = truth(superuser)
        superuser.execute(ATTACKS[name].sql.encode())
        assert truth(superuser) != held
        superuser.rollback()


class _Undo(Exception):
    """Takes a transaction back."""


@contextmanager
def undone(graph: OpenedServer, tier: Tier) -> Iterator[PostgresWriter]:
    """Give a caller of ``tier`` its writer, and take back what it has written."""
    with suppress(_Undo), graph.database.writer(tier) as writer:
        yield writer
        raise _Undo


def test_each_tier_can_do_what_it_is_for(kept: Kept, graph: OpenedServer, before: tuple[str, str]) -> None:
    """The other twin: not everything is refused. A reader reads, and so on up."""
    for tier in (Tier.CONTRIBUTOR, Tier.LIBRARIAN, Tier.CURATOR):
        with undone(graph, tier) as writer:
            writer.execute("UPDATE relation SET reasoning = 'x' WHERE origin <> 'document'")
            if tier >= Tier.LIBRARIAN:
                writer.execute("UPDATE suggestion SET state = 'accepted', decided_by = 'ada' WHERE state = 'open'")
            if tier >= Tier.CURATOR:
                writer.execute("UPDATE meta SET value = 'x' WHERE key = 'name'")
    with closing(kept.opened(tier=Tier.READER)) as reading:
        assert reading.store.counts().nodes == graph.store.counts().nodes > 0
    assert kept.truth() == before[0]


def test_a_reader_writes_nothing_at_all(kept: Kept) -> None:
    """Not one right but to read, on any table, view or column; and every role can read all that is not the server's."""
    rights = """
        SELECT relname, priv FROM pg_class, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) AS priv
        WHERE relnamespace = 'weft'::regnamespace AND relkind IN ('r', 'v')
            AND (has_table_privilege('weft_reader', pg_class.oid, priv)
                OR (priv IN ('INSERT', 'UPDATE') AND has_any_column_privilege('weft_reader', pg_class.oid, priv)))
    """
    assert kept.cluster.rows(rights, database=kept.database) == []
    twin = rights.replace("weft_reader", "weft_contributor")
    assert ("node", "INSERT") in kept.cluster.rows(twin, database=kept.database)


def test_a_role_taken_for_a_transaction_does_not_stay_with_the_connection(graph: OpenedServer) -> None:
    """The next one who gets the connection is the login, and takes what is the caller's own."""
    with graph.database.writer(Tier.CONTRIBUTOR) as writer:
        told = writer.execute("SELECT pg_backend_pid(), current_user, current_setting('weft.spares')")
    with graph.database._writers.taken() as next_one:  # noqa: SLF001 - what a pool hands on is what this is about
        after = next_one.execute("SELECT pg_backend_pid(), current_user, current_setting('weft.spares', true)")
    assert [row[:2] for row in told] == [(after[0][0], "weft_contributor")]
    assert after[0][1] == APP
    assert not after[0][2]


def test_a_role_taken_in_earnest_would_leak(graph: OpenedServer) -> None:
    """The twin: a plain SET ROLE stays, and whoever comes next is a curator without having asked."""
    with graph.database.writer(Tier.CONTRIBUTOR) as writer:
        told = writer.execute("SELECT pg_backend_pid()")
        writer.execute("SET ROLE weft_curator")
    with graph.database._writers.taken() as next_one:  # noqa: SLF001 - likewise
        after = next_one.execute("SELECT pg_backend_pid(), current_user")
        next_one.execute("RESET ROLE")
    assert after == [(told[0][0], "weft_curator")]


@pytest.mark.parametrize("tier", list(Tier), ids=lambda tier: tier.label)
def test_a_login_reaches_no_further_than_it_was_granted(
    kept: Kept, login: Callable[[], str], before: tuple[str, str], tier: Tier
) -> None:
    """Whatever tier it opens with and asks for; and the server lets it take no higher role."""
    name = login()
    with bare(kept.url) as owner:
        grant(owner, name, tier=tier)
    graph = kept.opened(name)
    assert graph.database.tier is tier
    higher = [each for each in Tier if each > tier]
    for each in higher:
        with pytest.raises(PermissionDenied), graph.database._writers.taken() as raw:  # noqa: SLF001 - the login itself
            raw.execute(f"SET ROLE {role_of(each)}")
    if tier is Tier.READER:
        with pytest.raises(PermissionDenied):
            graph.store.commit(a_batch(saved(a_node())))
    if tier < Tier.LIBRARIAN:
        with pytest.raises(PermissionDenied), graph.database.writer(Tier.CURATOR) as writer:
            writer.execute("UPDATE node SET retired_at = '2026' WHERE origin <> 'document'")
    graph.close()
    assert kept.truth() == before[0]


def test_a_login_speaks_for_its_tier_even_before_it_takes_the_role(kept: Kept, login: Callable[[], str]) -> None:
    """An administrator's plain GRANT lets it inherit: the guards know it for what it is, not for the owner."""
    name = login()
    kept.cluster.rows(f"GRANT weft_contributor TO {name}")
    with psycopg.connect(kept.cluster.url(kept.database, user=name), autocommit=True) as direct:
        direct.execute("SET search_path TO weft, public")
        assert direct.execute("SELECT weft_tier()").fetchone() == (Tier.CONTRIBUTOR,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="needs tier librarian"):
            direct.execute("UPDATE node SET origin = 'manual' WHERE origin = 'document'")
    with psycopg.connect(kept.url, autocommit=True) as owner:
        owner.execute("SET search_path TO weft, public")
        assert owner.execute("SELECT weft_tier()").fetchone() == (Tier.CURATOR,)


def test_a_grant_can_be_lowered_and_taken_back(kept: Kept, login: Callable[[], str]) -> None:
    """What was granted before is no more; a login that is nothing is told whom to ask."""
    name = login()
    for tier in (Tier.CURATOR, Tier.CONTRIBUTOR):
        with bare(kept.url) as owner:
            grant(owner, name, tier=tier)
        graph = kept.opened(name)
        assert graph.database.tier is tier
        graph.close()
    with bare(kept.url) as owner:
        grant(owner, name, tier=None)
    with pytest.raises(CannotOpen, match="may take no role") as refused:
        kept.opened(name)
    assert "weft db grant" in refused.value.hint


def test_only_the_owner_grants_and_only_to_logins_that_are_there(kept: Kept, login: Callable[[], str]) -> None:
    """Nobody raises himself, and the owner is not lowered by mistake."""
    name = login()
    with bare(kept.url) as owner:
        grant(owner, name, tier=Tier.CURATOR)
        with pytest.raises(NotFound, match="nobody-here"):
            grant(owner, "nobody-here", tier=Tier.READER)
        with pytest.raises(InvalidArgument, match="owns the graph"):
            grant(owner, APP, tier=Tier.READER)
        with pytest.raises(InvalidArgument, match="only a reader"):
            grant(owner, name, tier=Tier.CONTRIBUTOR, ontologies=("main",))
    with bare(kept.cluster.url(kept.database, user=name)) as curator, pytest.raises(PermissionDenied, match="owns"):
        grant(curator, name, tier=Tier.CURATOR)


def test_what_an_administrator_granted_is_told_or_taken_back(kept: Kept, login: Callable[[], str]) -> None:
    """A role that the owner cannot take back leaves everything as it was, with an error that names it.

    PostgreSQL 15 does not keep who granted what: there the owner takes it back.
    """
    name = login()
    kept.cluster.rows(f"GRANT weft_curator TO {name}")
    keeps_grantors = kept.cluster.version > 15
    refusal = pytest.raises(PermissionDenied, match="still weft_curator") if keeps_grantors else nullcontext()
    with bare(kept.url) as owner, refusal:
        grant(owner, name, tier=Tier.READER)
    left = "weft_curator" if keeps_grantors else "weft_reader"
    held = kept.cluster.rows("SELECT rolname FROM pg_roles WHERE pg_has_role(%s, oid, 'MEMBER')", name)
    assert sorted(role for (role,) in held if role != name) == [left]


def test_an_odd_name_is_a_name_and_nothing_else(kept: Kept) -> None:
    """Names are quoted by the server."""
    odd = '"; DROP TABLE weft.node; --'
    quoted = odd.replace('"', '""')
    kept.cluster.rows(f'CREATE ROLE "{quoted}" LOGIN')
    with bare(kept.url) as owner:
        grant(owner, odd, tier=Tier.READER)
        grant(owner, odd, tier=None)
    kept.cluster.rows(f'REVOKE ALL ON DATABASE {kept.database} FROM "{quoted}"')
    kept.cluster.rows(f'DROP ROLE "{quoted}"')
    with closing(kept.opened()) as graph:
        assert graph.store.counts().nodes > 0


@pytest.mark.parametrize("table", ["tag", "name", "tally"])
def test_a_callers_own_table_does_not_lead_a_trigger_astray(graph: OpenedServer, table: str) -> None:
    """Anybody may make temporary tables, which come before all others: functions of the graph look there last."""
    with undone(graph, Tier.CONTRIBUTOR) as writer:
        shadow(writer, table)
        writer.execute(INSERT.format(id="x"))
        assert writer.execute(f"SELECT count(*) FROM pg_temp.{table}") == [(0,)]


def test_a_callers_own_log_does_not_open_the_graphs(graph: OpenedServer) -> None:
    """What the guard of the log counts is the log."""
    attack = ATTACKS["insert into the middle of the log"].sql.replace("INTO change", "INTO weft.change")
    with undone(graph, Tier.CONTRIBUTOR) as writer:
        shadow(writer, "change")
        with pytest.raises(PermissionDenied, match="at its end only"):
            writer.execute(attack)


def test_with_another_search_path_a_callers_own_table_would(kept: Kept) -> None:
    """The twin: told to look there first, the owner's own trigger writes where the caller says."""
    place = f"host={kept.cluster.folder} port={kept.cluster.port} user=postgres dbname={kept.database}"
    with psycopg.connect(place) as superuser:
        superuser.execute("ALTER FUNCTION weft.node_made() SET search_path TO weft, public")
        superuser.execute("SET search_path TO weft, public")
        superuser.execute("SET LOCAL ROLE weft_contributor")
        superuser.execute("CREATE TEMP TABLE tag (LIKE weft.tag INCLUDING ALL)")
        superuser.execute("GRANT ALL ON pg_temp.tag TO PUBLIC")
        superuser.execute(INSERT.format(id="x").encode())
        assert superuser.execute("SELECT tag FROM pg_temp.tag").fetchall() == [("salt",)]
        superuser.rollback()


INSERT = f"""
    INSERT INTO weft.node ({NODE_COLUMNS}) VALUES ('{{id}}', 'claim', 't', 'c', 'main', '{{{{"tags": ["salt"],
        "references": []}}}}', '[["t", "title"]]', '', 0.5, 0.5, 'active', '', 'manual', '', '', 'now', 'eve', 'now',
        'eve', 1, '')
"""


def shadow(writer: PostgresWriter, table: str) -> None:
    """Make a temporary table that has the name of one of the graph's."""
    writer.execute(f"CREATE TEMP TABLE {table} (LIKE weft.{table} INCLUDING ALL) ON COMMIT DROP")
    writer.execute(f"GRANT ALL ON pg_temp.{table} TO PUBLIC")
