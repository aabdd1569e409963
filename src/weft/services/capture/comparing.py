"""What the nearest nodes are to a new one: repetitions of it, or contradictions. Likeness alone decides neither."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft.model import ClaimSide, LinkedNode, Origin, Status
from weft.reason.choosing import said_otherwise
from weft.reason.judge import judge as by_rules
from weft.reason.judge import read_claim
from weft.reason.pair import TROUBLE
from weft.reason.repeat import adds, differs_in_places, repeats, rewords
from weft.reason.seconding import clashing
from weft.reason.version import versions
from weft.services import suggesting
from weft.services.passages import only_begins
from weft.text import roots, split
from weft.vocabulary import OBVIOUS, REASONABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from weft.model import Call, Node, Relation, Suggestion, Verdict
    from weft.services.nearness import Neighbour
    from weft.services.seconding import Seconded
    from weft.vocabulary import Vocabulary

__all__ = ["Compared", "compare", "differing", "explaining", "other_versions", "read_ahead"]

NEAR_MAX: Final = 10
"""How many nearest nodes a text that is new is compared with."""

JUDGED_MAX: Final = 3
"""How many of the nearest nodes are judged: at 0.3 ms each, and 5 to 10 ms more each time that two are read again."""

STANDING_OUT: Final = 0.1
"""How much more similar than the next that is not judged a node is that may be on the very matter of the new one."""

_READ: Final = "read as a whole, only one of them may hold"


REWORDED: Final = 0.90
"""The similarity from which a text in other words may be the same text (:func:`weft.reason.repeat.rewords`)."""

ADDED: Final = 0.92
"""That from which one that says a word more may be (:func:`weft.reason.repeat.adds`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Near-duplicates and conflicts of a node, the suggestion that goes with each, and what only differs from it.

    ``left`` is what was judged and is neither, as far as it was left open, and ``beyond`` the similarity (0..1) of the
    nearest that was not judged, 0 where there is none: :func:`differing` reads them.
    """

    near_duplicates: tuple[LinkedNode, ...] = ()
    conflicts: tuple[ClaimSide, ...] = ()
    differing: tuple[ClaimSide, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    left: tuple[tuple[Neighbour, Verdict], ...] = ()
    beyond: float = 0.0

    @property
    def others(self) -> frozenset[str]:
        """The ids of the nodes that are near-duplicates or conflict."""
        return frozenset((*(each.id for each in self.near_duplicates), *(each.node.id for each in self.conflicts)))

    def without(self, made: frozenset[str]) -> Compared:
        """Return this without what clashes with the nodes ``made``: relations that rules made to them say why."""
        clashing = made & {each.node.id for each in self.conflicts}
        return Compared(
            near_duplicates=self.near_duplicates,
            conflicts=tuple(each for each in self.conflicts if each.node.id not in made),
            differing=tuple(each for each in self.differing if each.node.id not in made),
            suggestions=tuple(each for each in self.suggestions if clashing.isdisjoint(each.subjects)),
            left=self.left,
            beyond=self.beyond,
        )

    def apart_from(self, ids: frozenset[str]) -> Compared:
        """Return this without the nodes ``ids``: what takes the place of another repeats and contradicts it."""
        return replace(
            self,
            near_duplicates=tuple(each for each in self.near_duplicates if each.id not in ids),
            conflicts=tuple(each for each in self.conflicts if each.node.id not in ids),
            differing=tuple(each for each in self.differing if each.node.id not in ids),
            suggestions=tuple(each for each in self.suggestions if ids.isdisjoint(each.subjects)),
        )


def compare(
    node: Node,
    near: Sequence[Neighbour],
    call: Call,
    *,
    judge: Seconded,
    stated: frozenset[str] = frozenset(),
) -> Compared:
    """Return what ``judge`` makes of the nodes ``near`` to ``node``, from the calibrated similarity 0.70 on.

    A conflict is what the judge calls one. A near-duplicate lies at 0.85 or more and says the same but for order and
    small words, or at 0.90 or more and says it in other words, or at 0.92 or more and says a word more, or it lies at
    0.85 or more, differs in several places, and the judge reads each to say the other (:mod:`weft.reason.repeat`); in
    all but the first the judge finds no clash, and of two in the same words but for their order it does not read one to
    rule out the other («pages with cursors; offsets are ignored»). Where one word was put for another, opposites lie as
    near as repetitions, and of those made for the purpose likeness above 0.95 alone would offer more than half for
    merging.
    ``stated`` are ids of nodes whose relation to ``node`` the caller gave: they are told of, but nothing is suggested
    about them. Nor is it about superseded ones: what contradicts them is expected to, and merged into one of them what
    holds now would go with it. Other versions of the same text are not compared: they are expected to repeat and to
    contradict it.
    """
    aside = stated | {each.node.id for each in near[:JUDGED_MAX] if each.node.status is Status.SUPERSEDED}
    duplicates: list[LinkedNode] = []
    conflicts: list[ClaimSide] = []
    left: list[tuple[Neighbour, Verdict]] = []
    suggestions: list[Suggestion] = []
    passed = {node.id, *(each.id for each in other_versions(node, near))}
    for each in near[:JUDGED_MAX]:
        if each.similarity < REASONABLE or each.node.id in passed:
            continue
        verdict = _verdict(node, each, judge)
        if verdict.verdict == "conflicts":
            conflicts.append(_side(each, verdict))
            suggestions.append(suggesting.conflict(node, each.node, each.similarity, verdict, call))
        elif _is_duplicate(each, verdict, judge):
            duplicates.append(_linked(each, verdict))
            suggestions.append(suggesting.duplicate(node, each.node, each.similarity, verdict, call))
        elif verdict.verdict == "unsure":
            left.append((each, verdict))
    return Compared(
        near_duplicates=tuple(duplicates),
        conflicts=tuple(conflicts),
        suggestions=tuple(each for each in suggestions if each.subjects[1] not in aside),
        left=tuple(left),
        beyond=next((each.similarity for each in near[JUDGED_MAX:]), 0.0),
    )


def other_versions(node: Node, near: Sequence[Neighbour]) -> tuple[Node, ...]:
    """Return the other versions of ``node`` that lie at 0.70 or nearer; a title that nobody gave names no version."""
    found = versions(node, (each.node for each in near if each.similarity >= REASONABLE))
    return tuple(each for each in found if not only_begins(each) and not only_begins(node))


def differing(compared: Compared, *, judge: Seconded, explained: frozenset[str] = frozenset()) -> Compared:
    """Return ``compared`` with those of its ``left`` that may not hold beside the new node.

    What tells is that the judge, reading the two as a whole, sees that they may not
    (:meth:`weft.services.seconding.Seconded.differ`): who captured may know which of the two holds. Read are those of
    which a rule names the clash, those that name one thing in two versions or settle one matter otherwise, and those
    that stand out by their similarity: where many are as near, as among notes of one form, each reading would cost 5 to
    10 ms for nothing.
    ``explained`` are ids of nodes of which the caller said what they are to the new one: as superseded ones, they are
    not told.
    """
    told = [
        _side(each, verdict if verdict.grounds else replace(verdict, grounds=(_apart(each) or _READ,)))
        for each, verdict in compared.left
        if each.node.id not in explained
        and each.node.status is not Status.SUPERSEDED
        and (_stands_out(each, compared) or clashing(verdict, each.own_passage, each.passage) or _apart(each))
        and judge.differ(verdict, each.own_passage, each.passage)
    ]
    return replace(compared, differing=tuple(told))


def _apart(each: Neighbour) -> str:
    return said_otherwise(each.own_passage, each.passage)


def _stands_out(each: Neighbour, compared: Compared) -> bool:
    return each.similarity >= compared.beyond + STANDING_OUT


def _verdict(node: Node, each: Neighbour, judge: Seconded) -> Verdict:
    """Return what the judge makes of a neighbour; by rules alone where one of the two tells of trouble.

    A fix says that it is over. What both say of one time and another is no conflict, however sure a network is.
    """
    if (node.kind in TROUBLE) != (each.node.kind in TROUBLE):
        return by_rules(each.own_passage, each.passage, similarity=each.similarity)
    (verdict,) = judge.judge(each.own_passage, (each.passage,), (each.similarity,))
    return verdict


def _is_duplicate(each: Neighbour, verdict: Verdict, judge: Seconded) -> bool:
    if each.similarity < OBVIOUS:
        return False
    texts = (each.own_passage, each.passage)
    open_ = verdict.verdict != "unsure" or not verdict.grounds
    worded = open_ and each.similarity >= REWORDED and rewords(*texts)
    added = open_ and each.similarity >= ADDED and adds(*texts)
    if worded or added or repeats(*texts):
        return not (_reordered(*texts) and judge.rules_out(*texts))
    return open_ and differs_in_places(*texts) and judge.same(*texts)


def _reordered(one: str, other: str) -> bool:
    here, there = roots(one), roots(other)
    return here != there and Counter(here) == Counter(there)


def explaining(relations: Iterable[Relation], vocabulary: Vocabulary) -> frozenset[str]:
    """Return the ends of the ``relations`` that leave nothing to wonder at where the two say different things.

    A caller need only say what the one is to the other: whoever says that one supports another has read both. What a
    rule made rests on kinds and likeness: it explains a difference only where its source changes or ends its target, or
    takes its place. A decision that is taken to build on a solution, and gives another number, is worth a look.
    """
    return frozenset(end for each in relations if _explains(each, vocabulary) for end in (each.source, each.target))


def _explains(relation: Relation, vocabulary: Vocabulary) -> bool:
    relation_type = vocabulary.type(relation.type)
    return relation_type.changing if relation.origin is Origin.INFERRED else relation_type.telling


def read_ahead(content: str) -> None:
    """Read the opening of a node's ``content`` before it is compared, so that :func:`compare` need not."""
    opening = split(content)[0]
    read_claim(content[opening.start : opening.end])


def _side(each: Neighbour, verdict: Verdict) -> ClaimSide:
    return ClaimSide(
        node=each.node, similarity=round(each.similarity, 4), verdict=verdict.verdict, grounds=verdict.grounds
    )


def _linked(each: Neighbour, verdict: Verdict) -> LinkedNode:
    why = "; ".join((f"similarity {each.similarity:.2f}", *verdict.grounds))
    return LinkedNode(id=each.node.id, title=each.node.title, similarity=round(each.similarity, 4), why=why)
