"""The rooms that a transfer reads and writes, handed down together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.ports import Archive, Config, Embedder, Log, Shelf, Store, Usage, Words

__all__ = ["Rooms"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rooms:
    """The ports behind a graph; ``home`` is the ontology of what names none: the graph's name."""

    store: Store
    log: Log
    archive: Archive
    shelf: Shelf
    words: Words
    usage: Usage
    config: Config
    embedder: Embedder
    home: str
