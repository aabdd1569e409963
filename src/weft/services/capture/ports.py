"""What writing nodes asks of the rooms that do I/O."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.ports import Embedder, Entailment, Intent, Shelf, Store, Vectors, Words

__all__ = ["CapturePorts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturePorts:
    """The ports that capturing and changing nodes stand on."""

    store: Store
    shelf: Shelf
    words: Words
    vectors: Vectors
    embedder: Embedder
    entailment: Entailment
    intent: Intent
