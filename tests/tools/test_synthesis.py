"""The synthesis tools through the gate: what each takes, answers and refuses, and every figure it reports."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

from doors import Door, door
from learning import FITTING, STRANGE, copied, document_hashes
from weft.errors import (
    Ambiguous,
    Conflict,
    Duplicate,
    InvalidArgument,
    NotFound,
    PermissionDenied,
)
from weft.model import IngestRequest, Tier
from weft.tools.gate import call
from weft.tools.synthesis import ROWS, USAGE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """A graph that took in two documents of two ontologies."""
    with door(copied(tmp_path), roots=str(tmp_path)) as opened:
        yield opened


def connect(ann: Door, **changes: object) -> dict[str, Any]:
    """Connect the two transparencies, with ``changes``."""
    wish: dict[str, object] = {
        "from_concept_id": "Sensible Transparency",
        "to_concept_id": "Signal Transparency Score",
        "relationship_type": "BRIDGES",
        "evidence": FITTING,
    }
    return ann.call("create_learned_relationship", **(wish | changes))


def conceive(ann: Door, **changes: object) -> dict[str, Any]:
    """Synthesize the example's concept, with ``changes``."""
    wish: dict[str, object] = {
        "label": "Quantitative Governance",
        "search_terms": ["metrics", "data-driven", "quantitative", "governance"],
        "ontology": "Cross-Ontology-Bridges",
        "bridges_concepts": ["Data-Driven Reasoning", "Metrics Pillar"],
        "evidence": "Data-driven reasoning and the metrics pillar both govern by figures that are measured.",
    }
    return ann.call("create_synthesis_concept", **(wish | changes))


def learned(ann: Door, **arguments: object) -> list[dict[str, Any]]:
    """Return what list_learned_knowledge lists."""
    rows: list[dict[str, Any]] = ann.call("list_learned_knowledge", **arguments)["learned_knowledge"]
    return rows


def heads(ann: Door) -> tuple[object, ...]:
    """Return what no failed call may change."""
    return ann.graph.store.counts(), ann.graph.log.head(), ann.graph.store.facts()["series"]


# ---- find_bridge_candidates


def test_find_bridge_candidates_proposes_the_pair_of_the_example(ann: Door) -> None:
    """At 0.80 the two transparencies come up, first side first, with a leap and no edge yet."""
    found = ann.call(
        "find_bridge_candidates",
        ontology1="Governed Agility",
        ontology2="Role Based Intelligence",
        min_similarity=0.6,
    )
    assert found["candidatesFound"] == len(found["candidates"]) > 0
    pairs = {(each["concept1"]["label"], each["concept2"]["label"]): each for each in found["candidates"]}
    best = pairs["Sensible Transparency", "Signal Transparency Score"]
    assert (best["concept1"]["ontology"], best["concept2"]["ontology"]) == (
        "Governed Agility",
        "Role Based Intelligence",
    )
    assert best["cognitive_leap"] in {"LOW", "MEDIUM", "HIGH"}
    assert best["has_existing_edge"] is False


def test_bridge_candidates_leave_out_joined_pairs_unless_they_are_asked_for(ann: Door) -> None:
    """include_existing flags them."""
    connect(ann)
    asked: dict[str, object] = {
        "ontology1": "Governed Agility",
        "ontology2": "Role Based Intelligence",
        "min_similarity": 0.0,
        "limit": 50,
    }
    pair = ("Sensible Transparency", "Signal Transparency Score")

    def flags(**more: object) -> dict[tuple[str, str], bool]:
        rows = ann.call("find_bridge_candidates", **(asked | more))["candidates"]
        return {(each["concept1"]["label"], each["concept2"]["label"]): each["has_existing_edge"] for each in rows}

    assert pair not in flags()
    assert flags(include_existing=True)[pair] is True


def test_bridge_candidates_below_the_bar_are_near_misses(ann: Door) -> None:
    """The default bar is 0.85; what falls below is counted, with the best of it and the bar."""
    found = ann.call("find_bridge_candidates", ontology1="Governed Agility", ontology2="Role Based Intelligence")
    assert found["near_misses"]["threshold"] == 0.85
    none = ann.call(
        "find_bridge_candidates",
        ontology1="Governed Agility",
        ontology2="Role Based Intelligence",
        min_similarity=1.0,
    )
    assert (none["candidatesFound"], none["candidates"]) == (0, [])
    assert none["near_misses"]["count"] > 0
    assert 0 < none["near_misses"]["best"] < 1
    assert none["suggested_next_actions"][0]["arguments"]["min_similarity"] == none["near_misses"]["best"]


def test_bridge_candidates_of_an_unknown_ontology_name_the_known_ones(ann: Door) -> None:
    """A typing error is answered with what there is."""
    with pytest.raises(NotFound, match="Governed Agility"):
        ann.call("find_bridge_candidates", ontology1="Agile", ontology2="Role Based Intelligence")


# ---- create_learned_relationship


def test_a_learned_relationship_answers_as_the_plan_says(ann: Door) -> None:
    """Every field of the plan's example, its values true of what was made."""
    made = connect(ann)
    assert re.fullmatch(r"learned_\d{4}-\d\d-\d\d_001", made["learned_id"])
    assert (made["from_concept"]["label"], made["to_concept"]["label"]) == (
        "Sensible Transparency",
        "Signal Transparency Score",
    )
    assert made["relationship_type"] == "BRIDGES"
    scores = made["similarity_scores"]
    assert set(scores) == {"evidence_to_from", "evidence_to_to"}
    assert made["minimum_similarity"] == min(scores.values())
    mean = sum(scores.values()) / 2
    assert made["cognitive_leap"] == ("LOW" if mean >= 0.85 else "MEDIUM" if mean >= 0.70 else "HIGH") != "HIGH"
    assert "warning" not in made


def test_a_high_leap_warns_in_the_plans_words_and_is_allowed(ann: Door) -> None:
    """Evidence that has nothing to do with either end."""
    made = connect(ann, evidence=STRANGE)
    assert made["cognitive_leap"] == "HIGH"
    assert "Unusual connection - low semantic similarity detected" in made["warning"]
    assert learned(ann)[0]["learned_id"] == made["learned_id"]


def test_evidence_about_one_end_only_warns_of_the_gap(ann: Door) -> None:
    """The minimum is reported, and the distance between the sides is a warning of its own."""
    made = connect(
        ann,
        to_concept_id="Metrics Pillar",
        evidence="Sensible transparency shows decisions, their data and their results to everybody whom they concern.",
    )
    scores = made["similarity_scores"]
    assert scores["evidence_to_from"] - scores["evidence_to_to"] > 0.15
    assert made["minimum_similarity"] == scores["evidence_to_to"]
    assert "one end only" in made["warning"]


