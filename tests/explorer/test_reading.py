"""Finding and reading in a browser: search, a node, what lies around it, trails, the state of the graph."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from explorer.sea import LOGS

if TYPE_CHECKING:
    from explorer.conftest import Visits
    from explorer.visit import Visit

NODES = "graph.nodes().map((each) => each.data('label')).sort()"


def node(title: str, **settings: str) -> str:
    """Return the address of a node's page."""
    more = "&".join(f"{name}={value}" for name, value in settings.items())
    return f"#/node/{quote(title)}{'?' if more else ''}{more}"


def test_without_a_question_the_newest_are_shown(reader: Visit) -> None:
    """The first page is no empty box."""
    expect(reader.open("")).to_have_text("The newest")
    expect(reader.main.locator(".hits > li")).to_have_count(10)
    expect(reader.page).to_have_title("The newest – Weft")


def test_a_question_is_answered_with_why_each_hit_is_there(reader: Visit) -> None:
    """Typed into the box at the top; the hit leads to its node."""
    reader.open()
    reader.page.locator("#query").fill("when do herring come back?")
    reader.page.locator("#query").press("Enter")
    expect(reader.main.locator("h1")).to_have_text("Found for «when do herring come back?»")
    hit = reader.entry("Herring return")
    expect(hit.locator(".about")).to_have_text("claim · sea")
    assert hit.locator(".grounds li").count() >= 1
    hit.get_by_role("link").click()
    expect(reader.main.locator("h1")).to_have_text("Herring return")


def test_a_misspelt_question_says_how_it_was_read(reader: Visit) -> None:
    """Above the hits, and where nothing was found."""
    reader.open("#/search?q=herrring")
    expect(reader.main.locator(".warning")).to_contain_text("No text holds «herrring»: read as «herring».")
    expect(reader.main.locator(".hits")).to_contain_text("Herring return")
    reader.open("#/search?q=herrring&kind=workflow")
    expect(reader.main).to_contain_text(
        "read as «herring». Put a word in quotes to search for it as it stands. Nothing"
    )


def test_a_hit_says_how_current_it_is_and_what_replaced_it(reader: Visit) -> None:
    """How long ago, with the day behind it; and the way to what holds."""
    reader.open("#/search?ontology=light")
    line = reader.entry("The lamp").locator(".line")
    expect(line).to_have_text(re.compile(r"changed \d+ years? ago$"))
    expect(line.locator("time")).to_have_attribute("title", re.compile("2024"))
    reader.open("#/search?ontology=log")
    expect(reader.main.locator(".hits .line").first).to_have_text(re.compile("written (just now|.* ago)$"))
    reader.open("#/search?q=fathoms deep&ontology=chart")
    former = reader.main.locator(".hits > .superseded")
    expect(former).to_contain_text("Superseded by The bar, sounded anew")
    former.get_by_role("link", name="The bar, sounded anew").click()
    expect(reader.main.locator(".markdown")).to_contain_text("three fathoms")


def test_a_neighbour_that_no_longer_holds_is_marked(reader: Visit) -> None:
    """In the list and in the drawing, whose legend says what the sign means."""
    reader.open(node("The bar, sounded anew"))
    expect(reader.main.locator(".relations > li .state")).to_have_text("superseded")
    assert reader.drawn("graph.nodes('.former').map((each) => each.data('label'))") == ["The bar"]
    reader.main.get_by_text("What the signs mean").click()
    expect(reader.main.locator(".legend")).to_contain_text("superseded")


def test_a_piece_of_a_text_is_shown_without_the_marks_of_markdown(reader: Visit) -> None:
    """Its lines have run together: they would mean nothing."""
    reader.open("#/search?ontology=bay&kind=document")
    expect(reader.main.locator(".snippet")).to_contain_text("Ice in the bay Fast ice: sea ice")


@pytest.mark.parametrize("page", ["#/search?q=bay", "#/node/Herring%20return", "#/capture", "#/bridges", "#/map"])
def test_no_page_but_the_state_reads_the_shape_of_the_graph(reader: Visit, page: str) -> None:
    """Which takes seconds in a large one, after every change: how much there is of what is asked for by itself."""
    asked: list[str] = []
    reader.page.on("request", lambda request: asked.append(request.url.removeprefix(reader.base)))
    reader.open(page)
    reader.page.wait_for_load_state("networkidle")
    assert "/api/tools/status" not in asked
    assert "/api/counts" in asked or page == "#/map"


