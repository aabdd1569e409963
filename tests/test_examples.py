"""What the documentation shows can be done as it stands: its Python runs, and so do its commands."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from embed.endpoint import Endpoint
from weft.faces.cli import app
from weft.graph import open as open_graph

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(python|text|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON_PAGE = DOCS / "how-to" / "use-from-python.md"
SERVED = "http://127.0.0.1:8080/v1"  # where the page says that an endpoint is


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of its own to work in, and a home of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEFT_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("WEFT_GRAPH", raising=False)


def blocks_of(page: Path, language: str) -> list[str]:
    """Return the blocks of ``page`` in that language."""
    return [text for said, text in BLOCK.findall(page.read_text(encoding="utf-8")) if said == language]


def run_blocks(markdown: str) -> Iterator[tuple[str, str, str]]:
    """Run the Python of a page in one namespace; yield each block with what it printed and what the page shows."""
    names: dict[str, object] = {"__name__": "page"}
    parts = BLOCK.findall(markdown)
    for place, (language, text) in enumerate(parts):
        if language != "python":
            continue
        shown = parts[place + 1][1] if parts[place + 1 : place + 2] and parts[place + 1][0] == "text" else ""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(text, PYTHON_PAGE.name, "exec"), names)  # noqa: S102 - the page's own code is what is tested
        yield text, printed.getvalue(), shown


def test_every_block_of_the_python_page_prints_what_stands_under_it() -> None:
    """Opening, capturing, searching, undoing and the rest, in the order of the page."""
    with Endpoint() as served:
        page = PYTHON_PAGE.read_text(encoding="utf-8").replace(SERVED, served.url)
        ran = [(printed, shown) for _, printed, shown in run_blocks(page)]
    assert [printed for printed, _ in ran] == [shown for _, shown in ran]
    assert len(ran) >= 12


def test_the_python_of_the_readme_runs_as_it_stands() -> None:
    """What was captured is found, and the answer says why."""
    (block,) = blocks_of(ROOT / "README.md", "python")
    ((_, printed, _),) = run_blocks(f"```python\n{block}```\n")
    assert printed.startswith("Water just off the boil extracts coffee best. ['meaning: similarity")


def test_a_block_that_prints_something_else_is_noticed() -> None:
    """The twin: what is shown and not printed comes out as different."""
    ((_, printed, shown),) = run_blocks("```python\nprint(1)\n```\n\n```text\n2\n```\n")
    assert (printed, shown) == ("1\n", "2\n")


@pytest.mark.parametrize("module", ["weft", "weft.graph", "weft.tools.connection"])
def test_the_examples_of_the_package_run(module: str) -> None:
    """Whoever types what the docstring shows sees what it shows; nothing of it is skipped."""
    loaded = import_module(module)
    assert "+SKIP" not in (loaded.__doc__ or "")
    ran = doctest.testmod(loaded)
    assert ran.failed == 0
    assert ran.attempted > 1


def commands_of(block: str) -> list[list[str]]:
    """Return the ``weft`` commands of a block of shell, each as its arguments."""
    lines = block.replace("\\\n", " ").splitlines()
    split = [shlex.split(line, comments=True) for line in lines]
    return [words[1:] for words in split if words and words[0] == "weft"]


def weft(*words: str) -> str:
    """Run a command as the page says; return what it prints."""
    said = CliRunner().invoke(app, list(words))
    assert said.exit_code == 0, f"weft {shlex.join(words)}: {said.output}"
    return said.output


def test_the_commands_of_the_first_tutorial_run_as_they_stand() -> None:
    """From the empty folder to the undo, whose batch is the one that forgetting named."""
    said = ""
    for block in blocks_of(DOCS / "tutorial" / "first-graph.md", "sh"):
        for words in commands_of(block):
            batch = re.search(r"weft undo (\S+)", said)
            said = weft(*[batch[1] if batch and word == "BATCH" else word for word in words])
    assert "3 nodes" in said


def test_the_commands_of_the_second_tutorial_run_as_they_stand() -> None:
    """From the two folders to the concept that goes with what it rests on; ids and batches are those of the answers."""
    page = (DOCS / "tutorial" / "bridging-ontologies.md").read_text(encoding="utf-8")
    (*_, item) = re.findall(r"learned_[\d-]+_001", page)
    for path, text in re.findall(r"^cat > (\S+) <<'END'\n(.*?)^END$", page, re.MULTILINE | re.DOTALL):
        Path(path).parent.mkdir()
        Path(path).write_text(text, encoding="utf-8")
    weft("init")
    said, answers = "", []
    for block in blocks_of(DOCS / "tutorial" / "bridging-ontologies.md", "sh"):
        for words in commands_of(block):
            batch, learned = re.search(r"weft undo (\S+)", said), re.search(r"learned_[\d-]+_001", "".join(answers))
            named = {"BATCH": batch[1] if batch else "", item: learned[0] if learned else ""}
            said = weft(*[named.get(word, word) for word in words])
            answers.append(said)
    assert "1 concept" in said
    assert [each for each in answers if "0.73  MEDIUM" in each]


def test_the_commands_of_the_page_on_a_vocabulary_run_as_they_stand() -> None:
    """Registering, using and removing a kind and a type; the kind goes when its node went."""
    *blocks, serving = blocks_of(DOCS / "how-to" / "own-vocabulary.md", "sh")
    assert "serve" in serving
    weft("init")
    for block in blocks:
        for words in commands_of(block):
            weft(*words)


def test_the_commands_of_the_page_on_taking_a_graph_elsewhere_run_as_they_stand() -> None:
    """Out, and into another; and the chart of a neighbourhood."""
    weft("init")
    said = ""
    for block in blocks_of(DOCS / "how-to" / "take-the-graph-elsewhere.md", "sh"):
        for words in commands_of(block):
            said = weft(*words)
    assert "Refresh tokens" in said


@pytest.mark.parametrize(
    ("page", "numbers"),
    [
        ("back-up-and-restore.md", (0,)),
        ("look-after-a-graph.md", (0, 2)),
        ("take-in-documents.md", (0,)),
        ("vault.md", (0, 1, 3)),
    ],
)
def test_the_commands_that_need_no_name_of_yours_run_as_they_stand(page: str, numbers: tuple[int, ...]) -> None:
    """Those blocks of other pages that hold no placeholder, in a project with one node and one document."""
    Path("docs").mkdir()
    Path("docs/beans.md").write_text("# Beans\n\nBeans are used within a month of roasting.\n", encoding="utf-8")
    weft("init")
    weft("capture", "Light roasts need hotter water.", "--title", "Light roasts")
    blocks = blocks_of(DOCS / "how-to" / page, "sh")
    ran = [weft(*words) for number in numbers for words in commands_of(blocks[number])]
    assert all(ran)


def test_the_first_commands_for_a_team_run_as_they_stand(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In an empty folder: the graph is made, and then the first token."""
    monkeypatch.setenv("WEFT_GRAPH", str(tmp_path / "team.db"))
    making, *_ = blocks_of(DOCS / "how-to" / "serve-a-team.md", "sh")
    said = [weft(*words) for words in commands_of(making)]
    assert "lets ann call as a contributor" in "".join(said)


