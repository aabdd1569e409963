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
    "meta_values": "all facts: four rows",
    "series_values": "all series: one row a day at most",
    "sizes": "counts of whole tables",
    "suggestions_counted": "a count without a condition",
    "suggestions_found": "a page without a condition",
    "batches_by_prefix": "a walk along an index that ends at the limit",
    "relation_pairs": "the whole graph, for its shape",
    "best_related": "a comparison of all nodes that meet the conditions; none: along the ids from the newest",
    "relations_paged": "a page; without a type, along the ids from the newest (see below)",
    "learned_ever": "once an import: which learned ids were used is in no index",
    "usage_tallies": "all tallies",
    "ontologies_counted": "all tallies",
    "nodes_unjoined": "once a pruning: what nothing joins is in no index",
    "relations_dangling": "likewise",
    "evidence_loose": "likewise",
    "evidence_of_forgotten": "likewise",
    "suggestions_moot": "once a pruning: the open suggestions, by their state",
    "handles_retired": "once an import: who left the graph is in no index",
    "passages_wordless": "once a look of the doctor: all passages",
    "changes_said": "once an erasing: the whole log",
    "receipts_after": "likewise, all receipts",
    "passage_rows": "likewise: the passages of a node that ended too",
    "mentions_named": "likewise, all names that are mentioned",
    "vectors_sampled": "once a calibration, or a look of the doctor: a sample of the whole graph",
    **dict.fromkeys(
        (name for name in names() if name.endswith(("_kept", "_due", "_amiss", "_hashed"))),
        "once a look of the doctor: the whole graph",
    ),
    **dict.fromkeys(
        ("passages_lacking", "passages_surplus", "passages_counted", "log_ends", "log_breaks", "log_unheld"),
        "likewise",
    ),
    "names_left": "likewise: who left the graph is in no index",
    "nodes_spread": "likewise: a sample of the whole graph",
    "nodes_standing": "likewise: how many there are",
}

TABLES = ("node", "relation", "source", "evidence", "suggestion", "vote", "receipt", "change", "series", "passage")
TABLES += ("term", "tag", "reference", "name", "mention", "suggestion_subject", "made", "last")
# What PostgreSQL 15 does not know, though those do that the tests nearly always run on.
LATER = re.compile(
    r"\bIS (?:NOT )?JSON\b|\b(?:any_value|pg_input_is_valid|random_normal|json_(?:table|value|query|exists|scalar)|"
    r"uuidv7|casefold|array_(?:sort|reverse|shuffle|sample))\(|\bRETURNING (?:old|new)\b",
    re.IGNORECASE,
)
BEGUN = re.compile(r"(?<!DISTINCT )\b(?:FROM|JOIN) \(")
NAMED = re.compile(
    r"\s*(?:AS )?(?!(?:ON|WHERE|EXCEPT|UNION|INTERSECT|GROUP|ORDER|LIMIT|JOIN|LEFT|CROSS)\b)[a-z]\w*", re.IGNORECASE
)

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


def test_relations_of_a_type_are_paged_along_an_index_and_those_of_a_node_from_its_end(graph: Opened) -> None:
    """A page costs what it shows, however many relations there are of the type; a node's never begin with the type."""
    steps = plan(graph, "relations_paged", ("if_of_type",))
    assert any("relation USING COVERING INDEX relation_by_type (type=?)" in step for step in steps), steps
    for name in ("relations_of_node", "relations_of_node_counted"):
        steps = plan(graph, name, ("if_also_of_type",))
        assert not any("relation_by_type" in step for step in steps), steps
        assert sum("relation_by_source (source=?)" in step or "relation_by_target (target=?)" in step for step in steps)
    assert not any("relation_by_type" in step for step in plan(graph, "relations_touching", ("if_type",)))


def said() -> list[str]:
    """Return the text of every file of entries that this engine reads: those of both, and its own."""
    shared = files("weft.store") / "queries"
    folders = (shared, shared / "sqlite")
    return [file.read_text("utf-8") for folder in folders for file in folder.iterdir() if file.name.endswith(".sql")]


def test_every_entry_is_named_once_and_explained_in_a_sentence() -> None:
    """A second entry of the same name would silently win."""
    texts = said()
    entries = [entry for text in texts for entry in ENTRY.findall(text)]
    assert sorted(name for name, _ in entries) == sorted(names())
    assert all(re.fullmatch(r"-- [A-Z].*\.\n", comment, re.DOTALL) for _, comment in entries), entries
    assert sum(text.count("-- name: ") for text in texts) == len(entries)


def test_no_entry_is_left_unused() -> None:
    """Each name stands in the code or in another entry."""
    folder = files("weft.store")
    code = "\n".join(file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".py"))
    sql = "\n".join(said())
    for name in names():
        composed = (name.startswith("if_") and 'f"if_{' in code) or f'"{name.removesuffix("_then")}"' in code
        assert f'"{name}"' in code or f"{{{{{name}}}}}" in sql or composed, name


def test_values_never_become_sql() -> None:
    """What a caller names are entries; anything else has no SQL."""
    with pytest.raises(KeyError):
        statement("nodes_found", ("node.id = '' OR true",))
    with pytest.raises(KeyError):
        statement("DROP TABLE node")


def nameless(sql: str) -> list[str]:
    """Return what follows each subquery among the tables of a statement that has no name."""
    found = []
    for begun in BEGUN.finditer(sql):
        depth, at = 1, begun.end()
        while depth:
            depth, at = depth + (sql[at] == "(") - (sql[at] == ")"), at + 1
        found += [] if NAMED.match(sql, at) else [sql[at : at + 20]]
    return found


@pytest.mark.parametrize("name", names("postgres"))
def test_nothing_is_said_that_the_oldest_postgresql_does_not_understand(name: str) -> None:
    """Before 16 every subquery among tables has a name, and some words and functions came later still."""
    sql = statement(name, (), "postgres")
    assert LATER.findall(sql) == []
    assert nameless(sql) == []


@pytest.mark.parametrize(
    ("sql", "count"),
    [
        ("SELECT count(*) FROM (SELECT 1 EXCEPT SELECT 2)", 1),
        ("SELECT (SELECT count(*) FROM (SELECT (1)) AS one), 2", 0),
        ("SELECT * FROM (SELECT 1 FROM (SELECT 2)) one WHERE (a, b) IS DISTINCT FROM (c, d)", 1),
        ("SELECT * FROM (SELECT 1) WHERE true", 1),
    ],
)
def test_a_subquery_without_a_name_is_seen(sql: str, count: int) -> None:
    """The twin of the test above."""
    assert len(nameless(sql)) == count
