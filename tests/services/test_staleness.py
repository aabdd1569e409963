"""Staleness: a file that changed marks the nodes that refer to it, and takes the mark off when that is over."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import weft
from doors import settings
from weft.errors import PermissionDenied
from weft.model import CaptureRequest, Decision, Page, RelateRequest, Status, SuggestionQuery, Tier, UpdateRequest
from weft.services.staleness.place import GONE, SIZE_MAX_BYTES, Place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.graph import Graph
    from weft.model import Captured, Node, Suggestion

FILE = "src/auth/jwt.py"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project's folder with one file and a place for its graph."""
    (tmp_path / ".weft").mkdir()
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    return tmp_path


@pytest.fixture
def graph(project: Path) -> Iterator[Graph]:
    """The project's graph."""
    with weft.open(settings=settings(project / ".weft")) as opened:
        yield opened


def write(project: Path, text: str = "first", file: str = FILE) -> Path:
    """Write a file of the project."""
    path = project / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def told(graph: Graph, title: str = "Use JWT", *references: str, **fields: object) -> Captured:
    """Capture a decision about files."""
    request = CaptureRequest(
        title=title, content=f"About {title}.", kind="decision", references=references or (FILE,), **fields
    )
    return graph.capture.capture(request, graph.call())


def stands(graph: Graph, node: Node) -> Status:
    """Return the status of a node now."""
    return graph.store.nodes((node.id,))[node.id].status


def items(graph: Graph, node: Node, state: str = "open") -> tuple[Suggestion, ...]:
    """Return the review items about a node."""
    return graph.store.suggestions(SuggestionQuery(subject=node.id, state=state, page=Page(limit=50)))[0]


# ---- marking


def test_a_file_that_changed_marks_its_nodes_and_says_why(graph: Graph, project: Path) -> None:
    """Status, and one review item that names the file; nodes of other files are left alone."""
    node, other = told(graph).node, told(graph, "Other", "README.md").node
    write(project, "second")
    found = graph.staleness.check(graph.call())
    assert [(each.id, each.changed, each.gone) for each in found.outdated] == [(node.id, (FILE,), ())]
    assert (stands(graph, node), stands(graph, other)) == (Status.NEEDS_REVIEW, Status.ACTIVE)
    (item,) = items(graph, node)
    assert item.kind == "stale"
    assert item.summary.startswith(f"«Use JWT» refers to {FILE}, which changed")
    assert not items(graph, other)


def test_a_file_that_did_not_change_marks_nothing(graph: Graph, project: Path) -> None:
    """The twin; being written again with the same content is no change, whatever its time says."""
    node = told(graph).node
    os.utime(write(project), (0, 0))
    found = graph.staleness.check(graph.call())
    assert (found.outdated, found.batch, found.nodes, found.files) == ((), "", 1, 1)
    assert stands(graph, node) is Status.ACTIVE


def test_checking_again_writes_nothing(graph: Graph, project: Path) -> None:
    """One item a node and change, however often it is looked at."""
    node = told(graph).node
    write(project, "second")
    graph.staleness.check(graph.call())
    head = graph.log.head()
    again = graph.staleness.check(graph.call())
    assert (again.outdated, again.batch) == ((), "")
    assert graph.log.head() == head
    assert len(items(graph, node)) == 1


def test_a_further_change_is_told_in_the_same_item(graph: Graph, project: Path) -> None:
    """While it is open: it says what differs now."""
    write(project, "a", "other.py")
    node = told(graph, "Use JWT", FILE, "other.py").node
    write(project, "second")
    graph.staleness.check(graph.call())
    write(project, "b", "other.py")
    graph.staleness.check(graph.call())
    (item,) = items(graph, node)
    assert set(item.grounds["files"]) == {FILE, "other.py"}
    assert "other.py" in item.summary


def test_a_file_that_is_gone_marks_too(graph: Graph, project: Path) -> None:
    """And is told as gone."""
    node = told(graph).node
    (project / FILE).unlink()
    (found,) = graph.staleness.check(graph.call()).outdated
    assert (found.id, found.changed, found.gone) == (node.id, (), (FILE,))
    assert f"{FILE}, which went" in found.summary


