"""The table: one row a tool, in the order in which they are listed, and how a server chooses among them."""

from __future__ import annotations

from difflib import get_close_matches
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument, NotFound
from weft.tools import core, curation, memory, project, research, synthesis
from weft.tools.row import TIERS, Tool, reaches

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["ALL", "TOOLS", "TOOLSETS", "USAGE", "Tool", "nearest", "select", "tool_named"]

TOOLS: tuple[Tool, ...] = (*core.ROWS, *research.ROWS, *project.ROWS, *synthesis.ROWS, *curation.ROWS, *memory.ROWS)
"""Every tool of every toolset."""

USAGE: Mapping[str, str] = MappingProxyType(
    {
        "core": core.USAGE,
        "research": research.USAGE,
        "project": project.USAGE,
        "synthesis": synthesis.USAGE,
        "curation": curation.USAGE,
        "memory": memory.USAGE,
    }
)
"""What a server says of each toolset it serves: the sentences of its instructions."""

TOOLSETS: tuple[str, ...] = tuple(USAGE)

ALL = "all"
"""The word that stands for every toolset."""

_SHOWN_MAX: Final = 60  # characters of a refused name that are repeated in the answer

_BY_NAME = MappingProxyType({tool.name: tool for tool in TOOLS})


def tool_named(name: str) -> Tool:
    """Return the tool called ``name``.

    Raises:
        NotFound: no tool has that name; the message names the nearest.
    """
    found = _BY_NAME.get(name)
    if found is None:
        raise NotFound(
            f"tool: there is none called {name[:_SHOWN_MAX]!a}{nearest(name, _BY_NAME)}",
            hint="Consider the list of tools.",
            key="tool",
        )
    return found


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of a refusal of ``name``: which of the ``known`` it comes near, if any."""
    found = get_close_matches(name[:_SHOWN_MAX], list(known), n=3, cutoff=0.5)
    return f"; the nearest {'are' if len(found) > 1 else 'is'} {', '.join(found)}" if found else ""


def select(
    toolsets: Iterable[str] = ("core",),
    names: Iterable[str] = (),
    *,
    read_only: bool = False,
    tier: str = TIERS[-1],
) -> tuple[Tool, ...]:
    """Return the tools of ``toolsets`` and those called ``names``, in the table's order.

    ``read_only`` leaves out every tool that can write, ``tier`` (by name) every tool that needs a higher one.

    Raises:
        InvalidArgument: a toolset or a tool is unknown; the message lists the valid ones.
    """
    wanted_sets = _known(toolsets, (*TOOLSETS, ALL), "toolsets")
    wanted_names = _known(names, tuple(_BY_NAME), "tools")
    return tuple(
        tool
        for tool in TOOLS
        if (ALL in wanted_sets or tool.toolset in wanted_sets or tool.name in wanted_names)
        and not (read_only and tool.effect.writes)
        and reaches(tier, tool.needs)
    )


def _known(names: Iterable[str], known: tuple[str, ...], field: str) -> frozenset[str]:
    wanted = frozenset(names)
    unknown = sorted(wanted.difference(known))
    if unknown:
        shown = unknown[0][:_SHOWN_MAX]
        raise InvalidArgument(f"{field}: {shown!a} is not known; the valid ones are {', '.join(known)}")
    return wanted
