"""A source as a file of the vault: where it comes from in front matter, its whole text as the body."""

from __future__ import annotations

import hashlib
import re

import yaml

from weft.errors import InvalidArgument
from weft.formats import front_matter
from weft.formats.foreign import time_of, word
from weft.model import Source, SourceType
from weft.model.codec import time_text

__all__ = ["parse", "render"]

_LINE_END = re.compile(r"\r\n?")


def render(source: Source) -> str:
    """Return the file of ``source``."""
    front = {
        "id": source.id,
        "type": source.type.value,
        "document": source.document,
        "ontology": source.ontology,
        "path": source.path,
        "digest": source.digest,
        "sha256": _print(source.text),
        "created": time_text(source.created_at),
        "created_by": source.created_by,
    }
    head = yaml.dump(
        {name: value for name, value in front.items() if value},
        Dumper=yaml.CSafeDumper,
        allow_unicode=True,
        sort_keys=False,
        width=100_000,
        default_flow_style=False,
    )
    return f"---\n{head}---\n\n{source.text}\n"


def parse(text: str) -> Source:
    """Return the source of this text.

    Raises:
        InvalidArgument: it is no file of a source, or its text is another one than the front matter says.
    """
    matter = front_matter.read(text)
    front = matter.front
    if matter.problems:
        raise InvalidArgument(f"line {matter.problems[0].line}: {matter.problems[0].message}")
    created = time_of(word(front, "created"))
    if not word(front, "id") or created is None or front.get("type") not in set(SourceType):
        raise InvalidArgument("not a source: id, type or created is missing or malformed")
    body = _LINE_END.sub("\n", text[matter.body_start :]).removeprefix("\n").removesuffix("\n")
    if _print(body) != word(front, "sha256"):
        raise InvalidArgument("its text was changed; what a document said stays as it was said")
    return Source(
        id=word(front, "id"),
        document=str(front.get("document", "")),
        ontology=str(front.get("ontology", "")),
        type=SourceType(front["type"]),
        text=body,
        digest=word(front, "digest"),
        path=str(front.get("path", "")),
        created_at=created,
        created_by=str(front.get("created_by", "")),
    )


def _print(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
