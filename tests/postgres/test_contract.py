"""A graph in PostgreSQL keeps every promise of the shipped contracts, as a file does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from weft.model import Tier
from weft.store.postgres.opening import open_postgres
from weft.testing.archive import ArchiveContract
from weft.testing.learned import LearnedContract
from weft.testing.making import DIMENSION
from weft.testing.prints import PrintsContract
from weft.testing.shelf import ShelfContract
from weft.testing.store import StoreContract
from weft.testing.tokens import TokensContract
from weft.testing.upkeep import UpkeepContract

if TYPE_CHECKING:
    from pathlib import Path

    from weft.store import Opened


class Team:
    """Opens a graph in the database of the test that runs, made where there is none."""

    @pytest.fixture(autouse=True)
    def _database(self, letters_url: str) -> None:
        self.url = letters_url

    def open(self, _place: Path, *, tier: Tier = Tier.CURATOR) -> Opened:
        """Open the graph of this test's database."""
        return open_postgres(self.url, tier=tier, model="letters", dimension=DIMENSION, create=True)


class TestStore(Team, StoreContract):
    """The store and its log."""


class TestShelf(Team, ShelfContract):
    """What lies side by side."""


class TestLearned(Team, LearnedContract):
    """What was learned."""


class TestArchive(Team, ArchiveContract):
    """The whole graph at one moment."""


class TestPrints(Team, PrintsContract):
    """The prints of files."""


class TestUpkeep(Team, UpkeepContract):
    """What looking after a graph asks."""


class TestTokens(Team, TokensContract):
    """Who may call over HTTP."""
