"""Automatic relations and mentions: found with the capture, marked, bounded, and taken back as a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from services.desk import ENTAILMENT, INTENT
from weft.errors import NotFound, Unavailable
from weft.model import (
    CaptureRequest,
    Decision,
    Linking,
    Origin,
    RelationWish,
    Status,
    SuggestionKind,
)
from weft.services.capture.capture import Capture
from weft.services.capture.ports import CapturePorts

if TYPE_CHECKING:
    from collections.abc import Callable

    from services.desk import Desk
    from weft.model import Captured


def _triples(relations: object) -> set[tuple[str, str, str]]:
    return {(each.source, each.target, each.type) for each in relations}  # type: ignore[attr-defined]


def test_a_dependency_that_the_text_names_is_made_with_its_rule_and_scores(desk: Desk) -> None:
    """Every automatic relation says which rule made it, and from what."""
    store = desk.add("It keeps the sessions of all users.", title="Session Store", kind="component").node
    captured = desk.add("The login page uses Session Store for its cookies.", title="Login page", kind="component")
    made = [each for each in captured.relations if each.type == "depends_on"]
    assert _triples(made) == {(captured.node.id, store.id, "depends_on")}
    assert (made[0].origin, made[0].rule) == (Origin.INFERRED, "dependency")
    assert made[0].scores
    assert made[0].reasoning


def test_a_target_that_arrives_later_is_linked_all_the_same(desk: Desk) -> None:
    """Rules run in both directions."""
    page = desk.add("The login page uses Session Store for its cookies.", title="Login page", kind="component").node
    captured = desk.add("It keeps the sessions of all users.", title="Session Store", kind="component")
    assert (page.id, captured.node.id, "depends_on") in _triples(captured.relations)


def test_a_session_joins_what_was_written_under_it_whichever_came_first(desk: Desk) -> None:
    """Rule 6 joins on the session's name."""
    early = desk.capture.capture(
        CaptureRequest(content="Herring migrate north.", kind="claim"), desk.call(session="monday")
    ).node
    session = desk.capture.capture(
        CaptureRequest(content="What we did on Monday.", kind="session"), desk.call(session="monday")
    )
    late = desk.capture.capture(
        CaptureRequest(content="Violins are made of spruce.", kind="claim"), desk.call(session="monday")
    )
    assert (early.id, session.node.id, "derived_from") in _triples(session.relations)
    assert (late.node.id, session.node.id, "derived_from") in _triples(late.relations)


def _decided(decision: str) -> Callable[[Desk, Captured], None]:
    def decide(desk: Desk, turn: Captured) -> None:
        (doubt,) = turn.suggestions
        desk.curate.review((Decision(item=doubt.id, decision=decision),), desk.call(tool="review"))

    return decide


def _left_alone(_: Desk, turn: Captured) -> None:
    assert turn.suggestions[0].kind is SuggestionKind.CLASSIFICATION


@pytest.mark.parametrize(
    ("told", "joined"),
    [(_left_alone, 0), (_decided("dismiss"), 0), (_decided("accept"), 1)],
    ids=["left alone", "dismissed", "confirmed"],
)
def test_what_was_merely_taken_for_a_session_joins_nothing_until_somebody_confirms_it(
    desk: Desk, told: Callable[[Desk, Captured], None], joined: int
) -> None:
    """A turn of a conversation that sounds like work would else be what all its others derive from."""
    call = desk.call(session="monday")
    turn = desk.capture.capture(CaptureRequest(content="We worked on it, and it is finished."), call)
    assert (turn.node.kind, turn.classification.method) == ("session", "wording")
    told(desk, turn)
    later = desk.capture.capture(CaptureRequest(content="Herring migrate north.", kind="claim"), call)
    assert len(later.relations) == joined


def test_one_that_was_taken_for_a_session_does_not_hide_the_session(desk: Desk) -> None:
    """However new it is."""
    call = desk.call(session="monday")
    session = desk.capture.capture(CaptureRequest(content="What we did on Monday.", kind="session"), call)
    guessed = desk.capture.capture(CaptureRequest(content="We worked on it, and it is finished."), call)
    assert guessed.node.kind == "session"
    later = desk.capture.capture(CaptureRequest(content="Herring migrate north.", kind="claim"), call)
    assert _triples(later.relations) == {(later.node.id, session.node.id, "derived_from")}


