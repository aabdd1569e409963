"""The graph's own configuration: a few facts that travel with its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from weft.model import Tier
    from weft.store.engine import Database

__all__ = ["SqlConfig"]

_USES: Final = {"kind": "uses_of_kind", "relation_type": "uses_of_relation_type"}


class SqlConfig:
    """What is configured in an embedded graph, as text by key; what it means is the reader's."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def values(self) -> dict[str, str]:
        """Return what is configured."""
        return dict(self._database.read("config_values"))

    def save(self, key: str, value: str, *, tier: Tier) -> None:
        """Set a value, durably.

        Raises:
            PermissionDenied: the tier is below curator.
        """
        with self._database.writer(tier) as writer:
            writer.run("config_save", key=key, value=value)

    def withdraw(self, key: str, *, tier: Tier) -> int:
        """Take back the kind or relation type that is kept under ``key``, if nothing is of it; return how much is.

        Nobody writes anything of it meanwhile: what is written after this is refused.

        Raises:
            PermissionDenied: the tier is below curator.
        """
        shelf, _, name = key.partition(".")
        with self._database.writer(tier) as writer:
            uses = int(writer.read(_USES[shelf], name=name)[0][0])
            if not uses:
                writer.run("config_save", key=key, value="")
        return uses