def test_a_relationship_that_was_learned_already_is_a_duplicate_with_its_id(ann: Door) -> None:
    """Either way round, as it has no direction; nothing is written and no number is used up."""
    made = connect(ann)
    before = heads(ann)
    for ends in ({}, {"from_concept_id": "Signal Transparency Score", "to_concept_id": "Sensible Transparency"}):
        with pytest.raises(Duplicate) as caught:
            connect(ann, **ends, evidence="Something else entirely.")
        assert [each.id for each in caught.value.candidates] == [made["learned_id"]]
        assert made["learned_id"] in caught.value.message
    assert heads(ann) == before


def test_an_edge_that_a_document_states_is_a_duplicate_told_in_the_plans_words(ann: Door) -> None:
    """«Edge already exists via document extraction», with the id of what exists."""
    joined = ann.graph.store.relations([_id(ann, "Data-Driven Reasoning")])
    extracted = next(each for each in joined if each.origin == "document")
    before = heads(ann)
    with pytest.raises(Duplicate, match="Edge already exists via document extraction") as caught:
        connect(
            ann,
            from_concept_id=extracted.source,
            to_concept_id=extracted.target,
            relationship_type=extracted.type.upper(),
        )
    assert [each.id for each in caught.value.candidates] == [extracted.id]
    assert heads(ann) == before


def test_another_type_between_the_same_two_is_made_with_a_warning(ann: Door) -> None:
    """What a document states of them is said, and what was learned."""
    joined = ann.graph.store.relations([_id(ann, "Data-Driven Reasoning")])
    extracted = next(each for each in joined if each.origin == "document")
    made = connect(ann, from_concept_id=extracted.source, to_concept_id=extracted.target)
    assert f"Edge already exists via document extraction: {extracted.type.upper()}." in made["warning"]
    again = connect(
        ann, from_concept_id=extracted.source, to_concept_id=extracted.target, relationship_type="LEARNED_CONNECTION"
    )
    assert made["learned_id"] in again["warning"]
    assert len(learned(ann)) == 2


def test_any_registered_type_connects_and_any_other_is_refused_with_the_list(ann: Door) -> None:
    """In the plan's upper case; a name with a quote or a bracket in it is no type, and the store is as it was."""
    assert connect(ann, relationship_type="supports")["relationship_type"] == "SUPPORTS"
    assert connect(ann, relationship_type="RELATED_TO")["relationship_type"] == "RELATES_TO"
    before = heads(ann)
    for name in ("NONSENSE", "BRIDGES]->(x) DETACH DELETE x //", "'; DROP TABLE relation; --", 'BRIDGES"', "BRIDGES`"):
        with pytest.raises(InvalidArgument, match=r"relationship_type.*LEARNED_CONNECTION"):
            connect(ann, relationship_type=name)
    assert heads(ann) == before


@pytest.mark.parametrize(
    ("changes", "error", "said"),
    [
        ({"from_concept_id": "Nowhere"}, NotFound, "from_concept_id «Nowhere»"),
        ({"to_concept_id": "Nowhere"}, NotFound, "to_concept_id «Nowhere»"),
        ({"to_concept_id": "Sensible Transparency"}, InvalidArgument, "the same node"),
        ({"evidence": "  "}, InvalidArgument, "evidence"),
        ({"creator": "mallory"}, InvalidArgument, "ann, claude-mcp, claude-code"),
        ({"creator": ""}, None, ""),
        ({"nonsense": 1}, InvalidArgument, "no such argument"),
    ],
)
def test_a_failed_edge_leaves_no_orphan_source_behind(
    ann: Door, changes: dict[str, object], error: type[Exception] | None, said: str
) -> None:
    """Missing concepts, evidence that says nothing, unknown creators: nothing is written, no number is taken."""
    before = heads(ann)
    if error is not None:
        with pytest.raises(error, match=said):
            connect(ann, **changes)
        assert heads(ann) == before
    assert connect(ann)["learned_id"].endswith("_001")


def test_creators_are_the_caller_the_agents_and_the_registered_names(tmp_path: Path) -> None:
    """An agent by default; «AI synthesis» or «User synthesis» says which wrote the evidence."""
    with door(tmp_path, creators="bea, cleo ,bea") as opened:
        for title in ("One", "Two"):
            opened.call("capture", content=f"{title} of them is here.", title=title, kind="concept")
        types = ("BRIDGES", "LEARNED_CONNECTION", "SUPPORTS", "USES", "FOLLOWS")
        for creator, type_ in zip((None, "ann", "claude-code", "bea", "cleo"), types, strict=True):
            wish = {"from_concept_id": "One", "to_concept_id": "Two", "evidence": "One and two.", "creator": creator}
            opened.call("create_learned_relationship", **wish, relationship_type=type_)
        found = opened.graph.learned.find(_everything()).items
        sources = opened.graph.store.sources([item.evidence.source for item in found])
        said = [(item.evidence.creator, sources[item.evidence.source].document) for item in reversed(found)]
        assert said == [
            ("claude-mcp", "AI synthesis"),
            ("ann", "User synthesis"),
            ("claude-code", "AI synthesis"),
            ("bea", "User synthesis"),
            ("cleo", "User synthesis"),
        ]


def test_the_evidence_is_kept_whole_as_a_learned_source(ann: Door) -> None:
    """Type LEARNED, paragraph 0, the full text, who gave it, its similarity and its leap: the plan's source."""
    made = connect(ann)
    item = ann.graph.learned.items([made["learned_id"]])[made["learned_id"]]
    source = ann.graph.store.sources([item.evidence.source])[item.evidence.source]
    assert (source.type, source.document, source.text) == ("LEARNED", "AI synthesis", FITTING)
    assert (item.evidence.paragraph, item.evidence.quote, item.evidence.creator) == (0, FITTING, "claude-mcp")
    scores = made["similarity_scores"].values()
    assert item.evidence.similarity == pytest.approx(sum(scores) / 2, abs=1e-4)
    assert item.evidence.leap == made["cognitive_leap"]
    (relation,) = item.relations
    assert (relation.origin, relation.learned_id, relation.created_by) == ("learned", made["learned_id"], "claude-mcp")


def test_ends_are_named_by_title_id_prefix_handle_and_learned_id(ann: Door) -> None:
    """A learned id names the concept that it made; one that made a relation says what it joins."""
    made = conceive(ann)
    node = _id(ann, "Sensible Transparency")
    for number, (name, type_) in enumerate(
        ((made["concept_id"], "BRIDGES"), (made["learned_id"], "USES"), ("quantitative governance", "SUPPORTS"))
    ):
        joined = connect(ann, from_concept_id=node[: 36 - number], to_concept_id=name, relationship_type=type_)
        assert joined["to_concept"]["label"] == "Quantitative Governance"
    relation = connect(ann)
    with pytest.raises(InvalidArgument, match="is a relation, bridges, and no node"):
        connect(ann, from_concept_id=relation["learned_id"])


