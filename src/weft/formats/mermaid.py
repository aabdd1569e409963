"""A neighbourhood as a Mermaid flowchart: learned relations dashed, inferred ones dotted, all others drawn through."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from weft.model import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.model import Node, Relation

__all__ = ["render"]

_TITLE_MAX: Final = 60
_PLAIN = re.compile(r"[^\w .,/()+-]", re.UNICODE)
_DRAWN: Final = {Origin.LEARNED: "8 4", Origin.INFERRED: "2 3"}


def render(nodes: Sequence[Node], relations: Sequence[Relation], *, centre: str = "") -> Iterator[str]:
    """Yield the lines of the chart. Relations with an end that is not among ``nodes`` are left out.

    Titles are cut at 60 characters; all signs but letters, digits and a few are written as entities, so that no title
    is taken for a part of the chart. The node of id ``centre`` has a thicker frame.
    """
    names = {node.id: f"n{at}" for at, node in enumerate(nodes)}
    yield "flowchart LR\n"
    for node in nodes:
        yield f'  {names[node.id]}["{_text(node.title)}<br/><small>{_text(node.kind)}</small>"]\n'
    drawn = [each for each in relations if each.source in names and each.target in names]
    for each in drawn:
        line = "-.->" if each.origin is Origin.INFERRED else "-->"
        yield f'  {names[each.source]} {line}|"{_text(each.type)}"| {names[each.target]}\n'
    for at, each in enumerate(drawn):
        if each.origin in _DRAWN:
            yield f"  linkStyle {at} stroke-dasharray:{_DRAWN[each.origin]}\n"
    if centre in names:
        yield f"  style {names[centre]} stroke-width:3px\n"


def _text(value: str) -> str:
    line = " ".join(value.split())
    if len(line) > _TITLE_MAX:
        line = line[: _TITLE_MAX - 1] + "…"
    return _PLAIN.sub(lambda found: f"#{ord(found[0])};", line)
