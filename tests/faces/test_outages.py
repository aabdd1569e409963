"""What a server's log says while its graph is away: why, and not once for every call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.errors import Unavailable
from weft.faces.outages import PAUSE_S, Outages

if TYPE_CHECKING:
    import pytest


def test_the_same_is_told_again_after_a_minute_and_another_thing_at_once(caplog: pytest.LogCaptureFixture) -> None:
    """An outage that lasts is seen to last, and what became of it too."""
    now = 0.0
    outages = Outages(clock=lambda: now)
    gone, full = Unavailable("It is gone."), Unavailable("It is full.", hint="Make room.")
    for at, error in ((0.0, gone), (1.0, gone), (2.0, full), (PAUSE_S - 1, gone), (PAUSE_S, gone)):
        now = at
        outages.tell(error)
    assert [record.getMessage().partition(": ")[2] for record in caplog.records] == [
        "It is gone. Try again later.",
        "It is full. Make room.",
        "It is gone. Try again later.",
    ]


def test_whatever_a_message_holds_is_one_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """What the database says of a value may quote it."""
    Outages().tell(Unavailable("Not taken (\x1b[2Jone\nweft: all is well)."))
    [record] = caplog.records
    assert record.getMessage().isprintable()
