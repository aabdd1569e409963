"""``weft learn``: the commands on learned knowledge, each a thin spelling of a tool of the synthesis toolset."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weft.errors import InvalidArgument
from weft.faces.terminal import asked, console, fail, flags, piped, run, run_with, using, written

if TYPE_CHECKING:
    from weft.graph import Graph
    from weft.tools.gate import Caller

__all__ = ["register"]

ITEM = "Learned id, the beginning of one, or the name of its concept."
END = "Id, handle, title or alias of a node."
_FORMATS = {".json": "json", ".csv": "csv", ".md": "markdown", ".markdown": "markdown", ".cypher": "cypher"}

learn = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Keep what no document states. Connections and concepts, with the evidence for them.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@learn.command()
def connect(
    context: typer.Context,
    source: Annotated[str, typer.Argument(help=END)],
    target: Annotated[str, typer.Argument(help=END)],
    evidence: Annotated[str, typer.Option("--because", help="Why they belong together, about both.")],
    type: Annotated[str, typer.Option(help="BRIDGES, LEARNED_CONNECTION or another.")] = "LEARNED_CONNECTION",  # noqa: A002
    creator: Annotated[str, typer.Option(help="Who saw it; default: --actor.")] = "",
) -> None:
    """Connect two nodes by what you saw, and say why."""
    run(
        context,
        "create_learned_relationship",
        from_concept_id=source,
        to_concept_id=target,
        relationship_type=type,
        evidence=evidence,
        creator=creator or asked(context).settings.writer,
    )


@learn.command()
def synthesize(
    context: typer.Context,
    label: Annotated[str, typer.Argument(help="The new concept's title.")],
    bridges: Annotated[list[str], typer.Option("--bridge", help="A node it joins; give two or more.")],
    evidence: Annotated[str, typer.Option("--because", help="Why they belong together.")],
    ontology: Annotated[str, typer.Option(help="Where it belongs; made if it is new.")],
    term: Annotated[list[str] | None, typer.Option(help="A word to find it by; may be given again.")] = None,
    creator: Annotated[str, typer.Option(help="Who saw it; default: --actor.")] = "",
) -> None:
    """Make a concept that joins two or more others."""
    arguments = {
        "label": label,
        "search_terms": term or [],
        "ontology": ontology,
        "bridges_concepts": bridges,
        "evidence": evidence,
        "creator": creator or asked(context).settings.writer,
    }
    run_with(context, "create_synthesis_concept", arguments)


@learn.command()
def bridges(
    context: typer.Context,
    ontology1: Annotated[str, typer.Argument(help="One body of knowledge.")],
    ontology2: Annotated[str, typer.Argument(help="Another.")],
    min_similarity: Annotated[float, typer.Option(help="0 to 1.")] = 0.85,
    include_existing: Annotated[bool, typer.Option("--include-existing", help="Show joined pairs too.")] = False,  # noqa: FBT002
    limit: Annotated[int, typer.Option(help="How many.")] = 10,
) -> None:
    """Find pairs that may join two ontologies. weft bridge ranks without a least similarity."""
    run(
        context,
        "find_bridge_candidates",
        ontology1=ontology1,
        ontology2=ontology2,
        min_similarity=min_similarity,
        include_existing=include_existing,
        limit=limit,
    )


@learn.command("list")
def list_(
    context: typer.Context,
    *,
    item: Annotated[str, typer.Argument(help=ITEM)] = "",
    creator: Annotated[str, typer.Option(help="Only by this creator.")] = "",
    ontology: Annotated[str, typer.Option(help="Only with an end in this ontology.")] = "",
    min_similarity: Annotated[float, typer.Option(help="Least similarity of the evidence, 0 to 1.")] = 0.0,
    leap: Annotated[str, typer.Option(help="LOW, MEDIUM or HIGH.")] = "",
    limit: Annotated[int, typer.Option(help="How many.")] = 20,
    offset: Annotated[int, typer.Option(help="How many to skip.")] = 0,
) -> None:
    """List what was learned, newest first. One item comes with its earlier versions."""
    run(
        context,
        "list_learned_knowledge",
        learned_id=item,
        creator=creator,
        ontology=ontology,
        min_similarity=min_similarity,
        cognitive_leap=leap.upper(),
        history=bool(item),
        limit=limit,
        offset=offset,
    )


@learn.command()
def update(
    context: typer.Context,
    item: Annotated[str, typer.Argument(help=ITEM)],
    evidence: Annotated[str, typer.Option("--because", help="A new rationale.")] = "",
    type: Annotated[str, typer.Option(help="Another relation type.")] = "",  # noqa: A002
    if_version: Annotated[int | None, typer.Option(help="Refuse if it is at another version.")] = None,
) -> None:
    """Change a learned item's evidence or its type. Both are weighed anew."""
    if not (evidence or type):
        said = f"nothing to change; give {flags(context).replace(', --if-version', '').replace(', ', ' or ')}"
        fail(context, InvalidArgument(said), tool="update_learned_knowledge")
    updates = {name: value for name, value in (("evidence", evidence), ("relationship_type", type)) if value}
    run_with(
        context,
        "update_learned_knowledge",
        {"learned_id": item, "updates": updates} | ({} if if_version is None else {"if_version": if_version}),
    )


