"""The classifier: keywords with word boundaries, hook boosts, bands, and likeness where keywords are not sure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.errors import InvalidArgument
from weft.reason.classify import LIKENESS_LEAD, LIKENESS_MIN, classify
from weft.vocabulary import KINDS, PROJECT_KINDS

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


def test_likeness_decides_where_keywords_are_not_sure() -> None:
    """Also for kinds that have no keywords; the method says so."""
    found = classify("", "a bug", likeness={"error": 0.8, "issue": 0.7, "claim": 0.3})
    assert (found.kind, found.confidence, found.confident, found.method) == ("error", 0.56, False, "likeness")
    assert found.alternatives == (("issue", 0.49), ("claim", 0.21))


def test_only_a_likeness_that_is_plain_counts_as_confident() -> None:
    """Embeddings tell topics apart better than kinds, so a likeness is believed for seven tenths of it."""
    assert classify("", "", likeness={"error": 0.84}).confident is False
    assert classify("", "", likeness={"error": 0.87}).confident is True


def test_a_likeness_does_not_outvote_keywords_that_are_surer() -> None:
    """Three keywords are worth 0.45, a likeness of 0.62 is worth 0.43."""
    assert classify("", "decision, option, rationale", likeness={"error": 0.62}).kind == "decision"
    assert classify("", "decision, option, rationale", likeness={"error": 0.66}).kind == "error"


def test_likeness_is_silent_where_keywords_are_sure() -> None:
    """Four keywords beat any likeness."""
    assert classify(*ONE_OF_EACH["issue"], likeness={"claim": 0.99}).kind == "issue"


@pytest.mark.parametrize(
    "likeness",
    [
        {"error": LIKENESS_MIN - 0.01},
        {"error": 0.9, "issue": 0.9 - LIKENESS_LEAD / 2},
        {"no such kind": 0.99},
        {},
    ],
)
def test_a_weak_or_contested_likeness_does_not_decide(likeness: dict[str, float]) -> None:
    """Too low, too close to the next, or of no known kind: the keywords' word stands."""
    found = classify("", "a bug", likeness=likeness)
    assert (found.kind, found.confidence, found.method) == ("issue", 0.15, "keywords")


def test_where_nothing_speaks_for_a_kind_the_nearest_are_named() -> None:
    """They decide nothing; where a keyword or a likeness does, there is nothing to add: the twins."""
    likeness = {"general": 0.31, "claim": 0.2549, "fix": 0.1, "error": 0.22, "no such kind": 0.4}
    found = classify("", "The sky is blue.", likeness=likeness)
    assert (found.kind, found.confidence, found.alternatives) == ("concept", 0.0, ())
    assert found.near == (("general", 0.31), ("claim", 0.25), ("error", 0.22))
    assert classify("", "a bug", likeness=likeness).near == ()
    assert classify("", "The sky is blue.", likeness={"error": 0.8}).near == ()
    assert classify("", "The sky is blue.").near == ()


@given(
    st.text(max_size=80),
    st.text(max_size=300),
    st.sampled_from(["manual", "hook_commit", "hook_file_change", "odd"]),
    st.dictionaries(st.sampled_from(sorted(KINDS)), st.floats(0.0, 1.0)),
)
def test_any_text_has_a_known_kind_and_a_share_of_confidence(
    title: str, content: str, channel: str, likeness: dict[str, float]
) -> None:
    """Always a kind of the table, 0..0.95, confident from 0.6, the winner no alternative of itself, twice the same."""
    found = classify(title, content, channel=channel, likeness=likeness)
    assert found.kind in KINDS
    assert 0.0 <= found.confidence <= 0.95
    assert found.confident == (found.confidence >= 0.6)
    assert found.kind not in dict(found.alternatives)
    assert all(share <= found.confidence for _, share in found.alternatives)
    assert found == classify(title, content, channel=channel, likeness=likeness)
