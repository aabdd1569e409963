"""Graphs that things are brought into and out of, with an embedder that costs nothing."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine import memory_at, opened_at
from weft.model import Call, ExportRequest, Filter, ImportRequest, Page, Tier
from weft.ports import WholeTexts
from weft.services.transfer import Transfer, TransferPorts
from weft.testing.making import DIMENSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from weft.model import Imported, Node, Relation
    from weft.store import Opened

START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


class Letters(WholeTexts):
    """An embedder that counts letters; it has no calibration, for nothing here compares."""

    name = "letters"
    dimension = DIMENSION

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one row a text."""
        rows = np.ones((len(texts), DIMENSION), np.float32)
        for at, text in enumerate(texts):
            for letter in text[:200]:
                rows[at, ord(letter) % DIMENSION] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True).astype(np.float32)


@dataclass(frozen=True, kw_only=True)
class Port:
    """An open graph with its transfer, and a clock that ticks one second a call."""

    opened: Opened
    transfer: Transfer
    ports: TransferPorts
    ticks: Iterator[int] = field(default_factory=count)

    def call(self, *, tier: Tier = Tier.CURATOR, tool: str = "import") -> Call:
        """Return a call, one second after the one before."""
        at = START + timedelta(seconds=next(self.ticks))
        return Call(actor="ada", client="test", tool=tool, tier=tier, at=at)

    def bring(self, path: Path, format: str, **fields: object) -> Imported:  # noqa: A002 - the request's word
        """Import ``path``."""
        return self.transfer.import_(ImportRequest(path=path, format=format, **fields), self.call())

    def text(self, format: str = "jsonl", **fields: object) -> str:  # noqa: A002
        """Return a copy of the graph as one text."""
        request = ExportRequest(path=Path("-"), format=format, **fields)
        return "".join(self.transfer.stream(request, self.call(tool="export")))

    def node(self, reference: str) -> Node:
        """Return the one node that answers to ``reference``."""
        (node,) = self.opened.store.resolve(reference, limit=2)
        return node

    def standing(self) -> dict[str, Node]:
        """Return every node that stands, by title."""
        return {node.title: node for node in self.opened.store.find(Filter(), Page(limit=1000)).nodes}

    def joined(self) -> set[tuple[str, str, str]]:
        """Return every relation as (source's title, type, target's title)."""
        nodes = {node.id: node.title for node in self.standing().values()}
        return {(nodes[each.source], each.type, nodes[each.target]) for each in self.relations()}

    def relations(self) -> tuple[Relation, ...]:
        """Return every relation."""
        return self.opened.store.relations([node.id for node in self.standing().values()])


@contextmanager
def port(path: Path, *, tier: Tier = Tier.CURATOR) -> Iterator[Port]:
    """Open the graph in the file ``path``; it is not synced, for nothing here loses power."""
    embedder = Letters()
    opened = opened_at(path, embedder, tier=tier, synchronous="OFF")
    usage = memory_at(path, embedder, tier=tier)
    ports = TransferPorts(
        store=opened.store,
        log=opened.log,
        archive=opened.archive,
        shelf=opened.shelf,
        words=opened.words,
        usage=usage,
        config=opened.config,
        embedder=embedder,
        home=path.stem,
    )
    try:
        yield Port(opened=opened, transfer=Transfer(ports), ports=ports)
    finally:
        usage.close()
        opened.close()


def lay(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write these files below ``folder``, byte for byte, and return it."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder
