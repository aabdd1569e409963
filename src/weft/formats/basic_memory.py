"""A note of basic-memory: front matter, observations (``- [category] text #tag (context)``) and relations in lists.

A relation is a list item of a type and one reference to a note, with nothing after it but a context in brackets:
``- requires [[Flour]] (by weight)``; a type of several words may stand in quotes. References in other text relate as
well, without a type. The permalink is the key, else the path. Categories of observations and their tags become tags of
the note; the text is kept as it is.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from weft.formats import front_matter
from weft.formats.foreign import Parsed, Problem, Record, Tie, texts, time_of, word
from weft.formats.tags import inline_tags
from weft.formats.wiki import bare, references, without_code

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["parse"]

_OBSERVATION = re.compile(r"^[ \t]*[-*+][ \t]+\[([^\[\]()\n]{1,60})\][ \t]+(?=\S)")
_RELATION = re.compile(
    r"^[ \t]*[-*+][ \t]+([^\[\]\n]{1,60}?)[ \t]*\[\[([^\[\]\n]{1,500})\]\][ \t]*(?:\((.{0,1000})\))?[ \t]*$"
)
_READ: Final = frozenset(("title", "type", "permalink", "tags", "created", "date", "modified", "updated"))
_NO_CATEGORY = re.compile(r"[xX]|[^\w]|\d{1,3}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?(?:[ ]+-[ ]+[\d:.,]{4,12})?")
"""A box to tick, or the time at which something was said in a transcript."""

_QUOTED = re.compile(r"(['\"])(.+)\1")
_REASON_MAX: Final = 300


def parse(text: str, *, name: str) -> Parsed:
    """Return the note of this text; ``name`` is its path below the project, with slashes. Never raises."""
    name = unicodedata.normalize("NFC", name)
    matter = front_matter.read(text)
    body = text[matter.body_start :]
    prose = without_code(body)
    first_line = text.count("\n", 0, matter.body_start) + 1
    key = word(matter.front, "permalink") or bare(name)
    stem = PurePosixPath(bare(name)).name
    title = word(matter.front, "title") or stem
    record = Record(
        key=key,
        title=title,
        content=body.strip() or title,
        kind=word(matter.front, "type"),
        tags=tuple(dict.fromkeys((*texts(matter.front.get("tags")), *_marks(prose)))),
        names=tuple(dict.fromkeys(each for each in (bare(name), stem) if each != key)),
        created_at=time_of(word(matter.front, "created", "date")),
        modified_at=time_of(word(matter.front, "modified", "updated")),
    )
    return Parsed(
        records=(record,),
        ties=tuple(_ties(prose, key, first_line)),
        problems=tuple(Problem(line=each.line, message=each.message) for each in matter.problems),
        unused=tuple(name for name, value in matter.front.items() if value and name not in _READ),
    )


def _marks(prose: str) -> Iterator[str]:
    """Yield categories and tags of the observations."""
    for line in prose.splitlines():
        found = _OBSERVATION.match(line)
        if found and not _NO_CATEGORY.fullmatch(found[1]):
            yield found[1].strip().lower()
            yield from inline_tags(line[found.end() :])


def _ties(prose: str, key: str, first_line: int) -> Iterator[Tie]:
    for at, line in enumerate(prose.splitlines()):
        relation = _RELATION.match(line)
        if relation and not _OBSERVATION.match(line):
            kind, target, context = relation.groups(default="")
            quoted = _QUOTED.fullmatch(kind.strip())
            kind = quoted[2] if quoted else kind.strip()
            yield Tie(source=key, target=_target(target), type=kind, reasoning=context, line=first_line + at)
            continue
        for found in references(line, first_line=first_line + at):
            reason = found.text[:_REASON_MAX]
            yield Tie(source=key, target=_target(found.name), type="", reasoning=reason, line=found.line)


def _target(name: str) -> str:
    """Return the note that is meant; ``project::note`` is one by its permalink, which begins with its project."""
    project, mark, note = bare(name).partition("::")
    return f"{project}/{note.lstrip('/')}" if mark else project
