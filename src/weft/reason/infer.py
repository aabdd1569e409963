"""Which relations a new node has to others: seven rules over what the nodes say.

Everything is decided from two nodes at a time; candidates come from indexes, so that a capture's cost does not grow
with the graph. Rules and figures are the project toolset's; what they leave open is said there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.reason.clause import Clause, read, root
from weft.reason.compare import jaccard
from weft.reason.finding import Action, Finding, ends_of, folded, shown
from weft.reason.needing import needed
from weft.reason.quantity import UNITS
from weft.reason.sentences import phrases
from weft.text import HEAD, empty_words, terms
from weft.vocabulary import AUTO_CREATE_FLOOR, RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Set as AbstractSet

    from weft.model import Node

__all__ = ["RULES", "Rule", "concludes", "infer"]

_NAMED_MAX: Final = 5  # shared tags, files or words that a reasoning lists
_SHORTEST_WORD: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """What a rule saw in two nodes: its confidence (0..1), its reasons, and its inputs."""

    confidence: float
    reasoning: str
    scores: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One way of seeing that ``source —type→ target``. ``test`` is pure and answers for that direction only.

    It concludes from the kinds that are named: of the ``source``, of the ``target``.
    """

    name: str
    type: str
    action: Action
    test: Callable[[Node, Node], Match | None]
    source: str = ""
    target: str = ""

    def fits(self, source: Node, target: Node) -> bool:
        """Return whether the two are of the kinds it is for."""
        return self.source in ("", source.kind) and self.target in ("", target.kind)

    def doubted(self, source: Node, target: Node, ids: AbstractSet[str]) -> bool:
        """Return whether it would conclude from the kind of one of ``ids``."""
        return (bool(self.source) and source.id in ids) or (bool(self.target) and target.id in ids)


def infer(
    new: Node, others: Iterable[Node], *, floor: float = AUTO_CREATE_FLOOR, doubted: AbstractSet[str] = frozenset()
) -> tuple[Finding, ...]:
    """Return what the seven rules see between ``new`` and each of ``others``, what to create before what to suggest.

    Every rule is tried in both directions, where these differ, so that a later target is linked too. A rule's action
    decides, but under ``floor`` (a confidence, 0..1) nothing is created, only suggested. Of several findings for one
    pair and type, one that creates beats one that suggests, then the surer wins. A node is never related to itself.
    From the kinds of ``doubted`` ids, which were guessed, nothing is concluded.
    """
    best: dict[tuple[str, str, str], Finding] = {}
    for other in others:
        for finding in _between(new, other, floor, doubted):
            key = (finding.source_id, finding.target_id, finding.type)
            if key not in best or _rank(finding) < _rank(best[key]):
                best[key] = finding
    return tuple(sorted(best.values(), key=_rank))


def concludes(new: Node, other: Node) -> bool:
    """Return whether a rule would conclude from the kind of ``other`` what it has to do with ``new``."""
    return any(
        (rule.source and rule.fits(other, new)) or (rule.target and rule.fits(new, other))
        for rule in RULES
        if rule.source or rule.target
    )


def _between(new: Node, other: Node, floor: float, doubted: AbstractSet[str]) -> Iterable[Finding]:
    if new.id == other.id:
        return
    for rule in RULES:
        ways = 1 if RELATION_TYPES[rule.type].symmetric else 2
        for source, target in ((new, other), (other, new))[:ways]:
            tried = rule.fits(source, target) and not rule.doubted(source, target, doubted)
            match = rule.test(source, target) if tried else None
            if match:
                yield _finding(rule, source, target, match, floor)


def _finding(rule: Rule, source: Node, target: Node, match: Match, floor: float) -> Finding:
    source_id, target_id = ends_of(source.id, target.id, rule.type)
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


def _rank(finding: Finding) -> tuple[bool, float, str, str, str, str]:
    return (
        finding.action != "create",
        -finding.confidence,
        finding.rule,
        finding.source_id,
        finding.target_id,
        finding.type,
    )


def _shared_tags(source: Node, target: Node) -> Match | None:
    """Tags of which at least 0.3 are shared; the confidence is the share."""
    one, other = folded(source.tags), folded(target.tags)
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


_KEYWORDS_MIN: Final = 2

_NOTE_MAX: Final = 1_000
"""Characters of a note: the rule is of notes, and in a document of pages two words of a title stand by chance.

Of such relations of documents (Python's and Kubernetes' proposals) authors had drawn 29 of 1,027; with every keyword in
the opening 7 of 34, and 20 of 24 in two vaults. So that is asked, at 0.6, and less is nothing.
"""


