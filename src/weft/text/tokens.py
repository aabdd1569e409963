"""The tokenizer. Rows of the full-text index are written with it and queries are cut with it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.text.english import stem
from weft.text.normal import normalized
from weft.text.scripts import PACKED, TAIL, letter

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["TERM_MAX", "WIDTHLESS", "bare", "terms"]

TERM_MAX: Final = 64

_IS_PACKED = re.compile(f"[{PACKED}]")

WIDTHLESS: Final = dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, 0xFE0E, 0xFE0F))
"""What has no width, as :meth:`str.translate` takes it out."""

# Letters that carry no detachable accent, curly quotes and dashes, and what has no width.
_PLAIN = {
    **dict(zip(map(ord, "øØłŁđĐðÐħĦıŧŦ"), "oOlLdDdDhHitT", strict=True)),
    **dict(zip(map(ord, "æÆœŒþÞ"), ("ae", "AE", "oe", "OE", "th", "Th"), strict=True)),
    **dict.fromkeys(range(0x0300, 0x0370)),
    **WIDTHLESS,
    **dict.fromkeys((0x2018, 0x2019, 0x02BC, 0xFF07), "'"),
    **dict.fromkeys((0x201C, 0x201D, 0xAB, 0xBB), '"'),
    **dict.fromkeys(range(0x2010, 0x2016), "-"),
}

_NUMBER_COMMA = r"(?<=\d),(?=\d{3}(?!\d))"
_ASCII_CHUNK = re.compile(rf"\w+(?:(?:[.']|{_NUMBER_COMMA})\w+)*{TAIL}", re.ASCII)
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+")
_SHORT_FORMS = frozenset({"s", "re", "ve", "ll", "d", "m"})


@lru_cache(maxsize=1)
def _wide_chunk() -> re.Pattern[str]:
    word = f"{letter()}+"
    symbol = "[\u2600-\u27bf\u2b00-\u2bff\U0001f1e6-\U0001faff]"
    return re.compile(f"[{PACKED}]+|{word}(?:(?:[.']|{_NUMBER_COMMA}){word})*{TAIL}|{symbol}")


def bare(text: str) -> str:
    """Return ``text`` without accents and what has no width, with straight quotes and dashes."""
    if text.isascii():
        return text
    return normalized("NFC", normalized("NFKD", text).translate(_PLAIN))


def terms(text: str) -> tuple[str, ...]:
    """Return the terms of ``text`` in order of occurrence, duplicates kept.

    Terms are case-folded, without accents, in the singular (see :func:`stem`) and at most 64 characters long. A name
    such as ``refresh_token``, ``nodeId`` or ``node.js`` gives itself and then its parts; ``C++`` and ``C#`` stay whole;
    runs of a script without spaces give overlapping pairs of characters. A term holds letters, digits, marks, emoji and
    ``_ . + #``, never white space, quotes or brackets.
    """
    text = bare(text)
    pattern = _ASCII_CHUNK if text.isascii() else _wide_chunk()
    found: list[str] = []
    for chunk in pattern.findall(text):
        found += _expand(chunk) if len(chunk) <= TERM_MAX else _expand_anew(chunk)
    return tuple(found)


@lru_cache(maxsize=16_384)
def _expand(chunk: str) -> tuple[str, ...]:
    return tuple(_expand_anew(chunk))


def _expand_anew(chunk: str) -> list[str]:
    if _IS_PACKED.match(chunk):
        return [chunk] if len(chunk) == 1 else [chunk[at : at + 2] for at in range(len(chunk) - 1)]
    if "'" in chunk:
        return [term for piece in _without_apostrophes(chunk) for term in _expand_name(piece)]
    return list(_expand_name(chunk))


def _without_apostrophes(chunk: str) -> list[str]:
    """Resolve apostrophes: ``don't`` is one word, ``Bob's`` is Bob, ``l'homme`` is two words."""
    head, *tails = chunk.split("'")
    pieces = [head]
    for tail in tails:
        ending = tail.casefold()
        if ending == "t":
            pieces[-1] += tail
        elif ending not in _SHORT_FORMS:
            pieces.append(tail)
    return pieces


def _expand_name(name: str) -> Iterator[str]:
    """Yield the whole of ``name``, and its parts where it has several of two characters or more."""
    name = name.replace(",", "").strip("_")
    body = name.rstrip("+#").strip("_")
    if len(body) < len(name):
        yield name.casefold()[:TERM_MAX]
        if len(body) == 1:
            return
    parts = [part for piece in body.split(".") for part in piece.split("_") if part]
    if len(parts) > 1:
        last = parts[-1].casefold()
        yield (body.casefold().removesuffix(last) + stem(last))[:TERM_MAX]
        parts = [] if body.replace(".", "").isdecimal() else [part for part in parts if len(part) > 1]
    for part in parts:
        yield from _expand_word(part)


def _expand_word(word: str) -> Iterator[str]:
    yield stem(word.casefold()[:TERM_MAX])
    mixed = word[1:] != word[1:].lower() and not word.isupper() and word.isascii() and len(word) <= TERM_MAX
    if mixed and not (word.endswith("s") and word[:-1].isupper()):
        yield from (stem(piece.lower()) for piece in _CAMEL.findall(word) if len(piece) > 1)
