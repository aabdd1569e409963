"""The JSON of mem0: what ``get_all`` returns or an export holds, as one document or one memory a line.

Memories lie in a bare list or under ``results`` or ``memories``. Relations of its graph store (``relations``) join
entities by name; each entity becomes a record of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weft.formats.foreign import Parsed, Problem, Record, Tie, number, texts, time_of, word
from weft.formats.located_json import Located, read, read_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["parse"]

_LISTS: Final = ("results", "memories", "data")


def parse(text: str) -> Parsed:
    """Return the memories and graph relations of the text. Never raises; unreadable parts are told."""
    document, problem = read(text)
    if problem is None:
        return _document(document)
    lines, problems = read_lines(text)
    if not lines:
        return Parsed(problems=(problem,))
    return _gathered([*lines], [], problems)


def _document(document: Any) -> Parsed:  # noqa: ANN401 - any JSON
    if isinstance(document, list):
        return _gathered(document, [], [])
    if isinstance(document, Located):
        found = [document[name] for name in _LISTS if isinstance(document.get(name), list)]
        relations = document.get("relations")
        if found or isinstance(relations, list):
            return _gathered(found[0] if found else [], relations if isinstance(relations, list) else [], [])
        if _said(document):
            return _gathered([document], [], [])
    return Parsed(problems=(Problem(line=1, message=f"no list of memories: none of {', '.join(_LISTS)}"),))


def _gathered(memories: Sequence[object], relations: Sequence[object], problems: list[Problem]) -> Parsed:
    records: dict[str, Record] = {}
    ties: list[Tie] = []
    for at, memory in enumerate(memories):
        if isinstance(memory, Located) and _said(memory) and word(memory, "id"):
            record = _memory(memory)
            records.setdefault(record.key, record)
        else:
            line = memory.line if isinstance(memory, Located) else 0
            problems.append(Problem(line=line, message=f"memory {at + 1} has no id or no text"))
    for at, relation in enumerate(relations):
        tie = _relation(relation) if isinstance(relation, Located) else None
        if tie is None:
            line = relation.line if isinstance(relation, Located) else 0
            problems.append(Problem(line=line, message=f"relation {at + 1} has no source, target or type"))
            continue
        ties.append(tie)
        for key in (tie.source, tie.target):
            name = key.removeprefix("entity:")
            records.setdefault(key, Record(key=key, title=name, content=name, kind="concept", line=tie.line))
    return Parsed(records=tuple(records.values()), ties=tuple(ties), problems=tuple(problems))


def _said(memory: Located) -> str:
    return word(memory, "memory", "text", "content")


def _memory(memory: Located) -> Record:
    about = memory.get("metadata")
    metadata: dict[str, Any] = about if isinstance(about, dict) else {}
    return Record(
        key=word(memory, "id"),
        title=word(metadata, "title"),
        content=_said(memory),
        kind=word(metadata, "type", "kind"),
        tags=(*texts(memory.get("categories")), *texts(metadata.get("tags"))),
        confidence=number(metadata.get("confidence")),
        session=word(memory, "run_id"),
        created_at=time_of(memory.get("created_at")),
        modified_at=time_of(memory.get("updated_at")),
        line=memory.line,
    )


def _relation(relation: Located) -> Tie | None:
    source, target = word(relation, "source"), word(relation, "target", "destination")
    kind = word(relation, "relationship", "relation", "type")
    if not (source and target and kind):
        return None
    return Tie(source=f"entity:{source}", target=f"entity:{target}", type=kind, line=relation.line)
