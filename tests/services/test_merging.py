"""Merging two nodes moves all that hangs on one to the other, and parting them restores exactly what was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import a_folder
from services.merged import Bench, bench, lowered
from weft.errors import Conflict, InvalidArgument, NotFound, PermissionDenied
from weft.model import (
    Decision,
    FlagRequest,
    IngestRequest,
    MergeRequest,
    SuggestionKind,
    SuggestionQuery,
    Tier,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.model import Node

ONE = "A kiln is an oven that bakes clay hard."
TWO = "A kiln is an oven which bakes clay until it is hard."


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Bench]:
    """An empty graph."""
    with bench(tmp_path) as graph:
        yield graph


def pair(kept: Bench) -> tuple[Node, Node]:
    """Make two nodes that say the same, each with its own relations, evidence, names and search terms."""
    keep = kept.concept("Kiln", description=ONE, search_terms=("oven",), evidence="Kilns bake clay.")
    merge = kept.concept("Clay oven", description=TWO, search_terms=("firing", "oven"), evidence="Clay ovens bake.")
    return keep, merge


def test_merging_moves_relations_evidence_and_search_terms(kept: Bench) -> None:
    """And says how many of each."""
    keep, merge = pair(kept)
    clay, heat = kept.add("Clay"), kept.add("Heat")
    kept.join(merge, clay, "uses")
    kept.join(heat, merge, "affects")
    kept.join(keep, merge, "relates_to")
    done = kept.merge(keep, merge)
    assert (done.relations, done.evidence, done.search_terms) == (2, 1, 1)
    assert set(kept.types(keep, clay)) == {"uses"}
    assert set(kept.types(keep, heat)) == {"affects"}
    assert {each.quote for each in kept.graph.store.evidence((keep.id,))} == {"Kilns bake clay.", "Clay ovens bake."}
    stands = kept.node(keep.id)
    assert stands.search_terms == ("oven", "firing")
    assert "Clay oven" in stands.aliases


def test_the_old_id_and_the_old_name_lead_to_the_one_that_stayed(kept: Bench) -> None:
    """Whoever wrote them down finds it; texts that name it do, too."""
    keep, merge = pair(kept)
    text = kept.add("Workshop", "The workshop has a Clay oven in the yard.")
    kept.merge(keep, merge)
    for reference in (merge.id, "Clay oven"):
        assert kept.graph.recall.fetch(reference, kept.graph.call()).node.id == keep.id
    assert (text.id, keep.id) in kept.whole()["mentions"]


def test_a_relation_that_both_have_is_held_once_with_the_larger_confidence(kept: Bench) -> None:
    """And with both reasons."""
    keep, merge = pair(kept)
    clay = kept.add("Clay")
    kept.join(keep, clay, confidence=0.5, reasoning="It bakes it.")
    kept.join(merge, clay, confidence=0.9, reasoning="It hardens it.")
    kept.merge(keep, merge)
    (relation,) = kept.graph.store.relations((keep.id,))
    assert (relation.confidence, relation.reasoning) == (0.9, "It bakes it.\nIt hardens it.")


def test_what_lies_under_the_bar_is_not_merged_unless_a_curator_overrides(kept: Bench) -> None:
    """With the key insufficient_similarity; nothing is written."""
    kiln, tax = kept.add("Kiln", ONE), kept.add("Tax", "Taxes are due in May.")
    head = kept.graph.log.head()
    wish = MergeRequest(keep=kiln.id, merge=tax.id, reason="Why not.")
    with pytest.raises(Conflict, match=r"under 0\.85") as refused:
        kept.graph.curation.merge(wish, kept.graph.call())
    assert (refused.value.key, refused.value.can_proceed) == ("insufficient_similarity", False)
    with pytest.raises(PermissionDenied, match="curator"):
        kept.graph.curation.merge(
            MergeRequest(keep=kiln.id, merge=tax.id, reason="Why not.", override=True), lowered(kept, Tier.LIBRARIAN)
        )
    assert kept.graph.log.head() == head
    assert kept.merge(kiln, tax).merge.id == tax.id


@pytest.mark.parametrize("recorded", [True, False])
def test_opposites_are_not_merged_however_like_they_are(kept: Bench, recorded: bool) -> None:  # noqa: FBT001
    """Whether their words clash or a relation says so."""
    one = kept.add("Cost of attention", "Attention is quadratic in sequence length.")
    other = kept.add(
        "Attention's cost",
        "Attention is quadratic in the sequence length." if recorded else "Attention is linear in sequence length.",
    )
    if recorded:
        kept.join(one, other, "contradicts")
    with pytest.raises(Conflict, match="opposed") as refused:
        kept.graph.curation.merge(MergeRequest(keep=one.id, merge=other.id, reason="Alike."), kept.graph.call())
    assert refused.value.key == "insufficient_similarity"


def test_a_merge_wants_two_nodes_and_a_reason(kept: Bench) -> None:
    """A node is not merged into itself, nor a second time."""
    keep, merge = pair(kept)
    with pytest.raises(InvalidArgument, match="one node"):
        kept.merge(keep, keep)
    with pytest.raises(InvalidArgument, match="reason"):
        kept.merge(keep, merge, reason="  ")
    kept.merge(keep, merge)
    with pytest.raises(InvalidArgument, match="earlier merge"):
        kept.merge(keep, merge)


def test_what_a_document_said_stays(kept: Bench) -> None:
    """Whichever of the two was to go; of two documents neither goes."""
    call = kept.graph.call("ingest")
    for name in ("one.md", "two.md"):
        kept.graph.ingest.ingest(IngestRequest(text=f"# {name}\n\n{ONE}", document=name), call)
    one, two = (kept.graph.store.resolve(name, limit=2)[0] for name in ("one.md", "two.md"))
    own = kept.add("My kiln", ONE)
    done = kept.merge(own, one)
    assert (done.keep.id, done.merge.id) == (one.id, own.id)
    assert "document" in done.warning
    with pytest.raises(PermissionDenied, match="documents"):
        kept.merge(one, two)


def test_a_merge_closes_its_flag_and_parting_opens_it_again(kept: Bench) -> None:
    """As deciding it in review would."""
    keep, merge = pair(kept)
    flagged = kept.graph.curation.flag(FlagRequest(id=keep.id), kept.graph.call())
    asked = SuggestionQuery(kinds=(SuggestionKind.DUPLICATE,))
    assert [each.suggestion.id for each in flagged.flags] == [
        each.id for each in kept.graph.store.suggestions(asked)[0]
    ]
    kept.merge(keep, merge)
    assert kept.graph.store.suggestions(asked)[1] == 0
    kept.part(merge)
    assert kept.graph.store.suggestions(asked)[1] == 1


def test_a_merge_that_was_decided_in_review_is_parted_too(kept: Bench) -> None:
    """One merge, two ways to it."""
    keep, merge = pair(kept)
    (flag,) = kept.graph.curation.flag(FlagRequest(id=keep.id), kept.graph.call()).flags
    before = kept.whole()
    decision = Decision(item=flag.suggestion.id, decision="accept")
    kept.graph.curate.review((decision,), kept.graph.call("review"))
    gone = keep if kept.node(keep.id).retired else merge
    kept.part(gone)
    assert kept.whole() == before


# ---- parting


def test_relations_made_in_between_stay_where_they_were_made(kept: Bench) -> None:
    """With the one that stayed: they were said of it."""
    keep, merge = pair(kept)
    clay, heat = kept.add("Clay"), kept.add("Heat")
    old = kept.join(merge, clay)
    kept.merge(keep, merge)
    new = kept.join(keep, heat)
    parted = kept.part(merge)
    assert kept.types(merge, clay) == {"uses": (old.id, old.confidence)}
    assert kept.types(keep, heat) == {"uses": (new.id, new.confidence)}
    assert kept.types(keep, clay) == {}
    assert (parted.relations, parted.left) == (1, ())


def test_a_relation_strengthened_in_between_is_held_by_both(kept: Bench) -> None:
    """By the one that returns as it was, by the other as it became, with the evidence given since."""
    keep, merge = pair(kept)
    clay = kept.add("Clay")
    old = kept.join(merge, clay, confidence=0.6, evidence="Seen in May.")
    kept.merge(keep, merge)
    kept.join(keep, clay, confidence=0.9, evidence="Seen in June.")
    kept.part(merge)
    assert kept.types(merge, clay) == {"uses": (old.id, 0.6)}
    ((own, confidence),) = kept.types(keep, clay).values()
    assert confidence == 0.9
    quotes = {key: [each.quote for each in kept.graph.store.evidence((key,))] for key in (old.id, own)}
    assert quotes == {old.id: ["Seen in May."], own: ["Seen in June."]}


@pytest.mark.parametrize("said", [{"reasoning": "Said since."}, {"evidence": "Seen in June."}])
def test_a_relation_of_both_that_was_stated_again_in_between_keeps_its_confidence(
    kept: Bench, said: dict[str, str]
) -> None:
    """With the one that stayed, though the merge had given it that confidence; the other's returns as it was."""
    keep, merge = pair(kept)
    clay = kept.add("Clay")
    own = kept.join(keep, clay, confidence=0.3)
    other = kept.join(merge, clay, confidence=0.8)
    kept.merge(keep, merge)
    kept.join(keep, clay, confidence=0.8, **said)
    kept.part(merge)
    assert kept.types(keep, clay) == {"uses": (own.id, 0.8)}
    assert kept.types(merge, clay) == {"uses": (other.id, 0.8)}


