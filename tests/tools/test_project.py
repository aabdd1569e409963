"""The tools of ``project``: Autology's parameters, defaults, results and rules, through the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from doors import door
from weft.errors import Conflict, InvalidArgument, NotFound, PermissionDenied
from weft.model import SearchRequest, Tier
from weft.settings import Settings
from weft.vocabulary import AUTO_CREATE_FLOOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from doors import Door

WRITING = ("autology_capture", "autology_update", "autology_relate")
DELETING = ("autology_delete", "autology_unrelate")


@pytest.fixture
def ann(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    """The graph of a project, beside its files; whoever opened it may do everything."""
    (tmp_path / ".weft").mkdir()
    monkeypatch.chdir(tmp_path)
    with door(tmp_path / ".weft") as opened:
        yield opened


def kept(ann: Door, title: str, content: str = "", **fields: object) -> str:
    """Capture a node and return its id; without a type given it is a component."""
    made = ann.call(
        "autology_capture", title=title, content=content or f"About {title}.", **{"type": "component"} | fields
    )
    return str(made["id"])


def shown(ann: Door, id_: str) -> dict[str, Any]:
    """Return the node of this id as a query shows it."""
    title = ann.graph.store.nodes((id_,))[id_].title
    (found,) = [each for each in ann.call("autology_query", query=title, limit=50)["nodes"] if each["id"] == id_]
    return dict(found)


# ---- capture: classification


def test_a_decision_with_chose_and_alternative_scores_0_45_and_is_not_confident(ann: Door) -> None:
    """Three keywords at 0.15; a review item asks for the type, and the node stays active."""
    made = ann.call(
        "autology_capture",
        title="Use PostgreSQL for data persistence",
        content="Decision: we chose PostgreSQL, the best alternative to MySQL.",
    )
    assert (made["type"], made["confidence"], made["confident"]) == ("decision", 0.45, False)
    assert made["method"] == "keywords"
    assert [each["kind"] for each in made["suggestions"]] == ["classification"]
    assert shown(ann, made["id"])["status"] == "active"
    assert ann.call("review", kinds=["classification"])["items"][0]["subjects"] == [made["id"]]


def test_what_is_confident_asks_for_no_review(ann: Door) -> None:
    """The twin: four keywords make 0.6."""
    made = ann.call(
        "autology_capture", title="Store", content="Decision: we chose one option; the rationale is in the ADR."
    )
    assert (made["type"], made["confident"]) == ("decision", True)
    assert made["suggestions"] == []


def test_quadratic_is_not_adr(ann: Door) -> None:
    """Keywords stand as words of their own: quadratic, classic and ruled out speak for nothing."""
    made = ann.call(
        "autology_capture", title="Cost of attention", content="It is quadratic; the classic method was ruled out."
    )
    assert made["type"] not in {"decision", "component", "convention"} or made["method"] == "likeness"
    adr = ann.call("autology_capture", title="Cost of storage", content="See the ADR.")
    assert (adr["type"], adr["confidence"]) == ("decision", 0.15)


@pytest.mark.parametrize(
    ("title", "content", "wanted"),
    [
        ("Use PostgreSQL", "We chose PostgreSQL after comparing each alternative and its consequence.", "decision"),
        ("User service", "A service and module with a class for accounts, in a package.", "component"),
        ("Naming", "Our convention: the style rule is camelCase, as the guideline says.", "convention"),
        ("User lifecycle", "The concept and definition of a user's lifecycle in the domain.", "concept"),
        ("Repository", "A reusable pattern, an approach and template for storage.", "pattern"),
        ("Slow endpoint", "A bug and bottleneck: an error rate that is technical debt, an issue.", "issue"),
        ("Monday", "In this session we finished the login and completed the tests; good progress.", "session"),
    ],
)
def test_a_text_of_each_type_is_recognised(ann: Door, title: str, content: str, wanted: str) -> None:
    """One example for each of the seven."""
    made = ann.call("autology_capture", title=title, content=content)
    assert made["type"] == wanted
    assert len(made["alternatives"]) <= 3


def test_a_text_that_says_nothing_of_its_type_is_a_concept(ann: Door) -> None:
    """The default, and nothing is sure of it."""
    made = ann.call("autology_capture", title="Zqx", content="Zqx vrb.")
    assert (made["type"], made["confident"]) == ("concept", False)


def test_a_given_type_is_taken_at_its_word_with_0_95(ann: Door) -> None:
    """Whoever captures knows best; the node takes the confidence of its classification."""
    made = ann.call("autology_capture", title="Blue", content="The bug is an error.", type="Decision")
    assert (made["type"], made["confidence"], made["confident"]) == ("decision", 0.95, True)
    assert (made["method"], made["alternatives"]) == ("explicit", [])
    assert shown(ann, made["id"])["confidence"] == 0.95


def test_the_node_takes_the_confidence_of_its_classification(ann: Door) -> None:
    """So that a query for sure knowledge leaves out what was guessed."""
    made = ann.call("autology_capture", title="Store", content="We chose the second option.")
    assert shown(ann, made["id"])["confidence"] == made["confidence"] == 0.3


@pytest.mark.parametrize(
    ("source", "wanted", "confidence"), [("hook_commit", "session", 0.2), ("hook_file_change", "component", 0.1)]
)
def test_a_hook_boosts_a_type(ann: Door, source: str, wanted: str, confidence: float) -> None:
    """A commit speaks for a session, a changed file for a component, and the node says how it came in."""
    made = ann.call("autology_capture", title="Zqx", content="Zqx vrb.", source=source)
    assert (made["type"], made["confidence"]) == (wanted, confidence)
    assert ann.graph.store.nodes((made["id"],))[made["id"]].channel == source


def test_confidence_of_keywords_ends_at_0_95(ann: Door) -> None:
    """Eight keywords would come to 1.2."""
    made = ann.call(
        "autology_capture",
        title="Decision",
        content="We chose an option over the alternative: context, rationale, consequence, trade-off, as in the ADR.",
    )
    assert made["confidence"] == 0.95


def test_a_tie_goes_to_the_earlier_type(ann: Door) -> None:
    """In the order of the table, and the other is an alternative."""
    made = ann.call("autology_capture", title="Zqx", content="A convention for the module.")
    assert made["type"] == "component"
    assert made["alternatives"] == [{"type": "convention", "confidence": 0.15}]


def test_a_capture_is_classified_among_the_seven_types_only(ann: Door) -> None:
    """Though the text is just like a fix, which core would call it."""
    text = "Fix null check in the login handler, the guest path no longer crashes."
    assert ann.call("capture", content=text, title="one")["kind"] == "fix"
    seven = {"decision", "component", "convention", "concept", "pattern", "issue", "session"}
    made = ann.call("autology_capture", content=text, title="two")
    assert made["type"] in seven
    assert {each["type"] for each in made["alternatives"]} <= seven


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"content": "x"}, "title: is required"),
        ({"title": "x"}, "content: is required"),
        ({"title": " ", "content": "x"}, "title: must say something"),
        (
            {"title": "x", "content": "x", "type": "solution"},
            "decision, component, convention, concept, pattern, issue",
        ),
        ({"title": "x", "content": "x", "source": "hook_x"}, "hook_file_change"),
        ({"title": "x", "content": "x", "tagz": []}, "did you mean tags"),
        ({"title": "x" * 201, "content": "x"}, "title"),
    ],
)
def test_a_capture_that_is_malformed_is_refused_with_what_is_allowed(
    ann: Door, arguments: dict[str, Any], said: str
) -> None:
    """And nothing is written."""
    with pytest.raises(InvalidArgument, match=said):
        ann.call("autology_capture", **arguments)
    assert ann.graph.log.head() == 0


def test_the_same_text_is_kept_once(ann: Door) -> None:
    """The node that holds it answers, with its own type and confidence; what else was said of it needs an update."""
    call = {"title": "Use JWT", "content": "We chose JWT."}
    first = ann.call("autology_capture", **call, type="convention")
    again = ann.call("autology_capture", **call, tags=["auth"])
    assert (again["id"], again["existing"], first["existing"]) == (first["id"], True, False)
    assert (again["type"], again["confidence"], again["method"]) == ("convention", 0.95, "existing")
    assert again["suggested_next_actions"][0]["tool"] == "autology_update"
    assert "autology_update" not in [each["tool"] for each in first["suggested_next_actions"]]


def test_a_retried_capture_answers_as_the_first_did(ann: Door) -> None:
    """Under the same key; the key of another call is a conflict."""
    call = {"title": "Use JWT", "content": "We chose JWT.", "idempotency_key": "k"}
    assert ann.call("autology_capture", **call) == ann.call("autology_capture", **call)
    with pytest.raises(Conflict):
        ann.call("autology_capture", **call | {"title": "Use PASETO"})


# ---- capture: the seven rules

Pair = tuple[dict[str, Any], dict[str, Any]]

MADE: dict[str, tuple[Pair, tuple[int, str, int]]] = {
    "shared files": (
        (
            {"title": "Alpha", "content": "Barley is sown.", "type": "concept", "references": ["src/a.py"]},
            {"title": "Omega", "content": "Violins are tuned.", "type": "concept", "references": ["src/a.py"]},
        ),
        (0, "relates_to", 1),
    ),
    "implementation": (
        (
            {"title": "Rotate signing tokens", "content": "Every night.", "type": "decision"},
            {"title": "Keeper", "content": "It makes the signing of tokens safe.", "type": "component"},
        ),
        (1, "implements", 0),
    ),
    "session": (
        (
            {"title": "Monday", "content": "What we did.", "type": "session", "session": "monday"},
            {"title": "Barley", "content": "Barley is sown.", "type": "concept", "session": "monday"},
        ),
        (1, "derived_from", 0),
    ),
    "dependency": (
        (
            {"title": "Session Store", "content": "It keeps cookies.", "type": "component"},
            {"title": "Login page", "content": "It uses Session Store.", "type": "component"},
        ),
        (1, "depends_on", 0),
    ),
}


@pytest.mark.parametrize("rule", MADE)
@pytest.mark.parametrize("turned", [False, True], ids=["as told", "the other first"])
def test_a_rule_that_creates_relates_both_ways(ann: Door, rule: str, turned: bool) -> None:  # noqa: FBT001 - a parameter
    """Whichever of the two arrives first; direction and type are the rule's."""
    pair, (source, type_, target) = MADE[rule]
    order = (1, 0) if turned else (0, 1)
    ids = {}
    for at in order:
        made = ann.call("autology_capture", **pair[at])
        ids[at] = made["id"]
    ends = (ids[source], type_, ids[target])
    (found,) = [each for each in made["relations"] if each["type"] == type_]
    if type_ == "relates_to":
        assert {found["source"], found["target"]} == {ids[0], ids[1]}
    else:
        assert (found["source"], found["type"], found["target"]) == ends
    assert found["description"]
    assert found["rule"]


