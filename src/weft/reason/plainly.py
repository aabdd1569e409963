"""Plain claims: sentences without figure or comparison that still say what a thing does, needs or is made of.

A sentence counts by its main verb, one of a closed list, right after a subject that names something. What points at
other sentences, tells a story, addresses the reader or speaks of the text itself is none. Precision comes first.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["claims_plainly"]

WORDS_MIN: Final = 6
WORDS_MAX: Final = 32

# Third person, singular and plural; what stands in a plural of a noun as often (uses, needs, stores) wants an object.
_VERBS: Final = (
    r"depends?\s+(?:up)?on|rel(?:y|ies)\s+(?:up)?on|requires?|uses|consists?\s+of|contains?|comprises?|causes?|prevents?|"
    r"leads?\s+to|results?\s+in|produces?|generates?|stores?|keeps?|holds?|carr(?:y|ies)|replaces?|supersedes?|extends?|"
    r"implements?|provides?|supports?|allows?|enables?|ensures?|guarantees?|protects?|limits?|blocks?|triggers?|"
    r"inhibits?|affects?|leaves|waits?\s+(?:on|for)|moves?|determines?|returns?|sends?|receives?|encrypts?|validates?|converts?|improves?|increases?|"
    r"reduces?|decreases?|removes?|creates?|writes|reads|owns?|manages?|handles?|accepts?|rejects?|refuses?|serves?|"
    r"regulates?|transmits?|absorbs?|releases?|binds?|forms?|covers?|connects?|separates?|represents?|describes?|"
    r"contradicts?|solves?|avoids?|runs?\s+(?:on|in|at|as|inside|without)|belongs?\s+to|appl(?:y|ies)\s+to|"
    r"corresponds?\s+to|begins?\s+with|ends?\s+(?:with|in)|works?\s+(?:with|without|on|in)"
)
_PASSIVE: Final = (
    r"(?:is|are)\s+(?:(?:not|never|always|only|usually|then|also)\s+)?"
    r"(?:\w{2,}ed|built|held|kept|made|written|read|sent|bound|known|found|given|shown|drawn|cut|set|run|split|lost|taken)"
    r"\s+(?:by|in|on|from|with|to|as|at|into|per|through|for|before|after|only|without|under|once|when|until|together|"
    r"beside|between|across|inside|outside|above|below|along|against|within)\b"
)
_DENIED: Final = r"(?:cannot|can\s+not|(?:do|does)\s+not)\s+(?!have\s+to)[a-z]{3,}\b"
_ADVERB: Final = r"(?:(?:also|always|never|usually|typically|often|directly|only|automatically|thus|therefore)\s+)?"
_SUBJECT: Final = r"(?P<subject>(?:An?\s+|The\s+)?(?:[\w’'/+-]+\s+){0,6}?[\w’'/+-]+)"
# «Potential cost increases for …» has no verb: what takes an object is followed by one.
_OBJECT: Final = (
    r"(?!(?<!\son)(?<!\sto)(?<!\sin)(?<!\sof)(?<!\swith)(?<!\sas)(?<!\sat)\s+(?:for|of|in|by|at|and|or|are|is|with)\b)"
)
_STATED: Final = re.compile(rf"\A{_SUBJECT}\s+{_ADVERB}(?:(?:{_VERBS})\b{_OBJECT}|{_PASSIVE}|{_DENIED})")

# Words that name nothing by themselves: a subject with one of them leans, asks, orders or counts.
_NO_SUBJECT: Final = re.compile(
    r"\b(?:this|that|these|those|it|they|them|he|she|which|who|whom|whose|what|whatever|when|where|whenever|wherever|"
    r"why|how|whether|if|unless|until|although|though|because|since|while|as|so|and|or|but|nor|nothing|none|"
    r"everything|something|anything|everyone|everybody|somebody|anybody|nobody|someone|anyone|others?|another|either|"
    r"neither|both|each|some|many|most|few|several|all|any|one|ones|two|three|first|second|third|last|next|former|latter|"
    r"same|such|rest|moment|further|being|here|there|now|then|today|to|is|are|was|were|has|have|had|be|been|will|would|can|could|may|might|"
    r"must|shall|should|do|does|did|not|no|yes|please|let|also|however|more|less|only|too|very|about|section|chapter|page|"
    r"paragraph|table|figure|example|document|article|guide|tutorial|list|sentence|text|author|authors|paper|study|"
    r"work|way|thing|things|point|case|fact|idea|reason|result|results|problem|question|answer|goal|aim|purpose|rule|"
    r"code|line|lines|above-mentioned|solution|approach|option|proposal|change|changes|team|people|user|you|we|i)\b",
    re.IGNORECASE,
)
_OPENS: Final = re.compile(
    r"\A(?:\w+ly|\d\S*|in|on|at|by|for|with|without|from|after|before|under|over|during|within|inside|outside|above|below|"
    r"of|like|unlike|despite|between|among|across|through|throughout|per|via|upon|towards?|taken|given|potential|flag)\b",
    re.IGNORECASE,
)
_ELSEWHERE: Final = re.compile(
    r"\b(?:this|these|those|here|below|above|following|previous(?:ly)?|earlier|later|today|yesterday|tomorrow|currently|"
    r"now|soon|recently|so\s+far|yet|latter|former|respectively|such\s+as\s+this|for\s+example|e\.g|i\.e|etc|was|were|"
    r"had|did|will|would|shall|let|please|see|he|she|his|her|him)\b|\b(?:it|them|both|else|either|so)\W*\Z|;\s*do\b",
    re.IGNORECASE,
)
_BARE: Final = re.compile(r"\A[A-Z][\w’'/+-]*\s")


def claims_plainly(words: str) -> bool:
    """Return whether ``words``, a sentence that can stand alone, states what a named thing does."""
    if not WORDS_MIN <= len(words.split()) <= WORDS_MAX or _ELSEWHERE.search(words) or not _BARE.match(words):
        return False
    stated = _STATED.match(words)
    if stated is None:
        return False
    subject = stated["subject"]
    return not _NO_SUBJECT.search(subject) and not _OPENS.match(subject)
