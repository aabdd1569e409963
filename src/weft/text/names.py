"""Names and identity: how a title is compared, where names stand in a text, and when two texts are the same."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from weft.text.normal import normalized
from weft.text.scripts import PACKED, TAIL, letter

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SLUG_MAX_BYTES", "beginning", "digest", "fold", "grams", "named_whole", "slug"]

SLUG_MAX_BYTES: Final = 80
"""As long as the title in a file's name is."""

_IS_PACKED = re.compile(f"(?P<alphabet>[\u0e01-\u109d\u1780-\u17d3])|[{PACKED}]")
_WHITE = re.compile(r"\s+")
_OUTER = " \t\n\"'`*_~,;:!?()[]{}<>|\u00ab\u00bb\u2018\u2019\u201c\u201d\u2026\u3001\u3002\u300c\u300d\uff0c"
_GRAM_WORD_ASCII = re.compile(rf"(?:(?<!\S)\.)?[a-zA-Z0-9]+(?:_+[a-zA-Z0-9]+)*{TAIL}", re.ASCII)
_ZERO_WIDTH_JOINER = "\u200d"
_RUN = re.compile("(?P<katakana>[\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff]+)|[\u1100-\u11ff\uac00-\ud7a3]+")
# Characters of Katakana beside a name for it to be a part of a compound (データベース｜エラー), as a name has.
_PART_MIN = 3
_NEVER_FIRST = frozenset("ンーァィゥェォッャュョヮヵヶヽヾ")  # in a word of Katakana
_GAP_MAX = 4
_NAME_MAX = 200
_WORD_WEIGHT = 12
_PACKED_WEIGHT = 4  # of a character of Han, kana or Hangul: a word has two to four of them
_ALPHABET_WEIGHT = 3  # of a letter of Thai and the like, or of its tone


def fold(name: str) -> str:
    """Return ``name`` (a title, an alias, a handle) as it is compared with others.

    Compatibility forms, case and runs of white space are made one; quotes, brackets, emphasis marks and sentence
    punctuation are taken off both ends (``C++``, ``C#`` and ``.NET`` keep what is theirs). Accents stay. A name of
    nothing but punctuation stays as it is.
    """
    folded = name.lower() if name.isascii() else normalized("NFKC", normalized("NFKC", name).casefold())
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
    without spaces a run begins and ends at every character, and has as many as weigh as much: for six words 18 of Han,
    kana or Hangul, 24 of Thai and the like. In Hangul none begins within a word, and in Katakana none is what one or
    two characters more, or a long vowel, make another word of (``パン`` in ``パンダ``).
    """
    pattern = _GRAM_WORD_ASCII if text.isascii() else _gram_word()
    spans = [match.span() for match in pattern.finditer(text)]
    words = [_fold_inside(text[start:end]) for start, end in spans]
    gaps = [_gap(text[end:start]) for (_, end), (start, _) in pairwise(spans)]
    found: list[tuple[str, int, int]] = []
    weights = _weights(text, spans)
    inside = _Inside(text)
    for first, (start, end) in enumerate(spans):
        run = words[first]
        if len(run) > _NAME_MAX or start in inside.starts:
            continue
        if end not in inside.ends:
            found.append((run, start, end))
        room = longest * _WORD_WEIGHT - weights[first]
        for last in range(first + 1, len(spans)):
            gap = gaps[last - 1]
            room -= weights[last]
            if room < 0 or gap is None or len(run) + len(words[last]) > _NAME_MAX:
                break
            run += gap + words[last]
            if spans[last][1] not in inside.ends:
                found.append((run, start, spans[last][1]))
    return tuple(found)


def named_whole(name: str, text: str) -> bool:
    """Return whether ``name``, whose words follow on one another in ``text``, is no part of other words there.

    As :func:`grams` finds names; of those that neither begin nor end in Katakana or Hangul always true.
    """
    wanted = fold(name)
    if wanted.isascii() or not (_RUN.match(wanted[:1]) or _RUN.match(wanted[-1:])):
        return True
    said = _fold_inside(" ".join(text.split()))
    inside = _Inside(said)
    places = (found.start() for found in re.finditer(f"(?={re.escape(wanted)})", said))
    return any(at not in inside.starts and at + len(wanted) not in inside.ends for at in places)


class _Inside:
    """Where in a text no name begins (``starts``) and none ends (``ends``), since it would be part of another word."""

    __slots__ = ("ends", "starts")

    def __init__(self, text: str) -> None:
        self.starts: set[int] = set()
        self.ends: set[int] = set()
        for run in () if text.isascii() else _RUN.finditer(text):
            start, end = run.span()
            if run["katakana"]:
                self.starts.update(range(start + 1, min(start + _PART_MIN, end)))
                self.ends.update(range(max(start, end - _PART_MIN) + 1, end))
                self.ends.update(at for at in range(start + 1, end) if text[at] in _NEVER_FIRST)
            else:
                self.starts.update(range(start + 1, end))


def _weights(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return what each word takes of the room that a run has."""
    if text.isascii():
        return [_WORD_WEIGHT] * len(spans)
    return [_weight(_IS_PACKED.match(text, start)) for start, _ in spans]


def _weight(packed: re.Match[str] | None) -> int:
    if packed is None:
        return _WORD_WEIGHT
    return _ALPHABET_WEIGHT if packed["alphabet"] else _PACKED_WEIGHT


def _fold_inside(text: str) -> str:
    if text.isascii():
        return text.lower()
    return normalized("NFKC", normalized("NFKC", text).casefold())


def _gap(text: str) -> str | None:
    if text in {" ", "", "-"}:
        return text
    if len(text) > _GAP_MAX or text.count("\n") > 1:
        return None
    return _WHITE.sub(" ", _fold_inside(text))


def slug(text: str, *, most: int = SLUG_MAX_BYTES) -> str:
    """Return ``text`` as a part of a file's name: small letters and digits of any script, all else one hyphen.

    The marks that a letter bears (the vowels of Devanagari, the tones of Thai) stay with it. At most ``most`` bytes of
    UTF-8; empty where there is neither letter nor digit.
    """
    composed = normalized("NFC", text).lower().replace(_ZERO_WIDTH_JOINER, "")
    joined = "-".join(_slug_part().findall(composed))
    return joined.encode("utf-8", "ignore")[:most].decode(errors="ignore").strip("-")


def beginning(name: str, *, most: int) -> str:
    """Return as much of a file's name as takes ``most`` bytes of UTF-8, to make another name of.

    A system counts bytes, 255 of them in a name, and a letter may take four.
    """
    return name.encode("utf-8", "ignore")[:most].decode(errors="ignore")


@lru_cache(maxsize=1)
def _slug_part() -> re.Pattern[str]:
    return re.compile(f"(?:(?!_){letter()}|[{PACKED}])+")


def digest(text: str) -> str:
    """Return the SHA-256, in hex, of ``text`` in composed form and with runs of white space made one.

    Two texts are identical to Weft when their digests are.
    """
    plain = " ".join(normalized("NFC", text).split())
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()
