"""What people's folders hold besides the plain case: files of one name in two projects, forms that are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from services.readers import ingest_of
from services.travel import lay
from weft.errors import NotFound
from weft.model import Decision, Filter, IngestRequest, Page, Status, SuggestionKind, UpdateRequest

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Ingested, Node

ALPHA = "# Alpha\n\nWe decided to use SQLite for Alpha.\n"
BETA = "# Beta\n\nBeta needs Rust.\n"


def taken(desk: Desk, root: Path, ontology: str = "") -> Ingested:
    """Ingest ``root``."""
    return ingest_of(desk).ingest(IngestRequest(roots=(root,), ontology=ontology), desk.call(tool="ingest"))


def test_a_file_of_another_project_is_no_newer_text_of_one_that_is_still_there(desk: Desk, tmp_path: Path) -> None:
    """Both folders are called docs and both hold an index.md; under an ontology of its own the second one comes in."""
    alpha = lay(tmp_path / "alpha/docs", {"index.md": ALPHA})
    beta = lay(tmp_path / "beta/docs", {"index.md": BETA, "more.md": "# More\n"})
    taken(desk, alpha)
    (decision,) = desk.store.resolve("We decided to use SQLite for Alpha", limit=2)
    came = taken(desk, beta)
    assert (came.documents, came.marked) == (1, 0)
    ((path, why),) = came.skipped
    assert path == "index.md"
    assert str(alpha / "index.md") in why
    assert "--ontology" in why
    assert desk.store.nodes((decision.id,))[decision.id].status is Status.ACTIVE
    assert taken(desk, beta, "beta").documents == 2
    assert {node.title for title in ("Alpha", "Beta") for node in desk.store.resolve(title, limit=2)} == {
        "Alpha",
        "Beta",
    }


def test_a_folder_that_was_moved_and_a_copy_of_a_file_are_the_same_documents(desk: Desk, tmp_path: Path) -> None:
    """Where the file has gone from its old place the new one is a newer text; the same text is the same anywhere."""
    alpha = lay(tmp_path / "alpha/docs", {"index.md": ALPHA})
    taken(desk, alpha)
    copy = lay(tmp_path / "copy/docs", {"index.md": ALPHA})
    assert (taken(desk, copy).unchanged, taken(desk, copy).skipped) == (1, ())
    (tmp_path / "alpha").rename(tmp_path / "moved")
    lay(copy, {"index.md": f"{ALPHA}\nIt is small.\n"})
    came = taken(desk, copy)
    assert (came.documents, came.skipped) == (1, ())
    assert len(desk.store.resolve("Alpha", limit=2)) == 1


def test_another_checkout_of_a_project_brings_newer_texts(desk: Desk, tmp_path: Path) -> None:
    """Its files share their lines with those that are known, which are still there."""
    taken(desk, lay(tmp_path / "alpha/docs", {"index.md": ALPHA}))
    came = taken(desk, lay(tmp_path / "branch/docs", {"index.md": f"{ALPHA}\nIt is small.\n"}))
    assert (came.documents, came.skipped) == (1, ())
    (alpha,) = desk.store.resolve("Alpha", limit=2)
    assert "It is small." in alpha.content


def test_documents_of_forms_that_are_not_read_are_counted(desk: Desk, tmp_path: Path) -> None:
    """Their kinds are named in one line, so that nobody takes the folder for read as a whole."""
    files = {"a.md": ALPHA, "b.odt": b"PK", "deep/c.odt": b"PK", "d.ipynb": "{}", "e.png": b"x"}
    came = taken(desk, lay(tmp_path / "docs", files))
    assert came.skipped == (("…", "files of these kinds are not read: 1 .ipynb, 2 .odt"),)


def test_a_folder_that_notion_exported_is_an_ontology_by_its_title(desk: Desk, tmp_path: Path) -> None:
    """The id behind it is no part of a name; what was taken in under it stays there."""
    folder = "Home 1a2b3c4d5e6f47889900aabbccddeeff"
    root = lay(tmp_path / "export", {f"{folder}/Roof ffeeddccbbaa00998877665544332211.md": "The roof is of slate.\n"})
    assert taken(desk, root).documents == 1
    assert {node.ontology for node in desk.store.resolve("Roof", limit=2)} == {"Home"}
    assert taken(desk, root).unchanged == 1


def test_properties_are_read_however_their_names_are_spelled(desk: Desk, tmp_path: Path) -> None:
    """In capitals, in the singular, and tags in one text as Obsidian takes them."""
    head = "---\nTitle: Pump\nTags: '#heat brine'\nAlias: P1\nDepends on: '[[Valve]]'\n---\n\nIt hums.\n"
    taken(desk, lay(tmp_path / "docs", {"a.md": head, "Valve.md": "It shuts.\n"}))
    (pump,) = desk.store.resolve("P1", limit=2)
    (valve,) = desk.store.resolve("Valve", limit=2)
    assert (pump.title, pump.tags) == ("Pump", ("heat", "brine"))
    assert [(each.type, each.source, each.target) for each in desk.store.relations((pump.id,))] == [
        ("depends_on", pump.id, valve.id)
    ]


def test_documents_that_were_deleted_or_moved_are_told_until_they_are_seen_to(desk: Desk, tmp_path: Path) -> None:
    """Their nodes stay as they are; forgotten or superseded they are told no more, nor those of another folder."""
    lay(
        tmp_path,
        {"docs/a.md": "# Ale\n", "docs/old/b.md": "# Beer\n", "docs/c.md": "# Cider\n", "more/d.md": "# Dark\n"},
    )
    ingest = ingest_of(desk)

    def again(*folders: str) -> tuple[int, tuple[str, ...]]:
        paths = tuple(tmp_path / folder for folder in folders)
        told = ingest.ingest(IngestRequest(paths=paths, roots=paths), desk.call(tool="ingest"))
        return told.documents_absent, told.absent

    assert again("docs", "more") == (0, ())
    (tmp_path / "docs/new").mkdir()
    (tmp_path / "docs/old/b.md").rename(tmp_path / "docs/new/b.md")
    (tmp_path / "docs/a.md").unlink()
    (tmp_path / "more/d.md").unlink()
    assert again("docs") == (2, ("a.md", "old/b.md"))
    assert {"Ale", "Beer"} <= {node.title for node in desk.standing() if node.status is Status.ACTIVE}
    desk.capture.forget("a.md", desk.call(), confirm=True)
    desk.capture.update(UpdateRequest(id="old/b.md", status="superseded", superseded_by="new/b.md"), desk.call())
    assert again("docs") == (0, ())
    assert again("more") == (1, ("d.md",))
    desk.capture.forget("d.md", desk.call(), confirm=True)
    with pytest.raises(NotFound, match="holds no document"):
        again("more")


def test_a_file_alone_asks_for_no_other_and_a_file_that_came_back_is_not_absent(desk: Desk, tmp_path: Path) -> None:
    """What is named decides what is looked for."""
    lay(tmp_path, {"a.md": "# Ale\n", "b.md": "# Beer\n"})
    ingest, roots = ingest_of(desk), (tmp_path,)
    ingest.ingest(IngestRequest(roots=roots), desk.call())
    (tmp_path / "a.md").unlink()
    assert not ingest.ingest(IngestRequest(paths=(tmp_path / "b.md",), roots=roots), desk.call()).absent
    assert ingest.ingest(IngestRequest(roots=roots), desk.call()).absent == ("a.md",)
    lay(tmp_path, {"a.md": "# Ale\n"})
    assert not ingest.ingest(IngestRequest(roots=roots), desk.call()).absent


OLD = "# ADR-0001: Use memcached\n\nStatus: accepted\n\n## Decision\nWe use memcached.\n"
NEW = """# ADR-0002: Use Redis

