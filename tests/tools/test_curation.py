"""The curation toolset through the gate: what each tool takes, answers and refuses, in the words of ADR-003."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from doors import Door, door
from weft.errors import Ambiguous, Conflict, Duplicate, InvalidArgument, NotFound, PermissionDenied
from weft.model import CaptureRequest, Linking, Tier
from weft.settings import Settings
from weft.tools import curation
from weft.tools.table import TOOLSETS

if TYPE_CHECKING:
    from collections.abc import Iterator

KILN = "A kiln is an oven that bakes clay until it is hard."
OVEN = "A kiln is an oven which bakes clay until it becomes hard."
TAX = "Income tax is due at the end of May."
DOCUMENT = "# Pottery\n\nKilns are fired to 1250 degrees.\n\nStoneware is dense and rings when it is struck."


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """Ann, a curator, before an empty graph."""
    with door(tmp_path) as opened:
        yield opened


def made(ann: Door, label: str, description: str = "", **said: Any) -> str:  # noqa: ANN401 - arguments of a tool
    """Make a concept, whatever is there, and return its id."""
    id_: str = ann.call("create_concept", label=label, description=description, proceed=True, **said)["concept_id"]
    return id_


def pair(ann: Door) -> tuple[str, str]:
    """Make two concepts that say the same and return their ids."""
    return made(ann, "Kiln", KILN), made(ann, "Clay oven", OVEN)


def test_the_toolset_has_the_twelve_tools_of_its_table() -> None:
    """In order, each with its tier."""
    assert [(row.name, row.needs) for row in curation.ROWS] == [
        ("search_concepts", "reader"),
        ("get_concept_details", "reader"),
        ("find_related_concepts", "reader"),
        ("list_ontologies", "reader"),
        ("create_concept", "contributor"),
        ("create_relationship", "contributor"),
        ("add_evidence", "contributor"),
        ("ingest", "contributor"),
        ("flag_similar_concepts", "contributor"),
        ("merge_concepts", "librarian"),
        ("unmerge_concepts", "librarian"),
        ("prune", "curator"),
    ]
    assert "curation" in TOOLSETS
    assert len(curation.USAGE.encode()) <= 190


# ---- search_concepts


def test_a_search_shows_concepts_with_their_terms_and_evidence(ann: Door) -> None:
    """Under the names that ADR-003's graph has for them."""
    id_ = made(ann, "Kiln", KILN, search_terms=["oven"], evidence="Kilns stood in the yard.")
    answer = ann.call("search_concepts", query="an oven for clay")
    (found,) = answer["results"]
    assert (found["concept_id"], found["label"], found["ontology"]) == (id_, "Kiln", "notes")
    assert found["search_terms"] == ["oven"]
    assert found["evidence"] == ["Kilns stood in the yard."]
    assert 0.0 < found["similarity"] <= 1.0
    assert (answer["total"], answer["near_misses"]["count"]) == (1, 0)


def test_a_threshold_leaves_out_what_is_less_alike_and_counts_it(ann: Door) -> None:
    """Over all pages: the total is true, and near misses say what the best of the others has."""
    for number in range(4):
        made(ann, f"Kiln {number}", f"{KILN} It is number {number}.")
    made(ann, "Tax", f"{TAX} Kilns are not taxed.")
    every = ann.call("search_concepts", query=KILN)["results"]
    bar = round(max(row["similarity"] for row in every if row["label"] == "Tax") + 0.05, 2)
    page = ann.call("search_concepts", query=KILN, threshold=bar, limit=2, offset=2)
    assert (len(page["results"]), page["total"]) == (2, 4)
    assert all(row["similarity"] >= bar for row in page["results"])
    assert page["near_misses"]["threshold"] == bar
    assert page["near_misses"]["count"] >= 1
    assert page["near_misses"]["best"] < bar


