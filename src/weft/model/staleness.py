"""Files that nodes refer to: what they looked like, and which nodes they have outrun. Derived, never in the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.model.knowledge import Titled

__all__ = ["Checked", "FilePrint", "Outdated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePrint:
    """What a file looked like when ``node`` last spoke of it.

    ``reference`` is the file as the node names it, ``file`` its path below the root folder with forward slashes.
    ``root`` is that folder; empty: the one the graph itself lies in (beside ``.weft``), wherever that is moved to.
    ``digest`` is the SHA-256 of the content in hex.
    """

    node: str
    reference: str
    root: str
    file: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """A node whose files changed: those that ``changed`` and those that are ``gone``, as it names them.

    ``item`` is the review item that says so, ``summary`` its sentence.
    """

    id: str
    title: str
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    item: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a check of files found.

    ``nodes`` were looked at and ``files`` compared. ``outdated`` are the nodes marked now, ``settled`` those
    that were marked before and no longer are. ``taken`` references are watched from now on; ``unwatched`` ones
    are no file that can be (an address, nothing there, outside the root, too large), ``elsewhere`` ones belong to
    another root. ``batch`` takes the marks back (empty: nothing was marked or settled).
    """

    nodes: int
    files: int
    outdated: tuple[Outdated, ...] = ()
    settled: tuple[Titled, ...] = ()
    taken: int = 0
    unwatched: int = 0
    elsewhere: int = 0
    batch: str = ""
