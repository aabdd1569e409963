"""Ingest: documents become nodes, relations and evidence; the same twice adds nothing; nothing is deleted."""

from __future__ import annotations

import codecs
import errno
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from services.readers import asked, ingest_of, recall_of, titles
from weft.errors import InvalidArgument, NotFound
from weft.model import (
    CaptureRequest,
    Filter,
    IngestRequest,
    Origin,
    Page,
    ReceiptRequest,
    Status,
    SuggestionKind,
    SuggestionQuery,
    Tier,
    UpdateRequest,
)
from weft.services.documents import SIZE_MAX_BYTES
from weft.text import split

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from services.desk import Desk
    from weft.model import Embedded, Ingested, Node
    from weft.ports import Embedder

SQLITE = """# 1. Keep the graph in SQLite

## Status

Accepted

## Context

The tool runs on laptops without a server.

## Decision

We will keep the graph in one SQLite file.

## Consequences

A copy of the file is a copy of the graph.
"""

POSTGRES = """# 2. Keep the graph in PostgreSQL

## Status

Accepted

## Context

Teams want to share one graph.

## Decision

We will keep shared graphs in PostgreSQL. This supersedes [ADR-1](0001-sqlite.md).

## Consequences

Somebody has to run a server.
"""

GLOSSARY = """# Glossary

**Node**: one piece of knowledge, with a title and a text.

**Relation**: a typed and reasoned connection from one node to another.

**Evidence**: the place in a source that a node or a relation rests on.
"""


@dataclass(frozen=True)
class _Asked:
    """An embedder, and how many texts it was asked for each time."""

    embedder: Embedder
    counts: list[int] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Count the texts, and embed them."""
        self.counts.append(len(texts))
        return self.embedder.embed(texts)

    def embed_words(self, texts: Sequence[str]) -> tuple[Embedded, ...]:
        """Count the texts, and embed them word by word."""
        self.counts.append(len(texts))
        return self.embedder.embed_words(texts)

    def __getattr__(self, name: str) -> object:
        return getattr(self.embedder, name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two decision records and a glossary."""
    root = tmp_path / "handbook"
    (root / "adr").mkdir(parents=True)
    (root / "adr" / "0001-sqlite.md").write_text(SQLITE, encoding="utf-8")
    (root / "adr" / "0002-postgres.md").write_text(POSTGRES, encoding="utf-8")
    (root / "glossary.md").write_text(GLOSSARY, encoding="utf-8")
    return root


def _ingest(desk: Desk, root: Path, *paths: Path, **fields: str) -> Ingested:
    return ingest_of(desk).ingest(IngestRequest(paths=paths, roots=(root,), **fields), desk.call(tool="ingest"))


def _titled(desk: Desk, title: str) -> Node:
    return next(node for node in desk.standing() if node.title == title)


def _types(desk: Desk, *titles: str) -> set[tuple[str, str, str]]:
    named = {node.id: node.title for node in desk.standing()}
    relations = desk.store.relations(list(named), per_node=100)
    return {
        (named[each.source], each.type, named[each.target])
        for each in relations
        if {named[each.source], named[each.target]} <= set(titles)
    }


def test_a_folder_becomes_nodes_relations_and_evidence(desk: Desk, folder: Path) -> None:
    """Decisions, documents and defined terms are there, counted truly, each of origin document in its own ontology."""
    told = _ingest(desk, folder)
    assert (told.documents, told.unchanged, told.skipped) == (3, 0, ())
    counts = desk.store.counts()
    assert told.nodes_made == counts.nodes
    assert told.relations == counts.relations
    kinds = {node.title: node.kind for node in desk.standing()}
    assert kinds["Keep the graph in SQLite"] == "decision"
    assert kinds["Glossary"] == "document"
    assert kinds["Node"] == kinds["Relation"] == kinds["Evidence"] == "concept"
    assert {node.origin for node in desk.standing()} == {Origin.DOCUMENT}
    assert _titled(desk, "Keep the graph in SQLite").ontology == "adr"
    assert _titled(desk, "Glossary").ontology == "handbook"


