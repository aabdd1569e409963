"""Header lines: what an author states of other documents in a line made for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.model import Node
from weft.reason.heading import CONFIDENCE, called, head, state, stated

AT = datetime(2026, 1, 1, tzinfo=UTC)


def document(name: str, text: str, *, title: str = "") -> Node:
    """Return a document that goes by ``name``."""
    return Node(
        id=name,
        kind="document",
        title=title or f"Document {name}",
        content=text,
        aliases=(name,),
        ontology="tests",
        created_at=AT,
        created_by="ann",
        modified_at=AT,
        modified_by="ann",
    )


def found(*documents: Node) -> set[tuple[str, str, str]]:
    """Return what the first and the others state of each other, as (source, target, type)."""
    numbers = {each.id: (each.id,) for each in documents}
    return {(each.source_id, each.target_id, each.type) for each in state(documents[0], documents[1:], numbers)}


@pytest.mark.parametrize(
    ("line", "relation", "outgoing", "numbers"),
    [
        ("Requires: 8, 20", "requires", True, ("8", "20")),
        ("Requires: NIP 8,\n    NIP 20", "requires", True, ("NIP-8", "NIP-20")),
        ("  Replaces: NIP-0007", "supersedes", True, ("NIP-7",)),
        ("Superseded-By: 9", "supersedes", False, ("9",)),
        ("superseded-by:\n  - ADR-0012\n  - ADR-0013", "supersedes", False, ("ADR-12", "ADR-13")),
        ("**Status:** Superseded by [ADR-12](0012-queues.md)", "supersedes", False, ("ADR-12",)),
        ("**Status:** Superseded by [ADR-12](<0012 queues (new).md>)", "supersedes", False, ("ADR-12",)),
        ("| Depends on | NIP-3 |", "depends_on", True, ("NIP-3",)),
        ("related: [ADR-201, ADR-202]", "relates_to", True, ("ADR-201", "ADR-202")),
        ("See also :nip:`4` and more.", "relates_to", True, ("NIP-4",)),
        ("**Requires**：8、NIP-20，21\nStatus：accepted", "requires", True, ("8", "NIP-20", "21")),
        ("Status：Superseded by [ADR-12](0012-队列.md)", "supersedes", False, ("ADR-12",)),
    ],
)
def test_a_field_is_read_however_it_is_written(
    line: str,
    relation: str,
    outgoing: bool,  # noqa: FBT001 - a case's value
    numbers: tuple[str, ...],
) -> None:
    """Mail headers, folded lines, front matter, lists, bold labels, tables and status lines."""
    (read,) = stated(f"Title: Lamps\n{line}\nAuthor: Ann\n\nA ferry carries lamps.")
    assert (read.type, read.outgoing, read.numbers) == (relation, outgoing, numbers)


@pytest.mark.parametrize(
    "text",
    [
        "Requires a lot of work.",
        "Replaces the old thing, as NIP 8 says.",
        "A line that requires: nothing of note",
        "Requires:",
        "The status: all is well, superseded by nothing",
        "Requiresx: 8",
        "",
    ],
)
def test_prose_that_sounds_like_a_field_is_none(text: str) -> None:
    """The twin: no colon and no number or link at once, or nothing named."""
    assert all(not each.numbers for each in stated(text))


@pytest.mark.parametrize(
    "example",
    [
        "```\nSupersedes: NIP-8\n```\n",
        "~~~yaml\n---\nsupersedes: [8]\n---\n~~~\n",
        "  ```md\n  Supersedes: NIP-8\n  ```\n",
        "<pre>\nSupersedes: NIP-8\n</pre>\n",
        "Like this::\n\n  Supersedes: NIP-8\n",
        ".. code-block:: rst\n   :caption: A record\n\n   Supersedes: NIP-8\n",
        "    Status: accepted\n    Supersedes: NIP-8\n",
    ],
)
def test_an_example_of_a_field_states_nothing(example: str) -> None:
    """A page on how to write records replaces none; behind the example fields are fields again."""
    page = f"How to write records. Their head is:\n\n{example}\nThat is all of it.\n"
    assert stated(page) == ()
    (read,) = stated(f"{page}\nRequires: NIP-9\n")
    assert (read.type, read.numbers) == ("requires", ("NIP-9",))


def test_the_block_that_a_document_opens_with_holds_its_fields() -> None:
    """The twin of the example in a block, as Bitcoin's proposals have them."""
    (read,) = stated("<pre>\n  NIP: 7\n  Requires: 9\n</pre>\n\nA ferry carries lamps.")
    assert (read.type, read.numbers) == ("requires", ("9",))