def test_an_ambiguous_end_is_refused_with_its_candidates(ann: Door) -> None:
    """Two nodes of one title: both are listed."""
    for ontology in ("x", "y"):
        ann.call("capture", content=f"Twin of {ontology}, quite another one.", title="Twin", ontology=ontology)
    with pytest.raises(Ambiguous) as caught:
        connect(ann, from_concept_id="Twin")
    assert len(caught.value.candidates) == 2


def test_from_and_to_come_back_as_they_were_named(ann: Door) -> None:
    """Although a type without direction is stored in one order only."""
    titles = ("Sensible Transparency", "Metrics Pillar")
    for one, other, type_ in ((*titles, "BRIDGES"), (*reversed(titles), "LEARNED_CONNECTION")):
        connect(ann, from_concept_id=one, to_concept_id=other, relationship_type=type_)
        assert learned(ann)[0]["connections"] == [{"from": one, "to": other, "type": type_}]


# ---- create_synthesis_concept


def test_a_synthesis_concept_answers_as_the_plan_says(ann: Door) -> None:
    """In an ontology that is made by it; one score an original; its leap is that of their mean."""
    made = conceive(ann)
    assert re.fullmatch(r"synthesis_\d{4}-\d\d-\d\d_001", made["concept_id"])
    assert re.fullmatch(r"learned_\d{4}-\d\d-\d\d_001", made["learned_id"])
    assert (made["label"], made["ontology"]) == ("Quantitative Governance", "Cross-Ontology-Bridges")
    assert [each["label"] for each in made["bridges"]] == ["Data-Driven Reasoning", "Metrics Pillar"]
    assert len(made["similarity_scores"]) == 2
    assert made["minimum_similarity"] == min(made["similarity_scores"])
    mean = sum(made["similarity_scores"]) / 2
    assert made["cognitive_leap"] == ("LOW" if mean >= 0.85 else "MEDIUM" if mean >= 0.70 else "HIGH")


def test_a_synthesis_concept_is_evidenced_by_its_source_and_synthesized_from_each_original(ann: Door) -> None:
    """It is embedded from label and search terms, and found by them."""
    made = conceive(ann)
    fetched = ann.call("fetch", id=made["concept_id"])
    assert {each["title"] for each in fetched["relations"]["synthesized_from"]} == {
        "Data-Driven Reasoning",
        "Metrics Pillar",
    }
    assert fetched["evidence"][0]["paragraph"] == 0
    assert fetched["node"]["origin"] == "learned"
    found = ann.call("search", query="quantitative metrics governance", scope="learned")
    assert [each["title"] for each in found["hits"]] == ["Quantitative Governance"]


def test_a_synthesis_of_one_is_refused_and_a_twin_is_a_duplicate(ann: Door) -> None:
    """Naming one original twice is naming one."""
    before = heads(ann)
    with pytest.raises(InvalidArgument, match="bridges_concepts"):
        conceive(ann, bridges_concepts=["Metrics Pillar"])
    with pytest.raises(InvalidArgument, match="1 different"):
        conceive(ann, bridges_concepts=["Metrics Pillar", "metrics pillar"])
    with pytest.raises(NotFound, match="bridges_concepts"):
        conceive(ann, bridges_concepts=["Metrics Pillar", "Nowhere"])
    assert heads(ann) == before
    made = conceive(ann)
    with pytest.raises(Duplicate) as caught:
        conceive(ann)
    assert made["learned_id"] in caught.value.message


@pytest.mark.parametrize("form", ["json", "csv"])
def test_a_relation_of_the_type_that_joins_syntheses_stays_a_relation(ann: Door, form: str, tmp_path: Path) -> None:
    """Of two nodes that stand: it is weighed against both, may change its type, and travels as what it is."""
    made = connect(ann, relationship_type="SYNTHESIZED_FROM", evidence=STRANGE)
    new = {"evidence": FITTING}
    after = ann.call("update_learned_knowledge", learned_id=made["learned_id"], updates=new)["new_similarity_scores"]
    assert after == connect(ann, relationship_type="USES", creator="ann")["similarity_scores"]
    text = ann.call("export_learned_knowledge", format=form, creator="claude-mcp")["text"]
    with door(copied(tmp_path / "other")) as other:
        taken = other.call("import_learned_knowledge", format=form, text=text)
        assert (taken["written"], taken["skipped"]) == (1, [])
        (row,) = learned(other)
        ends = {"from": "Sensible Transparency", "to": "Signal Transparency Score", "type": "SYNTHESIZED_FROM"}
        assert row["connections"] == [ends]
        assert "concept_id" not in row
    new = {"relationship_type": "EXTENDS"}
    changed = ann.call("update_learned_knowledge", learned_id=made["learned_id"], updates=new)
    assert changed["updated_fields"] == ["relationship_type"]


# ---- update_learned_knowledge


def test_new_evidence_is_scored_and_banded_anew(ann: Door) -> None:
    """From a HIGH leap to a lower one; the list shows the new state."""
    made = connect(ann, evidence=STRANGE)
    after = ann.call("update_learned_knowledge", learned_id=made["learned_id"], updates={"evidence": FITTING})
    assert after["updated_fields"] == ["evidence"]
    assert after["new_similarity_scores"] == connect(ann, relationship_type="USES")["similarity_scores"]
    assert (made["cognitive_leap"], after["version"]) == ("HIGH", 2)
    assert after["cognitive_leap"] != "HIGH"
    (row,) = learned(ann, learned_id=made["learned_id"])
    assert (row["evidence"], row["cognitive_leap"], row["version"]) == (FITTING, after["cognitive_leap"], 2)


def test_earlier_versions_stay_readable(ann: Door) -> None:
    """With what was said, how it was banded, the type it had, and who changed it."""
    made = connect(ann, evidence=STRANGE)
    item = made["learned_id"]
    ann.call("update_learned_knowledge", learned_id=item, updates={"evidence": FITTING})
    ann.call("update_learned_knowledge", learned_id=item, updates={"relationship_type": "SUPPORTS"})
    (row,) = learned(ann, learned_id=item, history=True)
    assert row["connections"][0]["type"] == "SUPPORTS"
    told = [(each["version"], each["evidence"], each["relationship_type"]) for each in row["history"]]
    assert told == [(2, FITTING, "BRIDGES"), (1, STRANGE, "BRIDGES")]
    assert row["history"][1]["cognitive_leap"] == "HIGH"
    assert row["history"][0]["by"] == "ann"
    assert "history" not in learned(ann, learned_id=item)[0]


