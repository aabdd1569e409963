"""Preambles: fields at the head of a text without marks around them, as proposals and MultiMarkdown have them.

``PEP: 8``, ``Title: Style Guide``, ``Requires: 20`` in the form of mail headers (RFC 822), also indented in ``<pre>``
or a fence, as BIPs have them. What only looks like fields stays text: a preamble begins with a number in a series or
with a title, holds two fields at least, and ends at a blank line or where it is closed.
"""

from __future__ import annotations

import re
from typing import Final

from weft.formats.front_matter import FrontMatter

__all__ = ["read"]

FIELDS_MAX: Final = 100
FIELDS_MIN: Final = 2
VALUE_MAX: Final = 2_000  # characters; a longer field is prose

_OPENING: Final = re.compile(r"\s*(?:(?P<pre><pre>)|(?P<fence>```+|~~~+)[^\n`]*)?[ \t]*(?:\r\n|\r|\n)?")
_FIELD: Final = re.compile(
    r"(?P<indent>[ \t]*)(?P<name>[A-Za-z][A-Za-z0-9_-]{0,30}(?: [A-Za-z][A-Za-z0-9_-]{0,30})?):"
    r"(?P<value>[^\r\n]*(?:(?:\r\n|\r|\n)(?P=indent)[ \t]+[^\s][^\r\n]*)*)(?:\r\n|\r|\n|\Z)"
)
_LEADING: Final = re.compile(r"[A-Z]{2,6}:[ \t]*\d{1,5}[ \t]*[\r\n]|title:", re.IGNORECASE)
_BLANK: Final = re.compile(r"[ \t]*(?:\r\n|\r|\n|\Z)")


def read(text: str, start: int) -> FrontMatter:
    """Return the fields that ``text`` begins with at ``start``, and where its body begins; without a preamble, none.

    Names are as written, the first of a name counts; values are strings in which a folded line is one space. At most
    100 fields of 2,000 characters are read; what has more is text.
    """
    nothing = FrontMatter(body_start=start)
    opening = _OPENING.match(text, start)
    place = opening.end() if opening else start
    first = _FIELD.match(text, place)
    if not first or not _LEADING.match(first.group().lstrip(" \t")):
        return nothing
    fields: list[re.Match[str]] = []
    while (field := _FIELD.match(text, place)) and len(fields) <= FIELDS_MAX:
        fields.append(field)
        place = field.end()
    closed = _closed(text, place, opening)
    if closed is None or not FIELDS_MIN <= len(fields) <= FIELDS_MAX or any(map(_is_prose, fields)):
        return nothing
    front = {field["name"]: " ".join(field["value"].split()) for field in reversed(fields)}
    return FrontMatter(front=dict(reversed(front.items())), body_start=closed)


def _is_prose(field: re.Match[str]) -> bool:
    return len(field["value"]) > VALUE_MAX


def _closed(text: str, place: int, opening: re.Match[str] | None) -> int | None:
    """Return where the body begins behind fields that end at ``place``; nothing where something else stands there."""
    mark = (opening["fence"] or opening["pre"] or "").replace("<", "</") if opening else ""
    ended = re.compile(rf"\s*{re.escape(mark)}" if mark else "").match(text, place)
    blank = _BLANK.match(text, ended.end()) if ended else None
    return blank.end() if blank else None
