"""A small graph with something in every table, in two ontologies, and a past: what a copy or a role may get wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.model import (
    ClaimNumber,
    FilePrint,
    Mention,
    Node,
    Origin,
    RemoveRelation,
    SaveEvidence,
    SaveFilePrints,
    SaveMentions,
    SaveNode,
    SaveRelation,
    SaveSource,
    SaveSuggestion,
    SaveVote,
    SourceType,
    SuggestionState,
    Vote,
)
from weft.testing.making import (
    AT,
    a_batch,
    a_node,
    a_receipt,
    a_relation,
    a_source,
    a_suggestion,
    an_evidence,
    changed,
    retired,
    saved,
)

if TYPE_CHECKING:
    from weft.model import Relation, Source, Suggestion
    from weft.ports import Store

__all__ = ["Filled", "fill"]


@dataclass(frozen=True, kw_only=True)
class Filled:
    """What :func:`fill` has written: ``open`` ones lie in the ontology main, ``secret`` ones in plans."""

    open: tuple[Node, ...]
    secret: tuple[Node, ...]
    moved: Node
    gone: Node
    crossing: Relation
    open_source: Source
    secret_source: Source


def fill(store: Store) -> Filled:
    """Write the graph. In ``plans`` everything is about a zeppelin, which nothing in ``main`` speaks of."""
    boils = a_node("Water boils", origin=Origin.DOCUMENT, tags=("heat",), aliases=("Boiling",), references=("a.py",))
    melts = a_node("Ice melts", handles=("melting",), search_terms=("thaw",), session="morning")
    learned = a_node("Heat moves", origin=Origin.LEARNED, learned_id="learned_2026-03-01_001")
    zeppelin = a_node("Zeppelin lifts", ontology="plans", tags=("airship",), references=("z.py",), aliases=("Airship",))
    hull = a_node("Zeppelin hull", ontology="plans", origin=Origin.LEARNED, learned_id="learned_2026-03-01_002")
    moved = a_node("Zeppelin mast", ontology="plans")
    gone = a_node("Steam is cold", tags=("wrong",))
    source = a_source(text="Water boils at 100 °C. Zwölf Boxkämpfer: 水は沸騰する 🫖.\n\ttabs and \\ slashes")
    secret = a_source("zeppelin.md", ontology="plans", text="The zeppelin lifts in May.", type=SourceType.LEARNED)
    within, crossing = a_relation(boils, melts, origin=Origin.DOCUMENT), a_relation(melts, zeppelin, "extends")
    apart, taken = a_relation(zeppelin, hull), a_relation(melts, boils, "extends")
    learned_one = a_relation(learned, melts, "implies", origin=Origin.LEARNED, learned_id="learned_2026-03-01_001")
    told = an_evidence(boils.id, source)
    store.commit(
        a_batch(
            *(saved(node) for node in (boils, melts, learned, zeppelin, hull, moved, gone)),
            *(SaveSource(source=each) for each in (source, secret)),
            *(SaveRelation(relation=each, expect=0) for each in (within, crossing, apart, taken, learned_one)),
            *(SaveEvidence(evidence=each) for each in (told, an_evidence(zeppelin.id, secret, similarity=0.75))),
            SaveEvidence(evidence=an_evidence(melts.id, secret)),
            *(SaveSuggestion(suggestion=each) for each in _suggestions(boils, melts, zeppelin)),
            *(SaveVote(vote=each) for each in _votes()),
            *(ClaimNumber(name="learned_2026-03-01", value=value) for value in (1, 2)),
            SaveMentions(node=melts.id, outgoing=(Mention(node=melts.id, target=boils.id, name="water"),)),
            SaveMentions(node=boils.id, outgoing=(Mention(node=boils.id, target=zeppelin.id, name="zeppelin"),)),
            *(SaveFilePrints(node=node.id, prints=(_print(node),)) for node in (boils, zeppelin)),
            receipt=a_receipt("k", subjects=(boils.id,), answer='{"about": "zeppelin"}'),
        )
    )
    warmer = changed(melts, title="Ice melts at 0 °C", content="It was measured twice.")
    main = changed(moved, title="Steel mast", content="It stands in Ulm.", ontology="main")
    out = retired(gone, into=melts.id)
    removal = RemoveRelation(id=taken.id, expect=1)
    store.commit(a_batch(saved(warmer), saved(main), SaveNode(node=out, expect=1, passages=()), removal))
    return Filled(
        open=(boils, warmer, learned),
        secret=(zeppelin, hull),
        moved=main,
        gone=out,
        crossing=crossing,
        open_source=source,
        secret_source=secret,
    )


def _suggestions(*nodes: Node) -> tuple[Suggestion, ...]:
    boils, melts, zeppelin = nodes
    made = {"decided_by": "ada", "decided_at": AT}
    return (
        a_suggestion("one", boils, melts),
        a_suggestion("two", boils, state=SuggestionState.DISMISSED, **made),
        a_suggestion("three", boils, zeppelin, summary="The zeppelin may be related."),
    )


def _votes() -> tuple[Vote, ...]:
    ids = ("learned_2026-03-01_001", "learned_2026-03-01_002")
    return tuple(
        Vote(learned_id=id_, actor=actor, value=1, reason="zeppelin" if id_ == ids[1] else "", at=AT)
        for id_ in ids
        for actor in ("ada", "bob")
    )


def _print(node: Node) -> FilePrint:
    return FilePrint(node=node.id, reference=node.references[0], root="", file=node.references[0], digest="d" * 64)
