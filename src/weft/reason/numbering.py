"""Which documents a text names by number (PEP 8, ADR-0007, a link to bip-0380.md), and which number a node goes by."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.reason.citing import GAP, UNDATED, listed
from weft.reason.heading import head

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from weft.model import Node

__all__ = ["NAMED_MAX", "READ_MAX", "Place", "mentions", "numbered", "numbers", "references", "spellings"]

READ_MAX: Final = 20_000  # characters of a text that references are looked for in
NAMED_MAX: Final = 40  # documents that one text names, the most often named

Place = tuple[int, int]
"""Where a text names a document: its first character, and the one behind its last."""

_WRAPPED: Final = r"\n[ \t]{0,8}(?!\d{1,2}[.)]\s)"  # a line that ends between the two, where no list begins
_CALLED: Final = r"[A-Za-z]{2,6}[-_]?\d{1,5}"
_FILE: Final = rf"{_CALLED}(?=[-_.#/|\])>])(?!\.\d)"
_LINK: Final = (
    rf"\[\[(?:[^\[\]|\n]{{0,200}}/)?(?P<wiki>{_FILE})[^\[\]\n]{{0,300}}\]\]"
    rf"|\[[^\[\]]{{1,300}}\]\(<?(?:[^()<>\s]{{0,300}}/)?(?P<file>{_FILE})[^()\n]{{0,300}}\)"
    rf"|\[[a-z]{{3,5}}://[^\s\[\]]{{0,300}}/(?P<page>{_FILE}|{_CALLED}(?=\s))[^\[\]\n]{{0,300}}\]"
    rf"|`[^`<>]{{1,300}}<[^`<>\s]{{0,300}}/(?P<leads>{_FILE})[^`<>\s]{{0,300}}>`_"
)
"""A link whose file goes by a number: of a wiki, of Markdown, of MediaWiki and of reStructuredText."""

_NUMBER: Final = (
    rf"(?<![A-Za-z0-9])(?:(?P<series>[A-Z]{{2,6}})(?P<many>s)?(?:{GAP}|{_WRAPPED})0*{UNDATED}(?P<number>\d{{1,5}})\b(?!\.\d)"
    r"|:(?P<role>[a-z]{2,6}):`(?:[^`<]{0,80}<)?0*(?P<within>\d{1,5})\b)"
)
_REFERENCE: Final = re.compile(rf"{_LINK}|{_NUMBER}")
"""A document named by its number: by a link, in prose or by a role of reStructuredText; :func:`mentions` says which."""

_IN_WORDS: Final = re.compile(_NUMBER)
_NUMBERED: Final = re.compile(rf"\A\W{{0,3}}([A-Za-z]{{2,6}}){GAP}0*{UNDATED}(\d{{1,5}})\b(?!\.\d)")


@lru_cache(maxsize=256)
def references(text: str) -> Mapping[str, tuple[Place, ...]]:
    """Return the documents that ``text`` names by number (``PEP-8``), each with the places, in order of the text."""
    found: dict[str, list[Place]] = {}
    for name, place in mentions(text[:READ_MAX]):
        found.setdefault(name, []).append(place)
    most = sorted(found, key=lambda name: -len(found[name]))[:NAMED_MAX]
    return {name: tuple(found[name]) for name in found if name in set(most)}


def mentions(text: str) -> Iterator[tuple[str, Place]]:
    """Yield each document that ``text`` names by number, with its place: «PEPs 8, 20» are ``PEP-8`` and ``PEP-20``.

    A link names what its file is called (``[Descriptors](bip-0380.md)``: ``BIP-380``) and what its words name, once.
    """
    for match in _REFERENCE.finditer(text):
        file = match["wiki"] or match["file"] or match["page"] or match["leads"]
        if file:
            said = (name for name, _ in _said(_IN_WORDS.finditer(match.group()), match.group()))
            yield from ((name, match.span()) for name in dict.fromkeys((_called(file), *said)))
        else:
            yield from _said((match,), text)


def _called(file: str) -> str:
    """Return the number that a file is called by: ``bip-0380`` is ``BIP-380``."""
    series = file.rstrip("0123456789").rstrip("-_")
    return f"{series.upper()}-{file[len(series) :].lstrip('-_0') or '0'}"


def _said(found: Iterable[re.Match[str]], text: str) -> Iterator[tuple[str, Place]]:
    """Yield what is named by number in words, with its place; behind a plural all numbers of the list."""
    for match in found:
        series = match["series"] or match["role"].upper()
        yield f"{series}-{match['number'] or match['within']}", match.span()
        for number, place in listed(text, match.end()) if match["many"] else ():
            yield f"{series}-{number}", place


def spellings(name: str) -> tuple[str, ...]:
    """Return how ``name`` (``PEP-8``) may be written as a title or an alias."""
    series, _, number = name.partition("-")
    padded = dict.fromkeys((number, number.zfill(3), number.zfill(4)))
    return tuple(f"{series}{gap}{digits}" for digits in padded for gap in (" ", "-", ""))


def numbered(name: str) -> str:
    """Return the number that ``name`` is, however it is written («ADR 7», «adr-0007»: ``ADR-7``); else nothing."""
    match = _NUMBERED.match(name)
    return f"{match[1].upper()}-{match[2]}" if match and match.end() == len(name) else ""


def numbers(node: Node) -> tuple[str, ...]:
    """Return the numbers that ``node`` goes by, from its title, aliases, handles and first line: ``PEP-8``."""
    return tuple(
        dict.fromkeys((*_numbers((node.title, *node.aliases, *node.handles)), *filter(None, (head(node.content),))))
    )


@lru_cache(maxsize=4096)
def _numbers(names: tuple[str, ...]) -> tuple[str, ...]:
    found = map(_NUMBERED.match, names)
    return tuple(dict.fromkeys(f"{match[1].upper()}-{match[2]}" for match in found if match))
