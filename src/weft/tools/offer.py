"""What a server offers: the tools chosen at its start, cut down to what its caller's tier reaches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from weft.errors import InvalidArgument
from weft.tools.row import reaches
from weft.tools.table import ALL, TOOLSETS, USAGE, Tool, select

if TYPE_CHECKING:
    from weft.settings import Settings
    from weft.vocabulary import Own

__all__ = ["INSTRUCTIONS_MAX", "Offer"]

INSTRUCTIONS_MAX = 2_000
"""Bytes of a server's instructions: clients cut them at about two kilobytes."""

_SHARED = (
    "Every tool takes session, the name of one piece of work; writing tools take idempotency_key, under which a "
    "repeated call is answered and not done again."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The choice of tools of one server.

    ``chosen`` are those that were asked for, ``tools`` those of them that the role reaches: these are listed, and only
    these are ever named as a next action. Calling one that is chosen but out of reach is PermissionDenied. ``own`` are
    kinds and relation types of the graph's own that are named in their schemas.
    """

    chosen: tuple[Tool, ...]
    tools: tuple[Tool, ...]
    toolsets: tuple[str, ...]
    read_only: bool = False
    own: Own | None = None

    @classmethod
    def of(cls, settings: Settings, *, toolsets: str = "core", tools: str = "", read_only: bool = False) -> Offer:
        """Return what these comma-separated ``toolsets`` and single ``tools`` come to for the role of ``settings``.

        Raises:
            InvalidArgument: a name is unknown (the valid ones are listed), or nothing is left to serve.
        """
        sets, names = _words(toolsets), _words(tools)
        chosen = select(sets, names, read_only=read_only)
        reached = select(sets, names, read_only=read_only, tier=settings.role)
        if not reached:
            raise InvalidArgument(f"toolsets: nothing of {toolsets or tools!r} is left to serve to a {settings.role}")
        served = TOOLSETS if ALL in sets else tuple(name for name in TOOLSETS if name in sets)
        return cls(chosen=chosen, tools=reached, toolsets=served, read_only=read_only)

    def at(self, tier: str) -> Offer:
        """Return the same choice for a caller of ``tier``, by name; what is left to list may be nothing."""
        return replace(self, tools=tuple(tool for tool in self.chosen if reaches(tier, tool.needs)))

    @property
    def names(self) -> frozenset[str]:
        """The names of the tools that are served to this caller."""
        return frozenset(tool.name for tool in self.tools)

    @property
    def instructions(self) -> str:
        """What a server says of itself: the usage sentences of its toolsets. The same text at every start."""
        said = " ".join((*(USAGE[name] for name in self.toolsets), _SHARED))
        return (
            said if len(said.encode()) <= INSTRUCTIONS_MAX else said.encode()[:INSTRUCTIONS_MAX].decode(errors="ignore")
        )


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
