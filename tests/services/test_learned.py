"""The verbs on learned knowledge, below the tools: numbers under many writers, strength, superseding, odd states."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest

from doors import Door, door
from learning import FITTING, STRANGE, copied, document_hashes
from weft.errors import Conflict, Duplicate, NotFound, PermissionDenied, Unavailable
from weft.model import (
    Batch,
    ConnectRequest,
    LearnedQuery,
    LearnedUpdate,
    Page,
    Refused,
    SaveNode,
    SaveSuggestion,
    Status,
    SuggestionQuery,
)
from weft.reason.strength import strength
from weft.services.learned import learn as verbs
from weft.services.learned.numbering import parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.graph import Graph
    from weft.model import Connected, LearnedEntry

TITLES = ("Sensible Transparency", "Data-Driven Reasoning", "Signal Transparency Score", "Metrics Pillar")
TYPES = ("bridges", "learned_connection", "uses", "follows", "implies", "builds_on", "requires", "causes")


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """A graph that took in two documents."""
    with door(copied(tmp_path)) as opened:
        yield opened


def connect(graph: Graph, source: str = TITLES[0], target: str = TITLES[2], **fields: str) -> Connected:
    """Connect two nodes by what fits both, with ``fields``."""
    given = {"type": "bridges", "evidence": FITTING} | fields
    return graph.learn.connect(ConnectRequest(source=source, target=target, **given), graph.call("learn"))


def entry(graph: Graph, learned_id: str) -> LearnedEntry:
    """Return the one item as it is listed."""
    (found,) = graph.learn.entries(LearnedQuery(learned_id=learned_id)).entries
    return found


# ---- numbers


def _write(folder: Path, titles: tuple[str, ...], gate: object) -> None:
    with door(folder) as opened:
        connect(opened.graph, *titles, type="affects")  # everything is loaded before the others are waited for
        gate.wait(60)  # type: ignore[attr-defined]
        for type_ in TYPES:
            connect(opened.graph, *titles, type=type_)


def test_ids_are_unique_under_processes_that_write_at_once(tmp_path: Path) -> None:
    """Three processes, nine items each: twenty-seven different ids without a gap."""
    context = get_context("spawn")
    gate = context.Barrier(3)
    pairs = [(TITLES[0], TITLES[2]), (TITLES[0], TITLES[3]), (TITLES[1], TITLES[3])]
    folder = copied(tmp_path)
    workers = [context.Process(target=_write, args=(folder, pair, gate), daemon=True) for pair in pairs]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    with door(folder) as opened:
        found = opened.graph.learn.entries(LearnedQuery(page=Page(limit=100)))
    numbers = sorted(parts_of(each.learned_id)[1] for each in found.entries)  # type: ignore[index]
    assert numbers == list(range(1, 28))


def test_ids_are_unique_under_threads_and_the_same_pair_is_made_once(ann: Door) -> None:
    """Eight threads state the same: one wins, the others are told of it."""

    def state(_: int) -> str:
        try:
            return connect(ann.graph).learned_id
        except Duplicate as error:
            return f"after {error.candidates[0].id}"

    with ThreadPoolExecutor(8) as workers:
        said = list(workers.map(state, range(8), timeout=60))
    made = [each for each in said if not each.startswith("after")]
    assert len(made) == 1
    assert set(said) == {made[0], f"after {made[0]}"}


def test_delete_and_create_in_turn_never_repeat_an_id(ann: Door) -> None:
    """By two writers at once, ten times each."""

    def turn(target: str) -> list[str]:
        ids = []
        for _ in range(10):
            made = connect(ann.graph, target=target)
            ids.append(made.learned_id)
            ann.graph.learn.delete(made.learned_id, ann.graph.call("learn"), cascade=False)
        return ids

    with ThreadPoolExecutor(2) as workers:
        ids = [each for found in workers.map(turn, TITLES[2:], timeout=60) for each in found]
    assert len(set(ids)) == 20


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("learned_2026-03-02_001", ("learned_2026-03-02", 1)),
        ("synthesis_2026-12-31_1000", ("synthesis_2026-12-31", 1000)),
        ("learned_2026-03-02_1", None),
        ("learned_2026-03-02_000", None),
        ("learned_2026-03-02_0001", None),
        ("learned_2026-13-02_001", None),
        ("learned_2026-03-02_9999999", None),
        ("other_2026-03-02_001", None),
        ("", None),
    ],
)
def test_an_id_has_one_form(text: str, wanted: tuple[str, int] | None) -> None:
    """Series, day and number of three digits or more; nothing else is one."""
    assert parts_of(text) == wanted


# ---- one transaction


def test_relation_source_and_evidence_are_one_batch(ann: Door) -> None:
    """Taking it back leaves neither relation nor evidence."""
    made = connect(ann.graph)
    item = ann.graph.learned.items([made.learned_id])[made.learned_id]
    assert item.evidence is not None
    subjects = {change.subject_id for change in ann.graph.log.batch(made.batch)}
    assert {item.relations[0].id, item.evidence.id, item.evidence.source} <= subjects
    ann.graph.curate.undo(made.batch, ann.graph.call("undo"))
    assert ann.graph.learned.items([made.learned_id]) == {}
    assert ann.graph.store.evidence([item.relations[0].id]) == ()


def test_a_missing_vector_is_an_error_and_no_similarity_of_zero(ann: Door) -> None:
    """A node that was never embedded cannot be compared; nothing is written."""
    (node,) = ann.graph.store.resolve(TITLES[0], limit=1)
    from dataclasses import replace

    bare = replace(node, title="Bare", version=node.version + 1)
    ann.graph.store.commit(
        Batch(
            id="bare",
            call=ann.graph.call("test"),
            operations=(SaveNode(node=bare, expect=node.version, passages=()),),
        )
    )
    head = ann.graph.log.head()
    with pytest.raises(Unavailable, match="No vector yet for «Bare»"):
        connect(ann.graph, source="Bare")
    assert ann.graph.log.head() == head


def test_many_are_one_batch_and_later_ones_see_the_earlier(ann: Door) -> None:
    """The progress is told; the second of a pair is a duplicate of the first."""
    from dataclasses import replace

    told: list[tuple[int, int]] = []
    wish = ConnectRequest(source=TITLES[0], target=TITLES[2], type="bridges", evidence=FITTING)
    call = replace(ann.graph.call("learn"), progress=lambda done, total, _: told.append((done, total)))
    first, second, third = ann.graph.learn.connect_all((wish, wish, replace(wish, type="refutes")), call)
    assert isinstance(second, Refused)
    assert second.existing == first.learned_id  # type: ignore[union-attr]
    assert first.batch == third.batch != ""
    assert told == [(1, 3), (2, 3), (3, 3)]


# ---- superseding


def test_a_learned_supersedes_marks_its_target_and_deleting_it_takes_that_back(ann: Door) -> None:
    """In the same transaction, as everywhere; with another type it is taken back too."""

    def status() -> Status:
        return ann.graph.store.resolve(TITLES[2], limit=1)[0].status

    made = connect(ann.graph, type="supersedes")
    assert status() is Status.SUPERSEDED
    ann.graph.learn.delete(made.learned_id, ann.graph.call("learn"), cascade=False)
    assert status() is Status.ACTIVE
    again = connect(ann.graph, type="uses")
    ann.graph.learn.update(LearnedUpdate(learned_id=again.learned_id, type="supersedes"), ann.graph.call("learn"))
    assert status() is Status.SUPERSEDED
    ann.graph.learn.update(LearnedUpdate(learned_id=again.learned_id, type="bridges"), ann.graph.call("learn"))
    assert status() is Status.ACTIVE


# ---- strength


def test_use_of_both_ends_strengthens_and_is_that_of_the_less_used(ann: Door) -> None:
    """A search that finds one end is no use of the connection."""
    made = connect(ann.graph, evidence=STRANGE)
    before = entry(ann.graph, made.learned_id)
    for _ in range(5):
        ann.call("fetch", id=TITLES[0])
    ann.graph.usage.uses([])
    assert entry(ann.graph, made.learned_id).tally.uses == 0
    for _ in range(3):
        ann.call("fetch", id=TITLES[2])
    after = entry(ann.graph, made.learned_id)
    assert after.tally.uses == 3
    assert after.tally.strength > before.tally.strength
    assert after.tally.strength == pytest.approx(strength(similarity=before.similarity or 0, uses=3), abs=1e-4)


def test_what_speaks_against_a_concept_weakens_it(ann: Door) -> None:
    """A node that contradicts the synthesis."""
    made = ann.call(
        "create_synthesis_concept",
        label="Open figures",
        search_terms=["open"],
        ontology="Ideas",
        bridges_concepts=[TITLES[0], TITLES[3]],
        evidence=FITTING,
    )
    before = entry(ann.graph, made["learned_id"]).tally
    ann.call("relate", source=TITLES[1], target="Open figures", type="contradicts", reasoning="They are closed.")
    after = entry(ann.graph, made["learned_id"]).tally
    assert (before.conflicts, after.conflicts) == (0, 1)
    assert after.strength < before.strength


def test_a_conflict_is_asked_about_once_and_a_decision_sticks(ann: Door) -> None:
    """Stated, deleted and stated again under other ids: each pair of items has its own question, asked once."""
    connect(ann.graph, type="supports")
    against = connect(ann.graph, type="refutes")
    query = SuggestionQuery(page=Page(limit=50))
    first = [each for each in ann.graph.store.suggestions(query)[0] if against.learned_id in each.summary]
    assert len(first) == 1
    ann.graph.learn.update(
        LearnedUpdate(learned_id=against.learned_id, evidence="Other evidence against it."), ann.graph.call("learn")
    )
    again = [each for each in ann.graph.store.suggestions(query)[0] if against.learned_id in each.summary]
    assert [each.id for each in again] == [each.id for each in first]


# ---- odd states


def test_an_item_whose_end_was_forgotten_is_listed_no_more_and_returns_with_it(ann: Door) -> None:
    """Forgetting takes relations along, undo brings them back, and with them the item."""
    ann.call("capture", content="Open books show every figure.", title="Open books", kind="concept")
    made = connect(ann.graph, source="Open books")
    gone = ann.call("forget", id="Open books", confirm=True)
    with pytest.raises(NotFound):
        entry(ann.graph, made.learned_id)
    assert ann.graph.learn.entries(LearnedQuery()).total == 0
    ann.graph.curate.undo(gone["batch"], ann.graph.call("undo"))
    assert entry(ann.graph, made.learned_id).evidence == FITTING


def test_a_synthesis_that_was_merged_away_answers_to_its_ids_and_keeps_its_item(ann: Door) -> None:
    """Its relations and evidence moved to the node that stays; both handles still name it."""
    ann.call("capture", content="Open figures everywhere.", title="Open books", kind="concept", ontology="Ideas")
    made = ann.call(
        "create_synthesis_concept",
        label="Open figures",
        search_terms=["open"],
        ontology="Ideas",
        bridges_concepts=[TITLES[0], TITLES[3]],
        evidence=FITTING,
    )
    from weft.testing.making import a_suggestion

    store = ann.graph.store
    keep, merge = (store.resolve(title, limit=1)[0] for title in ("Open books", "Open figures"))
    question = a_suggestion("same", keep, merge, proposal={"merge": {"keep": keep.id, "merge": merge.id}})
    call = ann.graph.call("test")
    store.commit(Batch(id="ask", call=call, operations=(SaveSuggestion(suggestion=question),)))
    decided = ann.call("review", decide=[{"item": question.id, "decision": "accept"}])["decided"]
    assert [each["result"] for each in decided] == ["accepted"]
    assert entry(ann.graph, made["learned_id"]).connections[0].source == "Open books"
    assert store.resolve(made["concept_id"], limit=1)[0].id == keep.id
    after = ann.graph.learn.update(
        LearnedUpdate(learned_id=made["learned_id"], evidence=STRANGE), ann.graph.call("learn")
    )
    assert after.leap == "HIGH"
    assert ann.call("export_learned_knowledge", format="json")["items"] == 1
    gone = ann.graph.learn.delete(made["learned_id"], ann.graph.call("learn"), cascade=True)
    assert (gone.relations, gone.sources, gone.concepts) == (2, 1, 0)
    assert store.resolve("Open books", limit=1)[0].id == keep.id


def test_a_relation_that_a_document_states_meanwhile_stays_without_its_learned_id(ann: Door) -> None:
    """It belongs to the document now: deleting the learned item takes the evidence only, and says so."""
    from dataclasses import replace

    from weft.model import Origin, SaveRelation

    made = connect(ann.graph, type="depends_on")
    (relation,) = ann.graph.learned.items([made.learned_id])[made.learned_id].relations
    said = replace(relation, origin=Origin.DOCUMENT, version=relation.version + 1)
    ann.graph.store.commit(
        Batch(
            id="said",
            call=ann.graph.call("ingest"),
            operations=(SaveRelation(relation=said, expect=relation.version),),
        )
    )
    with pytest.raises(Conflict, match="document states DEPENDS_ON"):
        ann.graph.learn.update(LearnedUpdate(learned_id=made.learned_id, type="uses"), ann.graph.call("learn"))
    gone = ann.graph.learn.delete(made.learned_id, ann.graph.call("learn"), cascade=True)
    assert (gone.relations, gone.sources) == (0, 1)
    assert "a document states it too" in gone.warning
    standing = [each for each in ann.graph.store.relations([relation.source]) if each.id == relation.id]
    assert [each.learned_id for each in standing] == [""]


def test_the_engine_itself_refuses_a_deletion_that_reaches_for_a_document(ann: Door, tmp_path: Path) -> None:
    """Whatever code asks: relation, evidence and node of a document stay while a batch spares them."""
    from weft.model import RemoveEvidence, RemoveRelation, Retirement

    before = document_hashes(ann.graph)
    (node,) = ann.graph.store.resolve(TITLES[0], limit=1)
    relation = next(each for each in ann.graph.store.relations([node.id]) if each.origin == "document")
    evidence = ann.graph.store.evidence([node.id])[0]
    from dataclasses import replace

    call = ann.graph.call("delete_learned_knowledge")
    retired = replace(node, retired=Retirement(at=call.at, by="ann"), version=node.version + 1)
    for operation in (
        RemoveRelation(id=relation.id, expect=relation.version),
        RemoveEvidence(id=evidence.id, expect=evidence.version),
        SaveNode(node=retired, expect=node.version),
    ):
        with pytest.raises(PermissionDenied, match="document"):
            ann.graph.store.commit(Batch(id="x", call=call, operations=(operation,)))
    assert document_hashes(ann.graph) == before
    assert tmp_path.exists()


def test_the_verbs_are_those_that_the_tools_call() -> None:
    """One shared module, so that command line and agents cannot differ."""
    names = {name for name in vars(verbs.Learn) if not name.startswith("_")}
    assert names == {"connect", "connect_all", "update", "delete", "entries", "rate", "export", "take_in"}
