"""What the verbs ask of the rooms that do I/O; a backend or an embedder is whatever answers these.

Small Protocols, split by what they are asked. The embedded and the team store answer the same ones, and
``weft.testing`` holds the contracts they must pass. Every method may raise :class:`weft.errors.Unavailable`.
"""

from __future__ import annotations

from weft.ports.finding import Chat, Embedder, Entailment, Intent, Judge, Vectors, WholeTexts, Words
from weft.ports.keeping import Archive, Config, Moment, Notices, Tokens, Upkeep, Usage
from weft.ports.storing import Learned, Log, Prints, Shelf, Store

__all__ = [
    "Archive",
    "Chat",
    "Config",
    "Embedder",
    "Entailment",
    "Intent",
    "Judge",
    "Learned",
    "Log",
    "Moment",
    "Notices",
    "Prints",
    "Shelf",
    "Store",
    "Tokens",
    "Upkeep",
    "Usage",
    "Vectors",
    "WholeTexts",
    "Words",
]
