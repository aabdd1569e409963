"""Learned knowledge: connections and concepts that no document states, kept with who stated them and why.

:class:`weft.services.learned.learn.Learn` holds the verbs; each of the other modules plans one of them.
"""

from __future__ import annotations
