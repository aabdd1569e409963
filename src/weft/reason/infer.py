"""Which relations a new node has to others: seven rules over what the nodes say, and a table over pairs of kinds.

Everything is decided from two nodes at a time; candidates come from indexes, so that a capture's cost does not grow
with the graph. Rules and figures are the project toolset's, the table is memory's; what they leave open is said there.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from weft.reason.compare import jaccard
from weft.text import STOP_WORDS, fold, terms
from weft.vocabulary import AUTO_CREATE_FLOOR, PAIR_CANDIDATES_MAX, PAIRS_MAX, RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from weft.model import Node

__all__ = ["PAIR_FLOOR", "RELATED_FLOOR", "RULES", "Finding", "Rule", "could_pair", "infer", "pairs"]

Action = Literal["create", "suggest"]

_SHOWN_MAX: Final = 60  # characters of a title or a path that a reasoning repeats
_NAMED_MAX: Final = 5  # shared tags, files or words that a reasoning lists
_SHORTEST_WORD: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A relation ``source_id —type→ target_id`` that a rule found, and why.

    ``confidence`` in 0..1; ``reasoning`` is a sentence; ``scores`` are the rule's inputs as (name, value) pairs;
    ``action`` says whether to create the relation or only to suggest it. Of a symmetric type, source sorts first.
    """

    rule: str
    source_id: str
    target_id: str
    type: str
    confidence: float
    reasoning: str
    scores: tuple[tuple[str, float], ...]
    action: Action


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """What a rule saw in two nodes: its confidence (0..1), its reasons, and its inputs."""

    confidence: float
    reasoning: str
    scores: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One way of seeing that ``source —type→ target``. ``test`` is pure and answers for that direction only."""

    name: str
    type: str
    action: Action
    test: Callable[[Node, Node], Match | None]


def infer(new: Node, others: Iterable[Node], *, floor: float = AUTO_CREATE_FLOOR) -> tuple[Finding, ...]:
    """Return what the seven rules see between ``new`` and each of ``others``, what to create before what to suggest.

    Every rule is tried in both directions, where these differ, so that a later target is linked too. A rule's action
    decides, but under ``floor`` (a confidence, 0..1) nothing is created, only suggested. Of several findings for one
    pair and type, one that creates beats one that suggests, then the surer wins. A node is never related to itself.
    """
    best: dict[tuple[str, str, str], Finding] = {}
    for other in others:
        for finding in _between(new, other, floor):
            key = (finding.source_id, finding.target_id, finding.type)
            if key not in best or _rank(finding) < _rank(best[key]):
                best[key] = finding
    return tuple(sorted(best.values(), key=_rank))


def _between(new: Node, other: Node, floor: float) -> Iterable[Finding]:
    if new.id == other.id:
        return
    for rule in RULES:
        ways = 1 if RELATION_TYPES[rule.type].symmetric else 2
        for source, target in ((new, other), (other, new))[:ways]:
            match = rule.test(source, target)
            if match:
                yield _finding(rule, source, target, match, floor)


def _finding(rule: Rule, source: Node, target: Node, match: Match, floor: float) -> Finding:
    source_id, target_id = _ends(source.id, target.id, rule.type)
    return Finding(
        rule=rule.name,
        source_id=source_id,
        target_id=target_id,
        type=rule.type,
        confidence=match.confidence,
        reasoning=match.reasoning,
        scores=match.scores,
        action=rule.action if match.confidence >= floor else "suggest",
    )


def _ends(source_id: str, target_id: str, relation_type: str) -> tuple[str, str]:
    if RELATION_TYPES[relation_type].symmetric and target_id < source_id:
        return target_id, source_id
    return source_id, target_id


def _rank(finding: Finding) -> tuple[bool, float, str, str, str, str]:
    return (
        finding.action != "create",
        -finding.confidence,
        finding.rule,
        finding.source_id,
        finding.target_id,
        finding.type,
    )


# ---- the seven rules


def _shared_tags(source: Node, target: Node) -> Match | None:
    """Tags of which at least 0.3 are shared; the confidence is the share."""
    one, other = _folded(source.tags), _folded(target.tags)
    overlap = jaccard(one, other)
    if overlap < 0.3:  # noqa: PLR2004 - the rule's figure
        return None
    return Match(
        confidence=overlap,
        reasoning=f"They share {overlap:.0%} of their tags: {_listed(one & other)}.",
        scores=(("tag_overlap", overlap),),
    )


def _similar_titles(source: Node, target: Node) -> Match | None:
    """Title words of more than three letters of which at least 0.4 are shared; the confidence is 0.9 of the share."""
    one, other = _title_words(source.title), _title_words(target.title)
    overlap = jaccard(one, other)
    if overlap < 0.4:  # noqa: PLR2004 - the rule's figure
        return None
    return Match(
        confidence=0.9 * overlap,
        reasoning=f"Their titles share {overlap:.0%} of the longer words: {_listed(one & other)}.",
        scores=(("title_overlap", overlap),),
    )


def _shared_files(source: Node, target: Node) -> Match | None:
    """Any file or URL that both refer to."""
    shared = _references(source) & _references(target)
    if not shared:
        return None
    return Match(
        confidence=0.7,
        reasoning=f"Both refer to {_listed(shared)}.",
        scores=(("shared_references", float(len(shared))),),
    )


def _implementation(source: Node, target: Node) -> Match | None:
    """A component whose content holds two or more keywords (longer words, no function words) of a decision's title."""
    if source.kind != "component" or target.kind != "decision":
        return None
    shared = (_title_words(target.title) - STOP_WORDS) & frozenset(terms(source.content))
    if len(shared) < 2:  # noqa: PLR2004 - the rule's figure
        return None
    return Match(
        confidence=0.75,
        reasoning=f"The component's text holds words of the decision's title: {_listed(shared)}.",
        scores=(("shared_keywords", float(len(shared))),),
    )


