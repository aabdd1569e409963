"""Looking after a graph from the command line: what is said, what a script sees, and with which code it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engine import execute_at, graph_at, server
from faces.prompt import answer, weft, wide
from weft.faces.cli import app

pytestmark = pytest.mark.usefixtures("on_notes")


def holds(folder: Path, key: str) -> bool:
    """Return whether ``key`` stands in the file, or in what can be copied out of a server, log and all."""
    return key in weft("export", "-").stdout if server else key.encode() in (folder / "notes.db").read_bytes()


@pytest.mark.files_only("the modes of a file")
def test_a_graph_that_this_user_may_not_write_to_is_searched_looked_at_and_backed_up(tmp_path: Path) -> None:
    """As an ordinary user and with any role; what writes is refused with its reason, and nothing appears beside it."""
    weft("capture", "Water boils.", "--title", "Boiling")
    folder = tmp_path / "theirs"
    folder.mkdir()
    weft("vault", "on", str(tmp_path / "vault"))
    for name in ("notes.db", "notes.usage.db"):
        (tmp_path / name).rename(folder / name)
        (folder / name).chmod(0o444)
    (folder / "notes.index").mkdir(mode=0)  # as an index of another user is
    (tmp_path / "notes.vault").rename(folder / "notes.vault").chmod(0)
    folder.chmod(0o555)
    try:
        for role, words in (
            ("reader", ["search", "water"]),
            ("curator", ["doctor"]),
            ("reader", ["backup", "copy.db"]),
        ):
            said = as_ordinary_user(folder / "notes.db", "--role", role, *words)
            assert (said.returncode, said.stderr) == (0, ""), said.stderr
        refused = as_ordinary_user(folder / "notes.db", "capture", "Ice melts.")
        assert (refused.returncode, "can only be read here" in refused.stderr) == (1, True)
        assert {file.name for file in folder.iterdir()} == {"notes.db", "notes.usage.db", "notes.index", "notes.vault"}
    finally:
        for place in (folder, folder / "notes.index", folder / "notes.vault"):
            place.chmod(0o755)
    assert weft("restore", "copy.db").exit_code == 0
    assert answer("fetch", "Boiling")["title"] == "Boiling"


def as_ordinary_user(graph: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run ``weft`` in a process that the modes of files bind, whoever runs the tests."""
    start = (
        "import sys; sys.path[:0] = sys.argv.pop(1).split('|'); from store.bystander import obey_modes; obey_modes()\n"
        "from weft.faces.cli import main; main()"
    )
    command = [sys.executable, "-c", start, "|".join(sys.path), "--graph", str(graph), *words]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def test_a_vault_that_waits_for_a_pass_ends_the_doctor_with_0(tmp_path: Path) -> None:
    """A script is not woken for it; one that cannot be found is another thing."""
    weft("vault", "on", str(tmp_path / "vault"))
    weft("capture", "Water boils.", "--title", "Boiling")
    said = weft("doctor")
    assert (said.exit_code, "1 thing left to do" in said.stdout) == (0, True)
    assert answer("doctor")["findings"][0]["waits"] is True
    (tmp_path / "vault").rename(tmp_path / "away")
    assert weft("doctor").exit_code == 1


def test_what_waits_and_was_made_is_repaired_and_not_left(tmp_path: Path) -> None:
    """Words of an older release get their vectors; nothing is left to do then."""
    weft("capture", "Water boils.", "--title", "Boiling")
    execute_at(tmp_path / "notes.db", "UPDATE passage SET word_vectors = NULL")
    assert "The graph is sound; 1 thing left to do." in weft("doctor").stdout
    assert "Everything that was found is repaired." in weft("doctor", "--repair").stdout
    assert "The graph is sound." in weft("doctor").stdout


def test_a_sound_graph_is_said_to_be_sound_and_ends_with_0() -> None:
    """And the JSON says what was compared."""
    weft("capture", "Water boils.", "--title", "Boiling")
    assert "sound" in weft("doctor").stdout
    said = answer("doctor")
    assert said["sound"] is True
    assert said["findings"] == []
    assert said["rows"] >= 1


