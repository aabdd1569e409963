"""Notes for the benches: sentences of about thirty tokens, made from a seed, no two alike."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["notes", "questions"]

_WHO = ("The scheduler", "The billing service", "Our search team", "The mobile client", "The nightly job")
_DOES = ("retries", "caches", "rejects", "batches", "encrypts", "measures", "migrates", "compresses", "validates")
_WHAT = ("payment requests", "user sessions", "vector indexes", "audit records", "image uploads", "access tokens")
_WHY = ("because latency doubled", "after the outage in March", "to keep costs low", "since the contract asks for it")
_WHERE = ("in the Frankfurt region", "on the staging cluster", "behind the proxy", "inside the worker pool")


def notes(count: int, *, seed: int = 7) -> Iterator[str]:
    """Yield ``count`` notes; the same seed gives the same notes."""
    dice = random.Random(seed)
    for number in range(count):
        words = " ".join(_word(dice) for _ in range(3))
        told = " ".join(dice.choice(part) for part in (_WHO, _DOES, _WHAT, _WHY, _WHERE))
        yield f"{told}; case {number} concerns {words} and was reviewed by the platform group last week."


def _word(dice: random.Random) -> str:
    return f"{dice.choice('bcdfgklmnprstvz')}{dice.choice('aeiou')}{dice.randrange(10**4)}"


def questions(count: int, *, seed: int = 11) -> Iterator[str]:
    """Yield ``count`` questions of six to eight words, common and rare ones mixed."""
    dice = random.Random(seed)
    for _ in range(count):
        who, does, what, where = (dice.choice(part) for part in (_WHO, _DOES, _WHAT, _WHERE))
        yield f"why does {who.lower()} {does} the {what} {where}"
