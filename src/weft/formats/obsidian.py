"""A note of an Obsidian vault: its name is the file's; tags, aliases and references to other notes, in text or front.

An inline field (``supports:: [[Note]]``) and a field of the front matter that names a note give a relation its type;
any other reference only relates. The text is kept as it is, without the front matter.
"""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from weft.formats import front_matter
from weft.formats.foreign import Parsed, Problem, Record, Tie, number, texts, time_of, word
from weft.formats.tags import inline_tags, with_tags
from weft.formats.wiki import bare, references, without_code

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["parse"]

_REASON_MAX: Final = 300
_OURS: Final = frozenset({"tags", "tag", "aliases", "alias", "title", "created", "updated", "modified", "cssclasses"})


def parse(text: str, *, name: str) -> Parsed:
    """Return the note of this text; ``name`` is its path below the vault, with slashes. Never raises."""
    name = unicodedata.normalize("NFC", name)
    matter = front_matter.read(text)
    body = text[matter.body_start :]
    first_line = text.count("\n", 0, matter.body_start) + 1
    prose = without_code(body)
    key = bare(name)
    return Parsed(
        records=(_record(matter.front, body.strip(), key=key, tags=inline_tags(body)),),
        ties=(*_said(prose, key, first_line), *_fields(matter.front, key)),
        problems=tuple(Problem(line=each.line, message=each.message) for each in matter.problems),
    )


def _record(front: Mapping[str, Any], body: str, *, key: str, tags: tuple[str, ...]) -> Record:
    stem = PurePosixPath(key).name
    given = word(front, "title")
    aliases = (*texts(front.get("aliases")), *texts(front.get("alias")))
    return Record(
        key=key,
        title=stem,
        content=body or stem,
        kind=word(front, "type", "kind"),
        tags=with_tags(_tags(front), tags),
        aliases=(*((given,) if given and given != stem else ()), *aliases),
        confidence=number(front.get("confidence")),
        status=word(front, "status"),
        created_at=time_of(word(front, "created", "date")),
        modified_at=time_of(word(front, "updated", "modified")),
    )


def _tags(front: Mapping[str, Any]) -> Iterator[str]:
    for name in ("tags", "tag"):
        value = front.get(name)
        for each in texts(value.replace(" ", ",") if isinstance(value, str) else value):
            yield each.removeprefix("#")


def _said(prose: str, key: str, first_line: int) -> Iterator[Tie]:
    for found in references(prose, first_line=first_line):
        reason = found.text[:_REASON_MAX]
        yield Tie(source=key, target=bare(found.name), type=found.field or "", reasoning=reason, line=found.line)


def _fields(front: Mapping[str, Any], key: str) -> Iterator[Tie]:
    for field, value in front.items():
        if field.lower() in _OURS:
            continue
        for each in (value,) if isinstance(value, str) else texts(value):
            for found in references(each):
                yield Tie(source=key, target=bare(found.name), type=field, reasoning=f"{field}: {each}"[:_REASON_MAX])
