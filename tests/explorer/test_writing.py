"""Writing in a browser: capture, edit, relate, judge, forget; each is told, and each is undone."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import weft
from weft.vocabulary import QUERY_MAX, TITLE_MAX

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from explorer.visit import Visit


PART = 6000  # characters that are shown at once of a long text
MARKDOWN = """# Soundings

A *line* of **lead** and `tallow`, [told](https://example.org/lead) by [mail](mailto:ann@example.org) and
[not](javascript:alert(1)) by [file](file:///etc/passwd), with ![a chart](https://example.org/chart.png).

1. fathoms
   - by hand
     - at night
2. marks

| depth | ground |
| ----- | ------ |
| 7     | sand   |

```sh
sound --deep <b>
```

> Mark twain.
"""


def opened(visit: Visit, title: str) -> None:
    """Go to a node."""
    expect(visit.open(f"#/node/{quote(title)}")).to_have_text(title)


def editing(visit: Visit, title: str) -> Locator:
    """Go to a node, and return the form in which it is edited."""
    opened(visit, title)
    visit.main.get_by_role("button", name="Edit").click()
    return visit.main.locator("form.writing")


def undo(visit: Visit) -> None:
    """Take back what was told last, and wait until that is told."""
    visit.told.get_by_role("button", name="Undo").click()
    expect(visit.told).to_contain_text("Undone.")


def test_what_is_captured_is_shown_and_what_it_came_near_is_told(writer: Visit) -> None:
    """The form leads to the new node."""
    writer.open("#/capture")
    writer.main.get_by_label("What you know").fill("Eels swim to the *Sargasso Sea* to spawn.")
    writer.main.get_by_label("Kind").select_option("claim")
    writer.main.get_by_label("Ontology").fill("sea")
    writer.main.get_by_label("Tags").fill("fish, eels ,")
    writer.main.get_by_role("button", name="Capture").click()
    expect(writer.main.locator(".tags a")).to_have_text(["fish", "eels"])
    expect(writer.main.locator(".markdown em")).to_have_text("Sargasso Sea")
    expect(writer.told).to_contain_text("Captured as a claim")


def captured(visit: Visit, title: str, content: str) -> None:
    """Capture a note about the log in the form, and wait for its page."""
    visit.open("#/capture")
    visit.main.get_by_label("What you know").fill(content)
    visit.main.get_by_label("Title").fill(title)
    visit.main.get_by_label("Kind").select_option("configuration")
    visit.main.get_by_label("Ontology").fill("soundings")
    visit.main.get_by_role("button", name="Capture").click()
    expect(visit.main.locator("h1")).to_have_text(title)


def test_what_a_capture_may_contradict_is_shown_and_replaced(writer: Visit) -> None:
    """With what tells so; the way back brings the question back too."""
    captured(writer, "Soundings kept", "Soundings are kept for twenty days.")
    captured(writer, "Soundings in the log", "Soundings are kept for 25 days in the log.")
    expect(writer.told).to_contain_text("Captured as a configuration, perhaps at odds with «Soundings kept».")
    near = writer.main.locator(".near > li")
    expect(near).to_contain_text("May say otherwise:")
    expect(near).to_contain_text("one says 25 days, the other 20 days")
    near.get_by_role("button", name="It replaces this").click()
    expect(writer.told).to_contain_text("«Soundings kept» is superseded.")
    expect(near).to_have_count(0)
    expect(writer.main.locator(".relations > li .state")).to_have_text("superseded")
    undo(writer)
    expect(near).to_have_count(1)


def test_the_words_of_a_node_that_no_longer_holds_are_told_as_such(writer: Visit) -> None:
    """Whoever writes them down again takes them for true."""
    captured(writer, "Charts drawn", "Charts are drawn on parchment by the harbour master.")
    writer.call("update", id="Charts drawn", status="superseded")
    captured(writer, "Charts drawn", "Charts are drawn on parchment by the harbour master.")
    expect(writer.told).to_contain_text("It was there already, in the same words: superseded.")


def test_who_supersedes_a_node_by_nothing_is_told_so(writer: Visit) -> None:
    """What holds in its place would be asked for in vain."""
    captured(writer, "Piles driven", "Piles are driven at low tide.")
    form = editing(writer, "Piles driven")
    form.get_by_label("State").select_option("superseded")
    form.get_by_role("button", name="Save").click()
    expect(writer.told).to_contain_text("Nothing says what holds in its place")
    expect(writer.main.locator("header .state")).to_have_text("superseded")
    undo(writer)


def test_fields_take_as_much_as_the_tools_do(writer: Visit) -> None:
    """Nobody types a title that is refused then."""
    title = str(TITLE_MAX)
    expect(editing(writer, "Warm currents").locator("[name=title]")).to_have_attribute("maxlength", title)
    writer.open("#/capture")
    expect(writer.main.get_by_label("Title")).to_have_attribute("maxlength", title)
    writer.open("#/challenge")
    expect(writer.main.get_by_label("One statement")).to_have_attribute("maxlength", str(QUERY_MAX))


def test_capturing_is_undone(writer: Visit) -> None:
    """The way back stands beside what was done, and forward again beside that."""
    writer.open("#/capture")
    writer.main.get_by_label("What you know").fill("Whales sing to one another across an ocean.")
    writer.main.get_by_label("Title").fill("Whales sing")
    writer.main.get_by_role("button", name="Capture").click()
    expect(writer.main.locator("h1")).to_have_text("Whales sing")
    writer.expected.add(404)
    undo(writer)
    expect(writer.main.get_by_role("alert")).to_be_visible()
    writer.told.get_by_role("button", name="Redo").click()
    expect(writer.told).to_contain_text("Redone.")
    expect(writer.main.locator("h1")).to_have_text("Whales sing")


def test_an_edit_changes_what_was_changed_and_nothing_else(writer: Visit) -> None:
    """The text, the tags; the answer names them."""
    form = editing(writer, "Tides turn twice")
    form.locator("[name=content]").fill("The tide turns four times a day.")
    form.get_by_label("Tags").fill("moon")
    form.get_by_role("button", name="Save").click()
    expect(writer.main.locator(".markdown")).to_have_text("The tide turns four times a day.")
    expect(writer.told).to_contain_text("content")
    expect(writer.told).to_contain_text("tags")
    undo(writer)
    expect(writer.main.locator(".markdown")).to_contain_text("twice a day")


def test_an_edit_that_changes_nothing_says_so(writer: Visit) -> None:
    """Nothing is sent that the server would have to refuse."""
    editing(writer, "Tides turn twice").get_by_role("button", name="Save").click()
    expect(writer.told).to_contain_text("Nothing was different.")


@pytest.mark.parametrize("name", ["title", "content"])
def test_what_a_node_needs_cannot_be_emptied(writer: Visit, name: str) -> None:
    """A title or a text that was deleted is not taken for one that was left alone."""
    form = editing(writer, "Nets are mended")
    emptied = form.locator(f"[name={name}]")
    emptied.fill("")
    form.get_by_role("button", name="Save").click()
    assert emptied.evaluate("field => field.validity.valueMissing")
    expect(writer.told).to_be_hidden()


def test_an_edit_of_what_was_changed_meanwhile_is_refused_and_nothing_typed_is_lost(writer: Visit) -> None:
    """Two people at one node: the second one is told."""
    writer.expected.add(409)
    form = editing(writer, "Warm currents")
    form.locator("[name=content]").fill("Mine.")
    writer.call("update", id="Warm currents", content="Theirs came first.")
    expect(writer.told).to_contain_text("This node was changed meanwhile.")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_contain_text("stands at version 2, not 1")
    expect(form.get_by_role("alert")).to_contain_text("What you wrote is still here.")
    expect(form.get_by_role("link", name="Look at it")).to_have_attribute("target", "_blank")
    expect(form.locator("[name=content]")).to_have_value("Mine.")
    expect(form.get_by_role("button", name="Save mine over it")).to_be_visible()
    writer.agrees = True
    writer.told.get_by_role("button", name="Read it anew").click()
    expect(writer.main.locator(".markdown")).to_have_text("Theirs came first.")


def test_who_looked_at_a_conflict_may_write_all_the_same(writer: Visit) -> None:
    """The text that was typed stands then, and the undo brings back the other one."""
    writer.expected.add(409)
    form = editing(writer, "Nets are mended")
    form.locator("[name=content]").fill("Nets are mended on Mondays.")
    writer.call("update", id="Nets are mended", content="Nets are mended on Sundays.")
    form.get_by_role("button", name="Save", exact=True).click()
    form.get_by_role("button", name="Save mine over it").click()
    expect(writer.main.locator(".markdown")).to_have_text("Nets are mended on Mondays.")
    undo(writer)
    expect(writer.main.locator(".markdown")).to_have_text("Nets are mended on Sundays.")


def test_what_was_typed_is_not_left_without_a_question(writer: Visit) -> None:
    """Who says no stays at it; who says yes goes."""
    form = editing(writer, "Nets are mended")
    form.locator("[name=content]").fill("Half a thought")
    asked = []
    writer.page.once("dialog", lambda dialog: asked.append(dialog.message))
    writer.agrees = False
    writer.page.get_by_role("link", name="Status").click()
    writer.until(lambda: asked)
    expect(form.locator("[name=content]")).to_have_value("Half a thought")
    assert "Nets" in writer.page.url
    writer.agrees = True
    writer.troubles.clear()
    writer.page.get_by_role("link", name="Status").click()
    expect(writer.main.locator("h1")).to_have_text("Status")


def test_two_nodes_are_related_with_a_reason(writer: Visit) -> None:
    """The relation stands on the page at once, and is undone."""
    opened(writer, "Bees carry pollen")
    writer.main.get_by_role("button", name="Relate").first.click()
    form = writer.main.locator("form.writing")
    form.locator("[name=type]").select_option("depends_on")
    form.locator("[name=target]").fill("Warm currents")
    form.get_by_label("Why").fill("Bees fly when it is warm.")
    form.get_by_role("button", name="Relate").click()
    relation = writer.main.locator(".relations > li", has_text="Warm currents")
    expect(relation.locator(".reasoning")).to_have_text("Bees fly when it is warm.")
    undo(writer)
    expect(relation).to_have_count(0)


def test_a_relation_is_removed_and_comes_back(writer: Visit) -> None:
    """From the list of what hangs on a node."""
    opened(writer, "Frost kills blossom")
    relation = writer.main.locator(".relations > li", has_text="Bees carry pollen")
    relation.get_by_role("button", name="Remove").click()
    expect(relation).to_have_count(0)
    undo(writer)
    expect(relation).to_have_count(1)


def test_titles_are_offered_while_a_node_is_named(writer: Visit) -> None:
    """Nobody has to know them by heart."""
    opened(writer, "Frost kills blossom")
    writer.main.get_by_role("button", name="Relate").first.click()
    target = writer.main.locator("form.writing [name=target]")
    target.press_sequentially("lighthouse lamp")
    offered = writer.main.locator("form.writing datalist option")
    expect(offered.first).to_have_attribute("value", "The lamp")


def test_a_relation_to_nothing_is_refused_in_the_form(writer: Visit) -> None:
    """What was typed stays."""
    writer.expected.add(404)
    opened(writer, "Bees carry pollen")
    writer.main.get_by_role("button", name="Relate").first.click()
    form = writer.main.locator("form.writing")
    form.locator("[name=target]").fill("no such node at all")
    form.get_by_label("Why").fill("Because.")
    form.get_by_role("button", name="Relate").click()
    expect(form.get_by_role("alert")).to_contain_text("no such node at all")
    expect(form.get_by_label("Why")).to_have_value("Because.")


def test_a_node_is_forgotten_after_a_question_and_comes_back(writer: Visit) -> None:
    """What goes with it is told before."""
    opened(writer, "Frost kills blossom")
    writer.main.get_by_role("button", name="Forget").click()
    expect(writer.main.locator("form.writing")).to_contain_text("one relation with it")
    writer.main.get_by_role("button", name="Forget it").click()
    expect(writer.main.locator("h1")).to_have_text("The newest")
    undo(writer)
    opened(writer, "Frost kills blossom")
    expect(writer.main.locator(".relations > li")).to_have_count(1)


def test_what_is_undone_in_a_nodes_history_is_undone(writer: Visit) -> None:
    """Each of its changes can be taken back there."""
    writer.call("update", id="Vines are pruned", content="A vine is pruned in August.")
    opened(writer, "Vines are pruned")
    writer.main.locator("summary", has_text="History").click()
    writer.main.locator("tr", has_text="update").get_by_role("button", name="Undo").click()
    expect(writer.main.locator(".markdown")).to_contain_text("in winter")


def test_a_verdict_on_a_claim_is_recorded_and_undone(writer: Visit) -> None:
    """What the judge cannot tell, the reader says, with a reason."""
    claim = "Herring spawn in shallow bays when spring comes."
    writer.open("#/challenge")
    writer.main.get_by_label("One statement").fill(claim)
    writer.main.get_by_role("button", name="Challenge").click()
    judged = writer.entry("Herring return")
    judged.get_by_label("Why").fill("It says the same, and more.")
    judged.get_by_role("button", name="It supports this").click()
    expect(writer.told).to_contain_text("Recorded.")
    expect(writer.main.locator(".sides > section").nth(1)).to_contain_text("Herring return")
    undo(writer)


def test_a_side_that_no_longer_holds_names_what_replaced_it(writer: Visit, moored: Path) -> None:
    """In the list of sides too; it is a way to the node that holds."""
    with weft.connect(str(moored), actor="bob") as other:
        other.capture("Nets are mended every five weeks.", title="Mending", kind="claim")
        other.capture("Nets are mended where they tear.", title="Mending anew", kind="claim")
        other.update("Mending", superseded_by="Mending anew")
    writer.open("#/challenge")
    writer.main.get_by_label("One statement").fill("The nets are mended every five weeks.")
    writer.main.get_by_role("button", name="Challenge").click()
    side = writer.main.locator(".superseded")
    expect(side).to_contain_text("changed just now")
    expect(side).to_contain_text("Superseded by Mending anew")
    side.get_by_role("link", name="Mending anew").click()
    expect(writer.main.locator(".markdown")).to_have_text("Nets are mended where they tear.")


def test_a_side_that_stands_in_a_superseded_document_names_what_replaced_that(writer: Visit, moored: Path) -> None:
    """And the node that makes the claim is a way there."""
    with weft.connect(str(moored), actor="bob") as other:
        other.ingest(text="# Old nets\n\nNets must be dried in the sun each week.\n", document="nets.md")
        other.capture("Nets dry under a roof.", title="New nets", kind="decision")
        other.update("Old nets", superseded_by="New nets")
        other.capture("Every week the nets are dried in the sun.", title="Drying", kind="claim")
    writer.open("#/challenge")
    writer.main.get_by_label("One statement").fill("Every week the nets are dried in the sun.")
    writer.main.get_by_role("button", name="Challenge").click()
    expect(writer.main).to_contain_text("Said by Drying")
    expect(writer.main).to_contain_text("Stands in Old nets, superseded by New nets")
    writer.main.get_by_role("link", name="Drying").click()
    expect(writer.main.locator(".markdown")).to_have_text("Every week the nets are dried in the sun.")


def test_a_change_by_another_process_is_told_while_a_node_is_read(writer: Visit, moored: Path) -> None:
    """Without a reload by itself: nobody's page jumps while it is read."""
    opened(writer, "Plankton blooms")
    with weft.connect(str(moored), actor="bob") as other:
        other.update("Plankton blooms", content="Plankton blooms twice a year.")
    expect(writer.told).to_contain_text("This node was changed meanwhile.")
    expect(writer.main.locator(".markdown")).to_contain_text("deep water")
    writer.told.get_by_role("button", name="Read it anew").click()
    expect(writer.main.locator(".markdown")).to_have_text("Plankton blooms twice a year.")


def test_ones_own_change_is_not_told_as_another_persons(writer: Visit) -> None:
    """What was done, with the way back, stays told when the server tells of it too."""
    form = editing(writer, "Herring roam")
    form.get_by_label("Tags").fill("own")
    with writer.heard("update"):
        form.get_by_role("button", name="Save").click()
    expect(writer.main.locator(".tags a")).to_have_text(["own"])
    expect(writer.told).to_contain_text("Changed: tags.")


TIDES = """## Ebb

It falls.

#### At neap tide

It falls little.

# Flood

It rises.

###### At spring tide

It rises far.
"""


def test_headings_of_a_text_lead_down_from_those_of_the_page(writer: Visit) -> None:
    """Whatever levels its author chose: no level is left out, and none is smaller than the text below it."""
    writer.open()
    writer.call("capture", content=TIDES, title="Tides are told", kind="procedure")
    opened(writer, "Tides are told")
    tags = "h1, h2, h3, h4, h5, h6"
    levels = writer.main.locator(tags).evaluate_all("all => all.map((each) => Number(each.localName[1]))")
    assert all(later <= before + 1 for before, later in pairwise(levels)), levels
    text = writer.main.locator(".markdown")
    assert text.locator(tags).evaluate_all("all => all.map((each) => each.localName)") == ["h3", "h4", "h3", "h4"]
    size = "each => parseFloat(getComputedStyle(each).fontSize)"
    body = text.locator("p").first.evaluate(size)
    assert min(text.locator(tags).evaluate_all(f"all => all.map({size})")) >= body


def test_markdown_is_shown_as_what_it_means(writer: Visit) -> None:
    """Lists in lists, tables, code; links to the web and to mail only, and pictures as links."""
    writer.open()
    writer.call("capture", content=MARKDOWN, title="Soundings are taken", kind="procedure")
    opened(writer, "Soundings are taken")
    text = writer.main.locator(".markdown")
    expect(text.locator("h3")).to_have_text("Soundings")
    expect(text.locator("ol > li > ul > li > ul > li")).to_have_text("at night")
    expect(text.locator("table th")).to_have_text(["depth", "ground"])
    expect(text.locator("table td")).to_have_text(["7", "sand"])
    expect(text.locator("pre code")).to_have_text("sound --deep <b>\n")
    expect(text.locator("p code")).to_have_text("tallow")
    expect(text.locator("blockquote")).to_have_text("Mark twain.")
    links = text.locator("a").evaluate_all("all => all.map((each) => [each.textContent, each.getAttribute('href')])")
    assert links == [
        ["told", "https://example.org/lead"],
        ["mail", "mailto:ann@example.org"],
        ["image: a chart", "https://example.org/chart.png"],
    ]
    assert text.locator("a").first.get_attribute("rel") == "noopener noreferrer nofollow"
    expect(text.locator("p").first).to_contain_text("not")
    expect(text.locator("img")).to_have_count(0)


def test_a_double_click_writes_once(writer: Visit) -> None:
    """The second one would make the relation surer than it was said to be."""
    sent = []
    writer.page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/relate") else None)
    opened(writer, "Vines are pruned")
    writer.main.get_by_role("button", name="Relate").first.click()
    form = writer.main.locator("form.writing")
    form.locator("[name=target]").fill("The lamp")
    form.get_by_label("Why").fill("Both wait for the dark months.")
    form.get_by_role("button", name="Relate").dblclick()
    expect(writer.told).to_contain_text("Related.")
    assert len(sent) == 1


def test_a_long_text_is_read_on_part_by_part_and_edited_whole(writer: Visit) -> None:
    """Nothing is cut off without a word, and an edit does not write the cut text back."""
    content = "\n\n".join(f"Fathom {number} lies below fathom {number - 1}." for number in range(1, 1200))
    writer.open()
    writer.call("capture", content=content, title="Every fathom", kind="document")
    opened(writer, "Every fathom")
    text = writer.main.locator(".markdown")
    more = writer.main.get_by_role("button", name="Show more")
    expect(text).to_contain_text("Fathom 1 lies")
    for step in range(1, len(content) // PART + 1):
        expect(writer.main).to_contain_text(f"{step * PART:,} of {len(content):,} characters")
        more.click()
    expect(more).to_have_count(0)
    expect(text).to_contain_text("Fathom 1199 lies")
    writer.main.get_by_role("button", name="Edit").click()
    expect(writer.main.locator("[name=content]")).to_have_value(content)
