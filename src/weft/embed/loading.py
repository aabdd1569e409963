"""How the bundled networks and their tokenizer are loaded: one thread each, the graph as it was written."""

from __future__ import annotations

from typing import Any

from weft.embed import bundle
from weft.errors import Unavailable
from weft.settings import keep_to_itself

__all__ = ["network", "pieces"]


def network(name: str) -> Any:  # noqa: ANN401 - onnxruntime is not imported before it is needed
    """Return a session of the bundled network ``name``.

    One thread a text and no graph rewriting (the graph was written in its final form: rewriting costs 40 ms and gains
    nothing). What the network needs for a text is taken from a memory arena: what is kept of each text would else stand
    between the large pieces that the system gives and takes back, 1.7 MB a passage of some texts could not be used
    again. It keeps what the longest text needed, 10 MB a thread.

    Raises:
        Unavailable: the file is missing or damaged.
    """
    keep_to_itself()
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    with bundle.located(name) as path:  # by path, not bytes: 20 ms and 22 MB less
        try:
            return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except _refusals() as error:
            said = f"The bundled model's file {name!r} cannot be loaded: {error}"
            raise Unavailable(said, hint=bundle.HINT) from error


def pieces(limit: int) -> Any:  # noqa: ANN401 - as above
    """Return the tokenizer; of a text it gives ``limit`` tokens at most.

    Raises:
        Unavailable: its file is missing or damaged.
    """
    keep_to_itself()
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(bundle.read("tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(limit)
    return tokenizer


def _refusals() -> tuple[type[Exception], ...]:
    """Return what a damaged file is answered with: the engine's errors have no root of their own."""
    from onnxruntime.capi import onnxruntime_pybind11_state as engine

    names = ("Fail", "InvalidArgument", "InvalidGraph", "InvalidProtobuf", "NoModel", "NoSuchFile", "RuntimeException")
    return tuple(getattr(engine, name) for name in names)
