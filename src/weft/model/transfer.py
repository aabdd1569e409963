"""What travels in and out of a graph: the wishes, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ExportRequest", "Exported", "ImportRequest", "Imported", "Retired", "Unread"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """A node that left the graph, and the one it was merged into (empty: it was forgotten)."""

    node: str
    merged_into: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """A file or folder to take in. ``format`` is one of :data:`weft.services.transfer.importing.FORMATS`.

    ``ontology`` is what the nodes shall belong to; empty: the folder's or the file's name. ``dry_run`` writes nothing
    and answers what would be written.
    """

    path: Path
    format: str
    ontology: str = ""
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """A copy of the graph. ``format`` is one of :data:`weft.services.transfer.exporting.FORMATS`.

    ``around`` names the node whose neighbourhood is drawn, up to ``depth`` relations away; only mermaid takes it, and
    needs it. ``replace`` lets an existing file be replaced.
    """

    path: Path
    format: str
    around: str = ""
    depth: int = 1
    replace: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """Something that was not taken in, or not whole: in which file, on which line (from 1; 0: the file), and why."""

    path: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What became of an import; of a dry run, what would.

    ``nodes_known`` were there already and say the same, ``nodes_kept`` say something else but were changed here since,
    ``nodes_forgotten`` were forgotten here and stay so. ``nodes_absent`` came from files of this folder that are not
    there now; ``absent`` lists the handles of 1,000 of them at most. ``relations_removed`` are links that an import
    brought and that no note has any more. ``changes`` are lines of a log that were written again. ``unread`` lists at
    most 1,000 entries; ``unread_total`` counts all.
    """

    format: str
    dry_run: bool
    nodes_made: int = 0
    nodes_updated: int = 0
    nodes_known: int = 0
    nodes_kept: int = 0
    nodes_forgotten: int = 0
    nodes_absent: int = 0
    absent: tuple[str, ...] = ()
    relations_made: int = 0
    relations_removed: int = 0
    relations_known: int = 0
    changes: int = 0
    changes_known: int = 0
    unread: tuple[Unread, ...] = ()
    unread_total: int = 0
    batches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What a copy holds: how many nodes, relations and changes, and the bytes written."""

    format: str
    path: str
    nodes: int
    relations: int
    changes: int
    size_bytes: int
