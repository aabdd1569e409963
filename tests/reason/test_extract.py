"""What is drawn from documents: few drafts, well founded, each with its place in the text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weft.formats.markdown import parse
from weft.reason.citing import STATED, citations, type_before
from weft.reason.extract import Draft, DraftRelation, Extracted, extract
from weft.reason.sentences import sentences
from weft.vocabulary import KINDS, RELATION_TYPES

RECORD = """# 7. Use a message queue

Date: 2025-03-01

## Status

Accepted. Supersedes [ADR 3](0003-call-directly.md).

## Context

The billing service calls the mail service directly. Calls fail when mail is down.

## Considered options

- **Retry**: A loop that calls again must always be bounded.

## Decision

We will put a queue between the two services. It depends on [the broker](../infra/broker.md).

## Consequences

Delivery through the queue is 30% slower than a direct call. Consumers must treat every message as possibly repeated.

| a | b |
|---|---|
| 9 | 8 must never |
"""


def read(text: str, name: str = "docs/notes.md") -> Extracted:
    """Return what is drawn from ``text``."""
    return extract(parse(text, name=name))


def outgoing(found: Extracted) -> set[tuple[str, str, str]]:
    """Return (type, direction, name) of the relations to other documents."""
    return {(each.type, each.direction, each.target_name) for each in found.relations if each.target_index is None}


def inner(found: Extracted) -> list[tuple[str, str]]:
    """Return kind and title of all drafts but the document."""
    return [(draft.kind, draft.title) for draft in found.nodes[1:]]


def test_a_decision_record_is_one_decision_with_its_decision_as_quote() -> None:
    """Kind, title without number, the ways it may be named, its standing, the decision as evidence."""
    record = read(RECORD, "adr/0007-use-a-message-queue.md").nodes[0]
    assert (record.kind, record.title, record.status) == ("decision", "Use a message queue", "active")
    assert set(record.aliases) == {"7. Use a message queue", "ADR-7", "0007-use-a-message-queue"}
    assert record.quote.startswith("We will put a queue")
    assert record.tags == ("accepted",)
    assert "Calls fail when mail is down." in record.content


@pytest.mark.parametrize(("line", "kind"), [("Status: accepted\n\n", "decision"), ("", "document")])
def test_a_numbered_record_without_sections_is_told_by_how_it_stands(line: str, kind: str) -> None:
    """It goes by its number, as others name it, whether it is a record or not; a page about one does not."""
    record = read(f"# ADR-0010: Cookies\n\n{line}Cookies live in Redis.\n", "notes/cookies.md").nodes[0]
    assert (record.kind, "ADR-10" in record.aliases) == (kind, True)
    page = read("# ADR-0010 in short\n\nCookies live in Redis.\n", "notes/short.md").nodes[0]
    assert "ADR-10" not in page.aliases


def test_a_record_holds_conventions_and_claims_but_not_its_options_or_tables() -> None:
    """One a paragraph, the surest; options, tables and the decision itself give none."""
    found = read(RECORD, "adr/0007-use-a-message-queue.md")
    assert inner(found) == [("claim", "Delivery through the queue is 30% slower than a direct call")]
    (belonging,) = [each for each in found.relations if each.target_index == 0]
    assert (belonging.type, belonging.source_index) == ("derived_from", 1)


def test_links_are_typed_by_the_words_before_them() -> None:
    """«Supersedes», «depends on»; paths are seen from the root of the documents."""
    assert outgoing(read(RECORD, "adr/0007-use-a-message-queue.md")) == {
        ("supersedes", "forward", "adr/0003-call-directly.md"),
        ("depends_on", "forward", "infra/broker.md"),
    }


@pytest.mark.parametrize(
    ("status", "expected", "tag"),
    [
        ("Superseded by 0009-use-streams", ("supersedes", "backward", "0009-use-streams"), "superseded"),
        ("Superseded by [9](0009-use-streams.md)", ("supersedes", "backward", "adr/0009-use-streams.md"), "superseded"),
        ("Supersedes ADR 3", ("supersedes", "forward", "ADR-3"), ""),
        ("Accepted, amended by ADR-0012", ("extends", "backward", "ADR-12"), "accepted"),
    ],
)
def test_status_lines_say_what_came_after(status: str, expected: tuple[str, str, str], tag: str) -> None:
    """A superseded record is marked so, and points the right way."""
    text = f"# 7. Use queues\n\n## Status\n\n{status}\n\n## Context\n\nCalls fail.\n\n## Decision\n\nUse queues.\n"
    found = read(text, "adr/0007-use-queues.md")
    assert outgoing(found) == {expected}
    assert found.nodes[0].status == ("superseded" if "uperseded by" in status else "active")
    assert found.nodes[0].tags == ((tag,) if tag else ())


def test_what_would_have_been_related_had_it_not_been_rejected_is_only_spoken_of() -> None:
    """The twin: the same sentence under «Decision» tells of the relation."""
    said = "This replaces ADR-3 and depends on ADR-4."
    for heading, types in (("Rejected alternatives", {"relates_to"}), ("Decision", {"supersedes", "depends_on"})):
        found = outgoing(read(f"# Queues\n\nMail waits in one.\n\n## {heading}\n\n{said}\n"))
        assert {type_ for type_, _, _ in found} == types


def test_front_matter_names_kind_tags_and_relations() -> None:
    """Lists and single values; the quote is the lines that say so."""
    front = "title: Queues\ntype: pattern\ntags: [async, mail]\nsupersedes: ADR-3\nrelated:\n  - calls\n  - ADR-12\n"
    found = read(f"---\n{front}---\nText.\n")
    assert (found.nodes[0].kind, found.nodes[0].title, found.nodes[0].tags) == ("pattern", "Queues", ("async", "mail"))
    assert outgoing(found) == {
        ("supersedes", "forward", "ADR-3"),
        ("relates_to", "forward", "calls"),
        ("relates_to", "forward", "ADR-12"),
    }
    assert {each.quote for each in found.relations if each.type == "supersedes"} == {"supersedes: ADR-3"}


@pytest.mark.parametrize(
    ("name", "text", "number", "named"),
    [
        ("a/thirteen.md", "---\nNIP: 13\nTitle: Lists\nReplaces: 3, 04\n---\nText.\n", "NIP-13", ("NIP-3", "NIP-4")),
        ("a/lists.md", "---\nreplaces: [3]\n---\n# NIP-0013: Lists\n\nText.\n", "NIP-13", ("NIP-3",)),
        ("a/nip-0013.md", "---\nreplaces: 3\n---\n# Lists\n\nText.\n", "NIP-13", ("NIP-3",)),
        ("adr/0013-lists.md", "---\nreplaces: 3\n---\n# Lists\n\n## Decision\n\nLists.\n", "ADR-13", ("ADR-3",)),
    ],
)
def test_a_bare_number_of_front_matter_counts_in_the_document_s_series(
    name: str, text: str, number: str, named: tuple[str, ...]
) -> None:
    """Which a field, the title or the file's name shows; the document answers to its number there."""
    found = read(text, name)
    assert outgoing(found) == {("supersedes", "forward", other) for other in named}
    assert number in found.nodes[0].aliases


