"""What people ask of documents, in words of their own: does the document that answers come first?

``asked.jsonl`` holds, for 299 documents of four public collections, a *question* of somebody who knows the matter and
not the wording, a *task* of an agent for which the document is the one to read first, and a *request* of two to four
words. A language model that had read the document wrote them, each by itself; no word of theirs need be in it. Those of
every other document are kept for reporting. The numbers by which documents name each other are masked. The anchors rank
the whole documents.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from excerpts import among, answered
from sets import half

if TYPE_CHECKING:
    from anchors import Anchors
    from sets import DataSet, Half, Row

WRITTEN = Path(__file__).with_name("asked.jsonl")
AMONG = 5


def measured(data: DataSet, which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    """Return for each form how often each system has the document first, and among the first five, in percent."""
    figures: dict[str, Any] = {}
    for form, asked in _asked(data, which).items():
        found = answered(data, asked, anchors, keep)
        for name, most in (("first", 1), ("five", AMONG)):
            figures[f"{form}, {name}"] = among(asked, found, most)
    return {"asked": figures} if figures else {}


def _asked(data: DataSet, which: Half) -> dict[str, list[tuple[str, str]]]:
    """Return by form the documents of the set that something is asked of, and what."""
    known = {row["id"] for row in data.nodes}
    forms: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in half(_written(), which):
        if row["document"] in known:
            forms[row["form"]].append((row["document"], row["text"]))
    return forms


@cache
def _written() -> list[Row]:
    return [json.loads(line) for line in WRITTEN.read_text(encoding="utf-8").splitlines()]
