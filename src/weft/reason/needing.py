"""Whether a text says of itself that it uses, depends on or requires a thing: who its verb's subject is.

English, as the three verbs are. What is not sure to be said of the text's own node is not said.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.reason.clause import root
from weft.reason.finding import shown
from weft.reason.lexicon import DENIALS, HEDGES, words
from weft.reason.sentences import phrases
from weft.reason.unsaid import blank_unsaid
from weft.text import STOP_WORDS, fold, terms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from weft.model import Node

__all__ = ["needed"]

_VERBS: Final = ("uses", "depends on", "requires")
# A cheap look before the text is folded; the first letter may be a capital, or all of them.
_SIGNS: Final = ("uses", "Uses", "USES", "epends", "EPENDS", "equires", "EQUIRES")
_ARTICLES: Final = ("", "the ", "a ", "an ")
_MARKS: Final = str.maketrans("", "", "`*\"'[]«»“”‘’")  # what people put around a name, so that it still counts as one
_QUOTED: Final = re.compile(r"[«„“\"][^«»„“”\"\n]{1,300}[»“”\"]")
_HEAD_MAX: Final = 300  # characters before a verb in which its subject is looked for
_REST_MAX: Final = 120  # characters after a name in which what takes it back is looked for


_TOKEN: Final = re.compile(r"[\w.'/@+-]*\w|[,;:()—–]")
_ITSELF: Final = words("it we this that these itself")
_OWN: Final = words("its this")  # «this queue», «its queue»: the text's own, or a part of it
_DETERMINERS: Final = words("a an the its this these those every each our their his her my your all some only")
_OTHERS: Final = words("other another old former previous earlier legacy")
_KINDS: Final = words("service component module package library system tool program app application script project")
_ADVERBS: Final = words(
    """
    also always currently still now already internally directly mainly mostly usually typically often sometimes
    therefore thus hence additionally here today only just even both itself heavily simply generally
    """
)
_RELATIVES: Final = words("which that who")
_LISTING: Final = words(", and or but then")
_LABELLING: Final = words(": ( — –")
_CUTTING: Final = words("; while whereas because since although though but so unlike where when as")
_BREAKS: Final = _RELATIVES | _LISTING | _LABELLING | _CUTTING | {")"}
_PLACING: Final = words(
    "of in on at by for from with within behind under over to before after inside between during through without"
)
_BEING: Final = words("is are was were")
_CONDITIONS: Final = words("if unless whether assuming supposing suppose provided")
_REFUSING: Final = DENIALS | words("perhaps maybe possibly probably supposedly reportedly nor")
_FIRST_MAX: Final = 3  # words of a predicate's clause among which its subject is

_GOING: Final = r"(?:remov|drop|retir|deprecat|replac|abandon|phas|discard|delet|eliminat)\w*"
_GONE: Final = re.compile(
    rf"^ (?:no longer|no more|nowhere|for nothing|in no|until|till)\b|\b{_GOING} (?:out )?(?:it|this)\b"
    r"|^,? (?:(?:and|but|which|that|it|this) )+"
    rf"(?:(?:we|they|i) (?:\w+ ){{0,3}}|(?:\w+ ){{0,2}}(?:is|be|being|gets|was) (?:\w+ ){{0,2}}){_GOING}"
)
_REMOVAL: Final = re.compile(rf"\b(?:{_GOING}|get rid|move away|migrate away|stop using)\b")

_INSTEAD: Final = words("with by for from in to into")


def needed(source: Node, called: tuple[str, ...]) -> str:
    """Return the words with which ``source`` says of itself that it needs what is ``called`` so, or nothing.

    A sentence says it whose verb has the node for its subject: a word of the title, «it», «this» or «we», or none. One
    that asks, sets a condition, denies it or speaks of taking the thing away does not.
    """
    if not any(sign in source.content for sign in _SIGNS):
        return ""
    said = _said(source.content)
    own = _own(source.title, source.aliases, source.kind)
    title = _flat(source.title)
    for name in _names(called):
        if not _removes(title, name):
            for verb in _VERBS:
                if any(_says(sentence, verb, name, own) for sentence in said if name in sentence):
                    return f"{verb} {shown(name)}"
    return ""


@lru_cache(maxsize=64)  # a new node's content is read once for every candidate
def _said(content: str) -> tuple[str, ...]:
    flat = (_flat(_QUOTED.sub(_unsaid, phrase)) for phrase in phrases(blank_unsaid(content)))
    return tuple(each for each in flat if any(verb in each for verb in _VERBS) and not each.endswith("?"))


def _unsaid(quoted: re.Match[str]) -> str:
    """Return nothing for a quoted sentence, which somebody else says, or nobody; a quoted name stays."""
    return " " if any(verb in quoted.group().casefold() for verb in _VERBS) else quoted.group()


def _flat(text: str) -> str:
    return " ".join(text.casefold().translate(_MARKS).split())


@lru_cache(maxsize=1024)
def _names(called: tuple[str, ...]) -> tuple[str, ...]:
    folded = (fold(name).translate(_MARKS) for name in called)
    return tuple(name for name in folded if not STOP_WORDS.issuperset(terms(name)))


@lru_cache(maxsize=1024)
def _own(title: str, aliases: tuple[str, ...], kind: str) -> frozenset[str]:
    """Return the roots of the words that a text may call its own node by."""
    words = {word for name in (title, *aliases) for word in _tokens(_flat(name))}
    return frozenset(map(root, words - STOP_WORDS)) | {root(kind)}


def _removes(title: str, name: str) -> bool:
    """Return whether ``title`` speaks of taking away what ``name`` names, not of something from there or for it."""
    going = _REMOVAL.search(title)
    at = title.find(name, going.end()) if going else -1
    return going is not None and at >= 0 and _INSTEAD.isdisjoint(title[going.end() : at].split())


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _says(sentence: str, verb: str, name: str, own: AbstractSet[str]) -> bool:
    """Return whether ``sentence`` says somewhere, in whole words, that what is called ``own`` needs ``name``."""
    for article in _ARTICLES:
        phrase = f"{verb} {article}{name}"
        start = sentence.find(phrase)
        while start >= 0:
            end = start + len(phrase)
            whole = not sentence[max(0, start - 1) : start].isalnum() and not sentence[end : end + 1].isalnum()
            rest = sentence[end : end + _REST_MAX]
            if whole and not _GONE.search(rest) and _is_of(sentence[max(0, start - _HEAD_MAX) : start], own):
                return True
            start = sentence.find(phrase, end)
    return False


def _is_of(head: str, own: AbstractSet[str]) -> bool:
    """Return whether the verb after ``head`` is said, without a condition or a denial, of what is called ``own``."""
    words = _tokens(head)
    if not _CONDITIONS.isdisjoint(words):
        return False
    near = _last(words)
    if not _REFUSING.isdisjoint(near):
        return False
    before = words[: len(words) - len(near)]
    subject = [word for word in near if word not in _ADVERBS]
    if not before or subject:
        reported = before[-1:] == ["that"] and not (DENIALS | HEDGES).isdisjoint(before)
        return not reported and _names_own(subject, own)
    return _owes(before, own)


def _last(words: Sequence[str]) -> list[str]:
    """Return the words after the last break: between it and the verb stands the subject, if one does."""
    at = next((place for place in range(len(words), 0, -1) if words[place - 1] in _BREAKS), 0)
    return list(words[at:])


def _owes(before: Sequence[str], own: AbstractSet[str]) -> bool:
    """Return whether a verb without a subject, after the break that ends ``before``, has one there called ``own``."""
    if before[-1] in _RELATIVES:
        return _is_antecedent([word for word in before[:-1] if word != ","], own)
    if before[-1] in _LISTING:
        return _begins_own(before, own)
    return before[-1] in _LABELLING and _names_own(_last(before[:-1]), own)


def _is_antecedent(words: Sequence[str], own: AbstractSet[str]) -> bool:
    """Return whether what ``words`` end with is called ``own``, or is what that is said to be."""
    phrase = _last(words)
    being = next((place for place, word in enumerate(phrase) if word in _BEING), None)
    if being is not None:
        return DENIALS.isdisjoint(phrase) and _names_own(phrase[:being], own)
    places = [place for place, word in enumerate(phrase) if word in _DETERMINERS | _PLACING]
    return _names_own(phrase[places[-1] + 1 :] if places else phrase, own) if phrase else False


def _begins_own(before: Sequence[str], own: AbstractSet[str]) -> bool:
    """Return whether the clause that ``before`` is the beginning of has for its subject what is called ``own``."""
    at = next((place + 1 for place in range(len(before) - 2, -1, -1) if before[place] in _CUTTING | {"("}), 0)
    clause = list(before[at:])
    if clause[0] in _PLACING and "," in clause[:-1]:
        clause = clause[clause.index(",") + 1 :]
    determined = clause[0] in _DETERMINERS - _ITSELF
    first = clause[determined : determined + _FIRST_MAX]
    if not first or first[0] in _ITSELF | _PLACING | _LISTING or clause[0] in _OWN:
        return True
    end = next((place for place, word in enumerate(first) if word in _DETERMINERS | _PLACING | _BREAKS), len(first))
    named = {root(word) for word in first[:end]}
    return not named.isdisjoint(own) or (not determined and first[0].endswith("s"))


def _names_own(phrase: Sequence[str], own: AbstractSet[str]) -> bool:
    """Return whether ``phrase``, up to a verb, has for its head what is called ``own``, or names nothing."""
    words = list(phrase)
    if words and words[0] in _PLACING:
        words = words[max((at + 1 for at, word in enumerate(words) if word in _DETERMINERS), default=len(words) - 1) :]
    words = words[: next((at for at, word in enumerate(words) if at and word in _PLACING), len(words))]
    if not words or words[-1] in _ITSELF or words[0] in _OWN:
        return True
    named = [word for word in words if word not in _DETERMINERS]
    if not named or not _OTHERS.isdisjoint(named):
        return not named
    if root(named[-1]) in own:
        return True
    return named[-1] in _KINDS and {root(word) for word in named[:-1]} <= own