def test_a_bare_number_of_a_task_is_no_decision_s() -> None:
    """The third task is meant, not the third decision; a record, and a file among records, are the twins."""
    text = "---\ndepends_on: [3, calls]\n---\n# Pay\n\n{}Text.\n"
    for name in ("tasks/0004-pay.md", "tasks/pay.md"):
        assert outgoing(read(text.format(""), name)) == {("depends_on", "forward", "calls")}
    for name, parts in (("0004-pay.md", "## Context\n\n## Decision\n\n"), ("decisions/0004-pay.md", "")):
        found = outgoing(read(text.format(parts), name))
        assert found == {("depends_on", "forward", "ADR-3"), ("depends_on", "forward", "calls")}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("**Supersedes:** RFC-0012\n**Requires:** RFC 15\n", {("supersedes", "RFC-12"), ("requires", "RFC-15")}),
        ("- Supersedes: RFC-12, 15\n- Author: Ann\n", {("supersedes", "RFC-12"), ("supersedes", "RFC-15")}),
        ("| Supersedes | RFC-12 |\n| --- | --- |\n", {("supersedes", "RFC-12")}),
        ("Author: Ann\nSuperseded-By: RFC 30\n", {("supersedes", "RFC-30")}),
        ("Status: Superseded by RFC-30\n", {("supersedes", "RFC-30")}),
        ("Status: Draft\nSupersedes: RFC-12\n", {("relates_to", "RFC-12")}),
        ("Supersedes: RFC-12, in part\n", {("relates_to", "RFC-12")}),
        ("Supersedes: none (RFC-12 stays)\n", set()),
        ("Supersedes: BCP-12\n", set()),
        ("```\nSupersedes: RFC-12\n```\n", set()),
        ("This RFC replaces RFC-12, as HTTP 404 replaces HTTP 410.\n", set()),
        ("Supersedes: RFC-20\n", set()),
        ("Supersedes: RFC-12 (see RFC-15)\n", {("supersedes", "RFC-12")}),
        ("Supersedes: RFC-12, but not RFC-15\n", {("supersedes", "RFC-12")}),
        ("Supersedes: RFC-12. RFC-15 remains.\n", {("supersedes", "RFC-12")}),
        ("Supersedes: no earlier one (RFC-12 is about lists)\n", set()),
        ("Supersedes: [RFC-12](https://other.example/rfc-12)\n", set()),
        ("Superseded by: RFC-30 on 2024-05-01 (which extends RFC-12)\n", {("supersedes", "RFC-30")}),
        ("Ann asked in the review of last Monday whether this one\nsupersedes RFC-12; it does not.\n", set()),
        ("## Example\n\nSupersedes: RFC-12\n", set()),
        ("Requires: 3\n", set()),
    ],
)
def test_lines_of_a_document_name_others_of_its_series_by_number(lines: str, expected: set[tuple[str, str]]) -> None:
    """Prose does not: what it counts may be anything. A document without a number states nothing by one."""
    found = read(f"# RFC-20: Streams\n\n{lines}\nJobs move.\n", "rfcs/0020-streams.md")
    assert {(type_, name) for type_, _, name in outgoing(found)} == expected
    other = read(f"# Streams\n\n{lines}\nJobs move.\n", "rfcs/streams.md")
    assert outgoing(other) == set()


