"""What a failure of the system is told as: what the system says, and what helps against that."""

from __future__ import annotations

import errno

import pytest

from weft.errors import CannotOpen, Unavailable


@pytest.mark.parametrize(
    ("number", "helps"),
    [
        (errno.EACCES, "as a user who may write there"),
        (errno.EROFS, "as a user who may write there"),
        (errno.ENOSPC, "Make room on the disk"),
        (errno.EIO, "Try again later."),
    ],
)
def test_a_failure_of_the_system_says_what_helps(number: int, helps: str) -> None:
    """Trying again later helps against none that is for good."""
    error = Unavailable.by_system("notes.db cannot be replaced", OSError(number, "so the system says"))
    assert error.message == "notes.db cannot be replaced: so the system says."
    assert helps in error.hint


def test_a_kind_of_failure_stays_that_kind() -> None:
    """Without words of the system, its error's own are shown."""
    error = CannotOpen.by_system("notes.db cannot be opened", OSError("gone"))
    assert isinstance(error, CannotOpen)
    assert error.message == "notes.db cannot be opened: gone."
