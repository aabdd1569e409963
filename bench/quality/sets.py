"""Data sets as they lie on disk: rows of JSON a line, told apart by which files a folder holds.

``nodes.jsonl`` {id, title, text, scope?, session?}, ``queries.jsonl`` {id, text, relevant[], scope?},
``relations.jsonl`` {source, target, type}, ``pairs.jsonl`` {id, a, b, label | score | duplicate} and, of pairs that
only look alike, ``claim_counterclaim.jsonl``. Ids are compared as strings. What no store would take (an empty text, a
row without an id, half a character) is left out or cut, for everybody alike, and told by ``left_out``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

from weft.vocabulary import CONTENT_MAX, NAME_MAX, QUERY_MAX, SESSION_MAX

Row: TypeAlias = "dict[str, Any]"
Half: TypeAlias = Literal["choose", "report", "all", "even", "odd"]

TRAP = "claim_counterclaim"
FILES = ("nodes", "queries", "relations", "pairs", TRAP)
LONGEST = {"a": CONTENT_MAX, "b": QUERY_MAX}  # a claim is asked, the other text is captured
NAMES = {"scope": NAME_MAX, "session": SESSION_MAX, "collection": NAME_MAX, "vault": NAME_MAX, "sig": NAME_MAX}
NAMES |= {"domain": NAME_MAX, "ontology": NAME_MAX}
LABELS = ("contradiction", "entailment", "neutral")
SCORES = {"score", "relatedness", "duplicate"}
OTHER: dict[Half, Half] = {"choose": "report", "report": "choose", "even": "odd", "odd": "even"}


@dataclass(frozen=True)
class DataSet:
    """One folder of rows; ``name`` is its path below the folder that was asked for."""

    name: str
    folder: Path
    left_out: Counter[str] = field(default_factory=Counter, compare=False)

    @cached_property
    def nodes(self) -> list[Row]:
        """The texts; of rows with the same id the first."""
        found: dict[str, Row] = {}
        for row in self._rows("nodes"):
            row |= {name: _text(row.get(name))[:CONTENT_MAX] for name in ("title", "text")}
            if not row.get("id") or not (row["text"].strip() or row["title"].strip()):
                self.left_out["texts that say nothing or have no id"] += 1
            elif found.setdefault(row["id"], row) is not row:
                self.left_out["texts with the id of another"] += 1
        return list(found.values())

    @cached_property
    def queries(self) -> list[Row]:
        """The questions that have an answer among the nodes; trick questions about what nobody said are left out."""
        known = {node["id"]: node.get("scope", "") for node in self.nodes}
        scoped = any(known.values())
        found: dict[str, Row] = {}
        for row in self._rows("queries"):
            row |= {"text": _text(row.get("text"))[:QUERY_MAX], "relevant": _ids(row.get("relevant"))}
            if row.get("category") == "adversarial":
                continue
            if not scoped:
                row.pop("scope", None)
            held = [known[id_] for id_ in row["relevant"] if id_ in known]
            fair = row.get("scope") in held if row.get("scope") else bool(held)
            if not row.get("id") or not row["text"].strip() or not fair:
                self.left_out["questions without a text, an id or an answer among the texts"] += 1
            elif found.setdefault(row["id"], row) is not row:
                self.left_out["questions with the id of another"] += 1
        return list(found.values())

    @cached_property
    def relations(self) -> list[Row]:
        """What the authors of the texts related."""
        rows = self._rows("relations")
        whole = [row | {"type": _text(row.get("type"))} for row in rows if row.get("source") and row.get("target")]
        self.left_out["relations without both ends"] += len(rows) - len(whole)
        return whole

    @cached_property
    def pairs(self) -> list[Row]:
        """Pairs of texts with a label."""
        kept = self._pairs("pairs")
        judged = [row for row in kept if row.get("label") in LABELS or SCORES & row.keys()]
        self.left_out["pairs without a label or score that is known"] += len(kept) - len(judged)
        return judged

    @cached_property
    def trap(self) -> list[Row]:
        """Pairs that look alike and say the opposite."""
        return self._pairs(TRAP)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all its files, in hex."""
        said = hashlib.sha256()
        for name in FILES:
            path = self.folder / f"{name}.jsonl"
            if path.is_file():
                said.update(name.encode() + path.read_bytes())
        return said.hexdigest()

    def holds(self, *names: str) -> bool:
        """Return whether it has these files."""
        return all((self.folder / f"{name}.jsonl").is_file() for name in names)

    def _pairs(self, name: str) -> list[Row]:
        rows = [row | {"id": row.get("id", "")} for row in self._rows(name)]
        for row in rows:
            row |= {end: _text(row.get(end))[:longest] for end, longest in LONGEST.items()}
            if "label" in row:
                row["label"] = _text(row["label"]).strip().lower()
        whole = [row for row in rows if row["a"].strip() and row["b"].strip()]
        self.left_out["pairs without two texts"] += len(rows) - len(whole)
        return whole

    def _rows(self, name: str) -> list[Row]:
        path = self.folder / f"{name}.jsonl"
        found: list[Row] = []
        if not path.is_file():
            return found
        for line in path.read_text(encoding="utf-8-sig", errors="replace").split("\n"):  # U+2028 may stand in a text
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if isinstance(row, dict):
                found.append(_plain(row))
            else:
                self.left_out[f"lines of {name}.jsonl that are no row"] += 1
        return found


