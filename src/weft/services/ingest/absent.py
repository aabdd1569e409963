"""Documents that lie no more where they were taken in from: nothing is taken out for that, but it is told."""

from __future__ import annotations

from os.path import lexists
from typing import TYPE_CHECKING

from weft.model import Status
from weft.services import documents
from weft.services.resting import document_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.model import IngestRequest
    from weft.ports import Store, Upkeep

__all__ = ["absent"]


def absent(store: Store, upkeep: Upkeep, request: IngestRequest) -> Iterator[str]:
    """Yield the names of the documents whose files lay in the folders of ``request`` and are not there now.

    A file that is there and could not be read is not absent; a document that somebody forgot, or marked as superseded,
    has been seen to.
    """
    for folder in documents.folders(request.paths, request.roots):
        for name, ontology, path in upkeep.documents(str(folder)):
            node = None if lexists(path) else document_of(store, name, ontology)
            if node is not None and node.status is not Status.SUPERSEDED:
                yield name
