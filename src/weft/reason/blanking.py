"""Blanking: what is left of a value once a leaked text is taken out of it.

Masks are as long as what they cover, character by character, so that places in a text stay places in it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["ERASED", "Blank", "mask", "needles", "tokens"]

ERASED: Final = "[erased]"
"""What stands in place of a text that is taken out as a whole."""

MASK: Final = "█"
WHOLE_MIN: Final = 12
"""A text of fewer characters is too common to be looked for elsewhere; it is blanked where it stands."""
TOKEN_MIN: Final = 8

_TOKEN: Final = re.compile(r"[^\s\"'`<>()\[\]{},;]+")
_LISTS: Final = ("tags", "search_terms", "aliases", "references")


def mask(text: str) -> str:
    """Return ``text`` with every character but line ends masked."""
    return re.sub(r"[^\n]", MASK, text)


def needles(texts: Iterable[str]) -> tuple[str, ...]:
    """Return those of ``texts`` that are long enough to be looked for everywhere, the longest first."""
    found = {text.strip() for text in texts} - {ERASED}
    return tuple(sorted((text for text in found if len(text) >= WHOLE_MIN), key=lambda text: (-len(text), text)))


def tokens(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the words of ``texts`` that look like keys: eight characters or more, letters and digits among them."""
    words = {word.strip(".:!?") for text in texts for word in _TOKEN.findall(text)}
    telling = (word for word in words if len(word) >= TOKEN_MIN and re.search(r"\d", word) and re.search(r"\w", word))
    return tuple(
        sorted((word for word in telling if re.search(r"[^\W\d_]", word)), key=lambda word: (-len(word), word))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Blank:
    """What is to be taken out: all text of the node ``id`` and of what hangs on it, and every ``whole`` anywhere.

    An empty ``id`` is no node: only texts are taken out then. ``aside`` are taken out of everything but the text of
    other nodes and of sources. ``relations`` are ids of the relations that ever touched the node, ``sources`` the texts
    of sources that are not as they were, masked.
    """

    id: str
    whole: tuple[str, ...]
    aside: tuple[str, ...] = ()
    relations: frozenset[str] = frozenset()
    sources: Mapping[str, str] = field(default_factory=dict)

    def concerns(self, text: str) -> bool:
        """Return whether ``text`` (JSON, or plain) may hold anything to take out."""
        parts = (self.id, *self.whole, *self.aside, *self.relations, *self.sources)
        return any(part and (part in text or _escaped(part) in text) for part in parts)

    def text(self, text: str, *, aside: bool = True) -> str:
        """Return ``text`` with what is looked for masked."""
        parts = (*self.whole, *(self.aside if aside else ()))
        return _masked(text, [place for part in parts for place in _places(text, part)])

    def owns(self, text: str) -> bool:
        """Return whether ``text`` names the node."""
        return bool(self.id) and self.id in text

    def spanned(self, text: str, spans: Iterable[tuple[int, int]]) -> str:
        """Return the text of a source, masked at these places and wherever it holds what is looked for."""
        return _masked(text, [*spans, *(place for part in self.whole for place in _places(text, part))])

    def anything(self, value: Any, *, aside: bool = True) -> Any:  # noqa: ANN401 - JSON-ready data
        """Return JSON-ready data with what is looked for masked in every text."""
        if isinstance(value, str):
            return self.text(value, aside=aside)
        if isinstance(value, dict):
            return {name: self.anything(part, aside=aside) for name, part in value.items()}
        if isinstance(value, list):
            return [self.anything(part, aside=aside) for part in value]
        return value

    def data(self, subject: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a value of this subject (node, relation, source …) without what is taken out."""
        rid = dict(data) | self._own(subject, data)
        return {name: self.anything(part, aside=subject not in {"node", "source"}) for name, part in rid.items()}

    def _own(self, subject: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields that go as a whole, since they are the node's own or say something of it."""
        if subject == "node" and data["id"] == self.id:
            return {"title": ERASED, "content": ERASED, "citation": ""} | {name: [] for name in _LISTS}
        if subject == "relation" and self.id in {data["source"], data["target"]}:
            return {"reasoning": ERASED}
        if subject == "evidence" and data["source"] in self.sources:
            return {"quote": self.sources[data["source"]][data["start"] : data["end"]]}
        if subject == "suggestion" and self.id in data["subjects"]:
            return {"summary": ERASED, "grounds": {}, "proposal": {}}
        return {"text": self.sources.get(data["id"], data["text"])} if subject == "source" else {}


def _places(text: str, part: str) -> Iterator[tuple[int, int]]:
    """Yield where ``part`` stands in ``text``; places may overlap."""
    at = text.find(part)
    while at >= 0:
        yield at, at + len(part)
        at = text.find(part, at + 1)


def _masked(text: str, places: Iterable[tuple[int, int]]) -> str:
    """Return ``text`` with these places masked, all found before the first is, since they may overlap."""
    for start, end in places:
        text = text[:start] + mask(text[start:end]) + text[end:]
    return text


def _escaped(text: str) -> str:
    """Return ``text`` as it stands inside JSON."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
