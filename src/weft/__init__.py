"""Weft: a knowledge graph that AI agents and people keep together.

>>> import weft
>>> from weft.model import CaptureRequest, SearchRequest
>>> with weft.open("notes.db") as graph:
...     made = graph.capture.capture(CaptureRequest(content="Water boils at 100 °C."), graph.call())
...     found = graph.recall.search(SearchRequest(query="when does water boil?"), graph.call())
>>> found.hits[0].node.title
'Water boils at 100 °C.'

``docs/how-to/use-from-python.md`` goes through the rest.
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
