"""A concept of an Open Knowledge Format bundle, version 0.2: Markdown with YAML at its head, and the listings.

A concept that Weft wrote comes back as it was: what it has under its own keys, its relations, and the quotes it rests
on. Of anybody's else, ``type``, ``title``, ``tags``, ``resource``, ``sources``, ``status`` and ``generated`` are read,
and its links relate.

``type`` is the node's kind. ``generated``, ``sources``, ``status`` follow the format; what it has no word for stands
under keys of ours that begin with ``weft_``, which readers keep and pass over. Relations are links in the text, as the
format has them, and typed in ``weft_relations``.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

import yaml

from weft.formats import front_matter
from weft.formats.foreign import (
    Parsed,
    Problem,
    Quote,
    Record,
    Tie,
    misread_shares,
    number,
    own_id,
    texts,
    time_of,
    word,
)
from weft.formats.wiki import bare, references, without_code
from weft.model import Status
from weft.model.codec import time_text
from weft.text import slug
from weft.text.punctuation import BEHIND_STOP

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Node, Relation
    from weft.vocabulary import Vocabulary

__all__ = ["LISTINGS", "VERSION", "concept", "folder", "listing", "listing_line", "parse", "path", "root_listing"]

VERSION: Final = "0.2"

LISTINGS: Final = frozenset({"index.md", "log.md"})
"""Names of files that the format keeps for itself: they are no concepts."""

_RELATIONS: Final = "# Relations\n\n"
_EVIDENCE: Final = "# Evidence\n\n"
_FRONT_MAX: Final = 2_000_000
_FRONT_VALUES_MAX: Final = 20_000
_REASON_MAX: Final = 300
_READ: Final = frozenset(
    {"type", "title", "description", "resource", "tags", "sources", "generated", "status"}
    | {f"weft_{name}" for name in ("id", "ontology", "confidence", "importance", "origin", "aliases", "references")}
    | {"weft_citation", "weft_relations"}
)
_SAID: Final = {"stable": "active", "draft": "needs_review", "deprecated": "superseded"}
_QUOTED = re.compile(r"^\* “(.*)”\[\^([^\[\]\n]+)\]$", re.MULTILINE)
_ESCAPED = re.compile(r"\\([\\\[\]()<>`*_~|#!])")
_STATUSES: Final = {Status.ACTIVE: "stable", Status.NEEDS_REVIEW: "draft", Status.SUPERSEDED: "deprecated"}
_PROGRAMS: Final = ("claude", "weft")
_SENTENCE = re.compile(rf"(?<=[.!?])\s|{BEHIND_STOP}")
_DESCRIPTION_MAX: Final = 200
_LINKED = re.compile(r"[\\\[\]()<>`*_~|#!]")


def folder(node: Node, vocabulary: Vocabulary) -> str:
    """Return the folder that a node's concept lies in: its kind's plural."""
    return vocabulary.kind(node.kind).plural


def path(node: Node, vocabulary: Vocabulary) -> str:
    """Return where a node's concept lies below the bundle's root, with slashes: by our id, never by a given path."""
    return f"{folder(node, vocabulary)}/{_file(node)}"


def _file(node: Node) -> str:
    """Return a concept's file name.

    Letters and digits of any script stay, 80 bytes of them at most; the whole id follows, so no two meet.
    """
    named = slug(node.title)
    return f"{named}-{node.id}.md" if named else f"{node.id}.md"


def concept(
    node: Node,
    relations: Sequence[Relation],
    *,
    ends: Mapping[str, Node],
    sources: Sequence[tuple[str, str, str]],
    vocabulary: Vocabulary,
) -> str:
    """Return the concept's file. ``relations`` start at the node, ``ends`` are their targets by id.

    ``sources`` are (id, name, quote) of the documents that it rests on.
    """
    known = [
        (each, ends[each.target], path(ends[each.target], vocabulary)) for each in relations if each.target in ends
    ]
    front = {
        "type": node.kind,
        "title": node.title,
        "description": _description(node),
        **_given({"resource": next((each for each in node.references if "://" in each), "")}),
        **_given({"tags": list(node.tags)}),
        **_given({"sources": [{"id": id_, "resource": name} for id_, name, _ in sources]}),
        "generated": {"by": _actor(node.modified_by), "at": time_text(node.modified_at)},
        "status": _STATUSES[node.status],
        "weft_id": node.id,
        "weft_ontology": node.ontology,
        "weft_confidence": node.confidence,
        "weft_importance": node.importance,
        "weft_origin": node.origin.value,
        **_given({"weft_aliases": list(node.aliases), "weft_references": list(node.references)}),
        **_given({"weft_citation": node.citation}),
        **_given({"weft_relations": [_relation(each, place) for each, _, place in known]}),
    }
    head = yaml.dump(
        front, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=10_000, default_flow_style=None
    )
    return f"---\n{head}---\n\n{_body(node, known, sources)}"


def listing(name: str) -> str:
    """Return the head of a folder's index.md."""
    return f"# {name.replace('_', ' ').capitalize()}\n\n"


