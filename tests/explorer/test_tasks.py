"""What people come for, done by keyboard alone in at most six presses that do something."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from explorer.visit import served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Locator

    from explorer.conftest import Visits
    from explorer.visit import Visit

PRESSES_MAX: Final = 6
TABS_MAX: Final = 150
THINGS: Final = ("Ropes of hemp", "Tarred sails", "Boxes with cargo", "Planks of larch", "Pumps of brass")


class Keys:
    """A reader without a mouse: goes on with the tab key, types, and counts what it presses to some effect."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.presses = 0

    def reach(self, wanted: Locator) -> None:
        """Go on until ``wanted`` has the focus."""
        for _ in range(TABS_MAX):
            if wanted.evaluate("each => each === document.activeElement"):
                return
            self.visit.page.keyboard.press("Tab")
        raise AssertionError(f"the tab key does not reach {wanted}")

    def type(self, wanted: Locator, text: str) -> None:
        """Go to a field and type into it."""
        expect(wanted).to_be_visible()
        self.reach(wanted)
        self.visit.page.keyboard.type(text)

    def press(self, wanted: Locator | None = None, key: str = "Enter") -> None:
        """Go to ``wanted``, where it is told, and press ``key`` there."""
        if wanted is not None:
            expect(wanted).to_be_visible()
            self.reach(wanted)
        self.presses += 1
        self.visit.page.keyboard.press(key)

    def turn(self, name: str) -> None:
        """Go to one of the pages that are named at the top."""
        before = self.visit.shown()
        self.press(self.visit.page.locator("nav").get_by_role("link", name=name))
        self.visit.settled(before)


@pytest.fixture
def keys(writer: Visit) -> Iterator[Keys]:
    """A reader without a mouse, at the first page."""
    writer.open()
    made = Keys(writer)
    yield made
    assert made.presses <= PRESSES_MAX


@pytest.fixture
def undecided(visit: Visits, filled: Path, tmp_path: Path) -> Iterator[Keys]:
    """A reader without a mouse, at a graph in which nobody has decided anything."""
    with served(shutil.copytree(filled, tmp_path / "graph") / "sea.db") as base:
        made = Keys(visit(base))
        yield made
        made.visit.page.close()  # before its server goes
    assert made.presses <= PRESSES_MAX


def test_a_fact_and_its_source_are_found(keys: Keys) -> None:
    """The question, the hit, the quote."""
    main = keys.visit.main
    keys.visit.page.keyboard.press("/")
    keys.visit.page.keyboard.type("when is the harbour closed?")
    keys.press()
    expect(main.locator("h1")).to_contain_text("when is the harbour closed?")
    keys.press(main.locator(".hits .title", has_text="We decided to close the harbour"))
    expect(main.locator("blockquote").first).to_contain_text("We decided to close the harbour")
    expect(main.locator("cite").first).to_contain_text("bay.md")


def test_why_two_nodes_are_linked_is_seen(keys: Keys) -> None:
    """A trail with the reason of each step."""
    main = keys.visit.main
    keys.turn("Trail")
    keys.type(main.locator("input[name=from]"), "Warm currents")
    keys.type(main.locator("input[name=to]"), "Herring return")
    keys.press()
    expect(main.locator(".steps > li")).to_have_count(4)
    expect(main.locator(".steps .reasoning").first).to_have_text("It brings what plankton needs.")


def test_two_duplicates_are_merged_and_parted_again(undecided: Keys) -> None:
    """Accepting is the merge, U is the way back."""
    undecided.visit.open("#/review?kind=duplicate")
    expect(undecided.visit.main.locator(".card")).to_be_visible()
    undecided.press(key="ArrowRight")
    expect(undecided.visit.main).to_contain_text("All caught up.")
    undecided.press(key="u")
    expect(undecided.visit.told).to_contain_text("Undone.")
    expect(undecided.visit.main.locator(".card")).to_be_visible()


def test_five_suggestions_are_accepted(keys: Keys) -> None:
    """One press each, once the queue is there."""
    for thing in THINGS:
        for end in ("rot", "last"):
            content = f"{thing} {end}, said the harbour master of the {end} inspection."
            keys.visit.call("capture", content=content, title=f"{thing} {end}", kind="pattern", ontology="q")
    keys.visit.open("#/search")
    waited = waiting(keys)
    keys.turn("Review")
    for _ in THINGS:
        hint = keys.visit.main.locator(".hint").first
        before = hint.text_content() or ""
        keys.press(key="ArrowRight")
        expect(hint).not_to_have_text(before)
    assert waiting(keys) == waited - len(THINGS)


def waiting(keys: Keys) -> int:
    """Return how many items wait."""
    return int(keys.visit.call("review", limit=1)["remaining"])


def test_a_contradiction_is_settled(keys: Keys) -> None:
    """A claim is put to the graph, and the verdict on what comes close is recorded."""
    main = keys.visit.main
    keys.turn("Challenge")
    keys.type(main.get_by_label("One statement"), "Herring spawn in shallow bays when spring comes.")
    keys.press(main.get_by_role("button", name="Challenge"))
    entry = keys.visit.entry("Herring roam")
    keys.type(entry.get_by_label("Why"), "Tagged fish came back.")
    keys.press(entry.get_by_role("button", name="It contradicts this"))
    expect(keys.visit.told).to_contain_text("Recorded.")


def test_a_bridge_with_a_great_leap_is_made(keys: Keys) -> None:
    """With the warning in view before it is made."""
    main = keys.visit.main
    keys.turn("Bridges")
    keys.type(main.locator("select[name=one]"), "sea")
    keys.type(main.locator("select[name=other]"), "orchard")
    keys.press(main.get_by_role("button", name="Find pairs"))
    pair = main.locator(".pairs > li", has_text="⚠ a great leap").first
    keys.press(pair.get_by_role("button", name="Connect"))
    expect(pair.locator(".warning")).to_be_visible()
    keys.type(pair.get_by_label("The evidence"), "Both wait for the first warm week of spring.")
    keys.press(pair.locator("form").get_by_role("button", name="Connect"))
    expect(keys.visit.told).to_contain_text("the leap is high")


def test_what_somebody_changed_is_found_and_reverted(keys: Keys) -> None:
    """Narrowed to a node, the newest of its changes."""
    keys.visit.call("update", id="The lamp", content="The lighthouse is dark.")
    main = keys.visit.main
    keys.turn("Log")
    keys.press(main.locator(".narrowing > summary"))
    keys.type(main.get_by_label("Node"), "The lamp")
    keys.press()
    expect(main.locator("tbody tr")).to_have_count(3)
    keys.press(main.locator("tbody tr").first.get_by_role("button", name="Undo"))
    expect(keys.visit.told).to_contain_text("Undone.")
    assert keys.visit.call("fetch", id="The lamp")["node"]["content"] == "The lighthouse has an electric lamp."


def test_the_graph_is_seen_as_it_stood_at_a_date(keys: Keys) -> None:
    """The field for it is folded away at first."""
    main = keys.visit.main
    keys.press(main.locator(".narrowing > summary"))
    keys.type(main.get_by_label("As of"), "03022024")
    keys.visit.page.keyboard.press("Tab")
    keys.visit.page.keyboard.type("0100AM")
    keys.press()
    expect(main.locator(".hits .title")).to_have_text(["The lamp"])
