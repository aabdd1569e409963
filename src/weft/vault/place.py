"""Where a graph's vault lies, and whether it is on: a small file in the graph's folder."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from weft.errors import InvalidArgument, Unavailable
from weft.location import make_folder
from weft.text import normalized

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CLOSED", "DEFAULT", "MARK", "SERVERS", "Place", "is_on", "place_of"]

CLOSED: Final = "vault_closed"
"""The key of the error where this user may not read where the vault lies."""

DEFAULT: Final = "vault"
"""The folder that the vault of a project's own graph lies in; other graphs add their names."""

MARK: Final = ".weft-vault"
"""The file that marks a vault's root. Without it nothing is taken for deleted."""

SERVERS: Final = "servers"
"""The folder, among a project's graphs, of what belongs on this machine to graphs on servers."""

_FORM: Final = 1
_CLEAN = re.compile(r"[\W_]+")
_NAME_MAX_BYTES: Final = 60
_DIGEST_LETTERS: Final = 8
_MARK_TEXT: Final = "This folder is mirrored with a Weft graph. Do not delete this file.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The files of a vault beside the graph at ``graph``; a vault inside the project moves with it.

    ``name`` is what a graph on a server is called there; the file that stands for it has a digest for a name.
    """

    graph: Path
    name: str = ""

    @property
    def folder(self) -> Path:
        """The folder of what the mirror keeps for itself; it is no part of the vault."""
        return self.graph.with_name(f"{self.graph.stem}.vault")

    @property
    def base(self) -> Path:
        """The folder that relative roots are read against: the project's, or the graph's own."""
        return self._own.parent if self._own.name.startswith(".") else self.graph.parent

    @property
    def _own(self) -> Path:
        """The folder of the project's graphs, or the graph's own; what belongs to one on a server lies one below."""
        folder = self.graph.parent
        return folder.parent if folder.name == SERVERS and folder.parent.name.startswith(".") else folder

    @property
    def usual(self) -> Path:
        """Where the vault lies if nobody says otherwise; no two graphs share it.

        The project's own graph has the plain folder, others add their names: that of the database, where that is one.
        A folder that an older Weft made for a database, named by a digest, is kept to.
        """
        if self.graph.parent.name.startswith(".") and self.graph.stem == "graph":
            return Path(DEFAULT)
        older = Path(f"{DEFAULT}-{self.graph.stem}")
        if self.name and (self.base / older / MARK).is_file():
            return older
        plain = Path(f"{DEFAULT}-{_cleaned(self.name)}") if _cleaned(self.name) else older
        unlike = Path(f"{plain}-{hashlib.sha256(self.graph.stem.encode()).hexdigest()[:_DIGEST_LETTERS]}")
        said = _read(self.folder / "vault.json")
        kept = [each for each in (plain, unlike) if said and self._real(each) == self._real(Path(said["root"]))]
        return kept[0] if kept else unlike if self._real(plain) in set(self._taken()) else plain

    def _taken(self) -> Iterator[Path]:
        """Yield where vaults of other graphs of the project lie or lay, and where those of its files would."""
        for folder in (self._own, self._own / SERVERS):
            for setting in sorted(folder.glob("*.vault/vault.json")):
                said = _read(setting)
                if setting.parent != self.folder and said is not None and said["root"]:
                    yield self._real(Path(said["root"]))
        for graph in sorted(self._own.glob("*.db")):
            if graph != self.graph and not graph.name.endswith(".usage.db"):
                yield self._real(Path(f"{DEFAULT}-{graph.stem}"))

    def _real(self, root: Path) -> Path:
        return Path(os.path.realpath(self.base / root))

    def root(self) -> Path | None:
        """Return the root of the vault, or None where it is off.

        Raises:
            Unavailable: the setting cannot be read.
        """
        root, is_on = self._said()
        return root if is_on else None

    def left(self) -> Path | None:
        """Return where a vault lay that was turned off, or None where there was none, or it is on.

        Raises:
            Unavailable: the setting cannot be read.
        """
        root, is_on = self._said()
        return None if is_on else root

    def _said(self) -> tuple[Path | None, bool]:
        try:
            said = json.loads((self.folder / "vault.json").read_text("utf-8"))
            root, on = str(said["root"]), bool(said["on"])
        except FileNotFoundError:
            return None, False
        except PermissionError as error:
            raise Unavailable(
                f"{self.folder / 'vault.json'} may not be read by this user.",
                hint="Where the vault lies is known to who may read that.",
                key=CLOSED,
            ) from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Unavailable(
                f"{self.folder / 'vault.json'} cannot be read: {error}", hint="Turn the vault on again."
            ) from error
        return (Path(os.path.realpath(self.base / root)) if root else None), on

    def turn_on(self, root: Path) -> Path:
        """Let the vault lie at ``root``, made if it is not there, and return its real path.

        Raises:
            InvalidArgument: it would lie in the graph's own folder, or is a whole disk.
            Unavailable: it cannot be made.
        """
        real = Path(os.path.realpath(self.base / root))
        own = Path(os.path.realpath(self._own))
        inside = real.is_relative_to(own) and own.name.startswith(".")
        if inside or real == real.parent or real == Path.home():
            raise InvalidArgument(
                f"folder: {real} cannot be a vault: it is the graph's own folder, or no folder of notes."
            )
        try:
            make_folder(self.folder)
            real.mkdir(parents=True, exist_ok=True)
            mark = real / MARK
            if not mark.exists():
                mark.write_text(_MARK_TEXT, "utf-8")
            self._say(_kept(real, self.base), on=True)
        except OSError as error:
            said = f"folder: {real} cannot be made a vault, since {error.filename or real} cannot be written"
            raise Unavailable.by_system(said, error) from error
        return real

    def turn_off(self) -> None:
        """Leave the vault's files as they are, and mirror no more.

        Raises:
            Unavailable: the setting cannot be read, or written.
        """
        root = self.root()
        try:
            if root is not None:
                self._say(_kept(root, self.base), on=False)
        except OSError as error:
            raise Unavailable.by_system(f"{self.folder} cannot be written", error) from error

    def _say(self, root: str, *, on: bool) -> None:
        fresh = self.folder / "vault.json.new"
        fresh.write_text(json.dumps({"form": _FORM, "root": root, "on": on}, indent=1) + "\n", "utf-8")
        fresh.replace(self.folder / "vault.json")


def place_of(graph: Path, name: str = "") -> Place:
    """Return the place of the vault of the graph in this file, or of that called ``name`` for which it stands."""
    return Place(graph=graph, name=name)


def is_on(graph: Path) -> bool:
    """Whether the graph in this file has a vault; nothing is opened but a small file."""
    try:
        return place_of(graph).root() is not None
    except Unavailable:
        return False


def _read(setting: Path) -> dict[str, Any] | None:
    """Return what the setting of a vault says; None: it cannot be read."""
    try:
        said = json.loads(setting.read_text("utf-8"))
        return {"root": str(said["root"]), "on": bool(said["on"])}
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _cleaned(name: str) -> str:
    """Return a name's letters and digits of any script, small, 60 bytes of them at most."""
    slug = _CLEAN.sub("-", normalized("NFC", name).lower()).strip("-")
    return slug.encode("utf-8", "ignore")[:_NAME_MAX_BYTES].decode(errors="ignore").strip("-")


def _kept(real: Path, base: Path) -> str:
    resolved = Path(os.path.realpath(base))
    return os.path.relpath(real, resolved) if real.is_relative_to(resolved) else str(real)
