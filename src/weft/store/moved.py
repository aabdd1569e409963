"""Whether a graph is still as it was when it was opened here.

``weft reembed`` moves it to another embedding model; another release brings it up, or cuts its words in another way.
Who opened it before goes on with a model whose vectors say nothing of those that are there now. So each write asks in
its transaction, and each read of vectors in its statement (the query ``vector_held``), which model they are of.
Who opened it before another release did would mix words of two cuts, and know nothing of what a newer schema derives;
what that schema has elsewhere, it cannot even read.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from weft.errors import Unavailable, WeftError
from weft.store.engine import Misunderstood
from weft.text.indexing import CUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from weft.store.engine import Reader

__all__ = ["NEXT", "brought_up", "embedding_of", "model_moved", "refuse_changed", "refuse_moved", "understood"]

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


def brought_up(held: Sequence[tuple[object, ...]], schema: int) -> bool:
    """Return whether another release has brought the graph up, or cut its words anew, since it was opened here.

    ``held`` is what the query ``graph_held`` says; ``schema`` the number that this release works with.
    """
    ((_, *made),) = held
    return made != [CUT, schema]


def refuse_changed(held: Sequence[tuple[object, ...]], *, embedding: str, schema: int) -> None:
    """Refuse to write where the graph is not what it was when it was opened; an empty ``embedding`` is not compared.

    ``held`` is what the query ``graph_held`` says; ``schema`` the number that this release works with.

    Raises:
        Unavailable: it is of another embedding model, with the key ``model_moved``; or another release of Weft has
            brought it up, with the key ``brought_up``.
    """
    if not embedding:
        return
    if held[0][0] != embedding:
        raise model_moved()
    if brought_up(held, schema):
        raise _left("Nothing was written.")


@contextmanager
def understood(held: Callable[[], Sequence[tuple[object, ...]]], *, embedding: str, schema: int) -> Iterator[None]:
    """Say of reads in the block that the engine does not understand why, where another release changed the schema.

    ``held`` asks anew for what the query ``graph_held`` says; the rest is as in :func:`refuse_changed`.

    Raises:
        Unavailable: another release of Weft has brought the graph up, with the key ``brought_up``.
        Misunderstood: it has not: the fault is ours.
    """
    try:
        yield
    except Misunderstood as error:
        if embedding and _is_left(held, schema):
            raise _left("This one cannot read what was asked for.") from error
        raise


def _is_left(held: Callable[[], Sequence[tuple[object, ...]]], schema: int) -> bool:
    with suppress(WeftError):
        return brought_up(held(), schema)
    return False


def _left(but: str) -> Unavailable:
    return Unavailable(
        f"The graph has been brought up by another release of Weft since it was opened here. {but}",
        hint="Open it again with that release; a server has to be started anew.",
        key="brought_up",
    )
