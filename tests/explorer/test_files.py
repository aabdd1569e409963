"""The explorer's files: small, ours or as they were published, without markup made of text, and all of them shipped."""

from __future__ import annotations

import re
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest
from hatchling.builders.wheel import WheelBuilder

from weft.model import SuggestionKind
from weft.tools.table import TOOLS
from weft.tools.verbs import VERBS

ROOT: Final = Path(__file__).parents[2]
WEB: Final = ROOT / "src" / "weft" / "faces" / "web"
VENDOR: Final = WEB / "vendor"
LIBRARIES: Final[list[dict[str, Any]]] = tomllib.loads((VENDOR / "versions.toml").read_text(encoding="utf-8"))[
    "library"
]
MODULES: Final = sorted((WEB / "explorer").rglob("*.js"))
SOURCES: Final = {path.relative_to(WEB).as_posix(): path.read_text(encoding="utf-8") for path in MODULES}
STYLES: Final = sorted(WEB.glob("*.css"))
PAGE: Final = (WEB / "index.html").read_text(encoding="utf-8")

LINES_A_FILE: Final = 400
BYTES_IN_ALL: Final = 1_100_000
FORBIDDEN: Final = (
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|srcdoc|createContextualFragment|setHTMLUnsafe|DOMParser)\b",
    r"\bdocument\.write",
    r"\beval\b",
    r"\bFunction\(",
    r"\bset(Timeout|Interval)\(\s*[\"'`]",
    r"\b(local|session)Storage\b|\bdocument\.cookie\b",
)
ELSEWHERE: Final = r"(?:https?:)?//[\w.-]+\.\w+"


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: str(library["name"]))
def test_a_library_is_what_was_published(library: dict[str, str]) -> None:
    """Its bytes have the hash, its text names the version, its licence lies beside it."""
    content = (VENDOR / library["file"]).read_bytes()
    assert sha256(content).hexdigest() == library["sha256"]
    assert library["version"].encode() in content
    assert library["version"] in library["published"]
    licence = (VENDOR / library["licence_file"]).read_text(encoding="utf-8")
    assert "Permission is hereby granted" in licence
    assert library["licence"] == "MIT"


def test_every_library_is_in_the_table() -> None:
    """Nothing lies there that nobody answers for."""
    named = {library[field] for library in LIBRARIES for field in ("file", "licence_file")}
    assert {path.name for path in VENDOR.iterdir()} == {*named, "versions.toml"}