def data_sets(folder: Path) -> list[DataSet]:
    """Return every data set at or below ``folder``, by name."""
    found = {
        Path(here)
        for here, folders, files in os.walk(folder, followlinks=True)
        if not folders.sort() and any(f"{name}.jsonl" in files for name in FILES)  # type: ignore[func-returns-value]
    }
    named = {path: path.relative_to(folder).as_posix() for path in sorted(found)}
    return [DataSet(folder.resolve().name if name == "." else name, path) for path, name in named.items()]


def unknown(folder: Path) -> list[str]:
    """Return the folders below ``folder`` with rows of no form that is known, as those of ``paths``."""
    found = {path.parent for path in folder.rglob("*.jsonl")} - {data.folder for data in data_sets(folder)}
    return sorted(path.relative_to(folder).as_posix() for path in found)


def half(rows: list[Row], which: Half) -> list[Row]:
    """Return the rows that choices are made on, those that are reported, or all.

    Where rows are split into dev (or train) and test, that is the border, also where all of them are for the test;
    where they are not, the even rows are chosen on and the odd ones reported.
    """
    if which == "all":
        return rows
    if which in {"choose", "report"} and any(row.get("split") == "test" for row in rows):
        return [row for row in rows if (row.get("split") == "test") == (which == "report")]
    return rows[0 if which in {"choose", "even"} else 1 :: 2]


def parts(rows: list[Row], which: Half) -> tuple[Half, ...]:
    """Return the halves that make up ``which``, each of which something may be fitted for on the ``OTHER``."""
    if which != "all" and half(rows, OTHER[which]):
        return (which,)
    both: tuple[Half, ...] = ("choose", "report")
    return both if which == "all" and all(half(rows, each) for each in both) else ("even", "odd")


def _plain(row: Row) -> Row:
    """Return a row without what is null, its ids and names as strings that a store takes."""
    kept = {name: value for name, value in row.items() if value is not None}
    for name in ("id", "source", "target", *NAMES):
        if name in kept:
            kept[name] = _text(kept[name])[: NAMES.get(name)]
    for name in SCORES & kept.keys():
        try:
            kept[name] = float(kept[name])
        except (TypeError, ValueError):
            del kept[name]
    return kept


def _text(value: object) -> str:
    """Return a value as text; half of a surrogate pair becomes a question mark."""
    return "" if value is None else str(value).encode("utf-8", "replace").decode("utf-8")


def _ids(value: object) -> list[str]:
    return [_text(each) for each in value] if isinstance(value, list) else []
