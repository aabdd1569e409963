"""What reading a graph asks of the rooms that do I/O."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.ports import Embedder, Log, Shelf, Store, Usage, Vectors, Words

__all__ = ["RecallPorts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPorts:
    """The ports that the reading verbs stand on."""

    store: Store
    shelf: Shelf
    words: Words
    vectors: Vectors
    log: Log
    usage: Usage
    embedder: Embedder
