"""What a user sets, read once at the door: flags win over the environment, the environment over these defaults.

This is the only file that reads the environment. ``docs/reference/settings.md`` is written from it.
"""

from __future__ import annotations

import getpass
import os
import re
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from numbers import Real
from typing import TYPE_CHECKING

from weft.errors import CannotOpen, InvalidArgument
from weft.location import FOLDER, absolute, here, homeless, shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from pathlib import Path

__all__ = [
    "Auth",
    "Endpoint",
    "Settings",
    "be_one_of_many",
    "keep_to_itself",
    "locate",
    "named",
    "variable",
    "variables",
]

NO_ROOTS = "none"
"""The value of ``roots`` that names no folder at all."""

_SERVERS = ("postgresql://", "postgres://")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_NUMBER = re.compile(r"\d+(\.\d+)?|\.\d+")
_ROLES = ("reader", "contributor", "librarian", "curator")
_PARTS = ("url", "model", "key")
_AUTH_PARTS = ("mode", "hosts", "issuer", "audience", "keys")
_MODES = ("none", "token", "oauth")
_SWITCH = {"1": True, "true": True, "on": True, "yes": True, "0": False, "false": False, "off": False, "no": False}
_HINTS = ("off", "brief", "full")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model behind an OpenAI-compatible URL; without a URL there is none.

    ``dimension`` is that of an embedder's vectors, ``judges`` whether a chat model judges claims.
    Each field of an endpoint is a variable: that of ``embed``, its ``url``, is ``WEFT_EMBED_URL``.
    """

    url: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    dimension: int = 0
    judges: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Auth:
    """How callers over HTTP show who they are. Each field is a variable: ``mode`` is ``WEFT_AUTH_MODE``.

    Lists are separated by commas. The fields are told of under :class:`Settings`.
    """

    mode: str = ""
    hosts: str = ""
    issuer: str = ""
    audience: str = ""
    keys: str = ""

    @property
    def modes(self) -> tuple[str, ...]:
        """The words of ``mode``, each once; none where it is empty."""
        return _words(self.mode.lower())

    @property
    def audiences(self) -> tuple[str, ...]:
        """The names of ``audience``, each once."""
        return _words(self.audience)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of ``hosts``, each once, in lower case."""
        return _words(self.hosts.lower())


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a process. Each field is also a variable: ``graph`` is ``WEFT_GRAPH`` and so on.

    graph: name, path or postgresql:// URL of the graph; empty: the project's own, else the user's.
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
    chat_judges: 1 lets that endpoint judge how what is close stands to a claim, in place of the rules; off unless set.
    fetch: 1 lets ``ingest`` fetch documents from http and https URLs; off unless set.
    auth_mode: what a caller over HTTP must show: token, oauth or both (token,oauth), or none, which is for the loopback
        only. Empty: a token where the graph has tokens, else nothing.
    auth_hosts: names, separated by commas, that a server on another interface than the loopback is called by.
    auth_issuer, auth_audience, auth_keys: for oauth: the ``iss`` of its tokens, an ``aud`` that is this server's (or
        several, separated by commas), and the URL or file of the issuer's public keys, a JWK set.
    """

    graph: str = field(default="", repr=False)  # a URL may hold a password
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
    auth: Auth = field(default_factory=Auth)

    def __post_init__(self) -> None:
        """Refuse values that no setting takes, naming the variable and what it takes."""
        _one_of("role", self.role, _ROLES)
        _one_of("hints", self.hints, _HINTS)
        _refuse_other_types(self)
        for name, endpoint in (("embed", self.embed), ("chat", self.chat)):
            if endpoint.url and not endpoint.model:
                url, model = variable(f"{name}_url"), variable(f"{name}_model")
                raise InvalidArgument(f"{url} is set but {model} is not", hint=f"Set {model} as well.")
        if self.embed.dimension < 0:
            raise InvalidArgument(f"{variable('embed_dimension')} must be 0 or more, got {self.embed.dimension}")
        if self.chat.judges and not self.chat.url:
            judges, url = variable("chat_judges"), variable("chat_url")
            raise InvalidArgument(f"{judges} is on but {url} is not set", hint=f"Set {url} as well.")
        if not 0.0 <= self.link_floor <= 1.0:
            raise InvalidArgument(f"{variable('link_floor')} must lie in 0..1, got {self.link_floor}")
        _check_auth(self.auth)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Return the settings that the ``WEFT_…`` variables name; others keep their defaults.

        Raises:
            InvalidArgument: a variable holds a value that its setting does not take.
        """
        environment = os.environ if environment is None else environment
        given = {name: environment[variable(name)] for name in variables() if environment.get(variable(name))}
        dimension = given.pop("embed_dimension", "0")
        if not dimension.isdecimal():
            raise InvalidArgument(f"{variable('embed_dimension')} must be a whole number, got {dimension!r}")
        floor = given.pop("link_floor", "0.7")
        if not _NUMBER.fullmatch(floor):
            raise InvalidArgument(f"{variable('link_floor')} must be a number in 0..1, got {floor!r}")
        fetch, judges = _switched(given, "fetch"), _switched(given, "chat_judges")
        embed, chat = (_endpoint(given, "embed", dimension=int(dimension)), _endpoint(given, "chat", judges=judges))
        auth = Auth(**{part: given.pop(f"auth_{part}", "") for part in _AUTH_PARTS})
        return cls(**given, embed=embed, chat=chat, fetch=fetch, link_floor=float(floor), auth=auth)

    @property
    def server(self) -> str:
        """The URL of the graph where it lies in a PostgreSQL database; empty: it lies in a file."""
        return self.graph if self.graph.startswith(_SERVERS) else ""

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of ``roots``, absolute; none where it is empty."""
        return _folders(self.roots)

    def at_home(self, *, start: Path | None = None) -> Settings:
        """Return the settings of a caller who works on this machine: without ``roots`` the working directory is one.

        Where that is gone, no file can be read.
        """
        if self.roots:
            return self
        try:
            return replace(self, roots=str(start or here()))
        except CannotOpen:
            return replace(self, roots=NO_ROOTS)

    @property
    def writer(self) -> str:
        """The actor's name: the one that is set, else the login name, else ``local``."""
        return self.actor or _login()

    @property
    def registered(self) -> tuple[str, ...]:
        """The names of ``creators``, each once."""
        return _words(self.creators)


