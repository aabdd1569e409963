"""When a similarity has fallen far enough to be told: into a lower band, or by more than a band's width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.reason.compare import GAP_WIDE, fell

SHARE = st.floats(0.0, 1.0)


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        (0.86, 0.84, True),  # LOW to MEDIUM
        (0.71, 0.69, True),  # MEDIUM to HIGH
        (0.85, 0.85, False),
        (0.99, 0.86, False),  # within LOW
        (0.84, 0.71, False),  # within MEDIUM
        (0.65, 0.20, True),  # within HIGH, by more than a band
        (0.65, 0.55, False),
        (0.60, 0.90, False),  # it rose
    ],
)
def test_a_fall_into_a_lower_band_or_by_a_band_s_width_is_told(was: float, now: float, told: bool) -> None:  # noqa: FBT001
    """Each bound belongs to the better band."""
    assert fell(was, now) is told


@given(SHARE, SHARE, SHARE)
def test_what_rises_never_fell_and_a_deeper_fall_is_told_too(was: float, now: float, deeper: float) -> None:
    """The rule is monotone in what is measured now."""
    assert not (now >= was and fell(was, now))
    if deeper <= now and fell(was, now):
        assert fell(was, deeper)
    if was - now > GAP_WIDE:
        assert fell(was, now)
