"""The command line: what a person types, what they read, and the code a script sees."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from engine import filled_at, graph_at
from faces.prompt import answer, weft
from tools.examples import EXAMPLES, furnish
from weft.faces.options import hoist
from weft.faces.questions import opposite
from weft.faces.show import FORMS, show

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.usefixtures("at_home_or_served")


def test_a_capture_says_how_its_kind_was_told() -> None:
    """By what, how surely, and what else it could be; where nothing tells it no share is given."""
    told = weft("capture", "We picked Kafka over RabbitMQ since we need replay.").stdout
    assert "classified by wording: decision, 9" in told
    unsure = weft("capture", "Retries back off from 200 ms.").stdout
    assert "too little in its words tells its kind; taken for a concept, though it could be: general" in unsure
    assert "classified" not in weft("capture", "Half of it is gone.", "--kind", "claim").stdout


def test_what_is_captured_is_found_and_named_by_its_title() -> None:
    """Capture, search, fetch: the first three things anybody does."""
    made = answer(
        "capture", "Light roasts need hotter water than dark roasts.", "--title", "Light roasts", "--kind", "claim"
    )
    found = answer("search", "how hot should the water be")
    assert [hit["id"] for hit in found["hits"]] == [made["id"]]  # type: ignore[attr-defined]
    assert answer("fetch", "light roasts")["id"] == made["id"]


def test_a_long_text_is_read_on_by_the_command_that_is_offered() -> None:
    """Part after part, to its end."""
    weft("capture", "-", "--title", "Long", "--kind", "general", stdin=f"It began so. {'word ' * 3_000}and ended so.")
    first = weft("fetch", "Long").stdout
    assert "offset 8000 goes on" in " ".join(first.split())
    assert re.search(r"weft fetch --offset 8000 \S+\n", first)
    assert "and ended so." in " ".join(weft("fetch", "Long", "--offset", "8000").stdout.split())


def test_a_misspelt_search_says_above_the_hits_how_it_was_read() -> None:
    """So that nobody takes what was found for what was asked."""
    weft("capture", "Light roasts need hotter water than dark roasts.", "--title", "Light roasts")
    said = weft("search", "roatss").output
    assert said.startswith("No text holds «roatss»: read as «roasts».")
    assert said.index("Light roasts") > said.index("roatss")
    assert "read as" not in weft("search", "roasts").output


def test_what_is_struck_out_is_found_and_shown_as_struck_out() -> None:
    """Nobody takes it for what the text says."""
    weft("capture", "Roasts rest for *two* days. ~~Roasts rest for a week.~~", "--title", "Resting")
    assert "Roasts rest for two days. ~~Roasts rest for a week.~~" in weft("search", "resting for a week").stdout


def test_a_search_is_narrowed_by_time_by_status_and_to_what_is_near_a_node() -> None:
    """Each by an option of its own; a time without anything in it is told above the answer."""
    weft("capture", "Light roasts need hotter water than dark roasts.", "--title", "Light roasts")
    weft("capture", "Water for roasts is filtered.", "--title", "Filters")
    weft("relate", "Filters", "supports", "Light roasts", "--because", "Chlorine masks them.")
    weft("update", "Filters", "--status", "needs_review")
    assert len(answer("search", "roasts", "--since", "1d")["hits"]) == 2  # type: ignore[arg-type]
    assert weft("search", "roasts", "--since", "2999-01-01").stdout.startswith("Nothing was written or changed since")
    for narrowed, title in (("--status", "needs_review"), "Filters"), (("--related-to", "Filters"), "Light roasts"):
        assert [hit["title"] for hit in answer("search", "roasts", *narrowed)["hits"]] == [title]  # type: ignore[attr-defined]


def test_text_comes_from_standard_input_where_a_dash_stands_for_it() -> None:
    """``weft capture -`` reads the text."""
    assert weft("capture", "-", "--title", "Piped", stdin="It came through a pipe.\n").exit_code == 0
    assert answer("fetch", "Piped")["node"]["content"].strip() == "It came through a pipe."  # type: ignore[index]


@pytest.mark.files_only("a file is found from the folders below it")
def test_init_makes_a_graph_that_folders_below_it_find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project's graph is found upward, as git finds its own."""
    assert weft("init").exit_code == 0
    weft("capture", "Found from below.", "--title", "Below")
    (tmp_path / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep" / "er")
    assert answer("fetch", "Below")["title"] == "Below"
    assert not (tmp_path / "home").exists()


@pytest.mark.files_only("a project's graph is a file")
def test_a_projects_graph_keeps_itself_out_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever way its folder comes to be; what somebody wrote there or took out is left so, and no other folder."""
    git = ["git", "-c", "init.defaultBranch=main"]
    for name, words in {"a": ["init"], "b": ["--graph", ".weft/notes.db", "init"], "c": ["init"]}.items():
        project = tmp_path / name
        (project / (".weft" if name == "c" else ".")).mkdir(parents=True)
        monkeypatch.chdir(project)
        subprocess.run([*git, "init", "--quiet"], check=True)
        assert weft(*words).exit_code == 0
        assert _untracked() == ""
    (project / ".weft" / ".gitignore").unlink()
    assert weft("init").exit_code == 0
    assert weft("--graph", ".weft/second.db", "init").exit_code == 0
    assert ".weft/" in _untracked()
    (project / ".weft" / ".gitignore").write_text("*.db\n")
    assert weft("--graph", ".weft/third.db", "init").exit_code == 0
    assert (project / ".weft" / ".gitignore").read_text() == "*.db\n"
    assert weft("--graph", "plain/notes.db", "init").exit_code == 0
    assert not (project / "plain" / ".gitignore").exists()


def _untracked() -> str:
    return subprocess.run(["git", "status", "--porcelain"], check=True, capture_output=True, text=True).stdout


def test_global_options_may_stand_anywhere_before_a_double_dash() -> None:
    """The group's options are moved ahead; scope flags are spellings of --scope."""
    assert hoist(["search", "x", "--json", "--graph", "g", "--learned-only"]) == [
        "--json", "--graph", "g", "--scope", "learned", "search", "x",
    ]  # fmt: skip
    assert hoist(["call", "--role=reader", "x", "--", "--json"]) == ["--role=reader", "call", "x", "--", "--json"]


def test_an_error_answer_ends_with_code_1_and_says_what_to_do() -> None:
    """An unknown node is told on standard error, as JSON where that was asked for."""
    weft("capture", "Something.", "--title", "Something")
    said = weft("fetch", "nothing of that name")
    assert said.exit_code == 1
    assert "nothing of that name" in said.stderr
    assert json.loads(weft("fetch", "nothing of that name", "--json").stdout)["error"] == "NOT_FOUND"


def test_the_version_is_told_without_a_command() -> None:
    """``weft --version`` needs nothing else."""
    said = weft("--version")
    assert said.exit_code == 0
    assert said.stdout.startswith("weft ")


def test_wrong_usage_ends_with_code_2() -> None:
    """A missing argument, an unknown option and a setting that does not exist are usage."""
    assert weft("search").exit_code == 2
    assert weft("search", "x", "--no-such-option").exit_code == 2
    assert weft("--role", "emperor", "status").exit_code == 2


@pytest.mark.files_only("tests/postgres/test_away.py")
def test_a_graph_that_cannot_be_opened_ends_with_code_3_and_stays_as_it_was(tmp_path: Path) -> None:
    """A file that is no graph is left alone; a path that only reads were asked of is not made."""
    stranger = tmp_path / "letter.db"
    stranger.write_text("Dear Sir or Madam", encoding="utf-8")
    assert weft("--graph", str(stranger), "search", "x").exit_code == 3
    assert stranger.read_text(encoding="utf-8") == "Dear Sir or Madam"
    assert weft("--graph", str(tmp_path / "typo.db"), "search", "x").exit_code == 3
    assert not (tmp_path / "typo.db").exists()
    for words in (
        ("review",),
        ("undo", "x"),
        ("forget", "x"),
        ("update", "x", "--title", "y"),
        ("learn", "delete", "x"),
    ):
        assert weft("--graph", str(tmp_path / "typo.db"), *words).exit_code == 3, words
    assert not (tmp_path / "typo.db").exists()


def test_a_reader_cannot_write() -> None:
    """``--role`` lowers what a command may do; the needed tier is named."""
    weft("capture", "Something.", "--title", "Something")
    said = weft("--role", "reader", "capture", "Something else.")
    assert said.exit_code == 1
    assert "contributor" in said.stderr


def test_call_takes_json_and_refuses_what_is_none() -> None:
    """Every tool is reachable with JSON arguments; bad JSON names the option."""
    assert weft("call", "capture", "--json-args", '{"content": "By call.", "title": "By call"}').exit_code == 0
    said = weft("call", "capture", "--json-args", "{")
    assert said.exit_code == 1
    assert "--json-args" in said.stderr
    assert weft("call", "capture", "--json-args", "[]").exit_code == 1


def test_a_text_that_is_taken_in_by_the_tool_is_told_as_one_by_the_command() -> None:
    """What was written is counted, and so is what was there already."""
    given = json.dumps({"text": "Kilns are fired to 1250 degrees.", "document": "ovens.md"})
    first, again = (weft("call", "ingest", "--json-args", given) for _ in range(2))
    assert (first.exit_code, again.exit_code) == (0, 0), first.output
    assert first.stdout.startswith("Took in 1 document.\n")
    assert "take back: weft undo " in first.stdout
    assert "Nothing new was taken in; 1 document unchanged." in again.stdout


@pytest.mark.files_too
def test_every_tool_whose_answers_have_a_form_is_told_in_it(tmp_path: Path) -> None:
    """Whichever way it is called: the form reads what the tool answers."""
    path = tmp_path / "notes.db"
    filled_at(path, furnish)
    for tool in [each for each in FORMS if each in EXAMPLES]:
        said = weft("--graph", graph_at(path), "call", tool, "--json-args", json.dumps(EXAMPLES[tool]))
        assert said.exit_code == 0, (tool, said.exception, said.output)


def test_forget_shows_first_and_undo_brings_back() -> None:
    """Without --yes nothing goes; with it a batch is named, and undone."""
    weft("capture", "Going and coming back.", "--title", "Boomerang")
    assert answer("forget", "Boomerang")["done"] is False
    gone = answer("forget", "Boomerang", "--yes")
    assert weft("fetch", "Boomerang").exit_code == 1
    assert answer("undo", str(gone["batch"]))["reverted"]
    assert answer("fetch", "Boomerang")["title"] == "Boomerang"


def test_every_write_answers_in_sentences_and_names_a_batch_that_undo_takes_as_shown() -> None:
    """No answer of a write is printed as fields; the id that is shown works when it is pasted back."""
    for title in ("Kiln", "Clay"):
        assert "take back: weft undo " in weft("capture", f"All about {title}.", "--title", title).stdout
    for words in (
        ("relate", "Kiln", "requires", "Clay", "--because", "Nothing is fired without it."),
        ("update", "Kiln", "--tag", "hot"),
        ("synthesize", "Pottery", "--bridge", "Kiln", "--bridge", "Clay", "--because", "Both make pots."),
        ("unrelate", "Kiln", "requires", "Clay"),
        ("forget", "Pottery", "--yes"),
    ):
        said = weft(*words).stdout
        assert "{" not in said
        for _ in ("taken back", "done again"):
            said = weft("undo", said.split("weft undo ")[1].split()[0]).stdout
            assert "Took back" in said, words


def test_an_item_of_review_is_shown_as_accept_takes_it_and_a_wrong_one_ends_with_code_1() -> None:
    """The id below a summary decides that item; an id that is none decides nothing."""
    weft("capture", "Retries back off from 200 ms.", "--title", "Patience")
    item = next(row.strip() for row in weft("review").stdout.splitlines() if row.strip().count("-") == 4)
    wrong = weft("review", "--accept", "no-such-item")
    assert wrong.exit_code == 1
    assert "not decided" in wrong.stdout
    assert weft("review", "--accept", item).exit_code == 0
    assert "Nothing waits" in weft("review").stdout


def test_review_says_what_no_longer_holds_and_what_took_its_place() -> None:
    """By its title, as search does."""
    weft("capture", "Every migration must be reversible.", "--title", "Both ways", "--kind", "convention")
    weft("capture", "Migrations must not be reversible.", "--title", "Forward", "--kind", "decision")
    weft("update", "Both ways", "--superseded-by", "Forward")
    shown = [row.strip() for row in weft("review").stdout.splitlines()]
    place = shown.index("no longer holds: Both ways")
    assert shown[place + 1] == "Both ways: superseded by Forward"


def test_review_says_how_alike_two_texts_are_and_which_they_are() -> None:
    """Two of the same title cannot be told apart by it."""
    one = weft("capture", "The build server restarts every night at two.", "--title", "Restarts", "--json").stdout
    other = weft("capture", "The build server restarts each night at two.", "--title", "Restarts", "--json").stdout
    ids = [json.loads(each)["id"] for each in (other, one)]
    shown = " ".join(weft("review").stdout.split())
    assert "«Restarts» may repeat «Restarts»." in shown
    assert re.search(rf"similarity (?:0\.99|1\.00)\D* · {ids[0]} ↔ {ids[1]} accept: ", shown)


def test_what_a_folder_could_not_give_is_told_with_its_reason(tmp_path: Path) -> None:
    """Ingest counts in words, names what it left out, and says so where nothing changed."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "good.md").write_text("# Good\n\nThe kiln is fired to 1250 degrees.\n", encoding="utf-8")
    (folder / "bad.md").write_bytes(b"\xff\xfe\x00")
    said = weft("ingest", str(folder)).stdout
    assert "Took in 1 document." in said
    assert "left out bad.md: " in said
    (folder / "copy.md").write_bytes((folder / "good.md").read_bytes())
    assert "\n  copy.md: read, but its text is that of good.md" in weft("ingest", str(folder)).stdout
    (folder / "copy.md").unlink()
    assert "Nothing new was taken in; 1 document unchanged." in weft("ingest", str(folder)).stdout


def test_notes_that_are_gone_from_a_vault_are_named_when_it_is_imported_again(tmp_path: Path) -> None:
    """Each by what ``weft forget`` takes; then it is named no more."""
    vault = tmp_path / "notes"
    vault.mkdir()
    for name in ("Kiln", "Glaze"):
        (vault / f"{name}.md").write_text(f"About the {name.lower()}.", encoding="utf-8")
    assert "not in the folder" not in weft("import", str(vault), "--from", "obsidian").stdout
    (vault / "Glaze.md").unlink()
    said = weft("import", str(vault), "--from", "obsidian").stdout
    assert "1 note that came in before is not in the folder now" in said
    assert "\n    obsidian:Glaze\n" in said
    assert weft("forget", "obsidian:Glaze", "--yes").exit_code == 0
    assert "not in the folder" not in weft("import", str(vault), "--from", "obsidian").stdout


def test_documents_that_are_gone_from_a_folder_are_named_when_it_is_taken_in_again(tmp_path: Path) -> None:
    """Each by what ``weft forget`` takes, which takes what it alone said with it; then it is named no more."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "kiln.md").write_text("# Kiln\n\nThe kiln must never be opened above 200 degrees.\n", encoding="utf-8")
    (docs / "glaze.md").write_text("# Glaze\n\nIt melts.\n", encoding="utf-8")
    assert "not there now" not in weft("ingest", str(docs)).stdout
    (docs / "kiln.md").unlink()
    said = weft("ingest", str(docs)).stdout
    assert "1 document that was taken in before is not there now" in " ".join(said.split())
    assert "\n    kiln.md\n" in said
    assert "and 1 node that rests on it alone" in " ".join(weft("forget", "kiln.md").stdout.split())
    assert weft("forget", "kiln.md", "--yes").exit_code == 0
    assert not answer("search", "opened above 200 degrees")["hits"]
    assert "not there now" not in weft("ingest", str(docs)).stdout


def test_a_relation_without_a_direction_is_shown_without_one() -> None:
    """From both ends alike, and on a trail; one that has a direction keeps its arrow."""
    for title in ("Boiler", "Grinder", "Kettle"):
        weft("capture", f"The {title.lower()} stands in the kitchen.", "--title", title, "--kind", "component")
    weft("relate", "Boiler", "relates_to", "Grinder", "--because", "They share a socket.")
    weft("relate", "Boiler", "requires", "Kettle", "--because", "It is filled with it.")
    for one, other in (("Boiler", "Grinder"), ("Grinder", "Boiler")):
        assert f"↔ relates_to {other}" in weft("fetch", one).stdout
        assert "↕ relates_to" in weft("trace", one, other).stdout
    assert "→ requires Kettle" in weft("fetch", "Boiler").stdout
    assert "← requires Boiler" in weft("fetch", "Kettle").stdout
    assert "↑ requires" in weft("trace", "Kettle", "Boiler").stdout


def test_a_trail_that_is_not_there_is_told_by_what_is_missing() -> None:
    """An end that nothing is near is another answer than two nodes without a way between them."""
    weft("capture", "The kiln is fired to 1250 degrees.", "--title", "Kiln", "--kind", "claim")
    weft("capture", "Parliament sits on Tuesdays.", "--title", "Parliament", "--kind", "claim")
    assert "No trail leads from «Kiln» to «Parliament»." in weft("trace", "Kiln", "Parliament").stdout
    assert "Nothing in the graph is near the end." in weft("trace", "Kiln", "qqqq zzzz").stdout


def test_a_trail_from_a_node_to_itself_is_told_to_be_none() -> None:
    """Two phrases may mean one node; a single title would look as if the way were lost."""
    weft("capture", "The kiln is fired to 1250 degrees.", "--title", "Kiln", "--kind", "claim")
    assert "Both ends are this one" in weft("trace", "Kiln", "the kiln is fired").stdout


def test_piped_output_has_no_colour_and_no_broken_lines() -> None:
    """What a script reads is plain."""
    weft("capture", "A long text. " * 40, "--title", "Long")
    shown = weft("fetch", "Long").stdout
    assert "\x1b" not in shown
    assert any(len(row) > 400 for row in shown.splitlines())
    weft("capture", f"Short.\n\n{'Long. ' * 40}", "--title", "Two")
    assert "  Short." in weft("fetch", "Two").stdout.splitlines()


def test_json_stays_json_in_a_narrow_terminal() -> None:
    """Of a tool without a form of its own: no line is broken within a text."""
    screen = Console(file=StringIO(), width=40, force_terminal=True, no_color=True, highlight=False)
    show(screen, "memory_get", {"content": "A long text. " * 40})
    assert json.loads(screen.file.getvalue())["content"].startswith("A long text.")  # type: ignore[attr-defined]


def test_a_hint_names_what_can_be_typed() -> None:
    """Where a verb has a command, an error names that and not the tool."""
    weft("capture", "Something.", "--title", "Something")
    assert "weft learn list" in weft("learn", "rate", "nothing", "up").stderr


def test_a_search_tells_of_two_close_hits_of_two_ontologies_with_the_command_that_joins_them() -> None:
    """In a sentence, once."""
    for content, ontology in (
        ("The night train to Vienna leaves at ten.", "trains"),
        ("The train to Vienna departs at ten in the night.", "journeys"),
    ):
        weft("capture", content, "--ontology", ontology, "--kind", "convention")
    said = weft("search", "when does the night train to Vienna leave")
    assert said.exit_code == 0, said.output
    told = " ".join(said.stdout.split())
    assert "lie close, similarity 0." in told
    assert "nothing joins them: weft relate " in told
    assert "lie close" not in weft("search", "when does the night train to Vienna leave").stdout


def test_a_capture_names_what_it_likely_belongs_with() -> None:
    """Three at most; nothing where nothing is near."""
    assert "goes with" not in weft("capture", "Penguins keep their eggs warm on their feet.").stdout
    for place in range(5):
        weft(
            "capture", f"The gateway keeps its sessions in Redis, rack {place} of the hall.", "--title", f"Rack {place}"
        )
    told = " ".join(weft("capture", "The gateway's Redis drops sessions after thirty minutes.").stdout.split())
    assert told.count("goes with: Rack ") == 3
    assert "close in meaning" in told


def test_a_leaning_is_told_with_both_likelihoods() -> None:
    """The likelier side first."""
    claim = "Every write waits for the disk."
    weft("capture", "Every commit waits until the disk has what was written.", "--kind", "claim")
    (side,) = json.loads(weft("challenge", claim, "--json").stdout)["to_judge"]
    values, (other,) = side["likelihood"], {"supports", "conflicts"} - {side["likely"]}
    assert values[side["likely"]] >= side["likely_from"]
    leans = f"rather {side['likely']}, {values[side['likely']]:.2f}; {other} {values[other]:.2f}"
    assert f"to judge ({leans}): " in weft("challenge", claim).stdout


def test_a_challenge_shows_a_claim_once_where_it_is_its_own_title() -> None:
    """The twin has a title of its own, and shows what it says."""
    text = "The pool of the gateway has 20 connections."
    weft("capture", text, "--kind", "claim")
    weft("capture", "The pool of the gateway has 30 connections.", "--kind", "claim", "--title", "Sizing")
    told = weft("challenge", "The pool of the gateway has 50 connections.").stdout
    assert told.count(text) == 1
    assert "Sizing" in told
    assert "has 30 connections." in told


def test_a_challenge_names_the_node_that_makes_the_claim() -> None:
    """Else who asks of what the graph holds reads that nothing speaks for it; the twin is a claim of nobody's."""
    weft("capture", "The pool of the gateway has 20 connections.", "--kind", "claim", "--title", "Sizing")
    told = weft("challenge", "The pool of the gateway has 20 connections.").stdout.splitlines()
    assert told[0].startswith("Sizing")
    assert told[0].endswith("says so")
    assert told[1] == "Nothing else in the graph speaks for or against it."
    assert "Nothing in the graph speaks for or against it." in weft("challenge", "Penguins do not fly.").stdout


def test_what_stands_in_a_superseded_document_says_so(tmp_path: Path) -> None:
    """What replaced it is named where that is recorded."""
    (tmp_path / "0003.md").write_text("# Redis\n\nOperations must run a Redis cluster.\n", "utf-8")
    weft("ingest", str(tmp_path / "0003.md"))
    query = "Operations must run a Redis cluster"
    assert "stands in" not in weft("search", query).stdout
    weft("update", "Redis", "--status", "superseded")
    assert "  stands in Redis, superseded\n" in weft("search", query).stdout
    weft("capture", "We keep sessions in PostgreSQL.", "--title", "Moved", "--kind", "decision")
    weft("update", "Redis", "--superseded-by", "Moved")
    assert "  stands in Redis, superseded by Moved\n" in weft("search", query).stdout
    assert "  stands in Redis, superseded by Moved\n" in weft("context", query).stdout


@pytest.mark.files_too
def test_demo_reads_a_folder_it_has_never_seen_and_leaves_the_graph(tmp_path: Path) -> None:
    """Search, relations, a trail, a challenge, the line for an agent, and where the graph lies."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "kiln.md").write_text(
        "# Kiln\n\nThe kiln is fired to 1250 degrees. It requires [Clay](clay.md).\n", encoding="utf-8"
    )
    (folder / "clay.md").write_text("# Clay\n\nStoneware clay is fired above 1200 degrees.\n", encoding="utf-8")
    said = weft("demo", str(folder))
    assert said.exit_code == 0, said.output
    for part in ("Search", "Relations that made themselves", "Trail", "Challenge", "claude mcp add weft -- "):
        assert part in said.stdout
    assert "against: " in said.stdout
    assert "lead to «" in said.stdout
    assert "requires" in said.stdout
    assert (tmp_path / "home" / "demo-1.db").is_file()


@pytest.mark.files_too
def test_demo_of_a_folder_without_documents_is_an_error(tmp_path: Path) -> None:
    """The twin: nothing to read is said."""
    (tmp_path / "empty").mkdir()
    said = weft("demo", str(tmp_path / "empty"))
    assert said.exit_code == 1
    assert "empty" in said.stderr


@pytest.mark.parametrize(
    ("sentence", "turned"),
    [
        ("The cache is cleared at night.", "The cache is not cleared at night."),
        ("The cache is not cleared at night.", "The cache is cleared at night."),
        ("Clients cannot write.", "Clients can write."),
        ("No verb here", None),
    ],
)
def test_the_demo_turns_a_sentence_around(sentence: str, turned: str | None) -> None:
    """The claim it makes up is the opposite of one that was read."""
    assert opposite(sentence) == turned


def test_help_loads_neither_the_protocol_nor_the_model() -> None:
    """Start-up of the command line is what every hook pays."""
    program = (
        "import sys; from typer.testing import CliRunner; from weft.faces.cli import app\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        "print(*sorted({'mcp', 'numpy', 'onnxruntime', 'apsw', 'starlette', 'pydantic'} & sys.modules.keys()))"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.strip() == ""


def test_a_search_for_words_does_not_load_the_model() -> None:
    """Not even to tell whether one that no text holds is misspelt."""
    weft("capture", "Something.", "--title", "Something")
    program = (
        "import sys; from typer.testing import CliRunner; from weft.faces.cli import app\n"
        "said = CliRunner().invoke(app, ['search', 'somethimg', '--mode', 'keyword'])\n"
        "assert 'read as «something»' in said.output, said.output\n"
        "print(*sorted({'onnxruntime', 'tokenizers'} & sys.modules.keys()))"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.strip() == ""


def test_a_search_from_the_command_line_does_not_load_the_protocol() -> None:
    """``weft search`` needs no MCP."""
    weft("capture", "Something.", "--title", "Something")
    program = (
        "import sys; from typer.testing import CliRunner; from weft.faces.cli import app\n"
        "assert CliRunner().invoke(app, ['search', 'something']).exit_code == 0\n"
        "print(*sorted({'mcp', 'starlette', 'uvicorn'} & sys.modules.keys()))"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.strip() == ""
