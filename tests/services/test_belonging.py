"""What a capture shows that a new text belongs with: by rare words, by meaning, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.model import Linking
from weft.services.capture import belonging

if TYPE_CHECKING:
    import pytest

    from services.desk import Desk

FERRY = "The ferry crosses the sound at noon with lamps at her bow, and the pilot signals the berth. "
LOOM = "The loom weaves wool of two colours into cloth, and the weaver changes the shuttle by hand. "
PILOT = "Pilots of ferries signal their berths with lamps, and at noon the sound is full of them. "
BREAD = "The baker kneads dough of rye before dawn, and the oven is fired with beech. "


def long(text: str, more: str = "") -> str:
    """Return a text of several passages."""
    return "\n\n".join(f"{text * 3}Part {at} of it. {more}" for at in range(9))


def test_a_long_text_is_shown_with_those_of_the_same_rare_words_first(desk: Desk) -> None:
    """Each with a confidence and a reason that names the words as they are spelled."""
    ferry = desk.add(long(FERRY), title="Ferries").node
    desk.add(long(LOOM), title="Looms")
    desk.add(long(BREAD), title="Bakers")
    captured = desk.add(long(PILOT), title="Night signals")
    first = captured.related[0]
    assert (first.id, first.title, first.guesses) == (ferry.id, "Ferries", ())
    assert "rare words in both" in first.why
    assert "berth" in first.why
    assert 0.1 <= first.confidence <= 1.0
    assert [each.confidence for each in captured.related] == sorted(
        (each.confidence for each in captured.related), reverse=True
    )


def test_what_the_text_names_comes_before_what_it_is_like(desk: Desk) -> None:
    """A title in the text counts two deviations."""
    for at in range(4):
        desk.add(long(FERRY, f"Number {at}."), title=f"Ferry {at}")
    named = desk.add(long(LOOM), title="Jacquard loom").node
    captured = desk.add(long(FERRY, "Her flags come from a Jacquard loom."), title="A ferry and her flags")
    assert captured.related[0].id == named.id or captured.related[1].id == named.id
    assert "named in the text" in {each.id: each.why for each in captured.related}[named.id]


def test_a_short_note_is_shown_what_lies_near_or_is_named(desk: Desk) -> None:
    """Its nearest are at hand; others are not looked for."""
    same = desk.add("A ferry carries two lamps at her bow.", title="Lamps of a ferry", kind="claim").node
    desk.add("Rye bread is baked before dawn.", title="Rye", kind="claim")
    captured = desk.add("Two lamps are carried at the bow by a ferry.", title="Bow lamps", kind="claim")
    assert [each.id for each in captured.related] == [same.id]


def test_a_note_that_has_to_do_with_nothing_is_shown_nothing(desk: Desk) -> None:
    """The twin of the test above."""
    desk.add("Rye bread is baked before dawn.", title="Rye", kind="claim")
    assert desk.add("Violins are made of spruce.", title="Violins", kind="claim").related == ()


def test_no_more_than_five_are_shown_and_itself_never(desk: Desk) -> None:
    """However many there are."""
    for at in range(9):
        desk.add(long(FERRY, f"Number {at}."), title=f"Ferry {at}")
    captured = desk.add(long(FERRY, "The last."), title="Ferry nine")
    assert len(captured.related) == 5
    assert captured.node.id not in {each.id for each in captured.related}


def test_the_surest_of_them_are_asked_about_unless_they_are_joined_already(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question of type relates_to, by a rule of its own; a relation that the text states makes it superfluous."""
    monkeypatch.setattr("weft.services.capture.questioning._BELONGING_FROM", 0.1)
    ferry = desk.add(long(FERRY), title="Ferries", kind="concept").node
    desk.add(long(LOOM), title="Looms", kind="concept")
    asked = [
        each.proposal["relate"]
        for each in desk.add(long(PILOT), title="Night", kind="concept").suggestions
        if each.grounds.get("rule") == "belongs_together"
    ]
    assert [(ferry.id in (wish["source"], wish["target"]), wish["type"]) for wish in asked] == [(True, "relates_to")]
    stated = desk.add(f"Depends on: Ferries\n\n{long(PILOT, 'By day.')}", title="Day", kind="concept")
    assert (stated.node.id, ferry.id, "depends_on") in {(e.source, e.target, e.type) for e in stated.relations}
    others = [each.subjects for each in stated.suggestions if each.grounds.get("rule") == "belongs_together"]
    assert all(ferry.id not in subjects for subjects in others)


def test_only_a_capture_that_links_by_all_means_looks_for_it(desk: Desk) -> None:
    """The other toolsets keep their own."""
    desk.add(long(FERRY), title="Ferries", kind="concept")
    for linking in (Linking.RULES, Linking.PAIRS, Linking.NONE):
        captured = desk.add(long(FERRY, linking.value), title=f"By {linking}", kind="concept", linking=linking)
        assert captured.related == ()


def test_of_many_candidates_each_is_read_in_part(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read of them grows with the text that is captured, not with theirs."""
    read: list[int] = []
    plain = belonging.worded

    def worded(*given: object, characters_max: int) -> object:
        read.append(characters_max)
        return plain(*given, characters_max=characters_max)  # type: ignore[arg-type]

    monkeypatch.setattr(belonging, "worded", worded)
    desk.add(long(FERRY) * 5, title="Ferries")
    text = long(FERRY, "Again.")
    desk.add(text, title="Again")
    assert read[-1] == 10 * len(text)
