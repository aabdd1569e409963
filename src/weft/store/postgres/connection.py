"""Connections to a PostgreSQL database: the only module that knows the driver.

What is told of a failure never holds more than the server's own words on a statement: what it says of a connection may
name hosts, users and databases.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import psycopg
from psycopg.adapt import Dumper, Loader
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import Format, TransactionStatus
from psycopg.types import TypeInfo

from weft.errors import InvalidArgument, PermissionDenied
from weft.model.codec import json_text
from weft.store.engine import AFTER_ALL
from weft.store.postgres.address import address_of
from weft.store.postgres.faults import denied, fault, outcome_unknown, unreached
from weft.store.postgres.names import SCHEMA
from weft.store.postgres.parameters import CONNECTION, READING, SESSION
from weft.store.postgres.pooled import refuse_lent
from weft.store.postgres.said import said, translated
from weft.store.postgres.vector import from_wire, to_wire
from weft.store.postgres.versions import refuse_older_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from psycopg.abc import Buffer, PQGen
    from psycopg.rows import TupleRow

    from weft.errors import WeftError
    from weft.store.engine import Bound
    from weft.store.postgres.said import Said

__all__ = ["PostgresReader", "PostgresWriter", "Session", "bare", "conninfo_of", "session"]

_LISTS = (list, tuple)

_STOP_S: Final = 5.0
_SENT_MAX: Final = 256
_LENT_S: Final = 2  # for a connection of which only one thing is asked

_T = TypeVar("_T")


class Session(psycopg.Connection["TupleRow"]):
    """A connection that does not wait for ever where its server has fallen silent.

    The server's own limits bind a server that works; one that hangs, or that no network reaches, keeps to none.
    """

    patience_s: float | None = None

    @classmethod
    def connect(cls, conninfo: str = "", **more: Any) -> Self:  # noqa: ANN401 - the driver's
        """Return a new connection.

        Raises:
            WeftError: there is none to be had; why is said without naming hosts or users.
        """
        try:
            return super().connect(conninfo, **more)
        except psycopg.OperationalError as error:
            if error.sqlstate is not None:
                raise _translated(error) from None
            raise unreached(str(error)) from None

    @cached_property
    def reading(self) -> psycopg.Cursor[TupleRow]:
        """What is read with, one statement after the other; values come as bytes, not as text."""
        return self.cursor(binary=True)

    def wait(self, gen: PQGen[_T], interval: float = 0.1, timeout: float | None = None) -> _T:
        """Wait for what the server answers, and cut the connection where it does not."""
        if timeout is not None or self.patience_s is None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, self.patience_s)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.pgconn.finish()
            raise


class _VectorDumper(Dumper):
    """Bytes are vectors: the graph holds no others."""

    format = Format.BINARY

    def dump(self, obj: bytes) -> Buffer:
        return to_wire(obj)


class _VectorLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        return from_wire(bytes(data))


def _translated(error: psycopg.Error) -> WeftError:
    return fault(error.sqlstate, error.diag.message_primary)


def conninfo_of(url: str, **more: str) -> str:
    """Return ``url`` with our limits, which it may set itself.

    Raises:
        InvalidArgument: it is not a PostgreSQL URL.
    """
    try:
        given = conninfo_to_dict(address_of(url).url)
    except psycopg.Error:
        raise InvalidArgument(
            "graph: this is not a PostgreSQL URL", hint="Such as postgresql://user@host:5432/database"
        ) from None
    return make_conninfo(**{**CONNECTION, **more, **{name: str(value) for name, value in given.items()}})


def _prepare(connection: Session) -> None:
    """Set a new connection up: limits, schema, and vectors as bytes."""
    connection.autocommit = True
    try:
        connection.execute(f"SET search_path TO {SCHEMA}, public; {SESSION}")
        info = TypeInfo.fetch(connection, "halfvec")
    except psycopg.Error as error:
        raise _translated(error) from error
    if info is not None:
        info.register(connection)
        connection.adapters.register_loader(info.oid, _VectorLoader)
        connection.adapters.register_dumper(bytes, type("_HalfvecDumper", (_VectorDumper,), {"oid": info.oid}))


def session(url: str, role: str) -> Callable[[Session], None]:
    """Return what sets up each connection of a pool; in ``role`` it reads only, without one it is as it logged in."""
    address = address_of(url)
    limit = int(address.deadline_s * 1_000)

    def configure(connection: Session) -> None:
        reader = PostgresReader(connection)
        _prepare(connection)
        if role:
            reader.execute(f"{READING} SET ROLE {role}")
        reader.execute(f"SET statement_timeout TO {limit}; SET lock_timeout TO {limit * 9 // 10}")
        connection.patience_s = address.patience_s

    return configure


@contextmanager
def bare(url: str, **more: str) -> Iterator[PostgresWriter]:
    """Give one connection as whoever ``url`` names, outside any role and pool: for making and upgrading a graph.

    ``more`` are parameters of the connection, which ``url`` may set itself.

    Raises:
        CannotOpen: it cannot be connected to, the server is too old, or a pooler lends its connections.
        InvalidArgument: it is not a PostgreSQL URL.
    """
    conninfo = conninfo_of(url, **{"target_session_attrs": "read-write", **more})
    with Session.connect(conninfo, autocommit=True) as connection:
        refuse_older_server(connection.info.parameter_status("server_version") or "unknown")
        refuse_lent(PostgresReader(connection), connection.info.backend_pid, partial(_another, conninfo))
        _prepare(connection)
        yield PostgresWriter(connection)


@contextmanager
def _another(conninfo: str) -> Iterator[PostgresReader]:
    """Give one more connection, on which nobody waits long."""
    with Session.connect(make_conninfo(conninfo, connect_timeout=_LENT_S), autocommit=True) as connection:
        connection.patience_s = _LENT_S
        yield PostgresReader(connection)


class _Unsendable(InvalidArgument):
    """A text holds a zero character."""


def _sendable(value: Bound) -> Bound:
    """Return a value that finds as little as one with a zero in it would: the last character stands in no text."""
    if isinstance(value, str):
        return value.replace("\x00", AFTER_ALL)
    return [_sendable(item) for item in value] if isinstance(value, _LISTS) else value


class PostgresReader:
    """One connection, used by one thread at a time, that reads by the names of queries."""

    def __init__(self, connection: Session) -> None:
        self._connection = connection

    @property
    def host(self) -> str:
        """The server behind the connection, to tell it from others: host and port."""
        return f"{self._connection.info.host}:{self._connection.info.port}"

    def read(self, name: str, /, *, where: tuple[str, ...] = (), **values: Bound) -> list[tuple[Any, ...]]:
        """Return all rows of the query ``name``."""
        asked = said(name, where)
        try:
            return self._rows(asked, values)
        except _Unsendable:
            return self._rows(asked, {name: _sendable(value) for name, value in values.items()})

    def ask(self, sql: str, values: Mapping[str, Bound]) -> list[tuple[Any, ...]]:
        """Return the rows of a statement of the store's own making, its values named as in ``queries/*.sql``."""
        return self._rows(translated(sql), values)

    def execute(self, sql: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Run ``sql`` as it stands, and return the rows of its last statement, if that has any."""
        try:
            cursor = self._connection.execute(sql, values)
            while cursor.nextset():
                pass
            return cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            raise _translated(error) from error

    def told(self, timeout_s: float) -> list[str]:
        """Return what was said on the channels that are listened to, as soon as anything is, or nothing in time."""
        try:
            return [each.payload for each in self._connection.notifies(timeout=timeout_s, stop_after=1)]
        except psycopg.Error as error:
            raise _translated(error) from error

    def end(self) -> None:
        """End the transaction that only read; where the connection is lost, it has ended."""
        with suppress(psycopg.Error):
            self._connection.commit()  # after a rollback the driver would prepare every statement anew

    def settle(self) -> None:
        """Undo what a failure has left open, so that the connection can be used by somebody else."""
        status = self._connection.info.transaction_status
        if status is not TransactionStatus.IDLE and not self._connection.closed:
            self._connection.rollback()

    def plan(self, name: str, /, *, where: tuple[str, ...] = (), **values: Bound) -> list[str]:
        """Return how the database would run the query, one line a step."""
        asked = said(name, where)
        return [row[0] for row in self._rows(asked._replace(sql=f"EXPLAIN {asked.sql}"), values)]

    def _rows(self, asked: Said, values: Mapping[str, Bound]) -> list[tuple[Any, ...]]:
        try:
            return self._run(asked, values, self._connection.reading).fetchall()
        except psycopg.Error as error:  # of a statement that was sent before this one
            raise self._failed(error) from error

    def _failed(self, error: psycopg.Error) -> WeftError:
        return _translated(error)

    def _run(
        self, asked: Said, values: Mapping[str, Bound], cursor: psycopg.Cursor[TupleRow]
    ) -> psycopg.Cursor[TupleRow]:
        bound = {
            name: json_text(value) if type(value) in _LISTS and name not in asked.lists else value
            for name, value in values.items()
        }
        try:
            return cursor.execute(asked.sql, bound)
        except psycopg.DataError as error:
            if error.sqlstate is None:  # the driver's own: a text holds what no text of the database can
                raise _Unsendable(f"A value cannot be stored: {error}.") from error
            raise self._failed(error) from error
        except psycopg.Error as error:
            raise self._failed(error) from error
        except (UnicodeEncodeError, OverflowError) as error:
            raise InvalidArgument(f"A value cannot be stored: {error}.") from error


class PostgresWriter(PostgresReader):
    """A reader that may also write, as far as the role it has taken goes."""

    def __init__(self, connection: Session) -> None:
        super().__init__(connection)
        self._ahead = ExitStack()
        self._sent: list[tuple[Said, psycopg.Cursor[TupleRow]]] = []

    def gather(self, *asked: tuple[str, Mapping[str, Bound]]) -> list[list[tuple[Any, ...]]]:
        """Return all rows of each of these queries (its name, and its values), sent together."""
        self._await()
        for name, values in asked:
            self.put(name, **values)
        sent = [cursor for _, cursor in self._sent]
        self._await()
        return [cursor.fetchall() for cursor in sent]

    def run(self, name: str, /, **values: Bound) -> int:
        """Run the statement ``name`` and return how many rows it changed."""
        self._await()
        asked = said(name)
        try:
            return self._run(asked, values, self._connection.reading).rowcount
        except PermissionDenied as refused:
            if refused.key == "role":
                raise denied(asked.sql) from refused
            raise

    def put(self, name: str, /, **values: Bound) -> None:
        """Send the statement ``name`` and go on; what it fails with comes out of a later one, or at the end."""
        if len(self._sent) >= _SENT_MAX:
            self._await()
        if not self._sent:
            self._ahead.enter_context(self._connection.pipeline())
        asked = said(name)
        self._sent.append((asked, self._run(asked, values, self._connection.cursor(binary=True))))

    def _await(self) -> None:
        """Wait until all that was sent is answered."""
        try:
            self._ahead.close()
        except psycopg.Error as error:
            raise self._failed(error) from error
        finally:
            self._sent.clear()

    def _failed(self, error: psycopg.Error) -> WeftError:
        """Return what an error means; a refusal is of the first statement that was sent and has no answer."""
        meant = super()._failed(error)
        refused = next((asked for asked, cursor in self._sent if cursor.pgresult is None), None)
        return denied(refused.sql) if refused and isinstance(meant, PermissionDenied) and meant.key == "role" else meant

    def stop(self) -> None:
        """Have the server end what it is doing for this connection; from any thread."""
        with suppress(psycopg.Error):
            self._connection.cancel_safe(timeout=_STOP_S)

    def pour(self, into: str, types: Sequence[str], rows: Iterable[Sequence[Bound]]) -> None:
        """Put ``rows`` into ``into`` (a table, and in brackets its columns) as they are; bytes are vectors."""
        try:
            with self._connection.cursor().copy(f"COPY {into} FROM STDIN (FORMAT BINARY)") as stream:
                stream.set_types(types)
                for row in rows:
                    stream.write_row(row)
        except psycopg.Error as error:
            raise _translated(error) from error

    @contextmanager
    def transaction(self, begin: str = "BEGIN") -> Iterator[list[tuple[Any, ...]]]:
        """Hold one transaction for the block; commit durably at its end, or undo all of it on any error.

        Gives the rows of the last statement of ``begin``.

        Raises:
            Unavailable: with the key ``outcome_unknown``, when nobody can tell whether the commit will last.
        """
        told = self.execute(begin)
        try:
            yield told
            self._await()
            self._commit()
        finally:
            with suppress(psycopg.Error):
                self._ahead.close()
            self._sent.clear()
            with suppress(psycopg.Error):
                self.settle()

    def _commit(self) -> None:
        """Commit; a warning then says that a synchronous standby was not waited for, which is no success."""
        warned: list[str] = []

        def notice(diagnostic: psycopg.errors.Diagnostic) -> None:
            if diagnostic.severity_nonlocalized == "WARNING":
                warned.append(diagnostic.sqlstate or "")

        self._connection.add_notice_handler(notice)
        try:
            self._connection.execute("COMMIT")
        except psycopg.OperationalError as error:
            if self._connection.closed or self._connection.broken:
                raise outcome_unknown() from error
            raise _translated(error) from error
        except psycopg.Error as error:
            raise _translated(error) from error
        finally:
            self._connection.remove_notice_handler(notice)
        if warned:
            raise outcome_unknown()
