"""Nearest neighbours for the embedded store: derived from the passages, rebuilt when lost, never trusted over them.

:func:`open_index` gives what answers :class:`weft.ports.Vectors`. It reads passages through :mod:`weft.index.feed` and
knows nothing of the store behind it.
"""

from __future__ import annotations

from weft.index.vectors import Index, Sizes, open_index

__all__ = ["Index", "Sizes", "open_index"]