@pytest.mark.parametrize(
    "line",
    [
        "* Status: [proposed | rejected | accepted | deprecated | … | superseded by [NIP-5](0005-lamps.md)]",
        'status: "{proposed | accepted | superseded by NIP-5}"',
        "Status: proposed / accepted / superseded by NIP-5",
        "Status: [accepted | superseded by NIP-5]",
        "Status: accepted, not superseded by NIP-5",
        "Status: accepted (was: superseded by NIP-5)",
        "Status: no longer superseded by NIP-5",
        "<!-- Supersedes: NIP-5 -->",
        "<!--\nSupersedes: NIP-5\n-->",
        "~~Supersedes: NIP-5~~",
        "Supersedes: ~~NIP-5~~",
        "Supersedes: none (see NIP-5)",
        "Supersedes: N/A",
        "Status: superseded by nothing yet, see NIP-5",
        "- [ ] Supersedes: NIP-5",
        "Supersedes: e.g. NIP-5",
        "Supersedes: (for example NIP-5)",
        "Status: Draft, Accepted, Rejected, Superseded by NIP-5 (choose one)",
    ],
)
def test_what_a_template_a_comment_or_a_denial_holds_is_no_field(line: str) -> None:
    """A record that was begun from a template is superseded by nothing."""
    assert stated(f"# NIP-7: Lamps\n\n{line}\n\nA ferry carries lamps.") == ()


@pytest.mark.parametrize(
    "line",
    [
        "Status: ~~Accepted~~ Superseded by NIP-5",
        "Status: deprecated, superseded by [NIP-5](0005-lamps.md)",
        "Status: Accepted → superseded by NIP-5",
        "| Status | Superseded by NIP-5 |",
        "Superseded by: ~~NIP-4~~ NIP-5 <!-- since May -->",
    ],
)
def test_what_took_its_place_is_read_beside_what_was_struck_out(line: str) -> None:
    """The twins."""
    (read,) = stated(f"# NIP-7: Lamps\n\n{line}\n\nA ferry carries lamps.")
    assert (read.type, read.outgoing, read.numbers) == ("supersedes", False, ("NIP-5",))


@pytest.mark.parametrize(
    "said",
    ["NIP-5 (in part)", "NIP-5, chapter 2", "NIP-5 §2", "NIP-5 for new lamps", "NIP-5 (proposed)", "NIP-5 – pending"],
)
def test_what_is_replaced_in_part_or_not_yet_still_stands(said: str) -> None:
    """The two are related."""
    (read,) = stated(f"Supersedes: {said}\n")
    assert (read.type, read.numbers) == ("relates_to", ("NIP-5",))


def test_an_item_of_a_list_may_be_a_field_however_far_it_is_indented() -> None:
    """The twin of the indented example."""
    (read,) = stated("- Status\n\n    - Supersedes: NIP-8\n")
    assert (read.type, read.numbers) == ("supersedes", ("NIP-8",))


def test_names_in_a_list_are_told_apart_by_the_commas_of_any_script() -> None:
    """As an input method for Chinese or Japanese has them."""
    (line,) = stated("Related：缓存层、数据库，队列；日志")
    assert line.names == ("缓存层", "数据库", "队列", "日志")