def test_every_quote_stands_where_its_evidence_says(desk: Desk, folder: Path) -> None:
    """Each node rests on a place in a source that holds the whole document, word for word."""
    told = _ingest(desk, folder)
    relations = desk.store.relations([node.id for node in desk.standing()], per_node=100)
    evidence = desk.store.evidence([*(node.id for node in desk.standing()), *(each.id for each in relations)])
    sources = desk.store.sources([each.source for each in evidence])
    assert {source.text for source in sources.values()} == {SQLITE, POSTGRES, GLOSSARY}
    assert {node.id for node in desk.standing()} <= {each.subject for each in evidence}
    assert told.evidence == len(evidence)
    for each in evidence:
        assert sources[each.source].text[each.start : each.end] == each.quote
        assert each.quote


def test_a_superseding_record_marks_the_old_one(desk: Desk, folder: Path) -> None:
    """The relation points from new to old, rests on the sentence that says so, and the old record sinks."""
    _ingest(desk, folder)
    new, old = _titled(desk, "Keep the graph in PostgreSQL"), _titled(desk, "Keep the graph in SQLite")
    (relation,) = desk.store.relations((new.id,), types=("supersedes",))
    assert (relation.source, relation.target, relation.origin) == (new.id, old.id, Origin.DOCUMENT)
    (evidence,) = desk.store.evidence((relation.id,))
    assert "supersedes" in evidence.quote
    assert old.status is Status.SUPERSEDED


def test_a_field_that_names_the_old_record_marks_it(desk: Desk, tmp_path: Path) -> None:
    """Without a link or a sentence: the number is enough, once, and as the document's own word."""
    for number, line in ((10, ""), (11, "Supersedes: ADR-0010\n")):
        text = f"# ADR-{number:04}: Session store {number}\n\nStatus: accepted\n{line}\nSessions are kept.\n"
        (tmp_path / f"{number:04}-store.md").write_text(text, encoding="utf-8")
    _ingest(desk, tmp_path)
    new, old = _titled(desk, "Session store 11"), _titled(desk, "Session store 10")
    (relation,) = desk.store.relations((new.id,))
    assert (relation.type, relation.target, relation.origin) == ("supersedes", old.id, Origin.DOCUMENT)
    assert (old.status, new.status) == (Status.SUPERSEDED, Status.ACTIVE)


@pytest.mark.parametrize(
    ("said", "ended"),
    [("This replaces ADR-10.", True), ("A sentence like «This replaces ADR-10» is read, and so is a list.", False)],
    ids=["said", "quoted"],
)
def test_what_a_page_quotes_ends_no_record(desk: Desk, tmp_path: Path, said: str, *, ended: bool) -> None:
    """An example in a how-to is nobody's word; the two are related all the same."""
    record = "# ADR-0010: Session store\n\nStatus: accepted\n\nSessions are kept in memory.\n"
    (tmp_path / "0010-store.md").write_text(record, encoding="utf-8")
    (tmp_path / "how-to.md").write_text(f"# How sentences are read\n\n{said}\n", encoding="utf-8")
    _ingest(desk, tmp_path)
    old, page = _titled(desk, "Session store"), _titled(desk, "How sentences are read")
    told = {each.type for each in desk.store.relations((page.id,)) if old.id in (each.source, each.target)}
    assert told == ({"supersedes"} if ended else {"relates_to"})
    assert old.status is (Status.SUPERSEDED if ended else Status.ACTIVE)


