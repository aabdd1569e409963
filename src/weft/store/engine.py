"""What every room of the store asks of the engine beneath it, whichever that is.

The SQL is said once, by name (``queries/*.sql``), and each engine answers these three by those names::

    database.read("nodes_by_id", ids=["…"])           # a list of tuples; any thread, any time, sees the newest commit
    with database.snapshot() as reader:                # several reads that must see the same moment
        reader.read("…"); reader.read("…")
    with database.writer(Tier.CONTRIBUTOR) as writer:  # one transaction: all or nothing, durable when the block ends
        writer.read("…"); writer.put("node_insert", id="…")

Values are bound by name. ``where`` names further entries that are joined by AND where the query says ``{{where}}``.
Rows are plain tuples. Every failure of an engine comes out as a :class:`weft.errors.WeftError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from weft.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from weft.model import Tier

__all__ = ["AFTER_ALL", "NO_ROOM", "Bound", "Database", "Misunderstood", "Reader", "Writer"]

AFTER_ALL: Final = "\U0010ffff"
"""The last character there is. It stands in no text: what begins with ``x`` lies between ``x`` and ``x`` with it."""

NO_ROOM: Final = "no_room"
"""The key of the error that a full disk makes of a write."""

Bound: TypeAlias = str | int | float | bytes | list[Any] | tuple[Any, ...] | None


class Misunderstood(Unavailable):
    """The engine knows no such table, column or form: a fault in Weft, or another release has changed the schema."""


class Reader(Protocol):
    """Reads by the names of queries; inside one snapshot or transaction where it was given by one."""

    def read(self, name: str, /, *, where: tuple[str, ...] = (), **values: Bound) -> list[tuple[Any, ...]]:
        """Return all rows of the query ``name``."""
        ...


class Writer(Reader, Protocol):
    """A reader that may also write, as far as its tier goes, inside one transaction."""

    def gather(self, *asked: tuple[str, Mapping[str, Bound]]) -> list[list[tuple[Any, ...]]]:
        """Return all rows of each of these queries (its name, and its values), in one way there and back."""
        ...

    def run(self, name: str, /, **values: Bound) -> int:
        """Run the statement ``name`` and return how many rows it changed."""
        ...

    def put(self, name: str, /, **values: Bound) -> None:
        """Run the statement ``name``; what it fails with may come out of a later one, or at the end of the block."""
        ...


class Database(Reader, Protocol):
    """One graph of an engine. ``tier`` is the highest that anything here can reach."""

    @property
    def tier(self) -> Tier:
        """The highest tier that any writer here has."""
        ...

    @property
    def embedding(self) -> str:
        """The embedding model that the graph was opened with, and its dimension: ``model/384``; empty: not compared."""
        ...

    @property
    def engine(self) -> str:
        """The engine and its version: ``SQLite 3.54.1``."""
        ...

    @property
    def schema(self) -> int:
        """The number of its schema, which is the newest of its dialect once it is open."""
        ...

    def snapshot(self) -> AbstractContextManager[Reader]:
        """Give a reader whose reads all see the same moment. Keep it short."""
        ...

    def writer(self, tier: Tier, *, spares: bool = True) -> AbstractContextManager[Writer]:
        """Give a writer inside one transaction, which is durable when the block ends and undone when it raises.

        ``tier`` is lowered to the database's own. ``spares`` says whether documents must be spared.

        Raises:
            Unavailable: others kept the graph busy for 30 s, the engine cannot write, or (with the key ``model_moved``)
                the graph has been moved to another embedding model, or (``brought_up``) another release brought it up.
        """
        ...

    def claimed(self, work: str) -> AbstractContextManager[bool]:
        """Hold the right to do ``work`` for the block, and tell whether it was free; nobody waits for it.

        One thread of one process of all that have this graph open has it; who ends without a word loses it.

        Raises:
            Unavailable: the engine cannot be asked.
        """
        ...

    def assure(self) -> None:
        """Return when all that can be read now is as durable as an acknowledged write.

        Raises:
            Unavailable: with the key ``outcome_unknown``, when nobody can tell whether it will last.
        """
        ...

    def close(self) -> None:
        """Close every connection; those in use close when they come back."""
        ...