@pytest.mark.parametrize(
    ("title", "name", "number"),
    [
        ("ADR-2024-003: Queues", "adr/queues.md", "ADR-2024-003"),
        ("Queues", "adr/ADR-2024-003-queues.md", "ADR-2024-003"),
        ("Queues", "adr/2024-05-01-queues.md", ""),
        ("Queues", "adr/20240501-queues.md", ""),
        ("ADR-20240501: Queues", "adr/queues.md", ""),
        ("Queues", "adr/2024-003-queues.md", "ADR-2024-003"),
        ("2024-05-01 Queues", "adr/0012-queues.md", "ADR-12"),
        ("Queues", "adr/0012-2-fast.md", "ADR-12"),
    ],
)
def test_a_year_is_no_record_s_number(title: str, name: str, number: str) -> None:
    """Else all records of one year would go by it, and «supersedes ADR-2024-001» end each of them."""
    text = "\n\n## Status\n\nAccepted, supersedes ADR-2024-001.\n\n## Decision\n\nQueues.\n"
    found = read(f"# {title}{text}", name)
    assert outgoing(found) == {("supersedes", "forward", "ADR-2024-001")}
    assert {each for each in found.nodes[0].aliases if each.startswith("ADR-2024") or each == "ADR-12"} - {
        title,
        "ADR-2024-003-queues",
    } == {number} - {""}