def test_all_marks_of_a_check_are_taken_back_by_one_undo(graph: Graph, project: Path) -> None:
    """And what was taken back is not asked again, until the file changes once more."""
    nodes = [told(graph, title).node for title in ("One", "Two")]
    write(project, "second")
    batch = graph.staleness.check(graph.call()).batch
    graph.curate.undo(batch, graph.call())
    assert [stands(graph, node) for node in nodes] == [Status.ACTIVE] * 2
    assert not items(graph, nodes[0])
    assert graph.staleness.check(graph.call()).outdated == ()
    write(project, "third")
    assert len(graph.staleness.check(graph.call()).outdated) == 2


def test_a_superseded_node_is_not_marked(graph: Graph, project: Path) -> None:
    """It was replaced; its files matter no more, and a mark it had ends."""
    old, new = told(graph, "Old").node, told(graph, "New", "README.md").node
    late = told(graph, "Late").node
    graph.relate.relate(RelateRequest(source=new.id, target=old.id, type="supersedes", reasoning=""), graph.call())
    write(project, "second")
    assert [each.id for each in graph.staleness.check(graph.call()).outdated] == [late.id]
    graph.relate.relate(RelateRequest(source=new.id, target=late.id, type="supersedes", reasoning=""), graph.call())
    graph.staleness.check(graph.call())
    assert [stands(graph, node) for node in (old, late)] == [Status.SUPERSEDED] * 2
    assert not items(graph, late)


def test_a_node_that_needs_review_for_another_reason_keeps_that(graph: Graph, project: Path) -> None:
    """The item comes, and goes when the file is as before; the status was somebody's and stays."""
    node = told(graph).node
    graph.capture.update(UpdateRequest(id=node.id, status=Status.NEEDS_REVIEW), graph.call())
    write(project, "second")
    graph.staleness.check(graph.call())
    assert len(items(graph, node)) == 1
    write(project)
    graph.staleness.check(graph.call())
    assert not items(graph, node)
    assert stands(graph, node) is Status.NEEDS_REVIEW


def test_only_the_named_files_are_checked_on_demand(graph: Graph, project: Path) -> None:
    """By their paths from the project's folder."""
    write(project, "a", "other.py")
    node, other = told(graph).node, told(graph, "Other", "other.py").node
    write(project, "second")
    write(project, "b", "other.py")
    assert [each.id for each in graph.staleness.check(graph.call(), files=[FILE]).outdated] == [node.id]
    assert stands(graph, other) is Status.ACTIVE


# ---- how it ends


def test_a_file_that_is_as_before_ends_the_mark(graph: Graph, project: Path) -> None:
    """Status and item; the same change later counts as new."""
    node = told(graph).node
    for _ in range(2):
        write(project, "second")
        assert len(graph.staleness.check(graph.call()).outdated) == 1
        assert stands(graph, node) is Status.NEEDS_REVIEW
        write(project)
        assert graph.staleness.check(graph.call()).settled == ((node.id, "Use JWT"),)
        assert stands(graph, node) is Status.ACTIVE
        assert not items(graph, node)


@pytest.mark.parametrize("change", [{"content": "We sign with another key now."}, {"confidence": 0.3}])
def test_an_update_of_what_the_node_says_ends_the_mark(graph: Graph, project: Path, change: dict[str, object]) -> None:
    """The file counts as it is now, and the answer shows the status too."""
    node = told(graph).node
    write(project, "second")
    graph.staleness.check(graph.call())
    made = graph.capture.update(UpdateRequest(id=node.id, **change), graph.call())
    assert made.changed["status"] == (Status.NEEDS_REVIEW, Status.ACTIVE)
    assert stands(graph, node) is Status.ACTIVE
    assert not items(graph, node)
    assert graph.staleness.check(graph.call()).outdated == ()
    write(project)
    assert len(graph.staleness.check(graph.call()).outdated) == 1


