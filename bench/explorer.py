"""How quickly the web explorer answers a person: a real server, a real Chromium, a graph of a given size.

    python bench/explorer.py [--nodes 10000] [--rounds 7]

Times are from what the person does until what they wait for stands on the page, in ms: the median and the worst of the
rounds. The last figures are how often a second a drawing of 500 nodes and 1,000 relations is painted while it is
zoomed, without a graphics card, the same of a map of 500 nodes, and how long the page stood still at most while that
was laid out. The server keeps a map until something is written: each round asks for one that it does not have.
Printed, not asserted; the figures of a browser depend on the machine more than most.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "explorer"))

from visit import Visit, served  # found through the path above

import weft.graph
from notes import notes, questions
from weft.identity import new_id
from weft.model import Batch, Call, Node, Passage, Relation, SaveNode, SaveRelation, Tier

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from weft.graph import Graph

NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
CALL: Final = Call(actor="bench", client="bench", tool="bench", tier=Tier.CURATOR, at=NOW)
AT_ONCE: Final = 1_000
BESIDE: Final = 12
TYPES: Final = ("supports", "part_of", "uses", "causes", "affects")

DRAW: Final = """async () => {
  const { drawn } = await import('/explorer/drawing.js');
  const nodes = [...Array(500).keys()].map((at) => ({
    id: `n${at}`, title: `Node ${at}`, ontology: `o${at % 5}`, x: (at % 25) * 120, y: Math.floor(at / 25) * 70,
  }));
  const relations = [...Array(1000).keys()].map((at) => ({
    id: at, source: `n${at % 500}`, target: `n${(at * 7 + 1 + Math.floor(at / 500)) % 500}`, type: 'uses',
    origin: at % 3 ? 'document' : 'learned', confidence: (at % 10) / 10, spoken: false,
  }));
  const figure = drawn({ nodes, relations, about: 'bench', chosen() {}, open() {} });
  document.querySelector('main').replaceChildren(figure);
  const canvas = figure.querySelector('.canvas');
  while (!canvas.drawing) await new Promise(requestAnimationFrame);
  const level = canvas.drawing.zoom();
  let frames = 0;
  const start = performance.now();
  while (performance.now() - start < 3000) {
    canvas.drawing.zoom(level * (1 + Math.sin(frames / 10) / 2));
    await new Promise(requestAnimationFrame);
    frames += 1;
  }
  return frames / ((performance.now() - start) / 1000);
}"""

MAP: Final = """async () => {
  const { zoom } = await import('/explorer/atlas.js');
  location.hash = '#/map?limit=500';
  let [last, longest] = [performance.now(), 0];
  let sheet = null;
  while (!sheet?.drawing) {
    await new Promise(requestAnimationFrame);
    sheet = document.querySelector('.sheet');
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  let frames = 0;
  const start = performance.now();
  while (performance.now() - start < 3000) {
    zoom(sheet.drawing, 1 + Math.sin(frames / 10) / 20);
    await new Promise(requestAnimationFrame);
    frames += 1;
  }
  return { longest, rate: frames / ((performance.now() - start) / 1000) };
}"""


def fill(graph: Graph, size: int) -> str:
    """Write ``size`` notes and twice as many relations; return the id of the first, which has some of them."""
    dice = random.Random(7)
    near = _likenesses(size, graph.embedder.dimension)
    saves = [_saved(text, number, near[number]) for number, text in enumerate(notes(size))]
    ids = [each.node.id for each in saves]
    pairs = {(0, other) for other in range(1, BESIDE + 1)}
    while len(pairs) < size * 2:
        one, other = dice.sample(range(1, size), 2)
        pairs.add((one, other))
    relations = [_joined(ids[one], ids[other], number) for number, (one, other) in enumerate(sorted(pairs))]
    for work in (saves, relations):
        for at in range(0, len(work), AT_ONCE):
            operations = tuple(work[at : at + AT_ONCE])
            graph.store.commit(Batch(id=new_id(NOW), call=CALL, operations=operations))
    assert graph.vectors.rebuild()
    return ids[0]


def _likenesses(size: int, dimension: int) -> np.ndarray:
    """Return unit vectors (size, dimension) that lie in clusters, as those of texts do."""
    dice = np.random.default_rng(7)
    centres = dice.standard_normal((size // 20 + 1, dimension))
    near = centres[dice.integers(len(centres), size=size)] + 0.5 * dice.standard_normal((size, dimension))
    return np.asarray(near / np.linalg.norm(near, axis=1, keepdims=True), np.float32)


def _saved(text: str, number: int, vector: np.ndarray) -> SaveNode:
    node = Node(
        id=new_id(NOW), kind="claim", title=text[:60], content=text, ontology=f"o{number % 5}",
        created_at=NOW, created_by="bench", modified_at=NOW, modified_by="bench",
    )  # fmt: skip
    return SaveNode(node=node, expect=0, passages=(Passage(start=0, end=len(text), text=text, vector=vector),))


def _joined(source: str, target: str, number: int) -> SaveRelation:
    relation = Relation(
        id=new_id(NOW), source=source, target=target, type=TYPES[number % len(TYPES)], reasoning="As was noted.",
        created_at=NOW, created_by="bench",
    )  # fmt: skip
    return SaveRelation(relation=relation, expect=0)


def told(what: str, times: list[float]) -> None:
    """Print one row."""
    print(f"  {what:44s} median {statistics.median(times) * 1e3:7.0f}   worst {max(times) * 1e3:7.0f} ms", flush=True)


def timed(work: Callable[[], object]) -> float:
    """Return how long ``work`` takes, in s."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def first(browser: Browser, base: str) -> float:
    """Return how long it takes from nothing until the first page with something on it is painted."""
    with browser.new_context() as context:
        visit = Visit(context.new_page(), base)
        return timed(lambda: (visit.page.goto(base), visit.main.locator("h1").wait_for()))


def measured(browser: Browser, base: str, hub: str, rounds: int) -> None:
    """Do what a person does, and print what they wait for."""
    told("the first page, nothing in the browser", [first(browser, base) for _ in range(rounds)])
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        visit = Visit(context.new_page(), base)
        visit.open()
        asked = list(questions(rounds + 1))
        searches = [timed(lambda each=each: visit.open(f"#/search?q={each}")) for each in asked]
        told("a search answered", searches[1:])
        opened = []
        for _ in range(rounds):
            visit.open("#/capture")
            opened.append(timed(lambda: (visit.open(f"#/node/{hub}"), visit.drawn("1"))))
        told("a node with its drawing", opened)
        told("a drawn node widened", [widened(visit, hub, number) for number in range(min(rounds, BESIDE))])
        asked_for = [f"{visit.base}/api/map?limit={300 + number}" for number in range(rounds)]
        told("a map answered by the server", [timed(lambda at=at: visit.page.request.get(at)) for at in asked_for])
        told("a map of 300 nodes on the screen", [charted(visit, 300 - number) for number in range(rounds)])
        print(f"  {'500 nodes and 1,000 relations zoomed':44s} {visit.page.evaluate(DRAW):.0f} frames a second")
        found = visit.page.evaluate(MAP)
        print(f"  {'a map of 500 nodes zoomed':44s} {found['rate']:.0f} frames a second")
        print(f"  {'the longest that the page stood still for it':44s} {found['longest']:.0f} ms")
        assert visit.troubles == []


def charted(visit: Visit, nodes: int) -> float:
    """Return how long it takes until a map of so many nodes is laid out."""
    visit.open("#/capture")
    return timed(lambda: (visit.open(f"#/map?limit={nodes}"), visit.drawn("1")))


def widened(visit: Visit, hub: str, number: int) -> float:
    """Return how long it takes until what hangs on a neighbour is drawn too."""
    visit.open("#/capture")
    visit.open(f"#/node/{hub}")
    before = visit.drawn("graph.nodes().length")
    draw = visit.main.get_by_role("button", name="Draw", exact=True).nth(number)
    return timed(lambda: (draw.click(), visit.until(lambda: visit.drawn("graph.nodes().length") > before)))


def main() -> None:
    """Fill a graph, serve it, look at it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "bench.db"
        with weft.graph.open(str(path)) as graph:
            hub = fill(graph, given.nodes)
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--disable-gpu"])
        print(f"{given.nodes} nodes, {given.nodes * 2} relations, Chromium {browser.version}", flush=True)
        with served(path) as base:
            measured(browser, base, hub, given.rounds)
        browser.close()


if __name__ == "__main__":
    main()
