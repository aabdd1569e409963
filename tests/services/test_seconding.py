"""The built-in judge: a network reads again what the rules are not to decide alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from services.desk import ENTAILMENT
from weft.errors import Unavailable
from weft.model import Verdict
from weft.reason.judge import Rules, judge, strays
from weft.reason.seconding import AGREED, CLASHING, CONFIDENCE, DIFFERING, MUTUAL, SURE, seconded, worth_reading
from weft.services.seconding import Seconded
from weft.testing.judging import JudgeContract

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from weft.ports import Judge

OPEN = Verdict(verdict="unsure", confidence=0.0, grounds=("one denies what the other states",))
CALLED = Verdict(verdict="conflicts", confidence=0.8, grounds=("one denies what the other states",))
CLASH = ("Deploys happen on Fridays.", "We never deploy on Fridays.")
CHOICE = "Mia prefers dark mode."
SAME = ("Claudia is no longer in the choir.", "Claudia gave up the choir in the autumn.")


class TestSeconded(JudgeContract):
    """What every judge must do."""

    def make(self) -> Judge:
        """Return one with the bundled network."""
        return Seconded(ENTAILMENT)


class _Said:
    """A network that gives every pair the same chances, and remembers what it was asked."""

    name = "said"

    def __init__(self, conflicts: float, supports: float) -> None:
        self.chances = (conflicts, supports, 1.0 - conflicts - supports)
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def read(self, claim: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the chances."""
        self.asked.append((claim, tuple(texts)))
        return np.array([self.chances] * len(texts), np.float32)


class _Gone:
    """A network whose file is not there."""

    name = "gone"

    def read(self, *_: object) -> npt.NDArray[np.float32]:
        """Say so."""
        raise Unavailable("The bundled model's file 'entailment.onnx' is not the one that was shipped.")


def said(judge: Judge, claim: str, *texts: str) -> list[str]:
    """Return the words of the verdicts on texts that are near."""
    return [each.verdict for each in judge.judge(claim, texts, [0.9] * len(texts))]


def test_a_clash_that_the_rules_name_and_the_network_sees_is_a_conflict() -> None:
    """The rules alone leave it open."""
    claim, text = CLASH
    assert said(Rules(), claim, text) == ["unsure"]
    (found,) = Seconded(ENTAILMENT).judge(claim, [text], [0.9])
    assert found.verdict == "conflicts"
    assert found.confidence == CONFIDENCE
    assert found.grounds[-1].startswith("read as a whole only one of them can hold")


def test_agreement_in_a_denial_is_no_conflict() -> None:
    """However sure the words seem."""
    assert said(Rules(), *SAME) == ["conflicts"]
    assert said(Seconded(ENTAILMENT), *SAME) == ["unsure"]


def test_it_does_not_matter_which_was_there_before() -> None:
    """Whether two can both hold has no direction."""
    for one, other in (CLASH, SAME, ("Tokens expire after an hour.", "Access tokens do not expire unless revoked.")):
        assert said(Seconded(ENTAILMENT), one, other) == said(Seconded(ENTAILMENT), other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Contractors may not access production.", "Can contractors access production?"),
        ("The broker is redundant.", "To be clarified: whether the broker is not redundant."),
        ("The vendor signs the builds.", "We could not verify that the vendor signs the builds."),
        ("Uploads are scanned for viruses.", "There is a proposal not to scan uploads for viruses."),
        ("Originally the importer did not validate rows.", "The importer validates rows."),
    ],
)
def test_what_asks_weighs_or_was_so_once_rules_nothing_out(one: str, other: str) -> None:
    """However sure the network is."""
    network = _Said(1.0, 0.0)
    assert said(Seconded(network), one, other) == said(Seconded(network), other, one) == ["unsure"]


