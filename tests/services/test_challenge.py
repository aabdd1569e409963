"""Challenge: what stands for a claim, what against it, and what is left to judge."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from services.readers import challenger_of, trace_of
from weft.errors import InvalidArgument, NotFound
from weft.model import Scope, Verdict
from weft.reason.evidence import Sentence
from weft.reason.judge import Rules
from weft.services.trace.siding import BEARING, Close, bearing, judged, stating, worth_judging

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Challenged
    from weft.services.trace.trace import Trace

QUADRATIC = "The cost of self-attention is quadratic in sequence length."


@pytest.fixture
def trace(desk: Desk, tmp_path: Path) -> Trace:
    """The verbs that follow relations, over the desk."""
    return trace_of(desk, tmp_path)


def _ids(sides: tuple[object, ...]) -> list[str]:
    return [side.node.id for side in sides]


def _everything(answer: Challenged) -> set[str]:
    return {*_ids(answer.supports), *_ids(answer.conflicts), *_ids(answer.to_judge)}


@pytest.mark.parametrize(
    ("known", "claim"),
    [
        (QUADRATIC, "Attention is linear in sequence length"),
        ("RNNs process sequences step by step.", "RNNs process the whole sequence in parallel"),
        ("The gateway is written in Rust.", "The gateway is not written in Rust."),
    ],
)
def test_a_claim_of_the_opposite_is_found_by_its_wording(desk: Desk, trace: Trace, known: str, claim: str) -> None:
    """Orders of growth, ways of working, plain denial: each is a conflict, with its grounds."""
    node = desk.add(known, kind="claim").node
    desk.add("Penguins keep their eggs warm on their feet.", kind="claim")
    answer = trace.challenge(claim, desk.call())
    assert _ids(answer.conflicts) == [node.id]
    assert answer.conflicts[0].grounds
    assert answer.claim_node is None
    assert not answer.supports


@pytest.mark.parametrize(
    "claim",
    [QUADRATIC, "Self-attention has a cost that is quadratic in the length of the sequence."],
    ids=("same words", "paraphrase"),
)
def test_agreement_is_never_a_conflict(desk: Desk, trace: Trace, claim: str) -> None:
    """The same thing said, in whatever words, never stands against itself."""
    node = desk.add(QUADRATIC, kind="claim").node
    answer = trace.challenge(claim, desk.call())
    assert answer.conflicts == ()
    assert node.id in {*_everything(answer), answer.claim_node.id if answer.claim_node else ""}


@pytest.mark.parametrize(
    "known", ["It is written in Go. ~~The gateway is written in Rust.~~", "~~The gateway is written in Rust.~~"]
)
def test_what_a_text_has_struck_out_is_on_no_side_and_leans_to_none(desk: Desk, trace: Trace, known: str) -> None:
    """It is shown, for somebody to judge."""
    node = desk.add(known, kind="claim").node
    answer = trace.challenge("The gateway is written in Rust.", desk.call())
    assert _ids(answer.to_judge) == [node.id]
    leaning = answer.to_judge[0].leaning
    assert leaning is None or leaning.likely != "supports"


@pytest.mark.parametrize("heading", ["Rejected", "Non-goals", "Alternatives considered"])
def test_what_a_text_says_under_a_heading_that_takes_it_back_supports_nothing(
    desk: Desk, trace: Trace, heading: str
) -> None:
    """It leans the other way, and the grounds and the snippet name the heading; the twin: under «Decision» it supports.

    What the text denies there in so many words, it denies.
    """
    text = f"# Queue of the gateway\n\nJobs are kept in one table a queue.\n\n## {heading}\n\n"
    said = "Redis holds the queue of the gateway."
    node = desk.add(f"{text}{said}\n\n{'Nothing else is of note here. ' * 12}").node
    (left,) = trace.challenge(said, desk.call()).to_judge
    assert left.leaning is not None
    assert left.leaning.conflicts > left.leaning.supports
    assert heading in left.grounds[0]
    assert f"{heading}: {said}" in left.snippet
    (denied,) = trace.challenge("Redis does not hold the queue of the gateway.", desk.call()).to_judge
    assert denied.node.id == node.id
    desk.add(f"{text.replace(heading, 'Decision')}{said}", title="Queue as it was chosen", ontology="chosen")
    assert [side.node.ontology for side in trace.challenge(said, desk.call()).supports] == ["chosen"]


def test_recorded_relations_of_the_claim_itself_decide(desk: Desk, trace: Trace) -> None:
    """What refutes it conflicts and what supports it supports, whatever the wording and however far apart."""
    claim = desk.add("Small teams ship faster.", kind="claim").node
    against = desk.add("Glaciers carve deep valleys.", kind="claim").node
    backing = desk.add("A violin has four strings.", kind="claim").node
    desk.join(against.id, claim.id, "refutes")
    desk.join(backing.id, claim.id, "supports")
    answer = trace.challenge("Small teams ship faster.", desk.call())
    assert answer.claim_node == claim
    assert _ids(answer.conflicts) == [against.id]
    assert _ids(answer.supports) == [backing.id]
    assert answer.conflicts[0].relation is not None
    assert "refutes" in answer.conflicts[0].grounds[0]


def test_an_opposite_is_never_taken_for_the_claim_itself(desk: Desk, trace: Trace) -> None:
    """However near in words: it stands against the claim, and what supports it is not for the claim."""
    text = "Light roasts need hotter water than dark roasts."
    hotter = desk.add(text, kind="claim", title="Light roasts need hotter water").node
    backing = desk.add("Water just off the boil extracts coffee best.", kind="claim").node
    desk.join(hotter.id, backing.id, "supports")
    answer = trace.challenge("Light roasts need colder water than dark roasts.", desk.call())
    assert answer.claim_node is None
    assert hotter.id in _ids(answer.conflicts)
    assert backing.id not in _ids(answer.supports)
    assert trace.challenge(text, desk.call()).claim_node == hotter


@pytest.mark.parametrize(
    ("known", "claim"),
    [
        (
            "The lake is deep in the south and shallow in the north.",
            "The lake is shallow in the south and deep in the north.",
        ),
        ("Flat biomaterials lack inductive properties.", "Flat biomaterials have inductive properties."),
    ],
    ids=("places swapped", "an opposite that the rules do not know"),
)
def test_an_opposite_that_no_rule_knows_is_left_to_judge(desk: Desk, trace: Trace, known: str, claim: str) -> None:
    """Likeness alone never makes it the claim itself: it would be hidden, and the verdict recorded on its own end."""
    node = desk.add(known, kind="claim").node
    answer = trace.challenge(claim, desk.call())
    assert answer.claim_node is None
    assert node.id in {*_ids(answer.conflicts), *_ids(answer.to_judge)}


@pytest.mark.parametrize(("verdict", "taken"), [("supports", True), ("unsure", False), ("conflicts", False)])
def test_a_near_repetition_states_the_claim_only_where_the_judge_reads_it_so(
    desk: Desk, verdict: str, *, taken: bool
) -> None:
    """Where the judge abstains it may be an opposite; the twin that says it in nearly the same words is taken."""
    node = desk.add("Light roasts like crisp water.", kind="claim").node
    claim = "Light roasts like mild water."
    close = Close(node=node, similarity=0.97, sentences=(Sentence(0, len(node.content), node.content),))
    (side,) = judged("Some light roasts like water that is crisp.", [close], Rules()).values()
    side = replace(side, verdict=verdict)
    assert (stating(claim, [close], {node.id: side}) == node) is taken


def test_copies_of_a_claim_do_not_support_it(desk: Desk, trace: Trace) -> None:
    """However many ontologies keep it, it was said once; what is recorded of one of them counts."""
    claim = "Tart cherry juice lengthens sleep."
    copies = [desk.add(claim, kind="claim", ontology=name).node for name in ("sleep", "food", "notes")]
    against = desk.add("A trial of tart cherry juice and sleep found no difference.", kind="claim").node
    desk.join(against.id, copies[2].id, "refutes")
    found = trace.challenge(claim, desk.call())
    assert (found.supports, found.to_judge) == ((), ())
    assert _ids(found.conflicts) == [against.id]


def test_what_superseded_the_claim_speaks_against_it(desk: Desk, trace: Trace) -> None:
    """Whoever checks the old rule in its own words learns no less than by others."""
    old = desk.add("Every release needs two approvals.", kind="convention").node
    new = desk.add("Since October a single signature is enough for a release.", kind="convention").node
    desk.join(new.id, old.id, "supersedes")
    answer = trace.challenge("Every release needs two approvals.", desk.call())
    assert answer.claim_node is not None
    assert _ids(answer.conflicts) == [new.id]
    assert "supersedes" in answer.conflicts[0].grounds[0]
    assert not answer.supports


def test_a_text_of_several_statements_is_not_the_claim_that_one_of_them_makes(desk: Desk, trace: Trace) -> None:
    """Another of them may take it back; so it is shown."""
    node = desk.add("Deploys on Fridays are allowed. That was withdrawn in March.", kind="convention").node
    answer = trace.challenge("Deploys on Fridays are allowed.", desk.call())
    assert answer.claim_node is None
    assert node.id in _everything(answer)


def test_an_article_more_is_still_the_claim_itself(desk: Desk, trace: Trace) -> None:
    """The same words in the same order, where the judge says nothing of them."""
    node = desk.add("Attention mechanisms scale quadratically with sequence length", kind="claim").node
    answer = trace.challenge("Attention mechanisms scale quadratically with the sequence length.", desk.call())
    assert answer.claim_node == node


def test_a_recorded_conflict_about_a_topic_is_shown(desk: Desk, trace: Trace) -> None:
    """A topic takes no side: both parties of the contradiction are named, with the relation."""
    bigger = desk.add("Bigger models give better performance.", kind="claim").node
    smaller = desk.add("Small specialised models match the performance of large ones.", kind="claim").node
    desk.join(bigger.id, smaller.id, "contradicts")
    answer = trace.challenge("model size and performance", desk.call())
    assert {*_ids(answer.conflicts)} == {bigger.id, smaller.id}
    assert {side.relation.type for side in answer.conflicts if side.relation} == {"contradicts"}


def test_a_recorded_conflict_does_not_make_agreement_a_conflict(desk: Desk, trace: Trace) -> None:
    """Who says what one party says conflicts with the other party only."""
    bigger = desk.add("Bigger models give better performance.", kind="claim").node
    smaller = desk.add("Small specialised models match the performance of large ones.", kind="claim").node
    desk.join(bigger.id, smaller.id, "contradicts")
    answer = trace.challenge("Bigger models give better performance", desk.call())
    assert _ids(answer.conflicts) == [smaller.id]
    assert answer.claim_node == bigger


def test_what_the_judge_is_unsure_of_is_left_to_the_caller(desk: Desk, trace: Trace) -> None:
    """Close but undecided: shown with its similarity, on neither side."""
    node = desk.add("Remote teams write more documentation than co-located teams do.", kind="claim").node
    answer = trace.challenge("Working remotely changes how much teams document", desk.call())
    assert node.id not in {*_ids(answer.conflicts), *_ids(answer.supports)}
    (left,) = answer.to_judge
    assert left.node.id == node.id
    assert left.similarity >= 0.7


def test_the_sentence_that_matters_is_found_in_a_long_text(desk: Desk, trace: Trace) -> None:
    """A note of many sentences conflicts by one of them."""
    before = "Transformers read all tokens of a text at once. They were introduced for translation. "
    node = desk.add(f"{before * 4}{QUADRATIC} They need much memory.", title="Notes on transformers").node
    answer = trace.challenge("The cost of self-attention is linear in sequence length", desk.call())
    assert _ids(answer.conflicts) == [node.id]


def test_the_sentence_that_says_it_in_other_words_is_shown_of_a_long_text(desk: Desk, trace: Trace) -> None:
    """Its own words stand in many others; what they mean where they stand is kept with the passages."""
    filling = "The nightly run is described here, and the nightly run was written by the team. " * 25
    settling = "Every night the job purges all stale rows."
    node = desk.add(f"Housekeeping\n\n{filling}\n\n{settling}\n\n{filling}", kind="document").node
    answer = trace.challenge("The nightly run keeps outdated records forever", desk.call())
    (side,) = [each for each in (*answer.to_judge, *answer.conflicts, *answer.supports) if each.node.id == node.id]
    assert settling in side.snippet


def test_each_side_shows_the_sentences_of_a_long_text_that_bear_on_the_claim(desk: Desk, trace: Trace) -> None:
    """Its opening says nothing to whoever is to judge. A short text is shown whole."""
    opening = "# Status\n\nAccepted by the team in June. See the minutes of the meeting.\n\n"
    story = "The team met often that year, and there was much to talk about each time. " * 8
    said = "Sessions of the gateway are kept in Redis,\nso that a restart does not sign anybody out."
    desk.add(f"{opening}{story}\n\n{said}\n\n{story}", title="Sessions")
    desk.add("The gateway keeps its sessions in memory until it restarts.")
    answer = trace.challenge("A restart of the gateway signs everybody out of their sessions", desk.call())
    long, short = sorted(
        (*answer.to_judge, *answer.conflicts, *answer.supports), key=lambda side: -len(side.node.content)
    )
    assert " ".join(said.split()) in long.snippet
    assert "Accepted" not in long.snippet
    assert short.snippet == short.node.content


def test_a_long_text_that_settles_a_claim_in_one_sentence_is_left_to_judge_though_it_is_not_alike(
    desk: Desk, trace: Trace
) -> None:
    """The twins: what is as far and says nothing of it is not worth a judgement; what is alike is, whatever it says."""
    story = "The choir met in the old hall. A new printer was bought. Two volunteers water the garden. " * 3
    said = "Sessions of the gateway are kept in Redis, so that a restart does not sign anybody out."
    desk.add(f"# Minutes\n\n{story}{said} {story}", title="Minutes of June")
    (side,) = trace.challenge("Logins survive a restart", desk.call()).to_judge
    assert 0.5 <= side.similarity < 0.7
    assert said in side.snippet
    assert side.leaning is not None
    assert bearing(side) == side.leaning.conflicts + side.leaning.supports >= BEARING
    silent = replace(side, leaning=replace(side.leaning, conflicts=BEARING / 4, supports=BEARING / 4))
    unread = replace(side, leaning=None)
    assert worth_judging(side)
    assert not any(map(worth_judging, (silent, unread)))
    assert all(worth_judging(replace(each, similarity=0.7)) for each in (silent, unread))


def test_what_is_far_away_is_left_out(desk: Desk, trace: Trace) -> None:
    """Nothing close, nothing said."""
    desk.add("Penguins keep their eggs warm on their feet.", kind="claim")
    assert not _everything(trace.challenge("Interest rates rise in autumn", desk.call()))


def test_limit_and_scope_hold(desk: Desk, trace: Trace) -> None:
    """Each side is cut to the limit, and only what is in scope takes part."""
    for kind in ("claim", "insight", "concept"):
        desk.add(QUADRATIC.replace("The cost", f"The {kind} cost"), kind=kind)
    claim = "The cost of self-attention is linear in sequence length"
    assert len(trace.challenge(claim, desk.call(), limit=2).conflicts) <= 2
    assert not _everything(trace.challenge(claim, desk.call(), scope=Scope.LEARNED))
    for wrong in ("", "x" * 2_001):
        with pytest.raises(InvalidArgument, match="claim"):
            trace.challenge(wrong, desk.call())
    with pytest.raises(InvalidArgument, match="limit"):
        trace.challenge(claim, desk.call(), limit=0)


def test_what_settles_the_matter_otherwise_is_likely_to_conflict_and_the_grounds_say_so(
    desk: Desk, trace: Trace
) -> None:
    """It is left to judge all the same; the twins speak of another matter, or stand under a heading of what was not."""
    desk.add("Secrets are kept in Vault.", kind="claim")
    (left,) = trace.challenge("Secrets are kept in 1Password.", desk.call()).to_judge
    assert left.grounds == ("one says 1Password, the other Vault",)
    assert left.leaning is not None
    assert left.leaning.likely == "conflicts"
    desk.add("# Where the wiki lives\n\n## Rejected\n\nThe wiki lives in Confluence.", kind="decision")
    for claim in ("Secrets are read from 1Password.", "The wiki lives in Notion."):
        sides = trace.challenge(claim, desk.call()).to_judge
        assert sides
        assert not [ground for side in sides for ground in side.grounds if ground.startswith("one says")]


def test_likeness_does_not_decide_between_the_parties_of_a_recorded_conflict(desk: Desk, trace: Trace) -> None:
    """A claim that says something and is like both parties is left to judge; their grounds name the conflict."""
    bigger = desk.add("Bigger language models are always better.", kind="claim").node
    smaller = desk.add("Small specialised models can outperform large general models.", kind="claim").node
    desk.join(bigger.id, smaller.id, "contradicts")
    answer = trace.challenge("Larger models always perform better", desk.call())
    assert bigger.id not in _ids(answer.conflicts)
    for side in answer.to_judge:
        assert any("recorded conflict" in ground for ground in side.grounds)


WATERING = "Regular watering increases the yield of tomatoes in dry summers."
LEFT = (
    "In three dry summers watering made little difference to what the tomatoes in the trial yielded.",
    "Tomatoes are grown in most gardens of the valley, and in dry summers they are watered.",
    "Gardeners of the valley say that watering tomatoes keeps the yield up when the summer is dry.",
)


def test_what_is_left_to_judge_comes_with_its_leaning_likeliest_to_bear_on_the_claim_first(
    desk: Desk, trace: Trace
) -> None:
    """No verdict: likelihoods for both sides, and a mark where one is high enough."""
    for text in LEFT:
        desk.add(text, kind="claim")
    answer = trace.challenge(WATERING, desk.call())
    assert len(answer.to_judge) == len(LEFT)
    leanings = [side.leaning for side in answer.to_judge if side.leaning]
    assert len(leanings) == len(LEFT)
    bearing = [each.conflicts + each.supports for each in leanings]
    assert bearing == sorted(bearing, reverse=True)
    assert all(side.verdict == "unsure" for side in answer.to_judge)
    denied = next(side for side in answer.to_judge if side.node.content == LEFT[0])
    assert denied.leaning
    assert denied.leaning.likelier == "conflicts"
    assert all(each.likelier == "supports" for each in leanings if each != denied.leaning)


def test_a_denial_in_other_words_is_a_conflict_where_the_network_sees_it_too(desk: Desk, trace: Trace) -> None:
    """The rules name the clash and would leave it; the twin says the same."""
    against = desk.add("In three dry summers watering did not raise what the tomatoes in the trial yielded.").node
    desk.add("In three dry summers watering did raise what the tomatoes in the trial yielded.")
    answer = trace.challenge(WATERING, desk.call())
    assert [side.node.id for side in answer.conflicts] == [against.id]
    assert "read as a whole" in answer.conflicts[0].grounds[-1]


@pytest.mark.parametrize(
    ("known", "claim"),
    [
        ("Сессии не хранятся в базе данных", "Сессии хранятся в базе данных, а не в памяти"),
        ("会话保存在数据库里，重启之后不会丢失", "会话重启之后会丢失"),
        ("Die Sitzungen liegen nicht mehr in der Datenbank des Servers", "Die Sitzungen liegen in der Datenbank"),
    ],
)
def test_what_is_written_in_another_language_is_left_to_judge_without_a_leaning(
    desk: Desk, trace: Trace, known: str, claim: str
) -> None:
    """The signs were learned on English; a denial that they do not see would lean to support what it denies."""
    note = desk.add(known, kind="claim").node
    answer = trace.challenge(claim, desk.call())
    assert _ids(answer.to_judge) == [note.id]
    assert answer.to_judge[0].leaning is None


def test_what_is_decided_does_not_lean(desk: Desk, trace: Trace) -> None:
    """A recorded relation and a verdict stand for themselves."""
    desk.add(QUADRATIC, kind="claim")
    answer = trace.challenge("The cost of self-attention is linear in sequence length.", desk.call())
    assert answer.conflicts
    assert all(side.leaning is None for side in (*answer.conflicts, *answer.supports))


class Contrary:
    """A judge of somebody's own: it calls everything a conflict, and keeps what it was asked."""

    name = "contrary"

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    def judge(self, claim: str, texts: Sequence[str], similarities: Sequence[float]) -> tuple[Verdict, ...]:
        """Call everything a conflict."""
        assert len(texts) == len(similarities)
        self.asked.append((claim, *texts))
        return tuple(Verdict(verdict="conflicts", confidence=0.5, grounds=("I say so",)) for _ in texts)


