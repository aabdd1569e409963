"""Every error a caller of Weft can meet, as one family.

::

    WeftError
    ├── InvalidArgument       a value is malformed, out of range or unknown
    ├── NotFound              nothing answers to that id, title, handle or alias
    ├── Ambiguous             several things do; the candidates are listed
    ├── Duplicate             the thing is already there; its id is given
    ├── Conflict              somebody else changed it first, or a receipt key was used for another call
    │   └── StaleRead         a planned write met a row that moved meanwhile; the verb plans again
    ├── PermissionDenied      the caller's tier does not reach; the needed tier is named
    ├── PrerequisiteSuggested advice given instead of a write, once; the call can proceed
    ├── LimitExceeded         a documented bound was hit
    └── Unavailable           a resource outside the graph failed; trying again may help
        └── CannotOpen        the graph itself could not be opened; its file was left as it is

The class says what kind of failure it is, ``message`` what happened, ``hint`` what to do next. Both are written for a
model as much as for a person: they name the field and the values that would have been accepted.
"""

from __future__ import annotations

import errno
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

__all__ = [
    "Ambiguous",
    "Candidate",
    "CannotOpen",
    "Conflict",
    "Duplicate",
    "InvalidArgument",
    "LimitExceeded",
    "NotFound",
    "PermissionDenied",
    "PrerequisiteSuggested",
    "StaleRead",
    "Unavailable",
    "WeftError",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One thing the caller may have meant: its ``id``, its ``title``, and why it is offered (may be empty)."""

    id: str
    title: str
    why: str = ""


class WeftError(Exception):
    """Something a caller can act on; never raised itself, only through its children.

    ``key`` narrows the code to one situation (``duplicate_concept``), ``candidates`` lists what may have been meant,
    and ``can_proceed`` tells whether the same call may be repeated with ``proceed`` set.
    """

    code: ClassVar[str] = "UNAVAILABLE"
    remedy: ClassVar[str] = "Try again."

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        key: str = "",
        candidates: tuple[Candidate, ...] = (),
        can_proceed: bool | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint or self.remedy
        self.key = key
        self.candidates = candidates
        self.can_proceed = can_proceed

    def answer(self) -> dict[str, Any]:
        """Return the error as the structured answer that all faces give; empty fields are left out."""
        body: dict[str, Any] = {"error": self.code, "message": self.message, "hint": self.hint}
        if self.key:
            body["key"] = self.key
        if self.candidates:
            body["candidates"] = [asdict(candidate) for candidate in self.candidates]
        if self.can_proceed is not None:
            body["can_proceed"] = self.can_proceed
        return body


class InvalidArgument(WeftError):
    """A value is malformed, out of range, or not one of the allowed ones. Correct the named field and call again."""

    code = "INVALID_ARGUMENT"
    remedy = "Correct the named field and call again."


class NotFound(WeftError):
    """Nothing answers to that id, title, handle or alias. Search for it, or check the spelling.

    ``reference`` is what was to name a node, and ``gone`` the id of one that was forgotten; empty where something else
    was not found.
    """

    code = "NOT_FOUND"
    remedy = "Consider a search for it, or check the spelling."
    reference: str = ""
    gone: str = ""


class Ambiguous(WeftError):
    """More than one node answers to that name. Call again with the id of one of the candidates."""

    code = "AMBIGUOUS"
    remedy = "Call again with the id of one of the candidates."


class Duplicate(WeftError):
    """The thing is already in the graph. Use the existing one."""

    code = "DUPLICATE"
    remedy = "Use the existing one, named in the candidates."


class Conflict(WeftError):
    """The write contradicts something that was written before it. Read again, then decide."""

    code = "CONFLICT"
    remedy = "Read it again, then decide."


class StaleRead(Conflict):
    """A planned write met a row that somebody else changed meanwhile. The verb reads and plans again by itself."""


class PermissionDenied(WeftError):
    """The caller's tier does not reach this. Ask somebody whose tier does, or open the graph with a higher role."""

    code = "PERMISSION_DENIED"
    remedy = "Ask somebody whose tier reaches this."


class PrerequisiteSuggested(WeftError):
    """Another step is advisable first. Take it, or repeat the call with ``proceed``."""

    code = "PREREQUISITE_SUGGESTED"
    remedy = "Consider the named step first, or repeat the call with proceed set to true."


class LimitExceeded(WeftError):
    """A documented bound was hit. Ask for less, or split the call."""

    code = "LIMIT_EXCEEDED"
    remedy = "Ask for less, or split the call."


_FORBIDDEN = "Do it as a user who may write there, or name a place where this one may."
_FULL = "Make room on the disk, or name a place on another one."
_AGAINST = {
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EROFS: _FORBIDDEN,
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
}


class Unavailable(WeftError):
    """Something outside the graph did not answer. Trying again later may help."""

    code = "UNAVAILABLE"
    remedy = "Try again later."

    @classmethod
    def by_system(cls, said: str, error: OSError) -> Unavailable:
        """Return the failure ``said``, with what the system says of it and what would help against that."""
        return cls(f"{said}: {error.strerror or error}.", hint=_AGAINST.get(error.errno or 0, ""))


class CannotOpen(Unavailable):
    """The graph could not be opened; its file was left untouched."""

    remedy = "Check the path, or point --graph at another graph."