ASKED: dict[str, tuple[Pair, str]] = {
    "shared tags": (
        (
            {"title": "Alpha", "content": "Barley is sown.", "type": "concept", "tags": ["a", "b"]},
            {"title": "Omega", "content": "Violins are tuned.", "type": "issue", "tags": ["b", "c"]},
        ),
        "relates_to",
    ),
    "similar titles": (
        (
            {"title": "Signing rotation nightly", "content": "Barley is sown.", "type": "concept"},
            {"title": "Signing rotation weekly keys", "content": "Violins are tuned.", "type": "issue"},
        ),
        "relates_to",
    ),
}


@pytest.mark.parametrize("rule", ASKED)
@pytest.mark.parametrize("turned", [False, True], ids=["as told", "the other first"])
def test_a_rule_that_suggests_asks_both_ways(ann: Door, rule: str, turned: bool) -> None:  # noqa: FBT001 - a parameter
    """From the rule's own figure on: a third of the tags, 0.4 of the longer title words."""
    pair, type_ = ASKED[rule]
    for one in reversed(pair) if turned else pair:
        made = ann.call("autology_capture", **one)
    assert made["relations"] == []
    summaries = [each["summary"] for each in made["suggestions"] if each["kind"] == "relation"]
    assert len(summaries) == 1
    assert f"—{type_}→" in summaries[0]


