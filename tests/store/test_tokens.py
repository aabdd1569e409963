"""Tokens in an embedded graph: the shipped contract, what the engine refuses, and that no copy holds one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from weft.errors import WeftError
from weft.model import Tier
from weft.store import open_sqlite, restore_sqlite
from weft.store.sqlite import Connection, Writer, connect
from weft.testing.making import AT, DIMENSION
from weft.testing.tokens import TokensContract, a_token

if TYPE_CHECKING:
    from pathlib import Path

    from weft.store import OpenedFile

HASH = "0f1e2d3c" * 8
ATTACKS = {
    "delete": "DELETE FROM token",
    "replace": "REPLACE INTO token SELECT id, hash, 'eve', 'curator', created_at, created_by, NULL, NULL FROM token",
    "raise the role": "UPDATE token SET role = 'curator'",
    "change the hash": "UPDATE token SET hash = 'x'",
    "change whose it is": "UPDATE token SET actor = 'eve'",
    "put its end off": "UPDATE token SET expires_at = NULL",
    "take the revocation back": "UPDATE token SET revoked_at = NULL",
    "insert over it": "INSERT INTO token SELECT id, hash, actor, role, created_at, created_by, NULL, NULL FROM token"
    " WHERE true ON CONFLICT (id) DO UPDATE SET role = 'curator'",
}


def opened(place: Path, *, tier: Tier = Tier.CURATOR) -> OpenedFile:
    """Open the graph file at ``place``."""
    return open_sqlite(place / "graph.db", tier=tier, model="letters", dimension=DIMENSION, create=True)


class TestSqlite(TokensContract):
    """A graph in one file."""

    def open(self, place: Path, *, tier: Tier = Tier.CURATOR) -> OpenedFile:
        """Open the graph file at ``place``."""
        return opened(place, tier=tier)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A graph with a token that was revoked."""
    graph = opened(tmp_path)
    graph.tokens.add(a_token(hash=HASH, expires_at=AT), tier=Tier.CURATOR)
    graph.tokens.revoke(a_token().id, at=AT, tier=Tier.CURATOR)
    graph.close()
    return tmp_path / "graph.db"


def rows(path: Path) -> list[tuple[object, ...]]:
    """Return the tokens of a file, past every guard."""
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    try:
        return connection.execute("SELECT * FROM token")
    finally:
        connection.close()


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("tier", Tier, ids=lambda tier: tier.label)
def test_no_tier_rewrites_a_token(path: Path, tier: Tier, attack: str) -> None:
    """A curator makes another and revokes this one; what it is and was never changes."""
    before = rows(path)
    connection = Writer(connect(path, synchronous="FULL", vfs=""), tier)
    with pytest.raises(WeftError):
        connection.execute(ATTACKS[attack])
    connection.close()
    assert rows(path) == before


@pytest.mark.parametrize("attack", ATTACKS)
def test_without_the_guard_a_token_is_rewritten(path: Path, attack: str) -> None:
    """The twin: it is allow-list and triggers that refuse."""
    before = rows(path)
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    for trigger in ("token_kept", "token_revoked"):
        connection.execute(f"DROP TRIGGER {trigger}")
    connection.execute(ATTACKS[attack])
    connection.close()
    assert rows(path) != before


def test_a_backup_holds_no_token(path: Path, tmp_path: Path) -> None:
    """Not even in its free pages, and it is a whole graph all the same."""
    assert HASH.encode() in path.read_bytes()
    graph = opened(tmp_path)
    graph.health.copy(tmp_path / "copy.db", replace=False)
    graph.close()
    assert rows(tmp_path / "copy.db") == []
    assert HASH.encode() not in (tmp_path / "copy.db").read_bytes()
    copy = open_sqlite(tmp_path / "copy.db", tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=False)
    assert [flaw for flaw in copy.health.look().found if flaw.part != "engine"] == []  # a copy is no open graph yet
    copy.close()


def test_a_restored_graph_has_the_tokens_of_the_one_it_replaces(path: Path, tmp_path: Path) -> None:
    """What was revoked since the backup stays revoked, even where the backup is a plain copy with tokens in it."""
    old = tmp_path / "old.db"
    old.write_bytes(path.read_bytes())
    graph = opened(tmp_path)
    graph.tokens.add(a_token("abcdefabcdef"), tier=Tier.CURATOR)
    graph.close()
    before = rows(path)
    assert rows(old) != before
    restore_sqlite(path, old, at=AT)
    assert rows(path) == before
    graph = opened(tmp_path)
    assert graph.health.look().found == ()
    graph.close()


def test_a_damaged_graph_hands_no_token_on(path: Path, tmp_path: Path) -> None:
    """Restoring is for that as well; tokens are made anew then."""
    old = tmp_path / "old.db"
    old.write_bytes(path.read_bytes())
    path.write_bytes(b"no graph" * 100)
    restore_sqlite(path, old, at=AT)
    assert rows(path) == []


def test_an_export_holds_no_token(path: Path, tmp_path: Path) -> None:
    """A copy of all that the graph knows is read through its archive, which has none."""
    graph = opened(tmp_path)
    with graph.archive.moment() as moment:
        said = json.dumps([repr(moment.changes(0, limit=99)), moment.series()])
    graph.close()
    assert HASH not in said
    assert a_token().id not in said
    assert path.exists()
