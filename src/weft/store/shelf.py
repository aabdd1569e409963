"""Where knowledge lies side by side: every question goes through an index and reads a bounded number of rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from weft.model import FoundRelations, Mention
from weft.store.engine import AFTER_ALL
from weft.store.filters import where
from weft.store.rows import relation_of
from weft.text import STOP_WORDS, grams
from weft.text.scripts import IDEOGRAMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.model import Filter, Node, Page
    from weft.store.engine import Database

__all__ = ["SqlShelf"]

_SHARERS_A_MARK = 200
_SHARERS_MAX = 400
_NAME_MIN = 3
_WORD_OF_TWO = re.compile(f"[{IDEOGRAMS}]{{2}}")
_HOLDERS_A_NAME = 4
_NAMES_A_READ = 5_000
_BESIDE_READ_MAX = 1_000
_NAMED_READ_MAX = 5_000
_FOLDERS_MAX = 12
_NAMES_USED = {"tags": "tags_used", "ontologies": "ontologies_used"}

# For a page of all relations and for one of a node's: what reads it, what counts it, and the condition on the type.
_RELATION_PAGES = (
    ("relations_paged", "relations_tallied", "if_of_type"),
    ("relations_of_node", "relations_of_node_counted", "if_also_of_type"),
)


class SqlShelf:
    """The :class:`weft.ports.Shelf` of a graph in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def sharing(self, node: Node, *, limit: int) -> tuple[str, ...]:
        """Return ids of nodes that share a tag, a reference or a session with ``node``, most shared first, then newest.

        Of each tag, file or session the newest 200 nodes are looked at, and 400 in all, those of the rarest first.
        """
        marks = sorted(self._sharers(node), key=len)
        rows = list(dict.fromkeys(row for mark in marks for row in mark))[:_SHARERS_MAX]
        found = self._database.read(
            "sharers_ranked",
            rows=rows,
            tags=list(dict.fromkeys(node.tags)),
            paths=list(dict.fromkeys(node.references)),
            session=node.session,
            id=node.id,
            limit=limit,
        )
        return tuple(id_ for id_, _ in found)

    def named_in(self, text: str, *, limit: int) -> tuple[Mention, ...]:
        """Return the nodes whose title or alias stands in ``text`` as whole words; ``Mention.node`` is empty.

        Names of three characters or more count, but for a stop word alone, and words of two in Han or Hangul; longest
        first, each node once. Of nodes that go by the same name, the four oldest.
        """
        names = [name for name in dict.fromkeys(gram[0] for gram in grams(text)) if _is_telling(name)]
        found: list[tuple[str, str]] = []
        for start in range(0, len(names), _NAMES_A_READ):
            found += self._database.read(
                "names_found", names=names[start : start + _NAMES_A_READ], per_name=_HOLDERS_A_NAME
            )
        longest: dict[str, str] = {}
        for name, target in sorted(found, key=lambda pair: -len(pair[0])):
            longest.setdefault(target, name)
        return tuple(Mention(node="", target=target, name=name) for target, name in longest.items())[:limit]

    def mentions(self, ids: Sequence[str], *, per_node: int) -> tuple[Mention, ...]:
        """Return the mentions that touch any of these nodes, up to ``per_node`` in either direction, each once."""
        found = self._database.read("mentions_touching", ids=list(dict.fromkeys(ids)), per_node=per_node)
        unique = dict.fromkeys(found)
        return tuple(Mention(node=node, target=target, name=name) for node, target, name in unique)

    def by_reference(self, paths: Sequence[str], *, limit: int) -> tuple[str, ...]:
        """Return ids of nodes that refer to one of these files, to a folder above it, then to a file beside it.

        The folders are those that the path itself names, the nearest first, at most 12 levels up.
        """
        wanted = tuple(dict.fromkeys(paths))
        found: dict[str, None] = {}
        above = (folder for path in wanted for folder in _above(path))
        for path in dict.fromkeys((*wanted, *above)):
            found |= dict.fromkeys(row[0] for row in self._database.read("referrers", path=path, limit=limit))
        for folder in dict.fromkeys(filter(None, map(_folder, wanted))):
            if len(found) < limit:
                found |= dict.fromkeys(self._beside(folder, limit))
        return tuple(found)[:limit]

    def by_file_name(self, name: str, *, limit: int) -> tuple[str, ...]:
        """Return ids of nodes that refer to a file of this name in some folder.

        References lie in the order of their paths, so the first 5,000 of them are read: about a millisecond.
        """
        rows = self._database.read("referrers_by_name", tail=f"/{name}", read_max=_NAMED_READ_MAX, limit=limit)
        return tuple(id_ for (id_,) in rows)

    def by_evidence(self, ids: Sequence[str], *, per_node: int) -> dict[str, tuple[str, ...]]:
        """Return, for each of these nodes, those that rest on the same source; nodes that share none are left out."""
        beside: dict[str, list[str]] = {}
        for node, other in self._database.read("evidence_beside", ids=list(dict.fromkeys(ids)), per_node=per_node):
            beside.setdefault(node, []).append(other)
        return {node: tuple(others) for node, others in beside.items()}

    def names_used(self, what: str, beginnings: Sequence[str], *, limit: int) -> tuple[str, ...]:
        """Return the names of tags or ontologies (``what``) that standing nodes use and that begin with one of these.

        Names that are a beginning themselves come first. The index is asked once a name, however many nodes use it.
        """
        rows = self._database.read(
            _NAMES_USED[what], beginnings=list(dict.fromkeys(beginnings)), last=AFTER_ALL, limit=limit
        )
        return tuple(dict.fromkeys(name for (name,) in rows))

    def beside(self, ids: Sequence[str], *, reach: int) -> dict[str, tuple[str, ...]]:
        """Return, for each of these nodes, the ``reach`` standing nodes written before it and after it in its session.

        Nodes without a session, or alone in one, are left out.
        """
        beside: dict[str, list[str]] = {}
        for node, other in self._database.read("session_beside", ids=list(dict.fromkeys(ids)), reach=reach):
            beside.setdefault(node, []).append(other)
        return {node: tuple(others) for node, others in beside.items()}

    def relation_pairs(self, limit: int) -> tuple[tuple[str, str, str], ...]:
        """Return up to ``limit`` (source, target, type) triples."""
        rows = self._database.read("relation_pairs", limit=limit)
        return tuple((source, target, type_) for source, target, type_ in rows)

    def best_related(self, filter: Filter, *, limit: int, looked: int) -> tuple[tuple[str, int], ...]:  # noqa: A002
        """Return up to ``limit`` nodes that pass ``filter`` now, with how many relations each has, most first.

        Of nodes with as many relations the newest come first. Of all that pass, the ``looked`` newest are compared, at
        two looks into an index each.
        """
        conditions = where(filter)
        rows = self._database.read(
            "best_related", where=conditions.parts, looked=looked, limit=limit, **conditions.values
        )
        return tuple((id_, int(degree)) for id_, degree in rows)

    def relations_among(self, ids: Sequence[str], *, limit: int) -> FoundRelations:
        """Return the ``limit`` surest of the relations whose ends are both among these nodes, and how many there are.

        Costs what leads away from these nodes.
        """
        rows = self._database.read("relations_among", ids=list(dict.fromkeys(ids)), limit=limit)
        return FoundRelations(relations=tuple(map(relation_of, rows)), total=rows[0][-1] if rows else 0)

    def relations_paged(self, page: Page, *, node: str = "", type: str = "") -> FoundRelations:  # noqa: A002
        """Return a page of the relations of this type (empty: any), newest first, with the true total.

        With ``node`` only those that touch the node of this id count, strongest first.
        """
        name, counted, condition = _RELATION_PAGES[bool(node)]
        part = (condition,) if type else ()
        bound: dict[str, Any] = {key: value for key, value in (("node", node), ("type", type)) if value}
        with self._database.snapshot() as reader:
            total = reader.read(counted, where=part, **bound)[0][0]
            rows = reader.read(name, where=part, limit=page.limit, offset=page.offset, **bound)
        return FoundRelations(relations=tuple(relation_of(row) for row in rows), total=total)

    def _sharers(self, node: Node) -> Iterator[list[int]]:
        """Yield, for each tag, reference and the session, rows of the newest nodes that have it too."""
        marks = [("sharers_of_tag", "tag", tag) for tag in dict.fromkeys(node.tags)]
        marks += [("sharers_of_reference", "path", path) for path in dict.fromkeys(node.references)]
        marks += [("sharers_of_session", "session", node.session)] if node.session else []
        for name, field, value in marks:
            bound: dict[str, Any] = {field: value, "limit": _SHARERS_A_MARK}
            rows = self._database.read(name, **bound)
            yield [row for (row,) in rows]

    def _beside(self, folder: str, limit: int) -> list[str]:
        """Return the nodes that refer to a file in ``folder`` (it ends in a slash), not in the folders below."""
        after = folder[:-1] + chr(ord("/") + 1)
        rows = self._database.read(
            "referrers_beside", folder=folder, after=after, read_max=_BESIDE_READ_MAX, limit=limit
        )
        return [id_ for (id_,) in rows]


def _is_telling(name: str) -> bool:
    return (len(name) >= _NAME_MIN and name not in STOP_WORDS) or _WORD_OF_TWO.fullmatch(name) is not None


def _above(path: str) -> Iterator[str]:
    """Yield the folders that hold ``path``, the nearest first, each without and with a slash at its end."""
    for _ in range(_FOLDERS_MAX):
        path = path.rpartition("/")[0]
        if not path:
            return
        yield path
        yield f"{path}/"


def _folder(path: str) -> str:
    """Return the folder of a file or a URL with its slash at the end; empty: it has none of its own."""
    folder = path.rpartition("/")[0]
    return f"{folder}/" if folder and not folder.endswith("/") else ""
