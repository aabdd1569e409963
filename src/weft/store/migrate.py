"""The schema by numbered migrations: all of them applied make a fresh graph, the missing ones bring an old one up.

``migrations/<dialect>/NNNN_title.sql`` is applied once, in one transaction together with its number, so that a process
which dies half-way leaves the schema before it.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from weft.errors import CannotOpen

if TYPE_CHECKING:
    from weft.store.sqlite import Connection

__all__ = ["migrate", "migrations", "newest_schema", "refuse_newer_schema", "without_room"]


@lru_cache
def migrations(dialect: str) -> dict[int, str]:
    """Return the scripts of ``dialect`` by their numbers, ascending."""
    folder = files("weft.store") / "migrations" / dialect
    found = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name)
    return {int(entry.name[:4]): entry.read_text("utf-8") for entry in found}


def newest_schema(dialect: str = "sqlite") -> int:
    """Return the number of the newest schema this version of Weft knows."""
    return max(migrations(dialect))


def refuse_newer_schema(schema: int, graph: object, dialect: str = "sqlite") -> None:
    """Refuse a graph that a newer Weft has written.

    Raises:
        CannotOpen: ``schema`` is newer than any known here.
    """
    newest = newest_schema(dialect)
    if schema > newest:
        raise CannotOpen(
            f"{graph} has schema {schema}, written by a newer Weft; this one knows up to {newest}.",
            hint="Upgrade Weft. The graph was left as it is.",
        )


def without_room(graph: object, why: str) -> CannotOpen:
    """Return the refusal of ``graph``, which has to be written to before this release can read it, and cannot be."""
    return CannotOpen(
        f"{graph} cannot be opened: {why}, and this release of Weft has to write to it before it can read it.",
        hint="Make room and open it again; what it holds is there.",
    )


def migrate(connection: Connection) -> None:
    """Bring the graph behind ``connection`` to the newest schema; several processes may try at once.

    Raises:
        CannotOpen: the graph has a newer schema than is known here.
    """
    for number, script in migrations("sqlite").items():
        if connection.schema() >= number:
            continue
        with connection.transaction():
            if connection.schema() < number:  # nobody else did it while this one waited
                connection.execute(script)
                connection.execute(f"PRAGMA user_version = {number}")
    refuse_newer_schema(connection.schema(), "The graph")
