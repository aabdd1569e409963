"""A graph moves to another embedding model while everybody goes on with it, and nobody mixes the vectors of two."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import weft
from embed.endpoint import MODEL, Reply, embeddings
from embed.endpoint import Endpoint as Served
from engine import copied, graph_at
from weft.errors import CannotOpen, PermissionDenied, Unavailable
from weft.graph import restore
from weft.graph.moving import reembed
from weft.index import Index, Sizes, open_index
from weft.model import CaptureRequest, Filter, Page, SaveNode, SearchRequest, Tier, UpdateRequest
from weft.services.passages import embed, embedded_text
from weft.settings import Endpoint, Settings
from weft.store import open_sqlite
from weft.store.postgres.connection import bare
from weft.store.sqlite import connect
from weft.testing.making import a_batch, a_call, a_node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    import numpy.typing as npt

    from weft.graph import Graph
    from weft.model import Node, Reembedded

WAIT_S = 60
NOTES = 150  # three calls of the model
THINGS = ("river", "engine", "violin", "tax", "orchid", "glacier", "payroll", "comet", "bakery", "treaty", "harbour")
DEEDS = ("crosses", "outlasts", "measures", "feeds", "ignores", "explains", "carries")


def mirrored(texts: list[str]) -> npt.NDArray[np.float32]:
    """A model as good as the bundled one and of its dimension, whose vectors say nothing of the other's."""
    return np.ascontiguousarray(MODEL.embed(texts)[:, ::-1])


def short(texts: list[str]) -> npt.NDArray[np.float32]:
    """A model of a third of the numbers, 128."""
    return np.ascontiguousarray(MODEL.embed(texts)[:, :128])


MODELS = {"mirrored": mirrored, "short": short}


class World:
    """A graph of the bundled model that has notes in it, and an endpoint with other models."""

    def __init__(self, graph: str, served: Served) -> None:
        self.old = Settings(graph=graph, actor="ann")
        self.served = served
        self.asked = 0
        self.meanwhile: Callable[[], object] = lambda: None
        served.usual = self._answer

    def _answer(self, payload: dict[str, Any]) -> Reply:
        if payload["input"] != ["."]:  # which asks for the dimension
            self.asked += len(payload["input"])
            self.meanwhile()
        return embeddings(*MODELS[payload["model"]](payload["input"]).tolist())

    def new(self, model: str = "mirrored", **changes: str) -> Settings:
        """Return settings that name a model of the endpoint."""
        return Settings(graph=self.old.graph, actor="ann", embed=Endpoint(url=self.served.url, model=model), **changes)

    def move(self, model: str = "mirrored", **changes: bool) -> Reembedded:
        """Move the graph to a model of the endpoint."""
        return moved(self.new(model), **changes)

    def interrupted(self, after: int = 1, model: str = "mirrored") -> None:
        """Move the graph, and be interrupted after so many calls of the model."""
        calls = 0

        def stop(_done: int, _total: int, what: str) -> None:
            nonlocal calls
            calls += what == "embedding"
            if calls == after:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            moved(self.new(model), progress=stop)


def moved(settings: Settings, *, dry_run: bool = False, progress: Callable[..., None] | None = None) -> Reembedded:
    """Move the graph to the model that ``settings`` name."""
    return reembed(settings, replace(a_call(tool="reembed"), progress=progress), dry_run=dry_run)


def sentence(number: int) -> str:
    """Return a sentence that no other number gives."""
    return f"The {THINGS[number % 11]} {DEEDS[number % 7]} the {THINGS[(number * 5 + 3) % 11]} in year {1500 + number}."


