"""Text to vectors: the bundled model, or any endpoint that speaks the OpenAI embeddings protocol.

Nothing heavy is imported before it is needed; :func:`open_embedder` is the door.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from weft.model import Calibration
    from weft.ports import Chat, Embedder, Entailment, Intent, Judge
    from weft.settings import Endpoint

__all__ = [
    "fitted",
    "model_damaged",
    "open_chat",
    "open_embedder",
    "open_entailment",
    "open_intent",
    "open_judge",
]


def fitted(vectors: npt.NDArray[np.float32]) -> Calibration:
    """Return a map for another model than the bundled one, from vectors of a graph alone, one row a node.

    Raises:
        InvalidArgument: fewer than 100 rows, or rows too alike for a rising map.
    """
    from weft.embed.bundle import calibration
    from weft.embed.calibrate import from_graph

    return from_graph(vectors, like=calibration())


def model_damaged() -> tuple[str, ...]:
    """Return the names of the bundled model's files that are missing or not as shipped; reads all 23 MB of them."""
    from weft.embed.bundle import MANIFEST, damaged
    from weft.errors import Unavailable

    try:
        return damaged()
    except Unavailable:
        return (MANIFEST,)


def open_embedder(
    endpoint: Endpoint | None = None, *, calibration: Calibration | None = None, threads: int = 1
) -> Embedder:
    """Return the embedder behind ``endpoint``; without one, or without its URL, the bundled one. Nothing is loaded yet.

    ``calibration`` is a map fitted for the endpoint's model (:mod:`weft.embed.calibrate`); the bundled model has its
    own. ``threads`` is how many texts the bundled model works on at once.

    Raises:
        InvalidArgument: a value is out of range, or the URL cannot be one of an endpoint.
    """
    if endpoint is None or not endpoint.url:
        from weft.embed.minilm import MiniLM

        return MiniLM(threads=threads)
    from weft.embed.remote import OpenAICompatible

    return OpenAICompatible(
        endpoint.url,
        endpoint.model,
        key=endpoint.key or None,
        dimension=endpoint.dimension or None,
        calibration=calibration,
    )


def open_entailment() -> Entailment:
    """Return the bundled network that reads a claim and a text at once. Nothing is loaded yet."""
    from weft.embed.crossencoder import CrossEncoder

    return CrossEncoder()


def open_intent() -> Intent:
    """Return the bundled network that reads what a sentence names a document for. Nothing is loaded yet."""
    from weft.embed.crossencoder import INTENT, CrossEncoder

    return CrossEncoder(INTENT)


def open_chat(endpoint: Endpoint) -> Chat:
    """Return the chat model behind ``endpoint``. Nothing is loaded or called yet.

    Raises:
        InvalidArgument: the URL cannot be one of an endpoint, or the model or the key is none.
    """
    from weft.embed.chat import ChatCompletions

    return ChatCompletions(endpoint.url, endpoint.model, key=endpoint.key or None)


def open_judge(endpoint: Endpoint) -> Judge:
    """Return the chat model behind ``endpoint`` as a judge of claims. Nothing is loaded or called yet.

    Raises:
        InvalidArgument: the URL cannot be one of an endpoint, or the model or the key is none.
    """
    from weft.embed.chat import ChatCompletions
    from weft.embed.judging import ANSWER_TIMEOUT_S, ChatJudge

    chat = ChatCompletions(endpoint.url, endpoint.model, key=endpoint.key or None, timeout_s=ANSWER_TIMEOUT_S)
    return ChatJudge(chat)
