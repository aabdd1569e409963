"""One graph in PostgreSQL: who reads and writes it, as what, and in which order.

Readers wait in one pool, as the role of a reader and in sessions that cannot write; writers in another, where each
transaction takes the role of its caller's tier for itself alone (``SET LOCAL ROLE``; a plain SET ROLE would stay with
the connection and leak to the next caller). Writers of one graph take turns under an advisory lock that is held until
the commit is durable, so that positions of the log are in commit order.

With ``weft_reads=standby`` in the URL, reads are asked of a standby wherever one of its hosts is one and has come far
enough (:mod:`weft.store.postgres.standbys`).
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from weft.errors import CannotOpen, Conflict, Unavailable
from weft.store.migrate import newest_schema
from weft.store.moved import refuse_changed, understood
from weft.store.postgres.address import address_of
from weft.store.postgres.names import TURN, role_of
from weft.store.postgres.pool import Connections, Lost
from weft.store.postgres.standbys import Standbys
from weft.store.statements import statement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from weft.model import Tier
    from weft.store.engine import Bound
    from weft.store.postgres.connection import PostgresReader, PostgresWriter

__all__ = ["PostgresDatabase"]

_T = TypeVar("_T")
_MARK: Final = "SELECT pg_logical_emit_message(true, 'weft', '')"  # the least that is written to the log
_CLAIMS: Final = 0x57656674  # «Weft», apart from the locks of one number
_CLAIM: Final = f"SELECT pg_try_advisory_xact_lock({_CLAIMS}, hashtext(%(work)s))"
_HELD: Final = statement("graph_held", dialect="postgres")
_READERS: Final = 8
_WRITERS: Final = 4


class PostgresDatabase:
    """A pool of connections to read with, and one to write with. Safe for threads.

    ``tier`` is the highest that anything here can reach, whatever tier is asked of :meth:`writer`; all reading is done
    in the role ``reader``.
    """

    def __init__(self, url: str, *, tier: Tier, reader: str = "weft_reader", embedding: str = "") -> None:
        self.tier = tier
        self.embedding = embedding
        self._reader = reader
        self._readers = Connections(url, "weft-readers", most=_READERS, role=reader, target_session_attrs="primary")
        self._writers = Connections(url, "weft-writers", most=_WRITERS, role="", target_session_attrs="read-write")
        self._others: Connections | None = None
        self._standbys = Standbys(self._asked)
        self._readers.open()
        self._writers.open()
        if address_of(url).on_standby:
            self._follow(url)
        self.schema = newest_schema("postgres")
        self.engine = f"PostgreSQL {self.read('engine_version')[0][0]}"

    def read(self, name: str, /, *, where: tuple[str, ...] = (), **values: Bound) -> list[tuple[Any, ...]]:
        """Return all rows of the query ``name``, as of now; asked once more where the connection was lost."""
        with self._understood():
            try:
                with self._reading() as reader:
                    return reader.read(name, where=where, **values)
            except Lost:
                self._readers.renew()
                with self._readers.taken() as reader:
                    return reader.read(name, where=where, **values)

    @contextmanager
    def snapshot(self) -> Iterator[PostgresReader]:
        """Give a reader whose reads all see the same moment. Keep it short: no garbage is taken away meanwhile."""
        with self._understood(), ExitStack() as stack:
            yield self._begun(stack, self._at_one_moment)

    @contextmanager
    def writer(self, tier: Tier, *, spares: bool = True) -> Iterator[PostgresWriter]:
        """Give a writer inside one transaction, which is durable when the block ends and undone when it raises.

        ``tier`` is lowered to the database's own. ``spares`` says whether documents must be spared.

        Raises:
            Unavailable: others kept the graph busy for nine tenths of the deadline, the database cannot be reached or
                written, the graph has been moved to another embedding model (with the key ``model_moved``) or brought
                up by another release (``brought_up``), or nobody can tell whether the commit will last (with the key
                ``outcome_unknown``).
        """
        role = role_of(min(tier, self.tier))
        begin = f"""
            BEGIN; SET LOCAL ROLE {role}; SET LOCAL weft.spares TO '{int(spares)}';
            SELECT pg_advisory_xact_lock({TURN}); {_HELD}
        """
        try:
            with ExitStack() as stack:
                yield self._begun(stack, partial(self._in_turn, begin))
        except Conflict:
            self._catch_up()  # somebody else wrote first: what is planned next must see that
            raise
        self._catch_up()

    @contextmanager
    def claimed(self, work: str) -> Iterator[bool]:
        """Hold the right to do ``work`` for the block, and tell whether it was free; nobody waits for it.

        An advisory lock that a connection holds as long as it is in a transaction, which writes nothing.

        Raises:
            Unavailable: the database cannot be reached.
        """
        with self._writers.taken() as holder, holder.transaction("BEGIN"):
            ((free,),) = holder.execute(_CLAIM, {"work": work})
            yield bool(free)

    def assure(self) -> None:
        """Return when a standby that is waited for has all that can be read now.

        A commit whose wait was cut short is seen by everybody all the same. A later commit is confirmed after it.
        """
        with self._writers.taken() as writer, writer.transaction("BEGIN"):
            writer.execute(_MARK)

    def close(self) -> None:
        """Close every connection; those in use close when they come back."""
        for connections in (self._readers, self._writers, self._others):
            if connections is not None:
                connections.close()

    def _understood(self) -> AbstractContextManager[None]:
        return understood(self._held, embedding=self.embedding, schema=self.schema)

    def _held(self) -> list[tuple[Any, ...]]:
        with self._readers.taken() as reader:
            return reader.read("graph_held")

    def _follow(self, url: str) -> None:
        others = Connections(url, "weft-standbys", most=_READERS, role=self._reader, target_session_attrs="standby")
        with suppress(CannotOpen):  # there is none now: the primary answers
            others.open()
            self._others = others

    def _catch_up(self) -> None:
        if self._others is not None:
            with suppress(Unavailable):
                self._standbys.wrote()

    def _asked(self, sql: str) -> int:
        with self._readers.taken() as reader:
            return int(reader.execute(sql)[0][0])

    def _begun(self, stack: ExitStack, begin: Callable[[ExitStack], _T]) -> _T:
        """Return what ``begin`` gives; on another connection where the first was lost before anything was done."""
        try:
            return _entered(stack, begin)
        except Lost:
            self._readers.renew()
            self._writers.renew()
            return _entered(stack, begin)

    def _in_turn(self, begin: str, stack: ExitStack) -> PostgresWriter:
        writer = stack.enter_context(self._writers.taken())
        held = stack.enter_context(writer.transaction(begin))
        refuse_changed(held, embedding=self.embedding, schema=self.schema)
        return writer

    def _at_one_moment(self, stack: ExitStack) -> PostgresReader:
        reader = stack.enter_context(self._reading())
        reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        stack.callback(reader.end)
        return reader

    @contextmanager
    def _reading(self) -> Iterator[PostgresReader]:
        """Give a reader of a standby that has come far enough, else of the primary."""
        with ExitStack() as stack:
            yield self._beside(stack) or stack.enter_context(self._readers.taken())

    def _beside(self, stack: ExitStack) -> PostgresReader | None:
        if self._others is None or not self._standbys.answer:
            return None
        try:
            reader = stack.enter_context(self._others.taken())
            return reader if self._standbys.admits(reader.host, reader) else None
        except Unavailable:
            self._standbys.fell_silent()
            return None


def _entered(stack: ExitStack, begin: Callable[[ExitStack], _T]) -> _T:
    with ExitStack() as entered:
        given = begin(entered)
        stack.push(entered.pop_all())
        return given
