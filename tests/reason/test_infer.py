"""The seven rules and the table of kinds: each fires on its minimal pair and not on its near miss."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.model import Node
from weft.reason.infer import RULES, infer
from weft.reason.pair import could_pair, pairs
from weft.vocabulary import KINDS, RELATION_TYPES

if TYPE_CHECKING:
    from weft.reason.finding import Finding

DAY_ONE = datetime(2026, 1, 1, tzinfo=UTC)
LATER = DAY_ONE + timedelta(days=1)


def node(id_: str = "a", **fields: object) -> Node:
    """Return a node with nothing on it but what is given."""
    bare = Node(
        id=id_,
        kind="concept",
        title=id_,
        content="",
        ontology="tests",
        created_at=DAY_ONE,
        created_by="ann",
        modified_at=DAY_ONE,
        modified_by="ann",
    )
    return replace(bare, **fields)


def found(new: Node, other: Node, rule: str = "") -> list[Finding]:
    """Return what the rules see between two nodes, of one rule or of all."""
    return [finding for finding in infer(new, [other]) if rule in ("", finding.rule)]


def only(new: Node, other: Node) -> Finding:
    """Return the one finding between two nodes."""
    (finding,) = infer(new, [other])
    return finding


# ---- rule 1


def test_shared_tags_suggest_a_relation_as_strong_as_their_share() -> None:
    """Three of ten tags are enough."""
    finding = only(node("a", tags=tuple("abcdef")), node("b", tags=tuple("defghij"[:7])))
    assert (finding.type, finding.action, finding.confidence) == ("relates_to", "suggest", 0.3)
    assert "d, e, f" in finding.reasoning


def test_too_few_shared_tags_suggest_nothing() -> None:
    """The near miss: three of eleven."""
    assert infer(node("a", tags=tuple("abcdef")), [node("b", tags=tuple("defghijk"))]) == ()


def test_tags_compare_whatever_their_case() -> None:
    """«Auth» is «auth»; empty tags are none."""
    assert only(node("a", tags=("Auth", "")), node("b", tags=("auth",))).confidence == 1.0
    assert infer(node("a", tags=("",)), [node("b", tags=("",))]) == ()


# ---- rule 2


def test_similar_titles_suggest_a_relation() -> None:
    """Two of five longer words are shared: 0.4, of which 0.9 is the confidence."""
    one, other = node("a", title="Cache warming for images"), node("b", title="Cache images before deployment")
    finding = only(one, replace(other, title="Cache images deployment plan"))
    assert (finding.type, finding.action, finding.confidence) == ("relates_to", "suggest", pytest.approx(0.36))


def test_titles_that_share_less_suggest_nothing() -> None:
    """The near miss: two of six."""
    one, other = node("a", title="Cache warming images"), node("b", title="Cache images early deployment plan")
    assert infer(one, [other]) == ()


def test_words_of_three_letters_do_not_make_titles_similar() -> None:
    """«the», «api» and «key» count for nothing, «keys» has four letters and does."""
    assert infer(node("a", title="The API key"), [node("b", title="The API key!")]) == ()
    assert only(node("a", title="API keys"), node("b", title="The keys")).confidence == 0.9


# ---- rule 3


def test_a_shared_file_makes_a_relation() -> None:
    """Spelt with ./ or backslashes or not."""
    finding = only(node("a", references=("src/auth.py", "x.md")), node("b", references=("./src\\auth.py",)))
    assert (finding.rule, finding.type, finding.action) == ("shared_files", "relates_to", "create")
    assert finding.confidence == 0.7
    assert "src/auth.py" in finding.reasoning


def test_files_of_one_folder_make_none() -> None:
    """The near miss."""
    assert infer(node("a", references=("src/auth.py",)), [node("b", references=("src/auth_test.py",))]) == ()


# ---- rule 4

DECISION = node("d", kind="decision", title="Use signed tokens for authentication")


def test_a_component_that_speaks_of_a_decision_implements_it() -> None:
    """Two words of the decision's title stand in the component's text; either may be the new one."""
    component = node("c", kind="component", title="Gateway", content="Checks tokens during authentication.")
    for new, other in [(component, DECISION), (DECISION, component)]:
        finding = only(new, other)
        assert (finding.source_id, finding.type, finding.target_id) == ("c", "implements", "d")
        assert (finding.confidence, finding.action) == (0.75, "create")


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("component", "Checks tokens."),
        ("component", "Checks tokenization and authenticationless calls with tokens."),
        ("component", "It was made for use with them, in authentication."),
        ("pattern", "Checks tokens during authentication."),
    ],
)
def test_one_word_or_another_kind_implements_nothing(kind: str, content: str) -> None:
    """The near misses: one word, words inside words, function words, or no component."""
    assert infer(node("c", kind=kind, content=content), [DECISION]) == ()


@pytest.mark.parametrize(
    ("title", "content"),
    [
        ("Die Sicherung wird über einen Dienst geschrieben", "Der Ordner wird über einen Link mit anderen geteilt."),
        ("Le cache est vidé avec cette tâche dans la nuit", "Cette page est montrée avec les autres dans la liste."),
        ("La caché se vacía cuando termina esta tarea", "Cuando llega una carta, esta se guarda."),
    ],
)
def test_function_words_of_other_languages_implement_nothing(title: str, content: str) -> None:
    """Two words that mean something do, in any language; the decision's text tells which language it is."""
    decision = node("d", kind="decision", title=title)
    assert infer(node("c", kind="component", content=content), [decision]) == ()
    (finding,) = infer(node("c", kind="component", content=f"{content} {title}"), [decision])
    assert finding.type == "implements"


