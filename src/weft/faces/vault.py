"""The vault on the command line: on, off, how it stands; and ``weft sync``, which brings files and graph together."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotation at run time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weft.faces.lines import counted, line, several, typed, unread, way_back
from weft.faces.terminal import console, told, using

if TYPE_CHECKING:
    from rich.console import Console

    from weft.graph import Graph
    from weft.tools.gate import Caller

__all__ = ["register"]

SHOWN = 20
"""Entries of a list that are shown on a terminal; --json lists more."""

_READ = (
    ("nodes_made", "new node", ""),
    ("nodes_changed", "changed node", ""),
    ("nodes_retired", "node retired, its file was deleted", "nodes retired, their files were deleted"),
    ("nodes_returned", "node that came back", "nodes that came back"),
    ("relations_made", "new relation", ""),
    ("relations_changed", "changed relation", ""),
    ("relations_removed", "relation taken out", "relations taken out"),
    ("others_made", "source, piece of evidence or vote", "sources, pieces of evidence and votes"),
)
_WRITTEN = (
    ("written", "file written", "files written"),
    ("moved", "file moved", "files moved"),
    ("removed", "file removed", "files removed"),
)

vault = typer.Typer(no_args_is_help=True, help="Keep the graph as Markdown too. People edit it and keep it in git.")


@vault.command()
def on(
    context: typer.Context,
    folder: Annotated[Path | None, typer.Argument(help="Default: vault, in the project's folder.")] = None,
) -> None:
    """Mirror the graph as Markdown, both ways."""

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        from weft.tools.gate import operate

        place = folder.absolute() if folder is not None else None
        told = operate(graph, "vault_on", caller, lambda by: graph.vault.turn_on(place, by))
        return {**told, **_synced(graph, caller, dry_run=False)}

    answer = _interruptible(context, work)
    told(context, answer, _turned_on)


@vault.command()
def off(context: typer.Context) -> None:
    """Mirror no more; the files stay as they are."""

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        from weft.tools.gate import operate

        return operate(graph, "vault_off", caller, graph.vault.turn_off)

    told(context, using(context, work, create=False), _turned_off)


@vault.command()
def status(context: typer.Context) -> None:
    """Say where the vault lies and what waits."""

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        from weft.tools.gate import operate

        return operate(graph, "vault_status", caller, lambda _: graph.vault.status())

    told(context, using(context, work, create=False), _status)


def sync(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,  # noqa: FBT002
) -> None:
    """Bring the vault and the graph together. What the files that nodes refer to have outrun is marked."""

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        from weft.tools.gate import operate

        told: dict[str, Any] = {"root": ""}
        if graph.vault.root() is not None:
            told = _synced(graph, caller, dry_run=dry_run)
        if not dry_run:
            told["stale"] = operate(graph, "sync_files", caller, graph.staleness.check)
            if told["root"] and told["stale"]["outdated"]:
                told["written"] += _synced(graph, caller, dry_run=False)["written"]
        return told

    told(context, _interruptible(context, work), _sync)


def _synced(graph: Graph, caller: Caller, *, dry_run: bool) -> dict[str, Any]:
    from weft.faces.progress import bar
    from weft.tools.gate import operate

    with bar(console(stderr=True), "Vault") as progress:
        return operate(graph, "sync", caller, lambda by: graph.vault.sync(by, dry_run=dry_run), progress=progress)


def _interruptible(context: typer.Context, work: Any) -> dict[str, Any]:  # noqa: ANN401 - what using takes
    from weft.faces.progress import resumable

    with resumable("what is done is", by="weft sync"):
        return using(context, work)


def _turned_on(screen: Console, answer: dict[str, Any]) -> None:
    line(screen, f"The vault is at {answer['root']}", style="bold")
    _counts(screen, answer)
    line(screen, typed("weft sync reads what was edited; weft serve does so by itself."), style="dim", indent=2)


def _turned_off(screen: Console, answer: dict[str, Any]) -> None:
    del answer
    line(screen, "The vault is off. Its files stay as they are.", style="bold")


def _status(screen: Console, answer: dict[str, Any]) -> None:
    if not answer["on"]:
        line(screen, typed("The vault is off. weft vault on turns it on."))
        return
    line(screen, f"The vault is at {answer['root']}", style="bold")
    line(screen, f"{counted(answer['notes'], 'note')}, {counted(answer['sources'], 'source')}", indent=2)
    line(screen, answer["problem"], style="red", indent=2)
    behind = f"{counted(answer['behind'], 'change')} of the graph not written yet"
    notes = f", {counted(answer['waiting'], 'note')} to be written" if answer["waiting"] else ""
    line(screen, behind + notes if answer["behind"] else "", indent=2)
    clashes = counted(answer["conflicts"], "open conflict")
    line(screen, f"{clashes}: {typed('weft review')}" if answer["conflicts"] else "", style="yellow", indent=2)
    line(
        screen, "a server keeps it" if answer["watched"] else typed("no server keeps it now; weft sync does"), indent=2
    )


def _sync(screen: Console, answer: dict[str, Any]) -> None:
    if answer["root"]:
        done = any(answer[name] for name, _, _ in (*_READ, *_WRITTEN))
        said = "This would be done:" if answer["dry_run"] else "Synced."
        line(screen, said if done else "Vault and graph agree.", style="bold")
        _counts(screen, answer)
    else:
        line(screen, "The vault is off; only the files that nodes refer to were looked at.")
    _stale(screen, answer.get("stale"))


def _counts(screen: Console, answer: dict[str, Any]) -> None:
    for name, one, many in (*_READ, *_WRITTEN):
        line(screen, counted(answer[name], one, many) if answer[name] else "", indent=2)
    for each in answer["conflicts"][:SHOWN]:
        said = f"conflict: «{each['title']}» ({each['path']}): {each['why']}; the note's text is kept in {each['copy']}"
        line(screen, said, style="yellow", indent=2)
    if answer["unread_total"]:
        line(screen, f"{counted(answer['unread_total'], 'thing')} not read:", style="yellow", indent=2)
    unread(screen, answer["unread"], answer["unread_total"], most=SHOWN)
    if len(answer["batches"]) == 1:
        way_back(screen, answer["batches"][0])
    elif answer["batches"]:
        several(screen, len(answer["batches"]))


def _stale(screen: Console, stale: dict[str, Any] | None) -> None:
    for each in (stale or {}).get("outdated", ())[:SHOWN]:
        line(screen, each["summary"], style="yellow", indent=2)


def register(app: typer.Typer) -> None:
    """Put the commands on ``app``."""
    app.add_typer(vault, name="vault")
    app.command()(sync)
