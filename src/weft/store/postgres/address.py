"""A graph's URL: what the driver takes of it, and what it says to Weft alone.

Beside the driver's own parameters (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS) it
may hold ``weft_reads=standby`` and ``weft_deadline=SECONDS``. Which of several hosts is asked for what is Weft's to
say, so ``target_session_attrs`` is taken out.
"""

from __future__ import annotations

from typing import NamedTuple

from weft.errors import InvalidArgument

__all__ = ["Address", "address_of"]

_DEADLINE_S = 30.0
_DEADLINE_MIN_S, _DEADLINE_MAX_S = 0.1, 3_600.0
_OURS = {"weft_reads", "weft_deadline", "target_session_attrs"}


class Address(NamedTuple):
    """``url`` is the driver's; ``on_standby``: whether standbys are read; ``deadline_s``: what a statement may take."""

    url: str
    on_standby: bool
    deadline_s: float

    @property
    def patience_s(self) -> float:
        """How long an answer is waited for: a little longer than a server that works would take to refuse."""
        return self.deadline_s + max(1.0, self.deadline_s / 4)


def address_of(url: str) -> Address:
    """Return the parts of ``url``.

    Raises:
        InvalidArgument: a parameter of ours has a value that it does not take.
    """
    place, _, options = url.partition("?")
    given = [option.partition("=") for option in options.split("&") if option]
    ours = {name: value for name, _, value in given if name in _OURS}
    rest = "&".join(f"{name}={value}" for name, _, value in given if name not in _OURS)
    if ours.get("weft_reads", "primary") not in {"primary", "standby"}:
        raise InvalidArgument("graph: weft_reads must be primary or standby")
    plain = f"{place}?{rest}" if rest else place
    return Address(plain, ours.get("weft_reads") == "standby", _deadline(ours.get("weft_deadline", "")))


def _deadline(said: str) -> float:
    try:
        seconds = float(said or _DEADLINE_S)
    except ValueError:
        seconds = 0.0
    if not _DEADLINE_MIN_S <= seconds <= _DEADLINE_MAX_S:
        raise InvalidArgument(
            f"graph: weft_deadline must be a number of seconds in {_DEADLINE_MIN_S}..{_DEADLINE_MAX_S:.0f}"
        )
    return seconds