def test_a_newer_node_that_says_so_is_suggested_to_supersede_the_older(ann: Door) -> None:
    """Accepting is one transaction: the relation, the older one's status, and both times."""
    old = kept(ann, "Rotate signing keys", "Once a year.", type="decision")
    made = ann.call(
        "autology_capture",
        title="Rotate signing keys nightly",
        content="This supersedes the yearly rotation.",
        type="decision",
    )
    (item,) = [each for each in made["suggestions"] if "—supersedes→" in each["summary"]]
    assert shown(ann, old)["status"] == "active"
    decided = ann.call("review", decide=[{"item": item["id"], "decision": "accept"}])
    assert shown(ann, old)["status"] == "superseded"
    changes = ann.graph.log.batch(decided["decided"][0]["batch"])
    assert {change.subject_id for change in changes} >= {old, made["id"], item["id"]}


def test_an_older_node_supersedes_nothing_newer(ann: Door) -> None:
    """The twin: the rule looks at the times, not at the order of the search."""
    ann.call(
        "autology_capture", title="Rotate signing keys", content="This supersedes the old rotation.", type="decision"
    )
    made = ann.call("autology_capture", title="Rotate signing keys nightly", content="Once a day.", type="decision")
    assert not [each for each in made["suggestions"] if "supersedes" in each["summary"]]


NEAR: dict[str, Pair] = {
    "tags": (
        {"title": "Alpha", "content": "Barley is sown.", "type": "concept", "tags": ["a", "b", "c"]},
        {"title": "Omega", "content": "Violins are tuned.", "type": "issue", "tags": ["c", "d"]},
    ),
    "titles": (
        {"title": "Signing rotation nightly", "content": "Barley is sown.", "type": "concept"},
        {"title": "Rotation speed sensor", "content": "Violins are tuned.", "type": "issue"},
    ),
    "files": (
        {"title": "Alpha", "content": "Barley is sown.", "type": "concept", "references": ["src/a.py"]},
        {"title": "Omega", "content": "Violins are tuned.", "type": "issue", "references": ["src/b.py"]},
    ),
    "implementation": (
        {"title": "Rotate signing tokens", "content": "Every night.", "type": "decision"},
        {"title": "Keeper", "content": "It makes the signing safe.", "type": "component"},
    ),
    "session": (
        {"title": "Monday", "content": "What we did.", "type": "session", "session": "monday"},
        {"title": "Barley", "content": "Barley is sown.", "type": "concept", "session": "tuesday"},
    ),
    "dependency": (
        {"title": "Session Store", "content": "It keeps cookies.", "type": "component"},
        {"title": "Login page", "content": "It does not use any Session Store.", "type": "component"},
    ),
}


@pytest.mark.parametrize("rule", NEAR)
def test_a_near_miss_of_a_rule_relates_nothing(ann: Door, rule: str) -> None:
    """The twin of the three tests above."""
    for one in NEAR[rule]:
        made = ann.call("autology_capture", **one)
    assert made["relations"] == []
    assert made["suggestions"] == []


@pytest.mark.parametrize(("floor", "made"), [("0.7", 1), ("0.71", 0)])
def test_the_floor_of_what_a_rule_makes_by_itself_can_be_set(tmp_path: Path, floor: str, made: int) -> None:
    """0.7 where nothing is said; a rule that falls below it asks instead."""
    assert Settings().link_floor == AUTO_CREATE_FLOOR
    chosen = Settings.from_environment({"WEFT_LINK_FLOOR": floor})
    with door(tmp_path, link_floor=chosen.link_floor) as ann:
        for one in MADE["shared files"][0]:
            told = ann.call("autology_capture", **one)
    assert len(told["relations"]) == made
    assert len(told["suggestions"]) == 1 - made


@pytest.mark.parametrize("floor", ["-1", "1.1", "much", "nan"])
def test_a_floor_that_is_no_share_is_refused(floor: str) -> None:
    """Naming the setting and its bounds."""
    with pytest.raises(InvalidArgument, match=r"(?i)link_floor must .* 0\.\.1"):
        Settings.from_environment({"WEFT_LINK_FLOOR": floor})