@pytest.mark.parametrize(
    ("title", "name"),
    [("Do not use {}", "MongoDB"), ("Adopt {}", "OpenTelemetry"), ("Move to {}", "Next.js"), ("Rename {}", "used_at")],
)
def test_a_name_made_of_several_words_is_one_keyword(title: str, name: str) -> None:
    """Its parts do not count beside it; another word of the title does."""
    component = node("c", kind="component", content=f"The reporting job is older than {name}.")
    decision = node("d", kind="decision", title=title.format(name))
    assert infer(component, [decision]) == ()
    finding = only(component, replace(decision, title=f"{decision.title} for reporting"))
    assert (finding.type, dict(finding.scores)["shared_keywords"]) == ("implements", 2.0)


@pytest.mark.parametrize(
    ("title", "content"),
    [
        ("Print receipts with CUPS", "The till does not print and knows no CUPS."),
        ("Print receipts with CUPS", "Keeps no receipts and has nothing to do with CUPS."),
        ("Store letters in MongoDB", "Keeps letters in files, without MongoDB."),
        ("Store letters in MongoDB", "Keeps letters in files instead of MongoDB."),
        ("Invoices expire after 14 hours", "Numbers invoices, and is restarted after 20 hours."),
        ("Letters may weigh 20 kilograms", "Prints letters on rolls of five kilograms."),
        ("Keep the journal below 200 megabytes", "Keeps up to 30 megabytes in memory."),
    ],
)
def test_what_is_denied_and_the_unit_of_a_figure_implement_nothing(title: str, content: str) -> None:
    """Words count where they are said, and units stand in every text with figures."""
    decision = node("d", kind="decision", title=title)
    assert infer(node("c", kind="component", content=content), [decision]) == ()


@pytest.mark.parametrize(
    ("title", "content"),
    [
        ("Store letters in MongoDB", "It holds no receipts. Letters lie in MongoDB."),
        ("Store letters in MongoDB", "Keeps no files and stores letters in MongoDB."),
        ("Store letters in MongoDB", "Not all letters lie in MongoDB."),
        ("Store letters in MongoDB", "Prints no letters. Letters lie in MongoDB."),
        ("Never print passwords in letters", "It prints no passwords in letters."),
    ],
)
def test_a_denial_of_something_else_or_of_what_the_decision_denies_hinders_nothing(title: str, content: str) -> None:
    """In another clause, in part, of one place of two, or by both."""
    component = node("c", kind="component", content=content)
    assert only(component, node("d", kind="decision", title=title)).type == "implements"


