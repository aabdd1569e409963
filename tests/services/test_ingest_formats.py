"""Documents of every format: the same promises hold for HTML, PDF and DOCX as for Markdown and plain text."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

import papers
from engine import graph_at
from services.readers import asked, ingest_of, recall_of
from weft.errors import InvalidArgument
from weft.model import IngestRequest, Origin, Page, Status, SuggestionKind, SuggestionQuery
from weft.services.documents import SIZE_MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from services.desk import Desk
    from weft.model import Calibration, Embedded, Ingested, Node
    from weft.ports import Embedder

FORMATS = ("md", "txt", "html", "pdf", "docx")
NODE = "**Node**: one piece of knowledge, with a title and a text."
RELATION = "**Relation**: a typed and reasoned connection from one node to another."
CLAIM = "Delivery through the queue is 30% slower than a direct call."


def _bytes(suffix: str, paragraphs: Sequence[str]) -> bytes:
    """Return a glossary with these paragraphs in the format of ``suffix``."""
    if suffix in {"md", "txt"}:
        return ("# Glossary\n\n" + "\n\n".join(paragraphs) + "\n").encode()
    if suffix == "html":
        said = [f"<p>{part.replace('**', '<b>', 1).replace('**', '</b>', 1)}</p>" for part in paragraphs]
        return papers.html(f"<h1>Glossary</h1>{''.join(said)}<script>x = 1</script>")
    if suffix == "docx":
        return papers.docx(papers.heading("Glossary"), *map(papers.paragraph, paragraphs))
    pages = [[(20.0, "Glossary"), "", *_spaced(paragraphs[:2])], _spaced(paragraphs[2:])]
    return papers.pdf([page for page in pages if page])


def _spaced(paragraphs: Sequence[str]) -> list[str]:
    return [line for part in paragraphs for line in (part.replace("**", ""), "")]


def _ingest(desk: Desk, root: Path, *paths: Path, **fields: Any) -> Ingested:  # noqa: ANN401 - fields of a request
    return ingest_of(desk).ingest(IngestRequest(paths=paths, roots=(root,), **fields), desk.call(tool="ingest"))


def _titled(desk: Desk, title: str) -> Node:
    return next(node for node in desk.standing() if node.title == title)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder of documents."""
    root = tmp_path / "handbook"
    root.mkdir()
    return root


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_gives_the_same_nodes_with_quotes_that_stand(desk: Desk, folder: Path, suffix: str) -> None:
    """Terms and claims, each resting on a place in the text that is kept."""
    (folder / f"glossary.{suffix}").write_bytes(_bytes(suffix, (NODE, RELATION, CLAIM)))
    told = _ingest(desk, folder)
    assert (told.documents, told.documents_new, told.skipped) == (1, 1, ())
    kinds = {node.title: node.kind for node in desk.standing()}
    assert kinds == {
        "Glossary": "document",
        "Node": "concept",
        "Relation": "concept",
        CLAIM.rstrip("."): "claim",
    }
    assert {node.origin for node in desk.standing()} == {Origin.DOCUMENT}
    evidence = desk.store.evidence([node.id for node in desk.standing()])
    sources = desk.store.sources([each.source for each in evidence])
    assert all(sources[each.source].text[each.start : each.end] == each.quote for each in evidence)
    hit = recall_of(desk, folder.parent).search(asked("how slow is delivery through the queue"), desk.call()).hits[0]
    assert "30% slower" in hit.node.content


@pytest.mark.parametrize("suffix", FORMATS)
def test_the_same_again_adds_nothing_in_any_format(desk: Desk, folder: Path, suffix: str) -> None:
    """Not a node, not a line in the log."""
    (folder / f"glossary.{suffix}").write_bytes(_bytes(suffix, (NODE, RELATION, CLAIM)))
    _ingest(desk, folder)
    before = desk.measure()
    told = _ingest(desk, folder)
    assert (told.documents, told.unchanged, told.batches) == (0, 1, ())
    assert desk.measure() == before


