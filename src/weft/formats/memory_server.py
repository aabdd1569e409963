"""The file of the Model Context Protocol's own memory server: one entity or relation a line, as JSON.

An entity's key is its name. Relations name entities; one whose end is no entity of the file is left to the reader of
these values, who may find it elsewhere. The server writes no newline after the last line. What its tool ``read_graph``
answers, one object of entities and relations, is read too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from weft.formats.foreign import Parsed, Problem, Record, Tie, gathered, texts, word
from weft.formats.located_json import Located, read, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["parse"]

_GRAPH: Final = re.compile(r'\ufeff?\s*\{\s*"(?:entities|relations)"\s*:')


def parse(text: str) -> Parsed:
    """Return the entities and relations of the file's text. Never raises; unreadable lines are told."""
    return gathered(map(_read, _lines(text)))


def _read(line: Located | Problem) -> Record | Tie | Problem:
    if isinstance(line, Problem):
        return line
    if line.get("type") == "entity" and word(line, "name"):
        return _entity(line)
    if line.get("type") == "relation" and all(word(line, name) for name in ("from", "to", "relationType")):
        return _relation(line)
    return Problem(line=line.line, message="neither an entity with a name nor a relation with its ends")


def _lines(text: str) -> Iterator[Located | Problem]:
    whole, problem = read(text) if _GRAPH.match(text) else (None, None)
    if problem or not isinstance(whole, Located):
        yield from read_lines(text)
        return
    for name, kind in (("entities", "entity"), ("relations", "relation")):
        held = whole.get(name)
        for each in held if isinstance(held, list) else ():
            if isinstance(each, Located):
                each["type"] = kind
                yield each


def _entity(line: Located) -> Record:
    name = word(line, "name")
    observations = texts(line.get("observations"), separator="\n")
    return Record(
        key=name,
        title=name,
        content="\n".join(f"- {each}" for each in observations) or name,
        kind=word(line, "entityType"),
        line=line.line,
    )


def _relation(line: Located) -> Tie:
    return Tie(source=word(line, "from"), target=word(line, "to"), type=word(line, "relationType"), line=line.line)