def test_the_type_of_a_relationship_can_change_and_keeps_its_direction(ann: Door) -> None:
    """From a type without direction to one that has it: from is from, and the id stays."""
    made = connect(ann, from_concept_id="Signal Transparency Score", to_concept_id="Sensible Transparency")
    after = ann.call(
        "update_learned_knowledge", learned_id=made["learned_id"], updates={"relationship_type": "SUPPORTS"}
    )
    assert after["updated_fields"] == ["relationship_type"]
    item = ann.graph.learned.items([made["learned_id"]])[made["learned_id"]]
    (relation,) = item.relations
    assert (relation.type, relation.source) == ("supports", _id(ann, "Signal Transparency Score"))
    assert item.evidence.subject == relation.id


def test_a_changed_type_may_not_meet_another_relationship(ann: Door) -> None:
    """That would be a duplicate, with the id of the other; nothing changes."""
    other = connect(ann, relationship_type="SUPPORTS")
    made = connect(ann)
    before = heads(ann)
    with pytest.raises(Duplicate, match=other["learned_id"]):
        ann.call("update_learned_knowledge", learned_id=made["learned_id"], updates={"relationship_type": "SUPPORTS"})
    assert heads(ann) == before


def test_the_evidence_of_a_concept_changes_its_text_and_scores(ann: Door) -> None:
    """One score an original; what joins it to them has one type only."""
    made = conceive(ann, evidence=STRANGE)
    after = ann.call(
        "update_learned_knowledge",
        learned_id=made["concept_id"],
        updates={"evidence": "Data-driven reasoning and the metrics pillar both decide by figures."},
    )
    assert len(after["new_similarity_scores"]["evidence_to_each"]) == 2
    assert min(after["new_similarity_scores"]["evidence_to_each"]) > max(made["similarity_scores"])
    assert ann.call("fetch", id=made["concept_id"])["node"]["content"].startswith("Data-driven reasoning and")
    assert ann.call("search", query="quantitative governance metrics", scope="learned")["total"] == 1
    with pytest.raises(InvalidArgument, match="is a concept"):
        ann.call("update_learned_knowledge", learned_id=made["learned_id"], updates={"relationship_type": "USES"})


def test_an_update_of_another_version_is_a_conflict_that_shows_both(ann: Door) -> None:
    """if_version is the version of the item; the right one goes through."""
    made = connect(ann)
    arguments: dict[str, Any] = {"learned_id": made["learned_id"], "updates": {"evidence": "New evidence of both."}}
    with pytest.raises(Conflict, match="at version 1, not at 7"):
        ann.call("update_learned_knowledge", **arguments, if_version=7)
    assert ann.call("update_learned_knowledge", **arguments, if_version=1)["version"] == 2


def test_an_update_of_nothing_is_refused_and_of_the_same_writes_nothing(ann: Door) -> None:
    """updated_fields is then empty."""
    made = connect(ann)
    with pytest.raises(InvalidArgument, match="nothing to change"):
        ann.call("update_learned_knowledge", learned_id=made["learned_id"], updates={})
    before = heads(ann)
    same = ann.call("update_learned_knowledge", learned_id=made["learned_id"], updates={"evidence": FITTING})
    assert (same["updated_fields"], same["version"], heads(ann)) == ([], 1, before)


# ---- delete_learned_knowledge


def test_deleting_a_bridge_counts_each_thing_once_and_keeps_the_concepts(ann: Door) -> None:
    """One source and one relation; what documents say is as it was, hash by hash."""
    before = document_hashes(ann.graph)
    made = connect(ann)
    gone = ann.call("delete_learned_knowledge", learned_id=made["learned_id"])
    assert gone["deleted_nodes"] == 1
    assert (gone["deleted_relationships"], gone["cascade_deleted_concepts"]) == (1, 0)
    assert document_hashes(ann.graph) == before
    assert learned(ann) == []
    assert ann.call("fetch", id="Sensible Transparency")["id"] == made["from_concept"]["id"]
    with pytest.raises(NotFound):
        ann.call("delete_learned_knowledge", learned_id=made["learned_id"])


def test_without_cascade_the_concept_stays_and_the_warning_names_it(ann: Door) -> None:
    """With it, it goes; it is counted as a concept, not as a node as well."""
    made = conceive(ann)
    kept = ann.call("delete_learned_knowledge", learned_id=made["learned_id"])
    assert (kept["deleted_nodes"], kept["deleted_relationships"], kept["cascade_deleted_concepts"]) == (1, 2, 0)
    assert f"«Quantitative Governance» ({made['concept_id']}) is left with nothing" in kept["warning"]
    assert ann.call("fetch", id=made["concept_id"])["title"] == "Quantitative Governance"
    gone = ann.call("delete_learned_knowledge", learned_id=made["learned_id"], cascade=True)
    assert (gone["deleted_nodes"], gone["deleted_relationships"], gone["cascade_deleted_concepts"]) == (0, 0, 1)
    with pytest.raises(NotFound):
        ann.call("fetch", id=made["concept_id"])


def test_cascade_takes_the_concept_and_what_was_learned_about_it(ann: Door) -> None:
    """Each relation, source and concept is counted once, and the warning names what went besides."""
    made = conceive(ann)
    about = connect(ann, to_concept_id=made["concept_id"])
    later = conceive(ann, label="Measured Rule", bridges_concepts=[made["concept_id"], "Sensible Transparency"])
    gone = ann.call("delete_learned_knowledge", learned_id=made["learned_id"], cascade=True)
    assert (gone["deleted_nodes"], gone["deleted_relationships"], gone["cascade_deleted_concepts"]) == (2, 4, 1)
    assert about["learned_id"] in gone["warning"]
    assert f"«Measured Rule» ({later['concept_id']}) no longer rests on it" in gone["warning"]
    assert [row["learned_id"] for row in learned(ann)] == [later["learned_id"]]


def test_a_relation_that_alone_holds_a_concept_warns_of_the_orphan(ann: Door) -> None:
    """A synthesis that lost its evidence hangs on a learned relation: deleting that one would orphan it."""
    made = conceive(ann)
    about = connect(ann, to_concept_id=made["concept_id"])
    ann.call("delete_learned_knowledge", learned_id=made["learned_id"])
    kept = ann.call("delete_learned_knowledge", learned_id=about["learned_id"])
    assert made["concept_id"] in kept["warning"]
    assert kept["cascade_deleted_concepts"] == 0


