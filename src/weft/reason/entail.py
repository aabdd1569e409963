"""What follows from relations that were recorded: for and against, by transitivity. Derived, never assumed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft.reason.arguing import Chain, chains

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from weft.model import Relation
    from weft.reason.arguing import Web

__all__ = ["Implied", "implied"]

CONFLICTS_MAX: Final = 100  # recorded conflicts that are carried along chains from one node
_DEDUCTIVE: Final = "implies"


@dataclass(frozen=True, slots=True, kw_only=True)
class Implied:
    """A relation that follows from ``steps`` (two or more, in walking order), and is not recorded itself.

    ``strict`` where the types themselves carry it over; else each step speaks for the next and the whole is an argument
    that weakens with its length. ``confidence`` is the product of the steps' confidences.
    """

    source: str
    target: str
    type: str
    steps: tuple[Relation, ...]
    strict: bool

    @property
    def confidence(self) -> float:
        """The product of the confidences of all steps (0..1)."""
        return Chain(type=self.type, steps=self.steps).confidence


def implied(web: Web, starts: Collection[str], ends: Collection[str] = (), *, hops_max: int) -> tuple[Implied, ...]:
    """Return what follows for ``starts``, as source or as target, that no relation records yet.

    With ``ends``, only what joins one of ``starts`` with one of them. Three rules: a transitive type, or types that
    speak for their target, in a row (:func:`weft.reason.arguing.composed`); what speaks for a counter-argument speaks
    against what that counters; and what implies something that is refuted is refuted with it. What refutes a
    counter-argument does not thereby support the claim. Fewest steps first, then the surest.
    """
    found: dict[tuple[str, str], Implied] = {}
    for start in sorted(set(starts)):
        for each in (
            *_agreeing(web, start, hops_max),
            *_opposing(web, start, hops_max),
            *_opposed(web, start, hops_max),
        ):
            pair = frozenset((each.source, each.target))
            if len(pair) == 1 or (ends and not pair & set(ends)) or _recorded(web, each):
                continue
            key = (each.source, each.target)
            if key not in found or _order(each) < _order(found[key]):
                found[key] = each
    return tuple(sorted(_once(web, found), key=_order))


def _order(each: Implied) -> tuple[int, bool, float, str, str]:
    return (len(each.steps), not each.strict, -round(each.confidence, 9), each.source, each.target)


def _once(web: Web, found: dict[tuple[str, str], Implied]) -> Iterator[Implied]:
    """Yield each conflict of a symmetric type from one of its ends only."""
    for (source, target), each in found.items():
        twin = found.get((target, source))
        if twin is None or not web.vocabulary.type(each.type).symmetric or _order(each) <= _order(twin):
            yield each


def _recorded(web: Web, each: Implied) -> bool:
    """Return whether a relation says so already, or whether somebody recorded that it speaks the other way."""
    return any(_says(web, row, each) for row in web.between(each.source, each.target))


def _says(web: Web, row: Relation, each: Implied) -> bool:
    polarity = web.vocabulary.type(each.type).polarity
    if polarity * web.sign(row) < 0:
        return True
    alike = row.type == each.type or (polarity != 0 and web.sign(row) == polarity)
    return alike and (row.source == each.source or polarity < 0)


def _agreeing(web: Web, start: str, hops_max: int) -> Iterator[Implied]:
    for forward in (True, False):
        for (far, _), chain in chains(web, start, forward=forward, hops_max=hops_max).items():
            if len(chain.steps) > 1:
                source, target = (start, far) if forward else (far, start)
                strict = all(step.type == chain.type for step in chain.steps) and chain.type != "supports"
                yield Implied(source=source, target=target, type=chain.type, steps=chain.steps, strict=strict)


def _opposing(web: Web, start: str, hops_max: int) -> Iterator[Implied]:
    """Yield what ``start`` speaks against: what it leads to refutes something, or something that another implies."""
    for near, chain in _argued(web, start, hops_max, forward=True):
        for against in web.touching(near)[:CONFLICTS_MAX]:
            if web.sign(against) < 0 and (against.source == near or _is_mutual(web, against)):
                yield from _against(web, start, (*chain, against), against.other_end(near), hops_max - len(chain) - 1)


def _against(web: Web, start: str, steps: tuple[Relation, ...], attacked: str, hops: int) -> Iterator[Implied]:
    if len(steps) > 1:
        yield _conflict(web, start, attacked, steps)
    for (premise, _), back in chains(web, attacked, forward=False, hops_max=hops, only=_DEDUCTIVE).items():
        yield _conflict(web, start, premise, (*steps, *reversed(back.steps)))


def _opposed(web: Web, start: str, hops_max: int) -> Iterator[Implied]:
    """Yield what speaks against ``start``: something refutes what it implies, or what speaks for such a refutation."""
    consequences = chains(web, start, forward=True, hops_max=hops_max, only=_DEDUCTIVE)
    reached = [(start, ()), *((far, chain.steps) for (far, _), chain in consequences.items())]
    for attacked, chain in reached:
        for against in web.arriving.get(attacked, ())[:CONFLICTS_MAX]:
            if web.sign(against) >= 0 or _is_mutual(web, against):
                continue
            for attacker, support in _argued(web, against.source, hops_max - len(chain) - 1, forward=False):
                steps = (*support, against, *reversed(chain))
                if len(steps) > 1:
                    yield _conflict(web, attacker, start, steps)


def _argued(web: Web, node: str, hops_max: int, *, forward: bool) -> Iterator[tuple[str, tuple[Relation, ...]]]:
    """Yield ``node`` itself, and what it argues for (or what argues for it), with the chain between."""
    yield node, ()
    for (far, kind), chain in chains(web, node, forward=forward, hops_max=max(0, hops_max)).items():
        if web.vocabulary.type(kind).polarity > 0:
            yield far, chain.steps


def _conflict(web: Web, source: str, target: str, steps: tuple[Relation, ...]) -> Implied:
    deductive = all(step.type == _DEDUCTIVE for step in steps if web.sign(step) > 0)
    mutual = deductive and any(_is_mutual(web, step) for step in steps)
    return Implied(
        source=source, target=target, type="contradicts" if mutual else "refutes", steps=steps, strict=deductive
    )


def _is_mutual(web: Web, relation: Relation) -> bool:
    return web.vocabulary.type(relation.type).symmetric