# ---- query


def worked_example(ann: Door) -> str:
    """Capture the node of Autology's worked example."""
    made = kept(
        ann,
        "JWT Authentication Implementation",
        "authentication system using authentication tokens",
        tags=["auth", "security"],
    )
    ann.call("autology_update", id=made, confidence=0.9)
    return made


def test_the_worked_example_scores_0_98(ann: Door) -> None:
    """Title 0.5, two occurrences 0.2, 0.2 of a confidence of 0.9, and changed within seven days."""
    worked_example(ann)
    (found,) = ann.call("autology_query", query="authentication", mode="keyword")["nodes"]
    assert found["score"] == pytest.approx(0.98)


def test_after_a_week_the_score_loses_its_freshness(ann: Door) -> None:
    """The twin: a tenth less."""
    from dataclasses import replace
    from datetime import timedelta

    worked_example(ann)
    call = ann.graph.call()
    later = replace(call, at=call.at + timedelta(days=7, seconds=1))
    hits = ann.graph.recall.search(SearchRequest(query="authentication", mode="keyword"), later).hits
    assert hits[0].score == pytest.approx(0.88)


def test_every_tag_that_holds_the_word_counts(ann: Door) -> None:
    """0.3 each; occurrences count up to 0.5."""
    tagged = kept(ann, "Zqx", "token " * 9, tags=["token", "token-store", "other"])
    (found,) = ann.call("autology_query", query="token", mode="keyword")["nodes"]
    assert found["id"] == tagged
    assert found["score"] == pytest.approx(0.5 + 0.6 + 0.2 * 0.95 + 0.1)


def test_two_words_are_found_apart(ann: Door) -> None:
    """Not as one phrase; a node that holds only one of them is not in mode keyword."""
    both = kept(ann, "Token", "It is rotated.")
    kept(ann, "Token two", "It is printed.")
    nodes = ann.call("autology_query", query="rotated token", mode="keyword")["nodes"]
    assert [each["id"] for each in nodes] == [both]
    assert nodes[0]["score"] == pytest.approx(0.5 / 2 + 0.1 + 0.2 * 0.95 + 0.1)


def test_hybrid_finds_what_says_it_in_other_words(ann: Door) -> None:
    """The default; mode keyword does not."""
    wanted = kept(ann, "Eviction", "The cache is emptied when memory runs out.")
    query = "drop cached entries under memory pressure"
    assert ann.call("autology_query", query=query)["nodes"][0]["id"] == wanted
    assert ann.call("autology_query", query=query, mode="keyword")["nodes"] == []


def test_filters_hold_all_at_once(ann: Door) -> None:
    """Type, all the tags, status, confidence."""
    wanted = kept(ann, "Token one", type="decision", tags=["a", "b"])
    kept(ann, "Token two", type="decision", tags=["a"])
    kept(ann, "Token three", type="issue", tags=["a", "b"])
    ann.call("autology_capture", title="Token four", content="We chose it.", tags=["a", "b"])
    waiting = kept(ann, "Token five", type="decision", tags=["a", "b"])
    ann.call("autology_update", id=waiting, status="needs_review")
    for mode in ("hybrid", "keyword"):
        ask: Callable[..., list[str]] = lambda mode=mode, **more: [  # noqa: E731 - said once for two modes
            each["id"] for each in ann.call("autology_query", query="token", mode=mode, **more)["nodes"]
        ]
        assert ask(type="decision", tags=["a", "b"], status="active", min_confidence=0.9) == [wanted]
        assert ask(status="needs_review") == [waiting]
        assert len(ask()) == 5


def test_a_page_has_the_true_total(ann: Door) -> None:
    """Pages neither repeat nor lose a node."""
    ids = {kept(ann, f"Token {at}") for at in range(5)}
    pages = [ann.call("autology_query", query="token", mode="keyword", limit=2, offset=at) for at in (0, 2, 4)]
    assert {page["total"] for page in pages} == {5}
    assert {each["id"] for page in pages for each in page["nodes"]} == ids
    assert [len(page["nodes"]) for page in pages] == [2, 2, 1]


def test_without_a_query_the_newest_come_first(ann: Door) -> None:
    """With the filters of a query."""
    first, second = kept(ann, "One"), kept(ann, "Two")
    kept(ann, "Three", type="issue")
    found = ann.call("autology_query", type="component")
    assert [each["id"] for each in found["nodes"]] == [second, first]
    assert found["total"] == 2


def test_related_to_leaves_only_what_is_near(ann: Door) -> None:
    """Nodes up to two relations away."""
    hub, near, far = kept(ann, "Hub"), kept(ann, "Near"), kept(ann, "Far")
    ann.call("autology_relate", source=hub, target=near, type="uses")
    found = [each["id"] for each in ann.call("autology_query", related_to="Hub")["nodes"]]
    assert near in found
    assert far not in found


def test_a_claim_of_another_toolset_is_found(ann: Door) -> None:
    """One graph: a type outside the seven is shown, but cannot be asked for."""
    made = ann.call("capture", content="Attention is quadratic in the sequence length.", kind="claim")
    (found,) = ann.call("autology_query", query="quadratic attention")["nodes"]
    assert (found["id"], found["type"]) == (made["id"], "claim")
    with pytest.raises(InvalidArgument, match="must be one of decision"):
        ann.call("autology_query", query="x", type="claim")


