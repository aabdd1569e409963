"""Times as tools take them: ISO 8601, read as UTC where no zone is named, or an age counted from now."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema, WrapValidator

if TYPE_CHECKING:
    from pydantic import ValidatorFunctionWrapHandler

__all__ = ["FORMS", "DayEnd", "Moment"]

MOMENT_MAX: Final = 64
"""Characters that no time takes more than."""

FORMS: Final = "a time such as 2026-11-20 or 2026-11-20T12:00:00Z"

_AGE: Final = re.compile(r"(\d{1,9})([mhdw])")
_NUMBER: Final = re.compile(r"[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def _dated(value: object) -> object:
    """Return ``value`` as it is, unless it is a number: the reader of times counts seconds since 1970 by these."""
    if isinstance(value, int | float) or (isinstance(value, str) and _NUMBER.fullmatch(value.strip())):
        raise ValueError(f"must be {FORMS}")
    return value


def _utc(value: datetime) -> datetime:
    try:
        return value.replace(tzinfo=value.tzinfo or UTC).astimezone(UTC)
    except OverflowError:
        raise ValueError("lies outside the calendar") from None


def _day_end(value: object) -> object:
    """Return the last moment of the day that ``value`` is; what is no day alone stays as it is."""
    if isinstance(value, str) and _DAY.fullmatch(value.strip()):
        try:
            value = date.fromisoformat(value.strip())
        except ValueError:
            return value  # no such day: the reader of times says so
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime.combine(value, time.max, UTC)
    return value


def _moment(value: object, read: ValidatorFunctionWrapHandler) -> datetime:
    """Return the moment that ``value`` names: the time that it is, or as long ago as it says."""
    age = _AGE.fullmatch(value.strip()) if isinstance(value, str) else None
    try:
        if age is not None:
            return datetime.now(UTC) - timedelta(**{_UNITS[age[2]]: int(age[1])})
        found: datetime = read(_dated(value))
    except OverflowError:
        raise ValueError("lies outside the calendar") from None
    except ValueError:  # pydantic's own is one too
        raise ValueError(f"must be {FORMS}, or an age such as 30m, 12h, 2d or 3w") from None
    return found


DayEnd: TypeAlias = Annotated[datetime, BeforeValidator(_day_end), BeforeValidator(_dated), AfterValidator(_utc)]
"""A time at which something is looked at: a day without a time means its end, so that what the day brought counts."""

Moment: TypeAlias = Annotated[
    datetime, WrapValidator(_moment), AfterValidator(_utc), WithJsonSchema({"type": "string", "maxLength": MOMENT_MAX})
]
"""A bound: a time, a day without one meaning its beginning, or an age from now in minutes, hours, days or weeks."""
