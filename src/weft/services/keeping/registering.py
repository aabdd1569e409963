"""The graph's own kinds and relation types: listed, registered, and taken away again while nothing is of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.errors import Conflict, InvalidArgument
from weft.model import Page, Registered, SuggestionQuery, Tier
from weft.services.registering import register
from weft.vocabulary import STANDARD, Kind, folded, key_of

if TYPE_CHECKING:
    from weft.model import Call
    from weft.ports import Config, Store
    from weft.vocabulary import RelationType, Row

__all__ = ["Registering"]

_PAGE: Final = 500
"""Suggestions that are looked through at once."""


class Registering:
    """Lists and changes what one graph knows beside the standard vocabulary.

    Another process that has the graph open knows a new name as soon as it meets it; what was replaced or taken away it
    goes by until then, or until it opens the graph again.
    """

    def __init__(self, config: Config, *, store: Store) -> None:
        self._config = config
        self._store = store

    def list(self) -> tuple[Registered, ...]:
        """Return what the graph registered itself: kinds, then relation types, each in the order of their names."""
        return tuple(each for each in self.all() if each.own)

    def all(self) -> tuple[Registered, ...]:
        """Return everything the graph knows: kinds, then relation types, of each the graph's own first."""
        vocabulary = self._store.vocabulary
        vocabulary.refresh()
        kinds = sorted(vocabulary.kinds.values(), key=lambda row: row.name in STANDARD.kinds)
        types = sorted(vocabulary.types.values(), key=lambda row: row.name in STANDARD.types)
        return self._shown(*kinds, *types)

    def add_kind(self, kind: Kind, call: Call) -> Registered:
        """Register a kind, or redefine one of the graph's own; one that stands in the very same form stays.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            InvalidArgument: it cannot be registered; see :func:`weft.services.registering.checked`.
        """
        return self._add(kind, call)

    def add_type(self, type: RelationType, call: Call) -> Registered:  # noqa: A002 - the field's word
        """Register a relation type, or redefine one of the graph's own; one that stands in the very same form stays.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            InvalidArgument: it cannot be registered; see :func:`weft.services.registering.checked`.
        """
        return self._add(type, call)

    def remove(self, name: str, call: Call) -> Registered:
        """Take away a kind or relation type of the graph's own of which nothing stands, and return what it was.

        Open suggestions that propose it do not keep it: they are counted, and can only be dismissed from then on.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            InvalidArgument: the graph has none of that name, or it is a standard one.
            Conflict: nodes or relations of it stand, or a relation type of the graph's own names the kind.
        """
        call.require(Tier.CURATOR, "vocabulary remove")
        (found,) = self._shown(self._own(folded(name)))
        _refuse_used(found.row, found.uses)
        self._refuse_named(found.row)
        _refuse_used(found.row, self._config.withdraw(key_of(found.row), tier=call.tier))
        self._store.vocabulary.refresh()
        return replace(found, proposals=self._proposals(found.row))

    def _add(self, row: Row, call: Call) -> Registered:
        call.require(Tier.CURATOR, "vocabulary add")
        vocabulary = self._store.vocabulary
        register(row, vocabulary, config=self._config, call=call)
        name = folded(row.name)
        (made,) = self._shown(vocabulary.kinds[name] if isinstance(row, Kind) else vocabulary.types[name])
        return made

    def _own(self, name: str) -> Row:
        vocabulary = self._store.vocabulary
        vocabulary.refresh()
        if name in STANDARD.kinds or name in STANDARD.types:
            raise InvalidArgument(f"name: {name} is standard, and stays; only the graph's own can be removed.")
        own = vocabulary.own.rows
        for row in own:
            if row.name == name:
                return row
        there = f"there are {', '.join(row.name for row in own)}" if own else "it has none"
        raise InvalidArgument(f"name: {name[:60]!a} is no kind or relation type of the graph's own; {there}.")

    def _proposals(self, row: Row) -> int:
        """Return how many open suggestions propose ``row``."""
        verb, field = ("kind", "kind") if isinstance(row, Kind) else ("relate", "type")
        count, seen, total = 0, 0, 1
        while seen < total:
            query = SuggestionQuery(page=Page(limit=_PAGE, offset=seen))
            found, total = self._store.suggestions(query)
            count += sum(folded(str(each.proposal.get(verb, {}).get(field, ""))) == row.name for each in found)
            seen += _PAGE
        return count

    def _refuse_named(self, row: Row) -> None:
        types = self._store.vocabulary.own.types
        naming = [each.name for each in types if row.name in {*each.source_kinds, *each.target_kinds}]
        if isinstance(row, Kind) and naming:
            raise Conflict(f"{row.name} is in use: {', '.join(naming)} names it among the kinds it fits.")

    def _shown(self, *rows: Row) -> tuple[Registered, ...]:
        counts = self._store.counts()
        return tuple(
            Registered(
                row=row,
                own=row.name not in (STANDARD.kinds if isinstance(row, Kind) else STANDARD.types),
                uses=(counts.nodes_by_kind if isinstance(row, Kind) else counts.relations_by_type).get(row.name, 0),
            )
            for row in rows
        )


def _refuse_used(row: Row, uses: int) -> None:
    if uses:
        what = "nodes of this kind" if isinstance(row, Kind) else "relations of this type"
        raise Conflict(
            f"{row.name} is in use; {what} that stand: {uses}.",
            hint="Give them another first, or forget them; what is in use keeps its meaning.",
        )
