"""The typed verbs, handed what a type checker would have refused: the program is told, and nothing is written."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import weft
from doors import settings
from weft.errors import InvalidArgument
from weft.model import (
    BridgeRequest,
    CaptureRequest,
    ContextRequest,
    ExportRequest,
    Filter,
    ImportRequest,
    IngestRequest,
    Linking,
    LogRequest,
    RelateRequest,
    Scope,
    SearchRequest,
    Status,
    SynthesizeRequest,
    TraceRequest,
    UpdateRequest,
    Verdict,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from weft.graph import Graph

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Graph]:
    """A graph of two documents' statements and a concept that was seen in both."""
    with weft.open(settings=settings(tmp_path)) as opened:
        for title, text in (("Beans", "Beans are roasted on Mondays."), ("Grinder", "The grinder needs beans.")):
            opened.capture.capture(CaptureRequest(content=text, title=title, ontology="coffee"), opened.call())
        seen = SynthesizeRequest(label="Supply", bridges=("Beans", "Grinder"), evidence="Both wait for the roaster.")
        opened.synthesize.synthesize(seen, opened.call())
        yield opened


def told(message: str, do: Callable[[], object]) -> None:
    """Assert that ``do`` is refused with a message that begins so."""
    with pytest.raises(InvalidArgument) as raised:
        do()
    assert raised.value.message.startswith(message)


# ---- one text where several are taken


@pytest.mark.parametrize("field", ["tags", "aliases", "references", "search_terms", "among"])
def test_one_text_is_not_captured_letter_by_letter(graph: Graph, field: str) -> None:
    """A text is a sequence of texts to Python: «grind» would be five tags."""
    head = graph.log.head()
    wish = CaptureRequest(content="Espresso is ground fine.", **{field: "grind"})
    told(
        f"{field} must be a tuple of texts, such as ('grind',), not 'grind'",
        lambda: graph.capture.capture(wish, graph.call()),
    )
    assert graph.log.head() == head


def test_one_text_replaces_no_list_of_a_node(graph: Graph) -> None:
    """What stood in its place would be gone."""
    for field in ("tags", "references"):
        wish = UpdateRequest(id="Beans", **{field: "fresh"})
        told(f"{field} must be a tuple of texts", lambda wish=wish: graph.capture.update(wish, graph.call()))


def test_one_text_is_not_erased_letter_by_letter(graph: Graph) -> None:
    """The refusal said that letters are too short to be erased."""
    told(
        "texts must be a tuple of texts, such as ('secret',)",
        lambda: graph.keeping.erase("Beans", graph.call(), reason="leaked", texts="secret"),
    )


def test_one_text_restricts_no_question_to_its_letters(graph: Graph) -> None:
    """Nothing has the tag «g»: the answer would be that nothing was found."""
    for field in ("kinds", "ontologies", "tags", "within"):
        asked = SearchRequest(query="beans", filter=Filter(**{field: "coffee"}))
        told(
            f"{field} must be a tuple of texts, such as ('coffee',)",
            lambda asked=asked: graph.recall.search(asked, graph.call()),
        )
    way = TraceRequest(start="Beans", end="Grinder", types="supports")
    told("types must be a tuple of texts", lambda: graph.trace.trace(way, graph.call()))
    files = ContextRequest(task="roast", recent_files="a.py")
    told("recent_files must be a tuple of texts", lambda: graph.recall.context(files, graph.call()))
    seen = SynthesizeRequest(label="Delay", bridges="Beans", evidence="Both wait.")
    told("bridges must be a tuple of texts", lambda: graph.synthesize.synthesize(seen, graph.call()))


def test_a_list_does_where_a_tuple_is_named(graph: Graph) -> None:
    """Notebooks write lists."""
    made = graph.capture.capture(CaptureRequest(content="Espresso is fine.", tags=["grind", "cup"]), graph.call())
    assert made.node.tags == ("grind", "cup")
    found = graph.recall.search(SearchRequest(query="", filter=Filter(tags=["cup"])), graph.call())
    assert [hit.node.id for hit in found.hits] == [made.node.id]


