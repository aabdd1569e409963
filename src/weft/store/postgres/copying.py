"""A graph in PostgreSQL as a copy reads it and fills it, by the login that owns it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from weft.errors import CannotOpen, Unavailable, WeftError
from weft.store.giving import Giver
from weft.store.migrate import newest_schema
from weft.store.opened import COPYING
from weft.store.postgres.catalogue import has_table
from weft.store.postgres.connection import bare
from weft.store.postgres.names import SCHEMA, TURN
from weft.store.postgres.opening import is_there, schema_of, upgrade
from weft.store.postgres.roles import grant_all, refuse_stranger, revoke_all
from weft.store.tables import PASSAGE, TABLES
from weft.store.taking import KEPT, refuse_filled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Future

    from weft.store.giving import Row
    from weft.store.postgres.connection import PostgresWriter
    from weft.store.tables import Table

__all__ = ["ServerTaker", "giving_server", "taking_server"]

_LOCK: Final = int.from_bytes(b"WefC")
_STEP: Final = int.from_bytes(b"WefS")
# A server that falls may take back the last pages, each with the mark that says it is there; what is said to be done at
# the end is on the disk with all that was written before it.
_PAGE: Final = "BEGIN; SET LOCAL synchronous_commit TO off"
# While it is read, no move to another embedding model puts another table in the place of this one.
_MOMENT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; LOCK TABLE passage IN ACCESS SHARE MODE"
_SESSION: Final = """
    SET statement_timeout TO 0;
    SET idle_in_transaction_session_timeout TO 0;
    SELECT set_config('maintenance_work_mem', greatest(setting::bigint, 524288) || 'kB', false)
    FROM pg_settings WHERE name = 'maintenance_work_mem'
"""
_SIZES: Final = "SELECT row, length FROM words WHERE row > :row ORDER BY row LIMIT :limit"
_FORGET: Final = "DELETE FROM meta WHERE key NOT IN (SELECT value FROM json_each(:kept)) RETURNING key"
_WORDS: Final = ("int8", "text", "text")
_MARK: Final = """
    INSERT INTO meta (key, value) VALUES (%(key)s, %(value)s) ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""

# What is left to be done when the rows of a table are there, each a step of its own. Look-ups are quicker made than
# kept; counting the words and an index over vectors take as long as all the rest.
_COUNTED: Final = """
    TRUNCATE posting, term;
    INSERT INTO posting (row, length, name, body, term)
        SELECT words.row, words.length, least(held.name, 32767), least(held.body, 32767), held.term
        FROM words CROSS JOIN LATERAL words_in(words.name, words.body) AS held;
    INSERT INTO term (term, df) SELECT term, count(*) FROM posting GROUP BY term;
    UPDATE corpus SET (passages, words) = (SELECT count(*), coalesce(sum(length), 0) FROM words)
"""
_STEPS: Final = f"""
    CREATE TABLE copy_step (
        step bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, over plain NOT NULL, dropped plain, made plain NOT NULL
    );
    INSERT INTO copy_step (over, made) VALUES ('posting', $sql${_COUNTED}$sql$);
    INSERT INTO copy_step (over, dropped, made)
        SELECT 'posting', format('ALTER TABLE posting DROP CONSTRAINT %I', conname),
            format('ALTER TABLE posting ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE conrelid = 'posting'::regclass AND contype = 'p';
    INSERT INTO copy_step (over, dropped, made)
        SELECT indrelid::regclass, format('DROP INDEX %I', relname), pg_get_indexdef(indexrelid)
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE relnamespace = '{SCHEMA}'::regnamespace AND relname <> 'copy_step_pkey'
            AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
        ORDER BY relname
"""
_LEFT: Final = "SELECT step, made FROM copy_step WHERE over = ANY(%(over)s) ORDER BY step"
_ALL_LEFT: Final = "SELECT step, made FROM copy_step ORDER BY step"
_OF_PASSAGES: Final = ("posting", "passage")
_OWN: Final = f"SELECT relname FROM pg_class WHERE relnamespace = '{SCHEMA}'::regnamespace AND relkind = 'r'"
_NEXT: Final = f"""
    SELECT setval(pg_get_serial_sequence('{SCHEMA}.node', 'row'), greatest(max(row), 1), max(row) IS NOT NULL) FROM node
"""


