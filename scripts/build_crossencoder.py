"""Build a bundled network that reads two texts at once: one ONNX file of about 6 MB with four-bit weights.

    pip install onnx onnxruntime numpy
    PYTHONPATH=src python scripts/build_crossencoder.py entailment|intent WEIGHTS.npz [--claims pairs.jsonl]

WEIGHTS.npz is what ``scripts/entailment/train.py`` or ``scripts/intent/train_intent.py`` learned. It has the layers of
the bundled embedding model, trained further, and the embedding model's own table of words, which is not stored again:
the file points at the table's bytes inside ``model.onnx`` (ONNX external data). So the two files belong together, and a
new ``model.onnx`` asks for this script again. The same weights give the same bytes.

Weights are stored in four bits, a scale for each 128 of a row (``MatMulNBits``). Rounding to the nearest of sixteen
steps costs this network less than a point of what it tells apart.

``--claims`` takes a JSON Lines file whose rows have a ``claim`` (or heading) and a ``text``, and prints how near the
chances of the built network are to those of the float one, and its speed.
"""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from build_model import CONTRIB, HEAD_WIDTH, LAYERS, TARGET, Graph, attend, seconds
from weft.embed import bundle
from weft.embed.crossencoder import ENTAILMENT, INTENT, TOKENS_MAX, CrossEncoder

Array = npt.NDArray[Any]

BLOCK = 128
BITS = 4
WORDS = ("words", "words.scale")


class Trained:
    """What was learned, by the names of ``scripts/entailment/train.py``: matrices are (outputs × inputs)."""

    def __init__(self, path: Path) -> None:
        self._kept = {name: value.astype(np.float32) for name, value in np.load(path).items()}

    def __getitem__(self, name: str) -> Array:
        return self._kept[name]

    def linear(self, name: str) -> tuple[Array, Array]:
        """Return the weight and the bias of a layer of that name."""
        return self[f"{name}.w"], self[f"{name}.b"]

    def attention(self, layer: int) -> tuple[Array, Array]:
        """Return query, key and value as one linear layer; the query carries the 1/√width of the attention."""
        parts = [self.linear(f"layers.{layer}.{part}") for part in ("q", "k", "v")]
        scales = (1 / np.sqrt(HEAD_WIDTH), 1.0, 1.0)
        pairs = [(weight * scale, bias * scale) for (weight, bias), scale in zip(parts, scales, strict=True)]
        weight, bias = (np.concatenate(each).astype(np.float32) for each in zip(*pairs, strict=True))
        return weight, bias


def exact(graph: Graph, x: str, weight: Array, bias: Array, name: str) -> str:
    """Add a linear layer in float."""
    product = graph.apply("MatMul", [x, graph.constant(f"{name}.weight", weight.T)], f"{name}.product")
    return graph.apply("Add", [product, graph.constant(f"{name}.bias", bias)], name)


def four_bits(graph: Graph, x: str, weight: Array, bias: Array, name: str) -> str:
    """Add a linear layer whose weights are kept in four bits, and whose activations are quantised while running."""
    outputs, inputs = weight.shape
    packed, scales = nibbles(weight)
    matrix = [graph.constant(f"{name}.weight", packed), graph.constant(f"{name}.scales", scales)]
    sizes = {"K": inputs, "N": outputs, "bits": BITS, "block_size": BLOCK, "accuracy_level": 4}
    product = graph.apply("MatMulNBits", [x, *matrix], f"{name}.product", domain=CONTRIB, **sizes)
    return graph.apply("Add", [product, graph.constant(f"{name}.bias", bias)], name)


def nibbles(weight: Array) -> tuple[Array, Array]:
    """Return ``weight`` in steps of −8 … 7, two to a byte, and the step of each block: its largest number is −8."""
    blocks = weight.reshape(len(weight), -1, BLOCK)
    largest = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=2)[..., None], axis=2)
    scales = np.where(largest == 0.0, 1.0, largest / -8.0).astype(np.float32)
    steps = (np.clip(np.round(blocks / scales), -8, 7) + 8).astype(np.uint8)
    return steps[..., ::2] | (steps[..., 1::2] << 4), scales[..., 0]


def embedded(graph: Graph, trained: Trained) -> str:
    """Add to each token's word its place and whether it is the claim's or the text's, and normalise."""
    levels = graph.apply("Cast", [graph.apply("Gather", ["words", "ids"], "words.levels")], "words.float", to=1)
    found = graph.apply("Mul", [levels, graph.apply("Gather", ["words.scale", "ids"], "words.steps")], "words.found")
    first = graph.constant("first", np.array([0], np.int64))
    length = graph.apply("Shape", ["ids"], "length", start=1, end=2)
    table = graph.constant("positions", trained["places"][:TOKENS_MAX])
    placed = graph.apply("Add", [found, graph.apply("Slice", [table, first, length, first], "places")], "placed")
    sides = graph.apply("Gather", [graph.constant("sides.table", trained["types"]), "sides"], "sides.found")
    return normal(graph, trained, graph.apply("Add", [placed, sides], "told"), "n0")


def normal(graph: Graph, trained: Trained, x: str, part: str) -> str:
    """Layer normalisation with the gain and bias of ``part``."""
    gain, bias = (graph.constant(f"{part}.{name}", trained[f"{part}.{name}"]) for name in ("weight", "bias"))
    return graph.apply("LayerNormalization", [x, gain, bias], f"{part}.normal", axis=-1, epsilon=1e-12)


