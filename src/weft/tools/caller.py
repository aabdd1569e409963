"""Who calls, and with what reach: said at start-up by settings or a credential, never by an argument."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.model import Tier

__all__ = ["Caller"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls, with what reach, and what is served to them. Set at start-up, never by an argument.

    ``id`` is whose history counts for hints where a call names no session. ``hints`` is off, brief or full.
    """

    actor: str
    client: str
    tier: Tier
    id: str
    hints: str = "brief"
    tools: frozenset[str] = field(default_factory=frozenset)