@pytest.fixture(scope="module")
def noted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a graph of 150 notes, to be copied."""
    folder = tmp_path_factory.mktemp("noted")
    with weft.open(settings=Settings(graph=graph_at(folder / "graph.db"), actor="ann")) as graph:
        nodes = [a_node(f"Note {number}", content=sentence(number)) for number in range(NOTES)]
        passages = embed(nodes, graph.embedder)
        saves = (SaveNode(node=each, expect=0, passages=some) for each, some in zip(nodes, passages, strict=True))
        graph.store.commit(a_batch(*saves))
    return folder


@pytest.fixture
def world(noted: Path, tmp_path: Path) -> Iterator[World]:
    """The graph, with 150 notes."""
    with Served() as served:
        yield World(graph_at(copied(noted, tmp_path) / "graph.db"), served)


def found(graph: Graph, query: str, *, kinds: tuple[str, ...] = (), as_of: datetime | None = None) -> str:
    """Return the text that is nearest to ``query`` by meaning."""
    request = SearchRequest(query=query, mode="semantic", filter=Filter(kinds=kinds), as_of=as_of)
    return graph.recall.search(request, graph.call("search")).hits[0].node.content


def captured(graph: Graph, content: str) -> str:
    """Capture a note and return its id."""
    return graph.capture.capture(CaptureRequest(content=content), graph.call("capture")).node.id


def nodes(graph: Graph) -> list[Node]:
    """Return all nodes that stand."""
    return list(graph.store.find(Filter(), Page(limit=500)).nodes)


def assert_of(graph: Graph, model: Callable[[list[str]], npt.NDArray[np.float32]]) -> None:
    """Assert that every node has the vectors that ``model`` gives, and that the graph is sound."""
    held = nodes(graph)
    vectors = graph.vectors.of([node.id for node in held])
    assert len(vectors) == len(held)
    due = model([embedded_text(node, 0, len(node.content)) for node in held])
    due /= np.linalg.norm(due, axis=1, keepdims=True)
    near = [float(vectors[node.id][0] @ vector) for node, vector in zip(held, due, strict=True)]
    assert min(near) > 0.98
    assert graph.keeping.doctor(graph.call("doctor")).findings == ()


@pytest.mark.parametrize("model", MODELS)
def test_a_moved_graph_is_of_the_new_model(world: World, model: str) -> None:
    """Every vector is, every text is found by it, and who still has the old model in the settings is sent away."""
    done = world.move(model)
    assert (done.moved, done.resumed, done.passages, done.embedded) == (True, False, NOTES, NOTES)
    assert (done.before_dimension, done.dimension) == (384, MODELS[model](["."]).shape[1])
    assert done.calibrate
    with weft.open(settings=world.new(model)) as graph:
        assert_of(graph, MODELS[model])
        assert all(found(graph, sentence(number)) == sentence(number) for number in range(0, NOTES, 10))
        made = captured(graph, "Basalt columns cool slowly into hexagons.")
        assert found(graph, "basalt hexagons") == graph.store.nodes([made])[made].content
    with pytest.raises(CannotOpen, match="embedded with") as refused:
        weft.open(settings=world.old)
    assert "weft reembed" in refused.value.hint


def test_a_graph_goes_there_and_back(world: World) -> None:
    """From the bundled model to an endpoint's, and back to the one that needs no network."""
    world.move("short")
    back = moved(world.old)
    assert back.moved
    assert not back.calibrate
    with weft.open(settings=world.old) as graph:
        assert_of(graph, MODEL.embed)
        held = nodes(graph)
        due = MODEL.embed_words([embedded_text(node, 0, len(node.content)) for node in held])
        kept = worded(graph, held)
        assert all((kept[node.id] == each.word_vectors).all() for node, each in zip(held, due, strict=True))


def worded(graph: Graph, held: list[Node]) -> dict[str, npt.NDArray[np.int8]]:
    """Return the vectors of the words of nodes of one passage."""
    near = {
        node.id: graph.vectors.nearest(graph.vectors.of([node.id])[node.id][0], filter=Filter(), limit=1)[0]
        for node in held
    }
    found = graph.vectors.words([each.passage for each in near.values()], width=graph.embedder.word_width)
    return {each.node: found[each.passage] for each in near.values()}


def test_the_past_is_searched_by_the_new_model(world: World) -> None:
    """Passages that stand no longer have come along."""
    with weft.open(settings=world.old) as graph:
        node = nodes(graph)[0]
        before = graph.store.nodes([node.id])[node.id].modified_at
        update = UpdateRequest(id=node.id, content="Basalt columns cool slowly into hexagons.")
        graph.capture.update(update, graph.call("update"))
    assert world.move().passages > NOTES
    with weft.open(settings=world.new()) as graph:
        assert found(graph, node.content, as_of=before) == node.content
        assert found(graph, "basalt hexagons") == update.content
        assert graph.keeping.doctor(graph.call("doctor")).findings == ()


def test_until_the_switch_everybody_goes_on_as_before(world: World) -> None:
    """Others find and capture by the old model; what came meanwhile has moved as well."""
    came: list[str] = []
    with weft.open(settings=world.old) as graph:

        def work() -> None:
            assert found(graph, sentence(7)) == sentence(7)
            came.append(captured(graph, f"Basalt column {len(came)} cools slowly into a hexagon."))
            with weft.open(settings=world.old) as fresh:
                assert came[-1] in fresh.vectors.of([came[-1]])

        world.meanwhile = lambda: work() if len(came) < 4 else None
        done = world.move()
    assert len(came) == 4
    assert done.passages == done.embedded == NOTES + 4
    with weft.open(settings=world.new()) as graph:
        assert len(graph.store.nodes(came)) == 4
        assert_of(graph, mirrored)


