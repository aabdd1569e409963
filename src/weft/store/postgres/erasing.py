"""Erasing in PostgreSQL: a leaked text taken out of every row and the log, and dead rows out of the tables.

Erased is what can be read through the database. What the server's log of writes, its archive and backups held before,
they hold until whoever keeps the server takes it out of them too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.errors import PermissionDenied
from weft.model import Tier
from weft.store.erasing import Blanked, SqlEraser, blanked
from weft.store.moved import refuse_changed
from weft.store.postgres.connection import bare
from weft.store.postgres.names import SCHEMA, TURN
from weft.store.postgres.roles import refuse_stranger
from weft.store.postgres.sweeping import swept

if TYPE_CHECKING:
    from weft.reason.blanking import Blank
    from weft.store.postgres.database import PostgresDatabase

__all__ = ["PostgresEraser"]

_BEGIN = f"BEGIN; SET LOCAL weft.spares TO '0'; SELECT pg_advisory_xact_lock({TURN})"


class PostgresEraser(SqlEraser):
    """Takes texts out of the graph in the database that ``url`` names; ``database`` is the same one."""

    def __init__(self, database: PostgresDatabase, url: str) -> None:
        super().__init__(database)
        self._tier = database.tier
        self._url = url

    def erase(self, blank: Blank, nothing: bytes) -> Blanked:
        """Take everything that ``blank`` names out of the graph in one transaction, then dead rows out of its tables.

        ``nothing`` is the vector, packed, that stands in for those of the passages that said it. Nobody else writes
        meanwhile. ``finished`` is off where somebody read as of before for longer than a few seconds.

        Raises:
            PermissionDenied: the graph was not opened as a curator, or the login does not own it.
        """
        if self._tier < Tier.CURATOR:
            raise PermissionDenied(f"This needs tier {Tier.CURATOR.label}; the graph was opened as {self._tier.label}.")
        done = Blanked()
        with bare(self._url) as owner:
            refuse_stranger(owner, "Erasing")
            with owner.transaction(_BEGIN):
                refuse_changed(
                    owner.read("graph_held"), embedding=self._database.embedding, schema=self._database.schema
                )
                blanked(owner, blank, nothing, done)
            done.finished = swept(owner, SCHEMA)
        return done
