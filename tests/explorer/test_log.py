"""The log in a browser: who changed what, narrowed, undone and done again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from explorer.sea import LOGS

if TYPE_CHECKING:
    from explorer.visit import Visit


def test_the_newest_changes_are_listed_with_who_and_by_what(writer: Visit) -> None:
    """A row a batch; the node leads to its page."""
    writer.open()
    made = writer.call("capture", content="Gulls follow the plough.", title="Gulls follow", kind="claim")
    expect(writer.open("#/log")).to_have_text("Log")
    row = writer.main.locator("tbody tr").first
    expect(row).to_contain_text("ann")
    expect(row).to_contain_text("capture: 1 node created")
    row.get_by_role("link", name="Gulls follow").click()
    expect(writer.main.locator("h1")).to_have_text("Gulls follow")
    assert made["title"] == "Gulls follow"


def test_a_batch_is_undone_and_done_again(writer: Visit) -> None:
    """The row says how it stands, and offers what can be done about it."""
    writer.open()
    writer.call("update", id="Tides turn twice", tags=["twice"])
    writer.open("#/log?tool=update&node=Tides turn twice")
    row = writer.main.locator("tbody tr").first
    row.get_by_role("button", name="Undo").click()
    expect(writer.told).to_contain_text("Undone.")
    row = writer.main.locator("tbody tr.undone")
    expect(row).to_have_count(1)
    row.get_by_role("button", name="Redo").click()
    expect(writer.main.locator("tbody tr.undone")).to_have_count(0)
    assert writer.call("fetch", id="Tides turn twice")["node"]["tags"] == ["twice"]


def test_the_address_of_what_was_forgotten_leads_to_the_way_back(writer: Visit) -> None:
    """A search for its id would find nothing."""
    writer.expected.add(404)
    writer.open()
    made = writer.call("capture", content="Mussels grow on the piles.", title="Mussels grow", kind="claim")
    writer.call("forget", id=made["id"], confirm=True)
    writer.open(f"#/node/{made['id']}")
    expect(writer.main.get_by_role("alert")).to_contain_text("ann forgot")
    writer.main.get_by_role("link", name="What became of it").click()
    writer.main.locator("tbody tr").first.get_by_role("button", name="Undo").click()
    expect(writer.told).to_contain_text("Undone.")
    expect(writer.open(f"#/node/{made['id']}")).to_have_text("Mussels grow")


def test_what_was_overtaken_is_told_and_not_offered(writer: Visit) -> None:
    """A newer change of the same field stands in the way."""
    writer.open()
    for tag in ("first", "second"):
        writer.call("update", id="Nets are mended", tags=[tag])
    writer.open("#/log?tool=update&node=Nets are mended")
    older = writer.main.locator("tbody tr").nth(1)
    expect(older).to_contain_text("changed since")
    expect(older.get_by_role("button")).to_have_count(0)


def test_the_log_is_narrowed_and_paged(writer: Visit) -> None:
    """The session of the harbour's log, thirty batches a page."""
    writer.open("#/log")
    writer.main.locator(".narrowing > summary").click()
    writer.main.get_by_label("Session").fill("harbour")
    writer.main.get_by_role("button", name="Show").click()
    expect(writer.main.locator("tbody tr")).to_have_count(LOGS)
    writer.open("#/log")
    first = writer.main.locator("tbody tr").first.text_content()
    writer.main.get_by_role("link", name="Older").click()
    expect(writer.main.locator("tbody tr").first).not_to_have_text(first or "")
    assert "before=" in writer.page.url


def test_the_log_is_narrowed_to_a_time(writer: Visit) -> None:
    """Only the lamp is as old as that."""
    writer.open("#/log?until=2024-12-31T00:00")
    expect(writer.main.locator("tbody tr")).to_have_count(2)
    expect(writer.main.locator("tbody tr").first).to_contain_text("The lamp")


def test_what_comes_while_the_log_is_read_is_told_above_it(writer: Visit) -> None:
    """Nothing moves by itself."""
    writer.open("#/log")
    first = writer.main.locator("tbody tr").first.text_content()
    with writer.heard("capture"):
        writer.call("capture", content="A seal sleeps on the quay.", title="A seal sleeps", kind="claim")
    fresh = writer.main.locator(".fresh")
    expect(fresh).to_contain_text("came since")
    expect(writer.main.locator("tbody tr").first).to_have_text(first or "")
    fresh.get_by_role("button", name="Show").click()
    expect(writer.main.locator("tbody tr").first).to_contain_text("A seal sleeps")


def test_a_time_that_is_none_is_said_beside_the_filter(writer: Visit) -> None:
    """Only an address that was written by hand holds one; what is filled in stays."""
    writer.open("#/log?since=yesterday&actor=ann")
    expect(writer.main.get_by_role("alert")).to_contain_text("«yesterday» is no time.")
    expect(writer.main.get_by_label("Actor")).to_have_value("ann")