Status: accepted
Supersedes: ADR-0001

## Decision
We use Redis. It requires the [cache](cache.md). See the [queue](queue.md).
"""
LATER = NEW.replace("Supersedes: ADR-0001\n", "").replace(" It requires the [cache](cache.md).", "")


def _types(desk: Desk, handle: str) -> set[str]:
    (node,) = desk.store.resolve(handle, limit=2)
    return {each.type for each in desk.store.relations((node.id,))}


def _records(desk: Desk, folder: Path) -> Ingested:
    return ingest_of(desk).ingest(IngestRequest(roots=(folder,)), desk.call(tool="ingest"))


def test_a_relation_that_a_document_states_no_more_is_asked_about_once(desk: Desk, tmp_path: Path) -> None:
    """Until that is decided it stays; what it superseded holds again with it, and an undo brings both back."""
    lay(tmp_path, {"cache.md": "# Cache\n", "queue.md": "# Queue\n", "old.md": OLD, "new.md": NEW})
    assert _records(desk, tmp_path).unsaid == 0
    assert _types(desk, "new.md") == {"supersedes", "requires", "relates_to"}
    lay(tmp_path, {"new.md": LATER})
    assert _records(desk, tmp_path).unsaid == 2
    assert _types(desk, "new.md") == {"supersedes", "requires", "relates_to"}
    (item,) = desk.curate.review((), desk.call()).items
    assert "«Use Redis» supersedes «Use memcached»" in item.suggestion.summary
    lay(tmp_path, {"new.md": f"{LATER}It is fast.\n"})
    assert _records(desk, tmp_path).unsaid == 0
    decided = desk.curate.review((Decision(item=item.suggestion.id, decision="accept"),), desk.call())
    assert _types(desk, "new.md") == {"relates_to"}
    (old,) = desk.store.resolve("old.md", limit=2)
    assert old.status is Status.ACTIVE
    desk.curate.undo(decided.decided[0].batch, desk.call())
    assert _types(desk, "new.md") == {"supersedes", "requires", "relates_to"}
    assert desk.node(old.id).status is Status.SUPERSEDED


def test_a_relation_that_is_stated_again_by_then_stays(desk: Desk, tmp_path: Path) -> None:
    """In other words, or by another document: none is asked about, and what was asked takes nothing out."""
    lay(tmp_path, {"cache.md": "# Cache\n", "queue.md": "# Queue\n", "old.md": OLD, "new.md": NEW})
    _records(desk, tmp_path)
    lay(tmp_path, {"new.md": NEW.replace("See the", "Look at the")})
    assert _records(desk, tmp_path).unsaid == 0
    lay(tmp_path, {"new.md": LATER})
    assert _records(desk, tmp_path).unsaid == 2
    (item,) = desk.curate.review((), desk.call()).items
    lay(tmp_path, {"new.md": NEW})
    _records(desk, tmp_path)
    desk.curate.review((Decision(item=item.suggestion.id, decision="accept"),), desk.call())
    assert _types(desk, "new.md") == {"supersedes", "requires", "relates_to"}


LIMIT = "# Limits\n\nThe server must answer within {} minutes.\n"


def _statement(desk: Desk, word: str) -> Node:
    (node,) = [each for each in desk.standing() if word in each.content and each.kind != "document"]
    return node


def test_a_text_that_was_taken_back_is_taken_in_again(desk: Desk, tmp_path: Path) -> None:
    """The file still says it: an undo of its ingest is no reason to call it unchanged for ever."""
    lay(tmp_path, {"limits.md": LIMIT.format(10)})
    _records(desk, tmp_path)
    lay(tmp_path, {"limits.md": LIMIT.format(15)})
    for batch in reversed(_records(desk, tmp_path).batches):
        desk.curate.undo(batch, desk.call(tool="undo"))
    assert "10 minutes" in desk.store.resolve("limits.md", limit=2)[0].content
    again = _records(desk, tmp_path)
    assert (again.documents, again.unchanged) == (1, 0)
    assert "15 minutes" in desk.store.resolve("limits.md", limit=2)[0].content
    assert _records(desk, tmp_path).unchanged == 1


@pytest.mark.parametrize("accepted", [False, True])
def test_a_statement_that_returns_to_its_document_holds_again(desk: Desk, tmp_path: Path, *, accepted: bool) -> None:
    """Whether it was said of it that it holds no more, or nobody had decided; nothing is asked about it then."""
    for minutes in (10, 15):
        lay(tmp_path, {"limits.md": LIMIT.format(minutes)})
        _records(desk, tmp_path)
    gone = _statement(desk, "10 minutes")
    (item,) = [
        each.suggestion
        for each in desk.curate.review((), desk.call()).items
        if each.suggestion.kind is SuggestionKind.STALE
    ]
    if accepted:
        desk.curate.review((Decision(item=item.id, decision="accept"),), desk.call())
    assert desk.node(gone.id).status is (Status.SUPERSEDED if accepted else Status.NEEDS_REVIEW)
    lay(tmp_path, {"limits.md": LIMIT.format(10)})
    _records(desk, tmp_path)
    assert desk.node(gone.id).status is Status.ACTIVE
    waiting = [each.suggestion for each in desk.curate.review((), desk.call()).items]
    assert item.id not in {each.id for each in waiting}
    assert [gone.id not in each.subjects for each in waiting if each.kind is SuggestionKind.STALE] == [True]


def test_what_two_documents_say_vanishes_with_the_last_of_them(desk: Desk, tmp_path: Path) -> None:
    """While one of them says it, it holds."""
    said = "Clients must send an idempotency key with every POST request.\n"
    lay(tmp_path, {"api.md": f"# API\n\n{said}", "billing.md": f"# Billing\n\n{said}"})
    _records(desk, tmp_path)
    node = _statement(desk, "idempotency key")
    lay(tmp_path, {"api.md": "# API\n\nIt is small.\n"})
    assert (_records(desk, tmp_path).marked, desk.node(node.id).status) == (0, Status.ACTIVE)
    lay(tmp_path, {"billing.md": "# Billing\n\nIt is monthly.\n"})
    assert (_records(desk, tmp_path).marked, desk.node(node.id).status) == (1, Status.NEEDS_REVIEW)


def test_what_somebody_wrote_into_a_document_s_node_is_told_where_its_file_takes_its_place(
    desk: Desk, tmp_path: Path
) -> None:
    """A document that nobody touched here is updated without a word."""
    lay(tmp_path, {"care.md": "# Care\n\nHandle with care.\n", "use.md": "# Use\n\nUse it.\n"})
    _records(desk, tmp_path)
    edit = UpdateRequest(id="care.md", content="# Care\n\nHandle with care.\n\nNever while it charges.")
    desk.capture.update(edit, desk.call(tool="update"))
    lay(tmp_path, {"care.md": "# Care\n\nHandle with great care.\n", "use.md": "# Use\n\nUse it well.\n"})
    ((path, reason),) = _records(desk, tmp_path).skipped
    assert (path, "«Care» was changed here since" in reason) == ("care.md", True)


@pytest.mark.parametrize("by", ["ADR-0031", "[ADR-0031](0031-stream.md)"])
def test_the_status_of_a_front_matter_says_what_took_a_record_s_place(desk: Desk, tmp_path: Path, by: str) -> None:
    """As the template of MADR has it."""
    parts = (
        "## Context and Problem Statement\n\nSlow.\n\n## Decision Outcome\n\nChosen option: this, because it fits.\n"
    )
    record = f"---\nstatus: {{}}\n---\n# {{}}\n\n{parts}"
    lay(tmp_path, {"0012-batch.md": record.format(f'"superseded by {by}"', "12. Nightly batch export")})
    lay(tmp_path, {"0031-stream.md": record.format("accepted", "31. Streaming export")})
    _records(desk, tmp_path)
    (old,), (new,) = (desk.store.resolve(name, limit=2) for name in ("0012-batch.md", "0031-stream.md"))
    said = {(each.source, each.target) for each in desk.store.relations((old.id,)) if each.type == "supersedes"}
    assert (said, old.status) == ({(new.id, old.id)}, Status.SUPERSEDED)


def test_fields_that_a_proposal_begins_with_relate_it_to_others_of_its_series(desk: Desk, tmp_path: Path) -> None:
    """``Requires: 340`` and ``Replaces: 9`` in the form of mail headers, as BIPs and older PEPs have them."""
    text = "<pre>\n  BIP: {0}\n  Title: Proposal {0}\n{1}</pre>\n\n## Abstract\n\nA proposal for wallets.\n"
    fields = {327: "  Requires: 32,\n    340\n  Replaces: 9\n", 9: "", 32: "", 340: ""}
    lay(tmp_path, {f"bip-{number:04}.md": text.format(number, more) for number, more in fields.items()})
    _records(desk, tmp_path)
    own, *others = (desk.store.resolve(f"BIP-{number}", limit=2)[0].id for number in (327, 32, 340, 9))
    said = {(each.type, each.target) for each in desk.store.relations((own,)) if each.source == own}
    assert said == set(zip(("requires", "requires", "supersedes"), others, strict=True))


@pytest.mark.parametrize(
    "standing", ["rejected", "Proposed", "pre-draft", "Not yet accepted", "withdrawn by its author"]
)
@pytest.mark.parametrize(
    "lines",
    [
        "---\nstatus: {}\nsupersedes: ADR-12\n---\n# {}\n",
        "---\nstate: {}\n---\n# {}\n\nThis supersedes ADR-12.\n",
        "# {1}\n\n* Status: {0}\n* Supersedes: [12](0012-batch.md)\n",
        "# {1}\n\n**Author:** Ann  \n**Status:** {0}  \n**Supersedes:** ADR-12\n",
        "# {1}\n\n| Author | Ann |\n| --- | --- |\n| Status | {0} |\n| Supersedes | ADR-12 |\n",
    ],
)
def test_what_is_proposed_or_turned_down_takes_no_record_s_place(
    desk: Desk, tmp_path: Path, lines: str, standing: str
) -> None:
    """The other holds until that is accepted, as the text then says."""
    parts = "\n## Context\n\nSlow.\n\n## Decision\n\nStream them.\n"
    lay(tmp_path, {"0012-batch.md": f"---\nstatus: accepted\n---\n# 12. Nightly export\n{parts}"})
    lay(tmp_path, {"0031-stream.md": lines.format(standing, "31. Streaming export") + parts})
    _records(desk, tmp_path)
    (old,) = desk.store.resolve("0012-batch.md", limit=2)
    assert (old.status, {each.type for each in desk.store.relations((old.id,))}) == (Status.ACTIVE, {"relates_to"})
    lay(tmp_path, {"0031-stream.md": lines.format("accepted", "31. Streaming export") + parts})
    _records(desk, tmp_path)
    assert desk.node(old.id).status is Status.SUPERSEDED


@pytest.mark.parametrize(
    "begun",
    [
        '---\nstatus: "{proposed | accepted | deprecated | … | superseded by ADR-0012}"\n---\n# {}\n',
        "# {}\n\n* Status: [proposed | accepted | deprecated | … | superseded by [ADR-0012](0012-batch.md)]\n",
        "# {}\n\n## Status\n\n{proposed | accepted | superseded by [ADR-0012](0012-batch.md)}\n",
        "# {}\n\n## Status\n\n<!-- Superseded by [ADR-0012](0012-batch.md) -->\nAccepted\n",
        "# {}\n\nStatus: accepted, not superseded by ADR-0012\n",
        "# {}\n\nStatus: accepted\n\n~~This supersedes [the export](0012-batch.md).~~\n",
        "# {}\n\nStatus: accepted\n\n```md\nSupersedes: ADR-0012\n```\n",
        "# {}\n\nStatus: accepted\n\n- [ ] supersedes [the export](0012-batch.md)\n",
        "# {}\n\n| Status | Superseded by |\n| --- | --- |\n| accepted | none |\n",
        "# {}\n\nStatus: accepted, replaced the old logging\n",
    ],
)
def test_what_a_record_does_not_say_ends_none(desk: Desk, tmp_path: Path, begun: str) -> None:
    """A template whose choice nobody made, a comment, a denial, what is struck out, an example."""
    parts = "\n## Context\n\nSlow.\n\n## Decision\n\nStream them.\n"
    lay(tmp_path, {"adr/0012-batch.md": f"# 12. Nightly export\n\nStatus: accepted\n{parts}"})
    lay(tmp_path, {"adr/0031-stream.md": begun.replace("# {}", "# 31. Streaming export") + parts})
    _records(desk, tmp_path)
    found = [desk.store.resolve(name, limit=2)[0] for name in ("adr/0012-batch.md", "adr/0031-stream.md")]
    assert [each.status for each in found] == [Status.ACTIVE, Status.ACTIVE]
    assert {each.type for each in desk.store.relations((found[0].id,))} <= {"relates_to"}


def test_what_a_proposal_states_of_others_in_its_series_relates_it_to_them(desk: Desk, tmp_path: Path) -> None:
    """In lines made for it, whichever is read first; what is only proposed takes nobody's place."""
    lay(tmp_path, {"0012-queues.md": "# RFC-12: Queues\n\nJobs wait in lists.\n"})
    lay(tmp_path, {"0015-broker.md": "# RFC-0015: A broker of our own\n\nThree brokers run.\n"})
    lay(tmp_path, {"0007-logs.md": "# RFC-7: Logs\n\n**Depends on:** RFC-20\n"})
    text = "# RFC-20: Streams\n\n**Status:** {}\n**Supersedes:** RFC-12\n**Requires:** RFC 15\n\nJobs move.\n"
    for standing, said in (("proposed", "relates_to"), ("accepted", "supersedes")):
        lay(tmp_path, {"0020-streams.md": text.format(standing)})
        taken(desk, tmp_path)
        new, old, broker, logs = (desk.store.resolve(f"RFC-{number}", limit=2)[0] for number in (20, 12, 15, 7))
        held = desk.store.relations((new.id,))
        assert {each.target: each.type for each in held if each.source == new.id}[broker.id] == "requires"
        assert said in {each.type for each in held if old.id in {each.source, each.target}}
        assert {each.type for each in held if each.source == logs.id} == {"depends_on"}
        assert (old.status is Status.SUPERSEDED) == (standing == "accepted")


