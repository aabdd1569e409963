"""What belongs to a node but not into its note, one JSON object a line: relations, evidence, votes, decisions.

The lines are those of the lossless form without the versions, which count within one graph. They are in order, so that
two copies of a record can be merged line by line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from weft.errors import InvalidArgument
from weft.formats import jsonl
from weft.formats.foreign import Problem
from weft.formats.jsonl import Series, key_of
from weft.model import Change
from weft.model.codec import Value, json_text, to_data
from weft.vocabulary import Kind, RelationType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from weft.formats.jsonl import Line
    from weft.vocabulary import Row, Vocabulary

__all__ = ["Kept", "parse", "parse_rows", "render"]

Kept: TypeAlias = "Value | Series"

L = TypeVar("L", bound="Line")


def render(values: Iterable[Kept | Row]) -> str:
    """Return the record that holds these, or nothing where there are none."""
    return "".join(sorted({_line(value) for value in values}))


def parse(text: str, vocabulary: Vocabulary) -> tuple[tuple[tuple[int, Kept], ...], tuple[Problem, ...]]:
    """Return what each line holds, with its number from 1, and what could not be read. Never raises.

    A kind or a relation type that ``vocabulary`` does not know cannot be read.
    """

    def kept(line: Line) -> Kept:
        if isinstance(line, Kind | RelationType | Change | jsonl.Former | jsonl.Header | jsonl.Use | jsonl.End):
            raise InvalidArgument(f"{key_of(line)} does not belong here")
        jsonl.refuse_unknown(line, vocabulary)
        return line

    return _read(text, kept)


def parse_rows(text: str) -> tuple[tuple[tuple[int, Row], ...], tuple[Problem, ...]]:
    """Return the kinds and relation types of a graph's own, with their lines, and what could not be read; as parse."""

    def row(line: Line) -> Row:
        if not isinstance(line, Kind | RelationType):
            raise InvalidArgument(f"{key_of(line)} does not belong here")
        return line

    return _read(text, row)


def _read(text: str, taken: Callable[[Line], L]) -> tuple[tuple[tuple[int, L], ...], tuple[Problem, ...]]:
    found: list[tuple[int, L]] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found.append((number, taken(jsonl.parse(line))))
        except InvalidArgument as error:
            problems.append(Problem(line=number, message=error.message))
    return tuple(found), tuple(problems)


def _line(value: Kept | Row) -> str:
    if isinstance(value, Series | Kind | RelationType):
        return jsonl.render(value)
    data = {name: part for name, part in to_data(value).items() if name != "version"}
    return json_text({key_of(value): data}) + "\n"
