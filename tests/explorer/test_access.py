"""Everybody can use it: no fault that axe-core finds, every task by keyboard, narrow windows, large letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

if TYPE_CHECKING:
    from explorer.conftest import Visits
    from explorer.visit import Visit

PAGES: Final = {
    "newest": "#/search",
    "hits": "#/search?q=herring&kind=claim",
    "node": f"#/node/{quote('Herring return')}",
    "lamp": "#/node/The lamp",
    "hub": f"#/node/{quote('The harbour')}",
    "map": "#/map?find=herring",
    "trail": "#/trail?from=Plankton blooms&to=Herring return",
    "challenge": "#/challenge?claim=Herring spawn in shallow bays when spring comes.",
    "capture": "#/capture",
    "review": "#/review",
    "merge": f"#/merge?one={quote('Lost anchors')}&other={quote('Anchors lost')}",
    "bridges": "#/bridges?one=sea&other=orchard",
    "log": "#/log",
    "status": "#/status",
    "former": "#/search?status=superseded",
    "nothing": "#/search?q=pruned&mode=keyword&kind=concept",
}
NOTE: Final = """() => {
  window.reached = new Set();
  window.unseen = [];
  addEventListener('focusin', ({ target }) => {
    window.reached.add(target);
    if (getComputedStyle(target).outlineStyle === 'none') window.unseen.push(target.outerHTML);
  });
}"""
"""Has the page note what got the focus, and on what of it the focus was not to be seen."""
MORE: Final = 40
"""Presses beyond one a thing: a field for a date takes several, and the browser has a place of its own."""


def opened(visit: Visit, name: str) -> None:
    """Open a page with all that folds out of it, and its drawing."""
    visit.open(PAGES[name])
    visit.page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    if name in {"node", "hub", "trail", "map"}:
        visit.drawn("1")
    if name == "node":
        visit.main.get_by_role("button", name="Edit").click()
    if name == "bridges":
        visit.main.get_by_role("button", name="Connect").first.click()
    # what was waited for fades in, and letters that are half there have half their contrast
    visit.page.evaluate("() => Promise.all(document.getAnimations().map((each) => each.finished))")


SCHEMES: Final = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
"""The rules that axe-core is asked for, by the scheme of colours: nothing but contrast depends on it."""


def test_no_page_has_a_fault_that_axe_finds(visit: Visits, harbour: str) -> None:
    """Contrast, names, landmarks, order of headings, and what else the rules of axe-core hold; light and dark."""
    # axe-core sets markup, which the page's own policy forbids
    visiting = visit(harbour, color_scheme="light", bypass_csp=True)
    faults = {}
    for name in PAGES:
        opened(visiting, name)
        for scheme, rules in SCHEMES.items():
            visiting.page.emulate_media(color_scheme=scheme)
            answer = Axe().run(visiting.page, options={"resultTypes": ["violations"], **rules}).response
            found = [(each["id"], [node["target"] for node in each["nodes"]]) for each in answer["violations"]]
            faults[name, scheme] = found
        visiting.page.emulate_media(color_scheme="light")
    assert {where: found for where, found in faults.items() if found} == {}


def test_a_narrow_window_needs_no_scrolling_to_the_side(visit: Visits, harbour: str) -> None:
    """320 pixels, as at a zoom of 400 %: what is wide scrolls in its own place."""
    visiting = visit(harbour, viewport={"width": 320, "height": 640})
    for name in PAGES:
        opened(visiting, name)
        assert too_wide(visiting) == [], name


def test_large_letters_break_no_page(visit: Visits, harbour: str) -> None:
    """Text at 200 %: nothing runs out of the window."""
    visiting = visit(harbour, viewport={"width": 1024, "height": 768})
    visiting.open()
    visiting.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    for name in PAGES:
        opened(visiting, name)
        assert too_wide(visiting) == [], name


def too_wide(visit: Visit) -> list[str]:
    """Return what sticks out of the window, where the page scrolls to the side at all."""
    outside = (
        "() => document.documentElement.scrollWidth <= innerWidth ? [] :"
        " [...document.querySelectorAll('body *')]"
        ".filter((each) => each.getBoundingClientRect().right > innerWidth + 1)"
        ".map((each) => each.localName + '.' + each.className)"
    )
    return list(visit.page.evaluate(outside))


@pytest.mark.parametrize("name", ["hits", "node", "map", "challenge", "bridges", "log", "status"])
def test_the_tab_key_reaches_everything_that_can_be_pressed(reader: Visit, name: str) -> None:
    """In order, with a mark that is seen, and out again at the end."""
    opened(reader, name)
    wanted = reader.page.evaluate(
        "() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]"
        ".filter((each) => each.checkVisibility()).length"
    )
    reader.page.evaluate(NOTE)
    for _ in range(wanted + MORE):
        reader.page.keyboard.press("Tab")
    assert reader.page.evaluate("() => window.unseen") == []
    assert reader.page.evaluate("() => window.reached.size") >= wanted


def test_whoever_follows_a_link_is_taken_to_the_heading(reader: Visit) -> None:
    """Screen readers say it, and the next press of the tab key goes on from there."""
    reader.open()
    for press in (
        lambda: reader.page.get_by_role("link", name="Status").press("Enter"),
        lambda: reader.main.get_by_role("link", name="The harbour").first.press("Enter"),
        reader.page.go_back,
    ):
        before = reader.shown()
        press()
        reader.settled(before)
        assert reader.page.evaluate("() => document.activeElement.localName") == "h1"


def test_whoever_searches_is_taken_to_what_was_found(reader: Visit) -> None:
    """It would be found unheard, and on a phone below the keyboard."""
    reader.open()
    before = reader.shown()
    reader.page.locator("#query").fill("herring")
    reader.page.locator("#query").press("Enter")
    reader.settled(before)
    expect(reader.main.locator("h1")).to_be_focused()


def test_nothing_that_stays_in_sight_lies_on_another(visit: Visits, harbour: str) -> None:
    """What was done is told below the header, however many lines that takes."""
    visiting = visit(harbour, viewport={"width": 800, "height": 400})
    visiting.open(PAGES["node"])
    visiting.main.get_by_role("button", name="Edit").click()
    visiting.main.get_by_role("button", name="Save").click()
    expect(visiting.told).to_contain_text("Nothing was different.")
    visiting.page.mouse.wheel(0, 600)
    visiting.until(lambda: visiting.page.evaluate("() => scrollY") > 300)
    header, told = visiting.page.locator("body > header").bounding_box(), visiting.told.bounding_box()
    assert header
    assert told
    assert told["y"] > header["y"] + header["height"] - 1


def test_whoever_narrows_a_list_stays_at_the_field(reader: Visit) -> None:
    """The page is another one then, but the place is the same."""
    reader.open("#/search?scope=documents")
    before = reader.shown()
    reader.main.get_by_label("Kind").focus()
    reader.page.keyboard.press("c")
    reader.settled(before)
    assert reader.page.evaluate("() => document.activeElement.name") == "kind"


def test_what_is_wider_than_the_page_is_scrolled_by_keyboard(visit: Visits, quay: str) -> None:
    """Code and tables of a text scroll in their own place, which has to take the focus for that in every browser."""
    visiting = visit(quay, bypass_csp=True, viewport={"width": 360, "height": 640})
    visiting.open()
    row = "| " + " | ".join(f"sounding{number}" for number in range(20)) + " |"
    table = "\n".join((row, "|" + " --- |" * 20, row))
    visiting.call("capture", content=f"{table}\n\n```\n{'fathom ' * 60}\n```\n", title="Wide soundings", kind="claim")
    visiting.open(f"#/node/{quote('Wide soundings')}")
    for tag in ("table", "pre"):
        place = visiting.main.locator(f".markdown {tag}")
        assert place.evaluate("each => each.scrollWidth > each.clientWidth")
        place.focus()
        visiting.page.keyboard.press("ArrowRight")
        visiting.until(lambda place=place: place.evaluate("each => each.scrollLeft > 0"))
    only = {"runOnly": ["scrollable-region-focusable"]}
    assert Axe().run(visiting.page, options=only).response["violations"] == []


@pytest.mark.parametrize(("name", "opener"), [("node", "Edit"), ("node", "Merge"), ("bridges", "Connect")])
def test_whoever_gives_a_form_up_is_back_at_what_opened_it(reader: Visit, name: str, opener: str) -> None:
    """Else the next press of the tab key would begin at the top of the page."""
    reader.open(PAGES[name])
    button = reader.main.get_by_role("button", name=opener, exact=True).first
    button.press("Enter")
    field = reader.main.locator("form.writing").locator("input, textarea").first
    field.focus()
    reader.main.locator("form.writing").get_by_role("button", name="Cancel").press("Enter")
    expect(field).to_have_count(0)
    expect(button).to_be_focused()


def test_a_slash_goes_to_the_search_but_not_out_of_a_field(reader: Visit) -> None:
    """Where somebody types it is a letter."""
    reader.open("#/trail")
    reader.page.keyboard.press("/")
    expect(reader.page.locator("#query")).to_be_focused()
    reader.page.locator("#query").fill("")
    reader.main.locator("input[name=from]").press("/")
    expect(reader.main.locator("input[name=from]")).to_have_value("/")


def test_the_first_press_of_the_tab_key_offers_the_content(reader: Visit) -> None:
    """Past everything that stands on every page."""
    reader.open("#/status")
    reader.page.keyboard.press("Tab")
    expect(reader.page.get_by_role("link", name="To the content")).to_be_focused()
    reader.page.keyboard.press("Enter")
    expect(reader.page.locator("main")).to_be_focused()
    expect(reader.main.locator("h1")).to_have_text("Status")
