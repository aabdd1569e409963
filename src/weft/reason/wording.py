"""What a sentence is: a definition, a decision, a convention, a claim, or nothing worth a node of its own.

Precision comes before recall: a sentence counts only when it can stand alone and its form leaves little doubt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from weft.reason.plainly import claims_plainly
from weft.text import plain

__all__ = ["Reading", "read_decision", "read_definition", "read_headed", "read_statement", "term_of"]

WORDS_MIN: Final = 6
WORDS_MAX: Final = 45
TERM_WORDS_MAX: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a stretch of text was read as: a ``kind``, how sure (0..1), by which ``rule``; ``term``: what it defines."""

    kind: str
    confidence: float
    rule: str
    term: str = ""
    aliases: tuple[str, ...] = ()


_TERM: Final = r"(?P<term>[^*_:\n.!?|]{2,70}?)"
_BOLD_TERM: Final = re.compile(
    rf"\A(?P<mark>\*\*|__|\*|`){_TERM}\s*+(?P<colon>:?)\s*+(?P=mark)"
    r"\s*(?:\([^()]{1,40}\))?\s*(?P<dash>:|—|–|--|-)?\s+"
)
_BARE_TERM: Final = re.compile(rf"\A{_TERM}(?P<colon>:|\s+(?:—|–|--|-))(?P<dash>)\s+(?=\S)")
_IS_A: Final = re.compile(
    r"\A(?!The\s)(?:An?\s+)?(?P<term>[A-Z`][^\n.,:;!?|()—–]{1,60}?(?:\s\([A-Z][\w-]{1,10}\))?)\s+"
    r"(?:(?:is|means)\s+(?:an?|any)\s(?!good|bad|great|better|nice|poor|key|major|big|possible|single|real|lot|few)|"
    r"(?:refers\s+to|denotes|stands\s+for)\s|are\s+(?:\w+\s+){1,5}(?:that|which)\s)"
)
# A definition is a noun phrase. After a small letter that is likely; after a capital it may as well be a whole
# sentence, so a word must follow that qualifies the noun.
_NOUN_PHRASE: Final = re.compile(
    r"(?:an?|the|any)\s(?!(?:(?!(?:that|which|who|whose|where)\b)\S+\s+){1,5}"
    r"(?:is|are|has|have|was|were|can|cannot|will|must|should|does|do)\b)|"
    r"(?:An?|The|Any)\s+(?:[\w-]+\s+){1,4}?(?:of|that|which|who|whose|where|used|for|to\s+which|in\s+which|by\s+which)\s"
)
_COPULA: Final = re.compile(
    r"(?:is|are|means|refers\s+to)\s+(?:an?|the|any)\s(?!good|bad|great|better|nice|poor|key|major|big|possible|single|real)"
)
_SHORT_FORM: Final = re.compile(r"\A(?P<long>.{3,60}?)\s*\((?P<short>[A-Z][\w-]{1,10})\)\Z")
# What stands before a colon and names a part of the text, not a thing.
_LABEL_WORDS: Final = """
    action advantage advantages answer assumption author background benefit benefits caution con conclusion cons
    consequence context cost date decision default description details disadvantage drawback effect effort
    example examples fix goal goals hint idea impact important input insight issue key lesson limitation
    limitations mitigation motivation next note option optional outcome output owner phase point principle pro
    problem pros purpose question rationale reason recommendation recommended remark required requirement result
    risk risks scope solution source status step summary takeaway tip todo tradeoff usage use verdict version
    warning why
"""
_LABELS: Final = frozenset(_LABEL_WORDS.split())
_ARTICLE: Final = re.compile(r"\A(?:an?|the)\s+", re.IGNORECASE)
_CODE_NAME: Final = re.compile(r"\A(?:[A-Z]{7,}|\w*[A-Z]_\w*|.*\s-\s.*)\Z")
_NO_TERMS: Final = re.compile(
    r"\A(?:as|at|after|before|by|currently|during|every|few|for|from|how|in|many|most|on|once|several|since|some|the|to|"
    r"until|using|where|whether|why|with|yes)\b|\b(?:this|these|that|those|it|they|there|here|what|which|who|we|you|i|he|she|one|the|"
    r"each|both|all|another|other|current|new|old|existing|proposed|first|second|third|next|last|main|same|following|above|"
    r"below|if|when|while|because|our|your|their|its|my|not|no|so|but|only|also|goal|problem|question|reason|result|answer|"
    r"purpose|solution|idea|point|approach|option|issue|key|is|are)\b",
    re.IGNORECASE,
)

_DECIDED: Final = re.compile(
    r"\b(?:we|the\s+team|the\s+group)\s+(?:have\s+|has\s+|had\s+)?(?:decided|chose|chosen|agreed|opted|settled\s+on|adopted)\b"
    r"|\Ait\s+was\s+(?:decided|agreed)\b|\Adecision:\s",
    re.IGNORECASE,
)

