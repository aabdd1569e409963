"""Synthesising: a new concept with its numbers, its evidence and its leap."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from weft.errors import Duplicate, InvalidArgument, NotFound
from weft.model import Filter, Origin, Scope, SourceType, SynthesizeRequest

if TYPE_CHECKING:
    from services.desk import Desk
    from weft.model import Synthesized


def _ends(desk: Desk) -> tuple[str, str]:
    bucket = desk.add(
        "A token bucket limits how many requests a client may send in a second.",
        title="Token bucket",
        kind="concept",
        ontology="networks",
    )
    valve = desk.add(
        "A flow valve limits how much water passes a pipe in a second.",
        title="Flow valve",
        kind="concept",
        ontology="plumbing",
    )
    return bucket.node.id, valve.node.id


def _join(desk: Desk, *bridges: str, **fields: object) -> Synthesized:
    wish = {
        "label": "Rate limiting",
        "bridges": bridges,
        "evidence": "A token bucket and a flow valve both limit how much passes in a second.",
        "search_terms": ("throttle", "limiter"),
        "ontology": "ideas",
    } | fields
    return desk.synthesize.synthesize(SynthesizeRequest(**wish), desk.call(tool="synthesize"))


def test_a_synthesis_is_a_learned_concept_with_both_its_numbers(desk: Desk) -> None:
    """It lies in an ontology that is made by it, and answers to its handle."""
    ends = _ends(desk)
    made = _join(desk, *ends)
    node = desk.node(made.node.id)
    assert (node.kind, node.ontology, node.origin, node.created_by) == ("concept", "ideas", Origin.LEARNED, "ada")
    assert (made.learned_id, node.learned_id) == ("learned_2026-03-02_001", "learned_2026-03-02_001")
    assert node.handles == ("synthesis_2026-03-02_001", "learned_2026-03-02_001")
    assert all(desk.store.resolve(handle, limit=2) == (node,) for handle in node.handles)
    second = _join(desk, *ends, label="Throttling")
    assert (second.learned_id, second.node.handles[0]) == ("learned_2026-03-02_002", "synthesis_2026-03-02_002")


def test_it_rests_on_its_evidence_and_is_related_to_each_original(desk: Desk) -> None:
    """Evidence, source and relations carry the learned id; nothing is half there."""
    ends = _ends(desk)
    made = _join(desk, *ends)
    (evidence,) = desk.store.evidence((made.node.id,))
    source = desk.store.sources((evidence.source,))[evidence.source]
    assert (source.type, source.document, source.text) == (SourceType.LEARNED, "User synthesis", evidence.quote)
    assert (evidence.paragraph, evidence.leap, evidence.learned_id) == (0, made.cognitive_leap, made.learned_id)
    relations = desk.store.relations((made.node.id,), types=("synthesized_from",))
    assert {(each.source, each.target, each.origin, each.learned_id) for each in relations} == {
        (made.node.id, end, Origin.LEARNED, made.learned_id) for end in ends
    }
    assert len({change.batch for change in desk.log.history(evidence.id, limit=2)} | {made.batch}) == 1


def test_the_leap_is_that_of_the_mean_and_near_evidence_leaps_low(desk: Desk) -> None:
    """Similarities are told one an original, in the order given."""
    ends = _ends(desk)
    made = _join(desk, *ends)
    assert [each.id for each in made.bridges] == list(ends)
    mean = sum(each.similarity for each in made.bridges) / 2
    level = "LOW" if mean >= 0.85 else "MEDIUM" if mean >= 0.70 else "HIGH"
    assert made.cognitive_leap == level
    assert level != "HIGH"


def test_evidence_about_nothing_of_it_warns_and_is_allowed(desk: Desk) -> None:
    """The twin: a HIGH leap is said, the concept is made."""
    made = _join(desk, *_ends(desk), evidence="Violins are made of spruce and maple.")
    assert made.cognitive_leap == "HIGH"
    assert "low semantic similarity" in made.warning
    assert desk.node(made.node.id).retired is None


def test_it_is_found_by_label_and_search_terms_and_only_as_learned(desk: Desk) -> None:
    """It takes part in every search; a search in documents leaves it out."""
    made = _join(desk, *_ends(desk))
    vector = desk.embedder.embed(["Rate limiting throttle limiter"])[0]
    assert desk.vectors.nearest(vector, filter=Filter(), limit=1)[0].node == made.node.id
    learned = desk.vectors.nearest(vector, filter=Filter(scope=Scope.LEARNED), limit=5)
    assert [near.node for near in learned] == [made.node.id]
    documents = desk.vectors.nearest(vector, filter=Filter(scope=Scope.DOCUMENTS), limit=5)
    assert made.node.id not in [near.node for near in documents]


def test_an_agent_as_creator_makes_an_ai_synthesis(desk: Desk) -> None:
    """The log keeps who called."""
    made = _join(desk, *_ends(desk), creator="claude-mcp")
    (evidence,) = desk.store.evidence((made.node.id,))
    assert desk.store.sources((evidence.source,))[evidence.source].document == "AI synthesis"
    assert (made.node.created_by, evidence.creator) == ("claude-mcp", "claude-mcp")
    assert desk.log.history(made.node.id, limit=1)[0].actor == "ada"


@pytest.mark.parametrize(
    ("fields", "error", "said"),
    [
        ({"bridges": ("Token bucket",)}, InvalidArgument, "joins 2 to"),
        ({"bridges": ("Token bucket", "token bucket")}, InvalidArgument, "1 different"),
        ({"bridges": ("Token bucket", "Nowhere")}, NotFound, "Nowhere"),
        ({"creator": "mallory"}, InvalidArgument, "ada, claude-mcp, claude-code"),
        ({"evidence": " "}, InvalidArgument, "evidence is empty"),
        ({"label": ""}, InvalidArgument, "label is empty"),
        ({"search_terms": tuple(map(str, range(51)))}, InvalidArgument, "search_terms"),
    ],
)
def test_a_synthesis_that_cannot_be_leaves_nothing_behind(
    desk: Desk, fields: dict[str, object], error: type[Exception], said: str
) -> None:
    """No orphan source, no used-up number."""
    ends = _ends(desk)
    before = desk.measure()
    with pytest.raises(error, match=said):
        _join(desk, *(fields.pop("bridges", ends)), **fields)  # type: ignore[misc]
    assert desk.measure() == before
    assert _join(desk, *ends).learned_id.endswith("_001")


def test_the_same_label_over_the_same_originals_is_a_duplicate(desk: Desk) -> None:
    """The existing one is named; other originals make another synthesis."""
    ends = _ends(desk)
    made = _join(desk, *ends)
    with pytest.raises(Duplicate) as caught:
        _join(desk, *reversed(ends), label="rate limiting")
    assert [each.id for each in caught.value.candidates] == [made.node.id]
    third = desk.add("A dam limits how much of a river passes.", title="Dam", kind="concept").node.id
    assert _join(desk, ends[0], third).learned_id.endswith("_002")


def test_numbers_are_never_used_twice_even_after_an_undo(desk: Desk) -> None:
    """What was taken stays taken."""
    ends = _ends(desk)
    made = _join(desk, *ends)
    desk.curate.undo(made.batch, desk.call(tool="undo"))
    assert _join(desk, *ends).learned_id == "learned_2026-03-02_002"


def test_writers_at_once_get_different_numbers(desk: Desk, second: Desk) -> None:
    """Two openings of one file, twelve syntheses, twelve numbers without a gap."""
    ends = _ends(desk)

    def run(task: tuple[Desk, int]) -> str:
        return _join(task[0], *ends, label=f"Idea {task[1]} of {id(task[0])}").learned_id

    with ThreadPoolExecutor(4) as workers:
        numbers = list(workers.map(run, [(each, n) for n in range(6) for each in (desk, second)], timeout=60))
    assert sorted(numbers) == [f"learned_2026-03-02_{number:03d}" for number in range(1, 13)]
