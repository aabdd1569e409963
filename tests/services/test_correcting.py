"""Misspelt queries: what is read as another word, what is left as it stands, and that it is said."""

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
    "Idempotency keys are kept for a day.",
    "Marlow County lies north of the river.",
    "Penguins keep their eggs warm on their feet.",
    "The slide projector stands in the cellar.",
    "The season of herring begins in May.",
)


@pytest.fixture
def recall(desk: Desk, tmp_path: Path) -> Recall:
    """The reading verbs over a desk with notes."""
    for note in NOTES:
        desk.add(note)
    return recall_of(desk, tmp_path)


def _search(desk: Desk, recall: Recall, query: str, mode: str = "hybrid") -> Hits:
    return recall.search(asked(query, mode=mode), desk.call())


@pytest.mark.parametrize("query", ["deploy the frontend", "run the linter", "a new schema", "healthcheck of the pods"])
def test_a_word_of_the_trade_that_no_text_holds_is_no_slip(desk: Desk, recall: Recall, query: str) -> None:
    """Each is one edit away from what a note says, and two words in one are a word."""
    for word in ("fronted", "winter", "scheme", "healthchecks of old"):
        desk.add(f"The note says {word}.")
    assert _search(desk, recall, query).warning == ""
    assert "«winte»: read as «winter»" in _search(desk, recall, "the winte").warning


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "keyword"])
@pytest.mark.parametrize(
    ("query", "note", "told"),
    [
        ("retry polciy doubles", 0, "«polciy»: read as «policy»"),  # two letters swapped
        ("idempotncy keys", 1, "«idempotncy»: read as «idempotency»"),  # one left out
        ("herrring season", 5, "«herrring»: read as «herring»"),  # that ends as forms of words do
        ("pennguin eggs", 3, "«pennguin»: read as «penguin»"),  # one too many
        ("Marlaw County", 2, "«Marlaw»: read as «Marlow»"),  # one for another, in a name
    ],
)
def test_a_slip_of_the_pen_is_read_as_the_word_that_was_meant(
    desk: Desk, recall: Recall, query: str, note: int, told: str, mode: str
) -> None:
    """In every mode, and the answer says how it was read."""
    found = _search(desk, recall, query, mode)
    assert found.hits[0].node.content == NOTES[note]
    assert f"No text holds {told}." in found.warning


def test_several_slips_are_told_as_one_sentence(desk: Desk, recall: Recall) -> None:
    """Each beside what it was read as, in order."""
    found = _search(desk, recall, "retyr polciy")
    assert found.hits[0].node.content == NOTES[0]
    assert found.warning.startswith("No text holds «retyr» or «polciy»: read as «retry» and «policy».")


def test_a_title_is_named_in_spite_of_a_slip(desk: Desk, recall: Recall) -> None:
    """What is read as its title counts as naming it."""
    named = desk.add("How long answers are kept before they are fetched anew.", title="Expiry of answers").node
    best = _search(desk, recall, "expirry of answers").hits[0]
    assert best.node.id == named.id
    assert "title matches" in best.why


def test_a_misspelt_reference_is_answered_with_what_it_may_have_meant(desk: Desk, recall: Recall) -> None:
    """Who fetches by a title with a slip is offered the node."""
    named = desk.add("The kiln needs a day to cool.", title="Kiln").node
    desk.add("It burns wood.", title="Kilnhouse stove")
    offered = recall.meant("Kilnhuose stove", desk.call())
    assert [each.title for each in offered] == ["Kilnhouse stove"]
    assert named.id not in {each.id for each in offered}


@pytest.mark.parametrize(
    "query",
    [
        "policies",  # another form of a word that is held
        "slice",  # a word of the language, though no text holds it and «slide» is near
        "slices",  # and its other forms
        "polcy",  # held below, by a note that is misspelt itself
        "Slidde",  # a name for all that is known, and «slide» is none
        "zxqvwk",  # near nothing
        "wram",  # too short to tell
        '"polciy"',  # as it stands
        "«polciy»",
        "`polciy`",
        "polciy.py",  # a part of a name of another kind
        "src/polciy",
        "#polciy",
        "polciy_v",
        "getPolciy",
        "POLCIY",
        "polciy2",
        "polciy@example.org",
        "x-polciy",
    ],
)
def test_what_may_be_meant_as_it_stands_is_left_so(desk: Desk, recall: Recall, query: str) -> None:
    """No word is read as another that texts hold, that is a word, that is quoted, or that is part of a name."""
    desk.add("The polcy of the house.")
    assert "read as" not in _search(desk, recall, query).warning


@pytest.mark.parametrize(
    ("note", "query"),
    [
        ("Joni is allergic to penicillin.", "allergies"),  # «allergics»
        ("Anna Berger works as a midwife.", "midwives"),  # «midwifes»
        ("Mia is no longer afraid of dogs.", "lodgers"),  # «longers»
        ("James is the plumber.", "Jamey"),  # «Jame», which is how he is indexed
    ],
)
def test_no_word_is_read_as_one_that_nobody_wrote(desk: Desk, recall: Recall, note: str, query: str) -> None:
    """A form that could be made of what a text holds is none that stands there."""
    desk.add(note)
    assert _search(desk, recall, query).warning == ""


def test_a_name_is_read_in_the_form_that_one_of_its_texts_has(desk: Desk, recall: Recall) -> None:
    """Though most have another."""
    for number in range(3):
        desk.add(f"The Kowalski of house {number}, Kowalski by name.", title=f"House {number}")
    desk.add("All of the Kowalskis meet in spring.", title="Spring")
    assert "«Kowalskis»" in _search(desk, recall, "Kowlaskis").warning


def test_a_query_in_words_that_nobody_knows_is_not_made_into_others(desk: Desk, recall: Recall) -> None:
    """Four slips are a bad day, five another language."""
    assert _search(desk, recall, "polciy pennguins idempotncy retyr").warning
    assert _search(desk, recall, "polciy pennguins idempotncy retyr marlaw").warning == ""


def test_of_several_words_one_of_the_language_is_meant_and_then_the_most_common(desk: Desk, recall: Recall) -> None:
    """«Crane» and «crate» are as near as «crahe» is to both; «crabe» is more common, and no word."""
    for number, text in enumerate(("crabe", "crabe", "crabe", "the crane", "the crate", "a crate")):
        desk.add(f"Of {text} there is nothing further to be said.", title=f"Note {number}")
    assert "«crate»" in _search(desk, recall, "crahe").warning


@pytest.mark.parametrize(
    ("note", "query", "read"),
    [
        ("Склад закрыт до понедельника.", "понедельнка", "понедельника"),
        ("Η αποθήκη είναι κλειστή.", "αποθκηη", "αποθηκη"),
        ("המחסן סגור עד יום ראשון.", "המסחן", "המחסן"),
    ],
)
def test_slips_in_other_alphabets_are_read_too(desk: Desk, recall: Recall, note: str, query: str, read: str) -> None:
    """Letters are those of the word's own script."""
    desk.add(note)
    found = _search(desk, recall, query)
    assert found.hits[0].node.content == note
    assert f"«{read}»" in found.warning


def test_an_unknown_tag_and_a_slip_are_both_told(desk: Desk, recall: Recall) -> None:
    """One answer, two sentences."""
    found = recall.search(asked("polciy", filter=Filter(tags=("nobody-has-it",))), desk.call())
    assert found.hits == ()
    assert "nobody-has-it" in found.warning