def test_a_superseded_node_sinks_and_says_by_what(ann: Door) -> None:
    """Its score counts half."""
    old, new = kept(ann, "Token old"), kept(ann, "Token new")
    ann.call("autology_relate", source=new, target=old, type="supersedes")
    nodes = ann.call("autology_query", query="token", mode="keyword")["nodes"]
    assert [each["id"] for each in nodes] == [new, old]
    assert nodes[1]["superseded_by"] == {"id": new, "title": "Token new"}


# ---- status


def test_status_counts_nodes_and_relations_by_type(ann: Door) -> None:
    """And, in full, by status and confidence: high from 0.8, medium from 0.5."""
    one, two = kept(ann, "One"), kept(ann, "Two", type="issue")
    ann.call("autology_capture", title="Three", content="We chose it.")
    ann.call("autology_relate", source=one, target=two, type="affects")
    ann.call("autology_update", id=two, status="needs_review", confidence=0.5)
    plain = ann.call("autology_status")
    plain.pop("suggested_next_actions")
    assert plain == {
        "totalNodes": 3,
        "nodesByType": {"component": 1, "issue": 1, "decision": 1},
        "totalRelations": 1,
        "relationsByType": {"affects": 1},
    }
    full = ann.call("autology_status", detail="full")
    assert full["nodesByStatus"] == {"active": 2, "needs_review": 1}
    assert full["nodesByConfidence"] == {"high": 1, "medium": 1, "low": 1}


def test_an_empty_graph_has_a_status(ann: Door) -> None:
    """All noughts."""
    assert ann.call("autology_status", detail="full")["totalNodes"] == 0


# ---- update


def test_an_update_shows_each_changed_field_and_sets_modified(ann: Door) -> None:
    """What is not named stays."""
    id_ = kept(ann, "Use JWT", "We chose JWT.", tags=["auth"])
    before = shown(ann, id_)
    made = ann.call("autology_update", id="Use JWT", title="Use PASETO", confidence=0.5)
    assert made["changed"] == {"title": ["Use JWT", "Use PASETO"], "confidence": [0.95, 0.5]}
    after = shown(ann, id_)
    assert after["modified"] == made["modified"] > before["modified"]
    assert (after["tags"], after["status"]) == (["auth"], "active")
    assert made["version"] == 2


@pytest.mark.parametrize("arguments", [{}, {"title": "Use JWT"}, {"status": "active", "tags": []}])
def test_an_update_that_changes_nothing_is_an_error(ann: Door, arguments: dict[str, Any]) -> None:
    """Whether no field is named or the values stand already; the node is untouched."""
    id_ = kept(ann, "Use JWT")
    with pytest.raises(InvalidArgument, match=r"[Nn]othing"):
        ann.call("autology_update", id=id_, **arguments)
    assert ann.graph.store.nodes((id_,))[id_].version == 1


def test_an_update_against_an_older_version_is_a_conflict(ann: Door) -> None:
    """Both versions are named."""
    id_ = kept(ann, "Use JWT")
    ann.call("autology_update", id=id_, confidence=0.5)
    with pytest.raises(Conflict, match="stands at version 2, not 1"):
        ann.call("autology_update", id=id_, confidence=0.4, if_version=1)


@pytest.mark.parametrize("status", ["active", "needs_review", "superseded"])
def test_the_three_statuses_can_be_set(ann: Door, status: str) -> None:
    """And no other."""
    id_ = kept(ann, "Use JWT")
    if status != "active":
        assert ann.call("autology_update", id=id_, status=status)["changed"]["status"] == ["active", status]
    with pytest.raises(InvalidArgument, match="status"):
        ann.call("autology_update", id=id_, status="done")


# ---- delete


def test_a_delete_happens_at_once_and_takes_the_relations_along(ann: Door) -> None:
    """From both ends, visible everywhere; one undo brings all of it back."""
    one, two, three = kept(ann, "One"), kept(ann, "Two"), kept(ann, "Three")
    ann.call("autology_relate", source=one, target=two, type="uses")
    ann.call("autology_relate", source=three, target=one, type="uses")
    gone = ann.call("autology_delete", id="One")
    assert (gone["title"], gone["type"], gone["relationsRemoved"], gone["deleted"]) == ("One", "component", 2, True)
    assert ann.call("autology_status")["totalRelations"] == 0
    assert one not in [each["id"] for each in ann.call("autology_query", query="One")["nodes"]]
    assert ann.graph.store.relations((two, three)) == ()
    ann.graph.curate.undo(gone["batch"], ann.graph.call())
    assert ann.call("autology_status")["totalRelations"] == 2


def test_confirm_false_only_previews_a_delete(ann: Door) -> None:
    """It says what would go, and how to go on."""
    id_ = kept(ann, "One")
    told = ann.call("autology_delete", id=id_, confirm=False)
    assert (told["deleted"], told["relationsRemoved"]) == (False, 0)
    assert told["suggested_next_actions"][0]["arguments"] == {"id": id_, "confirm": True}
    assert ann.call("autology_status")["totalNodes"] == 1


def test_what_is_not_there_cannot_be_deleted(ann: Door) -> None:
    """Nor twice."""
    kept(ann, "One")
    ann.call("autology_delete", id="One")
    with pytest.raises(NotFound, match="One"):
        ann.call("autology_delete", id="One")


# ---- relate and unrelate


