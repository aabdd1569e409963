"""The SQL: named, explained, and never walking through a table to find a few rows."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from weft.model import Filter, Scope, Tier
from weft.store import open_sqlite
from weft.store.filters import where
from weft.store.statements import names, statement
from weft.testing.making import DIMENSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.store import Opened

ENTRY = re.compile(r"^-- name: (\w+)\n((?:-- [^\n]*\n)+)", re.MULTILINE)

# What reads a whole table because a whole table is what was asked for.
WHOLE = {
    "nodes_found": "a page; without a condition, along the ids from the newest (see below)",
    "nodes_counted": "a count under conditions that no index answers",
    "nodes_past": "everything that stood at a time",
    "tally_values": "all tallies: as many rows as there are kinds of things",
    "tally_counted": "likewise",
    "meta_values": "all facts: three rows",
    "series_values": "all series: one row a day at most",
    "sizes": "counts of whole tables",
    "suggestions_counted": "a count without a condition",
    "suggestions_found": "a page without a condition",
    "batches_by_prefix": "a walk along an index that ends at the limit",
    "relation_pairs": "the whole graph, for its shape",
    "usage_tallies": "all tallies",
}

TABLES = ("node", "relation", "source", "evidence", "suggestion", "vote", "receipt", "change", "series", "passage")
TABLES += ("term", "tag", "reference", "name", "mention", "suggestion_subject", "made", "last")
SCAN = re.compile(rf"^SCAN ({'|'.join(TABLES)})\b")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """An empty graph: the plans do not depend on what is in it."""
    path: Path = tmp_path_factory.mktemp("plans") / "graph.db"
    graph = open_sqlite(path, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)
    yield graph
    graph.close()


def plan(graph: Opened, name: str, where: tuple[str, ...] = ()) -> list[str]:
    """Return the engine's plan of a query, whatever it binds."""
    bound = dict.fromkeys(re.findall(r"(?<!:):([a-z_]+)", statement(name, where)), "[]")
    with graph.database.snapshot() as reader:
        return reader.plan(name, where=where, **bound)


def reads() -> list[str]:
    """Return the names of all entries that are whole queries on the graph."""
    return [name for name in names() if re.match(r"SELECT|WITH", statement(name)) and not name.startswith("usage_")]


@pytest.mark.parametrize("name", [name for name in reads() if name not in WHOLE])
def test_a_look_up_goes_through_an_index(graph: Opened, name: str) -> None:
    """No step of the plan walks through a table of the graph."""
    scans = [step for step in plan(graph, name) if SCAN.match(step)]
    assert not scans or name == "change_head", scans  # the last row, from the end of the table


@pytest.mark.parametrize(
    ("wanted", "index"),
    [
        (Filter(kinds=("claim",)), "node_by_kind (kind=?)"),
        (Filter(ontologies=("main",)), "node_by_ontology (ontology=?)"),
        (Filter(status="needs_review"), "node_by_status (status=?)"),
        (Filter(session="noon"), "node_by_session (session=?)"),
        (Filter(learned_id="l"), "node_by_learned (learned_id=?)"),
        (Filter(scope=Scope.LEARNED), "node_learned"),
        (Filter(within=("a",)), "sqlite_autoindex_node_1 (id=?)"),
        (Filter(tags=("a",)), "INTEGER PRIMARY KEY (rowid=?)"),
        (Filter(), "sqlite_autoindex_node_1"),
    ],
    ids=str,
)
def test_a_filter_starts_from_what_it_names(graph: Opened, wanted: Filter, index: str) -> None:
    """A page comes from the index of the narrowest field; without one, along the ids from the newest."""
    steps = plan(graph, "nodes_found", where(wanted).parts)
    assert any(f"node USING INDEX {index}" in step or f"node USING {index}" in step for step in steps), steps


def test_a_page_needs_no_sorting_where_an_index_is_in_order(graph: Opened) -> None:
    """So that the first page costs what it shows."""
    for wanted in (Filter(), Filter(kinds=("claim",)), Filter(ontologies=("main",)), Filter(scope=Scope.LEARNED)):
        assert not any("TEMP B-TREE" in step for step in plan(graph, "nodes_found", where(wanted).parts))


def test_every_entry_is_named_once_and_explained_in_a_sentence() -> None:
    """A second entry of the same name would silently win."""
    texts = [
        file.read_text("utf-8") for file in (files("weft.store") / "queries").iterdir() if file.name.endswith(".sql")
    ]
    entries = [entry for text in texts for entry in ENTRY.findall(text)]
    assert sorted(name for name, _ in entries) == sorted(names())
    assert all(re.fullmatch(r"-- [A-Z].*\.\n", comment, re.DOTALL) for _, comment in entries), entries
    assert sum(text.count("-- name: ") for text in texts) == len(entries)


def test_no_entry_is_left_unused() -> None:
    """Each name stands in the code or in another entry."""
    folder = files("weft.store")
    code = "\n".join(file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".py"))
    sql = "\n".join(file.read_text("utf-8") for file in (folder / "queries").iterdir() if file.name.endswith(".sql"))
    for name in names():
        composed = (name.startswith("if_") and 'f"if_{' in code) or f'"{name.removesuffix("_then")}"' in code
        assert f'"{name}"' in code or f"{{{{{name}}}}}" in sql or composed, name


def test_values_never_become_sql() -> None:
    """What a caller names are entries; anything else has no SQL."""
    with pytest.raises(KeyError):
        statement("nodes_found", ("node.id = '' OR true",))
    with pytest.raises(KeyError):
        statement("DROP TABLE node")
