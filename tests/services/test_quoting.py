"""Quotes in a query: when they bind, what is told where they cannot, and when they are only titles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from services.readers import asked, recall_of
from weft.model import Filter

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Hits
    from weft.services.recall.recall import Recall

NOTES = (
    "The retry policy doubles the wait after each refusal.",
    "A policy on when to retry and how long to wait was asked for.",
    "Retry policies of the gateway, and of the queue behind it.",
    "The film that «Marlow» was named after won a prize.",
)


@pytest.fixture
def recall(desk: Desk, tmp_path: Path) -> Recall:
    """The reading verbs over a desk with notes."""
    for note in NOTES:
        desk.add(note)
    return recall_of(desk, tmp_path)


def _search(desk: Desk, recall: Recall, query: str, mode: str = "hybrid", **filters: str) -> Hits:
    wanted = Filter(ontologies=tuple(filters.values()))
    return recall.search(asked(query, mode=mode, filter=wanted), desk.call())


def _notes(found: Hits) -> set[int]:
    return {NOTES.index(hit.node.content) for hit in found.hits}


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
@pytest.mark.parametrize(
    "query", ['"retry policy"', "“Retry Policy”", "«retry policy»", "„retry policy“", ' "retry policy". ']
)
def test_a_query_in_quotes_finds_what_holds_these_words_in_this_order(
    desk: Desk, recall: Recall, query: str, mode: str
) -> None:
    """Up to a plural; without quotes all three notes are found."""
    found = _search(desk, recall, query, mode)
    assert (_notes(found), found.total, found.warning) == ({0, 2}, 2, "")
    assert _notes(_search(desk, recall, query.translate(str.maketrans("", "", '"“”„«»')), mode)) >= {0, 1, 2}


def test_of_several_quotes_every_one_binds(desk: Desk, recall: Recall) -> None:
    """One note holds both."""
    assert _notes(_search(desk, recall, '"retry policy" "each refusal"')) == {0}


def test_by_words_alone_quotes_bind_among_other_words(desk: Desk, recall: Recall) -> None:
    """Without quotes another note holds the three words too."""
    assert _notes(_search(desk, recall, 'wait "retry policy"', "keyword")) == {0}


def test_in_a_question_quotes_are_a_title_and_bind_nothing(desk: Desk, recall: Recall) -> None:
    """What answers it may lie in another text than the one that holds the title."""
    assert 1 in _notes(_search(desk, recall, 'What was asked for on "retry policy"?'))


def test_where_no_text_holds_what_is_quoted_that_is_told_and_the_nearest_are_shown(desk: Desk, recall: Recall) -> None:
    """Nothing found would be no answer."""
    found = _search(desk, recall, '"policy of retries"')
    assert found.warning == "No text holds «policy of retries» word for word: it was looked for without quotes."
    assert _notes(found) >= {0, 1}


def test_no_nearest_is_announced_where_nothing_is_found(desk: Desk, recall: Recall) -> None:
    """By words alone nothing is near that lacks one of them."""
    found = _search(desk, recall, '"policy of rivers"', "keyword")
    assert found.hits == ()
    assert found.warning == "No text holds «policy of rivers» word for word: it was looked for without quotes."


def test_quotes_are_looked_for_in_what_the_filter_lets_in(desk: Desk, recall: Recall) -> None:
    """What is held elsewhere is not held."""
    kept = desk.add("Our retry policy is to give up.", ontology="ops")
    found = _search(desk, recall, '"retry policy"', ontology="ops")
    assert [hit.node.id for hit in found.hits] == [kept.node.id]
    told = _search(desk, recall, '"each refusal"', ontology="ops").warning
    assert told.startswith("No text that the filters let in holds «each refusal» word for word")


@pytest.mark.parametrize("query", ['""', '"', '"..."', '"retry', "«»", '"…" “'])
def test_quotes_with_nothing_in_them_bind_nothing(desk: Desk, recall: Recall, query: str) -> None:
    """Nor do quotes that nobody closed."""
    assert "word for word" not in _search(desk, recall, query).warning


def test_a_phrase_that_very_many_texts_hold_is_looked_for_in_the_newest(
    desk: Desk, recall: Recall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And that is told."""
    monkeypatch.setattr("weft.services.search.quoting._HOLDERS_MAX", 2)
    newest = desk.add("Once more the retry policy.")
    found = _search(desk, recall, '"retry policy"')
    assert (found.total, found.hits[0].node.id) == (2, newest.node.id)
    assert found.warning == "«retry policy» stands in 2 nodes or more: the newest are looked at."
