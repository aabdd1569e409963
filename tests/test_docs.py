"""The documentation can fail: generated pages are fresh, links lead somewhere, decisions have their form."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    """The script that writes the reference pages."""
    spec = importlib.util.spec_from_file_location("write_reference", ROOT / "scripts" / "write_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_pages_say_what_the_tables_say(reference: ModuleType) -> None:
    """``make docs`` has been run since the tables changed."""
    assert reference.stale() == []


def test_a_stale_reference_page_is_noticed(
    reference: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: with nothing written, every page is stale."""
    monkeypatch.setattr(reference, "REFERENCE", tmp_path)
    assert set(reference.stale()) == set(reference.PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_to_one(page: Path) -> None:
    """Relative links of a page exist."""
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"


def reached_from(page: Path) -> set[Path]:
    """Return the pages that links lead to from ``page``, those of pages it links to as well; a folder holds its own."""
    found, waiting = {page}, [page]
    while waiting:
        here = waiting.pop()
        linked = {(here.parent / target).resolve() for target in LINK.findall(here.read_text(encoding="utf-8"))}
        pages = {each for path in linked for each in (path.glob("*.md") if path.is_dir() else [path])}
        fresh = {each for each in pages if each.suffix == ".md" and each.is_file()} - found
        found |= fresh
        waiting += fresh
    return found


def test_every_page_can_be_reached_from_the_readme() -> None:
    """A page that nothing links to is one that nobody reads; AGENTS.md is looked for by name."""
    left = set(PAGES) - reached_from(ROOT / "README.md")
    assert {page.name for page in left} <= {"AGENTS.md"}


def test_a_page_that_nothing_links_to_is_noticed(tmp_path: Path) -> None:
    """The twin: of two pages one is linked to."""
    (tmp_path / "README.md").write_text("[one](one.md) and [the web](https://example.org/x.md)", encoding="utf-8")
    (tmp_path / "one.md").write_text("[back](README.md)", encoding="utf-8")
    (tmp_path / "two.md").write_text("alone", encoding="utf-8")
    assert {page.name for page in reached_from(tmp_path / "README.md")} == {"README.md", "one.md"}


def test_every_decision_has_context_decision_and_consequences() -> None:
    """Decisions are short records of one form, so that they can be read and ingested."""
    for page in sorted((ROOT / "docs" / "decisions").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        assert all(
            part in text for part in ("\nStatus: ", "\n## Context\n", "\n## Decision\n", "\n## Consequences\n")
        ), page.name
