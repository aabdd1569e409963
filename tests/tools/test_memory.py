"""The memory toolset through the gate: what each tool takes, answers and refuses, in cognitive-memory's spelling."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from doors import Door, door
from weft.embed import open_entailment, open_intent
from weft.errors import InvalidArgument, NotFound, PermissionDenied, Unavailable
from weft.model import CaptureRequest, Linking, Tier
from weft.services.capture.capture import Capture
from weft.services.capture.ports import CapturePorts
from weft.tools import memory
from weft.tools.memory.arguments import KINDS, TYPES
from weft.tools.table import TOOLSETS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ERROR = {
    "title": "Deploy fails with exit code 137",
    "content": "The container is killed during npm build. Exit code 137 means the kernel ended it for lack of memory; "
    "the builder has 1 GB.",
    "type": "error",
    "tags": ["deploy", "docker", "memory"],
}
FIX = {
    "title": "Give the builder 4 GB",
    "content": "Raised the memory limit of the build container from 1 GB to 4 GB: npm build is no longer killed, exit "
    "code 137 is gone.",
    "type": "fix",
    "tags": ["deploy", "docker"],
}
DECISION = {
    "title": "Build images with 4 GB of memory",
    "content": "We decided that every build container gets 4 GB of memory, because npm build is killed with exit code "
    "137 below that.",
    "type": "decision",
    "tags": ["deploy", "docker"],
}
PUMP = "The pump in the cellar runs dry whenever the river falls below the second mark, and the guard has to fill it."
FENCE = "Paint the garden fence with two coats of green, let it dry between them, and wash the brushes afterwards."

EDGE = {"edge_id", "type", "from", "to", "direction", "strength", "description"}


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """Ann, a curator, before an empty graph."""
    with door(tmp_path) as opened:
        yield opened


def kept(ann: Door, **said: Any) -> str:  # noqa: ANN401 - arguments of a tool
    """Store a memory and return its id."""
    id_: str = ann.call("memory_store", **said)["id"]
    return id_


def apart(ann: Door, title: str, type: str = "general", **more: Any) -> str:  # noqa: A002, ANN401 - the tool's words
    """Store a memory that nothing is like, and return its id."""
    return kept(ann, title=title, content=f"{title}, and nothing else is said of {title}.", type=type, **more)


def unlinked(ann: Door, said: dict[str, Any]) -> str:
    """Store a memory without joining it to anything, as an import would, and return its id."""
    request = CaptureRequest(
        content=said["content"],
        title=said["title"],
        kind=said["type"],
        tags=tuple(said["tags"]),
        linking=Linking.NONE,
    )
    return ann.graph.capture.capture(request, ann.graph.call()).node.id


# ---- the toolset


def test_the_toolset_has_the_eight_tools_in_their_order() -> None:
    """Store, recall, get, update, delete, relate, related, edges."""
    assert [tool.name for tool in memory.ROWS] == [
        *("memory_store", "memory_recall", "memory_get", "memory_update"),
        *("memory_delete", "memory_relate", "memory_related", "memory_edges"),
    ]
    assert "memory" in TOOLSETS
    assert len(memory.USAGE.encode()) <= 190


def test_it_knows_eleven_types_of_memories_and_seven_of_edges() -> None:
    """Written as cognitive-memory writes them."""
    assert KINDS.names == (
        *("problem", "error", "solution", "fix", "decision", "insight"),
        *("procedure", "configuration", "workflow", "code_pattern", "general"),
    )
    assert TYPES.names == ("SOLVES", "CAUSES", "BUILDS_ON", "ALTERNATIVE_TO", "REQUIRES", "FOLLOWS", "RELATED_TO")


@pytest.mark.parametrize("type_", KINDS.names)
def test_every_type_of_memory_can_be_stored(ann: Door, type_: str) -> None:
    """And is answered as it was given."""
    assert ann.call("memory_get", id=apart(ann, f"A {type_}", type_))["type"] == type_


def test_a_type_outside_the_list_is_refused_naming_the_list(ann: Door) -> None:
    """For memories and for edges; nothing is written."""
    one, other = apart(ann, "One"), apart(ann, "Other")
    with pytest.raises(InvalidArgument, match=r"problem, error, solution.*general"):
        apart(ann, "Third", "claim")
    with pytest.raises(InvalidArgument, match=r"SOLVES, CAUSES.*RELATED_TO"):
        ann.call("memory_relate", from_id=one, to_id=other, rel_type="supports")
    with pytest.raises(InvalidArgument, match="RELATED_TO"):
        ann.call("memory_edges", type="IMPLIES")
    assert ann.call("memory_edges")["total"] == 0


def test_related_to_is_stored_as_relates_to_and_answered_as_related_to(ann: Door) -> None:
    """One type under two names: core sees the one, memory writes the other."""
    one, other = apart(ann, "One"), apart(ann, "Other")
    edge = ann.call("memory_relate", from_id=one, to_id=other, rel_type="RELATED_TO")["edge"]
    assert edge["type"] == "RELATED_TO"
    assert list(ann.call("fetch", id=one)["relations"]) == ["relates_to"]
    assert ann.call("memory_edges", type="related_to")["total"] == 1


# ---- store


def test_storing_answers_with_the_id_and_the_edges_that_were_made(ann: Door) -> None:
    """Each edge with its id, type, ends, direction, strength and description."""
    error = kept(ann, **ERROR)
    answer = ann.call("memory_store", **FIX)
    (edge,) = answer["auto_edges"]
    assert edge.keys() == EDGE
    assert (edge["type"], edge["from"], edge["to"], edge["direction"]) == ("SOLVES", answer["id"], error, "outgoing")
    assert "auto_edge_error" not in answer
    assert answer["existing"] is False


def test_a_fix_that_did_not_help_is_asked_about_and_not_joined(ann: Door) -> None:
    """The text is as like as before; what waits in review says why it was not made."""
    error = kept(ann, **ERROR)
    answer = ann.call("memory_store", **FIX | {"content": f"{FIX['content']} A day later it came back."})
    assert answer["auto_edges"] == []
    (asked,) = (each for each in ann.call("review")["items"] if each["kind"] == "relation")
    assert "but one says «came back»" in str(asked)
    assert error in str(asked)


def test_importance_is_a_half_and_confidence_four_fifths_unless_said(ann: Door) -> None:
    """The defaults of the record."""
    said = ann.call("memory_get", id=kept(ann, **ERROR))
    assert (said["importance"], said["confidence"]) == (0.5, 0.8)
    said = ann.call("memory_get", id=kept(ann, **FIX, importance=0.9, confidence=1.0))
    assert (said["importance"], said["confidence"]) == (0.9, 1.0)


def test_the_edge_s_id_is_the_relation_s(ann: Door) -> None:
    """What memory calls an edge, core fetches as a relation of the same id."""
    kept(ann, **ERROR)
    answer = ann.call("memory_store", **FIX)
    (relation,) = ann.call("fetch", id=answer["id"])["relations"]["solves"]
    assert relation["relation_id"] == answer["auto_edges"][0]["edge_id"]


def test_the_same_memory_stored_again_is_the_one_that_is_there(ann: Door) -> None:
    """Nothing is written a second time."""
    first = kept(ann, **ERROR)
    again = ann.call("memory_store", **ERROR)
    assert (again["id"], again["existing"], again["auto_edges"]) == (first, True, [])


def test_a_repeated_call_with_a_key_is_answered_and_not_done_again(ann: Door) -> None:
    """Edges and all."""
    kept(ann, **ERROR)
    first = ann.call("memory_store", **FIX, idempotency_key="k")
    assert ann.call("memory_store", **FIX, idempotency_key="k") == first


def test_a_memory_that_says_nearly_the_same_is_pointed_out(ann: Door) -> None:
    """With the suggestion to read it."""
    first = kept(ann, **ERROR)
    twin = {**ERROR, "title": "Deploys fail with exit code 137", "content": f"{ERROR['content']} Again."}
    answer = ann.call("memory_store", **twin)
    assert [each["id"] for each in answer["near_duplicates"]] == [first]
    assert answer["suggested_next_actions"][0]["tool"] == "memory_get"


def test_only_the_table_of_types_links_what_is_stored(ann: Door) -> None:
    """A dependency that the text names is the seven rules' business, and core's."""
    ann.call("capture", content="It keeps sessions.", title="Session Store", kind="component")
    answer = ann.call("memory_store", title="Login page", content="The page uses Session Store.", type="configuration")
    assert not [edge for edge in answer["auto_edges"] if edge["type"] == "DEPENDS_ON"]


# ---- the five design rules


def test_rule_1_memories_of_one_type_are_never_joined_by_themselves(ann: Door) -> None:
    """However like they are: too noisy."""
    kept(ann, **FIX)
    answer = ann.call(
        "memory_store", **{**FIX, "title": "Give the builder 8 GB", "content": f"{FIX['content']} Twice."}
    )
    assert answer["auto_edges"] == []
    assert answer["near_duplicates"]


def test_rule_2_requires_and_follows_are_never_made_by_themselves(ann: Door) -> None:
    """Nor anything but SOLVES, BUILDS_ON and RELATED_TO: they need a stronger signal."""
    made = set()
    for at, type_ in enumerate((*KINDS.names, *reversed(KINDS.names))):
        said = {**DECISION, "type": type_, "content": f"{DECISION['content']} Noted as number {at}."}
        made |= {edge["type"] for edge in ann.call("memory_store", **said)["auto_edges"]}
    assert made == {"SOLVES", "BUILDS_ON", "RELATED_TO"}


def test_rule_3_a_match_by_keywords_alone_needs_a_shared_tag(ann: Door) -> None:
    """Its strength is the overlap of the tags, and the description says so; without a shared tag there is no edge."""
    kept(ann, title="zebra", content=PUMP, type="problem", tags=["infra", "night"])
    untagged = ann.call("memory_store", title="zebra", content=FENCE, type="solution", tags=["garden"])
    assert untagged["auto_edges"] == []
    tagged = ann.call("memory_store", title="zebra", content=f"{FENCE} Yes.", type="solution", tags=["infra"])
    (edge,) = tagged["auto_edges"]
    assert (edge["type"], edge["strength"]) == ("SOLVES", 0.5)
    assert "keywords only, tag overlap 0.50" in edge["description"]


def test_rule_4_the_similarity_is_the_strength(ann: Door) -> None:
    """As calibrated, and as the description says."""
    kept(ann, **ERROR)
    answer = ann.call("memory_store", **FIX)
    (edge,) = answer["auto_edges"]
    (relation,) = ann.call("fetch", id=answer["id"])["relations"]["solves"]
    assert edge["strength"] == relation["scores"]["similarity"] >= 0.70
    assert f"similarity {edge['strength']:.2f}" in edge["description"]


@pytest.mark.parametrize(("first", "second"), [(ERROR, FIX), (FIX, ERROR)])
def test_rule_5_the_arrow_in_the_description_runs_as_the_edge_does(
    ann: Door, first: dict[str, Any], second: dict[str, Any]
) -> None:
    """Whichever of the two was stored first."""
    kept(ann, **first)
    (edge,) = ann.call("memory_store", **second)["auto_edges"]
    titles = {each: ann.call("memory_get", id=each)["title"] for each in (edge["from"], edge["to"])}
    assert edge["description"].startswith(f"{titles[edge['from']]} → {titles[edge['to']]}: ")
    assert titles[edge["from"]] == FIX["title"]


# ---- the four bugs


def test_bug_1_a_match_without_a_similarity_does_not_pass_the_threshold_unseen(ann: Door) -> None:
    """A word in common is not enough where no similarity could be compared, and RELATED_TO needs nearly all tags."""
    kept(ann, title="zebra", content=PUMP, type="procedure", tags=["infra", "night", "water"])
    for tags, edges in ((["garden"], 0), (["infra"], 0), (["infra", "night", "water"], 1)):
        said = {"title": "zebra", "content": f"{FENCE} {tags}.", "type": "problem", "tags": tags}
        assert len(ann.call("memory_store", **said)["auto_edges"]) == edges


def test_bug_2_the_arrow_is_not_reversed_where_the_table_swaps_the_ends(ann: Door) -> None:
    """The problem comes after its fix: the edge still runs from the fix, on both ends, and so does the arrow."""
    fix = kept(ann, **FIX)
    answer = ann.call("memory_store", **ERROR)
    (edge,) = answer["auto_edges"]
    assert (edge["from"], edge["to"], edge["direction"]) == (fix, answer["id"], "incoming")
    assert edge["description"].startswith("Give the builder 4 GB → Deploy fails with exit code 137: fix solves error")
    seen = {each: ann.call("memory_get", id=each)["relations"][0] for each in (fix, answer["id"])}
    assert (seen[fix]["direction"], seen[fix]["target"]) == ("outgoing", answer["id"])
    assert (seen[answer["id"]]["direction"], seen[answer["id"]]["target"]) == ("incoming", fix)
    assert seen[fix]["edge_id"] == seen[answer["id"]]["edge_id"] == edge["edge_id"]


def test_bug_3_candidates_that_are_rejected_take_no_place_from_others(ann: Door) -> None:
    """Twenty-five fixes lie nearer to the new one than three errors: all three errors are joined, and no more."""
    for at in range(25):
        unlinked(ann, {**FIX, "title": f"Give the builder 4 GB, {at}", "content": f"{FIX['content']} Run {at}."})
    errors = {
        unlinked(ann, {**ERROR, "title": f"Deploy {at} fails", "content": f"{ERROR['content']} {at}."})
        for at in range(3)
    }
    answer = ann.call("memory_store", **FIX)
    assert {edge["to"] for edge in answer["auto_edges"]} == errors
    assert {edge["type"] for edge in answer["auto_edges"]} == {"SOLVES"}


def test_bug_4_the_tags_take_part_in_the_recall_that_looks_for_what_to_join(ann: Door) -> None:
    """A title alone is a weak signal: with the tags the error is found, without them it is not."""
    vague = "Done on Tuesday by Ann, after lunch, in the second terminal; nobody else was asked about it at all."
    kept(ann, **ERROR)
    untagged = ann.call("memory_store", title="Give the builder 4 GB", content=vague, type="fix")
    assert untagged["auto_edges"] == []
    said = {"title": "Give the builder 4 GB", "content": f"{vague} Twice.", "type": "fix", "tags": ERROR["tags"]}
    (edge,) = ann.call("memory_store", **said)["auto_edges"]
    assert edge["description"].rpartition(", ")[2].startswith("similarity ")


# ---- bounds of linking


def test_at_most_three_edges_are_made(ann: Door) -> None:
    """The strongest three of many that would do."""
    for at in range(6):
        kept(ann, **{**ERROR, "title": f"Deploy {at} fails with exit code 137", "content": f"{ERROR['content']} {at}."})
    edges = ann.call("memory_store", **FIX)["auto_edges"]
    assert len(edges) == 3
    assert [edge["strength"] for edge in edges] == sorted((edge["strength"] for edge in edges), reverse=True)


def test_fifty_memories_near_a_popular_one_do_not_all_join_it(ann: Door) -> None:
    """The more edges it has, the nearer a further one must be."""
    hub = kept(ann, **ERROR)
    for at in range(50):
        kept(ann, title=f"Run {at}", content=f"Run {at}: more memory, npm build passed, no exit code 137.", type="fix")
    total = ann.call("memory_edges", id=hub)["total"]
    assert 1 <= total < 25


class _Failing:
    """A shelf on a disk that does not answer."""

    def __getattr__(self, name: str) -> Callable[..., object]:
        def fail(*_: object, **__: object) -> object:
            raise Unavailable(f"{name} does not answer")

        return fail


def test_storing_succeeds_when_linking_fails_and_says_so(ann: Door) -> None:
    """The memory is there; only the edges are missing, and auto_edge_error tells why."""
    kept(ann, **ERROR)
    graph = ann.graph
    ports = CapturePorts(
        store=graph.store,
        shelf=_Failing(),  # type: ignore[arg-type]
        words=graph.words,
        vectors=graph.vectors,
        embedder=graph.embedder,
        entailment=open_entailment(),
        intent=open_intent(),
    )
    broken = Capture(ports, home=graph.name)
    answer = replace(ann, graph=replace(graph, capture=broken)).call("memory_store", **FIX)
    assert answer["auto_edge_error"] == "named_in does not answer"
    assert answer["auto_edges"] == []
    assert ann.call("memory_get", id=answer["id"])["title"] == FIX["title"]


# ---- recall


def test_recall_answers_with_type_similarity_importance_score_and_preview(ann: Door) -> None:
    """The best first."""
    error = kept(ann, **ERROR)
    apart(ann, "Water the office plants")
    answer = ann.call("memory_recall", query="container killed for lack of memory")
    best = answer["memories"][0]
    assert {"id", "title", "type", "similarity", "importance", "score", "preview"} <= best.keys()
    assert (best["id"], best["type"], best["importance"]) == (error, "error", 0.5)
    assert "exit code 137" in best["preview"].lower()
    assert answer["suggested_next_actions"][0] == {
        "tool": "memory_get",
        "description": "Consider reading the best one in full.",
        "arguments": {"id": error},
    }


def test_recall_gives_five_unless_told_and_is_narrowed_by_type_and_tags(ann: Door) -> None:
    """Types outside the list are refused."""
    for at in range(8):
        apart(ann, f"Note {at} about the harbour", "insight" if at % 2 else "general", tags=["sea"] if at < 4 else [])
    assert len(ann.call("memory_recall", query="harbour")["memories"]) == 5
    assert len(ann.call("memory_recall", query="harbour", limit=8)["memories"]) == 8
    narrow = ann.call("memory_recall", query="harbour", type="insight", tags=["sea"])["memories"]
    assert {row["title"] for row in narrow} == {"Note 1 about the harbour", "Note 3 about the harbour"}
    with pytest.raises(InvalidArgument, match="type"):
        ann.call("memory_recall", query="harbour", type="session")


def test_recall_without_meaning_finds_words_only(ann: Door) -> None:
    """No similarity is shown where none was compared."""
    kept(ann, **ERROR)
    (row,) = ann.call("memory_recall", query="kernel npm", semantic=False)["memories"]
    assert "similarity" not in row
    assert ann.call("memory_recall", query="kernel giraffe", semantic=False)["memories"] == []


def test_a_blank_query_recalls_nothing_and_is_refused(ann: Door) -> None:
    """There is nothing to remember by."""
    with pytest.raises(InvalidArgument, match="query"):
        ann.call("memory_recall", query="  ")


def test_recall_sees_what_other_toolsets_wrote(ann: Door) -> None:
    """One graph: a claim is found among memories, under its own kind."""
    claim = ann.call("capture", content="Herring migrate north in spring.", kind="claim")["id"]
    (row,) = ann.call("memory_recall", query="When do herring migrate?")["memories"]
    assert (row["id"], row["type"]) == (claim, "claim")


# ---- get, update, delete


def test_a_memory_is_given_whole_with_its_edges_seen_from_it(ann: Door) -> None:
    """The fields of the record: target, type, direction, strength and edge_id of each relation."""
    error, fix = kept(ann, **ERROR), kept(ann, **FIX)
    said = ann.call("memory_get", id="Deploy fails with exit code 137")
    assert {name: said[name] for name in ("id", "title", "content", "type", "tags")} == {"id": error, **ERROR}
    assert {"importance", "confidence", "created", "updated", "version", "status"} <= said.keys()
    (relation,) = said["relations"]
    assert (relation["target"], relation["type"], relation["direction"]) == (fix, "SOLVES", "incoming")
    assert {"strength", "edge_id", "title"} <= relation.keys()


def test_an_update_shows_each_field_before_and_after(ann: Door) -> None:
    """In memory's own words; nothing to change is refused, and so is a version that moved on."""
    error = kept(ann, **ERROR)
    answer = ann.call("memory_update", id=error, type="problem", importance=0.9, tags=["deploy"])
    assert answer["changed"] == {
        "type": ["error", "problem"],
        "importance": [0.5, 0.9],
        "tags": [ERROR["tags"], ["deploy"]],
    }
    assert answer["version"] == 2
    with pytest.raises(InvalidArgument, match="nothing to change"):
        ann.call("memory_update", id=error)
    assert ann.answer("memory_update", {"id": error, "importance": 0.1, "if_version": 1})["error"] == "CONFLICT"


