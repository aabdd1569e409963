"""Automatic relations of a new node: the seven rules and the table of kind pairs, over candidates from indexes only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from weft import text
from weft.identity import new_id
from weft.model import Filter, Linking, Origin, Page, Relation, Status
from weft.reason import infer, pair
from weft.reason.heading import HEADER_FIELD
from weft.reason.namesake import namesakes
from weft.reason.telling import TOLD
from weft.reason.version import succession
from weft.services import suggesting
from weft.services.capture.belonging import Company
from weft.services.capture.citations import Said, cited, said, speaks
from weft.services.capture.comparing import other_versions
from weft.services.capture.questioning import belonging, ends, questions, surest
from weft.vocabulary import AUTO_CREATE_FLOOR, AUTO_RELATIONS_MAX, CANDIDATES_MAX, PAIR_CANDIDATES_MAX, REASONABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from weft.model import Call, Node, RelationGuess, SaveMentions, Suggestion
    from weft.ports import Intent, Shelf, Store
    from weft.reason.finding import Finding
    from weft.services.nearness import Neighbour

__all__ = ["Linker", "Links"]

_SESSION: Final = "session"

# How many nodes of each provenance the rules are tried on; each costs about a tenth of a millisecond.
_NAMED_TRIED: Final = 12
_SHARING_TRIED: Final = 8
_NEAR_TRIED: Final = 8
_SESSIONS_TRIED: Final = 8

_READ_MAX: Final = 2_000  # characters of a node whose words are looked for

_POPULARITY_MAX: Final = 60
"""Relations counted of a node that may be popular: with so many, not even a near-duplicate passes the floor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """What linking found: relations to make, suggestions for what a rule does not make by itself, and guesses.

    ``titles`` are those of the nodes that rules were tried on, by id. ``outdated`` are the standing nodes that another
    takes the place of by one of the relations, as an author stated it; the new node may be one. ``replacing`` are the
    ids of others of which a text says, in a line made for it or in prose, that one of the two takes the other's place.
    """

    relations: tuple[Relation, ...] = ()
    outdated: tuple[Node, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    suggestions: tuple[Suggestion, ...] = ()
    guesses: tuple[RelationGuess, ...] = ()
    replacing: frozenset[str] = frozenset()

    def without_suggestions_on(self, ids: frozenset[str]) -> Links:
        """Return these links without what is suggested about ``ids``: a weightier question is open about them."""
        return replace(self, suggestions=tuple(each for each in self.suggestions if ids.isdisjoint(each.subjects)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What was found beside a new node, which the rules are tried on.

    ``near`` are the nearest by meaning and ``mentions`` who names it or is named. ``recalled`` are nodes that its title
    and tags bring to mind, with their similarities: the table of kind pairs is tried on them too. ``company`` are those
    that it belongs with. ``guessed``: its kind was, by its wording or not surely.
    """

    near: Sequence[Neighbour]
    mentions: SaveMentions
    recalled: Sequence[tuple[Node, float]] = ()
    company: Company = field(default_factory=Company)
    guessed: bool = False


class Linker:
    """Finds the relations of a new node. ``floor``: under this confidence (0..1) no rule makes a relation by itself."""

    def __init__(self, *, store: Store, shelf: Shelf, intent: Intent, floor: float = AUTO_CREATE_FLOOR) -> None:
        self._store = store
        self._shelf = shelf
        self._intent = intent
        self._floor = floor

    def link(
        self,
        node: Node,
        beside: Beside,
        call: Call,
        *,
        stated: frozenset[tuple[str, str, str]] = frozenset(),
        by: Linking = Linking.BOTH,
    ) -> Links:
        """Return the automatic relations of ``node``, which is not stored yet, and the suggested ones.

        ``stated`` are the (source, target, type) that the caller asked for; they are not found a second time. Of a
        pair and type the first that creates wins; at most ``AUTO_RELATIONS_MAX`` are made, the surest, and at most
        five suggested (:mod:`weft.services.capture.questioning`). Unless only the rules are asked for, nothing is
        concluded from a kind that was guessed and not confirmed.
        """
        if by is Linking.NONE:
            return Links()
        others = self._candidates(node, beside, by)
        company = beside.company
        heard, meant = self._heard(node, others, beside) if by is Linking.BOTH else (Said(), {})
        doubted = self._doubted(node, beside, others) if by is Linking.BOTH else frozenset()
        tried = () if by is Linking.RULES else _tried(node, beside, others, doubted)
        ruled = () if by is Linking.PAIRS else infer.infer(node, others.values(), floor=self._floor, doubted=doubted)
        kin = other_versions(node, beside.near) if by is Linking.BOTH else ()
        following = _following(node, kin, beside.near) if by is Linking.BOTH else ()
        best = _best([*ruled, *self._paired(node, tried, doubted), *heard.findings, *following], stated)
        made = [finding for finding in best if finding.action == "create"][:AUTO_RELATIONS_MAX]
        known = {**company.nodes, **others, **meant, **{each.id: each for each, _, _ in tried}, node.id: node}
        joined = (*map(ends, made), *(frozenset(each[:2]) for each in stated), *_pairs(node, kin))
        beyond = {id_ for pair in (*map(ends, best), *_pairs(node, kin)) for id_ in pair}
        similar = {each.node.id: each.similarity for each in beside.near}
        asked = [*questions(best, joined, known, similar=similar, by=by), *belonging(node, company, beyond)]
        titles = {id_: each.title for id_, each in known.items()}
        return Links(
            relations=tuple(_relation(finding, call) for finding in made),
            outdated=tuple(_outdated(made, known)),
            titles=titles,
            suggestions=tuple(suggesting.relation(each, titles, call) for each in surest(asked)),
            guesses=heard.guesses,
            replacing=frozenset(id_ for each in best if _says_replaced(each) for id_ in ends(each)) - {node.id},
        )

    def _heard(self, node: Node, others: Mapping[str, Node], beside: Beside) -> tuple[Said, Mapping[str, Node]]:
        """Return what ``node`` and others say of one another, and which others."""
        known = {**beside.company.nodes, **others}
        meant = cited(self._store, self._shelf, node, known)
        if not (meant or beside.mentions.incoming or speaks(node)):
            return Said(), {}
        meant = {**known, **meant}
        heard = said(node, tuple(meant.values()), beside.company, self._intent.read)
        return replace(heard, findings=tuple(_under(each, self._floor) for each in heard.findings)), meant

    def _doubted(self, node: Node, beside: Beside, others: Mapping[str, Node]) -> frozenset[str]:
        """Return the ids of those whose kinds would be concluded from, but were guessed and not confirmed."""
        met = {**others, **{each.node.id: each.node for each in beside.near}}
        asked = (each for each in met.values() if infer.concludes(node, each) or pair.concludes(node, each))
        found = suggesting.doubted(self._store, asked)
        return found | {node.id} if beside.guessed else found

    def _candidates(self, node: Node, beside: Beside, by: Linking) -> dict[str, Node]:
        """Return the nodes the rules are tried on: named here, naming this one, sharing something, or near."""
        sessions = {each.id: each for each in self._sessions(node, by)}
        known = sessions | {each.node.id: each.node for each in beside.near}
        named = [
            *(mention.target for mention in beside.mentions.outgoing),
            *(mention.node for mention in beside.mentions.incoming),
        ]
        sharing = self._shelf.sharing(node, limit=CANDIDATES_MAX if node.kind == _SESSION else _SHARING_TRIED)
        wanted = dict.fromkeys((*named[:_NAMED_TRIED], *sharing, *list(known)[: _NEAR_TRIED + len(sessions)]))
        wanted.pop(node.id, None)
        known |= self._store.nodes([each for each in wanted if each not in known])
        return {each: known[each] for each in wanted if each in known and known[each].retired is None}

    def _sessions(self, node: Node, by: Linking) -> tuple[Node, ...]:
        """Return the nodes that stand for the session ``node`` was written in: among many of one session, the one."""
        if not node.session or node.kind == _SESSION:
            return ()
        found = self._store.find(Filter(kinds=(_SESSION,), session=node.session), Page(limit=_SESSIONS_TRIED)).nodes
        doubted = suggesting.doubted(self._store, found) if by is Linking.BOTH else frozenset()
        return tuple(each for each in found if each.id not in doubted)[:1]

    def _paired(
        self, node: Node, tried: Sequence[tuple[Node, float | None, bool]], doubted: frozenset[str]
    ) -> tuple[Finding, ...]:
        """Return what the table makes of ``tried``; only where it makes something are popular nodes looked for."""
        if not pair.pairs(node, tried, popularity={}, doubted=doubted):
            return ()
        joined = self._store.relations([other.id for other, _, _ in tried], per_node=_POPULARITY_MAX)
        popularity = Counter(end for relation in joined for end in (relation.source, relation.target))
        return pair.pairs(node, tried, popularity=popularity, doubted=doubted)


def _following(node: Node, kin: Sequence[Node], near: Sequence[Neighbour]) -> tuple[Finding, ...]:
    """Return which of two with one title takes the other's place: the later version, or the later number."""
    alike = (each.node for each in near if each.similarity >= REASONABLE)
    return (*succession(node, kin), *namesakes(node, alike))


def _pairs(node: Node, others: Iterable[Node]) -> Iterator[frozenset[str]]:
    return (frozenset((node.id, each.id)) for each in others)


def _best(findings: Sequence[Finding], stated: frozenset[tuple[str, str, str]]) -> list[Finding]:
    """Return of each pair and type, unless it was asked for, what creates, then the surest; in that order."""
    best: dict[tuple[str, str, str], Finding] = {}
    for finding in sorted(findings, key=lambda each: (each.action != "create", -each.confidence)):
        key = (finding.source_id, finding.target_id, finding.type)
        if key not in stated:
            best.setdefault(key, finding)
    return list(best.values())


def _says_replaced(finding: Finding) -> bool:
    return finding.type == "supersedes" and finding.rule in {HEADER_FIELD, TOLD}


def _under(finding: Finding, floor: float) -> Finding:
    return finding if finding.confidence >= floor else replace(finding, action="suggest")


def _tried(
    node: Node, beside: Beside, others: dict[str, Node], doubted: frozenset[str]
) -> tuple[tuple[Node, float | None, bool], ...]:
    """Return what the table is tried on, best first: similar nodes of other kinds, then who shares words and a tag.

    Of two similarities the higher counts. Nodes that the table would refuse anyway are left out here, so that they
    take no place from others.
    """
    similar: dict[str, tuple[Node, float]] = {}
    for other, similarity in (*((each.node, each.similarity) for each in beside.near), *beside.recalled):
        if (
            pair.could_pair(node, other, similarity, doubted=doubted)
            and similarity > similar.get(other.id, (other, 0.0))[1]
        ):
            similar[other.id] = (other, similarity)
    found = sorted(similar.values(), key=lambda each: (-each[1], each[0].id))
    worded = _worded(node, [other for other in others.values() if other.id not in similar])
    alike = ((other, similarity, False) for other, similarity in found)
    return (*alike, *((other, None, True) for other in worded))[:PAIR_CANDIDATES_MAX]


_WORDS_HELD: Final = 2
"""Words of a title that another text must hold: one of them, «token» or «tests», stands in half of a team's notes."""


def _worded(node: Node, others: Sequence[Node]) -> list[Node]:
    """Return those of ``others`` that match by words: of another kind, with a shared tag and words of the title."""
    tags = {text.fold(tag) for tag in node.tags}
    words = frozenset(text.terms(node.title)) - text.empty_words(f"{node.title}\n{node.content[:_READ_MAX]}")
    held = {
        other.id: len(words.intersection(text.terms(f"{other.title}\n{other.content[:_READ_MAX]}")))
        for other in others
        if other.kind != node.kind and tags.intersection(text.fold(tag) for tag in other.tags)
    }
    least = min(_WORDS_HELD, len(words))
    return sorted(
        (each for each in others if words and held.get(each.id, 0) >= least), key=lambda each: (-held[each.id], each.id)
    )


def _outdated(made: Sequence[Finding], known: Mapping[str, Node]) -> Iterator[Node]:
    """Yield whose place another takes by an author's own line; what is found in prose rewrites nothing."""
    ended = (each.target_id for each in made if each.type == "supersedes" and each.rule == HEADER_FIELD)
    for id_ in dict.fromkeys(ended):
        if known[id_].status is not Status.SUPERSEDED:
            yield known[id_]


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