def listing_line(node: Node) -> str:
    """Return a node's entry in its folder's index.md."""
    said = _plain(_description(node))
    return f"* [{_plain(node.title)}]({_file(node)})" + (f" - {said}\n" if said else "\n")


def root_listing(counts: Mapping[str, int]) -> str:
    """Return the bundle's index.md: which version of the format it follows, and its folders."""
    entries = "".join(f"* [{name}]({name}/) - {count:,} concepts\n" for name, count in sorted(counts.items()))
    return f'---\nokf_version: "{VERSION}"\n---\n\n# Folders\n\n{entries}'


def _body(node: Node, known: Sequence[tuple[Relation, Node, str]], sources: Sequence[tuple[str, str, str]]) -> str:
    parts = [node.content.strip() or node.title]
    if known:
        lines = (f"* {each.type}: [{_plain(target.title)}](/{place})" for each, target, place in known)
        parts.append(_RELATIONS + "\n".join(lines))
    if sources:
        quotes = "\n".join(f"* “{_plain(quote)}”[^{id_}]" for id_, _, quote in sources)
        notes = "\n".join(f"[^{id_}]: {_plain(name)}" for id_, name, _ in sources)
        parts.append(f"{_EVIDENCE}{quotes}\n\n{notes}")
    return "\n\n".join(parts) + "\n"


def _relation(relation: Relation, place: str) -> dict[str, Any]:
    return {
        "id": relation.id,
        "type": relation.type,
        "target": f"/{place}",
        "reasoning": relation.reasoning,
        "confidence": relation.confidence,
        "origin": relation.origin.value,
    }


def _description(node: Node) -> str:
    lines: Iterator[str] = (line.strip(" #>*-\t") for line in node.content.splitlines())
    first = _SENTENCE.split(next((line for line in lines if line and line != node.title), ""))[0]
    return first if len(first) <= _DESCRIPTION_MAX else first[: _DESCRIPTION_MAX - 1].rstrip() + "…"


def _actor(name: str) -> str:
    """Return who wrote, as the format names it; what is named after a program is none of its people."""
    if "/" in name or name.startswith(("process:", "human:")):
        return name
    return f"{'process' if name.startswith(_PROGRAMS) else 'human'}:{name or 'unknown'}"


def _plain(text: str) -> str:
    return _LINKED.sub(lambda found: f"\\{found[0]}", " ".join(text.split()))


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}


def parse(text: str, *, name: str) -> Parsed:
    """Return the concept of this text and its relations; ``name`` is its path below the bundle. Never raises."""
    name = unicodedata.normalize("NFC", name)
    matter = front_matter.read(text, size_max=_FRONT_MAX, nodes_max=_FRONT_VALUES_MAX)
    problems = [Problem(line=each.line, message=each.message) for each in matter.problems]
    front, body = matter.front, text[matter.body_start :].strip()
    if not word(front, "type"):
        return Parsed(problems=(*problems, Problem(line=1, message="not a concept: its head names no type")))
    if left := sorted(set(front) - _READ):
        problems.append(Problem(line=1, message=f"taken in, but without {', '.join(left)[:200]}"))
    key = word(front, "weft_id") or bare(name)
    listed = front.get("weft_relations")
    told = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    problems += misread_shares(front, "weft_confidence", "weft_importance", line=1)
    problems += (each for entry in told for each in misread_shares(entry, "confidence", line=1))
    content, quotes = _cut(body, front, told)
    first_line = text.count("\n", 0, matter.body_start) + 1
    ties = [_tie(key, each) for each in told] if word(front, "weft_id") else _linked(content, key, name, first_line)
    record = _record(front, content, key=key, name=name, quotes=quotes)
    return Parsed(records=(record,), ties=tuple(ties), problems=tuple(problems))


