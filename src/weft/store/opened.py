"""An open graph, whichever engine it lies in: its ports over one database."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from weft.errors import CannotOpen
from weft.store.archive import SqlArchive
from weft.store.commit import Commits
from weft.store.config import SqlConfig
from weft.store.forking import refuse_child
from weft.store.learned import SqlLearned
from weft.store.log import SqlLog
from weft.store.notices import NoNotices
from weft.store.passages import SqlPassages
from weft.store.prints import SqlPrints
from weft.store.reads import SqlStore
from weft.store.shelf import SqlShelf
from weft.store.tokens import SqlTokens
from weft.store.upkeep import SqlUpkeep
from weft.store.words import SqlWords

if TYPE_CHECKING:
    from weft.ports import Archive, Learned, Log, Notices, Prints, Shelf, Store, Tokens, Upkeep, Words
    from weft.store.engine import Database

__all__ = ["COPYING", "Opened", "compare_model", "refuse_unfinished"]

COPYING = "copying"
"""The fact under which a graph that is being copied into keeps how far it is."""


class Opened:
    """An open graph: its ports, and the connections behind them."""

    def __init__(self, database: Database) -> None:
        self.process = os.getpid()
        self.database = database
        self.commits = Commits(database)
        self.store: Store = SqlStore(database, self.commits)
        self.shelf: Shelf = SqlShelf(database)
        self.words: Words = SqlWords(database)
        self.log: Log = SqlLog(database)
        self.learned: Learned = SqlLearned(database)
        self.archive: Archive = SqlArchive(database)
        self.prints: Prints = SqlPrints(database)
        self.passages = SqlPassages(database)
        self.upkeep: Upkeep = SqlUpkeep(database)
        self.tokens: Tokens = SqlTokens(database)
        self.config = SqlConfig(database)
        self.notices: Notices = NoNotices()

    def refuse_child(self) -> None:
        """Refuse another process than the one that opened the graph.

        Raises:
            Unavailable: this one was forked from it.
        """
        refuse_child(self.process)

    def close(self) -> None:
        """Close every connection."""
        self.database.close()


def compare_model(meta: dict[str, str], model: str, dimension: int) -> None:
    """Compare the graph's embedding model with the one at hand; an empty ``model`` is not compared.

    Raises:
        CannotOpen: they differ.
    """
    held, wanted = (meta.get("model", ""), int(meta.get("dimension", 0))), (model, dimension)
    if model and held != wanted:
        raise CannotOpen(
            f"The graph was embedded with {held[0]} ({held[1]} dimensions), not with {wanted[0]} ({wanted[1]}).",
            hint="Set the embedding model back, or move the graph with: weft reembed",
        )


def refuse_unfinished(meta: dict[str, str]) -> None:
    """Refuse a graph that is half of a copy.

    Raises:
        CannotOpen: it is.
    """
    if COPYING in meta:
        raise CannotOpen(
            "A copy into this graph is under way, or was broken off: it does not hold everything yet.",
            hint="Let the copy go on with: weft copy SOURCE TARGET",
        )
