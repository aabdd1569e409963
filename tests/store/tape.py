"""A disk that remembers every write, and what a power cut would have left of it.

:class:`Tape` is a virtual file system of the engine's that passes everything on to the real one and writes down what it
was asked: writes, cuts, syncs, deletions, in order, with the acknowledgements between them. :class:`Disk` plays a tape
up to a moment and then lets chance decide, sector by sector, what of the unsynced rest had reached the disk.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import apsw

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

SECTOR = 512
KEPT = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL


class Event(NamedTuple):
    """One thing that happened: ``what`` is write, cut, sync, delete or word; ``at`` is an offset or a length."""

    what: str
    name: str
    at: int = 0
    data: bytes = b""


class Tape(apsw.VFS):
    """A recording file system; ``fail`` may raise an error of the engine's before anything is done."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.events: list[Event] = []
        self.fail: Callable[[str, str], None] = lambda _what, _name: None
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _File:  # noqa: N802 - the engine's name
        """Open a file of ours."""
        return _File(self, name, flags)

    def xDelete(self, name: str, syncdir: bool) -> None:  # noqa: N802, FBT001 - the engine's name
        """Delete a file."""
        super().xDelete(name, syncdir)
        self.events.append(Event("delete", _short(name), int(syncdir)))

    def word(self, said: str) -> None:
        """Note that something was acknowledged now."""
        self.events.append(Event("word", said))


class _File(apsw.VFSFile):
    def __init__(self, tape: Tape, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = _short(path or "")
        self._tape = tape if flags[0] & KEPT else None
        super().__init__("", name, flags)

    def _note(self, what: str, at: int = 0, data: bytes = b"") -> None:
        if self._tape is not None:
            self._tape.fail(what, self._name)
            self._tape.events.append(Event(what, self._name, at, data))

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - the engine's name
        self._note("write", offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - the engine's name
        self._note("cut", newsize)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802 - the engine's name
        if self._tape is not None:
            self._tape.fail("sync", self._name)
        super().xSync(flags)
        self._note("sync")


def _short(path: str) -> str:
    """Return what follows the graph's name: empty for the file itself, ``-wal`` for its log."""
    return path.rsplit(".db", 1)[-1]


@dataclass
class Disk:
    """What is surely on the disk, file by file, and what was asked for since and may be or not."""

    files: dict[str, bytearray]
    unsynced: dict[str, list[Event]] = field(default_factory=dict)

    def play(self, event: Event) -> None:
        """Let one thing happen; a sync makes sure of all that was asked of its file."""
        if event.what == "sync":
            for earlier in self.unsynced.pop(event.name, []):
                _do(self.files, earlier)
            self.files.setdefault(event.name, bytearray())
        elif event.what == "delete" and event.at:
            self.unsynced.pop(event.name, None)
            self.files.pop(event.name, None)
        elif event.what != "word":
            self.unsynced.setdefault(event.name, []).append(event)

    def remains(self, dice: random.Random) -> dict[str, bytes]:
        """Return what a power cut now leaves: of the unsynced, each piece is there, gone, or torn between sectors."""
        files = {name: bytearray(data) for name, data in self.files.items()}
        mood = dice.choice(("all", "none", "any", "any", "any"))
        for events in self.unsynced.values():
            for event in events:
                for piece in _pieces(event, mood, dice):
                    _do(files, piece)
        return {name: bytes(data) for name, data in files.items()}


def _pieces(event: Event, mood: str, dice: random.Random) -> Iterator[Event]:
    fate = mood if mood != "any" else dice.choice(("all", "none", "torn"))
    if fate == "all":
        yield event
    elif fate == "torn" and event.what == "write":
        for start in range(0, len(event.data), SECTOR):
            if dice.random() < 0.5:
                yield event._replace(at=event.at + start, data=event.data[start : start + SECTOR])


def _do(files: dict[str, bytearray], event: Event) -> None:
    if event.what == "delete":
        files.pop(event.name, None)
        return
    data = files.setdefault(event.name, bytearray())
    if event.what == "cut":
        del data[event.at :]
        return
    data.extend(bytes(max(0, event.at - len(data))))
    data[event.at : event.at + len(event.data)] = event.data
