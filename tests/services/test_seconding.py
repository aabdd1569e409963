"""The built-in judge: a network reads again what the rules are not to decide alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from services.desk import ENTAILMENT
from weft.model import Verdict
from weft.reason.judge import Rules, judge, strays
from weft.reason.seconding import AGREED, CONFIDENCE, SURE, seconded, worth_reading
from weft.services.seconding import Seconded
from weft.testing.judging import JudgeContract

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from weft.ports import Judge

OPEN = Verdict(verdict="unsure", confidence=0.0, grounds=("one denies what the other states",))
CALLED = Verdict(verdict="conflicts", confidence=0.8, grounds=("one denies what the other states",))
CLASH = ("Deploys happen on Fridays.", "We never deploy on Fridays.")
SAME = ("The museum is shut on Mondays.", "The museum is not open on Mondays.")


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
    assert "conflicts" not in said(Seconded(ENTAILMENT), *SAME)


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
