"""Several writers on one file: nothing is lost, nothing is half there, and a call is answered once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from services.desk import ENTAILMENT, INTENT
from weft.errors import Conflict, Unavailable
from weft.model import CaptureRequest, RelateRequest, UpdateRequest
from weft.ports import WholeTexts
from weft.services.capture.capture import Capture
from weft.services.capture.ports import CapturePorts
from weft.services.planning import ATTEMPTS, Plan, settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from services.desk import Desk
    from weft.model import Batch, Calibration, Captured, Committed
    from weft.ports import Embedder, Store


def test_two_openings_capture_at_once_and_nothing_is_lost(desk: Desk, second: Desk) -> None:
    """Forty captures from four threads over two openings of one file."""

    def run(task: tuple[Desk, int]) -> Captured:
        graph, number = task
        text = f"Observation {number}: the level stood at {number * 7} units."
        return graph.capture.capture(CaptureRequest(content=text, kind="claim"), graph.call())

    with ThreadPoolExecutor(4) as workers:
        made = list(workers.map(run, [((desk, second)[n % 2], n) for n in range(40)], timeout=120))
    assert {node.id for node in desk.standing()} == {each.node.id for each in made}
    assert len({each.batch for each in made}) == 40


def test_two_writers_strengthen_one_relation_and_both_reasons_stay(desk: Desk, second: Desk) -> None:
    """Who planned on a row that moved plans again."""
    one, two = (desk.add(text, kind="claim").node.id for text in ("Herring migrate.", "Violins are of spruce."))

    def run(task: tuple[Desk, int]) -> None:
        graph, number = task
        wish = RelateRequest(source=one, target=two, type="supports", reasoning=f"<{number}>", confidence=number / 20)
        graph.relate.relate(wish, graph.call())

    with ThreadPoolExecutor(2) as workers:
        list(workers.map(run, [((desk, second)[n % 2], n) for n in range(12)], timeout=60))
    (relation,) = desk.store.relations((one,))
    assert all(f"<{number}>" in relation.reasoning for number in range(12))
    assert (relation.version, relation.confidence) == (12, 11 / 20)


def test_two_updates_of_different_fields_both_hold(desk: Desk, second: Desk) -> None:
    """Only named fields are written, over the version that stands."""
    node = desk.add("Herring migrate north.", kind="claim").node

    def run(task: tuple[Desk, dict[str, object]]) -> None:
        task[0].capture.update(UpdateRequest(id=node.id, **task[1]), task[0].call())

    with ThreadPoolExecutor(2) as workers:
        list(workers.map(run, [(desk, {"importance": 0.9}), (second, {"confidence": 0.2})], timeout=60))
    stands = desk.node(node.id)
    assert (stands.importance, stands.confidence, stands.version) == (0.9, 0.2, 3)


def test_a_row_that_moves_before_every_commit_is_a_conflict_in_the_end(desk: Desk) -> None:
    """A verb plans a bounded number of times, and writes nothing then."""
    node = desk.add("Herring migrate north.", kind="claim").node
    plans: list[str] = []

    def plan(batch: str) -> Plan[str]:
        plans.append(batch)
        from weft.model import SaveNode

        stale = SaveNode(node=replace(node, version=node.version + 9), expect=node.version + 8)
        return Plan(operations=(stale,), answer="never", subjects=())

    before = desk.measure()
    with pytest.raises(Conflict, match=f"{ATTEMPTS} attempts"):
        settle(desk.store, desk.call(), plan)
    assert len(set(plans)) == ATTEMPTS
    assert desk.measure() == before


def test_the_same_key_twice_finds_the_sealed_answer_of_the_first(desk: Desk) -> None:
    """The receipt is written with the change; a second write under the key is refused whole."""
    request = CaptureRequest(content="Herring migrate north.", kind="claim")
    made = desk.capture.capture(request, desk.keyed("k1"))
    receipt = desk.store.receipt(actor="ada", tool="capture", key="k1")
    assert receipt is not None
    assert (receipt.answer, receipt.subjects) == (repr(made), (made.node.id,))
    before = desk.measure()
    with pytest.raises(Conflict, match="k1"):
        desk.capture.capture(replace(request, content="Ships carry containers."), desk.keyed("k1"))
    assert desk.measure() == before


def test_a_call_that_writes_nothing_leaves_its_receipt_too(desk: Desk) -> None:
    """Successes leave one, whatever they changed; errors leave none."""
    request = CaptureRequest(content="Herring migrate north.", kind="claim")
    desk.capture.capture(request, desk.call())
    before = desk.measure()
    again = desk.capture.capture(request, desk.keyed("k2"))
    assert again.existing
    assert desk.measure() == before
    receipt = desk.store.receipt(actor="ada", tool="capture", key="k2")
    assert receipt is not None
    assert receipt.answer == repr(again)
    wish = RelateRequest(source="Nowhere", target="Nowhere", type="uses", reasoning="")
    with pytest.raises(Exception, match="Nowhere"):
        desk.relate.relate(wish, desk.keyed("k3"))
    assert desk.store.receipt(actor="ada", tool="capture", key="k3") is None


class _Dumb(WholeTexts):
    """An embedder whose endpoint is down."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self.dimension = embedder.dimension
        self.calibration: Calibration = embedder.calibration

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        raise Unavailable(f"no answer for {len(texts)} texts")


