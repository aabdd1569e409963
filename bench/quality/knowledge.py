"""What Weft makes of texts beside finding them: relations, kinds, duplicates, verdicts and bridges, set by set."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import asked
import claims
import contexts
import contradiction
import duplicates
import excerpts
import keywords
import kinds
import linking
import references
import supersession
import trails
from anchors import Anchors
from sets import DataSet, half

import bridges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sets import Half

    Figures = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """One section of the page: how a set is measured (nothing where there is nothing to measure), and what is said."""

    name: str
    title: str
    opening: str
    measured: Callable[[DataSet, Half, Anchors, Path], Figures]
    rows: Callable[[str, Figures], list[str]]


def _linked(data: DataSet) -> bool:
    """Return whether authors of the set's own texts related them, with more than contradictions."""
    drawn = {row["type"] for row in data.relations}
    return bool(data.nodes and drawn - {"contradicts", "supports", "refutes"}) and not data.holds("queries")


def _scored(data: DataSet, which: Half, _: Anchors, keep: Path) -> Figures:
    return duplicates.measured(data, which, keep)


TABLES = (
    Table(
        name="linking",
        title="Linking",
        opening=linking.__doc__ or "",
        measured=lambda data, which, anchors, keep: (
            linking.measured(data, which, anchors, keep) if _linked(data) and linking.pairs(data) else {}
        ),
        rows=linking.rows,
    ),
    Table(
        name="excerpts",
        title="Pieces as queries",
        opening=excerpts.__doc__ or "",
        measured=lambda data, which, anchors, keep: (
            excerpts.measured(data, which, anchors, keep) if _linked(data) else {}
        ),
        rows=excerpts.rows,
    ),
    Table(
        name="asked",
        title="Questions people ask",
        opening=asked.__doc__ or "",
        measured=lambda data, which, anchors, keep: asked.measured(data, which, anchors, keep) if _linked(data) else {},
        rows=excerpts.rows,
    ),
    Table(
        name="keywords",
        title="Keywords as queries",
        opening=keywords.__doc__ or "",
        measured=lambda data, which, anchors, keep: (
            keywords.measured(data, which, anchors, keep) if _linked(data) else {}
        ),
        rows=excerpts.rows,
    ),
    Table(
        name="contexts",
        title="Tasks and ends",
        opening=contexts.__doc__ or "",
        measured=lambda data, which, anchors, keep: (
            contexts.measured(data, which, anchors, keep) if _linked(data) else {}
        ),
        rows=excerpts.rows,
    ),
    Table(
        name="trails",
        title="Trails",
        opening=trails.__doc__ or "",
        measured=lambda data, which, _, keep: trails.measured(data, which, keep) if _linked(data) else {},
        rows=trails.rows,
    ),
    Table(
        name="references",
        title="References",
        opening=references.__doc__ or "",
        measured=lambda data, which, _, keep: references.measured(data, which, keep) if _linked(data) else {},
        rows=references.rows,
    ),
    Table(
        name="supersession",
        title="Supersession",
        opening=supersession.__doc__ or "",
        measured=lambda data, which, anchors, keep: (
            supersession.measured(data, which, anchors, keep) if _linked(data) else {}
        ),
        rows=supersession.rows,
    ),
    Table(
        name="bridges",
        title="Bridges",
        opening=bridges.__doc__ or "",
        measured=lambda data, _, anchors, keep: bridges.measured(data, anchors, keep) if _linked(data) else {},
        rows=bridges.rows,
    ),
    Table(
        name="duplicates",
        title="Duplicates",
        opening=duplicates.__doc__ or "",
        measured=_scored,
        rows=duplicates.rows,
    ),
    Table(
        name="contradiction",
        title="Contradiction",
        opening=contradiction.__doc__ or "",
        measured=lambda data, which, _, keep: contradiction.measured(data, which, keep),
        rows=contradiction.rows,
    ),
    Table(
        name="claims",
        title="Claims about documents",
        opening=claims.__doc__ or "",
        measured=claims.measured,
        rows=claims.rows,
    ),
    Table(
        name="kinds",
        title="Kinds",
        opening=kinds.__doc__ or "",
        measured=lambda data, which, _, keep: kinds.measured(data, which, keep),
        rows=kinds.rows,
    ),
)


def told(
    chosen: Sequence[DataSet], which: Half, vectors: Path, keep: Path, tables: Sequence[str]
) -> tuple[dict[str, dict[str, Figures]], dict[str, list[str]]]:
    """Measure what can be measured of each set, by table and set, and print it as it comes.

    Beside the tables is returned what could not be measured, by set, a sentence each. As many sets at a time as there
    are processors, the largest first: a set's tables share graphs, sets do not.
    ``vectors`` and ``keep`` are the folders that the anchors' vectors and the graphs are kept in.
    """
    names = [table.name for table in TABLES if not tables or table.name in tables]
    largest = sorted(chosen, key=lambda data: -sum(path.stat().st_size for path in data.folder.glob("*.jsonl")))
    found: dict[str, dict[str, Figures]] = {name: {} for name in names}
    lost: dict[str, list[str]] = {}
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        waiting = {
            workers.submit(_measured, data.name, data.folder, which, (vectors, keep), names): data.name
            for data in (largest if names else ())
        }
        for each in as_completed(waiting):
            try:
                told_of, said = each.result()
            except BrokenProcessPool:
                told_of, said = [], ["its process, or one beside it, was ended from outside"]
            lost[waiting[each]] = said
            for table, name, figures in told_of:
                found[table][name] = figures
    tables_of = {
        table: {data.name: figures[data.name] for data in chosen if data.name in figures}
        for table, figures in found.items()
        if figures
    }
    return tables_of, {data.name: lost[data.name] for data in chosen if lost.get(data.name)}


