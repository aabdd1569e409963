"""What in a graph waits for somebody, and the one sentence that says it: read from what status tells anyway."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weft.model import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from weft.model import Counts

__all__ = ["verdict", "wants"]

WELL: Final = "All is well."


def wants(counts: Counts, vault: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return what waits for somebody, JSON-ready: ``what`` it is, a ``count``, and what is ``said`` of it.

    Nodes that are marked for review may have a suggestion too, and conflicts of the vault are suggestions. Notes of a
    vault that a process keeps are written by that.
    """
    return tuple(_wants(counts, vault))


def _wants(counts: Counts, vault: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if open_ := counts.suggestions_open:
        yield _want("suggestions", open_, f"{open_} {'suggestion' if open_ == 1 else 'suggestions'} to decide")
    if marked := counts.nodes_by_status.get(Status.NEEDS_REVIEW, 0):
        yield _want("nodes", marked, f"{marked} {'node that needs' if marked == 1 else 'nodes that need'} review")
    if vault.get("problem"):
        yield _want("vault", 1, "a vault that cannot be kept")
    elif (waiting := vault.get("waiting", 0)) and not vault.get("watched"):
        yield _want("notes", waiting, f"{waiting} {'note' if waiting == 1 else 'notes'} of the vault to be written")


def _want(what: str, count: int, said: str) -> dict[str, Any]:
    return {"what": what, "count": count, "said": said}


def verdict(found: tuple[dict[str, Any], ...]) -> str:
    """Return the sentence over ``found``, what :func:`wants` gave."""
    return f"Waiting for you: {', '.join(each['said'] for each in found)}." if found else WELL
