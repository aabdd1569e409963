"""Transfer: what others wrote comes in, and copies of the graph go out. How, is loaded when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.model import Tier
from weft.services.transfer.ports import TransferPorts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.model import Call, Exported, ExportRequest, Imported, ImportRequest

__all__ = ["Transfer", "TransferPorts"]


class Transfer:
    """Imports and exports."""

    def __init__(self, ports: TransferPorts) -> None:
        self._ports = ports

    def import_(self, request: ImportRequest, call: Call) -> Imported:
        """Take in what lies at ``request.path``; a second time nothing is new.

        Nodes come with origin ``imported`` and keep the id they had as a handle (``obsidian:Folder/Note``). A node that
        says something else now is updated, unless somebody changed it here; one that was forgotten here stays so. What
        cannot be read is told with file and line, and stops nothing. Interrupted, the same call goes on from there.

        A lossless file (``jsonl``) brings everything as it was: ids, versions, times, evidence, decisions and the log
        itself, by writing its changes again (:mod:`weft.services.transfer.replaying`).

        Raises:
            InvalidArgument: the format is not known, or does not fit the path.
            NotFound: there is nothing at the path.
            PermissionDenied: the caller is no curator.
            Unavailable: a library that the format needs is not installed, or a text could not be embedded.
        """
        from weft.services.transfer.importing import take_in

        call.require(Tier.CURATOR, "import")
        return take_in(self._ports, request, call)

    def export(self, request: ExportRequest, call: Call) -> Exported:
        """Write a copy of the graph, as it stands now, to ``request.path``: whole, or not at all.

        What others write meanwhile is not in it. Nothing but a page is held in memory.

        Raises:
            InvalidArgument: the format is not known, or a wish does not fit it.
            Conflict: something lies at the path already.
            NotFound, Ambiguous: the node whose neighbourhood is to be drawn.
            Unavailable: the path cannot be written.
        """
        from weft.services.transfer.exporting import give_out

        return give_out(self._ports, request, call)

    def stream(self, request: ExportRequest, call: Call) -> Iterator[str]:
        """Yield the text of a copy, for the formats that are one file; ``request.path`` is not looked at.

        Raises:
            InvalidArgument: the format is not known, is a folder, or a wish does not fit it.
        """
        from weft.services.transfer.exporting import stream

        return stream(self._ports, request, call)
