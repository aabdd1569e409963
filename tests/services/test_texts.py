"""A query that is itself a text: what belongs with it as a whole, under the same filters, pages and times."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.readers import asked, recall_of, titles
from weft.model import Filter, Page
from weft.services.search.texts import PARAGRAPH_MIN, TEXT_MIN, is_text

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Hits
    from weft.services.recall.recall import Recall

ORCHARD = (
    "We keep forty old apple trees above the village. In winter we prune them hard, so that light reaches the middle of"
    " each crown. In spring the bees of a neighbour stand between the rows, since a cold May leaves half of the blossom"
    " without fruit. Canker is cut out in dry weather and burnt. In autumn the windfalls go to the press, and the juice"
    " ferments in oak until February. What is left of the pulp feeds the pigs, whose dung goes back to the trees."
)
YEAR = (
    "Pruning. Old trees are pruned in winter, while they rest, and hard enough that light comes into the crown."
    " Cut back to a bud that looks outwards, and leave no stumps: they rot. A tree that was left alone for ten"
    " years is brought back over three winters, a third of the wood in each, or it answers with water shoots all"
    " over. Saws are cleaned with spirit from tree to tree, because what ails one is carried to the next on the"
    " blade.\n\n"
    "Blossom. In May a cold week may cost half of the fruit, since bees stay in below twelve degrees. Hives that"
    " stand between the rows help, a pair for each hundred trees; mason bees fly in colder weather than those of a"
    " hive. Frost at night is answered with water on the buds, which freezes and keeps them at nought. Nobody"
    " sprays while the trees are in flower, whatever the catalogue of the dealer says about the hour of day.\n\n"
    "Canker. It shows as sunken bark that splits in rings. It is cut out in dry weather, down to wood that is"
    " pale all over, and what was cut is burnt and not left beneath. The wound stays open to the air: paste keeps"
    " the wet in. Sorts differ, and on heavy soil the better keepers suffer most of all. Whoever plants anew puts"
    " trees on mounds there, a hand above the ground, so that the water of a wet autumn does not stand about the"
    " roots.\n\n"
    "Autumn. Windfalls are gathered daily for the press, the rest is picked by hand and laid on straw. Juice"
    " ferments slowly in oak and is racked in February. Pulp goes to the pigs, a bucket to each and not more. What"
    " they leave goes to the trees again in the second year, when it is no longer sharp, in a ring as wide as the"
    " crown and never up to the bark. So of what the orchard bears next to nothing has to be carried off the hill."
)
CANKER = YEAR.split("\n\n")[2]
CANKERS = (
    "Canker is sunken bark that splits. In dry weather we cut the canker out, down to pale wood, and burn what was cut."
    " The wound stays open. Canker comes back on heavy soil, so the better keepers stand on mounds there."
)
PIGS = "What is left of the pulp feeds the pigs, and their dung goes back to the trees."


@pytest.fixture
def recall(desk: Desk, tmp_path: Path) -> Recall:
    """The reading verbs over the desk."""
    return recall_of(desk, tmp_path)


def _search(desk: Desk, recall: Recall, query: str, **fields: object) -> Hits:
    return recall.search(asked(query, **fields), desk.call())


def _diaries(desk: Desk) -> list[str]:
    sentences = [each.strip() for each in ORCHARD.split(".") if each.strip()]
    return [desk.add(f"{said}. So it says.", title=f"Diary {at}").node.id for at, said in enumerate(sentences)]


def test_a_text_finds_what_it_belongs_with_as_a_whole(desk: Desk, recall: Recall) -> None:
    """Before notes that say a sentence of it in its very words; nothing is told of single words' meanings."""
    assert len(ORCHARD) >= TEXT_MIN
    said, year = _diaries(desk), desk.add(YEAR, title="The year of the trees").node
    hits = _search(desk, recall, ORCHARD, page=Page(limit=5)).hits
    assert hits[0].node.id == year.id
    assert {hit.node.id for hit in hits[1:]} < set(said)
    assert not any(why.startswith("word by word") for hit in hits for why in hit.why)
    assert any(why.startswith("words: ") for why in hits[0].why)
    assert "as a whole: among the closest" in hits[0].why


def test_a_question_is_answered_word_by_word_as_ever(desk: Desk, recall: Recall) -> None:
    """The twin: the same words, in a question below the length of a text."""
    _diaries(desk)
    desk.add(YEAR, title="The year of the trees")
    hits = _search(desk, recall, f"{ORCHARD[: TEXT_MIN - 20]}, is that so?").hits
    assert any(why.startswith("word by word") for hit in hits for why in hit.why)