def test_a_document_that_opens_with_a_denial_of_the_decision_is_not_asked_about() -> None:
    """It holds all of the decision's words."""
    content = f"It does not check signed tokens for authentication. {PAGES}"
    assert infer(node("c", kind="component", title="Gateway", content=content), [DECISION]) == ()


PAGES = "It keeps what the desk was told and answers from it. " * 40


@pytest.mark.parametrize(
    ("title", "content"),
    [
        ("Gateway", f"{PAGES} It checks signed tokens during authentication."),
        ("Gateway", f"It checks tokens during authentication. {PAGES} Whatever is signed passes."),
        ("Gateway", f"It checks tokens during authentication. {PAGES}"),
    ],
    ids=["on a later page", "one word on a later page", "not all of them"],
)
def test_two_words_of_a_title_somewhere_in_a_document_implement_nothing(title: str, content: str) -> None:
    """In a text of pages they stand by chance."""
    assert infer(node("c", kind="component", title=title, content=content), [DECISION]) == ()


@pytest.mark.parametrize(
    ("title", "content"),
    [
        ("Gateway", f"It checks signed tokens during authentication. {PAGES}"),
        ("Authentication gateway", f"It checks signed tokens. {PAGES}"),
    ],
    ids=["in its opening", "in its title too"],
)
def test_a_document_that_opens_with_all_of_a_decision_is_asked_about(title: str, content: str) -> None:
    """Its title counts, as part of the opening; from a lower floor on it is made, like any other."""
    component = node("c", kind="component", title=title, content=content)
    finding = only(component, DECISION)
    assert (finding.type, finding.confidence, finding.action) == ("implements", 0.6, "suggest")
    (made,) = infer(component, [DECISION], floor=0.5)
    assert made.action == "create"


def test_from_a_kind_that_was_guessed_nothing_is_concluded() -> None:
    """Neither end's, where a rule rests on both; a session's own kind counts, not that of what was written in it."""
    component = node("c", kind="component", title="Gateway", content="Checks tokens during authentication.")
    for guessed in ("c", "d"):
        assert infer(component, [DECISION], doubted=frozenset({guessed})) == ()
    written, session = node("w", kind="claim", session="monday"), node("s", kind="session", session="monday")
    assert infer(written, [session], doubted=frozenset({"s"})) == ()
    assert [finding.type for finding in infer(written, [session], doubted=frozenset({"w"}))] == ["derived_from"]


# ---- rule 5

OLD = node("old", kind="decision", title="Session tokens stored in Redis")
NEW = node(
    "new", kind="decision", title="Session tokens stored in Postgres", content="This replaces it.", created_at=LATER
)


def test_a_newer_node_that_says_so_supersedes_a_similar_older_one() -> None:
    """Suggested only, from new to old, whichever is looked at first."""
    for new, other in [(NEW, OLD), (OLD, NEW)]:
        (finding,) = found(new, other, "supersession")
        assert (finding.source_id, finding.type, finding.target_id) == ("new", "supersedes", "old")
        assert (finding.confidence, finding.action) == (0.85, "suggest")
        assert "replaces" in finding.reasoning


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "component"},
        {"title": "Session cookies live in Postgres"},
        {"content": "The old driver is obsolete."},
        {"content": "It is irreplaceable."},
        {"created_at": DAY_ONE - timedelta(days=1)},
    ],
)
def test_another_kind_title_wording_or_order_supersedes_nothing(changes: dict[str, object]) -> None:
    """The near misses: each lacks one thing."""
    assert found(replace(NEW, **changes), OLD, "supersession") == []


