"""From a name as somebody spelt it to the kind or relation type it means, or to a refusal that helps."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.vocabulary.kinds import KINDS
from weft.vocabulary.relation_types import RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.vocabulary.kinds import Kind
    from weft.vocabulary.relation_types import RelationType

__all__ = ["kind_named", "relation_type_named"]

_SHOWN_MAX: Final = 60  # characters of a refused name that are repeated in the answer

_TYPE_NAMES: Final[Mapping[str, str]] = {
    name: row.name for row in RELATION_TYPES.values() for name in (row.name, *row.aliases)
}
_INVERSES: Final[Mapping[str, str]] = {row.inverse: row.name for row in RELATION_TYPES.values() if not row.symmetric}


def kind_named(name: str) -> Kind:
    """Return the kind that ``name`` means; case, spaces and hyphens do not matter (``Code Pattern``).

    Raises:
        InvalidArgument: no kind has that name; the message names the nearest and all there are.
    """
    kind = KINDS.get(_folded(name))
    if kind is None:
        raise _refusal(name, field="kind", known=tuple(KINDS))
    return kind


def relation_type_named(name: str) -> RelationType:
    """Return the relation type that ``name`` means; case, spaces and hyphens do not matter, true synonyms fold.

    A label seen from the target (``superseded_by``) is refused with the name it belongs to: folding it would swap the
    ends behind the caller's back.

    Raises:
        InvalidArgument: no relation type has that name; the message names the nearest and all there are.
    """
    folded = _folded(name)
    if folded in _TYPE_NAMES:
        return RELATION_TYPES[_TYPE_NAMES[folded]]
    if folded in _INVERSES:
        forward = _INVERSES[folded]
        raise InvalidArgument(
            f"type: {folded} is {forward} seen from the other end.",
            hint=f"Use {forward} and swap source and target.",
        )
    raise _refusal(name, field="type", known=tuple(RELATION_TYPES), spellings=_TYPE_NAMES)


def _folded(name: str) -> str:
    return "_".join(name.casefold().replace("-", " ").replace("_", " ").split())


def _refusal(
    name: str, *, field: str, known: tuple[str, ...], spellings: Mapping[str, str] | None = None
) -> InvalidArgument:
    shown = name if len(name) <= _SHOWN_MAX else name[:_SHOWN_MAX] + "…"
    names = spellings or {each: each for each in known}
    nearest = difflib.get_close_matches(_folded(name[:_SHOWN_MAX]), names, n=1, cutoff=0.0)
    return InvalidArgument(
        f"{field}: {shown!a} is not known; the nearest is {names[nearest[0]]}. Allowed: {', '.join(known)}.",
        hint=f"Use one of the allowed names for {field}.",
    )