def test_a_finding_ends_with_1_and_a_repair_with_0(tmp_path: Path) -> None:
    """Each finding has where, what it means and what to do; repaired, the node is named again."""
    weft("capture", "Water boils.", "--title", "Boiling")
    execute_at(tmp_path / "notes.db", "DELETE FROM name")
    assert weft("fetch", "boiling").exit_code == 1
    (finding,) = answer("doctor", code=1)["findings"]
    assert (finding["key"], finding["derived"], finding["repaired"]) == ("names_amiss", True, False)
    assert weft("--role", "librarian", "doctor", "--repair").exit_code == 1
    assert weft("--role", "reader", "doctor").exit_code == 1
    assert answer("doctor", "--repair")["findings"][0]["repaired"] is True
    assert weft("fetch", "boiling").exit_code == 0
    assert weft("doctor").exit_code == 0


@pytest.mark.parametrize("columns", [80, 200])
def test_a_finding_fits_the_terminal(tmp_path: Path, columns: int) -> None:
    """No line is wider than the screen, and none is cut."""
    weft("capture", "Water boils.", "--title", "Boiling")
    execute_at(tmp_path / "notes.db", "DELETE FROM name")
    lines = wide("doctor", columns=columns)
    assert lines
    assert max(map(len, lines)) <= columns
    assert "weft doctor --repair" in " ".join(" ".join(lines).split())


@pytest.mark.files_only("tests/postgres/test_away.py")
def test_doctor_of_no_graph_ends_with_3_and_makes_none(tmp_path: Path) -> None:
    """Looking makes nothing."""
    assert weft("doctor").exit_code == 3
    assert weft("backup", "copy.db").exit_code == 3
    assert list(tmp_path.iterdir()) == []


@pytest.mark.files_only("a server has backups of its own: tests/postgres/test_doctor.py")
def test_a_backup_is_made_refused_replaced_and_restored(tmp_path: Path) -> None:
    """The round: back up, write on, restore; what was written since lies in the graph that was set aside."""
    weft("capture", "Water boils.", "--title", "Boiling")
    assert answer("backup", "copies/copy.db")["changes"] >= 1
    assert weft("backup", "copies/copy.db").exit_code == 1
    assert answer("backup", "copies/copy.db", code=1)["error"] == "CONFLICT"
    assert weft("backup", "copies/copy.db", "--force").exit_code == 0
    weft("capture", "Ice melts.", "--title", "Melting")
    done = answer("restore", "copies/copy.db")
    assert weft("fetch", "Boiling").exit_code == 0
    assert weft("fetch", "Melting").exit_code == 1
    assert weft("--graph", done["replaced"], "fetch", "Melting").exit_code == 0
    assert weft("doctor").exit_code == 0
    assert (tmp_path / "copies" / "copy.db").exists()


@pytest.mark.files_only("a server has backups of its own: tests/postgres/test_doctor.py")
def test_a_command_to_be_copied_steers_no_terminal_and_names_the_very_file() -> None:
    """A folder of strangers may be called anything: what a terminal would act on is spelt as bash and zsh read it."""
    name = "it's \\ \x1b]0;owned\x07\u202e\x9b.db"
    weft("--graph", name, "capture", "Water boils.")
    said = weft("--graph", name, "backup", f"copy of {name}").stdout
    assert said.replace("\n", "").isprintable()
    command = said.partition("put it back with: ")[2].strip()
    read = subprocess.run(
        ["/bin/bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"}
    )
    named = read.stdout.decode().split("\0")
    assert (named[2], named[4]) == (name, str(Path(f"copy of {name}").absolute()))


