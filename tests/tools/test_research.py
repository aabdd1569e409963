"""The nine tools of ``research`` through the gate: what each takes, answers and refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from doors import Door, door
from journeys.study import Study, study
from weft.errors import Ambiguous, Conflict, InvalidArgument, NotFound, PermissionDenied
from weft.tools.gate import error_answer
from weft.tools.research import ROWS, USAGE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QUADRATIC = "The cost of self-attention is quadratic in sequence length."
STEPS = "RNNs process a sequence step by step."


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Study]:
    """An empty study."""
    with study(tmp_path) as opened:
        yield opened


def _pair(notes: Study) -> None:
    notes.claim("quadratic", QUADRATIC, "Vaswani 2017")
    notes.claim("steps", STEPS, "Elman 1990")


# ---- ingest_hypothesis


def test_a_hypothesis_is_kept_with_source_and_confidence(notes: Study) -> None:
    """A claim, its source as a citation, sure unless told otherwise."""
    made = notes.claim("light", "Light is a wave.", "Huygens 1690", confidence=0.4)
    assert (made["content"], made["source"], made["confidence"]) == ("Light is a wave.", "Huygens 1690", 0.4)
    node = notes.door.graph.store.nodes((made["unit_id"],))[made["unit_id"]]
    assert (node.kind, node.citation) == ("claim", "Huygens 1690")
    assert notes.claim("dust", "Dust falls.")["confidence"] == 1.0


def test_a_source_is_optional_and_protects_nothing(notes: Study) -> None:
    """It makes no document, so that the unit may be deleted like any other."""
    made = notes.claim("light", "Light is a wave.", "https://doi.org/10.1/x")
    assert notes.claim("dust", "Dust falls.")["source"] == ""
    gone = notes.call("delete_unit", unit_id=made["unit_id"], confirm=True)
    assert gone["deleted"]["source"] == "https://doi.org/10.1/x"


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan")])
def test_a_confidence_outside_0_to_1_is_refused(notes: Study, confidence: float) -> None:
    """And nothing is written."""
    with pytest.raises(InvalidArgument, match="confidence"):
        notes.claim("light", "Light is a wave.", confidence=confidence)
    assert notes.call("list_propositions")["total"] == 0


def test_identical_text_answers_the_unit_that_is_there(notes: Study) -> None:
    """Nothing is made, whatever source the repetition names, and the answer says so."""
    first = notes.claim("light", "Light is a wave.", "Huygens 1690")
    again = notes.call("ingest_hypothesis", hypothesis="Light is a wave.", source="Young 1804")
    assert (again["unit_id"], again["created"], again["source"]) == (first["unit_id"], False, "Huygens 1690")
    assert again["existing_unit"]["unit_id"] == first["unit_id"]
    assert notes.call("list_propositions")["total"] == 1


def test_similar_text_is_made_and_the_near_unit_is_named(notes: Study) -> None:
    """Two units; the second answer names the first and how like it is. Nothing like it, nothing named."""
    first = notes.claim("short", "Regular exercise improves memory in older adults.")
    near = notes.claim("long", "Regular exercise improves the memory of older adults.")
    assert near["created"]
    assert near["existing_unit"]["unit_id"] == first["unit_id"]
    assert near["existing_unit"]["similarity"] >= 0.95
    assert "existing_unit" not in notes.claim("other", "Glaciers carve deep valleys.")


def test_ingesting_relates_nothing_by_itself(notes: Study) -> None:
    """However like two claims are: likeness is told, relations are the caller's."""
    notes.claim("short", "Regular exercise improves memory in older adults.")
    notes.claim("long", "Regular exercise improves the memory of older adults.")
    assert notes.call("get_unit", unit_id=notes.units["long"])["connections"] == []
    assert notes.door.graph.store.counts().relations == 0


def test_ingesting_the_opposite_tells_of_the_conflict(notes: Study) -> None:
    """It is stored all the same, with the unit it clashes with and why."""
    _pair(notes)
    made = notes.claim("parallel", "RNNs process a sequence in parallel.")
    assert notes.names(made["conflicts"]) == ["steps"]
    assert made["conflicts"][0]["explanation"]
    assert made["available_actions"][0]["arguments"]["relation"] == "contradicts"


# ---- connect_propositions