@pytest.mark.parametrize("suffix", FORMATS)
def test_what_changed_is_updated_and_what_vanished_waits_in_any_format(desk: Desk, folder: Path, suffix: str) -> None:
    """The term keeps its id; the one that is gone is marked for review, not deleted."""
    file = folder / f"glossary.{suffix}"
    file.write_bytes(_bytes(suffix, (NODE, RELATION, CLAIM)))
    _ingest(desk, folder)
    node, gone = _titled(desk, "Node"), _titled(desk, "Relation")
    file.write_bytes(_bytes(suffix, (NODE.replace("one piece", "one atom"), CLAIM)))
    told = _ingest(desk, folder)
    assert (told.documents, told.documents_new, told.nodes_made, told.marked) == (1, 0, 0, 1)
    assert "one atom" in desk.node(node.id).content
    after = desk.node(gone.id)
    assert (after.status, after.retired, after.content) == (Status.NEEDS_REVIEW, None, gone.content)
    items, total = desk.store.suggestions(SuggestionQuery(kinds=(SuggestionKind.STALE,)))
    assert (total, items[0].subjects) == (1, (gone.id,))
    assert _ingest(desk, folder).marked == 0


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_known_concept_is_reused_in_any_format_and_the_rate_is_told(desk: Desk, folder: Path, suffix: str) -> None:
    """A second document adds its evidence to the node that is there; its opposite gets a node of its own."""
    (folder / "primer.md").write_bytes(_bytes("md", (NODE, RELATION)))
    _ingest(desk, folder)
    known = _titled(desk, "Node")
    (folder / f"second.{suffix}").write_bytes(
        _bytes(
            suffix, (NODE.replace("with a title", "which has a title"), "**Anchor**: a heavy thing that keeps a ship.")
        )
    )
    told = _ingest(desk, folder)
    assert (told.nodes_reused, told.nodes_made, told.documents_new) == (1, 2, 1)
    assert told.reuse_rate == 0.5
    assert len(desk.store.evidence((known.id,))) == 2


def test_the_place_in_a_pdf_is_its_page(desk: Desk, folder: Path) -> None:
    """Counted from 1; the numbers of pages stand in the kept text and in no node."""
    (folder / "glossary.pdf").write_bytes(_bytes("pdf", (NODE, RELATION, CLAIM)))
    _ingest(desk, folder)
    pages = {node.title: desk.store.evidence((node.id,))[0].paragraph for node in desk.standing()}
    assert pages == {"Glossary": 1, "Node": 1, "Relation": 1, CLAIM.rstrip("."): 2}
    assert not any("<!--" in node.content for node in desk.standing())
    assert (
        "<!-- page 2 -->"
        in next(iter(desk.store.sources([desk.store.source_of("glossary.pdf", "handbook").id]).values())).text
    )


def test_a_pdf_that_moves_a_page_on_leaves_its_nodes_alone(desk: Desk, folder: Path) -> None:
    """What is said in the same words needs no update and no further evidence."""
    file = folder / "glossary.pdf"
    file.write_bytes(_bytes("pdf", (NODE, RELATION, CLAIM)))
    _ingest(desk, folder)
    node = _titled(desk, "Node")
    file.write_bytes(
        _bytes("pdf", ("A foreword of a few words.", "Another one of a few words.", NODE, RELATION, CLAIM))
    )
    told = _ingest(desk, folder)
    assert (told.documents, told.nodes_made, told.marked) == (1, 0, 0)
    assert desk.node(node.id) == node


def test_pages_that_name_each_other_are_joined(desk: Desk, folder: Path) -> None:
    """Links of HTML and of Markdown, with the verb before them."""
    (folder / "a.html").write_bytes(papers.html('<h1>Alpha</h1><p>It depends on <a href="b.html">beta</a>.'))
    (folder / "b.html").write_bytes(papers.html("<h1>Beta</h1><p>A page that stands alone."))
    (folder / "c.md").write_text("# Gamma\n\nThis extends [the report](d.docx).\n", encoding="utf-8")
    (folder / "d.docx").write_bytes(papers.docx(papers.heading("Delta"), papers.paragraph("A report of its own.")))
    _ingest(desk, folder)
    ids = {node.id: node.title for node in desk.standing()}
    said = {(ids[each.source], each.type, ids[each.target]) for each in desk.store.relations(list(ids))}
    assert {("Alpha", "depends_on", "Beta"), ("Gamma", "extends", "Delta")} <= said


