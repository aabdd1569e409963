"""The scenarios of the Learned Knowledge Synthesis plan, told from its first question to its last answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from doors import Door, door
from learning import FITTING, STRANGE, copied, document_hashes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SENSIBLE, SIGNAL = "Sensible Transparency", "Signal Transparency Score"
REASONING, METRICS = "Data-Driven Reasoning", "Metrics Pillar"


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """Aaron's graph, with what two documents of two ontologies say."""
    with door(copied(tmp_path), actor="aaron") as opened:
        yield opened


def test_an_agent_discovers_a_connection_and_the_user_agrees(ann: Door) -> None:
    """Example 1: candidates at a bar below the default, the best pair proposed, and the bridge made with its leap."""
    found = ann.call(
        "find_bridge_candidates",
        ontology1="Governed Agility",
        ontology2="Role Based Intelligence",
        min_similarity=0.6,
    )
    best = max(found["candidates"], key=lambda each: each["similarity"])
    assert {best["concept1"]["label"], best["concept2"]["label"]} <= {SENSIBLE, SIGNAL, REASONING, METRICS}
    action = next(each for each in found["suggested_next_actions"] if each["tool"] == "create_learned_relationship")
    made = ann.call(action["tool"], **action["arguments"], evidence=FITTING)
    assert made["relationship_type"] == "BRIDGES"
    assert made["cognitive_leap"] in {"LOW", "MEDIUM"}
    again = ann.call(
        "find_bridge_candidates",
        ontology1="Governed Agility",
        ontology2="Role Based Intelligence",
        min_similarity=0.6,
    )
    joined = {made["from_concept"]["id"], made["to_concept"]["id"]}
    assert joined not in [{each["concept1"]["id"], each["concept2"]["id"]} for each in again["candidates"]]


def test_a_user_creates_a_synthesis_concept_that_bridges_two_ontologies(ann: Door) -> None:
    """Example 2: «Quantitative Governance», in an ontology that did not exist, joined to both and found in search."""
    made = ann.call(
        "create_synthesis_concept",
        label="Quantitative Governance",
        search_terms=["metrics", "data-driven", "quantitative", "governance"],
        ontology="Cross-Ontology-Bridges",
        bridges_concepts=[REASONING, METRICS],
        evidence="Synthesis connecting data-driven governance with quantifiable signals",
        creator="aaron",
    )
    assert "Cross-Ontology-Bridges" in ann.call("status", detail="detailed")["counts"]["nodes_by_ontology"]
    hits = ann.call("search", query="quantitative governance by metrics")["hits"]
    assert hits[0]["title"] == "Quantitative Governance"
    traced = ann.call("trace", start=REASONING, end=METRICS)
    assert [step["title"] for step in traced["trail"]] == [REASONING, "Quantitative Governance", METRICS]
    node = ann.graph.store.resolve(made["concept_id"], limit=1)[0]
    assert (node.created_by, node.learned_id) == ("aaron", made["learned_id"])


def test_a_user_reviews_what_leaps_high_and_deletes_one(ann: Door) -> None:
    """Example 3: of two HIGH items one goes; the other, and everything that documents say, stays as it was."""
    before = document_hashes(ann.graph)
    kept = _connect(ann, METRICS, STRANGE)
    gone = _connect(ann, SIGNAL, STRANGE)
    _connect(ann, REASONING, FITTING, "USES", creator="claude-mcp")
    high = ann.call("list_learned_knowledge", creator="aaron", cognitive_leap="HIGH")
    assert [row["learned_id"] for row in high["learned_knowledge"]] == [gone, kept]
    answer = ann.call("delete_learned_knowledge", learned_id=gone)
    assert (answer["deleted_relationships"], answer["cascade_deleted_concepts"]) == (1, 0)
    left = ann.call("list_learned_knowledge", creator="aaron", cognitive_leap="HIGH")
    assert [row["learned_id"] for row in left["learned_knowledge"]] == [kept]
    assert document_hashes(ann.graph) == before


def test_paths_use_learned_edges_and_documents_only_hides_them(ann: Door) -> None:
    """The step says that it was learned; in scope documents there is no way."""
    apart = ann.call("trace", start=SENSIBLE, end=SIGNAL)
    assert apart["connected"] is False
    _connect(ann, SIGNAL, FITTING)
    traced = ann.call("trace", start=SENSIBLE, end=SIGNAL)
    assert traced["path_length"] == 1
    step = traced["trail"][0]["relation_to_next"]
    assert (step["type"], step["origin"], step["reasoning"]) == ("bridges", "learned", FITTING)
    assert ann.call("trace", start=SENSIBLE, end=SIGNAL, scope="documents")["connected"] is False


