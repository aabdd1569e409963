"""One reader's visit to the explorer: the page, and everything that went amiss on it."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import Error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import ConsoleMessage, Dialog, Locator, Page, Request

__all__ = ["WAIT_S", "Visit", "served"]

WAIT_S: Final = 20
_ADDRESS: Final = re.compile(r"listening on (http://\S+)")
_STATUS: Final = re.compile(r"status of (\d+)")


class Visit:
    """A page of the explorer at ``base``. Whatever goes amiss on it is kept: ``troubles`` has to be empty in the end.

    ``expected`` are the statuses of answers that the test brings about on purpose, ``lost`` the errors of the network;
    ``agrees``: questions in a dialog are answered with yes, else one is a trouble.
    """

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base
        self.expected: set[int] = set()
        self.lost: set[str] = set()
        self.agrees = False
        self._troubles: list[str] = []
        page.add_init_script("addEventListener('shown', () => { window.shown = (window.shown || 0) + 1; }, true)")
        page.on("console", self._said)
        page.on("pageerror", lambda error: self._troubles.append(f"error: {error}"))
        page.on("request", self._asked)
        page.on("requestfailed", self._failed)
        page.on("dialog", self._questioned)

    def _said(self, message: ConsoleMessage) -> None:
        status = _STATUS.search(message.text)
        wanted = status and int(status[1]) in self.expected
        if message.type in {"error", "warning"} and not wanted and not self._is_lost(message.text):
            self._troubles.append(f"console: {message.text} ({message.location.get('url')})")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.base}/", "data:", "blob:")):
            self._troubles.append(f"asked elsewhere: {request.url}")

    def _failed(self, request: Request) -> None:
        # a page that is left gives up what it asked for
        if request.failure != "net::ERR_ABORTED" and not self._is_lost(request.failure or ""):
            self._troubles.append(f"failed: {request.url}: {request.failure}")

    def _is_lost(self, said: str) -> bool:
        return any(each in said for each in self.lost)

    def _questioned(self, dialog: Dialog) -> None:
        if self.agrees:
            dialog.accept()
        else:
            self._troubles.append(f"dialog: {dialog.message}")
            dialog.dismiss()

    @property
    def troubles(self) -> list[str]:
        """What went amiss so far."""
        return self._troubles

    @property
    def main(self) -> Locator:
        """The part of the page that changes from address to address."""
        return self.page.locator("main")

    @property
    def told(self) -> Locator:
        """The bar in which is told what was done."""
        return self.page.locator("#told")

    def entry(self, title: str) -> Locator:
        """Return the entry of a list that is about the node called ``title``."""
        return self.main.get_by_role("listitem").filter(has=self.page.get_by_role("link", name=title, exact=True))

    def open(self, address: str = "#/search") -> Locator:
        """Open an address of the explorer, and return its heading once the page is shown."""
        before = self.shown()
        if self.page.url.startswith(self.base) and not self.page.url.endswith(address):
            self.page.evaluate("at => { location.hash = at; }", address)
        elif before:
            self.page.reload()
            before = 0
        else:
            self.page.goto(f"{self.base}/{address}")
        self.settled(before)
        return self.main.locator("h1")

    @contextmanager
    def offline(self) -> Iterator[None]:
        """Have the server be away for the block; what fails for that is no trouble."""
        self.lost.add("net::ERR_INTERNET_DISCONNECTED")
        self.page.context.set_offline(offline=True)
        yield
        self.page.context.set_offline(offline=False)

    @contextmanager
    def lacking(self, file: str) -> Iterator[None]:
        """Have a file of the explorer not arrive while the block runs."""
        self.lost.add("net::ERR_CONNECTION_REFUSED")
        self.page.route(f"**/{file}", lambda route: route.abort("connectionrefused"))
        yield
        self.page.unroute(f"**/{file}")

    def shown(self) -> int:
        """Return how many pages the explorer has shown since it was loaded."""
        return int(self.page.evaluate("() => window.shown || 0"))

    def settled(self, before: int) -> None:
        """Wait until another page is shown than the ``before`` ones."""
        self.until(lambda: self.shown() > before)

    def until(self, holds: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever is waited for
        """Wait until ``holds`` answers with something true, and return it."""
        deadline = time.monotonic() + WAIT_S
        while not (answer := holds()):
            assert time.monotonic() < deadline, "it did not come about"
            self.page.wait_for_timeout(15)
        return answer

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool as another program would, beside the page."""
        answer = self.page.request.post(f"{self.base}/api/tools/{tool}", data=arguments)
        body: dict[str, Any] = answer.json()
        assert answer.ok, body
        return body

    @contextmanager
    def heard(self, tool: str) -> Iterator[None]:
        """Wait, after what is done meanwhile, until the page has heard of a change by ``tool``."""
        self.page.evaluate(
            "tool => { window.heard = false;"
            " document.addEventListener('changed', ({ detail }) => { window.heard ||= detail.tool === tool; }); }",
            tool,
        )
        yield
        self.until(lambda: self.page.evaluate("() => window.heard"))

    def drawn(self, what: str) -> Any:  # noqa: ANN401 - whatever the expression gives
        """Wait for the drawing, and return what the expression ``what`` gives of it, where it is called ``graph``."""
        asked = f"() => {{ const graph = document.querySelector('.canvas')?.drawing; return graph ? [{what}] : null; }}"
        return self.until(lambda: self._told(asked))[0]

    def _told(self, asked: str) -> Any:  # noqa: ANN401 - whatever the expression gives
        """Return what an expression gives; nothing while the document is being read anew."""
        try:
            return self.page.evaluate(asked)
        except Error as error:
            if "context was destroyed" not in error.message:
                raise
            return None


@contextmanager
def served(graph: Path, *before: str) -> Iterator[str]:
    """Run ``weft serve --http`` of ``graph`` on a free port, and give its address.

    ``before`` are options that stand before the command, such as ``--role reader``.
    """
    said = graph.with_name(f"said-{time.monotonic_ns()}")
    command = [sys.executable, "-m", "weft", "--graph", str(graph), "--actor", "ann", *before]
    with said.open("w") as out, subprocess.Popen([*command, "serve", "--http", "--port", "0"], stderr=out) as process:
        try:
            yield _address(said, process)
        finally:
            process.terminate()
            process.wait(WAIT_S)


def _address(said: Path, process: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + WAIT_S
    while True:
        if found := _ADDRESS.search(said.read_text(encoding="utf-8")):
            return found[1]
        assert process.poll() is None, said.read_text(encoding="utf-8")
        assert time.monotonic() < deadline
        time.sleep(0.02)