def test_a_record_that_names_a_later_one_is_linked_in_the_second_pass(desk: Desk, folder: Path) -> None:
    """Whichever is read first: «superseded by» finds its successor too."""
    (folder / "adr" / "0001-sqlite.md").write_text(
        SQLITE.replace("Accepted", "Superseded by [ADR-2](0002-postgres.md)"), encoding="utf-8"
    )
    (folder / "adr" / "0002-postgres.md").write_text(
        POSTGRES.replace(" This supersedes [ADR-1](0001-sqlite.md).", ""), encoding="utf-8"
    )
    _ingest(desk, folder)
    new, old = _titled(desk, "Keep the graph in PostgreSQL"), _titled(desk, "Keep the graph in SQLite")
    (relation,) = desk.store.relations((new.id,), types=("supersedes",))
    assert (relation.source, relation.target) == (new.id, old.id)
    assert old.status is Status.SUPERSEDED


def test_a_document_that_arrives_later_is_linked_from_the_ones_before(desk: Desk, folder: Path) -> None:
    """An unchanged document that named it is joined to it when it comes, and nothing else is written."""
    first = folder / "adr" / "0001-sqlite.md"
    first.write_text(SQLITE + "\nIt requires [the locks](0003-locks.md).\n", encoding="utf-8")
    _ingest(desk, folder)
    (folder / "adr" / "0003-locks.md").write_text(
        "# 3. Lock the file\n\n## Decision\n\nWe will lock the file.\n\n## Context\n\nTwo writers.\n", encoding="utf-8"
    )
    told = _ingest(desk, folder)
    assert (told.documents, told.unchanged) == (1, 3)
    assert ("Keep the graph in SQLite", "requires", "Lock the file") in _types(
        desk, "Keep the graph in SQLite", "Lock the file"
    )
    before = desk.measure()
    _ingest(desk, folder)
    assert desk.measure() == before


def test_the_same_again_adds_nothing(desk: Desk, folder: Path) -> None:
    """Not a node, not a piece of evidence, not a line in the log."""
    _ingest(desk, folder)
    before = desk.measure()
    told = _ingest(desk, folder)
    assert (told.documents, told.unchanged, told.nodes_made, told.batches) == (0, 3, 0, ())
    assert desk.measure() == before


def test_a_changed_document_updates_what_it_says_differently(desk: Desk, folder: Path) -> None:
    """The term keeps its id and gets the new text; its neighbours are not touched."""
    _ingest(desk, folder)
    node, relation = _titled(desk, "Node"), _titled(desk, "Relation")
    text = "# Glossary\n\nA word before.\n" + GLOSSARY.removeprefix("# Glossary\n").replace("one piece", "one atom")
    (folder / "glossary.md").write_text(text, encoding="utf-8")
    told = _ingest(desk, folder)
    assert (told.documents, told.unchanged, told.nodes_made, told.marked) == (1, 2, 0, 0)
    assert "one atom" in desk.node(node.id).content
    assert desk.node(node.id).version == node.version + 1
    assert desk.node(relation.id) == relation
    assert len(desk.store.evidence((relation.id,))) == 1, "said in the same words, it needs no further evidence"
    before, now = desk.store.evidence((node.id,))
    assert "one piece" in before.quote, "what the document said before is kept beside what it says now"
    assert desk.store.sources((now.source,))[now.source].text == text
    assert text[now.start : now.end] == now.quote


def test_what_a_document_says_no_more_waits_for_a_review(desk: Desk, folder: Path) -> None:
    """The node stays and can be found; its status asks for a look, and so does an item in the review."""
    _ingest(desk, folder)
    gone = _titled(desk, "Relation")
    text = "\n\n".join(part for part in GLOSSARY.split("\n\n") if "Relation" not in part)
    (folder / "glossary.md").write_text(text, encoding="utf-8")
    told = _ingest(desk, folder)
    assert told.marked == 1
    after = desk.node(gone.id)
    assert (after.status, after.retired, after.content) == (Status.NEEDS_REVIEW, None, gone.content)
    items, total = desk.store.suggestions(SuggestionQuery(kinds=(SuggestionKind.STALE,)))
    assert (total, items[0].subjects) == (1, (gone.id,))
    assert _ingest(desk, folder).marked == 0


