"""Erasing in the vault: a leaked text taken out of every file of it and out of what the mirror remembers.

What was edited and not read yet is masked where it lies, so that it comes into the graph without the text; then one
pass writes every file anew that is not as the graph says. What the vault's git kept of before is not reached.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from weft.errors import InvalidArgument, WeftError
from weft.vault.folder import Folder, digest_of
from weft.vault.names import CONFLICTS, RECORDS, SOURCES, copy_stem, note_path
from weft.vault.place import MARK
from weft.vault.syncing import Syncing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.model import Call
    from weft.reason.blanking import Blank
    from weft.services.capture.classifying import Classifier
    from weft.vault.memory import Memory, Mirrored
    from weft.vault.ports import VaultPorts

__all__ = ["Erasing", "remains"]


@dataclass(slots=True, kw_only=True)
class Erasing:
    """Takes what ``blank`` names out of one vault. Whoever calls it is the only one who works on the vault now."""

    ports: VaultPorts
    memory: Memory
    classifier: Classifier
    folder: Folder
    blank: Blank
    _own: str = field(default="", init=False)

    def erase(self, call: Call) -> tuple[int, tuple[str, ...]]:
        """Return how many files were masked, moved or removed, and what may still hold the text."""
        root = self.folder.root
        if not (root / MARK).is_file():
            self.memory.lose(self.blank)
            return 0, (f"{root}: not there, or no vault any more",)
        mirrored = tuple(self.memory.files.values())
        own = self.memory.of("note", self.blank.id) if self.blank.id else None
        self._own = copy_stem(own.path) if own is not None else ""
        self.memory.blank(self.blank)
        scan = self.folder.everything()
        for leftover in scan.leftovers:
            self.folder.discard(leftover)
        done = sum(self._file(path) for path in scan.files)
        told = [*self._written(call, mirrored)]
        self.memory.save()
        return done, (*told, *self._held())

    def _file(self, path: str) -> bool:
        """Take the text out of a file that the graph alone does not put right; return whether anything was done."""
        try:
            body, _ = self.folder.read(path)
        except InvalidArgument:
            return False
        entry, digest = self.memory.files.get(path), digest_of(body)
        if self._goes(path, entry, body):
            self.memory.drop(path)
            return self.folder.remove(path, expect=digest)
        is_ours = entry is not None and entry.digest == digest
        masked = body if is_ours else self._masked(body)
        if masked != body and self.folder.write(path, masked, expect=digest) is None:
            return False
        return self._moved(path, entry) or masked != body

    def _goes(self, path: str, entry: Mirrored | None, body: bytes) -> bool:
        """Whether a file goes as a whole: it is of the node that is erased, or a source's, which is written anew."""
        if path.startswith(f"{CONFLICTS}/"):
            return bool(self._own) and PurePosixPath(path).name.startswith(f"{self._own}-")
        if entry is None:
            return False
        if path.startswith(f"{SOURCES}/"):
            return entry.id in self.blank.sources or self._named(path) != path or self._masked(body) != body
        return bool(self.blank.id) and entry.id == self.blank.id

    def _moved(self, path: str, entry: Mirrored | None) -> bool:
        """Give a file whose name holds the text another one."""
        home = self._named(path)
        if home == path:
            return False
        if entry is not None and entry.at_home and entry.what == "note":
            node = self.ports.store.nodes((entry.id,)).get(entry.id)
            home = note_path(node, self.ports.store.vocabulary) if node is not None else home
        if not self.folder.move(path, home):
            return False
        if entry is not None:
            self.memory.keep(replace(entry, path=home))
        return True

    def _written(self, call: Call, mirrored: tuple[Mirrored, ...]) -> Iterator[str]:
        """Write every file that is not as the graph says; yield what is the matter where that cannot be done."""
        again = tuple(dict.fromkeys(entry.id for entry in mirrored if entry.id))
        syncing = Syncing(self.ports, self.memory, self.classifier)
        try:
            syncing.bring(self.folder.root, call, dry_run=False, deletions=False, again=again)
        except WeftError as error:
            yield f"{self.folder.root}: {error.message}"

    def _held(self) -> Iterator[str]:
        """Yield the files that still hold the text, or that cannot be looked into; what the graph wrote holds none."""
        scan = self.folder.everything()
        for path in scan.files:
            try:
                body, _ = self.folder.read(path)
            except InvalidArgument as error:
                yield f"{path}: {error.message}"
                continue
            entry = self.memory.files.get(path)
            is_ours = entry is not None and entry.digest == digest_of(body)
            if (not is_ours and self._masked(body) != body) or self._named(path) != path:
                yield path
        yield from (f"{path}: {reason}" for path, reason in scan.refused)

    def _named(self, path: str) -> str:
        """Return ``path`` with what is looked for masked in its name; the names of records are ids."""
        folder, _, name = path.rpartition("/")
        return path if path.startswith(f"{RECORDS}/") else f"{folder}/{self.blank.text(name)}"

    def _masked(self, body: bytes) -> bytes:
        text = body.decode("utf-8", "surrogateescape")
        return self.blank.text(text).encode("utf-8", "surrogateescape")


def remains(root: Path, blank: Blank) -> Iterator[str]:
    """Yield the files that hold what ``blank`` names of a vault that is mirrored no more; they are left as they are."""
    folder = Folder(root)
    for path in folder.everything().files if root.is_dir() else ():
        try:
            text = folder.read(path)[0].decode("utf-8", "replace")
        except InvalidArgument as error:
            yield f"{root / path}: {error.message}"
            continue
        if blank.text(text) != text or blank.text(path) != path:
            yield str(root / path)
