"""A node as a note of the vault: a record in YAML front matter, the node's content as the body.

The keys are those of the notes of Autology and of cognitive-memory; ``updated`` is read as ``modified``, ``confidence``
of a relation as its ``strength``, and the keys of the Open Knowledge Format (``weft_id``, ``generated``, ``resource``)
where a note comes from there. Keys that are not known are kept as they were written. What a note cannot hold (a text
with characters that no note has, lists beyond the bounds of front matter) is named in ``left_out`` and stands in the
node's record.

The tags of a node are those that the front matter names and those that stand in the text (``#tag``), each once. What
stands in the text is not written into the front matter, and ``untagged`` names what looks like a tag there and is none.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import yaml

from weft.formats import front_matter
from weft.formats.foreign import Problem, number, texts, time_of, word
from weft.formats.front_keys import kept_keys
from weft.formats.tags import inline_tags, with_tags
from weft.model.codec import time_text
from weft.vocabulary import TAGS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Node

__all__ = ["EDITABLE", "ENTRIES_MAX", "Entry", "Note", "parse", "render", "shown"]

ENTRIES_MAX: Final = 100
"""Relations that a note shows, the strongest; the node's record holds all."""

EDITABLE: Final = (
    "title", "content", "kind", "tags", "aliases", "search_terms", "references", "citation", "status", "confidence",
    "importance", "ontology", "session",
)  # fmt: skip
"""Fields of a node that may be changed in its note."""

_WORDS: Final = {
    "id": ("id", "weft_id"),
    "kind": ("type",),
    "title": ("title",),
    "ontology": ("ontology", "weft_ontology"),
    "citation": ("citation", "source_doi", "weft_citation"),
    "status": ("status",),
    "session": ("session",),
    "origin": ("origin", "weft_origin"),
    "channel": ("source",),
    "learned_id": ("learned_id",),
    "created_by": ("created_by",),
    "modified_by": ("modified_by",),
}
_LISTS: Final = {
    "tags": ("tags",),
    "aliases": ("aliases", "weft_aliases"),
    "search_terms": ("search_terms",),
    "references": ("references", "weft_references"),
    "handles": ("handles",),
}
_NUMBERS: Final = {
    "confidence": ("confidence", "weft_confidence"),
    "importance": ("importance", "weft_importance"),
}
_TIMES: Final = {"created_at": ("created", "created_at"), "modified_at": ("modified", "updated", "updated_at")}
_OWN: Final = frozenset(
    {"relations", "weft_relations", "relations_left_out", "left_out", "revision", "untagged"}
).union(*_WORDS.values(), *_LISTS.values(), *_NUMBERS.values(), *_TIMES.values())
_DROPPED_FIRST: Final = ("untagged", "handles", "references", "aliases", "search_terms", "citation", "tags")
"""Fields that give way where the front matter would be too large to be read, in this order."""

