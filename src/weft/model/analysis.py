"""What an analysis of arguments is asked for, and what it finds: every finding with its nodes and its steps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.model.answer import Match
    from weft.model.knowledge import Node

__all__ = ["AnalysisKind", "AnalyzeRequest", "Analyzed", "ArgumentStep", "Finding", "Place", "Proposal"]


class AnalysisKind(StrEnum):
    """What is looked for.

    Relations that follow from others; what is missing; where a conflict starts; what two topics share; how the sides
    of a question stand.
    """

    IMPLIED = "implied"
    GAPS = "gaps"
    ROOT_CONFLICT = "root_conflict"
    HUBS = "hubs"
    PERSPECTIVES = "perspectives"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyzeRequest:
    """A question about arguments. ``subject`` and ``other`` are references or free text; ``limit`` bounds findings."""

    kind: str
    subject: str
    other: str = ""
    limit: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A node of a finding and the part it plays there (``role``: start, premise, hub …)."""

    node: Node
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentStep:
    """One step of a finding: ``source —type→ target``, as the relation points.

    ``recorded`` is true for a relation of the graph, whose ``reasoning`` it then carries; a step that only the judge
    reads out of the wording carries the judge's grounds.
    """

    source: str
    target: str
    type: str
    reasoning: str
    recorded: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The relation that would record a finding; ``choices`` are the types among which the caller has to judge."""

    source: str
    target: str
    type: str
    reasoning: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something derived from the graph: ``kind`` names it, ``why`` says what it follows from.

    ``strength`` (0..1) ranks findings of one kind: the product of the confidences walked over, or a similarity.
    """

    kind: str
    places: tuple[Place, ...]
    steps: tuple[ArgumentStep, ...]
    why: str
    strength: float
    proposal: Proposal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Analyzed:
    """What was found, best first: ``total`` counts all findings, ``looked_at`` the nodes that were read.

    ``bounded`` is true where a bound ended the walk: there may be more. The matches say what ``subject`` and ``other``
    were taken for.
    """

    kind: str
    subject_matches: tuple[Match, ...]
    other_matches: tuple[Match, ...]
    findings: tuple[Finding, ...]
    total: int
    looked_at: int
    bounded: bool = False
