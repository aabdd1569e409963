"""What a user sets, read once at the door: flags win over the environment, the environment over these defaults.

This is the only file that reads the environment. ``docs/reference/settings.md`` is written from it.
"""

from __future__ import annotations

import getpass
import os
import re
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from weft.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FOLDER", "Endpoint", "Settings", "be_one_of_many", "locate", "variable", "variables"]

FOLDER = ".weft"
"""The folder that marks a project's own graph, looked for upward from the working directory, as git does."""

NO_ROOTS = "none"
"""The value of ``roots`` that names no folder at all."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_NUMBER = re.compile(r"\d+(\.\d+)?|\.\d+")
_ROLES = ("reader", "contributor", "librarian", "curator")
_PARTS = ("url", "model", "key")
_SWITCH = {"1": True, "true": True, "on": True, "yes": True, "0": False, "false": False, "off": False, "no": False}
_HINTS = ("off", "brief", "full")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model behind an OpenAI-compatible URL; without a URL there is none. ``dimension`` is that of its vectors.

    Each field of an endpoint is a variable: that of ``embed``, its ``url``, is ``WEFT_EMBED_URL``.
    """

    url: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    dimension: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a process. Each field is also a variable: ``graph`` is ``WEFT_GRAPH`` and so on.

    graph: name or path of the graph; empty: the project's own, else the user's.
    home: folder of the user's graphs; empty: the platform's data folder.
    actor: who writes; empty: the login name.
    role: reader, contributor, librarian or curator; it only lowers what the opened file allows.
    hints: off, brief or full: how much a result says about what may come next.
    roots: folders that tools which take a path may read, parted as in PATH; none: they read no file. Empty: the working
        directory on the command line and over stdio, nothing over HTTP.
    creators: names, separated by commas, that may stand as the creator of learned knowledge beside the actor's own.
    link_floor: the confidence (0 to 1) from which a rule makes a relation by itself; below it only asks.
    embed_url, embed_model, embed_key, embed_dimension: an OpenAI-compatible endpoint instead of the bundled model.
    chat_url, chat_model, chat_key: an OpenAI-compatible chat endpoint that may read documents beside the rules.
    fetch: 1 lets ``ingest`` fetch documents from http and https URLs; off unless set.
    """

    graph: str = ""
    home: str = ""
    actor: str = ""
    role: str = "curator"
    hints: str = "brief"
    roots: str = ""
    creators: str = ""
    link_floor: float = 0.7
    embed: Endpoint = field(default_factory=Endpoint)
    chat: Endpoint = field(default_factory=Endpoint)
    fetch: bool = False

    def __post_init__(self) -> None:
        """Refuse values that no setting takes, naming the variable and what it takes."""
        _one_of("role", self.role, _ROLES)
        _one_of("hints", self.hints, _HINTS)
        for name, endpoint in (("embed", self.embed), ("chat", self.chat)):
            if endpoint.url and not endpoint.model:
                hint = f"Set WEFT_{name.upper()}_MODEL as well."
                raise InvalidArgument(f"{name}_url is set but {name}_model is not", hint=hint)
        if self.embed.dimension < 0:
            raise InvalidArgument(f"embed_dimension must be 0 or more, got {self.embed.dimension}")
        if not 0.0 <= self.link_floor <= 1.0:
            raise InvalidArgument(f"link_floor must lie in 0..1, got {self.link_floor}")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Return the settings that the ``WEFT_…`` variables name; others keep their defaults.

        Raises:
            InvalidArgument: a variable holds a value that its setting does not take.
        """
        environment = os.environ if environment is None else environment
        given = {name: environment[variable(name)] for name in variables() if environment.get(variable(name))}
        dimension = given.pop("embed_dimension", "0")
        if not dimension.isdigit():
            raise InvalidArgument(f"WEFT_EMBED_DIMENSION must be a whole number, got {dimension!r}")
        floor = given.pop("link_floor", "0.7")
        if not _NUMBER.fullmatch(floor):
            raise InvalidArgument(f"WEFT_LINK_FLOOR must be a number in 0..1, got {floor!r}")
        fetch = given.pop("fetch", "0").lower()
        if fetch not in _SWITCH:
            raise InvalidArgument(f"WEFT_FETCH must be 1 (on) or 0 (off), got {fetch!r}")
        embed, chat = (_endpoint(given, "embed", dimension=int(dimension)), _endpoint(given, "chat"))
        return cls(**given, embed=embed, chat=chat, fetch=_SWITCH[fetch], link_floor=float(floor))

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of ``roots``, absolute; none where it is empty."""
        return _folders(self.roots)

    def at_home(self, *, start: Path | None = None) -> Settings:
        """Return the settings of a caller who works on this machine: without ``roots`` the working directory is one."""
        return self if self.roots else replace(self, roots=str(start or Path.cwd()))

    @property
    def writer(self) -> str:
        """The actor's name: the one that is set, else the login name, else ``local``."""
        return self.actor or _login()

    @property
    def registered(self) -> tuple[str, ...]:
        """The names of ``creators``, each once."""
        return tuple(dict.fromkeys(filter(None, (name.strip() for name in self.creators.split(",")))))


def _folders(text: str) -> tuple[Path, ...]:
    named = (part.strip() for part in text.split(os.pathsep)) if text != NO_ROOTS else ()
    return tuple(Path(part).expanduser().absolute() for part in named if part)


def be_one_of_many() -> None:
    """Keep linear algebra to one thread in our own processes, unless the user said otherwise; before numpy loads.

    Every agent session is a process, so five of them share a machine. Measured at 1,000 notes: with two threads
    spinning for each other a search took 12–15 ms, with one 4–5.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def variables() -> tuple[str, ...]:
    """Return the names of all settings, each once: ``graph``, ``embed_url`` and so on."""
    parts = {"embed": (*_PARTS, "dimension"), "chat": _PARTS}
    named = ([f"{each.name}_{part}" for part in parts.get(each.name, ())] or [each.name] for each in fields(Settings))
    return tuple(name for names in named for name in names)


def _endpoint(given: dict[str, str], name: str, *, dimension: int = 0) -> Endpoint:
    """Take the settings of the endpoint ``name`` out of ``given``, and return it."""
    url, model, key = (given.pop(f"{name}_{part}", "") for part in _PARTS)
    return Endpoint(url=url, model=model, key=key, dimension=dimension)


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