def test_a_title_that_many_share_is_no_reason_to_ask(desk: Desk) -> None:
    """Six weekly reports ask about each other as long as who reviews can tell them apart; the eighth asks nothing."""
    asked = []
    for week, what in enumerate(("barley", "herring", "violins", "granite", "sails", "cheese", "ink", "lanterns")):
        report = desk.add(f"It was about {what} and nothing else.", title=f"Weekly harbour report {week}", kind="claim")
        asked.append(sum(each.kind is SuggestionKind.RELATION for each in report.suggestions))
    assert asked == [0, 1, 2, 3, 4, 5, 0, 0]
    said = desk.add("It replaces nothing.", title="Weekly harbour report 9", kind="claim")
    assert not [each for each in said.suggestions if each.kind is SuggestionKind.RELATION]


_GUIDELINES = (
    "# API guidelines\n\nEvery endpoint answers JSON. A page has a cursor and at most {} entries. An error has a code"
    " and a sentence. Clients are told by a key."
)


def test_a_later_version_asks_whether_it_takes_the_place_of_the_one_before(desk: Desk) -> None:
    """It repeats that one and differs from it as a matter of course, so neither is told, and nothing is rewritten."""
    first = desk.add(_GUIDELINES.format(50), title="API guidelines v1")
    desk.add(_GUIDELINES.format(100), title="Gateway guidelines v2")
    second = desk.add(_GUIDELINES.format(100), title="API guidelines v2")
    third = desk.add(_GUIDELINES.format(100) + " Keys end.", title="API guidelines v3")
    for later, earlier in ((second, first), (third, second)):
        asked = [each.proposal["relate"] for each in later.suggestions if each.kind is SuggestionKind.RELATION]
        replaced = {(each["source"], each["target"]) for each in asked if each["type"] == "supersedes"}
        assert replaced == {(later.node.id, earlier.node.id)}
        told = {each.id for each in later.near_duplicates} | {each.node.id for each in later.conflicts}
        assert earlier.node.id not in told
    assert desk.store.nodes([first.node.id])[first.node.id].status is Status.ACTIVE


def test_what_repeats_another_under_a_title_that_is_no_version_is_told(desk: Desk) -> None:
    """The twin of the test above: without versions the same texts are near-duplicates."""
    desk.add(_GUIDELINES.format(100), title="API guidelines v1")
    again = desk.add(_GUIDELINES.format(100) + " Keys end.", title="Rules of our API")
    assert [each.title for each in again.near_duplicates] == ["API guidelines v1"]


def test_a_later_number_under_one_title_asks_whether_it_takes_the_place_of_the_earlier(desk: Desk) -> None:
    """It is asked of the two that say much the same, and then not whether they have to do with each other."""
    first = desk.add("We queue with RabbitMQ, which every team runs and knows.", title="ADR-3: Queues")
    second = desk.add("Lists are sorted by name, and a page holds fifty.", title="ADR-2: Queues")
    later = desk.add("We queue with Kafka, which replays events.", title="ADR-9: Queues")
    asked = [each.proposal["relate"] for each in later.suggestions if each.kind is SuggestionKind.RELATION]
    told = {(each["type"], *sorted((each["source"], each["target"]))) for each in asked}
    assert told == {("supersedes", first.node.id, later.node.id), ("relates_to", second.node.id, later.node.id)}
    assert desk.store.nodes([first.node.id])[first.node.id].status is Status.ACTIVE


def test_claims_that_name_versions_are_no_versions(desk: Desk) -> None:
    """A title that is only how a text begins names none: which of the two claims holds is still to be told."""
    desk.add("Events follow schema v1.")
    later = desk.add("Events follow schema v2.")
    assert [each.node.title for each in later.differing] == ["Events follow schema v1."]
    assert later.differing[0].grounds == ("one says schema v2, the other schema v1",)
    assert not [each for each in later.suggestions if each.kind is SuggestionKind.RELATION]


