"""Notes in other scripts: what runs from right to left beside what does not, what has no spaces, and input methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import weft
from explorer.visit import served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from explorer.conftest import Visits
    from explorer.visit import Visit

GIRAFFE: Final = "الزرافة (حيوان)"
HELLO: Final = "مرحبا!"
NOW: Final = "حيوان قديم"
BEFORE: Final = "حيوان جديد"
PARTY: Final = "🎉" * 44
WATER: Final = "水在一百摄氏度沸腾" * 7
RUN: Final = "العربيةبدونمسافات" * 8
TEXT: Final = """حيوان طويل العنق.

- تأكل الأوراق.

- تشرب الماء.

> اقتباس قصير.
"""
PAGES: Final = (
    "#/search",
    "#/search?q=" + quote(GIRAFFE),
    "#/node/" + quote(GIRAFFE),
    f"#/trail?from={quote(HELLO)}&to={quote(GIRAFFE)}",
    "#/challenge?claim=" + quote(HELLO),
    "#/capture",
    "#/review",
    "#/bridges?one=x&other=" + quote("عربي"),
    "#/log",
    "#/map",
    "#/status",
)

LEFTS: Final = """(element, words) => words.map((word) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(word);
    if (at < 0) continue;
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + word.length);
    return range.getBoundingClientRect().left;
  }
  return null;
})"""
"""Where each of the words is seen in an element, in pixels from the left."""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of notes in several scripts."""
    path = tmp_path_factory.mktemp("scripts") / "scripts.db"
    with weft.connect(str(path), actor="ann") as connection:
        for title, content, tags in (
            (GIRAFFE, TEXT, ["حيوان", "طول"]),
            (HELLO, "ملاحظة عن الزرافة.", ["حيوان", "طول"]),
            (BEFORE, "كان هنا حيوان.", []),
            (PARTY, "Party.", []),
            (WATER, "水在标准大气压下沸腾。", []),
            (RUN, "نص بدون مسافات.", []),
            ("猫", "猫喜欢睡觉。", []),
            ("किताब", "एक किताब।", []),
            ("कौवा", "एक कौवा।", []),
            ("Große Straße", "Sie ist gesperrt.", []),
            ("مُحَمَّد", "اسم.", []),
        ):
            connection.capture(content, title=title, tags=tags, ontology="عربي")
        connection.capture("A bridge needs two ends.", title="Ends", ontology="x")
        for target in (HELLO, PARTY, WATER, RUN):
            connection.relate(source=GIRAFFE, target=target, type="supports", reasoning="لأن!")
        connection.update(BEFORE, title=NOW)
    with served(path) as base:
        yield base


@pytest.fixture
def reading(visit: Visits, scripts: str) -> Visit:
    """A visit to these notes."""
    return visit(scripts)


def ordered(reading: Visit, where: str, *words: str) -> bool:
    """Return whether these words are seen from left to right in the element that ``where`` selects."""
    lefts = reading.main.locator(where).first.evaluate(LEFTS, list(words))
    assert None not in lefts
    return bool(lefts == sorted(lefts))


def test_an_arrow_between_two_names_leads_to_the_second(reading: Visit) -> None:
    """Also where both run from right to left: else it would say that the second does it to the first."""
    reading.open("#/review?kind=relation")
    assert ordered(reading, ".card h2", "الزرافة", "relates_to", "→", "مرحبا", "They share")
    reading.open("#/log?tool=relate")
    entry = f".subjects li:has-text('{HELLO}')"
    assert ordered(reading, entry, "الزرافة", "–supports", "→", "مرحبا")


def test_what_was_stands_before_what_is(reading: Visit) -> None:
    """In a history, on both sides of the arrow."""
    reading.open("#/node/" + quote(NOW))
    reading.page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert ordered(reading, ".changes dd", "جديد", "→", "قديم")


def test_a_mark_at_the_end_of_a_quoted_name_stays_at_its_end(reading: Visit) -> None:
    """Which lies on the left where the name runs leftward: in the reasons of a hit, and in what a decision does."""
    reading.open("#/search?q=" + quote(HELLO))
    through = reading.main.locator(".grounds li", has_text="graph:").first
    expect(through).to_be_visible()
    quoted = through.evaluate(LEFTS, ["!", "مرحبا"])
    assert quoted == sorted(quoted)
    reading.open("#/review?kind=relation")
    assert ordered(reading, "p:has-text('Accepting')", "الزرافة", "to", "!", "مرحبا")


def test_quotes_and_lists_begin_where_their_lines_begin(reading: Visit) -> None:
    """The bar of a quote and the marks of a list stand on the right of Arabic."""
    reading.open("#/node/" + quote(GIRAFFE))
    look = "each => [getComputedStyle(each).direction, getComputedStyle(each).borderLeftWidth]"
    for name in ("ul", "li", "blockquote"):
        assert reading.main.locator(f".markdown {name}").first.evaluate(look) == ["rtl", "0px"]


