r"""A Cypher script that Neo4j 5 runs with ``cypher-shell -f``: one statement a line, running it twice changes nothing.

Every value stands as a literal, every name (labels, types, keys) comes from our own tables. A backslash is never
followed by a ``u`` inside a literal, since older parsers decode ``\uXXXX`` before they look for the end of a string.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from weft.model.codec import time_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from weft.model import Node, Relation

__all__ = ["literal", "quotable", "render"]

_NODE: Final = (
    "title", "content", "ontology", "tags", "aliases", "handles", "references", "citation", "confidence", "importance",
    "status", "origin", "session", "created_at", "created_by", "modified_at", "modified_by", "version",
)  # fmt: skip
_RELATION: Final = ("reasoning", "confidence", "origin", "rule", "created_at", "created_by", "version")

_ESCAPES: Final = str.maketrans(
    {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\x00": ""}
)
_CODE = re.compile(r"(?<=\\)(?=u)")


def render(nodes: Iterable[Node], relations: Iterable[Relation]) -> Iterator[str]:
    """Yield the script, a statement at a time; ``relations`` is read after ``nodes``.

    Every node has the label Weft and one of its kind; a relation's type is ours in upper case.
    """
    yield "// A graph of Weft. Run with: cypher-shell -f FILE\n"
    yield "CREATE CONSTRAINT weft_id IF NOT EXISTS FOR (n:Weft) REQUIRE n.id IS UNIQUE;\n"
    for node in nodes:
        yield f"MERGE (n:Weft {{id: {literal(node.id)}}}) SET n += {_map(node, _NODE)} SET n:{_label(node.kind)};\n"
    for relation in relations:
        ends = f"MATCH (a:Weft {{id: {literal(relation.source)}}}), (b:Weft {{id: {literal(relation.target)}}})"
        made = f"MERGE (a)-[r:{_name(relation.type.upper())} {{id: {literal(relation.id)}}}]->(b)"
        yield f"{ends} {made} SET r += {_map(relation, _RELATION)};\n"


def literal(value: Any) -> str:  # noqa: ANN401 - any field of a node or a relation
    """Return ``value`` as Cypher writes it: a string, a number or a list of strings; times as datetime()."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(_quoted(each) for each in value) + "]"
    if isinstance(value, int | float):
        return repr(value)
    return f"datetime({_quoted(time_text(value))})"


def _quoted(value: str) -> str:
    parts = [f"'{part.translate(_ESCAPES)}'" for part in quotable(value)]
    return parts[0] if len(parts) == 1 else f"({' + '.join(parts)})"


def quotable(text: str) -> list[str]:
    """Return the parts of ``text`` that may be quoted: in none of them a ``u`` follows a backslash."""
    return _CODE.split(text)


def _map(value: Node | Relation, names: Iterable[str]) -> str:
    return "{" + ", ".join(f"{_name(name)}: {literal(getattr(value, name))}" for name in names) + "}"


def _label(kind: str) -> str:
    return _name("".join(part.capitalize() for part in kind.split("_")))


def _name(name: str) -> str:
    """Return a name in backticks; one inside is doubled."""
    return "`" + name.replace("`", "``") + "`"
