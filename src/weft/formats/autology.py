"""An Autology folder: notes with front matter, and an index of relations as JSON beside them.

Since its release 0.5 notes are plain Markdown that name each other in double brackets; both kinds are read. The index
repeats relations of the notes and holds those that were made after the notes were written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from weft.formats import front_matter
from weft.formats.foreign import Parsed, Problem, Tie, gathered, misread, number, word
from weft.formats.located_json import Located, read
from weft.formats.typed_notes import note
from weft.formats.wiki import bare, references, without_code

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["parse", "parse_index"]

_REASON_MAX = 300


def parse(text: str, *, name: str) -> Parsed:
    """Return the note of this text; ``name`` is its path below the folder. Never raises."""
    found = note(text, name=name)
    named = (*found.ties, *_named(text, found.records[0].key)) if found.records else ()
    return replace(found, ties=named)


def parse_index(text: str) -> Parsed:
    """Return the relations of the folder's index (``graph/index.json`` or ``graph.json``). Never raises."""
    document, problem = read(text)
    if problem is not None:
        return Parsed(problems=(problem,))
    relations = document.get("relations") if isinstance(document, Located) else document
    if not isinstance(relations, list):
        return Parsed(problems=(Problem(line=1, message="the index holds no list of relations"),))
    found = gathered(_indexed(each, at) for at, each in enumerate(relations, start=1))
    lost = (name for each in relations if isinstance(each, Located) for name in misread(each, "confidence"))
    return replace(found, unused=tuple(lost))


def _indexed(entry: object, at: int) -> Tie | Problem:
    if not isinstance(entry, Located):
        return Problem(line=0, message=f"relation {at} of the index lacks an end or a type")
    if not all(word(entry, end) for end in ("source", "target", "type")):
        return Problem(line=entry.line, message=f"relation {at} of the index lacks an end or a type")
    return Tie(
        source=word(entry, "source"),
        target=word(entry, "target"),
        type=word(entry, "type"),
        reasoning=word(entry, "description"),
        confidence=number(entry.get("confidence")),
        line=entry.line,
    )


def _named(text: str, key: str) -> Iterator[Tie]:
    start = front_matter.read(text).body_start
    first_line = text.count("\n", 0, start) + 1
    for found in references(without_code(text[start:]), first_line=first_line):
        reason = found.text[:_REASON_MAX]
        yield Tie(source=key, target=bare(found.name), type=found.field, reasoning=reason, line=found.line)
