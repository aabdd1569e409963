"""What stands in a text and is not said by it: code, comments, what is struck out, choices not made, tasks not done."""

from __future__ import annotations

import re
from typing import Final

from weft.text.markup import blank_code, blank_comments, blank_struck

__all__ = ["NO_LONGER", "STANDINGS", "blank_unsaid"]

STANDINGS: Final = (
    "accepted",
    "proposed",
    "draft",
    "rejected",
    "deprecated",
    "superseded",
    "pending",
    "withdrawn",
    "approved",
)
"""How a decision record stands: the word that its status begins with."""
NO_LONGER: Final = r"\b(?:not|never|longer|formerly|previously|was(?=\s*:))\b"
"""What takes back how a record stands, before the word that says it: «not superseded by», as a regular expression."""

_STANDING: Final = rf"\b(?:{'|'.join(STANDINGS)})\b"
_UNCHOSEN: Final = re.compile(
    rf"^[^\n]*?(?:[{{\[<(][ \t]*{_STANDING}[ \t]*[|/]|(?:{_STANDING}[ \t]*[|/][ \t]*){{2}}"
    rf"|{_STANDING},[^\n]*choose one)[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of a template: ``Status: {proposed | accepted | superseded by ADR-0123}``, as MADR has it."""
_UNDONE: Final = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[ \][ \t][^\n]*$", re.MULTILINE)
"""A task of a list, as GitHub's Markdown has it, that is not ticked off."""


def blank_unsaid(text: str) -> str:
    """Return ``text`` with blanks for what it does not say; all else keeps its place and line. Linear."""
    said = blank_struck(blank_comments(blank_code(text)))
    return _UNDONE.sub(_blank, _UNCHOSEN.sub(_blank, said))


def _blank(line: re.Match[str]) -> str:
    return " " * len(line[0])
