"""What an argument lacks: premises that nothing holds up, loops that do not close, parts that nothing joins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft.reason.arguing import Chain, chains, rests
from weft.reason.quantity import quantities

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from weft.model import Relation
    from weft.reason.arguing import Web

__all__ = ["Bare", "Loop", "islands", "open_loops", "speaks_of_amounts", "states_a_figure", "unsupported"]

LOOP_MIN: Final = 2  # relations of a chain that could come back to where it began

_BACKING: Final = frozenset({"supports", "implies"})
_AMOUNT: Final = re.compile(
    r"\b(?:rates?|amounts?|quantit(?:y|ies)|levels?|thresholds?|tipping points?|much|many|most|more|less|fewer"
    r"|large(?:r|st)?|huge|vast|small(?:er|est)?|faster|slower|rapid(?:ly)?|quick(?:ly|er)?|higher|lower|greater|strong(?:er)?|weak(?:er)?"
    r"|increas\w+|decreas\w+|ris(?:es?|ing)|rose|fall(?:s|ing)?|grow(?:s|ing|th)?|shrink\w*|declin\w+|accelerat\w+|doubl\w+|reduc\w+|rais\w+"
    r"|often|rarely|likely|frequent(?:ly)?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bare:
    """A premise that nothing holds up: ``resting`` is what rests on it, ``attacks`` what speaks against it."""

    node: str
    resting: tuple[Relation, ...]
    attacks: tuple[Relation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A chain from ``start`` to ``end`` that comes back to its own subject without a relation that says so."""

    start: str
    end: str
    chain: Chain
    similarity: float


def unsupported(web: Web, nodes: Iterable[str], grounded: Collection[str]) -> tuple[Bare, ...]:
    """Return the premises among ``nodes`` that no relation speaks for and that are not ``grounded`` elsewise.

    A premise is what something else rests on. Those that most rests on come first.
    """
    found = [_bare(web, node) for node in sorted(set(nodes)) if node not in grounded]
    kept = [each for each in found if each.resting and not _held(web, each.node)]
    return tuple(sorted(kept, key=lambda each: (-len(each.resting), -len(each.attacks), each.node)))


def _bare(web: Web, node: str) -> Bare:
    resting = [row for row in web.touching(node) if rests(row) == (row.other_end(node), node)]
    attacks = [
        row for row in web.touching(node) if web.sign(row) < 0 and (row.target == node or row.type == "contradicts")
    ]
    return Bare(node=node, resting=tuple(resting), attacks=tuple(attacks))


def _held(web: Web, node: str) -> bool:
    return any(row.type in _BACKING for row in web.arriving.get(node, ()))


def open_loops(
    web: Web, starts: Iterable[str], alike: Callable[[str, str], float], *, similarity_min: float, hops_max: int
) -> tuple[Loop, ...]:
    """Return chains whose last node is like their first, and not joined to it: feedback that nobody closed.

    The end leads on to nothing that leads back to the start, and is the likest end of its start.
    """
    found: list[Loop] = []
    for start in sorted(set(starts)):
        reached = chains(web, start, forward=True, hops_max=hops_max)
        back = {far for far, _ in chains(web, start, forward=False, hops_max=hops_max)}
        loops = [
            Loop(start=start, end=far, chain=chain, similarity=alike(start, far))
            for (far, _), chain in reached.items()
            if len(chain.steps) >= LOOP_MIN and far not in back and not web.between(start, far)
        ]
        found += sorted((each for each in loops if each.similarity >= similarity_min), key=_likest)[:1]
    return tuple(sorted(_longest(found), key=_likest))


def _likest(loop: Loop) -> tuple[float, int, str, str]:
    return (-loop.similarity, -len(loop.chain.steps), loop.start, loop.end)


def _longest(loops: list[Loop]) -> Iterator[Loop]:
    """Yield the loops whose chain is no part of another's: the others are the same loop, entered later."""
    spans = [{step.id for step in each.chain.steps} for each in loops]
    for each, span in zip(loops, spans, strict=True):
        if not any(span < other for other in spans):
            yield each


def islands(web: Web, nodes: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """Return the groups that ``nodes`` fall into, joined by relations over whatever node; the largest first."""
    left = sorted(set(nodes))
    groups: list[tuple[str, ...]] = []
    while left:
        whole = _joined(web, left[0])
        groups.append(tuple(node for node in left if node in whole))
        left = [node for node in left if node not in whole]
    return tuple(sorted(groups, key=lambda group: (-len(group), group)))


def _joined(web: Web, start: str) -> set[str]:
    seen, level = {start}, [start]
    while level:
        ends = {row.other_end(node) for node in level for row in web.touching(node)}
        level = sorted(ends - seen)
        seen |= ends
    return seen


def speaks_of_amounts(text: str) -> bool:
    """Return whether ``text`` says that something is much, grows, is likely or has a threshold."""
    return _AMOUNT.search(text) is not None


def states_a_figure(text: str) -> bool:
    """Return whether ``text`` gives a number that counts or measures; years do not."""
    return any(each.unit != "year" for each in quantities(text.casefold())[0]) or "%" in text