@pytest.mark.parametrize(("first", "then"), [(0.9, 0.5), (0.5, 0.9)])
def test_relating_again_keeps_the_larger_confidence(ann: Door, first: float, then: float) -> None:
    """One relation, whichever came first; the default is 0.8."""
    one, two = kept(ann, "One"), kept(ann, "Two")
    made = ann.call("autology_relate", source=one, target=two, type="uses", confidence=first, description="Because.")
    again = ann.call("autology_relate", source="One", target="Two", type="uses", confidence=then)
    assert (made["created"], again["created"]) == (True, False)
    assert again["relation"]["confidence"] == 0.9
    assert again["relation"]["id"] == made["relation"]["id"]
    assert again["relation"]["description"] == "Because."
    assert ann.call("autology_relate", source=two, target=one, type="uses")["relation"]["confidence"] == 0.8
    assert ann.call("autology_status")["relationsByType"] == {"uses": 2}


def test_both_ends_of_a_relation_must_exist(ann: Door) -> None:
    """The end that does not is named, and nothing is written."""
    kept(ann, "One")
    head = ann.graph.log.head()
    with pytest.raises(NotFound, match="target «Nowhere»"):
        ann.call("autology_relate", source="One", target="Nowhere", type="uses")
    with pytest.raises(NotFound, match="source «Nowhere»"):
        ann.call("autology_relate", source="Nowhere", target="One", type="uses")
    assert ann.graph.log.head() == head


@pytest.mark.parametrize(
    "type_", ["affects", "uses", "supersedes", "relates_to", "implements", "depends_on", "derived_from", "RELATED_TO"]
)
def test_the_seven_relations_are_taken(ann: Door, type_: str) -> None:
    """And a true synonym of one."""
    kept(ann, "One")
    kept(ann, "Two")
    made = ann.call("autology_relate", source="One", target="Two", type=type_)
    assert made["relation"]["type"] == type_.lower().replace("related", "relates")


@pytest.mark.parametrize("type_", ["supports", "REQUIRES", "", "x'; --"])
def test_other_relations_are_refused_naming_the_seven(ann: Door, type_: str) -> None:
    """Also those that other toolsets know."""
    kept(ann, "One")
    kept(ann, "Two")
    with pytest.raises(InvalidArgument, match=r"affects, uses, supersedes, relates_to|must say something"):
        ann.call("autology_relate", source="One", target="Two", type=type_)


def test_superseding_is_one_transaction(ann: Door) -> None:
    """The relation, the older node's status, and the times of both; taking it back makes the older active again."""
    old, new = kept(ann, "Old"), kept(ann, "New")
    before = {id_: shown(ann, id_)["modified"] for id_ in (old, new)}
    made = ann.call("autology_relate", source=new, target=old, type="supersedes")
    changes = ann.graph.log.batch(made["batch"])
    assert {change.subject_id for change in changes} == {old, new, made["relation"]["id"]}
    assert shown(ann, old)["status"] == "superseded"
    assert shown(ann, new)["status"] == "active"
    assert all(shown(ann, id_)["modified"] > before[id_] for id_ in (old, new))
    assert ann.call("autology_unrelate", source=new, target=old, type="supersedes")["removed"] is True
    assert shown(ann, old)["status"] == "active"


def test_unrelating_succeeds_even_when_nothing_was_there(ann: Door) -> None:
    """And says so; the type and the direction count."""
    kept(ann, "One")
    kept(ann, "Two")
    ann.call("autology_relate", source="One", target="Two", type="uses")
    assert ann.call("autology_unrelate", source="One", target="Two", type="affects")["removed"] is False
    assert ann.call("autology_unrelate", source="Two", target="One", type="uses")["removed"] is False
    assert ann.call("autology_unrelate", source="One", target="Two", type="uses")["removed"] is True
    assert ann.call("autology_unrelate", source="One", target="Two", type="uses")["removed"] is False
    assert ann.call("autology_status")["totalRelations"] == 0


def test_a_relation_without_direction_is_removed_from_either_end(ann: Door) -> None:
    """relates_to is stored once, whichever node was named first."""
    kept(ann, "One")
    kept(ann, "Two")
    ann.call("autology_relate", source="One", target="Two", type="relates_to")
    assert ann.call("autology_relate", source="Two", target="One", type="relates_to")["created"] is False
    assert ann.call("autology_unrelate", source="Two", target="One", type="relates_to")["removed"] is True


# ---- context


BASE = 0.05  # what the type of a session is worth, the least of the seven


def bearing(ann: Door, id_: str, **work: object) -> dict[str, Any]:
    """Return the node of this id as a context shows it."""
    (found,) = [each for each in ann.call("autology_context", **work)["nodes"] if each["id"] == id_]
    return dict(found)


@pytest.fixture
def aged(ann: Door, monkeypatch: pytest.MonkeyPatch) -> Door:
    """The same project, eight days later: nothing that was captured before is fresh any more."""
    from datetime import UTC, datetime, timedelta

    from weft.tools import gate

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = UTC) -> datetime:  # noqa: ANN401 - as the base has it
            return datetime.now(tz) + timedelta(days=8)

    old = kept(
        ann,
        "Barley",
        "Barley is sown in autumn.",
        type="session",
        references=["src/auth/jwt.go", "docs"],
    )
    ann.call("autology_update", id=old, confidence=0.7)
    monkeypatch.setattr(gate, "datetime", Later)
    return ann


