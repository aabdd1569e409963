"""Which of the findings about a new node are worth a question: who reviews reads them one by one."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Final

from weft.model import Linking
from weft.reason.finding import Finding, folded
from weft.reason.numbering import numbers, references
from weft.reason.referring import FLOORS, NUMBERED
from weft.services.passages import only_begins
from weft.vocabulary import SUGGEST_FLOOR

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Mapping, Sequence

    from weft.model import Node
    from weft.services.capture.belonging import Company

__all__ = ["belonging", "ends", "questions", "surest"]

_LIKENESS: Final = "relates_to"
_REPLACES: Final = "supersedes"
_TITLES: Final = "similar_titles"
_TAGS: Final = "shared_tags"
_SUPERSESSION: Final = "supersession"
_SHARED: Final = ((_TAGS, ()), (_TITLES, (_SUPERSESSION,)))
"""Rules that see what two share, each with those that rest on the same."""

_ASKED_MAX: Final = 5
_ALIKE_FROM: Final = 0.5
"""The similarity from which one tag that two share is reason to ask.

Of pairs of documents in one folder or domain, taken for a tag of theirs, authors had related 45 % from there on in
decision records and 31 % in vaults, and 16 and 11 % below.
"""

_BELONGING_FROM: Final = 0.7
"""The confidence from which it is asked whether two texts are related that only belong together by words and meaning.

On the even rows of five public sets authors had related eight in ten of these."""


def questions(
    found: Sequence[Finding],
    joined: Iterable[frozenset[str]],
    nodes: Mapping[str, Node],
    *,
    similar: Mapping[str, float],
    by: Linking = Linking.BOTH,
) -> list[Finding]:
    """Return those of what was ``found`` that somebody is asked about.

    ``joined`` are the ends of relations that are made or stated; ``nodes`` are those of the findings, by id, and
    ``similar`` the similarities (0..1) of those that are near to the new one. Alone (``by``), the seven rules ask from
    their own figures on, and about all they see.
    """
    asked = [each for each in found if each.action == "suggest" and each.confidence >= _asked_from(each, by)]
    if by is Linking.RULES:
        return asked
    worth = _tagged(_named(_titled(_unsaid(asked, frozenset(joined)), nodes), nodes), nodes, similar)
    telling = reduce(_telling, _SHARED, worth)
    return _unsaid(telling, {ends(each) for each in telling if each.type == _REPLACES})


def belonging(node: Node, company: Company, joined: Container[str]) -> list[Finding]:
    """Return questions whether ``node`` has to do with those it belongs with; not of those ``joined`` otherwise."""
    sure = (each for each in company.related if each.confidence >= _BELONGING_FROM and each.id not in joined)
    return [
        Finding(
            rule="belongs_together",
            source_id=node.id,
            target_id=each.id,
            type=_LIKENESS,
            confidence=each.confidence,
            reasoning=f"They belong together: {each.why}.",
            scores=(("affinity", round(company.affinities[each.id], 4)),),
            action="suggest",
        )
        for each in sure
    ]


def surest(asked: Iterable[Finding]) -> list[Finding]:
    """Return the five of which one is surest."""
    return sorted(asked, key=lambda each: -each.confidence)[:_ASKED_MAX]


def ends(finding: Finding) -> frozenset[str]:
    """Return the ids of the two that a finding is about."""
    return frozenset((finding.source_id, finding.target_id))


def _asked_from(finding: Finding, by: Linking) -> float:
    if by is Linking.RULES:
        return 0.0
    return FLOORS[finding.type] if finding.rule == NUMBERED else SUGGEST_FLOOR


def _unsaid(asked: list[Finding], joined: Collection[frozenset[str]]) -> list[Finding]:
    """Leave out whether two have to do with each other where something else says it, or asks more of them."""
    return [each for each in asked if each.type != _LIKENESS or ends(each) not in joined]


def _titled(asked: list[Finding], nodes: Mapping[str, Node]) -> list[Finding]:
    """Leave out what rests on titles that nobody gave: how two turns of a conversation begin says little of them."""
    return [each for each in asked if each.rule != _TITLES or not any(only_begins(nodes[id_]) for id_ in ends(each))]


def _named(asked: list[Finding], nodes: Mapping[str, Node]) -> list[Finding]:
    """Leave out that one numbered document takes the place of another by its title, where neither names the other."""
    return [
        each
        for each in asked
        if each.rule != _SUPERSESSION or not _are_strangers(nodes[each.source_id], nodes[each.target_id])
    ]


def _are_strangers(one: Node, other: Node) -> bool:
    here, there = numbers(one), numbers(other)
    return bool(here and there) and not _names(one, there) and not _names(other, here)


def _names(node: Node, called: Sequence[str]) -> bool:
    return not references(node.content).keys().isdisjoint(called)


def _tagged(asked: list[Finding], nodes: Mapping[str, Node], similar: Mapping[str, float]) -> list[Finding]:
    """Leave out what rests on a single tag of two that are about different things."""
    return [
        each
        for each in asked
        if each.rule != _TAGS
        or max(similar.get(id_, 0.0) for id_ in ends(each)) >= _ALIKE_FROM
        or len(frozenset.intersection(*(folded(nodes[id_].tags) for id_ in ends(each)))) > 1
    ]


def _telling(asked: list[Finding], rules: tuple[str, Collection[str]]) -> list[Finding]:
    """Leave out what rests on tags, or a title, that tell nothing apart: more others bear them than are asked about.

    A tag that a team gives to everything, or the title of each of its weekly reports, would else fill the review with
    every capture, before what is likelier. Nor does a report take the place of another for the like of its title.
    """
    rule, resting = rules
    shared = sorted((each.confidence for each in asked if each.rule == rule), reverse=True)
    if len(shared) <= _ASKED_MAX:
        return asked
    alike = {ends(each) for each in asked if each.rule == rule and each.confidence <= shared[_ASKED_MAX]}
    return [each for each in asked if each.rule not in (rule, *resting) or ends(each) not in alike]
