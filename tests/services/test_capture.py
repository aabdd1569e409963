"""Capturing: what becomes of a text on its way into the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from services.desk import ENTAILMENT
from weft.errors import Ambiguous, InvalidArgument, NotFound, PermissionDenied
from weft.model import CaptureRequest, Origin, RelationWish, Status, SuggestionKind, Tier, UpdateRequest
from weft.ports import WholeTexts
from weft.services.capture.classifying import Classifier
from weft.services.capture.comparing import compare, differing
from weft.services.nearness import Neighbour
from weft.services.passages import TITLE_DERIVED_MAX, embed, title_of
from weft.services.seconding import Seconded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    from services.desk import Desk
    from weft.ports import Embedder

DECISION = (
    "We decided to use SQLite. Decision: the alternative was a server. The trade-off and the rationale are in the ADR; "
    "the consequence is one file."
)


class _Renamed(WholeTexts):
    """An embedder under another name."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = "another"
        self.dimension = embedder.dimension
        self.calibration = embedder.calibration
        self._embedder = embedder

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return self._embedder.embed(texts)


def test_a_captured_text_is_a_node_with_its_words_as_given(desk: Desk) -> None:
    """What is not asked for has its default, and the caller, the time and the session are kept."""
    call = desk.call(actor="grace", session="sprint 4")
    request = CaptureRequest(content="Line one.\n\n\tLine two.", kind="insight", tags=("a", " a ", "b"), importance=0.9)
    node = desk.capture.capture(request, call).node
    assert desk.node(node.id) == node
    assert (node.content, node.title, node.ontology) == ("Line one.\n\n\tLine two.", "Line one.", "notes")
    assert (node.tags, node.importance, node.session) == (("a", "b"), 0.9, "sprint 4")
    assert (node.created_by, node.created_at, node.modified_at) == ("grace", call.at, call.at)
    assert (node.origin, node.status, node.version) == (Origin.MANUAL, Status.ACTIVE, 1)


def test_what_is_given_with_a_text_that_is_there_already_is_told_and_not_taken(desk: Desk) -> None:
    """Only what its node does not hold; the node stays as it is."""
    first = desk.add("Tokens expire.", kind="claim", citation="Howatson 2012", tags=("auth",)).node
    again = desk.add("Tokens expire.", kind="claim", citation="Losso 2018", tags=("Auth", "jwt"), confidence=0.4)
    assert (again.existing, again.untaken) == (True, ("citation", "confidence", "tags"))
    assert desk.node(first.id) == first
    assert desk.add("Tokens expire.", kind="claim", citation="Howatson 2012").untaken == ()


def test_a_tag_that_is_given_in_two_cases_is_one(desk: Desk) -> None:
    """As it is given first; tags are found in whatever case."""
    assert desk.add("Tokens expire.", kind="claim", tags=("Auth", "auth", "#AUTH", "api")).node.tags == ("Auth", "api")


def test_a_tag_is_kept_without_the_mark_that_a_text_has_before_it(desk: Desk) -> None:
    """With and without, it is one; a mark alone is none, and one within a tag stays."""
    given = ("#brew", "brew", " # hot/water ", "#", "C#")
    node = desk.capture.capture(CaptureRequest(content="Water is hot.", tags=given), desk.call()).node
    assert node.tags == ("brew", "hot/water", "C#")
    desk.capture.update(UpdateRequest(id=node.id, tags=("#tea",)), desk.call(tool="update"))
    assert desk.node(node.id).tags == ("tea",)


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("# Token rotation\n\nRotate them daily.", "Token rotation"),
        ("\n\n- **Use WAL** \n- Use FULL", "Use WAL"),
        ("Short. Second sentence.", "Short. Second sentence."),
        ("***\n---", "***"),
        ("A first sentence that is fine. " + "word " * 60, "A first sentence that is fine."),
        ("会话保存在数据库里。" * 12, "会话保存在数据库里。"),
        ("会话保存在数据库里。旧的会丢失。", "会话保存在数据库里。旧的会丢失。"),
        ("「会话保存在数据库里。」" * 12, "「会话保存在数据库里。」"),
        ("बैठक सोमवार को शुरू होती है। " * 8, "बैठक सोमवार को शुरू होती है।"),
        ("کیا اجلاس پیر کو شروع ہوتا ہے؟ " * 8, "کیا اجلاس پیر کو شروع ہوتا ہے؟"),
    ],
)
def test_a_title_is_taken_from_the_first_line_that_says_anything(content: str, title: str) -> None:
    """Marks of Markdown go; a long line gives its first sentence."""
    assert title_of(content) == title


