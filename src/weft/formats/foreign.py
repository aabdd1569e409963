"""What every codec of another system's files reads them into: records, relations between them, and what was unread.

Keys are the other system's own ids; a relation names its ends by key or by title, as its system does. Nothing is
cleaned or looked up yet: kinds, types and numbers stand as they were written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from weft.formats.dates import time_of
from weft.identity import is_id
from weft.model import Status

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

__all__ = [
    "Parsed", "Problem", "Quote", "Record", "Tie",
    "joined", "number", "own_id", "status_of", "texts", "time_of", "word",
]  # fmt: skip

_STATUSES: Final = {
    "active": Status.ACTIVE,
    "needs_review": Status.NEEDS_REVIEW,
    "draft": Status.NEEDS_REVIEW,
    "superseded": Status.SUPERSEDED,
    "deprecated": Status.SUPERSEDED,
    "obsolete": Status.SUPERSEDED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that could not be read: its line, from 1 (0: all of it), and what is the matter."""

    line: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A sentence that a thing rests on, and the name of the document that it stands in."""

    document: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One thing that becomes a node. ``key`` stays the same when the thing changes; ``line`` is where it begins.

    ``names`` are further ids that relations may name it by. Confidence and importance are None where nothing was said.
    What a graph of ours wrote has its ``id``, and says its ``ontology``, its ``origin`` and who wrote it last (``by``).
    """

    key: str
    title: str
    content: str
    kind: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    citation: str = ""
    confidence: float | None = None
    importance: float | None = None
    status: str = ""
    session: str = ""
    created_at: datetime | None = None
    modified_at: datetime | None = None
    line: int = 1
    id: str = ""
    ontology: str = ""
    origin: str = ""
    by: str = ""
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """One relation as the other system says it: ``source`` and ``target`` are keys, names or titles.

    What a graph of ours wrote has its ``id`` and says its ``origin``.
    """

    source: str
    target: str
    type: str
    reasoning: str = ""
    confidence: float | None = None
    created_at: datetime | None = None
    line: int = 0
    id: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a text held. ``unused`` names what stood beside it and found no place, once a record that has it."""

    records: tuple[Record, ...] = ()
    ties: tuple[Tie, ...] = ()
    problems: tuple[Problem, ...] = ()
    unused: tuple[str, ...] = ()


def joined(parts: tuple[Parsed, ...]) -> Parsed:
    """Return several as one."""
    return Parsed(
        records=tuple(each for part in parts for each in part.records),
        ties=tuple(each for part in parts for each in part.ties),
        problems=tuple(each for part in parts for each in part.problems),
        unused=tuple(each for part in parts for each in part.unused),
    )


def word(data: Mapping[str, Any], *names: str) -> str:
    """Return the first of these entries that is a text that says something, or a number; empty: there is none."""
    for name in names:
        value = data.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return ""


def own_id(said: str) -> str:
    """Return the id of a node or a relation that a graph of ours gave; empty: it is none."""
    return said if is_id(said) else ""


def texts(value: object, *, separator: str = ",") -> tuple[str, ...]:
    """Return a list as texts; a text is cut at ``separator``. What is neither is left out."""
    if isinstance(value, str):
        value = value.split(separator)
    if not isinstance(value, list | tuple):
        return ()
    return tuple(each.strip() for each in value if isinstance(each, str) and each.strip())


def number(value: object) -> float | None:
    """Return a share of 0..1 from a number or its text (``1``, ``1.0``); None: there is none, or it is out of range."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        share = float(value)
    except (ValueError, OverflowError):
        return None
    return share if 0.0 <= share <= 1.0 else None


def status_of(value: str) -> Status | None:
    """Return the status that a word of another system stands for; None: it is one that a graph does not have."""
    return _STATUSES.get(value.strip().lower().replace(" ", "_"))
