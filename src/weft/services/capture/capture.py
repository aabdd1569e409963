"""Capturing knowledge: classified, compared, related and stored in one transaction; changing it; forgetting it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from weft import text
from weft.errors import WeftError
from weft.identity import new_id
from weft.model import (
    Captured,
    Classification,
    Linking,
    Node,
    SaveMentions,
    SaveNode,
    SaveRelation,
    SaveSuggestion,
    Status,
)
from weft.reason.heading import stated
from weft.services import drafting, suggesting
from weft.services.capture.belonging import Ahead, Belonging, Company, guessed
from weft.services.capture.classifying import Classifier, given_confidence
from weft.services.capture.comparing import NEAR_MAX, Compared, compare, differing, explaining, read_ahead
from weft.services.capture.linking import Beside, Linker, Links
from weft.services.capture.pairing import Pairing
from weft.services.capture.revising import Reviser
from weft.services.capture.wishes import Wishes, wishes
from weft.services.forgetting import forget
from weft.services.mentioning import mentions
from weft.services.nearness import neighbours
from weft.services.passages import embed
from weft.services.planning import Plan, settle
from weft.services.relating import superseding
from weft.services.seconding import Seconded
from weft.services.staleness.watch import Findings
from weft.vocabulary import AUTO_CREATE_FLOOR, CONFIDENT, IMPORTANCE, SESSION_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from concurrent.futures import Future

    from weft.model import (
        Call,
        CaptureRequest,
        FilePrint,
        Forgotten,
        Operation,
        Passage,
        Suggestion,
        Updated,
        UpdateRequest,
    )
    from weft.services.capture.pairing import Reminder
    from weft.services.capture.ports import CapturePorts
    from weft.services.nearness import Neighbour
    from weft.services.staleness.watch import Watch

__all__ = ["Capture"]

_ASIDE_MAX: Final = 4
"""Captures whose texts are looked into while they are embedded: embedding holds no lock of Python's."""

