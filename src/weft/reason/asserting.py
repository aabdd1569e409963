"""Whether a sentence asserts a verb, and of the document that it stands in: who does it, and whether it is done.

«This decision supersedes ADR-3» asserts it of the document. «Ann suggested replacing ADR-3» asserts nothing, and «The
new page replaces the old one» says it of something else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from weft.text import terms

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["REFERRED", "is_asserted"]

REFERRED: Final = "\ufffc"
"""What stands in a sentence for each reference to another document."""

_SENTENCE: Final = re.compile(r"(?:[.;:!?]\s|\n|\bbut\b)")
_OPEN: Final = re.compile(
    r"\b(?:not|no|nothing|nobody|none|neither|nor|never|without|cannot|longer|rather\s+than|\w+n['\u2019]t"
    r"|would|could|might|should|(?-i:may)|whether|if|unless|when|once|until|as\s+soon\s+as"
    r"|stop(?:s|ped)?|ceas(?:es?|ed)|used\s+to"
    r"|suggest(?:s|ed|ing|ion)?|propos(?:es?|ed|ing)|consider(?:s|ed|ing)?|discuss(?:es|ed|ing)?|plan(?:s|ned|ning)?\s+to"
    r"|meant|intend(?:s|ed|ing)?|aim(?:s|ed|ing)?|seeks?|fail(?:s|ed)\s+to"
    r"|want(?:s|ed)?|wish(?:es|ed)?|hop(?:es?|ed|ing)|tr(?:y|ies|ied|ying)\s+to|th(?:inks?|ought)|believ(?:es?|ed)"
    r"|report(?:s|ed)?|sa(?:ys|id)|t(?:ells|old)|heard|claim(?:s|ed)|argu(?:es?|ed)|mention(?:s|ed)|recall(?:s|ed)"
    r"|ask(?:s|ed)?|wonder(?:s|ed)?|according\s+to)\b",
    re.IGNORECASE,
)
_PLANNED: Final = re.compile(r"\b(?:we|i)(?:\s+(?:will|shall|(?:are|am)\s+going\s+to)|['\u2019]ll)\s+\Z", re.IGNORECASE)
_OVERTURNED: Final = re.compile(
    r"\A\W*(?:(?:with|by)\s[^,;.]{1,60}\s)?(?:is|was|were|has\s+been|got)\s+"
    r"(?:rejected|declined|postponed|dropped|(?:ruled|left)\s+out|(?:turned|voted)\s+down)\b"
    r"|\A\W{0,3}(?:(?:itself|still|also)\s+)?(?:remains?|stays?|stands?|keeps?|holds|continues|appl(?:y|ies))\b"
    r"|\?\W*\Z",
    re.IGNORECASE,
)
_GERUND: Final = re.compile(r"\w+ing\b", re.IGNORECASE)
_PREDICATE: Final = re.compile(
    r"[^,.;:]{0,80}?\b(?:would|could|might|may|should|can|will|is|are|was|were|has|had|makes?|made|means?|meant|needs?"
    r"|requires?|breaks?|takes?)\b",
    re.IGNORECASE,
)
_QUOTE: Final = re.compile(r"[«»„“”‟\"]")
_PARTS: Final = re.compile(r",\s|\bthat\b")
_FILLING: Final = re.compile(
    r"\b(?:and|also|which|thus|thereby|therefore|hence|hereby|now|then|so|in\s+turn|directly|explicitly|implicitly"
    r"|fully|partly|partially|completely|entirely|largely|formally|finally|only|instead|both|to"
    r"|is|are|was|were|be|been|being|has|have|had|does|did|do|will|shall|must|a|an|the|one"
    r"|accepted|approved|deprecated|obsolete|decided|agreed)\b",
    re.IGNORECASE,
)
_DOCUMENT: Final = r"(?:decision|record|adr|document|proposal|rfc|note|page|paper|specification|standard|team)"
_OWN_SAYING: Final = r"(?:approach|change|choice|convention|design|draft|plan|policy|text|version)"
_OWN: Final = re.compile(
    r"\W*(?:(?:and|also|thus|therefore|hence|so|now|then|here|accordingly|hereby|as\s+such|in\s+this\s+\w+)\W+)*"
    rf"(?:(?:this|these)(?!\s+(?!{_DOCUMENT}|{_OWN_SAYING}|(?-i:[A-Z]{{2,6}}))\w+\s+(?:for|of|in|from|to|on)\b)"
    rf"|we|it|i|our\s+(?:decision|choice)|(?:the|our)\s+(?:present\s+|current\s+|new\s+)?{_DOCUMENT}"
    r"|(?:after|before|since|because|as|given|with|in|on|for|by)\b[^,]{1,100}\bwe)\b",
    re.IGNORECASE,
)
_ANY: Final = frozenset({"adr", "adrs", "rfc", "rfcs", "decision", "decisions", "record", "records", "docs", "md"})
"""Words of a document's names that mean any of its kind: «an ADR that replaces another …»."""
_OF_ANOTHER: Final = re.compile(
    rf"{REFERRED}\W*(?:(?:which|that|is|was|has|had|been|being|be|will|also|now|then)\W+)*\Z"
)
_PASSIVE: Final = re.compile(r"\b(?:is|are|was|were|be|been|being|gets?|got)\s+(?:\w+ly\s+)?\Z", re.IGNORECASE)
_DONE: Final = re.compile(r"(?:super[sc]ed|replac|obsolet)ed\Z", re.IGNORECASE)
_BARE: Final = re.compile(
    r"(?:super[sc]ede|replace|obsolete|require|depend|rely|implement|extend|amend|build|contradict|derive|conflict)"
    r"(?:\s+\w+)?\Z",
    re.IGNORECASE,
)