def _measured(
    name: str, folder: Path, which: Half, folders: tuple[Path, Path], names: Sequence[str]
) -> tuple[list[tuple[str, str, Figures]], list[str]]:
    """Return the tables of one set, in their order, and what could not be; this runs in a process of its own."""
    data, anchors = DataSet(name=name, folder=folder), Anchors(folders[0])
    found, lost = [], []
    for table in (each for each in TABLES if each.name in names):
        started = time.monotonic()
        try:
            figures = table.measured(data, which, anchors, folders[1])
            lines = table.rows(data.name, figures) if figures else []
        except Exception as problem:  # noqa: BLE001 - one set that cannot be measured is no reason to lose the others
            lost.append(f"{table.name} cannot be measured: {type(problem).__name__}: {problem}")
            continue
        if lines:
            found.append((table.name, name, figures))
            told_in = f"   [{table.name}, {time.monotonic() - started:.0f} s]"
            print("\n".join(lines) + told_in, flush=True)
    lost += [f"left out: {count} {what}" for what, count in data.left_out.items() if count]
    if not found and not half(data.queries, which):
        lost.append(f"nothing in the half {which!r} of it can be measured")
    for said in lost:
        print(f"{name:22} {said}", flush=True)
    return found, lost


# ---- beside something simpler


def margins(table: str, figures: Mapping[str, Figures]) -> Iterator[str]:
    """Yield for each measure by how much Weft is above the best of what stands beside it, on the mean of the sets."""
    found: dict[str, list[float]] = {}
    for each in figures.values():
        for measure, weft, others in _compared(table, each):
            found.setdefault(measure, []).append(weft - max(others.values()))
    for measure, each in found.items():
        yield f"{measure}: {sum(each) / len(each):+.1f} on the mean of {len(each)} set{'s' * (len(each) > 1)}"


def behind(table: str, figures: Mapping[str, Figures]) -> Iterator[str]:
    """Yield, for the sets of a table, each measure at which something beside Weft did better than Weft."""
    for name, each in figures.items():
        for measure, weft, others in _compared(table, each):
            best = max(others, key=others.__getitem__)
            if others[best] > weft:
                yield f"{name}, {measure}: {weft:.1f} below {others[best]:.1f} ({best})"


def _compared(table: str, figures: Figures) -> Iterator[tuple[str, float, dict[str, float]]]:
    """Yield what is compared: the measure, Weft's value, and those beside it; more is better."""
    if table in {"linking", "bridges"}:
        for measure in figures["systems"][linking.WEFT]:
            values = {who: each[measure] for who, each in figures["systems"].items() if who != linking.SEARCHED}
            yield measure, values.pop(linking.WEFT), values
    elif table in {"excerpts", "asked", "keywords", "contexts"}:
        for measure, each in figures["asked"].items():
            if each["documents"]:
                values = dict(each["systems"])
                yield measure, values.pop(linking.WEFT), values
    elif table == "supersession":
        values = dict(figures["systems"])
        yield "R@1", values.pop(linking.WEFT), values
    elif table in _COMPARED:
        yield from _COMPARED[table](figures)


def _typed(figures: Figures) -> Iterator[tuple[str, float, dict[str, float]]]:
    for name, each in figures["texts"].items():
        yield f"F1 of {name}", each["f1"], {"cues": figures["cues"][name]["f1"]}


def _repeated(figures: Figures) -> Iterator[tuple[str, float, dict[str, float]]]:
    beside = figures["likeness"]
    if not figures["trap"]:
        yield "F1", figures["f1"], {"likeness": beside["f1"]}
    else:
        yield "share of opposites left alone", 100 - figures["share"], {"likeness": 100 - beside["share"]}


def _sorted(figures: Figures) -> Iterator[tuple[str, float, dict[str, float]]]:
    yield "right", figures["both"], {"keywords": figures["keywords"]}


def _verdicts(figures: Figures) -> Iterator[tuple[str, float, dict[str, float]]]:
    groups = {"pairs": figures["pairs"]} if "pairs" in figures else {}
    for name, each in {**groups, **figures.get("collection", {})}.items():
        values = {who: system["f1"] for who, system in each["systems"].items()}
        _, marked = (values.pop(who, 0.0) for who in contradiction.SYSTEMS[:2])  # one of them for all sets
        if values:
            yield f"F1 of {name}", marked, values


def _leant(figures: Figures) -> Iterator[tuple[str, float, dict[str, float]]]:
    yield "document first", figures["first"], {"likeness": figures["nearest"]}
    values = dict(figures["apart"])
    yield "told apart", values.pop("Weft"), values
    for side, each in figures["sides"].items():
        weft, surface = (each[f"{who}, own document"]["f1"] for who in contradiction.SYSTEMS[1:])
        yield f"F1 of {side}", weft, {contradiction.SYSTEMS[2]: surface}


_COMPARED = {
    "references": _typed,
    "duplicates": _repeated,
    "contradiction": _verdicts,
    "claims": _leant,
    "kinds": _sorted,
}