def test_an_update_that_says_nothing_of_the_matter_leaves_the_mark(graph: Graph, project: Path) -> None:
    """The twin: a tag, or how much the node matters."""
    node = told(graph).node
    write(project, "second")
    graph.staleness.check(graph.call())
    graph.capture.update(UpdateRequest(id=node.id, tags=("auth",), importance=0.9), graph.call())
    assert stands(graph, node) is Status.NEEDS_REVIEW
    assert len(items(graph, node)) == 1


def test_an_update_before_the_check_leaves_nothing_to_mark(graph: Graph, project: Path) -> None:
    """Whoever rewrites the node after the file changed has seen to it."""
    node = told(graph).node
    write(project, "second")
    graph.capture.update(UpdateRequest(id=node.id, content="We sign with another key now."), graph.call())
    assert graph.staleness.check(graph.call()).outdated == ()


def test_saying_the_same_again_of_the_same_file_ends_the_mark(graph: Graph, project: Path) -> None:
    """The same text is kept once; it holds with the file as it is now. Saying it of no file says nothing of that."""
    node = told(graph).node
    write(project, "second")
    graph.staleness.check(graph.call())
    graph.capture.capture(CaptureRequest(title="Use JWT", content="About Use JWT."), graph.call())
    assert stands(graph, node) is Status.NEEDS_REVIEW
    again = told(graph)
    assert (again.existing, again.node.id) == (True, node.id)
    assert stands(graph, node) is Status.ACTIVE
    assert not items(graph, node)
    assert graph.staleness.check(graph.call()).outdated == ()


def test_accepting_the_item_says_that_the_node_holds(graph: Graph, project: Path) -> None:
    """It is active again and this change is not asked about any more; a further one is."""
    node = told(graph).node
    write(project, "second")
    graph.staleness.check(graph.call())
    graph.curate.review([Decision(item=items(graph, node)[0].id, decision="accept")], graph.call())
    assert stands(graph, node) is Status.ACTIVE
    assert graph.staleness.check(graph.call()).outdated == ()
    write(project, "third")
    assert len(graph.staleness.check(graph.call()).outdated) == 1


def test_dismissing_the_item_leaves_the_node_to_be_rewritten(graph: Graph, project: Path) -> None:
    """It stays in need of review, and is not asked about again."""
    node = told(graph).node
    write(project, "second")
    graph.staleness.check(graph.call())
    graph.curate.review([Decision(item=items(graph, node)[0].id, decision="dismiss")], graph.call())
    assert stands(graph, node) is Status.NEEDS_REVIEW
    assert graph.staleness.check(graph.call()).outdated == ()


def test_accepting_late_revives_nothing_that_was_superseded(graph: Graph, project: Path) -> None:
    """The item only records the word then."""
    node, new = told(graph).node, told(graph, "New", "README.md").node
    write(project, "second")
    graph.staleness.check(graph.call())
    graph.relate.relate(RelateRequest(source=new.id, target=node.id, type="supersedes", reasoning=""), graph.call())
    graph.curate.review([Decision(item=items(graph, node)[0].id, decision="accept")], graph.call())
    assert stands(graph, node) is Status.SUPERSEDED


def test_below_librarian_a_settled_item_stays_open_and_says_so(graph: Graph, project: Path) -> None:
    """The status returns all the same; the next change marks the node anew, in the same item."""
    node = told(graph).node
    contributor = replace(graph.call(), tier=Tier.CONTRIBUTOR)
    write(project, "second")
    graph.staleness.check(contributor)
    write(project)
    graph.staleness.check(contributor)
    assert stands(graph, node) is Status.ACTIVE
    (item,) = items(graph, node)
    assert item.summary.endswith("Settled: its files are as they were.")
    head = graph.log.head()
    graph.staleness.check(contributor)
    assert graph.log.head() == head
    write(project, "third")
    assert [each.item for each in graph.staleness.check(contributor).outdated] == [item.id]
    assert stands(graph, node) is Status.NEEDS_REVIEW
    write(project)
    graph.staleness.check(graph.call())
    assert (stands(graph, node), items(graph, node)) == (Status.ACTIVE, ())


# ---- with a capture


