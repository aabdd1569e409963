"""Tags in the text of a note, as Obsidian reads them: ``#project/alpha``; one function for all who read Markdown.

What only looks like a tag is none: a heading, code of any kind, links, addresses, HTML and comments; a number (``#12``,
the name of an issue), and a colour (``#fff``, ``#1e90ff``). Which letters a tag may hold:
https://help.obsidian.md/tags
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.formats.markdown import tokens
from weft.vocabulary import TAG_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["FOUND_MAX", "inline_tags", "with_tags"]

FOUND_MAX: Final = 200
"""Tags that are read of one text, the first; a node keeps fewer."""

# Letters, digits, «_», «-», «/» and pictures: all but white space, punctuation and half of a surrogate pair.
_NONE = (
    r"\s\x00-,.:-@\[-\^`{-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\u2000-\u200b\u200e-\u206f\u2190-\u21ff\u2e00-\u2e7f"
    r"\u055a-\u055f\u0589\u05c0\u05c3\u05c6\u060c\u060d\u061b\u061d-\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e5a\u0e5b"
    r"\u0f08\u0f0d-\u0f12\u104a\u104b\u1361-\u1368\u17d4-\u17d6\u17d8-\u17da"
    r"\u3000-\u3004\u3008-\u3020\u3030\ud800-\udfff\ufe0e\ufeff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufffd"
)
# No space follows the punctuation of Chinese and Japanese, so a tag may follow it at once («加密。#安全»).
_BEFORE = (
    r"\s(,;|*\u060c\u061b\u061f\u06d4\u0964\u0965\u3001\u3002\u3008-\u3011\u3014-\u301b"
    r"\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\uff5c\uff61-\uff64"
)
_TAG = re.compile(rf"(?:^|(?<=[{_BEFORE}]))#([^{_NONE}/-][^{_NONE}]*)")
_TICKS = re.compile(r"(?<!\\)`+")
_LEFT_OUT = re.compile(r"<!--|%%|<(?:script|style|pre|code|svg)\b", re.IGNORECASE)
_CLOSING: Final = {"<!--": "-->", "%%": "%%"}
_BLANKED = re.compile(
    r"!?\[\[[^\[\]\n]{1,1000}\]\]"
    r"|!?\[[^\[\]]{0,500}\](?:\[[^\[\]\n]{0,200}\]|(?=\())"
    r"|(?<=\])\((?:[^()\n]{0,1000}|[^()\n]{0,500}\([^()\n]{0,500}\)[^()\n]{0,500})\)"
    r"|\b(?:[A-Za-z][A-Za-z0-9+.-]{1,20}://|www\.|mailto:)[^\s<>]+"
    r"|</?[A-Za-z][^<>]{0,2000}>"
)
_HEX: Final = frozenset("0123456789abcdef")
_HEX_LENGTHS: Final = frozenset({3, 4, 6, 8})
_SAID: Final = re.compile(r"[a-f]2[a-f]|2fa")
"""Words that people write and that could be colours: ``e2e``, ``b2b``."""

_STRIPED: Final = re.compile(r"(.)\1\1|(?:(.)\2){2,4}|(..)\3\3|[bcdf]{6}|[bcdf]{8}|abcdef")
"""Colours without a digit: ``fff``, ``ffeedd``, ``fafafa``. No others, since ``add`` and ``facade`` are words."""


@lru_cache(maxsize=4)
def inline_tags(text: str) -> tuple[str, ...]:
    """Return the tags that stand in ``text``, Markdown without its front matter, in their order and without the ``#``.

    Each once, as it was written first: case does not tell tags apart. At most 200, of at most 100 characters. Linear.
    """
    if not _TAG.search(text):
        return ()
    prose = "\n\n".join(_without_code(token.content) for token in tokens(text) if token.type == "inline")
    shown = _BLANKED.sub(lambda found: " " * len(found[0]), _without_asides(prose))
    found = (each.rstrip("-/") for each in _TAG.findall(shown))
    return with_tags((), filter(_is_tag, found))[:FOUND_MAX]


def with_tags(tags: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    """Return ``tags`` and those of ``more`` that are not among them, whatever their case."""
    found: dict[str, str] = {}
    kept = dict.fromkeys(tags)
    known = {tag.casefold() for tag in kept}
    for tag in more:
        if tag.casefold() not in known:
            found.setdefault(tag.casefold(), tag)
    return (*kept, *found.values())


def _is_tag(word: str) -> bool:
    if len(word) > TAG_MAX or all(letter.isdigit() or letter in "-_/" for letter in word):
        return False
    return not _is_colour(word.lower())


def _is_colour(word: str) -> bool:
    if len(word) not in _HEX_LENGTHS or not _HEX.issuperset(word):
        return False
    if word.isalpha():
        return _STRIPED.fullmatch(word) is not None
    return _SAID.fullmatch(word) is None


def _without_code(text: str) -> str:
    """Return a paragraph with its code blanked: what stands between two runs of as many backticks."""
    ticks = list(_TICKS.finditer(text))
    closing: dict[int, int] = {}  # the next run of each length
    ends: dict[int, int] = {}
    for at in range(len(ticks) - 1, -1, -1):
        length = len(ticks[at][0])
        if length in closing:
            ends[at] = closing[length]
        closing[length] = at
    kept: list[str] = []
    at = place = 0
    while at < len(ticks):
        if at in ends:
            kept += [text[place : ticks[at].start()], "`"]
            place = ticks[ends[at]].end()
            at = ends[at]
        at += 1
    return "".join((*kept, text[place:]))


def _without_asides(text: str) -> str:
    """Return ``text`` without comments, and without HTML that holds no text; what has no end stays."""
    kept: list[str] = []
    place = 0
    endless: set[str] = set()
    while found := _LEFT_OUT.search(text, place):
        opening = found[0].lower()
        closing = _CLOSING.get(opening, f"</{opening[1:]}>")
        end = None if closing in endless else re.compile(closing, re.IGNORECASE).search(text, found.end())
        if end is None:
            endless.add(closing)
            kept.append(text[place : found.end()])
            place = found.end()
        else:
            kept += [text[place : found.start()], " "]
            place = end.end()
    return "".join((*kept, text[place:]))