def _implementation(source: Node, target: Node) -> Match | None:
    """A component whose content holds two or more keywords of a decision's title, and does not deny them.

    Keywords are longer words, but function words and units. Of a longer text the title and the first 1,000 characters
    are read, which must hold all of them. A name such as MongoDB is one keyword, whatever it is made of.
    """
    empty = empty_words(f"{target.title}\n{target.content[:HEAD]}") | UNITS
    keywords = _title_words(target.title) - empty
    note = len(source.content) <= _NOTE_MAX
    text = source.content if note else f"{source.title}\n{source.content[:_NOTE_MAX]}"
    shared = keywords & frozenset(terms(text))
    least = _KEYWORDS_MIN if note else max(_KEYWORDS_MIN, len(keywords))
    if len(shared) < least:
        return None
    denied = _denied(target.title, text)
    counted = shared - _parts(target.title, shared) - denied
    if len(shared - denied) < least:
        return None
    if len(counted) < _KEYWORDS_MIN:
        return None
    return Match(
        confidence=0.75 if note else 0.6,
        reasoning=f"The component's text holds words of the decision's title: {_listed(counted)}.",
        scores=(("shared_keywords", float(len(counted))),),
    )


def _parts(title: str, held: frozenset[str]) -> frozenset[str]:
    """Return the terms that are parts of a word of ``title`` which is held whole: mongo and db where MongoDB is."""
    words = (frozenset(terms(word)) for word in _long_words(title))
    return frozenset(part for word in words for whole in word & held for part in word - {whole} if part in whole)


_ANOTHER_VERB: Final = re.compile(
    r"\s+and\s+(?=[a-z]+s (?!(?:of|in|on|at|by|for|from|with|and|or|is|are|was|were|have)\b)\w)"
)
"""Where a denial ends though «and» goes on: before a verb in -s and its object, «no files and caches sessions»."""


def _denied(title: str, text: str) -> frozenset[str]:
    """Return the terms of longer words in ``title`` that ``text`` holds only where it denies them.

    What the title denies too, both say alike.
    """
    held, reached = _stances(text)
    gone = reached - held - _stances(title)[1]
    words = (frozenset(terms(word)) for word in (_long_words(title) if gone else ()))
    return frozenset(term for word in words if not gone.isdisjoint(map(root, word)) for term in word)


@lru_cache(maxsize=64)  # a new component's text is read once for every decision
def _stances(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the roots that ``text`` holds outside the reach of any denial, and those within it."""
    held: set[str] = set()
    reached: set[str] = set()
    for clause in (read(part) for phrase in phrases(text) for part in _ANOTHER_VERB.split(phrase)):
        for word in clause.words:
            (reached if _is_denied(clause, word.root, word.place) else held).add(word.root)
    return frozenset(held), frozenset(reached)


def _is_denied(clause: Clause, word: str, place: int) -> bool:
    return any(each.place < place and word in each.reach and not each.partial for each in clause.denials)


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
    if source.kind == "session" or not source.session:
        return None
    if source.session not in {target.session, target.id, *target.handles}:
        return None
    return Match(
        confidence=1.0,
        reasoning=f"It was written in the session {shown(source.session)}.",
        scores=(("same_session", 1.0),),
    )


def _dependency(source: Node, target: Node) -> Match | None:
    """The content says of itself «uses», «depends on» or «requires», then the other's title or alias in whole words."""
    said = needed(source, (target.title, *target.aliases))
    if not said:
        return None
    return Match(
        confidence=0.8,
        reasoning=f"Its text says that it «{said}».",
        scores=(("named_after_verb", 1.0),),
    )


RULES: Final = (
    Rule(name="shared_tags", type="relates_to", action="suggest", test=_shared_tags),
    Rule(name="similar_titles", type="relates_to", action="suggest", test=_similar_titles),
    Rule(name="shared_files", type="relates_to", action="create", test=_shared_files),
    Rule(
        name="implementation",
        type="implements",
        action="create",
        test=_implementation,
        source="component",
        target="decision",
    ),
    Rule(name="supersession", type="supersedes", action="suggest", test=_supersession),
    Rule(
        name="made_in_session",
        type="derived_from",
        action="create",
        test=_made_in_session,
        target="session",
    ),
    Rule(name="dependency", type="depends_on", action="create", test=_dependency),
)


@lru_cache(maxsize=8192)
def _title_words(title: str) -> frozenset[str]:
    return frozenset(term for word in _long_words(title) for term in terms(word))


def _long_words(title: str) -> list[str]:
    words = re.split(r"[\s/–—-]+", title)
    return [word for word in words if sum(map(str.isalnum, word)) >= _SHORTEST_WORD]


def _references(node: Node) -> frozenset[str]:
    return frozenset(filter(None, (each.strip().replace("\\", "/").removeprefix("./") for each in node.references)))


def _listed(names: Iterable[str]) -> str:
    ordered = sorted(names)
    rest = len(ordered) - _NAMED_MAX
    return ", ".join(map(shown, ordered[:_NAMED_MAX])) + (f" and {rest} more" if rest > 0 else "")
