"""Notes that were written for a tool with `[[references]]`, in a browser: they lead on from the text they stand in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

import weft
from explorer.visit import served
from weft.model import ImportRequest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from explorer.conftest import Visits
    from explorer.visit import Visit

DAY: Final = """Met [[Ada Palmer|Ada]] about [[Projects/Sluice Gate#Costs]] and **[[Ada]]**; [[Nobody Yet]],
`[[Not This]]`.

| who | what |
| --- | ---- |
| [[Ada Palmer\\|her]] | gate |

![[chart.png|300]] ![[Sluice Gate|x]] [told [[Ada]]](https://example.org/) [[#Below]]

[a gate](Projects/Sluice%20Gate.md#Costs) [not ours](https://example.org/a.md) [script](javascript:a.md)
"""
SIGNS: Final = """- [ ] rotate the keys
- [x] check the backups
- [link](https://example.org/) and [x] later

> [!warning]- Careful with *this*
> Not at noon.

> [!tip]

> [plain] words
"""
NOTES: Final = {
    "Signs.md": SIGNS,
    "Day.md": DAY,
    "People/Ada Palmer.md": "---\naliases: [Ada]\n---\nShe builds gates.",
    "Projects/Sluice Gate.md": "# Costs\n\nToo much.",
    "Projects/Index.md": "Of the projects.",
    "People/Index.md": "Of the people.",
}


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of a graph that a vault was imported into."""
    folder: Path = tmp_path_factory.mktemp("vault")
    for name, text in NOTES.items():
        (folder / "notes" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "notes" / name).write_text(text, encoding="utf-8")
    with weft.connect(str(folder / "notes.db"), actor="ann") as notes:
        wish = ImportRequest(path=folder / "notes", format="obsidian")
        notes.graph.transfer.import_(wish, notes.graph.call("import"))
    with served(folder / "notes.db") as base:
        yield base


@pytest.fixture
def reader(visit: Visits, vault: str) -> Visit:
    """A visit to that graph."""
    return visit(vault)


def test_the_reason_of_a_relation_has_no_brackets(reader: Visit) -> None:
    """It is a line of the note, and no text to read on from."""
    reader.open("#/node/Ada Palmer")
    reason = reader.main.locator("p.reasoning").first
    expect(reason).to_contain_text("Met Ada about Projects/Sluice Gate#Costs")
    expect(reason).not_to_contain_text("[[")


def test_a_reference_in_a_text_leads_to_its_note(reader: Visit) -> None:
    """By name, by path and by alias; code, pictures and what stands in a link already lead nowhere else."""
    reader.open("#/node/Day")
    text = reader.main.locator(".markdown")
    links = text.locator("a[href^='#/']")
    names = ["Ada", "Projects/Sluice Gate#Costs", "Ada", "Nobody Yet", "her", "Sluice Gate", "a gate"]
    expect(links).to_have_text(names)
    expect(text.locator("code")).to_have_text("[[Not This]]")
    expect(text).to_contain_text("chart.png Sluice Gate told")
    expect(text.locator("a[href^='https:']")).to_have_text(["told [[Ada]]", "not ours"])
    ends = {name: "Sluice Gate" for name in names if "ate" in name} | {"Ada": "Ada Palmer", "her": "Ada Palmer"}
    for name, title in ends.items():
        reader.open("#/node/Day")
        links.get_by_text(name, exact=True).first.click()
        expect(reader.main.locator("h1")).to_have_text(title)


def test_a_reference_to_a_note_that_is_not_there_leads_to_a_search(reader: Visit) -> None:
    """It may be there under another name; an address that names nothing would only say so."""
    reader.open("#/node/Day")
    reader.main.locator(".markdown").get_by_role("link", name="Nobody Yet").click()
    expect(reader.main.locator("h1")).to_have_text("Found for «Nobody Yet»")


def test_a_piece_of_a_text_is_shown_without_the_brackets_of_references(reader: Visit) -> None:
    """In the list of hits."""
    reader.open("#/search?q=met")
    expect(reader.entry("Day").locator(".snippet")).to_contain_text("Met Ada about Projects/Sluice Gate#Costs and Ada")


def test_a_name_that_several_nodes_have_leads_to_each_of_them(reader: Visit) -> None:
    """Each with what tells it apart."""
    reader.expected.add(409)
    reader.open("#/node/Index")
    expect(reader.main.locator(".refused li")).to_have_count(2)
    reader.main.locator(".refused li").filter(has_text="obsidian:People/Index").get_by_role("link").click()
    expect(reader.main.locator(".markdown")).to_have_text("Of the people.")


def test_boxes_of_tasks_and_titles_of_callouts_are_drawn(reader: Visit) -> None:
    """What only looks like one, in the middle of a line or without its sign, stays as it is written."""
    reader.open("#/node/obsidian%3ASigns")
    text = reader.main.locator(".markdown")
    expect(text.locator("li")).to_have_text(["☐ rotate the keys", "☑ check the backups", "link and [x] later"])
    expect(text.locator("blockquote strong")).to_have_text(["Careful with this", "Tip"])
    expect(text.locator("blockquote").first).to_contain_text("Not at noon.")
    expect(text.locator("blockquote").last).to_have_text("[plain] words")