def test_another_judge_can_take_the_place_of_the_rules(desk: Desk) -> None:
    """It is asked once a claim, of what is close, and its word is shown; a recorded relation still says more."""
    nodes = [desk.add(text, kind="claim").node for text in LEFT]
    far = desk.add("Penguins keep their eggs warm on their feet.", kind="claim").node
    stated = desk.add(WATERING, kind="claim").node
    desk.join(nodes[2].id, stated.id, "supports")
    judge = Contrary()
    answer = challenger_of(desk, judge=judge).challenge(WATERING, limit=10, scope=Scope.ALL)
    assert [each[0] for each in judge.asked] == [WATERING]
    assert far.content not in judge.asked[0]
    assert {*_ids(answer.conflicts)} == {nodes[0].id, nodes[1].id}
    assert answer.conflicts[0].grounds == ("I say so",)
    assert _ids(answer.supports) == [nodes[2].id]
    assert answer.to_judge == ()


def test_what_follows_from_a_node_is_not_thereby_on_its_side(desk: Desk, trace: Trace) -> None:
    """It may hold on other grounds: only what supports or implies a party speaks with it, near the claim or not."""
    wolves = desk.add("Wolves reduce the browsing of young trees by deer.", kind="claim").node
    aspen = desk.add("Reducing browsing by deer lets young aspen grow again.", kind="claim").node
    scat = desk.add("Deer avoid slopes where young trees stand near wolf dens.", kind="claim").node
    desk.join(wolves.id, aspen.id, "implies")
    desk.join(scat.id, wolves.id, "supports")
    against = trace.challenge("Wolves increase the browsing of young trees by deer", desk.call())
    assert _ids(against.conflicts) == [wolves.id, scat.id]
    own = trace.challenge(wolves.content, desk.call())
    assert own.claim_node == wolves
    assert scat.id in _ids(own.supports)


