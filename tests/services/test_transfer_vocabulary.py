"""A graph's own kinds and relation types travel with what is written in them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from services.travel import lay, port
from weft.model import ExportRequest, RemoveRelation, SaveNode, Tier
from weft.services.registering import register
from weft.testing.making import a_batch, a_node, changed, joined, retired, saved
from weft.vocabulary import Kind, RelationType, entry_of, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from services.travel import Port
    from weft.vocabulary import Row

RECIPE = Kind(name="recipe", plural="recipes", family="practice", meaning="how a dish is made", exemplars=("Stir it.",))
PAIRS = RelationType(
    name="pairs", family="likeness", inverse="pairs", symmetric=True, meaning="the two are served together"
)
FOLLOWS_UP = RelationType(name="follows_up", family="order", inverse="followed_up_by", meaning="it was cooked next")


def known(to: Port, *rows: Row) -> None:
    """Register ``rows``."""
    for row in rows:
        register(row, to.opened.store.vocabulary, config=to.opened.config, call=to.call())


@pytest.fixture
def kitchen(tmp_path: Path) -> Iterator[Port]:
    """A graph with a kind and a type of its own, and a node and a relation of each."""
    with port(tmp_path / "kitchen.db") as graph:
        known(graph, RECIPE, PAIRS)
        soup, bread = (a_node(title, kind="recipe") for title in ("Soup", "Bread"))
        graph.opened.store.commit(a_batch(saved(soup), saved(bread), joined(soup, bread, type="pairs")))
        yield graph


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Port]:
    """An empty graph."""
    with port(tmp_path / "guest.db") as graph:
        yield graph


def test_a_lossless_copy_brings_the_vocabulary_along(kitchen: Port, guest: Port, tmp_path: Path) -> None:
    """The rows stand before everything that is written in them, and the same bytes come out again."""
    lay(tmp_path, {"a.jsonl": kitchen.text()})
    report = guest.bring(tmp_path / "a.jsonl", "jsonl")
    assert report.unread_total == 0
    assert guest.opened.store.vocabulary.own == kitchen.opened.store.vocabulary.own
    assert guest.text() == kitchen.text()


def test_without_its_rows_what_is_written_in_them_stays_out(kitchen: Port, guest: Port, tmp_path: Path) -> None:
    """The twin of the test above: the lines are refused by number, and nothing of them is written."""
    lay(tmp_path, {"a.jsonl": kitchen.text()})
    lines = (tmp_path / "a.jsonl").read_text().splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(('{"kind"', '{"relation_type"'))]
    assert len(kept) == len(lines) - 2
    report = guest.bring(lay(tmp_path, {"b.jsonl": "".join(kept)}) / "b.jsonl", "jsonl")
    assert "kind 'recipe' is not known" in report.unread[0].reason
    assert not guest.standing()


@pytest.fixture
def former(kitchen: Port) -> Port:
    """The same graph once what was of its kind and type is forgotten, and both are taken away."""
    store = kitchen.opened.store
    soup, bread = kitchen.node("Soup"), kitchen.node("Bread")
    (relation,) = store.relations((soup.id,))
    store.commit(a_batch(RemoveRelation(id=relation.id, expect=relation.version)))
    store.commit(a_batch(SaveNode(node=retired(soup), expect=soup.version)))
    store.commit(a_batch(SaveNode(node=changed(bread, kind="concept"), expect=bread.version)))
    for row in (RECIPE, PAIRS):
        assert kitchen.opened.config.withdraw(key_of(row), tier=Tier.CURATOR) == 0
    store.vocabulary.refresh()
    return kitchen


@pytest.mark.parametrize("dry_run", [False, True])
def test_what_was_of_a_kind_that_was_taken_away_is_copied_too(
    former: Port, guest: Port, tmp_path: Path, *, dry_run: bool
) -> None:
    """The log keeps its name, and the copy the log; nobody registers it again, and the same bytes come out."""
    lay(tmp_path, {"a.jsonl": former.text()})
    report = guest.bring(tmp_path / "a.jsonl", "jsonl", dry_run=dry_run)
    assert [each.reason for each in report.unread] == []
    assert not guest.opened.store.vocabulary.own.rows
    assert guest.standing().keys() == (set() if dry_run else {"Bread"})
    assert dry_run or guest.text() == former.text()


def test_a_name_that_was_taken_away_is_told_once_before_what_is_written_in_it(former: Port) -> None:
    """Where it is still registered, its row says more."""
    keys = [(*json.loads(line).items(),)[0] for line in former.text().splitlines()]
    told = [said for key, said in keys if key == "former"]
    assert told == [{"kind": "recipe"}, {"relation_type": "pairs"}]
    assert [key for key, _ in keys][1] == "former"
    known(former, RECIPE, PAIRS)
    assert '"former"' not in former.text()


@pytest.mark.parametrize(
    "said", ['{"kind":"No name\\u202e"}', '{"kind":7}', '{"claim":"recipe"}', "{}", "[]", '"recipe"']
)
def test_a_former_name_that_is_none_is_told(guest: Port, tmp_path: Path, said: str) -> None:
    """No free text becomes a kind by that way."""
    text = '{"weft":1}\n{"former":' + said + '}\n{"end":{"weft":1}}\n'
    (told,) = guest.bring(lay(tmp_path, {"a.jsonl": text}) / "a.jsonl", "jsonl").unread
    assert "former" in told.reason


def test_a_trial_run_knows_the_rows_and_registers_none(kitchen: Port, guest: Port, tmp_path: Path) -> None:
    """It says what an import would do, and the graph is as it was."""
    lay(tmp_path, {"a.jsonl": kitchen.text()})
    report = guest.bring(tmp_path / "a.jsonl", "jsonl", dry_run=True)
    assert (report.nodes_made, report.unread_total) == (2, 0)
    assert guest.opened.store.vocabulary.own.rows == ()


def test_a_row_that_is_registered_otherwise_is_told_and_left(kitchen: Port, guest: Port, tmp_path: Path) -> None:
    """What a name means here is not changed from outside; what is written in it comes in all the same."""
    known(guest, replace(RECIPE, meaning="what a doctor prescribes"))
    lay(tmp_path, {"a.jsonl": kitchen.text()})
    report = guest.bring(tmp_path / "a.jsonl", "jsonl")
    assert ["registered here otherwise" in each.reason for each in report.unread] == [True]
    assert guest.opened.store.vocabulary.kind("recipe").meaning == "what a doctor prescribes"
    assert {node.kind for node in guest.standing().values()} == {"recipe"}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (entry_of(replace(RECIPE, name="decision")), "is a standard kind"),
        (entry_of(replace(RECIPE, name="../up")), "is no name"),
        ('{"name": "recipe"}', "missing"),
        ("[]", "malformed"),
        ('"recipe"', "malformed"),
    ],
)
def test_a_row_that_cannot_be_registered_is_told(guest: Port, tmp_path: Path, said: str, why: str) -> None:
    """By the number of its line, with what is the matter."""
    text = f'{{"weft": 1}}\n{{"kind": {said}}}\n{{"end": {{"weft": 1}}}}\n'
    report = guest.bring(lay(tmp_path, {"a.jsonl": text}) / "a.jsonl", "jsonl")
    assert report.unread[0].line == 2
    assert why in report.unread[0].reason
    assert guest.opened.store.vocabulary.own.rows == ()


def test_notes_and_tables_of_others_are_read_with_the_graphs_own_names(kitchen: Port, tmp_path: Path) -> None:
    """A kind in front matter and a relation seen from its other end mean what the graph registered."""
    known(kitchen, FOLLOWS_UP)
    notes = {"Stew.md": "---\ntype: Recipe\n---\nStew it.\n", "Pie.md": "---\ntype: pudding\n---\nBake it.\n"}
    kitchen.bring(lay(tmp_path / "notes", notes), "obsidian")
    kinds = {node.title: (node.kind, node.tags) for node in kitchen.standing().values()}
    assert kinds["Stew"] == ("recipe", ())
    assert "pudding" in kinds["Pie"][1]


def test_bundles_lay_concepts_in_the_folder_of_their_kind(kitchen: Port, tmp_path: Path) -> None:
    """A kind's plural names its folder, and what points there finds it."""
    kitchen.transfer.export(ExportRequest(path=tmp_path / "bundle", format="okf"), kitchen.call(tool="export"))
    files = {path.relative_to(tmp_path / "bundle").as_posix() for path in (tmp_path / "bundle").rglob("*.md")}
    assert sum(file.startswith("recipes/") for file in files) == 3
    pointing = next(path for path in (tmp_path / "bundle" / "recipes").glob("*.md") if "pairs" in path.read_text())
    assert "](/recipes/" in pointing.read_text()


def test_the_entry_of_a_row_is_plain_json() -> None:
    """So that whoever reads a lossless file reads it with anything."""
    assert json.loads(entry_of(RECIPE))["plural"] == "recipes"