def test_what_a_document_says_too_stays_when_the_learned_item_goes(ann: Door) -> None:
    """A concept that a document relates is kept by cascade, and the warning says so."""
    made = conceive(ann)
    text = "# Notes\n\nThe [[Quantitative Governance]] concept depends on Metrics Pillar.\n"
    ann.graph.ingest.ingest(
        IngestRequest(text=text, document="notes.md", ontology="Cross-Ontology-Bridges"), ann.graph.call("ingest")
    )
    touching = ann.graph.store.relations([_id(ann, made["concept_id"])])
    before = document_hashes(ann.graph)
    gone = ann.call("delete_learned_knowledge", learned_id=made["learned_id"], cascade=True)
    assert document_hashes(ann.graph) == before
    if any(each.origin == "document" for each in touching):
        assert "a document speaks of it" in gone["warning"]
        assert gone["cascade_deleted_concepts"] == 0


@pytest.mark.parametrize("name", ["Sensible Transparency", "agility.md"])
def test_documents_knowledge_is_refused_by_name(ann: Door, name: str) -> None:
    """The tool deletes what was learned, and says whose this is."""
    before = heads(ann)
    with pytest.raises(InvalidArgument, match="a document said it"):
        ann.call("delete_learned_knowledge", learned_id=name, cascade=True)
    assert heads(ann) == before


def test_a_deletion_is_undone_as_one(ann: Door) -> None:
    """Rollback brings back relation, evidence and concept under their old ids."""
    made = conceive(ann)
    rows = learned(ann)
    gone = ann.call("delete_learned_knowledge", learned_id=made["learned_id"], cascade=True)
    assert learned(ann) == []
    ann.graph.curate.undo(gone["batch"], ann.graph.call("undo"))
    assert learned(ann) == rows


def test_a_deleted_id_is_never_given_out_again(ann: Door) -> None:
    """Delete, then create on the same day: the next number."""
    first = connect(ann)
    ann.call("delete_learned_knowledge", learned_id=first["learned_id"])
    assert connect(ann)["learned_id"].endswith("_002")


# ---- list_learned_knowledge


def test_items_are_listed_by_an_ontology_in_any_case_and_an_unknown_one_is_told(ann: Door) -> None:
    """An empty list would look as if nothing had been learned there."""
    connect(ann)
    name = ann.graph.store.nodes([_id(ann, "Sensible Transparency")]).popitem()[1].ontology
    assert len(learned(ann, ontology=name.upper())) == len(learned(ann, ontology=name)) == 1
    with pytest.raises(NotFound, match=f"No node has the ontology «{name[:-1]}»; near: «{name}»"):
        learned(ann, ontology=name[:-1])


def test_a_listed_item_has_every_field_of_the_plan(ann: Door) -> None:
    """And its version and strength."""
    made = connect(ann, creator="ann")
    (row,) = learned(ann)
    assert (row["learned_id"], row["created_by"], row["evidence"]) == (made["learned_id"], "ann", FITTING)
    assert row["connections"] == [
        {"from": "Sensible Transparency", "to": "Signal Transparency Score", "type": "BRIDGES"}
    ]
    assert row["similarity_score"] == pytest.approx(sum(made["similarity_scores"].values()) / 2, abs=1e-4)
    assert row["cognitive_leap"] == made["cognitive_leap"]
    assert row["created_at"].startswith(made["learned_id"][8:18])


def test_the_list_is_filtered_by_creator_ontology_similarity_leap_and_id(ann: Door) -> None:
    """Alone and together; an ontology counts at either end."""
    low = connect(ann)["learned_id"]
    high = connect(ann, relationship_type="USES", evidence=STRANGE, creator="ann")["learned_id"]
    concept = conceive(ann)["learned_id"]

    def ids(**filters: object) -> set[str]:
        return {row["learned_id"] for row in learned(ann, **filters)}

    assert ids() == {low, high, concept}
    assert ids(creator="ann") == {high}
    assert ids(cognitive_leap="HIGH") >= {high}
    assert low not in ids(cognitive_leap="HIGH")
    assert ids(ontology="Governed Agility") == ids(ontology="Role Based Intelligence") == {low, high, concept}
    assert ids(ontology="Cross-Ontology-Bridges") == {concept}
    assert ids(ontology="Governed Agility", cognitive_leap="HIGH", creator="ann") == {high}
    assert ids(ontology="Governed Agility", cognitive_leap="LOW", creator="ann") == set()
    assert high not in ids(min_similarity=0.7)
    assert ids(learned_id=concept) == ids(learned_id="Quantitative Governance") == {concept}


def test_total_does_not_depend_on_the_page(ann: Door) -> None:
    """Newest first, each item once, over all pages."""
    types = ("BRIDGES", "LEARNED_CONNECTION", "SUPPORTS", "USES", "FOLLOWS")
    made = [connect(ann, relationship_type=type_)["learned_id"] for type_ in types]
    pages = [ann.call("list_learned_knowledge", limit=2, offset=offset) for offset in (0, 2, 4, 6)]
    assert {page["total"] for page in pages} == {5}
    seen = [row["learned_id"] for page in pages for row in page["learned_knowledge"]]
    assert seen == list(reversed(made))
    assert (pages[1]["offset"], pages[1]["limit"]) == (2, 2)


def test_a_list_of_wrong_values_is_refused(ann: Door) -> None:
    """Each names its field."""
    for arguments, field in (
        ({"cognitive_leap": "HUGE"}, "cognitive_leap"),
        ({"min_similarity": 1.5}, "min_similarity"),
        ({"limit": 0}, "limit"),
        ({"offset": -1}, "offset"),
    ):
        with pytest.raises(InvalidArgument, match=field):
            ann.call("list_learned_knowledge", **arguments)
    with pytest.raises(NotFound, match="learned_1999"):
        ann.call("list_learned_knowledge", learned_id="learned_1999-01-01_001")


# ---- create_learned_relationships


def test_a_batch_gives_each_item_its_result_and_never_stops(ann: Door) -> None:
    """Wrong types, unknown ends, blank evidence, twins: told one by one; the others are made, in one batch."""
    good = {
        "from_concept_id": "Sensible Transparency",
        "to_concept_id": "Signal Transparency Score",
        "relationship_type": "BRIDGES",
        "evidence": FITTING,
    }
    wishes = [
        good | {"relationship_type": "NONSENSE"},
        good,
        good | {"from_concept_id": "Nowhere"},
        good,
        good | {"evidence": " "},
        good | {"creator": "mallory"},
        good | {"to_concept_id": "Metrics Pillar"},
    ]
    made = ann.call("create_learned_relationships", relationships=wishes)
    codes = [each.get("error", "made") for each in made["results"]]
    assert codes == [
        *("INVALID_ARGUMENT", "made", "NOT_FOUND", "DUPLICATE", "INVALID_ARGUMENT", "INVALID_ARGUMENT", "made")
    ]
    assert (made["created"], made["failed"]) == (2, 5)
    first = made["results"][1]["learned_id"]
    assert made["results"][3]["existing"] == first
    assert made["results"][6]["learned_id"].endswith("_002")
    assert {row["learned_id"] for row in learned(ann)} == {first, made["results"][6]["learned_id"]}
    ann.graph.curate.undo(made["batch"], ann.graph.call("undo"))
    assert learned(ann) == []


