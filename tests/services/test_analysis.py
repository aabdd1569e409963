"""Analyze: findings derived from a graph on disk, within bounds; nothing is written and nothing made up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from services.desk import ENTAILMENT
from services.readers import matching_of, usage_of
from weft.errors import InvalidArgument, NotFound
from weft.identity import new_id
from weft.model import AnalyzeRequest, Batch, Node, Passage, Relation, SaveNode, SaveRelation, Status, UpdateRequest
from weft.services.analysis import Analyze
from weft.services.analysis.ground import NODES_MAX

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Analyzed, Finding

KINDS = ("implied", "gaps", "root_conflict", "hubs", "perspectives")


@pytest.fixture
def analyze(desk: Desk, tmp_path: Path) -> Analyze:
    """The verb, over the desk."""
    return Analyze(
        store=desk.store,
        vectors=desk.vectors,
        usage=usage_of(tmp_path),
        embedder=desk.embedder,
        entailment=ENTAILMENT,
        matching=matching_of(desk),
    )


def _asked(desk: Desk, analyze: Analyze, kind: str, subject: str, **fields: object) -> Analyzed:
    return analyze.analyze(AnalyzeRequest(kind=kind, subject=subject, **fields), desk.call(tool="analyze"))


def _titles(finding: Finding) -> list[str]:
    return [place.node.title for place in finding.places]


def _stations(desk: Desk, *said: str) -> None:
    """Add a node for each name in sentences such as «Avon implies Brent», and relate them."""
    names = dict.fromkeys(word for each in said for word in (each.split()[0], each.split()[2]))
    for name in names:
        desk.add(f"{name} is a station.", title=name, kind="claim")
    for each in said:
        source, type_, target = each.split()
        desk.join(source, target, type_)


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_graph_has_no_findings(desk: Desk, analyze: Analyze, kind: str) -> None:
    """And no error."""
    found = _asked(desk, analyze, kind, "trains", other="planes")
    assert (found.findings, found.total, found.looked_at, found.bounded) == ((), 0, 0, False)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_written(desk: Desk, analyze: Analyze, kind: str) -> None:
    """Findings are offered, never recorded."""
    _stations(desk, "Avon implies Brent", "Brent implies Calder", "Calder contradicts Dee")
    before = desk.measure()
    assert _asked(desk, analyze, kind, "Avon").looked_at
    assert desk.measure() == before


@pytest.mark.parametrize(
    "fields",
    [{"kind": "guesses"}, {"kind": ""}, {"subject": " "}, {"limit": 0}, {"limit": 101}, {"other": "x" * 2_001}],
)
def test_values_out_of_bounds_are_refused(desk: Desk, analyze: Analyze, fields: dict[str, object]) -> None:
    """By name."""
    request = AnalyzeRequest(**{"kind": "gaps", "subject": "a", **fields})
    with pytest.raises(InvalidArgument, match=r"kind|subject|limit|other"):
        analyze.analyze(request, desk.call())


def test_a_subject_is_a_name_or_else_what_is_about_it(desk: Desk, analyze: Analyze) -> None:
    """The matches say which, and how like they are."""
    glacier = desk.add("Glaciers carve deep valleys into soft rock.", title="Glaciers").node
    desk.add("A violin has four strings.", title="Violin")
    (named,) = _asked(desk, analyze, "implied", "glaciers").subject_matches
    assert (named.id, named.similarity) == (glacier.id, 1.0)
    (about,) = _asked(desk, analyze, "implied", "rock shaped by moving ice").subject_matches
    assert about.id == glacier.id
    assert 0.5 <= about.similarity < 1.0


def test_a_subject_that_is_the_id_of_no_node_is_told(desk: Desk, analyze: Analyze) -> None:
    """It is about nothing, and what is like it in meaning is so by chance."""
    here = desk.add("Glaciers carve deep valleys into soft rock.", title="Glaciers").node
    gone = desk.add("A violin has four strings.", title="Violin").node
    desk.capture.forget(gone.id, desk.call(), confirm=True)
    for subject, other, field in ((gone.id, "", "subject"), (here.id, gone.id, "other")):
        with pytest.raises(NotFound, match=f"{field} «{gone.id}» names a node that ada forgot"):
            _asked(desk, analyze, "gaps", subject, other=other)


@pytest.mark.parametrize(
    ("subject", "texts", "recorded"),
    [
        (
            "vitamin D",
            (
                "Vitamin D supplements reduce hip fractures by 16 %.",
                "Vitamin D supplementation does not prevent fractures.",
            ),
            ("contradicts", "one denies what the other states"),
        ),
        (
            "coffee",
            (
                "Three cups of coffee a day reduce all-cause mortality.",
                "Coffee in the evening delays the circadian melatonin rhythm by 40 minutes.",
            ),
            ("supports", "Judged by reading both texts"),
        ),
    ],
)
def test_what_a_missing_relation_would_record_and_why_do_not_speak_against_each_other(
    desk: Desk, analyze: Analyze, subject: str, texts: tuple[str, ...], recorded: tuple[str, str]
) -> None:
    """Whoever makes the call as it stands states no support because two texts clash; one day and 40 minutes do not."""
    for text in texts:
        desk.add(text, kind="claim")
    gaps = _asked(desk, analyze, "gaps", subject).findings
    (proposal,) = [each.proposal for each in gaps if each.kind == "missing_relation" and each.proposal]
    assert (proposal.type, proposal.reasoning[: len(recorded[1])]) == recorded


def test_the_limit_cuts_and_the_total_tells(desk: Desk, analyze: Analyze) -> None:
    """All findings are counted."""
    _stations(desk, "Avon implies Brent", "Brent implies Calder", "Calder implies Dee")
    found = _asked(desk, analyze, "implied", "Avon", limit=1)
    assert (len(found.findings), found.total) == (1, 2)


def test_what_was_superseded_implies_nothing(desk: Desk, analyze: Analyze) -> None:
    """A chain over a claim that no longer stands is none."""
    _stations(desk, "Avon implies Brent", "Brent implies Calder")
    assert _asked(desk, analyze, "implied", "Avon").total == 1
    desk.capture.update(UpdateRequest(id="Brent", status=Status.SUPERSEDED), desk.call())
    assert _asked(desk, analyze, "implied", "Avon").total == 0


def test_mentions_are_no_relations(desk: Desk, analyze: Analyze) -> None:
    """A name in a text joins nothing here."""
    desk.add("It runs in the cellar.", title="Marlow")
    desk.add("Invoices are printed by Marlow.", title="Invoice printing")
    assert _asked(desk, analyze, "hubs", "Marlow", other="Invoice printing").findings == ()
    assert _asked(desk, analyze, "hubs", "Marlow").findings == ()


def test_types_beyond_arguments_carry_over_by_themselves(desk: Desk, analyze: Analyze) -> None:
    """Causes of causes; the proposal keeps the type."""
    _stations(desk, "Avon causes Brent", "Brent causes Calder")
    (found,) = _asked(desk, analyze, "implied", "Avon", other="Calder").findings
    assert found.proposal is not None
    assert found.proposal.type == "causes"


def test_a_clash_that_only_the_wording_shows_is_offered_for_recording(desk: Desk, analyze: Analyze) -> None:
    """With its grounds, as a call; recorded, it is offered no more."""
    one = desk.add("The gateway is written in Rust.", kind="claim").node
    two = desk.add("The gateway is not written in Rust.", kind="claim").node
    (found,) = _asked(desk, analyze, "root_conflict", one.id, other=two.id).findings
    assert not found.steps[0].recorded
    assert found.proposal is not None
    assert {found.proposal.source, found.proposal.target} == {one.id, two.id}
    desk.join(one.id, two.id, "contradicts")
    (again,) = _asked(desk, analyze, "root_conflict", one.id, other=two.id).findings
    assert again.steps[0].recorded
    assert again.proposal is None


@pytest.mark.parametrize(
    ("texts", "clashing"),
    [
        (("Deploys happen on Fridays.", "We never deploy on Fridays."), True),
        (("Claudia is no longer in the choir.", "Claudia gave up the choir in the autumn."), False),
    ],
)
def test_texts_are_read_as_a_challenge_reads_them(
    desk: Desk, analyze: Analyze, texts: tuple[str, str], *, clashing: bool
) -> None:
    """The rules alone abstain on the first pair, and take a denial in the second for a conflict."""
    one, two = (desk.add(text, kind="claim").node.id for text in texts)
    found = _asked(desk, analyze, "root_conflict", one, other=two).findings
    assert [each.steps[0].type for each in found] == ["contradicts"] * clashing


def test_a_named_claim_is_held_against_what_is_like_it(desk: Desk, analyze: Analyze) -> None:
    """A conflict in wording is found although nothing joins the two."""
    one = desk.add("The gateway is written in Rust.", kind="claim").node
    two = desk.add("The gateway is not written in Rust.", kind="claim").node
    (found,) = _asked(desk, analyze, "root_conflict", one.id).findings
    assert {place.node.id for place in found.places} == {one.id, two.id}
    sides = [each for each in _asked(desk, analyze, "perspectives", one.id).findings if each.kind == "side"]
    assert len(sides) == 2


def test_agreement_makes_no_sides(desk: Desk, analyze: Analyze) -> None:
    """Who says the same does not clash."""
    desk.add("Regular exercise improves memory in older adults.", kind="claim")
    desk.add("Regular exercise improves the memory of older adults.", kind="claim")
    assert _asked(desk, analyze, "perspectives", "exercise and memory").findings == ()
    assert _asked(desk, analyze, "root_conflict", "exercise and memory").findings == ()


def test_a_citation_or_a_quote_grounds_a_premise(desk: Desk, analyze: Analyze) -> None:
    """Without either it is a gap."""
    bare = desk.add("Tides lift the harbour gate.", kind="claim").node
    cited = desk.add("The moon pulls at the sea.", kind="claim", citation="Newton 1687").node
    above = desk.add("Ships leave at high water.", kind="claim").node
    for premise in (bare, cited):
        desk.join(premise.id, above.id, "supports")
    gaps = _asked(desk, analyze, "gaps", above.id).findings
    assert [each.places[0].node.id for each in gaps if each.kind == "unsupported_premise"] == [bare.id]


def test_learned_and_other_relations_count_for_what_is_shared(desk: Desk, analyze: Analyze) -> None:
    """A hub is whatever both topics are related to."""
    for name in ("Token bucket", "Flow valve", "Throttling"):
        desk.add(f"{name} is a device.", title=name, kind="concept")
    desk.join("Token bucket", "Throttling", "implements")
    desk.join("Flow valve", "Throttling", "uses")
    (found,) = _asked(desk, analyze, "hubs", "Token bucket", other="Flow valve").findings
    assert _titles(found)[0] == "Throttling"
    assert len(found.steps) == 2


@pytest.fixture
def crowded(desk: Desk) -> Desk:
    """Two thousand claims in a ring with spokes: each leads to the next and to those 7 and 31 further on."""
    count, at = 2_000, desk.call().at
    ids = [new_id(at) for _ in range(count)]
    vectors = np.random.default_rng(7).normal(size=(count, desk.embedder.dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    made = {"created_at": at, "created_by": "ada"}
    nodes = [
        Node(
            id=key,
            kind="claim",
            title=f"Stop {n}",
            content=f"Stop {n}.",
            ontology="notes",
            modified_at=at,
            modified_by="ada",
            **made,
        )
        for n, key in enumerate(ids)
    ]
    types = ("implies", "supports", "refutes")
    relations = [
        Relation(id=new_id(at), source=ids[n], target=ids[(n + step) % count], type=type_, reasoning="", **made)
        for n in range(count)
        for step, type_ in zip((1, 7, 31), types, strict=True)
    ]
    writes = [
        *(
            SaveNode(node=node, expect=0, passages=(Passage(start=0, end=4, text="Stop", vector=vector),))
            for node, vector in zip(nodes, vectors, strict=True)
        ),
        *(SaveRelation(relation=relation, expect=0) for relation in relations),
    ]
    desk.store.commit(Batch(id=new_id(at), call=desk.call(), operations=tuple(writes), receipt=None))
    return desk


def test_an_analysis_looks_at_three_hundred_nodes_of_two_thousand_and_says_so(crowded: Desk, analyze: Analyze) -> None:
    """Of every kind: the cost is bounded, and the answer tells that there may be more."""
    for kind in KINDS:
        found = _asked(crowded, analyze, kind, "Stop 5", other="Stop 400" if kind == "root_conflict" else "")
        assert found.looked_at <= NODES_MAX
        assert found.bounded == (found.looked_at == NODES_MAX)
        assert len(found.findings) <= 10