_SUPERSEDING: Final = re.compile(r"\b(?:supersedes|replaces|obsoletes|deprecates)\b", re.IGNORECASE)


def _supersession(source: Node, target: Node) -> Match | None:
    """Same kind, title similarity of 0.6 or more, and the newer one's content says that it takes a place."""
    if source.kind != target.kind or (source.created_at, source.id) <= (target.created_at, target.id):
        return None
    similarity = jaccard(_title_words(source.title), _title_words(target.title))
    word = _SUPERSEDING.search(source.content) if similarity >= 0.6 else None  # noqa: PLR2004 - the rule's figure
    if not word:
        return None
    return Match(
        confidence=0.85,
        reasoning=f"The newer {source.kind} has a similar title and says «{word.group().lower()}».",
        scores=(("title_similarity", similarity),),
    )


def _made_in_session(source: Node, target: Node) -> Match | None:
    """A node stamped with the name (or the id) of the session that the other node stands for, whichever came first."""
    if target.kind != "session" or source.kind == "session" or not source.session:
        return None
    if source.session not in {target.session, target.id, *target.handles}:
        return None
    return Match(
        confidence=1.0,
        reasoning=f"It was written in the session {_shown(source.session)}.",
        scores=(("same_session", 1.0),),
    )


_NEEDING: Final = ("uses", "depends on", "requires")
# A cheap look before the text is folded; the first letter may be a capital, or all of them.
_NEEDING_SIGNS: Final = ("uses", "Uses", "USES", "epends", "EPENDS", "equires", "EQUIRES")
_ARTICLES: Final = ("", "the ", "a ", "an ")
_MARKS: Final = str.maketrans("", "", "`*\"'[]«»“”")  # what people put around a name, so that it still counts as one
_DENIED: Final = re.compile(r"\b(?:not|never|neither|nor|no longer|nothing|nobody|none) (?:\w+ )?$")