_DEPENDENT: Final = re.compile(
    r"\A(?:this|these|it|its|they|their|that|those|he|she|his|her|here|there|such|however|therefore|thus|so|but|and|or|also|"
    r"then|additionally|furthermore|moreover|instead|otherwise|similarly|hence|consequently|nevertheless|although|though|"
    r"meanwhile|finally|firstly|secondly|first|second|third|next|for\s+example|for\s+instance|in\s+addition|in\s+this|"
    r"as\s+a\s+result|at\s+this|on\s+the\s+other|note|see|e\.g|i\.e|yes|no|both|each|all\s+of\s+(?:this|these)|"
    r"the\s+(?:former|latter|above|following|same|problem|original|previous|old|result|reason|idea|point|goal|key|current|"
    r"existing|spike|question)|"
    r"one\s+of|another|other|with\s+this|to\s+this|because|since|while|given|we|i|you|our|my|let|must|should|can|imagine|"
    r"just\s+as|similar|as|suppose|consider|think|please|ensure|currently|prevents|provides|ensures|enables|allows|reduces|supports|makes|"
    r"add|remove|create|update|use|run|click|select|open|implement|turn|check|set|build|make|keep|store)\b",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = re.compile(r"\b(?:i|we|our|us|my|me|you|your|let's)\b", re.IGNORECASE)
_HEDGED: Final = re.compile(
    r"\b(?:would|could|might|perhaps|maybe|probably|hopefully|ideally|likely|seems?|hypothetical|if)\b", re.IGNORECASE
)
_UNFIT: Final = re.compile(
    r"[{}|<>=\u2190-\u21ff\u2500-\u27bf\U0001f000-\U0001faff]|->|\?|https?:|\b(?:TODO|TBD|FIXME)\b|:\Z"
)
_REQUIRED: Final = re.compile(
    r"\b(?:(?:must|shall)\s+(?:not\s+|never\s+|always\s+|only\s+)?(?!guess|have\s+been)[a-z]{2,}|(?:is|are)\s+(?:always|never|not\s+allowed|forbidden|"
    r"required\s+to)\s+[a-z]{2,})",
    re.IGNORECASE,
)
_ADVISED: Final = re.compile(
    r"\bshould\b(?!\s+(?:have|be\s+(?:able|possible|noted|enough|simple|easy|fine|trivial|clear|obvious)|also|probably))",
    re.IGNORECASE,
)
_ORDERED: Final = re.compile(
    r"\A(?:(?:always|never)\s+(?!(?:an?|the|in|on|for|present|true|right|wrong|there)\s)(?!\w+(?:ful|able|ing|ive|al|ous|ed)\b)|do\s+not\s|don't\s|prefer\s|"
    r"avoid\s)",
    re.IGNORECASE,
)
# Before a modal verb: then it asks, or tells what somebody is left with.
_ASKED: Final = re.compile(
    r"[\"\u201c]|\b(?:what|who|someone|it|premise\s+is\s+that)\s+(?:\w+\s+){0,2}\Z", re.IGNORECASE
)
_MODAL_BY_WORD: Final = 12  # the main clause's verb comes early
_PAST: Final = re.compile(r"\b(?:had|was|were|been|did|always\s+been)\b", re.IGNORECASE)

_NUMBERED_NAME: Final = re.compile(
    r"\b(?i:ADR|RFC|PEP|PR|phase|step|section|figure|table|chapter|part|option|tier|level|version|issue|milestone|sprint|"
    r"stage|line|page|migration|port|item|rule|HTTP)[-_ #]{0,2}v?\d[\d.]*|"
    r"\b(?:[A-Z]{2,}|(?<=[a-z,;]\s)[A-Z]\w+)\s\d[\d.]*\b(?!\s?%)|\bv\d[\d.]*|#\d+|"
    r"\b\d{4}-\d\d(?:-\d\d)?\b|\b(?:19|20)\d\d\b|\b\d+\.\d+\.\d+\b|\b[1-5]\d\ds?\b(?!\s?%)|`[^`]*`"
)
# A figure counts when it measures something: a per cent, a unit, or several of a thing.
_QUANTITY: Final = re.compile(
    r"(?<![\w,.–-])~?\d[\d,.]*(?:\s?[%×]|\s?(?:percent|x|[kKMGT]i?B|ms|µs|s|sec)\b|[-\s](?:second|minute|hour|day|week|month|year)s?\b|"
    r"[kKMB]?\+?\s+(?:(?!(?:and|or|of|the|that|in|to|is|was)\b)[a-z-]+\s+){0,2}?"
    r"(?!(?:has|is|was|as|its|this|means|does|needs|uses|adds|gives|makes|series)\b)[a-z]{2,}s\b)"
)
_COMPARED: Final = re.compile(
    r"\b(?:(?:more|less|fewer|better|worse)\b[^.,;]{0,60}?\bthan\b|"
    r"(?!rather|other|either|whether|later|earlier)[a-z]{3,}er\s+(?:\w+\s+){0,2}than\b|"
    r"outperforms?|twice\s+as|half\s+as|linearly|linear\s+in|logarithmic(?:ally)?|quadratic(?:ally)?(?!-)|exponential(?:ly)?|"
    r"(?:increases?|reduces?|decreases?|doubles?|halves|improves?|grows?)\s+(?:\w+\s+){1,8}?(?:by|with|to)\b)",
    re.IGNORECASE,
)
_FULL_STOP: Final = re.compile(r"[.!][\"')\u2019\u201d]?\Z")
_HAS_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|do|does|can|cannot|will|must|shall|should|never|always|\w{2,}(?:s|ed))\b",
    re.IGNORECASE,
)


