"""Whether a graph is still of the embedding model that it was opened with: ``weft reembed`` moves it to another.

Who opened it before goes on with a model whose vectors say nothing of those that are there now. So each write asks in
its transaction, and each read of vectors in its statement (the query ``vector_held``), which model they are of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.errors import Unavailable

if TYPE_CHECKING:
    from weft.store.engine import Reader

__all__ = ["NEXT", "embedding_of", "model_moved", "refuse_moved"]

NEXT: Final = "passage_next"
"""What the names of all that a move has beside the graph begin with, while it is under way."""


def embedding_of(facts: dict[str, str]) -> str:
    """Return the embedding model and the dimension that ``facts`` of a graph name, as the query ``embedding_held``."""
    return f"{facts.get('model', '')}/{facts.get('dimension', '')}"


def model_moved() -> Unavailable:
    """Return the answer to whoever goes by a model that the graph has left."""
    return Unavailable(
        "The graph has been moved to another embedding model since it was opened here. Nothing was written.",
        hint="Open it again with that model in the settings; a server has to be started anew.",
        key="model_moved",
    )


def refuse_moved(reader: Reader, embedding: str) -> None:
    """Refuse to go on where the graph is not of ``embedding`` any more; an empty one is not compared.

    Raises:
        Unavailable: it is of another, with the key ``model_moved``.
    """
    if embedding and reader.read("embedding_held") != [(embedding,)]:
        raise model_moved()
