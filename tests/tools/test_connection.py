"""The plain Python surface: calls, errors that name the argument, who calls, and what it costs to import."""

from __future__ import annotations

import json
import pydoc
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import weft
from doors import settings
from engine import graph_at
from weft.errors import InvalidArgument, NotFound, PermissionDenied
from weft.model import Tier
from weft.settings import Settings
from weft.tools.connection import Connection
from weft.tools.method import Method
from weft.tools.table import TOOLS
from weft.tools.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROWS = (*TOOLS, *VERBS)


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Connection]:
    """A connection to a graph with two nodes."""
    with weft.connect(settings=settings(tmp_path)) as opened:
        opened.capture("Water just off the boil extracts coffee best.", title="Water just off the boil", kind="claim")
        opened.capture("Light roasts need hotter water than dark roasts.", title="Light roasts", kind="insight")
        yield opened


# ---- calls


def test_every_tool_is_completed_and_listed_in_the_help_of_the_class(notes: Connection) -> None:
    """What a notebook offers after the dot, and what help(notes) goes through."""
    names = {row.name for row in ROWS}
    assert len(names) == len(ROWS)
    assert names <= set(dir(notes))
    told = pydoc.plain(pydoc.render_doc(Connection))
    assert names == {name for name in names if re.search(rf"\n \|  {name}\([\s|]*self", told)}  # on one line or several


def test_the_first_lines_that_anybody_writes_do_what_they_say(notes: Connection) -> None:
    """Capture, search, relate, trace, undo: plain values in, plain JSON out."""
    made = notes.capture("Grind finer for espresso.", ontology="coffee", tags=("brewing",))
    found = notes.search("how hot should the water be", kinds=["claim"], limit=1)
    notes.relate("Light roasts", "Water just off the boil", "supports", "Hot water extracts more.")
    trail = notes.trace("Light roasts", "Water just off the boil")
    assert [hit["title"] for hit in found["hits"]] == ["Water just off the boil"]
    assert trail["connected"]
    assert notes.undo(made["batch"])["conflicts"] == []
    assert json.loads(json.dumps(found)) == found
    with pytest.raises(NotFound):
        notes.fetch(made["id"])


@pytest.mark.parametrize(
    ("placed", "named", "said"),
    [
        (("x", 5), {}, "search: takes query by position, and the rest by name; 2 came by position"),
        (("x",), {"query": "y"}, "query: came twice, by position and by name"),
        (("x",), {"limt": 5}, "limt: there is no such argument (did you mean limit?)"),
        ((), {}, "query: is required"),
        (("x",), {"kinds": "claim"}, "kinds: must be a list"),
        (("x",), {"kinds": [""]}, "kinds.0: must say something"),
        (("x",), {"limit": 0}, "limit: must be at least 1"),
    ],
)
def test_whatever_is_wrong_with_a_call_is_an_error_that_names_the_argument(
    notes: Connection, placed: tuple[Any, ...], named: dict[str, Any], said: str
) -> None:
    """One family of errors, and never a bare TypeError."""
    with pytest.raises(InvalidArgument) as refused:
        notes.search(*placed, **named)
    assert refused.value.message.startswith(said)


def test_a_tool_that_requires_nothing_takes_nothing_by_position(notes: Connection) -> None:
    """And says so."""
    with pytest.raises(InvalidArgument, match="status: takes nothing by position, and the rest by name; 1 came"):
        notes.status("detailed")  # type: ignore[call-arg]


def test_a_tool_can_be_called_by_a_name_that_is_data(notes: Connection) -> None:
    """As the gate, with the connection's caller."""
    assert notes.call("search", {"query": "light"})["hits"][0]["title"] == "Light roasts"
    assert notes.call("status")["counts"]["nodes"] == 2
    with pytest.raises(NotFound, match="the nearest are search"):
        notes.call("serach")


def test_a_call_from_a_model_that_is_none_is_refused(notes: Connection) -> None:
    """A model may answer any JSON where a name and arguments were wanted."""
    for name in (None, ["search"], 5):
        with pytest.raises(InvalidArgument, match="name must be text, not"):
            notes.call(name, {})
    for arguments in (["water"], "water", [], 0):
        with pytest.raises(InvalidArgument, match="arguments must be a mapping from names to values, not"):
            notes.call("search", arguments)
    assert notes.call("status", None)["counts"] == notes.call("status")["counts"]


