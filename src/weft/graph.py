"""The hall: the only place that builds. It introduces the verbs to the rooms behind the ports.

>>> import weft
>>> with weft.open("notes.db") as graph:                        # doctest: +SKIP
...     made = graph.capture.capture(CaptureRequest(content="Water boils at 100 °C."), graph.call("capture"))
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from weft.embed import EmbedderSpec, fitted, model_damaged, open_chat, open_embedder
from weft.errors import PermissionDenied
from weft.index import open_index
from weft.model import Call, Tier
from weft.services.analysis import Analyze
from weft.services.capture import Capture
from weft.services.curate import Curate
from weft.services.curation.verbs import Curation, CurationPorts
from weft.services.ingest import Ingest, IngestPorts
from weft.services.keeping import Keeping, KeepingRooms, calibration_of, creators_of, floor_of
from weft.services.learned.learn import Learn, LearnPorts
from weft.services.recall import Recall
from weft.services.relate import Relate
from weft.services.remembering import Remembering
from weft.services.staleness import Place, Staleness, Watch
from weft.services.synthesize import Synthesize
from weft.services.trace import Trace
from weft.services.transfer import Rooms, Transfer
from weft.services.watching.sweep import Watching
from weft.settings import FOLDER, Endpoint, Settings, locate
from weft.store import open_sqlite, open_usage, restore_sqlite
from weft.vault import Vault, VaultPorts

if TYPE_CHECKING:
    from types import TracebackType

    import rustworkx

    from weft.index import Index
    from weft.model import Restored
    from weft.ports import Archive, Embedder, Learned, Log, Shelf, Store, Words
    from weft.store import Opened, SqliteUsage

__all__ = ["Graph", "open", "restore"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """An open graph: the verbs as attributes, and the ports beneath them. A context manager; may be closed twice."""

    name: str
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
    usage: SqliteUsage
    vectors: Index
    embedder: Embedder
    _opened: Opened

    def call(self, tool: str = "library", *, session: str = "") -> Call:
        """Return a call by this process's actor, now, at the tier the graph was opened with."""
        return Call(
            actor=self.settings.writer,
            client="library",
            tool=tool,
            tier=self.tier,
            at=datetime.now(UTC),
            session=session,
            caller=self.settings.writer,
        )

    def to_networkx(self) -> Any:  # noqa: ANN401 - a networkx.MultiDiGraph, which is not installed everywhere
        """Return the graph as a ``networkx.MultiDiGraph``; see :mod:`weft.services.transfer.networks`."""
        from weft.services.transfer.networks import networkx_graph

        return networkx_graph(self.archive)

    def to_rustworkx(self) -> rustworkx.PyDiGraph[Any, Any]:
        """Return the graph as a ``rustworkx.PyDiGraph`` of nodes and relations."""
        from weft.services.transfer.networks import rustworkx_graph

        return rustworkx_graph(self.archive)

    def close(self) -> None:
        """Close the files; background work ends first."""
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
    graph: str | None = None,
    *,
    settings: Settings | None = None,
    tier: Tier = Tier.CURATOR,
    create: bool = True,
    root: Path | None = None,
) -> Graph:
    """Open the graph that ``graph`` (a name or a path) or ``settings`` name, making it first where ``create`` is on.

    The settings' role lowers ``tier``. The embedding model is not loaded until something has to be embedded. ``root``
    is the folder that files are looked for in which nodes refer to: by default the project's, beside ``.weft``, and for
    a graph that lies elsewhere the working directory.

    Raises:
        CannotOpen: the file is no graph, is newer than this release, or was embedded with another model.
        InvalidArgument: the name is not a graph's name.
    """
    settings = settings or Settings.from_environment()
    settings = settings if graph is None else replace(settings, graph=graph)
    path = locate(settings)
    reach = min(tier, Tier[settings.role.upper()])
    spec = _spec(settings.embed)
    embedder = open_embedder(spec)
    opened = open_sqlite(path, tier=reach, model=embedder.name, dimension=embedder.dimension, create=create)
    index = open_index(opened.passages, folder=path.parent, name=path.stem, dimension=embedder.dimension)
    usage = open_usage(path.with_name(f"{path.stem}.usage.db"))
    values = opened.config.values()
    if spec is not None and (calibration := calibration_of(values, embedder)) is not None:
        embedder = open_embedder(replace(spec, dimension=embedder.dimension), calibration=calibration)
    return _assemble(path, reach, _configured(settings, values), opened, embedder, index, usage, _place(path, root))


