"""What was learned of two nodes that become one: every learned id still answers, and parting brings back what was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from services.merged import Bench, bench
from weft.errors import Conflict, NotFound
from weft.model import (
    ConnectRequest,
    ExportRequest,
    ImportRequest,
    LearnedExport,
    LearnedImport,
    LearnedQuery,
    LearnedUpdate,
    SynthesizeRequest,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.model import LearnedEntry, Node

ONE, TWO = "Kilns need clay that is dry.", "Ovens for clay need it dry as well."


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Bench]:
    """An empty graph."""
    with bench(tmp_path) as graph:
        yield graph


def learn(kept: Bench, source: Node, target: Node, evidence: str, **fields: Any) -> str:  # noqa: ANN401 - of a wish
    """Learn a relation, and return its learned id."""
    wish = ConnectRequest(source=source.id, target=target.id, evidence=evidence, **{"type": "bridges"} | fields)
    return kept.graph.learn.connect(wish, kept.graph.call("learn")).learned_id


def rate(kept: Bench, learned_id: str, vote: str) -> None:
    """Vote on an item."""
    kept.graph.learn.rate(learned_id, vote, "Seen.", kept.graph.call("rate"))


def entry(kept: Bench, learned_id: str) -> LearnedEntry:
    """Return the one item of this id as it is listed."""
    (found,) = kept.graph.learn.entries(LearnedQuery(learned_id=learned_id)).entries
    return found


def both(kept: Bench) -> tuple[Node, Node, Node, str, str]:
    """Make two nodes, each with a learned relation of one type to the same third, and a vote on each."""
    keep, merge, clay = kept.add("Kiln"), kept.add("Clay oven"), kept.add("Clay")
    first, second = learn(kept, keep, clay, ONE), learn(kept, merge, clay, TWO)
    rate(kept, first, "up")
    rate(kept, second, "down")
    return keep, merge, clay, first, second


def everything(kept: Bench) -> dict[str, Any]:
    """Return all that stands, with the learned items and the votes on them."""
    found = kept.graph.learned.find(LearnedQuery())
    ids = [item.learned_id for item in found.items]
    learned = {
        item.learned_id: ([each.id for each in item.relations], item.evidence and item.evidence.id)
        for item in found.items
    }
    return kept.whole() | {"learned": learned, "votes": kept.graph.learned.votes(ids)}


def test_both_learned_ids_answer_after_their_nodes_became_one(kept: Bench) -> None:
    """One relation stands for both; each keeps its own evidence and its own votes, and can be voted on."""
    keep, merge, clay, first, second = both(kept)
    kept.merge(keep, merge)
    assert list(kept.types(keep, clay)) == ["bridges"]
    for learned_id, evidence, votes in ((first, ONE, (1, 0)), (second, TWO, (0, 1))):
        found = entry(kept, learned_id)
        assert (found.learned_id, found.evidence) == (learned_id, evidence)
        assert (found.tally.up, found.tally.down) == votes
        assert [(each.source, each.target) for each in found.connections] == [("Kiln", "Clay")]
    rate(kept, second, "up")
    assert (entry(kept, second).tally.up, entry(kept, first).tally.up) == (1, 1)
    listed = kept.graph.learn.entries(LearnedQuery(ontology=keep.ontology))
    assert ({each.learned_id for each in listed.entries}, listed.total) == ({first, second}, 2)
    assert not kept.graph.keeping.doctor(kept.graph.call()).findings


def test_parting_brings_both_learned_relations_back_exactly(kept: Bench) -> None:
    """With evidence, votes and ids; undoing the batch does the same."""
    keep, merge, _, _, second = both(kept)
    before = everything(kept)
    kept.merge(keep, merge)
    kept.part(merge)
    assert everything(kept) == before
    done = kept.merge(keep, merge)
    assert entry(kept, second).connections[0].source == "Kiln"
    kept.graph.curate.undo(done.batch, kept.graph.call("undo"))
    assert everything(kept) == before


@pytest.mark.parametrize("gone", [0, 1])
def test_deleting_one_of_two_that_share_a_relation_leaves_the_other(kept: Bench, gone: int) -> None:
    """The answer says so; parting does not bring the deleted one back, and undoing the deletion does."""
    keep, merge, clay, *ids = both(kept)
    kept.merge(keep, merge)
    before = everything(kept)
    left = ids[1 - gone]
    done = kept.graph.learn.delete(ids[gone], kept.graph.call("learn"), cascade=True)
    assert (done.relations, done.sources) == (0, 1)
    assert f"BRIDGES stays between the two: {left} states it too." in done.warning
    assert entry(kept, left).tally.up + entry(kept, left).tally.down == 1
    with pytest.raises(NotFound):
        entry(kept, ids[gone])
    kept.graph.curate.undo(done.batch, kept.graph.call("undo"))
    assert everything(kept) == before
    kept.graph.learn.delete(ids[gone], kept.graph.call("learn"), cascade=True)
    kept.part(merge)
    ends = (keep, merge)
    assert set(kept.types(ends[1 - gone], clay)) == {"bridges"}
    assert not kept.types(ends[gone], clay)
    assert entry(kept, left).connections[0].source == ends[1 - gone].title
    assert kept.graph.learned.find(LearnedQuery()).total == 1


def test_the_type_of_a_relation_that_two_items_share_is_not_changed_for_both(kept: Bench) -> None:
    """Evidence is each one's own, and what the other rests on stays as it was."""
    keep, merge, _, first, second = both(kept)
    kept.merge(keep, merge)
    for learned_id in (first, second):
        wish = LearnedUpdate(learned_id=learned_id, type="uses")
        with pytest.raises(Conflict, match="states the same relation"):
            kept.graph.learn.update(wish, kept.graph.call("learn"))
    (before,) = kept.graph.learned.items([first])[first].relations
    kept.graph.learn.update(LearnedUpdate(learned_id=second, evidence=f"{TWO} Always."), kept.graph.call("learn"))
    assert entry(kept, second).evidence == f"{TWO} Always."
    assert (entry(kept, first).evidence, kept.graph.learned.items([first])[first].relations) == (ONE, (before,))