def test_paths_and_times_are_given_as_python_has_them(notes: Connection, tmp_path: Path) -> None:
    """A Path is text to a tool, alone and in a list; a time is one that is aware of its zone."""
    place = tmp_path / "src" / "kettle.py"
    made = notes.capture("The kettle holds a litre.", references=[place, "https://example.org/kettle"])
    assert notes.fetch(made["id"])["node"]["references"] == [str(place), "https://example.org/kettle"]
    assert notes.context(current_file=place)["nodes"][0]["id"] == made["id"]
    with pytest.raises(InvalidArgument, match=r"tags\.0: must be text"):
        notes.capture("The kettle whistles.", tags=[place])  # type: ignore[list-item]
    then = notes.graph.call().at
    notes.capture("The kettle is descaled in May.")
    assert notes.search("kettle", as_of=then)["total"] < notes.search("kettle")["total"]
    assert [hit["title"] for hit in notes.search("kettle", since=then)["hits"]] == ["The kettle is descaled in May."]


def test_a_tool_that_takes_a_path_reads_under_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on the command line, since whoever runs this works here; the progress is told."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    for name in ("grinder", "beans"):
        (tmp_path / "notes" / f"{name}.md").write_text(
            f"# {name.title()}\n\nThe {name} is kept dry.\n", encoding="utf-8"
        )
    told: list[tuple[int, int, str]] = []
    with weft.connect(settings=settings(tmp_path)) as notes:
        taken = notes.ingest(path=Path("notes"), progress=lambda *said: told.append(said))
    assert taken["sources"] == 2
    assert [total for _, total, _ in told][-1] == 2


def test_progress_that_raises_gives_the_work_up(notes: Connection) -> None:
    """What a stop button is made of."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        notes.ingest(text="# Kilns\n\nKilns are fired to 1250 degrees.", document="kilns.md", progress=stop)
    assert notes.call("search", {"query": "kilns", "mode": "keyword"})["total"] == 0


def test_what_changed_is_listed_and_taken_back(notes: Connection) -> None:
    """The operators' verbs answer as over HTTP, and a batch may be named by its beginning."""
    made = notes.capture("Grind finer for espresso.")
    newest = notes.log(limit=1)["batches"]
    assert [(each["batch"], each["tool"]) for each in newest] == [(made["batch"], "capture")]
    undone = notes.undo(made["batch"])
    assert undone["undo_batch"] == notes.log()["batches"][0]["batch"]
    with pytest.raises(InvalidArgument, match="batch: is required"):
        notes.undo()  # type: ignore[call-arg]
    with pytest.raises(InvalidArgument, match=r"actr: there is no such argument \(did you mean actor"):
        notes.log(actr="ann")  # type: ignore[call-arg]


def test_a_session_narrows_the_log_only_where_a_call_says_so(tmp_path: Path) -> None:
    """To a verb that reads, a session is what is looked for; one that writes belongs to the connection's."""
    with weft.connect(settings=settings(tmp_path)) as notes:
        notes.capture("Before.")
    with weft.connect(settings=settings(tmp_path), session="tasting") as notes:
        made = notes.capture("Within.")
        assert len(notes.log()["batches"]) == 2
        assert [each["batch"] for each in notes.log(session="tasting")["batches"]] == [made["batch"]]
        undone = notes.undo(made["batch"])
        assert notes.log(session="tasting")["batches"][0]["batch"] == undone["undo_batch"]


# ---- who calls


def test_a_session_of_the_connection_counts_where_a_call_names_none(tmp_path: Path) -> None:
    """A name of its own, an empty one too, goes before it; None is no name."""
    with weft.connect(settings=settings(tmp_path), session="baking") as notes:
        wishes: list[dict[str, Any]] = [{}, {"session": "tasting"}, {"session": None}, {"session": ""}]
        made = [notes.call("capture", {"content": f"Note {i}.", **wish}) for i, wish in enumerate(wishes)]
        stored = [notes.fetch(each["id"])["node"].get("session", "") for each in made]
    assert stored == ["baking", "tasting", "baking", ""]


def test_who_writes_is_whom_the_connection_names_or_the_settings(tmp_path: Path) -> None:
    """``actor`` goes before the settings; neither is an argument of a tool."""
    chosen = settings(tmp_path)
    for said, wanted in (({}, "ann"), ({"actor": "bob"}, "bob")):
        with weft.connect(settings=chosen, **said) as notes:
            made = notes.capture(f"Written by {wanted}.")
            assert notes.fetch(made["id"])["node"]["created_by"] == wanted


@pytest.mark.parametrize("tier", [Tier.READER, "reader", "Reader"])
def test_a_tier_is_given_as_one_or_by_name(tmp_path: Path, tier: Tier | str) -> None:
    """A reader cannot write, over any method, and cannot undo."""
    with weft.connect(settings=settings(tmp_path)) as notes:
        batch = notes.capture("Salt draws water.")["batch"]
    with weft.connect(settings=settings(tmp_path), tier=tier) as notes:
        assert notes.search("salt")["total"] == 1
        with pytest.raises(PermissionDenied, match="capture needs the tier contributor; this caller is a reader"):
            notes.capture("More salt.")
        with pytest.raises(PermissionDenied, match="undo needs the tier librarian"):
            notes.undo(batch)


