"""Import and export on the command line: what came in, what went out, and line by line what could not be read."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads the annotation at run time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weft.errors import InvalidArgument
from weft.faces.lines import counted, line, typed, unread, way_back
from weft.faces.terminal import console, fail, told, using

if TYPE_CHECKING:
    from rich.console import Console

    from weft.graph import Graph
    from weft.tools.gate import Caller

__all__ = ["register"]

UNREAD_SHOWN = 20
"""Entries that are listed on a terminal; --json lists more."""

_STDOUT = "-"
_FORMATS = {
    "": "jsonl",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".graphml": "graphml",
    ".cyjs": "cytoscape",
    ".cypher": "cypher",
    ".csv": "csv",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
}
"""The format that a file's suffix says, where none is named."""
_COUNTS = (
    ("nodes_made", "new node", ""),
    ("nodes_updated", "changed node", ""),
    ("nodes_known", "node known already", "nodes known already"),
    ("nodes_kept", "node kept as it was changed here", "nodes kept as they were changed here"),
    ("nodes_forgotten", "node forgotten here, left out", "nodes forgotten here, left out"),
    ("relations_made", "new relation", ""),
    (
        "relations_removed",
        "relation taken out, which no note states any more",
        "relations taken out, which no note states any more",
    ),
    ("relations_known", "relation known already", "relations known already"),
    ("changes", "change of the log", "changes of the log"),
    ("changes_known", "change known already", "changes known already"),
)


def import_(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="The file or folder to take in.")],
    source: Annotated[
        str,
        typer.Option(
            "--from",
            help="jsonl, okf, memory-server, basic-memory, obsidian, autology, cognitive-memory, mem0, csv or aci.",
        ),
    ],
    ontology: Annotated[str, typer.Option(help="Default: the name of the folder or the file.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would come in.")] = False,  # noqa: FBT002
) -> None:
    """Take in what another tool or graph has written. Each thing comes in once."""
    from weft.faces.progress import bar, resumable

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        from weft.model import ImportRequest
        from weft.tools.gate import operate

        request = ImportRequest(path=path.absolute(), format=source, ontology=ontology, dry_run=dry_run)
        with bar(console(stderr=True), "Importing") as progress:
            return operate(graph, "import", caller, lambda by: graph.transfer.import_(request, by), progress=progress)

    with resumable("what is in is"):
        answer = using(context, work)
    told(context, answer, _imported)


def export(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="The file or folder to make; - writes to standard output.")],
    target: Annotated[
        str,
        typer.Option(
            "--format", help="jsonl, okf, graphml, cytoscape, cypher, csv or mermaid; default: by the file's name."
        ),
    ] = "",
    around: Annotated[str, typer.Option(help="With mermaid: the node whose neighbourhood is drawn.")] = "",
    depth: Annotated[int, typer.Option(help="With mermaid: how many relations away.", min=1, max=5)] = 1,
    replace: Annotated[bool, typer.Option("--replace", help="Replace the file that is there.")] = False,  # noqa: FBT002
) -> None:
    """Write the graph to a file; jsonl loses nothing."""
    to_stdout = str(path) == _STDOUT
    form = target or _FORMATS.get(path.suffix.lower(), "")
    if not form:
        fail(context, InvalidArgument(f"path: {path.suffix} says no format.", hint="Name one with --format."))

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        from weft.faces.progress import bar
        from weft.model import ExportRequest
        from weft.tools.gate import operate

        request = ExportRequest(path=path.absolute(), format=form, around=around, depth=depth, replace=replace)
        if to_stdout:
            sys.stdout.reconfigure(encoding="utf-8", newline="")  # type: ignore[union-attr]
            for text in graph.transfer.stream(request, graph.call("export")):
                sys.stdout.write(text)
            return {}
        with bar(console(stderr=True), "Exporting") as progress:
            return operate(graph, "export", caller, lambda by: graph.transfer.export(request, by), progress=progress)

    answer = using(context, work, create=False)
    if not to_stdout:
        told(context, answer, _exported)


def _imported(screen: Console, answer: dict[str, Any]) -> None:
    counts = [counted(answer[name], one, many) for name, one, many in _COUNTS if answer[name]]
    came = any(
        answer[name] for name in ("nodes_made", "nodes_updated", "relations_made", "relations_removed", "changes")
    )
    if answer["dry_run"]:
        line(screen, "This would come in:" if came else "Nothing new would come in.", style="bold")
    else:
        line(screen, "Imported." if came else "Nothing new came in.", style="bold")
    for each in counts:
        line(screen, each, indent=2)
    _absent(screen, answer)
    _unread(screen, answer)
    if answer["dry_run"]:
        line(screen, "Nothing was written. Without --dry-run it is.", style="dim", indent=2)
    _batches(screen, answer["batches"])


def _absent(screen: Console, answer: dict[str, Any]) -> None:
    count = answer["nodes_absent"]
    if not count:
        return
    said = counted(count, "note that came in before is", "notes that came in before are")
    line(screen, f"{said} not in the folder now, and kept until forgotten:", style="yellow", indent=2)
    for handle in answer["absent"][:UNREAD_SHOWN]:
        line(screen, handle, style="yellow", indent=4)
    if count > UNREAD_SHOWN:
        line(screen, f"and {count - UNREAD_SHOWN:,} more; --json lists them", style="yellow", indent=4)


def _unread(screen: Console, answer: dict[str, Any]) -> None:
    if answer["unread_total"]:
        line(screen, f"{counted(answer['unread_total'], 'thing')} not, or not wholly, read:", style="yellow", indent=2)
    unread(screen, answer["unread"], answer["unread_total"], most=UNREAD_SHOWN)


def _batches(screen: Console, batches: list[str]) -> None:
    if len(batches) == 1:
        way_back(screen, batches[0])
    elif batches:
        line(screen, typed(f"{len(batches)} batches; take back, last first, with weft undo:"), style="dim", indent=2)
        line(screen, " ".join(batches[::-1][:3]) + (" …" if len(batches) > 3 else ""), style="dim", indent=4)  # noqa: PLR2004


def _exported(screen: Console, answer: dict[str, Any]) -> None:
    parts = [counted(answer[name], name[:-1]) for name in ("nodes", "relations", "changes") if answer[name]]
    line(screen, f"Wrote {answer['path']}", style="bold")
    line(screen, f"{', '.join(parts) or 'nothing'} as {answer['format']}; {answer['size_bytes']:,} bytes", indent=2)


def register(app: typer.Typer) -> None:
    """Put the commands on ``app``."""
    app.command("import")(import_)
    app.command()(export)
