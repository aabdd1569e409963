"""The hall: the only place that builds. It introduces the verbs to the rooms behind the ports.

>>> import weft
>>> from weft.model import CaptureRequest
>>> with weft.open("notes.db") as graph:
...     made = graph.capture.capture(CaptureRequest(content="Water boils at 100 °C."), graph.call())
...     graph.curate.undo(made.batch, graph.call()).conflicts
()
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from os import getpid
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

from weft.errors import CannotOpen, InvalidArgument
from weft.graph import introducing
from weft.graph.ground import Finder, Ground, Memory, Opened, ground_of
from weft.location import FOLDER, database_of, here
from weft.model import Call, Tier
from weft.services.curation.verbs import Curation
from weft.services.drafting import line
from weft.services.keeping import Keeping
from weft.services.learned.learn import Learn
from weft.services.recall.recall import Recall
from weft.services.recall.remembering import Remembering
from weft.services.relate import Relate
from weft.services.review.curate import Curate
from weft.services.staleness import Place, Staleness, Watch
from weft.services.transfer import Transfer
from weft.services.watching.sweep import Watching
from weft.settings import Settings, locate, named
from weft.store import restore_sqlite
from weft.vault import Vault
from weft.vocabulary import NAME_MAX

if TYPE_CHECKING:
    from os import PathLike
    from types import TracebackType

    import rustworkx

    from weft.model import Progress, Restored
    from weft.ports import Archive, Embedder, Judge, Learned, Log, Notices, Shelf, Store, Words
    from weft.services.analysis import Analyze
    from weft.services.capture.capture import Capture
    from weft.services.ingest.ingest import Ingest
    from weft.services.synthesis.synthesize import Synthesize
    from weft.services.trace.trace import Trace

__all__ = ["Graph", "open", "restore"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, weakref_slot=True)
class Graph:
    """An open graph: the verbs as attributes, and the ports beneath them. A context manager; may be closed twice."""

    name: str
    where: str
    path: Path
    tier: Tier
    settings: Settings
    capture: Capture
    relate: Relate
    recall: Recall
    trace: Trace
    analyze: Analyze
    synthesize: Synthesize
    learn: Learn
    watching: Watching
    curate: Curate
    curation: Curation
    ingest: Ingest
    remember: Remembering
    staleness: Staleness
    transfer: Transfer
    keeping: Keeping
    vault: Vault
    store: Store
    shelf: Shelf
    words: Words
    log: Log
    archive: Archive
    learned: Learned
    notices: Notices
    usage: Memory
    vectors: Finder
    embedder: Embedder
    _opened: Opened

    def __repr__(self) -> str:
        return f"<Graph {self.name!r} at {self.where}, {self.tier.label}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self!r} belongs to this process: open the graph again where it is needed")

    def call(self, tool: str = "library", *, session: str = "", progress: Progress | None = None) -> Call:
        """Return a call by this process's actor, now, at the tier the graph was opened with: what every verb takes.

        ``tool`` is what the history names as what was called, ``session`` what it belongs to. ``progress`` is
        told (done, total, message) on long work, and may raise to give it up.

        Raises:
            Unavailable: this process was forked from the one that opened the graph, and must open it anew.
        """
        self.refuse_child()
        return Call(
            actor=self.settings.writer,
            client="library",
            tool=tool,
            tier=self.tier,
            at=datetime.now(UTC),
            session=session,
            caller=self.settings.writer,
            progress=progress,
        )

    def refuse_child(self) -> None:
        """Refuse another process than the one that opened the graph; what is called there might wait for ever.

        Raises:
            Unavailable: this one was forked from it.
        """
        self._opened.refuse_child()

    def to_networkx(self) -> Any:  # noqa: ANN401 - a networkx.MultiDiGraph, which is not installed everywhere
        """Return the graph as a ``networkx.MultiDiGraph``; see :mod:`weft.services.transfer.networks`."""
        from weft.services.transfer.networks import networkx_graph

        return networkx_graph(self.archive)

    def to_rustworkx(self) -> rustworkx.PyDiGraph[Any, Any]:
        """Return the graph as a ``rustworkx.PyDiGraph`` of nodes and relations."""
        from weft.services.transfer.networks import rustworkx_graph

        return rustworkx_graph(self.archive)

    def close(self) -> None:
        """Close the files; background work ends first. A forked child leaves what its parent has open as it is."""
        if self._opened.process != getpid():
            return
        self.vectors.close()
        self.usage.close()
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open(  # noqa: A001 - weft.open is the library's door
    graph: str | PathLike[str] | None = None,
    *,
    settings: Settings | None = None,
    tier: Tier | str = Tier.CURATOR,
    create: bool = True,
    root: str | PathLike[str] | None = None,
    judge: Judge | None = None,
) -> Graph:
    """Open the graph that ``graph`` or ``settings`` name, making it first where ``create`` is on.

    ``graph`` is a name, a path, or the ``postgresql://`` URL of a database; a ``Path`` is always a path. ``tier`` may
    be given by name, and the settings' role lowers it. The embedding model is not loaded until something has to be
    embedded. ``root`` is the folder that files are looked for in which nodes refer to: by default the project's, beside
    ``.weft``, and for a graph that lies elsewhere the working directory. ``judge`` takes the place of the built-in one
    wherever a claim is challenged: an entailment model, say.

    Raises:
        CannotOpen: the file or database is no graph, is newer than this release, was embedded with another model, or
            cannot be reached.
        InvalidArgument: the name is not a graph's name, there is no such tier, the actor's name is too long or holds
            what is no text, or ``judge`` is no object with a method ``judge``.
    """
    _refuse_no_judge(judge)
    wanted = named(settings, graph)
    wanted = replace(wanted, actor=line(wanted.actor, field="actor", limit=NAME_MAX))
    ground = ground_of(wanted, Tier.named(tier), create=create)
    return _assemble(ground, _place(ground.path, root), judge)


def restore(settings: Settings, backup: Path, call: Call) -> Restored:
    """Put ``backup`` in the place of the graph that ``settings`` name, and keep that one beside it.

    The backup is verified as a whole first, and left as it is. ``call`` says who does it, and is told of the progress.

    Raises:
        PermissionDenied: the call's tier is below curator.
        CannotOpen: the backup is no graph, is of a newer schema, or is damaged; nothing was touched.
        InvalidArgument: there is no such file, or it is the graph itself.
        Unavailable: another process has the graph open.
    """
    call.require(Tier.CURATOR, "restore")
    if settings.server:
        raise InvalidArgument(
            "graph: a backup is put in the place of a file, not of a graph in PostgreSQL",
            hint="Copy it there: weft copy BACKUP postgresql://…",
        )
    return restore_sqlite(locate(settings), backup, at=call.at, report=call.progress)


def _refuse_no_judge(judge: Judge | None) -> None:
    """Refuse a class in place of an object, and whatever else cannot be asked, before anything is opened."""
    if judge is not None and (isinstance(judge, type) or not callable(getattr(judge, "judge", None))):
        raise InvalidArgument(f"judge: must be an object with a name and a method judge, not {judge!a:.90}")


def _assemble(ground: Ground, place: Place | None, judge: Judge | None) -> Graph:
    opened, vectors, usage, embedder = ground.opened, ground.vectors, ground.usage, ground.embedder
    store, shelf, words, log = opened.store, opened.shelf, opened.words, opened.log
    learning = introducing.learn_ports(ground)
    watch = Watch(store=store, prints=opened.prints, place=place)
    vault = Vault(introducing.vault_ports(ground, watch), graph=ground.path, name=database_of(ground.settings.server))
    reading = introducing.recall_ports(ground)
    recall, matching = Recall(reading, mirror=vault), introducing.matching(ground)
    return Graph(
        name=ground.name,
        where=ground.where,
        path=ground.path,
        tier=ground.tier,
        settings=ground.settings,
        capture=introducing.capture(ground, watch),
        relate=Relate(store=store),
        recall=recall,
        trace=introducing.trace(ground, matching, judge),
        analyze=introducing.analyze(ground, matching),
        synthesize=introducing.synthesize(ground),
        learn=Learn(learning, creators=ground.settings.registered),
        watching=Watching(learning, upkeep=ground.opened.upkeep),
        curate=Curate(store=store, log=log, shelf=shelf, words=words, embedder=embedder),
        curation=Curation(introducing.curation_ports(ground), recall=recall),
        ingest=introducing.ingest(ground),
        remember=Remembering(reading),
        staleness=Staleness(store=store, prints=opened.prints, watch=watch),
        transfer=Transfer(introducing.transfer_ports(ground)),
        keeping=Keeping(introducing.keeping_ports(ground, vault), store=store, log=log),
        vault=vault,
        store=store,
        shelf=shelf,
        words=words,
        log=log,
        archive=opened.archive,
        learned=opened.learned,
        notices=opened.notices,
        usage=usage,
        vectors=vectors,
        embedder=embedder,
        _opened=opened,
    )


def _place(path: Path, root: str | PathLike[str] | None) -> Place | None:
    """Return where the files lie that nodes refer to: a project's own graph moves with its folder, a server's stays."""
    if root is not None:
        return Place.of(Path(root))
    if path.parent.name == FOLDER:
        return Place.of(path.parent.parent, key="")
    beside = path.parent.parent  # of a graph on a server
    try:
        return Place.of(beside.parent if beside.name == FOLDER else here())
    except CannotOpen:  # the working directory is gone
        return None
