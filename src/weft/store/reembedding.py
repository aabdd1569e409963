"""A graph file on its way to another embedding model.

New vectors gather in a table beside the passages, each written durably, while everybody goes on with those that are
there; whoever dies leaves what is done, and nothing else has changed. The switch is one transaction: it puts all of
them in the place of the old ones, or none. A passage that is blanked meanwhile loses its new vector to a trigger.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from weft.errors import Unavailable
from weft.model import PassageHeld, Tier
from weft.model.codec import node_from
from weft.store.moved import NEXT
from weft.store.opening import open_sqlite
from weft.store.plans import vector_values
from weft.store.reading import may_write, only_read
from weft.store.sqlite import Connection, connect
from weft.store.turn import Turn, claimed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from weft.model import Embedded, Node

__all__ = ["CALIBRATION", "WAIT_S", "FileMove", "Row", "SqlMove", "busy", "moving_file"]

Row: TypeAlias = tuple[Any, ...]

WAIT_S: Final = 30.0
"""How long other writers are waited for."""

CALIBRATION: Final = "config.calibration"
"""The fact under which the map from cosine to similarity is kept that was fitted for the model."""

_FACTS: Final = "SELECT key, value FROM meta WHERE key IN ('model', 'dimension')"
_SET: Final = "UPDATE meta SET value = :value WHERE key = :key"
_ALL: Final = "SELECT count(*) FROM passage"
_SAMPLE: Final = """
    SELECT passage.row, change.after, passage.start, passage."end"
    FROM passage LEFT JOIN change ON change.seq = passage.from_seq ORDER BY passage.row LIMIT :limit
"""
_LACKING: Final = f"""
    SELECT passage.row, change.after, passage.start, passage."end"
    FROM passage LEFT JOIN change ON change.seq = passage.from_seq
    WHERE passage.row > :row AND NOT EXISTS (SELECT 1 FROM {NEXT} AS next WHERE next.row = passage.row)
    ORDER BY passage.row LIMIT :limit
"""
_SAID: Final = """
    SELECT passage.row, change.after FROM json_each(:rows) AS wanted
    JOIN passage ON passage.row = wanted.value LEFT JOIN change ON change.seq = passage.from_seq
"""
_MADE: Final = (
    f"CREATE TABLE {NEXT}_model (model TEXT NOT NULL, dimension INTEGER NOT NULL) STRICT",
    f"CREATE TABLE {NEXT} (row INTEGER PRIMARY KEY, vector BLOB NOT NULL, word_vectors BLOB) STRICT",
    f"""CREATE TRIGGER {NEXT}_stale AFTER UPDATE OF vector ON passage BEGIN
        DELETE FROM {NEXT} WHERE row = new.row;
    END""",
)
_GONE: Final = (
    f"DROP TRIGGER IF EXISTS {NEXT}_stale",
    f"DROP TABLE IF EXISTS {NEXT}",
    f"DROP TABLE IF EXISTS {NEXT}_model",
)
_PUT: Final = f"INSERT OR REPLACE INTO {NEXT} (row, vector, word_vectors) VALUES (?, ?, ?)"
_SWITCHED: Final = f"""
    UPDATE passage SET (vector, word_vectors) = (
        SELECT next.vector, next.word_vectors FROM {NEXT} AS next WHERE next.row = passage.row
    )