def test_a_persons_edit_survives_an_unrelated_change(desk: Desk, folder: Path) -> None:
    """What was rewritten in the graph is overwritten only if the document itself says something new about it."""
    _ingest(desk, folder)
    node = _titled(desk, "Node")
    desk.capture.update(UpdateRequest(id=node.id, content="A node is an atom of knowledge."), desk.call())
    (folder / "glossary.md").write_text(GLOSSARY + "\n**Leap**: how far a synthesis jumps.\n", encoding="utf-8")
    told = _ingest(desk, folder)
    assert told.nodes_made == 1
    assert desk.node(node.id).content == "A node is an atom of knowledge."


def test_a_concept_that_is_known_is_reused(desk: Desk, folder: Path) -> None:
    """A second document that defines the same term adds its evidence to the node that is there."""
    _ingest(desk, folder)
    node = _titled(desk, "Node")
    (folder / "primer.md").write_text(
        "# Primer\n\nSome words first.\n\n## Terms\n\n"
        "**Node**: one piece of knowledge, which has a title and a text.\n",
        encoding="utf-8",
    )
    told = _ingest(desk, folder)
    assert (told.nodes_made, told.nodes_reused) == (1, 1)
    assert desk.node(node.id).content == node.content
    assert len(desk.store.evidence((node.id,))) == 2
    (folder / "primer.md").write_text("# Primer\n\nNothing is defined any more.\n", encoding="utf-8")
    assert _ingest(desk, folder).marked == 0, "the glossary still says it"
    assert desk.node(node.id).status is Status.ACTIVE


def test_the_opposite_of_what_is_known_is_not_reused(desk: Desk, folder: Path) -> None:
    """The twin of the test above: likeness is not agreement."""
    _ingest(desk, folder)
    (folder / "primer.md").write_text(
        "# Primer\n\n## Terms\n\n**Relation**: an untyped connection, not a typed and reasoned one, from one node to "
        "another.\n\n**Anchor**: a heavy thing that keeps a ship where it is.\n",
        encoding="utf-8",
    )
    told = _ingest(desk, folder)
    assert _titled(desk, "Anchor").origin is Origin.DOCUMENT
    assert told.nodes_made >= 2


def test_an_override_names_the_ontology_of_all(desk: Desk, folder: Path) -> None:
    """Instead of each document's folder."""
    _ingest(desk, folder, ontology="manuals")
    assert {node.ontology for node in desk.standing()} == {"manuals"}


def test_one_text_is_a_document_too(desk: Desk) -> None:
    """Named or not, and the same text twice is one."""
    ingest = ingest_of(desk)
    told = ingest.ingest(IngestRequest(text=GLOSSARY, document="terms"), desk.call())
    assert told.documents == 1
    assert _titled(desk, "Node").ontology == "notes"
    assert desk.store.source_of("terms", "notes") is not None
    assert ingest.ingest(IngestRequest(text=GLOSSARY, document="terms"), desk.call()).unchanged == 1
    assert ingest.ingest(IngestRequest(text="Just a line."), desk.call()).documents == 1
    assert ingest.ingest(IngestRequest(text="Just a line."), desk.call()).unchanged == 1


