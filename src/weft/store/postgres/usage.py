"""The memory of use of a graph in PostgreSQL, in a schema of its own beside the graph's.

It lies on the primary, for it is written with almost every call. What goes there and comes from there is done by one
thread, over a connection of its own: whoever calls waits for that thread a moment at most, and for none that hangs.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, TypeVar

from weft.errors import PermissionDenied, Unavailable, WeftError
from weft.model import Tier
from weft.store.migrate import migrations
from weft.store.postgres.catalogue import has_table
from weft.store.postgres.connection import bare
from weft.store.postgres.names import SCHEMA, role_of
from weft.store.postgres.sweeping import swept
from weft.store.remembering import AUDITED_MAX, UsageMemory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from weft.store.postgres.connection import PostgresWriter
    from weft.store.remembering import Rows, Slate, Step

__all__ = ["USE", "PostgresUsage", "make_usage"]

USE: Final = "weft_use"
"""The schema of the database in which the memory of use lies."""

_GRANTED: Final = f"SELECT has_schema_privilege('{role_of(Tier.READER)}', '{USE}', 'USAGE')"
_SCRIPTS: Final = "postgres/use"
_MAKING: Final = int.from_bytes(b"WefN")
_WRITING: Final = int.from_bytes(b"WefU")
_PATIENCE_S: Final = 0.03
_END_S: Final = 1.0
_AGAIN_MIN_S: Final = 0.5
_AGAIN_MAX_S: Final = 30.0

# Nothing here waits for a disk or a standby: what a crash takes was worth a hint.
_SESSION: Final = f"""
    SET search_path TO {USE}, {SCHEMA}, public; SET synchronous_commit TO off;
    SET statement_timeout TO '5s'; SET lock_timeout TO '1s'
"""
# Two that touch the same rows in another order would wait for each other until one is ended: they take turns.
_BEGIN: Final = f"BEGIN; SELECT pg_advisory_xact_lock({_WRITING})"
_CONNECT_S: Final = "2"
_TABLES: Final = """
    SELECT quote_ident(relname) FROM pg_class
    WHERE relnamespace = to_regnamespace(%(schema)s) AND relkind = 'r' ORDER BY relname
"""
_HINTS: Final = ("use", "note", "tally", "hint_offer", "hint_tally")

T = TypeVar("T")


class PostgresUsage(UsageMemory):
    """The memory of use in the database that ``url`` names, written by the role of ``tier``. Safe for threads."""

    def __init__(self, url: str, *, tier: Tier) -> None:
        super().__init__(_Server(url, tier))


def make_usage(owner: PostgresWriter) -> None:
    """Make the memory of use where the database has none, or bring it up, and let every role write it.

    Raises:
        PermissionDenied: the login may not.
    """
    scripts = migrations(_SCRIPTS)
    if _number(owner) == max(scripts) and owner.execute(_GRANTED) == [(True,)]:
        return
    with owner.transaction(f"BEGIN; SELECT pg_advisory_xact_lock({_MAKING})"):
        held = _number(owner)
        if not held:
            owner.execute(f"CREATE SCHEMA IF NOT EXISTS {USE}")
            owner.execute(f"CREATE TABLE {USE}.migration (number bigint PRIMARY KEY)")
        owner.execute(f"SET LOCAL search_path TO {USE}, {SCHEMA}, public")
        for number, script in scripts.items():
            if number > held:
                owner.execute(script)
                owner.execute("INSERT INTO migration (number) VALUES (%(number)s)", {"number": number})
        _grant(owner)


def _number(owner: PostgresWriter) -> int:
    """Return the number of the newest script that was run; 0: none."""
    if not has_table(owner, USE, "migration"):
        return 0
    return int(owner.execute(f"SELECT coalesce(max(number), 0) FROM {USE}.migration")[0][0])


def _grant(owner: PostgresWriter) -> None:
    """Let every role write hints and records of calls, and a curator's take these back."""
    for tier in Tier:
        role = role_of(tier)
        owner.execute(f"GRANT USAGE ON SCHEMA {USE} TO {role}")
        owner.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {', '.join(_HINTS)} TO {role}")
        owner.execute(f"GRANT SELECT, INSERT ON audit TO {role}")
    owner.execute(f"GRANT UPDATE, DELETE ON audit TO {role_of(Tier.CURATOR)}")


