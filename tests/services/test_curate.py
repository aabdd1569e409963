"""Review: what waits for a decision, and what deciding does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from weft.errors import InvalidArgument
from weft.model import (
    Batch,
    Decision,
    Evidence,
    Origin,
    ReceiptRequest,
    RelateRequest,
    SaveEvidence,
    SaveNode,
    SaveSource,
    Source,
    SourceType,
    Status,
    SuggestionKind,
    SuggestionQuery,
    Tier,
    UpdateRequest,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from services.desk import Desk
    from weft.model import Decided, Reviewed, Suggestion


def _review(desk: Desk, *decisions: Decision, **fields: object) -> Reviewed:
    return desk.curate.review(decisions, desk.call(tool="review", actor="grace"), **fields)


def _decide(desk: Desk, item: Suggestion, decision: str = "accept", reason: str = "") -> Decided:
    (row,) = _review(desk, Decision(item=item.id, decision=decision, reason=reason)).decided
    return row


def _conflict(desk: Desk) -> tuple[str, str, Suggestion]:
    old = desk.add("The cost of self-attention is quadratic in sequence length.", kind="claim").node
    new = desk.add("The cost of self-attention is linear in sequence length.", kind="claim")
    item = next(each for each in new.suggestions if each.kind is SuggestionKind.CONFLICT)
    return old.id, new.node.id, item


def _duplicate(desk: Desk) -> tuple[str, str, Suggestion]:
    old = desk.add("The build server restarts every night at two o'clock.", kind="claim", tags=("ops",)).node
    new = desk.add("The build server restarts each night at two o'clock.", kind="claim", tags=("night",))
    item = next(each for each in new.suggestions if each.kind is SuggestionKind.DUPLICATE)
    return old.id, new.node.id, item


def test_open_items_are_listed_with_titles_and_what_accepting_does(desk: Desk) -> None:
    """Best first, and how many there are in all."""
    old, new, item = _conflict(desk)
    listed = _review(desk, limit=1)
    (shown,) = listed.items
    assert shown.suggestion == item
    assert set(shown.titles) == {desk.node(old).title, desk.node(new).title}
    assert "contradicts" in shown.accept_does
    assert (listed.decided, listed.remaining) == ((), 1)


def test_kinds_restrict_the_list_and_unknown_ones_are_refused(desk: Desk) -> None:
    """The message names the kinds there are."""
    _conflict(desk)
    assert _review(desk, kinds=("duplicate",)).items == ()
    assert len(_review(desk, kinds=("conflict",)).items) == 1
    with pytest.raises(InvalidArgument, match="weak_bridge"):
        _review(desk, kinds=("gossip",))
    with pytest.raises(InvalidArgument, match="limit"):
        _review(desk, limit=0)


def test_accepting_a_relation_makes_it_in_the_batch_of_the_decision(desk: Desk) -> None:
    """The decision is remembered with who, when and why."""
    old, new, item = _conflict(desk)
    row = _decide(desk, item, reason="measured")
    assert (row.result, row.item) == ("accepted", item.id)
    (relation,) = desk.store.relations((new,), types=("contradicts",))
    assert {relation.source, relation.target} == {old, new}
    assert desk.log.history(relation.id, limit=1)[0].batch == row.batch
    decided = desk.store.suggestions(SuggestionQuery(state="accepted"))[0][0]
    assert (decided.decided_by, decided.decided_why) == ("grace", "measured")
    assert _review(desk).remaining == 0


@pytest.mark.parametrize("type_", ["contradicts", "refutes"])
def test_a_question_that_was_answered_by_relating_the_two_is_not_asked_any_more(desk: Desk, type_: str) -> None:
    """Whoever records it need not be asked whether to; undoing that asks again."""
    old, new, item = _conflict(desk)
    made = desk.join(new, old, type_)
    assert _review(desk).remaining == 0
    assert _decide(desk, item).result == "CONFLICT"
    assert desk.curate.undo(made.batch, desk.call(tool="undo")).conflicts == ()
    assert [each.suggestion.id for each in _review(desk).items] == [item.id]


def test_a_question_stays_open_for_another_relation_and_for_who_may_not_decide(desk: Desk) -> None:
    """«relates_to» says nothing of a contradiction, and a contributor decides nothing."""
    old, new, _ = _conflict(desk)
    desk.join(new, old, "relates_to")
    request = RelateRequest(source=new, target=old, type="contradicts", reasoning="measured")
    desk.relate.relate(request, desk.call(tier=Tier.CONTRIBUTOR))
    assert _review(desk).remaining == 1


def test_dismissing_writes_nothing_else_and_is_remembered(desk: Desk) -> None:
    """What was dismissed is not suggested again."""
    _, new, item = _conflict(desk)
    row = _decide(desk, item, "dismiss")
    assert row.result == "dismissed"
    assert not desk.store.relations((new,), types=("contradicts",))
    assert _review(desk).items == ()


def test_a_decided_item_is_a_conflict_row_and_the_rest_is_decided_all_the_same(desk: Desk) -> None:
    """A list of decisions never stops at the first error."""
    _, _, item = _conflict(desk)
    _, _, other = _duplicate(desk)
    _decide(desk, item, "dismiss")
    rows = _review(
        desk,
        Decision(item=item.id, decision="accept"),
        Decision(item="nowhere", decision="accept"),
        Decision(item=other.id, decision="perhaps"),
        Decision(item=other.id, decision="dismiss"),
    ).decided
    assert [row.result for row in rows] == ["CONFLICT", "NOT_FOUND", "INVALID_ARGUMENT", "dismissed"]
    assert "dismissed by grace" in rows[0].message


def test_a_rules_relation_keeps_rule_and_scores_when_it_is_accepted(desk: Desk) -> None:
    """It stays inferred, with its grounds."""
    desk.add("Herring migrate north in spring.", kind="claim", tags=("fish", "sea", "spring"))
    new = desk.add("Violins are made of spruce.", kind="claim", tags=("fish", "sea"))
    item = next(each for each in new.suggestions if each.kind is SuggestionKind.RELATION)
    assert _decide(desk, item).result == "accepted"
    (relation,) = desk.store.relations((new.node.id,))
    assert (relation.origin, relation.rule) == (Origin.INFERRED, "shared_tags")
    assert relation.scores


def test_accepting_a_classification_confirms_it(desk: Desk) -> None:
    """The node becomes as sure as if the kind had been given; a confidence that was given stays."""
    for given, after in ((None, 0.95), (0.33, 0.33)):
        captured = desk.add(f"Retries back off from 200 ms, {given}.", confidence=given)
        item = captured.suggestions[0]
        assert item.kind is SuggestionKind.CLASSIFICATION
        assert _decide(desk, item).result == "accepted"
        assert desk.node(captured.node.id).confidence == after


def test_an_item_whose_node_was_made_another_kind_says_that_there_is_nothing_to_accept(desk: Desk) -> None:
    """Before, it would have confirmed a kind that the node no longer is."""
    captured = desk.add("Retries back off from 200 ms.")
    (shown,) = _review(desk).items
    assert "is a concept" in shown.accept_does
    contributor = desk.call(tool="update", tier=Tier.CONTRIBUTOR)  # who may not close the question
    desk.capture.update(UpdateRequest(id=captured.node.id, kind="claim"), contributor)
    (shown,) = _review(desk).items
    assert "was made a claim meanwhile" in shown.accept_does
    assert _decide(desk, shown.suggestion).result == "CONFLICT"


def test_accepting_a_duplicate_merges_the_newer_into_the_older(desk: Desk) -> None:
    """Relations, tags and the name move over; old ids lead to what is left."""
    old, new, item = _duplicate(desk)
    third = desk.add("Herring migrate north.", kind="claim").node.id
    moved = desk.join(new, third, "supports").relation
    both = desk.join(old, third, "uses", confidence=0.4).relation
    desk.join(new, third, "uses", confidence=0.9)
    desk.join(new, old, "relates_to")
    row = _decide(desk, item)
    assert row.result == "accepted"
    gone, kept = desk.node(new), desk.node(old)
    assert gone.retired is not None
    assert gone.retired.merged_into == old
    assert desk.store.resolve(new, limit=2) == (kept,)
    assert desk.store.resolve(gone.title, limit=2) == (kept,)
    assert kept.tags == ("ops", "night")
    relations = {each.type: each for each in desk.store.relations((old,))}
    assert set(relations) == {"supports", "uses"}
    assert (relations["supports"].id, relations["supports"].source) == (moved.id, old)
    assert (relations["uses"].id, relations["uses"].confidence) == (both.id, 0.9)
    assert not desk.store.relations((new,))


def test_undoing_a_merge_parts_the_two_exactly(desk: Desk) -> None:
    """Both have their own relations again, and the suggestion is open again."""
    old, new, item = _duplicate(desk)
    third = desk.add("Herring migrate north.", kind="claim").node.id
    for source, kind, confidence in ((new, "supports", 0.8), (old, "uses", 0.4), (new, "uses", 0.9)):
        desk.join(source, third, kind, confidence=confidence)
    before = _shape(desk, old, new)
    row = _decide(desk, item)
    assert _shape(desk, old, new) != before
    undone = desk.curate.undo(row.batch, desk.call(tool="undo"))
    assert undone.conflicts == ()
    assert _shape(desk, old, new) == before
    assert item.id in [each.suggestion.id for each in _review(desk).items]


def _shape(desk: Desk, *ids: str) -> object:
    nodes = [replace(desk.node(id_), version=0, modified_at=None, modified_by="") for id_ in ids]
    relations = sorted((replace(each, version=0) for each in desk.store.relations(ids)), key=lambda each: each.id)
    return nodes, relations


def _as_document(desk: Desk, id_: str) -> None:
    node = desk.node(id_)
    stamped = replace(node, origin=Origin.DOCUMENT, version=node.version + 1)
    operation = SaveNode(node=stamped, expect=node.version)
    desk.store.commit(Batch(id=f"doc-{id_}", call=desk.call(), operations=(operation,)))


def test_what_a_document_said_is_never_merged_away(desk: Desk) -> None:
    """The document's node stays, whichever is newer; of two from documents neither goes."""
    old, new, item = _duplicate(desk)
    _as_document(desk, new)
    (shown,) = [each for each in _review(desk).items if each.suggestion.id == item.id]
    assert f"«{desk.node(old).title}» into «{desk.node(new).title}»" in shown.accept_does
    assert _decide(desk, item).result == "accepted"
    assert (desk.node(new).retired, desk.node(old).retired is None) == (None, False)


