"""Where things lie in the vault. Names are made of our ids, and a title's letters in front; never of a given path."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from weft.identity import is_id
from weft.text import beginning, slug

if TYPE_CHECKING:
    from weft.model import Node, Source
    from weft.vocabulary import Vocabulary

__all__ = [
    "CONFLICTS",
    "NODES",
    "RECORDS",
    "SERIES",
    "SOURCES",
    "VOCABULARY",
    "copy_stem",
    "key_of",
    "note_path",
    "record_path",
    "source_path",
]

NODES: Final = "nodes"
SOURCES: Final = "sources"
RECORDS: Final = "records"
CONFLICTS: Final = "conflicts"
SERIES: Final = "records/series.jsonl"
VOCABULARY: Final = "records/vocabulary.jsonl"

_SHORT: Final = 8
_COPY_STEM_MAX: Final = 150
_COPY_STEM_MAX_BYTES: Final = 235
"""So that a digest and a suffix behind it make 255 bytes, the most that a name may have."""


def note_path(node: Node, vocabulary: Vocabulary, *, whole: bool = False) -> str:
    """Return where a node's note lies: ``nodes/decisions/use-jwt-1f3a9c04.md``; ``whole`` takes the whole id."""
    return f"{NODES}/{vocabulary.kind(node.kind).plural}/{_name(node.title, node.id, whole=whole)}.md"


def source_path(source: Source) -> str:
    """Return where a source lies."""
    return f"{SOURCES}/{_name(source.document, source.id, whole=True)}.md"


def record_path(id_: str) -> str:
    """Return where the record of the node or source of this id lies."""
    key = key_of(id_)
    return f"{RECORDS}/{key[-2:]}/{key}.jsonl"


def copy_stem(path: str) -> str:
    """Return what the name of a copy begins with that a conflict leaves of the note at ``path``."""
    return beginning(PurePosixPath(path).stem[:_COPY_STEM_MAX], most=_COPY_STEM_MAX_BYTES)


def key_of(id_: str) -> str:
    """Return ``id_`` as a file may be named: itself where it is one of ours, else a digest of it."""
    return id_ if is_id(id_) else f"x{hashlib.sha256(id_.encode('utf-8', 'replace')).hexdigest()[:35]}"


def _name(title: str, id_: str, *, whole: bool) -> str:
    """Return a title's letters and digits of any script, 80 bytes of them at most, and the id's last letters."""
    named = slug(title)
    key = key_of(id_) if whole else key_of(id_)[-_SHORT:]
    return f"{named}-{key}" if named else key