def test_a_number_of_another_series_ends_no_record(desk: Desk, tmp_path: Path) -> None:
    """The third of the proposals gives way to the thirteenth; the third decision stands."""
    decided = "# 3. Keep lists flat\n\n## Context\n\nDeep.\n\n## Decision\n\nKeep them flat.\n"
    lay(tmp_path, {"adr/0003-flat.md": decided, "nips/three.md": "---\nNIP: 3\n---\n# Nested lists\n\nNest them.\n"})
    lay(tmp_path, {"nips/thirteen.md": "---\nNIP: 13\nReplaces: 3\n---\n# Numbered lists\n\nNumber them.\n"})
    _records(desk, tmp_path)
    standing = [desk.store.resolve(name, limit=2)[0].status for name in ("adr/0003-flat.md", "nips/three.md")]
    assert standing == [Status.ACTIVE, Status.SUPERSEDED]


@pytest.mark.parametrize(
    "begun",
    [
        "## Status\n\nPartially superseded by ADR-20",
        "## Status\n\nAccepted. Supersedes the deprecated ADR-3.",
        "## Status\n\nAccepted (ADR-3 is superseded)",
        "## Status\n\nAccepted until superseded",
    ],
)
def test_a_status_that_speaks_of_another_or_of_a_part_ends_no_record(desk: Desk, tmp_path: Path, begun: str) -> None:
    """The twin says it of the whole."""
    whole = "## Status\n\nSuperseded by ADR-20"
    for folder, said, status in (("a", begun, Status.ACTIVE), ("b", whole, Status.SUPERSEDED)):
        lay(tmp_path / folder / "adr", {"0012-bus.md": f"# ADR-12: Bus\n\n{said}\n\n## Decision\n\nBus it is.\n"})
        taken(desk, tmp_path / folder, folder)
        (record,) = desk.store.find(Filter(kinds=("decision",), ontologies=(folder,)), Page(limit=9)).nodes
        assert record.status is status


