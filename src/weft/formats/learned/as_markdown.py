"""Learned items as a page to read: each with its ends, its evidence as a quotation, and where it comes from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.model import PortableEnd, PortableItem

__all__ = ["render"]

_MARKUP: Final = re.compile(r"([\\`*_\[\]<>|#~&])")


def render(items: Sequence[PortableItem]) -> str:
    """Return the items as Markdown; what they say stays text, whatever marks it holds."""
    lines = ["# Learned knowledge", ""]
    for item in items:
        lines += [*_item(item), ""]
    return "\n".join(lines)


def _item(item: PortableItem) -> Iterator[str]:
    if item.concept is not None:
        yield f"## {_plain(item.concept.title)} ({_plain(item.concept.ontology)})"
        yield ""
        if item.concept.search_terms:
            yield f"Also: {_plain(', '.join(item.concept.search_terms))}"
            yield ""
        for end in item.ends:
            yield f"- synthesized from {_end(end)}"
    else:
        yield f"## {_end(item.ends[0])} — {_plain(item.type.upper())} — {_end(item.ends[1])}"
    yield ""
    for line in item.evidence.splitlines() or [""]:
        yield f"> {_plain(line)}".rstrip()
    yield ""
    handle = [item.concept.handle] if item.concept is not None and item.concept.handle else []
    when = [f"{item.created_at:%Y-%m-%d}"] if item.created_at else []
    leap = [f"leap {item.leap}"] if item.leap else []
    score = [f"similarity {item.similarity:.2f}"] if item.similarity is not None else []
    votes = [f"{sum(each.value > 0 for each in item.votes)} of {len(item.votes)} votes for it"] if item.votes else []
    said = (item.learned_id, *handle, f"by {item.creator}", *when, *leap, *score, *votes)
    yield " · ".join(_plain(part) for part in said if part)


def _end(end: PortableEnd) -> str:
    return f"{_plain(end.title)} ({_plain(end.ontology)})"


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
