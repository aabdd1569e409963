"""The demo's promises beyond its scenes: where it writes, what it asks, what it leaves, and how that is removed."""

from __future__ import annotations

import io
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.console import Console
from typer.testing import CliRunner

from weft.faces import demo
from weft.faces.cli import app
from weft.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.files_only("the demo makes a file, whatever engine the user's own graph lies in")

NOTES = {
    "Autolyse.md": "# Autolyse\n\nAutolyse is a rest of flour and water. It requires [Flour](Flour.md).\n",
    "Flour.md": "# Flour\n\nFlour of high extraction takes up more water. It depends on [Milling](Milling.md).\n",
    "Milling.md": "# Milling\n\nMilling between stones should be slow, because heat spoils the flour.\n",
    "Loaf.md": "# Loaf\n\nWe decided to bake at 240 degrees for a thicker crust. See [Autolyse](Autolyse.md).\n",
}


@pytest.fixture(autouse=True)
def _at_home(at_home: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - it acts
    """Work in an empty folder; the user's graphs lie in one whose name has a blank."""
    monkeypatch.setenv("WEFT_HOME", str(tmp_path / "my home"))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder of small notes that refer to each other."""
    folder = tmp_path / "my notes"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def said_of(folder: Path) -> str:
    """Run the demo; return what it prints."""
    said = CliRunner().invoke(app, ["demo", str(folder)])
    assert said.exit_code == 0, said.output
    return said.stdout


def shown_commands(said: str) -> list[list[str]]:
    """Return the lines that are meant to be copied, as a shell reads them."""
    copied = ("  export ", "  /", "  rm ", "  claude ")
    return [shlex.split(line) for line in said.splitlines() if line.startswith(copied)]


def test_the_lines_it_ends_with_can_be_typed_as_they_stand(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search finds something in the graph that the line before it names, and the last line removes all of it."""
    (_, named), (_, *search), browser, claude, (rm, _, *files) = shown_commands(said_of(notes))
    variable, _, graph = named.partition("=")
    assert (variable, graph) == ("WEFT_GRAPH", str(tmp_path / "my home" / "demo-1.db"))
    assert browser[-4:] == ["--graph", graph, "serve", "--http"]
    assert claude[-3:] == ["--graph", graph, "serve"]
    monkeypatch.setenv(variable, graph)
    found = CliRunner().invoke(app, search)
    assert found.exit_code == 0
    assert "240 degrees" in found.stdout
    assert rm == "rm"
    for each in files:
        shutil.rmtree(each) if Path(each).is_dir() else Path(each).unlink()
    assert list((tmp_path / "my home").iterdir()) == []


def test_a_trail_leads_from_one_title_to_another_in_two_steps_or_more(notes: Path) -> None:
    """A document and the concept of its name are no trail worth showing where there is a longer one."""
    trail = said_of(notes).partition("── Trail")[2].partition("── Challenge")[0]
    start, end = trail.partition("How does «")[2].partition("»?")[0].split("» lead to «")
    assert start != end
    assert trail.count("↓") + trail.count("↑") >= 2


def test_it_speaks_of_no_option_that_it_lacks(notes: Path) -> None:
    """How many hits there are is said, without the search's own --limit."""
    said = said_of(notes)
    assert "3 of " in said
    assert "--limit" not in said


def test_a_graph_on_a_server_is_left_alone_and_that_is_said(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With WEFT_GRAPH set to a URL the demo says which file it makes, and keeps the password to itself."""
    monkeypatch.setenv("WEFT_GRAPH", "postgresql://ann:secret@db.example.org/notes")
    said = said_of(notes)
    assert "postgresql://db.example.org/notes stays as it is" in said
    assert "secret" not in said
    assert f"A fresh graph: {tmp_path / 'my home' / 'demo-1.db'}" in said


def test_an_interruption_says_what_is_left_and_how_to_remove_it(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the middle of the reading: the file that was begun is named."""
    monkeypatch.setattr(demo, "operate", _interrupted)
    screen = Console(file=io.StringIO(), width=80)
    with pytest.raises(KeyboardInterrupt):
        demo.play(screen, notes, Settings(home=str(tmp_path / "my home")))
    said = screen.file.getvalue()  # type: ignore[attr-defined]
    begun = str(tmp_path / "my home" / "demo-1.db")
    assert f"Interrupted: the graph at {begun} holds" in said
    assert begun in shown_commands(said)[0]


def _interrupted(*_: object, **__: Callable[..., object]) -> object:
    raise KeyboardInterrupt


def test_without_a_clone_the_demo_asks_for_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package holds no documentation of its own, and whoever tries it stands in any folder."""
    monkeypatch.setattr(demo, "__file__", str(tmp_path / "lib" / "weft" / "faces" / "demo.py"))
    said = CliRunner().invoke(app, ["demo"])
    assert said.exit_code == 1
    assert "they come with a clone, not with the package" in said.output
    assert "weft demo FOLDER" in said.output
