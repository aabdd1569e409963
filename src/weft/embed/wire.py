"""The OpenAI embeddings protocol as bytes: the request that is sent, and the vectors of an answer that may be wrong."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

__all__ = ["request", "vectors"]

HINT = "Check that the embedding endpoint's URL and model are those of an embedding model."


def request(model: str, texts: Sequence[str]) -> bytes:
    """Return the body of a request; vectors are asked for as numbers, which every server knows."""
    return json.dumps({"model": model, "input": list(texts), "encoding_format": "float"}).encode()


def vectors(body: bytes, *, count: int) -> npt.NDArray[np.float32]:
    """Return the vectors of an answer in the order of the texts, each of length 1, shape (count, dimension).

    Entries are put in order by their ``index``; without one they stand in the order given. An embedding may be a list
    of numbers or base64 of little-endian 32-bit floats, whatever was asked for.

    Raises:
        Unavailable: the answer is no such answer, has not ``count`` vectors of one dimension, or one of them is not
            finite or all zero.
    """
    rows = [_row(entry) for entry in _ordered(_entries(body), count)]
    if len({row.shape for row in rows}) != 1 or rows[0].size == 0:
        raise _refused("its vectors are empty or differ in length")
    matrix = np.stack(rows)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and lengths.all()):
        raise _refused("a vector is not finite or is all zero")
    unit: npt.NDArray[np.float32] = (matrix / lengths).astype(np.float32)
    return unit


def _entries(body: bytes) -> list[dict[str, Any]]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _refused("it is not JSON") from error
    entries = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise _refused("it has no list «data» of objects")
    return entries


def _ordered(entries: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    if len(entries) != count:
        raise _refused(f"it has {len(entries)} vectors for {count} texts")
    places = [entry.get("index", place) for place, entry in enumerate(entries)]
    by_place = {place: entry for place, entry in zip(places, entries, strict=True) if type(place) is int}
    if by_place.keys() != set(range(count)):
        raise _refused("its indexes are not 0, 1, 2 …, each once")
    return [by_place[place] for place in range(count)]


def _row(entry: dict[str, Any]) -> npt.NDArray[np.float64]:
    """Return one embedding as a flat array; what is not made of numbers is refused, not guessed."""
    given = entry.get("embedding")
    try:
        row = np.frombuffer(base64.b64decode(given, validate=True), "<f4") if isinstance(given, str) else _array(given)
    except ValueError as error:
        raise _refused("an embedding is neither numbers nor base64 of 32-bit floats") from error
    return row.astype(np.float64)


def _array(given: object) -> npt.NDArray[Any]:
    row = np.asarray(given)
    if row.ndim != 1 or row.dtype.kind not in "fi":
        raise ValueError
    return row


def _refused(why: str) -> Unavailable:
    return Unavailable(f"The embedding endpoint's answer cannot be used: {why}.", hint=HINT)
