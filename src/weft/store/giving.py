"""A graph as a copy reads it: whole tables, at one moment, page by page in the order of their keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing, contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from weft.model import Tier
from weft.model.codec import json_text
from weft.store.due import node_said, varints, words_said
from weft.store.opening import open_sqlite
from weft.store.tables import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.store.sqlite import Connection
    from weft.store.tables import Table

__all__ = ["Ask", "Giver", "Head", "Row", "giver_of", "giving_file"]

Row: TypeAlias = tuple[Any, ...]
Ask: TypeAlias = Callable[[str, Mapping[str, Any]], list[Row]]

_FACTS: Final = "SELECT key, value FROM meta"
_HEAD: Final = """
    SELECT seq, at, actor, batch, subject, subject_id, action, after FROM change
    WHERE seq <= :seq ORDER BY seq DESC LIMIT 1
"""
_SAID: Final = "SELECT seq, after FROM change WHERE seq IN (SELECT value FROM json_each(:rows))"
_SIZES: Final = "SELECT id, sz FROM words_docsize WHERE id > :row ORDER BY id LIMIT :limit"
_NO_END: Final = 1 << 62


class Head(NamedTuple):
    """The end of a log: its position (0: there is none), and a digest of what stands there."""

    seq: int
    proof: str


class Giver:
    """One moment of a graph, in which ``ask`` reads.

    ``sizes`` reads the rows of passages, each with what ``length`` makes the number of its words of.
    """

    def __init__(self, ask: Ask, *, sizes: str, length: Callable[[Any], int]) -> None:
        self._ask = ask
        self._sizes = sizes
        self._length = length

    def facts(self) -> dict[str, str]:
        """Return what is known of the graph as a whole, by key."""
        return dict(self._ask(_FACTS, {}))

    def head(self, seq: int = _NO_END) -> Head:
        """Return the end of the log, or of the log up to ``seq``."""
        rows = self._ask(_HEAD, {"seq": seq})
        return Head(int(rows[0][0]), sha256(json_text(rows[0]).encode()).hexdigest()) if rows else Head(0, "")

    def count(self, table: Table) -> int:
        """Return how many rows a table has."""
        return int(self._ask(f'SELECT count(*) FROM "{table.name}"', {})[0][0])

    def page(self, table: Table, after: Row) -> list[Row]:
        """Return the next rows of a table after this key; () is before the first."""
        if table is WORDS:
            rows = self._ask(self._sizes, {"row": after[0] if after else 0, "limit": table.page})
            return [(row, self._length(held)) for row, held in rows]
        values = {f"key{at}": value for at, value in enumerate(after)}
        return self._ask(_page(table, started=bool(after)), values | {"limit": table.page})

    def worded(self, passages: list[Row]) -> Iterator[Row]:
        """Yield passages with the words of their names and of their text, cut anew from what the log says of them."""
        places = sorted({row[6] for row in passages})
        nodes = {seq: node_said(text) for seq, text in self._ask(_SAID, {"rows": places})}
        for row in passages:
            _, _, ordinal, start, end, _, seq, *_ = row
            words = words_said(nodes.get(seq), ordinal, start, end)
            yield (*row, words["name_words"], words["body_words"])


def _page(table: Table, *, started: bool) -> str:
    columns, key = (", ".join(f'"{name}"' for name in names) for names in (table.columns, table.key))
    marks = ", ".join(f":key{at}" for at in range(len(table.key)))
    where = f"WHERE ({key}) > ({marks})" if started else ""
    return f'SELECT {columns} FROM "{table.name}" {where} ORDER BY {key} LIMIT :limit'


def giver_of(connection: Connection) -> Giver:
    """Return the graph behind a connection to its file."""
    return Giver(connection.execute, sizes=_SIZES, length=lambda packed: sum(varints(packed)))


@contextmanager
def giving_file(path: Path) -> Iterator[Giver]:
    """Give the graph in the file ``path`` as it stands now, brought to this release's schema and cut of words.

    Raises:
        CannotOpen: there is none, or it cannot be opened.
    """
    with (
        closing(open_sqlite(path, tier=Tier.CURATOR, model="", dimension=0, create=False)) as opened,
        opened.apart() as connection,
    ):
        connection.heed_interrupts()
        with connection.transaction("BEGIN"):
            giver = giver_of(connection)
            giver.head()  # the engine takes its snapshot at the first read
            yield giver
