"""Libraries that only some people need: asked for by name when they are needed, and missed in a sentence."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from weft.errors import Unavailable

__all__ = ["optional"]


def optional(module: str, *, extra: str, why: str) -> Any:  # noqa: ANN401 - a module, of which no types are known here
    """Return the module, which the package's ``extra`` brings.

    Raises:
        Unavailable: it is not installed; the message says ``why`` it is needed and how to install it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise Unavailable(
            f"{why} needs the package {module}, which is not installed here.",
            hint=f"Install it with: pip install 'weft-graph[{extra}]'",
        ) from error
