"""Looking after a graph on the command line: doctor, backup, restore."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotation at run time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weft.faces.lines import command, counted, line, quoted, typed
from weft.faces.terminal import FAILED, asked, console, piped, told, using

if TYPE_CHECKING:
    from rich.console import Console

    from weft.graph import Graph
    from weft.tools.gate import Caller

__all__ = ["register"]

SHOWN = 20
"""Files that are shown on a terminal; --json lists all."""


def doctor(
    context: typer.Context,
    repair: Annotated[bool, typer.Option("--repair", help="Make anew what is derived (curator).")] = False,  # noqa: FBT002
) -> None:
    """Look whether the whole graph is sound. Ends with code 1 where something is wrong; what only waits is told."""

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        from weft.faces.progress import bar
        from weft.tools.gate import operate

        with bar(console(stderr=True), "Looking") as progress:
            return operate(
                graph, "doctor", caller, lambda by: graph.keeping.doctor(by, repair=repair), progress=progress
            )

    answer = using(context, work, create=False)
    told(context, answer, _examined)
    if not answer["sound"]:
        raise typer.Exit(FAILED)


def backup(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="The file to make.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file that is there.")] = False,  # noqa: FBT002
) -> None:
    """Copy the graph to a file, and verify the copy. Others may write meanwhile."""

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        from weft.tools.gate import operate

        return operate(graph, "backup", caller, lambda _: graph.keeping.backup(path.absolute(), replace=force))

    told(context, using(context, work, create=False), _backed_up)


def restore(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="A file that weft backup made.")],
) -> None:
    """Put a backup in the place of the graph (curator). The graph that was there is kept beside it."""
    from weft.faces.progress import unopened
    from weft.graph import restore as put_back
    from weft.tools.operations import OPERATIONS

    with unopened(context, "restore", "Verifying") as call:
        result = put_back(asked(context).settings, path.absolute(), call)
    told(context, OPERATIONS["restore"].reshape(result), _restored)


def erase(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help="Id, handle, title or alias of a node; of a forgotten one its whole id.")],  # noqa: A002
    reason: Annotated[str, typer.Option(help="Why; kept in the log.")],
    text: Annotated[
        list[str] | None, typer.Option(help="Mask this wherever it stands; - reads it. May be given again.")
    ] = None,
) -> None:
    """Blank a leaked secret wherever it is (curator). It cannot be taken back."""
    texts = [piped(context) if each == "-" else each for each in text or []]

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        from weft.tools.gate import operate

        return operate(graph, "erase", caller, lambda by: graph.keeping.erase(id, by, reason=reason, texts=texts))

    told(context, using(context, work, create=False), _erased)


def _examined(screen: Console, answer: dict[str, Any]) -> None:
    findings = answer["findings"]
    for finding in findings:
        done = finding["repaired"]
        style = "green" if done else "yellow" if finding["waits"] else "red"
        line(screen, f"{finding['part']}: {finding['what']}", style=style)
        line(screen, finding["meaning"], indent=2)
        line(screen, "Repaired." if done else typed(finding["remedy"]), style="dim", indent=2)
    compared = ", ".join(counted(answer[each], each[:-1]) for each in ("rows", "changes", "passages"))
    looked = f"{compared}; engine {answer['engine']}, schema {answer['schema']}"
    line(screen, _verdict(answer), style="bold")
    line(screen, f"Compared: {looked}.", style="dim", indent=2)


def _verdict(answer: dict[str, Any]) -> str:
    open_ = [finding for finding in answer["findings"] if not finding["repaired"]]
    waiting = sum(finding["waits"] for finding in open_)
    if len(open_) > waiting:
        return f"{counted(len(open_) - waiting, 'finding')} left."
    said = "Everything that was found is repaired" if len(open_) < len(answer["findings"]) else "The graph is sound"
    return f"{said}; {counted(waiting, 'thing')} left to do." if waiting else f"{said}."


def _backed_up(screen: Console, answer: dict[str, Any]) -> None:
    line(screen, f"Wrote {answer['path']}", style="bold")
    said = f"{counted(answer['changes'], 'change')}, {answer['size_bytes']:,} bytes, verified"
    line(screen, said, indent=2)
    command(screen, f"put it back with: weft restore {quoted(answer['path'])}", indent=2)


def _restored(screen: Console, answer: dict[str, Any]) -> None:
    line(screen, f"{answer['path']} is the backup now, with {counted(answer['changes'], 'change')}.", style="bold")
    if answer["replaced"]:
        line(screen, f"What it replaced lies at {answer['replaced']}", indent=2)


def _erased(screen: Console, answer: dict[str, Any]) -> None:
    line(screen, f"Erased {answer['id']}.", style="bold")
    line(screen, ", ".join(f"{name} {count}" for name, count in answer["blanked"].items()), indent=2)
    if answer["others"]:
        line(screen, f"masked in other nodes as well: {', '.join(answer['others'])}", style="yellow", indent=2)
    if not answer["finished"]:
        said = "Somebody is reading: old pages are still in the file. Run the same command again when they are done."
        line(screen, said, style="red", indent=2)
    for each in answer["left"][:SHOWN]:
        line(screen, f"may still hold it: {each}", style="red", indent=2)
    more = len(answer["left"]) - SHOWN
    line(screen, f"and {more} more; --json lists them" if more > 0 else "", style="red", indent=2)
    line(screen, "Backups, exports, and a vault's git history from before still hold it.", style="dim", indent=2)


def register(app: typer.Typer) -> None:
    """Put the commands on ``app``."""
    app.command()(doctor)
    app.command()(backup)
    app.command()(restore)
    app.command()(erase)
