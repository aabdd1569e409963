"""What the graph goes by in a database: its schema, the lock of its writers, and the roles of its tiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from weft.model import Tier

__all__ = ["SCHEMA", "TURN", "role_of"]

SCHEMA: Final = "weft"
"""The schema of the database in which the graph lies."""

TURN: Final = int.from_bytes(b"Weft")
"""The advisory lock under which writers of one graph take turns."""


def role_of(tier: Tier) -> str:
    """Return the database role of ``tier``: ``weft_reader`` and so on."""
    return f"weft_{tier.label}"
