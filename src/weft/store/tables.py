"""The tables that a copy of a graph carries, in an order in which no row points at one that is still to come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["PASSAGE", "TABLES", "TERM", "WORDS", "Table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table: its columns with their types, its primary key, and how many rows are carried at once.

    A type is ``text``, ``int8``, ``float8`` or ``halfvec`` (a vector, which is bytes to us, as ``bytea`` is).
    """

    name: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    key: tuple[str, ...]
    page: int

    def key_of(self, row: tuple[object, ...]) -> tuple[object, ...]:
        """Return the primary key of ``row``."""
        return tuple(row[self.columns.index(name)] for name in self.key)


def _table(name: str, columns: str, *, key: str, page: int = 1_000) -> Table:
    """Return a table from ``column:type`` words; no type is text."""
    pairs = [word.partition(":") for word in columns.split()]
    return Table(
        name=name,
        columns=tuple(column for column, _, _ in pairs),
        types=tuple(type_ or "text" for _, _, type_ in pairs),
        key=tuple(key.split()),
        page=page,
    )


# Texts can be long, so fewer of these are held at once, and fewest documents.
_SOURCE = _table("source", "id document ontology type text digest path created_at created_by hash", key="id", page=20)
_NODE = _table(
    "node",
    "row:int8 id kind title content ontology lists names citation confidence:float8 importance:float8 status"
    " retired_at retired_by retired_why merged_into session origin channel learned_id created_at created_by"
    " modified_at modified_by version:int8 hash",
    key="row",
    page=500,
)
PASSAGE: Final = _table(
    "passage",
    "row:int8 node:int8 ordinal:int8 start:int8 end:int8 vector:halfvec from_seq:int8 to_seq:int8 word_vectors:bytea",
    key="row",
)
"""Passages as both engines have them; the words of each are cut anew."""

_RELATION = _table(
    "relation",
    "id source target type reasoning confidence:float8 origin rule scores learned_id valid_from valid_to created_at"
    " created_by version:int8 hash",
    key="source target type",
)
_EVIDENCE = _table(
    "evidence",
    "id subject source paragraph:int8 start:int8 end:int8 quote type creator similarity:float8 leap learned_id"
    " created_at version:int8 hash",
    key="id",
)
_SUGGESTION = _table(
    "suggestion",
    "id kind dedup subjects summary grounds proposal score:float8 state created_at created_by decided_at decided_by"
    " decided_why version:int8 hash",
    key="id",
)

TABLES: Final = (
    _SOURCE,
    _NODE,
    PASSAGE,
    _RELATION,
    _EVIDENCE,
    _SUGGESTION,
    _table("vote", "learned_id actor value:int8 reason at", key="learned_id actor"),
    _table("series", "name value:int8", key="name"),
    _table("receipt", "actor tool key digest answer subjects batch", key="actor tool key", page=200),
    _table(
        "change",
        "seq:int8 at actor client tool session batch subject subject_id action before after",
        key="seq",
        page=250,
    ),
    _table("mention", "node target name", key="node target"),
    _table("tag", "tag node:int8", key="tag node"),
    _table("reference", "path node:int8", key="path node"),
    _table("name", "name role node:int8", key="name role node"),
    _table("suggestion_subject", "subject suggestion", key="subject suggestion"),
    _table("tally", "subject kind ontology origin status count:int8", key="subject kind ontology origin status"),
    _table("file_print", "node:int8 reference root file digest", key="node reference"),
    _table("confidence_band", "band count:int8", key="band"),
)
"""Everything that is carried row by row. What triggers keep is carried too: a node that has retired has no names, which
they would give it, and a count that came down to nothing stands as 0."""

TERM: Final = _table("term", "term df:int8", key="term")
"""In how many passages a word ever stood: counted in the copy from the words that were cut for it."""

WORDS: Final = _table("words", "row:int8 length:int8", key="row")
"""How many words each passage has in the full text; each engine keeps it in its own way."""
