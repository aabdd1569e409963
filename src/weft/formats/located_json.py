"""JSON whose objects know on which line they begin, so that a report can name it."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from json.decoder import JSONObject  # type: ignore[attr-defined]
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, Final

from weft.formats.foreign import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Located", "read", "read_lines"]

VALUES_MAX: Final = 5_000_000
"""Values of one text, counted by its commas and brackets: an import of a million relations has no more."""

_TOO_LONG: Final = "not read: a number has too many digits"
_SAID: Final = re.compile(r"\S[^\n]*")


class Located(dict[str, Any]):
    """An object of a JSON text; ``line`` counts from 1."""

    __slots__ = ("line",)

    line: int


class _Decoder(json.JSONDecoder):
    """Decodes as the standard one does, and marks each object with its line."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._ends = [found.start() for found in re.finditer("\n", text)]
        self.parse_object = self._object
        self.scan_once = py_make_scanner(self)

    def _object(self, s_and_end: tuple[str, int], *rest: Any) -> tuple[Located, int]:  # noqa: ANN401 - handed through
        pairs, end = JSONObject(s_and_end, *rest)
        found = Located(pairs)
        found.line = bisect_right(self._ends, s_and_end[1] - 1) + 1
        return found, end


def read(text: str) -> tuple[Any, Problem | None]:
    """Return what a JSON text holds, or None and what is the matter; a byte order mark may lead."""
    text = text.removeprefix("\ufeff")
    if _values(text) > VALUES_MAX:
        return None, Problem(line=0, message=_too_many("split it into several files"))
    try:
        return _Decoder(text).decode(text), None
    except json.JSONDecodeError as error:
        return None, Problem(line=error.lineno, message=f"not JSON: {error.msg} (column {error.colno})")
    except RecursionError:
        return None, Problem(line=0, message="not read: nested too deeply")
    except ValueError:
        return None, Problem(line=0, message=_TOO_LONG)


def read_lines(text: str) -> Iterator[Located | Problem]:
    """Yield the objects of a text that holds one JSON object a line, and what is the matter with lines that are none.

    Blank lines go. A line at a time is held; behind more values than are read of one text it ends.
    """
    text = text.removeprefix("\ufeff")
    line, place, values = 1, 0, 0
    for said in _SAID.finditer(text):
        line += text.count("\n", place, said.start())
        place = said.start()
        values += _values(said[0])
        if values > VALUES_MAX:
            yield Problem(line=line, message=_too_many("the rest is left out"))
            return
        yield _line(text[text.rfind("\n", 0, place) + 1 : said.end()], line)


def _line(text: str, line: int) -> Located | Problem:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        return Problem(line=line, message=f"not JSON: {error.msg} (column {error.colno})")
    except RecursionError:
        return Problem(line=line, message="not read: nested too deeply")
    except ValueError:
        return Problem(line=line, message=_TOO_LONG)
    if not isinstance(value, dict):
        return Problem(line=line, message="not a JSON object")
    entry = Located(value)
    entry.line = line
    return entry


def _values(text: str) -> int:
    """Return how many values a JSON text may hold: each but the first follows a comma or a bracket."""
    return text.count(",") + text.count("[") + text.count("{")


def _too_many(then: str) -> str:
    return f"holds more than {VALUES_MAX:,} values, which is more than is read of one file; {then}"