def test_deleting_shows_what_would_go_and_goes_when_confirmed(ann: Door) -> None:
    """Its edges go with it, and nobody lists them any more."""
    error, fix = kept(ann, **ERROR), kept(ann, **FIX)
    preview = ann.call("memory_delete", id=error)
    assert (preview["deleted"], preview["relations_removed"]) == (False, 1)
    assert preview["suggested_next_actions"][0]["arguments"] == {"id": error, "confirm": True}
    assert ann.call("memory_get", id=error)["id"] == error
    gone = ann.call("memory_delete", id=error, confirm=True)
    assert (gone["deleted"], gone["relations_removed"]) == (True, 1)
    assert "batch" in gone
    with pytest.raises(NotFound):
        ann.call("memory_get", id=error)
    assert ann.call("memory_get", id=fix)["relations"] == []
    assert ann.call("memory_edges")["total"] == 0


def test_tiers_hold_for_memories(ann: Door) -> None:
    """A reader recalls, a contributor stores, a librarian deletes."""
    error = kept(ann, **ERROR)
    reader, contributor = ann.as_(tier=Tier.READER), ann.as_(tier=Tier.CONTRIBUTOR)
    assert reader.call("memory_recall", query="exit code 137")["memories"]
    for name, arguments in (("memory_store", FIX), ("memory_update", {"id": error, "importance": 0.1})):
        with pytest.raises(PermissionDenied, match="contributor"):
            reader.call(name, **arguments)
    assert contributor.call("memory_store", **FIX)["auto_edges"]
    with pytest.raises(PermissionDenied, match="librarian"):
        contributor.call("memory_delete", id=error, confirm=True)