def test_what_conflicts_itself_comes_before_what_only_speaks_for_it(desk: Desk, trace: Trace) -> None:
    """The closest first, but for what is recorded of the claim's own node: that comes before all."""
    backing = desk.add("Measles has a basic reproduction number between 12 and 18.", kind="claim").node
    most = desk.add("Vaccinating 95 percent of children stops the spread of measles.", kind="claim").node
    desk.join(backing.id, most.id, "supports")
    claim = "Vaccinating 80 percent of children stops the spread of measles."
    assert _ids(trace.challenge(claim, desk.call()).conflicts) == [most.id, backing.id]
    own = desk.add(claim, kind="claim").node
    far = desk.add("Glaciers carve deep valleys.", kind="claim").node
    desk.join(far.id, own.id, "refutes")
    assert _ids(trace.challenge(claim, desk.call()).conflicts) == [far.id, most.id, backing.id]


def test_the_id_of_a_node_stands_for_what_it_says(desk: Desk, trace: Trace) -> None:
    """An id in the place of a claim is no claim of its own that nothing speaks against."""
    linear = desk.add("Attention is linear in sequence length.", kind="claim").node
    node = desk.add(QUADRATIC, kind="claim").node
    for claim in (linear.id, f"weft://node/{linear.id}"):
        answer = trace.challenge(claim, desk.call())
        assert (answer.claim, answer.claim_node) == (linear.content, linear)
        assert _ids(answer.conflicts) == [node.id]
    desk.capture.forget(linear.id, desk.call(), confirm=True)
    with pytest.raises(NotFound, match=r"claim «.*» names a node that ada forgot"):
        trace.challenge(linear.id, desk.call())