class ServerTaker:
    """A graph in a database that is being filled through ``owner``, by nobody else."""

    def __init__(self, owner: PostgresWriter, beside: _Beside) -> None:
        self._owner = owner
        self._beside = beside

    def facts(self) -> dict[str, str]:
        """Return what is known of the graph as a whole, by key."""
        return _giver_of(self._owner).facts()

    def begin(self, mark: str) -> None:
        """Take out what a broken copy left, and put guards and look-ups aside: from now on nobody opens this graph.

        Raises:
            Conflict: there is something else here.
        """
        with self._owner.transaction(f"BEGIN; SELECT pg_advisory_xact_lock({TURN})"):
            refuse_filled(_giver_of(self._owner))
            revoke_all(self._owner, SCHEMA)
            self._guard("DISABLE")
            self._empty()
            self._owner.execute(_STEPS)
            for (dropped,) in self._owner.execute("SELECT dropped FROM copy_step WHERE dropped IS NOT NULL"):
                self._owner.execute(dropped)
            self._mark(mark)

    def put(self, table: Table, rows: Iterable[Row], mark: str) -> None:
        """Write the next rows of a table, together with how far the copy is."""
        held = list(rows)
        with self._owner.transaction(_PAGE):
            self._pour(table.name, table.columns, table.types, (row[: len(table.columns)] for row in held))
            if table is PASSAGE:
                self._pour("words", ("row", "name", "body"), _WORDS, ((row[0], *row[-2:]) for row in held))
            self._mark(mark)

    def _pour(self, table: str, columns: Sequence[str], types: Sequence[str], rows: Iterable[Row]) -> None:
        self._owner.pour(f"{_quoted(table)} ({', '.join(map(_quoted, columns))})", types, rows)

    def carried(self, table: Table) -> None:
        """Take note that all rows of a table are there: what is made over passages is begun beside the other tables."""
        if table is PASSAGE:
            self._beside.begin()

    def complete(self, facts: Mapping[str, str]) -> None:
        """Count the words, take over what is known of the whole, and make the look-ups anew; may be done again."""
        with self._owner.transaction():
            self._owner.ask(_FORGET, {"kept": list(KEPT)})
            for key in facts.keys() - set(KEPT):
                self._owner.execute(_MARK, {"key": key, "value": facts[key]})
        self._beside.wait()
        _take(self._owner, self._owner.execute(_ALL_LEFT))
        for (name,) in self._owner.execute(_OWN):
            self._owner.execute(f"VACUUM (ANALYZE) {_quoted(name)}")

    @contextmanager
    def reading(self) -> Iterator[Giver]:
        """Give what has been written, as it stands now."""
        with self._owner.transaction(_MOMENT):
            yield _giver_of(self._owner)

    def open(self) -> None:
        """Put the guards back, and let this be opened as a graph."""
        with self._owner.transaction():
            self._owner.execute("DELETE FROM meta WHERE key = %(key)s", {"key": COPYING})
            self._owner.execute("DROP TABLE copy_step")
            self._owner.execute(_NEXT)
            self._guard("ENABLE")
            grant_all(self._owner, SCHEMA)

    def _empty(self) -> None:
        names = ", ".join(_quoted(table.name) for table in TABLES)
        self._owner.execute(f"TRUNCATE {names}, words, posting, term")
        if has_table(self._owner, SCHEMA, "copy_step"):
            for (made,) in self._owner.execute("SELECT made FROM copy_step ORDER BY step"):
                self._owner.execute(made)
            self._owner.execute("DROP TABLE copy_step")

    def _guard(self, verb: str) -> None:
        for name in ("meta", "words", *(table.name for table in TABLES)):
            self._owner.execute(f"ALTER TABLE {_quoted(name)} {verb} TRIGGER USER")

    def _mark(self, mark: str) -> None:
        self._owner.execute(_MARK, {"key": COPYING, "value": mark})


