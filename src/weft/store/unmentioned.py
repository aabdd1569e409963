"""Mentions that a graph lacks: which of those that texts were found to name are not kept, and surely should be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.text import fold
from weft.text.roots import roots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Mention
    from weft.store.engine import Reader

__all__ = ["unmentioned"]

_HOLDERS_MAX: Final = 4  # nodes of one name that a text is led to


def unmentioned(reader: Reader, told: Sequence[Mention], *, texts_max: int, mentions_max: int) -> list[Mention]:
    """Return those of ``told`` that are not kept though their texts have room for them, by names that are rare.

    A rare name has a word that never stood in more than ``texts_max`` passages; few nodes have it, and none that left
    had, but for those that went into the target. Of other names it depends on what was written first.
    """
    rare = _rare(reader, {each.name for each in told}, texts_max)
    lacking = [each for each in told if each.name in rare and _lacking(reader, each, mentions_max)]
    names = sorted({fold(each.name) for each in lacking})
    left = reader.read("names_left", names=names) if names else []
    return [each for each in lacking if not any(fold(each.name) == name and into != each.target for name, into in left)]


def _rare(reader: Reader, names: set[str], texts_max: int) -> set[str]:
    words = {name: roots(name) for name in names}
    counts = dict(reader.read("terms_counted", terms=sorted({word for cut in words.values() for word in cut})))
    return {
        name for name, cut in words.items() if 0 < min((counts.get(word, 0) for word in cut), default=0) <= texts_max
    }


def _lacking(reader: Reader, told: Mention, mentions_max: int) -> bool:
    return bool(
        reader.read(
            "mention_lacking",
            node=told.node,
            target=told.target,
            name=fold(told.name),
            mentions_max=mentions_max,
            holders_max=_HOLDERS_MAX,
        )
    )
