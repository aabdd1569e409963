"""What lies on disk in another system's form, read file by file: only under the given place, within bounds."""

from __future__ import annotations

import os
import stat
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument, NotFound, Unavailable
from weft.formats.foreign import RECORDS_MAX, RELATIONS_MAX
from weft.model import Unread
from weft.optional import optional
from weft.services import documents
from weft.services.drafting import required
from weft.services.transfer.aside import Incoming
from weft.services.transfer.tying import Told
from weft.vocabulary import CONTENT_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from weft.formats.foreign import Parsed, Record
    from weft.services.transfer.aside import Aside

__all__ = ["READERS", "Reader", "Reading"]

FILE_MAX_BYTES: Final = 64_000_000
_UNUSED_MAX: Final = 10_000
"""Names of fields that are counted where they found no place."""

_FIELDS_SHOWN: Final = 12
_FIELD_SHOWN: Final = 30  # characters

_NOTES: Final = (".md", ".markdown")
_TEXTS: Final = (*documents.UNREADABLE, *(each for each in documents.READABLE if each not in _NOTES))
"""Files that hold text and are no notes."""

_QUIET: Final = frozenset({".obsidian", ".trash", ".git", ".smart-env", ".stfolder"})
"""Folders that such a place always has and nobody misses; every other thing that is left out is told."""

_UNIT_COLUMNS: Final = ("id", "content", "source_doi", "confidence", "created_at")
_TABLE: Final = "units.lance"
_TABLE_DEPTH: Final = 4


