"""Erasing a leaked text: the node leaves the graph, and its words leave every file of it.

Forgetting keeps everything for undo and «as of»; erasing is for what must not be kept. It cannot be taken back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument, Unavailable
from weft.identity import meant
from weft.model import AuditEntry, Erased, RemoveRelation, Retirement, SaveMentions, SaveNode, Tier
from weft.model.codec import node_from, to_data
from weft.reason.blanking import ERASED, Blank, needles, slugs, tokens
from weft.services import drafting
from weft.services.mentioning import mentions
from weft.services.naming import resolve
from weft.services.passages import embed, embedded_anew
from weft.services.planning import Plan, settle
from weft.services.relating import attached, touched
from weft.vocabulary import REASON_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.model import Call, Node, Operation
    from weft.ports import Log, Store
    from weft.services.keeping.ports import KeepingPorts

__all__ = ["Erasing"]

TEXT_MIN: Final = 4
TEXTS_MAX: Final = 20
_HISTORY_MAX: Final = 100_000
_AT_ONCE: Final = 64
_SHARING_MAX: Final = 100  # nodes of one name


class Erasing:
    """Takes leaked texts out of one graph."""

    def __init__(self, ports: KeepingPorts, *, store: Store, log: Log) -> None:
        self._ports = ports
        self._store = store
        self._log = log

    def erase(self, reference: str, call: Call, *, reason: str, texts: Sequence[str] = ()) -> Erased:
        """Blank what the node that ``reference`` names says, wherever a file of the graph holds it, and retire it.

        Its title, text, aliases, handles, search terms and citation are blanked, as they are and as they ever were,
        with the quotes it rests on and their places in the sources, and what relations and suggestions say of it. The
        same texts are masked elsewhere too, where they have 12 characters or more. With ``texts`` only these are
        masked, wherever they stand, in other nodes and in names as well, and the node stays. Both reach the files of
        the vault. What is left is who erased what, when, and why. A second call finishes what was interrupted.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            NotFound, Ambiguous: ``reference`` does not name one node; one that was forgotten is named by its whole id.
            InvalidArgument: the reason is blank, or a text has fewer than 4 characters.
            Unavailable: a pass over the vault does not end; nothing was erased.
        """
        call.require(Tier.CURATOR, "erase")
        why = drafting.required(reason, field="reason", limit=REASON_MAX).strip()
        node = self._named(reference)
        named = _checked(texts)
        blank = Blank(id="", whole=(*named, *slugs(named, least=TEXT_MIN))) if named else self._blank(node)
        with self._ports.mirror.held():  # or an edited note might bring the text back meanwhile
            return self._erased(node, blank, call, blank.text(why))

    def _erased(self, node: Node, blank: Blank, call: Call, why: str) -> Erased:
        stamped = replace(call, session=f"erase: {why}")
        batch = self._retired(node.id, stamped, why) if blank.id else self._masked(node.id, stamped, blank)
        blank = self._ports.eraser.known(blank)
        self._ports.memory.erase((*blank.whole, *blank.aside), node=node.id, people=blank.people)
        nothing = self._ports.embedder.embed([ERASED])[0].astype("<f2").tobytes()
        done = self._ports.eraser.erase(blank, nothing)
        self._embed(sorted(done.others if blank.id else {*done.others, node.id}), call)
        finished = self._ports.memory.fold() and done.finished
        self._ports.files.discard()
        self._name_anew(node, call)
        done.counts["vault_file"], left = self._mirrored(blank, call)
        self._note(node.id, call, why, batch)
        return Erased(
            id=node.id,
            batch=batch,
            blanked={name: count for name, count in sorted(done.counts.items()) if count},
            others=tuple(sorted(set(done.others) - {node.id})),
            finished=finished,
            left=left,
        )

    def _name_anew(self, node: Node, call: Call) -> None:
        """Look up who names the nodes that shared a name with ``node``: held by many, it may have led to none."""
        shelf, words = self._ports.shelf, self._ports.words
        named = [each for name in (node.title, *node.aliases) for each in shelf.named_in(name, limit=_SHARING_MAX)]
        sharing = self._store.nodes(list(dict.fromkeys(each.target for each in named)))
        saves = tuple(mentions(shelf, words, each) for each in sharing.values() if each.retired is None)
        if saves:
            settle(self._store, call, lambda batch: Plan(operations=saves, answer=batch, subjects=()))

    def _named(self, reference: str) -> Node:
        wanted = meant(reference)
        return self._store.nodes((wanted,)).get(wanted) or resolve(self._store, reference, field="id")

    def _blank(self, node: Node) -> Blank:
        """Return what is to be taken out: of the node as it is, and as the log tells that it ever was."""
        said, listed = set(_texts(node)), set(_listed(node))
        for change in self._log.history(node.id, limit=_HISTORY_MAX):
            for data in (change.before, change.after):
                said |= {part for name in ("title", "content", "citation") for part in ((data or {}).get(name, ""),)}
                said |= {part for name in ("aliases", "search_terms") for part in (data or {}).get(name, ())}
                listed |= {part for name in ("tags", "references") for part in (data or {}).get(name, ())}
        return Blank(id=node.id, whole=(*needles(said), *slugs(said)), aside=tokens(said | listed))

    def _masked(self, id_: str, call: Call, blank: Blank) -> str:
        """Write the node with the texts masked; a text that it does not hold changes nothing here."""
        masked = self._without(id_, blank)
        passages = embed((masked,), self._ports.embedder)[0]

        def plan(batch: str) -> Plan[str]:
            before, after = self._store.nodes((id_,))[id_], self._without(id_, blank)
            if before == after:
                return Plan(operations=(), answer="", subjects=())
            save = SaveNode(node=touched(after, call), expect=before.version, passages=passages)
            return Plan(operations=(save,), answer=batch, subjects=(id_,), spares_documents=False)

        return settle(self._store, call, plan)

    def _without(self, id_: str, blank: Blank) -> Node:
        """Return the node with the texts masked, but for who made it: that is the eraser's alone to change."""
        node = self._store.nodes((id_,))[id_]
        return replace(node_from(blank.data("node", to_data(node))), created_by=node.created_by)

    def _retired(self, id_: str, call: Call, why: str) -> str:
        """Take the node out of the graph with its relations; the line in the log says who, when and why."""

        def plan(batch: str) -> Plan[str]:
            node = self._store.nodes((id_,))[id_]
            into = node.retired.merged_into if node.retired else ""
            bare = replace(
                node,
                title=ERASED,
                content=ERASED,
                citation="",
                tags=(),
                search_terms=(),
                aliases=(),
                references=(),
                handles=(),
                retired=Retirement(at=call.at, by=call.actor, why=why, merged_into=into),
            )
            operations: tuple[Operation, ...] = (
                *(RemoveRelation(id=each.id, expect=each.version) for each in attached(self._store, id_)),
                SaveMentions(node=id_, outgoing=()),
                SaveNode(node=touched(bare, call), expect=node.version, passages=()),
            )
            return Plan(operations=operations, answer=batch, subjects=(id_,), spares_documents=False)

        return settle(self._store, call, plan)

    def _mirrored(self, blank: Blank, call: Call) -> tuple[int, tuple[str, ...]]:
        """Take the texts out of the vault; where that is not to be had now, the graph is without them all the same."""
        try:
            return self._ports.mirror.erase(blank, call)
        except Unavailable as error:
            return 0, (error.message,)

    def _embed(self, nodes: Sequence[str], call: Call) -> None:
        """Embed anew what other nodes say now that a part of it is masked."""
        rows = [row for node in nodes for row in self._ports.health.rows_of(node)]
        for start in range(0, len(rows), _AT_ONCE):
            given = self._ports.health.given(rows[start : start + _AT_ONCE])
            self._ports.health.revector(embedded_anew(given, self._ports.embedder), tier=call.tier)

    def _note(self, id_: str, call: Call, why: str, batch: str) -> None:
        self._ports.memory.audit(
            AuditEntry(
                at=call.at,
                actor=call.actor,
                client=call.client,
                caller=call.caller,
                tier=call.tier.label,
                tool="erase",
                arguments=f'{{"id": "{id_}"}}',
                reason=why,
                outcome="done",
                key="",
                batch=batch,
            )
        )


def _texts(node: Node) -> Iterator[str]:
    yield from (node.title, node.content, node.citation, *node.aliases, *node.search_terms)


def _listed(node: Node) -> Iterator[str]:
    yield from (*node.tags, *node.references)


def _checked(texts: Sequence[str]) -> tuple[str, ...]:
    stripped = tuple(dict.fromkeys(text.strip() for text in drafting.several(texts, field="texts")))
    if short := [text for text in stripped if len(text) < TEXT_MIN]:
        raise InvalidArgument(f"text: {len(short)} of the texts has fewer than {TEXT_MIN} characters.")
    if len(stripped) > TEXTS_MAX:
        raise InvalidArgument(f"text: at most {TEXTS_MAX} texts at once, got {len(stripped)}.")
    return stripped
