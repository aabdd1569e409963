"""Which side of a claim a node stands on: recorded relations first, then the judge's reading of the wording. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, get_args

from weft.errors import InvalidArgument
from weft.model import ClaimSide, Outcome, Verdict
from weft.reason.choosing import differing_choice, said_otherwise
from weft.reason.evidence import excerpt
from weft.reason.judge import restates
from weft.reason.section import denies, turns_over
from weft.reason.statement import statements
from weft.text import content_roots, digest
from weft.vocabulary import NEAR_DUPLICATE, OBVIOUS, REASONABLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.model import Node, Relation
    from weft.ports import Judge
    from weft.reason.evidence import Sentence
    from weft.vocabulary import Vocabulary

    Chances = tuple[float, float, float]

__all__ = [
    "BEARING",
    "Close",
    "bearing",
    "copies",
    "judged",
    "polarity",
    "recorded",
    "stating",
    "superseding",
    "told_apart",
    "turned",
    "undecided",
    "worth_judging",
]

CLOSE: Final = 0.60
"""The similarity from which a node's wording is judged (seed 003's reading guide: 0.60 is loose)."""

BEARING: Final = 0.05
"""How likely a text that is less than reasonably alike must be to bear on a claim for it to be left to the caller.

Seven in ten documents do that settle a claim and lie so far from it, and two in three challenges show one that does not
(by hand, with the claims of ``bench/quality/claims.jsonl`` on the half that is chosen on, before the network
learned from documents).
"""

_SILENT: Final = "its wording decides nothing"
_FAR: Final = Verdict(verdict="unsure", confidence=0.0, grounds=("too far to be judged by its wording",))
_OTHERWISE: Final = (0.9, 0.0, 0.1)
"""The chances of a sentence that settles the claim's matter otherwise.

Of the 39 pairs of ``bench/restated.jsonl`` that the rule tells 38 differ, 14 of 14 among those it was not written
beside (by hand); of texts that are no notes it is less sure."""
_STANDS: Final = {"supports": "supports the claim", "conflicts": "conflicts with the claim"}
_TOPIC_WORDS_MAX: Final = 6
_NAME_WORDS_MAX: Final = 2
_SAYS: Final = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|should|must|may|might|cannot|not|never"
    r"|always|no|none|all|every|only|than|more|most|less|least|better|best|worse|worst|faster|slower|larger|bigger|smaller"
    r"|higher|lower|greater|stronger|weaker|cheaper|\w+n't)\b",
    re.IGNORECASE,
)
_JOINS: Final = re.compile(r"\b(?:and|or|vs|versus|between)\b|&|/", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """A node close to a claim: its calibrated ``similarity``, and the ``sentences`` of it that bear on it, best first.

    ``vector`` is that of the first sentence, where it is known.
    """

    node: Node
    similarity: float
    sentences: tuple[Sentence, ...]
    vector: npt.NDArray[np.float32] | None = field(default=None, compare=False, repr=False)


def judged(claim: str, close: Sequence[Close], judge: Judge) -> dict[str, ClaimSide]:
    """Return, for each node, what ``judge`` makes of its best evidence; what is too far is not judged by wording.

    Raises:
        InvalidArgument: the judge, which may be a program's own, answered something else than one verdict a text.
    """
    near = [each for each in close if each.similarity >= CLOSE]
    said = judge.judge(claim, [each.sentences[0].stated for each in near], [each.similarity for each in near])
    found = {each.node.id: verdict for each, verdict in zip(near, _verdicts(said, len(near)), strict=True)}
    return {each.node.id: _judged(claim, each, found.get(each.node.id, _FAR)) for each in close}


def turned(claim: str, close: Close, chances: Chances) -> Chances:
    """Return the ``chances`` (0..1) of conflict, support and neither, without support where a heading turns it over.

    What holds all words of the claim under «Rejected» or «Non-goals» speaks against it. The network was never shown
    headings, and reads the words. What settles the matter of the claim otherwise it takes for neither, or for support.
    """
    first = close.sentences[0]
    if not first.heading and differing_choice(claim, first.bare):
        return _OTHERWISE
    says = set(content_roots(claim)).issubset(content_roots(first.bare)) and not denies(first.bare)
    return (chances[0] + chances[1], 0.0, chances[2]) if says and turns_over(first.heading) else chances


def _verdicts(said: object, texts: int) -> tuple[Verdict, ...]:
    """Return what a judge said of so many texts. A word that is none of a verdict's would hide its text on no side."""
    verdicts = tuple(said) if isinstance(said, Iterable) else (said,)
    wrong = [each for each in verdicts if not _is_verdict(each)]
    if not wrong and len(verdicts) == texts:
        return verdicts
    told = f"{wrong[0]!a:.90}" if wrong else f"{len(verdicts)} of them"
    raise InvalidArgument(
        f"judge: must answer one weft.model.Verdict for each of {texts} texts, not {told}",
        hint="weft.testing.judging.JudgeContract tries all that a judge must do.",
    )