def test_bad_files_of_every_format_stop_nothing(desk: Desk, folder: Path) -> None:
    """Broken, encrypted, empty, too large, a bomb: each is named with its reason, and the good ones are in."""
    (folder / "a.pdf").write_bytes(b"%PDF-1.7\nnothing")
    (folder / "b.docx").write_bytes(b"PK\x03\x04")
    (folder / "c.pdf").write_bytes(papers.pdf_of([papers.stream(b" " * 100_000_000)]))
    (folder / "d.docx").write_bytes(papers.docx(document=b"<w:document>" + b" " * 60_000_000 + b"</w:document>"))
    (folder / "e.html").write_bytes(b"x" * 10_000_001)
    (folder / "f.txt").write_bytes(b"x" * (SIZE_MAX_BYTES + 1))
    (folder / "good.docx").write_bytes(_bytes("docx", (NODE,)))
    (folder / "good.html").write_bytes(_bytes("html", (RELATION,)))
    told = _ingest(desk, folder)
    reasons = dict(told.skipped)
    assert set(reasons) == {"a.pdf", "b.docx", "c.pdf", "d.docx", "e.html", "f.txt"}
    assert [word in reasons[name] for name, word in (("a.pdf", "broken"), ("d.docx", "unpacks"), ("e.html", "larger"))]
    assert told.documents == 2
    assert {"Node", "Relation"} <= {node.title for node in desk.standing()}


def test_a_nul_is_left_out_of_what_is_rendered_and_refused_in_a_text_and_either_is_told(
    desk: Desk, folder: Path
) -> None:
    """A text that holds one is no text; of a page the rest is as good as it was."""
    (folder / "page.html").write_bytes(papers.html("<h1>Kilns</h1><p>They are fired to 1250\0 degrees."))
    (folder / "notes.md").write_bytes("# Glazes\n\nThey melt.".encode("utf-16-le").replace(b"\n\0", b"\n"))
    (folder / "good.md").write_bytes(b"# Clay\n\nIt shrinks when it is fired.\n")
    reasons = dict(_ingest(desk, folder).skipped)
    assert reasons["page.html"] == "read, but NUL is left out, 1 times"
    assert "holds a NUL at character 1" in reasons["notes.md"]
    assert {"Kilns", "Clay"} <= {node.title for node in desk.standing()}
    assert "1250 degrees" in next(node.content for node in desk.standing() if node.title == "Kilns")


