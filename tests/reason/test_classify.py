"""The classifier: keywords with word boundaries, hook boosts, bands, and the wording where keywords are not sure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.errors import InvalidArgument
from weft.reason.classify import LIKENESS_LEAD, LIKENESS_MIN, WORDING_MIN, classify
from weft.reason.cues import READ
from weft.vocabulary import KINDS, PROJECT_KINDS, Kind, Own, Vocabulary

if TYPE_CHECKING:
    from weft.model import Classification

ONE_OF_EACH = {
    "decision": (
        "Storage engine",
        "Decision: we chose SQLite. The alternative was a server; the trade-off and the rationale are below.",
    ),
    "component": ("Mailer", "A service in the library package; each module holds one class."),
    "convention": ("Naming", "The guideline is a standard practice of ours: this rule of style is binding."),
    "concept": ("Tenant", "Definition: the concept of a tenant, its meaning in our domain and its lifecycle."),
    "pattern": ("Repository", "A reusable pattern; this approach is a strategy with a template."),
    "issue": ("Slow list", "This issue is a bug and a bottleneck; the error shows old debt."),
    "session": (
        "Tuesday",
        "In this session I worked on the parser, made progress, finished it and completed the tests.",
    ),
}


@pytest.mark.parametrize("kind", PROJECT_KINDS)
def test_a_text_full_of_a_kinds_words_is_confidently_of_that_kind(kind: str) -> None:
    """One example a kind, with four keywords or more."""
    found = classify(*ONE_OF_EACH[kind])
    assert (found.kind, found.confident, found.method) == (kind, True, "keywords")
    assert found.confidence >= 0.6


def test_decision_chose_and_alternative_score_not_confident() -> None:
    """Three keywords are worth 0.45, which is under 0.6: the documented example."""
    found = classify("Use PostgreSQL for data persistence", "Decision: we chose PostgreSQL; the alternative was MySQL.")
    assert (found.kind, found.confidence, found.confident) == ("decision", 0.45, False)


def test_four_keywords_are_confident() -> None:
    """The bound, 0.6, is inside; the twin of the test above."""
    found = classify("ADR", "Decision: we chose PostgreSQL; the alternative was MySQL.")
    assert (found.confidence, found.confident) == (0.6, True)


def test_a_keyword_counts_once_however_often_it_stands() -> None:
    """Repetition does not add up."""
    assert classify("bug bug", "a bug, the bugs, bug!").confidence == 0.15


@pytest.mark.parametrize(
    "text",
    [
        "The cost is quadratic.",
        "A classic film.",
        "It was ruled out.",
        "He practised law.",
        "Debtors meet.",
        "Subtext.",
    ],
)
def test_a_keyword_inside_another_word_does_not_count(text: str) -> None:
    """«adr» is not in quadratic, «class» not in classic, «rule» not in ruled out."""
    assert classify("", text).confidence == 0.0


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We decided.", "decision"),
        ("ADRs", "decision"),
        ("the trade-offs", "decision"),
        ("a tradeoff", "decision"),
        ("UserService", "component"),
        ("libraries", "component"),
        ("Rules!", "convention"),
        ("strategies", "pattern"),
        ("DEBTS", "issue"),
    ],
)
def test_a_keyword_counts_in_its_plural_and_its_other_forms(text: str, kind: str) -> None:
    """Stems, case and identifiers are seen through."""
    found = classify("", text)
    assert (found.kind, found.confidence) == (kind, 0.15)


def test_a_trade_off_is_two_words_that_follow_one_another() -> None:
    """«off trade» and «trade it off» are none."""
    assert classify("", "Trade it off, an off-trade day.").confidence == 0.0


def test_a_text_without_keywords_is_a_concept_with_no_confidence() -> None:
    """The default, and no alternatives where nothing speaks for any."""
    found = classify("Hello", "World")
    assert (found.kind, found.confidence, found.confident, found.alternatives) == ("concept", 0.0, False, ())


def test_hooks_add_their_boost() -> None:
    """A commit speaks for a session with 0.2, a changed file for a component with 0.1, and a person for nothing."""
    assert classify("", "x", channel="hook_commit").kind == "session"
    assert classify("", "x", channel="hook_commit").confidence == 0.2
    assert classify("", "x", channel="hook_file_change").kind == "component"
    assert classify("", "x", channel="hook_file_change").confidence == 0.1
    assert classify("", "x", channel="manual").confidence == 0.0


def test_confidence_stops_below_certainty() -> None:
    """Ten keywords would be worth 1.5; 0.95 is the most."""
    found = classify("", "decide decision chose alternative option trade-off adr context consequence rationale")
    assert found.confidence == 0.95


def test_a_tie_goes_to_the_earlier_kind_of_the_table() -> None:
    """Decision stands before component, component before convention, whatever the order of the words."""
    assert classify("", "library option").kind == "decision"
    assert classify("", "rule module").kind == "component"
    assert classify("", "rule module").alternatives == (("convention", 0.15),)


def test_at_most_three_alternatives_are_given_best_first() -> None:
    """Five kinds speak; the winner and three more are told."""
    found = classify("", "decision option module class rule pattern bug session")
    assert [kind for kind, _ in found.alternatives] == ["component", "convention", "pattern"]


def test_an_explicit_kind_is_taken_at_its_word() -> None:
    """Whatever the text says; any spelling of the kind will do."""
    found = classify("bug", "bug error issue debt", explicit="Code Pattern")
    assert (found.kind, found.confidence, found.confident, found.method) == ("code_pattern", 0.95, True, "explicit")


def test_an_unknown_explicit_kind_is_refused() -> None:
    """It is not classified in silence as something else."""
    with pytest.raises(InvalidArgument, match="nearest is decision"):
        classify("", "", explicit="decisoin")


RECIPES = Vocabulary(
    lambda: Own(kinds=(Kind(name="recipe", plural="recipes", family="practice", meaning="", exemplars=("Boil it.",)),))
)


def own(likeness: dict[str, float], content: str = "", **more: object) -> Classification:
    """Classify in a graph that knows recipes."""
    return classify("", content, likeness=likeness, vocabulary=RECIPES, **more)


def test_likeness_decides_for_a_kind_of_the_graphs_own() -> None:
    """The method says so; what is only a kind of the standard is told by its wording."""
    found = own({"recipe": 0.8, "issue": 0.7, "claim": 0.3}, "a bug")
    assert (found.kind, found.confidence, found.confident, found.method) == ("recipe", 0.56, False, "likeness")
    assert found.alternatives == (("issue", 0.49), ("claim", 0.21))
    assert own({"error": 0.8, "recipe": 0.3}, "a bug").method == "keywords"
    assert classify("", "a bug", likeness={"recipe": 0.8}).kind == "issue"


def test_only_a_likeness_that_is_plain_counts_as_confident() -> None:
    """Embeddings tell topics apart better than kinds, so a likeness is believed for seven tenths of it."""
    assert own({"recipe": 0.84}).confident is False
    assert own({"recipe": 0.87}).confident is True


def test_a_likeness_does_not_outvote_keywords_that_are_surer() -> None:
    """Three keywords are worth 0.45, a likeness of 0.62 is worth 0.43."""
    assert own({"recipe": 0.62}, "decision, option, rationale").kind == "decision"
    assert own({"recipe": 0.66}, "decision, option, rationale").kind == "recipe"


def test_likeness_is_silent_where_keywords_are_sure() -> None:
    """Four keywords beat any likeness."""
    assert own({"recipe": 0.99}, "\n".join(ONE_OF_EACH["issue"])).kind == "issue"


@pytest.mark.parametrize(
    "likeness",
    [
        {"recipe": LIKENESS_MIN - 0.01},
        {"recipe": 0.9, "issue": 0.9 - LIKENESS_LEAD / 2},
        {"no such kind": 0.99},
        {},
    ],
)
def test_a_weak_or_contested_likeness_does_not_decide(likeness: dict[str, float]) -> None:
    """Too low, too close to the next, or of no known kind: the keywords' word stands."""
    found = own(likeness, "a bug")
    assert (found.kind, found.confidence, found.method) == ("issue", 0.15, "keywords")


