"""Every behaviour that was asked for has a test, and every test that is claimed for one is there."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ASKED: dict[str, Any] = tomllib.loads((HERE / "requirements.toml").read_text(encoding="utf-8"))
REQUIREMENTS: list[dict[str, Any]] = ASKED["requirement"]


@cache
def names_in(file: str) -> frozenset[str]:
    """Return the names of the tests in ``file``, a path below this folder."""
    path = HERE / file
    tree = ast.parse(path.read_text(encoding="utf-8")) if path.is_file() else ast.Module([], [])
    return frozenset(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def is_there(test: str) -> bool:
    """Return whether ``test`` (``folder/test_file.py::test_name``) is a test of this suite."""
    file, _, name = test.partition("::")
    return name in names_in(file)


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=lambda row: row["id"])
def test_what_is_asked_for_is_tested(requirement: dict[str, Any]) -> None:
    """By at least one test, each of which is there."""
    assert requirement["tests"], f"nothing tests that: {requirement['says']}"
    missing = [test for test in requirement["tests"] if not is_there(test)]
    assert not missing, f"no such test: {', '.join(missing)}"


def test_requirements_are_told_apart() -> None:
    """Ids are unique, begin with their seed, and say one sentence."""
    assert [id_ for id_, count in Counter(row["id"] for row in REQUIREMENTS).items() if count > 1] == []
    for row in REQUIREMENTS:
        assert row["id"].partition(".")[0] == row["seed"]
        assert row["seed"] in ASKED["seeds"]
        assert row["says"].endswith(".")


def test_every_acceptance_check_is_listed() -> None:
    """The thirty-two, by number."""
    listed = {row["id"] for row in REQUIREMENTS if row["seed"] == "origins"}
    assert listed == {f"origins.{number:02}" for number in range(1, 33)}


@pytest.mark.parametrize(
    "claimed",
    [
        "tools/test_that_is_not_there.py::test_anything",
        "test_requirements.py::test_that_is_not_there",
        "test_requirements.py::is_there",
    ],
)
def test_a_claim_of_a_test_that_is_not_there_is_seen(claimed: str) -> None:
    """No such file, no such test, and no test at all."""
    assert not is_there(claimed)
    assert is_there("test_requirements.py::test_requirements_are_told_apart")