@pytest.mark.parametrize("relation", ["supports", "refutes", "extends", "implies", "contradicts"])
def test_each_of_the_five_relations_joins_two_units_with_its_reasoning(notes: Study, relation: str) -> None:
    """The ends are as they were named, also of a relation without a direction."""
    _pair(notes)
    for source, target in (("quadratic", "steps"), ("steps", "quadratic")):
        made = notes.argue(source, relation, target, "Because.")
        assert made["relation"] == {
            "source_id": notes.units[source],
            "target_id": notes.units[target],
            "type": relation,
            "reasoning": "Because.",
        }
        assert made["source_content"].startswith(QUADRATIC[:9] if source == "quadratic" else STEPS[:9])


@pytest.mark.parametrize("relation", ["builds_on", "relates_to", "cites", "supports'); DROP TABLE node; --", "(", ""])
def test_any_other_relation_is_refused_with_the_list(notes: Study, relation: str) -> None:
    """One of the product's own too; quotes and brackets do no harm."""
    _pair(notes)
    head = notes.door.graph.log.head()
    with pytest.raises(InvalidArgument, match=r"relation: must"):
        notes.argue("quadratic", relation, "steps", "Because.")
    assert notes.door.graph.log.head() == head
    assert notes.call("list_propositions")["total"] == 2


def test_a_missing_unit_is_named_and_nothing_is_written(notes: Study) -> None:
    """By the argument it came in."""
    _pair(notes)
    head = notes.door.graph.log.head()
    with pytest.raises(NotFound, match="id_b"):
        notes.call("connect_propositions", id_a=STEPS, id_b="nowhere", relation="supports", reasoning="Why.")
    assert notes.door.graph.log.head() == head


def test_a_relation_needs_a_reasoning(notes: Study) -> None:
    """An argument without a reason is none."""
    _pair(notes)
    with pytest.raises(InvalidArgument, match="reasoning"):
        notes.argue("quadratic", "supports", "steps", " ")


def test_connecting_twice_is_one_relation_and_two_types_are_two(notes: Study) -> None:
    """The second call strengthens; another type lives beside it."""
    _pair(notes)
    assert notes.argue("quadratic", "supports", "steps", "Because.")["created"]
    assert not notes.argue("quadratic", "supports", "steps", "Because of this too.")["created"]
    notes.argue("quadratic", "extends", "steps", "And it goes on.")
    rows = notes.call("get_unit", unit_id=notes.units["steps"])["connections"]
    assert sorted(row["type"] for row in rows) == ["extends", "supports"]
    assert "Because of this too." in next(row["reasoning"] for row in rows if row["type"] == "supports")


def test_units_are_named_by_title_or_prefix_and_ambiguous_names_list_candidates(notes: Study) -> None:
    """Everywhere an id is taken."""
    _pair(notes)
    made = notes.call(
        "connect_propositions", id_a=STEPS, id_b=notes.units["quadratic"], relation="supports", reasoning="Why."
    )
    assert made["relation"]["source_id"] == notes.units["steps"]
    notes.door.call("capture", content="One thing.", title="Twin", kind="claim")
    notes.door.call("capture", content="Another thing.", title="Twin", kind="claim")
    with pytest.raises(Ambiguous) as caught:
        notes.call("get_unit", unit_id="Twin")
    assert len(caught.value.candidates) == 2


# ---- semantic_search


def test_a_search_returns_five_by_default_and_twenty_at_most(notes: Study) -> None:
    """The total is told either way."""
    for number in range(8):
        notes.claim(f"c{number}", f"Coffee brewed at {80 + number} degrees tastes different.")
    found = notes.call("semantic_search", query="the taste of brewed coffee")
    assert (len(found["results"]), found["total_found"]) == (5, 8)
    assert len(notes.call("semantic_search", query="the taste of brewed coffee", limit=20)["results"]) == 8
    with pytest.raises(InvalidArgument, match="limit: must be at most 20"):
        notes.call("semantic_search", query="coffee", limit=21)


def test_a_search_finds_other_words_and_ranks_by_calibrated_similarity(notes: Study) -> None:
    """A physician for a doctor; four digits, falling."""
    notes.claim("physician", "The physician prescribed medication for the illness.")
    notes.claim("ice", "Glaciers carve deep valleys into soft rock.")
    found = notes.call("semantic_search", query="doctor gives medicine to a sick patient")["results"]
    assert notes.names(found) == ["physician"]
    assert 0.5 <= found[0]["similarity_score"] <= 1.0
    assert found[0]["similarity_score"] == round(found[0]["similarity_score"], 4)