@pytest.mark.parametrize("model", MODELS)
def test_a_search_through_the_switch_is_right_or_refused(world: World, model: str) -> None:
    """Whoever searches without a pause gets the answers of one model, and then the word that it is left."""
    answers: list[str] = []

    def search(graph: Graph) -> None:
        while not answers or answers[-1] == sentence(7):
            try:
                answers.append(found(graph, sentence(7)))
            except Unavailable as error:
                answers.append(error.key)

    with weft.open(settings=world.old) as graph, weft.open(settings=world.old) as other:
        searchers = [threading.Thread(target=search, args=(each,)) for each in (graph, other)]
        for searcher in searchers:
            searcher.start()
        assert world.move(model).moved
        for searcher in searchers:
            searcher.join(WAIT_S)
    assert set(answers) == {sentence(7), "model_moved"}
    assert answers.count(sentence(7)) > 10


def test_who_writes_faster_than_is_embedded_waits_at_last(world: World) -> None:
    """However many notes come, the move comes to its end, and each that was acknowledged has moved."""
    writers: list[threading.Thread] = []
    told: list[str] = []
    with weft.open(settings=world.old) as graph:

        def write() -> None:
            try:
                told.append(captured(graph, f"Basalt column {len(writers)} cools slowly into a hexagon."))
            except Unavailable as error:
                told.append(error.key)

        def work() -> None:
            writers.append(threading.Thread(target=write))
            writers[-1].start()
            writers[-1].join(1)

        world.meanwhile = work
        assert world.move().moved
        for writer in writers:
            writer.join(WAIT_S)
    assert "model_moved" in told
    with weft.open(settings=world.new()) as graph:
        assert len(graph.store.nodes([each for each in told if each != "model_moved"])) == len(set(told)) - 1
        assert_of(graph, mirrored)


SCRIPT = """
import os, signal, sys
from datetime import UTC, datetime
from weft.graph.moving import reembed
from weft.model import Call, Tier
from weft.settings import Settings
from weft.store.postgres.connection import PostgresReader
from weft.store.sqlite import Connection


def mortal(execute):
    def run(self, sql, *values):
        rows = execute(self, sql, *values)
        if len(sys.argv) > 1 and sql.startswith(sys.argv[1]):
            os.kill(os.getpid(), signal.SIGKILL)
        return rows
    return run


for kind in (Connection, PostgresReader):
    kind.execute = mortal(kind.execute)
reembed(
    Settings.from_environment(),
    Call(actor="ann", client="test", tool="reembed", tier=Tier.CURATOR, at=datetime.now(UTC)),
)
"""


