"""Dead rows taken out of the tables of a schema, so that what was blanked there can be read by nobody any more.

The bytes of a dead row stay in the file until the space is used again, as they stay in the server's log of writes, its
archive and its backups: what must leave these too has to be taken out of them by whoever keeps the server.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from weft.errors import WeftError

if TYPE_CHECKING:
    from weft.store.postgres.connection import PostgresWriter

__all__ = ["FOLD_S", "swept"]

FOLD_S = 5.0
"""How long dead rows are waited for while somebody reads as of before."""

_PAUSE_S: Final = 0.2

_BOUNDS: Final = "SET statement_timeout TO 0; SET lock_timeout TO '30s'"
_NEXT: Final = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text"
_TABLES: Final = """
    SELECT quote_ident(relname) FROM pg_class
    WHERE relnamespace = %(schema)s::regnamespace AND relkind = 'r' ORDER BY relname
"""
# Freezing moves a table's oldest transaction up to the oldest that anybody may still look at, where nothing older is
# left in it: then every row that died before is gone (https://www.postgresql.org/docs/current/routine-vacuuming.html).
_LEFT: Final = """
    SELECT count(*) FROM pg_class AS held
    WHERE age(held.relfrozenxid) > age(%(before)s::xid8::xid) AND held.oid IN (
        SELECT oid FROM pg_class WHERE relnamespace = %(schema)s::regnamespace AND relkind = 'r'
        UNION ALL
        SELECT reltoastrelid FROM pg_class WHERE relnamespace = %(schema)s::regnamespace AND relkind = 'r'
    )
"""
# A table that holds nothing keeps the samples of what it held; and before release 18 there is no other way to say it.
_STALE: Final = """
    SELECT tablename, attname FROM pg_stats JOIN pg_class ON relname = tablename
    WHERE schemaname = %(schema)s AND relnamespace = %(schema)s::regnamespace AND reltuples <= 0
"""
_CLEAR: Final = "SELECT pg_clear_attribute_stats(%(schema)s, %(table)s, %(column)s, false)"
_TYPE: Final = """
    SELECT format_type(atttypid, atttypmod) FROM pg_attribute
    WHERE attrelid = %(table)s::regclass AND attname = %(column)s
"""
_CLEARS: Final = "SELECT to_regproc('pg_clear_attribute_stats') IS NOT NULL"


def swept(owner: PostgresWriter, schema: str) -> bool:
    """Take dead rows out of every table of ``schema``, and return whether all that were dead before are gone.

    They are kept while anybody still reads as of before: that is waited for, at most for :data:`FOLD_S`. The planner's
    samples of what the columns hold are taken anew as well.
    """
    owner.execute(_BOUNDS)
    values = {"schema": schema, "before": owner.execute(_NEXT)[0][0]}
    tables = ", ".join(f"{schema}.{name}" for (name,) in owner.execute(_TABLES, values))
    deadline = time.monotonic() + FOLD_S
    while tables:
        owner.execute(f"VACUUM (FREEZE, ANALYZE) {tables}")
        if owner.execute(_LEFT, values) == [(0,)]:
            break
        if time.monotonic() > deadline:
            return False
        time.sleep(_PAUSE_S)
    _forget_samples(owner, schema)
    owner.execute("VACUUM pg_catalog.pg_statistic")
    return True


def _forget_samples(owner: PostgresWriter, schema: str) -> None:
    clears = owner.execute(_CLEARS)[0][0]
    for table, column in owner.execute(_STALE, {"schema": schema}):
        if clears:
            owner.execute(_CLEAR, {"schema": schema, "table": table, "column": column})
            continue
        place = f'{schema}."{table}"'
        (type_,) = owner.execute(_TYPE, {"table": place, "column": column})[0]
        with suppress(WeftError):  # a column that a guard looks at: of those none holds what anybody wrote
            owner.execute(f'ALTER TABLE {place} ALTER COLUMN "{column}" TYPE {type_}')
