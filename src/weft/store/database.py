"""One graph file and the connections to it: some to read with, one a tier to write with, and whose turn it is."""

from __future__ import annotations

import os
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from weft.errors import PermissionDenied, Unavailable
from weft.model import Tier
from weft.store.forking import refuse_child
from weft.store.migrate import newest_schema
from weft.store.moved import refuse_changed, understood
from weft.store.sqlite import Connection, Reader, Writer, connect, engine_version
from weft.store.turn import Turn, claimed, file_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from weft.store.engine import Bound

__all__ = ["Database"]

_Kind = TypeVar("_Kind", bound=Reader)
_WAIT_S = 30.0


class Database:
    """One graph file: a pool of connections to read with, and one a tier to write with.

    ``tier`` is the highest that anything here can reach, whatever tier is asked of :meth:`writer`. Safe for threads;
    a forked child is refused, and must open the graph anew. ``synchronous`` is FULL unless a test shows what less
    costs.
    """

    def __init__(
        self, path: Path, *, tier: Tier, synchronous: str = "FULL", vfs: str = "", embedding: str = ""
    ) -> None:
        self.path = path
        self.tier = tier
        self.embedding = embedding
        self.engine = f"SQLite {engine_version()}"
        self.schema = newest_schema()
        self._synchronous = synchronous
        self._vfs = vfs
        self._turn = Turn(path.with_name(f"{path.name}.lock"))
        self._file = file_of(path)
        self._idle: deque[Reader] = deque()
        self._writers: dict[Tier, Writer] = {}
        self._process = os.getpid()
        self._closed = False

    def read(self, name: str, /, *, where: tuple[str, ...] = (), **values: Bound) -> list[tuple[Any, ...]]:
        """Return all rows of the query ``name``, as of now."""
        reader = self._taken()
        try:
            with self.understood():
                return reader.read(name, where=where, **values)
        finally:
            self._give_back(reader)

    @contextmanager
    def snapshot(self) -> Iterator[Reader]:
        """Give a reader whose reads all see the same moment. Keep it short: the engine's log only grows meanwhile."""
        reader = self._taken()
        try:
            with self.understood(), reader.transaction("BEGIN"):
                yield reader
        finally:
            self._give_back(reader)

    @contextmanager
    def writer(self, tier: Tier, *, spares: bool = True) -> Iterator[Writer]:
        """Give a writer inside one transaction, which is durable when the block ends and undone when it raises.

        ``tier`` is lowered to the database's own. ``spares`` says whether documents must be spared.

        Raises:
            Unavailable: others kept the graph busy for 30 s, its file or model was replaced, another release brought it
                up, or the disk is failing.
        """
        with self.turn():
            writer = self._writer(min(tier, self.tier))
            writer.spare(documents=spares)
            with writer.transaction():
                self._compare(writer)
                yield writer

    @contextmanager
    def turn(self, wait_s: float = _WAIT_S) -> Iterator[None]:
        """Hold the right to write for the block; writers of all threads and processes take turns.

        Raises:
            Unavailable: others kept the graph busy for ``wait_s``, or its file was replaced.
        """
        self._check()
        with self._turn.taken(wait_s):
            if file_of(self.path) != self._file:
                raise Unavailable("The graph's file was replaced, or is gone.", hint="Open the graph again.")
            yield

    @contextmanager
    def apart(self) -> Iterator[Connection]:
        """Give a connection of its own without a guard, for looking at what no statement of ours sees or copying it."""
        self._check()
        connection = Connection(connect(self.path, synchronous=self._synchronous, vfs=self._vfs), self.tier)
        try:
            yield connection
        finally:
            connection.close()

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """Give a connection of its own without a guard while nobody else may write: for a curator's upkeep.

        Raises:
            PermissionDenied: the graph was opened with a lower tier.
            Unavailable: others kept the graph busy for 30 s.
        """
        if self.tier < Tier.CURATOR:
            raise PermissionDenied(f"This needs tier {Tier.CURATOR.label}; the graph was opened as {self.tier.label}.")
        with self.turn(), self.apart() as connection:
            self._compare(connection)
            yield connection

    def claimed(self, work: str) -> AbstractContextManager[bool]:
        """Hold the right to do ``work`` for the block, and tell whether it was free; nobody waits for it."""
        return claimed(self.path.with_name(f"{self.path.name}.{work}.lock"))

    def assure(self) -> None:
        """Return: what a reader sees was synced before."""

    def close(self) -> None:
        """Close every connection; those in use close when they come back."""
        self._closed = True
        self._turn.close()  # waits for a write that is going on
        while self._writers:
            self._writers.popitem()[1].close()
        while self._idle:
            self._idle.pop().close()

    def _taken(self) -> Reader:
        """Take an idle reader, the one used last, or a new one."""
        self._check()
        try:
            return self._idle.pop()
        except IndexError:
            return self.connected(Reader, Tier.READER)

    def _give_back(self, reader: Reader) -> None:
        if self._closed:
            reader.close()
        else:
            self._idle.append(reader)

    def _writer(self, tier: Tier) -> Writer:
        if tier not in self._writers:
            self._writers[tier] = self.connected(Writer, tier)
        return self._writers[tier]

    def connected(self, kind: type[_Kind], tier: Tier) -> _Kind:
        """Return a new connection of this kind behind its tier's guard; whoever asks closes it."""
        raw = connect(self.path, synchronous=self._synchronous, vfs=self._vfs)
        if kind is Reader:
            raw.pragma("query_only", "ON")
        return kind(raw, tier)

    def understood(self) -> AbstractContextManager[None]:
        """Say why, where the engine does not understand a read in the block; as :func:`weft.store.moved.understood`."""
        return understood(self._held, embedding=self.embedding, schema=self.schema)

    def _held(self) -> list[tuple[Any, ...]]:
        with self.apart() as connection:
            return connection.read("graph_held")

    def _compare(self, connection: Connection) -> None:
        refuse_changed(connection.read("graph_held"), embedding=self.embedding, schema=self.schema)

    def _check(self) -> None:
        if self._closed:
            raise Unavailable("The graph is closed.", hint="Open it again.")
        refuse_child(self._process)
