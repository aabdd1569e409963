"""A concept of an Open Knowledge Format bundle, version 0.2: Markdown with YAML at its head, and the listings.

``type`` is the node's kind. ``generated``, ``sources``, ``status`` follow the format; what it has no word for stands
under keys of ours that begin with ``weft_``, which readers keep and pass over. Relations are links in the text, as the
format has them, and typed in ``weft_relations``.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any, Final

import yaml

from weft.model import Status
from weft.model.codec import time_text
from weft.vocabulary import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Node, Relation

__all__ = ["VERSION", "concept", "folder", "listing", "listing_line", "path", "root_listing"]

VERSION: Final = "0.2"

_STATUSES: Final = {Status.ACTIVE: "stable", Status.NEEDS_REVIEW: "draft", Status.SUPERSEDED: "deprecated"}
_PROGRAMS: Final = ("claude", "weft")
_SLUG = re.compile(r"[\W_]+", re.UNICODE)
_SLUG_MAX_BYTES: Final = 80
_SENTENCE = re.compile(r"(?<=[.!?。])\s")
_DESCRIPTION_MAX: Final = 200
_LINKED = re.compile(r"[\\\[\]()<>`*_~|#!]")


def folder(node: Node) -> str:
    """Return the folder that a node's concept lies in: its kind's plural."""
    kind = KINDS.get(node.kind)
    return kind.plural if kind else "concepts"


def path(node: Node) -> str:
    """Return where a node's concept lies below the bundle's root, with slashes: by our id, never by a given path.

    Letters and digits of any script stay, 80 bytes of them at most; the whole id follows, so no two meet.
    """
    slug = _SLUG.sub("-", unicodedata.normalize("NFC", node.title).lower()).strip("-")
    slug = slug.encode()[:_SLUG_MAX_BYTES].decode(errors="ignore").strip("-")
    return f"{folder(node)}/{slug}-{node.id}.md" if slug else f"{folder(node)}/{node.id}.md"


def concept(
    node: Node, relations: Sequence[Relation], *, ends: Mapping[str, Node], sources: Sequence[tuple[str, str, str]]
) -> str:
    """Return the concept's file. ``relations`` start at the node, ``ends`` are their targets by id.

    ``sources`` are (id, name, quote) of the documents that it rests on.
    """
    known = [each for each in relations if each.target in ends]
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
        **_given({"weft_relations": [_relation(each, ends[each.target]) for each in known]}),
    }
    head = yaml.dump(
        front, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=10_000, default_flow_style=None
    )
    return f"---\n{head}---\n\n{_body(node, known, ends, sources)}"


def listing(name: str) -> str:
    """Return the head of a folder's index.md."""
    return f"# {name.replace('_', ' ').capitalize()}\n\n"


def listing_line(node: Node) -> str:
    """Return a node's entry in its folder's index.md."""
    file = path(node).rpartition("/")[2]
    said = _plain(_description(node))
    return f"* [{_plain(node.title)}]({file})" + (f" - {said}\n" if said else "\n")


def root_listing(counts: Mapping[str, int]) -> str:
    """Return the bundle's index.md: which version of the format it follows, and its folders."""
    entries = "".join(f"* [{name}]({name}/) - {count:,} concepts\n" for name, count in sorted(counts.items()))
    return f'---\nokf_version: "{VERSION}"\n---\n\n# Folders\n\n{entries}'


def _body(
    node: Node, known: Sequence[Relation], ends: Mapping[str, Node], sources: Sequence[tuple[str, str, str]]
) -> str:
    parts = [node.content.strip() or node.title]
    if known:
        lines = (f"* {each.type}: [{_plain(ends[each.target].title)}](/{path(ends[each.target])})" for each in known)
        parts.append("# Relations\n\n" + "\n".join(lines))
    if sources:
        quotes = "\n".join(f"* “{_plain(quote)}”[^{id_}]" for id_, _, quote in sources)
        notes = "\n".join(f"[^{id_}]: {_plain(name)}" for id_, name, _ in sources)
        parts.append(f"# Evidence\n\n{quotes}\n\n{notes}")
    return "\n\n".join(parts) + "\n"


def _relation(relation: Relation, target: Node) -> dict[str, Any]:
    return {
        "id": relation.id,
        "type": relation.type,
        "target": f"/{path(target)}",
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