def test_filters_narrow_and_stand_in_the_address(reader: Visit) -> None:
    """Whoever is sent the address sees the same; a link takes them off."""
    reader.open("#/search?q=bay")
    reader.main.locator(".narrowing > summary").click()
    reader.main.get_by_label("Ontology").select_option("sea")
    reader.until(lambda: "ontology=sea" in reader.page.url)
    reader.main.get_by_label("Kind").select_option("claim")
    reader.until(lambda: "kind=claim" in reader.page.url)
    expect(reader.main.locator(".hits .about").first).to_have_text("claim · sea")
    assert set(reader.main.locator(".hits .about").all_text_contents()) == {"claim · sea"}
    reader.page.reload()
    expect(reader.main.get_by_label("Kind")).to_have_value("claim")
    reader.main.locator(".narrowing a").click()
    reader.until(lambda: "kind" not in reader.page.url)


def test_each_filter_does_what_it_says(reader: Visit) -> None:
    """The titles, or that nothing was found."""
    for settings, found in {
        "tag=fish": ["Herring return"],
        "ontology=light": ["The lamp"],
        "q=pruned&mode=keyword": ["Vines are pruned"],
        "status=superseded": ["The bar", "The bar, sounded anew"],  # with what replaced it
        "status=needs_review": [],
        "scope=learned": [],
    }.items():
        reader.open(f"#/search?{settings}")
        assert reader.main.locator(".hits .title").all_text_contents() == found
        expect(reader.main.get_by_text("Nothing was found")).to_have_count(0 if found else 1)


def test_pages_of_hits_go_on_and_back(reader: Visit) -> None:
    """Every one is seen once; how many there are is said."""
    reader.open("#/search?ontology=log")
    seen = []
    for first in (1, 11, 21):
        last = min(first + 9, LOGS)
        expect(reader.main.locator(".count").first).to_contain_text(f"{first} to {last} of {LOGS}")
        seen += reader.main.locator(".hits .title").all_text_contents()
        if last < LOGS:
            reader.main.get_by_role("link", name="Next").first.click()
    assert sorted(seen) == sorted(f"Harbour log {number}" for number in range(LOGS))
    reader.main.get_by_role("link", name="Previous").first.click()
    expect(reader.main.locator(".count").first).to_contain_text(f"11 to 20 of {LOGS}")


def test_the_graph_is_searched_as_it_stood_then(reader: Visit) -> None:
    """On the day before the lamp was changed its text was another."""
    reader.open("#/search")
    reader.main.locator(".narrowing > summary").click()
    reader.main.get_by_label("As of").fill("2024-03-02T00:00")
    expect(reader.main.locator(".hits .title")).to_have_text(["The lamp"])
    expect(reader.main.locator(".snippet")).to_have_text("The lighthouse burns whale oil.")


def test_a_node_shows_its_text_its_relations_and_its_past(reader: Visit) -> None:
    """Text, tags, reasons, origin and history stand on one page."""
    expect(reader.open(node("Herring return"))).to_have_text("Herring return")
    expect(reader.main.locator(".markdown")).to_contain_text("Herring spawn in shallow bays")
    expect(reader.main.locator(".tags a")).to_have_text(["fish"])
    relation = reader.main.locator(".relations > li", has_text="Herring roam")
    expect(relation.locator(".reasoning")).to_have_text("Both cannot be.")
    expect(relation.locator(".origin.manual")).to_be_visible()
    reader.main.locator("summary", has_text="History").click()
    expect(reader.main.locator("table tbody tr")).to_have_count(1)
    expect(reader.main.locator("table tbody tr")).to_contain_text("by capture")
    expect(reader.main.locator(".id")).to_have_text(reader.call("fetch", id="Herring return")["id"])


def test_what_a_document_says_is_shown_with_its_quote(reader: Visit) -> None:
    """The very words, and which document they are from."""
    reader.open("#/search?ontology=bay&kind=decision")
    reader.main.locator(".hits .title").first.click()
    expect(reader.main.locator("blockquote").first).to_contain_text("We decided to close the harbour")
    expect(reader.main.locator("cite").first).to_contain_text("bay.md")


