"""Learned ids: the next numbers of the day's series, claimed in the transaction that uses them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from weft.model import ClaimNumber, ReserveNumbers

if TYPE_CHECKING:
    from weft.model import Call
    from weft.ports import Store

__all__ = ["ATTEMPTS", "LEARNED", "SYNTHESIS", "Numbers", "parts_of"]

LEARNED: Final = "learned"
SYNTHESIS: Final = "synthesis"

ATTEMPTS: Final = 40
"""How often a number is asked for: all writers of a day share two series, and each plan costs a few reads only."""

# An id may come in from elsewhere with a number of up to six digits.
_ID: Final = re.compile(r"(learned|synthesis)_(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))_(\d{3,6})")


class Numbers:
    """The next ids of one plan: read once, counted on, and claimed together. A number that was claimed never returns.

    A plan that another writer overtook meets StaleRead at its first claim and is made anew.
    """

    def __init__(self, store: Store, call: Call) -> None:
        self._day = f"{call.at:%Y-%m-%d}"
        self._following: dict[str, int] = store.facts()["series"]
        self.claims: list[ClaimNumber | ReserveNumbers] = []

    def take(self, series: str) -> str:
        """Return the next id of ``series`` (``learned_2026-11-21_001``) and add its claim."""
        name = f"{series}_{self._day}"
        value = self._following.get(name, 1)
        self._following[name] = value + 1
        self.claims.append(ClaimNumber(name=name, value=value))
        return f"{name}_{value:03d}"

    def reserve(self, name: str, value: int) -> None:
        """Keep the numbers of the series ``name`` up to ``value``, which came in from elsewhere, from being taken."""
        following = self._following.get(name, 1)
        if value >= following:
            self.claims.append(ReserveNumbers(name=name, value=value, expect=following - 1))
            self._following[name] = value + 1


def parts_of(learned_id: str) -> tuple[str, int] | None:
    """Return the series (``learned_2026-11-21``) and the number of an id; None where it is no such id."""
    found = _ID.fullmatch(learned_id)
    if found is None or not int(found[3]):
        return None
    canonical = f"{found[1]}_{found[2]}_{int(found[3]):03d}"
    return (f"{found[1]}_{found[2]}", int(found[3])) if canonical == learned_id else None