def test_a_batch_is_one_to_fifty_items(ann: Door) -> None:
    """More, or none, is refused before anything is looked at."""
    wish = {"from_concept_id": "a", "to_concept_id": "b", "relationship_type": "USES", "evidence": "x"}
    for wishes in ([], [wish] * 51):
        with pytest.raises(InvalidArgument, match="relationships"):
            ann.call("create_learned_relationships", relationships=wishes)
    assert ann.call("create_learned_relationships", relationships=[wish] * 50)["failed"] == 50


# ---- rate_learned_knowledge


def test_votes_are_one_an_actor_and_the_last_counts(ann: Door) -> None:
    """And they move the strength, which without any is the similarity."""
    made = connect(ann)
    (before,) = learned(ann)
    assert before["strength"] == before["similarity_score"]
    item = {"learned_id": made["learned_id"]}
    up = ann.call("rate_learned_knowledge", **item, vote="up", reason="I saw it too.")
    assert up["votes"] == {"up": 1, "down": 0}
    down = ann.call("rate_learned_knowledge", **item, vote="down")
    assert down["votes"] == {"up": 0, "down": 1}
    assert down["strength"] < before["strength"] < up["strength"]
    both = ann.as_(actor="bea").call("rate_learned_knowledge", **item, vote="up")
    assert (both["votes"], both["contested"]) == ({"up": 1, "down": 1}, True)
    (row,) = learned(ann)
    assert (row["votes"], row["contested"], row["strength"]) == (both["votes"], True, both["strength"])


def test_opposed_votes_come_up_in_review_once(ann: Door) -> None:
    """When they come to oppose each other; not for a single vote."""
    made = connect(ann)
    ann.call("rate_learned_knowledge", learned_id=made["learned_id"], vote="up")
    assert not _reviewed(ann, made["learned_id"])
    for _ in range(2):
        ann.as_(actor="bea").call("rate_learned_knowledge", learned_id=made["learned_id"], vote="down")
    assert [each["summary"] for each in _reviewed(ann, made["learned_id"])] == [
        f"{made['learned_id']} is contested: 1 for it, 1 against."
    ]


def test_a_vote_is_up_or_down_on_something_learned(ann: Door) -> None:
    """Anything else is refused."""
    made = connect(ann)
    with pytest.raises(InvalidArgument, match="vote"):
        ann.call("rate_learned_knowledge", learned_id=made["learned_id"], vote="sideways")
    with pytest.raises(NotFound):
        ann.call("rate_learned_knowledge", learned_id="learned_1999-01-01_001", vote="up")
    with pytest.raises(InvalidArgument, match="was not learned"):
        ann.call("rate_learned_knowledge", learned_id="Metrics Pillar", vote="up")


def test_conflicts_between_learned_items_are_noticed(ann: Door) -> None:
    """One says supports, another refutes: the second warns, it waits in review, and both weigh less."""
    first = connect(ann, relationship_type="SUPPORTS")
    strong = learned(ann)[0]["strength"]
    second = connect(ann, relationship_type="REFUTES")
    assert f"Contradicts {first['learned_id']}" in second["warning"]
    (item,) = _reviewed(ann, first["learned_id"])
    assert second["learned_id"] in item["summary"]
    rows = {row["learned_id"]: row for row in learned(ann)}
    assert rows[first["learned_id"]]["strength"] < strong
    assert [row["conflicts"] for row in rows.values()] == [1, 1]


def test_evidence_that_says_the_opposite_is_a_conflict_too(ann: Door) -> None:
    """Of types that do not oppose each other; agreement is none."""
    said = "Both transparencies make the data behind decisions visible to everybody."
    first = connect(ann, evidence=said)
    agreeing = connect(ann, relationship_type="USES", evidence=said)
    assert "Contradicts" not in agreeing["warning"]
    opposite = "Both transparencies do not make the data behind decisions visible to everybody."
    against = connect(ann, relationship_type="LEARNED_CONNECTION", evidence=opposite)
    assert f"Contradicts {first['learned_id']}" in against["warning"]


# ---- export and import


@pytest.mark.parametrize("form", ["json", "csv", "markdown", "cypher"])
def test_every_format_holds_what_was_learned(ann: Door, form: str) -> None:
    """Both the relation and the concept, with their ids, ends and evidence."""
    made, concept = connect(ann), conceive(ann)
    answer = ann.call("export_learned_knowledge", format=form)
    assert (answer["format"], answer["items"], answer["total"]) == (form, 2, 2)
    for part in (made["learned_id"], concept["learned_id"], "Sensible Transparency", "BRIDGES"):
        assert part in answer["text"].replace("\\", "")
    assert "make the data behind decisions visible" in answer["text"]


def test_an_export_is_filtered_as_the_list_is(ann: Door) -> None:
    """By creator and by the ontology of either end, whose case does not matter; one that no node has is told."""
    connect(ann, creator="ann")
    conceive(ann)
    assert ann.call("export_learned_knowledge", format="json", creator="ann")["items"] == 1
    assert ann.call("export_learned_knowledge", format="json", ontology="Cross-Ontology-Bridges")["items"] == 1
    assert ann.call("export_learned_knowledge", format="json", ontology="cross-ontology-bridges")["items"] == 1
    with pytest.raises(NotFound, match="«nowhere»"):
        ann.call("export_learned_knowledge", format="json", ontology="nowhere")


def test_a_long_export_comes_in_whole_parts(ann: Door) -> None:
    """Each part can be read by itself, and together they are everything."""
    types = ("BRIDGES", "LEARNED_CONNECTION", "SUPPORTS", "USES")
    for type_ in types:
        connect(ann, relationship_type=type_, evidence=FITTING + " Again and again." * 700)
    offset: int | None = 0
    seen: list[str] = []
    while offset is not None:
        part = ann.call("export_learned_knowledge", format="json", offset=offset)
        assert "left_out" not in part
        seen += [each["learned_id"] for each in json.loads(part["text"])["learned_knowledge"]]
        offset = part.get("next_offset")
    assert len(seen) == len(set(seen)) == len(types)