def test_a_thing_that_two_texts_name_in_two_versions_is_told_where_only_one_may_hold(desk: Desk) -> None:
    """The network reads both: two systems may each have a version of their own."""
    for earlier, later, told in (
        ("We use Python 3.11.", "We use Python 3.12.", ["We use Python 3.11."]),
        ("Staging runs Kafka 3.4.", "Production runs Kafka 3.6.", []),
    ):
        desk.add(earlier)
        assert [each.node.title for each in desk.add(later).differing] == told


@pytest.mark.parametrize(
    ("later", "grounds"),
    [
        ("We picked REST for the public API.", ("one says REST, the other GraphQL",)),
        ("We might pick REST for the public API.", None),
        ("Originally we picked REST for the public API.", None),
        ("We picked REST for the admin API.", None),
    ],
    ids=["now", "a thought", "once", "of something else"],
)
def test_a_matter_that_is_settled_otherwise_is_told_and_nothing_rewritten(
    desk: Desk, later: str, grounds: tuple[str, ...] | None
) -> None:
    """The network takes the two for compatible; what is only weighed, or was so once, stands beside what is."""
    first = desk.add("We picked GraphQL for the public API.")
    captured = desk.add(later)
    assert [each.grounds for each in captured.differing] == ([grounds] if grounds else [])
    assert captured.conflicts == ()
    assert desk.store.nodes([first.node.id])[first.node.id].status is Status.ACTIVE


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        (("Caroline: Thanks, Melanie!", "Melanie: Wow, Caroline!"), 0),
        (("Harbour dues and berths", "Berths in the harbour"), 0),
        (("# Harbour dues\n\nIt is a list.", "# Harbour dues of May\n\nThe ships pay."), 1),
        (("Harbour dues\n\nIt is a list.", "Harbour dues of May\n\nThe ships pay."), 1),
    ],
    ids=["turns", "sentences", "headings", "lines of their own"],
)
def test_how_a_text_begins_is_no_title_unless_it_stands_by_itself(
    desk: Desk, told: tuple[str, str], asked: int
) -> None:
    """Turns of a conversation begin with the same names; whoever gives no title has not said that two are alike."""
    one, other = (desk.add(each, kind="claim") for each in told)
    assert one.node.title
    assert sum(each.kind is SuggestionKind.RELATION for each in other.suggestions) == asked


def test_a_solution_solves_the_problem_it_is_like(desk: Desk) -> None:
    """The table of kinds gives type and direction, the similarity is the strength."""
    problem = desk.add(
        "The payment worker crashes with a deadlock when two invoices are booked at once.", kind="problem"
    ).node
    captured = desk.add(
        "Booking two invoices at once no longer deadlocks the payment worker: lock the accounts in order.",
        kind="solution",
    )
    made = next(each for each in captured.relations if each.type == "solves")
    assert (made.source, made.target) == (captured.node.id, problem.id)
    assert made.confidence == dict(made.scores)["similarity"]


@pytest.mark.parametrize(
    ("linking", "found"),
    [
        (Linking.BOTH, {"depends_on", "solves"}),
        (Linking.RULES, {"depends_on"}),
        (Linking.PAIRS, {"solves"}),
        (Linking.NONE, set()),
    ],
)
def test_a_capture_says_what_may_link_it(desk: Desk, linking: Linking, found: set[str]) -> None:
    """The seven rules, the table of kinds, both or neither; mentions and likeness are told in any case."""
    desk.add("The payment worker crashes with a deadlock when two invoices are booked at once.", kind="problem")
    desk.add("It keeps the bookings apart.", title="Ledger", kind="component")
    captured = desk.add(
        "The payment worker depends on Ledger: taking its lock first ends the deadlock of two invoices booked at once.",
        kind="solution",
        linking=linking,
    )
    assert {relation.type for relation in captured.relations} == found
    assert [mention.name for mention in desk.shelf.mentions([captured.node.id], per_node=5)] == ["ledger"]


def test_a_problem_that_comes_after_its_solution_is_linked_the_same_way_round(desk: Desk) -> None:
    """The heuristic's reversed row keeps the direction of the meaning."""
    solution = desk.add(
        "Booking two invoices at once no longer deadlocks the payment worker: lock the accounts in order.",
        kind="solution",
    ).node
    captured = desk.add(
        "The payment worker crashes with a deadlock when two invoices are booked at once.", kind="problem"
    )
    assert (solution.id, captured.node.id, "solves") in _triples(captured.relations)