def test_titles_links_and_file_names_are_compared_without_their_numbers() -> None:
    """However a record is called, it is the same one."""
    for name in ("docs/0012-use-queues.md", "12. Use queues", "ADR-12: Use queues", "use_queues.md", "Use queues"):
        assert "use queues" in called(name)
    assert called("12") == ()


def test_what_a_line_names_is_related_with_its_type_and_direction() -> None:
    """By number in the own series, by a number with its series, by title, and by a link to the file."""
    three, eight = document("NIP-3", "Lamps."), document("NIP-8", "Ropes.")
    assert found(document("NIP-9", "Requires: 3\nReplaces: NIP-8"), three, eight) == {
        ("NIP-9", "NIP-3", "requires"),
        ("NIP-9", "NIP-8", "supersedes"),
    }
    queues = document("x1", "We use queues.", title="12. Use queues")
    assert found(document("x2", "Supersedes [Use queues](0012-use-queues.md)"), queues) == {("x2", "x1", "supersedes")}


@pytest.mark.parametrize("link", ["post.md", "./post.md#why", "../adr/post.md"])
def test_a_link_to_a_file_means_that_file_and_none_that_is_called_alike(link: str) -> None:
    """A note, and a record with the same name behind its number; of what comes from no file its name decides."""
    note, record, third = (
        replace(document(name, "Letters.", title="Post"), handles=(f"adr/{name}.md",), aliases=(name,))
        for name in ("post", "0006-post", "0009-letters")
    )
    third = replace(third, title="Letters", content=f"Supersedes: [Post]({link})")
    assert found(third, note, record) == {("0009-letters", "post", "supersedes")}
    assert found(third, replace(note, handles=())) == {("0009-letters", "post", "supersedes")}


def test_the_older_document_may_state_it_too() -> None:
    """Superseded-By runs from what is named to who names it, whichever came first."""
    old, new = document("NIP-8", "Superseded-By: 9"), document("NIP-9", "Ropes.")
    assert found(new, old) == found(old, new) == {("NIP-9", "NIP-8", "supersedes")}


def test_a_bare_number_counts_in_the_own_series_only() -> None:
    """NIP-9 that requires 8 does not require PEP-8, and what has no number requires none."""
    other = document("PEP-8", "Style.")
    assert found(document("NIP-9", "Requires: 8"), other) == set()
    plain = replace(document("note", "Requires: 8"), aliases=())
    assert state(plain, [other], {"note": (), "PEP-8": ("PEP-8",)}) == ()


def test_what_is_stated_is_sure_enough_to_be_made() -> None:
    """The confidence lies above every floor that one would set, and the reasoning shows the line."""
    nip = document("NIP-3", "Lamps.")
    (finding,) = state(document("NIP-9", "Requires: 3"), [nip], {"NIP-9": ("NIP-9",), "NIP-3": ("NIP-3",)})
    assert (finding.action, finding.confidence, finding.rule) == ("create", CONFIDENCE, "header_field")
    assert "«Requires: 3»" in finding.reasoning


def test_a_document_knows_its_number_by_its_first_line() -> None:
    """A header, or a heading; a number further on is another's."""
    assert [head(text) for text in ("NIP: 0007\nTitle: x", "# ADR-12: Queues", "<pre>\n  NIP: 3")] == [
        "NIP-7",
        "ADR-12",
        "",
    ]
    assert head("See NIP 7 for lamps.") == ""