def test_two_nodes_from_documents_are_not_merged(desk: Desk) -> None:
    """The twin: the item says so before, the row says why, and nothing changed."""
    old, new, item = _duplicate(desk)
    for id_ in (old, new):
        _as_document(desk, id_)
    (shown,) = [each for each in _review(desk).items if each.suggestion.id == item.id]
    assert shown.accept_does.startswith("Is refused: documents state both")
    before = desk.measure()
    row = _decide(desk, item)
    assert row.result == "PERMISSION_DENIED"
    assert "documents" in row.message
    assert desk.measure() == before


def test_evidence_moves_with_a_merge_and_back_with_its_undo(desk: Desk) -> None:
    """Evidence follows what it supports."""
    old, new, item = _duplicate(desk)
    call = desk.call()
    source = Source(
        id="s1",
        document="log.txt",
        ontology="notes",
        type=SourceType.DOCUMENT,
        text="It restarted.",
        digest="0" * 64,
        created_at=call.at,
        created_by="ada",
    )
    evidence = Evidence(
        id="e1",
        subject=new,
        source="s1",
        paragraph=0,
        start=0,
        end=13,
        quote="It restarted.",
        type=SourceType.DOCUMENT,
        creator="ada",
        created_at=call.at,
    )
    operations = (SaveSource(source=source), SaveEvidence(evidence=evidence))
    desk.store.commit(Batch(id="b1", call=call, operations=operations))
    row = _decide(desk, item)
    assert [each.id for each in desk.store.evidence((old,))] == ["e1"]
    desk.curate.undo(row.batch, desk.call())
    assert [each.id for each in desk.store.evidence((new,))] == ["e1"]


