"""Words that an argument chooses among (a status, a mode, the size of a leap), read as names of kinds are.

Case, spaces and hyphens do not matter: ``Needs review`` is needs_review, ``high`` is HIGH.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from weft.vocabulary import folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic import BaseModel

__all__ = ["chosen"]


def chosen(model: type[BaseModel], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``given`` with each word of a choice as its argument spells it; what is no such word stays as it is."""
    choices = _choices(model)
    return {name: _spelled(choices[name], value) if name in choices else value for name, value in given.items()}


def _spelled(words: Mapping[str, str], value: object) -> object:
    if isinstance(value, (list, tuple)):
        return [_spelled(words, each) for each in value]
    return words.get(folded(value), value) if isinstance(value, str) else value


@cache
def _choices(model: type[BaseModel]) -> dict[str, dict[str, str]]:
    """Return, for each argument of ``model`` that chooses, its words by their folded spelling."""
    words = {name: [*_words(field.annotation)] for name, field in model.model_fields.items()}
    return {name: {folded(word): word for word in found} for name, found in words.items() if found}


def _words(annotation: Any) -> Iterator[str]:  # noqa: ANN401 - an annotation may be anything
    if get_origin(annotation) is Literal:
        yield from (word for word in get_args(annotation) if isinstance(word, str))
    elif isinstance(annotation, type) and issubclass(annotation, StrEnum):
        yield from (word.value for word in annotation)
    else:
        for part in get_args(annotation):
            yield from _words(part)
