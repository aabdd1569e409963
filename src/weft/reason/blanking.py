"""Blanking: what is left of a value once a leaked text is taken out of it.

Masks are as long as what they cover, character by character, so that places in a text stay places in it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from weft.text import SLUG_MAX_BYTES, slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["ERASED", "Blank", "mask", "needles", "slugs", "tokens"]

ERASED: Final = "[erased]"
"""What stands in place of a text that is taken out as a whole."""

MASK: Final = "█"
WHOLE_MIN: Final = 12
"""A text of fewer characters is too common to be looked for elsewhere; it is blanked where it stands."""
TOKEN_MIN: Final = 8

_TOKEN: Final = re.compile(r"[^\s\"'`<>()\[\]{},;]+")
_LISTS: Final = ("tags", "search_terms", "aliases", "references", "handles")
_SLUG: Final = re.compile(r"[\W_]+")
_TITLE_MAX: Final = 1_000

_SAID: Final[Mapping[str, frozenset[str]]] = {
    "node": frozenset({"title", "content", "citation", "session", *_LISTS}),
    "relation": frozenset({"reasoning"}),
    "source": frozenset({"document", "path", "text"}),
    "evidence": frozenset({"quote"}),
    "suggestion": frozenset({"dedup", "summary", "grounds", "proposal", "decided_why"}),
    "vote": frozenset({"reason"}),
}
"""The fields of each subject that hold what somebody wrote; all others are ids, numbers, times and words of ours."""

_NAMED: Final[Mapping[str, frozenset[str]]] = {
    "node": frozenset({"ontology", "created_by", "modified_by"}),
    "relation": frozenset({"created_by"}),
    "source": frozenset({"ontology", "created_by"}),
    "evidence": frozenset({"creator"}),
    "suggestion": frozenset({"created_by", "decided_by"}),
    "vote": frozenset({"actor"}),
}
"""The fields that name somebody, or where a thing belongs. They join things: only a text that was named goes there."""

_ASIDE: Final[Mapping[str, frozenset[str]]] = {
    **_SAID,
    "node": frozenset({"session"}),
    "source": frozenset(),
    "evidence": frozenset(),
}


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


def slugs(texts: Iterable[str], *, least: int = WHOLE_MIN) -> tuple[str, ...]:
    """Return what ids and files are called that bear one of ``texts`` as a name: ``use-jwt-for-access``.

    Only names of several words, and of ``least`` characters or more.
    """
    short = [text for text in texts if len(text) <= _TITLE_MAX]
    made = {slug(text) for text in short}.union(map(_earlier_slug, short))
    return tuple(sorted(each for each in made if "-" in each and len(each) >= least))


def _earlier_slug(text: str) -> str:
    """Return what a file was called when the marks of letters were left out of names: such files may still be there."""
    cut = _SLUG.sub("-", text.lower()).strip("-").encode("utf-8", "ignore")[:SLUG_MAX_BYTES]
    return cut.decode(errors="ignore").strip("-")


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

    @property
    def people(self) -> tuple[str, ...]:
        """What is taken out of names too: of people, of ontologies, of programs. Only what somebody named."""
        return () if self.id else self.whole

    def concerns(self, text: str) -> bool:
        """Return whether ``text`` (JSON, or plain) may hold anything to take out."""
        lowered = _lowered(text)
        parts = (self.id, *self.whole, *self.aside, *self.relations, *self.sources)
        return any(part and any(form in lowered for form in _forms(part)) for part in parts)

    def text(self, text: str, *, aside: bool = True) -> str:
        """Return ``text`` with what is looked for masked."""
        parts = (*self.whole, *(self.aside if aside else ()))
        return _masked(text, [place for part in parts for place in _places(text, part)])

    def name(self, text: str) -> str:
        """Return the name of somebody, or of where a thing belongs, with what was named masked."""
        return _masked(text, [place for part in self.people for place in _places(text, part)])

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
        """Return the fields of a value of this subject (node, relation, source …) without what is taken out.

        Ids, numbers and times stay as they are, whatever is looked for.
        """
        rid = dict(data) | self._own(subject, data)
        aside = _ASIDE[subject]
        if subject == "source" and data["id"] in self.sources:
            aside = frozenset({"document", "path"})  # what the secret was read from may bear it in its name
        return {name: self._field(subject, name, part, aside) for name, part in rid.items()}

    def _field(self, subject: str, name: str, part: Any, aside: frozenset[str]) -> Any:  # noqa: ANN401 - JSON-ready data
        if name in _SAID[subject]:
            return self.anything(part, aside=name in aside)
        if name in _NAMED[subject]:
            return self.name(part)
        if name == "retired" and part:
            return dict(part) | {"by": self.name(part["by"]), "why": self.text(part["why"])}
        return part

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
    """Yield where ``part`` stands in ``text``, in whatever case; places may overlap."""
    text, part = _lowered(text), _lowered(part)
    at = text.find(part)
    while at >= 0:
        yield at, at + len(part)
        at = text.find(part, at + 1)


def _masked(text: str, places: Iterable[tuple[int, int]]) -> str:
    """Return ``text`` with these places masked, all found before the first is, since they may overlap."""
    for start, end in places:
        text = text[:start] + mask(text[start:end]) + text[end:]
    return text


def _lowered(text: str) -> str:
    """Return ``text`` in small letters, every one where it was."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


@lru_cache(maxsize=1_024)
def _forms(part: str) -> tuple[str, str]:
    """Return how ``part`` may stand in JSON or in a plain text."""
    return _lowered(part), _lowered(_escaped(part))


def _escaped(text: str) -> str:
    """Return ``text`` as it stands inside JSON."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
