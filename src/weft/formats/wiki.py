"""References in Markdown: ``[[Note]]``, ``[[Note#heading|shown]]``, links to files; none inside code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from weft.text.markup import LINKED, destination

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Reference", "bare", "references", "without_code"]

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_INLINE_CODE = re.compile(r"(`{1,3})(?!`)[^`\n]{1,2000}\1(?!`)")
_COMMENT = re.compile(r"%%.{0,20000}?%%", re.DOTALL)
_WIKI = re.compile(r"\[\[([^\[\]|#^\n]{1,500})(?:[#^][^\[\]|\n]{0,500})?(?:\\?\|[^\[\]\n]{0,500})?\]\]")
_FILE = re.compile(rf"\[[^\[\]\n]{{0,500}}\]{LINKED}")
_KEY = r"(?:\*\*|__|[*_])?([^\W\d_][\w \-/]{0,60}?)(?:\*\*|__|[*_])?[ \t]?::"
_FIELD = re.compile(rf"^[ \t>]*(?:(?:[-*+]|\d{{1,9}}[.)])[ \t]+(?:\[.\][ \t]+)?)?{_KEY}", re.UNICODE)
_BRACKETED = re.compile(rf"[\[(]{_KEY}|[\[\]()]", re.UNICODE)
"""The beginning of an inline field in brackets, or another bracket: https://blacksmithgu.github.io/obsidian-dataview"""

_FIELDS_MAX: Final = 100  # of one line
_ATTACHED = re.compile(
    r"\.(?:avif|bmp|gif|jpe?g|png|svg|webp|flac|m4a|mp3|ogg|wav|3gp|mkv|mov|mp4|ogv|webm|pdf|canvas|base)$",
    re.IGNORECASE,
)
"""Files that Obsidian shows or plays, which are no notes: https://help.obsidian.md/file-formats"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A place that names another note: the name as written, the line (from 1) with its text, the field it is under.

    ``field`` is the word before ``::`` where the line or the brackets around it are an inline field, else empty.
    """

    name: str
    line: int
    text: str
    field: str


def without_code(text: str) -> str:
    """Return ``text`` with code, fenced or inline, and comments blanked; every character keeps its place and line."""
    kept: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence:
            kept.append(_blank(line))
            if mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = ""
        elif mark:
            fence = mark[1]
            kept.append(_blank(line))
        else:
            kept.append(_INLINE_CODE.sub(lambda found: _blank(found[0]), line))
    return _COMMENT.sub(lambda found: _blank(found[0]), "".join(kept))


def references(text: str, *, first_line: int = 1) -> Iterator[Reference]:
    """Yield every reference to another note in ``text``, from which code was taken (:func:`without_code`).

    A picture, a sound or another file that is attached is no note.
    """
    for at, line in enumerate(text.splitlines()):
        if "](" not in line and "[[" not in line:
            continue
        found = [(each.start(), each[1]) for each in _WIKI.finditer(line)]
        found += [(each.start(), name) for each in _FILE.finditer(line) if (name := _file(each))]
        fields = _fields(line) if "::" in line else []
        said = line.strip()  # once: a line may be as long as the text, and hold as many references
        for place, name in found:
            if bare(name) and not _ATTACHED.search(bare(name)):
                field = next((word for start, end, word in fields if start <= place < end), "")
                yield Reference(name=name.strip(), line=first_line + at, text=said, field=field)


def _fields(line: str) -> list[tuple[int, int, str]]:
    """Return (start, end, name) of the inline fields of a line, inner ones first; one without brackets is the line."""
    found: list[tuple[int, int, str]] = []
    opened: list[tuple[int, str, str]] = []
    for mark in _BRACKETED.finditer(line):
        bracket = mark[0][0]
        if bracket in "[(":
            opened.append((mark.start(), bracket, mark[1] or ""))
        elif opened and opened[-1][1] == "[("[bracket == ")"]:
            start, _, word = opened.pop()
            found += [(start, mark.end(), word.strip())] if word else []
    whole = _FIELD.match(line)
    return [*found[:_FIELDS_MAX], *([(0, len(line), whole[1].strip())] if whole else [])]


def _file(link: re.Match[str]) -> str:
    """Return the note that a link to a file leads to, or nothing where it leads elsewhere."""
    path = destination(link).partition("#")[0]
    return unquote(path) if path.endswith(".md") and ":" not in path else ""


def bare(name: str) -> str:
    """Return the name of a note without its mark of a file, its heading and what is shown in its place."""
    name = name.split("|", maxsplit=1)[0].split("#", maxsplit=1)[0].strip().replace("\\", "/").strip("/")
    return name[:-3] if name.lower().endswith(".md") else name


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)