# ---- relate, related, edges


def test_relating_two_memories_makes_an_edge_of_strength_a_half(ann: Door) -> None:
    """The context is its description; relating again keeps the greater strength and says what was added."""
    one, other = apart(ann, "One"), apart(ann, "Other")
    made = ann.call("memory_relate", from_id="One", to_id="Other", rel_type="CAUSES", context="Seen on Monday.")
    edge = made["edge"]
    assert (edge["from"], edge["to"], edge["type"], edge["strength"]) == (one, other, "CAUSES", 0.5)
    assert (edge["description"], made["created"]) == ("Seen on Monday.", True)
    again = ann.call("memory_relate", from_id=one, to_id=other, rel_type="causes", strength=0.9, context="And Tuesday.")
    assert (again["created"], again["edge"]["strength"], again["edge"]["edge_id"]) == (False, 0.9, edge["edge_id"])
    weaker = ann.call("memory_relate", from_id=one, to_id=other, rel_type="CAUSES", strength=0.1)
    assert weaker["edge"]["strength"] == 0.9


def test_an_edge_needs_no_context(ann: Door) -> None:
    """It is said where there is something to say."""
    apart(ann, "One"), apart(ann, "Other")
    assert ann.call("memory_relate", from_id="One", to_id="Other", rel_type="FOLLOWS")["edge"]["description"] == ""