@pytest.mark.parametrize("form", ["json", "csv"])
def test_what_is_exported_is_imported_under_its_ids_and_only_once(ann: Door, form: str, tmp_path: Path) -> None:
    """Into another graph that knows the same documents; a second time everything is skipped, with the reason."""
    made, concept = connect(ann, creator="ann"), conceive(ann)
    about = connect(ann, to_concept_id=concept["concept_id"])
    ann.call("rate_learned_knowledge", learned_id=made["learned_id"], vote="up", reason="Yes.")
    text = ann.call("export_learned_knowledge", format=form)["text"]
    with door(copied(tmp_path / "other"), actor="bob") as other:
        taken = other.call("import_learned_knowledge", format=form, text=text, creator_map={"ann": "bob"})
        assert (taken["written"], taken["skipped"]) == (3, [])
        rows = {row["learned_id"]: row for row in learned(other)}
        assert set(rows) == {made["learned_id"], concept["learned_id"], about["learned_id"]}
        assert rows[made["learned_id"]]["created_by"] == "bob"
        assert rows[made["learned_id"]]["created_at"] == learned(ann, learned_id=made["learned_id"])[0]["created_at"]
        assert other.call("fetch", id=concept["concept_id"])["title"] == "Quantitative Governance"
        if form == "json":
            assert rows[made["learned_id"]]["votes"] == {"up": 1, "down": 0}
        again = other.call("import_learned_knowledge", format=form, text=text, creator_map={"ann": "bob"})
        assert again["written"] == 0
        assert {each["reason"] for each in again["skipped"]} == {"it is here already"}
        following = connect(other, relationship_type="FOLLOWS", creator="bob")
        assert following["learned_id"] not in rows


def test_a_dry_run_says_what_would_be_written_and_writes_nothing(ann: Door, tmp_path: Path) -> None:
    """The same answer, but for the batch."""
    connect(ann)
    text = ann.call("export_learned_knowledge", format="json")["text"]
    with door(copied(tmp_path / "other")) as other:
        before = heads(other)
        would = other.call("import_learned_knowledge", format="json", text=text, dry_run=True)
        assert (would["written"], would["dry_run"], heads(other)) == (1, True, before)
        assert other.call("import_learned_knowledge", format="json", text=text)["learned_ids"] == would["learned_ids"]


def test_what_cannot_be_imported_is_skipped_with_its_reason(ann: Door) -> None:
    """Unknown ends and creators, ids of another form or another item, types that are none; the rest is written."""
    standing = connect(ann)
    good = {
        "from": {"label": "Sensible Transparency"},
        "to": {"label": "Metrics Pillar"},
        "relationship_type": "BRIDGES",
        "evidence": FITTING,
        "created_by": "claude-mcp",
    }
    rows = [
        good | {"learned_id": "learned_2025-01-01_001", "to": {"label": "Nowhere"}},
        good | {"learned_id": "learned_2025-01-01_002", "created_by": "mallory"},
        good | {"learned_id": "learned_2025-1-1_3"},
        good | {"learned_id": standing["learned_id"], "evidence": STRANGE},
        good | {"learned_id": "learned_2025-01-01_005", "relationship_type": "NONSENSE"},
        good | {"learned_id": "learned_2025-01-01_006", "evidence": " "},
        good | {"learned_id": "learned_2025-01-01_007", "evidence": 7},
        good | {"learned_id": "learned_2025-01-01_008"},
        good | {"learned_id": "learned_2025-01-01_009"},
        "nonsense",
    ]
    taken = ann.call("import_learned_knowledge", format="json", text=json.dumps(rows))
    assert taken["learned_ids"] == ["learned_2025-01-01_008"]
    reasons = {each["learned_id"]: each["reason"] for each in taken["skipped"]}
    assert "«Nowhere» is not in this graph" in reasons["learned_2025-01-01_001"]
    assert "mallory" in reasons["learned_2025-01-01_002"]
    assert "no id of the form" in reasons["learned_2025-1-1_3"]
    assert reasons[standing["learned_id"]] == "its id is here already, with other evidence"
    assert "nonsense" in reasons["learned_2025-01-01_005"]
    assert "evidence is empty" in reasons["learned_2025-01-01_006"]
    assert "evidence must be text" in reasons["learned_2025-01-01_007"]
    assert "learned_2025-01-01_008" in reasons["learned_2025-01-01_009"]
    assert "must be an object" in reasons["item 10"]


def test_an_import_never_gives_a_deleted_items_id_to_something_else(ann: Door) -> None:
    """The deleted item itself may return under it."""
    made = connect(ann)
    text = ann.call("export_learned_knowledge", format="json")["text"]
    ann.call("delete_learned_knowledge", learned_id=made["learned_id"])
    other = json.loads(text)
    other["learned_knowledge"][0]["evidence"] = "Something else."
    refused = ann.call("import_learned_knowledge", format="json", text=json.dumps(other))
    assert refused["written"] == 0
    assert "used here before" in refused["skipped"][0]["reason"]
    assert ann.call("import_learned_knowledge", format="json", text=text)["learned_ids"] == [made["learned_id"]]


def test_numbers_that_came_in_are_not_given_out(ann: Door) -> None:
    """An item of today with number 7 comes in: the next one is 8."""
    made = connect(ann)
    row = {
        "learned_id": made["learned_id"][:-3] + "007",
        "from": {"label": "Sensible Transparency"},
        "to": {"label": "Metrics Pillar"},
        "relationship_type": "BRIDGES",
        "evidence": FITTING,
    }
    rows = [row, {**row, "learned_id": "", "relationship_type": "USES"}]
    taken = ann.call("import_learned_knowledge", format="json", text=json.dumps(rows))
    assert [each[-3:] for each in sorted(taken["learned_ids"])] == ["007", "008"]
    assert connect(ann, relationship_type="USES")["learned_id"].endswith("_009")


def test_a_spreadsheet_of_titles_and_reasons_is_enough_for_an_import(ann: Door) -> None:
    """Four columns; ids and creators are given here."""
    text = (
        "from_label,relationship_type,to_label,evidence\n"
        "Sensible Transparency,bridges,Signal Transparency Score,Both are about visible data.\n"
        "Data-Driven Reasoning,SUPPORTS,Metrics Pillar,Figures are data.\n"
        "Data-Driven Reasoning,SUPPORTS\n"
    )
    taken = ann.call("import_learned_knowledge", format="csv", text=text)
    assert taken["written"] == 2
    assert taken["skipped"] == [{"learned_id": "line 4", "reason": "it has 2 cells, the first line 4"}]
    assert {row["created_by"] for row in learned(ann)} == {"ann"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"text": "{"}, "text is not JSON"),
        ({"text": "[" * 100_000}, "text is not JSON"),
        ({"text": "7"}, "learned_knowledge"),
        ({"text": "a,b\n1,2\n", "format": "csv"}, "is unknown"),
        ({"text": 'evidence,relationship_type\n"x', "format": "csv"}, "no table"),
        ({}, "either text or path"),
        ({"text": "[]", "path": "x.json"}, "either text or path"),
        ({"path": "../../etc/passwd"}, "in none of them"),
        ({"path": "/etc/passwd"}, "in none of them"),
        ({"path": ".hidden.json"}, "or is hidden"),
        ({"path": "nothing.json"}, "there is no such file"),
        ({"path": "a" * 300}, "cannot be read"),
    ],
)
def test_an_import_of_nothing_readable_is_refused(ann: Door, arguments: dict[str, str], said: str) -> None:
    """Broken text, and files elsewhere than below an allowed folder."""
    before = heads(ann)
    with pytest.raises(InvalidArgument, match=re.escape(said)):
        ann.call("import_learned_knowledge", **({"format": "json"} | arguments))
    assert heads(ann) == before