class _Slate:
    """The memory of use over one connection."""

    def __init__(self, writer: PostgresWriter) -> None:
        self._writer = writer
        self.failed = False

    def write(self, steps: Sequence[Step]) -> None:
        try:
            with self._writer.transaction(_BEGIN):
                for name, values in steps:
                    self._writer.put(name, **values)
        except Unavailable:
            self.failed = True
            raise

    def read(self, name: str, values: Mapping[str, Any]) -> Rows:
        return self._writer.read(name, **values)


class _Server:
    """The schema in the database, and the thread that speaks to it."""

    def __init__(self, url: str, tier: Tier) -> None:
        self._url = url
        self._tier = tier
        self._asked: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._began = 0.0
        self._pause_s = _AGAIN_MIN_S
        self._again = 0.0
        self._closed = False
        self._held: tuple[ExitStack, _Slate] | None = None
        self._thread = threading.Thread(target=self._work, name="weft-usage-server", daemon=True)
        self._asked.put(partial(self._answer, lambda _: None, Future()))  # connected before it is asked
        self._thread.start()

    def use(self, work: Callable[[Slate], T], otherwise: T) -> T:
        """Return what ``work`` makes of the memory, or ``otherwise`` where the database does not answer soon."""
        if self._closed or self._late() or time.monotonic() < self._again:
            return otherwise
        answer: Future[T] = Future()
        self._asked.put(partial(self._answer, work, answer))
        try:
            return answer.result(_PATIENCE_S)
        except (TimeoutError, WeftError):
            return otherwise

    def damage(self) -> str:
        """Return what is wrong with the tables; empty: nothing, or they are not there yet."""
        try:
            with bare(self._url, connect_timeout=_CONNECT_S) as owner:
                held = [name for (name,) in owner.execute(_TABLES, {"schema": USE})]
                for name in held:
                    owner.execute(f"SELECT count(*) FROM {USE}.{name}")
        except Unavailable as error:
            return error.message
        missing = sorted({*_HINTS, "audit"} - set(held)) if held else ()
        return f"the tables {', '.join(missing)} are missing" if missing else ""

    def fold(self) -> bool:
        """Take dead rows out of the tables, and return whether none is left."""
        with suppress(WeftError), bare(self._url, connect_timeout=_CONNECT_S) as owner:
            return swept(owner, USE)
        return False

    def renew(self) -> None:
        """Drop the tables, and make them anew.

        Raises:
            PermissionDenied: the login does not own them.
        """
        with bare(self._url, connect_timeout=_CONNECT_S) as owner:
            owner.execute(f"DROP SCHEMA IF EXISTS {USE} CASCADE")
            make_usage(owner)

    def close(self, last: Callable[[Slate], None] | None) -> None:
        """Let the thread do what is under way and ``last``, in a second at most, and end."""
        self._closed = True
        if last is not None:
            self._asked.put(partial(self._answer, last, Future()))
        self._asked.put(None)
        self._thread.join(_END_S)

    def _late(self) -> bool:
        """Return whether somebody has waited in vain, and nothing has come back since."""
        began = self._began
        return began > 0 and time.monotonic() - began > _PATIENCE_S

    def _work(self) -> None:
        while (ask := self._asked.get()) is not None:
            self._began = time.monotonic()
            ask()
            self._began = 0.0
        self._end()

    def _answer(self, work: Callable[[Slate], T], answer: Future[T]) -> None:
        try:
            slate = self._slate()
            answer.set_result(work(slate))
            if slate.failed:
                self._end()
        except WeftError as error:
            self._end()  # the next one begins with a new connection
            answer.set_exception(error)

    def _slate(self) -> _Slate:
        """Return the memory over the connection; where none can be made, it is not tried again for a while.

        Raises:
            WeftError: there is none.
        """
        if self._held is None:
            try:
                self._held = self._connected()
            except WeftError:
                self._again = time.monotonic() + self._pause_s
                self._pause_s = min(2 * self._pause_s, _AGAIN_MAX_S)
                raise
            self._pause_s = _AGAIN_MIN_S
        return self._held[1]

    def _connected(self) -> tuple[ExitStack, _Slate]:
        with ExitStack() as stack:
            writer = stack.enter_context(bare(self._url, connect_timeout=_CONNECT_S))
            with suppress(PermissionDenied):  # a login that does not own the graph finds it made, or goes without
                make_usage(writer)
            writer.execute(f"{_SESSION}; SET ROLE {role_of(self._tier)}")
            writer.run("usage_forget")
            if self._tier >= Tier.CURATOR:
                writer.run("usage_audit_kept", limit=AUDITED_MAX)
            return stack.pop_all(), _Slate(writer)

    def _end(self) -> None:
        if self._held is not None:
            stack, _ = self._held
            self._held = None
            stack.close()