@pytest.mark.parametrize(
    ("front", "body", "status"),
    [
        ("", "\n| status | deprecated, active |\n| --- | --- |\n", "active"),
        ("", "\n```yaml\nstatus: deprecated\n```\n", "active"),
        ("---\nstate: published\n---\n", "\n## Status\n\nSuperseded by ADR-9\n", "superseded"),
        ("---\nstate: superseded\n---\n", "", "superseded"),
    ],
)
def test_how_a_record_stands_is_said_of_the_whole(front: str, body: str, status: str) -> None:
    """Not in a table or code of one section; ``state`` may be of another thing, so it counts last."""
    text = f"{front}# ADR-7: Queues\n\n## Context\n\nSlow.\n{body}\n## Decision\n\nQueues.\n"
    assert read(text, "adr/0007-queues.md").nodes[0].status == status


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# RFC-20: S\n\nStatus: accepted\nSupersedes: RFC-0012, 15\nRequires: RFC-3\n\nText.\n", "0020-s.md"),
        ("---\nstatus: accepted\nsupersedes: [ADR-3, 4]\n---\n# ADR-20: S\n\n## Decision\n\nText.\n", "adr/20-s.md"),
        ("# 20. S\n\n## Status\n\nSuperseded by ADR-30\n\n## Decision\n\nText.\n", "adr/0020-s.md"),
        ("RFC: 20\nTitle: S\nReplaces: 12, 15\n\nText.\n", "s.md"),
        ("# RFC-20: S\n\n**Author:** Ann  \n**Status:** Draft  \n**Supersedes:** RFC-12\n\nText.\n", "0020-s.md"),
    ],
)
def test_how_lines_end_changes_nothing_that_is_read(text: str, name: str) -> None:
    """As editors of Windows write them."""
    one, other = read(text, name), read(text.replace("\n", "\r\n"), name)
    assert outgoing(one) == outgoing(other) != set()
    assert one.nodes[0].aliases == other.nodes[0].aliases
    assert one.nodes[0].status == other.nodes[0].status


def test_an_index_of_records_states_nothing_of_its_own() -> None:
    """It goes by no number, though it lies among those that do."""
    text = "# Decisions\n\nSupersedes: ADR 3, 4\n\n## 3. Use lists\n\nSuperseded by: 7\n"
    found = read(text, "docs/adr/README.md").relations
    assert {each.target_name for each in found if each.confidence >= STATED} == set()


def test_a_number_of_thousands_of_digits_names_nothing() -> None:
    """Nor does it end the reading."""
    assert outgoing(read(f"---\nsupersedes: {'9' * 5000}\n---\n# ADR-7: Queues\n\n## Decision\n", "adr/7.md")) == set()


def test_a_number_of_the_series_in_front_matter_is_written_in_its_one_way() -> None:
    """``RFC-0012`` is RFC-12; a title that only looks like a number stays as it is."""
    found = read("---\nreplaces: [RFC-0012, '[[RFC 7]]', Python 3]\n---\n# RFC-20: Streams\n\nText.\n", "rfcs/20.md")
    assert {name for _, _, name in outgoing(found)} == {"RFC-12", "RFC-7", "Python 3"}


def test_a_glossary_gives_its_terms() -> None:
    """Marked terms, dashes, and terms as headings; short forms become aliases; pages say part_of."""
    text = """# Glossary

**Backpressure**: a signal by which a consumer slows its producer down.

Idempotence — the property that doing a thing twice changes nothing more.

## Dead letter queue (DLQ)

Where messages go that could not be delivered at all.
"""
    found = read(text)
    assert inner(found) == [("concept", "Backpressure"), ("concept", "Idempotence"), ("concept", "Dead letter queue")]
    assert found.nodes[3].aliases == ("DLQ",)
    assert {each.type for each in found.relations} == {"part_of"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A saga is a sequence of local transactions with compensations.", ("concept", "saga")),
        ("**Transparency**: the degree to which decisions are visible to all.", ("concept", "Transparency")),
        ("Access tokens must expire within one hour of being issued.", ("convention", None)),
        ("Never log the body of a request that holds a password.", ("convention", None)),
        ("The cost of self-attention is quadratic in sequence length.", ("claim", None)),
        ("Over 90% of malicious packages run a script at install time.", ("claim", None)),
        ("We decided to move the store to PostgreSQL because of its transactions.", ("decision", None)),
    ],
)
def test_sentences_worth_a_node(text: str, expected: tuple[str, str | None]) -> None:
    """Definitions, conventions, claims and reported decisions in a note."""
    ((kind, title),) = inner(read(f"# Notes\n\n{text}\n"))
    assert kind == expected[0]
    assert title == (expected[1] or text.rstrip("."))