@pytest.mark.files_only("a server has backups of its own: tests/postgres/test_doctor.py")
def test_restoring_needs_a_curator_and_a_backup(tmp_path: Path) -> None:
    """Refused before anything is touched: 1 where it is not allowed or not there, 3 where it is no graph."""
    weft("capture", "Water boils.", "--title", "Boiling")
    weft("backup", "copy.db")
    before = (tmp_path / "notes.db").read_bytes()
    assert answer("--role", "librarian", "restore", "copy.db", code=1)["error"] == "PERMISSION_DENIED"
    assert weft("restore", "missing.db").exit_code == 1
    (tmp_path / "letter.db").write_text("Dear Sir or Madam")
    assert weft("restore", "letter.db").exit_code == 3
    assert (tmp_path / "notes.db").read_bytes() == before


@pytest.mark.files_only("a server has backups of its own: tests/postgres/test_doctor.py")
@pytest.mark.parametrize("columns", [80, 200])
def test_what_a_backup_and_a_restore_say_fits_the_terminal(columns: int) -> None:
    """Long paths are folded, not cut; the command to be copied is one line, which the terminal folds."""
    weft("capture", "Water boils.", "--title", "Boiling")
    name = f"{'a-long-name-' * 9}.db"
    for words in (("backup", name), ("restore", name)):
        lines = wide(*words, columns=columns)
        assert max(len(each) for each in lines if "put it back with: weft restore " not in each) <= columns
        said = "".join("".join(lines).split())
        assert (name if words[0] == "backup" else "isthebackupnow") in said


def test_erasing_is_a_curators_and_needs_a_reason(tmp_path: Path) -> None:
    """Without a reason it is wrong usage; done, it says what was blanked and what it cannot reach."""
    key = "sk-live-0123456789abcdef"
    made = answer("capture", f"The billing key is {key}, do not share it.", "--title", "A key")
    assert weft("erase", str(made["id"])).exit_code == 2
    assert answer("--role", "librarian", "erase", "A key", "--reason", "leaked", code=1)["error"] == "PERMISSION_DENIED"
    assert holds(tmp_path, key)
    said = weft("erase", "A key", "--reason", "leaked")
    assert said.exit_code == 0, said.output
    assert "Backups" in said.stdout
    assert not holds(tmp_path, key)
    assert weft("fetch", "A key").exit_code == 1
    assert weft("doctor").exit_code == 0


def test_a_text_to_mask_is_read_from_standard_input(tmp_path: Path) -> None:
    """So that it does not land in the shell's history; the node stays."""
    key = "sk-live-0123456789abcdef"
    weft("capture", f"The billing key is {key}, do not share it.", "--title", "A key")
    words = ["erase", "A key", "--reason", "leaked", "--text", "-"]
    assert CliRunner().invoke(app, words, input=f"{key}\n").exit_code == 0
    assert "do not share it" in answer("fetch", "A key")["node"]["content"]
    assert not holds(tmp_path, key)


def test_what_is_configured_is_listed_got_and_set() -> None:
    """A reader gets, a curator sets; a wrong key and a wrong value are told with those that are right."""
    weft("capture", "Water boils.", "--title", "Boiling")
    assert [row["set"] for row in answer("config", "list")["keys"]] == [False, False]
    assert weft("--role", "librarian", "config", "set", "creators", "zoe").exit_code == 1
    assert answer("config", "set", "creators", " zoe , Bob  Dylan,zoe")["value"] == "zoe,Bob Dylan"
    assert weft("--role", "reader", "config", "get", "creators").stdout.strip() == "zoe,Bob Dylan"
    assert "creators, link_floor" in answer("config", "get", "color", code=1)["message"]
    for wrong in ("2", "-1", "much", "nan"):
        assert weft("config", "set", "link_floor", "--", wrong).exit_code == 1
    assert answer("config", "set", "link_floor", "")["value"] == "0.7"
    assert weft("doctor").exit_code == 0


def test_a_registered_creator_may_be_named_and_another_not() -> None:
    """The key is read where learned knowledge is written."""
    for name in ("One", "Two"):
        weft("capture", f"{name} is about water and heat.", "--title", name)
    because = ["--because", "both are about water and heat", "--creator", "zoe"]
    refused = weft("learn", "connect", "One", "Two", *because)
    assert refused.exit_code == 1
    assert "weft config set creators" in refused.stderr
    weft("config", "set", "creators", "zoe")
    assert weft("learn", "connect", "One", "Two", *because).exit_code == 0


