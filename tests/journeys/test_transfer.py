"""Somebody moves in with notes from elsewhere, moves out to another machine, and draws what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import graph_at, place_at
from faces.prompt import answer, weft, wide
from services.travel import lay

if TYPE_CHECKING:
    from pathlib import Path


VAULT = {
    "Home.md": "---\naliases: [Start]\n---\nAll about [[Tea]] and [[Kettle]]; see [[Nowhere]].",
    "Tea.md": "Tea needs hot water.\n\nrequires:: [[Kettle]] #drink",
    "Kettle.md": "A kettle heats water to 100 °C.",
    "Broken.md": "---\na: [\n---\nStill a text.",
}


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder with a graph of its own."""
    monkeypatch.chdir(tmp_path)
    for name, value in {"WEFT_GRAPH": graph_at(tmp_path / "notes.db"), "WEFT_ACTOR": "ann"}.items():
        monkeypatch.setenv(name, value)


def test_a_vault_moves_in_is_searched_and_moves_on_whole(tmp_path: Path) -> None:
    """Preview, import, again; search; copy into another graph; the copy of the copy is the copy."""
    lay(tmp_path / "vault", VAULT)
    would = weft("import", "vault", "--from", "obsidian", "--dry-run")
    assert "This would come in:" in would.stdout
    assert "Nothing was written." in would.stdout
    did = weft("import", "vault", "--from", "obsidian")
    assert did.exit_code == 0
    assert "4 new nodes" in did.stdout
    assert "Broken.md:3:" in did.stdout
    assert "Home.md:4: a relation to «Nowhere»" in did.stdout
    assert "Nothing new came in." in weft("import", "vault", "--from", "obsidian").stdout
    hits = answer("search", "what heats water")["hits"]
    assert hits[0]["title"] == "Kettle"
    assert answer("fetch", "obsidian:Tea")["title"] == "Tea"

    assert weft("export", "copy.jsonl").exit_code == 0
    assert weft("export", "copy.jsonl").exit_code == 1
    moved = answer("--graph", graph_at(tmp_path / "other.db"), "import", "copy.jsonl", "--from", "jsonl")
    assert (moved["nodes_made"], moved["unread"]) == (4, [])
    weft("--graph", graph_at(tmp_path / "other.db"), "export", "copy2.jsonl")
    assert (tmp_path / "copy2.jsonl").read_bytes() == (tmp_path / "copy.jsonl").read_bytes()
    there = answer("--graph", graph_at(tmp_path / "other.db"), "search", "what heats water")["hits"]
    assert [hit["title"] for hit in there] == [hit["title"] for hit in hits]


def test_an_import_is_taken_back_batch_by_batch(tmp_path: Path) -> None:
    """The last batch first: relations, then nodes."""
    lay(tmp_path / "vault", VAULT)
    batches = answer("import", "vault", "--from", "obsidian")["batches"]
    for batch in reversed(batches):
        assert weft("undo", batch).exit_code == 0
    assert answer("status")["counts"]["nodes"] == 0


def test_every_form_goes_out_by_the_command_line(tmp_path: Path) -> None:
    """Files, folders and standard output."""
    lay(tmp_path / "vault", VAULT)
    weft("import", "vault", "--from", "obsidian")
    for form in ("jsonl", "okf", "graphml", "cytoscape", "cypher", "csv"):
        said = weft("export", f"out-{form}", "--format", form)
        assert said.exit_code == 0, said.output
        assert "4 nodes, 3 relations" in said.stdout
        assert (tmp_path / f"out-{form}").exists()
    chart = weft("export", "-", "--format", "mermaid", "--around", "Tea")
    assert chart.stdout.startswith("flowchart LR\n")
    assert "requires" in chart.stdout
    assert weft("export", "-").stdout.splitlines()[0] == '{"weft":1}'


def test_what_cannot_be_done_is_said_with_what_can(tmp_path: Path) -> None:
    """An unknown format, a path with nothing at it, a reader who imports, a graph that is not there."""
    lay(tmp_path / "vault", VAULT)
    weft("import", "vault", "--from", "obsidian")
    said = weft("import", "vault", "--from", "notion")
    assert said.exit_code == 1
    assert "obsidian" in said.stderr
    assert answer("import", "nothing", "--from", "obsidian", code=1)["error"] == "NOT_FOUND"
    assert (
        answer("--role", "librarian", "import", "vault", "--from", "obsidian", code=1)["error"] == "PERMISSION_DENIED"
    )
    assert weft("import", "vault").exit_code == 2
    assert weft("--graph", place_at(tmp_path / "none.db"), "export", "x.jsonl").exit_code == 3
    assert not (tmp_path / "none.db").exists()
    assert weft("--role", "reader", "export", "y.jsonl").exit_code == 0


@pytest.mark.parametrize("columns", [80, 200])
def test_what_is_shown_fits_the_terminal(tmp_path: Path, columns: int) -> None:
    """Wrapped with its indent, nothing cut off, at either width."""
    lay(tmp_path / "vault", VAULT | {f"{'long name ' * 12}.md": "[[" + "missing " * 20 + "]]"})
    shown = wide("import", "vault", "--from", "obsidian", columns=columns)
    assert max(map(len, shown)) <= columns
    assert "".join("".join(shown).split()).count("missing") == 10