def test_an_end_that_nobody_knows_is_refused_under_its_own_name(ann: Door) -> None:
    """The message names the argument that was given."""
    apart(ann, "One")
    with pytest.raises(NotFound, match="to_id"):
        ann.call("memory_relate", from_id="One", to_id="nowhere", rel_type="CAUSES")
    with pytest.raises(NotFound, match="from_id"):
        ann.call("memory_relate", from_id="nowhere", to_id="One", rel_type="CAUSES")
    with pytest.raises(InvalidArgument, match="from_id and to_id"):
        ann.call("memory_relate", from_id="One", to_id="One", rel_type="CAUSES")


def test_several_types_may_join_one_pair(ann: Door) -> None:
    """Each is an edge of its own."""
    one, other = apart(ann, "One"), apart(ann, "Other")
    for rel_type in TYPES.names:
        ann.call("memory_relate", from_id=one, to_id=other, rel_type=rel_type)
    assert ann.call("memory_edges", id=one)["total"] == len(TYPES.names)
    assert {row["type"] for row in ann.call("memory_get", id=other)["relations"]} == set(TYPES.names)


@pytest.mark.parametrize("rel_type", ["RELATED_TO", "ALTERNATIVE_TO"])
def test_an_edge_without_direction_runs_from_the_newer_memory(ann: Door, rel_type: str) -> None:
    """Whichever way it was asked for, and from whichever end it is looked at."""
    older, newer = apart(ann, "Older"), apart(ann, "Newer")
    made = ann.call("memory_relate", from_id=older, to_id=newer, rel_type=rel_type)["edge"]
    again = ann.call("memory_relate", from_id=newer, to_id=older, rel_type=rel_type)
    assert (made["from"], made["to"], again["created"]) == (newer, older, False)
    seen = [ann.call("memory_edges", id=each)["edges"][0] for each in (older, newer)]
    assert [(edge["from"], edge["direction"]) for edge in seen] == [(newer, "incoming"), (newer, "outgoing")]


