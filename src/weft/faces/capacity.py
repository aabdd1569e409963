"""How many connections a server may hold, and how often a library may say the same in its log.

Both are decided by strangers otherwise: idle connections take every file that the process may open, and each request
that cannot be read leaves a line.
"""

from __future__ import annotations

import logging
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BACKLOG", "CONNECTIONS_MAX", "PAUSE_S", "SPARE", "Sparing", "connections_max", "spare_the_log"]

CONNECTIONS_MAX: Final = 2_048
"""Connections that are held at once, idle ones too."""

BACKLOG: Final = 128
"""Connections that are accepted at once: the event loop takes as many before it can close older ones."""

SPARE: Final = 768
"""Files beside the connections: those of the graph, and what is accepted while older connections are being closed."""

PAUSE_S: Final = 60.0
"""Seconds for which a library's warning is not written again."""

_SPARED: Final = ("uvicorn.error", "mcp.server.streamable_http_manager")


def connections_max() -> int:
    """Return how many connections may be held at once, at most :data:`CONNECTIONS_MAX`.

    Many systems let a process open 1,024 files unless it asks for more, so as many as are needed are asked for first.
    """
    if sys.platform == "win32":
        return CONNECTIONS_MAX
    import resource

    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(CONNECTIONS_MAX + SPARE, _number(most))
    if _number(files) < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
            files = wanted
    return min(CONNECTIONS_MAX, max(_number(files) - SPARE, _number(files) // 4))


def _number(limit: int) -> int:
    """Return a limit of the system as a number of files: a negative one says that there is none."""
    return limit if limit >= 0 else sys.maxsize


class Sparing(logging.Filter):
    """Lets a warning pass once in :data:`PAUSE_S`. Faults pass always: each may be another one."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._told: dict[object, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether ``record`` is written. Its words without what is filled in say whether it is the same."""
        if record.levelno > logging.WARNING or record.exc_info:
            return True
        now = self._clock()
        if now - self._told.get(record.msg, -PAUSE_S) < PAUSE_S:
            return False
        self._told[record.msg] = now
        return True


def spare_the_log() -> None:
    """Have the libraries that read requests say the same once in :data:`PAUSE_S`."""
    for name in _SPARED:
        logger = logging.getLogger(name)
        if not any(isinstance(each, Sparing) for each in logger.filters):
            logger.addFilter(Sparing())