@pytest.mark.parametrize("word", ["Supersedes", "replaces", "obsoletes", "DEPRECATES"])
def test_all_four_words_speak_of_superseding(word: str) -> None:
    """Whatever their case."""
    assert found(replace(NEW, content=f"{word} the former."), OLD, "supersession")


# ---- rule 6


@pytest.mark.parametrize("stamp", ["monday", "s", "a-handle"])
def test_a_node_of_a_session_derives_from_it_whichever_came_first(stamp: str) -> None:
    """Joined on the session's name, its id or its handle."""
    session = node("s", kind="session", session="monday", handles=("a-handle",))
    written = node("n", session=stamp)
    for new, other in [(session, written), (written, session)]:
        finding = only(new, other)
        assert (finding.source_id, finding.type, finding.target_id) == ("n", "derived_from", "s")
        assert (finding.confidence, finding.action) == (1.0, "create")


def test_nodes_without_a_session_or_of_another_derive_from_nothing() -> None:
    """The near misses: no stamp on either side, another stamp, no session node, two session nodes."""
    session = node("s", kind="session", session="monday")
    assert infer(node("n"), [replace(session, session="")]) == ()
    assert infer(node("n", session="tuesday"), [session]) == ()
    assert infer(node("n", session="monday"), [node("m", session="monday")]) == ()
    assert infer(node("n", kind="session", session="monday"), [session]) == ()


# ---- rule 7

REDIS = node("r", title="Redis Cluster", aliases=("RC",))


@pytest.mark.parametrize(
    "content",
    [
        "It uses Redis Cluster.",
        "The queue depends on the  redis\ncluster for its locks",
        "Requires `Redis Cluster`!",
        "uses [[Redis Cluster]]",
        "It uses RC.",
    ],
)
def test_a_text_that_says_it_needs_another_depends_on_it(content: str) -> None:
    """Uses, depends on, requires; with an article, marks, line breaks or an alias."""
    queue = node("q", title="Queue", content=content)
    for new, other in [(queue, REDIS), (REDIS, queue)]:
        finding = only(new, other)
        assert (finding.source_id, finding.type, finding.target_id) == ("q", "depends_on", "r")
        assert (finding.confidence, finding.action) == (0.8, "create")


@pytest.mark.parametrize(
    "content",
    [
        "Redis Cluster is fast.",
        "It uses Redis Clusterware.",
        "It reuses Redis Cluster.",
        "It no longer uses Redis Cluster.",
        "It never requires the Redis Cluster.",
        "It uses arc lamps.",
        "It uses a faster Redis Cluster.",
    ],
)
def test_a_mere_mention_a_longer_word_or_a_denial_depends_on_nothing(content: str) -> None:
    """The near misses."""
    assert infer(node("q", content=content), [REDIS]) == ()


VALKEY = node("v", title="Valkey")


def needs(title: str, content: str) -> bool:
    """Return whether a component of this title and text depends on Valkey."""
    return bool(found(node("m", kind="component", title=title, content=content), VALKEY, "dependency"))


@pytest.mark.parametrize(
    "content",
    [
        "The mailer always uses Valkey.",
        "The mailer in front of the shop uses Valkey.",
        "This service requires Valkey.",
        "Its outbox depends on Valkey.",
        "Sends letters, keeps receipts and uses Valkey for both.",
        "The mailer keeps no letters and uses Valkey.",
        "The mailer, which uses Valkey, is small.",
        "It is a daemon that uses Valkey for locks.",
        "At night the mailer uses Valkey.",
        "Unlike the printer, it uses Valkey.",
        "The printer is slow; the mailer uses Valkey.",
        "To stay small, the mailer forgets letters and uses Valkey.",
        "# Mailer\nUses Valkey.",
        "It does\n- send letters\n- requires Valkey",
        "It uses Valkey to remove doubles.",
        "It uses Valkey, which replaces a file.",
        "It uses «Valkey».",
        'The "mailer" uses "Valkey" for locks.',
    ],
)
def test_a_verb_whose_subject_is_the_node_itself_says_what_it_needs(content: str) -> None:
    """A word of its title, «it», «this», a part of it, or no subject at all."""
    assert needs("Mailer", content)


