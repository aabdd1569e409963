"""The SQL of the store as psycopg takes it.

Values are named ``%(name)s`` there. A list that a statement reads by ``json_each(:ids)`` travels as an array, of the
type that its name has here; any other list as JSON, as it does to the embedded engine.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from weft.store.statements import statement

__all__ = ["Said", "said", "translated"]

_LIST = re.compile(r"json_each\(:(\w+)\)")
_VALUE = re.compile(r"(?<![:\w]):(\w+)")
_ROWS = frozenset({"rows", "nodes"})  # places in a table; every other list is of texts


class Said(NamedTuple):
    """One statement: its ``sql``, and the names of those values that travel as arrays."""

    sql: str
    lists: frozenset[str]


@lru_cache(maxsize=1024)
def said(name: str, where: tuple[str, ...] = ()) -> Said:
    """Return the entry ``name`` with the conditions ``where`` (names of entries, all must hold).

    Raises:
        KeyError: there is no such entry.
    """
    return translated(statement(name, where, "postgres"))


@lru_cache(maxsize=256)
def translated(sql: str) -> Said:
    """Return a statement in the store's words (``:name``) as the driver takes it."""
    sql = sql.replace("%", "%%")
    lists = frozenset(_LIST.findall(sql))
    typed = _LIST.sub(lambda found: f"json_each(%({found[1]})s::{_type(found[1])}[])", sql)
    return Said(_VALUE.sub(r"%(\1)s", typed), lists)


def _type(name: str) -> str:
    return "bigint" if name in _ROWS else "text"