def test_a_capture_of_a_changed_file_marks_the_other_nodes_of_that_file_at_once(graph: Graph, project: Path) -> None:
    """In its own batch; the new node itself is up to date."""
    node = told(graph).node
    write(project, "second")
    made = told(graph, "Keys moved", channel="hook_file_change")
    assert [each.id for each in made.outdated] == [node.id]
    assert (stands(graph, node), stands(graph, made.node)) == (Status.NEEDS_REVIEW, Status.ACTIVE)
    assert node.id in {change.subject_id for change in graph.log.batch(made.batch)}
    graph.curate.undo(made.batch, graph.call())
    assert stands(graph, node) is Status.ACTIVE


@pytest.mark.parametrize("channel", ["manual", "hook_commit"])
def test_a_capture_that_tells_of_no_changed_file_marks_nothing(graph: Graph, project: Path, channel: str) -> None:
    """The twin: the next check does."""
    node = told(graph).node
    write(project, "second")
    assert told(graph, "Keys moved", channel=channel).outdated == ()
    assert stands(graph, node) is Status.ACTIVE
    assert [each.id for each in graph.staleness.check(graph.call()).outdated] == [node.id]


def test_a_reader_who_checks_is_refused_only_where_there_is_something_to_write(graph: Graph, project: Path) -> None:
    """Nothing is half-written."""
    node = told(graph).node
    reader = replace(graph.call(), tier=Tier.READER)
    assert graph.staleness.check(reader).outdated == ()
    write(project, "second")
    with pytest.raises(PermissionDenied):
        graph.staleness.check(reader)
    assert stands(graph, node) is Status.ACTIVE


# ---- what is watched


def test_what_was_not_watched_before_is_watched_from_the_first_check_on(graph: Graph, project: Path) -> None:
    """A file that came later; addresses and what is not there are counted as unwatched."""
    node = told(graph, "Later", "later.py", "https://example.org/later.py").node
    write(project, "a", "later.py")
    found = graph.staleness.check(graph.call())
    assert (found.taken, found.unwatched, found.outdated) == (1, 1, ())
    write(project, "b", "later.py")
    assert [each.id for each in graph.staleness.check(graph.call()).outdated] == [node.id]


@pytest.mark.parametrize("reference", [f"{FILE}:42", f"{FILE}#L10-L20", f"./{FILE}", "src\\auth\\jwt.py"])
def test_a_place_in_a_file_and_other_spellings_of_its_path_watch_the_file(
    graph: Graph, project: Path, reference: str
) -> None:
    """The whole of it."""
    node = told(graph, "Use JWT", reference).node
    write(project, "second")
    (found,) = graph.staleness.check(graph.call()).outdated
    assert (found.id, found.changed) == (node.id, (reference,))


def test_a_reference_that_was_taken_off_is_not_looked_at(graph: Graph, project: Path) -> None:
    """Nor one of a forgotten node."""
    write(project, "a", "other.py")
    node, gone = told(graph, "Use JWT", FILE, "other.py").node, told(graph, "Gone").node
    graph.capture.update(UpdateRequest(id=node.id, references=("other.py",)), graph.call())
    graph.capture.forget(gone.id, graph.call(), confirm=True)
    write(project, "second")
    assert graph.staleness.check(graph.call()).outdated == ()