@pytest.mark.parametrize(
    "text",
    [
        "Should access tokens expire within 60 minutes of being issued?",
        "It is 40% faster than the one that was used before.",
        "This must never happen in any of the production systems.",
        "We could perhaps make the whole thing 20% faster with a cache.",
        "```\nTokens must expire within 60 minutes of being issued.\n```",
        "> Tokens must expire within 60 minutes of being issued.",
        "| Tokens | must expire |\n|---|---|\n| 60 minutes | always |",
        "- [One](one.md)\n- [Two](two.md)\n- [Three](three.md)",
        "**Note**: a thing that everybody knows well enough.",
        "**Retry**: try the call again up to three times.",
        "See ADR-12 and RFC 9562 of 2024-05-01 for the details of that.",
        "The meeting in March 2024 was attended by people from all teams.",
        "## Considered options\n\nTokens must expire within 60 minutes of being issued.",
        "## Rejected\n\n- Redis holds the queue of the gateway.",
        "## Non-Goals\n\n### Later\n\nTokens must expire within 60 minutes of being issued.",
        "## Why the cluster was rejected\n\nTokens must expire within 60 minutes of being issued.",
        "Short.",
        "~~Tokens must expire within 60 minutes of being issued.~~",
        "- ~~It was so. Tokens must expire within\n  60 minutes of being issued.~~",
    ],
)
def test_what_gives_no_node(text: str) -> None:
    """Questions, leaning sentences, hedges, code, quotes, tables, links, labels, numbered names, options, strikes."""
    assert inner(read(f"# Notes\n\n{text}\n")) == []


def test_a_correction_is_drafted_as_it_is_meant_and_quoted_as_it_stands() -> None:
    """Without what is struck out of it."""
    text = "Tokens must expire within ~~two hours~~ 60 minutes of being issued."
    draft = read(f"# Notes\n\n{text}\n").nodes[1]
    assert draft.content == "Tokens must expire within 60 minutes of being issued."
    assert draft.quote == text


RULE = "Access tokens must expire within one hour of being issued."


@pytest.mark.parametrize(
    "text",
    [
        f"> [!note] Tokens\n> {RULE}",
        f"> [!warning]-\n> {RULE}",
        f"> [!important] {RULE}",
        f"> [!tip] Tokens\n> Much is said of them. {RULE}",
        f"> [!tip] Tokens\n> Much is said of them.\n> {RULE}",
        "> [!info] Tokens\n> Access tokens must expire within\n> one hour of being issued.",
        f"> [!abstract]\n> > [!danger] Tokens\n> > - {RULE}",
        f"{RULE} ^expiry",
        f"- {RULE} ^expiry\n",
        "Access tokens must expire within\none hour of being issued. ^expiry",
        f"> [!note]\n> {RULE} ^expiry",
    ],
)
def test_what_a_callout_states_is_stated_and_quoted_word_for_word(text: str) -> None:
    """Its marks and the mark of a block are no words of it; the quote is a stretch of the text, marks and all."""
    document = parse(f"# Notes\n\n{text}\n", name="docs/notes.md")
    (draft,) = extract(document).nodes[1:]
    assert (draft.kind, draft.title, draft.content) == ("convention", RULE.rstrip("."), RULE)
    assert draft.quote == document.text[draft.start : draft.end]
    assert (draft.quote[:6], draft.quote[-7:]) == ("Access", "issued.")


