"""From what a caller wrote to the node that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from services.readers import ingest_of
from weft.errors import Ambiguous, InvalidArgument, NotFound
from weft.model import IngestRequest, UpdateRequest
from weft.services.naming import named, resolve, resolve_all

if TYPE_CHECKING:
    from services.desk import Desk


def test_an_id_a_title_an_alias_and_a_prefix_name_the_same_node(desk: Desk) -> None:
    """Whatever names a node leads to it."""
    node = desk.add("Tokens expire after fifteen minutes.", title="Token lifetime", aliases=("token TTL",)).node
    for reference in (node.id, "token lifetime", "Token TTL", node.id[:30], f"  {node.id} "):
        assert resolve(desk.store, reference, field="id").id == node.id


def test_a_numbered_document_is_named_by_its_number_however_it_is_written(desk: Desk) -> None:
    """A number that two go by is refused, and so is another number."""
    node = desk.add("# ADR-0007: Idempotency keys\n\nEvery write has a key.").node
    for name in ("ADR-7", "adr 7", "ADR0007", "ADR-0007"):
        assert resolve(desk.store, name, field="id").id == node.id, name
    with pytest.raises(NotFound):
        resolve(desk.store, "ADR-70", field="id")
    desk.add("# ADR-7: Keys of idempotency\n\nAnother team counts too.", ontology="other")
    with pytest.raises(Ambiguous):
        resolve(desk.store, "ADR-7", field="id")


@pytest.mark.parametrize("title", ["ADR-0007: Idempotency keys", "ADR 7 – Keys", "ADR-7 - Keys", "ADR #7. Keys"])
def test_a_number_that_a_title_sets_off_names_its_node(desk: Desk, title: str) -> None:
    """As the first line of a text does."""
    node = desk.add("Every write has a key.", title=title).node
    assert node.aliases == ("ADR 7",)
    assert resolve(desk.store, "ADR-7", field="id").id == node.id


@pytest.mark.parametrize("title", ["ADR-7 in short", "Why ADR-7", "UTF-8", "May 2026: plans", "HTTP 1.1: pipelines"])
def test_a_number_within_a_title_names_nothing_more(desk: Desk, title: str) -> None:
    """A page about a record is not that record, and a month or a version no document."""
    assert desk.add("Every write has a key.", title=title).node.aliases == ()


def test_a_number_that_is_given_as_an_alias_is_not_given_again(desk: Desk) -> None:
    """However it is written."""
    assert desk.add("Every write has a key.", title="ADR-7: Keys", aliases=("adr-0007",)).node.aliases == ("adr-0007",)


def test_a_name_that_two_nodes_answer_to_is_refused_with_both(desk: Desk) -> None:
    """Nobody guesses between two nodes of one title."""
    ids = {desk.add(text, title="Cache").node.id for text in ("It lives in memory.", "A hidden pile of tins.")}
    with pytest.raises(Ambiguous, match="id «cache» names 2 nodes") as caught:
        resolve(desk.store, "cache", field="id")
    assert {each.id for each in caught.value.candidates} == ids


def test_nodes_of_one_title_and_kind_are_told_apart_by_what_only_they_say(desk: Desk) -> None:
    """And by when they were written; one of another kind needs neither."""
    for content in ("The call fails in charge.", "The call fails in rotate."):
        made = desk.add(content, title="Timeout", kind="error").node
    desk.add("The upstream waits for 5 seconds.", title="Timeout", kind="decision")
    with pytest.raises(Ambiguous) as caught:
        resolve(desk.store, "Timeout", field="id")
    written = f"error in notes, {made.created_at:%Y-%m-%d %H:%M}: "
    offered = {each.why for each in caught.value.candidates}
    assert offered == {f"{written}«… charge.»", f"{written}«… rotate.»", "decision in notes"}


def test_nodes_of_one_title_and_text_are_offered_with_the_text(desk: Desk) -> None:
    """There is no word in which they differ."""
    for ontology in ("notes", "diary"):
        made = desk.add("The call fails.", title="Timeout", kind="error", ontology=ontology).node
    desk.capture.update(UpdateRequest(id=made.id, ontology="notes"), desk.call(tool="update"))
    with pytest.raises(Ambiguous) as caught:
        resolve(desk.store, "Timeout", field="id")
    assert all(each.why.endswith(": «The call fails.»") for each in caught.value.candidates)


def test_of_a_document_and_what_it_defines_the_document_is_offered_with_its_path(desk: Desk) -> None:
    """Both go by the page's title; the path leads to the document alone."""
    text = "# Saga\n\nSaga is a sequence of local transactions that keeps services consistent.\n"
    ingest_of(desk).ingest(IngestRequest(text=text, document="patterns/saga.md"), desk.call(tool="ingest"))
    with pytest.raises(Ambiguous, match="names 2 nodes") as caught:
        resolve(desk.store, "Saga", field="id")
    offered = {each.why for each in caught.value.candidates}
    assert offered == {"concept in notes", "document in notes, also called patterns/saga.md"}
    assert resolve(desk.store, "patterns/saga.md", field="id").kind == "document"


