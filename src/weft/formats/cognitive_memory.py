"""A cognitive-memory folder: one note a memory with its relations on both ends, and one note an edge under ``edges/``.

The same relation stands in both notes and in its own file; the reader of these values keeps it once. The file of an
edge says why in its text.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from weft.formats import front_matter
from weft.formats.foreign import Parsed, Problem, Tie, misread_shares, number, time_of, word
from weft.formats.typed_notes import note

__all__ = ["parse"]


def parse(text: str, *, name: str) -> Parsed:
    """Return the memory or the edge of this text; ``name`` is its path below the folder. Never raises."""
    if "edges" in PurePosixPath(name).parts[:-1]:
        return _edge(text)
    return note(text, name=name)


def _edge(text: str) -> Parsed:
    matter = front_matter.read(text)
    front = matter.front
    problems = tuple(Problem(line=each.line, message=each.message) for each in matter.problems)
    source, target, kind = word(front, "from_id"), word(front, "to_id"), word(front, "type")
    if not (source and target and kind):
        said = problems or (Problem(line=1, message="not an edge: from_id, to_id or type is missing"),)
        return Parsed(problems=said)
    tie = Tie(
        source=source,
        target=target,
        type=kind,
        reasoning=text[matter.body_start :].strip(),
        confidence=number(front.get("strength")),
        created_at=time_of(word(front, "created")),
        line=1,
    )
    return Parsed(ties=(tie,), problems=(*problems, *misread_shares(front, "strength", line=1)))