def _is_verdict(said: object) -> bool:
    return isinstance(said, Verdict) and said.verdict in get_args(Outcome) and isinstance(said.grounds, tuple | list)


def _silent(claim: str, sentence: Sentence) -> str:
    """Return why the judge abstained, as far as that can be told: a heading comes before what stands under it."""
    return _heading(sentence) or said_otherwise(claim, sentence.bare) or _SILENT


def _heading(sentence: Sentence) -> str:
    return f"what is close to it stands under «{sentence.heading}»" if sentence.heading else ""


def _judged(claim: str, close: Close, found: Verdict) -> ClaimSide:
    return ClaimSide(
        node=close.node,
        similarity=round(close.similarity, 4),
        verdict=found.verdict,
        grounds=found.grounds or (_silent(claim, close.sentences[0]),),
        snippet=excerpt(close.sentences, close.node.content),
    )


def stating(claim: str, close: Sequence[Close], sides: Mapping[str, ClaimSide]) -> Node | None:
    """Return the node that states the claim itself: in the same words, else nearly so and by the judge's own reading.

    Opposites lie as near as repetitions («shallow in the south and deep in the north»), so likeness alone is not
    enough: taken for the claim, an opposite would be hidden and what supports it counted on the wrong side. Nor is a
    text of several statements the claim that one of them makes: another may take it back.
    """
    for each in close:
        if copies(claim, each.node):
            return each.node
    for each in close:
        if each.similarity >= NEAR_DUPLICATE and _says_it(claim, each, sides[each.node.id]):
            return each.node
    return None


def copies(claim: str, node: Node) -> bool:
    """Return whether the text of ``node``, or its title, is the very claim."""
    return digest(claim) in {digest(node.content), digest(node.title)}


def _says_it(claim: str, close: Close, side: ClaimSide) -> bool:
    if len(statements(close.node.content)) > max(1, len(statements(claim))):
        return False
    return side.verdict == "supports" or (side.grounds == (_SILENT,) and restates(claim, close.sentences[0].text))


def recorded(
    relations: Sequence[Relation],
    anchors: Mapping[str, int],
    candidates: Mapping[str, ClaimSide],
    vocabulary: Vocabulary,
) -> dict[str, ClaimSide]:
    """Return the candidates on whose side a relation to an anchor decides.

    ``anchors`` run from a node's id to +1 (it speaks for the claim) or −1 (against); one that is no candidate is the
    claim itself. What supports or implies an anchor is on its side. What an anchor supports or implies may hold on
    other grounds and is on no side, unless the anchor is the claim. What refutes or contradicts one that speaks for the
    claim, or is refuted by it, is against it. What refutes a counter-argument does not thereby support the claim.
    """
    sides: dict[str, ClaimSide] = {}
    for relation in sorted(relations, key=lambda each: (polarity(each, vocabulary), -each.confidence, each.id)):
        sign = polarity(relation, vocabulary)
        for anchor, other in ((relation.source, relation.target), (relation.target, relation.source)):
            stance = _stance(anchors.get(anchor, 0), sign)
            follows = sign > 0 and anchor == relation.source and anchor in candidates
            if stance and not follows and other in candidates and other not in anchors:
                sides.setdefault(other, _side(candidates[other], relation, stance, by=candidates.get(anchor)))
    return sides


