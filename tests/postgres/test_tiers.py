"""Tiers on PostgreSQL: every tool, at every tier, over every face; and the database's own roles refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from doors import settings
from tools.test_tiers import (
    copy,
    furnished,
    held,
    test_a_tier_that_does_not_reach_is_refused_on_every_face,
    test_an_example_succeeds_at_the_tier_that_the_table_names,
    test_the_engine_refuses_a_lower_caller_of_an_open_graph,
    test_the_engine_refuses_a_lower_tier_on_its_own,
    test_what_is_out_of_reach_is_not_listed,
)

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "copy",
    "furnished",
    "held",
    "test_a_tier_that_does_not_reach_is_refused_on_every_face",
    "test_an_example_succeeds_at_the_tier_that_the_table_names",
    "test_the_engine_refuses_a_lower_caller_of_an_open_graph",
    "test_the_engine_refuses_a_lower_tier_on_its_own",
    "test_what_is_out_of_reach_is_not_listed",
]

pytestmark = pytest.mark.usefixtures("in_a_database")


def test_the_graph_lies_in_a_database(tmp_path: Path) -> None:
    """Otherwise these would be the tests of the file once more."""
    assert settings(tmp_path).graph.startswith("postgresql://")
