"""What Weft makes of texts beside finding them: relations, kinds, duplicates, verdicts and bridges, set by set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import contradiction
import duplicates
import kinds
import linking

import bridges
from weft.vocabulary import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from anchors import Anchors
    from sets import DataSet, Half

OPENING = """
## Relations, kinds, duplicates, verdicts and bridges

Through the library as well: what captures show, what `challenge` and `bridge` answer. Of the relations, P@3 and R@5 are
{systems} in this order, with the numbers of documents masked. What authors did not draw or label may hold all the same:
where that matters, precision is told against everything and among documents whose authors draw such relations at all.

```text
"""


def told(chosen: Sequence[DataSet], which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    """Measure what can be measured of each set, and print it as it comes."""
    found: dict[str, Any] = {}
    for data in chosen:
        figures = _measured(data, which, anchors, keep)
        if figures:
            found[data.name] = figures
            print("\n".join(lines(data.name, figures)), flush=True)
    return found


def lines(name: str, figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of one set."""
    for module in (linking, kinds, duplicates, contradiction, bridges):
        if module.__name__ in figures:
            yield from module.rows(name, figures[module.__name__])


def section(found: Mapping[str, Mapping[str, Any]], systems: Sequence[str]) -> str:
    """Return what the page says of all sets, or nothing where nothing was measured."""
    if not found:
        return ""
    body = "\n".join(line for name, figures in found.items() for line in lines(name, figures))
    return OPENING.format(systems=", ".join((*systems, "Weft"))) + body + "\n```\n"


def _measured(data: DataSet, which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    if data.nodes and data.relations and not data.holds("queries"):
        if not {row["type"] for row in data.relations} <= {"contradicts"}:
            figures["linking"] = linking.measured(data, which, anchors, keep)
        if any(bridges.group_of(row) for row in data.nodes):
            figures["bridges"] = bridges.measured(data, anchors, keep)
        if any(row.get("kind") in KINDS for row in data.nodes):
            figures["kinds"] = kinds.measured(data, which, keep)
    scored = duplicates.measured(data, which, keep)
    if scored["pairs"]:
        figures["duplicates"] = scored
    verdicts = contradiction.measured(data, which, keep)
    if verdicts:
        figures["contradiction"] = verdicts
    return figures