def test_what_lies_around_a_node_is_drawn(reader: Visit) -> None:
    """The node, its neighbours and the relations between them; in words for who does not see it."""
    reader.open(node("Herring return"))
    assert reader.drawn(NODES) == ["Herring follow plankton", "Herring return", "Herring roam"]
    assert reader.drawn("graph.edges().length") == 2
    label = reader.main.locator(".canvas").get_attribute("aria-label")
    assert label == "Herring return: 3 nodes and 2 relations; they are listed beside the drawing."
    assert reader.drawn("graph.edges().filter((each) => each.data('label').startsWith('⚡')).length") == 1


def test_a_drawing_is_widened_step_by_step_and_each_step_is_taken_back(reader: Visit) -> None:
    """The address keeps what is drawn, so that a reload draws the same."""
    reader.open(node("Herring return"))
    reader.drawn("1")
    reader.main.locator(".relations > li", has_text="Herring follow plankton").get_by_role(
        "button", name="Draw"
    ).click()
    reader.until(lambda: "Plankton blooms" in reader.drawn(NODES))
    assert "with=" in reader.page.url
    reader.page.reload()
    reader.until(lambda: "Plankton blooms" in reader.drawn(NODES))
    reader.main.get_by_role("button", name="Take the last step back").click()
    reader.until(lambda: "Plankton blooms" not in reader.drawn(NODES))
    assert "with=" not in reader.page.url


def test_nodes_further_out_are_drawn_where_that_is_asked_for(reader: Visit) -> None:
    """Two relations away lies what is not near."""
    reader.open(node("Herring return", depth="2"))
    assert "Plankton blooms" in reader.drawn(NODES)
    reader.main.get_by_label("Drawn").select_option("3")
    reader.until(lambda: "depth=3" in reader.page.url)
    reader.until(lambda: "Warm currents" in reader.drawn(NODES))


def test_a_drawn_node_is_chosen_with_a_click_and_opened_with_two(reader: Visit) -> None:
    """What it is stands below the drawing; two clicks go there."""
    reader.open(node("Herring return"))
    spot = reader.drawn("graph.nodes().filter((each) => each.data('label') === 'Herring roam')[0].renderedPosition()")
    canvas = reader.main.locator(".canvas")
    canvas.scroll_into_view_if_needed()
    canvas.click(position={"x": spot["x"], "y": spot["y"]})
    expect(reader.main.locator(".neighbourhood .card")).to_contain_text("Herring roam")
    expect(reader.main.locator(".neighbourhood .card .about")).to_have_text("claim · sea")
    canvas.dblclick(position={"x": spot["x"], "y": spot["y"]})
    expect(reader.main.locator("h1")).to_have_text("Herring roam")


def test_a_drawing_is_zoomed_fitted_and_saved(reader: Visit) -> None:
    """With its buttons; the picture is a file."""
    reader.open(node("The harbour"))
    before = reader.drawn("graph.zoom()")
    reader.main.get_by_role("button", name="Farther").click()
    assert reader.drawn("graph.zoom()") < before
    reader.main.get_by_role("button", name="Fit").click()
    assert reader.drawn("graph.zoom()") == pytest.approx(before)
    with reader.page.expect_download() as saved:
        reader.main.get_by_title("Save as a picture").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


def test_no_two_nodes_of_a_drawing_stand_on_each_other(reader: Visit) -> None:
    """Fourteen boats and their harbour each have a place of their own."""
    reader.open(node("The harbour"))
    places = reader.drawn("graph.nodes().map((each) => [each.position('x'), each.position('y')])")
    assert len(places) == len({tuple(each) for each in places}) == 15


def test_a_trail_is_told_in_sentences_and_drawn(reader: Visit) -> None:
    """From one thing to another, with the reason of every step."""
    reader.open("#/trail")
    reader.main.get_by_label(re.compile("^From")).fill("Plankton blooms")
    reader.main.get_by_label("To", exact=True).fill("Herring return")
    reader.main.get_by_role("button", name="Find").click()
    expect(reader.main.locator(".steps > li .title")).to_have_text(
        ["Plankton blooms", "Herring follow plankton", "Herring return"]
    )
    expect(reader.main.locator(".steps .type").first).to_have_text("↓ causes")
    assert len(reader.drawn(NODES)) == 3