class _Beside:
    """Steps that are taken over a connection of their own while other tables are being carried."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._thread = ThreadPoolExecutor(1)
        self._taken: Future[None] | None = None
        self._writer: PostgresWriter | None = None

    def begin(self) -> None:
        """Begin, in a thread."""
        self._taken = self._thread.submit(self._work)

    def wait(self) -> None:
        """Wait until all is done that was begun; what went wrong is raised here."""
        if self._taken is not None:
            self._taken.result()

    def end(self) -> None:
        """Give up what is not done yet."""
        if self._writer is not None:
            self._writer.stop()
        self._thread.shutdown()

    def _work(self) -> None:
        with bare(self._url) as writer:
            writer.execute(_SESSION)
            self._writer = writer
            try:
                _take(writer, writer.execute(_LEFT, {"over": list(_OF_PASSAGES)}))
            finally:
                self._writer = None


def _take(owner: PostgresWriter, steps: list[Row]) -> None:
    """Take these steps, each in a transaction; nobody takes one that another process, given up, is still taking."""
    for step, sql in steps:
        with owner.transaction(f"BEGIN; SELECT pg_advisory_xact_lock({_STEP})"):
            owner.execute(sql)
            owner.execute("DELETE FROM copy_step WHERE step = %(step)s", {"step": step})


def _quoted(name: str) -> str:
    return f'"{name}"'


def _giver_of(owner: PostgresWriter) -> Giver:
    return Giver(owner.ask, sizes=_SIZES, length=int)


@contextmanager
def giving_server(url: str) -> Iterator[Giver]:
    """Give the graph in the database that ``url`` names as it stands now.

    Raises:
        CannotOpen: there is none, or it cannot be opened.
        PermissionDenied: the login does not own it; others may be kept from seeing all of it.
    """
    with bare(url) as owner:
        owner.execute(_SESSION)
        if not is_there(owner):
            raise CannotOpen("There is no graph in this database.")
        _refuse(owner, "Copying a graph")
        with owner.transaction(_MOMENT):
            giver = _giver_of(owner)
            giver.head()  # the snapshot is taken at the first read
            yield giver


def _refuse(owner: PostgresWriter, what: str) -> None:
    refuse_stranger(owner, what)
    if schema_of(owner) != newest_schema("postgres"):
        raise CannotOpen(
            "The graph is of another schema than this release's.", hint="Bring it up with: weft db migrate"
        )


@contextmanager
def taking_server(url: str, facts: Mapping[str, str]) -> Iterator[ServerTaker]:
    """Give the database that ``url`` names to be filled with a graph of these ``facts``; one is made where none is.

    Raises:
        CannotOpen: it cannot be connected to, or the login may not make a graph there.
        PermissionDenied: the login does not own the graph there.
        Unavailable: another process copies into it.
    """
    with bare(url) as owner:
        owner.execute(_SESSION)
        if not is_there(owner):
            upgrade(owner, model=facts["model"], dimension=int(facts["dimension"]), create=True)
        _refuse(owner, "Copying into a graph")
        if owner.execute(f"SELECT pg_try_advisory_lock({_LOCK})") == [(False,)]:
            raise Unavailable("Another process is copying into this database.")
        beside = _Beside(url)
        try:
            yield ServerTaker(owner, beside)
        finally:
            beside.end()
            # The server ends a session some time after it was closed; who copies again at once would be turned away.
            with suppress(WeftError):
                owner.execute(f"SELECT pg_advisory_unlock({_LOCK})")