def _configured(settings: Settings, values: dict[str, str]) -> Settings:
    """Return ``settings`` with what the graph itself configures; what the process was told itself wins."""
    floor = floor_of(values)
    own = floor is None or settings.link_floor != Settings().link_floor
    creators = dict.fromkeys((*settings.registered, *creators_of(values)))
    return replace(settings, creators=",".join(creators), link_floor=settings.link_floor if own else floor or 0.0)


def restore(settings: Settings, backup: Path, call: Call) -> Restored:
    """Put ``backup`` in the place of the graph that ``settings`` name, and keep that one beside it.

    The backup is verified as a whole first, and left as it is. ``call`` says who does it, and is told of the progress.

    Raises:
        PermissionDenied: the call's tier is below curator.
        CannotOpen: the backup is no graph, is of a newer schema, or is damaged; nothing was touched.
        InvalidArgument: there is no such file, or it is the graph itself.
        Unavailable: another process has the graph open.
    """
    if call.tier < Tier.CURATOR:
        raise PermissionDenied(f"restore needs the tier curator; this caller is a {call.tier.label}")
    return restore_sqlite(locate(settings), backup, at=call.at, report=call.progress)


def _spec(endpoint: Endpoint) -> EmbedderSpec | None:
    if not endpoint.url:
        return None
    return EmbedderSpec(
        url=endpoint.url,
        model=endpoint.model,
        key=endpoint.key or None,
        dimension=endpoint.dimension or None,
    )


def _ingest(opened: Opened, embedder: Embedder, index: Index, settings: Settings, *, home: str) -> Ingest:
    spec = _spec(settings.chat)
    ports = IngestPorts(
        store=opened.store,
        shelf=opened.shelf,
        words=opened.words,
        vectors=index,
        embedder=embedder,
        chat=open_chat(spec) if spec is not None else None,
    )
    if not settings.fetch:
        return Ingest(ports, home=home)
    from weft.services.web import Web

    return Ingest(ports, home=home, web=Web())


def _assemble(
    path: Path,
    tier: Tier,
    settings: Settings,
    opened: Opened,
    embedder: Embedder,
    index: Index,
    usage: SqliteUsage,
    place: Place | None,
) -> Graph:
    name = _name_of(path)
    store, shelf, words, log = opened.store, opened.shelf, opened.words, opened.log
    recall = Recall(store=store, shelf=shelf, words=words, vectors=index, log=log, usage=usage, embedder=embedder)
    learning = _learning(opened, embedder, index, usage)
    watch = Watch(store=store, prints=opened.prints, place=place)
    return Graph(
        name=name,
        path=path,
        tier=tier,
        settings=settings,
        capture=_capture(opened, embedder, index, settings, watch, home=name),
        relate=Relate(store=store),
        recall=recall,
        trace=Trace(store=store, shelf=shelf, words=words, vectors=index, usage=usage, embedder=embedder),
        analyze=Analyze(store=store, words=words, vectors=index, usage=usage, embedder=embedder),
        synthesize=_synthesize(opened, embedder, index, settings, home=name),
        learn=Learn(learning, creators=settings.registered),
        watching=Watching(learning),
        curate=Curate(store=store, log=log, shelf=shelf, words=words, embedder=embedder),
        curation=Curation(_curation_ports(opened, embedder, index, home=name), recall=recall),
        ingest=_ingest(opened, embedder, index, settings, home=name),
        remember=Remembering(
            store=store, shelf=shelf, words=words, vectors=index, log=log, usage=usage, embedder=embedder
        ),
        staleness=Staleness(store=store, prints=opened.prints, watch=watch),
        transfer=Transfer(_transfer_rooms(opened, embedder, usage, home=name)),
        keeping=Keeping(_keeping_rooms(path, opened, settings, embedder, index, usage), store=store, log=log),
        vault=Vault(_vault_ports(opened, embedder, index, watch, home=name), graph=path),
        store=store,
        shelf=shelf,
        words=words,
        log=log,
        archive=opened.archive,
        learned=opened.learned,
        usage=usage,
        vectors=index,
        embedder=embedder,
        _opened=opened,
    )


