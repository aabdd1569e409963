"""From ranked nodes to hits: the matched place, how like it is, why it is there, and what replaced it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from weft.model import Hit
from weft.reason.shared_names import READ_MAX, is_name
from weft.reason.why import (
    adding,
    in_company,
    like_another,
    named_parts,
    rejoined,
    through_graph,
    through_name,
    through_word,
    without_parts,
)
from weft.services.replacing import replacements, superseded_documents
from weft.text import LANGUAGES, bare, empty_words, language, root, snippet, stemmed, terms
from weft.vocabulary import UNRELATED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Near, Node, WordHit
    from weft.ports import Embedder, Store
    from weft.reason.rank import Ranked
    from weft.reason.shared_names import Shared
    from weft.services.search.candidates import Candidates
    from weft.services.search.view import View

__all__ = ["Explaining"]

SNIPPET_MAX: Final = 240  # characters

_WORD: Final = re.compile(r"\w+")
_REACH: Final = 180  # characters within which words stand together in one snippet
_LEAD_IN: Final = 50  # characters shown before the first of them
_LIKE_TOLD: Final = 0.25  # half a deviation more for it
_NAME_TOLD: Final = 0.1  # four tenths of a deviation more for it
_ADDING_TOLD: Final = 1.0  # deviations above the mean of the candidates
_LEAD: Final = 600  # characters of a text that a snippet is taken from where no place in it matched


class Explaining:
    """Says of each hit why it was found."""

    def __init__(self, *, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder

    def hits(
        self, settled: Sequence[tuple[Ranked, Node]], query: str, found: Candidates, seen: View
    ) -> tuple[Hit, ...]:
        """Return a hit for each of these nodes, in the same order."""
        words = _words(query)
        told = _told(settled, words, found, query)
        nodes = [node for _, node in settled]
        replaced = replacements(self._store, nodes, as_of=seen.filter.as_of)
        within = superseded_documents(self._store, nodes) if seen.filter.as_of is None else {}
        seeds = seen.nodes(_seeds(settled, found))
        return tuple(
            Hit(
                node=node,
                snippet=_snippet(node, words, found),
                score=round(place.score, 4),
                similarity=self._similarity(found.cosines.get(node.id)),
                why=self._why(place, node, found, seeds, told[node.id]),
                superseded_by=replaced.get(node.id),
                superseded_document=within.get(node.id),
            )
            for place, node in settled
        )

    def _similarity(self, cosine: float | None) -> float | None:
        return None if cosine is None else round(self._embedder.calibration.similarity(cosine), 4)

    def _why(
        self, place: Ranked, node: Node, found: Candidates, seeds: Mapping[str, Node], words: Sequence[str]
    ) -> tuple[str, ...]:
        why = [*self._found_by(place, found, words)]
        if _is_like(node.id, found):
            why.append(like_another(title=_title(found.resembling[node.id].to, seeds)))
        if approach := found.via.get(node.id):
            why.append(through_graph(approach, title=_title(approach.seed, seeds)))
        if sharing := found.sharing.get(node.id):
            why += self._by_sharing(node, sharing, found, seeds)
        if _adds(node.id, found):
            why.append(adding(title=_title(found.adding[node.id].to, seeds)))
        if company := found.company.get(node.id):
            why.append(in_company(title=_title(company[0], seeds)))
        return tuple(why)

    def _by_sharing(self, node: Node, sharing: Shared, found: Candidates, seeds: Mapping[str, Node]) -> Iterator[str]:
        """Yield what a hit shares with another: a name, or a mere word where that alone has brought it in."""
        title = _title(sharing.seed, seeds)
        texts = [each.content[:READ_MAX] for each in (node, seeds.get(sharing.seed)) if each is not None]
        far = self._is_far(node.id, found)
        if _is_written(sharing.name, f"{node.title}\n{texts[0]}") and is_name(sharing.name, *texts):
            if far or sharing.weight >= _NAME_TOLD:
                yield through_name(sharing, title=title)
        elif far:
            yield through_word(sharing, title=title)

    def _is_far(self, node: str, found: Candidates) -> bool:
        """Return whether nothing but a soft likeness speaks for a hit that shares a word with another."""
        spoken_for = (found.held, found.named, found.via, found.company)
        return not any(node in each for each in spoken_for) and (
            found.cosines.get(node, -1.0) < self._embedder.calibration.cosine(UNRELATED)
        )

    def _found_by(self, place: Ranked, found: Candidates, words: Sequence[str]) -> tuple[str, ...]:
        """Return what speaks for a hit: what was found of a candidate, and what its place says."""
        if place.id in found.cosines or place.id in found.held or place.id in found.named:
            return tuple(dict.fromkeys((*found.why(place.id, self._embedder.calibration, words), *place.why)))
        return place.why


def _is_written(name: str, text: str) -> bool:
    """Return whether each word of ``name`` stands in ``text``.

    Texts are found by roots, and «busy» has that of «Business».
    """
    folded = bare(text).lower()
    return all(word in folded for word in bare(name).lower().split())


def _words(query: str) -> list[tuple[str, str]]:
    """Return the words of ``query`` that mean something, each with its root, or its stem in the query's language."""
    code, empty = language(query), empty_words(query)
    stems = stemmed(query, code) if code in LANGUAGES else {}
    return [
        (word, stems[word].partition("~")[2] if word in stems else root(word))
        for word in terms(query)
        if word not in empty
    ]


