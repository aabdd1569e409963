"""Notes that came in before and lie no more where they came from: nothing is taken out for that, but it is told."""

from __future__ import annotations

from os.path import lexists
from typing import TYPE_CHECKING, Final

from weft.model import Filter, Page, Status

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from weft.model import Node
    from weft.ports import Store

__all__ = ["absent"]

_NODES_AT_ONCE: Final = 200


def absent(
    store: Store, root: Path, *, prefix: str, ontology: str, met: Collection[str], suffixes: Collection[str]
) -> Iterator[str]:
    """Yield the handles of the nodes of ``ontology`` that came from files below ``root`` which are not there now.

    A handle is ``prefix`` and the file's path without its suffix, which is one of ``suffixes``. ``met`` are the ids of
    the nodes that this import found again. A file that is there and could not be read is not absent; a node that
    somebody marked as superseded has been seen to.
    """
    for node in _of(store, ontology):
        handle = next((each for each in node.handles if each.startswith(prefix)), "")
        if not handle or node.id in met or node.status is Status.SUPERSEDED:
            continue
        place = handle.removeprefix(prefix).removeprefix(f"{ontology}:")
        if not any(lexists(root / each) for each in _files(place, suffixes)):
            yield handle


def _files(place: str, suffixes: Collection[str]) -> list[str]:
    """Return the files that a note of this name may be; a suffix that is seldom used stands in the name."""
    return [place] if place.endswith(tuple(suffixes)) else [f"{place}{suffix}" for suffix in suffixes]


def _of(store: Store, ontology: str) -> Iterator[Node]:
    """Yield all nodes of an ontology."""
    offset = 0
    while nodes := store.find(Filter(ontologies=(ontology,)), Page(limit=_NODES_AT_ONCE, offset=offset)).nodes:
        yield from nodes
        offset += len(nodes)
