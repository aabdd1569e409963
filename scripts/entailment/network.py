"""The bundled embedding model's layers as a network of torch that reads a claim and a text at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

if TYPE_CHECKING:
    from pathlib import Path

LAYERS, HEADS, WIDTH = 6, 12, 384
PLACES = 128
DROPPED = 0.1
BLOCK = 128  # as in build_crossencoder.py
KINDS = ("weight", "bias")

Weights = Mapping[str, torch.Tensor]


class Linear(nn.Module):
    """A linear layer; once ``rounded``, its weights go through the four bits in which they are shipped."""

    def __init__(self, weights: Weights, name: str) -> None:
        super().__init__()
        self.w = nn.Parameter(weights[f"{name}.weight"].float())
        self.b = nn.Parameter(weights[f"{name}.bias"].float())
        self.rounded = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return what the layer makes of ``x``."""
        return functional.linear(x, four_bits(self.w) if self.rounded else self.w, self.b)


def four_bits(weight: torch.Tensor) -> torch.Tensor:
    """Return ``weight`` in sixteen steps a block; the gradient goes through as if nothing had been rounded."""
    with torch.no_grad():
        blocks = weight.reshape(len(weight), -1, BLOCK)
        largest = blocks.gather(-1, blocks.abs().argmax(-1, keepdim=True))
        step = torch.where(largest == 0, torch.ones_like(largest), largest / -8)
        near = ((blocks / step).round().clamp(-8, 7) * step).reshape(weight.shape)
    return weight + (near - weight).detach()


def normal(weights: Weights, name: str) -> nn.LayerNorm:
    """Return a layer normalisation of the embedding model."""
    made = nn.LayerNorm(WIDTH, eps=1e-12)
    made.weight.data = weights[f"{name}.LayerNorm.weight"].float()
    made.bias.data = weights[f"{name}.LayerNorm.bias"].float()
    return made


class Layer(nn.Module):
    """Attention and feed-forward."""

    def __init__(self, weights: Weights, number: int) -> None:
        super().__init__()
        name = f"encoder.layer.{number}"
        parts = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value"}
        parts |= {"o": "attention.output.dense", "f": "intermediate.dense", "s": "output.dense"}
        for short, part in parts.items():
            setattr(self, short, Linear(weights, f"{name}.{part}"))
        self.n1, self.n2 = normal(weights, f"{name}.attention.output"), normal(weights, f"{name}.output")

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return the states behind the layer; ``mask`` is false where nothing stands."""
        queries, keys, values = (self._heads(each(x)) for each in (self.q, self.k, self.v))
        dropped = DROPPED if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, dropout_p=dropped)
        x = self.n1(x + self._drop(self.o(mixed.transpose(1, 2).reshape(x.shape))))
        return self.n2(x + self._drop(self.s(functional.gelu(self.f(x)))))

    def _heads(self, x: torch.Tensor) -> torch.Tensor:
        return x.view(*x.shape[:2], HEADS, WIDTH // HEADS).transpose(1, 2)

    def _drop(self, x: torch.Tensor) -> torch.Tensor:
        return functional.dropout(x, DROPPED, self.training)


class Network(nn.Module):
    """Claim and text in, the odds of the three sides out. The table of words stays as it is."""

    def __init__(self, weights: Weights, words: torch.Tensor) -> None:
        super().__init__()
        self.words = nn.Parameter(words, requires_grad=False)
        self.places = nn.Parameter(weights["embeddings.position_embeddings.weight"].float()[:PLACES].clone())
        self.types = nn.Parameter(weights["embeddings.token_type_embeddings.weight"].float())
        self.n0 = normal(weights, "embeddings")
        self.layers = nn.ModuleList(Layer(weights, number) for number in range(LAYERS))
        self.head1, self.head2 = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 3)

    def forward(self, ids: torch.Tensor, sides: torch.Tensor, valid: torch.Tensor) -> torch.Tensor:
        """Return the odds, shape (batch, 3); all arguments are (batch, tokens)."""
        hidden = torch.tanh(self.head1(self.states(ids, sides, valid)[:, 0]))
        return self.head2(functional.dropout(hidden, DROPPED, self.training))

    def states(self, ids: torch.Tensor, sides: torch.Tensor, valid: torch.Tensor) -> torch.Tensor:
        """Return the tokens' states behind the last layer."""
        placed = functional.embedding(ids, self.words) + self.places[: ids.shape[1]]
        x = functional.dropout(self.n0(placed + functional.embedding(sides, self.types)), DROPPED, self.training)
        for layer in self.layers:
            x = layer(x, valid[:, None, None, :])
        return x

    def embedded(self, ids: torch.Tensor, valid: torch.Tensor) -> torch.Tensor:
        """Return a vector of length 1 a text, as the embedding model does before anything is learned."""
        x = self.states(ids, torch.zeros_like(ids), valid).float() * valid[..., None]
        return functional.normalize(x.sum(1), dim=-1)

    def round(self) -> None:
        """Let the weights of all layers go through four bits from now on."""
        for layer in self.modules():
            if isinstance(layer, Linear):
                layer.rounded = True


def shipped(path: Path) -> dict[str, torch.Tensor]:
    """Return the parameters that lie in the file ``build_crossencoder.py`` makes, by the names of :class:`Network`."""
    graph = onnx.load(path, load_external_data=False).graph
    kept = {each.name: each for each in graph.initializer if each.data_location != onnx.TensorProto.EXTERNAL}
    there = {name: numpy_helper.to_array(each).astype(np.float32) for name, each in kept.items()}
    found = {"places": there["positions"], "types": there["sides.table"]}
    found |= {name: there[name] for name in ("n0.weight", "n0.bias")}
    for number in range(LAYERS):
        found |= _shipped_layer(f"layers.{number}", there)
    for name, part in (("head1", "head.hidden"), ("head2", "head")):
        found |= {f"{name}.weight": there[f"{part}.weight"].T, f"{name}.bias": there[f"{part}.bias"]}
    return {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in found.items()}


def _shipped_layer(name: str, there: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    found = {f"{name}.{part}.{kind}": there[f"{name}.{part}.{kind}"] for part in ("n1", "n2") for kind in KINDS}
    project = _unpacked(there, f"{name}.project"), there[f"{name}.project.bias"]
    for part, weight, bias in zip("qkv", *(np.split(each, 3) for each in project), strict=True):
        scale = (WIDTH / HEADS) ** 0.5 if part == "q" else 1.0  # the file has 1/√width in the query
        found |= {f"{name}.{part}.w": weight * scale, f"{name}.{part}.b": bias * scale}
    for part, long in (("o", "output"), ("f", "grow"), ("s", "shrink")):
        found |= {
            f"{name}.{part}.w": _unpacked(there, f"{name}.{long}"),
            f"{name}.{part}.b": there[f"{name}.{long}.bias"],
        }
    return found


def _unpacked(there: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    packed = there[f"{name}.weight"].astype(np.uint8)
    steps = np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:2], -1).astype(np.float32) - 8
    return (steps * there[f"{name}.scales"].reshape(*steps.shape[:2], 1)).reshape(len(steps), -1)
