"""The keys of front matter that are not ours, as they were written: their comments, quotes and line breaks stay."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["kept_keys"]

_LINE_END = re.compile(r"\r\n?")


def kept_keys(head: str, front: Mapping[str, Any], *, known: frozenset[str]) -> str:
    """Return the YAML of those keys of ``front`` that are not ``known``; ``head`` is the text that it was read from.

    ``head`` begins and ends with the lines of ``---``. Where its lines cannot be told apart (a mapping in braces, one
    that is indented), the values are written anew, each as a string.
    """
    kept = {name: value for name, value in front.items() if name not in known}
    if not kept:
        return ""
    text = _LINE_END.sub("\n", head.removeprefix("\ufeff"))
    lines = text.splitlines(keepends=True)[1:-1]
    places = list(_places("".join(lines)))
    apart = all(column == 0 for _, _, column in places) and all(a[1] < b[1] for a, b in pairwise(places))
    if apart and {name for name, _, _ in places} == set(front):
        ends = [*(line for _, line, _ in places[1:]), len(lines)]
        spans = zip(places, ends, strict=True)
        return "".join(_closed(lines[line:end]) for (name, line, _), end in spans if name in kept)
    return yaml.dump(
        kept, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=100_000, default_flow_style=False
    )


def _closed(lines: list[str]) -> str:
    text = "".join(lines)
    return text if text.endswith("\n") else f"{text}\n"


def _places(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (name, line, column) of the keys of the outermost mapping."""
    depth, is_key = 0, True
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            is_key = is_key if depth != 1 else not is_key
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.ScalarEvent) and depth == 1:
            if is_key and event.start_mark is not None:
                yield event.value, event.start_mark.line, event.start_mark.column
            is_key = not is_key
