"""The files of the bundled model: where they lie, what they should be, and the calibration among them.

``manifest.json`` lists every other file with its size and SHA-256. Sizes are checked whenever a file is read; hashes by
:func:`damaged`, since hashing 23 MB at each start would cost more than it finds.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, TypedDict, cast

from weft.errors import Unavailable
from weft.model import Calibration

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable
    from pathlib import Path

__all__ = ["Fact", "calibration", "damaged", "folder", "located", "read", "seal", "vocabulary"]

MANIFEST = "manifest.json"
HINT = "Install Weft again, or set an embedding endpoint of your own."


class Fact(TypedDict):
    """What the manifest says of a file."""

    bytes: int
    sha256: str


def folder() -> Traversable:
    """Return the folder of the bundled model inside the installed package."""
    return files("weft.embed").joinpath("data", "minilm")


@contextmanager
def located(name: str, *, place: Traversable | None = None) -> Iterator[Path]:
    """Lend the path of a file of the bundled model; ``place`` stands in for the installed folder.

    Raises:
        Unavailable: the file is missing, unlisted or not of the size that the manifest says.
    """
    place = place or folder()
    expected = _manifest(place).get(name)
    with as_file(place.joinpath(name)) as path:
        if expected is None or not path.is_file() or path.stat().st_size != expected["bytes"]:
            raise Unavailable(f"The bundled model's file {name!r} is not the one that was shipped.", hint=HINT)
        yield path


def read(name: str, *, place: Traversable | None = None) -> str:
    """Return a text file of the bundled model; arguments and errors as for :func:`located`."""
    with located(name, place=place) as path:
        return path.read_text("utf-8")


def damaged(place: Traversable | None = None) -> tuple[str, ...]:
    """Return the names of listed files that are missing or differ from their SHA-256; empty when all is well.

    Raises:
        Unavailable: the manifest itself is missing or unreadable.
    """
    place = place or folder()
    return tuple(name for name, fact in sorted(_manifest(place).items()) if _fact(place, name) != fact)


def seal(place: Path) -> dict[str, Fact]:
    """Write the manifest of a folder anew from the files that lie there, and return it. For the build scripts."""
    found = {path.name: _described(path.read_bytes()) for path in sorted(place.iterdir()) if path.name != MANIFEST}
    (place / MANIFEST).write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    return found


def calibration() -> Calibration:
    """Return the map that was fitted for the bundled model (``calibration.json`` says on what).

    Raises:
        Unavailable: the file is missing or damaged.
    """
    points = json.loads(read("calibration.json"))["points"]
    return Calibration(points=tuple((float(cosine), float(similarity)) for cosine, similarity in points))


@cache
def vocabulary() -> frozenset[str]:
    """Return the pieces that the tokenizer knows, most English words in use among them whole; read once a process.

    Raises:
        Unavailable: the file is missing or damaged.
    """
    pieces: dict[str, int] = json.loads(read("tokenizer.json"))["model"]["vocab"]
    return frozenset(pieces)


def _manifest(place: Traversable) -> dict[str, Fact]:
    try:
        return cast("dict[str, Fact]", json.loads(_content(place, MANIFEST)))
    except ValueError as error:
        raise Unavailable("The bundled model's manifest is damaged.", hint=HINT) from error


def _content(place: Traversable, name: str) -> bytes:
    try:
        return place.joinpath(name).read_bytes()
    except OSError as error:
        raise Unavailable(f"The bundled model's file {name!r} cannot be read: {error}.", hint=HINT) from error


def _fact(place: Traversable, name: str) -> Fact | None:
    try:
        return _described(_content(place, name))
    except Unavailable:
        return None


def _described(content: bytes) -> Fact:
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
