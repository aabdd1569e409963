"""Front matter: a small, safe part of YAML at the head of a document.

Every scalar is a string, as written: no dates, no numbers, no ``no`` that means false. Anchors, aliases, tags,
directives and repeated keys are refused, and so is whatever is larger than the bounds below; a refusal names the line
and leaves nothing of the front matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import yaml

from weft.reason.document import Problem

__all__ = ["FrontMatter", "read"]

SIZE_MAX: Final = 64 * 1024
DEPTH_MAX: Final = 20
NODES_MAX: Final = 2_000

_FENCE = re.compile(r"---(?:\r\n|\r|\n)")
_CLOSING = re.compile(r"(?<=[\r\n])---(?=[\r\n]|\Z)")
_LINE_END = re.compile(r"\r\n|\r|\n")

_Value: TypeAlias = "str | list[_Value] | dict[str, _Value]"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """What stands at the head of a text: the values, where the body begins, and what could not be read."""

    front: dict[str, Any] = field(default_factory=dict)
    body_start: int = 0
    problems: tuple[Problem, ...] = ()


class _Refused(Exception):
    """The front matter holds something that is not read; ``line`` counts from 0 within it."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def read(text: str, *, size_max: int = SIZE_MAX, nodes_max: int = NODES_MAX) -> FrontMatter:
    """Return the front matter of ``text``: from a first line ``---`` to the next line that is exactly ``---``.

    ``size_max`` are characters, ``nodes_max`` values that are read at most. Without a closing line there is none, and
    the text is all body. Front matter that is refused is left out whole and named in ``problems``; where it is no
    mapping at all, the lines between the marks are read as body. Never raises.
    """
    start = 1 if text.startswith("\ufeff") else 0
    opening = _FENCE.match(text, start)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if not opening or not closing:
        return FrontMatter(body_start=start)
    after = _LINE_END.match(text, closing.end())
    body_start = after.end() if after else closing.end()
    try:
        value = _load(text[opening.end() : closing.start()], size_max, nodes_max)
    except _Refused as refusal:
        return FrontMatter(body_start=body_start, problems=(_problem(refusal),))
    if isinstance(value, dict):
        return FrontMatter(front=value, body_start=body_start)
    message = "the lines between the marks are no mapping of names to values; they are read as text"
    return FrontMatter(body_start=start, problems=(Problem(line=2, message=f"front matter: {message}"),))


def _problem(refusal: _Refused) -> Problem:
    return Problem(line=refusal.line + 2, message=f"front matter: {refusal.message}")


def _load(text: str, size_max: int, nodes_max: int) -> _Value:
    """Return the value that ``text`` stands for; the empty text is an empty mapping."""
    if len(text) > size_max:
        raise _Refused(0, f"{len(text):,} characters, at most {size_max:,} are read")
    builder = _Builder(nodes_max)
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else 0
        raise _Refused(line, error.problem or "not YAML") from error
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise _Refused(0, "holds a character that YAML does not allow") from error
    return builder.value


class _Builder:
    """Builds the value from parser events, without recursion, and refuses what lies outside the safe part."""

    def __init__(self, nodes_max: int) -> None:
        self.value: _Value = {}
        self._nodes_max = nodes_max
        self._open: list[tuple[list[_Value] | dict[str, _Value], str | None]] = []
        self._nodes = 0
        self._documents = 0

    def take(self, event: yaml.Event) -> None:
        """Add one event."""
        line = event.start_mark.line if event.start_mark else 0
        self._refuse(event, line)
        match event:
            case yaml.ScalarEvent(value=value):
                self._put(value, line)
            case yaml.SequenceStartEvent():
                self._begin([], line)
            case yaml.MappingStartEvent():
                self._begin({}, line)
            case yaml.CollectionEndEvent():
                self._open.pop()

    def _refuse(self, event: yaml.Event, line: int) -> None:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _Refused(line, "anchors and aliases are not read")
        if getattr(event, "tag", None):
            raise _Refused(line, "tags are not read")
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1 or event.version or event.tags:
                raise _Refused(line, "directives and further documents are not read")

    def _begin(self, container: list[_Value] | dict[str, _Value], line: int) -> None:
        self._put(container, line)
        self._open.append((container, None))
        if len(self._open) > DEPTH_MAX:
            raise _Refused(line, f"nested more than {DEPTH_MAX} levels deep")

    def _put(self, value: _Value, line: int) -> None:
        self._nodes += 1
        if self._nodes > self._nodes_max:
            raise _Refused(line, f"more than {self._nodes_max:,} values")
        if not self._open:
            self.value = value
            return
        container, key = self._open[-1]
        if isinstance(container, list):
            container.append(value)
        elif key is not None:
            container[key] = value
            self._open[-1] = (container, None)
        elif not isinstance(value, str):
            raise _Refused(line, "a key is not a plain name")
        elif value in container:
            raise _Refused(line, f"the key {value[:60]!r} stands there twice")
        else:
            self._open[-1] = (container, value)
