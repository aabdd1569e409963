"""The page that the figures are read on, written anew by each run, or in the tables that were asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from anchors import NAMES
from knowledge import TABLES, behind, margins
from measures import MEASURES
from retrieval import WEFT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from knowledge import Table


_OPENING = """# How good the answers are

Written by `make quality DATA=FOLDER` (`bench/quality`); do not edit. {header}.

Every set is taken in as a user would: one capture a text through the library, then one call a question; nothing goes
past the product. One configuration answers all sets. It was chosen on one half of the rows (the even ones, or those
marked as development); the line above says which half the figures are of. How search works, and what was tried:
[search](search.md).
"""

_SEARCH = """## Search

Shares of the relevant texts among the first five and ten, and nDCG@10, in percent. Beside Weft, on the bare texts:
*BM25* (Lucene's form, k1 1.2, b 0.75, English stop words and stems), the *embedding* that Weft bundles, one vector a
text, and *rank fusion* of these two (reciprocal ranks, k = 60).
"""

_LOST = "## Not measured"

_DATA = """## The data

The digest is SHA-256 over the files of a set; none of them is kept here.
"""


def page(
    header: str,
    search: Mapping[str, Mapping[str, Any]],
    told: Mapping[str, Mapping[str, Any]],
    digests: Mapping[str, str],
    lost: Mapping[str, Sequence[str]],
) -> str:
    """Return the page: ``search`` by set, ``told`` by table and set, ``digests`` of the sets, and what was ``lost``."""
    lines = [_OPENING.format(header=header)]
    if search:
        lines += _search(search)
    for table in TABLES:
        if table.name in told:
            lines += _section(table, told[table.name])
    if lost:
        lines += [_LOST, "", *(f"- {name}: {each}" for name, said in lost.items() for each in said), ""]
    lines += [_DATA, _row("set", "digest"), _row("---", "---")]
    return "\n".join([*lines, *(_row(name, f"`{digest}`") for name, digest in digests.items())]) + "\n"


def renewed(
    old: str, header: str, search: Mapping[str, Mapping[str, Any]], told: Mapping[str, Mapping[str, Any]]
) -> str:
    """Return the page ``old`` with ``search`` and the tables ``told`` put anew, which say what with; all else stays.

    A table that the page did not have comes before the next of those that it has.
    """
    parts = re.split(r"(?m)^(?=## )", old)
    order = [*(f"## {title}" for title in ("Search", *(table.title for table in TABLES))), _LOST, _DATA.splitlines()[0]]
    sections = [_search(search)] if search else []
    for head, _, *rest in (*sections, *(_section(table, told[table.name]) for table in TABLES if table.name in told)):
        measured = f"This table was measured at another time than the rest: {header}."
        anew = "\n".join([head, "", measured, "", *rest]) + "\n"
        parts = _put(parts, anew, order[order.index(head) + 1 :])
    return "".join(parts)


def _put(parts: Sequence[str], anew: str, later: Sequence[str]) -> list[str]:
    """Return the sections ``parts`` with ``anew`` for the one of its head, or before the first of ``later`` heads."""
    head, *heads = (part.partition("\n")[0] for part in (anew, *parts))
    if head in heads:
        return [anew if each == head else part for each, part in zip(heads, parts, strict=True)]
    place = next((at for at, each in enumerate(heads) if each in later), len(parts))
    return [*parts[:place], anew, *parts[place:]]


def _section(table: Table, figures: Mapping[str, Any]) -> list[str]:
    return [f"## {table.title}", "", table.opening.strip(), "", *_block(table.name, figures), ""]


def _search(figures: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return [*_SEARCH.splitlines(), "", *_searched(figures), "", *_margins(figures), "", *_times(figures), ""]


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


# ---- search


def _searched(figures: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    systems = (*NAMES, WEFT)
    yield _row("set", "questions", "texts", *(f"{name}: {' / '.join(MEASURES)}" for name in systems))
    yield _row(*["---"] * (3 + len(systems)))
    for name, found in figures.items():
        cells = (_cell(found["systems"][system], bold=system == WEFT) for system in systems)
        yield _row(name, str(found["questions"]), str(found["texts"]), *cells)
    yield _row("**mean**", "", "", *(_cell(_mean(figures, each), bold=each == WEFT) for each in systems))


def _cell(measures: Mapping[str, float], *, bold: bool) -> str:
    said = " / ".join(f"{measures[name]:.1f}" for name in MEASURES)
    return f"**{said}**" if bold else said


def _mean(figures: Mapping[str, Mapping[str, Any]], system: str) -> dict[str, float]:
    return {name: sum(found["systems"][system][name] for found in figures.values()) / len(figures) for name in MEASURES}


def _margins(figures: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield from ("Weft less the best of the three beside it, in points:", "")
    for measure in MEASURES:
        margins = {
            name: found["systems"][WEFT][measure] - max(found["systems"][other][measure] for other in NAMES)
            for name, found in figures.items()
        }
        mean = sum(margins.values()) / len(margins)
        below = [f"{name} {margin:+.1f}" for name, margin in margins.items() if margin < 0]
        yield f"- {measure}: {mean:+.1f} on the mean of the sets; below it: {', '.join(below) or 'nowhere'}"


def _times(figures: Mapping[str, Mapping[str, Any]]) -> Sequence[str]:
    lines = [
        "How long a search takes in process, in milliseconds, beside the embedding of the same question alone, taken",
        "just before it; the machine may do other work meanwhile, which falls on both. Where the goals were set a",
        "short question is embedded in 0.7 ms.",
        "",
        _row("set", "search p50", "p95", "embedding p50", "search in embeddings"),
        _row(*["---"] * 5),
    ]
    keys = ("p50", "p95", "embedding", "ratio")
    return lines + [_row(name, *(f"{found['search_ms'][key]:.1f}" for key in keys)) for name, found in figures.items()]


# ---- the rest


def _block(name: str, figures: Mapping[str, Any]) -> Iterator[str]:
    (table,) = [each for each in TABLES if each.name == name]
    yield "```text"
    for data, each in figures.items():
        yield from (line.rstrip() for line in table.rows(data, each))
    yield "```"
    ahead = list(margins(name, figures))
    if ahead:
        yield from ("", "Weft less the best of what stands beside it, in points:", "", *(f"- {line}" for line in ahead))
    lost = list(behind(name, figures))
    if lost:
        yield from ("", "Weft is below:", "", *(f"- {line}" for line in lost))