def test_every_line_of_a_long_document_can_be_found(desk: Desk, tmp_path: Path) -> None:
    """What one node cannot hold goes on in parts, which belong to it."""
    paragraph = "The ferry crosses the sound twice a day and carries bicycles free of charge. " * 12
    text = "# Timetable\n\n" + "\n\n".join(f"{paragraph}" for _ in range(120))
    text += "\n\nThe zebrafish aquarium closes at noon.\n"
    assert len(text) > 100_000
    (tmp_path / "long.md").write_text(text, encoding="utf-8")
    _ingest(desk, tmp_path)
    hit = recall_of(desk, tmp_path).search(asked("when does the zebrafish aquarium close"), desk.call()).hits[0]
    assert hit.node.title == "Timetable (part 2)"
    assert "zebrafish" in hit.snippet
    assert ("Timetable (part 2)", "part_of", "Timetable") in _types(desk, "Timetable", "Timetable (part 2)")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_a_text_that_says_how_it_is_encoded_is_read(desk: Desk, tmp_path: Path, encoding: str) -> None:
    """As editors of some computers save it, with a mark of the order of bytes at its beginning."""
    mark = codecs.BOM_UTF16_BE if encoding == "utf-16-be" else b""
    (tmp_path / "会议.md").write_bytes(mark + "# 会议\r\n\r\n会议星期一开始。\r\n".encode(encoding))
    assert not _ingest(desk, tmp_path).skipped
    (node,) = desk.standing()
    assert (node.title, node.content) == ("会议", "# 会议\n\n会议星期一开始。")


def test_bad_files_are_named_and_stop_nothing(desk: Desk, folder: Path) -> None:
    """Not UTF-8, too large, hidden, not a regular file, a link out of the roots: each with its reason."""
    (folder / "latin.md").write_bytes(b"# Caf\n\nfine\ncaf\xe9\n")
    (folder / "half.md").write_bytes(codecs.BOM_UTF16_LE + b"#\0 \0\x00\xdc")
    (folder / "huge.md").write_bytes(b"x" * (SIZE_MAX_BYTES + 1))
    (folder / ".hidden.md").write_text("secret", encoding="utf-8")
    (folder / ".git").mkdir()
    (folder / "empty.md").write_text("", encoding="utf-8")
    outside = folder.parent / "outside.md"
    outside.write_text("# Outside", encoding="utf-8")
    (folder / "link.md").symlink_to(outside)
    (folder / "loop").symlink_to(folder)
    told = _ingest(desk, folder)
    reasons = {path.removeprefix(f"{folder}/"): reason for path, reason in told.skipped}
    assert told.documents == 4
    assert reasons["latin.md"] == "document: line 4 is not UTF-8; save it as UTF-8"
    assert reasons["half.md"] == "document: line 1 is not UTF-16; save it as UTF-8"
    assert "larger" in reasons["huge.md"]
    assert {"hidden" in reasons[name] for name in (".hidden.md", ".git")} == {True}
    assert "leads out" in reasons["link.md"]
    assert "not followed" in reasons["loop"]
    assert not any("Outside" in node.title for node in desk.standing())


def test_a_link_to_itself_stops_nothing(desk: Desk, folder: Path) -> None:
    """Neither beside other documents nor by name; a name longer than any file's is simply not there."""
    (folder / "self.md").symlink_to("self.md")
    told = _ingest(desk, folder)
    assert told.documents == 3
    assert [path for path, _ in told.skipped] == ["self.md"]
    for missing in (folder / "self.md", folder / ("x" * 300 + ".md")):
        with pytest.raises(NotFound, match="there is nothing at"):
            _ingest(desk, folder, missing)


def test_a_name_that_is_not_utf8_is_told_and_stops_nothing(desk: Desk, folder: Path) -> None:
    """A file or a folder from another system's archive; the report itself is text that can be written."""
    try:
        (folder / "caf\udce9.md").write_text("# Menu", encoding="utf-8")
        (folder / ".\udce9").mkdir()
    except OSError as error:
        if error.errno != errno.EILSEQ:
            raise
        pytest.skip("this file system takes names in UTF-8 only")
    told = _ingest(desk, folder)
    assert told.documents == 3
    reasons = {path.removeprefix(f"{folder}/"): reason for path, reason in told.skipped}
    assert reasons == {"caf\\udce9.md": "its name is not UTF-8", ".\\udce9": "hidden folders are not read"}


