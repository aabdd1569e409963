"""What PostgreSQL tells of a graph in its own way: settings, schema, roles, and the words of the full text."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Final

from weft.errors import WeftError
from weft.model import Flaw
from weft.store.checkup import ANEW, RESTORE, few
from weft.store.postgres.rights import rights_amiss, roles_amiss
from weft.store.postgres.schema import schema_amiss
from weft.store.postgres.versions import is_fit, needed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.store.checkup import Words
    from weft.store.postgres.connection import PostgresReader

__all__ = ["PostgresGround"]

_PAGE: Final = 500
_SERVER: Final = "Whoever keeps the server has to set it right."


class PostgresGround:
    """A graph behind ``reader``, which is in a transaction that sees one moment."""

    def __init__(self, reader: PostgresReader) -> None:
        self._reader = reader
        self._version, self._vectors, *self._settings = reader.read("engine_settings")[0]

    def version(self) -> tuple[str, int]:
        """Return the server's version with the extension's, and the number of the graph's schema.

        A server that does not sync what it writes says so here: that is for a test, never for a graph.
        """
        (_, _, fsync, _) = self._settings
        unsafe = "" if fsync == "on" else ", fsync off"
        (number,) = self._reader.execute("SELECT coalesce(max(number), 0) FROM migration")[0]
        return f"PostgreSQL {self._version}, pgvector {self._vectors or 'missing'}{unsafe}", int(number)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Hold a block; where it fails, the transaction goes on as it was before."""
        self._reader.execute("SAVEPOINT look")
        try:
            yield
        except WeftError:
            self._reader.execute("ROLLBACK TO SAVEPOINT look")
            raise
        self._reader.execute("RELEASE SAVEPOINT look")

    def engine(self) -> Iterator[Flaw]:
        """Yield what is wrong with the server's settings, the extension, its pages and rows that hang."""
        (encoding, synchronous, _, failures) = self._settings
        if encoding != "UTF8":
            yield _setting(
                "encoding", f"The database is encoded as {encoding}, not UTF8.", "Some texts cannot be kept."
            )
        if synchronous == "off":
            what = "The setting synchronous_commit is off for this login or database."
            yield _setting("synchronous_commit", what, "What was acknowledged a moment before a crash may be lost.")
        if not is_fit(self._vectors):
            what = f"The extension vector is {self._vectors or 'missing'}; Weft needs {needed()}."
            yield _setting("vector", what, "Search by meaning fails.")
        if failures:
            yield Flaw(
                part="engine",
                key="pages_damaged",
                what=f"The server has met {failures} pages whose checksums were wrong.",
                meaning="Its disk is failing, or another program wrote to its files.",
                remedy=RESTORE,
            )
        hanging = [(table, count) for table, count in self._reader.read("rows_hanging") if count]
        if hanging:
            named = few(f"{count} of {table}" for table, count in hanging)
            yield Flaw(
                part="engine",
                key="rows_hang",
                what=f"Rows point at rows that are not there: {named}.",
                meaning="Something was removed past Weft.",
                remedy=RESTORE,
            )

    def schema(self) -> Iterator[Flaw]:
        """Yield what the schema lacks, what should not be in it, and which roles reach too far or not enough."""
        amiss = schema_amiss(self._reader)
        if amiss.missing:
            yield _derived(
                "schema_missing",
                f"Indexes or guards of the schema are missing or switched off: {few(sorted(amiss.missing))}.",
                "Look-ups are slow, or the engine no longer refuses what a tier may not do.",
            )
        if amiss.invalid:
            yield _derived(
                "indexes_damaged",
                f"Indexes were left half made: {few(sorted(amiss.invalid))}.",
                "They are written and never read: look-ups are slow.",
            )
        if amiss.changed:
            yield Flaw(
                part="schema",
                key="schema_changed",
                what=f"The schema holds what this Weft did not make: {few(amiss.changed)}.",
                meaning="Another program has changed the graph's tables or guards.",
                remedy="Export the graph (weft export), and import it into a new one.",
            )
        if rights := rights_amiss(self._reader):
            yield _derived(
                "rights_amiss",
                f"What the roles of the tiers may do is not what they should: {few(rights)}.",
                "A caller is refused what its tier may do, or may do past Weft what it should not.",
            )
        if roles := roles_amiss(self._reader):
            yield Flaw(
                part="schema",
                key="roles_amiss",
                what=f"Roles of the tiers reach further than they should: {few(roles)}.",
                meaning="A caller may do what its tier should not.",
                remedy="Have an administrator of the server take these back (REVOKE, ALTER ROLE).",
            )

    def words_off(self, due: Words) -> int:
        """Return how many passages do not hold these words or are not found by them; wrong sums of all count as one."""
        wrong = int(self._reader.read("words_surplus")[0][0])
        while page := list(islice(due, _PAGE)):
            rows, names, bodies = [], [], []
            for row, values in page:
                rows.append(row)
                names.append(values["name_words"])
                bodies.append(values["body_words"])
            wrong += self._reader.read("words_off", rows=rows, names=names, bodies=bodies)[0][0]
        return wrong

    def words_standing(self) -> dict[str, int]:
        """Return in how many passages each word stands."""
        return dict(self._reader.read("words_standing"))


def _setting(name: str, what: str, meaning: str) -> Flaw:
    return Flaw(part="engine", key=f"setting_{name}", what=what, meaning=meaning, remedy=_SERVER)


def _derived(key: str, what: str, meaning: str) -> Flaw:
    return Flaw(part="schema", key=key, what=what, meaning=meaning, remedy=ANEW, derived=True)