def _refuse_other_types(settings: Settings) -> None:
    """Refuse what would be misread later: a Path is no text, and «off» would switch a switch on.

    The value is not shown: that of a graph may hold a password.
    """
    endpoint: tuple[type, str] = (Endpoint, "a weft.settings.Endpoint")
    kinds = {"embed": endpoint, "chat": endpoint, "auth": (Auth, "a weft.settings.Auth")}
    kinds |= {"link_floor": (Real, "a number"), "fetch": (bool, "True or False")}
    for each in fields(settings):
        value, (kind, said) = getattr(settings, each.name), kinds.get(each.name, (str, "text"))
        if not isinstance(value, kind):
            raise InvalidArgument(f"{each.name} must be {said}, not of the type {type(value).__name__}")


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (word.strip() for word in text.split(",")))))


def _check_auth(auth: Auth) -> None:
    for word in auth.modes:
        _one_of("auth_mode", word, _MODES)
    if "none" in auth.modes and len(auth.modes) > 1:
        raise InvalidArgument("auth_mode: none stands alone, not beside others")
    missing = [variable(f"auth_{part}") for part in _AUTH_PARTS[2:] if not getattr(auth, part)]
    if "oauth" in auth.modes and missing:
        raise InvalidArgument(f"{variable('auth_mode')} is oauth, but {', '.join(missing)} is not set")


def _folders(text: str) -> tuple[Path, ...]:
    named = (part.strip() for part in text.split(os.pathsep)) if text != NO_ROOTS else ()
    return tuple(absolute(part) for part in named if part)


def be_one_of_many() -> None:
    """Keep linear algebra to one thread in our own processes, unless the user said otherwise; before numpy loads.

    Every agent session is a process, so five of them share a machine. Measured at 1,000 notes: with two threads
    spinning for each other a search took 12–15 ms, with one 4–5.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def keep_to_itself() -> None:
    """Have the engine of the bundled model report nothing of its use, unless the user said otherwise; before it loads.

    Since 1.31 onnxruntime makes an id of the machine in the user's cache, and collects events there to be sent.
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