def told_apart(claim: str, conflicts: Sequence[Relation], sides: Mapping[str, ClaimSide]) -> dict[str, ClaimSide]:
    """Return the parties of recorded conflicts among nodes that nothing else decides on.

    Where the claim is a mere topic («model size and performance») it takes no side, and both parties are the conflict
    about it. Where it says something, likeness does not tell which party it agrees with: both stay undecided, and
    their grounds name the conflict.
    """
    found: dict[str, ClaimSide] = {}
    for relation in conflicts:
        pair = [sides[end] for end in (relation.source, relation.target) if end in sides]
        if len(pair) != 2 or any(side.verdict != "unsure" for side in pair):  # noqa: PLR2004
            continue
        for side, other in (pair, reversed(pair)):
            found.setdefault(side.node.id, _party(claim, side, other, relation))
    return found


def _party(claim: str, side: ClaimSide, other: ClaimSide, relation: Relation) -> ClaimSide:
    if _is_topic(claim, (side, other)):
        return _side(side, relation, -1)
    ground = f"stands in a recorded conflict ({relation.type}) with «{other.node.title}»"
    return replace(side, grounds=(*side.grounds, ground))


def superseding(side: ClaimSide, relation: Relation) -> ClaimSide:
    """Return ``side`` as what takes the place of the claim by the recorded ``relation``."""
    return _side(side, relation, -1)


def undecided(side: ClaimSide) -> bool:
    """Return whether the judge abstained on a side."""
    return side.verdict == "unsure"


def worth_judging(side: ClaimSide) -> bool:
    """Return whether an undecided side is worth a caller's judgement: it is alike, or likely to bear on the claim."""
    return side.similarity >= REASONABLE or bearing(side) >= BEARING


def bearing(side: ClaimSide) -> float:
    """Return how likely a side is to bear on the claim at all, either way (0..1); 0 where nothing was read of it."""
    return side.leaning.conflicts + side.leaning.supports if side.leaning else 0.0


def polarity(relation: Relation, vocabulary: Vocabulary) -> int:
    """Return whether a relation speaks for (+1) or against (−1) its target, or neither (0).

    Only arguments count: that one thing builds on another does not say that it supports what the other claims.
    """
    relation_type = vocabulary.type(relation.type)
    return relation_type.polarity if relation_type.family == "argument" else 0


def _stance(anchor: int, sign: int) -> int:
    if sign > 0:
        return anchor
    return -1 if sign < 0 and anchor > 0 else 0


def _side(known: ClaimSide, relation: Relation, stance: int, *, by: ClaimSide | None = None) -> ClaimSide:
    """Return ``known`` as decided by ``relation``: to the claim itself, or to ``by``, which stands on a side of it."""
    reason = f": {relation.reasoning}" if relation.reasoning else ""
    to_whom = f" between it and «{by.node.title}», which {_STANDS[by.verdict]}" if by and by.verdict in _STANDS else ""
    return replace(
        known,
        verdict="supports" if stance > 0 else "conflicts",
        grounds=(f"recorded relation {relation.type}{to_whom}{reason}",),
        relation=relation,
    )


def _is_topic(claim: str, pair: Sequence[ClaimSide]) -> bool:
    """Return whether ``claim`` names a subject without saying anything of it, and neither party says nearly the same.

    One or two words, or a few that are joined by «and», «versus» or the like, with none that compares, denies or tells.
    When in doubt it says something.
    """
    words = len(claim.split())
    if words > _TOPIC_WORDS_MAX or claim.rstrip().endswith((".", "!")) or _SAYS.search(claim):
        return False
    named = words <= _NAME_WORDS_MAX or _JOINS.search(claim) is not None
    return named and all(side.similarity < OBVIOUS for side in pair)
