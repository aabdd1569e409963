"""Notes for the benches: sentences of about thirty tokens on many subjects, made from a seed, no two alike."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["notes", "questions"]


def _cut(words: str) -> tuple[str, ...]:
    return tuple(words.split("|" if "|" in words else None))


_WHO = _cut(
    "scheduler baker gardener pilot surgeon gateway choir archivist beekeeper compiler lighthouse orchestra plumber "
    "referee satellite tailor umpire violinist weaver notary glacier harbour librarian mechanic nurse optician potter"
)
_DID = _cut(
    "retried cached rejected measured migrated compressed repaired painted rehearsed translated catalogued inspected "
    "sharpened watered postponed insured photographed audited calibrated restored delivered mapped sorted weighed"
)
_WHAT = _cut(
    "payments sessions roses engines ledgers beehives manuscripts lenses sails recipes timetables antennas cellos "
    "vaccines bridges kilns tickets samples contracts orchards turbines parcels frescoes dictionaries windows drums"
)
_WHY = _cut(
    "because latency doubled|after the outage in March|to keep costs low|since the contract asks for it|"
    "before the frost|"
    "when the river rose|as the audience grew|for lack of daylight|out of habit|on the advice of a neighbour|"
    "despite the warning|while the others slept|until the part arrives|so that nobody has to wait|by mistake"
)
_WHERE = _cut(
    "Lisbon Frankfurt Nairobi Osaka Quebec Tallinn Valparaiso Wellington Bergen Cusco Dakar Edinburgh Fez Galway Hanoi "
    "Izmir Jaipur Kyoto Lviv Malmo Naples Odessa Porto Riga Seville Turin Utrecht Vilnius Warsaw Zagreb"
)
_WHEN = _cut("January February March April May June July August September October November December")


def notes(count: int, *, seed: int = 7) -> Iterator[str]:
    """Yield ``count`` notes; the same seed gives the same notes."""
    dice = random.Random(seed)
    for number in range(count):
        who, did, what, why, where, when = (dice.choice(p) for p in (_WHO, _DID, _WHAT, _WHY, _WHERE, _WHEN))
        other, thing, name = dice.choice(_WHO), dice.choice(_WHAT), _name(dice)
        yield (
            f"The {who} in {where} {did} the {what} in {when}, {why}; {name} noted as number {number} that the {other} "
            f"had asked about {thing}."
        )


def _name(dice: random.Random) -> str:
    return "".join(dice.choice("bdfgklmnprstvz") + dice.choice("aeiou") for _ in range(3)).title()


def questions(count: int, *, seed: int = 11) -> Iterator[str]:
    """Yield ``count`` questions of seven or eight words, common and rare ones mixed."""
    dice = random.Random(seed)
    for _ in range(count):
        who, did, what, where = (dice.choice(part) for part in (_WHO, _DID, _WHAT, _WHERE))
        yield f"who said the {who} {did} the {what} in {where}"
