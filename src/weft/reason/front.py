"""What the front matter of a document says of others, and the strings that a value of it lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from weft.reason.citing import GAP, STATED, Citation, named, path_from

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.reason.document import Document

__all__ = ["front_citations", "strings"]

VALUES_MAX: Final = 50
_DIGITS_MAX: Final = 5  # of a number
_ENDED_BY: Final = re.compile(r"\W*(?:super[sc]eded|replaced|obsoleted)\s+by\s+(?P<name>.+)", re.IGNORECASE)
_AND: Final = re.compile(rf"\s+(?:and|&)\s+(?=[A-Z]{{2,6}}{GAP}\d)")
_ASIDE_OF_NUMBER: Final = re.compile(rf"\A([A-Z]{{2,6}}{GAP}\d{{1,5}})\s*\([^()]*\)\Z")
_FILE: Final = re.compile(r"\.(?:md|markdown)\Z", re.IGNORECASE)
_FRONT_RELATIONS: Final[dict[str, tuple[str, str]]] = {
    "supersedes": ("supersedes", "forward"),
    "supercedes": ("supersedes", "forward"),
    "replaces": ("supersedes", "forward"),
    "obsoletes": ("supersedes", "forward"),
    "superseded_by": ("supersedes", "backward"),
    "superceded_by": ("supersedes", "backward"),
    "replaced_by": ("supersedes", "backward"),
    "obsoleted_by": ("supersedes", "backward"),
    "amends": ("extends", "forward"),
    "amended_by": ("extends", "backward"),
    "extends": ("extends", "forward"),
    "requires": ("requires", "forward"),
    "required_by": ("requires", "backward"),
    "depends_on": ("depends_on", "forward"),
    "implements": ("implements", "forward"),
    "uses": ("uses", "forward"),
    "builds_on": ("builds_on", "forward"),
    "part_of": ("part_of", "forward"),
    "contradicts": ("contradicts", "forward"),
    "derived_from": ("derived_from", "forward"),
    "related": ("relates_to", "forward"),
    "related_to": ("relates_to", "forward"),
    "relates_to": ("relates_to", "forward"),
    "see_also": ("relates_to", "forward"),
}


def front_citations(document: Document, series: str) -> Iterator[tuple[Citation, int, int]]:
    """Yield what the front matter says of other documents, with the place of its lines in the text.

    A bare number counts in ``series``, that of the document; where it shows none, it may be that of anything (a task's,
    a ticket's), and names nothing here.
    """
    for key, said_of in document.front.items():
        relation, value = _FRONT_RELATIONS.get(re.sub(r"[\s-]+", "_", key.strip().lower())), said_of
        if key.strip().lower() == "status" and isinstance(value, str) and (ended := _ENDED_BY.match(value)):
            relation, value = ("supersedes", "backward"), ended["name"]
        if not relation:
            continue
        start, end = _front_lines(document, key)
        for name in _in_full(_referred(value), series):
            bare, place = named(name, series)
            bare = path_from(bare, document.name) if _FILE.search(bare) else bare
            if bare:
                said = Citation(name=bare, type=relation[0], direction=relation[1], confidence=STATED, place=place)
                yield said, start, end


def _referred(value: Any) -> Iterator[str]:  # noqa: ANN401 - whatever a front matter holds
    """Yield the documents that a value names: in a list, with commas, «ADR-3 and ADR-7», «ADR-3 (queues)», by an id."""
    given = [value] if isinstance(value, dict) else value
    items = [_identified(each) for each in given] if isinstance(given, list) else given
    for part in strings(items):
        for each in _AND.split(part):
            yield _ASIDE_OF_NUMBER.sub(r"\1", each)


def _in_full(names: Iterator[str], series: str) -> Iterator[str]:
    """Yield ``names`` with bare numbers as those of ``series``, without them where there is none."""
    for name in names:
        if not name.isdecimal():
            yield name
        elif series and len(name) <= _DIGITS_MAX:
            yield f"{series}-{int(name)}"


def _identified(item: Any) -> Any:  # noqa: ANN401 - as above
    """Return what identifies an item that has fields of its own; others as they are."""
    if not isinstance(item, dict):
        return item
    return next((str(item[key]) for key in ("id", "ref", "name", "title") if item.get(key)), "")


def strings(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - whatever a front matter holds
    """Return the strings that ``value`` lists, whether as a list or with commas; nothing deeper."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else ()
    return tuple(part.strip() for part in parts[:VALUES_MAX] if isinstance(part, str) and part.strip())


def _front_lines(document: Document, key: str) -> tuple[int, int]:
    """Return the place of ``key`` and its value in the front matter."""
    lines = re.compile(
        rf"^(?P<indent>[ \t]*)[\"']?{re.escape(key)}[\"']?[ \t]*:[^\n]*(?:\n(?P=indent)(?:[ \t]+|-[ \t])[^\n]*)*",
        re.MULTILINE | re.IGNORECASE,
    )
    match = lines.search(document.text, 0, document.front_end)
    return (match.start(), match.start() + len(match.group().rstrip())) if match else (0, document.front_end)