PUMP = (
    "The pump in the cellar runs dry whenever the river falls below the second mark, and the guard has to fill it by "
    "hand at night."
)
FENCE = (
    "Paint the garden fence with two coats of green, let it dry between them, and wash the brushes in cold water "
    "afterwards."
)


def test_a_keyword_match_without_a_shared_tag_makes_nothing(desk: Desk) -> None:
    """The twin of the next test: texts that only share a word."""
    desk.add(PUMP, title="zebra", kind="problem", tags=("night",))
    captured = desk.add(FENCE, title="zebra", kind="solution", tags=("infra",))
    assert not captured.relations


def test_a_keyword_match_with_a_shared_tag_is_as_strong_as_the_overlap(desk: Desk) -> None:
    """It is marked as keyword-only."""
    problem = desk.add(PUMP, title="zebra", kind="problem", tags=("infra", "night")).node
    captured = desk.add(FENCE, title="zebra", kind="solution", tags=("infra",))
    (made,) = captured.relations
    assert (made.source, made.target, made.type) == (captured.node.id, problem.id, "solves")
    assert (made.confidence, dict(made.scores)["keyword_only"]) == (0.5, 1.0)


def test_one_word_of_a_title_and_a_shared_tag_join_nothing(desk: Desk) -> None:
    """«Tokens» stands in half of a team's notes; two words of the title that the other text holds do join."""
    problem = {"kind": "error", "tags": ("ups", "webhooks")}
    desk.add("UPS disabled our webhook after the tokens had expired.", title="Webhook disabled", **problem)
    fix = {"kind": "solution", "tags": ("ups",)}
    one = desk.add("A lock lets one worker fetch at a time.", title="Single flight for tokens", **fix)
    assert not one.relations
    two = desk.add("A job sets it on again.", title="Set the disabled webhook on again", **fix)
    assert [each.type for each in two.relations] == ["solves"]


SEA = (
    "Herring migrate north in spring.",
    "Violins are made of spruce.",
    "The bakery opens at six.",
    "Copper conducts heat well.",
    "Snow fell on the pass in May.",
    "The library lends maps.",
    "Tulips need a cold winter.",
)


def test_a_tag_that_everything_bears_asks_about_nothing(desk: Desk) -> None:
    """The review would fill with every capture; tags that a few share still ask, and so does the twin with a few."""
    for number, content in enumerate(SEA):
        desk.add(content, kind="claim", tags=("team", "fish") if number == 0 else ("team",))
    alone = desk.add("Glass is a slow liquid, some say.", kind="claim", tags=("team",))
    assert not alone.suggestions
    both = desk.add("A clock ticks louder at night.", kind="claim", tags=("team", "fish"))
    (item,) = both.suggestions
    assert "100% of their tags" in item.summary


def test_a_tag_that_a_few_bear_asks_about_each(desk: Desk) -> None:
    """As many as may be asked about at once."""
    for content in SEA[:5]:
        desk.add(content, kind="claim", tags=("team", "noon"))
    glass = desk.add("Glass is a slow liquid, some say.", kind="claim", tags=("noon", "team"))
    assert len(glass.suggestions) == 5


def test_one_tag_is_reason_to_ask_where_the_texts_are_about_one_thing(desk: Desk) -> None:
    """Of two that are about different things it says too little; the rules alone answer with it all the same."""
    desk.add("Herring migrate north in spring.", kind="claim", tags=("coast",))
    apart = desk.add("Violins are made of spruce.", kind="claim", tags=("coast",))
    assert not apart.suggestions
    ruled = desk.add("Copper conducts heat well.", kind="claim", tags=("coast",), linking=Linking.RULES)
    assert len(ruled.suggestions) == 2
    alike = desk.add("Boats follow the herring north in spring.", kind="claim", tags=("coast",))
    assert "100% of their tags: coast" in " ".join(item.summary for item in alike.suggestions)