def test_a_claim_of_any_toolset_is_a_concept_here(ann: Door) -> None:
    """One graph."""
    id_ = ann.call("capture", content="Stoneware is dense.", title="Stoneware", kind="claim")["id"]
    assert [row["concept_id"] for row in ann.call("search_concepts", query="stoneware")["results"]] == [id_]


# ---- get_concept_details


def test_details_show_evidence_in_context_sources_and_relationships_both_ways(ann: Door) -> None:
    """And the aliases."""
    ann.call("ingest", text=DOCUMENT, document="pottery.md")
    kiln, clay, heat = made(ann, "Kiln", KILN), made(ann, "Clay"), made(ann, "Heat")
    ann.call("add_evidence", concept_id=kiln, quote="fired to 1250 degrees", document="pottery.md", paragraph=1)
    ann.call("create_relationship", from_id=kiln, to_id=clay, type="uses", reasoning="It bakes it.")
    ann.call("create_relationship", from_id=heat, to_id=kiln, type="affects", reasoning="It is hot.")
    answer = ann.call("get_concept_details", concept_id="Kiln")
    assert answer["concept"]["concept_id"] == kiln
    (piece,) = answer["evidence"]
    assert piece["quote"] == "fired to 1250 degrees"
    assert (piece["source"]["document"], piece["source"]["paragraph"]) == ("pottery.md", 1)
    assert piece["source"]["full_context"] == "Kilns are fired to 1250 degrees."
    assert answer["sources"] == [{"document": "pottery.md", "occurrences": 1}]
    ways = {(row["type"], row["direction"], row["related_concept"]["label"]) for row in answer["relationships"]}
    assert ways == {("uses", "outgoing", "Clay"), ("affects", "incoming", "Heat")}
    assert answer["aliases"] == []


# ---- find_related_concepts


def chain(ann: Door, length: int) -> list[str]:
    """Make concepts that lead to one another and return their ids."""
    ids = [made(ann, f"Link {number}") for number in range(length)]
    for number, (one, other) in enumerate(pairwise(ids)):
        confidence = round(0.9 - number / 10, 2)
        ann.call("create_relationship", from_id=one, to_id=other, type="uses", reasoning="Next.", confidence=confidence)
    return ids


def test_related_concepts_come_with_distance_path_and_confidences(ann: Door) -> None:
    """Nearest first; a step against its direction is marked; a sample of evidence where there is one."""
    ids = chain(ann, 4)
    ann.call("add_evidence", concept_id=ids[0], quote="Seen at the start.")
    answer = ann.call("find_related_concepts", concept_id=ids[1])
    rows = {row["label"]: row for row in answer["relatedConcepts"]}
    assert [row["distance"] for row in answer["relatedConcepts"]] == [1, 1, 2]
    assert rows["Link 3"]["relationship_path"] == ["uses", "uses"]
    assert rows["Link 3"]["confidence_path"] == [0.8, 0.7]
    assert rows["Link 0"]["relationship_path"] == ["uses (incoming)"]
    assert rows["Link 0"]["sample_evidence"] == "Seen at the start."
    assert "sample_evidence" not in rows["Link 2"]
    assert (answer["concept_id"], answer["max_depth"], answer["total"]) == (ids[1], 2, 3)


def test_related_concepts_are_bounded_by_depth_types_and_page(ann: Door) -> None:
    """At most five relations away; other types are not walked."""
    ids = chain(ann, 7)
    ann.call("create_relationship", from_id=ids[0], to_id=ids[6], type="affects", reasoning="Far.")
    past = ann.call("find_related_concepts", concept_id=ids[0], offset=99)
    assert (past["relatedConcepts"], past["total"] > 0, past["suggested_next_actions"]) == ([], True, [])
    far = ann.call("find_related_concepts", concept_id=ids[0], max_depth=5, relationship_types=["uses"], limit=2)
    assert (len(far["relatedConcepts"]), far["total"]) == (2, 5)
    with pytest.raises(InvalidArgument, match="max_depth"):
        ann.call("find_related_concepts", concept_id=ids[0], max_depth=6)
    (near,) = ann.call("find_related_concepts", concept_id=ids[0], relationship_types=["affects"], max_depth=1)[
        "relatedConcepts"
    ]
    assert near["concept_id"] == ids[6]


