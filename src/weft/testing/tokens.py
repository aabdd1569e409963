"""What the tokens of a graph must do. Subclass :class:`TokensContract` in your tests, fill in ``open``, run pytest."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from weft.errors import Conflict, PermissionDenied
from weft.model import Tier, Token
from weft.testing.graphs import GraphContract, Kept
from weft.testing.making import AT

if TYPE_CHECKING:
    from pathlib import Path

    from weft.ports import Tokens

__all__ = ["TokensContract", "a_token"]


class Guarded(Kept, Protocol):
    """An open graph that has tokens."""

    @property
    def tokens(self) -> Tokens:
        """Its tokens."""
        ...


def a_token(id: str = "0123456789ab", **changes: Any) -> Token:  # noqa: A002, ANN401 - fields of a token
    """Return a token."""
    token = Token(id=id, hash="f" * 64, actor="ann", tier=Tier.READER, created_at=AT, created_by="ada")
    return replace(token, **changes)


class TokensContract(GraphContract):
    """The promises of :class:`weft.ports.Tokens`."""

    def open(self, place: Path, *, tier: Tier = Tier.CURATOR) -> Guarded:
        """Open the one graph that lies at ``place``, making it first when it is not there."""
        raise NotImplementedError

    def test_a_token_is_kept_as_it_was_made(self, kept: Guarded) -> None:
        """Every field, for every tier, with an end and without one."""
        for number, tier in enumerate(Tier):
            token = a_token(f"{number:012x}", tier=tier, expires_at=AT + timedelta(days=number) if number else None)
            kept.tokens.add(token, tier=Tier.CURATOR)
            assert kept.tokens.known(token.id) == token
        assert kept.tokens.known("ffffffffffff") is None

    def test_the_newest_tokens_come_first(self, kept: Guarded) -> None:
        """And no more than were asked for."""
        for number in range(3):
            made = a_token(f"{number:012x}", created_at=AT + timedelta(seconds=number))
            kept.tokens.add(made, tier=Tier.CURATOR)
        assert [int(token.id, 16) for token in kept.tokens.held(limit=9)] == [2, 1, 0]
        assert len(kept.tokens.held(limit=2)) == 2

    def test_a_token_is_revoked_once_and_for_good(self, kept: Guarded) -> None:
        """The time of the first revocation stays."""
        kept.tokens.add(a_token(), tier=Tier.CURATOR)
        assert kept.tokens.revoke(a_token().id, at=AT, tier=Tier.CURATOR)
        assert not kept.tokens.revoke(a_token().id, at=AT + timedelta(days=1), tier=Tier.CURATOR)
        held = kept.tokens.known(a_token().id)
        assert held is not None
        assert held.revoked_at == AT
        assert not kept.tokens.revoke("ffffffffffff", at=AT, tier=Tier.CURATOR)

    def test_an_id_names_one_token(self, kept: Guarded) -> None:
        """A second one of that id is refused, and the first stays what it was."""
        kept.tokens.add(a_token(), tier=Tier.CURATOR)
        with pytest.raises(Conflict):
            kept.tokens.add(a_token(actor="eve", tier=Tier.CURATOR), tier=Tier.CURATOR)
        assert kept.tokens.known(a_token().id) == a_token()

    @pytest.mark.parametrize("tier", [tier for tier in Tier if tier < Tier.CURATOR])
    def test_only_a_curator_writes_tokens(self, kept: Guarded, tier: Tier) -> None:
        """The engine refuses others on its own; they may look one up, as a server of a low role does."""
        kept.tokens.add(a_token(), tier=Tier.CURATOR)
        with pytest.raises(PermissionDenied):
            kept.tokens.add(a_token("abcdefabcdef"), tier=tier)
        with pytest.raises(PermissionDenied):
            kept.tokens.revoke(a_token().id, at=AT, tier=tier)
        assert kept.tokens.held(limit=9) == (a_token(),)

    def test_a_low_opening_reaches_no_token(self, kept: Guarded, tmp_path: Path) -> None:
        """Whatever tier the call claims."""
        kept.tokens.add(a_token(), tier=Tier.CURATOR)
        low = self.open(tmp_path, tier=Tier.LIBRARIAN)
        try:
            with pytest.raises(PermissionDenied):
                low.tokens.add(a_token("abcdefabcdef"), tier=Tier.CURATOR)
            assert low.tokens.known(a_token().id) == a_token()
        finally:
            low.close()

    def test_tokens_are_in_no_log(self, kept: Guarded) -> None:
        """Neither making nor revoking one is a change of what is known."""
        before = kept.log.head()
        kept.tokens.add(a_token(), tier=Tier.CURATOR)
        kept.tokens.revoke(a_token().id, at=AT, tier=Tier.CURATOR)
        assert kept.log.head() == before
