"""The SQL of the store, said once in ``queries/*.sql``; ``queries/<dialect>/*.sql`` says by the same name what differs.

A file is a list of entries. Each begins with ``-- name: NAME``, then a comment of one sentence, then its SQL. In it,
``{{NAME}}`` stands for another entry's SQL and ``{{where}}`` for the conditions that a caller names; both are names of
entries, so that no text from outside ever becomes SQL.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["names", "statement"]

_ENTRY = re.compile(r"^-- name: (\w+)\n((?:-- [^\n]*\n)+)(.*?)(?=^-- name: |\Z)", re.MULTILINE | re.DOTALL)
_PART = re.compile(r"\{\{(\w+)\}\}")


@lru_cache
def _entries(dialect: str) -> dict[str, str]:
    shared = files("weft.store") / "queries"
    said = _read(shared)
    if dialect != "sqlite":  # there alone CROSS JOIN takes a condition, and is how an order of tables is asked for
        said = {name: sql.replace("CROSS JOIN", "JOIN") for name, sql in said.items()}
    own = shared / dialect
    return said | (_read(own) if own.is_dir() else {})


def _read(folder: Traversable) -> dict[str, str]:
    texts = [file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".sql")]
    return {name: sql.strip() for text in texts for name, _, sql in _ENTRY.findall(text)}


def names(dialect: str = "sqlite") -> tuple[str, ...]:
    """Return the names of all entries of ``dialect``, sorted."""
    return tuple(sorted(_entries(dialect)))


@lru_cache(maxsize=1024)
def statement(name: str, where: tuple[str, ...] = (), dialect: str = "sqlite") -> str:
    """Return the SQL of the entry ``name``, with the conditions ``where`` (names of entries, all must hold) put in.

    Raises:
        KeyError: there is no such entry.
    """
    entries = _entries(dialect)
    conditions = " AND ".join(f"({entries[part]})" for part in where) or "true"
    sql = entries[name]
    while part := _PART.search(sql):
        sql = sql.replace(part[0], conditions if part[1] == "where" else entries[part[1]])
    return sql