_SAME: Final = 0.99  # the similarity from which there may be more of the very same text than were looked at
_TWINS_MAX: Final = 20  # nodes of one title that are looked at for the very same text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A capture that is ready to be planned: the clean request, the node it makes, and what was thought beforehand.

    ``name`` is the title, folded, if one was given, and empty if it was taken from the text. ``named`` are the
    mentions, looked up since the embedding began, with what was read of a long text's candidates meanwhile.
    ``prints`` are taken of the files it refers to, and ``reminder`` is what title and tags bring to mind, looked up
    where only the table of kind pairs links: it costs 2 ms.
    """

    request: CaptureRequest
    name: str
    node: Node
    passages: tuple[Passage, ...]
    classification: Classification
    named: Future[tuple[SaveMentions, Ahead | None]]
    reminder: Future[Reminder] | None
    prints: Future[tuple[FilePrint, ...]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Around:
    """What was found around a new node; ``trouble`` says why it is not all."""

    near: tuple[Neighbour, ...] = ()
    compared: Compared = field(default_factory=Compared)
    mentions: SaveMentions | None = None
    company: Company = field(default_factory=Company)
    links: Links = field(default_factory=Links)
    trouble: str = ""


class Capture:
    """Writes nodes. ``home`` is the ontology of what names none: the graph's name; ``watch`` looks at files.

    ``floor`` is the confidence (0..1) under which no rule makes a relation by itself.
    """

    def __init__(
        self, ports: CapturePorts, *, home: str, watch: Watch | None = None, floor: float = AUTO_CREATE_FLOOR
    ) -> None:
        store, shelf, words, vectors, embedder = ports.store, ports.shelf, ports.words, ports.vectors, ports.embedder
        self._store = store
        self._shelf = shelf
        self._words = words
        self._vectors = vectors
        self._embedder = embedder
        self._judge = Seconded(ports.entailment)
        self._home = home
        self._watch = watch
        self._aside = ThreadPoolExecutor(_ASIDE_MAX, thread_name_prefix="weft-capture")
        self._classifier = Classifier(store=store, embedder=embedder)
        self._linker = Linker(store=store, shelf=shelf, intent=ports.intent, floor=floor)
        self._belonging = Belonging(store=store, words=words, vectors=vectors)
        self._pairing = Pairing(store=store, vectors=vectors, embedder=embedder)
        self._reviser = Reviser(ports, watch=watch)

    def capture(self, request: CaptureRequest, call: Call) -> Captured:
        """Store a new node with its relations, mentions and suggestions, in one transaction.

        The very same text in the same ontology is answered with the node that holds it (``existing``), and nothing is
        written but wished relations it does not have yet: the same text is one whose :func:`weft.text.digest` is the
        same, under the same title or captured without naming one; another title given on purpose makes another node,
        the kind does not matter. What else was given with it is not taken, and told (``untaken``). Automatic relations
        carry origin ``inferred``; undoing ``BATCH:links`` takes them back and leaves the node. Finding them never fails
        a capture: what went wrong is told in ``link_error``. A node whose place another takes, as one of the two
        states, is superseded from then on.

        Files that it refers to are watched from now on. Where the channel is hook_file_change, other nodes of the same
        files are looked at, and those that the files have outrun are marked (``outdated``).

        Raises:
            InvalidArgument: a value is malformed or out of bounds, or a wished relation would join the node to itself.
            NotFound, Ambiguous: the target of a wished relation; nothing is written.
            Unavailable: the text could not be embedded.
        """
        draft = self._draft(
            drafting.capture_request(request, self._store.vocabulary), call, name=text.fold(request.title)
        )
        return settle(self._store, call, lambda batch: self._plan(draft, call, batch))

    def update(self, request: UpdateRequest, call: Call) -> Updated:
        """Change the named fields of a node; see :meth:`weft.services.capture.revising.Reviser.update`."""
        return self._reviser.update(request, call)

    def forget(self, id: str, call: Call, *, reason: str = "", confirm: bool = False) -> Forgotten:  # noqa: A002
        """Retire a node and what hangs on it, or preview that; see :func:`weft.services.forgetting.forget`."""
        return forget(self._store, self._shelf, id, call, reason=reason, confirm=confirm)

    def _draft(self, request: CaptureRequest, call: Call, *, name: str) -> _Draft:
        node = Node(
            id=new_id(call.at),
            kind=request.kind,
            title=request.title,
            content=request.content,
            ontology=request.ontology or self._home,
            tags=request.tags,
            search_terms=request.search_terms,
            aliases=request.aliases,
            references=request.references,
            citation=request.citation,
            importance=IMPORTANCE if request.importance is None else request.importance,
            session=drafting.line(call.session, field="session", limit=SESSION_MAX),
            channel=request.channel,
            created_at=call.at,
            created_by=call.actor,
            modified_at=call.at,
            modified_by=call.actor,
        )
        named = self._aside.submit(self._aside_of_embedding, node, request)
        reminder = self._aside.submit(self._pairing.remind, node) if request.linking is Linking.PAIRS else None
        prints = self._aside.submit(self._watch.taken, node.id, node.references) if self._watch else None
        (passages,) = embed((node,), self._embedder)
        found = self._classifier.classify(request, passages)
        node = replace(node, kind=found.kind, confidence=_confidence(request, found))
        return _Draft(
            request=request,
            name=name,
            node=node,
            passages=passages,
            classification=found,
            named=named,
            reminder=reminder,
            prints=prints,
        )

    def _aside_of_embedding(self, node: Node, request: CaptureRequest) -> tuple[SaveMentions, Ahead | None]:
        """Return the mentions of ``node``, and read its text for the comparison, while its vectors are made."""
        found = mentions(self._shelf, self._words, node)
        self._classifier.read_ahead(request)
        read_ahead(node.content)
        stated(node.content)  # remembered
        return found, self._belonging.ahead(node, found) if request.linking is Linking.BOTH else None

    def _plan(self, draft: _Draft, call: Call, batch: str) -> Plan[Captured]:
        wanted = wishes(self._store, draft.node, draft.request.relations, call)
        around = self._around(draft, wanted, call)
        twin = self._twin(draft, around.near)
        if twin is not None:
            return self._known(twin, draft, call, batch)
        suggestions = (*_doubt(draft, call), *around.compared.suggestions, *around.links.suggestions)
        node, marks = _outdating(draft.node, around.links, call)
        saved = _saved((*wanted.operations, *marks))
        files = self._files(draft, saved, call)
        operations: tuple[Operation, ...] = (
            SaveNode(node=node, expect=0, passages=draft.passages),
            *wanted.operations,
            *marks,
            *((around.mentions,) if around.mentions else ()),
            *(SaveRelation(relation=relation, expect=0) for relation in around.links.relations),
            *(SaveSuggestion(suggestion=suggestion) for suggestion in suggestions),
            *files.operations,
        )
        answer = Captured(
            node=node,
            classification=draft.classification,
            relations=(*wanted.relations, *around.links.relations),
            suggestions=suggestions,
            near_duplicates=around.compared.near_duplicates,
            conflicts=tuple(
                replace(side, node=saved.get(side.node.id, side.node)) for side in around.compared.conflicts
            ),
            differing=around.compared.differing,
            related=around.company.related,
            link_error=around.trouble,
            batch=batch,
            outdated=tuple(files.outdated),
            titles={**around.links.titles, **wanted.titles},
        )
        return Plan(operations=operations, answer=answer, subjects=(node.id,))

    def _known(self, twin: Node, draft: _Draft, call: Call, batch: str) -> Plan[Captured]:
        """Return the answer for a text that ``twin`` holds already: only relations it does not have yet are written.

        Saying it again of the same files says that it holds with them as they are now.
        """
        wanted = wishes(self._store, twin, draft.request.relations, call)
        files = self._files(draft, _saved(wanted.operations), call, twin=twin)
        operations = (*wanted.operations, *files.operations)
        answer = Captured(
            node=twin,
            classification=_as_stored(twin),
            relations=wanted.relations,
            batch=batch if operations else "",
            existing=True,
            untaken=tuple(_untaken(draft.request, twin)),
            outdated=tuple(files.outdated),
            titles=wanted.titles,
        )
        return Plan(operations=operations, answer=answer, subjects=(twin.id,))

    def _files(self, draft: _Draft, saved: Mapping[str, Node], call: Call, *, twin: Node | None = None) -> Findings:
        """Return what the files say of other nodes; those that are ``saved`` already are left aside."""
        if self._watch is None or draft.prints is None or not draft.node.references:
            return Findings()
        if twin is None:
            return self._watch.told(draft.node, draft.prints.result(), call, aside=frozenset(saved))
        found = self._watch.told(draft.node, (), call, aside=frozenset({twin.id, *saved}))
        found.operations += self._watch.confirmed(twin, draft.node.references, call)
        return found

    def _around(self, draft: _Draft, wanted: Wishes, call: Call) -> _Around:
        """Return what lies around the node, or as much of it as was found before something failed."""
        found = _Around()
        try:
            near = self._near(draft)
            known = explaining(wanted.relations, self._store.vocabulary)
            compared = compare(draft.node, near, call, judge=self._judge, stated=wanted.ends)
            compared = differing(compared, judge=self._judge, explained=known)
            found = replace(found, near=near, compared=compared)
            named, ahead = draft.named.result()
            found = replace(found, mentions=named)
            if draft.request.linking is Linking.BOTH:
                company = self._belonging.company(draft.node, draft.passages, ahead=ahead, near=near, mentions=named)
                found = replace(found, company=company)
            beside = Beside(
                near=near,
                mentions=named,
                recalled=self._recalled(draft),
                company=found.company,
                guessed=not draft.classification.confident or draft.classification.method == "wording",
            )
            links = self._linker.link(draft.node, beside, call, stated=wanted.stated, by=draft.request.linking)
            company = guessed(found.company, draft.node.id, links.guesses)
            compared = compared.without(explaining(links.relations, self._store.vocabulary)).apart_from(links.replacing)
            links = links.without_suggestions_on(compared.others)
            return replace(found, compared=compared, company=company, links=links)
        except WeftError as error:
            return replace(found, trouble=error.message)

    def _recalled(self, draft: _Draft) -> tuple[tuple[Node, float], ...]:
        return self._pairing.recalled(draft.node, draft.reminder.result()) if draft.reminder else ()

    def _near(self, draft: _Draft) -> tuple[Neighbour, ...]:
        return neighbours(
            self._store,
            self._vectors,
            self._embedder.calibration,
            content=draft.node.content,
            passages=draft.passages,
            limit=NEAR_MAX,
        )

    def _twin(self, draft: _Draft, near: tuple[Neighbour, ...]) -> Node | None:
        """Return the node that holds this very text already, the oldest if there are several.

        It lies among the nearest, unless these were not found or are all alike; then its title leads to it.
        """
        node = draft.node
        wanted = text.digest(node.content)
        others = {each.node.id: each.node for each in near}
        if len(near) < NEAR_MAX or near[-1].similarity >= _SAME:
            others |= {each.id: each for each in self._store.resolve(node.title, limit=_TWINS_MAX)}
        twins = [
            other
            for other in others.values()
            if other.ontology == node.ontology
            and text.digest(other.content) == wanted
            and draft.name in ("", text.fold(other.title))
        ]
        return min(twins, key=lambda other: (other.created_at, other.id), default=None)


def _untaken(request: CaptureRequest, twin: Node) -> Iterator[str]:
    """Yield the fields of ``request`` that say what ``twin``, which stays as it is, does not."""
    for name in ("kind", "citation", "confidence", "importance"):
        if getattr(request, name) not in (None, "", getattr(twin, name)):
            yield name
    for name in ("tags", "aliases", "references", "search_terms"):
        held = {text.fold(each) for each in getattr(twin, name)}
        if any(text.fold(each) not in held for each in getattr(request, name)):
            yield name


def _outdating(node: Node, links: Links, call: Call) -> tuple[Node, tuple[SaveNode, ...]]:
    """Return ``node`` as it will stand, and what marks the others whose place something takes, as is stated."""
    marks = tuple(superseding(each, call) for each in links.outdated if each.id != node.id)
    ended = len(marks) < len(links.outdated)
    return (replace(node, status=Status.SUPERSEDED) if ended else node), marks


def _saved(operations: Iterable[Operation]) -> Mapping[str, Node]:
    """Return the nodes among ``operations`` as they will stand, by id."""
    return {each.node.id: each.node for each in operations if isinstance(each, SaveNode)}


def _confidence(request: CaptureRequest, found: Classification) -> float:
    if request.confidence is not None:
        return request.confidence
    if found.method != "explicit":
        return found.confidence
    return given_confidence(found.kind)


def _as_stored(node: Node) -> Classification:
    sure = node.confidence >= CONFIDENT
    return Classification(kind=node.kind, confidence=node.confidence, confident=sure, method="existing")


def _doubt(draft: _Draft, call: Call) -> tuple[Suggestion, ...]:
    found = draft.classification
    return (suggesting.classification(draft.node, found, call),) if _to_confirm(found) else ()


def _to_confirm(found: Classification) -> bool:
    """Whether somebody is asked for the kind.

    Of what only sounds like a session, however sure that is: all else of its session would derive from it, and turns
    of a conversation sound like that.
    """
    return not found.confident or (found.method == "wording" and found.kind == "session")