def _dependency(source: Node, target: Node) -> Match | None:
    """The content says «uses», «depends on» or «requires» and then the other's title or alias, as whole words."""
    if not any(sign in source.content for sign in _NEEDING_SIGNS):
        return None
    text = _flat(source.content)
    for name in _names((target.title, *target.aliases)):
        for verb in _NEEDING if name in text else ():
            if any(_stands(f"{verb} {article}{name}", text) for article in _ARTICLES):
                return Match(
                    confidence=0.8,
                    reasoning=f"Its text says that it «{verb} {_shown(name)}».",
                    scores=(("named_after_verb", 1.0),),
                )
    return None


@lru_cache(maxsize=64)  # a new node's content is read once for every candidate
def _flat(content: str) -> str:
    return " ".join(content.casefold().translate(_MARKS).split())


@lru_cache(maxsize=1024)
def _names(called: tuple[str, ...]) -> tuple[str, ...]:
    folded = (fold(name).translate(_MARKS) for name in called)
    return tuple(name for name in folded if not STOP_WORDS.issuperset(terms(name)))


def _stands(phrase: str, text: str) -> bool:
    """Whether ``phrase`` stands in ``text`` as whole words, and is not denied there."""
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        whole = not text[max(0, start - 1) : start].isalnum() and not text[end : end + 1].isalnum()
        if whole and not _DENIED.search(text[max(0, start - 40) : start]):
            return True
        start = text.find(phrase, end)
    return False


RULES: Final = (
    Rule(name="shared_tags", type="relates_to", action="suggest", test=_shared_tags),
    Rule(name="similar_titles", type="relates_to", action="suggest", test=_similar_titles),
    Rule(name="shared_files", type="relates_to", action="create", test=_shared_files),
    Rule(name="implementation", type="implements", action="create", test=_implementation),
    Rule(name="supersession", type="supersedes", action="suggest", test=_supersession),
    Rule(name="made_in_session", type="derived_from", action="create", test=_made_in_session),
    Rule(name="dependency", type="depends_on", action="create", test=_dependency),
)


