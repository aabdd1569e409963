"""Notices of changes where the engine gives none: whoever waits for changes of a graph in a file looks at its log."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["NoNotices"]


class NoNotices:
    """The :class:`weft.ports.Notices` of a graph that gives none."""

    def live(self) -> bool:
        """Return that nobody is told."""
        return False

    def listen(self, told: Callable[[int], None]) -> Callable[[], None]:  # noqa: ARG002 - it is never called
        """Tell ``told`` nothing; returns what ends that."""
        return lambda: None