"""


class SqlMove(ABC):
    """A graph in SQL on its way to another embedding model; an engine says how it asks, writes and switches."""

    def __init__(self) -> None:
        self._asked: dict[int, str | None] = {}

    @abstractmethod
    def ask(self, sql: str, values: Mapping[str, Any]) -> list[Row]:
        """Return the rows of a statement."""

    def held(self) -> tuple[str, int]:
        """Return the model that the graph is of, and its dimension."""
        facts: dict[str, str] = dict(self.ask(_FACTS, {}))
        return facts.get("model", ""), int(facts.get("dimension", 0))

    @abstractmethod
    def under_way(self) -> tuple[str, int] | None:
        """Return the model, and its dimension, to which a move has begun; None: there is none."""

    def counts(self) -> tuple[int, int]:
        """Return how many passages have a new vector, and how many there are."""
        done = self.ask(f"SELECT count(*) FROM {NEXT}", {})[0][0] if self.under_way() else 0
        return int(done), int(self.ask(_ALL, {})[0][0])

    def sample(self, limit: int) -> tuple[PassageHeld, ...]:
        """Return up to ``limit`` passages."""
        return tuple(_held(row) for row in self.ask(_SAMPLE, {"limit": limit}))

    def lacking(self, row: int, *, limit: int) -> tuple[PassageHeld, ...]:
        """Return up to ``limit`` passages after ``row`` that have no new vector yet, with what they said."""
        rows = self.ask(_LACKING, {"row": row, "limit": limit})
        self._asked = {row[0]: row[1] for row in rows}
        return tuple(_held(row) for row in rows)

    def unchanged(self, rows: Sequence[int]) -> list[int]:
        """Return those of ``rows`` that say what they said when they were asked for: a text can be erased."""
        said: dict[int, str | None] = dict(self.ask(_SAID, {"rows": list(rows)}))
        return [row for row in rows if row in said and said[row] == self._asked.get(row)]


def _held(row: Row) -> PassageHeld:
    place, said, start, end = row
    return PassageHeld(row=place, node=_node(said), start=start, end=end)


def _node(said: str | None) -> Node | None:
    try:
        return node_from(json.loads(said or "null"))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


class FileMove(SqlMove):
    """A graph file on its way, through ``connection``; ``turn`` is the right to write to it."""

    def __init__(self, connection: Connection, turn: Turn) -> None:
        super().__init__()
        self._connection = connection
        self._turn = turn
        self._alone = False

    def ask(self, sql: str, values: Mapping[str, Any]) -> list[Row]:
        """Return the rows of a statement."""
        return self._connection.execute(sql, values)

    def under_way(self) -> tuple[str, int] | None:
        """Return the model, and its dimension, to which a move has begun; None: there is none."""
        if not self.ask("SELECT 1 FROM sqlite_schema WHERE name = :name", {"name": f"{NEXT}_model"}):
            return None
        rows = self.ask(f"SELECT model, dimension FROM {NEXT}_model", {})
        return (rows[0][0], rows[0][1]) if rows else None

    def begin(self, model: str, dimension: int) -> None:
        """Begin a move to ``model``; what there is of another one is thrown away."""
        with self._writing():
            self._say(*_GONE, *_MADE)
            values = {"model": model, "dimension": dimension}
            self._connection.execute(f"INSERT INTO {NEXT}_model (model, dimension) VALUES (:model, :dimension)", values)

    def discard(self) -> None:
        """Throw away what there is of a move."""
        with self._writing():
            self._say(*_GONE)

    def put(self, embedded: Mapping[int, Embedded]) -> None:
        """Keep the new vectors of these passages, durably, but for those whose text was erased since it was asked."""
        with self._writing():
            rows = [(row, *vector_values(embedded[row]).values()) for row in self.unchanged([*embedded])]
            self._connection.execute_many(_PUT, rows)

    def index(self) -> None:
        """Make nothing: the index lies beside the file, and is made after the switch."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Have all other writers wait for the length of the block."""
        with self._turn.taken(WAIT_S):
            self._alone = True
            try:
                yield
            finally:
                self._alone = False

    def switch(self) -> bool:
        """Put all new vectors in the place of the old ones, in one transaction; False: a passage has none yet."""
        with self._writing():
            model = self.under_way()
            if model is None or self.lacking(0, limit=1):
                return False
            self._say(_GONE[0], _SWITCHED, *_GONE[1:])
            for key, value in (("model", model[0]), ("dimension", str(model[1])), (CALIBRATION, "")):
                self._connection.execute(_SET, {"key": key, "value": value})
        return True

    def _say(self, *statements: str) -> None:
        for sql in statements:
            self._connection.execute(sql)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with nullcontext() if self._alone else self._turn.taken(WAIT_S), self._connection.transaction():
            yield


@contextmanager
def moving_file(path: Path) -> Iterator[FileMove]:
    """Give the graph in the file ``path``, to be moved by this process alone.

    Raises:
        CannotOpen: there is none, or it cannot be opened.
        PermissionDenied: this user may not write to it.
        Unavailable: another process is moving it.
    """
    open_sqlite(path, tier=Tier.CURATOR, model="", dimension=0, create=False).close()
    if not may_write(path):
        raise only_read(path)
    with claimed(path.with_name(f"{path.name}.reembed.lock")) as free:
        if not free:
            raise busy()
        turn = Turn(path.with_name(f"{path.name}.lock"))
        connection = Connection(connect(path, synchronous="FULL", vfs=""))
        try:
            connection.heed_interrupts()
            yield FileMove(connection, turn)
        finally:
            connection.close()
            turn.close()


def busy() -> Unavailable:
    """Return the answer to a second process that would move the same graph."""
    return Unavailable("Another process is moving this graph to another embedding model.")
