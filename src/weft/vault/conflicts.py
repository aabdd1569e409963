"""Notes that changed on both sides: their text is kept beside the vault's notes, and somebody is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weft.model import Page, SaveSuggestion, SuggestionKind, SuggestionQuery, SuggestionState, Tier
from weft.services.suggesting import closed, suggestion
from weft.vault.names import CONFLICTS, copy_stem
from weft.vault.report import Conflict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.model import Node, Suggestion
    from weft.vault.passing import Pass, Seen

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
