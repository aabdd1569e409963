"""What every codec of another system's files reads them into: records, relations between them, and what was unread.

Keys are the other system's own ids; a relation names its ends by key or by title, as its system does. Nothing is
cleaned or looked up yet: kinds, types and numbers stand as they were written.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from weft.formats.dates import time_of
from weft.identity import is_id
from weft.model import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

__all__ = [
    "BROKEN_MAX", "RECORDS_MAX", "RELATIONS_MAX", "Parsed", "Problem", "Quote", "Record", "Tie",
    "gathered", "joined", "misread", "misread_shares", "number", "own_id", "status_of", "texts", "time_of",
    "word",
]  # fmt: skip

RECORDS_MAX: Final = 200_000
RELATIONS_MAX: Final = 1_000_000
"""Records and relations that one import takes in."""

BROKEN_MAX: Final = 100_000
"""Entries of one file that cannot be read, and what can is still looked for behind them."""

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


def gathered(found: Iterable[Record | Tie | Problem]) -> Parsed:
    """Return what a file held, read no further than an import takes it in.

    Of records and of relations there may be one more than one import takes, so that whoever adds files up sees that
    some are left. Two bytes may make a record, so what comes behind the bounds is not even held. That a file was not
    read to its end is the first problem.
    """
    records: list[Record] = []
    ties: list[Tie] = []
    problems: list[Problem] = []
    things = iter(found)
    for each in islice(things, RECORDS_MAX + RELATIONS_MAX):
        match each:
            case Record() if len(records) <= RECORDS_MAX:
                records.append(each)
            case Tie() if len(ties) <= RELATIONS_MAX:
                ties.append(each)
            case Problem():
                problems.append(each)
        if len(problems) > BROKEN_MAX:
            problems[:] = [_given_up(each, f"{BROKEN_MAX:,} entries before cannot be read"), *problems[:BROKEN_MAX]]
            break
    else:
        if (behind := next(things, None)) is not None:
            problems.insert(0, _given_up(behind, f"{RECORDS_MAX + RELATIONS_MAX:,} entries stand before"))
    return Parsed(records=tuple(records), ties=tuple(ties), problems=tuple(problems))


def _given_up(at: Record | Tie | Problem, why: str) -> Problem:
    return Problem(line=at.line, message=f"the file is not read from here on: {why}")


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


def misread(data: Mapping[str, Any], *names: str) -> tuple[str, ...]:
    """Return those of these entries that hold something which is no share of 0 to 1, so that it is lost."""
    return tuple(name for name in names if str(data.get(name) or "").strip() and number(data[name]) is None)


def misread_shares(entry: Mapping[str, Any], *names: str, line: int) -> Iterator[Problem]:
    """Yield what is to be told of those of these entries that are no share of 0 to 1."""
    for name in misread(entry, *names):
        said = f"{name}: {str(entry[name])[:40]!r} is no number of 0 to 1; the usual one is taken"
        yield Problem(line=line, message=said)


def status_of(value: str) -> Status | None:
    """Return the status that a word of another system stands for; None: it is one that a graph does not have."""
    return _STATUSES.get(value.strip().lower().replace(" ", "_"))