def test_least_confidence_filters_before_the_limit(notes: Study) -> None:
    """A doubtful claim does not take the place of a sure one."""
    notes.claim("doubtful", "Coffee tastes best at 93 degrees.", confidence=0.2)
    notes.claim("sure", "Coffee tastes bitter at 100 degrees.", confidence=0.9)
    found = notes.call("semantic_search", query="coffee at 93 degrees", min_confidence=0.5, limit=1)
    assert notes.names(found["results"]) == ["sure"]


def test_a_search_covers_every_kind_of_node(notes: Study) -> None:
    """What core captured is found beside what was ingested here."""
    notes.door.call("capture", content="We chose a drip brewer for the office coffee.", kind="decision")
    found = notes.call("semantic_search", query="office coffee brewer")
    assert len(found["results"]) == 1


def test_each_result_says_what_can_be_done_with_it(notes: Study) -> None:
    """With the tools that this caller is served, and no others."""
    _pair(notes)
    brief = notes.door.as_(hints="brief").call("semantic_search", query="self-attention cost")["results"][0]
    every = brief["available_actions"]
    assert [row["tool"] for row in every] == [
        "connect_propositions",
        "semantic_search",
        "find_contradictions",
        "get_unit",
    ]
    assert all("arguments" not in row for row in every)
    full = notes.door.as_(hints="full").call("semantic_search", query="self-attention cost")["results"][0]
    connect, search, check, get = full["available_actions"]
    assert (connect["arguments"], connect["also_needs"]) == (
        {"id_a": full["unit_id"]},
        ["id_b", "relation", "reasoning"],
    )
    assert (search["arguments"], check["arguments"]) == ({"query": full["content"]}, {"claim": full["content"]})
    assert notes.door.call("get_unit", **get["arguments"])["unit"]["unit_id"] == full["unit_id"]
    few = notes.door.as_(tools=frozenset({"semantic_search"})).call("semantic_search", query="self-attention cost")
    assert [row["tool"] for row in few["results"][0]["available_actions"]] == ["semantic_search"]


# ---- list_propositions, get_unit, delete_unit


def test_the_list_holds_claims_newest_first_a_page_at_a_time(notes: Study) -> None:
    """The total does not depend on the limit, and other kinds stay out."""
    for number in range(5):
        notes.claim(f"c{number}", f"Planet number {number} has a ring.")
    notes.door.call("capture", content="We chose a telescope.", kind="decision")
    first = notes.call("list_propositions", limit=2)
    assert notes.names(first["propositions"]) == ["c4", "c3"]
    assert (first["count"], first["total"]) == (2, 5)
    assert notes.names(notes.call("list_propositions", limit=2, offset=4)["propositions"]) == ["c0"]
    times = [row["created_at"] for row in notes.call("list_propositions")["propositions"]]
    assert times == sorted(times, reverse=True)
    with pytest.raises(InvalidArgument, match="limit: must be at most 50"):
        notes.call("list_propositions", limit=51)


def test_a_unit_shows_both_directions_of_its_connections(notes: Study) -> None:
    """Forward where it is the source, backward where it is the target, both where there is no direction."""
    _pair(notes)
    notes.claim("rocks", "Rocks sink.")
    notes.argue("quadratic", "supports", "steps", "One.")
    notes.argue("rocks", "implies", "quadratic", "Two.")
    notes.argue("quadratic", "contradicts", "rocks", "Three.")
    unit = notes.call("get_unit", unit_id=notes.units["quadratic"])
    assert unit["connection_count"] == 3
    assert {(row["type"], row["direction"], notes.name(row["connected_to"])) for row in unit["connections"]} == {
        ("supports", "forward", "steps"),
        ("implies", "backward", "rocks"),
        ("contradicts", "both", "rocks"),
    }
    assert unit["unit"]["source"] == "Vaswani 2017"
    assert all(row["connected_content"] for row in unit["connections"])


