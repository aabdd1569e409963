"""Times as people and their tools write them: ISO 8601, ``January 15, 2024 3:04 PM``, ``15.01.2024``.

What could be read in two ways (``01/02/2024``) is no time here.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime
from typing import Final

from weft.text import month

__all__ = ["time_of"]

_LONGEST: Final = 100  # characters
_CLOCK: Final = r"(?:,?\s+(?:at\s+)?(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?(?:\s*(?P<half>[ap])m)?)?"
_SPELT: Final = re.compile(
    rf"(?:[a-z]{{3,9}},?\s+)?(?P<month>[a-z]{{3,9}})\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}}){_CLOCK}",
    re.IGNORECASE,
)
_DOTTED: Final = re.compile(rf"(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.(?P<year>\d{{4}}){_CLOCK}", re.IGNORECASE)


def time_of(value: object) -> datetime | None:
    """Return the time that a value or its text tells, in UTC, where it names no zone too; None: it is no time."""
    if isinstance(value, datetime):
        return _in_utc(value)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    text = unicodedata.normalize("NFKC", value.strip())
    try:
        return _in_utc(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        found = _SPELT.fullmatch(text) or _DOTTED.fullmatch(text)
        return _written(found) if found else None


def _written(found: re.Match[str]) -> datetime | None:
    named, hour, half = found["month"], int(found["hour"] or 0), (found["half"] or "").lower()
    if half:
        hour = hour % 12 + 12 * (half == "p")
    try:
        at = int(named) if named.isdigit() else month(named)
        clock = (hour, int(found["minute"] or 0), int(found["second"] or 0))
        return datetime(int(found["year"]), at, int(found["day"]), *clock, tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _in_utc(at: datetime) -> datetime | None:
    try:
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