def test_the_page_has_no_script_or_style_of_its_own_and_names_nothing_elsewhere() -> None:
    """The policy of every answer forbids both."""
    assert re.findall(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:", PAGE) == []
    assert re.findall(ELSEWHERE, PAGE) == []
    for name in re.findall(r"(?:src|href)=\"([^\"#]+)\"", PAGE):
        assert (WEB / name).is_file() or name.split("/")[0] in {"api", "metrics", "readyz"}, name


@pytest.mark.parametrize("name", SOURCES)
def test_no_module_makes_markup_or_code_of_text(name: str) -> None:
    """Text stays text; nothing is kept in the browser; nobody else's address is asked."""
    found = [match[0] for pattern in FORBIDDEN for match in re.finditer(pattern, SOURCES[name])]
    assert found == []
    assert re.findall(r"[\"'`](?:https?:)?//", SOURCES[name]) == []


def test_a_module_that_made_markup_of_text_would_be_found() -> None:
    """The twin: each of the patterns fits what it is there for."""
    wrong = 'a.innerHTML = b; document.write(c); eval(d); new Function(e); setTimeout("f"); localStorage.g = 1'
    assert [pattern for pattern in FORBIDDEN if not re.search(pattern, wrong)] == []


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_styles_name_nothing_elsewhere(path: Path) -> None:
    """No import, no font and no picture from another place."""
    assert re.findall(r"@import|url\(|" + ELSEWHERE, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", SOURCES)
def test_every_import_names_a_file_and_what_it_exports(name: str) -> None:
    """A misspelt name would be met only by whoever opens that page."""
    source = SOURCES[name]
    for found in re.findall(r"(?:^import [^\"]*|\bimport\()\"([^\"]+)\"", source, re.MULTILINE):
        assert ((WEB / name).parent / found).is_file(), found
    for names, found in re.findall(r"import\s*\{([^}]+)\}\s*from\s*\"(\.[^\"]+)\"", source):
        target = ((WEB / name).parent / found).read_text(encoding="utf-8")
        for each in named(names):
            assert re.search(rf"export (?:async )?(?:function|const|class) {re.escape(each)}\b", target), (found, each)


@pytest.mark.parametrize("name", SOURCES)
def test_what_a_module_imports_it_uses(name: str) -> None:
    """And what it calls that another module exports, it imports."""
    source = SOURCES[name]
    body = re.sub(r"^import .*?;$", "", source, flags=re.MULTILINE | re.DOTALL)
    for names in re.findall(r"import\s*\{([^}]+)\}", source):
        for each in named(names, here=True):
            assert re.search(rf"\b{re.escape(each)}\b", body), each


def named(names: str, *, here: bool = False) -> list[str]:
    """Return the names in an import, as the other module has them, or as they are called ``here``."""
    pairs = [each.split(" as ") for each in map(str.strip, names.split(",")) if each]
    return [pair[-1 if here else 0] for pair in pairs]


@pytest.mark.parametrize("name", SOURCES)
def test_a_module_calls_tools_that_there_are_with_arguments_that_they_take(name: str) -> None:
    """Read off the calls that name both."""
    tools = {tool.name: set(tool.binding.arguments.model_fields) for tool in TOOLS}
    for tool in re.findall(r"\b(?:call|may|writing)\(\s*\"(\w+)\"", SOURCES[name]):
        assert tool in tools
    for tool, given in re.findall(r"\bcall\(\s*\"(\w+)\",\s*\{((?:[^{}]|\{[^{}]*\})*)\}", SOURCES[name]):
        flat = re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]|\([^()]*\)", "", given)
        assert set(re.findall(r"(?:^|,)\s*(\w+)", flat)) <= tools[tool], tool


def test_the_verbs_that_are_asked_for_are_there() -> None:
    """The log, the way back, and what else is no tool; read where it only reads, sent where it writes."""
    asked = re.findall(r"\b(get|post)\([\"`]api/(\w+)[\"`?]", SOURCES["explorer/calls.js"])
    verbs = {verb.name: "post" if verb.writes else "get" for verb in VERBS}
    assert {name for _, name in asked} >= {"log", "undo"}
    assert [name for how, name in asked if name != "tools" and verbs.get(name) != how] == []


def test_every_kind_of_review_item_can_be_chosen() -> None:
    """A new kind is offered too."""
    offered = re.findall(r"\[\"(\w+)\", \"", SOURCES["explorer/pages/review.js"].partition("];")[0])
    assert set(offered) == {each.value for each in SuggestionKind}


@pytest.mark.parametrize("path", [*MODULES, *STYLES, WEB / "index.html"], ids=lambda path: path.name)
def test_a_file_of_ours_stays_small(path: Path) -> None:
    """As everywhere in the house; and it says first what it is."""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LINES_A_FILE
    if path.suffix == ".js":
        assert lines[0].startswith("/**")


def test_all_of_it_together_is_light() -> None:
    """What a browser has to load at the very most."""
    assert sum(path.stat().st_size for path in WEB.rglob("*") if path.is_file()) <= BYTES_IN_ALL


def test_the_wheel_holds_every_file() -> None:
    """Whoever installs the package has the explorer."""
    packed = {Path(each.path) for each in WheelBuilder(str(ROOT)).recurse_included_files()}
    assert {path for path in WEB.rglob("*") if path.is_file()} <= packed
