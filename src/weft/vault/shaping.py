"""From what a note says to a node of the graph: clean texts, known names, bounds kept; and what differs from a node."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from weft.errors import InvalidArgument
from weft.formats.tags import inline_tags, with_tags
from weft.formats.vault_note import EDITABLE, shown
from weft.identity import is_id, new_id
from weft.model import Node, Origin, Status
from weft.services.drafting import line, lines
from weft.services.passages import title_of
from weft.text import clean, normalized
from weft.vocabulary import (
    ALIAS_MAX,
    ALIASES_MAX,
    CITATION_MAX,
    CONTENT_MAX,
    NAME_MAX,
    REFERENCE_MAX,
    REFERENCES_MAX,
    SEARCH_TERMS_MAX,
    SESSION_MAX,
    TAG_MAX,
    TAGS_MAX,
    TITLE_MAX,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from weft.formats.vault_note import Note
    from weft.model import Call
    from weft.vocabulary import Vocabulary

__all__ = ["Difference", "compare", "lost", "ours", "prints", "restored", "shaped"]

CHANNEL: Final = "vault"
"""The channel of a node that somebody wrote as a note."""

_CHANNELS: Final = frozenset({"manual", "hook_commit", "hook_file_change", "import", CHANNEL})
_KEY_MAX: Final = 200
_PRINT_LETTERS: Final = 12
_NAMED: Final = "tags named"
"""What the print of the tags goes by that the front matter names, beside that of all tags of a note."""

_STATUSES: Final = {
    "stable": Status.ACTIVE,
    "draft": Status.NEEDS_REVIEW,
    "deprecated": Status.SUPERSEDED,
    "obsolete": Status.SUPERSEDED,
}
_HEADING = re.compile(r"^#{1,6}[ \t]+(\S.*)$", re.MULTILINE)
_EMPTY: Final[Mapping[str, Any]] = {
    "tags": (),
    "aliases": (),
    "search_terms": (),
    "references": (),
    "citation": "",
    "session": "",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What a note changes of its node, by field, and the fields that the graph changed as well, to something else."""

    changes: Mapping[str, Any]
    clashes: tuple[str, ...] = ()


def prints(note: Note) -> dict[str, str]:
    """Return a short digest of each field that may be changed, as the note says it, and of its front matter's tags."""
    return {name: _print(name, value) for name, value in _said(note).items()} | {_NAMED: _named(note)}


def compare(note: Note, base: Mapping[str, str] | None, standing: Node, vocabulary: Vocabulary) -> Difference:
    """Return what ``note`` changed of what it said before, and what ``standing`` changed meanwhile otherwise.

    ``base`` are the :func:`prints` of what it said; without them it is not known who changed what, so that every
    difference is a clash.

    Raises:
        InvalidArgument: a value of the note is malformed or out of bounds.
    """
    base, theirs, said = _renewed(base, note, standing), prints(shown(standing)), _said(note)
    changes: dict[str, Any] = {}
    clashes: list[str] = []
    if base is not None and _is_named_as_before(note, base) and theirs["content"] == base.get("content"):
        said.pop("tags", None)
        followed = _followed(standing, note)
        changes |= {"tags": followed} if followed != standing.tags else {}
    for name, value in said.items():
        mine = _print(name, value)
        if name in note.left_out or mine == theirs.get(name) or (base is not None and mine == base.get(name)):
            continue
        if base is None or theirs.get(name) != base.get(name):
            clashes.append(name)
        changes[name] = value
    cleaners = _cleaners(vocabulary)
    wanted = {name: cleaners[name](value) for name, value in changes.items()}
    for name in {"content", "title", "ontology"}.intersection(wanted):
        if not wanted[name].strip():
            raise InvalidArgument(f"{name}: says nothing; to forget the node, delete its file")
    real = {name: value for name, value in wanted.items() if value != getattr(standing, name)}
    return Difference(changes=real, clashes=tuple(name for name in clashes if name in real))


def _renewed(base: Mapping[str, str] | None, note: Note, standing: Node) -> Mapping[str, str] | None:
    """Return ``base`` as it is kept now: it was once kept of the tags in their order, those of the text left out."""
    if base is None or _NAMED in base:
        return base
    known = next((tags for tags in (note.named, standing.tags) if _print(_NAMED, tags) == base.get("tags")), None)
    return base if known is None else {**base, "tags": _print("tags", known)}