CHANGING = re.compile(
    r"  [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}| · name: .*|\b\d+ of \d+|(?<=similarity )\d\.\d\d|\b\d{4}-\d\d-\d\d\b"
)


def steady(text: str) -> str:
    """Return what a command printed without what is another in every graph, or moves when a page is edited."""
    return CHANGING.sub("", text).strip()


def test_the_readme_shows_what_its_first_commands_print(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After the demo on the documentation, and with the two variables that the block begins with."""
    shown = re.search(
        r"^```console\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert shown is not None
    setting, *asked = re.split(r"^\$ ", shown[1], flags=re.MULTILINE)[1:]
    assert setting.startswith("export WEFT_GRAPH=~/.local/share/weft/demo-1.db WEFT_HINTS=off\n")
    weft("demo", str(DOCS))
    monkeypatch.setenv("WEFT_GRAPH", str(tmp_path / "home" / "demo-1.db"))
    monkeypatch.setenv("WEFT_HINTS", "off")
    for each in asked:
        command, _, printed = each.partition("\n")
        assert steady(weft(*shlex.split(command)[1:])) == steady(printed), command


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize("folder", ["my notes", "it's mine", "notes"])
def test_the_folder_of_the_demo_reaches_it_as_one_word(folder: str) -> None:
    """``make demo FOLDER="my notes"`` reads one folder."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # of «make test»
    asked = ["make", "-n", "demo", f"FOLDER={folder}"]
    told = subprocess.run(asked, cwd=ROOT, env=outside, capture_output=True, text=True, check=True)
    assert shlex.split(told.stdout.splitlines()[-1])[1:] == ["demo", folder]


def test_an_open_graph_says_in_one_line_which_it_is(tmp_path: Path) -> None:
    """Its name, where it lies and what may be done in it: what a notebook shows under the cell."""
    path = tmp_path / "notes.db"
    with open_graph(str(path)) as graph:
        assert repr(graph) == f"<Graph 'notes' at {path}, curator>"


def test_a_command_that_fails_is_noticed() -> None:
    """The twin: a page whose command names nothing that is there does not pass."""
    weft("init")
    with pytest.raises(AssertionError, match="rejects"):
        weft("relate", "The trial of May", "rejects", "Salt hardens beans", "--because", "they came out soft")
