"""Documents of one series that bear one title: the later number may take the place of the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.model import Status
from weft.reason.namesake import NAMESAKE, namesakes
from weft.testing.making import a_node, changed

if TYPE_CHECKING:
    from weft.model import Node


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        (a_node("ADR-31: Queues"), a_node("ADR-0012: Queues")),
        (a_node("A queue for all", aliases=("PEP 748",)), a_node("A Queue for All", aliases=("PEP 543",))),
        (a_node("ADR-9: Queues"), a_node("Queues", aliases=("ADR 3",))),
    ],
    ids=["in the title", "as an alias", "either"],
)
def test_the_later_of_two_namesakes_may_take_the_place_of_the_earlier(later: Node, earlier: Node) -> None:
    """Whichever of the two was captured first."""
    for new, other in ((later, earlier), (earlier, later)):
        (found,) = namesakes(new, [other])
        assert (found.source_id, found.target_id, found.type) == (later.id, earlier.id, "supersedes")
        assert (found.rule, found.action) == (NAMESAKE, "suggest")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ADR-31: Queues", "RFC-12: Queues"),
        ("ADR-31: Queues", "ADR-12: Topics"),
        ("ADR-31: Queues", "Queues"),
        ("ADR-31: Queues", "ADR-0031: Queues"),
        ("KEP-2: KEP Template", "KEP-1: KEP Template"),
        ("ADR-2: Title", "ADR-1: Title"),
        ("Python 3.1 release schedule", "Python 2.1 release schedule"),
    ],
)
def test_what_is_no_namesake_replaces_nothing(one: str, other: str) -> None:
    """Of another series or title, without a number, or with a title that nobody filled in."""
    assert namesakes(a_node(one), [a_node(other)]) == ()


def test_nothing_is_asked_of_what_ended_or_of_whom_the_author_would_have_said_it() -> None:
    """Nor of two that different teams wrote."""
    new, old = a_node("ADR-31: Queues"), a_node("ADR-12: Queues")
    assert namesakes(new, [old])
    assert namesakes(new, [changed(old, status=Status.SUPERSEDED)]) == ()
    assert namesakes(new, [changed(old, ontology="market")]) == ()
    assert namesakes(changed(new, content="ADR: 31\nStatus: Accepted\n\nWe queue."), [old]) == ()


@given(st.lists(st.integers(1, 99_999), min_size=2, max_size=6, unique=True))
def test_each_namesake_follows_one_and_is_followed_by_one(told: list[int]) -> None:
    """Asked of each in turn, with all others there, the findings are the line from the first to the last."""
    nodes = [a_node(f"ADR-{number}: Queues") for number in told]
    found = {
        (each.source_id, each.target_id)
        for node in nodes
        for each in namesakes(node, [other for other in nodes if other is not node])
    }
    line = [node.id for _, node in sorted(zip(told, nodes, strict=True), key=lambda pair: pair[0])]
    assert found == set(zip(line[1:], line, strict=False))