@dataclass(slots=True, kw_only=True)
class Reading:
    """What was read so far: records and relations with their files, and what could not be read.

    The texts of the records are put to ``aside``.
    """

    aside: Aside
    incoming: list[Incoming] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    unused: Counter[str] = field(default_factory=Counter)

    def add(self, path: str, parsed: Parsed) -> None:
        """Add what a file held, as far as there is room."""
        room = RECORDS_MAX + 1 - len(self.incoming)
        fitting = (Incoming(path=path, record=each) for each in parsed.records[:room] if self._fits(path, each))
        self.incoming += map(self.aside.put, fitting)
        self.told += [Told(path=path, tie=each) for each in parsed.ties]
        self.unread += [Unread(path=path, line=each.line, reason=each.message) for each in parsed.problems]
        self.unused.update(name for name in parsed.unused if name in self.unused or len(self.unused) < _UNUSED_MAX)
        for held, most, what in ((self.incoming, RECORDS_MAX, "records"), (self.told, RELATIONS_MAX, "relations")):
            if len(held) > most:
                reason = f"only the first {most:,} {what} of one import are taken in"
                self.unread.insert(0, Unread(path=path, line=0, reason=reason))  # the first are listed
                del held[most:]

    def _fits(self, path: str, record: Record) -> bool:
        """Whether the text is short enough for a node; one that is not is told, and not even set aside."""
        if len(record.content) > CONTENT_MAX:
            try:
                required(record.content, field="content", limit=CONTENT_MAX)
            except InvalidArgument as error:
                self.refuse(path, error.message, line=record.line)
                return False
        return True

    def refuse(self, path: str, reason: str, line: int = 0) -> None:
        """Note what is left out."""
        self.unread.append(Unread(path=path, line=line, reason=reason))

    def finish(self, path: str) -> None:
        """Note which fields beside the texts were left out, all of them in one entry."""
        if self.unused:
            named = [f"{name[:_FIELD_SHOWN]} ({count:,})" for name, count in self.unused.most_common(_FIELDS_SHOWN)]
            more = f" and {len(self.unused) - len(named)} more" if len(self.unused) > len(named) else ""
            self.refuse(path, f"taken in, but without {', '.join(named)}{more}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How a format is read, what its files are, and the kind of what has none that is known.

    ``suffixes`` are those of its notes, where the id of a note is its path without them.
    """

    read: Callable[[Path, Reading], None]
    what: str
    kind: str
    suffixes: tuple[str, ...] = ()


def _notes(root: Path, reading: Reading) -> Iterator[tuple[str, str]]:
    """Yield the name, below ``root``, and the text of every note; others are told."""
    gathered = documents.gather((root,), (root,), suffixes=_NOTES)
    for path, reason in gathered.skipped:
        if Path(path).name not in _QUIET:
            reading.refuse(_below(path, root), reason)
    if not gathered.files:
        reading.refuse(root.name, f"no note ({', '.join(_NOTES)}) lies in this folder")
    _tell_others(root, reading)
    for file in gathered.files:
        try:
            yield file.name, documents.read(file)
        except InvalidArgument as error:
            reading.refuse(file.name, error.message.removeprefix("document: "))


def _tell_others(root: Path, reading: Reading) -> None:
    """Tell how many files below ``root`` hold text and are no notes."""
    others = documents.counted((root,), (root,), suffixes=_TEXTS)
    if others:
        counted = ", ".join(f"{count:,} {suffix}" for suffix, count in others.items())
        readable = ", ".join(sorted(others.keys() & documents.READABLE))
        hint = f" (`weft ingest` reads {readable})" if readable else ""
        reading.refuse(root.name, f"left out, since they are no notes: {counted}{hint}")


def _below(path: str, root: Path) -> str:
    return os.path.relpath(path, root) if Path(path).is_absolute() else path


def _text(path: Path, reading: Reading, *, name: str = "") -> str:
    """Return the text of a file, or nothing where it cannot be read, which is told."""
    name = name or path.name
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                reading.refuse(name, "not a regular file")
                return ""
            body = file.read(FILE_MAX_BYTES + 1)
    except OSError as error:
        reading.refuse(name, f"cannot be read ({error.strerror})")
        return ""
    if len(body) > FILE_MAX_BYTES:
        reading.refuse(name, f"larger than {FILE_MAX_BYTES:,} bytes")
        return ""
    return _decoded(body, reading, name)


def _decoded(body: bytes, reading: Reading, name: str) -> str:
    """Return a text in UTF-8, or in UTF-16 where its first two bytes say so, up to the line where it is neither."""
    if body.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        text = body.decode("utf-16", errors="replace")
        if "\ufffd" in text:
            reading.refuse(name, "holds what is not UTF-16; it stands as \ufffd")
        return text
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        reading.refuse(name, "not UTF-8 from this line on; save the file as UTF-8", line=line)
        return body[: body.rfind(b"\n", 0, error.start) + 1].decode("utf-8-sig")


def _obsidian(root: Path, reading: Reading) -> None:
    from weft.formats import obsidian

    for name, text in _notes(root, reading):
        reading.add(name, obsidian.parse(text, name=name))


def _basic_memory(root: Path, reading: Reading) -> None:
    from weft.formats import basic_memory

    for name, text in _notes(root, reading):
        reading.add(name, basic_memory.parse(text, name=name))


def _autology(root: Path, reading: Reading) -> None:
    from weft.formats import autology

    root = root / ".autology" if (root / ".autology").is_dir() else root
    for name, text in _notes(root, reading):
        reading.add(name, autology.parse(text, name=name))
    for name in ("graph/index.json", "graph/graph.json", "graph.json"):
        if (root / name).exists() and _inside(root / name, root):
            reading.add(name, autology.parse_index(_text(root / name, reading, name=name)))


def _cognitive_memory(root: Path, reading: Reading) -> None:
    from weft.formats import cognitive_memory

    root = root / "graph" if (root / "graph").is_dir() else root
    for name, text in _notes(root, reading):
        reading.add(name, cognitive_memory.parse(text, name=name))


def _okf(root: Path, reading: Reading) -> None:
    from weft.formats import okf

    for name, text in _notes(root, reading):
        if name.rpartition("/")[2].lower() not in okf.LISTINGS:
            reading.add(name, okf.parse(text, name=name))


def _memory_server(path: Path, reading: Reading) -> None:
    from weft.formats import memory_server

    reading.add(path.name, memory_server.parse(_text(path, reading)))


def _mem0(path: Path, reading: Reading) -> None:
    from weft.formats import mem0

    reading.add(path.name, mem0.parse(_text(path, reading)))


def _csv(path: Path, reading: Reading) -> None:
    from weft.formats import tables

    files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    if not files:
        reading.refuse(path.name, "no .csv file lies in this folder")
    for file in files:
        reading.add(file.name, tables.parse(_text(file, reading)))


def _aci(root: Path, reading: Reading) -> None:
    from weft.formats import aci

    table = _find_table(root)
    if table is None:
        raise NotFound(f"path: no folder {_TABLE} lies in {root}", hint="Name the data folder of ACI.")
    lance = optional("lance", extra="aci", why="Reading the table of an ACI data folder")
    try:
        dataset = lance.dataset(str(table))
        held = [name for name in _UNIT_COLUMNS if name in dataset.schema.names]
        rows = dataset.to_table(columns=held, limit=RECORDS_MAX).to_pylist()
    except (OSError, ValueError, RuntimeError) as error:
        raise Unavailable(f"{table} cannot be read as a Lance table: {error}") from error
    reading.add(_TABLE, aci.units(rows))
    for place in (root, table.parent, table.parent.parent):
        file = place / "relations.json"
        if file.exists() and _inside(file, root):
            reading.add(file.name, aci.parse_relations(_text(file, reading)))
            return
    reading.refuse("relations.json", "not there: the units come without relations")


def _find_table(root: Path) -> Path | None:
    if root.name == _TABLE:
        return root
    for place, folders, _ in os.walk(root):
        if _TABLE in folders:
            return root / os.path.relpath(place, root) / _TABLE
        if os.path.relpath(place, root).count(os.sep) >= _TABLE_DEPTH:
            folders.clear()
    return None


def _inside(path: Path, root: Path) -> bool:
    return path.resolve().is_relative_to(root.resolve())


READERS: Final[dict[str, Reader]] = {
    "memory-server": Reader(read=_memory_server, what="file", kind="concept"),
    "basic-memory": Reader(read=_basic_memory, what="folder", kind="general"),
    "okf": Reader(read=_okf, what="folder", kind="concept"),
    "obsidian": Reader(read=_obsidian, what="folder", kind="general", suffixes=_NOTES),
    "autology": Reader(read=_autology, what="folder", kind="concept"),
    "cognitive-memory": Reader(read=_cognitive_memory, what="folder", kind="general"),
    "mem0": Reader(read=_mem0, what="file", kind="general"),
    "csv": Reader(read=_csv, what="", kind="general"),
    "aci": Reader(read=_aci, what="folder", kind="claim"),
}
"""Every form that can be read but the lossless one; ``what`` is empty where a file and a folder will do."""