RAISED = "psycopg.errors.SerializationFailure: could not serialize access"
TRACE = f"""Traceback (most recent call last):
  File "/srv/charge.py", line 88, in charge
    self.conn.commit()
{RAISED}
"""
AGAIN = f"{TRACE}\nDuring handling of the above exception, another exception occurred:\n\n"


@pytest.mark.parametrize(
    ("content", "title"),
    [
        (TRACE, RAISED),
        (f"{TRACE}DETAIL:  Reason code\nHINT:  Retry.", RAISED),
        (f"```\n{TRACE}```", RAISED),
        (
            f'{AGAIN}Traceback (most recent call last):\n  File "a.py", line 5, in <module>\nKeyboardInterrupt',
            "KeyboardInterrupt",
        ),
        (f"Seen twice on Monday.\n{TRACE}", "Seen twice on Monday."),
        ("Traceback (most recent call last):\n  …", "Traceback (most recent call last):"),
        ("```python\ndef rotate(token):\n    ...\n```", "def rotate(token):"),
        ("```\n", "```"),
        ('---\ntitle: "Token rotation"\ntags: [auth]\n---\n\nRotate them daily.', "Token rotation"),
        ("---\ntags: [auth]\n---\n# Token rotation", "Token rotation"),
        ("---\ntags: [auth]\n---\n", "tags: [auth]"),
        ("---\nRotate them daily.\n---\nOr weekly.", "Rotate them daily."),
    ],
)
def test_what_only_opens_a_text_is_no_title(content: str, title: str) -> None:
    """All tracebacks begin alike; so does code between fences, and what stands in front matter is for machines."""
    assert title_of(content) == title


def test_a_title_from_a_long_sentence_is_cut_at_a_word() -> None:
    """A derived title never exceeds its bound, and says that it was cut."""
    title = title_of("extraordinarily " * 20)
    assert len(title) <= TITLE_DERIVED_MAX
    assert title.endswith("extraordinarily…")
    assert len(title_of("x" * 5_000)) == TITLE_DERIVED_MAX
    assert len(title_of("é" * 5_000)) == TITLE_DERIVED_MAX
    assert title_of("会" * 5_000) == "会" * 49 + "…"


def test_keywords_classify_and_their_confidence_becomes_the_nodes(desk: Desk) -> None:
    """Enough keywords of one kind are confident, and nothing is left to review."""
    captured = desk.add(DECISION)
    assert captured.classification.kind == captured.node.kind == "decision"
    assert captured.classification.method == "keywords"
    assert captured.classification.confident
    assert captured.node.confidence == captured.classification.confidence
    assert not captured.suggestions


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("We picked Kafka over RabbitMQ since we need replay.", "decision"),
        ("The billing worker reads invoices from the queue and writes them to the ledger.", "component"),
        ("Name branches after the ticket, lower case, never with a slash.", "convention"),
        ("Oslo is the capital of Norway and lies at the head of a fjord.", "concept"),
        ("Wrap third-party clients in an adapter so that they can be swapped in tests.", "pattern"),
        ("The search page shows results of the wrong tenant.", "issue"),
        ("Spent the afternoon on the importer; parsing works, mapping is still open.", "session"),
        ("Early physiotherapy shortens recovery after knee surgery, three trials found.", "claim"),
        ("To rotate the key: create a new one, deploy it everywhere, then revoke the old one.", "procedure"),
        ("It turned out that most of the latency was DNS.", "insight"),
        ("Remember to call Anna about the keys!", "general"),
    ],
)
def test_the_wording_of_a_note_tells_its_kind(desk: Desk, content: str, kind: str) -> None:
    """None of these has a keyword of its kind; where that is sure nobody is asked, but of what others would join."""
    captured = desk.add(content)
    found = captured.classification
    assert (captured.node.kind, found.kind, found.method) == (kind, kind, "wording")
    asked = any(each.kind is SuggestionKind.CLASSIFICATION for each in captured.suggestions)
    assert asked == (kind == "session" or not found.confident)