def test_a_capture_whose_text_cannot_be_embedded_writes_nothing(desk: Desk) -> None:
    """It says so, and can be tried again."""
    reading = {"store": desk.store, "shelf": desk.shelf, "words": desk.words, "vectors": desk.vectors}
    dumb = Capture(
        CapturePorts(**reading, embedder=_Dumb(desk.embedder), entailment=ENTAILMENT, intent=INTENT), home="notes"
    )
    with pytest.raises(Unavailable, match="1 texts"):
        dumb.capture(CaptureRequest(content="Herring migrate north.", kind="claim"), desk.call())
    assert desk.measure() == (0,) * 8


class _Meddling:
    """A store that somebody else writes to between a plan and its commit, the first time."""

    def __init__(self, store: Store, meddle: object) -> None:
        self._store = store
        self._meddle = meddle

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, batch: Batch) -> Committed:
        meddle, self._meddle = self._meddle, None
        if meddle is not None:
            meddle()  # type: ignore[operator]
        return self._store.commit(batch)


def test_a_capture_whose_target_is_forgotten_meanwhile_fails_whole(desk: Desk) -> None:
    """The second plan finds the target gone; nothing of the first is left."""
    from weft.errors import NotFound
    from weft.model import RelationWish

    target = desk.add("Herring migrate north.", kind="claim").node
    store = _Meddling(desk.store, lambda: desk.capture.forget(target.id, desk.call(), confirm=True))
    reading = {"shelf": desk.shelf, "words": desk.words, "vectors": desk.vectors, "embedder": desk.embedder}
    meddled = Capture(CapturePorts(store=store, entailment=ENTAILMENT, intent=INTENT, **reading), home="notes")  # type: ignore[arg-type]
    request = CaptureRequest(
        content="Violins are of spruce.", kind="claim", relations=(RelationWish(type="uses", target=target.id),)
    )
    with pytest.raises(NotFound, match="forgot"):
        meddled.capture(request, desk.call())
    assert not desk.standing()
    assert desk.measure()[1] == 0


def test_a_wish_on_a_row_that_moved_is_planned_again_and_holds(desk: Desk) -> None:
    """The twin: another change of the target does not stand in the way."""
    from weft.model import RelationWish

    target = desk.add("Herring migrate north.", kind="claim").node
    change = UpdateRequest(id=target.id, importance=0.9)
    store = _Meddling(desk.store, lambda: desk.capture.update(change, desk.call()))
    reading = {"shelf": desk.shelf, "words": desk.words, "vectors": desk.vectors, "embedder": desk.embedder}
    meddled = Capture(CapturePorts(store=store, entailment=ENTAILMENT, intent=INTENT, **reading), home="notes")  # type: ignore[arg-type]
    request = CaptureRequest(
        content="Violins are of spruce.", kind="claim", relations=(RelationWish(type="supersedes", target=target.id),)
    )
    made = meddled.capture(request, desk.call())
    stands = desk.node(target.id)
    assert (stands.importance, stands.status.value, stands.version) == (0.9, "superseded", 3)
    assert len(desk.standing()) == 2
    assert made.batch
