"""Who may be named as the creator of learned knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.services import drafting
from weft.vocabulary import NAME_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call

__all__ = ["CREATORS", "known_creator"]

CREATORS: Final = ("claude-mcp", "claude-code")
"""Who may be named beside the acting user and the names that were registered."""


def known_creator(creator: str, call: Call, registered: Sequence[str] = ()) -> str:
    """Return ``creator``, cleaned; empty means the acting user.

    Raises:
        InvalidArgument: it is neither the acting user, nor one of ``CREATORS``, nor registered.
    """
    named = drafting.line(creator, field="creator", limit=NAME_MAX) or call.actor
    allowed = tuple(dict.fromkeys((call.actor, *CREATORS, *registered)))
    if named not in allowed:
        raise InvalidArgument(
            f"creator «{named}» is not known. Allowed: {', '.join(allowed)}.",
            hint="Name one of these, or register the name: weft config set creators NAME (or WEFT_CREATORS).",
        )
    return named