def test_hidden_deep_and_foreign_files_are_left_out_even_by_name(desk: Desk, folder: Path) -> None:
    """Naming them does not help; a relative path and one with detours name the same document as the folder does."""
    (folder / ".git").mkdir()
    (folder / ".git" / "note.md").write_text("# Secret", encoding="utf-8")
    (folder / "photo.png").write_bytes(b"png")
    deep = folder.joinpath(*(str(level) for level in range(22)))
    deep.mkdir(parents=True)
    (deep / "deep.md").write_text("# Deep", encoding="utf-8")
    told = _ingest(desk, folder, folder / ".git" / "note.md", folder / "photo.png", folder / "0")
    assert told.documents == 0
    assert [reason.split()[0] for _, reason in told.skipped] == ["hidden", "not", "folders"]
    assert _ingest(desk, folder, type(folder)("glossary.md")).documents == 1
    assert _ingest(desk, folder, folder / "adr" / ".." / "glossary.md").unchanged == 1
    assert _ingest(desk, folder).unchanged == 1


def test_paths_outside_the_roots_are_refused(desk: Desk, folder: Path) -> None:
    """Absolute or climbing; nothing is read or written."""
    before = desk.measure()
    for path in (folder.parent / "elsewhere.md", folder / ".." / "notes.db"):
        with pytest.raises(InvalidArgument, match="allowed"):
            _ingest(desk, folder, path)
    with pytest.raises(InvalidArgument, match="root"):
        ingest_of(desk).ingest(IngestRequest(paths=(folder,)), desk.call())
    with pytest.raises(NotFound, match="paths"):
        _ingest(desk, folder, folder / "no-such.md")
    assert desk.measure() == before


def test_what_the_rules_add_is_a_batch_of_its_own(desk: Desk, folder: Path) -> None:
    """Undoing it takes the automatic relations back and leaves what the documents said."""
    (folder / "parts.md").write_text(
        "# Parts\n\n## Terms\n\n**Mirror**: a copy of the graph on disk. It depends on the Watcher.\n\n"
        "**Watcher**: a process that looks for changed files.\n",
        encoding="utf-8",
    )
    told = _ingest(desk, folder)
    relations = desk.store.relations([node.id for node in desk.standing()], per_node=100)
    inferred = [each for each in relations if each.origin is Origin.INFERRED]
    assert ("Mirror", "depends_on", "Watcher") in _types(desk, "Mirror", "Watcher")
    assert inferred
    assert all(each.rule for each in inferred)
    desk.curate.undo(told.batches[-1], desk.call())
    left = desk.store.relations([node.id for node in desk.standing()], per_node=100)
    assert {each.id for each in left} == {each.id for each in relations} - {each.id for each in inferred}


def test_an_undone_document_can_be_taken_in_again(desk: Desk, folder: Path) -> None:
    """Its source stays in the graph, but its nodes are gone, so it is not unchanged."""
    told = _ingest(desk, folder, folder / "glossary.md")
    for batch in reversed(told.batches):
        desk.curate.undo(batch, desk.call())
    assert desk.standing() == ()
    assert _ingest(desk, folder, folder / "glossary.md").nodes_made == told.nodes_made


def test_reading_one_long_document_can_be_given_up(desk: Desk) -> None:
    """While its text is searched for what it states, whoever asked may leave: nothing is embedded, nothing written."""
    terms = [f"## Lathe {number}\n\nA lathe{number} is a machine for wood of {number} mm." for number in range(40)]
    request = IngestRequest(text="\n\n".join(("# Glossary", *terms)), document="glossary.md")
    asked = _Asked(desk.embedder)
    heard: list[str] = []

    def leave(_done: int, _total: int, message: str) -> None:
        heard.append(message)
        if len(heard) > 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest_of(replace(desk, embedder=asked)).ingest(request, replace(desk.call(), progress=leave))
    assert heard == ["reading glossary.md"] * 5
    assert not asked.counts
    assert not desk.standing()


