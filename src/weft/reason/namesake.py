"""Two documents of one series that bear one title: «ADR-31: Queues» may take the place of «ADR-12: Queues».

Of five such pairs on the even rows of Python's, Bitcoin's and Kubernetes' proposals the authors had drawn three as
replacements, and a fourth had been renumbered (by hand); two more were templates with nothing filled in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.model import Status
from weft.reason.finding import Finding, shown
from weft.reason.heading import fielded
from weft.reason.numbering import numbers
from weft.reason.record import unnumbered
from weft.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.model import Node

__all__ = ["NAMESAKE", "namesakes"]

NAMESAKE: Final = "same_title"
"""The name of this rule."""

_CONFIDENCE: Final = 0.6  # three in five

_UNFILLED: Final = re.compile(r"\b(?:template|untitled|placeholder|tbd)\b|\Atitle\Z")


class _Document(NamedTuple):
    series: str
    number: int
    name: str


def namesakes(new: Node, others: Iterable[Node]) -> tuple[Finding, ...]:
    """Return that ``new`` may take the place of its namesake right before it, and the one right after it that of it.

    ``others`` are nodes near to it, in any order. Namesakes are of its series, ontology and title. Superseded ones
    are left out, and a later document that opens with fields: its author would have stated there what it replaces.
    """
    own = _document(new)
    if own is None:
        return ()
    line = sorted((found.number, each.id, each) for each in others if (found := _kin(new, own, each)))
    before = [each for number, _, each in line if number < own.number][-1:]
    after = [each for number, _, each in line if number > own.number][:1]
    pairs = [*((new, each) for each in before), *((each, new) for each in after)]
    return tuple(_finding(later, earlier) for later, earlier in pairs if not fielded(later.content))


def _kin(new: Node, own: _Document, other: Node) -> _Document | None:
    found = _document(other)
    apart = found is None or found[::2] != own[::2] or other.ontology != new.ontology
    return None if apart or other.status is Status.SUPERSEDED else found


def _document(node: Node) -> _Document | None:
    """Return the series, number and folded title of a numbered ``node``; None: it has none, or an unfilled title."""
    called = numbers(node)
    name = fold(unnumbered(node.title))
    if not called or not name or _UNFILLED.search(name):
        return None
    series, _, number = called[0].partition("-")
    return _Document(series, int(number), name)


def _finding(later: Node, earlier: Node) -> Finding:
    return Finding(
        rule=NAMESAKE,
        source_id=later.id,
        target_id=earlier.id,
        type="supersedes",
        confidence=_CONFIDENCE,
        reasoning=f"«{shown(later.title)}» has the title of one with an earlier number, «{shown(earlier.title)}».",
        scores=((NAMESAKE, 1.0),),
        action="suggest",
    )
