"""Any text at all is a query: what people type, and what nobody would."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING

import pytest

from engine import graph_at
from weft.graph import open as open_graph
from weft.settings import Settings
from weft.tools.gate import call, caller_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.graph import Graph

MODES = ("hybrid", "semantic", "keyword")
EVERYDAY = (
    "C++", "C#", "node.js", "don't", '"quoted', "a AND", "日本語", "naïve", "2024-01-02", "what is X?", "foo:bar",
    "(paren", "*", "^caret", "-minus", "NEAR(a b)", "col:val", "100%", "user@example.com", "https://a.b/c?d=e",
    "file_name.py", "$HOME", "🎉", "'single'", "semi;colon", "back\\slash", "tab\tand\nnewline", "ÀÉ ﬁ", "İstanbul",
)  # fmt: skip
RANGES = ((0x20, 0x7F), (0x20, 0x7F), (0xA0, 0x36F), (0x3040, 0x9FFF), (0x1F300, 0x1FAFF), (1, 0xD7FF))
SHARES = {"hybrid": 1_000, "semantic": 1_000, "keyword": 8_000}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    """A graph that holds every everyday query as a text."""
    folder: Path = tmp_path_factory.mktemp("queries")
    with open_graph(graph_at(folder / "g.db"), settings=Settings(actor="ada")) as opened:
        for query in EVERYDAY:
            arguments = {"content": f"Somebody once asked about {query} and was told.", "kind": "claim"}
            call(opened, "capture", arguments, caller_of(opened.settings, client="test"))
        yield opened


def _search(graph: Graph, query: str, mode: str) -> list[dict[str, object]]:
    answer = call(graph, "search", {"query": query, "mode": mode}, caller_of(graph.settings, client="test"))
    hits: list[dict[str, object]] = answer["hits"]
    return hits


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("query", EVERYDAY)
def test_an_everyday_query_is_answered_in_every_mode(graph: Graph, query: str, mode: str) -> None:
    """Punctuation, operators of other languages and other scripts are text."""
    assert len(_search(graph, query, mode)) <= 10


@pytest.mark.parametrize(
    "query", ["C++", "node.js", "日本語", "naïve", "file_name.py", "user@example.com", "NEAR(a b)"]
)
def test_an_everyday_query_finds_the_text_that_holds_it(graph: Graph, query: str) -> None:
    """It is not only taken without an error: it finds."""
    assert any(query in str(hit["title"]) for hit in _search(graph, query, "keyword")[:3])


@pytest.mark.parametrize("mode", MODES)
def test_random_strings_are_answered(graph: Graph, mode: str) -> None:
    """Ten thousand strings of any characters, over all modes, raise nothing; and a blank one lists the newest."""
    seed = random.randrange(sys.maxsize)
    print(f"seed {seed}")  # noqa: T201 - shown when the test fails
    dice = random.Random(seed)
    for _ in range(SHARES[mode]):
        query = "".join(chr(_character(dice)) for _ in range(dice.randrange(1, 40)))
        _search(graph, query, mode)


def _character(dice: random.Random) -> int:
    first, last = dice.choice(RANGES)
    return dice.randint(first, last)
