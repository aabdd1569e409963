"""What of a text may be its title, where its first line only opens a block: front matter, code, a traceback."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["titular"]

_FRONT: Final = re.compile(r"\A---[ \t]*\n(?=[\w -]{1,40}:)(?P<fields>(?:[^\n]*\n){1,60}?)---[ \t]*(?:\n|\Z)")
_TITLE: Final = re.compile(r"^title:(?P<said>[^\n]*)$", re.MULTILINE)
_FENCE: Final = re.compile(r"\A\s*(?:```|~~~)[^\n`~]*\n(?=.*\S)", re.DOTALL)
_TRACEBACK: Final = re.compile(r"^Traceback \(most recent call last\):[ \t]*$", re.MULTILINE)
_RAISED: Final = re.compile(r"^[A-Za-z_][\w.]*(?:: [^\n]*)?$", re.MULTILINE)


def titular(content: str) -> str:
    """Return that of ``content`` which its title is to be taken from: all of it, where its first line says something.

    Else the ``title`` of its front matter, the code behind the mark that opens it, or what a traceback of Python's ends
    with: all tracebacks begin with one line, and it is the exception that tells them apart.
    """
    front = _FRONT.match(content)
    given = _TITLE.search(front["fields"]) if front else None
    if given and (said := _unquoted(given["said"].strip())):
        return said
    body = _FENCE.sub("", content[front.end() if front else 0 :], count=1)
    return _raised(body) or (body if body.strip() else content)


def _unquoted(value: str) -> str:
    return value[1:-1].strip() if len(value) > 1 and value[0] in "\"'" and value[-1] == value[0] else value


def _raised(body: str) -> str:
    """Return the line of the exception that a traceback ends with; empty where ``body`` begins with none."""
    if not _TRACEBACK.match(body.lstrip()):
        return ""
    *_, last = _TRACEBACK.finditer(body)
    found = _RAISED.search(body, last.end())
    return found.group() if found else ""
