"""A power cut at any moment loses nothing that was acknowledged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from store.power import cut_power

if TYPE_CHECKING:
    from pathlib import Path

SEED = 20261121


@pytest.mark.parametrize("points", [1000, pytest.param(20_000, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])])
def test_a_power_cut_loses_no_acknowledged_write(tmp_path: Path, points: int) -> None:
    """Unsynced writes dropped, torn at sectors or kept, at random moments between commits and checkpoints."""
    cuts = cut_power(tmp_path, points=points, seed=SEED, commits=max(120, points // 50))
    assert cuts.wrong == []
    assert (cuts.points, cuts.lost) == (points, 0)
    assert cuts.acknowledged > 100


def test_with_less_syncing_the_same_cuts_lose_acknowledged_writes(tmp_path: Path) -> None:
    """The twin: a campaign that could not see a loss would prove nothing."""
    cuts = cut_power(tmp_path, points=100, seed=SEED, synchronous="NORMAL")
    assert cuts.lost > 10
