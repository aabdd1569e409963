"""A call: how far it reaches, and who hears how far its work is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from weft.errors import PermissionDenied
from weft.model import Tier
from weft.testing.making import a_call


@pytest.mark.parametrize("tier", list(Tier))
def test_a_call_is_refused_what_needs_a_higher_tier_and_nothing_else(tier: Tier) -> None:
    """The refusal names what was asked for, the tier that it needs, and that of the caller."""
    call = a_call(tier)
    for needed in Tier:
        if needed <= tier:
            call.require(needed, "prune")
        else:
            with pytest.raises(
                PermissionDenied, match=f"prune needs the tier {needed.label}; this caller is a {tier.label}"
            ):
                call.require(needed, "prune")


def test_progress_is_told_to_who_listens_and_to_nobody_else() -> None:
    """Long work says how far it is whether anybody listens or not."""
    heard: list[tuple[int, int, str]] = []
    replace(a_call(), progress=lambda *said: heard.append(said)).report(1, 2, "reading")
    a_call().report(2, 2, "reading")
    assert heard == [(1, 2, "reading")]


def test_who_listens_may_break_the_work_off() -> None:
    """What they raise comes out where the work reported."""

    def leave(*_: object) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        replace(a_call(), progress=leave).report(1, 2, "reading")
