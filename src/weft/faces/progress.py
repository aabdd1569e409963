"""A progress bar on standard error for long work; silent when standard error is no terminal."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console

__all__ = ["bar"]


@contextmanager
def bar(screen: Console, title: str) -> Iterator[Callable[[int, int, str], None]]:
    """Show a bar called ``title`` while the block runs; yields the callback (done, total, message) that moves it."""
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
            progress.update(task, completed=done, total=total, message=message[-40:])

        yield move
