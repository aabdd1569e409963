"""The main job on real documents: read a folder, then search, link, trace and challenge what was read.

Everything shown comes from the graph that was just made. For a folder other than Weft's own documentation the
questions are made from the graph as well: its hub, the far ends of a trail, and the opposite of something it says.
"""

from __future__ import annotations

import glob
import shlex
import shutil
import sys
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from weft.errors import InvalidArgument
from weft.faces.lines import counted, hanging, line
from weft.faces.progress import bar
from weft.faces.questions import PAIRS, STRUCTURE, Questions, questions_of
from weft.faces.show import show
from weft.graph import open as open_graph
from weft.location import here, shown
from weft.model import IngestRequest, Origin
from weft.settings import locate
from weft.tools.gate import call, caller_of, operate
from weft.tools.rendering import clip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from weft.graph import Graph
    from weft.model import Relation
    from weft.settings import Settings
    from weft.tools.gate import Caller

__all__ = ["play"]

RELATIONS_SHOWN = 5
TITLE_SHOWN, REASON_SHOWN = 80, 200  # characters
HITS_SHOWN = 3
SKIPPED_SHOWN = 5
SIDES_SHOWN = 2

_OWN = Questions(
    search="is an acknowledged write safe when the power fails",
    start="A receipt in the same transaction",
    end="Vectors live beside the database",
    claims=("Everything below the faces is asynchronous.",),
    claim_is="Suppose an agent is about to write down",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stage:
    """Where the demo plays: the screen, the graph, and who asks."""

    screen: Console
    graph: Graph
    caller: Caller

    def scene(self, title: str, words: str) -> None:
        """Open a part of the demo with its title and what is asked."""
        self.screen.print()
        line(self.screen, f"── {title}", style="cyan bold")
        line(self.screen, words, style="italic")

    def ask(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool as any face would."""
        return call(self.graph, tool, arguments, self.caller)


def play(screen: Console, folder: Path | None, settings: Settings) -> None:
    """Read ``folder`` (default: the documentation of this checkout) into a fresh graph and show what can be asked.

    Raises:
        InvalidArgument: there is no such folder, no document in it, or the named graph exists already.
    """
    own = folder is None
    folder = folder.expanduser() if folder else _documentation()
    if not folder.is_dir():
        missing = "Weft's own docs are not here: they come with a clone, not with the package"
        hint = "Name a folder of Markdown: weft demo FOLDER"
        raise InvalidArgument(f"folder: {missing if own else f'{folder} is not a folder'}", hint=hint)
    path = _fresh(settings)
    _announce(screen, path, settings)
    try:
        with open_graph(settings=replace(settings, graph=str(path))) as graph:
            caller = replace(caller_of(graph.settings, client="cli"), hints="off")
            questions = _perform(_Stage(screen=screen, graph=graph, caller=caller), folder, own=own)
    except KeyboardInterrupt:
        line(screen, f"Interrupted: the graph at {path} holds what was read until now.", style="yellow")
        _removal(screen, path)
        raise
    _farewell(screen, path, questions)


def _perform(stage: _Stage, folder: Path, *, own: bool) -> Questions:
    """Show every part; return what was asked."""
    _read(stage, folder)
    questions = _OWN if own else questions_of(stage.graph)
    _search(stage, questions)
    _links(stage)
    _trace(stage, questions)
    _challenge(stage, questions)
    return questions


def _documentation() -> Path:
    """Return the folder of Weft's own documentation: that of the checkout, or of the working directory."""
    checkout = Path(__file__).resolve().parents[3] / "docs"
    return checkout if (checkout / "decisions").is_dir() else here() / "docs"


def _fresh(settings: Settings) -> Path:
    """Return the place of a graph that is not there yet."""
    if settings.graph and not settings.server:
        path = locate(settings)
        if path.exists():
            raise InvalidArgument(f"graph: {path} exists already; the demo makes a fresh one")
        return path
    places = locate(replace(settings, graph="graph")).parent
    return next(place for n in range(1, 10_000) if not (place := places / f"demo-{n}.db").exists())


def _announce(screen: Console, path: Path, settings: Settings) -> None:
    """Say where the fresh graph is made, and that the graph on a server that is set stays as it is."""
    if settings.server:
        line(screen, f"The demo writes to a file; {shown(settings.server)} stays as it is.", style="yellow")
    line(screen, f"A fresh graph: {path}", style="dim")


def _read(stage: _Stage, folder: Path) -> None:
    start = time.monotonic()
    request = IngestRequest(paths=(folder.absolute(),), roots=(folder.absolute(),))
    with bar(stage.screen, f"Reading {folder.name}") as progress:
        made = operate(
            stage.graph, "ingest", stage.caller, lambda by: stage.graph.ingest.ingest(request, by), progress=progress
        )
    if not made["documents"]:
        raise InvalidArgument(f"folder: there is no Markdown or text in {folder}")
    took = time.monotonic() - start
    line(
        stage.screen,
        f"Read {counted(made['documents'], 'document')} in {took:.1f} s: {counted(made['nodes_made'], 'node')}, "
        f"{counted(made['relations'], 'relation')}, {counted(made['evidence'], 'piece', 'pieces')} of evidence.",
        style="bold",
    )
    for skipped in made["skipped"][:SKIPPED_SHOWN]:
        line(stage.screen, f"left out {skipped['path']}: {skipped['reason']}", style="yellow")


def _search(stage: _Stage, questions: Questions) -> None:
    stage.scene("Search", f"«{questions.search}» Each hit says why it is there.")
    answer = stage.ask("search", query=questions.search, limit=HITS_SHOWN)
    shown_here = len(answer["hits"])
    show(stage.screen, "search", answer | {"total": shown_here})  # the form speaks of an option that the demo lacks
    if shown_here < answer["total"]:
        line(stage.screen, f"{shown_here} of {answer['total']}.", style="dim")


def _links(stage: _Stage) -> None:
    stage.scene("Relations that made themselves", "Read in the documents, or inferred by a rule that is named.")
    ids = tuple({end for source, target, _ in stage.graph.shelf.relation_pairs(PAIRS) for end in (source, target)})
    relations = [row for row in stage.graph.store.relations(ids) if row.origin in {Origin.INFERRED, Origin.DOCUMENT}]
    titles = {key: node.title for key, node in stage.graph.store.nodes(ids).items()}
    for row in _telling(relations)[:RELATIONS_SHOWN]:
        source, target = (clip(titles[end], TITLE_SHOWN) for end in (row.source, row.target))
        hanging(stage.screen, Text(f"{source} —{row.type}→ {target}", style="bold"))
        ground = f"inferred by the rule {row.rule}" if row.origin is Origin.INFERRED else "read in a document"
        line(stage.screen, f"{ground}: {clip(row.reasoning, REASON_SHOWN)}", style="green", indent=2)
    line(stage.screen, f"{len(relations)} in all.", style="dim")


def _telling(relations: Sequence[Relation]) -> list[Relation]:
    """Return ``relations`` so that every type comes early; of those that only say what holds what, one a type, last."""
    seen: Counter[tuple[str, str]] = Counter()
    ranked = []
    for row in sorted(relations, key=lambda row: (-row.confidence, row.id)):
        way = (row.type, row.origin.value)
        ranked.append(((row.type in STRUCTURE, seen[way], row.type == "relates_to"), row))
        seen[way] += 1
    told = [(rank, row) for rank, row in ranked if not (rank[0] and rank[1])]
    return [row for _, row in sorted(told, key=lambda each: each[0])]


def _trace(stage: _Stage, questions: Questions) -> None:
    answer = stage.ask("trace", start=questions.start, end=questions.end, alternatives=0)
    ends = answer["start_match"]["title"], answer["end_match"]["title"]
    stage.scene("Trail", f"How does «{ends[0]}» lead to «{ends[1]}»?")
    show(stage.screen, "trace", answer)


def _challenge(stage: _Stage, questions: Questions) -> None:
    answers = [stage.ask("challenge", claim=questions.claims[0], limit=SIDES_SHOWN)]
    for claim in questions.claims[1:]:
        if answers[-1]["conflicts"]:
            break
        answers.append(stage.ask("challenge", claim=claim, limit=SIDES_SHOWN))
    answer = answers[-1] if answers[-1]["conflicts"] else answers[0]
    stage.scene("Challenge", f"{questions.claim_is}: «{answer['claim']}»")
    if answer["conflicts"]:
        answer = answer | {"to_judge": []}
    show(stage.screen, "challenge", answer)


def _farewell(screen: Console, path: Path, questions: Questions) -> None:
    weft = shlex.quote(shutil.which("weft") or str(Path(sys.executable).with_name("weft")))
    graph, query = shlex.quote(str(path)), shlex.quote(questions.search)
    screen.print()
    line(screen, "── It is yours", style="cyan bold")
    line(screen, f"The graph stays at {path}, and every run makes another.")
    for words, command in (
        ("Go on here:", f"export WEFT_GRAPH={graph}"),
        ("", f"{weft} search {query}"),
        ("Look at it in a browser:", f"{weft} --graph {graph} serve --http"),
        ("Connect an agent to it:", f"claude mcp add weft -- {weft} --graph {graph} serve"),
    ):
        line(screen, words)
        _command(screen, command)
    _removal(screen, path)


def _removal(screen: Console, path: Path) -> None:
    """Say how to remove a graph that nobody has open: its file, and what belongs to it beside that."""
    stem = glob.escape(path.stem)
    beside = [each for part in (".db*", ".usage.db*", ".index") for each in path.parent.glob(f"{stem}{part}")]
    if beside:
        line(screen, "Remove it:")
        _command(screen, f"rm -r {' '.join(shlex.quote(str(each)) for each in sorted(beside))}")


def _command(screen: Console, command: str) -> None:
    """Print a line that is meant to be copied, so it is never broken."""
    screen.print(f"  {command}", soft_wrap=True, style="bold", markup=False)