def test_the_role_of_the_settings_lowers_the_tier(tmp_path: Path) -> None:
    """Hints then name what such a caller reaches."""
    with weft.connect(settings=settings(tmp_path)):
        pass
    with weft.connect(settings=settings(tmp_path, role="reader")) as notes:
        assert notes.caller.tier is notes.graph.tier is Tier.READER
        assert "capture" not in notes.caller.tools


def test_a_tier_that_there_is_not_is_refused_before_anything_is_opened(tmp_path: Path) -> None:
    """With the names that there are."""
    with pytest.raises(
        InvalidArgument, match="tier: must be one of reader, contributor, librarian, curator, not 'boss'"
    ):
        weft.connect(str(tmp_path / "notes.db"), tier="boss")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("hints", ["off", "full"])
def test_hints_are_as_the_settings_say(tmp_path: Path, hints: str) -> None:
    """Off is off."""
    with weft.connect(settings=settings(tmp_path, hints=hints)) as notes:
        assert bool(notes.search("anything")["suggested_next_actions"]) is (hints == "full")


# ---- the connection


def test_a_connection_says_in_one_line_which_it_is(tmp_path: Path) -> None:
    """Its graph, who speaks, and the session if there is one."""
    with weft.connect(graph_at(tmp_path / "notes.db"), actor="ann", session="baking") as notes:
        where = notes.graph.where
        assert repr(notes) == f"<Connection to 'notes' at {where}, curator 'ann', session 'baking'>"
    with weft.connect(graph_at(tmp_path / "notes.db"), actor="ann") as notes:
        assert repr(notes) == f"<Connection to 'notes' at {where}, curator 'ann'>"


def test_a_closed_connection_says_so_and_may_be_closed_again(notes: Connection) -> None:
    """As a graph does."""
    notes.close()
    notes.close()
    with pytest.raises(weft.WeftError, match="closed"):
        notes.status()


def test_one_connection_serves_many_threads(notes: Connection) -> None:
    """Also where all of them ask for a method for the first time."""
    fresh = type("Fresh", (Connection,), {row.name: Method(row) for row in ROWS})
    shared = fresh(graph=notes.graph, caller=notes.caller)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda degrees: shared.capture(f"A cup at {degrees} degrees."), range(80, 96)))
    assert len({each["id"] for each in made}) == 16
    assert shared.status()["counts"]["nodes"] == 18


def test_a_graph_that_is_not_there_is_not_made_where_that_is_not_wanted(tmp_path: Path) -> None:
    """The arguments of ``weft.open`` are passed on."""
    with pytest.raises(weft.WeftError):
        weft.connect(str(tmp_path / "none.db"), create=False)


@pytest.mark.files_only("the settings name a folder of files")
def test_a_connection_without_a_name_is_to_the_graph_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ``weft.open``; and the typed verbs are within reach."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEFT_GRAPH", str(tmp_path / "mine.db"))
    with weft.connect() as notes:
        assert notes.graph.name == "mine"
        assert notes.graph.settings.folders == (tmp_path,)
        assert notes.graph.recall.fetch(notes.capture("Salt.")["id"], notes.graph.call()).node.title == "Salt."
    assert Settings.from_environment().folders == ()


# ---- what it costs


def loaded_by(program: str) -> set[str]:
    """Return the modules that a fresh interpreter has loaded after ``program``."""
    found = f"import sys; sys.path.insert(0, {str(Path(weft.__file__).parents[1])!r})\n"
    told = "\nimport json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", found + program + told], check=True, capture_output=True, text=True)
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("program", ["import weft", "import weft; assert {'connect', 'open'} <= set(dir(weft))"])
def test_importing_weft_loads_next_to_nothing(program: str) -> None:
    """Neither the graph nor the table, and no library; completing its names does not either."""
    loaded = loaded_by(program)
    assert {name for name in loaded if name.startswith("weft")} == {"weft"}
    assert not {"pydantic", "apsw", "numpy"} & loaded


def test_the_rooms_that_the_manual_names_are_there_after_the_import() -> None:
    """An ``except`` is looked up when something is raised: it must not depend on what was asked for before."""
    loaded = loaded_by(
        "import weft; weft.errors.NotFound; weft.model.Tier; assert {'errors', 'model'} <= set(dir(weft))"
    )
    assert "weft.graph" not in loaded


def test_asking_for_the_door_would_show_in_that_list() -> None:
    """The twin: ``connect`` loads the graph, and no arguments of any toolset yet."""
    loaded = loaded_by("import weft; weft.connect")
    assert {"weft.graph", "weft.tools.table"} <= loaded
    assert not {f"weft.tools.{toolset}.arguments" for toolset in ("core", "memory", "research")} & loaded
