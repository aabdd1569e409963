"""Names and identity: how a title is compared, where names stand in a text, and when two texts are the same."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from weft.text.scripts import PACKED, TAIL, letter

__all__ = ["digest", "fold", "grams"]

_WHITE = re.compile(r"\s+")
_OUTER = " \t\n\"'`*_~,;:!?()[]{}<>|\u00ab\u00bb\u2018\u2019\u201c\u201d\u2026\u3001\u3002\u300c\u300d\uff0c"
_GRAM_WORD_ASCII = re.compile(rf"(?:(?<!\S)\.)?[a-zA-Z0-9]+(?:_+[a-zA-Z0-9]+)*{TAIL}", re.ASCII)
_GAP_MAX = 4
_NAME_MAX = 200


def fold(name: str) -> str:
    """Return ``name`` (a title, an alias, a handle) as it is compared with others.

    Compatibility forms, case and runs of white space are made one; quotes, brackets, emphasis marks and sentence
    punctuation are taken off both ends (``C++``, ``C#`` and ``.NET`` keep what is theirs). Accents stay. A name of
    nothing but punctuation stays as it is.
    """
    if name.isascii():
        folded = name.lower()
    else:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    folded = " ".join(folded.split())
    bare = folded.strip(_OUTER).rstrip("." + _OUTER)
    if bare.startswith("..") or (bare.startswith(".") and not bare[1:2].isalnum()):
        bare = bare.lstrip("." + _OUTER)
    return bare or folded


@lru_cache(maxsize=1)
def _gram_word() -> re.Pattern[str]:
    word = f"(?:(?!_){letter()})+"
    return re.compile(rf"(?:(?<!\S)\.)?(?:[{PACKED}]|{word}(?:_+{word})*{TAIL})")


def grams(text: str, *, longest: int = 6) -> tuple[tuple[str, int, int], ...]:
    """Return every run of 1 to ``longest`` words of ``text`` as (folded run, start, end), by place, then by length.

    The first value is what :func:`fold` makes of ``text[start:end]``, so that it can be looked up among folded names. A
    run does not reach over a blank line or a gap of more than four characters, nor beyond 200 characters. In scripts
    without spaces every character counts as a word.
    """
    pattern = _GRAM_WORD_ASCII if text.isascii() else _gram_word()
    spans = [match.span() for match in pattern.finditer(text)]
    words = [_fold_inside(text[start:end]) for start, end in spans]
    gaps = [_gap(text[end:start]) for (_, end), (start, _) in pairwise(spans)]
    found: list[tuple[str, int, int]] = []
    for first, (start, end) in enumerate(spans):
        run = words[first]
        if len(run) > _NAME_MAX:
            continue
        found.append((run, start, end))
        for last in range(first + 1, min(first + longest, len(spans))):
            gap = gaps[last - 1]
            if gap is None or len(run) + len(words[last]) > _NAME_MAX:
                break
            run += gap + words[last]
            found.append((run, start, spans[last][1]))
    return tuple(found)


def _fold_inside(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _gap(text: str) -> str | None:
    if text in {" ", "", "-"}:
        return text
    if len(text) > _GAP_MAX or text.count("\n") > 1:
        return None
    return _WHITE.sub(" ", _fold_inside(text))


def digest(text: str) -> str:
    """Return the SHA-256, in hex, of ``text`` in composed form and with runs of white space made one.

    Two texts are identical to Weft when their digests are.
    """
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()
