"""A note of an Obsidian vault: its name is the file's; tags, aliases and references to other notes, in text or front.

An inline field (``supports:: [[Note]]``) and a field of the front matter that names a note give a relation its type;
any other reference only relates. The text is kept as it is, without the front matter and without what plugins keep for
themselves: the data of a drawing, the settings of a board.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath
from posixpath import normpath
from typing import TYPE_CHECKING, Any, Final

from weft.formats import front_matter
from weft.formats.foreign import Parsed, Problem, Record, Tie, number, status_of, texts, time_of, word
from weft.formats.notion import titled
from weft.formats.tags import inline_tags, with_tags
from weft.formats.wiki import bare, references, without_code
from weft.text import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["parse"]

_REASON_MAX: Final = 300
_TAGS: Final = ("tags", "tag")
_ALIASES: Final = ("aliases", "alias")
_KINDS: Final = ("type", "kind")
_CITED: Final = ("citation", "source", "url", "doi")
_CREATED: Final = ("created", "date created", "created_at", "creation date", "date")
_MODIFIED: Final = ("updated", "modified", "date modified", "updated_at", "last modified")
_OURS: Final = frozenset({*_TAGS, *_ALIASES, *_CREATED, *_MODIFIED, "title"}) - {"date"}
_READ: Final = frozenset(
    (*_TAGS, *_ALIASES, *_KINDS, "title", "cssclass", "cssclasses", "publish", "kanban-plugin", "excalidraw-plugin")
)
"""What is read, and what says only how a note is shown: https://help.obsidian.md/properties"""

_DRAWING = re.compile(r"^(?:%%[ \t]*\n)?#{1,2} Drawing[ \t]*\n(?:[ \t]*\n)*```(?:compressed-)?json\n", re.MULTILINE)
_NOTICE = re.compile(r"^==⚠[^\n]*\n", re.MULTILINE)
_BOARD = re.compile(r"^%% kanban:settings\n", re.MULTILINE)


def parse(text: str, *, name: str) -> Parsed:
    """Return the note of this text; ``name`` is its path below the vault, with slashes. Never raises."""
    name = unicodedata.normalize("NFC", name)
    matter = front_matter.read(text)
    front = {each.lower(): value for each, value in reversed(matter.front.items())}
    body = _own(text[matter.body_start :], front)
    first_line = text.count("\n", 0, matter.body_start) + 1
    key = bare(name)
    fields = tuple(_fields(matter.front, key))
    return Parsed(
        records=(_record(front, body.strip(), key=key, tags=inline_tags(body)),),
        ties=(*_said(without_code(body), key, first_line), *fields),
        problems=tuple(Problem(line=each.line, message=each.message) for each in matter.problems),
        unused=tuple(_unused(matter.front, {each.type for each in fields})),
    )


def _own(body: str, front: Mapping[str, Any]) -> str:
    """Return the text that a person wrote."""
    if "excalidraw-plugin" in front:
        data = _DRAWING.search(body)
        return _NOTICE.sub("", body[: data.start()] if data else body, count=1)
    if "kanban-plugin" in front and (settings := _BOARD.search(body)):
        return body[: settings.start()]
    return body


def _record(front: Mapping[str, Any], body: str, *, key: str, tags: tuple[str, ...]) -> Record:
    stem = PurePosixPath(key).name
    title, given = titled(stem), word(front, "title")
    aliases = [alias for name in _ALIASES for alias in texts(front.get(name))]
    return Record(
        key=key,
        title=title,
        content=body or title,
        kind=plain(word(front, *_KINDS)),
        tags=with_tags(_tags(front), tags),
        names=(stem.replace("___", "/"),) if "___" in stem else (),  # as Logseq names the file of a page «a/b»
        aliases=(*((given,) if given and given != title else ()), *aliases),
        citation=word(front, _cited(front)),
        confidence=number(front.get("confidence")),
        status=plain(word(front, "status")),
        created_at=time_of(plain(word(front, *_CREATED))),
        modified_at=time_of(plain(word(front, *_MODIFIED))),
    )


def _cited(front: Mapping[str, Any]) -> str:
    """Return which property says where a note is from, as a web clipper writes it; one that names a note relates."""
    return next((name for name in _CITED if word(front, name) and "[[" not in word(front, name)), "")


def _tags(front: Mapping[str, Any]) -> Iterator[str]:
    for name in _TAGS:
        value = front.get(name)
        for each in texts(value.replace(" ", ",") if isinstance(value, str) else value):
            yield each.removeprefix("#")


def _said(prose: str, key: str, first_line: int) -> Iterator[Tie]:
    for found in references(prose, first_line=first_line):
        reason = found.text[:_REASON_MAX]
        yield Tie(source=key, target=_target(found.name, key), type=found.field, reasoning=reason, line=found.line)


def _target(name: str, key: str) -> str:
    """Return the note that is meant; a path that begins with dots goes on from the folder of the note itself."""
    target = bare(name)
    if not target.startswith(("./", "../")):
        return target
    return normpath(f"{PurePosixPath(key).parent}/{target}")


def _fields(front: Mapping[str, Any], key: str) -> Iterator[Tie]:
    for field, value in front.items():
        if field.lower() in _OURS:
            continue
        for each in _entries(value):
            reason = f"{field}: {each}"[:_REASON_MAX]
            for found in references(each):
                yield Tie(source=key, target=_target(found.name, key), type=field, reasoning=reason)


def _entries(value: object) -> Iterator[str]:
    """Yield the texts of a property; a reference without quotes, which YAML takes for a list in a list, is one."""
    if isinstance(value, str):
        yield value
    for each in value if isinstance(value, list) else ():
        if isinstance(each, list) and all(isinstance(part, str) for part in each):
            yield f"[[{', '.join(each)}]]"
        elif isinstance(each, str):
            yield each


def _unused(front: Mapping[str, Any], related: set[str]) -> Iterator[str]:
    """Yield the properties that hold something and became nothing, as they are written."""
    cited = _cited({name.lower(): value for name, value in front.items()})
    for field, value in front.items():
        if (
            value
            and field not in related
            and field.lower() != cited
            and not _is_read(field.lower(), plain(word(front, field)))
        ):
            yield field


def _is_read(name: str, said: str) -> bool:
    if name in {*_CREATED, *_MODIFIED}:
        return time_of(said) is not None
    if name in {"status", "confidence"}:
        return (status_of(said) if name == "status" else number(said)) is not None
    return name in _READ
