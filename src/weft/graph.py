"""The hall: the only place that builds. It introduces the verbs to the rooms behind the ports.

>>> import weft
>>> with weft.open("notes.db") as graph:                        # doctest: +SKIP
...     made = graph.capture.capture(CaptureRequest(content="Water boils at 100 °C."), graph.call("capture"))
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from weft.embed import EmbedderSpec, open_embedder
from weft.index import open_index
from weft.model import Call, Tier
from weft.services.capture import Capture
from weft.services.curate import Curate
from weft.services.ingest import Ingest
from weft.services.recall import Recall
from weft.services.relate import Relate
from weft.services.synthesize import Synthesize
from weft.services.trace import Trace
from weft.settings import FOLDER, Settings, locate
from weft.store import open_sqlite, open_usage

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from weft.index import Index
    from weft.ports import Embedder, Log, Shelf, Store, Words
    from weft.store import Opened, SqliteUsage

__all__ = ["Graph", "open"]


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
    synthesize: Synthesize
    curate: Curate
    ingest: Ingest
    store: Store
    shelf: Shelf
    words: Words
    log: Log
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
) -> Graph:
    """Open the graph that ``graph`` (a name or a path) or ``settings`` name, making it first where ``create`` is on.

    The settings' role lowers ``tier``. The embedding model is not loaded until something has to be embedded.

    Raises:
        CannotOpen: the file is no graph, is newer than this release, or was embedded with another model.
        InvalidArgument: the name is not a graph's name.
    """
    settings = settings or Settings.from_environment()
    settings = settings if graph is None else replace(settings, graph=graph)
    path = locate(settings)
    reach = min(tier, Tier[settings.role.upper()])
    embedder = open_embedder(_spec(settings))
    opened = open_sqlite(path, tier=reach, model=embedder.name, dimension=embedder.dimension, create=create)
    index = open_index(opened.passages, folder=path.parent, name=path.stem, dimension=embedder.dimension)
    usage = open_usage(path.with_name(f"{path.stem}.usage.db"))
    return _assemble(path, reach, settings, opened, embedder, index, usage)


def _spec(settings: Settings) -> EmbedderSpec | None:
    if not settings.embed_url:
        return None
    return EmbedderSpec(
        url=settings.embed_url,
        model=settings.embed_model,
        key=settings.embed_key or None,
        dimension=settings.embed_dimension or None,
    )


def _assemble(
    path: Path, tier: Tier, settings: Settings, opened: Opened, embedder: Embedder, index: Index, usage: SqliteUsage
) -> Graph:
    name = _name_of(path)
    store, shelf, words, log = opened.store, opened.shelf, opened.words, opened.log
    capture = Capture(store=store, shelf=shelf, words=words, vectors=index, embedder=embedder, home=name)
    return Graph(
        name=name,
        path=path,
        tier=tier,
        settings=settings,
        capture=capture,
        relate=Relate(store=store),
        recall=Recall(store=store, shelf=shelf, words=words, vectors=index, log=log, usage=usage, embedder=embedder),
        trace=Trace(store=store, shelf=shelf, words=words, vectors=index, usage=usage, embedder=embedder),
        synthesize=Synthesize(store=store, shelf=shelf, words=words, vectors=index, embedder=embedder, home=name),
        curate=Curate(store=store, log=log, shelf=shelf, words=words, embedder=embedder),
        ingest=Ingest(store=store, shelf=shelf, words=words, vectors=index, embedder=embedder, home=name),
        store=store,
        shelf=shelf,
        words=words,
        log=log,
        usage=usage,
        vectors=index,
        embedder=embedder,
        _opened=opened,
    )


def _name_of(path: Path) -> str:
    """Return what the graph is called: its file's name, or its project's where the file is the project's own."""
    own = path.parent.name == FOLDER and path.stem == "graph"
    return path.parent.parent.name if own and path.parent.parent.name else path.stem
