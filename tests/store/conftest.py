"""The tests of the store lay every graph anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from laying import LAID_ANEW

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module", autouse=True)
def _laid_anew() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("weft.store.opening._lay", LAID_ANEW)
        yield
