"""What a database holds, by its own catalogue.

The catalogue's tables are read, not ``to_regclass`` and its like: these look a name up in what the connection has kept,
and whoever waited for an advisory lock is told there that what was made meanwhile is not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from weft.store.postgres.connection import PostgresReader

__all__ = ["has_schema", "has_table", "tables_of"]

_SCHEMA: Final = "SELECT count(*) FROM pg_namespace WHERE nspname = %(schema)s"
_TABLE: Final = """
    SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = %(schema)s AND relname = %(table)s AND relkind = 'r'
"""
_TABLES: Final = "SELECT relname FROM pg_class WHERE relnamespace = %(schema)s::regnamespace AND relkind IN ('r', 'v')"


def has_schema(login: PostgresReader, schema: str) -> bool:
    """Return whether the database holds ``schema``, whoever may look into it."""
    return bool(login.execute(_SCHEMA, {"schema": schema})[0][0])


def has_table(login: PostgresReader, schema: str, table: str) -> bool:
    """Return whether the database holds ``table`` in ``schema``, whoever may read it."""
    return bool(login.execute(_TABLE, {"schema": schema, "table": table})[0][0])


def tables_of(login: PostgresReader, schema: str) -> set[str]:
    """Return the names of all tables and views of ``schema``, which must be there."""
    return {name for (name,) in login.execute(_TABLES, {"schema": schema})}
