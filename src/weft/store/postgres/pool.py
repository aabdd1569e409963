"""Connections that wait to be used, and are made anew where they were lost."""

from __future__ import annotations

import logging
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Self

from psycopg_pool import ConnectionPool, PoolTimeout

from weft.errors import CannotOpen, Unavailable, WeftError
from weft.store.forking import refuse_child
from weft.store.postgres.connection import PostgresWriter, Session, conninfo_of, session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["WAIT_S", "Connections", "Lost"]

WAIT_S: Final = 10.0
"""The longest wait for a connection."""

_IN_USE = "All connections to the database are in use, or it cannot be reached."

# The pool logs why it cannot connect, with hosts and users; whoever asks for a connection is told what may be told.
logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)


class Lost(Unavailable):
    """The connection was lost; on another one the same may succeed."""


class Connections:
    """A pool of connections to whoever ``url`` names. Safe for threads.

    Those with a ``role`` are in it and cannot write. ``more`` are parameters that ``url`` may set itself.
    """

    def __init__(self, url: str, name: str, *, most: int, role: str, **more: str) -> None:
        self._pool: ConnectionPool[Session] = ConnectionPool(
            conninfo_of(url, **more),
            connection_class=self._class(),
            min_size=1,
            max_size=most,
            open=False,
            configure=self._configured(session(url, role)),
            name=name,
            timeout=WAIT_S,
            reconnect_timeout=WAIT_S,
            num_workers=2,
        )
        self._process = os.getpid()
        self._closed = False
        self._why = _IN_USE, ""

    def open(self) -> None:
        """Connect, and wait until the first connection is there.

        Raises:
            CannotOpen: it is not there in time; it says why, where that is known.
        """
        try:
            self._pool.open(wait=True, timeout=WAIT_S)
        except PoolTimeout:
            self.close()
            said, hint = self._why
            raise CannotOpen(said, hint=hint) from None

    def renew(self) -> None:
        """Begin with new connections: where one was lost, the others may be."""
        self._pool.drain()

    def close(self) -> None:
        """Close every connection; those in use close when they come back."""
        self._closed = True
        self._pool.close(timeout=WAIT_S)

    @contextmanager
    def taken(self) -> Iterator[PostgresWriter]:
        """Give a connection that nobody else uses.

        Raises:
            Unavailable: all are in use, there is no server, or this process was forked; as :class:`Lost` where the
                connection went meanwhile.
        """
        if self._closed:
            raise Unavailable("The graph is closed.", hint="Open it again.")
        refuse_child(self._process)
        try:
            connection = self._pool.getconn(timeout=WAIT_S)
        except PoolTimeout:
            said, hint = self._why
            raise Unavailable(said, hint=hint) from None
        writer = PostgresWriter(connection)
        try:
            yield writer
        except Unavailable as error:
            if connection.closed and not error.key:
                raise Lost(error.message, hint=error.hint) from error
            raise
        finally:
            writer.settle()
            self._pool.putconn(connection)

    def _class(self) -> type[Session]:
        """Return the class of this pool's connections, which tells it why one was not to be had."""
        connections = self

        class Told(Session):
            @classmethod
            def connect(cls, conninfo: str = "", **more: Any) -> Self:  # noqa: ANN401 - the driver's
                with connections._noting():
                    return super().connect(conninfo, **more)

        return Told

    def _configured(self, configure: Callable[[Session], None]) -> Callable[[Session], None]:
        def configured(connection: Session) -> None:
            with self._noting():
                configure(connection)
            self._why = _IN_USE, ""

        return configured

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except WeftError as error:
            self._why = error.message, error.hint
            raise
