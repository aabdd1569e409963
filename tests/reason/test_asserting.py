"""Whether a sentence asserts its verb of the document that it stands in."""

from __future__ import annotations

import pytest

from weft.reason.citing import citations

OWN = ("ADR-12", "Cache prices", "docs/0012-cache-prices.md")


def typed(sentence: str) -> list[tuple[str, str, str]]:
    """Return what ``sentence`` says, in the record on the caching of prices, that others are to it."""
    found = citations(sentence, document="docs/0012-cache-prices.md", own=OWN)
    return [(each.type, each.direction, each.name) for each in found if each.type != "relates_to"]


@pytest.mark.parametrize(
    "sentence",
    [
        "This record supersedes ADR-3.",
        "Supersedes ADR-3.",
        "- **Supersedes**: ADR-3",
        "Status: accepted, replacing ADR-3.",
        "We replaced ADR-3 by a log.",
        "We will keep prices in memory and thereby replace ADR-3.",
        "This choice, made in May, supersedes ADR-3.",
        "In May we replaced ADR-3.",
        "Replacing ADR-3, this keeps prices in memory.",
        "Replacing ADR-3.",
        "It was agreed to replace ADR-3.",
        "We keep prices in memory, which replaces ADR-3.",
        "It is not cheap, but it supersedes ADR-3.",
        "We agreed that this supersedes ADR-3.",
        "This approach to caching supersedes ADR-3.",
        "This cache supersedes ADR-3.",
        "ADR-12 supersedes ADR-3.",
        "The [caching of prices](0012-cache-prices.md) is new: ADR-12 replaces ADR-3.",
        "The cache replaces ADR-3.",
        "This extends the old scheme and supersedes ADR-3.",
        "This «cache of prices» supersedes ADR-3.",
        'What we call "the log" is new: this supersedes ADR-3.',
        "This supersedes «ADR-3».",
        "This supersedes the whole of ADR-3.",
        "This supersedes the decision of ADR-3 for lack of time.",
        "This supersedes ADR-3, and ADR-4 stands.",
        "This supersedes ADR-3 and ADR-4 depends on it.",
    ],
)
def test_what_a_document_says_of_itself_counts(sentence: str) -> None:
    """By «this», «we», its own number or name, or without a subject, as a field is."""
    assert typed(sentence) == [("supersedes", "forward", "ADR-3")]


@pytest.mark.parametrize(
    "sentence",
    [
        "Nothing in it replaces ADR-3.",
        "It neither touches nor supersedes ADR-3.",
        "We agreed not to change the way orders are printed this year or to replace ADR-3.",
        "Did we replace ADR-3?",
        "Should this supersede ADR-3?",
        "Cy suggested replacing ADR-3 with a table.",
        "We may replace ADR-3.",
        "We discussed whether to replace ADR-3.",
        "If the load doubles, we replace ADR-3.",
        "We want to replace ADR-3.",
        "Replacing ADR-3 with a table was rejected.",
        "Replacing ADR-3 would cost us a month.",
        "Superseding ADR-3 is for next year.",
        "A sentence like «This replaces ADR-3» is believed.",
        'It reads "we replace ADR-3", and nobody did.',
        "Im Protokoll steht „this replaces ADR-3“.",
        "Cy wrote: “This supersedes ADR-3.”",
        "We will replace ADR-3 next quarter.",
        "We'll replace ADR-3.",
        "We stopped using ADR-3 in May.",
        "We used to rely on ADR-3.",
        "This supersedes ADR-3 once the trial has succeeded.",
        "This supersedes ADR-3 for mobile clients only.",
        "This was meant to replace ADR-3.",
        "This record failed to replace ADR-3.",
        "A record that supersedes ADR-3 is wanted.",
        "Records that depend on ADR-3 must move.",
        "This supersedes ADR-3 (partially).",
        "This supersedes ADR-3, section 4.",
        "This supersedes ADR-3 §4.",
        "This supersedes ADR-3's retries.",
        "This supersedes ADR-3 for new services.",
        "This supersedes ADR-3 (pending).",
        "This supersedes the retry rules of ADR-3.",
        "Look at ADR-9, and ADR-3 replaces it.",
    ],
)
def test_what_is_denied_asked_suggested_or_conditional_is_no_statement(sentence: str) -> None:
    """However far before the verb that stands, and whoever does it."""
    assert typed(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "The new menu replaces the old one, see ADR-3.",
        "This replaces the old menu (ADR-3).",
        "This table for prices supersedes ADR-3.",
        "When the menu was replaced, Dee read ADR-3.",
        "Second: replace [the key](../notes/key.md) in the file.",
        "Replaced the menu of ADR-3.",
        "A table replaces ADR-3.",
        "We saw that a table replaces ADR-3.",
        "Dee heard that ADR-3 was superseded by ADR-4.",
        "ADR-3 was superseded by ADR-4.",
        "ADR-4 requires ADR-3.",
        "It needs to follow ADR-3.",
        "This depends on the log and is described in ADR-3.",
        "This requires the log, and will be deployed by the rules of ADR-3.",
        "This follows ADR-4, which superseded ADR-3.",
        "In [the fourth](0004-table.md), which replaced ADR-3, it is told.",
        "We replaced the broken picture in [the page](../notes/page.md).",
        "We replaced the queue per ADR-3.",
        "This page replaces the wiki page on [pages](../notes/pages.md).",
    ],
)
def test_what_something_else_does_is_no_statement_of_the_document(sentence: str) -> None:
    """Another record, a thing, the reader; nor does a verb reach out of its clause."""
    assert typed(sentence) == []


def test_a_passive_turns_the_relation_round() -> None:
    """Of the document itself, by its number too."""
    for sentence in ("Superseded by ADR-20.", "This was superseded by ADR-20.", "ADR-12 is superseded by ADR-20."):
        assert typed(sentence) == [("supersedes", "backward", "ADR-20")]


@pytest.mark.parametrize(
    "sentence",
    [
        "This supersedes ADR-3, ADR-4 remains valid.",
        "This supersedes ADR-3 but keeps ADR-4.",
        "We replaced ADR-3 with ADR-4.",
    ],
)
def test_what_is_named_behind_what_is_replaced_is_not(sentence: str) -> None:
    """It stays, or came in its place; of a list all are replaced."""
    assert typed(sentence) == [("supersedes", "forward", "ADR-3")]
    both = [("supersedes", "forward", "ADR-3"), ("supersedes", "forward", "ADR-4")]
    assert typed("This supersedes ADR-3 and ADR-4.") == both
