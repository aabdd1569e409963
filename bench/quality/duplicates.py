"""Near-duplicates: which texts a capture tells to be said already, and how many opposites it falls for.

The pairs are captured one text after the other into one graph; a pair counts as flagged where the capture of either
text names the other's node as a near-duplicate, or finds it to be the very same text. A set of claims and the
counter-claims that were made of them by putting one word for another (``claim_counterclaim.jsonl``) is the trap:
whatever is flagged there is wrong.

Beside it stands likeness alone: the cosine of the bundled embedding, cut where it does best on the half that is not
reported; in the trap there is no such place, so it is cut at 0.95.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from anchors import Anchors
from captures import Text, held
from sets import OTHER, SCORES, half, parts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import TypeAlias

    import numpy.typing as npt
    from sets import DataSet, Half, Row

    Flags: TypeAlias = npt.NDArray[np.bool_]

SAME = 4.5  # the score from which people say that two texts say the same
TRAP_CUT = 0.95  # the cosine at which likeness alone is cut where there is nothing to choose a cut by


def measured(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    """Return the figures of one set: of what is flagged, how much is wanted, and the reverse."""
    trap = data.trap
    given = trap or [row for row in data.pairs if _is_scored(row)]
    pairs = half(given, which)
    if not pairs:
        return {}
    flagged = _flagged(f"{data.name} duplicates {which}", pairs, keep)
    wanted = np.array([_wanted(row) for row in pairs], bool)
    alike, told, cuts = [], [], []
    for part in (which,) if trap else parts(given, which):
        here, there = half(given, part), [] if trap else half(given, OTHER[part])
        least = _cut(_cosines(there, keep), np.array([_wanted(row) for row in there], bool))
        alike.append(_cosines(here, keep) >= least)
        told.append(np.array([_wanted(row) for row in here], bool))
        cuts.append(least)
    return _figures(np.array(flagged, bool), wanted) | {
        "trap": bool(trap),
        "likeness": _figures(np.concatenate(alike), np.concatenate(told)) | {"cosine": sum(cuts) / len(cuts)},
    }


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the lines of one set."""
    likeness = figures["likeness"]
    if figures["trap"]:
        beside = f"likeness from {likeness['cosine']:.2f} on {likeness['share']:.1f} %"
        return [f"{name:22} {figures['pairs']:5} opposites   flagged {figures['share']:.1f} %; {beside}"]
    head = f"{name:22} {figures['pairs']:5} pairs, {figures['wanted']} say the same"
    beside = f"likeness from {likeness['cosine']:.2f} on"
    return [
        head,
        *(
            f"{'':28} {system:24} P {each['precision']:.1f} R {each['recall']:.1f} F1 {each['f1']:.1f}"
            for system, each in (("flagged", figures), (beside, likeness))
        ),
    ]


def _figures(flagged: Flags, wanted: Flags) -> dict[str, Any]:
    right, called = int((flagged & wanted).sum()), int(flagged.sum())
    return {
        "pairs": len(wanted),
        "wanted": int(wanted.sum()),
        "flagged": called,
        "share": 100 * called / max(1, len(wanted)),
        "precision": 100 * right / max(1, called),
        "recall": 100 * right / max(1, int(wanted.sum())),
        "f1": 200 * right / max(1, called + int(wanted.sum())),
    }


def _cosines(pairs: Sequence[Row], keep: Path) -> npt.NDArray[np.float32]:
    if not pairs:
        return np.empty(0, np.float32)
    vectors = Anchors(keep).vectors([row[end] for end in ("a", "b") for row in pairs])
    cosines: npt.NDArray[np.float32] = (vectors[: len(pairs)] * vectors[len(pairs) :]).sum(axis=1)
    return cosines


def _cut(cosines: npt.NDArray[np.float32], wanted: Flags) -> float:
    """Return the cosine from which on calling all the same does best by F1."""
    if not wanted.any():
        return TRAP_CUT
    order = np.argsort(-cosines, kind="stable")
    f1 = 2 * np.cumsum(wanted[order]) / (np.arange(1, len(order) + 1) + wanted.sum())
    return float(cosines[order][int(np.argmax(f1))])


def _is_scored(row: Row) -> bool:
    return bool(SCORES & row.keys())


def _wanted(row: Row) -> bool:
    if "duplicate" in row:
        return bool(row["duplicate"])
    if "relatedness" in row:
        return bool(row["relatedness"] >= SAME and row.get("label", "entailment") == "entailment")
    return bool(row.get("score", 0.0) >= SAME)


def _flagged(name: str, pairs: Sequence[Row], keep: Path) -> list[bool]:
    said = dict.fromkeys(text for row in pairs for text in (row["a"], row["b"]))
    with held(name, [Text(row=text, content=text) for text in said], keep) as full:
        same = {frozenset((answer["node"], other)) for answer in full.answers.values() for other in answer["same"]}
        ends = [(full.nodes[row["a"]], full.nodes[row["b"]]) for row in pairs]
    return [one == other or frozenset((one, other)) in same for one, other in ends]