def test_the_wording_decides_where_keywords_are_not_sure() -> None:
    """As sure as the share of the kind among all."""
    found = classify("", "It is mended.", odds={"fix": 3.0, "issue": 1.0, "claim": -4.0})
    assert (found.kind, found.confidence, found.confident, found.method) == ("fix", 0.88, True, "wording")
    assert found.alternatives == (("issue", 0.12),)


@pytest.mark.parametrize(
    "text",
    [
        "Should we use gRPC or REST for the internal API?",
        "Postgres or MySQL for the new service?",
        "We have not decided yet whether to renew the contract.",
        "It hasn't been decided which queue we take.",
        "We might adopt Bazel at some point.",
        "Maybe we should drop the Windows build.",
    ],
)
def test_what_is_left_open_is_no_decision(text: str) -> None:
    """However much it is worded like one; whoever says that it is one is believed."""
    found = classify("", text, odds={"decision": 3.0, "general": 0.0, "issue": -1.0})
    assert (found.kind, found.confident) == ("general", True)
    assert classify("", text, explicit="decision").kind == "decision"


@pytest.mark.parametrize(
    "text",
    [
        "We chose Postgres, since MySQL might lose us the operators.",
        "Which queue? We take the one in SQLite.",
        "We decided against Bazel. Perhaps it grows up.",
    ],
)
def test_a_decision_that_weighs_or_asks_on_its_way_is_one(text: str) -> None:
    """What counts is how it begins and ends, and whether it says that nothing is decided."""
    assert classify("", text, odds={"decision": 3.0, "general": 0.0}).kind == "decision"