def test_a_statement_that_added_nothing_does_not_hold_the_confidence_of_a_merge(kept: Bench) -> None:
    """Nothing of it is recorded: neither its reason nor its confidence was new, and it gave no evidence."""
    keep, merge = pair(kept)
    clay = kept.add("Clay")
    own = kept.join(keep, clay, confidence=0.3)
    kept.join(merge, clay, confidence=0.8)
    kept.merge(keep, merge)
    head = kept.graph.log.head()
    kept.join(keep, clay, confidence=0.8)
    assert kept.graph.log.head() == head
    kept.part(merge)
    assert kept.types(keep, clay) == {"uses": (own.id, 0.3)}


def test_a_statement_that_was_taken_back_does_not_hold_the_confidence_of_a_merge(kept: Bench) -> None:
    """What was undone before the parting was not said."""
    keep, merge = pair(kept)
    clay = kept.add("Clay")
    own = kept.join(keep, clay, confidence=0.3)
    kept.join(merge, clay, confidence=0.8)
    kept.merge(keep, merge)
    kept.join(keep, clay, confidence=0.8, reasoning="Said since.", evidence="Seen in June.")
    said = kept.graph.log.history(own.id, limit=1)[0].batch
    kept.graph.curate.undo(said, kept.graph.call("undo"))
    kept.part(merge)
    assert kept.types(keep, clay) == {"uses": (own.id, 0.3)}


