"""Times as programs hand them in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from weft.errors import InvalidArgument

__all__ = ["in_utc", "just_before"]

_INSTANT: Final = timedelta(microseconds=1)
_EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)


def in_utc(at: datetime, *, field: str = "at") -> datetime:
    """Return the same moment in UTC; a time without a zone is one of UTC, as in the arguments of tools.

    Raises:
        InvalidArgument: it is no ``datetime``; ``field`` is named.
    """
    if not isinstance(at, datetime):
        raise InvalidArgument(f"{field} must be a datetime, not {at!a:.60}")
    return at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC)


def just_before(at: datetime) -> datetime:
    """Return the last moment before ``at``, a time in UTC; none is earlier than the one before 1970."""
    return max(at, _EARLIEST) - _INSTANT