def started(world: World, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a process that moves the graph, and dies after the first statement that begins with an argument."""
    settings = {"WEFT_GRAPH": world.old.graph, "WEFT_EMBED_URL": world.served.url, "WEFT_EMBED_MODEL": "mirrored"}
    environment = {**os.environ, **settings, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, "-c", SCRIPT, *arguments], env=environment)


def test_a_move_that_is_killed_goes_on_where_it_stopped(world: World) -> None:
    """SIGKILL in the midst of two runs: each time the graph is as it was, and little is embedded twice."""
    for _ in range(2):
        calls: list[int] = []
        process = started(world)

        def kill(process: subprocess.Popen[bytes] = process, calls: list[int] = calls) -> None:
            calls.append(1)
            if len(calls) == 2:
                process.kill()

        world.meanwhile = kill
        assert process.wait(WAIT_S) == -signal.SIGKILL
        with weft.open(settings=world.old) as graph:
            assert_of(graph, MODEL.embed)
            assert found(graph, sentence(7)) == sentence(7)
    world.meanwhile = lambda: None
    done = world.move()
    assert done.resumed
    assert done.moved
    assert done.embedded == NOTES - 2 * 64
    assert world.asked <= NOTES + 2 * 64
    with weft.open(settings=world.new()) as graph:
        assert_of(graph, mirrored)


def test_a_switch_that_is_killed_has_not_been_made(world: World) -> None:
    """SIGKILL when all vectors are in place and the model is being written: every one of them is the old one again."""
    assert started(world, "UPDATE meta SET value").wait(WAIT_S) == -signal.SIGKILL
    with weft.open(settings=world.old) as graph:
        assert_of(graph, MODEL.embed)
        captured(graph, "Basalt columns cool slowly into hexagons.")
    done = world.move()
    assert (done.moved, done.resumed, done.embedded) == (True, True, 1)
    with weft.open(settings=world.new()) as graph:
        assert_of(graph, mirrored)


@pytest.mark.parametrize("model", MODELS)
def test_who_goes_by_the_old_model_neither_writes_nor_compares_afterwards(world: World, model: str) -> None:
    """A process that had the graph open is told to open it again; all else can still be read."""
    with weft.open(settings=world.old) as graph:
        found(graph, "river")  # all that is kept in memory is there
        world.move(model)
        ids = [node.id for node in nodes(graph)]
        for work in (
            lambda: captured(graph, "Basalt columns cool slowly into hexagons."),
            lambda: found(graph, "river"),
            lambda: found(graph, "river", kinds=("claim",)),
            lambda: graph.vectors.of(ids[:3]),
            lambda: graph.keeping.config.set("link_floor", "0.9", graph.call("config")),
        ):
            with pytest.raises(Unavailable) as refused:
                work()
            assert refused.value.key == "model_moved"
            assert "Open it again" in refused.value.hint
        assert graph.recall.fetch(ids[0], graph.call("fetch")).node.id == ids[0]
        assert len(nodes(graph)) == NOTES
    with weft.open(settings=world.new(model)) as graph:
        assert_of(graph, MODELS[model])


def test_without_asking_for_the_model_an_old_process_would_mix(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: the same process, that does not ask, writes a vector of the old model among those of the new."""
    for engine in ("weft.store.opening", "weft.store.postgres.opening"):
        monkeypatch.setattr(f"{engine}.embedding_of", lambda _: "")
    with weft.open(settings=world.old) as graph:
        world.move()
        captured(graph, "Basalt columns cool slowly into hexagons.")
    with weft.open(settings=world.new()) as graph, pytest.raises(AssertionError):
        assert_of(graph, mirrored)


def test_an_endpoint_that_fails_half_way_loses_nothing(world: World) -> None:
    """The error says how much is kept, the graph goes on, and so does the next run."""
    served = world.served

    def fail() -> None:
        if world.asked > 64:
            served.replies[:] = []
            served.usual = lambda _: Reply(status=401)

    world.meanwhile = fail
    with pytest.raises(Unavailable, match=r"128 of 150 passages are embedded and kept") as failed:
        world.move()
    assert "the same command goes on" in failed.value.hint
    with weft.open(settings=world.old) as graph:
        assert found(graph, sentence(7)) == sentence(7)
        assert_of(graph, MODEL.embed)
    again = World(world.old.graph, served)
    done = again.move()
    assert (done.resumed, done.embedded) == (True, NOTES - 128)


def test_a_map_that_was_fitted_for_the_old_model_is_gone(world: World) -> None:
    """Also where the new one has the same name, and other numbers."""
    world.move()
    with weft.open(settings=world.new()) as graph:
        fitted = graph.keeping.config.calibrate(graph.call("calibrate")).points
    with weft.open(settings=world.new()) as graph:
        assert graph.embedder.calibration.points == fitted
    world.move("short")
    world.move()
    with weft.open(settings=world.new()) as graph:
        assert graph.embedder.calibration.points != fitted


def test_what_is_erased_meanwhile_is_nowhere_in_the_new_vectors(world: World) -> None:
    """Neither where it had been embedded before, nor where it was being embedded just then."""
    with weft.open(settings=world.old) as graph:
        first, *_, last = sorted(nodes(graph), key=lambda node: node.id)
        world.interrupted()
        graph.keeping.erase(first.id, graph.call("erase"), reason="leaked")
        world.meanwhile = lambda: (
            world.asked == NOTES + 1 and graph.keeping.erase(last.id, graph.call("erase"), reason="leaked")
        )
        assert world.move().resumed
    with weft.open(settings=world.new()) as graph:
        secrets = mirrored([embedded_text(node, 0, len(node.content)) for node in (first, last)])
        blanked = graph.store.nodes([first.id, last.id]).values()
        assert [node.title for node in blanked] == ["[erased]", "[erased]"]
        everything = all_vectors(world.old.graph)
        assert len(everything) == NOTES
        assert float(np.max(everything @ secrets.T)) < 0.98


def test_a_move_to_another_model_begins_anew_and_one_back_is_called_off(world: World) -> None:
    """What is half there of a model that is no longer wanted is thrown away; nothing to do is said, and no fault."""
    world.interrupted(model="short")
    world.interrupted()
    done = world.move(dry_run=True)
    assert (done.resumed, done.lacking, done.moved) == (True, NOTES - 64, False)
    called_off = moved(world.old)
    assert (called_off.moved, called_off.lacking, called_off.embedded) == (False, 0, 0)
    done = world.move(dry_run=True)
    assert (done.resumed, done.lacking) == (False, NOTES)
    assert done.estimate_s is not None
    assert done.estimate_s >= 0
    with weft.open(settings=world.old) as graph:
        assert_of(graph, MODEL.embed)


def test_a_half_made_move_is_no_fault_of_the_graph(world: World) -> None:
    """The doctor finds nothing, and writers go on."""
    world.interrupted()
    with weft.open(settings=world.old) as graph:
        captured(graph, "Basalt columns cool slowly into hexagons.")
        assert_of(graph, MODEL.embed)


@pytest.mark.files_only("a database is not backed up as one file")
def test_a_backup_of_a_half_made_move_goes_on_too(world: World, tmp_path: Path) -> None:
    """It is taken for sound when it is restored, and holds what had been embedded."""
    world.interrupted()
    with weft.open(settings=world.old) as graph:
        graph.keeping.backup(tmp_path / "backup.db")
    other = World(str(tmp_path / "other.db"), world.served)
    restore(other.old, tmp_path / "backup.db", a_call(tool="restore"))
    with weft.open(settings=other.old) as graph:
        assert_of(graph, MODEL.embed)
    done = other.move()
    assert (done.resumed, done.embedded) == (True, NOTES - 64)
    with weft.open(settings=other.new()) as graph:
        assert_of(graph, mirrored)


def test_only_a_curator_moves_a_graph_and_one_at_a_time(world: World) -> None:
    """A second process is refused while the first is at work."""
    for dry_run in (False, True):
        with pytest.raises(PermissionDenied, match="curator"):
            reembed(world.new(), a_call(Tier.LIBRARIAN), dry_run=dry_run)
    refused: list[str] = []

    def second() -> None:
        with pytest.raises(Unavailable) as error:
            moved(world.new())
        refused.append(error.value.message)

    world.meanwhile = lambda: refused or second()
    assert world.move().moved
    assert refused == ["Another process is moving this graph to another embedding model."]


def test_there_is_no_graph_to_move(tmp_path: Path) -> None:
    """None is made."""
    with pytest.raises(CannotOpen):
        moved(Settings(graph=str(tmp_path / "none.db")))
    assert not (tmp_path / "none.db").exists()


@pytest.mark.files_only("a database keeps its index itself; tests/postgres/test_reembed.py")
def test_the_index_files_of_the_old_model_are_gone(world: World, tmp_path: Path) -> None:
    """And those of the new one are made as for any graph; another process never takes the old ones for them."""
    path, sizes = tmp_path / "graph.db", Sizes(exact_max=10, tail_max=10)

    @contextmanager
    def index() -> Iterator[Index]:
        with closing(open_sqlite(path, tier=Tier.CURATOR, model="", dimension=0, create=False)) as opened:
            yield open_index(opened.passages, folder=tmp_path, name="graph", dimension=384, sizes=sizes)

    with index() as old:
        assert old.rebuild()
    files = tmp_path / "graph.index"
    assert [path.name for path in files.glob("vectors-*")]
    world.move()
    assert not [path.name for path in files.glob("vectors*") if path.suffix != ".lock"]
    with weft.open(settings=world.new()) as graph, index() as new:
        assert new.rebuild()
        assert new.faults() == {}
        (near, *_) = new.nearest(mirrored([f"Note 7\n{sentence(7)}"])[0], filter=Filter(), limit=3)
        assert graph.store.nodes([near.node])[near.node].content == sentence(7)


def all_vectors(graph: str) -> npt.NDArray[np.float32]:
    """Return the vectors of all passages, those of erased nodes too."""
    if graph.startswith("postgresql://"):
        with bare(graph) as owner:
            rows = owner.ask("SELECT vector FROM passage", {})
    else:
        with closing(connect(Path(graph), synchronous="FULL", vfs="")) as raw:
            rows = list(raw.execute("SELECT vector FROM passage"))
    return np.stack([np.frombuffer(vector, "<f2") for (vector,) in rows]).astype(np.float32)
