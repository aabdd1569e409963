"""What files looked like, remembered: rows of the graph, no files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.model import FilePrint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.store.engine import Database

__all__ = ["SqlPrints"]


class SqlPrints:
    """The :class:`weft.ports.Prints` of a graph in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_nodes(self, ids: Sequence[str]) -> tuple[FilePrint, ...]:
        """Return the prints of these nodes, by node and reference."""
        rows = self._database.read("prints_of_nodes", ids=list(dict.fromkeys(ids)))
        return tuple(
            FilePrint(node=node, reference=reference, root=root, file=file, digest=digest)
            for node, reference, root, file, digest in rows
        )

    def of_files(self, root: str, files: Sequence[str], *, limit: int) -> tuple[str, ...]:
        """Return ids of standing nodes with a print of one of these files below ``root``, newest first."""
        rows = self._database.read("prints_of_files", root=root, files=list(dict.fromkeys(files)), limit=limit)
        return tuple(id_ for (id_,) in rows)

    def referring(self, after: int, *, limit: int) -> tuple[tuple[int, str], ...]:
        """Return the next standing nodes that refer to anything: (place, id), places ascending from ``after``."""
        return tuple((place, id_) for place, id_ in self._database.read("referring_after", after=after, limit=limit))