def _is_named_as_before(note: Note, base: Mapping[str, str]) -> bool:
    """Whether nobody touched the tags of the front matter, so that only those of the text may have changed."""
    return "tags" in note.left_out or _named(note) == base.get(_NAMED)


def _named(note: Note) -> str:
    return _print(_NAMED, (*note.named, "", *note.untagged))


def _followed(standing: Node, note: Note) -> tuple[str, ...]:
    """Return the node's tags once its text is the note's: what went from the text goes, what came comes."""
    tags = (inline_tags(standing.content), (*note.written, *note.named))
    before, now = ({tag.casefold() for tag in each} for each in tags)
    kept = (tag for tag in standing.tags if tag.casefold() not in before - now)
    return with_tags(kept, (tag for tag in note.written if tag.casefold() not in before))[:TAGS_MAX]


def ours(note: Note) -> bool:
    """Whether the note was written by a mirror: its id is one of a graph, not of another system."""
    return bool(note.revision) or is_id(note.id)


def restored(note: Note, full: Node | None, call: Call, vocabulary: Vocabulary, *, home: str) -> Node:
    """Return the node of a note that a mirror wrote and this graph does not hold; it keeps its id and its times.

    ``full`` is what the node's record says of it, for the fields that the note leaves out.

    Raises:
        InvalidArgument: a value is malformed or out of bounds, or a field that was left out stands nowhere.
    """
    if len(note.id) > _KEY_MAX and full is None:
        raise InvalidArgument(f"id: at most {_KEY_MAX} characters")
    if note.left_out and full is None:
        raise InvalidArgument(f"its record is missing or damaged, which holds {', '.join(note.left_out)}")
    fields = {
        name: cleaner(note.fields[name])
        for name, cleaner in _cleaners(vocabulary).items()
        if name in note.fields and name not in note.left_out
    }
    if not fields.get("content", "").strip() and not note.revision:
        raise InvalidArgument("says nothing")
    kept = {name: getattr(full, name) for name in note.left_out if full is not None and name in _FIELDS}
    return Node(**(_usual(home) | _provenance(note, call) | fields | kept | {"id": note.id}))


