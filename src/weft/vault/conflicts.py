"""Notes that changed on both sides: their text is kept beside the vault's notes, and somebody is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weft.errors import InvalidArgument
from weft.formats import vault_note
from weft.model import Page, SaveSuggestion, SuggestionKind, SuggestionQuery, SuggestionState, Tier
from weft.services.suggesting import closed, suggestion
from weft.vault.folder import digest_of
from weft.vault.names import CONFLICTS, copy_stem
from weft.vault.passing import Seen
from weft.vault.report import Conflict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.model import Node, Suggestion
    from weft.vault.passing import Pass

__all__ = ["Conflicts", "open_conflicts"]

_LISTED: Final = 100
_DIGEST_LETTERS: Final = 16


class Conflicts:
    """Keeps what cannot be brought together in one pass."""

    def __init__(self, run: Pass) -> None:
        self._run = run

    def keep(self, seen: Seen, node: Node, why: str) -> None:
        """Keep a note's text as a copy, ask what to do about it, and let the note show the graph's side again."""
        run = self._run
        copy = self._copy_of(seen)
        run.report.conflict(Conflict(node=node.id, title=node.title, path=seen.path, copy=copy, why=why))
        if run.dry_run:
            return
        body, _ = run.folder.read(seen.path)
        if run.folder.write(copy, body, expect="") is None and not run.folder.exists(copy):
            run.blocked.add(seen.path)
            return
        run.folder.settle()
        run.commit((SaveSuggestion(suggestion=self._question(seen, node, copy, why)),))
        run.touch((node.id,))

    def ask(self) -> None:
        """Ask about copies that nobody was asked about: the process that kept one was killed before it had asked.

        Nobody may have seen it since, if the note was saved once more: then its text lies in the copy alone.
        """
        run = self._run
        left = [each for path in run.folder.copies() if (each := self._left(path)) is not None]
        if left:
            dedups, page = tuple(each.dedup for each in left), Page(limit=len(left))
            asked = SuggestionQuery(kinds=(SuggestionKind.FILE_CONFLICT,), dedups=dedups, state="", page=page)
            known = {each.dedup for each in run.ports.store.suggestions(asked)[0]}
            run.commit([SaveSuggestion(suggestion=each) for each in left if each.dedup not in known])

    def _left(self, copy: str) -> Suggestion | None:
        """Return what is to be asked about a copy, or None: somebody has changed it since, or its node is gone."""
        try:
            body, stamp = self._run.folder.read(copy)
            note = vault_note.parse(body.decode("utf-8-sig"))
        except (InvalidArgument, UnicodeDecodeError):
            return None
        digest, node = digest_of(body), self._run.ports.store.nodes((note.id,)).get(note.id)
        if node is None or not copy.endswith(f"-{digest[:_DIGEST_LETTERS]}.md"):
            return None
        entry = self._run.memory.of("note", node.id)
        seen = Seen(path=entry.path if entry else copy, digest=digest, stamp=stamp, note=note)
        return self._question(seen, node, copy, "changed on both sides")

    def _copy_of(self, seen: Seen) -> str:
        return f"{CONFLICTS}/{copy_stem(seen.path)}-{seen.digest[:_DIGEST_LETTERS]}.md"

    def _question(self, seen: Seen, node: Node, copy: str, why: str) -> Suggestion:
        return suggestion(
            self._run.call,
            kind=SuggestionKind.FILE_CONFLICT,
            dedup=f"file:{node.id}:{seen.digest}",
            subjects=(node.id,),
            summary=(
                f"«{node.title}»: {why}. The note shows the graph's side; the other is kept in {copy}."
                " Bring over what is missing, then delete the copy."
            ),
            grounds={"file": seen.path, "copy": copy, "digest": seen.digest, "version": node.version, "why": why},
            score=1.0,
        )

    def settle(self) -> None:
        """Close the questions whose copies are gone: somebody has dealt with them."""
        run = self._run
        if run.call.tier < Tier.LIBRARIAN:
            return
        over = [each for each in open_conflicts(run) if not run.folder.exists(_copy(each))]
        writes = [closed(each, SuggestionState.DISMISSED, run.call, why="its copy is gone") for each in over]
        run.commit(writes)


def open_conflicts(run: Pass) -> Iterator[Suggestion]:
    """Yield the open questions about notes, the first hundred."""
    query = SuggestionQuery(kinds=(SuggestionKind.FILE_CONFLICT,), page=Page(limit=_LISTED))
    yield from (each for each in run.ports.store.suggestions(query)[0] if _copy(each))


def _copy(standing: Suggestion) -> str:
    grounds: dict[str, Any] = standing.grounds
    copy = grounds.get("copy", "")
    return copy if isinstance(copy, str) and copy.startswith(f"{CONFLICTS}/") else ""
