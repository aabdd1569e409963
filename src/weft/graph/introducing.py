"""Who is introduced to whom: each room of verbs, and the ports that it stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.embed import fitted, model_damaged, open_chat, open_judge
from weft.services.analysis import Analyze
from weft.services.capture.capture import Capture
from weft.services.capture.ports import CapturePorts
from weft.services.curation.verbs import CurationPorts
from weft.services.ingest.ingest import Ingest, IngestPorts
from weft.services.keeping import KeepingPorts
from weft.services.learned.learn import LearnPorts
from weft.services.recall.ports import RecallPorts
from weft.services.search.matching import Matching
from weft.services.search.searching import Searching
from weft.services.synthesis.synthesize import Synthesize
from weft.services.trace.challenge import Challenger
from weft.services.trace.trace import Trace
from weft.services.transfer import TransferPorts
from weft.vault import VaultPorts

if TYPE_CHECKING:
    from weft.graph.ground import Ground
    from weft.ports import Judge
    from weft.services.staleness import Watch
    from weft.vault import Vault

__all__ = [
    "analyze",
    "capture",
    "curation_ports",
    "ingest",
    "keeping_ports",
    "learn_ports",
    "matching",
    "recall_ports",
    "synthesize",
    "trace",
    "transfer_ports",
    "vault_ports",
]


def recall_ports(ground: Ground) -> RecallPorts:
    """Return what the verbs that read stand on."""
    return RecallPorts(
        store=ground.opened.store,
        shelf=ground.opened.shelf,
        words=ground.opened.words,
        vectors=ground.vectors,
        log=ground.opened.log,
        usage=ground.usage,
        embedder=ground.embedder,
    )


def matching(ground: Ground) -> Matching:
    """Return what finds the nodes that a phrase means."""
    store, words, vectors, embedder = ground.opened.store, ground.opened.words, ground.vectors, ground.embedder
    searching = Searching(
        store=store,
        shelf=ground.opened.shelf,
        words=words,
        vectors=vectors,
        log=ground.opened.log,
        embedder=embedder,
    )
    return Matching(store=store, words=words, vectors=vectors, embedder=embedder, searching=searching)


def trace(ground: Ground, matching: Matching, judge: Judge | None) -> Trace:
    """Return the verbs of trails and claims; without a ``judge``, the settings say who judges."""
    chat = ground.settings.chat
    challenger = Challenger(
        store=ground.opened.store,
        words=ground.opened.words,
        vectors=ground.vectors,
        embedder=ground.embedder,
        entailment=ground.entailment,
        judge=open_judge(chat) if judge is None and chat.url and chat.judges else judge,
    )
    return Trace(
        store=ground.opened.store,
        shelf=ground.opened.shelf,
        vectors=ground.vectors,
        usage=ground.usage,
        embedder=ground.embedder,
        matching=matching,
        challenger=challenger,
    )


def analyze(ground: Ground, matching: Matching) -> Analyze:
    """Return the verb that derives findings."""
    return Analyze(
        store=ground.opened.store,
        vectors=ground.vectors,
        usage=ground.usage,
        embedder=ground.embedder,
        entailment=ground.entailment,
        matching=matching,
    )


def ingest(ground: Ground) -> Ingest:
    """Return the verb that takes documents in, with a chat model and the web where the settings switch them on."""
    chat = ground.settings.chat
    ports = IngestPorts(
        store=ground.opened.store,
        shelf=ground.opened.shelf,
        upkeep=ground.opened.upkeep,
        words=ground.opened.words,
        vectors=ground.vectors,
        embedder=ground.embedder,
        entailment=ground.entailment,
        intent=ground.intent,
        chat=open_chat(chat) if chat.url else None,
    )
    if not ground.settings.fetch:
        return Ingest(ports, home=ground.name)
    from weft.services.ingest.web import Web

    return Ingest(ports, home=ground.name, web=Web())


def capture(ground: Ground, watch: Watch) -> Capture:
    """Return the verbs that write nodes."""
    ports = CapturePorts(
        store=ground.opened.store,
        shelf=ground.opened.shelf,
        words=ground.opened.words,
        vectors=ground.vectors,
        embedder=ground.embedder,
        entailment=ground.entailment,
        intent=ground.intent,
    )
    return Capture(ports, home=ground.name, watch=watch, floor=ground.settings.link_floor)


def synthesize(ground: Ground) -> Synthesize:
    """Return the verbs that join what no document does."""
    return Synthesize(
        store=ground.opened.store,
        shelf=ground.opened.shelf,
        words=ground.opened.words,
        vectors=ground.vectors,
        embedder=ground.embedder,
        home=ground.name,
        creators=ground.settings.registered,
    )


def learn_ports(ground: Ground) -> LearnPorts:
    """Return what the verbs of learned knowledge stand on, and the watch over it."""
    return LearnPorts(
        store=ground.opened.store,
        learned=ground.opened.learned,
        log=ground.opened.log,
        shelf=ground.opened.shelf,
        words=ground.opened.words,
        vectors=ground.vectors,
        usage=ground.usage,
        embedder=ground.embedder,
    )


def vault_ports(ground: Ground, watch: Watch) -> VaultPorts:
    """Return what the vault stands on."""
    return VaultPorts(
        store=ground.opened.store,
        log=ground.opened.log,
        archive=ground.opened.archive,
        shelf=ground.opened.shelf,
        words=ground.opened.words,
        vectors=ground.vectors,
        learned=ground.opened.learned,
        config=ground.opened.config,
        embedder=ground.embedder,
        watch=watch,
        home=ground.name,
    )


def transfer_ports(ground: Ground) -> TransferPorts:
    """Return what import and export stand on."""
    return TransferPorts(
        store=ground.opened.store,
        log=ground.opened.log,
        archive=ground.opened.archive,
        shelf=ground.opened.shelf,
        words=ground.opened.words,
        usage=ground.usage,
        config=ground.opened.config,
        embedder=ground.embedder,
        home=ground.name,
    )


def keeping_ports(ground: Ground, vault: Vault) -> KeepingPorts:
    """Return what looking after a graph stands on."""
    return KeepingPorts(
        where=ground.where,
        health=ground.opened.health,
        shelf=ground.opened.shelf,
        words=ground.opened.words,
        eraser=ground.opened.eraser,
        files=ground.vectors,
        memory=ground.usage,
        mirror=vault,
        embedder=ground.embedder,
        model_damaged=model_damaged,
        config=ground.opened.config,
        tokens=ground.opened.tokens,
        fit=fitted,
        remote=bool(ground.settings.embed.url),
    )


def curation_ports(ground: Ground) -> CurationPorts:
    """Return what looking after concepts stands on."""
    return CurationPorts(
        store=ground.opened.store,
        shelf=ground.opened.shelf,
        words=ground.opened.words,
        vectors=ground.vectors,
        log=ground.opened.log,
        upkeep=ground.opened.upkeep,
        embedder=ground.embedder,
        home=ground.name,
    )
