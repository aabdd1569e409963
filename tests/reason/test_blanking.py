"""Blanking takes out exactly what is looked for, and leaves every place where it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from weft.reason.blanking import ERASED, Blank, mask, needles, slugs, tokens

TEXTS = st.text(alphabet="ab1-\n é", max_size=40)


def test_a_mask_is_as_long_as_what_it_covers_and_keeps_its_lines() -> None:
    """So that places in a text stay places."""
    assert mask("ab\ncd é") == "██\n████"


@given(text=TEXTS, parts=st.lists(st.text(alphabet="ab1-é", min_size=1, max_size=6), max_size=4))
def test_nothing_that_is_looked_for_is_left_and_nothing_moves(text: str, parts: list[str]) -> None:
    """Also where texts overlap, or one holds another."""
    left = Blank(id="", whole=tuple(parts)).text(text)
    assert len(left) == len(text)
    assert not any(part.lower() in left.lower() for part in parts)
    assert all(after in (before, "█") for before, after in zip(text, left, strict=True))
    assert Blank(id="", whole=tuple(parts)).text(left) == left


def test_short_texts_are_not_looked_for_elsewhere_and_keys_are() -> None:
    """A title such as «Kafka» stands in half the graph; a word of letters and digits does not."""
    assert needles(["Kafka", "a sentence of some length", ERASED, " a sentence of some length "]) == (
        "a sentence of some length",
    )
    assert tokens(["The key is sk-live-12345, since 2026-11-21.", "v1"]) == ("sk-live-12345",)


def test_a_node_of_its_own_is_blanked_and_another_only_where_it_holds_a_text() -> None:
    """Ids, numbers and times stay."""
    blank = Blank(id="a", whole=("the secret sauce",), aside=("abc12345",))
    own = {"id": "a", "title": "x", "content": "y", "citation": "z", "tags": ["t"], "version": 3}
    assert blank.data("node", own) | {"search_terms": [], "aliases": [], "references": [], "handles": []} == {
        "id": "a", "title": ERASED, "content": ERASED, "citation": "", "tags": [], "version": 3,
        "search_terms": [], "aliases": [], "references": [], "handles": [],
    }  # fmt: skip
    other = {"id": "b", "title": "abc12345", "content": "try the secret sauce"}
    assert blank.data("node", other) == {"id": "b", "title": "abc12345", "content": "try ████████████████"}
    related = {"source": "a", "target": "b", "reasoning": "it is so"}
    assert blank.data("relation", related)["reasoning"] == ERASED
    apart = {"source": "b", "target": "c", "reasoning": "abc12345"}
    assert blank.data("relation", apart)["reasoning"] == "████████"


def test_a_text_goes_in_whatever_case_it_stands_and_every_other_letter_stays_where_it_was() -> None:
    """Names are kept folded, and a letter that grows when it is made small moves nothing."""
    assert Blank(id="", whole=("AKIA-77 İx",)).text("İ akia-77 İX!") == "İ ██████████!"


def test_names_are_looked_for_as_files_and_ids_bear_them() -> None:
    """A name of one word stands for itself already."""
    assert slugs(["Correct Horse: battery!", "kafka", "a b"]) == ("correct-horse-battery",)
    assert slugs(["a b1"], least=4) == ("a-b1",)


def test_names_are_looked_for_as_files_were_called_before_marks_stayed_too() -> None:
    """Files that lie about keep the names that they were given."""
    assert slugs(["कैश परत की कुंजी"]) == ("क-श-परत-क-क-ज", "कैश-परत-की-कुंजी")


def test_names_of_people_and_places_go_only_where_they_were_named_themselves() -> None:
    """Else the title of a node that is erased would take the names away that join other things."""
    source = {"id": "s", "document": "the secret sauce.md", "ontology": "the secret sauce", "text": "", "digest": ""}
    named = Blank(id="", whole=("the secret sauce",)).data("source", source)
    assert (named["document"], named["ontology"]) == ("████████████████.md", "████████████████")
    told = Blank(id="a", whole=("the secret sauce",)).data("source", source)
    assert (told["document"], told["ontology"]) == ("████████████████.md", "the secret sauce")


def test_ids_times_and_our_own_words_stay_whatever_is_looked_for() -> None:
    """Or the graph could not be read any more."""
    held = {
        "id": "2026-a",
        "kind": "general",
        "status": "active",
        "created_at": "2026-01-01",
        "title": "active in 2026",
    }
    left = Blank(id="", whole=("2026", "active", "general")).data("node", held)
    assert left == held | {"title": "██████ in ████"}