@pytest.mark.files_only("the file moves with the project")
def test_a_project_that_moves_keeps_its_files_and_a_graph_without_one_its_folder(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Beside .weft, paths are from there; elsewhere they belong to the folder that was worked in."""
    with weft.open(settings=settings(project / ".weft")) as graph:
        told(graph)
    moved = tmp_path_factory.mktemp("elsewhere") / "project"
    project.rename(moved)
    write(moved, "second")
    with weft.open(settings=settings(moved / ".weft")) as graph:
        assert len(graph.staleness.check(graph.call()).outdated) == 1
    loose = settings(moved)
    with weft.open(settings=loose, root=moved) as graph:
        told(graph)
    with weft.open(settings=loose, root=moved / "src") as graph:
        found = graph.staleness.check(graph.call())
        assert (found.elsewhere, found.outdated) == (1, ())


def test_no_file_is_read_to_answer_a_question(graph: Graph, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Search, context, trace and fetch look at the graph alone; a capture does look."""
    from weft.model import ContextRequest, SearchRequest, TraceRequest

    node = told(graph).node
    seen: list[str] = []
    monkeypatch.setattr(Place, "digest", lambda _, file: seen.append(file))
    graph.recall.search(SearchRequest(query="JWT"), graph.call())
    graph.recall.context(ContextRequest(task="JWT", current_file=str(project / FILE)), graph.call())
    graph.recall.fetch(node.id, graph.call())
    graph.trace.trace(TraceRequest(start="Use JWT", end="JWT"), graph.call())
    assert seen == []
    told(graph, "Second")
    assert seen == [FILE]


# ---- the little of the disk that is looked at


@pytest.fixture
def place(project: Path) -> Place:
    """The project's folder."""
    found = Place.of(project)
    assert found is not None
    return found


def test_only_regular_files_below_the_root_are_read(place: Place, project: Path) -> None:
    """Nothing above it by any path, no folder, pipe, missing or too large file."""
    outside = project.parent / f"{project.name}-secret.txt"
    outside.write_text("secret", encoding="utf-8")
    (project / "leads-out").symlink_to(outside)
    (project / "folder-out").symlink_to(project.parent)
    os.mkfifo(project / "pipe")
    with (project / "large.bin").open("wb") as large:
        large.truncate(SIZE_MAX_BYTES + 1)
    refused = (
        "leads-out",
        f"folder-out/{outside.name}",
        f"../{outside.name}",
        str(outside),
        "src",
        ".",
        "",
        "pipe",
        "large.bin",
        "missing.py",
        "https://example.org/x",
        "mailto:ada@example.org",
        "a\x00b",
        "x" * 5_000,
    )
    assert [name for name in refused if place.print_of("n", name)] == []
    outside.unlink()


def test_a_link_that_stays_inside_is_followed(place: Place, project: Path) -> None:
    """The twin: to the file that it leads to; one that leads out later counts as gone."""
    (project / "link.py").symlink_to(project / FILE)
    taken = place.print_of("n", "link.py")
    assert taken is not None
    assert taken.file == FILE
    assert place.digest(FILE) == taken.digest
    (project / FILE).unlink()
    (project / FILE).symlink_to(project.parent)
    assert place.digest(FILE) == GONE


def test_a_file_that_has_grown_too_large_differs(place: Place, project: Path) -> None:
    """Nobody has to read it to know that."""
    taken = place.print_of("n", FILE)
    with (project / FILE).open("ab") as grown:
        grown.truncate(SIZE_MAX_BYTES + 1)
    assert taken is not None
    assert place.digest(FILE) not in (taken.digest, GONE, None)


def test_a_path_that_the_system_refuses_is_not_judged(place: Place) -> None:
    """Nobody can tell whether the file is the same as before."""
    assert place.digest("x" * 5_000) is None


def test_a_whole_disk_is_no_place(project: Path) -> None:
    """A process that runs there watches nothing, and its captures go on."""
    from pathlib import Path

    assert Place.of(Path("/")) is None
    with weft.open(settings=settings(project), root=Path("/")) as graph:
        told(graph)
        assert graph.staleness.check(graph.call()).nodes == 0
        assert graph.staleness.named("/src/a.py") == "/src/a.py"


@pytest.mark.parametrize(
    ("reference", "named"),
    [
        ("{root}/src/a.py", "src/a.py"),
        ("{root}/src/../b.py", "b.py"),
        ("{root}", "."),
        ("{root}x/a.py", "{root}x/a.py"),
        ("/etc/hosts", "/etc/hosts"),
        ("src/a.py", "src/a.py"),
        ("https://example.org", "https://example.org"),
        ("", ""),
    ],
)
def test_whole_paths_below_the_root_become_paths_from_there(
    place: Place, project: Path, reference: str, named: str
) -> None:
    """Anything else stays as it is."""
    assert place.named(reference.format(root=project)) == named.format(root=project)
