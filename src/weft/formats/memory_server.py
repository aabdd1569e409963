"""The file of the Model Context Protocol's own memory server: one entity or relation a line, as JSON.

An entity's key is its name. Relations name entities; one whose end is no entity of the file is left to the reader of
these values, who may find it elsewhere. The server writes no newline after the last line. What its tool ``read_graph``
answers, one object of entities and relations, is read too.
"""

from __future__ import annotations

import re
from typing import Final

from weft.formats.foreign import Parsed, Problem, Record, Tie, texts, word
from weft.formats.located_json import Located, read, read_lines

__all__ = ["parse"]

_GRAPH: Final = re.compile(r'\ufeff?\s*\{\s*"(?:entities|relations)"\s*:')


def parse(text: str) -> Parsed:
    """Return the entities and relations of the file's text. Never raises; unreadable lines are told."""
    lines, problems = _lines(text)
    records: list[Record] = []
    ties: list[Tie] = []
    for line in lines:
        if line.get("type") == "entity" and word(line, "name"):
            records.append(_entity(line))
        elif line.get("type") == "relation" and all(word(line, name) for name in ("from", "to", "relationType")):
            ties.append(_relation(line))
        else:
            problems.append(
                Problem(line=line.line, message="neither an entity with a name nor a relation with its ends")
            )
    return Parsed(records=tuple(records), ties=tuple(ties), problems=tuple(problems))


def _lines(text: str) -> tuple[list[Located], list[Problem]]:
    whole, problem = read(text) if _GRAPH.match(text) else (None, None)
    if problem or not isinstance(whole, Located):
        return read_lines(text)
    found: list[Located] = []
    for name, kind in (("entities", "entity"), ("relations", "relation")):
        held = whole.get(name)
        for each in held if isinstance(held, list) else ():
            if isinstance(each, Located):
                each["type"] = kind
                found.append(each)
    return found, []


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
