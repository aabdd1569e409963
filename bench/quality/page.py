"""The page that the figures are read on, written anew by each run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anchors import NAMES
from measures import MEASURES
from retrieval import WEFT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_OPENING = """# How good the answers are

Written by `make quality DATA=FOLDER` (`bench/quality`); do not edit. {header}.

Every set is taken in as a user would: one capture a text through the library, then one search a question; nothing
goes past the product. One configuration answers all sets. It was chosen on one half of the questions (the even rows, or
those marked as development); the line above says which half the figures are of. How search works, and what was tried:
[search](search.md).

Beside it, on the bare texts: *BM25* (Lucene's form, k1 1.2, b 0.75, English stop words and stems), the *embedding*
that Weft bundles, one vector a text, and *rank fusion* of these two (reciprocal ranks, k = 60).

## Search

Shares of the relevant texts among the first five and ten, and nDCG@10, in percent.
"""


def page(header: str, figures: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the page for the figures of each data set, by name."""
    systems = (*NAMES, WEFT)
    lines = [_OPENING.format(header=header)]
    lines += [_row("set", "questions", "texts", *(f"{name}: {' / '.join(MEASURES)}" for name in systems))]
    lines += [_row(*["---"] * (3 + len(systems)))]
    for name, found in figures.items():
        cells = (_cell(found["systems"][system], bold=system == WEFT) for system in systems)
        lines.append(_row(name, str(found["questions"]), str(found["texts"]), *cells))
    if figures:
        lines.append(_row("**mean**", "", "", *(_cell(_mean(figures, each), bold=each == WEFT) for each in systems)))
        lines += ["", *_margins(figures), "", *_rest(figures)]
    return "\n".join(lines) + "\n"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(measures: Mapping[str, float], *, bold: bool) -> str:
    said = " / ".join(f"{measures[name]:.1f}" for name in MEASURES)
    return f"**{said}**" if bold else said


def _mean(figures: Mapping[str, Mapping[str, Any]], system: str) -> dict[str, float]:
    return {name: sum(found["systems"][system][name] for found in figures.values()) / len(figures) for name in MEASURES}


def _margins(figures: Mapping[str, Mapping[str, Any]]) -> Sequence[str]:
    lines = ["Weft less the best of the three beside it, in points:", ""]
    for measure in MEASURES:
        margins = {
            name: found["systems"][WEFT][measure] - max(found["systems"][other][measure] for other in NAMES)
            for name, found in figures.items()
        }
        least = min(margins, key=lambda name: margins[name])
        mean = sum(margins.values()) / len(margins)
        lines.append(f"- {measure}: {mean:+.1f} on the mean of the sets, {margins[least]:+.1f} at least ({least})")
    return lines


def _rest(figures: Mapping[str, Mapping[str, Any]]) -> Sequence[str]:
    lines = ["## How long a search takes", "", "Milliseconds in process, on a machine that others used meanwhile.", ""]
    lines += [_row("set", "p50", "p95"), _row("---", "---", "---")]
    lines += [
        _row(name, *(f"{found['search_ms'][key]:.1f}" for key in ("p50", "p95"))) for name, found in figures.items()
    ]
    lines += ["", "## The data", "", "The digest is SHA-256 over the files of a set; none of them is kept here.", ""]
    lines += [_row("set", "digest"), _row("---", "---")]
    return lines + [_row(name, f"`{found['sha256']}`") for name, found in figures.items()]
