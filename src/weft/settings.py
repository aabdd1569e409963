"""What a user sets, read once at the door: flags win over the environment, the environment over these defaults.

This is the only file that reads the environment. ``docs/reference/settings.md`` is written from it.
"""

from __future__ import annotations

import getpass
import os
import re
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING

from weft.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FOLDER", "Settings", "be_one_of_many", "locate"]

FOLDER = ".weft"
"""The folder that marks a project's own graph, looked for upward from the working directory, as git does."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_ROLES = ("reader", "contributor", "librarian", "curator")
_HINTS = ("off", "brief", "full")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a process. Each field is also a variable: ``graph`` is ``WEFT_GRAPH`` and so on.

    graph: name or path of the graph; empty: the project's own, else the user's.
    home: folder of the user's graphs; empty: the platform's data folder.
    actor: who writes; empty: the login name.
    role: reader, contributor, librarian or curator; it only lowers what the opened file allows.
    hints: off, brief or full: how much a result says about what may come next.
    embed_url, embed_model, embed_key, embed_dimension: an OpenAI-compatible endpoint instead of the bundled model.
    """

    graph: str = ""
    home: str = ""
    actor: str = ""
    role: str = "curator"
    hints: str = "brief"
    embed_url: str = ""
    embed_model: str = ""
    embed_key: str = field(default="", repr=False)
    embed_dimension: int = 0

    def __post_init__(self) -> None:
        """Refuse values that no setting takes, naming the variable and what it takes."""
        _one_of("role", self.role, _ROLES)
        _one_of("hints", self.hints, _HINTS)
        if self.embed_url and not self.embed_model:
            raise InvalidArgument("embed_url is set but embed_model is not", hint="Set WEFT_EMBED_MODEL as well.")
        if self.embed_dimension < 0:
            raise InvalidArgument(f"embed_dimension must be 0 or more, got {self.embed_dimension}")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Return the settings that the ``WEFT_…`` variables name; others keep their defaults.

        Raises:
            InvalidArgument: a variable holds a value that its setting does not take.
        """
        environment = os.environ if environment is None else environment
        given = {f.name: environment[variable(f.name)] for f in fields(cls) if environment.get(variable(f.name))}
        dimension = given.pop("embed_dimension", "0")
        if not dimension.isdigit():
            raise InvalidArgument(f"WEFT_EMBED_DIMENSION must be a whole number, got {dimension!r}")
        return cls(**given, embed_dimension=int(dimension))

    @property
    def writer(self) -> str:
        """The actor's name: the one that is set, else the login name, else ``local``."""
        return self.actor or _login()


def be_one_of_many() -> None:
    """Keep linear algebra to one thread in our own processes, unless the user said otherwise; before numpy loads.

    Every agent session is a process, so five of them share a machine. Measured at 1,000 notes: with two threads
    spinning for each other a search took 12–15 ms, with one 4–5.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def variable(name: str) -> str:
    """Return the environment variable of the setting ``name``."""
    return f"WEFT_{name.upper()}"


def locate(settings: Settings, *, start: Path | None = None) -> Path:
    """Return the file of the graph that ``settings`` name; the file need not exist.

    A path (with a separator, or ending in ``.db``) is itself. A name lies in the nearest ``.weft`` folder upward from
    ``start`` (default: the working directory), else among the user's graphs. No name means ``graph``.

    Raises:
        InvalidArgument: the name has characters that no graph's name has, or asks for a server.
    """
    wanted = settings.graph
    if wanted.startswith(("postgresql://", "postgres://")):
        raise InvalidArgument(
            "this release keeps graphs in files; a postgresql:// graph is not supported yet",
            hint="Give --graph a name or a path.",
        )
    if wanted.endswith(".db") or "/" in wanted or os.sep in wanted:
        return Path(wanted).expanduser().absolute()
    if wanted and not _NAME.fullmatch(wanted):
        raise InvalidArgument(
            f"graph name {wanted!r} is not valid: at most 64 letters, digits, '.', '_' and '-', the first no sign"
        )
    return _folder(settings, (start or Path.cwd()).absolute()) / f"{wanted or 'graph'}.db"


def _folder(settings: Settings, start: Path) -> Path:
    for place in (start, *start.parents):
        if (place / FOLDER).is_dir():
            return place / FOLDER
    if settings.home:
        return Path(settings.home).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("weft", appauthor=False)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidArgument(f"{name} must be one of {', '.join(allowed)}, got {value!r}")


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "local"
