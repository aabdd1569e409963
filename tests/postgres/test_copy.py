"""A whole graph goes from one engine to the other and back, loses nothing, and stands still where it is broken off."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from postgres.filled import Filled, fill
from store.soundness import faults
from weft.errors import CannotOpen, Conflict, InvalidArgument, PermissionDenied, Unavailable
from weft.model import Filter, Tier, Token
from weft.store import open_sqlite
from weft.store.copying import copy
from weft.store.postgres.opening import open_postgres
from weft.store.sqlite import Connection, connect
from weft.store.tables import PASSAGE, TABLES, TERM
from weft.testing.making import AT, DIMENSION, a_batch, a_node, changed, saved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from postgres.cluster import Cluster
    from weft.store import Opened
    from weft.store.copying import Place

FACTS = "SELECT key, value FROM meta WHERE key <> 'name' ORDER BY key"
INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'weft' ORDER BY 1"
GUARDS = "SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2"
RIGHTS = "SELECT relname, relacl::text FROM pg_class WHERE relnamespace = 'weft'::regnamespace ORDER BY 1"
OWN_WORDS = ("SELECT row, name, body FROM words ORDER BY 1", "SELECT * FROM posting ORDER BY term, row")


def opened(place: Place, *, create: bool = False) -> Opened:
    """Open the graph at ``place``."""
    if isinstance(place, Path):
        return open_sqlite(place, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=create)
    return open_postgres(place, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=create)


def filled(place: Place) -> Filled:
    """Make a graph at ``place`` with something in every table."""
    with closing(opened(place, create=True)) as graph:
        graph.tokens.add(
            Token(id="t", hash="h", actor="ann", tier=Tier.READER, created_at=AT, created_by="ada"), tier=Tier.CURATOR
        )
        return fill(graph.store)


def rows(place: Place, sql: str) -> list[tuple[Any, ...]]:
    """Return what SQL finds in the graph at ``place``, past every guard."""
    if isinstance(place, Path):
        with closing(Connection(connect(place, synchronous="OFF", vfs=""))) as connection:
            return connection.execute(sql)
    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute("SET search_path TO weft, public")
        cursor = connection.execute(sql.encode())
        return cursor.fetchall() if cursor.description else []


def held(place: Place) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table that a copy carries, but for vectors, in order."""
    tables = {
        table.name: ", ".join(f'"{name}"' for name in table.columns if name != "vector") for table in (*TABLES, TERM)
    }
    keys = {table.name: ", ".join(f'"{name}"' for name in table.key) for table in (*TABLES, TERM)}
    found = {name: rows(place, f'SELECT {what} FROM "{name}" ORDER BY {keys[name]}') for name, what in tables.items()}
    return found | {"meta": rows(place, FACTS)}


def vectors(graph: Opened) -> dict[str, list[float]]:
    """Return the vectors of all passages by node."""
    ids = [row[0] for row in graph.database.read("archive_nodes", after="", limit=100)]
    return {node: some.tolist() for node, some in graph.passages.of(ids).items()}