@pytest.mark.parametrize(
    "content",
    [
        "The printer uses Valkey, the mailer does not.",
        "Unlike the printer, which uses Valkey, the mailer writes to disk.",
        "The mailer is small and the printer uses Valkey.",
        "The printer feeds the mailer and uses Valkey.",
        "The mailer waits for the printer, which uses Valkey.",
        "The mailer printer uses Valkey.",
        "The printer of the mailer uses Valkey.",
        "The old mailer uses Valkey.",
        "A line of its log:\n\n```\nThe mailer uses Valkey.\n```\n",
        "Printer: uses Valkey",
        "The billing service uses Valkey.",
    ],
)
def test_a_verb_with_another_subject_says_nothing_of_the_node(content: str) -> None:
    """Whether it stands beside the node's own name or without it."""
    assert not needs("Mailer", content)


@pytest.mark.parametrize(
    "content",
    [
        "If letters pile up, the mailer uses Valkey. Today it does not.",
        "Nobody knows whether it uses Valkey.",
        "Perhaps it uses Valkey.",
        "It is not true that the mailer uses Valkey.",
        "It neither writes to disk nor uses Valkey.",
        "It is no cache that uses Valkey.",
        "What in the mailer uses Valkey?",
        "It uses Valkey until March.",
        "The mailer uses Valkey, which we retire in March.",
        "The mailer uses Valkey and drops it in March.",
        "The mailer uses Valkey no longer.",
        "A sentence like «the mailer uses Valkey» is an example.",
        'Cy wrote: "It uses Valkey."',
        "Im Ticket steht „it uses Valkey“.",
    ],
)
def test_a_condition_a_denial_a_question_a_quotation_or_a_removal_depends_on_nothing(content: str) -> None:
    """In the sentence of the verb."""
    assert not needs("Mailer", content)


def test_what_removes_a_thing_does_not_depend_on_it() -> None:
    """Where its title says so; to remove something else is another matter."""
    assert not needs("Retire Valkey", "It still uses Valkey.")
    for title in ("Retire old letters", "Replace the file by Valkey", "Remove old letters from Valkey"):
        assert needs(title, "It uses Valkey.")


def test_a_title_of_function_words_is_never_depended_on() -> None:
    """«uses it» names nothing."""
    assert infer(node("q", content="It uses it."), [node("i", title="It")]) == ()


# ---- all rules together


def test_there_are_seven_rules_with_names_of_their_own_and_known_types() -> None:
    """One list, one row a rule."""
    assert len(RULES) == 7
    assert len({rule.name for rule in RULES}) == 7
    assert {rule.type for rule in RULES} <= set(RELATION_TYPES)


def test_under_the_floor_nothing_is_created() -> None:
    """At 0.8 the shared file of 0.7 is suggested, and the session of 1.0 still creates."""
    one = node("a", references=("x.py",), session="monday")
    files = infer(one, [node("b", references=("x.py",))], floor=0.8)
    assert [finding.action for finding in files] == ["suggest"]
    (derived,) = infer(one, [node("s", kind="session", session="monday")], floor=0.8)
    assert derived.action == "create"


def test_one_finding_a_pair_and_type_and_the_one_that_creates_wins() -> None:
    """All tags shared would be surer, but a shared file may act."""
    one = node("a", tags=("x",), references=("x.py",))
    assert only(one, replace(one, id="b", title="other")).rule == "shared_files"


def test_several_types_may_join_one_pair() -> None:
    """A component that implements a decision and depends on it has two relations."""
    component = node(
        "c", kind="component", content="Uses Signed tokens for authentication. Signed tokens in authentication."
    )
    decision = replace(DECISION, title="Signed tokens for authentication")
    assert {finding.type for finding in infer(component, [decision])} == {"implements", "depends_on"}


