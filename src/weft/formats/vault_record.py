"""What belongs to a node but not into its note, one JSON object a line: relations, evidence, votes, decisions.

The lines are those of the lossless form without the versions, which count within one graph. They are in order, so that
two copies of a record can be merged line by line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from weft.errors import InvalidArgument
from weft.formats import jsonl
from weft.formats.foreign import Problem
from weft.formats.jsonl import Series, key_of
from weft.model import Change
from weft.model.codec import Value, json_text, to_data

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Kept", "parse", "render"]

Kept: TypeAlias = "Value | Series"


def render(values: Iterable[Kept]) -> str:
    """Return the record that holds these, or nothing where there are none."""
    return "".join(sorted({_line(value) for value in values}))


def parse(text: str) -> tuple[tuple[tuple[int, Kept], ...], tuple[Problem, ...]]:
    """Return what each line holds, with its number from 1, and what could not be read. Never raises."""
    found: list[tuple[int, Kept]] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = jsonl.parse(line)
            if isinstance(value, Change | jsonl.Header | jsonl.Use | jsonl.End):
                raise InvalidArgument(f"{key_of(value)} does not belong here")  # noqa: TRY301 - told as the others are
            found.append((number, value))
        except InvalidArgument as error:
            problems.append(Problem(line=number, message=error.message))
    return tuple(found), tuple(problems)


def _line(value: Kept) -> str:
    if isinstance(value, Series):
        return jsonl.render(value)
    data = {name: part for name, part in to_data(value).items() if name != "version"}
    return json_text({key_of(value): data}) + "\n"