def test_where_no_trail_leads_that_is_said(reader: Visit) -> None:
    """An answer, not an error."""
    reader.open("#/trail?from=Plankton%20blooms&to=Vines%20are%20pruned")
    expect(reader.main).to_contain_text("No trail was found")


def test_a_trail_from_a_node_to_itself_is_told_to_be_none(reader: Visit) -> None:
    """No drawing of a single node."""
    reader.open("#/trail?from=Plankton%20blooms&to=Plankton%20blooms")
    expect(reader.main).to_contain_text("Both ends are Plankton blooms")


def test_the_status_counts_and_its_rows_lead_to_what_they_count(reader: Visit) -> None:
    """The number of nodes, hubs, and the parts that have to be well."""
    expect(reader.open("#/status")).to_have_text("Status")
    expect(reader.main.get_by_role("heading", name="Health")).to_be_visible()
    expect(reader.main.locator("ol").first).to_contain_text("The harbour")
    reader.main.get_by_role("link", name="fleet").click()
    expect(reader.main.locator(".count").first).to_contain_text("of 15")


def test_a_page_that_is_not_there_says_what_to_do(reader: Visit) -> None:
    """The server's own words, and its hint."""
    reader.expected.add(404)
    expect(reader.open(node("no such node at all"))).to_have_text("That did not work")
    expect(reader.main.locator("[role=alert]")).to_contain_text("no such node at all")


def test_an_address_that_names_no_page_says_so(reader: Visit) -> None:
    """A name from JavaScript's own objects is no page either."""
    for page in ("nothing", "constructor", "__proto__", "toString"):
        expect(reader.open(f"#/{page}")).to_have_text("There is no such page")


def test_a_drawing_that_was_left_is_taken_down(reader: Visit) -> None:
    """It would go on being painted, one more with every page."""
    reader.open(node("Herring return"))
    assert reader.drawn("Boolean(window.former = graph)")
    reader.open(node("The harbour"))
    assert reader.drawn("graph.destroyed()") is False
    reader.until(lambda: reader.page.evaluate("() => window.former.destroyed()"))


def test_the_past_of_a_node_says_what_was_and_what_became_of_it(reader: Visit) -> None:
    """Each field that was changed, before and after."""
    reader.open(node("The lamp"))
    reader.main.locator("summary", has_text="History").click()
    reader.main.locator("summary", has_text="content").click()
    expect(reader.main.locator("del").first).to_have_text("The lighthouse burns whale oil.")
    expect(reader.main.locator("ins").first).to_have_text("The lighthouse has an electric lamp.")


def test_a_drawn_line_says_what_it_stands_for(reader: Visit) -> None:
    """Chosen with a click: the type, both ends, where it comes from and why."""
    reader.open(node("Herring return"))
    spot = reader.drawn("graph.edges().filter((each) => each.data('label') === 'supports')[0].renderedMidpoint()")
    canvas = reader.main.locator(".canvas")
    canvas.scroll_into_view_if_needed()
    canvas.click(position={"x": spot["x"], "y": spot["y"]})
    card = reader.main.locator(".neighbourhood .card")
    expect(card).to_contain_text("Herring follow plankton → supports → Herring return")
    expect(card.locator(".reasoning")).to_have_text("The bays bloom each spring.")


@pytest.mark.parametrize(
    ("address", "ends"),
    [
        ("#/trail?from=Plankton blooms&to=Herring return", {"Plankton blooms", "Herring return"}),
        (node("Frost kills blossom"), {"Frost kills blossom", "Bees carry pollen"}),
    ],
    ids=["trail", "node"],
)
def test_what_is_drawn_on_a_phone_is_seen(visit: Visits, harbour: str, address: str, ends: set[str]) -> None:
    """Both ends of a trail, and the one neighbour of a node."""
    visiting = visit(harbour, viewport={"width": 360, "height": 740})
    visiting.open(address)
    spots = dict(visiting.drawn("graph.nodes().map((each) => [each.data('label'), each.renderedPosition()])"))
    width, height = visiting.drawn("[graph.width(), graph.height()]")
    for end in ends:
        spot = spots[end]
        assert 0 < spot["x"] < width, end
        assert 0 < spot["y"] < height, end
