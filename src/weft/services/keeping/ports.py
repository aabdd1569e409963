"""What looking after a graph asks of the rooms that do I/O; an embedded graph answers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from weft.model import (
        AuditEntry,
        BackedUp,
        Calibration,
        Call,
        Embedded,
        Flaw,
        Mention,
        Node,
        Passage,
        PassageGiven,
        Progress,
        Tier,
    )
    from weft.ports import Config, Embedder, Shelf, Tokens, Words
    from weft.reason.blanking import Blank

__all__ = ["Files", "Health", "KeepingPorts", "Look", "Memory", "Mirror"]


class Look(Protocol):
    """What a look at the whole graph came to."""

    found: tuple[Flaw, ...]
    engine: str
    schema: int
    rows: int
    changes: int
    passages: int


class Health(Protocol):
    """The graph file as a whole."""

    def look(self, report: Progress | None = None) -> Look:
        """Return a look at everything; nothing is changed."""

    def copy(self, target: Path, *, replace: bool) -> BackedUp:
        """Copy the graph as it stands now to a file, verified, and in place only when whole."""

    def leftovers(self) -> tuple[str, ...]:
        """Return names of files that a process left behind which died."""

    def mend(self, findings: Iterable[Flaw], *, tier: Tier) -> None:
        """Make anew what these findings name, where it is derived."""

    def lacking(self) -> tuple[str, ...]:
        """Return ids of standing nodes without a passage."""

    def broken(self) -> tuple[int, ...]:
        """Return the rows of the passages whose vector is none of this model."""

    def wordless(self) -> tuple[int, ...]:
        """Return the rows of the passages that stand and have no vectors of their words."""

    def given(self, rows: Sequence[int]) -> tuple[PassageGiven, ...]:
        """Return these passages."""

    def spread(self, limit: int = 0) -> tuple[str, ...]:
        """Return ids of up to ``limit`` standing nodes (0: all), evenly spread over the graph."""

    def unmentioned(self, told: Sequence[Mention], *, texts_max: int, mentions_max: int) -> list[Mention]:
        """Return those of ``told`` that are not kept though their texts have room for them, by names that are rare.

        A rare name has a word that never stood in more than ``texts_max`` passages; few nodes have it, and none that
        left had, but for those that went into the target.
        """

    def mention(self, found: Sequence[Mention], *, tier: Tier) -> None:
        """Keep these mentions."""

    def vectors(self, row: int, *, limit: int) -> dict[int, npt.NDArray[np.float32]]:
        """Return the vectors of up to ``limit`` passages after ``row``, by row, each of shape (dimension,)."""

    def count(self) -> int:
        """Return how many passages there are, those that ended too."""

    def rows_of(self, node: str) -> tuple[int, ...]:
        """Return the rows of all passages of a node, of those that ended too."""

    def sample(self, limit: int) -> dict[int, npt.NDArray[np.float32]]:
        """Return the first vectors of up to ``limit`` standing nodes, spread over the graph, by the passages' rows."""

    def enter(self, node: Node, passages: Sequence[Passage], *, tier: Tier) -> None:
        """Give a standing node these passages."""

    def revector(self, embedded: Mapping[int, Embedded], *, tier: Tier) -> None:
        """Replace the vectors of these passages, by row, and those of their words."""


class Taken(Protocol):
    """What was blanked: rows by table, other nodes among them, and whether the file's old pages are gone too."""

    @property
    def counts(self) -> MutableMapping[str, int]:
        """Rows by table."""

    @property
    def others(self) -> Collection[str]:
        """Ids of other nodes that were blanked in part."""

    @property
    def finished(self) -> bool:
        """Whether no old page is left."""


class Eraser(Protocol):
    """Takes texts out of the graph's file."""

    def known(self, blank: Blank) -> Blank:
        """Return ``blank`` with the relations that ever touched its node, and the places in sources it rests on."""

    def erase(self, blank: Blank, nothing: bytes) -> Taken:
        """Take out what ``blank`` names; ``nothing`` is the packed vector of what says nothing."""


class Files(Protocol):
    """The index files."""

    def faults(self) -> dict[str, str]:
        """Return what is wrong with them, by ``unusable``, ``behind`` or ``leftover``."""

    def rebuild(self, *, wait_s: float = 600.0) -> bool:
        """Make them anew, and return whether they are in place."""

    def discard(self, *, wait_s: float = 600.0) -> None:
        """Remove them."""


class Memory(Protocol):
    """The file of the memory of use."""

    def damage(self) -> str:
        """Return what is wrong with it; empty: nothing."""

    def renew(self) -> None:
        """Begin it anew."""

    def erase(self, texts: Sequence[str], *, node: str, people: Sequence[str] = ()) -> None:
        """Let go of a node, of what callers looked for, and of what was recorded with one of ``texts`` in it.

        Who called, and through what, is let go where it holds one of ``people``.
        """

    def fold(self) -> bool:
        """Write the file anew without what was let go, and return whether nothing of it is left."""

    def audit(self, entry: AuditEntry) -> None:
        """Keep a call of an audited verb."""


class Mirror(Protocol):
    """The graph as files that people read and edit, where it is kept so."""

    def held(self) -> AbstractContextManager[None]:
        """Return what keeps others from reading the files into the graph, for the length of a block."""

    def erase(self, blank: Blank, call: Call) -> tuple[int, tuple[str, ...]]:
        """Take out what ``blank`` names, and return how many files were concerned, and which may still hold it."""

    def faults(self, call: Call) -> tuple[Flaw, ...]:
        """Return what does not agree between the files and the graph; nothing is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepingPorts:
    """The ports that the verbs of looking after a graph stand on.

    ``model_damaged`` names the files of the bundled model that are not as shipped. ``fit`` fits a map from cosine to
    similarity on vectors of shape (nodes, dimension); ``remote`` is on where the model is not the bundled one.
    """

    where: str
    health: Health
    shelf: Shelf
    words: Words
    eraser: Eraser
    files: Files
    memory: Memory
    mirror: Mirror
    embedder: Embedder
    model_damaged: Callable[[], tuple[str, ...]]
    config: Config
    tokens: Tokens
    fit: Callable[[npt.NDArray[np.float32]], Calibration]
    remote: bool