def is_asserted(before: str, verb: str, after: str, *, own: Collection[str] = ()) -> bool:
    """Return whether a sentence asserts ``verb`` of its document: ``before`` and ``after`` are what stands around it.

    ``own`` are the names that the document goes by. A sentence without a subject, as a field is, speaks of it too; an
    imperative speaks of the reader, and «replacing ADR-3 would …» of what might be. What stands in quotes somebody else
    says, or nobody: «this» is not the document.
    """
    if _in_quotes(before):
        return False
    clause = _SENTENCE.split(before)[-1]
    if any(each.search(clause) for each in (_OPEN, _PLANNED, _OF_ANOTHER)) or _OVERTURNED.search(after):
        return False
    if _DONE.match(verb) and _PASSIVE.search(clause):
        return False
    parts = [part for part in _PARTS.split(clause) if _said(part)]
    if not parts:
        return not _DONE.match(verb) and not _BARE.match(verb) and not _is_subject(verb, after)
    if not _is_closed(clause):
        return _is_own(parts[-1], own)
    return any(_is_own(part, own) for part in parts)


def _in_quotes(before: str) -> bool:
    """Return whether what stands behind ``before``, in one sentence, stands in quotes that opened there.

    Whatever the quotes look like: German closes with the sign that English opens with. Single ones are apostrophes too.
    """
    return len(_QUOTE.findall(before)) % 2 == 1


def _is_subject(verb: str, after: str) -> bool:
    """Return whether ``verb`` is itself what the sentence speaks of: «replacing ADR-3 was put off»."""
    return bool(_GERUND.match(verb) and _PREDICATE.match(after))


def _said(part: str) -> str:
    """Return what ``part`` says beside words that only join, tell how, or help a verb."""
    return " ".join(re.findall(rf"[\w{REFERRED}][\w-]*", _FILLING.sub(" ", part)))


def _is_closed(clause: str) -> bool:
    """Whether the last thing said before the verb is set off from it: «this, taken in May, replaces»."""
    return not _said(_PARTS.split(clause)[-1])


def _is_own(part: str, own: Collection[str]) -> bool:
    if _OWN.match(part):
        return True
    subject = frozenset(terms(_said(part)))
    return bool(subject - _ANY) and REFERRED not in part and any(subject <= frozenset(terms(name)) for name in own)
