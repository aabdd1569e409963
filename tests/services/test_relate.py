"""Relating two nodes, and taking that back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from weft.errors import InvalidArgument, NotFound, PermissionDenied
from weft.model import Origin, RelateRequest, SourceType, Status, Tier
from weft.vocabulary import REASON_MAX

if TYPE_CHECKING:
    from collections.abc import Callable

    from services.desk import Desk


@pytest.fixture
def pair(desk: Desk) -> tuple[str, str]:
    """Two nodes that have nothing to do with each other, older first."""
    one, two = (desk.add(text, kind="claim").node.id for text in ("Herring migrate.", "Violins are of spruce."))
    return one, two


def test_a_relation_is_made_as_it_is_said(desk: Desk, pair: tuple[str, str]) -> None:
    """Ends by any name, the type in any spelling."""
    one, two = pair
    request = RelateRequest(source="violins are of spruce", target=one, type="Depends On", reasoning=" why ")
    call = desk.call(actor="grace")
    related = desk.relate.relate(request, call)
    relation = related.relation
    assert related.created
    assert (relation.source, relation.target, relation.type) == (two, one, "depends_on")
    assert (relation.reasoning, relation.confidence, relation.origin) == ("why", 0.8, Origin.MANUAL)
    assert (relation.created_by, relation.created_at) == ("grace", call.at)
    assert desk.store.relations((one,)) == (relation,)


def test_relating_again_strengthens_and_never_weakens(desk: Desk, pair: tuple[str, str]) -> None:
    """The larger confidence stays, new reasoning is added once."""
    one, two = pair
    first = desk.join(one, two, "supports", confidence=0.6).relation
    again = desk.relate.relate(
        RelateRequest(source=one, target=two, type="supports", reasoning="and more", confidence=0.9), desk.call()
    )
    weaker = desk.join(one, two, "supports", confidence=0.1)
    assert not again.created
    assert (again.relation.id, again.relation.version) == (first.id, 2)
    assert (again.relation.confidence, again.relation.reasoning) == (0.9, "because\nand more")
    assert weaker.relation == again.relation
    assert weaker.batch == ""
    assert desk.store.relations((one,)) == (again.relation,)


def test_reasoning_never_outgrows_its_bound(desk: Desk, pair: tuple[str, str]) -> None:
    """What does not fit any more is left out; the relation stays valid."""
    one, two = pair
    desk.join(one, two)
    long = RelateRequest(source=one, target=two, type="relates_to", reasoning="y" * REASON_MAX)
    assert desk.relate.relate(long, desk.call()).relation.reasoning == "because"


def test_a_person_saying_it_makes_an_inferred_relation_manual(desk: Desk) -> None:
    """The rule and its scores stay as grounds."""
    store = desk.add("It keeps the sessions of all users.", title="Session Store", kind="component").node
    page = desk.add("The login page uses Session Store.", title="Login page", kind="component")
    related = desk.join(page.node.id, store.id, "depends_on")
    assert not related.created
    assert (related.relation.origin, related.relation.rule) == (Origin.MANUAL, "dependency")


def test_several_types_join_one_pair_and_opposite_directions_are_two(desk: Desk, pair: tuple[str, str]) -> None:
    """Uniqueness is by source, target and type."""
    one, two = pair
    for ends in ((one, two, "supports"), (one, two, "uses"), (two, one, "uses")):
        assert desk.join(*ends).created
    assert len(desk.store.relations((one,))) == 3


def test_a_symmetric_relation_has_no_direction(desk: Desk, pair: tuple[str, str]) -> None:
    """Said from the other end it is the same one, and it can be taken back from either."""
    one, two = pair
    first = desk.join(two, one, "contradicts")
    again = desk.join(one, two, "contradicts")
    assert (first.relation.source, first.relation.target) == tuple(sorted(pair))
    assert (again.created, again.relation.id) == (False, first.relation.id)
    assert desk.relate.unrelate(one, two, "contradicts", desk.call()).removed
    assert not desk.store.relations((one,))


def test_kinds_that_a_type_does_not_fit_are_told_and_allowed(desk: Desk, pair: tuple[str, str]) -> None:
    """Where the other way round would fit, that is said."""
    one, two = pair
    assert "solves usually runs from" in desk.join(one, two, "solves").warning
    problem = desk.add("The queue grows without bound.", kind="problem").node.id
    fix = desk.add("Cap the queue at a thousand entries.", kind="fix").node.id
    assert desk.join(fix, problem, "solves").warning == ""
    assert "other way round" in desk.join(problem, fix, "solves").warning


def test_speaking_for_and_against_the_same_node_is_told(desk: Desk, pair: tuple[str, str]) -> None:
    """Both stay, the warning names the other type."""
    one, two = pair
    assert desk.join(one, two, "supports").warning == ""
    assert "supports" in desk.join(one, two, "contradicts").warning
    assert desk.join(one, two, "extends").warning != ""


def test_superseding_marks_the_target_and_both_times_at_once(desk: Desk, pair: tuple[str, str]) -> None:
    """Relation, status and times are one batch; saying it again changes nothing."""
    old, new = pair
    related = desk.join(new, old, "replaces")
    assert related.relation.type == "supersedes"
    assert desk.node(old).status is Status.SUPERSEDED
    assert desk.node(new).status is Status.ACTIVE
    times = {desk.node(id_).modified_at for id_ in pair}
    assert times == {related.relation.created_at}
    batches = {desk.log.history(id_, limit=1)[0].batch for id_ in (*pair, related.relation.id)}
    assert batches == {related.batch}
    assert desk.join(new, old, "supersedes").batch == ""
    assert "each now replaces the other" in desk.join(old, new, "supersedes").warning


def test_taking_back_the_last_superseding_makes_the_node_active_again(desk: Desk, pair: tuple[str, str]) -> None:
    """As long as another one stands, it stays superseded."""
    old, new = pair
    newest = desk.add("The compiler inlines functions.", kind="claim").node.id
    desk.join(new, old, "supersedes")
    desk.join(newest, old, "supersedes")
    desk.relate.unrelate(new, old, "supersedes", desk.call())
    assert desk.node(old).status is Status.SUPERSEDED
    desk.relate.unrelate(newest, old, "supersedes", desk.call())
    assert desk.node(old).status is Status.ACTIVE


def test_evidence_is_kept_whole_as_a_learned_source_once(desk: Desk, pair: tuple[str, str]) -> None:
    """It is named after who speaks; the same words a second time add nothing."""
    one, two = pair
    request = RelateRequest(source=one, target=two, type="supports", reasoning="r", evidence="Counted 40 shoals.")
    relation = desk.relate.relate(request, desk.call()).relation
    desk.relate.relate(request, desk.call(actor="claude-code"))
    (evidence,) = desk.store.evidence((relation.id,))
    source = desk.store.sources((evidence.source,))[evidence.source]
    assert (source.text[evidence.start : evidence.end], evidence.quote) == ("Counted 40 shoals.", "Counted 40 shoals.")
    assert (source.type, source.document, evidence.creator) == (SourceType.LEARNED, "User synthesis", "ada")
    other = RelateRequest(source=one, target=two, type="supports", reasoning="r", evidence="And one more.")
    desk.relate.relate(other, desk.call(actor="claude-code"))
    last = desk.store.evidence((relation.id,))[-1]
    assert desk.store.sources((last.source,))[last.source].document == "AI synthesis"


@pytest.mark.parametrize(
    ("fields", "error", "said"),
    [
        ({"target": "Herring migrate."}, InvalidArgument, "same node"),
        ({"type": "befriends"}, InvalidArgument, "type"),
        ({"type": "superseded_by"}, InvalidArgument, "from the other end"),
        ({"target": "Nowhere"}, NotFound, "target"),
        ({"source": "Nowhere"}, NotFound, "source"),
        ({"confidence": 2.0}, InvalidArgument, "confidence"),
        ({"reasoning": "r" * (REASON_MAX + 1)}, InvalidArgument, "reasoning"),
        ({"evidence": "e" * 20_001}, InvalidArgument, "evidence"),
    ],
)
def test_a_relation_that_cannot_be_is_refused_and_writes_nothing(
    desk: Desk, pair: tuple[str, str], fields: dict[str, object], error: type[Exception], said: str
) -> None:
    """No source is left behind without its relation."""
    one, two = pair
    before = desk.measure()
    wish = {"source": one, "target": two, "type": "supports", "reasoning": "r", "evidence": "because of that"} | fields
    with pytest.raises(error, match=said):
        desk.relate.relate(RelateRequest(**wish), desk.call())
    assert desk.measure() == before


def test_unrelating_says_whether_it_was_there(desk: Desk, pair: tuple[str, str]) -> None:
    """Only that type goes; not being there is no error and writes nothing."""
    one, two = pair
    desk.join(one, two, "supports")
    kept = desk.join(one, two, "uses").relation
    gone = desk.relate.unrelate(one, two, "SUPPORTS", desk.call())
    before = desk.measure()
    again = desk.relate.unrelate(one, two, "supports", desk.call())
    assert (gone.removed, bool(gone.batch)) == (True, True)
    assert (again.removed, again.batch) == (False, "")
    assert desk.measure() == before
    assert desk.store.relations((one,)) == (kept,)


def test_unrelating_needs_a_librarian_relating_a_contributor(
    desk: Desk, pair: tuple[str, str], desk_of: Callable[[Tier], Desk]
) -> None:
    """The engine holds both."""
    contributor = desk_of(Tier.CONTRIBUTOR)
    assert contributor.join(*pair, "supports").created
    with pytest.raises(PermissionDenied, match="librarian"):
        contributor.relate.unrelate(*pair, "supports", contributor.call())
    with pytest.raises(PermissionDenied):
        desk_of(Tier.READER).join(*pair, "uses")
    assert len(desk.store.relations(pair)) == 1


def test_a_pair_of_hubs_is_still_related_once(desk: Desk, pair: tuple[str, str]) -> None:
    """The relation is found however many others both ends have."""
    one, two = pair
    first = desk.join(one, two, "supports", confidence=0.05).relation
    for number in range(205):
        other = desk.add(f"Entry {number}", kind="claim", relations=()).node.id
        desk.join(one, other, "uses", confidence=0.9)
        desk.join(two, other, "uses", confidence=0.9)
    again = desk.join(one, two, "supports", confidence=0.04)
    assert (again.created, again.relation) == (False, first)


QUEUES = ("Redis", "SQS", "NATS", "Kafka")


def test_who_goes_back_to_what_was_replaced_has_it_hold_again(desk: Desk) -> None:
    """Where something else supersedes it too it stays as it is: nobody has taken that back."""
    redis, sqs, nats, kafka = (desk.add(f"Jobs are queued in {name}.", kind="decision").node for name in QUEUES)
    desk.join(sqs.id, redis.id, "supersedes")
    desk.join(nats.id, sqs.id, "supersedes")
    desk.join(redis.id, nats.id, "supersedes")
    standing = [desk.node(each.id).status for each in (redis, sqs, nats)]
    assert standing == [Status.ACTIVE, Status.SUPERSEDED, Status.SUPERSEDED]
    desk.join(kafka.id, sqs.id, "supersedes")
    desk.join(sqs.id, redis.id, "supersedes")
    assert desk.node(sqs.id).status is Status.SUPERSEDED