def _record(front: Mapping[str, Any], content: str, *, key: str, name: str, quotes: tuple[Quote, ...]) -> Record:
    made = front.get("generated")
    generated: Mapping[str, Any] = made if isinstance(made, dict) else {}
    ours = word(front, "weft_id")
    title = word(front, "title") or PurePosixPath(bare(name)).name
    said = word(front, "description")
    if not ours and said and said not in content:
        content = f"{said}\n\n{content}".strip()
    return Record(
        key=key,
        title=title,
        content=content or title,
        kind=word(front, "type"),
        tags=texts(front.get("tags")),
        aliases=texts(front.get("weft_aliases")),
        names=(f"/{name}", *(() if ours else (name,))),
        references=texts(front.get("weft_references")) if ours else tuple(dict.fromkeys(_resources(front))),
        citation=word(front, "weft_citation"),
        confidence=number(front.get("weft_confidence")),
        importance=number(front.get("weft_importance")),
        status=_SAID.get(word(front, "status").lower(), word(front, "status")),
        modified_at=time_of(word(generated, "at")),
        id=own_id(ours),
        ontology=word(front, "weft_ontology"),
        origin=word(front, "weft_origin"),
        by=re.sub(r"^(?:human|process):", "", word(generated, "by")),
        quotes=quotes,
    )


def _resources(front: Mapping[str, Any]) -> Iterator[str]:
    if resource := word(front, "resource"):
        yield resource
    listed = front.get("sources")
    for each in listed if isinstance(listed, list) else ():
        if isinstance(each, dict) and (resource := word(each, "resource")):
            yield resource


def _cut(body: str, front: Mapping[str, Any], told: Sequence[Mapping[str, Any]]) -> tuple[str, tuple[Quote, ...]]:
    """Return what the node itself says of the text of a concept that Weft wrote, and the quotes below it."""
    if not word(front, "weft_id"):
        return body, ()
    listed = front.get("sources")
    named = {word(each, "id"): word(each, "resource") for each in listed or () if isinstance(each, dict)}
    quotes: tuple[Quote, ...] = ()
    body = f"\n\n{body}"
    if named and (at := body.rfind(f"\n\n{_EVIDENCE}")) >= 0:
        found = _QUOTED.findall(body[at:])
        quotes = tuple(
            Quote(document=named[id_], text=_ESCAPED.sub(r"\1", said)) for said, id_ in found if id_ in named
        )
        body = body[:at]
    if told and (at := body.rfind(f"\n\n{_RELATIONS}")) >= 0:
        body = body[:at]
    return body.strip(), quotes


def _tie(key: str, said: Mapping[str, Any]) -> Tie:
    id_ = word(said, "id")
    return Tie(
        source=key,
        target=word(said, "target"),
        type=word(said, "type"),
        reasoning=word(said, "reasoning"),
        confidence=number(said.get("confidence")),
        line=1,
        id=own_id(id_),
        origin=word(said, "origin"),
    )


def _linked(content: str, key: str, name: str, first_line: int) -> Iterator[Tie]:
    """Yield a relation for each link to another concept; a path that does not begin at the root begins beside it."""
    for found in references(without_code(content), first_line=first_line):
        reason = found.text[:_REASON_MAX]
        beside = PurePosixPath(name).parent / found.name
        target = found.name if found.name.startswith("/") else f"/{_straight(beside)}"
        yield Tie(source=key, target=target, type="", reasoning=reason, line=found.line)


def _straight(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
