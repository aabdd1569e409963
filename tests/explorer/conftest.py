"""A browser, and servers of a small graph for it to visit. Without a Chromium, tests that need one are skipped."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from engine import server
from explorer import sea
from explorer.visit import WAIT_S, Visit, served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext


class Visits(Protocol):
    """Opens a browser's context at an address; the arguments are those of Playwright's ``new_context``."""

    def __call__(self, base: str, **context: Any) -> Visit:  # noqa: ANN401 - whatever a context takes
        """Return a visit to ``base``."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium, for the tests of one file: while it runs, nothing else in the process can have an event loop."""
    expect.set_options(timeout=WAIT_S * 1000)
    with sync_playwright() as driver:
        names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
        found = next(filter(None, map(shutil.which, names)), None)
        try:
            # without the flag a machine that has no graphics card draws a canvas at a twentieth of the pace
            running = driver.chromium.launch(executable_path=found, args=["--disable-gpu"])
        except Error as error:
            if found or "Executable doesn't exist" not in error.message:  # one that does not start is no missing one
                raise
            pytest.skip(f"no Chromium is installed ({error.message.splitlines()[0]})")
        yield running
        running.close()


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the graph of :mod:`explorer.sea`, to be read or copied."""
    if server:
        pytest.skip("the explorer is tested over files; its calls are tested on both engines")
    folder = tmp_path_factory.mktemp("sea")
    sea.fill(folder)
    return folder


@pytest.fixture(scope="session")
def harbour(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose graph nobody changes."""
    folder = shutil.copytree(filled, tmp_path_factory.mktemp("harbour") / "graph")
    with served(folder / "sea.db") as base:
        yield base


@pytest.fixture(scope="module")
def moored(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph that the tests of one file change."""
    return shutil.copytree(filled, tmp_path_factory.mktemp("quay") / "graph") / "sea.db"


@pytest.fixture(scope="module")
def quay(moored: Path) -> Iterator[str]:
    """The address of a server of the graph that the tests of one file change."""
    with served(moored) as base:
        yield base


@pytest.fixture(scope="module")
def usual(browser: Browser) -> Iterator[BrowserContext]:
    """What visits have in common that ask for nothing else: the files need not be fetched again for each."""
    with browser.new_context() as context:
        yield context


@pytest.fixture
def visit(browser: Browser, usual: BrowserContext) -> Iterator[Visits]:
    """Opens pages; in the end nothing may have gone amiss on any of them."""
    visits: list[Visit] = []
    with ExitStack() as opened:

        def at(base: str, **context: Any) -> Visit:  # noqa: ANN401 - whatever a context takes
            within = opened.enter_context(browser.new_context(**context)) if context else usual
            page = opened.enter_context(within.new_page())
            page.set_default_timeout(WAIT_S * 1000)
            visits.append(Visit(page, base))
            return visits[-1]

        yield at
        assert [trouble for each in visits for trouble in each.troubles] == []


@pytest.fixture
def reader(visit: Visits, harbour: str) -> Visit:
    """A visit to a graph that nobody changes."""
    return visit(harbour)


@pytest.fixture
def writer(visit: Visits, quay: str) -> Visit:
    """A visit to a graph that the tests of this file change."""
    return visit(quay)
