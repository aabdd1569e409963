"""Deciding in a browser: the review queue by keyboard, bridges with what makes them doubtful."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from explorer.visit import Visit

PAIRS = (
    ("Ropes of hemp rot", "Ropes of hemp last"),
    ("Tarred sails rot", "Tarred sails last"),
    ("Boxes with cargo rot", "Boxes with cargo last"),
)
TWINS = (
    "Lost anchors are marked with red buoys until a diver has lifted them from the ground.",
    "Until a diver has lifted them from the ground, lost anchors are marked with red buoys.",
)


@pytest.fixture
def queue(writer: Visit) -> Visit:
    """The review page, with at least three items that wait."""
    writer.open()
    for one, other in PAIRS:
        writer.call("capture", content=f"{one}, says the harbour master.", title=one, kind="pattern", ontology="q")
        writer.call(
            "capture", content=f"{other}, says the pilot of the tug.", title=other, kind="pattern", ontology="q"
        )
    writer.open("#/review")
    return writer


def waiting(visit: Visit) -> int:
    """Return how many items wait, as another program would ask."""
    return int(visit.call("review", limit=1)["remaining"])


def test_the_queue_is_gone_through_with_four_keys(queue: Visit) -> None:
    """Pass over, accept, take back, dismiss: without a mouse, each told."""
    queue.open("#/review?kind=relation")
    before = waiting(queue)
    heading = queue.main.locator(".card h2")
    first = heading.text_content()
    queue.page.keyboard.press("Space")
    expect(heading).not_to_have_text(first)
    second = heading.text_content()
    queue.page.keyboard.press("ArrowRight")
    expect(queue.told).to_contain_text("Undo")
    expect(heading).not_to_have_text(second)
    assert waiting(queue) == before - 1
    shown = queue.shown()
    queue.page.keyboard.press("u")
    expect(queue.told).to_contain_text("Undone.")
    assert waiting(queue) == before
    queue.settled(shown)  # no key decides on a queue that is being read anew
    queue.page.keyboard.press("ArrowLeft")
    expect(queue.told).to_contain_text("Dismissed.")
    queue.until(lambda: waiting(queue) == before - 1)


def test_keys_that_are_typed_into_a_field_decide_nothing(queue: Visit) -> None:
    """Nor do those pressed with Ctrl, or on a button."""
    before = waiting(queue)
    queue.page.locator("#query").press("ArrowRight")
    queue.main.get_by_label("What to decide on").press("ArrowLeft")
    queue.open("#/review")
    queue.page.keyboard.press("Control+ArrowRight")
    queue.main.get_by_role("button", name="Pass over").press("u")
    assert waiting(queue) == before
    expect(queue.told).to_be_hidden()


def test_what_no_longer_holds_is_marked_beside_what_is_asked(writer: Visit) -> None:
    """The question may have settled itself."""
    writer.open()
    for title, who in (("Masts of spruce rot", "the harbour master"), ("Masts of spruce last", "the pilot of the tug")):
        writer.call("capture", content=f"{title}, says {who}.", title=title, kind="pattern", ontology="q")
    writer.call("update", id="Masts of spruce rot", superseded_by="Masts of spruce last")
    writer.open("#/review?kind=relation")
    card = writer.main.locator(".card")
    for _ in range(waiting(writer)):
        if "Masts of spruce rot" in (card.text_content() or ""):
            break
        writer.page.keyboard.press("Space")
    former = card.locator(".compared > .text").filter(has_text="Masts of spruce rot, says")
    expect(former.locator(".state")).to_have_text("superseded")
    expect(former.get_by_text("Superseded by Masts of spruce last")).to_be_visible()
    expect(card.locator(".state")).to_have_count(1)
    expect(card.get_by_text("Superseded by")).to_have_count(1)


def test_duplicates_are_merged_from_the_queue_and_unmerged(writer: Visit) -> None:
    """Both texts stand side by side before; after the undo there are two nodes again."""
    writer.open("#/review?kind=duplicate")
    expect(writer.main.locator(".compared .snippet")).to_have_count(2)
    assert sorted(writer.main.locator(".compared .snippet").all_text_contents()) == sorted(TWINS)
    writer.page.keyboard.press("ArrowRight")
    expect(writer.main).to_contain_text("All caught up.")
    assert len(found(writer)) == 1
    writer.page.keyboard.press("u")
    expect(writer.told).to_contain_text("Undone.")
    expect(writer.main.locator(".card h2")).to_contain_text("may repeat")
    assert len(found(writer)) == 2


def test_what_is_refused_waits_on_and_says_why(writer: Visit) -> None:
    """Documents state both, so that neither is merged away: the card says so before, and stays for another decision."""
    writer.open()
    for name, time in (("quay.md", "every night"), ("pier.md", "each night")):
        text = f"# The {name[:4]}\n\nThe crane on the quay must be lashed to its rails {time} before the tide turns.\n"
        writer.call("ingest", text=text, document=name, ontology=name[:4])
    writer.open("#/review?kind=duplicate")
    card = writer.main.locator(".card").filter(has_text="crane")
    before = waiting(writer)
    while not card.count():
        writer.page.keyboard.press("Space")
    expect(card).to_contain_text("Accepting: Is refused: documents state both")
    writer.page.keyboard.press("ArrowRight")
    expect(writer.told).to_contain_text("both come from documents")
    expect(card).to_be_visible()
    assert waiting(writer) == before
    card.get_by_role("link", name="Choose which stays").click()
    expect(writer.main).to_contain_text("neither is merged away")
    expect(writer.main.get_by_role("link")).to_have_count(2)
    writer.page.go_back()
    while not card.count():
        writer.page.keyboard.press("Space")
    writer.page.keyboard.press("ArrowLeft")
    expect(card).to_have_count(0)
    assert waiting(writer) == before - 1


def found(visit: Visit) -> list[str]:
    """Return the titles of the nodes about lost anchors."""
    hits = visit.call("search", query="lost anchors buoys", mode="keyword")["hits"]
    return [hit["title"] for hit in hits]


def test_a_kind_that_nothing_speaks_for_is_asked_of_without_a_share(writer: Visit) -> None:
    """What it could be stands there with its figures; «0 % sure» would tell nothing."""
    writer.open()
    made = writer.call("capture", content="Retries back off from 200 ms.")
    (item,) = [each for each in made["suggestions"] if each["kind"] == "classification"]
    writer.open("#/review?kind=classification")
    card = writer.main.locator(".card")
    expect(card).to_contain_text("too little in its words tells its kind")
    expect(card).not_to_contain_text("%")
    kind, share = item["grounds"]["alternatives"][0]
    expect(card.locator("dl.facts")).to_contain_text(f"{kind.replace('_', ' ')} {share:g}")


def test_the_queue_can_be_narrowed_to_a_kind(queue: Visit) -> None:
    """The address keeps it; where nothing of the kind waits, that is said."""
    queue.main.get_by_label("What to decide on").select_option("relation")
    expect(queue.main.locator(".card .about")).to_have_text("relation")
    queue.until(lambda: "kind=relation" in queue.page.url)
    queue.main.get_by_label("What to decide on").select_option("file_conflict")
    expect(queue.main).to_contain_text("All caught up.")


def test_how_many_wait_stands_beside_the_page_s_name_and_goes_on_by_itself(writer: Visit) -> None:
    """What another program brings about is counted without a reload."""
    writer.open("#/status")
    count = writer.page.locator("#waiting")
    expect(count).to_have_text(str(waiting(writer)))
    before = count.text_content()
    for title in ("A buoy is painted red", "A buoy is painted white"):
        writer.call("capture", content=f"{title} by the harbour master.", title=title, kind="pattern", ontology="q")
    expect(count).not_to_have_text(before or "")
    expect(count).to_have_text(str(waiting(writer)))


def test_a_bridge_is_made_with_its_evidence_and_a_warning_of_a_great_leap(writer: Visit) -> None:
    """Two bodies of knowledge, the pairs between them, the doubt, the evidence; and the way back."""
    writer.open("#/bridges")
    writer.main.get_by_label("Between").select_option("sea")
    writer.main.locator("select[name=other]").select_option("orchard")
    writer.main.get_by_role("button", name="Find pairs").click()
    pair = writer.main.locator(".pairs > li", has_text="⚠ a great leap").first
    expect(pair).to_be_visible()
    one, other = pair.locator(".title").all_text_contents()
    pair.get_by_role("button", name="Connect").click()
    form = pair.locator("form.writing")
    expect(form.locator(".warning")).to_contain_text("lie far apart")
    form.get_by_label("The evidence").fill("Both are timed by the first warm week of spring.")
    form.get_by_role("button", name="Connect").click()
    expect(writer.told).to_contain_text("the leap is high")
    assert related(writer, one) == [other]
    writer.told.get_by_role("button", name="Undo").click()
    expect(writer.told).to_contain_text("Undone.")
    assert related(writer, one) == []


def related(visit: Visit, title: str) -> list[str]:
    """Return the titles to which a node was related as a bridge."""
    return [row["title"] for row in visit.call("fetch", id=title)["relations"].get("bridges", [])]


def test_pairs_that_are_related_already_are_shown_where_that_is_asked_for(writer: Visit) -> None:
    """The address keeps the question."""
    writer.open("#/bridges?one=sea&other=orchard&existing=on")
    expect(writer.main.get_by_label("Related pairs too")).to_be_checked()
    expect(writer.main.locator(".pairs > li").first).to_be_visible()


def test_what_one_rule_found_is_dismissed_together_and_taken_back_one_by_one(queue: Visit) -> None:
    """Hundreds of guesses of one kind are no reason to leave the queue alone."""
    for number in range(5):
        title = f"Rope {number} rots slowly"
        queue.call("capture", content=f"{title}, says mate {number}.", title=title, kind="pattern", ontology="q")
    queue.open("#/review?kind=relation")
    before = waiting(queue)
    together = queue.main.get_by_role("button", name="like it")
    count = int("".join(filter(str.isdigit, together.text_content() or "")))
    assert count >= 4
    together.click()
    expect(queue.told).to_contain_text(f"{count} dismissed.")
    assert waiting(queue) == before - count
    queue.page.keyboard.press("u")
    expect(queue.told).to_contain_text("Undone.")
    assert waiting(queue) == before - count + 1
