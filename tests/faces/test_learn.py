"""``weft learn``: what a person types and reads, and that it is what the tools answer."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from doors import door
from engine import graph_at
from faces.prompt import answer, forget_settings, weft
from learning import FITTING, STRANGE, copied
from weft.faces.learned import COMMANDS, FORMS
from weft.faces.show import show
from weft.tools.synthesis import ROWS

if TYPE_CHECKING:
    from pathlib import Path


SENSIBLE, SIGNAL, METRICS = "Sensible Transparency", "Signal Transparency Score", "Metrics Pillar"


@pytest.fixture(autouse=True)
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A graph with two documents, the one that is meant where none is named; kept by Ann."""
    forget_settings(monkeypatch)
    path = graph_at(copied(tmp_path / "graphs") / "notes.db")
    monkeypatch.setenv("WEFT_GRAPH", path)
    monkeypatch.setenv("WEFT_ACTOR", "ann")
    monkeypatch.chdir(tmp_path)
    return path


def connect(*more: str) -> dict[str, Any]:
    """Connect the two transparencies."""
    return answer("learn", "connect", SENSIBLE, SIGNAL, "--because", FITTING, *more)


def test_every_command_of_the_plan_is_there() -> None:
    """And each tool of the toolset has its command, but for the batch, which weft call runs."""
    said = weft("learn", "--help").stdout
    for name in ("connect", "synthesize", "bridges", "list", "update", "delete", "rate", "export", "import"):
        assert f" {name} " in said
    assert set(COMMANDS) == {row.name for row in ROWS} - {"create_learned_relationships"}
    assert set(FORMS) == set(COMMANDS)


def test_connect_makes_a_learned_connection_by_the_actor() -> None:
    """The default type is LEARNED_CONNECTION, the creator the one who types."""
    made = connect()
    assert made["relationship_type"] == "LEARNED_CONNECTION"
    (row,) = answer("learn", "list")["learned_knowledge"]
    assert (row["learned_id"], row["created_by"]) == (made["learned_id"], "ann")
    other = answer("--actor", "bea", "learn", "connect", SENSIBLE, METRICS, "--because", FITTING, "--type", "bridges")
    assert answer("learn", "list", other["learned_id"])["learned_knowledge"][0]["created_by"] == "bea"


def test_the_command_line_and_the_tool_give_the_same_answer(tmp_path: Path) -> None:
    """Field by field, but for ids of the batch; errors too."""
    wish = {
        "from_concept_id": SENSIBLE,
        "to_concept_id": SIGNAL,
        "relationship_type": "BRIDGES",
        "evidence": FITTING,
        "creator": "ann",
    }
    with door(copied(tmp_path / "other"), hints="brief") as other:
        wanted = [
            other.answer("create_learned_relationship", wish),
            other.answer("create_learned_relationship", wish),
            other.answer("list_learned_knowledge", {}),
        ]
    words = ("learn", "connect", SENSIBLE, SIGNAL, "--because", FITTING, "--type", "BRIDGES", "--json")
    typed = [json.loads(weft(*line).stdout) for line in (words, words, ("learn", "list", "--json"))]
    for mine, theirs in zip(typed, wanted, strict=True):
        for volatile in ("batch",):
            mine.pop(volatile, None)
            theirs.pop(volatile, None)
        for row in (*mine.get("learned_knowledge", ()), *theirs.get("learned_knowledge", ())):
            row.pop("created_at")
        assert mine == theirs


def test_synthesize_bridges_update_rate_and_delete_run_through() -> None:
    """A whole life of a learned item, in commands."""
    made = answer(
        *("learn", "synthesize", "Open figures", "--bridge", SENSIBLE, "--bridge", METRICS),
        *("--because", FITTING, "--ontology", "Ideas", "--term", "visible", "--term", "numbers"),
    )
    found = answer("learn", "bridges", "Governed Agility", "Role Based Intelligence", "--min-similarity", "0.3")
    assert found["candidatesFound"] > 0
    item = made["learned_id"]
    assert answer("learn", "update", item, "--because", STRANGE)["cognitive_leap"] == "HIGH"
    assert answer("learn", "rate", item, "up", "--because", "True.")["votes"] == {"up": 1, "down": 0}
    (row,) = answer("learn", "list", item)["learned_knowledge"]
    assert [each["evidence"] for each in row["history"]] == [FITTING]
    gone = answer("learn", "delete", item, "--cascade")
    assert (gone["deleted_relationships"], gone["cascade_deleted_concepts"]) == (2, 1)
    assert answer("undo", gone["batch"])["reverted"] > 2
    assert answer("learn", "list")["total"] == 1


