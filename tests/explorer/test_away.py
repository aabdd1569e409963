"""The server away for a while, or a file of the explorer that did not arrive: it is told, and can be tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from explorer.conftest import Visits
    from explorer.visit import Visit

AWAY = "The server does not answer."


@pytest.fixture
def fresh(visit: Visits, harbour: str) -> Visit:
    """A visit with nothing in the browser: a page's module is read when the page is first opened."""
    return visit(harbour, locale="en-GB")


def follow(visit: Visit, name: str) -> None:
    """Choose a page at the top."""
    visit.page.get_by_role("link", name=name, exact=True).click()


@pytest.mark.parametrize("before", ["#/capture", "#/status"], ids=["its module not read yet", "its module read before"])
def test_a_server_that_went_away_is_told_and_tried_again(fresh: Visit, before: str) -> None:
    """The page stays and says what is the matter; a try while the server is still away says it once more."""
    fresh.open(before)
    fresh.open("#/search")
    with fresh.offline():
        follow(fresh, "Status")
        expect(fresh.main.get_by_role("alert")).to_contain_text(AWAY)
        shown = fresh.shown()
        fresh.main.get_by_role("button", name="Try again").click()
        fresh.settled(shown)
        expect(fresh.main.get_by_role("alert")).to_contain_text(AWAY)
    fresh.main.get_by_role("button", name="Try again").click()
    expect(fresh.main.locator("h1")).to_have_text("Status")
    assert fresh.page.url.endswith("#/status")


def test_the_same_question_is_asked_again(fresh: Visit) -> None:
    """Its address is the same then: it is answered all the same, or told that it cannot be."""
    fresh.open("#/search?q=herring")
    query = fresh.page.locator("#query")
    with fresh.offline():
        query.press("Enter")
        expect(fresh.main.get_by_role("alert")).to_contain_text(AWAY)
    query.press("Enter")
    expect(fresh.main.locator(".hits")).to_be_visible()


def test_a_page_that_could_not_be_read_once_is_there_when_it_is_next_chosen(fresh: Visit) -> None:
    """Without any button: the browser would remember the failure for as long as the document stands."""
    fresh.open()
    with fresh.offline():
        follow(fresh, "Status")
        expect(fresh.main.get_by_role("alert")).to_contain_text(AWAY)
    follow(fresh, "Capture")
    expect(fresh.main.locator("h1")).to_have_text("Capture")
    follow(fresh, "Status")
    expect(fresh.main.locator("h1")).to_have_text("Status")


def test_what_a_page_needs_and_could_not_be_read_counts_as_the_page(fresh: Visit) -> None:
    """A module of a module: nothing but the document read anew brings it."""
    fresh.open("#/search?ontology=light")
    with fresh.lacking("past.js"):
        follow(fresh, "The lamp")
        expect(fresh.main.get_by_role("alert")).to_contain_text(AWAY)
    fresh.main.get_by_role("button", name="Try again").click()
    expect(fresh.main.locator("h1")).to_have_text("The lamp")


def test_a_page_that_never_arrives_is_told_and_not_read_for_ever(fresh: Visit) -> None:
    """The document is read anew once for it, and then says so."""
    fresh.open()
    read: list[str] = []
    fresh.page.on("load", lambda page: read.append(page.url))
    with fresh.lacking("pages/status.js"):
        with fresh.page.expect_event("load"):
            follow(fresh, "Status")
        expect(fresh.main.get_by_role("alert")).to_contain_text(AWAY)
    follow(fresh, "Log")
    expect(fresh.main.locator("h1")).to_have_text("Log")
    assert len(read) == 1


def test_a_drawing_whose_library_did_not_arrive_is_tried_again(fresh: Visit) -> None:
    """The rest of the page stands; what failed is said in its place."""
    fresh.open()
    with fresh.lacking("cytoscape.js"):
        expect(fresh.open("#/node/The lamp")).to_have_text("The lamp")
        fresh.open("#/node/Herring return")
        alert = fresh.main.locator(".canvas").get_by_role("alert")
        expect(alert).to_contain_text(AWAY)
    alert.get_by_role("button", name="Try again").click()
    assert fresh.drawn("graph.nodes().length") == 3