def _capture(
    opened: Opened, embedder: Embedder, index: Index, settings: Settings, watch: Watch, *, home: str
) -> Capture:
    return Capture(
        store=opened.store,
        shelf=opened.shelf,
        words=opened.words,
        vectors=index,
        embedder=embedder,
        home=home,
        watch=watch,
        floor=settings.link_floor,
    )


def _synthesize(opened: Opened, embedder: Embedder, index: Index, settings: Settings, *, home: str) -> Synthesize:
    return Synthesize(
        store=opened.store,
        shelf=opened.shelf,
        words=opened.words,
        vectors=index,
        embedder=embedder,
        home=home,
        creators=settings.registered,
    )


def _learning(opened: Opened, embedder: Embedder, index: Index, usage: SqliteUsage) -> LearnPorts:
    return LearnPorts(
        store=opened.store,
        learned=opened.learned,
        log=opened.log,
        shelf=opened.shelf,
        words=opened.words,
        vectors=index,
        usage=usage,
        embedder=embedder,
    )


def _place(path: Path, root: Path | None) -> Place | None:
    """Return where the files lie that nodes refer to: a project's own graph moves with its folder."""
    if root is not None:
        return Place.of(root)
    return Place.of(path.parent.parent, key="") if path.parent.name == FOLDER else Place.of(Path.cwd())


def _vault_ports(opened: Opened, embedder: Embedder, index: Index, watch: Watch, *, home: str) -> VaultPorts:
    return VaultPorts(
        store=opened.store,
        log=opened.log,
        archive=opened.archive,
        shelf=opened.shelf,
        words=opened.words,
        vectors=index,
        learned=opened.learned,
        embedder=embedder,
        watch=watch,
        home=home,
    )


def _transfer_rooms(opened: Opened, embedder: Embedder, usage: SqliteUsage, *, home: str) -> Rooms:
    return Rooms(
        store=opened.store,
        log=opened.log,
        archive=opened.archive,
        shelf=opened.shelf,
        words=opened.words,
        usage=usage,
        embedder=embedder,
        home=home,
    )


def _keeping_rooms(
    path: Path, opened: Opened, settings: Settings, embedder: Embedder, index: Index, usage: SqliteUsage
) -> KeepingRooms:
    return KeepingRooms(
        path=path,
        health=opened.health,
        eraser=opened.eraser,
        files=index,
        memory=usage,
        embedder=embedder,
        model_damaged=model_damaged,
        config=opened.config,
        fit=fitted,
        remote=bool(settings.embed.url),
    )


def _curation_ports(opened: Opened, embedder: Embedder, index: Index, *, home: str) -> CurationPorts:
    return CurationPorts(
        store=opened.store,
        shelf=opened.shelf,
        words=opened.words,
        vectors=index,
        log=opened.log,
        upkeep=opened.upkeep,
        embedder=embedder,
        home=home,
    )


def _name_of(path: Path) -> str:
    """Return what the graph is called: its file's name, or its project's where the file is the project's own."""
    own = path.parent.name == FOLDER and path.stem == "graph"
    return path.parent.parent.name if own and path.parent.parent.name else path.stem
