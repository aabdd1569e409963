"""The friendly commands: one a core verb, each a thin spelling of its tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weft.errors import InvalidArgument
from weft.faces import logged, searching
from weft.faces.terminal import FAILED, asked, console, fail, flags, piped, run, run_with, show, using

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.graph import Graph
    from weft.model import IngestRequest
    from weft.tools.gate import Caller


__all__ = ["register"]

NAMED = "Id, handle, title or alias of a node."


def capture(
    context: typer.Context,
    content: Annotated[str, typer.Argument(help="The text; - reads it from standard input.")],
    title: Annotated[str, typer.Option(help="Default: the first sentence.")] = "",
    kind: Annotated[str, typer.Option(help="Default: classified.")] = "",
    ontology: Annotated[str, typer.Option(help="The body of knowledge it belongs to.")] = "",
    tag: Annotated[list[str] | None, typer.Option(help="May be given again.")] = None,
    reference: Annotated[list[str] | None, typer.Option(help="A file or URL; may be given again.")] = None,
    citation: Annotated[str, typer.Option(help="Free text, a DOI or a URL.")] = "",
) -> None:
    """Write down a piece of knowledge. It is classified and linked."""
    text = piped(context) if content == "-" else content
    run(
        context,
        "capture",
        content=text,
        title=title,
        kind=kind,
        ontology=ontology,
        tags=tag,
        references=reference,
        citation=citation,
    )


def fetch(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help=NAMED)],  # noqa: A002 - the tool's word
    depth: Annotated[int, typer.Option(help="2 adds the neighbours' neighbours.")] = 1,
    offset: Annotated[int, typer.Option(help="Where to begin in a long text, in characters.")] = 0,
) -> None:
    """Show a node with its relations and evidence. Its history and its neighbours too."""
    run(context, "fetch", id=id, depth=depth, offset=offset)


def update(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help=NAMED)],  # noqa: A002
    title: Annotated[str | None, typer.Option(help="A new title.")] = None,
    content: Annotated[str | None, typer.Option(help="A new text.")] = None,
    kind: Annotated[str | None, typer.Option(help="Another kind.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="All tags from now on.")] = None,
    status: Annotated[str | None, typer.Option(help="active, needs_review or superseded.")] = None,
    superseded_by: Annotated[str, typer.Option(help="The node that replaces it.")] = "",
) -> None:
    """Change fields of a node."""
    if not any((title, content, kind, tag, status, superseded_by)):
        fail(context, InvalidArgument(f"nothing to change; give at least one of {flags(context)}"), tool="update")
    run(
        context,
        "update",
        id=id,
        title=title,
        content=content,
        kind=kind,
        tags=tag,
        status=status,
        superseded_by=superseded_by,
    )


def forget(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help=NAMED)],  # noqa: A002
    reason: Annotated[str, typer.Option(help="Why; kept in the log.")] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do it; without, only show what would go.")] = False,  # noqa: FBT002
) -> None:
    """Take a node out of the graph; undoable."""
    run(context, "forget", id=id, reason=reason, confirm=yes or None)


def relate(
    context: typer.Context,
    source: Annotated[str, typer.Argument(help=NAMED)],
    type: Annotated[str, typer.Argument(help="The relation type, such as supports.")],  # noqa: A002
    target: Annotated[str, typer.Argument(help=NAMED)],
    reasoning: Annotated[str, typer.Option("--because", help="Why.")],
    confidence: Annotated[float, typer.Option(help="0 to 1.")] = 0.8,
) -> None:
    """Relate two nodes. A relation they have is strengthened."""
    run(context, "relate", source=source, target=target, type=type, reasoning=reasoning, confidence=confidence)


def unrelate(
    context: typer.Context,
    source: Annotated[str, typer.Argument(help=NAMED)],
    type: Annotated[str, typer.Argument(help="The relation type.")],  # noqa: A002
    target: Annotated[str, typer.Argument(help=NAMED)],
) -> None:
    """Remove a relation; undoable."""
    run(context, "unrelate", source=source, target=target, type=type)


def trace(
    context: typer.Context,
    start: Annotated[str, typer.Argument(help="A node or a few words.")],
    end: Annotated[str, typer.Argument(help="A node or a few words.")],
    max_hops: Annotated[int, typer.Option(help="How far, in relations.")] = 6,
) -> None:
    """Show how one thing leads to another."""
    run(context, "trace", start=start, end=end, max_hops=max_hops, scope=asked(context).scope)


def challenge(
    context: typer.Context,
    claim: Annotated[str, typer.Argument(help="A sentence that may be wrong.")],
    limit: Annotated[int, typer.Option(help="How many.")] = 10,
) -> None:
    """Show what speaks for and against a claim. What is left to judge comes last."""
    run(context, "challenge", claim=claim, limit=limit, scope=asked(context).scope)


def bridge(
    context: typer.Context,
    ontology1: Annotated[str, typer.Argument(help="One body of knowledge.")],
    ontology2: Annotated[str, typer.Argument(help="Another.")],
    limit: Annotated[int, typer.Option(help="How many.")] = 10,
) -> None:
    """Propose pairs that join two ontologies. weft learn bridges asks for a least similarity."""
    run(context, "bridge", ontology1=ontology1, ontology2=ontology2, limit=limit)


def synthesize(
    context: typer.Context,
    label: Annotated[str, typer.Argument(help="The new concept's title.")],
    bridges: Annotated[list[str], typer.Option("--bridge", help="A node it joins; give two or more.")],
    evidence: Annotated[str, typer.Option("--because", help="Why they belong together.")],
    ontology: Annotated[str, typer.Option(help="Default: the graph's own.")] = "",
) -> None:
    """Make a concept that joins two or more nodes."""
    run(context, "synthesize", label=label, bridges=bridges, evidence=evidence, ontology=ontology)


def context_(
    context: typer.Context,
    task: Annotated[str, typer.Argument(help="What is being worked on, in words.")] = "",
    file: Annotated[str, typer.Option(help="The file at hand.")] = "",
    limit: Annotated[int, typer.Option(help="How many.")] = 10,
) -> None:
    """Show what bears on the work at hand."""
    run(context, "context", task=task, current_file=file, limit=limit)


def review(
    context: typer.Context,
    accept: Annotated[list[str] | None, typer.Option(help="Accept this item; may be given again.")] = None,
    dismiss: Annotated[list[str] | None, typer.Option(help="Dismiss this item; may be given again.")] = None,
    reason: Annotated[str, typer.Option(help="Why; kept in the log.")] = "",
    limit: Annotated[int, typer.Option(help="How many.")] = 10,
) -> None:
    """Show what waits for a decision, and decide it. Ends with code 1 where an item could not be decided."""
    from weft.tools.gate import call as ask

    decisions = [
        {"item": item, "decision": word} | ({"reason": reason} if reason else {})
        for word, items in (("accept", accept), ("dismiss", dismiss))
        for item in items or []
    ]
    given = {"limit": limit} | ({"decide": decisions} if decisions else {})
    answer = using(context, lambda graph, caller: ask(graph, "review", given, caller), create=False)
    show(context, "review", answer)
    if any(row["result"] not in {"accepted", "dismissed"} for row in answer["decided"]):
        raise typer.Exit(FAILED)


def status(context: typer.Context) -> None:
    """Show what the graph holds and how it is."""
    from weft.tools.gate import call as ask

    as_json = asked(context).as_json

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        answer = ask(graph, "status", {"detail": "detailed"} if as_json else {}, caller)
        return answer if as_json else answer | {"path": graph.where}

    show(context, "status", using(context, work, create=False))


def undo(
    context: typer.Context,
    batch: Annotated[str, typer.Argument(help="Its id, or 8 characters or more of its beginning.")],
) -> None:
    """Take back a batch of changes."""
    from weft.tools.gate import operate

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        return operate(graph, "undo", caller, lambda by: graph.curate.undo(batch, by))

    show(context, "undo", using(context, work, create=False))


def ingest(
    context: typer.Context,
    paths: Annotated[list[str], typer.Argument(help="Files or folders: Markdown, text, HTML, PDF, DOCX; or URLs.")],
    ontology: Annotated[str, typer.Option(help="Default: each document's folder, a page's host.")] = "",
    extractor: Annotated[str, typer.Option(help="rules, or model: a chat model reads beside them.")] = "rules",
) -> None:
    """Take in documents, with the evidence in them.

    Ends with code 1 where nothing of what was named could be read.
    """
    from weft.model import IngestRequest

    urls = tuple(path for path in paths if path.lower().startswith(("http://", "https://")))
    places = [Path(path) for path in paths if path not in urls]
    missing = [place for place in places if not place.exists()]
    if missing:
        fail(context, InvalidArgument(f"paths: {_unfound(paths, missing[0])}"))
    request = IngestRequest(
        paths=tuple(place.absolute() for place in places),
        roots=tuple(place.absolute() if place.is_dir() else place.absolute().parent for place in places),
        urls=urls,
        ontology=ontology,
        extractor=extractor,
    )
    answer = using(context, lambda graph, caller: _ingest(graph, caller, request))
    show(context, "ingest", answer)
    if answer["skipped"] and not answer["documents"] + answer["unchanged"]:
        raise typer.Exit(FAILED)


def _unfound(paths: Sequence[str], missing: Path) -> str:
    """Return why nothing is read at a path; of an address with the two slashes that paths have not."""
    said = next(path for path in paths if Path(path) == missing)
    return f"{said} is no web page (http, https)" if "://" in said else f"{said} does not exist"


def _ingest(graph: Graph, caller: Caller, request: IngestRequest) -> dict[str, Any]:
    from weft.faces.progress import bar, resumable
    from weft.tools.gate import operate

    with resumable("documents done are"), bar(console(stderr=True), "Reading") as progress:
        return operate(graph, "ingest", caller, lambda by: graph.ingest.ingest(request, by), progress=progress)


def call(
    context: typer.Context,
    tool: Annotated[str, typer.Argument(help="A tool's name; see weft tools.")],
    json_args: Annotated[str, typer.Option("--json-args", help="Arguments as a JSON object; - reads them.")] = "{}",
) -> None:
    """Call any tool with JSON arguments."""
    text = piped(context) if json_args == "-" else json_args
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError) as error:
        fail(context, InvalidArgument(f"--json-args is not JSON: {error}"), tool=tool)
    if not isinstance(arguments, dict):
        fail(context, InvalidArgument("--json-args must be a JSON object"), tool=tool)
    run_with(context, tool, arguments)


def register(app: typer.Typer) -> None:
    """Put the commands on ``app``, in the order in which people meet them."""
    app.command()(capture)
    searching.register(app)
    app.command()(fetch)
    app.command()(trace)
    app.command()(challenge)
    app.command("context")(context_)
    app.command()(relate)
    app.command()(unrelate)
    app.command()(update)
    app.command()(forget)
    app.command()(review)
    app.command()(bridge)
    app.command()(synthesize)
    app.command()(ingest)
    logged.register(app)
    app.command()(undo)
    app.command()(status)
    app.command()(call)
