"""What a text of learned items holds, and what of it cannot be read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.model import PortableItem

__all__ = ["Parsed", "read_time"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """The items, and (place, reason) of what is none: «item 3» or «line 12»."""

    items: tuple[PortableItem, ...]
    faults: tuple[tuple[str, str], ...] = ()


def read_time(text: str) -> datetime | None:
    """Return the time that ``text`` says (ISO 8601; without a zone: UTC); None where it is empty.

    Raises:
        ValueError: it says no time.
    """
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"created_at {text[:60]!a} is no time") from None