def test_what_a_rule_only_suggests_waits_with_a_ready_proposal(desk: Desk) -> None:
    """Shared tags are no relation yet."""
    old = desk.add("Herring migrate north in spring.", kind="claim", tags=("fish", "sea", "spring")).node
    captured = desk.add("Violins are made of spruce.", kind="claim", tags=("fish", "sea"))
    item = next(each for each in captured.suggestions if each.kind is SuggestionKind.RELATION)
    wish = item.proposal["relate"]
    assert {wish["source"], wish["target"]} == {old.id, captured.node.id}
    assert (wish["type"], wish["rule"]) == ("relates_to", "shared_tags")
    assert not captured.relations


def _asked(captured: Captured) -> list[str]:
    """Return the types of the relations that were suggested."""
    items = (each for each in captured.suggestions if each.kind is SuggestionKind.RELATION)
    return [each.proposal["relate"]["type"] for each in items]


@pytest.mark.parametrize(("linking", "asked"), [(Linking.BOTH, 0), (Linking.RULES, 1)])
def test_whether_two_are_related_is_not_asked_where_a_relation_says_how(
    desk: Desk, linking: Linking, asked: int
) -> None:
    """They share their tags as well; the toolset that has the seven rules alone answers with all that they find."""
    desk.add("A consumer tells its producer to slow down.", title="Backpressure", kind="concept", tags=("flow", "load"))
    queue = desk.add(
        "Orders wait here. It depends on Backpressure to stay bounded.",
        title="Order queue",
        kind="component",
        tags=("flow", "load"),
        linking=linking,
    )
    assert [each.type for each in queue.relations] == ["depends_on"]
    assert _asked(queue) == ["relates_to"] * asked


def test_nor_is_it_asked_where_the_caller_said_how(desk: Desk) -> None:
    """The twin says nothing, and is asked."""
    old = desk.add("Slow consumers push back.", title="Backpressure", kind="concept", tags=("flow", "load")).node
    text = {"title": "Order queue", "kind": "component", "tags": ("flow", "load")}
    twin = desk.add("Orders wait here for the warehouse.", **text)
    assert _asked(twin) == ["relates_to"]
    wish = RelationWish(type="uses", target=old.id, reasoning="to stay bounded")
    queue = desk.add("Parcels wait here for a lorry.", **text | {"title": "Parcel queue"}, relations=(wish,))
    assert old.id not in {end for each in queue.suggestions for end in each.subjects}


def test_a_wished_relation_is_not_found_a_second_time(desk: Desk) -> None:
    """One relation a pair and type, and the caller's word is it."""
    store = desk.add("It keeps the sessions of all users.", title="Session Store", kind="component").node
    captured = desk.add(
        "The login page uses Session Store.",
        title="Login page",
        kind="component",
        relations=(RelationWish(type="depends_on", target=store.id, reasoning="said so"),),
    )
    (relation,) = [each for each in captured.relations if each.type == "depends_on"]
    assert relation.origin is Origin.MANUAL


def test_mentions_are_found_in_both_directions(desk: Desk) -> None:
    """A later title links earlier texts."""
    early = desk.add("The relay sends its beacons through Blue Harbour at night.", kind="claim").node
    captured = desk.add("A place where ships lie, north of Stone Bridge.", title="Blue Harbour", kind="concept").node
    late = desk.add("Nobody crosses Stone Bridge in winter.", title="Stone Bridge", kind="concept").node
    found = {(each.node, each.target) for each in desk.shelf.mentions((captured.id,), per_node=20)}
    assert {(early.id, captured.id), (captured.id, late.id)} <= found
    assert desk.measure()[6] >= 2


def test_a_hub_does_not_gather_relations_from_everything_near_it(desk: Desk) -> None:
    """Popularity damps: of many near texts only the first ones link by likeness."""
    hub = desk.add("Deploys fail when the artefact store is full.", kind="problem", title="Full artefact store").node
    for number in range(30):
        desk.add(f"Run {number}: cleaned the full artefact store, deploys work again.", kind="solution")
    touching = [each for each in desk.store.relations((hub.id,)) if each.type == "solves"]
    assert 0 < len(touching) < 30


