"""Looking at a graph in PostgreSQL as a whole, and making anew what is derived in it.

It is looked at on the primary, by the login that owns it or by one that may read all of it. What belongs to the schema
is mended by its owner only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument, PermissionDenied
from weft.model import Tier
from weft.store.checkup import Checkup
from weft.store.mending import SqlHealth
from weft.store.postgres.connection import bare
from weft.store.postgres.ground import PostgresGround
from weft.store.postgres.names import SCHEMA, role_of
from weft.store.postgres.roles import grant_all, is_owner, refuse_stranger, roles_of
from weft.store.postgres.schema import schema_amiss

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from weft.model import BackedUp, Flaw, Progress
    from weft.store import engine
    from weft.store.postgres.connection import PostgresWriter
    from weft.store.postgres.database import PostgresDatabase

__all__ = ["PostgresHealth"]

# While it is read, no move to another embedding model puts another table in the place of this one.
_MOMENT: Final = """
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout TO 0;
    LOCK TABLE passage IN ACCESS SHARE MODE
"""


class PostgresHealth(SqlHealth):
    """Looks at the graph in the database that ``url`` names; ``database`` is the same one."""

    def __init__(self, database: PostgresDatabase, url: str) -> None:
        super().__init__(database)
        self._tier = database.tier
        self._url = url

    def look(self, report: Progress | None = None) -> Checkup:
        """Return a look at the whole graph as it stands at this moment; what it found is in ``found``.

        Raises:
            PermissionDenied: the login is held to a part of the graph.
        """
        with bare(self._url) as login:
            _read_all(login)
            with login.transaction(_MOMENT):
                checkup = Checkup(login, PostgresGround(login), report)
                checkup.found = checkup.findings()
            return checkup

    def copy(self, target: Path, *, replace: bool) -> BackedUp:  # noqa: ARG002 - as a file takes it
        """Refuse: a database is not copied as one file.

        Raises:
            InvalidArgument: always; the hint says what does it.
        """
        raise InvalidArgument(
            f"path: a graph in a database cannot be backed up to {target.name}: it is no file.",
            hint="Copy it into a graph file with: weft copy postgresql://… graph.db; or use the server's own pg_dump.",
        )

    def leftovers(self) -> tuple[str, ...]:
        """Return nothing: the server clears away what died."""
        return ()

    def mend(self, findings: Iterable[Flaw], *, tier: Tier) -> None:
        """Make anew what these findings name, the schema first; what is not derived is left as it is.

        Raises:
            PermissionDenied: the tier does not reach it, or it is of the schema, and the login does not own that.
        """
        found = tuple(findings)
        keys = {finding.key for finding in found if finding.derived}
        if keys & {"schema_missing", "indexes_damaged", "rights_amiss"}:
            if min(tier, self._tier) < Tier.CURATOR:
                raise PermissionDenied(f"This needs tier {Tier.CURATOR.label}.")
            self._mend_schema(keys)
        super().mend(found, tier=tier)

    def _words_anew(self, writer: engine.Writer) -> None:
        for name in ("posting_clear", "words_clear", "corpus_clear", "corpus_fill"):
            writer.run(name)
        super()._words_anew(writer)

    def _mend_schema(self, keys: set[str]) -> None:
        with bare(self._url) as owner:
            refuse_stranger(owner, "Mending the schema")
            amiss = schema_amiss(owner)
            with owner.transaction():
                for sql in (*amiss.missing.values(), *amiss.invalid.values()):
                    owner.execute(sql)
                if "rights_amiss" in keys:
                    owner.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA {SCHEMA} FROM PUBLIC")
                    grant_all(owner, SCHEMA)


def _read_all(login: PostgresWriter) -> None:
    """Let ``login`` read as its owner, or else as a reader of all of it.

    Raises:
        PermissionDenied: it may read a part of the graph only, or nothing.
    """
    if is_owner(login):
        return
    if roles_of(login).get(Tier.READER) != role_of(Tier.READER):
        raise PermissionDenied("This login reads a part of the graph only, which cannot be compared with the whole.")
    login.execute(f"SET ROLE {role_of(Tier.READER)}")
