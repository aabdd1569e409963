"""What the errors of PostgreSQL mean to a caller, by their SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html).

What a server says of a failed connection may name hosts, users and databases, so of that nothing is passed on.
"""

from __future__ import annotations

import re
from typing import Final

from weft.errors import CannotOpen, Conflict, InvalidArgument, PermissionDenied, Unavailable, WeftError
from weft.store.engine import NO_ROOM, Misunderstood
from weft.store.guard import Access, tier_needed

__all__ = ["denied", "fault", "outcome_unknown", "unreached"]

_BUSY = "The graph is busy: another process is writing to it, or holds its tables. Nothing was written."
_GONE = "The database did not answer: nothing was written."
_SLOW = "The database took too long, and the work was given up: nothing was written."

# The longest beginning of a SQLSTATE that is listed decides.
_MEANING: Final[dict[str, tuple[type[WeftError], str]]] = {
    "08": (Unavailable, _GONE),
    "22": (InvalidArgument, "A value cannot be stored."),
    "23": (InvalidArgument, "A value breaks a rule of the graph."),
    "23505": (Conflict, "Something else already stands there."),
    "25006": (Unavailable, "The database takes no writes: it is a standby, or set to be read only."),
    "25P03": (Unavailable, _SLOW),
    "28": (CannotOpen, "The database does not let this user in."),
    "3D000": (CannotOpen, "There is no such database."),
    "40001": (Unavailable, "The database asks to try again: nothing was written."),
    "40P01": (Unavailable, "The database asks to try again: nothing was written."),
    "42P01": (Misunderstood, "A part of the graph is missing from the database: restore it as a whole."),
    "42501": (PermissionDenied, "The database refused a statement that this tier does not reach."),
    "53": (Unavailable, "The database has no room or memory left: nothing was written, and reading goes on."),
    "53300": (Unavailable, "The database takes no more connections."),
    "54": (InvalidArgument, "A value is too large for the graph."),
    "55P03": (Unavailable, _BUSY),
    "57": (Unavailable, _GONE),
    "57014": (Unavailable, _SLOW),
    "58": (Unavailable, "The database's disk did not do what it was asked: nothing was acknowledged."),
}
# What a server, or a pooler, answers before there is a connection: by its English words alone.
_REFUSING: Final = (
    (
        re.compile(r'database ".*" does not exist'),
        _MEANING["3D000"][1],
        "Check the name at the end of the URL, or make it: createdb.",
    ),
    (
        re.compile(r'role ".*" does not exist|authentication failed|no password supplied|no pg_hba\.conf entry'),
        _MEANING["28"][1],
        "Check the user and the password of the URL, and that pg_hba.conf lets them in from here.",
    ),
    (
        re.compile(r"permission denied for database|is not permitted to log in|is not currently accepting connections"),
        _MEANING["28"][1],
        "Have an administrator let the login in (LOGIN, GRANT CONNECT), or open the database (ALLOW_CONNECTIONS).",
    ),
    (
        re.compile(r"too many (?:clients|connections)"),
        _MEANING["53300"][1],
        "Try again, or raise max_connections.",
    ),
    (
        re.compile(r"session is read-only|server is in hot standby mode"),
        _MEANING["25006"][1],
        "Name the primary in the URL, or have default_transaction_read_only turned off.",
    ),
    (
        re.compile(r"unsupported startup parameter"),
        "The pooler before the database does not take a parameter that the URL sets.",
        "Leave options out of the URL, name the server itself, or let the pooler pass it (ignore_startup_parameters).",
    ),
)
_WRITE = re.compile(r"(INSERT|UPDATE|DELETE)(?: INTO| FROM)? (\w+)")
_SET = re.compile(r'"?(\w+)"? = ')
_BUG = (
    Misunderstood,
    "The store asked the database for something it does not understand; this is a fault in Weft.",
)


def fault(state: str | None, said: str | None) -> WeftError:
    """Return what an error means; ``state`` is its SQLSTATE, ``said`` the server's own words (neither: no answer)."""
    if state is None:
        return Unavailable(_GONE)
    if state == "42501" and (said or "").startswith("weft: "):
        return PermissionDenied(f"{said[6:7].upper()}{said[7:]}." if said else "")
    lengths = (length for length in (5, 3, 2) if state[:length] in _MEANING)
    kind, meaning = _MEANING.get(state[: next(lengths, 0)], _BUG)
    told = f" ({said})" if said and state[:2] not in {"08", "28", "3D", "57"} else ""
    full = state.startswith("53") and state != "53300"
    return kind(f"{meaning}{told}", key="role" if kind is PermissionDenied else NO_ROOM if full else "")


def unreached(said: str) -> CannotOpen:
    """Return what a failed connection means, of which the driver tells no SQLSTATE; ``said`` are its words.

    A server that speaks another language than English is told apart from none by nothing: both cannot be reached.
    """
    for pattern, meaning, hint in _REFUSING:
        if pattern.search(said):
            return CannotOpen(meaning, hint=hint)
    return CannotOpen(
        "The database cannot be reached.", hint="Check the host, the port and the network, and that it runs."
    )


def denied(sql: str) -> PermissionDenied:
    """Return the refusal of a writing statement, with the tier that it needs."""
    found = _WRITE.match(sql)
    operation, table = (found[1], found[2]) if found else ("A statement", "")
    columns = _SET.findall(sql.partition(" SET")[2].partition("WHERE")[0]) if operation == "UPDATE" else [""]
    needed = [tier_needed(Access(operation, table, column)) for column in columns]
    who = f"needs tier {max(tier for tier in needed if tier).label}" if all(needed) else "is not allowed to any tier"
    return PermissionDenied(f"{operation} {table} {who}.")


def outcome_unknown() -> Unavailable:
    """Return the answer to a commit of which nobody can tell whether it will last."""
    return Unavailable(
        "The outcome is unknown: the connection was lost, or a standby did not confirm, while the write was made.",
        hint="Repeat the call with the same idempotency key: it is done once, and answered as it was done.",
        key="outcome_unknown",
    )
