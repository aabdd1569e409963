"""What does not agree between a vault and its graph, as the doctor tells it: each with the command that mends it.

One dry run says it. What waits for a pass or for a decision is told and is no fault: the graph is sound with it.
Nothing of it is mended by ``weft doctor --repair``: what somebody edited is read by a pass only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.errors import Unavailable
from weft.model import Flaw
from weft.vault.place import CLOSED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from weft.vault.report import Synced, VaultStatus

__all__ = ["faults"]

SHOWN: Final = 5

_READ: Final = (
    "nodes_made", "nodes_changed", "nodes_retired", "nodes_returned", "relations_made", "relations_changed",
    "relations_removed", "others_made",
)  # fmt: skip
_WRITTEN: Final = ("written", "moved", "removed")


def faults(standing: Callable[[], VaultStatus], compared: Callable[[], Synced]) -> tuple[Flaw, ...]:
    """Return what does not agree; of a vault that is off, nothing.

    ``standing`` says how the vault stands, ``compared`` what a pass would do; both may raise Unavailable.
    """
    try:
        status = standing()
    except Unavailable as error:
        if error.key == CLOSED:
            meaning = "A vault that may be there is not compared with the graph."
            return (_flaw("vault_closed", error.message, meaning, "Look as a user who may read it.", waits=True),)
        remedy = "weft vault on FOLDER says anew where it lies."
        return (_flaw("vault_setting", error.message, "Nobody knows where the vault lies.", remedy),)
    if not status.on:
        return ()
    if status.problem:
        meaning = "Nothing is mirrored, and nothing is taken for deleted."
        remedy = "Bring the folder back, or weft vault on begins a new one; weft vault off ends it."
        return (_flaw("vault_missing", f"{status.problem}.", meaning, remedy),)
    try:
        told = compared()
    except Unavailable as error:
        meaning = "Vault and graph were not compared."
        return (_flaw("vault_busy", error.message, meaning, error.hint),)
    return (*_apart(told, watched=status.watched), *_unread(told), *_open(status.conflicts))


def _apart(told: Synced, *, watched: bool) -> Iterator[Flaw]:
    read, written = (sum(getattr(told, name) for name in names) for names in (_READ, _WRITTEN))
    clashes = len(told.conflicts)
    parts = ((read, "to be read into the graph"), (written, "to be written"), (clashes, "changed on both sides"))
    if said := [f"{count} {what}" for count, what in parts if count]:
        remedy = "The server that keeps the vault does it by itself; weft sync does it now."
        yield _flaw(
            "vault_behind",
            f"Vault and graph differ: {', '.join(said)}.",
            "Notes do not show what the graph says, or the graph does not hold what was edited in them.",
            remedy if watched else "weft sync --dry-run shows what would be done, weft sync does it.",
            waits=True,
        )


def _unread(told: Synced) -> Iterator[Flaw]:
    if told.unread_total:
        places = [f"{each.path}:{each.line}" if each.line else each.path for each in told.unread]
        named = [f"{place} ({each.reason})" for place, each in zip(places, told.unread, strict=True)][:SHOWN]
        more = told.unread_total - len(named)
        yield _flaw(
            "vault_unread",
            f"Files of the vault cannot be read: {'; '.join(named)}{f' and {more} more' if more else ''}.",
            "What stands in them is not in the graph; they are left as they are.",
            "Mend or remove them, then weft sync.",
        )


def _open(conflicts: int) -> Iterator[Flaw]:
    if conflicts:
        yield _flaw(
            "vault_conflicts",
            f"{conflicts} notes changed on both sides, and nobody has decided yet.",
            "The notes show the graph's side; what somebody wrote lies in the vault's folder conflicts.",
            "weft review says which; bring over what is missing, delete the copies, then weft sync.",
            waits=True,
        )


def _flaw(key: str, what: str, meaning: str, remedy: str, *, waits: bool = False) -> Flaw:
    return Flaw(part="vault", key=key, what=what, meaning=meaning, remedy=remedy, waits=waits)