WORLD = (
    "auth",
    "redis",
    "cluster",
    "uses",
    "requires",
    "replaces",
    "session",
    "monday",
    "token",
    "tokens",
    "cache",
    "x",
)
words = st.sampled_from(WORLD)
texts = st.lists(words, max_size=6).map(" ".join)


@st.composite
def nodes(draw: st.DrawFn) -> Node:
    """Draw nodes from a small world, so that rules do fire."""
    return node(
        draw(st.sampled_from("abcdefgh")),
        kind=draw(st.sampled_from(sorted(KINDS))),
        title=draw(texts) or "untitled",
        content=draw(texts),
        tags=tuple(draw(st.lists(words, max_size=3))),
        references=tuple(draw(st.lists(words, max_size=2))),
        session=draw(st.sampled_from(["", "monday", "a"])),
        created_at=DAY_ONE + timedelta(days=draw(st.integers(0, 3))),
    )


def lawful(finding: Finding) -> bool:
    """Whether a finding keeps the laws that hold for all of them."""
    symmetric = RELATION_TYPES[finding.type].symmetric
    return (
        finding.source_id != finding.target_id
        and (finding.source_id < finding.target_id or not symmetric)
        and 0.0 < finding.confidence <= 1.0
        and bool(finding.reasoning and finding.scores)
    )


@given(nodes(), st.lists(nodes(), max_size=5), st.floats(0.0, 1.0))
def test_the_rules_keep_their_laws(new: Node, others: list[Node], floor: float) -> None:
    """Never itself, confidence a share, reasons given, each end known, once a pair and type, twice the same answer."""
    findings = infer(new, others, floor=floor)
    assert all(lawful(finding) for finding in findings)
    assert all(new.id in (finding.source_id, finding.target_id) for finding in findings)
    keys = [(finding.source_id, finding.target_id, finding.type) for finding in findings]
    assert len(keys) == len(set(keys))
    assert findings == infer(new, others, floor=floor)


@given(nodes(), st.lists(nodes(), max_size=5), st.floats(0.0, 1.0))
def test_rules_that_suggest_never_create_and_nothing_is_created_under_the_floor(
    new: Node, others: list[Node], floor: float
) -> None:
    """Shared tags, similar titles and supersession wait for a decision, whatever the floor."""
    actions = {rule.name: rule.action for rule in RULES}
    for finding in infer(new, others, floor=floor):
        creates = actions[finding.rule] == "create" and finding.confidence >= floor
        assert finding.action == ("create" if creates else "suggest")


@given(nodes(), nodes())
def test_it_does_not_matter_which_node_came_first(one: Node, other: Node) -> None:
    """A target that arrives later is linked just the same."""
    assert infer(one, [other]) == infer(other, [one])


# ---- the table of kinds


def paired(new_kind: str, found_kind: str, similarity: float = 0.9) -> list[tuple[str, str, str]]:
    """Return (source, type, target) of what the table says of a new and a found node of these kinds."""
    new, other = node("new", kind=new_kind), node("found", kind=found_kind)
    return [
        (each.source_id, each.type, each.target_id) for each in pairs(new, [(other, similarity, False)], popularity={})
    ]


@pytest.mark.parametrize(
    ("new_kind", "found_kind", "expected"),
    [
        ("solution", "problem", ("new", "solves", "found")),
        ("fix", "error", ("new", "solves", "found")),
        ("fix", "issue", ("new", "solves", "found")),
        ("problem", "solution", ("found", "solves", "new")),
        ("error", "fix", ("found", "solves", "new")),
        ("decision", "solution", ("new", "builds_on", "found")),
        ("decision", "procedure", ("new", "builds_on", "found")),
        ("decision", "code_pattern", ("new", "builds_on", "found")),
        ("solution", "decision", ("new", "builds_on", "found")),
        ("configuration", "insight", ("new", "builds_on", "found")),
        ("procedure", "pattern", ("new", "builds_on", "found")),
        ("insight", "solution", ("new", "builds_on", "found")),
        ("insight", "decision", ("found", "relates_to", "new")),
        ("decision", "fix", ("found", "relates_to", "new")),
        ("claim", "component", ("found", "relates_to", "new")),
        ("general", "workflow", ("found", "relates_to", "new")),
    ],
)
def test_the_kinds_decide_type_and_direction(new_kind: str, found_kind: str, expected: tuple[str, str, str]) -> None:
    """Row by row; relates_to has no direction, so its ends are sorted."""
    assert paired(new_kind, found_kind) == [expected]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_nodes_of_one_kind_are_never_paired(kind: str) -> None:
    """However like they are."""
    assert paired(kind, kind, 1.0) == []


