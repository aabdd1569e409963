"""Which words may stand for each other: a table made from WordNet (``scripts/build_synonyms.py``), beside this module.

Words that lie near each other in an embedding may be opposites; these pairs were drawn by people. A word has the
synonyms of all its meanings, so that two may stand for each other in some sentences and not in others: the likeness of
the whole has to speak for it as well.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from weft.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["are_synonyms"]

_TABLE: Final = "synonyms.txt"


def are_synonyms(one: str, other: str) -> bool:
    """Return whether two roots (:func:`weft.reason.clause.root`) may mean the same; a root is no synonym of its own.

    The first call reads the table, in 2 ms.

    Raises:
        Unavailable: the package's own file is missing or damaged.
    """
    first, second = sorted((one, other))
    return f" {second} " in _table().get(first, "")


@cache
def _table() -> Mapping[str, str]:
    """Return, for each root, the later ones of its synonyms, each between spaces: as text they take a megabyte less."""
    try:
        text = files("weft.reason").joinpath("data", _TABLE).read_text("utf-8")
    except (OSError, ValueError) as error:
        hint = "Reinstall weft: a file of the package is damaged."
        raise Unavailable(f"The table of synonyms {_TABLE!r} cannot be read: {error}.", hint=hint) from error
    rows = (line.partition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {first: f" {others} " for first, _, others in rows}
