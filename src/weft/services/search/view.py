"""The graph as a question sees it: as it stands, or as it stood, and only what the question's filter lets in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.model import Status
from weft.model.times import in_utc, just_before
from weft.services.drafting import fraction, refuse_unknown, scope_named, several
from weft.services.naming import resolve
from weft.services.search.admitting import admits
from weft.services.search.neighbourhood import around, mentioned_around
from weft.services.search.spelling import spelt
from weft.text import as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from weft.model import Filter, Node, SearchRequest
    from weft.ports import Log, Shelf, Store
    from weft.vocabulary import Vocabulary

__all__ = ["View", "checked_filter", "view"]

RELATED_HOPS: Final = 2
"""How many relations away a node may lie from the one that ``related_to`` names."""

_MINUTE: Final = "%Y-%m-%d %H:%M"


class View:
    """Nodes through a filter. ``empty`` is true where the filter can let nothing in.

    ``warning`` names what the filter asks for and no node has, or says that nothing was written in the time that is
    asked for; empty where there is no such thing.
    """

    def __init__(
        self,
        *,
        store: Store,
        log: Log,
        filter: Filter,  # noqa: A002 - the field's word
        empty: bool = False,
        warning: str = "",
    ) -> None:
        self._store = store
        self._log = log
        self.filter = filter
        self.empty = empty
        self.warning = warning
        self._open = filter.is_open
        self._known: dict[str, Node | None] = {}

    def admitted(self, ids: Iterable[str]) -> set[str]:
        """Return those of these standing nodes that the filter lets in; where it lets all in, none is read."""
        return set(ids) if self._open else set(self.nodes(ids))

    def nodes(self, ids: Iterable[str]) -> dict[str, Node]:
        """Return those of these nodes that the filter lets in, in the order of ``ids``; each is read once a view."""
        wanted = list(dict.fromkeys(ids))
        missing = [each for each in wanted if each not in self._known]
        if missing:
            read = self._read(missing)
            self._known.update({each: _let_in(self.filter, read.get(each)) for each in missing})
        return {each: node for each in wanted if (node := self._known[each]) is not None}

    def narrowed(self, ids: Sequence[str]) -> View:
        """Return the same, but only these of the nodes that are let in, one or more."""
        within = replace(self.filter, within=tuple(ids))
        return View(store=self._store, log=self._log, filter=within, empty=self.empty, warning=self.warning)

    def _read(self, ids: Sequence[str]) -> dict[str, Node]:
        if self.filter.as_of is None:
            return self._store.nodes(ids)
        return self._log.nodes_as_of(ids, self.filter.as_of)


def view(request: SearchRequest, *, store: Store, log: Log, shelf: Shelf) -> View:
    """Return what ``request`` looks at: its filter, its time, and the neighbourhood it asks for.

    Raises:
        InvalidArgument: the filter names an unknown kind or status, or a value is out of bounds.
        NotFound, Ambiguous: ``related_to`` names no node, or several.
    """
    filter = checked_filter(request.filter, store.vocabulary)  # noqa: A001 - the field's word
    if request.as_of is not None:
        filter = replace(filter, as_of=log.position(in_utc(request.as_of, field="as_of")))  # noqa: A001
    filter, unknown = spelt(filter, shelf)  # noqa: A001
    warning = unknown.warning or _unwritten(request, filter, log)
    if unknown.all_out or not as_text(request.related_to, field="related_to").strip():
        return View(store=store, log=log, filter=filter, empty=unknown.all_out or filter.as_of == 0, warning=warning)
    centre = resolve(store, request.related_to, field="related_to").id
    near = around(store, centre, hops=RELATED_HOPS, scope=filter.scope, as_of=filter.as_of)
    near = near or mentioned_around(shelf, centre)
    within = tuple(each for each in near if not filter.within or each in filter.within)
    return View(store=store, log=log, filter=replace(filter, within=within), empty=not within, warning=warning)


def _unwritten(request: SearchRequest, filter: Filter, log: Log) -> str:  # noqa: A002 - the field's word
    """Return what to tell of a time in which nothing was written; empty where something was."""
    if filter.as_of == 0:
        return f"Nothing had been written by {request.as_of:{_MINUTE}} UTC."
    end = log.head() if filter.as_of is None else filter.as_of
    if filter.since is None or log.position(just_before(filter.since)) < end:
        return ""
    if request.as_of is None:
        return f"Nothing was written or changed since {filter.since:{_MINUTE}} UTC."
    return f"Nothing was written or changed from {filter.since:{_MINUTE}} to {request.as_of:{_MINUTE}} UTC."


def checked_filter(filter: Filter, vocabulary: Vocabulary) -> Filter:  # noqa: A002 - the field's word
    """Return ``filter`` with the kinds' stored names, as ``vocabulary`` knows them.

    Raises:
        InvalidArgument: a kind, the status or the scope is unknown, the confidence lies outside 0..1, or one text
            stands where several are taken, or ``since`` is no time.
    """
    if filter.status:
        refuse_unknown(filter.status, Status, field="status")
    fraction(filter.confidence_min, field="min_confidence")
    return replace(
        filter,
        since=None if filter.since is None else in_utc(filter.since, field="since"),
        kinds=tuple(vocabulary.kind_named(kind).name for kind in several(filter.kinds, field="kinds")),
        ontologies=several(filter.ontologies, field="ontologies"),
        tags=several(filter.tags, field="tags"),
        within=several(filter.within, field="within"),
        scope=scope_named(filter.scope),
    )


def _let_in(filter: Filter, node: Node | None) -> Node | None:  # noqa: A002 - the field's word
    return node if node is not None and admits(filter, node) else None