# ---- list_ontologies


def test_ontologies_are_listed_with_their_counts(ann: Door) -> None:
    """Largest first; a relation counts where it starts, a learned concept is counted apart."""
    kiln, oven = pair(ann)
    tax = made(ann, "Tax", TAX, ontology="law")
    ann.call("create_relationship", from_id=tax, to_id=kiln, type="affects", reasoning="Kilns are taxed.")
    ann.call("synthesize", label="Taxed ovens", bridges=[oven, tax], evidence="Both cost money.", ontology="law")
    answer = ann.call("list_ontologies")
    assert answer["ontologies"] == [
        {"name": "law", "concepts": 2, "sources": 1, "relationships": 3, "learned": 1},
        {"name": "notes", "concepts": 2, "sources": 0, "relationships": 0, "learned": 0},
    ]
    assert answer["total"] == 2


# ---- create_concept


def test_a_concept_is_made_with_its_terms_and_evidence_in_one_batch(ann: Door) -> None:
    """Or not at all; one undo takes all of it back."""
    answer = ann.call(
        "create_concept",
        label="Kiln",
        description=KILN,
        search_terms=["oven", "firing"],
        ontology="pottery",
        evidence="Kilns stood in the yard.",
        proceed=True,
    )
    assert answer["success"] is True
    details = ann.call("get_concept_details", concept_id=answer["concept_id"])
    assert details["concept"]["search_terms"] == ["oven", "firing"]
    assert details["concept"]["ontology"] == "pottery"
    assert [row["evidence_id"] for row in details["evidence"]] == [answer["evidence_id"]]
    assert {change.batch for change in ann.graph.log.since(0, limit=99)} == {answer["batch"]}
    assert [row["tool"] for row in answer["suggested_next_actions"]] == ["create_relationship", "add_evidence"]


def test_a_near_duplicate_is_told_and_proceed_makes_it_all_the_same(ann: Door) -> None:
    """By its name, or because it says the same."""
    kiln = made(ann, "Kiln", KILN)
    head = ann.graph.log.head()
    ann.call("search_concepts", query="kiln, a clay oven")
    for label, description in (("kiln", "Something else altogether."), ("Clay oven", KILN)):
        with pytest.raises(Duplicate) as refused:
            ann.call("create_concept", label=label, description=description)
        assert (refused.value.key, refused.value.can_proceed) == ("duplicate_concept", True)
        assert [each.id for each in refused.value.candidates] == [kiln]
        assert "create_relationship or merge_concepts" in refused.value.hint
    assert ann.graph.log.head() == head
    assert ann.call("create_concept", label="kiln", description=KILN, proceed=True)["concept_id"] != kiln


def test_an_opposite_is_no_duplicate(ann: Door) -> None:
    """Likeness is not agreement."""
    made(ann, "Quadratic attention", "Attention is quadratic in sequence length.")
    answer = ann.call(
        "create_concept", label="Linear attention", description="Attention is linear in sequence length.", proceed=True
    )
    assert answer["similar"] == []


def test_creating_a_concept_links_nothing_by_itself(ann: Door) -> None:
    """It only reports what is alike."""
    made(ann, "Kiln", KILN)
    answer = ann.call("create_concept", label="Pottery kiln", description=f"{KILN} It stands in a yard.", proceed=True)
    assert [row["label"] for row in answer["similar"]] == ["Kiln"]
    assert ann.call("get_concept_details", concept_id=answer["concept_id"])["relationships"] == []


# ---- create_relationship


