"""What every codec of another system's files reads them into: records, relations between them, and what was unread.

Keys are the other system's own ids; a relation names its ends by key or by title, as its system does. Nothing is
cleaned or looked up yet: kinds, types and numbers stand as they were written.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from weft.identity import is_id

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Parsed", "Problem", "Quote", "Record", "Tie", "joined", "number", "own_id", "texts", "time_of", "word"]


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
    """What a text held."""

    records: tuple[Record, ...] = ()
    ties: tuple[Tie, ...] = ()
    problems: tuple[Problem, ...] = ()


def joined(parts: tuple[Parsed, ...]) -> Parsed:
    """Return several as one."""
    return Parsed(
        records=tuple(each for part in parts for each in part.records),
        ties=tuple(each for part in parts for each in part.ties),
        problems=tuple(each for part in parts for each in part.problems),
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


def time_of(value: object) -> datetime | None:
    """Return a time from ISO 8601 text, in UTC; without a zone it is taken for UTC. None: it is no time."""
    if isinstance(value, datetime):
        return _in_utc(value)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if not isinstance(value, str):
        return None
    try:
        return _in_utc(datetime.fromisoformat(unicodedata.normalize("NFKC", value.strip())))
    except (ValueError, OverflowError):
        return None


def _in_utc(at: datetime) -> datetime | None:
    try:
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