def test_what_was_changed_on_the_other_since_keeps_the_change(kept: Bench) -> None:
    """Only what the merge added goes."""
    keep, merge = pair(kept)
    kept.merge(keep, merge)
    kept.change(keep, title="Kiln (oven)", tags=("craft",), importance=0.9)
    kept.rest(keep, "Kilns are hot.")
    kept.part(merge)
    stands = kept.node(keep.id)
    assert (stands.title, stands.tags, stands.importance) == ("Kiln (oven)", ("craft",), 0.9)
    assert "Clay oven" not in stands.aliases
    assert stands.search_terms == ("oven",)
    assert {each.quote for each in kept.graph.store.evidence((keep.id,))} == {"Kilns bake clay.", "Kilns are hot."}


def test_what_was_removed_since_stays_removed_and_is_told(kept: Bench) -> None:
    """Somebody decided that."""
    keep, merge = pair(kept)
    clay = kept.add("Clay")
    kept.join(merge, clay)
    kept.merge(keep, merge)
    kept.graph.relate.unrelate(keep.id, clay.id, "uses", kept.graph.call("unrelate"))
    parted = kept.part(merge)
    assert kept.types(merge, clay) == {}
    assert len(parted.left) == 1
    assert "removed since" in parted.left[0]


def test_a_merge_is_parted_by_the_name_that_went_too(kept: Bench) -> None:
    """A name that leads nowhere is not found, with what was merged as candidates."""
    keep, merge = pair(kept)
    kept.merge(keep, merge)
    with pytest.raises(NotFound) as missed:
        kept.graph.curation.part("Kiln", kept.graph.call())
    assert [each.id for each in missed.value.candidates] == [merge.id]
    with pytest.raises(NotFound):
        kept.graph.curation.part("nowhere", kept.graph.call())
    assert kept.graph.curation.part("clay oven", kept.graph.call()).node.id == merge.id
    with pytest.raises(NotFound):
        kept.part(merge)


def test_merges_into_merges_are_parted_last_first(kept: Bench) -> None:
    """The first cannot return while what holds it is itself gone."""
    keep, merge = pair(kept)
    third = kept.add("Furnace", "A furnace melts metal.")
    before = kept.whole()
    kept.merge(keep, merge)
    kept.merge(third, keep)
    with pytest.raises(Conflict, match="went into"):
        kept.part(merge)
    kept.part(keep)
    kept.part(merge)
    assert kept.whole() == before


def test_a_merge_into_what_was_forgotten_since_says_so(kept: Bench) -> None:
    """It comes back when that does."""
    keep, merge = pair(kept)
    kept.merge(keep, merge)
    gone = kept.graph.capture.forget(keep.id, kept.graph.call("forget"), confirm=True)
    with pytest.raises(Conflict, match="forgot since"):
        kept.part(merge)
    kept.graph.curate.undo(gone.batch, kept.graph.call("undo"))
    assert kept.part(merge).node.id == merge.id


