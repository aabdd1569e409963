"""What both embedders do to a text before the model sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["BLANK", "CHARACTERS_MAX", "readable"]

BLANK = "."
"""What a text with nothing to read in it is embedded as: some endpoints refuse an empty one."""

CHARACTERS_MAX = 20_000
"""Longer texts are cut here. Models read a few hundred tokens; passages are far shorter than this."""


def readable(texts: Sequence[str]) -> list[str]:
    """Return the texts as the model gets them: cut at 20,000 characters, blank ones as a full stop.

    Blank means without any visible character, so spaces, line ends and zero-width characters alone count as blank.

    Raises:
        InvalidArgument: ``texts`` is one string instead of a sequence of them, or a text has a lone surrogate.
    """
    if isinstance(texts, str):
        raise InvalidArgument("texts must be a sequence of strings; one string was given. Put it into a list.")
    return [_one(text, place) for place, text in enumerate(texts)]


def _one(text: str, place: int) -> str:
    cut = text[:CHARACTERS_MAX]
    try:
        cut.encode()
    except UnicodeEncodeError as error:
        raise InvalidArgument(f"texts[{place}] has a lone surrogate at character {error.start}.") from error
    visible = any(character.isprintable() and not character.isspace() for character in cut)
    return cut if visible else BLANK
