"""What a vault asks of its graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.ports import Archive, Config, Embedder, Learned, Log, Shelf, Store, Vectors, Words
    from weft.services.staleness import Watch

__all__ = ["VaultPorts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultPorts:
    """The ports that the vault reads and writes the graph through; ``home`` is the ontology of what names none."""

    store: Store
    log: Log
    archive: Archive
    shelf: Shelf
    words: Words
    vectors: Vectors
    learned: Learned
    config: Config
    embedder: Embedder
    watch: Watch
    home: str