def test_a_missing_library_leaves_out_its_files_and_names_the_extra(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that reads finds no pypdf; the other files are taken in."""
    (folder / "a.pdf").write_bytes(_bytes("pdf", (NODE,)))
    (folder / "b.md").write_bytes(_bytes("md", (RELATION,)))
    (folder / "shadow").mkdir()
    (folder / "shadow" / "pypdf.py").write_text("raise ModuleNotFoundError('pypdf')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder / "shadow"))
    told = _ingest(desk, folder)
    assert told.documents == 1
    assert "weft-graph[ingest]" in dict(told.skipped)["a.pdf"]


def test_a_folder_that_becomes_a_link_on_the_way_is_not_followed(desk: Desk, folder: Path) -> None:
    """Between the walk and the reading somebody puts a link in place of a folder; nothing outside is read."""
    inner = folder / "inner"
    inner.mkdir()
    (inner / "note.md").write_bytes(_bytes("md", (NODE,)))
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "note.md").write_text("# Secret\n", encoding="utf-8")
    (folder / "a.md").write_text("# First\n", encoding="utf-8")

    def swap(_done: int, _total: int, message: str) -> None:
        if "reading inner" in message and not inner.is_symlink():
            inner.rename(folder.parent / "moved")
            inner.symlink_to(outside)

    told = ingest_of(desk).ingest(IngestRequest(roots=(folder,)), replace(desk.call(), progress=swap))
    assert [name for name, _ in told.skipped] == ["inner/note.md"]
    assert [node.title for node in desk.standing()] == ["First"]


@dataclass(frozen=True)
class Interrupted:
    """The real embedder, which lets somebody else do something in the middle of a plan, once."""

    inner: Embedder
    meanwhile: list[Callable[[], object]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The model's name."""
        return self.inner.name

    @property
    def dimension(self) -> int:
        """The model's dimension."""
        return self.inner.dimension

    @property
    def calibration(self) -> Calibration:
        """The model's map."""
        return self.inner.calibration

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the vectors."""
        return self.inner.embed(texts)

    def embed_words(self, texts: Sequence[str]) -> tuple[Embedded, ...]:
        """Return the texts word by word, after what was to happen meanwhile."""
        if self.meanwhile:
            self.meanwhile.pop()()
        return self.inner.embed_words(texts)


@pytest.mark.parametrize("suffix", ["md", "html"])
def test_two_who_take_in_one_document_at_once_make_one_node(
    desk: Desk, second: Desk, folder: Path, suffix: str
) -> None:
    """The second has planned on an empty graph when the first commits; it plans again and finds it all there."""
    (folder / f"glossary.{suffix}").write_bytes(_bytes(suffix, (NODE, RELATION)))
    made: list[Ingested] = []
    slow = Interrupted(second.embedder, [lambda: made.append(_ingest(desk, folder))])
    told = _ingest(replace(second, embedder=slow), folder)
    assert (made[0].documents, told.documents, told.unchanged) == (1, 0, 1)
    assert sorted(node.title for node in desk.standing()) == ["Glossary", "Node", "Relation"]


def test_two_who_take_in_different_texts_of_one_document_keep_both_in_order(
    desk: Desk, second: Desk, folder: Path
) -> None:
    """The later one is an update of the earlier, not a twin, and what it says no more is marked."""
    file = folder / "glossary.md"
    file.write_bytes(_bytes("md", (NODE, RELATION)))

    def meanwhile() -> None:
        file.write_bytes(_bytes("md", (NODE.replace("one piece", "one atom"),)))
        _ingest(desk, folder)

    slow = Interrupted(second.embedder, [meanwhile])
    told = _ingest(replace(second, embedder=slow), folder)
    assert (told.documents, told.documents_new) == (1, 0)
    assert sorted(node.title for node in desk.standing()) == ["Glossary", "Node", "Relation"]
    assert "one piece" in _titled(desk, "Node").content
    assert desk.store.counts().sources == 2


PROCESS = """
import sys
from pathlib import Path
import weft
from weft.model import IngestRequest
from weft.settings import Settings

with weft.open(settings=Settings(graph=sys.argv[1], actor="ann")) as graph:
    graph.embedder.embed(["warm"])
    print("ready", flush=True)
    sys.stdin.readline()
    graph.ingest.ingest(IngestRequest(roots=(Path(sys.argv[2]),)), graph.call("ingest"))
"""


def test_three_processes_take_in_one_folder_and_each_document_is_there_once(
    desk: Desk, folder: Path, tmp_path: Path
) -> None:
    """Started together; every document and every term has one node."""
    for number, word in enumerate(("Anchor", "Compass", "Rudder", "Sextant")):
        (folder / f"{number}.md").write_text(f"# Paper {number}\n\n**{word}**: a thing that a ship has.\n", "utf-8")
    command = [sys.executable, "-c", PROCESS, graph_at(tmp_path / "notes.db"), str(folder)]
    started = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    for each in started:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    with ThreadPoolExecutor(3) as workers:
        list(workers.map(lambda each: each.communicate("go\n", timeout=120), started))
    assert [each.returncode for each in started] == [0, 0, 0]
    documents = [node.title for node in desk.standing() if node.kind == "document"]
    assert sorted(documents) == [f"Paper {number}" for number in range(4)]
    assert desk.store.counts().sources == 4


def test_what_still_stands_is_not_vanished_whoever_found_it(desk: Desk, folder: Path) -> None:
    """A sentence that the rules pass over now, under another heading, is still said; nobody is asked to review it."""
    file = folder / "notes.md"
    file.write_text(f"# Notes\n\n{CLAIM}\n", encoding="utf-8")
    _ingest(desk, folder)
    file.write_text(f"# Notes\n\n## Considered options\n\n{CLAIM}\n", encoding="utf-8")
    assert _ingest(desk, folder).marked == 0
    file.write_text("# Notes\n\nNothing of it.\n", encoding="utf-8")
    assert _ingest(desk, folder).marked == 1


def test_an_unknown_extractor_and_a_model_that_is_not_set_are_refused(desk: Desk, folder: Path) -> None:
    """Before anything is read."""
    for name in ("model", "magic"):
        with pytest.raises(InvalidArgument, match="extractor"):
            _ingest(desk, folder, extractor=name)
    assert desk.store.find(filter=_all(), page=Page(limit=1)).total == 0


def _all() -> Any:  # noqa: ANN401
    from weft.model import Filter

    return Filter()
