"""Average what was trained with what it went on from: what was learned before is kept better so.

    python scripts/entailment/average.py 0.35 shipped.onnx 0.25 first.npz 0.4 second.npz --out weights.npz

Shares, each before its file: one that ``build_crossencoder.py`` made (``.onnx``), or one that ``train.py`` wrote
(``.npz``). Networks that went on from one another lie in one valley, and what lies between them is as good there as
both (Wortsman and others 2022, https://arxiv.org/abs/2109.01903).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from network import shipped

Weights = dict[str, np.ndarray]


def main() -> None:
    """Average and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="+", metavar="SHARE FILE")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    shares = np.array([float(share) for share in asked.parts[::2]])
    networks = [read(Path(path)) for path in asked.parts[1::2]]
    shares /= shares.sum()
    averaged = {
        name: sum(share * each[name] for share, each in zip(shares, networks, strict=True)) for name in networks[0]
    }
    np.savez(asked.out, **{name: value.astype(np.float16) for name, value in averaged.items()})


def read(path: Path) -> Weights:
    """Return what was trained, by the names of :class:`network.Network`."""
    if path.suffix == ".onnx":
        return {name: each.numpy() for name, each in shipped(path).items()}
    return {name: value.astype(np.float32) for name, value in np.load(path).items()}


if __name__ == "__main__":
    main()