def _told(
    settled: Sequence[tuple[Ranked, Node]], words: Sequence[tuple[str, str]], found: Candidates, query: str
) -> dict[str, tuple[str, ...]]:
    """Return the words of ``query`` that each hit holds, as they are told: runs and names whole where they stand so."""
    named, asked = named_parts(query), [word for word, _ in words]
    held = {node.id: without_parts(_held(node, found, asked), named) for _, node in settled}
    accented, empty = _accented(query), empty_words(query)
    return {
        id_: tuple(accented.get(word, word) for word in some if word not in empty or empty.issuperset(some))
        for id_, some in held.items()
    }


def _accented(query: str) -> dict[str, str]:
    """Return the words of ``query`` that have accents, as they are asked, by their terms, which have none."""
    if query.isascii():
        return {}
    accented = [word for word in _WORD.findall(query.lower()) if bare(word) != word]
    return {cut[0]: word for word in accented if len(cut := terms(word)) == 1}


def _seeds(settled: Sequence[tuple[Ranked, Node]], found: Candidates) -> list[str]:
    """Return the nodes that speak for these: by likeness, through the graph, by a name, or beside them in a session."""
    through = [found.resembling[place.id].to for place, _ in settled if _is_like(place.id, found)]
    through += [found.via[place.id].seed for place, _ in settled if place.id in found.via]
    through += [found.sharing[place.id].seed for place, _ in settled if place.id in found.sharing]
    through += [found.adding[place.id].to for place, _ in settled if _adds(place.id, found)]
    return through + [found.company[place.id][0] for place, _ in settled if place.id in found.company]


def _held(node: Node, found: Candidates, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a query that a hit holds, runs whole, where they stand in it as a whole."""
    held = found.held[node.id].terms if node.id in found.held else ()
    if all(map(str.isascii, held)):  # nearly always, and ten times a search
        return held
    return rejoined(held, asked, f"{node.title}\n{node.content}")


def _is_like(node: str, found: Candidates) -> bool:
    """Return whether a hit is so like the best that it stands a good deal higher for it."""
    return node in found.resembling and found.resembling[node].weight >= _LIKE_TOLD


def _adds(node: str, found: Candidates) -> bool:
    """Return whether a hit answers a good deal of the query that what leads to it leaves open."""
    return node in found.adding and found.adding[node].weight >= _ADDING_TOLD


def _title(seed: str, seeds: Mapping[str, Node]) -> str:
    return seeds[seed].title if seed in seeds else seed


def _snippet(node: Node, words: Sequence[tuple[str, str]], found: Candidates) -> str:
    """Return the stretch of a text in which most of ``words`` (each with its root) stand together, or its beginning."""
    if not node.content.strip():
        return node.title
    start, end = _matched(node, found)
    first = start
    if end - start > SNIPPET_MAX:
        region = _flat(node.content[start:end])
        first += _together(region, words) if len(region) == end - start else 0
    last = _cut(node.content, first, end=end)
    shown = snippet(node.content, (), start=first, end=last, limit=SNIPPET_MAX)
    return f"{'…' if first > start else ''}{shown}{'…' if last < end else ''}"


def _flat(passage: str) -> str:
    """Return ``passage`` in lower case, without accents where each character keeps its place: «…» is three of them."""
    flat = bare(passage).lower()
    return flat if len(flat) == len(passage) else passage.lower()


def _cut(content: str, start: int, *, end: int) -> int:
    """Return where a snippet from ``start`` on ends: between words where it must be cut, with room for its marks."""
    limit = start + SNIPPET_MAX - 2
    if end <= limit:
        return end
    space = content.rfind(" ", start + 1, limit)
    return space if space > 0 else limit


def _matched(node: Node, found: Candidates) -> tuple[int, int]:
    """Return the place that matched: where the words stand, else the nearest passage, else the beginning.

    Mode keyword finds nodes and no places in them: the whole text is looked through.
    """
    length = len(node.content)
    places: tuple[WordHit | Near | None, ...] = (found.held.get(node.id), found.near.get(node.id))
    for place in places:
        if place is not None and place.start < place.end <= length:
            return place.start, place.end
    return 0, min(length, _LEAD) if node.id in found.cosines else length


def _place(region: str, word: str, stem: str) -> int:
    """Return where ``word`` or another form of it first stands, or -1."""
    place = region.find(word)
    return place if place >= 0 else region.find(stem)


def _together(region: str, words: Sequence[tuple[str, str]]) -> int:
    """Return where a snippet of ``region``, in lower case, begins: before most of ``words`` stand together."""
    places = [place for word, stem in words if (place := _place(region, word, stem)) >= 0]
    if not places:
        return 0
    best = max(places, key=lambda place: (sum(0 <= other - place < _REACH for other in places), -place))
    return region.rfind(" ", 0, best - _LEAD_IN) + 1 if best > _LEAD_IN else 0
