"""What looking after a graph answers: what does not agree in it, copies of it, and what was erased."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from weft.model.change import Tier
    from weft.model.knowledge import Node
    from weft.vocabulary import Row

__all__ = [
    "BackedUp",
    "Calibrated",
    "Configured",
    "Erased",
    "Examined",
    "Flaw",
    "Issued",
    "PassageGiven",
    "PassageHeld",
    "Reembedded",
    "Registered",
    "Restored",
    "Token",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageGiven:
    """A stored passage: its row, its node as it was when the passage came, and its place in that node's content."""

    row: int
    node: Node
    ordinal: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """One thing that does not agree.

    ``part`` is where it lies (engine, schema, rows, log, derived, words, passages, mentions, receipts, index, usage,
    files, model or vault), ``key`` names the check, ``what`` says what was found, ``meaning`` what follows from it and
    ``remedy`` what to do. ``derived`` is on where ``--repair`` makes it anew; ``repaired`` where it has. ``waits`` is
    on where nothing is wrong: there is something left to do, which its remedy does.
    """

    part: str
    key: str
    what: str
    meaning: str
    remedy: str
    derived: bool = False
    repaired: bool = False
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """A graph after a look at all of it. ``rows`` and ``changes`` are how much was compared."""

    path: str
    engine: str
    schema: int
    rows: int
    changes: int
    passages: int
    findings: tuple[Flaw, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong now; what waits is not."""
        return all(finding.repaired or finding.waits for finding in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp:
    """A copy of the graph: every change up to position ``changes`` is in it."""

    path: str
    size_bytes: int
    changes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured:
    """One key of a graph's configuration; ``set`` is off where the value is the one that holds by itself."""

    key: str
    value: str
    meaning: str
    set: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """A kind or a relation type that a graph knows; ``own`` where the graph registered it itself.

    ``uses`` counts the standing nodes of the kind, or relations of the type. ``proposals`` counts the open suggestions
    that propose it, where it is removed: they can only be dismissed from then on.
    """

    row: Row
    own: bool
    uses: int
    proposals: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """A map from cosine to similarity that was fitted on ``nodes`` nodes of a graph, and is kept with it."""

    model: str
    nodes: int
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageHeld:
    """A passage at ``row``, which stands or stood at ``start`` to ``end`` of what ``node`` said when it came.

    None: the log does not tell what that was.
    """

    row: int
    node: Node | None
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reembedded:
    """A graph moved from the embedding model ``before`` to ``model``, or what that would take; each with its dimension.

    ``passages`` counts all that there are, those that stand no longer too; ``embedded`` those that were embedded by
    this run, and ``resumed`` is on where an earlier one had been broken off. ``moved`` is off where nothing was to be
    done, or only the plan was asked for: then ``lacking`` passages are left, and take about ``estimate_s`` seconds.
    ``calibrate`` is on where the model's similarity still has to be fitted in the graph.
    """

    before: str
    before_dimension: int
    model: str
    dimension: int
    passages: int
    embedded: int = 0
    lacking: int = 0
    resumed: bool = False
    moved: bool = False
    estimate_s: float | None = None
    calibrate: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A graph put in the place of another; ``replaced`` is where that one lies now (empty: there was none)."""

    path: str
    replaced: str
    changes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """A node of which no text is left.

    ``blanked`` counts the rows that were blanked, by table; ``others`` are ids of further nodes that held the same
    text. ``finished`` is off where somebody was reading, so that the engine's log still holds old pages. ``left`` are
    files of the vault that may still hold it, with the reason where there is one.
    """

    id: str
    batch: str
    blanked: dict[str, int]
    others: tuple[str, ...]
    finished: bool
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A credential for calls over HTTP, as the graph keeps it: ``id`` is public, and the rest is there as a hash only.

    ``hash`` is the SHA-256 of the whole credential, in hexadecimal. ``actor`` and ``tier`` are whose calls those with
    it are, and how far they reach.
    """

    id: str
    hash: str = field(repr=False)
    actor: str
    tier: Tier
    created_at: datetime
    created_by: str
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Issued:
    """A new token, and the credential itself, which is told this once."""

    token: Token
    credential: str = field(repr=False)
