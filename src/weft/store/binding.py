"""Values as SQLite takes them: a list travels as a JSON array, anything else as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft.model.codec import json_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["bound"]

_LISTS = (list, tuple)


def bound(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``values`` with each list and tuple among them as a JSON array.

    Raises:
        ValueError, TypeError: a list holds what has no form in JSON.
    """
    return {name: _array(value) if type(value) in _LISTS else value for name, value in values.items()}


def _array(values: Sequence[Any]) -> str:
    """Return ``values`` as a JSON array; nearly all hold whole numbers or plain texts, which need no encoder."""
    kinds = set(map(type, values))
    if kinds == {int}:
        return str([*values])
    if kinds == {str}:
        plain = '","'.join(values)
        if plain.isprintable() and "\\" not in plain and plain.count('"') == 2 * len(values) - 2:
            return f'["{plain}"]'
    return json_text(values)