def test_more_candidates_than_are_offered_are_said_to_be_more(desk: Desk) -> None:
    """Five candidates are offered; that there are others is told."""
    for number in range(7):
        desk.add(f"Entry number {number} of the log book.", title="Log")
    with pytest.raises(Ambiguous, match="names 5 or more nodes") as caught:
        resolve(desk.store, "Log", field="id")
    assert len(caught.value.candidates) == 5


def test_a_name_that_nothing_answers_to_is_not_found(desk: Desk) -> None:
    """The message repeats the name and its field, clipped where it is long."""
    with pytest.raises(NotFound, match="target «Nowhere»"):
        resolve(desk.store, "Nowhere", field="target")
    with pytest.raises(NotFound, match="x…»"):
        resolve(desk.store, "x" * 500, field="target")


def test_a_forgotten_node_is_named_as_forgotten(desk: Desk) -> None:
    """Who forgot it and when helps to find the way back."""
    node = desk.add("The old mail server is called hermes.").node
    desk.capture.forget(node.id, desk.call(), confirm=True)
    with pytest.raises(NotFound, match="ada forgot on 2026-03-02"):
        resolve(desk.store, node.id, field="id")


def test_a_blank_reference_is_an_invalid_argument(desk: Desk) -> None:
    """Blank names nothing."""
    with pytest.raises(InvalidArgument, match="id is empty"):
        resolve(desk.store, "  ", field="id")


def test_the_same_node_named_twice_counts_once(desk: Desk) -> None:
    """Order stays, repetitions go."""
    one = desk.add("Alpha comes first.", title="Alpha").node
    two = desk.add("Beta comes second.", title="Beta").node
    found = resolve_all(desk.store, ("Beta", one.id, "beta"), field="bridges")
    assert [node.id for node in found] == [two.id, one.id]


def test_the_address_of_a_node_names_it_as_its_id_does(desk: Desk) -> None:
    """Whoever read it as a resource may give the address on; an id may be in capitals, as other programs write it."""
    node = desk.add("Tokens expire after fifteen minutes.", title="Token / lifetime").node
    for reference in (
        f"weft://node/{node.id}",
        f" weft://node/{node.id.upper()}",
        "weft://node/Token%20%2F%20lifetime",
    ):
        assert resolve(desk.store, reference, field="id").id == node.id
        assert [each.id for each in named(desk.store, reference, field="start", limit=3)] == [node.id]
    assert resolve(desk.store, node.id.upper(), field="id").id == node.id
    with pytest.raises(NotFound, match="id «nowhere»"):
        resolve(desk.store, "weft://node/nowhere", field="id")
    with pytest.raises(InvalidArgument, match="id is empty"):
        resolve(desk.store, "weft://node/", field="id")
