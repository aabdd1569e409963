"""What speaks for each kind in a text: its wording and its meaning, weighed by a table beside this module.

The table is a multinomial logistic regression over :func:`weft.reason.cues.cues` and the vector of the bundled
embedding (``scripts/train_kinds.py``). Vectors of other models are not read: of their texts the wording alone is
weighed, by weights that were fitted without vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Final
from zipfile import BadZipFile
from zlib import error as BadData  # noqa: N812 - an exception like the others

import numpy as np

from weft.errors import Unavailable
from weft.reason.cues import cues

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

__all__ = ["kind_odds", "reads"]

_TABLE: Final = "kinds.npz"
_REMEMBERED: Final = 64  # texts; a capture's wording is read while its vector is made


@dataclass(frozen=True, slots=True)
class _Head:
    """Weights of ``c`` cues and of the numbers of a vector, for ``k`` kinds: shapes (c, k), (dimension, k) and (k,)."""

    cues: npt.NDArray[np.float32]
    vector: npt.NDArray[np.float32]
    constant: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Table:
    kinds: tuple[str, ...]
    rows: Mapping[str, int]
    model: str
    heads: Mapping[bool, _Head]  # whether there is a vector


def reads(model: str) -> bool:
    """Return whether the vectors of the embedding of that name can be weighed.

    Raises:
        Unavailable: the package's own file is missing or damaged; so do the functions below.
    """
    return model == _table().model


def kind_odds(text: str, vector: npt.NDArray[np.float32] | None = None) -> dict[str, float]:
    """Return how much speaks for each kind that the table knows: natural logarithms, of which only differences count.

    ``vector``, shape (dimension,) and of length 1, is that of the text's opening in the model that :func:`reads` names;
    None: the wording alone is weighed. The first call reads the table, in a few milliseconds.
    """
    table = _table()
    head = table.heads[vector is not None]
    odds = head.constant + head.cues[_rows(text)].sum(axis=0)
    if vector is not None:
        odds = odds + vector @ head.vector
    return dict(zip(table.kinds, odds.tolist(), strict=True))


@lru_cache(maxsize=_REMEMBERED)
def _rows(text: str) -> list[int]:
    known = _table().rows
    return sorted(known[cue] for cue in cues(text) if cue in known)  # in order: the same sum in every process


@cache
def _table() -> _Table:
    try:
        content = files("weft.reason").joinpath("data", _TABLE).read_bytes()
        with np.load(BytesIO(content), allow_pickle=False) as held:
            return _read(held)
    except (OSError, EOFError, ValueError, KeyError, BadZipFile, BadData) as error:
        hint = "Reinstall weft: a file of the package is damaged."
        raise Unavailable(f"The table of kinds {_TABLE!r} cannot be read: {error}.", hint=hint) from error


def _read(held: Mapping[str, npt.NDArray[np.generic]]) -> _Table:
    """Return what the file holds: whole numbers of eight bits, with the worth of one for each kind."""
    rows = str(held["cues"]).split("\n")
    return _Table(
        kinds=tuple(str(held["kinds"]).split("\n")),
        rows={cue: row for row, cue in enumerate(rows)},
        model=str(held["model"]),
        heads={True: _head(held, "both"), False: _head(held, "worded")},
    )


def _head(held: Mapping[str, npt.NDArray[np.generic]], name: str) -> _Head:
    def unpacked(part: str) -> npt.NDArray[np.float32]:
        whole: npt.NDArray[np.float32] = held[f"{name}_{part}"].astype(np.float32)
        return whole * held[f"{name}_{part}_unit"].astype(np.float32)

    return _Head(cues=unpacked("cues"), vector=unpacked("vector"), constant=held[f"{name}_constant"].astype(np.float32))