@pytest.mark.parametrize(
    "text",
    [
        f"> {RULE}",
        f"> - {RULE}",
        f"> [!quote] Somebody\n> {RULE}",
        f"> [!cite]\n> - {RULE}",
        f"> [!example] Tokens\n> {RULE}",
        f"> [!question] {RULE}",
        f"> [!note] Tokens\n> > {RULE}",
        f"> said\n>\n> > [!note] {RULE}",
        f"> [!todo]\n> - [ ] {RULE}",
    ],
)
def test_what_somebody_else_says_gives_no_node(text: str) -> None:
    """Quotations, in a callout or as one, with what they hold; examples, questions and tasks."""
    assert inner(read(f"# Notes\n\n{text}\n")) == []


def test_a_callout_before_a_definition_does_not_keep_it_from_being_one() -> None:
    """Under a term's heading its first paragraph defines it, whatever title stands above; and a callout may."""
    text = "# Glossary\n\n## Saga\n\n> [!info] About it\n> A row of steps, each of which can be undone.\n"
    assert inner(read(text)) == [("concept", "Saga")]
    told = "# Notes\n\n> [!note] Terms\n> **Saga**: a row of steps that\n> can be undone. ^saga\n"
    ((kind, title),) = inner(read(told))
    assert (kind, title) == ("concept", "Saga")
    assert read(told).nodes[1].content == "Saga: a row of steps that can be undone."


def test_the_mark_of_a_block_is_no_word_of_a_definition() -> None:
    """Nor of what has no full stop; the quote ends where the words do."""
    found = read("# Glossary\n\n- **Saga**: a row of steps that can be undone ^saga\n")
    assert (found.nodes[1].content, found.nodes[1].quote[-6:]) == ("Saga: a row of steps that can be undone", "undone")


def test_links_in_callouts_are_typed_and_quoted() -> None:
    """The reason reads without marks; the quote holds them."""
    found = read("# Gateway\n\n> [!note] See\n> The gateway depends\n> on [the broker](broker.md). ^why\n")
    (said,) = [each for each in found.relations if each.target_index is None]
    assert (said.type, said.target_name) == ("depends_on", "docs/broker.md")
    assert said.reasoning == "The gateway depends on the broker."
    assert said.quote == "The gateway depends\n> on [the broker](broker.md)."


def test_many_places_of_one_document_keep_no_other_out() -> None:
    """An index links hundreds of headings of one page; the last page is named all the same."""
    links = "\n".join(f"- [part {number}](api.md#part-{number})" for number in range(400))
    found = outgoing(read(f"# Index\n\n{links}\n- [guide](guide.md)\n"))
    assert ("relates_to", "forward", "docs/guide.md") in found


def test_one_draft_a_paragraph_at_most() -> None:
    """The surest of several, the first on a tie."""
    text = "Queues are 20% slower than calls. Tokens must expire within 60 minutes of issue. Keys must turn every day."
    assert inner(read(text)) == [("claim", "Queues are 20% slower than calls")]


def test_what_is_said_twice_is_drafted_once() -> None:
    """The same title and kind."""
    line = "Access tokens must expire within one hour of being issued.\n\n"
    assert len(inner(read(line * 3))) == 1


def test_an_empty_document_is_a_document() -> None:
    """Its name is all it has."""
    (draft,) = read("", "docs/empty.md").nodes
    assert (draft.kind, draft.title, draft.quote) == ("document", "empty", "")


@pytest.mark.parametrize(
    "link", ["[x](My notes.md)", "[x](a(b.md)", "[x](<a.md)", "[x](a)b.md)", "[x](<a\nb.md>)", "![x](a(b).md)", "[x]()"]
)
def test_what_is_no_link_in_markdown_names_nothing(link: str) -> None:
    """Spaces without angle brackets, brackets without partners, pictures."""
    assert not [each for each in citations(f"See {link} for it.", document="doc.md") if each.name.endswith(".md")]