@pytest.fixture(scope="module")
def template(cluster: Cluster) -> str:
    """A database with a filled graph, of which others are made; nobody is connected to it."""
    name = cluster.create_database()
    filled(cluster.url(name))
    return name


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a filled graph, of which others are made."""
    path = tmp_path_factory.mktemp("filled") / "one.db"
    filled(path)
    return path


class Ways:
    """Makes a place with a filled graph, and one that holds none, by the way that goes from one to the other."""

    def __init__(self, cluster: Cluster, folder: Path, original: Path, template: str) -> None:
        self._cluster = cluster
        self._folder = folder
        self._original = original
        self._template = template
        self.databases: list[str] = []

    def filled(self, engine: str) -> Place:
        """Return a place with a filled graph in it."""
        if engine == "file":
            return Path(shutil.copy(self._original, self._folder / "one.db"))
        return self.url(self._template)

    def free(self, engine: str) -> Place:
        """Return a place that holds no graph."""
        return self._folder / "two.db" if engine == "file" else self.url("template1")

    def url(self, template: str) -> str:
        """Return a database that is made of another."""
        self.databases.append(self._cluster.create_database(template=template))
        return self._cluster.url(self.databases[-1])


@pytest.fixture
def ways(cluster: Cluster, tmp_path: Path, original: Path, template: str) -> Iterator[Ways]:
    """Makes places, whose databases are gone when the test is over."""
    made = Ways(cluster, tmp_path, original, template)
    yield made
    for name in made.databases:
        cluster.drop_database(name)


@pytest.fixture(params=["file to database", "database to file"])
def places(request: pytest.FixtureRequest, ways: Ways) -> tuple[Place, Place]:
    """A place with a graph, and one without, of either engine."""
    source, _, target = request.param.partition(" to ")
    return ways.filled(source), ways.free(target)


@pytest.mark.parametrize("source", ["file", "database"])
@pytest.mark.parametrize("target", ["file", "database"])
def test_a_copy_holds_what_the_graph_held(ways: Ways, source: str, target: str) -> None:
    """Every row of every table, every vector and every word; what was compared is told, table by table."""
    source, target = ways.filled(source), ways.free(target)
    copied = copy(source, target)
    assert copied.same
    assert not copied.resumed
    assert copied.behind == 0
    assert [each.table for each in copied.tables] == [*(table.name for table in TABLES), "term", "words", "meta"]
    empty = [each.table for each in copied.tables if not each.rows]
    assert empty == []
    assert held(target) == held(source)
    assert rows(source, "SELECT count(*) FROM token") == [(1,)]
    assert rows(target, "SELECT count(*) FROM token") == [(0,)]
    with closing(opened(source)) as one, closing(opened(target)) as other:
        assert vectors(other) == vectors(one)
        assert other.store.counts() == one.store.counts()
    if isinstance(target, Path):
        assert not faults(target)


def test_the_past_is_searched_in_the_copy_as_it_was(places: tuple[Place, Place]) -> None:
    """Passages that have ended came along, with the words that they had."""
    source, target = places
    copy(source, target)
    with closing(opened(source)) as one, closing(opened(target)) as other:
        head = one.log.head()
        for text in ("zeppelin", "steam cold", "ice melts", "steel mast", "measured twice", "heat", "boiling water"):
            for seq in (None, 1, 7, 10, head):
                wanted = one.words.search(text, filter=Filter(as_of=seq), limit=9)
                found = other.words.search(text, filter=Filter(as_of=seq), limit=9)
                assert {hit.node for hit in found} == {hit.node for hit in wanted}, (text, seq)
                assert sorted(hit.terms for hit in found) == sorted(hit.terms for hit in wanted)
        assert len(other.words.search("steam", filter=Filter(as_of=7), limit=9)) == 1
        assert other.words.search("steam", filter=Filter(), limit=9) == ()
        assert other.log.since(0, limit=100) == one.log.since(0, limit=100)


def test_there_and_back_again_nothing_is_another(ways: Ways, original: Path, tmp_path: Path) -> None:
    """From a file to a database and back to a file: the first and the last hold the same, bit by bit."""
    url, last = ways.free("database"), tmp_path / "last.db"
    there, back = copy(original, url), copy(url, last)
    assert [each.digest for each in there.tables] == [each.copied_digest for each in back.tables]
    assert held(original) == held(last)
    vectors = "SELECT row, vector FROM passage ORDER BY row"
    assert rows(original, vectors) == rows(last, vectors)


def test_a_copied_database_has_the_guards_rights_and_look_ups_of_a_made_one(ways: Ways) -> None:
    """What was put aside is back, to the letter, and the words lie as they would if they had been captured."""
    made, copied = ways.filled("database"), ways.free("database")
    copy(ways.filled("file"), copied)
    for sql in (INDEXES, GUARDS, RIGHTS, *OWN_WORDS, "SELECT * FROM corpus"):
        assert rows(copied, sql) == rows(made, sql)
    assert rows(copied, "SELECT to_regclass('copy_step')") == [(None,)]


def test_a_copy_goes_on_growing_as_the_graph_would(places: tuple[Place, Place]) -> None:
    """Rows, positions, numbers and words follow on what was copied."""
    source, target = places
    copy(source, target)
    with closing(opened(source)) as graph:
        ((id_,),) = rows(source, "SELECT id FROM node WHERE title LIKE 'Ice%'")
        node, warmer = a_node("Salt dissolves"), changed(graph.store.nodes([id_])[id_], title="Ice thaws")
    for place in places:
        with closing(opened(place)) as graph:
            graph.store.commit(a_batch(saved(node), saved(warmer)))
    plain = "SELECT row, id FROM node ORDER BY row"
    assert rows(source, plain) == rows(target, plain)
    ordered = "SELECT row, node, ordinal, from_seq, to_seq FROM passage ORDER BY row"
    assert rows(source, ordered) == rows(target, ordered)
    assert rows(source, "SELECT * FROM term ORDER BY term") == rows(target, "SELECT * FROM term ORDER BY term")
    assert rows(source, "SELECT * FROM tally ORDER BY 1, 2, 3, 4, 5") == rows(
        target, "SELECT * FROM tally ORDER BY 1, 2, 3, 4, 5"
    )


class _Broken(Exception):
    """The copy is broken off here."""


def breaking(stage: str) -> Callable[[int, int, str], None]:
    """Return a report that ends the copy when it comes to ``stage``."""

    def report(_done: int, _total: int, what: str) -> None:
        if what == stage:
            raise _Broken

    return report


@pytest.mark.parametrize(
    "stage", ["copying node", "copying passage", "copying change", "making look-ups", "comparing name"]
)
def test_a_copy_that_is_broken_off_goes_on_where_it_stood(
    places: tuple[Place, Place], monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    """Meanwhile nobody opens half a graph; a row that is there is not written again."""
    source, target = places
    small_pages(monkeypatch)
    with pytest.raises(_Broken):
        copy(source, target, report=breaking(stage))
    with pytest.raises(CannotOpen, match="under way") as refused:
        opened(target)
    assert "weft copy SOURCE TARGET" in refused.value.hint
    there = len(rows(target, "SELECT 1 FROM node"))
    assert there > 0
    told: list[tuple[int, str]] = []
    copied = copy(source, target, report=lambda done, _total, what: told.append((done, what)))
    assert copied.same
    assert copied.resumed
    assert ("copying node" in {what for _, what in told}) == (stage == "copying node")
    assert held(target) == held(source)
    opened(target).close()


def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have two rows carried at a time, so that a small graph takes many steps."""
    for table in (*TABLES, TERM):
        monkeypatch.setattr(type(table), "page", property(lambda _: 2), raising=False)


