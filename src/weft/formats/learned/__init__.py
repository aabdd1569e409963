"""Learned knowledge as text: JSON and CSV, which come back whole, and Markdown and Cypher, which are for others."""

from __future__ import annotations

from weft.formats.learned.parsed import Parsed

__all__ = ["Parsed"]