def test_vectors_of_another_model_say_nothing_of_the_kind(desk: Desk) -> None:
    """Nothing was learned with them: the wording alone is weighed, as of a text that has no passages."""
    node = desk.add("Kafka over RabbitMQ, since we need replay.").node
    (passages,) = embed((node,), desk.embedder)
    request = CaptureRequest(content=node.content)
    theirs = Classifier(store=desk.store, embedder=_Renamed(desk.embedder))
    ours = Classifier(store=desk.store, embedder=desk.embedder)
    assert theirs.classify(request, passages) == theirs.classify(request, ()) == ours.classify(request, ())
    assert ours.classify(request, passages) != ours.classify(request, ())


def test_of_another_language_the_wording_tells_nothing(desk: Desk) -> None:
    """It was learned from English; keywords count all the same."""
    captured = desk.add("Wir haben uns für PostgreSQL entschieden, weil das Team es kennt.")
    assert (captured.node.kind, captured.classification.method) == ("concept", "keywords")
    assert desk.add("Der ADR zum Context, mit der Option und der Alternative.").classification.confident


def test_an_unsure_classification_sets_a_review_item_and_no_status(desk: Desk) -> None:
    """With the share that speaks for it, and what it could be too."""
    captured = desk.add("Imports are sorted by the tool.")
    found = captured.classification
    assert not found.confident
    assert captured.node.status is Status.ACTIVE
    (item,) = captured.suggestions
    assert item.kind is SuggestionKind.CLASSIFICATION
    assert item.proposal == {"kind": {"id": captured.node.id, "kind": captured.node.kind}}
    others = ", ".join(kind for kind, _ in found.alternatives)
    assert f"was taken for a {found.kind}, {found.confidence:.0%} sure. It could also be: {others}." in item.summary


def test_where_nothing_tells_the_kind_no_share_of_sureness_is_told(desk: Desk) -> None:
    """But what it could be; the item stays one that can be accepted."""
    captured = desk.add("Retries back off from 200 ms.")
    found = captured.classification
    assert (found.kind, found.confident) == ("concept", False)
    assert found.confidence < 0.05
    (item,) = [each for each in captured.suggestions if each.kind is SuggestionKind.CLASSIFICATION]
    others = ", ".join(kind for kind, _ in found.alternatives)
    assert item.summary == (
        f"«{captured.node.title}» was taken for a concept: too little in its words tells its kind. "
        f"It could also be: {others}."
    )


def test_an_explicit_kind_is_sure_and_leaves_the_nodes_confidence_alone(desk: Desk) -> None:
    """A claim is as sure as it is said, anything else 0.8, and what is given wins over both."""
    claim = desk.add("Water boils at ninety degrees on this mountain.", kind="Claim")
    fix = desk.add("Restart the relay after an upgrade.", kind="fix")
    given = desk.add("The third gear slips in winter.", kind="claim", confidence=0.3)
    assert claim.classification.method == "explicit"
    assert (claim.classification.confidence, claim.node.confidence) == (0.95, 1.0)
    assert fix.node.confidence == 0.8
    assert given.node.confidence == 0.3


def test_the_very_same_text_is_answered_with_the_node_that_holds_it(desk: Desk) -> None:
    """White space apart, a repetition writes nothing."""
    first = desk.add("Backups run at two in the morning.", kind="claim").node
    before = desk.measure()
    again = desk.add("Backups run  at two\nin the morning.", kind="procedure")
    assert again.existing
    assert (again.node.id, again.batch) == (first.id, "")
    assert desk.measure() == before
    told = again.classification
    assert (told.kind, told.confidence, told.confident, told.method) == ("claim", 1.0, True, "existing")


def test_the_same_text_under_another_title_or_in_another_ontology_is_another_node(desk: Desk) -> None:
    """A title that is given on purpose tells apart; without one, the text decides."""
    first = desk.add("See the runbook.", title="Fix for the gateway", kind="fix").node
    other = desk.add("See the runbook.", title="Fix for the mailer", kind="fix")
    elsewhere = desk.add("See the runbook.", kind="fix", ontology="archive")
    untitled = desk.add("See the runbook.", kind="fix")
    assert not other.existing
    assert not elsewhere.existing
    assert untitled.existing
    assert untitled.node.id == first.id