# ---- no text at all


@pytest.mark.parametrize("value", [None, 5, b"beans", Path("beans")], ids=repr)
def test_what_is_no_text_is_named_with_its_field(graph: Graph, value: Any) -> None:  # noqa: ANN401 - anything at all
    """As a cell of a table that is empty."""
    head, call = graph.log.head(), graph.call()
    wrong: dict[str, Callable[[], object]] = {
        "content": lambda: graph.capture.capture(CaptureRequest(content=value), call),
        "title": lambda: graph.capture.capture(CaptureRequest(content="Cups.", title=value), call),
        "kind": lambda: graph.capture.capture(CaptureRequest(content="Cups.", kind=value), call),
        "tags": lambda: graph.capture.capture(CaptureRequest(content="Cups.", tags=(value,)), call),
        "query": lambda: graph.recall.search(SearchRequest(query=value), call),
        "related_to": lambda: graph.recall.search(SearchRequest(query="a", related_to=value), call),
        "claim": lambda: graph.trace.challenge(value, call),
        "id": lambda: graph.recall.fetch(value, call),
        "target": lambda: graph.relate.relate(
            RelateRequest(source="Beans", target=value, type="uses", reasoning="so"), call
        ),
        "batch": lambda: graph.curate.undo(value, call),
    }
    for field, do in wrong.items():
        told(f"{field} must be text, not {value!a}", do)
    assert graph.log.head() == head


def test_what_is_no_number_is_refused_as_one_out_of_bounds_is(graph: Graph) -> None:
    """A column of text holds numbers as text."""
    wish = CaptureRequest(content="Cups.", confidence="0.5")
    told("confidence must lie in 0..1, got '0.5'", lambda: graph.capture.capture(wish, graph.call()))


# ---- the words of scopes, states and ways of linking


def test_a_scope_may_be_said_as_a_word_and_means_the_same(graph: Graph) -> None:
    """It is compared by what it is: «learned» as text stood for the opposite."""
    for scope in Scope:
        answers = []
        for said in (scope, scope.value):
            asked = SearchRequest(query="beans and the grinder", filter=Filter(scope=said))
            sides = graph.trace.challenge("The grinder needs no beans.", graph.call(), scope=said)
            way = graph.trace.trace(TraceRequest(start="Beans", end="Grinder", scope=said), graph.call())
            found = graph.recall.search(asked, graph.call())
            ids = [hit.node.id for hit in found.hits]
            answers.append((ids, sides.conflicts, sides.to_judge, way.trail))
        assert answers[0] == answers[1]


def test_a_word_that_means_no_scope_no_state_and_no_way_of_linking_is_refused(graph: Graph) -> None:
    """It was passed over, and everything or nothing came back."""
    call, no = graph.call(), "'some' is not known. Allowed: "
    told(f"scope {no}all,", lambda: graph.recall.search(SearchRequest(query="a", filter=Filter(scope="some")), call))
    told(f"scope {no}all,", lambda: graph.trace.challenge("Beans are old.", call, scope="some"))
    told(f"scope {no}all,", lambda: graph.trace.trace(TraceRequest(start="a", end="b", scope="some"), call))
    told(f"status {no}active,", lambda: graph.capture.update(UpdateRequest(id="Beans", status="some"), call))
    told(f"linking {no}both,", lambda: graph.capture.capture(CaptureRequest(content="Cups.", linking="some"), call))
    graph.capture.capture(CaptureRequest(content="Cups are warm.", ontology="table", linking="none"), call)
    pair = BridgeRequest(ontology1="coffee", ontology2="table", scope="some")
    told(f"scope {no}all,", lambda: graph.synthesize.bridge(pair, call))