def test_the_bundled_model_is_not_calibrated_anew() -> None:
    """Its map was fitted on pairs that people judged."""
    weft("capture", "Water boils.", "--title", "Boiling")
    assert answer("calibrate", code=1)["error"] == "INVALID_ARGUMENT"
    assert weft("--role", "reader", "calibrate").exit_code == 1


def test_an_entry_is_put_beside_those_a_program_has(tmp_path: Path) -> None:
    """Other keys and other servers stay, in their order; the file before is kept; again, nothing is written."""
    file = tmp_path / "mcp.json"
    before = {"theme": "dark", "mcpServers": {"other": {"command": "x", "args": ["ü"]}}, "last": [1, 2]}
    file.write_text(json.dumps(before), encoding="utf-8")
    file.chmod(0o640)
    done = answer("install", "cursor", "--file", str(file))
    after = json.loads(file.read_text(encoding="utf-8"))
    assert after.pop("mcpServers") == {**before["mcpServers"], "weft": done["entry"]}  # type: ignore[dict-item]
    assert after == {"theme": "dark", "last": [1, 2]}
    assert done["entry"]["args"][-3:] == ["--graph", graph_at(tmp_path / "notes.db"), "serve"]
    assert json.loads((tmp_path / "mcp.json.before-weft").read_text(encoding="utf-8")) == before
    assert file.stat().st_mode & 0o777 == 0o640
    assert answer("install", "cursor", "--file", str(file))["written"] is False


def test_another_entry_of_the_name_is_replaced_only_when_asked_for(tmp_path: Path) -> None:
    """Or it gets a name of its own."""
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"weft": {"command": "mine"}}}), encoding="utf-8")
    assert answer("install", "cursor", "--file", str(file), code=1)["error"] == "CONFLICT"
    assert json.loads(file.read_text())["mcpServers"]["weft"] == {"command": "mine"}
    assert weft("install", "cursor", "--file", str(file), "--name", "weft-notes").exit_code == 0
    assert set(json.loads(file.read_text())["mcpServers"]) == {"weft", "weft-notes"}
    assert weft("install", "cursor", "--file", str(file), "--replace").exit_code == 0
    assert json.loads(file.read_text())["mcpServers"]["weft"] != {"command": "mine"}


@pytest.mark.parametrize("text", ["{ // mine\n}", "[]", '{"mcpServers": []}', "\x00"])
def test_a_file_that_cannot_be_merged_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    """Comments, lists, anything: it is somebody's."""
    file = tmp_path / "mcp.json"
    file.write_text(text, encoding="utf-8")
    assert weft("install", "cursor", "--file", str(file)).exit_code == 1
    assert file.read_text(encoding="utf-8") == text
    assert [each.name for each in tmp_path.iterdir()] == ["mcp.json"]


def test_a_dry_run_prints_the_entry_and_writes_nothing(tmp_path: Path) -> None:
    """For every program that is known; an unknown one is told of with those there are."""
    for client in ("claude", "claude-desktop", "cursor", "gemini", "vscode", "windsurf"):
        said = weft("install", client, "--dry-run", "--file", str(tmp_path / "new.json"))
        assert said.exit_code == 0
        assert '"weft"' in said.stdout
    assert list(tmp_path.iterdir()) == []
    unknown = weft("install", "notepad")
    assert unknown.exit_code == 1
    assert "cursor" in unknown.stderr


@pytest.mark.parametrize("columns", [80, 200])
@pytest.mark.parametrize("words", [("config", "list"), ("config", "set", "creators", "zoe"), ("install", "vscode")])
def test_what_is_configured_and_installed_fits_the_terminal(columns: int, words: tuple[str, ...]) -> None:
    """No line is wider than the screen."""
    weft("capture", "Water boils.", "--title", "Boiling")
    lines = wide(*words, columns=columns)
    assert lines
    assert max(map(len, lines)) <= columns