def test_a_wish_on_a_text_that_is_there_already_relates_the_node_that_holds_it(desk: Desk) -> None:
    """No second node is made, and no wish is dropped; repeated, it writes nothing."""
    first = desk.add("Backups run at two in the morning.", kind="claim").node
    target = desk.add("Violins are made of spruce.", kind="claim").node
    wish = RelationWish(type="supersedes", target=target.id, reasoning="newer")
    again = desk.add("Backups run at two in the morning.", relations=(wish,))
    assert (again.existing, again.node.id) == (True, first.id)
    assert [(each.source, each.target, each.type) for each in desk.store.relations((first.id,))] == [
        (first.id, target.id, "supersedes")
    ]
    assert desk.node(target.id).status is Status.SUPERSEDED
    before = desk.measure()
    assert desk.add("Backups run at two in the morning.", relations=(wish,)).batch == ""
    assert desk.measure() == before


def test_a_wish_may_say_what_the_other_is_to_the_new_node(desk: Desk) -> None:
    """The label seen from the other end turns the relation round; asked for both ways it is made once."""
    other = desk.add("Backups ran at two in the morning all year.", kind="claim").node
    wishes = (
        RelationWish(type="Supported by", target=other.id, reasoning="counted"),
        RelationWish(type="supported_by", target=other.title),
    )
    made = desk.add("Nobody is disturbed by backups.", kind="claim", relations=wishes)
    stated = [(each.source, each.target, each.type) for each in made.relations if each.reasoning == "counted"]
    assert stated == [(other.id, made.node.id, "supports")]
    assert made.titles[other.id] == other.title
    held = desk.store.relations((made.node.id,))
    assert (other.id, made.node.id, "supports") in {(each.source, each.target, each.type) for each in held}
    assert not {each.id for each in made.differing} & {other.id}


@pytest.mark.parametrize("type_", ["superseded_by", "is wider than"])
def test_what_no_wish_can_say_is_refused_before_anything_is_written(desk: Desk, type_: str) -> None:
    """A new node is not there to be marked by what takes its place."""
    other = desk.add("Backups run at two in the morning.", kind="claim").node
    before = desk.measure()
    with pytest.raises(InvalidArgument):
        desk.add("Backups run at noon.", relations=(RelationWish(type=type_, target=other.id),))
    assert desk.measure() == before


def test_a_forgotten_text_can_be_captured_again(desk: Desk) -> None:
    """What left the graph does not stand in the way."""
    first = desk.add("The vault key is kept in the safe.", kind="claim").node
    desk.capture.forget(first.id, desk.call(), confirm=True)
    again = desk.add("The vault key is kept in the safe.", kind="claim")
    assert not again.existing
    assert again.node.id != first.id


def test_wished_relations_are_written_with_the_node(desk: Desk) -> None:
    """Targets are named as people name them; the same wish twice is one relation."""
    target = desk.add("Tokens are signed with RS256.", title="Token signing", kind="decision").node
    wishes = (
        RelationWish(type="Depends-On", target="token signing", reasoning="it checks the signature"),
        RelationWish(type="depends_on", target=target.id),
    )
    captured = desk.add("The gate opens for valid callers.", title="Gate", kind="component", relations=wishes)
    wished = [relation for relation in captured.relations if relation.origin is Origin.MANUAL]
    assert [(each.source, each.target, each.type) for each in wished] == [(captured.node.id, target.id, "depends_on")]
    assert wished[0].reasoning == "it checks the signature"
    assert set(captured.relations) == set(desk.store.relations((captured.node.id,)))
    assert {change.batch for change in desk.log.history(wished[0].id, limit=5)} == {captured.batch}