def test_undoing_the_batch_of_a_merge_parts_them_as_well(kept: Bench) -> None:
    """Where nothing came in between the two are the same; texts that name the one which returns lead to it."""
    keep, merge = pair(kept)
    kept.join(merge, kept.add("Clay"))
    kept.add("Note", "Bread is baked in a Clay oven.")
    before = kept.whole()
    done = kept.merge(keep, merge)
    kept.graph.curate.undo(done.batch, kept.graph.call("undo"))
    assert kept.whole() == before


def test_a_librarian_merges_and_parts_a_contributor_does_neither(kept: Bench, tmp_path: Path) -> None:
    """The engine refuses, whatever tier the call claims."""
    keep, merge = pair(kept)
    with bench(tmp_path, role="contributor") as lower:
        with pytest.raises(PermissionDenied):
            lower.merge(keep, merge)
        kept.merge(keep, merge)
        with pytest.raises(PermissionDenied):
            lower.part(merge)
    with bench(tmp_path, role="librarian") as lower:
        assert lower.part(merge).node.id == merge.id


# ---- the law

NAMES = ("Clay", "Heat", "Glaze")
TYPES = ("uses", "affects", "relates_to", "supports", "contradicts")
WISHES = st.lists(
    st.tuples(
        st.sampled_from(("keep", "merge", "both")),
        st.sampled_from(NAMES),
        st.sampled_from(TYPES),
        st.sampled_from((0.3, 0.8, 1.0)),
        st.sampled_from(("", "Seen in May.", "Seen in June.")),
        st.booleans(),
    ),
    max_size=6,
)


def furnish(kept: Bench, wishes: list[tuple[str, str, str, float, str, bool]]) -> tuple[Node, Node]:
    """Make a pair and others, joined as was wished."""
    keep, merge = pair(kept)
    others = {name: kept.add(name, f"{name} matters to a Kiln and to a Clay oven.") for name in NAMES}
    for end, name, type_, confidence, evidence, outward in wishes:
        other = {"keep": keep, "merge": merge, "both": keep}[end]
        ends = (other, merge if end == "both" else others[name])
        source, target = ends if outward else ends[::-1]
        kept.join(source, target, type_, confidence=confidence, evidence=evidence, reasoning=f"{name}, {evidence}")
    return keep, merge


@settings(max_examples=25, deadline=None)
@given(wishes=WISHES, backwards=st.booleans())
def test_parting_restores_exactly_what_was(
    wishes: list[tuple[str, str, str, float, str, bool]],
    backwards: bool,  # noqa: FBT001
) -> None:
    """Nodes, relations, evidence, sources, flags, mentions, words, vectors and names, whatever was merged into what."""
    with a_folder() as folder, bench(folder) as kept:
        keep, merge = furnish(kept, wishes)[:: -1 if backwards else 1]
        before = kept.whole()
        kept.merge(keep, merge)
        assert kept.whole() != before
        assert kept.part(merge).left == ()
        assert kept.whole() == before


@settings(max_examples=10, deadline=None)
@example(
    wishes=[
        *[("keep", "Clay", "uses", 0.3, "", False)] * 4,
        ("keep", "Heat", "uses", 0.3, "", True),
        ("merge", "Heat", "uses", 0.8, "", True),
    ],
    since=[("keep", "Heat", "uses", 0.8, "", True)],
)
@given(wishes=WISHES, since=WISHES)
def test_parting_keeps_what_was_said_in_between(
    wishes: list[tuple[str, str, str, float, str, bool]],
    since: list[tuple[str, str, str, float, str, bool]],
) -> None:
    """Each relation that stood before stands again, and each that was made since stands with the one that stayed.

    What is said since has a reason that nothing had before: one that adds nothing leaves no trace.
    """
    with a_folder() as folder, bench(folder) as kept:
        keep, merge = furnish(kept, wishes)
        before = kept.whole()["relations"]
        kept.merge(keep, merge)
        said = []
        for _, name, type_, confidence, evidence, outward in since:
            (other,) = kept.graph.store.resolve(name, limit=2)
            source, target = (keep, other) if outward else (other, keep)
            made = kept.join(source, target, type_, confidence=confidence, evidence=evidence, reasoning="Said since.")
            said.append((made.source, made.target, type_, confidence))
        kept.part(merge)
        after = kept.whole()["relations"]
        for key, relation in before.items():
            assert {after[key]["source"], after[key]["target"]} == {relation["source"], relation["target"]}
            if merge.id in {relation["source"], relation["target"]}:
                assert after[key] == relation
        held = {(each["source"], each["target"], each["type"]): each["confidence"] for each in after.values()}
        for source, target, type_, confidence in said:
            assert held[source, target, type_] >= confidence