def variables() -> tuple[str, ...]:
    """Return the names of all settings, each once: ``graph``, ``embed_url`` and so on."""
    parts = {"embed": (*_PARTS, "dimension"), "chat": (*_PARTS, "judges"), "auth": _AUTH_PARTS}
    named = ([f"{each.name}_{part}" for part in parts.get(each.name, ())] or [each.name] for each in fields(Settings))
    return tuple(name for names in named for name in names)


def _switched(given: dict[str, str], name: str) -> bool:
    """Take the switch ``name`` out of ``given``, and return whether it is on."""
    value = given.pop(name, "0").lower()
    if value not in _SWITCH:
        raise InvalidArgument(f"{variable(name)} must be 1 (on) or 0 (off), got {value!r}")
    return _SWITCH[value]


def _endpoint(given: dict[str, str], name: str, *, dimension: int = 0, judges: bool = False) -> Endpoint:
    """Take the settings of the endpoint ``name`` out of ``given``, and return it."""
    url, model, key = (given.pop(f"{name}_{part}", "") for part in _PARTS)
    return Endpoint(url=url, model=model, key=key, dimension=dimension, judges=judges)


def variable(name: str) -> str:
    """Return the environment variable of the setting ``name``."""
    return f"WEFT_{name.upper()}"


def named(settings: Settings | None, graph: str | PathLike[str] | None) -> Settings:
    """Return ``settings``, by default those of the environment, with ``graph`` for its graph where one is given.

    A text is a name, a path or a URL, as in :class:`Settings`; any other path-like object is a path.

    Raises:
        InvalidArgument: either is something else.
    """
    settings = Settings.from_environment() if settings is None else settings
    if not isinstance(settings, Settings):
        raise InvalidArgument(f"settings: must be a weft.Settings, not {settings!a:.60}")
    if graph is None:
        return settings
    place = os.fspath(graph) if isinstance(graph, str | os.PathLike) else None
    if not isinstance(place, str):
        raise InvalidArgument(f"graph: must be a name, a path or a postgresql:// URL, not {graph!a:.60}")
    return replace(settings, graph=place if isinstance(graph, str) else str(absolute(place)))


def locate(settings: Settings, *, start: Path | None = None) -> Path:
    """Return the file of the graph that ``settings`` name; the file need not exist.

    A path (with a separator, or ending in ``.db``) is itself. A name lies in the nearest ``.weft`` folder upward from
    ``start`` (default: the working directory), else among the user's graphs. No name means ``graph``. Beside the file
    lies what belongs to the graph on this machine; for a graph on a server, this is where that would lie.

    Raises:
        InvalidArgument: the name has characters that no graph's name has, or is a URL of another kind than a graph's.
        CannotOpen: it lies under the working directory, which is gone, or among the graphs of a user without a home.
    """
    wanted = settings.graph
    if settings.server:
        digest = sha256(shown(wanted).encode()).hexdigest()[:16]
        return _folder(settings, (start or here()).absolute()) / "servers" / f"{digest}.db"
    scheme = _SCHEME.match(wanted)
    if scheme:  # as a path it would be a folder beside, and the password in it a file's name
        raise InvalidArgument(
            f"graph: a URL that begins with {scheme[0]} names no graph",
            hint="Begin it with postgresql:// for a graph in a database, or give the path of a file.",
        )
    if wanted.endswith(".db") or "/" in wanted or os.sep in wanted:
        return absolute(wanted)
    if wanted and not _NAME.fullmatch(wanted):
        raise InvalidArgument(
            f"graph name {wanted!r} is not valid: at most 64 letters, digits, '.', '_' and '-', the first no sign"
        )
    return _folder(settings, (start or here()).absolute()) / f"{wanted or 'graph'}.db"


def _folder(settings: Settings, start: Path) -> Path:
    for place in (start, *start.parents):
        if (place / FOLDER).is_dir():
            return place / FOLDER
    if settings.home:
        return absolute(settings.home)
    from platformdirs import user_data_path

    try:
        return user_data_path("weft", appauthor=False)
    except RuntimeError as error:
        raise homeless() from error


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidArgument(f"{name} ({variable(name)}) must be one of {', '.join(allowed)}, got {value!r}")


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "local"