def test_a_path_of_learned_edges_alone_joins_what_documents_say(ann: Door) -> None:
    """Whatever is at their ends, and by no relation that somebody else made."""
    ann.call("relate", source=SENSIBLE, target=SIGNAL, type="affects", reasoning="A score follows from it.")
    assert ann.call("trace", start=SENSIBLE, end=SIGNAL, scope="learned")["connected"] is False
    _connect(ann, SIGNAL, FITTING)
    step = ann.call("trace", start=SENSIBLE, end=SIGNAL, scope="learned")["trail"][0]["relation_to_next"]
    assert (step["type"], step["origin"]) == ("bridges", "learned")


def test_searches_find_synthesis_concepts_and_scopes_tell_them_apart(ann: Door) -> None:
    """All: both; learned: the synthesis only; documents: everything else."""
    ann.call(
        "create_synthesis_concept",
        label="Measured transparency",
        search_terms=["visible data", "figure"],
        ontology="Ideas",
        bridges_concepts=[SENSIBLE, SIGNAL],
        evidence=FITTING,
    )

    def titles(scope: str) -> set[str]:
        return {hit["title"] for hit in ann.call("search", query="transparency of visible data", scope=scope)["hits"]}

    assert {"Measured transparency", SENSIBLE, SIGNAL} <= titles("all")
    assert titles("learned") == {"Measured transparency"}
    assert "Measured transparency" not in titles("documents")
    assert SENSIBLE in titles("documents")


def test_learned_knowledge_persists_across_sessions(tmp_path: Path) -> None:
    """Made, the process gone, the graph opened again: the same list, the same paths, the next number."""
    with door(copied(tmp_path), actor="aaron") as first:
        made = _connect(first, SIGNAL, FITTING)
        listed = first.call("list_learned_knowledge")
    with door(tmp_path, actor="bea") as second:
        assert second.call("list_learned_knowledge") == listed
        assert second.call("trace", start=SENSIBLE, end=SIGNAL)["connected"] is True
        wish = {"from_concept_id": SENSIBLE, "to_concept_id": METRICS, "relationship_type": "USES"}
        following = second.call("create_learned_relationship", **wish, evidence=FITTING)
        assert following["learned_id"] == f"{made[:-3]}002"


def test_deleting_removes_the_edge_from_paths_and_keeps_both_concepts(ann: Door) -> None:
    """Created, present, used in a path, deleted, gone; the concepts stay, and rollback returns it."""
    made = _connect(ann, SIGNAL, FITTING)
    assert ann.call("fetch", id=SENSIBLE)["relations"]["bridges"][0]["learned_id"] == made
    gone = ann.call("delete_learned_knowledge", learned_id=made)
    assert ann.call("trace", start=SENSIBLE, end=SIGNAL)["connected"] is False
    assert ann.call("fetch", id=SIGNAL)["node"]["status"] == "active"
    ann.graph.curate.undo(gone["batch"], ann.graph.call("undo"))
    assert ann.call("trace", start=SENSIBLE, end=SIGNAL)["connected"] is True


def test_provenance_tells_who_when_and_why(ann: Door) -> None:
    """In the list, in the node's evidence, and in the log."""
    made = ann.call(
        "create_synthesis_concept",
        label="Measured transparency",
        search_terms=["figure"],
        ontology="Ideas",
        bridges_concepts=[SENSIBLE, SIGNAL],
        evidence=FITTING,
        creator="claude-code",
    )
    (row,) = ann.call("list_learned_knowledge")["learned_knowledge"]
    assert (row["created_by"], row["evidence"]) == ("claude-code", FITTING)
    fetched = ann.call("fetch", id=made["concept_id"])
    (piece,) = fetched["evidence"]
    assert (piece["quote"], piece["document"]) == (FITTING, "AI synthesis")
    assert fetched["history"][0]["actor"] == "aaron"


def test_a_drawing_of_what_was_learned_can_be_shared(ann: Door, tmp_path: Path) -> None:
    """Curated here, exported, imported into a colleague's graph, and used in a path there."""
    made = _connect(ann, SIGNAL, FITTING)
    text = ann.call("export_learned_knowledge", format="json")["text"]
    with door(copied(tmp_path / "bea"), actor="bea") as bea:
        assert bea.call("trace", start=SENSIBLE, end=SIGNAL)["connected"] is False
        taken = bea.call("import_learned_knowledge", format="json", text=text, creator_map={"aaron": "bea"})
        assert taken["learned_ids"] == [made]
        assert bea.call("trace", start=SENSIBLE, end=SIGNAL)["connected"] is True


def _connect(ann: Door, target: str, evidence: str, type_: str = "BRIDGES", creator: str = "aaron") -> str:
    made = ann.call(
        "create_learned_relationship",
        from_concept_id=SENSIBLE,
        to_concept_id=target,
        relationship_type=type_,
        evidence=evidence,
        creator=creator,
    )
    return str(made["learned_id"])
