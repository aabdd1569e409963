"""The verbs of looking after a graph, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.services.drafting import file_path
from weft.services.keeping.configuring import Configuring
from weft.services.keeping.doctor import Doctor
from weft.services.keeping.erasing import Erasing
from weft.services.keeping.issuing import Issuing
from weft.services.keeping.registering import Registering

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from weft.model import BackedUp, Call, Erased, Examined
    from weft.ports import Log, Store
    from weft.services.keeping.ports import KeepingPorts

__all__ = ["Keeping"]


class Keeping:
    """Looks after one graph: whether it is sound, copies of it, and what must be erased from it."""

    def __init__(self, ports: KeepingPorts, *, store: Store, log: Log) -> None:
        self._ports = ports
        self._doctor = Doctor(ports, store=store)
        self._erasing = Erasing(ports, store=store, log=log)
        self.config = Configuring(ports)
        self.vocabulary = Registering(ports.config, store=store)
        self.tokens = Issuing(ports.tokens)

    def doctor(self, call: Call, *, repair: bool = False) -> Examined:
        """Look at the whole graph; see :meth:`weft.services.keeping.doctor.Doctor.examine`."""
        return self._doctor.examine(call, repair=repair)

    def backup(self, target: Path, *, replace: bool = False) -> BackedUp:
        """Copy the graph as it stands now to the file ``target``; everything acknowledged before the call is in it.

        Others go on writing meanwhile. The copy is verified, and takes its name only when it is whole and durable.

        Raises:
            InvalidArgument: ``target`` is no ``Path``, a folder, or the graph itself.
            Conflict: there is a file already, and ``replace`` is off.
            Unavailable: the disk refuses, or the graph does not hold together.
        """
        return self._ports.health.copy(file_path(target, field="target"), replace=replace)

    def erase(self, reference: str, call: Call, *, reason: str, texts: Sequence[str] = ()) -> Erased:
        """Blank a node's text in every file of the graph; see :meth:`weft.services.keeping.erasing.Erasing.erase`."""
        return self._erasing.erase(reference, call, reason=reason, texts=texts)