@pytest.mark.parametrize(
    ("work", "factors"),
    [
        ({"currentFile": "src/auth/jwt.go"}, {"current_file": 1.0, "current_file_partial": 0.6}),
        ({"currentFile": "docs/deep/page.md"}, {"current_file_partial": 0.6}),
        ({"recentFiles": ["src/auth/jwt.go", "docs"]}, {"recent_files": 0.4}),
        ({"currentTask": "when is barley sown"}, {"task": 0.8}),
        ({"currentFile": "src/auth/other.go"}, {}),
    ],
    ids=["current file", "folder of the current file", "recent files", "task", "none"],
)
def test_each_factor_of_the_work_counts_alone(aged: Door, work: dict[str, Any], factors: dict[str, float]) -> None:
    """On top of the type: the file itself, a folder it lies in, the files touched lately, a word of the task."""
    (found,) = aged.call("autology_context", **work)["nodes"]
    assert found["factors"] == {**factors, "kind": BASE}
    assert found["relevance"] == pytest.approx(sum(factors.values()) + BASE)


@pytest.mark.parametrize(
    ("type_", "points"),
    [
        ("decision", 0.3),
        ("convention", 0.25),
        ("component", 0.2),
        ("pattern", 0.2),
        ("concept", 0.15),
        ("issue", 0.1),
        ("session", 0.05),
    ],
)
def test_the_type_of_a_node_counts(ann: Door, type_: str, points: float) -> None:
    """Decisions most, sessions least."""
    id_ = kept(ann, "Barley", "Barley is sown.", type=type_, references=["a.py"])
    assert bearing(ann, id_, currentFile="a.py")["factors"]["kind"] == points


def test_confidence_from_0_8_counts(ann: Door) -> None:
    """Below it does not."""
    id_ = kept(ann, "Barley", references=["a.py"])
    ann.call("autology_update", id=id_, confidence=0.8)
    assert bearing(ann, id_, currentFile="a.py")["factors"]["confidence"] == 0.2
    ann.call("autology_update", id=id_, confidence=0.79)
    assert "confidence" not in bearing(ann, id_, currentFile="a.py")["factors"]


def test_what_changed_within_seven_days_counts_as_fresh(aged: Door) -> None:
    """What is older does not."""
    fresh = kept(aged, "Wheat", "Wheat is sown.", references=["src/auth/jwt.go"])
    nodes = {
        each["id"]: each["factors"] for each in aged.call("autology_context", currentFile="src/auth/jwt.go")["nodes"]
    }
    assert nodes.pop(fresh)["recency"] == 0.3
    assert nodes
    assert all("recency" not in factors for factors in nodes.values())


@pytest.mark.parametrize(("status", "share"), [("needs_review", 0.8), ("superseded", 0.3)])
def test_the_status_scales_all_but_the_relations(ann: Door, status: str, share: float) -> None:
    """So that superseded nodes sink."""
    id_ = kept(ann, "Barley", references=["a.py"])
    whole = bearing(ann, id_, currentFile="a.py")["relevance"]
    ann.call("autology_update", id=id_, status=status)
    assert bearing(ann, id_, currentFile="a.py")["relevance"] == pytest.approx(whole * share)


def test_three_relations_count(ann: Door) -> None:
    """Two do not; the strongest are told, with their direction."""
    id_ = kept(ann, "Barley", references=["a.py"])
    others = [kept(ann, title) for title in ("One", "Two", "Three")]
    for other in others[:2]:
        ann.call("autology_relate", source=id_, target=other, type="uses")
    assert "relations" not in bearing(ann, id_, currentFile="a.py")["factors"]
    ann.call("autology_relate", source=others[2], target=id_, type="uses", confidence=0.9)
    found = bearing(ann, id_, currentFile="a.py")
    assert found["factors"]["relations"] == 0.15
    assert found["relationCount"] == 3
    assert found["relations"][0] == {"type": "uses", "direction": "backward", "id": others[2], "title": "Three"}


def test_bands_begin_at_2_and_1_and_a_task_alone_has_its_band_by_rank(ann: Door) -> None:
    """A file and a task reach high; a task alone cannot, and its best are high by rank."""
    id_ = kept(ann, "Barley", "Barley is sown.", type="decision", references=["a.py"])
    assert bearing(ann, id_, currentFile="a.py")["band"] == "high"
    task = bearing(ann, id_, currentTask="when is barley sown")
    assert (task["band"], task["rankBand"]) == ("medium", "high")
    ann.call("autology_update", id=id_, status="superseded")
    assert bearing(ann, id_, currentTask="when is barley sown")["band"] == "low"


def test_a_mixed_question_has_a_high_band_too(ann: Door) -> None:
    """What is about the file comes before what is about the task alone; all that bears is told in full."""
    file = kept(ann, "Barley", "Barley is sown.", tags=["grain"], references=["a.py"])
    task = kept(ann, "Autumn", "Barley is harvested late.")
    nodes = ann.call("autology_context", currentFile="a.py", currentTask="harvest of barley")["nodes"]
    assert [each["id"] for each in nodes] == [file, task]
    assert nodes[0]["band"] == "high"
    assert (nodes[0]["tags"], nodes[0]["references"], nodes[0]["preview"]) == (["grain"], ["a.py"], "Barley is sown.")
    assert nodes[0]["why"]


def test_at_most_so_many_nodes_are_given(ann: Door) -> None:
    """Ten by default, 1 to 20 on demand."""
    for at in range(12):
        kept(ann, f"Node {at}", references=["a.py"])
    assert len(ann.call("autology_context", currentFile="a.py")["nodes"]) == 10
    assert len(ann.call("autology_context", currentFile="a.py", maxNodes=3)["nodes"]) == 3
    assert len(ann.call("autology_context", currentFile="a.py", maxNodes=20)["nodes"]) == 12
    for wrong in (0, 21):
        with pytest.raises(InvalidArgument, match="maxNodes"):
            ann.call("autology_context", currentFile="a.py", maxNodes=wrong)


