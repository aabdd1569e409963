"""The words of a graph in PostgreSQL cut anew, where another release cut those that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.store.opened import COPYING
from weft.store.postgres.names import TURN
from weft.store.recut import recut_by

if TYPE_CHECKING:
    from weft.store.postgres.connection import PostgresWriter

__all__ = ["recut_server"]

# Searches go on meanwhile as they were; whoever writes waits.
_BEGIN: Final = f"BEGIN; SET LOCAL statement_timeout TO 0; SELECT pg_advisory_xact_lock({TURN})"


def recut_server(owner: PostgresWriter) -> None:
    """Cut all words of the graph anew in one transaction, unless they are of this cut, as the login that owns it.

    Several processes may try at once. Only passages whose words come out otherwise are written. Half of a
    copy is left as it is.
    """
    if COPYING not in dict(owner.read("meta_values")):
        recut_by(owner, lambda: owner.transaction(_BEGIN))