def test_a_copy_stops_at_a_source_that_has_changed(places: tuple[Place, Place]) -> None:
    """Half of then and half of now would be no graph; begun anew it is whole."""
    source, target = places
    with pytest.raises(_Broken):
        copy(source, target, report=breaking("copying passage"))
    with closing(opened(source)) as graph:
        graph.store.commit(a_batch(saved(a_node("Salt dissolves"))))
    with pytest.raises(Conflict, match="has changed since") as refused:
        copy(source, target)
    assert "--restart" in refused.value.hint
    copied = copy(source, target, restart=True)
    assert copied.same
    assert not copied.resumed
    assert held(target) == held(source)


def test_a_half_made_copy_of_another_graph_is_told_from_ones_own(places: tuple[Place, Place], tmp_path: Path) -> None:
    """Neither is mixed with the other."""
    source, target = places
    other = tmp_path / "other.db"
    with closing(opened(other, create=True)) as graph:
        graph.store.commit(a_batch(saved(a_node("Salt dissolves"))))
    with pytest.raises(_Broken):
        copy(other, target, report=breaking("copying passage"))
    with pytest.raises(Conflict, match="half-made copy of another graph"):
        copy(source, target)
    assert copy(source, target, restart=True).same
    assert held(target) == held(source)


def test_nothing_is_copied_over_a_graph(places: tuple[Place, Place]) -> None:
    """A target with anything in it is left as it is, with or without ``restart``; and none is its own copy."""
    source, target = places
    with closing(opened(target, create=True)) as graph:
        graph.store.commit(a_batch(saved(a_node("Salt dissolves"))))
    before = held(target)
    for restart in (False, True):
        with pytest.raises(Conflict, match="not empty"):
            copy(source, target, restart=restart)
    with pytest.raises(InvalidArgument, match="onto itself"):
        copy(source, source)
    assert held(target) == before
    opened(target).close()


