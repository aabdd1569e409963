"""Analyses of arguments: what follows, what is missing, where a conflict starts, what is shared, how sides stand."""

from __future__ import annotations

from weft.services.analysis.analyze import Analyze

__all__ = ["Analyze"]