_LINE_END = re.compile(r"\r\n?")
_MERGE_MARKS: Final = [re.compile(mark, re.MULTILINE) for mark in (r"^<<<<<<< ", r"^=======$", r"^>>>>>>> ")]
_REVISION_LETTERS: Final = 16
_REVISION = re.compile(r"^revision: r([0-9a-f]{16})\n---\n", re.MULTILINE)
_ROOM: Final = 200  # characters that the revision and the list of what was left out take


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A relation as a note shows it, seen from its node. ``edge_id`` is the relation's id, empty: somebody wrote it."""

    type: str
    target: str
    incoming: bool = False
    strength: float | None = None
    edge_id: str = ""
    description: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What a note says. ``fields`` are those of a node that it names, by the node's names; ``content`` is one of them.

    ``extra`` is the YAML of the keys that are not known, ``revision`` that of the text that was mirrored last.
    ``named`` are the tags that its front matter names, ``written`` those that stand in its text, and ``untagged`` those
    of the text that it says are none.
    """

    fields: Mapping[str, Any]
    named: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    untagged: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    left_out: tuple[str, ...] = ()
    extra: str = ""
    revision: str = ""
    has_front: bool = True
    problems: tuple[Problem, ...] = ()

    @property
    def id(self) -> str:
        """The id that it names, or empty."""
        return str(self.fields.get("id", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Front:
    """The front matter of a note being written."""

    values: dict[str, Any]
    dropped: tuple[str, ...] = field(default=())


def parse(text: str) -> Note:
    """Return what the note of this text says; what is the matter with it stands in ``problems``. Never raises."""
    matter = front_matter.read(text)
    problems = [Problem(line=each.line, message=each.message) for each in matter.problems]
    if (unmerged := _unmerged(text)) >= 0 and not _pristine(text):
        line = text.count("\n", 0, unmerged) + 1
        problems.append(Problem(line=line, message="holds both sides of a merge that was not settled"))
    front = matter.front
    fields = dict(_fields(front)) | dict(_numbers(front, problems))
    fields["content"] = _body(text[matter.body_start :], fenced=bool(front))
    named, written, untagged = fields.get("tags", ()), inline_tags(fields["content"]), texts(front.get("untagged"))
    if meant := _meant(written, untagged):
        fields["tags"] = with_tags(named, meant)[: max(len(named), TAGS_MAX)]
    return Note(
        fields=fields,
        named=named,
        written=written,
        untagged=untagged,
        entries=tuple(_entries(front, problems)),
        left_out=texts(front.get("left_out")),
        extra=kept_keys(text[: matter.body_start], front, known=_OWN) if front else "",
        revision=word(front, "revision"),
        has_front=bool(front),
        problems=tuple(problems),
    )


def render(
    node: Node,
    entries: Sequence[Entry],
    *,
    more: int = 0,
    extra: str = "",
    lost: Sequence[str] = (),
    named: Sequence[str] | None = (),
) -> str:
    """Return the note of ``node``. ``more`` is how many relations it has beside ``entries``; ``extra`` is kept YAML.

    Of the tags that stand in the text the front matter names those among ``named``; None: all of them. Whatever does
    not come back from the text as it is, and what of the node's fields is ``lost`` anyway, is named in ``left_out``.

    Raises:
        ValueError: ``extra`` leaves no room for the node's own keys.
    """
    front = _fitting(_front(node, entries, more, named), extra)
    text = _text(node, front, extra)
    left_out = _lost(node, text, (*front.dropped, *(name for name in lost if name not in front.dropped)))
    return _text(node, replace(front, dropped=left_out), extra) if left_out != front.dropped else text


def shown(node: Node, entries: Sequence[Entry] = ()) -> Note:
    """Return what the note of ``node`` says: what its file is compared with."""
    return parse(render(node, entries))


def _text(node: Node, front: _Front, extra: str) -> str:
    values = {**front.values, **({"left_out": list(front.dropped)} if front.dropped else {})}
    head = _dumped(values) + extra
    body = f"\n{node.content}\n"
    return f"---\n{head}revision: r{_revision(head, body)}\n---\n{body}"


def _revision(head: str, body: str) -> str:
    return hashlib.sha256(f"{head}---\n{body}".encode("utf-8", "surrogatepass")).hexdigest()[:_REVISION_LETTERS]


def _unmerged(text: str) -> int:
    """Return where a merge that was not settled begins, or -1; each mark is looked for once, however many there are."""
    found: list[re.Match[str]] = []
    for mark in _MERGE_MARKS:
        match = mark.search(text, found[-1].end() if found else 0)
        if match is None:
            return -1
        found.append(match)
    return found[0].start()


def _pristine(text: str) -> bool:
    """Whether the text is as :func:`render` wrote it."""
    end = _REVISION.search(text)
    return end is not None and end[1] == _revision(text[4 : end.start()], text[end.end() :])


def _front(node: Node, entries: Sequence[Entry], more: int, named: Sequence[str] | None) -> _Front:
    written = inline_tags(node.content)
    known = {tag.casefold() for tag in node.tags}
    values: dict[str, Any] = {
        "id": node.id,
        "type": node.kind,
        "title": node.title,
        "tags": [tag for tag in node.tags if tag not in written or named is None or tag in named],
        "untagged": [tag for tag in written if tag.casefold() not in known],
        "aliases": list(node.aliases),
        "search_terms": list(node.search_terms),
        "status": node.status.value,
        "confidence": node.confidence,
        "importance": node.importance,
        "ontology": node.ontology,
        "references": list(node.references),
        "citation": node.citation,
        "source": node.channel,
        "session": node.session,
        "origin": node.origin.value,
        "learned_id": node.learned_id,
        "handles": list(node.handles),
        "created": time_text(node.created_at),
        "created_by": node.created_by,
        "modified": time_text(node.modified_at),
        "modified_by": node.modified_by,
        "relations": [_entry(each) for each in entries],
        "relations_left_out": more,
    }
    given = {name: value for name, value in values.items() if name in _NUMBERS or value not in ("", [], 0)}
    return _Front(values=given)


def _entry(entry: Entry) -> dict[str, Any]:
    values = {
        "type": entry.type,
        "target": entry.target,
        "direction": "incoming" if entry.incoming else "outgoing",
        "strength": entry.strength,
        "edge_id": entry.edge_id,
        "description": entry.description,
    }
    return {name: value for name, value in values.items() if value not in ("", None)}


def _fitting(front: _Front, extra: str) -> _Front:
    """Return ``front`` with as many fields left out, and as few relations shown, as it takes to be readable again.

    Raises:
        ValueError: nothing more can be left out.
    """
    while not _readable(front, extra):
        values = dict(front.values)
        shown_now = values.get("relations", [])
        if shown_now:
            kept = shown_now[: len(shown_now) // 2]
            values["relations_left_out"] = values.get("relations_left_out", 0) + len(shown_now) - len(kept)
            values = {**values, "relations": kept} if kept else {k: v for k, v in values.items() if k != "relations"}
            front = replace(front, values=values)
            continue
        name = next((each for each in _DROPPED_FIRST if each in values), None)
        if name is None:
            raise ValueError("the keys that are not Weft's own leave no room for its own")
        del values[name]
        front = replace(front, values=values, dropped=(*front.dropped, name))
    return front


def _readable(front: _Front, extra: str) -> bool:
    """Whether the front matter is small enough to be read; values are counted from above."""
    relations = len(front.values.get("relations", ()))
    lists = sum(len(value) for value in front.values.values() if isinstance(value, list))
    if 13 * relations + lists + 60 + 2 * extra.count("\n") > front_matter.NODES_MAX and relations:
        return False
    head = _dumped(front.values) + extra
    if len(head) + _ROOM > front_matter.SIZE_MAX:
        return False
    return not extra or not front_matter.read(f"---\n{head}---\n").problems


def _dumped(values: Mapping[str, Any]) -> str:
    return yaml.dump(
        dict(values),
        Dumper=yaml.CSafeDumper,
        allow_unicode=True,
        sort_keys=False,
        width=100_000,
        default_flow_style=False,
    )


def _lost(node: Node, text: str, dropped: tuple[str, ...]) -> tuple[str, ...]:
    """Return the fields that do not come back from ``text`` as they are."""
    found = parse(text).fields
    names = (*_WORDS, *_LISTS, *_NUMBERS, *_TIMES, "content")
    lost = {name for name in names if name != "id" and found.get(name, _EMPTY.get(name, "")) != _plain(node, name)}
    if set(found.get("tags", ())) == set(node.tags):
        lost.discard("tags")  # those of the text come after those of the front matter
    return (*dropped, *sorted(lost.difference(dropped)))


_EMPTY: Final[Mapping[str, Any]] = dict.fromkeys(_LISTS, ())


def _plain(node: Node, name: str) -> object:
    value = getattr(node, name)
    return value.value if name in {"status", "origin"} else value


def _fields(front: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, keys in _WORDS.items():
        if said := word(front, *keys):
            yield name, said
    for name, keys in _LISTS.items():
        if held := next((front[key] for key in keys if key in front), None):
            yield name, texts(held)
    for name, keys in _TIMES.items():
        at = time_of(word(front, *keys) or _generated(front, name))
        if at is not None:
            yield name, at


def _meant(written: Sequence[str], untagged: Sequence[str]) -> list[str]:
    """Return the tags of the text but those that are said to be none."""
    none = {tag.casefold() for tag in untagged}
    return [tag for tag in written if tag.casefold() not in none]


def _numbers(front: Mapping[str, Any], problems: list[Problem]) -> Iterator[tuple[str, float]]:
    for name, keys in _NUMBERS.items():
        said = word(front, *keys)
        share = number(said)
        if share is not None:
            yield name, share
        elif said:
            problems.append(Problem(line=1, message=f"{name}: {said[:40]!r} is no number of 0 to 1"))


def _generated(front: Mapping[str, Any], name: str) -> str:
    told = front.get("generated")
    return word(told, "at") if name == "modified_at" and isinstance(told, dict) else ""


def _body(text: str, *, fenced: bool) -> str:
    text = _LINE_END.sub("\n", text)
    if fenced:
        text = text.removeprefix("\n")
    return text.removesuffix("\n")


def _entries(front: Mapping[str, Any], problems: list[Problem]) -> Iterator[Entry]:
    listed = front.get("relations", front.get("weft_relations"))
    if listed in (None, "", []):
        return
    if not isinstance(listed, list):
        problems.append(Problem(line=1, message="relations is no list"))
        return
    for at, each in enumerate(listed):
        target = word(each, "target", "target_id", "to") if isinstance(each, dict) else ""
        kind = word(each, "type", "rel_type") if isinstance(each, dict) else ""
        if not target or not kind:
            problems.append(Problem(line=1, message=f"relation {at + 1} has no target or no type"))
            continue
        yield Entry(
            type=kind,
            target=target,
            incoming=word(each, "direction").lower() == "incoming",
            strength=number(each.get("strength", each.get("confidence"))),
            edge_id=word(each, "edge_id", "id"),
            description=word(each, "description", "context", "reasoning"),
        )
