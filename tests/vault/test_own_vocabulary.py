"""A vault holds what the graph registered, so that its notes mean elsewhere what they mean here."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from vault.shelf import desk
from weft.model import Tier
from weft.services.registering import register
from weft.testing.making import a_call, a_node, joined, saved
from weft.vault.names import VOCABULARY
from weft.vocabulary import Kind, RelationType, entry_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vault.shelf import Desk
    from weft.vocabulary import Row

RECIPE = Kind(name="recipe", plural="recipes", family="practice", meaning="how a dish is made", exemplars=("Stir it.",))
PAIRS = RelationType(
    name="pairs", family="likeness", inverse="pairs", symmetric=True, meaning="the two are served together"
)


def known(to: Desk, *rows: Row) -> None:
    """Register ``rows``."""
    for row in rows:
        register(row, to.opened.store.vocabulary, config=to.opened.config, call=a_call())


@pytest.fixture
def kitchen(tmp_path: Path) -> Iterator[Desk]:
    """A graph and its vault, with a kind and a type of its own, and something of each."""
    with desk(tmp_path / "kitchen") as graph:
        known(graph, RECIPE, PAIRS)
        soup, bread = (a_node(title, kind="recipe") for title in ("Soup", "Bread"))
        graph.write(saved(soup), saved(bread), joined(soup, bread, type="pairs"))
        graph.sync()
        yield graph


def test_a_vault_alone_gives_the_vocabulary_back(kitchen: Desk, tmp_path: Path) -> None:
    """An empty graph that is given a copy of the files knows the rows, the nodes and the relation."""
    with desk(tmp_path / "other") as other:
        shutil.copytree(kitchen.root, other.root, dirs_exist_ok=True)
        assert other.sync(dry_run=True).unread_total == 0
        assert other.opened.store.vocabulary.own.rows == ()
        assert other.sync().unread_total == 0
        assert other.opened.store.vocabulary.own == kitchen.opened.store.vocabulary.own
        assert other.whole() == kitchen.whole()
        assert other.files() == kitchen.files()


def test_without_its_file_the_notes_are_reported_and_left(kitchen: Desk, tmp_path: Path) -> None:
    """The twin of the test above."""
    with desk(tmp_path / "other") as other:
        shutil.copytree(kitchen.root, other.root, dirs_exist_ok=True)
        (other.root / VOCABULARY).unlink()
        told = other.sync()
        assert any("'recipe' is not known" in each.reason for each in told.unread)
        assert not other.standing()


def test_notes_lie_in_the_folder_of_their_kind(kitchen: Desk) -> None:
    """A kind's plural names it; a note that somebody lays there is of that kind, and so is one that says so."""
    assert {path.parent.name for path in kitchen.notes()} == {"recipes"}
    (kitchen.root / "nodes/recipes/Stew.md").write_text("Stew it.\n")
    (kitchen.root / "nodes/Pie.md").write_text("---\ntype: Recipe\n---\nBake it.\n")
    kitchen.sync()
    assert {kitchen.titled(title).kind for title in ("Stew", "Pie")} == {"recipe"}


def test_what_somebody_adds_to_the_file_is_registered(kitchen: Desk) -> None:
    """A line more is a row more; the file is written again in its order."""
    file = kitchen.root / VOCABULARY
    file.write_text(f'{{"kind": {entry_of(replace(RECIPE, name="menu", plural="menus"))}}}\n' + file.read_text())
    kitchen.sync()
    assert kitchen.opened.store.vocabulary.kind("menu").plural == "menus"
    assert kitchen.sync().unread_total == 0
    kinds = [line.partition(":")[0] for line in file.read_text().splitlines()]
    assert kinds == ['{"kind"', '{"kind"', '{"relation_type"']


def test_a_line_that_is_no_row_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    """A broken one, a standard name, and a line of another kind."""
    lines = ["{", '{"series": {"name": "x", "value": 3}}', f'{{"kind": {entry_of(RECIPE)}}}']
    lines.append(lines[-1].replace('"recipe"', '"decision"'))
    with desk(tmp_path / "other") as other:
        (other.root / "records").mkdir(exist_ok=True)
        (other.root / VOCABULARY).write_text("\n".join(lines) + "\n")
        told = other.sync()
        assert [each.line for each in told.unread] == [1, 2, 4]
        assert other.opened.store.vocabulary.own.kinds == (RECIPE,)


def test_who_may_not_register_is_told_so(kitchen: Desk, tmp_path: Path) -> None:
    """A contributor's pass reads notes and registers nothing."""
    with desk(tmp_path / "other") as other:
        shutil.copytree(kitchen.root, other.root, dirs_exist_ok=True)
        told = other.sync(tier=Tier.CONTRIBUTOR)
        assert any("needs the tier curator" in each.reason for each in told.unread)
        assert other.opened.store.vocabulary.own.rows == ()