def test_the_status_of_an_entry_ends_no_log(desk: Desk, tmp_path: Path) -> None:
    """It is said of the document that the entry is about."""
    log = "# Decision log\n\n## ADR-3: Kafka\n\n- Status: Superseded by ADR-9\n\nKafka it is.\n"
    record = "# ADR-9: NATS\n\n## Status\n\nAccepted\n\n## Decision\n\nNATS it is.\n"
    lay(tmp_path / "docs/adr", {"README.md": log, "0009-nats.md": record})
    taken(desk, tmp_path / "docs")
    (found,) = desk.store.resolve("Decision log", limit=2)
    assert found.status is Status.ACTIVE
    assert _types(desk, "adr/README.md") & {"supersedes"} == set()


@pytest.mark.parametrize(
    "begun",
    [
        "## Considered options\n\n* Replaces ADR-3 with streams (no replay)\n* NATS",
        "## Status\n\n- [ ] Accepted\n- [x] Proposed\n\nSupersedes: ADR-3",
        "State: draft\n\nSupersedes: ADR-3",
    ],
)
def test_an_option_and_a_draft_replace_no_record(desk: Desk, tmp_path: Path, begun: str) -> None:
    """However the record says that it is one; the twin is accepted."""
    for folder, said, status in (("a", begun, Status.ACTIVE), ("b", "Supersedes: ADR-3", Status.SUPERSEDED)):
        old = "# ADR-3: Kafka\n\n## Status\n\nAccepted\n\n## Decision\n\nKafka it is.\n"
        new = f"# ADR-20: NATS\n\n{said}\n\n## Decision\n\nNATS it is.\n"
        lay(tmp_path / folder / "adr", {"0003-kafka.md": old, "0020-nats.md": new})
        taken(desk, tmp_path / folder, folder)
        found = desk.store.find(Filter(kinds=("decision",), ontologies=(folder,)), Page(limit=9)).nodes
        assert {each.title: each.status for each in found}["Kafka"] is status


@pytest.mark.parametrize(
    "lines",
    [
        "supersedes: 0012-batch.md",
        "supersedes: ./0012-batch.md",
        "replaces:\n  - /adr/0012-batch.md",
        "obsoletes: ADR-12",
        "supersedes: ADR-12 (the nightly export)",
        "supersedes: ADR-7 and ADR-12",
        "supersedes:\n  - id: ADR-12\n    reason: cost",
        "supersedes:\n  id: ADR-12",
    ],
)
def test_a_front_matter_names_records_in_many_ways(desk: Desk, tmp_path: Path, lines: str) -> None:
    """By file, by number with an aside, in a list of fields."""
    parts = "\n## Context\n\nSlow.\n\n## Decision\n\nStream them.\n"
    lay(tmp_path, {"adr/0012-batch.md": f"# 12. Nightly export\n{parts}"})
    lay(tmp_path, {"adr/0031-stream.md": f"---\nstatus: accepted\n{lines}\n---\n# 31. Streaming export\n{parts}"})
    _records(desk, tmp_path)
    assert desk.store.resolve("adr/0012-batch.md", limit=2)[0].status is Status.SUPERSEDED
    assert _types(desk, "adr/0012-batch.md") == {"supersedes"}
