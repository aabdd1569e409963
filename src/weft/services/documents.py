"""Documents on disk: which files an ingest may read, and their text. Everything refused is reported with its reason.

Markdown and plain text are kept as they are; other formats become Markdown (:mod:`weft.services.rendering`).
"""

from __future__ import annotations

import os
import stat
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.formats.rendered import Rendered
from weft.services import rendering
from weft.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "DEPTH_MAX",
    "FILES_MAX",
    "MISSING",
    "READABLE",
    "SIZE_MAX_BYTES",
    "SUFFIXES",
    "UNREADABLE",
    "DocumentFile",
    "Gathered",
    "counted",
    "folders",
    "gather",
    "is_another",
    "opened",
    "read",
    "text_of",
]

SUFFIXES: Final = (".md", ".markdown", ".txt")
"""Files of text, which are read as they are."""

READABLE: Final = (*SUFFIXES, *rendering.FORMATS)
"""Every file that can be taken in."""

UNREADABLE: Final = (
    ".adoc", ".canvas", ".csv", ".doc", ".epub", ".ipynb", ".mdx", ".odt", ".org", ".pptx", ".qmd", ".rst", ".rtf",
    ".tex", ".xlsx",
)  # fmt: skip
"""Documents of forms that are not read, which somebody would miss."""

SIZE_MAX_BYTES: Final = 2_000_000
"""The largest text that is read; other formats have bounds of their own."""

DEPTH_MAX: Final = 20
FILES_MAX: Final = 10_000
MISSING: Final = "does not exist"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFile:
    """A file that may be read: its resolved ``path``, its ``name`` (the path below ``root``), its ``folder``'s name.

    Without a root, its own folder is one.
    """

    path: Path
    name: str
    folder: str
    root: Path | None = None


@dataclass(slots=True, kw_only=True)
class Gathered:
    """What a walk found: files in order of their names, and (path, reason) of what it left out.

    Only files with one of ``suffixes`` are looked for.
    """

    suffixes: tuple[str, ...] = SUFFIXES
    files: list[DocumentFile] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    _seen: dict[str, Path] = field(default_factory=dict)

    def take(self, path: Path, root: Path) -> None:
        """Add a readable document, once; say of anything else why it is left out."""
        resolved = _real(path)
        composed = unicodedata.normalize("NFC", str(resolved))
        known = self._seen.get(composed)
        if why := _amiss(path, resolved, root, known):
            self.skipped.append((str(path), why))
        elif known is None and not self.full:
            self._seen[composed] = resolved
            name = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
            self.files.append(DocumentFile(path=resolved, root=root, name=name, folder=path.parent.name or root.name))

    @property
    def full(self) -> bool:
        """Whether the bound of files is reached."""
        return len(self.files) >= FILES_MAX


def gather(paths: Sequence[Path], roots: Sequence[Path], *, suffixes: tuple[str, ...] = SUFFIXES) -> Gathered:
    """Return the documents at or under ``paths`` (none: under the roots themselves), sorted within each folder.

    A document's name ends in one of ``suffixes``. Hidden names are left out, symbolic links are followed to files
    inside the same root only.

    Raises:
        InvalidArgument: no root was given, or a path lies under none of them.
    """
    allowed = [_real(root) for root in roots]
    if not allowed:
        raise InvalidArgument(
            "paths: no root is given, so nothing may be read", hint="Name the folder to read as a root."
        )
    found = Gathered(suffixes=suffixes)
    for path in paths or allowed:
        _look(path, _root_of(path, allowed), found)
    if found.full:
        found.skipped.append(("…", f"only the first {FILES_MAX} files of one call are read"))
    found.skipped = [(_said(path), why) for path, why in found.skipped]
    return found


def counted(paths: Sequence[Path], roots: Sequence[Path], *, suffixes: tuple[str, ...]) -> dict[str, int]:
    """Return how many files with each of ``suffixes`` lie at or under ``paths``, as :func:`gather` finds them."""
    found = Counter(file.path.suffix.lower() for file in gather(paths, roots, suffixes=suffixes).files)
    return dict(sorted(found.items()))


def folders(paths: Sequence[Path], roots: Sequence[Path]) -> list[Path]:
    """Return the folders that :func:`gather` walks for ``paths`` (none: the roots), without symbolic links."""
    allowed = [_real(root) for root in roots]
    places = ([path if path.is_absolute() else _root_of(path, allowed) / path for path in paths]) or allowed
    return list(dict.fromkeys(_real(place) for place in places if os.path.isdir(place)))  # noqa: PTH112 - Path.is_dir raises


def is_another(path: str, other: str) -> bool:
    """Whether a file lies at ``path`` that is not the one at ``other``; what cannot be looked at is none."""
    try:
        return Path(path).is_file() and not Path(path).samefile(other)
    except (OSError, ValueError):
        return False


def read(file: DocumentFile) -> str:
    """Return a file of text: UTF-8 without its mark, line ends made one, controls and invisibles stripped.

    Raises:
        InvalidArgument: not a regular file, too large, not UTF-8 (the message names the line), or with a NUL in it.
    """
    return text_of(_bytes_of(file, SIZE_MAX_BYTES), "").text


def opened(file: DocumentFile) -> Rendered:
    """Return the text of a document on disk, of whatever format.

    Raises:
        InvalidArgument: not a regular file, too large, or as :func:`text_of`.
        Unavailable: the library for the format is not installed.
    """
    suffix = file.path.suffix.lower()
    most = rendering.SIZE_MAX_BYTES.get(rendering.FORMATS.get(suffix, ""), SIZE_MAX_BYTES)
    return text_of(_bytes_of(file, most), suffix)