def test_related_memories_come_with_the_path_to_them(ann: Door) -> None:
    """Up to three edges away, one by default; each step names its edge."""
    names = ("Ash", "Birch", "Cedar", "Doum", "Elm")
    ids = [apart(ann, name) for name in names]
    for one, other in itertools.pairwise(ids):
        ann.call("memory_relate", from_id=one, to_id=other, rel_type="BUILDS_ON")
    near = ann.call("memory_related", id="Ash")
    assert [row["title"] for row in near["memories"]] == ["Birch"]
    far = ann.call("memory_related", id="Ash", depth=3)
    assert [(row["title"], row["distance"]) for row in far["memories"]] == [("Birch", 1), ("Cedar", 2), ("Doum", 3)]
    path = far["memories"][2]["path"]
    assert [step["title"] for step in path] == ["Birch", "Cedar", "Doum"]
    assert {(step["type"], step["direction"]) for step in path} == {("BUILDS_ON", "outgoing")}
    assert all(step["edge_id"] for step in path)
    assert far["total"] == 3
    with pytest.raises(InvalidArgument, match="depth"):
        ann.call("memory_related", id="Ash", depth=4)


def test_related_memories_are_narrowed_by_type_and_paged(ann: Door) -> None:
    """The total is the true one."""
    apart(ann, "Middle")
    for at in range(5):
        apart(ann, f"Leaf {at}")
        ann.call("memory_relate", from_id="Middle", to_id=f"Leaf {at}", rel_type="CAUSES" if at % 2 else "REQUIRES")
    page = ann.call("memory_related", id="Middle", rel_types=["REQUIRES"], limit=2, offset=1)
    assert (len(page["memories"]), page["total"]) == (2, 3)
    past = ann.call("memory_related", id="Middle", offset=9)
    assert "memory_recall" not in {each["tool"] for each in past["suggested_next_actions"]}
    none = ann.call("memory_related", id="Middle", rel_types=["FOLLOWS"])
    assert "memory_recall" in {each["tool"] for each in none["suggested_next_actions"]}
    with pytest.raises(InvalidArgument, match="rel_types"):
        ann.call("memory_related", id="Middle", rel_types=["implies"])