def test_a_symmetric_wish_is_stored_in_the_order_of_ids(desk: Desk) -> None:
    """A relation without direction is held once."""
    older = desk.add("Ships carry containers.", kind="claim").node
    captured = desk.add(
        "Violins are made of spruce.", kind="claim", relations=(RelationWish(type="RELATED_TO", target=older.id),)
    )
    (relation,) = captured.relations
    assert (relation.source, relation.target, relation.type) == (older.id, captured.node.id, "relates_to")


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        (RelationWish(type="uses", target="Nowhere"), NotFound),
        (RelationWish(type="uses", target="Twin"), Ambiguous),
        (RelationWish(type='uses"] DROP', target="Twin"), InvalidArgument),
    ],
)
def test_a_wish_that_cannot_be_met_writes_nothing(desk: Desk, wish: RelationWish, error: type[Exception]) -> None:
    """A bad target or type fails the whole capture."""
    for text in ("The first of two.", "The second of two."):
        desk.add(text, title="Twin", kind="claim")
    before = desk.measure()
    with pytest.raises(error):
        desk.add("Something with a wish.", relations=(wish,))
    assert desk.measure() == before


def test_superseding_on_capture_marks_the_older_node_in_the_same_batch(desk: Desk) -> None:
    """Relation, status and both times are one transaction."""
    old = desk.add("We deploy on Fridays.", title="Friday deploys", kind="decision").node
    new = desk.add(
        "We deploy on Mondays.",
        title="Monday deploys",
        kind="decision",
        relations=(RelationWish(type="supersedes", target=old.id, reasoning="quiet weekends"),),
    )
    stands = desk.node(old.id)
    assert (stands.status, stands.version) == (Status.SUPERSEDED, 2)
    assert stands.modified_at == new.node.modified_at
    assert desk.log.history(old.id, limit=1)[0].batch == new.batch


def test_a_near_duplicate_is_told_and_offered_for_merging(desk: Desk) -> None:
    """The older one would be kept."""
    old = desk.add("The build server restarts every night at two o'clock.", kind="claim").node
    new = desk.add("The build server restarts each night at two o'clock.", kind="claim")
    (twin,) = new.near_duplicates
    assert (twin.id, twin.similarity >= 0.95) == (old.id, True)
    item = next(each for each in new.suggestions if each.kind is SuggestionKind.DUPLICATE)
    assert item.proposal == {"merge": {"keep": old.id, "merge": new.node.id}}


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("This replaces ADR-3.", {"relate"}),
        ("See ADR-3.", {"merge"}),
        ("This replaces ADR-4.", {"merge"}),
    ],
)
def test_what_says_that_it_takes_the_place_of_a_text_is_not_offered_for_merging_into_it(
    desk: Desk, said: str, asked: set[str]
) -> None:
    """It is expected to repeat it; merged, what holds now would be the older."""
    text = "The build server restarts every night at two o'clock, after the last of the jobs has ended."
    old = desk.add(text, kind="decision", title="ADR-3: Restarts").node
    new = desk.add(f"{text.replace('every', 'each')} {said}", kind="decision", title="ADR-7: Nightly restarts")
    assert {name for each in new.suggestions for name in each.proposal} == asked
    assert [each.id for each in new.near_duplicates] == ([old.id] if asked == {"merge"} else [])


@pytest.mark.parametrize(("named", "asked"), [("ADR-3", True), ("the other", False)])
def test_of_numbered_records_the_like_of_titles_tells_a_replacement_where_one_names_the_other(
    desk: Desk, named: str, *, asked: bool
) -> None:
    """«Replaces» may be said of anything; who takes the place of a record calls it by its number."""
    old = desk.add(
        "The build server restarts every night.", kind="decision", title="ADR-3: Restarts of the build server"
    )
    text = f"Runners come and go with each job, unlike in {named}. A pool replaces the single machine."
    new = desk.add(text, kind="decision", title="ADR-7: Restarts of the build server")
    types = {(each.proposal["relate"]["type"], each.subjects) for each in new.suggestions if "relate" in each.proposal}
    assert (("supersedes", (new.node.id, old.node.id)) in types) is asked


