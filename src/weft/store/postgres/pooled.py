"""Poolers: programs before a server that let many clients use a few of its connections, such as PgBouncer.

What Weft sets when it connects (the role, the schema, limits) has to hold until it disconnects. A pooler that keeps a
connection for a client until that goes is not noticed. One that lends it for a transaction would hand all of that to
whoever comes next, of whatever program, and Weft what others have set.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

from weft.errors import CannotOpen, WeftError

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

__all__ = ["Asked", "refuse_lent"]

# Some lend until something is set, and keep from then on; no program reads this.
_SET: Final = "SET weft.held TO '1'"
_PROCESS: Final = "SELECT pg_backend_pid()"
_TIMES: Final = 3  # others may take a connection that was just given back


class Asked(Protocol):
    """One connection, as its program sees it."""

    def execute(self, sql: str, /) -> list[tuple[Any, ...]]:
        """Run a statement outside a transaction, and return its rows."""
        ...


def refuse_lent(first: Asked, told: int, another: Callable[[], AbstractContextManager[Asked]]) -> None:
    """Refuse a pooler that lends connections for a transaction.

    ``first`` has just been connected, and was ``told`` then which process of the server it reaches. Poolers make that
    number up; where it is true nothing more is asked. ``another`` connects once more: nobody else may meet there the
    process that ``first`` reaches, and ``first`` may not meet a second one.

    Raises:
        CannotOpen: it lends them.
        Unavailable: the connection was lost.
    """
    if _process_of(first) == told:
        return
    first.execute(_SET)
    its, others = {_process_of(first)}, set[int]()
    with suppress(WeftError), another() as second:  # a pooler that keeps connections may have none left
        for _ in range(_TIMES):
            others.add(_process_of(second))
            its.add(_process_of(first))
    if len(its) > 1 or its & others:
        raise CannotOpen(
            "The pooler before the database lends its connections for a transaction at a time; Weft has to keep them.",
            hint="Have it keep them until Weft disconnects (PgBouncer: pool_mode=session), or name the server itself.",
        )


def _process_of(connection: Asked) -> int:
    return int(connection.execute(_PROCESS)[0][0])