@pytest.mark.parametrize(
    ("link", "name", "place"),
    [
        ("[[Note#^a1]]", "Note", "^a1"),
        ("[[Note^a1]]", "Note", "^a1"),
        ("[[Note#Heading two|shown]]", "Note", "Heading two"),
        ("[[Note#One#Two]]", "Note", "Two"),
        ("[[sub/Note#^a1|it]]", "sub/Note", "^a1"),
        ("[[Note#]]", "Note", ""),
        ("[[Note]]", "Note", ""),
        ("[x](x.md#heading-two)", "docs/x.md", "heading-two"),
        ("[x](x.md#Heading%20two)", "docs/x.md", "Heading two"),
        ("[x](x.md#^a1)", "docs/x.md", "^a1"),
        ("[x](Notes(old).md)", "docs/Notes(old).md", ""),
        ("[x](a((b)c).md#One)", "docs/a((b)c).md", "One"),
        ("[x](a\\(b.md)", "docs/a(b.md", ""),
        ("[x](<My notes (old).md#Part one>)", "docs/My notes (old).md", "Part one"),
        ("[x]( <../My notes.md> 'A title' )", "My notes.md", ""),
        ('[x](x.md "A title")', "docs/x.md", ""),
        ("[x](x.md (a title))", "docs/x.md", ""),
        ("[x](<1. First. Notes.md>)", "docs/1. First. Notes.md", ""),
        ("[1. First. Notes](x.md)", "docs/x.md", ""),
        ("[[1. First. Notes]]", "1. First. Notes", ""),
    ],
)
def test_a_link_names_the_place_it_leads_to(link: str, name: str, place: str) -> None:
    """A heading, the last of several; a block, by either spelling; in text and in front matter."""
    (found,) = citations(f"See {link} for it.", document="docs/doc.md")
    assert (found.name, found.place) == (name, place)
    assert [each.target_name for each in read(f"See {link} for it.", name="docs/doc.md").relations] == [name]
    if link.startswith("[["):
        (said,) = [each for each in read(f"---\nrelated: '{link}'\n---\nText.").relations if each.target_name]
        assert (said.target_name, said.target_place) == (name, place)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Uses [[Broker]] and [[Store|the store]].", [("uses", "Broker"), ("uses", "Store")]),
        ("It does not depend on [x](x.md).", [("relates_to", "a/x.md")]),
        (
            "See [x](x.md#part), [web](https://x.org/y.md), ![p](p.md), [here](#here) and [code](y.py).",
            [("relates_to", "a/x.md")],
        ),
        ("This contradicts [x](../b/x.md); read [y](/y.md).", [("contradicts", "b/x.md"), ("relates_to", "y.md")]),
        ("Out of the root: [x](../../x.md).", []),
        ("`[[not a reference]]` and plain words", []),
        (
            "Replaces ADR-1, ADR-2 and ADR-003.",
            [("supersedes", "ADR-1"), ("supersedes", "ADR-2"), ("supersedes", "ADR-3")],
        ),
        (
            "Replaces ADRs 1, 2 and 003, but 4 of ADR-5 stay.",
            [("supersedes", "ADR-1"), ("supersedes", "ADR-2"), ("supersedes", "ADR-3"), ("relates_to", "ADR-5")],
        ),
        ("Replaces [`x.md`](x.md) and [`y.md`](y.md).", [("supersedes", "a/x.md"), ("supersedes", "a/y.md")]),
        ("Implemented in ADR-0004.", [("implements", "ADR-4")]),
        ("Since 2017-present it is so.", []),
    ],
)
def test_references_in_a_sentence(sentence: str, expected: list[tuple[str, str]]) -> None:
    """Links, wiki links and numbers of records; not the web, images, code, or places outside."""
    assert [(each.type, each.name) for each in citations(sentence, document="a/doc.md")] == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("is superseded by ", ("supersedes", "backward")),
        ("supersedes ", ("supersedes", "forward")),
        ("required by ", ("requires", "backward")),
        ("requires ", ("requires", "forward")),
        ("extends ", ("extends", "forward")),
        ("was amended by ", ("extends", "backward")),
        ("builds upon ", ("builds_on", "forward")),
        ("would replace ", ("relates_to", "forward")),
        ("uses a cache. See ", ("relates_to", "forward")),
        ("see ", ("relates_to", "forward")),
        ("Superceded by ", ("supersedes", "backward")),
        ("Supercedes ", ("supersedes", "forward")),
        ("**Superseded** by ", ("supersedes", "backward")),
        ("Status: accepted\nSupersedes: ", ("supersedes", "forward")),
        ("- **Superseded by**: ", ("supersedes", "backward")),
        ("uses a cache: see ", ("relates_to", "forward")),
    ],
)
def test_verbs_before_a_reference(words: str, expected: tuple[str, str]) -> None:
    """The last verb of the clause counts, unless it is denied or only thought of."""
    assert type_before(words) == expected