def test_what_is_typed_runs_as_its_own_letters_do(reading: Visit) -> None:
    """In every field for words, on every page."""
    fields = "input:not([type]), input[type=search], textarea"
    for address in PAGES:
        reading.open(address)
        for each in reading.page.locator(fields).all():
            assert each.get_attribute("dir") == "auto", (address, each.get_attribute("name"))
    reading.open("#/node/" + quote(GIRAFFE))
    for way in ("Edit", "Relate", "Merge", "Forget"):
        reading.main.get_by_role("button", name=way, exact=True).click()
        expect(reading.main.locator(f".form :is({fields})").first).to_be_visible()
        for each in reading.main.locator(f".form :is({fields})").all():
            assert each.get_attribute("dir") == "auto", (way, each.get_attribute("name"))


def test_nothing_is_wider_than_a_narrow_window(visit: Visits, scripts: str) -> None:
    """However long a run without spaces is."""
    reading = visit(scripts, viewport={"width": 390, "height": 800})
    for address in PAGES:
        reading.open(address)
        reading.page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert reading.page.evaluate("document.documentElement.scrollWidth") <= 390, address


def test_titles_in_a_drawing_are_broken_where_they_may_be(reading: Visit) -> None:
    """No emoji in two, no line wider than its room, each line of Arabic from right to left."""
    reading.open("#/node/" + quote(GIRAFFE))
    labels = reading.drawn("graph.nodes().map((each) => each.data('label'))")
    assert len(labels) == 5
    lines = [line for label in labels for line in label.split("\n")]
    widths = reading.page.evaluate(
        "async lines => { const { columns } = await import('/explorer/titles.js'); return lines.map(columns); }",
        [line.strip("\u2067\u2069") for line in lines],
    )
    assert max(widths) <= 28
    assert not any("\ud800" <= each <= "\udfff" or each == "\ufffd" for label in labels for each in label)
    assert "🎉" * 14 + "\n" + "🎉" * 13 + "…" in labels
    assert f"\u2067{HELLO}\u2069" in labels
    (water,) = (label for label in labels if label.startswith("水"))
    assert len(water.split("\n")) == 2


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("A short one", ["A short one"]),
        ("The gateway authenticates each request", ["The gateway", "authenticates each…"]),
        ("a" * 40, ["a" * 23 + "…"]),
        ("👩‍👩‍👧‍👦" * 20, ["👩‍👩‍👧‍👦" * 12, "👩‍👩‍👧‍👦" * 8]),
        ("देवनागरी" * 8, ["देवनागरी" * 4 + "देवना" + "…"]),
        ("東京タワーの高さ。", ["東京タワーの高さ。"]),
    ],
)
def test_a_label_of_the_map_has_two_lines_at_most(title: str, lines: list[str], reading: Visit) -> None:
    """Of twenty-four columns, of which a syllable of Chinese takes two; no letter loses its marks."""
    reading.open()
    made = reading.page.evaluate(
        "async title => { const { wrapped } = await import('/explorer/titles.js'); return wrapped(title, 24, 2); }",
        title,
    )
    assert made == lines


def test_keys_that_choose_characters_do_nothing_else(reading: Visit) -> None:
    """Escape and Enter belong to the input method while it composes."""
    reading.open("#/node/" + quote(GIRAFFE))
    reading.main.get_by_role("button", name="Relate", exact=True).click()
    why = reading.main.get_by_label("Why")
    why.dispatch_event("keydown", {"key": "Escape", "isComposing": True, "bubbles": True})
    expect(why).to_be_visible()
    why.dispatch_event("keydown", {"key": "Escape", "bubbles": True})
    expect(why).to_have_count(0)
    reading.open("#/map")
    field = reading.main.get_by_label("Find on the map")
    field.fill("猫")
    reading.drawn("true")
    field.dispatch_event("keydown", {"key": "Enter", "keyCode": 229, "isComposing": True, "bubbles": True})
    expect(reading.main.locator(".chart .card")).not_to_be_visible()
    field.press("Enter")
    expect(reading.main.locator(".chart .card")).to_be_visible()


def test_a_key_is_known_by_its_place_where_it_gives_another_letter(reading: Visit) -> None:
    """Of U on a keyboard for Russian."""
    reading.open("#/review?kind=relation")
    reading.page.keyboard.press("ArrowLeft")
    expect(reading.told).to_contain_text("Dismissed.")
    reading.page.locator("body").dispatch_event("keydown", {"key": "г", "code": "KeyU", "bubbles": True})
    expect(reading.told).to_contain_text("Undone.")


@pytest.mark.parametrize(
    ("typed", "count"), [("कि", 1), ("क", 2), ("STRASSE", 1), ("strasse", 1), ("محمد", 1), ("猫", 1)]
)
def test_the_map_is_looked_through_as_people_spell(typed: str, count: int, reading: Visit) -> None:
    """Points and accents may be left out; the vowels of Hindi are letters; ß is two."""
    reading.open("#/map")
    reading.main.get_by_label("Find on the map").fill(typed)
    expect(reading.main.locator(".finding .hint")).to_contain_text(f"{count} found")


def test_one_character_is_enough_to_be_offered_a_title(reading: Visit) -> None:
    """Where it may be a word by itself."""
    reading.open("#/trail")
    reading.main.get_by_label("To", exact=True).press_sequentially("猫")
    expect(reading.main.locator("datalist option[value='猫']")).to_have_count(1)