def test_lists_are_filtered_in_words() -> None:
    """By creator, ontology, similarity and leap."""
    connect("--type", "uses", "--creator", "claude-code")
    answer("learn", "connect", SENSIBLE, METRICS, "--because", STRANGE)
    assert answer("learn", "list", "--creator", "claude-code")["total"] == 1
    assert answer("learn", "list", "--ontology", "Role Based Intelligence")["total"] == 2
    assert answer("learn", "list", "--leap", "high")["total"] == 1
    assert answer("learn", "list", "--min-similarity", "0.6")["total"] == 1
    page = answer("learn", "list", "--limit", "1", "--offset", "1")
    assert (page["total"], len(page["learned_knowledge"])) == (2, 1)


def test_an_export_goes_to_a_file_or_to_standard_output_and_comes_back(tmp_path: Path) -> None:
    """The format is told by the name; a file is not written over unless that is said; nothing is cut."""
    connect("--type", "bridges")
    for number, type_ in enumerate(("uses", "supports", "follows")):
        words = f"{FITTING} {'Again and again. ' * 500} {number}"
        answer("learn", "connect", SENSIBLE, SIGNAL, "--because", words, "--type", type_)
    assert answer("learn", "export", "all.csv") == {"format": "csv", "items": 4, "total": 4, "path": "all.csv"}
    assert weft("learn", "export", "all.csv").exit_code == 1
    assert weft("learn", "export", "all.csv", "--replace").exit_code == 0
    shown = weft("learn", "export", "--format", "json").stdout
    assert len(json.loads(shown)["learned_knowledge"]) == 4
    assert len(shown) > 25_000
    assert weft("learn", "export", "page.md").exit_code == 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8").startswith("# Learned knowledge")
    part = answer("learn", "export", "--format", "json")
    assert part["total"] == 4

    other = graph_at(copied(tmp_path / "bob") / "notes.db")
    dry = answer("--graph", other, "learn", "import", "all.csv", "--dry-run")
    assert (dry["written"], dry["dry_run"]) == (4, True)
    taken = answer("--graph", other, "--actor", "bob", "learn", "import", "all.csv", "--creator", "ann=bob")
    assert (taken["written"], taken["skipped"]) == (4, [])
    again = answer("--graph", other, "--actor", "bob", "learn", "import", "-", "--creator", "ann=bob", stdin=shown)
    assert (again["written"], len(again["skipped"])) == (0, 4)


def test_what_cannot_be_done_ends_with_code_1_in_words() -> None:
    """Unknown ends, files that are not there, a bad map of names, a vote that is none."""
    item = connect()["learned_id"]
    for words, said in (
        (("learn", "connect", "Nowhere", SIGNAL, "--because", "x"), "Nowhere"),
        (("learn", "connect", SENSIBLE, SIGNAL, "--because", "x"), item),
        (("learn", "import", "nothing.json"), "cannot be read"),
        (("learn", "import", "-", "--creator", "ann"), "THERE=HERE"),
        (("learn", "rate", item, "sideways"), "VOTE"),
        (("learn", "update", item), "nothing to change"),
        (("learn", "delete", SENSIBLE), "a document said it"),
        (("learn", "export", "no/such/folder.json"), "cannot be written"),
        (("--role", "contributor", "learn", "delete", item), "librarian"),
    ):
        result = weft(*words)
        assert result.exit_code == 1, words
        assert said in result.stderr


def test_one_scope_at_most() -> None:
    """The three flags and --scope exclude each other; what follows -- is text."""
    for pair in (
        ("--learned-only", "--documents-only"),
        ("--include-learned", "--learned-only"),
        ("--scope=learned", "--documents-only"),
    ):
        said = weft("search", "transparency", *pair)
        assert said.exit_code == 2
        assert "exclude each other" in said.stderr
    assert weft("search", "--learned-only", "--", "--documents-only").exit_code == 0
    assert weft("search", "transparency", "--learned-only", "--learned-only").exit_code == 0


