"""The map of the graph: what it shows of how much, laid out so that it can be read, found on, walked and narrowed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from explorer.visit import served

if TYPE_CHECKING:
    from pathlib import Path

    from explorer.conftest import Visits
    from explorer.visit import Visit

TITLES: Final = "graph.scene.nodes.filter((node) => node.shown).map((node) => node.title)"
PLACES: Final = "graph.scene.nodes.map(({ title, x, y, radius }) => ({ title, x, y, radius }))"
LABELS: Final = """graph.scene.labelled.labels.map(({ lines, x, y, wide, high, size, bold }) => ({
    lines, left: x - wide / 2, right: x + wide / 2, top: y - high / 2, bottom: y + (lines.length - 0.5) * high,
}))"""
SPOT: Final = """(() => {
    const node = graph.scene.nodes.find((each) => each.title === %r);
    const { zoom, x, y } = graph.view;
    return { x: node.x * zoom + x, y: node.y * zoom + y };
})()"""


def spot(visit: Visit, title: str) -> dict[str, float]:
    """Return where on the canvas the node of this title stands."""
    return dict(visit.drawn(SPOT % title))


def card(visit: Visit) -> Any:  # noqa: ANN401 - a locator
    """Return what is told of the node that is pointed at."""
    return visit.main.locator(".card")


def test_the_map_of_a_small_graph_shows_all_of_it_and_says_so(reader: Visit) -> None:
    """One press from everywhere; in words for who does not see it."""
    reader.open()
    reader.page.get_by_role("link", name="Map", exact=True).click()
    expect(reader.main.locator("h1")).to_have_text("Map")
    shown, counts = reader.drawn(TITLES), reader.call("status")["counts"]
    assert len(shown) == counts["nodes"]
    said = f"All {counts['nodes']} nodes, and all {counts['relations']} relations among them."
    expect(reader.main.locator(".told")).to_have_text(said)
    canvas = reader.main.locator(".canvas")
    assert canvas.get_attribute("aria-label") == f"{said} The same stands below as a list."


def test_of_more_nodes_than_are_asked_for_the_best_related_are_shown(reader: Visit) -> None:
    """How many of how many stands above them."""
    reader.open("#/map?limit=5")
    shown = reader.drawn(TITLES)
    assert shown[0] == "The harbour"
    assert len(shown) == 5
    nodes = reader.call("status")["counts"]["nodes"]
    expect(reader.main.locator(".told")).to_contain_text(f"5 nodes of {nodes}, the best related, and all")


def test_no_two_nodes_and_no_two_titles_stand_on_each_other(reader: Visit) -> None:
    """Nor is a title cut off by the edge."""
    reader.open("#/map")
    nodes = reader.drawn(PLACES)
    for at, one in enumerate(nodes):
        for other in nodes[:at]:
            apart = ((one["x"] - other["x"]) ** 2 + (one["y"] - other["y"]) ** 2) ** 0.5
            assert apart >= one["radius"] + other["radius"], (one, other)
    titles = reader.drawn(LABELS)
    assert len(titles) >= 12
    for at, one in enumerate(titles):
        for other in titles[:at]:
            beside = one["left"] >= other["right"] or other["left"] >= one["right"]
            assert beside or one["top"] >= other["bottom"] or other["top"] >= one["bottom"], (one, other)
    view = reader.drawn("graph.view")
    assert all(one["left"] + view["x"] >= 0 and one["right"] + view["x"] <= view["width"] for one in titles)


STAR: Final = """async (count) => {
    const { layout } = await import(new URL("explorer/forces.js", location.href));
    const made = layout([19, ...Array(count).fill(5)], Array.from({ length: count }, (_, at) => [0, at + 1]));
    while (made.step());
    return { x: [...made.x], y: [...made.y] };
}"""


@pytest.mark.parametrize("count", [14, 240])
def test_what_hangs_on_a_hub_stands_around_it(reader: Visit, count: int) -> None:
    """However much it is: a hub is not pushed to the side, and does not run out of the window with what it draws."""
    reader.open()
    places = reader.page.evaluate(STAR, count)
    for axis in "xy":
        hub, *others = places[axis]
        assert abs(hub) < 20
        assert abs(sum(others) / count - hub) < 20
        assert max(map(abs, others)) < 15 * count**0.5 + 30


def test_the_same_graph_is_the_same_map_each_time(reader: Visit) -> None:
    """There is no chance in where things stand."""
    reader.open("#/map")
    first = reader.drawn(PLACES)
    reader.page.reload()
    assert reader.drawn(PLACES) == first


def test_what_is_pointed_at_is_told_and_a_click_opens_it(reader: Visit) -> None:
    """What hangs on it is lit; who comes back finds the map as it was."""
    reader.open("#/map")
    before, at = reader.drawn(PLACES), spot(reader, "The harbour")
    canvas = reader.main.locator(".canvas")
    canvas.hover(position=at)
    expect(card(reader)).to_contain_text("The harbour")
    expect(card(reader)).to_contain_text("concept · fleet")
    expect(card(reader)).to_contain_text("14 relations")
    assert reader.drawn("graph.scene.lit.size") == 15
    canvas.click(position=at)
    expect(reader.main.locator("h1")).to_have_text("The harbour")
    reader.page.go_back()
    expect(reader.main.locator("h1")).to_have_text("Map")
    assert reader.drawn(PLACES) == before


def test_a_finger_points_first_and_opens_with_the_next_tap(visit: Visits, harbour: str) -> None:
    """It cannot hover."""
    visiting = visit(harbour, has_touch=True, viewport={"width": 700, "height": 900})
    visiting.open("#/map")
    at = spot(visiting, "The harbour")
    canvas = visiting.main.locator(".canvas")
    canvas.tap(position=at)
    expect(card(visiting)).to_contain_text("The harbour")
    canvas.tap(position=spot(visiting, "The harbour"))
    expect(visiting.main.locator("h1")).to_have_text("The harbour")


def test_the_map_is_walked_with_keys(reader: Visit) -> None:
    """Arrows lead from node to node, which is said, Escape lets go, and Enter opens."""
    reader.open("#/map")
    reader.drawn("1")
    canvas, heard = reader.main.locator(".canvas"), reader.main.locator("[aria-live]")
    canvas.press("ArrowRight")
    expect(heard).to_have_text("The harbour, concept, fleet, 14 relations")
    first = reader.drawn("graph.chosen.x")
    canvas.press("ArrowLeft" if first > 0 else "ArrowRight")
    second = reader.drawn("graph.chosen.title")
    assert second != "The harbour"
    assert (reader.drawn("graph.chosen.x") < first) is (first > 0)
    expect(heard).to_contain_text(second)
    canvas.press("Escape")
    expect(card(reader)).to_be_hidden()
    zoom = reader.drawn("graph.view.zoom")
    canvas.press("+")
    assert reader.drawn("graph.view.zoom") > zoom
    canvas.press("0")
    assert reader.drawn("graph.view.zoom") == pytest.approx(zoom)
    canvas.press("ArrowDown")
    canvas.press("Enter")
    expect(reader.main.locator("h1")).to_have_text("The harbour")


def test_what_is_looked_for_is_lit_and_enter_leads_through_it(reader: Visit) -> None:
    """Case and accents do not matter; what is not there can be searched for in the graph. The address keeps it."""
    reader.open("#/map")
    reader.drawn("1")
    field = reader.main.get_by_label("Find on the map")
    field.fill("HÉRRING")
    expect(reader.main.get_by_role("status")).to_contain_text("3 found")
    assert sorted(reader.drawn("[...graph.scene.lit].map((at) => graph.scene.nodes[at].title)")) == [
        "Herring follow plankton",
        "Herring return",
        "Herring roam",
    ]
    seen = set()
    for _ in range(3):
        field.press("Enter")
        seen.add(reader.drawn("graph.chosen.title"))
    assert len(seen) == 3
    assert "find=H%C3%89RRING" in reader.page.url
    field.fill("walrus")
    expect(reader.main.get_by_role("status")).to_contain_text("Not on the map.")
    reader.main.get_by_role("link", name="Search the graph").click()
    expect(reader.main.locator("h1")).to_have_text("Found for «walrus»")


def test_the_legend_leaves_groups_out_and_brings_them_back(reader: Visit) -> None:
    """Here and in the list; a kept address shows the same; the last group brings all back."""
    reader.open("#/map")
    assert "The harbour" in reader.drawn(TITLES)
    fleet = reader.main.get_by_role("button", name="fleet 15")
    expect(fleet).to_have_attribute("aria-pressed", "true")
    fleet.click()
    expect(fleet).to_have_attribute("aria-pressed", "false")
    expect(fleet).to_be_focused()
    left = reader.drawn(TITLES)
    assert "The harbour" not in left
    reader.page.reload()
    assert reader.drawn(TITLES) == left
    reader.main.get_by_text("The same as a list").click()
    expect(reader.main.locator(".listed > li")).to_have_count(len(left))
    pressed = reader.main.locator(".groups button[aria-pressed=true]")
    for _ in range(pressed.count()):
        pressed.first.click()
    assert len(reader.drawn(TITLES)) == reader.call("status")["counts"]["nodes"]


def test_the_list_says_what_the_map_shows(reader: Visit) -> None:
    """Each node, how many relations it has, and with which of the others."""
    reader.open("#/map")
    reader.drawn("1")
    reader.main.get_by_text("The same as a list").click()
    rows = reader.main.locator(".listed > li")
    expect(rows.first).to_contain_text("The harbour")
    expect(rows.first).to_contain_text("14 relations")
    expect(rows.first).to_contain_text("and 9 more")
    expect(rows.filter(has_text="Herring roam")).to_contain_text(["Here with Herring return"])


def test_a_part_of_the_graph_has_a_map_of_its_own(reader: Visit) -> None:
    """By ontology and by kind; where all is of one ontology, the colours tell the kinds."""
    reader.open("#/map")
    reader.main.locator("select[name=ontology]").select_option("sea")
    reader.until(lambda: "ontology=sea" in reader.page.url)
    expect(reader.main.locator(".groups button").first).to_contain_text("claim")
    assert set(reader.drawn("graph.scene.nodes.map((node) => node.ontology)")) == {"sea"}
    reader.main.locator("select[name=kind]").select_option("claim")
    reader.until(lambda: "kind=claim" in reader.page.url)
    reader.until(lambda: set(reader.drawn("graph.scene.nodes.map((node) => node.kind)")) == {"claim"})
    assert set(reader.drawn("graph.scene.nodes.map((node) => node.kind)")) == {"claim"}
    reader.open("#/map?ontology=orchard&kind=concept")
    expect(reader.main.locator(".told")).to_have_text("No node is of that ontology and that kind.")


def test_ontologies_have_the_hues_that_they_have_in_every_drawing(reader: Visit) -> None:
    """By kind they have others."""
    look = "async () => (await (await import('/explorer/palette.js')).looks())('fleet').hue"
    reader.open("#/map?colour=ontology")
    hue = reader.drawn("graph.scene.nodes[0].hue")
    assert hue == reader.page.evaluate(look)
    reader.open("#/map?colour=kind")
    expect(reader.main.locator(".groups button").first).to_contain_text("session")


def test_a_map_is_moved_zoomed_fitted_and_saved(reader: Visit) -> None:
    """By dragging, with Ctrl and the wheel, and by its buttons."""
    reader.open("#/map")
    fitted = reader.drawn("({ ...graph.view })")
    box = reader.main.locator(".canvas").bounding_box()
    assert box
    reader.page.mouse.move(box["x"] + 30, box["y"] + 30)
    reader.page.mouse.down()
    reader.page.mouse.move(box["x"] + 90, box["y"] + 70, steps=4)
    reader.page.mouse.up()
    assert reader.drawn("graph.view.x") - fitted["x"] == pytest.approx(60, abs=1)
    reader.page.keyboard.down("Control")
    reader.page.mouse.wheel(0, -120)
    reader.page.keyboard.up("Control")
    reader.until(lambda: reader.drawn("graph.view.zoom") > fitted["zoom"])
    reader.main.get_by_role("button", name="Fit").click()
    assert reader.drawn("graph.view.zoom") == pytest.approx(fitted["zoom"])
    with reader.page.expect_download() as saved:
        reader.main.get_by_title("Save as a picture").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


def test_the_map_is_painted_anew_when_the_scheme_changes(reader: Visit) -> None:
    """A canvas takes no colours from a style by itself."""
    reader.open("#/map")
    light = reader.drawn("[graph.scene.colours.ground, graph.scene.nodes[0].hue]")
    reader.page.emulate_media(color_scheme="dark")
    reader.until(lambda: reader.drawn("[graph.scene.colours.ground, graph.scene.nodes[0].hue]") != light)
    dark = reader.drawn("[graph.scene.colours.ground, graph.scene.nodes[0].hue]")
    assert dark[0] != light[0]
    assert dark[1] != light[1]
    reader.page.emulate_media(color_scheme="light")


def test_a_title_is_text_on_the_map_too(writer: Visit) -> None:
    """On the canvas, in the card, in the list and in an address."""
    title = "<img src=x onerror=alert(1)> & «more»"
    writer.call("capture", content="Whatever this is.", title=title, kind="claim", ontology="<b>bold</b>, or not")
    writer.open("#/map")
    writer.drawn("1")
    writer.main.get_by_label("Find on the map").fill("onerror")
    writer.main.get_by_label("Find on the map").press("Enter")
    expect(card(writer).locator("bdi")).to_have_text(title)
    writer.main.get_by_text("The same as a list").click()
    expect(writer.main.locator(".listed bdi", has_text="onerror").first).to_have_text(title)
    writer.main.locator(".groups button", has_text="<b>bold</b>, or not").click()
    writer.page.reload()
    assert title not in writer.drawn(TITLES)


def test_a_map_that_is_looked_at_says_that_the_graph_has_changed(writer: Visit) -> None:
    """It is drawn anew when that is asked for, not before."""
    writer.open("#/map")
    before = writer.drawn(TITLES)
    with writer.heard("capture"):
        writer.call("capture", content="A seal lies on the quay.", title="The seal", kind="claim", ontology="sea")
    assert writer.drawn(TITLES) == before
    writer.main.get_by_role("button", name="Draw it anew").click()
    writer.until(lambda: "The seal" in writer.drawn(TITLES))


def test_an_empty_graph_has_no_map_and_says_what_to_do(visit: Visits, tmp_path: Path, filled: Path) -> None:
    """With the way to writing something."""
    assert filled
    with served(tmp_path / "empty.db") as base:
        visiting = visit(base, locale="en-GB")
        visiting.open("#/map")
        expect(visiting.main.locator(".told")).to_contain_text("Nothing is in the graph yet.")
        visiting.main.get_by_role("link", name="Capture something").click()
        expect(visiting.main.locator("h1")).to_have_text("Capture")
        visiting.open("#/status")
        expect(visiting.main.locator(".status > *")).to_have_count(4)
        expect(visiting.main.locator(".tables + *")).to_have_text(re.compile("^Health"))
        assert visiting.main.locator(".status").evaluate("page => [...page.childNodes].every((each) => each.tagName)")
        visiting.page.close()