def test_deleting_previews_first_and_counts_what_goes(notes: Study) -> None:
    """Nothing goes without a word of confirmation; then unit and relations go together, and come back by undo."""
    _pair(notes)
    notes.argue("quadratic", "supports", "steps", "One.")
    preview = notes.door.call("delete_unit", unit_id=notes.units["steps"])
    assert preview["status"] == "confirmation_required"
    assert preview["preview"]["relations_removed"] == 1
    assert preview["preview"]["content"] == STEPS
    assert preview["warning"]
    assert notes.call("list_propositions")["total"] == 2
    gone = notes.call("delete_unit", unit_id=notes.units["steps"], confirm=True)
    assert gone["deleted"] == preview["preview"]
    assert notes.call("get_unit", unit_id=notes.units["quadratic"])["connections"] == []
    with pytest.raises(NotFound):
        notes.call("get_unit", unit_id=notes.units["steps"])
    notes.door.graph.curate.undo(gone["batch"], notes.door.graph.call())
    assert notes.call("get_unit", unit_id=notes.units["steps"])["connection_count"] == 1


# ---- find_contradictions


def test_attention_is_linear_conflicts_with_the_quadratic_claim(notes: Study) -> None:
    """The example of the tool's own description, with its grounds."""
    _pair(notes)
    found = notes.against("Attention is linear in sequence length")
    assert notes.names(found["conflicts"]) == ["quadratic"]
    assert (found["conflicts_found"], found["conflict_count"]) == (True, 1)
    assert "linear" in found["conflicts"][0]["explanation"]
    assert found["conflicts"][0]["verdict"] == "conflicts"
    assert "claim_unit" not in found


@pytest.mark.parametrize("claim", [QUADRATIC, "Self-attention costs quadratically more in longer sequences.", "Bread."])
def test_agreement_and_what_is_far_off_are_no_conflicts(notes: Study, claim: str) -> None:
    """However alike, and however unlike."""
    _pair(notes)
    found = notes.against(claim)
    assert (found["conflicts_found"], found["conflict_count"], found["conflicts"]) == (False, 0, [])


def test_a_recorded_relation_decides_and_is_shown(notes: Study) -> None:
    """What refutes the claim conflicts and what supports it supports, whatever the wording."""
    _pair(notes)
    notes.claim("small", "Small teams ship faster.")
    notes.argue("quadratic", "refutes", "small", "A strange reason.")
    notes.argue("steps", "supports", "small", "Another.")
    found = notes.against("Small teams ship faster.")
    assert notes.names(found["conflicts"]) == ["quadratic"]
    assert found["conflicts"][0]["relation"] == {"type": "refutes", "reasoning": "A strange reason."}
    assert notes.names(found["supporting"]) == ["steps"]
    assert found["claim_unit"] == notes.units["small"]


def test_what_is_undecided_comes_with_the_call_that_records_a_verdict(notes: Study) -> None:
    """It can be made as it stands, once the claim is a unit; before that, ingesting it is offered."""
    notes.claim("docs", "Remote teams write more documentation than co-located teams do.")
    claim = "Working remotely changes how much teams document."
    found = notes.against(claim)
    (row,) = found["to_judge"]
    assert notes.name(row["unit_id"]) == "docs"
    assert row.get("likely", "conflicts") in {"conflicts", "supports"}  # absent where neither is
    assert row["likelihood"].keys() == {"conflicts", "supports"}
    assert (max(row["likelihood"].values()) >= row["likely_from"]) == ("likely" in row)
    assert row["record_with"]["tool"] == "connect_propositions"
    ingest = next(each for each in found["available_actions"] if each["tool"] == "ingest_hypothesis")
    assert row["record_with"]["after"] == {"tool": "ingest_hypothesis", "arguments": ingest["arguments"]}
    notes.call("ingest_hypothesis", **ingest["arguments"])
    (later,) = notes.against(claim)["to_judge"]
    assert "after" not in later["record_with"]
    recorded = notes.call("connect_propositions", **row["record_with"]["arguments"] | {"relation": "supports"})
    assert recorded["source_content"].startswith("Remote teams")
    again = notes.against(claim)
    assert notes.names(again["supporting"]) == ["docs"]
    assert again["to_judge"] == []


# ---- sessions, receipts, tiers, shapes


def test_a_repeated_key_answers_the_first_result_and_makes_nothing(notes: Study) -> None:
    """Of every writing tool, word for word."""
    made = notes.claim("light", "Light is a wave.", idempotency_key="k")
    assert notes.call("ingest_hypothesis", hypothesis="Light is a wave.", source="", idempotency_key="k") == made
    notes.claim("dust", "Dust falls.")
    ends = {"id_a": notes.units["light"], "id_b": notes.units["dust"], "relation": "supports", "reasoning": "Why."}
    first = notes.call("connect_propositions", **ends, idempotency_key="k")
    assert notes.call("connect_propositions", **ends, idempotency_key="k") == first
    assert first["created"]
    gone = notes.call("delete_unit", unit_id="Dust falls.", confirm=True, idempotency_key="k")
    assert gone["deleted"]["relations_removed"] == 1


