"""Automatic relations of a new node: the seven rules and the table of kind pairs, over candidates from indexes only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft import text
from weft.identity import new_id
from weft.model import Filter, Linking, Origin, Page, Relation
from weft.reason.infer import could_pair, infer, pairs
from weft.reason.referring import NAMED_MAX, refer, references, spellings
from weft.services import suggesting
from weft.vocabulary import AUTO_CREATE_FLOOR, AUTO_RELATIONS_MAX, CANDIDATES_MAX, PAIR_CANDIDATES_MAX, SUGGEST_FLOOR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.model import Call, Node, SaveMentions, Suggestion
    from weft.ports import Shelf, Store
    from weft.reason.infer import Finding
    from weft.services.nearness import Neighbour

__all__ = ["Linker", "Links"]

_SESSION: Final = "session"

# How many nodes of each provenance the rules are tried on; each costs about a tenth of a millisecond.
_NAMED_TRIED: Final = 12
_SHARING_TRIED: Final = 8
_NEAR_TRIED: Final = 8

_READ_MAX: Final = 2_000  # characters of a node whose words are looked for
_SUGGESTED_MAX: Final = 5
"""Relations suggested by one capture, the surest: who reviews reads them one by one."""

_POPULARITY_MAX: Final = 60
"""Relations counted of a node that may be popular: with so many, not even a near-duplicate passes the floor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """What linking found: relations to make, and suggestions for what a rule does not make by itself."""

    relations: tuple[Relation, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()

    def without_suggestions_on(self, ids: frozenset[str]) -> Links:
        """Return these links without what is suggested about ``ids``: a weightier question is open about them."""
        return replace(self, suggestions=tuple(each for each in self.suggestions if ids.isdisjoint(each.subjects)))


class Linker:
    """Finds the relations of a new node. ``floor``: under this confidence (0..1) no rule makes a relation by itself."""

    def __init__(self, *, store: Store, shelf: Shelf, floor: float = AUTO_CREATE_FLOOR) -> None:
        self._store = store
        self._shelf = shelf
        self._floor = floor

    def link(
        self,
        node: Node,
        *,
        near: Sequence[Neighbour],
        mentions: SaveMentions,
        stated: frozenset[tuple[str, str, str]],
        call: Call,
        by: Linking = Linking.BOTH,
        recalled: Sequence[tuple[Node, float]] = (),
    ) -> Links:
        """Return the automatic relations of ``node``, which is not stored yet, and the suggested ones.

        ``recalled`` are nodes that its title and tags bring to mind, with their similarities: the table of kind pairs
        is tried on them too.

        ``stated`` are the (source, target, type) that the caller asked for; they are not found a second time. Of a
        pair and type the first that creates wins; at most ``AUTO_RELATIONS_MAX`` are made, the surest, and at most
        five suggested.
        """
        if by is Linking.NONE:
            return Links()
        others = self._candidates(node, near, mentions)
        cited = others | self._cited(node, others) if by is Linking.BOTH else {}
        tried = () if by is Linking.RULES else _tried(node, near, recalled, others)
        ruled = () if by is Linking.PAIRS else infer(node, others.values(), floor=self._floor)
        findings = [*ruled, *self._paired(node, tried), *refer(node, tuple(cited.values()))]
        best: dict[tuple[str, str, str], Finding] = {}
        for finding in sorted(findings, key=lambda each: (each.action != "create", -each.confidence)):
            key = (finding.source_id, finding.target_id, finding.type)
            if key not in stated:
                best.setdefault(key, finding)
        titles = {
            other.id: other.title for other in (node, *(others | cited).values(), *(each for each, _, _ in tried))
        }
        made = [finding for finding in best.values() if finding.action == "create"][:AUTO_RELATIONS_MAX]
        asked_from = 0.0 if by is Linking.RULES else SUGGEST_FLOOR  # alone, the rules ask from their own figures on
        asked = [each for each in best.values() if each.action == "suggest" and each.confidence >= asked_from]
        return Links(
            relations=tuple(_relation(finding, call) for finding in made),
            suggestions=tuple(suggesting.relation(finding, titles, call) for finding in asked[:_SUGGESTED_MAX]),
        )

    def _candidates(self, node: Node, near: Sequence[Neighbour], mentions: SaveMentions) -> dict[str, Node]:
        """Return the nodes the rules are tried on: named here, naming this one, sharing something, or near."""
        sessions = {each.id: each for each in self._sessions(node)}
        known = sessions | {each.node.id: each.node for each in near}
        named = [
            *(mention.target for mention in mentions.outgoing),
            *(mention.node for mention in mentions.incoming),
        ]
        sharing = self._shelf.sharing(node, limit=CANDIDATES_MAX if node.kind == _SESSION else _SHARING_TRIED)
        wanted = dict.fromkeys((*named[:_NAMED_TRIED], *sharing, *list(known)[: _NEAR_TRIED + len(sessions)]))
        wanted.pop(node.id, None)
        known |= self._store.nodes([each for each in wanted if each not in known])
        return {each: known[each] for each in wanted if each in known and known[each].retired is None}

    def _cited(self, node: Node, others: Mapping[str, Node]) -> dict[str, Node]:
        """Return the nodes that the text of ``node`` names by number and that are not among ``others``."""
        named = references(node.content)
        if not named:
            return {}
        written = "\n\n".join(spelling for name in named for spelling in spellings(name))
        found = (each.target for each in self._shelf.named_in(written, limit=NAMED_MAX))
        cited = self._store.nodes([each for each in found if each not in others and each != node.id])
        return {each.id: each for each in cited.values() if each.retired is None}

    def _sessions(self, node: Node) -> tuple[Node, ...]:
        """Return the nodes that stand for the session ``node`` was written in: among many of one session, the one."""
        if not node.session or node.kind == _SESSION:
            return ()
        return self._store.find(Filter(kinds=(_SESSION,), session=node.session), Page(limit=1)).nodes

    def _paired(self, node: Node, tried: Sequence[tuple[Node, float | None, bool]]) -> tuple[Finding, ...]:
        """Return what the table makes of ``tried``; only where it makes something are popular nodes looked for."""
        if not pairs(node, tried, popularity={}):
            return ()
        joined = self._store.relations([other.id for other, _, _ in tried], per_node=_POPULARITY_MAX)
        popularity = Counter(end for relation in joined for end in (relation.source, relation.target))
        return pairs(node, tried, popularity=popularity)


def _tried(
    node: Node, near: Sequence[Neighbour], recalled: Sequence[tuple[Node, float]], others: dict[str, Node]
) -> tuple[tuple[Node, float | None, bool], ...]:
    """Return what the table is tried on, best first: similar nodes of other kinds, then who shares words and a tag.

    Of two similarities the higher counts. Nodes that the table would refuse anyway are left out here, so that they
    take no place from others.
    """
    similar: dict[str, tuple[Node, float]] = {}
    for other, similarity in (*((each.node, each.similarity) for each in near), *recalled):
        if could_pair(node, other, similarity) and similarity > similar.get(other.id, (other, 0.0))[1]:
            similar[other.id] = (other, similarity)
    found = sorted(similar.values(), key=lambda pair: (-pair[1], pair[0].id))
    worded = _worded(node, [other for other in others.values() if other.id not in similar])
    alike = ((other, similarity, False) for other, similarity in found)
    return (*alike, *((other, None, True) for other in worded))[:PAIR_CANDIDATES_MAX]


def _worded(node: Node, others: Sequence[Node]) -> list[Node]:
    """Return those of ``others`` that match by words: of another kind, with a shared tag and words of the title."""
    tags = {text.fold(tag) for tag in node.tags}
    words = frozenset(text.terms(node.title)) - text.STOP_WORDS
    held = {
        other.id: len(words.intersection(text.terms(f"{other.title}\n{other.content[:_READ_MAX]}")))
        for other in others
        if other.kind != node.kind and tags.intersection(text.fold(tag) for tag in other.tags)
    }
    return sorted((each for each in others if held.get(each.id)), key=lambda each: (-held[each.id], each.id))


def _relation(finding: Finding, call: Call) -> Relation:
    return Relation(
        id=new_id(call.at),
        source=finding.source_id,
        target=finding.target_id,
        type=finding.type,
        reasoning=finding.reasoning,
        confidence=finding.confidence,
        origin=Origin.INFERRED,
        rule=finding.rule,
        scores=finding.scores,
        created_at=call.at,
        created_by=call.actor,
    )