def term_of(words: str) -> tuple[str, tuple[str, ...]]:
    """Return the term that ``words``, a heading's or what stands before a colon, name, and its short form, if any.

    Article and marks are left out; the short form is what stands in parentheses behind.
    """
    term = _ARTICLE.sub("", plain(words).strip(" :—–-\"'"))
    match = _SHORT_FORM.match(term)
    return (match["long"], (match["short"],)) if match else (term, ())


def read_definition(block: str, *, glossary: bool) -> Reading | None:
    """Return the term that ``block`` defines, or None.

    ``glossary`` says that the text around it is a list of terms: then a colon or a dash after a few words is enough;
    elsewhere what follows must read like a definition («a …», «the …», «means …»).
    """
    if len(block.split(maxsplit=WORDS_MIN)) <= WORDS_MIN - 1 or block.rstrip().endswith(":") or "|" in block:
        return None
    marked = _BOLD_TERM.match(block) or (_BARE_TERM.match(block) if glossary else None)
    if marked and (glossary or _reads_as_definition(block, marked)):
        return _reading(marked["term"], 0.9 if glossary else 0.75, "definition")
    stated = _IS_A.match(block)
    if stated and not _FIRST_PERSON.search(stated["term"]):
        return _reading(stated["term"], 0.75, "definition_sentence")
    return None


def read_headed(heading: str, block: str) -> Reading | None:
    """Return the term that a ``heading`` of a glossary is and ``block``, the first below it, defines; or None."""
    if len(block.split(maxsplit=WORDS_MIN)) < WORDS_MIN or block.rstrip().endswith(":") or heading.endswith("?"):
        return None
    return _reading(heading, 0.8, "definition_heading")


def _reads_as_definition(block: str, marked: re.Match[str]) -> bool:
    parted = marked["colon"] or marked["dash"]
    return bool((_NOUN_PHRASE if parted else _COPULA).match(block, marked.end()))


def _reading(term: str, confidence: float, rule: str) -> Reading | None:
    name, aliases = term_of(term)
    words = name.split()
    if not 1 <= len(words) <= TERM_WORDS_MAX or _NO_TERMS.search(name) or not name[:1].isalnum():
        return None
    if words[0].lower() in _LABELS or words[-1].lower() in _LABELS or _CODE_NAME.match(name):
        return None
    return Reading(kind="concept", confidence=confidence, rule=rule, term=name, aliases=aliases)


def read_decision(sentence: str) -> Reading | None:
    """Return a decision that ``sentence`` reports («we decided to …», «Decision: …»), or None."""
    words = plain(sentence)
    if not WORDS_MIN <= len(words.split()) <= WORDS_MAX or not _DECIDED.search(words) or "?" in words:
        return None
    return Reading(kind="decision", confidence=0.75, rule="decision_sentence")


def read_statement(sentence: str) -> Reading | None:
    """Return the convention or the claim that ``sentence`` states, or None.

    A convention says what must, should, never or always be done; a claim holds a quantity or a comparison, or says
    plainly what a named thing does. Questions,
    hedges, sentences that lean on the one before, on a speaker or on code are neither.
    """
    words = plain(sentence)
    if not _can_stand_alone(sentence, words):
        return None
    if _ORDERED.match(words):
        return Reading(kind="convention", confidence=0.75, rule="convention")
    if _FIRST_PERSON.search(words) or _HEDGED.search(words):
        return None
    return _convention(words) or _claim(sentence, words)


def _convention(words: str) -> Reading | None:
    if _PAST.search(words):
        return None
    found = _REQUIRED.search(words) or _ADVISED.search(words)
    if not found or _ASKED.search(words[: found.start()]):
        return None
    if not found.group()[:2].isupper() and words.count(" ", 0, found.start()) > _MODAL_BY_WORD:
        return None
    required = found.re is _REQUIRED
    return Reading(kind="convention", confidence=0.7 if required else 0.6, rule="convention")


def _claim(sentence: str, words: str) -> Reading | None:
    grounds = sum(map(bool, (_QUANTITY.search(_NUMBERED_NAME.sub(" ", sentence)), _COMPARED.search(words))))
    if grounds:
        return Reading(kind="claim", confidence=0.5 + 0.15 * grounds, rule="claim")
    return Reading(kind="claim", confidence=0.5, rule="plain_claim") if claims_plainly(words) else None


def _can_stand_alone(sentence: str, words: str) -> bool:
    count = len(words.split())
    if not WORDS_MIN <= count <= WORDS_MAX or not (words[0].isupper() or words[0].isdigit()):
        return False
    if sentence.count("`") > count or sentence.count("(") != sentence.count(")"):
        return False
    if not _FULL_STOP.search(words) or ": " in words:
        return False
    return not _UNFIT.search(words) and not _DEPENDENT.match(words) and bool(_HAS_VERB.search(words))
