"""Who may read only is shown no way to write, and a server that asks for a token is shown one by the browser."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from doors import door
from explorer.visit import served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from explorer.conftest import Visits
    from explorer.visit import Visit

WRITES = ("Edit", "Relate", "Merge", "Forget", "Undo", "Redo", "Capture", "Connect", "Accept →", "← Dismiss")
WRITES += ("It supports this", "Merge them")
PAGES = (
    f"#/node/{quote('Herring return')}",
    "#/review",
    f"#/merge?one={quote('Lost anchors')}&other={quote('Anchors lost')}",
    "#/log",
    "#/bridges?one=sea&other=orchard",
    "#/challenge?claim=Herring spawn in shallow bays when spring comes.",
    "#/capture",
)


@pytest.fixture(scope="module")
def window(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that readers may read, and nobody may write."""
    folder = shutil.copytree(filled, tmp_path_factory.mktemp("window") / "graph")
    with served(folder / "sea.db", "--role", "reader") as base:
        yield base


@pytest.fixture(scope="module")
def gate(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a server that asks for a token, and one for a reader and a librarian."""
    folder = shutil.copytree(filled, tmp_path_factory.mktemp("gate") / "graph")
    shutil.copy(folder / "sea.db", folder / "notes.db")
    with door(folder) as boss:
        call = boss.graph.call("token_create")
        tokens = {
            role: boss.graph.keeping.tokens.create(role, role, call).credential for role in ("reader", "librarian")
        }
    with served(folder / "notes.db") as base:
        yield base, tokens


def offers(visit: Visit, address: str) -> list[str]:
    """Return what a page offers that would write."""
    visit.open(address)
    for each in visit.main.locator("summary").all():
        each.click()
    buttons = visit.main.get_by_role("button").all_text_contents()
    return [name for name in WRITES if name in buttons]


@pytest.mark.parametrize("address", PAGES)
def test_a_reader_is_shown_no_way_to_write(visit: Visits, window: str, address: str) -> None:
    """Neither a button nor a form that would be refused."""
    assert offers(visit(window), address) == []


def test_who_may_write_is_shown_the_ways(reader: Visit) -> None:
    """The twin: the same pages, served to a curator."""
    seen = {name for address in PAGES for name in offers(reader, address)}
    assert seen == set(WRITES) - {"Redo"}


def test_a_reader_reads(visit: Visits, window: str) -> None:
    """Everything else is there."""
    visiting = visit(window)
    expect(visiting.open(PAGES[0])).to_have_text("Herring return")
    assert visiting.drawn("graph.nodes().length") == 3


def test_a_token_is_shown_as_the_browser_s_password(visit: Visits, gate: tuple[str, dict[str, str]]) -> None:
    """Its owner's name stands beside what is written."""
    base, tokens = gate
    visiting = visit(base, http_credentials={"username": "me", "password": tokens["librarian"]})
    visiting.expected.add(401)
    visiting.open("#/capture")
    visiting.main.get_by_label("What you know").fill("Cranes rest on the mud flats in October.")
    visiting.main.get_by_role("button", name="Capture").click()
    expect(visiting.main.locator("header")).to_contain_text("by librarian")


def test_a_reader_s_token_writes_nothing(visit: Visits, gate: tuple[str, dict[str, str]]) -> None:
    """What the page offers follows the token, not the server."""
    base, tokens = gate
    visiting = visit(base, http_credentials={"username": "me", "password": tokens["reader"]})
    visiting.expected.add(401)
    assert [name for address in PAGES for name in offers(visiting, address)] == []


def test_without_a_token_nothing_is_shown(visit: Visits, gate: tuple[str, dict[str, str]]) -> None:
    """Not even the page."""
    visiting = visit(gate[0])
    for path in ("", "explorer/start.js", "api/tools", "events"):
        assert visiting.page.request.get(f"{gate[0]}/{path}").status == 401