@pytest.mark.parametrize(
    "other",
    [
        "A woman is slicing a big onion in the kitchen.",
        "A young woman is cutting a large onion in the kitchen.",
    ],
    ids=["synonyms", "a word more"],
)
def test_synonyms_or_a_word_more_make_a_near_duplicate(desk: Desk, other: str) -> None:
    """People say that both say the same; which of the two is kept is theirs to decide."""
    old = desk.add("A woman is cutting a large onion in the kitchen.", kind="claim").node
    new = desk.add(other, kind="claim")
    assert [twin.id for twin in new.near_duplicates] == [old.id]
    assert not new.existing


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ("The team knows Postgres well, which is why we picked it.", True),
        ("The team knows Postgres well, which is why others picked MySQL.", False),
    ],
    ids=["a rewording", "another matter"],
)
def test_what_differs_in_places_is_a_near_duplicate_where_each_says_the_other(
    desk: Desk, other: str, *, told: bool
) -> None:
    """No two of its words stand for one another; it takes a reader to see it."""
    old = desk.add("We chose Postgres because the team knows it well.").node
    new = desk.add(other)
    assert [twin.id for twin in new.near_duplicates] == [old.id] * told
    assert not new.existing


@pytest.mark.parametrize(("beyond", "told"), [(0.70, True), (0.85, False)])
def test_what_no_rule_names_is_read_where_it_stands_out(desk: Desk, beyond: float, *, told: bool) -> None:
    """Among notes of one form all are as near, and each reading would cost milliseconds for nothing."""
    call = desk.call()
    new = desk.add("The release manager is Clara.").node
    near = [
        Neighbour(node=node, similarity=similarity, passage=node.content, own_passage=new.content)
        for node, similarity in zip(
            [desk.add(f"The release manager is {name}.").node for name in ("Hugo", "Ida", "Jan", "Kim")],
            (0.92, 0.90, 0.88, beyond),
            strict=True,
        )
    ]
    judge = Seconded(ENTAILMENT)
    found = differing(compare(new, near, call, judge=judge), judge=judge)
    assert bool(found.differing) == told


def test_another_word_in_one_place_is_no_near_duplicate(desk: Desk) -> None:
    """The twin of the one before: however alike the two are."""
    desk.add("A woman is cutting a large onion in the kitchen.", kind="claim")
    new = desk.add("A woman is cutting a large potato in the kitchen.", kind="claim")
    assert not new.near_duplicates


def test_the_opposite_of_a_text_is_a_conflict_and_no_duplicate(desk: Desk) -> None:
    """Likeness is not agreement: nothing is related by itself, the conflict waits for a decision."""
    old = desk.add("The cost of self-attention is quadratic in sequence length.", kind="claim").node
    new = desk.add("The cost of self-attention is linear in sequence length.", kind="claim")
    (side,) = new.conflicts
    assert (side.node.id, side.verdict) == (old.id, "conflicts")
    assert side.grounds
    assert not new.near_duplicates
    item = next(each for each in new.suggestions if each.kind is SuggestionKind.CONFLICT)
    assert item.proposal["relate"]["type"] == "contradicts"
    assert not [each for each in new.relations if each.type == "contradicts"]


def test_a_conflict_that_the_caller_states_is_not_suggested_again(desk: Desk) -> None:
    """It is told all the same."""
    old = desk.add("The cost of self-attention is quadratic in sequence length.", kind="claim").node
    wish = RelationWish(type="contradicts", target=old.id, reasoning="measured")
    new = desk.add("The cost of self-attention is linear in sequence length.", kind="claim", relations=(wish,))
    assert [side.node.id for side in new.conflicts] == [old.id]
    assert not [each for each in new.suggestions if each.kind is SuggestionKind.CONFLICT]


def test_a_conflict_with_what_the_capture_replaces_is_told_as_it_stands_now(desk: Desk) -> None:
    """Superseded, so that nobody is asked whether to supersede it."""
    old = desk.add("The upstream timeout is 5 seconds.", kind="decision").node
    wish = RelationWish(type="supersedes", target=old.id, reasoning="tuned")
    new = desk.add("The upstream timeout is 10 seconds.", kind="decision", relations=(wish,))
    assert [(side.node.id, side.node.status) for side in new.conflicts] == [(old.id, Status.SUPERSEDED)]


POOL = "The connection pool holds 20 connections."
POOL_NOW = "The connection pool holds 40 connections per pod now."


