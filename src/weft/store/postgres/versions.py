"""Which releases of PostgreSQL and of pgvector can hold a graph, and what is said of those that cannot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.errors import CannotOpen

if TYPE_CHECKING:
    from weft.store.engine import Reader

__all__ = ["PLACE", "Extension", "extension_of", "is_fit", "needed", "refuse_older_server", "refuse_unfit_vectors"]

SERVER_MIN: Final = 15
"""The first major release of PostgreSQL that the tests were run on."""

VECTORS_MIN: Final = (0, 7)
"""The first release of pgvector that knows vectors of half precision, as a graph's are."""

PLACE: Final = "public"
"""The schema in which a graph looks for the extension."""

_SCRIPT: Final = "Have an administrator run what this prints: weft db init --sql"


class Extension(NamedTuple):
    """The extension vector of a database, on a ``server`` of that release.

    ``held`` is the release that is in it, in its ``schema``, and ``offered`` the one that the server would put into it;
    empty: none.
    """

    server: str
    held: str
    schema: str
    offered: str

    @property
    def new_enough(self) -> bool:
        """Whether the release that is there can hold a graph, or where none is, the one that would be put there."""
        return is_fit(self.held or self.offered)

    @property
    def in_place(self) -> bool:
        """Whether it is where a graph looks for it, or in no place yet."""
        return self.schema in {"", PLACE}

    def lacking(self) -> list[str]:
        """Return what an administrator must do before it can hold a graph, as a script; empty: nothing."""
        lines = []
        if not is_fit(self.held):
            package = f"-- The server has {_called(self.offered)}; first install the package of {needed()}."
            put = "ALTER EXTENSION vector UPDATE;" if self.held else f"CREATE EXTENSION vector SCHEMA {PLACE};"
            lines = [put] if is_fit(self.offered) else [package, put]
        return lines if self.in_place else [*lines, f"ALTER EXTENSION vector SET SCHEMA {PLACE};"]


def is_fit(vectors: str) -> bool:
    """Return whether a release of pgvector, as it calls itself, can hold a graph; an empty one is none."""
    return _numbers(vectors)[:2] >= VECTORS_MIN


def needed() -> str:
    """Return the releases of pgvector that can hold a graph, in words."""
    return f"pgvector {'.'.join(map(str, VECTORS_MIN))} or newer"


def extension_of(login: Reader) -> Extension:
    """Return what the database behind ``login`` has of pgvector."""
    return Extension(*login.read("extension_versions")[0])


def refuse_older_server(server: str) -> None:
    """Refuse a server that is too old; ``server`` is its release as it calls itself (``15.18 (Debian …)``).

    Raises:
        CannotOpen: it is; the message names what was found and what is needed.
    """
    if _numbers(server)[:1] < (SERVER_MIN,):
        raise _older(_plain(server), "Have whoever keeps the server upgrade it, or name another one.")


def refuse_unfit_vectors(login: Reader) -> None:
    """Refuse a database with no pgvector that can hold a graph, and to which the server has none to give.

    Raises:
        CannotOpen: it is so; the message names what was found and what is needed.
    """
    extension = extension_of(login)
    if not extension.new_enough:
        found = f"{_plain(extension.server)} with {_called(extension.held or extension.offered)}"
        raise _older(found, _SCRIPT)
    if not extension.in_place:
        raise CannotOpen(
            f"The extension vector lies in the schema {extension.schema}; a graph needs it in {PLACE}.", hint=_SCRIPT
        )


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", release)))


def _plain(server: str) -> str:
    return f"PostgreSQL {server.partition(' ')[0]}"


def _called(vectors: str) -> str:
    return f"pgvector {vectors}" if vectors else "no pgvector"


def _older(found: str, hint: str) -> CannotOpen:
    return CannotOpen(
        f"The server has {found}; a graph needs PostgreSQL {SERVER_MIN} or newer with {needed()}.", hint=hint
    )