def test_a_status_may_be_said_as_a_word(graph: Graph) -> None:
    """It ended in an error of Python's."""
    graph.capture.update(UpdateRequest(id="Beans", status="needs_review"), graph.call())
    assert graph.recall.fetch("Beans", graph.call()).node.status is Status.NEEDS_REVIEW


PLANT = (
    ("The pump of line 3 fails with error E42 when its seal runs dry.", "error"),
    ("The pump of line 3 fails with error E42 because the seal runs dry at night.", "problem"),
    ("Oil the seal of the pump of line 3 every evening, then error E42 does not come back.", "fix"),
)


@pytest.mark.parametrize("way", [Linking.RULES, Linking.NONE])
def test_a_way_of_linking_may_be_said_as_a_word(way: Linking, tmp_path: Path) -> None:
    """It is compared by what it is: «none» as text linked by the table of pairs."""
    made = []
    for number, said in enumerate((way, way.value)):
        (tmp_path / str(number)).mkdir()
        with weft.open(settings=settings(tmp_path / str(number))) as graph:
            for text, kind in PLANT:
                wish = CaptureRequest(content=text, kind=kind, ontology="plant", linking=said)
                graph.capture.capture(wish, graph.call(session="night"))
            made.append((graph.store.counts().relations_by_type, graph.store.counts().suggestions_open))
    assert made[0] == made[1]


# ---- times