def test_a_status_that_is_proposed_is_set(desk: Desk) -> None:
    """Stale items propose one."""
    from weft.model import SaveSuggestion, Suggestion

    node = desk.add("Herring migrate north.", kind="claim").node
    call = desk.call()
    item = Suggestion(
        id="stale-1",
        kind=SuggestionKind.STALE,
        dedup="stale:1",
        subjects=(node.id,),
        summary="a file changed",
        grounds={},
        proposal={"status": {"id": node.id, "status": "needs_review"}},
        created_at=call.at,
        created_by="ada",
    )
    desk.store.commit(Batch(id="b1", call=call, operations=(SaveSuggestion(suggestion=item),)))
    assert "needs_review" in _review(desk).items[0].accept_does
    assert _decide(desk, item).result == "accepted"
    assert desk.node(node.id).status is Status.NEEDS_REVIEW


def test_questions_about_a_forgotten_node_leave_with_it_and_come_back_with_it(desk: Desk) -> None:
    """Nobody is asked about what is gone; a decision that comes too late says so."""
    _, new, item = _conflict(desk)
    gone = desk.capture.forget(new, desk.call(), confirm=True)
    assert item.id not in {each.suggestion.id for each in _review(desk).items}
    assert _decide(desk, item).result == "CONFLICT"
    desk.curate.undo(gone.batch, desk.call())
    assert item.id in {each.suggestion.id for each in _review(desk).items}
    assert _decide(desk, item).result == "accepted"


