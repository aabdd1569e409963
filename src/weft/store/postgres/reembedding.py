"""A graph in a database on its way to another embedding model, by the login that owns it.

The new vectors gather in a second table of passages, with look-ups of its own, while everybody goes on with the one
that is there. The switch gives the second the name of the first, in one transaction that takes milliseconds: the column
may have another length then, and an index over vectors takes minutes to make, which nobody waits for so. It waits for
whoever reads, a moment at a time, so that no reader waits long for it either.
"""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from weft.errors import CannotOpen, InvalidArgument, Unavailable
from weft.model import Tier
from weft.store.migrate import newest_schema
from weft.store.moved import NEXT
from weft.store.opened import refuse_unfinished
from weft.store.plans import vector_values
from weft.store.postgres.catalogue import has_table
from weft.store.postgres.connection import bare
from weft.store.postgres.names import SCHEMA, TURN, role_of
from weft.store.postgres.opening import DIMENSION_MAX, is_there, schema_of
from weft.store.postgres.roles import grant_table, refuse_stranger
from weft.store.postgres.schema import VECTOR_INDEX, added_to, made_by
from weft.store.reembedding import CALIBRATION, WAIT_S, SqlMove, busy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from weft.model import Embedded
    from weft.store.postgres.connection import PostgresWriter
    from weft.store.reembedding import Row

__all__ = ["ServerMove", "moving_server"]

PATIENCE_S: Final = 1.0
"""How long, at most, a reader waits for a switch that waits for other readers."""

_ATTEMPTS: Final = 60
_ATTEMPTS_ALONE: Final = 5  # other writers wait meanwhile
_PAUSE_S: Final = 1.0
_LOCK: Final = int.from_bytes(b"WefR")
_SESSION: Final = f"""
    SET statement_timeout TO 0;
    SET idle_in_transaction_session_timeout TO 0;
    SET lock_timeout TO '{WAIT_S:g}s';
    SELECT set_config('maintenance_work_mem', greatest(setting::bigint, 524288) || 'kB', false)
    FROM pg_settings WHERE name = 'maintenance_work_mem'
"""
# Functions that run as the owner look into a caller's temporary tables last, as those of the schema do.
_BEGIN: Final = f"""
    BEGIN; SET LOCAL search_path TO {SCHEMA}, public, pg_temp; SELECT pg_advisory_xact_lock({TURN})
"""
_INDEXES: Final = ("passage_by_node", "passage_closed", "passage_by_seq")
_VIEWS: Final = ("passage_entry", "passage_end")
_GONE: Final = f"""
    DROP TRIGGER IF EXISTS {NEXT}_stale ON passage; DROP FUNCTION IF EXISTS {NEXT}_stale();
    DROP TABLE IF EXISTS {NEXT}, {NEXT}_model
"""
_MADE: Final = f"""
    CREATE TABLE {NEXT}_model (model plain NOT NULL, dimension bigint NOT NULL);
    CREATE FUNCTION {NEXT}_stale() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    BEGIN
        DELETE FROM {NEXT} WHERE {NEXT}.row = new.row;
        RETURN NULL;
    END $$;
    CREATE TRIGGER {NEXT}_stale AFTER UPDATE OF vector ON passage
        FOR EACH ROW EXECUTE FUNCTION {NEXT}_stale()
"""
_BEGUN: Final = f"INSERT INTO {NEXT}_model (model, dimension) VALUES (%(model)s, %(dimension)s)"
_PUT: Final = f"""
    INSERT INTO {NEXT} (row, node, ordinal, start, "end", vector, word_vectors, from_seq, to_seq)
    SELECT row, node, ordinal, start, "end", %(vector)s, %(word_vectors)s, from_seq, to_seq
    FROM passage WHERE passage.row = %(row)s
    ON CONFLICT (row) DO UPDATE SET (vector, word_vectors) = (excluded.vector, excluded.word_vectors)
"""
_CAUGHT_UP: Final = f"""
    UPDATE {NEXT} AS next SET start = passage.start, "end" = passage."end", to_seq = passage.to_seq FROM passage
    WHERE passage.row = next.row
        AND (passage.start, passage."end", passage.to_seq) IS DISTINCT FROM (next.start, next."end", next.to_seq)
"""
_ALONE: Final = f"SET LOCAL lock_timeout TO '{PATIENCE_S:g}s'; LOCK TABLE passage IN ACCESS EXCLUSIVE MODE"
_AWAY: Final = f"ALTER TABLE passage RENAME TO {NEXT}_old; ALTER TABLE {NEXT} RENAME TO passage"
_LEFT: Final = f"""
    DROP TABLE {NEXT}_old, {NEXT}_model; DROP FUNCTION {NEXT}_stale()
"""
_NAMED: Final = f"""
    SELECT format('ALTER TABLE passage RENAME CONSTRAINT %%I TO %%I', conname, replace(conname, '{NEXT}', 'passage'))
    FROM pg_constraint WHERE conrelid = 'passage'::regclass AND conname LIKE '{NEXT}%%'
    UNION ALL
    SELECT format('ALTER INDEX %%I RENAME TO %%I', relname, replace(relname, '{NEXT}', 'passage'))
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = 'passage'::regclass AND relname LIKE '{NEXT}%%'
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
"""
_SET: Final = "UPDATE meta SET value = %(value)s WHERE key = %(key)s"


class _Read(Exception):
    """Somebody has been reading the passages for longer than is waited for at once."""