def test_what_a_text_was_taken_from_comes_first(desk: Desk, recall: Recall) -> None:
    """Before what is about nothing else, and with some of the words gone too; it says how much of it stands there."""
    year = desk.add(YEAR, title="The year of the trees").node
    desk.add(CANKERS, title="Canker")
    desk.add(f"{CANKERS} Whoever plants anew mends the soil first.", title="Canker on heavy soil")
    for text in (CANKER, " ".join(word for at, word in enumerate(CANKER.split()) if at % 5)):
        assert is_text(text)
        best = _search(desk, recall, text).hits[0]
        assert best.node.id == year.id
        assert any(re.fullmatch(r"passage: holds \d\d% of the text", why) for why in best.why)


def test_what_says_a_part_of_a_text_was_not_where_it_was_taken_from(desk: Desk, recall: Recall) -> None:
    """The twin: a sentence of four holds it neither in words nor in order."""
    desk.add(YEAR, title="The year of the trees")
    desk.add(f"{CANKER.split('. ')[1]}.", title="Wet autumn")
    assert not any(why.startswith("passage") for hit in _search(desk, recall, ORCHARD).hits for why in hit.why)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (f"{ORCHARD[: PARAGRAPH_MIN - 1]}", False),
        (ORCHARD[: PARAGRAPH_MIN + 40], True),
        (f"{ORCHARD[: PARAGRAPH_MIN + 40]} Why is that?", False),
        (f"Was ist das？ {ORCHARD[: PARAGRAPH_MIN + 40]}", False),
        (f"{ORCHARD} Why is that?", True),
        (", ".join(["winter brings light into the crowns of the old trees"] * 5), False),
        ("x" * (TEXT_MIN - 1), False),
        ("x" * TEXT_MIN, True),
    ],
)
def test_a_text_is_long_or_says_several_things_and_asks_none(query: str, *, text: bool) -> None:
    """One long sentence is a question still; from four hundred characters on everything is a text."""
    assert is_text(query) is text


def test_a_filter_holds_for_a_text_too(desk: Desk, recall: Recall) -> None:
    """What it keeps out is neither compared nor shown."""
    year = desk.add(YEAR, title="The year of the trees", ontology="orchard").node
    desk.add(PIGS, ontology="stable")
    found = _search(desk, recall, ORCHARD, filter=Filter(ontologies=("orchard",))).hits
    assert [hit.node.id for hit in found] == [year.id]


def test_a_text_is_asked_of_the_past_too(desk: Desk, recall: Recall) -> None:
    """By its passages, since the vectors of then are not kept; what came later is not found."""
    first = desk.add(PIGS).node
    then = desk.call().at
    desk.add(YEAR, title="The year of the trees")
    found = recall.search(asked(ORCHARD, as_of=then), desk.call()).hits
    assert [hit.node.id for hit in found] == [first.id]


def test_pages_of_what_a_text_finds_hang_together(desk: Desk, recall: Recall) -> None:
    """Beyond the candidates that are compared whole, too: nothing twice, nothing left out."""
    kinds = itertools.product(("apple", "pear", "cherry", "plum"), ("pruned", "picked", "sold", "planted", "burnt"))
    for tree, done in kinds:
        for when in ("winter", "spring", "autumn"):
            desk.add(f"In {when} the {tree} trees are {done}.")
    ids: list[str] = []
    total = 1
    while len(ids) < total:
        page = _search(desk, recall, ORCHARD, page=Page(limit=20, offset=len(ids)))
        assert page.hits, "total promised more"
        ids += [hit.node.id for hit in page.hits]
        total = page.total
    assert len(ids) == len(set(ids)) > 40
    assert [hit.node.id for hit in _search(desk, recall, ORCHARD, page=Page(limit=100)).hits] == ids


def test_any_long_text_is_a_valid_query(desk: Desk, recall: Recall) -> None:
    """Without a word, without a letter, of one word a hundred times: it finds something or nothing."""
    desk.add(YEAR, title="The year of the trees")
    desk.add(PIGS)

    @settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12))
    def holds(part: str) -> None:
        hits = _search(desk, recall, (part * TEXT_MIN)[: TEXT_MIN + 100])
        assert len(hits.hits) <= hits.total
        assert all(hit.why for hit in hits.hits)

    holds()
    assert _search(desk, recall, "." * TEXT_MIN).total <= 2
    assert "The year of the trees" in titles(_search(desk, recall, "pruned " * 80))


def test_a_graph_without_anything_finds_nothing_for_a_text(desk: Desk, recall: Recall) -> None:
    """No candidate is no fault."""
    assert _search(desk, recall, ORCHARD).hits == ()
