"""The graph, read: everything :class:`weft.ports.Store` answers."""

from __future__ import annotations

import json
from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from weft.errors import InvalidArgument
from weft.model import Counts, Found
from weft.model.codec import node_from, relation_from
from weft.store.engine import AFTER_ALL
from weft.store.filters import matches, where
from weft.store.moved import brought_up
from weft.store.rows import (
    evidence_of,
    node_of,
    receipt_of,
    relation_of,
    source_of,
    suggestion_of,
)
from weft.text import fold
from weft.vocabulary import Own, Vocabulary, own_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import (
        Batch,
        Committed,
        Evidence,
        Filter,
        Node,
        Page,
        Receipt,
        Relation,
        Source,
        Suggestion,
        SuggestionQuery,
    )
    from weft.store.commit import Commits
    from weft.store.engine import Database

__all__ = ["SqlStore"]

_id_of = attrgetter("id")

_PREFIX_MIN = 8


class SqlStore:
    """The :class:`weft.ports.Store` of a graph in SQL."""

    def __init__(self, database: Database, commits: Commits) -> None:
        self._database = database
        self._commits = commits
        self.vocabulary = Vocabulary(self._own)

    def _own(self) -> Own:
        return own_from(dict(self._database.read("config_values")))

    def commit(self, batch: Batch) -> Committed:
        """Write the whole batch durably, log it and keep its receipt, or write nothing (see :class:`Commits`)."""
        return self._commits.commit(batch)

    def nodes(self, ids: Sequence[str]) -> dict[str, Node]:
        """Return the nodes of these ids, retired ones too; unknown ids are left out."""
        found = {row[0]: node_of(row) for row in self._database.read("nodes_by_id", ids=list(ids))}
        return {id_: found[id_] for id_ in ids if id_ in found}

    def resolve(self, reference: str, *, limit: int) -> tuple[Node, ...]:
        """Return the standing nodes that ``reference`` may name; more than one means ambiguous.

        The first of these that answers: id, or id of a node merged away; handle; title, exact or else folded; alias;
        id prefix of 8 characters or more.
        """
        wanted = reference.strip()
        with self._database.snapshot() as reader:
            if rows := reader.read("node_by_id_or_merge", id=wanted):
                return (node_of(rows[0]),)
            if rows := reader.read("nodes_named", name=fold(wanted), reference=wanted, limit=limit):
                role = rows[0][-1]
                named = tuple(node_of(row) for row in rows if row[-1] == role)
                return tuple(node for node in named if role == "title" and node.title == wanted) or named
            if len(wanted) < _PREFIX_MIN:
                return ()
            rows = reader.read("nodes_by_prefix", first=wanted, last=wanted + AFTER_ALL, limit=limit)
            return tuple(node_of(row) for row in rows)

    def find(self, filter: Filter, page: Page) -> Found:  # noqa: A002 - the field's word
        """Return a page of matching nodes, newest first, with the true total.

        In the past (``filter.as_of``) this reads every node that stood then.

        Raises:
            InvalidArgument: the page has no length or begins before the first row.
        """
        _check(page)
        if filter.as_of is not None:
            return self._find_past(filter, page, filter.as_of)
        conditions = where(filter)
        with self._database.snapshot() as reader:
            if conditions.tallied is None:
                total = reader.read("nodes_counted", where=conditions.parts, **conditions.values)[0][0]
            else:
                total = reader.read("tally_counted", where=conditions.tallied, **conditions.values)[0][0]
            rows = reader.read(
                "nodes_found", where=conditions.parts, limit=page.limit, offset=page.offset, **conditions.values
            )
        newest = sorted((node_of(row) for row in rows), key=_id_of, reverse=True)
        return Found(nodes=tuple(newest), total=total)

    def _find_past(self, filter: Filter, page: Page, as_of: int) -> Found:  # noqa: A002 - the field's word
        stood = (node_from(json.loads(row[0])) for row in self._database.read("nodes_past", as_of=as_of) if row[0])
        matching = sorted((node for node in stood if matches(node, filter)), key=_id_of, reverse=True)
        return Found(nodes=tuple(matching[page.offset : page.offset + page.limit]), total=len(matching))

    def relations(
        self, ids: Sequence[str], *, types: Sequence[str] = (), per_node: int = 1000, as_of: int | None = None
    ) -> tuple[Relation, ...]:
        """Return the relations that touch any of these nodes, seen from both ends, strongest first, each once.

        Of each node at most the ``per_node`` strongest count.
        """
        wanted = sorted(set(ids))
        if as_of is not None:
            return self._relations_past(wanted, types, per_node, as_of)
        part: tuple[tuple[str, ...], dict[str, Any]] = (("if_type",), {"types": list(types)}) if types else ((), {})
        rows = self._database.read("relations_touching", where=part[0], ids=wanted, per_node=per_node, **part[1])
        return tuple(relation_of(row) for row in rows)

    def _relations_past(self, ids: list[str], types: Sequence[str], per_node: int, as_of: int) -> tuple[Relation, ...]:
        rows = self._database.read("relations_as_of", ids=ids, as_of=as_of)
        stood = [relation_from(json.loads(row[0])) for row in rows if row[0]]
        strongest = sorted(stood, key=lambda relation: (-relation.confidence, relation.id))
        taken: Counter[str] = Counter()
        kept = []
        for relation in strongest:
            ends = {relation.source, relation.target} & set(ids)
            if (not types or relation.type in types) and any(taken[end] < per_node for end in ends):
                kept.append(relation)
                taken.update(ends)
        return tuple(kept)

    def evidence(self, subjects: Sequence[str]) -> tuple[Evidence, ...]:
        """Return the evidence under these nodes or relations, oldest first."""
        return tuple(evidence_of(row) for row in self._database.read("evidence_under", subjects=list(subjects)))

    def sources(self, ids: Sequence[str]) -> dict[str, Source]:
        """Return the sources of these ids; unknown ids are left out."""
        return {row[0]: source_of(row) for row in self._database.read("sources_by_id", ids=list(ids))}

    def source_of(self, document: str, ontology: str) -> Source | None:
        """Return the newest source of this document name in this ontology, or None."""
        rows = self._database.read("source_of", document=document, ontology=ontology)
        return source_of(rows[0]) if rows else None

    def suggestions(self, query: SuggestionQuery) -> tuple[tuple[Suggestion, ...], int]:
        """Return a page of suggestions, best score first, and how many there are in all.

        Raises:
            InvalidArgument: the page has no length or begins before the first row.
        """
        given: tuple[tuple[str, str, Any], ...] = (
            ("if_suggestion_state", "state", query.state),
            ("if_suggestion_kind", "kinds", [kind.value for kind in query.kinds]),
            ("if_suggestion_subject", "subject", query.subject),
            ("if_suggestion_dedup", "dedups", list(query.dedups)),
        )
        parts = tuple(part for part, _, value in given if value)
        values = {name: value for _, name, value in given if value}
        page = query.page
        _check(page)
        with self._database.snapshot() as reader:
            total = reader.read("suggestions_counted", where=parts, **values)[0][0]
            rows = reader.read("suggestions_found", where=parts, limit=page.limit, offset=page.offset, **values)
        return tuple(suggestion_of(row) for row in rows), total

    def receipt(self, *, actor: str, tool: str, key: str) -> Receipt | None:
        """Return the remembered answer of a call, or None; it acknowledges, so what it tells of must last."""
        rows = self._database.read("receipt_by_key", actor=actor, tool=tool, key=key)
        if not rows:
            return None
        self._database.assure()
        return receipt_of(rows[0])

    def counts(self) -> Counts:
        """Return how much of what the graph holds."""
        with self._database.snapshot() as reader:
            tally = reader.read("tally_values")
            bands = dict(reader.read("confidence_bands"))
            sources, mentions, passages, suggestions = reader.read("sizes")[0]
        nodes = [row for row in tally if row[0] == "node"]
        relations = [row for row in tally if row[0] == "relation"]
        return Counts(
            nodes=sum(row[5] for row in nodes),
            relations=sum(row[5] for row in relations),
            sources=sources,
            passages=passages,
            suggestions_open=suggestions,
            retired=sum(row[5] for row in tally if row[0] == "retired"),
            mentions=mentions,
            nodes_by_kind=_summed(nodes, 1),
            nodes_by_ontology=_summed(nodes, 2),
            nodes_by_origin=_summed(nodes, 3),
            nodes_by_status=_summed(nodes, 4),
            nodes_by_confidence=bands,
            relations_by_type=_summed(relations, 1),
            relations_by_origin=_summed(relations, 3),
        )

    def facts(self) -> dict[str, Any]:
        """Return what is known of the graph itself.

        ``name``, ``model``, ``dimension``, ``schema``, ``engine`` and ``series``: the next number of each. Where
        another release has brought it up since it was opened here, so that no write is taken, ``brought_up`` says so;
        where the engine takes none from anybody now, ``read_only``.
        """
        with self._database.snapshot() as reader:
            meta = dict(reader.read("meta_values"))
            series = {name: value + 1 for name, value in reader.read("series_values")}
            newer = bool(self._database.embedding) and brought_up(reader.read("graph_held"), self._database.schema)
            closed = reader.read("writes_taken") != [(1,)]
        known = {"dimension": int(meta["dimension"]), "schema": self._database.schema, "series": series}
        del meta["words"]  # how they are cut is the store's own business
        told = {name: True for name, so in (("brought_up", newer), ("read_only", closed)) if so}
        return meta | known | {"engine": self._database.engine} | told


def _check(page: Page) -> None:
    """Refuse what the engine would take for «all rows»."""
    if page.limit < 1 or page.offset < 0:
        raise InvalidArgument(f"A page has a limit of 1 or more and an offset of 0 or more, not {page}.")


def _summed(rows: list[tuple[Any, ...]], column: int) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for row in rows:
        sums[row[column]] += row[5]
    return dict(sums)