def test_a_conversation_of_eight_thousand_characters_is_a_task(ann: Door) -> None:
    """One more is refused."""
    id_ = kept(ann, "Barley", "Barley is sown.")
    said = "We went on about nothing. " * 400
    assert bearing(ann, id_, currentTask=f"{said[:7_960]} when is the barley sown?")
    with pytest.raises(InvalidArgument, match="currentTask"):
        ann.call("autology_context", currentTask="x" * 8_001)


def test_a_file_may_be_named_by_its_whole_path(ann: Door, tmp_path: Path) -> None:
    """As editors do: below the project's folder it is the path from there, for writing and for asking."""
    id_ = kept(ann, "Barley", references=[str(tmp_path / "src/a.py"), "https://example.org/x"])
    node = ann.graph.store.nodes((id_,))[id_]
    assert node.references == ("src/a.py", "https://example.org/x")
    for work in ({"currentFile": str(tmp_path / "src/a.py")}, {"recentFiles": [str(tmp_path / "src/a.py")]}):
        assert bearing(ann, id_, **work)


def test_the_core_tools_read_a_whole_path_as_these_do(ann: Door, tmp_path: Path) -> None:
    """What one tool finds for a file, another does not deny."""
    whole = str(tmp_path / "src/a.py")
    made = ann.call("capture", content="Barley is sown in March.", references=[whole])
    other = kept(ann, "Rye")
    ann.call("update", id=other, references=[whole])
    nodes = ann.graph.store.nodes((made["id"], other))
    assert {node.references for node in nodes.values()} == {("src/a.py",)}
    for work in ({"current_file": whole}, {"recent_files": [whole]}, {"current_file": "src/a.py"}):
        assert {each["id"] for each in ann.call("context", **work)["nodes"]} == set(nodes)


@pytest.mark.parametrize(
    ("tool", "text", "fields", "path"),
    [
        ("capture", "content", {}, ("status",)),
        ("autology_capture", "content", {"title": "Barley is sown in March."}, ("status",)),
        ("memory_store", "content", {"title": "Barley is sown in March.", "type": "general"}, ("status",)),
        ("ingest_hypothesis", "hypothesis", {}, ("existing_unit", "standing")),
    ],
)
def test_what_was_there_and_holds_no_more_is_told_by_every_tool_that_writes(
    ann: Door, tool: str, text: str, fields: dict[str, str], path: tuple[str, ...]
) -> None:
    """Else the caller takes a superseded text for one that stands; the call that makes it stand is offered."""
    id_ = ann.call("capture", content="Barley is sown in March.")["id"]
    given = {text: "Barley is sown in March."} | fields
    assert "current" not in str(ann.call(tool, **given))
    ann.call("update", id=id_, status="superseded")
    answer: Any = ann.call(tool, **given)
    offered = [row for row in answer["suggested_next_actions"] if "does not count as current" in row["description"]]
    assert len(offered) == 1
    for step in path:
        answer = answer[step]
    assert answer == "superseded"


@pytest.mark.parametrize(("tool", "task"), [("context", "task"), ("autology_context", "currentTask")])
def test_what_bears_on_a_task_says_by_what_it_was_superseded(ann: Door, tool: str, task: str) -> None:
    """As a search does: who reads what no longer holds is led to what does."""
    old = kept(ann, "Barley in March", content="Barley is sown in March.")
    new = kept(ann, "Rye in autumn", content="Winter rye goes in before frost.")
    ann.call("autology_relate", source=new, target=old, type="supersedes")
    (node,) = [each for each in ann.call(tool, **{task: "sow barley"})["nodes"] if each["id"] == old]
    assert node["superseded_by"] == {"id": new, "title": "Rye in autumn"}


# ---- tiers and hints


@pytest.mark.parametrize(
    ("tier", "allowed"),
    [(Tier.READER, ()), (Tier.CONTRIBUTOR, WRITING), (Tier.LIBRARIAN, (*WRITING, *DELETING))],
    ids=lambda value: value.label if isinstance(value, Tier) else "",
)
def test_each_tier_reaches_its_tools(ann: Door, tier: Tier, allowed: tuple[str, ...]) -> None:
    """Readers read, contributors write, librarians delete."""
    kept(ann, "One")
    kept(ann, "Two")
    ends = {"source": "One", "target": "Two", "type": "uses"}
    calls: dict[str, dict[str, Any]] = {
        "autology_capture": {"title": "Three", "content": "Three."},
        "autology_update": {"id": "One", "confidence": 0.1},
        "autology_relate": ends,
        "autology_unrelate": ends,
        "autology_delete": {"id": "Two"},
    }
    visitor = ann.as_(tier=tier)
    for name in ("autology_query", "autology_status", "autology_context"):
        assert visitor.call(name)
    for name, arguments in calls.items():
        if name in allowed:
            assert visitor.call(name, **arguments)
        else:
            with pytest.raises(PermissionDenied, match=name):
                visitor.call(name, **arguments)


def test_next_actions_name_tools_of_the_project_first(ann: Door) -> None:
    """With arguments that work."""
    kept(ann, "Barley", references=["a.py"])
    offered = ann.call("autology_query", query="barley")["suggested_next_actions"]
    assert offered[0]["tool"] == "autology_query"
    assert ann.call(offered[0]["tool"], **offered[0]["arguments"])["total"] == 0
