"""Where a graph's vault lies, and whether it is on: a small file in the graph's folder."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weft.errors import InvalidArgument, Unavailable

__all__ = ["DEFAULT", "MARK", "SERVERS", "Place", "is_on", "place_of"]

DEFAULT: Final = "vault"
"""The folder that the vault of a project's own graph lies in; other graphs add their names."""

MARK: Final = ".weft-vault"
"""The file that marks a vault's root. Without it nothing is taken for deleted."""

SERVERS: Final = "servers"
"""The folder, among a project's graphs, of what belongs on this machine to graphs on servers."""

_FORM: Final = 1
_MARK_TEXT: Final = "This folder is mirrored with a Weft graph. Do not delete this file.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The files of a vault beside the graph at ``graph``; a vault inside the project moves with it."""

    graph: Path

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
        """Where the vault lies if nobody says otherwise; no two graphs share it."""
        own = self.graph.parent.name.startswith(".") and self.graph.stem == "graph"
        return Path(DEFAULT if own else f"{DEFAULT}-{self.graph.stem}")

    def root(self) -> Path | None:
        """Return the root of the vault, or None where it is off.

        Raises:
            Unavailable: the setting cannot be read.
        """
        try:
            said = json.loads((self.folder / "vault.json").read_text("utf-8"))
            root = said["root"] if said["on"] else ""
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Unavailable(
                f"{self.folder / 'vault.json'} cannot be read: {error}", hint="Turn the vault on again."
            ) from error
        return Path(os.path.realpath(self.base / root)) if root else None

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
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            real.mkdir(parents=True, exist_ok=True)
            mark = real / MARK
            if not mark.exists():
                mark.write_text(_MARK_TEXT, "utf-8")
            self._say(_kept(real, self.base), on=True)
        except OSError as error:
            raise Unavailable(f"folder: {real} cannot be made a vault: {error.strerror}.") from error
        return real

    def turn_off(self) -> None:
        """Leave the vault's files as they are, and mirror no more."""
        root = self.root()
        if root is not None:
            self._say(_kept(root, self.base), on=False)

    def _say(self, root: str, *, on: bool) -> None:
        fresh = self.folder / "vault.json.new"
        fresh.write_text(json.dumps({"form": _FORM, "root": root, "on": on}, indent=1) + "\n", "utf-8")
        fresh.replace(self.folder / "vault.json")


def place_of(graph: Path) -> Place:
    """Return the place of the vault of the graph in this file."""
    return Place(graph=graph)


def is_on(graph: Path) -> bool:
    """Whether the graph in this file has a vault; nothing is opened but a small file."""
    try:
        return place_of(graph).root() is not None
    except Unavailable:
        return False


def _kept(real: Path, base: Path) -> str:
    resolved = Path(os.path.realpath(base))
    return os.path.relpath(real, resolved) if real.is_relative_to(resolved) else str(real)
