"""Times as programs hand them in."""

from __future__ import annotations

from datetime import UTC, datetime

from weft.errors import InvalidArgument

__all__ = ["in_utc"]


def in_utc(at: datetime, *, field: str = "at") -> datetime:
    """Return the same moment in UTC; a time without a zone is one of UTC, as in the arguments of tools.

    Raises:
        InvalidArgument: it is no ``datetime``; ``field`` is named.
    """
    if not isinstance(at, datetime):
        raise InvalidArgument(f"{field} must be a datetime, not {at!a:.60}")
    return at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC)
