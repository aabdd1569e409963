"""Writes that are sent without waiting for answers: what one of them fails with is told, and nothing is left of any."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from weft.errors import InvalidArgument, PermissionDenied
from weft.model import Tier
from weft.store.postgres.opening import open_postgres

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from weft.store.postgres.connection import PostgresWriter
    from weft.store.postgres.opening import OpenedServer

MANY = 300


@pytest.fixture
def graph(letters_url: str) -> Iterator[OpenedServer]:
    """An empty graph."""
    held = open_postgres(letters_url, tier=Tier.CURATOR, model="", dimension=0, create=False)
    yield held
    held.close()


def number(writer: PostgresWriter, value: int) -> None:
    """Take a number of a series."""
    writer.put("series_save", name="lessons", value=value)


def series(graph: OpenedServer) -> object:
    """Return the last number of each series."""
    return dict(graph.database.read("series_values"))


def test_what_was_sent_is_seen_by_later_reads_and_lasts(graph: OpenedServer) -> None:
    """More than are under way at once; between them a statement whose rows are counted."""
    with graph.database.writer(Tier.CURATOR) as writer:
        for value in range(1, MANY):
            number(writer, value)
        assert writer.read("series_value", name="lessons") == [(MANY - 1,)]
        number(writer, MANY)
        assert writer.run("series_save", name="lessons", value=MANY + 1) == 1
        number(writer, MANY + 2)
    assert series(graph) == {"lessons": MANY + 2}


@pytest.mark.parametrize(
    "after",
    [
        lambda _: None,
        lambda writer: writer.read("series_values"),
        lambda writer: writer.run("series_save", name="other", value=1),
        lambda writer: [number(writer, value) for value in range(3, MANY)],
    ],
    ids=["the end", "a read", "a statement that is waited for", "many more"],
)
def test_a_failure_is_told_at_the_latest_by_what_comes_after(
    graph: OpenedServer, after: Callable[[PostgresWriter], object]
) -> None:
    """A series never goes back; whatever follows, nothing of it is left, and the connection works."""

    def write() -> None:
        with graph.database.writer(Tier.CURATOR) as writer:
            number(writer, 2)
            number(writer, 1)
            after(writer)

    for _ in range(5):
        with pytest.raises(PermissionDenied, match="A series never goes back"):
            write()
    assert series(graph) == {}
    with graph.database.writer(Tier.CURATOR) as writer:
        number(writer, 1)
    assert series(graph) == {"lessons": 1}


def test_a_refusal_names_the_statement_that_was_refused(graph: OpenedServer) -> None:
    """The first of those that have no answer, and not the last one sent."""

    def write() -> None:
        with graph.database.writer(Tier.CONTRIBUTOR) as writer:
            number(writer, 1)
            writer.put("evidence_delete", id="none")
            number(writer, 2)

    with pytest.raises(PermissionDenied, match=r"DELETE evidence needs tier librarian\."):
        write()
    assert series(graph) == {}


def test_a_value_that_cannot_be_sent_is_refused_at_once(graph: OpenedServer) -> None:
    """With what was sent before it undone."""

    def write() -> None:
        with graph.database.writer(Tier.CURATOR) as writer:
            number(writer, 1)
            writer.put("series_save", name="a\x00b", value=1)

    with pytest.raises(InvalidArgument, match="cannot be stored"):
        write()
    assert series(graph) == {}