def text_of(body: bytes, suffix: str) -> Rendered:
    """Return the text of a document: UTF-8 without its mark, line ends made one, controls and invisibles stripped.

    Other formats than text are rendered as Markdown, in a process of their own.

    Raises:
        InvalidArgument: not UTF-8 (the message names the line), with a NUL in it, or broken, encrypted or too costly to
            read.
        Unavailable: the library for the format is not installed.
    """
    from weft.services.rendering.apart import rendered

    kind = rendering.FORMATS.get(suffix)
    found = _without_nul(rendered(kind, body)) if kind else Rendered(text=_decoded(body))
    return Rendered(text=clean(found.text, field="document", limit=SIZE_MAX_BYTES), problems=found.problems)


def _without_nul(found: Rendered) -> Rendered:
    """Return ``found`` without NUL, which a font may map a letter to: the rest of the text is none the worse."""
    count = found.text.count("\0")
    if not count:
        return found
    return Rendered(text=found.text.replace("\0", ""), problems=(*found.problems, f"NUL is left out, {count} times"))


def _amiss(path: Path, resolved: Path, root: Path, known: Path | None) -> str:
    """Return why a document is left out, empty where it is not; ``known`` is the file of the same composed name."""
    if not resolved.is_relative_to(root):
        return "a symbolic link that leads out of the allowed folders"
    if _said(str(path)) != str(path):
        return "its name is not UTF-8"
    if known is not None and known != resolved:
        return "its name is that of another file here, only its accents are encoded otherwise"
    return ""


def _said(path: str) -> str:
    r"""Return ``path`` as text that can be told; bytes that are not UTF-8 stand as ``\udcff``."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def _real(path: Path) -> Path:
    """Return ``path`` without symbolic links; one that leads to itself stays as it is (Path.resolve raises)."""
    return Path(os.path.realpath(path))


def _root_of(path: Path, allowed: Sequence[Path]) -> Path:
    for root in allowed:
        place = path if path.is_absolute() else root / path
        if _real(place).is_relative_to(root):
            return root
    listed = ", ".join(str(root) for root in allowed)
    raise InvalidArgument(f"path: {path} lies in none of the allowed folders ({listed})")


def _look(path: Path, root: Path, found: Gathered) -> None:
    """Take what lies at ``path``, which somebody named: a file, or the files below a folder."""
    place = path if path.is_absolute() else root / path
    real = _real(place.parent) / place.name if place.name else _real(place)
    if not os.path.exists(place):  # noqa: PTH110 - Path.exists raises where a name is too long
        found.skipped.append((str(path), MISSING))
    elif real.is_relative_to(root) and any(part.startswith(".") for part in real.relative_to(root).parts):
        found.skipped.append((str(path), "hidden files and folders are not read"))
    elif place.is_dir():
        _walk(_real(place), root, found)
    elif real.suffix.lower() not in found.suffixes:
        found.skipped.append((str(path), f"not a document: one of {', '.join(found.suffixes)} is read"))
    else:
        found.take(real, root)


def _walk(folder: Path, root: Path, found: Gathered) -> None:
    base = len(folder.parts)

    def unread(error: OSError) -> None:
        found.skipped.append((str(error.filename), f"cannot be read ({error.strerror})"))

    for name, folders, files in os.walk(folder, onerror=unread):
        here = Path(name)
        folders[:] = sorted(_open_folders(here, folders, found))
        if len(here.parts) - base >= DEPTH_MAX and folders:
            found.skipped.append((str(here), f"folders deeper than {DEPTH_MAX} levels are not read"))
            folders.clear()
        for file in sorted(files):
            if _is_document(here / file, found):
                found.take(here / file, root)
        if found.full:
            return


def _open_folders(here: Path, folders: Sequence[str], found: Gathered) -> Iterator[str]:
    for name in folders:
        if name.startswith("."):
            found.skipped.append((str(here / name), "hidden folders are not read"))
        elif (here / name).is_symlink():
            found.skipped.append((str(here / name), "symbolic links to folders are not followed"))
        else:
            yield name


def _is_document(path: Path, found: Gathered) -> bool:
    if path.suffix.lower() not in found.suffixes:
        return False
    if path.name.startswith("."):
        found.skipped.append((str(path), "hidden files are not read"))
        return False
    return True


def _bytes_of(file: DocumentFile, most: int) -> bytes:
    try:
        with os.fdopen(_handle(file), "rb") as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                raise InvalidArgument("document: not a regular file")
            body = opened.read(most + 1)
    except OSError as error:
        raise InvalidArgument(f"document: cannot be read ({error.strerror})") from error
    if len(body) > most:
        raise InvalidArgument(f"document: larger than {most} bytes")
    return body


def _handle(file: DocumentFile) -> int:
    """Open a file step by step from its root, so that no folder on the way can have become a link meanwhile."""
    root = file.root or file.path.parent
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    for part in file.path.relative_to(root).parts[:-1]:
        try:
            deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
        finally:
            os.close(handle)
        handle = deeper
    try:
        return os.open(file.path.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=handle)
    finally:
        os.close(handle)


def _decoded(body: bytes) -> str:
    """Return a text in UTF-8, or in UTF-16 where its first two bytes say so; any other encoding is a guess."""
    encoding = "utf-16" if body.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        line, named = body.count(b"\n", 0, error.start) + 1, encoding.removesuffix("-sig").upper()
        raise InvalidArgument(f"document: line {line} is not {named}; save it as UTF-8") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
