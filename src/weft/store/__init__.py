"""The graph on disk, embedded: the store, its log, full text, and what index rooms read from."""

from __future__ import annotations

from weft.store.opened import Opened
from weft.store.opening import OpenedFile, open_sqlite
from weft.store.restore import restore as restore_sqlite
from weft.store.usage import SqliteUsage, open_usage

__all__ = ["Opened", "OpenedFile", "SqliteUsage", "open_sqlite", "open_usage", "restore_sqlite"]