def test_a_time_without_a_zone_is_one_of_utc_whatever_zone_the_machine_is_in(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the tools read it: the same question to either was answered apart by as much as the zones are."""
    import time

    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        bare = NOON.replace(tzinfo=None, year=2027)
        for hours, text in ((0, "Cups are warmed first."), (1, "Cups are wiped with a cloth.")):
            call = replace(graph.call(), at=bare + timedelta(hours=hours))
            graph.capture.capture(CaptureRequest(content=text, ontology="table"), call)
        between = bare + timedelta(minutes=30)
        for at in (between, between.replace(tzinfo=UTC)):
            asked = SearchRequest(query="cups", as_of=at, filter=Filter(ontologies=("table",)))
            assert graph.recall.search(asked, graph.call()).total == 1
            assert len(graph.recall.log(LogRequest(since=at), graph.call()).entries) == 1
            assert len(graph.recall.log(LogRequest(until=at, since=bare), graph.call()).entries) == 1
        node = graph.recall.fetch("Cups are warmed first.", graph.call()).node
        assert node.created_at == bare.replace(tzinfo=UTC)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_what_is_no_time_is_refused_by_the_name_of_its_field(graph: Graph) -> None:
    """A day is no time, and neither is text: the tools read both, the typed verbs neither."""
    asked = SearchRequest(query="beans", as_of="2026-05-01")
    told("as_of must be a datetime, not '2026-05-01'", lambda: graph.recall.search(asked, graph.call()))
    for field in ("since", "until"):
        page = LogRequest(**{field: NOON.date()})
        told(f"{field} must be a datetime", lambda page=page: graph.recall.log(page, graph.call()))


# ---- paths


def test_what_is_no_path_object_is_refused_by_name(graph: Graph, tmp_path: Path) -> None:
    """Text is a path to weft.open, and to no request."""
    call = graph.call()
    for path, said in (("notes.jsonl", "'notes.jsonl'"), (None, "None")):
        wrong = f"path must be a pathlib.Path, not {said}"
        told(wrong, lambda path=path: graph.transfer.export(ExportRequest(path=path, format="jsonl"), call))
        told(wrong, lambda path=path: graph.transfer.import_(ImportRequest(path=path, format="jsonl"), call))
        told(f"target must be a pathlib.Path, not {said}", lambda path=path: graph.keeping.backup(path))
    for paths, roots, wrong in (
        ("notes", (tmp_path,), "paths must be a tuple of pathlib.Path, not 'notes'"),
        (tmp_path, (tmp_path,), "paths must be a tuple of pathlib.Path, not "),
        (("notes",), (tmp_path,), "paths must be a pathlib.Path, not 'notes'"),
        ((tmp_path,), str(tmp_path), "roots must be a tuple of pathlib.Path, not "),
    ):
        wish = IngestRequest(paths=paths, roots=roots)
        told(wrong, lambda wish=wish: graph.ingest.ingest(wish, call))


@pytest.mark.parametrize("place", ["/", "."])
@pytest.mark.parametrize("format_", ["jsonl", "okf"])
def test_a_path_without_a_name_is_no_place_for_a_copy(graph: Graph, place: str, format_: str) -> None:
    """It was answered as a fault of ours."""
    wish = ExportRequest(path=Path(place), format=format_)
    told(f"path: {place} is a folder", lambda: graph.transfer.export(wish, graph.call()))


# ---- a judge of one's own


class Odd:
    """A judge that answers what it is given to answer."""

    name = "odd"

    def __init__(self, answer: Callable[[int], Any]) -> None:
        self._answer = answer

    def judge(self, claim: str, texts: Sequence[str], similarities: Sequence[float]) -> Any:  # noqa: ANN401, ARG002
        """Answer it."""
        return self._answer(len(texts))


def verdict(**fields: Any) -> Verdict:  # noqa: ANN401 - any field of a verdict
    """Return a verdict."""
    return Verdict(**({"verdict": "conflicts", "confidence": 0.9, "grounds": ("I say so",)} | fields))


ODD: dict[str, tuple[Callable[[int], Any], str]] = {
    "too few": (lambda texts: (verdict(),) * (texts - 1), r"not \d+ of them"),
    "too many": (lambda texts: (verdict(),) * (texts + 1), r"not \d+ of them"),
    "nothing": (lambda _: None, "not None"),
    "words": (lambda texts: ["conflicts"] * texts, "not 'conflicts'"),
    "another word": (lambda texts: [verdict(verdict="conflict")] * texts, r"not Verdict\(verdict='conflict'"),
    "one ground": (lambda texts: [verdict(grounds="I say so")] * texts, r"not Verdict\(.*grounds='I say so'"),
}


@pytest.mark.parametrize(("answer", "message"), ODD.values(), ids=list(ODD))
def test_a_judge_that_answers_something_else_is_told_so(
    tmp_path: Path, answer: Callable[[int], Any], message: str
) -> None:
    """A word that no verdict has would take its text off every side, and nobody would see the conflict."""
    with weft.connect(settings=settings(tmp_path), judge=Odd(answer)) as notes:
        notes.capture("Beans are roasted on Mondays.", ontology="coffee")
        with pytest.raises(InvalidArgument, match=rf"judge: must answer one weft\.model\.Verdict for .* {message}"):
            notes.challenge("Beans are not roasted on Mondays.")


def test_a_judge_may_answer_a_list_or_one_by_one(tmp_path: Path) -> None:
    """What counts is one verdict a text."""
    for answer in (lambda texts: [verdict()] * texts, lambda texts: (verdict() for _ in range(texts))):
        with weft.connect(settings=settings(tmp_path), judge=Odd(answer)) as notes:
            notes.capture("Beans are roasted on Mondays.", ontology="coffee")
            assert len(notes.challenge("Beans are not roasted on Mondays.")["conflicts"]) == 1


# ---- progress


def test_long_typed_work_tells_its_progress_to_who_is_named_in_the_call(graph: Graph, tmp_path: Path) -> None:
    """As the methods of a connection do."""
    heard: list[int] = []
    (tmp_path / "beans.md").write_text("# Beans\n\nBeans are used within a month.\n")
    wish = IngestRequest(paths=(tmp_path / "beans.md",), roots=(tmp_path,))
    graph.ingest.ingest(wish, graph.call(progress=lambda done, _total, _message: heard.append(done)))
    assert heard
