"""What keeps a graph and moves it: the memory of use, upkeep, and the whole of it at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from weft.model import (
        Change,
        Evidence,
        Leftovers,
        Node,
        OntologyCount,
        Relation,
        Retired,
        Subject,
        Tier,
        Token,
    )
    from weft.model.codec import Value

__all__ = ["Archive", "Config", "Moment", "Notices", "Tokens", "Upkeep", "Usage"]


class Config(Protocol):
    """The graph's own configuration."""

    def values(self) -> dict[str, str]:
        """Return what is configured, by key."""
        ...

    def save(self, key: str, value: str, *, tier: Tier) -> None:
        """Set a value, durably; an empty one takes the key back.

        Raises:
            PermissionDenied: the tier is below curator.
        """
        ...

    def withdraw(self, key: str, *, tier: Tier) -> int:
        """Take back the kind or relation type that is kept under ``key``, if nothing is of it; return how much is.

        Nobody writes anything of it meanwhile.

        Raises:
            PermissionDenied: the tier is below curator.
        """
        ...


class Usage(Protocol):
    """Best-effort memory of use: what was read, and what a caller has searched and been nudged about.

    Lives outside the graph's transaction and tier. Losing it loses a hint.
    """

    def touch(self, ids: Sequence[str], *, at: datetime) -> None:
        """Count one use of each of these nodes."""
        ...

    def uses(self, ids: Sequence[str]) -> Mapping[str, tuple[int, datetime]]:
        """Return how often and when last each of these nodes was used; unused ones are left out."""
        ...

    def restore(self, uses: Mapping[str, tuple[int, datetime]]) -> None:
        """Take over what another memory knew of these nodes; where both know something, the larger counts."""
        ...

    def note(self, *, caller: str, event: str, subject: str, at: datetime) -> None:
        """Remember that ``caller`` did ``event`` (``searched``, ``nudged``, ``followed`` …) about ``subject``."""
        ...

    def noted(self, *, caller: str, event: str, since: datetime) -> tuple[str, ...]:
        """Return the subjects of ``event`` by ``caller`` since then, newest first, 200 at most."""
        ...

    def tallies(self) -> Mapping[str, int]:
        """Return how often each event happened, over all callers."""
        ...


class Upkeep(Protocol):
    """What looking after the graph asks: how much lies where, and what was left over (nothing that a document said)."""

    def ontologies(self) -> tuple[OntologyCount, ...]:
        """Return how much each ontology holds, the largest first; kept, not counted."""
        ...

    def leftovers(self, what: str, *, limit: int) -> Leftovers:
        """Return up to ``limit`` of each kind of leftover; ``what`` is orphans, dangling or retired."""
        ...

    def documents(self, folder: str) -> tuple[tuple[str, str, str], ...]:
        """Return the name, the ontology and the path of each document whose newest text came from below ``folder``.

        That of their paths. A document may have been forgotten since.
        """
        ...

    def claimed(self, work: str) -> AbstractContextManager[bool]:
        """Hold the right to do ``work`` in the background for the block; False: somebody else has it, of any process.

        Raises:
            Unavailable: the engine cannot be asked.
        """
        ...


class Moment(Protocol):
    """The whole graph as it stood at one moment, read in order of its keys. Used by one thread, within its block."""

    def head(self) -> int:
        """Return the position of the last change (0: none)."""
        ...

    def page(self, subject: Subject, after: tuple[str, ...], *, limit: int) -> tuple[Value, ...]:
        """Return the next values of a kind, retired nodes too, in order of their keys; () is before the first.

        A value's key is its id; a vote's is its learned id and its actor.
        """
        ...

    def changes(self, seq: int, *, limit: int) -> tuple[Change, ...]:
        """Return the changes after ``seq``, oldest first."""
        ...

    def series(self) -> dict[str, int]:
        """Return the last number taken of each series, in order of their names."""
        ...

    def nodes(self, ids: Sequence[str]) -> dict[str, Node]:
        """Return the nodes of these ids, retired ones too; unknown ids are left out."""
        ...

    def relations(self, ids: Sequence[str], *, per_node: int) -> tuple[Relation, ...]:
        """Return the relations that touch any of these nodes, strongest first, each once."""
        ...

    def grounds(self, subjects: Sequence[str]) -> tuple[tuple[Evidence, str, str], ...]:
        """Return the evidence under these, oldest first, each with its document's name and path."""
        ...


class Archive(Protocol):
    """The whole graph, for copies of it: out of a moment, and back by :meth:`Store.commit`."""

    def moment(self) -> AbstractContextManager[Moment]:
        """Give the graph as it stands now, whatever others write while the block runs."""
        ...

    def values(self, subject: Subject, ids: Sequence[str]) -> dict[str, Value]:
        """Return the values of these ids as they stand now; a vote's id is ``learned id/actor``."""
        ...

    def retired(self, prefix: str) -> dict[str, Retired]:
        """Return what became of the retired nodes that had a handle of this prefix, by handle."""
        ...


class Notices(Protocol):
    """Changes by any process, told of at once to who wants to know, where the graph can; only the log tells of all."""

    def live(self) -> bool:
        """Return whether notices come just now, as far as is known; where not, whoever waits looks at the log."""
        ...

    def listen(self, told: Callable[[int], None]) -> Callable[[], None]:
        """Tell ``told``, in another thread, how far the log has come as it grows (0: look); returns what ends that.

        ``told`` does not block and does not raise.
        """
        ...


class Tokens(Protocol):
    """The credentials of callers over HTTP. They lie in the graph, and in no copy, export or log of it."""

    def add(self, token: Token, *, tier: Tier) -> None:
        """Keep a new token, durably; PermissionDenied below curator, Conflict where its id is taken."""
        ...

    def known(self, id: str) -> Token | None:  # noqa: A002 - the field's name
        """Return the token of this id, whether it is still good or not."""
        ...

    def held(self, *, limit: int) -> tuple[Token, ...]:
        """Return up to ``limit`` tokens, the newest first."""
        ...

    def revoke(self, id: str, *, at: datetime, tier: Tier) -> bool:  # noqa: A002 - the field's name
        """Have the token be good no more; False where there is none to revoke. PermissionDenied below curator."""
        ...
