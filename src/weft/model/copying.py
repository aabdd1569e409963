"""What moving a whole graph answers: what was carried and how it was compared, where it lies, and who may reach it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Compared", "Copied", "Founded", "Granted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One table of a graph and of its copy: how many rows each has, and the SHA-256 over them in order of the keys."""

    table: str
    rows: int
    digest: str
    copied_rows: int
    copied_digest: str

    @property
    def same(self) -> bool:
        """Whether both hold the same rows."""
        return (self.rows, self.digest) == (self.copied_rows, self.copied_digest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """A graph copied as it stood at change ``changes``, with everything that was compared at the end.

    ``source`` and ``target`` say where they lie. ``resumed`` is on where a copy that had been broken off went on.
    ``behind`` counts the changes that were made to the source meanwhile, and are not in the copy.
    """

    source: str = ""
    target: str = ""
    changes: int
    resumed: bool
    tables: tuple[Compared, ...]
    behind: int = 0

    @property
    def same(self) -> bool:
        """Whether the copy holds what the graph held, row by row; where it does not, it stays closed."""
        return all(each.same for each in self.tables)


@dataclass(frozen=True, slots=True, kw_only=True)
class Founded:
    """A graph in a database: its schema now, and the one that it had before (0: there was no graph)."""

    where: str
    schema: int
    before: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """What a login may be in a graph: the highest role (``none``: no role), and the ontologies that it is held to."""

    where: str
    login: str
    role: str
    ontologies: tuple[str, ...]
