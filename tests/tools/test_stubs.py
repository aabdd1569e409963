"""The stubs of the tools say what the table says, and type checkers find them."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from weft.tools.table import TOOLS
from weft.tools.verbs import VERBS

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
STUBS = sorted((ROOT / "src" / "weft" / "tools" / "typed").glob("*.pyi"))


@pytest.fixture(scope="module")
def writing() -> ModuleType:
    """The script that writes the stubs."""
    spec = importlib.util.spec_from_file_location("write_stubs", ROOT / "scripts" / "write_stubs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_stubs_say_what_the_table_says(writing: ModuleType) -> None:
    """``make docs`` has been run since the table changed."""
    assert writing.stale() == []


def test_a_stale_stub_is_noticed_and_so_is_one_too_many(
    writing: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: with nothing written every file is stale, and one that nothing writes is told of."""
    (tmp_path / "extra.pyi").write_text("", encoding="utf-8")
    monkeypatch.setattr(writing, "FOLDER", tmp_path)
    assert sorted(writing.stale()) == sorted([*(path.name for path in STUBS), "extra.pyi"])


def test_every_row_stands_in_one_stub(writing: ModuleType) -> None:
    """Tools and operators' verbs, each as one method."""
    trees = [ast.parse(text) for text in writing.wanted().values()]
    classes = [node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    methods = [item.name for node in classes for item in node.body if isinstance(item, ast.FunctionDef)]
    assert sorted(methods) == sorted(row.name for row in (*TOOLS, *VERBS))


@pytest.mark.parametrize("path", STUBS, ids=lambda path: path.stem)
def test_a_stub_is_no_longer_than_any_other_file(path: Path) -> None:
    """At most 400 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400
