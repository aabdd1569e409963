"""What the notes of Autology and of cognitive-memory share: a record with its relations in YAML front matter.

Each relation names the id of its other end, its type, and maybe a direction (``incoming``: the other end is the
source), a strength or confidence, and a description or context. Every value of the front matter is a string here, so a
confidence of ``1`` and one of ``1.0`` are the same.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from weft.formats import front_matter
from weft.formats.foreign import Parsed, Problem, Record, Tie, misread_shares, number, texts, time_of, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.formats.front_matter import FrontMatter

__all__ = ["note", "tie_of"]


def note(text: str, *, name: str) -> Parsed:
    """Return the note of this text and its relations; ``name`` is its path. Never raises.

    Without front matter there is no note, and that is told.
    """
    matter = front_matter.read(text)
    problems = [Problem(line=each.line, message=each.message) for each in matter.problems]
    if not matter.front:
        if not problems:
            what = "front matter of names and values between two lines of ---" if text.strip() else "anything"
            problems.append(Problem(line=1, message=f"not a note: it does not hold {what}"))
        return Parsed(problems=tuple(problems))
    record = _record(matter, text[matter.body_start :].strip(), name)
    ties: list[Tie] = []
    lines = _relation_lines(text[: matter.body_start])
    for at, entry in enumerate(_entries(matter.front)):
        line = lines[at] if at < len(lines) else 1
        tie = tie_of(entry, record.key, line=line)
        if tie is None:
            problems.append(Problem(line=line, message=f"relation {at + 1} has no target or no type"))
        else:
            ties.append(tie)
            problems += misread_shares(entry, "strength" if "strength" in entry else "confidence", line=line)
    problems += _misread(matter)
    return Parsed(records=(record,), ties=tuple(ties), problems=tuple(problems))


def tie_of(entry: object, key: str, *, line: int) -> Tie | None:
    """Return the relation that an entry of a note's list tells, or None where an end or the type is missing."""
    if not isinstance(entry, dict):
        return None
    target, kind = word(entry, "target", "target_id", "to"), word(entry, "type", "rel_type")
    if not target or not kind:
        return None
    incoming = word(entry, "direction").lower() == "incoming"
    return Tie(
        source=target if incoming else key,
        target=key if incoming else target,
        type=kind,
        reasoning=word(entry, "description", "context", "reasoning"),
        confidence=number(entry.get("strength", entry.get("confidence"))),
        created_at=time_of(word(entry, "created", "created_at")),
        line=line,
    )


def _relation_lines(text: str) -> list[int]:
    """Return the line of each entry of the front matter's list of relations, as near as its dashes tell."""
    begun = False
    found: list[int] = []
    for line, each in enumerate(text.splitlines(), start=1):
        if each.startswith("relations:"):
            begun = True
        elif begun and each.lstrip().startswith("- "):
            found.append(line)
    return found


def _record(matter: FrontMatter, body: str, name: str) -> Record:
    front = matter.front
    stem = PurePosixPath(name).stem
    title = word(front, "title") or stem
    return Record(
        key=word(front, "id") or stem,
        title=title,
        content=body or title,
        kind=word(front, "type"),
        tags=texts(front.get("tags")),
        aliases=texts(front.get("aliases")),
        names=(stem,) if word(front, "id") and word(front, "id") != stem else (),
        references=texts(front.get("references")),
        citation=word(front, "source_doi", "citation"),
        confidence=number(front.get("confidence")),
        importance=number(front.get("importance")),
        status=word(front, "status"),
        session=word(front, "session"),
        created_at=time_of(word(front, "created", "created_at")),
        modified_at=time_of(word(front, "modified", "updated", "updated_at")),
    )


def _entries(front: dict[str, Any]) -> list[Any]:
    relations = front.get("relations")
    return relations if isinstance(relations, list) else []


def _misread(matter: FrontMatter) -> Iterator[Problem]:
    yield from misread_shares(matter.front, "confidence", "importance", line=1)
    for name in ("created", "updated", "modified"):
        given = word(matter.front, name)
        if given and time_of(given) is None:
            yield Problem(line=1, message=f"{name}: {given[:40]!r} is no time; that of the import is taken")