@pytest.mark.parametrize("way", ["file to database", "database to file"])
def test_an_empty_graph_is_copied_and_copied_into(ways: Ways, way: str) -> None:
    """One that is there already keeps the tokens that it has."""
    source, target = (ways.free(engine) for engine in way.split(" to "))
    opened(source, create=True).close()
    token = Token(id="t", hash="h", actor="ann", tier=Tier.READER, created_at=AT, created_by="ada")
    with closing(opened(target, create=True)) as graph:
        graph.tokens.add(token, tier=Tier.CURATOR)
    copied = copy(source, target)
    assert copied.same
    assert copied.changes == 0
    with closing(opened(target)) as graph:
        fill(graph.store)
        assert graph.tokens.known("t") == token


def test_changes_that_come_meanwhile_are_counted_and_not_mixed_in(places: tuple[Place, Place]) -> None:
    """The copy is of one moment, the one at which it began."""
    source, target = places

    def writing(_done: int, _total: int, what: str) -> None:
        if what == "copying passage":
            with closing(opened(source)) as graph:
                graph.store.commit(a_batch(saved(a_node("Salt dissolves"))))

    before = held(source)
    copied = copy(source, target, report=writing)
    assert copied.same
    assert copied.behind == 1
    assert held(target) == before


WRONG = {
    "node": "UPDATE node SET content = content || ' ' WHERE row = 1",
    "passage": "UPDATE passage SET start = start + 1 WHERE row = 1",
    "relation": "UPDATE relation SET confidence = confidence + 1e-15 WHERE type = 'extends'",
    "receipt": "UPDATE receipt SET answer = '{}'",
    "change": "UPDATE change SET at = '1999' WHERE seq = 1",
    "name": "DELETE FROM name WHERE name = 'boiling'",
    "tally": "UPDATE tally SET count = count + 1 WHERE subject = 'joined' AND ontology = 'main'",
}


def test_one_changed_byte_is_noticed_and_keeps_the_copy_closed(places: tuple[Place, Place]) -> None:
    """The twin of every copy that was found to be the same: each table is named, and nobody opens it."""
    source, target = places

    def meddling(_done: int, _total: int, what: str) -> None:
        for sql in WRONG.values() if what == "comparing" else ():
            rows(target, sql)

    copied = copy(source, target, report=meddling)
    assert not copied.same
    assert [each.table for each in copied.tables if not each.same] == list(WRONG)
    with pytest.raises(CannotOpen, match="under way"):
        opened(target)
    assert [each.table for each in copy(source, target).tables if not each.same] == list(WRONG)
    assert copy(source, target, restart=True).same