class _Failing:
    """A shelf on a disk that does not answer."""

    def __getattr__(self, name: str) -> Callable[..., object]:
        def fail(*_: object, **__: object) -> object:
            raise Unavailable(f"{name} does not answer")

        return fail


def test_a_capture_succeeds_when_linking_fails_and_says_so(desk: Desk) -> None:
    """The node is stored, what was wished for too; only the automatic links are missing."""
    target = desk.add("It keeps the sessions of all users.", title="Session Store", kind="component").node
    ports = CapturePorts(
        store=desk.store,
        shelf=_Failing(),  # type: ignore[arg-type]
        words=desk.words,
        vectors=desk.vectors,
        embedder=desk.embedder,
        entailment=ENTAILMENT,
        intent=INTENT,
    )
    broken = Capture(ports, home="notes")
    request = CaptureRequest(
        content="The login page uses Session Store.",
        kind="component",
        relations=(RelationWish(type="requires", target=target.id),),
    )
    captured = broken.capture(request, desk.call())
    assert captured.link_error == "named_in does not answer"
    assert desk.node(captured.node.id) == captured.node
    assert [each.type for each in desk.store.relations((captured.node.id,))] == ["requires"]


def test_a_capture_that_links_says_nothing_of_trouble(desk: Desk) -> None:
    """The twin: the field is empty when all went well."""
    assert desk.add("Herring migrate north.", kind="claim").link_error == ""


def test_the_automatic_relations_of_a_capture_are_undone_as_a_group(desk: Desk) -> None:
    """The node and what was wished for stay."""
    store = desk.add("It keeps the sessions of all users.", title="Session Store", kind="component").node
    captured = desk.add(
        "The login page uses Session Store.",
        kind="component",
        title="Login page",
        relations=(RelationWish(type="part_of", target=store.id),),
    )
    assert len(captured.relations) >= 2
    undone = desk.curate.undo(f"{captured.batch}:links", desk.call(tool="undo"))
    assert undone.reverted == len([each for each in captured.relations if each.origin is Origin.INFERRED])
    assert _triples(desk.store.relations((captured.node.id,))) == {(captured.node.id, store.id, "part_of")}
    assert desk.node(captured.node.id).retired is None


def test_a_batch_without_automatic_relations_has_no_links_to_undo(desk: Desk) -> None:
    """The twin: asking for them says so."""
    captured = desk.add("Herring migrate north.", kind="claim")
    with pytest.raises(NotFound, match="links"):
        desk.curate.undo(f"{captured.batch}:links", desk.call(tool="undo"))


BERTHS = "It defines how a ferry signals its berth."
LAMPS = "This proposal is based on NIP-0040. " + "The lamp is lit as defined in NIP-0040. " * 12


def test_a_document_that_draws_on_another_by_its_number_requires_it(desk: Desk) -> None:
    """However the number is written; the relation is asked about, by a rule of its own."""
    base = desk.add(BERTHS, title="Berth signals", kind="document", aliases=("NIP 40",)).node
    captured = desk.add(LAMPS, title="Lamps", kind="document", aliases=("NIP 41",))
    wishes = [each.proposal["relate"] for each in captured.suggestions if "relate" in each.proposal]
    shown = {(each.source, each.target, each.type) for each in captured.relations if each.rule == "numbered_reference"}
    shown |= {(wish["source"], wish["target"], wish["type"]) for wish in wishes if wish["rule"] == "numbered_reference"}
    assert shown == {(captured.node.id, base.id, "requires")}


@pytest.mark.parametrize("link", ["[[nip-0040.mediawiki|40]]", "[the signals](../nips/nip-0040.md)"])
def test_a_link_to_the_file_of_a_number_is_as_good_as_the_number(desk: Desk, link: str) -> None:
    """What its words say does not matter."""
    base = desk.add(BERTHS, title="NIP-40: Berth signals").node
    later = desk.add(f"The lamp is lit at dusk. This depends on {link}.", title="NIP-41: Lamps")
    wishes = [each.proposal["relate"] for each in later.suggestions if "relate" in each.proposal]
    (wish,) = [each for each in wishes if each["rule"] == "told_in_prose"]
    assert (wish["source"], wish["target"], wish["type"]) == (later.node.id, base.id, "requires")