def test_the_three_scope_flags_decide_what_reads_see() -> None:
    """In search, trace and challenge."""
    answer(
        *("learn", "synthesize", "Open figures", "--bridge", SENSIBLE, "--bridge", SIGNAL),
        *("--because", FITTING, "--ontology", "Ideas", "--term", "transparency"),
    )

    def titles(*flags: str) -> set[str]:
        return {hit["title"] for hit in answer("search", "transparency of figures", *flags)["hits"]}

    assert titles() == titles("--include-learned") >= {"Open figures", SENSIBLE}
    assert titles("--learned-only") == {"Open figures"}
    assert "Open figures" not in titles("--documents-only")
    assert answer("trace", SENSIBLE, SIGNAL)["connected"] is True
    assert answer("trace", SENSIBLE, SIGNAL, "--documents-only")["connected"] is False
    sides = answer("challenge", FITTING, "--documents-only")
    titles_of = [each["title"] for part in ("supports", "conflicts", "to_judge") for each in sides[part]]
    assert "Open figures" not in titles_of


def _rendered(tool: str, body: dict[str, Any], width: int) -> list[str]:
    out = io.StringIO()
    screen = Console(file=out, width=width, highlight=False, markup=False, emoji=False, no_color=True)
    show(screen, tool, body)
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 200])
def test_tables_fit_the_terminal_and_lose_no_word(width: int) -> None:
    """At 80 and at 200 columns: every line fits, ids stay whole, every word of the evidence is there."""
    connect("--type", "bridges")
    answer("learn", "connect", SENSIBLE, METRICS, "--because", STRANGE)
    answer(
        *("learn", "synthesize", "Open figures", "--bridge", SENSIBLE, "--bridge", METRICS),
        *("--because", FITTING, "--ontology", "Ideas"),
    )
    body = answer("learn", "list")
    lines = _rendered("list_learned_knowledge", body, width)
    assert max(map(len, lines)) <= width
    together = " ".join(" ".join(lines).split())
    for row in body["learned_knowledge"]:
        assert any(line.startswith(row["learned_id"]) for line in lines)
        assert row["cognitive_leap"] in together
    for word in {*STRANGE.split(), *FITTING.split(), "BRIDGES", "joins"}:
        assert word in together
    found = answer("learn", "bridges", "Governed Agility", "Role Based Intelligence", "--min-similarity", "0.2")
    assert max(map(len, _rendered("find_bridge_candidates", found, width))) <= width
    assert any("⟷" in line for line in _rendered("find_bridge_candidates", found, width))


def test_answers_are_sentences_and_name_the_way_back() -> None:
    """No answer is printed as fields; next steps are spelt as commands."""
    said = weft("learn", "connect", SENSIBLE, METRICS, "--because", STRANGE).stdout
    assert "size of the leap: HIGH" in said
    assert "Unusual connection - low semantic similarity detected" in said
    assert "take back: weft undo" in said
    assert "\n  weft learn list" in said
    item = said.split(":")[0]
    for words in (
        ("learn", "update", item, "--because", FITTING),
        ("learn", "rate", item, "down"),
        ("learn", "list"),
        ("learn", "bridges", "Governed Agility", "Role Based Intelligence"),
        ("learn", "delete", item),
        ("learn", "list"),
        ("learn", "import", "-", "--dry-run"),
    ):
        result = weft(*words, stdin="[]")
        assert result.exit_code == 0, result.output
        assert "{" not in result.stdout, words
        assert ("take back: weft undo" in result.stdout) == (words[1] in {"update", "delete"}), words


def test_a_vote_is_changed_as_the_answer_says() -> None:
    """A first vote cannot be taken back; the other one takes its place."""
    item = answer("learn", "connect", SENSIBLE, SIGNAL, "--because", FITTING)["learned_id"]
    said = weft("learn", "rate", item, "down").stdout
    changing = said.split("change it: weft ")[1].split()[:4]
    assert answer(*changing)["votes"] == {"up": 1, "down": 0}