@lru_cache(maxsize=1024)
def _folded(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(filter(None, map(fold, names)))


@lru_cache(maxsize=8192)
def _title_words(title: str) -> frozenset[str]:
    words = re.split(r"[\s/–—-]+", title)
    long = (word for word in words if sum(map(str.isalnum, word)) >= _SHORTEST_WORD)
    return frozenset(term for word in long for term in terms(word))


def _references(node: Node) -> frozenset[str]:
    return frozenset(filter(None, (each.strip().replace("\\", "/").removeprefix("./") for each in node.references)))


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN_MAX else text[: _SHOWN_MAX - 1] + "…"


def _listed(names: Iterable[str]) -> str:
    ordered = sorted(names)
    rest = len(ordered) - _NAMED_MAX
    return ", ".join(map(_shown, ordered[:_NAMED_MAX])) + (f" and {rest} more" if rest > 0 else "")


# ---- the table of kinds

PAIR_FLOOR: Final = 0.70
RELATED_FLOOR: Final = 0.80
POPULAR: Final = 10
"""A node with this many relations takes no further one from a keyword-only match."""

_TROUBLE: Final = frozenset({"problem", "error", "issue"})
_REMEDY: Final = frozenset({"solution", "fix"})
_PATTERN: Final = frozenset({"pattern", "code_pattern"})

# (kinds of the new node, kinds of the found node, type, whether it runs from found to new), first match counts.
_TABLE: Final = (
    (_REMEDY, _TROUBLE, "solves", False),
    (_TROUBLE, _REMEDY, "solves", True),
    (frozenset({"decision"}), _PATTERN | {"solution", "insight", "procedure"}, "builds_on", False),
    (_REMEDY | {"configuration", "procedure"}, _PATTERN | {"decision", "insight"}, "builds_on", False),
    (frozenset({"insight"}), _REMEDY | {"procedure"}, "builds_on", False),
)


def pairs(
    new: Node, others: Sequence[tuple[Node, float | None, bool]], *, popularity: Mapping[str, int]
) -> tuple[Finding, ...]:
    """Return at most three relations between ``new`` and the nodes a recall found, by the kinds of both.

    ``others`` are (node, calibrated similarity or None, whether only keywords matched), best first, of which five are
    looked at; ``popularity`` counts the relations a node has already. Nodes of the same kind are never paired, and
    requires and follows are never concluded. The similarity is the strength; a keyword-only match needs a shared tag
    (for relates_to nearly all), and its strength is the overlap of tags, marked by the score ``keyword_only``.

    A popular node is damped: its similarity is divided by 1 + 0.15 · log2(1 + n / 5) with n its relations before the
    floor (0.70, relates_to 0.80) and the order are looked at, so that the first few link freely and a hub only to what
    is nearly the same. Floors come before the cut to three.
    """
    looked_at = [each for each in others if each[0].id != new.id][:PAIR_CANDIDATES_MAX]
    tried = (
        _pair(new, other, similarity=None if keyword_only else similarity, popularity=popularity)
        for other, similarity, keyword_only in looked_at
    )
    found = sorted(filter(None, tried), key=lambda item: (-item[0], item[1].source_id, item[1].target_id))
    return tuple(finding for _, finding in found[:PAIRS_MAX])


def could_pair(new: Node, other: Node, similarity: float) -> bool:
    """Return whether the table may join two nodes of this similarity (0..1), however popular the other is."""
    return new.kind != other.kind and similarity >= _floor(_row(new.kind, other.kind)[0])


def _floor(relation_type: str) -> float:
    return RELATED_FLOOR if relation_type == "relates_to" else PAIR_FLOOR


def _pair(
    new: Node, other: Node, *, similarity: float | None, popularity: Mapping[str, int]
) -> tuple[float, Finding] | None:
    if new.kind == other.kind:
        return None
    relation_type, reversed_ = _row(new.kind, other.kind)
    degree = max(0, popularity.get(other.id, 0))
    damping = 1 + 0.15 * math.log2(1 + degree / 5)
    if similarity is None:
        strength = jaccard(_folded(new.tags), _folded(other.tags))
        telling = strength >= RELATED_FLOOR if relation_type == "relates_to" else strength > 0.0
        enough = telling and degree < POPULAR
        scores = (("tag_overlap", strength), ("keyword_only", 1.0), ("popularity", float(degree)))
    else:
        strength = max(0.0, min(1.0, similarity))
        enough = strength / damping >= _floor(relation_type)
        scores = (("similarity", strength), ("damped", strength / damping), ("popularity", float(degree)))
    if not enough:
        return None
    source, target = (other, new) if reversed_ else (new, other)
    return strength / damping, _paired(source, target, relation_type, strength=strength, scores=scores)


def _row(new_kind: str, found_kind: str) -> tuple[str, bool]:
    for new_kinds, found_kinds, relation_type, reversed_ in _TABLE:
        if new_kind in new_kinds and found_kind in found_kinds:
            return relation_type, reversed_
    return "relates_to", False


def _paired(
    source: Node, target: Node, relation_type: str, *, strength: float, scores: tuple[tuple[str, float], ...]
) -> Finding:
    """Return the finding; its reasoning names the ends as the table settled them, whatever order they are stored in."""
    arrow = "↔" if RELATION_TYPES[relation_type].symmetric else "→"
    ground = f"{'similarity' if scores[0][0] == 'similarity' else 'keywords only, tag overlap'} {strength:.2f}"
    source_id, target_id = _ends(source.id, target.id, relation_type)
    return Finding(
        rule="kind_pair",
        source_id=source_id,
        target_id=target_id,
        type=relation_type,
        confidence=strength,
        reasoning=(
            f"{_shown(source.title)} {arrow} {_shown(target.title)}: "
            f"{source.kind} {relation_type} {target.kind}, {ground}."
        ),
        scores=scores,
        action="create",
    )
