"""What every store and its log must do. Subclass :class:`StoreContract`, fill in ``open``, and run pytest."""

from __future__ import annotations

from weft.testing.history import LogContract
from weft.testing.reading import ReadContract
from weft.testing.writing import WriteContract

__all__ = ["StoreContract"]


class StoreContract(WriteContract, ReadContract, LogContract):
    """The promises of :class:`weft.ports.Store` and :class:`weft.ports.Log`. Vectors have eight dimensions."""
