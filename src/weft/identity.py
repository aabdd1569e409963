"""Ids of the graph: UUIDv7 (RFC 9562 §5.7), so that ids made later sort later; and addresses of nodes."""

from __future__ import annotations

import os
import re
import threading
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote
from uuid import UUID

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["NODE_URI", "is_id", "meant", "new_id"]

NODE_URI: Final = "weft://node/"
"""What the address of a node as a resource begins with; its id follows, or a title with its characters escaped."""

_FORM: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

_lock = threading.Lock()
_last = 0
if hasattr(os, "register_at_fork"):  # else a child might find it taken by a thread that it has not
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)

_VERSION = 0x7 << 76
_VARIANT = 0x2 << 62
_RANDOM_BITS = (1 << 62) - 1


def new_id(at: datetime) -> str:
    """Return a new id stamped with ``at``: 36 characters, lower case, unique across processes.

    Ids made by one process ascend even within a millisecond or when the clock steps back: the 60 bits of time and
    sequence never repeat (RFC 9562 §6.2, method 1, with 12 bits of counter behind the milliseconds).
    """
    global _last  # noqa: PLW0603 - one counter a process is what makes ids ascend
    ticks = int(at.timestamp() * 1000) << 12
    with _lock:
        _last = max(_last + 1, ticks)
        stamp = _last
    milliseconds, counter = stamp >> 12, stamp & 0xFFF
    random = int.from_bytes(os.urandom(8), "big") & _RANDOM_BITS
    return str(UUID(int=(milliseconds << 80) | _VERSION | (counter << 64) | _VARIANT | random))


def is_id(text: str) -> bool:
    """Return whether ``text`` has the form of what :func:`new_id` gives, as no name of another system is likely to."""
    return _FORM.fullmatch(text) is not None


def meant(reference: str) -> str:
    """Return the id, handle, title or alias that ``reference`` gives: by itself, or as the address of a node.

    White space around it is left out, and an id is given in lower case.
    """
    wanted = reference.strip()
    if wanted.startswith(NODE_URI):
        wanted = unquote(wanted.removeprefix(NODE_URI)).strip()
    return wanted.lower() if is_id(wanted.lower()) else wanted