def test_what_was_learned_of_the_one_that_goes_stays_learned_where_the_other_only_said_it(kept: Bench) -> None:
    """The relation that stays takes the learned id over, and gives it back."""
    keep, merge, clay = kept.add("Kiln"), kept.add("Clay oven"), kept.add("Clay")
    kept.join(keep, clay, "bridges")
    learned_id = learn(kept, merge, clay, TWO)
    rate(kept, learned_id, "up")
    before = everything(kept)
    kept.merge(keep, merge)
    found = entry(kept, learned_id)
    assert (found.evidence, found.tally.up, found.connections[0].source) == (TWO, 1, "Kiln")
    kept.part(merge)
    assert everything(kept) == before


def test_a_synthesis_of_the_very_same_nodes_answers_after_it_was_merged_into_the_other(
    kept: Bench, tmp_path: Path
) -> None:
    """Both items show the concept that stays, each with its own evidence; elsewhere each becomes a concept again."""
    clay, heat = kept.add("Clay"), kept.add("Heat")
    made = [
        kept.graph.synthesize.synthesize(
            SynthesizeRequest(label=label, bridges=(clay.id, heat.id), evidence=said), kept.graph.call("learn")
        )
        for label, said in (("Firing", ONE), ("Baking clay", TWO))
    ]
    before = everything(kept)
    kept.merge(made[0].node, made[1].node)
    for one, said in zip(made, (ONE, TWO), strict=True):
        found = entry(kept, one.learned_id)
        assert (found.evidence, {each.source for each in found.connections}) == (said, {"Firing"})
        assert {each.target for each in found.connections} == {"Clay", "Heat"}
    text = kept.graph.learn.export(LearnedExport(format="json")).text
    with bench(tmp_path / "other") as other:
        _ = [other.add(title) for title in ("Clay", "Heat")]
        taken = other.graph.learn.take_in(LearnedImport(format="json", text=text), other.graph.call("import"))
        assert len(taken.written) == 2
        assert len({entry(other, each).concept for each in taken.written}) == 2
        assert [entry(other, one.learned_id).evidence for one in made] == [ONE, TWO]
    kept.part(made[1].node)
    assert everything(kept) == before


def test_what_shares_a_relation_travels_with_its_own_evidence_and_votes(kept: Bench, tmp_path: Path) -> None:
    """As learned knowledge into another graph that has the nodes, and as a whole copy."""
    keep, merge, _, first, second = both(kept)
    kept.merge(keep, merge)
    text = kept.graph.learn.export(LearnedExport(format="json")).text
    copy = tmp_path / "copy.jsonl"
    kept.graph.transfer.export(ExportRequest(path=copy, format="jsonl"), kept.graph.call("export"))
    with bench(tmp_path / "other") as other:
        for title in ("Kiln", "Clay"):
            other.add(title)
        taken = other.graph.learn.take_in(LearnedImport(format="json", text=text), other.graph.call("import"))
        assert (set(taken.written), taken.skipped) == ({first, second}, ())
        assert [(entry(other, each).evidence) for each in (first, second)] == [ONE, TWO]
        assert (entry(other, first).tally.up, entry(other, second).tally.down) == (1, 1)
        again = other.graph.learn.take_in(LearnedImport(format="json", text=text), other.graph.call("import"))
        assert (again.written, {why for _, why in again.skipped}) == ((), {"it is here already"})
    with bench(tmp_path / "whole") as whole:
        whole.graph.transfer.import_(ImportRequest(path=copy, format="jsonl"), whole.graph.call("import"))
        assert everything(whole)["learned"] == everything(kept)["learned"]
        assert everything(whole)["votes"] == everything(kept)["votes"]
        whole.part(merge)
        assert entry(whole, second).connections[0].source == "Clay oven"