def lost(node: Node, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the fields of ``node`` that would be read from a note otherwise than they are, cleaned as notes are."""
    cleaners = _cleaners(vocabulary) | {**_OTHERS}
    return tuple(name for name, cleaner in cleaners.items() if not _stays(node, name, cleaner))


def _stays(node: Node, name: str, cleaner: Callable[[Any], Any]) -> bool:
    value = getattr(node, name)
    try:
        return bool(cleaner(value) == value)
    except InvalidArgument:
        return False


def shaped(note: Note, path: str, call: Call, vocabulary: Vocabulary, *, home: str, kind: str) -> Node:
    """Return the new node that a person's note becomes; ``kind`` is that of one that names none that is known.

    Raises:
        InvalidArgument: a value is malformed or out of bounds, or the note says nothing.
    """
    fields = {
        name: cleaner(note.fields[name])
        for name, cleaner in _cleaners(vocabulary).items()
        if name in note.fields and name not in {"kind", "title"}
    }
    content = fields["content"]
    if not content.strip():
        raise InvalidArgument("says nothing: a note needs a text")
    named, mark = _kind(str(note.fields.get("kind", "")), path, kind, vocabulary)
    title = _title(note, path)
    handle = note.id if note.id and not is_id(note.id) else ""
    fields |= {"kind": named, "title": title, "tags": (*fields.get("tags", ()), *mark)[:TAGS_MAX]}
    usual = _usual(home) | _provenance(note, call)
    usual |= {"id": new_id(call.at), "handles": (line(handle, field="id", limit=_KEY_MAX),) if handle else ()}
    return Node(**(usual | {"origin": Origin.MANUAL, "learned_id": "", "channel": CHANNEL} | fields))


def _usual(home: str) -> dict[str, Any]:
    return {"kind": "general", "title": "untitled", "content": "", "ontology": home}


def _provenance(note: Note, call: Call) -> dict[str, Any]:
    said = {name: value for name, value in note.fields.items() if name not in note.left_out}
    created = said.get("created_at") or said.get("modified_at") or call.at
    channel = str(said.get("channel", "manual"))
    origin = str(said.get("origin", Origin.MANUAL))
    return {
        "handles": _OTHERS["handles"](said.get("handles", ())),
        "origin": Origin(origin) if origin in set(Origin) else Origin.IMPORTED,
        "channel": _OTHERS["channel"](channel),
        "learned_id": _OTHERS["learned_id"](said.get("learned_id", "")),
        "created_at": created,
        "created_by": _OTHERS["created_by"](said.get("created_by", call.actor)),
        "modified_at": said.get("modified_at") or created,
        "modified_by": _OTHERS["modified_by"](said.get("modified_by", call.actor)),
    }


def _title(note: Note, path: str) -> str:
    if given := str(note.fields.get("title", "")).strip():
        return line(given, field="title", limit=TITLE_MAX)
    heading = _HEADING.search(str(note.fields["content"]))
    stem = " ".join(PurePosixPath(normalized("NFC", path)).stem.split())
    found = heading[1].strip(" #") if heading else stem
    return line(found[:TITLE_MAX], field="title", limit=TITLE_MAX) or title_of(str(note.fields["content"]))


def _kind(given: str, path: str, usual: str, vocabulary: Vocabulary) -> tuple[str, tuple[str, ...]]:
    """Return the kind that a note names, or its folder, and the tag that keeps a word that is no kind here."""
    folders = {kind.plural: kind.name for kind in vocabulary.kinds.values()}
    folder = next((folders[part] for part in PurePosixPath(path).parts[1:-1] if part in folders), "")
    word = " ".join(given.split())
    if not word:
        return folder or usual, ()
    try:
        return vocabulary.kind_named(word).name, ()
    except InvalidArgument:
        return folder or usual, (line(word.lower()[:TAG_MAX], field="type", limit=TAG_MAX),)


def _said(note: Note) -> dict[str, Any]:
    """Return the fields that may be changed; lists and texts that are not named are empty."""
    said = {name: note.fields[name] for name in EDITABLE if name in note.fields}
    return {**{name: value for name, value in _EMPTY.items() if name not in note.left_out}, **said}


def _print(name: str, value: object) -> str:
    if isinstance(value, str):
        value = _composed(value)
        value = value.rstrip() if name == "content" else value
    elif isinstance(value, tuple):
        value = tuple(map(_composed, value))
        value = tuple(sorted(value)) if name == "tags" else value  # where they stand says which come first
    return hashlib.sha256(repr(value).encode("utf-8", "surrogatepass")).hexdigest()[:_PRINT_LETTERS]


def _composed(text: str) -> str:
    return normalized("NFC", text)


def _status(value: str) -> Status:
    word = value.strip().lower().replace(" ", "_").replace("-", "_")
    if word in _STATUSES:
        return _STATUSES[word]
    if word not in set(Status):
        raise InvalidArgument(f"status: {value[:40]!r} is none of {', '.join(Status)}")
    return Status(word)


def _list(field: str, limit: int, most: int) -> Callable[[Any], tuple[str, ...]]:
    return lambda value: lines(value, field=field, limit=limit, most=most)


def _line(field: str, limit: int) -> Callable[[Any], str]:
    return lambda value: line(str(value), field=field, limit=limit)


_CLEANERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "title": _line("title", TITLE_MAX),
    "content": lambda value: clean(str(value), field="content", limit=CONTENT_MAX),
    "tags": _list("tags", TAG_MAX, TAGS_MAX),
    "aliases": _list("aliases", ALIAS_MAX, ALIASES_MAX),
    "search_terms": _list("search_terms", TAG_MAX, SEARCH_TERMS_MAX),
    "references": _list("references", REFERENCE_MAX, REFERENCES_MAX),
    "citation": _line("citation", CITATION_MAX),
    "status": lambda value: _status(str(value)),
    "confidence": float,
    "importance": float,
    "ontology": _line("ontology", NAME_MAX),
    "session": _line("session", SESSION_MAX),
}


def _cleaners(vocabulary: Vocabulary) -> dict[str, Callable[[Any], Any]]:
    return {"kind": lambda value: vocabulary.kind_named(str(value)).name, **_CLEANERS}


_OTHERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "handles": _list("handles", 1_000, 1_000),
    "channel": lambda value: value if value in _CHANNELS else CHANNEL,
    "learned_id": _line("learned_id", NAME_MAX),
    "created_by": _line("created_by", NAME_MAX),
    "modified_by": _line("modified_by", NAME_MAX),
}
_FIELDS: Final = frozenset({*_CLEANERS, *_OTHERS, "origin", "created_at", "modified_at"})