def test_a_link_out_of_the_folder_is_not_followed(ann: Door, tmp_path: Path) -> None:
    """A file below an allowed folder is read; a link to one elsewhere is not; without a folder none is."""
    connect(ann)
    text = ann.call("export_learned_knowledge", format="json")["text"]
    (tmp_path / "learned.json").write_text(text, encoding="utf-8")
    taken = ann.call("import_learned_knowledge", format="json", path="learned.json")
    assert taken["skipped"][0]["reason"] == "it is here already"
    (tmp_path / "link.json").symlink_to("/etc/hostname")
    with pytest.raises(InvalidArgument):
        ann.call("import_learned_knowledge", format="json", path="link.json")
    with door(tmp_path) as bare, pytest.raises(InvalidArgument, match="no folder is allowed"):
        bare.call("import_learned_knowledge", format="json", path="learned.json")


# ---- tiers, receipts, hints


TIERS = {
    "find_bridge_candidates": "reader",
    "create_learned_relationship": "contributor",
    "create_synthesis_concept": "contributor",
    "update_learned_knowledge": "contributor",
    "delete_learned_knowledge": "librarian",
    "list_learned_knowledge": "reader",
    "create_learned_relationships": "contributor",
    "rate_learned_knowledge": "contributor",
    "export_learned_knowledge": "reader",
    "import_learned_knowledge": "curator",
}


def test_the_ten_tools_stand_in_their_order_each_with_its_tier() -> None:
    """The usage is short enough to leave room for the others'."""
    assert {row.name: row.needs for row in ROWS} == TIERS
    assert [row.name for row in ROWS] == list(TIERS)
    assert len(USAGE.encode()) <= 190


def test_a_tier_below_is_refused_by_each_tool_and_by_the_engine(ann: Door, tmp_path: Path) -> None:
    """A reader cannot write, a contributor can neither delete nor change a type; a role as an argument is unknown."""
    made = connect(ann)
    item = made["learned_id"]
    reader, contributor = ann.as_(tier=Tier.READER), ann.as_(tier=Tier.CONTRIBUTOR)
    before = heads(ann)
    for who, name, arguments in (
        (reader, "rate_learned_knowledge", {"learned_id": item, "vote": "up"}),
        (reader, "update_learned_knowledge", {"learned_id": item, "updates": {"evidence": "New."}}),
        (contributor, "delete_learned_knowledge", {"learned_id": item}),
        (contributor, "update_learned_knowledge", {"learned_id": item, "updates": {"relationship_type": "USES"}}),
        (contributor, "import_learned_knowledge", {"format": "json", "text": "[]"}),
    ):
        with pytest.raises(PermissionDenied):
            who.call(name, **arguments)
    with pytest.raises(InvalidArgument, match="role"):
        reader.call("list_learned_knowledge", role="curator")
    assert heads(ann) == before
    assert contributor.call("rate_learned_knowledge", learned_id=item, vote="up")["votes"]["up"] == 1
    with door(tmp_path, role="contributor") as low, pytest.raises(PermissionDenied):
        low.graph.learn.delete(item, low.graph.call("library"), cascade=False)


def test_a_repeated_call_is_answered_and_not_done_again(ann: Door) -> None:
    """The same key with other arguments is a conflict; after a deletion the object is gone."""
    made = connect(ann, idempotency_key="k")
    assert connect(ann, idempotency_key="k") == made
    with pytest.raises(Conflict):
        connect(ann, idempotency_key="k", evidence="Other.")
    batch = {
        "relationships": [
            {
                "from_concept_id": "Sensible Transparency",
                "to_concept_id": "Metrics Pillar",
                "relationship_type": "USES",
                "evidence": FITTING,
            }
        ],
        "idempotency_key": "many",
    }
    many = ann.call("create_learned_relationships", **batch)
    assert ann.call("create_learned_relationships", **batch) == many
    gone = ann.call("delete_learned_knowledge", learned_id=made["learned_id"], idempotency_key="d")
    assert ann.call("delete_learned_knowledge", learned_id=made["learned_id"], idempotency_key="d") == gone
    with pytest.raises(NotFound):
        connect(ann, idempotency_key="k")


def test_what_may_come_next_names_tools_that_are_served_with_ready_arguments(ann: Door) -> None:
    """From candidates to the call that connects the best pair."""
    found = ann.call(
        "find_bridge_candidates",
        ontology1="Governed Agility",
        ontology2="Role Based Intelligence",
        min_similarity=0.3,
    )
    action = found["suggested_next_actions"][0]
    assert action["tool"] == "create_learned_relationship"
    made = ann.call(action["tool"], **action["arguments"], evidence=FITTING)
    assert made["from_concept"]["id"] == found["candidates"][0]["concept1"]["id"]
    few = ann.as_(tools=frozenset({"find_bridge_candidates"}))
    again = few.call("find_bridge_candidates", ontology1="Governed Agility", ontology2="Role Based Intelligence")
    assert {each["tool"] for each in again["suggested_next_actions"]} <= {"find_bridge_candidates"}


@tried(max_examples=60, deadline=None, derandomize=True, database=None)
@given(text=st.text(max_size=60), name=st.sampled_from([row.name for row in ROWS]))
def test_any_id_gives_a_result_or_an_error_that_helps(ann_once: Door, text: str, name: str) -> None:
    """Whatever is given as an id."""
    field = {"find_bridge_candidates": "ontology1", "export_learned_knowledge": "creator"}.get(name, "learned_id")
    answer = ann_once.answer(name, {field: text})
    assert "error" not in answer or answer["hint"]


@pytest.fixture(scope="module")
def ann_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """An empty graph for many small calls."""
    with door(tmp_path_factory.mktemp("once")) as opened:
        yield opened


# ---- helpers


def _id(ann: Door, title: str) -> str:
    (node,) = ann.graph.store.resolve(title, limit=2)
    return node.id


def _everything() -> Any:  # noqa: ANN401 - a query without conditions
    from weft.model import LearnedQuery, Page

    return LearnedQuery(page=Page(limit=100))


def _reviewed(ann: Door, learned_id: str) -> list[dict[str, Any]]:
    items = call(ann.graph, "review", {"kinds": ["conflict"], "limit": 50}, ann.caller)["items"]
    return [each for each in items if learned_id in each["grounds"].get("learned_ids", [])]
