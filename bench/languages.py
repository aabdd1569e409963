"""Search in other languages than English: sentences found by words that stand in them, and by other forms of these.

    pip download --no-deps django && unzip -q Django-*.whl -d catalogs
    python bench/languages.py catalogs [--languages zh_Hans,ja,ru] [--network-alone]

Reads catalogs of translated messages (gettext, ``…/LANGUAGE/LC_MESSAGES/*.mo``), as Django ships them for a hundred
languages. Each language is a graph of its own, a node a message. Asked for are two words that stand side by side in one
(four characters where there are no spaces), and single words of which another form (the same five first letters) stands
in what is wanted. ``--network-alone`` leaves out the letters of :mod:`weft.embed.spelling`. Printed: the share of the
messages with these words among the first five, by words and meaning and by meaning alone; the share of those with the
other form among the first twenty; and how many of random pairs of messages lie at a similarity of 0.70 or more.
"""

from __future__ import annotations

import argparse
import gettext
import itertools
import random
import re
import tempfile
from collections import defaultdict
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

import numpy as np

import weft
from weft.embed.minilm import MiniLM
from weft.model import CaptureRequest, Page, SearchRequest
from weft.text import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from weft.graph import Graph

LANGUAGES = "zh_Hans,ja,ko,th,ru,uk,el,hi,ar,hy,ka,de,fr,es,it,pt,nl,sv,da,nb,fi,pl,cs,ro,hu,tr,id,ca"
PACKED = frozenset({"zh_Hans", "zh_Hant", "ja", "th"})
ASKED = 120
PLACEHOLDER = re.compile(r"%\(\w+\)s|%[sd]|\{\w+\}")
PREFIX, FORM_MIN = 5, 6  # letters that two forms share, and the shortest that is one


def main() -> None:
    """Print one line a language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("catalogs", type=Path)
    parser.add_argument("--languages", default=LANGUAGES)
    parser.add_argument("--network-alone", action="store_true")
    options = parser.parse_args()
    print(f"{'':10}{'messages':>9}{'words':>8}{'meaning':>9}{'forms':>8}{'pairs at 0.70':>15}   percent")
    for language in options.languages.split(","):
        messages = read(options.catalogs, language)
        with network_alone() if options.network_alone else nullcontext():
            print(line(language, messages), flush=True)


def network_alone() -> AbstractContextManager[object]:
    """Return a time in which every text counts as read by the network."""
    return mock.patch("weft.embed.minilm.understood", return_value=1.0)


def read(catalogs: Path, language: str) -> list[str]:
    """Return the translated messages of a language that say something, without placeholders."""
    found = set()
    for path in sorted(catalogs.rglob(f"{language}/LC_MESSAGES/*.mo")):
        with path.open("rb") as file:
            said = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]  # noqa: SLF001 - no other way
        found |= {
            " ".join(PLACEHOLDER.sub("", each).split()) for key, each in said.items() if key and isinstance(each, str)
        }
    shortest = 8 if language in PACKED else 20
    return sorted(each for each in found if len(each) >= shortest)


def line(language: str, messages: Sequence[str]) -> str:
    """Return the figures of one language."""
    drawn = random.Random(5)
    with tempfile.TemporaryDirectory() as folder, weft.open(str(Path(folder) / "graph.db")) as graph:
        for message in messages:
            graph.capture.capture(CaptureRequest(content=message, kind="claim"), graph.call("capture"))
        questions = [(query, holding(query, messages)) for query in asked(language, messages, drawn)]
        forms = list(other_forms(messages, drawn))
        words, meaning = (mean(found(graph, *each, mode=mode) for each in questions) for mode in ("hybrid", "semantic"))
        moved = mean(found(graph, *each, limit=20) for each in forms) if forms else float("nan")
    return f"{language:10}{len(messages):9}{words:8.1f}{meaning:9.1f}{moved:8.1f}{alike(messages, drawn):15.1f}"


def asked(language: str, messages: Sequence[str], drawn: random.Random) -> Iterator[str]:
    """Yield what stands side by side in messages that are drawn."""
    for message in drawn.sample(messages, min(ASKED, len(messages))):
        held = list(message) if language in PACKED else message.split()
        size, joint = (4, "") if language in PACKED else (2, " ")
        start = drawn.randrange(max(1, len(held) - size))
        if any(map(str.isalpha, query := joint.join(held[start : start + size]).strip())):
            yield query


def other_forms(messages: Sequence[str], drawn: random.Random) -> Iterator[tuple[str, set[str]]]:
    """Yield words, each with the messages that hold another form of it."""
    holders, alike_ = defaultdict(set), defaultdict(set)
    for message in messages:
        for term in terms(message):
            if len(term) >= FORM_MIN:
                holders[term].add(message)
                alike_[term[:PREFIX]].add(term)
    pairs = [pair for some in alike_.values() for pair in itertools.permutations(sorted(some), 2)]
    for one, other in drawn.sample(pairs, min(ASKED, len(pairs))):
        yield one, holders[other]


def holding(query: str, messages: Sequence[str]) -> set[str]:
    """Return the messages that hold ``query``."""
    return {message for message in messages if query in message}


def found(graph: Graph, query: str, wanted: set[str], *, mode: str = "hybrid", limit: int = 5) -> float:
    """Return the share of what is wanted (of as many of it as there are places) among the first ``limit`` hits."""
    request = SearchRequest(query=query, mode=mode, page=Page(limit=limit))
    hits = {hit.node.content for hit in graph.recall.search(request, graph.call("search")).hits}
    return len(hits & wanted) / min(limit, len(wanted))


def alike(messages: Sequence[str], drawn: random.Random) -> float:
    """Return how many percent of 2,000 random pairs of messages lie at a similarity of 0.70 or more."""
    model = MiniLM(threads=2)
    vectors = model.embed(messages)
    pairs = np.array([drawn.sample(range(len(messages)), 2) for _ in range(2_000)])
    cosines = np.einsum("ij,ij->i", vectors[pairs[:, 0]], vectors[pairs[:, 1]])
    return 100 * float(np.mean(cosines >= model.calibration.cosine(0.70)))


def mean(values: Iterable[float]) -> float:
    """Return a mean in percent."""
    return 100 * float(np.mean(list(values)))


if __name__ == "__main__":
    main()
