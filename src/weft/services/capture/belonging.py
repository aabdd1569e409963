"""Which nodes a new one likely belongs with: those near it, those of the same rare words, those named and naming.

Words are asked only of texts of more than one passage, and mostly while these are embedded: what a short note belongs
with, its nearest say, and to read those would cost more than storing it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from weft.model import Filter, RelatedNode
from weft.reason.affinity import Signs, affinities, believed, brief, counted, covered, overlap, shared
from weft.reason.referring import GUESS
from weft.services.bags import Worded, bags, counts_of, spelled, telling_words, worded, worded_nodes
from weft.services.nearness import mean
from weft.vocabulary import REASONABLE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from weft.model import Node, Passage, RelationGuess, SaveMentions
    from weft.ports import Store, Vectors, Words
    from weft.reason.affinity import Bag
    from weft.services.nearness import Neighbour

__all__ = ["Ahead", "Belonging", "Company", "guessed"]

_SHORT_MAX: Final = 900  # characters: the most that one passage holds
_OWN_READ: Final = 20_000  # characters of the new text whose words are counted
_READ_SHARE: Final = 10  # characters read of all candidates, for each that the text has: a tenth of embedding it
_SPELLED_IN: Final = _OWN_READ  # characters in which the spelling of its words is looked for: all that are counted
_BY_WORDS: Final = 15
_NAMED_MAX: Final = 12
_SHOWN_MAX: Final = 5
_SHOWN_FROM: Final = 0.05  # confidence under which nothing is shown
_WORDS_SHOWN: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """What was read while the text was embedded: its own words, how they are spelled, and candidates with theirs.

    ``titles`` are the words of each title, its own among them, by their roots.
    """

    own: Bag
    spelled: Mapping[str, str]
    read: Worded
    titles: Mapping[str, Collection[str]]
    characters_max: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """The candidates, what speaks for each, how far each belongs, the likeliest first, and those that are shown."""

    nodes: Mapping[str, Node] = field(default_factory=dict)
    signs: Mapping[str, Signs] = field(default_factory=dict)
    affinities: Mapping[str, float] = field(default_factory=dict)
    related: tuple[RelatedNode, ...] = ()


class Belonging:
    """Looks for what a new node belongs with."""

    def __init__(self, *, store: Store, words: Words, vectors: Vectors) -> None:
        self._store = store
        self._words = words
        self._vectors = vectors

    def ahead(self, node: Node, mentions: SaveMentions) -> Ahead | None:
        """Return what can be read before ``node`` has vectors, or None where one passage holds its text."""
        if len(node.content) <= _SHORT_MAX:
            return None
        own = bags(self._words, {node.id: counts_of(node, _OWN_READ)})[node.id]
        spelling = spelled(f"{node.title}\n{node.content[:_SPELLED_IN]}")
        hits = self._words.search(telling_words(own, spelling), filter=Filter(), limit=_BY_WORDS)
        found = dict.fromkeys((*_ends(mentions), *(hit.node for hit in hits)))
        most = _READ_SHARE * len(node.content)
        read = worded(self._store, self._words, list(found), characters_max=most)
        titles = _titles({node.id: node, **read.nodes})
        return Ahead(own=own, spelled=spelling, read=read, titles=titles, characters_max=most)

    def company(
        self,
        node: Node,
        passages: Sequence[Passage],
        *,
        ahead: Ahead | None,
        near: Sequence[Neighbour],
        mentions: SaveMentions,
    ) -> Company:
        """Return the candidates for ``node`` of these ``passages``, which need not be stored, ranked.

        Of a text of one passage (``ahead`` is None) those that lie at a similarity of 0.70 at least, or are named.
        """
        if ahead is None:
            return self._brief(near, mentions)
        late = {each.node.id: each.node for each in near if each.node.id not in ahead.read.nodes}
        read = worded_nodes(self._words, late, characters_max=ahead.characters_max)
        nodes, held = {**ahead.read.nodes, **read.nodes}, {**ahead.read.bags, **read.bags}
        own = mean([passage.vector for passage in passages])
        titles = {**ahead.titles, **_titles(read.nodes)}
        vectors = self._vectors.of(list(nodes))
        signs = {
            id_: replace(
                _named(id_, mentions),
                words=overlap(ahead.own, held[id_]),
                titles=covered(titles[node.id], ahead.own, held[id_]) + covered(titles[id_], held[id_], ahead.own),
                meaning=float(own @ mean(vectors[id_])) if len(vectors.get(id_, ())) else 0.0,
            )
            for id_ in nodes
            if id_ != node.id
        }
        ranked = affinities(signs)
        sure = {id_: round(believed(affinity), 2) for id_, affinity in islice(ranked.items(), _SHOWN_MAX)}
        related = tuple(
            RelatedNode(
                id=id_,
                title=nodes[id_].title,
                confidence=confidence,
                why=_why(signs[id_], shared(ahead.own, held[id_], _WORDS_SHOWN), ahead.spelled),
            )
            for id_, confidence in sure.items()
            if confidence >= _SHOWN_FROM
        )
        return Company(nodes=nodes, signs=signs, affinities=ranked, related=related)

    def _brief(self, near: Sequence[Neighbour], mentions: SaveMentions) -> Company:
        """Return those that lie at a similarity of 0.70 at least, or are named; likeness and names decide alone."""
        ends = _ends(mentions)
        close = {each.node.id: each for each in near if each.similarity >= REASONABLE or each.node.id in ends}
        if not close and not ends:
            return _NOBODY
        others = [end for end in ends if end not in close]
        nodes = {id_: each.node for id_, each in close.items()}
        nodes |= (
            {id_: each for id_, each in self._store.nodes(others).items() if each.retired is None} if others else {}
        )
        found = {id_: brief(close[id_].similarity if id_ in close else 0.0, ends.count(id_)) for id_ in nodes}
        ranked = dict(sorted(found.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN_MAX])
        return Company(
            nodes=nodes,
            affinities=ranked,
            related=tuple(
                RelatedNode(
                    id=id_,
                    title=nodes[id_].title,
                    confidence=round(believed(affinity), 2),
                    why="one names the other" if id_ in ends else "close in meaning",
                )
                for id_, affinity in ranked.items()
            ),
        )


_NOBODY: Final = Company()


def _titles(nodes: Mapping[str, Node]) -> dict[str, Collection[str]]:
    return {id_: counted(node.title) for id_, node in nodes.items()}


def _named(id_: str, mentions: SaveMentions) -> Signs:
    names = any(mention.target == id_ for mention in mentions.outgoing)
    return Signs(names=names, named=any(mention.node == id_ for mention in mentions.incoming))


def guessed(company: Company, node: str, guesses: Sequence[RelationGuess]) -> Company:
    """Return ``company`` with what each shown node and ``node`` may be to each other, the likeliest first.

    Of each type the likeliest of all is told, however unlikely; of the rest those from ``GUESS`` on.
    """
    shown = {each.id for each in company.related}
    about = [each for each in guesses if not shown.isdisjoint((each.source, each.target))]
    first: set[str] = set()
    told: dict[str, list[RelationGuess]] = {}
    for guess in sorted(about, key=lambda each: -each.confidence):
        if guess.confidence >= GUESS or guess.type not in first:
            told.setdefault(guess.target if guess.source == node else guess.source, []).append(guess)
            first.add(guess.type)
    if not told:
        return company
    related = tuple(replace(each, guesses=tuple(told.get(each.id, ()))) for each in company.related)
    return replace(company, related=related)


def _ends(mentions: SaveMentions) -> list[str]:
    """Return whom the text names and who names it, a bounded number of each; who does both is there twice."""
    named = [mention.target for mention in mentions.outgoing[:_NAMED_MAX]]
    return [*named, *(mention.node for mention in mentions.incoming[:_NAMED_MAX])]


def _why(signs: Signs, words: Sequence[str], spelled: Mapping[str, str]) -> str:
    said = (
        "named in the text" if signs.names else "",
        "its text names this" if signs.named else "",
        f"rare words in both: {', '.join(spelled.get(word, word) for word in words)}" if words else "",
    )
    return "; ".join(filter(None, said)) or "close in meaning"
