"""Long work on the command line: its progress bar, what an interruption leaves, and work that opens no graph itself."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import typer

from weft.errors import WeftError
from weft.faces.lines import typed
from weft.faces.terminal import INTERRUPTED, asked, console, fail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from weft.model import Call, Progress

__all__ = ["bar", "resumable", "unopened"]

MESSAGE_MAX = 40
"""Characters of what is worked on that stand beside the bar."""


@contextmanager
def bar(screen: Console, title: str) -> Iterator[Progress]:
    """Show a bar called ``title`` while the block runs; yields the callback (done, total, message) that moves it.

    It is silent when ``screen`` is no terminal.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(title),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[message]}"),
    )
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task(title, message="", total=None)

        def move(done: int, total: int, message: str) -> None:
            progress.update(task, completed=done, total=total, message=_shown(message))

        yield move


def _shown(message: str) -> str:
    """Return the end of ``message``: that of a path tells more than its beginning."""
    return message if len(message) <= MESSAGE_MAX else f"…{message[1 - MESSAGE_MAX :]}"


@contextmanager
def resumable(kept: str, *, by: str = "the same command") -> Iterator[None]:
    """End the command where the block is interrupted, and say what is ``kept`` and that it goes on ``by`` a command."""
    try:
        yield
    except KeyboardInterrupt:
        console(stderr=True).print(f"weft: interrupted; {kept} kept, and {typed(by)} goes on from there.")
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def unopened(context: typer.Context, verb: str, title: str) -> Iterator[Call]:
    """Give the call of an operator's ``verb`` that opens its graphs itself, under a bar; a failure ends the command."""
    from weft.model import Call, Tier

    settings = asked(context).settings
    try:
        with bar(console(stderr=True), title) as progress:
            yield Call(
                actor=settings.writer,
                client="cli",
                tool=verb,
                tier=Tier[settings.role.upper()],
                at=datetime.now(UTC),
                progress=progress,
            )
    except WeftError as error:
        fail(context, error)