def test_a_key_is_bound_to_the_arguments(notes: Study) -> None:
    """Another claim under the same key is refused, not answered with the first."""
    notes.claim("light", "Light is a wave.", idempotency_key="k")
    with pytest.raises(Conflict):
        notes.claim("dust", "Dust falls.", idempotency_key="k")
    assert notes.call("list_propositions")["total"] == 1


def test_a_key_whose_unit_was_deleted_does_not_answer_with_the_ghost(notes: Study) -> None:
    """The unit is gone, and the answer says so."""
    made = notes.claim("light", "Light is a wave.", idempotency_key="k")
    notes.call("delete_unit", unit_id=made["unit_id"], confirm=True)
    with pytest.raises(NotFound, match="gone"):
        notes.claim("light", "Light is a wave.", idempotency_key="k")


def test_readers_write_nothing_and_contributors_delete_nothing(tmp_path: Path) -> None:
    """The tier that is needed is named."""
    with study(tmp_path) as notes:
        unit = notes.claim("light", "Light is a wave.")["unit_id"]
    with door(tmp_path, role="reader") as reader:
        assert reader.call("get_unit", unit_id=unit)["status"] == "success"
        with pytest.raises(PermissionDenied, match="contributor"):
            reader.call("ingest_hypothesis", hypothesis="Dust falls.")
    with door(tmp_path, role="contributor") as contributor, pytest.raises(PermissionDenied, match="librarian"):
        contributor.call("delete_unit", unit_id=unit, confirm=True)


def test_errors_say_so_in_their_status(notes: Study) -> None:
    """Beside the code, the message and the hint."""
    with pytest.raises(NotFound) as caught:
        notes.call("get_unit", unit_id="nowhere")
    answer = error_answer("get_unit", caught.value)
    assert (answer["status"], answer["error"]) == ("error", "NOT_FOUND")
    assert answer["hint"]


# What each tool is called with, once the two claims are there; every row has a line.
CALLS: dict[str, dict[str, Any]] = {
    "ingest_hypothesis": {"hypothesis": "Convolutions see a few pixels at a time.", "source": "LeCun 1989"},
    "connect_propositions": {"id_a": STEPS, "id_b": QUADRATIC, "relation": "contradicts", "reasoning": "Or."},
    "semantic_search": {"query": "processing sequences"},
    "find_scientific_lineage": {"start_concept": STEPS, "end_concept": QUADRATIC},
    "find_contradictions": {"claim": "RNNs process the whole sequence in parallel."},
    "list_propositions": {},
    "get_unit": {"unit_id": STEPS},
    "delete_unit": {"unit_id": STEPS, "confirm": True},
    "analyze_propositions": {"kind": "gaps", "subject": "sequences"},
}


@pytest.mark.parametrize("tool", ROWS, ids=lambda tool: tool.name)
def test_every_answer_is_what_its_schema_says_and_tells_what_comes_next(notes: Study, tool: Any) -> None:  # noqa: ANN401
    """The same list under both names; every action offered is one that this caller is served."""
    _pair(notes)
    answer = notes.call(tool.name, **CALLS[tool.name])
    Draft202012Validator(tool.output_schema).validate(answer)
    assert answer.keys() <= tool.output_schema["properties"].keys()
    assert answer["available_actions"] == answer["suggested_next_actions"]
    assert {row["tool"] for row in answer["available_actions"]} <= notes.door.caller.tools


def test_the_toolset_is_small_enough_to_be_read(notes: Study) -> None:
    """Nine tools; its sentence for the instructions fits."""
    assert [row.name for row in ROWS] == list(CALLS)
    assert len(USAGE.encode()) <= 190
    assert isinstance(notes.door, Door)


def test_a_unit_that_somebody_gave_a_title_shows_it(notes: Study) -> None:
    """Of a document a list shows the opening, which may say nothing; a claim's own words are not said twice."""
    notes.door.call("capture", title="Cookbook", content=":status: draft\n\nThe kiln is fired.", kind="concept")
    notes.door.call("ingest_hypothesis", hypothesis="The kiln is fired to 1250 degrees.")
    found = notes.door.call("semantic_search", query="kiln")["results"]
    assert {each.get("title") for each in found} == {"Cookbook", None}