def test_words_that_are_not_those_of_the_text_are_noticed(ways: Ways) -> None:
    """And a vector that is off by one bit, and a fact about the whole."""
    source, target = ways.filled("file"), ways.free("file")

    def meddling(_done: int, _total: int, what: str) -> None:
        if what == "making look-ups":
            rows(target, "DELETE FROM words WHERE rowid = 2")
            rows(target, "INSERT INTO words (rowid, name, body) VALUES (2, 'zeppelin', 'zeppelin')")
        if what == "comparing":
            rows(target, "UPDATE passage SET vector = CAST(x'01' || substr(vector, 2) AS BLOB) WHERE row = 3")
            rows(target, "UPDATE meta SET value = value || ' ' WHERE key = 'words'")

    told = [each.table for each in copy(source, target, report=meddling).tables if not each.same]
    assert told == [PASSAGE.name, "term", "words", "meta"]


def test_what_the_database_cannot_hold_is_told_by_its_row(ways: Ways) -> None:
    """A zero character, which a file may hold and no text in PostgreSQL; what went before is kept."""
    source, target = ways.filled("file"), ways.free("database")
    rows(source, "UPDATE vote SET reason = 'a' || char(0) WHERE actor = 'bob'")
    with pytest.raises(InvalidArgument, match="a row of vote up to learned_2026-03-01_002/bob"):
        copy(source, target)
    rows(source, "UPDATE vote SET reason = 'a' WHERE actor = 'bob'")
    copied = copy(source, target)
    assert copied.same
    assert copied.resumed


def test_a_stranger_copies_nothing(cluster: Cluster, ways: Ways, tmp_path: Path) -> None:
    """A login that does not own the graph may be kept from seeing all of it; one that may make none is told so."""
    cluster.rows("CREATE ROLE stranger LOGIN")
    ways.filled("database"), ways.free("database")
    full, empty = (cluster.url(name, user="stranger") for name in ways.databases)
    with pytest.raises(PermissionDenied, match="owns"):
        copy(full, tmp_path / "three.db")
    assert not (tmp_path / "three.db").exists()
    with pytest.raises(CannotOpen, match="may not make"):
        copy(ways.filled("file"), empty)
    with pytest.raises(CannotOpen, match="no graph"):
        copy(empty, tmp_path / "three.db")
    with pytest.raises(CannotOpen, match="no graph"):
        copy(tmp_path / "three.db", empty)
    cluster.rows("DROP ROLE stranger")


def test_two_copies_into_one_place_do_not_mix(ways: Ways) -> None:
    """The second is turned away while the first goes on."""
    source, target = ways.filled("file"), ways.free("database")
    refused: list[str] = []

    def meanwhile(_done: int, _total: int, what: str) -> None:
        if what == "copying passage":
            with pytest.raises(Unavailable, match="Another process") as error:
                copy(source, target)
            refused.append(error.value.message)

    assert copy(source, target, report=meanwhile).same
    assert refused


@pytest.mark.parametrize("engine", ["file", "database"])
def test_a_copy_killed_again_and_again_comes_to_its_end(ways: Ways, engine: str) -> None:
    """SIGKILL, at whatever it is doing."""
    source, target = ways.filled("file"), ways.free(engine)
    with closing(opened(source)) as graph:
        for _ in range(10):
            graph.store.commit(a_batch(*(saved(a_node(f"Salt {number} dissolves")) for number in range(20))))
    kills = [killed(source, target, pages) for pages in (3, 11, 24)]
    assert sum(kills) >= 2
    copied = copy(source, target)
    assert copied.same
    assert copied.resumed
    assert held(target) == held(source)


SCRIPT = """
import sys
from pathlib import Path
from weft.store import tables
tables.Table.page = property(lambda self: 50)
from weft.store.copying import copy
target = sys.argv[2]
def tell(done, total, what):
    print(what, flush=True)
copy(Path(sys.argv[1]), Path(target) if target.endswith(".db") else target, report=tell)
"""


def killed(source: Place, target: Place, pages: int) -> bool:
    """Copy in a process of its own, and kill that after so many pages; False: it came to its end."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SCRIPT, str(source), str(target)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        for _ in range(pages):
            if not process.stdout.readline():
                break
        process.send_signal(signal.SIGKILL)
        return process.wait(60) == -signal.SIGKILL