def test_of_long_texts_the_sentences_that_clash_are_read() -> None:
    """The network reads a hundred words; what comes before the clash must not fill them."""
    opening = " ".join(["The team met in the morning and went through the list of open points once more."] * 5)
    network = _Said(1.0, 0.0)
    said(Seconded(network), f"{opening} {CLASH[0]}", f"{opening} {CLASH[1]}")
    assert all(len(text.split()) < 20 for claim, texts in network.asked for text in (claim, *texts))


def test_a_clash_is_worth_telling_where_the_network_sees_a_chance_of_a_conflict() -> None:
    """What is called a conflict, or is said in another language, is not its business."""
    verdict = judge(*CLASH, similarity=0.9)
    assert Seconded(_Said(CLASHING, 0.0)).differ(verdict, *CLASH)
    assert not Seconded(_Said(CLASHING - 0.01, 0.0)).differ(verdict, *CLASH)
    assert not Seconded(_Said(1.0, 0.0)).differ(CALLED, *CLASH)
    french = ("Le délai de livraison en Suisse est de 3 jours.", "Le délai de livraison en Italie est de 5 jours.")
    network = _Said(0.0, 0.0)
    Seconded(network).differ(judge(*french, similarity=0.9), *french)
    assert network.asked == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mia prefers dark mode.", "Mia prefers light mode."),
        ("The migration of the ledger was successful.", "The migration of the ledger failed."),
        ("The daily standup is at 9:30.", "The daily standup is at 10:15."),
        ("The release manager is Clara.", "The release manager is Hugo."),
    ],
)
def test_what_no_rule_names_is_worth_telling_where_the_network_sees_it_both_ways(one: str, other: str) -> None:
    """The twins are below the mark, agree, or speak of two things."""
    open_ = judge(one, other, similarity=0.9)
    assert (open_.verdict, open_.grounds) == ("unsure", ())
    assert Seconded(ENTAILMENT).differ(open_, one, other)
    assert Seconded(ENTAILMENT).differ(open_, other, one)
    assert not Seconded(_Said(DIFFERING - 0.01, 0.0)).differ(open_, one, other)
    assert not Seconded(_Gone()).differ(open_, one, other)
    for said in ("Mia switched everything to dark mode.", "Jonas prefers light mode."):
        assert not Seconded(ENTAILMENT).differ(judge(said, CHOICE, similarity=0.9), said, CHOICE)


def test_what_settles_one_matter_otherwise_is_worth_telling_without_the_network() -> None:
    """The twins speak of two matters, and are no longer open."""
    one, other = "Queues run on RabbitMQ.", "Queues run on NATS."
    open_ = judge(one, other, similarity=0.9)
    network = _Said(0.0, 0.0)
    assert Seconded(network).differ(open_, one, other)
    assert network.asked == []
    assert not Seconded(network).differ(open_, one, "Builds run on NATS.")
    assert not Seconded(network).differ(CALLED, one, other)


def test_what_names_two_of_many_is_not_worth_telling_whatever_the_network_sees() -> None:
    """It is sure of a conflict here; the twin names the only one."""
    one, other = "The service depends on Postgres.", "The service depends on Redis."
    for text, told in ((other, False), ("The service depends on Redis only.", True)):
        assert Seconded(_Said(1.0, 0.0)).differ(judge(one, text, similarity=0.9), one, text) is told


def test_two_texts_say_the_same_where_the_network_reads_each_to_say_the_other() -> None:
    """Whichever was there before; the twins are below the mark, in another language, and without the network."""
    assert Seconded(_Said(0.0, MUTUAL + 0.01)).same(*SAME)
    assert not Seconded(_Said(0.0, MUTUAL - 0.01)).same(*SAME)
    french = ("Le délai de livraison en Suisse est de 3 jours.", "En Suisse le délai de livraison est de 3 jours.")
    assert not Seconded(_Said(0.0, 1.0)).same(*french)
    assert not Seconded(_Gone()).same(*SAME)
    one, other = "Every release is tagged in Git.", "Every release is tagged in Git and signed with the team's key."
    assert not Seconded(ENTAILMENT).same(one, other)
    assert not Seconded(ENTAILMENT).same(other, one)