@given(st.text(alphabet="Requires: 8,NIP-\n[]()|*superseded by status#", max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    """Nothing is raised, and what is found is bounded."""
    assert len(stated(text)) <= 300


@pytest.mark.parametrize("sentence", ["GPT-4 scores 67 percent on HumanEval.", "COVID-19 raises the risk of clots."])
def test_a_name_with_a_number_that_begins_a_sentence_is_no_number_of_the_text(sentence: str) -> None:
    """A heading that begins so goes on with a sign or a capital."""
    assert head(sentence) == ""
    assert head("ADR-4 Use queues") == "ADR-4"
    assert head("GPT-4: how it is scored") == "GPT-4"


@pytest.mark.parametrize(
    "standing", ["status: rejected", "* Status: Proposed", "## Status\n\nDraft", "**Status:** draft"]
)
def test_what_is_proposed_or_turned_down_replaces_nothing(standing: str) -> None:
    """It says what it would replace, and relates to that; what took its own place did."""
    said = stated(f"{standing}\n\nSupersedes: NIP-7\nSuperseded by: NIP-9\n")
    assert {(each.type, each.outgoing) for each in said} == {("relates_to", True), ("supersedes", False)}


@pytest.mark.parametrize("key", ["dependsOn", "supersededBy", "seeAlso", "replaced_by", "Required-By", "BuildsOn"])
def test_a_key_is_read_in_any_spelling(key: str) -> None:
    """As programs and YAML write it."""
    (read,) = stated(f"{key}: NIP-7\n")
    assert read.numbers == ("NIP-7",)


@pytest.mark.parametrize("bullet", ["-", "*"])
def test_a_field_in_a_list_ends_with_its_item(bullet: str) -> None:
    """What the next items say is another field, or none; what is indented below it is its own."""
    first, second = stated(f"{bullet} Supersedes: NIP-3\n{bullet} Related: NIP-7, NIP-12\n{bullet} NIP-4 was kept.\n")
    assert (first.type, first.numbers, second.type, second.numbers) == (
        "supersedes",
        ("NIP-3",),
        "relates_to",
        ("NIP-7", "NIP-12"),
    )
    (ended,) = stated(f"{bullet} Status: accepted\n{bullet} Supersedes:\n{bullet} Superseded by: NIP-12\n")
    assert (ended.outgoing, ended.numbers) == (False, ("NIP-12",))
    (listed,) = stated("- Supersedes:\n  - NIP-3\n  - id: NIP-4\n- NIP-5 was kept.\n")
    assert listed.numbers == ("NIP-3", "NIP-4")


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("Supersedes: none | Superseded by: NIP-12", {(False, ("NIP-12",))}),
        ("**Supersedes:** NIP-3 \u00b7 **Superseded by:** NIP-12", {(True, ("NIP-3",)), (False, ("NIP-12",))}),
        ("| Replaces | NIP-3 | Replaced by | NIP-12 |", {(True, ("NIP-3",)), (False, ("NIP-12",))}),
        ("| Replaces | Replaced by |\n| --- | --- |", set()),
    ],
)
def test_two_fields_on_one_line_are_two(line: str, wanted: set[tuple[bool, tuple[str, ...]]]) -> None:
    """Each with what stands behind it."""
    assert {(each.outgoing, each.numbers) for each in stated(line)} == wanted


@pytest.mark.parametrize(
    "line",
    [
        "Requires: PostgreSQL 12, Redis 7",
        "Requires: 2 beakers, 1 burette",
        "Related: #12",
        "Related: https://ferries.example/issues/12",
        "See also: section 7 of the law",
        "Replaces: the policy of 3 May 2023",
        "Supersedes: version 3 of this document",
    ],
)
def test_a_number_that_counts_something_else_names_no_document(line: str) -> None:
    """A bare number is an item of its own, or behind a series."""
    assert [each.numbers for each in stated(f"NIP: 20\n{line}\n") if each.numbers] == []


def test_bare_numbers_in_a_list_name_documents() -> None:
    """The twin; and so does a number of a series in small letters."""
    assert [each.numbers for each in stated("Requires: 8, 20 and 31\n")] == [("8", "20", "31")]
    assert [each.numbers for each in stated("Supersedes: nip-0008\n")] == [("NIP-8",)]


@pytest.mark.parametrize(
    "line",
    [
        "Supersedes: No (extends NIP-3)",
        "Supersedes: does not supersede NIP-3",
        "* Supersedes NIP-3?",
        "## Considered options\n\n* Replaces NIP-3 with streams",
    ],
)
def test_what_is_denied_asked_or_only_an_option_is_not_stated(line: str) -> None:
    """Nobody has done it."""
    assert stated(f"# Lamps\n\n{line}\n") == ()