def test_a_relationship_is_made_once_and_strengthened_after(ann: Door) -> None:
    """Labels will do; the larger confidence stays."""
    pair(ann)
    said = {"from_id": "Kiln", "to_id": "Clay oven", "type": "EXTENDS", "reasoning": "It is one."}
    first = ann.call("create_relationship", **said)
    again = ann.call("create_relationship", **said, confidence=0.9)
    assert (first["created"], again["created"]) == (True, False)
    assert first["relationship"]["relationship_id"] == again["relationship"]["relationship_id"]
    assert (first["relationship"]["type"], again["relationship"]["confidence"]) == ("extends", 0.9)


def test_an_unknown_relationship_type_is_refused_with_the_nearest(ann: Door) -> None:
    """Text of a caller never becomes a type."""
    pair(ann)
    with pytest.raises(InvalidArgument, match="type"):
        ann.call("create_relationship", from_id="Kiln", to_id="Clay oven", type="x'); DROP", reasoning="No.")


# ---- add_evidence


def test_evidence_of_a_document_must_stand_in_it_word_for_word(ann: Door) -> None:
    """In that paragraph, where one is named."""
    ann.call("ingest", text=DOCUMENT, document="pottery.md")
    kiln = made(ann, "Kiln", KILN)
    quote = "Stoneware is dense"
    answer = ann.call("add_evidence", concept_id=kiln, quote=quote, document="pottery.md")
    assert (answer["document"], answer["paragraph"], answer["existing"]) == ("pottery.md", 2, False)
    again = ann.call("add_evidence", concept_id=kiln, quote=quote, document="pottery.md", paragraph=2)
    assert (again["evidence_id"], again["existing"]) == (answer["evidence_id"], True)
    with pytest.raises(InvalidArgument, match="paragraph 0"):
        ann.call("add_evidence", concept_id=kiln, quote=quote, document="pottery.md", paragraph=0)
    for wrong in ({"paragraph": 0}, {"paragraph": 9}, {"quote": "Stoneware is soft"}):
        with pytest.raises(InvalidArgument):
            ann.call("add_evidence", **{"concept_id": kiln, "quote": "rings", "document": "pottery.md", **wrong})
    with pytest.raises(NotFound, match="never taken in"):
        ann.call("add_evidence", concept_id=kiln, quote=quote, document="bread.md")


def test_evidence_of_ones_own_is_kept_whole_and_once(ann: Door) -> None:
    """As a learned source."""
    kiln = made(ann, "Kiln", KILN)
    first = ann.call("add_evidence", concept_id=kiln, quote="We fired ours in March.")
    again = ann.call("add_evidence", concept_id=kiln, quote="We fired ours in March.")
    assert first["document"] == "User synthesis"
    assert (again["evidence_id"], again["existing"]) == (first["evidence_id"], True)
    with pytest.raises(InvalidArgument, match="document"):
        ann.call("add_evidence", concept_id=kiln, quote="x", paragraph=0)


# ---- ingest


def test_a_text_is_taken_in_once(ann: Door) -> None:
    """With the evidence for what it says; again it writes nothing."""
    first = ann.call("ingest", text=DOCUMENT, document="pottery.md", ontology="pottery")
    assert (first["sources"], first["skipped"]) == (1, [])
    assert first["nodes_made"] >= 1
    again = ann.call("ingest", text=DOCUMENT, document="pottery.md", ontology="pottery")
    assert (again["sources"], again["unchanged"], again["nodes_made"]) == (0, 1, 0)


