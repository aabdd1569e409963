"""What the tests of PostgreSQL share: a module of tests of both engines, run here on a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import lying_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from postgres.cluster import Cluster


@pytest.fixture(scope="module")
def in_a_database(cluster: Cluster) -> Iterator[None]:
    """Paths of this module's tests stand for databases."""
    with lying_in(cluster), pytest.MonkeyPatch.context() as patch:
        patch.setattr("weft.store.postgres.usage._PATIENCE_S", 5.0)  # a busy server may take its time
        yield
