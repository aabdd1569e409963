"""Quotes in a query: what stands in them stands so in what is found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.services.naming import shown
from weft.text import terms

if TYPE_CHECKING:
    from weft.ports import Words
    from weft.services.search.view import View

__all__ = ["QUOTED", "Quoted", "quoted"]

QUOTED: Final = re.compile(r'"[^"]*"|«[^«»]*»|“[^“”]*”|„[^„“”]*[“”]|「[^「」]*」')
"""What stands in quotes, as most languages write them; single quotes are apostrophes as well, and mean nothing."""

_HOLDERS_MAX: Final = 300  # nodes that a phrase keeps, the newest: each is read, a tenth of a second in all


class Quoted(NamedTuple):
    """What a query with quotes looks at, and what to tell of it: empty where it is what was asked for."""

    view: View
    warning: str = ""


def quoted(query: str, mode: str, seen: View, words: Words) -> Quoted:
    """Return what of ``seen`` holds each phrase that ``query`` has in quotes, word for word.

    A query that is nothing but quotes asks for that, and in mode keyword any quote does; among other words quotes are
    titles and names as often, whose answer may stand elsewhere. Where nothing holds a phrase all of ``seen`` is left,
    and the warning says so.
    """
    told = []
    for phrase in _phrases(query, mode):
        holders = words.phrase(phrase, filter=seen.filter, limit=_HOLDERS_MAX)
        if not holders:
            where = "No text" if seen.filter.is_open else "No text that the filters let in"
            return Quoted(seen, f"{where} holds {shown(phrase)} word for word: it was looked for without quotes.")
        if len(holders) == _HOLDERS_MAX:
            told.append(f"{shown(phrase)} stands in {_HOLDERS_MAX:,} nodes or more: the newest are looked at.")
        seen = seen.narrowed(holders)
    return Quoted(seen, " ".join(told))


def _phrases(query: str, mode: str) -> list[str]:
    """Return the phrases that must stand in what is found; what has no word in it asks for nothing."""
    binding = mode == "keyword" or not terms(QUOTED.sub(" ", query))
    return [part[1:-1].strip() for part in QUOTED.findall(query) if terms(part)] if binding else []
