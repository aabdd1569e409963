"""A graph file as a copy fills it: rows as they come, its guards and look-ups aside until all is there."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from weft.errors import CannotOpen, Conflict
from weft.model import Tier
from weft.store.giving import giver_of
from weft.store.migrate import newest_schema
from weft.store.opened import COPYING
from weft.store.opening import look, open_sqlite
from weft.store.schema import schema_missing
from weft.store.sqlite import Connection, connect
from weft.store.statements import statement
from weft.store.tables import PASSAGE, TABLES, TERM
from weft.store.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from weft.store.giving import Giver, Row
    from weft.store.tables import Table

__all__ = ["KEPT", "FileTaker", "refuse_filled", "taking_file"]

KEPT: Final = ("name", COPYING)
"""Facts that a copy keeps as its own: what it is called, and how far it is."""

_WAIT_S: Final = 5.0
_ASIDE: Final = "SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL"
_MARK: Final = (
    "INSERT INTO meta (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
_FORGET: Final = "DELETE FROM meta WHERE key NOT IN (SELECT value FROM json_each(:kept))"
_WORDS: Final = "INSERT INTO words (rowid, name, body) VALUES (?, ?, ?)"
_COUNTED: Final = "INSERT INTO term (term, df) SELECT term, doc FROM temp.copied_words"


class FileTaker:
    """A graph file that is being filled through ``connection``, by nobody else."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def facts(self) -> dict[str, str]:
        """Return what is known of the graph as a whole, by key."""
        return giver_of(self._connection).facts()

    def begin(self, mark: str) -> None:
        """Take out what a broken copy left, and put guards and look-ups aside: from now on nobody opens this graph.

        Raises:
            Conflict: there is something else here.
        """
        with self._connection.transaction():
            refuse_filled(giver_of(self._connection))
            for kind, name in self._connection.execute(_ASIDE):
                self._connection.execute(f'DROP {kind} "{name}"')
            for table in (*reversed(TABLES), TERM):
                self._connection.execute(f'DELETE FROM "{table.name}"')
            self._connection.execute(statement("words_empty"))
            self._mark(mark)

    def put(self, table: Table, rows: Iterable[Row], mark: str) -> None:
        """Write the next rows of a table, durably, together with how far the copy is."""
        marks = ", ".join("?" for _ in table.columns)
        columns = ", ".join(f'"{name}"' for name in table.columns)
        sql = f'INSERT INTO "{table.name}" ({columns}) VALUES ({marks})'
        held = list(rows)
        with self._connection.transaction():
            self._connection.execute_many(sql, (row[: len(table.columns)] for row in held))
            if table is PASSAGE:
                self._connection.execute_many(_WORDS, ((row[0], row[-2], row[-1]) for row in held))
            self._mark(mark)

    def carried(self, table: Table) -> None:
        """Take note that all rows of a table are there; look-ups are made when all tables are."""

    def complete(self, facts: Mapping[str, str]) -> None:
        """Count the words, take over what is known of the whole, and make the look-ups anew; may be done again."""
        with self._connection.transaction():
            self._connection.execute("DROP TABLE IF EXISTS temp.copied_words")
            self._connection.execute("CREATE VIRTUAL TABLE temp.copied_words USING fts5vocab (main, words, row)")
            self._connection.execute("DELETE FROM term")
            self._connection.execute(_COUNTED)
            self._connection.execute(_FORGET, {"kept": KEPT})
            for key in facts.keys() - set(KEPT):
                self._connection.execute(_MARK, {"key": key, "value": facts[key]})
        for sql in schema_missing(self._connection).values():
            if not sql.startswith("CREATE TRIGGER"):
                with self._connection.transaction():
                    self._connection.execute(sql)

    @contextmanager
    def reading(self) -> Iterator[Giver]:
        """Give what has been written, as it stands now."""
        with self._connection.transaction("BEGIN"):
            yield giver_of(self._connection)

    def open(self) -> None:
        """Put the guards back, and let this be opened as a graph."""
        with self._connection.transaction():
            self._connection.execute("DELETE FROM meta WHERE key = :key", {"key": COPYING})
            for sql in schema_missing(self._connection).values():
                self._connection.execute(sql)

    def _mark(self, mark: str) -> None:
        self._connection.execute(_MARK, {"key": COPYING, "value": mark})


def refuse_filled(giver: Giver) -> None:
    """Refuse to copy over anything but a copy that was broken off.

    Raises:
        Conflict: something was written here.
    """
    if COPYING not in giver.facts() and any(giver.count(table) for table in TABLES if table.name != "confidence_band"):
        raise Conflict("The target is not empty.", hint="Name a graph that is not there yet.")


@contextmanager
def taking_file(path: Path, facts: Mapping[str, str]) -> Iterator[FileTaker]:
    """Give the file ``path`` to be filled with a graph of these ``facts``; it is made where it is not there.

    Raises:
        CannotOpen: there is something else, or a copy that another release began.
        Unavailable: another process is writing there.
    """
    if not path.exists():
        model, dimension = facts["model"], int(facts["dimension"])
        open_sqlite(path, tier=Tier.CURATOR, model=model, dimension=dimension, create=True).close()
    look(path, "")
    turn = Turn(path.with_name(f"{path.name}.lock"))
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    try:
        connection.heed_interrupts()
        with turn.taken(_WAIT_S):
            if connection.schema() != newest_schema():
                raise CannotOpen(
                    f"{path} was made by another release of Weft.", hint="Remove it, or open it once with this release."
                )
            yield FileTaker(connection)
    finally:
        connection.close()
        turn.close()