def test_sentences_end_where_people_end_them() -> None:
    """Abbreviations, initials, decimals and small letters end none; other scripts do."""
    text = "See e.g. Fig. 3 by J. Doe. It costs 1.5 euro! 完成。次は? no"
    cut = [text[start:end] for start, end in sentences(text, 0, end=len(text))]
    assert cut == ["See e.g. Fig. 3 by J. Doe.", "It costs 1.5 euro!", "完成。", "次は?", "no"]


@pytest.mark.parametrize(
    "cut",
    [
        ["「はい。」", "と言った。", "何？！", "そうだ。"],
        ["他说：“好。”", "（注意：必须加密。）", "**重要。", "**然后。", '他说："好！"'],
        ["हम करते हैं।", "यह तेज़ है॥", "ठीक"],
        ["هل هذا آمن؟", "نعم۔", "لا."],
        ["ደህና ነው።", "እሺ።"],
    ],
)
def test_sentences_of_other_scripts_end_at_their_own_full_stops(cut: list[str]) -> None:
    """What closes a quotation or a bracket there belongs to the sentence, and several marks end one."""
    text = "".join(cut)
    assert [text[start:end] for start, end in sentences(text, 0, end=len(text))] == cut


pieces = st.sampled_from(
    [
        "# Glossary\n",
        "## Decision\n",
        "## Status\n\nSuperseded by ADR-3.\n",
        "---\ntype: adr\nsupersedes: [x, ADR-2]\n---\n",
        "**Term**: a thing of some kind that is meant.\n",
        "Tokens must expire within 60 minutes of issue. ",
        "It uses [x](x.md) and [[y]]. ",
        "- ",
        "> ",
        "\n\n",
        "\r\n",
        "`code` ",
        "| a |\n|---|\n",
        "🎉 ",
        "é\u0301",
        "\ufeff",
    ]
)


@settings(max_examples=500, deadline=None)
@given(st.lists(pieces | st.text(max_size=8), max_size=25).map("".join))
def test_every_quote_is_an_exact_slice_and_every_name_is_known(text: str) -> None:
    """Offsets hold, kinds and types are known, indexes point at drafts, and a block gives one draft at most."""
    found = read(text, "adr/0001-x.md")
    drawn: tuple[Draft | DraftRelation, ...] = (*found.nodes, *found.relations)
    assert all(text[each.start : each.end] == each.quote for each in drawn)
    assert all(draft.kind in KINDS and draft.title and draft.content for draft in found.nodes)
    assert all(each.type in RELATION_TYPES and 0 <= each.source_index < len(found.nodes) for each in found.relations)
    assert all(each.target_index is not None or each.target_name for each in found.relations)
    assert len(found.nodes) <= 1 + len(parse(text, name="x").blocks)
    assert all(0 < each.confidence <= 1 for each in drawn)


def test_hostile_documents_take_linear_time() -> None:
    """Patterns meant to make the rules run away."""
    hostile = [
        "a " * 100_000,
        "[" * 9_000 + "\n\n",
        "**" * 9_000,
        "must " * 3_900,
        "A. " * 6_000,
        "[[a|" * 4_000,
        "1.5 " * 4_000,
    ]
    hostile += ["# a\n\nb must c.\n\n" * 3_000, "A " * 30 + "is " * 3_000, "ADR-1, " * 2_500, "(" * 9_000 + ")" * 9_000]
    began = time.thread_time()
    for text in hostile:
        read(text, "x.md")
    assert time.thread_time() - began < 20
