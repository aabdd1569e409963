"""Two processes and an editor on one vault, killed at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vault.rivals import rival

if TYPE_CHECKING:
    from pathlib import Path


def test_two_processes_and_an_editor_lose_nothing(tmp_path: Path) -> None:
    """No node lost, no file half-written, every edit somewhere, vault and graph at rest, conflicts visible."""
    outcome = rival(tmp_path, operations=50, seed=11)
    assert outcome.wrong == []
    assert outcome.kills > 0
    assert outcome.written > 0


def test_a_mirror_that_writes_over_what_it_did_not_read_would_be_noticed(tmp_path: Path) -> None:
    """The twin: processes that read no notes and write over them lose what was edited, and the look finds it."""
    outcome = rival(tmp_path, operations=50, seed=11, kills=0, how="careless")
    assert any("is nowhere" in each for each in outcome.wrong)
