"""The JSON of mem0: what ``get_all`` returns or an export holds, as one document or one memory a line.

Memories lie in a bare list or under ``results`` or ``memories``. Relations of its graph store (``relations``) join
entities by name; each entity becomes a record of its own. A backup of OpenMemory also holds what was deleted, which is
told and left out, and names its categories by their ids.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from weft.formats.foreign import (
    BROKEN_MAX,
    RECORDS_MAX,
    Parsed,
    Problem,
    Record,
    Tie,
    gathered,
    misread,
    number,
    texts,
    time_of,
    word,
)
from weft.formats.located_json import Located, read, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["parse"]

_LISTS: Final = ("results", "memories", "data")
_OWNERS: Final = ("user_id", "agent_id", "app_id")
_READ: Final = frozenset(("title", "type", "kind", "tags", "confidence"))


def parse(text: str) -> Parsed:
    """Return the memories and graph relations of the text. Never raises; unreadable parts are told."""
    document, problem = read(text)
    if problem is None:
        return _document(document)
    if not any(isinstance(each, Located) for each in islice(read_lines(text), BROKEN_MAX)):
        return Parsed(problems=(problem,))
    return _gathered(read_lines(text))


def _document(document: Any) -> Parsed:  # noqa: ANN401 - any JSON
    if isinstance(document, list):
        return _gathered(document)
    if isinstance(document, Located):
        found = [document[name] for name in _LISTS if isinstance(document.get(name), list)]
        relations = document.get("relations")
        if found or isinstance(relations, list):
            memories, names = found[0] if found else [], _names(document)
            categorised = (_categorised(each, names) for each in memories)
            return _gathered(
                chain(_pages(document, memories), categorised), relations if isinstance(relations, list) else ()
            )
        if _said(document):
            return _gathered([document])
    return Parsed(problems=(Problem(line=1, message=f"no list of memories: none of {', '.join(_LISTS)}"),))


def _pages(document: Located, memories: Sequence[object]) -> list[Problem]:
    """Return what is the matter with a page of several."""
    if not word(document, "next"):
        return []
    of = f" of {word(document, 'count')}" if word(document, "count") else ""
    return [
        Problem(line=document.line, message=f"one page of several: {len(memories)}{of} memories; export the others")
    ]


def _names(document: Located) -> dict[str, str]:
    """Return the names of categories by their ids."""
    held = document.get("categories")
    entries = [each for each in held if isinstance(each, Located)] if isinstance(held, list) else []
    return {word(each, "id"): word(each, "name") for each in entries}


def _categorised(memory: object, names: dict[str, str]) -> object:
    """Return ``memory`` with the names of its categories, where it has only their ids."""
    if isinstance(memory, Located) and not memory.get("categories"):
        memory["categories"] = [names[each] for each in texts(memory.get("category_ids")) if names.get(each)]
    return memory


def _gathered(memories: Iterable[object], relations: Iterable[object] = ()) -> Parsed:
    kept: list[Located] = []
    known: set[str] = set()
    found = gathered(chain(_memories(memories, kept, known), _related(relations, known)))
    return replace(found, unused=tuple(_unused(kept)))


def _memories(memories: Iterable[object], kept: list[Located], known: set[str]) -> Iterator[Record | Problem]:
    """Yield each memory once; those that may be taken in are put to ``kept``, their ids to ``known``."""
    at = 0
    for memory in memories:
        if isinstance(memory, Problem):
            yield memory
            continue
        at += 1
        if not (isinstance(memory, Located) and _said(memory) and word(memory, "id")):
            line = memory.line if isinstance(memory, Located) else 0
            yield Problem(line=line, message=f"memory {at} has no id or no text")
        elif _is_deleted(memory):
            yield Problem(line=memory.line, message=f"memory {at} was deleted there, so it is left out")
        else:
            kept += [memory] if len(kept) < RECORDS_MAX else []
            if word(memory, "id") not in known:
                known.add(word(memory, "id"))
                yield _memory(memory)


def _unused(memories: Sequence[Located]) -> Iterator[str]:
    """Yield what of the memories found no place: what their metadata say besides, and whose they are if of several."""
    for name in _OWNERS:
        given = [word(each, name) for each in memories if word(each, name)]
        yield from [name] * len(given) if len(set(given)) > 1 else ()
    for memory in memories:
        about = _metadata(memory)
        yield from (name for name, value in about.items() if value and name not in _READ)
        yield from misread(about, "confidence")


def _related(relations: Iterable[object], known: set[str]) -> Iterator[Record | Tie | Problem]:
    """Yield the relations, each with the entities that it joins and that are not ``known`` yet."""
    for at, relation in enumerate(relations):
        tie = _relation(relation) if isinstance(relation, Located) else None
        if tie is None:
            line = relation.line if isinstance(relation, Located) else 0
            yield Problem(line=line, message=f"relation {at + 1} has no source, target or type")
            continue
        yield tie
        for key in dict.fromkeys((tie.source, tie.target)):
            if key not in known:
                known.add(key)
                name = key.removeprefix("entity:")
                yield Record(key=key, title=name, content=name, kind="concept", line=tie.line)


def _is_deleted(memory: Located) -> bool:
    state = word(memory, "state").lower()
    return state == "deleted" if state else bool(word(memory, "deleted_at"))


def _metadata(memory: Located) -> dict[str, Any]:
    about = memory.get("metadata")
    return about if isinstance(about, dict) else {}


def _said(memory: Located) -> str:
    return word(memory, "memory", "text", "content")


def _memory(memory: Located) -> Record:
    metadata = _metadata(memory)
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
