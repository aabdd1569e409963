"""Cytoscape.js elements as JSON (https://js.cytoscape.org/#notation/elements-json), one element a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.model.codec import json_text, to_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from weft.model import Node, Relation

__all__ = ["render"]


def render(nodes: Iterable[Node], relations: Iterable[Relation]) -> Iterator[str]:
    """Yield the document, an element at a time; ``relations`` is read after ``nodes``.

    The data of an element are the fields of the node or the relation; ``label`` is a node's title, a relation's type.
    """
    yield '{"format_version":"1.0","generated_by":"weft","elements":{"nodes":[\n'
    yield from _parted(json_text({"data": to_data(node) | {"label": node.title}}) for node in nodes)
    yield '],"edges":[\n'
    yield from _parted(
        json_text({"data": to_data(relation) | {"label": relation.type}, "classes": relation.origin.value})
        for relation in relations
    )
    yield "]}}\n"


def _parted(elements: Iterable[str]) -> Iterator[str]:
    before = ""
    for element in elements:
        yield f"{before}{element}"
        before = ",\n"
    yield "\n"
