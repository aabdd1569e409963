"""From a name as somebody spelt it to the kind or relation type it means, or to a refusal that helps."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.vocabulary.kinds import KINDS, Kind
from weft.vocabulary.own import Own
from weft.vocabulary.relation_types import RELATION_TYPES, RelationType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["STANDARD", "Vocabulary", "folded"]

_SHOWN_MAX: Final = 60  # characters of a refused name that are repeated in the answer
_NEAR_MIN: Final = 0.5  # likeness from which on a name may be the one that was meant: «foo» is no «workflow»
_UNKNOWN: Final = "records"  # the folder of nodes whose kind nobody registered: never a name that is not ours


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tables:
    """What is known, by stored name; and the stored name for every spelling, and for every label of the other end."""

    own: Own
    kinds: Mapping[str, Kind]
    types: Mapping[str, RelationType]
    spellings: Mapping[str, str]
    inverses: Mapping[str, str]


@lru_cache(maxsize=64)
def _tables(own: Own) -> _Tables:
    """Return the standard vocabulary with a graph's own; where two rows claim one name, the standard one has it."""
    kinds = {**KINDS, **{row.name: row for row in own.kinds if row.name not in KINDS}}
    types = {**RELATION_TYPES, **{row.name: row for row in own.types if row.name not in RELATION_TYPES}}
    rows = [*reversed(types.values())]  # so that the standard ones are entered last, and stand
    return _Tables(
        own=own,
        kinds=MappingProxyType(kinds),
        types=MappingProxyType(types),
        spellings={
            **{name: name for name in types},
            **{alias: row.name for row in rows for alias in row.aliases if alias not in types},
        },
        inverses={row.inverse: row.name for row in rows if not row.symmetric},
    )


_SPELLINGS: Final = _tables(Own()).spellings


class Vocabulary:
    """The kinds and relation types that one graph knows: the standard ones, and its own.

    ``own`` returns the graph's own as they stand; it is asked at the first need, whenever a name is met that is not
    known, and whenever somebody names one of them: what another process registered is known as soon as it is met, and
    what it removed is refused. Threads may share it.
    """

    def __init__(self, own: Callable[[], Own] = Own) -> None:
        self._own = own
        self._read: _Tables | None = None

    @property
    def own(self) -> Own:
        """What the graph registered itself, as it was read last."""
        return self._tables.own

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """Every kind by name: the standard ones in their order, then the graph's own."""
        return self._tables.kinds

    @property
    def types(self) -> Mapping[str, RelationType]:
        """Every relation type by name: the standard ones in their order, then the graph's own."""
        return self._tables.types

    def kind_named(self, name: str) -> Kind:
        """Return the kind that ``name`` means; case, spaces and hyphens do not matter (``Code Pattern``).

        Raises:
            InvalidArgument: no kind has that name; the message names what comes near, and all there are.
        """
        wanted = folded(name)
        known = self._tables if wanted in KINDS else self.refresh()
        if wanted not in known.kinds:
            raise _refusal(name, field="kind", spellings=dict(zip(known.kinds, known.kinds, strict=True)))
        return known.kinds[wanted]

    def type_named(self, name: str) -> RelationType:
        """Return the relation type that ``name`` means; case, spaces and hyphens do not matter, true synonyms fold.

        A label seen from the target (``superseded_by``) is refused with the name it belongs to: folding it would swap
        the ends behind the caller's back.

        Raises:
            InvalidArgument: no relation type has that name; the message names what comes near, and all there are.
        """
        wanted = folded(name)
        known = self._tables if wanted in _SPELLINGS else self.refresh()
        if wanted in known.spellings:
            return known.types[known.spellings[wanted]]
        if forward := known.inverses.get(wanted):
            raise InvalidArgument(
                f"type: {wanted} is {forward} seen from the other end.",
                hint=f"Use {forward} and swap source and target.",
            )
        raise _refusal(name, field="type", spellings=known.spellings)

    def label_named(self, name: str) -> str:
        """Return the name of the type that ``name`` is, or the label seen from the target, folded: ``supported_by``.

        For whoever says which of the two ends is meant, as a wish of a new node does. ``superseded_by`` is refused: a
        node is marked by what takes its place, and a new one is not there to be marked.

        Raises:
            InvalidArgument: it is neither.
        """
        forward = self.forward_of(name)
        return self.type_named(name).name if forward is None or forward.name == "supersedes" else folded(name)

    def forward_of(self, label: str) -> RelationType | None:
        """Return the type whose label seen from the target is ``label``, if any; symmetric types have none."""
        name = self._tables.inverses.get(folded(label))
        return self.types[name] if name else None

    def kind(self, stored: str) -> Kind:
        """Return the kind of a stored node; one that nobody registered is a plain record."""
        found = self._tables.kinds.get(stored) or self.refresh().kinds.get(stored)
        return found or Kind(name=stored, plural=_UNKNOWN, family="record", meaning="", exemplars=())

    def type(self, stored: str) -> RelationType:
        """Return the type of a stored relation; one that nobody registered says that two things belong together."""
        found = self._tables.types.get(stored) or self.refresh().types.get(stored)
        return found or RelationType(name=stored, family="likeness", inverse=f"{stored}_of", meaning="")

    def knows_kind(self, stored: str) -> bool:
        """Return whether there is a kind of this very name."""
        return stored in self.kinds or stored in self.refresh().kinds

    def knows_type(self, stored: str) -> bool:
        """Return whether there is a relation type of this very name."""
        return stored in self.types or stored in self.refresh().types

    def refresh(self) -> _Tables:
        """Read the graph's own anew."""
        self._read = read = _tables(self._own())
        return read

    @property
    def _tables(self) -> _Tables:
        return self._read or self.refresh()


STANDARD: Final = Vocabulary()
"""What every graph knows."""


def folded(name: str) -> str:
    """Return a name as it is stored: lower case, words joined by underscores."""
    return "_".join(name.casefold().replace("-", " ").replace("_", " ").split())


def _refusal(name: str, *, field: str, spellings: Mapping[str, str]) -> InvalidArgument:
    shown = name if len(name) <= _SHOWN_MAX else name[:_SHOWN_MAX] + "…"
    nearest = difflib.get_close_matches(folded(name[:_SHOWN_MAX]), spellings, n=1, cutoff=_NEAR_MIN)
    near = f"; the nearest is {spellings[nearest[0]]}" if nearest else ""
    allowed = ", ".join(dict.fromkeys(spellings.values()))
    return InvalidArgument(
        f"{field}: {shown!a} is not known{near}. Allowed: {allowed}.",
        hint=f"Use one of the allowed names for {field}.",
    )
