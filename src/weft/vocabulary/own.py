"""What one graph knows beside the standard vocabulary: kinds and relation types, as entries of its configuration.

An entry's key says what it holds (``kind.recipe``, ``relation_type.rebuts``), its value is the row in JSON.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from weft.vocabulary.kinds import Kind
from weft.vocabulary.relation_types import RelationType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["Own", "Row", "entry_of", "key_of", "own_from", "row_from"]

Row: TypeAlias = "Kind | RelationType"

_SHELVES: Final[Mapping[str, type[Row]]] = {"kind": Kind, "relation_type": RelationType}

R = TypeVar("R", Kind, RelationType)


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """The kinds and relation types that a graph registered, in the order of their names."""

    kinds: tuple[Kind, ...] = ()
    types: tuple[RelationType, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """All of them, kinds first."""
        return (*self.kinds, *self.types)

    def with_rows(self, rows: Iterable[Row]) -> Own:
        """Return these rows too; a name that is held already keeps what it is."""
        held = {key_of(row) for row in self.rows}
        fresh = {key_of(row): row for row in rows if key_of(row) not in held}.values()
        return Own(
            kinds=(*self.kinds, *(row for row in fresh if isinstance(row, Kind))),
            types=(*self.types, *(row for row in fresh if isinstance(row, RelationType))),
        )


def key_of(row: Row) -> str:
    """Return the key under which a row stands in the graph's configuration."""
    return f"{'kind' if isinstance(row, Kind) else 'relation_type'}.{row.name}"


def entry_of(row: Row) -> str:
    """Return a row as the text of its entry."""
    return json.dumps(asdict(row), ensure_ascii=False, sort_keys=True)


def own_from(values: Mapping[str, str]) -> Own:
    """Return what a graph's configuration registers; an entry that is none of ours is passed over."""
    return Own(kinds=tuple(_rows(values, Kind)), types=tuple(_rows(values, RelationType)))


def row_from(shelf: str, said: object) -> Row:
    """Return the row that ``said`` describes, on the shelf ``kind`` or ``relation_type``; other fields are ignored.

    Raises:
        ValueError: there is no such shelf, a field is missing, or a value is of another type.
        TypeError: ``said`` is no object.
    """
    made = _SHELVES.get(shelf)
    if made is None:
        raise ValueError(f"{shelf[:40]!a} is none of {', '.join(_SHELVES)}")
    if not isinstance(said, dict):
        raise TypeError(f"{shelf}: not an object")
    given = {each.name: _value(said[each.name], str(each.type)) for each in fields(made) if each.name in said}
    try:
        return made(**given)
    except TypeError as error:
        raise ValueError(f"{shelf}: a field is missing") from error


def _rows(values: Mapping[str, str], made: type[R]) -> Iterator[R]:
    for key in sorted(values):
        shelf, _, _ = key.partition(".")
        if _SHELVES.get(shelf) is made and values[key]:
            try:
                row = row_from(shelf, json.loads(values[key]))
            except (TypeError, ValueError, RecursionError):
                continue
            if isinstance(row, made):
                yield row


def _value(given: object, wanted: str) -> Any:  # noqa: ANN401 - whatever the field holds
    if wanted == "tuple[str, ...]" and isinstance(given, list) and all(isinstance(each, str) for each in given):
        return tuple(given)
    if wanted == "float" and isinstance(given, int | float) and not isinstance(given, bool):
        return float(given)
    if wanted == type(given).__name__:
        return given
    raise ValueError(f"{given!a:.40} is no {wanted}")
