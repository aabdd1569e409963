"""Merging two nodes with a choice: both side by side, which one stays, what that does told before, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from explorer.visit import Visit


def compared(visit: Visit, one: str, other: str) -> None:
    """Open the page that compares two nodes."""
    visit.open(f"#/merge?one={quote(one)}&other={quote(other)}")
    expect(visit.main.locator("h1")).to_have_text("Merge two nodes")


def stands(visit: Visit, title: str) -> bool:
    """Return whether a node of its own goes by this title."""
    return bool(visit.call("fetch", id=title)["node"]["title"] == title)


def undone(visit: Visit) -> None:
    """Take the last change back with the button that stands beside what is told of it."""
    visit.told.get_by_role("button", name="Undo").click()
    expect(visit.told).to_contain_text("Undone.")


def test_of_two_that_say_the_same_one_is_chosen_to_stay(writer: Visit) -> None:
    """From the card under Review; the other's title leads there, and one click brings it back."""
    writer.open("#/review?kind=duplicate")
    writer.main.get_by_role("link", name="Choose which stays").click()
    expect(writer.main.locator("h1")).to_have_text("Merge two nodes")
    expect(writer.main.locator(".compared .markdown")).to_contain_text(["anchors", "anchors"])
    writer.main.get_by_label("Anchors lost").check()
    expect(writer.main.locator("[aria-live]")).to_contain_text("«Lost anchors» goes.")
    expect(writer.main.locator("[aria-live]")).to_contain_text("Other names of the one that stays: «Lost anchors»")
    writer.main.get_by_label("Lost anchors").check()
    expect(writer.main.locator("[aria-live]")).to_contain_text("«Anchors lost» goes.")
    writer.main.get_by_role("button", name="Merge them").click()
    expect(writer.main.locator("h1")).to_have_text("Lost anchors")
    expect(writer.main.locator(".names").first).to_contain_text("Also called: Anchors lost")
    assert not stands(writer, "Anchors lost")
    undone(writer)
    assert stands(writer, "Anchors lost")
    assert stands(writer, "Lost anchors")


def test_two_are_merged_from_a_node_s_page_and_relations_move(writer: Visit) -> None:
    """How many is told before and after; what is not alike is refused, and a curator may do it all the same."""
    writer.open("#/node/Warm currents")
    writer.main.get_by_role("button", name="Merge").click()
    writer.main.get_by_label("With which node (a title)").fill("Vines are pruned")
    writer.main.get_by_role("button", name="Compare the two").click()
    expect(writer.main.locator("h1")).to_have_text("Merge two nodes")
    writer.main.get_by_label("Vines are pruned").check()
    expect(writer.main.locator("[aria-live]")).to_contain_text("1 relation moves over.")
    writer.expected.add(409)
    writer.main.get_by_role("button", name="Merge them").click()
    expect(writer.main.get_by_role("alert")).to_contain_text("is not merged into")
    assert stands(writer, "Warm currents")
    writer.main.get_by_role("button", name="Merge them all the same").click()
    expect(writer.told).to_contain_text("Merged. 1 relation moved.")
    expect(writer.main.locator("h1")).to_have_text("Vines are pruned")
    expect(writer.main.locator(".relations")).to_contain_text("Plankton blooms")
    undone(writer)
    assert stands(writer, "Warm currents")


def test_what_a_document_states_stays(writer: Visit) -> None:
    """It cannot be chosen otherwise; of two that documents state neither goes."""
    found = writer.call("search", query="", ontologies=["bay"], limit=2)["hits"]
    titles = [hit["title"] for hit in found]
    compared(writer, "Nets are mended", titles[0])
    expect(writer.main.get_by_label(titles[0])).to_be_checked()
    expect(writer.main.get_by_label("Nets are mended")).to_be_disabled()
    expect(writer.main).to_contain_text("A document states the one that stays; the other goes.")
    compared(writer, titles[0], titles[1])
    expect(writer.main).to_contain_text("Documents state both; neither is merged away.")
    expect(writer.main.get_by_role("button", name="Merge them")).to_have_count(0)


@pytest.mark.parametrize("other", ["Nets are mended", ""])
def test_one_node_twice_or_none_is_told(writer: Visit, other: str) -> None:
    """There is nothing to merge then."""
    writer.expected |= {400, 404}
    writer.open(f"#/merge?one={quote('Nets are mended')}&other={quote(other)}")
    expect(writer.main.get_by_role("button", name="Merge them")).to_have_count(0)
    if other:
        expect(writer.main.locator("p")).to_have_text("Both lead to the same node: it is one already. Nets are mended")
        expect(writer.main.get_by_role("link", name="Nets are mended")).to_be_visible()
    else:
        expect(writer.main.locator("h1")).to_have_text("That did not work")