def test_without_the_network_the_rules_decide_alone() -> None:
    """A file that is missing costs what it would have added, and no capture."""
    for one, other in (CLASH, SAME):
        assert said(Seconded(_Gone()), one, other) == said(Rules(), one, other)
    assert Seconded(_Gone()).differ(judge(*CLASH, similarity=0.9), *CLASH)


def test_a_denial_in_which_the_network_sees_agreement_is_left_open_and_says_so() -> None:
    """The twin stands."""
    doubted = seconded(CALLED, (0.0, AGREED))
    assert (doubted.verdict, doubted.confidence) == ("unsure", 0.0)
    assert doubted.grounds == (*CALLED.grounds, "but read as a whole both may hold")
    assert seconded(CALLED, (0.0, AGREED - 0.01)) == CALLED


def test_only_what_is_nearly_sure_becomes_a_conflict() -> None:
    """What the rules left open stays so below the mark."""
    assert seconded(OPEN, (SURE, 0.0)).verdict == "conflicts"
    assert seconded(OPEN, (SURE - 0.01, 0.0)) == OPEN


def test_the_network_alone_calls_nothing() -> None:
    """Where the rules name no clash on the same matter it is not even asked."""
    network = _Said(1.0, 0.0)
    claim = "The cache is cleared when the session ends."
    texts = ["Penguins keep their eggs warm on their feet.", claim, ""]
    assert "conflicts" not in said(Seconded(network), claim, *texts)
    assert network.asked == []


def test_only_what_is_to_be_read_again_is_read() -> None:
    """In one go."""
    network = _Said(0.0, 0.0)
    said(Seconded(network), CLASH[0], "Penguins swim.", CLASH[1])
    assert network.asked == [(CLASH[0], (CLASH[1],))]


@pytest.mark.parametrize(("claim", "text"), [CLASH, CLASH[::-1]])
def test_what_is_read_is_a_clash_about_the_same_matter(claim: str, text: str) -> None:
    """A denial of something else is none."""
    found = judge(claim, text, similarity=0.9)
    assert found.grounds
    assert not strays(claim, text)
    assert worth_reading(found, claim, text)
    assert not worth_reading(Verdict(verdict="unsure", confidence=0.0, grounds=()), claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The oven must be preheated.", "The oven must not be preheated."),
        ("RNNs process a sequence in parallel.", "RNNs process sequences sequentially."),
    ],
)
def test_one_word_that_differs_and_poles_are_the_rules_business(claim: str, text: str) -> None:
    """The network overlooks a «not» in sentences that else are the same."""
    network = _Said(0.0, 1.0)
    assert said(Seconded(network), claim, text) == ["conflicts"]
    assert network.asked == []


def test_other_languages_are_left_to_the_rules() -> None:
    """The network reads English: what it does not see there is not doubted."""
    network = _Said(0.0, 1.0)
    claim, text = "Der Cache wird geleert.", "Der Cache wird nicht geleert."
    assert said(Seconded(network), claim, text) == said(Rules(), claim, text) == ["conflicts"]
    assert network.asked == []


def test_an_even_number_of_clashes_is_none_whatever_the_network_reads() -> None:
    """What turns twice says the same; the twin turns once."""
    judge = Seconded(ENTAILMENT)
    for one, other in (
        ("With the index the query is fast.", "Without the index the query is slow."),
        ("Younger users liked the app more.", "Older users liked the app less."),
    ):
        assert said(judge, one, other) == ["unsure"]
        assert said(judge, other, one) == ["unsure"]
    assert said(judge, "With the index the query is fast.", "With the index the query is slow.") == ["conflicts"]
    killed, fine = (
        "The build is killed, since it has 1 GB of memory.",
        "The build is not killed, since it has 4 GB of memory.",
    )
    assert said(judge, killed, fine) == ["conflicts"]  # another number turns nothing
