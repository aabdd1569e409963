"""What the mirror remembers: of every file what it held when vault and graph agreed, and how far the log was read.

It lies in the graph's folder, not in the vault, as lines that are added to and now and then written anew. Losing it
loses nothing: the next pass compares every file with the graph.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final

from weft.formats.vault_note import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.reason.blanking import Blank
    from weft.vault.folder import Stamp

__all__ = ["Memory", "Mirrored", "revisions"]

FORM: Final = 1
REVISIONS_MAX: Final = 10
_SPARE: Final = 1_000  # lines that a file may hold beyond what is needed
_RACY_NS: Final = 50_000_000
"""A file written this shortly before it was looked at may be written again without its stamp telling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirrored:
    """A file as it was when it and the graph agreed.

    ``what`` is note, source, record or series. ``version`` is that of the node, ``earlier`` those that the note's last
    revisions showed, ``said`` are prints of the fields as the file says them, ``edges`` are the relations that the note
    showed with their strengths. ``pending`` are relations that somebody wrote into it and that lead nowhere yet,
    ``extra`` its keys that are not ours, ``tags`` those that its front matter names (None: not known). ``at_home`` says
    that it lies where its name would put it.
    """

    path: str
    what: str
    id: str
    digest: str
    stamp: Stamp
    looked_ns: int  # when it was looked at, by the system's clock
    version: int = 0
    revision: str = ""
    earlier: dict[str, int] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    edges: dict[str, float] = field(default_factory=dict)
    pending: tuple[Entry, ...] = ()
    extra: str = ""
    tags: tuple[str, ...] | None = None
    at_home: bool = True

    def is_now(self, stamp: Stamp) -> bool:
        """Whether a file of this stamp is surely the one that was looked at."""
        return stamp == self.stamp and max(stamp[1], stamp[2]) + _RACY_NS < self.looked_ns


_NAMES: Final = tuple(each.name for each in fields(Mirrored))


def revisions(entry: Mirrored | None) -> dict[str, int]:
    """Return which version of the node each of the last revisions of a note showed, the newest last."""
    if entry is None:
        return {}
    known = {**entry.earlier, entry.revision: entry.version}
    return dict(list(known.items())[-REVISIONS_MAX:])


class Memory:
    """The memory of one vault, read from ``path`` and kept there; ``root`` is the folder that it is about."""

    def __init__(self, path: Path, *, root: str) -> None:
        self._path = path
        self._root = root
        self.files: dict[str, Mirrored] = {}
        self.cursor = 0
        self._lines = 0
        self._signature: tuple[int, int] | None = None
        self._by_id: dict[tuple[str, str], str] = {}
        self._fresh: list[dict[str, Any]] = []

    def load(self) -> None:
        """Read what was written, by this process or another; a line that is torn ends it."""
        signature = self._signed()
        if signature is not None and signature == self._signature:
            return
        self.files, self._by_id, self.cursor, self._lines, self._fresh = {}, {}, 0, 0, []
        for line in self._read():
            if line is None or not self._take(line):
                self._lines = 0  # damaged from here on: it is written anew
                break
            self._lines += 1
        self._signature = signature

    def of(self, what: str, id_: str) -> Mirrored | None:
        """Return the file that mirrors this node, source or record."""
        path = self._by_id.get((what, id_))
        return self.files.get(path) if path is not None else None

    def keep(self, entry: Mirrored) -> None:
        """Remember a file."""
        before = self._by_id.get((entry.what, entry.id))
        if before is not None and before != entry.path:
            self.drop(before)
        self._put(entry)
        self._fresh.append({"file": _data(entry)})

    def drop(self, path: str) -> None:
        """Forget a file."""
        gone = self.files.pop(path, None)
        if gone is not None:
            self._by_id.pop((gone.what, gone.id), None)
            self._fresh.append({"gone": path})

    def reach(self, cursor: int) -> None:
        """Remember that the log is mirrored up to here."""
        if cursor != self.cursor:
            self.cursor = cursor
            self._fresh.append({"cursor": cursor})

    def blank(self, blank: Blank) -> None:
        """Take what somebody wrote into files of their own out of the memory, too; it is written anew as a whole."""
        for entry in tuple(self.files.values()):
            pending = tuple(Entry(**blank.anything(asdict(each))) for each in entry.pending)
            tags = None if entry.tags is None else tuple(map(blank.text, entry.tags))
            self.files[entry.path] = replace(entry, pending=pending, extra=blank.text(entry.extra), tags=tags)
        self._lines = 0

    def lose(self, blank: Blank) -> None:
        """Take what somebody wrote out, and forget the files whose names hold it; nobody renames them."""
        self.blank(blank)
        for path in [path for path in self.files if blank.text(path) != path]:
            self.drop(path)
        self.save()

    def save(self) -> None:
        """Write what was learned since the last time."""
        if not self._fresh and self._lines:
            return
        wanted = len(self.files) + 2
        if not self._lines or self._lines + len(self._fresh) > 2 * wanted + _SPARE:
            self._rewrite()
        else:
            with self._path.open("a", encoding="utf-8", newline="\n") as out:
                out.writelines(map(_line, self._fresh))
            self._lines += len(self._fresh)
        self._fresh = []
        self._signature = self._signed()

    def _rewrite(self) -> None:
        lines: list[dict[str, Any]] = [{"form": FORM, "root": self._root}, {"cursor": self.cursor}]
        lines += [{"file": _data(entry)} for entry in self.files.values()]
        fresh = self._path.with_suffix(".new")
        with fresh.open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(map(_line, lines))
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(self._path)
        self._lines = len(lines)

    def _read(self) -> Iterator[dict[str, Any] | None]:
        try:
            with self._path.open(encoding="utf-8") as file:
                head = file.readline()
                if not head or json.loads(head) != {"form": FORM, "root": self._root}:
                    return
                yield {}
                for line in file:
                    yield json.loads(line) if line.endswith("\n") else None
        except FileNotFoundError:
            return
        except (OSError, ValueError):
            yield None

    def _take(self, line: dict[str, Any]) -> bool:
        try:
            if "file" in line:
                self._put(_entry(line["file"]))
            elif "gone" in line:
                gone = self.files.pop(line["gone"], None)
                if gone is not None:
                    self._by_id.pop((gone.what, gone.id), None)
            elif "cursor" in line:
                self.cursor = int(line["cursor"])
        except (KeyError, TypeError, ValueError):
            return False
        return True

    def _put(self, entry: Mirrored) -> None:
        self.files[entry.path] = entry
        self._by_id[(entry.what, entry.id)] = entry.path

    def _signed(self) -> tuple[int, int] | None:
        try:
            told = self._path.stat()
        except OSError:
            return None
        return told.st_size, told.st_mtime_ns


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def _data(entry: Mirrored) -> dict[str, Any]:
    pending = [asdict(each) for each in entry.pending]
    return {name: getattr(entry, name) for name in _NAMES} | {"pending": pending}


def _entry(data: dict[str, Any]) -> Mirrored:
    given = {name: data[name] for name in _NAMES if name in data}
    given["stamp"] = tuple(given["stamp"])
    given["pending"] = tuple(Entry(**each) for each in given.get("pending", ()))
    given["tags"] = None if given.get("tags") is None else tuple(given["tags"])
    return Mirrored(**given)