@pytest.mark.parametrize(
    "line",
    [
        "Supersedes NIP-3 once the trial has succeeded.",
        "Supersedes NIP-3 for small ferries only.",
        "Status: accepted, partially superseded by NIP-12",
    ],
)
def test_what_is_replaced_on_a_condition_still_stands(line: str) -> None:
    """The two are related."""
    assert [each.type for each in stated(f"# Lamps\n\n{line}\n")] == ["relates_to"]
    assert [each.type for each in stated("Supersedes: [NIP-3: When lamps are lit](nip-3.md)\n")] == ["supersedes"]


@pytest.mark.parametrize(
    "standing",
    [
        "Status\n------\n\nProposed",
        "## Status\n\n\U0001f7e1 Proposed",
        "## Status\n\n- [ ] Accepted\n- [x] Proposed",
        "Status: WIP",
        "State: draft",
    ],
)
def test_a_standing_is_known_however_it_is_written(standing: str) -> None:
    """What is only proposed replaces nothing."""
    assert [each.type for each in stated(f"# Lamps\n\n{standing}\n\nSupersedes: NIP-3\n")] == ["relates_to"]
    done = standing.replace("- [x] Proposed", "").replace("[ ]", "[x]")
    for word in ("Proposed", "WIP", "draft"):
        done = done.replace(word, "Accepted")
    assert [each.type for each in stated(f"# Lamps\n\n{done}\n\nSupersedes: NIP-3\n")] == ["supersedes"]


@pytest.mark.parametrize("front", ["", "\n", "---\nstatus: accepted\n---\n", "---\ntags: [a]\n---\n\n"])
def test_the_heading_that_a_document_begins_with_is_its_own(front: str) -> None:
    """Whatever stands before it; the next one with a number is an entry."""
    text = f"{front}# NIP-9: Lamps\n\nSupersedes: NIP-3\n\n## NIP-4: Berths\n\nSupersedes: NIP-2\n"
    for written in (text, text.replace("\n", "\r\n")):
        assert [each.numbers for each in stated(written)] == [("NIP-3",)]
        assert head(written) == "NIP-9"


@pytest.mark.parametrize(
    "text",
    [
        "In the review of last Monday Ann asked whether this decision\nsupersedes NIP-5; it does not.\n",
        "- a record that was proposed\n  supersedes NIP-5 was rejected\n",
        "> It was said that this\n> supersedes NIP-5\n",
        "| Replaces NIP-5 | not chosen |\n",
    ],
)
def test_a_sentence_that_goes_on_in_a_line_is_no_field(text: str) -> None:
    """A line without a colon counts where it stands by itself: the twin."""
    assert stated(text) == ()
    assert [each.numbers for each in stated(f"Lamps.\n\n{text.splitlines()[0]}.\n\nSupersedes NIP-5\n")][-1:] == [
        ("NIP-5",)
    ]


def test_a_rule_that_a_log_begins_with_is_no_front_matter() -> None:
    """What stands behind the next rule is another's entry."""
    log = "---\n\n# NIP-9: Lamps\n\nRelated: NIP-1\n\n---\n\n# NIP-10: Berths\n\nSupersedes: NIP-8\n"
    assert [each.numbers for each in stated(log)] in ([], [("NIP-1",)])


def test_in_a_log_each_entry_speaks_for_its_own_document() -> None:
    """Not for the log; the fields of the log itself stand before them."""
    log = "# Log\n\nRelated: NIP-1\n\n## NIP-3: Lamps\n\n- Status: Superseded by NIP-9\n\n## NIP-4: Berths\n"
    assert [each.numbers for each in stated(log)] == [("NIP-1",)]
    assert [each.numbers for each in stated("## NIP-3: Lamps\n\n- Status: Superseded by NIP-9\n")] == [("NIP-9",)]
