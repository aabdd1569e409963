"""JSON whose objects know on which line they begin, so that a report can name it."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from json.decoder import JSONObject  # type: ignore[attr-defined]
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any

from weft.formats.foreign import Problem

__all__ = ["Located", "read", "read_lines"]

_TOO_LONG = "not read: a number has too many digits"


class Located(dict[str, Any]):
    """An object of a JSON text; ``line`` counts from 1."""

    line: int = 1


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
    try:
        return _Decoder(text).decode(text), None
    except json.JSONDecodeError as error:
        return None, Problem(line=error.lineno, message=f"not JSON: {error.msg} (column {error.colno})")
    except RecursionError:
        return None, Problem(line=0, message="not read: nested too deeply")
    except ValueError:
        return None, Problem(line=0, message=_TOO_LONG)


def read_lines(text: str) -> tuple[list[Located], list[Problem]]:
    """Return the objects of a text that holds one JSON object a line, and the lines that are none; blank lines go."""
    found: list[Located] = []
    problems: list[Problem] = []
    for line, each in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not each.strip():
            continue
        try:
            value = json.loads(each)
        except json.JSONDecodeError as error:
            problems.append(Problem(line=line, message=f"not JSON: {error.msg} (column {error.colno})"))
        except RecursionError:
            problems.append(Problem(line=line, message="not read: nested too deeply"))
        except ValueError:
            problems.append(Problem(line=line, message=_TOO_LONG))
        else:
            if isinstance(value, dict):
                entry = Located(value)
                entry.line = line
                found.append(entry)
            else:
                problems.append(Problem(line=line, message="not a JSON object"))
    return found, problems
