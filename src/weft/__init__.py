"""Weft: a knowledge graph that AI agents and people keep together.

>>> import weft
>>> with weft.connect("notes.db") as notes:
...     made = notes.capture("Water boils at 100 °C.")
...     found = notes.search("when does water boil?")
>>> found["hits"][0]["title"]
'Water boils at 100 °C.'

Every tool is a method of what ``connect`` returns; ``help(notes.search)`` says what one takes. ``open`` returns the
graph itself, whose verbs take and answer the typed values of ``weft.model``; what can go wrong is in ``weft.errors``.
``docs/how-to/use-from-python.md`` goes through both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weft import errors, model
    from weft.errors import WeftError
    from weft.graph import Graph, open  # noqa: A004 - weft.open is the library's door
    from weft.settings import Settings
    from weft.tools.connection import Connection, connect

__all__ = ["Connection", "Graph", "Settings", "WeftError", "__version__", "connect", "errors", "model", "open"]

__version__ = "0.1.0"

_HOMES = {
    "Connection": "weft.tools.connection",
    "Graph": "weft.graph",
    "Settings": "weft.settings",
    "WeftError": "weft.errors",
    "connect": "weft.tools.connection",
    "open": "weft.graph",
}
_ROOMS = ("errors", "model")


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module attribute may be anything
    """Load a public name when it is first asked for, so that ``import weft`` costs next to nothing."""
    from importlib import import_module

    if name in _ROOMS:
        return import_module(f"weft.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'weft' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """Name what is loaded when asked for, too: this is what a notebook completes ``weft.`` with."""
    return sorted({*globals(), *_HOMES, *_ROOMS})
