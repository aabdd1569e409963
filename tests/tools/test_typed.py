"""What a type checker knows of a connection: this file is checked with the product (``make types``).

A comment that silences no error is an error itself, so every ``type: ignore`` here is a mistake that is seen.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, assert_type

import pytest

import weft
from weft.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.files_too  # what is typed is the same wherever a graph lies


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[weft.Connection]:
    """A connection to an empty graph."""
    with weft.connect(str(tmp_path / "notes.db")) as opened:
        yield opened


def test_what_is_right_is_typed_as_the_table_says(notes: weft.Connection) -> None:
    """Arguments by position and by name, and the fields of answers."""
    made = notes.capture("Salt hardens beans.", kind="claim", tags=["beans"], confidence=0.9)
    assert_type(made["batch"], str)
    notes.capture("Beans soak overnight.", references=[Path("src") / "soak.py"])
    found = notes.search("beans", kinds=("claim",), scope="documents", status=None)
    assert_type(found["total"], int)
    assert_type(found.get("left_out"), str | None)
    assert [hit["title"] for hit in found["hits"]] == ["Salt hardens beans."]


def test_what_is_wrong_is_seen_before_it_runs(notes: weft.Connection) -> None:
    """And refused when it runs."""
    with pytest.raises(InvalidArgument):
        notes.search("beans", limt=3)  # type: ignore[call-arg]
    with pytest.raises(InvalidArgument):
        notes.search("beans", kinds="claim")  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument):
        notes.search("beans", scope="nowhere")  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument):
        notes.relate("one", "another", "supports")  # type: ignore[call-arg]
    with pytest.raises(InvalidArgument):
        notes.trace("one", "another", 3)  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        notes.serach("beans")  # type: ignore[attr-defined]
    with pytest.raises(KeyError):
        notes.search("beans")["hit"]  # type: ignore[typeddict-item]
