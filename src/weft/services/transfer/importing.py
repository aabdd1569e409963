"""Importing: what other systems and other graphs wrote is taken in, each thing once, and what could not be is told."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument, NotFound
from weft.services.drafting import file_path, line
from weft.services.transfer.absent import absent
from weft.services.transfer.aside import Aside
from weft.services.transfer.grounding import ground
from weft.services.transfer.landing import Landing
from weft.services.transfer.reading import READERS, Reading
from weft.services.transfer.restoring import Restoring
from weft.services.transfer.tally import Tally
from weft.services.transfer.tying import Tying
from weft.text import normalized
from weft.vocabulary import NAME_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from weft.model import Call, Imported, ImportRequest
    from weft.services.transfer.aside import Incoming
    from weft.services.transfer.ports import TransferPorts
    from weft.services.transfer.reading import Reader

__all__ = ["FORMATS", "take_in"]

LOSSLESS: Final = "jsonl"
FORMATS: Final = (LOSSLESS, *READERS)
"""The forms that can be imported."""

_LINE_MAX: Final = 32_000_000  # characters of one line of a lossless file


def take_in(ports: TransferPorts, request: ImportRequest, call: Call) -> Imported:
    """Take in what lies at ``request.path``; see :meth:`weft.services.transfer.Transfer.import_`."""
    if request.format not in FORMATS:
        raise InvalidArgument(
            f"format: {request.format[:60]!r} cannot be imported. Allowed: {', '.join(FORMATS)}.",
            hint="Name the format with --from.",
        )
    if not file_path(request.path, field="path").exists():
        raise NotFound(
            f"path: there is nothing at {request.path}",
            hint="Check the spelling, or give the path from its root on.",
        )
    if request.format == LOSSLESS:
        return _restore(ports, request, call)
    return _land(ports, request, call)


def _restore(ports: TransferPorts, request: ImportRequest, call: Call) -> Imported:
    if not request.path.is_file():
        raise InvalidArgument(f"path: {request.path} is no file; a lossless export is one file.")
    if request.ontology:
        raise InvalidArgument("ontology: a lossless file says itself what belongs where.")
    restoring = Restoring(ports, call, path=request.path.name, dry_run=request.dry_run)
    return restoring.restore(_lines(request.path))


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file; bytes that are no UTF-8 leave a sign that no JSON has, so that the line is refused."""
    with path.open("r", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        while text := file.readline(_LINE_MAX):
            if len(text) == _LINE_MAX and not text.endswith("\n"):
                while rest := file.readline(_LINE_MAX):
                    if rest.endswith("\n"):
                        break
                text = "a line longer than 32,000,000 characters"
            yield text


def _land(ports: TransferPorts, request: ImportRequest, call: Call) -> Imported:
    reader = READERS[request.format]
    if reader.what == "file" and not request.path.is_file():
        raise InvalidArgument(f"path: {request.path} is no file; --from {request.format} takes one.")
    if reader.what == "folder" and not request.path.is_dir():
        raise InvalidArgument(f"path: {request.path} is no folder; --from {request.format} takes one.")
    tally = Tally(format=request.format, dry_run=request.dry_run)
    ontology = line(request.ontology, field="ontology", limit=NAME_MAX) or _named(request.path.resolve(), ports.home)
    with Aside() as aside:
        reading = Reading(aside=aside)
        reader.read(request.path.resolve(), reading)
        reading.finish(request.path.resolve().name)
        tally.refuse_all(reading.unread)
        landing = Landing(ports, call, tally=tally, ontology=ontology, kind=reader.kind)
        incoming = _placed(reading.incoming, request.ontology)
        landing.land(incoming, aside)
    tally.miss(sorted(_absent(ports, request, reader, landing)))
    ground(ports, call, tally=tally, nodes=landing.nodes, incoming=incoming)
    tying = Tying(ports, call, tally=tally, nodes=landing.nodes, incoming=incoming)
    tying.tie(reading.told)
    if reader.suffixes:
        tying.untie()
    return tally.answer()


def _absent(ports: TransferPorts, request: ImportRequest, reader: Reader, landing: Landing) -> Iterator[str]:
    """Yield the handles of what came in before from files of this folder that are not there now."""
    if reader.suffixes:
        yield from absent(
            ports.store,
            request.path.resolve(),
            prefix=f"{request.format}:",
            ontology=landing.ontology,
            met={node.id for node in landing.nodes.values()},
            suffixes=reader.suffixes,
        )


def _placed(incoming: Sequence[Incoming], ontology: str) -> Sequence[Incoming]:
    """Return the records without ontologies of their own, where one was wished for."""
    if not ontology:
        return incoming
    return [replace(each, record=replace(each.record, ontology="")) for each in incoming]


def _named(path: Path, home: str) -> str:
    """Return the ontology of what lies at ``path``: its own name, or that of a folder above it where it is hidden."""
    own = path.stem if path.is_file() else path.name
    names = chain((own,), (parent.name for parent in path.parents))
    telling = (
        " ".join(normalized("NFC", name).split())[:NAME_MAX] for name in names if name and not name.startswith(".")
    )
    return next(islice(telling, 1), home) or home