def test_a_successor_by_number_is_suggested_and_ends_nothing_by_itself(desk: Desk) -> None:
    """Who reviews decides; the older one stands until then."""
    old = desk.add("Superseded by NIP-31. A ferry carries two lamps.", title="Lamps for ferries", aliases=("NIP 12",))
    new = desk.add("This proposal replaces NIP-12. A ferry carries three.", title="Ship lights", aliases=("NIP-31",))
    wishes = [each.proposal["relate"] for each in new.suggestions if "relate" in each.proposal]
    (wish,) = [each for each in wishes if each["rule"] == "told_in_prose"]
    assert (wish["source"], wish["target"], wish["type"]) == (new.node.id, old.node.id, "supersedes")
    assert desk.node(old.node.id).status is Status.ACTIVE


def test_numbers_relate_nothing_where_only_the_seven_rules_or_the_table_may(desk: Desk) -> None:
    """The project toolset keeps its seven."""
    desk.add(BERTHS, title="Berth signals", kind="document", aliases=("NIP-40",))
    for linking in (Linking.RULES, Linking.PAIRS, Linking.NONE):
        captured = desk.add(LAMPS, title=f"Lamps {linking}", kind="document", aliases=("NIP-41",), linking=linking)
        assert not [each for each in captured.relations if each.rule == "numbered_reference"]
        assert not [each for each in captured.suggestions if each.grounds.get("rule") == "numbered_reference"]


RECORD = "# {number}: {name}\n\nStatus: accepted\n{line}\n{text}"
OLD = RECORD.format(number="ADR-0003", name="Session cookies", line="", text="Sessions live in Redis.")
NEW = RECORD.format(number="ADR-0007", name="Signed tokens", line="Supersedes: ADR-0003\n", text="Tokens are signed.")


def test_what_a_text_states_to_replace_is_superseded_from_then_on(desk: Desk) -> None:
    """As with a relation that is asked for; taking the links back takes that back too."""
    old = desk.add(OLD, kind="decision").node
    new = desk.add(NEW, kind="decision")
    assert (new.node.id, old.id, "supersedes") in _triples(new.relations)
    assert (new.node.status, desk.node(old.id).status) == (Status.ACTIVE, Status.SUPERSEDED)
    assert desk.log.history(old.id, limit=1)[0].batch == new.batch
    desk.curate.undo(f"{new.batch}:links", desk.call())
    assert desk.node(old.id).status is Status.ACTIVE


@pytest.mark.parametrize("newer_first", [False, True])
def test_what_states_its_own_successor_is_superseded_whichever_came_first(desk: Desk, newer_first: bool) -> None:  # noqa: FBT001
    """The line stands in the older of the two."""
    texts = (OLD.replace("accepted", "Superseded by ADR-0007"), NEW.replace("Supersedes: ADR-0003\n", ""))
    made = [desk.add(text, kind="decision") for text in (reversed(texts) if newer_first else texts)]
    statuses = {each.node.title: desk.node(each.node.id).status for each in made}
    assert statuses == {"ADR-0003: Session cookies": Status.SUPERSEDED, "ADR-0007: Signed tokens": Status.ACTIVE}
    assert made[1].node.status is statuses[made[1].node.title]


def test_an_example_of_a_record_supersedes_nothing(desk: Desk) -> None:
    """A page that shows how records are written leaves those alone which its example names."""
    old = desk.add(OLD, kind="decision").node
    page = desk.add(f"# How records are written\n\nLike this:\n\n```md\n{NEW}\n```\n", kind="document")
    assert desk.node(old.id).status is Status.ACTIVE
    assert not [each for each in page.relations if each.type == "supersedes"]


def test_what_prose_says_of_a_successor_supersedes_nothing(desk: Desk) -> None:
    """A sentence may be history, a plan or a quotation: whatever is related for it, the other node stays as it is."""
    old = desk.add(OLD, kind="decision").node
    desk.add(NEW.replace("Supersedes: ADR-0003\n", "") + " This record supersedes ADR-0003.", kind="decision")
    assert desk.node(old.id).status is Status.ACTIVE