def test_a_likeness_to_a_kind_of_ones_own_goes_before_the_wording() -> None:
    """Of that kind nobody learned the wording; where it is not like enough, the wording decides: the twin."""
    odds = {"procedure": 4.0, "concept": 0.0}
    assert own({"recipe": 0.7}, odds=odds).kind == "recipe"
    assert own({"recipe": LIKENESS_MIN - 0.01}, odds=odds).kind == "procedure"


def test_keywords_lift_what_the_wording_says() -> None:
    """Each as much as the one before; in a long text the first, which stands there by chance, not."""
    odds = {"concept": 4.0, "issue": 0.0}
    texts = ("a bug", "a bug, an error", "a bug, an error, a debt")
    assert [classify("", text, odds=odds).kind for text in texts] == ["concept", "concept", "issue"]
    odds = {"concept": 2.0, "issue": 0.0}
    long = "It goes on and on. " * READ
    told = [classify("", text, odds=odds).kind for text in (*texts[:2], f"a bug. {long}", f"a bug, an error. {long}")]
    assert told == ["concept", "issue", "concept", "concept"]


def test_of_a_long_text_three_keywords_are_believed_before_its_wording() -> None:
    """They are the mark of a decision record; in a note, or with two of them, the wording decides: the twins."""
    odds = {"concept": 9.0, "decision": 0.0}
    long = "It goes on and on. " * READ
    assert classify("", f"Context, rationale, option. {long}", odds=odds).kind == "decision"
    assert classify("", "Context, rationale, option.", odds=odds).kind == "concept"
    assert classify("", f"Context, rationale. {long}", odds=odds).kind == "concept"


def test_of_some_kinds_one_is_chosen_as_sure_as_it_is_among_all() -> None:
    """What is surely a fix is no issue for want of fixes."""
    odds = {"fix": 3.0, "issue": 1.0, "concept": -2.0}
    found = classify("", "It is mended.", odds=odds, among=("issue", "concept"))
    assert (found.kind, found.confidence, found.alternatives) == ("concept", 0.01, (("issue", 0.12),))
    assert classify("", "It is mended.", odds={**odds, "fix": 0.0}, among=("issue", "concept")).kind == "issue"


def test_where_the_wording_tells_too_little_a_text_is_a_concept() -> None:
    """With what it could be; at four tenths it is believed: the twin."""
    odds = dict.fromkeys(("issue", "error", "problem", "concept"), 0.0)
    found = classify("", "Zqx vrb.", odds=odds)
    assert (found.kind, found.confidence, found.confident) == ("concept", 0.25, False)
    assert [kind for kind, _ in found.alternatives] == ["issue", "problem", "error"]
    assert classify("", "Zqx vrb.", odds={**odds, "issue": 1.0}).kind == "issue"
    assert 1 / (1 + 3 * math.exp(-1.0)) > WORDING_MIN > 0.25


@given(
    st.text(max_size=80),
    st.text(max_size=300),
    st.sampled_from(["manual", "hook_commit", "hook_file_change", "odd"]),
    st.dictionaries(st.sampled_from(sorted(KINDS)), st.floats(-40.0, 40.0)),
)
def test_any_text_has_a_known_kind_and_a_share_of_confidence(
    title: str, content: str, channel: str, odds: dict[str, float]
) -> None:
    """Always a kind of the table, 0..0.95, confident from 0.6, the winner no alternative of itself, twice the same."""
    found = classify(title, content, channel=channel, odds=odds)
    assert found.kind in KINDS
    assert 0.0 <= found.confidence <= 0.95
    assert found.confident == (found.confidence >= 0.6)
    assert found.kind not in dict(found.alternatives)
    assert found.kind == "concept" or all(share <= found.confidence for _, share in found.alternatives)
    assert found == classify(title, content, channel=channel, odds=odds)
