"""GraphML (http://graphml.graphdrawing.org): nodes and directed relations with typed attributes, as most tools read it.

XML 1.0 has no place for control characters: they are left out. Lists are joined by ``; ``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import escape, quoteattr

from weft.model.codec import time_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from weft.model import Node, Relation

__all__ = ["render"]

_NODE: Final = {
    "title": "string",
    "kind": "string",
    "content": "string",
    "ontology": "string",
    "tags": "string",
    "confidence": "double",
    "importance": "double",
    "status": "string",
    "origin": "string",
    "created_at": "string",
    "modified_at": "string",
}
_RELATION: Final = {
    "type": "string",
    "reasoning": "string",
    "confidence": "double",
    "origin": "string",
    "rule": "string",
    "created_at": "string",
}
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns'
    ' http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">\n'
)


def render(nodes: Iterable[Node], relations: Iterable[Relation]) -> Iterator[str]:
    """Yield the document, a node or a relation at a time; ``relations`` is read after ``nodes``."""
    yield _HEAD
    for sphere, fields in (("node", _NODE), ("edge", _RELATION)):
        for name, kind in fields.items():
            yield f'  <key id="{sphere}_{name}" for="{sphere}" attr.name="{name}" attr.type="{kind}"/>\n'
    yield '  <graph id="weft" edgedefault="directed">\n'
    for node in nodes:
        yield f"    <node id={_attribute(node.id)}>{_data('node', node, _NODE)}</node>\n"
    for relation in relations:
        ends = f"source={_attribute(relation.source)} target={_attribute(relation.target)}"
        data = _data("edge", relation, _RELATION)
        yield f"    <edge id={_attribute(relation.id)} {ends}>{data}</edge>\n"
    yield "  </graph>\n</graphml>\n"


def _data(sphere: str, value: Node | Relation, fields: Iterable[str]) -> str:
    return "".join(f'<data key="{sphere}_{name}">{_text(getattr(value, name))}</data>' for name in fields)


def _text(value: Any) -> str:  # noqa: ANN401 - any field of a node or a relation
    if isinstance(value, tuple):
        return _text("; ".join(value))
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return escape(_UNFIT.sub("", value), {"\r": "&#13;"})
    return time_text(value)


def _attribute(value: str) -> str:
    return quoteattr(_UNFIT.sub("", value))
