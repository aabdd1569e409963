"""The ports that a transfer reads and writes through, handed down together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.ports import Archive, Config, Embedder, Log, Shelf, Store, Usage, Words

__all__ = ["TransferPorts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferPorts:
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