def test_files_are_read_under_the_allowed_roots_only(tmp_path: Path) -> None:
    """By a path within them; anything else is refused, a missing one not found."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "pottery.md").write_text(DOCUMENT)
    (tmp_path / "secret.md").write_text("# Secret\n\nThe key lies under the mat.")
    with door(tmp_path / "graph", roots=str(shelf)) as ann:
        assert ann.call("ingest", path="pottery.md")["sources"] == 1
        assert ann.call("ingest", path=str(shelf))["unchanged"] == 1
        for outside in ("../secret.md", str(tmp_path / "secret.md"), "/etc/passwd"):
            with pytest.raises(InvalidArgument, match="allowed folders"):
                ann.call("ingest", path=outside)
        with pytest.raises(NotFound, match=r"^path: there is nothing"):
            ann.call("ingest", path="bread.md")


@pytest.mark.parametrize("roots", ["", "none"])
def test_without_roots_no_file_is_read(tmp_path: Path, roots: str) -> None:
    """As over HTTP, unless the server was started with some."""
    with door(tmp_path, roots=roots) as ann, pytest.raises(InvalidArgument, match="no folder may be read"):
        ann.call("ingest", path=str(tmp_path))


def test_the_working_directory_is_a_root_for_who_works_on_this_machine(tmp_path: Path) -> None:
    """On the command line and over stdio; roots that were set stay, and none allows nothing."""
    assert Settings().folders == ()
    assert Settings().at_home(start=tmp_path).folders == (tmp_path,)
    assert Settings(roots="none").at_home(start=tmp_path).folders == ()
    both = Settings(roots=os.pathsep.join((str(tmp_path), "~"))).at_home()
    assert both.folders == (tmp_path, Path("~").expanduser())


def test_a_text_or_a_path_is_needed_and_not_both(ann: Door) -> None:
    """Neither is nothing, both is unclear."""
    for given in ({}, {"text": "x", "path": "y"}):
        with pytest.raises(InvalidArgument, match="text or path"):
            ann.call("ingest", **given)


# ---- flag_similar_concepts


def test_similar_concepts_are_flagged_for_review_the_likest_first(ann: Door) -> None:
    """Around one concept, or within an ontology; the older one is to stay; a flag is made once."""
    kiln, oven = pair(ann)
    made(ann, "Tax", TAX)
    (flag,) = ann.call("flag_similar_concepts", concept_id="Clay oven")["flags"]
    assert (flag["keep_id"], flag["merge_id"], flag["existing"]) == (kiln, oven, False)
    assert flag["similarity"] >= 0.85
    assert flag["judged"] in {"supports", "unsure"}
    (again,) = ann.call("flag_similar_concepts", ontology="notes")["flags"]
    assert (again["flag_id"], again["existing"]) == (flag["flag_id"], True)
    (item,) = ann.call("review", kinds=["duplicate"])["items"]
    assert item["id"] == flag["flag_id"]


def test_an_ontology_is_flagged_in_whatever_case_it_is_given_and_an_unknown_one_is_told(ann: Door) -> None:
    """Nothing flagged would look as if nothing in it said the same; a case that fits two names fits none."""
    made(ann, "Kiln", KILN, ontology="Pottery")
    made(ann, "Clay oven", OVEN, ontology="Pottery")
    assert len(ann.call("flag_similar_concepts", ontology="POTTERY")["flags"]) == 1
    with pytest.raises(NotFound, match="ontology: No node has the ontology «Potery»; near: «Pottery»"):
        ann.call("flag_similar_concepts", ontology="Potery")
    made(ann, "Income tax", TAX, ontology="pottery")
    assert ann.call("flag_similar_concepts", ontology="pottery")["flags"] == []
    with pytest.raises(Ambiguous, match="may mean «Pottery», «pottery»"):
        ann.call("flag_similar_concepts", ontology="POTTERY")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The hotline of the plant is 0664 555 0182.", "The hotline of the plant is 0664 555 0183."),
        ("The kiln is serviced on 14 March.", "The kiln is serviced on 21 March."),
        ("Clara is the deputy of Lena.", "Lena is the deputy of Clara."),
    ],
)
def test_what_differs_in_a_number_a_day_or_a_role_is_not_flagged(ann: Door, one: str, other: str) -> None:
    """However alike: merged, one of the two would be lost."""
    for text in (one, other):
        ann.call("capture", content=text)
    answer = ann.call("flag_similar_concepts", ontology="notes")
    assert (answer["flags"], answer["passed_over"]["opposed"]) == ([], 1)


def test_versions_of_one_text_are_not_flagged(ann: Door) -> None:
    """By their titles; under another title the same text is."""
    text = "Every endpoint answers JSON, a page has a cursor, and clients are told by a key."
    made(ann, "API guidelines v1", text)
    made(ann, "API guidelines v2", f"{text} Keys end.")
    answer = ann.call("flag_similar_concepts", ontology="notes")
    assert (answer["flags"], answer["passed_over"]["opposed"]) == ([], 1)
    made(ann, "Rules of our API", f"{text} They do.")
    assert ann.call("flag_similar_concepts", ontology="notes")["flags"]


def test_opposites_are_not_flagged(ann: Door) -> None:
    """They are counted as passed over."""
    made(ann, "Quadratic", "Attention is quadratic in sequence length.")
    made(ann, "Linear", "Attention is linear in sequence length.")
    answer = ann.call("flag_similar_concepts", ontology="notes")
    assert answer["flags"] == []
    assert answer["passed_over"]["opposed"] == 1


def test_a_pair_that_was_dismissed_is_not_flagged_again(ann: Door) -> None:
    """A decision sticks."""
    pair(ann)
    (flag,) = ann.call("flag_similar_concepts", concept_id="Kiln")["flags"]
    ann.call("review", decide=[{"item": flag["flag_id"], "decision": "dismiss"}])
    answer = ann.call("flag_similar_concepts", concept_id="Kiln")
    assert (answer["flags"], answer["passed_over"]["decided"]) == ([], 1)


def test_where_to_look_for_what_is_alike_must_be_said(ann: Door) -> None:
    """A concept or an ontology, not both; nothing under 0.70."""
    for given in ({}, {"concept_id": "a", "ontology": "b"}):
        with pytest.raises(InvalidArgument, match="concept_id or ontology"):
            ann.call("flag_similar_concepts", **given)
    with pytest.raises(InvalidArgument, match="min_similarity"):
        ann.call("flag_similar_concepts", ontology="notes", min_similarity=0.2)


# ---- merge_concepts, unmerge_concepts


def test_a_flagged_pair_is_merged_and_parted_again(ann: Door) -> None:
    """The answer says what moved; the old id leads to the one that stayed, until they are parted."""
    kiln, oven = pair(ann)
    ann.call("add_evidence", concept_id=oven, quote="Ours is made of brick.")
    ann.call("flag_similar_concepts", concept_id=kiln)
    merged = ann.call("merge_concepts", keep_id=kiln, merge_id=oven, reason="One thing.")
    assert merged["moved"] == {"relations": 0, "evidence": 1, "search_terms": 0}
    assert merged["alias"] == "Clay oven"
    assert ann.call("get_concept_details", concept_id=oven)["concept"]["concept_id"] == kiln
    parted = ann.call("unmerge_concepts", merge_id="Clay oven")
    assert (parted["concept_id"], parted["from_id"], parted["left"]) == (oven, kiln, [])
    assert ann.call("get_concept_details", concept_id=oven)["concept"]["concept_id"] == oven


def test_a_pair_that_is_not_alike_enough_is_refused_and_a_curator_overrides(ann: Door) -> None:
    """A librarian may not."""
    kiln, tax = made(ann, "Kiln", KILN), made(ann, "Tax", TAX)
    said = {"keep_id": kiln, "merge_id": tax, "reason": "Test.", "proceed": True}
    with pytest.raises(Conflict) as refused:
        ann.call("merge_concepts", **said)
    assert (refused.value.key, refused.value.can_proceed) == ("insufficient_similarity", False)
    assert "0.85" in refused.value.hint
    with pytest.raises(PermissionDenied, match="needs the tier curator"):
        ann.as_(tier=Tier.LIBRARIAN).call("merge_concepts", **said, override=True)
    assert ann.call("merge_concepts", **said, override=True)["merge_id"] == tax


def test_a_repeated_merge_with_a_key_answers_as_the_first(ann: Door) -> None:
    """Though the pair is one node by then."""
    kiln, oven = pair(ann)
    said = {"keep_id": kiln, "merge_id": oven, "reason": "One.", "proceed": True, "idempotency_key": "k"}
    assert ann.call("merge_concepts", **said) == ann.call("merge_concepts", **said)


# ---- prune


def test_a_dry_run_counts_and_writes_nothing(ann: Door) -> None:
    """It is the default."""
    made(ann, "Kiln", KILN)
    head = ann.graph.log.head()
    answer = ann.call("prune", what="orphans", reason="Spring.")
    assert (answer["dry_run"], answer["counts"]["nodes"], answer["more"]) == (True, 1, False)
    assert [row["label"] for row in answer["examples"]] == ["Kiln"]
    assert "batch" not in answer
    assert ann.graph.log.head() == head


def test_orphans_are_pruned_and_brought_back_as_one_batch(ann: Door) -> None:
    """What is joined, supported or said by a document stays."""
    ann.call("ingest", text="# Ovens\n\nBread is baked.", document="ovens.md")
    kiln, oven = pair(ann)
    made(ann, "Tax", TAX, evidence="It stands in the law.")
    ann.call("create_relationship", from_id=kiln, to_id=oven, type="relates_to", reasoning="Alike.")
    alone = [made(ann, f"Alone {number}") for number in range(3)]
    before = ann.call("status")["counts"]["nodes"]
    answer = ann.call("prune", what="orphans", reason="Nobody needs them.", dry_run=False)
    assert (answer["dry_run"], answer["counts"]["nodes"]) == (False, 3)
    assert ann.call("status")["counts"]["nodes"] == before - 3
    with pytest.raises(NotFound, match="ann forgot"):
        ann.call("fetch", id=alone[0])
    ann.graph.curate.undo(answer["batch"], ann.graph.call("undo"))
    assert ann.call("status")["counts"]["nodes"] == before


def test_what_dangles_and_what_forgotten_concepts_rested_on_is_pruned(ann: Door) -> None:
    """Evidence for a relation that is gone; evidence that was given for a forgotten concept."""
    kiln, oven = pair(ann)
    ann.call("relate", source=kiln, target=oven, type="uses", reasoning="So.", evidence="Seen in May.")
    ann.call("unrelate", source=kiln, target=oven, type="uses")
    gone = made(ann, "Tax", TAX, evidence="It stands in the law.")
    ann.call("forget", id=gone, confirm=True)
    for what in ("dangling", "retired"):
        assert ann.call("prune", what=what, reason="Tidy.", dry_run=False)["counts"]["evidence"] == 1
        assert ann.call("prune", what=what, reason="Tidy.")["counts"]["evidence"] == 0


def test_a_prune_is_bounded_and_says_that_there_is_more(ann: Door) -> None:
    """At most 500 at a time: one batch has to be undoable."""
    call = ann.graph.call("capture")
    for number in range(505):
        request = CaptureRequest(content=f"Note number {number}.", kind="concept", linking=Linking.NONE)
        ann.graph.capture.capture(request, replace(call, at=ann.graph.call().at))
    answer = ann.call("prune", what="orphans", reason="Too many.", dry_run=False)
    assert (answer["counts"]["nodes"], answer["more"]) == (500, True)
    assert [row["tool"] for row in answer["suggested_next_actions"]] == ["prune"]
    assert ann.call("prune", what="orphans", reason="The rest.", dry_run=False)["counts"]["nodes"] == 5


def test_pruning_wants_a_reason_and_a_curator(ann: Door) -> None:
    """Even a dry run."""
    with pytest.raises(InvalidArgument, match="reason"):
        ann.call("prune", what="orphans")
    with pytest.raises(PermissionDenied, match="needs the tier curator"):
        ann.as_(tier=Tier.LIBRARIAN).call("prune", what="orphans", reason="Please.")
    with pytest.raises(InvalidArgument, match="what"):
        ann.call("prune", what="everything", reason="Please.")
