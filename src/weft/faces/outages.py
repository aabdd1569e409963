"""What keeps a server from its graph, told in its log: callers are not told whom and what it cannot reach."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from weft.errors import WeftError

__all__ = ["PAUSE_S", "Outages"]

PAUSE_S: Final = 60.0
"""Seconds for which the same is not told again: while a database is away every call meets the same."""

_KEPT_MAX: Final = 100

log = logging.getLogger(__name__)


class Outages:
    """What was told lately. Safe for threads, which at worst tell the same twice."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._told: dict[str, float] = {}

    def tell(self, error: WeftError) -> None:
        """Log why a call was not answered, unless that was told within the last :data:`PAUSE_S`."""
        now = self._clock()
        if now - self._told.get(error.message, -PAUSE_S) < PAUSE_S:
            return
        if len(self._told) >= _KEPT_MAX:
            self._told.clear()
        self._told[error.message] = now
        said = f"{error.message} {error.hint}"
        log.warning("a call could not be answered: %s", "".join(each if each.isprintable() else " " for each in said))
