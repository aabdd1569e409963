"""Making anew what is derived in a graph, from the truth that it is derived from; nothing else is touched."""

from __future__ import annotations

import json
from glob import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from weft.model import PassageGiven
from weft.model.codec import node_from
from weft.store.backup import back_up, part_begins
from weft.store.due import broken_vectors
from weft.store.ground import examined
from weft.store.plans import passage_values, vector_values
from weft.store.recut import cut_anew
from weft.store.schema import schema_missing
from weft.store.unmentioned import unmentioned

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from weft.model import BackedUp, Embedded, Flaw, Mention, Node, Passage, Progress, Tier
    from weft.store import engine
    from weft.store.checkup import Checkup
    from weft.store.database import Database

__all__ = ["SqlHealth", "SqliteHealth"]

_LEFTOVERS: Final = ("{name}.new", "{name}.new-*", "{part}*.part", "{part}*.part-journal")
_ANEW: Final = {
    "tags_amiss": ("tags_clear", "tags_fill"),
    "references_amiss": ("references_clear", "references_fill"),
    "names_amiss": ("names_clear", "names_fill"),
    "subjects_amiss": ("subjects_clear", "subjects_fill"),
    "tally_amiss": ("tally_clear", "tally_fill"),
    "bands_amiss": ("bands_clear", "bands_fill"),
    "mentions_amiss": ("mentions_clear",),
    "prints_amiss": ("prints_clear",),
}


