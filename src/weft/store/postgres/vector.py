"""Vectors between the store and pgvector: half precision both, low byte first here, high byte first on the wire.

The wire form is pgvector's: the dimension and a zero, two bytes each, then the numbers
(https://github.com/pgvector/pgvector/blob/master/src/halfvec.c, ``halfvec_send``).
"""

from __future__ import annotations

import struct

__all__ = ["from_wire", "to_wire"]

_HEADER = struct.Struct(">HH")


def to_wire(vector: bytes) -> bytes:
    """Return a stored vector, float16 with its low byte first, as pgvector receives it."""
    return _HEADER.pack(len(vector) // 2, 0) + _swapped(vector)


def from_wire(received: bytes) -> bytes:
    """Return what pgvector sends as the stored form."""
    return _swapped(received[_HEADER.size :])


def _swapped(pairs: bytes) -> bytes:
    swapped = bytearray(len(pairs))
    swapped[0::2], swapped[1::2] = pairs[1::2], pairs[0::2]
    return bytes(swapped)
