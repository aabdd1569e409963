"""A graph with a vault beside it, an embedder that costs nothing, and a clock that ticks."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from engine import finder_at, opened_at
from services.travel import Letters
from weft.model import (
    Calibration,
    Call,
    Evidence,
    Filter,
    Node,
    Page,
    Relation,
    Source,
    Subject,
    Suggestion,
    SuggestionKind,
    SuggestionQuery,
    SuggestionState,
    Tier,
    Vote,
)
from weft.model.codec import to_data
from weft.services.review.curate import Curate
from weft.services.staleness import Place, Watch
from weft.testing.making import a_batch
from weft.vault import Synced, Vault, VaultPorts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.graph.ground import Opened
    from weft.model import Operation

START = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)


class Weighed(Letters):
    """The embedder that counts letters, with a map from cosine to similarity."""

    calibration = Calibration(points=((0.0, 0.0), (1.0, 1.0)))


@dataclass(frozen=True, kw_only=True)
class Desk:
    """An open graph and its vault."""

    opened: Opened
    vault: Vault
    curate: Curate
    root: Path
    ticks: Iterator[int] = field(default_factory=count)

    def call(self, *, tier: Tier = Tier.CURATOR, actor: str = "ada") -> Call:
        """Return a call, one second after the one before."""
        at = START + timedelta(seconds=next(self.ticks))
        return Call(actor=actor, client="test", tool="sync", tier=tier, at=at)

    def write(self, *operations: Operation) -> None:
        """Write to the graph beside the vault."""
        call = self.call()
        self.opened.store.commit(
            replace(a_batch(*operations, at=call.at, spares_documents=False), call=replace(call, tool="capture"))
        )

    def sync(self, *, tier: Tier = Tier.CURATOR, dry_run: bool = False, deletions: bool = True) -> Synced:
        """Bring vault and graph together."""
        return self.vault.sync(self.call(tier=tier), dry_run=dry_run, deletions=deletions)

    def undo(self, batch: str) -> None:
        """Take a batch back."""
        self.curate.undo(batch, self.call())

    def file(self, node: Node | str) -> Path:
        """Return the one note that bears a node's id."""
        id_ = node if isinstance(node, str) else node.id
        (found,) = [path for path in self.notes() if f"id: {id_}\n" in path.read_text("utf-8").replace("\r", "")]
        return found

    def notes(self) -> list[Path]:
        """Return all notes."""
        return sorted((self.root / "nodes").rglob("*.md"))

    def edit(self, node: Node | str, old: str, new: str) -> Path:
        """Replace words in a node's note."""
        file = self.file(node)
        text = file.read_bytes().decode()
        assert old in text
        file.write_bytes(text.replace(old, new).encode())
        return file

    def node(self, node: Node | str) -> Node:
        """Return a node as it stands, or stood last."""
        id_ = node if isinstance(node, str) else node.id
        return self.opened.store.nodes((id_,))[id_]

    def titled(self, title: str) -> Node:
        """Return the one standing node of this title."""
        (found,) = [each for each in self.standing() if each.title == title]
        return found

    def standing(self) -> tuple[Node, ...]:
        """Return every node that stands."""
        return self.opened.store.find(Filter(), Page(limit=10_000)).nodes

    def relations(self, node: Node) -> tuple[Relation, ...]:
        """Return the relations of a node."""
        return self.opened.store.relations((node.id,))

    def conflicts(self) -> tuple[Suggestion, ...]:
        """Return the open questions about notes."""
        query = SuggestionQuery(kinds=(SuggestionKind.FILE_CONFLICT,), page=Page(limit=1000))
        return self.opened.store.suggestions(query)[0]

    def whole(self) -> dict[str, object]:
        """Return everything that travels with a vault, without the versions, which count within one graph."""
        held: dict[str, object] = {}
        with self.opened.archive.moment() as moment:
            for subject in Subject:
                after: tuple[str, ...] = ()
                while page := moment.page(subject, after, limit=100):
                    for value in page:
                        key = (value.learned_id, value.actor) if isinstance(value, Vote) else (value.id,)
                        after = key
                        if not (isinstance(value, Suggestion) and value.state is SuggestionState.OPEN):
                            held["/".join((subject.value, *key))] = _bare(value)
            return {**held, "series": moment.series()}

    def files(self) -> dict[str, bytes]:
        """Return every file of the vault."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }


def _bare(value: Node | Relation | Source | Evidence | Suggestion | Vote) -> dict[str, object]:
    return {name: part for name, part in to_data(value).items() if name != "version"}


@contextmanager
def desk(folder: Path, root: Path | None = None) -> Iterator[Desk]:
    """Open the graph in ``folder``, with its vault on at ``root`` (default: ``folder/vault``)."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "graph.db"
    embedder = Weighed()
    opened = opened_at(path, embedder, tier=Tier.CURATOR, synchronous="OFF")
    index = finder_at(path, opened, embedder)
    ports = VaultPorts(
        store=opened.store,
        log=opened.log,
        archive=opened.archive,
        shelf=opened.shelf,
        words=opened.words,
        vectors=index,
        learned=opened.learned,
        config=opened.config,
        embedder=embedder,
        watch=Watch(store=opened.store, prints=opened.prints, place=Place.of(folder)),
        home="main",
    )
    vault = Vault(ports, graph=path)
    curate = Curate(store=opened.store, log=opened.log, shelf=opened.shelf, words=opened.words, embedder=embedder)
    try:
        held = Desk(opened=opened, vault=vault, curate=curate, root=Path())
        yield replace(held, root=vault.turn_on(root or folder / "vault", held.call()))
    finally:
        index.close()
        opened.close()