def test_embedding_one_long_node_can_be_given_up(desk: Desk) -> None:
    """A node of many passages is embedded a few passages at a time, and between them whoever asked may leave."""
    text = "\n\n".join(" ".join(f"w{number}{each}" for each in range(100)) for number in range(70))
    asked = _Asked(desk.embedder)

    def leave(*_: object) -> None:
        if asked.counts:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest_of(replace(desk, embedder=asked)).ingest(
            IngestRequest(text=text, document="words.txt"), replace(desk.call(), progress=leave)
        )
    assert len(split(text)) > 64
    assert asked.counts == [32]
    assert not desk.standing()


def test_progress_is_told_and_cancelling_keeps_what_was_done(desk: Desk, folder: Path) -> None:
    """The document before the cancellation is whole, and the next call goes on from there."""

    class Cancelled(BaseException):
        """Raised by the caller's own progress function."""

    told: list[tuple[int, int, str]] = []

    def note(done: int, total: int, message: str) -> None:
        told.append((done, total, message))
        if done == 1:
            raise Cancelled

    request = IngestRequest(roots=(folder,))
    with pytest.raises(Cancelled):
        ingest_of(desk).ingest(request, replace(desk.call(), progress=note))
    assert list(dict.fromkeys(told)) == [(0, 3, "reading glossary.md"), (1, 3, "reading adr/0001-sqlite.md")]
    assert desk.store.counts().sources == 1
    again = _ingest(desk, folder)
    assert (again.documents, again.unchanged) == (2, 1)


def test_a_repeated_call_is_answered_from_its_receipt(desk: Desk, folder: Path) -> None:
    """The receipt is written with the last batch, even where that holds nothing else."""
    call = replace(desk.call(tool="ingest"), receipt=ReceiptRequest(key="k", digest="d", seal=repr))
    told = ingest_of(desk).ingest(IngestRequest(roots=(folder,)), call)
    receipt = desk.store.receipt(actor="ada", tool="ingest", key="k")
    assert receipt is not None
    assert receipt.answer == repr(told)


def test_a_reader_cannot_ingest(desk: Desk, folder: Path) -> None:
    """The engine refuses on its own, and nothing is left behind."""
    from weft.errors import PermissionDenied

    before = desk.measure()
    with pytest.raises(PermissionDenied):
        ingest_of(desk).ingest(IngestRequest(roots=(folder,)), desk.call(tier=Tier.READER))
    assert desk.measure() == before


def test_what_a_document_said_is_not_forgotten_by_what_thinks(desk: Desk, folder: Path) -> None:
    """Captured notes and documents live side by side, and a search tells them apart by their origin."""
    _ingest(desk, folder)
    desk.capture.capture(CaptureRequest(content="The graph may move to a server one day.", kind="insight"), desk.call())
    hits = recall_of(desk, folder).search(asked("where is the graph kept"), desk.call())
    origins = {hit.node.title: hit.node.origin for hit in hits.hits}
    assert origins["Keep the graph in PostgreSQL"] is Origin.DOCUMENT
    assert Origin.MANUAL in origins.values()
    assert "Keep the graph in SQLite" in titles(hits)
    found = desk.store.find(Filter(kinds=("decision",)), Page(limit=10))
    assert found.total == 2


def test_a_new_part_of_a_document_is_led_to_by_the_title_that_came_with_it(desk: Desk) -> None:
    """And by the old title nothing is any more: both are written together, so that the index knows the old one only."""
    ingest = ingest_of(desk)
    ingest.ingest(IngestRequest(text="# Kiln\n\nA kiln is hot.\n", document="firing.md"), desk.call())
    other = desk.add("A kiln needs a chimney.", title="Chimney").node
    said = "# Oven\n\n# Bread\n\nBread is a food that comes out of the oven, not of a kiln.\n"
    ingest.ingest(IngestRequest(text=said, document="firing.md"), desk.call())
    named = {(each.node, each.target) for each in desk.shelf.mentions([_titled(desk, "Oven").id], per_node=50)}
    assert (_titled(desk, "Bread").id, _titled(desk, "Oven").id) in named
    assert (other.id, _titled(desk, "Oven").id) not in named