@pytest.mark.parametrize(("type_", "told"), [("supports", 0), ("supersedes", 0), ("contradicts", 0), ("relates_to", 1)])
def test_what_the_caller_relates_is_told_to_differ_only_where_the_type_says_nothing(
    desk: Desk, type_: str, told: int
) -> None:
    """Whoever says that one supports another has read both; that the two belong together explains no other number."""
    old = desk.add(POOL, kind="configuration").node
    assert [side.node.id for side in desk.add(POOL_NOW, kind="configuration", title="Unrelated").differing] == [old.id]
    wish = RelationWish(type=type_, target=old.id, reasoning="measured")
    new = desk.add(f"{POOL_NOW} Says Bo.", kind="configuration", relations=(wish,))
    assert [side.node.id for side in new.differing].count(old.id) == told


@pytest.mark.parametrize(
    ("trouble", "remedy"),
    [
        ("The build fails on CI with exit code 137.", "The build no longer fails on CI with exit code 137."),
        ("The deploy job times out after 10 minutes.", "The deploy job times out after 30 minutes now."),
    ],
)
def test_a_fix_neither_differs_from_the_error_that_it_solves_nor_contradicts_it(
    desk: Desk, trouble: str, remedy: str
) -> None:
    """It is expected to say otherwise; the twin of the same words and no such kind is told."""
    old = desk.add(trouble, title="Trouble", kind="error").node
    fix = desk.add(remedy, title="Remedy", kind="fix")
    assert [(each.type, each.target) for each in fix.relations] == [("solves", old.id)]
    assert not fix.differing
    assert not fix.conflicts
    assert not [each for each in fix.suggestions if each.kind is SuggestionKind.CONFLICT]
    claim = desk.add(f"{remedy} So it is.", title="A claim", kind="claim")
    assert old.id in {side.node.id for side in (*claim.differing, *claim.conflicts)}


def test_what_clashes_about_other_things_is_not_told_to_differ(desk: Desk) -> None:
    """Nobody is asked whether an outage takes the place of a decision; the twin gives another timeout.

    Of 47 minutes down and 2 seconds of patience both can hold.
    """
    text = "The HTTP timeout of the checkout service is raised to 10 seconds because of slow payment providers."
    old = desk.add(text, title="Raise the HTTP timeout to 10 seconds", kind="decision").node
    outage = desk.add(
        "On 3 March the payment gateway slowed down, all checkout clients retried at once, "
        "and the checkout service was down for 47 minutes.",
        title="Checkout outage of 3 March",
        kind="issue",
    )
    assert not outage.differing
    twin = desk.add("Since May the HTTP timeout of the checkout service is 2 seconds.")
    assert [side.node.id for side in (*twin.differing, *twin.conflicts)] == [old.id]


def test_what_is_fixed_does_not_contradict_its_fix(desk: Desk) -> None:
    """Trouble tells how things were; the twin is a claim in the same words, and does."""
    trouble = "The container is killed during the npm build, since the builder has 1 GB of memory."
    remedy = "The container is not killed during the npm build any more, since the builder has 4 GB of memory."
    desk.add(trouble, title="Deploy fails", kind="issue")
    assert not desk.add(remedy, title="Give the builder 4 GB", kind="solution").conflicts
    desk.capture.capture(CaptureRequest(content=trouble, title="Killed", kind="claim"), desk.call())
    twin = desk.add(f"{remedy} So it is.", title="Alive", kind="claim")
    assert [side.node.title for side in twin.conflicts] == ["Killed"]


def test_a_decision_that_is_taken_to_build_on_a_solution_is_told_the_other_number(desk: Desk) -> None:
    """A rule that goes by kinds and likeness has not read the numbers."""
    old = desk.add(POOL, title="Pool", kind="solution").node
    new = desk.add("The connection pool holds 40 connections now.", title="Pool of forty", kind="decision")
    assert [each.type for each in new.relations] == ["builds_on"]
    assert [side.node.id for side in (*new.differing, *new.conflicts)] == [old.id]


