"""Weft: a knowledge graph that AI agents and people keep together.

>>> import weft
>>> with weft.open("notes.db") as graph:          # doctest: +SKIP
...     graph.search("why did we choose SQLite?")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weft.errors import WeftError
    from weft.graph import Graph, open  # noqa: A004 - weft.open is the library's door
    from weft.settings import Settings

__all__ = ["Graph", "Settings", "WeftError", "__version__", "open"]

__version__ = "0.1.0"

_HOMES = {"Graph": "weft.graph", "open": "weft.graph", "Settings": "weft.settings", "WeftError": "weft.errors"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module attribute may be anything
    """Load a public name when it is first asked for, so that ``import weft`` costs next to nothing."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'weft' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
