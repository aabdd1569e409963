"""The schema that a graph of this release has, to compare with the one that a file has."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from weft.store.migrate import migrate
from weft.store.moved import NEXT
from weft.store.sqlite import Connection, connect

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["schema_amiss", "schema_missing"]

_OBJECTS = "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
_MENDED = ("index", "trigger")


@lru_cache
def _due() -> Mapping[str, tuple[str, str]]:
    fresh = Connection(connect(Path(":memory:"), synchronous="OFF", vfs="", create=True))
    try:
        migrate(fresh)
        return _held(fresh)
    finally:
        fresh.close()


def _held(connection: Connection) -> dict[str, tuple[str, str]]:
    return {name: (type_, sql) for name, type_, sql in connection.execute(_OBJECTS)}


def schema_missing(connection: Connection) -> dict[str, str]:
    """Return the indexes and triggers that the graph lacks, by name, each with the SQL that makes it."""
    held = _held(connection)
    return {name: sql for name, (type_, sql) in _due().items() if type_ in _MENDED and name not in held}


def schema_amiss(connection: Connection) -> tuple[list[str], list[str]]:
    """Return the names of what the graph lacks and can be given, and of what is there and should not be so.

    What a move to another embedding model has beside the graph may be there.
    """
    held, due = _held(connection), _due()
    held = {name: each for name, each in held.items() if not name.startswith(NEXT)}
    missing = schema_missing(connection)
    lost = [name for name in due if name not in held and name not in missing]
    return sorted(missing), sorted([*lost, *(name for name in held if held[name] != due.get(name))])