def test_agreement_and_strangers_are_no_conflict(desk: Desk) -> None:
    """The twin of the conflict's test: nothing is found where nothing is."""
    desk.add("The cost of self-attention is quadratic in sequence length.", kind="claim")
    desk.add("Herring migrate north in spring.", kind="claim")
    new = desk.add("Self-attention takes time quadratic in the length of the sequence.", kind="claim")
    assert not new.conflicts


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"content": " \n\t"}, "content is empty"),
        ({"content": "\u200b\u2060"}, "content is empty"),
        ({"content": "x" * 100_001}, "content is too long"),
        ({"content": "ok", "title": "t" * 201}, "title is too long"),
        ({"content": "ok", "kind": "poem"}, "kind"),
        ({"content": "ok", "channel": "pigeon"}, "channel"),
        ({"content": "ok", "confidence": 1.5}, "confidence"),
        ({"content": "ok", "importance": float("nan")}, "importance"),
        ({"content": "ok", "tags": tuple(map(str, range(51)))}, "tags"),
        ({"content": "ok", "tags": ("t" * 101,)}, "tags"),
        ({"content": "half \ud800 pair"}, "content"),
    ],
)
def test_a_value_out_of_bounds_is_refused_by_name_and_writes_nothing(
    desk: Desk, fields: dict[str, object], said: str
) -> None:
    """The message names the field."""
    with pytest.raises(InvalidArgument, match=said):
        desk.capture.capture(CaptureRequest(**fields), desk.call())
    assert desk.measure() == (0,) * 8


def test_invisible_and_control_characters_do_not_reach_the_graph(desk: Desk) -> None:
    """Stored text holds nothing that no reader sees."""
    node = desk.add("Visible\u202e text\x01 with\u200b tags\U000e0041.", tags=("on\u2066e",), kind="claim").node
    assert node.content == "Visible text with tags."
    assert node.tags == ("one",)


def test_a_reader_cannot_capture(desk: Desk, desk_of: Callable[[Tier], Desk]) -> None:
    """The engine refuses, whatever code asks; a contributor may."""
    with pytest.raises(PermissionDenied):
        desk_of(Tier.READER).add("Nothing of this is kept.")
    assert desk.measure()[0] == 0
    assert desk_of(Tier.CONTRIBUTOR).add("This is kept.").batch


def test_a_long_text_is_kept_whole_and_found_by_its_end(desk: Desk) -> None:
    """Passages cover the text."""
    filler = "The weather in the harbour was calm and nobody spoke of it again. " * 60
    node = desk.add(f"{filler}The parser backtracks exponentially on nested brackets.", kind="issue").node
    vector = desk.embedder.embed(["parser backtracking on nested brackets"])[0]
    from weft.model import Filter

    near = desk.vectors.nearest(vector, filter=Filter(), limit=1)[0]
    assert near.node == node.id
    assert "brackets" in node.content[near.start : near.end]


@pytest.mark.parametrize(
    ("known", "again"),
    [
        (
            "Connection pooling through PgBouncer reduced the number of open Postgres connections from 900 to 80.",
            "PgBouncer cut the open Postgres connections from 900 to 80.",
        ),
        (
            "We pin every GitHub Action to a commit hash rather than a tag, since tags can be moved.",
            "GitHub Actions are pinned to commit hashes and not to tags, because tags can be moved.",
        ),
        (
            "Invoices are stored in Postgres, not in MongoDB, because finance needs joins across customers.",
            "We store invoices in Postgres instead of MongoDB because finance needs to join across customers.",
        ),
    ],
)
def test_a_note_that_is_said_again_does_not_differ_from_itself(desk: Desk, known: str, again: str) -> None:
    """A network that had seen whole notes only beside those that they clash with took every note for a clash."""
    desk.add(known)
    captured = desk.add(again)
    assert (captured.conflicts, captured.differing) == ((), ())


def test_a_note_of_the_same_form_on_another_subject_does_not_differ(desk: Desk) -> None:
    """They are as alike as a note and its opposite."""
    desk.add("Minutes 12 May: Priya takes over the payments team from Tom as of June. Tom moves to platform.")
    captured = desk.add("Minutes 12 May: Priya takes over the search team from Tom as of June. Tom moves to platform.")
    assert (captured.conflicts, captured.differing, captured.near_duplicates) == ((), (), ())


def test_what_has_the_same_words_in_other_places_is_not_offered_for_merging(desk: Desk) -> None:
    """The network reads what the words in their order say."""
    desk.add("The export endpoint pages with cursors; offset parameters are ignored.")
    swapped = desk.add("The export endpoint pages with offset parameters; cursors are ignored.")
    assert swapped.near_duplicates == ()
    moved = desk.add("Offset parameters are ignored; the export endpoint pages with cursors.")
    assert len(moved.near_duplicates) == 1