@learn.command()
def delete(
    context: typer.Context,
    item: Annotated[str, typer.Argument(help=ITEM)],
    cascade: Annotated[bool, typer.Option("--cascade", help="Take its concept along.")] = False,  # noqa: FBT002
) -> None:
    """Take a learned item back. What documents say stays, and weft undo returns it."""
    run(context, "delete_learned_knowledge", learned_id=item, cascade=cascade)


@learn.command()
def rate(
    context: typer.Context,
    item: Annotated[str, typer.Argument(help=ITEM)],
    vote: Annotated[str, typer.Argument(help="up or down.")],
    reason: Annotated[str, typer.Option("--because", help="Why.")] = "",
) -> None:
    """Vote for or against a learned item. Your last vote counts."""
    run(context, "rate_learned_knowledge", learned_id=item, vote=vote, reason=reason)


@learn.command()
def export(
    context: typer.Context,
    path: Annotated[Path | None, typer.Argument(help="The file to write; default: standard output.")] = None,
    format: Annotated[str, typer.Option(help="json, csv, markdown or cypher; default: by the file's name.")] = "",  # noqa: A002
    creator: Annotated[str, typer.Option(help="Only by this creator.")] = "",
    ontology: Annotated[str, typer.Option(help="Only with an end in this ontology.")] = "",
    replace: Annotated[bool, typer.Option("--replace", help="Write over the file.")] = False,  # noqa: FBT002
) -> None:
    """Write what was learned to a file. Without one it goes to standard output."""
    form = format or _FORMATS.get(path.suffix.lower() if path else "", "json")
    if path is None and asked(context).as_json:
        run(context, "export_learned_knowledge", format=form, creator=creator, ontology=ontology)
        return
    if path is not None and path.exists() and not replace:
        fail(context, InvalidArgument(f"path: {path} is there already.", hint="Name another file, or add --replace."))
    text, answer = _whole(context, form, creator, ontology)
    if path is None:
        sys.stdout.reconfigure(encoding="utf-8", newline="")  # type: ignore[union-attr]
        sys.stdout.write(text)
        return
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        fail(context, InvalidArgument(f"path: {path} cannot be written: {error.strerror}."))
    _told(context, answer | {"path": str(path)})


def _whole(context: typer.Context, form: str, creator: str, ontology: str) -> tuple[str, dict[str, Any]]:
    """Return the text of everything that matches, uncut, and how much that is."""
    from weft.model import LearnedExport
    from weft.tools.gate import operate

    texts: list[str] = []

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        def write(_: object) -> object:
            made = graph.learn.export(LearnedExport(format=form, creator=creator, ontology=ontology))
            texts.append(made.text)
            return made

        return operate(graph, "learn_export", caller, write)

    answer = using(context, work, create=False)
    return texts[0], answer


def _told(context: typer.Context, answer: dict[str, Any]) -> None:
    if not written(context, answer):
        console().print(f"{answer['items']} written to {answer['path']}")


@learn.command("import")
def import_(
    context: typer.Context,
    path: Annotated[str, typer.Argument(help="The file to read; - reads standard input.")],
    format: Annotated[str, typer.Option(help="json or csv; default: by the file's name.")] = "",  # noqa: A002
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be written.")] = False,  # noqa: FBT002
    creator: Annotated[list[str] | None, typer.Option(help="THERE=HERE: a creator's name here; may repeat.")] = None,
) -> None:
    """Take in what was learned elsewhere. Ids are kept, and what is here already is skipped."""
    names = dict(pair.partition("=")[::2] for pair in creator or [])
    if not all(names.values()):
        fail(context, InvalidArgument("creator must read THERE=HERE."))
    try:
        text = piped(context) if path == "-" else Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        fail(context, InvalidArgument(f"path: {path} cannot be read: {said}."))
    form = format or _FORMATS.get(Path(path).suffix.lower(), "json")
    run_with(
        context,
        "import_learned_knowledge",
        {"format": form, "text": text, "dry_run": dry_run, "creator_map": names},
    )


def register(app: typer.Typer) -> None:
    """Put ``learn`` on ``app``."""
    app.add_typer(learn, name="learn")