class SqlHealth:
    """Makes anew what is derived in a graph in SQL, and tells what only the verbs can, with the embedder."""

    def __init__(self, database: engine.Database) -> None:
        self._database = database

    def mend(self, findings: Iterable[Flaw], *, tier: Tier) -> None:
        """Make anew what these findings name, each in a transaction; what is not derived is left as it is.

        Raises:
            PermissionDenied: the tier does not reach it.
        """
        keys = {finding.key for finding in findings if finding.derived}
        for key in sorted(keys & _ANEW.keys()):
            with self._database.writer(tier) as writer:
                for name in _ANEW[key]:
                    writer.run(name)
        if "passages_surplus" in keys:
            with self._database.writer(tier) as writer:
                writer.run("passages_close")
        if keys & {"words_damaged", "words_amiss"}:
            with self._database.writer(tier) as writer:
                self._words_anew(writer)

    def _words_anew(self, writer: engine.Writer) -> None:
        cut_anew(writer)

    def lacking(self) -> tuple[str, ...]:
        """Return ids of the standing nodes that have no passage."""
        return tuple(row[0] for row in self._database.read("passages_lacking"))

    def broken(self) -> tuple[int, ...]:
        """Return the rows of the passages whose vector is none of this model."""
        return tuple(broken_vectors(self._database.read))

    def given(self, rows: Sequence[int]) -> tuple[PassageGiven, ...]:
        """Return these passages, each with its node as it was when the passage came."""
        return tuple(
            PassageGiven(row=row, node=node_from(json.loads(said)), ordinal=ordinal, start=start, end=end)
            for row, said, ordinal, start, end in self._database.read("passages_given", rows=list(rows))
        )

    def vectors(self, row: int, *, limit: int) -> dict[int, npt.NDArray[np.float32]]:
        """Return the vectors of up to ``limit`` passages after ``row``, by row, each of shape (dimension,)."""
        return _unpacked(self._database.read("passage_vectors", row=row, limit=limit))

    def count(self) -> int:
        """Return how many passages there are, those that ended too."""
        count: int = self._database.read("passages_counted")[0][0]
        return count

    def rows_of(self, node: str) -> tuple[int, ...]:
        """Return the rows of all passages of a node, of those that ended too."""
        return tuple(row for (row,) in self._database.read("passage_rows", id=node))

    def sample(self, limit: int) -> dict[int, npt.NDArray[np.float32]]:
        """Return the first vectors of up to ``limit`` standing nodes, spread over the graph, by the passages' rows."""
        return _unpacked(self._database.read("vectors_sampled", step=max(1, -(-self.count() // limit)), limit=limit))

    def spread(self, limit: int = 0) -> tuple[str, ...]:
        """Return ids of up to ``limit`` standing nodes (0: all), evenly spread over the graph."""
        count = self._database.read("nodes_standing")[0][0]
        most = limit or max(count, 1)
        return tuple(row[0] for row in self._database.read("nodes_spread", step=max(1, -(-count // most)), limit=most))

    def unmentioned(self, told: Sequence[Mention], *, texts_max: int, mentions_max: int) -> list[Mention]:
        """Return which of ``told`` are lacking; see :func:`weft.store.unmentioned.unmentioned`."""
        with self._database.snapshot() as reader:
            return unmentioned(reader, told, texts_max=texts_max, mentions_max=mentions_max)

    def mention(self, found: Sequence[Mention], *, tier: Tier) -> None:
        """Keep these mentions."""
        if found:
            with self._database.writer(tier) as writer:
                for each in found:
                    writer.run("mention_add", node=each.node, target=each.target, name=each.name)

    def enter(self, node: Node, passages: Sequence[Passage], *, tier: Tier) -> None:
        """Give a node that stands without passages these."""
        with self._database.writer(tier) as writer:
            row, seq = writer.read("node_place", id=node.id)[0]
            for ordinal, passage in enumerate(passages):
                values = passage_values(node, ordinal, passage.start, passage.end)
                writer.run(
                    "passage_enter",
                    node=row,
                    from_seq=seq,
                    ordinal=ordinal,
                    start=passage.start,
                    end=passage.end,
                    **vector_values(passage),
                    **values,
                )

    def wordless(self) -> tuple[int, ...]:
        """Return the rows of the passages that stand and have no vectors of their words."""
        return tuple(row for (row,) in self._database.read("passages_wordless"))

    def revector(self, embedded: Mapping[int, Embedded], *, tier: Tier) -> None:
        """Replace the vectors of these passages, and those of their words."""
        with self._database.writer(tier) as writer:
            for row, each in embedded.items():
                writer.run("passage_vector_save", row=row, **vector_values(each))


def _unpacked(rows: Sequence[tuple[int, bytes]]) -> dict[int, npt.NDArray[np.float32]]:
    return {row: np.frombuffer(packed, "<f2").astype(np.float32) for row, packed in rows}


class SqliteHealth(SqlHealth):
    """Looks at an embedded graph as a whole, and makes anew what is derived in it."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._file = database

    def look(self, report: Progress | None = None) -> Checkup:
        """Return a look at the whole graph as it stands at this moment; what it found is in ``found``."""
        with self._file.apart() as connection:
            return examined(connection, report)

    def copy(self, target: Path, *, replace: bool) -> BackedUp:
        """Copy the graph as it stands now to the file ``target``; see :func:`weft.store.backup.back_up`."""
        return back_up(self._file, target, replace=replace)

    def leftovers(self) -> tuple[str, ...]:
        """Return the names of files beside the graph that a process left behind which died while it made them."""
        return tuple(sorted(path.name for path in self._left()))

    def mend(self, findings: Iterable[Flaw], *, tier: Tier) -> None:
        """Make anew what these findings name, the engine's own first; what is not derived is left as it is.

        Raises:
            PermissionDenied: the tier does not reach it.
        """
        found = tuple(findings)
        keys = {finding.key for finding in found if finding.derived}
        if keys & {"schema_missing", "setting_journal_mode", "indexes_damaged"}:
            self._mend_engine(keys)
        super().mend(found, tier=tier)
        if "leftovers" in keys:
            self._sweep()

    def _mend_engine(self, keys: set[str]) -> None:
        with self._file.alone() as connection:
            with connection.transaction():
                for sql in schema_missing(connection).values():
                    connection.execute(sql)
            if "indexes_damaged" in keys:
                connection.execute("REINDEX")
            if "setting_journal_mode" in keys:
                connection.execute("PRAGMA journal_mode = WAL")

    def _left(self) -> list[Path]:
        path = self._file.path
        forms = [form.format(name=escape(path.name), part=escape(part_begins(path))) for form in _LEFTOVERS]
        return [found for form in forms for found in path.parent.glob(form)]

    def _sweep(self) -> None:
        with self._file.alone():  # whoever makes a graph or a copy of this name holds the right to write
            for path in self._left():
                path.unlink(missing_ok=True)
