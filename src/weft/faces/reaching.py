"""How far a graph can be reached at all, whatever its callers may: found out without opening it.

A login of a database may be let do less than a server's role says, and this user may only read a graph's file. Tools
are listed before anybody calls one: nothing is loaded, made or held for it that the list itself does not need.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from weft.errors import WeftError
from weft.settings import locate
from weft.tools.row import TIERS

if TYPE_CHECKING:
    from weft.settings import Settings

__all__ = ["only_read", "reach_of"]

_WITHIN_S: Final = "2"  # of a connection: the least that libpq takes


def only_read(settings: Settings) -> bool:
    """Return whether the graph lies in a file that this user may not write to, itself or its folder.

    The same as :func:`weft.store.reading.may_write` denies, without loading the engine.
    """
    if settings.server:
        return False
    path = Path(os.path.realpath(locate(settings)))
    return path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK))


def reach_of(settings: Settings) -> str | None:
    """Return the highest tier at which the graph can be reached, by name; None: nobody can tell now.

    A database is connected to for that, as whoever its URL names, and asked nothing but what this login may be. Whoever
    cannot be told about now is no error: the first call will say what is amiss. Blocks.
    """
    if settings.server:
        return _login(settings.server)
    return TIERS[0] if only_read(settings) else TIERS[-1]


def _login(url: str) -> str | None:
    if find_spec("psycopg") is None:
        return None
    from weft.store.postgres.connection import bare
    from weft.store.postgres.roles import roles_of

    try:
        with bare(url, connect_timeout=_WITHIN_S, target_session_attrs="any") as login:
            return max((tier.label for tier in roles_of(login)), key=TIERS.index, default=None)
    except WeftError:
        return None
