"""Data sets as they lie on disk: rows of JSON a line, told apart by which files a folder holds.

``nodes.jsonl`` {id, title, text, scope?, session?}, ``queries.jsonl`` {id, text, relevant[], scope?},
``relations.jsonl`` {source, target, type} and ``pairs.jsonl`` {id, a, b, label | score | duplicate}.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

Row: TypeAlias = "dict[str, Any]"
Half: TypeAlias = Literal["choose", "report", "all"]

FILES = ("nodes", "queries", "relations", "pairs")


@dataclass(frozen=True)
class DataSet:
    """One folder of rows; ``name`` is its path below the folder that was asked for."""

    name: str
    folder: Path

    @cached_property
    def nodes(self) -> list[Row]:
        """The texts; rows that say nothing are left out, as no store would take them."""
        rows = [{"title": "", "text": ""} | row for row in self._rows("nodes")]
        return [row for row in rows if row["text"].strip() or row["title"].strip()]

    @cached_property
    def queries(self) -> list[Row]:
        """The questions that have an answer among the nodes; trick questions about what nobody said are left out."""
        known = {node["id"] for node in self.nodes}
        fair = [row for row in self._rows("queries") if row.get("category") != "adversarial"]
        return [row for row in fair if known.intersection(row["relevant"])]

    @cached_property
    def relations(self) -> list[Row]:
        """What the authors of the texts related."""
        return self._rows("relations")

    @cached_property
    def pairs(self) -> list[Row]:
        """Pairs of texts with a label."""
        return self._rows("pairs")

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

    def _rows(self, name: str) -> list[Row]:
        path = self.folder / f"{name}.jsonl"
        if not path.is_file():
            return []
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def data_sets(folder: Path) -> list[DataSet]:
    """Return every data set at or below ``folder``, by name."""
    found = {path.parent for name in FILES for path in folder.rglob(f"{name}.jsonl")}
    return [DataSet(name=str(path.relative_to(folder)), folder=path) for path in sorted(found)]


def half(rows: list[Row], which: Half) -> list[Row]:
    """Return the rows that choices are made on, those that are reported, or all.

    Where rows are split into dev (or train) and test, that is the border; where they are not, the even rows are chosen
    on and the odd ones reported.
    """
    if which == "all":
        return rows
    splits = {row.get("split", "") for row in rows}
    if "test" in splits and len(splits) > 1:
        return [row for row in rows if (row.get("split") == "test") == (which == "report")]
    return rows[0 if which == "choose" else 1 :: 2]
