"""SQL in every text field of every tool on PostgreSQL: stored, or refused, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from doors import settings
from tools.test_injection import (
    FIELDS,
    STRINGS,
    TURNS,
    bench,
    furnished,
    reading,
    test_a_row_that_no_call_wrote_would_be_noticed,
    test_a_table_that_is_gone_would_be_noticed,
    test_every_string_has_its_turn,
    test_the_name_of_an_argument_is_no_sql_either,
    test_what_is_asked_is_the_text_and_nothing_is_touched,
    test_what_is_written_is_the_text_and_nothing_else_is_touched,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tools.test_injection import Field

__all__ = [
    "bench",
    "furnished",
    "reading",
    "test_a_row_that_no_call_wrote_would_be_noticed",
    "test_a_table_that_is_gone_would_be_noticed",
    "test_every_string_has_its_turn",
    "test_the_name_of_an_argument_is_no_sql_either",
    "test_what_is_asked_is_the_text_and_nothing_is_touched",
    "test_what_is_written_is_the_text_and_nothing_else_is_touched",
]

pytestmark = pytest.mark.usefixtures("in_a_database")


@pytest.fixture(scope="module")
def strings() -> Callable[[Field], tuple[str, ...]]:
    """Which strings a field is tried with: others than in a file; ``make test-postgres`` tries all."""
    return lambda field: STRINGS[(FIELDS.index(field) + TURNS // 2) % TURNS :: TURNS]


def test_the_graph_lies_in_a_database(tmp_path: Path) -> None:
    """Otherwise these would be the tests of the file once more."""
    assert settings(tmp_path).graph.startswith("postgresql://")
