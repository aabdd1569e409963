"""The vault: the graph as Markdown on disk that people read, edit and keep in git, mirrored both ways."""

from __future__ import annotations

from weft.vault.ports import VaultPorts
from weft.vault.report import Conflict, Synced, VaultStatus
from weft.vault.vault import Vault

__all__ = ["Conflict", "Synced", "Vault", "VaultPorts", "VaultStatus"]