def layer(graph: Graph, trained: Trained, x: str, number: int, linear: Any) -> str:  # noqa: ANN401 - exact or four_bits
    """One layer: attention and feed-forward, each added to its input and normalised."""
    name = f"layers.{number}"
    attended = attend(graph, linear(graph, x, *trained.attention(number), f"{name}.project"), f"{name}.attention")
    output = linear(graph, attended, *trained.linear(f"{name}.o"), f"{name}.output")
    x = normal(graph, trained, graph.apply("Add", [output, x], f"{name}.attended"), f"{name}.n1")
    grown = linear(graph, x, *trained.linear(f"{name}.f"), f"{name}.grow")
    active = graph.apply("Gelu", [grown], f"{name}.active", domain=CONTRIB)
    shrunk = linear(graph, active, *trained.linear(f"{name}.s"), f"{name}.shrink")
    return normal(graph, trained, graph.apply("Add", [shrunk, x], f"{name}.fed"), f"{name}.n2")


def network(trained: Trained, linear: Any) -> Graph:  # noqa: ANN401 - exact or four_bits
    """Return the whole network; its output ``chances`` is (1, 3): the three sides that the text may stand on."""
    graph = Graph()
    x = embedded(graph, trained)
    for number in range(LAYERS):
        x = layer(graph, trained, x, number, linear)
    found = graph.apply("Gather", [x, graph.constant("start", np.array([0], np.int64))], "start.found", axis=1)
    start = graph.apply("Squeeze", [found, graph.constant("tokens", np.array([1], np.int64))], "start.state")
    heads = [(trained[f"head{number}.weight"], trained[f"head{number}.bias"]) for number in (1, 2)]
    hidden = graph.apply("Tanh", [exact(graph, start, *heads[0], "head.hidden")], "head.active")
    graph.apply("Softmax", [exact(graph, hidden, *heads[1], "head")], "chances", axis=-1)
    return graph


def serialised(graph: Graph, words: list[TensorProto]) -> bytes:
    """Return the model with the table of words as ``words`` has it."""
    known = [numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in graph.constants.items()]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in ("ids", "sides")]
    output = helper.make_tensor_value_info("chances", TensorProto.FLOAT, None)
    made = helper.make_graph(graph.nodes, "entailment", inputs, [output], [*known, *words])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1)]
    model = helper.make_model(made, opset_imports=opsets, producer_name="weft", ir_version=8)
    return bytes(model.SerializeToString(deterministic=True))


def pointers(path: Path) -> list[TensorProto]:
    """Return the table of words as a place inside the embedding model's file."""
    whole = path.read_bytes()
    found = {each.name: each for each in onnx.load(path).graph.initializer if each.name in WORDS}
    return [pointer(found[name], whole, path.name) for name in WORDS]


def pointer(tensor: TensorProto, whole: bytes, file: str) -> TensorProto:
    """Return a tensor that says where in ``whole`` the numbers of ``tensor`` lie."""
    raw = numpy_helper.to_array(tensor).tobytes()
    facts = {"location": file, "offset": str(whole.index(raw)), "length": str(len(raw))}
    outside = TensorProto(name=tensor.name, data_type=tensor.data_type, dims=tensor.dims)
    outside.data_location = TensorProto.EXTERNAL
    outside.external_data.extend(onnx.StringStringEntryProto(key=key, value=value) for key, value in facts.items())
    return outside


def measure(trained: Trained, path: Path, file: str) -> None:
    """Print closeness to the float network, and speed, through the class that Weft itself uses."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    words = [each for each in onnx.load(TARGET / "model.onnx").graph.initializer if each.name in WORDS]
    reference = onnxruntime.InferenceSession(serialised(network(trained, exact), words), None, ["CPUExecutionProvider"])
    reader = CrossEncoder(file)
    found = np.concatenate([reader.read(row["claim"], [row["text"]]) for row in rows])
    feeds = [reader.feed(row["claim"], row["text"]) for row in rows]
    wanted = np.concatenate([reference.run(["chances"], feed)[0] for feed in feeds])
    off = np.abs(found - wanted)
    print(f"chances of {len(rows)} pairs beside the float network's: off by {off.mean():.3f}, at most {off.max():.3f}")
    tokens = np.mean([feed["ids"].shape[1] for feed in feeds])
    taken = seconds(partial(reader.read, rows[0]["claim"], [row["text"] for row in rows]), times=3)
    print(f"{taken / len(rows) * 1e3:.1f} ms a pair of about {tokens:.0f} tokens")


def main() -> None:
    """Build, seal and, if asked, measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", choices=("entailment", "intent"))
    parser.add_argument("weights", type=Path)
    parser.add_argument("--claims", type=Path, help="JSON Lines file with claim and text")
    asked = parser.parse_args()
    trained = Trained(asked.weights)
    file = ENTAILMENT if asked.network == "entailment" else INTENT
    (TARGET / file).write_bytes(serialised(network(trained, four_bits), pointers(TARGET / "model.onnx")))
    for name, fact in bundle.seal(TARGET).items():
        print(f"{name}: {fact['bytes']:,} bytes, SHA-256 {fact['sha256']}")
    if asked.claims:
        measure(trained, asked.claims, file)


if __name__ == "__main__":
    main()