def test_questions_about_an_undone_node_are_asked_no_more(desk: Desk) -> None:
    """Also those that what came later asked of it."""
    first = desk.add("The cost of self-attention is quadratic in sequence length.", kind="claim")
    later = desk.add("The cost of self-attention is linear in sequence length.", kind="claim")
    item = next(each for each in later.suggestions if each.kind is SuggestionKind.CONFLICT)
    undone = desk.curate.undo(first.batch, desk.call())
    assert item.id not in {each.suggestion.id for each in _review(desk).items}
    desk.curate.undo(undone.undo_batch, desk.call())
    assert item.id in {each.suggestion.id for each in _review(desk).items}


def test_deciding_needs_a_librarian(desk: Desk, desk_of: Callable[[Tier], Desk]) -> None:
    """A contributor gets a row that says so, and the item stays open."""
    _, _, item = _conflict(desk)
    before = desk.measure()
    assert _decide(desk_of(Tier.CONTRIBUTOR), item).result == "PERMISSION_DENIED"
    assert desk.measure() == before
    assert _decide(desk_of(Tier.LIBRARIAN), item).result == "accepted"


def test_a_review_leaves_a_receipt_of_all_its_rows(desk: Desk) -> None:
    """A repetition finds the sealed answer."""
    _, _, item = _conflict(desk)
    call = desk.keyed("k1")
    call = replace(
        call, tool="review", receipt=ReceiptRequest(key="k1", digest="d", seal=lambda answer: answer.decided[0].result)
    )
    desk.curate.review((Decision(item=item.id, decision="accept"),), call)
    receipt = desk.store.receipt(actor="ada", tool="review", key="k1")
    assert receipt is not None
    assert receipt.answer == "accepted"


def test_a_contradiction_waits_before_what_only_shares_tags(desk: Desk) -> None:
    """All tags the same are no reason to look at a pair first; a replacement that the text tells of comes before."""
    for said in ("Herring migrate north in May.", "A trawler needs a licence of the port."):
        desk.add(said, kind="claim", tags=("fish", "sea"))
    desk.add("The cost of self-attention is quadratic in sequence length.", kind="claim")
    desk.add("The cost of self-attention is linear in sequence length.", kind="claim")
    desk.add("Tokens are signed with RSA keys.", title="Signing of access tokens", kind="decision")
    desk.add("Replaces the old way: EdDSA keys.", title="Signing of access tokens now", kind="decision")
    items = [each.suggestion for each in desk.curate.review((), desk.call()).items]
    told = [each.proposal["relate"]["type"] for each in items if "relate" in each.proposal]
    assert set(told) == {"contradicts", "supersedes", "relates_to"}
    assert told.index("relates_to") > max(told.index("contradicts"), told.index("supersedes"))


def test_what_was_changed_since_it_was_asked_about_is_not_merged_into_what_it_repeated(desk: Desk) -> None:
    """Nor said to contradict what it no longer does; a change of something else is no reason to refuse."""
    desk.add("Eating late in the evening impairs glucose tolerance.", kind="claim")
    other = desk.add("Eating late in the evening impairs the glucose tolerance.", kind="claim")
    item = next(each for each in other.suggestions if each.kind is SuggestionKind.DUPLICATE)
    contributor = desk.call(tool="update", tier=Tier.CONTRIBUTOR)  # who may not close the question
    kiwi = UpdateRequest(id=other.node.id, content="Kiwi fruit before bed lengthens sleep by an hour.")
    desk.capture.update(kiwi, contributor)
    refused = _decide(desk, item)
    assert (refused.result, "do not repeat each other any more" in refused.message) == ("CONFLICT", True)
    assert desk.node(other.node.id).retired is None
    back = UpdateRequest(id=other.node.id, content=other.node.content, tags=("late",))
    desk.capture.update(back, desk.call(tool="update", tier=Tier.CONTRIBUTOR))
    assert _decide(desk, item).result == "accepted"