class ServerMove(SqlMove):
    """A graph in a database on its way, through ``owner``."""

    def __init__(self, owner: PostgresWriter) -> None:
        super().__init__()
        self._owner = owner
        self._attempts = _ATTEMPTS

    def ask(self, sql: str, values: Mapping[str, Any]) -> list[Row]:
        """Return the rows of a statement."""
        return self._owner.ask(sql, values)

    def under_way(self) -> tuple[str, int] | None:
        """Return the model, and its dimension, to which a move has begun; None: there is none."""
        if not has_table(self._owner, SCHEMA, f"{NEXT}_model"):
            return None
        rows = self.ask(f"SELECT model, dimension FROM {NEXT}_model", {})
        return (rows[0][0], rows[0][1]) if rows else None

    def begin(self, model: str, dimension: int) -> None:
        """Begin a move to ``model``; what there is of another one is thrown away.

        Raises:
            InvalidArgument: its vectors are too long for an index here.
        """
        if dimension > DIMENSION_MAX:
            raise InvalidArgument(f"The model's vectors have {dimension} numbers; an index here takes {DIMENSION_MAX}.")
        with self._owner.transaction(_BEGIN):
            self._owner.execute(_GONE)
            for sql in (*made_by("table", "passage"), *added_to("passage")):
                self._owner.execute(_next(sql))
            self._owner.execute(f"ALTER TABLE {NEXT} ALTER COLUMN vector TYPE halfvec({int(dimension)})")
            self._owner.execute(_MADE)
            self._owner.execute(_BEGUN, {"model": model, "dimension": dimension})
            for tier in Tier:
                self._owner.execute(f"GRANT SELECT ON {NEXT}, {NEXT}_model TO {role_of(tier)}")

    def discard(self) -> None:
        """Throw away what there is of a move."""
        with self._owner.transaction(_BEGIN):
            self._owner.execute(_GONE)

    def put(self, embedded: Mapping[int, Embedded]) -> None:
        """Keep the new vectors of these passages, durably, but for those whose text was erased since it was asked."""
        with self._owner.transaction(_BEGIN):
            for row in self.unchanged([*embedded]):
                self._owner.execute(_PUT, {"row": row, **vector_values(embedded[row])})

    def index(self) -> None:
        """Make what the new passages are looked up by; nobody waits for that."""
        for sql in (*made_by("index", *_INDEXES), VECTOR_INDEX):
            name = _next(sql).split()[2]
            if self._owner.execute("SELECT to_regclass(%(name)s) IS NULL", {"name": f"{SCHEMA}.{name}"})[0][0]:
                self._owner.execute(_next(sql))
        self._owner.execute(f"VACUUM (ANALYZE) {NEXT}")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Have all other writers wait for the length of the block."""
        self._owner.execute(f"SELECT pg_advisory_lock({TURN})")
        self._attempts = _ATTEMPTS_ALONE
        try:
            yield
        finally:
            self._attempts = _ATTEMPTS
            self._owner.execute(f"SELECT pg_advisory_unlock({TURN})")

    def switch(self) -> bool:
        """Put the new passages in the place of the old ones, in one transaction; False: one has no vector yet.

        Raises:
            Unavailable: somebody has been reading passages for a minute and more.
        """
        for _ in range(self._attempts):
            try:
                return self._switched()
            except _Read:
                time.sleep(_PAUSE_S)
        raise Unavailable(
            "Everything is embedded, but somebody has been reading the passages all the while: a copy or a look of the"
            " doctor. The graph is searched as before.",
            hint="Run the same command again when they are done.",
        )

    def _switched(self) -> bool:
        with self._owner.transaction(_BEGIN):
            model = self.under_way()
            if model is None or self.lacking(0, limit=1):
                return False
            self._owner.execute(_CAUGHT_UP)
            self._wait_for_readers()
            self._owner.execute(_AWAY)
            for sql in made_by("view", *_VIEWS):
                self._owner.execute(re.sub("^CREATE VIEW", "CREATE OR REPLACE VIEW", sql))
            self._owner.execute(_LEFT)
            for (sql,) in self._owner.execute(_NAMED, {}):
                self._owner.execute(sql)
            grant_table(self._owner, SCHEMA, "passage")
            for key, value in (("model", model[0]), ("dimension", str(model[1])), (CALIBRATION, "")):
                self._owner.execute(_SET, {"key": key, "value": value})
        return True

    def _wait_for_readers(self) -> None:
        try:
            self._owner.execute(_ALONE)
        except Unavailable as error:
            raise _Read from error


def _next(sql: str) -> str:
    """Return the statement that makes an object of the passages as one of those that are to come."""
    return re.sub(r"\bpassage", NEXT, sql)


@contextmanager
def moving_server(url: str) -> Iterator[ServerMove]:
    """Give the graph in the database that ``url`` names, to be moved by this process alone.

    Raises:
        CannotOpen: it cannot be connected to, or holds no graph of this release's schema.
        PermissionDenied: the login does not own it.
        Unavailable: another process is moving it.
    """
    with bare(url) as owner:
        owner.execute(_SESSION)
        if not is_there(owner):
            raise CannotOpen("There is no graph in this database.", hint="Make one with: weft db init")
        refuse_stranger(owner, "Moving a graph to another embedding model")
        if schema_of(owner) != newest_schema("postgres"):
            raise CannotOpen(
                "The graph is of another schema than this release's.", hint="Bring it up with: weft db migrate"
            )
        refuse_unfinished(dict(owner.read("meta_values")))
        if owner.execute(f"SELECT pg_try_advisory_lock({_LOCK})") == [(False,)]:
            raise busy()
        yield ServerMove(owner)
