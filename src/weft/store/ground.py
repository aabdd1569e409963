"""What SQLite tells of a graph in its file: its own checks, the schema, and the words of the full text."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

from weft.model import Flaw
from weft.store.checkup import ANEW, RESTORE, Checkup, few
from weft.store.due import Sizes
from weft.store.guard import ENGINE_MIN
from weft.store.schema import schema_amiss
from weft.store.sqlite import engine_version

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from weft.model import Progress
    from weft.store.checkup import Words
    from weft.store.sqlite import Connection

__all__ = ["SqliteGround", "examined"]

_SETTINGS: Final = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "recursive_triggers": 1, "mmap_size": 0}


class SqliteGround:
    """A graph file behind ``connection``, which is used by nobody else and from now on for reading only."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        connection.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, words, row)")
        connection.execute("PRAGMA query_only = ON")

    def version(self) -> tuple[str, int]:
        """Return the engine's version, and the number of the graph's schema."""
        return engine_version(), self._connection.schema()

    def attempt(self) -> AbstractContextManager[None]:
        """Hold a block: here what fails disturbs nothing."""
        return nullcontext()

    def words_off(self, due: Words) -> int:
        """Return how many passages have not as many words as these, or none, or are not there."""
        sizes = Sizes(self._connection.read)
        wrong = sum(
            sizes.of(row) != (len(values["name_words"].split()), len(values["body_words"].split()))
            for row, values in due
        )
        return wrong + sizes.surplus()

    def words_standing(self) -> dict[str, int]:
        """Return in how many passages each word stands."""
        return dict(self._connection.execute("SELECT term, doc FROM temp.vocabulary"))

    def engine(self) -> Iterator[Flaw]:
        """Yield what the engine says of its settings, its pages and rows that hang."""
        engine, _ = self.version()
        for name, wanted in _SETTINGS.items():
            held = self._connection.setting(name)
            if held != wanted:
                yield Flaw(
                    part="engine",
                    key=f"setting_{name}",
                    what=f"The setting {name} is {held}, not {wanted} (engine {engine}, at least {ENGINE_MIN}).",
                    meaning="Several processes cannot work on the graph as safely as they should.",
                    remedy=ANEW if name == "journal_mode" else RESTORE,
                    derived=name == "journal_mode",
                )
        yield from self._pages()
        if hanging := self._connection.execute("PRAGMA foreign_key_check"):
            yield Flaw(
                part="engine",
                key="rows_hang",
                what=f"{len(hanging)} rows point at rows that are not there ({few(row[0] for row in hanging)}).",
                meaning="Something was removed past Weft.",
                remedy=RESTORE,
            )

    def _pages(self) -> Iterator[Flaw]:
        said = [row[0] for row in self._connection.execute("PRAGMA integrity_check(50)") if row != ("ok",)]
        words = [line for line in said if "fts5" in line.lower() or "main.words" in line]
        index = [line for line in said if line not in words and (" index " in line or "entries in" in line)]
        for key, lines in (("words_damaged", words), ("indexes_damaged", index)):
            if lines:
                yield Flaw(
                    part="engine",
                    key=key,
                    what=f"The engine says: {few(lines)}",
                    meaning="A way to look things up is damaged; what it leads to is not.",
                    remedy=ANEW,
                    derived=True,
                )
        if pages := [line for line in said if line not in words and line not in index]:
            yield Flaw(
                part="engine",
                key="pages_damaged",
                what=f"The engine says: {few(pages)}",
                meaning="The file itself is damaged: a failing disk, or another program wrote to it.",
                remedy=RESTORE,
            )

    def schema(self) -> Iterator[Flaw]:
        """Yield what the schema lacks, and what is in it that should not be."""
        missing, changed = schema_amiss(self._connection)
        if missing:
            yield Flaw(
                part="schema",
                key="schema_missing",
                what=f"Indexes or guards of the schema are missing: {few(missing)}.",
                meaning="Look-ups are slow, or the engine no longer refuses what a tier may not do.",
                remedy=ANEW,
                derived=True,
            )
        if changed:
            yield Flaw(
                part="schema",
                key="schema_changed",
                what=f"The schema holds what this Weft did not make: {few(changed)}.",
                meaning="Another program has changed the graph's tables or guards.",
                remedy="Export the graph (weft export), and import it into a new one.",
            )


def examined(connection: Connection, report: Progress | None = None) -> Checkup:
    """Return a look at the graph file behind ``connection``, which is used for nothing else after it."""
    checkup = Checkup(connection, SqliteGround(connection), report)
    with connection.transaction("BEGIN"):
        checkup.found = checkup.findings()
    return checkup