def test_no_pair_of_kinds_gives_requires_or_follows() -> None:
    """Nor anything else but the three."""
    every = {each[1] for one in KINDS for other in KINDS for each in paired(one, other)}
    assert every == {"solves", "builds_on", "relates_to"}


def test_the_floor_is_higher_for_what_merely_relates() -> None:
    """0.70 for what the kinds say something about, 0.80 for the rest; both bounds are inside."""
    assert paired("fix", "error", 0.70)
    assert not paired("fix", "error", 0.69)
    assert paired("claim", "component", 0.80)
    assert not paired("claim", "component", 0.79)


def test_similarity_is_the_strength_and_the_arrow_agrees_with_the_ends() -> None:
    """Also where the table turns the direction round."""
    new, other = node("new", kind="problem", title="It leaks"), node("found", kind="fix", title="Close the file")
    (finding,) = pairs(new, [(other, 0.83, False)], popularity={})
    assert finding.confidence == 0.83
    assert "Close the file → It leaks" in finding.reasoning
    (straight,) = pairs(other, [(new, 0.83, False)], popularity={})
    assert "Close the file → It leaks" in straight.reasoning


@pytest.mark.parametrize("guessed", ["new", "found"])
def test_of_guessed_kinds_the_table_only_asks_what_solves(guessed: str) -> None:
    """Whichever of the two was guessed; that two such texts are of different kinds, and so related, would be chance."""

    def said(new_kind: str, found_kind: str, similarity: float) -> list[tuple[str, str]]:
        new, other = node("new", kind=new_kind), node("found", kind=found_kind)
        findings = pairs(new, [(other, similarity, False)], popularity={}, doubted=frozenset({guessed}))
        assert bool(findings) == could_pair(new, other, similarity, doubted=frozenset({guessed}))
        return [(each.type, each.action) for each in findings]

    assert said("decision", "pattern", 0.99) == []
    assert said("claim", "pattern", 0.99) == []
    assert said("fix", "error", 0.70) == [("solves", "suggest")]
    assert said("fix", "error", 0.69) == []


def test_floors_come_before_the_cut_to_three() -> None:
    """Candidates that fail take no place from those that pass."""
    weak = [(node(f"w{n}", kind="claim"), 0.75, False) for n in range(2)]
    good = [(node(f"g{n}", kind="error"), 0.71 + n / 100, False) for n in range(3)]
    findings = pairs(node("new", kind="fix"), [*weak, *good], popularity={})
    assert [finding.target_id for finding in findings] == ["g2", "g1", "g0"]


def test_at_most_three_pairs_of_at_most_five_candidates() -> None:
    """The strongest three; the sixth is not looked at, nor the node itself."""
    new = node("new", kind="fix")
    others = [(new, 1.0, False), *((node(f"n{n}", kind="error"), 0.8 + n / 100, False) for n in range(6))]
    findings = pairs(new, others, popularity={})
    assert [finding.target_id for finding in findings] == ["n4", "n3", "n2"]