def test_edges_are_listed_by_memory_by_type_and_both(ann: Door) -> None:
    """With the titles at their ends; of one memory with the direction seen from it."""
    for name in ("One", "Other", "Third"):
        apart(ann, name)
    ann.call("memory_relate", from_id="One", to_id="Other", rel_type="CAUSES", strength=0.3)
    ann.call("memory_relate", from_id="Third", to_id="One", rel_type="REQUIRES", strength=0.9)
    ann.call("memory_relate", from_id="Third", to_id="Other", rel_type="REQUIRES")
    mine = ann.call("memory_edges", id="One")
    assert [(edge["from_title"], edge["type"], edge["to_title"]) for edge in mine["edges"]] == [
        ("Third", "REQUIRES", "One"),
        ("One", "CAUSES", "Other"),
    ]
    assert [edge["direction"] for edge in mine["edges"]] == ["incoming", "outgoing"]
    required = ann.call("memory_edges", type="REQUIRES", limit=1)
    assert (len(required["edges"]), required["total"]) == (1, 2)
    assert required["edges"][0]["to_title"] == "Other"
    assert ann.call("memory_edges", id="One", type="REQUIRES")["total"] == 1
    assert ann.call("memory_edges")["total"] == 3


def test_edges_of_types_that_memory_does_not_write_are_still_seen(ann: Door) -> None:
    """One graph: what another toolset asserted is listed, in capitals."""
    one, other = apart(ann, "One"), apart(ann, "Other")
    ann.call("relate", source=one, target=other, type="contradicts", reasoning="They cannot both be.")
    (edge,) = ann.call("memory_edges", id=one)["edges"]
    assert edge["type"] == "CONTRADICTS"
    assert ann.call("memory_related", id=one)["memories"][0]["path"][0]["type"] == "CONTRADICTS"
