"""The twelve quick-start cases of ACI, the Atomic Graph Researcher: each asserts what is found, not that it ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journeys.study import Study, study

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Study]:
    """An empty study."""
    with study(tmp_path) as opened:
        yield opened


def _networks(notes: Study) -> None:
    notes.claim("nodes", "A neural network is a web of simple nodes that pass signals to each other.")
    notes.claim("brains", "The first neural networks were inspired by how brain cells fire.")
    notes.claim("weights", "Neural networks learn by changing the weights of their connections.")
    notes.claim("deep", "Deep learning stacks many layers of neural networks on top of one another.")


def _transformers(notes: Study) -> None:
    notes.claim("transformer", "The transformer is an architecture that drops recurrence.", "Vaswani et al. 2017")
    notes.claim("attention", "Self-attention lets every token look at every other token.", "Vaswani et al. 2017")
    notes.claim("bert", "BERT reads text in both directions with a transformer encoder.", "Devlin et al. 2018")
    notes.claim("gpt", "GPT predicts the next token with a transformer decoder.", "Radford et al. 2018")
    notes.claim("scaling", "Transformer language models improve smoothly with scale.", "Kaplan et al. 2020")
    notes.argue("attention", "supports", "transformer", "Without recurrence, attention carries the context.")
    notes.argue("bert", "extends", "transformer", "It trains the encoder by filling in masked words.")
    notes.argue("gpt", "extends", "transformer", "It trains the decoder on plain text.")


def test_quick_start_1_a_first_hypothesis_is_kept_and_found_again(notes: Study) -> None:
    """It comes back by its id, with full confidence, and is the one claim of the list."""
    made = notes.claim("boiling", "Water boils at 100 degrees Celsius at sea level.")
    assert (made["created"], made["confidence"], made["source"]) == (True, 1.0, "")
    unit = notes.call("get_unit", unit_id=made["unit_id"])
    assert unit["unit"]["content"] == "Water boils at 100 degrees Celsius at sea level."
    assert unit["connection_count"] == 0
    assert notes.names(notes.call("list_propositions")["propositions"]) == ["boiling"]


def test_quick_start_2_a_hypothesis_keeps_its_source(notes: Study) -> None:
    """Wherever the unit is shown, and as a citation: it makes no document."""
    notes.claim("light", "Nothing travels faster than light in empty space.", "Einstein 1905, special relativity")
    shown = [
        notes.call("get_unit", unit_id=notes.units["light"])["unit"],
        notes.call("semantic_search", query="speed limit of the universe: light")["results"][0],
        notes.call("list_propositions")["propositions"][0],
    ]
    assert {row["source"] for row in shown} == {"Einstein 1905, special relativity"}
    assert notes.door.graph.store.counts().sources == 0


def test_quick_start_3_several_claims_on_one_subject_stay_apart(notes: Study) -> None:
    """Four units with four ids, newest first; none is taken for another."""
    _networks(notes)
    listed = notes.call("list_propositions")
    assert notes.names(listed["propositions"]) == ["deep", "weights", "brains", "nodes"]
    assert (listed["count"], listed["total"]) == (4, 4)


def test_quick_start_4_connecting_shows_both_ends_and_the_reason(notes: Study) -> None:
    """And the connections are seen from the unit they meet in, each with its direction."""
    _networks(notes)
    made = notes.argue("brains", "supports", "nodes", "Neurons are such nodes.")
    assert made["relation"]["type"] == "supports"
    assert made["source_content"].startswith("The first neural networks")
    assert made["target_content"].startswith("A neural network is a web")
    notes.argue("deep", "extends", "nodes", "More layers of the same nodes.")
    seen = notes.call("get_unit", unit_id=notes.units["nodes"])["connections"]
    assert {(notes.name(row["connected_to"]), row["type"], row["direction"], row["reasoning"]) for row in seen} == {
        ("brains", "supports", "backward", "Neurons are such nodes."),
        ("deep", "extends", "backward", "More layers of the same nodes."),
    }


@pytest.mark.parametrize(
    ("query", "first"), [("how brains inspire computing", "brains"), ("deep learning with many layers", "deep")]
)
def test_quick_start_5_a_search_finds_by_meaning_best_first(notes: Study, query: str, first: str) -> None:
    """The unit that is meant comes first, and scores fall."""
    _networks(notes)
    found = notes.call("semantic_search", query=query)
    assert notes.names(found["results"])[0] == first
    scores = [row["similarity_score"] for row in found["results"]]
    assert scores == sorted(scores, reverse=True)
    assert found["total_found"] >= len(scores) >= 1


def test_quick_start_6_exploring_a_unit_leads_on(notes: Study) -> None:
    """What is offered next can be called as it stands, and its answer is about the unit."""
    _networks(notes)
    notes.argue("brains", "supports", "nodes", "Neurons are such nodes.")
    unit = notes.call("get_unit", unit_id=notes.units["brains"])
    actions = {row["tool"]: row for row in unit["available_actions"]}
    assert actions["find_contradictions"]["arguments"] == {"claim": unit["unit"]["content"]}
    checked = notes.call("find_contradictions", **actions["find_contradictions"]["arguments"])
    assert checked["claim_unit"] == notes.units["brains"]
    assert notes.names(checked["supporting"]) == ["nodes"]


def test_quick_start_7_a_research_topic_becomes_a_web_of_sourced_claims(notes: Study) -> None:
    """Two models extend one architecture, a mechanism supports it, and the fifth claim shows up as not joined."""
    _transformers(notes)
    centre = notes.call("get_unit", unit_id=notes.units["transformer"])
    assert {(notes.name(row["connected_to"]), row["type"]) for row in centre["connections"]} == {
        ("attention", "supports"),
        ("bert", "extends"),
        ("gpt", "extends"),
    }
    apart = [each for each in notes.analyze("gaps", "transformer") if each["finding"] == "missing_relation"]
    assert notes.names(apart[0]["units"])[0] == "scaling"
    assert "is related to nothing" in apart[0]["why"]


def test_quick_start_8_the_lineage_from_neural_networks_to_gpt_names_every_step(notes: Study) -> None:
    """Ends by meaning, steps with type, direction and reasoning."""
    _networks(notes)
    _transformers(notes)
    notes.argue("deep", "extends", "nodes", "More layers of the same nodes.")
    notes.argue("transformer", "extends", "deep", "It is a deep network without recurrence.")
    found = notes.lineage("a web of simple nodes, a neural network", "GPT, the transformer decoder")
    assert found["connected"]
    assert notes.way(found["path"]) == ["nodes", "<extends", "deep", "<extends", "transformer", "<extends", "gpt"]
    assert found["path_length"] == 3
    assert found["path"][1]["relation_to_next"]["reasoning"] == "It is a deep network without recurrence."
    assert found["path"][-1]["source"] == "Radford et al. 2018"
    assert notes.name(found["start_match"]["unit_id"]) == "nodes"
    assert 0.5 <= found["end_match"]["similarity"] < 1.0


def test_quick_start_9_a_claim_of_the_opposite_is_a_conflict_and_a_paraphrase_is_not(notes: Study) -> None:
    """Step by step against in parallel; the same thing in other words is no conflict."""
    notes.claim("steps", "RNNs process a sequence step by step.", "Elman 1990")
    notes.claim("images", "Convolutions detect edges in images.")
    found = notes.against("RNNs process the whole sequence in parallel.")
    assert found["conflicts_found"]
    assert notes.names(found["conflicts"]) == ["steps"]
    assert found["conflict_count"] == 1
    assert "parallel" in found["conflicts"][0]["explanation"]
    assert found["conflicts"][0]["source"] == "Elman 1990"
    same = notes.against("A recurrent network handles its sequence one step at a time.")
    assert same["conflicts"] == []


def test_quick_start_10_an_explicit_contradiction_is_told_for_its_topic(notes: Study) -> None:
    """Both parties, with the relation that says so and its reasoning."""
    notes.claim("bigger", "Bigger language models are always better.", "Kaplan et al. 2020")
    notes.claim("small", "Small specialised models can outperform large general ones.", "Gunasekar et al. 2023")
    notes.argue("bigger", "contradicts", "small", "Both cannot hold for the same task.")
    found = notes.against("model size and performance")
    assert sorted(notes.names(found["conflicts"])) == ["bigger", "small"]
    assert all(row["relation"]["reasoning"] == "Both cannot hold for the same task." for row in found["conflicts"])
    mine = notes.against("Bigger language models are always better.")
    assert notes.names(mine["conflicts"]) == ["small"]


def test_quick_start_11_a_literature_review_is_searched_and_traced(notes: Study) -> None:
    """Three papers, each extending the one before; the trace names them in order with their sources."""
    notes.claim("align", "Additive attention aligns source and target words in translation.", "Bahdanau 2014")
    notes.claim("luong", "Attention scores can be plain dot products of the two states.", "Luong 2015")
    notes.claim("self", "Attention alone, without recurrence, is enough for translation.", "Vaswani 2017")
    notes.argue("luong", "extends", "align", "Simpler scores for the same alignment.")
    notes.argue("self", "extends", "luong", "Dot products, scaled, and nothing else.")
    found = notes.call("semantic_search", query="attention scores for translation")
    assert set(notes.names(found["results"])) == {"align", "luong", "self"}
    path = notes.lineage(notes.units["self"], notes.units["align"])["path"]
    assert notes.way(path) == ["self", "extends>", "luong", "extends>", "align"]
    assert [stop["source"] for stop in path] == ["Vaswani 2017", "Luong 2015", "Bahdanau 2014"]
    (follows,) = notes.analyze("implied", notes.units["self"], notes.units["align"])
    assert follows["record_with"]["arguments"]["relation"] == "extends"


def test_quick_start_12_one_idea_is_followed_across_fields(notes: Study) -> None:
    """From heat to loss functions over information, and a search by a word that no claim holds."""
    notes.claim("heat", "Thermodynamic entropy counts the microscopic states of a gas.", "Boltzmann 1877")
    notes.claim("bits", "Information entropy measures the uncertainty of a message.", "Shannon 1948")
    notes.claim("loss", "Cross-entropy serves as the loss function of classifiers.", "Rumelhart 1986")
    notes.claim("bread", "Sourdough rises slowly in a cold kitchen.")
    notes.argue("bits", "extends", "heat", "The same formula, for messages instead of molecules.")
    notes.argue("loss", "extends", "bits", "It is the expected message length under a wrong code.")
    found = notes.lineage("thermodynamic entropy", "loss functions of classifiers")
    assert notes.way(found["path"]) == ["heat", "<extends", "bits", "<extends", "loss"]
    near = notes.names(notes.call("semantic_search", query="not knowing, unpredictability of information")["results"])
    assert near[0] == "bits"
    assert "bread" not in near