def test_a_keyword_only_match_needs_a_shared_tag() -> None:
    """Its strength is the overlap of tags, and it is marked; a similarity that came with it counts for nothing."""
    new = node("new", kind="fix", tags=("auth", "login"))
    error = node("e", kind="error", tags=("auth",))
    for similarity in (None, 0.99):
        (finding,) = pairs(new, [(error, similarity, True)], popularity={})
        assert finding.confidence == 0.5
        assert dict(finding.scores)["keyword_only"] == 1.0
        assert pairs(new, [(replace(error, tags=("mail",)), similarity, True)], popularity={}) == ()


def test_a_keyword_only_match_that_merely_relates_needs_nearly_all_tags() -> None:
    """Without a similarity nothing else could be above the higher floor."""
    new = node("new", kind="insight", tags=("auth", "login"))
    shared = node("d", kind="decision", tags=("auth",))
    assert pairs(new, [(shared, None, True)], popularity={}) == ()
    (finding,) = pairs(new, [(replace(shared, tags=("login", "auth")), None, True)], popularity={})
    assert (finding.type, finding.confidence) == ("relates_to", 1.0)


def test_the_description_names_the_new_node_first_where_a_relation_has_no_direction() -> None:
    """The stored order is that of the ids, the sentence's that of the table."""
    new, other = node("z", kind="insight", title="What we saw"), node("a", kind="decision", title="What we chose")
    (finding,) = pairs(new, [(other, 0.9, False)], popularity={})
    assert (finding.source_id, finding.target_id) == ("a", "z")
    assert finding.reasoning.startswith("What we saw ↔ What we chose: insight relates_to decision")


def test_what_could_pair_is_what_the_floors_let_through() -> None:
    """So that no candidate is kept which the table would refuse."""
    for one, other, similarity in (("fix", "error", 0.70), ("claim", "component", 0.80)):
        assert could_pair(node("a", kind=one), node("b", kind=other), similarity)
        assert not could_pair(node("a", kind=one), node("b", kind=other), similarity - 0.01)
        assert not could_pair(node("a", kind=one), node("b", kind=one), 1.0)


@pytest.mark.parametrize("text", ["A standard on quality, as ISO 9001 is.", "A standard on quality, of 1987."])
def test_members_of_a_series_are_not_related_for_being_alike(text: str) -> None:
    """Each side has its own number of one thing. One in common, or of something else, leaves them as they were."""
    new = node("new", kind="concept", title="ISO 9004", content="ISO 9004 is a standard on quality.")
    other = node("found", kind="document", title="Standards", content=text)
    assert could_pair(new, other, 0.95) is could_pair(other, new, 0.95) is ("9001" not in text)
    assert bool(pairs(new, [(other, 0.95, False)], popularity={})) is ("9001" not in text)
    third = replace(other, content=f"{text} See ISO 9004.")
    assert pairs(new, [(third, 0.95, False)], popularity={})
    remedy, trouble = replace(new, kind="fix"), replace(other, kind="error")
    assert pairs(remedy, [(trouble, 0.95, False)], popularity={})


def test_a_hub_does_not_gather_every_new_node() -> None:
    """Of fifty stores near one popular node only the first few link to it; the nearest go on longer."""
    hub = node("hub", kind="error", tags=("auth",))

    def links(similarity: float | None) -> int:
        degree = 0
        for n in range(50):
            new = node(f"n{n}", kind="fix", tags=("auth",))
            degree += len(pairs(new, [(hub, similarity, similarity is None)], popularity={"hub": degree}))
        return degree

    assert 2 <= links(0.8) < links(0.9) < 20
    assert 2 <= links(None) <= 10


@given(
    nodes(),
    st.lists(st.tuples(nodes(), st.none() | st.floats(0.0, 1.0), st.booleans()), max_size=8),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 1000)),
)
def test_the_table_keeps_its_laws(
    new: Node, others: list[tuple[Node, float | None, bool]], popularity: dict[str, int]
) -> None:
    """Never itself, at most three, confidence a share, reasons given, twice the same answer."""
    findings = pairs(new, others, popularity=popularity)
    assert len(findings) <= 3
    assert all(lawful(finding) for finding in findings)
    assert findings == pairs(new, others, popularity=popularity)
