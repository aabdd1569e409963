"""Whether two texts say that a remedy failed against a trouble: like as they may be, it solved nothing then.

English, as data: one table of phrases.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from weft.reason.clause import root
from weft.reason.lexicon import PRONOUNS
from weft.reason.sentences import phrases
from weft.text import STOP_WORDS, terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from weft.model import Node

__all__ = ["failure"]

_READ_MAX: Final = 4_000  # characters of a text in which it is looked for

_NOT: Final = (
    r"(?:(?:did|does|do|has|have|had)(?: not|n['’]?t)|never|hardly|barely)"
    r"(?: really| actually| even| fully| much)?"
)
# ``state``: what is so of many a trouble itself, which then is no remedy's failure. ``return``: what the trouble did.
_FAILED: Final = re.compile(
    rf"\b(?:{_NOT} (?:help|fix|solve?|cure?|relieve?|ease?|improve?)(?:ed|d|s)?"
    r"|nothing (?:has )?(?:helped|helps|worked|fixed|solved)|none of (?:it|them|this|these) (?:helped|worked)"
    r"|(?:was|were|is|of) no (?:use|help|avail)(?! of)|to no avail|in vain|without success|ma[dk]es? no difference"
    r"|failed to (?:help|fix|solve|cure|relieve|ease)|(?:was|got|is|felt) no better"
    rf"|(?P<state>{_NOT} (?:work|resolved?)(?:ed)?|(?:had|has|have) no effect)"
    r"|(?P<return>(?:came|comes|come) back(?! (?:up|online|to|with|clean)\b)|re(?:curred|appeared)))\b",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(r"\b(?:if|unless|whether|in case|should|when|where|until|before)\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[,;:()]|\b(?:and|but|so|while|because|since)\b", re.IGNORECASE)
_PRESENT: Final = re.compile(r"do(?:es)?\b|do(?:es)?n|ha(?:s|ve) no ", re.IGNORECASE)
_ABSENT: Final = re.compile(
    r"\b(?:down|offline|gone|lost|missing|unavailable|unreachable|outage|disconnect\w*|disappear\w*|vanish\w*)\b",
    re.IGNORECASE,
)
_TROUBLES: Final = frozenset(
    map(root, ("pain", "error", "problem", "issue", "fault", "failure", "symptom", "trouble", "bug", "leak", "noise"))
)


def failure(remedy: Node, trouble: Node, *, later: bool) -> str:
    """Return with which words one of the two says that ``remedy`` failed, or nothing.

    The first 4,000 characters of each are read. The trouble's text speaks of what was tried before: of a ``later``
    remedy only where it names a word of its title. What is said under a condition is not said.
    """
    named = _roots(trouble.title)
    for said, subject in _failures(remedy):
        if said["state"] and not subject.isdisjoint(named):
            continue
        if said["return"] and (_ABSENT.search(trouble.title) or (subject and subject.isdisjoint(named | _TROUBLES))):
            continue
        return _told(said)
    tried = _roots(remedy.title)
    for said, subject in _failures(trouble):
        itself = said["state"] and (not subject or _PRESENT.match(said.group()) or not subject.isdisjoint(named))
        if not itself and (not later or not subject.isdisjoint(tried)):
            return _told(said)
    return ""


def _failures(node: Node) -> Iterator[tuple[re.Match[str], AbstractSet[str]]]:
    """Yield each phrase of the table that ``node`` says, with the roots of what it is said of, but of «it» none."""
    for phrase in phrases(f"{node.title}\n\n{node.content}"[:_READ_MAX]):
        for said in _FAILED.finditer(" ".join(phrase.split())):
            before = said.string[: said.start()]
            clause = _CLAUSE.split(before)[-1]
            asked_for = not clause.strip() and said.group().casefold().startswith("do ")
            if not asked_for and not _CONDITION.search(before):
                yield said, _roots(clause) if PRONOUNS.isdisjoint(terms(clause)[-1:]) else frozenset()


def _roots(text: str) -> frozenset[str]:
    return frozenset(map(root, frozenset(terms(text)) - STOP_WORDS))


def _told(said: re.Match[str]) -> str:
    return said.group().casefold()
